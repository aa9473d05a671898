"""Does the jobs of a sweep: on worker threads, each driving its own kernel, or on a Dask cluster.

Contents
--------
perform         do one job and write its files into a folder
perform_there   the same on a worker of a cluster: returns the files
run_here        do jobs on worker threads of this process
run_on          do jobs on a Dask cluster
"""

import asyncio
import logging
import re
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import ordbook
from ordbook.chapters.data_argument import load_part
from ordbook.chapters.parameters import CHAPTERS, chapter_parameters, split_classes
from ordbook.data.faults import is_full, naming, reason_of
from ordbook.data.locks import temporary_folder
from ordbook.files import write_whole
from ordbook.meta.parallel import Progress, processors
from ordbook.pages.sphinx_extension import prepare_environment
from ordbook.report import custom_measures as own
from ordbook.report.rerun import execute
from ordbook.report.sweep.folder import SweepFolder
from ordbook.report.sweep.numbers import as_json, numbers
from ordbook.report.sweep.plan import TABLES, Job, checksum
from ordbook.report.sweep.plan_file import Value

# Called with a job and, where it failed, with why.
Report = Callable[[Job, str], None]
NUMBERS_FILE = "numbers.json"
# Of a scheduler, as Dask writes it; without a protocol it is tcp.
_ADDRESS = re.compile(r"((tcp|tls|ws|wss)://)?([\w.-]+|\[[0-9A-Fa-f:.%\w]+\]):(?P<port>\d{1,5})/?")
# How long a scheduler may take to say what it is; how often it is asked whether workers are left,
# and how long none may be there; in seconds.
ANSWER, LOOK, PATIENCE = 10.0, 5.0, 300.0
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
        write_whole(folder / NUMBERS_FILE, as_json(found))
    else:
        page = folder / f"{job.what}.ipynb"
        execute(job.what, _chapter_values(job), page, watch=progress)
    if own.contents(str(job.parameters.get("own", ""))) != list(job.sources):
        raise ValueError(
            "own: the files of these measures are not those that the sweep began with: run it again"
        )


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
    with (
        temporary_folder() as temporary,
        naming("a worker's folder for temporary files", temporary),
    ):
        folder = temporary / job.key
        folder.mkdir()
        perform(job, folder, progress=_still_wanted())
        return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


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
        with naming(folder.path, folder.path):
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


def run_on(
    address: str,
    jobs: Sequence[Job],
    folder: SweepFolder,
    report: Report,
    say: Callable[[str], object] = lambda line: None,
) -> None:
    """Do jobs on a Dask cluster, and keep each as soon as it is done.

    When the sweep ends early, by a kill too, the waiting jobs are taken back, and those that a
    worker is doing end there before the next cell. What a lost worker did is done by another.
    """
    run = uuid.uuid4().hex
    with connected(address) as client:
        try:
            futures = {
                client.submit(
                    perform_there, job, ordbook.__version__, key=f"{job.key}-{run}", pure=False
                ): job
                for job in jobs
            }
        except _gone():
            raise _lost(address) from None
        try:
            for future in _completed(client, address, futures, say):
                job = futures.pop(future)
                files, error = _outcome(future, address)
                if error is None:
                    place = folder.begin(job)
                    for name, content in files.items():
                        write_whole(place / name, content)
                    folder.keep(job)
                report(job, _why(error))
        finally:
            with suppress(*_gone()):
                client.cancel(list(futures), force=True)


def _outcome(future: Any, address: str) -> tuple[dict[str, bytes], BaseException | None]:
    """Return the files of a job that is done, or its error.

    Raises
    ------
    SweepError
        If the scheduler has gone: its jobs are then cancelled, and have no error of their own.
    """
    try:
        error = None if future.status == "cancelled" else future.exception()
        if future.status != "cancelled":
            return ({} if error else future.result()), error
    except _gone():
        pass
    raise _lost(address)


