"""Ratings by people, and by judges that are held against them: tables of ratings -> a task."""

import csv
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from io import StringIO
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ordbook.data.alignment import Gaps, Missing, commonest
from ordbook.data.annotators import Annotators, Integers, Rule, gold_labels, lower_median
from ordbook.data.classes import HOW, few_classes, no_answers
from ordbook.data.names import check_names, meant
from ordbook.data.problems import Place, Problems, Wrong
from ordbook.data.tasks import ClassificationTask, Provenance, QuantificationTask
from ordbook.data.text import SUM_TOLERANCE, first_line, parse_json, read_content, read_text
from ordbook.words import counted, some

Task = ClassificationTask | QuantificationTask
ANNOTATORS = "annotators.csv"
RULES: tuple[Rule, ...] = get_args(Rule)
ONE_TOPIC = "all"  # the topic of items that name none
WORKBOOKS = (".xlsx", ".xlsm")
_IS_COMPLETE = (
    "The classes are taken to be {}, as far as the people's ratings reach. Is the scale complete? "
    "If not, list all its classes with --classes (in Python classes=)."
)
_TWICE = (
    "keep one; if another column tells them apart, such as a criterion, make a table of each of "
    "its values"
)
_NO_CLASS = "correct the rating, or list the whole scale with --classes (in Python classes=)"
_BETWEEN = (
    "round the judges' means with --round up or down, from halfway (in Python rounding=), or "
    "correct the rating"
)
_BEYOND = (
    "name the whole scale, as with --classes={} (in Python classes=[{}]), or correct the rating"
)
_MOST_LISTED = 25  # classes in a proposed scale: beyond, a rating is likelier mistyped


