"""One long table of answers, its faults, and the task that gold data and runs make.

An answer is a row: topic, item, class, value, and the line that it stands on. A label is an answer
with all of it: its value is 1. Every format is read into this table
(:mod:`ordbook.data.formats`), and each check of :func:`faults_of` is written once, for all of them.
"""

import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ordbook.data.annotators import Annotators, find_ties
from ordbook.data.gaps import LACKING, Missing, may_lack, with_gaps
from ordbook.data.labels import few_classes, whole_numbers
from ordbook.data.nuggets import NuggetTask
from ordbook.data.problems import Fault, Note, Problem, Problems, Row, Wrong, among, as_notes
from ordbook.data.ratings import read_annotators
from ordbook.data.tasks import ONE_TOPIC, ClassificationTask, Provenance, QuantificationTask
from ordbook.data.text import (
    ADDITIONS,
    SEPARATORS,
    SUM_TOLERANCE,
    Table,
    as_numbers,
    not_a_number,
    wrong_header,
)
from ordbook.words import (
    check_names,
    different_names,
    is_total,
    meant,
    name_fault,
    same_letters,
    some,
    told_apart,
)

Task = QuantificationTask | ClassificationTask | NuggetTask
MOST_TOLERANCE = 0.5
HOW = (
    "list the classes from lowest to highest, one a line, in classes.txt beside the gold file, or "
    "give --classes=LOWEST,...,HIGHEST (in Python classes=[...])"
)


