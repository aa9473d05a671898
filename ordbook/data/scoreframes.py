"""DataFrames of scores -> the axes and the numbers of a score matrix.

=========  ======================================================================================
long       columns ``measure``, ``topic``, ``run`` and ``score``, or some of them in the index;
           other columns are not read
wide       a row per topic, which the index or a column ``topic`` names, and a column per run:
           scores by one measure. With two levels of columns, measure and run
several    measure -> a wide DataFrame
=========  ======================================================================================

Everything goes by labels, which are read as text: rows and columns may stand in any order.

Contents
--------
Cells         names on the axes, and scores
cells         DataFrames -> Cells
unnamed       a note where the rows are numbered and the first column may name them
directions    which end of each measure is better
long_frame    a score matrix -> a long DataFrame
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any, TypeAlias, cast

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from pandas.api.types import is_integer_dtype

from ordbook.data.csvfile import MOST
from ordbook.data.margins import find_margins
from ordbook.data.names import shown
from ordbook.data.scoregrids import TOLERANCE, bounds
from ordbook.data.scores import HEADER, KNOWN, Better, ScoreMatrix, contradicts, said_of

AXES = tuple(HEADER[:3])
Frames: TypeAlias = "pd.DataFrame | pd.Series[Any] | Mapping[str, pd.DataFrame]"


@dataclass(frozen=True)
class Cells:
    """Scores (measures, topics, runs), and the names on the axes."""

    values: NDArray[np.float64]
    measures: tuple[str, ...]
    topics: tuple[str, ...]
    runs: tuple[str, ...]


def cells(frame: Frames, measure: str | None, task: str) -> Cells:
    """Read DataFrames of scores.

    Parameters
    ----------
    frame
        In one of the three forms.
    measure
        The measure, where the DataFrame does not name it.
    task
        How messages begin.

    Raises
    ------
    ValueError
        If there is not one score for each measure, topic and run, or a score cannot be one.
    """
    if isinstance(frame, Mapping):
        parts = [_long(part, str(name), f"{task}: {name}") for name, part in frame.items()]
        if not parts:
            raise ValueError(f"{task}: there are no scores")
        found = pd.concat(parts, ignore_index=True)
    else:
        found = _long(frame, measure, task)
    if found.empty:
        raise ValueError(f"{task}: there are no scores")
    return _grid(found, task)


def unnamed(frame: Frames) -> list[str]:
    """Return a note where rows are numbered, and the first column of numbers may name the topics.

    Examples
    --------
    >>> unnamed(pd.DataFrame({"dialogue": [17, 5], "A": [3, 4]}))
    ["the topics are the rows' numbers, 0, 1, ...; if the column 'dialogue' names them, make it \
the index."]
    """
    for part in frame.values() if isinstance(frame, Mapping) else [frame]:
        if not isinstance(part, pd.DataFrame) or {*HEADER} & {*part.columns}:
            continue
        if _may_name_topics(part):
            return [
                "the topics are the rows' numbers, 0, 1, ...; if the column "
                f"{shown(repr(part.columns[0]), 40)} names them, make it the index."
            ]
    return []


def directions(
    measures: tuple[str, ...], better: Better | Mapping[str, Better] | None, task: str
) -> dict[str, Better]:
    """Return measure -> which end is better: known of ordbook's own, else as it is said.

    Examples
    --------
    >>> directions(("NMD", "mine"), {"mine": "high"}, "t")
    {'NMD': 'low', 'mine': 'high'}
    >>> directions(("NMD", "mine"), "high", "t")
    {'NMD': 'low', 'mine': 'high'}
    """
    ends: dict[str, Any] = {name: KNOWN[name].better for name in measures if name in KNOWN}
    given = said_of(better, measures, ends)
    for name, end in given.items():
        if name not in measures:
            raise ValueError(
                f"{task}: better= names the measure {name!r}; there are {', '.join(measures)}"
            )
        if contradicts(name, end):
            raise ValueError(
                f"{task}: better= is {end!r} for {name}; "
                f"by ordbook's {name} {KNOWN[name].better} scores are better: leave it out, or "
                "rename the measure if it is another"
            )
    ends |= given
    for name in measures:
        if name not in ends:
            raise ValueError(
                f"{task}: the measure {name!r} is not one of ordbook's; say which scores are "
                f"better, as in better={{{name!r}: 'low'}} (or 'high')"
            )
    return {name: cast("Better", ends[name]) for name in measures}


def long_frame(scores: ScoreMatrix) -> pd.DataFrame:
    """Return scores as a DataFrame with the columns measure, topic, run and score."""
    axes = [scores.measures, scores.topics, scores.runs]
    frame = pd.MultiIndex.from_product(axes, names=AXES).to_frame(index=False)
    return frame.assign(score=scores.values.ravel())


def _long(frame: pd.DataFrame | pd.Series[Any], measure: str | None, where: str) -> pd.DataFrame:
    """Return a DataFrame with the columns of a long one."""
    if isinstance(frame, pd.Series):
        frame = frame.to_frame("score" if frame.name is None else frame.name)
    if not isinstance(frame, pd.DataFrame):
        raise ValueError(f"{where}: expected a DataFrame, not {type(frame).__name__}")
    if frame.columns.nlevels == 1:
        inside = [name for name in frame.index.names if name in HEADER]
        if twice := [name for name in inside if name in frame.columns]:
            raise ValueError(
                f"{where}: the index and a column are both called {twice[0]!r}; rename or drop one"
            )
        flat = frame.reset_index(inside) if inside else frame
        heads = [name for name in HEADER if name in flat.columns]
        if len(heads) > 1:
            return _named(flat, heads, measure, where)
        if heads == ["topic"]:
            frame = flat.set_index("topic")
    return _melted(frame, measure, where)


def _named(frame: pd.DataFrame, heads: list[str], measure: str | None, where: str) -> pd.DataFrame:
    """Return the columns of a long DataFrame."""
    if not frame.columns.is_unique:
        twice = frame.columns[frame.columns.duplicated()][0]
        raise ValueError(f"{where}: the column {twice!r} is there twice")
    if measure is not None:
        if "measure" in heads:
            raise ValueError(f"{where}: the DataFrame names measures, and measure= does too")
        frame = frame.assign(measure=measure)
    if lacking := [name for name in HEADER if name not in frame.columns]:
        raise ValueError(
            f"{where}: the DataFrame has {', '.join(heads)} and no {', '.join(lacking)}; a long "
            f"one has the columns {', '.join(HEADER)}, or is given its measure by measure="
        )
    return frame[HEADER]


def _melted(frame: pd.DataFrame, measure: str | None, where: str) -> pd.DataFrame:
    """Return a wide DataFrame as a long one."""
    heads: Any = frame.columns
    if frame.index.nlevels > 1 or heads.nlevels > 2:
        raise ValueError(f"{where}: a wide DataFrame has topics as its index and runs as columns")
    if "run" in frame.index.names or "topic" in heads.names:
        raise ValueError(f"{where}: the rows are to be topics and the columns runs; pass frame.T")
    if heads.nlevels == 2:
        if measure is not None:
            raise ValueError(f"{where}: the DataFrame names measures, and measure= does too")
        if heads.names[0] == "run" or heads.names[1] == "measure":
            heads = heads.swaplevel()
        measures, runs = heads.get_level_values(0), heads.get_level_values(1)
    elif measure is None:
        raise ValueError(
            f"{where}: which measure gave these scores? Give measure=, or a DataFrame with the "
            f"columns {', '.join(HEADER)}"
        )
    elif "measure" in heads.names:
        raise ValueError(f"{where}: the columns are measures; these are not scores of runs")
    else:
        measures, runs = pd.Index([measure] * len(heads)), heads
    if _may_name_topics(frame) and not all(map(is_integer_dtype, frame.dtypes)):
        first = frame.columns[0]
        raise ValueError(
            f"{where}: the index only numbers the rows, and the column {first!r} may name the "
            f"topics: its whole numbers differ. If it does, pass frame.set_index({first!r}); if it "
            "is a run, frame.rename_axis('topic')"
        )
    columns = []
    for k, (name, run) in enumerate(zip(measures, runs, strict=True)):
        column = _numbers(frame.iloc[:, k], f"{where}: run {run!r}")
        columns.append(
            pd.DataFrame({"measure": name, "topic": frame.index, "run": run, "score": column})
        )
    return pd.concat(columns, ignore_index=True) if columns else pd.DataFrame(columns=HEADER)


def _may_name_topics(frame: pd.DataFrame) -> bool:
    """Whether the first column is of whole numbers that differ, and the index 0, 1, ..."""
    index, (rows, columns) = frame.index, frame.shape
    if rows < 2 or columns < 2 or index.name is not None or not is_integer_dtype(index.dtype):
        return False
    first = frame.iloc[:, 0]
    return index.equals(pd.RangeIndex(rows)) and first.is_unique and is_integer_dtype(first.dtype)


def _grid(frame: pd.DataFrame, where: str) -> Cells:
    """Put each score in its place."""
    scores = _numbers(frame["score"], where)
    for axis in AXES:
        if (missing := frame[axis].isna().to_numpy()).any():
            raise ValueError(f"{where}: row {missing.argmax() + 1} names no {axis}; name it")
    keys = [frame[axis].map(str).to_numpy(dtype=object) for axis in AXES]
    places, names = zip(*map(pd.factorize, keys), strict=True)
    cells = list(zip(*keys, strict=True))
    if (again := pd.Series(cells).duplicated().to_numpy()).any():
        raise ValueError(f"{where}: {', '.join(cells[again.argmax()])} has two scores; keep one")
    if len(cells) < np.prod([float(len(each)) for each in names]):
        there = set(cells)
        key = next(key for key in product(*names) if key not in there)
        raise ValueError(f"{where}: there is no score for {', '.join(key)}; add it")
    values = np.empty(len(cells))
    values[np.ravel_multi_index(places, tuple(map(len, names)))] = scores
    measures, topics, runs = (tuple(map(str, each)) for each in names)
    found = Cells(values.reshape(len(measures), len(topics), len(runs)), measures, topics, runs)
    for what, called, across in (("row", topics, runs), ("run", runs, topics)):
        kinds: dict[str, list[str]] = {}
        for place, kind in find_margins(found.values, called, 1 if what == "row" else 2, across):
            kinds.setdefault(kind, []).append(repr(called[place]))
        if kinds:
            said = "; ".join(
                f"{what} {', '.join(names)} is {kind}"
                for kind, names in sorted(kinds.items(), reverse=True)
            )
            raise ValueError(f"{where}: {said}: leave it out")
    if (large := np.argwhere(np.abs(found.values) > MOST)).size:
        i, j, k = large[0].tolist()
        raise ValueError(
            f"{where}: {measures[i]} of run {runs[k]!r} on topic "
            f"{topics[j]!r} is {found.values[i, j, k]:g}; scores lie between -{MOST:g} and "
            f"{MOST:g}: correct it"
        )
    for measure, by_topic in zip(measures, found.values, strict=True):
        if measure in KNOWN:
            _check_bounds(measure, by_topic, found, where)
    return found


def _check_bounds(measure: str, values: NDArray[np.float64], names: Cells, where: str) -> None:
    low, high = bounds(measure)
    outside = np.argwhere((values < low - TOLERANCE) | (values > high + TOLERANCE))
    if len(outside):
        topic, run = outside[0]
        end = f"{low:g} or more" if np.isinf(high) else f"from {low:g} to {high:.6g}"
        raise ValueError(
            f"{where}: {measure} of run {names.runs[run]!r} on topic {names.topics[topic]!r} is "
            f"{values[topic, run]:g}; scores by {measure} are {end}: correct it, or rename the "
            "measure if it is another"
        )


def _numbers(scores: pd.Series[Any], where: str) -> NDArray[np.float64]:
    kind = scores.dtype
    if not pd.api.types.is_numeric_dtype(kind) or pd.api.types.is_complex_dtype(kind):
        raise ValueError(f"{where}: scores must be numbers, not {kind}; try .astype(float)")
    return scores.to_numpy(dtype=np.float64, na_value=np.nan)
