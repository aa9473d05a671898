"""Chapters on several data sets with several parameters, and the tables across data sets."""

import hashlib
import json
import re
import shutil
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import nbformat
import pandas as pd

import ordbook
from ordbook.data.catalog import is_catalogued
from ordbook.data.loading import Task
from ordbook.data.scoring import score
from ordbook.files import require_new, sha256, whole_folder, write_files, write_whole
from ordbook.measures import import_measures
from ordbook.meta.parallel import processors
from ordbook.report.executing import Running, completed, execute, prepare_environment, workers
from ordbook.report.html import as_one_file
from ordbook.report.options import ALL, absolute, choose, contents
from ordbook.report.rerun import report_of
from ordbook.report.sweep_tables import HEADS, as_files, cross_tables, numbers
from ordbook.show.parameters import (
    CHAPTERS,
    EDITION,
    NUMBERS,
    REPORT,
    chapter_parameters,
    check_number,
    join_classes,
    notebook_of,
    require_chapter,
)
from ordbook.show.source import Source

Value = str | int
# By this file a sweep is known, which may be continued.
MARK = "sweep.json"
ANSWER = 20.0  # seconds that a scheduler has to answer, and a worker to join it
# The job that computes what the tables across data sets show; no chapter has this name.
TABLES = "numbers"
# Its parameters and their defaults: those of the papers.
TABLE_PARAMETERS: Mapping[str, int] = {"trials": 5000, "splits": 1000, "seed": 0}
# Parameters of chapters that follow from the data and the measures of a plan.
_DERIVED = {
    "data",
    "classes",
    "reading",
    "own",
    *(kind for kinds in CHAPTERS.values() for kind in kinds),
}


class SweepError(RuntimeError):
    """Jobs of a sweep failed; what is done is kept."""


@dataclass(frozen=True)
class Plan:
    """What is asked for.

    Attributes
    ----------
    chapters
        Names of chapters, ``report`` among them, or ``all`` alone for those that fit; without any,
        only the tables across data sets are made.
    data
        Catalogue names and paths; or mappings with ``path``, and where need be ``classes`` (labels
        from lowest to highest), ``part`` (of NTCIR files: ``A``), ``exclude``, ``skip_invalid`` and
        ``missing`` (as for :func:`ordbook.load`).
    parameters
        Parameter -> a value, or a list of values that are all run. A chapter gets those that it
        has; ``trials``, ``splits`` and ``seed`` also count for the tables.
    measures
        Measures of your own, as ``file.py:NAME``.

    Examples
    --------
    >>> plan = Plan(["lq21"], ["sem16t4e", "fair-oq"], {"trials": 1000, "seed": [0, 1]})
    """

    chapters: Sequence[str] = ()
    data: Sequence[str | Path | Mapping[str, Any]] = ()
    parameters: Mapping[str, Value | Sequence[Value]] = field(default_factory=dict)
    measures: Sequence[str] = ()


def read_plan(path: str | Path) -> Plan:
    """Read a plan from a TOML file, as ``ordbook sweep --help`` shows one.

    Relative paths in it start at its folder.

    Raises
    ------
    ValueError
        If the file is no TOML or has other entries.
    """
    path = Path(path)
    if not path.is_file():
        raise ValueError(f"{path}: there is no such file; name the plan, a TOML file")
    try:
        plan = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except ValueError as error:
        raise ValueError(f"{path}: {error}; a plan is a TOML file in UTF-8") from None
    known = {"chapters": list, "data": list, "measures": list, "parameters": dict}
    for name, value in plan.items():
        if not isinstance(value, known.get(name, ())):
            raise ValueError(
                f"{path}: {name}: a plan has lists of chapters, data and measures, in square "
                "brackets, and a table of parameters"
            )

    def near(place: Any) -> Any:
        if isinstance(place, dict):
            return {**place, "path": near(place["path"])} if "path" in place else place
        return place if is_catalogued(place) else str(path.parent / Path(place).expanduser())

    plan["data"] = [near(entry) for entry in plan.get("data", [])]
    plan["measures"] = [near(m) if ".py:" in m else m for m in plan.get("measures", [])]
    return Plan(**plan)


