"""What the registry says of its measures, and what these have in common: tolerance, signature."""

import numpy as np
import pytest

import ordbook.measures as om
from ordbook.measures import CLASSIFICATION, QUANTIFICATION, Measure
from ordbook.measures.components import (
    dw,
    gold_mass_distance,
    kld,
    md,
    od,
    snod,
    sod,
    ss,
    vd,
)
from ordbook.papers.ledger import PAPERS

MEASURES = {**QUANTIFICATION, **CLASSIFICATION}
COMPONENTS = (vd, ss, kld, md, dw, od, sod, snod)
ON_DISTRIBUTIONS = [*(m.function for m in QUANTIFICATION.values()), *COMPONENTS]


@pytest.mark.parametrize("function", ON_DISTRIBUTIONS)
def test_the_tolerance_is_that_of_both_arguments(function):
    exact, rounded = [0.25, 0.25, 0.5], [0.333, 0.333, 0.333]
    for pair in [(exact, rounded), (rounded, exact)]:
        with pytest.raises(ValueError, match=r"sums to 0\.999, not to 1"):
            function(*pair)
        assert np.isfinite(function(*pair, tolerance=2e-3)).all()


@pytest.mark.parametrize("measure", [*QUANTIFICATION.values(), *CLASSIFICATION.values()])
@pytest.mark.parametrize("n", [2, 3, 5])
def test_the_perfect_score_is_the_better_bound(measure, n):
    least, largest = measure.bounds(n)
    assert measure.perfect == (least if measure.better == "low" else largest)
    assert least < largest


def test_distances_may_be_given_for_every_gold_distribution():
    gold = np.array([[0.5, 0.5, 0.0], [0.2, 0.3, 0.5]])
    estimate = np.array([[0.2, 0.3, 0.5], [0.5, 0.5, 0.0]])
    alone = [od(g, p, distance=gold_mass_distance(g)) for g, p in zip(gold, estimate, strict=True)]
    for distance in (gold_mass_distance, gold_mass_distance(gold)):
        found = od(gold, estimate, distance=distance)
        np.testing.assert_allclose(found, alone, rtol=1e-14)
    tasks = np.stack([gold, gold[::-1]])
    found = od(tasks, estimate, distance=lambda table: gold_mass_distance(table))
    np.testing.assert_allclose(found[0], alone, rtol=1e-14)


def test_the_mass_between_two_classes_takes_half_of_both():
    found = gold_mass_distance([0.5, 0.3, 0.2])
    np.testing.assert_allclose(found, [[0, 0.4, 0.65], [0.4, 0, 0.25], [0.65, 0.25, 0]])


def test_both_directions_have_the_distance_that_was_given():
    distance = [[0, 1, 5], [2, 0, 1], [9, 3, 0]]
    gold, estimate = [0.5, 0.3, 0.2], [0.1, 0.3, 0.6]
    both = od(gold, estimate, distance=distance) + od(estimate, gold, distance=distance)
    assert sod(gold, estimate, distance=distance) == pytest.approx(both / 2, rel=1e-14)
    assert sod(gold, estimate, distance=distance) != sod(gold, estimate)


def test_names_and_order():
    assert " ".join(QUANTIFICATION) == (
        "NMD RNOD RSNOD RNOD2 RNADW RNADW2 NVD RNSS JSD DNKT DNKT_JSD DNKT_NMD DNKT_RNOD RPS"
    )
    assert " ".join(CLASSIFICATION) == (
        "MAE_M MAE_mu CEM_ORD kappa alpha_ord alpha_int F1_M HMPR accuracy QWK"
    )
    own = {"MAE_M": "mae_macro", "MAE_mu": "mae_micro", "F1_M": "f1_macro"}
    for name, measure in MEASURES.items():
        assert measure.name == name
        assert measure.function.__name__ == own.get(name, name.lower())
        assert getattr(om, measure.function.__name__) is measure.function


def test_registry_is_read_only():
    with pytest.raises(TypeError):
        QUANTIFICATION["NMD"] = None
    with pytest.raises(AttributeError):
        QUANTIFICATION["NMD"].symmetric = False
    assert isinstance(QUANTIFICATION["NMD"], Measure)


@pytest.mark.parametrize("name", MEASURES)
def test_facts_are_words_the_documentation_knows(name):
    m = MEASURES[name]
    assert m.kind in ("quantification", "classification")
    assert m.better == ("low" if m.perfect == 0 else "high")
    assert (m.equidistant is None) == (not m.ordinal) == (m.farther_is_worse == "never")
    assert (m.imbalance is None) == (m.constant_runs is None) == (m.kind == "quantification")
    assert (m.mean is None) == (m.kind == "classification")
    assert m.title[0].isupper()
    assert m.source
    assert set(m.papers) <= set(PAPERS)
    assert bool(m.papers) == (name not in ("RPS", "QWK"))
    assert m.range
