"""`ordbook exercise`: every question has one answer, which NumPy finds from the printed numbers."""

import re
from itertools import combinations
from xml.etree import ElementTree

import numpy as np
import pytest

from ordbook.chapters.measures import WEEK
from ordbook.cli import main
from ordbook.course.drawn import AFTER, KINDS, TOLERANCE, draw, toy
from ordbook.course.sheets import make_sheets, text_of


def run(*arguments):
    return main(["exercise", *map(str, arguments)])


# The definitions, without ordbook: each takes the rows of numbers that a sheet prints.


def nmd(gold, estimate):
    differences = np.cumsum(estimate - gold)
    assert differences.min() < -0.05 < 0.05 < differences.max(), "the absolute value matters"
    return {"NMD": abs(differences).sum() / 4}


def rnod(gold, estimate):
    views = np.flatnonzero(gold)
    assert 1 < len(views) < 5, "C* is not C"
    seen = [(abs(np.arange(5) - i) * (estimate - gold) ** 2).sum() for i in views]
    return {"RNOD": np.sqrt(np.mean(seen) / 4)}


def kappa(*matrix):
    matrix = np.array(matrix)
    weights = abs(np.subtract.outer(np.arange(3), np.arange(3)))
    chance = np.outer(matrix.sum(axis=1), matrix.sum(axis=0)) / matrix.sum()
    return {"kappa": 1 - (weights * matrix).sum() / (weights * chance).sum()}


def errors(gold, *judges):
    assert len(np.unique(gold)) == 3, "a class without gold"
    solved = {}
    for name, labels in zip("AB", judges, strict=True):
        steps = abs(gold - labels)
        by_class = [steps[gold == c].mean() for c in np.unique(gold)]
        solved[f"accuracy_{name}"] = (steps == 0).mean()
        solved[f"MAE_mu_{name}"] = steps.mean()
        solved[f"MAE_M_{name}"] = np.mean(by_class)
    return solved


def less(values):
    """The first of each pair less the second."""
    return np.array([a - b for a, b in combinations(values, 2)]).round(9)


def tau(first, second):
    agree = np.sign(less(first) * less(second)).sum()
    assert [np.count_nonzero(less(ranks)) for ranks in (first, second)] == [15, 14]
    return {"tau_a": agree / 15, "tau_b": agree / np.sqrt(15 * 14)}


def contradiction(first, second, *p):
    p = np.array(p).T
    assert all(never_rises(less(m), values) for m, values in zip((first, second), p, strict=True))
    found, opposed = p < 0.05, less(first) * less(second) < 0
    (clash,) = np.flatnonzero(opposed & found.all(axis=0))
    assert opposed.sum() > 1, "another pair looks like one"
    runs = list(combinations("ABCDE", 2))[clash]
    better, worse = runs if less(first)[clash] < 0 else runs[::-1]
    sso = found.all(axis=0).sum() / found.any(axis=0).sum()
    answers = {"SSO": sso, "better": better, "worse": worse}
    return answers | dict(zip(("RNOD", "NMD"), found.sum(axis=1), strict=True))


def never_rises(difference, values):
    """As in every randomised Tukey test: the larger a difference, the fewer trials reach it."""
    pairs = combinations(sorted(zip(abs(difference), values, strict=True)), 2)
    return all(b >= d for (a, b), (c, d) in pairs if c > a + 0.0011)


@pytest.mark.parametrize("kind", KINDS)
def test_a_question_has_one_answer_that_its_printed_numbers_give(kind):
    for seed in range(10):
        question = draw(kind, seed)
        text = text_of(question)
        rows = re.findall(r"^\| [^|]* \| (.*) \|$(?!\n\| :--)", text.given(), re.M)
        numbers = [np.array(row.split(" | "), dtype=float) for row in rows if ":" not in row]
        solved = globals()[kind](*numbers)
        assert set(solved) == set(question.answers) == set(text.asks)
        for name, value in question.answers.items():
            if isinstance(value, float):
                assert solved[name] == pytest.approx(value, abs=1e-9)  # sums in another order
                assert f"{value - 1e-5:.3f}" == f"{value + 1e-5:.3f}", "five digits are enough"
            else:
                assert solved[name] == value
        for name, wrong, why in question.mistakes:
            assert abs(wrong - question.answers[name]) > 5 * TOLERANCE, why


