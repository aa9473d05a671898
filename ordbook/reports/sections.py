"""The sections of a report: each part is a function of the results on a task.

A part is a sentence, a table, small tables beside each other, lines to copy, HTML that is marked as
safe (``markupsafe.Markup``, such as a figure as SVG), or None where there is nothing to say. The
sections stand on the page in the order of ``SECTIONS``; to add one, write a function and name it
there, or pass your own list to :func:`ordbook.report`.
"""

import re
from collections.abc import Callable, Sequence
from importlib.metadata import metadata, version
from math import comb
from typing import Any

import numpy as np
import pandas as pd
from markupsafe import Markup
from scipy.special import stdtrit

from ordbook.advice import FAVOURED, choose
from ordbook.advice.criteria import FEWEST_RUNS
from ordbook.data.gaps import SILENCE
from ordbook.data.loading import Task
from ordbook.data.oddities import oddities
from ordbook.data.scores import TIE_TOLERANCE, ScoresTask
from ordbook.data.scoring import kind_of
from ordbook.data.tasks import ClassificationTask, QuantificationTask
from ordbook.files import share
from ordbook.measures import CLASSIFICATION, QUANTIFICATION
from ordbook.meta.agreement import score_deltas
from ordbook.meta.people import (
    HALF,
    annotator_tasks,
    first_runs_note,
    people_note,
    people_range,
)
from ordbook.meta.topic_set_size import shrunk_spread, topic_set_size, unfit
from ordbook.reports.breakdown import by_class, by_topic, confusion, filled_by_class
from ordbook.reports.parts import Drawing, Lines, Panels, Table, marks, strip
from ordbook.reports.results import LEVEL, Results
from ordbook.reports.tables import (
    decimals,
    intervals,
    p_value,
    runs_table,
    score_head,
    skill_note,
    with_ranks,
    written,
)
from ordbook.show.parameters import named_runs
from ordbook.words import counted, listing, some

Part = Table | Panels | Lines | str | None
Section = tuple[str, tuple[Callable[[Results], Part], ...]]

# So many runs, topics and confusion matrices are shown at most.
MOST_RUNS, MOST_TOPICS, MOST_MATRICES = 60, 60, 12
# A sentence or cell names so many runs, and a table so many topics.
MOST_NAMED = 8
# With fewer topics than this a t-test rests on little.
FEW_TOPICS = 20
# With fewer topics two runs are not compared topic by topic.
FEWEST_COMPARED = 4
# A run with more than this share of one class is nearly constant.
NEARLY = 0.9
# The paper to cite for the measures of a kind, and for one that none of the five papers uses.
CITED = {
    "classification": "sakai2021acl",
    "quantification": "sakai2021lq",
    "RPS": "epstein1969scoring",
}


# Who is ahead


def leader(results: Results) -> str:
    """Name the first run and its lead."""
    table, measure = results.ranked, results.primary
    scores, what = written(table["mean"]), "mean" if _mean(results) else "score"
    interval = intervals(table)[0]
    beside = "" if interval == "none" else f" ({LEVEL:.0%} interval {interval})"
    by = f"by {measure} ({results.scores.better[measure]}er is better)"
    first = list(table.loc[table["rank"] == 1, "run"])
    if len(table) == 1:
        return f"{first[0]} has a {what} of {scores[0]}{beside} {by}."
    if len(first) == len(table):
        return f"All {len(table)} runs have the same {what} {by}, {scores[0]}."
    if len(first) > 1:
        return f"{_listed(first)} share the first place {by}, with a {what} of {scores[0]}."
    second = list(table.loc[table["rank"] == 2, "run"])
    ahead = behind(results)[1].partition(" ")[0]
    return (
        f"{first[0]} is first {by}, with a {what} of {scores[0]}{beside}, {ahead} ahead of "
        f"{_listed(second)}."
    )


def _listed(runs: Sequence[str]) -> str:
    """Name runs, or the first of many."""
    return listing(runs) if len(runs) <= MOST_NAMED else some(runs, MOST_NAMED)


def _mean(results: Results) -> str:
    return "mean " if len(results.scores.topics) > 1 else ""


