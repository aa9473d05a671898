"""Files -> text -> rows of cells, numbers or JSON; faults raise Wrong, with file and line.

Accepted, because programs write it and it changes nothing: gzip, xz, a byte order mark, Windows
line ends, cells in double quotes, spaces after a comma, empty lines at the end.
"""

import csv
import gzip
import io
import json
import lzma
import re
import zlib
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from operator import itemgetter
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ordbook.data.problems import Place, Problem, Wrong
from ordbook.files import similar_file
from ordbook.words import counted, shown

MOST = 1e15  # beyond this, whole numbers are no longer exact
# Sums are held to this where a file's decimals do not explain more (DESIGN: distributions).
SUM_TOLERANCE = 1e-5
# Lets a sum that lies just on a limit pass, whatever the noise of additions and their order.
ADDITIONS = 1e-9
SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs"}
# Ending of a packed file -> its first bytes, and the function that unpacks it.
PACKINGS = {".gz": (b"\x1f\x8b", gzip.decompress), ".xz": (b"\xfd7zXZ\x00", lzma.decompress)}
_QUOTE = 'remove the double quote, or write it twice ("") inside quotes'
_AGAIN = "get the file again"
_DIGITS = set("0123456789+-.eE ")
_WITH_COMMA = re.compile(r"[+-]?([0-9]*,[0-9]+|[1-9][0-9]{0,2}(,[0-9]{3})+)")
_KINDS: dict[type, str] = {
    dict: "an object",
    list: "a list",
    str: "a string",
    int: "a whole number",
}
T = TypeVar("T")


@dataclass(frozen=True)
class Table:
    """The cells of a file.

    Attributes
    ----------
    path, head
        The file, and the names of its columns.
    rows, lines
        The rows with as many cells as the head, and the line that each stands on; None if the
        file has no lines, as JSON.
    faults
        What is wrong with all other rows.
    separator
        What separates the cells: a comma, or else a semicolon or a tab.
    """

    path: Path
    head: list[str]
    rows: list[list[str]]
    lines: Sequence[Any]
    faults: tuple[Problem, ...] = ()
    separator: str = ","

    def column(self, name: str) -> list[str]:
        """Return the cells of a column."""
        return list(map(itemgetter(self.head.index(name)), self.rows))


def plain(path: Path) -> Path:
    """Return the path of a file without ``.gz`` or ``.xz`` at its end."""
    return path.with_suffix("") if path.suffix.lower() in PACKINGS else path


def read_content(path: Path) -> bytes:
    """Return the bytes of a file, unpacked if it is packed by gzip or xz."""
    try:
        content = path.read_bytes()
        for start, unpack in PACKINGS.values():
            content = unpack(content) if content.startswith(start) else content
        return content
    except (EOFError, gzip.BadGzipFile, zlib.error, lzma.LZMAError):
        raise Wrong(path, found="a packed file that is cut short or damaged", fix=_AGAIN) from None
    except FileNotFoundError:
        near = similar_file(path)
        fix = f"correct the path; did you mean {near}?" if near else "correct the path"
        raise Wrong(path, found="there is no such file", fix=fix) from None
    except OSError as error:
        fault = f"this cannot be read ({error.strerror})"
        raise Wrong(path, found=fault, fix="put a plain file there") from None


def decode(content: bytes, where: Path | Place) -> str:
    """Return bytes as text, which is in UTF-8 and not empty."""
    if content.startswith(b"PK\x03\x04"):
        fix = "save it as CSV"
        raise Wrong(where, found="an Excel workbook or another zip file", fix=fix)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        fault = f"a byte that is not UTF-8 (0x{content[error.start]:02x})"
        raise Wrong(where, line=line, found=fault, fix="save it as text in UTF-8") from None
    if not text.strip():
        raise Wrong(where, found="an empty file", fix="put its rows there, or remove it")
    return text


def read_text(path: Path) -> str:
    """Return the text of a file."""
    return decode(read_content(path), path)


def first_line(text: str) -> str:
    """Return the first line of a text."""
    return re.split("[\r\n]", text, maxsplit=1)[0]


def is_json_lines(text: str) -> bool:
    """Whether a text has a JSON object on its first line."""
    return first_line(text).lstrip().startswith('{"')


def split_rows(
    path: Path, text: str, separator: str = ",", *, over_lines: bool = False
) -> tuple[list[list[str]], list[int]]:
    """Return the cells of each row of a text, and the line on which it begins.

    Empty rows at the end are left out. With ``over_lines``, a quoted cell may hold several lines,
    and all empty rows are left out.
    """
    stream = io.StringIO(text, newline="")
    reader = csv.reader(stream, delimiter=separator, strict=True, skipinitialspace=True)
    rows, lines = list[list[str]](), [1]
    try:
        for row in reader:
            rows.append(row)
            lines.append(reader.line_num + 1)
    except csv.Error as error:
        fault = f"a cell that cannot be read ({error})"
        raise Wrong(path, line=lines[-1], found=fault, fix=_QUOTE) from None
    if over_lines:
        filled = [place for place, row in enumerate(rows) if any(row)]
        return [rows[place] for place in filled], [lines[place] for place in filled]
    for line, following in pairwise(lines):
        if following > line + 1:
            raise Wrong(path, line=line, found="a double quote closed on a later line", fix=_QUOTE)
    while not rows[-1]:
        rows.pop()
    return rows, lines[: len(rows)]


def read_table(path: Path, text: str | None = None, *, over_lines: bool = False) -> Table:
    """Read a CSV file with a header; its first line tells what is between the cells."""
    text = read_text(path) if text is None else text
    if is_json_lines(text):
        fix = "write a table of commas"
        raise Wrong(path, line=1, found="JSON Lines, an object on each line", fix=fix)
    separator = max(SEPARATORS, key=first_line(text).count)
    rows, lines = split_rows(path, text, separator, over_lines=over_lines)
    table = table_of(path, rows[0], rows[1:], lines=lines[1:])
    return replace(table, separator=separator)


