"""The pictures of the first page, and what the page on choosing a measure computes."""

import itertools

import numpy as np

import ordbook as ob
from cases import case
from ordbook.advice.choose import FAVOURED, choose
from ordbook.chapters import choosing
from ordbook.chapters.choosing import TREE
from ordbook.measures import CLASSIFICATION, QUANTIFICATION
from ordbook.pages import landing
from ordbook.pages.explorer import presets
from ordbook.show import show


def test_exactly_the_ordinal_measures_tell_the_two_estimates_apart():
    told = landing.told_apart(landing.values())
    for apart, names in told.items():
        assert names
        assert all(QUANTIFICATION[name].ordinal == apart for name in names)
    assert set(told[True]) | set(told[False]) == set(landing.FIVE)


def test_the_two_runs_are_those_of_the_explorer():
    counts = {name: np.array(rows) for name, rows in landing.RUNS.items()}
    steps = np.abs(np.subtract.outer(np.arange(3), np.arange(3)))
    for name, preset, off in (("A", "near", 1), ("B", "far", 2)):
        found = next(one for one in presets("labels") if one["id"] == preset)
        assert counts[name].tolist() == found["counts"]
        assert (counts[name].sum(), np.trace(counts[name])) == (30, 24)
        assert set(steps[counts[name] > 0]) == {0, off}
    told = landing.told_apart(landing.run_values())
    assert all(CLASSIFICATION[name].ordinal == apart for apart in told for name in told[apart])


def test_every_ordinal_measure_meets_a_need_or_does_not():
    for kind, known in [("quantification", QUANTIFICATION), ("classification", CLASSIFICATION)]:
        with case(kind, known):
            ordinal = [name for name, measure in known.items() if measure.ordinal]
            for _, row in choosing.by_need(kind).iterrows():
                named = [
                    n for part in ("met by", "not by") for n in row[part].split(", ") if n != "none"
                ]
                assert sorted(named) == sorted(ordinal)


def test_needs_are_incompatible_where_the_table_has_no_common_measure():
    for kind in ["quantification", "classification"]:
        with case(kind):
            met = choosing.by_need(kind)["met by"].str.split(", ").map(set)
            expected = [
                (a, b) for a, b in itertools.combinations(met.index, 2) if not met[a] & met[b]
            ]
            assert choosing.incompatible(kind) == expected
            assert expected


def test_every_measure_that_a_question_leads_to_has_what_was_asked():
    asked = {"farther": "a farther error", "Do several": "runs that", "Are the steps": "the steps"}
    for kind, steps in zip(["classification", "quantification"], TREE.values(), strict=True):
        met = choosing.by_need(kind)["met by"]
        for (question, _), measures in steps[1:-1]:
            (need,) = [met.filter(like=n).iloc[0] for q, n in asked.items() if q in question]
            assert set(measures.split(" or ")) <= set(need.split(", "))
        known = {**QUANTIFICATION, **CLASSIFICATION}
        assert not any(known[name].ordinal for name in steps[0][1].split(" or "))
        assert steps[-1][1].split(",\nwith ") == list(FAVOURED[kind])


def test_a_study_chooses_by_the_rules_of_an_edition():
    studied = choosing.study("fair-oq", "quantification", trials=200, splits=100)
    assert (studied.classes, len(studied.scores.runs)) == (5, 16)
    pairs = 16 * 15 / 2
    assert np.allclose(studied.criteria["share"] * pairs, studied.criteria["significant"])
    # Where order is all that is needed a nominal measure is never chosen.
    assert all(QUANTIFICATION[name].ordinal for name in studied.choose())
    needs = choosing.Needs("quantification", 5)
    assert studied.choose() == choose(studied.criteria, needs, studied.tau)
    numbers = choosing.by_set({"a": studied}, "share")
    shown = show.starred(numbers, "{:.0%}")["a"]
    assert list(shown.str.endswith("*")) == list(numbers["a"] == numbers["a"].max())


def test_the_criteria_are_within_the_limits_of_other_topics():
    studied = choosing.study("sem16t4e", "quantification", trials=2000)
    low, high = choosing.other_topics(studied.scores)
    steady = studied.criteria.loc[low.index, choosing.TEN]
    assert (low[choosing.TEN] < steady).all()
    assert (steady < high[choosing.TEN]).all()


def test_few_topics_are_about_the_systems_alone():
    scores = ob.score(ob.load("stc3-dq-a"), ["NMD", "RNOD"])
    few = choosing.few_topics(scores, 50, splits=50)
    means = scores.means().drop(index=["BL-uniform", "BL-popularity"])
    assert np.allclose(few["spread"], means.max() - means.min())
    more = choosing.few_topics(scores, 190, splits=50)
    assert (more["detectable"] < few["detectable"]).all()
    assert (more["consistency"] > few["consistency"]).all()
    assert (more["needed"] == few["needed"]).all()
