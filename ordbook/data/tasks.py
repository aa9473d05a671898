"""Tasks: gold data and the runs that were submitted, with ordered classes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ordbook.data.catalog import RawDataMissing
from ordbook.data.classes import few_classes, how_it_falls, no_answers, why_not_chosen
from ordbook.data.frames import Named, categories, in_order, labels, matching, name_axis, texts
from ordbook.data.glance import Glance
from ordbook.data.names import check_names, counted, shown
from ordbook.data.text import ADDITIONS, SUM_TOLERANCE
from ordbook.measures.validation import check_distributions, refuse_keywords

Source = Literal["raw", "committed", "simulated", "yours"]
BASELINES = ("BL-uniform", "BL-popularity")


@dataclass(frozen=True)
class Provenance:
    """Where numbers come from.

    Attributes
    ----------
    source
        ``raw`` (public run files), ``committed`` (scores this project computed from them),
        ``simulated``, or ``yours``.
    files
        The files the numbers were computed from, each with its sha256.
    notes
        What a reader had to accept, one sentence each.
    """

    source: Source
    files: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False, kw_only=True)
class _Task(Glance):
    """What both kinds of task share.

    Attributes
    ----------
    name
        Catalogue name, or the name of the folder it was read from.
    classes
        Labels of the classes, from lowest to highest.
    topics, runs
        Names, in the order of the arrays' axes.
    groups, languages
        Run -> the group (team) it belongs to, and its language, where a list says so.
    votes
        How many votes the gold data of each topic count; empty where they do not say.
    unanswered
        Run -> (topics,) or, of labels, (items,): where its file has no answer, and the arrays hold
        a baseline's.
    worst
        Whether such a run gets, in place of the baseline's score, the worst that any one class
        would give there.
    """

    name: str
    classes: tuple[str, ...]
    topics: tuple[str, ...]
    runs: tuple[str, ...]
    provenance: Provenance
    missing: str = ""
    groups: Mapping[str, str] = field(default_factory=dict)
    languages: Mapping[str, str] = field(default_factory=dict)
    votes: tuple[int, ...] = ()
    unanswered: Mapping[str, NDArray[np.bool_]] = field(default_factory=dict)
    worst: bool = False

    def __post_init__(self) -> None:
        for what, names in (("class", self.classes), ("topic", self.topics), ("run", self.runs)):
            check_names(names, what, self.name)
        few_classes(len(self.classes), self.name)
        if not self.topics:
            raise ValueError(f"{self.name}: there is no topic")

    def _require_raw(self) -> None:
        if self.missing:
            raise RawDataMissing(self.missing)

    def __repr__(self) -> str:
        return (
            f"<{type(self).__name__} {self.name}: {counted(len(self.topics), 'topic')}, "
            f"{counted(len(self.runs), 'run')}, classes {' < '.join(self.classes)}; "
            f"{self.provenance.source}>"
        )


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class QuantificationTask(_Task):
    """Gold and estimated distributions over ordered classes, one pair per topic and run.

    Build one with :meth:`from_arrays` or read one with :func:`ordbook.load`.

    Examples
    --------
    >>> import numpy as np
    >>> task = QuantificationTask.from_arrays(
    ...     gold=[[3, 1, 0], [0, 2, 2]], runs={"A": [[.5, .5, 0], [0, .5, .5]]}, votes=True
    ... )
    >>> task.gold[0].tolist(), task.estimates.shape
    ([0.75, 0.25, 0.0], (1, 2, 3))

    DataFrames name topics and classes, and runs are brought into gold's order:

    >>> import pandas as pd
    >>> gold = pd.DataFrame({"low": [.5, 0], "high": [.5, 1]}, index=["s", "t"])
    >>> task = QuantificationTask.from_arrays(gold, {"A": gold.loc[["t", "s"], ["high", "low"]]})
    >>> task.topics, task.classes, bool((task.estimates[0] == task.gold).all())
    (('s', 't'), ('low', 'high'), True)
    """

    kind: ClassVar[str] = "quantification"
    _gold: NDArray[np.float64] | None = None
    _estimates: NDArray[np.float64] | None = None

    @classmethod
    def from_arrays(
        cls,
        gold: ArrayLike,
        runs: Mapping[str, ArrayLike],
        *,
        classes: Sequence[Any] | None = None,
        topics: Sequence[Any] | None = None,
        name: str = "yours",
        votes: bool = False,
        tolerances: Mapping[str, float] | None = None,
        gold_tolerance: float = 1e-5,
        provenance: Provenance | None = None,
        **others: Any,
    ) -> Self:
        """Build a task from arrays or DataFrames.

        Parameters
        ----------
        gold
            (topics, classes): a distribution per topic, or votes (counts). Of a DataFrame, the
            index names the topics, and the columns the classes.
        runs
            Run name -> (topics, classes): the estimated distributions. DataFrames are brought
            into gold's order by their labels; an array has that order.
        classes
            Labels from lowest to highest; by default gold's columns: ordered categories in the
            order they state, others as they stand, unless they may have been sorted by name, as
            ``pandas.crosstab`` does; and of an array 1, 2, ...
            Where gold has these columns in another order, that of ``classes`` holds.
        topics
            Topic ids; by default gold's index, and of an array 1, 2, ... As a Series with gold's
            index, they are new names for it.
        votes
            Whether ``gold`` holds counts, which are then divided by their sum.
        tolerances
            How far the sums of a run's distributions may be from 1, for runs whose files print
            few decimals; 1e-5 elsewhere.
        gold_tolerance
            The same for gold.

        Raises
        ------
        ValueError
            If an array has the wrong shape or a row is not a distribution, or if labels disagree:
            topics or classes of a DataFrame are not those of gold; or if votes are not whole
            numbers, or there are more than 1,000 classes; or if, without ``classes``, gold's
            columns are in the order of the alphabet, or are numbers that neither rise nor fall,
            or one has a name of missing answers, or an ordered category has no column.
        """
        refuse_keywords(others, "classes", "labels", "from_arrays")
        as_given = labels(gold, "columns")
        by_category = categories(getattr(gold, "columns", None)) is not None
        if classes is not None:
            _check_categories(classes, name)
        elif by_category:
            gold = _by_category(gold, name)
        heads = labels(gold, "columns")
        if heads is not None:  # before its numbers: a column too many may hold texts
            few_classes(len(heads), name)
            columns = name_axis("class", heads, classes, len(heads), name)
        notes: tuple[str, ...] = ()
        if heads is not None and classes is None:
            notes = _category_notes(heads) if by_category else _order_notes(heads, name)
        elif heads is not None:
            notes = _other_order_notes(columns.names, categories(getattr(gold, "columns", None)))
        shares = _checked(gold, f"{name}: gold", votes, gold_tolerance)
        if heads is None:
            few_classes(shares.shape[1], name)
            columns = name_axis("class", None, classes, shares.shape[1], name)
        rows = name_axis("topic", labels(gold, "rows"), topics, shares.shape[0], name)
        counts = np.sum(np.asarray(gold), axis=-1)[rows.order] if votes else ()
        gold = np.take(np.take(shares, rows.order, 0), columns.order, 1)
        _check_runs(runs, name)
        for run in runs if heads != as_given else ():
            if labels(runs[run], "columns") is None:
                raise ValueError(
                    f"{name}: run {run!r} does not name its classes, and gold's columns stand in "
                    "another order than their categories; pass a DataFrame with gold's columns"
                )
        for run in (run for run in tolerances or () if run not in runs):
            raise ValueError(
                f"{name}: tolerances= names the run {run!r}; there are {', '.join(map(str, runs))}"
            )
        estimates = {
            str(run): _in_order(
                array, rows, columns, f"run {run!r}", name, (tolerances or {}).get(run)
            )
            for run, array in runs.items()
        }
        for run, array in estimates.items():
            if array.shape != gold.shape:
                raise ValueError(
                    f"{name}: run {run!r} has shape {array.shape} and gold {gold.shape} "
                    "(topics, classes); they must be the same"
                )
        return cls(
            name=name,
            classes=columns.names,
            topics=rows.names,
            runs=tuple(estimates),
            provenance=provenance or Provenance("yours", notes=notes),
            votes=tuple(map(int, counts)),
            _gold=gold,
            _estimates=np.array(list(estimates.values())).reshape(len(estimates), *gold.shape),
        )

    @property
    def gold(self) -> NDArray[np.float64]:
        """Gold distributions, (topics, classes).

        Raises
        ------
        RawDataMissing
            If the raw files are not on this machine; the message says how to get them.
        """
        self._require_raw()
        assert self._gold is not None
        return self._gold

    @property
    def estimates(self) -> NDArray[np.float64]:
        """Estimated distributions, (runs, topics, classes); raises as :attr:`gold` does."""
        self._require_raw()
        assert self._estimates is not None
        return self._estimates

    def with_baselines(self) -> Self:
        """Return the task with the organisers' two baselines added as runs.

        ``BL-uniform`` gives every class the same probability. ``BL-popularity`` reads the gold
        data: it shares the probability equally among the classes with the most votes (LQ'21,
        Section 5.2; ties within 1e-12).
        """
        if present := set(BASELINES) & set(self.runs):
            raise ValueError(f"{self.name}: {min(present)} is a run already")
        return replace(
            self,
            runs=self.runs + BASELINES,
            _estimates=np.concatenate([self.estimates, baselines(self.gold)]),
        )


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ClassificationTask(_Task):
    """Items with one gold class and one predicted class per run, grouped into topics.

    Build one with :meth:`from_labels` or read one with :func:`ordbook.load`.

    Examples
    --------
    >>> task = ClassificationTask.from_labels(
    ...     gold=[-1, 0, 1, 1], runs={"A": [0, 0, 1, 1]}, topics=["s", "s", "t", "t"],
    ...     classes=[-1, 0, 1],
    ... )
    >>> task.confusion()[0, 0].tolist()        # run A, topic s: gold in rows
    [[0, 1, 0], [0, 1, 0], [0, 0, 0]]

    Of a DataFrame of items, name the columns:

    >>> import pandas as pd
    >>> items = pd.DataFrame({"topic": ["s", "t"], "gold": [0, 1], "A": [0, 0], "B": [0, 1]})
    >>> ClassificationTask.from_labels(
    ...     items["gold"], items[["A", "B"]], items["topic"], classes=[0, 1]
    ... )
    <ClassificationTask yours: 2 topics, 2 runs, classes 0 < 1; yours>
    """

    kind: ClassVar[str] = "classification"
    _gold: NDArray[np.intp] | None = None
    _predicted: NDArray[np.intp] | None = None
    _topic: NDArray[np.intp] | None = None

    @classmethod
    def from_labels(
        cls,
        gold: Sequence[Any],
        runs: Mapping[str, Sequence[Any]],
        topics: Sequence[Any],
        classes: Sequence[Any],
        *,
        name: str = "yours",
        provenance: Provenance | None = None,
        **others: Any,
    ) -> Self:
        """Build a task from labels.

        Parameters
        ----------
        gold
            The gold label of every item.
        runs
            Run name -> predicted label of every item, in the same order; or a DataFrame with a
            column per run. Series are brought into the order of gold, a Series too, by their
            index.
        topics
            The topic of every item, likewise.
        classes
            Labels from lowest to highest. Labels are compared as text.

        Raises
        ------
        ValueError
            If the lengths differ, a label is not one of ``classes``, of which there are at most
            1,000, or the index of a Series does not hold the items of gold; or if ``classes``
            are ordered categories, and not all of them in their order.
        """
        refuse_keywords(others, "classes", "labels", "from_labels")
        if labels(gold, "columns") is not None:
            raise ValueError(f"{name}: gold is a DataFrame; pass its column of labels")
        for what, given in (("gold", gold), ("topics", topics), ("classes", classes)):
            in_order(given, f"{name}: {what}")
        few_classes(len(classes), name)
        _check_categories(classes, name)
        order = _labels(classes, len(classes), f"{name}: classes")
        notes = _other_order_notes(order, categories(gold))
        items = tuple(labels(gold, "rows") or map(str, range(len(gold))))
        axis = Named("item", items, items, [])
        by_item = texts(topics, f"{name}: the topic of item")
        if place := matching(axis, labels(topics, "rows"), "topics", name):
            by_item = [by_item[k] for k in place]
        names = tuple(dict.fromkeys(by_item))
        position = {topic: index for index, topic in enumerate(names)}
        _check_runs(runs, name)
        predicted = {}
        for run, answers in runs.items():
            found = _indices(answers, order, f"{name}: run {run!r}")
            place = matching(axis, labels(answers, "rows"), f"run {run!r}", name)
            predicted[str(run)] = found if place is None else found[place]
        golds = _indices(gold, order, f"{name}: gold")
        lengths = {"topics": len(topics)} | {run: len(x) for run, x in predicted.items()}
        for what, length in lengths.items():
            if length != len(golds):
                raise ValueError(
                    f"{name}: {what} has {length} items and gold {len(golds)}; "
                    "they must be the same items in the same order"
                )
        return cls(
            name=name,
            classes=order,
            topics=names,
            runs=tuple(predicted),
            provenance=provenance or Provenance("yours", notes=notes),
            _gold=golds,
            _predicted=np.array(list(predicted.values()), dtype=np.intp).reshape(
                len(predicted), len(golds)
            ),
            _topic=np.array([position[topic] for topic in by_item], dtype=np.intp),
        )

    @property
    def gold(self) -> NDArray[np.intp]:
        """Gold class of every item as an index into ``classes``, (items,).

        Raises
        ------
        RawDataMissing
            If the raw files are not on this machine; the message says how to get them.
        """
        self._require_raw()
        assert self._gold is not None
        return self._gold

    @property
    def predicted(self) -> NDArray[np.intp]:
        """Predicted class of every item, (runs, items); raises as :attr:`gold` does."""
        self._require_raw()
        assert self._predicted is not None
        return self._predicted

    @property
    def topic(self) -> NDArray[np.intp]:
        """Topic of every item as an index into ``topics``; raises as :attr:`gold` does."""
        self._require_raw()
        assert self._topic is not None
        return self._topic

    def confusion(self) -> NDArray[np.intp]:
        """Return the confusion tensor ``cm[run, topic, gold, predicted]`` of counts."""
        return self._confusion(0, len(self.topics))

    def _confusion(self, first: int, last: int) -> NDArray[np.intp]:
        """Return the confusion tensor of the topics from ``first`` to before ``last``."""
        sizes = (len(self.runs), last - first, len(self.classes), len(self.classes))
        run = np.arange(len(self.runs))[:, None]
        items: slice | NDArray[np.bool_] = slice(None)
        if sizes[1] < len(self.topics):
            items = (self.topic >= first) & (self.topic < last)
        flat = np.ravel_multi_index(
            (run, self.topic[items] - first, self.gold[items], self.predicted[:, items]), sizes
        )
        return np.bincount(flat.ravel(), minlength=int(np.prod(sizes))).reshape(sizes)


def baselines(gold: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return what BL-uniform and BL-popularity answer: gold (rows, classes) -> (2, rows, classes).

    Examples
    --------
    >>> baselines(np.array([[.4, .4, .2, 0]])).tolist()
    [[[0.25, 0.25, 0.25, 0.25]], [[0.5, 0.5, 0.0, 0.0]]]
    """
    top = gold >= gold.max(axis=1, keepdims=True) - 1e-12
    popularity = top / top.sum(axis=1, keepdims=True)
    return np.stack([np.full_like(popularity, 1 / gold.shape[1]), popularity])


