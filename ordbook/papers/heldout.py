"""What twins predict of tables that they were not fitted to.

A twin (:mod:`ordbook.data.twins`) is fitted to what DialEval-1 prints of its runs and to LQ'21's
Table 7. Other papers print other things of the same 22 runs: how many differences are significant
by six measures, how far measures agree, how consistent they are. No twin ever saw these numbers;
how near it comes says what it is worth.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from ordbook.data.paths import share, write_whole
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
from ordbook.papers.checks.tools import both
from ordbook.papers.relations import Cell

HELD_OUT = {
    "A": {"power": "3", "overlap": "4f", "contradictions": "5III", "similarity": "5i",
          "full split": "6a", "10 vs. 10": "6b", "agreement": "13", "average": "14",
          "combined": "23a", "consistency": "27a"},
    "E": {"power": "3", "overlap": "4g", "contradictions": "5IV", "similarity": "5ii",
          "full split": "6c", "10 vs. 10": "6d", "agreement": "15", "average": "16",
          "combined": "23b", "consistency": "27b"},
    "S": {"power": "3", "overlap": "4h", "contradictions": "5V", "similarity": "5iii",
          "full split": "6e", "10 vs. 10": "6f", "agreement": "17", "average": "18",
          "combined": "23c", "consistency": "27c"},
}  # fmt: skip
NINE = ("NMD", "RNADW", "RNOD", "RNADW2", "RNOD2", "NVD", "RNSS", "JSD", "DNKT")
COMBINED = ("JSD", "NMD", "RNOD")
# ACL'21 counts the two pairs of duplicated baselines as concordant; tau-a does not.
DUPLICATES = 2
# Mean scores are rounded so before DNKT ranks runs by them: Table 21(a) comes out no other way.
DECIMALS = 4
TRIALS = 5000
SEEDS = range(5)
KEYS = list(Cell._fields)


def predict(twin: QuantificationTask, subtask: str, seed: int = 0) -> dict[Cell, float]:
    """Return a twin's value for every number of the tables that test it.

    ``seed`` is for the permutations and the splits; 5,000 and 1,000 of them, as in the papers.
    """
    if subtask not in HELD_OUT:
        raise ValueError(f"no subtask {subtask!r}; there are {', '.join(HELD_OUT)}")
    combined = [f"DNKT_{measure}" for measure in COMBINED]
    scores = score(twin, dict.fromkeys((*SIX, *NINE, *combined)))
    values = dict(_values(scores, subtask, seed))
    # Of the correlations ACL'21 prints one half, in an order of its own.
    printed = {
        Cell(*map(str, key))
        for paper, table in {(cell.paper, cell.table) for cell in values}
        for key in printed_values(paper, table)[KEYS].itertuples(index=False, name=None)
    }
    return {cell: value for cell, value in values.items() if cell in printed}


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
        for measure, mean in ranking_consistency(scores, size, 1000, seed).mean.items():
            yield Cell("dnkt", tables["consistency"], str(measure), name), float(mean)
    for measure in COMBINED:
        three = ("DNKT", measure, f"DNKT_{measure}")
        combined = ranking_similarity(scores, three, decimals=DECIMALS).pairs()
        for first, second, tau, *_ in combined.itertuples(index=False):
            yield Cell("dnkt", tables["combined"], first, second), float(tau)
    nine = ranking_similarity(scores, NINE, decimals=DECIMALS)
    for first, second, tau, *_ in nine.pairs().itertuples(index=False):
        yield Cell("dnkt", tables["agreement"], first, second), float(tau)
    for measure, value in nine.averages(digits=3).items():
        yield Cell("dnkt", tables["average"], str(measure), "average"), float(value)


def simulate(
    subtasks: Sequence[str] = tuple(HELD_OUT),
    seeds: Sequence[int] = SEEDS,
    progress: Callable[[str], None] | None = None,
) -> pd.DataFrame:
    """Simulate a twin for every seed (some seconds each), and predict the tables that test it.

    Parameters
    ----------
    subtasks
        ``"A"``, ``"E"``, ``"S"``.
    seeds
        Each gives a twin, and its permutations and splits.
    progress
        Called with a sentence after every twin.

    Returns
    -------
    DataFrame
        subtask, paper, table, row, column, and ``seed 0`` … with the predictions.
    """
    parts = []
    for subtask in subtasks:
        columns = {}
        for seed in seeds:
            columns[f"seed {seed}"] = predict(make_twin(subtask, seed), subtask, seed)
            if progress:
                progress(f"DQ-{subtask}: twin of seed {seed} done")
        part = pd.DataFrame(columns).rename_axis(KEYS).reset_index()
        part.insert(0, "subtask", subtask)
        parts.append(part)
    return pd.concat(parts, ignore_index=True)


def held_out(subtask: str, simulated: pd.DataFrame | None = None) -> pd.DataFrame:
    """Put the printed numbers that no twin was fitted to beside those of twins of several seeds.

    Parameters
    ----------
    subtask
        ``"A"``, ``"S"`` or ``"E"``.
    simulated
        From :func:`simulate`; by default what ``make twins`` kept in ``data/simulated``.

    Returns
    -------
    DataFrame
        paper, table, row, column, printed (a number), low, mean and high of the twins, and
        whether ``printed`` lies between low and high, half a printed unit either way.
    """
    if subtask not in HELD_OUT:
        raise ValueError(f"no subtask {subtask!r}; there are {', '.join(HELD_OUT)}")
    if simulated is None:
        simulated = pd.read_csv(_kept(), dtype=dict.fromkeys(KEYS, str))
    found = simulated[simulated["subtask"] == subtask]
    values = found[[name for name in found if str(name).startswith("seed ")]].to_numpy(dtype=float)
    draws = {
        tuple(map(str, key)): row
        for key, row in zip(found[KEYS].itertuples(index=False, name=None), values, strict=True)
    }
    rows = []
    for paper, table in dict.fromkeys((key[0], key[1]) for key in draws):
        for cell in printed_values(paper, table).itertuples(index=False):
            key = (str(cell.paper), str(cell.table), str(cell.row), str(cell.column))
            if key in draws and cell.printed != "lost":
                seen, text = draws[key], str(cell.printed)
                number, low, high = float(text), float(seen.min()), float(seen.max())
                half = 0.5 * 10.0 ** -len(text.partition(".")[2]) if "." in text else 0.0
                inside = low - half <= number <= high + half
                rows.append((*key, number, low, float(seen.mean()), high, inside))
    return pd.DataFrame(rows, columns=[*KEYS, "printed", "low", "mean", "high", "inside"])


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
    units = np.rint(means.loc[:, list(FITTED)].to_numpy() * 10_000).astype(int)
    first, second = np.triu_indices(len(units), 1)
    gaps = units[first] - units[second]
    # A gap of one unit may be none, and one of none either way. Baselines that are the same in
    # both languages are equal; how ACL'21 breaks such ties it does not say.
    sure = (np.abs(gaps) > 1).all(axis=1)
    total, open_pairs = np.sign(gaps[sure]).prod(axis=1).sum(), np.count_nonzero(~sure)
    taus = (total - open_pairs) / len(gaps), (total + open_pairs) / len(gaps)
    power = printed_values("lq21", tables["power"]).set_index(["row", "column"])["printed"]
    found = [int(power[f"DialEval-1 DQ-{subtask}", f"{measure} S_D"]) for measure in FITTED]
    rows = []
    for paper, table, column, (low, high) in (
        ("acl21", tables["similarity"], "NMD", taus),
        ("lq21", tables["overlap"], "RSNOD b", both(units, found)),
    ):
        cells = printed_values(paper, table)
        row = "RSNOD" if paper == "acl21" else "NMD"
        printed = float(cells.query("row == @row and column == @column")["printed"].item())
        half = 0.0005 if paper == "acl21" else 0.0
        possible = low - half <= printed <= high + half
        rows.append((paper, table, row, column, printed, low, high, possible))
    columns = ["paper", "table", "row", "column", "printed", "low", "high", "possible"]
    return pd.DataFrame(rows, columns=columns)


def _kept() -> Path:
    return share("data") / "simulated" / "held-out.csv"


if __name__ == "__main__":
    found = simulate(progress=lambda text: print(text, flush=True))
    # Six decimals are the same on every machine.
    write_whole(_kept(), found.round(6).to_csv(index=False, lineterminator="\n"))
    print(f"{_kept()}: {_kept().stat().st_size:,} bytes")
