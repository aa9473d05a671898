"""The figures of SIGIR'18 show the numbers they are given; DBDC3's official scores are held."""

import json
import shutil

import numpy as np
import pandas as pd
import pytest

import ordbook as ob
from ordbook.chapters import sigir18
from ordbook.chapters.sigir18 import MEASURES, PAIRS, commit, official_scores, shown_answers
from ordbook.meta.deltas import quadrants
from ordbook.papers.montecarlo import Spread


def spreads(first=0.9):
    """Tau over draws: NMD and RSNOD at .8, what has no NMD above, all others below."""
    noise = np.linspace(-0.01, 0.01, 100)
    means = {sigir18.BOTH: 0.8, sigir18.NMD: 0.7}
    return {pair: Spread(means.get(sigir18.group(pair), first) + noise) for pair in PAIRS}


@pytest.fixture(scope="module")
def scores():
    rng = np.random.default_rng(3)
    gold = rng.dirichlet([1] * 3, 60)
    runs = {
        name: share * gold + (1 - share) * rng.dirichlet([1] * 3, 60)
        for name, share in {"bad": 0.1, "good": 0.7, "fair": 0.5}.items()
    }
    task = ob.QuantificationTask.from_arrays(gold, runs).with_baselines()
    return ob.score(task, list(MEASURES))


THREE = [("NVD", "RSNOD"), ("NMD", "RSNOD"), ("JSD", "NMD")]


@pytest.mark.parametrize(
    ("taus", "holds"),
    [((0.9, 0.8, 0.7), True), ((0.8, 0.9, 0.7), False), ((0.9, 0.7, 0.8), False)],
)
def test_the_order_of_the_groups(taus, holds):
    found = sigir18.trend({pair: [tau] for pair, tau in zip(THREE, taus, strict=True)})
    assert found.tolist() == [holds]


def test_the_order_is_judged_draw_by_draw():
    taus = dict(zip(THREE, ([0.9, 0.75], [0.8, 0.8], [0.7, 0.7]), strict=True))
    assert sigir18.trend(taus).tolist() == [True, False]


def test_tau_is_drawn_group_by_group_with_what_was_printed():
    printed = {3: {("JSD", "NMD"): (0.71, 0.70, 0.72)}}
    figure = sigir18.tau_over_seeds({3: spreads(0.6), 7: spreads()}, printed)
    axes, other = figure.axes
    names = [tick.get_text() for tick in axes.get_yticklabels()]
    groups = [sigir18.group(tuple(name.split(", "))) for name in names]
    assert groups == sorted(groups, key=list(sigir18.GROUPS).index), "by group, not by tau"
    (diamond,) = [line for line in axes.lines if line.get_gid() == "printed"]
    place = names.index("JSD, NMD")
    assert (list(diamond.get_xdata()), list(diamond.get_ydata())) == ([0.71], [place])
    assert [0.70, 0.72] in [list(line.get_xdata()) for line in axes.lines]
    assert not other.lines
    assert "SIMULATED" in figure.get_supxlabel()
    hatches = {body.get_hatch() for body in axes.collections}
    assert len(hatches) == 4, "no colour is the only sign"
    figure.canvas.draw()


def test_without_printed_values_the_legend_names_none():
    figure = sigir18.tau_over_seeds({3: spreads()})
    assert [text.get_text() for text in figure.legends[0].texts] == list(sigir18.GROUPS)


def test_the_share_of_draws_that_printed_intervals_hold():
    taus = {("NVD", "NMD"): [0.1, 0.2, 0.3, 0.4], ("JSD", "NMD"): [0.5, 0.5, 0.5, 0.9]}
    printed = {("NVD", "NMD"): (0.2, 0.2, 0.3), ("JSD", "NMD"): (0.5, 0.4, 0.9)}
    assert sigir18.inside(taus, printed) == (0.5 + 1) / 2


def test_printed_taus_lie_in_their_intervals():
    for found in sigir18.printed_taus().values():
        assert list(found) == list(PAIRS)
        assert all(low < tau < high for tau, low, high in found.values())


def test_cases_are_drawn_as_given():
    cases = {"(a)": ([1, 0, 0], [0, 1, 0]), "(b)": ([0.2, 0.2, 0.6], [0.6, 0.2, 0.2])}
    figure = sigir18.four_cases({**cases, "(c)": ([0, 1], [1, 0])})
    assert [axes.axison for axes in figure.axes] == [True, True, True, False]
    for axes, (name, (gold, estimate)) in zip(figure.axes, cases.items(), strict=False):
        assert axes.get_xlabel() == name
        assert [bar.get_height() for bar in axes.patches] == [*gold, *estimate]
    assert len(figure.legends) == 1


def test_a_near_and_a_far_error_are_drawn_with_their_scores():
    gold, estimates = [0.1, 0.2, 0.7], {"A": [0.1, 0.7, 0.2], "B": [0.7, 0.2, 0.1]}
    found = sigir18.near_and_far(gold, estimates)
    assert found.loc["A", "NMD"] == pytest.approx(ob.nmd(gold, estimates["A"]))
    assert found.loc["B", "NMD"] > found.loc["A", "NMD"]


def test_pairs_of_systems_leave_the_baselines_out(scores):
    found = sigir18.agreements(scores)
    assert len(found) == 3
    assert found.loc[("bad", "good"), ("NVD", "NMD")] == pytest.approx(
        ob.preference_agreement(scores, "bad", "good")["agreement"]["NVD", "NMD"]
    )
    assert (sigir18.power(scores) <= 3).all()


