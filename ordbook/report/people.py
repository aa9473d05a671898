"""The people behind the gold data beside the runs, in a task's report."""

from functools import lru_cache

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from IPython.display import Markdown
from matplotlib.figure import Figure

from ordbook.data.annotators import Annotators
from ordbook.data.scoring import measures_for
from ordbook.data.tasks import ClassificationTask
from ordbook.meta.people import (
    HALF,
    Task,
    has_annotators,
    held_against_others,
    human_ceiling,
    people_note,
    people_range,
)
from ordbook.report.analysis import Analysis, confusion
from ordbook.report.figures import MOST_RUNS, PANELS, draw_confusions, rows_of
from ordbook.show import show
from ordbook.show.colours import ESTIMATE, GOLD
from ordbook.show.escape import escape_markdown


@lru_cache(maxsize=1)
def _ceiling(analysis: Analysis) -> tuple[Task, Annotators, pd.DataFrame] | None:
    """Return task, people, and these and runs by the primary measure, the best first, if known."""
    task, measure = analysis.task, analysis.primary
    if not has_annotators(task) or measure not in measures_for(task):
        return None
    ceiling = human_ceiling(task, [measure])
    if task.annotators is None or ceiling is None:
        return None
    low = analysis.scores.better[measure] == "low"
    return task, task.annotators, ceiling.sort_values(measure, ascending=low)


def note(analysis: Analysis) -> Markdown | None:
    """Describe the raters, their agreement, and a person's score beside the best run's."""
    beside = _ceiling(analysis)
    if beside is None:
        return None
    task, annotators, ceiling = beside
    better = analysis.scores.better[analysis.primary]
    text = people_note(task, ceiling, analysis.primary, better)
    number, _, people = str(annotators).partition(": ")
    ends = ""
    if annotators.rule != "shares":
        ends = " Where the others' ratings are tied, scores are means over both classes as gold."
    band = (
        f"A run within the band lies among these {number} people; that it equals them is not shown."
    )
    if HALF in ceiling.index:
        band = (
            "The shares of half of the people vary by chance, as the gold does, whereas a run's "
            "need not: a run may be better than half of the people."
        )
    return Markdown(
        f"**People beside the runs.** There are {number} annotators: {escape_markdown(people)}. "
        f"Here, {escape_markdown(text)} The gold of this comparison rests on fewer people than the "
        f"one above, so these scores are not those of the ranking.{ends} {band}"
    )


def picture(analysis: Analysis) -> Figure | None:
    """Draw annotators and runs on the same gold, the range of the annotators as a band."""
    beside = _ceiling(analysis)
    if beside is None:
        return None
    _, annotators, ceiling = beside
    rated = ceiling.groupby("is_run").head(MOST_RUNS)
    ends = people_range(ceiling, len(annotators.items))
    mean, low, high = (float(ends[end].loc[analysis.primary]) for end in ("mean", "low", "high"))
    better = analysis.scores.better[analysis.primary]
    figure, axes = rows_of(rated.index, f"mean {analysis.primary} ({better} is better)")
    if np.isfinite(low):
        axes.axvspan(low, high, color=GOLD, alpha=0.2, lw=0)
    axes.axvline(mean, color=GOLD, lw=1.5)
    for is_run, colour, marker, label in (
        (False, GOLD, "D", "people, against the others"),
        (True, ESTIMATE, "o", "run"),
    ):
        chosen = np.flatnonzero(rated["is_run"] == is_run)
        scores = rated[analysis.primary].iloc[chosen]
        axes.plot(scores, chosen, marker, color=colour, ms=5, label=label)
    figure.legend(loc="outside upper right", ncols=2, frameon=False)
    plt.close(figure)
    return figure


def confusions(analysis: Analysis) -> Figure | None:
    """Draw the errors of the 12 people with the most ratings, each beside gold from the others."""
    task = analysis.task
    if not isinstance(task, ClassificationTask) or task.annotators is None:
        return None
    people = task.annotators
    most = np.argsort(-np.bincount(people.annotator), kind="stable")[:PANELS]
    held = [held_against_others(task, number) for number in sorted(most.tolist())]
    counts = {
        by[0].runs[0]: np.sum([confusion(x, x.runs[0]) for x in by], axis=0) for by in held if by
    }
    return draw_confusions(counts, task.classes, "person") if counts else None


def bias(analysis: Analysis) -> show.Table | None:
    """Return how lenient or severe each run is, and each person beside the other people.

    The bias is the mean number of classes by which ratings exceed the mean rating by people, where
    a person is held against the others; of runs also by topic.
    """
    task = analysis.task
    if not isinstance(task, ClassificationTask) or task.annotators is None:
        return None
    people, places = task.annotators, np.arange(len(task.classes))
    number, total = people.votes.sum(axis=1), people.votes @ places
    rows: dict[str, dict[str, object]] = {}
    for place, run in enumerate(task.runs):
        rated = (number > 0) & ~task.unanswered.get(run, np.zeros(len(number), dtype=bool))
        if not rated.any():
            continue
        away = task.predicted[place][rated] - total[rated] / number[rated]
        rows[run] = {"rated by": "run", "bias": away.mean()}
        topics = np.array(task.topics)[task.topic[rated]]
        by_topic = pd.Series(away).groupby(topics).mean().to_dict()
        ends = {"lenient": max, "severe": min} if len(task.topics) > 1 else {}
        for name, end in ends.items():
            topic = end(by_topic, key=lambda topic: by_topic[topic])
            rows[run][f"most {name} on"] = f"{topic} ({by_topic[topic]:+.2f})"
    for place, person in enumerate(people.names):
        own = people.annotator == place
        items, rating = people.item[own], people.rating[own]
        several = number[items] > 1
        items, rating = items[several], rating[several]
        if len(items):
            away = rating - (total[items] - rating) / (number[items] - 1)
            rows[person] = {"rated by": "person", "bias": away.mean()}
    frame = pd.DataFrame.from_dict(rows, orient="index").fillna("")
    frame = frame.sort_values("bias", ascending=False, kind="stable")
    frame["bias"] = frame["bias"].map("{:+.2f}".format)
    caption = (
        "Lenient (above 0) or severe (below): by how many classes ratings exceed the mean rating "
        "by people, of a person by the other people."
    )
    return show.table(frame, caption, stub="name")
