"""The record of a paper: its printed tables beside ours, one line each."""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import cache

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
