"""Score matrices: computed, saved, loaded, and held to the committed ones."""

import json
import lzma
from dataclasses import replace

import numpy as np
import pytest

import ordbook as ob
from ordbook.data.catalog import catalog
from ordbook.data.scores import TIE_TOLERANCE, committed_scores, load_scores
from ordbook.data.scoring import (
    NUGGET_MEASURES,
    _require_same,
    _signs,
    compute,
    score,
)
from ordbook.measures import QUANTIFICATION, custom_measure
from ordbook.measures.registry import by_default

COMMITTED = [dataset.name for dataset in catalog().values() if dataset.files and dataset.runs]
# All of them, of which people wait for two.
SOME = [
    name if name in ("sem16t4e", "stc3-dq-a") else pytest.param(name, marks=pytest.mark.slow)
    for name in COMMITTED
]


BETTER = {name: measure.better for name, measure in QUANTIFICATION.items()}


@pytest.fixture
def scores():
    gold = [[0.5, 0.5, 0], [0, 0.25, 0.75], [1, 0, 0]]
    runs = {'r,"1"': [[1 / 3] * 3] * 3, "r2": gold}
    task = ob.QuantificationTask.from_arrays(gold, runs, topics=["a b", "01", "1"], name="toy")
    return ob.score(task)


def test_scores_are_those_of_the_measures(scores):
    assert scores.measures == tuple(QUANTIFICATION)
    assert scores["NMD"].loc["a b", 'r,"1"'] == ob.nmd([0.5, 0.5, 0], [1 / 3] * 3)
    assert (scores["RNOD"]["r2"] == 0).all()
    assert scores.means().loc['r,"1"', "NVD"] == pytest.approx(
        np.mean([1 / 3, 5 / 12, 2 / 3]), abs=1e-15
    )
    assert scores.source == "yours"


def test_saving_loses_nothing_packed_or_not(scores, tmp_path):
    """And gives the same bytes each time."""
    values = scores.values.copy()
    values.flat[:6] = [5e-324, 1 - 2**-53, 0.1 + 0.2, -0.0, 999999999999999.9, 1e15]
    scores = replace(scores, values=values)
    for name in ("one.csv", "two.csv", "e.csv.xz", "f.csv.xz"):
        scores.save(tmp_path / name)
        again = load_scores(tmp_path / name)
        assert again.values.tobytes() == values.tobytes()
        for field in ("task", "measures", "topics", "runs", "better", "provenance"):
            assert getattr(again, field) == getattr(scores, field), field
        assert again.references.equals(scores.references)
    assert len({path.read_bytes() for path in tmp_path.glob("*.json")}) == 1
    table = (tmp_path / "one.csv").read_bytes()
    for ending, unpack in ((".csv", bytes), (".xz", lzma.decompress)):
        (content,) = {path.read_bytes() for path in tmp_path.glob(f"*{ending}")}
        assert unpack(content) == table


SPOILT = [
    (lambda csv, about: (csv.replace("0.0\n", "0.5\n", 1), about), "sha256 differs"),
    (lambda csv, about: (csv, about | {"better": {"XY": "low"}}), "better= names the measure 'XY'"),
    (lambda csv, about: (csv, about | {"source": "heard"}), "in format 1"),
]


@pytest.mark.parametrize(("spoil", "message"), SPOILT)
def test_a_spoilt_file_is_refused(spoil, message, scores, tmp_path):
    path = tmp_path / "s.csv"
    scores.save(path)
    about = json.loads(path.with_suffix(".json").read_text())
    text, about = spoil(path.read_text(), about)
    path.write_text(text)
    path.with_suffix(".json").write_text(json.dumps(about))
    with pytest.raises(ValueError, match=message):
        load_scores(path)


def test_damaged_files_and_other_names_are_refused(scores, tmp_path):
    packed = tmp_path / "s.csv.xz"
    scores.save(packed)
    packed.write_bytes(packed.read_bytes()[:-9])
    with pytest.raises(ValueError, match=r"s\.csv\.xz: a packed file that is cut short"):
        load_scores(packed)
    with pytest.raises(ValueError, match=r"none\.json: this file, .* is not there"):
        load_scores(tmp_path / "none.csv")
    with pytest.raises(ValueError, match=r"let the name end in \.csv"):
        scores.save(tmp_path / "x.json")


