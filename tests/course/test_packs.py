"""`ordbook course`: packs run anywhere, give no answer away, and are numbered as they are cited."""

import ast
import io
import re
import zipfile
from contextlib import redirect_stdout
from html import unescape

import nbformat
import pytest
from nbclient import NotebookClient

from helpers.chromium import FLAGS
from ordbook.cli import main
from ordbook.course import handouts, installing, packs, plain
from ordbook.course.exercises import every_one, exercises
from ordbook.course.handouts import (
    execute_packs,
    slides,
    student_notebook,
    teacher_page,
    write_packs,
)
from ordbook.course.packs import (
    chapter_cells,
    chapters_cited,
    planned_sessions,
    put_together,
    require_names,
    role,
    session_parts,
)
from ordbook.course.plain import Bibliography, Plain
from ordbook.show.labels import read_labels
from ordbook.show.parameters import chapter_names, notebook_of

LABELS = read_labels()
# One that runs in a few seconds and has exercises of every kind.
QUICK = "judges"


class Anything(dict):
    """Values for glue where nothing was executed."""

    def __contains__(self, name):
        return True

    def __missing__(self, name):
        return "123.456"


def unexecuted(name, monkeypatch):
    """A pack as if its chapters had been executed: with texts and without outputs."""
    monkeypatch.setattr(packs, "_glued", lambda notebook: Anything())
    chapters = chapters_cited(name) if name in planned_sessions() else [name]
    return put_together(name, {c: nbformat.read(notebook_of(c), as_version=4) for c in chapters})


def session_cells(name):
    return [cell for part in session_parts(name) for cell in part.cells]


@pytest.fixture(scope="module")
def quick():
    """A chapter, executed."""
    (pack,) = execute_packs([QUICK])
    return pack


@pytest.fixture(scope="module")
def every_session():
    """All sessions, executed."""
    return execute_packs(require_names())


# Exercises that start by themselves


@pytest.mark.slow
def test_what_an_exercise_starts_from_runs_by_itself_and_shows_something(subtests):
    for some in every_one().values():
        for one in some:
            for cell in one.start:
                with subtests.test(one.label), redirect_stdout(io.StringIO()) as printed:
                    *before, last = ast.parse(cell.source).body
                    names = {}
                    exec(compile(ast.Module(before, []), one.label, "exec"), names)
                    value = eval(compile(ast.Expression(last.value), one.label, "eval"), names)
                    assert value is not None or printed.getvalue()


def test_no_name_of_a_cell_that_starts_an_exercise_is_read_later():
    """A chapter is executed whole, so that a result to be filled in would change the chapter."""

    def names(source, kind):
        nodes = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name))
        return {node.id for node in nodes if isinstance(node.ctx, kind)}

    for name in chapter_names():
        cells = [cell for cell in chapter_cells(name) if cell.cell_type == "code"]
        for place, start in enumerate(cells):
            if role(start) != "start":
                continue
            kept = names(start.source, ast.Store)
            for cell in cells[place + 1 :]:
                kept -= names(cell.source, ast.Store)
                assert not kept & names(cell.source, ast.Load), (start.id, cell.id)


def test_every_exercise_of_a_session_that_has_a_result_checks_it():
    """Those that only compare, or that end in a table, do not."""
    for name in planned_sessions():
        cells = session_cells(name)
        for cell in cells:
            about = cell.metadata["pack"]
            if role(cell) == "question" and about["title"].startswith("Compute"):
                of_same = [c for c in cells if c.metadata["pack"].get("label") == about["label"]]
                assert any("check(" in c.source for c in of_same if role(c) == "start"), about


# Which cells


def test_a_session_holds_whole_sections_that_its_plan_cites_once(subtests):
    for name, plan in planned_sessions().items():
        with subtests.test(name=name):
            cells = session_cells(name)
            assert len({cell.id for cell in cells}) == len(cells)
            labels = {label for slot in plan.slots for label in slot.cited}
            assert labels <= set(LABELS.targets) | set(LABELS.titles) | set(planned_sessions()), (
                "unknown"
            )
            asked = {one.label for some in every_one().values() for one in some}
            here = {c.metadata["pack"]["label"] for c in cells if role(c) == "question"}
            assert here == labels & asked
            sources = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
            drawn = {c.metadata.get("mystnb", {}).get("figure", {}).get("name") for c in cells}
            for label in labels - asked:
                target = LABELS.targets.get(label)
                if target and target.page in chapter_names() and target.kind == "section":
                    assert f"({label})=" in sources, label
                assert not target or target.kind != "figure" or label in drawn, label


# What is handed out


