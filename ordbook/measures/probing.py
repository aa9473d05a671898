"""See what is true of a measure.

A probe searches and does not prove: "holds" means that no counterexample was found among all
small cases and some thousand random, sparse and tied ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .probe_cases import cases_of, complexity, moved_farther, permuted
from .registry import Measure
from .validation import Array

__all__ = ["Finding", "probe"]

# Scores this close are equal. Sums of a few terms err by 1e-16; a root of such an error by 1e-8.
SAME = 1e-7
# Differences below this are rounding where a property says "never better".
NOISE = 1e-9
# Without these nothing can be scored.
MUST_HOLD = ("finite", "row by row", "input unchanged")


@dataclass(frozen=True)
class Finding:
    """What a probe found about one property.

    Attributes
    ----------
    property
        Name of the property, such as ``symmetric``.
    holds
        No counterexample was found; for ``order-aware``, a witness was.
    statement
        What was tested and what came out, one sentence.
    tried
        Number of cases.
    example
        The smallest counterexample (for ``order-aware``: witness), by name: gold, estimate and
        score, or cm and score; with ``other_…`` where two cases are compared. None without one.
    """

    property: str
    holds: bool
    statement: str
    tried: int
    example: Mapping[str, Any] | None = None


def probe(
    measure: Measure, classes: Sequence[int] = (2, 3, 5), *, seed: int = 0, size: int = 2000
) -> tuple[Finding, ...]:
    """Probe the properties of a measure, and find the smallest counterexample to each.

    Parameters
    ----------
    measure
        A built-in measure or one of :func:`custom_measure`.
    classes
        Numbers of classes to try, in this order.
    seed, size
        Key of the random cases, and how many there are beside all small ones.

    Returns
    -------
    tuple of Finding
        - ``finite``: every score is a finite number.
        - ``row by row``: a case scores the same alone and among others.
        - ``input unchanged``: the function does not write into its arguments.
        - ``bounds``: no score leaves the stated bounds (where they are stated).
        - ``identity``: a perfect estimate always gets one and the same score.
        - ``best at identity``: nothing scores better than a perfect estimate.
        - ``only at identity``: nothing else scores as well.
        - ``symmetric``: gold and estimate may be exchanged.
        - ``reversible``: reversing the order of the classes leaves the score.
        - ``order-aware``: some other permutation of the classes changes a score.
        - ``farther is worse``: an error moved one class farther away scores worse.
        - ``farther is never better``: at least it does not score better.

    Examples
    --------
    >>> from ordbook.measures import QUANTIFICATION
    >>> findings = {f.property: f for f in probe(QUANTIFICATION["RNOD"])}
    >>> findings["order-aware"].holds, findings["symmetric"].holds
    (True, False)
    >>> print(findings["symmetric"].statement)
    gold (1, 0, 0) and estimate (0, 0.5, 0.5) score 0.612372, exchanged 0.935414
    """
    chosen = [int(c) for c in classes]
    if not chosen or min(chosen) < 2:
        raise ValueError(f"classes must be numbers of at least 2 classes, not {list(classes)}")
    if size < 1:
        raise ValueError(f"size must be at least 1, not {size}")
    merged: dict[str, Finding] = {}
    for c in chosen:
        for finding in probe_with(measure, c, seed, size):
            before = merged.get(finding.property)
            if before is None:
                merged[finding.property] = finding
                continue
            tried = before.tried + finding.tried
            # The first example, from the fewest classes, stays.
            keep = finding if before.example is None else before
            merged[finding.property] = replace(keep, tried=tried)
    return tuple(merged.values())


def probe_with(measure: Measure, classes: int, seed: int, size: int) -> Iterator[Finding]:
    quantification = measure.kind == "quantification"
    cases = cases_of(quantification, classes, seed, size)
    count = len(cases[0])
    worse = 1.0 if measure.better == "low" else -1.0
    before = [case.copy() for case in cases]
    try:
        scores = np.asarray(measure.kernel(*cases), dtype=np.float64)
    except ValueError as error:
        yield Finding("finite", False, str(error), count)
        return
    changed = [np.argwhere(a != b) for a, b in zip(cases, before, strict=True)]
    changed_rows = [int(rows[0][0]) for rows in changed if len(rows)]
    cases = tuple(before)

    def example(k: int, **more: Any) -> dict[str, Any]:
        names = ("gold", "estimate") if quantification else ("cm",)
        own = {n: case[k].copy() for n, case in zip(names, cases, strict=True)}
        return {**own, "score": float(scores[k]), **more}

    def words(k: int) -> str:
        if quantification:
            return f"gold {show_values(cases[0][k])} and estimate {show_values(cases[1][k])}"
        return f"the counts {show_values(cases[0][k])}"

    def finding(
        name: str,
        bad: Array | np.ndarray[Any, np.dtype[np.bool_]],
        good: str,
        why: Any,
        **more: Any,
    ) -> Finding:
        found = np.flatnonzero(bad)
        if not len(found):
            return Finding(name, True, good, len(bad))
        k = int(found[0])
        extra = {key: value(k) for key, value in more.items()}
        return Finding(name, False, why(k), len(bad), example(k, **extra))

    yield finding(
        "finite",
        ~np.isfinite(scores),
        "every score is a finite number",
        lambda k: f"{words(k)} score {scores[k]}",
    )
    some = np.unique(np.linspace(0, count - 1, min(count, 40)).astype(int))
    alone = np.array([float(measure.kernel(*(case[k].copy() for case in cases))) for k in some])
    apart = np.zeros(count, dtype=bool)
    apart[some] = ~(np.abs(alone - scores[some]) <= NOISE)
    single = dict(zip(some.tolist(), alone.tolist(), strict=True))
    yield finding(
        "row by row",
        apart,
        "a case scores the same alone and among others",
        lambda k: f"{words(k)} score {scores[k]:g} among others and {single[k]:g} alone",
        other_score=lambda k: single[k],
    )
    touched = np.zeros(count, dtype=bool)
    touched[changed_rows] = True
    yield finding(
        "input unchanged",
        touched,
        "the function leaves its input alone",
        lambda k: f"the function writes into its input: {words(k)}",
    )
    low, high = measure.bounds(classes)
    if np.isfinite([low, high]).any():
        yield finding(
            "bounds",
            (scores < low - NOISE) | (scores > high + NOISE),
            f"scores lie between {low:g} and {high:g} (seen: {scores.min():g} to {scores.max():g})",
            lambda k: f"{words(k)} score {scores[k]:g}, not between {low:g} and {high:g}",
        )
    perfect = measure.perfect if np.isfinite(measure.perfect) else perfect_score(measure)
    if quantification:
        same = (np.abs(cases[0] - cases[1]) <= 1e-12).all(axis=1)
        exchanged = cases[::-1]
    else:
        same = (cases[0] * ~np.eye(classes, dtype=bool)).sum(axis=(1, 2)) == 0
        exchanged = (cases[0].swapaxes(1, 2).copy(),)
    yield finding(
        "identity",
        same & (np.abs(scores - perfect) > SAME),
        f"a perfect estimate scores {perfect:g}",
        lambda k: f"{words(k)} are the same and score {scores[k]:g}, others {perfect:g}",
    )
    yield finding(
        "best at identity",
        ~same & (worse * (scores - perfect) < -SAME),
        "nothing scores better than a perfect estimate",
        lambda k: f"{words(k)} score {scores[k]:g}, better than {perfect:g}",
    )
    yield finding(
        "only at identity",
        ~same & (np.abs(scores - perfect) <= SAME),
        f"nothing but a perfect estimate scores {perfect:g}",
        lambda k: f"{words(k)} score {scores[k]:g} as a perfect estimate does",
    )
    swapped = measure.kernel(*(case.copy() for case in exchanged))
    yield finding(
        "symmetric",
        np.abs(swapped - scores) > SAME,
        "gold and estimate may be exchanged",
        lambda k: f"{words(k)} score {scores[k]:.6g}, exchanged {swapped[k]:.6g}",
        other_score=lambda k: float(swapped[k]),
    )
    turned = measure.kernel(*permuted(quantification, cases, np.arange(classes)[::-1]))
    yield finding(
        "reversible",
        np.abs(turned - scores) > SAME,
        "reversing the order of the classes leaves the score",
        lambda k: f"{words(k)} score {scores[k]:.6g}, with the classes reversed {turned[k]:.6g}",
        other_score=lambda k: float(turned[k]),
    )
    yield _order_aware(measure, cases, scores, example, words)
    yield from _farther_is_worse(measure, cases, worse)


def _order_aware(
    measure: Measure,
    cases: tuple[Array, ...],
    scores: Array,
    example: Callable[..., dict[str, Any]],
    words: Callable[[int], str],
) -> Finding:
    classes, tried = cases[0].shape[-1], 0
    best: tuple[int, list[int], float] | None = None
    # Two classes have no permutation but the reversal.
    for i in range(classes - 1 if classes > 2 else 0):
        order = np.arange(classes)
        order[[i, i + 1]] = order[[i + 1, i]]
        other = measure.kernel(*permuted(measure.kind == "quantification", cases, order))
        tried += len(scores)
        differing = np.flatnonzero(np.abs(other - scores) > SAME)
        if len(differing) and (best is None or differing[0] < best[0]):
            k = int(differing[0])
            best = k, order.tolist(), float(other[k])
    if best is None:
        return Finding(
            "order-aware",
            False,
            "no permutation of the classes changes a score"
            if tried
            else "two classes have no order to be aware of",
            tried,
        )
    k, order_found, score = best
    return Finding(
        "order-aware",
        True,
        f"{words(k)} score {scores[k]:.6g}, with the classes in the order {order_found} "
        f"{score:.6g}",
        tried,
        example(k, order=order_found, other_score=score),
    )


def _farther_is_worse(
    measure: Measure, cases: tuple[Array, ...], worse: float
) -> Iterator[Finding]:
    quantification, tried = measure.kind == "quantification", 0
    names = ("gold", "estimate") if quantification else ("cm",)
    goods = {
        "farther is worse": "an error moved one class farther away scores worse",
        "farther is never better": "an error moved one class farther away never scores better",
    }
    best: dict[str, tuple[float, Finding]] = {}
    for near, far in moved_farther(quantification, cases):
        ours = measure.kernel(*(case.copy() for case in near))
        theirs = measure.kernel(*(case.copy() for case in far))
        tried += len(ours)
        gain = worse * (ours - theirs)
        for name, bad in zip(goods, (gain >= -NOISE, gain > NOISE), strict=True):
            for k in np.flatnonzero(bad):
                size = complexity(near, int(k))
                if name in best and best[name][0] <= size:
                    continue
                found = {n: case[k].copy() for n, case in zip(names, near, strict=True)}
                found |= {"score": float(ours[k]), f"other_{names[-1]}": far[-1][k].copy()}
                found["other_score"] = float(theirs[k])
                shown = f"gold {show_values(near[0][k])}: estimate" if quantification else "matrix"
                verdict = "better" if gain[k] > NOISE else "as well"
                text = (
                    f"{shown} {show_values(far[-1][k])}, farther off than "
                    f"{show_values(near[-1][k])}, scores {verdict} "
                    f"({theirs[k]:.6g} and {ours[k]:.6g})"
                )
                best[name] = size, Finding(name, False, text, 0, found)
    for name, good in goods.items():
        if name in best:
            yield replace(best[name][1], tried=tried)
        else:
            none = "with two classes no error can move farther away"
            yield Finding(name, True, good if tried else none, tried)


def check_broadcasting(measure: Measure) -> None:
    """One gold distribution per topic meets many runs: (1, topics, C) and (runs, topics, C)."""
    gold, estimate = (case[:60] for case in cases_of(True, 3, 0, 60))
    at_once = measure.kernel(gold[None].copy(), np.stack([estimate, estimate[::-1]]))
    apart = [measure.kernel(gold.copy(), e.copy()) for e in (estimate, estimate[::-1])]
    if not (np.abs(at_once - np.stack(apart)) <= NOISE).all():
        raise ValueError(
            f"{measure.name}: the function scores many runs at once differently from one by one; "
            "work along the last axis only (axis=-1)"
        )


def perfect_score(measure: Measure) -> float:
    """Score of a perfect estimate of an uneven gold distribution of three classes."""
    gold = np.array([3.0, 2.0, 1.0])
    if measure.kind == "quantification":
        return float(measure.kernel(gold / 6, gold / 6))
    return float(measure.kernel(np.diag(gold)))


def show_values(values: Array) -> str:
    if values.ndim == 2:
        return "[" + "; ".join(" ".join(f"{v:g}" for v in row) for row in values) + "]"
    return "(" + ", ".join(f"{v:.4g}" for v in values) + ")"
