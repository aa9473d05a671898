"""The ledger written out: for the command line, as files, and for the chapters.

Contents
--------
scoreboard   status by paper, by table or by cell, as text
power        how many planted digits were noticed, as text
write_csv    cells.csv and checks.csv
check_csv_folder   whether these may be written into a folder
commit       data/audit.csv, which the chapters read, and data/checks.csv
"""

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from ordbook.data.paths import share, write_all
from ordbook.papers.checks import lasting
from ordbook.papers.ledger import Ledger, Planted
from ordbook.papers.sensitivity import sensitivity

CELLS, CHECKS = "cells.csv", "checks.csv"
# With what the two files begin.
_BEGINS = (b"paper,table,row,column,printed,", b"family,papers,cells,holds,")
# What a cell of data/audit.csv says; the notes stand in data/published.
COMMITTED = ["paper", "table", "row", "column", "printed", "status", "checks", "failed", "reason"]


def scoreboard(ledger: Ledger, paper: str | None = None, table: str | None = None) -> str:
    """Count the statuses by paper; of one paper by table; of one table list every cell.

    Raises
    ------
    ValueError
        If the paper has no such table.
    """
    if paper is None:
        checks = ledger.checks
        families = checks.groupby("family").size().sort_values(ascending=False)
        lines = [f"{count:6,} {family}" for family, count in families.items()]
        broken = int((~checks["holds"]).sum())
        counts = ledger.scoreboard("paper")
        counts.loc["all"] = counts.sum()
        return "\n".join(
            [
                f"{len(ledger.cells):,} printed numbers, {len(checks):,} checks; {broken} checks "
                f"break, on {len(ledger.errata)} contradictions",
                "",
                counts.to_string(),
                "",
                "checks by family:",
                *lines,
                "",
                "contradictions:",
                *(
                    f"  {erratum.name} ({erratum.kind}): {erratum.title}"
                    for erratum in ledger.errata
                ),
            ]
        )
    cells = ledger.cells[ledger.cells["paper"] == paper]
    if table is None:
        return ledger.scoreboard("paper", "table").loc[paper].to_string()
    if table not in set(cells["table"]):
        raise ValueError(
            f"{paper} has no table {table!r}; there are {', '.join(cells['table'].unique())}"
        )
    return "\n".join(
        f"{cell.row}, {cell.column}: {cell.printed}  {cell.status}  {cell.reason}"
        for cell in cells[cells["table"] == table].itertuples(index=False)
    )


def power(planted: Sequence[Planted]) -> str:
    """Say how many planted digits were noticed, by paper and table, and list the silent ones."""
    frame = pd.DataFrame(
        [(one.cell.paper, one.cell.table, one.noticed) for one in planted],
        columns=["paper", "table", "n"],
    )
    counts = frame.groupby("paper", sort=False)["n"].agg(["sum", "size"])
    lines = ["", f"wrong digits noticed: {frame['n'].sum()} of {len(frame)}"]
    for paper, row in counts.iterrows():
        lines.append(f"  {paper}: {row['sum']} of {row['size']}")
        tables = frame[frame["paper"] == paper].groupby("table", sort=False)["n"]
        for table, noticed in tables.agg(["sum", "size"]).iterrows():
            lines.append(f"    {table}: {noticed['sum']} of {noticed['size']}")
    silent = [one for one in planted if not one.noticed]
    lines += [
        f"  not noticed: {one.cell}: {one.planted} for {one.printed} ({one.status})"
        for one in silent
    ]
    return "\n".join(lines)


def write_csv(ledger: Ledger, folder: str | Path) -> tuple[Path, Path]:
    """Write every number (cells.csv) and every check (checks.csv) into a folder.

    Raises
    ------
    ValueError
        If one of these files is there and is not of ours.
    """
    folder = check_csv_folder(folder)
    folder.mkdir(parents=True, exist_ok=True)
    paths = folder / CELLS, folder / CHECKS
    frames = ledger.cells, ledger.checks
    texts = [frame.to_csv(index=False, lineterminator="\n") for frame in frames]
    write_all(dict(zip(paths, texts, strict=True)))
    return paths


def check_csv_folder(folder: str | Path) -> Path:
    """Return the folder; refuse to replace files of these names that are not of an audit."""
    folder = Path(folder).expanduser()
    for path in (folder / CELLS, folder / CHECKS):
        if path.is_dir():
            raise ValueError(f"{path}: this is a folder; name another folder than {folder}")
        if not path.is_file():
            continue
        with path.open("rb") as file:
            begins = file.readline(1000)
        if not begins.startswith(_BEGINS):
            raise ValueError(f"{path}: this file is not of an audit; name another folder")
    return folder


def commit(ledger: Ledger) -> tuple[Path, Path]:
    """Rewrite ``data/audit.csv`` and ``data/checks.csv``."""
    folder = share("data", "published").parent
    frames = {
        folder / "audit.csv": ledger.cells[COMMITTED],
        folder / "checks.csv": sensitivity(lasting(ledger.printed), ledger.printed),
    }
    write_all({p: frame.to_csv(index=False, lineterminator="\n") for p, frame in frames.items()})
    first, second = frames
    return first, second
