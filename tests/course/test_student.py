"""`ordbook student`: nothing of a solution leaks, notebooks are plain Markdown and run anywhere."""

import re
import subprocess
import sys
import zipfile
from pathlib import Path

import nbformat
import pytest

from cases import case
from ordbook.chapters.parameters import chapter_names
from ordbook.cli import main
from ordbook.course import student
from ordbook.course.coursework import Chapter, choose_chapters
from ordbook.course.exercises import every_one, exercises, without_solutions
from ordbook.course.plain import Plain
from ordbook.course.references import Bibliography, read_labels
from ordbook.course.student import requirement, student_notebook, wheel_name, write_student_zip
from ordbook.report.executing import execute, prepare_environment

ROOT = Path(__file__).resolve().parents[2]
# One that runs in a few seconds and has exercises of every kind.
QUICK = "official"
TAU, LINK = "Do two measures rank the runs alike?", "#Do-two-measures-rank-the-runs-alike?"


class Anything(dict):
    """Values for glue where nothing was executed."""

    def __contains__(self, name):
        return True

    def __missing__(self, name):
        return "123.456"


def read(name):
    return nbformat.read(ROOT / "book" / f"{name}.ipynb", as_version=4)


def plain_of(name, notebook):
    tables = re.findall(r"name=\"([\w-]+)\"", "\n".join(c.source for c in notebook.cells))
    return Plain(name, read_labels(), Anything(), dict.fromkeys(tables, "A caption. More."))


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The zip file of a quick chapter, made twice, and unpacked."""
    folder = tmp_path_factory.mktemp("student")
    write_student_zip([QUICK], folder / "one.zip")
    write_student_zip([QUICK], folder / "two.zip")
    with zipfile.ZipFile(folder / "one.zip") as archive:
        archive.extractall(folder / "unpacked")
    return folder


# Solutions


def sentences(*texts):
    """Lines of text or code that say something."""
    lines = (line.strip() for text in texts for line in text.split("\n"))
    return {line for line in lines if re.search(r"\w{3}.*\w{3}", line)}


def leaks(name, text):
    """Lines that only solutions have, and that stand in a text; as few as none."""
    found = exercises(name)
    texts = sentences(*(one.solution for one in found))
    codes = sentences(*(code for one in found for code in one.code))
    assert len(texts) > 4
    assert len(codes) > 10
    # A line of code may stand in the chapter, too; a sentence must not.
    other = (cell.source for cell in read(name).cells if not cell.id.startswith("solution"))
    shared = sentences(text) & codes
    assert len(shared) < 0.2 * len(codes) + 3
    return sentences(text) & texts | shared - sentences(*other)


def test_every_solution_becomes_two_empty_cells_and_no_line_of_it_is_left():
    for name in chapter_names():
        with case(name):
            stripped = without_solutions(read(name))
            count = len(exercises(name))
            answers = [cell for cell in stripped.cells if cell.id.startswith("answer-")]
            assert [cell.cell_type for cell in answers] == ["markdown", "code"] * count
            text = "\n".join(cell.source for cell in stripped.cells)
            assert "{solution" not in text
            assert text.count("{exercise}") == count
            assert leaks(name, text) == set()
            assert len({cell.id for cell in stripped.cells}) == len(stripped.cells)
            assert without_solutions(stripped) == stripped


def notebook_of(*sources):
    cells = [nbformat.v4.new_markdown_cell(source, id=f"c{k}") for k, source in enumerate(sources)]
    return nbformat.v4.new_notebook(cells=cells)


def test_a_broken_solution_is_an_error():
    for source, message in [
        ("```{solution-start} x\n```\ntext", "has no {solution-end}"),
        ("```{solution-end}\n```", "cell c0: a solution ends that did not begin"),
        ("```{solution-start} x\n```\n```{solution-start} y\n```", "begins within another"),
        ("```{solution-start} x\ntext", "cell c0: a solution is not written as the others are"),
        (":::{solution} x\ntext\n:::", "cell c0: a solution is not written as the others are"),
    ]:
        with case(source, message), pytest.raises(ValueError, match=message):
            without_solutions(notebook_of(source))


# Plain Markdown


def test_no_syntax_of_the_book_is_left():
    for name in chapter_names():
        with case(name):
            notebook = without_solutions(read(name))
            plain = plain_of(name, notebook)
            for cell in notebook.cells:
                if cell.cell_type == "markdown":
                    text = plain.text(cell.source)
                    shown = re.sub(r"```.*?```|`[^`]*`", "", text, flags=re.S)
                    assert not re.search(r"\{[a-z][\w:-]*\}`", text), cell.id
                    assert not re.search(r"^(:::|```\{|\([\w-]+\)=|:label:|:class:)", text, re.M), (
                        cell.id
                    )
                    assert "123" in text or "{glue" not in cell.source
                    assert "{" not in re.sub(r"\$\$.+?\$\$|\$[^$]+\$", "", shown, flags=re.S), (
                        cell.id
                    )
                    # Formulas stay, and are whole in quoted lines.
                    for formula in re.findall(r"\$\$.*?\$\$|\$[^$]+\$", text, re.S):
                        assert "\n>" not in formula, cell.id


def test_what_directives_and_roles_become():
    labels = read_labels()
    plain = Plain("acl21", labels, {"x": "36 exact"}, {"t": "Counts. By run."}, ["measures"])
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
{doc}`measures`, {doc}`audit`, {numref}`t`, {ref}`that <acl21-tau>`; `{ref}`.

```
{ref}`kept`
```"""
    text = plain.text(source)
    assert text.startswith("## A heading\n")
    assert "> **Before **you** start**" in text
    assert "> One $a = b$ formula." in text
    number = labels.targets["acl21-compute"].text
    assert f"> **{number}: Compute**\n>\n> Do [{TAU}]({LINK})." in text
    key = Bibliography().cite(["sakai2018sigir", "zeng2020dialeval"])
    assert re.fullmatch(r"\(Sakai, 2018\w?; Zeng et al\., 2020\)", key)
    assert f"and {key}; 36 exact;\n[Twenty-two measures on one toy](measures.ipynb)" in text
    assert "*An audit of every printed number*, the table “Counts”" in text
    assert f"[that]({LINK}); `{{ref}}`." in text
    assert text.endswith("```\n{ref}`kept`\n```")
    assert "Sakai" in plain.bibliography.listed(plain.cited)