@dataclass(frozen=True, eq=False)
class Answers:
    """The answers of a file.

    Attributes
    ----------
    path, head
        The file, and the names of its columns.
    classes
        The classes of which each topic has a share; empty if items have labels.
    topic, item, line, place
        (lines,): the names of topic and item, and where they stand: in which line or, of JSON,
        whose lines are None, at which place.
    cells
        (lines, classes) or (lines, 1): the share of each class, or the label, as it is printed.
    name_column, first_column
        The columns of the name of a topic or item, and of the first of ``cells``.
    decimal
        The decimal mark of numbers.
    faults, notes
        Further lines whose form is wrong, and phrases on what was accepted.
    unjudged
        The keys of items that nobody judged, which are left out.
    units
        What answers are about: topics, or items in topics; dialogues, or turns in dialogues.
    most
        How many classes a line may have shares of; all of them, if it is 0.
    order
        Of gold data, the classes from lowest to highest.
    """

    path: Path
    head: tuple[str, ...]
    classes: tuple[str, ...]
    topic: NDArray[Any]
    item: NDArray[Any]
    line: NDArray[Any]
    place: NDArray[Any]
    cells: NDArray[Any]
    name_column: int = 1
    first_column: int = 2
    decimal: str = "."
    faults: tuple[Problem, ...] = ()
    unjudged: frozenset[str] = frozenset()
    notes: tuple[str, ...] = ()
    units: tuple[str, ...] = ("topic",)
    most: int = 0
    order: tuple[str, ...] = ()

    @cached_property
    def keys(self) -> NDArray[Any]:
        """The name of the topic and, of items, that of the item after a tab, (lines,)."""
        return self.topic + "\t" + self.item if self.units[1:] else self.topic

    def rows(self, wrong: Any, column: int | None = None) -> Iterator[Row]:
        """Yield the rows of some lines, (lines,), or of some cells, (lines, cells)."""
        for line, *cells in np.argwhere(wrong).tolist():
            names = {name: getattr(self, name)[line] for name in ("topic", "item", "line")}
            row = Row(path=self.path, number=line, column=column, **names)
            if column is None:
                row.place = self.place[line]
            for cell in cells:
                row.cell, row.column = self.cells[line, cell], self.first_column + cell
                row.place += f", {self.classes[cell]}" if row.place else ""
            yield row

    def named(self, wrong: Any) -> Iterator[Row]:
        """Yield the rows of some lines, (lines,), at the names of topic or item."""
        return self.rows(wrong, self.name_column)

    def describe(self, row: Any) -> str:
        """Put the topic or item of a row into words."""
        topic, *item = self.units
        if item:
            of = "" if row.topic == ONE_TOPIC else f" of {topic} {row.topic!r}"
            return f"{item[0]} {row.item!r}{of}"
        return f"{topic} {row.topic!r}" + ("" if row.topic.isascii() else f" ({row.topic!a})")

    def kept(self, lines: NDArray[np.bool_]) -> "Answers":
        """Return the answers on some of the lines."""
        if lines.all():
            return self
        of_line = ("topic", "item", "line", "place", "cells")
        return replace(self, **{name: getattr(self, name)[lines] for name in of_line})

    def answered(self) -> "Answers":
        """Return the answers without lines of nothing but empty cells: those are missing."""
        return self.kept(np.asarray(~self.is_blank.all(axis=1)))

    @cached_property
    def is_blank(self) -> NDArray[np.bool_]:
        """Whether there is nothing in a cell, (lines, cells)."""
        blank = {cell for cell in set(self.cells.flat) if not cell.strip()}
        return among(self.cells.flat, blank).reshape(self.cells.shape)

    @cached_property
    def values(self) -> NDArray[np.float64]:
        """The number in each cell, (lines, classes); NaN where there is none."""
        cells: list[str] = self.cells.ravel().tolist()
        if self.decimal != ".":
            cells = [cell.replace(self.decimal, ".") for cell in cells]
        return as_numbers(cells).reshape(self.cells.shape)

    def values_for(self, classes: Sequence[str], places: NDArray[np.intp]) -> NDArray[Any]:
        """Return the answers at some lines: distributions (places, classes), or classes (places,).

        At a place of -1 there is none; the array then holds any valid answer.
        """
        values: NDArray[Any] = places_of(classes, self.cells[:, 0])
        if self.classes:
            values = self.values[:, places_of(self.classes, classes)]
            values = values / self.sums[:, None] if self.counts else values
        stand_in = 1 / len(classes) if self.classes else 0
        answers = np.full((len(places), *values.shape[1:]), stand_in, dtype=values.dtype)
        answers[places >= 0] = values[places[places >= 0]]
        return answers

    @cached_property
    def counts(self) -> bool:
        """Whether all numbers are whole, and none has a decimal comma, as votes are."""
        numbers = self.values[~np.isnan(self.values)]
        whole = bool((numbers == np.floor(numbers)).all())
        return whole and not any("," in cell for cell in self.cells[~np.isnan(self.values)])

    @property
    def are_votes(self) -> bool:
        """Whether numbers are votes; a single 1 in each row says the same either way."""
        return self.counts and bool((self.sums != 1).any())

    @cached_property
    def sums(self) -> NDArray[np.float64]:
        """The sum of each line; NaN where a cell is no number or no share."""
        wrong = (self.values < 0) | ((self.values > 1) & (not self.counts))
        sums: NDArray[np.float64] = np.where(wrong, np.nan, self.values).sum(axis=1)
        return sums

    @cached_property
    def decimals(self) -> int:
        """The most decimals that a number is printed with."""
        return max(map(_decimals, self.cells[~np.isnan(self.values)]), default=0)

    @property
    def width(self) -> int:
        """The number of classes that a line may have shares of."""
        return self.most or len(self.classes)

    @property
    def explained(self) -> float:
        """How far sums may miss 1, as each share may be off by half a unit of its last decimal."""
        return self.width * 0.5 * 10.0**-self.decimals if self.decimals >= 2 else 0.0

    @cached_property
    def off(self) -> NDArray[np.float64]:
        """By how much the sum of each line misses 1, where that is more than noise."""
        misses = np.abs(self.sums - 1)
        small = np.isnan(misses) | (misses <= SUM_TOLERANCE + ADDITIONS)
        return np.where(small | self.counts, 0, misses)

    @property
    def notes_on_sums(self) -> list[str]:
        """Notes on sums that are not 1 and were accepted."""
        if not self.classes:
            return []
        if self.are_votes:
            percent = bool((self.sums == 100).all())
            doubt = " Each sum is 100: if these are percentages, divide them by 100."
            return [f"counts, divided by their sums.{doubt if percent else ''}"]
        if not (worst := self.off.max(initial=0)):
            return []
        return [
            f"sums miss 1 by up to {worst:.2g}, which the {self.decimals} printed decimals explain "
            f"({self.width} x half a unit = {self.explained:.2g}); scored as printed."
        ]


