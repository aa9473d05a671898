"""The ledger written out: the scoreboard, the injected errors and files."""

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from ordbook.files import share, write_whole
from ordbook.papers.ledger import COMMITTED, Injected, Ledger
from ordbook.papers.relations import Cell

CELLS, CHECKS = "cells.csv", "checks.csv"
NOT_TRIED = (
    "  (one digit of one number at a time; not tried: exchanged rows or columns, wrong words,\n"
    "  errors of one unit as such, and an error that changes a whole table at once)"
)


def scoreboard(ledger: Ledger, paper: str | None = None, table: str | None = None) -> str:
    """Count the verdicts by paper; of one paper by table; of one table list every cell.

    Below a cell stand all checks that read it, if the ledger has them.

    Raises
    ------
    ValueError
        If the paper has no such table.
    """
    if paper is None:
        head, families = f"{len(ledger.cells):,} printed numbers", []
        if ledger.relations:
            checks = ledger.checks
            broken = (~checks["holds"]).sum()
            head += f", {len(checks):,} checks; {broken} checks break"
            head += f", on {len(ledger.errata)} contradictions"
            counted = checks["family"].value_counts()
            families = ["", "checks by family:"]
            families += [f"{count:6,} {family}" for family, count in counted.items()]
        counts = ledger.scoreboard("paper")
        counts.loc["all"] = counts.sum()
        return "\n".join(
            [
                head,
                "",
                counts.to_string(),
                *families,
                "",
                "contradictions:",
                *(
                    f"  {erratum.name} ({erratum.detail}): {erratum.because}"
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
    cells = cells[cells["table"] == table]
    lines = []
    for cell in cells.to_dict("records"):
        brackets = [f"({cell['detail']})"] if cell["detail"] else []
        brackets += [f"[{cell['family']}]"] if cell["family"] else []
        words = " ".join((cell["verdict"], *brackets))
        lines.append(
            f"{cell['row']}, {cell['column']}: {cell['printed']}  {words}  {cell['reason']}"
        )
        place = Cell(paper, table, cell["row"], cell["column"])
        for check, result in ledger.of_cell.get(place, ()):
            word = "" if result.holds else "BREAKS: "
            lines.append(f"    [{check.family}] {word}{result.text} ({check.relies})")
    for erratum in ledger.errata:
        if any((cell.paper, cell.table) == (paper, table) for cell in erratum.cells):
            lines += ["", f"{erratum.name} ({erratum.detail}): {erratum.because}"]
    return "\n".join(lines)


def power(errors: Sequence[Injected]) -> str:
    """Count the wrong digits that were noticed, by paper and table, and list the silent ones.

    What such errors do not try is said, too.
    """
    frame = pd.DataFrame(
        [(error.cell.paper, error.cell.table, error.noticed) for error in errors],
        columns=["paper", "table", "n"],
    )
    counts = frame.groupby("paper", sort=False)["n"].agg(["sum", "size"])
    lines = ["", f"wrong digits noticed: {frame['n'].sum()} of {len(frame)}", NOT_TRIED]
    for paper, row in counts.iterrows():
        lines.append(f"  {paper}: {row['sum']} of {row['size']}")
        tables = frame[frame["paper"] == paper].groupby("table", sort=False)["n"]
        for table, noticed in tables.agg(["sum", "size"]).iterrows():
            lines.append(f"    {table}: {noticed['sum']} of {noticed['size']}")
    lines += [
        f"  not noticed: {error.cell}: {error.injected} for {error.printed} ({error.verdict})"
        for error in errors
        if not error.noticed
    ]
    return "\n".join(lines)


def write_csv(ledger: Ledger, folder: str | Path) -> tuple[Path, Path]:
    """Write every number (cells.csv) and every check (checks.csv) into a folder."""
    paths = Path(folder, CELLS), Path(folder, CHECKS)
    frames = ledger.cells, ledger.checks
    for path, frame in zip(paths, frames, strict=True):
        write_whole(path, frame.to_csv(index=False, lineterminator="\n"))
    return paths


def commit(ledger: Ledger) -> Path:
    """Rewrite ``data/audit.csv``."""
    path = share("data", "published").parent / "audit.csv"
    write_whole(path, ledger.cells[COMMITTED].to_csv(index=False, lineterminator="\n"))
    return path
