"""Tables, figures and sentences of the report (``book/report.ipynb``) on one task."""

from collections.abc import Collection, Mapping, Sequence
from importlib.metadata import version

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from IPython.display import Markdown
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray
from pybtex.database import parse_file

from ordbook.data.problems import RawDataMissing
from ordbook.data.scores import ScoresTask
from ordbook.data.tasks import ClassificationTask, QuantificationTask, share_answered
from ordbook.files import share
from ordbook.measures import CLASSIFICATION, QUANTIFICATION, probe
from ordbook.meta.people import first_runs, first_runs_note
from ordbook.meta.significance import SURE
from ordbook.meta.topic_set_size import shrunk_spread, topic_set_size, unfit
from ordbook.report.analysis import Analysis, by_class, by_topic, confusion, groups, undecided
from ordbook.report.results import (
    filled_by_class,
    is_baseline,
    listed_open,
    percent,
    skill_note,
    skill_text,
)
from ordbook.show import show
from ordbook.show.colours import ESTIMATE, GOLD, WIDTH
from ordbook.show.escape import escape_figure, escape_markdown
from ordbook.words import counted, listing

# A figure shows so many runs or topics at most; the tables hold all.
MOST_RUNS, MOST_TOPICS, PANELS = 60, 120, 12
# The paper to cite for the measures of a kind, and for one that none of the five papers uses.
CITED = {
    "classification": "sakai2021acl",
    "quantification": "sakai2021lq",
    "RPS": "epstein1969scoring",
}


def glance(analysis: Analysis) -> show.Table:
    """Return the task at a glance."""
    task, scores = analysis.task, analysis.scores
    rows: dict[str, object] = {
        "task": task.name,
        "kind": {
            "classification": "ordinal classification: every item has one class",
            "quantification": "ordinal quantification: every topic has a distribution",
            "scores": "scores alone, without gold data: what needs these is left out",
        }.get(task.kind, task.kind),
        "size": analysis.size,
        "runs": len(scores.runs),
    }
    if classes := getattr(task, "classes", ()):
        rows["classes, in order"] = ", ".join(map(str, classes))
    needs = analysis.advice.needs if analysis.advice else None
    if needs and np.isinf(needs.imbalance):
        rows["rarest class"] = "has no gold data"
    elif needs and needs.imbalance == needs.imbalance:
        rows["commonest class"] = f"{needs.imbalance:.3g} times as frequent as the rarest"
    if needs and needs.constant:
        answer = "one class" if needs.kind == "classification" else "the same distribution"
        rows[f"runs that always answer {answer}"] = listing(needs.constant)
    if needs and needs.within:
        rows["runs that answer one class within each topic"] = listing(needs.within)
    if len(scores.topics) > 1:
        rows["intervals and tests"] = "over topics"
    elif analysis.by_item:
        rows["intervals and tests"] = f"over items, because there is {analysis.size}"
    else:
        rows["intervals and tests"] = "none, because there is a single topic"
    rows |= {f"note {k}": note for k, note in enumerate(task.provenance.notes, 1)}
    frame = pd.DataFrame({"": {name: str(value) for name, value in rows.items()}})
    return show.table(frame, "What was evaluated.", stub=" ")


def ranking(analysis: Analysis) -> Figure:
    """Draw the runs, the best first, with 95% intervals and the groups that no test tells apart."""
    table = analysis.ranked(analysis.primary).head(MOST_RUNS)
    bars = groups(analysis.tests, analysis.primary, list(table["run"])) if analysis.tests else []
    better = analysis.scores.better[analysis.primary]
    kind = "mean " if len(analysis.scores.topics) > 1 else ""
    figure, axes = rows_of(table["run"], f"{kind}{analysis.primary} ({better} is better)")
    mean = table["mean"]
    ends = [(mean - table["low"]).fillna(0), (table["high"] - mean).fillna(0)]
    axes.errorbar(mean, range(len(table)), xerr=ends, fmt="o", color=ESTIMATE, ms=4, lw=1)
    low, high = axes.get_xlim()
    step = 0.025 * (high - low)
    for k, (first, last) in enumerate(bars):
        x = high + (k + 1) * step
        axes.plot([x, x], [first - 0.25, last + 0.25], color=GOLD, lw=3, solid_capstyle="butt")
    axes.set_xlim(low, high + (len(bars) + 1) * step)
    return figure


