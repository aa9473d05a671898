"""Scores of every run on every topic by measures, each put in its place."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, TypeAlias, cast

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from pandas.api.types import is_integer_dtype, is_numeric_dtype

from ordbook.data.text import MOST
from ordbook.data.totals import find_totals
from ordbook.measures import CLASSIFICATION, QUANTIFICATION, Measure

Better = Literal["low", "high"]
Frames: TypeAlias = "pd.DataFrame | pd.Series[Any] | Mapping[str, pd.DataFrame]"
HEADER = ["measure", "topic", "run", "score"]
AXES = tuple(HEADER[:3])
KNOWN: Mapping[str, Measure] = {**QUANTIFICATION, **CLASSIFICATION}
TOLERANCE = 1e-9  # beyond a bound, for rounding
MOST_CLASSES = 100


@dataclass(frozen=True)
class Grid:
    """Scores (measures, topics, runs), and the names on the axes."""

    values: NDArray[np.float64]
    measures: tuple[str, ...]
    topics: tuple[str, ...]
    runs: tuple[str, ...]

    def totals(self) -> list[tuple[str, int, str]]:
        """Find rows of topics and columns of runs that are totals: axis, place, and what it is."""
        return [
            (axis, place, what)
            for axis, names, number in (("topic", self.topics, 1), ("run", self.runs, 2))
            for place, what in find_totals(
                np.moveaxis(self.values, number, 0).reshape(len(names), -1), names
            )
        ]


@cache
def bounds(measure: str) -> tuple[float, float]:
    """Return the least and the largest score by a measure, whatever the number of classes.

    Examples
    --------
    >>> bounds("NMD"), bounds("MAE_M"), bounds("mine")
    ((0.0, 1.0), (0.0, inf), (-inf, inf))
    """
    if measure not in KNOWN:
        return -np.inf, np.inf
    limits = [KNOWN[measure].bounds(classes) for classes in (2, MOST_CLASSES)]
    largest = max(high for _, high in limits)
    steps = largest == MOST_CLASSES - 1  # errors counted in classes have no common bound
    return min(low for low, _ in limits), np.inf if steps else largest


def out_of_bounds(measure: str) -> str:
    """Say what is wrong with a score outside the bounds of a measure."""
    low, high = bounds(measure)
    end = f"{low:g} or more" if np.isinf(high) else f"from {low:g} to {high:.6g}"
    return f"and scores by {measure} are {end}"


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
    ends: dict[str, Any] = {**(saved or {}), **{m: KNOWN[m].better for m in names if m in KNOWN}}
    given: Mapping[str, Any] = dict(better or {}) if not isinstance(better, str) else {}
    if isinstance(better, str):
        given = dict.fromkeys([name for name in names if name not in ends] or names, better)
    for name, end in given.items():
        if name not in names:
            raise ValueError(
                f"{where}: better= names the measure {name!r}; there are {', '.join(names)}"
            )
        if end not in ("low", "high"):
            raise ValueError(f"{where}: better= is {end!r} for {name}; write 'low' or 'high'")
        if contradicts(name, end) or (isinstance(better, str) and ends.get(name, end) != end):
            raise ValueError(
                f"{where}: better= is {end!r} for {name}, of which {ends[name]} scores are better; "
                "leave it out, or rename the measure if it is another"
            )
    ends |= given
    for name in names:
        if name not in ends:
            own = [known for known in KNOWN if known.casefold() == name.casefold()]
            raise ValueError(
                f"{where}: the measure {name!r} is not one of ordbook's; say which scores are "
                f"better with --better={shlex.quote(name)}=low or high "
                f"(in Python better={{{name!r}: 'low'}})"
                + (f", or name it as ordbook does: {own[0]}" if own else "")
            )
    return {name: cast("Better", ends[name]) for name in names}


def contradicts(measure: str, better: object) -> bool:
    """Return whether ordbook knows that the other end of this measure is better.

    Examples
    --------
    >>> contradicts("NMD", "high"), contradicts("NMD", "low"), contradicts("mine", "high")
    (True, False, False)
    """
    return measure in KNOWN and better in ("low", "high") and better != KNOWN[measure].better


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
        found = pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()
    else:
        found = _long(frame, measure, where)
    if found.empty:
        raise ValueError(f"{where}: there are no scores")
    grid = arrange(found, where)
    for name, by_topic in zip(grid.measures, grid.values, strict=True):
        low, high = bounds(name)
        outside = (by_topic < max(low - TOLERANCE, -MOST)) | (
            by_topic > min(high + TOLERANCE, MOST)
        )
        if outside.any():
            topic, run = np.argwhere(outside)[0]
            limits = out_of_bounds(name) if name in KNOWN else f"more than {MOST:g}"
            raise ValueError(
                f"{where}: {name} of run {grid.runs[run]!r} on topic {grid.topics[topic]!r} is "
                f"{by_topic[topic, run]:g}, {limits}; correct it, or rename the measure if it is "
                "another"
            )
    return grid


def arrange(frame: pd.DataFrame, where: str) -> Grid:
    """Put the scores of a DataFrame with the columns of ``HEADER`` in their places."""
    scores = _numbers(frame["score"], where)
    for axis in AXES:
        if (missing := frame[axis].isna().to_numpy()).any():
            raise ValueError(f"{where}: row {missing.argmax() + 1} names no {axis}; name it")
    keys = frame[list(AXES)].astype(str)
    if (again := keys.duplicated().to_numpy()).any():
        key = ", ".join(keys.iloc[again.argmax()])
        raise ValueError(f"{where}: {key} has two scores; keep one")
    found_keys = [pd.factorize(keys[axis]) for axis in AXES]
    places, names = [each for each, _ in found_keys], [each for _, each in found_keys]
    shape = tuple(map(len, names))
    flat: NDArray[np.intp] = np.ravel_multi_index(tuple(places), shape)
    if len(flat) < np.prod(shape):
        first = int(np.setdiff1d(np.arange(np.prod(shape)), flat)[0])
        at = map(int, np.unravel_index(first, shape))
        key = ", ".join(str(axis[k]) for axis, k in zip(names, at, strict=True))
        raise ValueError(f"{where}: there is no score for {key}; add it")
    values = np.empty(len(flat))
    values[flat] = scores
    measures, topics, runs = (tuple(map(str, each)) for each in names)
    found = Grid(values.reshape(shape), measures, topics, runs)
    for axis, place, what in found.totals():
        name = (topics if axis == "topic" else runs)[place]
        raise ValueError(f"{where}: the {axis} {name!r} is {what}; leave it out, or rename it")
    return found


def _long(frame: pd.DataFrame | pd.Series[Any], measure: str | None, where: str) -> pd.DataFrame:
    """Return a DataFrame with the columns of a long one."""
    if isinstance(frame, pd.Series):
        frame = frame.to_frame("score" if frame.name is None else frame.name)
    if not isinstance(frame, pd.DataFrame):
        raise ValueError(f"{where}: expected a DataFrame, not {type(frame).__name__}")
    if not frame.columns.is_unique:
        twice = frame.columns[frame.columns.duplicated()][0]
        raise ValueError(f"{where}: the column {twice!r} is there twice; keep one")
    if frame.columns.nlevels == 1:
        inside = [name for name in frame.index.names if name in HEADER]
        if both := [name for name in inside if name in frame.columns]:
            raise ValueError(
                f"{where}: the index and a column are both called {both[0]!r}; rename or drop one"
            )
        flat = frame.reset_index(inside) if inside else frame
        heads = [name for name in HEADER if name in flat.columns]
        if len(heads) > 1:
            if measure is not None and "measure" in heads:
                raise ValueError(f"{where}: the DataFrame names measures, and measure= does too")
            flat = flat if measure is None else flat.assign(measure=measure)
            if lacking := [name for name in HEADER if name not in flat.columns]:
                raise ValueError(
                    f"{where}: the DataFrame has {', '.join(heads)} and no {', '.join(lacking)}; a "
                    f"long one has the columns {', '.join(HEADER)}, or measure= names the measure"
                )
            return flat[HEADER]
        frame = flat.set_index("topic") if heads == ["topic"] else frame
    return _melted(frame, measure, where)


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
        pairs = list(heads)
    elif measure is None:
        raise ValueError(
            f"{where}: which measure gave these scores? Give measure=, or a DataFrame with the "
            f"columns {', '.join(HEADER)}"
        )
    elif "measure" in heads.names:
        raise ValueError(f"{where}: the columns are measures; these are not scores of runs")
    else:
        pairs = [(measure, run) for run in heads]
    first, index = frame.iloc[:, 0] if len(pairs) > 1 else None, frame.index
    if (
        first is not None
        and len(frame) > 1
        and index.name is None
        and index.equals(pd.RangeIndex(len(frame)))
        and is_integer_dtype(first.dtype)
        and first.is_unique
        and not all(map(is_integer_dtype, frame.dtypes))
    ):
        raise ValueError(
            f"{where}: the index only numbers the rows, and the column {frame.columns[0]!r} may "
            f"name the topics: its whole numbers differ. If it does, pass "
            f"frame.set_index({frame.columns[0]!r}); if it is a run, frame.rename_axis('topic')"
        )
    columns = [
        pd.DataFrame(
            {
                "measure": name,
                "topic": index,
                "run": run,
                "score": _numbers(frame.iloc[:, k], f"{where}: run {run!r}"),
            }
        )
        for k, (name, run) in enumerate(pairs)
    ]
    return pd.concat(columns, ignore_index=True) if columns else pd.DataFrame(columns=HEADER)


def _numbers(scores: pd.Series[Any], where: str) -> NDArray[np.float64]:
    kind = scores.dtype
    if not is_numeric_dtype(kind) or pd.api.types.is_complex_dtype(kind):
        raise ValueError(f"{where}: scores must be numbers, not {kind}; try .astype(float)")
    return scores.to_numpy(dtype=np.float64, na_value=np.nan)