def leader_differs(results: Results) -> str | None:
    """Say from which runs the first one differs significantly."""
    best, *others = results.runs
    if not others or (results.ranked["rank"] == 1).all():
        return None
    if results.paired is None:
        return (
            "Whether runs differ cannot be tested, because there is a single topic and no items "
            "are known."
        )
    p = results.paired.matrix(results.primary).loc[best]
    alike = [run for run in others if not p[run] < results.alpha]
    if not alike:
        every = "every" if len(others) > 1 else "the"
        return f"{best} is significantly better than {every} other run."
    if len(alike) == len(others):
        return f"{best} is not significantly better than any other run."
    return (
        f"{best} is significantly better than {len(others) - len(alike)} of the {len(others)} "
        f"other runs, but not than {_listed(alike)}."
    )


def by_the_other_measure(results: Results) -> str | None:
    """Name the first run by the measure beside, and say whether both rank alike."""
    if not results.beside or pd.isna(results.tau):
        return None
    other = results.standings[results.beside]
    first = list(other.loc[other["rank"] == 1, "run"])
    verb = "is first" if len(first) == 1 else "share the first place"
    too = " too" if first == results.runs[: len(first)] else ""
    text = f"By {results.beside}, {_listed(first)} {verb}{too}."
    if len(results.runs) >= FEWEST_RUNS:
        text += f" The two rankings have a Kendall's tau of {results.tau:.2f}"
        text += ", so the two rank the runs very differently." if results.tau < choose.LOW else "."
    return text


def ranking_table(results: Results) -> Table:
    """Return scores, intervals, skill, and how far each run is behind the best."""
    measure = results.primary
    columns = runs_table(results, measure).head(MOST_RUNS)
    runs, several = columns.index, len(results.runs) > 1
    ranked = results.ranked.set_index("run").loc[runs]
    caption = f"The runs by {measure}, over {results.size}{_shown(results)}."
    if several:
        head, drawings = _drawn(ranked["mean"], ranked["low"], ranked["high"])
        place = list(columns).index(score_head(results, measure)) + 1
        columns.insert(place, head, pd.Series(drawings, runs))
        columns["behind the best"] = behind(results)[: len(runs)]
        caption += " Behind the best: the difference of the scores"
        caption += ", with its 95% interval by itself." if results.unit == "topics" else "."
    if results.paired is not None:
        p, trials = results.paired.matrix(measure), int(results.paired.trials[measure])
        best = results.runs[0]
        columns["p"] = ["" if run == best else p_value(p.loc[best, run], trials) for run in runs]
        caption += f" p: of the difference from the best, by {_test(results)}."
    if results.exact is not None:
        exact = results.exact
        columns["exact p"] = [p_value(exact[run], 0) if run in exact else "" for run in runs]
        caption += " Exact p: by the paired randomisation test of these two runs alone, unadjusted."
    for other in _beside(results):
        columns[f"{other} (rank)" if several else other] = (
            with_ranks(results, other, runs)
            if several
            else written(results.standings[other]["mean"])
        )
    return Table(columns, caption)


def _drawn(means: pd.Series, lows: pd.Series, highs: pd.Series) -> tuple[str, list[Drawing]]:
    """Draw scores and their intervals: the head of a column, which is its axis, and the cells."""
    ends = pd.concat([means, lows, highs]).min(), pd.concat([means, lows, highs]).max()
    digits = max(2, decimals([ends[1] - ends[0]]) - 2)
    cells = [
        marks([mean], ends, (low, high)) for mean, low, high in zip(means, lows, highs, strict=True)
    ]
    return f"{ends[0]:.{digits}f} to {ends[1]:.{digits}f}", cells


def _shown(results: Results, most: int = MOST_RUNS) -> str:
    return f" (the best {most} of {len(results.runs)})" if len(results.runs) > most else ""


def _beside(results: Results) -> list[str]:
    """Return the measures that stand beside the primary one: the recommended one, and your own."""
    names = (
        [results.beside, *results.own]
        if kind_of(results.task) in FAVOURED
        else results.scores.measures
    )
    known = [name for name in names if name in results.scores.measures]
    return [name for name in dict.fromkeys(known) if name != results.primary]


def behind(results: Results) -> list[str]:
    """Return how far each run is behind the best, with the t interval of their differences."""
    scores = results.scores.select([results.primary])
    values = pd.DataFrame(scores.values[0], columns=list(scores.runs))[results.runs]
    apart = values.sub(values.iloc[:, 0], axis=0) * -scores.direction.item()
    digits, topics = decimals(values.mean()), len(values)
    means = apart.mean()
    if topics == 1:
        return ["", *(f"{mean:.{digits}f}" for mean in means[1:])]
    half = stdtrit(topics - 1, 0.975) * apart.std() / np.sqrt(topics)
    return [
        "",
        *(
            f"{mean:.{digits}f} [{mean - reach:.{digits}f}, {mean + reach:.{digits}f}]"
            for mean, reach in zip(means[1:], half[1:], strict=True)
        ),
    ]