def _by_category(gold: Any, where: str) -> Any:
    """Put columns that are ordered categories in the order these state; refuse if one lacks."""
    order = categories(gold.columns) or []
    if lacking := [each for each in order if each not in (labels(gold, "columns") or ())]:
        raise ValueError(
            f"{where}: gold has no column for the category {shown(lacking[0], 40)} of "
            f"{shown(' < '.join(order), 200)}; give gold and the runs one with zeros, as "
            "pandas.crosstab(..., dropna=False) does; or, if it is no class, pass classes=[...]"
        )
    return gold.sort_index(axis="columns")


def _category_notes(order: Sequence[str]) -> tuple[str, ...]:
    """Note categories that nobody may have put in their order."""
    if not (why := why_not_chosen(order)):
        return ()
    return (
        f"gold: the classes are ordered categories, {shown(' < '.join(order), 200)}, {why}, as "
        "pandas sorts those that nobody lists. Otherwise pass classes=[...] from lowest to "
        "highest.",
    )


def _other_order_notes(classes: Sequence[str], stated: Sequence[str] | None) -> tuple[str, ...]:
    """Note ordered categories of gold in another order, as where sorted() gave the classes."""
    held = set(classes)
    order = [each for each in stated or () if each in held]
    if order == [each for each in classes if each in order]:
        return ()
    return (
        f"gold: the order of the classes is {shown(' < '.join(classes), 200)}, as passed, and not "
        f"that of gold's ordered categories, {shown(' < '.join(stated or ()), 200)}.",
    )


