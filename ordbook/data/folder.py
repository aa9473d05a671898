"""What a path holds: which of its files plays which role, and the task that they make.

The formats, and how they are told apart, stand in the docstring of :func:`ordbook.load`.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ordbook.data.archives import checksum_of_many, unpacked
from ordbook.data.classes import SIDECARS, listed_classes
from ordbook.data.dbdc import read_dbdc
from ordbook.data.gaps import Gaps, Missing
from ordbook.data.names import alike, meant, name_fault, some, told_apart
from ordbook.data.ntcir import NTCIR_PARTS, NtcirTask, about, ntcir_task, parts
from ordbook.data.problems import Problems
from ordbook.data.scorefiles import not_read, read_scores, score_files
from ordbook.data.scores import Better, ScoreMatrix, ScoresTask
from ordbook.data.tables import is_semeval, read_tables
from ordbook.data.tasks import ClassificationTask, Provenance, QuantificationTask
from ordbook.data.text import CONVERT, header_problem, read_table, read_text
from ordbook.files import sha256
from ordbook.measures.components import SUPPORT_TOLERANCE, supported

Task = QuantificationTask | ClassificationTask | NtcirTask | ScoresTask
FORMATS = {
    "tables": "CSV files with a header",
    "semeval": "SemEval Task 4, subtasks C and E",
    "ntcir": "NTCIR STC-3 and DialEval, JSON",
    "dbdc": "Dialogue Breakdown Detection Challenge, JSON",
    "scores": "scores",
}
GROUPS = "runs.csv"
BREAKDOWN = ("B", "PB", "NB")  # breakdown, possible breakdown, not a breakdown
LISTED = 5  # names in a note
BELONG = "run files belong into runs/"
_COMPANION = re.compile(r"(readme|licen[cs]e|copying).*", re.IGNORECASE)


class SeveralTasks(ValueError):
    """Files hold several tasks, and none was chosen; ``parts`` are those with runs, if any has."""

    def __init__(self, message: str, parts: Sequence[str] = NTCIR_PARTS) -> None:
        super().__init__(message)
        self.parts = tuple(parts)


@dataclass(frozen=True)
class Reading:
    """What was read.

    Attributes
    ----------
    task
        The task of the runs in which nothing is wrong; None where something is with the gold data.
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


@dataclass(frozen=True)
class _Options:
    """What the caller says of the files."""

    classes: Sequence[str] | None
    part: str | None
    better: Better | Mapping[str, Better] | None
    exclude: Collection[str]
    gaps: Gaps

    def refuse(self, path: Path, format: str) -> None:
        """Refuse an option that is for another format."""
        for option, formats, files in (
            ("classes", ("tables", "semeval"), "CSV and SemEval files"),
            ("part", ("ntcir",), "NTCIR files"),
            ("better", ("scores",), "scores"),
        ):
            if getattr(self, option) is not None and format not in formats:
                raise ValueError(f"{path}: {option}= is for {files}; leave it out")
        if self.gaps and format == "scores":
            raise ValueError(f"{path}: missing= is for files of runs, not of scores; leave it out")

    def leave_out(self, runs: Collection[str], notes: list[str]) -> None:
        """Note the runs that are excluded, and refuse names of none."""
        for run in self.exclude:
            if run not in runs:
                raise ValueError(f"exclude= names the run {run!r}; there are {some(sorted(runs))}")
            notes.append(f"run {run} left out, as asked.")


