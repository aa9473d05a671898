"""What a path holds, in which format: everything that :func:`ordbook.load` reads but the catalogue.

The formats, and how they are told apart, stand in the docstring of :func:`ordbook.load`.

Contents
--------
Reading      what was read: a task, or all that is wrong
read_path    a folder, a zip file or a file -> a Reading
FORMATS      their names, as people read them
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from ordbook.data.archives import checksum_of_many
from ordbook.data.catalog import sha256
from ordbook.data.dbdc import read_dbdc
from ordbook.data.filenames import gold_file, refuse_capitals
from ordbook.data.names import capitals, some
from ordbook.data.ntcirtasks import PARTS, SeveralTasks, ntcir_task, of_another_part, parts
from ordbook.data.nuggets import NuggetTask
from ordbook.data.problems import Problems
from ordbook.data.runfiles import (
    GROUPS,
    label_files,
    read_groups,
    text_files,
    unended,
    unread,
)
from ordbook.data.scorefiles import not_read, read_scores, score_files
from ordbook.data.scoregrids import stem
from ordbook.data.scores import Better
from ordbook.data.scoretask import ScoresTask
from ordbook.data.semeval import read_semeval
from ordbook.data.tableclasses import SIDECARS, listed_classes
from ordbook.data.tables import check_tables, has_tables
from ordbook.data.tasks import ClassificationTask, Provenance, QuantificationTask
from ordbook.data.unchanged import watching
from ordbook.data.zipfolder import unpacked
from ordbook.measures.components import SUPPORT_TOLERANCE, supported

__all__ = [
    "BREAKDOWN",
    "FORMATS",
    "PARTS",
    "Reading",
    "SeveralTasks",
    "Task",
    "ntcir_task",
    "read_path",
]

Task = QuantificationTask | ClassificationTask | NuggetTask | ScoresTask
FORMATS = {
    "tables": "CSV files with a header",
    "semeval": "SemEval Task 4, subtasks C and E",
    "ntcir": "NTCIR STC-3 and DialEval, JSON",
    "dbdc": "Dialogue Breakdown Detection Challenge, JSON",
    "scores": "scores",
}
BREAKDOWN = ("B", "PB", "NB")  # breakdown, possible breakdown, not a breakdown
_NTCIR = "NTCIR files, which end in .json or .json.gz"


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


@watching()
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
    if path.suffix.lower() == ".zip":
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
            reading.problems.readable = _named(reading.problems.readable, path.stem)
            return replace(reading, task=_named(reading.task, path.stem))
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
    refuse_capitals(path.parent, [GROUPS], problems, [path])
    if problems:
        return Reading(None, problems, "scores")
    return _read_scores(path.parent, stem(path), [path], [], better, problems)


def _read_folder(
    folder: Path,
    classes: Sequence[str] | None,
    part: str | None,
    better: Better | Mapping[str, Better] | None,
) -> Reading:
    problems = Problems()
    golds = sorted(path for path in folder.iterdir() if _is_gold(path))
    logs = not golds and any(folder.rglob("*.log.json"))
    scores = [] if golds or logs or (folder / "runs").exists() else score_files(folder)
    gold = None if scores or logs else gold_file(folder, golds, problems)
    if scores or logs or golds:
        # The other formats have classes of their own.
        lists = SIDECARS if golds and not _is_json(golds[0]) else ()
        refuse_capitals(folder, (GROUPS, *lists), problems)
    if problems:
        return Reading(None, problems)
    if scores:
        _refuse(folder, "part", part, _NTCIR)
        _refuse(folder, "classes", classes, "folders with gold data")
        others = not_read(folder, scores)
        return _read_scores(folder, folder.name, scores, others, better, problems)
    _refuse(folder, "better", better, "scores")
    if logs:
        _refuse(folder, "part", part, _NTCIR)
        _refuse(folder, "classes", classes, "other formats; these are B, PB and NB")
        return _with_groups(folder, _read_breakdown(folder, problems))
    assert gold is not None
    if has_tables(gold):
        _refuse(folder, "part", part, _NTCIR)
        task, problems = check_tables(folder, classes=classes)
        found = sorted(folder.glob("runs/[!.]*"))
        runs = tuple(path.stem for path in found if path.suffix.lower() == ".csv")
        return _with_groups(folder, Reading(task, problems, "tables", runs))
    notes: list[str] = []
    if _is_json(gold):
        paths = text_files(folder, problems, notes, skip=partial(of_another_part, part))
        notes += unread(folder, [gold.name])
        reading = _read_ntcir(folder.name, gold, paths, classes, part, notes, problems)
        return _with_groups(folder, reading)
    _refuse(folder, "part", part, _NTCIR)
    paths = text_files(folder, problems, notes)
    notes += unended({gold.name: gold} | {f"runs/{path.name}": path for path in paths.values()})
    notes += unread(folder, [gold.name, *SIDECARS])
    listed, sidecar = listed_classes(folder, classes, problems, notes)
    task = read_semeval(
        folder.name,
        gold,
        paths,
        classes=listed,
        provenance=_yours(folder, [gold, *sidecar, *paths.values()], notes),
        problems=problems,
    )
    return _with_groups(folder, Reading(task, problems, "semeval", tuple(paths)))


def _named(task: Task | None, name: str) -> Task | None:
    if isinstance(task, ScoresTask):
        return replace(task, scores=replace(task.scores, task=name))
    return task and replace(task, name=name)


def _is_gold(path: Path) -> bool:
    return path.name.lower().startswith("gold") and path.is_file()


def _read_scores(
    folder: Path,
    name: str,
    paths: Sequence[Path],
    notes: Sequence[str],
    better: Better | Mapping[str, Better] | None,
    problems: Problems,
) -> Reading:
    task = read_scores(name, paths, better=better, notes=notes, problems=problems)
    found = task or problems.readable
    reading = Reading(task, problems, "scores", found.runs if found else ())
    if found is None or (folder / GROUPS) in paths:
        return reading
    return _with_groups(folder, reading)


def _read_breakdown(folder: Path, problems: Problems) -> Reading:
    notes: list[str] = []
    paths = label_files(folder, problems, notes)
    logs = sorted(
        path for path in folder.rglob("*.log.json") if path.relative_to(folder).parts[0] != "runs"
    )
    places = [path.relative_to(folder) for path in logs]
    strays = (path.relative_to(folder) for path in folder.rglob("*.labels.json"))
    first = {place.parts[0] for place in places}
    within = [str(path) for path in strays if path.parts[0] in first]
    others = []
    for path in sorted(folder.rglob("[!.]*")):
        place = path.relative_to(folder)
        if not path.is_file() or place.parts[0] not in {*first, "runs"} or len(place.parts) < 2:
            continue
        ending = ".labels.json" if place.parts[0] == "runs" else ".log.json"
        if ending in path.name.lower() and not path.name.endswith(ending):
            problems.add(
                path,
                found=f"the name {path.name}",
                expected=f"one that ends in {ending}",
                fix="unpack it" if path.suffix in (".gz", ".zip") else "rename it",
            )
        elif not path.name.endswith((".log.json", ".labels.json")) and path not in paths.values():
            others.append(place.as_posix())
    notes += unread(folder, first, within, others)
    files = {"*.log.json": checksum_of_many(folder, logs)}
    for path in paths.values():
        inside = sorted(path.rglob("*.labels.json")) if path.is_dir() else [path]
        files[f"runs/{path.name}"] = (
            checksum_of_many(path, inside) if path.is_dir() else sha256(path)
        )
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
            parts(runs.values()),
        )
    provenance = _yours(gold.parent, [gold, *runs.values()], notes)
    task = ntcir_task(name, gold, runs, classes, part, provenance, problems)
    return Reading(task, problems, "ntcir", tuple(runs))


def _with_groups(folder: Path, reading: Reading) -> Reading:
    """Add what ``runs.csv`` says, if there is one."""
    known = set(reading.runs)
    if reading.format == "ntcir":
        # The list is of all runs, whichever part they are about.
        known |= set(text_files(folder, Problems(), []))
    if reading.task is not None:
        reading.problems.readable = reading.task
    groups, languages = (
        {run: group for run, group in found.items() if run in reading.runs}
        for found in read_groups(folder, known, reading.problems)
    )
    problems = reading.problems
    listed = folder / GROUPS
    files = {GROUPS: sha256(listed)} if listed.is_file() and not problems else {}
    if problems.readable is not None:
        there = set(problems.readable.runs)
        problems.readable = _told(
            replace(
                problems.readable,
                groups={run: group for run, group in groups.items() if run in there},
                languages={run: language for run, language in languages.items() if run in there},
            ),
            files,
        )
    if problems or reading.task is None:
        return replace(reading, task=None)
    return replace(reading, task=problems.readable)


def _told(task: Task, files: Mapping[str, str]) -> Task:
    """Add to the provenance further files, and notes on names and on probabilities."""
    before = task.provenance
    notes = [
        *capitals(task.classes, "classes"),
        *capitals(task.runs, "runs"),
        *capitals(task.groups.values(), "groups"),
        *capitals(task.languages.values(), "languages"),
        *_tiny(task),
    ]
    after = replace(before, files={**before.files, **files}, notes=(*before.notes, *notes))
    if isinstance(task, ScoresTask):
        return replace(task, scores=replace(task.scores, provenance=after))
    return replace(task, provenance=after)


def _tiny(task: Task) -> list[str]:
    """Return a note on probabilities that some measures take for 0, though they are not."""
    if not isinstance(task, QuantificationTask):
        return []
    tables = zip(("gold", *task.runs), (task.gold, *task.estimates), strict=True)
    counts = ((name, int(((p > 0) & ~supported(p)).sum())) for name, p in tables)
    found = [f"{count} of {name}" for name, count in counts if count]
    return [
        f"probabilities above 0 and at most {SUPPORT_TOLERANCE:g}, {some(found)}: RNOD, RNOD2, "
        "RSNOD and DNKT take them for 0 where they ask which classes have any, and which are equal."
    ] * bool(found)


def _yours(folder: Path, paths: Iterable[Path], notes: Sequence[str]) -> Provenance:
    files = {path.relative_to(folder).as_posix(): sha256(path) for path in paths if path.is_file()}
    return Provenance("yours", files, tuple(notes))


def _refuse(path: Path, option: str, value: object, what: str) -> None:
    if value is not None:
        raise ValueError(f"{path}: {option}= is for {what}")


def _is_json(path: Path) -> bool:
    return path.name.lower().endswith((".json", ".json.gz"))
