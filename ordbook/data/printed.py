"""Values exactly as printed: in the papers, and in the organisers' result files."""

import re

import pandas as pd

from ordbook.data.catalog import catalog
from ordbook.data.raw import raw_file
from ordbook.files import share


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


def official_results(name: str) -> pd.DataFrame:
    """Return the results that the organisers published for a task.

    Rows are in the order of the file, from best to worst. Teams need not differ: both baselines
    of ``sem16t4e`` are called ``_baseline``. SemEval's scores are pooled over tweets in subtask C
    and averaged over topics in subtasks D and E.

    Parameters
    ----------
    name
        ``sem16t4c`` (scores MAE_M and MAE_mu), ``sem16t4d`` (KLD, AE and RAE) or ``sem16t4e``
        (EMD).

    Returns
    -------
    DataFrame
        The column team, then one per score; all strings, as printed.

    Raises
    ------
    RawDataMissing
        If the result file is not on this machine; the message says how to get it.
    ValueError
        If there are no official results of that task.
    """
    known = {key: dataset for key, dataset in catalog().items() if dataset.official}
    if name not in known:
        raise ValueError(f"no official results of {name!r}; there are those of {', '.join(known)}")
    dataset = known[name]
    path = raw_file(dataset, next(iter(dataset.official)))
    lines = path.read_text(encoding="utf-8").splitlines()
    rows = [line.rstrip("\t").split("\t") for line in lines]
    return pd.DataFrame(rows, columns=["team", *dataset.official_scores], dtype=str)
