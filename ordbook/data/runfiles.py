"""The folder ``runs`` and the list of groups beside it.

Contents
--------
csv_files      runs/*.csv -> run and file
text_files     runs/*: one file per run, whatever its ending
label_files    runs/<RUN>/ or runs/<RUN>.zip: many files per run
read_groups    runs.csv: run and group -> what each run belongs to
unread         what stands beside gold data and runs and is not read, as notes
unended        files without a line end that others have, as notes
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path

from ordbook.data.csvfile import header_fix, name_fault, read_table
from ordbook.data.names import alike, other_forms, some
from ordbook.data.problems import Problems
from ordbook.data.tableclasses import SIDECARS

GROUPS = "runs.csv"
LISTED = 5  # names in a note
BELONG = "run files belong into runs/"
# What may stand beside, and is read elsewhere or is for people.
_READ = {"runs", GROUPS, "__MACOSX"}
_COMPANION = re.compile(r"(readme|licen[cs]e|copying).*", re.IGNORECASE)
_GROUPS = re.compile(r"(groups?|teams?)(\.\w+)?", re.IGNORECASE)


def csv_files(folder: Path, problems: Problems, notes: list[str]) -> dict[str, Path]:
    """Return run -> file; files whose names start with a dot are noted."""
    paths: dict[str, Path] = {}
    for path in _entries(folder, problems, notes):
        if path.is_dir():
            _refuse_folder(path, problems)
        elif path.suffix.lower() != ".csv" or not path.is_file():
            packed = path.name.lower().endswith(".csv.gz")
            problems.add(
                path,
                found="what is not a file *.csv",
                expected="only the CSV file of each run in this folder",
                fix=f"{'unpack it' if packed else 'save it as CSV'}, or move it elsewhere",
            )
        else:
            _add(paths, path.stem, path, problems)
    return paths


def text_files(
    folder: Path,
    problems: Problems,
    notes: list[str],
    *,
    skip: Callable[[str], str] = lambda name: "",
) -> dict[str, Path]:
    """Return run -> file: the run's name is that of the file without its ending.

    ``skip`` gives the reason why a file is not read, or an empty text.
    """
    paths: dict[str, Path] = {}
    skipped: dict[str, list[str]] = {}
    for path in _entries(folder, problems, notes):
        if reason := skip(path.name):
            skipped.setdefault(reason, []).append(path.name)
        elif not path.is_file():
            _refuse_folder(path, problems)
        else:
            _add(paths, Path(path.name.removesuffix(".gz")).stem, path, problems)
    for reason, names in skipped.items():
        some = f"{len(names)} files in runs were not read, such as {names[0]}"
        one = f"runs/{names[0]} was not read"
        notes.append(f"{one if len(names) == 1 else some}: {reason}.")
    return paths


def _refuse_folder(path: Path, problems: Problems) -> None:
    problems.add(
        path,
        found="a folder",
        expected="the file of a run",
        fix="move its files up, or elsewhere",
    )


def label_files(folder: Path, problems: Problems, notes: list[str]) -> dict[str, Path]:
    """Return run -> folder or zip file; there may be no runs."""
    paths: dict[str, Path] = {}
    if not (folder / "runs").exists() and not _other_runs(folder):
        return paths
    for path in _entries(folder, problems, notes):
        if path.is_dir() or path.suffix == ".zip":
            _add(paths, path.name if path.is_dir() else path.stem, path, problems)
        else:
            problems.add(
                path,
                found="a file",
                expected="a folder or a zip file per run, with its *.labels.json",
                fix="put the files of each run into a folder of its name",
            )
    return paths


def read_groups(
    folder: Path, runs: Collection[str], problems: Problems
) -> tuple[dict[str, str], dict[str, str]]:
    """Read ``runs.csv`` (run,group or run,group,language), if there is one.

    Parameters
    ----------
    folder
        Where it may be.
    runs
        The runs that there are; no other may be listed, and not all need be.
    problems
        Gets what is wrong.

    Returns
    -------
    tuple of dict
        Run -> group, and run -> language, without empty cells.
    """
    path = folder / GROUPS
    if not path.exists():
        return {}, {}
    table = read_table(path, problems)
    if table is None:
        return {}, {}
    if table.head not in (["run", "group"], ["run", "group", "language"]):
        problems.add(
            path,
            1,
            found=f"the columns {','.join(table.head)[:200]}",
            expected="run,group or run,group,language",
            fix=header_fix(table.head, ["run", "group", "language"])
            or "write such a header as the first line",
            first=True,
        )
        return {}, {}
    found: dict[str, list[str]] = {}
    forms = other_forms({row[0] for row in table.rows} - set(runs), runs)
    names: list[dict[str, int]] = [{}, {}]
    for row, line in zip(table.rows, table.lines, strict=True):
        if row[0] not in runs or row[0] in found:
            again = row[0] in found
            problems.add(
                path,
                line,
                1,
                found=f"run {row[0]!r} a second time" if again else f"run {row[0]!r}",
                expected="every run once" if again else "the name of a run of this task",
                fix="remove the line"
                if again
                else f"write it as the run's own name: {forms[row[0]]}"
                if row[0] in forms
                else "correct the name, or remove the line",
            )
            continue
        found[row[0]] = row[1:]
        for column, cell in enumerate(row[1:], 2):
            if cell and (fault := name_fault(cell)):
                problems.add(path, line, column, found=fault, expected="a name", fix="correct it")
            names[column - 2].setdefault(cell, line)
    for column, lines in enumerate(names, 2):
        for cell, told in alike(lines).items():
            problems.add(
                path,
                lines[cell],
                column,
                found=f"the {table.head[column - 1]} {cell!r}",
                expected="each written in one way",
                fix=f"write it as above: {told}",
            )
    groups = {run: cells[0] for run, cells in found.items() if cells[0]}
    return groups, {run: cells[1] for run, cells in found.items() if cells[1:] and cells[1]}


def unread(
    folder: Path,
    read: Collection[str],
    others: Collection[str] = (),
    within: Sequence[str] = (),
) -> list[str]:
    """Return notes that name what stands beside gold data and runs and is not read.

    Parameters
    ----------
    folder
        The folder of the task.
    read
        What is read in it, beside what may stand in every folder.
    others
        Runs that stand deeper in it, outside of ``runs``.
    within
        What stands among dialogues and labels, and is neither.
    """
    names = [
        f"{path.name}/" if path.is_dir() else path.name
        for path in sorted(folder.iterdir())
        if path.name not in _READ
        and path.name not in read
        and not path.name.startswith(".")
        and not _COMPANION.fullmatch(path.name)
        and not (path.is_dir() and path.name.casefold() == "runs")
    ]
    lists = [name for name in names if name.lower() in SIDECARS]
    groups = [name for name in names if _GROUPS.fullmatch(name)]
    rest = [name for name in names if name not in (*lists, *groups)]
    whys = {
        "these files have classes of their own": lists,
        f"groups of runs belong into {GROUPS}, which --by-group reads": groups,
        BELONG: [*rest, *sorted(others)],
        "dialogues end in .log.json, and labels in .labels.json": list(within),
    }
    return [
        f"{some(found, LISTED)} {'was' if len(found) == 1 else 'were'} not read: {why}."
        for why, found in whys.items()
        if found
    ]


def unended(files: Mapping[str, Path]) -> list[str]:
    """Return a note that names the files without a line end, where others have one.

    Where all lack it, the program that wrote them leaves it out.
    """
    names = [name for name, path in files.items() if not _ended(path)]
    if not names or len(names) == len(files):
        return []
    one = len(names) == 1
    return [
        f"{some(names, LISTED)} {'ends' if one else 'end'} without a line end, which other files "
        f"have; if {'it' if one else 'one'} was cut, its last number may be wrong."
    ]


def _ended(path: Path) -> bool:
    """Whether a file ends with a line end; gzipped ones, which tell when they are cut, count."""
    try:
        if not path.is_file() or not path.stat().st_size:
            return True
        with path.open("rb") as file:
            packed = file.read(2) == b"\x1f\x8b"
            file.seek(-1, 2)
            return packed or file.read(1) in b"\r\n"
    except OSError:
        return True  # the reader says what is wrong


def _other_runs(folder: Path) -> list[str]:
    """Return folders named runs but for capitals."""
    return [
        path.name
        for path in sorted(folder.iterdir())
        if path.name != "runs" and path.name.casefold() == "runs" and path.is_dir()
    ]


def _entries(folder: Path, problems: Problems, notes: list[str]) -> Iterator[Path]:
    runs = folder / "runs"
    names = {path.name for path in folder.iterdir()}
    # Some systems open Runs as runs.
    if "runs" not in names or not runs.is_dir():
        other = [name for name in sorted(names) if name.casefold() == "runs"]
        problems.add(
            runs,
            found="what is no folder" if "runs" in names else "no such folder",
            expected="one with a file per run",
            fix=f"rename {other[0]} to runs" if other and "runs" not in names else "add it",
        )
        return
    for name in _other_runs(folder) if "runs" in names else ():
        problems.add(
            folder / name,
            found="a second folder of runs, beside runs",
            expected="one, with the file of every run",
            fix="move its files into runs, and remove it",
        )
    for path in sorted(runs.iterdir()):
        if path.name.startswith("."):
            notes.append(f"runs/{path.name} was not read: its name starts with a dot.")
        elif path.name.startswith("~$"):
            notes.append(f"runs/{path.name} was not read: it says that another file is open.")
        else:
            whole = path.is_symlink() and path.exists()  # no broken link, and no ring
            if whole and not path.resolve().is_relative_to(folder.resolve()):
                notes.append(f"runs/{path.name} is a link to {path.resolve()}, which was read.")
            yield path


def _add(paths: dict[str, Path], run: str, path: Path, problems: Problems) -> None:
    if fault := name_fault(run):
        problems.add(path, found=fault, expected="the name of a run", fix="rename the file")
    elif run in paths:
        problems.add(
            path,
            found=f"run {run!r}, which is also {paths[run].name}",
            expected="one file per run",
            fix="rename one",
        )
    else:
        paths[run] = path
