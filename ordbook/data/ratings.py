"""Ratings by people, and by judges that are held against them: tables of ratings -> a task.

The way is straight: tables of any shape -> one long table -> checked -> gold -> the task.
"""

import csv
import io
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from math import ceil, floor
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ordbook.data.annotators import (
    ENDS,
    Annotators,
    End,
    Integers,
    Rule,
    Ties,
    count,
    find_ties,
    gold_labels,
    with_rule,
)
from ordbook.data.frames import ONE_TOPIC, Table, each, read_table, texts, unfolded, unwrapped
from ordbook.data.gaps import Gaps, Missing
from ordbook.data.labels import few_classes
from ordbook.data.problems import Problems, Wrong, as_notes
from ordbook.data.tasks import ClassificationTask, Provenance, QuantificationTask
from ordbook.measures.confusion import MOST_CLASSES
from ordbook.words import check_names, counted, did_you_mean, meant, shown, some

Task = ClassificationTask | QuantificationTask
Row = Mapping[str, Any]
# Code, the rows that are wrong, what is found in the first of them, and what to do about it.
Fault = tuple[str, pd.Series, Callable[[Row], str], Callable[[Row], str]]
RULES: tuple[Rule, ...] = get_args(Rule)
# What programs write where there is no rating.
NO_RATING = {"", "na", "n/a", "<na>", "nan", "null", "(blank)", "missing", "no answer"}
_MOST_LISTED = 25  # classes in a proposed scale: beyond, a rating is likelier mistyped
_ENOUGH = 20  # ratings of a topic, to tell that it has a scale of its own
_NO_WHO = (
    "for a wide table, name the people: --annotators Ada,Ben,Eve (in Python "
    "annotator=['Ada', 'Ben', 'Eve']); for a long one, the column of annotators"
)
_NO_ITEM = "add a column that names the items, or name it with --item (in Python item=)"
_SEVERAL_ROWS = (
    "of a long table, name the column of ratings with --rating (in Python rating=); of a wide one, "
    "keep one row for each item, such as those of one criterion"
)
_IS_COMPLETE = (
    "The classes are taken to be {}, as far as the people's ratings reach. Is the scale complete? "
    "If not, list all its classes with --classes (in Python classes=)."
)
_NO_CLASS = (
    "list the whole scale with --classes (in Python classes=), or round judges' means with --round "
    "up or down (in Python rounding=)"
)
_TWICE = (
    "keep one; if another column tells them apart, such as a criterion, make a table of each of "
    "its values"
)


