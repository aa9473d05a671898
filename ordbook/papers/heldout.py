"""What twins predict of tables that they were not fitted to.

A twin (``data/simulated/make``) is fitted to what DialEval-1 prints of its runs and to LQ'21's
Table 7. Other papers print other things of the same 22 runs: how many differences are significant
by six measures, how far measures agree, how consistent they are. No twin ever saw these numbers;
how near it comes says what it is worth.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from ordbook.data.printed import printed_values
from ordbook.files import share
from ordbook.papers.relations import Cell

FITTED = ("NMD", "RSNOD")  # DialEval-1, Section 3.2.1: the two measures of the DQ subtask
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
KEYS = list(Cell._fields)


def printed_means(subtask: str) -> dict[str, pd.DataFrame]:
    """Return what DialEval-1 prints of the runs: suffix in LQ'21 -> run x measure (NMD, RSNOD).

    Tables 4 to 6 rank the Chinese runs (``-C``) of the three subtasks, 9 to 11 the English ones.
    """
    place = ("A", "S", "E").index(subtask)
    found = {}
    for suffix, first in (("-C", 4), ("-E", 9)):
        cells = printed_values("dialeval1", str(first + place)).astype({"printed": float})
        means = cells.pivot_table(index="row", columns="column", values="printed", sort=False)
        found[suffix] = means.loc[:, list(FITTED)].rename_axis(index=None, columns=None)
    return found


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


def held_out(subtask: str, simulated: pd.DataFrame | None = None) -> pd.DataFrame:
    """Put the printed numbers that no twin was fitted to beside those of twins of several seeds.

    Parameters
    ----------
    subtask
        ``"A"``, ``"S"`` or ``"E"``.
    simulated
        Predictions of twins; by default what ``make twins`` kept in ``data/simulated``.

    Returns
    -------
    DataFrame
        paper, table, row, column, printed (a number), that of the first twin, which is the
        committed one, low, mean and high of all, and whether ``printed`` lies inside of these,
        half a printed unit either way.
    """
    if subtask not in HELD_OUT:
        raise ValueError(f"no subtask {subtask!r}; there are {', '.join(HELD_OUT)}")
    if simulated is None:
        simulated = pd.read_csv(kept(), dtype=dict.fromkeys(KEYS, str))
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
                rows.append((*key, number, seen[0], low, float(seen.mean()), high, inside))
    columns = [*KEYS, "printed", "first", "low", "mean", "high", "inside"]
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
        [means.set_axis(means.index + suffix) for suffix, means in printed_means(subtask).items()]
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


def kept() -> Path:
    """Return the file of what twins predict."""
    return share("data") / "simulated" / "held-out.csv"
