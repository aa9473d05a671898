"""Which cells of a chapter a cell needs: those that make the names that it reads."""

import ast
import builtins
import symtable
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True)
class Names:
    """The names of one cell: read before it makes them itself, and made or changed."""

    read: frozenset[str]
    made: frozenset[str]


@cache
def names_of(code: str) -> Names:
    """Return the names that a cell reads from others, and those that it makes or changes.

    A name is changed where an item or an attribute of it is set. What functions and methods change
    is not seen.

    Examples
    --------
    >>> names = names_of("x.loc[0] = [len(a) for a in y]")
    >>> sorted(names.read), sorted(names.made)
    (['x', 'y'], ['x'])
    """
    read: set[str] = set()
    made: set[str] = set()
    for statement in ast.parse(code).body:
        here, bound = set(), set()
        tables = [symtable.symtable(ast.unparse(statement), "cell", "exec")]
        while tables:
            table = tables.pop()
            tables += table.get_children()
            outer = table.get_type() == "module"
            for symbol in table.get_symbols():
                if symbol.is_referenced() and (outer or symbol.is_global()):
                    here.add(symbol.get_name())
                if outer and (symbol.is_assigned() or symbol.is_imported()):
                    bound.add(symbol.get_name())
        nodes = list(_outside_functions(statement))
        changed = {_base(node) for node in nodes if _is_stored(node)}
        added = {_base(node.target) for node in nodes if isinstance(node, ast.AugAssign)}
        # A loop or a block may read what it makes itself.
        simple = isinstance(statement, ast.Assign | ast.AugAssign | ast.AnnAssign)
        read |= ((here if simple else here - bound) | added) - made
        made |= bound | changed - {""}
    return Names(frozenset(read - set(dir(builtins)) - {""}), frozenset(made))


def _outside_functions(node: ast.AST) -> Iterator[ast.AST]:
    if not isinstance(node, ast.FunctionDef | ast.Lambda):
        yield node
        for child in ast.iter_child_nodes(node):
            yield from _outside_functions(child)


def _is_stored(node: ast.AST) -> bool:
    stored = isinstance(node, ast.Subscript | ast.Attribute)
    return stored and isinstance(node.ctx, ast.Store)  # type: ignore[attr-defined]


def _base(node: ast.AST) -> str:
    while isinstance(node, ast.Subscript | ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def imports_of(code: str) -> dict[str, str]:
    """Return name -> the statement that imports it.

    >>> imports_of("import numpy as np; from math import log, sqrt")["sqrt"]
    'from math import sqrt'
    """
    found = {}
    for statement in ast.parse(code).body:
        if isinstance(statement, ast.Import | ast.ImportFrom):
            for alias in statement.names:
                one = type(statement)(**{**vars(statement), "names": [alias]})
                found[alias.asname or alias.name.partition(".")[0]] = ast.unparse(one)
    return found