def read_path(
    path: Path,
    *,
    classes: Sequence[str] | None = None,
    part: str | None = None,
    better: Better | Mapping[str, Better] | None = None,
    exclude: Collection[str] = (),
    missing: Missing = "refuse",
) -> Reading:
    """Read what a path holds; parameters are those of :func:`ordbook.load`.

    Raises
    ------
    SeveralTasks
        If NTCIR files hold several tasks, and ``part`` chooses none.
    ValueError
        If an option does not go with the format.
    """
    listed = None if classes is None else [str(label) for label in classes]
    options = _Options(listed, part, better, tuple(dict.fromkeys(exclude)), Gaps(missing))
    problems = Problems()
    if path.is_dir():
        return _read_folder(path, options, problems)
    if path.suffix.lower() == ".zip":
        with unpacked(path, problems) as folder:
            if folder is None:
                return Reading(None, problems)
            try:
                reading = _read_folder(folder, options, problems)
            except SeveralTasks as error:
                said = str(error).replace(str(folder), str(path))
                raise SeveralTasks(said, error.parts) from None
            except ValueError as error:
                raise ValueError(str(error).replace(str(folder), str(path))) from None
        problems.rename(str(folder), str(path))
        return replace(reading, task=reading.task and _named(reading.task, path.stem))
    if _is_json(path):
        name = path.name.removesuffix(".gz").removesuffix(".json")
        return _read_ntcir(name, path, {}, options, [], problems)
    options.refuse(path, "scores")
    if path.name.startswith("gold"):
        fix = f"name the folder with the gold file and runs/: {path.parent}"
        problems.add(path, found="a gold file alone", fix=fix)
        return Reading(None, problems)
    _refuse_capitals(path.parent, (GROUPS,), problems)
    return _read_scores(path.parent, path.stem.removesuffix(".csv"), [path], [], options, problems)


def _read_folder(folder: Path, options: _Options, problems: Problems) -> Reading:
    golds = sorted(
        each for each in folder.iterdir() if each.name.lower().startswith("gold") and each.is_file()
    )
    logs = [] if golds else sorted(folder.rglob("*.log.json"))
    scores = [] if golds or logs or (folder / "runs").exists() else score_files(folder)
    if golds or logs or scores:
        json = bool(logs) or any(map(_is_json, golds))
        known = ("gold.csv", "gold.json", "runs", GROUPS, *(() if json else SIDECARS))
        _refuse_capitals(folder, known, problems)
    if scores:
        options.refuse(folder, "scores")
        others = not_read(folder, scores)
        return _read_scores(folder, folder.name, scores, others, options, problems)
    if logs:
        options.refuse(folder, "dbdc")
        return _read_breakdown(folder, logs, options, problems)
    if len(golds) != 1:
        _refuse_golds(folder, golds, problems)
    if problems:
        return Reading(None, problems)
    notes: list[str] = []
    gold = golds[0]
    if _is_json(gold):
        paths = _run_files(folder, problems, notes, options, part=options.part)
        notes += _unread(folder, [gold.name])
        return _read_ntcir(folder.name, gold, paths, options, notes, problems)
    format = "tables"
    with problems.collect():
        format = "semeval" if is_semeval(read_text(gold)) else "tables"
    if problems:
        return Reading(None, problems)
    options.refuse(folder, format)
    paths = _run_files(folder, problems, notes, options)
    listed, sidecar = listed_classes(folder, options.classes, problems, notes)
    task = read_tables(
        folder.name,
        gold,
        paths,
        classes=listed,
        provenance=_yours(folder, [gold, *sidecar, *paths.values()], notes),
        problems=problems,
        gaps=options.gaps,
    )
    notes = _unended({gold.name: gold} | {f"runs/{path.name}": path for path in paths.values()})
    notes += _unread(folder, [gold.name, *SIDECARS])
    return _told(folder, _filled(task, options, problems, format, paths), notes)


def _filled(
    task: Task | None, options: _Options, problems: Problems, format: str, runs: Collection[str]
) -> Reading:
    """Return what was read; a task knows which answers its runs lack."""
    if isinstance(task, QuantificationTask | ClassificationTask):
        task = options.gaps.told(task)
    return Reading(task, problems, format, tuple(runs))


def _read_scores(
    folder: Path,
    name: str,
    paths: Sequence[Path],
    notes: Sequence[str],
    options: _Options,
    problems: Problems,
) -> Reading:
    task: Task | None
    task = read_scores(name, paths, better=options.better, notes=notes, problems=problems)
    if task and options.exclude:
        said: list[str] = []
        options.leave_out(task.runs, said)
        task = replace(task, scores=_without(task.scores, options.exclude))
        task = with_notes(task, said)
    reading = Reading(task, problems, "scores", task.runs if task else ())
    return _told(folder, reading) if task and folder / GROUPS not in paths else reading


