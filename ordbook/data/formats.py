"""What a path holds, in which format: everything that :func:`ordbook.load` reads but the catalogue.

The formats, and how they are told apart, stand in the docstring of :func:`ordbook.load`.

Contents
--------
Reading      what was read: a task, or all that is wrong
read_path    a folder, a zip file or a file -> a Reading
FORMATS      their names, as people read them
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from ordbook.data.annotations import QUALITY
from ordbook.data.catalog import sha256
from ordbook.data.dbdc import read_dbdc
from ordbook.data.dialeval import run_file
from ordbook.data.jsonfile import read_json
from ordbook.data.ntcir import read_nuggets, read_quality
from ordbook.data.nuggets import NuggetTask
from ordbook.data.problems import Problems
from ordbook.data.runfiles import label_files, read_groups, text_files
from ordbook.data.scorefiles import read_scores
from ordbook.data.scores import Better
from ordbook.data.scoretask import ScoresTask
from ordbook.data.semeval import read_semeval
from ordbook.data.tableclasses import listed_classes
from ordbook.data.tables import check_tables, has_tables
from ordbook.data.tasks import ClassificationTask, Provenance, QuantificationTask
from ordbook.data.zipfolder import unpacked

Task = QuantificationTask | ClassificationTask | NuggetTask | ScoresTask
FORMATS = {
    "tables": "CSV files with a header",
    "semeval": "SemEval Task 4, subtasks C and E",
    "ntcir": "NTCIR STC-3 and DialEval, JSON",
    "dbdc": "Dialogue Breakdown Detection Challenge, JSON",
    "scores": "scores",
}
PARTS = (*QUALITY, "nugget")
BREAKDOWN = ("B", "PB", "NB")  # breakdown, possible breakdown, not a breakdown
_NTCIR = "NTCIR files, which end in .json or .json.gz"


class SeveralTasks(ValueError):
    """Files hold several tasks, and none was chosen; ``parts`` are those with runs, if any has."""

    def __init__(self, message: str, parts: Sequence[str] = PARTS) -> None:
        super().__init__(message)
        self.parts = tuple(parts)


@dataclass(frozen=True)
class Reading:
    """What was read.

    Attributes
    ----------
    task
        The task; None where anything is wrong.
    problems
        All that is wrong.
    format
        A key of ``FORMATS``; empty where the format could not be told.
    runs
        Names of the runs whose files were found.
    """

    task: Task | None
    problems: Problems
    format: str = ""
    runs: tuple[str, ...] = ()


def read_path(
    path: Path,
    *,
    classes: Sequence[str] | None = None,
    part: str | None = None,
    better: Better | Mapping[str, Better] | None = None,
) -> Reading:
    """Read what a path holds; parameters are those of :func:`ordbook.load`.

    Raises
    ------
    SeveralTasks
        If NTCIR files hold several tasks, and ``part`` chooses none.
    ValueError
        If an option does not go with the format.
    """
    classes = None if classes is None else [str(label) for label in classes]
    if path.is_dir():
        return _read_folder(path, classes, part, better)
    if path.suffix == ".zip":
        problems = Problems()
        with unpacked(path, problems) as folder:
            if folder is None:
                return Reading(None, problems)
            try:
                reading = _read_folder(folder, classes, part, better)
            except SeveralTasks as error:
                raise SeveralTasks(
                    str(error).replace(str(folder), str(path)), error.parts
                ) from None
            except ValueError as error:
                raise ValueError(str(error).replace(str(folder), str(path))) from None
            reading.problems.rename(str(folder), str(path))
            task = reading.task
            if isinstance(task, ScoresTask) or task is None:
                return reading
            return replace(reading, task=replace(task, name=path.stem))
    if _is_json(path):
        _refuse(path, "better", better, "scores")
        name = path.name.removesuffix(".gz").removesuffix(".json")
        return _read_ntcir(name, path, {}, classes, part, [], Problems())
    _refuse(path, "classes", classes, "folders with gold data")
    _refuse(path, "part", part, _NTCIR)
    problems = Problems()
    if path.name.startswith("gold"):
        problems.add(
            path,
            found="a gold file alone",
            expected="the folder that holds it and runs/",
            fix=f"name the folder: {path.parent}",
        )
        return Reading(None, problems)
    scores = read_scores(path, better=better, problems=problems)
    return Reading(scores, problems, "scores", scores.runs if scores else ())


def _read_folder(
    folder: Path,
    classes: Sequence[str] | None,
    part: str | None,
    better: Better | Mapping[str, Better] | None,
) -> Reading:
    _refuse(folder, "better", better, "scores, which are in one file")
    problems = Problems()
    golds = sorted(path for path in folder.glob("gold*") if path.is_file())
    if not golds and any(folder.rglob("*.log.json")):
        _refuse(folder, "part", part, _NTCIR)
        _refuse(folder, "classes", classes, "other formats; these are B, PB and NB")
        return _with_groups(folder, _read_breakdown(folder, problems))
    if len(golds) != 1:
        problems.add(
            folder,
            found=", ".join(path.name for path in golds) or "no file whose name starts with 'gold'",
            expected="one file whose name starts with 'gold', or dialogues *.log.json",
            fix="name the folder of one task" if golds else "add it, or name another folder",
        )
        return Reading(None, problems)
    if has_tables(golds[0]):
        _refuse(folder, "part", part, _NTCIR)
        task, problems = check_tables(folder, classes=classes)
        runs = tuple(path.stem for path in sorted(folder.glob("runs/[!.]*.csv")))
        return _with_groups(folder, Reading(task, problems, "tables", runs))
    notes: list[str] = []
    if _is_json(golds[0]):
        paths = text_files(folder, problems, notes, skip=partial(_of_another_part, part))
        reading = _read_ntcir(folder.name, golds[0], paths, classes, part, notes, problems)
        return _with_groups(folder, reading)
    _refuse(folder, "part", part, _NTCIR)
    paths = text_files(folder, problems, notes)
    listed, sidecar = listed_classes(folder, classes, problems)
    task = read_semeval(
        folder.name,
        golds[0],
        paths,
        classes=listed,
        provenance=_yours(folder, [golds[0], *sidecar, *paths.values()], notes),
        problems=problems,
    )
    return _with_groups(folder, Reading(task, problems, "semeval", tuple(paths)))


def _read_breakdown(folder: Path, problems: Problems) -> Reading:
    notes: list[str] = []
    paths = label_files(folder, problems, notes)
    logs = sorted(
        path for path in folder.rglob("*.log.json") if path.relative_to(folder).parts[0] != "runs"
    )
    files = {"*.log.json": _together(folder, logs)}
    for path in paths.values():
        inside = sorted(path.rglob("*.labels.json")) if path.is_dir() else [path]
        files[f"runs/{path.name}"] = _together(path, inside) if path.is_dir() else sha256(path)
    task = read_dbdc(
        folder.name,
        folder,
        BREAKDOWN,
        provenance=Provenance("yours", files, tuple(notes)),
        problems=problems,
        runs=paths,
        own=True,
    )
    return Reading(task, problems, "dbdc", tuple(paths))


def _read_ntcir(
    name: str,
    gold: Path,
    runs: dict[str, Path],
    classes: Sequence[str] | None,
    part: str | None,
    notes: list[str],
    problems: Problems,
) -> Reading:
    if part is None:
        raise SeveralTasks(
            f"{gold}: holds several tasks; choose with part='A', 'E', 'S' or 'nugget'",
            _parts(runs.values()),
        )
    provenance = _yours(gold.parent, [gold, *runs.values()], notes)
    task = ntcir_task(name, gold, runs, classes, part, provenance, problems)
    return Reading(task, problems, "ntcir", tuple(runs))


def ntcir_task(
    name: str,
    gold: Path,
    runs: Mapping[str, Path],
    classes: Sequence[str] | None,
    part: str,
    provenance: Provenance,
    problems: Problems,
) -> QuantificationTask | NuggetTask | None:
    """Read the task that ``part`` chooses."""
    _refuse(gold, "classes", classes, "other formats; NTCIR's have their own")
    if part == "nugget":
        return read_nuggets(name, gold, runs, provenance=provenance, problems=problems)
    return read_quality(name, gold, runs, part=part, provenance=provenance, problems=problems)


def _of_another_part(part: str | None, file: str) -> str:
    """Say why a run file is not read, or nothing."""
    about = run_file(file)
    if part is None or about is None or (about.kind == "nugget") == (part == "nugget"):
        return ""
    return f"its name says {about.kind}"


def _parts(runs: Iterable[Path]) -> tuple[str, ...]:
    """Return the parts that run files are about, by their names or by what they say first."""
    kinds = set()
    for path in runs:
        if about := run_file(path.name):
            kinds.add(about.kind)
            continue
        with suppress(ValueError, LookupError, TypeError):
            kinds.add("nugget" if "nugget" in read_json(path)[0] else "quality")
    if not kinds:
        return PARTS
    return tuple(part for part in PARTS if ("nugget" if part == "nugget" else "quality") in kinds)


def _with_groups(folder: Path, reading: Reading) -> Reading:
    """Add what ``runs.csv`` says, if there is one."""
    known = set(reading.runs)
    if reading.format == "ntcir":
        # The list is of all runs, whichever part they are about.
        known |= set(text_files(folder, Problems(), []))
    groups, languages = (
        {run: group for run, group in found.items() if run in reading.runs}
        for found in read_groups(folder, known, reading.problems)
    )
    if reading.problems or reading.task is None:
        return replace(reading, task=None)
    return replace(reading, task=replace(reading.task, groups=groups, languages=languages))


def _yours(folder: Path, paths: Iterable[Path], notes: Sequence[str]) -> Provenance:
    files = {path.relative_to(folder).as_posix(): sha256(path) for path in paths if path.is_file()}
    return Provenance("yours", files, tuple(notes))


def _together(folder: Path, paths: Iterable[Path]) -> str:
    """Return one checksum of many files: of their names and checksums."""
    lines = (f"{sha256(path)}  {path.relative_to(folder).as_posix()}\n" for path in paths)
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def _refuse(path: Path, option: str, value: object, what: str) -> None:
    if value is not None:
        raise ValueError(f"{path}: {option}= is for {what}")


def _is_json(path: Path) -> bool:
    return path.name.endswith((".json", ".json.gz"))
