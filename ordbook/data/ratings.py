"""Ratings by people, and by judges that are held against them: tables of ratings -> a task.

The way is straight: tables of any shape -> one long table of cells -> checked -> the task.
"""

import csv
import io
import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
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
from ordbook.data.cells import raters, read_cells
from ordbook.data.gaps import Missing, may_lack, with_gaps
from ordbook.data.labels import few_classes
from ordbook.data.problems import Fault, Phrase, Problems, Row, Wrong, as_notes
from ordbook.data.tables import Table, read_table
from ordbook.data.tasks import ONE_TOPIC, ClassificationTask, Provenance, QuantificationTask
from ordbook.measures.confusion import MOST_CLASSES
from ordbook.words import check_names, counted, did_you_mean, is_total, meant, shown, some

Task = ClassificationTask | QuantificationTask
Flags = NDArray[np.bool_]
RULES: tuple[Rule, ...] = get_args(Rule)
# What programs write where there is no rating.
_NO_RATING = {"", "na", "n/a", "<na>", "nan", "null", "(blank)", "missing", "no answer"}
_MOST_LISTED = 25  # classes in a proposed scale: beyond, a rating is likelier mistyped
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
        of annotation tools, a list of one value and a mapping with one number are that value, of a
        long table each row may hold a list of annotators and one of their ratings, and ratings
        that a column such as ``status`` calls rejected, ignored, discarded or drafts are left out,
        with a note.
    item, topic
        The columns that name items and their topics. Without topics, all items are one pool.
    annotator, rating
        Of a long table, the columns that name the annotator and hold the rating (by default
        ``"rating"``). Of a wide one, ``annotator`` names the column of each person. It may also
        list the people of a long table: whoever is neither among them nor a run is left out, with
        a note. Otherwise, everybody in a long table who is no run is one of the people.
    gold
        The rule for the gold data. ``"median"``: the middle rating, of an even number one of the
        two in the middle (``ties``). ``"majority"``: the commonest rating. ``"shares"``: the
        distribution of all ratings of a topic or, without topics, of an item; the task is then one
        of quantification, and a judge's distribution is that of its ratings. Any other text names
        the column, or the annotator of a long table, that is gold, such as a score on which two
        people settled; the people's ratings stay with the task, and there need be none.
    runs
        The judges: annotators of a long table, columns of any, or a second table of judges alone, a
        DataFrame or a path. A text that is no path is the name of one judge.
    classes
        The scale, from lowest to highest. By default it is that of ordered categories (of pandas
        or ``polars.Enum``), or reaches from the lowest to the highest rating by people, in whole
        steps, or in half ones if anybody gave half a point, and a note asks whether it is complete.
        Words without an order need ``classes``, and so do ratings below 0, or of which neighbours
        are more than 1 apart.
    ties
        Whether the ``"lower"`` or the ``"upper"`` class is gold where the two middle ratings differ
        or, of a majority, several are commonest. There is no default, because the choice favours
        strict or generous judges; ``task.ties`` keeps the gold under the other choice.
    rounding
        Whether a judge's rating between two classes, such as a mean, goes to the nearest one, and
        from halfway ``"up"`` or ``"down"``. By default it is refused. People's are never rounded.
    not_rated
        Cells, besides empty ones, that mean that there is no rating, such as ``[-1, 99]``.
    missing
        What to do about items that have gold and that a judge did not rate, as for
        :func:`ordbook.load`. By ``gold="shares"``, a topic in which a judge lacks an item has no
        answer: a judge could otherwise choose which items it is scored on.
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
    settled = [] if gold in RULES else [gold]
    if names == ["annotator"] and settled and settled[0] in tables[0].columns:
        names = [name for name in names if name in tables[0].columns]  # gold and runs may be all
    who: dict[str, Any] = {"names": list(map(str, names)), "gold": settled, "judges": judges}
    cells = read_cells(tables, **who, notes=notes, item=item, topic=topic, rating=rating)
    if settled and "gold" not in cells["role"].cat.categories:
        known = [*RULES, *tables[0].columns, *cells["who"].cat.categories]
        raise ValueError(no_rule("gold", gold, RULES, ", or name the column that is gold", known))
    if classes is None:
        classes = _order(tables, {*cells["who"].cat.categories, rating or "rating"})
    listed = None if classes is None else list(map(str, classes))
    cells = _without(cells, listed or [], not_rated)
    _refuse([*_totals(tables, cells), *_faults_of_names(tables, cells)])
    cells = cells[cells["text"].notna()]
    notes += _commas(cells)
    labels = listed or _scale(tables, cells, notes)
    check_names(labels, "class", "classes")
    few_classes(len(labels), "the ratings" if listed is None else "classes")
    cells = _classified(cells, labels, rounding, notes)
    gives_gold = cells["key"][cells["role"] == ("gold" if settled else "person")]
    has_gold = cells["key"].isin(gives_gold).to_numpy()
    _refuse(_faults_of_ratings(tables, cells, labels, has_gold))
    notes += _notes(cells, has_gold, bool(settled))
    return _task(cells[has_gold], judges, tuple(labels), gold, ties, missing, notes, name)


