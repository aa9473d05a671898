"""Load a task: a catalogue name, or a folder with gold and run files.

Contents
--------
load   a catalogue name or a path -> a task
"""

from collections.abc import Sequence
from pathlib import Path

from ordbook.data.catalog import DataSet, RawDataMissing, catalog, raw_folder, sha256
from ordbook.data.scores import committed_scores
from ordbook.data.semeval import (
    FIVE_POINT_SCALE,
    count_columns,
    read_classification,
    read_quantification,
)
from ordbook.data.tasks import ClassificationTask, Provenance, QuantificationTask

Task = QuantificationTask | ClassificationTask


def load(data: str | Path, *, classes: Sequence[str] | None = None) -> Task:
    """Load a task by its catalogue name or from a folder.

    A catalogued task always loads. Where its raw files are not on this machine, the task has
    names and committed scores, and asking for its distributions or labels says how to get them.

    A folder holds one file whose name starts with ``gold`` and a folder ``runs`` with one file
    per run, whose name without its extension is the run's name; files whose names start with a
    dot are not read. The files are in one of the formats of :mod:`ordbook.data.semeval`: three
    columns are read as item, topic and label, four or more as topic and probabilities.

    Parameters
    ----------
    data
        ``"sem16t4e"`` and other names of the catalogue, or a path.
    classes
        For a folder: labels from lowest to highest, where they are not -2 to 2.

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
        if classes is not None:
            raise ValueError(f"{data}: classes= is for folders; a catalogued task has its own")
        return _load_catalogued(catalog()[data])
    folder = Path(data).expanduser()
    if not folder.exists():
        raise ValueError(
            f"{data}: neither a path that exists nor one of the catalogued data sets "
            f"{', '.join(catalog())}"
        )
    return _load_folder(folder.resolve(), classes)


def _load_catalogued(dataset: DataSet) -> Task:
    try:
        folder = raw_folder(dataset)
    except RawDataMissing as missing:
        return _without_raw(dataset, str(missing))
    gold, *runs = dataset.files
    return _read(
        dataset.name,
        dataset.kind == "classification",
        folder / gold,
        {_run_name(file): folder / file for file in runs},
        dataset.classes,
        Provenance("raw", dict(dataset.files)),
    )


def _without_raw(dataset: DataSet, missing: str) -> Task:
    kind = ClassificationTask if dataset.kind == "classification" else QuantificationTask
    scores = committed_scores(dataset.name)
    return kind(
        name=dataset.name,
        classes=dataset.classes,
        # Topic names come from the raw gold file; without scores, only their number is known.
        topics=scores.topics if scores else tuple(str(i + 1) for i in range(dataset.topics)),
        runs=scores.runs if scores else (),
        provenance=scores.provenance if scores else Provenance("committed"),
        missing=missing,
    )


def _load_folder(folder: Path, classes: Sequence[str] | None) -> Task:
    if not folder.is_dir():
        raise ValueError(f"{folder}: this is a file; name the folder that holds gold and runs/")
    golds = sorted(path for path in folder.glob("gold*") if path.is_file())
    if len(golds) != 1:
        found = ", ".join(path.name for path in golds) or "none"
        raise ValueError(
            f"{folder}: expected one file whose name starts with 'gold', found {found}"
        )
    runs = folder / "runs"
    if not runs.is_dir():
        raise ValueError(f"{folder}: there is no folder 'runs'; put one file per run into it")
    paths: dict[str, Path] = {}
    for path in sorted(runs.iterdir()):
        if path.name.startswith("."):
            continue
        if path.stem in paths:
            raise ValueError(
                f"{path}: run {path.stem!r} is also {paths[path.stem].name}; rename one"
            )
        paths[path.stem] = path
    files = {path.relative_to(folder).as_posix(): path for path in [golds[0], *paths.values()]}
    columns = count_columns(golds[0])
    return _read(
        folder.name,
        columns == 3,
        golds[0],
        paths,
        classes,
        Provenance("yours", {file: _checksum(path) for file, path in files.items()}),
    )


def _read(
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


def _checksum(path: Path) -> str:
    if path.is_dir():
        raise ValueError(f"{path}: this is a folder; a file is expected here")
    return sha256(path)


def _run_name(file: str) -> str:
    """``E/ECNU-E.output`` -> ``ECNU``: SemEval's packs append the subtask to the team."""
    return Path(file).stem.removesuffix(f"-{Path(file).parent.name}")
