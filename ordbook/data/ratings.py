"""Ratings by people, and by judges that are held against them: tables of ratings -> a task."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, floor
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ordbook.data.alignment import Gaps, Missing
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
)
from ordbook.data.frames import ONE_TOPIC, Source, as_pandas, cells_of, read_source, texts
from ordbook.data.labels import few_classes, no_answers
from ordbook.data.problems import Problems, Wrong, as_notes
from ordbook.data.tasks import ClassificationTask, Provenance, QuantificationTask
from ordbook.measures.confusion import MOST_CLASSES
from ordbook.words import check_names, counted, did_you_mean, meant, some

Task = ClassificationTask | QuantificationTask
RULES: tuple[Rule, ...] = get_args(Rule)
_IS_COMPLETE = (
    "The classes are taken to be {}, as far as the people's ratings reach. Is the scale complete? "
    "If not, list all its classes with --classes (in Python classes=)."
)
_TWICE = (
    "keep one; if another column tells them apart, such as a criterion, make a table of each of "
    "its values"
)
_NOT_RATED = (
    "; or correct it or, if it means that there is no rating, give --not-rated={cell} (in Python "
    "not_rated=[{cell!r}])"
)
_NO_CLASS = (
    "list the whole scale with --classes (in Python classes=), or round judges' means with --round "
    "up or down (in Python rounding=)" + _NOT_RATED
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
        A long table, with a row for each rating, or a wide one, with a row for each item; or the
        path of such a file: CSV, JSON, JSON Lines, Excel or Parquet. Frames of other libraries,
        such as polars, are taken if they have ``to_pandas``, here and as ``runs``. People may have
        rated different items: missing values are missing ratings.
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
        of quantification, and a judge's distribution is that of its ratings.
    runs
        The judges: annotators of a long table, columns of a wide one, or a second table, long or
        wide, of judges alone. A text is the path of that table or, if there is no such file, the
        name of one judge.
    classes
        The scale, from lowest to highest. By default it reaches from the lowest to the highest
        rating by people, in whole steps, or in half ones if anybody gave half a point, and a note
        asks whether it is complete. Words need ``classes``, and so do ratings below 0, or of which
        neighbours are more than 1 apart.
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
        What to do about items that people rated and a judge did not, as for :func:`ordbook.load`.
        By ``gold="shares"``, a topic in which a judge lacks an item has no answer: shares of other
        items are no estimate of these, and a judge could choose which ones it is scored on.
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
        class, a judge is called like a person, no item of the judges was rated by people, a judge
        lacks items, or ratings are tied and ``ties`` does not say what counts. The message names
        the line or the row.

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
        ("ties", ties or "lower", ENDS),
        ("rounding", rounding or "up", ("up", "down")),
    ):
        if value not in wanted:
            raise ValueError(no_rule(option, value, wanted))
    frame, runs = as_pandas(frame), as_pandas(runs)
    if isinstance(runs, str):
        runs = Path(runs) if Path(runs).is_file() else [runs]
    beside = read_source(runs) if isinstance(runs, pd.DataFrame | Path) else None
    judges = [] if isinstance(runs, pd.DataFrame | Path) else list(map(str, runs))
    notes, problems, source = list[str](), Problems(), read_source(frame)
    names = [annotator] if isinstance(annotator, str) else list(map(str, annotator))
    who, listed = _shape(source.frame, names, rating, (item, topic), judges)
    tables = [cells_of(source, item, topic, who, rating or "rating")]
    if listed:
        tables[0] = _only(tables[0], listed, judges, notes)
    if beside is not None:
        column = who if isinstance(who, str) else "annotator"
        tables.append(_of_judges(beside, item, topic, column, rating or "rating", tables[0]))
        judges = [name for name in dict.fromkeys(tables[1]["who"]) if name]
    sources = [source] if beside is None else [source, beside]
    ratings = _rated(sources, tables, not_rated, problems)
    rows = ratings.rows
    rows["is_run"] = rows["who"].isin(judges) if beside is None else rows["table"] == 1
    people = rows[~rows["is_run"]]
    both = rows[rows["is_run"] & rows["who"].isin({*people["who"]})].drop_duplicates("who")
    ratings.wrong(problems, both, "the judge {who!r}, which is a person's name, too", "rename one")
    _refuse(problems)
    everybody = list(dict.fromkeys(rows["who"]))
    if unknown := [judge for judge in judges if judge not in everybody]:
        fix = f"name some of {some(everybody)}"
        raise ValueError(f"runs: no annotator is called {unknown[0]!r}; {fix}")
    if people.empty:
        raise ValueError("runs: all annotators are runs; leave out the people, who give the gold")
    if isinstance(who, str) and not listed:
        taken = some(list(dict.fromkeys(people["who"])), 20)
        notes.append(f"Taken as people: {taken}; name every judge in --runs (in Python runs=).")
    labels = _classes(classes, ratings, people, notes)
    rows["class"] = _classify(ratings, labels, rounding, problems, notes)
    rows["key"] = rows["topic"] + "\t" + rows["item"]
    keys = pd.Index(rows.loc[people.index, "key"].unique())
    rows["place"] = keys.get_indexer(pd.Index(rows["key"]))
    _refuse_strangers(ratings, keys, problems, notes)
    _refuse(problems)
    own, model_rows = rows.loc[people.index], rows[rows["is_run"] & (rows["place"] >= 0)]
    items = tuple(key.partition("\t")[2] for key in keys)
    topics, topic_names = pd.factorize(pd.Index([key.partition("\t")[0] for key in keys]))
    if topic is None and gold == "shares":
        topics, topic_names = np.arange(len(items)), pd.Index(items)
    person, annotators = pd.factorize(own["who"])
    predicted = np.full((len(judges), len(items)), -1)
    predicted[pd.Index(judges).get_indexer(pd.Index(model_rows["who"])), model_rows["place"]] = (
        model_rows["class"]
    )
    by = Annotators(
        tuple(annotators), items, np.asarray(topics), own["place"].to_numpy(), np.asarray(person),
        own["class"].to_numpy(), len(labels), gold,
    )  # fmt: skip
    gold_classes = gold_labels(by.votes, gold, ties or "lower")
    tied = None if gold == "shares" else _ties(by, gold_classes, ties)
    notes += [tied.note] if tied else []
    if gold == "shares" and topic is not None:
        notes += [
            f"{judge} rated {(row >= 0).sum()} of {counted(len(row), 'item')}: topics in which it "
            "lacks an item have no answer."
            for judge, row in zip(judges, predicted, strict=True)
            if (row < 0).any()
        ]
    about: dict[str, Any] = {"name": name, "classes": tuple(labels), "topics": tuple(topic_names)}
    about |= {"runs": tuple(judges), "provenance": Provenance("yours", notes=as_notes(notes))}
    return _task(by, gold_classes, tied, predicted, Gaps(missing), **about)


def no_rule(option: str, value: str, rules: Sequence[str]) -> str:
    """Return the message about a value of an option that is none of its rules."""
    choice = f"choose {' or '.join(rules)}"
    if value == "mean":
        return f"{option}: 'mean' is no rule, because a mean lies between classes; {choice}"
    return f"{option}: {value!r} is no rule; {choice}{did_you_mean(str(value), rules)}"


def _task(
    people: Annotators,
    gold: NDArray[Any],
    ties: Ties | None,
    predicted: Integers,
    gaps: Gaps,
    **about: Any,
) -> Task:
    """Build the task of ``gold`` labels and ``predicted`` (runs, items), with -1 for no rating."""
    shares = people.rule == "shares"
    for run, lacking in zip(about["runs"], predicted < 0, strict=True):
        if not lacking.any():
            continue
        empty = np.bincount(people.topics, lacking) > 0 if shares else lacking
        gaps.unanswered[run] = empty
        if not gaps or empty.all():
            unrated = np.array(people.items)[lacking]
            nevertheless = (
                "" if empty.all() else ", or pass missing='worst' to score it nevertheless"
            )
            raise ValueError(
                f"{about['name']}: the judge {run!r} has no rating for {some(unrated.tolist(), 5)}"
                f"; add them, or leave these items out for everybody{nevertheless}"
            )
    about |= {"annotators": people}
    if not shares:
        about |= {"ties": ties, "_gold": gold, "_predicted": predicted, "_topic": people.topics}
        return gaps.noted(ClassificationTask(**about))
    votes = people.count(people.topics[people.item], len(about["topics"]))
    rated = [(people.topics[row >= 0], row[row >= 0]) for row in predicted]
    counts = np.array([count(*places, votes.shape) for places in rated]).reshape(-1, *votes.shape)
    about |= {"votes": tuple(votes.sum(axis=1).tolist()), "_gold": _shares(votes)}
    return gaps.noted(QuantificationTask(**about, _estimates=_shares(counts)))


def _shares(votes: Integers) -> NDArray[np.float64]:
    """Divide votes (..., classes) by their number; where there are none, shares stay 0."""
    return np.asarray(votes / np.maximum(votes.sum(axis=-1, keepdims=True), 1))


def _shape(
    frame: pd.DataFrame,
    names: list[str],
    rating: str | None,
    keys: Sequence[str | None],
    judges: list[str],
) -> tuple[str | list[str], list[str]]:
    """Return the column of annotators of a long table, and its people if ``names`` lists them.

    Of a wide table, return the columns of everybody, and nobody.
    """
    columns = list(map(str, frame))
    cell = rating or "rating"
    is_long = cell in columns and cell not in (*names, *judges)
    is_long &= len(names) == 1 or not {*names} & {*columns}
    if not is_long and (rating is None or {*names, *judges} <= {*columns}):
        return [*names, *judges], []
    if len(names) == 1 and (names[0] in columns or names[0] == "annotator"):
        return names[0], []
    by_column = {name: {*texts(frame[name])} for name in columns if name not in (*keys, cell)}
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


def _of_judges(
    source: Source, item: str, topic: str | None, who: str, rating: str, people: pd.DataFrame
) -> pd.DataFrame:
    """Return the rows of a table of judges, in which topics may be left out."""
    own = topic if topic in source.frame else None
    columns = map(str, source.frame)
    rest = [name for name in columns if name not in (item, own, rating)]
    if rating in source.frame and rest:
        rows = cells_of(source, item, own, rest[0] if len(rest) == 1 else who, rating)
    else:
        rows = cells_of(source, item, own, rest or [rating], rating)
    if own != topic:
        topics = people.drop_duplicates(["item", "topic"]).set_index("item")["topic"]
        if not topics.index.is_unique:
            name = topics.index[topics.index.duplicated()][0]
            fault = f"no column {topic!r}, and the item {name!r} is in several topics"
            raise Wrong(source.path, found=fault, fix="add the column")
        rows["topic"] = rows["item"].map(topics).fillna(ONE_TOPIC)
    return rows


def _refuse(problems: Problems) -> None:
    """Raise ValueError with a line for each cause, if anything is wrong."""
    if problems:
        raise ValueError("\n".join(problems.causes()))


@dataclass(frozen=True)
class _Ratings:
    """All ratings, each a row with the number of its table, and the tables that they stand in."""

    sources: list[Source]
    rows: pd.DataFrame

    def wrong(self, problems: Problems, rows: pd.DataFrame, text: str, fix: str) -> None:
        """Add a problem at the first of some rows, of which the phrases are formatted."""
        if len(rows):
            row, more = rows.iloc[0], len(rows) - 1
            text = text.format_map(row) + (f" (and {more} more like it)" if more else "")
            source = self.sources[row["table"]]
            source.wrong(problems, int(row["row"]), found=text, fix=fix.format_map(row))


def _rated(
    sources: list[Source], tables: list[pd.DataFrame], not_rated: Sequence[Any], problems: Problems
) -> _Ratings:
    """Return the cells that hold ratings; names that lack or stand twice are problems."""
    rows = pd.concat(tables, ignore_index=True)
    rows["table"] = np.repeat(np.arange(len(tables)), list(map(len, tables)))
    codes, cells = pd.factorize(rows["cell"])
    empty = {"", *map(_value, not_rated)}
    is_rating = [_value(cell) not in empty and not no_answers([str(cell)]) for cell in cells]
    here = np.array([*is_rating, False])[codes]
    ratings, silent = _Ratings(sources, rows[here].copy()), rows[~here]
    for name, unit in (("who", "annotator"), ("item", "item"), ("topic", "topic")):
        nameless = ratings.rows[ratings.rows[name] == ""]
        ratings.wrong(problems, nameless, f"a rating without {unit}", "name it, or remove the row")
    again = ratings.rows[ratings.rows.duplicated(["who", "topic", "item"])]
    ratings.wrong(problems, again, "a second rating of item {item!r} by {who!r}", _TWICE)
    silent = silent[~silent["who"].isin({*ratings.rows["who"], ""})].drop_duplicates("who")
    ratings.wrong(problems, silent, "the annotator {who!r}, who rated nothing", "leave it out")
    return ratings


def _value(cell: object) -> float | str:
    """Return the finite number, with a decimal point or comma, or the text of a cell."""
    text = str(cell).strip()
    try:
        number = round(float(text.replace(",", ".")), 9)  # noise of means is no step
    except ValueError:
        return text
    return number if np.isfinite(number) else text


def _numbers(values: Sequence[float | str]) -> NDArray[np.float64]:
    return np.array([x if isinstance(x, float) else np.nan for x in values], dtype=float)


def _classes(
    listed: Sequence[Any] | None, ratings: _Ratings, people: pd.DataFrame, notes: list[str]
) -> list[str]:
    """Return the classes from lowest to highest; a note asks whether ours are complete."""
    if listed is not None:
        names = [str(label) for label in listed]
    else:
        cells = {_value(cell): cell for cell in people["cell"].unique()}
        numbers = sorted(value for value in cells if isinstance(value, float))
        inferred, strange = _not_inferred(cells, numbers, people)
        step = 1.0 if all(number.is_integer() for number in numbers) else 0.5
        names = _steps(numbers[0], numbers[-1], step, MOST_CLASSES) if numbers else []
        if strange:
            ends = (floor(numbers[0]), ceil(numbers[-1])) if numbers else (0, 0)
            scale = ",".join(_steps(*ends, step)) if numbers else ""
            scale = scale or "LOWEST,...,HIGHEST"
            fix = f"list the scale, as with --classes={scale} (in Python classes=){_NOT_RATED}"
            rows = people[people["cell"].isin([cells[value] for value in strange])]
            problems = Problems()
            ratings.wrong(problems, rows.drop_duplicates("cell"), inferred, fix)
            _refuse(problems)
        notes.append(_IS_COMPLETE.format(" < ".join(names)))
    check_names(names, "class", "classes")
    few_classes(len(names), "the ratings" if listed is None else "classes")
    return names


def _not_inferred(
    cells: Mapping[float | str, Any], numbers: list[float], people: pd.DataFrame
) -> tuple[str, list[Any]]:
    """Say why a scale does not follow from people's ratings, and which of them is the reason."""
    if words := [value for value in cells if isinstance(value, str)]:
        return "the rating {cell!r:.60} and no list of the classes", words
    if odd := [number for number in numbers if 2 * number % 1]:
        return "the rating {cell}, neither a whole nor a half point", odd
    for low, high in pairwise(numbers):
        if high - low > 1:
            is_high = people["cell"].map(_value).to_numpy(float) >= high
            rarer = high if is_high.mean() < 0.5 else low
            return f"the ratings {low:g} and {high:g}, and none between them", [rarer]
    # -1 is a usual mark of a missing rating; a scale that is even about 0 has other reasons.
    is_even = -numbers[0] == numbers[-1] > 1
    return "the rating {cell}, below 0", [x for x in numbers if x < 0 and not is_even]


