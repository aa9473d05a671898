"""The catalogue: every data set ordbook knows by name, and its raw files on this machine.

Fetching is the only part of ordbook that uses the network. Pooch gets each file, checks its sha256
and puts it into its place in one step, so a file is there whole or not at all. With ORDBOOK_MIRROR
set, files are copied from that folder, and never downloaded. One fetch at a time works in a cache.
"""

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal
from urllib.parse import urljoin

from ordbook.data.ntcir import content_checksum, read_annotations
from ordbook.data.problems import RawDataMissing
from ordbook.files import cache_folder, mirror_folder, sha256, share, write_whole
from ordbook.words import did_you_mean

Kind = Literal["classification", "quantification", "nuggets", "scores"]
Format = Literal[
    "semeval",
    "stc3",
    "dbdc",
    "qrels",
    "ambistory",
    "alttest",
    "latent",
    "hanna",
    "embedded",
    "elsewhere",
]


@dataclass(frozen=True)
class DataSet:
    """One catalogued data set.

    Attributes
    ----------
    kind, format
        What it is scored as, and which reader of :mod:`ordbook.data.known` its files need. What is
        ``embedded`` or ``hanna`` has no raw files: it travels with ordbook, the former in
        ``data/examples/<name>``, and always loads. What is
        ``elsewhere`` was published by the author of a paper at ``upstream`` and never seen by this
        project: its files, their checksums, topics and runs are not known, and it does not load.
    classes, class_names
        Labels in order, and what they mean. Those of nuggets have no order.
    topics, runs
        How many; ``baselines`` says whether two of the runs are the organisers' baselines,
        which are computed from the gold data.
    licence, citation, reference
        The licence of the raw files, the key in ``book/references.bib``, and the text to cite.
    upstream
        Where the raw files come from, for people; ``urls`` has the address of each file that
        can be fetched, and ``obtain`` says whom to ask for those that cannot.
    folder
        The folder of the raw files in a mirror, or in ``raw`` of the cache.
    files
        Each raw file, as a path below ``folder``, with its sha256: the gold file first, then
        the runs in the order in which they are scored.
    also, content
        For a gold file that exists in several forms: other names it may have, and the checksum
        of what it says (:func:`ordbook.data.ntcir.content_checksum`), whatever its form.
    names
        Run files whose run has another name than the file -> that name.
    grouped
        Whether names of runs begin with that of their group (team), up to the first hyphen or
        underscore.
    notes
        What the reader makes of the files that is not told by their form.
    left_out
        Public run files that are not among the runs -> why.
    part
        For a file that holds the gold data of several tasks: which of them this is.
    ties
        Where gold is the median of people's ratings, an even number for some items: the class that
        is gold if the two in the middle differ.
    ours
        Runs of systems this project trained: each file, as a path below ``data/runs``, with its
        sha256. They stand after the other runs and before the baselines.
    training
        The data our systems learn from: a data set with one file and no runs.
    short
        Its name in figures and tables, if it has a source.
    source
        Data sets with the same source share topics, items or runs, so that they are no independent
        witnesses of a claim about measures. Empty if the set is asked about none.
    """

    name: str
    title: str
    kind: Kind
    format: Format
    classes: tuple[str, ...]
    class_names: tuple[str, ...]
    topics: int
    runs: int
    licence: str
    citation: str
    reference: str
    upstream: str
    folder: str
    files: Mapping[str, str]
    urls: Mapping[str, str] = field(default_factory=dict)
    obtain: str = ""
    also: tuple[str, ...] = ()
    content: str = ""
    names: Mapping[str, str] = field(default_factory=dict)
    grouped: bool = False
    notes: tuple[str, ...] = ()
    left_out: Mapping[str, str] = field(default_factory=dict)
    part: str = ""
    ties: str = ""
    baselines: bool = False
    ours: Mapping[str, str] = field(default_factory=dict)
    training: "DataSet | None" = None
    short: str = ""
    source: str = ""

    def groups(self, runs: Iterable[str]) -> dict[str, str]:
        """Return run -> group, if the names tell; the baselines belong to none."""
        teams = [run for run in runs if not run.startswith("BL-")] if self.grouped else []
        return {run: re.split("[-_]", run)[0] for run in teams}

    def published(self) -> str:
        """Return the message for data that are ``elsewhere``."""
        return (
            f"published by the author at {self.upstream}, not reached from where this book was made"
        )

    def how_to_get(self) -> str:
        """Return one line that says how to get the raw files."""
        if self.format == "elsewhere":
            return f"{self.name}: {self.published()}, so its checksum is not known; {self.obtain}"
        gold = next(iter(self.files))
        mirror = f"or set ORDBOOK_MIRROR to the folder that holds {self.folder}/{gold}"
        if self.obtain:
            return f"the raw files of {self.name} are not on this machine: {self.ask()}; {mirror}"
        return (
            f"the raw files of {self.name} are not on this machine: run 'ordbook fetch "
            f"{self.name}' (from {self.upstream}; licence: {self.licence}), {mirror}"
        )

    def ask(self) -> str:
        """Return one line on how to ask for files without an address, and on the next step."""
        gold = next(iter(self.files))
        place = cache_folder() / "raw" / self.folder
        if not self.also:
            sums = ", ".join(f"{file} with sha256 {self.files[file]}" for file in self.files)
            return f"{self.obtain}; put them into {place}: {sums}"
        names = " or ".join(self.also)
        then = f", then run 'ordbook fetch {self.name}'" if self.runs else ""
        return (
            f"{self.obtain}; put the file into {place} as {names} (text and order do not matter: "
            f"what it says has the checksum {self.content}; without the text, {gold} has sha256 "
            f"{self.files[gold]}){then}"
        )


