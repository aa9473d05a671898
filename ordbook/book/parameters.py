"""A chapter's second cell and its last: parameters checked, verdicts held to their claims.

Contents
--------
CHAPTERS   chapter -> its data parameters and the paper's own data for each
NUMBERS    parameters that are whole numbers, with their limits
Run        what ``start`` returns: the tasks of this edition, and its comparisons
start      check the parameters of a chapter and load its data
load_part  load the data of one parameter
seeds_for  how many seeds a chapter takes on a task of some size
verify     compare the verdicts with what the chapter claims; raise where they part
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from IPython.display import Markdown, display
from myst_nb import glue

from ordbook.book.show import comparison, escape_markdown, prose
from ordbook.book.two_runs import named_runs
from ordbook.data.catalog import RawDataMissing, catalog
from ordbook.data.loading import Task, load
from ordbook.data.nuggets import NuggetTask
from ordbook.data.paths import share
from ordbook.data.scoretask import ScoresTask
from ordbook.data.tasks import ClassificationTask
from ordbook.measures import Measure, import_measures
from ordbook.papers.comparison import Comparison, OtherVerdict, Ours, compare
from ordbook.papers.verdicts import RECOMPUTED

# A data parameter is named after the kind of task it takes; its default is the paper's own data.
CHAPTERS: Mapping[str, Mapping[str, str]] = {
    "measures": {"classification": "sem16t4c", "quantification": "sem16t4e"},
    "acl21": {"classification": "sem16t4c", "quantification": "sem16t4e"},
    "official": {"classification": "sem16t4c", "quantification": "sem16t4e"},
    "lq21": {"quantification": "sem16t4e"},
    "dnkt": {"quantification": "sem16t4e"},
    "dialeval1": {"quantification": "stc3-dq-a", "nuggets": "stc3-nd"},
    "your_data": {"classification": "fair-oc", "quantification": "fair-oq"},
    "topics": {"classification": "sem16t4c", "quantification": "sem16t4e"},
    "sigir18": {"quantification": "dbdc3"},
}
# Least and largest value of the parameters that are numbers.
NUMBERS: Mapping[str, tuple[int, int]] = {
    "trials": (100, 10_000_000),
    "splits": (10, 1_000_000),
    "seeds": (100, 100_000),
    "seed": (0, 2**63 - 1),
}
# Tasks of a folder in NTCIR's format; one of them is chosen by ``PATH#A``.
QUALITY = ("A", "E", "S")
# Chapters that repeat randomised tables once for every seed: 1,000 seeds in the book. What that
# costs grows with the pairs of runs and the topics. On a task with more of them than SemEval-2016
# the seeds are fewer in proportion, and the page says so; trials and splits stay the papers'.
SCALED = ("acl21", "lq21", "dnkt")
BOOK_SEEDS, FEWEST_SEEDS = 1000, 100
PAPER_PAIRS, PAPER_TOPICS = 66, 100
SEEDS_SAID = """:::{{note}}
What says how far chance moves a table comes from {seeds} seeds here, and from 1,000 in the book:
{pairs} pairs of runs on {topics} topics take {times} times as long as SemEval-2016's. Trials and
splits are not fewer for that. `ordbook rerun … -p seeds=1000` takes as many seeds as the book.
:::"""
# Names of printed tables in ``data/published``: 2i, figure1ii, s6.3, "9i left".
_TABLE = re.compile(r"(figure|s|)(\d[\d.]*)([a-zIVX]*)( .*)?")
_KINDS = {"": "Table", "figure": "Figure", "s": "Section"}
# What an edition about other data says at its top: the text between the cells is the book's.
OTHER_DATA = """:::{{important}}
This edition is about **{names}**. Its tables, figures and the sentences below the code are
computed from these data. The text in between was written for the book: where it speaks of the
paper or of its data, it does not speak of yours.
:::"""


class ClaimError(ValueError):
    """The verdicts of a chapter are not what the chapter claims."""


@dataclass(frozen=True)
class Run:
    """One execution of a chapter.

    Attributes
    ----------
    chapter
        Its name.
    tasks
        Data parameter -> task, or None where the parameter is empty.
    comparisons
        Printed table -> how it compares, filled by :meth:`compare`; None where it was idle.
    own
        Measures of the reader's, from the parameter ``own``.
    book_numbers
        Whether trials, splits and seeds are those of the book, for which the ledger's verdicts
        were found.
    """

    chapter: str
    tasks: Mapping[str, Task | None]
    comparisons: dict[str, Comparison | None] = field(default_factory=dict)
    own: tuple[Measure, ...] = ()
    book_numbers: bool = True

    def measures(self, part: str, names: Sequence[str]) -> list[str | Measure]:
        """Return the measures of an analysis: the paper's, then the reader's of that kind.

        To be given to :func:`ordbook.score`, whose matrix then has all of them.
        """
        return [*names, *(measure for measure in self.own if measure.kind == part)]

    def task(self, part: str) -> Task:
        """Return the task of a part; use :meth:`has` first."""
        task = self.tasks[part]
        if task is None:
            raise ValueError(f"this edition of {self.chapter} has no {part} task")
        return task

    def has(self, part: str) -> bool:
        """Return whether this edition has data for a part; where not, show why it is idle."""
        if self.tasks[part] is not None:
            return True
        _idle(f"This edition has no {part} task, so there is nothing to compute here.")
        return False

    def on_papers_data(self, part: str) -> bool:
        """Return whether a part runs on the data of the paper."""
        task = self.tasks[part]
        return (
            task is not None
            and task.name == CHAPTERS[self.chapter][part]
            and task.provenance.source in ("raw", "committed")
        )

    def has_papers_data(self, *parts: str, about: str = "") -> bool:
        """Return whether these parts run on the data of the paper; where not, show it.

        Parameters
        ----------
        parts
            By default all.
        about
            What the cells that follow are about, where that is not the chapter's own data.
        """
        parts = parts or tuple(self.tasks)
        if all(self.on_papers_data(part) for part in parts):
            return True
        data = about or " and ".join(CHAPTERS[self.chapter][part] for part in parts)
        _idle(f"What follows is about {data}; this edition is about other data.")
        return False

    def compare(
        self,
        table: str,
        caption: str,
        part: str | None = None,
        name: str = "",
        *,
        ours: Ours | Callable[[], Ours] = None,
        printed: Callable[[], pd.DataFrame] | None = None,
        about: str = "",
        layout: Callable[[str, str], tuple[str, str]] | None = None,
        **options: Any,
    ) -> None:
        """Compare a printed table and show it, if this edition runs on the data it is about.

        Parameters
        ----------
        table
            As for :func:`ordbook.compare`.
        caption, name
            As for :func:`ordbook.book.show.comparison`.
        part
            The data parameter whose default the table was printed for; by default all. ``""``
            for a table that is about no data.
        ours
            As for :func:`ordbook.compare`, or a function that gives it, called only where the
            table is compared.
        printed
            A function that gives the printed values where they are in raw files. Where it
            raises RawDataMissing, the table is idle.
        about
            The data that the table is about, where they are not the chapter's own.
        layout
            Printed row and column -> those to show, for tables with several numbers in a cell.
        options
            Passed on to :func:`ordbook.compare`.
        """
        parts = list(self.tasks) if part is None else [part] if part else []
        compared, summary = None, "idle: other data"
        if all(self.on_papers_data(name) for name in parts):
            try:
                values = printed() if printed else None
                recomputed = ours() if callable(ours) else ours
                compared = compare(self.chapter, table, recomputed, printed=values, **options)
                summary = compared.summary()
                display(comparison(compared, caption, name, layout))
                if remarks := _remarks(compared):
                    display(Markdown(remarks))
            except RawDataMissing as missing:
                _idle(f"{_called(table, caption)} cannot be compared here: {missing}.")
                summary = "idle: raw files absent"
            except OtherVerdict as other:
                if self.book_numbers:
                    raise
                _idle(
                    f"{_called(table, caption)} comes to other verdicts with this edition's "
                    f"numbers of trials, splits or seeds than with the book's: {other}."
                )
                summary = "idle: other numbers of trials, splits or seeds"
        else:
            data = about or " and ".join(CHAPTERS[self.chapter][name] for name in parts)
            what = _called(table, caption)
            _idle(f"{what} was printed for {data}; this edition is about other data.")
        self._keep(table, compared, summary)

    def compare_all(
        self,
        tables: Mapping[str, str | None],
        caption: str,
        name: str,
        *,
        ours: Mapping[str, Ours | Callable[[], Ours]] | None = None,
        about: str,
        layout: Callable[[str, str], tuple[str, str]] | None = None,
    ) -> None:
        """Compare several printed tables as :meth:`compare` does; one note names the idle ones.

        Parameters
        ----------
        tables
            Table -> the data parameter whose default it was printed for; None for all.
        caption, name
            With ``{}`` where the table is named.
        ours
            Table -> values of ours, for those that have some.
        about
            The data that the tables are about.
        layout
            As for :meth:`compare`.
        """
        idle = []
        for table, part in tables.items():
            if all(self.on_papers_data(one) for one in ([part] if part else self.tasks)):
                self.compare(
                    table,
                    caption.format(table),
                    part,
                    name.format(table),
                    ours=(ours or {}).get(table),
                    about=about,
                    layout=layout,
                )
            else:
                idle.append(table)
                self._keep(table, None, "idle: other data")
        if idle:
            *some, last = idle
            named = f"Tables {', '.join(some)} and {last} were" if some else f"Table {last} was"
            _idle(f"{named} printed for {about}; this edition is about other data.")

    def _keep(self, table: str, compared: Comparison | None, summary: str) -> None:
        """Keep a comparison, and its summary for the list at the top of the page."""
        self.comparisons[table] = compared
        glue(f"{self.chapter}-{table}", summary, display=False)


def start(chapter: str, **parameters: object) -> Run:
    """Check a chapter's parameters, load its data and say where the numbers come from.

    Parameters
    ----------
    chapter
        Name of the chapter.
    parameters
        One per data parameter of the chapter: a catalogue name or a path, or "" to leave that
        part idle; and ``classes``: labels from lowest to highest, separated by commas, for data
        read from a path whose labels are not -2 to 2. Chapters that take measures of your own
        also have ``own``, as for :func:`ordbook.measures.import_measures`; those with random
        trials have whole numbers as in ``NUMBERS``; those that compare two runs have ``runs``,
        two names separated by a comma, or "".

    Raises
    ------
    ValueError
        If a name, type or value is not possible; the message says what is.
    """
    if chapter not in CHAPTERS:
        raise ValueError(f"no chapter {chapter!r}; there are {', '.join(CHAPTERS)}")
    known = [*CHAPTERS[chapter], "classes"]
    for name, value in parameters.items():
        if name not in (*known, "own", "runs", *NUMBERS):
            raise ValueError(f"{chapter} has no parameter {name!r}; it has {', '.join(known)}")
        if name in NUMBERS:
            check_number(name, value)
        elif not isinstance(value, str):
            raise ValueError(f"{name} must be text, not {value!r}")
    if missing := [name for name in known if name not in parameters]:
        raise ValueError(f"{chapter} also needs the parameter {missing[0]!r}")
    classes = split_classes(str(parameters["classes"]))
    tasks: dict[str, Task | None] = {}
    for part in CHAPTERS[chapter]:
        data = str(parameters[part])
        tasks[part] = load_part(part, data, classes) if data else None
        if tasks[part] is not None and kind(tasks[part]) != part:
            raise ValueError(f"{part}={data!r}: this is a {kind(tasks[part])} task")
    if not any(tasks.values()):
        raise ValueError(f"{chapter}: every part is idle; name data for {' or '.join(tasks)}")
    display(Markdown("\n".join(_provenance(task) for task in tasks.values() if task is not None)))
    own = import_measures(str(parameters.get("own", "")))
    for measure in own:
        if tasks.get(measure.kind) is None:
            raise ValueError(f"{measure.name}: this edition has no {measure.kind} task to score")
    for task in tasks.values():
        named_runs(str(parameters.get("runs", "")), task.runs if task else ())
    given = {name: int(str(value)) for name, value in parameters.items() if name in NUMBERS}
    book = _book_numbers(chapter)
    run = Run(
        chapter, tasks, own=own, book_numbers=all(book[name] == given[name] for name in given)
    )
    if own:
        names = ", ".join(escape_markdown(measure.name) for measure in own)
        display(Markdown(f"- measures of your own: {names}"))
    if not all(run.on_papers_data(part) for part in tasks):
        names = " and ".join(escape_markdown(task.name) for task in tasks.values() if task)
        display(Markdown(OTHER_DATA.format(names=names)))
        _say_seeds(run, parameters.get("seeds"))
    return run


def _book_numbers(chapter: str) -> dict[str, int]:
    """Return trials, splits, seeds and seed as the chapter's own parameters have them."""
    notebook = json.loads(share("book", f"{chapter}.ipynb").read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        if "parameters" in cell["metadata"].get("tags", []):
            lines = re.findall(r"^(\w+): int = (\d+)", "".join(cell["source"]), re.MULTILINE)
            return {name: int(value) for name, value in lines}
    raise ValueError(f"{chapter} has no cell of parameters")


def seeds_for(task: Task) -> int:
    """Return how many seeds a chapter takes on a task of this size, where nobody says.

    Examples
    --------
    >>> seeds_for(load("sem16t4e"))      # 66 pairs of runs, 100 topics
    1000
    >>> seeds_for(load("stc3-dq-a"))     # 120 pairs, 390 topics
    141
    """
    size = _pairs(task) * len(task.topics)
    seeds = BOOK_SEEDS * PAPER_PAIRS * PAPER_TOPICS // max(size, 1)
    return int(min(BOOK_SEEDS, max(FEWEST_SEEDS, seeds)))


def _pairs(task: Task) -> int:
    return len(task.runs) * (len(task.runs) - 1) // 2


def _say_seeds(run: Run, seeds: object) -> None:
    """Show that there are fewer seeds than in the book, where the size of the task made it so."""
    if run.chapter not in SCALED:
        return
    tasks = [task for part, task in run.tasks.items() if task and not run.on_papers_data(part)]
    for task in tasks[:1]:
        if seeds == seeds_for(task) < BOOK_SEEDS:
            pairs, topics = _pairs(task), len(task.topics)
            times = f"{pairs * topics / (PAPER_PAIRS * PAPER_TOPICS):.1f}"
            said = SEEDS_SAID.format(seeds=seeds, pairs=pairs, topics=topics, times=times)
            display(Markdown(said))


def verify(run: Run, claims: Mapping[str, Mapping[str, int]]) -> Markdown:
    """Hold the verdicts of a chapter to its claims.

    Parameters
    ----------
    run
        From :func:`start`, after every comparison of the chapter.
    claims
        Printed table -> verdict -> number of cells, for the verdicts that need a value of ours
        or say that something is wrong. What only follows from other printed numbers, or cannot be
        checked, is the audit's to claim.

    Raises
    ------
    ClaimError
        If a table's verdicts are not the claimed ones, or a compared table is not claimed.
    """
    if run.comparisons.keys() != claims.keys():
        raise ClaimError(
            f"{run.chapter} compares tables {', '.join(run.comparisons)} "
            f"and claims verdicts for {', '.join(claims)}"
        )
    checked = {table: c for table, c in run.comparisons.items() if c is not None}
    for table, compared in checked.items():
        found = {status: n for status, n in compared.counts().items() if status in RECOMPUTED}
        if found != dict(claims[table]):
            raise ClaimError(
                f"Table {table} of {run.chapter}: claimed {dict(claims[table])}, found {found}"
            )
    if not run.comparisons:
        return prose("This chapter compares no printed table; its values by hand are asserted.")
    if not checked:
        return prose("Nothing to verify: every printed table is idle in this edition.")
    cells = sum(len(compared.cells) for compared in checked.values())
    return prose(
        "Verified: the verdicts of {cells} printed values in {tables} tables are what this "
        "chapter claims.",
        cells=cells,
        tables=len(checked),
    )


def load_part(part: str, data: str | Path, classes: Sequence[str] | None) -> Task:
    """Load the data of a parameter: of NTCIR files, ``nuggets`` takes the nuggets.

    ``PATH#A`` is the task A of a folder in NTCIR's format, and ``PATH#nugget`` its nuggets.
    """
    if isinstance(data, str) and data in catalog():
        return load(data)
    place, mark, chosen = str(data).rpartition("#")
    if mark and chosen in (*QUALITY, "nugget") and not Path(data).exists():
        task = load(place, classes=classes, part=chosen)
        if not isinstance(task, ScoresTask):
            return replace(task, name=f"{task.name} {chosen}")
    return load(data, part="nugget") if part == "nuggets" else load(data, classes=classes)


def kind(task: Task | None) -> str:
    """Return ``classification``, ``quantification``, ``nuggets`` or ``scores``."""
    if isinstance(task, ScoresTask):
        return "scores"
    if isinstance(task, NuggetTask):
        return "nuggets"
    return "classification" if isinstance(task, ClassificationTask) else "quantification"


def check_number(name: str, value: object) -> int:
    """Return a whole number of a parameter in ``NUMBERS``, given as a number or as digits."""
    low, high = NUMBERS[name]
    try:
        if isinstance(value, bool) or not isinstance(value, int | str):
            raise ValueError
        number = int(value)
    except ValueError:
        raise ValueError(f"{name} must be a whole number, not {value!r}") from None
    if not low <= number <= high:
        raise ValueError(f"{name} must lie between {low} and {high}, not {number}")
    return number


def split_classes(classes: str) -> list[str] | None:
    """``"low,mid,high"`` -> the labels in order; an empty string -> None."""
    labels = [label.strip() for label in classes.split(",")]
    if labels == [""]:
        return None
    if "" in labels:
        raise ValueError(f"classes={classes!r}: there is an empty label; separate labels by commas")
    return labels


def _provenance(task: Task) -> str:
    """Say in one line data, size, where the numbers come from and versions; then the notes."""
    origin = {
        "raw": "scores recomputed from the raw files and equal to the committed ones",
        "committed": "committed scores, computed by this project from the organisers' files",
        "simulated": "SIMULATED data",
        "yours": "your data",
    }[task.provenance.source]
    known = catalog().get(task.name)
    if task.provenance.source == "raw" and known and known.format == "embedded":
        origin = "real data that travel with ordbook, and runs of systems of our own"
    checksum = next(iter(task.provenance.files.values()), "none")[:12]
    ours = sum(file.startswith("data/runs/") for file in task.provenance.files)
    if ours:
        origin += f"; {ours} of the runs are systems of our own"
    line = (
        f"- **{escape_markdown(task.name)}** ({kind(task)}): {len(task.topics)} topics, "
        f"{len(task.runs)} runs, {len(task.classes)} classes; {origin}; gold file sha256 "
        f"{checksum}…; ordbook {version('ordbook')}, numpy {np.__version__}"
    )
    return "\n".join([line, *(f"  - {escape_markdown(note)}" for note in task.provenance.notes)])


def _remarks(compared: Comparison) -> str:
    """Write what a table cannot hold: why cells do not come out, and how they were read."""
    cells = compared.cells
    wrong = cells[cells["verdict"].isin(["close", "differs", "erratum", "open"])]
    lines = []
    for reason, places in wrong.groupby("reason", sort=False):
        where = "; ".join(f"{cell.row}, {cell.column}" for cell in places.itertuples(index=False))
        lines.append(f"- **{escape_markdown(where)}**: {escape_markdown(reason)}")
    absent = cells.loc[cells["verdict"] == "not public", "reason"].unique()
    lines += [f"- Not public: {escape_markdown(reason)}." for reason in absent]
    if notes := [note.removeprefix("part: ") for note in cells["note"].unique() if note]:
        lines += ["", ":::{admonition} How the printed values were read", ":class: dropdown"]
        lines += ["", *(f"- {escape_markdown(note)}" for note in notes), ":::"]
    return "\n".join(lines)


def _called(table: str, caption: str) -> str:
    """Return ``Table 2(i)``, ``Figure 1(ii)`` or ``Section 6.3``; others by their caption."""
    found = _TABLE.fullmatch(table)
    if not found:
        return caption.rstrip(".")
    kind, number, part, side = found.groups(default="")
    return f"{_KINDS[kind]} {number}{f'({part})' if part else ''}{side}"


def _idle(reason: str) -> None:
    display(Markdown(f":::{{note}}\nIdle. {escape_markdown(reason)}\n:::"))
