"""Tasks: gold data and the runs that were submitted, with ordered classes."""

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar, Literal, Self, TypeVar

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from ordbook.data.annotators import ANNOTATORS, Annotators, Ties
from ordbook.data.labels import (
    categories,
    few_classes,
    in_order,
    labels,
    names_of,
    order_of,
    texts,
    whole_numbers,
)
from ordbook.data.problems import Note, RawDataMissing
from ordbook.data.text import ADDITIONS
from ordbook.files import whole_folder
from ordbook.measures.validation import check_distributions
from ordbook.words import Glance, check_names, counted, shown

T = TypeVar("T")
Source = Literal["raw", "committed", "yours"]
BASELINES = ("BL-uniform", "BL-popularity")
# Where the median topic has at most so many items, kappa and its like are accuracy within topics.
FEW_ITEMS = 2
SAME_DISTANCE = 1e-12  # between equal mean distances
GROUPS = "runs.csv"  # the list of what is known of runs
POOLED = "pooled"  # the one topic of items that are scored together
ONE_TOPIC = "all"  # the topic of items that name none


@dataclass(frozen=True)
class Provenance:
    """The source of numbers.

    Attributes
    ----------
    source
        ``raw`` (public files), ``committed`` (scores this project computed from them), ``yours``.
    files
        The files the numbers were computed from, each with its sha256.
    notes
        What a reader had to accept, one sentence each.
    """

    source: Source
    files: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()


class Described(Glance):
    """A task of whose runs something may be known."""

    about: pd.DataFrame

    @property
    def groups(self) -> dict[str, str]:
        """Run -> the group (team) that it belongs to, where ``about`` has such a column."""
        return stated(self.about, "group")

    def keep(self, *, runs: Container[str]) -> Self:
        """Return the task with these runs only, in its own order.

        Parameters
        ----------
        runs
            Names of runs.
        """
        raise NotImplementedError

    def by(self, column: str) -> dict[str, Self]:
        """Part the task by a column of ``about``, such as ``language``.

        Parameters
        ----------
        column
            Its name. A run without an entry is in no part.

        Returns
        -------
        dict
            Entry -> the task with the runs that have it, in the order of the first run of each.

        Raises
        ------
        ValueError
            If no run has an entry.
        """
        entries = stated(self.about, column)
        if not entries:
            known = ", ".join(map(str, self.about)) or "none"
            raise ValueError(f"no run has an entry {column!r}; columns of {GROUPS}: {known}")
        return {
            entry: self.keep(runs=[run for run in entries if entries[run] == entry])
            for entry in dict.fromkeys(entries.values())
        }


