"""CSV files read strictly: a header, commas, UTF-8; everything that is wrong is collected.

Accepted, because programs write it and it changes nothing: a byte order mark, Windows line ends,
cells in double quotes, spaces after a comma, empty lines at the end.

Contents
--------
Table         the cells of a file, with the lines they stand on
read_table    a file -> its table
read_rows     a file -> its rows, of whatever length
read_text     a file -> its text
even          rows -> a table of those that are as long as its head
name_fault    why a text cannot be a name
header_fix    what to do about a header that is almost right
numbers       cells -> numbers
"""

import csv
import gzip
import json
import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ordbook.data.limits import BLOCK, FIX, Rows, content_of, lines_of
from ordbook.data.names import check_names, counted
from ordbook.data.problems import Problems, Wrong

# Beyond this, whole numbers are no longer exact.
MOST = 1e15
_DIGITS = set("0123456789+-.eE ")
_DECIMAL_COMMA = re.compile(r"[+-]?[0-9]*,[0-9]+")
_THOUSANDS = re.compile(r"[+-]?[1-9][0-9]{0,2}(,[0-9]{3})+")
_KINDS = {
    "a PNG picture": b"\x89PNG",
    "a PDF file": b"%PDF",
    "a JPEG picture": b"\xff\xd8\xff",
    "a zip file, as spreadsheets (.xlsx) are": b"PK\x03\x04",
}
_SEPARATORS = {"\t": "tabs", ";": "semicolons"}
_SAID = re.compile(r'"?sep=.?"?', re.IGNORECASE)  # what some put before the header, for Excel


@dataclass(frozen=True)
class Table:
    """The cells of a file.

    Attributes
    ----------
    path
        The file.
    head
        The cells of its first line.
    rows, lines
        The rows below with as many cells as the head, and the line that each stands on.
    refused
        Rows with fewer or more cells, or empty ones; each of them is a problem already.
    order
        The columns of the file, counted from 1, that the cells stand in, where they were moved.
    """

    path: Path
    head: list[str]
    rows: list[list[str]]
    lines: list[int]
    refused: list[list[str]]
    order: tuple[int, ...] = ()

    def column(self, index: int) -> int:
        """Return the column of the file, counted from 1, of a cell, counted from 0."""
        return self.order[index] if self.order else index + 1


def read_table(path: Path, problems: Problems) -> Table | None:
    """Read a file; None if its rows cannot be told apart. ``problems`` gets what is wrong."""
    rows = read_rows(path, problems)
    return None if rows is None else even(path, rows[0], rows[1:], problems)


def read_rows(path: Path, problems: Problems, listed: str = "") -> list[list[str]] | None:
    """Read a file; the first row is not empty. Otherwise as :func:`read_table`.

    ``listed`` says how a list of labels, in which semicolons may stand, is written.
    """
    text = read_text(path, "a text file with commas", problems)
    if text is None:
        return None
    first = re.split("[\r\n]", text, maxsplit=1)[0]
    for character, name in () if listed else _SEPARATORS.items():
        if character in first and "," not in first:
            problems.add(
                path,
                1,
                found=f"{name} between the columns",
                expected="commas",
                fix="save the file as CSV with commas, and numbers with decimal points",
            )
            return None
    if _is_json(text):
        problems.add(
            path,
            found="JSON",
            expected="one label a line" if listed else "a text file with commas",
            fix=listed or "save the file as CSV, or name another one",
        )
        return None
    if _SAID.fullmatch(first.strip()):
        problems.add(
            path,
            1,
            found=f"the line {first!r}",
            expected="the names of the columns",
            fix="remove the line, which only Excel knows",
        )
        return None
    reader = csv.reader(lines_of(path, text, ","), strict=True, skipinitialspace=True)
    store = Rows(path)
    block: list[list[str]] = []
    try:
        while reader.line_num == store.count:
            block = []
            block.extend(islice(reader, BLOCK))  # which keeps what was read before an error
            if not block:
                break
            store.add(block)
    except Wrong as wrong:
        problems.put(wrong.problem)
        return None
    except csv.Error as error:
        long = "larger than field limit" in str(error)
        problems.add(
            path,
            # where the quote is opened; the reader may be at the end of the file
            store.count + len(block) + 1,
            found=f"a cell of more than {csv.field_size_limit()} characters"
            if long
            else "a double quote that does not fit",
            expected="names and numbers, none of them so long"
            if long
            else "cells without quotes, or with one at either end",
            fix="close a double quote that is open, or shorten the cell"
            if long
            else 'remove it, or write it twice ("") inside quotes',
        )
        return None
    rows = store.rows
    if reader.line_num != store.count:
        problems.add(
            path,
            next(i for i, row in enumerate(rows, 1) if {"\n", "\r"} & set("".join(row))),
            found="a double quote that is closed on a later line",
            expected="every row on a line of its own",
            fix="close the quote, or remove it",
        )
        return None
    if not rows[0]:
        problems.add(
            path,
            1,
            found="an empty line",
            expected="the names of the columns",
            fix="remove it, if the next line has them",
        )
        return None
    return rows