def no_rule(
    option: str, value: str, rules: Sequence[str], others: str = "", known: Sequence[str] = ()
) -> str:
    """Return the message about a value of an option that is none of its rules."""
    choice = f"choose {' or '.join(rules)}{others}"
    if value == "mean":
        return f"{option}: 'mean' is no rule, because a mean lies between classes; {choice}"
    return f"{option}: {value!r} is no rule; {choice}{did_you_mean(str(value), known or rules)}"


def _without(cells: pd.DataFrame, classes: Sequence[str], not_rated: Sequence[Any]) -> pd.DataFrame:
    """Return cells of which those have no text that mean that there is no rating."""
    marks, none = {*map(_value, not_rated)}, _NO_RATING - {*map(str.casefold, classes)}
    said = cells["text"].cat
    blank = [text for text in said.categories if _value(text) in marks or text.casefold() in none]
    return cells.assign(text=said.remove_categories(blank))


def _commas(cells: pd.DataFrame) -> Iterator[str]:
    if any(
        "," in text and isinstance(_value(text), float) for text in cells["text"].cat.categories
    ):
        yield "Read commas in numbers as decimal commas."


def _values(cells: pd.DataFrame, value: Callable[[str], Any], dtype: Any = float) -> NDArray[Any]:
    """Return a function's value for the text of each cell, which is never missing."""
    said = cells["text"].cat
    return np.array([*map(value, said.categories)], dtype)[said.codes]


def _number(text: str) -> float:
    value = _value(text)
    return value if isinstance(value, float) else np.nan


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


def _or_no_rating(text: str) -> str:
    """Return the end of a mend: how to say that a cell is no rating."""
    value = _value(text)
    in_python = _text(value) if isinstance(value, float) else repr(value)
    return (
        "; or correct it or, if it means that there is no rating, give "
        f"{_option('not-rated', [value])} (in Python not_rated=[{in_python}])"
    )


def _refuse(faults: Iterable[Fault]) -> None:
    """Raise ValueError with a line for each fault that is there, at the first of its cells."""
    problems = Problems()
    problems.add_faults(faults)
    if problems:
        raise ValueError("\n".join(problems.causes()))


def _rows(tables: Sequence[Table], cells: pd.DataFrame, wrong: Any) -> Iterator[Row]:
    """Yield the cells that are wrong, with their places."""
    rows: Iterable[Any] = cells[wrong].itertuples()
    for row in rows:
        yield tables[row.table].at(row.row, **row._asdict())


