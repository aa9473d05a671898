"""SIGIR'18: figures of the story, values of ours for the record, official scores of DBDC3.

python -m ordbook.chapters.sigir18      # writes the official scores again, from the raw files
"""

import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator
from numpy.typing import ArrayLike, NDArray

from ordbook.chapters.pictures import ESTIMATE, GOLD, GOLD_STYLE, TIED, WIDTH, WRONG, distributions
from ordbook.chapters.show import pairs_in_rows
from ordbook.chapters.two_runs import KINDS, kinds_legend, panel, systems_only
from ordbook.data.catalog import catalog
from ordbook.data.dbdc import ANNOTATORS, read_labels
from ordbook.data.loading import load
from ordbook.data.printed import printed_values
from ordbook.data.raw import our_runs
from ordbook.data.scores import ScoreMatrix
from ordbook.data.scoring import SAME_SCORE
from ordbook.data.tasks import QuantificationTask
from ordbook.files import share, write_whole
from ordbook.measures import QUANTIFICATION
from ordbook.measures.components import vd
from ordbook.measures.dbdc3 import dbdc_scores
from ordbook.meta.agreement import preference_agreement
from ordbook.meta.artificial import MEASURES, artificial_table
from ordbook.meta.discrimination import discriminative_power
from ordbook.meta.significance import tukey_hsd
from ordbook.papers.comparison import Ours
from ordbook.papers.montecarlo import Spread, over_seeds

Pair = tuple[str, str]
PAIRS: tuple[Pair, ...] = tuple(combinations(MEASURES, 2))
BY_BIN, RSNOD = "two bin-by-bin measures", "RSNOD and a bin-by-bin measure"
BOTH, NMD = "NMD and RSNOD", "NMD and a bin-by-bin measure"
# Group -> how it is drawn; from the most alike to the least, as the paper finds them.
GROUPS: Mapping[str, Mapping[str, Any]] = {
    BY_BIN: {"facecolor": ESTIMATE, "hatch": ""},
    RSNOD: {"facecolor": TIED, "hatch": "||||"},
    BOTH: {"facecolor": GOLD, "hatch": "////"},
    NMD: {"facecolor": WRONG, "hatch": "...."},
}
NAME = "dbdc3"
FILE = f"{NAME}-official"
ALWAYS = "always PB"  # a run that never looks
SHOWN = "CIC0259_12"  # the utterance of the paper's Figure 3
FIELDS = {"format", "task", "computed_from", "gold", "votes"}


def group(pair: Pair) -> str:
    """Return the group of a pair of measures.

    Examples
    --------
    >>> group(("NVD", "RSNOD")), group(("NMD", "RSNOD")), group(("JSD", "NMD"))
    ('RSNOD and a bin-by-bin measure', 'NMD and RSNOD', 'NMD and a bin-by-bin measure')
    """
    if "NMD" in pair:
        return BOTH if "RSNOD" in pair else NMD
    return RSNOD if "RSNOD" in pair else BY_BIN


def trend(taus: Mapping[Pair, ArrayLike]) -> NDArray[np.bool_]:
    """Tell for every draw whether the groups are in the paper's order (Section 4.1).

    Every pair without NMD is more alike than NMD and RSNOD, and these are more alike than NMD and
    any bin-by-bin measure.

    Parameters
    ----------
    taus
        Pair -> tau of every draw.
    """
    by_group: dict[str, list[NDArray[np.float64]]] = {name: [] for name in GROUPS}
    for pair, values in taus.items():
        by_group[group(pair)].append(np.atleast_1d(np.asarray(values, dtype=float)))
    (between,) = by_group[BOTH]
    above = np.min(by_group[BY_BIN] + by_group[RSNOD], axis=0)
    below = np.max(by_group[NMD], axis=0)
    return np.asarray((below < between) & (between < above))


def inside(
    taus: Mapping[Pair, ArrayLike], printed: Mapping[Pair, tuple[float, float, float]]
) -> float:
    """Return how often, on average, the printed intervals of tau hold the tau of a draw."""
    drawn = {pair: np.asarray(taus[pair], dtype=float) for pair in printed}
    held = [
        np.mean((drawn[pair] >= low) & (drawn[pair] <= high))
        for pair, (_, low, high) in printed.items()
    ]
    return float(np.mean(held))