def _test(results: Results) -> str:
    """Name the test of the report."""
    if results.unit == "topics" and len(results.runs) == 2:
        return "a paired t-test"
    if results.unit == "topics":
        return "paired t-tests of all pairs, adjusted by Holm"
    assert results.tests is not None
    return f"the randomised Tukey HSD test over items, {results.tests.size}"


# What `data/draws/coverage.csv` says of t intervals; a test holds the two together.
FEW = (
    "With fewer than 20 topics it is too narrow where a few topics are far from the others: in "
    "simulations of 8 to 16 skewed scores it holds the truth in 84 to 86%, not 95%, of cases."
)


def how_to_read(results: Results) -> str | None:
    """Explain the intervals and skill."""
    lines = []
    if results.ranked["low"].notna().any():
        what = "score" if results.by_item else "mean"
        lines.append(
            f"An interval tells how far another sample of {results.unit} could move a {what} by "
            "itself."
        )
        if results.unit == "topics" and len(results.scores.topics) < FEW_TOPICS:
            lines.append(FEW)
        if len(results.runs) > 1:
            lines.append(
                "It does not tell whether two runs differ, because both were scored on the same "
                f"{results.unit}."
            )
    if results.primary in results.scores.references:
        lines.append(skill_note(results.scores, results.primary))
    return " ".join(lines) or None


def tied_ratings(results: Results) -> str | None:
    """Say how ties of people's ratings were broken, and whether it decides the first place."""
    task = results.task
    if not isinstance(task, ClassificationTask) or not task.ties or len(results.runs) < 2:
        return None
    return f"{task.ties.note} {first_runs_note(results.first, results.primary)}"


# What can be told apart


def told_apart(results: Results) -> str | None:
    """Count the pairs that differ significantly."""
    if results.paired is None:
        return None
    p = results.paired.p[results.primary]
    pairs, different = len(p), int((p < results.alpha).sum())
    what = f"Of {pairs} pairs of runs, {different or 'none'} differ{'s' if different == 1 else ''}"
    if pairs == 1:
        what = f"The two runs {'' if different else 'do not '}differ"
    return (
        f"{what} significantly by {results.primary}: p below {results.alpha:g} by {_test(results)}."
    )


def few_topics(results: Results) -> str | None:
    """Warn where a test rests on few topics or items."""
    topics, task = len(results.scores.topics), results.task
    if results.paired is None:
        return None
    if results.by_item and isinstance(task, ClassificationTask):
        few = f"There are only {len(task.gold)} items. "
        return (
            f"{few if 1 < len(task.gold) < choose.FEWEST_ITEMS else ''}The test takes items for "
            "independent: where many come from one text or one writer, all this looks more certain "
            "than it is."
        )
    if topics >= FEW_TOPICS:
        return None
    text = (
        f"There are only {topics} topics. A t-test of so few trusts that the differences are "
        "nearly normal, and most real differences stay undetected: a pair that is not told apart "
        "may well differ."
    )
    if results.exact is not None:
        text += (
            f" The exact test counts all {2**topics:,} ways to choose the signs of the differences "
            f"and trusts in nothing, but no p can be below {2 ** (1 - topics):.4g} then."
        )
    return text


def apart_table(results: Results) -> Table | None:
    """Return for each run how many it is better than, and from which it is not told apart."""
    if results.paired is None or len(results.runs) < 3:
        return None
    runs, p = results.runs, results.paired.matrix(results.primary)
    different = p.loc[runs, runs] < results.alpha
    if not different.any(axis=None):
        return None
    ranks = results.ranked.set_index("run")["rank"]
    rows = {
        run: {
            "better than": int((different.loc[run] & (ranks[runs] > ranks[run])).sum()),
            "not told apart from": some(
                [other for other in runs if other != run and not different.loc[run, other]],
                MOST_NAMED,
            ),
        }
        for run in runs[:MOST_RUNS]
    }
    return Table(
        pd.DataFrame.from_dict(rows, orient="index").rename_axis("run"),
        f"How many runs each is significantly better than{_shown(results)}.",
    )


