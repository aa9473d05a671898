"""Files without a header: those of SemEval Task 4 as their organisers published them, and qrels.

The files of SemEval are UTF-8 text, columns separated by tabs:

====  ==============================================================================
C     item, topic, label from -2 to 2
D     topic, share of positive tweets, share of negative tweets, number of tweets
E     topic, one share per class, from the lowest class to the highest
====  ==============================================================================

D is read for the catalogue alone; its runs may leave out the number of tweets. TREC's qrels have
four columns separated by white space: query (a topic), iteration (not looked at), document (an
item) and label, of which -1 and -2 are for pairs that nobody judged, and no classes.
"""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pandas as pd

from ordbook.data.problems import Problems
from ordbook.data.tasks import Provenance, QuantificationTask
from ordbook.data.text import Table, drop_ragged, first_line, plain, read_text, split_rows

TWO_POINT_SCALE = ("negative", "positive")
LABELS = ["item", "topic", "label"]
HEAD = ["topic", "iteration", "item", "label"]
NOT_JUDGED = {"-1", "-2"}


def is_semeval(text: str) -> bool:
    """Whether a text has tabs and no header."""
    cells = [cell.strip() for cell in first_line(text).split("\t")]
    small = [cell.casefold() for cell in cells]
    if len(cells) == 1 or set(small) >= {"item", "label"}:
        return False
    return len(cells) <= 3 or not small[0].startswith("topic") or _is_number(cells[1])


def first_cells(text: str) -> list[str]:
    """Return the cells of the first line, which an empty one may end."""
    cells = first_line(text).split("\t")
    return cells[:-1] if cells[-1] == "" and len(cells) > 3 else cells


def read_headless(path: Path, text: str, head: list[str], problems: Problems) -> Table:
    """Read cells below a header that their file does not have; an empty one may end a line."""
    rows, width = split_rows(path, text, "\t"), len(head)
    rows = [row[:-1] if len(row) == width + 1 and row[-1] == "" else row for row in rows]
    return drop_ragged(path, head, rows, problems, first=1)


def read_counted(
    name: str, gold: Path, runs: Mapping[str, Path], provenance: Provenance
) -> QuantificationTask:
    """Read the gold file and the runs of subtask D, which have known checksums.

    The numbers of tweets are the task's votes.
    """

    def rows(path: Path) -> list[list[str]]:
        return [line.split("\t") for line in read_text(path).splitlines()]

    def shares(path: Path) -> pd.DataFrame:
        shares = {topic: [negative, positive] for topic, positive, negative, *_ in rows(path)}
        return pd.DataFrame.from_dict(shares, orient="index", dtype=float, columns=TWO_POINT_SCALE)

    task = QuantificationTask.from_arrays(
        shares(gold),
        {run: shares(path) for run, path in runs.items()},
        classes=TWO_POINT_SCALE,
        name=name,
        provenance=provenance,
    )
    return replace(task, votes=tuple(int(row[3]) for row in rows(gold)))


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def is_qrels(path: Path, text: str) -> bool:
    r"""Whether a file ends in ``.qrels``, or its first line has four cells of the right kinds.

    A distribution over three classes has four cells too: its third is a number up to 1.

    Examples
    --------
    >>> [is_qrels(Path("gold.txt"), line) for line in ("q1 0 d7 2", "cats\t0\t0.5\t0.5")]
    [True, False]
    """
    line = first_line(text).strip()
    cells = line.split("\t") if "\t" in line else line.split()
    looks = len(cells) == 4 and re.fullmatch(r"(Q?0|\d+) (?![01] )\S+ -?\d+", " ".join(cells[1:]))
    return plain(path).suffix == ".qrels" or bool(looks)


def read_qrels(path: Path, problems: Problems) -> Table | None:
    """Read the cells of a file; None after ``problems`` got why they cannot be told."""
    with problems.collect():
        rows = [line.split() for line in read_text(path).rstrip().split("\n")]
        return drop_ragged(path, HEAD, rows, problems, first=1)
    return None


def not_judged(table: Table) -> list[int]:
    """Return the rows that say -1 or -2; of a pair that stands there twice none, as it is wrong."""
    pairs = list(zip(table.column("topic"), table.column("item"), strict=True))
    times, labels = Counter(pairs), table.column("label")
    return [
        row
        for row, (pair, label) in enumerate(zip(pairs, labels, strict=True))
        if label in NOT_JUDGED and times[pair] == 1
    ]


def read_as_highest(table: Table, highest: str) -> int:
    """Write the highest class in place of greater labels; return how many there were."""
    rows = [row for row in table.rows if row[-1].isdecimal() and int(row[-1]) > int(highest)]
    for row in rows:
        row[-1] = highest
    return len(rows)