def _without(scores: ScoreMatrix, runs: Collection[str]) -> ScoreMatrix:
    """Return the scores of the other runs."""
    kept = [place for place, run in enumerate(scores.runs) if run not in runs]
    names = tuple(scores.runs[place] for place in kept)
    return replace(scores, values=scores.values[:, :, kept], runs=names)


def _read_breakdown(
    folder: Path, logs: Sequence[Path], options: _Options, problems: Problems
) -> Reading:
    notes: list[str] = []
    places = [path.relative_to(folder) for path in logs]
    sets = {
        Path(*place.parts[: place.parts.index(part) + 1]).as_posix()
        for place in places
        for part in ("dev", "eval")
        if part in place.parts[:-1]
    }
    if len(sets) > 1:
        fix = f"name one of its folders ({some(sorted(sets), 8)}); {CONVERT}"
        problems.add(folder, found=f"an archive of {len(sets)} sets of dialogues", fix=fix)
        return Reading(None, problems, "dbdc")
    paths = _run_files(folder, problems, notes, options, folders=True)
    first = {place.parts[0] for place in places}
    strays = (path.relative_to(folder) for path in folder.rglob("*.labels.json"))
    within = [path.as_posix() for path in strays if path.parts[0] in first]
    for path in sorted(folder.rglob("*.json.gz")):
        problems.add(
            path, found="a packed file", fix="unpack it, as dialogues and labels are plain"
        )
    notes += _unread(folder, first, within)
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
        gaps=options.gaps,
    )
    return _told(folder, _filled(task, options, problems, "dbdc", paths))


def _read_ntcir(
    name: str,
    gold: Path,
    runs: dict[str, Path],
    options: _Options,
    notes: list[str],
    problems: Problems,
) -> Reading:
    options.refuse(gold, "ntcir")
    if options.part is None:
        raise SeveralTasks(
            f"{gold}: holds several tasks; choose with part='A', 'E', 'S' or 'nugget'",
            parts(runs.values()),
        )
    provenance = _yours(gold.parent, [gold, *runs.values()], notes)
    task = ntcir_task(name, gold, runs, options.part, provenance, problems, options.gaps)
    return _told(gold.parent, _filled(task, options, problems, "ntcir", runs))


def _told(folder: Path, reading: Reading, notes: Iterable[str] = ()) -> Reading:
    """Add what ``runs.csv`` says, if there is one, and notes on names and on probabilities."""
    known = set(reading.runs)
    if reading.format == "ntcir" and (folder / "runs").is_dir():
        # The list is of all runs, whichever part they are about.
        known |= set(_run_files(folder, Problems(), []))
    groups, languages = _read_groups(folder, known, reading.problems)
    task, listed = reading.task, folder / GROUPS
    if task is None:
        return reading
    groups = {run: group for run, group in groups.items() if run in task.runs}
    languages = {run: language for run, language in languages.items() if run in task.runs}
    before = task.provenance
    said = [
        *before.notes,
        *notes,
        *_capitals(task.classes, "classes"),
        *_capitals(task.runs, "runs"),
        *_capitals(groups.values(), "groups"),
        *_capitals(languages.values(), "languages"),
        *_tiny(task),
    ]
    files = {**before.files} | ({GROUPS: sha256(listed)} if listed.is_file() else {})
    task = replace(task, groups=groups, languages=languages)
    return replace(reading, task=_from(task, replace(before, files=files, notes=tuple(said))))


def with_notes(task: Task, notes: Iterable[str]) -> Task:
    """Return a task with further notes in its provenance."""
    before = task.provenance
    return _from(task, replace(before, notes=(*before.notes, *notes)))


def _from(task: Task, provenance: Provenance) -> Task:
    if isinstance(task, ScoresTask):
        return replace(task, scores=replace(task.scores, provenance=provenance))
    return replace(task, provenance=provenance)


