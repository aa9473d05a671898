"""Bring your own measure, and see what is true of it.

Contents
--------
- ``custom_measure``   a vectorised function -> a Measure, beside those of the registry
- ``probe``            a Measure -> Findings, each with its smallest counterexample
- ``Finding``          one property: does it hold, on how many cases, where not

A probe searches and does not prove: "holds" means that no counterexample was found among all
small cases and some thousand random, sparse and tied ones.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from .confusion import ClassificationMeasure
from .registry import CLASSIFICATION, QUANTIFICATION, Measure
from .validation import Array, Score, as_score, check_pair

__all__ = ["Finding", "custom_measure", "probe"]

Better = Literal["low", "high"]
Kind = Literal["quantification", "classification"]

# Scores this close are equal. Sums of a few terms err by 1e-16; a root of such an error by 1e-8.
SAME = 1e-7
# Differences below this are rounding where a property says "never better".
NOISE = 1e-9
# Without these nothing can be scored.
_MUST = ("finite", "row by row", "input unchanged")


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


def custom_measure(
    name: str,
    function: Callable[..., Any],
    *,
    better: Better,
    kind: Kind = "quantification",
    title: str | None = None,
    bounds: tuple[float, float] | Callable[[int], tuple[float, float]] | None = None,
    source: str = "yours; properties probed, not proved",
    **facts: Any,
) -> Measure:
    """Make a measure of your function, ready for every analysis beside the built-in ones.

    Parameters
    ----------
    name
        How tables call it; not the name of a built-in measure.
    function
        For quantification f(gold, estimate): arrays (..., C) of distributions that broadcast ->
        one score each (...). For classification f(cm): counts (..., C, C), ``cm[..., gold,
        predicted]`` -> (...). It is called with many rows at once; a function of single rows can
        be wrapped by ``numpy.vectorize(f, signature="(c),(c)->()")``.
    better
        Which end of the scale is better: ``"low"`` or ``"high"``.
    kind
        ``"quantification"`` or ``"classification"``.
    title
        Full name.
    bounds
        (least, largest) score, or a function of the number of classes that returns them. They are
        checked by :func:`probe`. Unknown by default.
    source
        Where the definition stands.
    **facts
        Other attributes of :class:`Measure` to state (``symmetric=True``). Those not stated are
        filled from a quick probe with three and five classes.

    Returns
    -------
    Measure
        Its ``function`` validates its input as the built-in ones do; its ``kernel`` refuses
        scores that are not finite numbers of the right shape.

    Raises
    ------
    ValueError
        If the name is taken, an argument is unknown, or the function fails on valid input: it
        returns another shape or no numbers, changes its input, or scores a row differently alone
        and among others.

    Examples
    --------
    >>> import numpy as np
    >>> def chebyshev(gold, estimate):
    ...     return np.abs(gold - estimate).max(axis=-1)
    >>> measure = custom_measure("Chebyshev", chebyshev, better="low", bounds=(0, 1))
    >>> measure.function([.5, .5, 0], [.2, .3, .5])
    0.5
    >>> measure.symmetric, measure.ordinal
    (True, False)
    """
    if not isinstance(name, str) or not name.strip() or name != name.strip():
        raise ValueError(f"a measure needs a name without blanks around it, not {name!r}")
    if not name.isprintable():
        raise ValueError(f"the name {name!r} holds a character that cannot be printed")
    if name in QUANTIFICATION or name in CLASSIFICATION:
        raise ValueError(f"{name!r} is a built-in measure: choose another name")
    if not callable(function):
        raise ValueError(f"{name}: the function is not callable but {function!r}")
    if better not in ("low", "high"):
        raise ValueError(f"{name}: better must be 'low' or 'high', not {better!r}")
    if kind not in ("quantification", "classification"):
        raise ValueError(f"{name}: kind must be 'quantification' or 'classification', not {kind!r}")
    limits = _Bounds(bounds)
    known = set(Measure.__dataclass_fields__) - {"name", "kind", "function", "kernel", "mean"}
    if unknown := set(facts) - known:
        raise ValueError(f"{name}: a measure has no {', '.join(sorted(unknown))}")
    quantification = kind == "quantification"
    kernel = _Kernel(name, function, quantification)
    draft = Measure(
        name=name,
        title=title or name,
        kind=kind,
        function=_OnDistributions(kernel) if quantification else _OnLabels(kernel),
        kernel=kernel,
        mean=_Mean(kernel) if quantification else None,
        ordinal=False,
        farther_is_worse="never",
        symmetric=False,
        equidistant=None,
        magnitude=None,
        better=better,
        range=str(facts.get("range", limits)),
        bounds=limits,
        attained="not probed",
        perfect=float("nan"),
        identity="always",
        only_at_identity=False,
        imbalance=None,
        constant_runs=None,
        source=source,
        papers=(),
    )
    if quantification:
        _check_broadcasting(draft)
    found: dict[str, Finding] = {}
    for classes in (3, 5):  # only what holds for both holds
        for finding in _probe(draft, classes, 0, 500):
            if finding.property in _MUST and not finding.holds:
                raise ValueError(f"{name}: {finding.statement.removeprefix(f'{name}: ')}")
            before = found.get(finding.property)
            if before is None or (before.holds != (finding.property == "order-aware")):
                found[finding.property] = finding
    ordinal = found["order-aware"].holds
    farther = "weakly" if found["farther is never better"].holds else "not always"
    if found["farther is worse"].holds:
        farther = "always"
    perfect = _perfect(draft)
    return replace(
        draft,
        **{
            "ordinal": ordinal,
            "farther_is_worse": farther if ordinal else "never",
            "symmetric": found["symmetric"].holds,
            "perfect": perfect,
            "identity": "always" if found["identity"].holds else "not always",
            "only_at_identity": found["only at identity"].holds,
            **facts,
        },
    )


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
        for finding in _probe(measure, c, seed, size):
            before = merged.get(finding.property)
            if before is None:
                merged[finding.property] = finding
                continue
            tried = before.tried + finding.tried
            # The first example, from the fewest classes, stays.
            keep = finding if before.example is None else before
            merged[finding.property] = replace(keep, tried=tried)
    return tuple(merged.values())


# -- a user's function, made safe ---------------------------------------------------------------


class _Kernel:
    """The user's function with its output checked; picklable where the function is."""

    def __init__(self, name: str, function: Callable[..., Any], quantification: bool) -> None:
        self.name, self.function, self.quantification = name, function, quantification
        self.__name__ = name
        self.__doc__ = inspect.getdoc(function)

    def __call__(self, *cases: Array) -> Array:
        if self.quantification:
            expected = np.broadcast_shapes(*(case.shape for case in cases))[:-1]
        else:
            expected = cases[0].shape[:-2]
        try:
            scores = np.asarray(self.function(*cases))
        except Exception as error:
            raise ValueError(
                f"{self.name}: the function fails on arrays of shape "
                f"{', '.join(str(case.shape) for case in cases)} "
                f"({type(error).__name__}: {error})"
            ) from error
        if scores.dtype.kind not in "iufb":
            raise ValueError(f"{self.name}: the function returns {scores.dtype}, not numbers")
        if scores.shape != expected:
            raise ValueError(
                f"{self.name}: the function returns shape {scores.shape} for input of shape "
                f"{', '.join(str(case.shape) for case in cases)}, expected {expected}: one score "
                "per row (work along the last axis, axis=-1)"
            )
        scores = scores.astype(np.float64)
        bad = ~np.isfinite(scores)
        if bad.any():
            where = tuple(np.argwhere(bad)[0])
            cases = np.broadcast_arrays(*cases)
            shown = ", ".join(_show(case[where]) for case in cases)
            raise ValueError(
                f"{self.name}: the score of {shown} is {scores[where]}; define it "
                "(every valid case needs a score)"
            )
        return scores


