"""A folder of results that appears whole, in a place that is new."""

import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


def require_new(
    out: str | Path, overwrite: bool = False, inputs: Iterable[str | Path] = ()
) -> Path:
    """Refuse a place for results that is taken, or where none can be made.

    Parameters
    ----------
    out
        The folder wanted: new, or empty.
    overwrite
        Whether a folder that is there may be replaced, whatever it holds.
    inputs
        Files and folders that must neither lie in ``out`` nor around it.

    Returns
    -------
    Path
        The folder, absolute.

    Raises
    ------
    ValueError
        If it is a file, is not empty, has to do with an input, or cannot be made or replaced.
    """
    try:
        out, *places = (Path(path).expanduser().resolve() for path in (out, *inputs))
    except (RuntimeError, OSError, ValueError) as error:
        raise ValueError(f"{out}: {error}; name another folder") from None
    if out.exists() and not out.is_dir():
        raise ValueError(f"{out}: this is a file; name a folder")
    for data in places:
        if out == data or data in out.parents or out in data.parents:
            raise ValueError(f"{out}: this lies within the data, or the data in it; name another")
    if out.is_mount() or Path.cwd().is_relative_to(out):
        raise ValueError(f"{out}: this folder is in use as a whole; name a new folder in it")
    if not overwrite and out.is_dir() and any(out.iterdir()):
        raise ValueError(f"{out}: this folder is not empty; name another, or add --overwrite")
    if (left := _unfinished(out)).exists():
        raise ValueError(
            f"{left}: another ordbook is at work here, or one was killed; wait for it, or remove "
            "this folder"
        )
    there = next(folder for folder in out.parents if folder.exists())
    if not there.is_dir() or not os.access(there, os.W_OK):
        raise ValueError(f"{out}: no folder can be made in {there}; name another")
    return out


@contextmanager
def whole_folder(
    out: str | Path, overwrite: bool = False, inputs: Iterable[str | Path] = ()
) -> Iterator[Path]:
    """Give an empty folder to fill, which takes the place of ``out`` if nothing is raised.

    It lies in a hidden folder beside ``out``, which goes in the end. Only a process that is killed
    leaves it; :func:`require_new` then names it. Parameters and errors are those of that function.
    """
    out = require_new(out, overwrite, inputs)
    hidden, missing = _unfinished(out), [path for path in out.parents if not path.exists()]
    made, before = hidden / "made", hidden / "before"
    made.mkdir(parents=True)
    try:
        yield made
        if out.exists():
            out.rename(before)
        made.rename(out)
    except BaseException:
        if before.exists() and not out.exists():
            before.rename(out)
        raise
    finally:
        shutil.rmtree(hidden, ignore_errors=True)
        for parent in missing:
            with suppress(OSError):  # it holds the results
                parent.rmdir()


def _unfinished(out: Path) -> Path:
    return out.with_name(f".{out.name}.unfinished")
