"""Chapters on several data sets with several parameters, and the tables across data sets."""

import json
import shutil
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
import pandas as pd
from filelock import FileLock, Timeout

from ordbook.data.catalog import is_catalogued
from ordbook.files import require_new, write_whole
from ordbook.meta.parallel import processors
from ordbook.report.executing import Running, completed, execute, prepare_environment, workers
from ordbook.report.html import as_one_file
from ordbook.report.rerun import report_of
from ordbook.report.sweep_plan import TABLES, Job, Plan, make_jobs, read_plan
from ordbook.report.sweep_tables import as_files, cross_tables, numbers
from ordbook.show.data_argument import split_place
from ordbook.show.parameters import REPORT, notebook_of

# By this file a sweep is known, which may be continued.
MARK = "sweep.json"
NUMBERS_FILE = "numbers.json"
UNFINISHED = ".unfinished"
ANSWER = 20.0  # seconds that a scheduler has to answer, and a worker to join it


class SweepError(RuntimeError):
    """Jobs of a sweep failed; what is done is kept."""


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
        A :class:`ordbook.report.sweep_plan.Plan`, or the path of a TOML file with one.
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
        If a name, a value, the data, the folder or the scheduler is not possible, or another
        sweep is running in the folder. Nothing has run then.
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
    inputs = [split_place(job.place)[0] for job in todo if not is_catalogued(job.place)]
    continued = not overwrite and Path(out, MARK).is_file()
    out = require_new(out, overwrite or continued, inputs)
    with _executor(jobs, scheduler) as (pool, running), _held(out, empty=overwrite):
        for note in notes:
            progress(note)
        about = {"jobs": {job.key: f"{job}" for job in todo}}
        write_whole(out / MARK, json.dumps(about, indent=1, ensure_ascii=False) + "\n")
        waiting = [job for job in todo if not (out / "jobs" / job.key).is_dir()]
        done = len(todo) - len(waiting)
        if done:
            progress(f"{done} of {len(todo)} were done before")
        failed: list[tuple[Job, str]] = []
        threads = max(1, processors() // (jobs or processors())) if running else None
        futures = {pool.submit(perform, job, threads, running): job for job in waiting}
        for future in completed(futures):
            job, why = futures[future], _why(future)
            if why:
                failed.append((job, why))
            else:
                _replace(out, f"jobs/{job.key}", future.result())
            done += 1
            progress(f"{done}/{len(todo)} {job}: {why or 'done'}")
        tables = {}
        if not any(job.what == TABLES for job, _ in failed):
            places = [out / "jobs" / job.key / NUMBERS_FILE for job in todo if job.what == TABLES]
            found = [json.loads(path.read_text(encoding="utf-8")) for path in places]
            tables = cross_tables(found)
            files = as_files(tables, found)
            _replace(out, "tables", {name: text.encode() for name, text in files.items()})
    if failed:
        lines = "\n".join(f"  {job}: {why}" for job, why in failed)
        raise SweepError(f"{len(failed)} of {len(todo)} jobs failed; the others are kept:\n{lines}")
    return tables


def perform(
    job: Job, threads: int | None = None, running: Running | None = None
) -> dict[str, bytes]:
    """Do one job, in a thread here or on a worker of a cluster, and return its files by name."""
    prepare_environment()
    task = job.load()
    if job.what == TABLES:
        options = {name: int(value) for name, value in job.given.items()}
        check = running.check if running else None
        found = numbers(task, **options, own=job.measures, threads=threads, progress=check)
        text = json.dumps(found, indent=1, ensure_ascii=False, allow_nan=False)
        return {NUMBERS_FILE: f"{text}\n".encode()}
    with TemporaryDirectory() as folder:
        page = Path(folder, f"{job.what}.ipynb")
        notebook = notebook_of(job.what)
        if job.what == REPORT:
            notebook = page.with_name("template.ipynb")
            nbformat.write(report_of(job.data, "", []), notebook)
        execute(job.what, job.given, page, notebook=notebook, running=running)
        files = {page.name: page.read_bytes()}
        if job.what == REPORT:
            html = as_one_file(nbformat.read(page, as_version=4), job.data)
            files[f"{REPORT}.html"] = html.encode()
    return files


def _why(future: Future[dict[str, bytes]]) -> str:
    """Say in a line why a job failed."""
    if future.cancelled():
        return "the scheduler has gone, or dropped it"
    error = future.exception()
    return "" if error is None else str(error) or type(error).__name__


@contextmanager
def _executor(jobs: int | None, scheduler: str | None) -> Iterator[tuple[Executor, Running | None]]:
    """Give what does jobs: threads here, or the workers of a Dask scheduler."""
    if scheduler is None:
        with workers(jobs) as found:
            yield found
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


@contextmanager
def _held(out: Path, *, empty: bool) -> Iterator[None]:
    """Hold the folder: one sweep at a time works in it, and what a killed one left goes."""
    if empty and out.exists():
        shutil.rmtree(out)
    out.mkdir(parents=True, exist_ok=True)
    try:
        with FileLock(out / ".lock", timeout=0):
            shutil.rmtree(out / UNFINISHED, ignore_errors=True)
            yield
            shutil.rmtree(out / UNFINISHED, ignore_errors=True)
    except Timeout:
        raise ValueError(f"{out}: a sweep is running here; wait for it, or name another") from None


def _replace(out: Path, name: str, files: Mapping[str, bytes]) -> None:
    """Write a folder of results and put it whole into its place."""
    made, place = out / UNFINISHED / name, out / name
    made.mkdir(parents=True)
    for file, content in files.items():
        (made / file).write_bytes(content)
    if place.exists():
        shutil.rmtree(place)
    place.parent.mkdir(exist_ok=True)
    made.replace(place)
