"""Tables as other programs write them: files and DataFrames of any library -> cells.

In the exports of annotation tools, a list of one value and a mapping with one number are that
value, and a row may hold a list of annotators beside a list of their ratings.
"""

import ast
import io
import json
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from sys import intern
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ordbook.data.problems import Place, Problem, Wrong
from ordbook.data.text import decode, first_line, parse_json, read_content, separated, table_of
from ordbook.words import some

ONE_TOPIC = "all"  # the topic of items that name none
_MARKS = {",": "commas", ";": "semicolons", "\t": "tabs"}
_NO_OBJECT = 'write an object for each row, as {"item": 1, "annotator": "Ann", "rating": 2}'


@dataclass(frozen=True)
class Table:
    """A table of cells, its file, and the lines of its rows, if they are known."""

    frame: pd.DataFrame
    path: Path = Path("the ratings")
    lines: Sequence[int] | None = None

    @property
    def columns(self) -> list[str]:
        """Names of the columns."""
        return list(map(str, self.frame.columns))

    def problem(self, row: int, found: str, fix: str) -> Problem:
        """Return the problem that something was found in a row."""
        line = None if self.lines is None else self.lines[row]
        place = "" if line else f"row {self.frame.index[row]}"
        return Problem(str(self.path), line, None, found, fix, place)


def read_table(source: Any, notes: list[str]) -> Table:
    """Return a DataFrame of any library, or what a file holds, as a table with named columns."""
    if not isinstance(source, str | Path):
        return Table(as_pandas(source).rename(columns=str))
    path, content = Path(source), read_content(Path(source))
    if content.startswith(b"PAR1"):
        import_module("pyarrow")  # if it is not installed, this error says so
        return Table(pd.read_parquet(io.BytesIO(content)).rename(columns=str), path)
    if content.startswith(b"PK\x03\x04") or path.suffix.lower() in (".xlsx", ".xlsm"):
        return _read_workbook(path, content, notes)
    text = decode(content, path)
    start = text.lstrip()[:1]
    if start == "[":
        return _from_records(path, parse_json(content, Place(str(path))), None)
    return _read_json_lines(path, text) if start == "{" else _read_separated(path, text, notes)


def as_pandas(table: Any) -> pd.DataFrame:
    """Return a DataFrame of any library as one of pandas; ``polars.Enum`` as ordered categories."""
    if isinstance(table, pd.DataFrame):
        return table
    import narwhals as nw

    try:
        frame: Any = nw.from_native(table)
    except TypeError:
        kind = type(table).__name__
        raise ValueError(f"a {kind} is no table; give a DataFrame or the path of a file") from None
    frame = frame.collect() if isinstance(frame, nw.LazyFrame) else frame
    cells = {name: pd.Series(frame[name].to_list(), dtype=object) for name in frame.columns}
    for name, kind in frame.schema.items():
        if isinstance(kind, nw.Enum):
            cells[name] = pd.Series(pd.Categorical(cells[name], kind.categories, ordered=True))
    return pd.DataFrame(cells)


def _read_workbook(path: Path, content: bytes, notes: list[str]) -> Table:
    """Read the first sheet of a workbook that holds anything."""
    import_module("openpyxl")  # if it is not installed, this error says so
    read: dict[str, Any] = {"header": None, "dtype": str, "na_filter": False, "engine": "openpyxl"}
    try:
        sheets = pd.read_excel(io.BytesIO(content), sheet_name=None, **read)
    except (zipfile.BadZipFile, KeyError, OSError) as error:
        raise Wrong(path, found=f"a damaged workbook ({error})", fix="save it again") from None
    sheets = {name: cells for name, cells in sheets.items() if len(cells) > 1}
    if not sheets:
        raise Wrong(path, found="no rows", fix="put the ratings there")
    (sheet, cells), *others = sheets.items()
    if others:
        rest = some([str(name) for name, _ in others])
        notes.append(f"Read the sheet {sheet!r} of the workbook, and not {rest}.")
    head, frame = cells.iloc[0].str.strip(), cells.iloc[1:]
    nameless = ((head == "") & (frame != "").any())[1:]  # the first column may be an index
    if nameless.any():
        fault = f"no name above column {int(nameless.argmax()) + 2}, as merged cells leave it"
        fix = "let the first line of the sheet hold a name for each column, without merged cells"
        raise Wrong(path, line=1, found=fault, fix=fix)
    frame = frame[(frame != "").any(axis=1)]
    return Table(frame.set_axis(head, axis=1), path, [row + 1 for row in frame.index])