def from_ratings(
    frame: Any,
    *,
    item: str = "item",
    annotator: str | Sequence[str] = "annotator",
    rating: str | None = None,
    gold: Rule | str,
    topic: str | None = None,
    runs: Any = (),
    classes: Sequence[Any] | None = None,
    ties: End | None = None,
    rounding: Literal["up", "down"] | None = None,
    not_rated: Sequence[Any] = (),
    missing: Missing = "refuse",
    name: str = "yours",
) -> Task:
    """Build a task from ratings: people's give the gold data, and judges' are the runs.

    Parameters
    ----------
    frame
        A long table, with a row for each rating, or a wide one, with a row for each item: a
        DataFrame of pandas, polars or another library that narwhals knows, or the path of a file:
        CSV, JSON, JSON Lines, Excel or Parquet. Missing values are missing ratings. In the exports
        of annotation tools, a list of one value and a mapping with one number are that value, and
        of a long table each row may hold a list of annotators and one of their ratings.
    item, topic
        The columns that name items and their topics. Without topics, all items are one pool.
    annotator, rating
        Of a long table, the columns that name the annotator and hold the rating (by default
        ``"rating"``). Of a wide table, ``annotator`` names the column of each person, and there is
        no ``rating``. It may also list the people of a long table, by the names that one of its
        columns gives them: whoever is neither among them nor a run is left out, with a note.
        Otherwise, everybody in a long table who is no run is taken as one of the people.
    gold
        The rule for the gold data. ``"median"``: the middle rating, of an even number one of the
        two in the middle (``ties``). ``"majority"``: the commonest rating. ``"shares"``: the
        distribution of all ratings of a topic or, without topics, of an item; the task is then one
        of quantification, and a judge's distribution is that of its ratings. Any other text names
        the column, or the annotator of a long table, that is gold, such as a score on which two
        people settled; the people's ratings stay with the task, and there need be none.
    runs
        The judges: annotators of a long table, columns of any, or a second table, long or wide, of
        judges alone. A text is the path of that table or, if there is no such file, the
        name of one judge.
    classes
        The scale, from lowest to highest. By default it is that of ordered categories (of pandas
        or ``polars.Enum``), or reaches from the lowest to the highest rating by people, in whole
        steps, or in half ones if anybody gave half a point, and a note asks whether it is complete.
        Words without an order need ``classes``, and so do ratings below 0, or of which neighbours
        are more than 1 apart.
    ties
        Whether the ``"lower"`` or the ``"upper"`` class is gold where the two middle ratings of an
        item differ or, of a majority, several are commonest. There is no default, because the
        choice favours strict or generous judges and can change the winner; it is asked for only
        where ratings are tied. ``task.ties`` keeps the gold under the other choice.
    rounding
        Whether a judge's rating between two classes, such as a mean, goes to the nearest one, and
        from halfway ``"up"`` or ``"down"``. By default it is refused. People's are never rounded.
    not_rated
        Cells that mean that there is no rating, such as ``[-1, 99]``, besides empty ones and names
        of missing values.
    missing
        What to do about items that have gold and that a judge did not rate, as for
        :func:`ordbook.load`. By ``gold="shares"``, a topic in which a judge lacks an item has no
        answer: shares of other items are no estimate of these, and a judge could choose which ones
        it is scored on.
    name
        Name of the task.

    Returns
    -------
    ClassificationTask or QuantificationTask
        ``task.annotators`` holds the ratings by people, and of labels ``task.ties`` says for which
        items they leave several classes, if for any.

    Raises
    ------
    ValueError
        If a column does not exist, somebody rated an item twice or nothing at all, a rating is no
        class, a judge is called like a person, no item of the judges has gold, a judge lacks items,
        or ratings are tied and ``ties`` does not say what counts. The message names the line or
        the row.

    Examples
    --------
    >>> ratings = pd.DataFrame({"item": ["a", "b", "c"], "Ann": [1, 2, 3], "Bob": [1, 3, 3],
    ...     "Cy": [2, 3, None], "model": [1, 3, 2]})
    >>> task = from_ratings(ratings, annotator=["Ann", "Bob", "Cy"], gold="median", runs=["model"])
    >>> task.gold.tolist(), task.predicted.tolist(), task.annotators
    ([0, 2, 2], [[0, 2, 1]], <Annotators: 8 ratings by 3 people of 3 items>)
    """
    for option, choice, wanted in (
        ("ties", ties or "lower", ENDS),
        ("rounding", rounding or "up", ("up", "down")),
    ):
        if choice not in wanted:
            raise ValueError(no_rule(option, choice, wanted))
    if not isinstance(gold, str):
        raise ValueError(
            f"gold: a {type(gold).__name__} is no rule; name the people by annotator=[...], and "
            f"choose gold={' or '.join(map(repr, RULES))} or the name of the column that is gold"
        )
    if isinstance(classes, str):
        listed_so = [name.strip() for name in classes.split(",")]
        raise ValueError(f"classes: a list is needed, as in classes={listed_so}")
    if isinstance(runs, str):
        runs = Path(runs) if Path(runs).is_file() else [runs]
    notes, names = list[str](), [annotator] if isinstance(annotator, str) else list(annotator)
    tables = [read_table(frame, notes)]
    if tables[0].frame.empty:
        raise ValueError(f"{tables[0].path}: no rows; put the ratings there")
    if isinstance(runs, Path) or hasattr(runs, "columns"):
        tables.append(read_table(runs, notes))
    judges = list(map(str, runs)) if len(tables) == 1 else []
    columns: dict[str, Any] = {"item": item, "topic": topic, "rating": rating}
    rows = long_table(tables, list(map(str, names)), gold, judges, notes, **columns)
    if classes is None:
        classes = _order(tables, {*rows["who"], rating or "rating"})
    listed = None if classes is None else list(map(str, classes))
    rows = _with_values(rows, listed or [], not_rated, notes)
    _refuse(tables, rows, _faults_of_names(rows))
    labels = listed or _scale(tables, rows, notes)
    check_names(labels, "class", "classes")
    few_classes(len(labels), "the ratings" if listed is None else "classes")
    rows["class"] = _classify(rows, labels, rounding, notes)
    rows["has_gold"] = rows["key"].isin({*rows["key"][_gives_gold(rows, gold)]})
    _refuse(tables, rows, _faults_of_ratings(rows, labels))
    _note_items(rows, gold, notes)
    _note_scales(rows, labels, notes)
    judges = judges or list(dict.fromkeys(rows["who"][rows["role"] == "run"]))
    rows = rows[rows["is_rating"] & rows["has_gold"]]
    return _task(rows, judges, tuple(labels), gold, ties, Gaps(missing), notes, name)


