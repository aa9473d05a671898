"""The catalogue: every data set ordbook knows by name."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal
from urllib.parse import urljoin

from ordbook.files import cache_folder, share

Kind = Literal["classification", "quantification", "nuggets", "scores"]
Format = Literal[
    "semeval",
    "counted",
    "ntcir",
    "dbdc",
    "qrels",
    "ambistory",
    "latent",
    "hanna",
    "embedded",
    "elsewhere",
]


class RawDataMissing(FileNotFoundError):
    """Raw files were asked for that are not on this machine."""


@dataclass(frozen=True)
class DataSet:
    """One catalogued data set.

    Attributes
    ----------
    kind, format
        What it is scored as, and which reader its files need: ``counted`` are those of SemEval's
        subtask D, which count the tweets. What is ``embedded`` or ``hanna`` has no raw files: it
        travels with ordbook, the former in ``data/examples/<name>``, and always loads. What is
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
    above
        Of qrels: why labels above the highest class are read as that class; else they are refused.
    normalise
        Of nuggets: why turns that do not sum to 1 are divided by their sums; else they are refused.
    left_out
        Public run files that are not among the runs -> why.
    part
        For a file that holds the gold data of several tasks: which of them this is.
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
    above: str = ""
    normalise: str = ""
    left_out: Mapping[str, str] = field(default_factory=dict)
    part: str = ""
    baselines: bool = False
    ours: Mapping[str, str] = field(default_factory=dict)
    training: "DataSet | None" = None
    short: str = ""
    source: str = ""

    def groups(self, runs: Iterable[str]) -> dict[str, str]:
        """Return run -> group, if the names tell."""
        return {run: re.split("[-_]", run)[0] for run in runs} if self.grouped else {}

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
