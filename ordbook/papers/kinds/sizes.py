"""Tables of data sets: their topics, classes and runs, beside those of the catalogue."""

from collections.abc import Collection, Iterable, Iterator, Mapping

from ordbook.data.catalog import catalog
from ordbook.data.printed import printed_values
from ordbook.papers.relations import SIZE, Cell, Printed, Relation, beside
from ordbook.papers.tables import Paper

RUNS = "#runs used"


def checks(
    paper: Paper, table: str, printed: Printed, rows: Mapping[str, str], runs: Collection[str] = ()
) -> Iterator[Relation]:
    """Yield the checks of one table.

    Parameters
    ----------
    paper, table, printed
        Which table, and all printed numbers.
    rows
        Row -> data set of the catalogue.
    runs
        The rows whose runs are those of the catalogue.
    """
    for cell, size in _sizes(paper.cells(printed, table), rows, runs).items():
        files = "run" if cell.column.lower() == RUNS else "gold"
        yield beside(cell, size, f"the {files} files of the catalogue", SIZE)


def of_catalogue(paper: Paper, table: str) -> dict[tuple[str, str], int]:
    """Return the sizes of a printed table that the catalogue has, by row and column."""
    cells = [
        Cell(*place) for place in printed_values(paper.name, table)[[*Cell._fields]].to_numpy()
    ]
    entry = paper.tables[table]
    return {cell[2:]: size for cell, size in _sizes(cells, entry["rows"], entry["runs"]).items()}


def _sizes(
    cells: Iterable[Cell], rows: Mapping[str, str], runs: Collection[str]
) -> dict[Cell, int]:
    sizes = {}
    for cell in cells:
        data_set, column = catalog().get(rows.get(cell.row, "")), cell.column.lower()
        if data_set is None:
            continue
        if column == "test data sample size":
            sizes[cell] = data_set.topics
        elif column == "#ordinal classes":
            sizes[cell] = len(data_set.classes)
        elif column == RUNS and cell.row in runs:
            sizes[cell] = data_set.runs
    return sizes
