"""What exercises check: right answers in any form, slips, and what is no answer at all."""

import io
import re
from contextlib import redirect_stdout
from decimal import Decimal
from fractions import Fraction

import nbformat
import numpy as np
import pandas as pd
import pytest

import ordbook as ob
from ordbook.course import answers
from ordbook.course.answers import check
from ordbook.course.exercises import every_one
from ordbook.files import share
from ordbook.measures import QUANTIFICATION
from ordbook.measures.registry import by_default

NO_NUMBER = "x: this is no number; write one, such as 0.25."
ANSWERS = [
    ((0.2, 0.2), "x: right."),
    ((0.204, 0.2), "x: right."),
    ((..., 0.2), "x: write your result in place of the three dots."),
    (("0.2", 0.2), NO_NUMBER),
    ((float("nan"), 0.2), NO_NUMBER),
    ((0.25, 0.2), "x: 0.25 is not right. It is too high."),
    ((0.1, 0.2, {0.1: "Doubled."}), "x: 0.1 is not right. Doubled."),
    ((0.1, 0.2, {0.104: "Near.", 0.101: "Nearer."}), "x: 0.1 is not right. Nearer."),
    (([0.2, 0.3], np.array([0.2, 0.3])), "x: right."),
    (((0.2, 0.4), (0.2, 0.3)), "x: number 2, 0.4, is not right. It is too high."),
    (({0.2, 0.3}, [0.2, 0.3]), "x: write 2 numbers in their order, such as [0.25, 0.5]."),
    (([0.2], [0.2, 0.3]), "x: write 2 numbers in their order, such as [0.25, 0.5]."),
    (({"b", "A"}, {"a", "b"}), "x: right."),
    (({"a"}, {"b", "c"}), "x: not right: 2 of 2 missing, and a is wrong."),
    ((["b"], {"b", "c", "d"}), "x: not right: 2 of 3 missing."),
    (({"b", "z", 3}, {"b"}), "x: not right: 3 is wrong."),
    (("NMD", {"b"}), 'x: write the names as a set, such as {"NMD", "RNOD"}.'),
]


@pytest.mark.parametrize(("arguments", "sentence"), ANSWERS)
def test_a_result_is_checked_with_a_sentence(arguments, sentence, capsys):
    check("x", *arguments)
    assert capsys.readouterr().out == sentence + "\n"


# The checks of the chapters


@pytest.fixture(scope="module")
def cells():
    """Label of an exercise -> the code that it starts from, where that checks a result."""
    start = {
        exercise.label: cell.source
        for some in every_one().values()
        for exercise in some
        for cell in exercise.start
    }
    # One that injects errors into the whole audit takes a minute.
    return {
        label: source
        for label, source in start.items()
        if "check(" in source and "live_ledger" not in source
    }


@pytest.fixture(scope="module")
def checks(cells):
    """Label of an exercise -> the names of its cell, and the calls of `check` in it."""
    found = {}
    with pytest.MonkeyPatch.context() as patch:
        for label, source in cells.items():
            names, calls = {}, []
            patch.setattr(
                answers, "check", lambda *given, to=calls, **options: to.append((given, options))
            )
            with redirect_stdout(io.StringIO()):
                exec(source, names)
            found[label] = names, [_called(*call) for call in calls]
    return found


def _called(given, options):
    name, answer, correct, *mistakes = given
    assert answer is ..., "the page gives no answer away"
    return name, correct, *(mistakes or [{}]), options


def in_many_forms(correct):
    """The right answer, as different people have it."""
    if isinstance(correct, set):
        return [
            correct,
            frozenset(correct),
            [*correct],
            {n.lower() for n in correct},
            np.array([*correct]),
        ]
    if isinstance(correct, list):
        numbers = [*map(float, correct)]
        return [
            numbers,
            tuple(numbers),
            np.array(numbers),
            pd.Series(numbers),
            [*map(Fraction, numbers)],
        ]
    kinds = [float, np.float64, np.float32, np.array, Fraction, lambda x: Decimal(str(x))]
    return [kind(float(correct)) for kind in kinds] + [
        kind(correct) for kind in (int, np.int64) if float(correct).is_integer()
    ]


NOISE = [
    None, "", "0.2", b"x", True, np.True_, float("nan"), np.nan, float("inf"), 10**400, 1j, pd.NA,
    Decimal("sNaN"), object(), len, (), [None], [[1], [2, 3]], [[0.7, 0.3], [0.1, 0.2]], {1: 2},
    {"x", 3, None}, np.array(["x"]), np.array([[1.0]]), pd.Series(dtype=float),
    pd.DataFrame({"a": [1]}), -1e9, 0, [0.0] * 4,
]  # fmt: skip