def by_hsd(results: Results) -> str | None:
    """Give the result of the papers' test, for a comparison with the papers."""
    if results.unit != "topics" or results.tests is None:
        return None
    p = results.tests.p[results.primary]
    different = int((p < results.alpha).sum())
    finds = f"{different or 'none'} of {len(p)} pairs"
    if len(p) == 1:
        finds = "the two runs" if different else "the two runs not"
    return (
        f"To compare with the papers: their randomised Tukey HSD test ({results.tests.size}), "
        f"which assumes that the scores of all runs vary alike, finds {finds} significantly "
        "different."
    )


# Where the runs err


def suspicious_runs(results: Results) -> str | None:
    """Warn of runs that answer alike everywhere, and of scales that seem reversed."""
    task = results.task
    if isinstance(task, ScoresTask):
        return None
    suspicious = ("reversed scale", "constant in topics", "constant runs")
    lines = [odd.text for odd in oddities(task) if odd.kind in suspicious]
    lines += _one_sided(results, task)
    return " ".join(lines) or None


def _one_sided(results: Results, task: Task) -> list[str]:
    """Warn that the leading run hardly ever answers more than one class."""
    if not isinstance(task, ClassificationTask) or task.missing or len(results.runs) < 2:
        return []
    run = results.runs[0]
    counts = np.bincount(task.predicted[task.runs.index(run)])
    most = int(counts.argmax())
    share, gold = counts[most] / counts.sum(), np.mean(task.gold == most)
    if not max(NEARLY, gold) < share < 1:
        return []
    return [
        f"{run} leads and answers {task.classes[most]} for {share:.0%} of the items; the gold data "
        f"have it for {gold:.0%}."
    ]


def errors(results: Results) -> Table | Panels | str | None:
    """Return the errors of the runs: confusion matrices, or mean distributions."""
    task = results.task
    if not isinstance(task, ClassificationTask | QuantificationTask):
        return None
    if task.missing:
        return f"Where the runs err is not shown: {task.missing}."
    if isinstance(task, ClassificationTask):
        runs = results.runs[:MOST_MATRICES]
        return Panels(
            {run: _matrix(confusion(task, run), task) for run in runs},
            "Of the items of each gold class, in rows, the percentage that a run puts into each "
            f"class, in columns: a good run has its colour on the diagonal"
            f"{_shown(results, MOST_MATRICES)}.",
        )
    runs = results.runs[:MOST_RUNS]
    means = [task.estimates[task.runs.index(run)].mean(axis=0) for run in runs]
    frame = pd.DataFrame([task.gold.mean(axis=0), *means], ["gold", *runs], task.classes)
    away = frame - frame.iloc[0].to_numpy()
    return Table(
        frame.rename_axis("run"),
        "The mean distribution of each run below that of the gold data: blue where the run puts "
        f"more than gold, orange where it puts less{_shown(results)}.",
        2,
        away / max(np.abs(away.to_numpy()).max(), 1e-9),
    )


def _matrix(counts: Any, task: ClassificationTask) -> Table:
    """Return a confusion matrix in percent of its rows."""
    shares = pd.DataFrame(counts, task.classes, task.classes)
    shares = shares.div(shares.sum(axis=1), axis=0)
    texts = shares.map(lambda share: "" if not share > 0 else f"{100 * share:.0f}")
    return Table(texts.rename_axis("gold"), shades=shares.fillna(0))


def class_table(results: Results) -> Table | None:
    """Return how well each run does on each class, over all items or topics together."""
    task = results.task
    if not isinstance(task, ClassificationTask | QuantificationTask) or task.missing:
        return None
    score, caption = "error", "Mean absolute error of the share of each class; lower is better."
    if isinstance(task, ClassificationTask):
        score, caption = "F1", "F1 of each class over all items together; higher is better."
    values = by_class(task)[score].to_numpy().reshape(len(task.runs), -1)
    frame = pd.DataFrame(values, list(task.runs), task.classes).loc[results.runs[:MOST_RUNS]]
    return Table(frame.rename_axis("run"), " ".join([caption, *filled_by_class(task)]))


# Easy and hard topics


