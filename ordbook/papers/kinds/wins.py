"""Tables of the topics on which either of two runs is better (LQ'21, Table 7)."""

from collections.abc import Iterator, Mapping
from decimal import Decimal

from ordbook.papers.relations import Printed, Relation, exact
from ordbook.papers.relations import total as summed
from ordbook.papers.tables import Paper


def checks(
    paper: Paper,
    table: str,
    printed: Printed,
    first: str,
    second: str,
    topics: Mapping[str, str],
    total: str = "",
) -> Iterator[Relation]:
    """Yield the checks of one table: no more wins than topics, and the sums.

    Parameters
    ----------
    paper, table, printed
        Which table, and all printed numbers.
    first, second
        The ends of the columns that count the wins of either run.
    topics
        Row -> the place that prints the number of its topics.
    total
        The row of sums.
    """
    for cell in paper.cells(printed, table):
        if cell.row == total:
            parts = [cell._replace(row=row) for row in topics]
            yield summed(cell, parts, f"{total} sums the data sets")
        elif cell.column.endswith(f" {first}"):
            other = cell._replace(column=f"{cell.column.removesuffix(first)}{second}")
            places = cell, other, paper.place(topics[cell.row])
            relies = "the topics of a data set: on the others the two runs tie"
            yield exact("sum", places, _enough, relies, "wins of either run, topics")


def _enough(one: Decimal, other: Decimal, topics: Decimal) -> bool:
    return one + other <= topics