def no_rule(option: str, value: str, rules: Sequence[str], others: str = "") -> str:
    """Return the message about a value of an option that is none of its rules."""
    choice = f"choose {' or '.join(rules)}{others}"
    if value == "mean":
        return f"{option}: 'mean' is no rule, because a mean lies between classes; {choice}"
    return f"{option}: {value!r} is no rule; {choice}{did_you_mean(str(value), rules)}"


def long_table(
    tables: Sequence[Table],
    names: list[str],
    gold: str,
    judges: list[str],
    notes: list[str],
    *,
    item: str,
    topic: str | None,
    rating: str | None,
) -> pd.DataFrame:
    """Return a row for each cell that can hold a rating, whatever the shape of the tables.

    Its columns are topic, item, who, cell, role (``gold``, ``person`` or ``run``), and table and
    row, which say where the cell stands.
    """
    table, cell, settled = tables[0], rating or "rating", [gold] if gold not in RULES else []
    if (
        settled
        and gold in table.columns
        and names == ["annotator"]
        and "annotator" not in table.columns
    ):
        names = []  # of a table of gold and runs
    who, people = _shape(table, names, rating, [item, topic, *settled], judges)
    raters = {*texts(table.frame[who])} if who in table.columns else {*names}
    if settled and gold not in {*table.columns, *raters}:
        raise ValueError(no_rule("gold", gold, RULES, ", or name the column that is gold"))
    beside = [name for name in (*judges, *settled) if name in table.columns]
    if who is None:
        beside = [*names, *judges, *(name for name in settled if name not in (*names, *judges))]
    rows = _melt(table, item, topic, beside, who, cell)
    if people:
        rows = _only(rows, people, [*judges, *settled], notes)
    is_run, is_gold = rows["who"].isin(judges), rows["who"].isin(settled)
    parts = [rows.assign(role=np.select([is_run, is_gold], ["run", "gold"], "person"), table=0)]
    if len(tables) > 1:
        rows = _melt_judges(tables[1], item, topic, who or "annotator", cell, parts[0])
        parts.append(rows.assign(role="run", table=1))
    rows = pd.concat(parts, ignore_index=True)
    everybody = list(dict.fromkeys(rows["who"]))
    if unknown := [judge for judge in judges if judge not in everybody]:
        fix = f"name some of {some(everybody)}"
        raise ValueError(f"runs: no annotator is called {unknown[0]!r}; {fix}")
    if (rows["role"] == "run").all():
        raise ValueError("runs: all annotators are runs; leave out the people, who give the gold")
    if who and not people and not settled:
        taken = some(list(dict.fromkeys(rows["who"][rows["role"] == "person"])), 20)
        notes.append(f"Taken as people: {taken}; name every judge in --runs (in Python runs=).")
    return rows


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
            f"is called so; name some of {people}{did_you_mean(unknown[0], by_column[column])}"
        )
    return column, names


def _melt(
    table: Table, item: str, topic: str | None, beside: list[str], who: str | None, rating: str
) -> pd.DataFrame:
    """Return a row for each cell of the columns ``beside``, and for each rating of a long table.

    An item has one row in a wide table; in a long one, columns repeat what they say of an item.
    """
    keys = [name for name in (topic, item) if name]
    _require(table, [*keys, *([who, rating] if who else []), *beside], item)

    def rows(keys: pd.DataFrame, who: Any, cells: pd.Series) -> pd.DataFrame:
        return keys.assign(who=who, cell=pd.Series(each(unwrapped, cells), dtype=object))

    def names(frame: pd.DataFrame) -> pd.DataFrame:
        topics = texts(frame[topic]) if topic else ONE_TOPIC
        named = pd.DataFrame({"topic": topics, "item": texts(frame[item])})
        return named.assign(row=frame["row"].to_numpy())

    frame = table.frame.assign(row=np.arange(len(table.frame)))
    own = names(frame)
    parts = [rows(own, name, frame[name]) for name in beside]
    if who:
        parts = [part.drop_duplicates(["topic", "item", "cell"]) for part in parts]
        frame = unfolded(table, who, rating)
        parts.append(rows(names(frame), texts(frame[who]), frame[rating]))
    elif (again := own.duplicated(["topic", "item"])).any() and parts:
        row = int(again.argmax())
        found = f"a second row of item {own['item'][row]!r}, and no column {rating!r}"
        raise ValueError(str(table.problem(row, found, _SEVERAL_ROWS)))
    return pd.concat(parts or [own.assign(who="", cell=None)[:0]], ignore_index=True)


