"""From submission files to the official tables of a shared task, as in the DialEval-1 overview.

Contents
--------
standings      one list of runs per measure, side by side (Tables 4 to 7)
better_than    which runs are significantly better than which (Tables 14 to 29)
half_means     mean scores on random halves of the topics, as the online evaluation saw one
alphas         mean nugget scores by the weight of the customer's turns, drawn
gold_gaps      the baselines' means on two sets, and how far chance moves them
"""

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.figure import Figure

from ordbook.book.curves import style
from ordbook.book.escape import escape_figure
from ordbook.book.resulttables import one_of_the_worse
from ordbook.book.show import Pieces, Table
from ordbook.data.scores import ScoreMatrix
from ordbook.data.tasks import BASELINES
from ordbook.meta import standings as meta
from ordbook.meta.significance_tests import SignificanceTests


def standings(scores: ScoreMatrix, measures: Sequence[str] | None = None) -> pd.DataFrame:
    """Rank the runs by every measure: columns ``run`` and the mean score, a pair per measure.

    Where two runs tie, they stand in the order of the score matrix.
    """
    lists = []
    for measure in measures or scores.measures:
        ranked = meta.standings(scores, measure)
        lists += [ranked["run"], ranked["mean"].rename(f"mean {measure}")]
    frame = pd.concat(lists, axis=1)
    frame.index = pd.RangeIndex(1, len(frame) + 1, name="rank")
    return frame


def better_than(
    tests: SignificanceTests, measure: str, caption: str, name: str = "", alpha: float = 0.05
) -> Table:
    """Show which runs are significantly better than which, with p and effect size (V_E1).

    Rows go from the best run to the worst; runs that are better than no other have none. Within
    a row the runs go from the closest to the farthest.
    """
    rows: list[tuple[Pieces, ...]] = []
    found = meta.better_than(tests, measure, alpha)
    for better, worse in found.groupby("better", sort=False):
        cells = tuple(
            ("interval", one_of_the_worse(run, p, size, tests.trials))
            for run, p, size in worse[["worse", "p", "effect_size"]].itertuples(index=False)
        )
        rows.append(((("", str(better)),), (("", str(len(cells))),), cells))
    return Table(
        ("run", "number", "significantly better than these runs"), tuple(rows), caption, name
    )


def half_means(
    scores: ScoreMatrix, measure: str, splits: int = 1000, seed: int = 0
) -> pd.DataFrame:
    """Return mean scores on random halves of the topics, split x run."""
    values = scores[measure].to_numpy()
    half = max(1, len(values) // 2)
    rng = np.random.default_rng(seed)
    order = rng.permuted(np.tile(np.arange(len(values)), (splits, 1)), axis=1)
    chosen = np.zeros((splits, len(values)))
    np.put_along_axis(chosen, order[:, :half], 1 / half, axis=1)
    return pd.DataFrame(chosen @ values, columns=list(scores.runs))


def alphas(customer: ScoreMatrix, helpdesk: ScoreMatrix) -> Figure:
    """Draw mean nugget scores by alpha, a panel per measure and a line per run.

    Parameters
    ----------
    customer, helpdesk
        Scores with alpha = 1 and alpha = 0: means are linear in between.
    """
    figure, panels = plt.subplots(
        1, len(customer.measures), figsize=(6.4, 3.6), squeeze=False, layout="constrained"
    )
    for axes, measure in zip(panels[0], customer.measures, strict=True):
        ends = pd.DataFrame({0: helpdesk.means()[measure], 1: customer.means()[measure]})
        for k, (run, (low, high)) in enumerate(ends.iterrows()):
            at = np.linspace(0, 1, 5)
            axes.plot(
                at, low + at * (high - low), lw=1.6, ms=5, label=escape_figure(run), **style(k)
            )
        axes.set(xlabel="alpha", ylabel=f"mean {measure}", xlim=(0, 1))
        axes.set_xticks([0, 0.5, 1], ["0", "0.5", "1"])
        sns.despine(ax=axes)
    figure.legend(
        *panels[0, 0].get_legend_handles_labels(),
        loc="outside lower center",
        ncols=2,
        frameon=False,
        handlelength=3,
    )
    return figure


def gold_gaps(
    ours: Mapping[str, ScoreMatrix], printed: Mapping[str, pd.DataFrame], topics: int
) -> pd.DataFrame:
    """Hold the baselines' means on one set of gold data to those printed for another.

    Parameters
    ----------
    ours
        Part of the task -> scores of the baselines.
    printed
        Part -> printed means, run x measure, of as many ``topics``.

    Returns
    -------
    DataFrame
        By part, measure and run: ``STC-3``, ``DialEval-1``, their ``difference`` (the latter less
        the former), and ``standard errors``: the difference in units of what two random samples of
        topics, each with the deviation of ours, would differ by.
    """
    rows = {}
    for part, scores in ours.items():
        for measure in scores.measures:
            for run in BASELINES:
                values = scores[measure][run].to_numpy()
                error = values.std(ddof=1) * np.sqrt(1 / len(values) + 1 / topics)
                theirs = float(printed[part][measure].to_dict()[run])
                gap = theirs - values.mean()
                rows[part, measure, run] = (values.mean(), theirs, gap, gap / error)
    heads = ["STC-3", "DialEval-1", "difference", "standard errors"]
    frame = pd.DataFrame.from_dict(rows, orient="index", columns=heads)
    frame.index = pd.MultiIndex.from_tuples(frame.index, names=["part", "measure", "run"])
    return frame
