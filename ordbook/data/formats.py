"""Formats of gold data and runs: each is a small function from a file into the long table.

A new format is a function and a row of ``FORMATS``. The function makes a
:class:`ordbook.data.text.Table` of the file, with the columns of a CSV file, and passes it to
:func:`labels` or :func:`shares`; what is wrong with names, labels and shares is found afterwards,
at the lines that the table gives. Faults of the form are raised as
:class:`ordbook.data.problems.Wrong` within ``problems.collect()``.
"""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from ordbook.data.answers import Answers
from ordbook.data.frames import ONE_TOPIC
from ordbook.data.problems import Problems, Wrong
from ordbook.data.text import (
    Table,
    as_numbers,
    drop_ragged,
    first_line,
    header_problem,
    plain,
    read_table,
    read_text,
)
from ordbook.words import counted

NOT_JUDGED = {"-1", "-2"}  # labels of qrels
_WANTED = "'topic' and a column for each class, or 'topic,item,label'"


def _notes(table: Table) -> tuple[str, ...]:
    """Say which separator was found, if it is another than the comma."""
    names = {";": "semicolons", "\t": "tabs"}
    name = names.get(table.separator)
    return (f": {name} between the columns.",) if name else ()


def _require_texts(table: Table) -> None:
    """Refuse cells that a reader left as numbers, say, as each is compared and shown as text."""
    rows: list[list[Any]] = table.rows
    if {str} >= set(map(type, chain.from_iterable(rows))):
        return
    for line, row in zip(table.lines, rows, strict=True):
        for column, cell in enumerate(row, 1):
            if not isinstance(cell, str):
                fix = f"let the reader of the format pass text, as {str(cell)!r}"
                raise Wrong(
                    table.path, line=line, column=column, found=f"{cell!r}, no text", fix=fix
                )


def labels(table: Table) -> Answers:
    """Return the answers of a table with a row for each item: item, label and maybe topic."""
    _require_texts(table)
    size = len(table.rows)
    chosen = np.array(table.column("label"), dtype=object)
    topics = table.column("topic") if "topic" in table.head else [ONE_TOPIC] * size
    rows = {
        "topic": np.array(topics, dtype=object),
        "item": np.array(table.column("item"), dtype=object),
        "label": chosen,
        "cell": chosen,
        "value": np.ones(size),
        "line": np.array(table.lines),
        "column": np.full(size, table.head.index("label") + 1),
    }
    return Answers(
        table.path,
        rows,
        tuple(table.head),
        whole=table.whole,
        notes=_notes(table),
        key_column=table.head.index("item") + 1,
        units=("topic", "item"),
    )


def shares(table: Table) -> Answers:
    """Return the answers of a table with a row for each topic and a column for each class."""
    _require_texts(table)
    classes, size = table.head[1:], len(table.rows)
    cells = plain_cells = list(chain.from_iterable(row[1:] for row in table.rows))
    notes = _notes(table)
    if table.separator != "," and any("," in cell for cell in cells):
        plain_cells = [cell.replace(",", ".") for cell in cells]
        notes = (f"{notes[0][:-1]}, and decimal commas.",)
    rows = {
        "topic": np.repeat(np.array(table.column("topic"), dtype=object), len(classes)),
        "item": np.full(len(cells), "", dtype=object),
        "label": np.tile(np.array(classes, dtype=object), size),
        "cell": np.array(cells, dtype=object),
        "value": np.asarray(as_numbers(plain_cells), dtype=np.float64),
        "line": np.repeat(np.array(table.lines), len(classes)),
        "column": np.tile(np.arange(2, len(classes) + 2), size),
    }
    return Answers(
        table.path,
        rows,
        tuple(table.head),
        classes=tuple(classes),
        whole=table.whole,
        notes=notes,
        key_column=1,
    )


def read_csv(path: Path, problems: Problems) -> Answers | None:
    """Read CSV: ``topic,<class>,<class>,...``, ``topic,item,label`` or ``item,label``."""
    table = read_table(path, problems)
    if table is None:
        return None
    head = table.head
    if sorted(head) in (["item", "label", "topic"], ["item", "label"]):
        return labels(table)
    if len(head) == 3 and head[1] == "class":
        fix = "write a row for each topic, and a column for each class"
        problems.add(path, 1, found=f"a long table ({','.join(head)})", fix=fix)
        return None
    small = {name.strip().casefold() for name in head}
    if head[:1] == ["topic"] and len(head) > 2 and not small & {"item", "label"}:
        return shares(table)
    header_problem(path, head, _WANTED, "write such a header, in small letters", problems)
    return None


def read_qrels(path: Path, problems: Problems) -> Answers | None:
    """Read TREC's qrels: query, iteration (not looked at), document and label, between blanks.

    A label of -1 or -2 says that nobody judged the pair, which is left out.
    """
    head = ["topic", "iteration", "item", "label"]
    with problems.collect():
        rows = [line.split() for line in read_text(path).rstrip().split("\n")]
        answers = labels(drop_ragged(path, head, rows, problems, first=1))
        keys, times = answers.lines["key"], Counter(answers.lines["key"])
        unjudged = [
            label in NOT_JUDGED and times[key] == 1  # of a pair twice, one may be wrong
            for key, label in zip(keys, answers.rows["label"], strict=True)
        ]
        if not any(unjudged):
            return answers
        out = np.array(unjudged)
        many, line = counted(int(out.sum()), "label"), answers.lines["line"][out][0]
        note = f": {many} of -1 or -2, from line {line} on: left out, as nobody judged these pairs."
        answers = replace(answers, unjudged=frozenset(keys[out]), notes=(note,))
        return answers.kept(~out)
    return None


def is_qrels(path: Path, text: str) -> bool:
    r"""Whether a file ends in ``.qrels``, or its first line has four cells of the right kinds.

    Examples
    --------
    >>> [is_qrels(Path("gold.txt"), line) for line in ("q1 0 d7 2", "topic,low,high")]
    [True, False]
    """
    looks = re.fullmatch(r"\S+\s+(Q?0|\d+)\s+\S+\s+-?\d+", first_line(text).strip())
    return plain(path).suffix == ".qrels" or bool(looks)


def is_json(path: Path) -> bool:
    """Whether the name of a file, packed or not, ends in ``.json``."""
    return plain(path).suffix.lower() == ".json"


@dataclass(frozen=True)
class Format:
    """A format: its title, its reader, and how its gold file is told by path and text."""

    title: str
    read: Callable[[Path, Problems], Answers | None]
    recognise: Callable[[Path, str], bool]


# The first that recognises a gold file reads it and the runs; JSON that none does is NTCIR's.
FORMATS = {
    "qrels": Format("TREC qrels", read_qrels, is_qrels),
    "tables": Format("CSV files with a header", read_csv, lambda path, text: not is_json(path)),
}