def test_a_choice_of_measures(scores):
    task = ob.QuantificationTask.from_arrays([[0.5, 0.5]], {"a": [[1, 0]]})
    assert score(task, ["RNOD", "NMD"]).measures == ("RNOD", "NMD")
    assert score(task, "RNOD").measures == ("RNOD",)
    assert scores.select(["JSD", "NMD"]).measures == ("JSD", "NMD")
    for wrong, message in (
        (["RNOT"], "'RNOT' is not a measure for quantification; choose from NMD"),
        (["kappa"], "'kappa' is not a measure for quantification"),
        ([], "at least one"),
        (["NMD", "NMD"], "each measure once"),
    ):
        with pytest.raises(ValueError, match=message):
            score(task, wrong)
    with pytest.raises(ValueError, match="no measure 'kappa' in these scores"):
        scores["kappa"]


def test_a_task_without_runs_cannot_be_scored():
    task = ob.QuantificationTask.from_arrays([[0.5, 0.5]], {})
    with pytest.raises(ValueError, match=r"there are no runs to score; task\.with_baselines"):
        score(task)
    assert score(task.with_baselines()).runs == ("BL-uniform", "BL-popularity")
    with pytest.raises(ValueError, match="there are no runs to score$"):
        score(ob.ClassificationTask.from_labels([0, 1], {}, ["t", "t"], [0, 1]))


@pytest.mark.parametrize("name", SOME)
def test_without_raw_files_the_committed_scores_are_given(name, no_raw_files):
    scores = score(ob.load(name))
    assert scores.source == "committed"
    dataset = catalog()[name]
    assert scores.values.shape == (len(scores.measures), dataset.topics, dataset.runs)
    ours = {f"data/runs/{file}": checksum for file, checksum in dataset.ours.items()}
    assert dict(scores.provenance.files) == {**dataset.files, **ours}
    last = scores.measures[-1]
    assert (score(ob.load(name), [last]).values[0] == scores.values[-1]).all()


@pytest.mark.parametrize("name", SOME)
def test_committed_scores_come_from_the_raw_files(name, raw_files, tmp_path):
    """Same bytes twice on one machine; within 1e-12 of the committed, with the same ties."""
    task = ob.load(name)
    assert task.provenance.source == "raw"
    by_kind = {"classification": by_default("classification"), "nuggets": NUGGET_MEASURES}
    measures = by_kind.get(catalog()[name].kind, QUANTIFICATION)
    for file in ("one.csv", "two.csv"):
        compute(ob.load(name), measures).save(tmp_path / file)
    assert (tmp_path / "one.csv").read_bytes() == (tmp_path / "two.csv").read_bytes()
    again, committed = load_scores(tmp_path / "one.csv"), committed_scores(name)
    assert again.measures == committed.measures == tuple(measures)
    assert (again.topics, again.runs) == (committed.topics, committed.runs)
    assert again.provenance.files == committed.provenance.files
    # Floating point differs in the last bits between machines.
    assert np.abs(again.values - committed.values).max() <= TIE_TOLERANCE
    assert (_signs(again.values) == _signs(committed.values)).all()
    assert ((again.references - committed.references).abs() <= TIE_TOLERANCE).all(axis=None)
    assert score(task).source == "raw"


def test_recomputed_scores_must_equal_the_committed_ones(raw_files, monkeypatch):
    """Canary: a measure that changed by a millionth is noticed, and named."""
    changed = {
        "NMD": QUANTIFICATION["NMD"],
        "RNSS": replace(
            QUANTIFICATION["RNSS"],
            kernel=lambda gold, estimate: QUANTIFICATION["RNSS"].kernel(gold, estimate) + 1e-6,
        ),
    }
    monkeypatch.setattr("ordbook.data.scoring.MEASURES", {"quantification": changed})
    task = ob.load("sem16t4e")
    for each in (task, task.with_baselines()):  # whose scores are not committed
        with pytest.raises(ValueError, match="differ from .* in 1200 places: first RNSS of"):
            score(each, ["NMD", "RNSS"])
    assert score(task.with_baselines(), ["NMD"]).values.shape == (1, 100, 14)