def scores_of(pairs: Mapping[str, tuple[ArrayLike, ArrayLike]]) -> pd.DataFrame:
    """Return name x measure: the five scores of a few pairs of gold and estimate."""
    rows = {
        name: [float(QUANTIFICATION[m].function(*pair)) for m in MEASURES]
        for name, pair in pairs.items()
    }
    return pd.DataFrame.from_dict(rows, orient="index", columns=list(MEASURES))


def agreements(scores: ScoreMatrix) -> pd.DataFrame:
    """Return pair of systems x pair of measures: preference agreement, baselines left out."""
    systems = systems_only(scores)
    found = {
        pair: preference_agreement(systems, *pair)["agreement"]
        for pair in combinations(systems.runs, 2)
    }
    return pd.DataFrame(found).T


def power(scores: ScoreMatrix) -> pd.Series:
    """Count by measure the pairs of systems that differ significantly, baselines left out.

    BL-popularity puts everything on one class, so that its scores vary far more than those of any
    system. In the test it would widen what chance gives for all pairs.
    """
    return discriminative_power(tukey_hsd(systems_only(scores)))["significant"]


def near_and_far(gold: Sequence[float], estimates: Mapping[str, Sequence[float]]) -> pd.DataFrame:
    """Draw two estimates of one gold distribution, and below what the five measures say of them.

    Returns the scores, estimate x measure.

    Parameters
    ----------
    gold
        A distribution.
    estimates
        What an estimate is called -> distribution; two of them.
    """
    names = list(estimates)
    axes: Any
    figure, axes = plt.subplot_mosaic(
        [[*names], ["scores", "scores"]],
        figsize=(WIDTH, 3.7),
        height_ratios=(1, 1.2),
        layout="constrained",
    )
    for name in names:
        distributions(gold, estimates[name], axes[name])
        axes[name].legend_.remove()
        axes[name].set(xlabel=f"stars, estimate {name}", ylabel="", ylim=(0, 0.56))
    axes[names[1]].tick_params(labelleft=False)
    axes[names[0]].set_ylabel("share")
    below, places = axes["scores"], np.arange(len(MEASURES))
    found = scores_of({name: (gold, estimate) for name, estimate in estimates.items()})
    near, far = found.to_numpy()
    below.hlines(places, near, far, color=TIED, lw=2)
    ring: dict[str, Any] = {"ms": 10, "mfc": "white", "mec": "black", "mew": 1.6}
    below.plot(near, places, "o", label=f"score of {names[0]}", **ring)
    below.plot(far, places, "D", ms=5, color=WRONG, label=f"score of {names[1]}")
    below.set_yticks(places, MEASURES)
    below.set(xlim=(0, 0.5), xlabel="score (0 is perfect)")
    below.margins(y=0.12)
    below.invert_yaxis()
    below.tick_params(axis="y", length=0)
    below.legend(frameon=False, loc="upper left")
    sns.despine(ax=below, left=True)
    handles, labels = axes[names[0]].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=2, frameon=False)
    return found


