"""Values exactly as printed: in the papers, and in the organisers' result files."""

import csv
import re

import pandas as pd

from ordbook.files import share
from ordbook.measures.registry import measure_named


def printed_values(paper: str, table: str) -> pd.DataFrame:
    """Return the printed values of one table, or of one part of it.

    Parameters
    ----------
    paper
        ``"acl21"`` and so on.
    table
        ``"2"`` for the whole of Table 2, ``"2i"`` for its part (i), ``"figure1"`` for the numbers
        of a figure, ``"text"`` for those in the text, ``"s5.2"`` for a section of it.

    Returns
    -------
    DataFrame
        Columns paper, table, row, column, printed and note; all strings. Measures are named by
        their keys in ``ordbook.measures``.

    Raises
    ------
    ValueError
        If there are no printed values of that table.

    Examples
    --------
    >>> printed_values("acl21", "8i").query("row == 'RNSS' and column == 'NMD'").printed.item()
    '0.818'
    """
    kind, number = re.findall(r"^(figure|)(\d*)", table)[0]
    whole = f"{kind}{number}" if number else "text"
    name = f"table{number}" if number and not kind else whole
    try:
        path = share("data", "published", f"{paper}_{name}.csv")
    except FileNotFoundError:
        known = sorted(path.stem for path in share("data", "published").glob("*_*.csv"))
        raise ValueError(
            f"no printed values of table {table!r} of {paper!r}; there are {', '.join(known)}"
        ) from None
    values = pd.read_csv(path, dtype=str, keep_default_na=False)
    if table == whole:
        return values
    part = values[values["table"] == table].reset_index(drop=True)
    if part.empty:
        raise ValueError(
            f"{path}: no part {table!r}; there are {', '.join(dict.fromkeys(values['table']))}"
        )
    return part


def _compared(paper: str, table: str) -> tuple[str, ...]:
    """Return the measures of a paper in the order of rows, then columns, of a printed table."""
    path = share("data", "published", f"{paper}_{table}.csv")
    with path.open(encoding="utf-8", newline="") as lines:
        cells = list(csv.DictReader(lines))
    labels = [cell[axis].split()[0] for axis in ("row", "column") for cell in cells]
    measures = map(measure_named, dict.fromkeys(labels))
    return tuple(each.name for each in measures if each and paper in each.papers)


SIX = _compared("lq21", "table3")
NINE = _compared("dnkt", "table3")
# ACL'21's measures for labels and for distributions; neighbours are similar.
LABELS, DISTRIBUTIONS = _compared("acl21", "table2"), _compared("acl21", "table8")
