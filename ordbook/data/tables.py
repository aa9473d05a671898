"""Reader for plain CSV files with a header: a folder with ``gold.csv`` and ``runs/*.csv``.

=================  ============================================================================
quantification     ``topic,<class>,<class>,...``: probabilities or counts of votes in every row
classification     ``topic,item,label``
=================  ============================================================================

The order of the classes is, first found first taken: ``classes=``; ``classes.txt`` or
``classes.csv`` beside ``gold.csv``, one label a line, lowest first; the order of the header; for
classification the order of the labels as numbers, if all are whole numbers without a gap. It is
never guessed otherwise.

A file whose numbers are all whole holds counts, and each row is divided by its sum. Elsewhere
each row must sum to 1, as exactly as the printed decimals can tell. Runs may list topics, items
and columns in another order than the gold file, which is noted.

Contents
--------
has_tables      whether a gold file is in this format, as far as its first line tells
read_tables     a folder -> a task
check_tables    a folder -> a task, or all that is wrong
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from ordbook.data.catalog import sha256
from ordbook.data.csvfile import Table, name_fault, read_table
from ordbook.data.problems import Problems
from ordbook.data.tablecells import Key, distributions, keys, labels
from ordbook.data.tableclasses import header_classes, label_classes, listed_classes
from ordbook.data.tasks import ClassificationTask, Provenance, QuantificationTask, Source

GOLD = "gold.csv"
LABELS = ["topic", "item", "label"]
Task = QuantificationTask | ClassificationTask


def has_tables(gold: Path) -> bool:
    """Whether ``gold`` is named gold.csv and its first line is no line of SemEval's formats."""
    if gold.name != GOLD:
        return False
    try:
        with gold.open("rb") as file:
            first = file.readline(100_000).decode("utf-8-sig", errors="replace")
    except OSError:
        return True  # read_tables says what is wrong
    return "\t" not in first or first.partition("\t")[0].strip() == "topic"


def read_tables(
    folder: Path, *, classes: Sequence[str] | None = None, source: Source = "yours"
) -> Task:
    """Read a task from a folder.

    Parameters
    ----------
    folder
        Holds ``gold.csv``, ``runs/*.csv`` and, if need be, ``classes.txt``.
    classes
        Labels from lowest to highest.
    source
        What the provenance says.

    Raises
    ------
    ValueError
        If anything is wrong: the first problem, and how many more there are.
    """
    task, problems = check_tables(folder, classes=classes, source=source)
    problems.raise_first()
    assert task is not None
    return task


def check_tables(
    folder: Path, *, classes: Sequence[str] | None = None, source: Source = "yours"
) -> tuple[Task | None, Problems]:
    """Read a task from a folder and return it with no problem, or None with all that is wrong.

    Parameters are those of :func:`read_tables`.
    """
    problems = Problems()
    notes: list[str] = []
    paths = _run_files(folder, problems, notes)
    listed, sidecar = listed_classes(folder, classes, problems)
    gold = read_table(folder / GOLD, problems)
    # One at a time: the cells of many runs are not held together.
    runs = ((run, read_table(path, problems)) for run, path in paths.items())
    task: Task | None = None
    if gold is not None:
        build = _classification if gold.head == LABELS else _quantification
        task = build(folder.name, gold, runs, listed, notes, problems)
    for _ in runs:
        pass  # where gold is wrong, the form of the runs is checked nevertheless
    if problems:
        return None, problems
    assert task is not None
    files = {
        path.relative_to(folder).as_posix(): sha256(path)
        for path in [folder / GOLD, *sidecar, *paths.values()]
    }
    return replace(task, provenance=Provenance(source, files, tuple(notes))), problems


