"""What speaks against leaning on a choice of measures: too few data, chance, twins among the runs.

Contents
--------
about_task     what no measure can help: few runs or topics, two classes, identical runs
about_choice   where another seed, or a hair's breadth, would have chosen another measure
about_own      the same for measures of one's own, so that nothing is added to what else is said
closest        measures that chance alone keeps apart from another, in consistency and in power
"""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from ordbook.book.copies import named, sets_of
from ordbook.book.grades import listing
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


def about_choice(
    tests: SignificanceTests,
    consistency: Mapping[str, RankingConsistency],
    criteria: pd.DataFrame,
    chosen: tuple[str, str],
    alpha: float,
) -> list[str]:
    """Return sentences on what chance, or the rule, may have decided.

    Only of the measures in the criteria, but that notes name any measure that ties all runs.
    """
    names = list(criteria.index)
    found = [f"{note}." for note in tests.notes]
    found += [f"{note}." for split in consistency.values() for note in split.notes]
    primary, secondary = chosen
    found += _in_doubt(tests, names, alpha)
    if not criteria["significant"].any():
        found.append("No measure finds any significant difference: power decides nothing here.")
    if primary:
        rivals = [name for name in criteria.index[criteria["order"]] if name != primary]
        steady, power = closest(primary, rivals, consistency, criteria)
        if steady:
            found.append(
                f"In consistency {listing([primary, *steady])} lie within Monte-Carlo error: "
                "other random splits could reverse them."
            )
        if power:
            found.append(
                f"In significant differences {listing([primary, *power])} lie within "
                "Monte-Carlo error: other random trials could reverse them."
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
    for name in own:
        found += [f"By {name} {doubt}" for doubt in _in_doubt(tests, [name], alpha)]
        steady, power = closest(name, [primary] if primary else [], consistency, criteria)
        where = [what for what, near in (("consistency", steady), ("power", power)) if near]
        if where:
            found.append(
                f"{name} and {primary} lie within Monte-Carlo error of each other in "
                f"{' and '.join(where)}."
            )
        same = {run for family in sets_of(scores, [name]) for run in family}
        apart = [family for family in copies if not same.issuperset(family)]
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


def closest(
    name: str,
    rivals: Sequence[str],
    consistency: Mapping[str, RankingConsistency],
    criteria: pd.DataFrame,
) -> tuple[list[str], list[str]]:
    """Return the rivals that chance may have put on the other side of a measure.

    In consistency: the paired difference of the mean tau is within 99.9% of its standard error in
    some kind of split. In power: the Monte-Carlo intervals of the counts overlap.
    """
    steady = []
    for rival in rivals:
        for split in consistency.values():
            apart = split.tau[name] - split.tau[rival]
            if abs(apart.mean()) <= SURE * apart.std(ddof=1) / np.sqrt(len(apart)):
                steady.append(rival)
                break
    low, high = criteria["low"], criteria["high"]
    near = [r for r in rivals if low[r] <= high[name] and low[name] <= high[r]]
    return steady, near
