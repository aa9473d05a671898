"""`ordbook exercise`: numbers worked by hand, keys held to the public functions, bytes by seed."""

import json
import re
from fractions import Fraction

import numpy as np
import pytest

import ordbook as ob
from cases import case
from ordbook.cli import main
from ordbook.course.drawn import ALPHA, draw, tests_of, trials_of
from ordbook.course.sheets import QUESTIONS, make_sheets
from ordbook.course.worked import result, rounded, verified

# The names pytest would collect.
p_values = tests_of
del tests_of


def run(*arguments):
    return main(["exercise", *map(str, arguments)])


def public(drawn):
    """Every answer, asked of the public functions alone."""
    gold, estimate = np.array(drawn.gold) / 10, np.array(drawn.estimate) / 10
    cm = drawn.matrix
    halves = np.split(np.array(drawn.scores), 2, axis=1)
    means = [half.mean(axis=1) for half in halves]
    power = ob.discriminative_power(trials_of(drawn), ALPHA).loc["RNOD"]
    counts = ob.discriminative_power(p_values(drawn), ALPHA)["significant"]
    (clash,) = ob.contradictions(p_values(drawn), ALPHA).to_dict("records")
    return {
        "NMD": ob.nmd(gold, estimate),
        "RNOD": ob.rnod(gold, estimate),
        "RSNOD": ob.rsnod(gold, estimate),
        "NVD": ob.nvd(gold, estimate),
        "RNSS": ob.rnss(gold, estimate),
        "JSD": ob.jsd(gold, estimate),
        "DNKT": ob.dnkt(gold, estimate),
        "MAE_mu": ob.mae_micro.from_confusion(cm),
        "MAE_M": ob.mae_macro.from_confusion(cm),
        "kappa": ob.kappa.from_confusion(cm),
        "alpha_int": ob.alpha_int.from_confusion(cm),
        "alpha_ord": ob.alpha_ord.from_confusion(cm),
        "CEM_ORD": ob.cem_ord.from_confusion(cm),
        "tau_a": ob.kendall_tau(*drawn.ranks, variant="a"),
        "tau_b": ob.kendall_tau(*drawn.ranks, variant="b"),
        "significant by RNOD": counts["RNOD"],
        "significant by NMD": counts["NMD"],
        "SSO": ob.significance_overlap(p_values(drawn), ALPHA)["overlap"].iloc[0],
        "better by RNOD": clash["better"],
        "worse by RNOD": clash["worse"],
        "tau of halves": ob.kendall_tau(*means),
        "best on topics 1 to 3": "ABCDE"[means[0].argmin()],
        "best on topics 4 to 6": "ABCDE"[means[1].argmin()],
        **power[["significant", "low", "high"]].to_dict(),
    }


def test_answers_are_those_of_the_public_functions():
    for classes in range(3, 10):
        with case(classes):
            for sheet in make_sheets(classes, variants=5, classes=classes):
                found = {name: value for q in sheet.questions for name, value in q.answers.items()}
                expected = public(sheet.drawn)
                assert set(found) == set(expected)
                for name, value in expected.items():
                    # A different order of additions: noise in the last bits.
                    assert found[name] == (
                        value if isinstance(value, str) else pytest.approx(value, 1e-9)
                    )


def test_a_half_goes_up():
    """As by hand, for a fraction that a sheet can ask for and for the float it is stored as."""
    for denominator in [7, 12, 16, 40, 80, 66]:
        with case(denominator):
            for numerator in range(denominator + 1):
                value = Fraction(numerator, denominator)
                thousandths = (2000 * value + 1) // 2
                assert rounded(value) == rounded(float(value)) == f"{thousandths / 1000:.3f}"


def test_results_on_the_edge_are_shown_exactly_too():
    """The last sheet of this seed has NMD 1.9/8, which formats as 0.237."""
    (sheet,) = make_sheets(11, classes=9, questions=["nmd"])
    assert sheet.questions[0].answers["NMD"] == pytest.approx(0.2375)
    assert "= 0.2375 \\approx 0.238$$" in "\n".join(sheet.cells(key=True))
    assert result(Fraction(5, 16)) == r"= 0.3125 \approx 0.313"
    assert result(Fraction(-5, 16)) == r"= -0.3125 \approx -0.313"


def test_the_key_names_the_terms_of_rnod():
    (sheet,) = make_sheets(3, questions=["rnod"])
    gold = sheet.drawn.gold
    text = "\n".join(sheet.cells(key=True))
    held = {k + 1 for k, tenths in enumerate(gold) if tenths}
    assert {int(k) for k in re.findall(r"DW\}_\{(\d)\}", text)} == held


