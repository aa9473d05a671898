"""Each annotator is held against the others alone, as a run would be."""

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import cohen_kappa_score

import ordbook as ob
from ordbook.data.ratings import from_ratings
from ordbook.meta.people import human_ceiling, people_range, perfect_judge

PEOPLE, JUDGES = ["Ann", "Bob", "Cy", "Dee"], ["J", "K"]


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(3)
    truth = rng.integers(1, 6, 60)
    frame = pd.DataFrame({"item": range(60), "topic": [f"q{k % 4}" for k in range(60)]})
    for name in [*PEOPLE, *JUDGES]:
        frame[name] = np.clip(truth + rng.integers(-1, 2, 60), 1, 5).astype(float)
    for name in PEOPLE[1:]:
        frame.loc[rng.random(60) < 0.2, name] = np.nan
    frame.loc[:1, "Ann"] = [1, 5]
    return frame


@pytest.mark.parametrize("topic", ["topic", None])
@pytest.mark.parametrize("gold", ["median", "majority"])
def test_ceiling_is_that_of_a_task_of_the_others(table, topic, gold):
    rule = {"gold": gold, "topic": topic, "classes": range(1, 6)}
    task = from_ratings(table, annotator=PEOPLE, runs=JUDGES, ties="lower", **rule)
    ceiling = human_ceiling(task, ["kappa", "MAE_M"])
    by_run = []
    for person in PEOPLE:
        others = [name for name in PEOPLE if name != person]
        rows = table[table[person].notna() & table[others].notna().any(axis=1)]
        runs = [person, *JUDGES]
        scores = np.mean(
            [
                ob.score(
                    from_ratings(rows, annotator=others, runs=runs, ties=end, **rule),
                    ["kappa", "MAE_M"],
                ).values.mean(axis=1)
                for end in ("lower", "upper")
            ],
            axis=0,
        )
        np.testing.assert_allclose(
            ceiling.loc[person, ["kappa", "MAE_M"]].astype(float), scores[:, 0]
        )
        assert ceiling.loc[person, "items"] == len(rows)
        by_run.append((len(rows), scores[:, 1:]))
    weights = [size for size, _ in by_run]
    runs = np.average([scores for _, scores in by_run], 0, weights)
    np.testing.assert_allclose(ceiling.loc[JUDGES, ["kappa", "MAE_M"]].astype(float), runs.T)
    ends = people_range(ceiling, 60).loc["kappa"]
    people = ceiling.loc[PEOPLE, "kappa"]
    assert (ends["low"], ends["high"]) == (people.min(), people.max())
    assert ends["mean"] == pytest.approx(np.average(people, weights=weights))


@pytest.mark.parametrize("people", [PEOPLE[:2], PEOPLE[:3], PEOPLE])
@pytest.mark.parametrize("gold", ["median", "majority"])
def test_a_scale_read_from_its_other_end_has_the_same_ceiling(table, people, gold):
    measures = ["kappa", "QWK", "alpha_int", "MAE_M", "MAE_mu", "accuracy"]
    rule = {"annotator": people, "gold": gold, "runs": JUDGES, "classes": range(1, 6)}
    names = [*PEOPLE, *JUDGES]
    turned = table.assign(**(6 - table[names]))
    one, other = (
        human_ceiling(from_ratings(ratings, **rule, topic="topic", ties="lower"), measures)
        for ratings in (table, turned)
    )
    pd.testing.assert_frame_equal(one, other)


def test_ceiling_of_distributions_compares_on_the_items_of_the_annotator(table):
    task = from_ratings(table, annotator=PEOPLE, runs=JUDGES, gold="shares", topic="topic")
    ceiling = human_ceiling(task, ["NMD"])
    rows = table[table["Bob"].notna()]
    others = rows.melt("topic", ["Ann", "Cy", "Dee"])
    gold = pd.crosstab(others["topic"], others["value"], normalize="index").to_numpy()
    bob = pd.crosstab(rows["topic"], rows["Bob"], normalize="index").to_numpy()
    assert ceiling.loc["Bob", "NMD"] == pytest.approx(ob.nmd(gold, bob).mean())


def test_half_of_the_people_stand_against_the_other_half_where_each_has_one_rating():
    """Simulated votes of known shares: both expected scores are those of drawn votes."""
    rng = np.random.default_rng(8)
    shares, people = np.array([0.1, 0.2, 0.4, 0.3]), [f"p{k}" for k in range(21)]
    ratings = pd.DataFrame({"item": range(300)}).join(
        pd.DataFrame(rng.choice(4, (300, 21), p=shares) + 1, columns=people)
    )
    ratings["J"] = 3
    task = from_ratings(ratings, annotator=people, runs=["J"], gold="shares")
    exact = ob.QuantificationTask.from_arrays(
        task.gold, {"exact": np.tile(shares, (300, 1))}, classes=task.classes
    )
    halves = [rng.multinomial(size, shares, 4000) / size for size in (10, 11)]
    ceiling = human_ceiling(task, ["NMD"])
    assert list(ceiling.index) == ["half of the people", "J"]
    assert ceiling["items"].tolist() == [300, 300]
    # Three standard errors of means over 300 items, of scores that vary by about .05; the posterior
    # distribution is not quite that of the votes.
    assert ceiling.iloc[0]["NMD"] == pytest.approx(ob.nmd(*halves).mean(), abs=0.009)
    perfect = perfect_judge(task, ["NMD"])["NMD"]
    assert perfect == pytest.approx(ob.score(exact, ["NMD"]).values.mean(), abs=0.009)
    labels = from_ratings(ratings, annotator=people[:1], runs=["J"], gold="shares")
    assert human_ceiling(labels) is None


def test_two_annotators_are_each_others_ceiling_and_one_has_none(table):
    rule = {"annotator": ["Ann", "Bob"], "runs": JUDGES, "gold": "median"}
    task = from_ratings(table, ties="lower", **rule)
    ceiling = human_ceiling(task, ["kappa"])
    both = table[table["Bob"].notna()]
    theirs = cohen_kappa_score(both["Ann"], both["Bob"], labels=range(1, 6), weights="linear")
    assert ceiling.loc[["Ann", "Bob"], "kappa"].tolist() == pytest.approx([theirs, theirs])
    alone = from_ratings(table, annotator=["Ann"], runs=JUDGES, gold="median")
    assert human_ceiling(alone) is None
    assert human_ceiling(ob.load("fair-oc")) is None