def table_of(
    path: Path,
    head: list[str],
    body: list[list[str]],
    first: int = 2,
    lines: Sequence[int] | None = None,
) -> Table:
    """Return a table of the rows that are as long as the head and not empty.

    ``first`` is the line of the first row, unless ``lines`` are those of all rows.
    """
    lines = range(first, len(body) + first) if lines is None else lines
    if body and set(map(len, body)) == {len(head)} and all(map(any, body)):
        return Table(path, head, body, lines)
    kept, places, faults = [], [], []
    if not body:
        fix = "add the data"
        faults.append(Problem(str(path), first, None, "no row below the header", fix))
    for line, row in zip(lines, body, strict=True):
        if len(row) == len(head) and any(row):
            kept.append(row)
            places.append(line)
            continue
        fault = f"{counted(len(row), 'cell')} for {counted(len(head), 'column')}"
        fix = "write one cell for each column"
        if not any(row):
            fault, fix = ("a row of empty cells" if row else "an empty line"), "remove the line"
        elif row[-1] == "" and len(row) == len(head) + 1:
            fix = "remove the comma or tab at the end of the line"
        elif first > 1 and len(row) > len(head) and all(x.strip().isdigit() for x in row[1:]):
            fault += ", as commas inside of numbers make"
            fix = "write points for decimal commas, and do not group digits"
        faults.append(Problem(str(path), line, None, fault, fix))
    return Table(path, head, kept, places, tuple(faults))


def as_numbers(cells: Sequence[str]) -> NDArray[np.float64]:
    """Return cells as numbers; NaN for those that are none, or beyond 1e15."""
    values = None
    if _DIGITS.issuperset("".join(cells)):
        with suppress(ValueError):
            values = np.fromiter(map(float, cells), float, len(cells))
    if values is None:
        values = np.array(list(map(_number, cells)), dtype=float)
    return np.where(np.abs(values) > MOST, np.nan, values)


def _number(cell: str) -> float:
    try:
        return float(cell) if _DIGITS.issuperset(cell) else np.nan
    except ValueError:
        return np.nan


def not_a_number(cell: str) -> tuple[str, str, str]:
    """Return a code for a cell that is no number, the finding, and the fix."""
    plain = cell.strip()
    if not plain:
        return "empty", "an empty cell", "write the number, or leave the topic out of all files"
    if plain.endswith("%"):
        return "percent", f"{cell!r}, a percentage", "divide by 100, without the percent sign"
    if _WITH_COMMA.fullmatch(plain):
        fix = "write a point for a decimal comma, and do not group digits by commas"
        return "comma", f"{cell!r}, a number with a comma", fix
    return "number", f"{cell!r}, which is no number", "write a plain number, up to 1e15"


def wrong_header(path: Path, head: Sequence[str], wanted: str, fix: str) -> Wrong:
    """Return the fault that a header is not the wanted one; ``fix`` says which shape it may be."""
    fault = f"the columns {shown(','.join(head), 120)}, not {wanted}"
    column = None
    if head and (head[0] == "" or head[0].startswith("Unnamed: ")):
        fault, column = f"a column {head[0]!r} that numbers the rows, as pandas writes it", 1
        fix = "write the file with index=False, or remove the column"
    return Wrong(path, line=1, column=column, found=fault, fix=fix)


def read_json(path: Path) -> Any:
    """Read a JSON file, packed or not; faults are raised as :class:`Wrong`."""
    return parse_json(read_content(path), Place(str(path)))


def parse_json(content: bytes, where: Place) -> Any:
    """Parse the bytes of a JSON file; faults are raised with ``where``."""
    line = column = None
    text = decode(content, where)
    try:
        return json.loads(text, object_pairs_hook=partial(_once, where), parse_int=_whole)
    except json.JSONDecodeError as error:
        fault, line, column = f"this is not JSON ({error.msg})", error.lineno, error.colno
    except RecursionError:
        fault = "values nested too deeply"
    fix = f"correct the JSON, or {_AGAIN}"
    if line == 2 and is_json_lines(text):
        fault, fix = "JSON Lines, an object on each line", "write one JSON value, or CSV"
    raise Wrong(where, line=line, column=column, found=fault, fix=fix)


def _whole(digits: str) -> int | float:
    return int(digits) if len(digits) < 20 else float(digits)  # Python refuses very many digits


def _once(where: Place, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object; refuse one that gives a key twice."""
    entries = dict(pairs)
    if len(entries) < len(pairs):
        twice = Counter(key for key, _ in pairs).most_common(1)[0][0]
        raise Wrong(where, found=f"the key {twice!r} twice", fix="give each key once")
    return entries


def as_object(value: Any, where: Place) -> dict[str, Any]:
    """Return a JSON object; refuse other values."""
    if not isinstance(value, dict):
        raise Wrong(where, found=f"{short(value)}, not a JSON object", fix="write an object")
    return value


def field(entry: dict[str, Any], key: str, kind: type[T], where: Place) -> T:
    """Return a field of an object, of the right type."""
    if key not in entry:
        raise Wrong(where, found=f"no {key!r}", fix=f"add it, {_KINDS[kind]}")
    value = entry[key]
    if not isinstance(value, kind) or isinstance(value, bool):
        fault = f"{key!r}: {short(value)}, not {_KINDS[kind]}"
        raise Wrong(where, found=fault, fix="correct the value")
    return value


def short(value: Any) -> str:
    """Return a value as messages show it: at most 60 characters."""
    return _KINDS[type(value)] if isinstance(value, list | dict) else repr(value)[:60]
