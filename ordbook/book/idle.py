"""Leaves out of an executed chapter what is idle because it is about other data.

A cell of a chapter is of the papers alone, whatever data the chapter runs on, if its tags have
``papers-`` and the name of a data parameter: ``papers-quantification`` is a table, a figure or a
sentence that belongs to the paper's own quantification data, and a heading stands for its section.
A section whose heading has the tag ``by-hand`` stays though nothing else in it is shown.

Contents
--------
silence     put the reason in the place of what is of the papers alone
leave_out   hide idle cells, and empty the sections that hold nothing else
is_idle     whether a cell only says why it is idle
hide        keep a cell off the page
"""

import re
from collections.abc import Collection

from nbformat import NotebookNode
from nbformat.v4 import new_output

LEFT_OUT = """:::{note}
Left out: this section is about data of the papers, or of another kind than this edition's.
:::"""
PAPERS, BY_HAND = "papers-", "by-hand"
OF_THE_PAPERS = """:::{note}
Idle. What stands here in the book is the paper's own; this edition is about other data.
:::"""
# The table of what is reproduced: where nothing is, there is nothing to list.
REPRODUCED = "reproduced"
_HEADING = re.compile(r"^#{2,6} .*$", re.MULTILINE)
# "Idle: ranking topics needs at least five" is about the task of the edition, and stays.
_IDLE = re.compile(r"(:::\{note\}\s*)?Idle(\.|: (the twins|this section)\b)")
# A last paragraph that leads to what follows: "Its numbers, as printed:"
_LAST_LEAD = re.compile(r"\n\n(?!#|\(|```|:::)(?:(?!\n\n).)+(?<!:):\s*\Z", re.DOTALL)
_TARGET_OR_DIRECTIVE = re.compile(r"^\([\w-]+\)=$|^(```|:::)\{", re.MULTILINE)


def silence(notebook: NotebookNode, others: Collection[str]) -> None:
    """Put the reason in the place of what cells show that are of the papers alone.

    Text that is tagged so goes; of a section its heading stays. What cells only keep for other
    parts of the page stays.

    Parameters
    ----------
    notebook
        An executed chapter, changed in place.
    others
        The data parameters whose data are not the paper's.
    """
    tags = {f"{PAPERS}{part}" for part in others}
    of_papers = [cell for cell in notebook.cells if tags & set(cell.metadata.get("tags", ()))]
    note = {"text/markdown": OF_THE_PAPERS, "text/plain": OF_THE_PAPERS}
    for cell in of_papers:
        if cell.cell_type == "code" and _texts(cell):
            kept = [output for output in cell.outputs if _text(output) is None]
            cell.outputs = [*kept, new_output("display_data", data=note)]
    for section in _sections(notebook):
        if section[0] in of_papers and section[0].cell_type == "markdown":
            _cut(section)
    gone = [c for c in of_papers if c.cell_type == "markdown" and not _HEADING.search(c.source)]
    for cell in gone:
        cell.metadata["left_out"] = True
    _drop(notebook)


def leave_out(notebook: NotebookNode) -> None:
    """Hide idle cells with the text that leads to them, and empty the sections that hold no other.

    A section is a cell with a heading and what follows up to the next such cell. Its label and its
    heading stay, so that links to it lead somewhere; exercises stay too. The executed cells
    remain in the notebook, since other parts of the page show values from them.
    """
    for section in _sections(notebook):
        _leave_out_section(section)
    if any("This edition is about **" in _shown(cell) for cell in notebook.cells):
        notebook.cells = [cell for cell in notebook.cells if cell.get("id") != REPRODUCED]
    _drop(notebook)


def is_idle(cell: NotebookNode) -> bool:
    """Whether a cell of code shows nothing but why it is idle."""
    texts = _texts(cell)
    return bool(texts) and all(_IDLE.match(text) for text in texts)


def hide(cell: NotebookNode) -> None:
    """Keep a cell off the page, its code and what it shows."""
    tags = cell.metadata.get("tags", [])
    cell.metadata["tags"] = [*tags, *({"remove-cell"} - set(tags))]


def _sections(notebook: NotebookNode) -> list[list[NotebookNode]]:
    """Return the cells from one heading up to the next."""
    sections: list[list[NotebookNode]] = [[]]
    for cell in notebook.cells:
        if cell.cell_type == "markdown" and _HEADING.search(cell.source):
            sections.append([])
        sections[-1].append(cell)
    return [section for section in sections if section]


def _cut(section: list[NotebookNode]) -> None:
    """Leave the heading of a section, and say that the rest is left out."""
    heading = _HEADING.search(section[0].source)
    if heading is None:
        return
    section[0].source = f"{section[0].source[: heading.end()]}\n\n{LEFT_OUT}"
    for cell in section[1:]:
        if cell.cell_type == "markdown":
            cell.metadata["left_out"] = True
        else:
            hide(cell)


def _drop(notebook: NotebookNode) -> None:
    notebook.cells = [cell for cell in notebook.cells if not cell.metadata.get("left_out")]


def _leave_out_section(section: list[NotebookNode]) -> None:
    idle = [cell for cell in section if is_idle(cell)]
    for cell in idle:
        hide(cell)
    for cell in section:
        if cell not in idle and _texts(cell):
            cell.outputs = [out for out in cell.outputs if not _IDLE.match(_text(out) or "")]
    _leave_out_leads(section, idle)
    others = [cell for cell in section if _texts(cell) and cell not in idle]
    if section and BY_HAND in section[0].metadata.get("tags", ()):
        return
    directive = any("{exercise" in c.source or "{solution" in c.source for c in section)
    if not idle or others or directive or section[0].cell_type != "markdown":
        return
    _cut(section)


def _leave_out_leads(section: list[NotebookNode], idle: list[NotebookNode]) -> None:
    """Leave out text where all that follows it up to the next text is idle.

    Of text with a heading or a directive only a last paragraph goes, one that ends with a colon.
    """
    starts = [k for k, cell in enumerate(section) if cell.cell_type == "markdown"]
    for start, end in zip(starts, [*starts[1:], len(section)], strict=True):
        lead, code = section[start], section[start + 1 : end]
        shown = [cell for cell in code if _texts(cell)]
        silent = [cell for cell in code if not _texts(cell)]
        if not shown or any(cell not in idle for cell in shown):
            continue
        if _HEADING.search(lead.source) or _TARGET_OR_DIRECTIVE.search(lead.source):
            lead.source = _LAST_LEAD.sub("", lead.source)
        else:
            lead.metadata["left_out"] = True
            for cell in silent:
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
