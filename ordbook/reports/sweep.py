"""Chapters, reports and the tables across tasks, for several tasks on threads or a Dask cluster."""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pandas as pd

import ordbook
from ordbook.data.loading import Task
from ordbook.files import require_new, whole_folder, write_files, write_whole
from ordbook.measures import import_measures
from ordbook.reports.across import as_files, check_columns, cross_tables, numbers
from ordbook.reports.executing import Running, completed, execute, prepare_environment, workers
from ordbook.reports.page import page
from ordbook.reports.rerun import ALL, absolute, choose, named_chapters, unfit
from ordbook.reports.result_files import checksums
from ordbook.show.parameters import (
    CHAPTERS,
    EDITION,
    RerunError,
    chapter_parameters,
    check_number,
    notebook_of,
)
from ordbook.show.source import Source, too_small

MARK = "sweep.json"  # by this file a sweep is known, which may be continued
ANSWER = 20.0  # seconds that a scheduler has to answer, and a worker to join it
# The jobs that are no chapters: the report, and the numbers of the tables across tasks.
REPORT, TABLES = "report", "numbers"
TABLE_PARAMETERS = ("trials", "splits", "seed")


@dataclass(frozen=True)
class Job:
    """A chapter, the report or the numbers of the tables, on one task."""

    what: str
    source: Source
    parameters: Mapping[str, Any]  # all that it is executed with
    label: str  # in messages
    key: str  # the name of its folder, from :func:`key_of`


def sweep(
    chapters: Sequence[str],
    data: Sequence[str | Path | Source],
    out: str | Path,
    *,
    parameters: Mapping[str, str | int] | None = None,
    measures: Sequence[str] = (),
    overwrite: bool = False,
    jobs: int | None = None,
    scheduler: str | None = None,
    progress: Callable[[str], None] = lambda line: None,
) -> dict[str, pd.DataFrame]:
    """Run chapters and reports on several tasks, and make the tables across tasks.

    Everything is checked before anything runs. Finished jobs are kept, so after an interrupt, a
    kill or a failure the same call continues. The files are the same, byte for byte, whatever the
    number and place of the workers.

    Parameters
    ----------
    chapters
        Names of chapters, or ``all`` for those that fit, and ``report``; without any, only the
        tables are made.
    data
        Catalogue names and paths; where files need options, such as the part of a folder in NTCIR's
        format, ``Source.of(path, part="A")`` with those of :func:`ordbook.reports.rerun.rerun`.
    out
        A new or an empty folder, or one with a sweep, which is continued, also if more is asked
        for. ``jobs/`` gets a folder for each chapter and task, and ``tables/`` the tables as CSV.
    parameters
        A chapter gets those that it has; the tables get ``trials``, ``splits`` and ``seed``.
    measures, overwrite, progress
        As for :func:`ordbook.reports.rerun.rerun`.
    jobs
        Worker threads, each driving a kernel of its own; by default one per processor.
    scheduler
        Address of a Dask scheduler (``"tcp://host:8786"``) whose workers do the jobs instead; they
        need the same version of ordbook, and the data and measures of your own under the same
        paths.

    Returns
    -------
    dict
        The tables, as :func:`ordbook.reports.across.cross_tables` returns them.

    Raises
    ------
    ValueError
        If a name, a value, the data, the folder or the scheduler is not possible. Nothing has run
        then.
    RerunError
        If a job failed; all others were done, and the tables written if their numbers are there.

    Notes
    -----
    A job is done when its folder exists, which is named after all that its results depend on, but
    for what files with measures of your own import: after changing that, name another folder.
    """
    todo = {job.key: job for job in make_jobs(chapters, data, parameters or {}, measures, progress)}
    continued = not overwrite and Path(out, MARK).is_file()
    inputs = [path for job in todo.values() for path in job.source.files]
    out, failed = require_new(out, overwrite or continued, inputs), {}
    with executor(jobs, scheduler) as (pool, running):
        if not continued:
            with whole_folder(out, overwrite) as folder:
                write_whole(folder / MARK, json.dumps(ordbook.__version__))
        waiting = [key for key in todo if not (out / "jobs" / key).is_dir()]
        if done := len(todo) - len(waiting):
            progress(f"{done} of {len(todo)} were done before")
        futures = {pool.submit(perform, todo[key], running): key for key in waiting}
        for number, future in enumerate(completed(futures), done + 1):
            key = futures[future]
            try:
                with whole_folder(out / "jobs" / key) as folder:
                    write_files(folder, future.result())
            except Exception as error:  # a scheduler that goes away cancels, which has no message
                failed[key] = str(error) or type(error).__name__
            progress(f"{number}/{len(todo)} {todo[key].label}: {failed.get(key, 'done')}")
    tables: dict[str, pd.DataFrame] = {}
    counted = [key for key, job in todo.items() if job.what == TABLES]
    if not failed.keys() & counted:
        places = [out / "jobs" / key / f"{TABLES}.json" for key in counted]
        results = [json.loads(path.read_text(encoding="utf-8")) for path in places]
        tables = cross_tables(results)
        with whole_folder(out / "tables", overwrite=True) as folder:
            write_files(folder, as_files(tables, results))
    if failed:
        lines = "\n".join(f"  {todo[key].label}: {reason}" for key, reason in failed.items())
        raise RerunError(f"{len(failed)} of {len(todo)} jobs failed; the others are kept:\n{lines}")
    return tables


