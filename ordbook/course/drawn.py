"""Exercises worked by hand: numbers drawn at random, and the answers that ordbook computes.

Numbers are drawn again until every answer is clear: it is not near the edge of its rounding, and no
common mistake leads to it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

import ordbook as ob
from ordbook.data.scores import Better
from ordbook.data.tasks import Provenance
from ordbook.measures.components import dw, equidistance, md, od
from ordbook.meta.kendall import pair_signs
from ordbook.meta.significance import SignificanceTests

# An answer may miss by so much: a slip in the fourth digit of a result that is rounded to three.
TOLERANCE = 0.001
CLASSES, TOPICS, TRIALS, ALPHA = 5, 10, 1000, 0.05
RUNS = "ABCDE"
PAIRS = np.array([a + b for a, b in combinations(RUNS, 2)])
FIRST, SECOND = np.triu_indices(len(RUNS), 1)

Floats: TypeAlias = NDArray[np.float64]
Answer: TypeAlias = float | int | str


@dataclass(frozen=True)
class Question:
    """An exercise with its numbers and answers.

    Its answers are floats, which are rounded to three digits, counts and names of runs; a mistake
    is the name of an answer, the wrong value and what leads to it.
    """

    kind: str
    values: Mapping[str, Any]
    answers: Mapping[str, Any]
    mistakes: Sequence[tuple[str, float, str]] = ()

    @property
    def clear(self) -> bool:
        """Whether rounding and common mistakes leave each answer apart from all others."""
        edges = [abs(1000 * v % 1 - 0.5) for v in self.answers.values() if isinstance(v, float)]
        apart = [abs(self.answers[name] - value) for name, value, _ in self.mistakes]
        return min(edges, default=1) > 0.02 and min(apart, default=1) > 5 * TOLERANCE


def draw(kind: str, seed: int, variant: int = 0) -> Question:
    """Draw an exercise: the same for the same arguments.

    Raises ``ValueError`` if there is no such kind, or if the seed, of any length, is negative.

    Examples
    --------
    >>> list(draw("tau", 7).answers)
    ['tau_a', 'tau_b']
    """
    if kind not in KINDS:
        raise ValueError(f"no question {kind!r}; there are {', '.join(KINDS)}")
    if seed < 0:
        raise ValueError(f"the seed must not be negative, it is {seed}")
    # A stream for each kind: the other questions of a sheet do not change it.
    rng = np.random.default_rng([seed, variant, list(KINDS).index(kind)])
    while True:
        question = KINDS[kind](rng)
        if question and question.clear:
            return question


def _distributions(rng: np.random.Generator) -> tuple[Floats, Floats]:
    gold, estimate = (rng.multinomial(10, rng.dirichlet(np.ones(CLASSES))) for _ in range(2))
    return gold / 10, estimate / 10


def about_nmd(gold: Floats, estimate: Floats) -> Question:
    """Ask for the NMD of an estimate."""
    differences = np.cumsum(estimate - gold).round(1)
    distance = float(md(gold, estimate))
    values = {
        "gold": gold.tolist(),
        "estimate": estimate.tolist(),
        "cumulated": [np.cumsum(p).tolist() for p in (gold, estimate)],
        "differences": abs(differences).tolist(),
        "md": distance,
    }
    signed = abs(float(differences.sum())) / (CLASSES - 1)
    mistakes = [
        ("NMD", distance / CLASSES, "divides by the number of classes"),
        ("NMD", signed, "leaves out the absolute values, so that differences cancel"),
        ("NMD", float(ob.nvd(gold, estimate)), "is NVD, which adds errors without cumulating them"),
    ]
    return Question("nmd", values, {"NMD": float(ob.nmd(gold, estimate))}, mistakes)


def _nmd(rng: np.random.Generator) -> Question | None:
    """Draw four cumulative differences, so that all variants are the same amount of work.

    The mistakes make the errors run in both directions.
    """
    gold, estimate = _distributions(rng)
    differences = np.cumsum(estimate - gold).round(1)[:-1]
    return about_nmd(gold, estimate) if differences.all() else None


def about_rnod(gold: Floats, estimate: Floats) -> Question:
    """Ask for the RNOD of an estimate, where a class without gold makes views matter."""
    views = np.flatnonzero(gold)
    rnod = float(ob.rnod(gold, estimate))
    values = {
        "gold": gold.tolist(),
        "estimate": estimate.tolist(),
        "errors": (estimate - gold).tolist(),
        "squares": ((estimate - gold) ** 2).tolist(),
        "views": [(int(i) + 1, float(dw(gold, estimate)[i])) for i in views],
        "od": float(od(gold, estimate)),
    }
    mistakes = [
        ("RNOD", float(ob.rnadw(gold, estimate)), "averages over all classes, not over $C^*$"),
        ("RNOD", rnod**2, "forgets the root"),
    ]
    return Question("rnod", values, {"RNOD": rnod}, mistakes)


def _rnod(rng: np.random.Generator) -> Question | None:
    """Draw three viewpoints and four errors, the same work in all variants."""
    gold, estimate = _distributions(rng)
    errors = (estimate - gold).round(1)
    if np.count_nonzero(gold) != 3 or np.count_nonzero(errors) != 4:
        return None
    question = about_rnod(gold, estimate)
    return question if question.answers["RNOD"] < 1 else None


def toy() -> list[Question]:
    """Return the questions of the first session's toy: the helpdesk's week and model `bold`."""
    gold, estimate = np.array([[0, 0.1, 0.2, 0.4, 0.3], [0.1, 0.1, 0.2, 0.1, 0.5]])
    return [about_nmd(gold, estimate), about_rnod(gold, estimate)]


def _kappa(rng: np.random.Generator) -> Question | None:
    """Label twelve items of three classes with errors of one step and of two."""
    y_true = np.sort(rng.integers(0, 3, 12))
    y_pred = np.where(rng.random(12) < 0.4, rng.integers(0, 3, 12), y_true)
    matrix = np.zeros((3, 3), dtype=int)
    np.add.at(matrix, (y_true, y_pred), 1)
    steps = equidistance(3)
    gold, chosen = matrix.sum(axis=1), matrix.sum(axis=0)
    errors = int((matrix * (steps > 0)).sum())
    if not 3 <= errors <= 6 or not matrix[steps == 2].any() or not (gold * chosen).all():
        return None
    values = {
        "matrix": matrix.tolist(),
        "gold": gold.tolist(),
        "chosen": chosen.tolist(),
        "observed": int((steps * matrix).sum()),
        "expected": float((steps * np.outer(gold, chosen)).sum() / 12),
    }
    kappa, squared, plain = (
        float(ob.kappa.from_confusion(matrix, weights=weights))
        for weights in (steps, steps**2, (steps > 0).astype(float))
    )
    mistakes = [
        ("kappa", squared, "squares the steps"),
        ("kappa", plain, "counts every error once, however far it is off"),
        ("kappa", 1 - errors / 12, "is the accuracy, which does not correct for chance"),
    ]
    return Question("kappa", values, {"kappa": kappa}, mistakes)


def _errors(rng: np.random.Generator) -> Question | None:
    """Let two judges label ten items, of which one class has one, one three and one six.

    The judge with more right labels is the worse one by the macro error.
    """
    classes = np.sort(rng.choice(4, 3, replace=False) + 1)
    sizes = rng.permutation([1, 3, 6])
    gold = np.repeat(classes, sizes)
    labels = [np.where(rng.random(10) < 0.4, rng.integers(1, 5, 10), gold) for _ in range(2)]
    steps = [abs(gold - row) for row in labels]
    if any(not 3 <= np.count_nonzero(row) <= 5 or row.max() < 2 for row in steps):
        return None
    accuracy, micro, macro = (
        [float(measure(gold, row, labels=range(1, 5))) for row in labels]
        for measure in (ob.accuracy, ob.mae_micro, ob.mae_macro)
    )
    if not (accuracy[0] > accuracy[1] and macro[0] > macro[1]):
        return None
    values = {
        "gold": gold.tolist(),
        "labels": [row.tolist() for row in labels],
        "classes": classes.tolist(),
        "sizes": sizes.tolist(),
        "sums": [[int(row[gold == c].sum()) for c in classes] for row in steps],
    }
    answers, mistakes = {}, []
    for place, judge in enumerate("AB"):
        answers[f"accuracy_{judge}"] = accuracy[place]
        answers[f"MAE_mu_{judge}"] = micro[place]
        answers[f"MAE_M_{judge}"] = macro[place]
        mistakes += [
            (f"MAE_M_{judge}", macro[place] * 3 / 4, "divides by all classes, one without gold"),
            (f"MAE_M_{judge}", micro[place], "is the mean over all items"),
            (f"MAE_mu_{judge}", 1 - accuracy[place], "counts errors, however far they are off"),
        ]
    return Question("errors", values, answers, mistakes)


def _tau(rng: np.random.Generator) -> Question | None:
    """Rank six runs by two measures, by the second of which two share a rank."""
    first, second = (rng.permutation(6) + 1 for _ in range(2))
    tied = int(rng.integers(1, 6))
    second = np.where(second == tied + 1, tied, second)
    agree, disagree, even = _compared(first, second, "ABCDEF")
    a, b = (float(ob.kendall_tau(first, second, variant=v)) for v in ("a", "b"))
    if not 0 < abs(a) < 0.8:
        return None
    values = {"ranks": [first.tolist(), second.tolist()]}
    values |= {"agree": agree, "disagree": disagree, "even": even}
    mistakes = [
        ("tau_a", (len(agree) + 1 - len(disagree)) / 15, "counts the tied pair as concordant"),
        ("tau_b", a, "does not correct for the tie"),
    ]
    return Question("tau", values, {"tau_a": a, "tau_b": b}, mistakes)


def _compared(first: Any, second: Any, runs: str) -> list[list[str]]:
    """List the concordant, the discordant and the tied pairs of two rankings."""
    signs = (pair_signs(first) * pair_signs(second)).tolist()
    names = list(map("".join, combinations(runs, 2)))
    return [[n for n, s in zip(names, signs, strict=True) if s == sign] for sign in (1, -1, 0)]


def _tested(
    rng: np.random.Generator, levels: Mapping[str, Floats], noise: float
) -> SignificanceTests:
    """Test drawn scores, so that means exist for the p-values and the counts of trials."""
    easy = rng.normal(0, noise, (TOPICS, 1))
    scores = [level + easy + rng.normal(0, noise, (TOPICS, len(RUNS))) for level in levels.values()]
    names = tuple(levels), tuple(f"topic {k + 1}" for k in range(TOPICS)), tuple(RUNS)
    better: dict[str, Better] = dict.fromkeys(levels, "low")
    origin = Provenance("yours")
    matrix = ob.ScoreMatrix("the table", np.round(scores, 2).clip(0, 1), *names, better, origin)
    return ob.tukey_hsd(matrix, trials=TRIALS, seed=int(rng.integers(2**32)), threads=1)


def _contradiction(rng: np.random.Generator) -> Question | None:
    """Test five runs by two measures, with one contradiction and a pair that looks like one."""
    first = rng.permutation(np.linspace(0.2, 0.5, len(RUNS)))
    second = first + rng.normal(0, 0.04, len(RUNS))
    swapped = rng.choice(len(RUNS), 2, replace=False)
    second[swapped] = second[swapped[::-1]]
    tests = _tested(rng, {"RNOD": first, "NMD": second}, 0.05)
    means = tests.means.to_numpy().T
    p = tests.p.to_numpy().T
    opposed = (means[:, FIRST] - means[:, SECOND]).prod(axis=0) < 0
    significant = p < ALPHA
    both = significant.all(axis=0)
    if (abs(p - ALPHA) < 0.004).any() or significant.sum(axis=1).min() < 2:
        return None
    if (opposed & both).sum() != 1 or opposed.sum() < 2:
        return None
    (clash,) = ob.contradictions(tests, ALPHA).to_dict("records")
    values = {
        "means": means.tolist(),
        "p": list(zip(PAIRS, *p.tolist(), strict=True)),
        "found": [PAIRS[row].tolist() for row in significant],
        "both": PAIRS[both].tolist(),
        "either": int(significant.any(axis=0).sum()),
        "clash": clash,
        "weak": PAIRS[opposed & ~both].tolist(),
    }
    power = ob.discriminative_power(tests, ALPHA)["significant"]
    sso = ob.significance_overlap(tests, ALPHA)["overlap"].iloc[0]
    answers = {"RNOD": int(power["RNOD"]), "NMD": int(power["NMD"]), "SSO": float(sso)}
    answers |= {"better": clash["better"], "worse": clash["worse"]}
    return Question("contradiction", values, answers)


# Session -> the kinds that can be asked after it.
AFTER: Mapping[int, tuple[str, ...]] = {
    1: ("nmd", "rnod"),
    2: ("tau", "contradiction"),
    3: ("errors", "kappa"),
}
KINDS: Mapping[str, Callable[[np.random.Generator], Question | None]] = {
    "nmd": _nmd,
    "rnod": _rnod,
    "kappa": _kappa,
    "errors": _errors,
    "tau": _tau,
    "contradiction": _contradiction,
}
