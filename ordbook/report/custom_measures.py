"""Measures of the reader's own: where they are, and what is true of them."""

from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from pathlib import Path

import pandas as pd

from ordbook.chapters.data_argument import resolve
from ordbook.files import sha256
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
        index=pd.Index([each.name for each in found], name="property"),
    )


def absolute(place: str) -> str:
    """Return a place with the whole path of its file; that of a module stays as it is."""
    source, colon, name = place.rpartition(":")
    return f"{resolve(source, 'measure')}{colon}{name}" if source.endswith(".py") else place


def contents(places: Iterable[str]) -> dict[str, str]:
    """Return the SHA-256 of the file of each measure by its name; what it imports is not looked at.

    Parameters
    ----------
    places
        Measures that :func:`ordbook.measures.import_measures` has imported; where their files lie
        does not matter.
    """
    found = {}
    for place in places:
        source = place.rpartition(":")[0]
        module = None if source.endswith(".py") else find_spec(source)
        file = module.origin if module and module.origin else resolve(source, "measure")
        found[Path(place).name] = sha256(Path(file))
    return found
