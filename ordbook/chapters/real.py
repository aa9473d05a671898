"""The chapter on the power of data: a simulation with known truth, and verdicts on our data."""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from numpy.typing import NDArray
from scipy import stats
from scipy.optimize import brentq

from ordbook.advice.sources import MEASURES, scores_of, short_name, sources
from ordbook.data.catalog import catalog
from ordbook.data.loading import load
from ordbook.data.printed import SIX
from ordbook.data.scores import ScoreMatrix
from ordbook.data.tasks import Provenance
from ordbook.meta.consistency import ranking_consistency, split_taus
from ordbook.meta.discrimination import discriminative_power
from ordbook.meta.halves import HALVES, Over, cast_vote, random_halves, too_few
from ordbook.meta.parallel import in_chunks
from ordbook.meta.parametric import paired_t
from ordbook.meta.significance import tukey_hsd
from ordbook.papers.draws import committed_table
from ordbook.show.colours import ESTIMATE, RIGHT, WIDTH, WRONG
from ordbook.show.run import list_sets

Floats = NDArray[np.float64]
# The model, from what NMD and RNOD do on our six sources of distributions: correlations of the
# runs' means, of the residuals and of their log standard deviations between two measures, and the
# spread of the latter between runs.
MEANS, RESIDUALS, DEVIATIONS, UNEVEN = 0.9, 0.85, 0.9, 0.4
TOPICS, TEN, BASE = 100, 10, 0.7
LEADS = (0.0, 0.02, 0.05, 0.1, 0.15)
RUNS = (12, 33, 84)
REPEATS = 100
SPLITS, FEWER_SPLITS = 1000, 200
ALPHA = 0.05
TESTS = ("splits", "corrected", "topics", "runs", "both")


def start(seed: int = 0) -> None:
    """Check the seed, and say which data sets the chapter compares measures on."""
    lines = [
        f"- **{name}** ({short_name(name)}): {len(scores.topics)} topics, {len(scores.runs)} runs"
        for _, name in first_sets()
        for scores in [scores_of(name)]
    ]
    list_sets(lines, seed)


@cache
def noise_for(tau: float, size: int) -> float:
    r"""Return the residuals' median standard deviation at which a measure's consistency is ``tau``.

    For two runs with true difference d and residual deviations s and s', the sign of d and of its
    error decide whether two samples of ``size`` topics agree: the expected tau is the mean of
    :math:`\frac{2}{\pi} \arcsin \frac{2}{2 + (s^2 + s'^2)/n}`.
    """
    normal = np.random.default_rng(20260101).standard_normal((2, 200_000))
    uneven = np.exp(2 * UNEVEN * normal).sum(axis=0)

    def excess(log: float) -> float:
        ratio = 2 / (2 + np.exp(2 * log) * uneven / size)
        return float(2 / np.pi * np.arcsin(ratio).mean() - tau)

    return float(np.exp(brentq(excess, -5, 5)))


def two_measures(
    rng: np.random.Generator, runs: int = 12, lead: float = 0.0, topics: int = TOPICS
) -> ScoreMatrix:
    """Draw runs and topics, and score them by two measures whose true consistency is known.

    Parameters
    ----------
    rng
        Source of random numbers.
    runs, topics
        How many are drawn.
    lead
        True mean tau of A between two samples of ten topics, less that of B. With 0 the two
        measures are equal by construction.
    """

    def correlated(r: float, *shape: int) -> list[Floats]:
        common = rng.standard_normal(shape)
        return [np.sqrt(r) * common + np.sqrt(1 - r) * rng.standard_normal(shape) for _ in "AB"]

    means, residuals = correlated(MEANS, runs), correlated(RESIDUALS, topics, runs)
    deviations = correlated(DEVIATIONS, runs)
    noise = [noise_for(BASE, TEN), noise_for(BASE - lead, TEN)]
    parts = zip(means, noise, deviations, residuals, strict=True)
    values = [mean + scale * np.exp(UNEVEN * log) * error for mean, scale, log, error in parts]
    return ScoreMatrix(
        "simulated",
        np.stack(values),
        ("A", "B"),
        tuple(f"t{k}" for k in range(topics)),
        tuple(f"r{k}" for k in range(runs)),
        {"A": "high", "B": "high"},
        Provenance("yours"),
    )


