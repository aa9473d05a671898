"""Says why a measure is the primary or the secondary one.

Contents
--------
why_primary     what put it before the others
why_secondary   what it adds
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
    text = f"Because {what}, {len(fit)} of {len(criteria)} measures come into question"
    if gone := list(fit.index.difference(left.index, sort=False)):
        verb = "is" if len(gone) == 1 else "are"
        text += f"; {listing(gone)} {verb} left out as poor in consistency or power"
    row: dict[str, Any] = {str(name): value for name, value in left.loc[primary].items()}
    kinds = splits_of(left)
    taus = [f"{row[k]:.3f} with {k.removeprefix('tau, ')} topics" for k in kinds]
    numbers = f"consistency {row['consistency']}"
    numbers += f" (mean tau {listing(taus)})" if taus else ""
    numbers += f", power {row['power']} ({int(row['significant'])} significant differences)"
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


def _why_before(found: pd.DataFrame, first: pd.Series) -> str:
    """Say what puts a measure before others with grades as good."""
    best = str(first.name)
    said, level = [], found
    if len(worse := level[level["rank"] != first["rank"]]):
        whom = "" if len(worse) == len(found) else f" than {listing(list(worse.index))}"
        said.append(f"{best} has the better mean of its ranks in consistency and power{whom}")
    level = level[level["rank"] == first["rank"]]
    if len(worse := level[level["unlike"] != first["unlike"]]):
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


def why_secondary(primary: str, secondary: str, seen: Sequence[str], tau: pd.DataFrame) -> str:
    """Say why a measure is secondary."""
    if not secondary:
        return "No other measure here handles the order of the classes."
    alike = f"tau between their rankings is {tau[secondary][primary]:.3f}"
    if not seen:
        return f"Of the others {secondary} ranks the runs least like {primary}: {alike}."
    return (
        f"{secondary} adds what {primary} lacks: {'; '.join(PROPERTIES[p] for p in seen)}. "
        f"{alike[0].upper()}{alike[1:]}."
    )
