"""LQ'21 beside what its tables do not hold: definitions, ACL'21 and the DialEval-1 overview."""

import ast
import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import chain, permutations, product

import numpy as np
from numpy.typing import ArrayLike

from ordbook.measures import QUANTIFICATION, dw, nmd, od, rnod, rsnod
from ordbook.papers.checks.lq21.tables import (
    CONTRADICTING,
    MEASURES,
    PAIRS,
    at,
    data_sets,
    described,
    lines,
    listed,
    overlap,
    parts,
    significant,
)
from ordbook.papers.checks.tools import ACL21, DIALEVAL1, LQ21, pairs_of
from ordbook.papers.relations import (
    NOISE,
    Cell,
    CheckResult,
    Printed,
    Relation,
    Rounded,
    claim,
    condition,
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
# Row of the appendix, and the gold distributions of the case.
APPENDIX_CASES = (
    ("Case 1: OD", (0.2, 0.5, 0.7)),
    ("Case 2 (p1* = 1): OD", (1.0,)),
    ("third case (p1* = 0): OD", (0.0,)),
)
# Score type -> the overview's tables of means: Chinese and English runs.
MEANS = {"A": {"C": "4", "E": "9"}, "S": {"C": "5", "E": "10"}, "E": {"C": "6", "E": "11"}}


def relations(printed: Printed) -> list[Relation]:
    """Return the checks against definitions and other papers."""
    return [
        *_formulas(printed),
        *_references(printed),
        *_example(),
        *_properties(),
        *_discordant(printed),
        *_overview(printed),
        *_by_both(printed),
    ]


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


def _formulas(printed: Printed) -> Iterator[Relation]:
    """Evaluate T_D, SSO and S_D of Section 5, and OD of the appendix, as they are printed."""
    runs = {described(data, "#Runs used"): data for data in reversed(data_sets(printed))}
    t_d = [at("3", runs[cell], "NMD T_D") for cell in reversed(runs)]

    def counts_pairs(formula: str, *texts: str) -> bool:
        numbers = [int(text) for text in texts]
        halves = zip(numbers[: len(t_d)], numbers[len(t_d) :], strict=True)
        right = formula.rpartition("=")[2].strip()
        return all(arithmetic(right, m_D=m) == pairs for m, pairs in halves)

    pairs = at("s5.1", "number of system pairs", "formula")
    cells = (pairs, *reversed(runs), *t_d)
    yield condition("definition", cells, counts_pairs, "Table 3", "T_D")

    def holds(formula: str, result: str, *texts: str) -> bool:
        a, b, c = (int(text) for text in texts)
        value = arithmetic(formula, a=a, b=b, c=c) * (100 if "/" in formula else 1)
        return rounded(result).meets(Rounded(value, value))

    part, data = next(iter(parts(printed).items()))
    for pair in PAIRS:
        counts = [overlap(part, pair, what) for what in "abc"]
        for name, result in (
            ("SSO", overlap(part, pair, "SSO")),
            ("S_D of the first measure", significant(data, pair[0])),
            ("S_D of the second measure", significant(data, pair[1])),
        ):
            cells = (at("s5.2", name, "formula"), result, *counts)
            yield condition("definition", cells, holds, "Section 5.2", "formula")
    for row, golds in APPENDIX_CASES:

        def right(formula: str, golds: Sequence[float] = golds) -> bool:
            """Hold every side of a printed OD of the appendix to Eqs. 2 and 3, on a grid."""
            for gold, p in product(golds, np.linspace(0, 1, 11)):
                first, second = dw([gold, 1 - gold], [p, 1 - p])
                names = {"DW_1": float(first), "DW_2": float(second), "p_1": p, "p_2": 1 - p}
                names |= {"p_1s": gold, "p_2s": 1 - gold}
                true = float(od([gold, 1 - gold], [p, 1 - p]))
                for side in formula.split("="):
                    if abs(arithmetic(side.strip(), **names) - true) > 1e-12:
                        return False
            return True

        cell = at("appendix", row, "formula")
        yield condition("definition", (cell,), right, "Eqs. 2 and 3 with two classes", "OD")
        classes = [f"DW_{i}" for i, p in ((1, golds[0]), (2, 1 - golds[0])) if p]
        yield condition(
            "definition",
            (cell,),
            lambda formula, classes=classes: re.findall(r"DW_\d", formula) == classes,
            "Eq. 3 averages over the classes with gold probability",
            " and ".join(classes),
        )


def _references(printed: Printed) -> Iterator[Relation]:
    """Check what the text refers to: a part of Table 5, and a data set."""

    def part_exists(reference: str) -> bool:
        return re.sub("[()]", "", reference) in {f"5{part}" for part in CONTRADICTING}

    table = at("s5.2", "STC-3 DQ-A: table with the contradictions", "reference")
    yield condition("reference", (table,), part_exists, "Table 5 has parts (I) to (V)", "part")
    name = at("s5.3", "STC-3 DQ-A NMD: data set name", "reference")
    rows = LQ21.rows(printed, "7")
    relies = "the rows of Table 7, which the sentence quotes"
    yield condition("reference", (name,), rows.__contains__, relies, "a data set")


# -- Section 3's example and the properties of the measures ------------------------------------


def _example() -> Iterator[Relation]:
    """Section 3: DW_i and OD of Systems A and B, from the printed distributions (Eqs. 2 and 3).

    Its numbers are exact, so the printed ones are taken as they stand. System A is better by OD,
    and equal to B in NMD.
    """

    def on(function: Callable[..., object], place: int | None = None) -> Callable[..., float]:
        def formula(gold: Rounded, *p: Rounded) -> float:
            found = function([gold.middle] * len(p), [x.middle for x in p])
            return float(np.asarray(found)[() if place is None else place])

        return formula

    def middle(*parts: Rounded) -> float:
        return float(np.mean([part.middle for part in parts]))

    gold, classes = at("s3", "example: gold p1 to p4", "value"), at("s3", "example: |C|", "value")
    relies = "a uniform gold distribution"
    yield relate("example", gold, (classes,), lambda c: 1 / c.middle, relies)
    given, whole = {}, {}
    for system in "AB":
        head = f"example System {system}: "
        given[system] = [at("s3", f"{head}p{i}", "value") for i in range(1, 5)]
        whole[system] = at("s3", f"{head}OD", "value")
        sources = (gold, *given[system])
        yield relate("example", whole[system], sources, on(od), "Eqs. 2 and 3")
        parts_of_od = [at("s3", f"{head}DW_{i}", "value") for i in range(1, 5)]
        for i, part in enumerate(parts_of_od):
            yield relate("example", part, sources, on(dw, i), "Eq. 2")
        relies = "Eq. 3: the mean over the classes with gold probability"
        yield relate("example", whole[system], parts_of_od, middle, relies)

    def equal(gold: Decimal, *p: Decimal) -> bool:
        golds, values = [float(gold)] * 4, [float(x) for x in p]
        return abs(float(nmd(golds, values[:4])) - float(nmd(golds, values[4:]))) < 1e-12

    sentence = LQ21.claim("s3", "example: System A slightly better than B by OD")
    relies, shown = "smaller is better", "OD of B and of A"
    yield claim(sentence, (whole["B"], whole["A"]), Decimal.__gt__, relies, shown)
    sentence = LQ21.claim("s3", "example: A and B equal in NMD")
    cells = [gold, *given["A"], *given["B"]]
    yield claim(sentence, cells, equal, "Eq. 1", "NMD of A and B from gold, A, B")


def _two_classes() -> bool:
    grid = np.linspace(0, 1, 21)
    pairs = np.array([([g, 1 - g], [p, 1 - p]) for g, p in product(grid, grid)])
    gold, estimate = pairs[:, 0], pairs[:, 1]
    expected = np.abs(gold[:, 0] - estimate[:, 0])
    found = [nmd(gold, estimate), rnod(gold, estimate), rnod(estimate, gold), rsnod(gold, estimate)]
    return all(np.allclose(scores, expected, rtol=0, atol=1e-12) for scores in found)


def _utter_failures() -> bool:
    gold, near, far = np.eye(5)[[4, 3, 0]]
    nominal = [QUANTIFICATION[measure].function for measure in ("NVD", "RNSS", "JSD")]
    return all(f(gold, p) == 1 for f in nominal for p in (near, far))


def _properties() -> Iterator[Relation]:
    """Check what is said about the measures, by computing them (ordbook.measures)."""
    gold, estimate = np.full(4, 0.25), np.eye(4)[0]
    one_way, other_way = od(gold, estimate), od(estimate, gold)
    two_ways = f"OD is {one_way:.4f} one way and {other_way:.4f} the other"
    single = all(od(g, p) == od(p, g) for g, p in permutations(np.eye(5), 2))
    equal = "NMD(p, p*) = RNOD(p || p*) = RNOD(p* || p) = RSNOD(p, p*) = |p_1 - p*_1| on a grid"
    for table, row, true, relies, shown in (
        ("s3", "|C| = 2: NMD = RNOD = RSNOD", _two_classes(), "Eqs. 1 to 6", equal),
        ("appendix", "|C| = 2: NMD = RNOD = RNOD swapped", _two_classes(), "Eqs. 1 to 6", equal),
        (
            "s1",
            "measures that rate highly negative and positive both as utter failures",
            _utter_failures(),
            "NVD (MAE), RNSS (RMSE) and JSD as ACL'21 defines them",
            "gold all highly positive: both systems score 1",
        ),
        (
            "footnote2",
            "one positive gold and one positive estimated probability is sufficient for symmetry",
            single,
            "Eqs. 2 and 3",
            "every pair of single classes",
        ),
        (
            "footnote2",
            "C* = C is sufficient for OD to be symmetric",
            one_way == other_way,
            "Eqs. 2 and 3; gold uniform over four classes, estimate (1, 0, 0, 0)",
            two_ways,
        ),
    ):
        sentence = LQ21.claim(table, row)
        yield condition("claim", (sentence,), lambda _, true=true: true, relies, shown)


# -- ACL'21 ------------------------------------------------------------------------------------


def _discordant(printed: Printed) -> Iterator[Relation]:
    """Hold contradictions to tau of the same run means: (1 - tau)/2 of the pairs are discordant."""

    def holds(contradicting: str, tau: str, pairs: str) -> bool:
        return int(contradicting) <= (1 - rounded(tau).low) / 2 * int(pairs) + NOISE

    for part, theirs in {"III": "5i", "IV": "5ii", "V": "5iii"}.items():
        for cell in ACL21.cells(printed, theirs):
            first, second = sorted((cell.row, cell.column), key=MEASURES.index)
            pairs = at("3", CONTRADICTING[part], "NMD T_D")
            yield condition(
                "interval",
                (at(f"5{part}", first, second), cell, pairs),
                holds,
                "Section 5.2: contradicting means are ranked in opposite order; ties only "
                "leave fewer",
                "contradictions, tau, pairs of runs",
            )


# -- the DialEval-1 overview -------------------------------------------------------------------


def _overview(printed: Printed) -> Iterator[Relation]:
    """Hold Table 6 to the overview's means: Run 1 has the smaller one."""
    for part, data in CONTRADICTING.items():
        if data.startswith("DialEval-1"):
            details = lines(printed, part)
            for i in range(0, len(details), 4):
                yield _better(details[i : i + 4], printed, MEANS[data[-1]])


def _better(line: Sequence[Cell], printed: Printed, tables: Mapping[str, str]) -> Relation:
    """Hold the runs of a line of Table 6 to the overview's means: Run 1 has the smaller ones."""

    def place(run: str, measure: str) -> Cell | None:
        found = re.fullmatch(r"[AES]_(.*)-([CE])", run)
        return DIALEVAL1.at(tables[found[2]], found[1], measure) if found else None

    def compared(texts: Printed) -> list[tuple[Cell | None, Cell | None]]:
        (claimed,) = listed([texts[cell] for cell in line])
        every = product(sorted(claimed.first), claimed.better, claimed.worse)
        return [(place(better, m), place(worse, m)) for m, better, worse in every]

    known = {cell for cell in printed if cell.paper == "dialeval1"}
    means = dict.fromkeys(cell for pair in compared(printed) for cell in pair if cell in known)

    def test(printed: Printed) -> CheckResult:
        for better, worse in compared(printed):
            if better not in known or worse not in known:
                return CheckResult(False, f"the overview has no {better} or no {worse}")
            if better in means and worse in means:
                low, high = printed[better], printed[worse]
                if rounded(low).low >= rounded(high).high:
                    return CheckResult(False, f"{better} is {low}, not below {worse}, {high}")
        return CheckResult(
            True, f"Run 1 has the smaller mean in all {len(compared(printed))} cases"
        )

    relies = "Section 5.2: smaller means are better; the overview's Tables 4 to 6 and 9 to 11"
    return Relation("list", (*line, *means), test, relies)


def both(means: ArrayLike, counts: Sequence[int]) -> tuple[int, int]:
    """Return how many pairs of runs two measures can both find significant: least and most.

    The p-values of a Tukey HSD test fall as the differences of the means grow, so that the S
    significant pairs of a measure are the S pairs with the largest differences. Each mean may be
    half a unit of its last digit away from what is printed.

    Parameters
    ----------
    means
        (runs, 2): printed means, in whole units of their last digit.
    counts
        How many pairs each of the two measures finds significant.

    Examples
    --------
    >>> both([[0, 0], [10, 30], [40, 10]], [2, 1])
    (0, 0)
    >>> both([[0, 0], [10, 30], [40, 10]], [2, 2])
    (1, 1)
    """
    units = np.asarray(means, dtype=int)
    first, second = np.triu_indices(len(units), 1)
    sure = maybe = True
    for distances, count in zip(np.abs(units[first] - units[second]).T, counts, strict=True):
        order = np.concatenate(([-np.inf], np.sort(distances), [np.inf]))
        beyond, last = order[-count - 2], order[-count - 1]
        # Two differences of rounded means are in order when they are two units apart.
        sure = sure & (distances > beyond + 2)
        maybe = maybe & (distances >= last - 2)
    return int(np.count_nonzero(sure)), int(np.count_nonzero(maybe))


def _by_both(printed: Printed) -> Iterator[Relation]:
    """Hold Table 4's pairs that NMD and RSNOD both find significant to the overview's means."""
    relies = (
        "in a Tukey HSD test the S_D significant pairs are those with the largest differences; "
        "the overview's Tables 4 to 6 and 9 to 11"
    )
    for part, data in parts(printed).items():
        if not data.startswith("DialEval-1"):
            continue
        pair = ("NMD", "RSNOD")
        means = [
            sorted(c for t in MEANS[data[-1]].values() for c in DIALEVAL1.column(printed, t, name))
            for name in pair
        ]
        cell, powers = overlap(part, pair, "b"), [significant(data, measure) for measure in pair]

        def test(
            printed: Printed,
            cell: Cell = cell,
            powers: Sequence[Cell] = powers,
            means: Sequence[Sequence[Cell]] = means,
        ) -> CheckResult:
            units = [[Decimal(printed[one]).scaleb(4) for one in column] for column in means]
            counts = [int(printed[one]) for one in powers]
            pairs = pairs_of(len(units[0]))
            if not all(0 < count < pairs for count in counts):
                return CheckResult(False, f"{counts} significant pairs of {pairs}")
            low, high = both(np.array(units, dtype=float).T.round(), counts)
            found = f"{low} to {high} pairs by the means, printed {printed[cell]}"
            return CheckResult(low <= int(printed[cell]) <= high, found)

        yield Relation("interval", (cell, *powers, *chain(*means)), test, relies)