def _check_categories(classes: Sequence[Any], where: str) -> None:
    """Refuse ordered categories in another order than theirs, as those of Series.unique()."""
    order = categories(classes)
    if order is not None and (given := texts(classes, f"{where}: class")) != order:
        raise ValueError(
            f"{where}: classes= holds {shown(', '.join(given), 200)}, and these are of the ordered "
            f"categories {shown(' < '.join(order), 200)}; pass those, as list(x.cat.categories), "
            "or a list if another order is meant"
        )


def _order_notes(columns: Sequence[str], where: str) -> tuple[str, ...]:
    """Refuse columns that nobody put in the order of classes; note an order that falls."""
    for label in no_answers(columns):
        raise ValueError(
            f"{where}: gold has a column {label!r}, a name of missing answers; leave it out of "
            "gold and the runs; or, if it is a class, pass classes=[...] from lowest to highest"
        )
    if why := why_not_chosen(columns):
        raise ValueError(
            f"{where}: gold has the columns {shown(', '.join(columns), 200)}, {why}; pass "
            "classes=[...] from lowest to highest"
        )
    if how := how_it_falls(columns):
        return (
            f"gold: the classes {how} in the columns ({', '.join(columns)}); the first is taken "
            "as the lowest. Otherwise pass classes=[...].",
        )
    return ()