def name_fault(name: str) -> str:
    """Return what is wrong with a name, as a phrase, or an empty text.

    Examples
    --------
    >>> name_fault("agree "), name_fault("agree")
    ("'agree ' with a space at an end", '')
    """
    if not name.strip():
        return "an empty cell"
    if name != name.strip():
        return f"{name!r} with a space at an end"
    try:
        check_names([name], "name", "")
    except ValueError:
        return f"{name!r} with an invisible character"
    return ""


def header_fix(found: Sequence[str], wanted: Sequence[str]) -> str:
    """Return what to do where columns have a wanted name but for capitals or spaces, or nothing.

    Examples
    --------
    >>> header_fix(["Topic", "low", "high"], ["topic"])
    "write 'topic' for 'Topic' in the header"
    """
    pairs = [
        f"{name!r} for {cell!r}"
        for cell, name in zip(found, wanted, strict=False)
        if cell != name and cell.strip().casefold() == name
    ]
    return f"write {' and '.join(pairs)} in the header" if pairs else ""


def numbers(
    table: Table, column: int, expected: str, problems: Problems
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return the numbers from a column (counted from 0) on, and which rows hold only numbers."""
    shape = len(table.rows), len(table.head) - column
    good = np.ones(shape[0], dtype=bool)
    if _only_digits(table.rows, column):
        flat = chain.from_iterable(row[column:] for row in table.rows)
        try:
            values = np.fromiter(map(float, flat), float, shape[0] * shape[1]).reshape(shape)
        except ValueError:
            pass  # a cell is told below
        else:
            if (np.abs(values) <= MOST).all():
                return values, good
    values = np.zeros(shape)
    for index, row in enumerate(table.rows):
        if problems.full(table.path):
            good[index:] = False
            break
        for offset, cell in enumerate(row[column:]):
            number = _number(cell)
            if number is None:
                good[index] = False
                found, fix = _not_a_number(cell)
                place = table.lines[index], table.column(column + offset)
                problems.add(table.path, *place, found=found, expected=expected, fix=fix)
            else:
                values[index, offset] = number
    return values, good


def read_text(path: Path, expected: str, problems: Problems) -> str | None:
    """Return the text of a file, gzipped or not, or None after saying why there is none."""
    line, found, fix = None, "", "save the file as text in UTF-8"
    text = ""
    if path.exists() and not path.is_file():
        what = "a folder" if path.is_dir() else "a pipe or a device"
        problems.add(path, found=what, expected=expected, fix="put a plain file there")
        return None
    try:
        content, large = content_of(path)
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        found = f"a byte that is not UTF-8 (0x{content[error.start]:02x})"
        for kind, start in _KINDS.items():
            if content.startswith(start):
                line, found, fix = None, kind, "save it as text in UTF-8, or name another file"
        if content.startswith((b"\xff\xfe", b"\xfe\xff")):
            found = "UTF-16 text"
    except (EOFError, gzip.BadGzipFile, zlib.error):
        found, fix = "a gzip file that is cut short or damaged", "get it again"
    except OSError as error:
        found, fix = f"nothing that can be read ({error.strerror})", "put a file there"
    else:
        if large:
            found, fix = large, FIX
        elif not text.strip():
            found = "an empty file"
        elif "\0" in text:
            line = text[: text.index("\0")].count("\n") + 1
            found, fix = "a zero byte", "save the file as text in UTF-8, which has none"
    if found:
        problems.add(path, line, found=found, expected=expected, fix=fix)
        return None
    return text


def even(
    path: Path,
    head: list[str],
    body: list[list[str]],
    problems: Problems,
    first: int = 2,
    between: str = "comma",
) -> Table:
    """Keep the rows that are as long as the head and not empty; add a problem for each other.

    ``first`` is the line of the first row, and ``between`` what separates cells.
    """
    if set(map(len, body)) == {len(head)} and all(map(any, body)):
        return Table(path, head, body, list(range(first, len(body) + first)), [])
    kept, lines, refused = [], [], []
    for line, row in enumerate(body, first):
        if len(row) == len(head) and any(row):
            kept.append(row)
            lines.append(line)
            continue
        refused.append(row)
        found, fix = counted(len(row), "cell"), "write one cell for each column"
        expected = counted(len(head), "cell")
        if not any(row):
            found, fix = "an empty line", "remove it"
            if len(row) > 1:
                found, expected = "a row of empty cells", "something in it"
        elif row[-1] == "" and len(row) == len(head) + 1:
            fix = f"remove the {between} at the end"
        elif (
            between == "comma" and len(row) > len(head) and all(cell.isdigit() for cell in row[1:])
        ):
            fix = "if these are decimal commas, write points"
            if any(len(cell) == 3 for cell in row[1:]):
                fix += "; if they group digits, leave them out"
        problems.add(path, line, found=found, expected=expected, fix=fix)
    if not body:
        problems.add(
            path, first, found="no row below line 1", expected="at least one", fix="add the data"
        )
    return Table(path, head, kept, lines, refused)


def _is_json(text: str) -> bool:
    """Whether a text begins with an object or a list of such or of texts, as no table does."""
    start = text.lstrip()
    if not start.startswith(("{", "[")):
        return False
    try:
        value, _ = json.JSONDecoder().raw_decode(start)
    except (ValueError, RecursionError):
        return False
    # [0] may be the name of a class
    return isinstance(value, dict) or any(not isinstance(each, int | float) for each in value)


def _only_digits(rows: Sequence[Sequence[str]], column: int) -> bool:
    blocks = (rows[start : start + BLOCK] for start in range(0, len(rows), BLOCK))
    return all(
        _DIGITS.issuperset("".join(chain.from_iterable(row[column:] for row in block)))
        for block in blocks
    )


def _number(cell: str) -> float | None:
    try:
        value = float(cell) if set(cell) <= _DIGITS else np.nan
    except ValueError:
        return None
    return value if abs(value) <= MOST else None


def _not_a_number(cell: str) -> tuple[str, str]:
    if not cell.strip():
        return "an empty cell", "write a number; 0 where there is nothing"
    if _THOUSANDS.fullmatch(cell.strip()):
        whole, point = cell.strip().replace(",", ""), cell.strip().replace(",", ".")
        one = f", or {point} if the comma is a decimal one" if cell.count(",") == 1 else ""
        return repr(cell), f"write {whole} if commas group the digits{one}"
    if _DECIMAL_COMMA.fullmatch(cell.strip()):
        return repr(cell), "write a point for the comma"
    if cell.strip().lower() in ("nan", "na", "n/a", "null", "none", "-nan", "#n/a"):
        return repr(cell), "write a number, or leave the topic out of gold and all runs"
    try:
        value = float(cell) if set(cell) <= _DIGITS else 0.0
    except ValueError:
        value = 0.0
    if abs(value) > MOST:
        size, fix = ("large", "smaller") if value > 0 else ("small", "larger")
        return f"{cell!r}, which is too {size}", f"write a {fix} number"
    return repr(cell), "write a number"
