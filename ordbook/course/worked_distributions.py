r"""Questions about a gold and an estimated distribution, worked step by step in fractions.

What the steps come to must be what the public measure says.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate, combinations
from typing import Any

import numpy as np

import ordbook as ob
from ordbook.course.drawn import TENTHS, Drawn
from ordbook.course.worked import Question, come_out, inline, number, question, root, verified
from ordbook.measures.components import kld
from ordbook.meta.kendall import pair_signs

Fractions = Sequence[Fraction]


def _pair(drawn: Drawn) -> tuple[np.ndarray, np.ndarray]:
    return np.array(drawn.gold) / TENTHS, np.array(drawn.estimate) / TENTHS


def _exactly(drawn: Drawn) -> tuple[Fractions, Fractions, Fractions]:
    """Return gold, estimate, and estimate less gold."""
    gold, estimate = ([Fraction(n, TENTHS) for n in row] for row in (drawn.gold, drawn.estimate))
    return gold, estimate, [p - q for p, q in zip(estimate, gold, strict=True)]


def nmd(drawn: Drawn) -> Question:
    """Ask for the Normalised Match Distance."""
    gold, estimate, errors = _exactly(drawn)
    differences = [abs(difference) for difference in accumulate(errors)]
    distance = sum(differences, Fraction(0))
    value = distance / (len(gold) - 1)
    values = {
        "cumulated_gold": accumulate(gold),
        "cumulated": accumulate(estimate),
        "differences": differences,
        "distance": distance,
        "value": value,
    }
    return question("nmd", drawn, values, {"NMD": verified("NMD", value, ob.nmd(*_pair(drawn)))})


def _divergence(squares: Fractions, held: Fractions, star: str, name: str) -> dict[str, Any]:
    """Return the steps to OD, seen from the classes that a distribution holds."""
    views = [i for i, probability in enumerate(held) if probability]
    terms = []
    for i in views:
        parts = [
            (rf"{abs(i - j)} \cdot " if abs(i - j) > 1 else "") + number(square)
            for j, square in enumerate(squares)
            if i != j and square
        ]
        value = sum((abs(i - j) * square for j, square in enumerate(squares)), Fraction(0))
        terms.append((" + ".join(parts) or "0", value))
    od = sum((value for _, value in terms), Fraction(0)) / len(views)
    classes = [view + 1 for view in views]
    return {"star": star, "name": name, "classes": classes, "terms": terms, "od": od}


def _errors(drawn: Drawn) -> dict[str, Any]:
    gold, _, errors = _exactly(drawn)
    squared = [error**2 for error in errors]
    there = _divergence(squared, gold, "C^*", "the gold")
    return {"errors": errors, "squared": squared, "there": there}


def rnod(drawn: Drawn) -> Question:
    """Ask for Root Normalised Order-aware Divergence, with its terms."""
    values = _errors(drawn)
    inside = values["there"]["od"] / (len(drawn.gold) - 1)
    value = root(inside)
    answers = {"RNOD": verified("RNOD", value, ob.rnod(*_pair(drawn)))}
    return question("rnod", drawn, {**values, "inside": inside, "value": value}, answers)


def rsnod(drawn: Drawn) -> Question:
    """Ask for the symmetric divergence, RSNOD."""
    values = _errors(drawn)
    estimate = _exactly(drawn)[1]
    back = _divergence(values["squared"], estimate, r"\{i : p_i > 0\}", "the estimate")
    symmetric = (values["there"]["od"] + back["od"]) / 2
    value = root(symmetric / (len(estimate) - 1))
    answers = {"RSNOD": verified("RSNOD", value, ob.rsnod(*_pair(drawn)))}
    values |= {"back": back, "symmetric": symmetric, "value": value}
    return question("rsnod", drawn, values, answers)


def nominal(drawn: Drawn) -> Question:
    """Ask for the three measures that do not know the order of the classes."""
    gold, estimate, errors = _exactly(drawn)
    middle = [(p + q) / 2 for p, q in zip(gold, estimate, strict=True)]
    nvd = sum(map(abs, errors), Fraction(0)) / 2
    inside = sum((error**2 for error in errors), Fraction(0)) / 2
    terms = [
        " + ".join(
            rf"{number(a)} \log_2 \tfrac{{{number(a)}}}{{{number(m)}}}"
            for a, m in zip(distribution, middle, strict=True)
            if a
        )
        for distribution in (estimate, gold)
    ]
    pair = _pair(drawn)
    divergences = [kld(sum(pair) / 2, distribution) for distribution in reversed(pair)]
    jsd = (float(divergences[0]) + float(divergences[1])) / 2
    values = {
        "errors": [abs(error) for error in errors],
        "squared": [error**2 for error in errors],
        "nvd": nvd,
        "inside": inside,
        "rnss": root(inside),
        "middle": middle,
        "terms": terms,
        "shown": come_out(divergences, lambda two: (two[0] + two[1]) / 2, jsd),
        "jsd": jsd,
    }
    answers = {
        "NVD": verified("NVD", nvd, ob.nvd(*pair)),
        "RNSS": verified("RNSS", root(inside), ob.rnss(*pair)),
        "JSD": verified("JSD", jsd, ob.jsd(*pair)),
    }
    return question("nominal", drawn, values, answers)


def dnkt(drawn: Drawn) -> Question:
    """Ask for the divergence based on Kendall's tau."""
    gold, estimate = _pair(drawn)
    signs, signs_gold = pair_signs(estimate), pair_signs(gold)
    order = {1: "up", 0: "tied", -1: "down"}
    kind = {1: "concordant", -1: "discordant", 0: "neither"}
    agree, disagree = (int((signs * signs_gold == sign).sum()) for sign in (1, -1))
    untied, untied_gold = int(np.count_nonzero(signs)), int(np.count_nonzero(signs_gold))
    # Exact where the root is, and where nothing is divided.
    larger = agree - disagree
    tau = larger / root(Fraction(untied * untied_gold)) if larger else Fraction(0)
    value = (1 - tau) / 2
    if isinstance(tau, Fraction):
        equals, shown, carried = "=", number(tau), inline(tau)
    else:
        ((shown,), equals) = come_out([tau], lambda one: (1 - one[0]) / 2, value), r"\approx"
        carried = shown
    values = {
        "pairs": [
            (f"{i}, {j}", order[int(a)], order[int(b)], kind[int(a * b)])
            for (i, j), a, b in zip(
                combinations(range(1, len(gold) + 1), 2), signs_gold, signs, strict=True
            )
        ],
        "agree": agree,
        "disagree": disagree,
        "untied": untied,
        "untied_gold": untied_gold,
        "equals": equals,
        "tau": shown,
        "taken": f"({carried})" if tau < 0 else carried,
        "value": value,
    }
    answers = {"DNKT": verified("DNKT", value, ob.dnkt(gold, estimate))}
    return question("dnkt", drawn, values, answers)
