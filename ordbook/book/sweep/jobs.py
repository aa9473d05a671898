"""Does the jobs of a sweep: on worker threads, each driving its own kernel, or on a Dask cluster.

Contents
--------
perform         do one job and write its files into a folder
perform_there   the same on a worker of a cluster: returns the files
run_here        do jobs on worker threads of this process
run_on          do jobs on a Dask cluster
"""

import logging
import re
import tempfile
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import ordbook
from ordbook.book.chapters import CHAPTERS, chapter_parameters, split_classes
from ordbook.book.pages.sphinx_extension import prepare_environment
from ordbook.book.places import load_part
from ordbook.book.rerun import execute
from ordbook.book.sweep.folder import SweepFolder
from ordbook.book.sweep.numbers import as_json, numbers
from ordbook.book.sweep.plan import TABLES, Job, checksum
from ordbook.book.sweep.plan_file import Value
from ordbook.meta.chunks import Progress, processors

# Called with a job and, where it failed, with why.
Report = Callable[[Job, str], None]
NUMBERS_FILE = "numbers.json"
# Of a scheduler, as Dask writes it; without a protocol it is tcp.
_ADDRESS = re.compile(r"((tcp|tls|ws|wss)://)?([\w.-]+|\[[0-9A-Fa-f:.%\w]+\]):(?P<port>\d{1,5})/?")
# Those who write a traceback of their own where nobody answers.
_LOUD = ("distributed", "tornado.application", "asyncio")


class SweepError(RuntimeError):
    """Jobs of a sweep failed, or the cluster could not do them; what is done is kept."""


class _Stopped(Exception):
    """The sweep was interrupted while a job was under way."""


def perform(
    job: Job, folder: Path, threads: int | None = None, progress: Progress | None = None
) -> None:
    """Do one job and write its files into an empty folder."""
    data = job.data
    if job.what == TABLES:
        task = load_part("", data.place, split_classes(data.classes))
        if checksum(task) != data.checksum:
            raise ValueError(f"{data.place}: these are not the data that the sweep began with")
        options: Mapping[str, Any] = job.parameters
        found = numbers(task, **options, threads=threads, progress=progress)
        (folder / NUMBERS_FILE).write_text(as_json(found), encoding="utf-8", newline="\n")
    else:
        page = folder / f"{job.what}.ipynb"
        execute(job.what, _chapter_values(job), page, watch=progress)


def perform_there(job: Job, version: str) -> dict[str, bytes]:
    """Do one job on a worker of a cluster and return its files by name.

    Raises
    ------
    ValueError
        If the worker has another version of ordbook, or other data under that name.
    """
    if ordbook.__version__ != version:
        raise ValueError(f"a worker has ordbook {ordbook.__version__}, the sweep {version}")
    prepare_environment()
    task = load_part("", job.data.place, split_classes(job.data.classes))
    if checksum(task) != job.data.checksum:
        raise ValueError(f"{job.data.place}: a worker finds other data there than the sweep")
    with tempfile.TemporaryDirectory(prefix="ordbook-") as folder:
        perform(job, Path(folder), progress=_still_wanted())
        return {path.name: path.read_bytes() for path in sorted(Path(folder).iterdir())}


def run_here(jobs: Sequence[Job], folder: SweepFolder, workers: int, report: Report) -> None:
    """Do jobs on worker threads, and keep each as soon as it is done.

    An interrupt ends the kernels, and leaves what is done.
    """
    stop = threading.Event()
    threads = max(1, processors() // workers)

    def check(done: int, total: int) -> None:
        if stop.is_set():
            raise _Stopped

    def work(job: Job) -> None:
        check(0, 0)
        perform(job, folder.begin(job), threads, check)
        check(0, 0)
        folder.keep(job)

    pool = ThreadPoolExecutor(workers, thread_name_prefix="sweep")
    pending: dict[Future[None], Job] = {pool.submit(work, job): job for job in jobs}
    try:
        while pending:
            # Without a timeout, Windows would not hear Ctrl-C.
            for future in wait(pending, timeout=0.5, return_when=FIRST_COMPLETED).done:
                report(pending.pop(future), _why(future.exception()))
    finally:
        stop.set()
        for future in pending:
            future.cancel()
        while not all(future.done() for future in pending):
            folder.stop_kernels()
            time.sleep(0.2)
        pool.shutdown()


def run_on(address: str, jobs: Sequence[Job], folder: SweepFolder, report: Report) -> None:
    """Do jobs on a Dask cluster, and keep each as soon as it is done.

    When the sweep ends early, by a kill too, the waiting jobs are taken back, and those that a
    worker is doing end there before the next cell.
    """
    from distributed import as_completed

    run = uuid.uuid4().hex
    with connected(address) as client:
        futures = {
            client.submit(
                perform_there, job, ordbook.__version__, key=f"{job.key}-{run}", pure=False
            ): job
            for job in jobs
        }
        try:
            waiting = as_completed(futures, loop=client.loop)
            for future in waiting:
                job = futures.pop(future)
                if (error := future.exception()) is None:
                    place = folder.begin(job)
                    for name, content in future.result().items():
                        (place / name).write_bytes(content)
                    folder.keep(job)
                elif future.status == "cancelled":
                    raise SweepError(f"the scheduler at {address} has gone or dropped the jobs")
                report(job, _why(error))
        finally:
            client.cancel(list(futures), force=True)


@contextmanager
def connected(address: str) -> Iterator[Any]:
    """Connect to a Dask scheduler.

    Raises
    ------
    ValueError
        If that is no address, or none answers there.
    """
    from distributed import Client

    found = _ADDRESS.fullmatch(address)
    if found is None or not 0 < int(found["port"]) < 65536:
        raise ValueError(f"scheduler {address}: write its address as tcp://HOST:PORT")
    try:
        with _quiet():
            client = Client(address, timeout=10, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        why = " ".join(str(error).split()) or "no answer in time"
        raise ValueError(f"no Dask scheduler answers at {address}: {why}") from None
    try:
        yield client
    finally:
        # What the sweep has found does not depend on how the connection ends.
        with suppress(OSError, TimeoutError):
            client.close(timeout=5)


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep libraries from writing about what is said in one line."""
    before = {name: logging.getLogger(name).level for name in _LOUD}
    for name in _LOUD:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for name, level in before.items():
            logging.getLogger(name).setLevel(level)


def _still_wanted() -> Progress:
    """Return what raises as soon as nobody waits any more for the task of this worker."""
    from distributed import get_worker

    worker = get_worker()
    key = worker.get_current_task()

    def check(done: int, total: int) -> None:
        task = worker.state.tasks.get(key)
        if task is None or task.state == "cancelled":
            raise _Stopped

    return check


def _chapter_values(job: Job) -> dict[str, Value]:
    """Return every parameter of a chapter that is not at its default."""
    parts = dict.fromkeys(CHAPTERS[job.what], "") | {job.data.kind: job.data.place}
    known = chapter_parameters(job.what)
    classes = {"classes": job.data.classes} if "classes" in known else {}
    return {**parts, **classes, **job.parameters}


def _why(error: BaseException | None) -> str:
    return "" if error is None else str(error) or type(error).__name__
