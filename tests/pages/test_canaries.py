"""Canaries: a wrong number cannot hide. Each changes a copy of the project and builds its book."""

import json
import re
import shutil
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

# MAE_M, a measure of the toy, and a hundredth more.
MAE_M = ("return _mean_over_gold(_divide(inner(", "return 0.01 + _mean_over_gold(_divide(inner(")

# What is kept of the chapter: its toys, one printed table and a claim, so that it is quick.
KEPT = (
    *("title", "parameters", "start", "mae", "toy-check", "oc-heatmap", "constant"),
    *("oq-heatmap", "oq-printed", "verify"),
)
PRINTED = """record.printed("acl21", "8i", similarity_q.tau, about="distributions")"""
VERIFY = """run.verify({"ranked alike": similarity_q.tau.min(axis=None) > 0.75})"""


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
    cells = {cell["id"]: cell for cell in notebook["cells"] if cell["id"] in KEPT}
    assert set(cells) == set(KEPT), "a cell has another name now"
    cells["oq-printed"]["source"], cells["verify"]["source"] = [PRINTED], [VERIFY]
    path.write_text(json.dumps(notebook | {"cells": list(cells.values())}), encoding="utf-8")


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{old!r} occurs {text.count(old)} times in {path.name}"
    path.write_text(text.replace(old, new), encoding="utf-8")


def _without_toy_check(path: Path) -> None:
    """Leave out the cell that asserts the toy, so that the page is built with a wrong measure."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    notebook["cells"] = [cell for cell in notebook["cells"] if cell["id"] != "toy-check"]
    path.write_text(json.dumps(notebook), encoding="utf-8")


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


def test_a_changed_measure_changes_the_page(copy, build_book, no_raw_files, tmp_path):
    """The reader's page is computed, not typed: another MAE_M gives other numbers on it."""
    assert build_book(copy, tmp_path / "before").returncode == 0
    change(copy / "ordbook" / "measures" / "classification.py", *MAE_M)
    _without_toy_check(copy / "book" / "acl21.ipynb")
    result = build_book(copy, tmp_path / "out")
    assert result.returncode == 0, result.stdout[-3000:]
    assert numbers(tmp_path / "out") != numbers(tmp_path / "before")


def test_a_changed_measure_breaks_the_build_where_raw_files_are(
    copy, build_book, raw_files, tmp_path
):
    change(copy / "ordbook" / "measures" / "classification.py", *MAE_M)
    _without_toy_check(copy / "book" / "acl21.ipynb")
    result = build_book(copy, tmp_path / "out")
    assert result.returncode != 0
    assert "sem16t4c: the scores recomputed from raw files differ from data/scores" in result.stdout
