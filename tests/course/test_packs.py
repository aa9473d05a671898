"""`ordbook course`: packs run anywhere, give no answer away, and are numbered as they are cited."""

import ast
import re
import zipfile

import nbformat
import pytest
from nbclient import NotebookClient

from cases import case
from ordbook.cli import main
from ordbook.course import handouts, plain
from ordbook.course.dependencies import names_of
from ordbook.course.exercises import every_one, exercises
from ordbook.course.handouts import (
    INSTALL,
    Made,
    execute_packs,
    requirement,
    student_notebook,
    teacher_page,
    wheel_name,
    write_packs,
)
from ordbook.course.packs import Assembly, chapter_pack, session_pack, text_of
from ordbook.course.plain import Plain
from ordbook.course.plan import sessions
from ordbook.course.references import Bibliography, read_labels
from ordbook.show.parameters import chapter_names

LABELS = read_labels()
# One that runs in a few seconds and has exercises of every kind.
QUICK = "official"


class Anything(dict):
    """Values for glue where nothing was executed."""

    def __contains__(self, name):
        return True

    def __missing__(self, name):
        return "123.456"


def unexecuted(pack):
    """A pack as if it had been executed: with texts and without outputs."""
    plain = Plain(pack.name, LABELS, Anything())
    texts = {u.name: plain.text(text_of(u, pack.units)) for u in pack.units if not u.code}
    captions = {u.name: u.figure["caption"] for u in pack.units if u.figure.get("caption")}
    return Made(pack, {}, texts, captions, plain)


@pytest.fixture(scope="module")
def session():
    """The first session, executed."""
    (made,) = execute_packs([session_pack("1")])
    return made


# Exercises that start by themselves


@pytest.mark.slow
def test_what_an_exercise_starts_from_runs_and_shows_something():
    for some in every_one().values():
        for one in some:
            for cell in one.start:
                with case(one.label):
                    *before, last = ast.parse(cell.source).body
                    names = {}
                    exec(compile(ast.Module(before, []), one.label, "exec"), names)
                    assert (
                        eval(compile(ast.Expression(last.value), one.label, "eval"), names)
                        is not None
                    )


def test_no_cell_that_starts_an_exercise_changes_what_the_chapter_reads_later():
    for name in chapter_names():
        units = [unit for unit in chapter_pack(name).units if unit.code]
        for place, unit in enumerate(units):
            for made in names_of(unit.code).made if unit.role == "start" else ():
                for later in units[place + 1 :]:
                    if made in names_of(later.code).read:
                        line = rf"^(import|from) .*\b{made}$"
                        assert re.search(line, unit.code, re.M), (unit.name, made, later.name)
                    if made in names_of(later.code).made:
                        break


# Which cells


NAMES = [
    ("x = x + y", {"x", "y"}, {"x"}),
    ("x += 1", {"x"}, {"x"}),
    ("x.loc[a] = 1", {"x", "a"}, {"x"}),
    ("for x in y:\n    z = x", {"y"}, {"x", "z"}),
    ("def f(a):\n    b = a\n    b[0] = c\n    return b", {"c"}, {"f"}),
    ("[i for i in x if i in y]", {"x", "y"}, set()),
    ("import a.b as c\nd = c.e(print)", set(), {"c", "d"}),
    ("x: str = 'a'  # help", set(), {"x"}),
]


def test_the_names_that_a_cell_needs_and_makes():
    for code, read, made in NAMES:
        with case(code):
            assert names_of(code).read == read - {"str"} | (names_of(code).read & {"str"})
            assert names_of(code).made == made


def test_a_session_holds_what_its_plan_cites_and_once():
    for name, plan in sessions().items():
        with case(name):
            pack = session_pack(name)
            assert len({unit.name for unit in pack.units}) == len(pack.units)
            labels = {label for slot in plan.slots for label in slot.cited}
            asked = {one.label for some in every_one().values() for one in some}
            assert {one.label for one in pack.exercises} == labels & asked
            drawn = {unit.figure.get("name") for unit in pack.units}
            assert {
                x for x in labels if getattr(LABELS.targets[x], "kind", "") == "figure"
            } <= drawn


