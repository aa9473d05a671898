"""Raw files on this machine: found, and held to their checksums."""

from pathlib import Path
from typing import Literal

from ordbook.data.catalog import DataSet, RawDataMissing
from ordbook.files import cache_folder, mirror_folder, sha256, share

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
    some = ""
    for folder in _folders(dataset):
        found = {file: path for file in dataset.files if (path := find(folder, dataset, file))}
        if len(found) == len(dataset.files):
            for file, path in found.items():
                verify(path, dataset, file)
            return found
        if found:
            some = f" ({len(found)} of {len(dataset.files)} files are in {folder} already)"
    raise RawDataMissing(dataset.how_to_get() + some)


def our_runs(dataset: DataSet) -> dict[str, Path]:
    """Return the path of every run of our own, by its name in ``DataSet.ours``; errors likewise."""
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
    except RawDataMissing:
        places = [(folder, file) for folder in _folders(dataset) for file in dataset.files]
        some = any(find(folder, dataset, file) for folder, file in places)
        return "incomplete" if some else "absent"
    except ValueError:
        return "damaged"
    return "here"


def find(folder: Path, dataset: DataSet, file: str) -> Path | None:
    """Return where a file stands in a folder, or None; a gold file may have other names."""
    names = (file, *dataset.also) if file == next(iter(dataset.files)) else (file,)
    return next((folder / name for name in names if (folder / name).is_file()), None)


def verify(path: Path, dataset: DataSet, file: str) -> None:
    """Refuse a file that is not what the catalogue says; the message gives both checksums.

    Of a gold file that exists in several forms, what it says may have the checksum instead.
    """
    expected = dataset.files[file]
    found, what = sha256(path), "the file was changed or cut short"
    if found != expected and dataset.content and file == next(iter(dataset.files)):
        from ordbook.data.annotations import content_checksum, read_annotations

        expected, what = (
            dataset.content,
            f"these are other annotations than those of {dataset.name}",
        )
        found = content_checksum(read_annotations(path))
    if found != expected:
        again = "get it again"
        if path.is_relative_to(cache_folder()) and file in dataset.urls:
            again += f" with 'ordbook fetch {dataset.name}'"
        raise ValueError(f"{path}: its checksum is {found}, not {expected}: {what}; {again}")


def _folders(dataset: DataSet) -> list[Path]:
    mirror = mirror_folder()
    roots = ([mirror] if mirror else []) + [cache_folder() / "raw"]
    return [root / dataset.folder for root in roots]
