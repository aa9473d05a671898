"""The exercises of the chapters, and the page for those who teach with them."""

import re

import nbformat
import pytest

from ordbook.course import exercises
from ordbook.files import share
from ordbook.show.parameters import CHAPTERS

EVERY = exercises.every_one()
ALL = [one for some in EVERY.values() for one in some]
PAGE = "\n".join(
    share("book", f"{name}.md").read_text(encoding="utf-8")
    for name in ("teaching", "teaching_store")
)


def told(one, kind):
    """The solution of an exercise: its text or its code."""
    return "\n".join(cell.source for cell in one.solution if cell.cell_type == kind).strip()


# The chapters


def test_labels_and_titles_of_exercises_are_unique():
    assert set(EVERY) == {path.stem for path in share("book").glob("*.ipynb")} - {"report"}
    for chapter, some in EVERY.items():
        assert len({one.title for one in some}) == len(some), chapter
    assert len({one.label for one in ALL}) == len(ALL)


def test_a_solution_is_folded_and_executed():
    for exercise in ALL:
        label, code = exercise.label, told(exercise, "code")
        assert exercise.text, label
        assert exercise.folded, label
        written = label == "audit-criticise-fair"  # a letter to an author
        assert code or written, f"{label}: nothing in the solution is executed"
        assert exercise.kind != "Compute" or "assert " in code, f"{label}: worked out by hand"


def test_an_exercise_stays_in_a_rerun_whole_or_not_at_all():
    for one in (one for chapter in CHAPTERS for one in EVERY[chapter]):
        tags = {"paper" in c.metadata.get("tags", ()) for c in (*one.start, *one.solution)}
        assert len(tags) == 1, one.label


# Reading them


def notebook(tmp_path, *sources):
    code, text = nbformat.v4.new_code_cell, nbformat.v4.new_markdown_cell
    cells = [code(one) if one.startswith("x =") else text(one) for one in sources]
    path = tmp_path / "toy.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    return path


ASKED = "```{exercise} Compute\n:label: toy-a\n\nHow much?\n\n*Easy, 5 minutes. Trains: sums.*\n```"
START = "```{solution-start} toy-a\n:class: dropdown\n```\n\nThis much:"
END = "So much.\n\n```{solution-end}\n```"


def test_an_exercise_is_read_across_cells(tmp_path):
    path = notebook(tmp_path, f"## Exercises\n\n{ASKED}\n\n{START}", "x = 1", END)
    (one,) = exercises.exercises(path)
    assert (one.kind, one.level, one.minutes, one.trains) == ("Compute", "Easy", 5, "sums")
    assert one.text == "How much?"
    assert told(one, "markdown").split() == ["This", "much:", "So", "much."]
    assert told(one, "code") == "x = 1"
    assert one.folded
    assert one.start == ()
    path = notebook(tmp_path, ASKED, START.replace(":class: dropdown\n", ""), "x = 1", END)
    assert not exercises.exercises(path)[0].folded
    path = notebook(tmp_path, ASKED, "x = 0", START, "x = 1", END)
    (one,) = exercises.exercises(path)
    assert [cell.source for cell in one.start] == ["x = 0"]
    assert told(one, "code") == "x = 1"


WRONG = [
    ("toy-a\n:class", "toy-b\n:class", "{solution-start} toy-b is out of place"),
    (END, "So much.", "exercise toy-a: no {solution-end}"),
    ("```{solution-end}\n```", "```{solution-end}", "is not closed"),
    (ASKED, "", "{solution-start} toy-a is out of place"),
    (END, END + "\n" + START, "{solution-start} toy-a is out of place"),
    (END, END + "\n\n```{solution-end}\n```", "{solution-end}  is out of place"),
    (START, "", "{solution-end}  is out of place"),
    ("*Easy, 5 minutes. Trains: sums.*", "Think.", "its last line must be"),
    ("*Easy,", "*Trivial,", "its last line must be .* Easy, Medium, Hard"),
    ("} Compute\n", "} Ponder\n", "its title must begin with one of Compute, Alter"),
]


@pytest.mark.parametrize(("old", "new", "message"), WRONG)
def test_what_is_wrong_with_an_exercise_is_said(tmp_path, old, new, message):
    cells = [cell.replace(old, new) for cell in (ASKED, START, "x = 1", END)]
    with pytest.raises(ValueError, match=message):
        exercises.exercises(notebook(tmp_path, *cells))


# The page


def test_every_label_that_the_page_refers_to_as_an_exercise_exists():
    known = {one.label for one in ALL}
    kinds = "compute|alter|criticise|ex"
    named = re.findall(rf"\{{ref\}}`((?:\w+)-(?:{kinds})\b[\w-]*)`", PAGE)
    assert named
    assert set(named) <= known


def test_exam_questions_have_points_a_level_and_a_folded_executed_answer():
    asked = re.findall(
        r"^```\{exercise\} [^\n]+\n:label: (\S+)\n.*?^\*(\w+), (\d+) points\.\*\n```$",
        PAGE,
        re.M | re.S,
    )
    answered = re.findall(
        r"^```\{solution-start\} (\S+)\n:class: dropdown\n```$(.*?)^```\{solution-end\}",
        PAGE,
        re.M | re.S,
    )
    assert asked
    assert [label for label, _, _ in asked] == [label for label, _ in answered]
    assert {level for _, level, _ in asked} == set(exercises.LEVELS)
    assert PAGE.count("{exercise}") == len(asked)
    (hour,) = re.findall(r"^For an hour .*", PAGE, re.M)
    chosen = re.findall(r"\{ref\}`(teaching-exam-\w+)`", hour)
    assert sum(int(points) for label, _, points in asked if label in chosen) == 60
    for label, body in answered:
        assert "```{code-cell}" in body, label
