"""How much a file may hold, so that reading a small one cannot fill the memory.

A gzip or zip file may unpack to 10 MB, or to 200 times its size; real files of scores, dialogues
and labels stay below 50 times. The cells of a table may take about 2 GB, which admits the scores
of 200 runs on 5,000 topics by 13 measures; equal cells are kept once. A task may have 1,000
classes, where real scales have up to about 100: measures of classification need memory and time
by the square of their number.

Contents
--------
content_of      a file, gzipped or not -> its bytes, or in what way it is too large
most_unpacked   how many bytes a packed file may unpack to
lines_of        text -> its lines, none of which has far more cells than the first
Rows            the rows of a table, as long as there are not too many
few_classes     refuse more classes than any ordinal scale has
"""

import gzip
import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from itertools import chain
from pathlib import Path

from ordbook.data.names import counted
from ordbook.data.problems import Place, Wrong
from ordbook.data.unchanged import look
from ordbook.measures.confusion import MOST_CLASSES

LARGEST = 500_000_000  # bytes of a file; the largest real one has 20 MB
UNPACKED, RATIO = 10_000_000, 200
# What to ask where a table has too many classes in its header.
COLUMNS = "is there a column for each class?"
MOST_COLUMNS = 100_000  # of a first line
MOST_CELLS = 10_000  # of other lines, where the first has less than half of that
MOST_UNEVEN = 100_000  # lines with another number of cells than the first
MOST_MEMORY = 2_200_000_000
# What Python needs for a row, for a cell in it and, about, for the text of a cell, in bytes.
_ROW, _CELL, _TEXT = 64, 8, 56
_SHARED = 100_000
BLOCK = 10_000
FIX = "name another file, or leave out what is not needed"


def content_of(path: Path) -> tuple[bytes, str]:
    """Return the bytes of a file, gzipped or not, or none and in what way it is too large."""
    with path.open("rb") as file:
        look(path, file)
        packed = file.read(2) == b"\x1f\x8b"
        file.seek(0)
        size = os.fstat(file.fileno()).st_size
        most = min(LARGEST, most_unpacked(size)) if packed else LARGEST
        with gzip.open(file) if packed else nullcontext(file) as plain:
            content = plain.read(most + 1)
        look(path, file)
    if len(content) <= most:
        return content, ""
    said = f"more than {most // 10**6} MB"
    return b"", said if most == LARGEST else f"{size} bytes of gzip that unpack to {said}"


def most_unpacked(size: int) -> int:
    """Return how many bytes a packed file may unpack to.

    Examples
    --------
    >>> most_unpacked(1_000), most_unpacked(1_000_000)
    (10000000, 200000000)
    """
    return max(UNPACKED, RATIO * size)


def lines_of(
    path: Path, text: str, separator: str, ends: Sequence[str] = ("\r\n", "\r", "\n")
) -> Iterator[str]:
    """Yield the lines of a text, with their ends.

    Raises
    ------
    Wrong
        At a line with far more cells than the first.
    """
    end, each = "|".join(ends), "".join(dict.fromkeys("".join(ends)))
    most, width = MOST_COLUMNS, 0
    for number, match in enumerate(re.finditer(f"[^{each}]*(?:{end})|[^{each}]+", text), 1):
        line = match.group()
        if len(line) > most and (cells := line.count(separator) + 1) > most:
            raise Wrong(
                Place(str(path)),
                line=number,
                found=counted(cells, "cell"),
                expected=counted(width, "cell") if width else f"at most {MOST_COLUMNS}",
                fix="write one cell for each column" if width else "name another file",
            )
        if not width:
            width = line.count(separator) + 1
            most = max(MOST_CELLS, 2 * width)
        yield line


def few_classes(
    number: int,
    where: object,
    line: int | None = None,
    *,
    fix: str = "is this the column of the labels?",
) -> None:
    """Refuse more classes than any ordinal scale has.

    Examples
    --------
    >>> few_classes(9_000, "gold.csv")
    Traceback (most recent call last):
        ...
    ordbook.data.problems.Wrong: gold.csv: found 9,000 classes, expected at most 1,000; is this \
the column of the labels?
    """
    if number > MOST_CLASSES:
        raise Wrong(
            Place(str(where)),
            line=line,
            found=f"{number:,} classes",
            expected=f"at most {MOST_CLASSES:,}",
            fix=fix,
        )


class Rows:
    """The rows of a table; empty ones at the end are left out.

    Attributes
    ----------
    rows
        The rows.
    count
        How many there are, with the empty ones at the end.
    """

    def __init__(self, path: Path) -> None:
        self.rows: list[list[str]] = []
        self.count = 0
        self._path = path
        self._shared: dict[str, str] = {}
        self._memory = self._uneven = 0

    def add(self, block: list[list[str]]) -> None:
        """Add rows.

        Raises
        ------
        Wrong
            If there are too many, or too many of another length than the first.
        """
        empty = self.count - len(self.rows)
        self.count += len(block)
        if empty or not all(block):
            last = max((index for index, row in enumerate(block, 1) if row), default=0)
            if not last:
                return
            self._count_uneven(empty)
            block = [*([] for _ in range(empty)), *block[:last]]
        lengths = Counter(map(len, block))
        width = len((self.rows or block)[0])
        self._count_uneven(len(block) - lengths[width])
        shared = self._shared
        if not self.rows and len(block) < BLOCK:
            new = 0  # a small table, of which nothing need be counted
        elif len(shared) < _SHARED:
            known = len(shared)
            share = shared.setdefault
            block = [[share(cell, cell) for cell in row] for row in block]
            new = len(shared) - known
        else:
            cells = chain.from_iterable(block)
            new = sum(lengths[k] * k for k in lengths) - sum(map(shared.__contains__, cells))
            get = shared.get
            block = [[get(cell, cell) for cell in row] for row in block]
        self._memory += _ROW * len(block) + _CELL * sum(k * n for k, n in lengths.items())
        self._memory += _TEXT * new
        self.rows += block
        if self._memory > MOST_MEMORY:
            raise Wrong(
                Place(str(self._path)),
                line=len(self.rows),
                found=f"more rows than {MOST_MEMORY / 1e9:.1f} GB of memory hold",
                expected="a smaller table",
                fix=f"{FIX}; put scores by different measures into a file each",
            )

    def _count_uneven(self, more: int) -> None:
        self._uneven += more
        if self._uneven > MOST_UNEVEN:
            width = len(self.rows[0]) if self.rows else 0
            raise Wrong(
                Place(str(self._path)),
                found=f"more than {MOST_UNEVEN} lines with another number of cells than the first",
                expected=f"{counted(width, 'cell')} in each" if width else "a header",
                fix="remove these lines, or name another file",
            )
