r"""Questions about a confusion matrix, rankings, p-values and luck, worked step by step."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import log2
from typing import Any

import numpy as np

import ordbook as ob
from ordbook.course.drawn import (
    ALPHA,
    MEASURES,
    RUNS,
    TESTED,
    TRIALS,
    Drawn,
    tests_of,
    trials_of,
)
from ordbook.course.worked import BETWEEN, Question, come_out, question, root, rounded, verified
from ordbook.measures.components import equidistance
from ordbook.meta.kendall import pair_signs

CLASSES = (1, 2, 3)
_PLACES = range(len(CLASSES))


def _confusion(drawn: Drawn) -> tuple[np.ndarray, dict[str, Any]]:
    """Return the confusion matrix, and its sums."""
    cm = np.array(drawn.matrix)
    return cm, {"sizes": cm.sum(axis=1).tolist(), "chosen": cm.sum(axis=0).tolist()}


def mae(drawn: Drawn) -> Question:
    """Ask for the two mean absolute errors."""
    cm, values = _confusion(drawn)
    steps = (cm * equidistance(len(CLASSES))).astype(int).sum(axis=1).tolist()
    by_class = [Fraction(s, n) for s, n in zip(steps, values["sizes"], strict=True)]
    micro, macro = Fraction(sum(steps), int(cm.sum())), sum(by_class, Fraction(0)) / len(CLASSES)
    answers = {
        "MAE_mu": verified("MAE_mu", micro, ob.mae_micro.from_confusion(cm)),
        "MAE_M": verified("MAE_M", macro, ob.mae_macro.from_confusion(cm)),
    }
    values |= {"steps": steps, "micro": micro, "macro": macro}
    return question("mae", drawn, values, answers)


def kappa(drawn: Drawn) -> Question:
    """Ask for kappa with linear weights."""
    cm, values = _confusion(drawn)
    gold, chosen = values["sizes"], values["chosen"]
    pairs = [(i, j) for i in _PLACES for j in _PLACES if i != j]

    def terms(shown: dict[tuple[int, int], str]) -> str:
        return " + ".join(
            (f"{abs(i - j)}" + r" \cdot " if abs(i - j) > 1 else "") + shown[i, j]
            for i, j in pairs
            if shown[i, j] != "0"
        )

    observed = sum(abs(i - j) * int(cm[i, j]) for i, j in pairs)
    expected = Fraction(sum(abs(i - j) * gold[i] * chosen[j] for i, j in pairs), int(cm.sum()))
    value = 1 - observed / expected
    values |= {
        "seen": terms({pair: str(cm[pair]) for pair in pairs}),
        "observed": observed,
        "chance": terms({(i, j): rf"{gold[i]} \cdot {chosen[j]}" for i, j in pairs}),
        "expected": expected,
        "value": value,
    }
    answers = {"kappa": verified("kappa", value, ob.kappa.from_confusion(cm))}
    return question("kappa", drawn, values, answers)


def alpha(drawn: Drawn) -> Question:
    """Ask for Krippendorff's alpha, interval and ordinal."""
    cm, values = _confusion(drawn)
    labels = [a + b for a, b in zip(values["sizes"], values["chosen"], strict=True)]
    pairs = [(i, j) for i in _PLACES for j in _PLACES if i < j]
    mixed = {(i, j): int(cm[i, j] + cm[j, i]) for i, j in pairs}
    between = {
        (i, j): Fraction(sum(labels[i : j + 1]) + sum(labels[i + 1 : j]), 2) for i, j in pairs
    }
    answers, kinds = {}, []
    for name, steps in {"int": {(i, j): Fraction(j - i) for i, j in pairs}, "ord": between}.items():
        seen = sum((steps[pair] ** 2 * mixed[pair] for pair in pairs), Fraction(0))
        chance = sum((steps[i, j] ** 2 * labels[i] * labels[j] for i, j in pairs), Fraction(0))
        value = 1 - (2 * int(cm.sum()) - 1) * seen / chance
        public = {"int": ob.alpha_int, "ord": ob.alpha_ord}[name].from_confusion(cm)
        answers[f"alpha_{name}"] = verified(f"alpha_{name}", value, public)
        kinds.append((name, [(i + 1, j + 1, steps[i, j]) for i, j in pairs], seen, chance, value))
    terms = [(i + 1, j + 1, mixed[i, j], labels[i], labels[j]) for i, j in pairs]
    return question("alpha", drawn, {"labels": labels, "terms": terms, "kinds": kinds}, answers)