def _run_files(
    folder: Path,
    problems: Problems,
    notes: list[str],
    options: _Options | None = None,
    *,
    folders: bool = False,
    part: str | None = None,
) -> dict[str, Path]:
    """Return run -> its file: the run's name is that of the file without its ending.

    With ``folders``, a run is a folder or a zip file, and there need be none. With ``part``,
    files whose names say that they are about another part of NTCIR's tasks are not read.
    """
    runs, paths = folder / "runs", dict[str, Path]()
    if not runs.is_dir():
        if not folders and not problems:
            problems.add(runs, found="no folder runs", fix="put the file of each run there")
        return paths
    skipped: dict[str, list[str]] = {}
    named: set[str] = set()
    for path in sorted(runs.iterdir()):
        run = path.name if path.is_dir() else Path(path.name.removesuffix(".gz")).stem
        named.add(run)
        if options and run in options.exclude:
            continue
        reason = "its name starts with a dot" * path.name.startswith(".")
        reason = reason or "it says that another file is open" * path.name.startswith("~$")
        if reason := reason or about(part, path.name):
            skipped.setdefault(reason, []).append(path.name)
        elif path.is_dir() != folders and path.suffix != ".zip":
            found = "a folder" if path.is_dir() else "a file"
            fix = "put the files of each run into a folder of its name, in runs"
            fix = fix if folders else "put the file of the run into runs itself"
            problems.add(path, found=f"{found} in place of a run", fix=fix)
        elif fault := name_fault(run):
            problems.add(path, found=fault, fix="rename the file")
        elif run in paths:
            found = f"run {run!r}, which is also {paths[run].name}"
            problems.add(path, found=found, fix="keep one file for each run")
        else:
            paths[run] = path
    for reason, names in skipped.items():
        many = f"{len(names)} files in runs were not read, such as {names[0]}"
        one = f"runs/{names[0]} was not read"
        notes.append(f"{one if len(names) == 1 else many}: {reason}.")
    if options:
        options.leave_out(named, notes)
    return paths


def _read_groups(
    folder: Path, runs: Collection[str], problems: Problems
) -> tuple[dict[str, str], dict[str, str]]:
    """Read ``runs.csv`` (run,group or run,group,language), if there is one.

    No other runs may be listed, and not all need be. Returns run -> group and run -> language,
    without empty cells.
    """
    path = folder / GROUPS
    table = read_table(path, problems) if path.exists() else None
    if table is None:
        return {}, {}
    if table.head not in (["run", "group"], ["run", "group", "language"]):
        wanted = "run,group or run,group,language"
        header_problem(table, wanted, "write such a header, in small letters", problems)
        return {}, {}
    found: dict[str, list[str]] = {}
    same = meant({row[0] for row in table.rows} - set(runs), runs)
    for row, line in zip(table.rows, table.lines, strict=True):
        if row[0] in found:
            problems.add(path, line, 1, found=f"run {row[0]!r} again", fix="list each run once")
        elif row[0] not in runs:
            told = f"run {row[0]!r}, which is not there"
            if row[0] in same:
                told = "run {}, which is named {}".format(*told_apart(row[0], same[row[0]]))
            problems.add(path, line, 1, found=told, fix="write the names of the run files")
        found[row[0]] = row[1:]
        for column, cell in enumerate(row[1:], 2):
            if cell and (fault := name_fault(cell)):
                problems.add(path, line, column, found=fault, fix="correct the name")
    for column in range(1, len(table.head)):
        cells = [row[column] for row in table.rows]
        for cell, first in alike(cells).items():
            told = f"{cell!a}, the same letters as {first!a} above"
            line = table.lines[cells.index(cell)]
            problems.add(path, line, column + 1, found=told, fix="write both alike")
    groups = {run: cells[0] for run, cells in found.items() if cells[0]}
    return groups, {run: cells[1] for run, cells in found.items() if cells[1:] and cells[1]}