def from_ratings(
    frame: pd.DataFrame | Path | str,
    *,
    item: str = "item",
    annotator: str | Sequence[str] = "annotator",
    rating: str | None = None,
    gold: Rule,
    topic: str | None = None,
    runs: str | Sequence[str] | pd.DataFrame | Path = (),
    classes: Sequence[Any] | None = None,
    ties: Literal["refuse", "lower"] = "refuse",
    rounding: Literal["up", "down"] | None = None,
    missing: Missing = "refuse",
    name: str = "yours",
) -> Task:
    """Build a task from ratings: people's give the gold data, and judges' are the runs.

    Parameters
    ----------
    frame
        A long table, with a row for each rating, or a wide one, with a row for each item; or the
        path of such a file: CSV, JSON, JSON Lines, Excel or Parquet. People may have rated
        different items: missing values are missing ratings.
    item, topic
        The columns that name items and their topics. Without topics, all items are one pool.
    annotator, rating
        Of a long table, the columns that name the annotator and hold the rating (by default
        ``"rating"``). Of a wide table, ``annotator`` lists the columns of the people, and there is
        no ``rating``. It may also list the people of a long table, as its column ``annotator``
        calls them: whoever is neither among them nor a run is left out, with a note. Otherwise,
        everybody in a long table who is no run is taken as one of the people.
    gold
        The rule for the gold data. ``"median"``: the middle rating, of an even number the lower
        of the two in the middle. ``"majority"``: the commonest rating. ``"shares"``: the
        distribution of all ratings of a topic or, without topics, of an item; the task is then one
        of quantification, and a judge's distribution is that of its ratings.
    runs
        The judges: annotators of a long table, columns of a wide one, or a second table, long or
        wide, of judges alone. A text is the path of that table or, if there is no such file, the
        name of one judge.
    classes
        The scale, from lowest to highest. By default it reaches from the lowest to the highest
        rating by people, in whole steps, or in half ones if anybody gave half a point, and a note
        asks whether it is complete. Words need ``classes``, and so do ratings of which neighbours
        are more than 1 apart.
    ties
        Of a majority: whether several commonest ratings are refused, or the lowest is taken.
    rounding
        Whether a judge's rating between two classes, such as a mean, goes to the nearest one, and
        from halfway ``"up"`` or ``"down"``. By default it is refused. People's are never rounded.
    missing
        What to do about items that a judge did not rate, as for :func:`ordbook.load`.
    name
        Name of the task.

    Returns
    -------
    ClassificationTask or QuantificationTask
        ``task.annotators`` holds the ratings by people.

    Raises
    ------
    ValueError
        If a column does not exist, somebody rated an item twice or nothing at all, a rating is no
        class, a judge is called like a person, no item of the judges was rated by people, a judge
        lacks items, or a majority is tied. The message names the line or the row.

    Examples
    --------
    >>> ratings = pd.DataFrame({"item": ["a", "b", "c"], "Ann": [1, 2, 3], "Bob": [1, 3, 3],
    ...     "Cy": [2, 3, None], "model": [1, 3, 2]})
    >>> task = from_ratings(ratings, annotator=["Ann", "Bob", "Cy"], gold="median", runs=["model"])
    >>> task.gold.tolist(), task.predicted.tolist(), task.annotators
    ([0, 2, 2], [[0, 2, 1]], <Annotators: 8 ratings by 3 people of 3 items>)
    """
    for option, value, wanted in (
        ("gold", gold, RULES),
        ("ties", ties, ("refuse", "lower")),
        ("rounding", rounding or "up", ("up", "down")),
    ):
        if value not in wanted:
            raise ValueError(f"{option}={value!r} is no rule; choose {' or '.join(wanted)}")
    if isinstance(runs, str):
        runs = Path(runs) if Path(runs).is_file() else [runs]
    second = isinstance(runs, pd.DataFrame | Path)
    judges = [] if isinstance(runs, pd.DataFrame | Path) else list(map(str, runs))
    source = read_source(Path(frame) if isinstance(frame, str) else frame)
    annotator, rating, listed = _columns(source, annotator, rating)
    table = _long(source, item, topic, annotator, rating, judges)
    notes = list[str]()
    if isinstance(annotator, str):
        table = _only(table, listed, judges, notes)
    tables = [table]
    if isinstance(runs, pd.DataFrame | Path):
        tables.append(_of_judges(read_source(runs), item, topic, annotator, rating, table.rows))
        judges = [x for x in dict.fromkeys(tables[1].rows["who"]) if x]
    problems = Problems()
    ratings = _Ratings(tables, problems)
    rows = ratings.rows
    rows["is_run"] = rows["table"] == 1 if second else rows["who"].isin(judges)
    people = rows[~rows["is_run"]]
    both = rows[rows["is_run"] & rows["who"].isin({*people["who"]})].drop_duplicates("who")
    ratings.wrong(problems, both, "the judge {who!r}, which is a person's name, too", "rename one")
    _refuse(problems)
    if unknown := [judge for judge in judges if judge not in {*rows["who"]}]:
        there = some(list(dict.fromkeys(rows["who"])))
        raise ValueError(f"runs: no annotator is called {unknown[0]!r}; name some of {there}")
    if people.empty:
        raise ValueError("runs: all annotators are runs; leave out the people, who give the gold")
    if isinstance(annotator, str) and not listed:
        taken = some(list(dict.fromkeys(people["who"])), 20)
        notes.insert(0, f"Taken as people: {taken}; name every judge in --runs (in Python runs=).")
    scale = _Scale(_classes(classes, ratings, people, notes), rounding)
    rows["class"] = ratings.classify(scale, problems, notes)
    rows["key"] = rows["topic"] + "\t" + rows["item"]
    keys = pd.Index(rows.loc[people.index, "key"].unique())
    rows["place"] = keys.get_indexer(pd.Index(rows["key"]))
    _refuse_strangers(ratings, keys, problems, notes)
    _refuse(problems)
    own, others = rows.loc[people.index], rows[rows["is_run"] & (rows["place"] >= 0)]
    items = tuple(key.partition("\t")[2] for key in keys)
    topics, names = pd.factorize(pd.Index([key.partition("\t")[0] for key in keys]))
    if topic is None and gold == "shares":
        topics, names = np.arange(len(items)), pd.Index(items)
    who, annotators = pd.factorize(own["who"])
    run = pd.Index(judges).get_indexer(pd.Index(others["who"]))
    predicted = np.full((len(judges), len(items)), -1)
    predicted[run, others["place"]] = others["class"]
    by = Annotators(
        tuple(annotators), items, np.asarray(topics), own["place"].to_numpy(), np.asarray(who),
        own["class"].to_numpy(), len(scale.classes), gold,
    )  # fmt: skip
    _decide(by, ties, notes)
    if gold == "shares" and len(items) == len(names):
        notes.append(
            "People are not scored beside the runs: by shares of one item a topic, a person is a "
            "single rating, which is no distribution. Take the median or the majority, or name "
            "topics of several items with --topic (in Python topic=)."
        )
    about: dict[str, Any] = {"name": name, "classes": tuple(scale.classes), "topics": tuple(names)}
    about |= {"runs": tuple(judges), "provenance": Provenance("yours", notes=tuple(notes))}
    return _task(by, predicted, Gaps(missing), **about)


