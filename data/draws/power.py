"""What data can show about measures: for ``power.csv``, ``real.csv`` and four more tables."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np
import pandas as pd
from scipy import stats

from ordbook.advice.sources import MEASURES, scores_of, short_name
from ordbook.chapters.real import (
    ALPHA,
    LEADS,
    REPEATS,
    SIZES,
    SPLITS,
    TEN,
    TOPICS,
    Model,
    corrected_p,
    decisions,
    first_sets,
    halves_of,
    p_value,
    residuals_of,
    simulated_scores,
    two_measures,
)
from ordbook.data.loading import load
from ordbook.data.printed import SIX
from ordbook.data.scores import ScoreMatrix
from ordbook.meta.consistency import split_taus
from ordbook.meta.discrimination import discriminative_power
from ordbook.meta.estimates import expected_consistency, left_out
from ordbook.meta.parametric import paired_t
from ordbook.meta.significance import tukey_hsd
from ordbook.meta.variances import Floats
from ordbook.show.two_runs import systems_only


def parameters() -> Model:
    """Estimate the constants of the model: medians over sources, a set of each."""
    rows, teams = [], []
    for kind, name in first_sets():
        pair = ["NMD", "RNOD"] if kind == "quantification" else ["kappa", "MAE_M"]
        scores = systems_only(scores_of(name).select(pair))
        values = scores.oriented
        means = values.mean(axis=1)
        team_of = load(name).groups
        if set(scores.runs) & set(team_of):
            labels = [team_of.get(run, run) for run in scores.runs]
            teams.append(np.mean([between_teams(of_runs, labels) for of_runs in means]))
        if kind == "quantification":
            residuals = residuals_of(values)
            log = np.log(residuals.std(axis=1))
            correlations = [
                float(np.corrcoef(both.reshape(2, -1))[0, 1]) for both in (means, residuals, log)
            ]
            consistency = float(expected_consistency(scores_of(name).select(pair), TEN).mean())
            rows.append((*correlations, float(log.std(axis=1, ddof=1).mean()), consistency))
    *four, base = np.median(rows, axis=0)
    return Model(*map(float, (*four, np.median(teams), base)))


def between_teams(means: Floats, teams: Sequence[str]) -> float:
    """Return the share of the variance of runs that is between teams, by analysis of variance."""
    groups = [group.to_numpy() for _, group in pd.Series(means).groupby(list(teams))]
    sizes = np.array([len(group) for group in groups])
    total, count = sizes.sum(), len(groups)
    centres = np.array([group.mean() for group in groups])
    between = (sizes * (centres - means.mean()) ** 2).sum() / (count - 1)
    within = sum(((group - group.mean()) ** 2).sum() for group in groups) / (total - count)
    size = (total - (sizes**2).sum() / total) / (count - 1)
    return float((between - within) / (between + (size - 1) * within))


def by_splits(seed: int, alike: bool) -> dict[str, bool]:
    """Say whether the tests over splits call two equal measures different on a simulated set."""
    scores = two_measures(np.random.default_rng([seed, alike]), alike=alike)
    tau = split_taus(scores, TEN, SPLITS, seed, threads=1)
    gaps = tau[:, 0] - tau[:, 1]
    return {
        "splits": bool(stats.ttest_1samp(gaps, 0).pvalue < ALPHA),
        "corrected": corrected_p(gaps, 2 * TEN, TOPICS) < ALPHA,
    }


def compute_power() -> pd.DataFrame:
    """Compute the rows that ``data/draws/power.csv`` holds.

    Returns
    -------
    DataFrame
        runs, teams and lead of the simulated data sets; procedure; and right and wrong, the shares
        of the sets on which it decides for A and for B. Of the tests over splits, which are about
        these runs, ``lead`` is 0, ``right`` holds all decisions, and ``alike`` says whether the
        measures are equal for the drawn runs.
    """
    rows: list[dict[str, object]] = []
    for alike in (False, True):
        called = pd.DataFrame([by_splits(seed, alike) for seed in range(REPEATS)])
        about = {"runs": 12, "teams": 12, "lead": 0.0, "alike": alike}
        rows += [{**about, "procedure": name, "right": called[name].mean()} for name in called]
        print(rows[-2:], file=sys.stderr, flush=True)
    for (runs, teams), lead in ((size, lead) for size in SIZES for lead in LEADS):
        signs = pd.DataFrame([decisions(seed, runs, teams, lead) for seed in range(REPEATS)])
        rows += [
            {
                **{"runs": runs, "teams": teams, "lead": lead, "alike": False, "procedure": name},
                **{"right": (signs[name] > 0).mean(), "wrong": (signs[name] < 0).mean()},
            }
            for name in signs
        ]
        print(rows[-3:], file=sys.stderr, flush=True)
    return pd.DataFrame(rows)


def compute_coverage(repeats: int = 2000) -> pd.DataFrame:
    """Compute the rows that ``data/draws/coverage.csv`` holds.

    Returns
    -------
    DataFrame
        shape (of the distribution of differences between two runs that are equally good) and
        topics; decides (share of data sets on which 95% of random halves agree in sign) and covers
        (share on which the middle 95% of the halves hold the truth), with covers t, the same of
        the t-interval.
    """
    rows = []
    for shape in ("normal", "skewed"):
        for topics in (8, 10, 12, 16, 20, 30, 50, 100):
            rng = np.random.default_rng([topics, shape == "skewed"])
            values = rng.standard_normal((repeats, topics))
            if shape == "skewed":
                values = np.exp(values) - np.exp(0.5)
            halves = values[:, halves_of(rng, topics)].mean(axis=2)
            low, high = np.quantile(halves, [0.025, 0.975], axis=1)
            mean, error = values.mean(axis=1), values.std(axis=1, ddof=1) / np.sqrt(topics)
            agreeing = (np.sign(halves) == np.sign(mean)[:, None]).mean(axis=1)
            rows.append(
                {
                    **{"shape": shape, "topics": topics, "decides": (agreeing >= 0.95).mean()},
                    "covers": ((low <= 0) & (high >= 0)).mean(),
                    "covers t": (abs(mean) <= stats.t.ppf(0.975, topics - 1) * error).mean(),
                }
            )
    return pd.DataFrame(rows)


def compare(scores: ScoreMatrix, teams: Mapping[str, str] | None = None) -> pd.DataFrame:
    """Compare every two measures by their consistency with halves of the topics.

    Returns
    -------
    DataFrame
        By (first, second) measure: lead; and the p-values of the t-test over splits, and of the
        jackknife over topics and over topics and teams.
    """
    tau = split_taus(scores, None, SPLITS, 0, threads=1)
    parts = left_out(lambda sets: expected_consistency(sets[0]), [scores], teams)
    rows = {}
    for i, j in combinations(range(len(scores.measures)), 2):
        gaps = tau[:, i] - tau[:, j]

        def gap(numbers: Floats, i: int = i, j: int = j) -> Floats:
            return np.asarray(numbers[..., i] - numbers[..., j])

        over_topics, over_teams = parts.variances(gap)
        lead = gap(parts.value)
        rows[scores.measures[i], scores.measures[j]] = {
            "lead": float(lead),
            "splits": float(stats.ttest_1samp(gaps, 0).pvalue) if gaps.std() else 1.0,
            "topics": p_value(float(lead), float(over_topics), len(scores.topics) - 1),
            "both": p_value(float(lead), float(over_topics + over_teams), len(parts.teams) - 1),
        }
    return pd.DataFrame.from_dict(rows, "index").rename_axis(["first", "second"])


def compute_sets() -> pd.DataFrame:
    """Compute the rows that ``data/draws/real.csv`` holds: :func:`compare`, set by set."""
    tables = {}
    for kind, name in first_sets():
        scores = scores_of(name).select(SIX if kind == "quantification" else MEASURES[kind])
        teams = dict(load(name).groups)
        tables[name] = compare(scores, teams)
        if name == "ambistory-dev":
            tables[f"{name}, single runs"] = compare(scores)
    return pd.concat(tables, names=["set"]).reset_index()


def compute_orders() -> pd.DataFrame:
    """Count the significant pairs of runs by six measures and two tests, set by set."""
    rows = []
    for kind, name in first_sets():
        if kind == "quantification":
            scores = scores_of(name).select(SIX)
            for test, result in (("Tukey", tukey_hsd(scores)), ("Holm", paired_t(scores))):
                counts = discriminative_power(result)["significant"].to_dict()
                rows.append({"set": short_name(name), "test": test, **counts})
    return pd.DataFrame(rows)


def compute_strength() -> pd.DataFrame:
    """Compare NMD and RNOD by consistency among the better and among the worse half of the runs.

    In each of 40 repeats the runs are ranked on one random half of the topics, by the mean of their
    ranks by both measures, and the measures are compared on the other half, with ten topics a side.
    """
    rows = []
    for kind, name in first_sets():
        if kind != "quantification":
            continue
        scores = scores_of(name).select(["RNOD", "NMD"])
        leads: dict[str, list[float]] = {"better": [], "worse": []}
        for k in range(40):
            order = np.random.default_rng([0, k]).permutation(len(scores.topics))
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
                tau = split_taus(part, TEN, 200, k, threads=1).mean(axis=0)
                leads[strength].append(float(tau[0] - tau[1]))
        means = {strength: np.mean(values) for strength, values in leads.items()}
        ahead = (np.array(leads["better"]) > 0).mean()
        rows.append({"set": short_name(name), **means, "ahead": ahead})
    return pd.DataFrame(rows)


def compute_alarms() -> pd.DataFrame:
    """Simulate how often two tests find a difference at .05 between runs that are equal.

    All scores are normal with the same mean; the randomised test has 1,000 trials.
    """
    rows = []
    for deviation in (1.0, 3.0, 5.5):
        values = np.random.default_rng(0).standard_normal((2000, 100, 12))
        values[:, :, 0] *= deviation
        scores = simulated_scores(values)
        tests = {"randomised Tukey HSD": tukey_hsd(scores, 1000), "paired t": paired_t(scores)}
        found = {name: (test.p.min() < ALPHA).mean() for name, test in tests.items()}
        rows.append({"standard deviation": deviation, **found})
    return pd.DataFrame(rows)
