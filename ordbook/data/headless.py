"""TREC's qrels: four columns separated by white space, and no header.

They are query (a topic), iteration (not looked at), document (an item) and label, of which -1 and
-2 are for pairs that nobody judged, and no classes.
"""

import re
from collections import Counter
from pathlib import Path

from ordbook.data.problems import Problems
from ordbook.data.text import Table, drop_ragged, first_line, plain, read_text

LABELS = ["item", "topic", "label"]
HEAD = ["topic", "iteration", "item", "label"]
NOT_JUDGED = {"-1", "-2"}


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
