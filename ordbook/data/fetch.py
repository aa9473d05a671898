"""Fetching: the only part of ordbook that uses the network.

Pooch gets each file, checks its sha256 and puts it into its place in one step, so a file is there
whole or not at all. With ORDBOOK_MIRROR set, files are copied from that folder, and never
downloaded. One fetch at a time works in a cache.
"""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ordbook.data.catalog import DataSet, catalog, checksum, find
from ordbook.data.known import without_text
from ordbook.data.text import read_content
from ordbook.files import cache_folder, mirror_folder, write_whole
from ordbook.words import did_you_mean

Report = Callable[[str], None]
SILENCE = 30.0  # seconds to wait for a connection, and for the next bytes
RETRIES = 2  # after a failure that may pass


@dataclass(frozen=True)
class Outcome:
    """The outcome for one data set.

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
    names: Sequence[str], *, file: str | Path | None = None, report: Report = print
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
    file
        A file that had to be asked for, which is put into the cache first; of the annotations of
        STC-3 without the text of the dialogues.
    report
        Called with a line of text for each file that is fetched or replaced.

    Raises
    ------
    ValueError
        If a name is not in the catalogue, a data set that was named must be asked for, or ``file``
        is none of its files; then nothing has been fetched.
    """
    known = catalog()
    for name in names:
        if name not in known and name != "all":
            proposed = did_you_mean(name, known)
            raise ValueError(
                f"no data set {name!r} in the catalogue; there are {', '.join(known)}{proposed}"
            )
        if name != "all" and known[name].format == "elsewhere":
            raise ValueError(known[name].how_to_get())
        if name != "all" and not known[name].files:
            raise ValueError(f"{name} is part of ordbook: there is nothing to fetch")
    import pooch
    from filelock import FileLock

    mirror = mirror_folder()
    everything = [name for name, dataset in known.items() if dataset.files]
    chosen = everything if "all" in names else list(dict.fromkeys(names))
    pooch.get_logger().setLevel("WARNING")  # what happens is reported here
    cache = cache_folder() / "raw"
    cache.mkdir(parents=True, exist_ok=True)
    with FileLock(cache / ".lock"):
        if file is not None:
            report(f"{_put(Path(file).expanduser(), [known[name] for name in chosen])} is there")
        asks = {name: _ask(known[name], mirror) for name in chosen}
        for name in names:
            if asks.get(name):
                raise ValueError(f"{name} cannot be fetched: {asks[name]}")
        return [
            Outcome(name, ask=asks[name]) if asks[name] else _fetch_one(known[name], mirror, report)
            for name in chosen
        ]


def _put(file: Path, datasets: Sequence[DataSet]) -> Path:
    """Put a file that was asked for into the cache; return its place there."""
    content = read_content(file)
    forms = {hashlib.sha256(form).hexdigest(): form for form in (content, without_text(content))}
    everything = [*datasets, *(dataset.training for dataset in datasets if dataset.training)]
    for dataset in everything:
        for name, expected in dataset.files.items():
            if expected in forms:
                place = cache_folder() / "raw" / dataset.folder / name
                place.parent.mkdir(parents=True, exist_ok=True)
                write_whole(place, forms[expected])
                return place
    names = ", ".join(dataset.name for dataset in everything)
    raise ValueError(
        f"{file}: its checksum is {next(iter(forms))}, which is that of no file of {names}; "
        "get the file again"
    )


def _ask(dataset: DataSet, mirror: Path | None) -> str:
    """Whom to ask for files that have no address and are not here; empty if there are none."""
    for file, expected in dataset.files.items():
        if file in dataset.urls or (mirror and find(mirror / dataset.folder / file)):
            continue
        here = find(cache_folder() / "raw" / dataset.folder / file)
        if here is None or checksum(here) != expected:
            return dataset.ask()
    return ""


def _fetch_one(dataset: DataSet, mirror: Path | None, report: Report) -> Outcome:
    import pooch
    import requests

    fetched = present = 0
    folder = cache_folder() / "raw" / dataset.folder
    files = pooch.create(
        folder,
        base_url=f"{mirror / dataset.folder}/" if mirror else "",
        registry={file: f"sha256:{expected}" for file, expected in dataset.files.items()},
        urls={} if mirror else dict(dataset.urls),
        retry_if_failed=0 if mirror else RETRIES,
    )
    for file, expected in dataset.files.items():
        path = folder / file
        if here := find(path):
            if checksum(here) == expected:
                present += 1
                continue
            report(f"{dataset.name}: {here} is not the right file and is replaced")
        try:
            files.fetch(file, downloader=_copy if mirror else pooch.HTTPDownloader(timeout=SILENCE))
        except (requests.RequestException, ValueError) as error:
            is_offline = isinstance(error, requests.ConnectionError)
            reason = "no connection" if is_offline else str(error).rstrip(".")
            mend = f"try again later, or get it by another way and put it at {path}"
            mend = "put the right file there, or unset ORDBOOK_MIRROR" if mirror else mend
            text = f"{dataset.name}: {files.get_url(file)}: {reason}; {mend}"
            return Outcome(dataset.name, fetched, present, " ".join(text.split()))
        path.chmod(0o644)  # a cache may be shared, and pooch's files are its user's alone
        fetched += 1
        report(f"{dataset.name}: {file} ({path.stat().st_size / 1000:,.1f} kB)")
    return Outcome(dataset.name, fetched, present)


def _copy(source: str, out: str, _: Any) -> None:
    """Copy a file of the mirror, in which it may be packed by gzip."""
    path = find(Path(source))
    if path is None:
        raise ValueError("it is not there, and with ORDBOOK_MIRROR set nothing is downloaded")
    Path(out).write_bytes(read_content(path))
