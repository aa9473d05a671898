"""Files and zip files -> text -> rows of cells, numbers or JSON; faults have file and line.

Accepted, because programs write it and it changes nothing: gzip, xz, a byte order mark, Windows
line ends, cells in double quotes, spaces after a comma, empty lines at the end.
"""

import csv
import gzip
import io
import json
import lzma
import math
import re
import tempfile
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import chain, pairwise
from operator import itemgetter
from pathlib import Path, PurePosixPath
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ordbook.data.problems import Place, Problems, Wrong
from ordbook.words import counted, shown

MOST = 1e15  # beyond this, whole numbers are no longer exact
# Sums are held to this where a file's decimals do not explain more (DESIGN: distributions).
SUM_TOLERANCE = 1e-5
# Lets a sum that lies just on a limit pass, whatever the noise of additions and their order.
ADDITIONS = 1e-9
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


def plain(path: Path) -> Path:
    """Return the path of a file without ``.gz`` or ``.xz`` at its end."""
    return path.with_suffix("") if path.suffix.lower() in PACKINGS else path


def read_content(path: Path) -> bytes:
    """Return the bytes of a file, unpacked if it is packed by gzip or xz.

    Raises
    ------
    Wrong
        If it cannot be read or is damaged.
    """
    try:
        content = path.read_bytes()
        for start, unpack in PACKINGS.values():
            content = unpack(content) if content.startswith(start) else content
        return content
    except (EOFError, gzip.BadGzipFile, zlib.error, lzma.LZMAError):
        raise Wrong(path, found="a packed file that is cut short or damaged", fix=_AGAIN) from None
    except OSError as error:
        fault = f"this cannot be read ({error.strerror})"
        raise Wrong(path, found=fault, fix="put a plain file there") from None


def decode(content: bytes, where: Path | Place) -> str:
    """Return bytes as text.

    Raises
    ------
    Wrong
        If they are no text in UTF-8, or there is none.
    """
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
    """Return the text of a file; raises :class:`Wrong` as the two functions above."""
    return decode(read_content(path), path)


def first_line(text: str) -> str:
    """Return the first line of a text."""
    return re.split("[\r\n]", text, maxsplit=1)[0]


def is_json_lines(text: str) -> bool:
    """Whether a text has a JSON object on its first line."""
    return first_line(text).lstrip().startswith('{"')


def split_rows(path: Path, text: str, separator: str = ",") -> list[list[str]]:
    """Return the cells of each line of a text, without empty lines at the end.

    Cells may be quoted where commas separate them.

    Raises
    ------
    Wrong
        If the lines are separated by something else, or quotes do not fit.
    """
    first = first_line(text)
    if is_json_lines(text):
        fix = "write a table"
        raise Wrong(path, line=1, found="JSON Lines, an object on each line", fix=fix)
    for mark, name in ((";", "semicolons"), ("\t", "tabs")):
        if separator == "," and mark in first and "," not in first:
            fix = "save the file with commas, and numbers with decimal points"
            raise Wrong(path, line=1, found=f"{name} between the columns", fix=fix)
    rows, lines = separated(path, text, separator, quoted=separator == ",")
    for line, following in pairwise(lines):
        if following > line + 1:
            raise Wrong(path, line=line, found="a double quote closed on a later line", fix=_QUOTE)
    while not rows[-1]:
        rows.pop()
    return rows


def separated(
    path: Path, text: str, separator: str, *, quoted: bool
) -> tuple[list[list[str]], list[int]]:
    """Return the cells of each row of a text, and the line on which the row begins.

    After the last row comes one more line. Where cells are ``quoted``, one may hold several lines.
    """
    reader = csv.reader(
        io.StringIO(text, newline=""),
        delimiter=separator,
        quoting=csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE,
        strict=True,
        skipinitialspace=quoted,
    )
    rows, lines = list[list[str]](), [1]
    try:
        for row in reader:
            rows.append(row)
            lines.append(reader.line_num + 1)
    except csv.Error as error:
        fault = f"a cell that cannot be read ({error})"
        raise Wrong(path, line=lines[-1], found=fault, fix=_QUOTE) from None
    return rows, lines


def read_table(path: Path, problems: Problems) -> Table | None:
    """Read a CSV file with a header; None after ``problems`` got why its rows cannot be told."""
    with problems.collect():
        rows = split_rows(path, read_text(path))
        return drop_ragged(path, rows[0], rows[1:], problems)
    return None


def drop_ragged(
    path: Path,
    head: list[str],
    body: list[list[str]],
    problems: Problems,
    first: int = 2,
    lines: Sequence[int] | None = None,
) -> Table:
    """Keep the rows that are as long as the head and not empty; add a problem for each other.

    ``first`` is the line of the first row; ``lines`` are those of all rows, if some are left out.
    """
    lines = range(first, len(body) + first) if lines is None else lines
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
        fault = f"{counted(len(row), 'cell')} for {counted(len(head), 'column')}"
        fix = "write one cell for each column"
        if not any(row):
            fault, fix = ("a row of empty cells" if row else "an empty line"), "remove the line"
        elif row[-1] == "" and len(row) == len(head) + 1:
            fix = "remove the comma or tab at the end of the line"
        elif len(row) > len(head) and all(cell.strip().isdigit() for cell in row[1:]):
            fault += ", as commas inside of numbers make"
            fix = "write points for decimal commas, and do not group digits"
        problems.add(path, line, found=fault, fix=fix)
    return Table(path, head, kept, places, whole=False)