def labels(table: Table) -> Answers:
    """Return the answers of a table with a row for each item: item, label and maybe topic."""
    return Answers(
        **_common(table),
        classes=(),
        item=_texts(table.column("item")),
        cells=_texts(table.column("label"))[:, None],
        name_column=table.head.index("item") + 1,
        first_column=table.head.index("label") + 1,
        units=("topic", "item"),
    )


def shares(table: Table) -> Answers:
    """Return the answers of a table with a row for each topic and a column for each class."""
    cells = _texts(cell for row in table.rows for cell in row[1:])
    has_commas = table.separator != "," and any("," in cell for cell in cells)
    note = f"{SEPARATORS[table.separator]} between the columns, and decimal commas."
    answers = Answers(
        **_common(table),
        classes=tuple(table.head[1:]),
        item=np.full(len(table.rows), "", dtype=object),
        cells=cells.reshape(len(table.rows), len(table.head) - 1),
    )
    return replace(answers, decimal=",", notes=(note,)) if has_commas else answers


def _texts(cells: Any) -> NDArray[Any]:
    """Return cells as text in an array, whatever types a reader of JSON, say, left them in."""
    return np.array(list(map(str, cells)), dtype=object)


def _common(table: Table) -> dict[str, Any]:
    """Return the attributes of answers that labels and shares have in common."""
    size, mark = len(table.rows), SEPARATORS[table.separator]
    return {
        "path": table.path,
        "head": tuple(table.head),
        "topic": _texts(table.column("topic") if "topic" in table.head else [ONE_TOPIC] * size),
        "line": np.array(table.lines, dtype=object),
        "place": np.full(size, "", dtype=object),
        "faults": table.faults,
        "notes": (f"{mark} between the columns.",) if table.separator != "," else (),
    }


def faults_of(
    answers: Answers, gold: Answers | None = None, *, may_lack: bool = False
) -> Iterator[Fault]:
    """Yield the possible faults of gold data or, held against these, of a run.

    ``may_lack`` says whether the run need not answer everything.
    """
    if gold is None:
        yield from _faults_of_gold(answers)
    classes = (gold or answers).order
    yield from (
        _faults_of_shares(answers) if answers.classes else _faults_of_labels(answers, classes)
    )
    forms = list(map(same_letters, answers.keys))
    first = {form: place for place, form in reversed(list(enumerate(forms)))}

    def before(row: Any) -> str:
        line = answers.line[first[forms[row.number]]]
        return f" (first on line {line})" if line else ""

    yield (
        "twice",
        answers.named([first[form] != place for place, form in enumerate(forms)]),
        lambda row: f"{answers.describe(row)} a second time{before(row)}",
        "keep one row for each",
    )
    if gold is not None and not np.array_equal(answers.keys, gold.keys):
        yield from _faults_of_names(answers, gold, may_lack)


def _faults_of_gold(gold: Answers) -> Iterator[Fault]:
    def fault(topic: str, item: str) -> str:
        return name_fault(topic) or (name_fault(item) if gold.units[1:] else "")

    yield (
        "name",
        gold.named([bool(fault(*names)) for names in zip(gold.topic, gold.item, strict=True)]),
        lambda row: fault(row.topic, row.item),
        "correct the name of the topic or item",
    )
    yield (
        "total",
        gold.named([bool(gold.classes) and is_total(topic) for topic in gold.topic]),
        lambda row: f"the row {row.topic!r}, a total and no topic",
        "leave it out of all files; or, if it is a topic, give it another name",
    )


def _faults_of_labels(answers: Answers, classes: Sequence[str]) -> Iterator[Fault]:
    yield (
        "empty",
        answers.rows(answers.is_blank),
        "an empty cell",
        "write the label, or leave the item out of all files",
    )
    unknown = ~among(answers.cells[:, 0], classes)[:, None] & ~answers.is_blank
    same = meant(set(answers.cells[unknown]), classes)
    spelt = unknown & among(answers.cells[:, 0], same)[:, None]
    yield (
        "spelling of a class",
        answers.rows(spelt),
        lambda row: "the label {}, which the classes write {}".format(
            *told_apart(row.cell, same[row.cell])
        ),
        "write labels as the classes are written",
    )
    yield (
        "class",
        answers.rows(unknown & ~spelt),
        lambda row: f"the label {row.cell!r}, not one of {some(classes)}",
        f"correct the label; or, if it is a class, {HOW}",
    )


