"""Tables of ratings in any shape -> one long DataFrame, a row for each cell that may be a rating.

Its columns are ``topic``, ``item``, ``who`` and ``text`` (categories of text, of which the empty
one is a missing name or rating), ``key`` (a number for each item of a topic), ``role`` (``person``,
``run`` or ``gold``), and ``table`` and ``row``: where it stands. Long and wide tables, and a second
table of judges, differ here alone.
"""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ordbook.data.problems import Wrong
from ordbook.data.tables import Table, as_texts, parsed
from ordbook.data.tasks import ONE_TOPIC
from ordbook.files import similar_file
from ordbook.words import counted, did_you_mean, listing, some

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


class Columns(NamedTuple):
    """Names of columns: items, topics if there are any, and of a long table people and ratings."""

    item: str
    topic: str | None
    who: str | None
    rating: str


def read_cells(
    tables: Sequence[Table],
    names: list[str],
    gold: list[str],
    judges: list[str],
    notes: list[str],
    *,
    item: str = "item",
    topic: str | None = None,
    rating: str | None = None,
) -> pd.DataFrame:
    """Return the cells of one table or, with a second one, of judges alone.

    ``names`` are the people, or the column that names them; ``gold`` and ``judges`` are columns, or
    raters of a long table.
    """
    table = tables[0]
    if rating and not any(rating in other.columns for other in tables):
        _require(table, [rating], item)
    if "annotations" in table.columns and isinstance(table.frame["annotations"].iloc[0], list):
        found = "a list of annotations in each row, as in the nested JSON of Label Studio"
        fix = f"export CSV or JSON-MIN; {_RECIPE}"
        raise Wrong(table.path, found=found, fix=fix)
    who, people = _shape(table, names, rating, [item, topic, *gold], judges)
    columns = Columns(item, topic, who, rating or "rating")
    if both := [name for name in people if name in (*judges, *gold)]:
        raise ValueError(f"annotators: {both[0]!r} is in runs, too; name everybody once")
    beside = [name for name in (*judges, *gold) if name in table.columns]
    if who is None:
        beside = [*names, *(name for name in beside if name not in names or name in judges)]
    if who is None and not beside:
        raise ValueError(f"annotators: nobody is named; {_NO_WHO}")
    parts = [_long(table, columns, beside, notes).assign(table=0)]
    for own in tables[1:]:
        rest = [name for name in own.columns if name not in (item, topic, columns.rating)]
        if rest and columns.rating in own.columns:
            by = rest[0] if len(rest) == 1 else who or "annotator"
            part = _long(own, columns._replace(who=by), [], notes, of=parts[0])
        else:
            beside = rest or [columns.rating]
            part = _long(own, columns._replace(who=None), beside, notes, of=parts[0])
        parts.append(part.assign(table=1))
    cells = pd.concat(parts, ignore_index=True)
    texts = {name: as_texts(cells[name]) for name in ("topic", "item", "who", "text")}
    everybody = texts["who"].categories
    role = _roles(everybody, people, gold, judges)[texts["who"].codes]
    role[cells["table"] == 1] = "run"
    place = texts["topic"].codes.astype(int) * len(cells) + texts["item"].codes
    cells = cells.assign(**texts, key=pd.factorize(place)[0], role=pd.Categorical(role))
    known = everybody if who else [x for x in table.columns if x not in (item, topic)]
    _check_raters({*everybody}, {*role}, judges, known)
    if rest := raters(cells, ""):
        notes.append(f"Left out {some(rest, 20)}, named neither among the people nor as runs.")
        cells = cells[cells["role"] != ""]
    if who and not people and not gold:
        taken = some([name for name in raters(cells, "person") if name], 20)
        notes.append(f"Taken as people: {taken}; name every judge in --runs (in Python runs=).")
    return cells


def _roles(
    names: Iterable[str], people: list[str], gold: list[str], judges: list[str]
) -> NDArray[np.object_]:
    """Return the role of each rater: a person where nobody is listed; empty for those left out."""
    others = "" if people else "person"
    known = {"": "person"} | dict.fromkeys(people, "person")
    known |= dict.fromkeys(gold, "gold") | dict.fromkeys(judges, "run")
    return np.array([known.get(name, others) for name in names], dtype=object)


def raters(cells: pd.DataFrame, role: str) -> list[str]:
    """Return the names with a role."""
    return list(cells["who"][cells["role"] == role].unique())


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
    columns, cell = table.columns, rating or "rating"
    is_long = cell in columns and cell not in (*names, *judges, *others)
    is_long &= len(names) < 2 or not {*names} & {*columns}
    if not is_long and (rating is None or {*names, *judges} <= {*columns}):
        return None, []
    if not names or (len(names) == 1 and (names[0] in columns or names[0] == "annotator")):
        return (names or ["annotator"])[0], []
    by_column = {
        name: list(as_texts(table.frame[name]).categories)
        for name in columns
        if name not in (*others, cell) and columns.count(name) == 1
    }
    column = max(
        by_column, key=lambda name: len({*by_column[name]} & {*names}), default="annotator"
    )
    known = by_column.get(column, [])
    if unknown := [name for name in names if name not in known]:
        raise ValueError(
            f"annotators: there is no column {unknown[0]!r}, and nobody in the column {column!r} "
            f"is called so; name some of {some(known)}"
            f"{did_you_mean(unknown[0], [*columns, *known])}"
        )
    return column, names


