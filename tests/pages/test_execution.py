"""Chapters are executed side by side, anew in every build, and a failing one still fails it."""

import shutil
from pathlib import Path

import nbformat
import pytest

from ordbook.meta.parallel import processors

pytestmark = pytest.mark.slow

# Each of two chapters waits for the other, so that only side by side they come to an end.
MEET = """import pathlib, time
pathlib.Path("../{mine}").touch()
while not pathlib.Path("../{other}").exists():
    time.sleep(0.1)
print("met {other}", pathlib.Path("../number").read_text())"""


def two_chapters(root: Path, folder: Path, sources: dict[str, str]) -> Path:
    """Write a book of two notebooks with this repository's configuration."""
    shutil.copytree(root / "book" / "_static", folder / "book" / "_static")
    for name in ("_config.yml", "book/references.bib", "book/references.md"):
        shutil.copy(root / name, folder / name)
    config = (folder / "_config.yml").read_text().replace("timeout: 300", "timeout: 60")
    (folder / "_config.yml").write_text(config)
    (folder / "_toc.yml").write_text(
        "format: jb-book\nroot: book/one\nchapters:\n  - file: book/two\n"
        "  - file: book/references\n"
    )
    for name, source in sources.items():
        notebook = nbformat.v4.new_notebook(
            cells=[
                nbformat.v4.new_markdown_cell(f"# Chapter {name}"),
                nbformat.v4.new_code_cell(source),
            ],
            metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}},
        )
        nbformat.write(notebook, folder / "book" / f"{name}.ipynb")
    return folder


@pytest.mark.skipif(processors() < 2, reason="one processor runs one chapter at a time")
def test_chapters_run_side_by_side_and_anew(root, build_book, tmp_path):
    sources = {
        mine: MEET.format(mine=mine, other=other)
        for mine, other in (("one", "two"), ("two", "one"))
    }
    folder = two_chapters(root, tmp_path, sources)
    for number in ("17", "18"):
        (folder / "number").write_text(number)
        result = build_book(folder, tmp_path / "out")
        assert result.returncode == 0, result.stdout[-3000:]
        for name, other in (("one", "two"), ("two", "one")):
            page = (tmp_path / "out/_build/html/book" / f"{name}.html").read_text()
            assert f"met {other} {number}" in page, "the second build has new numbers"


def test_a_failing_chapter_among_others_fails_the_build(root, build_book, tmp_path):
    sources = {"one": "1 + 1", "two": "raise ValueError('chapter two is wrong')"}
    result = build_book(two_chapters(root, tmp_path, sources), tmp_path / "out")
    assert result.returncode != 0
    assert "chapter two is wrong" in result.stdout
