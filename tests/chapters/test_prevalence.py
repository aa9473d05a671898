"""What share is good: the formulas against other forms of them, and what is committed."""

import numpy as np
import pandas as pd
import pytest

import prevalence as procedure
from ordbook.chapters import prevalence
from ordbook.data.loading import load


@pytest.fixture(scope="module")
def table():
    return prevalence.prevalence()


@pytest.fixture(scope="module")
def sampled(table):
    """Return labels by people and judge of 200 passages, and the judge's labels of all others."""
    people, judge = prevalence.answers(table, "willia-umbrela1")
    drawn = np.random.default_rng(0).permutation(len(people))
    labelled, others = drawn[:200], drawn[200:]
    counts = table.loc["willia-umbrela1", list(prevalence.CELLS)].to_numpy(int)
    cell = np.select([people * judge == 1, judge == 1, people == 1], [0, 1, 2], 3)
    sample = np.bincount(cell[labelled], minlength=4)
    return people[labelled], judge[labelled], judge[others], sample, counts - sample


def test_power_tuned_inference_is_the_formula_of_its_authors(sampled):
    """The mean of y - lambda f, plus lambda times the judge's mean elsewhere, lambda tuned."""
    people, judge, rest, *counts = sampled
    ratio = len(people) / len(rest)
    tuned = np.cov(people, judge)[0, 1] / judge.var(ddof=1) / (1 + ratio)
    share = np.mean(people - tuned * judge) + tuned * rest.mean()
    variance = np.var(people - tuned * judge, ddof=1) / len(people)
    variance += tuned**2 * rest.var() / len(rest)
    assert prevalence.powered(*counts) == pytest.approx((share, variance**0.5), abs=1e-12)


def test_adjusted_count_is_the_share_of_which_the_judge_would_say_what_it_says(sampled):
    people, judge, rest, *counts = sampled
    share, error = procedure.adjusted(*counts)
    hit, false = judge[people == 1].mean(), judge[people == 0].mean()
    assert share * hit + (1 - share) * false == pytest.approx(rest.mean(), abs=1e-12)
    many = [100 * cells for cells in counts]  # the error is that of the first order
    sizes = (100 * (people == 1).sum(), 100 * (people == 0).sum(), 100 * len(rest))
    rates = zip(sizes, (hit, false, rest.mean()), strict=True)
    rng = np.random.default_rng(1)
    hits, falses, said = (rng.binomial(size, rate, 100_000) / size for size, rate in rates)
    spread = np.std((said - falses) / (hits - falses))
    assert procedure.adjusted(*many)[1] == pytest.approx(spread, rel=0.02)
    assert procedure.adjusted(*many)[0] == pytest.approx(share)
    assert error == pytest.approx(10 * procedure.adjusted(*many)[1])


def test_a_perfect_judge_leaves_the_error_of_its_own_sample_alone():
    sample, rest = np.array([60, 0, 0, 140]), np.array([600, 0, 0, 1400])
    share, error = prevalence.powered(sample, rest)
    assert share == pytest.approx(0.3)
    assert error == pytest.approx((0.21 / 2200) ** 0.5, rel=0.01)
    assert procedure.adjusted(sample, rest)[0] == pytest.approx(0.3)


def test_a_label_is_worth_what_the_correlation_says(table):
    people, judge = prevalence.answers(table, "h2oloo-fewself")
    squared = np.corrcoef(people, judge)[0, 1] ** 2
    row = table.loc["h2oloo-fewself"]
    assert table["worth"].max() < 1 / 0.8, "no judge saves a fifth of the labels"
    assert table["naive"].mean() < 0.5
    assert row["worth"] == pytest.approx(1 / (1 - squared), rel=1e-9)
    assert (row["share"], row["good"]) == pytest.approx((judge.mean(), people.mean()), rel=1e-9)


@pytest.mark.parametrize("judge", ["RMITIR-llama70B", "willia-umbrela3"])
def test_committed_coverage_is_recomputed_from_committed_counts(table, judge):
    again = procedure.simulated(table.loc[judge, list(prevalence.CELLS)].to_numpy(int))
    assert table.loc[judge, list(again)].to_dict() == pytest.approx(again, abs=0.001)


def test_committed_counts_are_those_of_the_labels(raw_files, table):
    task = load(procedure.SET)
    good = task.gold >= 2
    for judge, predicted in zip(task.runs, task.predicted, strict=True):
        says = predicted >= 2
        cells = [good & says, ~good & says, good & ~says, ~good & ~says]
        assert table.loc[judge, list(prevalence.CELLS)].tolist() == [cell.sum() for cell in cells]


@pytest.mark.slow
def test_committed_coverage_by_queries_is_recomputed(raw_files, table):
    again = procedure.compute_prevalence().set_index("run")
    pd.testing.assert_frame_equal(again, table[list(again)], atol=1e-5)