@dataclass(frozen=True)
class Job:
    """A chapter, or the numbers for the tables, on one data set with one choice of parameters.

    Attributes
    ----------
    key
        Name of its folder; the same chapter, data and parameters always have the same key.
    what
        A chapter, ``"report"`` or ``"numbers"``.
    data, source
        Name of the task, and where it is.
    choice
        Of the parameters of the plan, those that it has.
    given
        What the chapter is executed with.
    measures
        Where those of the reader's measures are that fit the data.
    content
        What :func:`fingerprint` returns.
    """

    key: str
    what: str
    data: str
    source: Source
    choice: Mapping[str, Value]
    given: Mapping[str, Any]
    measures: Sequence[str]
    content: str

    def __str__(self) -> str:
        chosen = ", ".join(f"{name}={value}" for name, value in self.choice.items() if value)
        return f"{self.what} on {self.data}" + (f" ({chosen})" if chosen else "")


def sweep(
    plan: Plan | str | Path,
    out: str | Path,
    *,
    overwrite: bool = False,
    jobs: int | None = None,
    scheduler: str | None = None,
    progress: Callable[[str], None] = lambda line: None,
) -> dict[str, pd.DataFrame]:
    """Run chapters on several data sets, and bring the numbers of all data sets together.

    Everything is checked before anything runs. What is done is kept: after an interrupt, a kill
    or a failure the same call goes on where it stopped. The numbers are the same, byte for byte,
    whatever the number and place of the workers.

    Parameters
    ----------
    plan
        A :class:`ordbook.report.sweep.Plan`, or the path of a TOML file with one.
    out
        A new or an empty folder, or one with a sweep, which is continued, also with a larger plan:
        ``jobs/<key>/<chapter>.ipynb`` for every chapter, data set and choice of parameters;
        ``jobs/<key>/numbers.json`` for every data set and choice; and ``tables/`` with the tables
        across data sets as CSV and Markdown, made anew each time.
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
    SweepError
        If a job failed; all others were done, and the tables written if their numbers are there.

    Notes
    -----
    A job is done when its folder exists. It is named after all that its results depend on: data,
    parameters, the version of ordbook, the notebook, and the files that hold measures of your own.
    What these import is not looked at: after changing that, name another folder.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> plan = Plan([], ["fair-oq"], {"trials": 100, "splits": 10})
    >>> with TemporaryDirectory() as folder:
    ...     tables = sweep(plan, f"{folder}/new")
    >>> sorted(tables)
    ['average-similarity-quantification', 'combined-quantification', 'consistency-quantification',
     'discrimination-quantification', 'similarity-quantification']
    """
    todo, notes = make_jobs(plan if isinstance(plan, Plan) else read_plan(plan))
    continued = not overwrite and Path(out, MARK).is_file()
    out = require_new(out, overwrite or continued, [p for job in todo for p in job.source.files])
    with _executor(jobs, scheduler) as (pool, running):
        if overwrite and out.exists():
            shutil.rmtree(out)
        out.mkdir(parents=True, exist_ok=True)
        for note in notes:
            progress(note)
        listed = json.dumps({job.key: f"{job}" for job in todo}, indent=1, ensure_ascii=False)
        write_whole(out / MARK, f"{listed}\n")
        waiting = [job for job in todo if not (out / "jobs" / job.key).is_dir()]
        done = len(todo) - len(waiting)
        if done:
            progress(f"{done} of {len(todo)} were done before")
        failed: dict[str, str] = {}
        threads = max(1, processors() // (jobs or processors())) if running else None
        futures = {pool.submit(perform, job, threads, running): job for job in waiting}
        for number, future in enumerate(completed(futures), done + 1):
            job, error = futures[future], None if future.cancelled() else future.exception()
            if future.cancelled():
                failed[job.key] = "the scheduler has gone, or dropped it"
            elif error is not None:
                failed[job.key] = str(error) or type(error).__name__
            else:
                with whole_folder(out / "jobs" / job.key, overwrite=True) as folder:
                    write_files(folder, future.result())
            progress(f"{number}/{len(todo)} {job}: {failed.get(job.key, 'done')}")
    tables = {}
    counted = [job.key for job in todo if job.what == TABLES]
    if not failed.keys() & counted:
        places = [out / "jobs" / key / f"{TABLES}.json" for key in counted]
        found = [json.loads(path.read_text(encoding="utf-8")) for path in places]
        tables = cross_tables(found)
        with whole_folder(out / "tables", overwrite=True) as folder:
            write_files(folder, as_files(tables, found))
    if failed:
        lines = "\n".join(f"  {job}: {failed[job.key]}" for job in todo if job.key in failed)
        raise SweepError(f"{len(failed)} of {len(todo)} jobs failed; the others are kept:\n{lines}")
    return tables


def perform(
    job: Job, threads: int | None = None, running: Running | None = None
) -> dict[str, str | bytes]:
    """Do one job, in a thread here or on a worker of a cluster, and return its files by name.

    Raises
    ------
    ValueError
        If the data, or ordbook, are not those that the sweep began with.
    """
    prepare_environment()
    task = job.source.load_ranked(scores=True)
    if fingerprint(task, job.measures) != job.content:
        raise ValueError(
            f"{job.source.data}: the data, the measures of your own or the version of ordbook are "
            "not those that the sweep began with"
        )
    if job.what == TABLES:
        check = running.check if running else None
        found = numbers(task, **job.given, own=job.measures, threads=threads, progress=check)
        text = json.dumps(found, indent=1, ensure_ascii=False, allow_nan=False)
        return {f"{TABLES}.json": f"{text}\n"}
    with TemporaryDirectory() as folder:
        page, notebook = Path(folder, f"{job.what}.ipynb"), notebook_of(job.what)
        if job.what == REPORT:
            notebook = page.with_name("template.ipynb")
            nbformat.write(report_of(job.data, "", []), notebook)
        execute(job.what, job.given, page, notebook=notebook, running=running)
        files: dict[str, str | bytes] = {page.name: page.read_bytes()}
        if job.what == REPORT:
            files[f"{REPORT}.html"] = as_one_file(nbformat.read(page, as_version=4), job.data)
    return files


@contextmanager
def _executor(jobs: int | None, scheduler: str | None) -> Iterator[tuple[Executor, Running | None]]:
    """Give what does jobs: threads here, or the workers of a Dask scheduler."""
    if scheduler is None:
        with workers(jobs) as threads:
            yield threads
        return
    from distributed import Client

    try:
        client = Client(scheduler, timeout=ANSWER, set_as_default=False)
    except (OSError, ValueError) as error:
        raise ValueError(
            f"no Dask scheduler answers at {scheduler}: {error}; give the address that it prints "
            "as 'Scheduler at'"
        ) from None
    with client:
        try:
            client.wait_for_workers(1, timeout=ANSWER)
        except TimeoutError:
            raise ValueError(
                f"the scheduler at {scheduler} has no workers; start one: dask worker {scheduler}"
            ) from None
        pool = client.get_executor(pure=False)
        try:
            yield pool, None
        finally:
            pool.shutdown(wait=False)


def make_jobs(plan: Plan) -> tuple[list[Job], list[str]]:
    """Check a plan and return what is to be done: the numbers first, then the chapters.

    Returns
    -------
    jobs, notes
        Notes say which combinations do not fit and are left out.

    Raises
    ------
    ValueError
        If a name or a value is not possible, or no chapter fits any of the data.
    """
    every = list(plan.chapters) == [ALL]
    chapters = list(EDITION) if every else list(dict.fromkeys(plan.chapters))
    takes = {TABLES: ["own", *TABLE_PARAMETERS]}
    for chapter in chapters:
        if chapter != REPORT:
            require_chapter(chapter, ", report and all")
        takes[chapter] = list(chapter_parameters(chapter))
    values = _values(plan.parameters, {name for has in takes.values() for name in has} - _DERIVED)
    data = [(source, source.load_ranked(scores=True)) for source in map(_source, plan.data)]
    names = [task.name for _, task in data]
    if not data:
        raise ValueError("data: name at least one data set")
    if twice := {name for name in names if names.count(name) > 1}:
        raise ValueError(f"two data sets are called {min(twice)!r}; rename a folder or leave one")
    if taken := sorted(HEADS.intersection(names)):
        raise ValueError(f"a data set is called {taken[0]!r}, as the tables use it; rename it")
    own = list(dict.fromkeys(map(absolute, plan.measures)))
    kinds = [measure.kind for measure in import_measures(",".join(own))]
    jobs: dict[str, Job] = {}
    notes = []
    for what, (source, task) in product(takes, data):
        if what not in (TABLES, REPORT) and task.kind not in CHAPTERS[what]:
            notes.append(f"{what} is left out for {task.name}: it is not about {task.kind}")
            continue
        fitting = [place for place, kind in zip(own, kinds, strict=True) if kind == task.kind]
        fitting = fitting if "own" in takes[what] else []
        content = fingerprint(task, fitting)
        mine = {name: listed for name, listed in values.items() if name in takes[what]}
        for chosen in product(*mine.values()):
            choice = dict(zip(mine, chosen, strict=True))
            given: Mapping[str, Any] = {**TABLE_PARAMETERS, **choice}
            if what != TABLES:
                given = choose([what], task, source, choice, fitting)[what]
            page = "" if what == TABLES else sha256(notebook_of(what))
            name = re.sub(r"[^A-Za-z0-9._-]+", "-", task.name)[:40].strip("-.") or "data"
            key = f"{what}-{name}-{_digest([content, page, choice, source.classes])[:12]}"
            jobs[key] = Job(key, what, task.name, source, choice, given, fitting, content)
    if chapters and not every and all(job.what == TABLES for job in jobs.values()):
        raise ValueError("no chapter fits any of the data: " + "; ".join(notes))
    return list(jobs.values()), notes


def _values(
    parameters: Mapping[str, Value | Sequence[Value]], known: set[str]
) -> dict[str, list[Value]]:
    """Check names and limits; every parameter gets a list of values."""
    values: dict[str, list[Value]] = {}
    for name, value in parameters.items():
        if name not in known:
            raise ValueError(f"no parameter {name!r}; there are {', '.join(sorted(known))}")
        listed: list[Any] = list(value) if isinstance(value, list | tuple) else [value]
        if not listed:
            raise ValueError(f"{name}: the list is empty; leave the parameter out")
        checked = [check_number(name, v) if name in NUMBERS else str(v) for v in listed]
        values[name] = list(dict.fromkeys(checked))
    return values


def _source(entry: str | Path | Mapping[str, Any]) -> Source:
    """Return where a data set of a plan is, and how it is read."""
    options: dict[str, Any] = dict(entry) if isinstance(entry, Mapping) else {"path": entry}
    if isinstance(options.get("classes"), list):
        options["classes"] = join_classes(options["classes"])
    known = {"path", "classes", "part", "exclude", "skip_invalid", "missing"}
    if "path" not in options or options.keys() - known:
        raise ValueError(
            f"data: {entry} must have path, and may have classes, part, exclude, skip_invalid and "
            "missing"
        )
    return Source.of(str(options.pop("path")), **options)


def fingerprint(task: Task, measures: Sequence[str]) -> str:
    """Return a digest of a task, of measures of the reader's and of the version of ordbook.

    Of the task these are its files and notes; without files its scores.
    """
    files: object = sorted(task.provenance.files.items())
    if not files:
        files = hashlib.sha256(score(task).values.tobytes()).hexdigest()
    about = [task.provenance.source, *task.provenance.notes, task.name, task.kind, *task.runs]
    return _digest([ordbook.__version__, about, files, contents(measures)])


def _digest(value: object) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()
