"""DBDC3's official scores: as committed, as recomputed, and what is drawn with them."""

import json
import shutil
from dataclasses import replace

import numpy as np
import pytest

import ordbook as ob
from cases import case
from ordbook.book import breakdown_scores
from ordbook.book.breakdown_scores import commit, official_scores, shown_answers
from ordbook.data.tasks import Provenance


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
    share = breakdown_scores.share

    def elsewhere(*parts):
        return tmp_path.joinpath(*parts[2:]) if parts[:2] == ("data", "scores") else share(*parts)

    monkeypatch.setattr(breakdown_scores, "share", elsewhere)
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


@pytest.mark.slow
def test_the_committed_scores_are_those_recomputed(present, copies):
    before = {path.name: path.read_bytes() for path in copies.iterdir()}
    assert official_scores(present).votes == {"CIC0259_12": [9, 6, 15]}
    assert commit().parent == copies
    assert {path.name: path.read_bytes() for path in copies.iterdir()} == before


@pytest.mark.slow
def test_other_scores_are_refused(present, copies):
    path = copies / "dbdc3-official.csv"
    path.write_text(path.read_text().replace("ours-turn,0.332,", "ours-turn,0.333,"))
    with pytest.raises(ValueError, match="recomputed from raw files differ"):
        official_scores(present)


@pytest.mark.slow
def test_scores_of_other_files_are_refused(absent, copies):
    path = copies / "dbdc3-official.json"
    about = json.loads(path.read_text())
    about["computed_from"]["data/runs/dbdc3/ours-turn.zip"] = 64 * "0"
    path.write_text(json.dumps(about))
    with pytest.raises(ValueError, match="of other files than dbdc3; run 'make scores'"):
        official_scores(absent)


DAMAGED = [
    ("csv", "0.332", "high", "every score must be a number"),
    ("csv", "0.332", "", "every score must be a number"),
    ("csv", "run,", "name,", "cannot be read"),
    ("json", '"gold"', '"silver"', "does not describe official scores"),
    ("json", "{", "", "cannot be read"),
]


def test_damaged_files_are_refused(absent, copies):
    for ending, old, new, message in DAMAGED:
        with case(ending, old, new, message):
            path = copies / f"dbdc3-official.{ending}"
            whole = path.read_text()
            path.write_text(whole.replace(old, new, 1))
            with pytest.raises(ValueError, match=message):
                official_scores(absent)
            path.write_text(whole)


def test_other_tasks_have_none():
    task = ob.QuantificationTask.from_arrays([[0.2, 0.3, 0.5]], {}, name="mine")
    with pytest.raises(ValueError, match="mine: official scores are committed for dbdc3 only"):
        official_scores(task)


def test_without_raw_files_the_papers_utterance_can_be_drawn(absent):
    runs = ["ours-prior", "ours-boosting"]
    topics, gold, answers = shown_answers(absent, runs, [absent.topics[0], "CIC0259_12"])
    assert topics == ["CIC0259_12"]
    assert gold.tolist() == [[0.3, 0.2, 0.5]]
    scores = ob.score(absent, ["NMD"])["NMD"].loc["CIC0259_12"]
    for run in runs:
        assert ob.nmd(gold[0], answers[run][0]) == pytest.approx(scores[run], abs=1e-12)
    assert shown_answers(absent, runs, [absent.topics[0]])[0] == []
    assert shown_answers(absent, ["BL-uniform", "ours-prior"], ["CIC0259_12"])[0] == []
    other = replace(absent, name="other", provenance=Provenance("yours"))
    assert shown_answers(other, runs, ["CIC0259_12"])[0] == []


@pytest.mark.slow
def test_with_raw_files_every_topic_can(present):
    topics = [present.topics[0], "CIC0259_12"]
    found, gold, answers = shown_answers(present, ["BL-uniform", "ours-prior"], topics)
    assert found == topics
    assert gold[1] == pytest.approx([0.3, 0.2, 0.5])
    assert answers["BL-uniform"] == pytest.approx(np.full((2, 3), 1 / 3))