def _read_json_lines(path: Path, text: str) -> Table:
    """Read an object on each line."""
    records, lines = [], []
    for line, cells in enumerate(text.split("\n"), 1):
        if cells.strip():
            try:
                records.append(json.loads(cells))
            except ValueError as error:
                fault = f"this is not JSON ({error})"
                raise Wrong(path, line=line, found=fault, fix=_NO_OBJECT) from None
            lines.append(line)
    return _from_records(path, records, lines)


def _from_records(path: Path, records: Any, lines: Sequence[int] | None) -> Table:
    """Return a row for each JSON object."""
    for place, record in enumerate(records):
        if not isinstance(record, dict):
            line = lines[place] if lines else None
            raise Wrong(path, line=line, found="no JSON object", fix=_NO_OBJECT)
    return Table(pd.DataFrame(records, dtype=object), path, lines)


def _read_separated(path: Path, text: str, notes: list[str]) -> Table:
    """Read cells between commas, semicolons or tabs; quoted ones may hold several lines."""
    separator = max(_MARKS, key=first_line(text).count)
    every_row, every_line = separated(path, text, separator)
    filled = [place for place, row in enumerate(every_row) if any(row)]
    rows = [list(map(intern, every_row[place])) for place in filled]  # as long tables repeat cells
    lines = [every_line[place] for place in filled[1:]]
    if faults := table_of(path, rows[0], rows[1:], lines=lines).faults:
        first, more = faults[0], f" (and {len(faults) - 1} more)" if faults[1:] else ""
        raise Wrong(path, line=first.line, found=first.found + more, fix=first.fix)
    if separator != ",":
        notes.append(f"Read {_MARKS[separator]} between the columns.")
    head = [name.strip() for name in rows[0]]
    return Table(pd.DataFrame(rows[1:], columns=head, dtype=object), path, lines)


def parsed(cell: Any) -> Any:
    """Return the list or mapping that a text writes, by JSON or Python; all else as it is.

    >>> parsed('[{"rating": 3}]'), parsed("['3']"), parsed("[so-so]")
    ([{'rating': 3}], ['3'], '[so-so]')
    """
    if isinstance(cell, np.ndarray | tuple):  # of Parquet
        return list(cell)
    if not isinstance(cell, str) or cell.lstrip()[:1] not in ("[", "{"):
        return cell
    for read in (json.loads, ast.literal_eval):
        try:
            return read(cell)
        except (ValueError, SyntaxError, RecursionError):
            continue
    return cell


def unwrapped(cell: Any) -> Any:
    """Return the value in a list of one value, or in a mapping with one number.

    What holds several values becomes text, and is then no class.

    >>> [unwrapped(cell) for cell in ('[{"rating": 3}]', ["4"], [], {"id": 7, "email": "a@b"})]
    [3, '4', None, 7]
    """
    cell = parsed(cell)
    if isinstance(cell, list):
        return unwrapped(cell[0]) if len(cell) == 1 else str(cell) if cell else None
    if not isinstance(cell, Mapping):
        return cell
    values = list(cell.values())
    numbers = [x for x in values if isinstance(x, int | float) and not isinstance(x, bool)]
    if len(numbers) == 1:
        return numbers[0]
    return unwrapped(values[0]) if len(values) == 1 else str(cell)


def each(function: Callable[[Any], Any], cells: Iterable[Any]) -> list[Any]:
    """Apply a function to all cells, but once to the same text, as long tables repeat it."""
    values = list(cells)
    of_text = {cell: function(cell) for cell in {cell for cell in values if type(cell) is str}}
    return [of_text[cell] if type(cell) is str else function(cell) for cell in values]


def unfolded(table: Table, who: str, rating: str) -> pd.DataFrame:
    """Return a row for each name, where cells hold lists of names beside lists of ratings.

    The column ``row`` says which row of the table it comes from.
    """
    frame = table.frame.assign(row=np.arange(len(table.frame)))
    cells, sizes = dict[str, list[Any]](), list[list[int]]()
    for name in (who, rating):
        cells[name] = each(parsed, frame[name])
        sizes.append([len(cell) if isinstance(cell, list) else -1 for cell in cells[name]])
        if max(sizes[-1], default=-1) < 0:
            return frame
    if (uneven := np.not_equal(sizes[0], sizes[1])).any():
        found = f"lists of unequal lengths in the columns {who!r} and {rating!r}"
        fix = "write a rating for each annotator"
        raise ValueError(str(table.problem(int(uneven.argmax()), found, fix)))
    return frame.assign(**{who: cells[who], rating: cells[rating]}).explode([who, rating])


def texts(names: pd.Series) -> NDArray[Any]:
    """Return names as text: whole numbers as such, and missing ones empty."""
    codes, values = pd.factorize(np.array([*each(unwrapped, names), None], dtype=object)[:-1])
    text = [str(int(x)) if isinstance(x, float) and x == int(x) else str(x).strip() for x in values]
    return np.array([*text, ""], dtype=object)[codes]
