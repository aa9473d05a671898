"""Tables as other programs write them: CSV, JSON, JSON Lines, Excel or Parquet -> cells.

Cells are texts, empty where there is none. Those of Parquet, and of a DataFrame, stay as they are.
"""

import json
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from io import BytesIO
from pathlib import Path
from sys import intern
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ordbook.data.problems import Place, Problems, Wrong
from ordbook.data.text import (
    decode,
    drop_ragged,
    first_line,
    parse_json,
    plain,
    read_content,
    separated,
)
from ordbook.words import some

WORKBOOKS = (".xlsx", ".xlsm")
ONE_TOPIC = "all"  # the topic of items that name none
_NO_OBJECT = 'write an object of plain values for each row, as {"item": 1, "label": 2}'
_MARKS = {";": "semicolons", "\t": "tabs"}


_NAME_PEOPLE = (
    "for a wide table, name the people: --annotators Ada,Ben,Eve (in Python "
    "annotator=['Ada', 'Ben', 'Eve']); for a long one, the column of annotators"
)


_SEVERAL_ROWS = (
    "of a long table, name the column of ratings with --rating (in Python rating=); of a wide one, "
    "keep one row for each item, such as those of one criterion"
)


@dataclass(frozen=True)
class Source:
    """A table, the file and the lines of its rows, if they are known, and how it was read."""

    frame: pd.DataFrame
    path: Path = Path("the ratings")
    lines: Sequence[int] | None = None
    note: str = ""

    def wrong(self, problems: Problems, row: int, *, found: str, fix: str) -> None:
        """Add a problem in a row."""
        line = self.lines[row] if self.lines is not None else None
        place = "" if line else f"row {self.frame.index[row]}"
        problems.add(self.path, line, found=found, fix=fix, place=place)


def as_pandas(table: Any) -> Any:
    """Return a frame of another library, such as polars, as one of pandas; leave all else."""
    return table.to_pandas() if hasattr(table, "to_pandas") else table


def read_source(table: pd.DataFrame | Path | str) -> Source:
    """Return a table whose columns have names of text; of a workbook, the first sheet."""
    if isinstance(table, pd.DataFrame):
        return Source(table.rename(columns=str))
    path = Path(table)
    sheets = read_sheets(path)
    if not sheets:
        raise Wrong(path, found="no rows", fix="put the ratings there")
    source = next(iter(sheets.values()))
    return replace(source, frame=source.frame.rename(columns=lambda name: str(name).strip()))


def read_sheets(path: Path) -> dict[str, Source]:
    """Return the tables of a file: name of the sheet, or of the file without ending -> table.

    Raises
    ------
    Wrong
        If the file cannot be read.
    """
    content = read_content(path)
    stem = plain(path).stem
    if is_workbook(path, content):
        return _workbook(path, content)
    if content.startswith(b"PAR1"):
        import_module("pyarrow")  # if it is not installed, this error says so
        return {stem: Source(pd.read_parquet(BytesIO(content)), path)}
    text = decode(content, path)
    start = text.lstrip()[:1]
    if start == "[":
        return {stem: Source(_frame(parse_json(content, Place(str(path))), path), path)}
    return {stem: _json_lines(path, text) if start == "{" else _separated(path, text)}


def is_workbook(path: Path, content: bytes) -> bool:
    """Whether a file is one of Excel's, by its content or its name."""
    return content.startswith(b"PK\x03\x04") or path.suffix.lower() in WORKBOOKS


def _workbook(path: Path, content: bytes) -> dict[str, Source]:
    import_module("openpyxl")  # if it is not installed, this error says so
    try:
        sheets = pd.read_excel(
            BytesIO(content), sheet_name=None, dtype=str, na_filter=False, engine="openpyxl"
        )
    except (zipfile.BadZipFile, KeyError, OSError) as error:
        raise ValueError(f"{path}: damaged ({error}); save or get it again") from None
    note = "Took the sheets of the workbook as tables."
    return {
        str(sheet): Source(frame, path, range(2, len(frame) + 2), note)
        for sheet, frame in sheets.items()
        if not frame.empty
    }


