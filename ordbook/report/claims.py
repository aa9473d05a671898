"""The papers' claims about measures in a report: which of them hold on the task."""

import pandas as pd
from IPython.display import Markdown

from ordbook.advice.claims import WORDS, judge_claims
from ordbook.advice.sources import MEASURES
from ordbook.data.scores import ScoresTask
from ordbook.data.scoring import score
from ordbook.meta.halves import HALVES, Vote, too_few
from ordbook.report.analysis import Analysis
from ordbook.show.escape import escape_markdown
from ordbook.show.show import Pieces, Table
from ordbook.words import some

# A ranking of fewer runs says hardly anything about the measure that made it.
FEWEST_RUNS = 4


def judged(analysis: Analysis) -> Table | Markdown:
    """Return the verdict of the data on each claim, or the reason why they cannot be asked."""
    if reason := unasked(analysis):
        return Markdown(escape_markdown(f"These data cannot be asked, because {reason}."))
    return judged_table(judge_claims(analysis.task, score(analysis.task, MEASURES[analysis.kind])))


def unasked(analysis: Analysis) -> str:
    """Say why the data cannot be asked about the claims; nothing if they can.

    Examples
    --------
    >>> from ordbook.report.analysis import analyse
    >>> unasked(analyse("stc3-nd", "", "", 100, 10))
    'the claims are about measures for ordered classes'
    """
    if analysis.kind not in MEASURES:
        return "the claims are about measures for ordered classes"
    lacking = [name for name in MEASURES[analysis.kind] if name not in analysis.scores.measures]
    if isinstance(analysis.task, ScoresTask) and lacking:
        return f"there are no scores by {some(lacking)}"
    if len(analysis.scores.runs) < FEWEST_RUNS or analysis.similarity is None:
        return f"there are fewer than {FEWEST_RUNS} runs, or all score alike"
    few = too_few(analysis.scores, "topics")
    return few and f"there are {few}"


def judged_table(verdicts: pd.DataFrame, name: str = "report-claims-table") -> Table:
    """Show the result of :func:`ordbook.advice.claims.judge_claims`, claim and rule in one cell.

    Parameters
    ----------
    verdicts
        Claims in rows.
    name
        As for :func:`ordbook.show.show.table`.
    """
    rows: list[tuple[Pieces, ...]] = []
    for _, row in verdicts.iterrows():
        place = f"{row['paper']}, {row['section']}" if row["section"] else "this book"
        claim = (("", row["says"]), ("interval", f"{place}: {row['rule']}"))
        cells = (row["seen"], _verdict(row["topics"]), _verdict(row["both"]))
        rows.append((claim, *((("", text),) for text in cells)))
    caption = (
        "Claims about measures, each with its rule. It holds if the rule is true of all data and "
        f"of 95% of {HALVES} random halves, does not hold if the rule is false in the same way, "
        "and otherwise cannot be told."
    )
    heads = ("claim, and its rule", "seen", "over topics", "over topics and runs")
    return Table(heads, tuple(rows), caption, name)


def _verdict(vote: Vote) -> str:
    return f"{WORDS[vote.value]} ({vote.why})" if vote.why else WORDS[vote.value]