def _require(table: Table, columns: list[str], item: str) -> None:
    """Refuse a column that is not there, or that stands or is named twice."""
    for name in columns:
        times = table.columns.count(name)
        if (times, columns.count(name)) == (1, 1):
            continue
        reason = "twice" if times else "which is not there"
        fault = f"the column {name!r}, {reason}; there are {some(table.columns)}"
        fix = "name each column once, as it is called in the table"
        if not times:
            fix = _NO_ITEM if name == item else _NO_WHO if name == "annotator" else fix
        raise Wrong(table.path, line=1 if table.lines else None, found=fault, fix=fix)


def _only(
    rows: pd.DataFrame, people: list[str], judges: list[str], notes: list[str]
) -> pd.DataFrame:
    """Return the rows of the listed people and of judges; note whom they leave out."""
    if both := [name for name in people if name in judges]:
        raise ValueError(f"annotators: {both[0]!r} is in runs, too; name everybody once")
    names = [name for name in dict.fromkeys(rows["who"]) if name]
    if unknown := [name for name in names if name not in (*people, *judges)]:
        notes.append(f"Left out {some(unknown, 20)}, named neither among the people nor as runs.")
    return rows[~rows["who"].isin(unknown)]


def _melt_judges(
    table: Table, item: str, topic: str | None, who: str, rating: str, people: pd.DataFrame
) -> pd.DataFrame:
    """Return the rows of a table of judges, in which topics may be left out."""
    own = topic if topic in table.frame else None
    rest = [name for name in table.columns if name not in (item, own, rating)]
    if rating in table.frame and rest:
        rows = _melt(table, item, own, [], rest[0] if len(rest) == 1 else who, rating)
    else:
        rows = _melt(table, item, own, rest or [rating], None, rating)
    if own != topic:
        topics = people.drop_duplicates(["item", "topic"]).set_index("item")["topic"]
        if not topics.index.is_unique:
            name = topics.index[topics.index.duplicated()][0]
            fault = f"no column {topic!r}, and the item {name!r} is in several topics"
            raise Wrong(table.path, found=fault, fix="add the column")
        rows["topic"] = rows["item"].map(topics).fillna(ONE_TOPIC)
    return rows


def _with_values(
    rows: pd.DataFrame, classes: Sequence[str], not_rated: Sequence[Any], notes: list[str]
) -> pd.DataFrame:
    """Add what each cell says, ``value``, a number or a text, and whether it is a rating."""
    codes, cells = pd.factorize(rows["cell"])
    values = [*map(_value, cells), ""]
    if any(isinstance(value, float) and "," in str(cell) for value, cell in zip(values, cells)):  # noqa: B905
        notes.append("Read commas in numbers as decimal commas.")
    marks, none = {*map(_value, not_rated)}, NO_RATING - {*map(str.casefold, classes)}
    is_rating = np.array([x not in marks and str(x).casefold() not in none for x in values])
    key = rows["topic"] + "\t" + rows["item"]
    return rows.assign(
        key=key, value=np.array(values, dtype=object)[codes], is_rating=is_rating[codes]
    )


def _value(cell: object) -> float | str:
    """Return the finite number, with a decimal point or comma, or the text of a cell."""
    text = str(cell).strip()
    try:
        number = round(float(text.replace(",", ".")), 9)  # noise of means is no step
    except ValueError:
        return text
    return number if np.isfinite(number) else text


def _text(value: float | str) -> str:
    """Return a value as lists of classes hold it: 3.0 as 3."""
    return f"{value:.12g}" if isinstance(value, float) else value


def _option(name: str, values: Iterable[float | str]) -> str:
    """Return an option to paste, with quotes where values need them.

    >>> print(_option("classes", ["bad", "so, so", 1.5]))
    --classes='bad,"so, so",1.5'
    """
    row = io.StringIO()
    csv.writer(row, lineterminator="").writerow(map(_text, values))
    return f"--{name}={shlex.quote(row.getvalue())}"