def corrected_p(differences: Floats, drawn: int, topics: int) -> float:
    r"""Return the p-value of a resampled t-test that does not take the splits for independent.

    For the variance of the mean of J splits, each of which uses ``drawn`` of n topics, it takes
    :math:`(\frac{1}{J} + \frac{drawn}{n}) s^2`, a rule of thumb in the manner of Nadeau and Bengio
    (2003).

    Parameters
    ----------
    differences
        Difference of two measures' tau, split by split.
    drawn
        Topics in both samples of a split.
    topics
        Topics at hand.
    """
    count = len(differences)
    error = np.sqrt((1 / count + drawn / topics) * differences.var(ddof=1))
    return float(2 * stats.t.sf(abs(differences.mean()) / error, count - 1)) if error else 1.0


def verdicts(
    scores: ScoreMatrix,
    size: int | None = TEN,
    halves: int = HALVES,
    seed: int = 0,
    groups: dict[str, str] | None = None,
) -> pd.DataFrame:
    """Compare every two measures by consistency: by splits, corrected, and over random halves.

    Returns
    -------
    DataFrame
        By (first, second) measure: lead (mean tau of the first less the second's); splits and
        corrected (p-values of the t-tests over splits); topics, runs and both (votes on which is
        more consistent: 1, 0 or -1; NaN if there are too few to halve).
    """
    split = ranking_consistency(scores, size, SPLITS, seed, threads=1)
    pairs = list(combinations(scores.measures, 2))
    tau = split.tau
    rows: dict[tuple[str, str], dict[str, float]] = {}
    for a, b in pairs:
        gaps = (tau[a] - tau[b]).to_numpy()
        p = float(stats.ttest_1samp(gaps, 0).pvalue) if gaps.std() else 1.0
        corrected = corrected_p(gaps, sum(split.sizes), len(scores.topics))
        rows[a, b] = {"lead": float(gaps.mean()), "splits": p, "corrected": corrected}
    ways: tuple[Over, ...] = ("topics", "runs", "both")
    for over in ways:
        if too_few(scores, over, groups):
            for row in rows.values():
                row[over] = float("nan")
            continue
        means = np.array(
            [
                split_taus(half, size, FEWER_SPLITS, seed, threads=1).mean(axis=0)
                for half in random_halves(scores, over, halves, seed, groups)
            ]
        )
        places = combinations(range(len(scores.measures)), 2)
        for (i, j), row in zip(places, rows.values(), strict=True):
            row[over] = cast_vote(row["lead"] > 0, list(means[:, i] > means[:, j] + 1e-9)).value
    return pd.DataFrame.from_dict(rows, "index").rename_axis(["first", "second"])


def simulated(runs: int, lead: float, repeats: int = REPEATS, halves: int = HALVES) -> pd.DataFrame:
    """Apply :func:`verdicts` to simulated data sets, one row each; draw k has the seed k."""

    def work(start: int, stop: int) -> list[pd.Series]:
        drawn = []
        for seed in range(start, stop):
            scores = two_measures(np.random.default_rng([seed, runs]), runs, lead)
            drawn.append(verdicts(scores, TEN, halves, seed).iloc[0].rename(seed))
        return drawn

    parts = list(in_chunks(work, repeats, 10**8))
    return pd.DataFrame([row for _, _, rows in sorted(parts, key=lambda p: p[0]) for row in rows])


def significant(table: pd.DataFrame) -> pd.DataFrame:
    """Return the decisions of the procedures on every comparison: bool, and NaN for none."""
    decided = {name: table[name] < ALPHA for name in TESTS[:2]}
    decided |= {name: table[name].ne(0).where(table[name].notna()) for name in TESTS[2:]}
    return pd.DataFrame(decided)


def first_sets() -> Iterator[tuple[str, str]]:
    """Yield kind and name of one set a source: the first, of word senses that with more runs."""
    for kind in ("quantification", "classification"):
        for names in sources(kind).values():
            yield kind, names[-1] if "ambistory" in names else names[0]


