"""Readers for scores that were computed elsewhere: a file in one of three forms, or several.

=====  =========================================================================================
long   CSV ``measure,topic,run,score``, as :meth:`ordbook.ScoreMatrix.save` writes it
wide   CSV ``topic,<run>,<run>,...``: scores by one measure, which the name of the file says
plain  numbers separated by spaces or tabs, a topic per line and a run per column, without a
       header, as Discpower reads them. The runs stand beside it, one a line, in a file of the
       same name that ends in ``.runs``, or in ``runlist``; topics are numbered from 1
=====  =========================================================================================

Each file may be packed (``.csv.gz``, ``.csv.xz``). A folder of such files is one task: its measures
are those of all files, which must have the same topics and runs. Which end of a measure is better
is known for the measures of :mod:`ordbook.measures`, and for a file that ScoreMatrix.save wrote
from the JSON file beside it. Of others it must be said with ``better=``: it is never guessed, and
what is known is never turned round.
"""

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ordbook.data.labels import SIDECARS
from ordbook.data.problems import Problems, Wrong, as_notes
from ordbook.data.scoreframes import AXES, HEADER, Better, directions, place
from ordbook.data.scores import ScoreMatrix, ScoresTask, about_path, read_about
from ordbook.data.tasks import Provenance
from ordbook.data.text import (
    Table,
    as_numbers,
    not_a_number,
    plain,
    read_content,
    read_table,
    read_text,
    table_of,
    wrong_header,
)
from ordbook.files import sha256

RUN_LISTS = ("{stem}.runs", "runlist", "runlist.txt")


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


def read_scores(
    name: str,
    paths: Sequence[Path],
    *,
    better: Better | Mapping[str, Better] | None = None,
    notes: Sequence[str] = (),
    problems: Problems,
) -> ScoresTask | None:
    """Read files of scores, at least one; None after faults were added to ``problems``.

    ``better`` says which end is better, ``low`` or ``high``, for all measures of which it is not
    known, or measure -> which.
    """
    files: list[Path] = []
    frames: list[pd.DataFrame] = []
    saved: dict[str, Better] = {}
    references = [pd.DataFrame()]
    for path in paths:
        files.append(path)
        frame = problems.attempt(path, _read, path, files, problems)
        if frame is not None:
            frames.append(frame.assign(path=str(path)))
        about = about_path(path) if _is_csv(path) else path
        if about != path and about.is_file():
            files.append(about)
            described = problems.attempt(about, _description, about, path) or {}
            saved |= described.get("better", {})
            references.append(pd.DataFrame(described.get("references")))
    if problems:
        return None
    whole = pd.concat(frames, ignore_index=True)
    where = paths[0] if len(paths) == 1 else paths[0].parent
    grid = place(whole, where, problems)
    if grid is None:
        return None

    def task() -> ScoresTask:
        ends = directions(grid.measures, better, paths[0], saved)
        checksums = {file.name: sha256(file) for file in files}
        provenance = Provenance("yours", checksums, as_notes(notes))
        held = pd.concat(references, axis="columns")
        return ScoresTask(scores=ScoreMatrix(name, *grid, ends, provenance, held))

    return problems.attempt(paths[0], task)


def _description(about: Path, path: Path) -> dict[str, Any]:
    """Read the description of a file of scores, which must be that of these very scores."""
    described = read_about(about)
    if hashlib.sha256(read_content(path)).hexdigest() != described["scores_sha256"]:
        fault = f"other scores than {about.name} describes (sha256 differs)"
        raise Wrong(path, found=fault, fix=f"restore the file, or remove {about.name}")
    return described


def _read(path: Path, files: list[Path], problems: Problems) -> pd.DataFrame | None:
    """Return the scores of a file with their lines and columns, or None."""
    if not _is_csv(path):
        return _plain(path, files, problems)
    table = read_table(path)
    if table.head == HEADER:
        names = {axis: table.column(axis) for axis in AXES}
        scores = _numbers(table, [3], problems)[:, 0]
        frame = pd.DataFrame({**names, "score": scores, "line": table.lines, "column": 4})
        return None if table.faults else frame
    if {"item", "gold"} & {name.strip().lower() for name in table.head}:
        fix = "name the folder of a task"
        raise wrong_header(path, table.head, "scores: this is a table of ratings", fix)
    if table.head[0] == "topic" and len(table.head) > 1:
        return _wide(table, 1, problems)
    fix = "write such a header as the first line; of a task with gold data, name the folder"
    raise wrong_header(path, table.head, f"'{','.join(HEADER)}' or 'topic' and the runs", fix)


def _plain(path: Path, files: list[Path], problems: Problems) -> pd.DataFrame | None:
    """Read numbers alone, with a list of runs beside them."""
    rows = [line.split() for line in read_text(path).rstrip().splitlines()]
    listed = _run_list(path)
    if listed is None:
        fault = f"{' '.join(rows[0])[:60]!r}, and no scores"
        fix = "name a file with scores, or the folder of a task; CSV files end in .csv"
        if set("".join(rows[0])) <= set("0123456789+-.,eE"):
            fault = "numbers without a list of their runs"
            fix = f"write the name of each run on a line of {path.stem}.runs beside it"
        raise Wrong(path, line=1, found=fault, fix=fix)
    files.append(listed)
    runs = [line.strip() for line in read_text(listed).rstrip().splitlines()]
    return _wide(table_of(path, runs, rows, first=1), 0, problems)


def _numbers(table: Table, columns: Sequence[int], problems: Problems) -> NDArray[np.float64]:
    """Return the numbers in some columns, (rows, columns); add a problem for each other cell."""
    problems += table.faults
    cells = [row[column] for row in table.rows for column in columns]
    values = as_numbers(cells)
    for number in np.flatnonzero(np.isnan(values)).tolist():
        row, column = divmod(number, len(columns))
        code, found, fix = not_a_number(cells[number])
        at = table.lines[row], columns[column] + 1
        problems.add(table.path, *at, found=found, fix=fix, code=code)
    return values.reshape(len(table.rows), len(columns))


def _wide(table: Table, first: int, problems: Problems) -> pd.DataFrame | None:
    """Return the scores of a table with a column for each run, from the first on."""
    runs = table.head[first:]
    for column, run in enumerate(runs, first + 1):
        if run in table.head[first : column - 1]:
            fault, fix = f"run {run!r} a second time", "give each run once"
            problems.add(table.path, 1, column, found=fault, fix=fix)
    scores = _numbers(table, range(first, len(table.head)), problems)
    topics = table.column("topic") if first else [str(line) for line in table.lines]
    if table.faults:
        return None
    return pd.DataFrame(
        {
            "measure": _stem(table.path),
            "topic": np.repeat(np.array(topics, dtype=object), len(runs)),
            "run": runs * len(topics),
            "score": scores.ravel(),
            "line": np.repeat(table.lines, len(runs)),
            "column": np.tile(np.arange(len(runs)) + first + 1, len(topics)),
        }
    )


def _run_list(path: Path) -> Path | None:
    """Return the list of runs beside a file of numbers, if there is one."""
    beside = (path.with_name(name.format(stem=_stem(path))) for name in RUN_LISTS)
    return next((file for file in beside if file.is_file()), None)


def _is_csv(path: Path) -> bool:
    return plain(path).suffix.lower() == ".csv"


def _stem(path: Path) -> str:
    """Return the name of a file without its ending: the measure, or the task."""
    return plain(path).stem
