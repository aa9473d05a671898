"""Rows and columns of totals among scores: spreadsheets and evaluation tools add them.

``trec_eval`` writes a topic ``all``, and ``pandas.pivot_table(margins=True)`` a row and a column
``All``. Taken for a topic or a run, it would change n, every interval and every p.

Contents
--------
MARGINS       what they are called; is_called_margin
find_margins  the rows or columns so called that are the mean or the sum of the others
"""

from collections.abc import Sequence
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

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


def is_called_margin(name: str) -> bool:
    """Whether a name is that of a sum or a mean, with or without a colon.

    Examples
    --------
    >>> is_called_margin("TOTAL:"), is_called_margin("Total war")
    (True, False)
    """
    return name.strip().rstrip(":.").strip().casefold() in MARGINS


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
        Place among the names, and ``mean`` or ``sum``: the numbers are, by every measure, the
        mean or the sum of the others, rounded as they are.

    Examples
    --------
    >>> scores = np.array([[[0.1, 0.5], [0.4, 0.2], [0.2, 0.1], [0.2333, 0.27]]])
    >>> find_margins(scores, ["1", "2", "3", "Mean"], axis=1)
    [(3, 'mean')]
    """
    called = [is_called_margin(name) for name in names]
    if not any(called) or all(called):
        return []
    others = np.compress(np.logical_not(called), values, axis=axis)
    totals = {"mean": others.mean(axis=axis), "sum": others.sum(axis=axis)}
    found = []
    for place in np.flatnonzero(called).tolist():
        mine = np.take(values, place, axis=axis)
        off = np.vectorize(_rounding, otypes=[np.float64])(mine)
        off = np.maximum(off, 1e-9 * np.abs(mine))
        of = {what: (np.abs(mine - total) <= off).all(axis=1) for what, total in totals.items()}
        if (of["mean"] | of["sum"]).all():
            found.append((place, "mean" if of["mean"].all() else "sum"))
    return found


def _rounding(number: float) -> float:
    """Return half a unit of the last decimal that a number has; of whole ones, of the first."""
    exponent = Decimal(repr(float(number))).as_tuple().exponent
    return 0.5 * 10.0 ** min(exponent, -1) if isinstance(exponent, int) else 0.0
