"""The report compares people and runs where the ratings behind the gold data are known."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

import ordbook as ob
from ordbook.data.ratings import from_ratings
from ordbook.files import share
from ordbook.report import people
from ordbook.report.analysis import Analysis

RATINGS = pd.read_csv(share("data", "examples", "ratings", "ratings.csv"))
PEOPLE, RUNS = ["Ada", "Ben", "Eve"], ["bold", "careful"]


def report(task):
    return Analysis(task, ob.score(task), None, None, None, 0)


@pytest.mark.parametrize("topic", [None, "topic"])
def test_bias_is_the_mean_difference_from_the_mean_of_people(topic):
    frame = RATINGS.assign(topic=["s"] * 5 + ["t"] * 5)
    task = from_ratings(frame, annotator=PEOPLE, runs=RUNS, gold="median", topic=topic)
    table = people.bias(report(task))
    rows = [[cell[0][1] for cell in row] for row in table.rows]
    cells = {row[0]: row for row in rows}
    away = frame["careful"] - frame[PEOPLE].mean(axis=1)
    assert cells["careful"][1:3] == ["run", f"{away.mean():+.2f}"]
    own = frame["Ada"] - frame[["Ben", "Eve"]].mean(axis=1)
    assert cells["Ada"][1:3] == ["person", f"{own.mean():+.2f}"]
    if topic:
        low = away.groupby(frame["topic"]).mean().min()
        assert cells["careful"][4].endswith(f"({low:+.2f})")


def test_confusions_of_people_are_those_beside_gold_from_the_others():
    task = from_ratings(RATINGS, annotator=PEOPLE, runs=RUNS, gold="median")
    panels = [axes for axes in people.confusions(report(task)).axes if axes.images]
    assert [axes.get_title() for axes in panels] == PEOPLE
    others = RATINGS[["Ben", "Eve"]]  # where the two differ, either rating counts half
    others = pd.concat([others.min(axis=1), others.max(axis=1)])
    counts = pd.crosstab(others.to_numpy(), np.tile(RATINGS["Ada"], 2), normalize="index")
    counts = counts.reindex(index=range(1, 6), columns=range(1, 6), fill_value=0).fillna(0)
    np.testing.assert_allclose(panels[0].images[0].get_array(), counts)
    plt.close("all")


def test_people_are_drawn_beside_runs_and_nothing_where_they_are_unknown():
    task = from_ratings(RATINGS, annotator=PEOPLE, runs=RUNS, gold="median")
    found = report(task)
    axes = people.picture(found).axes[0]
    ceiling = ob.human_ceiling(task, [found.primary])[found.primary].sort_values(ascending=False)
    assert [label.get_text() for label in axes.get_yticklabels()] == list(ceiling.index)
    text = people.note(found).data
    assert "There are 3 annotators: Ada" in text
    assert f"{ceiling[PEOPLE].mean():.4f}".replace(".", "\\.") in text
    other = report(ob.load("fair-oc"))
    parts = (people.note, people.picture, people.confusions, people.bias)
    assert [part(other) for part in parts] == [None] * 4
    plt.close("all")