def _json_lines(path: Path, text: str) -> Source:
    """Read an object on each line; numbers as they are printed."""
    records, lines = [], []
    for line, cells in enumerate(text.split("\n"), 1):
        if cells.strip():
            try:
                records.append(json.loads(cells, parse_float=str, parse_int=str))
            except ValueError as error:
                fault = f"this is not JSON ({error})"
                raise Wrong(path, line=line, found=fault, fix=_NO_OBJECT) from None
            lines.append(line)
    return Source(_frame(records, path, lines), path, lines, "Put the objects of JSON into rows.")


def _frame(records: Any, path: Path, lines: Sequence[int] | None = None) -> pd.DataFrame:
    """Return a row for each JSON object."""
    if not isinstance(records, list):
        raise Wrong(path, found="no list of objects", fix=_NO_OBJECT)
    for place, record in enumerate(records):
        if not isinstance(record, dict):
            line = lines[place] if lines else None
            raise Wrong(path, line=line, found="no JSON object", fix=_NO_OBJECT)
    frame = pd.DataFrame(records, dtype=object)
    return frame.where(frame.notna(), "").map(str)


def _separated(path: Path, text: str) -> Source:
    """Read cells between commas, semicolons or tabs; quoted ones may hold several lines."""
    separator = max(",;\t", key=first_line(text).count)
    every_row, every_line = separated(path, text, separator, quoted=True)
    filled = [place for place, row in enumerate(every_row) if any(row)]
    rows = [list(map(intern, every_row[place])) for place in filled]  # as long tables repeat cells
    lines = [every_line[place] for place in filled]
    problems = Problems()
    drop_ragged(path, rows[0], rows[1:], problems, lines=lines[1:])
    problems.raise_first()
    head = [name.strip() for name in rows[0]]
    note = f"Put commas in place of the {_MARKS[separator]}." if separator in _MARKS else ""
    return Source(pd.DataFrame(rows[1:], columns=head, dtype=object), path, lines[1:], note)


def cells_of(
    source: Source, item: str, topic: str | None, who: str | list[str], rating: str
) -> pd.DataFrame:
    """Return a row for each cell of a long table, or of the columns ``who`` of a wide table.

    It has the columns topic, item, who, cell, and row, which is that of the table.
    """
    frame = source.frame
    wide = [] if isinstance(who, str) else who
    columns = [*([topic] if topic else []), item, *(wide or [str(who), rating])]
    for name in columns:
        times = list(frame).count(name)
        if (times, columns.count(name)) != (1, 1):
            reason = "twice" if times else "which is not there"
            fault = f"the column {name!r}, {reason}; there are {some(list(map(str, frame)))}"
            fix = "name each column once, as it is called in the table"
            if name == item and not times:
                fix = "add a column that names the items, or name it with --item (in Python item=)"
            elif name == "annotator" and not times:
                fix = _NAME_PEOPLE
            line = None if source.lines is None else 1
            raise Wrong(source.path, line=line, found=fault, fix=fix)
    keys = [name for name in (topic, item) if name]
    again = frame.duplicated(keys).to_numpy()
    if wide and again.any():
        row = int(again.argmax())
        fault = f"a second row of item {str(frame[item].iloc[row])!r}, and no column {rating!r}"
        line = None if source.lines is None else source.lines[row]
        raise Wrong(source.path, line=line, found=fault, fix=_SEVERAL_ROWS)
    size, times = len(frame), max(len(wide), 1)
    cells = [frame[name].to_numpy(object) for name in wide or [rating]]
    everybody = np.repeat(np.array(wide, dtype=object), size)
    rows = {
        "topic": np.tile(texts(frame[topic]), times) if topic else ONE_TOPIC,
        "item": np.tile(texts(frame[item]), times),
        "who": everybody if wide else texts(frame[str(who)]),
        "cell": np.concatenate(cells),
        "row": np.tile(np.arange(size), times),
    }
    return pd.DataFrame(rows)


def texts(names: pd.Series) -> NDArray[Any]:
    """Return names as text: whole numbers as such, and missing ones empty."""
    codes, values = pd.factorize(names)
    texts = [
        str(int(x)) if isinstance(x, float) and x == int(x) else str(x).strip() for x in values
    ]
    return np.array([*texts, ""], dtype=object)[codes]