def compute() -> pd.DataFrame:
    """Compute the rows that ``data/draws/real.csv`` holds.

    Returns
    -------
    DataFrame
        part (``simulated`` or a data set), first and second (runs and lead, or two
        measures) and the columns of :func:`verdicts`; of a simulation the shares of the data sets
        on which each procedure decides for A.
    """
    rows: list[dict[str, Any]] = []
    for runs in RUNS:
        for lead in LEADS:
            table = simulated(runs, lead)
            decides = significant(table) & np.asarray(table["lead"] > 0)[:, None]
            if not lead:
                decides = significant(table)
            shares = {name: float(decides[name].mean()) for name in TESTS}
            rows.append({"part": "simulated", "first": runs, "second": lead, **shares})
            print(rows[-1], file=sys.stderr, flush=True)
    for kind, name in first_sets():
        measures = SIX if kind == "quantification" else MEASURES[kind]
        scores, groups = scores_of(name).select(measures), dict(load(name).groups)
        tables = {name: verdicts(scores, None, groups=groups)}
        if groups and not too_few(scores, "both", groups):
            tables[f"{name}, single runs"] = verdicts(scores, None)
        for part, table in tables.items():
            named = table.reset_index().assign(part=part)
            rows += [
                {str(key): value for key, value in row.items()} for row in named.to_dict("records")
            ]
        print(name, file=sys.stderr, flush=True)
    return pd.DataFrame(rows)


def equal_measures() -> pd.DataFrame:
    """Return how often each procedure tells two equal measures apart, run count x procedure."""
    return _simulated().query("second == 0").set_index("first")[list(TESTS)]


def power_curves() -> Figure:
    """Draw how often a true lead is found, by the number of runs, over topics and over both."""
    table = _simulated()
    figure, panels = plt.subplots(1, 2, figsize=(WIDTH, 3.4), sharey=True, layout="constrained")
    styles = zip(RUNS, ("o-", "D--", "^:"), (ESTIMATE, WRONG, RIGHT), strict=True)
    lines = list(styles)
    for axes, over in zip(panels, ("topics", "both"), strict=True):
        for runs, style, colour in lines:
            part = table[table["first"] == runs]
            axes.plot(part["second"], part[over], style, color=colour, label=f"{runs} runs")
        axes.set(xlabel="true lead in tau", ylim=(-0.03, 1.03), xticks=LEADS[::2] + LEADS[3:4])
    panels[0].set_ylabel("share of data sets that show it")
    panels[0].set_title("other topics", fontsize="medium")
    panels[1].set_title("other topics and runs", fontsize="medium")
    panels[0].legend(frameon=False, loc="lower right")
    return figure


def power_at(runs: int, lead: float, over: str = "both") -> float:
    """Return how often a true lead was found in the simulation."""
    row = _simulated().query("first == @runs and second == @lead")
    return float(row[over].iloc[0])


def comparisons() -> pd.DataFrame:
    """Count the comparisons of two measures' consistency that each procedure decides, by source.

    Returns
    -------
    DataFrame
        By set: pairs, splits, corrected, topics, runs and both; NaN where too few could be drawn.
    """
    rows = {}
    for part, table in committed().groupby("part", sort=False):
        if part == "simulated":
            continue
        decided = significant(table)
        counts = decided.sum(min_count=1)
        name, *extra = str(part).split(", ")
        labels = [] if catalog()[name].kind == "quantification" else ["labels"]
        row = ", ".join([short_name(name), *labels, *extra])
        rows[row] = {"pairs": len(table)} | counts.to_dict()
    return pd.DataFrame.from_dict(rows, "index").rename_axis("data set")


def ranks_by_test(measures: Sequence[str] = SIX) -> pd.DataFrame:
    """Rank measures by their numbers of significant differences, by two tests.

    Returns
    -------
    DataFrame
        By set, and for all sets pooled: the significant pairs by measure, with the columns
        (test, measure).
    """
    counts: dict[str, dict[str, pd.Series]] = {"Tukey": {}, "Holm": {}}
    for kind, name in first_sets():
        if kind == "quantification":
            scores = scores_of(name).select(measures)
            for test, result in (("Tukey", tukey_hsd(scores)), ("Holm", paired_t(scores))):
                counts[test][short_name(name)] = discriminative_power(result)["significant"]
    table = pd.concat({test: pd.DataFrame(sets).T for test, sets in counts.items()}, axis=1)
    table.loc["all, pooled"] = table.sum()
    return table


