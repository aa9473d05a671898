"""Measures of the reader's own, beside those of the book.

Contents
--------
findings   what a probe found out about a measure, with its counterexamples
"""

from collections.abc import Sequence

import pandas as pd

from ordbook.measures import Measure, probe


def findings(
    measure: Measure, classes: Sequence[int] = (2, 3, 5), *, seed: int = 0
) -> pd.DataFrame:
    """Say which properties a measure has, a row each.

    Parameters
    ----------
    measure
        One of the registry, or of :func:`ordbook.measures.custom_measure`.
    classes, seed
        As for :func:`ordbook.measures.probe`.

    Returns
    -------
    DataFrame
        By property: holds (yes or no), cases (how many were tried) and found: what was seen, or
        the smallest counterexample.

    Examples
    --------
    >>> from ordbook.measures import QUANTIFICATION
    >>> table = findings(QUANTIFICATION["NVD"], [3])
    >>> table["holds"]["symmetric"], table["found"]["order-aware"]
    ('yes', 'no permutation of the classes changes a score')
    """
    found = probe(measure, classes, seed=seed)
    return pd.DataFrame(
        {
            "holds": ["yes" if finding.holds else "no" for finding in found],
            "cases": [finding.tried for finding in found],
            "found": [finding.statement for finding in found],
        },
        index=pd.Index([finding.property for finding in found], name="property"),
    )