def _or_no_rating(row: Row) -> str:
    """Return the end of a mend: how to say that a cell is no rating."""
    option, value = _option("not-rated", [row["value"]]), row["value"]
    in_python = _text(value) if isinstance(value, float) else repr(value)
    return (
        f"; or correct it or, if it means that there is no rating, give {option} (in Python "
        f"not_rated=[{in_python}])"
    )


def _refuse(tables: Sequence[Table], rows: pd.DataFrame, faults: Iterable[Fault]) -> None:
    """Raise ValueError with a line for each fault that is there, at the first of its rows."""
    problems = Problems()
    _add(tables, rows, faults, problems)
    if problems:
        raise ValueError("\n".join(problems.causes()))


def _add(
    tables: Sequence[Table], rows: pd.DataFrame, faults: Iterable[Fault], problems: Problems
) -> None:
    """Add a problem for each row that is wrong."""
    for code, wrong, found, fix in faults:
        records: Any = rows[wrong].to_dict("records")
        for row in records:
            problem = tables[row["table"]].problem(row["row"], found(row), fix(row))
            problems.append(replace(problem, code=code))


def _without(unit: str, row: object) -> str:
    return f"a rating without {unit}"


def _faults_of_names(rows: pd.DataFrame) -> Iterator[Fault]:
    """Yield what is wrong with annotators, items and topics."""
    rated, who = rows["is_rating"], rows["who"]
    for column, unit in (("who", "annotator"), ("item", "item"), ("topic", "topic")):
        yield (
            f"no {unit}", rated & (rows[column] == ""),
            partial(_without, unit), lambda row: "name it, or remove the row",
        )  # fmt: skip
    yield (
        "twice", rated & rows.duplicated(["role", "who", "key", "is_rating"]),
        lambda row: f"a second rating of item {row['item']!r} by {row['who']!r}",
        lambda row: _TWICE,
    )  # fmt: skip
    first = (who != "") & ~rows.duplicated(["role", "who"])
    yield (
        "silent", first & ~who.isin({*who[rated]}),
        lambda row: f"the annotator {row['who']!r}, who rated nothing", lambda row: "leave it out",
    )  # fmt: skip
    yield (
        "two roles", first & (rows["role"] == "run") & who.isin({*who[rows["role"] == "person"]}),
        lambda row: f"the judge {row['who']!r}, which is a person's name, too",
        lambda row: "rename one",
    )  # fmt: skip


def _faults_of_ratings(rows: pd.DataFrame, classes: list[str]) -> Iterator[Fault]:
    """Yield ratings that are no class, and items that were meant to have gold and have none."""
    yield (
        "class", rows["is_rating"] & (rows["class"] < 0),
        lambda row: f"the rating {row['cell']!s:.60} by {row['who']!r}, not one of {some(classes)}",
        lambda row: _NO_CLASS + _or_no_rating(row),
    )  # fmt: skip
    stray, is_run = rows["is_rating"] & ~rows["has_gold"], rows["role"] == "run"
    judged = {*rows["key"][rows["is_rating"] & rows["has_gold"] & is_run]}
    lacking = rows["item"][rows["has_gold"] & ~rows["key"].isin(judged)]
    same = meant(rows["item"][stray].unique(), lacking.unique())
    if same or not judged:
        yield (
            "stray", stray & is_run & (rows["item"].isin(same) if same else True),
            lambda row: f"item {row['item']!r}, which people's ratings call {same[row['item']]!r}"
            if same else f"item {row['item']!r}, as no item that people rated is called",
            lambda row: "give an item one name for people and judges",
        )  # fmt: skip


def _faults_of_annotators(
    rows: pd.DataFrame, classes: Sequence[str], stray: NDArray[np.bool_]
) -> Iterator[Fault]:
    """Yield ratings that are no class, and those of items that gold data do not have."""
    yield (
        "class", rows["class"] < 0,
        lambda row: f"the rating {row['cell']} by {row['who']!r}, not one of {some(classes)}",
        lambda row: "correct the rating",
    )  # fmt: skip
    yield (
        "stray", pd.Series(stray, rows.index),
        lambda row: f"item {row['item']!r} of topic {row['topic']!r}, which gold does not have",
        lambda row: "write names as the gold file does",
    )  # fmt: skip


