"""ACL'21: the figures of the story, and the values of ours for the record."""

import re
from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes

from ordbook.advice.grades import consistent, discriminative, groups
from ordbook.chapters.escape import escape_figure
from ordbook.chapters.pictures import ESTIMATE, TIED, WIDTH, WRONG
from ordbook.data.catalog import catalog
from ordbook.data.loading import load
from ordbook.data.printed import printed_values
from ordbook.data.scoring import score
from ordbook.measures import CLASSIFICATION, QUANTIFICATION
from ordbook.meta.similarity import ranking_similarity
from ordbook.papers.comparison import Ours
from ordbook.papers.montecarlo import (
    consistency_over_seeds,
    mean_tau,
    power_over_seeds,
    printed_means,
    printed_tau,
)
from ordbook.papers.montecarlo import split_sizes as split_sizes

# In the order of the paper's tables, so that neighbours are similar.
LABELS = (
    "alpha_ord",
    "alpha_int",
    "HMPR",
    "F1_M",
    "MAE_M",
    "kappa",
    "CEM_ORD",
    "accuracy",
    "MAE_mu",
)
_SIMILARITY, _CONSISTENCY = ("5i", "5ii", "5iii"), (("6a", "6c", "6e"), ("6b", "6d", "6f"))
DISTRIBUTIONS = ("RNSS", "RSNOD", "RNOD", "NVD", "JSD", "NMD")


def rank_changes(ranks: pd.DataFrame, highlight: str, label: str) -> Axes:
    """Draw the rank of every run by each measure, one line a run.

    Parameters
    ----------
    ranks
        Run x measure; 1 is the best.
    highlight
        The run whose line is drawn boldly.
    label
        What stands beside it.
    """
    _, axes = plt.subplots(figsize=(WIDTH, 3.4), layout="constrained")
    places = range(len(ranks.columns))
    for run, by in ranks.iterrows():
        bold = run == highlight
        colour, width, size = (WRONG, 3, 7) if bold else (TIED, 1, 3.5)
        axes.plot(places, by, "o-", color=colour, lw=width, ms=size, zorder=2 + bold)
    axes.annotate(
        escape_figure(label),
        (len(ranks.columns) - 1, ranks.loc[highlight].iloc[-1]),
        (8, 0),
        textcoords="offset points",
        va="center",
        color=WRONG,
        weight="bold",
    )
    names = [escape_figure(name) for name in ranks.columns]
    axes.set_xticks(list(places), names, rotation=35, ha="right")
    axes.set_yticks(range(1, len(ranks) + 1))
    axes.set_ylabel("rank (1 is the best)")
    axes.invert_yaxis()
    sns.despine(ax=axes)
    return axes


def significant_pairs(power: pd.DataFrame) -> Axes:
    """Draw how many pairs of runs each measure tells apart, the most above.

    Parameters
    ----------
    power
        From :func:`ordbook.discriminative_power`: the line from low to high is the Monte-Carlo
        interval of one test.
    """
    power = power.sort_values("significant", ascending=False, kind="stable")
    _, axes = plt.subplots(figsize=(WIDTH, 0.8 + 0.28 * len(power)), layout="constrained")
    places = np.arange(len(power))
    axes.hlines(places, 0, power["significant"], color=TIED, lw=0.6, alpha=0.6)
    axes.hlines(places, power["low"], power["high"], color="black", lw=3)
    axes.plot(power["significant"], places, "o", color=ESTIMATE, ms=8)
    for place, found in zip(places, power["significant"], strict=True):
        axes.annotate(f"{found}", (found, place), (9, 0), textcoords="offset points", va="center")
    axes.set_yticks(places, [escape_figure(name) for name in power.index])
    pairs = int(power["pairs"].iloc[0])
    axes.set(xlabel=f"significantly different pairs of {pairs}", xlim=(0, pairs * 1.04))
    axes.invert_yaxis()
    axes.tick_params(axis="y", length=0)
    sns.despine(ax=axes, left=True)
    return axes


def moved_errors(scores: pd.DataFrame) -> Axes:
    """Draw scores of an error that moves away from the gold class.

    Parameters
    ----------
    scores
        Class that the error moves to x measure.
    """
    _, axes = plt.subplots(figsize=(WIDTH, 2.8), layout="constrained")
    looks = (("o-", WRONG), ("s--", ESTIMATE))
    for (name, values), (line, colour) in zip(scores.items(), looks, strict=True):
        axes.plot(scores.index, values, line, color=colour, lw=2, ms=8)
        axes.annotate(
            escape_figure(name),
            (scores.index[0], values.iloc[0]),
            (0, 9),
            textcoords="offset points",
            color=colour,
            weight="bold",
        )
    axes.set_xticks(list(scores.index))
    axes.set(xlabel="class that receives the misplaced tenth", ylabel="score (0 is perfect)")
    axes.set_ylim(0, None)
    sns.despine(ax=axes)
    return axes


def recomputed(seeds: int = 1000) -> dict[str, Ours]:
    """Compute what can be recomputed of the paper's tables.

    Parameters
    ----------
    seeds
        How many seeds say what a randomised table could have printed.

    Returns
    -------
    dict
        Table -> values of ours, as for :func:`ordbook.compare`. Tables 4 and 7 are derived by
        rules from ours where there are some, and from other printed tables.
    """
    labels = score(load("sem16t4c"), list(LABELS))
    distributions = score(load("sem16t4e"), list(DISTRIBUTIONS))
    similar = ranking_similarity(labels).tau
    halves, tens = (consistency_over_seeds(labels, size, 1000, seeds) for size in (None, 10))
    power = power_over_seeds(labels, 5000, seeds)
    return {
        "1": _data_sets(),
        "2i": similar,
        "3a": halves,
        "3b": tens,
        "4": _table_4(
            similar,
            [mean_tau(halves), mean_tau(tens)],
            pd.Series({measure: spread.mean for measure, spread in power.items()}),
            len(labels.runs),
        ),
        "7": _table_7(),
        "8i": ranking_similarity(distributions).tau,
        "9i left": consistency_over_seeds(distributions, None, 1000, seeds),
        "9i right": consistency_over_seeds(distributions, 10, 1000, seeds),
    }


