"""The pages of a shared task's results: what stands in each table, and what it says about itself.

Contents
--------
Notes                what every table says about how it was made
explain              scores and tests -> Notes
ranking_sheet        the runs by one measure
significance_sheet   which runs are significantly better than which
readme               the page that says what each file is
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from ordbook.chapters.escape import escape_cell
from ordbook.data.names import counted
from ordbook.data.scores import ScoreMatrix
from ordbook.meta.rankings import Interval
from ordbook.meta.significance_tests import SURE, SignificanceTests
from ordbook.report.resulttables import Sheet, as_markdown, decimals, one_of_the_worse

FORMULAS = (
    "In the CSV files of tables, text that a spreadsheet would take for a "
    "formula (it begins with =, +, -, @ or a tab, or such a part follows a semicolon) has an "
    "apostrophe before it: these are the tables to open in a spreadsheet. scores.csv keeps every "
    "name as it is, so that ordbook reads it again: do not open it in a spreadsheet if you do not "
    "trust the names."
)

# Below a table stand so many pairs that are open.
MOST_OPEN = 10


@dataclass(frozen=True)
class Notes:
    """What every table says about how it was made.

    Attributes
    ----------
    interval
        Name of the intervals, for heads of columns.
    ranking, significance
        Sentences below the tables.
    open
        By measure, a sentence on the pairs that the trials leave open, below its tables.
    identical
        Sentences on runs that are the same, below all tables.
    altered
        Sentences on runs that were left out or completed, below all tables.
    data
        What captions begin with: ``SIMULATED data: `` or nothing.
    """

    interval: str
    ranking: str
    significance: str
    open: Mapping[str, str]
    identical: tuple[str, ...]
    altered: tuple[str, ...]
    data: str


def explain(
    scores: ScoreMatrix,
    tests: SignificanceTests | None,
    same: pd.DataFrame,
    undecided: pd.DataFrame,
    alpha: float,
    interval: Interval,
    level: float,
    split: str | None,
    unit: str,
) -> Notes:
    """Say how the tables were made; see :func:`ordbook.report.results.results`.

    `unit` is over what intervals and tests are: ``topics``, ``items``, or nothing.
    """
    share = f"{100 * level:g}%"
    ranking = "Runs with equal means share a rank. "
    if not unit:
        ranking += "There are no intervals, because there is a single topic."
    elif unit == "items":
        ranking += (
            f"The intervals are {share} bootstrap intervals over the items, because there is a "
            "single topic."
        )
    elif interval == "t":
        ranking += (
            f"The intervals are {share} t intervals of each mean over {len(scores.topics)} topics."
        )
    else:
        ranking += (
            f"The intervals are {share} HSD intervals (simultaneous, from the studentised range "
            "and V_E2): two of them overlap where the parametric Tukey HSD test finds no "
            "difference."
        )
    if tests is not None and (interval == "t" or unit == "items"):
        ranking += (
            f" They do not tell whether two runs differ, because all runs have the same {unit}: "
            "the tables of significance tell."
        )
    significance = "" if tests is None else _test(scores, tests, alpha, unit)
    if split is not None:
        ranking += f" Ranks are within each {split}."
        if tests is not None:
            significance += f" Only runs of the same {split} are set against each other."
    return Notes(
        f"{share} {interval_name(interval, unit)} interval" if unit else "interval",
        ranking,
        significance,
        {
            str(measure): listed_open(pairs, alpha, tests)
            for measure, pairs in undecided.groupby("measure")
            if tests is not None
        },
        doubles(same, len(scores.runs)),
        tuple(note for note in scores.provenance.notes if note.startswith("run ")),
        "SIMULATED data: " if scores.source == "simulated" else "",
    )


def interval_name(interval: Interval, unit: str) -> str:
    """Return how intervals over topics or items are called in tables."""
    if unit == "items":
        return "bootstrap"
    return "t" if interval == "t" else "HSD"


def _test(scores: ScoreMatrix, tests: SignificanceTests, alpha: float, unit: str) -> str:
    """Say which test was made."""
    over = " over items" if unit == "items" else ""
    test = (
        f"randomised Tukey HSD test{over}, {tests.size}, seed {tests.seed}"
        if tests.method == "randomised"
        else "parametric Tukey HSD test"
    )
    said = f"p below {alpha:g} by the {test}, of all {len(scores.runs)} runs together."
    if unit == "topics":
        said += (
            " ES is the difference of the means in standard deviations, by V_E1 as in DialEval-1."
        )
    if tests.method == "randomised":
        said += (
            " For each measure, endless trials would lead to the same decisions with a probability "
            f"of at least {100 * SURE:g}%, except for the pairs that are marked as open."
        )
    return said


def listed_open(pairs: pd.DataFrame, alpha: float, tests: SignificanceTests) -> str:
    """List the pairs of a measure that are open, those next to alpha first."""
    nearest = pairs.iloc[(pairs["p"] - alpha).abs().argsort(kind="stable")[:MOST_OPEN]]
    listed = [f"{one.first} and {one.second} (p = {one.p:.5f})" for one in nearest.itertuples()]
    if more := len(pairs) - len(listed):
        listed.append(f"{more} more")
    trials = tests.trials[pairs["measure"].iloc[0]]
    return f"Open after {trials:,} trials: {'; '.join(listed)}."


def doubles(same: pd.DataFrame, runs: int) -> tuple[str, ...]:
    """Point out runs that are the same, and how many pairs there would be without doubles.

    Examples
    --------
    >>> same = pd.DataFrame({"set": [1, 1], "run": ["A", "C"], "same": "scores"})
    >>> for line in doubles(same, 4): print(line)
    A, C are identical: the same scores on every topic by every measure.
    Identical runs inflate the number of run pairs: 6, and 3 among the 3 different runs.
    """
    if same.empty:
        return ()
    also = {
        "scores": "the same scores on every topic by every measure",
        "scores and estimates": "the same estimates, and so the same scores on every topic",
        "scores, not estimates": "the same scores on every topic by every measure, from estimates "
        "that differ",
    }
    families = [family for _, family in same.groupby("set")]
    lines = [
        f"{', '.join(family['run'])} are identical: {also[str(family['same'].iloc[0])]}."
        for family in families
    ]
    left = runs - sum(len(family) - 1 for family in families)
    pairs, fewer = runs * (runs - 1) // 2, left * (left - 1) // 2
    lines.append(
        f"Identical runs inflate the number of run pairs: {pairs}, and {fewer} among the {left} "
        "different runs."
    )
    return tuple(lines)


def ranking_sheet(
    scores: ScoreMatrix,
    measure: str,
    table: pd.DataFrame,
    known: pd.DataFrame,
    split: str | None,
    notes: Notes,
    stem: str,
) -> Sheet:
    """Lay out the runs by one measure, as ``results/<measure>`` lists them."""
    digits = decimals(table["mean"])
    rank = "rank" if split is None else "rank_in_group"
    fields = [field for field in known.columns if field != split]
    tested = ["better than"] if "better_than" in table else []
    twins = ["identical to"] if (table["identical_to"] != "").any() else []
    rows = []
    for row in table.to_dict("records"):
        limits = f"[{row['low']:.{digits}f}, {row['high']:.{digits}f}]"
        if row["low"] != row["low"]:
            limits = "none"
        rows.append(
            (
                str(row[rank]),
                str(row["run"]),
                *(str(row[field]) for field in fields),
                f"{row['mean']:.{digits}f}",
                limits,
                *([str(row["better_than"])] if tested else []),
                *([str(row["identical_to"])] if twins else []),
            )
        )
    lower = "lower" if scores.better[measure] == "low" else "higher"
    return Sheet(
        f"{notes.data}{scores.task}: runs by {measure} ({lower} is better), "
        + (f"means over {len(scores.topics)} topics" if len(scores.topics) > 1 else "one topic"),
        ("rank", "run", *fields, f"mean {measure}", notes.interval, *tested, *twins),
        f"rl{'l' * len(fields)}rl{'r' * len(tested)}{'l' * len(twins)}",
        _parts(rows, [str(run) for run in table["run"]], known, split),
        (
            notes.ranking,
            *(
                [
                    "'Better than' counts the listed runs that are significantly worse. "
                    + notes.significance
                ]
                if tested
                else []
            ),
            *([notes.open[measure]] if measure in notes.open else []),
            *notes.identical,
            *notes.altered,
        ),
        f"tab:results-{stem.replace('_', '-')}",
    )


def significance_sheet(
    scores: ScoreMatrix,
    tests: SignificanceTests,
    measure: str,
    pairs: pd.DataFrame,
    known: pd.DataFrame,
    split: str | None,
    notes: Notes,
    stem: str,
) -> Sheet:
    """Lay out which runs are significantly better than which, as DialEval-1 does."""
    fields = [field for field in known.columns if field != split]
    rows, runs = [], []
    for better, worse in pairs.groupby("better", sort=False):
        shown = [
            one_of_the_worse(run, p, size, int(tests.trials[measure]), undecided)
            for run, p, size, undecided in worse[["worse", "p", "effect_size", "open"]].itertuples(
                index=False
            )
        ]
        runs.append(str(better))
        facts = (str(known.loc[str(better), field]) for field in fields)
        rows.append((str(better), *facts, str(len(shown)), "; ".join(shown)))
    if not rows:
        rows, split = [("none", *[""] * len(fields), "0", "")], None
    return Sheet(
        f"{notes.data}{scores.task}: significance in terms of {measure}",
        ("run", *fields, "number", "significantly better than these runs"),
        f"l{'l' * len(fields)}rp",
        _parts(rows, runs, known, split),
        (
            "Rows go from the best run down, and within a row from the closest run to the "
            "farthest. " + notes.significance,
            *([notes.open[measure]] if measure in notes.open else []),
            *notes.identical,
            *notes.altered,
        ),
        f"tab:significance-{stem.replace('_', '-')}",
    )


def readme(summary: Mapping[str, Any], first: Sheet, notes: Notes) -> str:
    """Say what each file is, how it was made and from what."""
    shown = escape_cell
    files = [
        ("scores.csv", "every score: measure, topic, run, score"),
        (
            "scores.json",
            "what scores.csv is: directions, checksums; ordbook.load_scores reads both",
        ),
        ("results/", "a table of the runs per measure, in CSV, Markdown and LaTeX (booktabs)"),
        *(
            [("significance/", "which runs are significantly better than which, per measure")]
            if summary["test"]
            else []
        ),
        ("leaderboard.html", "all runs and measures on a page that sorts and filters"),
        ("summary.json", "this page for programs"),
    ]
    measures = [
        f"- {shown(name)}: files named {about['file']}"
        + (
            f"; {about['significant_pairs']} of {summary['pairs']} run pairs differ significantly"
            if summary["test"]
            else ""
        )
        + (f"; open: {len(about['open_pairs'])}" if about.get("open_pairs") else "")
        for name, about in summary["measures"].items()
    ]
    checksums = {**summary["inputs"], **summary["own_measures"]}
    text = [
        f"# {notes.data}Results of {shown(summary['task'])}",
        "",
        f"{counted(len(summary['runs']), 'run')} on {counted(summary['topics'], 'topic')}, "
        f"written by ordbook {summary['versions']['ordbook']}. The primary measure is "
        f"{shown(summary['primary'])}.",
        "",
        as_markdown(first, "##"),
        "## Files",
        "",
        *(f"- `{name}`: {what}" for name, what in files),
        "",
        shown(FORMULAS),
        "",
        "## Measures",
        "",
        *measures,
        "",
    ]
    further = [note for note in summary["notes"] if note not in (*notes.identical, *notes.altered)]
    if further:
        text += ["## Notes", "", *(f"- {shown(note)}" for note in further), ""]
    versions = ", ".join(f"{name} {number}" for name, number in summary["versions"].items())
    text += [
        "## How these were made",
        "",
        f"- {shown(notes.significance or 'No test: it needs two runs, and two topics or items.')}",
        f"- Versions: {versions}",
        "- SHA-256 of the files that were read:"
        if checksums
        else "- The files read are not known.",
        *(f"  - {shown(name)}: {found or 'not a file'}" for name, found in checksums.items()),
    ]
    return "\n".join(text).rstrip() + "\n"


def _parts(
    rows: Sequence[tuple[str, ...]], runs: Sequence[str], known: pd.DataFrame, split: str | None
) -> tuple[tuple[str, tuple[tuple[str, ...], ...]], ...]:
    """Cut rows where the group of their run changes."""
    if split is None:
        return (("", tuple(rows)),)
    groups = known[split].to_dict()
    parts: dict[str, list[tuple[str, ...]]] = {}
    for row, run in zip(rows, runs, strict=True):
        parts.setdefault(groups[run], []).append(row)
    return tuple(
        (f"{split}: {name}" if name else f"no {split}", tuple(part)) for name, part in parts.items()
    )
