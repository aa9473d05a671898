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
and columns in another order than the gold file, which is noted. A column of totals or of numbers
of rows, and a row of sums or means, is refused in the gold file, unless the classes are listed or
the row has the name of a topic; a column of counts that may be no class otherwise, such as a year,
is noted. What stands beside ``gold.csv`` and ``runs`` and is not read is noted, and so are files
without a line end that others have: they may have been cut.

Contents
--------
has_tables      whether a gold file is in this format, as far as its first line tells
read_tables     a folder -> a task
check_tables    a folder -> a task, or all that is wrong
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ordbook.data.catalog import sha256
from ordbook.data.csvfile import read_table
from ordbook.data.filenames import GOLD, first_line, has_header
from ordbook.data.problems import Problems
from ordbook.data.runfiles import csv_files, unended, unread
from ordbook.data.tableclasses import SIDECARS, header_classes, label_classes, listed_classes
from ordbook.data.tabletasks import LABELS, classification, quantification
from ordbook.data.tasks import ClassificationTask, Provenance, QuantificationTask, Source

Task = QuantificationTask | ClassificationTask


def has_tables(gold: Path) -> bool:
    """Whether ``gold`` is named gold.csv and its first line is no line of SemEval's formats."""
    if gold.name != GOLD:
        return False
    first = first_line(gold)
    return "\t" not in first or has_header(first)


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
    problems.raise_first(folder)
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
    paths = csv_files(folder, problems, notes)
    listed, sidecar = listed_classes(folder, classes, problems, notes)
    gold = read_table(folder / GOLD, problems)
    # One at a time: the cells of many runs are not held together.
    runs = ((run, read_table(path, problems)) for run, path in paths.items())
    task: Task | None = None
    if gold is not None and gold.head == LABELS:
        order = label_classes(gold, listed, problems)
        if order is not None and listed is None:
            notes.append(f"gold: the classes {', '.join(order)} are the labels that occur in it.")
        task = classification(folder.name, gold, runs, order, notes, problems)
    elif gold is not None:
        columns, ordered = header_classes(gold, listed, problems, notes)
        if columns is not None:
            gold = replace(gold, head=["topic", *gold.head[1:]])  # another name has been told
            task = quantification(
                folder.name,
                gold,
                runs,
                columns,
                notes,
                problems,
                ordered=ordered,
                named=listed is not None,
            )
    for _ in runs:
        pass  # where gold is wrong, the form of the runs is checked nevertheless
    notes += unended({GOLD: folder / GOLD} | {f"runs/{p.name}": p for p in paths.values()})
    notes += unread(folder, [GOLD, *SIDECARS])
    if problems.readable is not None:
        provenance = Provenance(source, {}, tuple(notes))
        problems.readable = replace(problems.readable, provenance=provenance)
    if problems:
        return None, problems
    assert task is not None
    files = {
        path.relative_to(folder).as_posix(): sha256(path)
        for path in [folder / GOLD, *sidecar, *paths.values()]
    }
    return replace(task, provenance=Provenance(source, files, tuple(notes))), problems
