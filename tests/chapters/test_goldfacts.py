"""Facts about gold data that may not be passed on: right, committed, and held to the raw files."""

import json

import pytest

import ordbook as ob
from ordbook.chapters import dialeval1


@pytest.fixture(scope="module")
def task():
    """Two topics of four votes."""
    return ob.QuantificationTask.from_arrays([[2, 2, 0], [0, 1, 3]], {}, votes=True)


def test_one_vote_fewer_is_the_mean_over_the_votes_left_out(task):
    found = dialeval1.fewer_votes(task, ["NMD"])
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
@pytest.mark.parametrize("name", dialeval1.FACTS_OF)
def test_facts_are_the_same_with_and_without_raw_files(name, raw_files, monkeypatch):
    with_files = dialeval1.gold_facts(name)
    monkeypatch.delenv("ORDBOOK_MIRROR")
    if not ob.load(name).missing:
        pytest.skip("the raw files are here without ORDBOOK_MIRROR")
    without = dialeval1.gold_facts(name)
    assert without.keys() == with_files.keys()
    for fact, value in without.items():
        assert abs(value - with_files[fact]) <= dialeval1.SAME_FACT


def test_facts_need_equally_many_votes():
    uneven = ob.QuantificationTask.from_arrays([[2, 2], [0, 1]], {}, votes=True)
    with pytest.raises(ValueError, match="equally many for every topic"):
        dialeval1.fewer_votes(uneven, ["NMD"])


def test_facts_that_changed_or_are_of_another_file_are_refused(raw_files, tmp_path, monkeypatch):
    path = tmp_path / "stc3-dq-a-gold.json"
    about = json.loads(dialeval1.share("data", "scores", path.name).read_text())
    monkeypatch.setattr(dialeval1, "share", lambda *names: path)
    path.write_text(json.dumps(about | {"facts": about["facts"] | {"mean vote": 0.0}}))
    with pytest.raises(ValueError, match="the facts recomputed from raw files differ"):
        dialeval1.gold_facts("stc3-dq-a")
    path.write_text(json.dumps(about | {"computed_from": {"gold": "0" * 64}}))
    with pytest.raises(ValueError, match="of another gold file than stc3-dq-a"):
        dialeval1.gold_facts("stc3-dq-a")
