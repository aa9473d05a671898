"""Executes chapters, each in a kernel of its own, several side by side."""

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import DeadKernelError
from nbconvert.preprocessors import TagRemovePreprocessor
from papermill.parameterize import parameterize_notebook

from ordbook.meta.parallel import processors
from ordbook.meta.validation import whole_number
from ordbook.show.escape import escape_markdown
from ordbook.show.parameters import CHAPTERS, RerunError, notebook_of
from ordbook.show.run import ClaimError

T = TypeVar("T")
# In a caption, what follows tells the finding on the book's own data.
FINDING = " On the paper's data, "
# What a failing check of a page raises.
CHECKS = (AssertionError.__name__, ClaimError.__name__)
# The kernel warns at every start that it talks over TCP; on one machine that is how it is meant.
QUIET = "--IPKernelApp.log_level=40"


class Running:
    """The kernels at work in this process.

    A kernel has a session of its own, so Ctrl-C does not reach it, and waiting for a long cell to
    end would take minutes.
    """

    def __init__(self) -> None:
        self.clients: set[NotebookClient] = set()
        self._stopped = False

    def stop(self) -> None:
        """End every kernel at work, and let nothing begin another step."""
        self._stopped = True
        for client in list(self.clients):
            process = getattr(getattr(client.km, "provisioner", None), "process", None)
            if process is not None:
                process.kill()

    def check(self, done: int = 0, total: int = 0) -> None:
        """Raise if all was stopped; can be the ``progress`` of a long computation."""
        if self._stopped:
            raise RerunError("stopped")


def prepare_environment() -> None:
    """Give the kernels of the chapters the environment that the Makefile gives them.

    Any value of ``MPLBACKEND`` keeps figures out of notebooks without a word, and ``JUPYTER_PATH``
    can bring a foreign kernel named python3 to the front.
    """
    os.environ.pop("MPLBACKEND", None)
    os.environ.pop("JUPYTER_PATH", None)
    os.environ["PYTHONNOUSERSITE"] = "1"
    os.environ.setdefault("OMP_NUM_THREADS", "1")


