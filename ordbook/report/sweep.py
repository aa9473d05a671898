"""Chapters on several data sets with several parameters, and the tables across data sets."""

import hashlib
import json
import re
import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import compress, product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pandas as pd

import ordbook
from ordbook.data.loading import Task
from ordbook.files import require_new, sha256, whole_folder, write_files, write_whole
from ordbook.measures import import_measures
from ordbook.report.edition import write_report
from ordbook.report.executing import (
    Running,
    completed,
    execute,
    prepare_environment,
    workers,
)
from ordbook.report.rerun import ALL, absolute, choose, named_chapters, report_template
from ordbook.report.result_files import checksums
from ordbook.report.sweep_tables import as_files, cross_tables, numbers
from ordbook.show.parameters import (
    CHAPTERS,
    EDITION,
    REPORT,
    RerunError,
    chapter_parameters,
    check_number,
    notebook_of,
)
from ordbook.show.source import Source, too_small

Value = str | int
# By this file a sweep is known, which may be continued.
MARK = "sweep.json"
ANSWER = 20.0  # seconds that a scheduler has to answer, and a worker to join it
# The job that computes the numbers of the tables across data sets; no chapter has this name.
TABLES = "numbers"
TABLE_PARAMETERS = ("trials", "splits", "seed")
# Parameters of chapters that follow from the data and the measures.
_DERIVED = {"data", "classes", "reading", "own"}.union(*CHAPTERS.values())


@dataclass(frozen=True)
class Job:
    """A chapter, or ``numbers`` for the tables, on one data set with one choice of parameters."""

    chapter: str
    source: Source
    parameters: Mapping[str, Any]  # all that it is executed with
    label: str  # in messages
    key: str  # the name of its folder, from :func:`key_of`


def sweep(
    chapters: Sequence[str],
    data: Sequence[str | Path | Source],
    out: str | Path,
    *,
    parameters: Mapping[str, Value | Sequence[Value]] | None = None,
    measures: Sequence[str] = (),
    overwrite: bool = False,
    jobs: int | None = None,
    scheduler: str | None = None,
    progress: Callable[[str], None] = lambda line: None,
) -> dict[str, pd.DataFrame]:
    """Run chapters on several data sets, and bring the numbers of all data sets together.

    Everything is checked before anything runs. Finished jobs are kept, so after an interrupt, a
    kill or a failure the same call continues. The tables are the same, byte for byte, whatever the
    number and place of the workers.

    Parameters
    ----------
    chapters
        Names of chapters, ``report`` among them, or ``all`` alone for those that fit; without any,
        only the tables across data sets are made.
    data
        Catalogue names and paths; where files need options, such as the part of a folder in NTCIR's
        format, ``Source.of(path, part="A")`` with those of :func:`ordbook.report.rerun.rerun`.
    out
        A new or an empty folder, or one with a sweep, which is continued, also if more is asked
        for: ``jobs/<key>/<chapter>.ipynb`` for every chapter, data set and choice of parameters;
        ``jobs/<key>/numbers.json`` for every data set and choice; and ``tables/`` with the tables
        across data sets as CSV and Markdown, made anew each time.
    parameters
        Parameter -> a value, or a list of values that are all run. A chapter gets those that it
        has; ``trials``, ``splits`` and ``seed`` also count for the tables.
    measures
        Measures of your own, as ``file.py:NAME``.
    overwrite
        Whether a folder that holds anything is emptied first.
    jobs
        Worker threads, each driving a kernel of its own; by default one per processor.
    scheduler
        Address of a Dask scheduler (``"tcp://host:8786"``) whose workers do the jobs instead; they
        need the same version of ordbook, and the data and measures of your own under the same
        paths.
    progress
        Called with one line whenever something is done.

    Returns
    -------
    dict
        Name of a table -> DataFrame, as :func:`ordbook.report.sweep_tables.cross_tables` says.

    Raises
    ------
    ValueError
        If a name, a value, the data, the folder or the scheduler is not possible. Nothing has run
        then.
    RerunError
        If a job failed; all others were done, and the tables written if their numbers are there.

    Notes
    -----
    A job is done when its folder exists. It is named after all that its results depend on: data,
    parameters, the version of ordbook, the notebook, and the files that hold measures of your own.
    What these import is not looked at: after changing that, name another folder.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> quick = {"trials": 100, "splits": 10}
    >>> with TemporaryDirectory() as folder:
    ...     tables = sweep([], ["fair-oq"], f"{folder}/new", parameters=quick)
    >>> sorted(tables)
    ['average-similarity-quantification', 'combined-quantification', 'consistency-quantification',
     'discrimination-quantification', 'similarity-quantification']
    """
    todo = {job.key: job for job in make_jobs(chapters, data, parameters or {}, measures, progress)}
    continued = not overwrite and Path(out, MARK).is_file()
    inputs = [path for job in todo.values() for path in job.source.files]
    out = require_new(out, overwrite or continued, inputs)
    failed: dict[str, str] = {}
    with _executor(jobs, scheduler) as (pool, running):
        if overwrite and out.exists():
            shutil.rmtree(out)
        out.mkdir(parents=True, exist_ok=True)
        plan = json.dumps({key: job.label for key, job in todo.items()}, indent=1)
        write_whole(out / MARK, f"{plan}\n")
        waiting = [key for key in todo if not (out / "jobs" / key).is_dir()]
        if done := len(todo) - len(waiting):
            progress(f"{done} of {len(todo)} were done before")
        futures = {pool.submit(perform, todo[key], running): key for key in waiting}
        for number, future in enumerate(completed(futures), done + 1):
            key = futures[future]
            try:
                with whole_folder(out / "jobs" / key, overwrite=True) as folder:
                    write_files(folder, future.result())
            except Exception as error:  # a scheduler that goes away cancels, which has no message
                failed[key] = str(error) or type(error).__name__
            progress(f"{number}/{len(todo)} {todo[key].label}: {failed.get(key, 'done')}")
    tables = {}
    counted = [key for key, job in todo.items() if job.chapter == TABLES]
    if not failed.keys() & counted:
        places = [out / "jobs" / key / f"{TABLES}.json" for key in counted]
        computed = [json.loads(path.read_text(encoding="utf-8")) for path in places]
        tables = cross_tables(computed)
        with whole_folder(out / "tables", overwrite=True) as folder:
            write_files(folder, as_files(tables, computed))
    if failed:
        lines = "\n".join(f"  {todo[key].label}: {reason}" for key, reason in failed.items())
        raise RerunError(f"{len(failed)} of {len(todo)} jobs failed; the others are kept:\n{lines}")
    return tables


