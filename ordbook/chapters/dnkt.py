"""DNKT: the figures of the story, what is printed of eight data sets, and ours for the record."""

from collections import Counter
from collections.abc import Mapping

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from scipy.stats import ttest_1samp

from ordbook.chapters.pictures import ESTIMATE, RIGHT, TIED, WIDTH, WRONG
from ordbook.chapters.record import data_sets
from ordbook.data.loading import load
from ordbook.data.printed import printed_values
from ordbook.data.scores import ScoreMatrix
from ordbook.data.scoring import score
from ordbook.measures import QUANTIFICATION
from ordbook.meta.consistency import ranking_consistency
from ordbook.meta.similarity import ranking_similarity
from ordbook.papers.comparison import Ours
from ordbook.papers.montecarlo import Seen, Spread, over_seeds
from ordbook.papers.symbols import OUTPERFORMED

# In the order of the paper's tables.
NINE = ("NMD", "RNADW", "RNOD", "RNADW2", "RNOD2", "NVD", "RNSS", "JSD", "DNKT")
FAMILIES = ("JSD", "NMD", "RNOD")  # each is combined with DNKT
COMBINED = tuple(f"DNKT_{name}" for name in FAMILIES)
TWELVE = (*NINE, *COMBINED)
RIVALS = ("RNOD2", "RNADW", "RNADW2", "NMD")  # the ordinal measures besides RNOD
SPLITS: Mapping[str, int | None] = {"full split": None, "10 vs. 10": 10}
# Mean scores are rounded to four decimals before runs are ranked, tau to three before its limits.
ROUNDED = {"decimals": 4, "digits": 3}
_KINDS = ("agreement", "average", "combined", "consistency")
TABLES: Mapping[str, Mapping[str, str]] = {
    name: dict(zip(_KINDS, numbers.split(), strict=True))
    for name, numbers in {
        "Sem16T4E": "3 4 21a 25a",
        "Sem17T4E": "5 6 21b 25b",
        "STC-3 DQ-A": "7 8 22a 26a",
        "STC-3 DQ-E": "9 10 22b 26b",
        "STC-3 DQ-S": "11 12 22c 26c",
        "DialEval-1 DQ-A": "13 14 23a 27a",
        "DialEval-1 DQ-E": "15 16 23b 27b",
        "DialEval-1 DQ-S": "17 18 23c 27c",
    }.items()
}
# Limits of intervals, and symbols: nothing to average.
_BESIDES = r"outperforms| low$| high$"
_LOOKS = (("o", ESTIMATE), ("s", WRONG), ("^", RIGHT))


def tables(kind: str) -> list[str]:
    """Return the printed tables of the eight data sets about one thing.

    Examples
    --------
    >>> tables("combined")
    ['21a', '21b', '22a', '22b', '22c', '23a', '23b', '23c']
    """
    return [numbers[kind] for numbers in TABLES.values()]


def printed_numbers(table: str) -> pd.Series:
    """Return the numbers of a table by row and column, without limits and symbols."""
    cells = printed_values("dnkt", table)
    cells = cells[~cells["column"].str.contains(_BESIDES)]
    return cells.set_index(["row", "column"])["printed"].astype(float)


def by_data_set(kind: str, column: str) -> pd.DataFrame:
    """Return one printed column for every data set: a row for each measure.

    Parameters
    ----------
    kind, column
        ``"average"`` and ``"average"``, or ``"consistency"`` and ``"full split"`` or
        ``"10 vs. 10"``.
    """
    columns = {
        name: printed_numbers(numbers[kind]).xs(column, level="column")
        for name, numbers in TABLES.items()
    }
    return pd.DataFrame(columns).rename_axis("measure")


def leads() -> pd.DataFrame:
    """Return RNOD's lead in printed mean tau over each other ordinal measure.

    Returns
    -------
    DataFrame
        Rows: rival and kind of split; columns: the eight data sets.
    """
    gaps = []
    for split in SPLITS:
        tau = by_data_set("consistency", split)
        gap = tau.loc["RNOD"] - tau.loc[list(RIVALS)]
        gaps.append(gap.set_axis(pd.MultiIndex.from_product([RIVALS, [split]])))
    order = pd.MultiIndex.from_product([RIVALS, SPLITS])
    return pd.concat(gaps).loc[order]


