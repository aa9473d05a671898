"""Tables of gold data and runs -> tasks; everything that is wrong is collected.

Contents
--------
quantification    topic and one number per class -> QuantificationTask
classification    topic, item and label -> ClassificationTask
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from ordbook.data.csvfile import Table
from ordbook.data.problems import Problems
from ordbook.data.tablecells import Key, distributions, keys, labels
from ordbook.data.tasks import ClassificationTask, QuantificationTask

LABELS = ["topic", "item", "label"]
Runs = Iterable[tuple[str, Table | None]]


def quantification(
    name: str,
    gold: Table,
    runs: Runs,
    classes: Sequence[str],
    notes: list[str],
    problems: Problems,
    *,
    votes: bool = True,
) -> QuantificationTask | None:
    """Build a task from tables of topics and numbers.

    Parameters
    ----------
    name
        Name of the task.
    gold, runs
        The gold file, and each run with its file; None for one that could not be read.
    classes
        Columns of the gold file, from the lowest class to the highest.
    notes, problems
        Get what had to be accepted, and what is wrong. With a problem there is no task.
    votes
        Whether numbers that are all whole are counts of votes.
    """
    expected = distributions(gold, classes, problems, votes=votes)
    notes += [f"gold: {note}" for note in expected.notes]
    topics = keys(gold, 1, None, problems)
    estimates, tolerances = {}, {}
    for run, table in runs:
        if table is None or not _same_columns(table, gold, problems):
            continue
        found = distributions(table, classes, problems, votes=votes)
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
    task = QuantificationTask.from_arrays(
        expected.shares,
        estimates,
        classes=classes,
        topics=[topic for (topic,) in topics],
        name=name,
        tolerances=tolerances,
        gold_tolerance=expected.tolerance,
    )
    return replace(task, votes=expected.votes)


def classification(
    name: str,
    gold: Table,
    runs: Runs,
    classes: Sequence[str] | None,
    notes: list[str],
    problems: Problems,
) -> ClassificationTask | None:
    """Build a task from tables of topics, items and labels; parameters as above.

    Where ``classes`` is None, as after a fault in the gold file, labels are not looked at.
    """
    items = keys(gold, 2, None, problems)
    if classes is not None:
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
            expected=f"those of {gold.path.name}: {','.join(gold.head)[:200]}",
            fix="give the run the same header",
        )
    return same


def _note_order(
    run: str, order: Iterable[Key], golds: Iterable[Key], what: str, notes: list[str]
) -> None:
    if list(order) != list(golds):
        notes.append(f"{run} lists the {what} in another order than the gold file.")