def rows_of(names: Collection[str], label: str) -> tuple[Figure, Axes]:
    """Return axes with a row for each name, the first above."""
    height = 0.9 + 0.24 * len(names)
    figure, axes = plt.subplots(figsize=(WIDTH + 1.5, height), layout="constrained")
    axes.set_yticks(range(len(names)), [escape_figure(name) for name in names])
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.grid(axis="x", lw=0.4)
    axes.set_xlabel(label, parse_math=False)
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes


def ranking_read(analysis: Analysis) -> Markdown:
    """Say how to read the intervals and bars of :func:`ranking`, as far as there are any."""
    ranked = analysis.ranked(analysis.primary).head(MOST_RUNS)
    order, several = list(ranked["run"]), len(analysis.scores.runs) > 1
    unit = "items" if analysis.by_item else "topics"
    lines = []
    if ranked["low"].notna().any():
        lines.append(
            "The horizontal lines are the 95% intervals: they tell how far another sample of "
            f"{unit} could move each {'score' if analysis.by_item else 'mean'} by itself."
        )
        if several:
            lines.append(
                "They do not tell whether two runs differ, because both were scored on the same "
                f"{unit}."
            )
    else:
        lines.append("There are no intervals, because there is a single topic.")
    if analysis.tests is not None:
        if groups(analysis.tests, analysis.primary, order):
            lines.append("Two runs that share a bar on the right do not differ significantly.")
        elif several:
            lines.append("There are no bars on the right, because all of these runs differ.")
        lines.append("This is by a randomised Tukey HSD test of all pairs at the 5% level.")
        if analysis.tests.stops > 1:
            lines.append(
                "We add random trials until, for each measure by itself, all decisions are those "
                f"of endless trials with a probability of at least {100 * SURE:g}%. A pair that "
                "stays *open*, or undecided, has a p-value so close to .05 that not even the last "
                "trials tell."
            )
    elif several:
        lines.append("There is no test of which runs differ.")
    task = analysis.task
    if several and isinstance(task, ClassificationTask) and task.ties:
        own = {measure.name: measure for measure in analysis.own}
        first = first_runs(task, own.get(analysis.primary, analysis.primary))
        note = first_runs_note(first, analysis.primary)
        lines.append(escape_markdown(f"{task.ties.note} {note}"))
    return Markdown(" ".join(lines))


def table(analysis: Analysis) -> show.Table:
    """Return mean scores and ranks by the measures recommended, the best run first."""
    means = analysis.scores.means()[analysis.measures]
    columns = pd.DataFrame(index=means.index)
    if shares := share_answered(analysis.task):
        columns["answered"] = [percent(shares[run]) for run in means.index]
    for measure in analysis.measures:
        ranked = analysis.ranked(measure).set_index("run")
        columns[measure] = means[measure]
        if measure in analysis.scores.references:
            columns[f"skill by {measure}"] = analysis.scores.skill()[measure].map(skill_text)
        if len(means) > 1:
            columns[f"rank by {measure}"] = ranked["rank"]
        if len(means) == 1 or analysis.by_item:
            columns[f"95% interval of {measure}"] = [
                f"{low:.3f} to {high:.3f}" if low == low else "none"
                for low, high in ranked.loc[means.index, ["low", "high"]].to_numpy()
            ]
    if analysis.tests is not None:
        p, best = analysis.tests.matrix(analysis.primary), analysis.order[0]
        columns["differs from the best"] = [
            "" if run == best else "yes" if p.loc[best, run] < 0.05 else "no"
            for run in columns.index
        ]
        unsure = undecided(analysis, analysis.primary)
        near_best = unsure[(unsure["first"] == best) | (unsure["second"] == best)]
        for run in {*near_best["first"], *near_best["second"]} - {best}:
            columns.loc[run, "differs from the best"] = "open"
    columns = columns.loc[analysis.order]
    ends = "; ".join(f"{m}: {analysis.scores.better[m]} is better" for m in analysis.measures)
    mean = "Mean scores" if len(analysis.scores.topics) > 1 else "Scores"
    caption = f"{mean} over {analysis.size} ({ends})"
    if analysis.tests is not None:
        caption += f", and whether a run differs significantly from the best by {analysis.primary}"
        if len(unsure):
            caption += f". {listed_open(unsure, 0.05, analysis.tests).removesuffix('.')}"
    held = analysis.scores.references
    notes = [skill_note(analysis.scores, m) for m in analysis.measures if m in held]
    return show.table(columns, " ".join([f"{caption}.", *notes]), stub="run")


