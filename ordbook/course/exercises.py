"""The exercises of the chapters and their solutions, read from the chapters themselves."""

import re
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path

import nbformat
import pandas as pd
from IPython.display import Markdown
from nbformat import NotebookNode

from ordbook.chapters.parameters import chapter_names, notebook_of

KINDS: Mapping[str, str] = {
    "Compute": "by hand, on a few numbers",
    "Alter": "the code of the chapter, and see what changes",
    "Criticise": "the method, a claim or a choice",
}
LEVELS: Mapping[str, str] = {
    "Easy": "one definition of the chapter, once",
    "Medium": "two steps, or a result to explain",
    "Hard": "a counterexample, a proof or a cause to find",
}
PROSE = "**Your answer:** *(double-click here and write)*"
CODE = "# Your answer, where code is asked for\n"
# A solution lies between two of these, in as many cells as it takes.
_MARK = re.compile(
    r"^```\{solution-(?P<which>start|end)\} *(?P<label>\S*)\n(?P<options>(?::.*\n)*)```$",
    re.MULTILINE,
)
_EXERCISE = re.compile(
    r"^```\{exercise\} (?P<title>[^\n]+)\n:label: (?P<label>\S+)\n(?P<text>.*?)\n```$",
    re.MULTILINE | re.DOTALL,
)
_LEVEL = re.compile(r"^\*(?P<level>\w+), (?P<minutes>\d+) minutes\. Trains: (?P<trains>.+)\.\*$")


@dataclass
class Solution:
    """One solution of a chapter.

    Attributes
    ----------
    label
        The exercise that it solves.
    folded
        Whether the reader has to open it.
    texts, codes
        Its cells: text, and code.
    """

    label: str
    folded: bool
    texts: list[str] = field(default_factory=list)
    codes: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Exercise:
    """One exercise of a chapter, with its solution.

    Attributes
    ----------
    chapter, label
        Where it is; the label is what ``{ref}`` takes.
    title, level, minutes, trains
        What it says of itself; the title begins with one of ``KINDS``.
    text
        What is asked, without the line on its level.
    solution
        The solution's text, its cells of code left out.
    code
        The solution's cells of code, which are executed with the chapter.
    folded
        Whether the reader has to open the solution.
    """

    chapter: str
    label: str
    title: str
    level: str
    minutes: int
    trains: str
    text: str
    solution: str
    code: tuple[str, ...]
    folded: bool

    @property
    def kind(self) -> str:
        """What is to be done: the first word of the title."""
        return self.title.split()[0]


def split(notebook: NotebookNode) -> list[NotebookNode | Solution]:
    """Return the cells of a chapter in order, with its solutions between them.

    A cell may hold the end of a solution and the next exercise: what stands outside solutions
    is a cell of its own then, and none that is empty is returned.

    Raises
    ------
    ValueError
        If a solution has no end, begins within another or is written in another way.
    """
    found: list[NotebookNode | Solution] = []
    inside: Solution | None = None
    for cell in notebook.cells:
        if cell.cell_type != "markdown":
            if inside:
                inside.codes.append(cell.source)
            else:
                found.append(deepcopy(cell))
            continue
        place = pieces = 0
        for mark in [*_MARK.finditer(cell.source), None]:
            text = cell.source[place : mark.start() if mark else None].strip("\n")
            if "{solution" in text:
                raise ValueError(
                    f"cell {cell.id}: a solution is not written as the others are; put it between "
                    "```{solution-start} LABEL and ```{solution-end}, each closed by ```"
                )
            if text and inside:
                inside.texts.append(text)
            elif text:
                found.append(_piece(cell, text, pieces))
                pieces += 1
            if mark is None:
                continue
            place = mark.end()
            starts = mark["which"] == "start"
            if starts == (inside is not None):
                what = "begins within another" if starts else "ends that did not begin"
                raise ValueError(f"cell {cell.id}: a solution {what}")
            inside = None
            if starts:
                inside = Solution(mark["label"], ":class: dropdown" in mark["options"])
                found.append(inside)
    if inside:
        raise ValueError("a solution has no {solution-end}")
    return found


def _piece(cell: NotebookNode, text: str, number: int) -> NotebookNode:
    """Return a cell with some of the text of another."""
    piece = deepcopy(cell)
    piece.source = text
    piece.id = cell.id if number == 0 else f"{cell.id[:56]}-{number}"
    return piece