def topics_table(results: Results) -> Table | None:
    """Draw the scores of all runs on all topics: best runs above, easiest topics at the left."""
    if len(results.scores.topics) == 1 or len(results.runs) == 1:
        return None
    low = results.scores.better[results.primary] == "low"
    values = results.scores[results.primary].T.loc[results.runs[:MOST_RUNS]]
    values = values[values.mean().sort_values(ascending=low, kind="stable").index]
    parts = np.array_split(np.arange(len(values.columns)), min(MOST_TOPICS, len(values.columns)))
    means = np.stack([values.to_numpy()[:, part].mean(axis=1) for part in parts], axis=1)
    best, worst = (means.min(), means.max()) if low else (means.max(), means.min())
    shades = (means - best) / (worst - best) if worst != best else np.zeros_like(means)
    joined = " Neighbouring topics are averaged." if len(parts) < len(values.columns) else ""
    ends = f"from {best:.{decimals([best, worst])}f} to {worst:.{decimals([best, worst])}f}"
    strips = pd.DataFrame({"topics, the easiest first": map(strip, shades)}, values.index)
    return Table(
        strips.rename_axis("run"),
        f"The {results.primary} of every run on every topic: the darker, the worse, {ends}. A row "
        "that breaks the pattern is a run with weaknesses of its own."
        f"{joined}",
    )


def hardest_topics(results: Results) -> Table | None:
    """Return the topics with the worst medians: the best score, the run that has it, the median."""
    if len(results.scores.topics) == 1:
        return None
    table = by_topic(results.scores.select([results.primary])).set_index("topic")
    low = results.scores.better[results.primary] == "low"
    worst = table.sort_values("median", ascending=not low, kind="stable").head(MOST_NAMED)
    what = "The topics" if len(worst) == len(table) else f"The {len(worst)} hardest topics"
    if len(results.runs) == 1:
        return Table(
            worst[["best"]].set_axis([results.primary], axis=1),
            f"{what} by {results.primary}, the worst first.",
        )
    more = [f" and {tied - 1} more" if tied > 1 else "" for tied in worst["tied"]]
    frame = pd.DataFrame(
        {"best score": worst["best"], "by": worst["run"] + more, "median": worst["median"]}
    )
    return Table(
        frame, f"{what} by {results.primary}: best and median score, the worst median first."
    )


# What people reach


def people_sentences(results: Results) -> str | None:
    """Describe the raters, and a person's score beside the best run's."""
    task, people = results.task, getattr(results.task, "annotators", None)
    if not isinstance(task, ClassificationTask | QuantificationTask) or people is None:
        return None
    if results.people is None or results.primary not in results.people:
        return None
    note = people_note(
        task, results.people, results.primary, results.scores.better[results.primary]
    )
    ends = ""
    if people.rule != "shares":
        ends = " Where the others' ratings are tied, scores are means over both classes as gold."
    if HALF in results.people.index:
        band = (
            " The shares of half of the people vary by chance, as the gold does, whereas a run's "
            "need not: a run may be better than half of the people."
        )
    elif len(people.names) == 2:
        band = ""
    else:
        band = (
            f" A run between the best and the worst of these {len(people.names)} people lies among "
            "them; that it equals them is not shown."
        )
    return (
        f"There are {len(people.names)} annotators: {some(list(people.names))}. Here, {note} The "
        "gold of this comparison rests on fewer people than the one above, so these scores are not "
        f"those of the ranking.{ends}{band}"
    )


def people_table(results: Results) -> Table | None:
    """Return annotators and runs on the same gold, with the mean and range of the annotators."""
    ceiling, measure = results.people, results.primary
    people = getattr(results.task, "annotators", None)
    if ceiling is None or people is None or measure not in ceiling:
        return None
    low = results.scores.better[measure] == "low"
    ranked = ceiling.sort_values(measure, ascending=low, kind="stable")
    ranked = ranked.groupby("is_run").head(MOST_RUNS)
    ends: Any = people_range(ceiling, len(people.items)).loc[measure]
    scores = ranked[measure]
    head, cells = _drawn(
        scores,
        scores.where(ranked["is_run"], ends["low"]),
        scores.where(ranked["is_run"], ends["high"]),
    )
    who = "half of the people" if HALF in ceiling.index else "the other annotators"
    frame = pd.DataFrame(
        {
            "is": np.where(
                ranked["is_run"], "run", "people" if HALF in ceiling.index else "person"
            ),
            score_head(results, measure): written(scores),
            head: cells,
        },
        ranked.index.rename("name"),
    )
    several = (~ceiling["is_run"]).sum() > 2
    band = ""
    if several and not pd.isna(ends["low"]):
        band = (
            " The line reaches from the lowest to the highest of those people who rated a tenth of "
            "the items or more."
        )
    return Table(frame, f"People and runs on the same gold, that of {who}.{band}")


