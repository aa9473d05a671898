"""Bytes -> text -> rows of cells -> numbers; what cannot be read is told with file and line.

Accepted, because programs write it and it changes nothing: gzip, a byte order mark, Windows line
ends, cells in double quotes, spaces after a comma, empty lines at the end.
"""

import csv
import gzip
import io
import re
import zlib
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import chain
from operator import itemgetter
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ordbook.data.names import counted, shown
from ordbook.data.problems import Problems, Wrong

LARGEST = 500_000_000  # bytes of a file, unpacked; the largest real one has 20 MB
MOST = 1e15  # beyond this, whole numbers are no longer exact
CONVERT = "'ordbook convert SOURCE FOLDER' writes a clean copy"
_DIGITS = set("0123456789+-.eE ")
_DECIMAL_COMMA = re.compile(r"[+-]?[0-9]*,[0-9]+")
_THOUSANDS = re.compile(r"[+-]?[1-9][0-9]{0,2}(,[0-9]{3})+")
_KINDS = {
    b"PK\x03\x04": ("an Excel workbook or another zip file", f"save it as CSV; {CONVERT}"),
    b"\x89PNG": ("a PNG picture", "name a text file"),
    b"%PDF": ("a PDF file", "name a text file"),
    b"\xff\xd8\xff": ("a JPEG picture", "name a text file"),
}


@dataclass(frozen=True)
class Table:
    """The cells of a file.

    Attributes
    ----------
    path
        The file.
    head
        The names of its columns.
    rows, lines
        The rows with as many cells as the head, and the line that each stands on.
    whole
        Whether these are all rows; each other one is a problem already.
    """

    path: Path
    head: list[str]
    rows: list[list[str]]
    lines: Sequence[int]
    whole: bool

    def column(self, name: str) -> list[str]:
        """Return the cells of a column."""
        return list(map(itemgetter(self.head.index(name)), self.rows))


def read_content(path: Path) -> bytes:
    """Return the bytes of a file, unpacked if it is gzipped.

    Raises
    ------
    Wrong
        If there is no plain file, it is damaged, or it has more than 500 MB.
    """
    if path.exists() and not path.is_file():
        what = "a folder" if path.is_dir() else "a pipe or a device"
        raise Wrong(path, found=what, fix="put a plain file there")
    try:
        with path.open("rb") as file:
            packed = file.read(2) == b"\x1f\x8b"
            file.seek(0)
            with gzip.open(file) if packed else nullcontext(file) as plain:
                content = plain.read(LARGEST + 1)
    except (EOFError, gzip.BadGzipFile, zlib.error):
        raise Wrong(
            path, found="a gzip file that is cut short or damaged", fix="get the file again"
        ) from None
    except OSError as error:
        raise Wrong(
            path, found=f"this cannot be read ({error.strerror})", fix="put a plain file there"
        ) from None
    if len(content) > LARGEST:
        found = f"more than {LARGEST // 10**6} MB"
        raise Wrong(path, found=found, fix="leave out of the file what is not needed")
    return content


def decode(content: bytes, path: Path) -> str:
    """Return bytes as text.

    Raises
    ------
    Wrong
        If they are no text in UTF-8, or there is none.
    """
    save = "save the file as text in UTF-8"
    for start, (found, fix) in _KINDS.items():
        if content.startswith(start):
            raise Wrong(path, found=found, fix=fix)
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise Wrong(path, line=1, found="UTF-16 text", fix=save)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        found = f"a byte that is not UTF-8 (0x{content[error.start]:02x})"
        raise Wrong(path, line=line, found=found, fix=save) from None
    if not text.strip():
        raise Wrong(path, found="an empty file", fix="put its rows there, or remove it")
    if "\0" in text:
        line = text[: text.index("\0")].count("\n") + 1
        raise Wrong(path, line=line, found="a zero byte", fix=save)
    return text


def read_text(path: Path) -> str:
    """Return the text of a file; raises :class:`Wrong` as the two functions above."""
    return decode(read_content(path), path)


def first_line(text: str) -> str:
    """Return the first line of a text."""
    return re.split("[\r\n]", text, maxsplit=1)[0]


def split_rows(path: Path, text: str, separator: str = ",") -> list[list[str]]:
    """Return the cells of each line of a text, without empty lines at the end.

    Raises
    ------
    Wrong
        If the lines are separated by something else, or quotes do not fit.
    """
    first = first_line(text)
    for mark, name in ((";", "semicolons"), ("\t", "tabs")):
        if separator == "," and mark in first and "," not in first:
            fix = f"save the file with commas, and numbers with decimal points; {CONVERT}"
            raise Wrong(path, line=1, found=f"{name} between the columns", fix=fix)
    if first.lstrip('"').lower().startswith("sep="):
        raise Wrong(path, line=1, found=f"the line {first}", fix="remove it; only Excel knows it")
    reader = csv.reader(
        io.StringIO(text, newline=""),
        delimiter=separator,
        quoting=csv.QUOTE_MINIMAL if separator == "," else csv.QUOTE_NONE,
        strict=True,
        skipinitialspace=separator == ",",
    )
    rows: list[list[str]] = []
    close = 'remove the double quote, or write it twice ("") inside quotes'
    try:
        rows.extend(reader)  # which keeps what was read before an error
    except csv.Error as error:
        long = "larger than field limit" in str(error)
        found = "a cell of more than 100,000 characters" if long else "a double quote left open"
        fix = "shorten the cell, or close a quote" if long else close
        raise Wrong(path, line=len(rows) + 1, found=found, fix=fix) from None
    if reader.line_num != len(rows):
        line = next(i for i, row in enumerate(rows, 1) if {"\n", "\r"} & set("".join(row)))
        found = "a double quote that is closed on a later line"
        raise Wrong(path, line=line, found=found, fix=close)
    while not rows[-1]:
        rows.pop()
    return rows


