"""Curves by the number of topics: the extrapolation against simulation, what is drawn."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

import ordbook as ob
from ordbook.book import designs
from ordbook.data.scores import ScoreMatrix
from ordbook.data.tasks import Provenance
from ordbook.meta.design import extrapolate, subsample, topic_set_size


@pytest.fixture(autouse=True)
def _closes_figures():
    yield
    plt.close("all")


def matrix(values, better="low"):
    values = np.asarray(values, dtype=float)
    names = tuple(f"m{k}" for k in range(len(values)))
    topics = tuple(map(str, range(values.shape[1])))
    runs = tuple(f"r{k}" for k in range(values.shape[2]))
    directions = dict.fromkeys(names, better)
    return ScoreMatrix("toy", values, names, topics, runs, directions, Provenance("yours"))


def draw(rng, topics, effects, root):
    """Scores with topic effects and residuals of covariance root root'."""
    noise = rng.standard_normal((topics, len(effects))) @ root.T
    return effects + noise + rng.standard_normal((topics, 1))


@pytest.fixture
def scores():
    rng = np.random.default_rng(4)
    values = [draw(rng, 40, np.linspace(0, 1, 6), scale * np.eye(6)) for scale in (0.5, 2.0)]
    return matrix(values)


# -- what can be designed ----------------------------------------------------------------------


def test_too_few_runs_or_topics_are_said(scores):
    assert designs.unfit(scores) == ""
    assert "2 runs and 40 topics" in designs.unfit(matrix(scores.values[:, :, :2]))
    assert "6 runs and 7 topics" in designs.unfit(matrix(scores.values[:, :7]))


def test_measures_without_differences_are_left_out(scores):
    equal = np.repeat(scores.values[:1, :, :1], 6, axis=2)
    shifted = scores.values[:1, :, :1] + np.arange(6.0)
    some = matrix(np.concatenate([equal, scores.values[:1], shifted]))
    assert designs.with_differences(some).measures == ("m1",)
    assert "all runs are equal" in designs.unfit(matrix(np.concatenate([equal, shifted])))


@pytest.mark.parametrize("most", [2, 4, 9, 10, 50, 390])
def test_sizes_grow_to_the_last(most):
    within = designs.sizes_within(most)
    assert within == sorted(set(within))
    assert within[-1] == most
    assert within[0] >= 2
    beyond = designs.sizes_beyond(most)
    assert (beyond[0], beyond[-1]) == (most, 4 * most)
    assert len(set(beyond)) == len(beyond)


# -- consistency -------------------------------------------------------------------------------


def test_observed_consistency_is_that_of_the_engine(scores):
    found = designs.consistency_within(scores, [5, 20], splits=50, seed=3)
    for size in (5, 20):
        tau = ob.ranking_consistency(scores, size, 50, 3).tau
        rows = found[found["topics"] == size].set_index("measure")
        assert rows["mean"].to_dict() == pytest.approx(tau.mean().to_dict())
        assert rows["low"].to_dict() == pytest.approx(tau.quantile(0.025).to_dict())


def test_a_pair_adds_four_phi_minus_three():
    """Two of three runs are copies: that pair is tied for ever, the others are surely ordered."""
    rng = np.random.default_rng(0)
    first = rng.standard_normal((60, 1))
    values = np.concatenate([first, first, first + 9 + 0.1 * rng.standard_normal((60, 1))], 1)
    found = designs.consistency_beyond(matrix(values[None]), [30], draws=200)
    assert found["mean"].item() == pytest.approx(2 / 3)
    assert found[["low", "high"]].to_numpy() == pytest.approx(2 / 3)