def annotator_test_table(results: Results) -> Table | None:
    """Return how each run fares as a person, beside judges that never read an item."""
    test = results.annotator_test
    if test is None:
        return None
    frame = test.table.rename_axis("judge").sort_values("rho", ascending=False, kind="stable")
    return Table(
        frame.drop(columns=["kind", "won"]),
        "The alternative annotator test of Calderon, Reichart and Dror (2025): omega is the share "
        "of people over whom a judge wins, rho how often it agrees with the others at least as "
        "well as a person does, and above the share of people for whom its rho is significantly "
        f"above the best constant's; epsilon is {test.epsilon:g}, and a judge passes if omega is "
        f"at least .5. {test.note}",
    )


def people_confusions(results: Results) -> Panels | None:
    """Return the errors of the people with the most ratings, each beside gold from the others."""
    task = results.task
    if not isinstance(task, ClassificationTask) or task.annotators is None:
        return None
    most = np.argsort(-np.bincount(task.annotators.annotator), kind="stable")[:MOST_MATRICES]
    tasks = [annotator_tasks(task, number) for number in sorted(most.tolist())]
    panels = {
        golds[0].runs[0]: _matrix(np.sum([confusion(x, x.runs[0]) for x in golds], axis=0), task)
        for golds in tasks
        if golds
    }
    if not panels:
        return None
    return Panels(
        panels,
        "What people answer for each gold class, in percent, gold being from the other people: "
        "where they are as far from the diagonal as the runs, people disagree about these classes, "
        "too.",
    )


def bias_table(results: Results) -> Table | None:
    """Return how lenient or severe each run is, and each person beside the other people."""
    task = results.task
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
        rows[run] = {"is": "run", "bias": away.mean()}
        if len(task.topics) > 1:
            topic: Any = pd.Series(away).groupby(np.array(task.topics)[task.topic[rated]]).mean()
            for name, end in (("lenient", topic.idxmax()), ("severe", topic.idxmin())):
                rows[run][f"most {name} on"] = f"{end} ({topic[end]:+.2f})"
    for place, person in enumerate(people.names):
        own = people.annotator == place
        items, rating = people.item[own], people.rating[own]
        several = number[items] > 1
        items, rating = items[several], rating[several]
        if len(items):
            away = rating - (total[items] - rating) / (number[items] - 1)
            rows[person] = {"is": "person", "bias": away.mean()}
    frame = pd.DataFrame.from_dict(rows, orient="index").fillna("").rename_axis("name")
    frame = frame.sort_values("bias", ascending=False, kind="stable")
    frame["bias"] = frame["bias"].map("{:+.2f}".format)
    return Table(
        frame,
        "Lenient (above 0) or severe (below): by how many classes ratings exceed the mean rating "
        "by people, of a person by the other people.",
    )


# Two runs, topic by topic


def _two(results: Results) -> tuple[str, str, pd.DataFrame] | None:
    """Return the better and the worse of two runs, and their differences by two measures."""
    beside = _beside(results)
    pair = named_runs(results.compared, results.runs) or tuple(results.runs[:2])
    if not beside or len(results.scores.topics) < FEWEST_COMPARED or len(pair) < 2:
        return None
    better, worse = sorted(pair, key=results.runs.index)
    chosen = results.scores.select([results.primary, beside[0]])
    deltas = score_deltas(chosen, better, worse, oriented=True)
    return None if (deltas.abs() <= TIE_TOLERANCE).all(axis=None) else (better, worse, deltas)


def two_runs(results: Results) -> Table | None:
    """Return on how many topics each of two runs is better, and all the differences."""
    if (two := _two(results)) is None:
        return None
    better, worse, deltas = two
    rows = {}
    for measure, values in deltas.items():
        signs = np.sign(values.where(values.abs() > TIE_TOLERANCE, 0))
        reach = float(values.abs().max()) or 1.0
        digits = max(2, decimals([reach]) - 1)
        rows[measure] = {
            better: int((signs > 0).sum()),
            worse: int((signs < 0).sum()),
            "a tie": int((signs == 0).sum()),
            "lowest": f"{values.min():.{digits}f}",
            "differences": marks(values, (-reach, reach), (0, 0)),
            "highest": f"{values.max():.{digits}f}",
        }
    frame = pd.DataFrame.from_dict(rows, orient="index").rename_axis("by")
    which = "" if results.compared else ", the first two"
    return Table(
        frame,
        f"{better} and {worse}{which}: on how many topics each is better, and the difference on "
        f"each topic, a dot; dots at the right of the middle are topics on which {better} is "
        "better.",
    )