def _long(
    table: Table,
    columns: Columns,
    beside: list[str],
    notes: list[str],
    of: pd.DataFrame | None = None,
) -> pd.DataFrame:
    """Return the cells of the columns ``beside``, and below them the ratings of a long table.

    An item has one row in a wide table; in a long one, columns repeat what they say of an item. A
    table of judges may leave out the topics, which are then those ``of`` the first table.
    """
    frame, (item, topic, who, rating) = table.frame, columns
    by_item = _topics(table, topic, of) if of is not None and topic not in table.columns else None
    keys = [name for name in (None if by_item is not None else topic, item) if name]
    _require(table, [*keys, *([who, rating] if who else []), *beside], item)
    names = as_texts(frame[item])
    topics: Any = ONE_TOPIC if len(keys) < 2 else as_texts(frame[topic])
    if by_item is not None:
        topics = [by_item.get(name, ONE_TOPIC) for name in names]
    about = pd.DataFrame({"topic": topics, "item": names, "row": np.arange(len(frame))})
    states = _states(table, {*columns, *beside})
    about = about.assign(**{name: [*frame[name]] for name in states})
    again = about.duplicated(["topic", "item"]).to_numpy()
    if not who and beside and again.any():
        row = int(again.argmax())
        found = f"a second row of item {names[row]!r}, and no column {rating!r}"
        raise ValueError(str(table.at(row).problem(found, _SEVERAL_ROWS)))
    parts = [about.assign(who=name, text=as_texts(frame[name])) for name in beside]
    if who:  # states are those of a rating, and not of what stands beside
        keys = ["topic", "item", "text"]
        parts = [part.drop(columns=states).drop_duplicates(keys) for part in parts]
        parts.append(_unfolded(table, about, who, rating, states))
    cells = pd.concat(parts, ignore_index=True)
    for name in states:
        state = as_texts(cells.pop(name))
        out = [text for text in state.categories if _words(text) & _NOT_COUNTING]
        left_out = state.isin(out)
        if left_out.all():
            fix = "give a table with ratings that count, or remove the column if these do"
            raise Wrong(table.path, found=f"the column {name!r} calls all {out[0]}", fix=fix)
        if left_out.any():
            notes.append(
                f"Left out {counted(int(left_out.sum()), 'rating')}, of which the column {name!r} "
                f"says {listing(sorted(out))}; if they count, remove the column."
            )
            cells = cells[~left_out]
    return cells


def _words(text: str) -> set[str]:
    return {*re.findall(r"\w+", text.lower())}


def _states(table: Table, used: set[str | None]) -> list[str]:
    """Return columns of annotation tools that say of some ratings that they do not count.

    The column has the name that a tool gives it, such as ``answer`` or ``AssignmentStatus``: the
    ``decision`` on a paper is no word on its ratings.
    """
    names = [
        name
        for name in table.columns
        if name not in used
        and table.columns.count(name) == 1
        and re.search("answer|stat(us|e)$", name, re.IGNORECASE)
    ]
    words = {name: _words(" ".join(as_texts(table.frame[name]).categories)) for name in names}
    return [
        name
        for name, said in words.items()
        if said & _NOT_COUNTING and said <= _COUNTING | _NOT_COUNTING
    ]


def _unfolded(
    table: Table, about: pd.DataFrame, who: str, rating: str, states: list[str]
) -> pd.DataFrame:
    """Return a row for each name, where cells hold lists of names beside lists of ratings."""
    cells = about.assign(who=[*table.frame[who]], text=[*table.frame[rating]])
    by, ratings = _lists(cells["who"]), _lists(cells["text"])
    if by is not None and ratings is not None:
        sizes = [[len(x) if isinstance(x, list) else -1 for x in each] for each in (by, ratings)]
        if sizes[0] != sizes[1]:
            found = f"lists of unequal lengths in the columns {who!r} and {rating!r}"
            row = next(k for k, pair in enumerate(zip(*sizes, strict=True)) if len({*pair}) > 1)
            raise ValueError(str(table.at(row).problem(found, "write a rating for each annotator")))
        of_each = {name: of for name in states if (of := _lists(cells[name])) is not None}
        cells = cells.assign(who=by, text=ratings, **of_each).explode(["who", "text", *of_each])
    return cells.assign(who=as_texts(cells["who"]), text=as_texts(cells["text"]))


def _lists(cells: pd.Series) -> pd.Series | None:
    """Return the lists that cells hold or write, if they do."""
    try:
        values = list(cells.unique())
    except TypeError:  # lists have no hash
        values = list(cells)
    return cells.map(parsed) if any(isinstance(parsed(x), list) for x in values) else None


def _topics(table: Table, topic: str | None, of: pd.DataFrame) -> dict[str, str]:
    """Return item -> topic of the first table, for a table that names none."""
    pairs = of[["item", "topic"]].drop_duplicates()
    if (twice := pairs["item"].duplicated()).any():
        name = pairs["item"][twice].iloc[0]
        fault = f"no column {topic!r}, and the item {name!r} is in several topics"
        raise Wrong(table.path, found=fault, fix="add the column")
    return dict(zip(pairs["item"], pairs["topic"], strict=True))


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


def _check_raters(
    everybody: set[str], roles: set[str], judges: list[str], known: list[str]
) -> None:
    """Refuse judges whom nobody knows, and a table without people and gold."""
    for judge in judges:
        if judge in everybody:
            continue
        fix = f"name some of {some(known)}{did_you_mean(judge, known)}"
        found = f"no annotator is called {judge!r}"
        if "." in judge and (near := similar_file(Path(judge))):
            found, fix = f"there is no file {judge!r}, and {found}", f"did you mean {near}?"
        raise ValueError(f"runs: {found}; {fix}")
    if roles == {"run"}:
        raise ValueError("runs: all annotators are runs; leave out the people, who give the gold")
