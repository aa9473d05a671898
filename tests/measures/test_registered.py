"""A measure of your own, registered: it goes through every analysis like a built-in one."""

import numpy as np
import pytest

import ordbook as ob
from ordbook.cli import main
from ordbook.data.catalog import RawDataMissing
from ordbook.measures import QUANTIFICATION, custom_measure, register
from ordbook.reports.page import page

FILE = """
import numpy as np
from ordbook.measures import custom_measure, register


def chebyshev(gold, estimate):
    return np.abs(gold - estimate).max(axis=-1)


CHEBYSHEV = register(custom_measure("Chebyshev", chebyshev, better="low", bounds=(0, 1)))
"""


@pytest.fixture
def chebyshev(tmp_path, forgotten):
    """The measure, registered by the reader's own file."""
    path = tmp_path / "mine.py"
    path.write_text(FILE)
    place = f"{path}:CHEBYSHEV"
    ob.measures.import_measures(place)
    return place


def test_it_is_scored_ranked_tested_and_written(chebyshev, no_raw_files, tmp_path):
    task = ob.load("fair-oq")
    scores = ob.score(task)
    assert scores.measures == tuple(QUANTIFICATION)
    assert scores.measures[-1] == "Chebyshev"
    by_hand = abs(task.gold - task.estimates).max(axis=-1)
    assert (by_hand == scores["Chebyshev"].to_numpy().T).all()
    two = ob.score(task, ["NMD", "chebyshev"])
    assert "Chebyshev" in ob.ranking_similarity(two).tau
    tests = ob.tukey_hsd(two, trials=200)
    assert ob.discriminative_power(tests).loc["Chebyshev", "pairs"] == 120
    few = ["--measures", "NMD,Chebyshev", "--trials", "200", "--primary", "Chebyshev"]
    assert main(["score", "fair-oq", "--out", str(tmp_path / "out"), *few]) == 0
    assert "Chebyshev" in (tmp_path / "out" / "README.md").read_text()


def test_nmd_with_steps_of_ones_own_scores_a_task(no_raw_files):
    def nmd_wide_end(gold, estimate):
        steps = np.ones(gold.shape[-1] - 1)
        steps[-1] = 2
        return ob.nmd(gold, estimate, steps=steps)

    measure = custom_measure("NMD wide end", nmd_wide_end, better="low", bounds=(0, 1))
    task = ob.load("fair-oq")
    gaps = abs(np.cumsum(task.estimates - task.gold, axis=-1))[..., :-1]
    by_hand = (gaps.sum(axis=-1) + gaps[..., -1]) / len(task.classes)
    scores = ob.score(task, ["NMD", measure])["NMD wide end"]
    np.testing.assert_allclose(scores.to_numpy().T, by_hand, atol=1e-12)


@pytest.mark.slow
def test_the_report_compares_it(chebyshev, no_raw_files):
    own = ob.measures.import_measures(chebyshev)
    assert '<th scope="col">Chebyshev (rank)</th>' in page(ob.load("fair-oq"), measures=own)


@pytest.mark.parametrize("name", ["sem16t4e", "stc3-nd"])
def test_without_raw_files_the_default_is_what_is_committed(name, chebyshev, no_raw_files):
    task = ob.load(name)
    scores = ob.score(task)
    assert scores.source == "committed"
    assert "Chebyshev" not in scores.measures
    if name == "sem16t4e":
        how = "no scores by Chebyshev are committed, and the raw files .* 'ordbook fetch sem16t4e'"
        with pytest.raises(RawDataMissing, match=how):
            ob.score(task, ["NMD", "Chebyshev"])


def test_a_measure_may_be_registered_again_but_replaces_no_built_in_one(chebyshev):
    def other(gold, estimate):
        return (gold - estimate).max(axis=-1)

    measure = register(custom_measure("Chebyshev", other, better="low"))
    assert QUANTIFICATION["Chebyshev"] is measure
    with pytest.raises(ValueError, match="'NMD' is a built-in measure"):
        register(QUANTIFICATION["NMD"])
    with pytest.raises(ValueError, match="'NMD' is a built-in measure"):
        custom_measure("NMD", other, better="low")
