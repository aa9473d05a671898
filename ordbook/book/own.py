"""Measures of the reader's own, beside those of the book.

Contents
--------
findings   what a probe found out about a measure, with its counterexamples
places     "file.py:NAME, module:NAME" -> each of them
absolute   the same place, whatever folder a notebook runs in
checksum   of the source of a measure
"""

import hashlib
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import pandas as pd

from ordbook.book.places import resolve
from ordbook.data.catalog import sha256
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
    return f"{resolve(source, 'own')}{colon}{name}" if source.endswith(".py") else place


def checksum(place: str) -> str:
    """Return the checksum of what a measure's source is: its file, or all of its package.

    Of a module in a package these are all files of the outermost package, since a definition may
    be spread over them; what they import from elsewhere is not looked at.

    Parameters
    ----------
    place
        A measure that :func:`ordbook.measures.import_measures` has imported.

    Examples
    --------
    >>> checksum("ordbook.measures.registry:RNOD") == checksum("ordbook.measures:NMD")
    True
    """
    source = place.rpartition(":")[0]
    if source.endswith(".py"):
        return sha256(resolve(source, "own"))
    package = find_spec(source.partition(".")[0])
    if package is None:
        raise ValueError(f"measure {place!r}: there is no module {source}")
    files = [Path(package.origin)] if package.origin else []
    for folder in package.submodule_search_locations or ():
        files += sorted(Path(folder).rglob("*.py"))
    sums = [sha256(file) for file in files if file.is_file()]
    return hashlib.sha256("".join(sums).encode()).hexdigest()
