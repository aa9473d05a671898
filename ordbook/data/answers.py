"""One long table of answers, what is wrong with it, and the task that gold data and runs make.

An answer is a row: topic, item, class, value, and the line that it stands on. A label is an answer
with all of it: its value is 1. Every format is read into this table
(:mod:`ordbook.data.formats`), and each check of :func:`checks` is written once, for all of them.
"""

import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ordbook.data.annotators import Annotators, find_ties
from ordbook.data.frames import ONE_TOPIC
from ordbook.data.gaps import LACKING, Gaps
from ordbook.data.labels import few_classes, whole_numbers
from ordbook.data.nuggets import NuggetTask
from ordbook.data.problems import (
    Check,
    Columns,
    Note,
    Problems,
    Wrong,
    among,
    as_notes,
    refuse,
    rows_where,
)
from ordbook.data.ratings import read_annotators
from ordbook.data.tasks import ClassificationTask, Provenance, QuantificationTask
from ordbook.data.text import ADDITIONS, SUM_TOLERANCE, header_problem, not_a_number
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
    path
        The file.
    rows
        A row for each class of a topic, or the one of an item: ``topic``, ``item``, ``label``
        (the class), ``cell`` (as it is printed), ``value`` (NaN if the cell is no number),
        ``line`` and ``column``; in place of these, of JSON, ``at`` and ``place`` say where the
        item and the value stand.
    head
        The names of the columns of the file, if it has any.
    classes
        The classes of which each topic has a value; empty if items have labels.
    whole
        Whether these are all answers of the file; each other one is a problem already.
    unjudged
        The keys of items that nobody judged, which are left out.
    notes
        What was accepted, each without the name of the run.
    key_column
        The column of topics or items.
    units
        What answers are about: topics, or items in topics; dialogues, or turns in dialogues.
    most
        How many classes a line may have shares of; all of them, if it is 0.
    """

    path: Path
    rows: Columns
    head: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    whole: bool = True
    unjudged: frozenset[str] = frozenset()
    notes: tuple[str, ...] = ()
    key_column: int | None = None
    units: tuple[str, ...] = ("topic",)
    most: int = 0

    @cached_property
    def lines(self) -> Columns:
        """A row for each line of the file, with its ``key``: topic and item, a tab between them."""
        per_line = max(len(self.classes), 1)
        names = {name: self.rows[name][::per_line] for name in ("topic", "item", "line")}
        keys = names["topic"] + "\t" + names["item"] if self.units[1:] else names["topic"]
        return names | {"key": keys, "column": np.full(len(keys), self.key_column, dtype=object)}

    def describe(self, row: Any) -> str:
        """Put the topic or item of a row into words."""
        topic, *item = self.units
        if item:
            of = "" if row.topic == ONE_TOPIC else f" of {topic} {row.topic!r}"
            return f"{item[0]} {row.item!r}{of}"
        escaped = "" if row.topic.isascii() else f" ({row.topic!a})"
        return f"{topic} {row.topic!r}{escaped}"

    def kept(self, lines: NDArray[np.bool_]) -> "Answers":
        """Return the answers on some of the lines."""
        if lines.all():
            return self
        rows = np.repeat(lines, max(len(self.classes), 1))
        return replace(self, rows={name: cells[rows] for name, cells in self.rows.items()})

    def answered(self) -> "Answers":
        """Return the answers without lines of nothing but empty cells: those are missing."""
        filled = np.array([bool(cell.strip()) for cell in self.rows["cell"]], dtype=bool)
        lines: NDArray[np.bool_] = np.asarray(
            filled.reshape(-1, max(len(self.classes), 1)).any(axis=1)
        )
        return self.kept(lines)

    def values(self, classes: Sequence[str]) -> NDArray[np.float64]:
        """Return the value of each class, (lines, classes)."""
        width = len(self.classes)
        values: NDArray[np.float64] = self.rows["value"].reshape(-1, width)
        return values[:, places_of(self.classes, classes)]

    def places(self, classes: Sequence[str]) -> NDArray[np.intp]:
        """Return the place of each label among the classes, (lines,), and -1 of others."""
        return places_of(classes, self.rows["label"])

    @cached_property
    def counts(self) -> bool:
        """Whether all numbers are whole, and none has a decimal comma, as votes are."""
        is_number = ~np.isnan(self.rows["value"])
        values = self.rows["value"][is_number]
        whole = bool((values == np.floor(values)).all())
        return whole and not any("," in cell for cell in self.rows["cell"][is_number])

    @cached_property
    def sums(self) -> NDArray[np.float64]:
        """The sum of each line; NaN where a cell is no number or no share."""
        values = self.values(self.classes)
        wrong = (values < 0) | ((values > 1) & (not self.counts))
        sums: NDArray[np.float64] = np.where(wrong, np.nan, values).sum(axis=1)
        return sums

    @cached_property
    def decimals(self) -> int:
        """The most decimals that a number is printed with."""
        return max(map(_decimals, self.rows["cell"][~np.isnan(self.rows["value"])]), default=0)

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


def checks(
    answers: Answers, classes: Sequence[str], gold: Answers | None = None, *, may_lack: bool = False
) -> Iterator[Check]:
    """Yield a code, rows, which are wrong, what was found there, and what to do about it.

    ``gold`` is None for the gold data themselves; of runs, ``may_lack`` says whether they need not
    answer everything.
    """
    lines = answers.lines
    if gold is None:
        named = ["topic", "item"][: len(answers.units)]
        faults = [
            next(filter(None, map(name_fault, names)), "")
            for names in zip(*(lines[name] for name in named), strict=True)
        ]
        yield (
            "name",
            {**lines, "fault": np.array(faults, dtype=object)},
            [bool(fault) for fault in faults],
            lambda row: row.fault,
            "correct the name of the topic or item",
        )
        total = [bool(answers.classes) and is_total(topic) for topic in lines["topic"]]
        yield (
            "total",
            lines,
            total,
            lambda row: f"the row {row.topic!r}, a total and no topic",
            "leave it out of all files; or, if it is a topic, give it another name",
        )
    if answers.classes:
        yield from _checks_of_shares(answers)
    else:
        yield from _checks_of_labels(answers, classes)
    forms = [same_letters(key) for key in lines["key"]]
    first = {form: place for place, form in reversed(list(enumerate(forms)))}
    repeated = [first[form] != place for place, form in enumerate(forms)]

    def before(row: Any) -> str:
        line = lines["line"][first[same_letters(row.key)]]
        return f" (first on line {line})" if line else ""

    yield (
        "twice",
        lines,
        repeated,
        lambda row: f"{answers.describe(row)} a second time{before(row)}",
        "keep one row for each",
    )
    if gold is not None:
        yield from _checks_of_names(answers, gold, may_lack)


def _checks_of_labels(answers: Answers, classes: Sequence[str]) -> Iterator[Check]:
    rows = answers.rows
    blank = np.array([not cell.strip() for cell in rows["cell"]], dtype=bool)
    yield (
        "empty",
        rows,
        blank,
        "an empty cell",
        "write the label, or leave the item out of all files",
    )
    unknown = ~among(rows["label"], classes) & ~blank
    same = meant(set(rows["label"][unknown]), classes)
    spelt = unknown & among(rows["label"], same)
    yield (
        "spelling of a class",
        rows,
        spelt,
        lambda row: "the label {}, which the classes write {}".format(
            *told_apart(row.label, same[row.label])
        ),
        "write labels as the classes are written",
    )
    yield (
        "class",
        rows,
        unknown & ~spelt,
        lambda row: f"the label {row.label!r}, not one of {some(classes)}",
        lambda row: f"correct the label; or, if it is a class, {HOW}",
    )


def _checks_of_shares(answers: Answers) -> Iterator[Check]:
    rows, values = answers.rows, answers.rows["value"]
    faults = {cell: not_a_number(cell) for cell in set(rows["cell"][np.isnan(values)])}
    for code in dict.fromkeys(code for code, _, _ in faults.values()):
        yield (
            code,
            rows,
            among(rows["cell"], [cell for cell in faults if faults[cell][0] == code]),
            lambda row: faults[row.cell][1],
            lambda row: faults[row.cell][2],
        )
    yield (
        "negative",
        rows,
        values < 0,
        lambda row: f"{row.cell!r}, a negative number",
        "write a number from 0 on",
    )
    yield (
        "range",
        rows,
        (values > 1) & (not answers.counts),
        lambda row: f"{row.cell!r}, not a probability from 0 to 1",
        "divide the row by its sum; counts are whole numbers in the whole file",
    )
    if not answers.off.any() and not (answers.sums == 0).any():
        return
    lines = {**answers.lines, "column": np.full(len(answers.sums), None), "sum": answers.sums}
    if "at" in rows:
        lines["place"] = rows["at"][:: len(answers.classes)]
    yield (
        "nothing",
        lines,
        answers.sums == 0,
        "only zeros",
        "write the votes or shares, or leave the topic out of gold and all runs",
    )
    limit = min(max(SUM_TOLERANCE, answers.explained) + ADDITIONS, MOST_TOLERANCE)
    yield (
        "sum",
        lines,
        (answers.off > limit) & (answers.sums != 0),
        lambda row: f"a sum of {row.sum:.6g}, not 1 within {limit:.2g}",
        "divide each number of the row by their sum",
    )


def _checks_of_names(answers: Answers, gold: Answers, may_lack: bool) -> Iterator[Check]:
    lines, asked, source = answers.lines, gold.lines, gold.path.name
    if np.array_equal(lines["key"], asked["key"]):
        return
    stray, lacking = ~among(lines["key"], asked["key"]), ~among(asked["key"], lines["key"])
    if not stray.any() and not lacking.any():
        return
    same = meant(list(lines["key"][stray]), list(asked["key"][lacking]))
    if stray.all() and len(stray) > 3 and not same:
        yield (
            "names",
            lines,
            np.arange(len(stray)) == 0,
            lambda row: f"{answers.describe(row)}: none of its names is in {source}",
            "correct the names",
        )
        return
    spelt = among(lines["key"], same)
    of = {row.key: row for row in rows_where(asked, lacking)}
    yield (
        "spelling",
        lines,
        spelt,
        lambda row: (
            f"{gold.describe(row)}, which {source} writes {gold.describe(of[same[row.key]])}"
        ),
        lambda row: f"write names as {source} does",
    )
    yield (
        "stray",
        lines,
        stray & ~spelt,
        lambda row: f"{answers.describe(row)}, which {source} does not have",
        "correct the name, or remove what was not asked for",
    )
    if may_lack:
        return
    yield (
        "lacking",
        {**asked, "line": np.full(len(lacking), None)},
        lacking & ~among(asked["key"], same.values()),
        lambda row: f"no answer for {gold.describe(row)}",
        lambda row: LACKING,
    )


def places_of(names: Iterable[str], cells: Iterable[str]) -> NDArray[np.intp]:
    """Return the place of each cell among names without repetition, and -1 of others."""
    places = {name: place for place, name in enumerate(names)}
    return np.array([places.get(cell, -1) for cell in cells], dtype=np.intp)


def read_task(
    name: str,
    gold: Path,
    runs: Mapping[str, Path],
    read: Callable[[Path, Problems], Answers | None],
    *,
    classes: Sequence[str] | None = None,
    provenance: Provenance,
    problems: Problems,
    gaps: Gaps | None = None,
    ratings: Path | None = None,
) -> Task | None:
    """Read a task from a gold file and run name -> file, one at a time.

    ``read`` is the reader of a format, and ``ratings`` the file of the annotators. ``problems``
    gets all faults; the task is that of the runs without faults, and None where the gold file has
    some.
    """
    gaps, notes = gaps or Gaps(), list[Note]()
    asked, order = read(gold, problems), None
    if asked is not None:
        order = classes_of(asked, classes, notes, problems)
    if asked is not None and order is not None:
        refuse(asked.path, checks(asked, order), problems)
    answers = {}
    for run, path in runs.items():  # where gold is wrong, the form of a run is checked nevertheless
        table = read(path, problems)
        if table is None or asked is None or order is None:
            continue
        if (array := _read_run(run, table, asked, order, notes, problems, gaps)) is not None:
            answers[run] = array
    if asked is None or order is None or problems.within(gold):
        return None
    return _task(name, asked, order, answers, notes, provenance, problems, ratings)


def _read_run(
    run: str,
    answers: Answers,
    gold: Answers,
    classes: Sequence[str],
    notes: list[Note],
    problems: Problems,
    gaps: Gaps,
) -> NDArray[Any] | None:
    """Return the answers of a run in gold's order, or None after reporting its faults."""
    before = len(problems)
    if sorted(answers.head) != sorted(gold.head) or bool(answers.classes) != bool(gold.classes):
        wanted = f"those of {gold.path.name}: {different_names(answers.head, gold.head)}"
        fix = f"give the run the header of {gold.path.name}"
        header_problem(answers.path, answers.head, wanted, fix, problems)
        return None
    answers = answers.answered()
    if gold.unjudged:
        answers = answers.kept(~among(answers.lines["key"], gold.unjudged))
    whole = answers.whole and gold.whole
    may_lack = bool(gaps) or not whole
    refuse(answers.path, checks(answers, classes, gold, may_lack=may_lack), problems)
    if len(problems) > before or not whole or problems.within(gold.path):
        return None
    places = places_of(answers.lines["key"], gold.lines["key"]).tolist()
    said = list(answers.notes)
    if (present := [place for place in places if place >= 0]) != sorted(present):
        said.append(f" lists the {gold.units[-1]}s in another order than the gold file.")
    if answers.classes != gold.classes:
        said.append(" lists the classes in another order than the gold file.")
    values: NDArray[Any] = answers.places(classes)
    if answers.classes:
        values = shares_of(answers, classes)
        said += [f": {note}" for note in notes_on_sums(answers)]
    notes += [Note(f"{run}{text}", "other", run) for text in said]
    return gaps.fill(run, places, values, 1 / len(classes) if answers.classes else 0)


