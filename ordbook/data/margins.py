"""Rows and columns of totals among scores: spreadsheets and evaluation tools add them.

``trec_eval`` writes a topic ``all``, and ``pandas.pivot_table(margins=True)`` a row and a column
``All``. Taken for a topic or a run, it would change n, every interval and every p.

Contents
--------
MARGINS       what they are called; is_called_margin
STATISTICS    what other rows or columns that describe the others are called
find_margins  the rows or columns called a margin that are the mean or the sum of the others
doubtful      what else may be no topic or no run, as notes
"""

from collections.abc import Sequence
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from ordbook.data.names import shown

MARGINS = frozenset(
    (
        *("total", "totals", "grand total", "sum", "all", "mean", "average", "avg", "overall"),
        *(
            "margin",
            "margins",
            "amean",
            "arithmetic mean",
            "macro average",
            "macro avg",
            "micro average",
            "Σ",
            "σ",
        ),
        *("合計", "総計", "計", "平均", "平均値", "总计", "合计", "总和", "平均值", "합계", "평균"),
        *("summe", "gesamt", "insgesamt", "mittel", "mittelwert", "durchschnitt", "schnitt"),
        *("somme", "ensemble", "moyenne", "total général", "suma", "promedio", "media", "média"),
        *(
            "soma",
            "totale",
            "somma",
            "totaal",
            "gemiddelde",
            "razem",
            "średnia",
            "итого",
            "среднее",
        ),
    )
)

STATISTICS = frozenset(
    (
        *("std", "sd", "stdev", "std dev", "standard deviation", "var", "variance", "median"),
        *("min", "max", "minimum", "maximum", "best", "worst", "count", "n"),
        *("gm_all", "gmean", "gmap", "geometric mean", "map"),
    )
)
COARSEST = 0.05  # how far a total may be off, if not rounded to more decimals
ENOUGH = 1000
FEWEST = 4  # topics, or runs, of which the first or the last may well be like the others' mean


def is_called_margin(name: str) -> bool:
    """Whether a name is that of a sum or a mean, with or without a colon.

    Examples
    --------
    >>> is_called_margin("TOTAL:"), is_called_margin("Total war")
    (True, False)
    """
    return _plain(name) in MARGINS


def _plain(name: str) -> str:
    return name.strip().rstrip(":.").strip().casefold()


def find_margins(
    values: NDArray[np.float64], names: Sequence[str], axis: int
) -> list[tuple[int, str]]:
    """Find what is called a total or a mean, and is one.

    Parameters
    ----------
    values
        Scores (measures, topics, runs). What could not be read may be NaN.
    names
        Of the topics or the runs.
    axis
        1 for topics, 2 for runs.

    Returns
    -------
    list
        Place among the names, and ``mean`` or ``sum``: the numbers are, by most measures, the
        mean or the sum of the others, as far as both are printed.

    Examples
    --------
    >>> scores = np.array([[[0.1, 0.5], [0.4, 0.2], [0.2, 0.1], [0.2333, 0.27]]])
    >>> find_margins(scores, ["1", "2", "3", "Mean"], axis=1)
    [(3, 'mean')]
    """
    called = [is_called_margin(name) for name in names]
    if not any(called) or all(called):
        return []
    others = np.flatnonzero(np.logical_not(called))
    places = np.flatnonzero(called).tolist()
    found = [(place, _margin(values, place, others, axis)) for place in places]
    return [(place, what) for place, what in found if what]


def doubtful(values: NDArray[np.float64], names: Sequence[str], axis: int) -> list[str]:
    """Return notes on what may be no topic, or no run.

    It has the name of a margin or of another statistic; or it stands first or last, and is the
    mean or the sum of the others.

    Parameters
    ----------
    values, names, axis
        As of :func:`find_margins`, which has refused what it finds.

    Examples
    --------
    >>> scores = np.array([[[0.1], [0.4], [0.2], [0.5], [0.3], [0.3]]])
    >>> print(*doubtful(scores, ["1", "2", "3", "4", "5", "per topic"], axis=1))
    the topic 'per topic' is the mean of the others; if it is no topic, leave it out.
    """
    kind = ("topic", "run")[axis - 1]
    notes = []
    for name in names:
        if _plain(name) in MARGINS | STATISTICS:
            notes.append(
                f"there is a {kind} {shown(name)!r}; if it says something about the other "
                f"{kind}s, leave it out."
            )
    if len(names) <= FEWEST or (values == np.take(values, [0], axis=axis)).all():
        return notes
    for place in (0, len(names) - 1):
        others = np.delete(np.arange(len(names)), place)
        what = _margin(values, place, others, axis)
        if what and _plain(names[place]) not in MARGINS | STATISTICS:
            notes.append(
                f"the {kind} {shown(names[place])!r} is the {what} of the others; if it is no "
                f"{kind}, leave it out."
            )
    return notes


def _margin(values: NDArray[np.float64], place: int, others: NDArray[np.intp], axis: int) -> str:
    """Say whether numbers are the mean or the sum of others by most measures, or nothing."""
    fits: dict[str, list[bool]] = {"mean": [], "sum": []}
    for by_topic in values:
        mine, rest = (np.take(by_topic, which, axis=axis - 1) for which in (place, others))
        # A total may be rounded or cut off, and be that of scores before they were rounded.
        each, own = _unit(rest) / 2, min(_unit(mine) or 1.0, COARSEST)
        for what, total, off in (
            ("mean", rest.mean(axis=axis - 1), each),
            ("sum", rest.sum(axis=axis - 1), len(others) * each),
        ):
            near = np.abs(mine - total) <= off + own + 1e-9 * np.abs(mine)
            fits[what].append(bool(near.all()))
    return next((what for what, by in fits.items() if 2 * sum(by) > len(by)), "")


def _unit(numbers: NDArray[np.float64]) -> float:
    """Return one unit of the last decimal of numbers, of so many of them; of whole ones 0."""
    some = numbers.ravel()[:: 1 + numbers.size // ENOUGH].tolist()
    last = [Decimal(repr(number)).as_tuple().exponent for number in some if number % 1]
    return 10.0 ** min((each for each in last if isinstance(each, int)), default=-np.inf)