@cache
def catalog() -> Mapping[str, DataSet]:
    """Return the catalogue: name -> DataSet, in the order of the file."""
    entries = tomllib.loads(share("data", "catalog.toml").read_text(encoding="utf-8"))
    return MappingProxyType({name: _data_set(name, entry) for name, entry in entries.items()})


def is_catalogued(data: str) -> bool:
    """Tell whether an argument of the command line is the name of a catalogued data set.

    Raises
    ------
    ValueError
        If a file or folder has that name too: which is meant cannot be told.
    """
    if data not in catalog():
        return False
    if Path(data).exists():
        raise ValueError(
            f"{data}: a catalogued data set has this name, and a file or folder here; "
            f"write ./{data} for the latter"
        )
    return True


def _data_set(name: str, entry: Mapping[str, Any]) -> DataSet:
    files = entry.get("files", {})
    ours, baselines = entry.get("ours", {}), entry.get("baselines", False)
    gold: Mapping[str, Any] = next(iter(files.values()), {})
    urls = {
        file: urljoin(entry.get("address", ""), about["from"])
        for file, about in files.items()
        if "from" in about
    }
    fields: dict[str, Any] = {
        "folder": "",
        "runs": len(files) - 1 + len(ours) + 2 * baselines,
        **{key: entry[key] for key in entry if key not in ("address", "training")},
        "name": name,
        "files": {file: about["sha256"] for file, about in files.items()},
        "urls": urls,
        "names": {file: about["run"] for file, about in files.items() if "run" in about},
        "also": gold.get("also", ()),
        "content": gold.get("content", ""),
    }
    if "training" in entry:
        plain = {key: entry[key] for key in entry if key not in ("training", "ours")}
        about = {"runs": 0, "baselines": False, **entry["training"]}
        fields["training"] = _data_set(f"{name} (training)", plain | about)
    arguments: Any = {key: tuple(x) if isinstance(x, list) else x for key, x in fields.items()}
    return DataSet(**arguments)


State = Literal["here", "incomplete", "damaged", "absent"]
Report = Callable[[str], None]
SILENCE = 30.0  # seconds to wait for a connection, and for the next bytes
RETRIES = 2  # after a failure that may pass


def raw_files(dataset: DataSet) -> dict[str, Path]:
    """Return the path of every raw file of a data set, of ORDBOOK_MIRROR or else of the cache.

    Raises
    ------
    RawDataMissing
        If neither has the whole data set; the message says how to get it.
    ValueError
        If a file differs from its checksum.
    """
    some = ""
    for folder in _folders(dataset):
        paths = {file: path for file in dataset.files if (path := find(folder, dataset, file))}
        if len(paths) == len(dataset.files):
            for file, path in paths.items():
                verify(path, dataset, file)
            return paths
        if paths:
            some = f" ({len(paths)} of {len(dataset.files)} files are in {folder} already)"
    raise RawDataMissing(dataset.how_to_get() + some)


def our_runs(dataset: DataSet) -> dict[str, Path]:
    """Return the path of every run of our own, by its name in ``DataSet.ours``; errors likewise."""
    paths = {file: share("data", "runs", *file.split("/")) for file in dataset.ours}
    for file, path in paths.items():
        if (digest := sha256(path)) != dataset.ours[file]:
            raise ValueError(
                f"{path}: sha256 is {digest}, expected {dataset.ours[file]}: restore the file; or, "
                "if its system was changed on purpose, write the new checksum into "
                "data/catalog.toml and run 'make scores'"
            )
    return paths