def _task(people: Annotators, predicted: Integers, gaps: Gaps, **about: Any) -> Task:
    """Build the task of ``predicted`` (runs, items), with -1 for no rating."""
    shares, size = people.rule == "shares", len(about["topics"])
    gold: NDArray[Any] = gold_labels(people.votes, people.rule)
    votes, answers = people.count(people.topics[people.item], size), list[NDArray[Any]](predicted)
    if shares:
        gold = votes / votes.sum(axis=1, keepdims=True)
        cells = [np.ravel_multi_index((people.topics, row), (size, len(votes[0])), "clip")
                 for row in predicted]  # fmt: skip
        counts = [np.bincount(cell[row >= 0], minlength=votes.size)
                  for cell, row in zip(cells, predicted, strict=True)]  # fmt: skip
        answers = [count.reshape(votes.shape) for count in counts]
    filled = []
    for run, row in zip(about["runs"], answers, strict=True):
        lacking = row.sum(axis=1) == 0 if shares else row < 0
        if lacking.any() and not gaps:
            unrated = np.array(about["topics"] if shares else people.items)[lacking]
            raise ValueError(
                f"{about['name']}: the judge {run!r} has no rating for {some(unrated.tolist(), 5)}"
                "; add them, or pass missing='worst' or missing='baseline' to score it nevertheless"
            )
        row = row / np.maximum(row.sum(axis=1, keepdims=True), 1) if shares else row
        places = np.where(lacking, -1, np.arange(len(row))).tolist()
        default = 1 / people.classes if shares else commonest(gold)
        filled.append(gaps.fill(run, places, row, default))
    about |= {"annotators": people, "_gold": gold}
    if shares:
        counted_votes = tuple(votes.sum(axis=1).tolist())
        estimates = np.array(filled).reshape(-1, *gold.shape)
        return gaps.noted(QuantificationTask(**about, votes=counted_votes, _estimates=estimates))
    labels = np.array(filled, dtype=np.intp).reshape(-1, len(gold))
    return gaps.noted(ClassificationTask(**about, _predicted=labels, _topic=people.topics))


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
    labels = gold.ndim == 1
    source = read_source(path)
    topic = "topic" if "topic" in source.frame.columns else None
    table = _long(source, "item", topic, "annotator", "rating")
    if not labels and topic is None:
        table.rows["topic"] = table.rows["item"]
    ratings = _Ratings([table], problems)
    rows = ratings.rows.assign(is_run=False)
    ratings.rows = rows
    rows["class"] = ratings.classify(_Scale(classes, None), problems, notes)
    keys = rows["topic"] + "\t" + rows["item"]
    places = pd.Index(asked).get_indexer(pd.Index(keys if labels else rows["topic"]))
    found = "item {item!r} of topic {topic!r}, which gold does not have"
    ratings.wrong(problems, rows[places < 0], found, "write names as the gold file does")
    if problems:
        return None
    who, names = pd.factorize(rows["who"])
    item, by_item = np.asarray(places), [name.split("\t") for name in asked]
    items, topics = (
        tuple(name[-1] for name in by_item),
        pd.factorize(np.array([name[0] for name in by_item], dtype=object))[0],
    )
    if not labels:
        item, own = pd.factorize(keys)
        items = tuple(key.partition("\t")[2] for key in own)
        topics = places[np.unique(item, return_index=True)[1]]
    rule: Rule = "median" if labels else "shares"
    people = Annotators(
        tuple(names), items, topics, item, who, rows["class"].to_numpy(), len(classes), rule
    )
    return _with_rule(people, gold, notes)


