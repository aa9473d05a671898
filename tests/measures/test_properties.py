"""What each measure guarantees where the facts say so, and theorems on linear and quadratic kappa.

Tolerance 1e-12 on scores (sums of a few terms of size 1); 1e-7 where a root is taken of a
difference of sums that may be 1e-15.
"""

import numpy as np
import pytest
from scipy.stats import energy_distance, wasserstein_distance

import ordbook.measures as om
from ordbook.measures import CLASSIFICATION, QUANTIFICATION, kappa, qwk
from ordbook.measures.cases import drawn, moved, moves

TOL, ROOT = 1e-12, 1e-7
ALL = {**QUANTIFICATION, **CLASSIFICATION}
EVERY = pytest.mark.parametrize("name", ALL)


def losses(measure, worse, cases):
    """By how much scores get worse."""
    sign = 1 if measure.better == "low" else -1
    return sign * (measure.kernel(*worse) - measure.kernel(*cases))


# -- bounds ------------------------------------------------------------------------------------


def extreme_pairs(n, rng, size=20_000):
    """Gold near one class with dust on some others, estimate near another: where maxima live."""
    sides = []
    for _ in range(2):
        dust = rng.random((size, n)) * 10.0 ** rng.uniform(-7, -1, (size, 1))
        dust[rng.random((size, n)) < 0.5] = 0
        side = np.eye(n)[rng.integers(0, n, size)] + dust
        sides.append(side / side.sum(1, keepdims=True))
    return sides


@pytest.mark.parametrize("name", QUANTIFICATION)
@pytest.mark.parametrize("n", [2, 3, 5, 7])
def test_bounds_of_distributions_hold_and_are_approached_by_search(name, n):
    measure = QUANTIFICATION[name]
    scores = measure.kernel(*extreme_pairs(n, np.random.default_rng(n)))
    largest = measure.bounds(n)[1]
    assert scores.max() <= largest + 1e-9  # 1e-9: room for rounding only
    # DNKT counts pairs and its largest value needs a full reversal: too rare among seven classes.
    # DNKT_RNOD's bound is not the least one from five classes on.
    if "DNKT" not in name:
        assert scores.max() > 0.99 * largest


@pytest.mark.parametrize("name", CLASSIFICATION)
@pytest.mark.parametrize("n", [2, 3, 5])
def test_the_worst_labels_reach_the_bound(name, n):
    measure = CLASSIFICATION[name]
    worst = measure.bounds(n)[measure.better == "low"]
    ends, single = np.zeros((2, n, n))
    ends[0, -1] = ends[-1, 0] = 50  # everything at the opposite end
    single[0, -1] = 7  # CEM_ORD: all gold in one class, none found
    if name.startswith("alpha"):  # alpha >= -1 + 1/N, with N = 100
        worst += 1 / 100
        cms = drawn("classification", n, 200, False, np.random.default_rng(n))[0][0]
        assert (measure.kernel(cms) >= -1 + 1 / cms.sum(axis=(1, 2)) - TOL).all()
    cm = single if name == "CEM_ORD" else ends
    assert measure.from_confusion(cm) == pytest.approx(worst, abs=TOL)


# -- order -------------------------------------------------------------------------------------


def farther(measure, n, single=False):
    """By how much scores get worse where errors on the same side move farther off."""
    rng, changes = np.random.default_rng(n), []
    for flat in (False, True):
        cases = drawn(measure.kind, n, 400, flat, rng)[0]
        if single:
            one = np.eye(n)[rng.integers(0, n, 400)]
            cases = (one, one) if len(cases) > 1 else (9 * one[:, :, None] * np.eye(n),)
        near, far = moved(cases, moves(n)["same side"], flat, rng)
        changes.append(losses(measure, far, near))
    return np.concatenate(changes)


@EVERY
def test_an_error_farther_off_is_worse_as_often_as_stated(name):
    measure = ALL[name]
    every = np.concatenate([farther(measure, n) for n in (3, 5, 7)])
    single = np.concatenate([farther(measure, n, single=True) for n in (3, 5, 7)])
    match measure.farther_is_worse:
        case "always":
            assert (every > TOL).all()
        case "weakly":
            assert (every > -TOL).all()
            assert (abs(np.append(every, single)) < TOL).any()
            if name == "CEM_ORD":
                assert (abs(single) < TOL).all(), "without gold between classes, equally far"
        case "never":
            assert not measure.ordinal
        case stated:
            assert stated in ("single-class gold", "not always")
            if measure.kind == "quantification":
                assert (every < -1e-6).any() or name.endswith("2"), "by gold mass it may be equal"
                assert (single > 1e-6).all() == (stated == "single-class gold")


@pytest.mark.parametrize("n", [2, 3, 5, 7])
def test_with_steps_nmd_is_the_earth_movers_and_rps_the_energy_distance_on_a_line(n):
    """So with any widths a farther error costs more, and a step can be cut in two."""
    rng = np.random.default_rng(n)
    for gold, estimate in rng.dirichlet(np.ones(n), (200, 2)):
        steps = 10.0 ** rng.uniform(-3, 3, n - 1)
        places = np.concatenate([[0], np.cumsum(steps)])
        score = om.nmd(gold, estimate, steps=steps)
        theirs = wasserstein_distance(places, places, gold, estimate) / places[-1]
        assert score == pytest.approx(theirs, abs=TOL)
        assert score == pytest.approx(om.nmd(gold, estimate, steps=7 * steps), abs=TOL)
        by_rps = om.rps(gold, estimate, steps=steps)
        energy = energy_distance(places, places, gold, estimate) ** 2
        assert by_rps == pytest.approx(energy / 2 / places[-1], abs=TOL)
        for measure in (om.nmd, om.rps):
            equal = measure(gold, estimate, steps=[3] * (n - 1))
            assert equal == pytest.approx(measure(gold, estimate), abs=TOL)