@dataclass(frozen=True, eq=False, kw_only=True)
class _Task(Described):
    """The attributes and methods of all kinds of task.

    Attributes
    ----------
    name
        Catalogue name, or the name of the folder it was read from.
    classes
        Labels of the classes, from lowest to highest.
    topics, runs
        Names, in the order of the arrays' axes.
    about
        What is known of the runs: a DataFrame with a row for each run and any columns of text, such
        as ``group`` (the team), ``language`` or ``link`` (the address of a page about the run).
        Cells of which nothing is known are empty.
    votes
        How many votes the gold data of each topic count; empty where they do not say.
    unanswered
        Run -> (topics,) or, of labels and nuggets, (items,) or (turns,): where its file has no
        answer. An item then counts as the class farthest from its gold class: of two equally far,
        the one with fewer gold items, then the lower. A topic counts as the single class that
        scores worst there, measure by measure, and the arrays hold the class farthest from its gold
        shares. A turn counts as the type with the lowest gold share, which is the worst.
    annotators
        The people behind the gold data and their ratings, where they are known.
    """

    kind: ClassVar[str]
    name: str
    classes: tuple[str, ...]
    topics: tuple[str, ...]
    runs: tuple[str, ...]
    provenance: Provenance
    missing: str = ""
    about: pd.DataFrame = field(default_factory=pd.DataFrame)
    votes: tuple[int, ...] = ()
    unanswered: Mapping[str, NDArray[np.bool_]] = field(default_factory=dict)
    annotators: Annotators | None = None

    def __post_init__(self) -> None:
        for unit, names in (("class", self.classes), ("topic", self.topics), ("run", self.runs)):
            check_names(names, unit, self.name)
        few_classes(len(self.classes), self.name)
        if not self.topics:
            raise ValueError(f"{self.name}: there is no topic")
        object.__setattr__(self, "about", facts(self.about, self.runs))

    def _here(self, data: T | None) -> T:
        """Return data, or explain how to get them if they are not on this machine."""
        if data is None:
            raise RawDataMissing(self.missing)
        return data

    def _filled(self, answers: NDArray[Any], stand_ins: NDArray[Any]) -> NDArray[Any]:
        """Return `answers` (runs, rows, ...), with `stand_ins` (rows, ...) where a run has none."""
        answers = answers.copy()
        for place, run in enumerate(self.runs):
            if run in self.unanswered:
                lacking = self.unanswered[run]
                answers[place, lacking] = stand_ins[lacking]
        return answers

    def _added(self) -> tuple[str, ...]:
        """Return the runs with the baselines, which must not be there yet."""
        if present := set(BASELINES) & set(self.runs):
            raise ValueError(f"{self.name}: {min(present)} is a run already")
        return self.runs + BASELINES

    def keep(self, *, runs: Container[str]) -> Self:
        places = [k for k, run in enumerate(self.runs) if run in runs]
        answers = {
            name: array[places]
            for name in ("_estimates", "_predicted")
            if (array := getattr(self, name, None)) is not None
        }
        told = [n for n in self.provenance.notes if n.run not in {*self.runs} or n.run in runs]
        return replace(
            self,
            runs=tuple(self.runs[k] for k in places),
            unanswered={run: rows for run, rows in self.unanswered.items() if run in runs},
            provenance=replace(self.provenance, notes=tuple(told)),
            **answers,
        )

    def save(self, folder: str | Path, *, overwrite: bool = False) -> None:
        """Write a folder that :func:`ordbook.load` reads as this task.

        Gold data are votes where the task knows them, items without names are numbered, and a run
        called ``maker/model`` becomes ``maker_model``. Answers that a run lacks stay out: load the
        folder with the same ``missing=``. Notes of the provenance are not kept.

        Parameters
        ----------
        folder
            A new or an empty folder.
        overwrite
            Whether a folder that is there may be replaced, whatever it holds.

        Raises
        ------
        ValueError
            If the folder holds anything, two runs' files would have one name, or the task is one of
            nuggets, for which CSV has no form.
        RawDataMissing
            If the raw files of a catalogued task are not on this machine.
        """
        with whole_folder(folder, overwrite) as out:
            write_task(self, out)

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
    >>> runs = {"A": gold.loc[["t", "s"], ["high", "low"]]}
    >>> task = QuantificationTask.from_arrays(gold, runs, classes=["low", "high"])
    >>> task.topics, task.classes, bool((task.estimates[0] == task.gold).all())
    (('s', 't'), ('low', 'high'), True)
    """

    kind: ClassVar[str] = "quantification"
    _gold: NDArray[np.float64] | None = None
    _estimates: NDArray[np.float64] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.unanswered:
            farthest = _farthest(self.gold, self.gold.sum(axis=0))
            vertices = np.eye(len(self.classes))[farthest]
            object.__setattr__(self, "_estimates", self._filled(self.estimates, vertices))

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
        tolerance: float = 1e-5,
        provenance: Provenance | None = None,
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
            Labels from lowest to highest, the order of the classes. By default they are gold's
            columns if these are whole numbers without a gap, which sort themselves, or ordered
            categories; words have to be listed. For an array they are 1, 2, ...
        topics
            Topic ids; by default gold's index, and for an array 1, 2, ...
        votes
            Whether ``gold`` holds counts, which are then divided by their sum.
        tolerance
            How far the sum of a distribution may be from 1, for files that print few decimals.

        Raises
        ------
        ValueError
            If shapes or labels are not those of gold, a row is no distribution, votes are no whole
            numbers, or the order of the classes is not said or contradicts ordered categories.
        """
        heads = getattr(gold, "columns", None)
        if classes is not None:
            _refuse_other_order(classes, heads, name)
        elif heads is not None:
            classes = categories(heads) or _sorted(texts(heads, f"{name}: gold: class"), name)
        shares = distributions(gold, f"{name}: gold", votes, tolerance)
        names = {
            "topic": names_of("topic", gold, topics, shares.shape[0], name),
            "class": names_of("class", gold, classes, shares.shape[1], name),
        }
        rows, columns = (order_of(what, gold, names[what], "gold", name) for what in names)
        _check_runs(runs, name)
        counts = np.sum(np.asarray(gold), axis=-1)[rows] if votes else ()
        ordered = np.array(shares[rows][:, columns], order="C")
        estimates = []
        for run, answers in runs.items():
            who = f"run {run!r}"
            topic = order_of("topic", answers, names["topic"], who, name, rows)
            place = order_of("class", answers, names["class"], who, name, columns)
            answer_shares = distributions(answers, f"{name}: {who}", False, tolerance)
            if answer_shares.shape != ordered.shape:
                raise ValueError(
                    f"{name}: {who} has shape {answer_shares.shape} and gold {ordered.shape} "
                    "(topics, classes); they must be the same"
                )
            estimates.append(answer_shares[topic][:, place])
        return cls(
            name=name,
            classes=tuple(names["class"]),
            topics=tuple(names["topic"]),
            runs=tuple(map(str, runs)),
            provenance=provenance or Provenance("yours"),
            votes=tuple(map(int, counts)),
            _gold=ordered,
            _estimates=np.array(estimates).reshape(len(estimates), *ordered.shape),
        )

    @property
    def gold(self) -> NDArray[np.float64]:
        """Gold distributions, (topics, classes); RawDataMissing if the raw files are not here."""
        return self._here(self._gold)

    @property
    def estimates(self) -> NDArray[np.float64]:
        """Estimated distributions, (runs, topics, classes); raises as :attr:`gold` does."""
        return self._here(self._estimates)

    def with_baselines(self) -> Self:
        """Return the task with the organisers' two baselines added as runs.

        ``BL-uniform`` gives every class the same probability. ``BL-popularity`` reads the gold
        data: it shares the probability equally among the classes with the most votes (LQ'21,
        Section 5.2; ties within 1e-12).
        """
        estimates = np.concatenate([self.estimates, baselines(self.gold)])
        return replace(self, runs=self._added(), _estimates=estimates)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ClassificationTask(_Task):
    """Items with one gold class and one predicted class per run, grouped into topics.

    Build one with :meth:`from_labels` or read one with :func:`ordbook.load`. If the median topic
    has at most two items, its scores would tell no near error from a far one: all items then form
    the single topic ``pooled``, and a note of the provenance says so. Where gold follows from
    people's ratings, ``ties`` are the items for which these leave several classes. ``items`` are
    the names of the topic and the item of each answer, as the files have them, if there are any.

    Examples
    --------
    >>> task = ClassificationTask.from_labels(
    ...     gold=[-1, 0, 0, 1, 1, 1], runs={"A": [0, 0, 0, 1, 1, 0]}, topics=list("sssttt"),
    ...     classes=[-1, 0, 1],
    ... )
    >>> task.confusion()[0, 0].tolist()        # run A, topic s: gold in rows
    [[0, 1, 0], [0, 2, 0], [0, 0, 0]]

    Of a DataFrame of items, name the columns:

    >>> import pandas as pd
    >>> items = pd.DataFrame({"topic": ["s", "t"], "gold": [0, 1], "A": [0, 0], "B": [0, 1]})
    >>> ClassificationTask.from_labels(
    ...     items["gold"], items[["A", "B"]], items["topic"], classes=[0, 1]
    ... )
    <ClassificationTask yours: 1 topic, 2 runs, classes 0 < 1; yours>
    """

    kind: ClassVar[str] = "classification"
    ties: Ties | None = None
    items: tuple[tuple[str, str], ...] = ()
    _gold: NDArray[np.intp] | None = None
    _predicted: NDArray[np.intp] | None = None
    _topic: NDArray[np.intp] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.unanswered:
            classes = len(self.classes)
            farthest = _farthest(np.eye(classes), np.bincount(self.gold, minlength=classes))
            filled = self._filled(self.predicted, farthest[self.gold])
            object.__setattr__(self, "_predicted", filled)
        if self._topic is None or len(self.topics) == 1:
            return
        median = np.median(np.bincount(self._topic, minlength=len(self.topics)))
        if median > FEW_ITEMS:
            return
        note = (
            f"gold: the median number of items in the {len(self.topics)} topics is {median:g}, too "
            f"few for a score: all {len(self._topic)} items are one pool, and intervals and tests "
            "over them assume that they are independent."
        )
        notes = (*self.provenance.notes, Note(note))
        object.__setattr__(self, "provenance", replace(self.provenance, notes=notes))
        object.__setattr__(self, "topics", (POOLED,))
        object.__setattr__(self, "_topic", np.zeros_like(self._topic))

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
    ) -> Self:
        """Build a task from labels.

        Parameters
        ----------
        gold
            The gold label of every item.
        runs
            Run name -> predicted label of every item, in the same order; or a DataFrame with a
            column per run. If gold is a Series too, the index of a Series decides its order.
        topics
            The topic of every item, likewise.
        classes
            Labels from lowest to highest. Labels are compared as text.

        Raises
        ------
        ValueError
            If items are not those of gold, a label is not one of ``classes``, or these contradict
            ordered categories.
        """
        if labels(gold, "columns") is not None:
            raise ValueError(f"{name}: gold is a DataFrame; pass its column of labels")
        for argument, value in (("gold", gold), ("topics", topics), ("classes", classes)):
            in_order(value, f"{name}: {argument}")
        _refuse_other_order(classes, gold, name)
        order = tuple(texts(classes, f"{name}: class"))
        items = labels(gold) or [str(k) for k in range(len(gold))]  # as pandas numbers them

        def by_item(entries: NDArray[Any], value: object, who: str) -> NDArray[Any]:
            """Put labels of items in gold's order."""
            place = order_of("item", value, items, who, name)
            if len(entries) != len(items):
                raise ValueError(
                    f"{name}: {who} has {len(entries)} items and gold {len(items)}; "
                    "they must be the same items in the same order"
                )
            return entries[place]

        named = np.array(texts(topics, f"{name}: the topic of item"), dtype=object)
        topic, names = pd.factorize(by_item(named, topics, "topics"))
        _check_runs(runs, name)
        predicted = [
            by_item(_indices(answers, order, f"{name}: run {run!r}"), answers, f"run {run!r}")
            for run, answers in runs.items()
        ]
        return cls(
            name=name,
            classes=order,
            topics=tuple(map(str, names)),
            runs=tuple(map(str, runs)),
            provenance=provenance or Provenance("yours"),
            _gold=_indices(gold, order, f"{name}: gold"),
            _predicted=np.array(predicted, dtype=np.intp).reshape(len(predicted), len(items)),
            _topic=topic,
        )

    @property
    def gold(self) -> NDArray[np.intp]:
        """Gold class of every item, (items,), an index; RawDataMissing without raw files."""
        return self._here(self._gold)

    @property
    def predicted(self) -> NDArray[np.intp]:
        """Predicted class of every item, (runs, items); raises as :attr:`gold` does."""
        return self._here(self._predicted)

    @property
    def topic(self) -> NDArray[np.intp]:
        """Topic of every item as an index into ``topics``; raises as :attr:`gold` does."""
        return self._here(self._topic)

    def confusion(self, run: int | None = None) -> NDArray[np.intp]:
        """Return the counts ``cm[run, topic, gold, predicted]``; without the axis for one run."""
        sizes = (len(self.topics), len(self.classes), len(self.classes))
        if run is None:
            tables = [self.confusion(k) for k in range(len(self.runs))]
            return np.array(tables, dtype=np.intp).reshape(len(tables), *sizes)
        flat = np.ravel_multi_index((self.topic, self.gold, self.predicted[run]), sizes)
        return np.bincount(flat, minlength=int(np.prod(sizes))).reshape(sizes)


