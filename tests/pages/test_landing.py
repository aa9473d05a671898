"""The pictures of the first page, and what the page on choosing a measure computes."""

import numpy as np
import pytest

import ordbook as ob
from ordbook.advice.choose import FAVOURED
from ordbook.chapters import choosing
from ordbook.chapters.choosing import TREE
from ordbook.measures import CLASSIFICATION, QUANTIFICATION
from ordbook.pages import landing
from ordbook.pages.explorer import presets


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


@pytest.mark.parametrize(
    ("kind", "known"), [("quantification", QUANTIFICATION), ("classification", CLASSIFICATION)]
)
def test_every_ordinal_measure_meets_a_need_or_does_not(kind, known):
    ordinal = [name for name, measure in known.items() if measure.ordinal]
    for _, row in choosing.by_need(kind).iterrows():
        named = [n for part in ("met by", "not by") for n in row[part].split(", ") if n != "none"]
        assert sorted(named) == sorted(ordinal)


def test_the_tree_ends_with_the_recommendation_where_the_classes_have_an_order():
    for kind, steps in zip(["classification", "quantification"], TREE.values(), strict=True):
        known = {**QUANTIFICATION, **CLASSIFICATION}
        assert not any(known[name].ordinal for name in steps[0][1].split(" or "))
        ends = [measures.split(",\nwith ") for _, measures in steps[1:]]
        assert ends == [[*FAVOURED[kind]][::-1], [*FAVOURED[kind]]]


def test_differences_between_measures_are_means_over_halves():
    values = np.zeros((41, 2, 2))  # the whole, then 40 halves
    values[0, 0, 0], values[0, 1, 1] = 0.4, -0.1
    values[1:, 0, 0] = np.linspace(0.1, 0.5, 40)
    values[1:, 1, 1] = np.linspace(-0.5, 0.5, 40)
    frame = choosing.differences({("tweets", "topics"): values}, 0, 1)
    assert np.isclose(frame.loc[("tweets", "topics"), "consistency"], 0.3)
    assert choosing.firm(frame, "consistency", "topics")["tweets"] == 1
    assert choosing.firm(frame, "power", "topics")["tweets"] == 0


def test_few_topics_are_about_the_systems_alone():
    scores = ob.score(ob.load("dbdc3"), ["RPS", "NMD"])
    few = choosing.few_topics(scores, 50, splits=50)
    spread = scores.means().max() - scores.means().min()
    wide = ob.topic_set_size(scores, spread.to_dict())["topics"]
    assert (few["needed"].to_numpy() > wide.to_numpy()).all(), (
        "the baselines would make the difference wide"
    )
    more = choosing.few_topics(scores, 190, splits=50)
    assert (more["consistency"] > few["consistency"]).all()
    assert (more["needed"] == few["needed"]).all()