def _faults_of_names(tables: Sequence[Table], cells: pd.DataFrame) -> Iterator[Fault]:
    """Yield the faults of annotators, items and topics."""
    rows = partial(_rows, tables, cells)
    rated, who = cells["text"].notna(), cells["who"]
    for unit, names in (("annotator", who), ("item", cells["item"]), ("topic", cells["topic"])):
        fix = "name it, or remove the row; of merged cells, only the first has a name"
        yield f"no {unit}", rows(rated & (names == "")), f"a rating without {unit}", fix
    first = ~cells.duplicated(["table", "who"])
    again = cells.assign(rated=rated).duplicated(["key", "who", "table", "rated"])
    yield (
        "twice", rows(rated & again & (cells["item"] != "")),
        lambda row: f"a second rating of item {row.item!r} by {row.who!r}", _TWICE,
    )  # fmt: skip
    silent = ~rated.groupby([cells["table"], who], observed=True).transform("any")
    yield (
        "silent", rows(first & silent & (who != "")),
        lambda row: f"the annotator {row.who!r}, who rated nothing", "leave it out",
    )  # fmt: skip
    yield (
        "two roles", rows(first & (cells["role"] == "run") & who.isin(raters(cells, "person"))),
        lambda row: f"the judge {row.who!r}, which is a person's name, too", "rename one",
    )  # fmt: skip


def _totals(tables: Sequence[Table], cells: pd.DataFrame) -> Iterator[Fault]:
    """Yield items that sum up the others, as the last row of a sheet may do."""
    totals = list(filter(is_total, cells["item"].cat.categories))
    wrong = cells["item"].isin(totals) & ~cells.duplicated(["table", "item"])
    yield (
        "total", _rows(tables, cells, wrong),
        lambda row: f"the item {row.item!r} is a total",
        "leave it out; or, if it is an item, give it another name",
    )  # fmt: skip


def _faults_of_ratings(
    tables: Sequence[Table], cells: pd.DataFrame, classes: Sequence[str], has_gold: Flags
) -> Iterator[Fault]:
    """Yield ratings that are no class, and items that were meant to have gold and have none."""
    rows = partial(_rows, tables, cells)
    yield _no_class(rows, cells, classes, lambda row: _NO_CLASS + _or_no_rating(row.text))
    is_run = cells["role"] == "run"
    judged = cells["key"].isin(cells["key"][is_run])
    lacking, unused = cells["item"][judged & ~has_gold], cells["item"][has_gold & ~judged]
    same = meant(lacking.unique(), unused.unique())
    stray = is_run & ~has_gold
    if same or not (judged & has_gold).any():
        yield (
            "stray", rows(stray & cells["item"].isin(list(same)) if same else stray),
            lambda row: f"item {row.item!r}, which people's ratings call {same[row.item]!r}"
            if same else f"item {row.item!r}, as no item that people rated is called",
            "give an item one name for people and judges",
        )  # fmt: skip


def _no_class(rows: Any, cells: pd.DataFrame, classes: Sequence[str], fix: Phrase) -> Fault:
    """Return the fault of ratings that are no class."""

    def found(row: Any) -> str:
        return f"the rating {row.text:.60} by {row.who!r}, not one of {some(classes)}"

    return "class", rows(cells["class"] < 0), found, fix


def _scale(tables: Sequence[Table], cells: pd.DataFrame, notes: list[str]) -> list[str]:
    """Return the classes that people's numbers imply; a note asks whether the scale is complete."""
    given = cells[cells["role"] != "run"]
    number = _values(given, _number)
    numbers = np.unique(number[~np.isnan(number)])
    step = 0.5 if (numbers % 1).any() else 1.0
    proposed = list(dict.fromkeys(map(_value, cells["text"].unique())))
    if len(numbers):
        proposed = [*_steps(floor(numbers[0]), ceil(numbers[-1]), step)]
    elif all(re.match(r"\d", str(value)) for value in proposed):  # as in 2/5, or 2 - poor
        proposed.sort(key=lambda value: int(re.findall(r"\d+", str(value))[0]))
    option = _option(
        "classes", proposed if len(proposed) in range(2, 26) else ["LOWEST", "...", "HIGHEST"]
    )
    fix = f"list the scale, from lowest to highest, as with {option} (in Python classes=)"
    found, strange = _strange(number, numbers)
    rows = _rows(tables, given, strange & ~given["text"].duplicated().to_numpy())
    _refuse([("scale", rows, found, lambda row: fix + _or_no_rating(row.text))])
    classes = _steps(numbers[0], numbers[-1], step, MOST_CLASSES)
    notes.append(_IS_COMPLETE.format(" < ".join(classes)))
    return classes