def numbers(
    table: Table, columns: Sequence[int], problems: Problems
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return the numbers in some columns, (rows, columns), and which rows have no other cell."""
    only = slice(columns[0], columns[0] + 1)
    pick = itemgetter(*columns) if len(columns) > 1 else itemgetter(only)
    cells: list[str] = list(chain.from_iterable(map(pick, table.rows)))
    good = np.ones((len(table.rows), len(columns)), dtype=bool)
    try:
        plain = _DIGITS.issuperset("".join(cells))
        values = np.fromiter(map(float, cells), float, len(cells)) if plain else None
    except ValueError:
        values = None
    if values is None or (np.abs(values) > MOST).any():
        values = np.zeros(len(cells))
        for place, cell in enumerate(cells):
            number = _number(cell)
            if number is None:
                row, column = divmod(place, len(columns))
                good[row, column] = False
                fault, fix = _not_a_number(cell)
                at = table.lines[row], columns[column] + 1
                problems.add(table.path, *at, found=fault, fix=fix)
            else:
                values[place] = number
    rows: NDArray[np.bool_] = np.asarray(good.all(axis=1))
    return values.reshape(good.shape), rows


def _number(cell: str) -> float | None:
    try:
        value = float(cell) if _DIGITS.issuperset(cell) else np.nan
    except ValueError:
        return None
    return value if abs(value) <= MOST else None


def _not_a_number(cell: str) -> tuple[str, str]:
    """Describe a non-numeric cell and how to fix it."""
    plain = cell.strip()
    if not plain:
        return "an empty cell", "write the number, or leave the topic out of all files"
    if plain.endswith("%"):
        return f"{cell!r}, a percentage", "divide by 100, without the percent sign"
    if _WITH_COMMA.fullmatch(plain):
        fix = "write a point for a decimal comma, and do not group digits by commas"
        return f"{cell!r}, a number with a comma", f"{fix}"
    return f"{cell!r}, which is no number", "write a plain number, up to 1e15"


def header_problem(table: Table, wanted: str, fix: str, problems: Problems) -> None:
    """Add the problem that a header is not the wanted one, and say which shape it may be."""
    head = table.head
    fault = f"the columns {shown(','.join(head), 120)}, not {wanted}"
    column = None
    if head[0] == "" or head[0].startswith("Unnamed: "):
        fault, column = f"a column {head[0]!r} that numbers the rows, as pandas writes it", 1
        fix = "write the file with index=False, or remove the column"
    problems.add(table.path, 1, column, found=fault, fix=fix)


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
        fault, fix = "JSON Lines, an object on each line", "let the name end in .jsonl"
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


def distribution(found: dict[str, Any], keys: Sequence[str], where: Place) -> list[float]:
    """Return the probabilities of an object in the order of its keys; refuse other values."""
    row = []
    for key in keys:
        value = found.get(key)
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
            fault = (
                f"{short(value)}, not a number from 0 to 1" if key in found else "no probability"
            )
            fix = f"write a probability for each of {', '.join(keys)}; divide counts by their sum"
            raise Wrong(where.inside(key), found=fault, fix=fix)
        row.append(float(value))
    if abs((total := math.fsum(row)) - 1) > SUM_TOLERANCE + ADDITIONS:
        fault = f"a sum of {total:.6g}, not 1 within {SUM_TOLERANCE:.0e}"
        raise Wrong(where, found=fault, fix="divide each probability by their sum")
    return row


def short(value: Any) -> str:
    """Return a value as messages show it: at most 60 characters."""
    return _KINDS[type(value)] if isinstance(value, list | dict) else repr(value)[:60]


LARGEST = 500_000_000  # bytes, unpacked; the largest real archive has 104 MB
# What the standard library raises for one or another kind of damage.
_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    NotImplementedError,
    RuntimeError,  # an encrypted file
    UnicodeDecodeError,
    OSError,
)


@contextmanager
def unpacked(path: Path, problems: Problems) -> Iterator[Path | None]:
    """Unpack a zip file into a temporary folder, which is removed afterwards.

    A single folder that holds all the rest is entered. None is yielded for a file that is damaged,
    too large, or names a place outside of the folder.
    """
    with tempfile.TemporaryDirectory(prefix="ordbook-") as temporary:
        folder = Path(temporary) / (path.stem.strip(".") or "task")
        inner = None
        with problems.collect(), _opened(path) as archive:
            for name in archive.namelist():
                if name.startswith("/") or ".." in PurePosixPath(name).parts:
                    fault = "a name that leads out of the folder"
                    raise Wrong(Place(f"{path}/{name}"), found=fault, fix="pack the folder again")
            archive.extractall(folder)
            folder.mkdir(exist_ok=True)
            inside = [
                entry for entry in folder.iterdir() if not entry.name.startswith((".", "__MA"))
            ]
            alone = len(inside) == 1 and inside[0].is_dir() and inside[0].name != "runs"
            inner = inside[0] if alone else folder
        yield inner


@contextmanager
def _opened(path: Path) -> Iterator[zipfile.ZipFile]:
    """Open a zip file of limited size; its faults are raised as Wrong."""
    try:
        # Many programs write names in UTF-8 and do not say so.
        with zipfile.ZipFile(path, metadata_encoding="utf-8") as archive:
            if (total := sum(info.file_size for info in archive.filelist)) > LARGEST:
                fault = f"{total:,} bytes when unpacked"
                raise Wrong(path, found=fault, fix="unpack it yourself, and name the folder")
            yield archive
    except _DAMAGE as error:
        fault = f"a file that cannot be unpacked ({getattr(error, 'strerror', None) or error})"
        fix = "get it again, or unpack it yourself and name the folder"
        raise Wrong(path, found=fault, fix=fix) from None
