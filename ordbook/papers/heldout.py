"""What twins predict of tables that they were not fitted to.

A twin (:mod:`ordbook.data.twins`) is fitted to what DialEval-1 prints of its runs and to LQ'21's
Table 7. Other papers print other things of the same 22 runs: how many differences are significant
by six measures, how far measures agree, how consistent they are. No twin ever saw these numbers;
how near it comes says what it is worth.

Contents
--------
HELD_OUT    subtask -> paper -> the tables that test its twin
predict     a twin -> its value for every cell of those tables
held_out    subtask and seeds -> printed beside what twins of several seeds show
forced      subtask -> printed beside what DialEval-1's means leave possible, for any gold and runs
"""

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from ordbook.data.printed import printed_values
from ordbook.data.scores import ScoreMatrix
from ordbook.data.scoring import score
from ordbook.data.tasks import QuantificationTask
from ordbook.data.twin_targets import FITTED, SIX, languages
from ordbook.data.twins import make_twin
from ordbook.meta.consistency import ranking_consistency
from ordbook.meta.discrimination import contradictions, discriminative_power, significance_overlap
from ordbook.meta.significance import tukey_hsd
from ordbook.meta.similarity import ranking_similarity
from ordbook.papers.relations import Cell

HELD_OUT = {
    "A": {"power": "3", "overlap": "4f", "contradictions": "5III", "similarity": "5i",
          "full split": "6a", "10 vs. 10": "6b", "agreement": "13", "average": "14"},
    "E": {"power": "3", "overlap": "4g", "contradictions": "5IV", "similarity": "5ii",
          "full split": "6c", "10 vs. 10": "6d", "agreement": "15", "average": "16"},
    "S": {"power": "3", "overlap": "4h", "contradictions": "5V", "similarity": "5iii",
          "full split": "6e", "10 vs. 10": "6f", "agreement": "17", "average": "18"},
}  # fmt: skip
NINE = ("NMD", "RNADW", "RNOD", "RNADW2", "RNOD2", "NVD", "RNSS", "JSD", "DNKT")
# ACL'21 counts the two pairs of duplicated baselines as concordant; tau-a does not.
DUPLICATES = 2
TRIALS = 5000


def predict(twin: QuantificationTask, subtask: str, seed: int = 0) -> dict[Cell, float]:
    """Return a twin's value for every number of the tables that test it.

    ``seed`` is for the permutations and the splits; 5,000 and 1,000 of them, as in the papers.
    """
    if subtask not in HELD_OUT:
        raise ValueError(f"no subtask {subtask!r}; there are {', '.join(HELD_OUT)}")
    scores = score(twin, dict.fromkeys((*SIX, *NINE)))
    return dict(_values(scores, subtask, seed))


def _values(scores: ScoreMatrix, subtask: str, seed: int) -> Iterator[tuple[Cell, float]]:
    tables = HELD_OUT[subtask]
    six = scores.select(SIX)
    tests = tukey_hsd(six, TRIALS, seed)
    for measure, count in discriminative_power(tests)["significant"].items():
        yield Cell("lq21", "3", f"DialEval-1 DQ-{subtask}", f"{measure} S_D"), float(count)
    overlap = significance_overlap(tests)
    for (first, second), row in zip(overlap.index, overlap.to_dict("records"), strict=True):
        for name, value in (
            ("SSO", 100 * row["overlap"]),
            ("a", row["first_only"]),
            ("b", row["both"]),
            ("c", row["second_only"]),
        ):
            yield Cell("lq21", tables["overlap"], first, f"{second} {name}"), float(value)
    clashes = contradictions(tests).groupby(["first", "second"]).size()
    for first, second in overlap.index:
        value = float(clashes.get((first, second), 0))
        yield Cell("lq21", tables["contradictions"], first, second), value
    pairs = len(scores.runs) * (len(scores.runs) - 1) / 2
    concordant = DUPLICATES / pairs
    for (first, second), value in ranking_similarity(six).cells().items():
        if second in SIX:
            yield Cell("acl21", tables["similarity"], first, second), value + concordant
    for name, size in (("full split", None), ("10 vs. 10", 10)):
        found = ranking_consistency(six, size, 1000, seed)
        for measure, mean in found.mean.items():
            yield Cell("acl21", tables[name], str(measure), "mean tau"), float(mean) + concordant
        yield Cell("acl21", tables[name], "all measures", "V_E2"), found.v_e2
    nine = ranking_similarity(scores, NINE, digits=3, decimals=4)
    for (first, second), value in nine.cells().items():
        if not second.endswith((" low", " high")):
            yield Cell("dnkt", tables["agreement"], first, second), float(value)
    for measure, value in nine.averages(digits=3).items():
        yield Cell("dnkt", tables["average"], str(measure), "average"), float(value)


