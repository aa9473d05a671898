"""What the names of files in a folder say: the gold file, and names known but for capitals.

Names are those of the folder's listing: some systems open ``classes.txt`` where there is only
``Classes.txt``, and others do not.

Contents
--------
GOLD             the name of a gold file in CSV with a header
gold_file        the gold file, if it is one and has the right name
refuse_capitals  add a problem for each name that would be known in small letters
has_header       whether the first line of a gold file is the header of a CSV file
first_line       the first line of a file, gzipped or not
"""

import gzip
import re
import zlib
from collections.abc import Collection, Sequence
from pathlib import Path

from ordbook.data.problems import Problems

GOLD = "gold.csv"
_TOPICS = {"topic", "topics", "topic_id", "topicid"}


def gold_file(folder: Path, golds: Sequence[Path], problems: Problems) -> Path | None:
    """Return the gold file, or None after saying what is wrong with its name.

    Parameters
    ----------
    folder
        The folder of the task.
    golds
        Its files whose names start with ``gold``.
    problems
        Gets what is wrong.
    """
    if len(golds) != 1:
        besides = [path.name for path in golds if path.name != GOLD]
        fix = "name the folder of one task" if golds else "add it, or name another folder"
        if len(besides) < len(golds):
            fix = f"move {', '.join(besides)} elsewhere, or rename it"
        problems.add(
            folder,
            found=", ".join(path.name for path in golds) or "no file whose name starts with 'gold'",
            expected="one file whose name starts with 'gold', dialogues *.log.json, or files of "
            "scores *.csv",
            fix=fix,
        )
        return None
    before, small = len(problems), golds[0].name.lower()
    if small.startswith((GOLD, "gold.json")):
        refuse_capitals(folder, [small], problems)
    if len(problems) == before and small != GOLD and not small.endswith((".json", ".json.gz")):
        _refuse_csv(golds[0], problems)
    return golds[0] if len(problems) == before else None


def refuse_capitals(
    folder: Path, known: Collection[str], problems: Problems, read: Collection[Path] = ()
) -> None:
    """Add a problem for each name in a folder that is known, but for capitals.

    Parameters
    ----------
    folder
        The folder.
    known
        Names in small letters.
    problems
        Gets what is wrong.
    read
        Files that are read whatever their names.
    """
    try:
        names = sorted(path.name for path in folder.iterdir() if path not in read)
    except OSError:
        return  # a file in it can be read nevertheless
    for name in names:
        small = name.lower()
        if small not in known or name == small:
            continue
        both = small in names
        problems.add(
            folder / name,
            found=f"{name} beside {small}" if both else f"the name {name}",
            expected="one of them" if both else f"{small}, in small letters",
            fix="remove one" if both else f"rename it to {small}",
        )


def has_header(line: str) -> bool:
    r"""Whether the first line of a gold file is the header of a CSV file, or nearly.

    Examples
    --------
    >>> has_header("Topic,low,high"), has_header("topic 1\t0.5\t0.5")
    (True, False)
    """
    return _cells(line)[0].casefold() in _TOPICS


def first_line(path: Path) -> str:
    """Return the first line of a file, gzipped or not; empty where it cannot be read."""
    try:
        with path.open("rb") as file:
            packed = file.read(2) == b"\x1f\x8b"
        with gzip.open(path) if packed else path.open("rb") as file:
            text = file.readline(100_000).decode("utf-8-sig", errors="replace")
    except (OSError, EOFError, zlib.error):
        return ""  # the reader says what is wrong
    return re.split("[\r\n]", text, maxsplit=1)[0]


def _refuse_csv(gold: Path, problems: Problems) -> None:
    """Add a problem if a gold file with another name than gold.csv is plainly such a file."""
    line, name = first_line(gold), gold.name.lower()
    packed = name.endswith(".gz")
    cells = _cells(line)
    plain = "," in line and "\t" not in line
    headed = has_header(line)
    if "\t" in line and len(cells) == 3:  # in SemEval's format C an item may be called topic
        headed = [cell.casefold() for cell in cells] == ["topic", "item", "label"]
    elif "\t" in line:  # in its format E a topic may
        headed = headed and not all(map(_probability, cells[1:]))
    if not headed and not (plain and name.removesuffix(".gz").endswith(".csv")):
        return
    commas = "" if plain else ", with commas between the columns"
    problems.add(
        gold,
        1,
        found=f"the columns {','.join(cells)[:200]}",
        expected=f"them in a file {GOLD}{commas}",
        fix=f"save it as {GOLD}, with commas; or remove the line, if the rest is SemEval's format"
        if commas
        else f"unpack it to {GOLD}"
        if packed
        else f"rename it to {GOLD}",
    )


def _probability(cell: str) -> bool:
    try:
        return 0 <= float(cell) <= 1
    except ValueError:
        return False


def _cells(line: str) -> list[str]:
    separator = next((each for each in "\t,;" if each in line), ",")
    return [cell.strip().strip('"') for cell in line.split(separator)]