def test_every_check_takes_right_answers_in_any_form_and_knows_its_slips(checks, capsys, subtests):
    def said(answer, call):
        name, correct, mistakes, options = call
        check(name, answer, correct, mistakes, **options)
        return capsys.readouterr().out.removeprefix(f"{name}: ")

    assert len(checks) >= 25
    kinds = set()
    for label, (_, calls) in checks.items():
        for call in calls:
            name, correct, mistakes, _ = call
            with subtests.test(label, name=name):
                for answer in in_many_forms(correct):
                    assert said(answer, call) == "right.\n", answer
                for slip, why in mistakes.items():
                    listed = isinstance(correct, list)
                    answer = [slip, *correct[1:]] if listed else slip
                    place = f"number 1, {slip:g}," if listed else f"{slip:g}"
                    assert said(answer, call) == f"{place} is not right. {why}\n"
                # Noise is told from numbers, names and lists, whatever is asked.
                noise = [] if type(correct) in kinds else NOISE
                kinds.add(type(correct))
                for answer in noise:
                    assert re.fullmatch(r"(?!right).+\.\n", said(answer, call)), answer


# Solutions whose code needs nothing but the cell that the exercise starts from: what they show.
SHOWN = {
    "real-compute-correction": lambda names: [[names["naive_t"], names["fair_t"]]],
    "real-alter-runs": lambda names: [names["shares"]["variances"]],
    "lq21-alter-alpha": lambda names: [names["counts"][0.01].tolist()],
    "topics-alter-power": lambda names: [names["factors"].loc["RPS", "stricter"]],
    "dialeval1-compute-variance": lambda names: [names["variance"]],
}


def test_what_a_solution_shows_is_a_right_answer(checks, capsys, subtests):
    solutions = {one.label: one.solution for some in every_one().values() for one in some}
    page = "import pandas as pd\nimport ordbook as ob\nfrom ordbook.show import show\n"
    page += "from ordbook.papers import dialeval1"
    for label, shown in SHOWN.items():
        names, calls = checks[label]
        exec(page, names)
        for cell in solutions[label]:
            if cell.cell_type == "code":
                exec(cell.source, names)
        capsys.readouterr()
        for answer, (name, correct, mistakes, options) in zip(shown(names), calls, strict=True):
            with subtests.test(label, name=name):
                check(name, answer, correct, mistakes, **options)
                assert capsys.readouterr().out == f"{name}: right.\n", answer


# As in drawn exercises, nothing else leads to a right answer


def exam_pair(label):
    """Gold and estimate of a question of the exam."""
    page = share("book", "teaching_store.md").read_text(encoding="utf-8")
    solution = page[page.index(f"{{solution-start}} {label}\n") :]
    code = re.search(r"```\{code-cell\} ipython3\n(.*?)```", solution, re.DOTALL)[1]
    names = {"ob": ob}
    exec(code, names)
    return names["gold"], names["estimate"]


# Gold and answer of the exercises on measures, by the names in their cells.
COMPUTED = {
    "dnkt-compute-dnkt": lambda names: names["gold_and_estimate"],
    "dnkt-compute-rnadw": lambda names: names["gold_and_near"],
    "sigir18-compute-rsnod": lambda names: names["gold_and_spread"],
    "measures-ex-divergence": lambda names: names["of_other"],
    "sigir18-compute-merge": lambda names: names["of_three"],
    "judges-compute-constant": lambda names: (names["ten"], names["always"]),
}
EXAM = {"teaching-exam-nmd": ("NMD", "RPS", "NVD"), "teaching-exam-rnod": ("RNOD",)}


def others(name, gold, answer):
    """What all other measures give; nobody computes those with squared distances by hand."""
    known = QUANTIFICATION if len(gold) <= 5 else by_default("classification")
    kept = {n: m for n, m in known.items() if n != name and not n.endswith("2")}
    return {n: float(function(gold, answer)) for n, function in kept.items()}


def test_no_slip_and_no_other_measure_leads_to_a_right_answer(checks, subtests):
    for label, (names, calls) in checks.items():
        for name, correct, mistakes, options in calls:
            if isinstance(correct, set | list):
                continue
            wrong = {why: slip for slip, why in mistakes.items()}
            if label in COMPUTED:
                wrong |= others(name, *COMPUTED[label](names))
            tolerance = options.get("tolerance", 0.005)
            with subtests.test(label, name=name):
                assert {n: x for n, x in wrong.items() if abs(x - correct) <= tolerance} == {}
    assert checks.keys() >= COMPUTED.keys()
    for label, asked in EXAM.items():
        pair = exam_pair(label)
        for name in asked:
            with subtests.test(label, name=name):
                right = QUANTIFICATION[name](*pair)
                near = {n for n, x in others(name, *pair).items() if abs(x - right) <= 0.005}
                assert near == set()


@pytest.mark.parametrize("session", [1, 2, 3])
def test_slips_of_worksheets_are_apart_from_right_answers(session, monkeypatch):
    calls, names = [], {}
    record = lambda *given, **options: calls.append((given, options))  # noqa: E731
    monkeypatch.setattr("ordbook.course.check", record)
    sheet = nbformat.read(share("book", "course", f"session{session}.ipynb"), as_version=4)
    for cell in sheet.cells:
        if cell.cell_type == "code" and "solution" not in cell.metadata.get("tags", ()):
            with redirect_stdout(io.StringIO()):
                exec(cell.source, names)
    assert len(calls) >= 8
    for (name, answer, correct, *slips), options in calls:
        assert answer is ..., name
        if not isinstance(correct, set | list):
            for slip in slips[0] if slips else ():
                assert np.all(abs(slip - correct) > options.get("tolerance", 0.005)), (name, slip)
