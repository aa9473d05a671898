"""Readers for scores that were computed elsewhere: one file, in one of three forms.

=====  =========================================================================================
long   CSV ``measure,topic,run,score``, as :meth:`ordbook.ScoreMatrix.save` writes it
wide   CSV ``topic,<run>,<run>,...``: scores by one measure, which the name of the file says
plain  numbers separated by spaces or tabs, a topic per line and a run per column, without a
       header, as Discpower reads them. The runs stand beside it, one a line, in a file of the
       same name that ends in ``.runs``, or in ``runlist``; topics are numbered from 1
=====  =========================================================================================

Each file may be gzipped (``.csv.gz``). Which end of a measure is better is known for the measures
of :mod:`ordbook.measures`, and for a file that ScoreMatrix.save wrote from the JSON file beside
it. Of others it must be said with ``better=``: it is never guessed.

Contents
--------
read_scores    a file -> a ScoresTask
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ordbook.data.catalog import sha256
from ordbook.data.csvfile import Table, even, name_fault, numbers, read_table, read_text
from ordbook.data.problems import Problems
from ordbook.data.scores import ENDINGS, HEADER, Better, ScoreMatrix
from ordbook.data.scoretask import ScoresTask
from ordbook.data.tasks import Provenance
from ordbook.measures import CLASSIFICATION, QUANTIFICATION

RUN_LISTS = ("{stem}.runs", "runlist", "runlist.txt")


@dataclass(frozen=True)
class _Grid:
    """Scores (measures, topics, runs), and the names on the axes."""

    values: NDArray[np.float64]
    measures: Sequence[str]
    topics: Sequence[str]
    runs: Sequence[str]


def read_scores(
    path: Path,
    *,
    better: Better | Mapping[str, Better] | None = None,
    problems: Problems,
) -> ScoresTask | None:
    """Read a file of scores.

    Parameters
    ----------
    path
        The file.
    better
        Whether ``low`` or ``high`` scores are better, for all measures, or measure -> which.
    problems
        Gets what is wrong; the task is then None.
    """
    files = {path.name: path}
    stem = _stem(path)
    if _is_csv(path):
        table = read_table(path, problems)
        if table is None:
            return None
        if table.head == HEADER:
            grid = _long(table, problems)
        elif table.head[0] == "topic" and len(table.head) > 1:
            grid = _wide(table, stem, problems)
        else:
            problems.add(
                path,
                1,
                found=f"the columns {','.join(table.head)[:200]}",
                expected=f"'{','.join(HEADER)}', or 'topic' and one column per run",
                fix="write such a header as the first line; of a task with gold data, name the "
                "folder",
            )
            return None
    else:
        grid = _plain(path, stem, files, problems)
    if grid is None:
        return None
    ends = _directions(path, stem, grid.measures, better, files, problems)
    if problems:
        return None
    checksums = {name: sha256(file) for name, file in files.items()}
    return ScoresTask(
        scores=ScoreMatrix(
            stem,
            grid.values,
            tuple(grid.measures),
            tuple(grid.topics),
            tuple(grid.runs),
            ends,
            Provenance("yours", checksums),
        )
    )


def _long(table: Table, problems: Problems) -> _Grid | None:
    """Read a full measure x topic x run grid."""
    names = [tuple(row[:3]) for row in table.rows]
    scores, _ = numbers(table, 3, "a score", problems)
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
                expected = f"the name of a {HEADER[column]}"
                problems.add(
                    table.path,
                    line,
                    column + 1,
                    found=faults[name],
                    expected=expected,
                    fix="correct it",
                )
    measures, topics, runs = (list(dict.fromkeys(key[axis] for key in cells)) for axis in range(3))
    refused = {tuple(row[:3]) for row in table.refused}
    lacking = len(measures) * len(topics) * len(runs) - len(cells)
    if lacking > 0:
        for key in product(measures, topics, runs):
            if key not in cells and key not in refused:
                problems.add(
                    table.path,
                    found=f"no score for {', '.join(key)}",
                    expected="one for every measure, topic and run",
                    fix="add it",
                )
    if problems:
        return None
    order = [cells[key] for key in product(measures, topics, runs)]
    shape = len(measures), len(topics), len(runs)
    return _Grid(scores[order, 0].reshape(shape), measures, topics, runs)


def _wide(table: Table, measure: str, problems: Problems) -> _Grid | None:
    scores, _ = numbers(table, 1, "a score", problems)
    runs = table.head[1:]
    _check_names(table.path, runs, [1] * len(runs), "run", problems, first=2)
    topics = [row[0] for row in table.rows]
    _check_names(table.path, topics, table.lines, "topic", problems)
    return None if problems else _Grid(scores[None], [measure], topics, runs)


def _plain(path: Path, measure: str, files: dict[str, Path], problems: Problems) -> _Grid | None:
    expected = "a text file: a line of scores per topic, a column per run"
    text = read_text(path, expected, problems)
    beside = [path.with_name(name.format(stem=measure)) for name in RUN_LISTS]
    listed = next((file for file in beside if file.is_file()), None)
    runs: list[str] = []
    if listed is None:
        problems.add(
            path,
            found="no list of its runs",
            expected=f"{beside[0].name} or {beside[1].name} beside it",
            fix="write the name of each run on a line of its own, in the order of the columns",
        )
    elif (names := read_text(listed, "a run on each line", problems)) is not None:
        runs = [line.strip() for line in names.rstrip().splitlines()]
        _check_names(listed, runs, range(1, len(runs) + 1), "run", problems, same_line=False)
        files[listed.name] = listed
    if text is None:
        return None
    rows = [line.split() for line in text.rstrip().splitlines()]
    head = runs or [str(i + 1) for i in range(len(rows[0]))]
    table = even(path, head, rows, problems, first=1)
    scores, _ = numbers(table, 0, "a score", problems)
    topics = [str(i + 1) for i in range(len(rows))]
    return None if problems else _Grid(scores[None], [measure], topics, runs)


def _directions(
    path: Path,
    stem: str,
    measures: Sequence[str],
    better: Better | Mapping[str, Better] | None,
    files: dict[str, Path],
    problems: Problems,
) -> dict[str, Better]:
    """Return measure -> which end is better; what is not known is a problem."""
    known: dict[str, Better] = {
        measure.name: measure.better
        for measure in [*QUANTIFICATION.values(), *CLASSIFICATION.values()]
    }
    about = path.with_name(f"{stem}.json")
    if _is_csv(path) and about.is_file():
        known |= _saved(path, about, problems)
        files[about.name] = about
    if isinstance(better, str):
        known |= dict.fromkeys(measures, better)
    elif better is not None:
        known |= better
        for measure in better.keys() - set(measures):
            problems.add(
                "better=",
                found=f"the measure {measure!r}",
                expected=f"one of {', '.join(measures)}",
                fix="correct it",
            )
    for measure in measures:
        if measure not in known:
            problems.add(
                path,
                found=f"the measure {measure!r}, which ordbook does not know",
                expected="to be told whether low or high scores are better",
                fix=f"give better={{{measure!r}: 'low'}} or 'high' (--better {measure}=low), or "
                "name the measure as ordbook does",
            )
        elif known[measure] not in ("low", "high"):
            problems.add(
                "better=",
                found=f"{known[measure]!r} for {measure!r}",
                expected="low or high",
                fix="write one of them",
            )
    return {measure: known[measure] for measure in measures if measure in known}


def _saved(path: Path, about: Path, problems: Problems) -> dict[str, Better]:
    """Return the directions that ScoreMatrix.save wrote."""
    try:
        said = json.loads(about.read_text(encoding="utf-8"))
        ends: dict[str, Better] = dict(said["better"])
        checksum = said["scores_sha256"]
    except (OSError, ValueError, KeyError, TypeError):
        problems.add(
            about,
            found="what does not describe scores",
            expected="the JSON file that ScoreMatrix.save writes beside them",
            fix="rename it, and say with better= which end is better",
        )
        return {}
    if path.suffix != ".gz" and sha256(path) != checksum:
        problems.add(
            path,
            found=f"other scores than {about.name} describes (sha256 differs)",
            expected="those that were saved",
            fix=f"restore the file, or remove {about.name}",
        )
    return ends


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


def _is_csv(path: Path) -> bool:
    return path.name.endswith(ENDINGS)


def _stem(path: Path) -> str:
    return Path(path.name.removesuffix(".gz")).stem
