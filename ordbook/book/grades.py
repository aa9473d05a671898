"""Rules that give the words and letters of ACL'21's Tables 4 and 7 from results.

Contents
--------
groups           measures that rank alike, as letters
consistent       grades of ranking consistency
discriminative   grades of discriminative power
listing          names as part of a sentence
"""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from scipy.sparse.csgraph import connected_components

# With fewer runs Kendall's tau has no interval, and nothing that rests on it is graded.
FEWEST_RUNS = 5


def groups(
    taus: Sequence[pd.DataFrame],
    anchors: Mapping[str, str],
    other: str,
    runs: int,
    cut: float = 0.8,
) -> pd.Series:
    """Put measures into one group where tau reaches ``cut`` in every data set, also by a chain.

    Parameters
    ----------
    taus
        One matrix of tau between measures per data set.
    anchors
        Measure -> the letter of its group; measures that are not there are passed over.
    other
        The letter of everything else.
    runs
        How many runs were ranked.
    cut
        ACL'21's limit between two colours.
    """
    names = taus[0].index
    if runs < FEWEST_RUNS:
        return pd.Series("too few runs", names)
    alike = np.min([tau.to_numpy() for tau in taus], axis=0) >= cut - 1e-9
    group = pd.Series(connected_components(alike)[1], names)
    letters = {group[m]: letter for m, letter in anchors.items() if m in group.index}
    return pd.Series([letters.get(one, other) for one in group], names)


def consistent(kinds: Sequence[pd.Series], runs: int) -> pd.Series:
    """Grade mean tau: among the best three in every kind of split is good, the worst two poor.

    The words of ACL'21's Sections 5.2 and 6.2; its Table 7 calls *good* what is *fair* here.
    """
    if runs < FEWEST_RUNS:
        return pd.Series("too few runs", kinds[0].index)
    ranks = pd.concat([means.rank(ascending=False) for means in kinds], axis=1)
    grades = pd.Series("fair", ranks.index)
    grades[(ranks <= 3).all(axis=1)] = "good"
    grades[(ranks > len(ranks) - 2).all(axis=1)] = "poor"
    return grades


def discriminative(found: pd.Series) -> pd.Series:
    """Grade numbers of significant differences: 10% above the median is good, 10% below poor."""
    if not found.any():
        return pd.Series("finds none", found.index)
    with np.errstate(divide="ignore"):
        share = found / found.median()
    grades = np.select([share > 1.1, share < 0.9], ["good", "poor"], "fair")
    return pd.Series(grades, found.index)


def listing(names: Sequence[str]) -> str:
    """Join words: ``a, b and c``."""
    return " and ".join(part for part in (", ".join(names[:-1]), *names[-1:]) if part)
