"""Tables of one shape, side by side.

Contents
--------
abreast   tables of one column each -> one table with a column for each
"""

from collections.abc import Mapping, Sequence

from ordbook.book.show import Pieces, Table


def abreast(tables: Mapping[str, Table], order: Sequence[str] = ()) -> Table:
    """Put tables of one column side by side, matched by the names of their rows.

    Parameters
    ----------
    tables
        Head of the new column -> a table; caption and name are those of the first.
    order
        Names of rows that come first, in this order; the others follow as they occur.

    Raises
    ------
    ValueError
        If a table has not exactly one column beside its stub.
    """
    columns: dict[str, dict[str, Pieces]] = {}
    for head, one in tables.items():
        if len(one.header) != 2:
            raise ValueError(
                f"{head}: a table with {len(one.header) - 1} columns cannot stand abreast; "
                "choose one"
            )
        columns[head] = {stub[0][1]: cell for stub, cell in one.rows}
    found = dict.fromkeys(name for column in columns.values() for name in column)
    names = [*(name for name in order if name in found), *(n for n in found if n not in order)]
    body = tuple(
        ((("", name),), *(column.get(name, ()) for column in columns.values())) for name in names
    )
    first = next(iter(tables.values()))
    return Table((first.header[0], *columns), body, first.caption, first.name)
