"""Executes chapters: one, or several side by side, each driving a kernel of its own.

Contents
--------
execute        execute one chapter
side_by_side   execute several in worker threads; the first to fail stops all
RerunError     a chapter failed while it ran, or its page could not be built
"""

import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from pathlib import Path

import nbformat
import papermill
from nbclient.exceptions import DeadKernelError
from nbconvert.preprocessors import TagRemovePreprocessor
from papermill.exceptions import PapermillExecutionError

from ordbook.chapters.parameters import CHAPTERS, notebook_of
from ordbook.data.catalog import catalog
from ordbook.files import write_whole
from ordbook.report.engine import ENGINE, Running

# The order in which they are begun: the longest first.
LONGEST = ("acl21", "lq21", "topics", "dnkt", "sigir18", "dialeval1", "measures")


SIMULATED = (
    "> **SIMULATED data.** {names}: these numbers come from a simulation; nobody measured them. "
    "Every table and figure on this page that uses them is simulated too."
)


# In a caption, what follows tells the finding on the book's own data.
FINDING = " On the paper's data, "


class RerunError(RuntimeError):
    """A chapter failed while it ran, or its page could not be built."""


def execute(
    chapter: str,
    parameters: Mapping[str, str | int],
    output: Path,
    *,
    notebook: Path | None = None,
    running: Running | None = None,
    watch: Callable[[int, int], object] | None = None,
    progress_bar: bool = False,
) -> None:
    """Execute a chapter with checked parameters and write it to ``output``, whole or not at all.

    Where the data are simulated, a banner below the title says so.

    Safe in several threads at once: each call drives a kernel of its own, in the folder of
    ``output``. Call :func:`ordbook.pages.sphinx_extension.prepare_environment` once before.

    Parameters
    ----------
    chapter
        Name of a chapter.
    parameters
        As :func:`ordbook.report.choosing.choose_parameters` returns them.
    output
        The executed notebook.
    notebook
        Another notebook to be executed in the place of the chapter's.
    running
        Takes in the kernel, so that another thread can stop it.
    watch
        Called with (cells done, cells) before every cell.
    progress_bar
        Whether to draw one on stderr.

    Raises
    ------
    RerunError
        If a cell failed; the message names chapter and cell.
    """
    output = output.resolve()
    try:
        done = papermill.execute_notebook(
            chosen_cells(chapter, parameters, notebook or notebook_of(chapter)),
            None,
            parameters=dict(parameters),
            engine_name=ENGINE,
            kernel_name="python3",
            progress_bar=progress_bar,
            # Not papermill's `cwd`, which changes the folder of the whole process, threads and all.
            resources={"metadata": {"path": str(output.parent)}},
            shutdown_kernel="immediate",  # a graceful shutdown stalls at random
            running=running,
            watch=watch,
        )
        # Where it lies on this machine is nobody else's business.
        done.metadata.papermill.update(input_path=f"{chapter}.ipynb", output_path=output.name)
        write_whole(output, f"{nbformat.writes(done)}\n")
    except PapermillExecutionError as error:
        raise RerunError(
            f"{chapter}: cell [{error.exec_count}] failed: {error.ename}: {error.evalue}"
        ) from None
    except DeadKernelError as error:
        raise RerunError(
            f"{chapter}: {error}; most often the memory was not enough: close other programs, or "
            "run fewer chapters at a time (--jobs 1), then run the same command again"
        ) from None
    except RuntimeError as error:
        raise RerunError(f"{chapter}: the kernel could not run the chapter: {error}") from None


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
    if simulated := simulated_sets(parameters.get(part, "") for part in parts):
        banner = SIMULATED.format(names=" and ".join(f"`{name}`" for name in simulated))
        chosen.cells.insert(1, nbformat.v4.new_markdown_cell(banner, id="simulated-banner"))
    return chosen


def simulated_sets(places: Iterable[object]) -> list[str]:
    """Return those data that are simulated sets of the catalogue.

    Examples
    --------
    >>> simulated_sets(["sem16t4c", "simulated-oq7", "", "/tmp/mine"])
    ['simulated-oq7']
    """
    sets = catalog()
    return [str(one) for one in places if one in sets and sets[str(one)].format == "simulated"]


def side_by_side(
    work: Mapping[str, tuple[Path, Mapping[str, str | int]]],
    folder: Path,
    jobs: int,
    progress: Callable[[str], None],
) -> None:
    """Execute notebooks in worker threads, each driving a kernel; the first to fail stops all."""
    running = Running()

    def run(name: str) -> None:
        begun, quarter = time.monotonic(), 0

        def watch(done: int, cells: int) -> None:
            nonlocal quarter
            if 4 * done // cells > quarter:
                quarter = 4 * done // cells
                seconds = time.monotonic() - begun
                progress(f"{name}: cell {done} of {cells} after {seconds:.0f} s")

        progress(f"{name}: started")
        notebook, parameters = work[name]
        output = folder / f"{name}.ipynb"
        execute(name, parameters, output, notebook=notebook, running=running, watch=watch)
        progress(f"{name}: finished in {time.monotonic() - begun:.0f} s")

    order = {name: place for place, name in enumerate(LONGEST)}
    names = sorted(work, key=lambda name: order.get(name, len(order)))
    with ThreadPoolExecutor(max_workers=jobs) as pool:
        try:
            pending = {pool.submit(run, name) for name in names}
            while pending:
                # A signal that another thread takes is heard only between two waits.
                done, pending = wait(pending, timeout=0.2, return_when=FIRST_COMPLETED)
                for future in done:
                    future.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            running.stop()
            raise
