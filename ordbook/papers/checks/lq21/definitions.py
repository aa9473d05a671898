"""LQ'21: definitions and references of the text, evaluated.

Contents
--------
arithmetic    the value of a formula as printed
formulas      T_D, SSO, S_D and the appendix's OD
references    labels, equations and parts of tables that the text refers to
example       Section 3, Systems A and B
properties    what is said about the measures: Sections 1 and 3, footnote 2, appendix
"""

import ast
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations, pairwise, permutations, product

import numpy as np

from ordbook.measures import QUANTIFICATION, dw, nmd, od, rnod, rsnod
from ordbook.papers.checks.lq21.contradictions import CONTRADICTING
from ordbook.papers.checks.lq21.tables import (
    MEASURES,
    at,
    data_sets,
    described,
    overlap,
    parts,
    significant,
)
from ordbook.papers.relations import (
    Cell,
    Printed,
    Relation,
    Rounded,
    condition,
    counted,
    exact,
    relate,
    rounded,
)

OPERATIONS: Mapping[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}


# -- formulas ----------------------------------------------------------------------------------


def arithmetic(formula: str, **names: float) -> float:
    """Evaluate a printed formula such as ``m_D(m_D - 1)/2``; ``p^*`` is the name ``ps``.

    Examples
    --------
    >>> arithmetic("m_D(m_D - 1)/2", m_D=12)
    66.0
    """
    text = formula.replace("^*", "s").replace("^", "**")
    text = re.sub(r"(\w)\(", r"\1*(", text)

    def value(node: ast.expr) -> float:
        if isinstance(node, ast.BinOp) and type(node.op) in OPERATIONS:
            return OPERATIONS[type(node.op)](value(node.left), value(node.right))
        if isinstance(node, ast.Constant):
            return float(str(node.value))
        if isinstance(node, ast.Name) and node.id in names:
            return names[node.id]
        raise ValueError(f"{formula!r}: cannot evaluate {ast.unparse(node)!r}")

    return value(ast.parse(text, mode="eval").body)


def formulas(printed: Printed) -> list[Relation]:
    """Evaluate T_D, SSO and S_D of Section 5, and OD of the appendix, as they are printed."""
    pairs = at("s5.1", "number of system pairs", "formula")
    systems = [described(data, "#Runs used") for data in data_sets(printed)]
    t_d = [at("3", data, "NMD T_D") for data in data_sets(printed)]

    def counts_pairs(formula: str, *texts: str) -> bool:
        numbers = [int(text) for text in texts]
        halves = zip(numbers[: len(t_d)], numbers[len(t_d) :], strict=True)
        right = formula.rpartition("=")[2].strip()
        return all(arithmetic(right, m_D=m) == pairs for m, pairs in halves)

    unique = list(dict.fromkeys(systems))
    t_d = [t_d[systems.index(cell)] for cell in unique]
    relations = [condition("definition", (pairs, *unique, *t_d), counts_pairs, "Table 3", "T_D")]
    part, data = next(iter(parts(printed).items()))
    for pair in combinations(MEASURES, 2):
        counts = [overlap(part, pair, what) for what in "abc"]
        results = {
            "SSO": overlap(part, pair, "SSO"),
            "S_D of the first measure": significant(data, pair[0]),
            "S_D of the second measure": significant(data, pair[1]),
        }
        for name, result in results.items():
            relations.append(_evaluated(at("s5.2", name, "formula"), result, counts))
    return relations + [_od_of_case(*case) for case in APPENDIX_CASES]


def _evaluated(formula: Cell, result: Cell, counts: Sequence[Cell]) -> Relation:
    """Hold a formula in a, b and c to a cell of Table 3 or 4(a)."""

    def holds(formula: str, result: str, *texts: str) -> bool:
        a, b, c = (int(text) for text in texts)
        value = arithmetic(formula, a=a, b=b, c=c) * (100 if "/" in formula else 1)
        return rounded(result).meets(Rounded(value, value))

    return condition("definition", (formula, result, *counts), holds, "Section 5.2", "formula")


# Row of the appendix, and the gold distributions of the case.
APPENDIX_CASES = (
    ("Case 1: OD", (0.2, 0.5, 0.7)),
    ("Case 2 (p1* = 1): OD", (1.0,)),
    ("third case (p1* = 0): OD", (0.0,)),
)


def _od_of_case(row: str, golds: Sequence[float]) -> Relation:
    """Hold every side of a printed OD of the appendix to Eqs. 2 and 3, on a grid."""

    def holds(formula: str) -> bool:
        for gold, p in product(golds, np.linspace(0, 1, 11)):
            both = [gold, 1 - gold], [p, 1 - p]
            first, second = dw(*both)
            names = {"DW_1": float(first), "DW_2": float(second), "p_1": p, "p_2": 1 - p}
            names |= {"p_1s": gold, "p_2s": 1 - gold}
            sides = [arithmetic(side.strip(), **names) for side in formula.split("=")]
            if any(abs(side - float(od(*both))) > 1e-12 for side in sides):
                return False
        return True

    cell = at("appendix", row, "formula")
    return condition("definition", (cell,), holds, "Eqs. 2 and 3 with two classes", "OD")


# -- references --------------------------------------------------------------------------------


