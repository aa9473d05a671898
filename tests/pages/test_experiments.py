"""The presets of the explorers have printed numbers, and show what the pages say of them."""

import re

import numpy as np
import pytest

import ordbook as ob
from helpers.explorers import (
    LABELS,
    MATRICES,
    PAGES,
    PAIRS,
    PRESETS,
    compared,
    expected,
    named,
    of_matrix,
    of_pair,
)
from ordbook.advice import FAVOURED
from ordbook.measures import QUANTIFICATION
from ordbook.measures.components import dw, od
from ordbook.pages import explorer


def test_presets_have_the_numbers_that_the_papers_print():
    def pair(name):
        return PAIRS[name]["gold"], PAIRS[name]["estimate"]

    np.testing.assert_allclose(dw(*pair("lq21-a")), [0.03, 0.01, 0.01, 0.03], atol=1e-9)
    np.testing.assert_allclose(dw(*pair("lq21-b")), [0.05, 0.03, 0.01, 0.01], atol=1e-9)
    assert [od(*pair(f"lq21-{run}")) for run in "ab"] == pytest.approx([0.020, 0.025])
    printed = {"sigir18-x": (0.0390, 0.1414), "sigir18-y": (0.0490, 0.1732)}
    for name, both in printed.items():
        assert (round(ob.jsd(*pair(name)), 4), round(ob.rnss(*pair(name)), 4)) == both
        assert ob.measures.vd(*pair(name)) == pytest.approx(0.4)
    deltas = {"181": (-0.150, 0.115), "18": (0, 0.263)}
    for dialogue, expected_deltas in deltas.items():
        for measure, delta in zip((ob.nmd, ob.rnod), expected_deltas, strict=True):
            first, second = (
                measure(*pair(f"lq21-{dialogue}-{run}")) for run in ("popularity", "uniform")
            )
            assert round(first - second, 3) == pytest.approx(delta, abs=1e-9)


def test_the_experiments_with_distributions_show_what_the_page_says():
    ordinal = {n for n, m in QUANTIFICATION.items() if m.ordinal}
    far = compared(PAIRS, "sigir18-c", "sigir18-d")
    assert (named(far, "worse"), named(far, "same")) == (ordinal, set(QUANTIFICATION) - ordinal)
    end = compared(PAIRS, "lq21-a", "lq21-b")
    assert (end["NMD"], end["RPS"], end["RNOD"]) == ("same", "same", "worse")
    a, b = (dw(PAIRS[name]["gold"], PAIRS[name]["estimate"]) for name in ("lq21-a", "lq21-b"))
    assert np.sign((b - a).round(12)).tolist() == [1, 1, 0, -1]
    baselines = compared(PAIRS, "lq21-181-popularity", "lq21-181-uniform")
    popular = {"NMD", "RPS", "DNKT", "DNKT_JSD", "DNKT_NMD", "DNKT_RNOD"}
    assert named(baselines, "worse") == popular
    assert named(baselines, "better") == set(QUANTIFICATION) - popular
    pair = PAIRS["asymmetry"]
    there, back = expected(pair), of_pair(pair["estimate"], pair["gold"])
    assert there["NMD"] == pytest.approx(back["NMD"], abs=1e-12)
    assert abs(there["RNOD"] - back["RNOD"]) > 0.01
    pair = PAIRS["dnkt-priorities"]
    kept = expected(pair)
    assert {n for n in kept if kept[n] == 0} == {"DNKT", "DNKT_JSD", "DNKT_NMD", "DNKT_RNOD"}
    # The first bar pulled just below the second, the others in proportion.
    pulled = [0.29, *(np.array(pair["estimate"][1:]) * 0.71 / 0.69)]
    assert pulled[0] < pulled[1]
    assert ob.dnkt(pair["gold"], pulled) > 0
    farther = compared(PAIRS, "farther-2", "farther-3")
    assert (farther["NMD"], farther["RNOD"]) == ("worse", "better")
    assert ob.nmd(*(PAIRS["farther-3"][side] for side in ("gold", "estimate"))) == pytest.approx(
        2 * ob.nmd(*(PAIRS["farther-2"][side] for side in ("gold", "estimate")))
    )
    one, two = (expected(PAIRS[name])["RPS"] for name in ("farther-2", "farther-3"))
    assert two == pytest.approx(2 * one)
    assert FAVOURED["quantification"] == ("RPS", "NMD")
    assert expected(PAIRS["above-one"])["RNOD"] > 1


