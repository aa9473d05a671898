"""Scores of every run on every topic by measures, each put in its place."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias, cast

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from pandas.api.types import is_integer_dtype, is_numeric_dtype

from ordbook.data.problems import Fault, Problems, Row
from ordbook.data.tables import as_pandas
from ordbook.data.text import MOST
from ordbook.measures.registry import MEASURES, measure_named, named
from ordbook.words import is_total

Better = Literal["low", "high"]
Frames: TypeAlias = "pd.DataFrame | pd.Series[Any] | Mapping[str, pd.DataFrame]"
HEADER = ["measure", "topic", "run", "score"]
AXES = tuple(HEADER[:3])
TOLERANCE = 1e-9  # beyond a bound, for rounding
MOST_CLASSES = 100
LISTED = 100  # of the scores that are missing


class Grid(NamedTuple):
    """Scores (measures, topics, runs), and the names on the axes."""

    values: NDArray[np.float64]
    measures: tuple[str, ...]
    topics: tuple[str, ...]
    runs: tuple[str, ...]


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
    limits = [known.bounds(classes) for classes in (2, MOST_CLASSES)]
    largest = max(high for _, high in limits)
    steps = largest == MOST_CLASSES - 1  # errors counted in classes have no common bound
    return min(low for low, _ in limits), np.inf if steps else largest


def directions(
    measures: Iterable[str],
    better: Better | Mapping[str, Better] | None,
    where: object,
    saved: Mapping[str, Better] | None = None,
) -> dict[str, Better]:
    """Return measure -> which end is better: known of ordbook's own, else as it is said.

    ``better`` is one end for all measures that are not known (for all, if there are no such), or
    measure -> end; ``saved`` is what a file beside the scores says.

    Examples
    --------
    >>> directions(("NMD", "mine"), {"mine": "high"}, "t")
    {'NMD': 'low', 'mine': 'high'}
    >>> directions(("NMD", "mine"), "high", "t")
    {'NMD': 'low', 'mine': 'high'}
    """
    names = list(measures)
    own = {name: measure.better for name in names if (measure := measure_named(name))}
    ends: dict[str, Any] = {**(saved or {}), **own}
    stated: Mapping[str, Any] = dict(better or {}) if not isinstance(better, str) else {}
    if isinstance(better, str):
        stated = dict.fromkeys([name for name in names if name not in ends] or names, better)
    for name, end in stated.items():
        if name not in names:
            raise ValueError(
                f"{where}: better= names the measure {name!r}; there are {', '.join(names)}"
            )
        if end not in ("low", "high"):
            raise ValueError(f"{where}: better= is {end!r} for {name}; write 'low' or 'high'")
        known = ends if isinstance(better, str) else own
        if known.get(name, end) != end:
            raise ValueError(
                f"{where}: better= is {end!r} for {name}, of which {ends[name]} scores are better; "
                "leave it out, or rename the measure if it is another"
            )
    ends |= stated
    for name in names:
        if name not in ends:
            like = {named(name, known) for known in MEASURES.values()} - {name}
            raise ValueError(
                f"{where}: the measure {name!r} is not one of ordbook's; say which scores are "
                f"better with --lower-is-better or --higher-is-better {shlex.quote(name)} "
                f"(in Python better={{{name!r}: 'low'}})"
                + (f", or name it as ordbook does: {like.pop()}" if like else "")
            )
    return {name: cast("Better", ends[name]) for name in names}


def place(
    frame: pd.DataFrame, where: object, problems: Problems, *, bounded: bool = True
) -> Grid | None:
    """Put the scores of a DataFrame with the columns of ``HEADER`` in their places.

    It may also hold the path, line and column of each score. ``problems`` gets everything that is
    wrong; the grid is then None. Where scores are ``bounded``, those that a measure cannot give are
    wrong, and so are totals; in scores that ordbook saved, a topic may be called "mean".
    """
    columns = [frame[axis].astype(str) for axis in AXES]
    codes, names = zip(*map(pd.factorize, columns), strict=True)
    shape = [len(part) for part in names]
    cell = np.ravel_multi_index(codes, shape)
    faults = Problems()
    faults.add_faults(_faults(frame, cell, names, str(where), bounded))
    problems += faults
    if faults:
        return None
    values = np.empty(shape)
    values.flat[cell] = frame["score"]
    return Grid(values, *(tuple(map(str, part)) for part in names))


def _faults(
    frame: pd.DataFrame, cell: Any, names: Sequence[Any], where: str, bounded: bool
) -> Iterator[Fault]:
    """Yield scores that are double, missing, or none that a measure gives, and totals.

    ``cell`` is the place of each score in a matrix of the ``names``.
    """

    def rows(wrong: Any) -> Iterator[Row]:
        for k in np.flatnonzero(wrong):
            key = ", ".join(str(frame[axis].iloc[k]) for axis in AXES)
            yield Row(**{"path": where, **frame.iloc[k], "key": key})

    twice, topics = pd.Index(cell).duplicated(), frame["topic"]
    yield "double", rows(twice), lambda row: f"{row.key} has two scores", "keep one"
    totals = topics.astype(str).isin(list(filter(is_total, names[1]))) & bounded
    fix = "leave it out; or, if it is a topic, give it another name"
    first = totals & ~topics.duplicated()
    yield "total", rows(first), lambda row: f"the topic {row.topic!r} is a total", fix
    size = int(np.prod([len(part) for part in names], dtype=float))
    lacking = size - len(cell) + int(twice.sum())
    fix = "add the missing scores; or correct the header, if a column holds something else"
    if lacking and not totals.any():
        missing = [f"{len(frame)} scores, and {size} for every measure, topic and run"]
        if size <= LISTED * len(frame):
            places = np.setdiff1d(np.arange(size), cell)[:LISTED]
            axes = np.unravel_index(places, [len(part) for part in names])
            cells = zip(*(part[k] for part, k in zip(names, axes, strict=True)), strict=True)
            missing = [f"no score for {', '.join(map(str, each))}" for each in cells]
        for found in missing:
            yield "lacking", [Row(path=where)], found, fix
    if bounded and not (lacking or twice.any() or totals.any()):
        measures = names[0].get_indexer(pd.Index(frame["measure"].astype(str)))
        low, high = np.array([bounds(name) for name in names[0]]).T[:, measures]
        outside = frame["score"] < np.maximum(low - TOLERANCE, -MOST)
        outside |= frame["score"] > np.minimum(high + TOLERANCE, MOST)
        yield (
            "bounds",
            rows(outside),
            lambda row: f"{row.key} is {row.score:g}, {_limits(str(row.measure))}",
            lambda row: f"correct it, or rename the measure if it is not ordbook's {row.measure}",
        )


def _limits(measure: str) -> str:
    low, high = bounds(measure)
    if measure_named(measure) is None:
        return f"and scores are from -{MOST:g} to {MOST:g}"
    end = f"{low:g} or more" if np.isinf(high) else f"from {low:g} to {high:.6g}"
    return f"and scores by {measure} are {end}"


def arrange(frame: pd.DataFrame, where: str, *, bounded: bool = False) -> Grid:
    """Raise the first fault as ValueError, with a message that begins with ``where``."""
    for axis in AXES:
        if (missing := frame[axis].isna().to_numpy()).any():
            raise ValueError(f"{where}: row {missing.argmax() + 1} names no {axis}; name it")
    frame = frame.assign(score=_numbers(frame["score"], where))

    problems = Problems()
    grid = place(frame, where, problems, bounded=bounded)
    problems.raise_first()
    assert grid is not None
    return grid


def grid_of(frame: Frames, measure: str | None, where: str) -> Grid:
    """Read DataFrames of scores: long, wide, or measure -> wide.

    ``measure`` names it where the DataFrame does not; messages begin with ``where``.

    Raises
    ------
    ValueError
        If there is not one score for each measure, topic and run, or a score cannot be one.
    """
    if isinstance(frame, Mapping):
        parts = [_long(part, str(name), f"{where}: {name}") for name, part in frame.items()]
        table = pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()
    else:
        table = _long(frame, measure, where)
    if table.empty:
        raise ValueError(f"{where}: there are no scores")
    return arrange(table, where, bounded=True)


def _long(frame: Any, measure: str | None, where: str) -> pd.DataFrame:
    """Return a DataFrame with the columns of a long one."""
    if isinstance(frame, pd.Series):
        frame = frame.to_frame("score" if frame.name is None else frame.name)
    if not isinstance(frame, pd.DataFrame):
        if not hasattr(frame, "columns"):
            raise ValueError(f"{where}: expected a DataFrame, not {type(frame).__name__}")
        frame = as_pandas(frame).infer_objects()  # of polars or another library
    if not frame.columns.is_unique:
        twice = frame.columns[frame.columns.duplicated()][0]
        raise ValueError(f"{where}: the column {twice!r} is there twice; keep one")
    if frame.columns.nlevels == 1:
        flat = frame.reset_index([name for name in frame.index.names if name in HEADER])
        heads = [name for name in HEADER if name in flat.columns]
        if len(heads) > 1:
            if measure is not None:
                flat = flat.assign(measure=measure)
            if lacking := [name for name in HEADER if name not in flat.columns]:
                raise ValueError(
                    f"{where}: the DataFrame has {', '.join(heads)} and no {', '.join(lacking)}; a "
                    f"long one has the columns {', '.join(HEADER)}, or measure= names the measure"
                )
            long: pd.DataFrame = flat[HEADER]
            return long
        frame = flat.set_index("topic") if heads == ["topic"] else frame
    return _melted(frame, measure, where)


def _melted(frame: pd.DataFrame, measure: str | None, where: str) -> pd.DataFrame:
    """Return a wide DataFrame, a row per topic and a column per run, as a long one."""
    heads: Any = frame.columns
    if "run" in frame.index.names or "topic" in heads.names:
        raise ValueError(f"{where}: the rows are to be topics and the columns runs; pass frame.T")
    if heads.nlevels == 1 and (measure is None or "measure" in heads.names):
        raise ValueError(
            f"{where}: which measure gave these scores? Give measure=, or a DataFrame with the "
            f"columns {', '.join(HEADER)}"
        )
    if heads.nlevels == 2 and (heads.names[0] == "run" or heads.names[1] == "measure"):
        heads = heads.swaplevel()
    pairs = list(heads) if heads.nlevels == 2 else [(measure, run) for run in heads]
    _refuse_numbered(frame, where)
    columns = []
    for k, (name, run) in enumerate(pairs):
        scores = _numbers(frame.iloc[:, k], f"{where}: run {run!r}")
        names = {"measure": name, "topic": frame.index, "run": run}
        columns.append(pd.DataFrame({**names, "score": scores}))
    return pd.concat(columns, ignore_index=True) if columns else pd.DataFrame(columns=HEADER)


def _refuse_numbered(frame: pd.DataFrame, where: str) -> None:
    """Refuse a first column that may name the topics while the index only numbers them."""
    if (
        len(frame) > 1
        and len(frame.columns) > 1
        and frame.index.name is None
        and frame.index.equals(pd.RangeIndex(len(frame)))
        and is_integer_dtype(frame.iloc[:, 0].dtype)
        and frame.iloc[:, 0].is_unique
        and not all(map(is_integer_dtype, frame.dtypes))
    ):
        raise ValueError(
            f"{where}: the index only numbers the rows, and the column {frame.columns[0]!r} may "
            f"name the topics: its whole numbers differ. If it does, pass "
            f"frame.set_index({frame.columns[0]!r}); if it is a run, frame.rename_axis('topic')"
        )


def _numbers(scores: pd.Series[Any], where: str) -> NDArray[np.float64]:
    kind = scores.dtype
    if not is_numeric_dtype(kind) or pd.api.types.is_complex_dtype(kind):
        raise ValueError(f"{where}: scores must be numbers, not {kind}; try .astype(float)")
    return scores.to_numpy(dtype=np.float64, na_value=np.nan)