def forest(gaps: pd.DataFrame) -> Axes:
    """Draw leads with the 95% interval of their mean, a line for each row.

    Parameters
    ----------
    gaps
        From :func:`leads`. Grey dots are data sets; the interval is Student's, over them.
    """
    _, axes = plt.subplots(figsize=(WIDTH, 3.7), layout="constrained")
    limits = ttest_1samp(gaps, 0, axis=1).confidence_interval()
    axes.axvline(0, color="black", lw=1, zorder=1)
    looks = dict(zip(SPLITS, (("o", ESTIMATE), ("D", WRONG)), strict=True))
    places, names = [], []
    pairs = gaps.index.to_list()
    for k, ((rival, split), row) in enumerate(zip(pairs, gaps.to_numpy(), strict=True)):
        marker, colour = looks[split]
        y = k + 0.6 * (k // 2)  # the two kinds of split stand close together
        below = np.full(len(row), y + 0.3)
        axes.plot(row, below, "o", color=TIED, ms=3.5, alpha=0.6, mew=0, zorder=2)
        axes.plot([limits.low[k], limits.high[k]], [y, y], color=colour, lw=2.2, zorder=3)
        axes.plot(row.mean(), y, marker, color=colour, ms=7, mec="white", zorder=4)
        places.append(y)
        names.append(rival)
    middles = [(one + two) / 2 for one, two in zip(places[::2], places[1::2], strict=True)]
    axes.set_yticks(middles, names[::2])
    axes.set(xlabel="RNOD's lead in mean tau (below 0 the other leads)", ylabel="RNOD against")
    axes.invert_yaxis()
    axes.tick_params(axis="y", length=0)
    handles = [
        Line2D([], [], marker=marker, color=colour, ms=7, mec="white", label=split)
        for split, (marker, colour) in looks.items()
    ]
    handles.append(Line2D([], [], ls="", marker="o", color=TIED, ms=4, alpha=0.6, label="data set"))
    axes.legend(
        handles=handles, frameon=False, loc="lower center", bbox_to_anchor=(0.45, 1), ncols=3
    )
    sns.despine(ax=axes, left=True)
    return axes


def heatmap(frame: pd.DataFrame, label: str) -> Axes:
    """Draw one number per measure and data set; the largest of each data set has a frame.

    Parameters
    ----------
    frame
        Measure x data set.
    label
        What the numbers are.
    """
    rows, columns = frame.shape
    size = (1.5 + 0.52 * columns, 1.7 + 0.34 * rows)
    _, axes = plt.subplots(figsize=size, layout="constrained")
    largest = np.argwhere(frame.to_numpy() == frame.to_numpy().max(axis=0))
    sns.heatmap(
        frame,
        cmap="cividis",
        annot=True,
        fmt=".2f",
        annot_kws={"size": 9},
        linewidths=1,
        cbar_kws={"label": label, "location": "top", "aspect": 40},
        ax=axes,
    )
    for row, x in largest:
        axes.add_patch(Rectangle((x, row), 1, 1, fill=False, ec=WRONG, lw=2.5, clip_on=False))
    axes.set(xlabel="", ylabel="")
    axes.tick_params(length=0)
    axes.tick_params(axis="x", rotation=90)
    axes.tick_params(axis="y", rotation=0)
    return axes


def inheritance() -> Figure:
    """Draw how near each combined measure comes to DNKT, and to its other parent.

    A panel per combination, a point per data set: above the diagonal it ranks runs more like the
    other measure, below more like DNKT. Printed values. The panels are stacked, for phones.
    """
    figure, panels = plt.subplots(
        len(FAMILIES),
        1,
        figsize=(WIDTH, 0.6 + 3 * len(FAMILIES)),
        sharex=True,
        layout="constrained",
        squeeze=False,
    )
    venues = list(dict.fromkeys(map(_venue, TABLES)))
    for axes, measure in zip(panels[:, 0], FAMILIES, strict=True):
        axes.plot([0.4, 1], [0.4, 1], color="0.5", lw=1, ls="--")
        for name, numbers in TABLES.items():
            found, combined = printed_numbers(numbers["combined"]), f"DNKT_{measure}"
            marker, colour = _LOOKS[venues.index(_venue(name))]
            x, y = found["DNKT", combined], found[measure, combined]
            axes.plot(x, y, marker, color=colour, ms=6.5, alpha=0.85, gid=name)
        axes.annotate(combined, (0.42, 0.96), va="top")
        axes.set(
            xlim=(0.4, 1),
            ylim=(0.5, 1),
            xticks=[0.4, 0.6, 0.8, 1],
            ylabel=f"tau with {measure}",
        )
        axes.set_aspect("equal")
        sns.despine(ax=axes)
    panels[-1, 0].set_xlabel("tau with DNKT")
    handles = [
        Line2D([], [], ls="", marker=marker, color=colour, label=name)
        for name, (marker, colour) in zip(venues, _LOOKS, strict=True)
    ]
    figure.legend(handles=handles, loc="outside upper center", ncols=3, frameon=False)
    return figure


def _venue(name: str) -> str:
    return "SemEval" if name.startswith("Sem") else name.split()[0]


def recomputed(seeds: int = 1000) -> dict[str, Ours]:
    """Compute what can be recomputed of the paper's tables.

    Parameters
    ----------
    seeds
        How many seeds say what a randomised table could have printed.

    Returns
    -------
    dict
        Table -> values of ours, as for :func:`ordbook.compare`.
    """
    scores = score(load("sem16t4e"), list(TWELVE))
    agreement = ranking_similarity(scores, NINE, decimals=4, digits=3)
    members = ["DNKT", *FAMILIES, *COMBINED]
    averages = agreement.averages(digits=3).items()
    return {
        "1": _properties(),
        "2": data_sets(),
        "3": agreement.cells(),
        "4": {(str(name), "average"): tau for name, tau in averages},
        "21a": ranking_similarity(scores, members, decimals=4, digits=3).cells(),
        "25a": {**mean_taus(scores, seeds), **_outperformed(scores, seeds)},
    }


def mean_taus(scores: ScoreMatrix, seeds: int = 1000) -> dict[tuple[str, str], Spread]:
    """Return the mean tau of both kinds of split, once for every seed."""

    def means(seed: int) -> dict[tuple[str, str], float]:
        return {
            (str(measure), split): tau
            for split, size in SPLITS.items()
            for measure, tau in ranking_consistency(
                scores, size, 1000, seed, threads=1, measures=TWELVE
            ).mean.items()
        }

    return over_seeds(means, seeds)


def _outperformed(scores: ScoreMatrix, seeds: int) -> dict[tuple[str, str], Seen]:
    """Return the symbols of Table 25(a): tests take longer, so one seed in forty is theirs."""
    seen = {}
    for split, size in SPLITS.items():
        wins = [
            ranking_consistency(scores, size, 1000, seed, threads=1, measures=TWELVE).outperforms()
            for seed in range(max(20, seeds // 40))
        ]
        for measure in TWELVE:
            texts = (
                "".join(sign for sign, name in OUTPERFORMED.items() if found.loc[measure, name])
                for found in wins
            )
            seen[measure, f"{split} outperforms"] = Seen(Counter(t or "blank" for t in texts))
    return seen


def _properties() -> dict[tuple[str, str], str]:
    """Return Table 1 as the tests of this project find it."""
    ticks = {True: "✓", False: "blank", None: "N/A"}
    found = {}
    for name, measure in QUANTIFICATION.items():
        free = None if measure.equidistant is None else not measure.equidistant
        found["(a) magnitude", name] = ticks[measure.magnitude]
        found["(b) ordinal", name] = ticks[measure.ordinal]
        found["(c) symmetric", name] = ticks[measure.symmetric]
        found["(d) no equidistance", name] = ticks[free]
    return found
