"""A chapter's second cell: parameters checked, data loaded, and where the numbers come from.

Contents
--------
start       check the parameters of a chapter and load its data

What chapters there are stands in :mod:`ordbook.book.chapters`, how data are loaded in
:mod:`ordbook.book.places`, and what ``start`` returns in :mod:`ordbook.book.chapter_run`.
"""

import json
import re
from hashlib import sha256
from importlib.metadata import version

import numpy as np
from IPython.display import Markdown, display

from ordbook.book.admonitions import Myst
from ordbook.book.chapter_run import ClaimError as ClaimError
from ordbook.book.chapter_run import Run as Run
from ordbook.book.chapter_run import verify as verify
from ordbook.book.chapters import CHAPTERS as CHAPTERS
from ordbook.book.chapters import (
    NUMBERS,
    TAGGED,
    notebook_of,
    require_chapter,
)
from ordbook.book.chapters import check_number as check_number
from ordbook.book.chapters import split_classes as split_classes
from ordbook.book.places import kind as kind
from ordbook.book.places import load_part as load_part
from ordbook.book.show import escape_markdown
from ordbook.book.two_runs import named_runs
from ordbook.data.catalog import catalog
from ordbook.data.loading import Task
from ordbook.measures import import_measures

# What an edition about other data says at its top: the text between the cells is the book's.
OTHER_DATA = """:::{{important}}
This edition is about **{names}**. Its tables and figures, and the sentences below the code, are
computed from these data, but for examples by hand, and for what is drawn at random to show what
measures do, which are the book's. Its pages leave out the papers' own tables. The text in between
was written for the book: where it speaks of the paper or of its data, it does not speak of yours.
:::"""


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
    require_chapter(chapter)
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
    if chapter not in TAGGED and not all(run.on_papers_data(part) for part in tasks):
        names = " and ".join(escape_markdown(task.name) for task in tasks.values() if task)
        display(Myst(OTHER_DATA.format(names=names)))
    return run


def _book_numbers(chapter: str) -> dict[str, int]:
    """Return trials, splits, seeds and seed as the chapter's own parameters have them."""
    notebook = json.loads(notebook_of(chapter).read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        if "parameters" in cell["metadata"].get("tags", []):
            lines = re.findall(r"^(\w+): int = (\d+)", "".join(cell["source"]), re.MULTILINE)
            return {name: int(value) for name, value in lines}
    raise ValueError(f"{chapter} has no cell of parameters")


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
    sums = task.provenance.files
    checksum = next(iter(sums.values()), "none")[:12]
    if len(sums) > 1:
        every = "".join(f"{found}  {file}\n" for file, found in sums.items())
        checksum += f"…, of all {len(sums)} files {sha256(every.encode()).hexdigest()[:12]}"
    ours = sum(file.startswith("data/runs/") for file in sums)
    if ours:
        origin += f"; {ours} of the runs are systems of our own"
    line = (
        f"- **{escape_markdown(task.name)}** ({kind(task)}): {len(task.topics)} topics, "
        f"{len(task.runs)} runs, {len(task.classes)} classes; {origin}; gold file sha256 "
        f"{checksum}…; ordbook {version('ordbook')}, numpy {np.__version__}"
    )
    return "\n".join([line, *(f"  - {escape_markdown(note)}" for note in task.provenance.notes)])