def topics_by_runs(analysis: Analysis) -> Figure | Markdown:
    """Draw the scores of all runs on all topics: best runs above, easiest topics to the left."""
    if len(analysis.scores.topics) == 1:
        return Markdown(f"There is {analysis.size}.")
    values = analysis.scores[analysis.primary].T.loc[analysis.order[:MOST_RUNS]]
    low = analysis.scores.better[analysis.primary] == "low"
    values = values[values.mean().sort_values(ascending=low, kind="stable").index]
    if len(values.columns) > MOST_TOPICS:
        parts = np.array_split(np.arange(len(values.columns)), MOST_TOPICS)
        values = pd.DataFrame(
            {part[0]: values.iloc[:, part].mean(axis=1) for part in parts}, values.index
        )
    topics = f"{len(analysis.scores.topics)} topics, the easiest first"
    cmap = "cividis_r" if low else "cividis"
    return _heatmap(values, topics, analysis.primary, cmap=cmap, xticklabels=False)


def hardest(analysis: Analysis) -> show.Table | None:
    """Return the topics with the worst medians: the best score, the run that has it, the median."""
    if len(analysis.scores.topics) == 1:
        return None
    table = by_topic(analysis.scores.select([analysis.primary])).set_index("topic")
    low = analysis.scores.better[analysis.primary] == "low"
    worst = table.sort_values("median", ascending=not low, kind="stable").head(8)
    more = np.where(worst["tied"] > 1, [f" and {k - 1} more" for k in worst["tied"]], "")
    columns = pd.DataFrame(
        {"best score": worst["best"], "by": worst["run"] + more, "median": worst["median"]}
    )
    caption = (
        f"The hardest topics: best and median score by {analysis.primary}, the worst median first."
    )
    return show.table(columns, caption, stub="topic")


def classes(analysis: Analysis) -> show.Table | None:
    """Return how well each run does on each class, over all items or topics together."""
    task = analysis.task
    if not isinstance(task, ClassificationTask | QuantificationTask) or task.missing:
        return None
    score, caption = (
        "error",
        "Mean absolute error of the estimated probability of each class; lower",
    )
    if isinstance(task, ClassificationTask):
        score, caption = "F1", "F1 of each class over all items together, from 0 to 1; higher"
    values = by_class(task)[score].to_numpy().reshape(len(task.runs), -1)
    per_class = pd.DataFrame(values, task.runs, task.classes)
    caption = " ".join([f"{caption} is better.", *filled_by_class(analysis.task)])
    return show.table(per_class.loc[analysis.order], caption, stub="run")


def _heatmap(values: pd.DataFrame, columns: str, cells: str, **options: object) -> Figure:
    """Draw a row for each run, with labels for columns and cells."""
    height = 1.1 + 0.22 * len(values)
    figure, axes = plt.subplots(figsize=(WIDTH + 1.5, height), layout="constrained")
    runs = [escape_figure(run) for run in values.index]
    label = {"label": escape_figure(cells)}
    sns.heatmap(values, yticklabels=runs, cbar_kws=label, ax=axes, **options)
    axes.set(xlabel=columns, ylabel="")
    axes.tick_params(length=0, rotation=0)
    plt.close(figure)
    return figure


def errors(analysis: Analysis) -> Figure | Markdown:
    """Draw the errors of the runs: confusion matrices, or mean distributions."""
    task = analysis.task
    try:
        if isinstance(task, ClassificationTask):
            runs = _with_ends(analysis.order, PANELS)
            return draw_confusions({run: confusion(task, run) for run in runs}, task.classes)
        if isinstance(task, QuantificationTask):
            return _means(task, _with_ends(analysis.order, MOST_RUNS))
    except RawDataMissing as error:
        return Markdown(f"Not shown here: {escape_markdown(str(error))}")
    return Markdown("Only gold data with ordered classes tell where the runs err.")


