"""Measures of the reader's own: where they are, and what is true of them."""

from collections.abc import Sequence
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


def places(text: str) -> list[str]:
    """Split where measures are, as :func:`ordbook.measures.import_measures` takes them.

    Examples
    --------
    >>> places("my.py:A, package.measures:B,")
    ['my.py:A', 'package.measures:B']
    """
    return [place for place in map(str.strip, text.split(",")) if place]


def absolute(place: str) -> str:
    """Return a place with the whole path of its file; that of a module stays as it is."""
    source, colon, name = place.rpartition(":")
    return f"{resolve(source, 'measure')}{colon}{name}" if source.endswith(".py") else place


def checksum(place: str) -> str:
    """Return the SHA-256 of the file that a measure is in; what it imports is not looked at.

    Parameters
    ----------
    place
        A measure that :func:`ordbook.measures.import_measures` has imported.

    Examples
    --------
    >>> checksum("ordbook.measures.registry:RNOD") == checksum("ordbook.measures:NMD")
    False
    """
    source = place.rpartition(":")[0]
    found = None if source.endswith(".py") else find_spec(source)
    file = Path(found.origin) if found and found.origin else resolve(source, "measure")
    return sha256(file)


def content(place: str) -> tuple[str, str]:
    """Return the name and the checksum of a measure; where its file lies does not matter."""
    return Path(place).name, checksum(place)
