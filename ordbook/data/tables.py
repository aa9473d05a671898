"""Tables as other programs write them: files and DataFrames of any library -> a DataFrame.

In the exports of annotation tools, a list of one value is that value, and so is a mapping with one
number, or the name of what alone is true.
"""

import ast
import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ordbook.data.problems import Place, Row, Wrong
from ordbook.data.text import SEPARATORS, decode, parse_json, read_content
from ordbook.data.text import read_table as text_table
from ordbook.words import some

_NO_OBJECT = 'write an object for each row, as {"item": 1, "annotator": "Ann", "rating": 2}'
_NO_FORM = (
    "remove the second and third line, and let each row be an item or a rating, as the recipe for "
    "forms does, 'From an annotation tool' in the book"
)
_ONE_HEADER = "let the first line hold a name for each column, without merged cells"


@dataclass(frozen=True)
class Table:
    """A table, its file, and the lines of its rows, if it has lines."""

    frame: pd.DataFrame
    path: Path = Path("the ratings")
    lines: Sequence[int] | None = None

    @property
    def columns(self) -> list[str]:
        """Names of the columns."""
        return list(map(str, self.frame.columns))

    def at(self, number: int, **cells: Any) -> Row:
        """Return a row, of which a message tells the line or else the name."""
        line = self.lines[number] if self.lines else None
        place = "" if line else f"row {self.frame.index[number]}"
        return Row(**{**cells, "path": self.path, "line": line, "place": place})


def read_table(source: Any, notes: list[str]) -> Table:
    """Return a DataFrame of any library, or a file's contents, as a table with named columns."""
    table = _read(source, notes)
    names, frame = pd.Index(table.columns), table.frame
    at = {"line": 1 if table.lines else None}
    nameless = [k for k in range(1, len(names)) if not names[k] and frame.iloc[:, k].ne("").any()]
    if nameless:  # of the first column, an index may have none
        found = f"no name above column {nameless[0] + 1}, as merged cells leave it"
        raise Wrong(table.path, **at, found=found, fix=_ONE_HEADER)
    if len(frame) > 1 and str(frame.iloc[1, -1]).startswith('{"ImportId"'):
        found = "three lines of header, as Qualtrics writes them"
        raise Wrong(table.path, **at, found=found, fix=_NO_FORM)
    return table


def _read(source: Any, notes: list[str]) -> Table:
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
    options: dict[str, Any] = {"header": None, "dtype": str, "na_filter": False}
    try:
        sheets = pd.read_excel(io.BytesIO(content), None, engine="openpyxl", **options)
    except (zipfile.BadZipFile, KeyError, OSError) as error:
        raise Wrong(path, found=f"a damaged workbook ({error})", fix="save it again") from None
    sheets = {name: cells for name, cells in sheets.items() if len(cells) > 1}
    if not sheets:
        raise Wrong(path, found="no rows", fix="put the ratings there")
    (sheet, cells), *others = sheets.items()
    if others:
        rest = some([str(name) for name, _ in others])
        notes.append(f"Read the sheet {sheet!r} of the workbook, and not {rest}.")
    frame = cells.iloc[1:].set_axis(cells.iloc[0].str.strip(), axis=1)
    frame = frame[(frame != "").any(axis=1)]
    return Table(frame, path, list(frame.index + 1))


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
    cells = text_table(path, text, over_lines=True)
    if cells.faults:
        first, *others = cells.faults
        more = f" (and {len(others)} more)" if others else ""
        raise Wrong(path, line=first.line, found=first.found + more, fix=first.fix)
    if cells.separator != ",":
        notes.append(f"Read {SEPARATORS[cells.separator]} between the columns.")
    head = [name.strip() for name in cells.head]
    return Table(pd.DataFrame(np.array(cells.rows, object), columns=head), path, cells.lines)


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
    """Return the value in a list of one value, or in a mapping with one number or one truth.

    What holds several values becomes text, and is then no class.

    >>> [unwrapped(cell) for cell in ('[{"rating": 3}]', ["4"], [], {"id": 7, "email": "a@b"})]
    [3, '4', None, 7]
    >>> unwrapped('[{"quality": {"1": false, "2": true, "3": false}}]')
    '2'
    """
    cell = parsed(cell)
    if isinstance(cell, list):
        return unwrapped(cell[0]) if len(cell) == 1 else str(cell) if cell else None
    if not isinstance(cell, Mapping):
        return cell
    if len(cell) > 1 and all(isinstance(value, bool) for value in cell.values()):
        chosen = [name for name, value in cell.items() if value]
        return chosen[0] if len(chosen) == 1 else str(cell)
    values = list(cell.values())
    numbers = [x for x in values if isinstance(x, int | float) and not isinstance(x, bool)]
    if len(numbers) == 1:
        return numbers[0]
    return unwrapped(values[0]) if len(values) == 1 else str(cell)


def as_texts(cells: Any) -> Any:
    """Return the text of each cell, as categories: whole numbers as such, missing values empty.

    >>> as_texts([2.0, "2", '["3"]', None]).tolist()
    ['2', '2', '3', '']
    """
    column = cells if isinstance(cells, pd.Series) else pd.Series(cells, dtype=object)
    try:
        codes, values = pd.factorize(column)
    except TypeError:  # lists and mappings have no hash
        codes, values = pd.factorize(column.map(unwrapped))
    texts, names = pd.factorize(pd.Index([*map(_as_text, values), ""], dtype=object))
    said: Any = pd.Categorical.from_codes(texts[codes], categories=names)
    return said.remove_unused_categories()


def _as_text(value: Any) -> str:
    value = unwrapped(value)
    if value is None:
        return ""
    is_whole = isinstance(value, float) and value.is_integer()
    return str(int(value) if is_whole else value).strip()
