"""The order of the classes of CSV files: listed, from a header, or from numbers; never guessed.

Contents
--------
listed_classes   ``classes=``, or the file beside gold.csv that lists them
header_classes   the columns of a quantification file
label_classes    the labels of a classification file
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from ordbook.data.classorder import how_it_falls, no_answers, why_not_chosen
from ordbook.data.csvfile import Table, header_fix, name_fault, read_rows
from ordbook.data.limits import COLUMNS, few_classes
from ordbook.data.names import other_forms
from ordbook.data.problems import Problems

SIDECARS = ("classes.txt", "classes.csv")
HOW = (
    "list the classes from lowest to highest, one a line, in classes.txt beside the gold file, "
    "or give --classes=LOWEST,...,HIGHEST (in Python classes=[...])"
)
_WRITTEN = (
    "write each label on a line of its own, lowest first, and a label that has commas in double "
    "quotes"
)
_LIST = "is this a list of the classes?"
# What the first column is called where it holds the topics and is not called topic.
_TOPICS = {"topic", "topics", "topic_id", "topicid", "id"}
_WHOLE = re.compile(r"0|-?[1-9][0-9]{0,17}")


def listed_classes(
    folder: Path, classes: Sequence[str] | None, problems: Problems, notes: list[str]
) -> tuple[list[str] | None, list[Path]]:
    """Return the classes that were listed, if any, and the file that lists them.

    Where ``classes`` and such a file disagree, ``notes`` gets which of them was taken.
    """
    paths = [folder / name for name in SIDECARS if (folder / name).exists()]
    if classes is not None:
        given = [str(label) for label in classes]
        for label in given:
            if fault := name_fault(label):
                problems.add("classes=", found=fault, expected="a label", fix="correct it")
        _refuse_repeated("classes=", given, None, problems)
        with problems.collect():
            few_classes(len(given), "classes=", fix=_LIST)
        if paths and listed_classes(folder, None, Problems(), [])[0] != given:
            notes.append(
                f"{paths[0].name} was not read: --classes (in Python classes=) differs from it, "
                f"and says {' < '.join(given)[:200]}."
            )
        return given, []
    if not paths:
        return None, []
    path = paths[0]
    if len(paths) > 1:
        problems.add(
            paths[1], found=f"{path.name} beside it", expected="one of them", fix="remove one"
        )
    rows = read_rows(path, problems, _WRITTEN)
    if rows is None:
        return None, []
    if len(rows) == 1 and len(rows[0]) == 1:  # one label is no list
        rows = [re.split("[;\t]", rows[0][0])]
    uneven = [line for line, row in enumerate(rows, 1) if len(row) != 1]
    for line in uneven:
        cells = len(rows[line - 1])
        problems.add(
            path,
            line,
            found=f"{cells} cells" if cells else "an empty line",
            expected="one label a line",
            fix=_WRITTEN if cells else "remove it",
        )
    if uneven:
        return None, []
    found = [row[0] for row in rows]
    lines = range(1, len(rows) + 1)
    if found[0].strip().lower() in ("class", "classes", "label", "labels"):
        problems.add(
            path, 1, found=f"the heading {found[0]!r}", expected="a label", fix="remove the line"
        )
    for label, line in zip(found, lines, strict=True):
        if fault := name_fault(label):
            problems.add(path, line, found=fault, expected="a label", fix="correct it")
    _refuse_repeated(path, found, lines, problems)
    with problems.collect():
        few_classes(len(found), path, fix=_LIST)
    return found, [path]


def header_classes(
    gold: Table, listed: Sequence[str] | None, problems: Problems, notes: list[str]
) -> tuple[list[str] | None, bool]:
    """Return the classes of a quantification file, and whether their order is known.

    What is wrong is added. Where it is the order alone, or the name of the first column, the
    classes are those of the header, so that the cells can be looked at; otherwise they are None.
    ``notes`` gets that numbers fall where they do.
    """
    before = len(problems)
    topic, *found = gold.head
    if topic != "topic" or len(found) < 2 or _labels(found):
        problems.add(
            gold.path,
            1,
            1 if topic != "topic" else None,
            found=f"the columns {','.join(gold.head)[:200]}",
            expected="'topic,item,label', or 'topic' and one column per class",
            fix=header_fix(gold.head, ["topic", "item", "label"] if len(found) == 2 else ["topic"])
            or "write such a header as the first line",
            first=True,
        )
        if topic.strip().casefold() not in _TOPICS or len(found) < 2 or _labels(found):
            return None, False
        before = len(problems)
    with problems.collect():
        few_classes(len(found), gold.path, 1, fix=COLUMNS)
    if len(problems) > before:
        return None, False
    seen: set[str] = set()
    for column, label in enumerate(found, 2):
        if fault := name_fault(label):
            problems.add(gold.path, 1, column, found=fault, expected="a class", fix="name it")
        elif label in seen:
            problems.add(
                gold.path,
                1,
                column,
                found=f"a second column {label!r}",
                expected="every class once",
                fix="rename or remove one",
            )
        seen.add(label)
    if len(problems) > before:
        return None, False
    if listed is not None:
        if sorted(listed) == sorted(found):
            return list(listed), True
        told = other_forms(set(found) - set(listed), set(listed) - set(found)).values()
        problems.add(
            gold.path,
            1,
            found=f"the classes {', '.join(found)}",
            expected=f"the listed ones: {', '.join(listed)}",
            fix="; ".join((*told, "correct the header or the list of classes")),
        )
        return found, False
    missing = no_answers(found)
    for column, label in enumerate(found, 2):
        if label in missing:
            problems.add(
                gold.path,
                1,
                column,
                found=f"the column {label!r}, a name of missing answers",
                expected="the columns of classes alone",
                fix=f"leave it out of all files; or, if it is a class, {HOW}",
            )
    if why := why_not_chosen(found):
        problems.add(
            gold.path,
            1,
            found=f"the classes {', '.join(found)}, {why}",
            expected="an order that was chosen, from lowest to highest",
            fix=HOW,
        )
    elif how := how_it_falls(found):
        other = ",".join(found[::-1]) if how == "fall" else "LOWEST,...,HIGHEST"
        notes.append(
            f"gold: the classes {how} in the header ({', '.join(found)}); the first is taken as "
            f"the lowest. Otherwise give --classes={other}."
        )
    return found, len(problems) == before


def _labels(columns: Sequence[str]) -> bool:
    """Whether columns are those of a classification file, or nearly."""
    return "label" in columns or [name.strip().casefold() for name in columns] == ["item", "label"]


def label_classes(
    gold: Table, listed: Sequence[str] | None, problems: Problems
) -> list[str] | None:
    """Return the classes of a classification file in order, or None after saying what is wrong."""
    if listed is not None:
        if len(listed) >= 2:
            return list(listed)
        problems.add(
            "classes", found=f"{len(listed)} class", expected="at least two", fix="list them all"
        )
        return None
    found = dict.fromkeys(row[2] for row in gold.rows)
    before = len(problems)
    with problems.collect():
        few_classes(len(found), gold.path)
    if len(problems) > before:
        return None
    for index, row in enumerate(gold.rows):
        if not _WHOLE.fullmatch(row[2]):
            problems.add(
                gold.path,
                gold.lines[index],
                3,
                found=f"the label {row[2]!r}" if row[2].strip() else "an empty label",
                expected="whole numbers, as no order of the classes is given",
                fix=HOW,
            )
            return None
    order = sorted(found, key=int)
    if not order:
        return None
    gaps = [(low, high) for low, high in pairwise(order) if int(high) != int(low) + 1]
    if gaps or len(order) < 2:
        problems.add(
            gold.path,
            found=f"the labels {', '.join(order)}",
            expected=f"those between {' and '.join(gaps[0])} too, unless they are no classes"
            if gaps
            else "at least two",
            fix=HOW,
        )
        return None
    return order


def _refuse_repeated(
    file: str | Path, found: Sequence[str], lines: Sequence[int] | None, problems: Problems
) -> None:
    seen: set[str] = set()
    for index, label in enumerate(found):
        if label in seen:
            problems.add(
                file,
                lines[index] if lines else None,
                found=f"{label!r} a second time",
                expected="every label once",
                fix="remove one",
            )
        seen.add(label)
