r"""Questions about a gold and an estimated distribution, worked step by step.

Steps are values of the functions of :mod:`ordbook.measures.components`, as exact fractions; the
answer that is put together from them must be what the public measure says.

Contents
--------
nmd, rnod, rsnod, nominal, dnkt   a question each
shown                             the two distributions as a table
"""

from fractions import Fraction
from itertools import combinations

import numpy as np

import ordbook as ob
from ordbook.course.drawn import TENTHS, Drawn
from ordbook.course.worked import (
    Question,
    come_out,
    exact,
    inline,
    number,
    result,
    root,
    table,
    verified,
)
from ordbook.measures.components import cumulate, dw, kld, md, od, ss, supported, vd
from ordbook.meta.kendall import pair_signs

ABOUT = "distributions"


def _pair(drawn: Drawn) -> tuple[np.ndarray, np.ndarray]:
    return np.array(drawn.gold) / TENTHS, np.array(drawn.estimate) / TENTHS


def _row(name: str, values: np.ndarray) -> list[str]:
    return [name, *(f"${number(exact(value))}$" for value in values)]


def _head(drawn: Drawn) -> list[str]:
    return ["class", *(str(k + 1) for k in range(len(drawn.gold)))]


def _sum(values: np.ndarray) -> str:
    return " + ".join(number(exact(value)) for value in values)


def shown(drawn: Drawn) -> str:
    """Return the two distributions as a table."""
    gold, estimate = _pair(drawn)
    return table(_head(drawn), [_row("gold $p^*$", gold), _row("estimate $p$", estimate)])


def nmd(drawn: Drawn) -> Question:
    """Ask for the Normalised Match Distance."""
    gold, estimate = _pair(drawn)
    differences = np.abs(cumulate(estimate - gold))
    steps = exact(md(gold, estimate))
    classes = len(gold)
    value = steps / (classes - 1)
    return Question(
        "nmd",
        ABOUT,
        "NMD",
        "Compute the Normalised Match Distance (NMD) of the estimate. Show the cumulative sums.",
        (
            table(
                _head(drawn),
                [
                    _row("$cp^*_i$", cumulate(gold)),
                    _row("$cp_i$", cumulate(estimate)),
                    _row(r"$\lvert cp_i - cp^*_i \rvert$", differences),
                ],
            ),
            rf"$$\text{{MD}} = {_sum(differences)} = {number(steps)}$$",
            rf"$$\text{{NMD}} = \frac{{\text{{MD}}}}{{\lvert C \rvert - 1}} = "
            rf"\frac{{{number(steps)}}}{{{classes - 1}}} {result(value)}$$",
        ),
        {"NMD": verified("NMD", value, ob.nmd(gold, estimate))},
    )


def _divergence(
    gold: np.ndarray, estimate: np.ndarray, star: str, name: str
) -> tuple[list[str], Fraction]:
    r"""Return the steps to OD, seen from the classes that the first distribution holds."""
    terms = dw(gold, estimate)
    views = [k for k in range(len(gold)) if supported(gold)[k]]
    squares = [exact(value) for value in np.square(estimate - gold)]
    lines = []
    for i in views:
        parts = [
            (str(abs(i - j)) + r" \cdot " if abs(i - j) > 1 else "") + number(squares[j])
            for j in range(len(gold))
            if i != j and squares[j]
        ]
        lines.append(
            rf"$$\text{{DW}}_{{{i + 1}}} = {' + '.join(parts) or '0'} = {number(exact(terms[i]))}$$"
        )
    value = exact(od(gold, estimate))
    summed = " + ".join(number(exact(terms[i])) for i in views)
    held = ", ".join(str(i + 1) for i in views)
    lines.insert(0, rf"${star} = \{{{held}\}}$, the classes with probability in {name}.")
    lines.append(rf"$$\text{{OD}} = \frac{{{summed}}}{{{len(views)}}} = {number(value)}$$")
    return lines, value


def _squares(drawn: Drawn) -> str:
    gold, estimate = _pair(drawn)
    return table(
        _head(drawn),
        [_row("$p_i - p^*_i$", estimate - gold), _row("$(p_i - p^*_i)^2$", (estimate - gold) ** 2)],
    )


def rnod(drawn: Drawn) -> Question:
    """Ask for Root Normalised Order-aware Divergence, with its terms."""
    gold, estimate = _pair(drawn)
    steps, divergence = _divergence(gold, estimate, "C^*", "the gold")
    classes = len(gold)
    inside = divergence / (classes - 1)
    return Question(
        "rnod",
        ABOUT,
        "RNOD",
        r"Compute Root Normalised Order-aware Divergence (RNOD) of the estimate. Say which classes "
        r"are in $C^*$ and give $\text{DW}_i$ for each of them.",
        (
            _squares(drawn),
            *steps,
            rf"$$\text{{RNOD}} = \sqrt{{\frac{{{inline(divergence)}}}{{{classes - 1}}}}} = "
            rf"\sqrt{{{number(inside)}}} {result(root(inside))}$$",
        ),
        {"RNOD": verified("RNOD", root(inside), ob.rnod(gold, estimate))},
    )


