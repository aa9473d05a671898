"""The record of a paper: its printed tables beside ours, one line each."""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import pandas as pd
from IPython.display import display

from ordbook.chapters.show import MEANING, SIGNS, Fold, Table, printed
from ordbook.data.catalog import catalog
from ordbook.files import share
from ordbook.papers.comparison import Ours


def words() -> Table:
    """Return the six words for verdicts, with their signs and meanings."""
    rows = tuple(
        (((f"verdict-{word.replace(' ', '-')}", word),), (("", f"{MEANING[word]}"),))
        for word in SIGNS
    )
    return Table(("verdict", "the printed value is"), rows, "")


def about(paper: str, table: str) -> str:
    """Return in a few words what a printed table is about.

    Examples
    --------
    >>> about("acl21", "2i")
    'similarity, labels, SemEval-2016'
    """
    return _captions()[paper][table]


def tables(
    paper: str,
    names: Sequence[str],
    ours: Mapping[str, Ours],
    layout: Callable[[str, str], tuple[str, str]] | None = None,
) -> None:
    """Show printed tables, each a line that opens.

    Parameters
    ----------
    paper
        Its short name.
    names
        Tables, as for :func:`ordbook.compare`. The label of Table 2(i) of ACL'21 is ``acl21-2i``.
    ours
        Table -> values of ours, where there are some.
    layout
        As for :func:`ordbook.chapters.show.comparison`.
    """
    for table in names:
        label = f"{paper}-{table}".replace(" ", "-").replace(".", "")
        values = ours.get(table)
        fold = printed(paper, table, values, about=about(paper, table), name=label, layout=layout)
        display(fold)


def folded(title: str, table: Table) -> Fold:
    """Fold a table away behind a title."""
    return Fold(title, Table(table.header, table.rows, ""), table.caption)


def movements(found: Mapping[str, Any], names: Mapping[str, str]) -> pd.DataFrame:
    """Say how far chance moves tables of mean tau.

    Parameters
    ----------
    found
        Table -> values over seeds, from
        :func:`ordbook.papers.montecarlo.consistency_over_seeds`.
    names
        Table -> its name here.

    Returns
    -------
    DataFrame
        A row a table: the largest standard deviation of a mean tau over the seeds, the widest
        range that holds 99.9% of one, and the share of seeds with the most frequent order.
    """
    rows = {}
    for table, name in names.items():
        taus = {row: spread for (row, what), spread in found[table].items() if what == "mean tau"}
        ranks = pd.DataFrame({row: spread.values for row, spread in taus.items()}).rank(axis=1)
        ends = [spread.interval() for spread in taus.values()]
        rows[name] = {
            "largest deviation": max(spread.deviation for spread in taus.values()),
            "widest range": max(high - low for low, high in ends),
            "most frequent order": f"{ranks.value_counts(normalize=True).max():.0%}",
        }
    return pd.DataFrame.from_dict(rows, orient="index")


def data_sets() -> dict[tuple[str, str], int]:
    """Return what Table 2 of LQ'21, and of DNKT, says of data sets at hand."""
    known = catalog()
    rows = {
        "Sem16T4E": "sem16t4e",
        "Sem17T4E": "sem17t4e",
        "STC-3 DQ-{A, E, S}": "stc3-dq-a",
    }
    found = {("Sem16T4E", "#Runs used"): known["sem16t4e"].runs}
    for row, name in rows.items():
        found[row, "#Ordinal classes"] = len(known[name].classes)
        found[row, "Test data sample size"] = known[name].topics
    return found


@cache
def _captions() -> Mapping[str, Mapping[str, str]]:
    text = share("data", "published", "captions.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)