def _faults_of_shares(answers: Answers) -> Iterator[Fault]:
    values = answers.values
    kinds = {cell: not_a_number(cell) for cell in set(answers.cells[np.isnan(values)])}
    for code in dict.fromkeys(code for code, _, _ in kinds.values()):
        of_code = [cell for cell in kinds if kinds[cell][0] == code]
        yield (
            code,
            answers.rows(among(answers.cells.flat, of_code).reshape(values.shape)),
            lambda row: kinds[row.cell][1],
            lambda row: kinds[row.cell][2],
        )
    yield (
        "negative",
        answers.rows(values < 0),
        lambda row: f"{row.cell!r}, a negative number",
        "write a number from 0 on",
    )
    yield (
        "range",
        answers.rows((values > 1) & (not answers.counts)),
        lambda row: f"{row.cell!r}, not a probability from 0 to 1",
        "divide the row by its sum; counts are whole numbers in the whole file",
    )
    yield (
        "nothing",
        answers.rows(answers.sums == 0),
        "only zeros",
        "write the votes or shares, or leave the topic out of gold and all runs",
    )
    if answers.off.any():
        limit = min(max(SUM_TOLERANCE, answers.explained) + ADDITIONS, MOST_TOLERANCE)
        yield (
            "sum",
            answers.rows((answers.off > limit) & (answers.sums != 0)),
            lambda row: f"a sum of {answers.sums[row.number]:.6g}, not 1 within {limit:.2g}",
            "divide each number of the row by their sum",
        )


def _faults_of_names(answers: Answers, gold: Answers, may_lack: bool) -> Iterator[Fault]:
    keys, asked, source = answers.keys, gold.keys, gold.path.name
    stray, lacking = ~among(keys, asked), ~among(asked, keys)
    same = meant(list(keys[stray]), list(asked[lacking]))
    if stray.all() and len(stray) > 3 and not same:
        yield (
            "names",
            answers.named(np.arange(len(stray)) == 0),
            lambda row: f"{answers.describe(row)}: none of its names is in {source}",
            "correct the names",
        )
        return
    spelt = among(keys, same)
    of = dict(zip(asked[lacking], gold.rows(lacking), strict=True))
    yield (
        "spelling",
        answers.named(spelt),
        lambda row: (
            f"{gold.describe(row)}, which {source} writes "
            f"{gold.describe(of[same[keys[row.number]]])}"
        ),
        f"write names as {source} does",
    )
    yield (
        "stray",
        answers.named(stray & ~spelt),
        lambda row: f"{answers.describe(row)}, which {source} does not have",
        "correct the name, or remove what was not asked for",
    )
    if not may_lack:
        nowhere = replace(gold, path=answers.path, line=np.full(len(asked), None))
        yield (
            "lacking",
            nowhere.named(lacking & ~among(asked, same.values())),
            lambda row: f"no answer for {gold.describe(row)}",
            LACKING,
        )


def places_of(names: Iterable[str], cells: Iterable[str]) -> NDArray[np.intp]:
    """Return the place of each cell among names without repetition, and -1 of others."""
    places = {name: place for place, name in enumerate(names)}
    return np.array([places.get(cell, -1) for cell in cells], dtype=np.intp)


