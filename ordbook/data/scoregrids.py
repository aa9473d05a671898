"""One file of scores, in one of three forms -> its numbers and the names on their axes.

The forms are described in :mod:`ordbook.data.scorefiles`. Scores by a measure of
:mod:`ordbook.measures` must lie within its bounds; where these depend on the number of classes,
which a file of scores does not say, within the widest.

Contents
--------
Grid          scores, and the names on the axes
read_grid     a file -> a Grid
bounds        the least and the largest score by a measure, whatever the number of classes
is_csv, stem  what the name of a file says
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product, zip_longest
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ordbook.data.csvfile import Table, even, header_fix, name_fault, numbers, read_table, read_text
from ordbook.data.margins import find_margins
from ordbook.data.names import alike, counted
from ordbook.data.problems import Problems
from ordbook.data.scores import ENDINGS, HEADER, KNOWN

RUN_LISTS = ("{stem}.runs", "runlist", "runlist.txt")
TOLERANCE = 1e-9  # beyond a bound, for rounding
MOST_CLASSES = 100
SPARSE, FEW = 10, 1000  # a file with fewer scores than one in ten of those wanted is no grid


@dataclass(frozen=True)
class Grid:
    """Scores (measures, topics, runs), and the names on the axes.

    Where something is wrong, scores that could not be read are NaN.
    """

    values: NDArray[np.float64]
    measures: Sequence[str]
    topics: Sequence[str]
    runs: Sequence[str]


@cache
def bounds(measure: str) -> tuple[float, float]:
    """Return the least and the largest score by a measure of the registry.

    Examples
    --------
    >>> bounds("NMD"), bounds("MAE_M")
    ((0.0, 1.0), (0.0, inf))
    """
    limits = [KNOWN[measure].bounds(classes) for classes in (2, MOST_CLASSES)]
    largest = max(high for _, high in limits)
    steps = largest == MOST_CLASSES - 1  # errors counted in classes have no common bound
    return min(low for low, _ in limits), np.inf if steps else largest


def read_grid(path: Path, files: dict[str, Path], problems: Problems) -> Grid | None:
    """Read a file of scores.

    Parameters
    ----------
    path
        The file.
    files
        Gets the files that were read beside it, by name.
    problems
        Gets what is wrong; the result then has what could be read, or is None.
    """
    if not is_csv(path):
        return _plain(path, files, problems)
    table = read_table(path, problems)
    if table is None:
        return None
    if table.head == HEADER:
        grid = _long(table, problems)
        if grid is not None:
            _refuse_margins(table, grid, {"row": 1, "run": 2}, problems)
        return grid
    if table.head[0] == "topic" and len(table.head) > 1:
        grid = _wide(table, stem(path), problems)
        _refuse_margins(table, grid, {"row": 0}, problems)
        return grid
    problems.add(
        path,
        1,
        found=f"the columns {','.join(table.head)[:200]}",
        expected=f"'{','.join(HEADER)}', or 'topic' and one column per run",
        fix=header_fix(table.head, HEADER if len(table.head) == len(HEADER) else ["topic"])
        or "write such a header as the first line; of a task with gold data, name the folder",
        first=True,
    )
    return None


def is_csv(path: Path) -> bool:
    """Whether a file is CSV, gzipped or not, by its name."""
    return path.name.lower().endswith(ENDINGS)


def stem(path: Path) -> str:
    """Return the name of a file without its ending: the measure, or the task."""
    return Path(path.name.removesuffix(".gz")).stem


def _long(table: Table, problems: Problems) -> Grid | None:
    """Read a full measure x topic x run grid."""
    names = [tuple(row[:3]) for row in table.rows]
    scores, good = numbers(table, 3, "a score", problems)
    cells: dict[tuple[str, ...], int] = {}
    faults: dict[str, str] = {}
    for index, (key, line) in enumerate(zip(names, table.lines, strict=True)):
        if key in cells:
            problems.add(
                table.path,
                line,
                found=f"{', '.join(key)} a second time",
                expected="one score each",
                fix="remove one of the two",
            )
            continue
        cells[key] = index
        for column, name in enumerate(key):
            if name not in faults:
                faults[name] = name_fault(name)
            if faults[name]:
                problems.add(
                    table.path,
                    line,
                    column + 1,
                    found=faults[name],
                    expected=f"the name of a {HEADER[column]}",
                    fix="correct it",
                )
    measures, topics, runs = (list(dict.fromkeys(key[axis] for key in cells)) for axis in range(3))
    by_row = np.array([key[0] for key in names])
    for measure in measures:
        _check_bounds(table, measure, scores, good & (by_row == measure), 3, problems)
    refused = {tuple(row[:3]) for row in table.refused}
    wanted = len(measures) * len(topics) * len(runs)
    if wanted > SPARSE * len(cells) + FEW:
        # As where columns are swapped: to name all that is missing would take for ever.
        problems.add(
            table.path,
            found=f"{len(cells)} scores of {counted(len(measures), 'measure')}, "
            f"{counted(len(topics), 'topic')} and {counted(len(runs), 'run')}",
            expected=f"{wanted}, one for every measure, topic and run",
            fix="add those that are missing; or correct the header, if a column holds something "
            "else",
        )
        return None
    if wanted > len(cells):
        either = [names[::way] for names in (measures, topics, runs) for way in (1, -1)]
        told = {name: said for names in either for name, said in alike(names).items()}
        for key in product(measures, topics, runs):
            if key not in cells and key not in refused:
                problems.add(
                    table.path,
                    found=f"no score for {', '.join(key)}",
                    expected="one for every measure, topic and run",
                    fix=next((f"write one of them: {told[k]}" for k in key if k in told), "add it"),
                )
    flat = np.where(good, scores[:, 0], np.nan)
    order = [cells.get(key, -1) for key in product(measures, topics, runs)]
    values = np.array([flat[index] if index >= 0 else np.nan for index in order])
    return Grid(values.reshape(len(measures), len(topics), len(runs)), measures, topics, runs)


def _wide(table: Table, measure: str, problems: Problems) -> Grid:
    scores, good = numbers(table, 1, "a score", problems)
    runs = table.head[1:]
    _check_names(table.path, runs, [1] * len(runs), "run", problems, first=2)
    topics = [row[0] for row in table.rows]
    _check_names(table.path, topics, table.lines, "topic", problems)
    _check_bounds(table, measure, scores, good, 1, problems)
    return _grid(scores, good, measure, topics, runs)


def _plain(path: Path, files: dict[str, Path], problems: Problems) -> Grid | None:
    text = read_text(path, "a text file: a line of scores per topic, a column per run", problems)
    if text is None:
        return None
    measure = stem(path)
    beside = [path.with_name(name.format(stem=measure)) for name in RUN_LISTS]
    lists = [file for file in beside if file.is_file()]
    listed = lists[0] if lists else None
    rows = [line.split() for line in _lines(text)]
    if listed is None:
        figures = set("".join(rows[0])) <= set("0123456789+-.,eE")
        problems.add(
            path,
            None if figures else 1,
            found="no list of its runs" if figures else f"{' '.join(rows[0])[:60]!r}",
            expected=f"{beside[0].name} or {beside[1].name} beside it"
            if figures
            else "a folder, a CSV, JSON or zip file, or numbers alone, a line per topic",
            fix="write the name of each run on a line of its own, in the order of the columns"
            if figures
            else "name a file with scores, or the folder of a task; CSV files end in .csv",
        )
        if not figures:
            return None
    runs: list[str] = []
    if listed and (names := _names(listed, problems)) is not None:
        runs = names
        _check_names(listed, runs, range(1, len(runs) + 1), "run", problems, same_line=False)
        files[listed.name] = listed
        for other in lists[1:]:
            _refuse_other(other, listed, runs, problems)
    head = runs or [str(i + 1) for i in range(len(rows[0]))]
    table = even(path, head, rows, problems, 1, "space")
    scores, good = numbers(table, 0, "a score", problems)
    _check_bounds(table, measure, scores, good, 0, problems)
    topics = [str(line) for line in table.lines]
    grid = _grid(scores, good, measure, topics, head)
    _refuse_margins(table, grid, {}, problems, listed)
    return grid


def _names(file: Path, problems: Problems) -> list[str] | None:
    """Read a list of runs."""
    text = read_text(file, "a run on each line", problems)
    return None if text is None else [line.strip() for line in _lines(text)]


def _refuse_other(other: Path, listed: Path, runs: Sequence[str], problems: Problems) -> None:
    """Add a problem if a second list of the runs of a file is not the first once more."""
    names = _names(other, problems)
    if names is None or names == runs:
        return
    pairs = enumerate(zip_longest(names, runs), 1)
    line, (theirs, ours) = next((line, pair) for line, pair in pairs if pair[0] != pair[1])
    said, wanted = (repr(name) if name is not None else "no run" for name in (theirs, ours))
    problems.add(
        other,
        line,
        found=said,
        expected=f"{wanted}, as on that line of {listed.name}",
        fix="remove the wrong one of the two, or give each file a list of its own name, NAME.runs",
    )


def _refuse_margins(
    table: Table,
    grid: Grid,
    columns: Mapping[str, int],
    problems: Problems,
    listed: Path | None = None,
) -> None:
    """Add a problem for each row or column of totals and the like.

    `columns` hold the names of each kind, or the file ``listed`` those of the runs.
    """
    for what, names, axis, across in (
        ("row", grid.topics, 1, grid.runs),
        ("run", grid.runs, 2, grid.topics),
    ):
        meant = "topic" if what == "row" else "run"
        for place, kind in find_margins(grid.values, names, axis, across):
            line, column = 1, table.column(place + 1)
            if what in columns:
                where = columns[what]
                line = next(
                    line
                    for row, line in zip(table.rows, table.lines, strict=True)
                    if row[where] == names[place]
                )
                column = table.column(where)
            problems.add(
                listed or table.path,
                place + 1 if listed else line,
                None if listed else column,
                found=f"the {what} {names[place]!r}, {kind}",
                expected=f"a {meant}",
                fix="leave it out"
                + (f", and its numbers in {table.path.name}" if listed else "")
                + f"; or, if it is a {meant}, give it another name",
            )


def _lines(text: str) -> list[str]:
    # Unlike splitlines, not at characters that no editor takes for the end of a line.
    return re.split("\r\n|\r|\n", text.rstrip())


def _grid(
    scores: NDArray[np.float64],
    good: NDArray[np.bool_],
    measure: str,
    topics: Sequence[str],
    runs: Sequence[str],
) -> Grid:
    return Grid(np.where(good[:, None], scores, np.nan)[None], [measure], topics, runs)


def _check_bounds(
    table: Table,
    measure: str,
    scores: NDArray[np.float64],
    rows: NDArray[np.bool_],
    column: int,
    problems: Problems,
) -> None:
    """Add a problem for each score in these rows that no distribution or label can have."""
    if measure not in KNOWN:
        return
    low, high = bounds(measure)
    outside = rows[:, None] & ((scores < low - TOLERANCE) | (scores > high + TOLERANCE))
    for row, index in np.argwhere(outside).tolist():
        end = f"{low:g} or more" if np.isinf(high) else f"from {low:g} to {high:.6g}"
        fixed = KNOWN[measure].bounds(2)[1] == KNOWN[measure].bounds(5)[1]
        problems.add(
            table.path,
            table.lines[row],
            table.column(column + index),
            found=table.rows[row][column + index],
            expected=f"a score by {measure}, {end}"
            + ("" if fixed else " whatever the number of classes"),
            fix=f"correct it, or rename the measure if it is not ordbook's {measure}",
        )


def _check_names(
    path: Path,
    names: Sequence[str],
    lines: Sequence[int],
    what: str,
    problems: Problems,
    *,
    first: int = 1,
    same_line: bool = True,
) -> None:
    """Add a problem for each name that is none, or is there already."""
    seen: set[str] = set()
    for index, (name, line) in enumerate(zip(names, lines, strict=True)):
        fault = f"{what} {name!r} a second time" if name in seen else name_fault(name)
        if fault:
            column = (first + index if first > 1 else 1) if same_line else None
            problems.add(
                path,
                line,
                column,
                found=fault,
                expected=f"the name of a {what}, each once",
                fix="correct it, or remove one",
            )
        seen.add(name)
