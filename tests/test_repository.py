"""What is committed: notebooks without outputs, pins, licences of data, addresses."""

import ast
import hashlib
import json
import re
import tomllib
from pathlib import Path

import pytest
import yaml
from pybtex.database import parse_file

import ordbook
from ordbook.show.parameters import CHAPTERS

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOKS = sorted((ROOT / "book").rglob("*.ipynb"))
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))

each_notebook = pytest.mark.parametrize("path", NOTEBOOKS)


def read_notebook(path: Path) -> dict:
    return json.loads(path.read_text(encoding="utf-8"))


def code_cells(notebook: dict) -> list[dict]:
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def source(cell: dict) -> str:
    return "".join(cell["source"])


# Notebooks


def test_notebooks_hold_no_results_and_nothing_private(subtests):
    for path in NOTEBOOKS:
        with subtests.test(path=path.name):
            notebook = read_notebook(path)
            cells, metadata = code_cells(notebook), notebook["metadata"]
            assert all(cell["outputs"] == [] for cell in cells)
            assert all(cell["execution_count"] is None for cell in cells)
            assert metadata["kernelspec"]["name"] == "python3"
            assert set(metadata) <= {"kernelspec", "language_info", "orphan"}
            assert "version" not in metadata.get("language_info", {}), "changes with every machine"
            ids = [cell["id"] for cell in notebook["cells"]]
            assert len(set(ids)) == len(ids)
            # Cells tagged "paper" are left out of a rerun, and solutions with them whole.
            kept = [
                source(cell)
                for cell in notebook["cells"]
                if "paper" not in cell["metadata"].get("tags", [])
            ]
            gates = re.findall(r"{solution-(start|end)}", "\n".join(kept))
            assert gates == ["start", "end"] * (len(gates) // 2)
            # Tools that renumber cells from 0 give every later cell a new id with each insertion.
            assert ids != [str(number) for number in range(len(ids))]


@each_notebook
def test_exactly_one_cell_of_literal_parameters_and_then_start(path):
    cells = code_cells(read_notebook(path))
    tagged = [i for i, c in enumerate(cells) if "parameters" in c["metadata"].get("tags", [])]
    if not tagged and (path.parent.name == "records" or path.stem not in CHAPTERS):
        return  # nobody runs it on other data
    assert len(tagged) == 1
    (position,) = tagged
    for statement in ast.parse(source(cells[position])).body:
        assert isinstance(statement, ast.AnnAssign), "one `name: type = value  # help` per line"
        assert isinstance(statement.annotation, ast.Name), "papermill cannot read such a type"
        ast.literal_eval(statement.value)
    if path.parent.name == "records":
        return  # about the paper's own data, whatever is asked
    calls = [
        ast.unparse(node.func)
        for node in ast.walk(ast.parse(source(cells[position + 1])))
        if isinstance(node, ast.Call)
    ]
    assert any(call.split(".")[-1] in ("start", "analyse") for call in calls)


def test_the_table_of_contents_and_the_folder_agree():
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))

    def walk(node):
        if isinstance(node, dict):
            yield from (node[key] for key in ("root", "file") if key in node)
            node = list(node.values())
        if isinstance(node, list):
            for item in node:
                yield from walk(item)

    entries = list(walk(toc))
    for entry in entries:
        assert (ROOT / f"{entry}.ipynb").exists() or (ROOT / f"{entry}.md").exists(), entry
    pages = {path.relative_to(ROOT).with_suffix("").as_posix() for path in NOTEBOOKS}
    decks = {f"book/course/deck{number}" for number in (1, 2, 3)}
    assert pages - set(entries) == decks, "not in _toc.yml"
    assert len(set(entries)) == len(entries)


# Dependencies


def direct_dependencies() -> set[str]:
    project = PYPROJECT["project"]
    lines = list(project["dependencies"])
    for extra in project["optional-dependencies"].values():
        lines += extra
    names = {re.match(r"[A-Za-z0-9._-]+", line)[0] for line in lines}
    return {re.sub(r"[-_.]+", "-", name).lower() for name in names} - {"ordbook"}


def test_requirements_pin_every_direct_dependency_and_end_with_the_package():
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    assert lines[-1] == "-e ."  # and no line but this holds an option, an address or a path
    pinned = {re.match(r"([a-z0-9-]+)==\S+( ; .+)?$", line)[1] for line in lines[:-1]}
    assert direct_dependencies() <= pinned, "run make requirements"


# Files


def test_no_raw_data_file_is_committed(repository_files, raw_files):
    def digest(path):
        return hashlib.sha256(path.read_bytes()).hexdigest()

    raw = {
        digest(p)
        for p in raw_files.rglob("*")
        if p.is_file() and p.stat().st_size and p.name != "LICENSE"
    }  # which goes with labels that may be passed on
    assert raw
    assert [str(path) for path in repository_files if digest(path) in raw] == []


def test_no_path_of_one_machine_is_committed(repository_files):
    # Built from pieces, so that this file does not find itself.
    folders = "|".join(["work", "root", "home", "Users"])
    pattern = re.compile(rf"(?<![\w.:/}})-])/(?:{folders})/\w")
    found = []
    for path in repository_files:
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        for number, line in enumerate(text.splitlines(), 1):
            if pattern.search(line):
                found.append(f"{path.relative_to(ROOT)}:{number}: {line.strip()[:100]}")
    assert not found, "\n".join(found)


def test_citation_package_and_pages_have_one_version():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    project = PYPROJECT["project"]
    assert citation["version"] == project["version"] == ordbook.__version__
    assert " AND ".join(citation["license"]) == project["license"]
    page = (ROOT / "book/your_data.ipynb").read_text(encoding="utf-8")
    assert set(re.findall(r"ordbook-([\w.]+)-py3", page)) == {project["version"]}
    entry = parse_file(ROOT / "book/references.bib").entries["ordbook"].fields
    assert (entry["title"], entry["note"]) == (citation["title"], f"Version {citation['version']}")


def test_the_address_stands_in_one_place(repository_files):
    address = PYPROJECT["project"]["urls"]["Repository"].split("://")[1]
    holding = set()
    for path in repository_files:
        if address in path.read_bytes().decode("utf-8", "replace"):
            holding.add(path.relative_to(ROOT).as_posix())
    # The doctest of the Sphinx extension uses it as an example of a host without pages.
    assert holding <= {"pyproject.toml", "ordbook/pages/sphinx_extension.py"}


# Automation


def makefile_targets() -> set[str]:
    return set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M))


def documented_lines() -> set[str]:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    return set(re.search(r"```\n(.*?)```", text, re.S)[1].splitlines())


@pytest.mark.parametrize("path", sorted((ROOT / ".github/workflows").glob("*.yml")))
def test_workflows_run_targets_of_the_makefile_or_documented_lines(path):
    workflow = yaml.safe_load(path.read_text(encoding="utf-8"))
    commands = [
        line
        for job in workflow["jobs"].values()
        for step in job["steps"]
        for line in step.get("run", "").splitlines()
        if not line.startswith("gh release create ")
    ]
    assert commands
    allowed = {f"make {target}" for target in makefile_targets()} | documented_lines()
    assert {re.sub(" ARGS=.*", "", command) for command in commands} <= allowed