def _data_sets() -> dict[tuple[str, str], str | float]:
    """Return what Table 1 says of the data sets of SemEval, from the catalogue."""
    types = {"classification": "OC", "quantification": "OQ"}
    found: dict[tuple[str, str], str | float] = {}
    for row in ("Sem16T4C", "Sem17T4C", "Sem16T4E", "Sem17T4E"):
        task, known = load(row.lower()), catalog()[row.lower()]
        named = re.match(r"(\S+) (Task \d+), subtask (\w)", known.title)
        if named is None:
            raise ValueError(f"{row}: the catalogue's title names no venue, task and subtask")
        found[row, "Evaluation venue"] = named[1]
        found[row, "Task/subtask"] = f"{named[2]} Subtask {named[3]}"
        found[row, "Task type"] = types[known.kind]
        found[row, "#ordinal classes"] = len(task.classes)
        found[row, "Test data sample size"] = len(task.topics)
        if task.runs:
            found[row, "#runs used"] = len(task.runs)
    return found


def _table_4(
    similar: pd.DataFrame, steady: Sequence[pd.Series], counts: pd.Series, runs: int
) -> dict[tuple[str, str], str]:
    """Derive Table 4: SemEval-2016 is ours, SemEval-2017 as printed in Tables 2(ii), 3(c), (d)."""
    names = list(LABELS)
    later = [printed_means(part)[names] for part in ("3c", "3d")]
    both = [(ours[names] + theirs) / 2 for ours, theirs in zip(steady, later, strict=True)]
    anchors = {"accuracy": "B", "alpha_ord": "A"}
    taus = [similar.loc[names, names], printed_tau("2ii", names)]
    graded = {
        "(iv) system ranking similarity": groups(taus, anchors, "A/B", runs),
        "(v) system ranking consistency": consistent(both, runs),
        "(vi) discriminative power": discriminative(counts[names]),
    }
    found = {(m, column): str(grade[m]) for column, grade in graded.items() for m in names}
    for name in names:
        measure = CLASSIFICATION[name]
        found[name, "(i) handles ordinal classes"] = _tick(measure.ordinal)
        found[name, "(ii) handles systems that always return the same class"] = _tick(
            measure.constant_runs
        )
        found[name, "(iii) handles class imbalance"] = _tick(measure.imbalance)
    return found


def _table_7() -> dict[tuple[str, str], str]:
    """Derive Table 7 from Tables 5 and 6, and from the counts that LQ'21 prints of these runs."""
    names = list(DISTRIBUTIONS)
    derived = {
        (name, column): str(grades[name])
        for column, grades in _printed_grades().items()
        for name in names
    }
    for name in names:
        derived[name, "(i) handles ordinal classes"] = _tick(QUANTIFICATION[name].ordinal)
        derived[name, "(ii) symmetric"] = _tick(QUANTIFICATION[name].symmetric)
    return derived


def _printed_grades() -> dict[str, pd.Series]:
    names = list(DISTRIBUTIONS)
    power = printed_values("lq21", "3")
    power = power[power["row"].str.startswith("DialEval-1")]
    found = power["printed"].astype(float).groupby(power["column"]).sum()
    counts = pd.Series({name: found[f"{name} S_D"] for name in names})
    taus = [printed_tau(part, names) for part in _SIMILARITY]
    steady = [[printed_means(part)[names] for part in parts] for parts in _CONSISTENCY]
    return _grades_7(taus, steady, counts)


def grades_of_twins(held_out: pd.DataFrame) -> pd.DataFrame:
    """Apply the rules for Table 7 to print and to twins.

    Parameters
    ----------
    held_out
        What twins predict, from :func:`ordbook.papers.heldout.held_out`, of all subtasks.
    """
    names = list(DISTRIBUTIONS)
    values = held_out.set_index(["table", "row", "column"])["mean"]
    taus = []
    for part in _SIMILARITY:
        tau = pd.DataFrame(np.eye(len(names)), names, names)
        for (a, b), value in values[part].items():
            tau.loc[a, b] = tau.loc[b, a] = value
        taus.append(tau)
    steady = [[values[part].xs("mean tau", level=1) for part in parts] for parts in _CONSISTENCY]
    counts = values["3"].groupby("column").sum().rename(lambda name: name.removesuffix(" S_D"))
    simulated = _grades_7(taus, steady, counts)
    columns = {}
    for column, printed in _printed_grades().items():
        what = column.rsplit(" ", 1)[-1]
        columns[f"{what}, printed"] = printed[names]
        columns[f"{what}, SIMULATED"] = simulated[column][names]
    return pd.DataFrame(columns)


def _grades_7(
    taus: Sequence[pd.DataFrame], steady: Sequence[Sequence[pd.Series]], counts: pd.Series
) -> dict[str, pd.Series]:
    kinds = [pd.concat(parts, axis=1).sum(axis=1) for parts in steady]
    return {
        "(iii) system ranking similarity": groups(taus, {"RNOD": "Y"}, "X", 22),
        # Whoever is not poor is good there.
        "(iv) system ranking consistency": consistent(kinds, 22).replace("fair", "good"),
        "(v) discriminative power": discriminative(counts),
    }


def _tick(holds: bool | None) -> str:
    return "✓" if holds else "blank"