def disputed_topics(results: Results) -> Table | str | None:
    """Return the topics on which the two measures of :func:`two_runs` prefer opposite runs."""
    if (two := _two(results)) is None:
        return None
    better, worse, deltas = two
    first, second = deltas
    opposite = deltas[deltas.prod(axis=1) < -(TIE_TOLERANCE**2)]
    if opposite.empty:
        return f"On no topic do {first} and {second} prefer opposite runs."
    size = (opposite / deltas.std()).abs().min(axis=1)
    most = opposite.loc[size.sort_values(ascending=False, kind="stable").index[:MOST_NAMED]]
    which = "" if len(most) == len(opposite) else f"; {len(most)} of {len(opposite)}"
    return Table(
        most.rename_axis("topic").add_prefix("difference by "),
        f"Topics on which {first} and {second} prefer opposite runs{which}. A positive difference "
        f"prefers {better}, a negative one {worse}.",
        4,
    )


# The task


def glance(results: Results) -> Table:
    """Return the task at a glance."""
    task = results.task
    rows = {
        "kind": {
            "classification": "ordinal classification: every item has one class",
            "quantification": "ordinal quantification: every topic has a distribution",
            "nuggets": "nuggets: every turn of a dialogue has a distribution over types",
            "scores": "scores alone, without gold data: what needs these is left out",
        }[task.kind],
        "size": results.size,
        "runs": str(len(results.runs)),
    }
    if isinstance(task, ClassificationTask) and not task.missing and not results.by_item:
        rows["items"] = str(len(task.gold))
    if task.classes:
        head = "types" if task.kind == "nuggets" else "classes, in order"
        rows[head] = ", ".join(map(str, task.classes))
    if isinstance(task, ClassificationTask | QuantificationTask) and not task.missing:
        labels = isinstance(task, ClassificationTask)
        counts = (
            np.bincount(task.gold, minlength=len(task.classes)) if labels else task.gold.mean(0)
        )
        rows["gold share by class"] = ", ".join(f"{x:.0%}" for x in counts / counts.sum())
    return Table(pd.DataFrame({"": rows}).rename_axis(" "), "")


def missing_answers(results: Results) -> str | None:
    """Name the runs that lack answers, and the effect on their scores."""
    lacking = [run for run, share in results.answered.items() if share < 1]
    if not lacking:
        return None
    silence = SILENCE.get(results.task.kind, "")
    return f"Missing answers of {some(lacking)} count as the worst. {silence}"


def notes(results: Results) -> Table | None:
    """List the cautions that go with the numbers."""
    ties = getattr(results.task, "ties", None)
    notes = [*results.scores.provenance.notes, *results.doubles]
    left = [note for note in notes if not ties or note != ties.note]
    if not left:
        return None
    return Table(pd.DataFrame({"note": left}, index=pd.RangeIndex(1, len(left) + 1)), "")


# Which measure


def measure_choice(results: Results) -> str:
    """Name the recommended measures in a sentence, and where the reasons stand."""
    address = (metadata("ordbook").get_all("Project-URL") or [", "])[0].partition(", ")[2]
    page = Markup("<a href='{}/book/choosing.html'>Which measure should I use?</a>").format(address)
    why = choose.exception(results.primary, results.task) if results.rank_by == "auto" else ""
    ranked = "The runs are ranked" if len(results.runs) > 1 else "The run is scored"
    text = f"{ranked} by {results.primary}"
    if results.beside:
        text += f", and {results.beside} stands beside it"
    text += f", because {why}" if why else ""
    return Markup("<p>{}; the page {} of the book <em>ordbook</em> has the reasons.</p>").format(
        text, page
    )


# The next round