def _with_rule(people: Annotators, gold: NDArray[Any], notes: list[str]) -> Annotators:
    """Return the annotators with the rule that gives gold; note where none does."""
    if people.rule == "shares":
        votes = people.count(people.topics[people.item], len(gold))
        shares = votes / np.maximum(votes.sum(axis=1, keepdims=True), 1)
        differ = (np.abs(shares - gold) > SUM_TOLERANCE).any(axis=1)
    else:
        rated = people.votes.any(axis=1)
        rules: tuple[Rule, ...] = ("median", "majority")
        wrong = {rule: rated & (gold_labels(people.votes, rule) != gold) for rule in rules}
        rule = min(rules, key=lambda rule: wrong[rule].sum())
        people, differ = replace(people, rule=rule), wrong[rule]
    if differ.any():
        notes.append(
            f"{ANNOTATORS}: the gold of {differ.sum()} of {len(gold)} "
            f"{'topics' if people.rule == 'shares' else 'items'} is not what the ratings give "
            f"({people.rule})."
        )
    return people


@dataclass(frozen=True)
class Source:
    """A table, and where its rows stand: ``line`` says it of a row, ``labels`` of a DataFrame's."""

    frame: pd.DataFrame
    path: Path = Path("the ratings")
    line: Callable[[int], int] | None = None

    def wrong(self, problems: Problems, row: int, *, found: str, fix: str) -> None:
        """Add a problem in a row."""
        line = self.line(row) if self.line else None
        place = "" if self.line else f"row {self.frame.index[row]}"
        problems.add(self.path, line, found=found, fix=fix, place=place)


def read_source(table: pd.DataFrame | Path) -> Source:
    """Return a table of cells: of CSV with commas, semicolons or tabs, JSON, Excel or Parquet.

    Raises
    ------
    Wrong
        If the file cannot be read.
    """
    if isinstance(table, pd.DataFrame):
        return Source(table)
    ending = Path(table.name.lower().removesuffix(".gz")).suffix
    if ending in WORKBOOKS:
        frame = pd.read_excel(table, dtype=str, na_filter=False, engine="openpyxl")
        return Source(frame, table, lambda row: row + 2)
    if ending == ".parquet":
        return Source(pd.read_parquet(table), table)
    if ending in (".json", ".jsonl", ".ndjson"):
        records = _records(table, ending == ".json")
        by_line = None if ending == ".json" else lambda row: row + 1
        return Source(pd.DataFrame(records, dtype=object), table, by_line)
    text = read_text(table)
    separator = max(",;\t", key=first_line(text).count)
    rules: dict[str, Any] = {"sep": separator, "dtype": str, "na_filter": False}
    try:
        frame = pd.read_csv(StringIO(text), **rules, index_col=False, skip_blank_lines=False)
    except pd.errors.ParserError as error:
        found = f"rows that are longer than the header ({str(error).rpartition('. ')[2].strip()})"
        raise Wrong(table, found=found, fix="write one cell for each column") from None
    return Source(frame.rename(columns=str.strip), table, lambda row: _lines(text, separator)[row])