class _OnDistributions:
    """Score distributions, validated as those of the built-in measures."""

    def __init__(self, kernel: _Kernel) -> None:
        self.kernel = kernel
        self.__name__, self.__doc__ = kernel.__name__, kernel.__doc__

    def __call__(self, gold: ArrayLike, estimate: ArrayLike, *, normalise: bool = False) -> Score:
        return as_score(self.kernel(*check_pair(gold, estimate, normalise=normalise)))


class _Mean:
    """Mean score as one float, for QuaPy's model selection."""

    def __init__(self, kernel: _Kernel) -> None:
        self.kernel = kernel
        self.__name__ = f"mean_{kernel.__name__}"

    def __call__(self, gold: ArrayLike, estimate: ArrayLike) -> float:
        return float(np.mean(self.kernel(*check_pair(gold, estimate))))


class _OnLabels(ClassificationMeasure):
    """Callable on labels and, through ``from_confusion``, on matrices."""

    def __init__(self, kernel: _Kernel) -> None:
        super().__init__(kernel)
        self.__name__ = kernel.__name__

    def __reduce__(self) -> Any:
        return type(self), (self.kernel,)  # it is no global of its module

    def __repr__(self) -> str:
        return f"<measure {self.__name__}, yours>"


class _Bounds:
    """Bounds by number of classes, from what the user stated."""

    def __init__(
        self, stated: tuple[float, float] | Callable[[int], tuple[float, float]] | None
    ) -> None:
        if stated is not None and not callable(stated):
            try:
                low, high = map(float, stated)
            except (TypeError, ValueError):
                raise ValueError(f"bounds must be (least, largest), not {stated!r}") from None
            if not low < high:
                raise ValueError(f"bounds must be (least, largest), not {stated!r}")
            stated = (low, high)
        self.stated = stated

    def __call__(self, n_classes: int) -> tuple[float, float]:
        if self.stated is None:
            return -np.inf, np.inf
        low, high = self.stated(n_classes) if callable(self.stated) else self.stated
        return float(low), float(high)

    def __str__(self) -> str:
        if self.stated is None:
            return "not stated"
        if callable(self.stated):
            return "depends on the number of classes"
        return f"{self.stated[0]:g} to {self.stated[1]:g}"


