"""What the cells of the report show (``book/report.ipynb``): the tables and figures of one task."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from IPython.display import Markdown
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from pybtex.database import parse_file

from ordbook.advice import choose
from ordbook.advice.criteria import COMPARED, PROPERTIES, splits_of
from ordbook.data.catalog import RawDataMissing
from ordbook.data.loading import Task
from ordbook.data.scores import ScoreMatrix, ScoresTask
from ordbook.data.scoring import kind_of, score
from ordbook.data.tasks import ClassificationTask, QuantificationTask
from ordbook.files import share
from ordbook.measures import QUANTIFICATION, Measure, import_measures
from ordbook.meta.deltas import score_deltas
from ordbook.meta.discrimination import pairs_in_doubt
from ordbook.meta.items import (
    by_item,
    compare_runs,
    item_intervals,
    not_by_item,
    split_consistency,
)
from ordbook.meta.kendall import TIE_TOLERANCE
from ordbook.meta.rankings import standings
from ordbook.meta.significance import SURE, SignificanceTests
from ordbook.meta.similarity import RankingSimilarity, ranking_similarity
from ordbook.meta.topic_set_size import topic_set_size, unfit
from ordbook.report.resultpages import listed_open
from ordbook.show import show
from ordbook.show.colours import ESTIMATE, GOLD, WIDTH
from ordbook.show.escape import escape_figure, escape_markdown
from ordbook.show.parameters import split_classes
from ordbook.show.source import Source
from ordbook.show.two_runs import chosen_runs, kinds_legend, panel
from ordbook.words import counted, listing, some

# A figure shows so many runs or topics at most; the tables hold all.
MOST_RUNS, MOST_TOPICS, PANELS = 60, 120, 12
# A run with more than this share of one class is nearly constant.
NEARLY = 0.9
# Papers to cite for each measure that can be primary, and for the test.
CITED = {"classification": "sakai2021acl", "quantification": "sakai2021lq"}


@dataclass(frozen=True, eq=False)
class Report:
    """A task and what was found on it.

    Attributes
    ----------
    task
        As it was loaded.
    scores
        By the papers' measures for such a task, and the reader's own.
    tests, similarity
        Of these scores; None where there is nothing to compare.
    advice
        What the papers' criteria add to the choice; None where there is a single run, or a single
        topic without items to draw, all runs score alike, or the papers say nothing of the
        measures.
    splits
        Of the consistency.
    """

    task: Task
    scores: ScoreMatrix
    tests: SignificanceTests | None
    similarity: RankingSimilarity | None
    advice: choose.Advice | None
    splits: int

    @property
    def kind(self) -> str:
        """The kind of the task, such as ``classification``; of scores, what their measures say."""
        return kind_of(self.task)

    @cached_property
    def measures(self) -> list[str]:
        """The primary and the secondary measure, or all where the papers recommend none."""
        if self.kind in choose.FAVOURED:
            return choose.recommended(self.scores, self.task)
        return list(self.scores.measures)

    @property
    def primary(self) -> str:
        """The measure that the runs are ranked by."""
        return self.measures[0]

    @property
    def order(self) -> list[str]:
        """The runs, the best first."""
        return list(standings(self.scores, self.primary)["run"])

    @property
    def by_item(self) -> bool:
        """Whether items take the place of topics: there is one topic, of labels."""
        return by_item(self.task)

    @property
    def size(self) -> str:
        """How many topics there are, or items of one pool."""
        if by_item(self.task):
            return f"one pool of {counted(len(self.task.gold), 'item')}"
        return counted(len(self.scores.topics), "topic")

    def ranked(self, measure: str) -> pd.DataFrame:
        """Return rank, run, mean, low and high, the best run first."""
        found = standings(self.scores, measure)
        if by_item(self.task):
            ends = item_intervals(self.task, [measure]).set_index("run").loc[found["run"]]
            found[["low", "high"]] = ends[["low", "high"]].to_numpy()
        return found


def start(
    data: str,
    classes: str,
    own: str,
    trials: int,
    splits: int,
    reading: Mapping[str, Any] | None = None,
) -> Report:
    """Load a task, score its runs and compute what the report shows.

    Parameters
    ----------
    data, classes, own
        As the chapters take them.
    trials, splits
        Of the significance tests and of the consistency. With 0 trials, there are as many as it
        takes to decide about every pair of runs; see :func:`ordbook.tukey_hsd`.
    reading
        As for :class:`ordbook.show.source.Source`.
    """
    task = Source(data, split_classes(classes), reading or {}).load()
    part = kind_of(task)
    mine: tuple[Measure, ...] = ()
    names: list[str | Measure] = []
    if isinstance(task, ScoresTask):
        scores = score(task)
    else:
        mine = tuple(m for m in import_measures(own) if m.kind == part) if own else ()
        names = [*COMPARED.get(part, ()), *mine]
        scores = score(task, names or None)
    if len(scores.runs) < 2:
        return Report(task, scores, None, None, None, splits)
    similarity = None if choose.all_tie(scores) else ranking_similarity(scores)
    decide_at = None if trials else 0.05
    tests = compare_runs(task, scores, names, trials or None, decide_at=decide_at)
    if tests is None or similarity is None:
        return Report(task, scores, tests, similarity, None, splits)
    advice = None
    if part in COMPARED:
        steady = split_consistency(task, scores, names, splits)
        advice = choose.advise(scores, tests, steady, similarity, task, own=mine)
    return Report(task, scores, tests, similarity, advice, splits)


def glance(found: Report) -> show.Table:
    """Return the task at a glance."""
    task, scores = found.task, found.scores
    rows: dict[str, object] = {
        "task": task.name,
        "kind": {
            "classification": "ordinal classification: every item has one class",
            "quantification": "ordinal quantification: every topic has a distribution",
            "scores": "scores alone, without gold data: what needs these is left out",
        }.get(task.kind, task.kind),
        "topics": len(scores.topics),
        "runs": len(scores.runs),
    }
    if classes := getattr(task, "classes", ()):
        rows["classes, in order"] = ", ".join(map(str, classes))
    needs = found.advice.needs if found.advice else None
    if needs and needs.imbalance == needs.imbalance:
        times = f"{needs.imbalance:.3g}" if np.isfinite(needs.imbalance) else "infinitely many"
        rows["commonest class"] = f"{times} times as frequent as the rarest"
    if needs and needs.constant:
        what = "one class" if needs.kind == "classification" else "the same distribution"
        rows[f"runs that always answer {what}"] = listing(needs.constant)
    if needs and needs.within:
        rows["runs that answer one class within each topic"] = listing(needs.within)
    if len(scores.topics) > 1:
        rows["intervals and tests"] = "over topics"
    elif found.by_item:
        rows["intervals and tests"] = f"over items, because there is {found.size}"
    else:
        why = not_by_item(task) or "none, because there is a single topic"
        rows["intervals and tests"] = why
    rows |= {f"note {k}": note for k, note in enumerate(task.provenance.notes, 1)}
    frame = pd.DataFrame({"": {name: str(value) for name, value in rows.items()}})
    return show.table(frame, "What was evaluated.", stub=" ")


def ranking(found: Report) -> Figure:
    """Draw the runs, the best first, with 95% intervals and the groups that no test tells apart."""
    table = found.ranked(found.primary).head(MOST_RUNS)
    bars = groups(found.tests, found.primary, list(table["run"])) if found.tests else []
    figure, axes = plt.subplots(
        figsize=(WIDTH + 1.5, 0.9 + 0.24 * len(table)), layout="constrained"
    )
    place = np.arange(len(table))
    half = (table["high"] - table["low"]).fillna(0) / 2
    axes.errorbar(table["mean"], place, xerr=half, fmt="o", color=ESTIMATE, ms=4, lw=1)
    axes.set_yticks(place, [escape_figure(run) for run in table["run"]])
    axes.set_ylim(len(table) - 0.5, -0.5)
    low, high = axes.get_xlim()
    step = 0.025 * (high - low)
    for k, (first, last) in enumerate(bars):
        x = high + (k + 1) * step
        axes.plot([x, x], [first - 0.25, last + 0.25], color=GOLD, lw=3, solid_capstyle="butt")
    axes.set_xlim(low, high + (len(bars) + 1) * step)
    axes.grid(axis="x", lw=0.4)
    better = found.scores.better[found.primary]
    axes.set_xlabel(f"mean {found.primary} ({better} is better)", parse_math=False)
    sns.despine(ax=axes)
    return figure


def ranking_read(found: Report) -> Markdown:
    """Say how to read the intervals and bars of :func:`ranking`, as far as there are any."""
    shown = found.ranked(found.primary).head(MOST_RUNS)
    order, several = list(shown["run"]), len(found.scores.runs) > 1
    unit = "items" if found.by_item else "topics"
    lines = []
    if shown["low"].notna().any():
        lines.append(
            "The horizontal lines are the 95% intervals: they tell how far another sample of "
            f"{unit} could move each {'score' if found.by_item else 'mean'} by itself."
        )
        if several:
            lines.append(
                "They do not tell whether two runs differ, because both were scored on the same "
                f"{unit}."
            )
    else:
        lines.append(
            escape_markdown(not_by_item(found.task))
            or "There are no intervals, because there is a single topic."
        )
    if found.tests is not None:
        if groups(found.tests, found.primary, order):
            lines.append("Two runs that share a bar on the right do not differ significantly.")
        elif several:
            lines.append("There are no bars on the right, because all of these runs differ.")
        lines.append("This is by a randomised Tukey HSD test of all pairs at the 5% level.")
        if found.tests.looks > 1:
            lines.append(
                "We add random trials until every decision would stay the same in "
                f"{100 * SURE:g}% of repetitions. A pair that stays *open*, or undecided, has a "
                "p-value so close to .05 that not even the last trials tell."
            )
    elif several and not not_by_item(found.task):
        lines.append("There is no test of which runs differ.")
    return Markdown(" ".join(lines))


def groups(
    tests: SignificanceTests, measure: str, order: Sequence[str], alpha: float = 0.05
) -> list[tuple[int, int]]:
    """Return the groups of neighbours in a ranking in which no two runs differ significantly.

    Returns
    -------
    list
        First and last place of each group of at least two runs that is part of no other.

    Examples
    --------
    >>> import ordbook as ob
    >>> scores = ob.score(ob.load("sem16t4e"), ["NMD"])
    >>> order = standings(scores, "NMD")["run"].tolist()
    >>> groups(ob.tukey_hsd(scores, 1000), "NMD", order)[:1]
    [(0, 4)]
    """
    different = tests.p[measure].loc[list(order), list(order)].to_numpy() < alpha
    found: list[tuple[int, int]] = []
    for first in range(len(order)):
        last = first
        while last + 1 < len(order) and not different[first : last + 1, last + 1].any():
            last += 1
        if last > first and (not found or last > found[-1][1]):
            found.append((first, last))
    return found


def table(found: Report) -> show.Table:
    """Return mean scores and ranks by the measures recommended, the best run first."""
    means = found.scores.means()[found.measures]
    shown = pd.DataFrame(index=means.index)
    for measure in found.measures:
        ranked = found.ranked(measure).set_index("run")
        shown[measure] = means[measure]
        if len(means) > 1:
            shown[f"rank by {measure}"] = ranked["rank"]
        if len(means) == 1 or found.by_item:
            shown[f"95% interval of {measure}"] = [
                f"{low:.3f} to {high:.3f}" if low == low else "none"
                for low, high in ranked.loc[means.index, ["low", "high"]].to_numpy()
            ]
    if found.tests is not None:
        p, best = found.tests.p[found.primary], found.order[0]
        shown["differs from the best"] = [
            "" if run == best else "yes" if p.loc[best, run] < 0.05 else "no" for run in shown.index
        ]
        unsure = undecided(found, found.primary)
        near_best = unsure[(unsure["first"] == best) | (unsure["second"] == best)]
        for run in {*near_best["first"], *near_best["second"]} - {best}:
            shown.loc[run, "differs from the best"] = "open"
    shown = shown.loc[found.order]
    ends = listing([f"{m}, {found.scores.better[m]} is better" for m in found.measures])
    mean = "Mean scores" if len(found.scores.topics) > 1 else "Scores"
    caption = f"{mean} over {found.size} ({ends})"
    if found.tests is not None:
        caption += f", and whether a run differs significantly from the best by {found.primary}"
        if len(unsure):
            caption += f". {listed_open(unsure, 0.05, found.tests).removesuffix('.')}"
    return show.table(shown, f"{caption}.", stub="run")


def undecided(found: Report, measure: str | None = None) -> pd.DataFrame:
    """Return the pairs of runs that are open, by a measure or all: p may be above .05 or below."""
    assert found.tests is not None
    pairs = pairs_in_doubt(found.tests, level=SURE)
    return pairs if measure is None else pairs[pairs["measure"] == measure]


def topics_by_runs(found: Report) -> Figure | Markdown:
    """Draw the scores of all runs on all topics: best runs above, easiest topics to the left."""
    if len(found.scores.topics) == 1:
        return Markdown(f"There is {found.size}.")
    values = found.scores[found.primary].T.loc[found.order[:MOST_RUNS]]
    low = found.scores.better[found.primary] == "low"
    values = values[values.mean().sort_values(ascending=low, kind="stable").index]
    if len(values.columns) > MOST_TOPICS:
        parts = np.array_split(np.arange(len(values.columns)), MOST_TOPICS)
        values = pd.DataFrame(
            {part[0]: values.iloc[:, part].mean(axis=1) for part in parts}, values.index
        )
    topics = f"{len(found.scores.topics)} topics, the easiest first"
    cmap = "cividis_r" if low else "cividis"
    return _heatmap(values, topics, found.primary, cmap=cmap, xticklabels=False)


def _heatmap(values: pd.DataFrame, columns: str, cells: str, **options: object) -> Figure:
    """Draw a row a run; say what columns and cells are."""
    height = 1.1 + 0.22 * len(values)
    figure, axes = plt.subplots(figsize=(WIDTH + 1.5, height), layout="constrained")
    runs = [escape_figure(run) for run in values.index]
    label = {"label": escape_figure(cells)}
    sns.heatmap(values, yticklabels=runs, cbar_kws=label, ax=axes, **options)
    axes.set(xlabel=columns, ylabel="")
    axes.tick_params(length=0, rotation=0)
    plt.close(figure)
    return figure


def errors(found: Report) -> Figure | Markdown:
    """Draw where the runs err: confusion matrices, or mean distributions."""
    task = found.task
    try:
        if isinstance(task, ClassificationTask):
            return _confusions(task, _with_ends(found.order, PANELS))
        if isinstance(task, QuantificationTask):
            return _means(task, _with_ends(found.order, MOST_RUNS))
    except RawDataMissing as error:
        return Markdown(f"Not shown here: {escape_markdown(str(error))}")
    return Markdown("Only gold data with ordered classes tell where the runs err.")


def errors_shown(found: Report) -> Markdown:
    """Say which runs :func:`errors` shows, if not all."""
    most = PANELS if isinstance(found.task, ClassificationTask) else MOST_RUNS
    if isinstance(found.task, ScoresTask) or len(found.order) <= most:
        return Markdown("")
    baselines = any(run.startswith("BL-") for run in found.order)
    return Markdown(
        f"{most} of {len(found.order)} runs are shown, the best first: the best ones, the worst"
        f"{' and baselines' if baselines else ''}."
    )


def _with_ends(order: Sequence[str], most: int) -> list[str]:
    """Return the best runs, the worst and the baselines, the best first, at most so many.

    Examples
    --------
    >>> _with_ends(["a", "b", "c", "BL-x", "d", "e"], 4)
    ['a', 'b', 'BL-x', 'e']
    """
    if len(order) <= most:
        return list(order)
    baselines = [run for run in order if run.startswith("BL-")]
    first = dict.fromkeys([order[0], order[-1], *baselines, *order])
    chosen = set(list(first)[:most])
    return [run for run in order if run in chosen]


def _confusions(task: ClassificationTask, runs: Sequence[str]) -> Figure:
    classes, gold = len(task.classes), np.asarray(task.gold)
    across = min(3, len(runs))
    down = -(-len(runs) // across)
    figure, panels = plt.subplots(
        down,
        across,
        figsize=(2.1 * across + 0.8, 2.1 * down + 0.4),
        sharex=True,
        sharey=True,
        squeeze=False,
        layout="constrained",
    )
    labels = [escape_figure(str(label)) for label in task.classes]
    for axes in panels.ravel()[len(runs) :]:
        axes.set_axis_off()
    for axes, run in zip(panels.ravel(), runs, strict=False):
        answers = np.asarray(task.predicted[task.runs.index(run)])
        counts = np.bincount(gold * classes + answers, minlength=classes**2).reshape(classes, -1)
        rows = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
        image = axes.imshow(rows, cmap="cividis", vmin=0, vmax=1)
        axes.set_title(escape_figure(run), size=9)
        axes.set_xticks(range(classes), labels, size=8)
        axes.set_yticks(range(classes), labels, size=8)
    figure.supxlabel("class of the run", size=10)
    figure.supylabel("gold class", size=10)
    figure.colorbar(image, ax=panels, label="share of the gold class", shrink=0.6)
    plt.close(figure)
    return figure


def _means(task: QuantificationTask, runs: Sequence[str]) -> Figure:
    gold = np.asarray(task.gold).mean(axis=0)
    rows = {"gold": gold}
    rows |= {run: np.asarray(task.estimates[task.runs.index(run)]).mean(axis=0) for run in runs}
    shown = pd.DataFrame.from_dict(rows, orient="index", columns=list(map(str, task.classes)))
    bias = shown - gold
    limit = max(float(np.abs(bias.to_numpy()).max()), 1e-9)
    classes = [escape_figure(name) for name in shown]
    text = {"annot": shown.to_numpy(), "fmt": ".2f", "annot_kws": {"size": 8}}
    ends = {"cmap": "PuOr", "vmin": -limit, "vmax": limit, "xticklabels": classes}
    return _heatmap(bias, "class", "more or less than gold", **ends, **text)


def two_runs(found: Report, runs: str) -> Figure | Markdown:
    """Draw two runs topic by topic, by the primary measure and the one that is least like it."""
    if not _comparable(found):
        return Markdown(
            "Two runs are compared on four topics or more, by two measures, if some runs differ."
        )
    deltas, other = _deltas(found, runs)
    figure, axes = plt.subplots(figsize=(WIDTH, WIDTH), layout="constrained")
    panel(axes, deltas, found.primary, other)
    kinds_legend(figure)
    plt.close(figure)
    return figure


def disputed(found: Report, runs: str, top: int = 8) -> show.Table | Markdown:
    """Return the topics on which the two measures of :func:`two_runs` prefer opposite runs."""
    if not _comparable(found):
        return Markdown("")
    deltas, other = _deltas(found, runs)
    worse, better = _pair(found, runs)
    pair = deltas[[found.primary, other]]
    opposite = pair[pair.prod(axis=1) < -(TIE_TOLERANCE**2)]
    if opposite.empty:
        return Markdown(
            f"On no topic do {escape_markdown(found.primary)} and {escape_markdown(other)} prefer "
            "opposite runs."
        )
    size = (opposite / pair.std()).abs().min(axis=1)
    most = opposite.loc[size.sort_values(ascending=False, kind="stable").index[:top]]
    caption = (
        f"Topics on which {found.primary} and {other} prefer opposite runs, {len(most)} of "
        f"{len(opposite)}: differences of the scores, reversed where high scores are better. "
        f"A negative one prefers {better}, a positive one {worse}."
    )
    return show.table(most, caption, digits=4, stub="topic")


def compared(found: Report, runs: str) -> Markdown:
    """Say which measures and runs :func:`two_runs` compares."""
    if not _comparable(found):
        return Markdown("")
    worse, better = _pair(found, runs)
    first, second, one, two = map(
        escape_markdown, (found.primary, _deltas(found, runs)[1], better, worse)
    )
    best = "" if runs else ", the best two"
    return Markdown(
        f"The figure compares {first} with {second}, whose ranking differs most from it. The runs "
        f"are {one} and {two}{best}."
    )


def _comparable(found: Report) -> bool:
    measures, topics, runs = found.scores.values.shape
    return measures > 1 and topics > 3 and runs > 1 and found.similarity is not None


def _pair(found: Report, runs: str) -> tuple[str, str]:
    """Return two runs, the better one last: those that are named, or the best two."""
    best, second = found.order[:2]
    return chosen_runs(found.scores, runs, found.primary) if runs else (second, best)


def _deltas(found: Report, runs: str) -> tuple[pd.DataFrame, str]:
    """Return the score differences, low ones better, and the measure least like the primary."""
    worse, better = _pair(found, runs)
    assert found.similarity is not None
    tau = found.similarity.tau[found.primary].drop(found.primary)
    return -score_deltas(found.scores, better, worse, oriented=True), str(tau.idxmin())


def answer(found: Report) -> Markdown:
    """Say which measure is primary and which secondary, and what the data say of that."""
    if found.kind not in choose.FAVOURED:
        return Markdown(
            "The papers' criteria are about their measures for ordered classes: there is no choice "
            f"to recommend here. The runs are ranked by {escape_markdown(found.primary)}."
        )
    head = f"**Rank by {escape_markdown(found.primary)}.**"
    if found.measures[1:]:
        head += f" **Report {escape_markdown(found.measures[1])} beside it.**"
    if found.advice is not None:
        why = found.advice.why
    else:
        why = (
            choose.by_definition(found.primary, found.task),
            choose.by_data(choose.undecided(found.scores, found.task)),
        )
    return Markdown("\n\n".join([head, *map(escape_markdown, why)]))


def criteria(found: Report) -> show.Table | Markdown:
    """Return the criteria, measure by measure."""
    if found.advice is None:
        return Markdown("")
    table = found.advice.criteria
    shown = table[[*splits_of(table), "consistency", "significant", "power"]].copy()
    shown["significant"] = shown["significant"].astype(int)
    unsure = undecided(found)["measure"].value_counts()
    if len(unsure):
        place = list(shown).index("significant") + 1
        shown.insert(place, "open", unsure.reindex(shown.index, fill_value=0))
    graded = bool(table["chosen"].any())
    if graded:
        shown["chosen"] = [f"{share:.0%}" if share == share else "" for share in table["chosen"]]
    shown["role"] = table["role"]
    assert found.tests is not None
    unit = "items" if found.by_item else "topics"
    pairs = counted(len(found.scores.runs) * (len(found.scores.runs) - 1) // 2, "pair")
    caption = (
        f"The measures on this task: mean tau between the rankings by two samples of {unit} "
        f"({found.splits:,} splits), significant differences of {pairs} of runs "
        f"({found.tests.size}), and the grades"
    )
    if graded:
        caption += "; chosen: in how many bootstrap samples the criteria choose the measure"
    if found.advice.needs.kind == "quantification":
        caption += (
            f". Compared are {listing(COMPARED['quantification'])}, as in the paper; 'ordbook "
            f"score' has all {len(QUANTIFICATION)} measures for distributions"
        )
    return show.table(shown, f"{caption}.", stub="measure")


def properties(found: Report) -> show.Table | Markdown:
    """Return what is true of the measures by their definitions."""
    if found.advice is None:
        return Markdown("")
    table = found.advice.criteria
    columns = {"order": "handles order"} | {name: name for name in PROPERTIES}
    ticks = table[[name for name in columns if name in table]].rename(columns=columns)
    said = "; ".join(f"{name}, {PROPERTIES[name]}" for name in PROPERTIES if name in table)
    shown = ticks.replace({True: "yes", False: "no"})
    return show.table(shown, f"What is true of the definitions: {said}.", stub="measure")


def doubts(found: Report) -> Markdown:
    """List what speaks against leaning on the choice."""
    lines = [*_filled(found)]
    if found.advice is None:
        lines = [*_unexamined(found), *lines]
    else:
        lines = [*lines, *_one_sided(found), *found.advice.doubts]
    return Markdown("\n".join(f"- {escape_markdown(doubt)}" for doubt in lines) or "Nothing.")


def _filled(found: Report) -> list[str]:
    """Say which runs have answers that are not their own."""
    lacking = [run for run in found.task.runs if run in getattr(found.task, "unanswered", {})]
    if not lacking:
        return []
    how = "count as worst" if getattr(found.task, "worst", False) else "were filled in"
    whose = "its" if len(lacking) == 1 else "their"
    return [f"Missing answers of {some(lacking)} {how}: not all answers are {whose} own."]


def _unexamined(found: Report) -> list[str]:
    """Say why the criteria were not applied, and what else the data lack."""
    task, scores = found.task, found.scores
    lines = []
    if len(scores.runs) < 2:
        lines.append("There is a single run: nothing can be ranked.")
    elif choose.all_tie(scores):
        lines.append(f"All {len(scores.runs)} runs score alike: there is nothing to rank.")
    elif found.tests is None:
        lines.append(
            not_by_item(task) or "There is no test of which runs differ: it needs two topics."
        )
    elif found.kind not in choose.FAVOURED:
        lines.append("The papers' criteria are not about these measures and were not applied.")
    topics = len(scores.topics)
    if topics == 1 and isinstance(task, ClassificationTask):
        if len(task.gold) < choose.FEWEST_ITEMS:
            lines.append(f"There are only {counted(len(task.gold), 'item')}.")
    elif topics < choose.FEWEST_TOPICS:
        lines.append(f"There {'is' if topics == 1 else 'are'} only {counted(topics, 'topic')}.")
    return lines


def _one_sided(found: Report) -> list[str]:
    """Say so where the run that leads hardly ever answers another class than one."""
    task, run = found.task, found.order[0]
    if not isinstance(task, ClassificationTask) or task.missing:
        return []
    counts = np.bincount(task.predicted[task.runs.index(run)])
    most = int(counts.argmax())
    share, held = counts[most] / counts.sum(), np.mean(task.gold == most)
    if not max(NEARLY, held) < share < 1:
        return []
    return [
        f"{run} leads and answers {task.classes[most]} for {share:.0%} of the items; the gold data "
        f"have it for {held:.0%}."
    ]


def alike(found: Report) -> Axes | Markdown:
    """Draw how similarly the measures rank the runs."""
    if found.similarity is None:
        why = "A single run cannot be ranked."
        if len(found.scores.runs) > 1:
            why = "All runs have the same mean score, by every measure: no ranking can be compared."
        return Markdown(why)
    return show.heatmap(found.similarity.tau, "Kendall's tau")


def next_round(found: Report) -> show.Table | Markdown:
    """Return how many topics it takes to find some differences in the primary measure."""
    if found.by_item:
        return Markdown(f"A design is learnt from several topics, and there is {found.size}.")
    one = found.scores.select([found.primary])
    if reason := unfit(one):
        return Markdown(f"This cannot be said: {escape_markdown(reason)}.")
    spread = float(np.ptp(one.means()[found.primary]))
    rows = {}
    for name, part in (("all of it", 1.0), ("a half", 0.5), ("a quarter", 0.25)):
        design = topic_set_size(one, part * spread)
        rows[name] = {
            "difference": f"{part * spread:.4f}",
            "topics needed": design["topics"].item(),
            f"power of these {len(one.topics)} topics": f"{design['power'].item():.2f}",
        }
    caption = (
        f"Topics needed to find a part of the distance between best and worst run by "
        f"{found.primary} ({spread:.4f}), at the 5% level and with a power of 0.8."
    )
    return show.table(pd.DataFrame.from_dict(rows, orient="index"), caption, stub="part")


def paragraph(found: Report) -> Markdown:
    """Return a paragraph for the organisers' paper, and what to cite in it."""
    topics, runs = len(found.scores.topics), len(found.scores.runs)
    beside = f", with {found.measures[1]} beside it" if len(found.measures) > 1 else ""
    paper = CITED.get(found.kind, "zeng2020dialeval")
    known = parse_file(share("book", "references.bib"), "bibtex").entries
    cited = [paper, "sakai2018laboratory"]
    ranked = f"{runs} runs" if runs > 1 else "a run"
    where = f"on {found.size} by" if topics > 1 or found.by_item else "by"
    where += " mean" if topics > 1 else ""
    text = _altered(found)
    text += f"We scored {ranked} {where} {found.primary}{beside} [{paper}]. "
    if found.tests is not None:
        over = " over items" if found.by_item else ""
        text += (
            f"Differences between runs were tested with a randomised Tukey HSD test{over} "
            f"({found.tests.size}, significance level 5%) [sakai2018laboratory]. "
        )
        if found.tests.looks > 1:
            left = len(undecided(found, found.primary))
            cited.append("gandy2009sequential")
            text += (
                "Trials were added until, for each measure, all decisions were those of endless "
                f"trials with a probability of at least {100 * SURE:g}% [gandy2009sequential]"
                + (f"; {counted(left, 'pair')} stayed open by {found.primary}. " if left else ". ")
            )
    entries = "\n".join(known[key].to_string("bibtex") for key in cited).rstrip()
    text += f"Scores and tests were computed with ordbook {version('ordbook')}."
    return Markdown(f"> {escape_markdown(text)}\n\n```bibtex\n{entries}\n```")


def _altered(found: Report) -> str:
    """Say how many runs were left out or completed, in the words of a paper."""
    notes = found.scores.provenance.notes
    left = sum(note.startswith("run ") and " left out" in note for note in notes)
    filled = sum(note.startswith("run ") and " has no answer for " in note for note in notes)
    text = ""
    if left:
        text += f"{counted(left, 'submitted run')} {'was' if left == 1 else 'were'} left out. "
    if filled:
        worst = "scored as the worst" if getattr(found.task, "worst", False) else "filled in"
        text += f"Missing answers of {counted(filled, 'run')} were {worst}. "
    return text
