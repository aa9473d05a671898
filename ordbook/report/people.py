"""The people behind the gold data beside the runs, in a task's report."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from IPython.display import Markdown
from matplotlib.figure import Figure

from ordbook.data.scoring import measures_for
from ordbook.data.tasks import ClassificationTask
from ordbook.meta.people import has_annotators, human_ceiling, people_note, people_range
from ordbook.report.figures import MOST_RUNS, Report
from ordbook.show import show
from ordbook.show.colours import ESTIMATE, GOLD, WIDTH
from ordbook.show.escape import escape_figure, escape_markdown


def _ceiling(found: Report) -> pd.DataFrame | None:
    """Return people and runs by the primary measure, the best first, if people are known."""
    if not has_annotators(found.task) or found.primary not in measures_for(found.task):
        return None
    ceiling = human_ceiling(found.task, [found.primary])
    low = found.scores.better[found.primary] == "low"
    return None if ceiling is None else ceiling.sort_values(found.primary, ascending=low)


def note(found: Report) -> Markdown | None:
    """Say who rated, how far they agree, and how a person does beside the best run."""
    ceiling = _ceiling(found)
    if ceiling is None or not has_annotators(found.task):
        return None
    text = people_note(found.task, ceiling, found.primary, found.scores.better[found.primary])
    annotators = found.task.annotators
    assert annotators is not None
    number, _, people = str(annotators).partition(": ")
    two = annotators.rule != "shares" and bool((annotators.votes.sum(axis=1) == 3).any())
    lower = " Where two others are left and differ, gold is the lower of their ratings." * two
    return Markdown(
        f"**People beside the runs.** There are {number} annotators: {escape_markdown(people)}. "
        f"Here, {escape_markdown(text)} That gold rests on fewer people than the one above, so "
        f"these scores are not those of the ranking.{lower} A run within the band lies among these "
        f"{number} people; that it equals them is not shown."
    )


def picture(found: Report) -> Figure | None:
    """Draw annotators and runs on the same gold, the range of the annotators as a band."""
    ceiling = _ceiling(found)
    if ceiling is None or not has_annotators(found.task):
        return None
    people, rated = found.task.annotators, ceiling.groupby("is_run").head(MOST_RUNS)
    assert people is not None
    ends = people_range(ceiling, len(people.items))
    mean, low, high = (float(ends[end].loc[found.primary]) for end in ("mean", "low", "high"))
    figure, axes = plt.subplots(
        figsize=(WIDTH + 1.5, 0.9 + 0.24 * len(rated)), layout="constrained"
    )
    if np.isfinite(low):
        axes.axvspan(low, high, color=GOLD, alpha=0.2, lw=0)
    axes.axvline(mean, color=GOLD, lw=1.5)
    for is_run, colour, marker, label in (
        (False, GOLD, "D", "person, against the others"),
        (True, ESTIMATE, "o", "run"),
    ):
        chosen = np.flatnonzero(rated["is_run"] == is_run)
        scores = rated[found.primary].iloc[chosen]
        axes.plot(scores, chosen, marker, color=colour, ms=5, label=label)
    axes.set_yticks(range(len(rated)), [escape_figure(name) for name in rated.index])
    axes.set_ylim(len(rated) - 0.5, -0.5)
    axes.grid(axis="x", lw=0.4)
    better = found.scores.better[found.primary]
    axes.set_xlabel(f"mean {found.primary} ({better} is better)", parse_math=False)
    figure.legend(loc="outside upper right", ncols=2, frameon=False)
    sns.despine(ax=axes)
    plt.close(figure)
    return figure


def bias(found: Report) -> show.Table | None:
    """Return how lenient or severe each run is, and each person beside the other people.

    The bias is the mean number of classes by which ratings exceed the mean rating by people, where
    a person is held against the others; of runs also by topic.
    """
    task = found.task
    if not isinstance(task, ClassificationTask) or task.annotators is None:
        return None
    people, places = task.annotators, np.arange(len(task.classes))
    number, total = people.votes.sum(axis=1), people.votes @ places
    rows: dict[str, dict[str, object]] = {}
    for place, run in enumerate(task.runs):
        rated = (number > 0) & ~task.unanswered.get(run, np.zeros(len(number), dtype=bool))
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
        others = number[items] > 1
        items, rating = items[others], rating[others]
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
