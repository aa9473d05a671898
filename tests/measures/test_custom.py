"""Your own measure beside the built-in ones, and a probe that tells the truth about all of them."""

from dataclasses import replace

import numpy as np
import pytest

from ordbook.measures import (
    CLASSIFICATION,
    QUANTIFICATION,
    custom_measure,
    import_measures,
    nmd,
    probe,
)

EVERY = {**QUANTIFICATION, **CLASSIFICATION}


def chebyshev(gold, estimate):
    """Largest error of a class."""
    return np.abs(gold - estimate).max(axis=-1)


def recall_of_the_top(cm):
    """Share of the highest gold class that was found; 1 where there is none."""
    total = cm[..., -1, :].sum(axis=-1)
    return np.where(total > 0, cm[..., -1, -1] / np.where(total > 0, total, 1), 1.0)


def by_name(measure, **options):
    return {found.name: found for found in probe(measure, **options)}


@pytest.fixture(scope="module")
def findings():
    return {name: by_name(measure) for name, measure in EVERY.items()}


# -- the probe against what the registry states (each proved or refuted in its own tests) --------


@pytest.mark.parametrize("name", EVERY)
def test_the_probe_finds_what_the_registry_states(name, findings):
    measure, found = EVERY[name], findings[name]
    assert found["symmetric"].holds == measure.symmetric
    assert found["order-aware"].holds == measure.ordinal
    assert found["identity"].holds == (measure.identity == "always")
    assert found["only at identity"].holds == measure.only_at_identity
    assert found["farther is worse"].holds == (measure.farther_is_worse == "always")
    if measure.ordinal:
        assert found["farther is never better"].holds == (
            measure.farther_is_worse in ("always", "weakly")
        )
    for name in ("bounds", "best at identity"):
        assert found[name].holds, found[name]
    assert found["reversible"].holds, "all 22 treat both ends of the scale alike"


@pytest.mark.parametrize("name", EVERY)
def test_every_example_is_one(name, findings):
    measure = EVERY[name]
    worse = 1 if measure.better == "low" else -1
    score = measure.function if name in QUANTIFICATION else measure.function.from_confusion
    for what, finding in findings[name].items():
        if finding.example is None:
            assert finding.holds == (what != "order-aware")
            continue
        assert finding.holds == (what == "order-aware")
        e = finding.example
        case = [e["gold"], e["estimate"]] if name in QUANTIFICATION else [e["cm"]]
        assert score(*case) == pytest.approx(e["score"], abs=1e-12)
        if "other_score" in e:
            other = [e["other_gold"], e["other_estimate"]] if len(case) == 2 else [e["other_cm"]]
            assert e["other_score"] == pytest.approx(score(*other), abs=1e-12)
        if what == "symmetric":
            assert np.array_equal(other, case[::-1] if len(case) == 2 else [e["cm"].T])
        elif what == "order-aware":
            assert abs(e["other_score"] - e["score"]) > 1e-7
            assert np.allclose(np.sort(np.ravel(other)), np.sort(np.ravel(case)))
        elif what.startswith("farther"):
            assert worse * (e["other_score"] - e["score"]) <= 1e-9
            assert nmd_of(other) > nmd_of(case), "it is farther off"
        elif what == "only at identity":
            assert e["score"] == pytest.approx(measure.perfect, abs=1e-7)
            assert np.abs(case[0] - case[1]).max() > 0.01
        else:
            assert what == "identity"
            assert case[0].tolist() == case[1].tolist()
            assert abs(e["score"] - measure.perfect) > 1e-7


def nmd_of(case):
    """Distance that errors go: match distance, or the mean error of a matrix."""
    if len(case) == 2:
        return nmd(*case)
    steps = np.abs(np.subtract.outer(range(len(case[0])), range(len(case[0]))))
    return (case[0] * steps).sum()


def test_counterexamples_are_small(findings):
    """RNOD is not symmetric: three classes, halves; two classes are not enough."""
    example = findings["RNOD"]["symmetric"].example
    assert sorted(example["gold"].tolist() + example["estimate"].tolist()) == [0, 0, 0, 0.5, 0.5, 1]
    assert by_name(QUANTIFICATION["RNOD"], classes=[2])["symmetric"].holds
    # DNKT of two uniform distributions, two classes.
    assert findings["DNKT"]["identity"].example["gold"].tolist() == [0.5, 0.5]
    assert findings["accuracy"]["farther is worse"].example["cm"].sum() == 1