# -- cases: all small ones by size, then random, sparse and tied ones ---------------------------


def _votes(cells: int, most: int) -> Array:
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


def _cases(quantification: bool, classes: int, seed: int, size: int) -> tuple[Array, ...]:
    """Gold and estimates, or confusion matrices: the simplest first."""
    rng = np.random.default_rng((seed, classes, size))
    if quantification:
        small = _votes(classes, 4 if classes <= 3 else 2 if classes <= 7 else 1)
        small = np.unique(small / small.sum(1, keepdims=True), axis=0)[::-1]
        # Simple: few classes in use, and few votes.
        votes = 1 / np.where(small > 0, small, 1).min(axis=1)
        order = np.argsort((small > 0).sum(1) * 10 + votes, kind="stable")
        small = small[order]
        cost = np.arange(len(small))
        first, second = (a.ravel() for a in np.meshgrid(cost, cost, indexing="ij"))
        order = np.argsort(first + second, kind="stable")
        gold, estimate = small[first[order]], small[second[order]]
        drawn = [_random_votes(classes, size, 30, rng) for _ in range(2)]
        drawn[1][-size // 10 :] = drawn[0][-size // 10 :]
        drawn = [d / d.sum(1, keepdims=True) for d in drawn]
        return np.concatenate([gold, drawn[0]]), np.concatenate([estimate, drawn[1]])
    cells = classes**2
    small = _votes(cells, 4 if classes == 2 else 3 if classes == 3 else 2 if classes <= 7 else 1)
    drawn_cm = [_random_votes(cells, size // 2 + 1, total, rng) for total in (6, 60)]
    off = ~np.eye(classes, dtype=bool).ravel()
    right = drawn_cm[1].copy()
    right[:, off] = np.floor(right[:, off] / 4)
    right[right.sum(1) == 0, 0] = 1
    matrices = np.concatenate([small, *drawn_cm, right])
    return (matrices.reshape(-1, classes, classes),)


def _farther(
    quantification: bool, cases: tuple[Array, ...]
) -> Iterator[tuple[tuple[Array, ...], tuple[Array, ...]]]:
    """Pairs of cases, the second with the same error one class farther from the gold class."""
    classes = cases[0].shape[-1]
    for i in range(classes):
        for j in range(classes):
            k = j + 1 if j > i else j - 1
            if j == i or not 0 <= k < classes:
                continue
            if quantification:
                # Half or all of a gold class's mass is put into class j, or into class k.
                gold = np.unique(cases[0], axis=0)[::-1]
                gold = gold[gold[:, i] > 0]
                for part in (1.0, 0.5):
                    near = gold.copy()
                    near[:, i] -= part * gold[:, i]
                    far = near.copy()
                    near[:, j] += part * gold[:, i]
                    far[:, k] += part * gold[:, i]
                    yield (gold, near), (gold, far)
            else:
                near = cases[0][cases[0][:, i, j] > 0]
                far = near.copy()
                far[:, i, j] -= 1
                far[:, i, k] += 1
                if len(near):
                    yield (near,), (far,)


# -- properties ---------------------------------------------------------------------------------


def _probe(measure: Measure, classes: int, seed: int, size: int) -> Iterator[Finding]:
    quantification = measure.kind == "quantification"
    cases = _cases(quantification, classes, seed, size)
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
            return f"gold {_show(cases[0][k])} and estimate {_show(cases[1][k])}"
        return f"the matrix {_show(cases[0][k])}"

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
    perfect = measure.perfect if np.isfinite(measure.perfect) else _perfect(measure)
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
    turned = measure.kernel(*_permuted(quantification, cases, np.arange(classes)[::-1]))
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
        other = measure.kernel(*_permuted(measure.kind == "quantification", cases, order))
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
    for near, far in _farther(quantification, cases):
        ours = measure.kernel(*(case.copy() for case in near))
        theirs = measure.kernel(*(case.copy() for case in far))
        tried += len(ours)
        gain = worse * (ours - theirs)
        for name, bad in zip(goods, (gain >= -NOISE, gain > NOISE), strict=True):
            for k in np.flatnonzero(bad):
                size = _complexity(near, int(k))
                if name in best and best[name][0] <= size:
                    continue
                found = {n: case[k].copy() for n, case in zip(names, near, strict=True)}
                found |= {"score": float(ours[k]), f"other_{names[-1]}": far[-1][k].copy()}
                found["other_score"] = float(theirs[k])
                shown = f"gold {_show(near[0][k])}: estimate" if quantification else "matrix"
                verdict = "better" if gain[k] > NOISE else "as well"
                text = (
                    f"{shown} {_show(far[-1][k])}, farther off than {_show(near[-1][k])}, scores "
                    f"{verdict} ({theirs[k]:.6g} and {ours[k]:.6g})"
                )
                best[name] = size, Finding(name, False, text, 0, found)
    for name, good in goods.items():
        if name in best:
            yield replace(best[name][1], tried=tried)
        else:
            none = "with two classes no error can move farther away"
            yield Finding(name, True, good if tried else none, tried)


def _check_broadcasting(measure: Measure) -> None:
    """One gold distribution per topic meets many runs: (1, topics, C) and (runs, topics, C)."""
    gold, estimate = (case[:60] for case in _cases(True, 3, 0, 60))
    at_once = measure.kernel(gold[None].copy(), np.stack([estimate, estimate[::-1]]))
    apart = [measure.kernel(gold.copy(), e.copy()) for e in (estimate, estimate[::-1])]
    if not (np.abs(at_once - np.stack(apart)) <= NOISE).all():
        raise ValueError(
            f"{measure.name}: the function scores many runs at once differently from one by one; "
            "work along the last axis only (axis=-1)"
        )


def _complexity(cases: tuple[Array, ...], k: int) -> float:
    """Size of a case: classes in use, then items or digits."""
    if len(cases) == 2:
        used = sum(float((case[k] > 0).sum()) for case in cases)
        return used + 0.01 * sum(len({round(float(v), 9) for v in case[k]}) for case in cases)
    return float(cases[0][k].sum()) + 0.01 * float((cases[0][k] > 0).sum())


def _permuted(quantification: bool, cases: tuple[Array, ...], order: Any) -> tuple[Array, ...]:
    if quantification:
        return tuple(case[:, order].copy() for case in cases)
    return (cases[0][:, order][:, :, order].copy(),)


def _perfect(measure: Measure) -> float:
    """Score of a perfect estimate of an uneven gold distribution of three classes."""
    gold = np.array([3.0, 2.0, 1.0])
    if measure.kind == "quantification":
        return float(measure.kernel(gold / 6, gold / 6))
    return float(measure.kernel(np.diag(gold)))


def _show(values: Array) -> str:
    if values.ndim == 2:
        return "[" + "; ".join(" ".join(f"{v:g}" for v in row) for row in values) + "]"
    return "(" + ", ".join(f"{v:.4g}" for v in values) + ")"