def test_a_cell_comes_after_what_it_needs_and_solutions_are_for_their_own_exercise():
    for name in sessions():
        with case(name):
            assembly = Assembly()
            for unit in session_pack(name).units:
                if unit.role != "solution":
                    assembly.add(unit, facts=False)
            made = set(assembly.imports)
            for unit, _ in assembly.steps:
                assert unit.role != "solution"
                assert names_of(unit.code).read - {"display"} <= made, unit.name
                made |= names_of(unit.code).made


# What is handed out


def sentences(*texts):
    """Lines of text or code that say something."""
    lines = (line.strip() for text in texts for line in text.split("\n"))
    return {line for line in lines if re.search(r"\w{3}.*\w{3}", line)}


def test_no_line_of_a_solution_is_handed_out_and_no_syntax_of_the_book():
    for name in chapter_names():
        with case(name):
            pack = chapter_pack(name)
            notebook = student_notebook(unexecuted(pack), requirement())
            text = "\n".join(cell.source for cell in notebook.cells)
            solved = [c.source for one in exercises(name) for c in one.solution]
            shown = sentences(*(u.cell.source for u in pack.units if u.role != "solution"))
            assert len(sentences(*solved)) > 10
            assert sentences(text) & (sentences(*solved) - shown) == set()
            assert text.count(handouts.ANSWER) == len(exercises(name))
            assert "verify(" not in text
            nbformat.validate(notebook)
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


@pytest.mark.slow
def test_a_notebook_runs_in_a_fresh_kernel_and_is_numbered_as_the_teacher_is_told(tmp_path):
    """All sessions: at most 40 cells, under a minute, no syntax of the book, no answers."""
    for made in execute_packs([session_pack(name) for name in sessions()]):
        with case(made.pack.name):
            notebook = student_notebook(made, requirement())
            assert len(notebook.cells) <= 40
            code = [cell for cell in notebook.cells if cell.cell_type == "code"]
            assert code[0].source == INSTALL.format(requirement()).strip()
            assert code[0].source.count("\n") == 2, "three lines"
            text = "\n".join(c.source for c in notebook.cells if c.cell_type == "markdown")
            not_plain(text)
            page = teacher_page(made)
            plan = page[page.index("The plan") : page.index("<h2>Figures and tables")]
            assert not re.search(r"\{(num)?ref\}|of the book”", plan)
            cited = set(re.findall(r"(?:Fig\.|Table) \d+", plan))
            assert cited
            assert cited <= set(re.findall(r"\*\*((?:Fig\.|Table) \d+)\*\*", text))
            assert {f"Exercise {n}" for n in re.findall(r"Exercise (\d+)", plan)} <= set(
                re.findall(r"\*\*(Exercise \d+)", text)
            )
            assert "Often wrong" in plan
            for one in made.pack.exercises:
                assert one.title in page
            NotebookClient(
                notebook, timeout=60, kernel_name="python3", shutdown_kernel="immediate",
                resources={"metadata": {"path": str(tmp_path)}},
            ).execute()  # fmt: skip
            drawn = [c for c in code if any("image/png" in o.get("data", {}) for o in c.outputs)]
            assert len(drawn) == sum(text.startswith("**Fig") for text in made.captions.values())


def test_the_page_for_the_teacher_has_answers_and_what_they_show(session):
    page = teacher_page(session, "What they need.")
    assert "What they need." in page
    figures = page[page.index("<h2>Figures and tables") : page.index("<h2>Answers")]
    assert figures.count("<img") == sum("Fig." in text for text in session.captions.values())
    assert "Scores of the four cases" in figures, "a table that the plan cites"
    assert "Show Fig. 1 of <em>Four cases: Figure 1</em>" in page
    assert r"\text{NMD} = 0.4/2 = 0.2" in page
    assert "What changes when classes move." in page, "a table that a solution shows"
    assert page.count('class="answer"') == len(session.pack.exercises)