def _check_runs(runs: Mapping[str, Any], where: str) -> None:
    if not hasattr(runs, "items"):
        raise ValueError(
            f"{where}: runs is a {type(runs).__name__}, which names none: pass run name -> what "
            "it answers, as in runs={'A': ...}"
        )
    check_names(texts(runs, f"{where}: run"), "run", where)


def _checked(
    array: ArrayLike, what: str, votes: bool, tolerance: float | None
) -> NDArray[np.float64]:
    if tolerance is None:
        tolerance = SUM_TOLERANCE + ADDITIONS
    # Readers add in another order, and what they let pass must pass here.
    counts_by = "votes=True for counts" if what.endswith("gold") else "divide counts by their sum"
    checked = check_distributions(
        array, what, normalise=votes, tolerance=tolerance + 1e-12, counts_by=counts_by
    )
    if checked.ndim != 2:
        raise ValueError(f"{what}: expected an array (topics, classes), got shape {checked.shape}")
    if votes and (parts := np.argwhere(np.mod(counts := np.asarray(array), 1) != 0)).size:
        row, column = parts[0]
        raise ValueError(
            f"{what}[{row}] has {counts[row, column]:g} at class {column}, not a whole number of "
            "votes: pass counts; or, for shares that sum to 1, votes=False"
        )
    return checked


