"""Facts about gold data that may not be passed on: right, committed, and held to the raw files."""

import shutil

import pytest

import ordbook as ob
from ordbook.papers import dialeval1, facts, sigir18


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


def test_facts_need_equally_many_votes():
    uneven = ob.QuantificationTask.from_arrays([[2, 2], [0, 1]], {}, votes=True)
    with pytest.raises(ValueError, match="equally many for every topic"):
        dialeval1.fewer_votes(uneven, ["NMD"])


@pytest.fixture(scope="module")
def every_one(raw_files):
    """All facts, whose raw files take seconds to read."""
    return [*map(dialeval1.gold_facts, dialeval1.FACTS_OF), sigir18.official()]


@pytest.fixture
def copies(root, tmp_path, monkeypatch, every_one):
    """Committed facts that may be spoilt."""
    for about in every_one:
        shutil.copy(root / "data" / "scores" / f"{about.file}.json", tmp_path)
    monkeypatch.setattr(facts, "share", lambda *names: tmp_path.joinpath(*names[2:]))
    return tmp_path


@pytest.mark.slow
def test_committed_facts_are_those_recomputed(copies, every_one):
    before = {path.name: path.read_bytes() for path in copies.iterdir()}
    for about in every_one:
        about.read()
        about.commit()
    assert {path.name: path.read_bytes() for path in copies.iterdir()} == before


SPOILT = [
    ("stc3-dq-a-gold.json", '"deviation": ', '"deviation": 1', "facts recomputed from raw files"),
    ("dbdc3-official.json", '"accuracy": 0.332', '"accuracy": 0.333', "recomputed from raw files"),
    ("dbdc3-official.json", "73622979", "0", "of other files than dbdc3; run 'make scores'"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("file", "old", "new", "message"), SPOILT)
def test_facts_that_changed_or_are_of_other_files_are_refused(
    file, old, new, message, copies, every_one
):
    text = (copies / file).read_text()
    assert text.count(old) == 1
    (copies / file).write_text(text.replace(old, new))
    with pytest.raises(ValueError, match=message):
        next(about for about in every_one if file.startswith(about.file)).read()
