"""Executes chapters: one, or several side by side, each driving a kernel of its own."""

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

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
        self._clients: set[NotebookClient] = set()
        self._stopped = False

    def stop(self) -> None:
        """End every kernel at work, and let nothing begin another step."""
        self._stopped = True
        for client in list(self._clients):
            process = getattr(getattr(client.km, "provisioner", None), "process", None)
            if process is not None:
                process.kill()

    def check(self, done: int = 0, total: int = 0) -> None:
        """Raise if all was stopped; can be the ``progress`` of a long computation."""
        if self._stopped:
            raise RerunError("stopped")

    @contextmanager
    def watching(self, client: NotebookClient) -> Iterator[None]:
        """Take in a kernel until the block ends."""
        self._clients.add(client)
        try:
            yield
        finally:
            self._clients.remove(client)


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
    parameters: Mapping[str, str | int],
    output: Path,
    *,
    notebook: Path | None = None,
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
        As :func:`ordbook.report.rerun.choose` returns them.
    output
        The executed notebook.
    notebook
        Another notebook to be executed in the place of the chapter's.
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
    running, begun, start = running or Running(), 0, time.monotonic()
    chosen = chosen_cells(chapter, parameters, notebook or notebook_of(chapter))
    if parameters:
        chosen.metadata["papermill"] = {}
        for cell in chosen.cells:
            cell.metadata.setdefault("tags", [])
        chosen = parameterize_notebook(chosen, dict(parameters))

    client = NotebookClient(
        chosen,
        timeout=None,
        kernel_name="python3",
        extra_arguments=[QUIET],
        record_timing=False,
        allow_errors=True,  # so that the kernel goes on after a check that fails
        shutdown_kernel="immediate",  # a graceful shutdown stalls at random
        resources={"metadata": {"path": str(output.resolve().parent)}},
    )
    cells = len(chosen.cells)
    progress(f"{chapter}: started")
    try:
        with running.watching(client), client.setup_kernel():
            for number, cell in enumerate(chosen.cells):
                running.check()
                if number in (cells // 4, cells // 2, 3 * cells // 4):
                    now = time.monotonic() - start
                    progress(f"{chapter}: cell {number} of {cells} after {now:.0f} s")
                begun += cell.cell_type == "code"
                client.execute_cell(cell, number)
                for place, result in enumerate(cell.get("outputs", [])):
                    if result.output_type == "error":
                        why = f"{result.ename}: {result.evalue}"
                        if not parameters or result.ename not in CHECKS:
                            raise RerunError(f"{chapter}: cell [{begun}] failed: {why}")
                        cell.outputs[place] = failed_check(result.evalue)
                        show_output(cell)
                        progress(f"{chapter}: the check in cell [{begun}] fails: {why}")
    except DeadKernelError:
        raise RerunError(
            f"{chapter}: the kernel died in cell [{begun}]; most often the memory was not enough: "
            "close other programs, or run fewer chapters at a time (--jobs 1), then run the same "
            "command again"
        ) from None
    output.write_text(f"{nbformat.writes(chosen)}\n", encoding="utf-8")
    progress(f"{chapter}: finished in {time.monotonic() - start:.0f} s")


def failed_check(message: str) -> nbformat.NotebookNode:
    """Return the warning that stands in the page in the place of a check that fails."""
    words = escape_markdown(message or "the assertion in the code of this cell")
    text = (
        "> **Warning.** A check that holds on the book's own data fails on these data or with "
        f"these parameters: {words}. Read the results beside it with care."
    )
    data = {"text/markdown": text, "text/plain": text}
    warning: nbformat.NotebookNode = nbformat.v4.new_output("display_data", data)
    return warning


def show_output(cell: nbformat.NotebookNode) -> None:
    """Show a cell's output even if its tags fold or remove it; its code stays folded."""
    hiding = {"hide-cell": "hide-input", "remove-cell": "remove-input"}
    tags = cell.metadata.get("tags", [])
    cell.metadata["tags"] = [hiding.get(tag, tag) for tag in tags]


def chosen_cells(
    chapter: str, parameters: Mapping[str, str | int], notebook: Path
) -> nbformat.NotebookNode:
    """Return a notebook without the cells that are not about the task at hand.

    These are the cells tagged ``paper``, about the book's own data, and those of a half that has no
    data. Captions lose what they tell of the book's own data. Without parameters a chapter is run
    whole.
    """
    if not parameters:
        whole: nbformat.NotebookNode = nbformat.read(notebook, as_version=4)
        return whole
    parts = CHAPTERS.get(chapter, ("data",))  # the report has one kind of data, whatever it is
    idle = [part for part in parts if not parameters.get(part)]
    remover = TagRemovePreprocessor(remove_cell_tags=["paper", *idle], enabled=True)
    every = nbformat.read(notebook, as_version=4)
    chosen: nbformat.NotebookNode = remover.preprocess(every, {})[0]
    for cell in chosen.cells:
        figure = cell.metadata.get("mystnb", {}).get("figure", {})
        if "caption" in figure:
            figure["caption"] = figure["caption"].partition(FINDING)[0]
    return chosen


def side_by_side(
    work: Mapping[str, tuple[Path, Mapping[str, str | int]]],
    folder: Path,
    jobs: int | None,
    progress: Callable[[str], None],
) -> None:
    """Execute notebooks in worker threads, each driving a kernel; the first to fail stops all."""

    def run(name: str, running: Running) -> None:
        notebook, parameters = work[name]
        output = folder / f"{name}.ipynb"
        execute(name, parameters, output, notebook=notebook, running=running, progress=progress)

    # The largest first: they tend to take longest, and none should be left alone at the end.
    names = sorted(work, key=lambda name: work[name][0].stat().st_size, reverse=True)
    with workers(jobs) as (pool, running):
        for future in completed({pool.submit(run, name, running) for name in names}):
            future.result()


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
