"""Sums, means and numbers of rows that stand among the topics and classes of gold data.

Spreadsheets, R and pandas write them beside a table. As they are no topics and no classes, they
are refused: told by what the gold file holds, because a run may well predict such numbers.

Contents
--------
Margins         the columns and topics that are none
find_margins    a gold file -> its Margins, after saying what is wrong
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ordbook.data.csvfile import Table, numbers
from ordbook.data.margins import (
    SELDOM,
    coincidence,
    composed_of,
    is_about,
    is_called_margin,
    is_summary,
)
from ordbook.data.problems import Problems
from ordbook.data.tablecells import decimals
from ordbook.data.tableclasses import HOW

FEWEST_CLASSES, FEWEST_ROWS, FEWEST_COUNTED = 3, 2, 4
NEARLY = 0.8  # share of the rows in which a column is the sum of the others, if it may be a total


@dataclass(frozen=True)
class Margins:
    """The names of columns, and of topics, that are none."""

    columns: Collection[str] = ()
    topics: Collection[str] = ()

    def without(self, table: Table) -> Table:
        """Return a table without them."""
        if not self.columns and not self.topics:
            return table
        kept = [0, *(i for i, name in enumerate(table.head) if i and name not in self.columns)]
        rows = [i for i, row in enumerate(table.rows) if row[0] not in self.topics]
        return replace(
            table,
            head=[table.head[i] for i in kept],
            rows=[[table.rows[row][i] for i in kept] for row in rows],
            lines=[table.lines[row] for row in rows],
            order=tuple(table.column(i) for i in kept),
        )


def find_margins(gold: Table, problems: Problems, notes: list[str], *, named: bool) -> Margins:
    """Return what is no topic or class of a gold file; each is a problem.

    Parameters
    ----------
    gold
        The gold file: topics and a number per class.
    problems
        Gets what is wrong.
    notes
        Gets a topic that has the name of a sum, and other numbers; and the other way round; and a
        column that may say something else about the topics.
    named
        Whether the classes were listed, which says that all columns are classes.
    """
    values, good = numbers(gold, 1, "", Problems())
    names = [row[0] for row in gold.rows]
    suspects = np.array([is_summary(name) for name in names], dtype=bool)
    body = good & ~suspects
    if not body.any():
        return Margins()
    inside = values[body]
    counting = [] if named else _counting(inside, np.array(gold.lines)[body])
    columns = [i for i in range(values.shape[1]) if i not in counting]
    total = None if named else _total(inside[:, columns], [gold.head[i + 1] for i in columns])
    found = dict.fromkeys(counting, "which counts the rows")
    if total is not None:
        found[columns[total]] = "the sum of the other classes in every row"
    for column, what in found.items():
        problems.add(
            gold.path,
            1,
            gold.column(column + 1),
            found=f"the column {gold.head[column + 1]!r}, {what}",
            expected="the columns of classes alone",
            fix=f"leave it out of all files; or, if it is a class, {HOW}",
        )
    for place, column in enumerate(() if named else columns):
        name = gold.head[column + 1]
        if column not in found and (why := _doubt(name, inside[:, columns], place)):
            notes.append(f"gold: {name!r} is taken for a class{why}, leave it out of all files.")
    topics = []
    sums, parts = _sums(gold, values, good, columns)
    for row in np.flatnonzero(suspects & good).tolist():
        name = names[row]
        what = sums.get(row, "")
        if sums and not what and row not in parts:
            what = f"a statistic beside {next(iter(sums.values()))}"
        if what:
            topics.append(name)
            problems.add(
                gold.path,
                gold.lines[row],
                gold.column(0),
                found=f"the row {name!r}, {what}",
                expected="the rows of topics alone",
                fix="leave it out of all files; or, if it is a topic, give it another name",
            )
        else:
            notes.append(
                f"gold: there is a topic {name!r}; if the row is a sum or a mean of the others, "
                "or says something else about them, leave it out of all files."
            )
    if what := _unnamed(gold, values, body, columns):
        notes.append(
            f"gold: {what} of the other rows; if it is no topic, leave it out of all files."
        )
    return Margins({gold.head[column + 1] for column in found}, set(topics))


def _counting(values: NDArray[np.float64], lines: NDArray[np.int64]) -> list[int]:
    """Return the columns that count the rows, from 0 or 1 on, whether some are left out or not."""
    if len(values) < FEWEST_COUNTED:
        return []
    steps = values - lines[:, None]
    counts = (steps == steps[0]).all(axis=0) & (np.abs(steps[0] + 1) <= 1)
    return [int(column) for column in np.flatnonzero(counts)]


def _total(values: NDArray[np.float64], names: list[str]) -> int | None:
    """Return the column that is the sum of all others, if one is."""
    if values.shape[1] < FEWEST_CLASSES or len(values) < FEWEST_ROWS:
        return None
    sums = values.sum(axis=1, keepdims=True)
    counts = bool((values == np.floor(values)).all())
    # Where probabilities sum to 1, one of them may well be a half in every row.
    if not (sums > 0).all() or not (counts or (np.abs(sums - 1) > 0.1).all()):
        return None
    same = np.abs(2 * values - sums) <= (0 if counts else 0.02 * sums)
    columns: list[int] = np.flatnonzero(same.all(axis=0)).tolist()
    if len(columns) > 1:  # two classes with the same votes, and none for others
        columns = [
            i for i in columns if is_called_margin(names[i]) or names[i].strip() in ("n", "N")
        ]
    return columns[0] if len(columns) == 1 else None


def _doubt(name: str, values: NDArray[np.float64], column: int) -> str:
    """Say why a column of counts may be no class, though nothing proves it."""
    if is_called_margin(name):
        return "; if it holds sums or means of the others"
    own, sums = values[:, column], values.sum(axis=1)
    if (values != np.floor(values)).any() or (sums == 1).all():
        return ""  # of probabilities, or of a 1 in each row, no column is anything else
    near, rows = int((2 * own == sums).sum()), len(values)
    if values.shape[1] >= FEWEST_CLASSES and rows >= FEWEST_COUNTED and near >= NEARLY * rows:
        return f", and is the sum of the others for {near} of {rows} topics; if it is their total"
    if rest := _apart(values, column):
        return f", and without it every topic adds to {rest}; if it says something else about them"
    alike = (values == values[0]).all(axis=0)
    if rows > FEWEST_COUNTED and alike[column] and own[0] and not alike.all():
        return f", and is {own[0]:g} for every topic; if it is none"
    largest = bool((own == values.max(axis=1)).all())
    if is_about(name) or (name.strip() in ("n", "N") and largest):
        return "; if it says something else about the topics"
    return ""


def _apart(values: NDArray[np.float64], column: int) -> str:
    """Say to what the others add in every row where a first or last column is no part of it."""
    (rows, width), sums = values.shape, values.sum(axis=1)
    rest, rounded = sums - values[:, column], min((width - 1) / 2, 2)
    at_end = column in (0, width - 1)
    if not at_end or width < FEWEST_CLASSES or (np.abs(sums - 100) <= rounded).all():
        return ""
    if (rest == 100).all() and rows >= FEWEST_ROWS:
        return "100"
    if rows >= FEWEST_COUNTED and (np.abs(rest - 100) <= rounded).all():
        return "about 100"
    same = rest[0] and (rest == rest[0]).all() and (sums != sums[0]).any()
    return f"{rest[0]:g}" if same and rows >= FEWEST_COUNTED else ""


def _sums(
    gold: Table, values: NDArray[np.float64], good: NDArray[np.bool_], columns: list[int]
) -> tuple[dict[int, str], set[int]]:
    """Return the rows called a sum or a mean that are one, each with its text, and their parts."""
    names, found, parts = [row[0] for row in gold.rows], dict[int, str](), set[int]()
    for row in np.flatnonzero(good).tolist():
        for which, places, sure in composed_of(row, names) if is_called_margin(names[row]) else ():
            body = np.zeros(len(names), dtype=bool)
            body[places] = True
            body &= good
            what = _summary(gold, values, body, row, columns) if body.any() else ""
            inside = values[body][:, columns]
            if what == "mean" and not sure:  # as a topic of counts may well be; but no sum
                near = 0.5 if (inside % 1 == 0).all() else 0.005
                sure = coincidence(inside, values[row, columns], near) <= SELDOM
            if what == "sum" or (what and sure):
                found[row] = f"the {what} of {which.replace('the others', 'the other rows')}"
                parts |= set(places.tolist())
                break
    return found, parts


def _unnamed(
    gold: Table, values: NDArray[np.float64], body: NDArray[np.bool_], columns: list[int]
) -> str:
    """Say that the first or the last row is the sum or the mean of the others, if it is.

    Among many topics one that is like their mean is no surprise; at an end it is.
    """
    rows = np.flatnonzero(body)
    if len(rows) <= FEWEST_COUNTED or (values[rows] == values[rows[0]]).all():
        return ""
    for row in (rows[0], rows[-1]):
        others = body.copy()
        others[row] = False
        if what := _summary(gold, values, others, row, columns):
            return f"the row {gold.rows[row][0]!r} is the {what}"
    return ""


def _summary(
    gold: Table,
    values: NDArray[np.float64],
    body: NDArray[np.bool_],
    row: int,
    columns: list[int],
) -> str:
    """Return whether a row is the sum or the mean of the rows of topics, or an empty text."""
    inside, own = values[body][:, columns], values[row, columns]
    topics = (cells for cells, there in zip(gold.rows, body.tolist(), strict=True) if there)
    exact = bool((inside == np.floor(inside)).all())
    each = 0.0 if exact else _rounded(cell for cells in topics for cell in cells[1:])
    printed = _rounded(gold.rows[row][1:])
    # Of counts, a mean may be rounded to a whole number; of probabilities, that says nothing.
    sums = len(inside) * each + (0.0 if (own == np.floor(own)).all() else printed)
    means = each + (printed if exact else min(printed, 0.005))
    if (np.abs(own - inside.sum(axis=0)) <= sums + 1e-9).all():
        return "sum"
    return "mean" if (np.abs(own - inside.mean(axis=0)) <= means + 1e-9).all() else ""


def _rounded(cells: Iterable[str]) -> float:
    """Return how far rounding may have moved numbers: half a unit of their last decimal."""
    return 0.5 * 10.0 ** -max(map(decimals, cells))