def _task(
    name: str,
    gold: Answers,
    classes: Sequence[str],
    runs: Mapping[str, NDArray[Any]],
    notes: list[Note],
    provenance: Provenance,
    problems: Problems,
    ratings: Path | None,
) -> Task | None:
    """Return the task of gold data and runs without faults."""
    keys = list(gold.lines["key"])
    values: NDArray[Any] = gold.places(classes)
    if gold.classes:
        values = shares_of(gold, classes)
        notes = [*(Note(f"gold: {note}") for note in notes_on_sums(gold)), *notes]
    notes = [*(Note(f"gold{note}") for note in gold.notes), *notes]
    people: Annotators | None = None
    if ratings is not None and ratings.is_file():
        accepted = list[str]()
        people = read_annotators(ratings, keys, classes, values, problems, accepted)
        notes += as_notes(accepted)
    answers = np.array(list(runs.values()), dtype=values.dtype).reshape(-1, *values.shape)
    about: dict[str, Any] = {"name": name, "classes": tuple(classes), "runs": tuple(runs)}
    about["annotators"] = people
    topic, topics = pd.factorize(gold.lines["topic"])
    if gold.classes:
        first = np.unique(topic, return_index=True)[1]
        votes = tuple(gold.sums[first].astype(int).tolist()) if _are_votes(gold) else ()
        about["provenance"] = replace(provenance, notes=(*provenance.notes, *notes))
        about |= {"votes": votes, "_gold": values, "_estimates": answers}
        if gold.units[1:]:
            return NuggetTask(**about, topics=tuple(topics), _topic=topic)
        return QuantificationTask(**about, topics=tuple(keys))
    ties = find_ties(people.votes, people.rule, values) if people else None
    notes += [Note(ties.note)] if ties else []
    return ClassificationTask(
        **about,
        topics=tuple(topics),
        ties=ties,
        items=tuple(zip(gold.lines["topic"], gold.lines["item"], strict=True)),
        provenance=replace(provenance, notes=(*provenance.notes, *notes)),
        _gold=values,
        _predicted=answers,
        _topic=topic,
    )


