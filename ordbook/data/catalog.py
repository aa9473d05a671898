"""The catalogue: every data set ordbook knows by name.

Contents
--------
DataSet         one entry of ``data/catalog.toml``
catalog         all entries, by name
RawDataMissing  what is raised when raw files are asked for and absent
raw_folder      the folder with an entry's raw files, checksums verified
"""

import hashlib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from ordbook.data.paths import raw_roots, share

Kind = Literal["classification", "quantification"]


class RawDataMissing(FileNotFoundError):
    """Raw files were asked for that are not on this machine."""


@dataclass(frozen=True)
class DataSet:
    """One catalogued data set.

    ``files`` maps each raw file, as a path below ``folder``, to its sha256: the gold file
    first, then the runs in the order in which they are scored.
    """

    name: str
    title: str
    kind: Kind
    classes: tuple[str, ...]
    class_names: tuple[str, ...]
    topics: int
    runs: int
    licence: str
    citation: str
    upstream: str
    folder: str
    files: Mapping[str, str]

    def how_to_get(self) -> str:
        """Return one line that says how to get the raw files."""
        return (
            f"the raw files of {self.name} are not on this machine: get them from "
            f"{self.upstream} (licence: {self.licence}) and set ORDBOOK_MIRROR to the folder "
            f"that holds {self.folder}/{next(iter(self.files))}"
        )


@cache
def catalog() -> Mapping[str, DataSet]:
    """Return the catalogue: name -> DataSet, in the order of the file."""
    entries = tomllib.loads(share("data", "catalog.toml").read_text(encoding="utf-8"))
    return MappingProxyType(
        {
            name: DataSet(
                name=name,
                title=entry["title"],
                kind=entry["kind"],
                classes=tuple(entry["classes"]),
                class_names=tuple(entry["class_names"]),
                topics=entry["topics"],
                runs=len(entry["files"]) - 1,
                licence=entry["licence"],
                citation=entry["citation"],
                upstream=entry["upstream"],
                folder=entry["folder"],
                files=MappingProxyType(dict(entry["files"])),
            )
            for name, entry in entries.items()
        }
    )


def sha256(path: Path) -> str:
    """Return the sha256 of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def raw_folder(dataset: DataSet) -> Path:
    """Return the folder that holds every raw file of a data set, checksums verified.

    Raises
    ------
    RawDataMissing
        If no root has the data set at all; the message says how to get it.
    ValueError
        If a file is missing from a folder that is there, or differs from its checksum.
    """
    for root in raw_roots():
        folder = root / dataset.folder
        if not any((folder / file).exists() for file in dataset.files):
            continue
        for file, expected in dataset.files.items():
            path = folder / file
            if not path.is_file():
                raise ValueError(f"{path}: missing, though other files of {dataset.name} are there")
            if (found := sha256(path)) != expected:
                raise ValueError(
                    f"{path}: sha256 is {found}, expected {expected}: "
                    "the file was changed or cut short; get it again"
                )
        return folder
    raise RawDataMissing(dataset.how_to_get())
