"""The organisers' own results, as printed in their result files.

Contents
--------
official_results   a catalogued task -> a DataFrame of teams and printed scores
official_table     the same as printed values (row, column, printed), rows named like our runs
"""

import re

import pandas as pd

from ordbook.data.catalog import catalog
from ordbook.data.raw import raw_file


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
        If there are no official results of that task, or the file is not as expected.
    """
    known = {key: dataset for key, dataset in catalog().items() if dataset.official}
    if name not in known:
        raise ValueError(f"no official results of {name!r}; there are those of {', '.join(known)}")
    dataset = known[name]
    path = raw_file(dataset, next(iter(dataset.official)))
    rows = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        team, *scores = line.rstrip("\t").split("\t")
        if len(scores) != len(dataset.official_scores) or not all(
            re.fullmatch(r"\d+\.\d+", score) for score in scores
        ):
            raise ValueError(
                f"{path}, line {number}: expected a team and {len(dataset.official_scores)} "
                f"scores, separated by tabs, found {line[:60]!r}"
            )
        rows.append([team, *scores])
    return pd.DataFrame(rows, columns=["team", *dataset.official_scores], dtype=str)


def official_table(name: str, scores: pd.Series) -> pd.DataFrame:
    """Return the official results as printed values whose rows are named like our runs.

    The organisers call every baseline ``_baseline``: the first one in their file, which is the
    better one, is taken to be the better one of ours.

    Parameters
    ----------
    name
        As for :func:`official_results`.
    scores
        Run name -> our score by the measure that orders the file, low being better.

    Returns
    -------
    DataFrame
        The columns row, column and printed, for ``ordbook.compare(printed=...)``.
    """
    results = official_results(name)
    baselines = iter(scores.sort_values().index[scores.sort_values().index.str.startswith("_base")])
    rows = [next(baselines) if team == "_baseline" else team for team in results["team"]]
    table = results.drop(columns="team").assign(row=rows)
    return table.melt("row", var_name="column", value_name="printed")
