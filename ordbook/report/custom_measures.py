"""Measures of the reader's own, beside those of the book.

Contents
--------
findings   what a probe found out about a measure, with its counterexamples
places     "file.py:NAME, module:NAME" -> each of them
absolute   the same place, whatever folder a notebook runs in
checksum   of the source of a measure
contents   of several: name and checksum of each
"""

import ast
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from importlib.util import find_spec
from itertools import product, takewhile
from pathlib import Path

import pandas as pd

from ordbook.chapters.data_argument import resolve
from ordbook.files import sha256
from ordbook.measures import Measure, probe

# Folders of installed modules, among them other people's.
INSTALLED = {"site-packages", "dist-packages"}
DEEPEST = 50  # no package is deeper


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
    """Return the checksum of what a measure's source is: its file and what that imports from there.

    These are the modules in the folder of the file and in packages there, and what they import
    in turn. Of a module in a package it is all files of the outermost package, since a definition
    may be spread over them. What they import from elsewhere, and data that they read, are not
    looked at.

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
        files = _with_imports(resolve(source, "own"))
    else:
        package = find_spec(source.partition(".")[0])
        if package is None:
            raise ValueError(f"measure {place!r}: there is no module {source}")
        files = [Path(package.origin)] if package.origin else []
        for folder in package.submodule_search_locations or ():
            files += sorted(Path(folder).rglob("*.py"))
        if len(files) == 1 and not INSTALLED & set(files[0].parts):
            files = _with_imports(files[0])
    sums = [sha256(file) for file in files if file.is_file()]
    return sums[0] if len(sums) == 1 else hashlib.sha256("".join(sums).encode()).hexdigest()


def contents(text: str) -> list[str]:
    """Return the name and the checksum of each measure; where its file lies does not matter."""
    found = []
    for place in places(text):
        source, _, name = place.rpartition(":")
        # Modules of two names are two measures.
        found.append(f"{name if source.endswith('.py') else place} {checksum(place)}")
    return found


def _with_imports(file: Path) -> list[Path]:
    """Return a file, the files of its folder that it imports, and those that they import."""
    packages = takewhile(lambda folder: (folder / "__init__.py").is_file(), file.parents)
    starts = [file.parent, *(folder.parent for folder in packages)]
    found = [file]
    for path in found:  # it grows meanwhile
        for near in _imports(path, starts):
            with suppress(OSError):  # of a name that is too long
                if near not in found and file.parent in near.parents and near.is_file():
                    found.append(near)
    return found


def _imports(path: Path, starts: Iterable[Path]) -> Iterator[Path]:
    """Say which files a file may import from these folders; many of them there are not."""
    try:
        tree = ast.parse(path.read_bytes(), str(path))
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # nothing can import this
        return
    for node in ast.walk(tree):
        names, folders = [], list(starts)
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [f"{node.module or ''}.{alias.name}".lstrip(".") for alias in node.names]
            folders = list(path.parents[node.level - 1 : node.level]) if node.level else folders
        for folder, name in product(folders, names):
            parts = name.split(".")
            for n in range(min(len(parts), DEEPEST) if parts[0] != "ordbook" else 0):
                yield folder.joinpath(*parts[:n], f"{parts[n]}.py")
                yield folder.joinpath(*parts[: n + 1], "__init__.py")
