"""Load a task: a catalogue name, a folder with gold and run files, or an annotation file.

Contents
--------
load   a catalogue name or a path -> a task
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ordbook.data.catalog import DataSet, RawDataMissing, catalog, sha256
from ordbook.data.dbdc import read_dbdc
from ordbook.data.dialeval import run_file
from ordbook.data.ntcir import read_nuggets, read_quality
from ordbook.data.nuggets import NuggetTask
from ordbook.data.paths import share
from ordbook.data.raw import our_runs, raw_files
from ordbook.data.scores import committed_scores
from ordbook.data.semeval import (
    FIVE_POINT_SCALE,
    count_columns,
    read_classification,
    read_quantification,
)
from ordbook.data.simulated import read_simulated
from ordbook.data.tables import has_tables, read_tables
from ordbook.data.tasks import ClassificationTask, Provenance, QuantificationTask

Task = QuantificationTask | ClassificationTask | NuggetTask
_PART = "part= is for NTCIR files, which end in .json or .json.gz"


class SeveralTasks(ValueError):
    """Files hold several tasks, and none was chosen."""


def load(
    data: str | Path, *, classes: Sequence[str] | None = None, part: str | None = None
) -> Task:
    """Load a task by its catalogue name, from a folder or from an annotation file.

    A catalogued task always loads; simulated ones travel with ordbook. Where its raw files are not
    on this machine, the task has names and committed scores, and asking for its distributions
    or labels says how to get them.

    A folder holds one file whose name starts with ``gold`` and a folder ``runs`` with one file
    per run, whose name without its extension is the run's name; files whose names start with a
    dot are not read, and noted; nor are ``*_nugget_*.json`` where ``part`` asks for quality,
    and the reverse. The files are in one of the formats of
    :mod:`ordbook.data.semeval`: three columns are read as item, topic and label, four or more as
    topic and probabilities; or all are JSON in the formats of :mod:`ordbook.data.ntcir`. With a
    ``gold.csv`` that begins with a header, all are CSV in the formats of
    :mod:`ordbook.data.tables`.

    A single file ``*.json`` or ``*.json.gz`` is read as NTCIR annotations, and gives a task
    without runs; ``task.with_baselines()`` adds two.

    Parameters
    ----------
    data
        ``"sem16t4e"`` and other names of the catalogue, or a path.
    classes
        For a folder: labels from lowest to highest, where they are not -2 to 2 and no header or
        list of classes says so.
    part
        For NTCIR files, which hold several tasks: the quality scores ``A``, ``E`` or ``S``, or
        ``nugget``.

    Raises
    ------
    ValueError
        If the name or the path does not exist, or a file is not in the format; the message
        names file and line.

    Examples
    --------
    >>> load("sem16t4e").classes
    ('-2', '-1', '0', '1', '2')
    """
    if isinstance(data, str) and data in catalog():
        for what, given in (("classes", classes), ("part", part)):
            if given is not None:
                raise ValueError(f"{data}: {what}= is for files; a catalogued task has its own")
        return _load_catalogued(catalog()[data])
    path = Path(data).expanduser()
    if not str(data) or not path.exists():
        raise ValueError(
            f"{data}: neither a path that exists nor one of the catalogued data sets "
            f"{', '.join(catalog())}"
        )
    path = path.resolve()
    classes = None if classes is None else [str(label) for label in classes]
    if path.is_file() and _is_json(path):
        name = path.name.removesuffix(".gz").removesuffix(".json")
        return _read_ntcir(name, path, {}, classes, part, _yours({path.name: path}))
    return _load_folder(path, classes, part)


def _load_catalogued(dataset: DataSet) -> Task:
    if dataset.format == "simulated":
        return read_simulated(dataset)
    if dataset.format == "embedded":
        return read_tables(share("data", "examples", dataset.name), source="raw")
    try:
        files = raw_files(dataset)
    except RawDataMissing as missing:
        return _without_raw(dataset, str(missing))
    gold = next(iter(files.values()))
    ours = our_runs(dataset)
    # Read from the files, because a gold file may exist in several forms.
    checksums = {file: sha256(path) for file, path in files.items()}
    checksums |= {f"data/runs/{file}": dataset.ours[file] for file in ours}
    provenance = Provenance("raw", checksums)
    named = {_run_name(file): path for file, path in [*list(files.items())[1:], *ours.items()]}
    task: Task
    if dataset.format == "dbdc":
        task = read_dbdc(dataset.name, gold, dataset.classes, provenance=provenance, runs=named)
    elif dataset.format == "ntcir":
        task = _read_ntcir(dataset.name, gold, named, None, dataset.part, provenance)
    else:
        task = _read_semeval(
            dataset.name,
            dataset.kind == "classification",
            gold,
            named,
            dataset.classes,
            provenance,
        )
    if dataset.baselines and not isinstance(task, ClassificationTask):
        return task.with_baselines()
    return task


def _without_raw(dataset: DataSet, missing: str) -> Task:
    kinds: dict[str, type[Task]] = {
        "classification": ClassificationTask,
        "quantification": QuantificationTask,
        "nuggets": NuggetTask,
    }
    scores = committed_scores(dataset.name)
    return kinds[dataset.kind](
        name=dataset.name,
        classes=dataset.classes,
        # Topic names come from the raw gold file; without scores, only their number is known.
        topics=scores.topics if scores else tuple(str(i + 1) for i in range(dataset.topics)),
        runs=scores.runs if scores else (),
        provenance=scores.provenance if scores else Provenance("committed"),
        missing=missing,
    )


def _load_folder(folder: Path, classes: Sequence[str] | None, part: str | None) -> Task:
    if not folder.is_dir():
        raise ValueError(f"{folder}: this is a file; name the folder that holds gold and runs/")
    golds = sorted(path for path in folder.glob("gold*") if path.is_file())
    if len(golds) != 1:
        found = ", ".join(path.name for path in golds) or "none"
        raise ValueError(
            f"{folder}: expected one file whose name starts with 'gold', found {found}"
        )
    if has_tables(golds[0]):
        if part is not None:
            raise ValueError(f"{folder}: {_PART}")
        return read_tables(folder, classes=classes)
    runs = folder / "runs"
    if not runs.is_dir():
        raise ValueError(f"{folder}: there is no folder 'runs'; put one file per run into it")
    paths: dict[str, Path] = {}
    notes = []
    for path in sorted(runs.iterdir()):
        if path.name.startswith("."):
            notes.append(f"runs/{path.name} was not read: its name starts with a dot.")
            continue
        about = run_file(path.name)
        if part is not None and about and (about.kind == "nugget") != (part == "nugget"):
            notes.append(f"runs/{path.name} was not read: its name says {about.kind}.")
            continue
        run = Path(path.name.removesuffix(".gz")).stem
        if run in paths:
            raise ValueError(f"{path}: run {run!r} is also {paths[run].name}; rename one")
        paths[run] = path
    files = {path.relative_to(folder).as_posix(): path for path in [golds[0], *paths.values()]}
    provenance = replace(_yours(files), notes=tuple(notes))
    if _is_json(golds[0]):
        return _read_ntcir(folder.name, golds[0], paths, classes, part, provenance)
    if part is not None:
        raise ValueError(f"{folder}: {_PART}")
    columns = count_columns(golds[0])
    if columns < 3:
        raise ValueError(
            f"{golds[0]}: {columns} columns; expected 3 (item, topic, label), or at least 4 (topic "
            "and one probability per class)"
        )
    return _read_semeval(folder.name, columns == 3, golds[0], paths, classes, provenance)


def _read_ntcir(
    name: str,
    gold: Path,
    runs: dict[str, Path],
    classes: Sequence[str] | None,
    part: str | None,
    provenance: Provenance,
) -> QuantificationTask | NuggetTask:
    if classes is not None:
        raise ValueError(f"{gold}: classes= is for SemEval's formats; NTCIR's have their own")
    if part is None:
        raise SeveralTasks(
            f"{gold}: holds several tasks; choose with part='A', 'E', 'S' or 'nugget'"
        )
    if part == "nugget":
        return read_nuggets(name, gold, runs, provenance=provenance)
    return read_quality(name, gold, runs, part=part, provenance=provenance)


def _read_semeval(
    name: str,
    classification: bool,
    gold: Path,
    runs: dict[str, Path],
    classes: Sequence[str] | None,
    provenance: Provenance,
) -> Task:
    if classification:
        return read_classification(
            name, gold, runs, classes=classes or FIVE_POINT_SCALE, provenance=provenance
        )
    return read_quantification(name, gold, runs, classes=classes, provenance=provenance)


def _yours(files: dict[str, Path]) -> Provenance:
    return Provenance("yours", {file: _checksum(path) for file, path in files.items()})


def _is_json(path: Path) -> bool:
    return path.name.endswith((".json", ".json.gz"))


def _checksum(path: Path) -> str:
    if path.is_dir():
        raise ValueError(f"{path}: this is a folder; a file is expected here")
    return sha256(path)


def _run_name(file: str) -> str:
    """``E/ECNU-E.output`` -> ``ECNU``: SemEval's packs append the subtask to the team.

    Our own runs append it too: ``stc3/ours-turns_quality.json`` -> ``ours-turns``.
    """
    name = Path(file).stem.removesuffix(f"-{Path(file).parent.name}")
    return name.removesuffix("_quality").removesuffix("_nugget")