def errors_shown(analysis: Analysis) -> Markdown | None:
    """Say which runs :func:`errors` shows, if not all, and what missing answers are in it."""
    most = PANELS if isinstance(analysis.task, ClassificationTask) else MOST_RUNS
    if isinstance(analysis.task, ScoresTask):
        return None
    lines = filled_by_class(analysis.task)
    if len(analysis.order) > most:
        kept = "the best, the worst and the baselines"
        if not any(map(is_baseline, analysis.order)):
            kept = "the best and the worst"
        lines.append(f"{most} of {len(analysis.order)} runs are shown, the best first: {kept}.")
    return Markdown(" ".join(lines)) if lines else None


def _with_ends(order: Sequence[str], most: int) -> list[str]:
    """Return the best runs, the worst and the baselines, the best first, at most so many.

    Examples
    --------
    >>> _with_ends(["a", "b", "c", "BL-x", "d", "e"], 4)
    ['a', 'b', 'BL-x', 'e']
    """
    if len(order) <= most:
        return list(order)
    baselines = [run for run in order if is_baseline(run)]
    first = dict.fromkeys([order[0], order[-1], *baselines, *order])
    chosen = set(list(first)[:most])
    return [run for run in order if run in chosen]


def draw_confusions(
    confusions: Mapping[str, NDArray[np.intp]], classes: Sequence[str], who: str = "run"
) -> Figure:
    """Draw a panel for each confusion matrix, gold classes in rows, which add up to 1."""
    across = min(3, len(confusions))
    down = -(-len(confusions) // across)
    figure, panels = plt.subplots(
        down,
        across,
        figsize=(2.1 * across + 0.8, 2.1 * down + 0.4),
        sharex=True,
        sharey=True,
        squeeze=False,
        layout="constrained",
    )
    labels = [escape_figure(str(label)) for label in classes]
    for axes in panels.ravel()[len(confusions) :]:
        axes.set_axis_off()
    for axes, (name, counts) in zip(panels.ravel(), confusions.items(), strict=False):
        rows = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
        image = axes.imshow(rows, cmap="cividis", vmin=0, vmax=1)
        axes.set_title(escape_figure(name), size=9)
        axes.set_xticks(range(len(labels)), labels, size=8)
        axes.set_yticks(range(len(labels)), labels, size=8)
    figure.supxlabel(f"class of the {who}", size=10)
    figure.supylabel("gold class", size=10)
    figure.colorbar(image, ax=panels, label="share of the gold class", shrink=0.6)
    plt.close(figure)
    return figure


def _means(task: QuantificationTask, runs: Sequence[str]) -> Figure:
    gold = np.asarray(task.gold).mean(axis=0)
    rows = {"gold": gold}
    rows |= {run: np.asarray(task.estimates[task.runs.index(run)]).mean(axis=0) for run in runs}
    distributions = pd.DataFrame.from_dict(
        rows, orient="index", columns=list(map(str, task.classes))
    )
    bias = distributions - gold
    limit = max(float(np.abs(bias.to_numpy()).max()), 1e-9)
    classes = [escape_figure(name) for name in distributions]
    text = {"annot": distributions.to_numpy(), "fmt": ".2f", "annot_kws": {"size": 8}}
    ends = {"cmap": "PuOr", "vmin": -limit, "vmax": limit, "xticklabels": classes}
    return _heatmap(bias, "class", "more or less than gold", **ends, **text)


def probed(analysis: Analysis) -> show.Table | None:
    """Return how often the reader's measures break each guarantee."""
    if analysis.advice is None or not analysis.own:
        return None
    rows = [
        (
            measure.name,
            guarantee.name,
            ", ".join(f"{n}: {share:.0%}" for n, share in guarantee.broken.items()),
            guarantee.statement,
        )
        for measure in analysis.own
        for guarantee in probe(measure)
    ]
    caption = (
        "How often random cases with 3, 5 and 7 classes break each guarantee, and the "
        "worst counterexample. Where none was found nothing is proved, so a property that the "
        "author of a measure did not state counts as missing in the criteria. For example, "
        "custom_measure(..., ordinal=True) states that the order is handled."
    )
    columns = ["measure", "guarantee", "broken", "counterexample"]
    return show.table(pd.DataFrame(rows, columns=columns).set_index("measure"), caption)


def next_round(analysis: Analysis) -> show.Table | Markdown:
    """Return how many topics it takes to find some differences in the primary measure."""
    if analysis.by_item:
        return Markdown(f"A design is learnt from several topics, and there is {analysis.size}.")
    primary = analysis.scores.select([analysis.primary])
    if reason := unfit(primary):
        return Markdown(f"This cannot be said: {escape_markdown(reason)}.")
    spread = float(shrunk_spread(primary).item())
    rows = {}
    for name, part in (("all of it", 1.0), ("a half", 0.5), ("a quarter", 0.25)):
        design = topic_set_size(primary, part * spread)
        rows[name] = {
            "difference": f"{part * spread:.4f}",
            "topics needed": design["topics"].item(),
            f"power of these {len(primary.topics)} topics": f"{design['power'].item():.2f}",
        }
    caption = (
        f"Topics needed to find a part of the distance of best and worst run by {analysis.primary} "
        f"that is to be expected on other topics ({spread:.4f}), at the 5% level and with a power "
        "of 0.8."
    )
    return show.table(pd.DataFrame.from_dict(rows, orient="index"), caption, stub="part")


def paragraph(analysis: Analysis) -> Markdown:
    """Return a paragraph for the organisers' paper, with the works to cite in it."""
    topics, runs = len(analysis.scores.topics), len(analysis.scores.runs)
    reported = analysis.measures[:2]
    names = [_full_name(name, analysis) for name in reported]
    beside = f", with {names[1]} beside it" if len(names) > 1 else ""
    paper = CITED.get(analysis.kind, "zeng2020dialeval")
    papers = list(dict.fromkeys(CITED.get(name, paper) for name in reported))
    known = parse_file(share("book", "references.bib"), "bibtex").entries
    cited = [*papers, "sakai2018laboratory"]
    ranked = f"{runs} runs" if runs > 1 else "a run"
    where = f"on {analysis.size} by" if topics > 1 or analysis.by_item else "by"
    where += " mean" if topics > 1 else ""
    text = _altered(analysis)
    text += f"We scored {ranked} {where} {names[0]}{beside} [{', '.join(papers)}]. "
    if analysis.tests is not None:
        over = " over items" if analysis.by_item else ""
        text += (
            f"Differences between runs were tested with a randomised Tukey HSD test{over} "
            f"({analysis.tests.size}, significance level 5%) [sakai2018laboratory]. "
        )
        if analysis.tests.stops > 1:
            cited.append("gandy2009sequential")
            text += (
                "Trials were added until each decision was that of endless trials with a "
                f"probability of at least {100 * SURE:g}% [gandy2009sequential]"
            )
            open_pairs = {name: len(undecided(analysis, name)) for name in reported}
            left = [f"{counted(n, 'pair')} by {name}" for name, n in open_pairs.items() if n]
            text += f"; {listing(left)} stayed open. " if left else ". "
    text += f"Scores and tests were computed with ordbook {version('ordbook')} [ordbook]."
    entries = "\n".join(known[key].to_string("bibtex") for key in [*cited, "ordbook"]).rstrip()
    return Markdown(f"> {escape_markdown(text)}\n\n```bibtex\n{entries}\n```")


def _full_name(name: str, analysis: Analysis) -> str:
    """Return the title of a measure and its key, or the key alone where no title is known."""
    own = {measure.name: measure for measure in analysis.own}
    known = {**CLASSIFICATION, **QUANTIFICATION, **own}
    title = known[name].title if name in known else name
    return name if title == name else f"{title} ({name})"


def _altered(analysis: Analysis) -> str:
    """Say how many runs were left out or completed, in the words of a paper."""
    notes = analysis.scores.provenance.notes
    left = sum(note.kind == "left out" for note in notes)
    filled = sum(note.kind == "filled" for note in notes)
    text = ""
    if left:
        text += f"{counted(left, 'submitted run')} {'was' if left == 1 else 'were'} left out. "
    if filled:
        text += f"Missing answers of {counted(filled, 'run')} were scored as the worst. "
    return text
