"""What twins show beside what is printed of the runs that they stand for.

Everything here is simulated and says so: the title of a table begins with SIMULATED, and no value
has a verdict.
"""

from collections.abc import Mapping, Sequence
from functools import cache

import pandas as pd

from ordbook.chapters.show import Fold, Pieces, Table, table_title
from ordbook.data.loading import load
from ordbook.data.printed import printed_values
from ordbook.data.tasks import QuantificationTask
from ordbook.files import share
from ordbook.papers.heldout import HELD_OUT as HELD_OUT
from ordbook.papers.heldout import KEYS, forced, held_out, kept
from ordbook.papers.relations import Cell

SUBTASKS: Mapping[str, str] = {
    subtask: f"dialeval1-dq-{subtask.lower()}-twin" for subtask in HELD_OUT
}
LEGEND = (
    "In each cell: the printed value; what the simulated twin gives; its range over five "
    "twins. ✗ marks printed values outside that range."
)


def twin(subtask: str) -> QuantificationTask:
    """Return the committed twin of ``"A"``, ``"E"`` or ``"S"``."""
    task = load(SUBTASKS[subtask])
    if not isinstance(task, QuantificationTask):
        raise TypeError(f"{task.name} is not a quantification task")
    return task


def beside(paper: str, table: str, subtask: str, columns: Sequence[str] | None = None) -> Table:
    """Put the value of the twin and its range over five seeds beside each printed one.

    Parameters
    ----------
    paper, table
        As in ``data/published``; one of :data:`ordbook.papers.heldout.HELD_OUT`.
    subtask
        ``"A"``, ``"E"`` or ``"S"``.
    columns
        Which printed columns, in which order; by default all.
    """
    ranges = {
        Cell(*map(str, key)): (low, high, inside)
        for *key, _, low, _, high, inside in held_out(subtask).itertuples(index=False)
    }
    now = _predicted(subtask)
    shown: dict[tuple[str, str], Pieces] = {}
    values = printed_values(paper, table)[["row", "column", "printed"]]
    for row, column, printed in values.astype(str).itertuples(index=False):
        cell = Cell(paper, table, row, column)
        if cell not in ranges or (columns is not None and column not in columns):
            continue
        low, high, inside = ranges[cell]
        digits = len(printed.partition(".")[2])
        # The range is kept to six decimals; a value that ends in 5 is only then rounded like it.
        text, least, most = (f"{round(x, 6):.{digits}f}" for x in (now[cell], low, high))
        found = f"[{least}, {most}]{'' if inside else ' ✗'}"
        shown[row, column] = (("printed", printed), ("simulated", text), ("interval", found))
    if not shown:
        raise ValueError(f"no twin predicts Table {table} of {paper}")
    rows, heads = (list(dict.fromkeys(key[axis] for key in shown)) for axis in (0, 1))
    heads = heads if columns is None else [head for head in columns if head in heads]
    body = tuple(((("", row),), *(shown.get((row, head), ()) for head in heads)) for row in rows)
    return Table(("", *heads), body, "")


def folded(paper: str, table: str, subtask: str, columns: Sequence[str] | None = None) -> Fold:
    """Show such a table as a line that opens, and says how many printed values twins cover."""
    mine = held_out(subtask).query("paper == @paper and table == @table")
    said = f"{mine['inside'].sum()} of {len(mine)} printed values lie in the range of five twins"
    title = f"SIMULATED: {table_title(table)}, DQ-{subtask}: {said}"
    return Fold(title, beside(paper, table, subtask, columns), LEGEND)


@cache
def _predicted(subtask: str) -> Mapping[Cell, float]:
    """Return what the committed twin, that of seed 0, gives for each printed number."""
    found = pd.read_csv(kept(), dtype=dict.fromkeys(KEYS, str)).query("subtask == @subtask")
    cells = found[KEYS].itertuples(index=False, name=None)
    return dict(zip((Cell(*cell) for cell in cells), found["seed 0"], strict=True))


def fit() -> pd.DataFrame:
    """Say how well the twins have what they were fitted to.

    Returns
    -------
    DataFrame
        A row for each kind of target and a pair of columns for each subtask: how many targets, and
        how far the twin is off at most; counts and scores in their own units, variances in percent.
    """
    columns = {}
    reports = pd.read_csv(share("data", "simulated", "fit.csv"))
    for subtask in SUBTASKS:
        report = reports[reports["subtask"] == subtask]
        off = (report["twin"] - report["printed"]).abs()
        kinds = report["target"].map(_kind)
        relative = kinds.str.startswith("variance")
        off[relative] *= 100 / report["printed"][relative]
        columns[f"{subtask}: targets"] = off.groupby(kinds, sort=False).size()
        columns[f"{subtask}: largest miss"] = off.groupby(kinds, sort=False).max()
    return pd.DataFrame(columns).rename_axis("fitted to")


def nearness(paper: str | None = None) -> pd.DataFrame:
    """Say how near twins come to tables that they were not fitted to.

    Parameters
    ----------
    paper
        By default all papers.

    Returns
    -------
    DataFrame
        By paper, table and quantity: subtask, how many numbers, the mean and the largest
        distance between printed and the mean of the twins, and how many of the printed numbers
        lie in the range of the twins.
    """
    parts = []
    for subtask in SUBTASKS:
        found = held_out(subtask)
        if paper is not None:
            found = found[found["paper"] == paper]
        off = (found["mean"] - found["printed"]).abs()
        groups = found.assign(off=off, quantity=found["column"].map(_quantity)).groupby(
            ["paper", "table", "quantity"], sort=False
        )
        part = groups.agg(
            numbers=("off", "size"),
            mean_off=("off", "mean"),
            largest_off=("off", "max"),
            in_range=("inside", "sum"),
        )
        parts.append(part.assign(subtask=subtask).reset_index())
    columns = ["subtask", "paper", "table", "quantity"]
    columns += ["numbers", "mean_off", "largest_off", "in_range"]
    return pd.concat(parts, ignore_index=True)[columns]


def impossible() -> pd.DataFrame:
    """Return printed numbers that the printed means rule out, whatever the gold and the runs.

    Returns
    -------
    DataFrame
        subtask, paper, table, row, column, printed, and low and high: what the means allow
        (:func:`ordbook.papers.heldout.forced`).
    """
    found = pd.concat(
        [forced(subtask).assign(subtask=subtask) for subtask in SUBTASKS], ignore_index=True
    )
    columns = ["subtask", "paper", "table", "row", "column", "printed", "low", "high"]
    return found.loc[~found["possible"], columns].reset_index(drop=True)


def _quantity(column: str) -> str:
    """Name what a printed column holds, where a table mixes several things."""
    for end in ("SSO", "a", "b", "c", "S_D"):
        if column.endswith(f" {end}"):
            return end
    return column if column in ("mean tau", "V_E2", "full split", "10 vs. 10") else ""


def _kind(target: str) -> str:
    """Name the kind of a target of a fit."""
    _, mean, measure = target.rpartition(", mean ")
    if mean:
        return f"mean {measure} of runs and baselines"
    if target.startswith("V_E"):
        return f"variance {target[:4]}, in percent"
    if target.startswith("dialogue "):
        return "deltas of two dialogues"
    return "dialogues better for one baseline"