def _are_votes(answers: Answers) -> bool:
    """Whether numbers are votes; a single 1 in each row says the same either way."""
    return answers.counts and bool((answers.sums != 1).any())


def shares_of(answers: Answers, classes: Sequence[str]) -> NDArray[np.float64]:
    """Return the distributions of answers without faults, (lines, classes)."""
    values = answers.values(classes)
    return values / answers.sums[:, None] if answers.counts else values


def notes_on_sums(answers: Answers) -> list[str]:
    """Say what was accepted of sums that are not 1."""
    if _are_votes(answers):
        percent = bool((answers.sums == 100).all())
        doubt = " Each sum is 100: if these are percentages, divide them by 100." if percent else ""
        return [f"counts, divided by their sums.{doubt}"]
    if not (worst := answers.off.max(initial=0)):
        return []
    return [
        f"sums miss 1 by up to {worst:.2g}, which the {answers.decimals} printed decimals explain "
        f"({answers.width} x half a unit = {answers.explained:.2g}); scored as printed."
    ]


def classes_of(
    gold: Answers, listed: Sequence[str] | None, notes: list[Note], problems: Problems
) -> list[str] | None:
    """Return the classes from lowest to highest, or None after reporting what is wrong with them.

    They are those that are listed, or whole numbers without a gap, which sort themselves.
    """
    with problems.collect(gold.path):
        if gold.classes:
            _check_header(gold, listed)
        if listed is not None:
            return list(listed)
        return _sorted(gold, notes)
    return None


def _sorted(gold: Answers, notes: list[Note]) -> list[str]:
    """Return classes that are whole numbers in order; refuse others."""
    names = gold.classes or [name for name in dict.fromkeys(gold.rows["label"]) if name.strip()]
    few_classes(max(len(names), 2), gold.path)
    words = [name for name in names if not name.removeprefix("-").isdecimal()]
    for place, name in enumerate(names):
        if same := meant([name], names[:place]):
            found = "the class {} beside {}".format(*told_apart(name, same[name]))
            rows = list(gold.rows["label"])
            line = 1 if gold.classes else int(gold.rows["line"][rows.index(name)])
            raise Wrong(gold.path, line=line, found=found, fix="write each class in one way")
    if words:
        place = list(gold.rows["label"]).index(words[0])
        line = 1 if gold.classes else int(gold.rows["line"][place])
        found = f"the classes {some(names)}, whose order no list says"
        raise Wrong(gold.path, line=line, found=found, fix=how_to_list(gold.path.parent, names))
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