def _scale(tables: Sequence[Table], rows: pd.DataFrame, notes: list[str]) -> list[str]:
    """Return the classes that people's numbers imply; a note asks whether the scale is complete."""
    is_given = rows["is_rating"] & (rows["role"] != "run")
    values = list(rows["value"][is_given].unique())
    numbers = sorted(value for value in values if isinstance(value, float))
    step = 1.0 if all(number.is_integer() for number in numbers) else 0.5
    found, strange = _strange(values, numbers, rows["value"][is_given])
    wrong = is_given & rows["value"].isin(strange) & ~rows["value"][is_given].duplicated()
    proposed = [*rows["value"][rows["is_rating"]].unique()]
    if numbers:
        proposed = _steps(floor(numbers[0]), ceil(numbers[-1]), step)
    option = _option(
        "classes", proposed if len(proposed) in range(2, 26) else ["LOWEST", "...", "HIGHEST"]
    )
    fix = f"list the scale, from lowest to highest, as with {option} (in Python classes=)"
    _refuse(tables, rows, [("scale", wrong, found, lambda row: fix + _or_no_rating(row))])
    classes = _steps(numbers[0], numbers[-1], step, MOST_CLASSES)
    notes.append(_IS_COMPLETE.format(" < ".join(classes)))
    return classes


def _strange(
    values: list[float | str], numbers: list[float], given: pd.Series
) -> tuple[Callable[[Row], str], Sequence[float | str]]:
    """Say why a scale does not follow from people's ratings, and which of them is the reason."""
    if words := [value for value in values if isinstance(value, str)]:
        return lambda row: f"the rating {row['cell']!r:.60} and no list of the classes", words
    if odd := [number for number in numbers if 2 * number % 1]:
        return lambda row: f"the rating {row['cell']}, neither a whole nor a half point", odd
    if gap := next((pair for pair in pairwise(numbers) if pair[1] - pair[0] > 1), None):
        low, high = gap
        rarer = high if (given >= high).mean() < 0.5 else low
        return lambda row: f"the ratings {low:g} and {high:g}, and none between them", [rarer]
    # -1 is a usual mark of a missing rating; a scale that is even about 0 has other reasons.
    is_even = -numbers[0] == numbers[-1] > 1
    below = [number for number in numbers if number < 0 and not is_even]
    return lambda row: f"the rating {row['cell']}, below 0", below


def _steps(low: float, high: float, step: float, most: int = _MOST_LISTED) -> list[str]:
    """Return a scale from low to high; none if it has too many classes."""
    size = round((high - low) / step) + 1
    return [f"{round(low + k * step, 9):g}" for k in range(size)] if size <= most else []


def _order(tables: Sequence[Table], names: set[str]) -> list[str] | None:
    """Return the classes of the ordered categories of some columns, if they have such."""
    orders = {
        tuple(_text(_value(label)) for label in kind.categories)
        for table in tables
        for name, kind in table.frame.dtypes.items()
        if name in names and isinstance(kind, pd.CategoricalDtype) and kind.ordered
    }
    if len(orders) > 1:
        several = " and ".join(" < ".join(order) for order in sorted(orders))
        raise ValueError(f"classes: the columns have several orders, {several}; list the classes")
    return list(orders.pop()) if orders else None


def _classify(
    rows: pd.DataFrame, classes: Sequence[str], rounding: str | None, notes: list[str]
) -> Integers:
    """Return the class of each rating as an index, and -1 for what is none."""
    codes, values = pd.factorize(rows["value"])
    places = {_value(label): place for place, label in enumerate(classes)}
    exact = np.array([places.get(value, -1) for value in values])[codes]
    scale = [value for value in places if isinstance(value, float)]
    if rounding and len(scale) == len(classes) and (np.diff(scale) > 0).all():
        numbers = np.array([x if isinstance(x, float) else np.nan for x in values])[codes]
        # A step beyond each end: what comes to lie there is no class.
        longer = np.array([2 * scale[0] - scale[1], *scale, 2 * scale[-1] - scale[-2]])
        position = np.interp(numbers, longer, np.arange(-1, len(scale) + 1))
        nearest = np.floor(position + 0.5) if rounding == "up" else np.ceil(position - 0.5)
        of_judges = ((rows["role"] == "run") & rows["is_rating"]).to_numpy()
        near = of_judges & (exact < 0) & (nearest >= 0) & (nearest < len(scale))
        exact = np.where(near, np.nan_to_num(nearest), exact).astype(np.intp)
        notes.append(
            f"Rounded {near.sum()} of the judges' {of_judges.sum()} ratings to the nearest class, "
            f"and {rounding} from halfway."
        )
    return exact


