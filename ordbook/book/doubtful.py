"""What speaks against leaning on a choice of measures: too few data, chance, twins among the runs.

Contents
--------
about_task     what no measure can help: few runs or topics, two classes, identical runs
about_same     measures that are one and the same on these data
about_choice   where another seed, or a hair's breadth, would have chosen another measure
about_own      the same for measures of one's own, so that nothing is added to what else is said
closest        measures that chance alone keeps apart from another, and those that nothing does
Near           its result
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from ordbook.book.copies import named, sets_of
from ordbook.book.grades import SAME, listing
from ordbook.book.same_measures import beside, same_measures
from ordbook.data.scores import ScoreMatrix
from ordbook.meta.consistency import RankingConsistency
from ordbook.meta.discrimination import pairs_in_doubt
from ordbook.meta.kendall import kendall_interval
from ordbook.meta.significance_tests import SignificanceTests
from ordbook.papers.montecarlo import SURE

# An interval of tau this wide covers two of ACL'21's colours.
WIDE = 0.2
# Topics below which ACL'21's second kind of split, ten against ten, cannot be made.
FEW_TOPICS = 20


def about_task(scores: ScoreMatrix, classes: int, fewest: int) -> list[str]:
    """Return sentences on the size and the runs of a task."""
    copies = sets_of(scores)
    runs = len(scores.runs) - sum(len(same) - 1 for same in copies)
    topics = len(scores.topics)
    counted = f"{runs} different runs" if copies else f"{runs} runs"
    found = []
    if runs < fewest:
        found.append(
            f"There are {counted}. With fewer than {fewest} a correlation between rankings has no "
            "interval, and neither similarity nor consistency is graded."
        )
    else:
        low, high = kendall_interval(0.8, runs)
        if high - low > WIDE:
            found.append(
                f"With {counted} a tau of 0.8 between two measures has the 95% interval "
                f"{low:.2f} to {high:.2f}: groups of similar measures are a rough sketch."
            )
    if topics <= FEW_TOPICS:
        found.append(
            f"There are {topics} topics; samples of ten against ten need more than {FEW_TOPICS}, "
            "so consistency rests on "
            + ("halves alone." if topics > 2 else "nothing: it needs at least three topics.")
        )
    if classes < 3:
        found.append("With two classes there is no far or near error: their order does not matter.")
    for same in named(copies):
        found.append(
            f"{same}. Mean tau and "
            "group between measures are without copies; in consistency, power and contradictions "
            "each copy adds pairs that say nothing new, and as a tied pair counts as neither "
            "agreement nor disagreement, the tau of consistency stays below 1."
        )
    return found


def about_same(same: Sequence[Sequence[str]]) -> list[str]:
    """Return sentences on measures that are one and the same on these data."""
    return [
        f"On these data {listing(family)} are one and the same measure, apart from origin and "
        "unit: none adds anything to another."
        for family in same
    ]


def about_choice(
    tests: SignificanceTests,
    consistency: Mapping[str, RankingConsistency],
    criteria: pd.DataFrame,
    chosen: tuple[str, str],
    rivals: Sequence[str],
    alpha: float,
) -> list[str]:
    """Return sentences on what chance, or the rule, may have decided.

    Only of the measures in the criteria, but that notes name any measure that ties all runs. The
    primary measure is compared with its ``rivals``.
    """
    names = list(criteria.index)
    found = [f"{note}." for note in tests.notes]
    found += [f"{note}." for split in consistency.values() for note in split.notes]
    primary, secondary = chosen
    found += _in_doubt(tests, names, alpha)
    if not criteria["significant"].any():
        found.append("No measure finds any significant difference: power decides nothing here.")
    if primary:
        near = closest(primary, rivals, consistency, criteria)
        if near.steady:
            found.append(
                f"In consistency {listing([primary, *near.steady])} lie within Monte-Carlo error: "
                "other random splits could reverse them."
            )
        if near.as_steady:
            found.append(
                f"In consistency {listing([primary, *near.as_steady])} are equal: tau is the same "
                "in every split."
            )
        if near.power:
            found.append(
                f"In significant differences {listing([primary, *near.power])} lie within "
                "Monte-Carlo error: other random trials could reverse them."
            )
        if near.as_powerful and criteria["significant"].any():
            found.append(
                f"In significant differences {listing([primary, *near.as_powerful])} are equal: "
                f"each finds {int(criteria['significant'][primary])}, and no p-value is too "
                "close to call."
            )
    if secondary:
        poor = [w for w in ("consistency", "power") if criteria.loc[secondary, w] == "poor"]
        if poor:
            found.append(
                f"{secondary} is poor in {' and '.join(poor)} on these data: it is here beside "
                f"{primary}, not for a decision of its own."
            )
    return found


def about_own(
    scores: ScoreMatrix,
    tests: SignificanceTests,
    consistency: Mapping[str, RankingConsistency],
    criteria: pd.DataFrame,
    own: Sequence[str],
    primary: str,
    alpha: float,
) -> list[str]:
    """Return sentences on what chance may have decided of each measure of one's own."""
    found = []
    copies = sets_of(scores, [name for name in scores.measures if name not in own])
    same = same_measures(scores)
    for name in own:
        found += [f"By {name} {doubt}" for doubt in _in_doubt(tests, [name], alpha)]
        known = [other for other in beside(name, same) if other not in own]
        found += about_same([[name, *known]] if known else [])
        rivals = [primary] if primary and primary not in known else []
        near = closest(name, rivals, consistency, criteria)
        if where := _where(near.steady, near.power):
            found.append(
                f"{name} and {primary} lie within Monte-Carlo error of each other {where}."
            )
        if where := _where(near.as_steady, near.as_powerful):
            found.append(f"{name} and {primary} are equal {where}.")
        copied = {run for family in sets_of(scores, [name]) for run in family}
        apart = [family for family in copies if not copied.issuperset(family)]
        found += [f"{name} alone tells {listing(family)} apart." for family in apart]
    return found