def test_what_goes_on_within_one_class_or_below_the_worst_class_is_not_seen():
    assert om.accuracy_1.from_confusion([[3, 2, 0], [0, 4, 1], [0, 0, 5]]) == 1
    for others in ([[0, 4, 1], [0, 0, 5]], [[5, 0, 0], [0, 5, 0]]):
        assert om.mae_max.from_confusion([[1, 0, 1], *others]) == 1


@pytest.mark.parametrize("n", [2, 3, 5])
def test_over_votes_rps_is_best_at_their_shares_and_nmd_at_their_median(n):
    rng, eye = np.random.default_rng(n), np.eye(n)
    for _ in range(50):
        votes = eye[rng.integers(0, n, int(rng.integers(1, 12)))]
        shares = votes.mean(axis=0)
        estimates = np.concatenate([eye, [shares], rng.dirichlet(np.ones(n), 100)])
        apart = om.rps(votes[:, None], estimates).mean(axis=0) - om.rps(shares, estimates)
        below = np.cumsum(shares)
        np.testing.assert_allclose(apart, (below * (1 - below)).sum() / (n - 1), atol=TOL)
        median = np.sort(votes.argmax(axis=1))[len(votes) // 2]
        by_nmd = om.nmd(votes[:, None], estimates).mean(axis=0)
        assert by_nmd[median] <= by_nmd.min() + TOL


# -- magnitude and two classes -------------------------------------------------------------------


@pytest.mark.parametrize("name", QUANTIFICATION)
def test_magnitude_of_the_error(name):
    gold, measure = [0.5, 0.3, 0.2], QUANTIFICATION[name]
    small, large = [0.35, 0.4, 0.25], [0.16, 0.70, 0.14]  # the same priorities: 2, 1, 3
    assert (measure(gold, large) > measure(gold, small) + 0.04) == measure.magnitude
    assert measure.magnitude or measure(gold, large) == measure(gold, small) > 0


def test_two_classes():
    # LQ'21 appendix: NMD = RNOD = RSNOD; and so are RNADW, NVD and RNSS. 1e-9: 1 - p rounds.
    ends = [(0, 0), (0, 1), (1, 0.5), (0.5, 0), (1e-7, 1)]
    for gold, estimate in [*ends, *np.random.default_rng(0).random((40, 2))]:
        pair, apart = ([gold, 1 - gold], [estimate, 1 - estimate]), abs(gold - estimate)
        for name in ("NMD", "RNOD", "RSNOD", "RNADW", "NVD", "RNSS"):
            assert QUANTIFICATION[name](*pair) == pytest.approx(apart, abs=1e-9)
        assert om.rps(*pair) == pytest.approx(apart**2, abs=1e-9)
        for name in ("RNOD2", "RNADW2"):
            assert QUANTIFICATION[name](*pair) == pytest.approx(apart * 0.5**0.5, abs=ROOT)


# -- whether a worse answer can raise kappa ------------------------------------------------------


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
    after = counts.copy()
    amount = counts[rows, i, j] * part
    after[rows, i, j] -= amount
    after[rows, i, k] += amount
    worse = steps[rows, i, k] > steps[rows, i, j]
    same = worse & ((j - i) * (k - i) >= 0)
    return counts, after, steps, same, worse & ~same


@pytest.mark.parametrize("uneven", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_kappa_from_0_on_never_rises_on_the_same_side(weighted, uneven):
    rng = np.random.default_rng(49)
    tried = below = across = 0
    for classes in (2, 3, 5, 7):
        counts, worse, steps, same, other = worse_answers(rng, 10_000, classes, weighted, uneven)
        before, after = weighted_kappa(counts, steps), weighted_kappa(worse, steps)
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


def test_the_exact_condition_for_quadratic_kappa():
    """A right answer that moves by s raises it exactly if (1 - QWK)(2s(j - mean gold) + 1) > 1."""
    rng, classes, raised = np.random.default_rng(1), range(1, 6), 0
    for _ in range(2000):
        gold = rng.integers(1, 6, 12)
        run = np.where(rng.random(12) < 0.6, gold, rng.integers(1, 6, 12))
        place, s = rng.integers(12), rng.choice([-1, 1])
        if run[place] != gold[place] or run[place] + s not in classes:
            continue
        worse = run.copy()
        worse[place] += s
        before, after = (qwk(gold, labels, labels=classes) for labels in (run, worse))
        excess = (1 - before) * (2 * s * (gold[place] - gold.mean()) + 1) - 1
        if abs(excess) > 1e-9:
            assert (after > before) == (excess > 0)
            raised += after > before
    assert raised > 50


@pytest.mark.parametrize("power", [0.5, 1, 1.5, 2])
def test_only_steps_that_add_up_never_reward_an_answer_farther_off(power):
    """Independent gold and run, gold nearly all in one class: the example of the proof."""
    weights = np.abs(np.subtract.outer(range(5), range(5))) ** power
    rises = 0
    for i, most in np.ndindex(5, 5):
        gold = np.full(5, 1e-9)
        gold[[most, i]] += 1, 1e-3
        counts = np.outer(gold, np.full(5, 0.2))
        assert kappa.from_confusion(counts, weights=weights) == pytest.approx(0, abs=1e-9)
        for j, k in np.ndindex(5, 5):
            if abs(k - i) > abs(j - i) and (k - i) * (j - i) >= 0:
                moved = counts.copy()
                moved[i, j] -= 1e-4
                moved[i, k] += 1e-4
                rises += kappa.from_confusion(moved, weights=weights) > 1e-9
    assert (rises > 0) == (power != 1)
