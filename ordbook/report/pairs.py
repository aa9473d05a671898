"""Pairs of runs in the report, and the two tests or two measures that disagree about them."""

from typing import NamedTuple

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from IPython.display import Markdown
from matplotlib.figure import Figure

from ordbook.meta.agreement import score_deltas
from ordbook.meta.kendall import TIE_TOLERANCE
from ordbook.meta.parametric import paired_t
from ordbook.report.analysis import Analysis
from ordbook.report.results import p_value
from ordbook.show import show
from ordbook.show.colours import WIDTH
from ordbook.show.escape import escape_markdown
from ordbook.show.two_runs import chosen_runs, kinds_legend, panel
from ordbook.words import counted

MOST_PAIRS = 10  # in a table


def two_tests(analysis: Analysis) -> show.Table | Markdown | None:
    """Return the pairs of runs about which Tukey's test and paired t-tests disagree."""
    if analysis.tests is None or analysis.by_item:
        return None
    measure, runs = analysis.primary, analysis.order
    paired = paired_t(analysis.scores, [measure])
    first, second = np.triu_indices(len(runs), 1)
    tukey_p, paired_p = (
        tests.matrix(measure).loc[runs, runs].to_numpy()[first, second]
        for tests in (analysis.tests, paired)
    )
    by_tukey, by_pairs = tukey_p < 0.05, paired_p < 0.05
    text = (
        "Tukey's test assumes that the scores of all runs vary alike. Paired t-tests with Holm's "
        f"adjustment do not. By {measure}, of {counted(len(first), 'pair')} of runs, Tukey's test "
        f"finds {by_tukey.sum()} different and the t-tests {by_pairs.sum()}"
    )
    apart = np.flatnonzero(by_tukey != by_pairs)
    if not len(apart):
        return Markdown(f"{escape_markdown(text)}, the same pairs.")
    listed = apart[np.argsort(np.minimum(tukey_p, paired_p)[apart], kind="stable")[:MOST_PAIRS]]
    trials = int(analysis.tests.trials[measure])
    frame = pd.DataFrame(
        {
            "worse run": [runs[k] for k in second[listed]],
            "p, Tukey HSD": [p_value(p, trials) for p in tukey_p[listed]],
            "p, paired t": [p_value(p, 0) for p in paired_p[listed]],
        },
        index=[runs[k] for k in first[listed]],
    )
    pairs = f"the {len(listed)} most certain of {len(apart)} pairs"
    if len(listed) == len(apart):
        pairs = f"the {counted(len(apart), 'pair')}"
    return show.table(
        frame, f"{text}. These are {pairs} found by one test alone.", stub="better run"
    )


def two_runs(analysis: Analysis, runs: str) -> Figure | Markdown:
    """Draw two runs topic by topic, by the primary measure and the one beside it."""
    if (pair := _pair(analysis, runs)) is None:
        return Markdown(
            "Two runs are compared on four topics or more, by two measures, if some runs differ."
        )
    figure, axes = plt.subplots(figsize=(WIDTH, WIDTH), layout="constrained")
    panel(axes, pair.deltas, analysis.primary, pair.measure)
    kinds_legend(figure)
    plt.close(figure)
    return figure


def disputed(analysis: Analysis, runs: str) -> show.Table | Markdown | None:
    """Return the topics on which the two measures of :func:`two_runs` prefer opposite runs."""
    if (pair := _pair(analysis, runs)) is None:
        return None
    deltas = pair.deltas[[analysis.primary, pair.measure]]
    opposite = deltas[deltas.prod(axis=1) < -(TIE_TOLERANCE**2)]
    if opposite.empty:
        names = f"{escape_markdown(analysis.primary)} and {escape_markdown(pair.measure)}"
        return Markdown(f"On no topic do {names} prefer opposite runs.")
    size = (opposite / deltas.std()).abs().min(axis=1)
    most = opposite.loc[size.sort_values(ascending=False, kind="stable").index[:8]]
    caption = (
        f"Topics on which {analysis.primary} and {pair.measure} prefer opposite runs, {len(most)} "
        f"of {len(opposite)}: differences of the scores, reversed where high scores are better. "
        f"A negative one prefers {pair.better}, a positive one {pair.worse}."
    )
    return show.table(most, caption, digits=4, stub="topic")


def compared(analysis: Analysis, runs: str) -> Markdown | None:
    """Say which measures and runs :func:`two_runs` compares."""
    if (pair := _pair(analysis, runs)) is None:
        return None
    names = (analysis.primary, pair.measure, pair.better, pair.worse)
    first, second, better, worse = map(escape_markdown, names)
    best = "" if runs else ", the best two"
    return Markdown(
        f"The figure compares {first} with {second}. The runs are {better} and {worse}{best}."
    )


class _Pair(NamedTuple):
    """Two runs, and their differences on every topic; low ones are better."""

    worse: str
    better: str
    measure: str  # to be compared with the primary one
    deltas: pd.DataFrame


def _pair(analysis: Analysis, runs: str) -> _Pair | None:
    """Return the two runs that are named, or the best two; None if they cannot be compared."""
    measures, topics, number = analysis.scores.values.shape
    if measures < 2 or topics < 4 or number < 2 or analysis.similarity is None:
        return None
    better, worse = analysis.order[:2]
    if runs:
        worse, better = chosen_runs(analysis.scores, runs, analysis.primary)
    names = (*analysis.measures[1:], *analysis.scores.measures)
    measure = next(name for name in names if name != analysis.primary)
    deltas = -score_deltas(analysis.scores, better, worse, oriented=True)
    return _Pair(worse, better, measure, deltas)