def _note_items(rows: pd.DataFrame, gold: str, notes: list[str]) -> None:
    """Note the items that have ratings and no gold."""
    if names := list(rows["item"][rows["is_rating"] & ~rows["has_gold"]].unique()):
        reason = "that no person rated" if gold in RULES else "without gold"
        notes.append(f"Left out {counted(len(names), 'item')} {reason}: {some(names, 5)}.")


def _note_scales(rows: pd.DataFrame, classes: list[str], notes: list[str]) -> None:
    """Note topics whose ratings leave half of the scale unused, as topics with their own do."""
    given = rows[rows["is_rating"] & (rows["role"] != "run")]
    ends = given.groupby("topic", sort=False)["class"].agg(["min", "max", "size"])
    middle = (len(classes) - 1) / 2
    narrow = (ends["size"] >= _ENOUGH) & ((ends["max"] <= middle) | (ends["min"] >= middle))
    if narrow.any() and len(classes) > 2 and len(ends) > 1:
        topic, (low, high, _) = next(ends[narrow].iterrows())
        notes.append(
            f"The ratings of {counted(int(narrow.sum()), 'topic')} leave half of the scale unused: "
            f"of {topic} they reach from {classes[low]} to {classes[high]}, of all from "
            f"{classes[ends['min'].min()]} to {classes[ends['max'].max()]}. If topics have scales "
            "of their own, make a task for each scale."
        )


def _gives_gold(rows: pd.DataFrame, gold: str) -> pd.Series:
    """Tell which ratings the gold data come from."""
    return rows["is_rating"] & (rows["role"] == ("person" if gold in RULES else "gold"))


def _task(
    rows: pd.DataFrame,
    judges: list[str],
    classes: tuple[str, ...],
    rule: str,
    ties: End | None,
    gaps: Gaps,
    notes: list[str],
    name: str,
) -> Task:
    """Decide the gold data of checked ratings, and build their task."""
    keys = pd.Index(rows["key"][_gives_gold(rows, rule)].unique())
    rows = rows.assign(place=keys.get_indexer(pd.Index(rows["key"])))
    items = tuple(key.partition("\t")[2] for key in keys)
    topics, topic_names = pd.factorize(pd.Index([key.partition("\t")[0] for key in keys]))
    if rule == "shares" and tuple(topic_names) == (ONE_TOPIC,):
        topics, topic_names = np.arange(len(items)), pd.Index(items)
    of_role = {role: rows[rows["role"] == role] for role in ("gold", "person", "run")}
    people = _people(of_role["person"], items, topics, len(classes), rule)
    predicted = np.full((len(judges), len(items)), -1)
    places = pd.Index(judges).get_indexer(pd.Index(of_role["run"]["who"]))
    predicted[places, of_role["run"]["place"]] = of_role["run"]["class"]
    about: dict[str, Any] = {"name": name, "classes": classes, "topics": tuple(topic_names)}
    about |= {"runs": tuple(judges), "annotators": people}
    if people and rule == "shares":
        notes += _find_gaps(about, predicted, items, topics, gaps)
        about["provenance"] = Provenance("yours", notes=as_notes(notes))
        votes = people.count(topics[people.item], len(topic_names))
        rated = [(topics[row >= 0], row[row >= 0]) for row in predicted]
        counts = np.array([count(*pair, votes.shape) for pair in rated])
        estimates = _shares(counts.reshape(-1, *votes.shape))
        about |= {"votes": tuple(votes.sum(axis=1).tolist()), "_gold": _shares(votes)}
        return gaps.noted(QuantificationTask(**about, _estimates=estimates))
    if people and rule in RULES:
        gold = gold_labels(people.votes, people.rule, ties or "lower")
        about["ties"] = tied = _ties(people, gold, ties)
        notes += [tied.note] if tied else []
    else:
        gold = of_role["gold"].sort_values("place")["class"].to_numpy()
        about["annotators"] = people and with_rule(people, gold, notes)
    _find_gaps(about, predicted, items, None, gaps)
    about["provenance"] = Provenance("yours", notes=as_notes(notes))
    about["items"] = tuple((key.partition("\t")[0], key.partition("\t")[2]) for key in keys)
    task = ClassificationTask(**about, _gold=gold, _predicted=predicted, _topic=topics)
    return gaps.noted(task)


