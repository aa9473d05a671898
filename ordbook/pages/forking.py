"""Kernels forked from a process that has imported what chapters import.

Otherwise each kernel takes five seconds of processor for imports before its first cell.
"""

import gc
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.metadata import EntryPoint
from threading import Lock
from typing import Any

from jupyter_client.provisioning.factory import KernelProvisionerFactory
from jupyter_client.provisioning.local_provisioner import LocalProvisioner

# ipykernel first: ordbook.show.colours looks for it before it chooses how figures are shown.
IMPORTED = (
    *("ipykernel.kernelapp", "myst_nb", "seaborn", "ordbook.chapters.audit"),
    *("ordbook.chapters.choosing", "ordbook.chapters.real", "ordbook.papers.sigir18"),
)


class ForkedKernel:
    """What jupyter_client asks of the process of a kernel."""

    stdin = stdout = stderr = None

    def __init__(self, pid: int) -> None:
        self.pid = pid

    def send_signal(self, number: int) -> None:
        """Send a signal."""
        os.kill(self.pid, number)

    def poll(self) -> int | None:
        """Return None as long as the kernel runs."""
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return 0
        return None

    wait = poll


class ForkingProvisioner(LocalProvisioner):
    """Asks the process for a kernel, where the usual provisioner starts one."""

    parent_process: subprocess.Popen[str]
    lock = Lock()

    async def launch_kernel(self, cmd: list[str], **kwargs: Any) -> Any:
        """Launch a kernel: of the usual command, what stands from ``-f`` on are its arguments."""
        stdin, stdout = self.parent_process.stdin, self.parent_process.stdout
        assert stdin is not None
        assert stdout is not None
        with self.lock:
            print(json.dumps([cmd[cmd.index("-f") :], kwargs["cwd"]]), file=stdin, flush=True)
            answer = stdout.readline()
        if not answer:
            raise RuntimeError("the process that forks kernels has ended")
        kernel = ForkedKernel(int(answer))
        self.process, self.pid = kernel, kernel.pid  # type: ignore[assignment]
        return self.connection_info


@contextmanager
def forked_kernels() -> Iterator[None]:
    """Within the block, kernels that this process starts are forked; at its end they end."""
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", __name__],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    ForkingProvisioner.parent_process = process
    factory = KernelProvisionerFactory.instance()
    place = f"{__name__}:{ForkingProvisioner.__name__}"
    factory.provisioners["forking"] = EntryPoint("forking", place, factory.GROUP_NAME)
    usual, factory.default_provisioner_name = factory.default_provisioner_name, "forking"
    try:
        yield
    finally:
        factory.default_provisioner_name = usual
        process.communicate()


def main() -> None:
    """Import, and then fork a kernel for each line that comes, until no more can come."""
    for name in IMPORTED:
        import_module(name)
    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the kernels
    for line in sys.stdin:
        arguments, folder = json.loads(line)
        if pid := os.fork():
            print(pid, flush=True)
        else:
            serve(arguments, folder)
    os.killpg(0, signal.SIGKILL)


def serve(arguments: list[str], folder: str) -> None:
    """Be a kernel."""
    from ipykernel.kernelapp import IPKernelApp

    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.dup2(os.open(os.devnull, os.O_RDWR), 0)
    os.dup2(2, 1)
    os.chdir(folder)
    kernel: Any = IPKernelApp.instance()
    kernel.initialize([*arguments, f"--IPKernelApp.parent_handle={os.getppid()}"])
    kernel.shell.enable_matplotlib("inline")  # else done by the import of the backend
    kernel.start()
    os._exit(0)


if __name__ == "__main__":
    main()
