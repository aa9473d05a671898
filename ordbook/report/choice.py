"""The measures in a report: the recommended ones, the criteria, the doubts and the claims."""

from importlib.resources import files

import numpy as np
from IPython.display import Markdown
from matplotlib.axes import Axes

from ordbook.advice import choose
from ordbook.advice.claims import WORDS, judge_claims
from ordbook.advice.criteria import COMPARED, PROPERTIES, splits_of
from ordbook.advice.evidence import TRIALS
from ordbook.advice.sources import MEASURES as ASKED
from ordbook.data.alignment import SILENCE
from ordbook.data.checking import reversed_scales
from ordbook.data.scores import ScoresTask
from ordbook.data.scoring import score
from ordbook.data.tasks import ClassificationTask, share_answered
from ordbook.measures.registry import MEASURES
from ordbook.meta.halves import HALVES, Vote, too_few
from ordbook.report.analysis import Analysis, undecided
from ordbook.show import show
from ordbook.show.escape import escape_markdown
from ordbook.show.show import Pieces, Table
from ordbook.words import counted, listing, some

# A run with more than this share of one class is nearly constant.
NEARLY = 0.9
# A ranking of fewer runs says hardly anything about the measure that made it.
FEWEST_RUNS = 4
# Property in the criteria -> the attribute of a measure that states it.
STATED_BY = {
    "handles order": "ordinal",
    "farther is worse": "farther_is_worse",
    "no equal steps": "equidistant",
    "symmetric": "symmetric",
}


def answer(analysis: Analysis) -> Markdown:
    """Name the primary and the secondary measure, and summarise the data's bearing on them."""
    if analysis.kind not in choose.FAVOURED:
        return Markdown(
            "The papers' criteria are about their measures for ordered classes: there is no choice "
            f"to recommend here. The runs are ranked by {escape_markdown(analysis.primary)}."
        )
    head = f"**Rank by {escape_markdown(analysis.primary)}.**"
    if analysis.measures[1:]:
        head += f" **Report {escape_markdown(analysis.measures[1])} beside it.**"
    if analysis.advice is not None:
        why = analysis.advice.why
    else:
        why = (
            choose.by_definition(analysis.measures, analysis.task),
            choose.by_data(choose.undecided(analysis.scores, analysis.task)),
        )
    return Markdown("\n\n".join([head, *map(escape_markdown, why)]))


