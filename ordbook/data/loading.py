"""Load a task: a catalogue name, or a path in one of the formats; and write it as a folder."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from operator import attrgetter
from pathlib import Path

import pandas as pd

from ordbook.data.catalog import DataSet, catalog, our_runs, raw_files
from ordbook.data.folder import Options, Reading, Task, read_path, with_notes
from ordbook.data.gaps import Missing
from ordbook.data.known import READERS, read_hanna
from ordbook.data.nuggets import NuggetTask
from ordbook.data.problems import Note, Problems, RawDataMissing, as_notes
from ordbook.data.scores import Better, ScoresTask, committed_scores
from ordbook.data.tasks import ClassificationTask, Provenance, QuantificationTask
from ordbook.files import share, similar_file
from ordbook.words import check_names, counted, did_you_mean

__all__ = ["Task", "find_path", "load"]


def load(
    data: str | Path,
    *,
    classes: Sequence[str] | None = None,
    part: str | None = None,
    better: Better | Mapping[str, Better] | None = None,
    exclude: Collection[str] = (),
    skip_invalid: bool = False,
    missing: Missing = "refuse",
) -> Task:
    """Load a task by its catalogue name, from a folder or a file.

    A catalogued task loads without its raw files, too: it then has names and committed scores, and
    an error about its distributions or labels says how to get the files.

    Your own data are in one of these formats, which ordbook recognises by the files:

    ==================  ===========================================================================
    CSV with a header   a folder with ``gold.csv`` and ``runs/<RUN>.csv``: ``topic,<class>,...``
                        with probabilities or votes, ``topic,item,label``, or ``item,label`` of
                        one topic (:mod:`ordbook.data.formats`)
    TREC qrels          a folder with ``gold.qrels`` or ``gold.txt``, and ``runs/<RUN>.txt``: query,
                        0, document and label, with blanks or tabs (:mod:`ordbook.data.formats`)
    NTCIR               a folder with ``gold*.json`` and ``runs/<RUN>.json``, packed or not; or
                        an annotation file alone (:mod:`ordbook.data.ntcir`)
    scores              a file: CSV ``measure,topic,run,score``, CSV ``topic,<RUN>,...``, or
                        numbers alone with a list of runs beside it; or a folder of such files,
                        each by other measures (:mod:`ordbook.data.scoreframes`)
    ==================  ===========================================================================

    Beside them, ``runs.csv`` may have a column ``run`` and any others about the runs, such as
    ``group`` (the team) or ``link`` (the address of a page): the task's ``about``. Notes
    name files that are not read. ``data/examples/README.md`` has a sample of each format.

    From scores alone, the task is a :class:`ordbook.data.scores.ScoresTask`:
    :func:`ordbook.score` returns the scores, and there are no distributions. An annotation file
    alone gives a task without runs; ``task.with_baselines()`` adds two.

    Parameters
    ----------
    data
        ``"sem16t4e"`` and other names of the catalogue, or a path.
    classes
        For CSV and qrels: labels from lowest to highest. By default they come from ``classes.txt``
        beside the gold file, one a line. Labels that are whole numbers without
        a gap are taken in order.
    part
        For NTCIR files, which hold several tasks: the quality scores ``A``, ``E`` or ``S``, or
        ``nugget``.
    better
        For scores by measures that ordbook does not know: ``"low"`` or ``"high"``, or a mapping
        from measure to one of these.
    exclude
        Names of runs to leave out.
    skip_invalid
        Whether to leave out runs whose files have problems; otherwise they are refused.
    missing
        What to do about topics, or items of labels, that the file of a run lacks: ``"refuse"`` the
        run, or count them as the ``"worst"``: an item as the class farthest from its gold class (of
        two equally far, the one with fewer gold items, then the lower), and a topic or turn as the
        single class that scores worst there, measure by measure.

    Returns
    -------
    QuantificationTask, ClassificationTask, NuggetTask or ScoresTask
        Of distributions, labels, nuggets, or scores alone.

    Notes
    -----
    The notes of the task's provenance name each run that was left out or lacks answers;
    ``task.unanswered`` says which. By ``missing="worst"``, no run gains by withholding an answer in
    accuracy, MAE_mu and MAE_M, as its item is then as far from gold as can be, nor in NMD, RPS and
    RNOD, which are convex in the estimate and so nowhere worse than for some single class. By other
    measures, a run may gain by withholding an answer that is known to be wrong: with classes 1 to
    3 and gold 2 3 2, the kappa of the run 2 3 3 rises from .40 to .57 without its third answer,
    which then counts as 1. So tables show the share that each run answers.

    Raises
    ------
    RawDataMissing
        If an author published the data and this project has not seen them; the message says where.
    ValueError
        If the name or the path does not exist, or a file is not in the format; the message
        names file and line of the first fault, and how many more there are.
        :func:`ordbook.data.checking.check` lists them all. Also if ``skip_invalid`` leaves no run,
        or ``exclude`` names an unknown one.

    Examples
    --------
    >>> load("sem16t4e").classes
    ('-2', '-1', '0', '1', '2')
    """
    if isinstance(data, str) and data in catalog():
        for option, setting in {
            "classes": classes,
            "part": part,
            "better": better,
            "exclude": exclude or None,
            "skip_invalid": skip_invalid or None,
            "missing": missing if missing != "refuse" else None,
        }.items():
            if setting is not None:
                raise ValueError(f"{data}: {option}= is for files; a catalogued task has its own")
        dataset = catalog()[data]
        if dataset.format == "elsewhere":
            raise RawDataMissing(dataset.how_to_get())
        return _load_catalogued(dataset)
    path = find_path(data)
    if isinstance(exclude, str):
        raise ValueError(f"{data}: exclude= is the text {exclude!r}; pass a list of runs")
    labels = None if classes is None else list(map(str, classes))
    reading = read_path(path, Options(labels, part, better, tuple(dict.fromkeys(exclude)), missing))
    if skip_invalid and reading.task is not None and reading.task.runs:
        return sound_runs(reading, data)
    reading.problems.raise_first(data)
    assert reading.task is not None
    return reading.task


def sound_runs(reading: Reading, data: str | Path) -> Task:
    """Return the task of the runs in which nothing is wrong, with a note on each other."""
    Problems(problem for problem in reading.problems if not problem.run).raise_first(data)
    notes = []
    for run, group in groupby(reading.problems, attrgetter("run")):
        first, *others = group
        more = f" ({counted(len(others), 'more problem')})" if others else ""
        text = f"run file {Path(first.file).name} left out: {first.finding}{more}."
        notes.append(Note(text, "left out", run))
    assert reading.task is not None
    return with_notes(reading.task, notes)


def find_path(data: str | Path) -> Path:
    """Return the whole path of data of your own; ValueError if it does not exist."""
    path = Path(data).expanduser()
    try:
        exists = bool(str(data)) and path.exists()
    except (OSError, ValueError):
        exists = False  # a name too long, or with a zero byte
    if not exists:
        near = similar_file(path) if str(data) else None
        hint = f"; did you mean {near}?" if near else did_you_mean(path.name, catalog())
        raise ValueError(
            f"{data}: neither a path that exists nor one of the catalogued data sets, which "
            f"`ordbook list` shows{hint}"
        )
    path = path.resolve()
    if path.name:  # the task is named after it
        check_names([path.name], "name", str(path.parent))
    return path


def _load_catalogued(dataset: DataSet) -> Task:
    if dataset.format == "hanna":
        return read_hanna(dataset)
    if dataset.format == "embedded":  # real data that travel with ordbook, as an example
        task = load(share("data", "examples", dataset.name))
        assert not isinstance(task, ScoresTask)
        return replace(task, provenance=replace(task.provenance, source="raw"))
    try:
        files, ours = raw_files(dataset), our_runs(dataset)
    except RawDataMissing as missing:
        return _without_raw(dataset, str(missing))
    gold = next(iter(files.values()))
    checksums = {**dataset.files, **{f"data/runs/{file}": dataset.ours[file] for file in ours}}
    names = {file: dataset.names.get(file) or _run_name(file) for file in [*files, *ours]}
    runs = {names[file]: path for file, path in [*list(files.items())[1:], *ours.items()]}
    provenance = Provenance("raw", checksums, as_notes(dataset.notes))
    task = READERS[dataset.format](dataset, gold, runs, provenance)
    task = replace(task, about=_teams(dataset, task.runs))
    if dataset.baselines and not isinstance(task, ClassificationTask):
        return task.with_baselines()
    return task


def _without_raw(dataset: DataSet, missing: str) -> Task:
    kinds: dict[str, type[QuantificationTask | ClassificationTask | NuggetTask]] = {
        "classification": ClassificationTask,
        "quantification": QuantificationTask,
        "nuggets": NuggetTask,
    }
    scores = committed_scores(dataset.name)
    runs = scores.runs if scores else ()
    return kinds[dataset.kind](
        name=dataset.name,
        classes=dataset.classes,
        # Topic names come from the raw gold file; without scores, only their number is known.
        topics=scores.topics if scores else tuple(str(i + 1) for i in range(dataset.topics)),
        runs=runs,
        about=_teams(dataset, runs),
        provenance=scores.provenance if scores else Provenance("committed"),
        missing=missing,
    )


def _teams(dataset: DataSet, runs: Sequence[str]) -> pd.DataFrame:
    """Return the groups of runs, if their names tell."""
    return pd.DataFrame({"group": pd.Series(dataset.groups(runs), dtype=object)})


def _run_name(file: str) -> str:
    """``E/ECNU-E.output`` -> ``ECNU``, ``stc3/ours-turns_quality.json`` -> ``ours-turns``."""
    name = Path(file).stem.removesuffix(f"-{Path(file).parent.name}")
    return name.removesuffix("_quality").removesuffix("_nugget")