def _in_doubt(tests: SignificanceTests, names: Sequence[str], alpha: float) -> list[str]:
    """Say how many p-values, by these measures, more trials could move across alpha."""
    doubt = int(pairs_in_doubt(tests, alpha)["measure"].isin(names).sum())
    if not doubt:
        return []
    of = len(names) * len(tests.runs) * (len(tests.runs) - 1) // 2
    lie = "lies" if doubt == 1 else "lie"
    return [
        f"{doubt} of {of} p-values {lie} too close to {alpha:g} to call with "
        f"{tests.trials:,} trials."
    ]


def _where(steady: Sequence[str], power: Sequence[str]) -> str:
    found = [what for what, near in (("consistency", steady), ("power", power)) if near]
    return f"in {' and '.join(found)}" if found else ""


class Near(NamedTuple):
    """Rivals of a measure.

    Attributes
    ----------
    steady, power
        Those that chance may have put on the other side of it in consistency and in power.
    as_steady, as_powerful
        Those that equal it, and that no chance moved.
    """

    steady: list[str]
    power: list[str]
    as_steady: list[str]
    as_powerful: list[str]


def closest(
    name: str,
    rivals: Sequence[str],
    consistency: Mapping[str, RankingConsistency],
    criteria: pd.DataFrame,
) -> Near:
    """Return the rivals that are near a measure.

    In consistency chance may have decided where the paired difference of the mean tau is within
    99.9% of its standard error in some kind of split; they are equal where it is 0 on every split
    of every kind. In power, where the Monte-Carlo intervals of the counts overlap; they are equal
    where both are one and the same number.
    """
    found = Near([], [], [], [])
    low, high = criteria["low"], criteria["high"]
    for rival in rivals:
        apart = [split.tau[name] - split.tau[rival] for split in consistency.values()]
        moved = [gap for gap in apart if (gap.abs() > SAME).any()]
        if any(abs(g.mean()) <= SURE * g.std(ddof=1) / np.sqrt(len(g)) for g in moved):
            found.steady.append(rival)
        elif apart and not moved:
            found.as_steady.append(rival)
        if low[rival] == high[rival] == low[name] == high[name]:
            found.as_powerful.append(rival)
        elif low[rival] <= high[name] and low[name] <= high[rival]:
            found.power.append(rival)
    return found
