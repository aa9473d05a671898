r"""Questions about a gold and an estimated distribution, worked step by step.

Steps are values of the functions of :mod:`ordbook.measures.components`, as exact fractions; the
answer that is put together from them must be what the public measure says.
"""

from collections.abc import Iterable
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np

import ordbook as ob
from ordbook.course.drawn import TENTHS, Drawn
from ordbook.course.worked import (
    Question,
    come_out,
    exact,
    inline,
    number,
    question,
    root,
    verified,
)
from ordbook.measures.components import cumulate, dw, kld, md, od, ss, supported, vd
from ordbook.meta.kendall import pair_signs


def _pair(drawn: Drawn) -> tuple[np.ndarray, np.ndarray]:
    return np.array(drawn.gold) / TENTHS, np.array(drawn.estimate) / TENTHS


def _exactly(values: Iterable[float]) -> list[Fraction]:
    return [exact(value) for value in values]


def nmd(drawn: Drawn) -> Question:
    """Ask for the Normalised Match Distance."""
    gold, estimate = _pair(drawn)
    distance = exact(md(gold, estimate))
    value = distance / (len(gold) - 1)
    values = {
        "cumulated_gold": _exactly(cumulate(gold)),
        "cumulated": _exactly(cumulate(estimate)),
        "differences": _exactly(np.abs(cumulate(estimate - gold))),
        "distance": distance,
        "value": value,
    }
    return question("nmd", drawn, values, {"NMD": verified("NMD", value, ob.nmd(gold, estimate))})


def _divergence(gold: np.ndarray, estimate: np.ndarray, star: str, name: str) -> dict[str, Any]:
    """Return the steps to OD, seen from the classes that the first distribution holds."""
    squares = _exactly(np.square(estimate - gold))
    views = [k for k in range(len(gold)) if supported(gold)[k]]
    terms = []
    for i in views:
        parts = [
            (str(abs(i - j)) + r" \cdot " if abs(i - j) > 1 else "") + number(squares[j])
            for j in range(len(gold))
            if i != j and squares[j]
        ]
        terms.append((" + ".join(parts) or "0", exact(dw(gold, estimate)[i])))
    classes = [view + 1 for view in views]
    value = exact(od(gold, estimate))
    return {"star": star, "name": name, "classes": classes, "terms": terms, "od": value}


def _errors(gold: np.ndarray, estimate: np.ndarray) -> dict[str, Any]:
    errors = estimate - gold
    there = _divergence(gold, estimate, "C^*", "the gold")
    return {"errors": _exactly(errors), "squared": _exactly(errors**2), "there": there}


def rnod(drawn: Drawn) -> Question:
    """Ask for Root Normalised Order-aware Divergence, with its terms."""
    gold, estimate = _pair(drawn)
    values = _errors(gold, estimate)
    inside = values["there"]["od"] / (len(gold) - 1)
    value = root(inside)
    answers = {"RNOD": verified("RNOD", value, ob.rnod(gold, estimate))}
    return question("rnod", drawn, {**values, "inside": inside, "value": value}, answers)


def rsnod(drawn: Drawn) -> Question:
    """Ask for the symmetric divergence, RSNOD."""
    gold, estimate = _pair(drawn)
    values = _errors(gold, estimate)
    values["back"] = _divergence(estimate, gold, r"\{i : p_i > 0\}", "the estimate")
    symmetric = (values["there"]["od"] + values["back"]["od"]) / 2
    value = root(symmetric / (len(gold) - 1))
    answers = {"RSNOD": verified("RSNOD", value, ob.rsnod(gold, estimate))}
    return question("rsnod", drawn, {**values, "symmetric": symmetric, "value": value}, answers)


def nominal(drawn: Drawn) -> Question:
    """Ask for the three measures that do not know the order of the classes."""
    gold, estimate = _pair(drawn)
    middle = (gold + estimate) / 2
    nvd, inside = exact(vd(gold, estimate)) / 2, exact(ss(gold, estimate)) / 2
    terms = [
        " + ".join(
            rf"{number(exact(a))} \log_2 \tfrac{{{number(exact(a))}}}{{{number(exact(m))}}}"
            for a, m in zip(distribution, middle, strict=True)
            if a > 0
        )
        for distribution in (estimate, gold)
    ]
    divergences = [kld(middle, estimate), kld(middle, gold)]
    jsd = (float(divergences[0]) + float(divergences[1])) / 2
    values = {
        "errors": _exactly(np.abs(estimate - gold)),
        "squared": _exactly(np.square(estimate - gold)),
        "nvd": nvd,
        "inside": inside,
        "rnss": root(inside),
        "middle": _exactly(middle),
        "terms": terms,
        "shown": come_out(divergences, lambda two: (two[0] + two[1]) / 2, jsd),
        "jsd": jsd,
    }
    answers = {
        "NVD": verified("NVD", nvd, ob.nvd(gold, estimate)),
        "RNSS": verified("RNSS", root(inside), ob.rnss(gold, estimate)),
        "JSD": verified("JSD", jsd, ob.jsd(gold, estimate)),
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
