"""How often guarantees are broken: against what the facts state, and against known rates."""

import numpy as np
import pytest

from guarantees import STEPPED
from ordbook.measures import CLASSIFICATION, GUARANTEES, QUANTIFICATION, nmd, probe

EVERY = {**QUANTIFICATION, **CLASSIFICATION}
# How far an error goes does not enter; and chance is corrected for by squared distances.
BLIND, SQUARED = ("NVD", "RNSS", "accuracy"), ("QWK", "alpha_ord", "alpha_int")
# By these, worse answers anywhere never score better, and often the same.
COARSE = ("accuracy_1", "MAE_max")


@pytest.fixture(scope="module")
def probed():
    return {name: {g.name: g for g in probe(measure, size=1000)} for name, measure in EVERY.items()}


@pytest.mark.parametrize("name", EVERY)
def test_the_probe_agrees_with_the_facts(name, probed):
    measure, guarantees = EVERY[name], probed[name]
    assert guarantees["symmetry"].holds == measure.symmetric
    assert (guarantees["order seen"].broken[5] < 0.1) == measure.ordinal
    assert measure.ordinal or guarantees["order seen"].broken[5] == 1
    assert guarantees["identity"].holds == ("DNKT" not in name and name != "accuracy_1")
    assert guarantees["same side"].holds == (
        measure.farther_is_worse in ("always", "weakly") or name in ("kappa", *BLIND)
    )
    assert guarantees["across gold"].holds == (
        measure.farther_is_worse == "always" or name in (*BLIND, *COARSE)
    )
    assert guarantees["reversal"].holds, "all treat both ends of the scale alike"
    if measure.equidistant or name == "RNADW2":
        assert guarantees["unused classes"].broken[5] > 0.005
    if name in CLASSIFICATION:
        assert (guarantees["constant runs score 0"].broken[5] == 0) != measure.constant_runs
        assert guarantees["right answer"].holds == (name not in SQUARED)
        assert ("below 0" in guarantees) == (measure.bounds(5)[0] < 0)
        assert (guarantees["rare classes"].broken[3] < 1) == measure.imbalance
        assert "proper" not in guarantees
    else:
        assert guarantees["proper"].holds == (name == "RPS")
        assert {"right answer", "below 0", "rare classes"}.isdisjoint(guarantees)


def test_rates_that_are_known_otherwise():
    """RNOD: uniform gold mass on all viewpoints, so 4 of 24 moves at five classes, 20 of 100 at 7.

    With 4,000 cases the standard error is .6 points; three of them are allowed.
    """
    rates = {
        (name, g.name): g.broken
        for name in ("RNOD", "RNOD2", "RNADW2", "DNKT")
        for g in probe(EVERY[name], size=4_000, seed=1)
    }
    assert rates["RNOD", "same side"][3] == 0
    assert rates["RNOD", "same side"][5] == pytest.approx(4 / 24, abs=0.018)
    assert rates["RNOD", "same side"][7] == pytest.approx(0.2, abs=0.019)
    assert set(rates["RNOD2", "unused classes"].values()) == {0}
    assert rates["RNADW2", "unused classes"][5] == pytest.approx(0.018, abs=0.006)
    assert rates["RNOD", "unused classes"][3] == pytest.approx(0.014, abs=0.006)
    # DNKT is 0 wherever the order of the classes is the same: one order in 3! or 5!
    assert rates["DNKT", "identity"][3] == pytest.approx(1 / 6, abs=0.018)
    assert rates["DNKT", "identity"][5] == pytest.approx(1 / 120, abs=0.005)


@pytest.mark.parametrize("measure", STEPPED, ids=lambda measure: measure.name)
def test_with_steps_of_different_widths_a_measure_keeps_what_it_kept(measure):
    guarantees = {g.name: g for g in probe(measure, size=3000)}
    for name in ("same side", "identity", "symmetry", "bounded"):
        assert guarantees[name].holds
    assert guarantees["proper"].holds == (measure.name == "RPS(steps=)")
    assert not guarantees["reversal"].holds, "the steps would have to be reversed with the classes"


def way(case):
    """Distance that errors go: match distance, or the sum of errors of a matrix."""
    if len(case) == 2:
        return nmd(*case)
    steps = np.abs(np.subtract.outer(range(len(case[0])), range(len(case[0]))))
    return (case[0] * steps).sum()


@pytest.mark.parametrize("name", EVERY)
def test_every_counterexample_is_one(name, probed):
    measure = EVERY[name]
    worse = 1 if measure.better == "low" else -1
    score = measure if name in QUANTIFICATION else measure.from_confusion
    for guarantee in probed[name].values():
        assert guarantee.name in GUARANTEES
        assert guarantee.holds == (not guarantee.statement)
        assert guarantee.holds <= (not any(guarantee.broken.values()))
        if guarantee.holds or guarantee.name == "proper":  # whose scores are means over votes
            continue
        for case, value in guarantee.example:
            assert score(*case) == pytest.approx(value, abs=1e-9)
        (first, ours), *others = guarantee.example
        theirs = others[0][1] if others else None
        match guarantee.name:
            case "right answer" | "same side" | "across gold" | "below 0":
                assert way(others[0][0]) > way(first), "it is farther off"
                assert worse * (theirs - ours) < 0
                assert (ours < 0) == (guarantee.name == "below 0")
            case "symmetry" | "reversal":
                assert abs(theirs - ours) > 1e-7
            case "identity":
                assert way(first) > 0.01
                assert ours == pytest.approx(measure.perfect, abs=1e-7)
            case "bounded":
                assert abs(ours) > 1
            case "splitting" | "unused classes":
                assert np.sign(ours - theirs) != np.sign(others[1][1] - others[2][1])
            case "merging":
                assert worse * (theirs - ours) > 0
            case "constant runs score 0":
                assert np.count_nonzero(first[0].sum(axis=0)) == 1
                assert abs(ours) > 1e-7
            case "rare classes":
                assert worse * (theirs - ours) <= 1e-9
            case _:
                assert guarantee.name == "order seen"
                assert theirs == pytest.approx(ours, abs=1e-7)


def test_the_seed_decides():
    first, second, other = (probe(QUANTIFICATION["JSD"], (4,), seed=s, size=100) for s in (1, 1, 2))
    assert [g.statement for g in first] == [g.statement for g in second]
    assert [g.broken for g in first] == [g.broken for g in second] != [g.broken for g in other]


def test_few_classes_and_cases_leave_less_to_say():
    names = {g.name for g in probe(QUANTIFICATION["NMD"], [2], size=1)}
    assert {"same side", "across gold", "order seen", "merging"}.isdisjoint(names)
    assert {"identity", "symmetry", "reversal", "proper"} < names
    for options, message in (({"classes": [1]}, "at least 2 classes"), ({"size": 0}, "at least 1")):
        with pytest.raises(ValueError, match=message):
            probe(QUANTIFICATION["NMD"], **options)