def _people(
    rows: pd.DataFrame, items: tuple[str, ...], topics: Integers, classes: int, rule: str
) -> Annotators | None:
    """Return the people and their ratings, if there are any."""
    if rows.empty:
        return None
    person, names = pd.factorize(rows["who"])
    by_rule = next((known for known in RULES if known == rule), RULES[0])
    place, label = rows["place"].to_numpy(), rows["class"].to_numpy()
    return Annotators(tuple(names), items, topics, place, person, label, classes, by_rule)


def read_annotators(
    path: Path,
    asked: Sequence[str],
    classes: Sequence[str],
    gold: NDArray[Any],
    problems: Problems,
    notes: list[str],
) -> Annotators | None:
    """Read the ratings behind gold data: item, annotator, rating and, unless there is one, topic.

    ``asked`` are the topics of distributions, (topics, classes), or of labels, (items,), the topics
    and items with a tab between them. The rule is the one that gives ``gold``.
    """
    with problems.collect(path):
        table, labels = read_table(path, []), gold.ndim == 1
        wanted = ["item", "annotator", "rating"]
        if not {*wanted} <= {*table.columns}:
            found = f"the columns {shown(','.join(table.columns), 120)}, not {','.join(wanted)}"
            raise Wrong(path, line=1, found=found, fix="write such a header")
        topic = "topic" if "topic" in table.columns else None
        rows = _melt(table, "item", topic, [], "annotator", "rating").assign(role="person", table=0)
        rows["topic"] = rows["topic"] if topic or labels else rows["item"]
        rows = _with_values(rows, classes, (), [])
        rows = rows[rows["is_rating"]]
        rows["class"] = _classify(rows, classes, None, [])
        place = pd.Index(asked).get_indexer(pd.Index(rows["key" if labels else "topic"]))
        _add([table], rows, _faults_of_names(rows), problems)
        _add([table], rows, _faults_of_annotators(rows, classes, place < 0), problems)
        if problems.within(path):
            return None
        keys = pd.Index(asked if labels else rows["key"].unique())
        names = [key.partition("\t")[::2] for key in keys]
        items, of_items = tuple(item for _, item in names), pd.Index([topic for topic, _ in names])
        topics = pd.factorize(of_items)[0] if labels else pd.Index(asked).get_indexer(of_items)
        rows["place"] = keys.get_indexer(pd.Index(rows["key"]))
        people = _people(rows, items, topics, len(classes), "median" if labels else "shares")
        return people and with_rule(people, gold, notes)
    return None


def _ties(people: Annotators, gold: Integers, choice: End | None) -> Ties | None:
    """Return the ties of people's ratings; refuse them if nobody chose what is gold there."""
    ties = find_ties(people.votes, people.rule, gold)
    if ties and not choice:
        names = some([people.items[place] for place in np.flatnonzero(ties.items)], 5)
        options = "".join(f"\n  --ties {end}   (in Python ties={end!r})" for end in ENDS)
        raise ValueError(
            f"{people.rule}: {ties} ({names}); say which class is gold there, because judges may "
            f"win or lose by it:{options}"
        )
    return ties


def _find_gaps(
    about: dict[str, Any],
    predicted: Integers,
    items: tuple[str, ...],
    topics: Integers | None,
    gaps: Gaps,
) -> list[str]:
    """Fill ``gaps`` with what each judge lacks, items or whole ``topics``, or refuse it.

    Return a note on each judge that lacks items of topics.
    """
    notes = []
    for run, lacking in zip(about["runs"], predicted < 0, strict=True):
        if not lacking.any():
            continue
        empty = lacking if topics is None else np.bincount(topics, lacking) > 0
        gaps.unanswered[run] = empty
        if not gaps or empty.all():
            unrated = some(np.array(items)[lacking].tolist(), 5)
            other = "" if empty.all() else ", or pass missing='worst' to score it nevertheless"
            raise ValueError(
                f"{about['name']}: the judge {run!r} has no rating for {unrated}; add them, or "
                f"leave these items out for everybody{other}"
            )
        if topics is not None and len(about["topics"]) < len(items):
            notes.append(
                f"{run} rated {(~lacking).sum()} of {counted(len(lacking), 'item')}: topics in "
                "which it lacks an item have no answer."
            )
    return notes


def _shares(votes: Integers) -> NDArray[np.float64]:
    """Divide votes (..., classes) by their number; where there are none, shares stay 0."""
    return np.asarray(votes / np.maximum(votes.sum(axis=-1, keepdims=True), 1))
