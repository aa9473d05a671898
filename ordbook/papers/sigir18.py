"""The checks of SIGIR'18: artificial distributions (Table 1), DBDC3 (Table 2), Section 3's example.

Whole numbers and repetitions are compared exactly: .859 does not repeat .860, although both
could stand for .8595. Number words count as numbers.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from ordbook.data.loading import load
from ordbook.data.printed import printed_values
from ordbook.data.scores import TIE_TOLERANCE, ScoreMatrix
from ordbook.data.tasks import QuantificationTask
from ordbook.files import share, write_whole
from ordbook.measures import QUANTIFICATION, jsd, nvd, rnod_supremum, rnss, rsnod, vd
from ordbook.meta.agreement import preference_agreement
from ordbook.meta.discrimination import discriminative_power
from ordbook.meta.seeds import Spread, over_seeds
from ordbook.meta.significance import tukey_hsd
from ordbook.papers.artificial import MEASURES, artificial_table
from ordbook.papers.comparison import Ours
from ordbook.papers.draws import Draws, committed
from ordbook.papers.formulas import compositions, named
from ordbook.papers.relations import (
    NOISE,
    Printed,
    Relation,
    beside,
    condition,
    rounded,
    value_of,
)
from ordbook.papers.tables import SIGIR18

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Measure = Callable[[ArrayLike, ArrayLike], float | NDArray[np.float64]]
EXAMPLE_MEASURES: dict[str, Measure] = {"VD": vd, "RNSS": rnss, "JSD": jsd}
at = SIGIR18.at


def relations(printed: Printed) -> list[Relation]:
    """Return the checks of SIGIR'18."""
    return [
        *_ranges_of_measures(),
        *_tenths(printed),
    ]


# -- data and measures -------------------------------------------------------------------------


def _ranges_of_measures() -> Iterator[Relation]:
    """Equal distributions score 0; the worst ones 1: Figure 1(b), Eqs. 2 and 12.

    RSNOD exceeds 1 from five classes on (``ordbook.papers.claims``); here it has Figure 1's three.
    """
    first, last = [1, 0, 0], [0, 0, 1]
    for section, name, low, high in (
        ("s3.1", "NVD", nvd(first, first), nvd(first, last)),
        ("s3.2", "RSNOD", rsnod(first, first), rnod_supremum(len(first))),
    ):
        for end, value in (("low", low), ("high", high)):
            cell = at(section, f"{name} range", end)
            yield beside(cell, float(value), f"{name} with three classes", family="example")


def _tenths(printed: Printed) -> Iterator[Relation]:
    """Hold the scores of Systems X and Y in Section 3.1 to the gold: some tenths have all three."""
    gold = [cell for cell in SIGIR18.cells(printed, "s3.1", "example gold") if "p" in cell.column]
    for system in "XY":
        yield condition(
            "example",
            (*(at("s3.1", f"example System {system}", name) for name in EXAMPLE_MEASURES), *gold),
            _some_tenths,
            "Section 3.1: all probabilities of the example are in tenths",
            f"{', '.join(EXAMPLE_MEASURES)} of System {system}, and the gold",
        )


def _some_tenths(*texts: str) -> bool:
    """Whether a distribution in tenths has all scores; texts: the scores, then the gold."""
    scores = [rounded(text) for text in texts[: len(EXAMPLE_MEASURES)]]
    gold = [float(value_of(text)) for text in texts[len(EXAMPLE_MEASURES) :]]
    tenths = compositions(10, len(gold)) / 10
    fits = np.ones(len(tenths), dtype=bool)
    for score, function in zip(scores, EXAMPLE_MEASURES.values(), strict=True):
        values = np.asarray(function(gold, tenths))
        fits &= (values >= score.low - NOISE) & (values <= score.high + NOISE)
    return bool(fits.any())


# -- the values of ours, and figures ----------------------------------------------------------

