"""ACL'21's grades of consistency and power, and runs and measures that are the same."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ordbook.data.printed import DISTRIBUTIONS
from ordbook.data.scores import ScoreMatrix
from ordbook.measures.registry import of_paper
from ordbook.meta.rankings import identical_runs
from ordbook.meta.variances import settled
from ordbook.words import listing

# With fewer runs Kendall's tau has no interval, and nothing that rests on it is graded.
FEWEST_RUNS = 5
# Means this close are equal: sums of some thousand terms in another order differ by far less, and
# means over splits that do differ by more.
SAME = 1e-9


def level(values: ArrayLike) -> NDArray[np.float64]:
    """Return the values, each replaced by the least of those that it ties with.

    Float noise then decides no ranking or comparison. NaN stays NaN.
    """
    numbers = np.array(values, dtype=float)
    known = ~np.isnan(numbers)
    numbers[known] = settled(numbers[known])
    return numbers


def sentences_on_copies(copies: Iterable[Sequence[str]]) -> list[str]:
    """Say which runs are the same."""
    return [
        f"{listing(same)} have the same scores on every topic by every measure" for same in copies
    ]


def distinct_runs(scores: ScoreMatrix) -> ScoreMatrix:
    """Return the scores with one run of each set of identical ones, its first."""
    copies = {run for same in identical_runs(scores) for run in same[1:]}
    return scores.keep(runs={*scores.runs} - copies)


def same_measures(scores: ScoreMatrix) -> dict[str, tuple[str, ...]]:
    """Return measure -> all measures with the same scores, up to origin and unit, itself too.

    With two classes NMD, NVD, RNSS, RNOD and RSNOD are the same number, alpha_ord is alpha_int, and
    MAE_mu is 1 - accuracy. Scores are the same if one linear function turns all of the first
    measure's into the second's, and better stays better. With fewer than three different scores
    this holds for any two measures, so these must also have the same unit.

    Examples
    --------
    >>> import ordbook as ob
    >>> task = ob.QuantificationTask.from_arrays(
    ...     [[0.2, 0.8], [0.6, 0.4]], {"A": [[0.5, 0.5], [0.7, 0.3]], "B": [[1, 0], [0, 1]]}
    ... )
    >>> same_measures(ob.score(task, ["NMD", "JSD", "RNOD"]))
    {'NMD': ('NMD', 'RNOD'), 'RNOD': ('NMD', 'RNOD'), 'JSD': ('JSD',)}
    """
    costs = {
        name: scores.values[k].ravel() * (1 if scores.better[name] == "low" else -1)
        for k, name in enumerate(scores.measures)
    }
    families: dict[str, tuple[str, ...]] = {}
    for name in costs:
        if name not in families:
            rest = [other for other in costs if other != name and other not in families]
            alike = (other for other in rest if _same(costs[name], costs[other]))
            family = (name, *alike)
            families |= dict.fromkeys(family, family)
    return families


def _same(first: NDArray[np.float64], second: NDArray[np.float64]) -> bool:
    widths = np.ptp(first), np.ptp(second)
    largest = max(np.abs(first).max(), np.abs(second).max())
    if min(widths) <= SAME * largest:  # who gives everybody the same says nothing of any other
        return False
    scaled, other_scaled = (first - first.min()) / widths[0], (second - second.min()) / widths[1]
    if np.abs(scaled - other_scaled).max() > SAME:
        return False
    inside = (scaled > SAME) & (scaled < 1 - SAME)
    return bool(inside.any() or abs(widths[0] - widths[1]) <= SAME * largest)


# ACL'21 compares these; its grades are relative, so that further measures would move them.
COMPARED: Mapping[str, tuple[str, ...]] = {
    "classification": of_paper("acl21", "classification"),
    "quantification": DISTRIBUTIONS,
}
