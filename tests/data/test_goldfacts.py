"""Facts about gold data that may not be passed on: right, committed, and held to the raw files."""

import json

import pytest

import ordbook as ob
from ordbook.data import goldfacts


@pytest.fixture(scope="module")
def task():
    """Two topics of four votes."""
    return ob.QuantificationTask.from_arrays([[2, 2, 0], [0, 1, 3]], {}, votes=True)


def test_one_vote_fewer_is_the_mean_over_the_votes_left_out(task):
    found = goldfacts.fewer_votes(task, ["NMD"])
    # Topic 1 becomes (1, 2, 0)/3 or (2, 1, 0)/3. Topic 2 becomes (0, 0, 1) once in four, else
    # (0, 1, 2)/3.
    third = [1 / 3] * 3
    first = (ob.nmd([1 / 3, 2 / 3, 0], third) + ob.nmd([2 / 3, 1 / 3, 0], third)) / 2
    second = 0.25 * ob.nmd([0, 0, 1], third) + 0.75 * ob.nmd([0, 1 / 3, 2 / 3], third)
    before = (ob.nmd([0.5, 0.5, 0], third) + ob.nmd([0, 0.25, 0.75], third)) / 2
    assert found["NMD BL-uniform"] == pytest.approx((first + second) / 2 - before)
    # Popularity: .5, .5 is 0 from two equal classes; with three votes it errs by a third.
    fewer = (1 / 6 + 0.75 * (1 / 6)) / 2
    assert found["NMD BL-popularity"] == pytest.approx(fewer - (0 + 1 / 8) / 2)


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


def test_facts_of_other_data_are_computed(task):
    assert goldfacts.gold_facts(task)["mean vote"] == pytest.approx((-0.5 + 0.75) / 2)
    uneven = ob.QuantificationTask.from_arrays([[2, 2], [0, 1]], {}, votes=True)
    with pytest.raises(ValueError, match="equally many for every topic"):
        goldfacts.gold_facts(uneven)


def test_facts_that_changed_or_are_of_another_file_are_refused(raw_files, tmp_path, monkeypatch):
    task = ob.load("stc3-dq-a")
    path = goldfacts.commit_facts(task, tmp_path)
    about = json.loads(path.read_text())
    monkeypatch.setattr(goldfacts, "share", lambda *names: path)
    path.write_text(json.dumps(about | {"facts": about["facts"] | {"mean vote": 0.0}}))
    with pytest.raises(ValueError, match="the facts recomputed from raw files differ"):
        goldfacts.gold_facts(task)
    path.write_text(json.dumps(about | {"computed_from": {"gold": "0" * 64}}))
    with pytest.raises(ValueError, match="of another gold file than stc3-dq-a"):
        goldfacts.gold_facts(task)