def read_task(
    gold: Path,
    runs: Mapping[str, Path],
    read: Callable[[Path], Answers],
    classes: Sequence[str] | None,
    problems: Problems,
    *,
    missing: Missing = "refuse",
    ratings: Path | None = None,
) -> Task | None:
    """Read a task from a gold file and run name -> file, one at a time.

    ``read`` is the reader of a format, ``missing`` the rule for answers that a run lacks, and
    ``ratings`` the file of the annotators. ``problems`` gets all faults; the task is that of the
    runs without faults, and None where the gold file has some.
    """
    notes, of_gold = list[Note](), Problems()
    asked = _read_gold(gold, read, classes, of_gold, notes)
    problems += of_gold
    values, unanswered = {}, {}
    for run, path in runs.items():  # where gold is wrong, the form of a run is checked nevertheless
        faults = Problems()
        lacks = may_lack(missing) or bool(of_gold)
        answers = _read_run(path, read, asked, faults, lacks)
        problems += [replace(problem, run=run) for problem in faults]
        if answers is not None and asked is not None and not (faults or of_gold):
            places = places_of(answers.keys, asked.keys)
            unanswered[run] = places < 0
            notes += _notes_on_run(run, answers, asked, places)
            values[run] = answers.values_for(asked.order, places)
    if asked is None or of_gold:
        return None
    shares, people = asked.values_for(asked.order, np.arange(len(asked.keys))), None
    if ratings is not None:
        reader = partial(read_annotators, ratings, list(asked.keys), asked.order, shares)
        accepted = list[str]()
        people = problems.attempt(ratings, reader, problems, accepted)
        notes += as_notes(accepted)
    return with_gaps(_task(asked, shares, values, people, notes), unanswered)


def _read_gold(
    path: Path,
    read: Callable[[Path], Answers],
    listed: Sequence[str] | None,
    problems: Problems,
    notes: list[Note],
) -> Answers | None:
    """Read gold data and the order of their classes; None if there is none."""
    gold = problems.attempt(path, read, path)
    if gold is None:
        return None
    if not len(gold.line) and not gold.faults:
        problems.add(path, None, found="no answer in the file", fix="add the gold data")
        return None
    problems += gold.faults
    order = problems.attempt(path, classes_of, gold, listed, notes)
    if order is None:
        return None
    gold = replace(gold, order=tuple(order))
    problems.add_faults(faults_of(gold))
    return gold


def _read_run(
    path: Path,
    read: Callable[[Path], Answers],
    gold: Answers | None,
    faults: Problems,
    may_lack: bool,
) -> Answers | None:
    """Read a run and check it; None if it cannot be held against gold data."""
    answers = faults.attempt(path, read, path)
    if answers is None:
        return None
    faults += answers.faults
    answers = None if gold is None else faults.attempt(path, _comparable, answers, gold)
    if answers is not None:
        faults.add_faults(faults_of(answers, gold, may_lack=may_lack or bool(faults)))
    return answers


def _notes_on_run(
    run: str, answers: Answers, gold: Answers, places: NDArray[np.intp]
) -> Iterator[Note]:
    """Yield what was accepted of a run, in which what gold asks for stands at ``places``."""
    phrases = [*answers.notes, *answers.notes_on_sums]
    if (np.diff(places[places >= 0]) < 0).any():
        phrases.append(f"the {gold.units[-1]}s in another order than the gold file.")
    if answers.classes != gold.classes:
        phrases.append("the classes in another order than the gold file.")
    yield from (Note(f"{run}: {phrase}", "other", run) for phrase in phrases)


def _comparable(answers: Answers, gold: Answers) -> Answers:
    """Return the answers to the questions of gold; refuse columns that gold does not have."""
    if sorted(answers.head) != sorted(gold.head) or bool(answers.classes) != bool(gold.classes):
        wanted = f"those of {gold.path.name}: {different_names(answers.head, gold.head)}"
        fix = f"give the run the header of {gold.path.name}"
        raise wrong_header(answers.path, answers.head, wanted, fix)
    answers = answers.answered()
    return answers.kept(~among(answers.keys, gold.unjudged)) if gold.unjudged else answers


def _task(
    gold: Answers,
    values: NDArray[Any],
    runs: Mapping[str, NDArray[Any]],
    people: Annotators | None,
    notes: Sequence[Note],
) -> Task:
    """Return the task of gold data, with their ``values``, and of runs, all without faults."""
    topic, topics = pd.factorize(gold.topic)
    answers = np.array(list(runs.values()), dtype=values.dtype).reshape(-1, *values.shape)
    notes = [*(Note(f"gold: {phrase}") for phrase in (*gold.notes, *gold.notes_on_sums)), *notes]
    ties = None if people is None or gold.classes else find_ties(people.votes, people.rule, values)
    notes += [Note(ties.note)] if ties else []
    about: dict[str, Any] = {"name": "yours", "classes": gold.order, "topics": tuple(topics)}
    about |= {"runs": tuple(runs), "annotators": people, "_gold": values}
    about["provenance"] = Provenance("yours", notes=tuple(notes))
    if not gold.classes:
        items = tuple(zip(gold.topic, gold.item, strict=True))
        return ClassificationTask(**about, ties=ties, items=items, _predicted=answers, _topic=topic)
    about["_estimates"] = answers
    if gold.are_votes:
        about["votes"] = tuple(
            gold.sums[np.unique(topic, return_index=True)[1]].astype(int).tolist()
        )
    return NuggetTask(**about, _topic=topic) if gold.units[1:] else QuantificationTask(**about)


