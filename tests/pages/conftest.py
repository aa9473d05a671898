"""What tests of pages share."""

import shutil

import nbformat
import pytest

from helpers.chromium import served


@pytest.fixture(scope="module")
def address(built_book):
    """Where the built book is served."""
    with served(built_book) as url:
        yield url


@pytest.fixture(scope="module")
def pages(built_book):
    """Every page of the built book; not static files, and not those that only forward."""
    found = sorted(
        path.relative_to(built_book).as_posix()
        for path in built_book.rglob("*.html")
        if 'http-equiv="refresh"' not in path.read_text(encoding="utf-8")[:1000].lower()
    )
    found = [page for page in found if not page.startswith("_static/")]
    assert "book/index.html" in found
    return found


@pytest.fixture
def write_book(root):
    """Write a book with this repository's configuration; pages are texts, or lists of cells."""

    def write(folder, pages):
        shutil.copytree(root / "book" / "_static", folder / "book" / "_static")
        for name in ("_config.yml", "book/references.bib", "book/references.md"):
            shutil.copy(root / name, folder / name)
        kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
        for name, page in pages.items():
            if isinstance(page, str):
                (folder / "book" / f"{name}.md").write_text(page)
                continue
            cells = [nbformat.v4.new_markdown_cell(f"# Page {name}"), *page]
            notebook = nbformat.v4.new_notebook(cells=cells, metadata=kernel)
            nbformat.write(notebook, folder / "book" / f"{name}.ipynb")
        first, *others = [*pages, "references"]
        files = "".join(f"  - file: book/{name}\n" for name in others)
        (folder / "_toc.yml").write_text(f"format: jb-book\nroot: book/{first}\nchapters:\n{files}")
        return folder

    return write
