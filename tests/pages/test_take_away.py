"""A chapter runs where there is nothing but the installed package."""

import shutil

import nbformat
import pytest
from nbclient import NotebookClient

pytestmark = pytest.mark.slow


def test_a_chapter_runs_in_an_empty_folder(root, tmp_path):
    shutil.copy(root / "book" / "judges.ipynb", tmp_path)
    notebook = nbformat.read(tmp_path / "judges.ipynb", as_version=4)
    client = NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}})
    client.execute()  # raises where a cell does
    assert [path.name for path in tmp_path.iterdir()] == ["judges.ipynb"]
