"""Leaves out of an executed chapter what is idle because it is about other data.

Contents
--------
leave_out   hide idle cells, and empty the sections that hold nothing else
is_idle     whether a cell only says why it is idle
hide        keep a cell off the page
"""

import re

from nbformat import NotebookNode

LEFT_OUT = """:::{note}
Left out: this section is about data of the papers, or of another kind than this edition's.
:::"""
# The table of what is reproduced: where nothing is, there is nothing to list.
REPRODUCED = "reproduced"
_HEADING = re.compile(r"^#{2,6} .*$", re.MULTILINE)
_IDLE = re.compile(r"(:::\{note\}\s*)?Idle\.")


def leave_out(notebook: NotebookNode) -> None:
    """Hide idle cells, and empty the sections that hold nothing else.

    A section is a cell with a heading and what follows up to the next such cell. Its label and its
    heading stay, so that links to it lead somewhere; exercises stay too. The executed cells
    remain in the notebook, since other parts of the page show values from them.
    """
    section: list[NotebookNode] = []
    for cell in [*notebook.cells, None]:
        if cell is None or (cell.cell_type == "markdown" and _HEADING.search(cell.source)):
            _leave_out_section(section)
            section = []
        if cell is not None:
            section.append(cell)
    about_others = any("This edition is about **" in _shown(cell) for cell in notebook.cells)
    notebook.cells = [
        cell
        for cell in notebook.cells
        if not (about_others and cell.get("id") == REPRODUCED) and not cell.metadata.get("left_out")
    ]


def is_idle(cell: NotebookNode) -> bool:
    """Whether a cell of code shows nothing but why it is idle."""
    texts = _texts(cell)
    return bool(texts) and all(_IDLE.match(text) for text in texts)


def hide(cell: NotebookNode) -> None:
    """Keep a cell off the page, its code and what it shows."""
    tags = cell.metadata.get("tags", [])
    cell.metadata["tags"] = [*tags, *({"remove-cell"} - set(tags))]


def _leave_out_section(section: list[NotebookNode]) -> None:
    idle = [cell for cell in section if is_idle(cell)]
    for cell in idle:
        hide(cell)
    for cell in section:
        if cell not in idle and _texts(cell):
            cell.outputs = [out for out in cell.outputs if not _IDLE.match(_text(out) or "")]
    others = [cell for cell in section if _texts(cell) and cell not in idle]
    directive = any("{exercise" in c.source or "{solution" in c.source for c in section)
    if not idle or others or directive or section[0].cell_type != "markdown":
        return
    heading = _HEADING.search(section[0].source)
    if heading is None:
        return
    section[0].source = f"{section[0].source[: heading.end()]}\n\n{LEFT_OUT}"
    for cell in section[1:]:
        if cell.cell_type == "markdown":
            cell.metadata["left_out"] = True
        elif cell not in idle:
            hide(cell)


def _texts(cell: NotebookNode) -> list[str]:
    """Return what a cell of code shows, as text; what only glue keeps is not shown."""
    texts = (_text(output) for output in cell.get("outputs", ()))
    return [text for text in texts if text is not None]


def _text(output: NotebookNode) -> str | None:
    data = output.get("data", {})
    if any(kind.startswith("application/papermill.record") for kind in data):
        return None
    return str(data.get("text/markdown", data.get("text/plain", "")))


def _shown(cell: NotebookNode) -> str:
    return "\n".join(_texts(cell))
