"""The ledger written out, and which changes of printed numbers its checks notice.

:func:`ordbook.papers.ledger.inject` draws wrong digits. The census here is without chance: every
check is tried on the same few changes of every number it reads. A check that notices none of them
may still be right: many other numbers would do for it.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path

import numpy as np
import pandas as pd

from ordbook.files import share, write_whole
from ordbook.papers.ledger import COMMITTED, Injected, Ledger, neighbours, passes
from ordbook.papers.relations import Cell, Printed, Relation, value_of

KEY = ["paper", "table", "family"]
# Of a check of more numbers, so many are changed: the first, and others evenly spaced.
MOST_CELLS = 16
# A number is exchanged with every other one, where there are no more than so many.
ALL_OTHERS = 8
ANYWHERE = "0", "1", "1000000"


def changes(text: str, others: Sequence[str]) -> list[str]:
    """Return the texts that are tried in place of a printed one.

    Parameters
    ----------
    text
        As printed.
    others
        Other texts that the check reads.

    Examples
    --------
    >>> changes("0.25", ["0.30"])
    ['0.26', '0.24', '0.30', '0', '1', '1000000']
    >>> changes("left", ["left"])
    ['left and more']
    """
    near = list(neighbours(text))
    tried = [*near, *others, *ANYWHERE] if near else [f"{text} and more", *others]
    return [other for other in dict.fromkeys(tried) if other != text]


def _changed(relation: Relation, printed: Printed) -> Iterator[dict[Cell, str]]:
    """Yield the texts that a check reads, one of them changed; of a slow check few.

    The other texts that are tried: all in a short check, else the next, smallest and largest one.
    """
    texts = {cell: printed[cell] for cell in relation.cells}
    step = -(-len(texts) // (2 if relation.slow else MOST_CELLS))
    following = dict(zip(relation.cells, (*relation.cells[1:], relation.cells[0]), strict=True))
    numbers = sorted((text for text in texts.values() if _is_number(text)), key=value_of)
    for cell in relation.cells[::step]:
        others = [texts[following[cell]], *numbers[:1], *numbers[-1:]]
        if len(texts) <= ALL_OTHERS:
            others += texts.values()
        for text in changes(texts[cell], others)[: 1 if relation.slow else None]:
            yield texts | {cell: text}


def _is_number(text: str) -> bool:
    try:
        value_of(text)
    except ValueError:
        return False
    return True


def sensitivity(
    relations: Mapping[str, Sequence[Relation]], printed: Printed, census: bool = True
) -> pd.DataFrame:
    """Count the checks and which changes they notice, and keep what they say.

    Parameters
    ----------
    relations
        Paper -> its checks.
    printed
        The printed numbers.
    census
        Whether to try changes; without, the last three columns are left out.

    Returns
    -------
    DataFrame
        One line per paper, table (of a check's first number) and family of checks: how many
        checks, how many of them break as printed, and a digest of what all of them read, rest
        on and find; the changes tried on the checks that hold, how many of these they notice, and
        a digest of which. No digest depends on the order of the checks.
    """
    rows: dict[tuple[str, str, str], list[tuple[bool, str, str]]] = defaultdict(list)
    for paper, checks in relations.items():
        for relation in checks:
            finding = relation.test(printed)
            says = "\n".join((*map(str, relation.cells), relation.relies, finding.text))
            noticed = ""
            if census and finding.holds:
                with np.errstate(all="ignore"):  # no votes, a mean of nothing
                    others = _changed(relation, printed)
                    noticed = "".join("01"[not passes(relation, other)] for other in others)
            key = paper, relation.cells[0].table, relation.family
            rows[key].append((not finding.holds, says, noticed))
    lines = []
    for key, results in rows.items():
        tried = "".join(noticed for _, _, noticed in results)
        line = (*key, len(results), sum(broken for broken, _, _ in results))
        both = (f"{says}\n{noticed}" for _, says, noticed in results)
        digests = _digest(says for _, says, _ in results), _digest(both)
        lines.append((*line, digests[0], len(tried), tried.count("1"), digests[1]))
    columns = [*KEY, "checks", "broken", "says", "changes", "noticed", "notices"]
    return pd.DataFrame(lines, columns=columns).iloc[:, : None if census else -3]


def _digest(texts: Iterable[str]) -> str:
    return sha256("\n".join(sorted(texts)).encode()).hexdigest()[:8]


def committed() -> pd.DataFrame:
    """Return ``data/checks.csv``, which ``ordbook audit --commit`` wrote last."""
    texts = dict.fromkeys((*KEY, "says", "notices"), str)
    return pd.read_csv(share("data", "checks.csv"), dtype=texts, keep_default_na=False)


CELLS, CHECKS = "cells.csv", "checks.csv"


def scoreboard(ledger: Ledger, paper: str | None = None, table: str | None = None) -> str:
    """Count the verdicts by paper; of one paper by table; of one table list every cell.

    Raises
    ------
    ValueError
        If the paper has no such table.
    """
    if paper is None:
        checks = committed()
        if ledger.relations:
            checks = ledger.checks.assign(checks=1, broken=~ledger.checks["holds"])
        families = checks.groupby("family")[["checks", "broken"]].sum()
        families = families.sort_values("checks", ascending=False)
        number, broken = families.sum()
        lines = [f"{count:6,} {family}" for family, count in families["checks"].items()]
        counts = ledger.scoreboard("paper")
        counts.loc["all"] = counts.sum()
        return "\n".join(
            [
                f"{len(ledger.cells):,} printed numbers, {number:,} checks"
                + ("" if ledger.relations else " without chance")
                + f"; {broken} checks break, on {len(ledger.errata)} contradictions",
                "",
                counts.to_string(),
                "",
                "checks by family:",
                *lines,
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
    for erratum in ledger.errata:
        if any((cell.paper, cell.table) == (paper, table) for cell in erratum.cells):
            lines += ["", f"{erratum.name} ({erratum.detail}): {erratum.because}"]
    return "\n".join(lines)


def power(errors: Sequence[Injected]) -> str:
    """Count the wrong digits that were noticed, by paper and table, and list the silent ones."""
    frame = pd.DataFrame(
        [(error.cell.paper, error.cell.table, error.noticed) for error in errors],
        columns=["paper", "table", "n"],
    )
    counts = frame.groupby("paper", sort=False)["n"].agg(["sum", "size"])
    lines = ["", f"wrong digits noticed: {frame['n'].sum()} of {len(frame)}"]
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


def commit(ledger: Ledger) -> tuple[Path, Path]:
    """Rewrite ``data/audit.csv`` and ``data/checks.csv``."""
    from ordbook.papers.checks import lasting  # loads what takes seconds, and readers do not need

    folder = share("data", "published").parent
    frames = {
        folder / "audit.csv": ledger.cells[COMMITTED],
        folder / "checks.csv": sensitivity(lasting(ledger.printed), ledger.printed),
    }
    for path, frame in frames.items():
        write_whole(path, frame.to_csv(index=False, lineterminator="\n"))
    first, second = frames
    return first, second