def _in_order(
    array: ArrayLike, rows: Named, columns: Named, who: str, where: str, tolerance: float | None
) -> NDArray[np.float64]:
    """Check distributions, and bring those of a DataFrame into the order of the task."""
    places = [
        matching(rows, labels(array, "rows"), who, where),
        matching(columns, labels(array, "columns"), who, where),
    ]
    checked = _checked(array, f"{where}: {who}", False, tolerance)
    for axis, place in enumerate(places):
        checked = checked if place is None else np.take(checked, place, axis)
    return checked


def _labels(names: Sequence[Any] | None, length: int, what: str) -> tuple[str, ...]:
    found = tuple(texts(range(1, length + 1) if names is None else names, f"{what}: name"))
    if len(found) != length:
        raise ValueError(f"{what}: {len(found)} names for {length} columns or rows")
    return found


def _indices(answers: Sequence[Any], classes: tuple[str, ...], what: str) -> NDArray[np.intp]:
    in_order(answers, what)
    position = {label: index for index, label in enumerate(classes)}
    try:
        return np.array([position[str(label)] for label in answers], dtype=np.intp)
    except KeyError:
        row, label = next(
            (row, label) for row, label in enumerate(answers) if str(label) not in position
        )
        raise ValueError(
            f"{what}: item {row + 1} has label {str(label)!r}, which is not one of the classes "
            f"{', '.join(classes)}"
        ) from None