def _classify(
    ratings: _Ratings,
    classes: list[str],
    rounding: str | None,
    problems: Problems,
    notes: list[str],
) -> Integers:
    """Return the class of each rating as an index; ratings of no class are problems."""
    codes, cells = pd.factorize(ratings.rows["cell"])
    places = {_value(label): place for place, label in enumerate(classes)}
    values, scale = [_value(cell) for cell in cells], _numbers(list(places))
    by_value = np.array([places.get(value, -1) for value in values])
    numbers, exact = _numbers(values)[codes], by_value[codes]
    is_run = ratings.rows["is_run"].to_numpy()
    is_scale = len(scale) == len(classes) and bool((np.diff(scale) > 0).all())
    if rounding and is_scale:
        # A step beyond each end: what comes to lie there is no class.
        longer = np.array([2 * scale[0] - scale[1], *scale, 2 * scale[-1] - scale[-2]])
        position = np.interp(numbers, longer, np.arange(-1, len(scale) + 1))
        nearest = np.floor(position + 0.5) if rounding == "up" else np.ceil(position - 0.5)
        near = is_run & (exact < 0) & (nearest >= 0) & (nearest < len(scale))
        exact = np.where(near, np.nan_to_num(nearest), exact).astype(np.intp)
        notes.append(
            f"Rounded {near.sum()} of the judges' {is_run.sum()} ratings to the nearest class, and "
            f"{rounding} from halfway."
        )
    fault = f"the rating {{cell!s:.60}} by {{who!r}}, not one of {some(classes)}"
    ratings.wrong(problems, ratings.rows[exact < 0], fault, _NO_CLASS)
    return exact


def _steps(low: float, high: float, step: float, most: int = _MOST_LISTED) -> list[str]:
    """Return a scale from low to high; none if it has too many classes."""
    size = round((high - low) / step) + 1
    return [f"{round(low + k * step, 9):g}" for k in range(size)] if size <= most else []


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
        fault = "item {item!r}, as no item that people rated is called"
        fault = f"item {{item!r}}, which people's ratings call {same[name]!r}" if same else fault
        rows = strange[strange["item"].isin(same or names)]
        ratings.wrong(problems, rows, fault, "give items the same names in both")
    notes.append(f"Left out {counted(len(names), 'item')} that no person rated: {some(names, 5)}.")


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