def read_table(path: Path, problems: Problems) -> Table | None:
    """Read a CSV file with a header; None after ``problems`` got why its rows cannot be told."""
    with problems.collect():
        rows = split_rows(path, read_text(path))
        return even(path, rows[0], rows[1:], problems)
    return None


def even(
    path: Path, head: list[str], body: list[list[str]], problems: Problems, first: int = 2
) -> Table:
    """Keep the rows that are as long as the head and not empty; add a problem for each other.

    ``first`` is the line of the first row.
    """
    lines: Sequence[int] = range(first, len(body) + first)
    if not body:
        problems.add(path, first, found="no row below the header", fix="add the data")
    if set(map(len, body)) == {len(head)} and all(map(any, body)):
        return Table(path, head, body, lines, whole=True)
    kept, places = [], []
    for line, row in zip(lines, body, strict=True):
        if len(row) == len(head) and any(row):
            kept.append(row)
            places.append(line)
            continue
        found = f"{counted(len(row), 'cell')} for {counted(len(head), 'column')}"
        fix = "write one cell for each column"
        if not any(row):
            found, fix = ("a row of empty cells" if row else "an empty line"), "remove the line"
        elif row[-1] == "" and len(row) == len(head) + 1:
            fix = "remove the comma or tab at the end of the line"
        elif len(row) > len(head) and all(cell.strip().isdigit() for cell in row[1:]):
            found += ", as commas inside of numbers make"
            fix = f"write points for decimal commas, and do not group digits; {CONVERT}"
        problems.add(path, line, found=found, fix=fix)
    return Table(path, head, kept, places, whole=False)


def numbers(
    table: Table, columns: Sequence[int], problems: Problems
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return the numbers of some columns (counted from 0), and which rows hold only numbers."""
    shape = len(table.rows), len(columns)
    good = np.ones(shape[0], dtype=bool)
    if columns == range(columns[0], len(table.head)) or len(columns) == 1:
        tail = slice(columns[0], columns[-1] + 1)
        cells = list(chain.from_iterable(row[tail] for row in table.rows))
    else:
        cells = list(chain.from_iterable(map(itemgetter(*columns), table.rows)))
    if _DIGITS.issuperset("".join(cells)):
        try:
            values = np.fromiter(map(float, cells), float, len(cells)).reshape(shape)
        except ValueError:
            pass  # a cell is told below
        else:
            if (np.abs(values) <= MOST).all():
                return values, good
    read = np.zeros(len(cells))
    for place, cell in enumerate(cells):
        number = _number(cell)
        if number is None:
            row, column = divmod(place, len(columns))
            good[row] = False
            found, fix = _not_a_number(cell)
            at = table.lines[row], columns[column] + 1
            problems.add(table.path, *at, found=found, fix=fix)
        else:
            read[place] = number
    return read.reshape(shape), good


def header_problem(table: Table, wanted: str, fix: str, problems: Problems) -> None:
    """Add the problem that a header is not the wanted one, and say which shape it may be."""
    head = table.head
    found = f"the columns {shown(','.join(head), 120)}, not {wanted}"
    column = None
    if head[0] == "" or head[0].startswith("Unnamed: "):
        found, column = f"a column {head[0]!r} that numbers the rows, as pandas writes it", 1
        fix = "write the file with index=False, or remove the column"
    problems.add(table.path, 1, column, found=found, fix=fix)


def _number(cell: str) -> float | None:
    try:
        value = float(cell) if set(cell) <= _DIGITS else np.nan
    except ValueError:
        return None
    return value if abs(value) <= MOST else None


def _not_a_number(cell: str) -> tuple[str, str]:
    """Return what a cell is that is no number, and what to do about it."""
    plain = cell.strip()
    if not plain:
        return "an empty cell", "write the number, or leave the topic out of all files"
    if plain.endswith("%"):
        return f"{cell!r}, a percentage", "divide by 100, and leave out the percent sign"
    if _THOUSANDS.fullmatch(plain) or _DECIMAL_COMMA.fullmatch(plain):
        fix = "write a point for a decimal comma, and do not group digits by commas"
        return f"{cell!r}, a number with a comma", f"{fix}; {CONVERT}"
    if plain.lower() in ("nan", "na", "n/a", "null", "none", "-nan", "#n/a"):
        return f"{cell!r}", "write the number, or leave the topic out of all files"
    if set(plain) <= _DIGITS and re.fullmatch(r"[+-]?[0-9.]+(?:[eE][+-]?[0-9]+)?", plain):
        return f"{cell!r}, which is too large", "write a number between -1e15 and 1e15"
    return f"{cell!r}, which is no number", "write a number"