def cem(drawn: Drawn) -> Question:
    """Ask for the Closeness Evaluation Measure."""
    cm, values = _confusion(drawn)
    sizes, n = values["sizes"], int(cm.sum())

    def between(i: int, j: int) -> Fraction:
        others = sizes[i + 1 : j + 1] if i <= j else sizes[j:i]
        return Fraction(sizes[i], 2) + Fraction(sum(others))

    def proximity(i: int, j: int) -> float:
        return -log2(max(Fraction(1, 2), between(i, j)) / n)

    # (gold class, predicted class)
    needed = [(j, i) for j in _PLACES for i in _PLACES if cm[j, i] or i == j]
    exactly = {(j, i): proximity(i, j) for j, i in needed}
    above = sum(exactly[cell] * int(cm[cell]) for cell in needed)
    below = sum(exactly[j, j] * sizes[j] for j in _PLACES)

    def parts(printed: Sequence[Fraction]) -> tuple[Fraction, Fraction]:
        by_cell = dict(zip(needed, printed, strict=True))
        return (
            sum((by_cell[cell] * int(cm[cell]) for cell in needed), Fraction(0)),
            sum((by_cell[j, j] * sizes[j] for j in _PLACES), Fraction(0)),
        )

    def ratio(printed: Sequence[Fraction]) -> Fraction:
        top, bottom = parts(printed)
        return top / bottom

    shown = come_out(list(exactly.values()), ratio, above / below)
    digits = len(shown[0].partition(".")[2])
    top, bottom = (rounded(value, digits) for value in parts([Fraction(text) for text in shown]))
    by_cell = dict(zip(needed, shown, strict=True))
    # What each error that was made loses, from the proximities as they are printed.
    lost = {
        (j, i): Fraction(by_cell[j, j]) - Fraction(text)
        for (j, i), text in by_cell.items()
        if i != j and cm[j, i]
    }
    most = max(lost.values())
    dearest = [cell for cell, cost in lost.items() if cost == most]
    values |= {
        "cells": [
            (i + 1, j + 1, int(cm[j, i]), between(i, j), text) for (j, i), text in by_cell.items()
        ],
        "above": top,
        "below": bottom,
        "value": above / below,
        "dearest": [(i + 1, j + 1) for j, i in dearest],
        "right": by_cell[dearest[0][0], dearest[0][0]],
        "wrong": by_cell[dearest[0]],
        "cost": rounded(most, digits),
    }
    answer = verified("CEM_ORD", above / below, ob.cem_ord.from_confusion(cm))
    return question("cem", drawn, values, {"CEM_ORD": answer})


def tau(drawn: Drawn) -> Question:
    """Ask for Kendall's tau, both variants."""
    first, second = drawn.ranks
    signs = pair_signs(first) * pair_signs(second)
    names = [f"{chr(65 + i)}{chr(65 + j)}" for i, j in combinations(range(RUNS), 2)]
    agree, disagree, tied = (
        [name for name, found in zip(names, signs, strict=True) if found == sign]
        for sign in (1, -1, 0)
    )
    untied = int(np.count_nonzero(pair_signs(second)))
    larger = len(agree) - len(disagree)
    a, b = Fraction(larger, len(names)), larger / root(Fraction(len(names) * untied))
    values = {"agree": agree, "disagree": disagree, "tied": tied, "a": a, "b": b}
    values |= {"pairs": len(names), "untied": untied}
    answers = {
        "tau_a": verified("tau_a", a, ob.kendall_tau(first, second, variant="a")),
        "tau_b": verified("tau_b", b, ob.kendall_tau(first, second, variant="b")),
    }
    return question("tau", drawn, values, answers)


def _significant(drawn: Drawn) -> list[list[str]]:
    pairs = [f"{a}{b}" for a, b in combinations(TESTED, 2)]
    return [
        [pair for pair, value in zip(pairs, values, strict=True) if value < 1000 * ALPHA]
        for values in drawn.p
    ]