def classes_of(gold: Answers, listed: Sequence[str] | None, notes: list[Note]) -> list[str]:
    """Return the classes from lowest to highest: those that are listed, or whole numbers.

    Numbers without a gap sort themselves; of labels, ``notes`` gets which were taken.
    """
    if gold.classes:
        _check_header(gold, listed)
    if listed is not None:
        return list(listed)
    labels = [] if gold.classes else gold.cells[:, 0].tolist()
    names = gold.classes or [name for name in dict.fromkeys(labels) if name.strip()]
    few_classes(max(len(names), 2), gold.path)

    def line(name: str) -> int | None:
        place = 1 if gold.classes else gold.line[labels.index(name)]
        return None if place is None else int(place)

    for place, name in enumerate(names):
        if same := meant([name], names[:place]):
            found = "the class {} beside {}".format(*told_apart(name, same[name]))
            raise Wrong(gold.path, line=line(name), found=found, fix="write each class in one way")
    words = [name for name in names if not name.removeprefix("-").isdecimal()]
    for name in words:
        if is_total(name) or len(words) < len(names):
            what, mend = "column", "leave the column out of all files"
            if not gold.classes:
                what, mend = "label", "correct the label, or leave the item out of all files"
            others = some([other for other in names if other != name])
            found = f"the {what} {name!r} beside the classes {others}"
            fix = f"{mend}; or, if it is a class, {HOW}"
            raise Wrong(gold.path, line=line(name), found=found, fix=fix)
    if words:
        found = f"the classes {some(names)}, whose order no list says"
        fix = how_to_list(gold.path.parent, names)
        raise Wrong(gold.path, line=line(words[0]), found=found, fix=fix)
    order, why = whole_numbers(names)
    if why:
        raise Wrong(gold.path, line=1 if gold.classes else None, found=why, fix=HOW)
    if not gold.classes:
        asks = "" if order[0] in ("-2", "-1", "0", "1") else " Is this the whole scale?"
        text = f"gold: the classes {', '.join(order)} are the labels that occur in it.{asks}"
        notes.append(Note(text))
    return order


def _check_header(gold: Answers, listed: Sequence[str] | None) -> None:
    """Refuse names of classes that cannot be, or are not those that are listed."""
    head = list(gold.classes)
    for column, label in enumerate(head, 2):
        fault = f"a second column {label!r}" if label in head[: column - 2] else name_fault(label)
        if fault:
            raise Wrong(gold.path, line=1, column=column, found=fault, fix="correct the header")
    few_classes(len(head), gold.path)
    check_names(head, "class", str(gold.path))
    if listed is not None and sorted(listed) != sorted(head):
        finding = f"other classes than are listed: {different_names(head, listed)}"
        fix = "correct the header, or the list of the classes"
        raise Wrong(gold.path, line=1, found=finding, fix=fix)


def how_to_list(folder: Path, names: Sequence[str]) -> str:
    """Say how to list classes: the command to paste, which writes the list, with these names."""
    listed = shlex.quote(",".join(names))
    return (
        "list them in classes.txt, one a line, from lowest to highest (in Python classes=[...]); "
        "if this is their order, do so by the command: "
        f"ordbook check {shlex.quote(str(folder))} --classes={listed}"
    )


def _decimals(cell: str) -> int:
    """Return how many decimals a number is printed with; negative for tens, hundreds, ..."""
    digits, _, exponent = cell.strip().lower().replace(",", ".").partition("e")
    return len(digits.partition(".")[2]) - int(exponent[:4] or 0)