def _gone() -> tuple[type[BaseException], ...]:
    """Return what Dask raises where its scheduler is no longer there."""
    from distributed import CancelledError
    from distributed.client import ClosedClientError

    # Once it has given up, the client raises an error of its own, or has no scheduler to ask.
    return OSError, TimeoutError, CancelledError, RuntimeError, ClosedClientError, AttributeError


def _lost(address: str) -> SweepError:
    return SweepError(
        f"the scheduler at {address} has gone or dropped the jobs; what is done is kept, and the "
        "same command goes on from there"
    )


def _completed(
    client: Any, address: str, futures: Mapping[Any, Job], say: Callable[[str], object]
) -> Iterator[Any]:
    """Yield futures as they are done; give up where no worker is there to do them.

    Raises
    ------
    SweepError
        If there is none for ``PATIENCE`` seconds, or the scheduler has gone.
    """
    from distributed import as_completed

    waiting = as_completed(futures, loop=client.loop)
    looked, alone = time.monotonic() - LOOK, 0.0  # it is asked at once
    while waiting.count():
        if ready := waiting.next_batch(block=False):
            yield from ready
            looked, alone = time.monotonic(), 0.0
            continue
        time.sleep(0.1)
        if time.monotonic() - looked < LOOK:
            continue
        looked = time.monotonic()
        try:
            workers = client.nthreads()
        except _gone():
            raise _lost(address) from None
        if workers:
            alone = 0.0
        elif not alone:
            alone = looked
            say(f"the scheduler at {address} has no worker; waiting {PATIENCE:g} s for one")
        elif looked - alone > PATIENCE:
            raise SweepError(
                f"the scheduler at {address} has no workers; what is done is kept: start workers "
                "(dask worker ADDRESS), and the same command goes on from there"
            )


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
    address = address.rstrip("/")
    try:
        with _quiet(), ThreadPoolExecutor(1) as apart:  # a notebook has a loop of its own
            kind = apart.submit(lambda: asyncio.run(_kind(address))).result()
            if kind != "Scheduler":
                raise ValueError(f"this is a {kind}")
            client = Client(address, timeout=ANSWER, set_as_default=False)
    except Exception as error:  # what is no scheduler may send anything
        why = " ".join(str(error).split()) or "no answer in time"
        if not isinstance(error, OSError | ValueError):
            why = "what answers is something else"
        raise ValueError(
            f"no Dask scheduler answers at {address}: {why}; give the address that it prints as "
            "'Scheduler at', not that of its dashboard"
        ) from None
    with _quiet():  # a scheduler that goes away makes tracebacks in other threads
        try:
            yield client
        finally:
            # What the sweep has found does not depend on how the connection ends.
            with suppress(*_gone()):
                client.close(timeout=5)


async def _kind(address: str) -> str:
    """Ask what is at an address; Dask itself would wait for ever for a server of another kind."""
    from distributed import Security
    from distributed.comm.core import connect

    async def ask() -> str:
        comm = await connect(address, **Security().get_connection_args("client"))
        try:
            await comm.write({"op": "identity", "reply": True})
            said = await comm.read()
        finally:
            comm.abort()
        return str(said["type"])

    return await asyncio.wait_for(ask(), ANSWER)


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep libraries from writing about what is said in one line."""
    # Dask gives some of its loggers levels of their own.
    known = [name for name in logging.root.manager.loggerDict if name.startswith(_LOUD)]
    before = {name: logging.getLogger(name).level for name in {*known, *_LOUD}}
    for name in before:
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
    """Say in a line why a job failed, and what to do where it was not the job's fault."""
    if error is None:
        return ""
    if isinstance(error, OSError) and error.errno is not None:
        line = f"{error.filename}: {reason_of(error)}" if error.filename else reason_of(error)
        return f"{line}; make room there" if is_full(error) else line
    if type(error).__name__ == "KilledWorker":
        return "every worker that began it died, often for want of memory: start larger ones"
    return str(error) or type(error).__name__