def test_recomputed_scores_must_have_the_ties_of_the_committed_ones():
    """Within 1e-12 of each other is not enough: a tie that breaks moves rankings."""
    committed = committed_scores("sem16t4e").select(["NMD"])
    tied = np.full_like(committed.values, 0.5)
    nearly = tied.copy()
    nearly[0, 3, 0] += 0.9e-12
    nearly[0, 3, 1] -= 0.9e-12
    _require_same(replace(committed, values=tied), replace(committed, values=tied))
    with pytest.raises(ValueError, match="differ from data/scores in .* places: first NMD of"):
        _require_same(replace(committed, values=nearly), replace(committed, values=tied))


@pytest.mark.slow
def test_pooled_scores_are_those_of_all_items_together(raw_files):
    task = ob.load("sem16t4c")
    pooled = score(task, aggregate="pooled")
    assert (pooled.topics, pooled.runs) == (("pooled",), task.runs)
    for measure in by_default("classification").values():
        for index, run in enumerate(task.runs):
            labels = task.gold, task.predicted[index]
            expected = measure(*labels, labels=range(5))
            assert pooled[measure.name].loc["pooled", run] == pytest.approx(expected, abs=1e-12)


def test_pooled_scores_are_committed_too(no_raw_files):
    pooled = score(ob.load("sem16t4c"), ["MAE_M"], aggregate="pooled")
    assert pooled.source == "committed"
    assert pooled.values.shape == (1, 1, 12)


def test_what_cannot_be_pooled_is_refused():
    task = ob.QuantificationTask.from_arrays([[0.5, 0.5]], {"a": [[1, 0]]})
    with pytest.raises(ValueError, match="a task of distributions has no items to pool"):
        score(task, aggregate="pooled")
    with pytest.raises(ValueError, match="aggregate must be 'topic' or 'pooled', not 'mean'"):
        score(task, aggregate="mean")
    with pytest.raises(ValueError, match=r"^a task is needed, not a ndarray: ordbook\.load"):
        score(np.eye(2))


def test_a_json_file_of_somebody_else_is_not_replaced(scores, tmp_path):
    (tmp_path / "results.json").write_text('{"mine": true}')
    with pytest.raises(ValueError, match="results.json: this does not describe a score matrix"):
        scores.save(tmp_path / "results.csv")
    assert (tmp_path / "results.json").read_text() == '{"mine": true}'
    assert not (tmp_path / "results.csv").exists()


NO_NUMBER = np.zeros((len(BETTER), 3, 2))
NO_NUMBER[0, 1, 0] = np.nan
BAD_MATRICES = [
    ({"runs": ("r", "r")}, "run 'r' occurs twice"),
    ({"better": {"NMD": "low"}}, "better= must say of each measure, and no other"),
    ({"better": {**BETTER, "RNOD": "Low"}}, "and no other, 'low' or 'high'"),
    ({"values": NO_NUMBER[:, 1:]}, r"scores have shape \(\d+, 2, 2\), the names \(\d+, 3, 2\)"),
    ({"values": NO_NUMBER}, "NMD of run 'r,\"1\"' on topic '01' is no number"),
    ({"values": NO_NUMBER.astype(str)}, "toy: scores must be numbers, not"),
]


@pytest.mark.parametrize(("change", "message"), BAD_MATRICES)
def test_a_matrix_with_bad_names_or_numbers_is_refused(change, message, scores):
    with pytest.raises(ValueError, match=message):
        replace(scores, **change)


def test_a_measure_of_your_own_is_scored_beside_the_others():
    def squares(gold, estimate):
        return ((estimate - gold) ** 2).sum(axis=-1)

    mine = custom_measure("mine", squares, better="low", kind="quantification")
    task = ob.QuantificationTask.from_arrays([[0.5, 0.5], [0, 1]], {"a": [[1, 0], [0, 1]]})
    scores = score(task, ["NMD", mine])
    assert scores.measures == ("NMD", "mine")
    assert scores["mine"]["a"].tolist() == [0.5, 0]
    assert scores.better["mine"] == "low"
    assert ob.ranking_similarity(score(task.with_baselines(), ["NVD", mine])).runs == 3
    labels = ob.ClassificationTask.from_labels([0, 1], {"a": [0, 1]}, ["t", "t"], [0, 1])
    with pytest.raises(ValueError, match="'mine' is not a measure for classification"):
        score(labels, [mine])
    with pytest.raises(ValueError, match="each measure once"):
        score(task, [mine, mine])
