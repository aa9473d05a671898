"""Facts about gold data that may not be passed on: right, committed, and held to the raw files."""

import json

import numpy as np
import pytest

import ordbook as ob
from ordbook.data import goldfacts
from ordbook.data.catalog import catalog
from ordbook.data.scoring import commit
from ordbook.files import share

NMD = ["NMD"]


@pytest.fixture(scope="module")
def task():
    """Two topics of four votes."""
    return ob.QuantificationTask.from_arrays([[2, 2, 0], [0, 1, 3]], {}, votes=True)


def test_one_vote_fewer_is_the_mean_over_the_votes_left_out(task):
    found = goldfacts.fewer_votes(task, 4, NMD)
    # Topic 1 becomes (1, 2, 0)/3 or (2, 1, 0)/3. Topic 2 becomes (0, 0, 1) once in four, else
    # (0, 1, 2)/3.
    third = [1 / 3] * 3
    expected = np.mean(
        [
            (ob.nmd(np.array([1, 2, 0]) / 3, third) + ob.nmd(np.array([2, 1, 0]) / 3, third)) / 2,
            0.25 * ob.nmd([0, 0, 1], third) + 0.75 * ob.nmd(np.array([0, 1, 2]) / 3, third),
        ]
    )
    assert found.loc[("NMD", "BL-uniform"), "one fewer"] == pytest.approx(expected)
    # Popularity: .5, .5 is 0 from two equal classes; with three votes it errs by a third.
    assert found.loc[("NMD", "BL-popularity"), "all votes"] == pytest.approx((0 + 1 / 8) / 2)
    one_fewer = (1 / 6 + 0.75 * (1 / 6)) / 2
    assert found.loc[("NMD", "BL-popularity"), "one fewer"] == pytest.approx(one_fewer)
    change = found["one fewer"] - found["all votes"]
    assert (found["change"] - change).abs().max() < 1e-15


def test_gold_that_was_not_voted_so_is_refused(task):
    with pytest.raises(ValueError, match="gold is not made of 5 votes a topic"):
        goldfacts.fewer_votes(task, 5, NMD)


@pytest.mark.slow
@pytest.mark.parametrize("name", goldfacts.NAMES)
def test_facts_are_the_same_with_and_without_raw_files(name, raw_files, monkeypatch):
    with_files = goldfacts.gold_facts(ob.load(name))
    monkeypatch.delenv("ORDBOOK_MIRROR")
    task = ob.load(name)
    if not task.missing:
        pytest.skip("the raw files are here without ORDBOOK_MIRROR")
    without = goldfacts.gold_facts(task)
    assert without.keys() == with_files.keys()
    for fact, value in without.items():
        assert abs(value - with_files[fact]) <= goldfacts.SAME_FACT


def test_facts_are_here_without_raw_files(no_raw_files):
    facts = goldfacts.gold_facts(ob.load("stc3-nd"))
    assert facts["customer turns"] > facts["helpdesk turns"], "the customer opens"


def test_facts_of_other_data_are_computed(task):
    assert goldfacts.gold_facts(task)["mean vote"] == pytest.approx((-0.5 + 0.75) / 2)
    uneven = ob.QuantificationTask.from_arrays([[2, 2], [0, 1]], {}, votes=True)
    with pytest.raises(ValueError, match="equally many for every topic"):
        goldfacts.gold_facts(uneven)


def test_facts_that_changed_or_are_of_another_file_are_refused(raw_files, tmp_path, monkeypatch):
    task = ob.load("stc3-dq-a")
    path = goldfacts.commit_facts(task, tmp_path)
    assert path.read_text() == share("data", "scores", path.name).read_text() or np.allclose(
        list(json.loads(path.read_text())["facts"].values()),
        list(goldfacts.gold_facts(task).values()),
        rtol=0,
        atol=goldfacts.SAME_FACT,
    )
    about = json.loads(path.read_text())
    monkeypatch.setattr(goldfacts, "share", lambda *names: path)
    path.write_text(json.dumps(about | {"facts": about["facts"] | {"mean vote": 0.0}}))
    with pytest.raises(ValueError, match="the facts recomputed from raw files differ"):
        goldfacts.gold_facts(task)
    path.write_text(json.dumps(about | {"computed_from": {"gold": "0" * 64}}))
    with pytest.raises(ValueError, match="of another gold file than stc3-dq-a"):
        goldfacts.gold_facts(task)


def test_committing_scores_writes_the_facts_too(raw_files, tmp_path, monkeypatch):
    monkeypatch.setattr("ordbook.data.scoring.share", lambda *_: tmp_path)
    monkeypatch.setattr("ordbook.data.scoring.catalog", lambda: {"n": catalog()["stc3-nd"]})
    commit()
    names = {"stc3-nd", "stc3-nd-customer", "stc3-nd-helpdesk", "stc3-nd-gold"}
    assert {path.stem for path in tmp_path.glob("*.json")} == names
