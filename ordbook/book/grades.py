"""Rules that give the words and letters of ACL'21's Tables 4 and 7 from results.

The grades are relative: where *good* ends depends on which measures are compared. Measures of
one's own are therefore held to the limits that the others set, and move none of them.

Contents
--------
groups           measures that rank alike, as letters
consistent       grades of ranking consistency
discriminative   grades of discriminative power
standing         ranks of values, those of one's own measures among the others'
level            values of which those that float noise alone parts are the same number
guests           measures of one's own that others are there to be compared with
listing          names as part of a sentence
"""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import pandas as pd
from scipy.sparse.csgraph import connected_components

from ordbook.meta.variances import settled

# With fewer runs Kendall's tau has no interval, and nothing that rests on it is graded.
FEWEST_RUNS = 5
# Means this close are equal: sums of some thousand terms in another order differ by far less, and
# means over splits that do differ by more.
SAME = 1e-9


def groups(
    taus: Sequence[pd.DataFrame],
    anchors: Mapping[str, str],
    other: str,
    runs: int,
    cut: float = 0.8,
    own: Iterable[str] = (),
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
    own
        Measures of one's own. They join the two ends of no chain: each is in the group of the
        measure that it is nearest to, where tau reaches ``cut``.
    """
    names = taus[0].index
    if runs < FEWEST_RUNS:
        return pd.Series("too few runs", names)
    least = pd.DataFrame(np.min([tau.to_numpy() for tau in taus], axis=0), names, names)
    mine = guests(names, own)
    alike = least.drop(index=mine, columns=mine) >= cut - SAME
    group = pd.Series(connected_components(alike.to_numpy())[1], alike.index)
    letters = {group[m]: letter for m, letter in anchors.items() if m in group.index}
    found = {name: letters.get(one, other) for name, one in group.items()}
    for name in mine:
        near = level(least[name].drop(mine))
        found[name] = found[near.idxmax()] if near.max() >= cut - SAME else other
    return pd.Series(found)[names]


def consistent(kinds: Sequence[pd.Series], runs: int, own: Iterable[str] = ()) -> pd.Series:
    """Grade mean tau: among the best three in every kind of split is good, the worst two poor.

    The words of ACL'21's Sections 5.2 and 6.2; its Table 7 calls *good* what is *fair* here.
    Measures of one's ``own`` are good from the third best of the others on, and poor below their
    third worst.
    """
    if runs < FEWEST_RUNS:
        return pd.Series("too few runs", kinds[0].index)
    ranks = pd.concat([standing(means, own) for means in kinds], axis=1)
    known = len(ranks) - len(guests(ranks.index, own))
    grades = pd.Series("fair", ranks.index)
    grades[(ranks <= 3).all(axis=1)] = "good"
    grades[(ranks > known - 2).all(axis=1)] = "poor"
    return grades


def discriminative(found: pd.Series, own: Iterable[str] = ()) -> pd.Series:
    """Grade numbers of significant differences: 10% above the median is good, 10% below poor.

    The median is that of the measures that are not one's ``own``.
    """
    known = found.drop(guests(found.index, own))
    with np.errstate(divide="ignore", invalid="ignore"):
        share = found / known.median()
    limits = [share > 1.1 + SAME, share < 0.9 - SAME]
    grades = pd.Series(np.select(limits, ["good", "poor"], "fair"), found.index)
    if not known.any():
        grades[found == 0] = "finds none"
    return grades


def standing(values: pd.Series, own: Iterable[str] = ()) -> pd.Series:
    """Rank values from the highest, those of one's own measures among the others'.

    They move no other rank: each has that of the others that equal it, or stands half a rank
    behind the last that is better. Values within ``SAME`` are equal.

    Examples
    --------
    >>> values = pd.Series({"A": 0.9, "mine": 0.8, "B": 0.7, "C": 0.7, "too": 0.7})
    >>> standing(values, ["mine", "too"]).to_dict()
    {'A': 1.0, 'mine': 1.5, 'B': 2.5, 'C': 2.5, 'too': 2.5}
    >>> standing(pd.Series({"A": 0.3, "B": 0.1 + 0.2})).to_dict()
    {'A': 1.5, 'B': 1.5}
    """
    mine = guests(values.index, own)
    known = level(values.drop(mine))
    ranks = known.rank(ascending=False).to_dict()
    for name in mine:
        equal = (known - values[name]).abs() <= SAME
        better = known[~equal] > values[name]
        ranks[name] = ranks[equal.idxmax()] if equal.any() else better.sum() + 0.5
    return pd.Series(ranks, dtype=float)[values.index]


def level(values: pd.Series) -> pd.Series:
    """Return the values, each replaced by the least of those that it equals up to ``SAME``.

    Whatever is ranked, sorted or compared after that is not decided by float noise. What is not
    known (NaN) stays so.

    Examples
    --------
    >>> level(pd.Series([0.1 + 0.2, 0.5, 0.3])).tolist()
    [0.3, 0.5, 0.3]
    """
    numbers = values.to_numpy(float)
    known = ~np.isnan(numbers)
    found = numbers.copy()
    found[known] = settled(numbers[known], SAME)
    return pd.Series(found, values.index)


def guests(names: Iterable[str], own: Iterable[str]) -> list[str]:
    """Return which measures are one's own, or none where there are no others to hold them to."""
    names, own = list(names), set(own)
    mine = [name for name in names if name in own]
    return mine if len(mine) < len(names) else []


def listing(names: Sequence[str]) -> str:
    """Join words: ``a, b and c``."""
    return " and ".join(part for part in (", ".join(names[:-1]), *names[-1:]) if part)
