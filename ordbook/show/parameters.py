"""The chapters that can be run on other data, and their parameters."""

import csv
import io
import re
from collections.abc import Mapping, Sequence
from numbers import Integral
from pathlib import Path
from typing import Any

from ordbook.files import share
from ordbook.words import did_you_mean, shown

# A data parameter is named after the kind of task it takes; its default is the paper's own data.
CHAPTERS: Mapping[str, Mapping[str, str]] = {
    "acl21": {"classification": "sem16t4c", "quantification": "sem16t4e"},
    "lq21": {"quantification": "sem16t4e"},
    "dnkt": {"quantification": "sem16t4e"},
    "dialeval1": {"quantification": "stc3-dq-a", "nuggets": "stc3-nd"},
    "topics": {"classification": "sem16t4c", "quantification": "sem16t4e"},
    "sigir18": {"quantification": "dbdc3"},
    "judges": {"classification": "llmjudge"},
    "guarantees": {"classification": "sem16t4c", "quantification": "sem16t4e"},
}
# The page that shows the report on one task, which is no chapter.
REPORT = "report"
# Least and largest value of the parameters that are numbers.
NUMBERS: Mapping[str, tuple[int, int]] = {
    "trials": (100, 10_000_000),
    "splits": (10, 1_000_000),
    "seeds": (100, 100_000),
    "seed": (0, 2**63 - 1),
}
# Fewest runs and topics from which a chapter can say anything, where these are not two of each: a
# whole edition of a smaller task does without it.
FEWEST: Mapping[str, tuple[int, int]] = {
    "topics": (3, 8),
    "sigir18": (2, 5),
    "acl21": (2, 3),
    "dnkt": (2, 3),
}
# The chapters of a whole edition, as they are read after the report. Not among them is `judges`,
# which is about ratings by models.
EDITION = ("sigir18", "acl21", "lq21", "dnkt", "dialeval1", "topics", "guarantees")
_DIGITS = re.compile(r" *[+-]?[0-9]{1,30} *")


class RerunError(RuntimeError):
    """A chapter, or a job of a sweep, failed while it ran, or a page could not be built."""


def require_chapter(chapter: str, besides: str = "") -> None:
    """Refuse a chapter that there is not, and say which there are."""
    if chapter not in CHAPTERS:
        proposed = did_you_mean(chapter, CHAPTERS)
        raise ValueError(
            f"no chapter {chapter!r}; there are {', '.join(CHAPTERS)}{besides}{proposed}"
        )


def notebook_of(chapter: str) -> Path:
    """Return the path of the notebook of a chapter."""
    return share("book", f"{chapter}.ipynb")


def chapter_names() -> list[str]:
    """Return the chapters of the book, in its order, without the report.

    >>> chapter_names()[:2]
    ['sigir18', 'measures']
    """
    names = re.findall(r"file: book/(\w+)$", share("_toc.yml").read_text("utf-8"), re.MULTILINE)
    return [
        name for name in names if name != REPORT and (share("book") / f"{name}.ipynb").is_file()
    ]


def chapter_parameters(chapter: str) -> dict[str, dict[str, Any]]:
    """Return name -> type, default and help of each parameter of a chapter.

    Raises
    ------
    ValueError
        If there is no such chapter.
    """
    import papermill  # slow to import, and a kernel that runs a chapter does not need it

    require_chapter(chapter)
    parameters: dict[str, dict[str, Any]] = papermill.inspect_notebook(notebook_of(chapter))
    return parameters


def check_number(name: str, value: object) -> int:
    """Return a whole number of a parameter in ``NUMBERS``, given as a number or as digits."""
    low, high = NUMBERS[name]
    try:
        if isinstance(value, bool) or not isinstance(value, Integral | str):
            raise ValueError
        if isinstance(value, str) and not _DIGITS.fullmatch(value):
            raise ValueError  # Python also takes 1_0 and digits of other scripts
        number = int(value)
    except ValueError:
        shown_value = f"{value!r:.60}"
        raise ValueError(f"{name} must be a whole number, not {shown_value}") from None
    if not low <= number <= high:
        raise ValueError(f"{name} must lie between {low} and {high}, not {number}")
    return number


def named_runs(runs: str, known: Sequence[str]) -> tuple[str, str] | None:
    """Split ``"A, B"`` into two names; an empty string gives None.

    Raises
    ------
    ValueError
        If there are not two different names, or one is not known.
    """
    names = [name.strip() for name in runs.split(",")]
    if names == [""]:
        return None
    if len(names) != 2 or names[0] == names[1]:
        raise ValueError(f"runs={runs!r}: name two different runs, separated by a comma")
    for name in names:
        if name not in known:
            raise ValueError(f"runs={runs!r}: no run {name!r}; there are {', '.join(known)}")
    return names[0], names[1]


def split_classes(classes: str) -> list[str] | None:
    """Read a row of CSV, as ``low,mid,high``: its labels in order; of an empty text None.

    Examples
    --------
    >>> split_classes('disagree, agree, "agree, fully"')
    ['disagree', 'agree', 'agree, fully']
    """
    if "\n" in classes or "\r" in classes:
        raise ValueError(f"classes={classes!r}: there is a line break; separate labels by commas")
    try:
        rows = list(csv.reader([classes], strict=True, skipinitialspace=True))
    except csv.Error:
        raise ValueError(
            f"classes={shown(classes, 200)}: a double quote that does not fit; put a label that "
            "has commas in quotes, as in '\"A, B\",C', with a comma right after them, and write "
            "quotes within these twice"
        ) from None
    labels = [label.strip() for row in rows for label in row]
    if labels in ([], [""]):
        return None
    if "" in labels:
        raise ValueError(f"classes={classes!r}: there is an empty label; separate labels by commas")
    return labels


def join_classes(labels: Sequence[str] | None) -> str:
    """Return the text that :func:`split_classes` reads as these labels.

    Examples
    --------
    >>> join_classes(["low", "so, so", "high"]), join_classes(None)
    ('low,"so, so",high', '')
    """
    row = io.StringIO()
    csv.writer(row, lineterminator="").writerow(labels or [])
    return row.getvalue()
