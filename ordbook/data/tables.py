"""Reader for tables of gold data and runs: CSV with a header, and TREC qrels.

================  =========================================================================
quantification    CSV ``topic,<class>,<class>,...``: probabilities or counts of votes
classification    CSV ``topic,item,label`` in any order, or ``item,label`` of one topic; or TREC
                  qrels (:mod:`ordbook.data.headless`)
================  =========================================================================

The order of the classes is, first found first taken: ``classes=``; ``classes.txt`` or
``classes.csv`` beside the gold file; the order of the header; the labels as numbers, if all are
whole numbers without a gap. It is never guessed otherwise.

A CSV file whose numbers are all whole holds counts, and each row is divided by its sum. Elsewhere
each row must sum to 1, as exactly as the printed decimals can tell. Runs may list topics, items
and columns in another order than the gold file, which is noted.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ordbook.data.alignment import Gaps, match
from ordbook.data.annotators import ANNOTATORS, Annotators, find_ties, read_annotators
from ordbook.data.frames import ONE_TOPIC
from ordbook.data.headless import (
    HEAD,
    not_judged,
    read_qrels,
)
from ordbook.data.labels import (
    HOW,
    different_names,
    few_classes,
    how_it_falls,
    no_answers,
    whole_numbers,
    why_not_chosen,
)
from ordbook.data.problems import Problems, Wrong, as_notes
from ordbook.data.tasks import ClassificationTask, Provenance, QuantificationTask
from ordbook.data.text import (
    ADDITIONS,
    SUM_TOLERANCE,
    Table,
    header_problem,
    numbers,
    read_table,
)
from ordbook.words import (
    check_names,
    counted,
    is_total,
    meant,
    name_fault,
    same_letters,
    some,
    told_apart,
)

Task = QuantificationTask | ClassificationTask
Runs = Iterable[tuple[str, Table | None]]
Read = Callable[[Table], tuple[NDArray[Any], list[str]]]  # rows of answers, and what to note
MOST_TOLERANCE = 0.5
FEWEST_ROWS = 4  # that count from 0 or 1 on hardly by chance
_WANTED = "'topic' and a column for each class, or 'topic,item,label'"
_WIDE = "write a row for each topic, and a column for each class"


def read_tables(
    name: str,
    gold: Path,
    runs: Mapping[str, Path],
    format: str,
    *,
    classes: Sequence[str] | None = None,
    provenance: Provenance,
    problems: Problems,
    gaps: Gaps | None = None,
) -> Task | None:
    """Read a task from a gold file and run name -> file, one at a time.

    ``format`` is ``tables`` or ``qrels``. ``problems`` gets all faults; the task is that of the
    runs without faults, and None where the gold file has some.
    """
    reader = _Reader(
        name, provenance, problems, gaps or Gaps(), classes is not None, format == "qrels"
    )
    task: Task | None = None
    table = reader.table("gold", gold)
    tables = ((run, reader.table(run, path)) for run, path in runs.items())
    if table is not None and _has_known_head(table, problems):
        read = reader.labels if "label" in table.head else reader.distributions
        task = read(table, tables, classes)
    for _ in tables:
        pass  # where gold is wrong, the form of the runs is checked nevertheless
    return task


@dataclass
class _Reader:
    """Common steps in the reading of gold data and runs.

    ``sure`` says that somebody listed the classes; ``unjudged`` are the pairs of qrels that nobody
    judged, None before gold is read.
    """

    name: str
    provenance: Provenance
    problems: Problems
    gaps: Gaps
    sure: bool
    qrels: bool
    notes: list[str] = field(default_factory=list)
    unjudged: set[str] | None = None

    def table(self, name: str, path: Path) -> Table | None:
        """Read the cells of a file."""
        if not self.qrels:
            return read_table(path, self.problems)
        table = read_qrels(path, self.problems)
        return table and self.judged(name, table)

    def judged(self, name: str, table: Table) -> Table:
        """Leave out labels that say "not judged", and of runs the pairs that gold leaves out."""
        rows, names = not_judged(table), _names(table)
        if self.unjudged is None:
            self.unjudged = {names[row] for row in rows}
            meaning = "nobody judged these pairs, which are left out of all runs"
        else:
            rows = [row for row in rows if names[row] not in self.unjudged]
            meaning = "these are missing answers"
        if rows:
            labels, line = counted(len(rows), "label"), table.lines[rows[0]]
            self.notes.append(f"{name}: {labels} of -1 or -2, from line {line} on: {meaning}.")
        left = {names[row] for row in rows} | self.unjudged
        kept = [row for row in range(len(names)) if names[row] not in left]
        cells, lines = [table.rows[row] for row in kept], [table.lines[row] for row in kept]
        return replace(table, rows=cells, lines=lines)

    def about(
        self, classes: Sequence[str], topics: Iterable[str], runs: Iterable[str]
    ) -> dict[str, Any]:
        """Return the parts that both kinds of task have."""
        notes = as_notes([*self.provenance.notes, *self.notes])
        names = {"classes": tuple(classes), "topics": tuple(topics), "runs": tuple(runs)}
        return {"name": self.name, "provenance": replace(self.provenance, notes=notes), **names}

    def distributions(
        self, gold: Table, tables: Runs, listed: Sequence[str] | None
    ) -> QuantificationTask | None:
        """Read a quantification task; None if gold has faults."""
        classes = _header_classes(gold, listed, self.notes, self.problems)
        if classes is None:
            return None
        columns, values, good = _numbers(gold, classes, self.problems)
        if not self.sure and _refuse_superfluous(gold, values[good], classes, self.problems):
            return None  # without it, other things are right or wrong
        shares, noted, votes = self.shares(gold, columns, values, good)
        self.notes += [f"gold: {note}" for note in noted]

        def read(table: Table) -> tuple[Any, list[str]]:
            shares, noted, _ = self.shares(table, *_numbers(table, classes, self.problems))
            notes = [f": {note}" for note in noted]
            if table.head != gold.head:
                notes.insert(0, " lists the classes in another order than the gold file.")
            return shares, notes

        topics = _gold_lines(gold, self.problems)
        people = self.annotators(gold, topics, classes, shares)
        estimates = self.runs(gold, topics, tables, read, 1 / len(classes))
        if self.problems.within(gold.path):
            return None
        return QuantificationTask(
            **self.about(classes, topics, estimates),
            votes=votes,
            annotators=people,
            _gold=shares,
            _estimates=np.array(list(estimates.values())).reshape(-1, *shares.shape),
        )

    def shares(
        self,
        table: Table,
        columns: Sequence[int],
        values: NDArray[np.float64],
        good: NDArray[np.bool_],
    ) -> tuple[NDArray[np.float64], list[str], tuple[int, ...]]:
        """Return the distributions of a table, notes, and the sums of the rows if it has counts."""
        counts = bool((values[good] == np.floor(values[good])).all())
        sums = values.sum(axis=1)

        def wrong(row: int, column: int | None, found: str, fix: str) -> None:
            self.problems.add(table.path, table.lines[row], column, found=found, fix=fix)

        if not counts and good.any() and (np.abs(sums[good] - 100) <= 1).all():
            fix = "divide all numbers by 100"
            wrong(0, None, "percentages: rows that add to 100", fix)
            return values, [], ()
        outside = ((values < 0) | ((values > 1) & (not counts))) & good[:, None]
        for row, place in np.argwhere(outside).tolist():
            cell = table.rows[row][columns[place]]
            fault, fix = f"{cell!r}, a negative number", "write a number from 0 on"
            if values[row, place] > 0:
                fault, fix = f"{cell!r}, not a probability from 0 to 1", "divide the row by its sum"
                fix += "; counts are whole numbers in the whole file"
            wrong(row, columns[place] + 1, fault, fix)
        good = good & ~outside.any(axis=1)
        if counts:
            for row in np.flatnonzero(good & (sums == 0)).tolist():
                fix = "add the votes, or leave the topic out of gold and all runs"
                wrong(row, None, "only zeros", fix)
            # A file with a single 1 in each row says the same either way.
            is_one = bool((sums[good] == 1).all())
            votes = () if is_one else tuple(sums.astype(int).tolist())
            shares = values / np.where(sums > 0, sums, 1)[:, None]
            return shares, [] if is_one else ["counts, divided by their sums."], votes
        misses = np.where(good, np.abs(sums - 1), 0)
        limit = SUM_TOLERANCE + ADDITIONS
        if not (misses > limit).any():
            return values, [], ()
        fine = (row for row, is_good in zip(table.rows, good, strict=True) if is_good)
        digits = max(decimals(row[column]) for row in fine for column in columns)
        # Each printed probability may be off by half a unit of its last decimal. Of very many
        # classes, rounding could explain any sum.
        explained = len(columns) * 0.5 * 10.0**-digits if digits >= 2 else 0.0
        tolerance = min(max(SUM_TOLERANCE, explained) + ADDITIONS, MOST_TOLERANCE)
        for row in np.flatnonzero(misses > tolerance).tolist():
            fix = "divide each number of the row by their sum"
            if not sums[row]:
                fix = "write the probabilities, or leave the topic out of all files"
            wrong(row, None, f"a sum of {sums[row]:.6g}, not 1 within {tolerance:.2g}", fix)
        within = misses[misses <= tolerance].max(initial=0)
        note = (
            f"sums miss 1 by up to {within:.2g}, which the {digits} printed decimals explain "
            f"({len(columns)} x half a unit = {explained:.2g}); scored as printed."
        )
        return values, [note] if within > limit else [], ()

    def labels(
        self, gold: Table, tables: Runs, listed: Sequence[str] | None
    ) -> ClassificationTask | None:
        """Read a classification task; None if gold has faults."""
        for label, line in zip(gold.column("label"), gold.lines, strict=True):
            if not label.strip():
                fix = "write the label, or leave the item out of all files"
                column = gold.head.index("label") + 1
                self.problems.add(gold.path, line, column, found="an empty cell", fix=fix)
        classes = listed or _label_classes(gold, self.notes, self.problems)
        if classes is None:
            return None
        answers = _labels(gold, classes, self.problems)

        def read(table: Table) -> tuple[Any, list[str]]:
            return _labels(table, classes, self.problems), []

        items = _gold_lines(gold, self.problems)
        people = self.annotators(gold, items, classes, answers)
        ties = find_ties(people.votes, people.rule, answers) if people else None
        self.notes += [ties.note] if ties else []
        predicted = self.runs(gold, items, tables, read, 0)
        if self.problems.within(gold.path):
            return None
        by_item = [item.partition("\t")[0] for item in items]
        topics = {topic: place for place, topic in enumerate(dict.fromkeys(by_item))}
        return ClassificationTask(
            **self.about(classes, topics, predicted),
            annotators=people,
            ties=ties,
            items=tuple((item.partition("\t")[0], item.partition("\t")[2]) for item in items),
            _gold=answers,
            _predicted=np.array(list(predicted.values()), dtype=np.intp).reshape(-1, len(answers)),
            _topic=np.array([topics[topic] for topic in by_item], dtype=np.intp),
        )

    def annotators(
        self, gold: Table, asked: Mapping[str, int], classes: Sequence[str], answers: NDArray[Any]
    ) -> Annotators | None:
        """Read the ratings behind the gold data, if they are there."""
        path = gold.path.with_name(ANNOTATORS)
        if self.problems.within(gold.path) or not path.is_file():
            return None
        with self.problems.collect():
            return read_annotators(path, list(asked), classes, answers, self.problems, self.notes)
        return None

    def runs(
        self, gold: Table, asked: Mapping[str, int], tables: Runs, read: Read, stand_in: float
    ) -> dict[str, NDArray[Any]]:
        """Return run -> its answers in gold's order, of the runs in which nothing is wrong."""
        names = list(asked)
        answers = {}
        for run, table in tables:
            if table is None or not _same_columns(table, gold, self.problems):
                continue
            before = len(self.problems)
            table = _answered(table)
            read_answers, answered = read(table)
            order = list(range(len(names)))
            if _names(table) != names:
                lines = _lines(table, self.problems)
                gaps = self.gaps or not (table.whole and gold.whole)
                order = match(
                    table.path,
                    lines,
                    gold.path,
                    names,
                    self.problems,
                    gaps=gaps,
                    describe=_describe,
                    column=_column(table),
                )
            if len(self.problems) > before or not table.whole:
                continue
            if (present := [place for place in order if place >= 0]) != sorted(present):
                unit = "items" if "item" in table.head else "topics"
                answered.insert(0, f" lists the {unit} in another order than the gold file.")
            self.notes += [f"{run}{note}" for note in answered]
            answers[run] = self.gaps.fill(run, order, read_answers, stand_in)
        return answers


