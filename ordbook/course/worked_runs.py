r"""Questions about labels and rankings, worked step by step.

Contents
--------
mae, kappa, cem             a question each about gold and predicted labels
tau                         a question about two rankings
labels_shown, ranks_shown   the numbers they are about
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import log2

import numpy as np

import ordbook as ob
from ordbook.course.drawn import ITEMS, MEASURES, RUNS, Drawn
from ordbook.course.worked import (
    Question,
    come_out,
    number,
    result,
    root,
    rounded,
    table,
    verified,
)
from ordbook.measures.components import equidistance
from ordbook.measures.confusion import confusion_matrix
from ordbook.meta.kendall import pair_signs

LABELS, RANKINGS = "labels", "rankings"
CLASSES = (1, 2, 3)


def labels_shown(drawn: Drawn) -> str:
    """Return gold and predicted labels as a table."""
    head = ["item", *(str(k + 1) for k in range(ITEMS))]
    rows = [["gold", *map(str, drawn.y_true)], ["predicted", *map(str, drawn.y_pred)]]
    return table(head, rows)


def _counts(drawn: Drawn) -> np.ndarray:
    return np.asarray(confusion_matrix(drawn.y_true, drawn.y_pred, labels=CLASSES)).astype(int)


def _confusion(drawn: Drawn) -> str:
    cm = _counts(drawn)
    rows = [
        [f"gold {c}", *map(str, row), str(row.sum())] for c, row in zip(CLASSES, cm, strict=True)
    ]
    rows.append(["sum", *map(str, cm.sum(axis=0)), str(cm.sum())])
    return table(["", *(f"predicted {c}" for c in CLASSES), "sum"], rows)


def mae(drawn: Drawn) -> Question:
    """Ask for the two mean absolute errors."""
    cm = _counts(drawn)
    steps = (cm * equidistance(len(CLASSES))).astype(int).sum(axis=1)
    sizes = cm.sum(axis=1)
    micro = Fraction(int(steps.sum()), int(cm.sum()))
    by_class = [Fraction(int(s), int(n)) for s, n in zip(steps, sizes, strict=True)]
    macro = sum(by_class, Fraction(0)) / len(by_class)
    terms = " + ".join(rf"\tfrac{{{s}}}{{{n}}}" for s, n in zip(steps, sizes, strict=True))
    summed = " + ".join(map(str, steps))
    return Question(
        "mae",
        LABELS,
        "Mean absolute errors",
        r"Make the confusion matrix. Compute $\text{MAE}_\mu$ and $\text{MAE}_M$, and say what "
        "makes them differ.",
        (
            _confusion(drawn),
            rf"$$\text{{MAE}}_\mu = \frac{{{summed}}}{{{cm.sum()}}} {result(micro)}$$",
            rf"$$\text{{MAE}}_M = \tfrac1{len(CLASSES)} \left({terms}\right) {result(macro)}$$",
            r"$\text{MAE}_\mu$ gives every item the same weight, $\text{MAE}_M$ every gold class: "
            "an error in a small class counts for more.",
        ),
        {
            "MAE_mu": verified("MAE_mu", micro, ob.mae_micro(drawn.y_true, drawn.y_pred)),
            "MAE_M": verified("MAE_M", macro, ob.mae_macro(drawn.y_true, drawn.y_pred)),
        },
    )


def kappa(drawn: Drawn) -> Question:
    """Ask for kappa with linear weights."""
    cm = _counts(drawn)
    weights = equidistance(len(CLASSES)).astype(int)
    gold, chosen, n = cm.sum(axis=1), cm.sum(axis=0), int(cm.sum())
    pairs = [(i, j) for i in range(len(CLASSES)) for j in range(len(CLASSES)) if i != j]
    observed = int((weights * cm).sum())
    expected = Fraction(int(sum(weights[i, j] * gold[i] * chosen[j] for i, j in pairs)), n)

    def terms(values: dict[tuple[int, int], str]) -> str:
        return " + ".join(
            (f"{weights[pair]}" + r" \cdot " if weights[pair] > 1 else "") + values[pair]
            for pair in pairs
            if values[pair] != "0"
        )

    seen = terms({pair: str(cm[pair]) for pair in pairs})
    chance = terms({(i, j): rf"{gold[i]} \cdot {chosen[j]}" for i, j in pairs})
    value = 1 - observed / expected
    return Question(
        "kappa",
        LABELS,
        "Kappa",
        r"Compute kappa with the linear weights $w_{ij} = \lvert i - j \rvert$.",
        (
            _confusion(drawn),
            rf"$$\sum w_{{ij}} c_{{ij}} = {seen} = {observed}$$",
            rf"$$\sum w_{{ij}} e_{{ij}} = \frac{{{chance}}}{{{n}}} = {number(expected)}$$",
            rf"$$\kappa = 1 - \frac{{{observed}}}{{{number(expected)}}} {result(value)}$$"
            if (expected * 10_000).denominator == 1
            else rf"$$\kappa = 1 - {observed} \Big/ {number(expected)} {result(value)}$$",
        ),
        {"kappa": verified("kappa", value, ob.kappa(drawn.y_true, drawn.y_pred))},
    )


def cem(drawn: Drawn) -> Question:
    """Ask for the Closeness Evaluation Measure."""
    cm = _counts(drawn)
    sizes, n = [int(size) for size in cm.sum(axis=1)], int(cm.sum())

    def between(i: int, j: int) -> Fraction:
        others = sizes[i + 1 : j + 1] if i <= j else sizes[j:i]
        return Fraction(sizes[i], 2) + sum(others)

    def proximity(i: int, j: int) -> float:
        return -log2(max(Fraction(1, 2), between(i, j)) / n)

    cells = [(j, i) for j in range(len(CLASSES)) for i in range(len(CLASSES))]
    needed = [(j, i) for j, i in cells if cm[j, i] or i == j]
    above = sum(proximity(i, j) * int(cm[j, i]) for j, i in cells)
    below = sum(proximity(j, j) * sizes[j] for j in range(len(CLASSES)))

    def sums(values: Sequence[Fraction]) -> tuple[Fraction, Fraction]:
        by_cell = dict(zip(needed, values, strict=True))
        return (
            sum((by_cell[cell] * int(cm[cell]) for cell in needed), Fraction(0)),
            sum((by_cell[j, j] * sizes[j] for j in range(len(CLASSES))), Fraction(0)),
        )

    def ratio(values: Sequence[Fraction]) -> Fraction:
        top, bottom = sums(values)
        return top / bottom

    shown = come_out([proximity(i, j) for j, i in needed], ratio, above / below)
    digits = len(shown[0].partition(".")[2])
    top, bottom = (rounded(value, digits) for value in sums([Fraction(text) for text in shown]))
    rows = [
        [f"predicted {i + 1}, gold {j + 1}", str(cm[j, i]), f"${number(between(i, j))}$", text]
        for (j, i), text in zip(needed, shown, strict=True)
    ]
    return Question(
        "cem",
        LABELS,
        r"$\text{CEM}_{ORD}$",
        r"Compute $\text{CEM}_{ORD}$: give $K_{ij}$ and $prox_{ij} = "
        r"-\log_2 (\max(\tfrac12, K_{ij}) / N)$ for every cell you need. The first index, $i$, is "
        "the predicted class, and $j$ the gold one. Which of the errors made costs most, and "
        "why?",
        (
            _confusion(drawn),
            rf"$prox_{{ij}} = -\log_2 (\max(\tfrac12, K_{{ij}}) / {n})$ for the predicted class "
            "$i$ and the gold class $j$:",
            table(["cell", "items", "$K_{ij}$", "$prox_{ij}$"], rows),
            rf"$$\text{{CEM}}_{{ORD}} = \frac{{\sum prox_{{ij}} c_{{ij}}}}{{\sum prox_{{jj}} n_j}} "
            rf"\approx \frac{{{top}}}{{{bottom}}} "
            rf"\approx {rounded(above / below)}$$",
            _costliest(cm, dict(zip(needed, shown, strict=True))),
        ),
        {"CEM_ORD": verified("CEM_ORD", above / below, ob.cem_ord(drawn.y_true, drawn.y_pred))},
    )


def _costliest(cm: np.ndarray, shown: dict[tuple[int, int], str]) -> str:
    """Say which of the errors made costs most, from the proximities as they are printed."""
    lost = {
        (j, i): Fraction(shown[j, j]) - Fraction(text)
        for (j, i), text in shown.items()
        if i != j and cm[j, i]
    }
    most = max(lost.values())
    dearest = [cell for cell, cost in lost.items() if cost == most]
    items = " or ".join(f"an item of gold class {j + 1} called {i + 1}" for j, i in dearest)
    j, i = dearest[0]
    cost = rounded(most, len(shown[j, j].partition(".")[2]))
    return (
        f"Of the errors made, {items} costs most: ${shown[j, j]} - {shown[j, i]} = {cost}$ less "
        "than a right answer there. A right answer in a small class is worth much, and the more "
        "gold lies between the two classes, the less a wrong one is."
    )


def ranks_shown(drawn: Drawn) -> str:
    """Return the ranks of the runs as a table."""
    names = [chr(ord("A") + k) for k in range(RUNS)]
    rows = [
        [f"rank by {measure}", *map(str, ranks)]
        for measure, ranks in zip(MEASURES, drawn.ranks, strict=True)
    ]
    return table(["run", *names], rows)


def tau(drawn: Drawn) -> Question:
    """Ask for Kendall's tau, both variants."""
    first, second = drawn.ranks
    signs = pair_signs(first) * pair_signs(second)
    names = [f"{chr(65 + i)}{chr(65 + j)}" for i, j in combinations(range(RUNS), 2)]
    found = {
        sign: [name for name, s in zip(names, signs, strict=True) if s == sign]
        for sign in (1, -1, 0)
    }
    agree, disagree, pairs = len(found[1]), len(found[-1]), len(names)
    untied = int(np.count_nonzero(pair_signs(second)))
    a = Fraction(agree - disagree, pairs)
    b = (agree - disagree) / root(Fraction(pairs * untied))
    return Question(
        "tau",
        RANKINGS,
        "Kendall's tau",
        r"Compute $\tau_a$ and $\tau_b$ of the two rankings. List the concordant, the discordant "
        "and the tied pairs.",
        (
            f"Concordant ({agree}): {', '.join(found[1]) or 'none'}.",
            f"Discordant ({disagree}): {', '.join(found[-1]) or 'none'}.",
            f"Tied by {MEASURES[1]}: {', '.join(found[0])}.",
            rf"$$\tau_a = \frac{{{agree} - {disagree}}}{{{pairs}}} {result(a)}$$",
            rf"$$\tau_b = \frac{{{agree} - {disagree}}}{{\sqrt{{{pairs} \cdot {untied}}}}} "
            rf"{result(b)}$$",
        ),
        {
            "tau_a": verified("tau_a", a, ob.kendall_tau(first, second, variant="a")),
            "tau_b": verified("tau_b", b, ob.kendall_tau(first, second, variant="b")),
        },
    )
