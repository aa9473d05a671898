"""Takes the solutions of exercises out of a chapter.

Contents
--------
without_solutions   the chapter with empty cells in the place of its solutions
solutions_of        what the solutions of a chapter say, in text and code
"""

import re
from copy import deepcopy

import nbformat
from nbformat import NotebookNode

_START = re.compile(r"^(`{3,}|:{3,})\{solution-start\}")
_END = re.compile(r"^(`{3,}|:{3,})\{solution-end\}")
_WHOLE = re.compile(r"^(`{3,}|:{3,})\{solution\}")
PROSE = "**Your answer:** *(double-click here and write)*"
CODE = "# Your answer, where code is asked for\n"


def without_solutions(notebook: NotebookNode) -> NotebookNode:
    """Return the chapter with empty cells, "your answer", in the place of its solutions.

    Raises
    ------
    ValueError
        If a solution has no end or begins within another.
    """
    return _split(notebook)[0]


def solutions_of(notebook: NotebookNode) -> tuple[list[str], list[str]]:
    """Return the lines of text and the lines of code that are only in solutions."""
    _, texts, codes = _split(notebook)
    return texts, codes


def _split(notebook: NotebookNode) -> tuple[NotebookNode, list[str], list[str]]:
    """Walk through the cells; a cell may hold the end of a solution and the next exercise."""
    kept: list[NotebookNode] = []
    texts: list[str] = []
    codes: list[str] = []
    inside, answers = False, 0

    def ask() -> None:
        nonlocal answers
        answers += 1
        kept.append(nbformat.v4.new_markdown_cell(PROSE, id=f"answer-{answers}"))
        kept.append(nbformat.v4.new_code_cell(CODE, id=f"answer-{answers}-code"))

    for cell in notebook.cells:
        if cell.cell_type != "markdown":
            if inside:
                codes.extend(cell.source.split("\n"))
            else:
                kept.append(deepcopy(cell))
            continue
        part: list[str] = []
        parts = 0

        def keep(cell: NotebookNode = cell, part: list[str] = part) -> None:
            nonlocal parts
            text = "\n".join(part).strip("\n")
            part.clear()
            if text:
                copy = deepcopy(cell)
                copy.source = text
                copy.id = cell.id if parts == 0 else f"{cell.id[:56]}-{parts}"
                parts += 1
                kept.append(copy)

        lines = cell.source.split("\n")
        place = 0
        while place < len(lines):
            fence = _START.match(lines[place]) or _WHOLE.match(lines[place])
            end = _END.match(lines[place])
            if fence and inside:
                raise ValueError(f"cell {cell.id}: a solution begins within another")
            if end and not inside:
                raise ValueError(f"cell {cell.id}: a solution ends that did not begin")
            if fence or end:
                close = _close(lines, place, (fence or end)[1])  # type: ignore[index]
                keep()
                whole = _WHOLE.match(lines[place])
                if whole:
                    texts.extend(lines[place + 1 : close])
                if whole or end:
                    ask()
                inside = bool(fence and not whole)
                place = close + 1
                continue
            (texts if inside else part).append(lines[place])
            place += 1
        keep()
    if inside:
        raise ValueError("a solution has no {solution-end}")
    stripped = deepcopy(notebook)
    stripped.cells = kept
    return stripped, texts, codes


def _close(lines: list[str], start: int, fence: str) -> int:
    """Return the place of the line that closes a directive."""
    closing = re.compile(rf"^{re.escape(fence[0])}{{{len(fence)},}}\s*$")
    for place in range(start + 1, len(lines)):
        if closing.match(lines[place]):
            return place
    raise ValueError(f"{lines[start]!r} is not closed")