def _has_known_head(gold: Table, problems: Problems) -> bool:
    """Whether a gold file has the header of one; if not, that is a problem."""
    head = gold.head
    if head == HEAD or sorted(head) in (["item", "label", "topic"], ["item", "label"]):
        return True
    if _is_long(gold, problems):
        return False
    small = [name.strip().casefold() for name in head]
    if head[0] == "topic" and len(head) > 2 and "label" not in small:
        return True
    header_problem(gold, _WANTED, "write such a header, in small letters", problems)
    return False


def is_long(head: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Whether a table of three columns has a row for each topic and class, and not each item."""
    if len(head) != 3 or len(rows) < 4 or "item" in head:
        return False
    pairs = {(row[0], row[1]) for row in rows}
    topics, classes = ({pair[place] for pair in pairs} for place in (0, 1))
    full = len(topics) * len(classes) == len(pairs) == len(rows)
    return full and len(topics) > 1 and len(classes) > 1


def _is_long(table: Table, problems: Problems) -> bool:
    """Whether a table is long, which is a problem."""
    if long := is_long(table.head, table.rows):
        fault = f"a long table ({','.join(table.head)}), with a row for each topic and class"
        problems.add(table.path, 1, found=fault, fix=_WIDE)
    return long


def _same_columns(table: Table, gold: Table, problems: Problems) -> bool:
    """Whether a run has the columns of the gold file, in any order but for the topic."""
    same = sorted(table.head) == sorted(gold.head)
    if same and ("label" in gold.head or table.head[0] == "topic"):
        return True
    if "label" in gold.head or not _is_long(table, problems):
        wanted = f"those of {gold.path.name}: {different_names(table.head, gold.head)}"
        header_problem(table, wanted, f"give the run the header of {gold.path.name}", problems)
    return False


def _header_classes(
    gold: Table, listed: Sequence[str] | None, notes: list[str], problems: Problems
) -> list[str] | None:
    """Return the classes of a quantification file; a wrong order of them is a problem."""
    head = gold.head[1:]
    with problems.collect(gold.path):
        for column, label in enumerate(head, 2):
            fault = f"a second column {label!r}" if label in head[: column - 2] else ""
            if fault := fault or name_fault(label):
                raise Wrong(gold.path, line=1, column=column, found=fault, fix="correct the header")
        few_classes(len(head), gold.path)
        check_names(head, "class", str(gold.path))
        if listed is not None:
            if sorted(listed) != sorted(head):
                finding = f"other classes than are listed: {different_names(head, listed)}"
                fix = "correct the header, or the list of the classes"
                raise Wrong(gold.path, line=1, found=finding, fix=fix)
            return list(listed)
        for label in no_answers(head):
            column = gold.head.index(label) + 1
            finding = f"the column {label!r}, a name of missing answers"
            fix = f"leave it out of all files; or, if it is a class, {HOW}"
            problems.add(gold.path, 1, column, found=finding, fix=fix)
        if why := why_not_chosen(head):
            problems.add(gold.path, 1, found=f"the classes {some(head)}, {why}", fix=HOW)
        elif how := how_it_falls(head):
            other = ",".join(head[::-1]) if how == "fall" else "LOWEST,...,HIGHEST"
            notes.append(
                f"gold: the classes {how} in the header ({', '.join(head)}); the first is taken "
                f"as the lowest. Otherwise give --classes={other}."
            )
        return head
    return None


def _label_classes(gold: Table, notes: list[str], problems: Problems) -> list[str] | None:
    """Return the classes of a classification file in order, or None after reporting its faults."""
    labels = gold.column("label")
    with problems.collect(gold.path):
        used = [label for label in dict.fromkeys(labels) if label.strip()]
        order, why = whole_numbers(used)
        if why:
            line = next(
                (gold.lines[labels.index(wrong)] for wrong in labels if repr(wrong) in why), None
            )
            raise Wrong(gold.path, line=line, found=why, fix=HOW)
        few_classes(len(order), gold.path)
        asks = "" if order[0] in ("-2", "-1", "0", "1") else " Is this the whole scale?"
        notes.append(f"gold: the classes {', '.join(order)} are the labels that occur in it.{asks}")
        return order
    return None


def _names(table: Table) -> list[str]:
    """Return the subjects of the rows: topics, or topics and items with a tab between them."""
    if "item" not in table.head:
        return table.column("topic")
    topics = table.column("topic") if "topic" in table.head else [ONE_TOPIC] * len(table.rows)
    return [f"{topic}\t{item}" for topic, item in zip(topics, table.column("item"), strict=True)]


def _column(table: Table) -> int:
    return table.head.index("item" if "item" in table.head else "topic") + 1


def _describe(name: str) -> str:
    topic, is_item, item = name.partition("\t")
    if is_item:
        return f"item {item!r}" + ("" if topic == ONE_TOPIC else f" of topic {topic!r}")
    return f"topic {name!r}" if name.isascii() else f"topic {name!r} ({name!a})"


def _lines(table: Table, problems: Problems) -> dict[str, int]:
    """Return subject -> its lines; a second row for a subject is a problem."""
    lines: dict[str, int] = {}
    first: dict[str, int] = {}
    for line, name in zip(table.lines, _names(table), strict=True):
        earlier = first.setdefault(same_letters(name), line)
        if earlier == line:
            lines[name] = line
            continue
        repeated = f"{_describe(name)} a second time (first on line {earlier})"
        problems.add(table.path, line, _column(table), found=repeated, fix="keep one row for each")
    return lines


def _gold_lines(gold: Table, problems: Problems) -> dict[str, int]:
    """Do so for the gold file, whose names are checked."""
    lines = _lines(gold, problems)
    for name in lines:
        fault = next(filter(None, map(name_fault, name.split("\t"))), "")
        fix = "correct the name of the topic or item"
        if is_total(name):
            fault = f"the row {name!r}, a total and no topic"
            fix = "leave it out of all files; or, if it is a topic, give it another name"
        if fault:
            problems.add(gold.path, lines[name], _column(gold), found=fault, fix=fix)
    return lines


def _answered(table: Table) -> Table:
    """Leave out the rows with nothing but empty cells after their names: missing answers."""
    cells = [place for place, name in enumerate(table.head) if name not in ("topic", "item")]
    kept = [k for k, row in enumerate(table.rows) if any(row[place].strip() for place in cells)]
    if len(kept) == len(table.rows):
        return table
    lines = [table.lines[k] for k in kept]
    return replace(table, rows=[table.rows[k] for k in kept], lines=lines)


def _labels(table: Table, classes: Sequence[str], problems: Problems) -> NDArray[np.intp]:
    """Return the class of every row as an index; other labels are problems."""
    labels = table.column("label")
    position = {label: place for place, label in enumerate(classes)}
    same = meant(set(labels) - set(position), classes)
    for label, line in zip(labels, table.lines, strict=True) if set(labels) - set(position) else ():
        if label not in position and label.strip():
            fault = f"the label {label!r}, not one of {some(classes)}"
            fix = f"correct the label; or, if it is a class, {HOW}"
            if label in same:
                pair = told_apart(label, same[label])
                fault = "the label {}, which the classes write {}".format(*pair)
                fix = "write labels as the classes are written"
            problems.add(table.path, line, table.head.index("label") + 1, found=fault, fix=fix)
    return np.array([position.get(label, 0) for label in labels], dtype=np.intp)


def _numbers(
    table: Table, classes: Sequence[str], problems: Problems
) -> tuple[list[int], NDArray[np.float64], NDArray[np.bool_]]:
    """Return the columns of the classes, their numbers, and in which rows all can be read."""
    # The first column is that of the topics; a class may have its name.
    places = {label: column for column, label in enumerate(table.head[1:], 1)}
    columns = [places[label] for label in classes]
    return columns, *numbers(table, columns, problems)


def superfluous(values: NDArray[np.float64]) -> int | None:
    """Return the column of gold data (topics, columns) that is no class, but a total or a number.

    Examples
    --------
    >>> superfluous(np.array([[3.0, 1, 4], [0, 4, 4], [1, 1, 2]]))        # the sum of the others
    2
    >>> superfluous(np.array([[0.25, 0.75, 20], [0.5, 0.5, 30]]))         # the number of items
    2
    """
    sums = values.sum(axis=1)
    rest = sums[:, None] - values
    if values.shape[1] < 3 or len(values) < 2:
        return None
    votes = bool((values == np.floor(values)).all() and (sums > 0).all() and (sums != 1).any())
    total = (np.abs(rest - values) <= 1e-9 * sums[:, None]).all(axis=0) & votes
    if votes and len(values) >= FEWEST_ROWS:
        total |= (values - np.arange(len(values))[:, None] == values[0]).all(axis=0) & (
            values[0] <= 1
        )
    for whole, near in ((1, 0.01), (100, 0.5)):
        adds = (np.abs(rest - whole) <= near).all(axis=0) & (np.abs(sums - whole) > near).all()
        total |= adds & (whole == 100 or not votes)  # whole percentages are no votes
    return int(total.argmax()) if total.sum() == 1 else None


def _refuse_superfluous(
    gold: Table, values: NDArray[np.float64], classes: Sequence[str], problems: Problems
) -> bool:
    """Whether a column is no class, which is a problem."""
    if (place := superfluous(values)) is None:
        return False
    fault = f"the column {classes[place]!r}, a total or a number of rows or items"
    fix = f"leave it out of all files; or, if it is a class, {HOW}"
    column = gold.head.index(classes[place]) + 1
    problems.add(gold.path, 1, column, found=fault, fix=fix)
    return True


def decimals(cell: str) -> int:
    """Return how many decimals a number is printed with; negative for tens, hundreds, ..."""
    digits, _, exponent = cell.strip().lower().partition("e")
    return len(digits.partition(".")[2]) - int(exponent[:4] or 0)