def perform(job: Job, running: Running | None = None) -> dict[str, str | bytes]:
    """Do one job, in a thread here or on a worker of a cluster, and return its files by name.

    Raises
    ------
    ValueError
        If the data, or ordbook, are not those that the sweep began with.
    """
    prepare_environment()
    task = job.source.load_ranked()
    if key_of(job.chapter, task, job.parameters) != job.key:
        raise ValueError(
            f"{job.source.data}: the data, the measures of your own or the version of ordbook are "
            "not those that the sweep began with"
        )
    if job.chapter == TABLES:
        check = running.check if running else None
        computed = numbers(task, **job.parameters, progress=check)
        text = json.dumps(computed, indent=1, ensure_ascii=False, allow_nan=False)
        return {f"{TABLES}.json": f"{text}\n"}
    with TemporaryDirectory() as place, TemporaryDirectory() as beside:
        folder, notebook = Path(place), notebook_of(job.chapter)
        if job.chapter == REPORT:
            notebook = report_template(Path(beside), task.name)
        page = folder / f"{job.chapter}.ipynb"
        execute(job.chapter, job.parameters, page, notebook=notebook, running=running)
        if job.chapter == REPORT:
            write_report(folder, task.name)
        return {path.name: path.read_bytes() for path in folder.iterdir()}


@contextmanager
def _executor(jobs: int | None, scheduler: str | None) -> Iterator[tuple[Executor, Running | None]]:
    """Give the executor of the jobs: threads here, or the workers of a Dask scheduler."""
    if scheduler is None:
        with workers(jobs) as threads:
            yield threads
        return
    from distributed import Client

    try:
        client = Client(scheduler, timeout=ANSWER, set_as_default=False)
        client.wait_for_workers(1, timeout=ANSWER)
    except (OSError, ValueError) as error:
        raise ValueError(
            f"no Dask scheduler with a worker answers at {scheduler}: {error}; give the address "
            f"that it prints as 'Scheduler at', and start a worker: dask worker {scheduler}"
        ) from None
    with client:
        yield client.get_executor(pure=False), None


