"""Captions of what rests on simulated data say so, and no others."""

import ast
from pathlib import Path

import nbformat
import pandas as pd
import pytest

from cases import case
from ordbook.book import show
from ordbook.book.chapters import CHAPTERS, notebook_of
from ordbook.book.choosing import choose_parameters
from ordbook.book.executing import execute
from ordbook.book.first_page import FirstPage
from ordbook.book.simulated import SUBTASKS
from ordbook.book.simulated_labels import _is_task, label, resting, word_for

pytestmark = pytest.mark.slow

CELLS = """
import pandas as pd
import ordbook as ob
from ordbook.book import show
---
toy = frame_of([1, 2]); show.table(toy, "A toy.")
---
scores = {}
for part in ["quantification"]:
    scores[part] = ob.score(run.task(part))
---
rows = []
for part, one in scores.items():
    rows.append(one.means())
---
text = "of"
if rows:
    text += "data"
    show.table(pd.concat(rows), text)
---
text = "A toy again."
if run.has_papers_data():
    show.table(toy, text)
---
run.compare("1", "Printed.", ours=toy)
---
first, rest = both(run)
---
for rows in toy:
    show.table(rows, "A third toy.")
---
show.table(rest, "Of the run.")
"""


def ids(cells, begins=_is_task) -> list[str]:
    return [cell.id for cell in resting(cells, begins)]


def test_what_is_computed_from_the_tasks_is_found():
    cells = [
        nbformat.v4.new_code_cell(source.strip(), id=f"c{k}")
        for k, source in enumerate(CELLS.split("---"))
    ]
    assert ids(cells) == ["c2", "c3", "c4", "c7", "c9"]


def test_chapters_tell_their_own_examples_from_the_data():
    found = {name: ids(nbformat.read(notebook_of(name), 4).cells) for name in CHAPTERS}
    for name, cells in {
        "dnkt": ["agreement-heatmap", "consistency-figure"],
        "lq21": ["tests", "curves-figure", "disputed-figure"],
        "topics": ["consistency-oc-figure", "power-table"],
        "acl21": ["oc-heatmap", "oq-dots"],
    }.items():
        assert set(cells) <= set(found[name])
    for name, cells in {
        "dnkt": ["ppp-table", "leads-figure"],
        "lq21": ["measures-check", "sign-matrix"],
        "measures": ["toy-figure", "nmd-figure"],
        "topics": ["tau-code"],
        "sigir18": ["cases-figure", "seeds-figure"],
    }.items():
        assert not set(cells) & set(found[name])


def test_captions_of_tables_and_figures_get_the_word():
    cells = [
        nbformat.v4.new_code_cell("from ordbook.book import show; x = run.task('a')"),
        nbformat.v4.new_code_cell("show.table(x)"),
        nbformat.v4.new_code_cell("show.table(1)"),
    ]
    made = show.table(pd.DataFrame({"a": [1.0]}), "Means: all.", "name")
    data = {"text/markdown": made._repr_markdown_(), "text/html": made._repr_html_()}
    for cell in cells[1:]:
        cell.outputs = [nbformat.v4.new_output("display_data", data=dict(data))]
        cell.metadata["mystnb"] = {"figure": {"caption": "Curves."}}
    notebook = nbformat.v4.new_notebook(cells=cells)
    for _ in range(2):  # the word stands there once
        label(notebook, "SIMULATED")
        shown = notebook.cells[1].outputs[0]["data"]
        assert shown["text/markdown"].startswith("```{list-table} SIMULATED: Means")
        assert "<caption>SIMULATED: Means: all.</caption>" in shown["text/html"]
        assert notebook.cells[1].metadata["mystnb"]["figure"]["caption"] == "SIMULATED: Curves."
        assert notebook.cells[2].outputs[0]["data"] == data
        assert notebook.cells[2].metadata["mystnb"]["figure"]["caption"] == "Curves."


def test_the_word_follows_the_data():
    assert word_for("lq21", {"quantification": "dialeval1-dq-a-twin"}) == "SIMULATED"
    both = {"classification": "sem16t4c", "quantification": "simulated-oq7"}
    assert word_for("acl21", both) == "SIMULATED in part"
    assert word_for("acl21", {**both, "classification": ""}) == "SIMULATED"
    assert word_for("acl21", {**both, "quantification": "/tmp/mine"}) == ""
    assert word_for("first", {"data": "simulated-oq7"}) == ""  # it says so itself


def test_the_first_page_says_so(monkeypatch):
    shown = []
    monkeypatch.setattr("ordbook.book.first_page.display", shown.append)
    page = FirstPage("simulated-oq7", "", "", 100, 10)
    for cell in (page.numbers, page.glance, page.runs, page.properties):
        cell()
    captions = [one.caption for one in shown]
    assert [caption.startswith("SIMULATED: ") for caption in captions] == [True] * 4 + [False]


def test_an_executed_chapter_says_so(tmp_path):
    given = choose_parameters("dnkt", "simulated-oq7", "", {"splits": "100"})
    execute("dnkt", given, tmp_path / "dnkt.ipynb")
    cells = {cell.id: cell for cell in nbformat.read(tmp_path / "dnkt.ipynb", 4).cells}

    def shown(name):
        return "".join(out.get("data", {}).get("text/markdown", "") for out in cells[name].outputs)

    figure = cells["agreement-heatmap"].metadata["mystnb"]["figure"]
    assert figure["caption"].startswith("SIMULATED: ")
    assert "SIMULATED" not in shown("ppp-table")


def _is_twin(node: ast.AST) -> bool:
    """Whether this is a simulated set, or what the module of them tells."""
    if isinstance(node, ast.Constant):
        return node.value in SUBTASKS.values() or node.value == "simulated-oq7"
    if isinstance(node, ast.Attribute):
        return isinstance(node.value, ast.Name) and node.value.id == "simulated"
    return False


def test_every_table_and_figure_of_a_twin_in_the_book_says_so(root):
    """By its caption, in the cell or its metadata; `simulated.beside` writes the word itself."""
    for name in [name for name in CHAPTERS if name != "measures"]:
        with case(name):
            notebook = nbformat.read(Path(root) / "book" / f"{name}.ipynb", 4)
            for cell in resting(notebook.cells, _is_twin):
                figure = cell.metadata.get("mystnb", {}).get("figure")
                if figure:
                    assert "SIMULATED" in figure["caption"], cell.id
                elif "show.table(" in cell.source or "show.similarity(" in cell.source:
                    assert "SIMULATED" in cell.source, cell.id