def next_round(results: Results) -> Table | str | None:
    """Return how many topics it takes to find some differences in the primary measure."""
    if results.unit != "topics" or len(results.runs) == 1:
        return None
    primary = results.scores.select([results.primary])
    if reason := unfit(primary):
        return f"This cannot be said: {reason}."
    spread = float(shrunk_spread(primary).item())
    rows = {}
    for name, part in (("all of it", 1.0), ("a half", 0.5), ("a quarter", 0.25)):
        design = topic_set_size(primary, part * spread)
        rows[name] = {
            "difference": f"{part * spread:.4f}",
            "topics needed": design["topics"].item(),
            f"power of these {len(primary.topics)} topics": f"{design['power'].item():.2f}",
        }
    frame = pd.DataFrame.from_dict(rows, orient="index").rename_axis("part")
    return Table(
        frame,
        "Topics needed to find a part of the distance between the best and the worst run by "
        f"{results.primary} that is to be expected on other topics ({spread:.4f}), at the 5% level "
        "and with a power of 0.8.",
    )


# The paper


def paragraph(results: Results) -> str:
    """Return a paragraph for the organisers' paper, with the works to cite in it."""
    runs = len(results.runs)
    names = [_full_name(name, results) for name in (results.primary, results.beside) if name]
    beside = f", with {names[1]} beside it" if len(names) > 1 else ""
    ranked = f"{runs} runs" if runs > 1 else "a run"
    text = f"{_altered(results)}We scored {ranked} on {results.size} by {_mean(results)}"
    text += f"{names[0]}{beside} [{', '.join(_measure_papers(results))}]. "
    pairs = comb(runs, 2)
    level = f"significance level {100 * results.alpha:g}%"
    if results.paired is not None and results.unit == "topics":
        how = "paired t-tests, adjusted by Holm's method for all "
        how = "a paired t-test" if pairs == 1 else f"{how}{pairs} pairs"
        text += f"Differences between runs were tested with {how} ({level}). "
    elif results.paired is not None:
        text += (
            "Differences between runs were tested with a randomised Tukey HSD test over items "
            f"({results.paired.size}, {level}) [sakai2018laboratory]. "
        )
    computed = "Scores were" if results.paired is None else "Scores and tests were"
    return f"{text}{computed} computed with ordbook {version('ordbook')} [ordbook]."


def _measure_papers(results: Results) -> list[str]:
    paper = CITED.get(kind_of(results.task), "zeng2020dialeval")
    names = [name for name in (results.primary, results.beside) if name]
    return list(dict.fromkeys(CITED.get(name, paper) for name in names))


def bibliography(results: Results) -> Lines:
    """Return the BibTeX entries of the works that :func:`paragraph` cites."""
    text = share("book", "references.bib").read_text(encoding="utf-8")
    keys = re.findall(r"\[([\w, ]+)\]", paragraph(results))
    cited = [key for group in keys for key in group.split(", ")]
    entries = {
        match[1]: match[0] for match in re.finditer(r"^@\w+\{(\w+),.*?^\}", text, re.M | re.S)
    }
    return Lines("\n\n".join(entries[key] for key in dict.fromkeys(cited) if key in entries))


def _full_name(name: str, results: Results) -> str:
    """Return the title of a measure and its key, or the key alone where no title is known."""
    known = {**CLASSIFICATION, **QUANTIFICATION, **results.own}
    title = known[name].title if name in known else name
    return name if title == name else f"{title} ({name})"


def _altered(results: Results) -> str:
    """Say how many runs were left out or completed, in the words of a paper."""
    kinds = [note.kind for note in results.scores.provenance.notes]
    left, filled = kinds.count("left out"), kinds.count("filled")
    text = ""
    if left:
        text += f"{counted(left, 'submitted run')} {'was' if left == 1 else 'were'} left out. "
    if filled:
        text += f"Missing answers of {counted(filled, 'run')} were scored as the worst. "
    return text


SECTIONS: Sequence[Section] = (
    (
        "Who is ahead",
        (leader, leader_differs, by_the_other_measure, ranking_table, how_to_read, tied_ratings),
    ),
    ("What can be told apart", (told_apart, few_topics, apart_table, by_hsd)),
    ("Where the runs err", (suspicious_runs, errors, class_table)),
    ("Easy and hard topics", (topics_table, hardest_topics)),
    (
        "What people reach",
        (people_sentences, people_table, annotator_test_table, people_confusions, bias_table),
    ),
    ("Two runs, topic by topic", (two_runs, disputed_topics)),
    ("The task", (glance, missing_answers, notes)),
    ("Which measure?", (measure_choice,)),
    ("How many topics for the next round?", (next_round,)),
    ("What to write in your paper", (paragraph, bibliography)),
)