def test_a_sheet_holds_neither_seed_nor_answers_and_its_key_makes_it_again(tmp_path, capsys):
    first = ["--variants", 2, "--format", "html,md,moodle", "--questions", "nmd,tau,kappa"]
    assert run("--out", tmp_path / "one", *first) == 0
    key = (tmp_path / "one/keys/02.md").read_text(encoding="utf-8")
    seed = re.search(r"Seed (\d+), variant 2", key)[1]
    assert int(seed) > 2**64, "too many to try; one seed of 2**64 is shorter"
    assert run("--out", tmp_path / "two", *first, "--seed", seed) == 0
    files = [path.relative_to(tmp_path / "one") for path in (tmp_path / "one").rglob("*.*")]
    assert len(files) == 9
    for file in files:
        text = (tmp_path / "one" / file).read_text(encoding="utf-8")
        assert text == (tmp_path / "two" / file).read_text(encoding="utf-8")
        assert (seed in text) == ("Answer" in text) == (file.parts[0] != "sheets")
        if file.suffix == ".html":
            assert text.count("<math") > 5
            assert not re.search(r"\$|\\\w|https?://(?!www.w3.org)|<script", text)
    one, two = ((tmp_path / f"one/sheets/0{k}.md").read_text(encoding="utf-8") for k in (1, 2))
    assert one.split("\n", 1)[1] != two.split("\n", 1)[1], "variants differ"
    minutes = sum(int(n) for n in re.findall(r"^## \d\. .* \((\d+) points\)$", two, re.M))
    assert f"\n{minutes} minutes, {minutes} points." in two
    assert "## Formula sheet" in two
    assert re.findall(r"^## \d.*", two, re.M) == re.findall(r"^## \d.*", key, re.M)


# https://docs.moodle.org/en/Moodle_XML_format, and for fields
# https://docs.moodle.org/en/Embedded_Answers_(Cloze)_question_type
FIELD = re.compile(r"\{(\d+):(NUMERICAL|SHORTANSWER):([^{}]+)\}")
ALTERNATIVE = re.compile(r"(=|%0%)(-?[\d.]+):([\d.]+)(?:#[^~#}]+)?")


def test_moodle_gets_the_structure_that_it_documents_and_accepts_only_the_answers(tmp_path, capsys):
    assert run("--out", tmp_path / "x", "--seed", 9, "--variants", 2, "--format", "moodle") == 0
    text = (tmp_path / "x/moodle.xml").read_text(encoding="utf-8")
    assert text.startswith('<?xml version="1.0" encoding="UTF-8"?>\n<quiz>\n')
    questions = ElementTree.fromstring(text).findall("*")
    kinds = ["numerical"] * 3 + ["cloze"] * 3
    expected = [("question", one) for kind in kinds for one in ("category", kind, kind)]
    assert [(q.tag, q.get("type")) for q in questions] == expected
    assert all(q.find("category/text").text.startswith("$course$/") for q in questions[::3])
    pairs = zip(*make_sheets(9, variants=2), strict=True)
    drawn = [question for pair in pairs for question in (None, *pair)]
    for element, question in zip(questions, drawn, strict=True):
        if question is None:
            continue
        assert element.find("name/text").text
        for part in (element.find("questiontext"), element.find("generalfeedback")):
            assert part.get("format") == "html"
            assert "$" not in part.find("text").text
            ElementTree.fromstring(f"<div>{part.find('text').text}</div>")
        weight = float(element.find("defaultgrade").text)
        fields = FIELD.findall(element.find("questiontext/text").text)
        if element.get("type") == "numerical":
            listed = [
                (a.get("fraction"), a.find("text").text, a.find("tolerance").text)
                for a in element.findall("answer")
            ]
            assert all(a.find("feedback/text").text for a in element.findall("answer")[1:])
            answers = [(*question.answers.values(), listed)]
        else:
            assert sum(int(points) for points, _, _ in fields) == weight
            values = [question.answers[name] for name in text_of(question).asks]
            bodies = [body.split("~") for _, _, body in fields]
            assert all([f"={v}"] in bodies for v in values if isinstance(v, str))
            answers = [
                (value, [ALTERNATIVE.fullmatch(one).groups() for one in body])
                for value, body in zip(values, bodies, strict=True)
                if not isinstance(value, str)
            ]
        for value, listed in answers:
            assert {mark for mark, _, _ in listed[1:]} <= {"0", "%0%"}
            assert listed[0][0] in ("100", "=")
            given = [abs(float(v) - round(value, 3)) <= float(margin) for _, v, margin in listed]
            assert given == [True] + [False] * (len(listed) - 1), "the right one alone is accepted"


def test_sessions_have_their_questions_and_a_short_seed_is_told(tmp_path, capsys):
    assert sorted(kind for kinds in AFTER.values() for kind in kinds) == sorted(KINDS)
    assert run("--after", 2, "--out", tmp_path / "x", "--format", "md", "--seed", 5) == 0
    assert "give none for graded work" in capsys.readouterr().err
    sheet = (tmp_path / "x/sheet.md").read_text(encoding="utf-8")
    titles = re.findall(r"^## \d\. (.*) \(", sheet, re.M)
    assert titles == [text_of(draw(kind, 5)).title for kind in AFTER[2]]
    assert sheet.count('class="room"') == len(titles)
    assert "Number: __" in sheet


def test_the_toy_is_the_week_of_the_book_and_worked_out(tmp_path):
    gold, estimate = list(WEEK["gold"]), list(WEEK["bold"])
    assert all(q.values["gold"] == gold and q.values["estimate"] == estimate for q in toy())
    assert run("--toy", "--out", tmp_path / "x", "--format", "html,md") == 0
    sheet, key = ((tmp_path / f"x/{n}.md").read_text(encoding="utf-8") for n in ("sheet", "key"))
    for result in ("0.125", "0.209"):
        assert result in key
        assert result not in sheet
    assert sheet.startswith("# A week of the helpdesk\n")
    assert not re.search("points|variant|Formula sheet|Seed", sheet + key)