def execute(
    chapter: str,
    parameters: Mapping[str, Any],
    output: Path,
    *,
    running: Running | None = None,
    progress: Callable[[str], None] = lambda line: None,
) -> None:
    """Execute a chapter with checked parameters and write it to ``output``.

    Safe in several threads at once: each call drives a kernel of its own, in the folder of
    ``output``. Call :func:`prepare_environment` once before.

    Parameters
    ----------
    chapter
        Name of a chapter.
    parameters
        As :func:`ordbook.reports.rerun.choose` returns them.
    output
        The executed notebook.
    running
        Takes in the kernel, so that another thread can stop it.
    progress
        Called with one line at every quarter of the cells.

    Raises
    ------
    RerunError
        If a cell failed; the message names chapter and cell. A check that fails under parameters
        is a warning in the page, because its author knew only the book's own data.
    """
    running, start = running or Running(), time.monotonic()
    chosen = chosen_cells(chapter, parameters)
    cells = len(chosen.cells)

    def begin(cell: nbformat.NotebookNode, cell_index: int) -> None:
        running.check()
        if cell_index in (cells // 4, cells // 2, 3 * cells // 4):
            seconds = time.monotonic() - start
            progress(f"{chapter}: cell {cell_index} of {cells} after {seconds:.0f} s")

    def number(cell_index: int) -> int:
        return sum(cell.cell_type == "code" for cell in chosen.cells[: cell_index + 1])

    def fail(cell: nbformat.NotebookNode, cell_index: int, execute_reply: Any) -> None:
        error = execute_reply["content"]
        why = f"{error['ename']}: {error['evalue']}"
        if not parameters or error["ename"] not in CHECKS:
            raise RerunError(f"{chapter}: cell [{number(cell_index)}] failed: {why}")
        warn(cell, error["evalue"])
        progress(f"{chapter}: the check in cell [{number(cell_index)}] fails: {why}")

    client = NotebookClient(
        chosen,
        timeout=None,
        kernel_name="python3",
        extra_arguments=[QUIET],
        record_timing=False,
        allow_errors=True,  # else the kernel refuses the cell after a check that fails
        shutdown_kernel="immediate",  # a graceful shutdown stalls at random
        resources={"metadata": {"path": str(output.resolve().parent)}},
        on_cell_start=begin,
        on_cell_error=fail,
    )
    progress(f"{chapter}: started")
    running.clients.add(client)
    try:
        with client.setup_kernel():  # `client.execute` would leave a traceback after Ctrl-C
            for place, cell in enumerate(chosen.cells):
                client.execute_cell(cell, place)
    except DeadKernelError:
        raise RerunError(
            f"{chapter}: the kernel died in cell [{client.code_cells_executed}]; most often the "
            "memory was not enough: close other programs, or run fewer chapters at a time (--jobs "
            "1), then run the same command again"
        ) from None
    finally:
        running.clients.remove(client)
    output.write_text(f"{nbformat.writes(chosen)}\n", encoding="utf-8")
    progress(f"{chapter}: finished in {time.monotonic() - start:.0f} s")


def warn(cell: nbformat.NotebookNode, message: str) -> None:
    """Put a warning in the place of a check that fails, and show it even if a tag hides the cell.

    The code of the cell stays folded.
    """
    words = escape_markdown(message or "the assertion in the code of this cell")
    text = (
        "> **Warning.** A check that holds on the book's own data fails on these data or with "
        f"these parameters: {words}. Read the results beside it with care."
    )
    data = {"text/markdown": text, "text/plain": text}
    warning = nbformat.v4.new_output("display_data", data)
    cell.outputs = [warning if o.output_type == "error" else o for o in cell.outputs]
    hiding = {"hide-cell": "hide-input", "remove-cell": "remove-input"}
    cell.metadata["tags"] = [hiding.get(tag, tag) for tag in cell.metadata.get("tags", [])]


def chosen_cells(chapter: str, parameters: Mapping[str, Any]) -> nbformat.NotebookNode:
    """Return a chapter with parameters, without the cells that are not about the task at hand.

    These are the cells tagged ``paper``, about the book's own data, and those of a half that has no
    data. Captions lose what they tell of the book's own data. Without parameters a chapter is run
    whole.
    """
    chosen: nbformat.NotebookNode = nbformat.read(notebook_of(chapter), as_version=4)
    if not parameters:
        return chosen
    idle = [part for part in CHAPTERS[chapter] if not parameters.get(part)]
    remover = TagRemovePreprocessor(remove_cell_tags=["paper", *idle], enabled=True)
    chosen = remover.preprocess(chosen, {})[0]
    for cell in chosen.cells:
        cell.metadata.setdefault("tags", [])
        figure = cell.metadata.get("mystnb", {}).get("figure", {})
        if "caption" in figure:
            figure["caption"] = figure["caption"].partition(FINDING)[0]
    chosen.metadata["papermill"] = {}
    with_parameters: nbformat.NotebookNode = parameterize_notebook(chosen, dict(parameters))
    return with_parameters


@contextmanager
def workers(jobs: int | None) -> Iterator[tuple[ThreadPoolExecutor, Running]]:
    """Give worker threads, and what takes in their kernels: as the block ends, all end with it."""
    threads = processors() if jobs is None else whole_number(jobs, "jobs")
    running, pool = Running(), ThreadPoolExecutor(threads)
    try:
        yield pool, running
    finally:
        running.stop()
        pool.shutdown(cancel_futures=True)


def completed(futures: Iterable[Future[T]]) -> Iterator[Future[T]]:
    """Yield futures as they are done."""
    pending = set(futures)
    while pending:
        # A signal that another thread takes is heard only between two waits.
        done, pending = wait(pending, timeout=0.2, return_when=FIRST_COMPLETED)
        yield from done


def side_by_side(
    work: Mapping[str, Mapping[str, Any]],
    folder: Path,
    jobs: int | None,
    progress: Callable[[str], None],
) -> dict[str, str]:
    """Execute chapters with their parameters in worker threads; return why any failed."""
    failed = {}
    # The largest first: they tend to take longest, and none should be left alone at the end.
    names = sorted(work, key=lambda name: notebook_of(name).stat().st_size, reverse=True)
    with workers(jobs) as (pool, running):
        run = partial(execute, running=running, progress=progress)
        futures = {
            pool.submit(run, name, work[name], folder / f"{name}.ipynb"): name for name in names
        }
        for future in completed(futures):
            try:
                future.result()
            except RerunError as error:
                failed[futures[future]] = str(error)
    return failed
