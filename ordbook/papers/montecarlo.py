"""Randomised results: the values that a table printed from one seed could have had.

A paper prints one draw of a random procedure. We repeat the procedure with many seeds and ask
whether the printed value is among the values that it gives. No seed is chosen to match.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from ordbook.data.printed import printed_values
from ordbook.data.scores import ScoreMatrix
from ordbook.meta.consistency import ranking_consistency
from ordbook.meta.seeds import Spread, over_seeds
from ordbook.meta.significance import tukey_hsd
from ordbook.papers.draws import Seen

# Symbol -> the number of worst measures that a measure outperforms, in ACL'21.
WORST = {symbol: 8 - place for place, symbol in enumerate("♯♭♠♣♥♦‡†")} | {"blank": 0}


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
        consistency = ranking_consistency(scores, size, splits, seed, threads=1)
        means = {(str(name), "mean tau"): tau for name, tau in consistency.mean.items()}
        return {**means, ("all measures", "V_E2"): consistency.v_e2}

    def tests(seed: int) -> dict[tuple[str, str], float]:
        consistency = ranking_consistency(scores, size, splits, seed, threads=1)
        worst = consistency.outperforms_worst()
        return {(str(name), "outperforms"): number for name, number in worst.items()}

    marks = over_seeds(tests, max(100, seeds // 10))
    return {
        **over_seeds(averages, seeds),
        **{cell: _symbols(worst) for cell, worst in marks.items()},
        **{("test sets", f"size {k}"): number for k, number in enumerate(sizes, 1)},
    }


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
        return {name: float((tests.p[name] < alpha).sum()) for name in tests.measures}

    return over_seeds(counts, max(100, seeds // 10))


def mean_tau(cells: Mapping[tuple[str, str], Any], seed: int | None = None) -> pd.Series:
    """Return measure -> mean tau of :func:`consistency_over_seeds`: of one seed, or over all."""
    spreads = {name: spread for (name, what), spread in cells.items() if what == "mean tau"}
    return pd.Series({m: s.mean if seed is None else s.values[seed] for m, s in spreads.items()})


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