def references() -> list[Relation]:
    """Check what the text refers to: parts of Table 5, cases and equations of the appendix."""
    there = {f"5{part}" for part in CONTRADICTING}
    thirteen = at("appendix", "RNOD(p || p*), derived in Case 1", "equation")
    fourteen = at("appendix", "RNOD(p* || p), derived at the end", "equation")
    labels = ("first case (p1* > 0, p2* > 0)", "Case 2 (p1* = 1)", "third case (p1* = 0)")
    label_cells = [at("appendix", f"{label}: label", "reference") for label in labels]

    def next_one(before: str, after: str) -> bool:
        return int(re.findall(r"\d+", after)[0]) == int(re.findall(r"\d+", before)[0]) + 1

    def part_exists(reference: str) -> bool:
        return re.sub("[()]", "", reference) in there

    table = at("s5.2", "STC-3 DQ-A: table with the contradictions", "reference")
    relations = [
        condition("reference", (table,), part_exists, "Table 5 has parts (I) to (V)", "part"),
        counted(
            at("appendix", "cases to consider"),
            lambda *derived: len(derived),
            "the cases of which the appendix derives OD",
            [at("appendix", row, "formula") for row, _ in APPENDIX_CASES],
            "count",
        ),
    ]
    relations += [
        condition("reference", pair, next_one, "numbered in the order of the text", "neighbours")
        for pair in (*pairwise(label_cells), (thirteen, fourteen))
    ]
    for case in labels[1:]:
        cell = at("appendix", f"{case}: equation", "reference")
        relations.append(
            exact(
                "reference",
                (cell, thirteen),
                lambda reference, equation: reference == equation,
                "the case gives OD(p || p*), hence RNOD(p || p*), which also holds in Case 1",
                "equation referred to, equation of RNOD(p || p*)",
            )
        )
    return relations


# -- Section 3 ---------------------------------------------------------------------------------


def _dw(i: int) -> Callable[..., float]:
    def formula(gold: Rounded, *p: Rounded) -> float:
        return float(dw([gold.middle] * len(p), [x.middle for x in p])[i])

    return formula


def _od(gold: Rounded, *p: Rounded) -> float:
    return float(od([gold.middle] * len(p), [x.middle for x in p]))


def example() -> list[Relation]:
    """Section 3: DW_i and OD of Systems A and B, from the printed distributions (Eqs. 2 and 3).

    Its numbers are exact, so the printed ones are taken as they stand.
    """
    classes = at("s3", "example: |C|", "value")
    gold = at("s3", "example: gold p1 to p4", "value")
    relations: list[Relation] = [
        relate("example", gold, (classes,), lambda c: 1 / c.middle, "a uniform gold distribution")
    ]
    for system in "AB":
        head = f"example System {system}: "
        given = [at("s3", f"{head}p{i}", "value") for i in range(1, 5)]
        parts_of_od = [at("s3", f"{head}DW_{i}", "value") for i in range(1, 5)]
        whole = at("s3", f"{head}OD", "value")
        relations.append(relate("example", whole, (gold, *given), _od, "Eqs. 2 and 3"))
        relations += [
            relate("example", part, (gold, *given), _dw(i), "Eq. 2")
            for i, part in enumerate(parts_of_od)
        ]
        relations.append(
            relate(
                "example",
                whole,
                parts_of_od,
                lambda *parts: float(np.mean([part.middle for part in parts])),
                "Eq. 3: the mean over the classes with gold probability",
            )
        )
    return relations


# -- properties of the measures ----------------------------------------------------------------


def _two_classes(_: str) -> bool:
    grid = np.linspace(0, 1, 21)
    pairs = np.array([([g, 1 - g], [p, 1 - p]) for g, p in product(grid, grid)])
    gold, estimate = pairs[:, 0], pairs[:, 1]
    expected = np.abs(gold[:, 0] - estimate[:, 0])
    found = [nmd(gold, estimate), rnod(gold, estimate), rnod(estimate, gold), rsnod(gold, estimate)]
    return all(np.allclose(scores, expected, rtol=0, atol=1e-12) for scores in found)


def _utter_failures(_: str) -> bool:
    gold, near, far = np.eye(5)[[4, 3, 0]]
    nominal = [QUANTIFICATION[measure].function for measure in ("NVD", "RNSS", "JSD")]
    return all(f(gold, p) == 1 for f in nominal for p in (near, far))


def _one_class_each(_: str) -> bool:
    return all(od(g, p) == od(p, g) for g, p in permutations(np.eye(5), 2))


def _full_gold(_: str) -> bool:
    gold, estimate = np.full(4, 0.25), np.eye(4)[0]
    return od(gold, estimate) == od(estimate, gold)


def properties() -> list[Relation]:
    """Check what is said about the measures, by computing them (ordbook.measures)."""
    gold, estimate = np.full(4, 0.25), np.eye(4)[0]
    two_ways = f"OD is {od(gold, estimate):.4f} one way and {od(estimate, gold):.4f} the other"
    equal = "NMD(p, p*) = RNOD(p || p*) = RNOD(p* || p) = RSNOD(p, p*) = |p_1 - p*_1| on a grid"
    stated = [
        ("s3", "|C| = 2: NMD = RNOD = RSNOD", _two_classes, "Eqs. 1 to 6", equal),
        ("appendix", "|C| = 2: NMD = RNOD = RNOD swapped", _two_classes, "Eqs. 1 to 6", equal),
        (
            "s1",
            "measures that rate highly negative and positive both as utter failures",
            _utter_failures,
            "NVD (MAE), RNSS (RMSE) and JSD as ACL'21 defines them",
            "gold all highly positive: both systems score 1",
        ),
        (
            "footnote2",
            "one positive gold and one positive estimated probability is sufficient for symmetry",
            _one_class_each,
            "Eqs. 2 and 3",
            "every pair of single classes",
        ),
        (
            "footnote2",
            "C* = C is sufficient for OD to be symmetric",
            _full_gold,
            "Eqs. 2 and 3; gold uniform over four classes, estimate (1, 0, 0, 0)",
            two_ways,
        ),
    ]
    relations = [
        condition("claim", (at(table, row, "claim"),), holds, relies, shown)
        for table, row, holds, relies, shown in stated
    ]
    return relations
