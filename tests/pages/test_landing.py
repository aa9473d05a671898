"""The pictures of the first page, and what the page on choosing a measure computes."""

import numpy as np
import pytest

import ordbook as ob
from ordbook.advice.choose import FAVOURED
from ordbook.chapters import choosing
from ordbook.chapters.choosing import TREE
from ordbook.measures import CLASSIFICATION, QUANTIFICATION
from ordbook.measures.registry import by_default
from ordbook.pages import landing


def test_the_model_that_is_right_more_often_makes_the_far_errors():
    steps = np.abs(np.subtract.outer(landing.GRADES, landing.GRADES))
    errors = {model: steps[counts > 0] for model, counts in landing.matrices().items()}
    assert {model: counts.sum() for model, counts in landing.matrices().items()} == {
        "bold": 10,
        "careful": 10,
    }
    assert set(errors["bold"]) == {0, 3, 4}
    assert set(errors["careful"]) == {0, 1}
    scores = landing.scores()
    assert scores.idxmax().to_dict() == {"accuracy": "bold", "linear kappa": "careful"}


@pytest.mark.parametrize("kind", ["quantification", "classification"])
def test_every_ordinal_measure_meets_a_need_or_does_not(kind):
    ordinal = [name for name, measure in by_default(kind).items() if measure.ordinal]
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
