"""Says SIMULATED in every table and figure of an executed chapter that rests on simulated data.

A chapter does not know before it runs what its data are, and captions of figures stand in its
cells. So they are found afterwards, by what the cells compute from: a name rests on the data when
it is computed from the tasks of the run, or from another name that does.

Contents
--------
label      write the word into the captions
word_for   the word for a chapter's parameters: SIMULATED, or that a part of the data is
resting    which cells rest on the data
"""

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import cast

from nbformat import NotebookNode

from ordbook.book.chapters import CHAPTERS
from ordbook.data.catalog import catalog

ALL, SOME = "SIMULATED", "SIMULATED in part"
# A caption in a table of the book, and in a table of HTML.
_CAPTION = re.compile(r"(\{list-table\} |<caption>)(?!SIMULATED)")


def word_for(chapter: str, parameters: Mapping[str, object]) -> str:
    """Return what captions are to say; "" where no data are simulated.

    Examples
    --------
    >>> word_for("lq21", {"quantification": "simulated-oq7"})
    'SIMULATED'
    """
    places = [parameters.get(part) for part in CHAPTERS.get(chapter, ())]
    simulated = [
        place in catalog() and catalog()[str(place)].format == "simulated"
        for place in places
        if place
    ]
    return ALL if simulated and all(simulated) else SOME if any(simulated) else ""


def label(notebook: NotebookNode, word: str) -> None:
    """Write the word before the caption of each table and figure that rests on the data."""
    for cell in resting(notebook.cells, _is_task):
        figure = cell.metadata.get("mystnb", {}).get("figure", {})
        if figure and not figure["caption"].startswith(ALL):
            figure["caption"] = f"{word}: {figure['caption']}"
        for output in cell.get("outputs", ()):
            for kind in ("text/markdown", "text/html"):
                if text := output.get("data", {}).get(kind):
                    output["data"][kind] = _CAPTION.sub(rf"\g<1>{word}: ", text)


def resting(
    cells: Sequence[NotebookNode], begins: Callable[[ast.AST], bool]
) -> Iterator[NotebookNode]:
    """Give the cells of code that compute from what ``begins`` knows, in some steps or at once."""
    names: set[str] = set()
    modules: set[str] = {"run"}

    def rests(nodes: Iterable[ast.AST]) -> bool:
        """Follow statements and parts of them in their order; say whether any rests on it."""
        found = False
        for node in nodes:
            inner = [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.stmt)]
            if isinstance(node, ast.Import | ast.ImportFrom):
                modules.update(one.asname or one.name for one in node.names)
                continue
            if isinstance(node, ast.stmt) and inner:  # for, if, with: what stands before the body
                outer = [child for child in ast.iter_child_nodes(node) if child not in inner]
                # The target of a loop comes first, what it runs over second: one statement.
                found |= rests([ast.Tuple(cast("list[ast.expr]", outer))])
                found |= rests(inner)
            elif any(begins(part) for part in ast.walk(node)) or names & _read(node):
                found = True
                names.update(_changed(node) - modules)
            else:
                names.difference_update(_bound(node))
        return found

    for cell in cells:
        if cell.cell_type == "code" and rests(ast.parse(cell.source).body):
            yield cell


def _is_task(node: ast.AST) -> bool:
    """Whether this is ``run.task(...)``, ``run.tasks``, or ``run`` given to a function."""
    if isinstance(node, ast.Attribute):
        return node.attr in ("task", "tasks") and _id(node.value) == "run"
    return isinstance(node, ast.Call) and any(_id(given) == "run" for given in node.args)


def _changed(node: ast.AST) -> set[str]:
    """Names that this binds, or whose content it changes: ``x =``, ``x[k] =``, ``x.add(y)``."""
    found = _bound(node)
    for part in ast.walk(node):
        if isinstance(part, ast.Subscript) and isinstance(part.ctx, ast.Store):
            found.add(_id(part))
        elif isinstance(part, ast.Expr) and isinstance(part.value, ast.Call):
            called = part.value.func
            found.add(_id(called.value) if isinstance(called, ast.Attribute) else "")
    return found - {""}


def _read(node: ast.AST) -> set[str]:
    """Names whose values count; ``x += y`` keeps what ``x`` was."""
    found = _names(node, ast.Load)
    return (found | _bound(node) if isinstance(node, ast.AugAssign) else found) - _own(node)


def _bound(node: ast.AST) -> set[str]:
    return _names(node, ast.Store) - _own(node)


def _own(node: ast.AST) -> set[str]:
    """Names that only a comprehension has."""
    inner = (part.target for part in ast.walk(node) if isinstance(part, ast.comprehension))
    return {name for target in inner for name in _names(target, ast.Store)}


def _names(node: ast.AST, context: type[ast.expr_context]) -> set[str]:
    parts = (part for part in ast.walk(node) if isinstance(part, ast.Name))
    return {part.id for part in parts if isinstance(part.ctx, context)}


def _id(node: ast.AST) -> str:
    """Return the name that an expression is, or begins with by ``[...]``; "" for any other."""
    while isinstance(node, ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""