def baselines(gold: NDArray[np.float64]) -> NDArray[np.float64]:
    """Answer as BL-uniform and BL-popularity do: gold (rows, classes) -> (2, rows, classes)."""
    top = gold >= gold.max(axis=1, keepdims=True) - 1e-12
    popularity = top / top.sum(axis=1, keepdims=True)
    return np.stack([np.full_like(popularity, 1 / gold.shape[1]), popularity])


def facts(about: pd.DataFrame, runs: Sequence[str]) -> pd.DataFrame:
    """Return the rows about some runs, in their order, without empty columns."""
    known = about.reindex(list(runs)).rename_axis("run").fillna("")
    return known.loc[:, (known != "").any()]


def stated(about: pd.DataFrame, column: str) -> dict[str, str]:
    """Return run -> the entry of a column about it, if there is one."""
    if column not in about:
        return {}
    return {str(run): text for run, text in about[column].items() if text}


def share_answered(task: object) -> dict[str, float]:
    """Return run -> the share of topics or items that it answers; empty if no answer is missing."""
    if not isinstance(task, _Task) or not task.unanswered:
        return {}
    return {run: float(1 - np.mean(task.unanswered.get(run, False))) for run in task.runs}


def _farthest(gold: NDArray[Any], amounts: NDArray[Any]) -> NDArray[np.intp]:
    """Return for each row of gold (rows, classes) the class that is farthest by mean distance.

    Of two it is that of the smaller amount (classes,), then the lower.
    """
    places = np.arange(gold.shape[1])
    distances = gold @ np.abs(places[:, None] - places)
    tied = distances >= distances.max(axis=1, keepdims=True) - SAME_DISTANCE
    return np.asarray(np.where(tied, amounts, np.inf).argmin(axis=1))


