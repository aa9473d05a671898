"""A fault fails the build, chapters run side by side and anew, and pages are as they should be."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from ordbook.meta.parallel import processors

code, markdown = nbformat.v4.new_code_cell, nbformat.v4.new_markdown_cell

# One page per fault, with what must stand in the log.
FAULTS = {
    "failing cell": (code("assert 1 + 1 == 3, 'a wrong number'"), "a wrong number"),
    "line on stderr": (code("import sys; print('noise', file=sys.stderr)"), "stderr"),
    "broken reference": (markdown("See {ref}`nowhere-at-all`."), "nowhere-at-all"),
    "unknown citation": (markdown("See {cite}`nobody1900`."), "nobody1900"),
    "unknown explorer": (markdown("```{explorer} labels\n:part: x\n```"), "has no part x"),
}


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_fails_the_build(fault, write_book, build_book, tmp_path):
    cell, trace = FAULTS[fault]
    result = build_book(write_book(tmp_path, {"page": [cell]}), tmp_path / "out")
    assert result.returncode != 0, result.stdout[-3000:]
    assert trace in result.stdout


def test_a_sound_page_builds_with_its_figure_whatever_the_environment(
    write_book, build_book, tmp_path, monkeypatch
):
    # With MPLBACKEND set in a kernel, figures vanish from the page and nobody is told.
    monkeypatch.setenv("MPLBACKEND", "agg")
    cell = code(
        "import matplotlib.pyplot as plt\nfrom ordbook.show import charts\n"
        "plt.plot([1, 2])\nplt.xlabel('a word')\nplt.show()"
    )
    result = build_book(write_book(tmp_path, {"page": [cell]}), tmp_path / "out")
    assert result.returncode == 0, result.stdout[-3000:]
    page = (tmp_path / "out/_build/html/book/page.html").read_text(encoding="utf-8")
    assert re.search(r'<svg class="ord-figure".*<text[^>]*>a word</text>.*</svg>', page, re.DOTALL)


@pytest.mark.slow
def test_a_book_without_solutions_executes_them_and_shows_none(write_book, build_book, tmp_path):
    asked = "```{exercise} Compute\n:label: page-sum\n\nHow much?\n```\n\n"
    begin = "```{solution-start} page-sum\n:class: dropdown\n```\n\nThis much:"
    glued = "from myst_nb import glue\nglue('result', 21 * 2, display=False)\n'shown'"
    end = "```{solution-end}\n```\n\nIt is {glue:text}`result`."
    worked = code("'worked ' + 'out'", metadata={"tags": ["solution"]})
    cells = [markdown(asked + begin), code(glued), markdown(end), worked]
    folder = write_book(tmp_path, {"page": cells})
    config = (folder / "_config.yml").read_text()
    hidden = config.replace("language: en\n", "language: en\n    hide_solutions: true\n")
    for text, shown in ((hidden, False), (config, True)):
        (folder / "_config.yml").write_text(text)
        result = build_book(folder, tmp_path / "out")
        assert result.returncode == 0, result.stdout[-3000:]
        pages = tmp_path / "out" / "_build" / "html"
        html = (pages / "book" / "page.html").read_text()
        assert "How much?" in html
        assert ">42<" in html
        for part in ("shown", "Solution to", "worked out"):
            assert (part in html) == shown
        assert (pages / "_sources" / "book" / "page.ipynb").exists() == shown


# Each of two chapters waits for the other, so that only side by side they come to an end.
MEET = """import pathlib, time
pathlib.Path("../{mine}").touch()
while not pathlib.Path("../{other}").exists():
    time.sleep(0.1)
print("met {other}", pathlib.Path("../number").read_text())"""


@pytest.mark.slow
@pytest.mark.skipif(processors() < 2, reason="one processor runs one chapter at a time")
def test_chapters_run_side_by_side_and_anew(write_book, build_book, tmp_path):
    pairs = [("one", "two"), ("two", "one")]
    pages = {mine: [code(MEET.format(mine=mine, other=other))] for mine, other in pairs}
    folder = write_book(tmp_path, pages)
    for number in ("17", "18"):
        (folder / "number").write_text(number)
        result = build_book(folder, tmp_path / "out")
        assert result.returncode == 0, result.stdout[-3000:]
        for name, other in pairs:
            page = (tmp_path / "out/_build/html/book" / f"{name}.html").read_text()
            assert f"met {other} {number}" in page, "the second build has new numbers"


PAGE = """({name})=
# Page {name}

```{{list-table}} The table of {name}
:name: table-{name}
* - a
  - $x^2$
```

{{numref}}`table-{other}` stands on {{ref}}`{other}`.
"""
BUILD = "from jupyter_book.cli.main import main; main()"
SLOWLY = f"import ordbook.pages.speed as speed; speed.setup = lambda app: None; {BUILD}"


@pytest.mark.slow
def test_what_makes_sphinx_quicker_changes_no_byte(write_book, tmp_path):
    names = [f"page{k}" for k in range(6)]
    others = names[1:] + names[:1]
    pages = {n: PAGE.format(name=n, other=o) for n, o in zip(names, others, strict=True)}
    source = write_book(tmp_path / "source", pages)
    built = []
    for program in (BUILD, SLOWLY):
        output = tmp_path / f"out{len(built)}"
        command = [sys.executable, "-c", program, "build", str(source), "--path-output"]
        result = subprocess.run(
            [*command, str(output), "--all", "-q"], capture_output=True, text=True, check=False
        )
        assert result.returncode == 0, result.stdout + result.stderr
        html = output / "_build" / "html"
        paths = [*html.rglob("*.html"), html / "searchindex.js", html / "objects.inv"]
        built.append({path.relative_to(html): path.read_bytes() for path in paths})
    assert built[0] == built[1]
    assert "Table 2" in built[0][Path("book/page0.html")].decode()


@pytest.mark.slow
def test_a_chapter_runs_where_there_is_only_the_installed_package(root, tmp_path):
    shutil.copy(root / "book" / "judges.ipynb", tmp_path)
    notebook = nbformat.read(tmp_path / "judges.ipynb", as_version=4)
    client = NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}})
    client.execute()  # raises where a cell does
    assert [path.name for path in tmp_path.iterdir()] == ["judges.ipynb"]


def test_the_makefile_and_the_manual_give_the_options_of_the_tests(root):
    from_conftest = re.search(r"BUILD_OPTIONS = \[(.*)\]", (root / "tests/conftest.py").read_text())
    options = " ".join(re.findall(r'"([^"]+)"', from_conftest[1]))
    for name in ("Makefile", "CONTRIBUTING.md"):
        assert f"jupyter-book build . {options}" in (root / name).read_text()
