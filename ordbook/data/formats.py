"""Formats of gold data and runs: each is a small function from a file into the long table.

A new format is a function and a row of ``FORMATS``. The function makes a
:class:`ordbook.data.text.Table` of the file, with the columns of a CSV file, and returns
:func:`labels` or :func:`shares` of it; a file that it cannot read it refuses by raising
:class:`ordbook.data.problems.Wrong`. What is wrong with rows, names, labels and shares is found
afterwards, at the lines that the table gives.
"""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from ordbook.data import ntcir
from ordbook.data.answers import Answers, labels, shares
from ordbook.data.problems import Wrong
from ordbook.data.text import first_line, plain, read_table, read_text, table_of, wrong_header
from ordbook.words import counted

NOT_JUDGED = {"-1", "-2"}  # labels of qrels
_WANTED = "'topic' and a column for each class, or 'topic,item,label'"


def read_csv(path: Path) -> Answers:
    """Read CSV: ``topic,<class>,<class>,...``, ``topic,item,label`` or ``item,label``."""
    table = read_table(path)
    head = table.head
    if sorted(head) in (["item", "label", "topic"], ["item", "label"]):
        return labels(table)
    if len(head) == 3 and head[1] == "class":
        fix = "write a row for each topic, and a column for each class"
        raise Wrong(path, line=1, found=f"a long table ({','.join(head)})", fix=fix)
    small = {name.strip().casefold() for name in head}
    if head[:1] == ["topic"] and len(head) > 2 and not small & {"item", "label"}:
        return shares(table)
    raise wrong_header(path, head, _WANTED, "write such a header, in small letters")


def read_qrels(path: Path) -> Answers:
    """Read TREC's qrels: query, iteration (not looked at), document and label, between blanks.

    A label of -1 or -2 says that nobody judged the pair, which is left out.
    """
    rows = [line.split() for line in read_text(path).rstrip().split("\n")]
    answers = labels(table_of(path, ["topic", "iteration", "item", "label"], rows, first=1))
    times = Counter(answers.keys)
    unjudged = np.array(
        [
            label in NOT_JUDGED and times[key] == 1  # of a pair twice, one may be wrong
            for key, label in zip(answers.keys, answers.cells[:, 0], strict=True)
        ],
        dtype=bool,
    )
    if not unjudged.any():
        return answers
    many, line = counted(int(unjudged.sum()), "label"), answers.line[unjudged][0]
    note = f"{many} of -1 or -2, from line {line} on: left out, as nobody judged these pairs."
    kept = answers.kept(~unjudged)
    return replace(kept, unjudged=frozenset(answers.keys[unjudged]), notes=(note,))


def is_qrels(path: Path, text: str) -> bool:
    r"""Whether a file ends in ``.qrels``, or its first line has four cells of the right kinds.

    Examples
    --------
    >>> [is_qrels(Path("gold.txt"), line) for line in ("q1 0 d7 2", "topic,low,high")]
    [True, False]
    """
    looks = re.fullmatch(r"\S+\s+(Q?0|\d+)\s+\S+\s+-?\d+", first_line(text).strip())
    return plain(path).suffix == ".qrels" or bool(looks)


def is_json(path: Path, text: str = "") -> bool:
    """Whether the name of a file, packed or not, ends in ``.json``."""
    return plain(path).suffix.lower() == ".json"


@dataclass(frozen=True)
class Format:
    """A format: its title, its reader, and how its gold file is told by path and text.

    Where ``has_parts``, files hold several tasks, and ``read`` takes the part and the gold file and
    returns the reader.
    """

    title: str
    read: Callable[..., Any]
    recognise: Callable[[Path, str], bool]
    has_parts: bool = False


# The first that recognises a gold file reads it and the runs; CSV is for all that none does.
FORMATS = {
    "qrels": Format("TREC qrels", read_qrels, is_qrels),
    "ntcir": Format("NTCIR STC-3 and DialEval, JSON", ntcir.reader, is_json, has_parts=True),
    "tables": Format("CSV files with a header", read_csv, lambda path, text: True),
}


def format_of(gold: Path, text: str) -> str:
    """Return the name of the first format that recognises a gold file."""
    return next(name for name, each in FORMATS.items() if each.recognise(gold, text))


def title_of(format: str) -> str:
    """Return the title of a format, or of scores."""
    return FORMATS[format].title if format in FORMATS else format
