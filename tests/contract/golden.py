"""Frozen values, and how they compare with today's."""

import csv
import gzip
import io
import math
from pathlib import Path

Cells = dict[str, str]
# What stands for the value of a key that is not there.
GONE = "(gone)"


def read(folder: Path, area: str) -> Cells:
    """Read the frozen values of an area, with those that need raw files."""
    return _read(folder / f"{area}.csv.gz") | read_raw(folder, area)


def read_raw(folder: Path, area: str) -> Cells:
    """Read the frozen values that only raw files give."""
    return _read(folder / f"{area}-raw.csv.gz")


def _read(path: Path) -> Cells:
    if not path.exists():
        return {}
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        return {row["key"]: row["value"] for row in csv.DictReader(file)}


def write(folder: Path, name: str, cells: Cells) -> None:
    """Freeze the values of an area; those that need raw files under its name and ``-raw``."""
    text = io.StringIO(newline="")
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(["key", "value"])
    rows.writerows(cells.items())
    (folder / f"{name}.csv.gz").write_bytes(gzip.compress(text.getvalue().encode(), mtime=0))


def differences(old: Cells, new: Cells, tolerance: float) -> dict[str, tuple[str, str]]:
    """Return key -> (value before, value now) of all that differ, vanished or are new."""
    return {
        key: (old.get(key, GONE), new.get(key, GONE))
        for key in old | new
        if not same(old.get(key, GONE), new.get(key, GONE), tolerance)
    }


def same(old: str, new: str, tolerance: float) -> bool:
    """Whether two values are equal word by word, numbers up to a tolerance."""
    if old == new or not tolerance:
        return old == new
    pairs = list(zip(before := old.split(), after := new.split(), strict=False))
    return len(before) == len(after) and all(a == b or _near(a, b, tolerance) for a, b in pairs)


def _near(old: str, new: str, tolerance: float) -> bool:
    try:
        return math.isclose(float(old), float(new), rel_tol=tolerance, abs_tol=tolerance)
    except ValueError:
        return False