def test_the_enlarged_panel_holds_the_true_disagreements(scores):
    deltas = ob.score_deltas(scores, "good", "fair", oriented=True)
    left, right = sigir18.opposite(deltas, "NMD", "RSNOD").axes
    (points,) = [line for line in right.lines if line.get_gid() == "zoom"]
    true = ob.true_disagreements(scores, "fair", "good", "NMD", "RSNOD")
    drawn = {tuple(np.abs(point)) for point in zip(*points.get_data(), strict=True)}
    assert drawn == set(map(tuple, true[["NMD", "RSNOD"]].abs().to_numpy()))
    assert len(drawn) == quadrants(deltas, "NMD", "RSNOD").disagreements > 0
    assert sum(len(x.get_xdata()) for x in left.lines if x.get_gid() == "topics") == len(deltas)


def test_no_disagreement_can_be_drawn_too():
    deltas = pd.DataFrame({"x": [1.0, 2, 3, -1], "y": [1.0, 1, 2, -1]})
    figure = sigir18.opposite(deltas, "x", "y")
    assert figure.axes[1].texts[0].get_text() == "0 opposite, enlarged"
    figure.canvas.draw()


def test_answers_are_drawn_as_given():
    gold, estimates = [0.3, 0.2, 0.5], {"a": [0.2, 0.3, 0.5], "b": [0, 0, 1]}
    axes = sigir18.answers(gold, estimates, ["B", "PB", "NB"], "one")
    assert [bar.get_height() for bar in axes.patches] == gold
    assert [list(line.get_ydata()) for line in axes.lines] == list(estimates.values())
    assert len({line.get_marker() for line in axes.lines}) == 2


@pytest.fixture
def absent(monkeypatch, tmp_path):
    """The task without its raw files."""
    monkeypatch.setenv("ORDBOOK_MIRROR", "")
    monkeypatch.setenv("ORDBOOK_CACHE", str(tmp_path / "cache"))
    return ob.load("dbdc3")


@pytest.fixture
def present(raw_files, monkeypatch):
    monkeypatch.setenv("ORDBOOK_MIRROR", str(raw_files))
    return ob.load("dbdc3")


@pytest.fixture
def copies(root, tmp_path, monkeypatch):
    """Committed scores that may be spoilt."""
    for file in (root / "data" / "scores").glob("dbdc3-official.*"):
        shutil.copy(file, tmp_path)
    share = sigir18.share

    def elsewhere(*parts):
        return tmp_path.joinpath(*parts[2:]) if parts[:2] == ("data", "scores") else share(*parts)

    monkeypatch.setattr(sigir18, "share", elsewhere)
    return tmp_path


def test_every_run_has_scores_that_fit_those_by_topic(absent):
    found = official_scores(absent)
    scores = ob.score(absent, ["JSD", "RNSS"])
    assert tuple(found.table.index) == (*scores.runs, "always PB")
    assert found.table.shape == (13, 9)
    table = found.table.loc[list(scores.runs)]
    np.testing.assert_allclose(table["JSD(O,T,X)"], scores.means()["JSD"], rtol=0, atol=1e-12)
    squared = 2 / 3 * (scores["RNSS"] ** 2).mean()
    np.testing.assert_allclose(table["MSE(O,T,X)"], squared, rtol=0, atol=1e-12)
    assert table.loc["BL-popularity", "accuracy"] == 1
    assert found.gold.sum() == pytest.approx(1, abs=1e-12)


def test_the_committed_scores_are_those_recomputed(present, copies):
    before = {path.name: path.read_bytes() for path in copies.iterdir()}
    assert official_scores(present).votes == {"CIC0259_12": [9, 6, 15]}
    assert commit().parent == copies
    assert {path.name: path.read_bytes() for path in copies.iterdir()} == before


def test_other_scores_are_refused(present, copies):
    path = copies / "dbdc3-official.csv"
    path.write_text(path.read_text().replace("ours-turn,0.332,", "ours-turn,0.333,"))
    with pytest.raises(ValueError, match="recomputed from raw files differ"):
        official_scores(present)


def test_scores_of_other_files_are_refused(absent, copies):
    path = copies / "dbdc3-official.json"
    about = json.loads(path.read_text())
    about["computed_from"]["data/runs/dbdc3/ours-turn.zip"] = 64 * "0"
    path.write_text(json.dumps(about))
    with pytest.raises(ValueError, match="of other files than dbdc3; run 'make scores'"):
        official_scores(absent)


@pytest.mark.parametrize(
    ("ending", "old", "new", "message"),
    [
        ("csv", "0.332", "high", "every score must be a number"),
        ("csv", "0.332", "", "every score must be a number"),
        ("csv", "run,", "name,", "cannot be read"),
        ("json", '"gold"', '"silver"', "does not describe official scores"),
        ("json", "{", "", "cannot be read"),
    ],
)
def test_damaged_files_are_refused(absent, copies, ending, old, new, message):
    path = copies / f"dbdc3-official.{ending}"
    path.write_text(path.read_text().replace(old, new, 1))
    with pytest.raises(ValueError, match=message):
        official_scores(absent)


def test_the_papers_utterance_can_be_drawn_without_raw_files(absent):
    runs = ["ours-prior", "ours-boosting"]
    gold, answers = shown_answers(absent, runs)
    assert gold.tolist() == [0.3, 0.2, 0.5]
    found = ob.score(absent, ["NMD"])["NMD"].loc["CIC0259_12"]
    for run in runs:
        assert ob.nmd(gold, answers[run]) == pytest.approx(found[run], abs=1e-12)
