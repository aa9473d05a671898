"""Canaries: a wrong number cannot hide. Each changes a copy of the project and builds its book."""

import json
import re
import shutil
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

# NVD, a measure of the toy, and a hundredth more.
NVD = ("vd_kernel(gold, estimate) / 2", "vd_kernel(gold, estimate) / 2 + 0.01")
# The toy is asserted, so a changed measure stops the build; loosened, it lets the page be built.
ASSERTION = ("by_hand).max() < 1e-12", "by_hand).max() < 1")

# What is kept of the chapter: its toy, one printed table and the last cell, so that it is quick.
KEPT = (
    *("title", "setup", "parameters", "start", "toy"),
    *("oq-scores", "oq-similarity", "oq-table", "verify"),
)
CLAIM = '\\"8i\\": {\\"exact\\": 15}'
VERIFY = 'ob.verify(run, {"8i": {"exact": 15}})'


@pytest.fixture
def copy(root, repository_files, tmp_path, monkeypatch) -> Path:
    """A copy of the project with one chapter, imported in place of the installed one."""
    folder = tmp_path / "copy"
    for path in repository_files:
        target = folder / path.relative_to(root)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    # One chapter is enough to sing, and the others assert the same measures again.
    (folder / "_toc.yml").write_text(
        "format: jb-book\nroot: book/acl21\nchapters:\n  - file: book/references\n"
    )
    _shorten(folder / "book" / "acl21.ipynb")
    monkeypatch.setenv("PYTHONPATH", str(folder))
    return folder


def _shorten(path: Path) -> None:
    notebook = json.loads(path.read_text(encoding="utf-8"))
    cells = [
        cell
        for cell in notebook["cells"]
        if cell["id"] in KEPT or (cell["id"].startswith("toy-") and cell["cell_type"] == "code")
    ]
    assert {cell["id"] for cell in cells} >= set(KEPT), "a cell has another name now"
    cells[-1]["source"] = [VERIFY]
    for cell in cells:  # what a kept cell refers to may not be kept
        cell["source"] = [line.replace("{ref}`twins`", "twins") for line in cell["source"]]
    path.write_text(json.dumps(notebook | {"cells": cells}), encoding="utf-8")


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{old!r} occurs {text.count(old)} times in {path.name}"
    path.write_text(text.replace(old, new), encoding="utf-8")


def numbers(output: Path) -> list[str]:
    """All numbers on the chapter's page, timings and checksums aside."""
    page = (output / "_build" / "html" / "book" / "acl21.html").read_text(encoding="utf-8")
    return re.findall(r"-?\d+\.\d{2,3}\b", re.sub("<[^>]*>", " ", page))


def test_one_altered_digit_breaks_the_build(copy, build_book, no_raw_files, tmp_path):
    change(
        copy / "data" / "published" / "acl21_table8.csv",
        "acl21,8i,RNSS,NMD,0.818",
        "acl21,8i,RNSS,NMD,0.819",
    )
    result = build_book(copy, tmp_path / "out")
    assert result.returncode != 0
    assert "RNSS, NMD: printed 0.819, but 0.818 in data/audit.csv" in result.stdout


def test_an_altered_claim_breaks_the_build(copy, build_book, no_raw_files, tmp_path):
    change(copy / "book" / "acl21.ipynb", CLAIM, CLAIM.replace("15", "14"))
    result = build_book(copy, tmp_path / "out")
    assert result.returncode != 0
    assert "claimed {'exact': 14}, found {'exact': 15}" in result.stdout


def test_a_changed_measure_changes_the_page(copy, build_book, no_raw_files, tmp_path):
    """The reader's page is computed, not typed: another NVD gives other numbers on it."""
    assert build_book(copy, tmp_path / "before").returncode == 0
    change(copy / "ordbook" / "measures" / "quantification.py", *NVD)
    change(copy / "book" / "acl21.ipynb", *ASSERTION)
    result = build_book(copy, tmp_path / "out")
    assert result.returncode == 0, result.stdout[-3000:]
    assert numbers(tmp_path / "out") != numbers(tmp_path / "before")


def test_a_changed_measure_breaks_the_build_where_raw_files_are(
    copy, build_book, raw_files, tmp_path
):
    change(copy / "ordbook" / "measures" / "quantification.py", *NVD)
    change(copy / "book" / "acl21.ipynb", *ASSERTION)
    result = build_book(copy, tmp_path / "out")
    assert result.returncode != 0
    assert "sem16t4e: the scores recomputed from raw files differ from data/scores" in result.stdout


def test_a_changed_measure_breaks_the_toy(copy, build_book, no_raw_files, tmp_path):
    change(copy / "ordbook" / "measures" / "quantification.py", *NVD)
    result = build_book(copy, tmp_path / "out")
    assert result.returncode != 0
    assert "the toy differs from the values by hand" in result.stdout