def make_jobs(
    chapters: Sequence[str],
    data: Sequence[str | Path | Source],
    parameters: Mapping[str, Value | Sequence[Value]],
    measures: Sequence[str] = (),
    progress: Callable[[str], None] = lambda line: None,
) -> list[Job]:
    """Check the names and values and list the jobs: the numbers first, then the chapters.

    ``progress`` hears which chapters do not fit which data and are left out.

    Raises
    ------
    ValueError
        If a name or a value is not possible, or everything is left out.
    """
    takes: dict[str, Sequence[str]] = {TABLES: ["own", *TABLE_PARAMETERS]}
    for chapter in named_chapters(chapters) if chapters else ():
        for name in EDITION if chapter == ALL else [chapter]:
            takes[name] = list(chapter_parameters(name))
    known = {name for names in takes.values() for name in names} - _DERIVED
    if unknown := [name for name in parameters if name not in known]:
        raise ValueError(f"no parameter {unknown[0]!r}; there are {', '.join(sorted(known))}")
    lists = {n: [v] if isinstance(v, str | int) else v for n, v in parameters.items()}
    sources = [place if isinstance(place, Source) else Source.of(str(place)) for place in data]
    tasks = [source.load_ranked() for source in sources]
    if not tasks:
        raise ValueError("data: name at least one data set")
    columns = Counter(["pooled", "average", *(task.name for task in tasks)])
    if twice := [name for name, times in columns.items() if times > 1]:
        raise ValueError(
            f"two columns of the tables would be called {twice[0]!r}; rename a data set or leave it"
        )
    own = [absolute(place) for place in measures]
    kinds = [measure.kind for measure in import_measures(",".join(own))]
    jobs: list[Job] = []
    left = []
    for chapter, (source, task) in product(takes, zip(sources, tasks, strict=True)):
        if why := _unfit(chapter, task):
            name = "the row in the tables" if chapter == TABLES else chapter
            left.append(f"{name} is left out for {task.name}: {why}")
            progress(left[-1])
            continue
        fits = [kind == task.kind and "own" in takes[chapter] for kind in kinds]
        places = list(compress(own, fits))
        asked = [name for name in lists if name in takes[chapter]]
        for values in product(*(lists[name] for name in asked)):
            chosen = dict(zip(asked, values, strict=True))
            if chapter == TABLES:
                passed: dict[str, Any] = {name: check_number(name, chosen[name]) for name in asked}
                passed["own"] = ",".join(places)
            else:
                passed = choose([chapter], task, source, chosen, places)[chapter]
            choice = ", ".join(f"{name}={passed[name]}" for name in asked if passed.get(name))
            label = f"{chapter} on {task.name}{f' ({choice})' if choice else ''}"
            jobs.append(Job(chapter, source, passed, label, key_of(chapter, task, passed)))
    if not jobs:
        raise ValueError(f"nothing can be run; {left[0]}")
    return jobs


def _unfit(chapter: str, task: Task) -> str:
    """Say why a chapter, or the tables, cannot be about a task; the report can be about any."""
    if chapter == REPORT:
        return ""
    if chapter != TABLES and task.kind not in CHAPTERS[chapter]:
        return f"it is not about {task.kind}"
    return too_small(task, chapter)


def key_of(chapter: str, task: Task, parameters: Mapping[str, Any]) -> str:
    """Name the folder of a job after all that its results depend on.

    These are the version, the notebook, the parameters, the measures of the reader's, and the task:
    its files, and the notes on how they were read.
    """
    about = task.provenance
    page = "" if chapter == TABLES else sha256(notebook_of(chapter))
    own = checksums(filter(None, str(parameters.get("own", "")).split(",")))
    content = [ordbook.__version__, page, dict(parameters), own, about.files, about.notes]
    content += [about.source, task.name, task.runs, task.classes]
    digest = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", task.name)[:40].strip("-.") or "data"
    return f"{chapter}-{name}-{digest[:12]}"