@lru_cache(maxsize=2)
def _lines(text: str, separator: str) -> list[int]:
    """Return the line on which each row begins; quoted cells may hold several lines."""
    reader = csv.reader(StringIO(text, newline=""), delimiter=separator)
    return [reader.line_num + 1 for _ in reader]


def _records(path: Path, whole: bool) -> list[dict[str, Any]]:
    """Return the objects of a JSON file, or of one with an object a line."""
    if whole:
        records = parse_json(read_content(path), Place(str(path)))
        if not isinstance(records, list):
            raise Wrong(path, found="no list of objects", fix="write a list of them")
        lines: list[tuple[int | None, Any]] = [(None, record) for record in records]
    else:
        lines = []
        for number, line in enumerate(read_text(path).splitlines(), 1):
            try:
                lines.append((number, json.loads(line or "{}")))
            except json.JSONDecodeError as error:
                found = f"this is not JSON ({error.msg})"
                raise Wrong(path, line=number, found=found, fix="correct the line") from None
    for at, record in lines:
        if not isinstance(record, dict):
            raise Wrong(path, line=at, found="no JSON object", fix="write one for each row")
    return [record for _, record in lines]


@dataclass(frozen=True)
class _Table:
    """A source, and a row for each of its cells: topic, item, who, cell, and the source's row."""

    source: Source
    rows: pd.DataFrame


def _columns(
    source: Source, annotator: str | Sequence[str], rating: str | None
) -> tuple[str | Sequence[str], str | None, list[str]]:
    """Return the columns of annotators and ratings, and who are people in a long table, if said."""
    there = [str(name) for name in source.frame.columns]
    cell = rating or "rating"
    names = [annotator] if isinstance(annotator, str) else [str(name) for name in annotator]
    is_long = {"annotator", cell} <= {*there}
    if is_long and names and not {*names} & {*there} and names != ["annotator"]:
        return "annotator", cell, names
    return annotator, cell if isinstance(annotator, str) else rating, []


def _only(table: _Table, people: list[str], judges: list[str], notes: list[str]) -> _Table:
    """Return the rows of people, if they are named, and judges; note who else is left out."""
    if not people:
        return table
    there = [name for name in dict.fromkeys(table.rows["who"]) if name]
    if unknown := [name for name in people if name not in there]:
        raise ValueError(
            f"annotators: there is no column {unknown[0]!r}, and nobody in the column 'annotator' "
            f"is called so; name some of {some(there)}"
        )
    if both := [name for name in people if name in judges]:
        raise ValueError(f"annotators: {both[0]!r} is in runs, too; name everybody once")
    if others := [name for name in there if name not in (*people, *judges)]:
        notes.append(f"Left out {some(others, 20)}, named neither among the people nor as runs.")
    return replace(table, rows=table.rows[~table.rows["who"].isin(others)])


def _long(
    source: Source,
    item: str,
    topic: str | None,
    annotator: str | Sequence[str],
    rating: str | None,
    more: Sequence[str] = (),
) -> _Table:
    """Return a row for each cell of a long table, or of a wide one with ``more`` columns."""
    frame = source.frame
    wide = [*annotator, *more] if rating is None else []
    columns = [*([topic] if topic else []), item, *(wide or [annotator, rating])]
    there = list(map(str, frame.columns))
    for name in columns:
        if (there.count(name), columns.count(name)) != (1, 1):
            twice = "twice" if name in there else "which is not there"
            found = f"the column {name!r}, {twice}; there are {some(there)}"
            fix = "name each column once, as it is called in the table"
            if name == item and name not in there:
                fix = "add a column that names the items, or name it with --item (in Python item=)"
            elif name == annotator and name not in there:
                fix = (
                    "for a wide table, name the people: --annotators Ada,Ben,Eve (in Python "
                    "annotator=['Ada', 'Ben', 'Eve']); for a long one, the column of annotators"
                )
            raise Wrong(source.path, line=1 if source.line else None, found=found, fix=fix)
    times = max(len(wide), 1)
    who = np.repeat(np.array(wide, dtype=object), len(frame))
    who = who if wide else _texts(frame[str(annotator)])
    rows = {
        "topic": np.tile(_texts(frame[topic]), times) if topic else ONE_TOPIC,
        "item": np.tile(_texts(frame[item]), times),
        "who": who,
        "cell": np.concatenate([frame[name].to_numpy(object) for name in wide or [rating]]),
        "row": np.tile(np.arange(len(frame)), times),
    }
    return _Table(source, pd.DataFrame(rows))