def sentences(*texts):
    """Lines of text or code that say something."""
    lines = (line.strip() for text in texts for line in text.split("\n"))
    return {line for line in lines if re.search(r"\w{3}.*\w{3}", line)}


@pytest.mark.parametrize("name", [*chapter_names(), *planned_sessions()])
def test_no_line_of_a_solution_is_handed_out_and_no_syntax_of_the_book(name, monkeypatch):
    pack = unexecuted(name, monkeypatch)
    notebook = student_notebook(pack, "x")
    text = "\n".join(cell.source for cell in notebook.cells)
    cells = pack.cells
    solved = sentences(*(cell.source for cell in cells if role(cell) == "solution"))
    shown = sentences(*(cell.source for cell in cells if role(cell) != "solution"))
    assert len(solved) > 10
    assert sentences(text) & (solved - shown) == set()
    count = sum(role(cell) == "question" for cell in cells)
    assert count == text.count(handouts.ANSWER) > 0
    assert "verify(" not in text
    assert name in planned_sessions() or count == len(exercises(name))
    for cell in notebook.cells:
        assert set(cell.metadata) <= {"jupyter"}
        assert not cell.get("outputs")
        if cell.cell_type == "markdown":
            not_plain(cell.source)


def not_plain(text):
    """Fail where a notebook would show syntax of the book."""
    assert not re.search(r"\{[a-z][\w:-]*\}`", text), text
    assert not re.search(r"^(:::|```\{|\([\w-]+\)=|:label:|:class:)", text, re.M), text
    shown = re.sub(r"```.*?```|`[^`]*`", "", text, flags=re.S)
    assert "{" not in re.sub(r"\$\$.+?\$\$|\$[^$]+\$", "", shown, flags=re.S), text
    # Formulas are whole in quoted lines.
    for formula in re.findall(r"\$\$.*?\$\$|\$[^$]+\$", text, re.S):
        assert "\n>" not in formula, formula


def test_slides_ask_with_the_figure_and_tell_afterwards(monkeypatch, subtests):
    """A question stands on the slide of its figure, below it, before the caption; notes beside."""
    for name in planned_sessions():
        pages = []
        for cell in slides(unexecuted(name, monkeypatch)):
            if cell.metadata["slideshow"]["slide_type"] == "slide":
                pages.append([])
            pages[-1].append(cell)
        for page in pages[2:]:
            text = [cell.source for cell in page if cell.cell_type == "markdown"]
            with subtests.test(name=name, case=text[0]):
                asked = [
                    k
                    for k, cell in enumerate(page)
                    if cell.source.startswith("> ") and "?" in cell.source
                ]
                drawn = [k for k, cell in enumerate(page) if cell.metadata.get("alt")]
                told = [k for k, cell in enumerate(page) if 'class="caption"' in cell.source]
                if asked and drawn:
                    assert drawn[0] < asked[0] < told[0]
                    assert page[told[0]].metadata["slideshow"]["slide_type"] == "fragment"
                body = " ".join(
                    cell.source
                    for cell in page[1:]
                    if cell.metadata["slideshow"]["slide_type"] != "notes"
                )
                much = any(cell.cell_type == "code" for cell in page) or re.search(
                    r"^(\$\$|\||- |1\.|```|> \*\*)", body, re.M
                )
                assert much or len(re.findall(r"[.?](?:\s|$)", body)) > 1, "a single sentence"
                assert page[-1].metadata["slideshow"]["slide_type"] == "notes"


@pytest.mark.slow
def test_a_notebook_runs_alone_and_shows_what_the_chapters_show(every_session, tmp_path, subtests):
    """In an empty folder, without the chapters: every name is there, and means the same."""
    for pack in every_session:
        with subtests.test(pack.name):
            notebook = student_notebook(pack, installing.choose()[1])
            text = "\n".join(c.source for c in notebook.cells if c.cell_type == "markdown")
            NotebookClient(
                notebook, timeout=120, kernel_name="python3", shutdown_kernel="immediate",
                resources={"metadata": {"path": str(tmp_path)}},
            ).execute()  # fmt: skip
            assert notebook.cells[1].outputs[0].text.startswith("All that is needed is there")
            theirs = {
                cell.source: tables(cell) for cell in notebook.cells if cell.cell_type == "code"
            }
            ours = [c for c in pack.cells if c.cell_type == "code" and role(c) == "shown"]
            assert sum(bool(tables(cell)) for cell in ours) > 1
            for cell in ours:
                assert theirs[cell.source] == tables(cell), cell.id
            page = teacher_page(pack)
            plan = page[page.index("The plan") : page.index("<h2>Figures and tables")]
            assert not re.search(r"\{(num)?ref\}|of the book”", plan)
            cited = set(re.findall(r"(?:Fig\.|Table) \d+", plan))
            assert cited
            assert cited <= set(re.findall(r"\*\*((?:Fig\.|Table) \d+)\*\*", text))
            exercises = re.findall(r"Exercise [\d.]+\d", plan)
            assert {*exercises} <= {*re.findall(r"\*\*(Exercise [\d.]+\d)", text)}
            assert "Often wrong" in plan


