"""Your own measure beside the built-in ones."""

import numpy as np
import pytest

from ordbook.measures import (
    QUANTIFICATION,
    custom_measure,
    import_measures,
    probe,
)


def chebyshev(gold, estimate):
    """Largest error of a class."""
    return np.abs(gold - estimate).max(axis=-1)


def recall_of_the_top(cm):
    """Share of the highest gold class that was found; 1 where there is none."""
    total = cm[..., -1, :].sum(axis=-1)
    return np.where(total > 0, cm[..., -1, -1] / np.where(total > 0, total, 1), 1.0)


def by_name(measure, **options):
    return {guarantee.name: guarantee for guarantee in probe(measure, **options)}


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
    assert measure.mean.__name__ == "mean_Chebyshev"
    with pytest.raises(ValueError, match="gold sums to 2, not to 1"):
        measure([1, 1], [0.5, 0.5])


def test_the_kernel_scores_many_runs_at_once():
    """As ordbook.data.scoring calls it: one gold distribution per topic, all runs."""
    measure = custom_measure("mine", chebyshev, better="low")
    rng = np.random.default_rng(0)
    gold, estimates = rng.dirichlet(np.ones(4), 6), rng.dirichlet(np.ones(4), (3, 6))
    scores = measure.kernel(gold[None], estimates)
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
    holds = {name: finding.holds for name, finding in by_name(measure).items()}
    assert holds["bounded"]
    assert not holds["reversal"], "the classes are not treated alike"
    assert not holds["symmetry"]
    assert not holds["identity"]


def test_facts_are_as_stated_and_a_probe_checks_stated_bounds():
    measure = custom_measure("mine", chebyshev, better="low", symmetric=False, papers=("mine21",))
    assert measure.symmetric is False
    assert measure.papers == ("mine21",)
    narrow = by_name(custom_measure("mine", chebyshev, better="low", bounds=(0, 0.7)))["bounded"]
    assert narrow.example[0][1] > 0.7
    by_classes = custom_measure("mine", chebyshev, better="low", bounds=lambda c: (0, c))
    assert by_classes.bounds(4) == (0, 4)


def test_what_nobody_stated():
    measure = custom_measure("mine", chebyshev, better="low")
    assert (measure.title, measure.range, measure.source) == ("mine", "not stated", "yours")
    for unstated in ("ordinal", "symmetric", "farther_is_worse", "equidistant"):
        assert getattr(measure, unstated) is None
    assert measure.papers == ()
    assert measure.bounds(3) == (-np.inf, np.inf)
    assert measure.kernel.__doc__ == measure.__doc__ == "Largest error of a class."
    named = custom_measure("mine", chebyshev, better="low", source="Eq. 1", range="up to 1")
    assert (named.source, named.range) == ("Eq. 1", "up to 1")
    by_classes = custom_measure("mine", chebyshev, better="low", bounds=lambda c: (0, c))
    assert by_classes.range == "depends on the number of classes"