def without_solutions(notebook: NotebookNode) -> NotebookNode:
    """Return the chapter with empty cells, "your answer", in the place of its solutions.

    Raises
    ------
    ValueError
        As :func:`split`.
    """
    kept: list[NotebookNode] = []
    answers = 0
    for part in split(notebook):
        if isinstance(part, Solution):
            answers += 1
            kept.append(nbformat.v4.new_markdown_cell(PROSE, id=f"answer-{answers}"))
            kept.append(nbformat.v4.new_code_cell(CODE, id=f"answer-{answers}-code"))
        else:
            kept.append(part)
    stripped = deepcopy(notebook)
    stripped.cells = kept
    return stripped


def exercises(chapter: str | Path) -> list[Exercise]:
    """Return the exercises of a chapter, in its order.

    Parameters
    ----------
    chapter
        The name of a chapter of the book, or the path of a notebook.

    Raises
    ------
    ValueError
        If an exercise does not have exactly one solution, or does not say what kind it is, how
        hard it is, how long it takes and what it trains.

    Examples
    --------
    >>> first = exercises("measures")[0]
    >>> first.label, first.kind, first.level, first.minutes
    ('measures-ex-divergence', 'Compute', 'Easy', 10)
    """
    path = chapter if isinstance(chapter, Path) else notebook_of(chapter)
    asked: list[re.Match[str]] = []
    solutions: dict[str, list[Solution]] = {}
    for part in split(nbformat.read(path, as_version=4)):
        if isinstance(part, Solution):
            solutions.setdefault(part.label, []).append(part)
        elif part.cell_type == "markdown":
            asked += _EXERCISE.finditer(part.source)
    found = [_exercise(path, one, solutions.pop(one["label"], [])) for one in asked]
    if solutions:
        raise ValueError(f"{path.name}: solutions without an exercise: {', '.join(solutions)}")
    return found


def _exercise(path: Path, found: re.Match[str], solutions: Sequence[Solution]) -> Exercise:
    where = f"{path.name}, exercise {found['label']}"
    if len(solutions) != 1:
        raise ValueError(f"{where}: it has {len(solutions)} solutions; write exactly one")
    text, _, last = found["text"].strip().rpartition("\n")
    said = _LEVEL.match(last)
    if said is None or said["level"] not in LEVELS:
        raise ValueError(
            f"{where}: its last line must be *LEVEL, N minutes. Trains: WHAT.*, "
            f"with one of the levels {', '.join(LEVELS)}"
        )
    if found["title"].split()[0] not in KINDS:
        raise ValueError(f"{where}: its title must begin with one of {', '.join(KINDS)}")
    return Exercise(
        path.stem,
        found["label"],
        found["title"],
        said["level"],
        int(said["minutes"]),
        said["trains"],
        text.strip(),
        "\n".join(solutions[0].texts).strip(),
        tuple(solutions[0].codes),
        solutions[0].folded,
    )


def every_one() -> dict[str, list[Exercise]]:
    """Return chapter -> its exercises, chapters in the order of the book's table of contents."""
    found = {name: exercises(name) for name in chapter_names()}
    return {name: some for name, some in found.items() if some}


def totals(found: Mapping[str, Sequence[Exercise]]) -> pd.DataFrame:
    """Count exercises by kind and level and add up their minutes, a row per chapter and a sum."""
    rows = {
        chapter: {
            **{kind: sum(one.kind == kind for one in some) for kind in KINDS},
            **{level: sum(one.level == level for one in some) for level in LEVELS},
            "all": len(some),
            "minutes": sum(one.minutes for one in some),
        }
        for chapter, some in found.items()
    }
    frame = pd.DataFrame.from_dict(rows, orient="index")
    frame.loc["the book"] = frame.sum()
    return frame


def listing(some: Sequence[Exercise]) -> Markdown:
    """Show what the exercises of a chapter train, each with its number, which links to it."""
    (chapter,) = {one.chapter for one in some}
    lines = [
        f":::{{list-table}} Exercises of {{ref}}`{chapter}`.",
        ":header-rows: 1",
        ":stub-columns: 1",
        ":class: ordbook-table",
        f":name: teaching-{chapter.replace('_', '-')}",
        "",
        "* - exercise",
        "  - level",
        "  - what it trains",
    ]
    for one in some:
        lines += [
            f"* - {{ref}}`{one.label}`: {one.title}",
            f"  - {one.level.lower()}, {one.minutes} min",
            f"  - {one.trains}",
        ]
    return Markdown("\n".join([*lines, ":::"]))