def tables(cell):
    """The tables that a cell shows, which do not depend on the fonts of a machine."""
    return [o.data["text/html"] for o in cell.outputs if "text/html" in o.get("data", {})]


@pytest.mark.slow
def test_the_slides_of_sessions_fit(every_session, tmp_path, chromium):
    from playwright.sync_api import sync_playwright

    handouts.copy_reveal(tmp_path)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
        page = browser.new_page(viewport={"width": 1280, "height": 720})
        for pack in every_session:
            path = tmp_path / f"{pack.name}.html"
            path.write_text(handouts.deck("x", slides(pack), pack.plain), encoding="utf-8")
            page.goto(path.as_uri())
            page.wait_for_selector("html[data-ready=yes]")
            for place in range(page.evaluate("Reveal.getTotalSlides()")):
                page.evaluate(f"Reveal.slide({place})")
                page.wait_for_function("Reveal.getCurrentSlide().dataset.fitted")
                scale, scrolls = page.evaluate(
                    "(() => {const one = Reveal.getCurrentSlide(); "
                    "return [one.dataset.fitted, one.tabIndex == 0]})()"
                )
                works = page.evaluate("Reveal.getCurrentSlide().innerText").startswith("References")
                assert not scrolls, (path.name, place)
                assert works or float(scale) > 0.75, (path.name, place, scale)
        browser.close()


def test_the_page_for_the_teacher_has_the_board_and_the_answers(monkeypatch):
    page = teacher_page(unexecuted("session-1", monkeypatch), "What they need.")
    for text in (
        "What they need.",
        "Afterwards you can",
        "To prepare",
        r"\text{NMD} = \frac{.1 + .1 + .1 + .2 + 0}{5 - 1} = .125",
        r"\text{RNOD} &= \sqrt{\frac{.175}{5 - 1}} = .209",
        "<td>cumulative gold</td>",
        r"\text{NMD} = .4/4 = .1",
        "Often wrong",
    ):
        assert text in unescape(page), text
    assert page.count('class="answer"') == len(
        {c.metadata["pack"]["label"] for c in session_cells("session-1") if role(c) == "question"}
    )


def empty_wheel(folder):
    path = folder / installing.wheel_name()
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("ordbook/__init__.py", "")
    return path


