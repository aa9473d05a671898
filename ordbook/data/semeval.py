"""Reader for the files of SemEval Task 4: subtasks C (classification) and E (quantification).

Both formats are UTF-8 text, one record a line, columns separated by tabs, without a header:

====  ==========================================================================
C     item id, topic, label
E     topic, then one probability per class, from the lowest class to the highest
====  ==========================================================================

What the reader accepts beyond that, and why: a byte order mark and Windows line ends (editors add
them); one empty column at the end of every line (a real run prints a trailing tab); records in
another order than the gold file's; and, in E, sums that miss 1 by as much as rounding to the
printed decimals can explain, from two decimals on. Of these another order and such sums are noted
in the task's provenance. Everything else is refused with file, line, what was found and what to do.

Contents
--------
read_semeval    gold and run files -> a task
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

from ordbook.data.csvfile import Table, even, read_text
from ordbook.data.limits import BLOCK, COLUMNS, Rows, few_classes, lines_of
from ordbook.data.names import counted
from ordbook.data.problems import Problems
from ordbook.data.tabletasks import LABELS, classification, quantification
from ordbook.data.tasks import ClassificationTask, Provenance, QuantificationTask

FIVE_POINT_SCALE = ("-2", "-1", "0", "1", "2")
_TABS = "a text file, its columns separated by tabs"
_ASSUMED = (
    "no list of the classes: they are taken to be {}, from lowest to highest; if they are others, "
    "list them in classes.txt beside the gold file, or give --classes."
)
_LABEL_ORDER = (2, 1, 3)  # the columns of subtask C that hold topic, item and label


def read_semeval(
    name: str,
    gold: Path,
    runs: Mapping[str, Path],
    *,
    classes: Sequence[str] | None = None,
    provenance: Provenance,
    problems: Problems,
) -> QuantificationTask | ClassificationTask | None:
    """Read a task in the format of subtask C or E: the gold file's first line tells which.

    Parameters
    ----------
    name
        Name of the task.
    gold, runs
        The gold file, and run name -> file.
    classes
        Labels from lowest to highest; for E one per column. By default -2 to 2, and for E with
        another number of columns 1, 2, ...
    provenance
        Source and checksums; the reader adds its notes.
    problems
        Gets what is wrong: a file is not in the format, or a run does not have exactly the gold
        file's topics and items. The task is then None.
    """
    notes: list[str] = []
    rows = _rows(gold, problems)
    task: QuantificationTask | ClassificationTask | None = None
    assumed: tuple[str, ...] = ()
    width = len(rows[0]) if rows else 0
    if rows and width < 3:
        problems.add(
            gold,
            1,
            found=counted(width, "column"),
            expected="3 (item, topic, label), or at least 4 (topic, a probability per class)",
            fix="separate the columns by tabs",
        )
    elif rows and width == 3:
        tables = (
            (run, _labels(path, _rows(path, problems), problems)) for run, path in runs.items()
        )
        order = classes or FIVE_POINT_SCALE
        items = _labels(gold, rows, problems)
        assert items is not None
        assumed = FIVE_POINT_SCALE
        task = classification(name, items, tables, order, notes, problems)
    elif rows:
        before = len(problems)
        with problems.collect():
            few_classes(width - 1, gold, 1, fix=COLUMNS)
        if len(problems) > before:
            return None
        head = _head(gold, width - 1, classes, problems)
        tables = (
            (run, _shares(path, _rows(path, problems), head, problems))
            for run, path in runs.items()
        )
        topics = _shares(gold, rows, head, problems)
        assert topics is not None
        assumed = tuple(head[1:])
        task = quantification(
            name,
            topics,
            tables,
            head[1:],
            notes,
            problems,
            votes=False,
            named=classes is not None,
        )
    else:
        for path in runs.values():
            _rows(path, problems)
    if classes is None and assumed:
        notes.append(_ASSUMED.format(", ".join(assumed)))
    if problems.readable is not None:
        problems.readable = replace(
            problems.readable, provenance=replace(provenance, notes=(*provenance.notes, *notes))
        )
    if task is None or problems:
        return None
    return replace(task, provenance=replace(provenance, notes=(*provenance.notes, *notes)))


def _rows(path: Path, problems: Problems) -> list[list[str]] | None:
    """Return the columns of each line, without an empty one at the end."""
    text = read_text(path, _TABS, problems)
    if text is None:
        return None
    store = Rows(path)
    lines = lines_of(path, text.rstrip("\r\n"), "\t", ends=("\n",))
    before = len(problems)
    with problems.collect():
        while block := list(islice(lines, BLOCK)):
            store.add([line.rstrip("\n").removesuffix("\r").split("\t") for line in block])
    if len(problems) > before:
        return None
    rows = store.rows
    if all(len(row) == 1 for row in rows):
        problems.add(
            path, 1, found=f"no tab: {rows[0][0][:60]!r}", expected=_TABS, fix="save it so"
        )
        return None
    return [row[:-1] if row[-1] == "" and len(row) > 2 else row for row in rows]


def _labels(path: Path, rows: list[list[str]] | None, problems: Problems) -> Table | None:
    if rows is None:
        return None
    moved = [[row[1], row[0], *row[2:]] if len(row) > 1 else row for row in rows]
    return replace(even(path, LABELS, moved, problems, 1, "tab"), order=_LABEL_ORDER)


def _shares(
    path: Path, rows: list[list[str]] | None, head: list[str], problems: Problems
) -> Table | None:
    return None if rows is None else even(path, head, rows, problems, 1, "tab")


def _head(gold: Path, width: int, classes: Sequence[str] | None, problems: Problems) -> list[str]:
    if classes is not None and len(classes) != width:
        problems.add(
            gold,
            1,
            found=f"{width} probabilities a line",
            expected=f"one for each of {', '.join(classes)}",
            fix="give one label per column",
        )
        classes = None
    by_default = FIVE_POINT_SCALE if width == 5 else [str(i + 1) for i in range(width)]
    return ["topic", *(classes or by_default)]
