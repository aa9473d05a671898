"""Imports only go down from room to room, and nothing but notebooks needs `chapters`."""

import ast
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import ordbook

PACKAGE = Path(ordbook.__file__).parent
LIBRARY = ["measures", "data", "meta", "papers"]
ORDER = ["measures", "data", "meta", "advice", "show", "papers"]
# Rooms that a room may import besides itself.
BELOW = {room: ORDER[:k] for k, room in enumerate(ORDER)} | {
    "chapters": ORDER,
    "reports": ORDER,
    "pages": [*ORDER, "reports"],
    "course": [*ORDER, "reports", "pages"],
    "commands": [*ORDER, "reports", "course", "pages"],
}


@cache
def imported(path):
    """Modules and names of the package that a module imports, at its top or in a function."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        found += (name for name in names if name.startswith("ordbook."))
    return found


def test_every_room_is_known():
    assert {path.parent.name for path in PACKAGE.glob("*/__init__.py")} == {*BELOW}


@pytest.mark.parametrize("room", BELOW)
def test_a_room_imports_only_from_those_below_it(room):
    allowed = {room, *BELOW[room]}
    upwards = {
        str(path.relative_to(PACKAGE)): sorted(above)
        for path in (PACKAGE / room).rglob("*.py")
        if (above := {name.split(".")[1] for name in imported(path)} & {*BELOW} - allowed)
    }
    assert not upwards


def test_no_modules_import_each_other_in_a_circle():
    paths = {
        ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts): path
        for path in PACKAGE.rglob("*.py")
    }
    modules = {name.removesuffix(".__init__"): path for name, path in paths.items()}
    graph = {}
    for module, path in modules.items():
        names = {name for full in imported(path) for name in (full, full.rpartition(".")[0])}
        graph[module] = {
            name for name in names & {*modules} if not f"{module}.".startswith(f"{name}.")
        }
    TopologicalSorter(graph).prepare()  # names a circle where there is one


def test_a_report_of_one_s_own_does_not_load_the_audit():
    names = {name for path in (PACKAGE / "reports").rglob("*.py") for name in imported(path)}
    assert not [name for name in names if name.startswith("ordbook.papers")]


def test_the_package_itself_offers_the_library_alone():
    modules = {module.split(".")[0] for module in ordbook._LAZY.values()}
    assert modules <= {*LIBRARY, "reports"}
