"""Tables of gold data and runs -> tasks; everything that is wrong is collected.

Contents
--------
quantification    topic and one number per class -> QuantificationTask
classification    topic, item and label -> ClassificationTask
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from ordbook.data.csvfile import Table, header_fix
from ordbook.data.names import other_forms
from ordbook.data.problems import Problems
from ordbook.data.tablecells import Key, distributions, keys, labels
from ordbook.data.tablemargins import find_margins
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
    ordered: bool = True,
    named: bool = False,
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
    ordered
        Whether the order of the classes is known. Otherwise, which is a problem already, the
        files are checked and there is no task.
    named
        Whether the classes were listed, so that no column is taken for a sum or a count of rows.
    """
    margins = find_margins(gold, problems, notes, named=named)
    gold = margins.without(gold)
    classes = [label for label in classes if label not in margins.columns]
    expected = distributions(gold, classes, problems, votes=votes)
    notes += [f"gold: {note}" for note in expected.notes]
    topics = keys(gold, 1, None, problems)
    rows = _readable(gold, problems)
    estimates, tolerances = {}, {}
    for run, read in runs:
        table = read and margins.without(read)
        if table is None or not _same_columns(table, gold, problems):
            continue
        before = len(problems)
        found = distributions(table, classes, problems, votes=votes)
        order = keys(table, 1, topics, problems, gold.refused)
        _note_order(run, order, topics, "topics", notes)
        if table.head != gold.head:
            notes.append(f"{run} lists the classes in another order than the gold file.")
        if len(problems) == before and not table.refused:
            wanted = topics if len(rows) == len(gold.rows) else [(gold.rows[i][0],) for i in rows]
            estimates[run] = found.shares[[order[topic] for topic in wanted]]
            tolerances[run] = found.tolerance
            notes += [f"{run}: {note}" for note in found.notes]
    if not rows or not ordered:
        return None
    return problems.keep(
        lambda: replace(
            QuantificationTask.from_arrays(
                expected.shares[rows],
                estimates,
                classes=classes,
                topics=[gold.rows[row][0] for row in rows],
                name=name,
                tolerances=tolerances,
                gold_tolerance=expected.tolerance,
            ),
            votes=tuple(expected.votes[row] for row in rows) if expected.votes else (),
        )
    )


def classification(
    name: str,
    gold: Table,
    runs: Runs,
    classes: Sequence[str] | None,
    notes: list[str],
    problems: Problems,
) -> ClassificationTask | None:
    """Build a task from tables of topics, items and labels; parameters as above.

    Where ``classes`` is None, as after a fault in the gold file, labels are not compared with
    any, but must be such as could be classes.
    """
    items = keys(gold, 2, None, problems)
    labels(gold, classes, problems)
    rows = _readable(gold, problems)
    predicted = {}
    for run, table in runs:
        if table is None or not _same_columns(table, gold, problems):
            continue
        before = len(problems)
        order = keys(table, 2, items, problems, gold.refused)
        _note_order(run, order, items, "items", notes)
        labels(table, classes, problems)
        if len(problems) == before and not table.refused and classes is not None:
            wanted = [tuple(gold.rows[row][:2]) for row in rows]
            predicted[run] = [table.rows[order[item]][2] for item in wanted]
    if not rows or classes is None:
        return None
    return problems.keep(
        lambda: ClassificationTask.from_labels(
            [gold.rows[row][2] for row in rows],
            predicted,
            [gold.rows[row][0] for row in rows],
            classes,
            name=name,
        )
    )


def _readable(gold: Table, problems: Problems) -> list[int]:
    """Return the rows of the gold file in which nothing is wrong."""
    wrong = problems.faulty(gold.path)
    return [row for row, line in enumerate(gold.lines) if line not in wrong]


def _same_columns(table: Table, gold: Table, problems: Problems) -> bool:
    """Whether a run has the columns of the gold file, those of classes in any order."""
    fixed = len(LABELS) if gold.head == LABELS else 1
    same = table.head[:fixed] == gold.head[:fixed] and sorted(table.head) == sorted(gold.head)
    if not same:
        known, first = set(gold.head), dict[str, int]()
        for column, name in enumerate(table.head, 1):
            first.setdefault(name, column)
        wrong = (
            column
            for column, name in enumerate(table.head, 1)
            if name not in known or first[name] < column
        )
        told = other_forms(set(table.head) - known, known - set(table.head)).values()
        same_header = "; ".join((*told, "give the run the same header"))
        problems.add(
            table.path,
            1,
            next(wrong, None),
            found=f"the columns {','.join(table.head)[:200]}",
            expected=f"those of {gold.path.name}: {','.join(gold.head)[:200]}",
            fix=header_fix(table.head, gold.head) or same_header,
            first=True,
        )
    return same


def _note_order(
    run: str, order: Collection[Key], golds: Collection[Key], what: str, notes: list[str]
) -> None:
    """Note that those which both have stand in another order."""
    if [key for key in order if key in golds] != [key for key in golds if key in order]:
        notes.append(f"{run} lists the {what} in another order than the gold file.")