def test_files_are_written_for_students_slides_and_teacher(session, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(handouts, "execute_packs", lambda packs, **_: [session])
    monkeypatch.setattr(handouts, "_built_wheel", lambda: None)
    held = tmp_path / wheel_name()
    with zipfile.ZipFile(held, "w") as archive:
        archive.writestr("ordbook/__init__.py", "")
    for name in ("one", "two"):
        made = write_packs([session.pack], tmp_path / name, wheel=held)
    ends = {"students": "ipynb", "slides": "html", "teacher": "html"}
    wanted = {f"{folder}/session-1.{end}" for folder, end in ends.items()}
    assert set(made) == wanted | {"index.html", f"students/{wheel_name()}"}
    for name in made:
        one, two = (tmp_path / folder / name for folder in ("one", "two"))
        assert one.read_bytes() == two.read_bytes()
    assert sum(p.stat().st_size for p in (tmp_path / "one").rglob("*") if p.is_file()) < 8e6
    assert main(["course", "--session", "1", "--out", str(tmp_path / "new")]) == 0
    page = (tmp_path / "new" / "teacher" / "session-1.html").read_text(encoding="utf-8")
    assert "To do before the session" in page
    assert "`make wheel`" in capsys.readouterr().err.split("\n")[-2]
    # A wheel that was built in the clone is found.
    monkeypatch.setattr(handouts, "_built_wheel", lambda: held)
    made = write_packs([session.pack], tmp_path / "found")
    assert f"students/{wheel_name()}" in made


def test_a_deck_has_the_plan_as_notes_and_the_questions_on_slides(session):
    deck = handouts.deck("x", handouts._slides(session), session.plain)
    notes = re.findall(r'<aside class="notes">(.*?)</aside>', deck, re.S)
    assert len(notes) == len(session.pack.slots)
    for slot, _ in session.pack.slots[:3]:
        asked = session.plain.text(slot.ask).partition("\n")[0]
        assert asked[1:].strip("?") in deck
    assert len(re.findall(r'<img alt="[^"]+"', deck)) == sum(
        text.startswith("**Fig") for text in session.captions.values()
    )
    assert "No description" not in deck


PUBLIC = "https://github.com/someone/ordbook.git"
REQUIREMENTS = [
    ("https://example.com/ordbook", False, r"\./ordbook-[\d.]+-py3-none-any\.whl\[book\]"),
    (PUBLIC, True, r"\./ordbook-[\d.]+-py3-none-any\.whl\[book\]"),
    (PUBLIC, False, r"ordbook\[book\] @ git\+https://github\.com/someone/ordbook@v[\d.]+"),
]


def test_the_requirement_follows_the_address_of_the_project(monkeypatch):
    """Never a bare name, under which anybody could offer a package."""
    for address, held, line in REQUIREMENTS:
        with case(address, held, line):
            monkeypatch.setattr(handouts, "repository_address", lambda address=address: address)
            assert re.fullmatch(line, requirement(local=held))


BAD_REQUESTS = [
    (["--session", "3"], "no session '3'; there are 1, 2, tutorial"),
    (["--chapter", "acl22"], "no chapter 'acl22'; there are "),
    (["--all", "--jobs", "0"], "--jobs must be at least 1, it is 0"),
    (["--all", "--wheel", "lost.whl"], "there is no such file; `make wheel` builds"),
]


def test_bad_requests_run_nothing(tmp_path, capsys):
    for arguments, message in BAD_REQUESTS:
        with case(arguments, message, within=tmp_path) as folder:
            assert main(["course", "--out", str(folder / "out"), *arguments]) == 2
            assert message in capsys.readouterr().err
            assert list(folder.iterdir()) == []


@pytest.mark.slow
def test_a_cell_that_fails_writes_nothing(tmp_path, monkeypatch, capsys):
    pack = chapter_pack(QUICK)
    unit = next(unit for unit in pack.units if unit.code and not unit.cell.metadata.get("tags"))
    monkeypatch.setitem(unit.cell, "source", "1 / 0")
    assert main(["course", "--chapter", QUICK, "--out", str(tmp_path / "x")]) == 1
    assert f"{QUICK}: cell" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


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
        "*that* (`book/explorer_luck.html` in the built book)"
    )
    monkeypatch.setattr(plain, "repository_address", lambda: PUBLIC)
    address = "https://someone.github.io/ordbook/book/explorer_luck.html"
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


def test_what_cannot_be_shown_is_an_error():
    for source, message in UNKNOWN:
        with case(source, message), pytest.raises(ValueError, match=re.escape(message)):
            Plain("acl21", LABELS).text(source)


def test_exercises_have_the_numbers_of_the_book():
    """Sphinx counts them through the book, in the order of its chapters."""
    labels = [one.label for some in every_one().values() for one in some]
    assert [LABELS.targets[label].text for label in labels] == [
        f"Exercise {k + 1}" for k in range(len(labels))
    ]
    assert LABELS.targets["teaching-exam-nmd"].text == f"Exercise {len(labels) + 1}"
