"""Runs notebooks in kernels of their own, watched, and stopped at once where it must be.

Contents
--------
Running      the kernels at work; ``stop`` ends them all
ENGINE       name of papermill's engine that heeds it
"""

import threading
from collections.abc import Callable
from typing import Any

from nbclient.exceptions import DeadKernelError
from papermill.clientwrap import PapermillNotebookClient
from papermill.engines import NBClientEngine, papermill_engines

ENGINE = "ordbook"
# The kernel warns at every start that it talks over TCP; on one machine that is how it is meant.
QUIET = "--IPKernelApp.log_level=40"


class Running:
    """The kernels at work in this process.

    A kernel has a session of its own, so Ctrl-C does not reach it, and waiting for a long cell to
    end would take minutes.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._clients: list[PapermillNotebookClient] = []
        self.stopped = False

    def stop(self) -> None:
        """End every kernel at work, and let none begin another cell."""
        with self._lock:
            self.stopped = True
            for client in self._clients:
                process = getattr(getattr(client.km, "provisioner", None), "process", None)
                if process is not None:
                    process.kill()

    def begin(self, client: PapermillNotebookClient) -> None:
        """Take in a kernel that is about to start."""
        with self._lock:
            self._clients.append(client)

    def end(self, client: PapermillNotebookClient) -> None:
        """Let go of it."""
        with self._lock:
            self._clients.remove(client)


class _Engine(NBClientEngine):  # type: ignore[misc]
    """Papermill's own engine; every cell is reported, and asked whether to go on."""

    @classmethod
    def execute_managed_notebook(
        cls,
        nb_man: Any,
        kernel_name: str,
        *,
        running: Running | None = None,
        watch: Callable[[int, int], object] | None = None,
        **options: Any,
    ) -> Any:
        running = running or Running()
        begin = nb_man.cell_start
        begun = 0  # of the cells with code

        def cell_start(cell: Any, cell_index: int | None = None, **more: Any) -> None:
            nonlocal begun
            if running.stopped:
                raise RuntimeError("stopped")
            begun += cell.cell_type == "code"
            begin(cell, cell_index, **more)
            if watch and cell_index is not None:
                watch(cell_index, len(nb_man.nb.cells))

        nb_man.cell_start = cell_start
        for name in ("input_path", "start_timeout", "execution_timeout", "timeout"):
            options.pop(name, None)
        client = PapermillNotebookClient(
            nb_man, kernel_name=kernel_name, extra_arguments=[QUIET], timeout=None, **options
        )
        running.begin(client)
        try:
            return client.execute()
        except DeadKernelError:
            raise DeadKernelError(f"the kernel died in cell [{begun}]") from None
        finally:
            running.end(client)


papermill_engines.register(ENGINE, _Engine)
