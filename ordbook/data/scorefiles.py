"""Readers for scores that were computed elsewhere: a file in one of three forms, or several.

=====  =========================================================================================
long   CSV ``measure,topic,run,score``, as :meth:`ordbook.ScoreMatrix.save` writes it
wide   CSV ``topic,<run>,<run>,...``: scores by one measure, which the name of the file says
plain  numbers separated by spaces or tabs, a topic per line and a run per column, without a
       header, as Discpower reads them. The runs stand beside it, one a line, in a file of the
       same name that ends in ``.runs``, or in ``runlist``; topics are numbered from 1
=====  =========================================================================================

Each file may be gzipped (``.csv.gz``). A folder of such files is one task: its measures are those
of all files, which must have the same topics and runs. Which end of a measure is better is known
for the measures of :mod:`ordbook.measures`, and for a file that ScoreMatrix.save wrote from the
JSON file beside it. Of others it must be said with ``better=``: it is never guessed, and what is
known is never turned round.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ordbook.data.classes import SIDECARS, different_names
from ordbook.data.grids import HEADER, TOLERANCE, Better, Grid, bounds, directions, out_of_bounds
from ordbook.data.names import alike, name_fault
from ordbook.data.problems import Problems, Wrong
from ordbook.data.scores import ENDINGS, ScoreMatrix, ScoresTask, about_path, read_about
from ordbook.data.tasks import Provenance
from ordbook.data.text import Table, even, header_problem, numbers, read_table, read_text
from ordbook.files import sha256

RUN_LISTS = ("{stem}.runs", "runlist", "runlist.txt")
LISTED = 100  # of the scores that are missing


def score_files(folder: Path) -> list[Path]:
    """Return the files of scores in a folder: CSV files, and numbers with a list of runs."""
    return [
        path
        for path in sorted(folder.iterdir())
        if path.is_file()
        and not path.name.startswith(".")
        and path.name not in ("runs.csv", *SIDECARS, *RUN_LISTS)
        and (_is_csv(path) or (path.suffix == ".txt" and _run_list(path)))
    ]


def not_read(folder: Path, scores: Sequence[Path]) -> list[str]:
    """Say which files beside those of scores were not read."""
    lists = (".runs", ".json", ".json.gz")
    return [
        f"{path.name} was not read: it is no file of scores."
        for path in sorted(folder.iterdir())
        if path not in scores
        and path.name not in ("runs.csv", "runlist", "runlist.txt")
        and not path.name.endswith(lists)
    ]


def read_scores(
    name: str,
    paths: Sequence[Path],
    *,
    better: Better | Mapping[str, Better] | None = None,
    notes: Sequence[str] = (),
    problems: Problems,
) -> ScoresTask | None:
    """Read files of scores.

    Parameters
    ----------
    name
        Name of the task.
    paths
        The files: at least one.
    better
        Whether ``low`` or ``high`` scores are better, for all measures of which it is not known,
        or measure -> which.
    notes
        What the provenance says.
    problems
        Gets what is wrong; the task is then None.
    """
    files: dict[str, Path] = {}
    grids: dict[Path, Grid] = {}
    saved: dict[str, Better] = {}
    for path in paths:
        files[path.name] = path
        before = len(problems)
        cells = _read_cells(path, files, problems)
        grid = None if cells is None else _grid(cells, problems)
        if grid is not None and len(problems) == before:
            grids[path] = grid
        about = about_path(path) if _is_csv(path) else path
        if about != path and about.is_file():
            files[about.name] = about
            with problems.collect(about):
                saved |= read_about(about)["better"]
                if path.suffix != ".gz" and sha256(path) != read_about(about)["scores_sha256"]:
                    found = f"other scores than {about.name} describes (sha256 differs)"
                    raise Wrong(path, found=found, fix=f"restore the file, or remove {about.name}")
    if problems:
        return None
    said = list(notes)
    whole = _together(grids, said, problems)
    with problems.collect(paths[0]):
        ends = directions(whole.measures, better, paths[0], saved)
        checksums = {each: sha256(file) for each, file in files.items()}
        matrix = ScoreMatrix(
            name,
            whole.values,
            whole.measures,
            whole.topics,
            whole.runs,
            ends,
            Provenance("yours", checksums, tuple(said)),
        )
    return None if problems else ScoresTask(scores=matrix)


@dataclass(frozen=True)
class _Cells:
    """The scores of a file: names on the three axes, and of each score where it stands.

    ``places`` (3, scores) are positions among the names; ``lines`` and ``columns`` those in the
    file.
    """

    table: Table
    names: tuple[list[str], list[str], list[str]]
    places: NDArray[np.intp]
    scores: NDArray[np.float64]
    lines: NDArray[np.intp]
    columns: NDArray[np.intp]


def _read_cells(path: Path, files: dict[str, Path], problems: Problems) -> _Cells | None:
    """Read a file in one of the three forms; None after ``problems`` got what is wrong."""
    before = len(problems)
    if not _is_csv(path):
        return _plain(path, files, problems)
    table = read_table(path, problems)
    if table is None:
        return None
    if table.head == HEADER:
        scores, _ = numbers(table, [3], problems)
        found = [pd.factorize(np.array(table.column(axis), dtype=object)) for axis in HEADER[:3]]
        lines = np.array(table.lines)
        names = tuple(list(map(str, each)) for _, each in found)
        for axis, each in enumerate(names):
            for place, name in enumerate(each):
                if fault := name_fault(name):
                    row = int((found[axis][0] == place).argmax())
                    fix = f"correct the name of the {HEADER[axis]}"
                    problems.add(path, int(lines[row]), axis + 1, found=fault, fix=fix)
        if len(problems) > before or not table.whole:
            return None
        places = np.array([codes for codes, _ in found], dtype=np.intp)
        columns = np.full(len(lines), 4)
        return _Cells(table, names, places, scores[:, 0], lines, columns)  # type: ignore[arg-type]
    if table.head[0] == "topic" and len(table.head) > 1:
        return _wide(table, _stem(path), table.column("topic"), 1, problems)
    fix = "write such a header as the first line; of a task with gold data, name the folder"
    header_problem(table, f"'{','.join(HEADER)}' or 'topic' and the runs", fix, problems)
    return None


def _wide(
    table: Table, measure: str, topics: list[str], first: int, problems: Problems
) -> _Cells | None:
    """Return the scores of a table with a column for each run, from the first on."""
    before = len(problems)
    runs = table.head[first:]
    for what, names in (("run", runs), ("topic", topics)):
        seen: set[str] = set()
        for place, name in enumerate(names):
            if fault := f"{what} {name!r} a second time" if name in seen else name_fault(name):
                line = 1 if what == "run" else table.lines[place]
                column = place + first + 1 if what == "run" else 1
                fix = f"correct the name of the {what}, and give each once"
                problems.add(table.path, line, column, found=fault, fix=fix)
            seen.add(name)
    scores, _ = numbers(table, range(first, len(table.head)), problems)
    if len(problems) > before or not table.whole:
        return None
    rows, columns = (each.ravel() for each in np.indices(scores.shape))
    places = np.array([np.zeros_like(rows), rows, columns])
    lines = np.array(table.lines)[rows]
    axes = ([measure], topics, runs)
    return _Cells(table, axes, places, scores.ravel(), lines, columns + first + 1)


def _plain(path: Path, files: dict[str, Path], problems: Problems) -> _Cells | None:
    """Read numbers alone, with a list of runs beside them."""
    with problems.collect():
        rows = [line.split() for line in read_text(path).rstrip().splitlines()]
        listed = _run_list(path)
        if listed is None:
            if set("".join(rows[0])) <= set("0123456789+-.,eE"):
                fix = (
                    f"write the name of each run on a line of {path.stem}.runs or runlist beside it"
                )
                raise Wrong(path, found="numbers without a list of their runs", fix=fix)
            found = f"{' '.join(rows[0])[:60]!r}, and no scores"
            fix = "name a file with scores, or the folder of a task; CSV files end in .csv"
            raise Wrong(path, line=1, found=found, fix=fix)
        files[listed.name] = listed
        runs = [line.strip() for line in read_text(listed).rstrip().splitlines()]
        table = even(path, runs, rows, problems, first=1)
        return _wide(table, _stem(path), [str(line) for line in table.lines], 0, problems)
    return None


def _grid(cells: _Cells, problems: Problems) -> Grid | None:
    """Put the scores of a file in their places; what is not one grid of them is a problem."""
    path = cells.table.path
    shape = tuple(map(len, cells.names))
    flat = np.ravel_multi_index(tuple(cells.places), shape)

    def key(place: int) -> str:
        at = np.unravel_index(place, shape)
        return ", ".join(axis[k] for axis, k in zip(cells.names, at, strict=True))

    for row in np.flatnonzero(pd.Series(flat).duplicated()).tolist():
        found, fix = f"{key(int(flat[row]))} a second time", "keep one score for each"
        problems.add(path, int(cells.lines[row]), found=found, fix=fix)
    there = len(np.unique(flat))
    total = int(np.prod([float(each) for each in shape]))
    if there < total:
        found = f"{there} scores, and {total} for every measure, topic and run"
        fix = "add the missing scores; or correct the header, if a column holds something else"
        if total < 100 * there:
            first = np.setdiff1d(np.arange(total), flat)[:LISTED].tolist()
            for place in first:
                problems.add(path, found=f"no score for {key(place)}", fix=fix)
            for later, name in {
                k: v for axis in cells.names for k, v in alike(axis).items()
            }.items():
                told = f"{later!a} and {name!a}, the same letters"
                problems.add(path, found=told, fix="write both alike")
        else:
            problems.add(path, found=found, fix=fix)
        return None
    measures = np.array(cells.names[0], dtype=object)
    low, high = np.array([bounds(measure) for measure in measures.tolist()]).T
    mine = cells.places[0]
    outside = (cells.scores < low[mine] - TOLERANCE) | (cells.scores > high[mine] + TOLERANCE)
    for row in np.flatnonzero(outside).tolist():
        measure = str(measures[mine[row]])
        fix = f"correct it, or rename the measure if it is not ordbook's {measure}"
        found = f"{cells.scores[row]:g}, {out_of_bounds(measure)}"
        at = int(cells.lines[row]), int(cells.columns[row])
        problems.add(path, *at, found=found, fix=fix)
    values = np.empty(total)
    values[flat] = cells.scores
    grid = Grid(values.reshape(shape), *map(tuple, cells.names))
    for axis, place, what in grid.totals():
        number = HEADER.index(axis)
        row = int((cells.places[number] == place).argmax())
        found = f"the {axis} {cells.names[number][place]!r}, {what}"
        fix = f"leave it out; or, if it is a {axis}, give it another name"
        wide = cells.table.head != HEADER
        line = 1 if wide and axis == "run" else int(cells.lines[row])
        problems.add(path, line, int(cells.columns[row]) if wide else None, found=found, fix=fix)
    return grid


def _together(grids: Mapping[Path, Grid], notes: list[str], problems: Problems) -> Grid:
    """Return one grid with the measures of all, and topics and runs in the order of the first."""
    (path, first), *others = grids.items()
    values = [first.values]
    of = dict.fromkeys(first.measures, path)
    for other, grid in others:
        for measure in grid.measures:
            if measure in of:
                found = f"scores by {measure}, which {of[measure].name} has too"
                problems.add(other, found=found, fix="keep one of the two")
            of[measure] = other
        for what, ours, theirs in (
            ("topics", first.topics, grid.topics),
            ("runs", first.runs, grid.runs),
        ):
            if set(ours) != set(theirs):
                found = f"other {what} than in {path.name}: {different_names(theirs, ours)}"
                problems.add(other, found=found, fix=f"give all files the same {what}")
        if problems:
            continue
        if (grid.topics, grid.runs) != (first.topics, first.runs):
            notes.append(f"{other.name} lists topics or runs in another order than {path.name}.")
        rows = pd.Index(grid.topics).get_indexer(pd.Index(first.topics))
        columns = pd.Index(grid.runs).get_indexer(pd.Index(first.runs))
        values.append(grid.values[:, rows][:, :, columns])
    return (
        replace(first, values=np.concatenate(values), measures=tuple(of)) if not problems else first
    )


def _run_list(path: Path) -> Path | None:
    """Return the list of runs beside a file of numbers, if there is one."""
    beside = (path.with_name(name.format(stem=_stem(path))) for name in RUN_LISTS)
    return next((file for file in beside if file.is_file()), None)


def _is_csv(path: Path) -> bool:
    return path.name.lower().endswith(ENDINGS)


def _stem(path: Path) -> str:
    """Return the name of a file without its ending: the measure, or the task."""
    return Path(path.name.removesuffix(".gz")).stem