def _refuse_golds(folder: Path, golds: Sequence[Path], problems: Problems) -> None:
    """Add the problem that a folder has no gold file, or several."""
    if golds:
        names = ", ".join(path.name for path in golds)
        fix = "keep one, and move or rename the others"
        problems.add(folder, found=f"{len(golds)} gold files: {names}", fix=fix)
        return
    inside = [each for each in folder.iterdir() if each.is_dir() and each.name != "runs"]
    tasks = sorted(each.name for each in inside if any(each.glob("[gG]old*")))
    found = "no file whose name starts with 'gold', no dialogues *.log.json, and no scores *.csv"
    if tasks:
        found, fix = f"no gold file, but folders with one: {some(tasks)}", "name one of them"
    elif inside:
        found = f"no gold file, but the folders {some(sorted(each.name for each in inside))}"
        fix = f"name the folder of one task; of files as they were published, {CONVERT}"
    else:
        fix = "add the gold file, or name another folder"
    problems.add(folder, found=found, fix=fix)


def _refuse_capitals(folder: Path, known: Collection[str], problems: Problems) -> None:
    """Add a problem for each name in a folder that is known, but for capitals.

    Some systems open ``classes.txt`` where there is only ``Classes.txt``, and others do not.
    """
    for name in sorted(path.name for path in folder.iterdir()):
        if name.lower() in known and name != name.lower():
            fix = f"rename it to {name.lower()}, or move it elsewhere"
            problems.add(folder / name, found=f"the name {name}, with capitals", fix=fix)


def _unread(folder: Path, read: Collection[str], within: Sequence[str] = ()) -> list[str]:
    """Return notes that name what stands beside gold data and runs and is not read.

    ``within`` are labels that stand among dialogues.
    """
    names = [
        f"{path.name}/" if path.is_dir() else path.name
        for path in sorted(folder.iterdir())
        if path.name not in (*read, "runs", GROUPS, "__MACOSX")
        and not path.name.startswith(".")
        and not _COMPANION.fullmatch(path.name)
    ]
    lists = [name for name in names if name in SIDECARS]
    groups = [name for name in names if re.match(r"(group|team)s?\b", name, re.IGNORECASE)]
    rest = [name for name in names if name not in (*lists, *groups)]
    whys = {
        "these files have classes of their own": lists,
        f"groups of runs belong into {GROUPS}, which --by-group reads": groups,
        BELONG: [*rest, *sorted(within)],
    }
    return [
        f"{some(found, LISTED)} {'was' if len(found) == 1 else 'were'} not read: {why}."
        for why, found in whys.items()
        if found
    ]


def _unended(files: Mapping[str, Path]) -> list[str]:
    """Return a note that names the files without a line end, where others have one.

    Where all lack it, the program that wrote them leaves it out.
    """
    names = [name for name, path in files.items() if path.is_file() and not _is_ended(path)]
    if not names or len(names) == len(files):
        return []
    one = len(names) == 1
    return [
        f"{some(names, LISTED)} {'ends' if one else 'end'} without a line end, which other files "
        f"have; if {'it' if one else 'one'} was cut, its last number may be wrong."
    ]


def _is_ended(path: Path) -> bool:
    """Whether a file ends with a line end, is empty, or is packed, which tells if it is cut."""
    with path.open("rb") as file:
        packed = file.read(2) in (b"\x1f\x8b", b"PK", b"")
        return packed or (file.seek(-1, 2) >= 0 and file.read() in b"\r\n")


def _capitals(names: Iterable[str], what: str) -> list[str]:
    """Return notes on names that differ only in capitals; ``what`` they name is a plural."""
    same: dict[str, list[str]] = {}
    for name in dict.fromkeys(names):
        same.setdefault(name.casefold(), []).append(name)
    return [
        f"the {what} {', '.join(each)} differ only in capitals, and count as {len(each)}."
        for each in same.values()
        if len(each) > 1
    ]


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


def _named(task: Task, name: str) -> Task:
    if isinstance(task, ScoresTask):
        return replace(task, scores=replace(task.scores, task=name))
    return replace(task, name=name)


def _yours(folder: Path, paths: Iterable[Path], notes: Sequence[str]) -> Provenance:
    files = {path.relative_to(folder).as_posix(): sha256(path) for path in paths if path.is_file()}
    return Provenance("yours", files, tuple(notes))


def _is_json(path: Path) -> bool:
    return path.name.lower().endswith((".json", ".json.gz"))
