"""Labels: of classes, in an order that is listed or follows from them, and of DataFrames.

The order of classes is never guessed. By the labels of a DataFrame, its contents are put in gold's
order. Labels are compared as text. A default index (0, 1, 2, ...) only numbers, and the user may
name what it numbers. Arrays and lists have no labels: their order is that of gold.
"""

import csv
import io
import unicodedata
from collections.abc import Iterable, Mapping, Sequence, Set, Sized
from dataclasses import dataclass
from math import isfinite
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
# What programs write for an answer that is missing.
_NO_ANSWERS = {"na", "n/a", "<na>", "nan", "null", "(blank)", "missing", "no answer"}


def few_classes(number: int, where: object) -> None:
    """Refuse fewer than two classes, and more than any ordinal scale has.

    Examples
    --------
    >>> few_classes(9_000, "my task")
    Traceback (most recent call last):
        ...
    ValueError: my task: 9,000 classes, and at most 1,000 are possible; is this the column of the \
labels?
    """
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
        if paths and _listed(paths[0], Problems()) != labels:
            notes.append(
                f"{paths[0].name} was not read: --classes (in Python classes=) differs from it, "
                f"and says {' < '.join(labels)[:200]}."
            )
        check_names(labels, "class", "classes")
        few_classes(len(labels), "classes")
        return labels, []
    for path in paths[1:]:
        problems.add(path, found=f"a second list of classes beside {paths[0].name}", fix="keep one")
    return (_listed(paths[0], problems), paths[:1]) if paths else (None, [])


def list_classes(folder: str | Path, classes: Sequence[str]) -> Path | None:
    """Write the list of the classes into a folder that has none; return its path, or None."""
    place = Path(folder).expanduser()
    if not place.is_dir() or any((place / name).exists() for name in SIDECARS):
        return None
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows([label] for label in classes)
    write_whole(place / SIDECARS[0], text.getvalue())
    return place / SIDECARS[0]


def _listed(path: Path, problems: Problems) -> list[str] | None:
    """Return the classes that a file lists, or None after reporting its faults."""
    with problems.collect(path):
        rows = split_rows(path, read_text(path))
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
    return None


def no_answers(classes: Sequence[str]) -> list[str]:
    """Return the classes that have a name of missing answers.

    Examples
    --------
    >>> no_answers(["low", "high", "NA"])
    ['NA']
    """
    return [name for name in classes if name.strip().casefold() in _NO_ANSWERS]


def why_not_chosen(classes: Sequence[str]) -> str:
    """Say why nobody may have chosen this order, or nothing.

    Programs that write columns by name put them in the order of the alphabet: of characters, or
    without capitals, accents and punctuation.

    Examples
    --------
    >>> why_not_chosen(["élevé", "faible", "moyen"])
    'in the order of the alphabet'
    >>> why_not_chosen(["1", "10", "2", "<NA>"])
    'whose numbers neither rise nor fall'
    >>> why_not_chosen(["low", "mid", "high"])
    ''
    """
    missing = no_answers(classes)
    answers = [name for name in classes if name not in missing]
    numbers = _numbers(answers)
    if numbers not in (sorted(numbers), sorted(numbers, reverse=True)):
        return "whose numbers neither rise nor fall"
    words = len(numbers) < len(answers)
    return "in the order of the alphabet" if words and _rise(answers) else ""


def _numbers(names: Sequence[str]) -> list[float]:
    """Return those of the names that are numbers."""
    values = []
    for name in names:
        try:
            values.append(float(name))
        except ValueError:
            continue
    return [number for number in values if isfinite(number)]


def _rise(names: Sequence[str]) -> bool:
    """Whether names follow an alphabet; two do in one direction, whatever they are."""
    forms = ([form(name) for name in names] for form in (str, str.casefold, _bare))
    return len(names) > 2 and any(len(set(x)) > 1 and x == sorted(x) for x in forms)