def _strange(number: NDArray[np.float64], numbers: NDArray[np.float64]) -> tuple[Phrase, Flags]:
    """Say why a scale does not follow from ratings, of which words are NaN, and which say so.

    ``numbers`` are the different ones, in order.
    """
    if (words := np.isnan(number)).any():
        return lambda row: f"the rating {row.text!r:.60} and no list of the classes", words
    if (odd := 2 * number % 1 > 0).any():
        return lambda row: f"the rating {row.text}, neither a whole nor a half point", odd
    for low, high in pairwise(numbers):
        if high - low > 1:
            rarer = high if (number >= high).mean() < 0.5 else low
            return f"the ratings {low:g} and {high:g}, and none between them", number == rarer
    # -1 is a usual mark of a missing rating; a scale that is even about 0 has other reasons.
    is_even = len(numbers) and -numbers[0] == numbers[-1] > 1
    return lambda row: f"the rating {row.text}, below 0", (number < 0) & (not is_even)


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


def _classified(
    cells: pd.DataFrame, classes: Sequence[str], rounding: str | None, notes: list[str]
) -> pd.DataFrame:
    """Return cells with the class of each rating as an index, or -1."""
    places = {_value(label): place for place, label in enumerate(classes)}
    label = _values(cells, lambda text: places.get(_value(text), -1), np.intp)
    scale = [x for x in places if isinstance(x, float)]
    if rounding and len(scale) == len(classes) and (np.diff(scale) > 0).all():
        # A step beyond each end: what comes to lie there is no class.
        longer = np.array([2 * scale[0] - scale[1], *scale, 2 * scale[-1] - scale[-2]])
        position = np.interp(_values(cells, _number), longer, np.arange(-1, len(scale) + 1))
        nearest = np.floor(position + 0.5) if rounding == "up" else np.ceil(position - 0.5)
        is_run = cells["role"] == "run"
        near = is_run & (label < 0) & (nearest >= 0) & (nearest < len(scale))
        label = np.where(near, nearest, label).astype(np.intp)
        notes.append(
            f"Rounded {near.sum()} of the judges' {is_run.sum()} ratings to the nearest class, "
            f"and {rounding} from halfway."
        )
    return cells.assign(**{"class": label})


def _notes(cells: pd.DataFrame, has_gold: Flags, is_settled: bool) -> Iterator[str]:
    """Note items without gold."""
    if names := list(cells[~has_gold].sort_values("key").drop_duplicates("key")["item"]):
        reason = "without gold" if is_settled else "that no person rated"
        yield f"Left out {counted(len(names), 'item')} {reason}: {some(names, 5)}."


def _task(
    cells: pd.DataFrame,
    judges: list[str],
    classes: tuple[str, ...],
    rule: str,
    ties: End | None,
    missing: Missing,
    notes: list[str],
    name: str,
) -> Task:
    """Decide the gold data of checked ratings of items that have gold, and build their task."""
    cells, keys = _numbered(cells)
    items = tuple(keys["item"])
    topics, topic_names = pd.factorize(keys["topic"].astype(object))
    if rule == "shares" and tuple(topic_names) == (ONE_TOPIC,):
        topics, topic_names = np.arange(len(items)), pd.Index(items)
    people = _people(cells, items, topics, len(classes), rule)
    by_run = cells[cells["role"] == "run"]
    judges = judges or list(by_run["who"].sort_index().unique())
    predicted = np.full((len(judges), len(items)), -1)
    judge = pd.Index(judges).get_indexer(pd.Index(by_run["who"]))
    predicted[judge, by_run["key"]] = by_run["class"]
    about: dict[str, Any] = {"name": name, "classes": classes, "topics": tuple(topic_names)}
    about |= {"runs": tuple(judges), "annotators": people}
    if people and rule == "shares":
        gaps = _find_gaps(about, predicted, items, topics, missing, notes)
        about["provenance"] = Provenance("yours", notes=as_notes(notes))
        size = len(topic_names), len(classes)
        votes = count(topics[people.item], people.rating, size)
        rated = [(topics[row >= 0], row[row >= 0]) for row in predicted]
        counts = np.array([count(*pair, size) for pair in rated])
        estimates = _shares(counts.reshape(-1, *size))
        about |= {"votes": tuple(votes.sum(axis=1).tolist()), "_gold": _shares(votes)}
        return with_gaps(QuantificationTask(**about, _estimates=estimates), gaps)
    if people and rule in RULES:
        gold = gold_labels(people.votes, people.rule, ties or "lower")
        about["ties"] = tied = _ties(people, gold, ties)
        notes += [tied.note] if tied else []
    else:
        gold = cells["class"][cells["role"] == "gold"].to_numpy()
        about["annotators"] = people and with_rule(people, gold, notes)
    gaps = _find_gaps(about, predicted, items, None, missing, notes)
    about["provenance"] = Provenance("yours", notes=as_notes(notes))
    about["items"] = tuple(zip(keys["topic"], items, strict=True))
    task = ClassificationTask(**about, _gold=gold, _predicted=predicted, _topic=topics)
    return with_gaps(task, gaps)


