"""Scores in files and DataFrames -> one long DataFrame, checked -> an array.

The long DataFrame has the columns ``measure``, ``topic``, ``run`` and ``score``; of a file also
``path``, ``line`` and ``column``. A file has one of three forms, and may be packed:

=====  =========================================================================================
long   CSV ``measure,topic,run,score``, as :meth:`ordbook.ScoreMatrix.save` writes it
wide   CSV ``topic,<run>,<run>,...``: scores by one measure, which the name of the file says
plain  numbers separated by spaces or tabs, a topic per line and a run per column, without a
       header, as Discpower reads them. The runs stand beside it, one a line, in a file of the
       same name that ends in ``.runs``, or in ``runlist``; topics are numbered from 1
=====  =========================================================================================
"""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple, cast

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ordbook.data.labels import SIDECARS
from ordbook.data.problems import Fault, Problems, Row, Wrong
from ordbook.data.tables import as_pandas
from ordbook.data.text import (
    MOST,
    Table,
    as_numbers,
    not_a_number,
    plain,
    read_table,
    read_text,
    table_of,
    wrong_header,
)
from ordbook.measures.registry import MEASURES, measure_named, named
from ordbook.words import is_total

Better = Literal["low", "high"]
HEADER = ["measure", "topic", "run", "score"]
AXES = HEADER[:3]
RUN_LISTS = ("{stem}.runs", "runlist", "runlist.txt")
_TOLERANCE = 1e-9  # beyond a bound, for rounding
_MOST_CLASSES = 100


class Grid(NamedTuple):
    """Scores (measures, topics, runs), and the names on the axes."""

    values: NDArray[np.float64]
    measures: tuple[str, ...]
    topics: tuple[str, ...]
    runs: tuple[str, ...]


def grid_of(
    frame: pd.DataFrame, where: object, problems: Problems, *, bounded: bool = True
) -> Grid | None:
    """Put the scores of a long DataFrame in their places; None after ``problems`` got faults.

    Where scores are ``bounded``, those that a measure cannot give are wrong, and so are totals; in
    scores that ordbook saved, a topic may be called "mean".
    """
    codes, names = zip(*(pd.factorize(frame[axis].astype(str)) for axis in AXES), strict=True)
    shape = tuple(map(len, names))
    cell = np.ravel_multi_index(codes, shape)
    faults = Problems()
    faults.add_faults(_faults(frame.assign(cell=cell), names, str(where), bounded))
    problems += faults
    if faults:
        return None
    values = np.empty(shape)
    values.flat[cell] = frame["score"]
    return Grid(values, *(tuple(map(str, axis)) for axis in names))


def checked_grid(frame: pd.DataFrame, where: object, *, bounded: bool = True) -> Grid:
    """Put scores in their places as :func:`grid_of`; raise the first fault as ValueError."""
    problems = Problems()
    grid = grid_of(frame, where, problems, bounded=bounded)
    problems.raise_first()
    assert grid is not None
    return grid


def _faults(
    frame: pd.DataFrame, names: Sequence[Any], where: str, bounded: bool
) -> Iterator[Fault]:
    """Yield scores that are double, missing, or none that a measure gives, and totals."""

    def rows(wrong: Any) -> Iterator[Row]:
        for row in frame[wrong].to_dict("records"):
            yield Row(**{"path": where, **row, "key": ", ".join(str(row[axis]) for axis in AXES)})

    twice = frame["cell"].duplicated()
    yield "double", rows(twice), lambda row: f"{row.key} has two scores", "keep one"
    topics = frame["topic"].astype(str)
    totals = topics.isin(list(filter(is_total, names[1]))) & bounded
    fix = "leave it out; or, if it is a topic, give it another name"
    first = totals & ~topics.duplicated()
    yield "total", rows(first), lambda row: f"the topic {row.topic!r} is a total", fix
    if totals.any():
        return
    cells, size = np.unique(frame["cell"]), np.prod([len(axis) for axis in names], dtype=float)
    if lacking := int(size) - len(cells):
        gaps = np.append(np.flatnonzero(cells != np.arange(len(cells))), len(cells))
        place = np.unravel_index(gaps[0], [len(axis) for axis in names])
        key = ", ".join(str(axis[k]) for axis, k in zip(names, place, strict=True))
        more = f" (and {lacking - 1} more like it)" if lacking > 1 else ""
        fix = "add the missing scores; or correct the header, if a column holds something else"
        yield "lacking", [Row(path=where)], f"no score for {key}{more}", fix
    elif bounded:
        low, high = np.array([bounds(str(name)) for name in frame["measure"].unique()]).T
        measure = pd.factorize(frame["measure"])[0]
        outside = frame["score"] < np.maximum(low - _TOLERANCE, -MOST)[measure]
        outside |= frame["score"] > np.minimum(high + _TOLERANCE, MOST)[measure]
        yield (
            "bounds", rows(outside),
            lambda row: f"{row.key} is {row.score:g}, {_limits(str(row.measure))}",
            lambda row: f"correct it, or rename the measure if it is not ordbook's {row.measure}",
        )  # fmt: skip


