"""Says why a measure is the primary or the secondary one.

Contents
--------
why_primary     what put it before the others
why_secondary   what it adds
why_none        why there is no secondary one
why_own         what a measure of one's own would be
"""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from ordbook.book.criteria import PROPERTIES, splits_of
from ordbook.book.grades import listing


def why_primary(
    criteria: pd.DataFrame,
    fit: pd.DataFrame,
    left: pd.DataFrame,
    order: pd.DataFrame,
    required: Mapping[str, str],
) -> str:
    """Say why a measure is primary.

    Parameters
    ----------
    criteria, fit, left
        Of all measures; of those that have what the task requires; of those that are not left out
        as poor either.
    order
        The measures left, best first: grades, rank, unlike and favour.
    required
        From :attr:`ordbook.book.advice.Needs.required`.
    """
    primary = str(order.index[0])
    what = listing(list(required.values())) or "two classes have no far and near errors"
    comes = "comes" if len(fit) == 1 else "come"
    text = f"Because {what}, {len(fit)} of {len(criteria)} measures {comes} into question"
    if gone := list(fit.index.difference(left.index, sort=False)):
        verb = "is" if len(gone) == 1 else "are"
        text += f"; {listing(gone)} {verb} left out as poor in consistency or power"
    numbers = _numbers(left, primary)
    if len(left) == 1:
        return f"{text}. {primary} is the only one left: {numbers}."
    found = order.loc[[name for name in left.index if name != primary]]
    found = found[found["grades"] == order.loc[primary, "grades"]]
    if found.empty:
        return f"{text}. Of the {len(left)} left {primary} has the best grades: {numbers}."
    text += f". Of the {len(left)} left no grades are better than those of {primary}: {numbers}. "
    have = "has" if len(found) == 1 else "have"
    text += f"{listing(list(found.index))} {have} grades as good; "
    return text + _why_before(found, order.iloc[0])


def _numbers(criteria: pd.DataFrame, name: str) -> str:
    """Say how a measure is graded, and on what numbers."""
    said: dict[str, Any] = {str(what): value for what, value in criteria.loc[name].items()}
    kinds = splits_of(criteria)
    taus = [f"{said[k]:.3f} with {k.removeprefix('tau, ')} topics" for k in kinds]
    found = int(said["significant"])
    differences = "significant difference" if found == 1 else "significant differences"
    means = f" (mean tau {listing(taus)})" if taus else ""
    return (
        f"consistency {said['consistency']}{means}, power {said['power']} ({found} {differences})"
    )


def _why_before(found: pd.DataFrame, first: pd.Series) -> str:
    """Say what puts a measure before others with grades as good."""
    best = str(first.name)
    said, level = [], found
    if len(worse := level[level["rank"] != first["rank"]]):
        whom = "" if len(worse) == len(found) else f" than {listing(list(worse.index))}"
        said.append(f"{best} has the better mean of its ranks in consistency and power{whom}")
    level = level[level["rank"] == first["rank"]]
    if "unlike" in level and len(worse := level[level["unlike"] != first["unlike"]]):
        said.append(
            f"{best} ranks the runs more like the other measures than {listing(list(worse.index))}"
        )
        level = level[level["unlike"] == first["unlike"]]
    if len(level):
        words = f"{listing([best, *level.index])} are equal in all that decides here, "
        if (level["favour"] > first["favour"]).all():
            said.append(f"{words}and {best} is what the papers recommend")
        else:
            said.append(f"{words}and {best} comes first in the table")
    return f"{'; '.join(said)}."


def why_secondary(
    primary: str, secondary: str, seen: Sequence[str], order: pd.DataFrame, tau: pd.DataFrame
) -> str:
    """Say why a measure is secondary.

    Parameters
    ----------
    primary, secondary
        Measures.
    seen
        The properties that the secondary adds.
    order
        The measures that could be secondary, best first: like, grades, rank and favour.
    tau
        Between the rankings of the measures.
    """
    alike = f"tau between their rankings is {tau[secondary][primary]:.3f}"
    if seen:
        return (
            f"{secondary} adds what {primary} lacks: {'; '.join(PROPERTIES[p] for p in seen)}. "
            f"{alike[0].upper()}{alike[1:]}."
        )
    others = "the other measures that come into question"
    if len(order) == 1:
        return f"{secondary} is the only other measure that comes into question: {alike}."
    first = order.iloc[0]
    level = order[order["like"] == first["like"]]
    if len(level) == 1:
        return f"Of {others} {secondary} ranks the runs least like {primary}: {alike}."
    names, value = listing(list(level.index)), f"{first['like']:.3f}"
    if len(level) == len(order):
        text = f"{others[0].upper()}{others[1:]}, {names}, rank the runs equally like {primary}"
        text += f": tau with it is {value} for each. "
    else:
        text = f"Of {others} {names} are equally far from the ranking of {primary}, the rest nearer"
        text += f": tau with it is {value} for each of them. "
    level = level.drop(index=secondary)
    worse = level[level["grades"] != first["grades"]]
    if worse.empty:
        return text + _why_before(level, first)
    text += f"{secondary} has better grades than {listing(list(worse.index))}"
    level = level.drop(index=worse.index)
    return f"{text}; {_why_before(level, first)}" if len(level) else f"{text}."


def why_none(primary: str, same: Sequence[str], others: pd.DataFrame) -> str:
    """Say why no measure is secondary.

    Parameters
    ----------
    primary
        A measure.
    same
        Those that are one and the same as it on the data at hand.
    others
        The further ones that come into question.
    """
    if len(others):
        text = f"There is no secondary measure: none adds a property that {primary} lacks."
    elif not same:
        return "No other measure here handles the order of the classes."
    else:
        text = f"There is no secondary measure: no other one comes into question beside {primary}."
    verb = "is" if len(same) == 1 else "are"
    return text + (f" On these data {listing(same)} {verb} {primary} itself." if same else "")


def why_own(
    criteria: pd.DataFrame, name: str, place: str, instead: str, lacking: Sequence[str], left: bool
) -> str:
    """Say what a measure of one's own would be.

    Parameters
    ----------
    criteria, name
        The criteria, and which measure it is.
    place
        ``primary`` or ``secondary``, or empty where it would be neither.
    instead
        The measure in whose place it would be; empty where there is none.
    lacking
        What the task requires and it has not.
    left
        Whether it is among those that could be primary.
    """
    if lacking:
        columns = ["handles order" if what == "order" else what for what in lacking]
        why = f"it lacks what this task needs ({listing(columns)})"
    elif not left:
        why = "it is left out as poor in consistency or power"
    else:
        why = "others come before it"
    what = place or "neither primary nor secondary"
    if instead:
        what += f" in place of {instead}"
    if place != "primary":
        what += f"; as primary {why}" if place else f": {why}"
    return (
        f"{name}, a measure of your own, would by the same rules be {what}. Held to the "
        f"limits that the others set it has {_numbers(criteria, name)}."
    )
