"""Tables of the significant differences that two measures share (LQ'21, Table 4)."""

from collections.abc import Iterator
from itertools import combinations

from ordbook.papers.relations import Printed, Relation, Rounded, condition, relate, total
from ordbook.papers.tables import Paper


def checks(paper: Paper, table: str, printed: Printed, power: str) -> Iterator[Relation]:
    """Yield the checks of one table: SSO = b/(a + b + c); a + b and b + c are S_D.

    Parameters
    ----------
    paper, table, printed
        Which table, and all printed numbers.
    power
        ``table::row`` of a table of significant differences, with S_D of every measure.
    """
    sizes = {
        (cell.row, cell.column.removesuffix(" SSO")): cell
        for cell in paper.cells(printed, table)
        if cell.column.endswith(" SSO")
    }
    counts = {
        pair: [sso._replace(column=f"{pair[1]} {what}") for what in "abc"]
        for pair, sso in sizes.items()
    }
    for pair, sso in sizes.items():
        first, second = (paper.place(f"{power}::{name} S_D") for name in pair)
        a, b, c = counts[pair]
        yield relate("share", sso, (a, b, c), _percentage, "Section 5.2: SSO = b/(a + b + c)")
        yield total(first, (a, b), "Section 5.2: S_D = a + b")
        yield total(second, (b, c), "Section 5.2: S_D = b + c")
    for three in combinations(dict.fromkeys(name for pair in sizes for name in pair), 3):
        cells = [cell for pair in combinations(three, 2) for cell in counts[pair][::2]]
        relies = "a + c is the size of a symmetric difference, and such sizes are a metric"
        yield condition("triangle", cells, _metric, relies, "a and c of three pairs")


def _percentage(a: Rounded, b: Rounded, c: Rounded) -> float:
    return 100 * b.low / (a.low + b.low + c.low)


def _metric(*texts: str) -> bool:
    counts = [int(text) for text in texts]
    distances = [sum(counts[i : i + 2]) for i in (0, 2, 4)]
    return 2 * max(distances) <= sum(distances)