def bounds(measure: str) -> tuple[float, float]:
    """Return the least and the largest score by a measure, whatever the number of classes.

    Examples
    --------
    >>> bounds("NMD"), bounds("MAE_M"), bounds("mine")
    ((0.0, 1.0), (0.0, inf), (-inf, inf))
    """
    known = measure_named(measure)
    if known is None:
        return -np.inf, np.inf
    limits = [known.bounds(classes) for classes in (2, _MOST_CLASSES)]
    largest = max(high for _, high in limits)
    steps = largest == _MOST_CLASSES - 1  # errors counted in classes have no common bound
    return min(low for low, _ in limits), np.inf if steps else largest


def _limits(measure: str) -> str:
    low, high = bounds(measure)
    if measure_named(measure) is None:
        return f"and scores are from -{MOST:g} to {MOST:g}"
    end = f"{low:g} or more" if np.isinf(high) else f"from {low:g} to {high:.6g}"
    return f"and scores by {measure} are {end}"


def directions(
    measures: Sequence[str],
    better: Better | Mapping[str, Better] | None,
    where: object,
    saved: Mapping[str, Better] | None = None,
) -> dict[str, Better]:
    """Return measure -> which end is better: known of ordbook's own, else as it is said.

    ``better`` is one end for all measures that are not known (for all, if there are no such), or
    measure -> end; ``saved`` is what a file beside the scores says. It is never guessed, and what
    is known of ordbook's own is never turned round.

    Examples
    --------
    >>> directions(("NMD", "mine"), {"mine": "high"}, "t")
    {'NMD': 'low', 'mine': 'high'}
    >>> directions(("NMD", "mine"), "high", "t")
    {'NMD': 'low', 'mine': 'high'}
    """
    own = {name: measure.better for name in measures if (measure := measure_named(name))}
    ends: dict[str, Any] = {**(saved or {}), **own}
    fixed: Mapping[str, Any] = own
    if isinstance(better, str):
        better, fixed = dict.fromkeys(set(measures) - set(ends) or measures, better), ends
    for name, end in (better or {}).items():
        if name not in measures:
            raise ValueError(
                f"{where}: better= names the measure {name!r}; there are {', '.join(measures)}"
            )
        if end not in ("low", "high"):
            raise ValueError(f"{where}: better= is {end!r} for {name}; write 'low' or 'high'")
        if fixed.get(name, end) != end:
            raise ValueError(
                f"{where}: better= is {end!r} for {name}, of which {ends[name]} scores are better; "
                "leave it out, or rename the measure if it is another"
            )
    ends |= better or {}
    for name in measures:
        if name not in ends:
            like = {named(name, known) for known in MEASURES.values()} - {name}
            raise ValueError(
                f"{where}: the measure {name!r} is not one of ordbook's; say which scores are "
                f"better with --lower-is-better or --higher-is-better {shlex.quote(name)} "
                f"(in Python better={{{name!r}: 'low'}})"
                + (f", or name it as ordbook does: {like.pop()}" if like else "")
            )
    return {name: cast("Better", ends[name]) for name in measures}


# -- DataFrames ---------------------------------------------------------------------------------


def long_frame(frame: Any, measure: str | None, where: str) -> pd.DataFrame:
    """Return a long DataFrame of a long or a wide one, or of measure -> a wide one."""
    if isinstance(frame, Mapping):
        parts = [long_frame(part, str(name), f"{where}: {name}") for name, part in frame.items()]
        return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=HEADER)
    if not hasattr(frame, "columns"):
        raise ValueError(f"{where}: expected a DataFrame, not {type(frame).__name__}")
    frame = as_pandas(frame)
    if not frame.columns.is_unique:
        twice = frame.columns[frame.columns.duplicated()][0]
        raise ValueError(f"{where}: the column {twice!r} is there twice; keep one")
    long = frame if measure is None else frame.assign(measure=measure)
    if not {*HEADER} <= {*long.columns}:
        if measure is None or frame.columns.nlevels > 1:
            raise ValueError(
                f"{where}: which measure gave these scores? Pass a DataFrame with the columns "
                f"{', '.join(HEADER)}; or one with a row for each topic and a column for each run, "
                "and measure=, or measure -> such a DataFrame"
            )
        long = _melted(frame, measure, where)
    for axis in AXES:
        if (missing := long[axis].isna().to_numpy()).any():
            raise ValueError(f"{where}: row {missing.argmax() + 1} names no {axis}; name it")
    try:
        scores = pd.to_numeric(long["score"]).to_numpy(dtype=np.float64, na_value=np.nan)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{where}: scores must be numbers ({error})") from None
    checked: pd.DataFrame = long[AXES].assign(score=scores)
    return checked