Pair = tuple[str, str]
PAIRS: tuple[Pair, ...] = tuple(combinations(MEASURES, 2))
BY_BIN, RSNOD = "two bin-by-bin measures", "RSNOD and a bin-by-bin measure"
BOTH, NMD = "NMD and RSNOD", "NMD and a bin-by-bin measure"
# From the most alike to the least, as the paper finds them.
GROUPS = (BY_BIN, RSNOD, BOTH, NMD)
NAME = "dbdc3"
ANNOTATORS = 30
FACTS = share("data", "scores", f"{NAME}-facts.json")
SHOWN = "CIC0259_12"  # the utterance of the paper's Figure 3


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


def scores_of(pairs: Mapping[str, tuple[ArrayLike, ArrayLike]]) -> pd.DataFrame:
    """Return name x measure: the five scores of a few pairs of gold and estimate."""
    rows = {
        name: [float(QUANTIFICATION[m](*pair)) for m in MEASURES] for name, pair in pairs.items()
    }
    return pd.DataFrame.from_dict(rows, orient="index", columns=list(MEASURES))


def agreements(scores: ScoreMatrix) -> pd.DataFrame:
    """Return pair of systems x pair of measures: preference agreement, baselines left out."""
    from ordbook.show.two_runs import systems_only  # loads matplotlib

    systems = systems_only(scores)
    shares = {
        pair: preference_agreement(systems, *pair)["agreement"]
        for pair in combinations(systems.runs, 2)
    }
    return pd.DataFrame(shares).T


def power(scores: ScoreMatrix) -> pd.Series:
    """Count by measure the pairs of systems that differ significantly, baselines left out.

    BL-popularity puts everything on one class, so that its scores vary far more than those of any
    system. In the test it would widen what chance gives for all pairs.
    """
    from ordbook.show.two_runs import systems_only  # loads matplotlib

    return discriminative_power(tukey_hsd(systems_only(scores)))["significant"]


def tau_over_seeds(
    ours: Mapping[int, Mapping[Pair, Spread]],
    printed: Mapping[int, Mapping[Pair, Sequence[float]]],
) -> "Figure":
    """Draw tau over seeds for every pair of measures beside printed values, with intervals.

    Parameters
    ----------
    ours
        Number of classes -> pair of measures -> tau over seeds, a panel each; drawn group by
        group, the most alike of the first panel above. The intervals hold 99.9% of the draws.
    printed
        The same with the printed tau and the limits of its printed interval.
    """
    import matplotlib.pyplot as plt

    from ordbook.show.charts import dots, legend_above
    from ordbook.show.colours import TIED, WIDTH

    first = next(iter(ours.values()))
    order = sorted(PAIRS, key=lambda pair: (GROUPS.index(group(pair)), -first[pair].mean))
    names = [", ".join(pair) for pair in order]
    figure, panels = plt.subplots(
        1, len(ours), figsize=(WIDTH, 4.4), sharex=True, sharey=True, layout="constrained"
    )
    for axes, (classes, spreads) in zip(np.atleast_1d(panels), ours.items(), strict=True):
        means = [(spreads[pair].mean, *spreads[pair].interval()) for pair in order]
        printed_values = [printed[classes][pair] for pair in order]
        mean, low, high = (
            pd.DataFrame({"mean of our draws": our_values, "printed": next_pair}, names)
            for our_values, next_pair in zip(
                zip(*means, strict=True), zip(*printed_values, strict=True), strict=True
            )
        )
        dots(mean, f"{classes} classes", low, high, axes=axes)
        for pair_above, next_pair, y in zip(order, order[1:], range(len(order)), strict=False):
            if group(pair_above) != group(next_pair):
                axes.axhline(y + 0.5, color=TIED, lw=0.8, ls=":")
    figure.supxlabel("Kendall's tau of SIMULATED pairs", size="medium")
    legend_above(axes)
    return figure


