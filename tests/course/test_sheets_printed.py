"""Answer keys as a marker reads them: what is printed comes out of what is printed before it.

Nothing is asked of ordbook here: a line is taken apart and recomputed from its own digits with 50
digits, rounded by the rule of the sheet, a half up.
"""

import re
from decimal import ROUND_HALF_UP, Decimal, localcontext
from functools import cache
from itertools import combinations

import pytest

from ordbook.course.sheets import make_sheets

PRECISION = 50
# Far below any printed digit, far above what 50 digits lose.
NOISE = Decimal("1e-30")
# Seeds and numbers of classes whose keys did not come out once, and some others.
SERIES = [(21, 9, 40), (11, 9, 12), (1, 5, 12), (2, 3, 8)]


@cache
def keys(seed, classes, variants):
    return [
        ["\n\n".join(sheet.cells(key=key)) for key in (False, True)]
        for sheet in make_sheets(seed, classes=classes, variants=variants)
    ]


def value(formula):
    """The value of one side of a printed line, or None where it names something."""
    text = re.sub(r"\\(left|right)(?=[()])|\\Big(?=/)", "", formula.replace(r"\Big/", "/"))
    text = re.sub(r"\\tfrac(\d)(\d)", r"\\tfrac{\1}{\2}", text)
    for before, after in ((r"\cdot", "*"), (r"\log_2", "@")):
        text = text.replace(before, after)
    while True:
        once = re.sub(r"\\t?frac\{([^{}]*)\}\{([^{}]*)\}", r"((\1)/(\2))", text)
        once = re.sub(r"\\sqrt\{([^{}]*)\}", r"sqrt(\1)", once)
        if once == text:
            break
        text = once
    if not re.fullmatch(r"(?:[\d.()+*/@ -]|sqrt)+", text):
        return None
    # A number before a bracket or a logarithm is a factor.
    text = re.sub(r"(?<=[\d)]) *(?=[(@])", " * ", text)
    text = re.sub(r"@ \(", "log2(", text)
    assert "@" not in text, formula
    text = re.sub(r"\d+(?:\.\d+)?", r'D("\g<0>")', text.replace("log2(", "LOG("))
    return +eval(
        text, {"D": Decimal, "sqrt": Decimal.sqrt, "LOG": lambda x: x.ln() / Decimal(2).ln()}
    )


def half_up(number, digits):
    """Round as the sheet says; what noise of 50 digits is below a half is that half."""
    return number.quantize(Decimal(1).scaleb(-20)).quantize(
        Decimal(1).scaleb(-digits), ROUND_HALF_UP
    )


def faults(line):
    """Signs of a printed line that are not true, and how many there were to look at."""
    first, *rest = re.split(r" (=|\\approx) ", line)
    sides = [("", first), *zip(rest[::2], rest[1::2], strict=True)]
    known, wrong, seen = None, [], 0
    with localcontext() as context:
        context.prec = PRECISION
        for sign, side in sides:
            found = value(side)
            if known is not None and found is not None:
                seen += 1
                digits = len(side.partition(".")[2])
                good = (
                    abs(found - known) < NOISE if sign == "=" else found == half_up(known, digits)
                )
                wrong += [] if good else [line]
            known = found
    return wrong, seen


def lines_of(text):
    return [match[1] or match[2] for match in re.finditer(r"\$\$(.+?)\$\$|\$(.+?)\$", text)]


@pytest.mark.parametrize("series", SERIES)
def test_every_line_comes_out_as_it_is_printed(series):
    for _, key in keys(*series):
        found = [faults(line) for line in lines_of(key)]
        assert not [line for wrong, _ in found for line in wrong]
        # NMD 3, RNOD 2 and more, RSNOD 4 and more, NVD, RNSS and JSD 6, DNKT 2, MAE 2, kappa 3,
        # alpha 2, CEM 2, tau 2, SSO 1, tau of halves 1, trials 9.
        assert sum(seen for _, seen in found) >= 39


