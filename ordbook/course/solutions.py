"""Tells the solutions of a chapter from the rest of it, and takes them out.

Contents
--------
Solution            one solution: its text and its cells of code
split               the cells of a chapter, with its solutions between them
without_solutions   the chapter with empty cells in the place of its solutions
solutions_of        what the solutions of a chapter say, in text and code
"""

import re
from copy import deepcopy
from dataclasses import dataclass, field

import nbformat
from nbformat import NotebookNode

_BEGIN = re.compile(r"^(`{3,}|:{3,})\{solution(?P<start>-start)?\} *(?P<label>\S*)")
_END = re.compile(r"^(`{3,}|:{3,})\{solution-end\}")
PROSE = "**Your answer:** *(double-click here and write)*"
CODE = "# Your answer, where code is asked for\n"


@dataclass
class Solution:
    """One solution of a chapter.

    Attributes
    ----------
    label
        The exercise that it solves.
    options
        The lines under the name of its directive, such as ``:class: dropdown``.
    texts
        Its text, a string for each cell that it is written in.
    codes
        Its cells of code.
    """

    label: str
    options: list[str]
    texts: list[str] = field(default_factory=list)
    codes: list[str] = field(default_factory=list)


def without_solutions(notebook: NotebookNode) -> NotebookNode:
    """Return the chapter with empty cells, "your answer", in the place of its solutions.

    Raises
    ------
    ValueError
        If a solution has no end or begins within another.
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


def solutions_of(notebook: NotebookNode) -> tuple[list[str], list[str]]:
    """Return the lines of text and the lines of code that are only in solutions."""
    found = [part for part in split(notebook) if isinstance(part, Solution)]
    texts = [line for one in found for text in one.texts for line in text.split("\n")]
    return texts, [line for one in found for code in one.codes for line in code.split("\n")]


def split(notebook: NotebookNode) -> list[NotebookNode | Solution]:
    """Return the cells of a chapter in order, with its solutions between them.

    A cell may hold the end of a solution and the next exercise: what stands outside solutions
    is a cell of its own then, and none that is empty is returned.

    Raises
    ------
    ValueError
        If a solution has no end or begins within another.
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
        lines = cell.source.split("\n")
        start = place = pieces = 0
        while place <= len(lines):
            last = place == len(lines)
            begin = None if last else _BEGIN.match(lines[place])
            end = None if last else _END.match(lines[place])
            if begin and inside:
                raise ValueError(f"cell {cell.id}: a solution begins within another")
            if end and not inside:
                raise ValueError(f"cell {cell.id}: a solution ends that did not begin")
            if not (begin or end or last):
                place += 1
                continue
            text = "\n".join(lines[start:place]).strip("\n")
            if inside and text:
                inside.texts.append(text)
            elif text:
                found.append(_piece(cell, text, pieces))
                pieces += 1
            if last:
                break
            close = _close(lines, place)
            if begin:
                body = lines[place + 1 : close]
                inside = Solution(begin["label"], body)
                found.append(inside)
                if not begin["start"]:
                    inside.texts.append("\n".join(body))
            if end or (begin and not begin["start"]):
                inside = None
            start = place = close + 1
    if inside:
        raise ValueError("a solution has no {solution-end}")
    return found


def _piece(cell: NotebookNode, text: str, number: int) -> NotebookNode:
    """Return a cell with some of the text of another."""
    piece = deepcopy(cell)
    piece.source = text
    piece.id = cell.id if number == 0 else f"{cell.id[:56]}-{number}"
    return piece


def _close(lines: list[str], start: int) -> int:
    """Return the place of the line that closes a directive."""
    mark = lines[start][0]
    length = len(lines[start]) - len(lines[start].lstrip(mark))
    closing = re.compile(rf"^{mark}{{{length},}}\s*$")
    for place in range(start + 1, len(lines)):
        if closing.match(lines[place]):
            return place
    raise ValueError(f"{lines[start]!r} is not closed")