def _of_judges(
    source: Source,
    item: str,
    topic: str | None,
    annotator: str | Sequence[str],
    rating: str | None,
    people: pd.DataFrame,
) -> _Table:
    """Return the rows of a table of judges, in which topics may be left out."""
    there = list(map(str, source.frame.columns))
    who, cell = annotator if isinstance(annotator, str) else "annotator", rating or "rating"
    own = topic if topic in there else None
    if who in there and cell in there:
        table = _long(source, item, own, who, cell)
    else:
        table = _long(source, item, own, [x for x in there if x not in (item, own)], None)
    if own != topic:
        topics = people.drop_duplicates(["item", "topic"]).set_index("item")["topic"]
        if not topics.index.is_unique:
            name = topics.index[topics.index.duplicated()][0]
            found = f"no column {topic!r}, and the item {name!r} is in several topics"
            raise Wrong(source.path, found=found, fix="add the column")
        table.rows["topic"] = table.rows["item"].map(topics).fillna(ONE_TOPIC)
    return table


def _refuse(problems: Problems) -> None:
    """Raise ValueError with a line for each cause, if anything is wrong."""
    if problems:
        raise ValueError("\n".join(problems.causes()))


def _texts(names: pd.Series) -> NDArray[Any]:
    """Return names as text: whole numbers as such, and missing ones empty."""
    codes, values = pd.factorize(names)
    texts = [
        str(int(x)) if isinstance(x, float) and x == int(x) else str(x).strip() for x in values
    ]
    return np.array([*texts, ""], dtype=object)[codes]


class _Ratings:
    """All ratings, in ``rows`` with the number of their table; what is wrong are problems."""

    def __init__(self, tables: Sequence[_Table], problems: Problems) -> None:
        self.sources = [table.source for table in tables]
        rows = pd.concat([table.rows for table in tables], ignore_index=True)
        rows["table"] = np.repeat(np.arange(len(tables)), [len(table.rows) for table in tables])
        codes, values = pd.factorize(rows["cell"])
        is_rating = [bool(str(x).strip()) and not no_answers([str(x)]) for x in values]
        here = np.array([*is_rating, False])[codes]
        self.rows, silent = rows[here].copy(), rows[~here]
        for name, what in (("who", "annotator"), ("item", "item"), ("topic", "topic")):
            nameless = self.rows[self.rows[name] == ""]
            self.wrong(problems, nameless, f"a rating without {what}", "name it, or remove the row")
        again = self.rows[self.rows.duplicated(["who", "topic", "item"])]
        found = "a second rating of item {item!r} by {who!r}"
        self.wrong(problems, again, found, _TWICE)
        silent = silent[~silent["who"].isin({*self.rows["who"], ""})].drop_duplicates("who")
        self.wrong(problems, silent, "the annotator {who!r}, who rated nothing", "leave it out")

    def wrong(self, problems: Problems, rows: pd.DataFrame, found: str, fix: str) -> None:
        """Add a problem at the first of some rows, of which ``found`` is formatted."""
        if len(rows):
            row, more = rows.iloc[0], len(rows) - 1
            found = found.format_map(row) + (f" (and {more} more like it)" if more else "")
            self.sources[row["table"]].wrong(problems, int(row["row"]), found=found, fix=fix)

    def classify(self, scale: "_Scale", problems: Problems, notes: list[str]) -> Integers:
        """Return the class of each rating as an index; what is none is a problem."""
        codes, values = pd.factorize(self.rows["cell"])
        exact = np.array([scale.exact(value) for value in values])[codes]
        if scale.rounding:
            nearest = np.array([scale.nearest(value) for value in values])[codes]
            near = self.rows["is_run"].to_numpy() & (exact < 0) & (nearest >= 0)
            exact = np.where(near, nearest, exact)
            notes.append(
                f"Rounded {near.sum()} of the judges' {self.rows['is_run'].sum()} ratings to the "
                f"nearest class, and {scale.rounding} from halfway."
            )
        found = f"the rating {{cell!s:.60}} by {{who!r}}, not one of {some(scale.classes)}"
        is_run, wrong = self.rows["is_run"].to_numpy(), exact < 0
        numbers = [np.nan if (x := _number(value)) is None else x for value in values]
        number = np.array(numbers, dtype=float)[codes]
        number[~(wrong & is_run)] = np.nan
        inside, beyond = scale.between(number), np.zeros(len(number), dtype=bool)
        if whole := scale.reaching(number):
            beyond = np.isfinite(number) & ~inside
            fix = _BEYOND.format(",".join(whole), ", ".join(whole))
            self.wrong(problems, self.rows[beyond], found, fix)
        self.wrong(problems, self.rows[inside], found, _BETWEEN)
        self.wrong(problems, self.rows[wrong & ~beyond & ~inside], found, _NO_CLASS)
        return exact