def test_nothing_degenerate_is_drawn():
    for seed in range(14):
        with case(seed):
            drawn = draw(seed, 0, 3 + seed % 7)
            gold, estimate = np.array(drawn.gold), np.array(drawn.estimate)
            assert gold.sum() == estimate.sum() == 10
            assert (gold != estimate).any()
            assert 2 <= (gold > 0).sum() < len(gold), "C* is not C"
            assert len(set(drawn.gold)) > 1
            assert len(set(drawn.estimate)) > 1
            cm = np.array(drawn.matrix)
            assert cm.sum() == 12
            assert (cm.sum(axis=1) > 0).all()
            assert ob.mae_macro.from_confusion(cm) != ob.mae_micro.from_confusion(cm)
            for half in np.split(np.array(drawn.scores), 2, axis=1):
                assert len({*half.sum(axis=1).tolist()}) == 5, "no ties"
            assert sum(30 < count < 80 for count in drawn.reached) == 3, "open, on purpose"
            assert sorted(drawn.ranks[0]) == [1, 2, 3, 4, 5, 6]
            assert len(set(drawn.ranks[1])) == 5, "one tie, on purpose"
            assert list(drawn.p[0]).count(50) == 1, "one at the line, on purpose"
            assert 50 not in drawn.p[1]
            assert not [p for values in drawn.p for p in values if p != 50 and 45 < p < 56]
            for means, values in zip(drawn.means, drawn.p, strict=True):
                sizes = [abs(a - b) for k, a in enumerate(means) for b in means[k + 1 :]]
                by_size = [p for _, p in sorted(zip(sizes, values, strict=True), reverse=True)]
                assert by_size == sorted(by_size), (
                    "a Tukey test has no larger p for a larger difference"
                )


def test_the_line_is_not_below_the_line():
    """A p-value of .050 is not counted by the public function either."""
    drawn = draw(0)
    below = sum(p < 50 for p in drawn.p[0])
    assert ob.discriminative_power(p_values(drawn), 0.05)["significant"]["RNOD"] == below


def test_same_seed_same_bytes_and_other_seeds_other_numbers(tmp_path, capsys):
    for name in ("one", "two"):
        assert run("--seed", 5, "--out", tmp_path / name, "--variants", 3) == 0
    assert run("--seed", 6, "--out", tmp_path / "other", "--variants", 3) == 0
    files = {path.relative_to(tmp_path / "one") for path in (tmp_path / "one").rglob("*.*")}
    assert len(files) == 7
    for file in files:
        one, two, other = (
            (tmp_path / name / file).read_bytes() for name in ("one", "two", "other")
        )
        assert one == two
        assert other != one
    sheets = [path.read_text(encoding="utf-8") for path in (tmp_path / "one/sheets").iterdir()]
    assert len({sheet.split("\n", 1)[1] for sheet in sheets}) == 3, "no two variants alike"


def test_more_classes_leave_the_other_questions_as_they_are():
    three, nine = draw(4, 0, 3), draw(4, 0, 9)
    assert len(three.gold) == 3
    assert (three.matrix, three.ranks, three.p) == (nine.matrix, nine.ranks, nine.p)


def test_a_sheet_gives_no_answer_away(tmp_path, capsys):
    assert run("--seed", 1, "--out", tmp_path / "x", "--format", "md,ipynb", "--json") == 0
    about = json.loads(capsys.readouterr().out)
    made = {"sheet.md", "key.md", "sheet.ipynb", "key.ipynb", "exercises.json"}
    assert {path.name for path in (tmp_path / "x").iterdir()} == made
    sheet = (tmp_path / "x/sheet.md").read_text(encoding="utf-8")
    key = (tmp_path / "x/key.md").read_text(encoding="utf-8")
    assert "Seed" not in sheet, "with the seed the key could be made again"
    (variant,) = about["variants"]
    for answers in variant["answers"].values():
        for value in answers.values():
            if isinstance(value, float) and (value * 100) % 1:
                assert f"{value:.3f}" not in sheet
    assert re.findall(r"^## .*", sheet, re.M) == re.findall(r"^## .*", key, re.M)
    assert len(re.findall(r"^## ", sheet, re.M)) == len(QUESTIONS)
    notebook = json.loads((tmp_path / "x/sheet.ipynb").read_text(encoding="utf-8"))
    assert sum(cell["cell_type"] == "code" for cell in notebook["cells"]) == len(QUESTIONS)


BAD_REQUESTS = [
    (["--classes", "2"], "classes must be from 3 to 9, not 2"),
    (["--questions", "nmd,emd"], "no question 'emd'; there are nmd, rnod, rsnod"),
    (["--variants", "0"], "variants must be from 1 to 1000, not 0"),
    (["--format", "pdf"], "no format 'pdf'; there are md, ipynb"),
    (["--format", ","], "--format is empty"),
    (["--seed", "-1"], "the seed must not be negative, it is -1"),
]


def test_bad_requests_write_nothing(tmp_path, capsys):
    for arguments, message in BAD_REQUESTS:
        with case(arguments, message, within=tmp_path) as folder:
            assert run("--seed", 1, "--out", folder / "out", *arguments) == 2
            assert message in capsys.readouterr().err
            assert not (folder / "out").exists()


def test_a_slip_in_the_working_is_an_error():
    with pytest.raises(ArithmeticError, match=r"RNOD: worked out as 0\.3, computed as 0\.4"):
        verified("RNOD", Fraction(3, 10), 0.4)
