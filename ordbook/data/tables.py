"""Reader for tables of gold data and runs: CSV with a header, and SemEval Task 4's files.

================  =========================================================================
quantification    CSV ``topic,<class>,<class>,...``: probabilities or counts of votes; or
                  SemEval's subtask E: tabs, no header, probabilities alone
classification    CSV ``topic,item,label`` in any order, or ``item,label`` of one topic; or
                  SemEval's subtask C: tabs, no header: item, topic, label
================  =========================================================================

The order of the classes is, first found first taken: ``classes=``; ``classes.txt`` or
``classes.csv`` beside the gold file; the order of the header; the labels as numbers, if all are
whole numbers without a gap; -2 to 2 in SemEval's files. It is never guessed otherwise.

A CSV file whose numbers are all whole holds counts, and each row is divided by its sum. Elsewhere
each row must sum to 1, as exactly as the printed decimals can tell. Runs may list topics, items
and columns in another order than the gold file, which is noted. Totals are refused.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ordbook.data.classes import (
    FIVE_POINT_SCALE,
    HOW,
    different_names,
    few_classes,
    how_it_falls,
    no_answers,
    whole_numbers,
    why_not_chosen,
)
from ordbook.data.gaps import Gaps, most_common
from ordbook.data.jsonfile import ADDITIONS, SUM_TOLERANCE
from ordbook.data.names import alike, check_names, meant, name_fault, some, told_apart
from ordbook.data.problems import Problems, Wrong
from ordbook.data.tasks import ClassificationTask, Provenance, QuantificationTask
from ordbook.data.text import (
    CONVERT,
    Table,
    even,
    first_line,
    header_problem,
    numbers,
    read_table,
    read_text,
    split_rows,
)
from ordbook.data.totals import find_totals, is_called_total, no_class

Task = QuantificationTask | ClassificationTask
LABELS = ("topic", "item", "label")
ONE_TOPIC = "all"  # the topic of labels that name none
MOST_TOLERANCE = 0.5
_WANTED = "'topic' and a column for each class, or 'topic,item,label'"
_DECIMALS = re.compile(r"\s*[+-]?[0-9]*\.?([0-9]*)(?:[eE]([+-]?[0-9]+))?\s*")
_ASSUMED = (
    "no list of the classes: they are taken to be {}, from lowest to highest; if they are others, "
    "list them in classes.txt beside the gold file, or give --classes."
)


def read_tables(
    name: str,
    gold: Path,
    runs: Mapping[str, Path],
    *,
    classes: Sequence[str] | None = None,
    provenance: Provenance,
    problems: Problems,
    gaps: Gaps | None = None,
) -> Task | None:
    """Read a task from a gold file and the files of runs, one at a time.

    Parameters
    ----------
    name
        Name of the task.
    gold, runs
        The gold file, whose first line tells the format, and run name -> file.
    classes
        Labels from lowest to highest.
    provenance
        Source and checksums; the reader adds its notes.
    problems
        Gets what is wrong.
    gaps
        What is done about topics and items that a run lacks.

    Returns
    -------
    task or None
        The task of all runs in which nothing is wrong; None where something is with the gold file.
    """
    notes: list[str] = []
    gaps = gaps or Gaps()
    sure = classes is not None
    head: list[str] = []  # of SemEval's files, which do not say it
    table: Table | None = None
    task: Task | None = None

    def read(path: Path) -> Table | None:
        return _read_semeval(path, head, problems) if head else read_table(path, problems)

    with problems.collect():
        text = read_text(gold)
        if is_semeval(text):
            head, classes = _semeval_head(gold, text, classes, notes)
        table = read(gold)
    tables = ((run, read(path)) for run, path in runs.items())
    if table is not None and _has_known_head(table, problems):
        if "label" in table.head:
            task = _classification(name, table, tables, classes, notes, problems, gaps)
        else:
            votes = not head
            task = _quantification(name, table, tables, classes, notes, problems, gaps, votes, sure)
    for _ in tables:
        pass  # where gold is wrong, the form of the runs is checked nevertheless
    return task and replace(task, provenance=replace(provenance, notes=(*provenance.notes, *notes)))


def is_semeval(text: str) -> bool:
    """Whether a text has tabs and no header."""
    cells = [cell.strip() for cell in first_line(text).split("\t")]
    small = [cell.casefold() for cell in cells]
    if len(cells) == 1 or set(small) >= {"item", "label"}:
        return False
    return len(cells) <= 3 or not small[0].startswith("topic") or _is_number(cells[1])


def _semeval_head(
    gold: Path, text: str, classes: Sequence[str] | None, notes: list[str]
) -> tuple[list[str], Sequence[str]]:
    """Return the header that a SemEval file does not have, and its classes."""
    cells = first_line(text).split("\t")
    width = len(cells) - (cells[-1] == "" and len(cells) > 3)
    if width < 3:
        raise Wrong(
            gold,
            line=1,
            found=f"{width} columns, not 3 (item, topic, label) or more (topic, probabilities)",
            fix="separate the columns by tabs, and name a file of subtask C or E",
        )
    assumed = FIVE_POINT_SCALE if width in (3, 6) else tuple(map(str, range(1, width)))
    if classes is None:
        notes.append(_ASSUMED.format(", ".join(assumed)))
    elif width > 3 and len(classes) != width - 1:
        found = f"{width - 1} probabilities a line for {len(classes)} classes"
        raise Wrong(gold, line=1, found=found, fix="list one class for each column")
    classes = classes or assumed
    return ["item", "topic", "label"] if width == 3 else ["topic", *classes], classes


def _read_semeval(path: Path, head: list[str], problems: Problems) -> Table | None:
    with problems.collect():
        rows = split_rows(path, read_text(path), "\t")
        rows = [
            row[:-1] if row and row[-1] == "" and len(row) == len(head) + 1 else row for row in rows
        ]
        return even(path, head, rows, problems, first=1)
    return None


def _has_known_head(gold: Table, problems: Problems) -> bool:
    """Whether a gold file has the header of one; if not, that is a problem."""
    head = gold.head
    if sorted(head) in (["item", "label", "topic"], ["item", "label"]):
        return True
    if _is_long(gold):
        problems.add(gold.path, 1, found=_long_table(gold), fix=_WIDE)
        return False
    small = [name.strip().casefold() for name in head]
    if head[0] == "topic" and len(head) > 2 and "label" not in small:
        return True
    wanted, fix = _WANTED, "write such a header as the first line"
    written = {name: form for name, form in zip(head, small, strict=True) if form in LABELS}
    if written and any(name != form for name, form in written.items()):
        wanted = f"{','.join(written.values())} in small letters, without spaces"
    header_problem(gold, wanted, fix, problems)
    return False


_WIDE = f"write a row for each topic, and a column for each class; {CONVERT}"


def _is_long(table: Table) -> bool:
    """Whether a table has a row for each topic and class."""
    if len(table.head) != 3 or len(table.rows) < 4:
        return False
    pairs = {(row[0], row[1]) for row in table.rows}
    topics, classes = ({pair[place] for pair in pairs} for place in (0, 1))
    full = len(topics) * len(classes) == len(pairs) == len(table.rows)
    return full and len(topics) > 1 and len(classes) > 1


def _long_table(table: Table) -> str:
    return f"a long table ({','.join(table.head)}), with a row for each topic and class"


def _quantification(
    name: str,
    gold: Table,
    runs: Iterable[tuple[str, Table | None]],
    listed: Sequence[str] | None,
    notes: list[str],
    problems: Problems,
    gaps: Gaps,
    votes: bool,
    sure: bool,
) -> QuantificationTask | None:
    classes = _header_classes(gold, listed, notes, problems)
    if classes is None:
        return None
    scratch = Problems()
    expected = _distributions(gold, classes, scratch, votes=votes)
    if not sure and _refuse_no_class(gold, expected, classes, problems):
        return None  # without it, other things are right or wrong
    problems.extend(scratch)
    _refuse_totals(gold, expected, problems)
    notes += [f"gold: {note}" for note in expected.notes]
    topics = _rows_of(gold, gold.column("topic"), None, problems)
    estimates = {}
    for run, table in runs:
        if table is None or not _same_columns(table, gold, problems):
            continue
        before = len(problems)
        found = _distributions(table, classes, problems, votes=votes)
        rows = _rows_of(table, table.column("topic"), (gold, topics), problems, gaps)
        if len(problems) > before or not table.whole or not gold.whole:
            continue
        order = [rows.get(topic, -1) for topic in topics]
        if (places := [row for row in order if row >= 0]) != sorted(places):
            notes.append(f"{run} lists the topics in another order than the gold file.")
        if table.head != gold.head:
            notes.append(f"{run} lists the classes in another order than the gold file.")
        notes += [f"{run}: {note}" for note in found.notes]
        estimates[run] = gaps.fill(run, order, found.shares, 1 / len(classes))
    if problems.within(gold.path):
        return None
    return QuantificationTask(
        name=name,
        classes=tuple(classes),
        topics=tuple(topics),
        runs=tuple(estimates),
        provenance=Provenance("yours"),
        votes=expected.votes,
        _gold=expected.shares,
        _estimates=np.array(list(estimates.values())).reshape(-1, *expected.shares.shape),
    )


def _classification(
    name: str,
    gold: Table,
    runs: Iterable[tuple[str, Table | None]],
    listed: Sequence[str] | None,
    notes: list[str],
    problems: Problems,
    gaps: Gaps,
) -> ClassificationTask | None:
    classes = list(listed) if listed is not None else _label_classes(gold, notes, problems)
    answers = _labels(gold, classes, problems)
    items = _rows_of(gold, _items(gold), None, problems)
    topics = {topic: place for place, topic in enumerate(dict.fromkeys(key[0] for key in items))}
    predicted = {}
    for run, table in runs:
        if table is None or not _same_columns(table, gold, problems):
            continue
        before = len(problems)
        found = _labels(table, classes, problems)
        rows = _rows_of(table, _items(table), (gold, items), problems, gaps)
        if len(problems) > before or not table.whole or not gold.whole:
            continue
        order = [rows.get(item, -1) for item in items]
        if (places := [row for row in order if row >= 0]) != sorted(places):
            notes.append(f"{run} lists the items in another order than the gold file.")
        predicted[run] = gaps.fill(run, order, found, most_common(answers))
    if classes is None or problems.within(gold.path):
        return None
    return ClassificationTask(
        name=name,
        classes=tuple(classes),
        topics=tuple(topics),
        runs=tuple(predicted),
        provenance=Provenance("yours"),
        _gold=answers,
        _predicted=np.array(list(predicted.values()), dtype=np.intp).reshape(-1, len(answers)),
        _topic=np.array([topics[key[0]] for key in items], dtype=np.intp),
    )


def _header_classes(
    gold: Table, listed: Sequence[str] | None, notes: list[str], problems: Problems
) -> list[str] | None:
    """Return the classes of a quantification file; a wrong order of them is a problem."""
    found = gold.head[1:]
    with problems.collect(gold.path):
        for column, label in enumerate(found, 2):
            if fault := name_fault(label):
                raise Wrong(gold.path, line=1, column=column, found=fault, fix="correct the header")
            if label in found[: column - 2]:
                told = f"a second column {label!r}"
                fix = "rename or remove one of the columns"
                raise Wrong(gold.path, line=1, column=column, found=told, fix=fix)
        few_classes(len(found), gold.path)
        check_names(found, "class", str(gold.path))
        if listed is not None:
            if sorted(listed) != sorted(found):
                told = f"other classes than are listed: {different_names(found, listed)}"
                fix = "correct the header, or the list of the classes"
                raise Wrong(gold.path, line=1, found=told, fix=fix)
            return list(listed)
        for label in no_answers(found):
            column = gold.head.index(label) + 1
            told = f"the column {label!r}, a name of missing answers"
            fix = f"leave it out of all files; or, if it is a class, {HOW}"
            problems.add(gold.path, 1, column, found=told, fix=fix)
        if why := why_not_chosen(found):
            problems.add(gold.path, 1, found=f"the classes {some(found)}, {why}", fix=HOW)
        elif how := how_it_falls(found):
            other = ",".join(found[::-1]) if how == "fall" else "LOWEST,...,HIGHEST"
            notes.append(
                f"gold: the classes {how} in the header ({', '.join(found)}); the first is taken "
                f"as the lowest. Otherwise give --classes={other}."
            )
        return found
    return None


def _label_classes(gold: Table, notes: list[str], problems: Problems) -> list[str] | None:
    """Return the classes of a classification file in order, or None after saying what is wrong."""
    found = dict.fromkeys(gold.column("label"))
    if not found:
        return None
    order, why = whole_numbers(list(found))
    if why:
        labels = gold.column("label")
        line = next((gold.lines[labels.index(each)] for each in found if repr(each) in why), None)
        problems.add(gold.path, line, found=why, fix=HOW)
        return None
    with problems.collect(gold.path):
        few_classes(len(order), gold.path)
        notes.append(f"gold: the classes {', '.join(order)} are the labels that occur in it.")
        return order
    return None


def _same_columns(table: Table, gold: Table, problems: Problems) -> bool:
    """Whether a run has the columns of the gold file, in any order but for the topic."""
    same = sorted(table.head) == sorted(gold.head)
    if same and ("label" in gold.head or table.head[0] == "topic"):
        return True
    if _is_long(table) and "label" not in gold.head:
        problems.add(table.path, 1, found=_long_table(table), fix=_WIDE)
        return False
    wanted = f"those of {gold.path.name}: {different_names(table.head, gold.head)}"
    header_problem(table, wanted, f"give the run the header of {gold.path.name}", problems)
    return False


def _items(table: Table) -> list[tuple[str, str]]:
    topics = table.column("topic") if "topic" in table.head else [ONE_TOPIC] * len(table.rows)
    return list(zip(topics, table.column("item"), strict=True))


def _rows_of(
    table: Table,
    keys: Sequence[Any],
    wanted: tuple[Table, Mapping[Any, int]] | None,
    problems: Problems,
    gaps: Gaps | None = None,
) -> dict[Any, int]:
    """Return topic, or topic and item, -> row of a table.

    ``wanted`` is the gold file and its rows, of which a run must have exactly the keys; None for
    the gold file itself, whose names are checked.
    """
    column = table.head.index("item" if "item" in table.head else "topic") + 1
    found: dict[Any, int] = {}
    for row, key in enumerate(keys):
        if found.setdefault(key, row) != row:
            told = f"{_shown(key)} a second time (first on line {table.lines[found[key]]})"
            fix = "keep one row for each"
            problems.add(table.path, table.lines[row], column, found=told, fix=fix)
    if wanted is None:
        names = {key: key if isinstance(key, str) else key[1] for key in found}
        faults = {key: name_fault(name) for key, name in names.items()}
        for topic in {key[0] for key in found if not isinstance(key, str)}:
            if fault := name_fault(topic):
                problems.add(table.path, found=fault, fix="correct the name of the topic")
        together = {"\t".join(key) if isinstance(key, tuple) else key: key for key in found}
        for later, first in alike(together).items():
            faults[together[later]] = f"{later!a}, the same letters as {first!a}"
        for key, fault in faults.items():
            if fault:
                fix = "correct the name of the topic or item"
                problems.add(table.path, table.lines[found[key]], column, found=fault, fix=fix)
        return found
    gold, known = wanted
    if found.keys() == known.keys():
        return found
    stray = [key for key in found if key not in known]
    lacking = [key for key in known if key not in found]
    if len(stray) == len(found) > 3 and not _meant(stray, lacking):
        told = f"{_shown(stray[0])}: none of its topics and items is in {gold.path.name}"
        fix = f"name topics and items as {gold.path.name} does, in the same columns"
        problems.add(table.path, table.lines[found[stray[0]]], column, found=told, fix=fix)
        return found
    same = _meant(stray, lacking)
    for key in stray:
        told = f"{_shown(key)}, which {gold.path.name} does not have"
        fix = "correct its name, or remove the row"
        if key in same:
            told = f"{_shown(key)}, which {gold.path.name} writes {_shown(same[key])}"
            fix = f"write topics and items as {gold.path.name} does"
        problems.add(table.path, table.lines[found[key]], column, found=told, fix=fix)
    for key in lacking if table.whole and gold.whole and not gaps else ():
        if key not in same.values():
            problems.add(table.path, found=f"no row for {_shown(key)}", fix="add the missing rows")
    return found


def _meant(stray: Sequence[Any], lacking: Sequence[Any]) -> dict[Any, Any]:
    """Return keys that one of the lacking ones is meant by -> that one."""
    joined = [
        {"\t".join(key) if isinstance(key, tuple) else key: key for key in keys}
        for keys in (stray, lacking)
    ]
    return {joined[0][one]: joined[1][other] for one, other in meant(*joined).items()}


def _shown(key: str | tuple[str, str]) -> str:
    if isinstance(key, tuple):
        of = "" if key[0] == ONE_TOPIC else f" of topic {key[0]!r}"
        return f"item {key[1]!r}{of}"
    return f"topic {key!r}" if key.isascii() else f"topic {key!r} ({key!a})"


def _labels(table: Table, classes: Sequence[str] | None, problems: Problems) -> NDArray[np.intp]:
    """Return the class of every row as an index; what is no class is a problem."""
    labels = table.column("label")
    if classes is None:
        return np.zeros(len(labels), dtype=np.intp)
    position = {label: place for place, label in enumerate(classes)}
    try:
        return np.array([position[label] for label in labels], dtype=np.intp)
    except KeyError:
        pass
    same = meant(set(labels) - set(position), classes)
    for label, line in zip(labels, table.lines, strict=True):
        if label not in position:
            found = f"the label {label!r}, not one of {some(classes)}"
            fix = f"correct the label; or, if it is a class, {HOW}"
            if label in same:
                pair = told_apart(label, same[label])
                found = "the label {}, which the classes write {}".format(*pair)
                fix = "write labels as the classes are written"
            problems.add(table.path, line, table.head.index("label") + 1, found=found, fix=fix)
    return np.zeros(len(labels), dtype=np.intp)


@dataclass(frozen=True)
class _Shares:
    """Distributions (rows, classes), with what is to be noted.

    ``votes`` are the sums of the rows of counts, empty for probabilities; ``numbers`` what the
    file holds, and ``good`` in which rows it can be read.
    """

    shares: NDArray[np.float64]
    notes: list[str]
    votes: tuple[int, ...]
    numbers: NDArray[np.float64]
    good: NDArray[np.bool_]


def _distributions(
    table: Table, classes: Sequence[str], problems: Problems, *, votes: bool
) -> _Shares:
    """Return the distributions of a table, their columns in the order of ``classes``.

    Without ``votes`` the numbers are probabilities even where all are whole.
    """
    # The first column is that of the topics; a class may have its name.
    places = {label: column for column, label in enumerate(table.head[1:], 1)}
    columns = [places[label] for label in classes]
    values, good = numbers(table, columns, problems)
    printed = values.copy()
    readable = good.copy()
    # The mean of counts, which is told elsewhere, may be none.
    totals = np.array([is_called_total(topic) for topic in table.column("topic")], dtype=bool)
    body = good & ~totals
    counts = votes and bool((values[body] == np.floor(values[body])).all())
    sums = values.sum(axis=1)
    if not counts and good.any() and (np.abs(sums[good] - 100) <= 1).all():
        told, fix = "percentages: rows that add to 100", "divide all numbers by 100"
        problems.add(table.path, table.lines[0], found=told, fix=fix)
        return _Shares(values, [], (), printed, readable)
    wrong = (values < 0) | ((values > 1) & (not counts))
    for row, index in np.argwhere(wrong & good[:, None]).tolist():
        cell = table.rows[row][columns[index]]
        told, fix = f"{cell!r}, a negative number", "write a number from 0 on"
        if values[row, index] > 0:
            told = f"{cell!r}, not a probability from 0 to 1"
            fix = "divide the row by its sum"
            fix += "; counts of votes are whole numbers in the whole file" if votes else ""
        problems.add(table.path, table.lines[row], columns[index] + 1, found=told, fix=fix)
        good[row] = False
    if counts:
        for row in np.flatnonzero(good & (sums == 0)).tolist():
            fix = "add the votes, or leave the topic out of gold and all runs"
            problems.add(table.path, table.lines[row], found="only zeros", fix=fix)
        shares = values / np.where(sums > 0, sums, 1)[:, None]
        # A file with a single 1 in each row says the same either way.
        if (sums[good] == 1).all():
            return _Shares(shares, [], (), printed, readable)
        note = "counts, divided by their sums."
        each = tuple(sums.astype(int).tolist())
        return _Shares(shares, [note], each, printed, readable)
    misses = np.where(good, np.abs(sums - 1), 0)
    limit = SUM_TOLERANCE + ADDITIONS
    notes = []
    if (misses > limit).any():
        fine = (row for row, is_good in zip(table.rows, good, strict=True) if is_good)
        digits = max(decimals(row[column]) for row in fine for column in columns)
        # Each printed probability may be off by half a unit of its last decimal. Of very many
        # classes, rounding could explain any sum.
        explained = len(classes) * 0.5 * 10.0**-digits if digits >= 2 else 0.0
        tolerance = min(max(SUM_TOLERANCE, explained) + ADDITIONS, MOST_TOLERANCE)
        for row in np.flatnonzero(misses > tolerance).tolist():
            told = f"a sum of {sums[row]:.6g}, not 1 within {tolerance:.2g}"
            fix = "divide each number of the row by their sum"
            if not sums[row]:
                fix = "write the probabilities, or leave the topic out of all files"
            problems.add(table.path, table.lines[row], found=told, fix=fix)
        within = misses[misses <= tolerance].max(initial=0)
        if within > limit:
            notes = [
                f"sums miss 1 by up to {within:.2g}, which the {digits} printed decimals explain "
                f"({len(classes)} x half a unit = {explained:.2g}); scored as printed."
            ]
    return _Shares(values, notes, (), printed, readable)


def _refuse_no_class(
    gold: Table, found: _Shares, classes: Sequence[str], problems: Problems
) -> bool:
    """Whether a column is no class, which is a problem."""
    columns = no_class(found.numbers[found.good], classes)
    for place, what in columns.items():
        told = f"the column {classes[place]!r}, {what}"
        fix = f"leave it out of all files ({CONVERT}); or, if it is a class, {HOW}"
        problems.add(gold.path, 1, gold.head.index(classes[place]) + 1, found=told, fix=fix)
    return bool(columns)


def _refuse_totals(gold: Table, found: _Shares, problems: Problems) -> None:
    """Add a problem for a row that is no topic."""
    names = gold.column("topic")
    rows = np.flatnonzero(found.good).tolist()
    for place, what in find_totals(found.numbers[rows], [names[row] for row in rows]):
        told = f"the row {names[rows[place]]!r}, {what}"
        fix = "leave it out of all files; or, if it is a topic, give it another name"
        problems.add(gold.path, gold.lines[rows[place]], 1, found=told, fix=fix)


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def decimals(cell: str) -> int:
    """Return how many decimals a number is printed with; negative for tens, hundreds, ..."""
    match = _DECIMALS.fullmatch(cell)
    assert match is not None  # it was read as a number
    # As a float, because Python refuses to convert thousands of digits to an int.
    exponent = max(-400.0, min(float(match.group(2) or 0), 400.0))
    return len(match.group(1)) - int(exponent)
