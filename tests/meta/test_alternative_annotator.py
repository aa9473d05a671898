"""The alternative annotator test equals its authors' procedure, written here item by item."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy.stats import t as student
from scipy.stats import ttest_1samp

import ordbook as ob
from ordbook.data.ratings import from_ratings
from ordbook.meta.alternative_annotator import DRAWS, _below, _of_majorities

PEOPLE = ["Ann", "Bob", "Cy", "Dee"]

# The outputs of the authors' notebook (github.com/nitaytech/AltTest, alt_test_example.ipynb):
# epsilon, then winning rate and average advantage of each model.
PUBLISHED = {
    "alt-prompts": (0.15, {"gemini_flash": (0.31, 0.67), "gemini_pro": (0.08, 0.63),
                           "gpt-4o": (0.69, 0.76), "llama-31": (0.15, 0.67),
                           "gpt-4o-mini": (0.92, 0.80), "mistral-v03": (0.15, 0.67)}),
    "alt-stars": (0.1, {"gemini_flash": (0.60, 0.82), "gemini_pro": (0.80, 0.87),
                        "gpt-4o": (0.90, 0.90), "llama-31": (0.60, 0.85),
                        "gpt-4o-mini": (0.90, 0.89), "mistral-v03": (0.50, 0.83)}),
    "alt-lesion": (0.15, {"gemini_flash": (0.17, 0.71), "gemini_pro": (1.00, 0.81),
                          "gpt-4o": (0.00, 0.62), "gpt-4o-mini": (0.67, 0.73)}),
}  # fmt: skip


def by_hand(ratings: dict, judge: dict, epsilon: float, score: str, least: int = 30):
    """Return winning rate and average advantage: person -> item -> rating, item -> rating."""

    def aligned(answer, others):
        if score == "accuracy":
            return sum(answer == other for other in others) / len(others)
        return -np.sqrt(sum((answer - other) ** 2 for other in others) / len(others))

    p, advantages = [], []
    for person, own in ratings.items():
        differences, wins = [], []
        for item, answer in own.items():
            others = [x[item] for name, x in ratings.items() if name != person and item in x]
            if others and item in judge:
                by_judge, by_person = aligned(judge[item], others), aligned(answer, others)
                wins.append(by_judge >= by_person)
                differences.append(int(by_person >= by_judge) - int(by_judge >= by_person))
        if len(wins) >= least:
            p.append(ttest_1samp(differences, epsilon, alternative="less").pvalue)
            advantages.append(np.mean(wins))
    # Benjamini and Yekutieli: the largest k with p_(k) <= k q / (m (1 + 1/2 + ... + 1/m)).
    m = len(p)
    harmonic = sum(1 / k for k in range(1, m + 1))
    below = [k for k in range(1, m + 1) if sorted(p)[k - 1] <= 0.05 * k / (m * harmonic)]
    return max(below, default=0) / m, np.mean(advantages)


def wide(ratings: dict, judges: dict) -> pd.DataFrame:
    return pd.DataFrame({**ratings, **judges}).rename_axis("item").reset_index()


@pytest.mark.usefixtures("raw_files")
@pytest.mark.parametrize("name", PUBLISHED)
def test_it_gives_the_numbers_that_its_authors_published(name):
    epsilon, published = PUBLISHED[name]
    table = ob.alternative_annotator_test(ob.load(name), epsilon).table
    for model, numbers in published.items():
        row = table.loc[model]
        assert (row["omega"].round(2), row["rho"].round(2)) == numbers
        assert row["passes"] == (numbers[0] >= 0.5)
    assert table["passes"].to_dict().get("always 4", False) == (name == "alt-prompts")


@pytest.fixture(scope="module")
def task():
    rng = np.random.default_rng(5)
    truth = rng.integers(1, 6, 80)
    frame = pd.DataFrame({"item": range(80)})
    for name, noise in [*zip(PEOPLE, (1, 2, 1, 3), strict=True), ("good", 1), ("bad", 3)]:
        frame[name] = np.clip(truth + rng.integers(-noise, noise + 1, 80), 1, 5).astype(float)
    for name in PEOPLE[1:]:
        frame.loc[rng.random(80) < 0.3, name] = np.nan
    frame.loc[20:, "Dee"] = np.nan  # fewer than 30 items
    rule = {"gold": "median", "ties": "lower", "classes": range(1, 6)}
    return from_ratings(frame, annotator=PEOPLE, runs=["good", "bad"], **rule)


@pytest.mark.parametrize("score", ["rmse", "accuracy"])
@pytest.mark.parametrize("epsilon", [0, 0.1, 0.2])
def test_runs_and_constants_equal_the_procedure_item_by_item(task, score, epsilon):
    people = task.annotators
    ratings = {name: {} for name in people.names}
    for item, person, rating in zip(people.item, people.annotator, people.rating, strict=True):
        ratings[people.names[person]][item] = int(rating)
    test = ob.alternative_annotator_test(task, epsilon, score)
    for run, predicted in zip(task.runs, task.predicted, strict=True):
        expected = by_hand(ratings, dict(enumerate(predicted)), epsilon, score)
        row = test.table.loc[run]
        assert (row["omega"], row["rho"]) == pytest.approx(expected, abs=1e-12)
        assert len(row["won"]) == pytest.approx(3 * row["omega"])
        own = test.people.loc[run]
        assert tuple(own.index[own["p"] <= 0.05]) == row["won"]
    with np.errstate(all="ignore"):
        constants = [
            by_hand(ratings, dict.fromkeys(range(80), place), epsilon, score) for place in range(5)
        ]
    best = max(range(5), key=lambda place: constants[place][1])
    row = test.table.loc[f"always {best + 1}"]
    assert (row["omega"], row["rho"]) == pytest.approx(constants[best], abs=1e-12)
    assert test.left_out == ("Dee",)


def test_equal_judges_tie_and_a_blind_judge_can_pass():
    """The judge equals each person, so that no difference varies; people who disagree lose."""
    same = {name: dict.fromkeys(range(30), 2) for name in PEOPLE}
    agreed = from_ratings(
        wide(same, {"same": dict.fromkeys(range(30), 2), "other": dict.fromkeys(range(30), 3)}),
        annotator=PEOPLE, gold="median", runs=["same", "other"], classes=range(1, 4),
    )  # fmt: skip
    table = ob.alternative_annotator_test(agreed).table
    assert table.loc[["same", "other"], "omega"].tolist() == [1, 0]
    assert table.loc[["same", "other"], "rho"].tolist() == [1, 0]
    assert table.loc["always 2", "won"] == tuple(PEOPLE)
    assert ob.alternative_annotator_test(agreed, epsilon=0).table.loc["same", "omega"] == 0
    rng = np.random.default_rng(1)
    noise = {name: dict(enumerate(rng.integers(1, 6, 100))) for name in PEOPLE}
    split = from_ratings(
        wide(noise, {"J": dict.fromkeys(range(100), 1)}),
        annotator=PEOPLE, gold="median", ties="lower", runs=["J"],
    )  # fmt: skip
    test = ob.alternative_annotator_test(split)
    assert test.table.loc["always 3", "passes"]
    assert not test.table.loc["J", "passes"]
    assert "always 3 has an average advantage of" in test.note


def test_draws_have_the_mean_of_judges_that_draw(task):
    """A drawn answer is as good as a person's as often as the constants are, by their shares."""
    test = ob.alternative_annotator_test(task, draws=400)
    again = ob.alternative_annotator_test(task, draws=400)
    pd.testing.assert_frame_equal(test.table, again.table)
    people = task.annotators
    shares = np.bincount(people.rating, minlength=5) / len(people.rating)
    constants = [
        replace(task, runs=("J",), unanswered={}, _predicted=np.full((1, 80), place))
        for place in range(5)
    ]
    each = [ob.alternative_annotator_test(x).table.loc["J", "rho"] for x in constants]
    assert test.table.loc[DRAWS, "rho"] == pytest.approx(shares @ each, abs=0.01)