def lead_by_strength(repeats: int = 40, seed: int = 0) -> pd.DataFrame:
    """Compare NMD and RNOD by consistency among the better and among the worse half of the runs.

    In every repeat the runs are ranked on one random half of the topics, by the mean of their ranks
    by both measures, and the measures are compared on the other half, with ten topics a side.

    Returns
    -------
    DataFrame
        By set: better and worse (mean lead of RNOD over NMD among these runs), and ahead (share of
        the repeats in which RNOD is ahead among the better runs).
    """
    rows = {}
    for kind, name in first_sets():
        if kind != "quantification":
            continue
        scores = scores_of(name).select(["RNOD", "NMD"])
        leads: dict[str, list[float]] = {"better": [], "worse": []}
        for k in range(repeats):
            rng = np.random.default_rng([seed, k])
            order = rng.permutation(len(scores.topics))
            first, second = np.array_split(order, 2)
            ranks = stats.rankdata(scores.values[:, first].mean(axis=1), axis=1).mean(axis=0)
            places = np.argsort(ranks, kind="stable")
            half = len(places) // 2
            for strength, runs in (("better", places[:half]), ("worse", places[-half:])):
                part = replace(
                    scores,
                    values=scores.values[:, second][:, :, runs],
                    topics=tuple(scores.topics[t] for t in second),
                    runs=tuple(scores.runs[r] for r in runs),
                )
                tau = split_taus(part, TEN, FEWER_SPLITS, k, threads=1).mean(axis=0)
                leads[strength].append(float(tau[0] - tau[1]))
        rows[short_name(name)] = {
            "better": float(np.mean(leads["better"])),
            "worse": float(np.mean(leads["worse"])),
            "ahead": float(np.mean(np.array(leads["better"]) > 0)),
        }
    return pd.DataFrame.from_dict(rows, "index")


def false_alarms(
    times: Sequence[float] = (1.0, 3.0, 5.5),
    runs: int = 12,
    topics: int = 100,
    tasks: int = 2000,
    trials: int = 1000,
    seed: int = 0,
) -> pd.DataFrame:
    """Simulate how often two tests find a difference at .05 between runs that are equal.

    All scores are normal with the same mean. One run's scores have so many times the standard
    deviation of those of the other runs.

    Parameters
    ----------
    times
        Standard deviations of the one run, in those of the others.
    runs, topics
        Size of a task; by default that of SemEval-2016 Task 4 E.
    tasks
        How many tasks are simulated for each standard deviation.
    trials
        Of each randomised test.
    seed
        Of the scores and of the trials.

    Returns
    -------
    DataFrame
        By standard deviation: the share of tasks in which the randomised Tukey HSD test, and in
        which the paired t-tests with Holm's adjustment, find at least one difference.
    """
    names = tuple(f"task {task}" for task in range(tasks))
    rows = {}
    for deviation in times:
        values = np.random.default_rng(seed).standard_normal((tasks, topics, runs))
        values[:, :, 0] *= deviation
        scores = ScoreMatrix(
            "simulated",
            values,
            names,
            tuple(f"topic {topic}" for topic in range(topics)),
            tuple(f"run {run}" for run in range(runs)),
            dict.fromkeys(names, "low"),
            Provenance("yours"),
        )
        tests = {
            "randomised Tukey HSD": tukey_hsd(scores, trials, seed),
            "paired t": paired_t(scores),
        }
        rows[deviation] = {
            name: float((test.p.min() < 0.05).mean()) for name, test in tests.items()
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("standard deviation")


def _simulated() -> pd.DataFrame:
    table = committed().query("part == 'simulated'")
    return table.astype({"first": int, "second": float})


@cache
def committed() -> pd.DataFrame:
    """Return the committed result of :func:`compute`."""
    return committed_table("real")
