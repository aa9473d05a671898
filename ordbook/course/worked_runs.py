r"""Questions about labels, rankings and p-values, worked step by step."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import log2
from typing import Any

import numpy as np

import ordbook as ob
from ordbook.course.drawn import ALPHA, MEASURES, RUNS, TESTED, Drawn, tests_of
from ordbook.course.worked import Question, come_out, question, root, rounded, verified
from ordbook.measures.components import equidistance
from ordbook.measures.confusion import confusion_matrix
from ordbook.meta.kendall import pair_signs

CLASSES = (1, 2, 3)
_PLACES = range(len(CLASSES))


def _confusion(drawn: Drawn) -> tuple[np.ndarray, dict[str, Any]]:
    """Return the confusion matrix, and what its table needs."""
    cm = np.asarray(confusion_matrix(drawn.y_true, drawn.y_pred, labels=CLASSES)).astype(int)
    sizes, chosen = cm.sum(axis=1).tolist(), cm.sum(axis=0).tolist()
    return cm, {"counts": cm.tolist(), "sizes": sizes, "chosen": chosen}


def mae(drawn: Drawn) -> Question:
    """Ask for the two mean absolute errors."""
    cm, values = _confusion(drawn)
    steps = (cm * equidistance(len(CLASSES))).astype(int).sum(axis=1).tolist()
    by_class = [Fraction(s, n) for s, n in zip(steps, values["sizes"], strict=True)]
    micro, macro = Fraction(sum(steps), int(cm.sum())), sum(by_class, Fraction(0)) / len(CLASSES)
    answers = {
        "MAE_mu": verified("MAE_mu", micro, ob.mae_micro(drawn.y_true, drawn.y_pred)),
        "MAE_M": verified("MAE_M", macro, ob.mae_macro(drawn.y_true, drawn.y_pred)),
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
    answers = {"kappa": verified("kappa", value, ob.kappa(drawn.y_true, drawn.y_pred))}
    return question("kappa", drawn, values, answers)


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
    answer = verified("CEM_ORD", above / below, ob.cem_ord(drawn.y_true, drawn.y_pred))
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