def state(dataset: DataSet) -> State:
    """Say whether the raw files of a data set are on this machine."""
    try:
        raw_files(dataset)
    except RawDataMissing:
        places = [(folder, file) for folder in _folders(dataset) for file in dataset.files]
        some = any(find(folder, dataset, file) for folder, file in places)
        return "incomplete" if some else "absent"
    except ValueError:
        return "damaged"
    return "here"


def find(folder: Path, dataset: DataSet, file: str) -> Path | None:
    """Return the path of a file in a folder, or None; a gold file may have other names."""
    names = (file, *dataset.also) if file == next(iter(dataset.files)) else (file,)
    return next((folder / name for name in names if (folder / name).is_file()), None)


def verify(path: Path, dataset: DataSet, file: str) -> None:
    """Refuse a file that differs from the catalogue; the message gives both checksums.

    Of a gold file that exists in several forms, what it says may have the checksum instead.
    """
    expected = dataset.files[file]
    digest, change = sha256(path), "the file was changed or cut short"
    if digest != expected and dataset.content and file == next(iter(dataset.files)):
        expected, change = (
            dataset.content,
            f"these are other annotations than those of {dataset.name}",
        )
        digest = content_checksum(read_annotations(path))
    if digest != expected:
        again = "get it again"
        if path.is_relative_to(cache_folder()) and file in dataset.urls:
            again += f" with 'ordbook fetch {dataset.name}'"
        raise ValueError(f"{path}: its checksum is {digest}, not {expected}: {change}; {again}")


def _folders(dataset: DataSet) -> list[Path]:
    mirror = mirror_folder()
    roots = ([mirror] if mirror else []) + [cache_folder() / "raw"]
    return [root / dataset.folder for root in roots]


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


def fetch(names: Sequence[str], *, report: Report = print) -> list[Outcome]:
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
    asks = {name: _ask(known[name], mirror) for name in chosen}
    for name in names:
        if asks.get(name):
            raise ValueError(f"{name} cannot be fetched: {asks[name]}")
    pooch.get_logger().setLevel("WARNING")  # what happens is reported here
    cache = cache_folder() / "raw"
    cache.mkdir(parents=True, exist_ok=True)
    with FileLock(cache / ".lock"):
        return [
            Outcome(name, ask=asks[name]) if asks[name] else _fetch_one(known[name], mirror, report)
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


def _fetch_one(dataset: DataSet, mirror: Path | None, report: Report) -> Outcome:
    fetched = present = 0
    folder = cache_folder() / "raw" / dataset.folder
    for file in dataset.files:
        path = find(folder, dataset, file)
        try:
            if path is not None:
                try:
                    verify(path, dataset, file)
                    present += 1
                    continue
                except ValueError:
                    if not (file in dataset.urls or mirror):
                        raise  # put there by hand, and cannot be replaced
                    report(f"{dataset.name}: {path} is not the right file and is replaced")
            if mirror is not None:
                path = _copy(dataset, file, mirror / dataset.folder, folder)
            else:
                path = _download(dataset, file, folder)
        except ValueError as error:
            failure = " ".join(f"{dataset.name}: {error}".split())
            return Outcome(dataset.name, fetched, present, failure)
        fetched += 1
        size = path.stat().st_size / 1000
        report(f"{dataset.name}: {path.relative_to(folder).as_posix()} ({size:,.1f} kB)")
    return Outcome(dataset.name, fetched, present)


def _download(dataset: DataSet, file: str, folder: Path) -> Path:
    import pooch
    import requests

    checksum = dataset.files[file]
    files = pooch.create(
        folder,
        base_url="",
        registry={file: f"sha256:{checksum}"},
        urls={file: dataset.urls[file]},
        retry_if_failed=RETRIES,
    )
    try:
        path = Path(files.fetch(file, downloader=pooch.HTTPDownloader(timeout=SILENCE)))
    except (requests.RequestException, ValueError) as error:
        raise ValueError(
            f"{dataset.urls[file]}: {error}; try again later, or get it by another way and put it "
            f"at {folder / file}"
        ) from None
    path.chmod(0o644)  # a cache may be shared, and pooch's files are its user's alone
    return path


def _copy(dataset: DataSet, file: str, mirror: Path, folder: Path) -> Path:
    source = find(mirror, dataset, file)
    if source is None:
        raise ValueError(
            f"{mirror / file} is not there, and with ORDBOOK_MIRROR set nothing is downloaded: "
            "add the file, or unset ORDBOOK_MIRROR"
        )
    verify(source, dataset, file)
    path = folder / source.relative_to(mirror)  # a gold file may have another name
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, source.read_bytes())
    return path