def test_what_cannot_be_tested_is_refused(task):
    with pytest.raises(ValueError, match="labels by single people are not known"):
        ob.alternative_annotator_test(ob.load("fair-oc"))
    with pytest.raises(ValueError, match="a task of labels is needed, not one of shares, as fair"):
        ob.alternative_annotator_test(ob.load("fair-oq"))
    with pytest.raises(ValueError, match="nobody rated 100 items"):
        ob.alternative_annotator_test(task, least_items=100)
    with pytest.raises(ValueError, match="score: 'mae' is unknown; take 'rmse' or 'accuracy'"):
        ob.alternative_annotator_test(task, score="mae")
    with pytest.raises(ValueError, match="epsilon: 2 is not between 0 and 1"):
        ob.alternative_annotator_test(task, 2)


def test_weights_are_the_inverse_share_of_the_majority():
    votes = np.array([[2, 0], [2, 0], [0, 2], [1, 1]])
    assert _of_majorities(votes) == pytest.approx([8 / 5, 8 / 5, 8 / 3, 32 / 15], abs=1e-12)
    assert _of_majorities(votes[:, ::-1]) == pytest.approx(_of_majorities(votes), abs=1e-12)


def test_equal_weights_are_none_and_weights_cost_items():
    values = np.random.default_rng(0).normal(size=(3, 40))
    p = ttest_1samp(values, 0.1, axis=1, alternative="less").pvalue
    assert _below(0.1, values, np.full(40, 1 / 40)) == pytest.approx(p, abs=1e-12)
    twice = np.repeat([[0.5, 1.5]], 20, axis=0).T.ravel() / 40
    assert 1 / (twice @ twice) == pytest.approx(32, abs=1e-9)
    mean = values @ twice
    spread = (values - mean[:, None]) ** 2 @ twice * 32 / 31
    t = (mean - 0.1) / np.sqrt(spread / 32)
    assert _below(0.1, values, twice) == pytest.approx(student.cdf(t, 31), abs=1e-12)


def test_a_judge_that_reads_is_above_the_constant_and_no_constant_is():
    rng = np.random.default_rng(1)
    truth = rng.integers(1, 6, 200)
    own = rng.integers(1, 6, (len(PEOPLE), 200))
    seen = np.where(rng.random(own.shape) < 0.8, truth, own)
    ratings = dict(zip(PEOPLE, seen, strict=True))
    frame = pd.DataFrame({"item": range(200), **ratings, "reads": truth, "says 3": 3})
    task = from_ratings(
        frame, item="item", annotator=PEOPLE, runs=["reads", "says 3"], gold="median", ties="lower"
    )
    for weights in (None, "majority"):
        table = ob.alternative_annotator_test(task, weights=weights).table
        assert table.loc["reads", "above"] == 1
        assert table.drop(index="reads")["above"].eq(0).all()