def opposite(deltas: pd.DataFrame, x: str, y: str) -> "Figure":
    """Draw the deltas of two measures, and beside it an enlargement of their disagreements.

    Parameters
    ----------
    deltas
        From :func:`ordbook.score_deltas`, at least four topics.
    x, y
        Two measures.
    """
    from matplotlib.ticker import MaxNLocator

    from ordbook.show.two_runs import planes

    figure = planes(deltas, [(x, y), (x, y)], ("System 1", "System 2"))
    clash = deltas.loc[deltas[x] * deltas[y] < -(TIE_TOLERANCE**2), [x, y]].abs()
    if len(clash):
        most = 1.1 * float(clash.to_numpy().max())
        figure.axes[1].set(xlim=(-most, most), ylim=(-most, most))
    figure.axes[1].set_ylabel("")
    figure.axes[1].xaxis.set_major_locator(MaxNLocator(3))
    return figure


def printed_taus() -> dict[int, dict[Pair, tuple[float, float, float]]]:
    """Return the content of Table 1: classes -> pair -> tau and the limits of its interval."""
    taus: dict[int, dict[Pair, tuple[float, float, float]]] = {}
    for classes, table in ((3, "1a"), (7, "1b")):
        values = printed_values("sigir18", table).set_index(["row", "column"])["printed"]
        number = values.astype(float).to_dict()
        taus[classes] = {
            (a, b): (number[a, b], number[a, f"{b} low"], number[a, f"{b} high"]) for a, b in PAIRS
        }
    return taus


@committed("sigir18")
def by_chance(seeds: int) -> Draws:
    """Repeat both halves of Table 1, and the same with five classes."""
    classes = {"1a": 3, "1b": 7, "five classes": 5}
    return {name: over_seeds(partial(artificial_table, c), seeds) for name, c in classes.items()}


def recomputed(seeds: int = 300) -> dict[str, Ours]:
    """Recompute the paper's tables as far as possible, with many seeds for random ones.

    Returns table -> values of ours, as for :func:`ordbook.compare`.
    """
    return {
        "s3.1": _example(),
        **{table: values for table, values in by_chance(seeds).items() if table != "five classes"},
        "s4.2": {("DBDC3 system utterances", "count"): len(load(NAME).topics)},
    }


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
            ours[row, measure] = float(QUANTIFICATION[measure](gold, estimate))
    return ours


def shown() -> dict[str, Any]:
    """Return what pages show of DBDC3's gold data, which may not be passed on, from data/scores.

    Returns
    -------
    dict
        ``gold``: the mean distribution (breakdown, possible breakdown, not a breakdown); and of the
        utterance of the paper's Figure 3 the ``votes``, and the ``answers`` of our runs.

    Raises
    ------
    ValueError
        If these were taken from other files than the task's.
    """
    about: dict[str, Any] = json.loads(FACTS.read_text(encoding="utf-8"))
    if about["computed_from"] != dict(load(NAME).provenance.files):
        raise ValueError(f"{FACTS}: of other files than {NAME}; run 'make scores'")
    return about


def taken_from_files() -> dict[str, Any]:
    """Take :func:`shown` from the raw files."""
    task = cast(QuantificationTask, load(NAME))
    place = task.topics.index(SHOWN)
    return {
        "computed_from": dict(task.provenance.files),
        "gold": task.gold.mean(axis=0).tolist(),
        "votes": np.rint(task.gold[place] * ANNOTATORS).astype(int).tolist(),
        "answers": dict(zip(task.runs, task.estimates[:, place].tolist(), strict=True)),
    }


def shown_answers(
    runs: Sequence[str],
) -> tuple[NDArray[np.float64], dict[str, NDArray[np.float64]]]:
    """Return the votes on the utterance of the paper's Figure 3, and the answers of our runs."""
    facts = shown()
    gold = np.array(facts["votes"]) / ANNOTATORS
    return gold, {run: np.array(facts["answers"][run]) for run in runs}


# -- named functions of formulas.csv -------------------------------------------------------------


@named
def between(measure: Callable[..., Any], texts: Sequence[str], digits: int) -> float:
    """Return a measure between five printed shares and the next five, rounded."""
    shares = [float(text) for text in texts]
    return round(float(measure(shares[:5], shares[5:])), digits)


if __name__ == "__main__" and not load(NAME).missing:
    write_whole(FACTS, json.dumps(taken_from_files(), indent=1) + "\n")