def test_the_seed_decides():
    first, second, other = (probe(QUANTIFICATION["JSD"], (4,), seed=s, size=100) for s in (1, 1, 2))
    for a, b, c in zip(first, second, other, strict=True):
        assert (a.name, a.holds, a.statement, a.tried) == (
            b.name,
            b.holds,
            b.statement,
            b.tried,
        )
        assert a.holds == c.holds


def test_what_a_probe_says():
    """The statements of each kind, and what two classes leave to say."""
    for name, what, statement in (
        ("RNOD", "bounds", "scores lie between 0 and 1 (seen: 0 to 1)"),
        ("RNOD", "symmetric", "gold (1, 0, 0) and estimate (0, 0.5, 0.5) score 0.612372; "
         "exchanged, gold (0, 0.5, 0.5) and estimate (1, 0, 0) score 0.935414"),
        ("RNOD", "order-aware", "gold (1, 0, 0) and estimate (0, 1, 0) score 0.707107; with two "
         "classes exchanged, gold (1, 0, 0) and estimate (0, 0, 1) score 1"),
        ("RNOD", "farther is worse", "gold (0.5, 0, 0.5) and estimate (0, 0.5, 0.5) score 0.5; "
         "with the error one class farther away, gold (0.5, 0, 0.5) and estimate (0, 0, 1) "
         "score 0.5"),
        ("DNKT", "identity", "gold (0.5, 0.5) and estimate (0.5, 0.5) score 0.5 though they are "
         "the same, others 0"),
        ("DNKT", "only at identity", "gold (1, 0) and estimate (0.6667, 0.3333) score 0 as a "
         "perfect estimate does"),
        ("DNKT", "order-aware", "no permutation of the classes changes a score"),
        ("MAE_M", "symmetric", "the counts [0 0; 1 2] score 0.333333; exchanged, "
         "the counts [0 1; 0 2] score 0.5"),
        ("MAE_M", "farther is worse", "an error moved one class farther away scores worse"),
    ):  # fmt: skip
        assert by_name(EVERY[name], classes=(2, 3), size=50)[what].statement == statement
        assert "order-aware" not in by_name(EVERY[name], classes=[2], size=1)


def nominal(gold, estimate):
    return np.abs(gold - estimate).sum(-1) / 2


def uneven(gold, estimate):
    """Blind to the order of the classes, but not to which is first."""
    return np.abs(gold - estimate) @ (np.arange(gold.shape[-1]) + 1.0)


@pytest.mark.parametrize(
    ("kernel", "facts", "name", "statement"),
    [
        (lambda g, e: 3 * nominal(g, e), {}, "bounds", "score 3, not between 0 and 1"),
        (lambda g, e: -nominal(g, e), {}, "best at identity", "score -1, better than 0"),
        (nominal, {"perfect": 0.5}, "identity", "score 0 though they are the same, others 0.5"),
        (uneven, {}, "reversible", "gold (0, 0, 1) and estimate (0, 1, 0) score 5"),
    ],
)
def test_the_probe_shows_what_does_not_hold(kernel, facts, name, statement):
    finding = by_name(replace(QUANTIFICATION["NVD"], kernel=kernel, **facts), size=10)[name]
    assert not finding.holds
    assert finding.statement.endswith(statement)
    gold, estimate = finding.example["gold"], finding.example["estimate"]
    assert finding.example["score"] == kernel(gold, estimate)


# -- your measure -----------------------------------------------------------------------------


def test_a_quantification_measure_of_ones_own():
    measure = custom_measure("Chebyshev", chebyshev, better="low", bounds=(0, 1), title="Largest")
    assert (measure.title, measure.kind) == ("Largest", "quantification")
    assert (measure.better, measure.range, measure.bounds(7)) == ("low", "0 to 1", (0.0, 1.0))
    assert measure.perfect == 0
    score = measure.function([1, 1, 2], [2, 2, 0], normalise=True)
    assert isinstance(score, float)
    assert score == 0.5
    assert measure.mean([[1, 0], [0, 1]], [[1, 0], [0.5, 0.5]]) == 0.25
    assert measure.mean.__name__ == "mean_Chebyshev"
    with pytest.raises(ValueError, match="gold sums to 2, not to 1"):
        measure.function([1, 1], [0.5, 0.5])