def held_out(subtask: str, seeds: Sequence[int] = range(5)) -> pd.DataFrame:
    """Put the printed numbers that no twin was fitted to beside those of twins of several seeds.

    Parameters
    ----------
    subtask
        ``"A"``, ``"S"`` or ``"E"``.
    seeds
        Each gives a twin (some seconds) and its permutations and splits.

    Returns
    -------
    DataFrame
        paper, table, row, column, printed (a number), low, mean and high of the twins, and
        whether ``printed`` lies between low and high.
    """
    found = [predict(make_twin(subtask, seed), subtask, seed) for seed in seeds]
    rows = []
    for paper, table in dict.fromkeys((cell.paper, cell.table) for cell in found[0]):
        for cell in printed_values(paper, table).itertuples(index=False):
            key = Cell(str(cell.paper), str(cell.table), str(cell.row), str(cell.column))
            if key in found[0] and cell.printed != "lost":
                values = [one[key] for one in found]
                number = float(str(cell.printed))
                low, high = min(values), max(values)
                rows.append(
                    (*key, number, low, sum(values) / len(values), high, low <= number <= high)
                )
    columns = ["paper", "table", "row", "column", "printed", "low", "mean", "high", "inside"]
    return pd.DataFrame(rows, columns=columns)


def forced(subtask: str) -> pd.DataFrame:
    """Put printed numbers beside what the printed means of the 22 runs leave possible.

    Some of the numbers that test a twin are decided by the means alone, whatever the gold votes
    and the runs: tau between NMD and RSNOD, because it compares the order of the means; and the
    pairs that are significant by both, because the S_D pairs with the smallest p-values of a Tukey
    HSD test are the S_D pairs with the largest differences. Every mean may be half a unit of its
    last digit away from what is printed.

    Returns
    -------
    DataFrame
        paper, table, row, column, printed, low, high and whether ``printed`` is ``possible``.
        Where it is not, the two papers cannot both have scored the same runs in the same way, and
        no twin can agree with both.
    """
    if subtask not in HELD_OUT:
        raise ValueError(f"no subtask {subtask!r}; there are {', '.join(HELD_OUT)}")
    tables = HELD_OUT[subtask]
    means = pd.concat(
        [one.means.set_axis(one.means.index + one.suffix) for one in languages(subtask)]
    )
    first, second = np.triu_indices(len(means), 1)
    units = np.rint(means.loc[:, list(FITTED)].to_numpy() * 10_000)
    gaps = units[first] - units[second]
    # A gap of one unit may be none, and one of none either way; duplicated baselines are equal.
    run = np.array([name.rpartition("-")[0] for name in means.index])
    same = (
        (run[first] == run[second])
        & (gaps == 0).all(axis=1)
        & np.char.startswith(run[first], "BL-")
    )
    sure = (np.abs(gaps) > 1).all(axis=1)
    agree = np.sign(gaps).prod(axis=1)
    total = agree[sure & ~same].sum() + same.sum()
    open_pairs = (~sure & ~same).sum()
    pairs = len(first)
    taus = (total - open_pairs) / pairs, (total + open_pairs) / pairs
    power = printed_values("lq21", tables["power"]).set_index(["row", "column"])["printed"]
    certain, maybe = [], []
    for k, measure in enumerate(FITTED):
        size = int(power[f"DialEval-1 DQ-{subtask}", f"{measure} S_D"])
        distance = np.abs(gaps[:, k])
        cut = np.sort(distance)[-size]
        certain.append(distance > cut + 2)
        maybe.append(distance >= cut - 2)
    both = float((certain[0] & certain[1]).sum()), float((maybe[0] & maybe[1]).sum())
    rows = []
    for paper, table, column, (low, high) in (
        ("acl21", tables["similarity"], "NMD", taus),
        ("lq21", tables["overlap"], "RSNOD b", both),
    ):
        cells = printed_values(paper, table)
        row = "RSNOD" if paper == "acl21" else "NMD"
        printed = float(cells.query("row == @row and column == @column")["printed"].item())
        half = 0.0005 if paper == "acl21" else 0.0
        possible = low - half <= printed <= high + half
        rows.append((paper, table, row, column, printed, low, high, possible))
    columns = ["paper", "table", "row", "column", "printed", "low", "high", "possible"]
    return pd.DataFrame(rows, columns=columns)
