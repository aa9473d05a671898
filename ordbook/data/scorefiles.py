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

Contents
--------
score_files    a folder -> the files of scores in it
not_read       the other files in it, as notes
read_scores    files -> a ScoresTask
"""

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from ordbook.data.catalog import sha256
from ordbook.data.jsonfile import as_object, read_json
from ordbook.data.margins import doubtful
from ordbook.data.names import other_forms
from ordbook.data.problems import Place, Problems
from ordbook.data.runfiles import GROUPS
from ordbook.data.scoregrids import RUN_LISTS, Grid, is_csv, read_grid, stem
from ordbook.data.scores import (
    KNOWN,
    LEAST,
    Better,
    ScoreMatrix,
    contradicts,
    said_of,
    sizes,
)
from ordbook.data.scoretask import ScoresTask
from ordbook.data.tableclasses import SIDECARS
from ordbook.data.tasks import Provenance


def score_files(folder: Path) -> list[Path]:
    """Return the files of scores in a folder: CSV files, and numbers with a list of runs."""
    found = []
    for path in sorted(folder.iterdir()):
        other = path.name.startswith(".") or path.name in (GROUPS, *SIDECARS, *RUN_LISTS)
        if other or not path.is_file():
            continue
        lists = [path.with_name(name.format(stem=stem(path))) for name in RUN_LISTS]
        plain = path.suffix == ".txt" and any(file.is_file() for file in lists)
        if is_csv(path) or plain:
            found.append(path)
    return found


def not_read(folder: Path, scores: Sequence[Path]) -> list[str]:
    """Say which files beside those of scores were not read."""
    lists = (".runs", ".json", ".json.gz")
    return [
        f"{path.name} was not read: it is no file of scores."
        for path in sorted(folder.iterdir())
        if path not in scores
        and path.name not in (GROUPS, "runlist", "runlist.txt")
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
        Gets what is wrong, and what can be read nevertheless; the task is then None.
    """
    files: dict[str, Path] = {}
    grids: dict[Path, Grid] = {}
    for path in paths:
        files[path.name] = path
        grid = read_grid(path, files, problems)
        if grid is not None:
            grids[path] = grid
            _refuse_tiny(path, grid, problems)
    said = list(notes)
    whole = _together(grids, said, problems)
    ends = _directions(grids, better, files, problems)
    if whole is None:
        return None
    said += doubtful(whole.values, whole.topics, 1, whole.runs)
    said += doubtful(whole.values, whole.runs, 2, whole.topics)
    readable = np.flatnonzero(~np.isnan(whole.values).any(axis=(0, 2)))
    if not readable.size:
        return None
    return problems.keep(
        lambda: ScoresTask(
            scores=ScoreMatrix(
                name,
                whole.values[:, readable],
                tuple(whole.measures),
                tuple(whole.topics[topic] for topic in readable.tolist()),
                tuple(whole.runs),
                {measure: ends.get(measure, "low") for measure in whole.measures},
                Provenance(
                    "yours", {each: sha256(file) for each, file in files.items()}, tuple(said)
                ),
            )
        )
    )


def _refuse_tiny(path: Path, grid: Grid, problems: Problems) -> None:
    """Add a problem for each measure whose scores are too small to be squared."""
    for measure, size in zip(grid.measures, sizes(np.nan_to_num(grid.values)), strict=True):
        if 0 < size < LEAST:
            problems.add(
                path,
                found=f"scores by {measure} of which the largest is {size:g}",
                expected=f"one that reaches {LEAST:g}, signs left aside, or zeros alone",
                fix="multiply all of them by a power of ten",
            )


def _named_once(grid: Grid) -> bool:
    axes = (grid.measures, grid.topics, grid.runs)
    return all(axis and len(set(axis)) == len(axis) and all(map(str.strip, axis)) for axis in axes)


