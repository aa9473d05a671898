"""Labels: of classes, in an order that is listed or follows from them, and of DataFrames.

Nothing is guessed. A DataFrame is put in gold's order by its labels, compared as text. Arrays and
lists have no labels: their order is that of gold.
"""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence, Set, Sized
from itertools import pairwise
from pathlib import Path
from types import EllipsisType
from typing import Any

import pandas as pd

from ordbook.data.problems import Problems, Wrong
from ordbook.data.text import read_text, split_rows
from ordbook.files import write_whole
from ordbook.measures.confusion import MOST_CLASSES, is_missing
from ordbook.measures.validation import refuse_masked
from ordbook.words import check_names, different_names, name_fault

FIVE_POINT_SCALE = ("-2", "-1", "0", "1", "2")
SIDECARS = ("classes.txt", "classes.csv")


def few_classes(number: int, where: object) -> None:
    """Refuse fewer than two classes, and more than any ordinal scale has."""
    if number < 2:
        raise ValueError(f"{where}: {number} class, and a task needs at least two; list them all")
    if number > MOST_CLASSES:
        raise ValueError(
            f"{where}: {number:,} classes, and at most {MOST_CLASSES:,} are possible; is this the "
            "column of the labels?"
        )


def listed_classes(
    folder: Path, classes: Sequence[str] | None, problems: Problems, notes: list[str]
) -> tuple[list[str] | None, list[Path]]:
    """Return the classes that were listed, if any, and the file that lists them.

    Where ``classes`` and such a file disagree, ``notes`` gets which of them was taken.
    """
    paths = [folder / name for name in SIDECARS if (folder / name).exists()]
    if classes is not None:
        labels = [str(label) for label in classes]
        if paths and Problems().attempt(paths[0], _listed, paths[0]) != labels:
            notes.append(
                f"{paths[0].name} was not read: --classes (in Python classes=) differs from it, "
                f"and says {' < '.join(labels)[:200]}."
            )
        check_names(labels, "class", "classes")
        few_classes(len(labels), "classes")
        return labels, []
    for path in paths[1:]:
        problems.add(path, found=f"a second list of classes beside {paths[0].name}", fix="keep one")
    return (problems.attempt(paths[0], _listed, paths[0]) if paths else None), paths[:1]


def list_classes(folder: str | Path, classes: Sequence[str]) -> Path | None:
    """Write the list of the classes into a folder that has none; return its path, or None."""
    place = Path(folder).expanduser()
    if not place.is_dir() or any((place / name).exists() for name in SIDECARS):
        return None
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows([label] for label in classes)
    write_whole(place / SIDECARS[0], text.getvalue())
    return place / SIDECARS[0]


def _listed(path: Path) -> list[str]:
    """Return the classes that a file lists."""
    rows, _ = split_rows(path, read_text(path))
    for line, row in enumerate(rows, 1):
        label = row[0] if row else ""
        fault = f"{len(row)} cells" if len(row) > 1 else name_fault(label)
        if line == 1 and label.lower() in ("class", "classes", "label", "labels"):
            fault = f"the heading {label!r}"
        if fault:
            fix = "write a label a line, lowest first, and nothing else; quote commas"
            raise Wrong(path, line=line, found=fault, fix=fix)
    labels = [row[0] for row in rows]
    check_names(labels, "class", str(path))
    few_classes(len(labels), path)
    return labels


def whole_numbers(labels: Sequence[str]) -> tuple[list[str], str]:
    """Return labels that are whole numbers in order, and any objection to it, or nothing.

    Examples
    --------
    >>> whole_numbers(["2", "0", "1"])
    (['0', '1', '2'], '')
    >>> whole_numbers(["1", "3"])
    ([], 'the classes 1 and 3 without those between them')
    """
    for label in labels:
        if not label.removeprefix("-").isdecimal() or len(label) > 18 or str(int(label)) != label:
            return [], f"the class {label!r}, which is no whole number"
    order = sorted(labels, key=int)
    for low, high in pairwise(order):
        if int(high) != int(low) + 1:
            return [], f"the classes {low} and {high} without those between them"
    return (order, "") if len(order) > 1 else ([], f"the class {order[0]} alone")


_PLACE = {"topic": "index", "item": "index", "class": "columns"}
_PLURAL = {"topic": "topics", "item": "items", "class": "classes"}
# Where the entries of an axis stand, as an index; the ellipsis leaves them as they are.
Order = EllipsisType | list[int]


def in_order(data: object, what: str) -> None:
    """Refuse data without an order, or that can be read only once; messages begin with `what`."""
    if isinstance(data, Mapping | Set) or not isinstance(data, Sized):
        kind = type(data).__name__
        raise ValueError(f"{what} is a {kind}; pass a list, or a Series with an index")
    refuse_masked(data, what)


def texts(names: Iterable[Any], what: str) -> list[str]:
    """Return names as text; refuse a missing one, in a message that begins with `what`."""
    listed = list(names)
    for place, name in enumerate(listed, 1):
        if type(name) not in (str, int) and is_missing(name):
            raise ValueError(f"{what} {place} is missing ({name}); name it")
    return [str(name) for name in listed]


def labels(data: object, axis: str = "index") -> list[str] | None:
    """Return the labels of the ``index`` or ``columns``, or None if there are none."""
    attribute = getattr(data, axis, None)
    if attribute is None or callable(attribute):  # the index of a list is a method
        return None
    return texts(attribute, f"the {axis}: label")


def categories(data: object) -> list[str] | None:
    """Return the ordered categories of a Series or an index, lowest first; None of others."""
    kind: Any = getattr(data, "dtype", None)
    return texts(kind.categories, "category") if getattr(kind, "ordered", False) else None


def names_of(
    what: str, gold: object, given: Sequence[Any] | None, length: int, where: str
) -> list[str]:
    """Return the topics or classes: those that are given, or else gold's labels, or 1, 2, ..."""
    known = labels(gold, _PLACE[what])
    if given is None:
        return [str(k + 1) for k in range(length)] if known is None else known
    in_order(given, f"{where}: {_PLURAL[what]}")
    names = texts(given, f"{where}: {what}")
    if known is None and len(names) != length:
        raise ValueError(
            f"{where}: {_PLURAL[what]}: {len(names)} names for {length} columns or rows"
        )
    return names


def order_of(
    what: str, data: object, names: Sequence[str], who: str, where: str, moved: Order = ...
) -> Order:
    """Return where the topics, classes or items ``names`` stand in a DataFrame or a Series.

    Messages call it ``who``. Data without labels have gold's order, unless gold has another by its
    own labels (``moved``).
    """
    noun, place = _PLURAL[what], _PLACE[what]
    known = labels(data, place)
    if known is None and moved is not ...:
        raise ValueError(
            f"{where}: {who} does not name its {noun}, and gold's were put in another order by "
            f"their names; pass a DataFrame with gold's {place}"
        )
    if known is None or known == list(names):
        return ...
    check_names(known, what, f"{where}: {who}")
    if sorted(known) != sorted(names):
        whose = f"{noun}=" if who == "gold" else "gold"
        hint = "; give each class a column, of zeros if need be" if what == "class" else ""
        raise ValueError(
            f"{where}: the {noun} of {who} are not those of {whose}: "
            f"{different_names(known, names)}; correct its {place}, or pass .to_numpy() if it has "
            f"that order{hint}"
        )
    return [int(k) for k in pd.Index(known).get_indexer(pd.Index(list(names)))]
