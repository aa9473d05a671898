"""Probe which properties a measure has.

A probe does not prove. "Holds" means that it found no counterexample among all
small cases and some thousand random, sparse and tied ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .registry import Measure
from .validation import Array

__all__ = ["Property", "probe"]

# What a measure is tried on: gold and estimate, or counts; cases on the first axis.
Cases = tuple[Array, ...]
# Scores this close are equal. Sums of a few terms err by 1e-16; a root of such an error by 1e-8.
SAME = 1e-7
# Differences below this are rounding where a property says "never better".
NOISE = 1e-9


@dataclass(frozen=True)
class Property:
    """One property of a measure, and the finding of a probe about it.

    Attributes
    ----------
    name
        Such as ``symmetric``.
    holds
        No counterexample was found; for ``order-aware``, a witness was.
    statement
        One sentence: what was tested, and the result.
    tried
        Number of cases.
    example
        The smallest counterexample (for ``order-aware``: witness), by name: gold, estimate and
        score, or cm and score; with ``other_…`` if it compares two cases. None without one.
    """

    name: str
    holds: bool
    statement: str
    tried: int
    example: Mapping[str, Any] | None = None


def probe(
    measure: Measure, classes: Sequence[int] = (2, 3, 5), *, seed: int = 0, size: int = 2000
) -> tuple[Property, ...]:
    """Probe the properties of a measure, and find the smallest counterexample to each.

    Parameters
    ----------
    measure
        A built-in measure or one of :func:`custom_measure`.
    classes
        Numbers of classes to try, in this order. The last three properties need three classes.
    seed, size
        Key and number of the random cases, which are tried beside all small ones.

    Returns
    -------
    tuple of Property
        - ``bounds``: no score leaves the stated bounds, if any.
        - ``identity``: a perfect estimate always gets one and the same score.
        - ``best at identity``: nothing scores better than a perfect estimate.
        - ``only at identity``: nothing else scores as well.
        - ``symmetric``: gold and estimate may be exchanged.
        - ``reversible``: reversing the order of the classes leaves the score.
        - ``order-aware``: some other permutation of the classes changes a score.
        - ``farther is worse``: an error moved one class farther away scores worse.
        - ``farther is never better``: such an error does not score better.

    Examples
    --------
    >>> from ordbook.measures import QUANTIFICATION
    >>> findings = {f.name: f for f in probe(QUANTIFICATION["RNOD"])}
    >>> findings["order-aware"].holds, findings["symmetric"].holds
    (True, False)
    >>> print(findings["symmetric"].statement)
    gold (1, 0, 0) and estimate (0, 0.5, 0.5) score 0.612372; exchanged,
    gold (0, 0.5, 0.5) and estimate (1, 0, 0) score 0.935414
    """
    chosen = [int(c) for c in classes]
    if not chosen or min(chosen) < 2:
        raise ValueError(f"classes must be numbers of at least 2 classes, not {list(classes)}")
    if size < 1:
        raise ValueError(f"size must be at least 1, not {size}")
    merged: dict[str, Property] = {}
    for finding in (finding for c in chosen for finding in _probed(measure, c, seed, size)):
        if before := merged.get(finding.name):
            # The first example, from the fewest classes, stays.
            kept = before if before.example else finding
            finding = replace(kept, tried=before.tried + finding.tried)
        merged[finding.name] = finding
    return tuple(merged.values())


def _probed(measure: Measure, classes: int, seed: int, size: int) -> Iterator[Property]:
    """Probe a measure with one number of classes, property by property."""
    cases = cases_of(measure, classes, seed, size)
    scores = measure.kernel(*cases)
    sign = 1 if measure.better == "high" else -1
    perfect, gain = f"{measure.perfect:g}", (scores - measure.perfect) * sign
    if len(cases) > 1:
        same = np.all(np.abs(cases[0] - cases[1]) <= 1e-12, axis=1)
        exchanged = cases[::-1]
    else:
        same = (cases[0] * ~np.eye(classes, dtype=bool)).sum(axis=(1, 2)) == 0
        exchanged = (cases[0].swapaxes(1, 2),)
    low, high = measure.bounds(classes)
    if np.isfinite([low, high]).any():
        claim = f"scores lie between {low:g} and {high:g}"
        seen = f"(seen: {scores.min():g} to {scores.max():g})"
        outside = (scores < low - NOISE) | (scores > high + NOISE)
        text = f", not between {low:g} and {high:g}"
        yield _finding("bounds", f"{claim} {seen}", outside, text, cases, scores)
    for name, claim, refuted, text in (
        (
            "identity",
            f"a perfect estimate scores {perfect}",
            same & (abs(gain) > SAME),
            f" though they are the same, others {perfect}",
        ),
        (
            "best at identity",
            "nothing scores better than a perfect estimate",
            ~same & (gain > SAME),
            f", better than {perfect}",
        ),
        (
            "only at identity",
            f"nothing but a perfect estimate scores {perfect}",
            ~same & (abs(gain) <= SAME),
            " as a perfect estimate does",
        ),
    ):
        yield _finding(name, claim, refuted, text, cases, scores)
    reversal = _permuted(cases, np.arange(classes)[::-1])
    for name, claim, text, changed in (
        ("symmetric", "gold and estimate may be exchanged", "exchanged", exchanged),
        (
            "reversible",
            "reversing the order of the classes leaves the score",
            "with the classes reversed",
            reversal,
        ),
    ):
        changed_scores = measure.kernel(*changed)
        refuted = abs(changed_scores - scores) > SAME
        yield _finding(name, claim, refuted, text, cases, scores, changed, changed_scores)
    if classes > 2:  # two classes have no order but the reversal, and no error is farther away
        yield _order_aware(measure, cases)
        yield from _farther(measure, cases, sign)


def _order_aware(measure: Measure, cases: Cases) -> Property:
    """Exchange neighbouring classes, all pairs of them in each case."""
    classes = cases[0].shape[-1]
    orders = np.tile(np.arange(classes), (classes - 1, 1))
    for i, order in enumerate(orders):
        order[[i, i + 1]] = i + 1, i
    swapped = zip(*(_permuted(cases, order) for order in orders), strict=True)
    reordered = tuple(np.stack(parts, axis=1).reshape(-1, *parts[0].shape[1:]) for parts in swapped)
    repeated = tuple(case.repeat(classes - 1, axis=0) for case in cases)
    ours, reordered_scores = measure.kernel(*repeated), measure.kernel(*reordered)
    claim = "no permutation of the classes changes a score"
    text = "with two classes exchanged"
    refuted = abs(reordered_scores - ours) > SAME
    finding = _finding(
        "order-aware", claim, refuted, text, repeated, ours, reordered, reordered_scores
    )
    return replace(finding, holds=not finding.holds)


def _farther(measure: Measure, cases: Cases, sign: int) -> Iterator[Property]:
    """Move an error one class farther from the gold class."""
    near, far = (
        tuple(np.concatenate(parts) for parts in zip(*side, strict=True))
        for side in zip(*_moved(cases), strict=True)
    )
    order = np.argsort(_complexity(near), kind="stable")
    near, far = (tuple(case[order] for case in side) for side in (near, far))
    ours, far_scores = measure.kernel(*near), measure.kernel(*far)
    gain = (far_scores - ours) * sign
    text = "with the error one class farther away"
    for name, verb, refuted in (
        ("farther is worse", "scores worse", gain >= -NOISE),
        ("farther is never better", "never scores better", gain > NOISE),
    ):
        claim = f"an error moved one class farther away {verb}"
        yield _finding(name, claim, refuted, text, near, ours, far, far_scores)


def _finding(
    name: str,
    claim: str,
    refuted: NDArray[np.bool_],
    text: str,
    cases: Cases,
    scores: Array,
    others: Cases = (),
    other_scores: Array | None = None,
) -> Property:
    """Return what was found: the first refuting case is shown, with the one it is compared to."""
    if not refuted.any():
        return Property(name, True, claim, len(refuted))
    k = int(np.argmax(refuted))
    keys = ("gold", "estimate") if len(cases) > 1 else ("cm",)
    case = [values[k].copy() for values in cases]
    example = dict(zip(keys, case, strict=True), score=float(scores[k]))
    statement = f"{words(case)} score {scores[k]:.6g}"
    if other_scores is None:
        return Property(name, False, f"{statement}{text}", len(refuted), example)
    other = [values[k].copy() for values in others]
    example |= {f"other_{key}": values for key, values in zip(keys, other, strict=True)}
    example["other_score"] = float(other_scores[k])
    statement += f"; {text}, {words(other)} score {other_scores[k]:.6g}"
    return Property(name, False, statement, len(refuted), example)


def _moved(cases: Cases) -> Iterator[tuple[Cases, Cases]]:
    """Yield cases with an error, and the same with it one class farther from the gold class."""
    classes = cases[0].shape[-1]
    gold = np.unique(cases[0], axis=0)[::-1]
    for i, j in product(range(classes), repeat=2):
        k = j + 1 if j > i else j - 1
        if j == i or not 0 <= k < classes:
            continue
        if len(cases) > 1:  # a gold class's mass is put into class j, or class k
            golds = gold[gold[:, i] > 0]
            near, far = golds.copy(), golds.copy()
            near[:, i] = far[:, i] = 0
            near[:, j] += golds[:, i]
            far[:, k] += golds[:, i]
            yield (golds, near), (golds, far)
        else:
            near = gold[gold[:, i, j] > 0]
            far = near.copy()
            far[:, i, j] -= 1
            far[:, i, k] += 1
            yield (near,), (far,)


def cases_of(measure: Measure, classes: int, seed: int, size: int) -> Cases:
    """Return gold and estimates, or confusion matrices: the simplest first."""
    rng = np.random.default_rng((seed, classes, size))
    if measure.kind == "quantification":
        small = _all_votes(classes, 4 if classes <= 3 else 2 if classes <= 7 else 1)
        small = np.unique(small / small.sum(1, keepdims=True), axis=0)[::-1]
        pairs = np.array(list(product(range(len(small)), repeat=2)))
        drawn = [_random_votes(classes, size, 30, rng) for _ in range(2)]
        drawn[1][-size // 10 :] = drawn[0][-size // 10 :]
        cases: Cases = tuple(
            np.concatenate([small[which], votes / votes.sum(1, keepdims=True)])
            for which, votes in zip(pairs.T, drawn, strict=True)
        )
    else:
        cells = classes**2
        most = {2: 4, 3: 3}.get(classes, 2 if classes <= 7 else 1)
        drawn = [_random_votes(cells, size // 2 + 1, total, rng) for total in (6, 60)]
        counts = np.concatenate([_all_votes(cells, most), *drawn])
        cases = (counts.reshape(-1, classes, classes),)
    order = np.argsort(_complexity(cases), kind="stable")
    return tuple(case[order] for case in cases)


def _complexity(cases: Cases) -> Array:
    """Return the size of each case: classes in use, then votes; or items, then cells in use."""
    if len(cases) > 1:
        votes = sum(1 / np.where(case > NOISE, case, 1).min(axis=1) for case in cases)
        return np.asarray(sum((case > 0).sum(axis=1) for case in cases) + 0.001 * votes)
    return np.asarray(cases[0].sum(axis=(1, 2)) + 0.001 * (cases[0] > 0).sum(axis=(1, 2)))


def _all_votes(cells: int, most: int) -> Array:
    """Every way to put 1, 2, ... `most` votes into cells, the fewest votes first."""
    rows = [
        np.bincount(chosen, minlength=cells)
        for count in range(1, most + 1)
        for chosen in combinations_with_replacement(range(cells - 1, -1, -1), count)
    ]
    return np.array(rows, dtype=np.float64)


def _random_votes(cells: int, size: int, total: int, rng: np.random.Generator) -> Array:
    """Votes spread over random subsets of the cells, some with ties."""
    weights = rng.random((size, cells)) * (rng.random((size, cells)) < rng.random((size, 1)))
    weights[np.arange(size), rng.integers(0, cells, size)] += 0.1
    votes = np.stack([rng.multinomial(total, w / w.sum()) for w in weights])
    votes[: size // 3] = np.minimum(votes[: size // 3], 1)  # tied: all of the chosen are equal
    return votes.astype(np.float64)


def _permuted(cases: Cases, order: NDArray[np.int_]) -> Cases:
    """Return the cases with their classes in another order."""
    if len(cases) > 1:
        return tuple(case[:, order] for case in cases)
    return (cases[0][:, order][:, :, order],)


def words(case: Sequence[Array]) -> str:
    """Write a case in words."""
    if len(case) > 1:
        gold, estimate = (", ".join(f"{v:.4g}" for v in values) for values in case)
        return f"gold ({gold}) and estimate ({estimate})"
    return f"the counts [{'; '.join(' '.join(f'{v:g}' for v in row) for row in case[0])}]"