@pytest.mark.parametrize("correlated", [False, True])
def test_what_is_forecast_comes_true(correlated):
    """Extrapolate from 40 topics to 120 in each sample; draw the 240 topics; many times."""
    rng = np.random.default_rng(11)
    runs, inside, errors = 8, [], []
    root = 0.8 * np.eye(runs)
    if correlated:  # runs err alike in pairs: few topics put the two of a pair in order
        root[1::2, ::2] = np.eye(runs // 2)
        root[::2, ::2] = np.eye(runs // 2)
        root[1::2, 1::2] *= 0.2
    for repeat in range(60):
        effects = 0.3 * rng.standard_normal(runs)
        seen = matrix(draw(rng, 40, effects, root)[None])
        new = matrix(draw(rng, 240, effects, root)[None])
        forecast = designs.consistency_beyond(seen, [120], draws=400, seed=repeat).iloc[0]
        truth = ob.ranking_consistency(new, None, 200, repeat).mean.item()
        inside.append(forecast["low"] - 0.02 <= truth <= forecast["high"] + 0.02)
        errors.append(forecast["mean"] - truth)
    assert np.mean(inside) >= 0.85, "of bands that promise 95%, 60 times"
    assert abs(np.mean(errors)) < 0.03, "no bias to speak of"


def test_the_same_seed_gives_the_same_forecast(scores):
    one, two = (designs.consistency_beyond(scores, [20, 80], draws=50, seed=7) for _ in "ab")
    pd.testing.assert_frame_equal(one, two)
    assert (one["low"] <= one["mean"]).all()
    assert (one["mean"] <= one["high"]).all()


def test_halves_are_held_against_all_topics(scores):
    found = designs.held_out(scores, repeats=5, draws=50)
    assert list(found.index.get_level_values("statistic").unique()) == ["consistency", "power"]
    whole = ob.ranking_consistency(scores, 20).mean
    assert found.loc["consistency", "truth"].to_dict() == pytest.approx(whole.to_dict())
    power = subsample(scores, [40], "power", repeats=1).set_index("measure")["mean"]
    assert found.loc["power", "truth"].to_dict() == pytest.approx(power.to_dict())
    assert found["inside"].between(0, 1).all()


# -- intervals ---------------------------------------------------------------------------------


def test_four_ways_to_an_interval(scores):
    found = designs.tau_ways(scores, "m0", "m1", resamples=200)
    x, y = -scores.values.mean(axis=1)
    assert found["tau"].tolist() == pytest.approx([ob.kendall_tau(x, y)] * 4)
    assert found.loc["runs, Fieller", ["low", "high"]].tolist() == pytest.approx(
        list(ob.kendall_interval(x, y))
    )
    assert (found["low"] <= found["high"]).all()


def test_directions_are_minded(scores):
    up = matrix(scores.values[:1], "high")
    both = ScoreMatrix(
        "toy",
        np.concatenate([up.values, -up.values]),
        ("up", "down"),
        up.topics,
        up.runs,
        {"up": "high", "down": "low"},
        Provenance("yours"),
    )
    assert (designs.tau_ways(both, "up", "down", 100)["tau"] == 1).all()


def test_too_few_runs_have_no_fieller_interval(scores):
    found = designs.tau_ways(matrix(scores.values[:, :, :4]), "m0", "m1", resamples=100)
    assert found.loc["runs, Fieller", ["low", "high"]].isna().all()
    assert found.loc["topics, bootstrap"].notna().all()


# -- figures -----------------------------------------------------------------------------------


def test_a_panel_holds_its_measures_curves(scores):
    within = designs.consistency_within(scores, [5, 20], splits=20)
    beyond = designs.consistency_beyond(scores, [20, 80], draws=50)
    points = {"m0": (0.5, 0.4, 0.7)}
    figure = designs.curves(within, beyond, "mean tau", points)
    assert [axes.get_title(loc="left") for axes in figure.axes] == ["m0", "m1"]
    for axes, measure in zip(figure.axes, ("m0", "m1"), strict=True):
        new, seen = axes.lines[:2]
        of = within[within["measure"] == measure]
        assert seen.get_xydata().tolist() == of[["topics", "mean"]].to_numpy().tolist()
        of = beyond[beyond["measure"] == measure]
        assert new.get_xydata().tolist() == of[["topics", "mean"]].to_numpy().tolist()
        band = axes.collections[0].get_paths()[0].vertices[:, 1]
        assert (band.min(), band.max()) == pytest.approx((of["low"].min(), of["high"].max()))
    assert len(figure.axes[0].containers) == 1
    assert not figure.axes[1].containers
    figure.canvas.draw()


def test_one_measure_has_one_panel(scores):
    one = scores.select(["m1"])
    within = subsample(one, [5, 40], "power", repeats=5)
    figure = designs.curves(within, extrapolate(one, [40, 80], draws=20), "share")
    assert len(figure.axes) == 1


def test_power_crosses_the_line_at_the_topics_needed(scores):
    design = topic_set_size(scores, 0.5)
    axes = designs.power_curves(design, len(scores.runs))
    for line, (measure, row) in zip(axes.lines, design.iterrows(), strict=False):
        assert line.get_label() == f"{measure}: {int(row['topics'])}"
        sizes, values = line.get_data()
        assert (values[sizes >= row["topics"]] >= 0.8).all()
        assert (values[sizes < row["topics"]] < 0.8).all()
    axes.figure.canvas.draw()


def test_intervals_are_as_long_as_said():
    frame = pd.DataFrame(
        {"tau": [0.5, 0.2], "low": [0.1, np.nan], "high": [0.8, np.nan]}, index=["a", "b"]
    )
    axes = designs.tau_intervals(frame)
    assert list(axes.lines[0].get_xdata()) == [0.1, 0.8]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["a", "b"]
    drawn = [line for line in axes.lines if line.get_marker() == "D"]
    assert [line.get_xdata()[0] for line in drawn] == [0.5, 0.2]