def criteria(analysis: Analysis) -> show.Table | None:
    """Return the criteria, measure by measure."""
    if analysis.advice is None:
        return None
    table = analysis.advice.criteria
    columns = table[[*splits_of(table), "consistency", "significant", "power"]].copy()
    columns["significant"] = columns["significant"].astype(int)
    unsure = undecided(analysis)["measure"].value_counts()
    if len(unsure):
        place = list(columns).index("significant") + 1
        columns.insert(place, "open", unsure.reindex(columns.index, fill_value=0))
    for column in ("chosen", "chosen over both"):
        if table[column].any():
            columns[column] = [f"{share:.0%}" if share == share else "" for share in table[column]]
    columns["role"] = table["role"]
    assert analysis.tests is not None
    unit = "items" if analysis.by_item else "topics"
    pairs = counted(len(analysis.scores.runs) * (len(analysis.scores.runs) - 1) // 2, "pair")
    caption = (
        f"The measures on this task: mean tau between the rankings by two samples of {unit} "
        f"({analysis.splits:,} splits), significant differences of {pairs} of runs "
        f"({analysis.tests.size}), and the grades"
    )
    if table["chosen"].any():
        draws = (
            "bootstrap samples of the items" if analysis.by_item else "random halves of the topics"
        )
        caption += f"; chosen: share of {draws} on which the criteria choose the measure"
    if table["chosen over both"].any():
        caption += "; over both: share of halves of topics and runs together"
    compared = COMPARED[analysis.advice.needs.kind]
    beside = [name for name in MEASURES[analysis.advice.needs.kind] if name not in table.index]
    caption += f". Compared are {listing(compared)}, as in the paper"
    if joined := [name for name in table.index if name not in compared]:
        caption += f"; {listing(joined)} {'is' if len(joined) == 1 else 'are'} not among them"
    if beside:
        caption += f"; 'ordbook score' also has {listing(beside)}"
    return show.table(columns, f"{caption}.", stub="measure")


def rules(analysis: Analysis) -> Markdown:
    """Return the rules of the criteria if these choose a measure."""
    if analysis.advice is not None and analysis.advice.criteria["chosen"].any():
        rules = files("ordbook.report").joinpath("rules.md").read_text(encoding="utf-8")
        return Markdown(rules)
    return Markdown(
        "The criteria choose nothing here. Their rules stand in the book "
        "*ordbook*, on the page *A report on one task*."
    )


def properties(analysis: Analysis) -> show.Table | None:
    """Return the properties of the measures by their definitions."""
    if analysis.advice is None:
        return None
    table = analysis.advice.criteria
    columns = {"order": "handles order"} | {name: name for name in PROPERTIES}
    ticks = table[[name for name in columns if name in table]].rename(columns=columns)
    explained = "; ".join(f"{name}, {PROPERTIES[name]}" for name in PROPERTIES if name in table)
    answers = ticks.astype(object)
    for measure in analysis.own:
        unstated = [name for name in answers if getattr(measure, STATED_BY[str(name)]) is None]
        answers.loc[measure.name, unstated] = "not stated"
    return show.table(answers, f"What is true of the definitions: {explained}.", stub="measure")


def doubts(analysis: Analysis) -> Markdown:
    """List the reasons against relying on the choice."""
    lines = [*reversed_scales(analysis.task), *_missing(analysis)]
    if analysis.advice is None:
        lines = [*_unexamined(analysis), *lines]
    else:
        lines = [*lines, *_one_sided(analysis), *_poor(analysis.advice), *analysis.advice.doubts]
    return Markdown("\n".join(f"- {escape_markdown(doubt)}" for doubt in lines) or "Nothing.")


def _missing(analysis: Analysis) -> list[str]:
    """Say which runs lack answers, and what that can do to their scores."""
    lacking = [run for run, share in share_answered(analysis.task).items() if share < 1]
    silence = SILENCE.get(analysis.kind, "")
    return [f"Missing answers of {some(lacking)} count as the worst. {silence}"] if lacking else []


def _unexamined(analysis: Analysis) -> list[str]:
    """Explain why the criteria were not applied, and name further limits of the data."""
    task, scores = analysis.task, analysis.scores
    lines = []
    if len(scores.runs) < 2:
        lines.append("There is a single run: nothing can be ranked.")
    elif choose.all_tie(scores):
        lines.append(f"All {len(scores.runs)} runs score alike: there is nothing to rank.")
    elif analysis.tests is None:
        lines.append("There is no test of which runs differ: it needs two topics.")
    elif analysis.kind not in choose.FAVOURED:
        lines.append("The papers' criteria are not about these measures and were not applied.")
    topics = len(scores.topics)
    if topics == 1 and isinstance(task, ClassificationTask):
        if len(task.gold) < choose.FEWEST_ITEMS:
            lines.append(f"There are only {counted(len(task.gold), 'item')}.")
    elif topics < choose.FEWEST_TOPICS:
        lines.append(f"There {'is' if topics == 1 else 'are'} only {counted(topics, 'topic')}.")
    return lines


def _one_sided(analysis: Analysis) -> list[str]:
    """Warn that the leading run hardly ever answers more than one class."""
    task, run = analysis.task, analysis.order[0]
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


def _poor(advice: choose.Advice) -> list[str]:
    """Warn that the data, unlike the definitions, speak against the recommended measure."""
    if advice.primary not in advice.criteria.index:
        return []
    grades = advice.criteria.loc[advice.primary, [*choose.GRADED]]
    poor = listing([str(name) for name, grade in grades.items() if grade == "poor"])
    if not poor:
        return []
    return [
        f"{advice.primary} is poor in {poor} on this task: its definition recommends it, and not "
        "these data."
    ]


def alike(analysis: Analysis) -> Axes | Markdown:
    """Draw how similarly the measures rank the runs."""
    if analysis.similarity is None:
        why = "A single run cannot be ranked."
        if len(analysis.scores.runs) > 1:
            why = "All runs have the same mean score, by every measure: no ranking can be compared."
        return Markdown(why)
    return show.heatmap(analysis.similarity.tau, "Kendall's tau")


def judged(analysis: Analysis) -> Table | Markdown:
    """Return the verdict of the data on each claim, or the reason why they cannot be asked."""
    if reason := unasked(analysis):
        return Markdown(escape_markdown(f"These data cannot be asked, because {reason}."))
    rows: list[tuple[Pieces, ...]] = []
    verdicts = judge_claims(analysis.task, score(analysis.task, ASKED[analysis.kind]))
    for _, row in verdicts.iterrows():
        place = f"{row['paper']}, {row['section']}" if row["section"] else "this book"
        claim = (("", row["says"]), ("interval", f"{place}: {row['rule']}"))
        cells = (row["seen"], _verdict(row["topics"]), _verdict(row["both"]))
        rows.append((claim, *((("", text),) for text in cells)))
    caption = (
        "Claims about measures, each with its rule. It holds if the rule is true of all data and "
        f"of 95% of {HALVES} random halves, does not hold if the rule is false in the same way, "
        f"and otherwise cannot be told. Tests have {TRIALS:,} trials here, so a count may differ a "
        "little from that of the criteria."
    )
    heads = ("claim, and its rule", "seen", "over topics", "over topics and runs")
    return Table(heads, tuple(rows), caption, "report-claims-table")


def unasked(analysis: Analysis) -> str:
    """Say why the data cannot be asked about the claims; nothing if they can.

    Examples
    --------
    >>> from ordbook.report.analysis import analyse
    >>> unasked(analyse("stc3-nd", "", "", 100, 10))
    'the claims are about measures for ordered classes'
    """
    if analysis.kind not in ASKED:
        return "the claims are about measures for ordered classes"
    lacking = [name for name in ASKED[analysis.kind] if name not in analysis.scores.measures]
    if isinstance(analysis.task, ScoresTask) and lacking:
        return f"there are no scores by {some(lacking)}"
    if len(analysis.scores.runs) < FEWEST_RUNS or analysis.similarity is None:
        return f"there are fewer than {FEWEST_RUNS} runs, or all score alike"
    few = too_few(analysis.scores, "topics")
    return few and f"there are {few}"


def _verdict(vote: Vote) -> str:
    return f"{WORDS[vote.value]} ({vote.why})" if vote.why else WORDS[vote.value]
