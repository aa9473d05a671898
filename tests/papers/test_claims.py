"""What the papers claim about the measures, against the properties and the kept numbers.

Scores quoted in findings have four digits; they are compared to half a unit of the last.
"""

import re

import numpy as np
import pytest

import ordbook.measures as om
from ordbook.measures import CLASSIFICATION, QUANTIFICATION
from ordbook.papers.claims import NUMBERED, PAPER_CLAIMS, disagreements, ticks

MEASURES = {**QUANTIFICATION, **CLASSIFICATION}
TABLES = [c for c in PAPER_CLAIMS if c.place.startswith("Table")]
PRINTED = 5e-5


def truth(claim):
    """The property that a column states, as tested in the property tests and below."""
    m = MEASURES[claim.measure]
    if "equidistance" in claim.claim:
        return {"✓": "yes", "blank": "no", "N/A": "n/a"}[ticks(m)["(d) no equidistance"]]
    value = {
        "magnitude": m.magnitude,
        "ordinal": m.ordinal,
        "symmetric": m.symmetric,
        "always": m.constant_runs,
        "imbalance": m.imbalance,
    }[re.search("magnitude|ordinal|symmetric|always|imbalance", claim.claim)[0]]
    return {True: "yes", False: "no", None: "n/a"}[value]


def test_every_tick_of_the_tables():
    for claim in TABLES:
        agrees = truth(claim) == claim.printed
        assert agrees == (claim.verdict != "refuted"), claim
        assert (claim.verdict == "holds") == (claim.finding == ""), claim


def test_all_ticks_are_there():
    assert len(TABLES) == 9 * 4 + 9 * 3 + 6 * 2
    ticked = [(c.measure, c.claim[:3]) for c in TABLES if c.paper == "dnkt" and c.printed == "yes"]
    assert len(ticked) == 8 + 5 + 7 + 3  # the row totals of DNKT Table 1
    assert len({(c.paper, c.place, c.measure, c.claim) for c in PAPER_CLAIMS}) == len(PAPER_CLAIMS)


def by_name(gold, estimate, names):
    """Eqs. 1 to 8 of DNKT in terms of the classes' names: their order, or |i - j| of Eq. 3."""
    g, p, n = np.array(gold), np.array(estimate), len(names)
    order = np.argsort(names)
    steps = np.abs(np.subtract.outer(names, names))
    mass = np.zeros((n, n))  # Eq. 6
    for i, j in np.ndindex(n, n):
        low, high = sorted((names[i], names[j]))
        between = g[[low <= name <= high for name in names]].sum()
        mass[i, j] = between - (g[i] + g[j]) / 2
    squares = (p - g) ** 2
    return {
        "NMD": np.abs(np.cumsum((p - g)[order])).sum() / (n - 1),
        "RNOD": np.sqrt((steps @ squares)[g > 0].mean() / (n - 1)),
        "RNOD2": np.sqrt((mass @ squares)[g > 0].mean() / (n - 1)),
        "RNADW": np.sqrt((steps @ squares).mean() / (n - 1)),
        "RNADW2": np.sqrt((mass @ squares).mean() / (n - 1)),
    }


def test_ordinal_invariance_as_acl21_section_7_explains_free_of_equidistance():
    gold, estimate = [0.5, 0.3, 0.2], [0.1, 0.2, 0.7]
    scores, renamed = (by_name(gold, estimate, names) for names in ([1, 2, 3], [1, 2, 9]))
    for name, score in scores.items():
        assert QUANTIFICATION[name](gold, estimate) == pytest.approx(score)
        assert (renamed[name] == pytest.approx(score)) == (name not in NUMBERED)


UNIFORM = [0.2] * 5


@pytest.mark.parametrize(
    ("measure", "place", "pairs", "values"),
    [
        ("RNADW2", "symmetric", [([1, 0, 0], [0, 1, 0]), ([0, 1, 0], [1, 0, 0])], [0.5, 0.6455]),
        (
            "RNOD",
            "ordinal",
            [(UNIFORM, [0.1, 0.3, 0.2, 0.2, 0.2]), (UNIFORM, [0.1, 0.2, 0.3, 0.2, 0.2])],
            [0.0922, 0.0894],
        ),
        (
            "RSNOD",
            "ordinal",
            [(UNIFORM, [0.1, 0.3, 0.2, 0.2, 0.2]), (UNIFORM, [0.1, 0.2, 0.3, 0.2, 0.2])],
            [0.0922, 0.0894],
        ),
        ("RNOD2", "ordinal", [([0, 0, 1], [0, 1, 0]), ([0, 0, 1], [1, 0, 0])], [0.5, 0.5]),
        ("RNADW2", "ordinal", [([0, 0, 1], [0, 1, 0]), ([0, 0, 1], [1, 0, 0])], [0.5, 0.5]),
        (
            "RNADW",
            "ordinal",
            [(np.eye(5)[0], np.eye(5)[1]), (np.eye(5)[0], np.eye(5)[2])],
            [0.9220, 0.8944],
        ),
        ("RSNOD", "range", [([0.01, 0.01, 0, 0, 0.98], [0.01, 0.01, 0, 0.98, 0])], [1.0200]),
        ("JSD", "normalised", [([1, 0], [0, 1])], [1]),
    ],
)
def test_numbers_in_the_findings(measure, place, pairs, values):
    scores = [QUANTIFICATION[measure](*pair) for pair in pairs]
    np.testing.assert_allclose(scores, values, rtol=0, atol=PRINTED)
    findings = {c.finding for c in PAPER_CLAIMS if c.measure == measure and place in c.claim}
    (finding,) = findings - {""}
    for value in values:
        shown = f"{value:.4f}".rstrip("0").replace("0.", ".", 1) if value < 1 else f"{value:g}"
        assert shown in finding or f"{value:.4f}"[1:] in finding


@pytest.mark.parametrize(
    ("measure", "cm", "before", "after"),
    [
        ("kappa", [[0, 1, 0], [2, 1, 0], [0, 0, 0]], -0.5, -0.3333),
        ("alpha_ord", [[0, 4, 0], [1, 0, 0], [1, 0, 0]], -0.7738, -0.7417),
        ("alpha_int", [[2, 1, 0], [3, 0, 0], [0, 0, 0]], -0.3750, -0.3051),
    ],
)
def test_chance_corrected_measures_can_like_a_farther_error(measure, cm, before, after):
    f = CLASSIFICATION[measure].from_confusion
    farther = np.array(cm)
    farther[0, 1] -= 1
    farther[0, 2] += 1
    assert f(cm) == pytest.approx(before, abs=PRINTED)
    assert f(farther) == pytest.approx(after, abs=PRINTED)
    (claim,) = [c for c in disagreements(measure) if "ordinal" in c.claim]
    assert str(cm).replace(" ", "") in claim.finding


def test_lq21_footnote_2_on_the_symmetry_of_od():
    gold, estimate = [1 / 3] * 3, [1, 0, 0]
    assert om.od(gold, estimate) == pytest.approx(17 / 27)
    assert om.od(estimate, gold) == pytest.approx(1 / 3)


def test_suprema_quoted_for_rsnod():
    assert om.rnod_supremum(5) == pytest.approx(1.0408, abs=PRINTED)
    assert om.rnod_supremum(7) == pytest.approx(1.0801, abs=PRINTED)