def test_the_experiments_with_labels_show_what_the_page_says():
    nominal = {n for n, m in LABELS.items() if not m.ordinal}
    far = compared(MATRICES, "near", "far")
    assert (named(far, "same"), named(far, "worse")) == (nominal, set(LABELS) - nominal)
    constant = [expected(MATRICES[f"always-{k}"]) for k in (1, 2, 3)]
    assert [one[name] for one in constant for name in ("kappa", "QWK")] == [0] * 6
    assert len({round(one["alpha_ord"], 9) for one in constant}) == 3
    first, middle, last = (one["MAE_M"] for one in constant)
    assert middle < first == last
    reads = compared(MATRICES, "majority", "reader")
    assert named(reads, "worse") == {"accuracy", "MAE_mu"}
    assert named(reads, "better") == set(LABELS) - {"accuracy", "MAE_mu"}
    empty = np.array(MATRICES["empty"]["counts"])
    assert empty[2].sum() == 0 < empty[:, 2].sum()
    there, back = of_matrix(empty), of_matrix(empty.T)
    same = {name for name in there if abs(there[name] - back[name]) <= 1e-12}
    assert same == {name for name, m in LABELS.items() if m.symmetric}
    right, wrong = (expected(MATRICES[name]) for name in ("single", "single-wrong"))
    chance_corrected = ("kappa", "QWK", "alpha_ord", "alpha_int")
    assert [right[n] for n in chance_corrected] == [1, 1, 1, 1]
    assert [wrong[n] for n in chance_corrected] == pytest.approx([0, 0, -0.9, -0.9])
    made_worse = compared(MATRICES, "bold", "bolder")
    assert named(made_worse, "better") == {"QWK", "alpha_ord", "alpha_int"}
    assert named(made_worse, "worse") == set(LABELS) - named(made_worse, "better")
    assert FAVOURED["classification"] == ("kappa", "MAE_M")


def test_the_experiments_with_luck_show_what_the_page_says():
    firsts = {}
    for task in explorer.TASKS:
        scores = explorer._scores(task)
        means = {n: ob.ranking_consistency(scores, n, splits=400).mean for n in (5, 10, 50)}
        firsts[task] = means
    runs, labels = firsts["sem16t4e"], firsts["sem16t4c"]
    assert all(runs[n]["NMD"] < runs[n]["RNOD"] - 0.02 for n in (10, 50))
    assert abs(runs[5]["NMD"] - runs[5]["RNOD"]) < 0.02
    assert labels[10]["kappa"] > labels[50]["accuracy"]
    # The first place by RNOD hardly ever changes hands with fifty topics.
    scores = explorer._scores("sem16t4e")["RNOD"].to_numpy()
    rng = np.random.default_rng(0)
    best = [scores[rng.permutation(100)[:50]].mean(axis=0).argmin() for _ in range(200)]
    assert np.mean(np.array(best) == scores.mean(axis=0).argmin()) > 0.95


def test_every_word_of_the_experiments_leads_to_a_preset_and_every_measure_to_its_section(root):
    chapters = {
        name: (root / "book" / f"{name}.ipynb").read_text(encoding="utf-8")
        for name in ("measures", "by_hand")
    }
    for page, kind in PAGES.items():
        text = (root / "book" / f"{page}.md").read_text(encoding="utf-8")
        names = re.findall(r'data-explorer="([^"]+)"', text)
        assert len(names) > 3
        assert set(names) <= set(PRESETS[page])
        made = explorer.explorer(kind)
        anchors = set(re.findall(r'href="(\w+)\.html#(measures-[\w-]+)"', made))
        assert {(n, a) for n, a in anchors if f"({a})=" not in chapters[n]} == set()


def test_no_measure_exceeds_1_below_five_classes():
    """As the remark beside RNOD, RSNOD and DNKT_RNOD says."""
    for name, measure in QUANTIFICATION.items():
        assert measure.bounds(4)[1] <= 1
        assert (measure.bounds(5)[1] > 1) == (name in {"RNOD", "RSNOD", "DNKT_RNOD"})