def _bare(name: str) -> str:
    """Return the letters and digits of a name, without capitals and accents."""
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKD", name.casefold())))


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


@dataclass(frozen=True)
class Axis:
    """The topics, classes or items of a task, in its order."""

    what: str  # topic, class or item
    names: tuple[str, ...]
    labels: tuple[str, ...]  # what gold calls them; numbers from 0 where it only numbers them
    order: Order = ...  # where in gold each of them stands

    def order_in(self, data: object, who: str, where: str) -> Order:
        """Return the places of the names in another sequence, which messages call `who`.

        Refuse labels that are not those of gold, or could be read in two ways; and none at all,
        where gold was put in another order by its own.
        """
        noun, place = _PLURAL[self.what], _PLACE[self.what]
        known = labels(data, place)
        if known is None and self.order is not ...:
            raise ValueError(
                f"{where}: {who} does not name its {noun}, and gold's were put in another order "
                f"by their names; pass a DataFrame with gold's {place}"
            )
        if known is None or tuple(known) == self.names:
            return ...
        if known == _default_index(len(known)) and self.labels == tuple(
            _default_index(len(self.labels))
        ):
            if set(known) == set(self.names):
                raise ValueError(
                    f"{where}: the {place} of {who} could be {noun} or their places in gold; "
                    f"name the {noun} in the {place}, or pass .to_numpy()"
                )
            return ...
        for wanted in (self.names, self.labels):
            if len(known) == len(wanted) and set(known) == set(wanted):
                return _places(wanted, known, self.what, f"{where}: {who}")
        raise ValueError(
            f"{where}: the {noun} of {who} are not those of gold: "
            f"{different_names(known, self.names)}; give it gold's {place}, or pass .to_numpy() "
            "if it has gold's order"
        )


def name_axis(
    what: str, gold: object, given: Sequence[Any] | None, length: int, where: str
) -> Axis:
    """Return the topics or classes of a task, from the labels of gold and the user's own.

    ``given`` names in order what gold only numbers; of what gold names it says the order. A Series
    with gold's index holds new names for it. Messages begin with ``where``.

    Raises
    ------
    ValueError
        If names and labels disagree, or could be read in two ways.
    """
    known = labels(gold, _PLACE[what])
    numbers = _default_index(length)
    if given is None:
        names = [str(k + 1) for k in range(length)] if known is None else known
        return Axis(what, tuple(names), tuple(known or numbers))
    in_order(given, f"{where}: {_PLURAL[what]}")
    names = texts(given, f"{where}: {what}")
    by = labels(given)
    if by is not None and known is not None and set(by) == set(known) and len(by) == len(known):
        names = [names[k] for k in _places(known, by, what, where)]
        return Axis(what, tuple(names), tuple(known))
    if known is None or known == numbers:
        if len(names) != length:
            raise ValueError(
                f"{where}: {_PLURAL[what]}: {len(names)} names for {length} columns or rows"
            )
        axis = Axis(what, tuple(names), tuple(numbers))
        axis.order_in(gold, "gold", where)  # which may be numbered in another order
        return axis
    check_names(known, what, f"{where}: gold")
    if set(names) != set(known) or len(names) != len(known):
        hint = "; give each class a column, of zeros if need be" if what == "class" else ""
        raise ValueError(
            f"{where}: gold's {_PLACE[what]} and {_PLURAL[what]}= disagree: in gold's, "
            f"{different_names(known, names)}; correct one of them{hint}"
        )
    if names == known:
        return Axis(what, tuple(names), tuple(names))
    return Axis(what, tuple(names), tuple(names), _places(names, known, what, where))


def _default_index(length: int) -> list[str]:
    return [str(k) for k in range(length)]


def _places(names: Sequence[str], labels: Sequence[str], what: str, where: str) -> list[int]:
    """Return the places of names among labels, each of which occurs once."""
    check_names(labels, what, where)
    return [int(place) for place in pd.Index(labels).get_indexer(pd.Index(names))]