def rsnod(drawn: Drawn) -> Question:
    """Ask for the symmetric divergence, RSNOD."""
    gold, estimate = _pair(drawn)
    there, first = _divergence(gold, estimate, "C^*", "the gold")
    back, second = _divergence(estimate, gold, r"\{i : p_i > 0\}", "the estimate")
    symmetric, classes = (first + second) / 2, len(gold)
    inside = symmetric / (classes - 1)
    return Question(
        "rsnod",
        ABOUT,
        "RSNOD",
        "Compute the symmetric form of RNOD, Root Symmetric Normalised Order-aware Divergence "
        "(RSNOD). Why does it differ from RNOD?",
        (
            _squares(drawn),
            "Seen from the gold, OD$(p \\parallel p^*)$:",
            *there,
            "Seen from the estimate, OD$(p^* \\parallel p)$; the squares are the same, the "
            "viewpoints are not:",
            *back,
            rf"$$\text{{SOD}} = \frac{{{inline(first)} + {inline(second)}}}{{2}} = "
            rf"{number(symmetric)}$$",
            rf"$$\text{{RSNOD}} = \sqrt{{\frac{{{inline(symmetric)}}}{{{classes - 1}}}}} "
            rf"{result(root(inside))}$$",
            "Both share the squared errors. RNOD averages over the classes that the gold holds; "
            "RSNOD takes the mean of that and of the average over those that the estimate holds"
            + (
                "; here the two averages are equal, and so are RNOD and RSNOD."
                if first == second
                else "."
            ),
        ),
        {"RSNOD": verified("RSNOD", root(inside), ob.rsnod(gold, estimate))},
    )


def nominal(drawn: Drawn) -> Question:
    """Ask for the three measures that do not know the order of the classes."""
    gold, estimate = _pair(drawn)
    errors = np.abs(estimate - gold)
    distance, squares = exact(vd(gold, estimate)), exact(ss(gold, estimate))
    middle = (gold + estimate) / 2
    divergences = []
    for distribution in (estimate, gold):
        parts = [
            rf"{number(exact(a))} \log_2 \tfrac{{{number(exact(a))}}}{{{number(exact(m))}}}"
            for a, m in zip(distribution, middle, strict=True)
            if a > 0
        ]
        divergences.append((" + ".join(parts), kld(middle, distribution)))
    (terms, there), (terms_gold, back) = divergences
    value = (float(there) + float(back)) / 2
    shown_there, shown_back = come_out([there, back], lambda two: (two[0] + two[1]) / 2, value)
    middles = ", ".join(number(exact(mass)) for mass in middle)
    return Question(
        "nominal",
        ABOUT,
        "NVD, RNSS and JSD",
        "Compute NVD, RNSS and JSD. What happens to each if the classes are put in another order, "
        "in both distributions alike?",
        (
            rf"$$\text{{NVD}} = \tfrac12 ({_sum(errors)}) = {number(distance / 2)}$$",
            rf"$$\text{{RNSS}} = \sqrt{{\tfrac12 ({_sum(errors**2)})}} = "
            rf"\sqrt{{{number(squares / 2)}}} {result(root(squares / 2))}$$",
            f"With $p^M = (p + p^*)/2$, which is $({middles})$:",
            rf"$$\text{{KLD}}(p \parallel p^M) = {terms} \approx {shown_there}$$",
            rf"$$\text{{KLD}}(p^* \parallel p^M) = {terms_gold} \approx {shown_back}$$",
            rf"$$\text{{JSD}} \approx \tfrac12 ({shown_there} + {shown_back}) "
            rf"{result(value)}$$",
            "Nothing happens: all three are sums over classes, and take them in any order.",
        ),
        {
            "NVD": verified("NVD", distance / 2, ob.nvd(gold, estimate)),
            "RNSS": verified("RNSS", root(squares / 2), ob.rnss(gold, estimate)),
            "JSD": verified("JSD", value, ob.jsd(gold, estimate)),
        },
    )


def dnkt(drawn: Drawn) -> Question:
    """Ask for the divergence based on Kendall's tau."""
    gold, estimate = _pair(drawn)
    signs, signs_gold = pair_signs(estimate), pair_signs(gold)
    pairs = list(combinations(range(1, len(gold) + 1), 2))
    word = {1: "up", 0: "tied", -1: "down"}
    agree, disagree = (int((signs * signs_gold == sign).sum()) for sign in (1, -1))
    untied, untied_gold = int(np.count_nonzero(signs)), int(np.count_nonzero(signs_gold))
    # Exact where the root is, and where nothing is divided.
    larger = agree - disagree
    tau = larger / root(Fraction(untied * untied_gold)) if larger else Fraction(0)
    value = (1 - tau) / 2
    if isinstance(tau, Fraction):
        tau_shown, equals, line = inline(tau), "=", f"= {number(tau)}"
    else:
        (tau_shown,) = come_out([tau], lambda one: (1 - one[0]) / 2, value)
        equals, line = r"\approx", rf"\approx {tau_shown}"
    taken = f"({tau_shown})" if tau < 0 else tau_shown
    rows = [
        [
            f"{i}, {j}",
            word[int(a)],
            word[int(b)],
            {1: "concordant", -1: "discordant", 0: "neither"}[int(a * b)],
        ]
        for (i, j), a, b in zip(pairs, signs_gold, signs, strict=True)
    ]
    return Question(
        "dnkt",
        ABOUT,
        "DNKT",
        "Compute DNKT, the divergence based on Kendall's tau between the two lists of "
        "probabilities. Mind the ties.",
        (
            table(["classes", "gold", "estimate", "pair is"], rows),
            f"{agree} pairs are concordant and {disagree} discordant; {untied_gold} are untied in "
            f"the gold and {untied} in the estimate.",
            rf"$$\tau_b = \frac{{{agree} - {disagree}}}{{\sqrt{{{untied} \cdot {untied_gold}}}}} "
            rf"{line}$$",
            rf"$$\text{{DNKT}} = \frac{{1 - \tau_b}}{{2}} {equals} "
            rf"\frac{{1 - {taken}}}{{2}} {result(value)}$$",
        ),
        {"DNKT": verified("DNKT", value, ob.dnkt(gold, estimate))},
    )