def test_an_undefined_score_is_shown_with_its_case():
    def undefined(gold, estimate):
        with np.errstate(all="ignore"):
            return np.abs(gold - estimate).sum(-1) / np.where(gold[..., 1] == 0.123, 0, 1)

    measure = custom_measure("mine", undefined, better="low")
    words = r"^mine: gold \(0\.877, 0\.123, 0\) and estimate \(0, 0\.5, 0\.5\) score inf; define"
    for gold in ([0.877, 0.123, 0], [[0, 1, 0], [0.877, 0.123, 0]]):
        with pytest.raises(ValueError, match=words):
            measure(gold, [0, 0.5, 0.5])


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (
            lambda g, p: float(np.abs(g - p).sum()),
            "returns shape .. for input .* one score per row",
        ),
        (lambda g, p: np.abs(g - p), "expected .*: one score per row"),
        (lambda g, p: np.abs(g - p).sum(0), "one score per row"),
        (lambda g, p: np.ma.masked_less(np.abs(g - p).sum(-1), 0.5), "score nan; define it"),
        (lambda g, p: g @ p, "the function fails on arrays of shape .*ValueError"),
        (lambda g, p: ["a"] * 3, "the function fails on arrays of shape .*ValueError"),
        (lambda g: g.sum(-1), "the function fails on arrays of shape .*TypeError"),
    ],
)
def test_functions_that_cannot_score_are_refused(function, message):
    with pytest.raises(ValueError, match=message):
        custom_measure("mine", function, better="low")


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("RNOD", {}, "'RNOD' is a built-in measure"),
        ("accuracy", {}, "'accuracy' is a built-in measure"),
        ("", {}, "needs a printable name"),
        (" mine", {}, "without blanks around it"),
        ("mi\nne", {}, "needs a printable name"),
        ("mine", {"better": "lower"}, "better must be 'low' or 'high', not 'lower'"),
        ("mine", {"kind": "ranking"}, "kind must be 'quantification' or 'classification'"),
        ("mine", {"bounds": (1, 0)}, "bounds must be .least, largest., not .1, 0."),
        ("mine", {"bounds": (1, 1)}, "bounds must be .least, largest., not .1, 1."),
        ("mine", {"symetric": True}, "a measure has no symetric"),
        ("mine", {"kernel": chebyshev, "mean": max}, "a measure has no kernel, mean"),
    ],
)
def test_arguments_without_sense_are_refused(name, options, message):
    with pytest.raises(ValueError, match=message):
        custom_measure(name, chebyshev, **({"better": "low"} | options))


def test_probes_without_sense_are_refused():
    with pytest.raises(ValueError, match="at least 2 classes"):
        probe(QUANTIFICATION["NMD"], classes=[1])
    with pytest.raises(ValueError, match="size must be at least 1"):
        probe(QUANTIFICATION["NMD"], size=0)
    with pytest.raises(ValueError, match="not callable"):
        custom_measure("mine", 3, better="low")


# -- measures from files ---------------------------------------------------------------------------

SOURCE = """
import numpy as np
from ordbook.measures import custom_measure

def chebyshev(gold, estimate):
    return np.abs(gold - estimate).max(axis=-1)

CHEBYSHEV = custom_measure("Chebyshev", chebyshev, better="low", bounds=(0, 1))
"""


def test_a_measure_from_a_file_or_a_module(tmp_path, monkeypatch):
    path = tmp_path / "mine_for_a_test.py"
    path.write_text(SOURCE)
    (found,) = import_measures(f" {path}:CHEBYSHEV ")
    assert found([0.5, 0.5, 0], [0.2, 0.3, 0.5]) == 0.5
    monkeypatch.syspath_prepend(tmp_path)
    assert [m.name for m in import_measures("mine_for_a_test:CHEBYSHEV,")] == ["Chebyshev"]
    assert import_measures("") == ()


def test_a_file_in_a_folder_with_a_colon(tmp_path):
    folder = tmp_path / "a:b"
    folder.mkdir()
    (folder / "mine.py").write_text(SOURCE)
    (found,) = import_measures(f"{folder / 'mine.py'}:CHEBYSHEV")
    assert found.name == "Chebyshev"


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ("mine.py", "write FILE.py:NAME"),
        (":NAME", "write FILE.py:NAME"),
        ("no_such_module_here:X", "ModuleNotFoundError"),
        ("nowhere.py:X", "No such file or directory: 'nowhere.py'"),
        ("math:sqrt", "that is no measure in math; define there sqrt = "),
        ("math:root", "there is no such name in math"),
        ("{path}:BROKEN,", "there is no such name"),
        ("{path}:CHEBYSHEV,{path}:CHEBYSHEV", "'Chebyshev' is named twice"),
        ("{broken}:X", "ZeroDivisionError"),
    ],
)
def test_places_that_hold_no_measure(place, message, tmp_path):
    path, broken = tmp_path / "mine.py", tmp_path / "broken.py"
    path.write_text(SOURCE)
    broken.write_text("1 / 0\n")
    with pytest.raises(ValueError, match=message):
        import_measures(place.format(path=path, broken=broken))