def test_files_are_written_for_students_slides_and_teacher(quick, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(handouts, "execute_packs", lambda names, **_: [quick])
    monkeypatch.setattr(installing, "_built_wheel", lambda: None)
    held = empty_wheel(tmp_path)
    wheel = held.name
    for name in ("one", "two"):
        made = write_packs([QUICK], tmp_path / name, wheel=held)
    ends = {"students": "ipynb", "slides": "html", "teacher": "html"}
    wanted = {f"{folder}/{QUICK}.{end}" for folder, end in ends.items()}
    assert set(made) == wanted | {"index.html", f"students/{wheel}"}
    for name in made:
        one, two = (tmp_path / folder / name for folder in ("one", "two"))
        assert one.read_bytes() == two.read_bytes()
    assert sum(p.stat().st_size for p in (tmp_path / "one").rglob("*") if p.is_file()) < 8e6
    assert (tmp_path / "one" / "slides" / "reveal" / "LICENSE").is_file()
    page = (tmp_path / "one" / "teacher" / f"{QUICK}.html").read_text(encoding="utf-8")
    assert "Ranks of the runs" in page, "a table"
    assert main(["course", "--chapter", QUICK, "--out", str(tmp_path / "new")]) == 0
    page = (tmp_path / "new" / "teacher" / f"{QUICK}.html").read_text(encoding="utf-8")
    assert "To do before the session" in page
    assert "`make wheel`" in capsys.readouterr().err.split("\n")[-2]
    # A wheel that was built in the clone is found.
    monkeypatch.setattr(installing, "_built_wheel", lambda: held)
    assert f"students/{wheel}" in write_packs([QUICK], tmp_path / "found")


PUBLIC = "https://github.com/someone/ordbook.git"
WHEEL = r"\./ordbook-[\d.rc]+-py3-none-any\.whl\[notebooks\]"
REQUIREMENTS = [
    ("https://example.com/ordbook", False, WHEEL),
    (PUBLIC, True, WHEEL),
    (PUBLIC, False, r"ordbook\[notebooks\] @ git\+https://github\.com/someone/ordbook@v[\d.rc]+"),
]


@pytest.mark.parametrize(("address", "held", "line"), REQUIREMENTS)
def test_the_requirement_follows_the_address_of_the_project(
    address, held, line, monkeypatch, tmp_path
):
    """Never a bare name, under which anybody could offer a package."""
    monkeypatch.setattr(installing, "repository_address", lambda: address)
    monkeypatch.setattr(installing, "_built_wheel", lambda: None)
    assert re.fullmatch(line, installing.choose(empty_wheel(tmp_path) if held else None)[1])


@pytest.mark.slow
def test_a_cell_that_fails_writes_nothing(tmp_path, monkeypatch, capsys):
    notebook = nbformat.read(notebook_of(QUICK), as_version=4)
    next(cell for cell in notebook.cells if cell.cell_type == "code").source = "1 / 0"
    nbformat.write(notebook, tmp_path / "broken.ipynb")
    monkeypatch.setattr(handouts, "notebook_of", lambda chapter: tmp_path / "broken.ipynb")
    assert main(["course", "--chapter", QUICK, "--out", str(tmp_path / "x")]) == 1
    assert f"{QUICK}: cell" in capsys.readouterr().err
    assert not (tmp_path / "x").exists()


# Plain Markdown


def test_what_directives_and_roles_become():
    plain = Plain("acl21", LABELS, {"x": "36 exact"}, {"t": "Table 1"})
    source = """(acl21-x)=
## A heading

:::{admonition} Before **you** start
:class: tip
One $a
= b$ formula.
:::

```{exercise} Compute
:label: acl21-compute

Do {ref}`acl21-tau`.
```

{cite:t}`sakai2018sigir` and {cite}`sakai2018sigir, zeng2020dialeval`; {glue:text}`x`;
{doc}`audit`, {numref}`t`, {ref}`that <acl21-tau>`, {numref}`lq21-counts`; `{ref}`.

```
{ref}`kept`
```"""
    text = plain.text(source)
    assert text.startswith("## A heading\n")
    assert "> **Before **you** start**" in text
    assert "> One $a = b$ formula." in text
    number = LABELS.targets["acl21-compute"].text
    assert f"> **{number}: Compute**\n>\n> Do *Do two measures rank the runs alike?*." in text
    key = Bibliography().cite(["sakai2018sigir", "zeng2020dialeval"])
    assert re.fullmatch(r"\(Sakai, 2018\w?; Zeng et al\., 2020\)", key)
    assert (
        f"and {key}; 36 exact;\n*An audit of every printed number*, Table 1, *that*, a tab" in text
    )
    assert text.endswith("```\n{ref}`kept`\n```")
    assert "Sakai" in plain.bibliography.listed(plain.cited)


def test_an_explorer_is_named_with_where_it_is(monkeypatch):
    text = "{ref}`that <explorer-luck>`"
    assert Plain("acl21", LABELS).text(text) == (
        "*that* (`book/explorer_luck.html?view=present` in the built book)"
    )
    monkeypatch.setattr(plain, "repository_address", lambda: PUBLIC)
    address = "https://someone.github.io/ordbook/book/explorer_luck.html?view=present"
    assert Plain("acl21", LABELS).text(text) == f"[*that*]({address})"


UNKNOWN = [
    ("{ref}`nowhere`", "acl21: there is no label 'nowhere'"),
    ("{cite}`nobody`", "references.bib: there is no entry 'nobody'"),
    ("{glue:text}`never`", "acl21: no cell keeps a value 'never'"),
    ("{doc}`lost`", "acl21: there is no page 'lost'"),
    ("{kbd}`x`", "acl21: the role {kbd} is not known here"),
    ("```{mermaid}\nx\n```", "acl21: the directive {mermaid} is not known here"),
    ("```{note}\nx", "is not closed"),
    ("```{exercise} X\n:label: nothing\n```", "acl21: an exercise has no label, or one"),
]


@pytest.mark.parametrize(("source", "message"), UNKNOWN)
def test_what_cannot_be_shown_is_an_error(source, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        Plain("acl21", LABELS).text(source)


def test_exercises_are_counted_within_chapters():
    """As Sphinx counts them: a test of the built pages holds the numbers against these."""
    assert LABELS.targets["acl21-compute"].text == "Exercise 4.1"
    assert LABELS.targets["teaching-exam-nmd"].text == "the exercise"
