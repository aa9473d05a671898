"""What twins show beside what is printed of the runs that they stand for.

Everything here is simulated and says so: the title of a table begins with SIMULATED, and no value
has a verdict.
"""

from collections.abc import Mapping, Sequence

import pandas as pd

from ordbook.chapters.record import crossed, table_title
from ordbook.data.loading import load
from ordbook.data.printed import printed_values
from ordbook.data.tasks import QuantificationTask
from ordbook.files import share
from ordbook.papers.heldout import HELD_OUT as HELD_OUT
from ordbook.papers.heldout import forced, held_out
from ordbook.show.show import Fold, Pieces, Table

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


def comparison(paper: str, table: str, subtask: str, columns: Sequence[str] | None = None) -> Table:
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
    texts = printed_values(paper, table).set_index(["row", "column"])["printed"]
    shown: dict[tuple[str, str], Pieces] = {}
    wanted = ["row", "column", "inside", "first", "low", "high"]
    for row, column, inside, *values in _held(paper, table, subtask)[wanted].to_numpy():
        if columns and column not in columns:
            continue
        printed = str(texts[row, column])
        digits = len(printed.partition(".")[2])
        # The range is kept to six decimals; a value that ends in 5 is only then rounded like it.
        text, low, high = (f"{value:.{digits}f}" for value in values)
        ends = f"[{low}, {high}]{'' if inside else ' ✗'}"
        shown[row, column] = (("printed", printed), ("simulated", text), ("interval", ends))
    if not shown:
        raise ValueError(f"no twin predicts Table {table} of {paper}")
    return crossed(shown, columns or ())


def folded(paper: str, table: str, subtask: str, columns: Sequence[str] | None = None) -> Fold:
    """Show such a table as a line that opens, and says how many printed values twins cover."""
    mine = _held(paper, table, subtask)
    said = f"{mine['inside'].sum()} of {len(mine)} printed values lie in the range of five twins"
    title = f"SIMULATED: {table_title(table)}, DQ-{subtask}: {said}"
    return Fold(title, comparison(paper, table, subtask, columns), LEGEND)


def _held(paper: str, table: str, subtask: str) -> pd.DataFrame:
    found = held_out(subtask)
    return found[(found["paper"] == paper) & (found["table"] == table)]


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


def nearness() -> pd.DataFrame:
    """Say how near twins come to tables that they were not fitted to.

    Returns
    -------
    DataFrame
        By subtask, paper, table and quantity: how many numbers, the mean and the largest distance
        between printed and the mean of the twins, and how many of the printed numbers lie in the
        range of the twins.
    """
    found = pd.concat([held_out(subtask).assign(subtask=subtask) for subtask in SUBTASKS])
    found["off"] = (found["mean"] - found["printed"]).abs()
    found["quantity"] = found["column"].map(_quantity)
    groups = found.groupby(["subtask", "paper", "table", "quantity"], sort=False)
    return groups.agg(
        numbers=("off", "size"),
        mean_off=("off", "mean"),
        largest_off=("off", "max"),
        in_range=("inside", "sum"),
    ).reset_index()


def impossible() -> pd.DataFrame:
    """Return printed numbers that the printed means rule out, whatever the gold and the runs.

    Returns
    -------
    DataFrame
        subtask, paper, table, row, column, printed, and low and high: what the means allow
        (:func:`ordbook.papers.heldout.forced`).
    """
    found = pd.concat([forced(subtask).assign(subtask=subtask) for subtask in SUBTASKS])
    return found[~found["possible"]].drop(columns="possible").reset_index(drop=True)


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
