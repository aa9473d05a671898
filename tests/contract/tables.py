"""The files that a command writes, as keys and values."""

import csv
import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from contract.golden import Cells

# Of tables with more rows only what a column adds up to is kept, and a digest of its words.
LONG = 400
# What differs between machines and releases: versions, checksums, and what was read.
VARIES = re.compile(r"\b\d+\.\d+\.\d+\b|\b[0-9a-f]{64}\b|-[0-9a-f]{12}(?=/)")
LEFT_OUT = {"versions", "sha256", "checksum", "checksums", "computed_from", "files"}


def cells_of_folder(folder: Path, suffixes: Iterable[str]) -> Cells:
    """Read every file with one of these endings: tables by cell, other text as a digest."""
    found: Cells = {}
    for path in sorted(folder.rglob("*")):
        if path.suffix not in suffixes:
            continue
        name, text = VARIES.sub("", path.relative_to(folder).as_posix()), path.read_text("utf-8")
        if path.suffix == ".csv":
            found |= {f"{name} | {key}": value for key, value in _table(text)}
        elif path.suffix == ".json":
            found |= {f"{name} | {key}": value for key, value in _leaves(json.loads(text), "")}
        else:
            found[name] = digest(VARIES.sub("", text))
    return found


def digest(text: str) -> str:
    """Return the first sixteen digits of the checksum of a text."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def fingerprint(values: Iterable[float]) -> str:
    """Return the mean, and a sum with a weight for every place, so that the order counts."""
    numbers = [float(value) for value in values]
    weighted = sum(value / (place + 1) for place, value in enumerate(numbers))
    return f"{sum(numbers) / len(numbers)!r} {weighted!r}"


def is_number(text: str) -> bool:
    """Whether a cell holds a number."""
    try:
        float(text)
    except ValueError:
        return False
    return True


def _table(text: str) -> Iterator[tuple[str, str]]:
    """Yield the cells; a row is called by its words, as many as it takes to tell the rows apart."""
    header, *rows = csv.reader(text.splitlines())
    yield "rows", str(len(rows))
    columns = {name: [row[place] for row in rows] for place, name in enumerate(header)}
    words = [name for name, column in columns.items() if not any(map(is_number, column))]
    if len(rows) > LONG:
        for name, column in columns.items():
            plain = all(map(is_number, column))
            yield name, fingerprint(map(float, column)) if plain else digest("\n".join(column))
        return
    names, values = [""] * len(rows), list(header)
    for word in words:
        names = [f"{a} {b}".strip() for a, b in zip(names, columns[word], strict=True)]
        values.remove(word)
        if len(set(names)) == len(names):
            break
    seen: Counter[str] = Counter()
    for place, name in enumerate(names):
        seen[name] += 1
        once = name if seen[name] == 1 else f"{name} #{seen[name]}"
        yield from ((f"{once} | {column}", columns[column][place]) for column in values)


def _leaves(value: object, path: str) -> Iterator[tuple[str, str]]:
    """Yield what a JSON file holds, each with the path that leads to it."""
    if isinstance(value, dict | list):
        pairs = value.items() if isinstance(value, dict) else enumerate(value)
        for key, inner in pairs:
            if key not in LEFT_OUT:
                yield from _leaves(inner, f"{path}.{key}".strip("."))
    elif not isinstance(value, str) or not VARIES.search(value):
        yield path, value if isinstance(value, str) else json.dumps(value)
