"""The guarantees of measures, and how often each is broken on random cases.

A share of 0 without a counterexample proves nothing: it says that none of the cases broke the
guarantee.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from .cases import Cases, drawn, exchange, gold_of, mapped, moved, moves, words
from .registry import Measure
from .validation import Array

__all__ = ["GUARANTEES", "Guarantee", "probe"]

# What precedes a case in a statement, the cases, and their scores.
Side: TypeAlias = tuple[str, Cases, Array]
# A guarantee, the cases that break it, by how much, and the evidence.
Check: TypeAlias = tuple[str, NDArray[np.bool_], Array, Sequence[Side]]
# Scores this close are equal. Sums of a few terms err by 1e-16; a root of such an error by 1e-8.
SAME = 1e-7
# Differences below this are rounding where a guarantee says "never better".
NOISE = 1e-12
GUARANTEES: Mapping[str, str] = {
    "right answer": "Where the score is at least 0, a right answer made wrong scores no better.",
    "same side": "Nor does an error that moves a class farther off on the same side of gold.",
    "across gold": "Nor does an error that moves farther off across gold.",
    "below 0": "Where the score is below 0, the first two do not score better, either.",
    "identity": "A perfect answer gets the perfect score, and nothing else does.",
    "symmetry": "Exchanging gold and estimate leaves the score.",
    "order seen": "Some exchange of two neighbouring classes changes the score.",
    "reversal": "Reversing the order of the classes leaves the score.",
    "splitting": "Cutting a class into equal halves changes no preference.",
    "merging": "Making one class of two neighbours makes no score worse.",
    "unused classes": "Adding a class that nobody uses changes no preference.",
    "bounded": "No score lies beyond 1, -1 or the stated bounds.",
    "proper": "Averaged over single votes, no estimate scores better than their shares.",
    "constant runs score 0": "A run that always answers one class scores 0.",
    "rare classes": "An error in a rarer class costs more.",
}


@dataclass(frozen=True)
class Guarantee:
    """A guarantee, and how often a measure breaks it.

    Attributes
    ----------
    name
        A key of ``GUARANTEES``, which says it in a sentence.
    broken
        Number of classes -> share of the random cases that break it, where there are such cases.
    tried
        Number of cases, of all kinds.
    statement
        The worst counterexample with the fewest classes, in words; empty without one.
    example
        Its cases, each as gold and estimate or as counts, with their scores.
    """

    name: str
    broken: Mapping[int, float]
    tried: int
    statement: str = ""
    example: tuple[tuple[Cases, float], ...] = ()

    @property
    def holds(self) -> bool:
        """No counterexample was found."""
        return not self.example


def probe(
    measure: Measure, classes: Sequence[int] = (3, 5, 7), *, seed: int = 0, size: int = 2000
) -> tuple[Guarantee, ...]:
    """Count how often a measure breaks each guarantee, and keep the worst counterexample.

    Gold and estimates are drawn from a flat Dirichlet distribution. A gold class loses a uniform
    share of its mass to another class, or to one farther off. A confusion matrix has 100 items,
    whose gold classes are drawn alike. Half of the answers are right, the other half are drawn
    alike within each gold class, and one answer is moved: by one class, or across its gold class to
    any class that is farther off. For scores below 0 the order of the answers is turned around.
    Counterexamples are also sought among as many cases with few votes, ties, empty classes and
    perfect answers, which do not enter the shares.

    Parameters
    ----------
    measure
        A built-in measure or one of :func:`custom_measure`.
    classes
        Numbers of classes to try. Some guarantees need three.
    seed, size
        Key and number of the random cases.

    Returns
    -------
    tuple of Guarantee
        Those of ``GUARANTEES`` that make sense for the measure: splitting and proper scores need
        distributions; right answers, scores below 0, constant runs and rare classes need labels.

    Raises
    ------
    ValueError
        If there are fewer than two classes or no cases.

    Examples
    --------
    >>> from ordbook.measures import QUANTIFICATION
    >>> guarantees = {guarantee.name: guarantee for guarantee in probe(QUANTIFICATION["RNOD"])}
    >>> {n: f"{share:.0%}" for n, share in guarantees["same side"].broken.items()}
    {3: '0%', 5: '17%', 7: '20%'}
    >>> guarantees["order seen"].holds, guarantees["symmetry"].holds
    (True, False)
    >>> print(guarantees["symmetry"].statement)
    gold (0.32, 0.68, 0) and estimate (0, 0, 1) score 0.944034; exchanged,
    gold (0, 0, 1) and estimate (0.32, 0.68, 0) score 0.577581
    """
    chosen = sorted({int(c) for c in classes})
    if not chosen or min(chosen) < 2:
        raise ValueError(f"classes must be numbers of at least 2 classes, not {list(classes)}")
    if size < 1:
        raise ValueError(f"size must be at least 1, not {size}")
    known: dict[str, Guarantee] = {}
    for c in chosen:
        for flat in (False, True):  # few votes first: such counterexamples are easier to read
            rng = np.random.default_rng((seed, c, size, flat))
            for name, broken, amount, sides in _checks(measure, c, size, flat, rng):
                if not len(broken):
                    continue
                before = known.get(name, Guarantee(name, {}, 0))
                share = {c: float(broken.mean())} if flat else {}
                tried = before.tried + len(broken)
                now = replace(before, broken={**before.broken, **share}, tried=tried)
                known[name] = now if before.example else _with_worst(now, broken, amount, sides)
    return tuple(known[name] for name in GUARANTEES if name in known)


def _with_worst(
    guarantee: Guarantee, broken: NDArray[np.bool_], amount: Array, sides: Sequence[Side]
) -> Guarantee:
    if not broken.any():
        return guarantee
    k = int(np.where(broken, amount, -np.inf).argmax())
    example = tuple((tuple(v[k] for v in cases), float(scores[k])) for _, cases, scores in sides)
    leads = [lead for lead, *_ in sides]
    parts = [
        f"{lead}{words(case)} score {score:.6g}"
        for lead, (case, score) in zip(leads, example, strict=True)
    ]
    return replace(guarantee, statement="; ".join(parts), example=example)


def _checks(
    measure: Measure, classes: int, size: int, flat: bool, rng: np.random.Generator
) -> Iterator[Check]:
    """Yield for every guarantee the cases that break it, by how much, and the evidence."""
    kernel, sign = measure.kernel, 1 if measure.better == "high" else -1
    shares = measure.kind == "quantification"
    first, second = drawn(measure.kind, classes, size, flat, rng)
    ours, theirs = kernel(*first), kernel(*second)
    gold, eye, start = gold_of(first), np.eye(classes), ("", first, ours)
    sides: Sequence[Side]

    def side(lead: str, cases: Cases) -> Side:
        return lead, cases, kernel(*cases)

    for name, ways in moves(classes).items():
        of_labels = name in ("right answer", "below 0")
        if ways and not (shares and of_labels):
            # With the order of the answers turned around, many runs score below 0.
            cases = (first[0][..., ::-1],) if name == "below 0" else first
            yield _moved_away(name, measure, moved(cases, ways, flat, rng))

    error = abs(first[0] - first[1]) if shares else first[0] * (1 - eye)
    error = error.reshape(size, -1).sum(axis=1)
    gap, same = sign * (ours - measure.perfect), error <= 1e-12
    yield "identity", np.where(same, abs(gap) > SAME, gap > -SAME), error, (start,)

    exchanged = first[::-1] if shares else (first[0].swapaxes(1, 2),)
    sides = start, side("exchanged, ", exchanged)
    yield "symmetry", abs(sides[1][2] - ours) > SAME, abs(sides[1][2] - ours), sides

    if classes > 2 and flat:
        swapped = [mapped(first, eye[exchange(classes, k)]) for k in range(classes - 1)]
        change = np.max([abs(kernel(*cases) - ours) for cases in swapped], axis=0)
        sides = start, side("with two classes exchanged, ", swapped[0])
        yield "order seen", change <= SAME, error, sides
    sides = start, side("with the classes reversed, ", mapped(first, eye[::-1]))
    yield "reversal", abs(sides[1][2] - ours) > SAME, abs(sides[1][2] - ours), sides

    halves = [
        np.insert(eye - np.outer(eye[k], eye[k]) / 2, k, eye[k] / 2, 0) for k in range(classes)
    ]
    unused = [np.insert(eye, k, 0, axis=0) for k in range(1, classes)]
    for name, lead, finer in (
        ("splitting", "with a class split, ", halves),
        ("unused classes", "with an unused class, ", unused),
    ):
        if name == "unused classes" or shares:
            refined = np.stack(finer)[rng.integers(0, len(finer), size)]
            sides = (
                start,
                ("beside it, ", second, theirs),
                side(lead, mapped(first, refined)),
                side("beside it, ", mapped(second, refined)),
            )
            before, after = ours - theirs, sides[2][2] - sides[3][2]
            changed = _signs(before) != _signs(after)
            yield name, changed, np.minimum(abs(before), abs(after)), sides

    if classes > 2:
        at = rng.integers(0, classes - 1, size)
        merged = [np.delete(eye + eye[k + 1] * eye[:, [k]], k + 1, 0) for k in range(classes - 1)]
        sides = start, side("merged, ", mapped(first, np.stack(merged)[at]))
        loss = sign * (ours - sides[1][2])
        yield "merging", loss > NOISE, loss, sides

    low, high = np.clip(measure.bounds(classes), -1, 1)
    beyond = np.maximum(low - ours, ours - high)
    yield "bounded", beyond > NOISE, beyond, (start,)

    yield from (_proper(measure, gold, sign) if shares else _of_labels(measure, gold, sign, rng))


def _moved_away(name: str, measure: Measure, cases: tuple[Cases, Cases]) -> Check:
    """Compare cases with the same where an answer is worse, at scores below 0 or at the others."""
    scores = [measure.kernel(*case) for case in cases]
    kept = (scores[0] < -NOISE) == (name == "below 0")
    sides = [
        (lead, tuple(part[kept] for part in case), values[kept])
        for lead, case, values in zip(("", "farther away, "), cases, scores, strict=True)
    ]
    gain = (1 if measure.better == "high" else -1) * (sides[1][2] - sides[0][2])
    return name, gain > NOISE, gain, sides


def _proper(measure: Measure, gold: Array, sign: int) -> Iterator[Check]:
    """Compare the shares of the votes with ways from them to each class and to equal shares."""
    classes, rows = gold.shape[1], np.arange(len(gold))
    targets = np.concatenate([np.eye(classes), np.full((1, classes), 1 / classes)])
    ways = [gold + part * (target - gold) for target in targets for part in (0.1, 1)]
    estimates = np.stack([gold, *ways])
    by_vote = [measure.kernel(vote, estimates) for vote in np.eye(classes)]
    mean = np.einsum("cen,nc->en", by_vote, gold)
    gain = sign * (mean - mean[0])
    best = gain.argmax(axis=0)
    shares, bet = (gold, gold), (gold, estimates[best, rows])
    sides = ("over single votes, ", shares, mean[0]), ("and ", bet, mean[best, rows])
    yield "proper", gain.max(axis=0) > NOISE, gain.max(axis=0), sides


def _of_labels(
    measure: Measure, gold: Array, sign: int, rng: np.random.Generator
) -> Iterator[Check]:
    """Score runs that always answer one class, and compare errors in two classes."""
    kernel, eye = measure.kernel, np.eye(gold.shape[1])
    i, j = np.argsort(rng.random(gold.shape), axis=1)[:, :2].T
    constant = gold[:, :, None] * eye[i][:, None]
    scores = kernel(constant)
    yield "constant runs score 0", abs(scores) > SAME, abs(scores), (("", (constant,), scores),)
    more, fewer = (np.take_along_axis(gold, k[:, None], 1)[:, 0] for k in (i, j))
    kept = (fewer > 0) & (more > fewer)
    i, j, rows, right = i[kept], j[kept], np.arange(kept.sum()), gold[kept][:, :, None] * eye
    often, rare = right.copy(), right.copy()
    for cm, a, b in ((often, i, j), (rare, j, i)):
        cm[rows, a, a] -= 1
        cm[rows, a, b] += 1
    scores, others = kernel(often), kernel(rare)
    sides = ("", (often,), scores), ("with the error in the rarer class, ", (rare,), others)
    yield "rare classes", sign * (others - scores) > -NOISE, sign * (others - scores), sides


def _signs(differences: Array) -> Array:
    return np.where(abs(differences) <= SAME, 0, np.sign(differences))
