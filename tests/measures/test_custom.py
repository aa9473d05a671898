"""Your own measure beside the built-in ones, and through every analysis when it is registered."""

import numpy as np
import pytest

import ordbook as ob
from ordbook.cli import main
from ordbook.data.catalog import RawDataMissing
from ordbook.measures import QUANTIFICATION, custom_measure, import_measures, probe, register

FILE = """
import numpy as np
from ordbook.measures import custom_measure, register


def chebyshev(gold, estimate):
    return np.abs(gold - estimate).max(axis=-1)


CHEBYSHEV = custom_measure("Chebyshev", chebyshev, better="low", bounds=(0, 1))
"""


def chebyshev(gold, estimate):
    """Largest error of a class."""
    return np.abs(gold - estimate).max(axis=-1)


def recall_of_the_top(cm):
    """Share of the highest gold class that was found; 1 where there is none."""
    total = cm[..., -1, :].sum(axis=-1)
    return np.where(total > 0, cm[..., -1, -1] / np.where(total > 0, total, 1), 1.0)


# -- your measure -----------------------------------------------------------------------------


def test_a_quantification_measure_of_ones_own():
    measure = custom_measure("Chebyshev", chebyshev, better="low", bounds=(0, 1), title="Largest")
    assert (measure.title, measure.kind) == ("Largest", "quantification")
    assert (measure.better, measure.range, measure.bounds(7)) == ("low", "0 to 1", (0.0, 1.0))
    assert measure.perfect == 0
    score = measure([1, 1, 2], [2, 2, 0], normalise=True)
    assert isinstance(score, float)
    assert score == 0.5
    assert measure.mean([[1, 0], [0, 1]], [[1, 0], [0.5, 0.5]]) == 0.25
    with pytest.raises(ValueError, match="gold sums to 2, not to 1"):
        measure([1, 1], [0.5, 0.5])
    rng = np.random.default_rng(0)
    gold, estimates = rng.dirichlet(np.ones(4), 6), rng.dirichlet(np.ones(4), (3, 6))
    scores = measure.kernel(gold[None], estimates)  # as `ob.score` calls it
    assert scores.shape == (3, 6)
    assert scores[2, 5] == measure(gold[5], estimates[2, 5])


def test_a_classification_measure_of_ones_own():
    measure = custom_measure(
        "recall", recall_of_the_top, better="high", kind="classification", bounds=(0, 1)
    )
    assert measure([0, 1, 2, 2], [0, 1, 2, 1]) == 0.5
    assert measure(["lo", "hi"], ["hi", "hi"], labels=["lo", "hi"]) == 1
    assert measure.from_confusion(np.stack([np.eye(3), 1 - np.eye(3)])).tolist() == [1, 0]
    assert measure.perfect == 1
    holds = {guarantee.name for guarantee in probe(measure) if guarantee.holds}
    assert "bounded" in holds
    assert holds.isdisjoint({"reversal", "symmetry", "identity"})


def test_an_undefined_score_is_shown_with_its_case():
    def undefined(gold, estimate):
        with np.errstate(all="ignore"):
            return np.abs(gold - estimate).sum(-1) / np.where(gold[..., 1] == 0.123, 0, 1)

    measure = custom_measure("mine", undefined, better="low")
    words = r"^mine: gold \(0\.877, 0\.123, 0\) and estimate \(0, 0\.5, 0\.5\) score inf; define"
    for gold in ([0.877, 0.123, 0], [[0, 1, 0], [0.877, 0.123, 0]]):
        with pytest.raises(ValueError, match=words):
            measure(gold, [0, 0.5, 0.5])


REFUSED = {
    "one score per row": {"function": lambda g, p: np.abs(g - p).sum(0)},
    "score nan; define it": {"function": lambda g, p: np.full(g.shape[:-1], np.nan)},
    "the function fails on arrays of shape .*ValueError": {"function": lambda g, p: g @ p},
    "'RNOD' is a built-in measure": {"name": "RNOD"},
    "without blanks around it": {"name": " mine"},
    "better must be 'low' or 'high', not 'lower'": {"better": "lower"},
    "kind must be 'quantification' or 'classification'": {"kind": "ranking"},
    "bounds must be .least, largest., not .1, 1.": {"bounds": (1, 1)},
    "a measure has no symetric": {"symetric": True},
}


@pytest.mark.parametrize("message", REFUSED)
def test_what_cannot_score_is_refused(message):
    options = {"name": "mine", "function": chebyshev, "better": "low"} | REFUSED[message]
    with pytest.raises(ValueError, match=message):
        custom_measure(**options)


# -- measures from files ---------------------------------------------------------------------------


def test_a_measure_from_a_file_or_a_module(tmp_path, monkeypatch):
    path = tmp_path / "a:b" / "mine_for_a_test.py"
    path.parent.mkdir()
    path.write_text(FILE)
    (measure,) = import_measures(f" {path}:CHEBYSHEV ")
    assert measure([0.5, 0.5, 0], [0.2, 0.3, 0.5]) == 0.5
    monkeypatch.syspath_prepend(path.parent)
    assert [m.name for m in import_measures("mine_for_a_test:CHEBYSHEV,")] == ["Chebyshev"]
    assert import_measures("") == ()


# -- registered ----------------------------------------------------------------------------------


@pytest.fixture
def place(tmp_path, forgotten):
    """A measure, registered by the reader's own file."""
    path = tmp_path / "mine.py"
    path.write_text(f"{FILE}register(CHEBYSHEV)\n")
    import_measures(f"{path}:CHEBYSHEV")
    return f"{path}:CHEBYSHEV"


def test_it_is_scored_ranked_tested_and_written(place, no_raw_files, tmp_path):
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


@pytest.mark.parametrize("name", ["sem16t4e", "stc3-nd"])
def test_without_raw_files_the_default_is_what_is_committed(name, place, no_raw_files):
    task = ob.load(name)
    scores = ob.score(task)
    assert scores.source == "committed"
    assert "Chebyshev" not in scores.measures
    if name == "sem16t4e":
        how = "no scores by Chebyshev are committed, and the raw files .* 'ordbook fetch sem16t4e'"
        with pytest.raises(RawDataMissing, match=how):
            ob.score(task, ["NMD", "Chebyshev"])


def test_a_measure_may_be_registered_again_but_replaces_no_built_in_one(place):
    measure = register(custom_measure("Chebyshev", lambda g, e: (g - e).max(-1), better="low"))
    assert QUANTIFICATION["Chebyshev"] is measure
    with pytest.raises(ValueError, match="'NMD' is a built-in measure"):
        register(QUANTIFICATION["NMD"])