class _Scale:
    """Classes by their names or, if all are numbers, by their values; and how to round to them."""

    def __init__(self, classes: Sequence[str], rounding: str | None) -> None:
        self.classes, self.rounding = list(classes), rounding
        self.places: dict[Any, int] = {label: k for k, label in enumerate(classes)}
        values = [x for x in map(_number, classes) if x is not None]
        self.places |= {value: k for k, value in enumerate(values) if len(values) == len(classes)}
        self.ends: list[float] = []
        if len(values) == len(classes) and values == sorted(values):
            middles = [(low + high) / 2 for low, high in pairwise(values)]
            self.ends = [2 * values[0] - middles[0], *middles, 2 * values[-1] - middles[-1]]
        self.values = values if self.ends else []

    def between(self, numbers: NDArray[Any]) -> NDArray[np.bool_]:
        """Tell which numbers lie within the ends of the scale; without numbers, none does."""
        low, high = (self.values[0], self.values[-1]) if self.values else (np.inf, -np.inf)
        return (numbers >= low) & (numbers <= high)

    def reaching(self, numbers: NDArray[Any]) -> list[str]:
        """Return the classes continued in equal steps to all numbers; none if that is too long."""
        steps = np.diff(self.values)
        numbers = numbers[np.isfinite(numbers)]
        if not len(steps) or not np.allclose(steps, steps[0]) or not len(numbers):
            return []
        first, step = self.values[0], steps[0]
        low = min(0, int(np.floor((numbers.min() - first) / step + 1e-9)))
        high = max(len(steps), int(np.ceil((numbers.max() - first) / step - 1e-9)))
        if high - low >= _MOST_LISTED:
            return []
        return [f"{round(first + place * step, 9):g}" for place in range(low, high + 1)]

    def exact(self, value: object) -> int:
        """Return the class that a rating is, or -1."""
        return self.places.get(str(value).strip(), self.places.get(_number(value), -1))

    def nearest(self, value: object) -> int:
        """Return the class nearest to a rating, at most half a step beyond the scale, or -1."""
        number = _number(value)
        if number is None or not self.ends:
            return -1
        side: Literal["left", "right"] = "right" if self.rounding == "up" else "left"
        place = int(np.searchsorted(self.ends, number, side)) - 1
        return place if 0 <= place < len(self.classes) else -1


