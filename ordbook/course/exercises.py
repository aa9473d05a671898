"""The exercises and solutions of the chapters, read from the pages themselves."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import nbformat
import pandas as pd
from IPython.display import Markdown
from nbformat import NotebookNode

from ordbook.show.parameters import chapter_names, notebook_of

KINDS: Mapping[str, str] = {
    "Compute": "by hand, on a few numbers",
    "Alter": "a cell of code that stands below the question, and see what changes",
    "Criticise": "the method, a claim or a choice",
}
LEVELS: Mapping[str, str] = {
    "Easy": "one definition of the chapter, once",
    "Medium": "two steps, or a result to explain",
    "Hard": "a counterexample, a proof or a cause to find",
}
# An exercise is its question, the cells that it starts from, and its solution in as many cells as
# it takes, between two marks.
DIRECTIVE = re.compile(
    r"^```\{(?P<name>exercise|solution-start|solution-end)\} *(?P<title>[^\n]*)\n"
    r"(?P<options>(?::[^\n]*\n)*)(?P<body>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
_LABEL = re.compile(r"^:label: (\S+)$", re.MULTILINE)
_LEVEL = re.compile(r"^\*(?P<level>\w+), (?P<minutes>\d+) minutes\. Trains: (?P<trains>.+)\.\*$")
_ORDER = (
    "an exercise is ```{exercise}, the cells it starts from, ```{solution-start} LABEL with "
    + ("the same label, the solution, ```{solution-end}")
)


@dataclass(frozen=True)
class Exercise:
    """An exercise of a chapter: its text, the cells to start from, and those of its solution.

    The label is what ``{ref}`` takes, and the title begins with one of ``KINDS``.
    """

    chapter: str
    label: str
    title: str
    level: str
    minutes: int
    trains: str
    text: str
    start: tuple[NotebookNode, ...]
    solution: tuple[NotebookNode, ...]
    folded: bool

    @property
    def kind(self) -> str:
        """The task in one word: the first of the title."""
        return self.title.split()[0]


def exercises(chapter: str | Path) -> list[Exercise]:
    """Return the exercises of a chapter, or of the notebook at a path, in its order.

    Raises
    ------
    ValueError
        If an exercise does not have exactly one solution after it, or does not say what kind it
        is, how hard it is, how long it takes and what it trains.
    """
    path = chapter if isinstance(chapter, Path) else notebook_of(chapter)
    notebook = nbformat.read(path, as_version=4)
    pieces = [pair for cell in notebook.cells for pair in _pieces(cell)]
    places = [place for place, (_, mark) in enumerate(pieces) if mark]
    marks = [mark for _, mark in pieces if mark]
    names = ("exercise", "solution-start", "solution-end")
    label = ""
    for number, mark in enumerate(marks):
        if match := _LABEL.search(mark["options"]):
            label = match[1]
        if mark["name"] != names[number % 3] or (number % 3 == 1 and mark["title"] != label):
            where = f"{path.name}, cell {pieces[places[number]][0].id}"
            place = f"{{{mark['name']}}} {mark['title']} is out of place"
            raise ValueError(f"{where}: {place}; {_ORDER}")
    if len(marks) % 3:
        raise ValueError(f"{path.name}, exercise {label}: no {{solution-end}}; {_ORDER}")
    cells = [cell for cell, _ in pieces]
    return [
        _exercise(
            path.stem,
            marks[k],
            tuple(cells[places[k] + 1 : places[k + 1]]),
            tuple(cells[places[k + 1] + 1 : places[k + 2]]),
            ":class: dropdown" in marks[k + 1]["options"],
        )
        for k in range(0, len(marks), 3)
    ]


def _pieces(cell: NotebookNode) -> Iterator[tuple[NotebookNode, re.Match[str] | None]]:
    """Divide a cell of text at its exercises and at the marks of solutions."""
    if cell.cell_type != "markdown":
        yield cell, None
        return
    place = 0
    for mark in [*DIRECTIVE.finditer(cell.source), None]:
        before = cell.source[place : mark.start() if mark else None].strip("\n")
        if re.search(r"\{(exercise|solution)", before):
            raise ValueError(f"cell {cell.id}: {before[:40]!r} is not closed; {_ORDER}")
        if before:
            yield nbformat.from_dict({**cell, "source": before}), None
        if mark:
            place = mark.end()
            yield cell, mark


def _exercise(
    chapter: str,
    asked: re.Match[str],
    start: tuple[NotebookNode, ...],
    solution: tuple[NotebookNode, ...],
    folded: bool,
) -> Exercise:
    label = _LABEL.search(asked["options"])[1]  # type: ignore[index]
    where = f"{chapter}.ipynb, exercise {label}"
    text, _, last = asked["body"].strip().rpartition("\n")
    match = _LEVEL.match(last)
    if match is None or match["level"] not in LEVELS:
        raise ValueError(
            f"{where}: its last line must be *LEVEL, N minutes. Trains: WHAT.*, "
            f"with one of the levels {', '.join(LEVELS)}"
        )
    if asked["title"].split()[0] not in KINDS:
        raise ValueError(f"{where}: its title must begin with one of {', '.join(KINDS)}")
    about = asked["title"], match["level"], int(match["minutes"]), match["trains"]
    return Exercise(chapter, label, *about, text.strip(), start, solution, folded)


def every_one() -> dict[str, list[Exercise]]:
    """Return chapter -> its exercises, chapters in the order of the book's table of contents."""
    by_chapter = {name: exercises(name) for name in chapter_names()}
    return {name: some for name, some in by_chapter.items() if some}


def title(chapter: str) -> str:
    """Return the heading of a chapter."""
    first = nbformat.read(notebook_of(chapter), as_version=4).cells[0].source
    return str(re.search(r"^# (.+)$", first, re.MULTILINE)[1])  # type: ignore[index]


def totals(by_chapter: Mapping[str, Sequence[Exercise]]) -> pd.DataFrame:
    """Count exercises by kind and level and add up their minutes, a row per chapter and a sum."""
    rows = {
        chapter: {
            **{kind: sum(exercise.kind == kind for exercise in some) for kind in KINDS},
            **{level: sum(exercise.level == level for exercise in some) for level in LEVELS},
            "all": len(some),
            "minutes": sum(exercise.minutes for exercise in some),
        }
        for chapter, some in by_chapter.items()
    }
    frame = pd.DataFrame.from_dict(rows, orient="index")
    frame.loc["the book"] = frame.sum()
    return frame


def listing(by_chapter: Mapping[str, Sequence[Exercise]]) -> Markdown:
    """Show the skills that exercises train in one table; each number links to its exercise."""
    lines = [
        ":::{list-table} All exercises of the book, in the order of its chapters.",
        ":header-rows: 1",
        ":stub-columns: 1",
        ":class: ordbook-table",
        ":name: teaching-exercises",
        "",
        "* - exercise",
        "  - chapter",
        "  - level",
        "  - it trains",
    ]
    for chapter, some in by_chapter.items():
        for exercise in some:
            lines += [
                f"* - {{ref}}`{exercise.label}`: {exercise.title}",
                f"  - {{doc}}`{chapter}`",
                f"  - {exercise.level.lower()}, {exercise.minutes} min",
                f"  - {exercise.trains}",
            ]
    return Markdown("\n".join([*lines, ":::"]))