def _numbered(cells: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return cells in the order of their items, numbered anew, and the topic and name of each."""
    cells = cells.sort_values("key", kind="stable")
    cells = cells.assign(key=pd.factorize(cells["key"])[0])
    return cells, cells.drop_duplicates("key")


def _people(
    cells: pd.DataFrame, items: tuple[str, ...], topics: Integers, classes: int, rule: str
) -> Annotators | None:
    """Return the people and their ratings, if there are any."""
    ratings = cells[cells["role"] == "person"]
    if ratings.empty:
        return None
    names = pd.Index(ratings["who"].sort_index().unique())  # as they come in the table
    person = names.get_indexer(pd.Index(ratings["who"]))
    by_rule = next((known for known in RULES if known == rule), RULES[0])
    place, label = ratings["key"].to_numpy(), ratings["class"].to_numpy()
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
    table, labels = read_table(path, []), gold.ndim == 1
    wanted = ["item", "annotator", "rating"]
    if not {*wanted} <= {*table.columns}:
        found = f"the columns {shown(','.join(table.columns), 120)}, not {','.join(wanted)}"
        raise Wrong(path, line=1, found=found, fix="write such a header")
    topic = "topic" if "topic" in table.columns else None
    cells = read_cells([table], ["annotator"], [], [], [], topic=topic)
    cells = _without(cells, classes, ())
    problems.add_faults(_faults_of_names([table], cells))
    cells = _classified(cells[cells["text"].notna()], classes, None, [])
    cells, keys = _numbered(cells)
    items, topics = keys["item"].astype(str), keys["topic"].astype(str)
    names = topics + "\t" + items if labels else topics if topic else items
    place = pd.Index(asked).get_indexer(pd.Index(names))
    rows = partial(_rows, [table], cells)

    def stray(row: Any) -> str:
        return f"item {row.item!r} of topic {row.topic!r}, which gold does not have"

    problems.add_faults(
        [
            _no_class(rows, cells, classes, "correct the rating"),
            ("stray", rows(place[cells["key"]] < 0), stray, "write names as the gold file does"),
        ]
    )
    if any(problem.file == str(path) for problem in problems):
        return None
    if labels:
        pairs = pd.DataFrame([key.partition("\t")[::2] for key in asked])
        cells = cells.assign(key=place[cells["key"]])
        items, place = pairs[1], pd.factorize(pairs[0])[0]
    people = _people(cells, tuple(items), place, len(classes), "median" if labels else "shares")
    return people and with_rule(people, gold, notes)


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
    missing: Missing,
    notes: list[str],
) -> dict[str, Flags]:
    """Return what each judge lacks, items or whole ``topics``, or refuse it.

    There is a note on each judge that lacks items of topics.
    """
    gaps, allowed = {}, may_lack(missing)
    for run, lacking in zip(about["runs"], predicted < 0, strict=True):
        if not lacking.any():
            continue
        empty = lacking if topics is None else np.bincount(topics, lacking) > 0
        gaps[run] = empty
        if not allowed or empty.all():
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
    return gaps


def _shares(votes: Integers) -> NDArray[np.float64]:
    """Divide votes (..., classes) by their number; where there are none, shares stay 0."""
    return np.asarray(votes / np.maximum(votes.sum(axis=-1, keepdims=True), 1))