UNKNOWN = [
    ("{ref}`nowhere`", "acl21.ipynb: there is no label 'nowhere'"),
    ("{cite}`nobody`", "references.bib: there is no entry 'nobody'"),
    ("{glue:text}`never`", "acl21.ipynb: no cell keeps a value 'never'"),
    ("{doc}`lost`", "acl21.ipynb: there is no page 'lost'"),
    ("{kbd}`x`", "acl21.ipynb: the role {kbd} is not known here"),
    ("```{mermaid}\nx\n```", "acl21.ipynb: the directive {mermaid} is not known here"),
    ("```{note}\nx", "is not closed"),
    ("```{exercise} X\n:label: nothing\n```", "acl21.ipynb: an exercise has no label, or one"),
]


def test_what_cannot_be_shown_is_an_error():
    for source, message in UNKNOWN:
        with case(source, message), pytest.raises(ValueError, match=re.escape(message)):
            Plain("acl21", read_labels()).text(source)


def test_exercises_have_the_numbers_of_the_book():
    """Sphinx counts them through the book, in the order of its chapters."""
    targets = read_labels().targets
    labels = [one.label for some in every_one().values() for one in some]
    assert [targets[label].text for label in labels] == [
        f"Exercise {k + 1}" for k in range(len(labels))
    ]
    assert targets["teaching-exam-nmd"].text == f"Exercise {len(labels) + 1}"


def test_students_do_not_get_the_cell_that_holds_a_page_to_its_claims():
    for name in chapter_names():
        with case(name):
            whole = without_solutions(read(name))
            plain = plain_of(name, whole)
            for cell in whole.cells:
                if cell.cell_type == "markdown":
                    cell.source = plain.text(cell.source)
            made = student_notebook(Chapter(name, name, whole, plain), requirement())
            text = "\n".join(cell.source for cell in made.cells)
            assert "verify(" in "\n".join(cell.source for cell in whole.cells)
            assert "verify(" not in text
            assert "The last cell holds" not in text
            assert "The works cited are listed in" in text
            assert not re.search(r"\*Figure \d", text), "another number than the book's"


