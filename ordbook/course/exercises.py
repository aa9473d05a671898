r"""The exercises of the chapters, read from the chapters themselves.

Contents
--------
KINDS        the three kinds of exercises, as their titles begin
LEVELS       how hard they are
Exercise     one exercise with its solution
exercises    the exercises of a chapter
every_one    chapter -> its exercises, in the order of the book
totals       how many of each kind and level, and how long they take, a row per chapter
listing      what every exercise of a chapter trains -> a table with links
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import nbformat
import pandas as pd
from IPython.display import Markdown

from ordbook.chapters.parameters import chapter_names, notebook_of
from ordbook.course.solutions import Solution, split

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
_EXERCISE = re.compile(
    r"^```\{exercise\} (?P<title>[^\n]+)\n:label: (?P<label>\S+)\n(?P<text>.*?)\n```$",
    re.MULTILINE | re.DOTALL,
)
_LEVEL = re.compile(r"^\*(?P<level>\w+), (?P<minutes>\d+) minutes\. Trains: (?P<trains>.+)\.\*$")


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
        ":class: dropdown" in solutions[0].options,
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
