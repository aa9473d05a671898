"""Tables of Kendall's tau between measures, with the limits of their intervals.

Without ties C of T = m(m-1)/2 pairs of m runs are ordered alike by two measures, and D are not:
tau = (C - D)/T. Where tied pairs count 0 tau is a whole number over T, too.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from decimal import Decimal
from functools import partial
from itertools import permutations
from math import acos

from ordbook.meta.kendall import kendall_interval
from ordbook.papers.relations import (
    NOISE,
    Cell,
    Printed,
    Relation,
    Rounded,
    condition,
    exact,
    ordered,
    plus,
    relate,
    rounded,
    value_of,
)
from ordbook.papers.tables import Paper

ENDS = ("low", "high")


def checks(
    paper: Paper,
    table: str,
    printed: Printed,
    tau: str,
    runs: str = "",
    interval: str = "",
    level: str = "",
) -> Iterator[Relation]:
    """Yield the checks of one table.

    Parameters
    ----------
    paper, table, printed
        Which table, and all printed numbers.
    tau
        How ties count: a key of ``DISTANCES``.
    runs
        The place that prints how many runs are ranked, if one does.
    interval
        A key of ``INTERVALS``, if limits are printed.
    level
        The place that prints the level of the interval in percent.
    """
    if tau not in DISTANCES:
        raise ValueError(f"no tau {tau!r}; there are {', '.join(DISTANCES)}")
    if interval and interval not in INTERVALS:
        raise ValueError(f"no interval {interval!r}; there are {', '.join(INTERVALS)}")
    cells = correlated(paper, table, printed)
    sources = [paper.place(text) for text in (runs, level) if text]
    for cell in cells:
        if runs and tau == "without ties":
            relies = "Kendall's tau of rankings without ties, and the number of runs"
            yield condition("step", (cell, sources[0]), _whole, relies, "tau is 1 - 2D/T")
        elif runs:
            yield exact("step", (cell, sources[0]), _step, "a count over n(n-1)/2", "tau, runs")
        if interval:
            yield from INTERVALS[interval](table, cell, sources)
        elif not runs and tau != "percentages":
            yield exact("range", (cell,), _possible, "tau lies between -1 and 1", "tau")
    distance, relies = DISTANCES[tau]
    for three in triangles(cells):
        if tau != "without ties":
            holds = partial(_obeys, distance)
            yield condition("triangle", three, holds, relies, "three correlations")
        elif runs and three[0] == min(three):
            shown = f"{', '.join(compared(three))} in {table}"
            yield condition("parity", (*three, sources[0]), _even, relies, shown)


def correlated(paper: Paper, table: str, printed: Printed) -> list[Cell]:
    """Return the correlations of a table, without limits and the diagonal."""
    return [
        cell
        for cell in paper.cells(printed, table)
        if not cell.column.endswith((" low", " high")) and cell.row != cell.column
    ]


# -- tau ----------------------------------------------------------------------------------------


def pairs_of(runs: int | Decimal) -> int:
    """Return T = m(m-1)/2, the number of pairs of m runs."""
    return int(runs * (runs - 1) // 2)


def pairs_of_runs(text: str) -> int:
    """Return T for a printed number of runs, such as ``12`` or ``22 (13+9)``."""
    return pairs_of(value_of(text.split()[0]))


def discordant(text: str, pairs: int) -> int | None:
    """Return the number D of discordant pairs, of so many, that a printed tau stands for.

    Without ties tau = (C - D)/T with C + D = T, so D = T(1 - tau)/2 is a whole number from 0 to
    T. None if there is none.

    Examples
    --------
    >>> discordant("0.818", 66), discordant("0.819", 66), discordant("0.833", 66)
    (6, None, None)
    """
    if pairs < 1:
        return None
    number = int(((1 - value_of(text)) / 2 * pairs).to_integral_value())
    tau = 1 - 2 * number / pairs
    return number if 0 <= number <= pairs and rounded(text).meets(Rounded(tau, tau)) else None


def compared(cells: Collection[Cell]) -> list[str]:
    """Return the measures that cells compare, rows and columns in order, each once."""
    return list(dict.fromkeys(name for cell in cells for name in (cell.row, cell.column)))


def triangles(cells: Collection[Cell]) -> Iterator[tuple[Cell, Cell, Cell]]:
    """Yield every side a-c of every triangle of measures, followed by its sides a-b and b-c."""
    sides = {frozenset((cell.row, cell.column)): cell for cell in cells}
    for a, b, c in permutations(compared(cells), 3):
        edges = frozenset((a, c)), frozenset((a, b)), frozenset((b, c))
        if a < c and all(edge in sides for edge in edges):
            yield sides[edges[0]], sides[edges[1]], sides[edges[2]]


def _whole(tau: str, runs: str) -> bool:
    return discordant(tau, pairs_of_runs(runs)) is not None


def _even(*texts: str) -> bool:
    """Of three rankings every pair of runs separates none or one from the other two.

    Hence it counts 0 or 2 in the sum of the three D, which is even and at most 2T; no D exceeds
    half of it.
    """
    *taus, runs = texts
    pairs = pairs_of_runs(runs)
    numbers = [number for tau in taus if (number := discordant(tau, pairs)) is not None]
    twice = sum(numbers)
    whole = len(numbers) == len(taus) and twice % 2 == 0
    return whole and 2 * max(numbers) <= twice <= 2 * pairs


def _step(tau: Decimal, runs: Decimal) -> bool:
    """Whether tau is a whole number of the n(n-1)/2 pairs of runs, over their number."""
    pairs = pairs_of(runs)
    return abs(tau - Decimal(round(tau * pairs)) / pairs) <= _half(tau)


def _half(number: Decimal) -> Decimal:
    """Return half a unit of the last digit."""
    return Decimal(1).scaleb(int(number.as_tuple().exponent)) / 2


Distance = Callable[[Rounded], Rounded]


def _obeys(distance: Distance, *texts: str) -> bool:
    side, first, second = (distance(rounded(text)) for text in texts)
    return side.low <= plus(first, second).high + NOISE


def _discordance(tau: Rounded) -> Rounded:
    """Return (1 - tau)/2, the share of pairs on which two rankings differ."""
    return Rounded((1 - tau.high) / 2, (1 - tau.low) / 2)


def _of_average(tau: Rounded) -> Rounded:
    """Return the same of an average of rounded numbers, which is rounded twice."""
    return _discordance(Rounded(2 * tau.low - tau.middle, 2 * tau.high - tau.middle))


def _angle(tau: Rounded) -> Rounded:
    """Return the angle between two sign vectors whose cosine is tau-b.

    (1 - tau)/2 obeys the triangle inequality for tau-a only: (2,2,1), (2,1,1) and (2,1,2) have
    tau-b 1/2, 1/2 and -1/2, so 3/4 > 1/4 + 1/4.
    """
    return Rounded(acos(min(tau.high, 1)), acos(max(tau.low, -1)))


def _disagreement(agreement: Rounded) -> Rounded:
    """Return the percentage of pairs on which two measures disagree."""
    return Rounded(100 - agreement.high, 100 - agreement.low)


# How tau counts ties -> the distance of two measures that it gives, and why it is one.
DISTANCES: Mapping[str, tuple[Distance, str]] = {
    "without ties": (
        _discordance,
        "three rankings without ties disagree on an even number of pairs",
    ),
    "ties count 0": (_discordance, "tau-a is a scalar product of sign vectors"),
    "tau-b": (_angle, "tau is the cosine of sign vectors"),
    "averages": (_of_average, "tau-a is a scalar product of sign vectors"),
    "percentages": (_disagreement, "the definition of agreement"),
}


# -- limits -------------------------------------------------------------------------------------


def _limits(cell: Cell) -> tuple[Cell, Cell]:
    low, high = (cell._replace(column=f"{cell.column} {end}") for end in ENDS)
    return low, high


def _possible(*numbers: Decimal) -> bool:
    return all(-1 <= number <= 1 for number in numbers)


def _central(low: Decimal, tau: Decimal, high: Decimal) -> bool:
    return abs(low + high - 2 * tau) < 4 * _half(tau)


def _asymptotic(table: str, cell: Cell, sources: list[Cell]) -> Iterator[Relation]:
    """Hollander, Wolfe and Chicken's interval (R's ``kendall.ci``) is symmetric.

    Then low + high - 2 tau is 0 before rounding, and less than two units after it: two only if all
    three numbers lay exactly halfway. Its limits may lie beyond 1.
    """
    low, high = _limits(cell)
    for holds, says in (
        (lambda low, tau, high: low <= tau <= high, "an interval holds its estimate"),
        (_central, "tau is the middle of an asymptotic interval"),
    ):
        relies = f"{says}, Table {table}"
        yield exact("interval", (low, cell, high), holds, relies, "low, tau, high")


def _limit(place: int, tau: Rounded, runs: Rounded, percentage: Rounded) -> float:
    level = percentage.middle / 100
    return kendall_interval(tau.middle, int(runs.middle), level=level)[place]


def _fieller(table: str, cell: Cell, sources: list[Cell]) -> Iterator[Relation]:
    """Fieller's interval, as in Long and Cliff, DNKT's reference [8].

    From tau as printed, by :func:`ordbook.kendall_interval`.
    """
    if len(sources) != 2:
        raise ValueError("Fieller's interval needs runs and level")
    for place, limit in enumerate(_limits(cell)):
        relies, formula = "Fieller's interval of tau as printed", partial(_limit, place)
        yield relate("interval", limit, (cell, *sources), formula, relies, f"{ENDS[place]} limit")


def _bootstrap(table: str, cell: Cell, sources: list[Cell]) -> Iterator[Relation]:
    """Limits of a bootstrap are values of tau in resamples, and nearly always hold the estimate."""
    low, high = _limits(cell)
    yield from ordered([high, cell, low], "tau lies in its interval", "interval")
    relies = "a limit of a bootstrap is the tau of a resample, which lies between -1 and 1"
    yield exact("range", (low, cell, high), _possible, relies, "low, tau, high")


Limits = Callable[[str, Cell, list[Cell]], Iterator[Relation]]
INTERVALS: Mapping[str, Limits] = {
    "asymptotic": _asymptotic,
    "Fieller": _fieller,
    "bootstrap": _bootstrap,
}
