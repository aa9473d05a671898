"""Randomised results over many seeds, and the samples of topics that the papers split into."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from itertools import chain
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ordbook.data.scores import ScoreMatrix
from ordbook.meta.parallel import CHUNK, in_order

# How much of the distribution the interval of a verdict holds.
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
    >>> spread = Spread(np.arange(101))
    >>> spread.mean, spread.interval(0.5), spread.holds("102"), spread.holds("100")
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


def over_seeds(
    compute: Callable[[int], Mapping[Any, float]],
    seeds: int = 1000,
    threads: int | None = None,
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

    def work(start: int, stop: int) -> list[dict[Any, float]]:
        return [dict(compute(seed)) for seed in range(start, stop)]

    # One seed at a time: it may take long, and Ctrl-C waits for what was begun.
    cells = list(chain.from_iterable(in_order(work, seeds, CHUNK, threads)))
    if any(values.keys() != cells[0].keys() for values in cells):
        raise ValueError("the cells of the table depend on the seed")
    return {cell: Spread(np.array([values[cell] for values in cells])) for cell in cells[0]}


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
