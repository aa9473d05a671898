"""One processor gives the same tables of verdicts as all of them."""

import os
import re
from html import unescape

import nbformat
import papermill
import pytest
from bs4 import BeautifulSoup

pytestmark = pytest.mark.slow

VERDICT = re.compile(r"\[((?:[^\[\]\\]|\\.)*)\]\{\.(verdict-[a-z-]+)\}")


def on_the_page(page):
    """Class and text of every verdict of a page that was built with all processors."""
    soup = BeautifulSoup(page.read_text(encoding="utf-8"), "html.parser")
    return [
        (name, span.get_text())
        for span in soup.find_all("span")
        for name in span.get("class", [])
        if name.startswith("verdict-")
    ]


def in_the_notebook(path):
    """Class and text of every verdict of an executed notebook."""
    texts = (
        output.data["text/markdown"]
        for cell in nbformat.read(path, as_version=4).cells
        for output in cell.get("outputs", [])
        if "text/markdown" in output.get("data", {})
    )
    return [
        (name, unescape(re.sub(r"\\(.)", r"\1", shown)))
        for text in texts
        for shown, name in VERDICT.findall(text)
    ]


@pytest.fixture
def one_processor(monkeypatch):
    """This thread, and what it starts, on one processor, with one thread for linear algebra."""
    if not hasattr(os, "sched_setaffinity"):
        pytest.skip("this system binds no process to a processor")
    before = os.sched_getaffinity(0)
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"):
        monkeypatch.setenv(name, "1")
    os.sched_setaffinity(0, {min(before)})
    yield
    os.sched_setaffinity(0, before)


@pytest.mark.parametrize("record", ["sigir18"])  # the others take minutes
def test_verdicts_do_not_depend_on_the_number_of_threads(
    record, root, built_book, one_processor, tmp_path
):
    notebook = root / "book" / "records" / f"{record}.ipynb"
    papermill.execute_notebook(notebook, tmp_path / "one.ipynb", progress_bar=False)
    verdicts = in_the_notebook(tmp_path / "one.ipynb")
    assert len(verdicts) > 50
    assert verdicts == on_the_page(built_book / "book" / "records" / f"{record}.html")
