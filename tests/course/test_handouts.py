"""Worksheets and decks: handed out without solutions, projected without a network."""

import io
import re
from contextlib import redirect_stdout

import nbformat
import pytest

from ordbook.cli import main
from ordbook.course.handouts import course_notebooks, is_deck, student_worksheet

NOTEBOOKS = {path.stem: nbformat.read(path, as_version=4) for path in course_notebooks()}
SHEETS = {name: notebook for name, notebook in NOTEBOOKS.items() if not is_deck(notebook)}
DECKS = {name: notebook for name, notebook in NOTEBOOKS.items() if is_deck(notebook)}


def tagged(cell, tag):
    return tag in cell.metadata.get("tags", ())


def test_students_get_no_solution_and_no_output():
    for name, notebook in SHEETS.items():
        sheet = student_worksheet(nbformat.from_dict(notebook))
        assert len(sheet.cells) < len(notebook.cells), name
        text = "\n".join(cell.source for cell in sheet.cells)
        assert not any(tagged(cell, "solution") for cell in sheet.cells)
        assert not re.search(r"\]\(\.\./|\{\w+\}`|:::|```\{", text), "it is plain Markdown"
        ids = {cell.id for cell in sheet.cells}
        assert {c.id for c in notebook.cells} - ids == {
            c.id for c in notebook.cells if tagged(c, "solution")
        }


@pytest.mark.parametrize("name", SHEETS)
def test_checks_and_open_cells_of_a_worksheet_need_no_check(name):
    names, told = {}, io.StringIO()
    for cell in SHEETS[name].cells:
        if cell.cell_type == "code" and not tagged(cell, "solution"):
            checks = cell.id.endswith("-check")
            assert checks == tagged(cell, "hide-input")
            with redirect_stdout(told):
                exec(cell.source, dict(names) if checks else names)
    assert "check" not in names
    assert told.getvalue().count("your result in place of the three dots") >= 7


def notebook(tmp_path, name, *cells):
    made = []
    for kind, source, metadata in cells:
        make = nbformat.v4.new_code_cell if kind == "code" else nbformat.v4.new_markdown_cell
        made.append(make(source, metadata=metadata))
    path = tmp_path / f"{name}.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=made), path)
    return path


def slide(kind):
    return {"slideshow": {"slide_type": kind}}


def test_a_teachers_own_deck_and_worksheet_are_written(tmp_path, capsys):
    deck = notebook(
        tmp_path,
        "mine",
        ("md", "## How many?", slide("slide")),
        ("code", "print(6 * 7)", slide("fragment")),
        ("code", "x = 'seen'; x", slide("-") | {"tags": ["show-input"]}),
        ("md", "*Ask*", slide("notes")),
    )
    sheet = notebook(
        tmp_path, "sheet", ("md", "Why?", {}), ("code", "'because'", {"tags": ["solution"]})
    )
    out = tmp_path / "out"
    assert main(["course", str(deck), str(sheet), "--out", str(out)]) == 0
    page = (out / "slides/mine.html").read_text(encoding="utf-8")
    assert "42" in page
    assert "6 * 7" not in re.sub("<[^>]+>", "", page)
    assert "seen" in page
    assert '<aside class="notes">' in page
    assert not re.search(r"(?:src|href)=\"(?:https?:)?//", page), "it needs no network"
    for file in re.findall(r'(?:src|href)="([^"#:]+)"', page):
        assert (out / "slides" / file).is_file(), file
    assert "because" not in (out / "students/sheet.ipynb").read_text(encoding="utf-8")
    assert (out / "teacher/sheet.ipynb").read_bytes() == sheet.read_bytes()
    bad = notebook(tmp_path, "bad", ("code", "1 / 0", slide("slide")))
    assert main(["course", str(bad), "--out", str(tmp_path / "x")]) != 0
    assert "ZeroDivisionError" in capsys.readouterr().err
    assert not (tmp_path / "x").exists()


@pytest.mark.slow
def test_the_decks_of_the_book_run(tmp_path, capsys):
    assert main(["course", "--out", str(tmp_path / "course")]) == 0
    for name in DECKS:
        page = (tmp_path / f"course/slides/{name}.html").read_text(encoding="utf-8")
        assert page.count("<svg") >= 4
        assert "Traceback" not in page
