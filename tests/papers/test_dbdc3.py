"""DBDC3's official measures, against scikit-learn, SciPy and plain loops."""

import numpy as np
import pytest
from scipy.spatial.distance import jensenshannon
from sklearn.metrics import accuracy_score, f1_score

import ordbook as ob
from ordbook.papers.dbdc3 import collapse, dbdc_scores, majority


def drawn(topics=200, seed=1):
    rng = np.random.default_rng(seed)
    return rng.multinomial(30, [0.3, 0.35, 0.35], topics) / 30, rng.dirichlet([2] * 3, topics)


def label(x, t, o):
    """The organisers' rule: O before T before X."""
    if o >= t and o >= x:
        return "O"
    return "T" if t >= x else "X"


def test_labels_are_the_organisers():
    gold, _ = drawn()
    names = np.array(["X", "T", "O"])
    assert names[majority(gold)].tolist() == [label(*row) for row in gold]
    ties = [[15, 15, 0], [15, 0, 15], [0, 15, 15], [10, 10, 10], [14, 14, 2]]
    assert names[majority(np.array(ties) / 30)].tolist() == ["T", "O", "O", "O", "T"]


def test_float_noise_breaks_no_tie():
    assert majority([0.1 + 0.2, 0.3, 0.4 - 1e-17]).item() == 2
    assert majority([0.7 / 2, 0.1 + 0.25 + 1e-16, 0.3]).item() == 1


def test_scores_of_labels_are_those_of_scikit_learn():
    gold, estimate = drawn()
    found = dbdc_scores(gold, estimate)
    true = [label(*row) for row in gold]
    said = [label(*row) for row in estimate]
    assert found["accuracy"] == pytest.approx(accuracy_score(true, said), abs=1e-12)
    f1 = f1_score(true, said, labels=["X"], average="macro")
    assert found["F1(X)"] == pytest.approx(f1, abs=1e-12)
    lenient = np.round(30 * gold) @ [1, 1, -1] > 0
    merged = f1_score(lenient, np.array(said) != "O")
    assert found["F1(T+X)"] == pytest.approx(merged, abs=1e-12)


def test_half_of_the_votes_for_o_is_no_breakdown():
    found = dbdc_scores([[9 / 30, 6 / 30, 15 / 30]], [[0, 0, 1]])
    assert (found["accuracy"], found["F1(T+X)"]) == (1, 0)
    assert dbdc_scores([[1, 0, 0]], [[0, 0, 1]])["F1(X)"] == 0, "none is found"


def test_divergences_and_errors_are_those_of_plain_loops():
    gold, estimate = drawn(20)
    found = dbdc_scores(gold, estimate)
    merges = {"O,T,X": [[0], [1], [2]], "O,T+X": [[0, 1], [2]], "O+T,X": [[0], [1, 2]]}
    for name, parts in merges.items():
        jsd, mse = [], []
        for g, p in zip(gold, estimate, strict=True):
            g, p = ([v[part].sum() for part in parts] for v in (g, p))
            jsd.append(jensenshannon(g, p, base=2) ** 2)
            mse.append(sum((a - b) ** 2 for a, b in zip(g, p, strict=True)) / len(parts))
        assert found[f"JSD({name})"] == pytest.approx(np.mean(jsd), abs=1e-12)
        assert found[f"MSE({name})"] == pytest.approx(np.mean(mse), abs=1e-12)


@pytest.mark.parametrize("classes", [2, 3, 5, 7])
def test_nmd_is_the_mean_of_nvd_over_all_cuts(classes):
    gold, estimate = np.random.default_rng(classes).dirichlet([0.5] * classes, (2, 50))
    cuts = [ob.nvd(collapse(gold, k), collapse(estimate, k)) for k in range(1, classes)]
    np.testing.assert_allclose(np.mean(cuts, axis=0), ob.nmd(gold, estimate), rtol=0, atol=1e-12)


def test_what_cannot_be_scored_is_refused():
    for shapes in (((3, 2), (3, 2)), ((3, 4), (3, 4)), ((2, 3), (1, 3)), ((3,), (3,))):
        gold, estimate = (np.full(shape, 1 / shape[-1]) for shape in shapes)
        with pytest.raises(ValueError, match=r"\(utterances, 3\)"):
            dbdc_scores(gold, estimate)
    for lowest in (0, 3, -1):
        with pytest.raises(ValueError, match="of 3 classes 1 to 2 can be merged"):
            collapse([0.2, 0.3, 0.5], lowest)