def distributions(
    array: ArrayLike, what: str, votes: bool, tolerance: float = 1e-5
) -> NDArray[np.float64]:
    """Return distributions (rows, classes); messages on faults begin with ``what``."""
    counts_by = "votes=True for counts" if "gold" in what else "divide counts by their sum"
    checked = check_distributions(
        array, what, normalise=votes, tolerance=tolerance + ADDITIONS, counts_by=counts_by
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


def _sorted(columns: Sequence[str], where: str) -> list[str]:
    """Return columns that are whole numbers in order; refuse others, whose order nobody says."""
    if "topic" in columns:
        raise ValueError(
            f"{where}: gold has a column 'topic', which is no class; make it the index, with "
            ".set_index('topic') of gold and of the runs"
        )
    order, why = whole_numbers(columns)
    if why:
        listed = shown(", ".join(map(repr, columns)), 200)
        raise ValueError(
            f"{where}: gold has {why}, and no order; pass classes= from lowest to highest, which "
            f"is classes=[{listed}] if the columns have that order"
        )
    return order


def _refuse_other_order(classes: Sequence[Any], gold: object, where: str) -> None:
    """Refuse classes in another order than ordered categories state, as sorted() gives them."""
    names = texts(classes, f"{where}: class")
    for stated, source in ((categories(classes), classes), (categories(gold), gold)):
        # Of categories that are the classes none may lack, as those of Series.unique() do.
        wanted = [name for name in stated or () if source is classes or name in names]
        if stated and wanted != [name for name in names if name in stated]:
            raise ValueError(
                f"{where}: classes= has the order {shown(' < '.join(names), 200)}, and the ordered "
                f"categories are {shown(' < '.join(stated), 200)}; pass those, as "
                "list(x.cat.categories), or data without that order"
            )


def _check_runs(runs: Mapping[str, Any], where: str) -> None:
    if not hasattr(runs, "items"):
        raise ValueError(
            f"{where}: runs is a {type(runs).__name__}, which names none: pass run name -> what "
            "it answers, as in runs={'A': ...}"
        )
    check_names(texts(runs, f"{where}: run"), "run", where)


def _indices(answers: Sequence[Any], classes: tuple[str, ...], what: str) -> NDArray[np.intp]:
    """Return the class of every answer as an index."""
    in_order(answers, what)
    position = {label: index for index, label in enumerate(classes)}
    places = np.array([position.get(str(label), -1) for label in answers], dtype=np.intp)
    if (places < 0).any():
        row = int((places < 0).argmax())
        raise ValueError(
            f"{what}: item {row + 1} has label {str(list(answers)[row])!r}, which is not one of "
            f"the classes {', '.join(classes)}"
        )
    return places


def write_task(task: object, folder: Path) -> None:
    """Fill an empty folder with a task; answers that a run lacks are left out of its file."""
    if not isinstance(task, ClassificationTask | QuantificationTask):
        raise ValueError(
            f"{task!r}: nuggets, one for each turn, for which CSV has no form; check, score and "
            "rerun read these files as they are"
        )
    names = [file_name(run) for run in task.runs]
    check_names(names, "file of run", task.name)
    classes, topics = (np.array(axis, dtype=object) for axis in (task.classes, task.topics))
    people = task.annotators
    if isinstance(task, QuantificationTask):
        keys = pd.DataFrame({"topic": topics})
        tables = [pd.DataFrame(x, columns=classes) for x in (_votes(task), *task.estimates)]
    else:
        keys = pd.DataFrame({"topic": topics[task.topic]})
        keys["item"] = people.items if people else np.arange(1, len(keys) + 1)
        if task.items:
            keys = pd.DataFrame(list(task.items), columns=list(keys))
        if keys.duplicated().any():  # topics that became one pool had items of the same name
            keys["item"] = np.arange(1, len(keys) + 1)
        keys = keys[["item"]] if (keys["topic"] == ONE_TOPIC).all() else keys
        tables = [pd.DataFrame({"label": classes[x]}) for x in (task.gold, *task.predicted)]
    (folder / "runs").mkdir()
    for run, name, table in zip(("", *task.runs), ("", *names), tables, strict=True):
        path = folder / "runs" / f"{name}.csv" if run else folder / "gold.csv"
        here = ~task.unanswered.get(run, np.zeros(len(keys), dtype=bool))
        pd.concat([keys, table], axis=1)[here].to_csv(path, index=False, lineterminator="\n")
    lists = {"classes.txt": pd.DataFrame(classes)}
    if len(task.about.columns):
        lists[GROUPS] = task.about.set_axis(pd.Index(names, name="run")).reset_index()
    if people:
        rated = keys
        if isinstance(task, QuantificationTask):
            rated = pd.DataFrame({"topic": topics[people.topics], "item": people.items})
            rated = rated[["item"]] if task.topics == people.items else rated
        names_of = np.array(people.names, dtype=object)[people.annotator]
        ratings = rated.iloc[people.item].assign(annotator=names_of, rating=classes[people.rating])
        # The same whether the ratings came from a long table or from a wide one.
        lists[ANNOTATORS] = ratings.iloc[np.lexsort((names_of.astype(str), people.item))]
    for name, frame in lists.items():
        header = name != "classes.txt"
        frame.to_csv(folder / name, index=False, header=header, lineterminator="\n")


def _votes(task: QuantificationTask) -> NDArray[Any]:
    """Return the votes for each class, (topics, classes), or the shares if votes are unknown."""
    if task.votes:
        votes: NDArray[Any] = np.rint(task.gold * np.array(task.votes)[:, None]).astype(int)
        if np.allclose(votes / votes.sum(axis=1, keepdims=True), task.gold, rtol=0, atol=1e-12):
            return votes
    return task.gold


def file_name(run: str) -> str:
    """Return the name of a run's file: a model may be called ``maker/model``."""
    return run.replace("/", "_").replace("\\", "_")