def four_cases(cases: Mapping[str, tuple[Sequence[float], Sequence[float]]]) -> Figure:
    """Draw gold and estimate of a few cases, two panels in a row.

    Parameters
    ----------
    cases
        Name -> gold and estimate, of the same classes.
    """
    rows = -(-len(cases) // 2)
    figure, panels = plt.subplots(
        rows,
        2,
        figsize=(WIDTH, 1.9 * rows + 0.4),
        sharey=True,
        squeeze=False,
        layout="constrained",
    )
    for axes, (name, (gold, estimate)) in zip(panels.flat, cases.items(), strict=False):
        distributions(gold, estimate, axes)
        axes.legend_.remove()
        axes.set_xlabel(name)
        axes.set_ylabel("")
        axes.set_ylim(0, 1.02)
    for axes in panels.flat[len(cases) :]:
        axes.set_axis_off()
    figure.supylabel("probability", size="medium")
    figure.legend(
        *panels[0, 0].get_legend_handles_labels(),
        loc="outside upper center",
        ncols=2,
        frameon=False,
    )
    return figure


def tau_over_seeds(
    found: Mapping[int, Mapping[Any, Spread]],
    printed: Mapping[int, Mapping[Pair, Sequence[float]]] | None = None,
) -> Figure:
    """Draw the distribution of tau over seeds for every pair of measures.

    Parameters
    ----------
    found
        Number of classes -> pair of measures -> tau over seeds, a panel each; drawn group by
        group, the most alike of the first panel above.
    printed
        The same with the printed tau and the limits of its printed interval: a diamond on a line.
    """
    first = next(iter(found.values()))
    order = sorted(PAIRS, key=lambda pair: (list(GROUPS).index(group(pair)), -first[pair].mean))
    figure, panels = plt.subplots(
        1,
        len(found),
        figsize=(WIDTH, 4.9),
        sharex=True,
        sharey=True,
        squeeze=False,
        layout="constrained",
    )
    for axes, (classes, spreads) in zip(panels.flat, found.items(), strict=True):
        _violins(axes, [spreads[pair] for pair in order], order)
        for y, pair in enumerate(order):
            if shown := (printed or {}).get(classes, {}).get(pair):
                tau, low, high = shown
                axes.plot((low, high), (y, y), color="white", lw=4.5, solid_capstyle="round")
                axes.plot((low, high), (y, y), color="black", lw=2, solid_capstyle="butt")
                axes.plot(tau, y, "D", mfc="white", mec="black", mew=1.3, ms=5.5, gid="printed")
        axes.set_xlabel(f"{classes} classes")
    panels[0, 0].set_yticks(np.arange(len(order)), [", ".join(pair) for pair in order])
    panels[0, 0].invert_yaxis()
    panels[0, 0].set_xticks(np.arange(0.5, 1.01, 0.1))
    figure.supxlabel("Kendall's tau of SIMULATED pairs", size="medium")
    handles: list[Any] = [
        Patch(edgecolor="black", linewidth=0.7, label=name, **look) for name, look in GROUPS.items()
    ]
    if printed:
        handles.append(
            Line2D([], [], color="black", lw=2, marker="D", mfc="white", ms=5.5, label="printed")
        )
    figure.legend(handles=handles, loc="outside upper center", ncols=2, frameon=False)
    return figure


def _violins(axes: Axes, spreads: Sequence[Spread], order: Sequence[Pair]) -> None:
    drawn = axes.violinplot(
        [spread.draws for spread in spreads],
        positions=np.arange(len(order)),
        orientation="horizontal",
        widths=0.85,
        showextrema=False,
    )
    bodies: Any = drawn["bodies"]
    for body, pair in zip(bodies, order, strict=True):
        body.set(alpha=1, edgecolor="black", linewidth=0.7, **GROUPS[group(pair)])
    axes.tick_params(axis="y", length=0)
    sns.despine(ax=axes, left=True)


def opposite(deltas: pd.DataFrame, x: str, y: str) -> Figure:
    """Draw the deltas of two measures: all topics, and those on which they prefer opposite runs.

    Parameters
    ----------
    deltas
        From :func:`ordbook.score_deltas`, at least four topics.
    x, y
        Two measures.
    """
    figure, panels = plt.subplots(1, 2, figsize=(WIDTH, 3.2), layout="constrained")
    panel(panels[0], deltas, x, y)
    true = deltas[(deltas[x] * deltas[y] < 0) & (deltas[[x, y]].abs() > 1e-12).all(axis=1)]
    marker, colour, _ = KINDS[1]
    panels[1].plot(true[x], true[y], marker, color=colour, ms=4, alpha=0.6, mew=0.8, gid="zoom")
    for line in (panels[1].axhline, panels[1].axvline):
        line(0, color=TIED, lw=0.8, zorder=1)
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
    kinds_legend(figure)
    return figure


def answers(
    gold: ArrayLike, estimates: Mapping[str, ArrayLike], classes: Sequence[str], name: str
) -> Axes:
    """Draw gold and what two runs answer on one topic.

    Parameters
    ----------
    gold
        A distribution.
    estimates
        Run -> its distribution; two of them.
    classes
        Labels.
    name
        What stands below: the topic.
    """
    _, axes = plt.subplots(figsize=(WIDTH, 2.9), layout="constrained")
    at = np.arange(len(classes))
    axes.bar(at, np.asarray(gold), 0.8, label="gold", **GOLD_STYLE)
    looks: tuple[dict[str, Any], ...] = (
        {"ls": "--", "marker": "o", "color": "black"},
        {"marker": "D", "color": ESTIMATE},
    )
    for (run, answer), look in zip(estimates.items(), looks, strict=True):
        axes.plot(at, np.asarray(answer), lw=1.6, ms=7, mec="white", mew=0.8, label=run, **look)
    axes.set_xticks(at, classes)
    axes.set(xlabel=name, ylabel="probability")
    axes.set_ylim(0, None)
    axes.legend(frameon=False, loc="upper left", bbox_to_anchor=(1, 1))
    sns.despine(ax=axes)
    return axes


def printed_taus() -> dict[int, dict[Pair, tuple[float, float, float]]]:
    """Return what Table 1 prints: classes -> pair -> tau and the limits of its interval."""
    found: dict[int, dict[Pair, tuple[float, float, float]]] = {}
    for classes, table in ((3, "1a"), (7, "1b")):
        values = printed_values("sigir18", table).set_index(["row", "column"])["printed"]
        number = values.astype(float).to_dict()
        found[classes] = {
            (a, b): (number[a, b], number[a, f"{b} low"], number[a, f"{b} high"]) for a, b in PAIRS
        }
    return found


def recomputed(seeds: int = 300) -> dict[str, Ours]:
    """Compute what can be recomputed of the paper's tables.

    Parameters
    ----------
    seeds
        How many draws of artificial distributions say what Table 1 could have printed.

    Returns
    -------
    dict
        Table -> values of ours, as for :func:`ordbook.compare`.
    """
    return {
        "s3.1": _example(),
        "1a": over_seeds(partial(artificial_table, 3), seeds),
        "1b": over_seeds(partial(artificial_table, 7), seeds),
        "s4.2": {("DBDC3 system utterances", "count"): len(load(NAME).topics)},
    }


def limits_in_columns(row: str, column: str) -> tuple[str, str]:
    """Lay out Table 1 and 2(I): a row for each pair of measures, tau and its limits beside it.

    Examples
    --------
    >>> limits_in_columns("NVD", "JSD"), limits_in_columns("NVD", "JSD low")
    (('NVD, JSD', 'tau'), ('NVD, JSD', 'low'))
    """
    pair, what = pairs_in_rows(row, column)
    return pair, what or "tau"


def _example() -> dict[tuple[str, str], float]:
    """Return the example of Section 3.1, its Y as the printed scores have it."""
    gold = [0.2] * 5
    systems = {"X": [0.3, 0.3, 0.2, 0.1, 0.1], "Y": [0.4, 0.2, 0.2, 0.1, 0.1]}
    ours: dict[tuple[str, str], float] = {}
    for name, estimate in systems.items():
        row = f"example System {name}"
        ours |= {(row, f"p({i})"): p for i, p in enumerate(estimate, 1)}
        ours[row, "VD"] = float(vd(gold, estimate))
        for measure in ("RNSS", "JSD"):
            ours[row, measure] = float(QUANTIFICATION[measure].function(gold, estimate))
    return ours


@dataclass(frozen=True, eq=False)
class OfficialScores:
    """DBDC3's measures of the runs of a task.

    Attributes
    ----------
    table
        Run x measure. The last row is ``always PB``, which is no run of the task.
    gold
        The mean of the gold distributions: breakdown, possible breakdown, not a breakdown.
    votes
        Topic -> votes for the three classes, of the utterance that the paper shows.
    computed_from
        File -> sha256: the archive with the gold data, and the runs.
    """

    table: pd.DataFrame
    gold: NDArray[np.float64]
    votes: Mapping[str, Sequence[int]]
    computed_from: Mapping[str, str]


def official_scores(task: QuantificationTask) -> OfficialScores:
    """Return the official scores of DBDC3's runs: committed, and held to the raw files if there.

    Raises
    ------
    ValueError
        If the committed scores are damaged or of other files, or those recomputed are not the
        committed ones.
    """
    committed = _read(share("data", "scores", f"{FILE}.csv"))
    if dict(committed.computed_from) != dict(task.provenance.files):
        raise ValueError(f"data/scores/{FILE}.json: of other files than {NAME}; run 'make scores'")
    if task.missing:
        return committed
    found = _compute(task)
    same = list(found.table.index) == list(committed.table.index)
    same = same and list(found.table.columns) == list(committed.table.columns)
    if (
        not same
        or np.abs(found.table - committed.table).max(axis=None) > SAME_SCORE
        or np.abs(found.gold - committed.gold).max() > SAME_SCORE
        or found.votes != committed.votes
    ):
        raise ValueError(
            f"{NAME}: the official scores recomputed from raw files differ from data/scores/"
            f"{FILE}.csv; if a measure was changed on purpose, run 'make scores'"
        )
    return found


def shown_answers(
    task: QuantificationTask, runs: Sequence[str]
) -> tuple[NDArray[np.float64], dict[str, NDArray[np.float64]]]:
    """Return the votes on the utterance of the paper's Figure 3, and what runs of ours answer.

    Votes and runs are committed, so that no raw file is needed.
    """
    files = {path.stem: path for path in our_runs(catalog()[NAME]).values()}
    at = task.topics.index(SHOWN)
    gold = np.array(official_scores(task).votes[SHOWN]) / ANNOTATORS
    return gold, {run: read_labels(files[run], task.topics)[at] for run in runs}


def commit() -> Path:
    """Compute the official scores from the raw files and write them; return the file."""
    task = load(NAME)
    if not isinstance(task, QuantificationTask):
        raise ValueError(f"{NAME}: not a task of distributions")
    found = _compute(task)
    table = io.StringIO()
    # The fewest digits that give the same numbers back.
    found.table.map(repr).to_csv(table, index_label="run", lineterminator="\n")
    about = {
        "format": 1,
        "task": NAME,
        "computed_from": dict(found.computed_from),
        "gold": found.gold.tolist(),
        "votes": found.votes,
    }
    path = share("data", "scores") / f"{FILE}.csv"
    write_whole(path, table.getvalue())
    write_whole(path.with_suffix(".json"), json.dumps(about, indent=1) + "\n")
    return path


def _compute(task: QuantificationTask) -> OfficialScores:
    rows = {
        run: dbdc_scores(task.gold, estimate)
        for run, estimate in zip(task.runs, task.estimates, strict=True)
    }
    rows[ALWAYS] = dbdc_scores(task.gold, np.eye(3)[[1] * len(task.gold)])
    votes = np.rint(task.gold[task.topics.index(SHOWN)] * ANNOTATORS).astype(int).tolist()
    table = pd.DataFrame.from_dict(rows, orient="index").rename_axis("run")
    return OfficialScores(table, task.gold.mean(axis=0), {SHOWN: votes}, task.provenance.files)


def _read(path: Path) -> OfficialScores:
    about_path = path.with_suffix(".json")
    try:
        about = json.loads(about_path.read_text(encoding="utf-8"))
        table = pd.read_csv(path, index_col="run")
    except (OSError, ValueError) as error:
        raise ValueError(f"{path}: cannot be read ({error}); restore the file") from None
    if not isinstance(about, dict) or about.keys() != FIELDS or about["task"] != NAME:
        raise ValueError(f"{about_path}: does not describe official scores; restore the file")
    if not all(kind.kind == "f" for kind in table.dtypes) or table.isna().any(axis=None):
        raise ValueError(f"{path}: every score must be a number; restore the file")
    return OfficialScores(table, np.array(about["gold"]), about["votes"], about["computed_from"])


if __name__ == "__main__":
    print(f"{commit()}: written")
