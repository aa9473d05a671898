"""One fold of set-up at the head of a page, and its sources of data at its foot."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

from docutils import nodes

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def gather_setup(app: Sphinx, doctree: nodes.document) -> None:
    """Join the hidden cells at the head of a page, and move their output to its foot.

    These are the cells with the parameters and the imports, those that follow at once and are
    hidden as a whole, and the cell of the first figure if it comes next.
    """
    first = next(filter(_is_setup, doctree.findall(nodes.container)), None)
    if first is None:
        return
    rest = first.parent.children[first.parent.index(first) :]
    head = [*takewhile(_is_hidden, rest)]
    after = rest[len(head) :][:1]
    hidden = [*head, *(node for node in after if _is_hidden(node, "input"))]
    sources = [source for cell in hidden for source in cell.children[0].children]
    shown = [output for cell in head for output in cell.children[1:]]
    last = hidden[-1]
    last.children[0].children = sources
    for source in sources:
        source.parent = last.children[0]
    last["prompt_show"] = last["prompt_hide"] = "Set-up"
    for cell in hidden[:-1]:
        cell.parent.remove(cell)
    for output in shown:
        output.parent.remove(output)
    if shown:
        foot = nodes.container("", *shown, classes=["ord-provenance"])
        next(doctree.findall(nodes.section)).append(foot)


def _is_setup(node: nodes.container) -> bool:
    return _is_hidden(node) and node["prompt_show"] in ("Parameters", "Set-up")


def _is_hidden(node: nodes.Node, mode: str = "all") -> bool:
    return (
        isinstance(node, nodes.container)
        and node.get("nb_element") == "cell_code"
        and node.get("hide_mode") == mode
    )
