"""Randomised results: what a table printed from one seed could have been.

A paper prints one draw of a random procedure. We repeat the procedure with many seeds and ask
whether the printed value is among the values that it gives. No seed is chosen to match.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache, cached_property
from statistics import NormalDist
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy.stats import hypergeom

from ordbook.data.printed import printed_values
from ordbook.data.scores import ScoreMatrix
from ordbook.meta.consistency import RankingConsistency, ranking_consistency
from ordbook.meta.parallel import CHUNK, Progress, in_chunks
from ordbook.meta.significance import tukey_hsd
from ordbook.papers.symbols import WORST

# How much of the distribution the interval of a verdict holds (CONVENTIONS: 99.9%).
LEVEL = 0.999
# How many standard deviations that is, where a normal distribution will do.
SURE = NormalDist().inv_cdf((1 + LEVEL) / 2)


@dataclass(frozen=True, eq=False)
class Spread:
    """The values that one random quantity takes over many seeds.

    Parameters
    ----------
    values : array_like
        One value per seed, at least 100 finite numbers.

    Examples
    --------
    >>> found = Spread(np.arange(101))
    >>> found.mean, found.interval(0.5), found.holds("102"), found.holds("100")
    (50.0, (25.0, 75.0), False, True)
    """

    values: ArrayLike

    @cached_property
    def draws(self) -> NDArray[np.float64]:
        """The values as a sorted vector."""
        draws = np.sort(np.asarray(self.values, dtype=float))
        if draws.ndim != 1 or draws.size < 100 or not np.isfinite(draws).all():
            raise ValueError("a spread needs at least 100 seeds and finite values")
        return draws

    @property
    def seeds(self) -> int:
        """Number of seeds."""
        return int(self.draws.size)

    @property
    def mean(self) -> float:
        """Mean over the seeds."""
        return float(self.draws.mean())

    @property
    def deviation(self) -> float:
        """Standard deviation between seeds."""
        return float(self.draws.std(ddof=1))

    def interval(self, level: float = LEVEL) -> tuple[float, float]:
        """Smallest and largest of the middle ``level`` of the values.

        The order statistics that leave at most (1 - level)/2 of the values outside on either
        side; with few seeds these are the least and the greatest value.
        """
        if not 0 < level < 1:
            raise ValueError(f"level must lie between 0 and 1, not {level}")
        outside = int(np.floor(self.seeds * (1 - level) / 2 + 1e-9))
        return float(self.draws[outside]), float(self.draws[self.seeds - 1 - outside])

    def holds(self, printed: str, level: float = LEVEL) -> bool:
        """Whether a printed number lies in the interval, widened by half a printed unit."""
        low, high = self.interval(level)
        number = Decimal(printed)
        exponent = number.as_tuple().exponent
        if not isinstance(exponent, int):
            raise ValueError(f"the printed value {printed!r} is not a finite number")
        half = 0.5 * 10.0**exponent
        # 1e-9: a limit half a unit away may be on either side by float noise.
        return low - half - 1e-9 <= float(number) <= high + half + 1e-9


@dataclass(frozen=True)
class Seen:
    """The words or symbols that stand in one cell over many seeds.

    Attributes
    ----------
    counts
        Text -> number of seeds that give it. Several symbols count as a set: their order does
        not matter.

    Examples
    --------
    >>> found = Seen({"♣": 97, "♥": 3})
    >>> found.holds("♥"), found.holds("♦"), str(found)
    (True, False, '♣ for 97, ♥ for 3 of 100 seeds')
    """

    counts: Mapping[str, int]

    def holds(self, printed: str) -> bool:
        """Whether some seed gives the printed text."""
        return sorted(printed) in [sorted(text) for text in self.counts]

    def __str__(self) -> str:
        often = sorted(self.counts.items(), key=lambda item: -item[1])
        shares = ", ".join(f"{text} for {count}" for text, count in often)
        return f"{shares} of {sum(self.counts.values())} seeds"


def over_seeds(
    compute: Callable[[int], Mapping[Any, float]],
    seeds: int = 1000,
    threads: int | None = None,
    progress: Progress | None = None,
) -> dict[Any, Spread]:
    """Compute a table once for every seed 0, 1, ..., seeds - 1.

    Parameters
    ----------
    compute
        Seed -> the cells of the table, the same ones every time.
    seeds
        How many; at least 100.
    threads
        How many seeds are computed at a time, by default one per processor. The numbers do not
        depend on it. What is computed for a seed is quickest with one thread of its own.
    progress
        Called with (seeds done, seeds) after every seed.

    Returns
    -------
    dict
        Cell -> its values over the seeds, to be given to :func:`ordbook.compare`.

    Raises
    ------
    ValueError
        If there are too few seeds, or the cells depend on the seed.

    Examples
    --------
    >>> table = over_seeds(lambda seed: {"x": seed % 10}, seeds=100)
    >>> table["x"].mean, table["x"].interval(0.9)
    (4.5, (0.0, 9.0))
    """
    if seeds < 100:
        raise ValueError(f"a distribution over seeds needs at least 100 of them, not {seeds}")
    cells: list[dict[Any, float]] = [{} for _ in range(seeds)]

    def work(start: int, stop: int) -> list[dict[Any, float]]:
        return [dict(compute(seed)) for seed in range(start, stop)]

    # One seed at a time: it may take long, and Ctrl-C waits for what was begun.
    for start, stop, found in in_chunks(work, seeds, CHUNK, threads, progress):
        cells[start:stop] = found
    if any(one.keys() != cells[0].keys() for one in cells):
        raise ValueError("the cells of the table depend on the seed")
    return {cell: Spread(np.array([one[cell] for one in cells])) for cell in cells[0]}


# After so many trials most tests of consistency are decided; only the others go on to the last.
EARLY = 1000
# What the other trials would overturn with a smaller probability is decided.
DOUBT = 1e-9


def split_sizes(scores: ScoreMatrix) -> dict[str, int | None]:
    """Return the two kinds of split of ACL'21 by name, with the size as ``ranking_consistency``.

    All topics in halves, and two samples of ten. With 20 topics or fewer only the first; with
    fewer than three, or a single run, none.
    """
    topics = len(scores.topics)
    if topics < 3 or len(scores.runs) < 2:
        return {}
    sizes: dict[str, int | None] = {f"{topics // 2} vs. {topics - topics // 2}": None}
    return sizes | ({"10 vs. 10": 10} if topics > 20 else {})


def consistency_over_seeds(
    scores: ScoreMatrix, size: int | None, splits: int, seeds: int
) -> dict[tuple[str, str], Spread | Seen | int]:
    """Compute a table such as ACL'21's Tables 3 and 9 once for every seed.

    Parameters
    ----------
    scores, size, splits
        As for :func:`ordbook.ranking_consistency`.
    seeds
        Number of seeds for mean tau and V_E2. The significance tests take longer: a tenth of the
        seeds, at least 100, is theirs.

    Returns
    -------
    dict
        By (row, column) as printed tables name them: (measure, ``mean tau``), (measure,
        ``outperforms``), the symbols for how many worst measures it significantly outperforms,
        (``all measures``, ``V_E2``) and (``test sets``, ``size 1`` or ``size 2``).
    """
    sizes = ranking_consistency(scores, size, 1).sizes

    def averages(seed: int) -> dict[tuple[str, str], float]:
        found = ranking_consistency(scores, size, splits, seed, threads=1)
        means = {(str(name), "mean tau"): tau for name, tau in found.mean.items()}
        return {**means, ("all measures", "V_E2"): found.v_e2}

    def tests(seed: int) -> dict[tuple[str, str], float]:
        worst = _outperformed(ranking_consistency(scores, size, splits, seed, threads=1))
        return {(str(name), "outperforms"): number for name, number in worst.items()}

    marks = over_seeds(tests, max(100, seeds // 10))
    return {
        **over_seeds(averages, seeds),
        **{cell: _symbols(worst) for cell, worst in marks.items()},
        **{("test sets", f"size {k}"): number for k, number in enumerate(sizes, 1)},
    }


def _outperformed(found: RankingConsistency, early: int = EARLY) -> pd.Series:
    """Return ``found.outperforms_worst()``, from the first trials where these decide it."""
    quick = replace(found, trials=min(early, found.trials))
    p = quick.tests.p["tau"].to_numpy()[np.triu_indices(len(found.measures), 1)]
    low, high = _decided(quick.trials, found.trials)
    exceeding = np.rint(p * quick.trials)
    if ((exceeding <= low) | (exceeding >= high)).all():
        return quick.outperforms_worst()
    return found.outperforms_worst()


@cache
def _decided(early: int, trials: int, alpha: float = 0.05) -> tuple[int, int]:
    """Return how many exceeding trials at most, and how many at least, decide a test early.

    Trials are exchangeable: which of them exceed, given how many of all do, is a draw without
    replacement. So whatever the true p is, a number of at most the first, where all trials
    together come to p >= alpha, has a probability below ``DOUBT``; and of at least the second,
    where they come to p < alpha.
    """
    enough = int(np.ceil(alpha * trials - 1e-9))  # p >= alpha
    counts = np.arange(early + 1)
    low = np.flatnonzero(hypergeom.cdf(counts, trials, enough, early) < DOUBT)
    high = np.flatnonzero(hypergeom.sf(counts - 1, trials, enough - 1, early) < DOUBT)
    return int(low.max(initial=-1)), int(high.min(initial=early + 1))


def _symbols(worst: Spread) -> Seen:
    """Write numbers of outperformed measures as ACL'21 does; beyond its eight, as numbers."""
    symbols = {number: symbol for symbol, number in WORST.items()}
    return Seen(Counter(symbols.get(int(n), f"{n:.0f}") for n in worst.draws))