def _quantification(
    name: str,
    gold: Table,
    runs: Iterable[tuple[str, Table | None]],
    listed: Sequence[str] | None,
    notes: list[str],
    problems: Problems,
) -> QuantificationTask | None:
    classes = header_classes(gold, listed, problems)
    if classes is None:
        return None
    expected = distributions(gold, classes, problems)
    topics = keys(gold, 1, None, problems)
    estimates, tolerances = {}, {}
    for run, table in runs:
        if table is None or not _same_columns(table, gold, problems):
            continue
        found = distributions(table, classes, problems)
        order = keys(table, 1, topics, problems)
        _note_order(run, order, topics, "topics", notes)
        if table.head != gold.head:
            notes.append(f"{run} lists the classes in another order than the gold file.")
        if not problems:
            estimates[run] = found.shares[[order[topic] for topic in topics]]
            tolerances[run] = found.tolerance
            notes += [f"{run}: {note}" for note in found.notes]
    if problems:
        return None
    notes += [f"gold: {note}" for note in expected.notes]
    return QuantificationTask.from_arrays(
        expected.shares,
        estimates,
        classes=classes,
        topics=[topic for (topic,) in topics],
        name=name,
        tolerances=tolerances,
        gold_tolerance=expected.tolerance,
    )


def _classification(
    name: str,
    gold: Table,
    runs: Iterable[tuple[str, Table | None]],
    listed: Sequence[str] | None,
    notes: list[str],
    problems: Problems,
) -> ClassificationTask | None:
    classes = label_classes(gold, listed, problems)
    items = keys(gold, 2, None, problems)
    if classes is not None and listed is None:
        notes.append(f"gold: the classes {', '.join(classes)} are the labels that occur in it.")
    elif classes is not None:
        labels(gold, classes, problems)
    predicted = {}
    for run, table in runs:
        if table is None or not _same_columns(table, gold, problems):
            continue
        order = keys(table, 2, items, problems)
        _note_order(run, order, items, "items", notes)
        if classes is not None:
            labels(table, classes, problems)
        if not problems:
            predicted[run] = [table.rows[order[item]][2] for item in items]
    if problems or classes is None:
        return None
    return ClassificationTask.from_labels(
        [row[2] for row in gold.rows],
        predicted,
        [topic for topic, _ in items],
        classes,
        name=name,
    )


def _run_files(folder: Path, problems: Problems, notes: list[str]) -> dict[str, Path]:
    """Return run -> file; files whose names start with a dot are noted."""
    runs = folder / "runs"
    if not runs.is_dir():
        problems.add(
            runs, found="no such folder", expected="one with a CSV file per run", fix="add it"
        )
        return {}
    paths: dict[str, Path] = {}
    for path in sorted(runs.iterdir()):
        if path.name.startswith("."):
            notes.append(f"runs/{path.name} was not read: its name starts with a dot.")
        elif path.suffix != ".csv" or not path.is_file():
            problems.add(
                path,
                found="what is not a file *.csv",
                expected="only the CSV file of each run in this folder",
                fix="save it as CSV, or move it elsewhere",
            )
        elif fault := name_fault(path.stem):
            problems.add(path, found=fault, expected="the name of a run", fix="rename the file")
        else:
            paths[path.stem] = path
    return paths


def _same_columns(table: Table, gold: Table, problems: Problems) -> bool:
    """Whether a run has the columns of the gold file, those of classes in any order."""
    fixed = len(LABELS) if gold.head == LABELS else 1
    same = table.head[:fixed] == gold.head[:fixed] and sorted(table.head) == sorted(gold.head)
    if not same:
        wrong = (
            column
            for column, name in enumerate(table.head, 1)
            if name not in gold.head or table.head.index(name) < column - 1
        )
        problems.add(
            table.path,
            1,
            next(wrong, None),
            found=f"the columns {','.join(table.head)[:200]}",
            expected=f"those of {GOLD}: {','.join(gold.head)[:200]}",
            fix="give the run the same header",
        )
    return same


def _note_order(
    run: str, order: Iterable[Key], golds: Iterable[Key], what: str, notes: list[str]
) -> None:
    if list(order) != list(golds):
        notes.append(f"{run} lists the {what} in another order than the gold file.")
