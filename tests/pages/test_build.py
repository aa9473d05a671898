"""The build fails when a chapter does: `make book` would be worth little otherwise."""

import re
import shutil
from pathlib import Path

import nbformat
import pytest

from ordbook.pages.sphinx_extension import repository_address

# One notebook per fault, with what must stand in the log.
FAULTS = {
    "failing cell": ("code", "assert 1 + 1 == 3, 'a wrong number'", "a wrong number"),
    "line on stderr": ("code", "import sys; print('noise', file=sys.stderr)", "stderr"),
    "broken reference": ("markdown", "See {ref}`nowhere-at-all`.", "nowhere-at-all"),
    "unknown citation": ("markdown", "See {cite}`nobody1900`.", "nobody1900"),
}


def small_book(root: Path, folder: Path, kind: str, source: str) -> Path:
    """Write a book of one notebook with this repository's configuration."""
    shutil.copytree(root / "book" / "_static", folder / "book" / "_static")
    for name in ("_config.yml", "book/references.bib", "book/references.md"):
        shutil.copy(root / name, folder / name)
    (folder / "_toc.yml").write_text(
        "format: jb-book\nroot: book/page\nchapters:\n  - file: book/references\n"
    )
    cell = getattr(nbformat.v4, f"new_{kind}_cell")
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_markdown_cell("# A page"), cell(source)],
        metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}},
    )
    nbformat.write(notebook, folder / "book" / "page.ipynb")
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_fails_the_build(fault, root, build_book, tmp_path):
    kind, source, trace = FAULTS[fault]
    result = build_book(small_book(root, tmp_path, kind, source), tmp_path / "out")
    assert result.returncode != 0, result.stdout[-3000:]
    assert trace in result.stdout


def test_a_sound_page_builds_with_its_figure_whatever_the_environment(
    root, build_book, tmp_path, monkeypatch
):
    # With MPLBACKEND set in a kernel, figures vanish from the page and nobody is told.
    monkeypatch.setenv("MPLBACKEND", "agg")
    source = (
        "import matplotlib.pyplot as plt\nfrom ordbook.show import charts\n"
        "plt.plot([1, 2])\nplt.xlabel('a word')\nplt.show()"
    )
    result = build_book(small_book(root, tmp_path, "code", source), tmp_path / "out")
    assert result.returncode == 0, result.stdout[-3000:]
    page = (tmp_path / "out/_build/html/book/page.html").read_text(encoding="utf-8")
    assert re.search(r'<svg class="ord-figure".*<text[^>]*>a word</text>.*</svg>', page, re.DOTALL)


@pytest.mark.slow
def test_a_book_without_solutions_executes_them_and_shows_none(root, build_book, tmp_path):
    asked = "```{exercise} Compute\n:label: page-sum\n\nHow much?\n```\n\n"
    begin = "```{solution-start} page-sum\n:class: dropdown\n```\n\nThis much:"
    code = "from myst_nb import glue\nglue('result', 21 * 2, display=False)\n'shown'"
    end = "```{solution-end}\n```\n\nIt is {glue:text}`result`."
    folder = small_book(root, tmp_path, "markdown", asked + begin)
    notebook = nbformat.read(folder / "book" / "page.ipynb", as_version=4)
    notebook.cells += [nbformat.v4.new_code_cell(code), nbformat.v4.new_markdown_cell(end)]
    of_worksheet = {"tags": ["solution"]}
    notebook.cells += [nbformat.v4.new_code_cell("'worked ' + 'out'", metadata=of_worksheet)]
    nbformat.write(notebook, folder / "book" / "page.ipynb")
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
        assert ("shown" in html, "Solution to" in html) == (shown, shown)
        assert ("worked out" in html) == shown
        assert (pages / "_sources" / "book" / "page.ipynb").exists() == shown


def test_the_makefile_and_the_manual_give_the_options_of_the_tests(root):
    from_conftest = re.search(r"BUILD_OPTIONS = \[(.*)\]", (root / "tests/conftest.py").read_text())
    options = " ".join(re.findall(r'"([^"]+)"', from_conftest[1]))
    for name in ("Makefile", "CONTRIBUTING.md"):
        assert f"jupyter-book build . {options}" in (root / name).read_text()


def test_the_address_comes_from_the_metadata(root):
    assert f'"{repository_address()}"' in (root / "pyproject.toml").read_text()
