"""DNKT: the figures of the story, the printed values of eight data sets, and ours."""

from collections import Counter
from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from ordbook.chapters.draws import Draws, committed
from ordbook.chapters.record import data_sets, table_title
from ordbook.data.loading import load
from ordbook.data.printed import printed_values
from ordbook.data.scores import ScoreMatrix
from ordbook.data.scoring import score
from ordbook.measures import QUANTIFICATION
from ordbook.measures.registry import of_paper
from ordbook.meta.consistency import ranking_consistency
from ordbook.meta.seeds import over_seeds
from ordbook.meta.similarity import ranking_similarity
from ordbook.papers.claims import ticks
from ordbook.papers.comparison import Ours
from ordbook.papers.ledger import errata, printed_cells
from ordbook.papers.montecarlo import Seen
from ordbook.papers.symbols import NINE, OUTPERFORMED
from ordbook.show.charts import dots
from ordbook.show.colours import TIED

FAMILIES = ("JSD", "NMD", "RNOD")  # each is combined with DNKT
COMBINED = tuple(f"DNKT_{name}" for name in FAMILIES)
TWELVE = (*NINE, *COMBINED)
RIVALS = ("RNOD2", "RNADW", "RNADW2", "NMD")  # the ordinal measures besides RNOD
SPLITS: Mapping[str, int | None] = {"full split": None, "10 vs. 10": 10}
SYMBOLS = tuple(f"{split} outperforms" for split in SPLITS)
# Mean scores are rounded to four decimals before runs are ranked, tau to three before its limits.
ROUNDED = {"decimals": 4, "digits": 3}
_KINDS = ("agreement", "average", "combined", "consistency")
TABLES: Mapping[str, Mapping[str, str]] = {
    name: dict(zip(_KINDS, numbers.split(), strict=True))
    for name, numbers in {
        "Sem16T4E": "3 4 21a 25a",
        "Sem17T4E": "5 6 21b 25b",
        "STC-3 DQ-A": "7 8 22a 26a",
        "STC-3 DQ-E": "9 10 22b 26b",
        "STC-3 DQ-S": "11 12 22c 26c",
        "DialEval-1 DQ-A": "13 14 23a 27a",
        "DialEval-1 DQ-E": "15 16 23b 27b",
        "DialEval-1 DQ-S": "17 18 23c 27c",
    }.items()
}
# Limits of intervals, and symbols: nothing to average.
_BESIDES = r"outperforms| low$| high$"


def tables(kind: str) -> list[str]:
    """Return the printed tables of the eight data sets about one thing.

    Examples
    --------
    >>> tables("combined")
    ['21a', '21b', '22a', '22b', '22c', '23a', '23b', '23c']
    """
    return [numbers[kind] for numbers in TABLES.values()]


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


def forest(gaps: pd.DataFrame) -> Axes:
    """Draw leads with the 95% interval of their mean, a row for each rival.

    Parameters
    ----------
    gaps
        From :func:`leads`. Grey dots are data sets; the interval is Student's, over them.
    """
    from scipy.stats import ttest_1samp  # takes a second

    limits = ttest_1samp(gaps, 0, axis=1).confidence_interval()
    mean, low, high = (
        pd.DataFrame({split: pd.Series(series, gaps.index).xs(split, level=1) for split in SPLITS})
        for series in (gaps.mean(axis=1), limits.low, limits.high)
    )
    axes = dots(mean, "← the other leads        mean tau        RNOD leads →", low, high, line=0)
    for k, rival in enumerate(mean.index):
        for split, place in zip(SPLITS, (k - 0.28, k + 0.28), strict=True):
            row = gaps.loc[(rival, split)]
            axes.plot(row, np.full(len(row), place), "o", color=TIED, ms=3.5, alpha=0.6, mew=0)
    axes.set_ylabel("RNOD against")
    return axes


def recomputed(seeds: int = 1000) -> dict[str, Ours]:
    """Recompute the paper's tables as far as possible, with many seeds for random ones.

    Returns table -> values of ours, as for :func:`ordbook.compare`.
    """
    scores = score(load("sem16t4e"), list(TWELVE))
    agreement = ranking_similarity(scores, NINE, decimals=4, digits=3)
    members = ["DNKT", *FAMILIES, *COMBINED]
    averages = agreement.averages(digits=3).items()
    return {
        "1": _properties(),
        "2": data_sets(),
        "3": agreement.cells(),
        "4": {(str(name), "average"): tau for name, tau in averages},
        "21a": ranking_similarity(scores, members, decimals=4, digits=3).cells(),
        **by_chance(seeds),
    }


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
                "".join(sign for sign, name in OUTPERFORMED.items() if outcome.loc[measure, name])
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


def damaged_symbols(seeds: int = 1000) -> pd.DataFrame:
    """Return the symbols in Tables 25 to 27 that do not fit the numbers beside them.

    Parameters
    ----------
    seeds
        As for :func:`by_chance`, which repeats the test for Table 25(a).

    Returns
    -------
    DataFrame
        One row for each cell, index: table. Columns measure, half, printed, lacks (symbols that
        the other printed numbers imply), has wrongly (symbols that they exclude), and whether all
        our seeds agree with them, empty where the runs are not public.
    """
    ours = by_chance(seeds)["25a"]
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