def _together(grids: Mapping[Path, Grid], notes: list[str], problems: Problems) -> Grid | None:
    """Return one grid with the measures of all, and topics and runs in the order of the first."""
    if not grids:
        return None
    (path, first), *others = grids.items()
    if not others:
        return first
    before = len(problems)
    of: dict[str, Path] = dict.fromkeys(first.measures, path)
    values = [first.values]
    for other, grid in others:
        here = len(problems)
        for measure in grid.measures:
            if measure in of:
                problems.add(
                    other,
                    found=f"scores by {measure}, which {of[measure].name} has too",
                    expected="every measure once",
                    fix="remove one of the two, or name a file in place of the folder",
                )
            of[measure] = other
        for what, names, mine in (
            ("topic", first.topics, grid.topics),
            ("run", first.runs, grid.runs),
        ):
            ours, theirs = dict.fromkeys(names), dict.fromkeys(mine)
            forms = other_forms(names, mine)
            for each in (each for each in ours if each not in theirs):
                problems.add(
                    other,
                    found=f"no {what} {each!r}" + (f": {forms[each]}" if each in forms else ""),
                    expected=f"the {what}s of {path.name}",
                    fix="add its scores",
                )
            for each in (each for each in theirs if each not in ours):
                problems.add(
                    other,
                    found=f"{what} {each!r}",
                    expected=f"the {what}s of {path.name}",
                    fix="correct its name, or remove it there, or add it to the other files",
                )
        if len(problems) == here and _named_once(grid) and _named_once(first):
            if (list(grid.topics), list(grid.runs)) != (list(first.topics), list(first.runs)):
                notes.append(
                    f"{other.name} lists topics or runs in another order than {path.name}."
                )
            row, column = (
                {name: index for index, name in enumerate(axis)}
                for axis in (grid.topics, grid.runs)
            )
            rows, columns = (
                [row[each] for each in first.topics],
                [column[each] for each in first.runs],
            )
            values.append(grid.values[:, rows][:, :, columns])
    if len(problems) > before or len(values) <= len(others):
        return first if problems else None
    return Grid(np.concatenate(values), list(of), first.topics, first.runs)


def _directions(
    grids: Mapping[Path, Grid],
    better: Better | Mapping[str, Better] | None,
    files: dict[str, Path],
    problems: Problems,
) -> dict[str, Better]:
    """Return measure -> which end is better; what is not known is a problem."""
    known: dict[str, Better] = {name: measure.better for name, measure in KNOWN.items()}
    of = {measure: path for path, grid in grids.items() for measure in grid.measures}
    for path in grids:
        about = path.with_name(f"{stem(path)}.json")
        if is_csv(path) and about.is_file():
            known |= _saved(path, about, problems)
            files[about.name] = about
    said = said_of(better, of, known)
    for measure, end in said.items():
        if of and measure not in of:
            problems.add(
                "better=",
                found=f"the measure {measure!r}",
                expected=f"one of {', '.join(of)}",
                fix="correct it",
            )
        elif contradicts(measure, end):
            problems.add(
                "better=",
                found=f"{end!r} for {measure!r}",
                expected=f"{KNOWN[measure].better}, as ordbook knows {measure}",
                fix="leave it out, or rename the measure if it is another",
            )
        elif isinstance(better, str) and end in ("low", "high") and known.get(measure, end) != end:
            problems.add(
                "better=",
                found=f"{end!r} for {measure!r}",
                expected=f"{known[measure]}, as the JSON file beside the scores says",
                fix="leave it out, or name the measure if that file is wrong",
            )
    known |= said
    for measure, path in of.items():
        if measure not in known:
            meant = [name for name in KNOWN if name.casefold() == measure.casefold()]
            problems.add(
                path,
                found=f"the measure {measure!r}, which ordbook does not know",
                expected="to be told whether low or high scores are better",
                fix=f"give --better={shlex.quote(measure)}=low or high (in Python "
                f"better={{{measure!r}: 'low'}}), or name the measure as ordbook does"
                + (": " if meant else "")
                + ", ".join(meant),
            )
        elif known[measure] not in ("low", "high"):
            problems.add(
                "better=",
                found=f"{known[measure]!r} for {measure!r}",
                expected="low or high",
                fix="write one of them",
            )
    return {measure: known[measure] for measure in of if known.get(measure) in ("low", "high")}


def _saved(path: Path, about: Path, problems: Problems) -> dict[str, Better]:
    """Return the directions that ScoreMatrix.save wrote."""
    where = Place(str(about))
    try:
        said = as_object(read_json(about), where)
        ends: dict[str, Better] = dict(as_object(said["better"], where))
        checksum = said["scores_sha256"]
    except (ValueError, KeyError):
        problems.add(
            about,
            found="what does not describe scores",
            expected="the JSON file that ScoreMatrix.save writes beside them",
            fix="rename it, and say with better= which end is better",
        )
        return {}
    for measure in [each for each in ends if contradicts(each, ends[each])]:
        problems.add(
            about,
            found=f"{ends.pop(measure)!r} for {measure!r}",
            expected=f"{KNOWN[measure].better}, as ordbook knows {measure}",
            fix="restore the file, or rename the measure in both files if it is another",
        )
    if path.suffix != ".gz" and sha256(path) != checksum:
        problems.add(
            path,
            found=f"other scores than {about.name} describes (sha256 differs)",
            expected="those that were saved",
            fix=f"restore the file, or remove {about.name}",
        )
    return ends
