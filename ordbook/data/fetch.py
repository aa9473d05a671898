"""Fetch raw files: the only part of ordbook that uses the network.

Pooch downloads each file into a folder of its own (``raw/.incoming`` in the cache), checks its
sha256, and only then is the file moved to its place in one step: a file is there whole or not at
all. One fetch at a time works in a cache, under a lock that the system takes back when a process
dies; what a killed fetch left behind is therefore known to be nobody's, and removed by the next.

With ORDBOOK_MIRROR set, files are copied from that folder the same way, and never downloaded.

Contents
--------
fetch     make sure that the raw files of some data sets are in the cache
Outcome   what happened to one data set
"""

import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from ordbook.data.catalog import DataSet, catalog
from ordbook.data.download import FetchError, Limits, copy, download
from ordbook.data.faults import is_full, reason_of
from ordbook.data.locks import take
from ordbook.data.paths import cache_folder, mirror_folder
from ordbook.data.raw import find, verify

Report = Callable[[str], None]


@dataclass(frozen=True)
class Outcome:
    """What happened to one data set.

    Attributes
    ----------
    fetched, present
        How many files were fetched, and how many were here already.
    failure
        Why it is not complete, or empty.
    ask
        Whom to ask for it, where it has no address, or empty.
    """

    name: str
    fetched: int = 0
    present: int = 0
    failure: str = ""
    ask: str = ""

    def __str__(self) -> str:
        if self.ask:
            return f"{self.name}: must be asked for, 'ordbook fetch {self.name}' says whom"
        counts = f"{self.fetched} fetched, {self.present} here already"
        return f"{self.name}: {f'INCOMPLETE, {counts}' if self.failure else f'complete ({counts})'}"


def fetch(
    names: Sequence[str], *, report: Report = print, limits: Limits | None = None
) -> list[Outcome]:
    """Make sure that the raw files of some data sets are in the cache.

    Files that are here and right are not fetched again; files that are here and wrong are
    replaced. Where a file does not arrive, the rest of its data set is left for the next time,
    the other data sets are still fetched, and what did arrive stays.

    Parameters
    ----------
    names
        Names of the catalogue, or ``all`` for every data set that has an address (with
        ORDBOOK_MIRROR, also those that must be asked for and are in the mirror).
    report
        Called with a line of text for each file that is fetched or replaced.

    Raises
    ------
    ValueError
        If a name is not in the catalogue, or a data set that was named must be asked for; then
        nothing has been fetched.
    """
    known = catalog()
    for name in names:
        if name not in known and name != "all":
            raise ValueError(f"no data set {name!r} in the catalogue; there are {', '.join(known)}")
        if name != "all" and known[name].format == "elsewhere":
            raise ValueError(known[name].how_to_get())
        if name != "all" and not known[name].files:
            raise ValueError(f"{name} is part of ordbook: there is nothing to fetch")
    mirror = mirror_folder()
    everything = [name for name, dataset in known.items() if dataset.files]
    chosen = everything if "all" in names else list(dict.fromkeys(names))
    asks = {name: _ask(known[name], mirror) for name in chosen}
    for name in names:
        if asks.get(name):
            raise ValueError(f"{name} cannot be fetched: {asks[name]}")
    with _alone(cache_folder() / "raw", report) as incoming:
        return [
            Outcome(name, ask=asks[name])
            if asks[name]
            else _fetch_one(known[name], incoming, mirror, report, limits or Limits())
            for name in chosen
        ]


def _ask(dataset: DataSet, mirror: Path | None) -> str:
    """Whom to ask for files that have no address and are not here; empty if there are none."""
    for file in dataset.files:
        if file in dataset.urls or (mirror and find(mirror / dataset.folder, dataset, file)):
            continue
        if find(cache_folder() / "raw" / dataset.folder, dataset, file) is None:
            return dataset.ask()
    return ""


def _fetch_one(
    dataset: DataSet, incoming: Path, mirror: Path | None, report: Report, limits: Limits
) -> Outcome:
    fetched = present = 0
    try:
        for file in (*dataset.files, *dataset.official):
            folder = cache_folder() / "raw" / dataset.folder
            path = find(folder, dataset, file)
            if path is not None and _is_right(path, dataset, file):
                present += 1
                continue
            if path is not None and not (file in dataset.urls or mirror):
                verify(path, dataset, file)  # put there by hand, and cannot be replaced
            if path is not None:
                report(f"{dataset.name}: {path} is not the right file and is replaced")
            if mirror is not None:
                source = _in_mirror(mirror / dataset.folder, dataset, file)
                path = folder / source.relative_to(mirror / dataset.folder)
                size = copy(source, path, incoming)
            else:
                path = folder / file
                expected = dataset.files.get(file) or dataset.official[file]
                size = download(dataset.urls[file], path, expected, incoming, limits)
            fetched += 1
            report(f"{dataset.name}: {path.relative_to(folder)} ({size / 1000:,.1f} kB)")
    except (FetchError, ValueError) as error:
        return Outcome(dataset.name, fetched, present, failure=f"{dataset.name}: {error}")
    return Outcome(dataset.name, fetched, present)


def _is_right(path: Path, dataset: DataSet, file: str) -> bool:
    try:
        verify(path, dataset, file)
    except ValueError:
        return False
    return True


def _in_mirror(folder: Path, dataset: DataSet, file: str) -> Path:
    path = find(folder, dataset, file)
    if path is None:
        raise FetchError(
            f"{folder / file} is not there, and with ORDBOOK_MIRROR set nothing is downloaded: "
            "add the file, or unset ORDBOOK_MIRROR"
        )
    try:
        verify(path, dataset, file)
    except ValueError as error:
        raise FetchError(str(error)) from None
    return path


@contextmanager
def _alone(folder: Path, report: Report) -> Iterator[Path]:
    """Hold the cache's lock; give an empty folder for files on their way."""
    incoming = folder / ".incoming"
    with ExitStack() as stack:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            lock = stack.enter_context((folder / ".lock").open("ab"))
            waiting = False
            while not take(lock):
                if not waiting:
                    report("waiting for another 'ordbook fetch' to finish")
                waiting = True
                time.sleep(0.2)
            shutil.rmtree(incoming, ignore_errors=True)
            incoming.mkdir()
        except OSError as error:
            if is_full(error):
                raise
            raise ValueError(
                f"{folder}: the cache folder cannot be made or written ({reason_of(error)}); set "
                "ORDBOOK_CACHE to another folder"
            ) from None
        stack.callback(shutil.rmtree, incoming, ignore_errors=True)
        yield incoming
