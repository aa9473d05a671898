"""What package and chapters never do, found in their own syntax: data are read, and never run."""

import ast
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from cases import each

ROOT = Path(__file__).resolve().parents[1]
SOURCES = sorted(
    path
    for folder in ("ordbook", "data/examples", "benchmarks")
    for path in (ROOT / folder).rglob("*.py")
    if "_share" not in path.parts
)

# Modules whose files run code when they are read, or that start a shell.
MODULES = {
    "pickle", "_pickle", "cPickle", "cloudpickle", "dill", "jsonpickle", "joblib", "marshal",
    "shelve", "pty", "commands", "code", "codeop", "runpy",
}  # fmt: skip
# Functions that run text, by their whole or their last name.
CALLS = {
    "eval", "exec", "compile", "__import__", "os.system", "os.popen", "os.startfile",
    "subprocess.getoutput", "subprocess.getstatusoutput", "asyncio.create_subprocess_shell",
    "yaml.load_all", "yaml.unsafe_load", "yaml.full_load", "yaml.unsafe_load_all",
    "yaml.full_load_all", "yaml.dump", "pandas.read_pickle", "pd.read_pickle", "to_pickle",
    "pd.read_hdf", "pd.eval", "pandas.eval", "extractall", "unpack_archive",
    "importlib.import_module", "exec_module",
}  # fmt: skip
LOADERS = {"SafeLoader", "CSafeLoader"}

# (file, what) -> how often it is done there, and why that runs nothing from a file of data.
ALLOWED: dict[tuple[str, str], tuple[int, str]] = {
    ("ordbook/data/archives.py", "extractall"): (
        1,
        "a zip file into a temporary folder, once no name leads out of that and none is a link",
    ),
    ("ordbook/data/convert.py", "importlib.import_module"): (1, "openpyxl, to say that it lacks"),
    ("ordbook/__init__.py", "importlib.import_module"): (
        1,
        "names that are imported when they are first used: modules of the package, in a fixed list",
    ),
    ("ordbook/papers/checks/tools.py", "compile"): (
        1,
        "formulas of data/published, which are part of the package; no file of a user gets there",
    ),
    ("ordbook/papers/checks/tools.py", "eval"): (1, "the same, with fourteen of Python's builtins"),
    ("ordbook/measures/custom.py", "importlib.import_module"): (
        1,
        "--measure MODULE:NAME: code of the user's own, named by the user, as the help says",
    ),
    ("ordbook/measures/custom.py", "exec_module"): (
        1,
        "--measure FILE.py:NAME: code of the user's own, named by the user, as the help says",
    ),
}


def faults(source: str) -> Iterator[tuple[str, int]]:
    """Give what is forbidden in this code, and the line."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            for name in node.names:
                if name.name.partition(".")[0] in MODULES:
                    yield name.name, node.lineno
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            if node.module.partition(".")[0] in MODULES:
                yield node.module, node.lineno
            for name in node.names:
                if f"{node.module}.{name.name}" in CALLS:
                    yield f"{node.module}.{name.name}", node.lineno
        elif isinstance(node, ast.Call):
            yield from ((what, node.lineno) for what in _calls(node))


def _calls(node: ast.Call) -> Iterator[str]:
    """Give what is forbidden about one call."""
    name = ast.unparse(node.func)
    last = name.rpartition(".")[2]
    for forbidden in CALLS:
        # A bare name is forbidden as a method too, but for re.compile and its like.
        if name == forbidden or (last == forbidden and name not in ("re.compile",)):
            yield forbidden
    given = {keyword.arg: ast.unparse(keyword.value) for keyword in node.keywords}
    if given.get("shell", "False") != "False":
        yield "shell=True"
    if given.get("allow_pickle", "False") != "False":
        yield "allow_pickle=True"
    if last == "load" and "yaml" in name:
        loaders = {given.get("Loader", ""), *map(ast.unparse, node.args[1:])}
        if not any(loader.rpartition(".")[2] in LOADERS for loader in loaders):
            yield "yaml.load without a safe loader"


def code_of(path: Path) -> str:
    """Return the code of a module or of a chapter."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        return text
    cells = json.loads(text)["cells"]
    return "\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "code")


def test_package_and_chapters_run_nothing_that_they_read():
    found: Counter[tuple[str, str]] = Counter()
    lines: dict[tuple[str, str], list[int]] = {}
    for path in [*SOURCES, *sorted((ROOT / "book").glob("*.ipynb"))]:
        for what, line in faults(code_of(path)):
            key = path.relative_to(ROOT).as_posix(), what
            found[key] += 1
            lines.setdefault(key, []).append(line)
    wrong = {key: lines.get(key) for key, number in found.items() if number > _allowed(key)}
    assert not wrong, f"forbidden: {wrong}; do without, or explain it in ALLOWED"
    unused = {key for key, (number, _) in ALLOWED.items() if found[key] != number}
    assert not unused, f"no longer done: {unused}; take them out of ALLOWED"


def _allowed(key: tuple[str, str]) -> int:
    return ALLOWED.get(key, (0, ""))[0]


@each(
    "source",
    [
        "import pickle",
        "from pickle import loads",
        "import cloudpickle as c",
        "from joblib import load",
        "eval('1')",
        "exec(text)",
        "frame.eval('a + b')",
        "os.system('ls')",
        "from os import system",
        "subprocess.run('ls', shell=True)",
        "subprocess.Popen(command, shell=wanted)",
        "np.load(path, allow_pickle=True)",
        "pd.read_pickle(path)",
        "frame.to_pickle(path)",
        "yaml.load(text)",
        "yaml.load(text, Loader=yaml.Loader)",
        "yaml.load(text, yaml.FullLoader)",
        "yaml.unsafe_load(text)",
        "yaml.dump(value)",
        "archive.extractall(folder)",
        "importlib.import_module(name)",
        "spec.loader.exec_module(module)",
    ],
)
def test_canary_each_of_these_is_noticed(source):
    assert list(faults(source))


@each(
    "source",
    [
        "yaml.safe_load(text)",
        "yaml.load(text, Loader=yaml.SafeLoader)",
        "np.load(path)",
        "subprocess.run(['ls'], shell=False)",
        "json.load(file)",
        "re.compile('a')",
    ],
)
def test_what_is_safe_is_not(source):
    assert not list(faults(source))


def test_commands_are_started_from_lists_and_their_program_is_fixed(root):
    """No shell sees a name: a command is a list, or a variable that a caller made as one."""
    started = []
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and re.fullmatch(
                r"subprocess\.(run|Popen|call|check_call|check_output)", ast.unparse(node.func)
            ):
                assert isinstance(node.args[0], ast.List | ast.Name), path
                started.append(path.relative_to(root).as_posix())
    assert started, "the search finds commands"
