"""The checks of DNKT: definitions, and agreement and consistency of rankings by twelve measures.

Every tau is tau-a, (concordant - discordant pairs of runs)/T: tied pairs count 0 and stay in T.
What is computed from tau (limits and averages) is computed from the printed three digits: of
720 limits and 126 averages all come out that way, and 199 limits and 10 averages do not from
the fractions themselves.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from ordbook.data.loading import load
from ordbook.data.printed import NINE, printed_values
from ordbook.data.scores import ScoreMatrix
from ordbook.data.scoring import score
from ordbook.measures import QUANTIFICATION, dnkt, dnkt_jsd, dnkt_nmd, dnkt_rnod, od, rnadw
from ordbook.measures.registry import of_paper
from ordbook.meta.consistency import ranking_consistency
from ordbook.meta.seeds import over_seeds
from ordbook.meta.similarity import ranking_similarity
from ordbook.papers.claims import ticks
from ordbook.papers.comparison import Ours
from ordbook.papers.draws import Draws, Seen, committed
from ordbook.papers.formulas import compositions, named
from ordbook.papers.kinds.correlations import correlated
from ordbook.papers.kinds.sizes import of_catalogue
from ordbook.papers.ledger import errata, printed_cells
from ordbook.papers.relations import (
    Cell,
    Printed,
    Relation,
    all_beside,
    average,
    beside,
    condition,
    exact,
    table_title,
    value_of,
)
from ordbook.papers.tables import DNKT

if TYPE_CHECKING:
    from matplotlib.figure import Figure

at = DNKT.at
# Section 2.3: a distribution that ranks four classes, and one that does not.
ORDER, UNIFORM = (0.4, 0.3, 0.2, 0.1), (0.25,) * 4


# Data set -> the number of each of its tables.
TABLES: Mapping[str, Mapping[str, str]] = {
    name: dict(zip(("agreement", "average", "combined", "consistency"), numbers, strict=True))
    for name, *numbers in (
        ("Sem16T4E", "3", "4", "21a", "25a"),
        ("Sem17T4E", "5", "6", "21b", "25b"),
        ("STC-3 DQ-A", "7", "8", "22a", "26a"),
        ("STC-3 DQ-E", "9", "10", "22b", "26b"),
        ("STC-3 DQ-S", "11", "12", "22c", "26c"),
        ("DialEval-1 DQ-A", "13", "14", "23a", "27a"),
        ("DialEval-1 DQ-E", "15", "16", "23b", "27b"),
        ("DialEval-1 DQ-S", "17", "18", "23c", "27c"),
    )
}
SPLITS: Mapping[str, int | None] = {"full split": None, "10 vs. 10": 10}


def tables(kind: str) -> list[str]:
    """Return the printed tables of the eight data sets about one thing.

    Examples
    --------
    >>> tables("combined")
    ['21a', '21b', '22a', '22b', '22c', '23a', '23b', '23c']
    """
    return [numbers[kind] for numbers in TABLES.values()]


def relations(printed: Printed) -> list[Relation]:
    """Return the checks of DNKT."""
    return [
        *_average_consistencies(printed),
        *_ticks(printed),
        *_symmetry(),
        *_examples(),
        *_averages(printed),
        *_similarity(printed),
    ]


# -- Tables 3 to 24: agreement -----------------------------------------------------------------


def _averages(printed: Printed) -> Iterator[Relation]:
    """Section 4: average similarities, and Tables 19, 20 and 24 over the eight data sets.

    All are means of the printed three digits, halves rounded up.
    """

    def holds(mean: Decimal, *terms: Decimal) -> bool:
        unit = Decimal(1).scaleb(int(mean.as_tuple().exponent))
        return mean == (sum(terms, Decimal()) / len(terms)).quantize(unit, ROUND_HALF_UP)

    def rounded_up(cell: Cell, parts: Sequence[Cell], where: str) -> Relation:
        relies = f"the mean of printed values, halves up: {where}"
        return exact("average", (cell, *parts), holds, relies, "mean, of the printed values")

    for measure in NINE:
        parts = [at(table, measure, "average") for table in tables("average")]
        for table, cell in zip(tables("agreement"), parts, strict=True):
            others = [DNKT.between(printed, table, measure, m) for m in NINE if m != measure]
            yield rounded_up(cell, others, f"Section 4, Table {table}")
        yield rounded_up(at("20", measure, "average"), parts, "caption of Table 20")
    for table, name in (("19", "agreement"), ("24", "combined")):
        for cell in correlated(DNKT, table, printed):
            parts = [cell._replace(table=part) for part in tables(name)]
            yield rounded_up(cell, parts, f"caption of Table {table}")


# -- Tables 25 to 28: consistency, and which measure outperforms which -------------------------


def _average_consistencies(printed: Printed) -> Iterator[Relation]:
    """Table 28 averages the mean tau of the eight data sets.

    Not of the printed values, it seems: the three averages that lie halfway are rounded down.
    """
    for split in SPLITS:
        for cell in DNKT.column(printed, "28", split):
            parts = [cell._replace(table=table) for table in tables("consistency")]
            yield average(cell, parts, "caption of Table 28")


# -- definitions: Table 1, footnotes, Section 2 ------------------------------------------------


def _ticks(printed: Printed) -> Iterator[Relation]:
    """Table 1 against the properties of the measures, which tests prove or refute."""
    for cell in DNKT.cells(printed, "1"):
        measure = QUANTIFICATION[cell.column]
        mark = ticks(measure)[cell.row]
        yield condition("claim", (cell,), mark.__eq__, f"{measure.title}: {measure.source}", mark)
    word = "assumes" if QUANTIFICATION["RNADW2"].equidistant else "avoids"
    sentence = DNKT.claim("s2.1", "RNADW2 avoids equidistance")
    relies = "Eq. 6: distances are gold probabilities"
    yield condition("claim", (sentence,), word.__eq__, relies, word)


def _symmetry() -> Iterator[Relation]:
    """Section 2.1's ADW and footnote 2's OD: scores of many distributions, exchanged."""
    fine, coarse, corners = compositions(4, 3) / 4, compositions(3, 3) / 3, np.eye(5)
    full = coarse[(coarse > 0).all(axis=1)]
    for section, row, word, measure, gold, estimates, relies in (
        # ADW is RNADW squared, times |C| - 1 (Eq. 8).
        ("s2.1", "ADW symmetric", "symmetric", rnadw, fine, fine, "Eqs. 2, 3, 7, 8"),
        ("footnote2", "C* = C makes OD symmetric", "sufficient", od, full, coarse, "Eqs. 2 to 4"),
        (
            "footnote2",
            "both distributions with one positive probability",
            "sufficient",
            od,
            corners,
            corners,
            "Eqs. 2 to 4",
        ),
    ):
        scores = measure(gold[:, None], estimates[None])
        change = float(np.abs(scores - measure(estimates[None], gold[:, None])).max())

        def holds(claim: str, word: str = word, change: float = change) -> bool:
            return (claim == word) == (change < 1e-9)

        text = f"scores change by up to {change:.4f} if gold and estimate are exchanged"
        yield condition("claim", (DNKT.claim(section, row),), holds, relies, text)


def _examples() -> Iterator[Relation]:
    """Section 2.3 and footnote 3: the range of tau-b, and what uniform distributions score.

    Tied pairs of classes are ignored, so nothing is concordant with a uniform distribution.
    """
    classes = list(combinations(zip(UNIFORM, ORDER, strict=True), 2))
    products = [(u - v) * (x - y) for (u, x), (v, y) in classes]
    numbers = {"CONC": sum(x > 0 for x in products), "DISC": sum(x < 0 for x in products)}
    same, reverse, uniform = (float(dnkt(x, ORDER)) for x in (ORDER, ORDER[::-1], UNIFORM))
    combined = max(float(measure(ORDER, ORDER)) for measure in (dnkt_jsd, dnkt_nmd, dnkt_rnod))
    row = "at least one uniform distribution"
    for place, column, value, relies in (
        ("tau-b", "range low", 1 - 2 * reverse, "Eq. 16 for tau-b"),
        ("tau-b", "range high", 1 - 2 * same, "Eq. 16 for tau-b"),
        ("DNKT = M = 0", "DNKT_M", combined, "Eq. 17, equal"),
        *(("gold uniform distribution", n, v, "Section 2.3") for n, v in numbers.items()),
        *((row, n, v, "Section 2.3") for n, v in numbers.items()),
        (row, "DNKT", uniform, "Eq. 16, gold uniform"),
        (row, "tau-b", 1 - 2 * uniform, "Eq. 16 for tau-b, gold uniform"),
    ):
        yield beside(at("s2.3", place, column), value, relies, "example")
    word = "not zero" if float(dnkt(UNIFORM, UNIFORM)) else "zero"
    cell = at("footnote3", "two uniform distributions", "DNKT")
    yield beside(cell, word, "Eq. 16, both uniform", "example")


def _similarity(printed: Printed) -> Iterator[Relation]:
    """Tau with Fieller's limits, and average tau.

    Means are rounded to four decimals before runs are ranked, tau to three before limits and
    averages: the paper does not say so, and its numbers come out no other way.
    """
    relies = "means rounded to four decimals, tau-a rounded to three"
    for table, values in agreement().items():
        yield from all_beside(DNKT.cells(printed, table), values, relies)


# -- the values of ours, and figures ----------------------------------------------------------

FAMILIES = ("JSD", "NMD", "RNOD")  # each is combined with DNKT
COMBINED = tuple(f"DNKT_{name}" for name in FAMILIES)
TWELVE = (*NINE, *COMBINED)
RIVALS = ("RNOD2", "RNADW", "RNADW2", "NMD")  # the ordinal measures besides RNOD
SYMBOLS = tuple(f"{split} outperforms" for split in SPLITS)
# Mean scores are rounded to four decimals before runs are ranked, tau to three before its limits.
ROUNDED = {"decimals": 4, "digits": 3}
# Limits of intervals, and symbols: nothing to average.
_BESIDES = r"outperforms| low$| high$"


def printed_numbers(table: str) -> pd.Series:
    """Return the numbers of a table by row and column, without limits and symbols."""
    cells = printed_values("dnkt", table)
    cells = cells[~cells["column"].str.contains(_BESIDES)]
    return cells.set_index(["row", "column"])["printed"].astype(float)


def by_data_set(kind: str, column: str) -> pd.DataFrame:
    """Return one printed column for every data set: a row for each measure.

    Parameters
    ----------
    kind, column
        ``"average"`` and ``"average"``, or ``"consistency"`` and ``"full split"`` or
        ``"10 vs. 10"``.
    """
    columns = {
        name: printed_numbers(numbers[kind]).xs(column, level="column")
        for name, numbers in TABLES.items()
    }
    return pd.DataFrame(columns).rename_axis("measure")


def leads() -> pd.DataFrame:
    """Return RNOD's lead in printed mean tau over each other ordinal measure.

    Returns
    -------
    DataFrame
        Rows: rival and kind of split; columns: the eight data sets.
    """
    gaps = []
    for split in SPLITS:
        tau = by_data_set("consistency", split)
        gap = tau.loc["RNOD"] - tau.loc[list(RIVALS)]
        gaps.append(gap.set_axis(pd.MultiIndex.from_product([RIVALS, [split]])))
    order = pd.MultiIndex.from_product([RIVALS, SPLITS])
    return pd.concat(gaps).loc[order]


def forest(gaps: pd.DataFrame) -> "Figure":
    """Draw leads with the 95% interval of their mean, a row for each rival.

    Parameters
    ----------
    gaps
        From :func:`leads`. Grey dots are data sets; the interval is Student's, over them.
    """
    from scipy.stats import ttest_1samp  # takes a second

    from ordbook.show import charts

    limits = ttest_1samp(gaps, 0, axis=1).confidence_interval()
    numbers = pd.DataFrame(
        {"mean": gaps.mean(axis=1), "low": limits.low, "high": limits.high}, gaps.index
    )
    names = {split: f"mean tau, {split}\n← rival leads | RNOD leads →" for split in SPLITS}
    panels = {
        name: numbers.loc[pd.IndexSlice[:, split], :].droplevel(1) for split, name in names.items()
    }
    points = {name: dict(gaps.xs(split, level=1).iterrows()) for split, name in names.items()}
    return charts.leads(panels, points)


def recomputed(seeds: int = 1000) -> dict[str, Ours]:
    """Recompute the paper's tables as far as possible, with many seeds for random ones.

    Returns table -> values of ours, as for :func:`ordbook.compare`.
    """
    return {
        "1": _properties(),
        "2": of_catalogue(DNKT, "2"),
        **agreement(),
        **by_chance(seeds),
    }


def agreement() -> dict[str, dict[tuple[str, str], float]]:
    """Return Tables 3, 4 and 21(a), which are about public runs: table -> values of ours."""
    scores = score(load("sem16t4e"), TWELVE)
    nine = ranking_similarity(scores, NINE, decimals=4, digits=3)
    averages = {(str(name), "average"): float(tau) for name, tau in nine.averages(digits=3).items()}
    members = ("DNKT", *FAMILIES, *COMBINED)
    seven = ranking_similarity(scores, members, decimals=4, digits=3)
    return {"3": nine.cells(), "4": averages, "21a": seven.cells()}


@committed("dnkt", "sem16t4e")
def by_chance(seeds: int) -> Draws:
    """Repeat the consistencies of Table 25(a)."""
    scores = score(load("sem16t4e"), TWELVE)

    def means(seed: int) -> dict[tuple[str, str], float]:
        return {
            (str(measure), split): tau
            for split, size in SPLITS.items()
            for measure, tau in ranking_consistency(
                scores, size, 1000, seed, threads=1, measures=TWELVE
            ).mean.items()
        }

    return {"25a": {**over_seeds(means, seeds), **_outperformed(scores, seeds)}}


def _outperformed(scores: ScoreMatrix, seeds: int) -> dict[tuple[str, str], Seen]:
    """Return the symbols of Table 25(a): tests take longer, so one seed in forty is theirs."""
    seen = {}
    for split, size in SPLITS.items():
        wins = [
            ranking_consistency(scores, size, 1000, seed, threads=1, measures=TWELVE).outperforms()
            for seed in range(max(20, seeds // 40))
        ]
        for measure in TWELVE:
            texts = (
                "".join(sign for sign, name in DNKT.symbols.items() if outcome.loc[measure, name])
                for outcome in wins
            )
            seen[measure, f"{split} outperforms"] = Seen(Counter(t or "blank" for t in texts))
    return seen


def _properties() -> dict[tuple[str, str], str]:
    """Return Table 1 as the tests of this project find it."""
    return {
        (row, name): mark
        for name in of_paper("dnkt", "quantification")
        for row, mark in ticks(QUANTIFICATION[name]).items()
    }


def damaged_symbols() -> pd.DataFrame:
    """Return the symbols in Tables 25 to 27 that do not fit the numbers beside them.

    Returns
    -------
    DataFrame
        One row for each cell, index: table. Columns measure, half, printed, lacks (symbols that
        the other printed numbers imply), has wrongly (symbols that they exclude), and whether all
        our seeds agree with them, empty where the runs are not public.
    """
    ours = by_chance()["25a"]
    printed = printed_cells()
    implied = {cell: text for error in errata() for cell, text in error.implied.items()}
    rows = []
    for cell, text in implied.items():
        if cell.column not in SYMBOLS:
            continue
        signs, _ = printed[cell]
        lacks = "".join(sign for sign in text if sign not in signs)
        extra = "".join(sign for sign in signs if sign not in text)
        agree = ""
        if cell.table == "25a":
            seen = ours[cell.row, cell.column]
            alike = isinstance(seen, Seen) and all(set(drawn) == set(text) for drawn in seen.counts)
            agree = "yes" if alike else "no"
        half = cell.column.removesuffix(" outperforms")
        rows.append((table_title(cell.table), cell.row, half, signs, lacks, extra, agree))
    heads = ["table", "measure", "half", "printed", "lacks", "has wrongly", "our seeds agree"]
    return pd.DataFrame(rows, columns=heads).set_index("table")


# -- named functions of formulas.csv -------------------------------------------------------------


@named
def clearly_below(
    texts: Sequence[str], lead: int, least: tuple[int, int], most: tuple[int, int]
) -> int | None:
    """Return how many means lie below one by a significant difference, or None if it is open.

    ``least`` are the places of a significant pair, ``most`` those of one that is not.
    """
    means = [value_of(text) for text in texts]
    behind = [means[lead] - mean for mean in means]
    sure = sum(gap >= means[least[0]] - means[least[1]] for gap in behind)
    possible = sum(gap > means[most[0]] - means[most[1]] for gap in behind)
    return sure if sure == possible else None