def _melted(frame: pd.DataFrame, measure: str, where: str) -> pd.DataFrame:
    """Return a wide DataFrame, a row per topic and a column per run, as a long one."""
    if frame.index.name == "run" or frame.columns.name == "topic":
        raise ValueError(f"{where}: the rows are to be topics and the columns runs; pass frame.T")
    wide = frame.set_index("topic") if "topic" in frame else frame
    if wide.index.name is None and wide.index.equals(pd.RangeIndex(len(wide))):
        raise ValueError(
            f"{where}: the index only numbers the rows; pass frame.set_index(...) of the column "
            "that names the topics or, if none does, frame.rename_axis('topic')"
        )
    wide = wide.rename_axis(index="topic", columns="run")
    return wide.melt(ignore_index=False, value_name="score").reset_index().assign(measure=measure)


# -- files --------------------------------------------------------------------------------------


def score_files(folder: Path) -> list[Path]:
    """Return the files of scores in a folder: CSV files, and numbers with a list of runs."""
    return [
        path
        for path in sorted(folder.iterdir())
        if path.is_file()
        and not path.name.startswith(".")
        and path.name not in ("runs.csv", *SIDECARS, *RUN_LISTS)
        and (is_csv(path) or (path.suffix == ".txt" and run_list(path)))
    ]


def run_list(path: Path) -> Path | None:
    """Return the list of runs beside a file of numbers, if there is one."""
    beside = (path.with_name(name.format(stem=plain(path).stem)) for name in RUN_LISTS)
    return next((file for file in beside if file.is_file()), None)


def is_csv(path: Path) -> bool:
    """Whether the name of a file, which may be packed, ends in ``.csv``."""
    return plain(path).suffix.lower() == ".csv"


def read_file(path: Path, problems: Problems) -> pd.DataFrame:
    """Return a file of scores as a long DataFrame; ``problems`` gets what is wrong in its cells."""
    table = read_table(path) if is_csv(path) else _plain_table(path)
    problems += table.faults
    are_ratings = is_csv(path) and {"item", "gold"} & {x.strip().lower() for x in table.head}
    if not is_csv(path):
        frame = _wide(table, 0, problems)
    elif table.head == HEADER:
        frame = pd.DataFrame(table.rows, columns=HEADER).assign(line=table.lines, column=4)
    elif table.head[0] == "topic" and len(table.head) > 1 and not are_ratings:
        frame = _wide(table, 1, problems)
    else:
        wanted = f"'{','.join(HEADER)}' or 'topic' and the runs"
        fix = "write such a header as the first line; of a task with gold data, name the folder"
        if are_ratings:
            wanted = "scores: this is a table of ratings"
            fix = f"make a task of it: ordbook convert {path.name} FOLDER (--help says how)"
        raise wrong_header(path, table.head, wanted, fix)
    scores = as_numbers(list(frame["score"]))
    for cell, line, column in frame.loc[np.isnan(scores), ["score", "line", "column"]].to_numpy():
        code, found, fix = not_a_number(cell)
        problems.add(path, line, column, found=found, fix=fix, code=code)
    return frame.assign(score=scores, path=str(path))


def _plain_table(path: Path) -> Table:
    """Read numbers alone, with a list of runs beside them."""
    rows = [line.split() for line in read_text(path).rstrip().splitlines()]
    listed = run_list(path)
    if listed is None:
        fault = f"{' '.join(rows[0])[:60]!r}, and no scores"
        fix = "name a file with scores, or the folder of a task; CSV files end in .csv"
        if set("".join(rows[0])) <= set("0123456789+-.,eE"):
            fault = "numbers without a list of their runs"
            fix = f"write the name of each run on a line of {path.stem}.runs beside it"
        raise Wrong(path, line=1, found=fault, fix=fix)
    runs = [line.strip() for line in read_text(listed).rstrip().splitlines()]
    return table_of(path, runs, rows, first=1)


def _wide(table: Table, first: int, problems: Problems) -> pd.DataFrame:
    """Return a table with a column for each run, from the ``first`` on, as a long DataFrame."""
    runs = np.array(table.head[first:], dtype=object)
    for again in np.flatnonzero(pd.Index(runs).duplicated()):
        fault, fix = f"run {runs[again]!r} a second time", "give each run once"
        problems.add(table.path, 1, int(again) + first + 1, found=fault, fix=fix)
    cells = np.array(table.rows, dtype=object).reshape(-1, len(table.head))
    lines = np.array(table.lines)
    topics = cells[:, 0] if first else lines.astype(str)
    row, column = np.indices((len(cells), len(runs))).reshape(2, -1)
    return pd.DataFrame(
        {"measure": plain(table.path).stem, "topic": topics[row], "run": runs[column],
         "score": cells[row, column + first], "line": lines[row], "column": column + first + 1}
    )  # fmt: skip
