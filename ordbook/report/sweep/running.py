"""Chapters x data sets x parameters, and the tables across data sets.

Contents
--------
sweep   do what a plan says, or what of it is not done yet
"""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from ordbook.chapters.data_argument import split_place
from ordbook.meta.parallel import processors
from ordbook.pages.sphinx_extension import prepare_environment
from ordbook.report.sweep.folder import SweepFolder
from ordbook.report.sweep.jobs import NUMBERS_FILE, SweepError, connected, run_here, run_on
from ordbook.report.sweep.plan import TABLES, Job, make_jobs
from ordbook.report.sweep.plan_file import Plan, read_plan
from ordbook.report.sweep.tables import as_files, cross_tables


def sweep(
    plan: Plan | Mapping[str, Any] | str | Path,
    out: str | Path,
    *,
    jobs: int | None = None,
    scheduler: str | None = None,
    progress: Callable[[str], None] = lambda line: None,
) -> dict[str, pd.DataFrame]:
    """Run chapters on several data sets, and bring the numbers of all data sets together.

    Everything is checked before anything runs. What is done is kept: after an interrupt, a kill
    or a failure the same call goes on where it stopped, and files are never half-written. The
    numbers are the same, byte for byte, whatever the number and place of the workers.

    Parameters
    ----------
    plan
        A :class:`Plan`, the same as a mapping, or the path of a TOML file (:func:`read_plan`).
    out
        A folder of its own: ``jobs/<key>/<chapter>.ipynb`` for every chapter, data set and choice
        of parameters; ``jobs/<key>/numbers.json`` for every data set and choice; and ``tables/``
        with the tables across data sets as CSV and Markdown. A folder with anything else in it is
        refused. A sweep that is in it already may be continued with a larger plan. Results and
        tables that somebody has changed, or added files to, are moved to ``set-aside/`` where they
        would be replaced.
    jobs
        Worker threads, each driving a kernel of its own; by default one per processor.
    scheduler
        Address of a Dask scheduler (``"tcp://host:8786"``) whose workers do the jobs instead; they
        need the same version of ordbook, and the data and measures of your own under the same
        paths.
    progress
        Called with one line whenever something is done or set aside, this by a worker thread.

    Returns
    -------
    dict
        Name of a table -> DataFrame, as :func:`ordbook.report.sweep.tables.cross_tables` says.

    Raises
    ------
    ValueError
        If a name, a value, the data, the folder or the scheduler is not possible, or another
        sweep is running in the folder. Nothing has run then.
    SweepError
        If a job failed; all others were done, and the tables written if their numbers are there.

    Notes
    -----
    A job is done anew where the file of a measure of your own has changed, or a module in the same
    folder that it imports; of a module in a package, where any file of the package has. Data files
    that a measure reads and modules from elsewhere are not looked at: after changing one, name
    another folder. Python, here and on workers, keeps modules that it has imported: after changing
    one, start it again.

    While it runs, temporary files of this process are put into ``out``, so that a killed sweep
    leaves none elsewhere; the next one removes them.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> plan = {"chapters": [], "data": ["fair-oq"], "parameters": {"trials": 100, "splits": 10}}
    >>> with TemporaryDirectory() as folder:
    ...     tables = sweep(plan, folder)
    >>> sorted(tables)
    ['average-similarity-quantification', 'combined-quantification', 'consistency-quantification',
     'discrimination-quantification', 'similarity-quantification']
    """
    plan = _as_plan(plan)
    if jobs is not None and (isinstance(jobs, bool) or not isinstance(jobs, int) or jobs < 1):
        raise ValueError(f"jobs must be a whole number from 1, not {jobs!r}")
    if jobs is not None and scheduler is not None:
        raise ValueError("jobs= is for worker threads here; a scheduler has workers of its own")
    try:
        folder = SweepFolder(Path(out).expanduser().resolve(), progress)
    except (RuntimeError, OSError) as error:
        raise ValueError(f"out: {out}: {error}") from None
    folder.require_ours()
    todo, notes = make_jobs(plan)
    _require_apart(folder.path, todo)
    if scheduler is not None:
        with connected(scheduler):
            pass
    for note in notes:
        progress(note)
    prepare_environment()
    with folder.held(_summary(todo)):
        waiting = [job for job in todo if not folder.finished(job)]
        failed: dict[Job, str] = {}
        total, count = len(todo), len(todo) - len(waiting)
        if count:
            progress(f"{count} of {total} were done before")

        def report(job: Job, why: str) -> None:
            nonlocal count
            count += 1
            if why:
                failed[job] = why
            progress(f"{count}/{total} {job}: {why or 'done'}")

        if waiting and scheduler is not None:
            run_on(scheduler, waiting, folder, report, progress)
        elif waiting:
            run_here(waiting, folder, min(jobs or processors(), len(waiting)), report)
        tables = {}
        if not any(job.what == TABLES for job in failed):
            found = [_read(folder, job) for job in todo if job.what == TABLES]
            tables = cross_tables(found)
            folder.write_tables(as_files(tables, found))
    if failed:
        lines = "\n".join(f"  {job}: {why}" for job, why in failed.items())
        raise SweepError(f"{len(failed)} of {total} jobs failed; the others are kept:\n{lines}")
    return tables


def _as_plan(plan: Plan | Mapping[str, Any] | str | Path) -> Plan:
    if isinstance(plan, Plan):
        return plan
    if isinstance(plan, str | Path):
        return read_plan(plan)
    if unknown := plan.keys() - {"chapters", "data", "parameters"}:
        raise ValueError(f"a plan has chapters, data and parameters, not {min(unknown)!r}")
    return Plan(plan.get("chapters", ()), plan.get("data", ()), plan.get("parameters", {}))


def _require_apart(out: Path, jobs: Sequence[Job]) -> None:
    """Refuse a folder within the data, or that the data lie in."""
    for job in jobs:
        place = Path(split_place(job.data.place)[0])
        if place.is_absolute() and (out == place or place in out.parents or out in place.parents):
            raise ValueError(f"{out}: this lies within the data, or the data in it; use another")


def _summary(jobs: Sequence[Job]) -> dict[str, Any]:
    """Return what ``sweep.json`` says: every job by its key."""
    return {
        "jobs": {
            job.key: {
                "what": job.what,
                "data": job.data.name,
                "checksum": job.data.checksum,
                "parameters": dict(job.parameters),
            }
            for job in jobs
        }
    }


def _read(folder: SweepFolder, job: Job) -> Mapping[str, Any]:
    path = folder.path / "jobs" / job.key / NUMBERS_FILE
    found: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found