def power(drawn: Drawn) -> Question:
    """Ask for discriminative power and the overlap of what is significant."""
    tests = tests_of(drawn)
    counts = ob.discriminative_power(tests, ALPHA)["significant"]
    overlap = ob.significance_overlap(tests, ALPHA).iloc[0]
    first, second = _significant(drawn)
    both, either = [pair for pair in first if pair in second], {*first, *second}
    share = Fraction(len(both), len(either))
    answers: dict[str, float | int | str] = {}
    for measure, found in zip(MEASURES, (first, second), strict=True):
        verified(f"pairs by {measure}", len(found), counts[measure])
        answers[f"significant by {measure}"] = len(found)
    answers["SSO"] = verified("SSO", share, overlap["overlap"])
    values = {"first": first, "second": second, "both": both, "share": share}
    return question("power", drawn, {**values, "either": len(either)}, answers)


def contradiction(drawn: Drawn) -> Question:
    """Ask for the contradiction, and for the pairs that only look like one."""
    (row,) = ob.contradictions(tests_of(drawn), ALPHA).to_dict("records")
    first, second = _significant(drawn)
    means = drawn.means
    opposed = [
        f"{TESTED[i]}{TESTED[j]}"
        for i, j in combinations(range(len(TESTED)), 2)
        if (means[0][i] - means[0][j]) * (means[1][i] - means[1][j]) < 0
    ]
    (clash,) = [pair for pair in opposed if pair in first and pair in second]
    if {row["better"], row["worse"]} != set(clash):
        raise ArithmeticError(f"the contradiction is {clash} by hand, and another in code")
    # All of them, whether one of the two differences is significant or none is.
    weak = [pair for pair in opposed if pair != clash]
    answers = {"better by RNOD": str(row["better"]), "worse by RNOD": str(row["worse"])}
    return question("contradiction", drawn, {"clash": row, "weak": weak}, answers)


def halves(drawn: Drawn) -> Question:
    """Ask how much a ranking depends on the topics."""
    first, second = (part.sum(axis=1) for part in np.split(np.array(drawn.scores), 2, axis=1))
    signs = pair_signs(first) * pair_signs(second)
    names = [f"{a}{b}" for a, b in combinations(TESTED, 2)]
    agree, disagree = (
        [name for name, found in zip(names, signs, strict=True) if found == sign]
        for sign in (1, -1)
    )
    value = Fraction(len(agree) - len(disagree), len(names))
    best = [TESTED[int(half.argmin())] for half in (first, second)]
    rows = [
        (run, a, int((first < a).sum()) + 1, b, int((second < b).sum()) + 1)
        for run, a, b in zip(TESTED, first.tolist(), second.tolist(), strict=True)
    ]
    answers: dict[str, float | int | str]
    answers = {"tau of halves": verified("tau", value, ob.kendall_tau(first, second))}
    answers |= {"best on topics 1 to 3": best[0], "best on topics 4 to 6": best[1]}
    values = {"rows": rows, "agree": agree, "disagree": disagree, "value": value, "best": best}
    return question("halves", drawn, values, answers)


def trials(drawn: Drawn) -> Question:
    """Ask what p-values of random trials say, and how sure a count of them is."""
    power = ob.discriminative_power(trials_of(drawn), ALPHA).to_dict("index")["RNOD"]
    found: list[str] = []
    doubtful = []
    for (a, b), reached in zip(combinations(TESTED, 2), drawn.reached, strict=True):
        p = Fraction(reached, TRIALS)
        found += [f"{a}{b}"] if p < ALPHA else []
        error = Fraction(rounded(float(p * (1 - p) / TRIALS) ** 0.5, BETWEEN))
        ends = p - Fraction("1.96") * error, p + Fraction("1.96") * error
        if ends[0] < ALPHA <= ends[1]:
            doubtful.append((f"{a}{b}", p, error, *map(rounded, ends)))
    low = sum(pair not in {one[0] for one in doubtful} for pair in found)
    counts = {"significant": len(found), "low": low, "high": low + len(doubtful)}
    answers = {name: verified(name, count, power[name]) for name, count in counts.items()}
    values = {**counts, "found": found, "doubtful": doubtful}
    return question("trials", drawn, values, {name: int(value) for name, value in answers.items()})
