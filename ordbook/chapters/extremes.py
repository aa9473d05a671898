"""Superlatives: who has the least and the greatest value, with all that have the same.

Means of floating-point numbers that are equal may differ by noise. A sentence that names one of
several would contradict the table above it.
"""

import pandas as pd

from ordbook.advice.grades import SAME, listing

# So many names are written out; of more, the first and their number.
NAMED = 3


def lowest(values: pd.Series, others: str = "others") -> str:
    """Name who has the least value, with all that have the same.

    Parameters
    ----------
    values
        Name -> a finite number.
    others
        What those are called that are counted and not named.

    Examples
    --------
    >>> tau = pd.Series({"NMD": 0.9, "NVD": 1.0, "JSD": 1.0})
    >>> lowest(tau), lowest(-tau), lowest(pd.Series(1.0, list("ABCDE")))
    ('NMD', 'NVD and JSD', 'A and 4 others')
    """
    names = [str(name) for name in values.index[values <= values.min() + SAME]]
    if len(names) > NAMED:
        return f"{names[0]} and {len(names) - 1} {others}"
    # Names of pairs have commas of their own.
    return "; ".join(names) if any("," in name for name in names) else listing(names)


def highest(values: pd.Series, others: str = "others") -> str:
    """Name who has the greatest value, with all that have the same, as :func:`lowest`."""
    return lowest(-values, others)
