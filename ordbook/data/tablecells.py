"""The rows of CSV files: which topic or item each is about, and what it says.

Contents
--------
Shares           distributions, with what their file had to be allowed
keys             the topics, or topics and items, of a file -> its rows
distributions    the numbers of a quantification file -> distributions
labels           refuse labels that are no class, or could be none
decimals         a number as text -> how many decimals it has
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ordbook.data.csvfile import Table, name_fault, numbers
from ordbook.data.jsonfile import ADDITIONS, SUM_TOLERANCE
from ordbook.data.names import alike, other_forms
from ordbook.data.problems import Problems
from ordbook.data.tableclasses import HOW

Key = tuple[str, ...]
MOST_TOLERANCE = 0.5
_DECIMALS = re.compile(r"\s*[+-]?[0-9]*\.?([0-9]*)(?:[eE]([+-]?[0-9]+))?\s*")


@dataclass(frozen=True)
class Shares:
    """Distributions (rows, classes), how far their sums may be from 1, and what is to be noted.

    ``votes`` are the sums of the rows of counts; empty for probabilities.
    """

    shares: NDArray[np.float64]
    tolerance: float
    notes: list[str]
    votes: tuple[int, ...] = ()


def keys(
    table: Table,
    width: int,
    gold: Collection[Key] | None,
    problems: Problems,
    refused: Collection[Sequence[str]] = (),
) -> dict[Key, int]:
    """Return topic, or topic and item, -> row of the table.

    Parameters
    ----------
    table
        The table of a file.
    width
        How many cells the key has: 1 or 2.
    gold
        The keys of the gold file, or None for that file itself. A run must have the same.
        Items of a topic that look alike are refused; topics are where the task is built.
    problems
        What is wrong is added.
    refused
        Rows of the gold file that have too few or too many cells: a run may have them.
    """
    found: dict[Key, int] = {}
    known = None if gold is None else {*gold, *(tuple(row[:width]) for row in refused)}
    topics = {key[0] for key in gold or ()}
    stray = set() if known is None else {tuple(row[:width]) for row in table.rows} - known
    forms = _forms(stray, known or ())
    for index, row in enumerate(table.rows):
        key = tuple(row[:width])
        line = table.lines[index]
        if key in found:
            problems.add(
                table.path,
                line,
                table.column(0),
                found=f"{_shown(key)} a second time (first on line {table.lines[found[key]]})",
                expected="one row each",
                fix="remove one of the two",
            )
            continue
        found[key] = index
        if known is None:
            for column, name in enumerate(key):
                if fault := name_fault(name):
                    problems.add(
                        table.path,
                        line,
                        table.column(column),
                        found=fault,
                        expected="the name of an item" if column else "the name of a topic",
                        fix="correct it",
                    )
        elif key not in known:
            column = table.column(width == 2 and key[0] in topics)
            problems.add(
                table.path,
                line,
                column,
                found=_shown(key),
                expected="only what the gold file has",
                fix=forms.get(key, "correct the name, or remove the row"),
            )
    if known is None and width == 2:
        _refuse_alike(table, found, problems)
    # A row of the wrong length is a problem of its own, and not a missing one.
    present = found.keys() | {tuple(row[:width]) for row in table.refused}
    for key in gold or ():
        if key not in present:
            problems.add(
                table.path,
                found=f"no row for {_shown(key)}",
                expected="one for everything in the gold file",
                fix="add it",
            )
    return found


def _refuse_alike(table: Table, found: Mapping[Key, int], problems: Problems) -> None:
    """Add a problem for each item whose name looks like that of another of its topic."""
    items: dict[str, list[str]] = {}
    for topic, item in found:
        if not item.isascii():
            items.setdefault(topic, []).append(item)
    for topic, names in items.items():
        for item, told in alike(names).items():
            problems.add(
                table.path,
                table.lines[found[topic, item]],
                table.column(1),
                found=_shown((topic, item)),
                expected="items that can be told apart",
                fix=f"rename it, or remove the row: {told}",
            )


def distributions(
    table: Table, classes: Sequence[str], problems: Problems, *, votes: bool = True
) -> Shares:
    """Return the distributions of a table, their columns in the order of ``classes``.

    Without ``votes`` the numbers are probabilities even where all are whole.
    """
    expected = "a probability or a count of votes" if votes else "a probability, from 0 to 1"
    values, good = numbers(table, 1, expected, problems)
    # The first column is that of the topics; a class may have its name.
    places = {label: column for column, label in enumerate(table.head[1:], 2)}
    columns = [places[label] for label in classes]
    values = values[:, [column - 2 for column in columns]]
    counts = votes and bool((values[good] == np.floor(values[good])).all())
    if not counts and good.any() and (np.abs(values[good].sum(axis=1) - 100) <= 1).all():
        problems.add(
            table.path,
            found="rows that add up to 100",
            expected="probabilities, which add up to 1",
            fix="divide all numbers by 100",
        )
        values[good] /= values[good].sum(axis=1, keepdims=True)
    for row, index in np.argwhere((values < 0) | ((values > 1) & (not counts))):
        negative = values[row, index] < 0
        problems.add(
            table.path,
            table.lines[row],
            columns[index],
            found=repr(table.rows[row][columns[index] - 1]),
            expected="no negative number" if negative else "a probability, from 0 to 1",
            fix="correct it"
            if negative
            else "divide the row by its sum; counts must be whole numbers in the whole file"
            if votes
            else "divide the row by its sum",
        )
        good[row] = False
    sums = values.sum(axis=1)
    if counts:
        for row in np.flatnonzero(good & (sums == 0)):
            problems.add(
                table.path,
                table.lines[row],
                found="only zeros",
                expected="at least one vote",
                fix="add the votes, or leave the topic out of gold and all runs",
            )
        shares = values / np.where(sums > 0, sums, 1)[:, None]
        # A file with a single 1 in each row says the same either way.
        if (sums[good] == 1).all():
            return Shares(shares, SUM_TOLERANCE, [])
        note = "counts, divided by their sums."
        return Shares(shares, SUM_TOLERANCE, [note], tuple(sums.astype(int).tolist()))
    misses = np.where(good, np.abs(sums - 1), 0)
    limit = SUM_TOLERANCE + ADDITIONS
    if not (misses > limit).any():
        return Shares(values, limit, [])
    printed = max(
        decimals(cell)
        for row, fine in zip(table.rows, good, strict=True)
        if fine
        for cell in row[1:]
    )
    # Each printed probability may be off by half a unit of its last decimal.
    explained = len(classes) * 0.5 * 10.0**-printed if printed >= 2 else 0.0
    # Of very many classes, rounding could explain any sum.
    tolerance = min(max(SUM_TOLERANCE, explained) + ADDITIONS, MOST_TOLERANCE)
    for row in np.flatnonzero(misses > tolerance):
        problems.add(
            table.path,
            table.lines[row],
            found=f"a sum of {sums[row]:.6g}",
            expected=f"1 within {tolerance:.2g}",
            fix="divide each number of the row by their sum"
            if sums[row]
            else "write the probabilities, or leave the topic out of all files",
        )
    within = misses[misses <= tolerance]
    if not (within > limit).any():
        return Shares(values, tolerance, [])
    note = (
        f"sums miss 1 by up to {within.max():.2g}, which the {printed} printed decimals explain "
        f"({len(classes)} x half a unit = {explained:.2g}); scored as printed."
    )
    return Shares(values, tolerance, [note])


def labels(table: Table, classes: Sequence[str] | None, problems: Problems) -> None:
    """Add a problem for each label that is no class; without classes, that cannot be a name."""
    known = set(classes or ())
    expected, fix = f"one of {', '.join(classes or ())}", f"correct it; if it is a class, {HOW}"
    wrong: set[int | None] = set()
    found = {
        label: f"the label {label!r}" if label.strip() else "an empty label"
        for label in {row[2] for row in table.rows} - known
    }
    if classes is None:
        # Unless the order of the classes was asked for at that very label.
        wrong = problems.faulty(table.path)
        found = {label: said for label, said in found.items() if name_fault(label)}
        expected, fix = "the name of a class", "correct it"
    told = other_forms(found, known)
    fixes = {label: f"write it as the class is written: {told[label]}" for label in told}
    for row, line in zip(table.rows, table.lines, strict=True) if found else ():
        if row[2] in found and line not in wrong:
            problems.add(
                table.path,
                line,
                table.column(2),
                found=found[row[2]],
                expected=expected,
                fix=fixes.get(row[2], fix),
            )


def decimals(cell: str) -> int:
    """Return how many decimals a number is printed with; negative for tens, hundreds, ..."""
    match = _DECIMALS.fullmatch(cell)
    assert match is not None  # it was read as a number
    # As a float, because Python refuses to convert thousands of digits to an int.
    exponent = max(-400.0, min(float(match.group(2) or 0), 400.0))
    return len(match.group(1)) - int(exponent)


def _forms(stray: Collection[Key], known: Collection[Key]) -> dict[Key, str]:
    """Return what to do about keys that have the letters of known ones in another form."""
    if not stray:
        return {}
    said = other_forms(*({name for key in keys for name in key} for keys in (stray, known)))
    fixes = {}
    for key in stray:
        if told := [said[name] for name in key if name in said]:
            fixes[key] = f"write it as the gold file does: {', and '.join(told)}"
    return fixes


def _shown(key: Key) -> str:
    return f"topic {key[0]!r}" if len(key) == 1 else f"item {key[1]!r} of topic {key[0]!r}"
