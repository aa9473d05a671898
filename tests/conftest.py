"""What tests share: things that may be absent, the files of the repository, a build of the book."""

import gc
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest
from filelock import FileLock

ROOT = Path(__file__).resolve().parents[1]

# A run started in the background of a script ignores Ctrl-C, and so would every command it starts.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_finish() -> None:
    """Spare the collector of garbage the tests, which it would look through time and again."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def _closes_figures() -> Iterator[None]:
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")


# The options of `make book`. A test holds the two together.
BUILD_OPTIONS = ["--all", "-n", "-W", "--keep-going"]


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Tell the first failures as they come, not after the last test."""
    terminal = config.pluginmanager.get_plugin("terminalreporter")
    if terminal is not None:
        config.pluginmanager.register(_FirstFailures(terminal))


@pytest.fixture(scope="module")
def forgotten() -> Iterator[None]:
    """Afterwards, measures that the tests of a module have registered are forgotten."""
    from ordbook.measures.registry import _BUILT_IN, _KNOWN

    yield
    for measures in _KNOWN.values():
        for name in set(measures) - _BUILT_IN:
            del measures[name]


class _FirstFailures:
    def __init__(self, terminal: pytest.TerminalReporter) -> None:
        self.terminal, self.left = terminal, 3

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and self.left:
            self.left -= 1
            self.terminal.write_line(f"\nFAILED {report.nodeid}\n{report.longreprtext}", red=True)


def absent(what: str, reason: str) -> NoReturn:
    """Skip a test for want of `what`, or fail it where ORDBOOK_REQUIRE lists `what`."""
    required = {item.strip() for item in os.environ.get("ORDBOOK_REQUIRE", "").split(",")}
    if what in required:
        pytest.fail(f"ORDBOOK_REQUIRE asks for {what}: {reason}", pytrace=False)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def root() -> Path:
    """The folder of the repository."""
    return ROOT


@pytest.fixture(scope="session")
def repository_files() -> list[Path]:
    """Files git tracks or would track; in an unpacked archive all but hidden and built ones."""
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    if listing.returncode == 0:
        names = {ROOT / name for name in listing.stdout.decode().split("\0") if name}
    else:
        names = {
            path
            for path in ROOT.rglob("*")
            if not any(
                part.startswith((".", "_build", "__pycache__", "dist"))
                for part in path.relative_to(ROOT).parts
            )
        }
    return sorted(path for path in names if path.is_file())


@pytest.fixture(scope="session")
def raw_files() -> Path:
    """The folder with other people's data files (ORDBOOK_MIRROR), or a skip."""
    name = os.environ.get("ORDBOOK_MIRROR", "")
    if not name:
        absent("raw", "ORDBOOK_MIRROR is not set: no raw data files here")
    if not Path(name).is_dir():
        absent("raw", f"ORDBOOK_MIRROR={name} is not a folder")
    return Path(name)


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of Chromium or Chrome, or a skip."""
    from helpers.chromium import find_chromium

    try:
        return find_chromium()
    except ValueError as error:
        absent("chromium", str(error))


@pytest.fixture(scope="session")
def javascript() -> Iterator[Callable[..., Any]]:
    """Call functions of the pages' scripts in one process of Node.js, or skip."""
    from helpers.javascript import running

    node = shutil.which("node") or absent("node", "node is not installed: apt-get install nodejs")
    with running(node) as call:
        yield call


@pytest.fixture(scope="session")
def build_book() -> Callable[[Path, Path], subprocess.CompletedProcess[str]]:
    """Build the book of the first folder into the second, with the interpreter of the tests."""

    def build(source: Path, output: Path) -> subprocess.CompletedProcess[str]:
        program = "from jupyter_book.cli.main import main; main()"
        arguments = ["build", str(source), "--path-output", str(output), *BUILD_OPTIONS]
        output.mkdir(parents=True, exist_ok=True)
        return subprocess.run(
            [sys.executable, "-c", program, *arguments],
            cwd=output,
            # The source tree may be read-only and must stay clean.
            env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONIOENCODING": "utf-8"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            errors="replace",
            check=False,
        )

    return build


@pytest.fixture(scope="session")
def built_book(
    build_book: Callable[[Path, Path], subprocess.CompletedProcess[str]],
    tmp_path_factory: pytest.TempPathFactory,
    worker_id: str,
) -> Path:
    """The folder with the pages of this repository's book.

    ORDBOOK_HTML names pages that were built just before, as CI has them; else they are built here,
    once for all workers.
    """
    if ready := os.environ.get("ORDBOOK_HTML"):
        pages = Path(ready).resolve()
        if not (pages / "book" / "index.html").is_file():
            pytest.fail(f"ORDBOOK_HTML={ready} holds no built book", pytrace=False)
        return pages
    folder = tmp_path_factory.getbasetemp()
    # Workers have a folder each, inside that of the whole run.
    output = (folder if worker_id == "master" else folder.parent) / "built_book"
    with FileLock(f"{output}.lock"):
        if not (output / "done").is_file():
            result = build_book(ROOT, output)
            if result.returncode:
                pytest.fail(f"the book does not build:\n{result.stdout[-8000:]}", pytrace=False)
            (output / "done").touch()
    return output / "_build" / "html"


@pytest.fixture
def no_raw_files(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A machine on which nobody has fetched anything."""
    monkeypatch.delenv("ORDBOOK_MIRROR", raising=False)
    monkeypatch.setenv("ORDBOOK_CACHE", str(tmp_path / "cache"))


@pytest.fixture(scope="module")
def browser(chromium):
    """One browser for a file of tests, without any network."""
    pytest.importorskip("playwright.sync_api")
    from helpers.browsing import open_browser

    with open_browser(chromium) as running:
        yield running