def perform(job: Job, running: Running | None = None) -> dict[str, str | bytes]:
    """Do one job, in a thread here or on a worker of a cluster, and return its files by name."""
    prepare_environment()
    task = job.source.load_ranked()
    if key_of(job.what, task, job.parameters) != job.key:
        raise ValueError(
            f"{job.source.data}: the data, the measures of your own or the version of ordbook are "
            "not those that the sweep began with"
        )
    if job.what == TABLES:
        computed = numbers(task, **job.parameters, progress=running.check if running else None)
        return {f"{TABLES}.json": json.dumps(computed, indent=1, allow_nan=False) + "\n"}
    if job.what == REPORT:
        own = import_measures(job.parameters["own"])
        return {f"{REPORT}.html": page(task, runs=job.parameters.get("runs", ""), measures=own)}
    with TemporaryDirectory() as folder:
        notebook = Path(folder, f"{job.what}.ipynb")
        execute(job.what, job.parameters, notebook, running=running)
        return {notebook.name: notebook.read_bytes()}


@contextmanager
def executor(jobs: int | None, scheduler: str | None) -> Iterator[tuple[Executor, Running | None]]:
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
    parameters: Mapping[str, str | int],
    measures: Sequence[str] = (),
    progress: Callable[[str], None] = lambda line: None,
) -> list[Job]:
    """Check the names and values and list the jobs: the numbers first, then the chapters.

    ``progress`` hears which chapters do not fit which data and are left out.
    """
    asked = [name for name in chapters if name != REPORT]
    names = named_chapters(asked) if asked else []
    names = [*EDITION] if names == [ALL] else names
    takes = {"own", "runs", *TABLE_PARAMETERS, *(p for n in names for p in chapter_parameters(n))}
    known = takes - {"own", "classes", "reading"}.union(*CHAPTERS.values())
    if unknown := [name for name in parameters if name not in known]:
        raise ValueError(
            f"there is no parameter {unknown[0]!r}; there are {', '.join(sorted(known))}"
        )
    sources = [place if isinstance(place, Source) else Source.of(str(place)) for place in data]
    tasks = [source.load_ranked() for source in sources]
    if not tasks:
        raise ValueError("data: name at least one data set")
    check_columns([task.name for task in tasks])
    kinds = {absolute(place): import_measures(place)[0].kind for place in measures}
    jobs: list[Job] = []
    for source, task in zip(sources, tasks, strict=True):
        reasons = {"tables": too_small(task), **{name: unfit(name, task) for name in names}}
        for name, why in reasons.items():
            if why:
                progress(f"{task.name} is left out of {name}: {why}")
        own = [place for place, kind in kinds.items() if kind == task.kind]
        fit = [name for name in names if not reasons[name]]
        chosen = choose(fit, task, source, parameters or {}, own, takes)
        besides: dict[str, Any] = {"own": ",".join(own)}
        if REPORT in chapters:
            chosen = {REPORT: besides | {"runs": parameters.get("runs", "")}} | chosen
        if not reasons["tables"]:
            numbers = [name for name in TABLE_PARAMETERS if name in parameters]
            besides |= {name: check_number(name, parameters[name]) for name in numbers}
            chosen = {TABLES: besides} | chosen
        for what, passed in chosen.items():
            key = key_of(what, task, passed)
            jobs.append(Job(what, source, passed, f"{what} on {task.name}", key))
    if not jobs:
        raise ValueError(f"nothing can be run; {task.name} is left out: {why}")
    return jobs


def key_of(what: str, task: Task, parameters: Mapping[str, Any]) -> str:
    """Name the folder of a job after all that its results depend on."""
    notebook = sha256(notebook_of(what).read_bytes()).hexdigest() if what in CHAPTERS else ""
    own = checksums(filter(None, str(parameters.get("own", "")).split(",")))
    content = ordbook.__version__, notebook, parameters, own, task.provenance
    digest = sha256(repr((*content, task.name, task.runs, task.classes)).encode()).hexdigest()
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", task.name)[:40].strip("-.")
    return f"{what}-{name}-{digest[:12]}"