# The zip file


@pytest.mark.slow
def test_the_zip_file_is_the_same_every_time_and_gives_nothing_away(made):
    assert (made / "one.zip").read_bytes() == (made / "two.zip").read_bytes()
    folder = made / "unpacked" / "ordbook-course"
    names = zipfile.ZipFile(made / "one.zip").namelist()
    assert names == [
        f"ordbook-course/{n}" for n in (f"{QUICK}.ipynb", "README.md", "requirements.txt")
    ]
    assert (folder / "requirements.txt").read_text(encoding="utf-8") == f"{requirement()}\n"
    about = (folder / "README.md").read_text(encoding="utf-8")
    assert all(word in about for word in ("Jupyter", "Colab", "Binder", requirement()))
    assert f"`{QUICK}.ipynb`" in about
    notebook = nbformat.read(folder / f"{QUICK}.ipynb", as_version=4)
    nbformat.validate(notebook)
    assert set(notebook.metadata) == {"kernelspec", "language_info"}
    for cell in notebook.cells:
        assert set(cell.metadata) <= {"tags", "jupyter"}
        assert not cell.get("outputs")
    assert notebook.cells[-1].source.startswith("## References")
    assert any("parameters" in cell.metadata.get("tags", []) for cell in notebook.cells)
    assert leaks(QUICK, "\n".join([about, *(cell.source for cell in notebook.cells)])) == set()


@pytest.mark.slow
def test_the_notebook_runs_in_an_empty_folder_without_the_repository(made, tmp_path):
    path = made / "unpacked" / "ordbook-course" / f"{QUICK}.ipynb"
    prepare_environment()
    execute(QUICK, {}, tmp_path / "done.ipynb", notebook=path)
    done = nbformat.read(tmp_path / "done.ipynb", as_version=4)
    code = [cell for cell in done.cells if cell.cell_type == "code"]
    assert not ROOT.is_relative_to(tmp_path)
    assert not tmp_path.is_relative_to(ROOT)
    assert code[0].outputs == [], "the first cell is idle outside Colab"
    assert sum(bool(cell.outputs) for cell in code) >= 5


def in_colab(source, folder):
    """What the first cell does with Google's package there and a pip that only talks."""
    program = (
        "import subprocess, sys, types\n"
        "sys.modules['google.colab'] = types.ModuleType('google.colab')\n"
        "subprocess.run = lambda command, check: print(command[1:], check)\n"
    ) + source
    return subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=folder, check=False
    )


@pytest.mark.slow
def test_the_first_cell_installs_in_colab(tmp_path, monkeypatch):
    for local in [False, True]:
        with case(local, within=tmp_path) as here:
            monkeypatch.setattr(
                student, "repository_address", lambda: "https://github.com/a/ordbook"
            )
            line = requirement(local=local)
            chapter = Chapter("x", "X", nbformat.v4.new_notebook(), Plain("x", read_labels()))
            source = student_notebook(chapter, line).cells[0].source
            if local:
                refused = in_colab(source, here)
                assert refused.returncode == 1
                assert f"FileNotFoundError: upload {wheel_name()} (folder symbol" in refused.stderr
                (here / wheel_name()).touch()
            said = in_colab(source, here)
            assert said.stdout.strip() == str(["-m", "pip", "install", "-q", line]) + " True"


PUBLIC = "https://github.com/someone/ordbook.git"


REQUIREMENTS = [
    ("https://example.com/ordbook", False, r"\./ordbook-[\d.]+-py3-none-any\.whl\[book\]",
     "That file is not in this folder yet."),
    ("https://example.com/ordbook", True, r"\./ordbook-[\d.]+-py3-none-any\.whl\[book\]",
     "That file is in this folder"),
    (PUBLIC, True, r"\./ordbook-[\d.]+-py3-none-any\.whl\[book\]",
     "That file is in this folder"),
    (PUBLIC, False, r"ordbook\[book\] @ git\+https://github\.com/someone/ordbook@v[\d.]+",
     "from the project's repository"),
]  # fmt: skip