def _number(value: object) -> float | None:
    """Return a finite number, written with a decimal point or comma, or None."""
    try:
        number = round(float(str(value).replace(",", ".")), 9)  # noise of means is no step
    except ValueError:
        return None
    return number if np.isfinite(number) else None


def _classes(
    listed: Sequence[Any] | None, ratings: _Ratings, people: pd.DataFrame, notes: list[str]
) -> list[str]:
    """Return the classes from lowest to highest; a note asks whether ours are complete."""
    if listed is not None:
        names = [str(label) for label in listed]
    else:
        cells = people["cell"].unique()
        words = [cell for cell in cells if _number(cell) is None]
        by_number = {x: cell for cell in cells if (x := _number(cell)) is not None}
        odd = [cell for x, cell in by_number.items() if 2 * x % 1]
        numbers = sorted(by_number)
        gaps = [(low, high) for low, high in pairwise(numbers) if high - low > 1]
        found, wrong = "the rating {cell!r:.60} and no list of the classes", words
        if odd and not words:
            found, wrong = "the rating {cell}, neither a whole nor a half point", odd
        elif gaps and not words:
            found = "the ratings {:g} and {:g}, and none between them".format(*gaps[0])
            wrong = [by_number[gaps[0][1]]]
        problems = Problems()
        rows = people[people["cell"].isin(wrong)].drop_duplicates("cell")
        ratings.wrong(problems, rows, found, f"correct it, or {HOW}")
        _refuse(problems)
        step = 1.0 if all(number.is_integer() for number in numbers) else 0.5
        steps = np.arange(numbers[0], numbers[-1] + step / 2, step)
        names = [f"{number:g}" for number in steps]
        notes.append(_IS_COMPLETE.format(" < ".join(names)))
    check_names(names, "class", "classes=")
    few_classes(len(names), "the ratings" if listed is None else "classes=")
    return names


def _refuse_strangers(
    ratings: _Ratings, keys: pd.Index, problems: Problems, notes: list[str]
) -> None:
    """Note items that no person rated; refuse them if all are, or if others were meant."""
    rows = ratings.rows
    strange = rows[rows["place"] < 0]
    if strange.empty:
        return
    names = list(strange["item"].unique())
    rated = {*rows.loc[rows["is_run"] & (rows["place"] >= 0), "key"]}
    same = meant(names, [key.partition("\t")[2] for key in keys if key not in rated])
    for name in list(same)[:1] or names[: not rated]:
        found = "item {item!r}, as no item that people rated is called"
        found = f"item {{item!r}}, which people's ratings call {same[name]!r}" if same else found
        rows = strange[strange["item"].isin(same or names)]
        ratings.wrong(problems, rows, found, "give items the same names in both")
    notes.append(f"Left out {counted(len(names), 'item')} that no person rated: {some(names, 5)}.")


def _decide(people: Annotators, ties: str, notes: list[str]) -> None:
    """Say what the rule had to decide; refuse a majority of several classes."""
    votes, many = people.votes, counted(len(people.items), "item")
    upper = (2 * votes.cumsum(axis=1) > votes.sum(axis=1, keepdims=True)).argmax(axis=1)
    halves = int((upper != lower_median(votes)).sum())
    if people.rule == "median" and halves:
        notes.append(f"The middle ratings of {halves} of {many} differ; gold is the lower of them.")
    several = (votes == votes.max(axis=1, keepdims=True)).sum(axis=1) > 1
    if people.rule == "majority" and several.any():
        names = some([people.items[place] for place in np.flatnonzero(several)])
        if ties == "refuse":
            raise ValueError(
                f"majority: {several.sum()} of {many} have several commonest ratings ({names}); "
                "take the lowest with --ties lower (in Python ties='lower'), or use the median"
            )
        notes.append(
            f"Of {several.sum()} of {many}, the lowest of several commonest ratings is gold."
        )