def power_over_seeds(
    scores: ScoreMatrix, trials: int, seeds: int, alpha: float = 0.05
) -> dict[str, Spread]:
    """Count the significant differences by every measure, once for every seed.

    A tenth of the seeds is used, at least 100, as every seed is a test of all run pairs.
    """

    def counts(seed: int) -> dict[str, float]:
        tests = tukey_hsd(scores, trials, seed, threads=1)
        return {name: np.count_nonzero(tests.p[name] < alpha) / 2 for name in tests.measures}

    return over_seeds(counts, max(100, seeds // 10))


def mean_tau(cells: Mapping[tuple[str, str], Any], seed: int | None = None) -> pd.Series:
    """Return measure -> mean tau of :func:`consistency_over_seeds`: of one seed, or over all."""
    found = {name: spread for (name, what), spread in cells.items() if what == "mean tau"}
    return pd.Series({m: s.mean if seed is None else s.values[seed] for m, s in found.items()})


def printed_means(part: str) -> pd.Series:
    """Return measure -> the mean tau that such a part prints."""
    values = printed_values("acl21", part)
    taus = values[values["column"] == "mean tau"]
    return pd.Series(taus["printed"].astype(float).to_numpy(), index=taus["row"].to_numpy())


def printed_tau(table: str, measures: Sequence[str]) -> pd.DataFrame:
    """Return a printed triangle of correlations, such as ACL'21's ``"2ii"``, as a matrix."""
    values = printed_values("acl21", table)
    names = list(measures)
    square = pd.DataFrame(np.eye(len(names)), index=names, columns=names)
    for row, column, tau in zip(values["row"], values["column"], values["printed"], strict=True):
        square.loc[row, column] = square.loc[column, row] = float(tau)
    return square
