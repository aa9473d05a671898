"""Whether a worse answer can raise a score: the theorem on linear kappa, and what lies outside."""

import numpy as np
import pytest

from ordbook.measures import CLASSIFICATION, kappa, qwk

FIVE = range(1, 6)


def weighted_kappa(counts, steps):
    """Kappa as the theorem writes it, 1 - O/E: its own computation, of items with weights."""
    total = counts.sum(axis=(1, 2))
    observed = (counts * steps).sum(axis=(1, 2)) / total
    gold, answers = counts.sum(axis=2), counts.sum(axis=1)
    expected = np.einsum("ni,nij,nj->n", gold, steps, answers) / total**2
    return 1 - np.divide(observed, expected, out=np.zeros_like(total), where=expected > 0)


def worse_answers(rng, size, classes, weighted, uneven):
    """Return counts, the same with one or all answers of a cell moved, steps, and which way."""
    gold = rng.multinomial(rng.integers(2, 40), rng.dirichlet(np.ones(classes), size))
    right = np.eye(classes) * rng.random((size, 1, 1))
    answers = right + (1 - right.max(axis=2, keepdims=True)) * rng.dirichlet(
        np.ones(classes), (size, classes)
    )
    counts = rng.multinomial(gold, answers).astype(float)
    if weighted:
        counts *= rng.gamma(1, 1, counts.shape)
    widths = rng.gamma(1, 1, (size, classes)) if uneven else np.ones((size, classes))
    places = widths.cumsum(axis=1)
    steps = abs(places[:, :, None] - places[:, None, :])
    filled = rng.random(counts.shape) * (counts > 0)
    i, j = np.unravel_index(filled.reshape(size, -1).argmax(axis=1), (classes, classes))
    k, rows = rng.integers(0, classes, size), np.arange(size)
    part = np.where(rng.random(size) < 0.5, 1, rng.random(size) if weighted else 1)
    moved = counts.copy()
    amount = counts[rows, i, j] * part
    moved[rows, i, j] -= amount
    moved[rows, i, k] += amount
    farther = steps[rows, i, k] > steps[rows, i, j]
    same = farther & ((j - i) * (k - i) >= 0)
    return counts, moved, steps, same, farther & ~same


@pytest.mark.parametrize("uneven", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_kappa_from_0_on_never_rises_on_the_same_side(weighted, uneven):
    rng = np.random.default_rng(49)
    tried = below = across = 0
    for classes in (2, 3, 5, 7):
        counts, moved, steps, same, other = worse_answers(rng, 10_000, classes, weighted, uneven)
        before, after = weighted_kappa(counts, steps), weighted_kappa(moved, steps)
        if not uneven:
            assert before == pytest.approx(kappa.kernel(counts), abs=1e-9)
        kept = same & (before >= 0)
        tried += kept.sum()
        # A dozen additions of numbers that differ in size, divided by what is expected.
        assert (after[kept] <= before[kept] + 1e-9).all()
        assert (after[same & (before > 1e-3)] < before[same & (before > 1e-3)]).all()
        below += (after > before + 1e-3)[same & (before < 0)].sum()
        across += (after > before + 1e-3)[other & (before >= 0)].sum()
    assert tried > 10_000
    assert min(below, across) > 10, "outside of its conditions it can rise"


def test_a_mean_over_topics_cannot_rise_unless_a_topic_is_below_0():
    """One answer moves in one topic, so the mean rises exactly if the kappa of that topic does."""
    good, bad = np.diag([2.0, 2, 2]), np.array([[0.0, 0, 0], [0, 0, 1], [0, 3, 0]])
    worse = np.array([[0.0, 0, 0], [0, 0, 1], [1, 2, 0]])
    before, after = (kappa.from_confusion(np.stack([good, topic])) for topic in (bad, worse))
    assert before.mean() > 0 > before.min()
    assert after.mean() > before.mean()


def test_the_exact_condition_for_quadratic_kappa():
    """A right answer that moves by s raises it exactly if (1 - QWK)(2s(j - mean gold) + 1) > 1."""
    rng = np.random.default_rng(1)
    raised = 0
    for _ in range(2000):
        gold = rng.integers(1, 6, 12)
        run = np.where(rng.random(12) < 0.6, gold, rng.integers(1, 6, 12))
        place, s = rng.integers(12), rng.choice([-1, 1])
        if run[place] != gold[place] or run[place] + s not in FIVE:
            continue
        worse = run.copy()
        worse[place] += s
        before, after = (qwk(gold, labels, labels=FIVE) for labels in (run, worse))
        excess = (1 - before) * (2 * s * (gold[place] - gold.mean()) + 1) - 1
        if abs(excess) > 1e-9:
            assert (after > before) == (excess > 0)
            raised += after > before
    assert raised > 50


def scores(name, gold, run):
    measure = CLASSIFICATION[name]
    return round(float(measure([*map(int, gold)], [*map(int, run)], labels=FIVE)), 3)


def test_a_right_grade_of_ten_made_wrong():
    gold, *runs = "1444555555", "1445455454", "1345455454"
    expected = {
        "alpha_ord": (0.430, 0.477),
        "QWK": (0.854, 0.828),
        "kappa": (0.623, 0.561),
        "CEM_ORD": (0.740, 0.697),
        "MAE_M": (0.278, 0.389),
        "accuracy": (0.6, 0.5),
    }
    for name, known in expected.items():
        assert tuple(scores(name, gold, run) for run in runs) == known, name