def test_the_requirement_follows_the_address_of_the_project(monkeypatch):
    """Never a bare name, under which anybody could offer a package."""
    for address, held, line, said in REQUIREMENTS:
        with case(address, held, line, said):
            monkeypatch.setattr(student, "repository_address", lambda address=address: address)
            found = requirement(local=held)
            assert re.fullmatch(line, found)
            chapter = Chapter("x", "X", nbformat.v4.new_notebook(), Plain("x", read_labels()))
            text = student._readme([chapter], found, held=held)
            assert said in text
            assert (f"upload `{wheel_name()}`" in text) == found.startswith("./")


@pytest.fixture
def wheel(tmp_path):
    """A file that looks like the wheel of this version."""
    path = tmp_path / wheel_name()
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("ordbook/__init__.py", "")
    return path


@pytest.fixture
def no_chapters(monkeypatch):
    """What is made of chapters is seen elsewhere."""
    monkeypatch.setattr(student, "read_chapters", lambda names, **_: [])
    monkeypatch.setattr(student, "_readme", lambda made, line, held: f"{line} {held}")


@pytest.mark.usefixtures("no_chapters")
def test_the_wheel_goes_into_the_zip_file(tmp_path, wheel, capsys):
    out = tmp_path / "x.zip"
    assert run("--out", out, "--wheel", wheel, QUICK) == 0
    assert "--wheel" not in capsys.readouterr().err
    with zipfile.ZipFile(out) as archive:
        assert archive.read(f"ordbook-course/{wheel.name}") == wheel.read_bytes()
        line = archive.read("ordbook-course/requirements.txt").decode()
        assert archive.read("ordbook-course/README.md").decode() == f"{line.strip()} True"
    assert line == f"./{wheel.name}[book]\n"


@pytest.mark.usefixtures("no_chapters")
def test_the_teacher_is_told_that_students_need_the_wheel(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(student, "repository_address", lambda: "https://example.com/ordbook")
    assert run("--out", tmp_path / "x.zip", QUICK) == 0
    assert f"give the students {wheel_name()} too" in capsys.readouterr().err
    monkeypatch.setattr(student, "repository_address", lambda: PUBLIC)
    assert run("--out", tmp_path / "y.zip", QUICK) == 0
    assert "wheel" not in capsys.readouterr().err


def test_another_wheel_is_refused_before_anything_runs(tmp_path, wheel, capsys):
    older = tmp_path / "ordbook-0.0.1-py3-none-any.whl"
    older.write_bytes(wheel.read_bytes())
    wheel.write_text("no zip file", encoding="utf-8")
    for path, message in [
        (older, "this is not the wheel of ordbook"),
        (wheel, "this is not the wheel of ordbook"),
        (tmp_path / "lost.whl", "there is no such file; `make wheel` builds"),
    ]:
        with case(path.name):
            assert run("--out", tmp_path / "x.zip", "--wheel", path, QUICK) == 2
            assert message in capsys.readouterr().err
            assert not (tmp_path / "x.zip").exists()


# The command


def run(*arguments):
    return main(["student", *map(str, arguments)])


BAD_REQUESTS = [
    (["x.zip", "acl22"], "no chapter 'acl22'; there are "),
    (["x.txt"], "the name of a zip file must end in .zip"),
    (["."], "the name of a zip file must end in .zip"),
    (["x.zip", "--jobs", "0"], "--jobs must be at least 1, it is 0"),
]


def test_bad_requests_run_nothing(tmp_path, monkeypatch, capsys):
    for arguments, message in BAD_REQUESTS:
        with case(arguments, message, within=tmp_path) as folder:
            monkeypatch.chdir(folder)
            assert run("--out", *arguments) == 2
            assert message in capsys.readouterr().err
            assert list(folder.iterdir()) == []


@pytest.mark.slow
def test_a_chapter_that_fails_writes_nothing(tmp_path, monkeypatch, capsys):
    source = read(QUICK)
    source.cells.append(nbformat.v4.new_code_cell("1 / 0"))
    monkeypatch.setattr("ordbook.course.coursework.without_solutions", lambda notebook: source)
    assert run("--out", tmp_path / "x.zip", QUICK) == 1
    assert f"{QUICK}: cell" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_chapters_come_in_the_order_of_the_book():
    assert choose_chapters(["lq21", "measures"]) == ["measures", "lq21"]
    assert choose_chapters([]) == choose_chapters(["all"]) == chapter_names()