def test_the_kernel_scores_many_runs_at_once():
    """As ordbook.data.scoring calls it: one gold distribution per topic, all runs."""
    measure = custom_measure("mine", chebyshev, better="low")
    rng = np.random.default_rng(0)
    gold, estimates = rng.dirichlet(np.ones(4), 6), rng.dirichlet(np.ones(4), (3, 6))
    scores = measure.kernel(gold[None], estimates)
    assert scores.shape == (3, 6)
    assert scores[2, 5] == measure.function(gold[5], estimates[2, 5])


def test_a_classification_measure_of_ones_own():
    measure = custom_measure(
        "recall", recall_of_the_top, better="high", kind="classification", bounds=(0, 1)
    )
    assert measure.mean is None
    assert measure.function([0, 1, 2, 2], [0, 1, 2, 1]) == 0.5
    assert measure.function(["lo", "hi"], ["hi", "hi"], labels=["lo", "hi"]) == 1
    assert measure.function.from_confusion(np.stack([np.eye(3), 1 - np.eye(3)])).tolist() == [1, 0]
    assert measure.perfect == 1
    holds = {name: finding.holds for name, finding in by_name(measure).items()}
    assert holds["order-aware"], "the classes are not treated alike"
    assert not holds["reversible"]
    assert not holds["symmetric"]
    assert not holds["only at identity"]


@pytest.mark.parametrize(
    ("function", "kind", "wrong", "right", "perfect"),
    [
        (lambda g, p: np.minimum(g, p).sum(-1), "quantification", "low", "high", 1.0),
        (chebyshev, "quantification", "high", "low", 0.0),
        (recall_of_the_top, "classification", "low", "high", 1.0),
    ],
)
def test_the_wrong_end_is_refused(function, kind, wrong, right, perfect):
    with pytest.raises(ValueError, match=f"mine: with better='{wrong}' .* state the other end, or"):
        custom_measure("mine", function, better=wrong, kind=kind)
    meant = custom_measure("mine", function, better=wrong, kind=kind, perfect=perfect)
    assert meant.better == wrong
    assert not by_name(meant)["best at identity"].holds
    assert custom_measure("mine", function, better=right, kind=kind).better == right


def test_facts_are_as_stated_and_a_probe_checks_stated_bounds():
    measure = custom_measure("mine", chebyshev, better="low", symmetric=False, papers=("mine21",))
    assert measure.symmetric is False
    assert measure.papers == ("mine21",)
    narrow = by_name(custom_measure("mine", chebyshev, better="low", bounds=(0, 0.7)))["bounds"]
    assert not narrow.holds
    assert narrow.example["score"] > 0.7
    by_classes = custom_measure("mine", chebyshev, better="low", bounds=lambda c: (0, c))
    assert by_classes.bounds(4) == (0, 4)
    assert "bounds" not in by_name(custom_measure("mine", chebyshev, better="low"))


def test_what_nobody_stated():
    measure = custom_measure("mine", chebyshev, better="low")
    assert (measure.title, measure.range, measure.source) == ("mine", "not stated", "yours")
    for unstated in ("ordinal", "symmetric", "farther_is_worse", "attained", "equidistant"):
        assert getattr(measure, unstated) is None
    assert measure.papers == ()
    assert measure.bounds(3) == (-np.inf, np.inf)
    assert measure.kernel.__doc__ == measure.function.__doc__ == "Largest error of a class."
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
            measure.function(gold, [0, 0.5, 0.5])


def kullback_leibler(gold, estimate):
    with np.errstate(all="ignore"):
        return np.where(gold > 0, gold * np.log(gold / estimate), 0).sum(-1)


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (
            lambda g, p: float(np.abs(g - p).sum()),
            "returns shape .. for input .* one score per row",
        ),
        (lambda g, p: np.abs(g - p), "expected .*: one score per row"),
        (lambda g, p: np.abs(g - p).sum(0), "one score per row"),
        (
            lambda g, p: np.abs(g - p).sum(-1) / (1 + np.abs(g - p).max()),
            "among others and .* alone",
        ),
        (lambda g, p: np.abs(g - p).sum(-1) / p.ndim, "among others and .* alone"),
        (lambda g, p: np.ma.masked_less(np.abs(g - p).sum(-1), 0.5), "score nan; define it"),
        (lambda g, p: g @ p, "the function fails on arrays of shape .*ValueError"),
        (lambda g, p: ["a"] * 3, "the function fails on arrays of shape .*ValueError"),
        (lambda g: g.sum(-1), "the function fails on arrays of shape .*TypeError"),
        (kullback_leibler, "mine: gold .* score inf; define it"),
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
    assert found.function([0.5, 0.5, 0], [0.2, 0.3, 0.5]) == 0.5
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
