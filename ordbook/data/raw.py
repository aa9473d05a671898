"""Raw files on this machine: found, and held to their checksums.

Contents
--------
raw_files   every raw file of a data set -> its path, checksums verified
raw_file    one raw file, checksum verified
our_runs    every run of our own -> its path, checksums verified
state       whether the raw files are here: "here", "incomplete", "damaged" or "absent"
find        where a file of a data set stands in a folder
verify      refuse a file that is not what the catalogue says
"""

from pathlib import Path
from typing import Literal

from ordbook.data.catalog import DataSet, RawDataMissing, sha256
from ordbook.data.paths import cache_folder, raw_roots, share

State = Literal["here", "incomplete", "damaged", "absent"]


class FileMissing(ValueError):
    """A folder has some files of a data set and lacks others."""


def raw_files(dataset: DataSet) -> dict[str, Path]:
    """Return the path of every raw file of a data set, checksums verified.

    Raises
    ------
    RawDataMissing
        If no root has the whole data set (the cache may hold a part, after an interrupted
        fetch); the message says how to get it.
    ValueError
        If a file differs from its checksum, or a folder named by ORDBOOK_MIRROR has some files
        of the data set and lacks others that can be fetched.
    """
    hint = ""
    for root in raw_roots():
        folder = root / dataset.folder
        found = {file: find(folder, dataset, file) for file in dataset.files}
        here = {file: path for file, path in found.items() if path is not None}
        lacking = [file for file in dataset.files if file not in here]
        if not lacking:
            for file, path in here.items():
                verify(path, dataset, file)
            return here
        if here and root == cache_folder() / "raw":
            hint = f" ({len(here)} of {len(found)} files are in {folder} already)"
        elif here and lacking[0] in dataset.urls:
            raise FileMissing(
                f"{folder / lacking[0]}: missing, though other files of {dataset.name} are there"
            )
    raise RawDataMissing(dataset.how_to_get() + hint)


def raw_file(dataset: DataSet, file: str) -> Path:
    """Return the path of one raw file, checksum verified; errors as for :func:`raw_files`."""
    for root in raw_roots():
        path = find(root / dataset.folder, dataset, file)
        if path is not None:
            verify(path, dataset, file)
            return path
    how = dataset.how_to_get().partition(": ")[2]
    raise RawDataMissing(f"{file} of {dataset.name} is not on this machine: {how}")


def our_runs(dataset: DataSet) -> dict[str, Path]:
    """Return the path of every run of our own, by its name in ``DataSet.ours``.

    Raises
    ------
    FileNotFoundError
        If a file is not part of this installation.
    ValueError
        If a file differs from its checksum.
    """
    paths = {file: share("data", "runs", *file.split("/")) for file in dataset.ours}
    for file, path in paths.items():
        if (found := sha256(path)) != dataset.ours[file]:
            raise ValueError(
                f"{path}: sha256 is {found}, expected {dataset.ours[file]}: restore the file; or, "
                "if its system was changed on purpose, write the new checksum into "
                "data/catalog.toml and run 'make scores'"
            )
    return paths


def state(dataset: DataSet) -> State:
    """Say whether the raw files of a data set are on this machine."""
    try:
        raw_files(dataset)
        for file in dataset.official:
            raw_file(dataset, file)
    except RawDataMissing:
        roots = [root / dataset.folder for root in raw_roots()]
        some = any(find(root, dataset, file) for root in roots for file in dataset.files)
        return "incomplete" if some else "absent"
    except FileMissing:
        return "incomplete"
    except ValueError:
        return "damaged"
    return "here"


def find(folder: Path, dataset: DataSet, file: str) -> Path | None:
    """Return where a file stands in a folder, or None; a gold file may have other names."""
    gold = next(iter(dataset.files))
    for name in (file, *(dataset.also if file == gold else ())):
        if (folder / name).is_file():
            return folder / name
    return None


def verify(path: Path, dataset: DataSet, file: str) -> None:
    """Refuse a file that is not what the catalogue says.

    Raises
    ------
    ValueError
        If its sha256 differs and, for a gold file that exists in several forms, what it says
        differs too; the message gives both checksums.
    """
    expected = dataset.files.get(file) or dataset.official[file]
    again = "get it again"
    if path.is_relative_to(cache_folder()) and file in dataset.urls:
        again += f" with 'ordbook fetch {dataset.name}'"
    found = sha256(path)
    if found == expected:
        return
    if dataset.content and file == next(iter(dataset.files)):
        from ordbook.data.annotations import content_checksum, read_annotations

        content = content_checksum(read_annotations(path))
        if content == dataset.content:
            return
        raise ValueError(
            f"{path}: these are other annotations than those of {dataset.name} (their content has "
            f"checksum {content}, expected {dataset.content}); {again}"
        )
    raise ValueError(
        f"{path}: sha256 is {found}, expected {expected}: the file was changed or cut short; "
        f"{again}"
    )
