"""Two runs of a task compared by five measures, topic by topic (SIGIR'18, Section 4.2).

Contents
--------
named_runs        the parameter ``runs`` of a chapter -> two names
systems_only      scores without the baselines, where two runs are left
chosen_runs       two runs to compare: those named, or the best two systems
two_deltas        score differences between two runs, positive where the second is better
randomised        a randomisation test of the two runs by every measure
against           p of one run against each of a few others, by every measure
p_text            a p-value from random trials, as text
by_pair           tau over topics and preference agreement of every two measures (Table 2)
opposite          the plane of two measures' deltas, and its true disagreements (Figure 2)
answers           gold and what both runs answer, on a few topics (Figure 3)
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator
from numpy.typing import ArrayLike

from ordbook.book.deltas import KINDS, panel
from ordbook.book.escape import escape_figure
from ordbook.book.pictures import ESTIMATE, GOLD, WIDTH
from ordbook.data.scores import ScoreMatrix
from ordbook.data.tasks import BASELINES
from ordbook.measures.validation import check_pair
from ordbook.meta.deltas import run_position, score_deltas
from ordbook.meta.kendall import TIE_TOLERANCE
from ordbook.meta.randomisation import randomisation_test
from ordbook.meta.variances import settled


def named_runs(runs: str, known: Sequence[str]) -> tuple[str, str] | None:
    """Split ``"A, B"`` into two names; an empty string gives None.

    Raises
    ------
    ValueError
        If there are not two different names, or one is not known.
    """
    names = [name.strip() for name in runs.split(",")]
    if names == [""]:
        return None
    if len(names) != 2 or names[0] == names[1]:
        raise ValueError(f"runs={runs!r}: name two different runs, separated by a comma")
    for name in names:
        if name not in known:
            raise ValueError(f"runs={runs!r}: no run {name!r}; there are {', '.join(known)}")
    return names[0], names[1]


def systems_only(scores: ScoreMatrix) -> ScoreMatrix:
    """Return the scores without BL-uniform and BL-popularity, where two runs are left; else all.

    A name in which that of a baseline occurs, such as ``A_BL-uniform-C``, is a baseline's.
    """
    kept = [i for i, run in enumerate(scores.runs) if not any(name in run for name in BASELINES)]
    if len(kept) < 2 or len(kept) == len(scores.runs):
        return scores
    names = tuple(scores.runs[i] for i in kept)
    return replace(scores, values=scores.values[:, :, kept], runs=names)


def chosen_runs(scores: ScoreMatrix, runs: str = "", measure: str = "NMD") -> tuple[str, str]:
    """Return two runs to compare, the better one last, as the paper's Systems 1 and 2.

    Parameters
    ----------
    scores
        Scores of at least two runs, the measure among them.
    runs
        Two names, separated by a comma; by default the two runs with the best mean, baselines
        left out where two others are there.
    measure
        By which measure a run is better. Runs with the same mean keep the order of the task.
    """
    if len(scores.runs) < 2:
        raise ValueError(f"{scores.task}: comparing runs needs two of them")
    means = scores.means()[measure]
    order = (means if scores.better[measure] == "low" else -means).astype(float)
    order[:] = settled(np.asarray(order, dtype=np.float64), TIE_TOLERANCE)
    compared = named_runs(runs, scores.runs) or systems_only(scores).runs
    ranked = order.loc[list(compared)].sort_values(kind="stable")
    best, second = map(str, ranked.index[:2])
    return second, best


def two_deltas(scores: ScoreMatrix, first: str, second: str) -> pd.DataFrame:
    """Topic x measure: M(first) - M(second), turned for measures that are better high.

    Positive means everywhere that the second run is better.
    """
    return 0.0 - score_deltas(scores, first, second, oriented=True)


def randomised(
    scores: ScoreMatrix, first: str, second: str, trials: int, seed: int = 0
) -> pd.DataFrame:
    """Test the difference between two runs by every measure.

    Returns
    -------
    DataFrame
        By measure: both means, p, low and high (95% limits of p, from the number of trials) and
        better, the run with the better mean ("-" where both are equal).
    """
    rows = []
    places = [run_position(scores, name) for name in (first, second)]
    for measure, values in zip(scores.measures, scores.values, strict=True):
        one, two = values[:, places[0]], values[:, places[1]]
        found = randomisation_test(one, two, trials, seed)
        gain = found.difference if scores.better[measure] == "low" else -found.difference
        better = "-" if abs(gain) <= 1e-12 else second if gain > 0 else first
        rows.append((one.mean(), two.mean(), found.p, found.low, found.high, better))
    columns = [first, second, "p", "low", "high", "better"]
    return pd.DataFrame(rows, columns=columns, index=pd.Index(scores.measures, name="measure"))


def against(
    scores: ScoreMatrix, run: str, others: Sequence[str], trials: int, seed: int = 0
) -> pd.DataFrame:
    """Return other run x measure: the p-value of a run against each of the others, as text."""
    found = {
        other: [p_text(p, trials) for p in randomised(scores, other, run, trials, seed)["p"]]
        for other in others
    }
    return pd.DataFrame.from_dict(found, orient="index", columns=list(scores.measures))


def p_text(p: float, trials: int, digits: int = 4) -> str:
    """Show a p-value: where no trial reached the difference, as less than one in the trials.

    Examples
    --------
    >>> p_text(0.03125, 10_000), p_text(0, 10_000), p_text(0, 5000)
    ('0.0312', '< 0.0001', '< 0.0002')
    """
    if p >= 1 / trials:
        return f"{p:.{digits}f}"
    return f"< {np.format_float_positional(1 / trials, 1, fractional=False, trim='-')}"


def by_pair(taus: Mapping[str, pd.DataFrame], agreed: pd.DataFrame) -> pd.DataFrame:
    """Lay out how alike measures are, a row for each pair of them (Table 2).

    Parameters
    ----------
    taus
        Run -> what :func:`ordbook.topic_agreement` found about it.
    agreed
        From :func:`ordbook.preference_agreement`, of the same measures.

    Returns
    -------
    DataFrame
        By pair of measures, as text: tau with its interval for each run, and the share of topics
        on which the measures agree about two runs; "-" where ties leave nothing to compare.
    """
    shown = {
        f"tau, {run}": [
            "-" if np.isnan(tau) else f"{tau:.3f} [{low:.3f}, {high:.3f}]"
            for tau, low, high in found[["tau", "low", "high"]].to_numpy()
        ]
        for run, found in taus.items()
    }
    shown["agreement"] = ["-" if np.isnan(s) else f"{s:.1%}" for s in agreed["agreement"]]
    names = [f"{one}, {other}" for one, other in agreed.index]
    return pd.DataFrame(shown, index=pd.Index(names, name="measures"))


def opposite(deltas: pd.DataFrame, x: str, y: str) -> Figure:
    """Draw the deltas of two measures: all topics, and those on which they prefer opposite runs.

    Parameters
    ----------
    deltas
        From :func:`two_deltas`, at least four topics.
    x, y
        Two measures.
    """
    figure, panels = plt.subplots(1, 2, figsize=(WIDTH, 3.2), layout="constrained")
    panel(panels[0], deltas, x, y)
    true = deltas[(deltas[x] * deltas[y] < 0) & (deltas[[x, y]].abs() > 1e-12).all(axis=1)]
    marker, colour, _ = KINDS[1]
    panels[1].plot(true[x], true[y], marker, color=colour, ms=4, alpha=0.6, mew=0.8, gid="zoom")
    for line in (panels[1].axhline, panels[1].axvline):
        line(0, color="#6E6E6E", lw=0.8, zorder=1)
    most = 1.1 * float(np.abs(true[[x, y]].to_numpy()).max()) if len(true) else 1.0
    panels[1].set(xlim=(-most, most), ylim=(-most, most))
    panels[1].set_xlabel(f"Δ{x}", parse_math=False)
    panels[1].annotate(
        f"{len(true)} opposite, enlarged",
        (0.5, 1.02),
        xycoords="axes fraction",
        ha="center",
        va="bottom",
    )
    for axis, ticks in ((panels[1].xaxis, 4), (panels[1].yaxis, 6)):
        axis.set_major_locator(MaxNLocator(ticks))
    sns.despine(ax=panels[1])
    handles = [
        Line2D([], [], ls="", marker=marker, color=colour, label=label)
        for marker, colour, label in KINDS
    ]
    figure.legend(
        handles=handles, loc="outside upper center", ncols=3, frameon=False, handletextpad=0.1
    )
    return figure


def answers(
    gold: ArrayLike,
    estimates: Mapping[str, ArrayLike],
    classes: Sequence[str],
    names: Sequence[str],
) -> Figure:
    """Draw gold and what two runs answer, a panel for each of a few topics.

    Parameters
    ----------
    gold
        (topics, classes): the topics to be drawn.
    estimates
        What a run is called -> (topics, classes); two of them.
    classes
        Labels.
    names
        What stands below each panel.
    """
    wanted = np.atleast_2d(np.asarray(gold, dtype=float))
    figure, panels = plt.subplots(
        1, len(wanted), figsize=(WIDTH, 3.1), sharey=True, squeeze=False, layout="constrained"
    )
    at = np.arange(len(classes))
    looks = ({"ls": "--", "marker": "o", "color": "black"}, {"marker": "D", "color": ESTIMATE})
    for k, axes in enumerate(panels.flat):
        axes.bar(
            at, wanted[k], 0.8, label="gold", fc=GOLD, hatch="///", ec="#8A5F00", linewidth=0.8
        )
        for (run, answer), look in zip(estimates.items(), looks, strict=True):
            _, estimate = check_pair(wanted[k], np.atleast_2d(np.asarray(answer, dtype=float))[k])
            # Names come from files: a dollar sign is no formula, an underscore hides nothing.
            axes.plot(at, estimate, lw=1.6, ms=7, mec="white", mew=0.8, label=f" {run}", **look)
        axes.set_ylim(0, 1.02)
        axes.set_xticks(at, list(map(escape_figure, classes)))
        axes.set_xlabel(names[k], parse_math=False)
        sns.despine(ax=axes)
    panels[0, 0].set_ylabel("probability")
    legend = figure.legend(
        *panels[0, 0].get_legend_handles_labels(),
        loc="outside upper center",
        ncols=1 if max(map(len, estimates)) > 16 else 3,
        frameon=False,
    )
    for text in legend.get_texts():
        text.set_parse_math(False)
    return figure
