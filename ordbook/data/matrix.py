"""Tables of ratings in any shape -> one matrix of items x raters, of which filled cells are kept.

Long and wide tables, and a second table of judges, differ here alone: checks, gold data and runs
are computed from the matrix.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ordbook.data.frames import ONE_TOPIC, Table, each, texts, unfolded, unwrapped
from ordbook.data.problems import Problem, Wrong
from ordbook.files import similar_file
from ordbook.words import did_you_mean, listing, some

_NO_WHO = (
    "for a wide table, name the people: --annotators Ada,Ben,Eve (in Python "
    "annotator=['Ada', 'Ben', 'Eve']); for a long one, the column of annotators"
)
_NO_ITEM = "add a column that names the items, or name it with --item (in Python item=)"
_RECIPE = "'From an annotation tool' in the book has a recipe of a few lines"
# Words of columns that say which answers count, and those that say that one does not.
_COUNTING = {"accept", "accepted", "approved", "submitted", "completed", "none", "nan", ""}
_NOT_COUNTING = {"reject", "rejected", "ignore", "ignored", "discarded", "draft", "skipped"}
_SEVERAL_ROWS = (
    "of a long table, name the column of ratings with --rating (in Python rating=); of a wide one, "
    "keep one row for each item, such as those of one criterion"
)


class Row(NamedTuple):
    """A rating: what it is about, and a function that makes a problem of its place."""

    topic: str
    item: str
    who: str
    text: str
    problem: Callable[[str, str], Problem]


@dataclass
class Matrix:
    """A matrix of items x raters by its cells, and what its indices stand for.

    Attributes
    ----------
    tables
        The tables that it was read from.
    items
        A topic and a name -> index.
    raters
        The number of a table and a name in it -> index.
    texts
        What a cell says -> index.
    cells
        The indices ``item``, ``rater`` and ``text`` of each cell, and the ``row`` of the table in
        which it stands. The text is -1 where there is no rating.
    roles
        (raters,): ``person``, ``run``, ``gold`` or, of those who are left out, nothing.
    """

    tables: Sequence[Table]
    items: dict[tuple[str, str], int] = field(default_factory=dict)
    raters: dict[tuple[int, str], int] = field(default_factory=dict)
    texts: dict[str, int] = field(default_factory=dict)
    cells: pd.DataFrame = field(default_factory=pd.DataFrame)
    roles: tuple[str, ...] = ()

    @property
    def keys(self) -> NDArray[Any]:
        """(items, 2): the topic and the name of each item."""
        return np.array([*self.items], dtype=object).reshape(-1, 2)

    @property
    def names(self) -> list[str]:
        """Names of the raters."""
        return [name for _, name in self.raters]

    def index(self, number: int, items: Any, who: Any, cells: Any, rows: Any) -> pd.DataFrame:
        """Return the indices of a rating of each item, by one rater or by one for each item."""
        names = [who] if isinstance(who, str) else who
        raters = _places(self.raters, names, lambda name: (number, name))
        said = _places(self.texts, each(unwrapped, cells), lambda cell: str(cell).strip())
        places = {
            "item": _places(self.items, items, _as_pair),
            "text": said,
            "row": np.asarray(rows),
        }
        return pd.DataFrame({**places, "rater": np.broadcast_to(raters, len(said))})

    def who(self, role: str) -> list[str]:
        """Return the names of the raters of a role."""
        return [name for name, own in zip(self.names, self.roles, strict=True) if own == role]

    def is_by(self, *roles: str) -> NDArray[np.bool_]:
        """Tell of each cell whether its rater has one of some roles."""
        return np.isin(self.roles, roles)[self.cells["rater"]]

    def keep(self, kept: NDArray[np.bool_]) -> None:
        """Keep some items, (items,), and their ratings."""
        cells, names = self.cells[kept[self.cells["item"]]], map(tuple, self.keys[kept])
        self.cells = cells.assign(item=(np.cumsum(kept) - 1)[cells["item"]])
        self.items = {name: place for place, name in enumerate(names)}

    def rows(self, chosen: Any) -> Iterator[Row]:
        """Yield for some cells what they are about, and how a problem there is made."""
        items, raters, texts = list(self.items), list(self.raters), list(self.texts)
        for cell in self.cells[chosen].itertuples():
            topic, item = items[cell.item]
            number, who = raters[cell.rater]
            problem = partial(self.tables[number].problem, cell.row)
            yield Row(topic, item, who, texts[cell.text] if cell.text >= 0 else "", problem)


def read_matrix(
    tables: Sequence[Table],
    names: list[str],
    gold: list[str],
    judges: list[str],
    notes: list[str],
    *,
    item: str = "item",
    topic: str | None = None,
    rating: str | None = None,
) -> Matrix:
    """Return the matrix of one table or, with a second one, of judges alone.

    ``names`` are the people, or the column that names them; ``gold`` and ``judges`` are columns, or
    raters of a long table.
    """
    table, cell, matrix = tables[0], rating or "rating", Matrix(tables)
    if rating and not any(rating in other.columns for other in tables):
        _require(table, [rating], item)
    if "annotations" in table.columns and isinstance(table.frame["annotations"].iloc[0], list):
        found = "a list of annotations in each row, as in the nested JSON of Label Studio"
        fix = f"export CSV or JSON-MIN; {_RECIPE}"
        raise Wrong(table.path, found=found, fix=fix)
    who, people = _shape(table, names, rating, [item, topic, *gold], judges)
    if both := [name for name in people if name in (*judges, *gold)]:
        raise ValueError(f"annotators: {both[0]!r} is in runs, too; name everybody once")
    beside = [name for name in (*judges, *gold) if name in table.columns]
    if who is None:
        beside = [*names, *(name for name in beside if name not in names or name in judges)]
    parts = [*_melt(matrix, 0, item, topic, beside, who, cell)]
    if len(tables) > 1:
        rest = [name for name in tables[1].columns if name not in (item, topic, cell)]
        if rest and cell in tables[1].columns:
            by = rest[0] if len(rest) == 1 else who or "annotator"
            parts += _melt(matrix, 1, item, topic, [], by, cell)
        else:
            parts += _melt(matrix, 1, item, topic, rest or [cell], None, cell)
    matrix.cells = pd.concat(parts, ignore_index=True)
    matrix.roles = tuple(
        "run" if number or name in judges
        else "gold" if name in gold
        else "person" if name in (*people, "") or not people
        else ""
        for number, name in matrix.raters
    )  # fmt: skip
    known = matrix.names if who else [x for x in table.columns if x not in (item, topic)]
    _check_raters(matrix, judges, list(dict.fromkeys(known)))
    if rest := matrix.who(""):
        notes.append(f"Left out {some(rest, 20)}, named neither among the people nor as runs.")
        matrix.cells = matrix.cells[matrix.is_by("person", "run", "gold")]
    for table in tables:
        notes += _states(table, {item, topic, who, cell, *matrix.names})
    if who and not people and not gold:
        taken = some(matrix.who("person"), 20)
        notes.append(f"Taken as people: {taken}; name every judge in --runs (in Python runs=).")
    return matrix


def _shape(
    table: Table,
    names: list[str],
    rating: str | None,
    others: Sequence[str | None],
    judges: list[str],
) -> tuple[str | None, list[str]]:
    """Return the column of annotators of a long table, and its people if ``names`` lists them.

    Of a wide table, in which everybody has a column, return None, and nobody.
    """
    columns, frame, cell = table.columns, table.frame, rating or "rating"
    is_long = cell in columns and cell not in (*names, *judges, *others)
    is_long &= len(names) < 2 or not {*names} & {*columns}
    if not is_long and (rating is None or {*names, *judges} <= {*columns}):
        return None, []
    if not names or (len(names) == 1 and (names[0] in columns or names[0] == "annotator")):
        return (names or ["annotator"])[0], []
    by_column = {name: {*texts(frame[name])} for name in columns if name not in (*others, cell)}
    if not by_column:
        return "annotator", []
    column = max(by_column, key=lambda name: (len(by_column[name] & {*names}), name == "annotator"))
    if unknown := [name for name in names if name not in by_column[column]]:
        people = some(list(dict.fromkeys(texts(frame[column]))))
        raise ValueError(
            f"annotators: there is no column {unknown[0]!r}, and nobody in the column {column!r} "
            f"is called so; name some of {people}"
            f"{did_you_mean(unknown[0], [*columns, *by_column[column]])}"
        )
    return column, names


def _melt(
    matrix: Matrix,
    number: int,
    item: str,
    topic: str | None,
    beside: list[str],
    who: str | None,
    rating: str,
) -> Iterator[pd.DataFrame]:
    """Yield the cells of a table: of the columns ``beside``, and the ratings of a long table.

    An item has one row in a wide table; in a long one, columns repeat what they say of an item. A
    table of judges may leave out the topics.
    """
    table = matrix.tables[number]
    frame, topics = table.frame.assign(row=np.arange(len(table.frame))), dict[str, str]()
    if number and topic not in table.columns:
        topic, topics = None, _topics(table, topic, matrix)
    keys = [name for name in (topic, item) if name]
    _require(table, [*keys, *([who, rating] if who else []), *beside], item)

    def items(frame: pd.DataFrame) -> NDArray[Any]:
        names = texts(frame[item])
        of_topic = texts(frame[topic]) if topic else each(lambda x: topics.get(x, ONE_TOPIC), names)
        return np.asarray(np.array(of_topic, dtype=object) + "\t" + names)

    own = items(frame)
    again = pd.Series(own).duplicated()
    if not who and beside and again.any():
        row = int(again.argmax())
        found = f"a second row of item {texts(frame[item])[row]!r}, and no column {rating!r}"
        raise ValueError(str(table.problem(row, found, _SEVERAL_ROWS)))
    for name in beside:
        cells = matrix.index(number, own, name, frame[name], frame["row"])
        yield cells.drop_duplicates(["item", "text"]) if who else cells
    if who:
        frame = unfolded(table, who, rating)
        yield matrix.index(number, items(frame), texts(frame[who]), frame[rating], frame["row"])


def _places(index: dict[Any, int], names: Any, key: Callable[[Any], Any]) -> NDArray[np.intp]:
    """Return the place of each name in an index, which grows by new ones; -1 of a missing one."""
    codes, values = pd.factorize(np.array([*names, None], dtype=object)[:-1])
    places = [index.setdefault(key(value), len(index)) for value in values]
    return np.asarray(np.array([*places, -1], dtype=np.intp)[codes])


def _as_pair(key: str) -> tuple[str, str]:
    topic, _, name = key.partition("\t")
    return topic, name


def _states(table: Table, used: set[str | None]) -> Iterator[str]:
    """Note columns of annotation tools that say of some ratings that they do not count."""
    for name in table.columns:
        if name in used or table.columns.count(name) > 1:
            continue
        said = {text: {*re.findall(r"\w+", text.lower())} for text in {*texts(table.frame[name])}}
        words = set().union(*said.values())
        if words <= _COUNTING | _NOT_COUNTING and (states := sorted(words & _NOT_COUNTING)):
            yield (
                f"The column {name!r} says {listing(states)}, and the ratings in these rows "
                "count nevertheless: leave them out first, if they are none."
            )


def _topics(table: Table, topic: str | None, matrix: Matrix) -> dict[str, str]:
    """Return item -> topic, for a table that names none."""
    topics = dict[str, str]()
    for own, name in matrix.items:
        if topics.setdefault(name, own) != own:
            fault = f"no column {topic!r}, and the item {name!r} is in several topics"
            raise Wrong(table.path, found=fault, fix="add the column")
    return topics


def _require(table: Table, columns: list[str], item: str) -> None:
    """Refuse a column that is not there, or that stands or is named twice."""
    for name in columns:
        times = table.columns.count(name)
        if (times, columns.count(name)) == (1, 1):
            continue
        reason = "twice" if times else "which is not there"
        fault = f"the column {name!r}, {reason}; there are {some(table.columns)}"
        fix = "name each column once, as it is called in the table"
        if any(other.startswith(f"{name}.") for other in table.columns):
            fix = f"make one of those that begin with '{name}.'; {_RECIPE}"
        elif not times:
            fix = _NO_ITEM if name == item else _NO_WHO if name == "annotator" else fix
            fix += did_you_mean(name, table.columns)
        raise Wrong(table.path, line=1 if table.lines else None, found=fault, fix=fix)


def _check_raters(matrix: Matrix, judges: list[str], known: list[str]) -> None:
    """Refuse judges whom nobody knows, and a table without people and gold."""
    for judge in judges:
        if judge in matrix.names:
            continue
        fix = f"name some of {some(known)}{did_you_mean(judge, known)}"
        found = f"no annotator is called {judge!r}"
        if "." in judge and (near := similar_file(Path(judge))):
            found, fix = f"there is no file {judge!r}, and {found}", f"did you mean {near}?"
        raise ValueError(f"runs: {found}; {fix}")
    if {*matrix.roles} == {"run"}:
        raise ValueError("runs: all annotators are runs; leave out the people, who give the gold")
