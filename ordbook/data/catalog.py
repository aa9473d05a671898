"""The catalogue: every data set ordbook knows by name, and its raw files on this machine."""

import hashlib
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal
from urllib.parse import urljoin

from ordbook.data.problems import RawDataMissing
from ordbook.data.text import read_content
from ordbook.files import cache_folder, mirror_folder, sha256, share

Kind = Literal["classification", "quantification", "nuggets", "scores"]
Format = Literal[
    "semeval", "stc3", "dbdc", "qrels", "ambistory", "alttest", "latent", "hanna",
    "embedded", "elsewhere",
]  # fmt: skip


@dataclass(frozen=True)
class DataSet:
    """One catalogued data set.

    Attributes
    ----------
    kind, format
        What it is scored as, and which reader of :mod:`ordbook.data.known` its files need. What is
        ``embedded`` or ``hanna`` travels with ordbook; what is ``elsewhere`` was published by the
        author of a paper at ``upstream``, was never seen by this project, and does not load.
    classes, class_names
        Labels in order, and what they mean. Those of nuggets have no order.
    topics, runs, baselines
        How many, and whether two of the runs are the organisers' baselines, computed from gold.
    licence, citation, reference
        The licence of the raw files, the key in ``book/references.bib``, and the text to cite.
    upstream, urls, obtain
        Where the raw files come from, for people; the address of each file that can be fetched;
        and whom to ask for those that cannot.
    folder, files
        The folder of the raw files in a mirror, or in ``raw`` of the cache; and each file, as a
        path below it, with its sha256: gold first, then the runs in the order of scoring.
    names
        Run files whose run has another name than the file -> that name.
    grouped
        Whether names of runs begin with that of their team, up to a hyphen or underscore.
    notes
        What the reader makes of the files that is not told by their form.
    left_out
        Public run files that are not among the runs -> why.
    part
        For a file that holds the gold data of several tasks: which of them this is.
    ties
        The class that is gold where the two middle ratings of people differ.
    ours
        Runs of systems this project trained: each file, as a path below ``data/runs``, with its
        sha256. They stand after the other runs and before the baselines.
    training
        The data our systems learn from: a data set with one file and no runs.
    short, source
        Its name in figures and tables, and what it shares topics, items or runs with: data sets of
        one source are no independent witnesses. Both are empty if it is asked about no claim.
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
        asked = [file for file in self.files if file not in self.urls]
        sums = " and ".join(f"{file} with sha256 {self.files[file]}" for file in asked)
        text = ", made of the file with or without the text of the dialogues"
        return (
            f"{self.obtain}; then run 'ordbook fetch {self.name.partition(' ')[0]} --from FILE' "
            f"({sums}{text if self.format == 'stc3' else ''})"
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
    }
    if "training" in entry:
        plain = {key: entry[key] for key in entry if key not in ("training", "ours")}
        about = {"runs": 0, "baselines": False, **entry["training"]}
        fields["training"] = _data_set(f"{name} (training)", plain | about)
    arguments: Any = {key: tuple(x) if isinstance(x, list) else x for key, x in fields.items()}
    return DataSet(**arguments)


State = Literal["here", "incomplete", "damaged", "absent"]


def raw_files(dataset: DataSet) -> dict[str, Path]:
    """Return the path of every raw file of a data set, of ORDBOOK_MIRROR or else of the cache.

    Raises
    ------
    RawDataMissing
        If neither has the whole data set; the message says how to get it.
    ValueError
        If a file differs from its checksum.
    """
    folder, paths = _present(dataset)
    if len(paths) < len(dataset.files):
        number = f"{len(paths)} of {len(dataset.files)} files are in {folder} already"
        raise RawDataMissing(dataset.how_to_get() + (f" ({number})" if paths else ""))
    for file, path in paths.items():
        if (digest := checksum(path)) != dataset.files[file]:
            again = "get it again"
            if path.is_relative_to(cache_folder()):
                asked = "" if file in dataset.urls else " --from FILE"
                again += f" with 'ordbook fetch {dataset.name}{asked}'"
            raise ValueError(
                f"{path}: its checksum is {digest}, not {dataset.files[file]}: the file was "
                f"changed or cut short; {again}"
            )
    return paths


def our_runs(dataset: DataSet) -> dict[str, Path]:
    """Return the path of every run of our own, by its name in ``DataSet.ours``; errors likewise."""
    try:
        paths = {file: share("data", "runs", *file.split("/")) for file in dataset.ours}
    except FileNotFoundError:
        raise RawDataMissing(
            "an installed package has no data/runs, where the runs of our own are: load "
            f"{dataset.name} from its raw files in a clone of the repository"
        ) from None
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
    _, paths = _present(dataset)
    if len(paths) < len(dataset.files):
        return "incomplete" if paths else "absent"
    is_whole = all(checksum(path) == dataset.files[file] for file, path in paths.items())
    return "here" if is_whole else "damaged"


def find(path: Path) -> Path | None:
    """Return the path of a file or, if it lies there packed by gzip, of that; else None."""
    packed = path.with_name(f"{path.name}.gz")
    return next((file for file in (path, packed) if file.is_file()), None)


def checksum(path: Path) -> str:
    """Return the sha256 of the content of a file, which may be packed."""
    return hashlib.sha256(read_content(path)).hexdigest()


def _present(dataset: DataSet) -> tuple[Path, dict[str, Path]]:
    """Return the folder, of mirror and cache, that has most of the files, and their paths."""
    roots = [*filter(None, [mirror_folder()]), cache_folder() / "raw"]
    there = [
        (folder, {file: path for file in dataset.files if (path := find(folder / file))})
        for folder in (root / dataset.folder for root in roots)
    ]
    return max(there, key=lambda folder_and_paths: len(folder_and_paths[1]))