@pytest.mark.parametrize("series", SERIES)
def test_what_is_carried_on_is_what_was_printed(series):
    """KLD into JSD, tau into DNKT, the proximities into CEM_ORD."""
    for sheet, key in keys(*series):
        divergences = re.findall(r"\\text\{KLD\}.* \\approx ([\d.]+)\$\$", key)
        assert rf"\tfrac12 ({' + '.join(divergences)})" in key
        tau, carried = re.search(
            r"\\tau_b = .*? (?:=|\\approx) ([^ ]+)\$\$\n\n\$\$\\text\{DNKT\}"
            r".*? \\frac\{1 - ([^ \\]+)\}\{2\}",
            key,
        ).groups()
        with localcontext() as context:
            context.prec = PRECISION
            assert value(tau) == value(carried)
        assert len(divergences) == 2
        assert all(len(number.partition(".")[2]) >= 5 for number in divergences)

        cells = re.findall(
            r"^\| predicted (\d), gold (\d) \| (\d+) \| .* \| ([\d.]+) \|$", key, re.M
        )
        gold = {k: int(n) for k, n in re.findall(r"^\| gold (\d) \|.* (\d+) \|$", key, re.M)}
        above = sum(int(items) * Decimal(shown) for *_, items, shown in cells)
        below = sum(gold[j] * Decimal(shown) for i, j, _, shown in cells if i == j)
        assert rf"\approx \frac{{{above}}}{{{below}}} " in key
        right = {j: Decimal(shown) for i, j, _, shown in cells if i == j}
        costs = {
            (j, i): right[j] - Decimal(shown)
            for i, j, items, shown in cells
            if i != j and int(items)
        }
        assert "Which of the errors made costs most" in sheet
        pattern = r"^Of the errors made, (.*) costs most: \$.* = ([\d.]+)\$ less"
        (said,) = re.findall(pattern, key, re.M)
        named = re.findall(r"class (\d) called (\d)", said[0])
        assert Decimal(said[1]) == max(costs.values())
        assert named == [cell for cell, cost in costs.items() if cost == max(costs.values())]


@pytest.mark.parametrize("series", SERIES)
def test_all_opposed_pairs_are_named(series):
    """Recomputed from the sheet: who is marked by the key may name any of them."""
    unsure = 0
    for sheet, key in keys(*series):
        names = re.search(r"^\| run \| (A .*) \|\n.*\n\| mean RNOD", sheet, re.M)[1].split(" | ")
        means = [
            dict(zip(names, map(Decimal, numbers.split(" | ")), strict=True))
            for numbers in re.findall(r"^\| mean \w+ \| (.*) \|$", sheet, re.M)
        ]
        p = {
            a + b: (Decimal(first), Decimal(second))
            for a, b, first, second in re.findall(
                r"^\| (\w), (\w) \| ([\d.]+) \| ([\d.]+) \|$", sheet, re.M
            )
        }
        assert len(means) == 2
        assert set(p) == {a + b for a, b in combinations(names, 2)}
        line = Decimal("0.05")
        opposed = [
            pair
            for pair in p
            if (means[0][pair[0]] - means[0][pair[1]]) * (means[1][pair[0]] - means[1][pair[1]]) < 0
        ]
        clashes = [pair for pair in opposed if max(p[pair]) < line]
        others = [pair for pair in opposed if pair not in clashes]
        unsure += any(min(p[pair]) >= line for pair in others)
        text = key[key.index("Contradiction\n") :]
        winner, loser = re.search(r"(\w) is significantly better than (\w) by RNOD", text).groups()
        assert [{*pair} for pair in clashes] == [{winner, loser}]
        assert means[0][winner] < means[0][loser]
        said = re.search(r"The measures order (.*) differently too, but not both", text)[1]
        assert re.findall(r"\w{2,}", said.replace(" and ", " , ")) == others
    # Pairs of which neither difference is significant are what a key once left out.
    assert unsure


def test_canary_a_line_that_does_not_come_out_is_found():
    """The two kinds of lines that were printed once, and a sum that is none."""
    for line in (
        r"\text{JSD} = \tfrac12 (0.642 + 0.683) \approx 0.662",
        r"\text{DNKT} = \frac{1 - 0.115}{2} \approx 0.442",
        r"\text{MD} = 0.1 + 0.2 = 0.4",
        r"\text{RNOD} = \sqrt{\frac{0.16}{4}} = 0.3",
        r"0.3 \log_2 \tfrac{0.3}{0.25} \approx 0.07890",
        r"1 - 7 \Big/ \frac{67}{6} \approx 0.372",
    ):
        assert faults(line)[0], line
        assert faults(line)[1] == 1
    assert faults(r"\text{JSD} = \tfrac12 (0.642 + 0.683) \approx 0.663") == ([], 1)
    assert faults(r"0.3 \log_2 \tfrac{0.3}{0.25} \approx 0.07891") == ([], 1)
