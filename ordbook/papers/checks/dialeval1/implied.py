"""The residual variances that DialEval-1's effect sizes and p-values imply."""

import numpy as np
import pandas as pd
from scipy.optimize import minimize_scalar
from scipy.stats import studentized_range

from ordbook.data.printed import printed_values

# Below so many trials of the randomisation test a p says little, and its tail may be heavier
# than the studentised range's.
LEAST_TRIALS = 10


def run_variances(table: str, means: pd.Series, dialogues: int) -> tuple[float, float]:
    r"""Derive V_E1 and V_E2 from a table of significant differences.

    An effect size is :math:`ES = d / \sqrt{V_{E1}}` with d the difference of two means: V_E1 is
    found by least squares. The p-values are tails of a studentised range whose variance is
    :math:`V_{E2} (n - 1)/n + \mathrm{var}(\bar x)`, because permuted scores hold the variance
    between runs too: V_E2 is found by least squares over the p-values that enough trials support.
    """
    cells = printed_values("dialeval1", table)
    cells = cells[cells["printed"] != "lost"]
    pairs = cells["column"].str.rsplit(" ", n=1, expand=True)
    cells = cells.assign(other=pairs[0], what=pairs[1])
    wide = cells.pivot_table(
        index=["row", "other"], columns="what", values="printed", aggfunc="first", sort=False
    ).dropna()
    sizes = wide["ES"].astype(float).to_numpy()
    first, second = (wide.index.get_level_values(k) for k in (0, 1))
    differences = means[second].to_numpy() - means[first].to_numpy()
    v_e1 = float((differences**2).sum() / (sizes * differences).sum()) ** 2
    trials = _trials()
    counted = ~wide["p"].str.startswith("<")
    p = wide["p"][counted].astype(float).to_numpy()
    sizes = sizes[counted.to_numpy()][p >= LEAST_TRIALS / trials]
    p = p[p >= LEAST_TRIALS / trials]
    q = np.linspace(2, 10, 161)
    log_tail = np.log(studentized_range.sf(q, len(means), np.inf))

    def misfit(scale: float) -> float:
        expected = np.exp(np.interp(sizes * np.sqrt(dialogues) * scale, q, log_tail))
        return float(((p - expected) ** 2 / (expected * (1 - expected) / trials)).sum())

    grid = np.linspace(0.5, 2.5, 201)
    start = grid[int(np.argmin([misfit(scale) for scale in grid]))]
    scale = minimize_scalar(misfit, bounds=(start - 0.01, start + 0.01), method="bounded").x
    v_e2 = v_e1 / scale**2 - float(means.var(ddof=1))
    return v_e1, v_e2 * dialogues / (dialogues - 1)


def _trials() -> int:
    cells = printed_values("dialeval1", "s5.1").set_index(["row", "column"])["printed"]
    return int(cells["randomised Tukey HSD B", "trials"].replace(",", ""))
