"""The chapter on the power of data: a simulation with known truth, and our data."""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from numpy.typing import NDArray
from scipy import stats
from scipy.optimize import brentq

from ordbook.advice.sources import scores_of, short_name, sources
from ordbook.data.scores import Better, ScoreMatrix
from ordbook.data.tasks import Provenance
from ordbook.meta.estimates import pair_agreement
from ordbook.meta.variances import Floats
from ordbook.papers.draws import committed_table
from ordbook.show import charts
from ordbook.show.colours import TIED, WIDTH
from ordbook.show.run import list_sets


class Model(NamedTuple):
    """The constants of the simulation: ``data/draws/power.py`` estimates them on our sources.

    The first three are correlations between the measures, of the runs' means, of the residuals and
    of their log standard deviations; ``uneven`` is the spread of the latter between runs, ``team``
    the share of the variance of runs that is between teams, and ``base`` the consistency with ten
    topics.
    """

    means: float = 0.92
    residuals: float = 0.87
    deviations: float = 0.9
    uneven: float = 0.34
    team: float = 0.5
    base: float = 0.59


MODEL = Model()
TOPICS, TEN = 100, 10
LEADS = (0.0, 0.05, 0.1, 0.15)
# Runs and teams that are drawn: the same number of each, where no teams are.
SIZES = ((12, 12), (33, 33), (35, 7))
REPEATS = 400
SPLITS, HALVES = 1000, 100
ALPHA = 0.05


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
    uneven = np.exp(2 * MODEL.uneven * normal).sum(axis=0)

    def excess(log: float) -> float:
        ratio = 2 / (2 + np.exp(2 * log) * uneven / size)
        return float(2 / np.pi * np.arcsin(ratio).mean() - tau)

    return float(np.exp(brentq(excess, -5, 5)))


def two_measures(
    rng: np.random.Generator,
    runs: int = 12,
    lead: float = 0.0,
    topics: int = TOPICS,
    teams: int = 0,
    alike: bool = False,
) -> ScoreMatrix:
    """Draw runs and topics, and score them by two measures whose true consistency is known.

    Parameters
    ----------
    rng
        Source of random numbers.
    runs, topics
        How many are drawn.
    lead
        True mean tau of A between two samples of ten topics, less that of B, for runs of different
        teams. With 0 the two measures are equal by construction.
    teams
        From how many teams the runs come, as many from each; by default each run is its own.
    alike
        Whether the two measures are equal for the drawn runs, too, because each run has the same
        true mean and the same deviation by both.
    """
    team = np.arange(runs) % (teams or runs)

    def correlated(r: float, *shape: int, of_team: float = 0.0) -> list[Floats]:
        common, *own = (_in_teams(rng, team, shape, of_team) for _ in range(3))
        return [np.sqrt(r) * common + np.sqrt(1 - r) * part for part in own]

    of_team = MODEL.team if teams else 0.0
    means = correlated(1.0 if alike else MODEL.means, runs, of_team=of_team)
    residuals = correlated(MODEL.residuals, topics, runs)
    deviations = correlated(1.0 if alike else MODEL.deviations, runs, of_team=of_team)
    noise = [noise_for(MODEL.base, TEN), noise_for(MODEL.base - lead, TEN)]
    parts = zip(means, noise, deviations, residuals, strict=True)
    values = [
        mean + scale * np.exp(MODEL.uneven * log) * error for mean, scale, log, error in parts
    ]
    return simulated_scores(np.stack(values), "high", ("A", "B"))


def simulated_scores(
    values: Floats, better: Better = "low", measures: Sequence[str] = ()
) -> ScoreMatrix:
    """Return simulated scores (measures, topics, runs); without names, a task stands as a measure.

    So many tasks are tested at once as there are measures.
    """
    tasks, topics, runs = values.shape
    names = tuple(measures) or tuple(f"task {k}" for k in range(tasks))
    return ScoreMatrix(
        "simulated",
        values,
        names,
        tuple(f"topic {k}" for k in range(topics)),
        tuple(f"run {k}" for k in range(runs)),
        dict.fromkeys(names, better),
        Provenance("yours"),
    )


def _in_teams(
    rng: np.random.Generator, team: NDArray[np.int64], shape: tuple[int, ...], of_team: float
) -> Floats:
    own = rng.standard_normal(shape)
    if not of_team:
        return own
    shared = rng.standard_normal(int(team.max()) + 1)[team]
    result: Floats = np.sqrt(of_team) * shared + np.sqrt(1 - of_team) * own
    return result


def corrected_p(differences: Floats, drawn: int, topics: int) -> float:
    r"""Return the p-value of a resampled t-test that does not take the splits for independent.

    For the variance of the mean of J splits, each of which uses m of n topics, it takes
    :math:`(\frac{1}{J} + \frac{m}{n - m}) s^2`, as Nadeau and Bengio (2003) do. For independent
    topics it is never too small in expectation. The mean U over all splits is a U-statistic of
    degree m, so :math:`Var(U) \le \frac{m}{n} Var(D)` with D the difference of one split
    (Hoeffding 1948); and :math:`E s^2 = Var(D) - Var(U)`, hence
    :math:`Var(U) \le \frac{m}{n - m} E s^2`. Halves use all topics, and there is no bound.

    Parameters
    ----------
    differences
        Difference of two measures' tau, split by split.
    drawn
        Topics in both samples of a split, fewer than there are.
    topics
        Topics at hand.
    """
    count = len(differences)
    factor = 1 / count + drawn / (topics - drawn)
    error = np.sqrt(factor * differences.var(ddof=1))
    return float(2 * stats.t.sf(abs(differences.mean()) / error, count - 1)) if error else 1.0


def log_ratio(values: Floats) -> Floats:
    """Return the log ratio of noise to signal, the less the more consistent, by measure.

    Parameters
    ----------
    values
        Oriented scores, (measures, topics, runs). The noise is the mean variance of the residuals,
        and the signal the variance of the runs' means, less the noise in them.
    """
    _, topics, runs = values.shape
    noise = residuals_of(values).var(axis=1, ddof=1).mean(axis=1) * runs / (runs - 1)
    signal = values.mean(axis=1).var(axis=1, ddof=1) - noise / topics
    result: Floats = np.log(noise / np.maximum(signal, 1e-3 * noise / topics))
    return result


def residuals_of(values: Floats) -> Floats:
    """Return oriented scores, (measures, topics, runs), less the effects of topics and runs."""
    of_runs, of_topics = values.mean(axis=1, keepdims=True), values.mean(axis=2, keepdims=True)
    result: Floats = values - of_runs - of_topics + values.mean(axis=(1, 2), keepdims=True)
    return result


def p_by_variances(values: Floats, team: NDArray[np.int64]) -> tuple[float, float]:
    """Return the lead of the first measure in the log ratio of variances, and its p-value.

    The jackknife leaves out one team at a time, and the t-distribution has a degree of freedom
    less than there are teams.

    Parameters
    ----------
    values
        Oriented scores by two measures, (2, topics, runs).
    team
        Of each run.
    """
    lead = -np.subtract(*log_ratio(values))
    without = [-np.subtract(*log_ratio(values[:, :, team != k])) for k in np.unique(team)]
    return float(lead), p_value(lead, _jackknife(without), len(without) - 1)


def p_by_jackknife(values: Floats, team: NDArray[np.int64]) -> tuple[float, float]:
    """Return the lead of the first measure in consistency with ten topics, and its p-value.

    The variances over topics, left out in tenths, and over teams are added. The t-distribution has
    a degree of freedom less than there are teams. The parameters are those of
    :func:`p_by_variances`.
    """
    gap = -np.diff(pair_agreement(values, TEN), axis=0)[0]
    first, second = np.triu_indices(len(team), 1)
    over_teams = [gap[(team[first] != k) & (team[second] != k)].mean() for k in np.unique(team)]
    group = np.arange(values.shape[1]) % 10
    parts = [pair_agreement(values[:, group != k], TEN) for k in range(10)]
    over_topics = [-np.diff(part, axis=0).mean() for part in parts]
    variance = _jackknife(over_topics) + _jackknife(over_teams)
    return float(gap.mean()), p_value(gap.mean(), variance, len(over_teams) - 1)


def _jackknife(without: Sequence[float]) -> float:
    return float((len(without) - 1) * np.var(without))


def p_value(lead: float, variance: float, freedom: int) -> float:
    """Return the two-sided p-value of a lead, 1 where there is no variance."""
    return float(2 * stats.t.sf(abs(lead) / np.sqrt(variance), freedom)) if variance > 0 else 1.0


def decided_by_halves(values: Floats, team: NDArray[np.int64], rng: np.random.Generator) -> int:
    """Return the sign of the lead, if it is that of 95% of random halves of topics and teams.

    Teams must be of one size. The other parameters are those of :func:`p_by_variances`.
    """
    topics, teams = values.shape[1], len(np.unique(team))
    members = np.argsort(team, kind="stable").reshape(teams, -1)
    rows = halves_of(rng, topics)
    columns = members[halves_of(rng, teams)].reshape(HALVES, -1)
    halves = values[:, rows[:, :, None], columns[:, None, :]]

    def sign(part: Floats) -> Floats:
        first, second = pair_agreement(part, TEN).mean(axis=-1)
        return np.asarray(np.sign(first - second))

    whole = sign(values)
    return int(whole) if (sign(halves) == whole).mean() >= 0.95 else 0


def halves_of(rng: np.random.Generator, size: int) -> NDArray[np.int64]:
    """Return the members of ``HALVES`` random halves of so many things, a row each."""
    return rng.permuted(np.tile(np.arange(size), (HALVES, 1)), axis=1)[:, : size // 2]


def decisions(seed: int, runs: int, teams: int, lead: float) -> dict[str, float]:
    """Apply the procedures over topics and runs to a simulated data set: signs, 0 for none."""
    rng = np.random.default_rng([seed, runs, teams])
    values = two_measures(rng, runs, lead, teams=teams % runs).oriented
    team = np.arange(runs) % teams
    signs: dict[str, float] = {}
    for name, procedure in (("variances", p_by_variances), ("jackknife", p_by_jackknife)):
        ahead, p = procedure(values, team)
        signs[name] = float(np.sign(ahead) * (p < ALPHA))
    return signs | {"halves": decided_by_halves(values, team, rng)}


def coverage() -> pd.DataFrame:
    """Return how often random halves and t-intervals hold the truth, by shape and topics."""
    return committed_table("coverage").set_index(["shape", "topics"])


def first_sets() -> Iterator[tuple[str, str]]:
    """Yield kind and name of one set a source: the first, of word senses that with more runs."""
    for kind in ("quantification", "classification"):
        for names in sources(kind).values():
            yield kind, names[-1] if "ambistory" in names else names[0]


@cache
def committed() -> pd.DataFrame:
    """Return the lead of each measure over each other and its p-values, set by set."""
    return committed_table("real")


@cache
def simulated() -> pd.DataFrame:
    """Return how often each procedure decides for either measure, by runs, teams and lead."""
    return committed_table("power")


def power_at(procedure: str, runs: int, teams: int, lead: float) -> float:
    """Return how often a procedure finds a true lead; with a lead of 0, how often it errs."""
    row = simulated().query(
        "procedure == @procedure and runs == @runs and teams == @teams and lead == @lead"
        " and not alike"
    )
    return float(row["right"].iloc[0] if lead else row["right"].iloc[0] + row["wrong"].iloc[0])


def called_different(procedure: str, alike: bool) -> float:
    """Return how often a test over splits calls two equal measures different."""
    row = simulated().query("procedure == @procedure and alike == @alike")
    return float(row["right"].iloc[0])


def power_curves() -> Figure:
    """Draw how often each procedure finds a true lead, by the size of the data."""
    figure, panels = plt.subplots(
        1, len(SIZES), figsize=(WIDTH, 3.2), sharex=True, sharey=True, layout="constrained"
    )
    for axes, (runs, teams) in zip(panels, SIZES, strict=True):
        shares = pd.DataFrame(
            {
                name: [power_at(name, runs, teams, lead) for lead in LEADS]
                for name in ("variances", "jackknife", "halves")
            },
            LEADS,
        )
        of = f",\n{teams} teams" if teams < runs else "\n"
        axes.set_title(f"{runs} runs{of}", fontsize="medium")
        axes.axhline(ALPHA, color=TIED, ls=":", lw=1)
        axes.set(ylim=(-0.03, 1.03), xlim=(LEADS[0], LEADS[-1]), xticks=LEADS[::2])
        charts.curves(shares, axes, named=axes is panels[-1])
    figure.supxlabel("true lead in tau", fontsize="medium")
    figure.supylabel("share of data sets that show it", fontsize="medium")
    return figure


def comparisons() -> pd.DataFrame:
    """Count the comparisons of two measures' consistency that each procedure decides, by source.

    Returns
    -------
    DataFrame
        By set: teams (of runs, where no teams are known), pairs, and splits, topics and both, the
        numbers of pairs with p < .05 by each.
    """
    rows = {}
    sizes = committed_table("sources").set_index("set")
    for part, table in committed().groupby("set", sort=False):
        name, *extra = str(part).split(", ")
        size = sizes.loc[name]
        labels = [] if size["kind"] == "quantification" else ["labels"]
        counts = (table[["splits", "topics", "both"]] < ALPHA).sum().to_dict()
        row = ", ".join([short_name(name), *labels, *extra])
        teams = size["runs"] if extra else size["teams"]
        rows[row] = {"teams": teams, "pairs": len(table), **counts}
    return pd.DataFrame.from_dict(rows, "index").rename_axis("data set")


def ranks_by_test() -> pd.DataFrame:
    """Return the significant pairs of runs by six measures and two tests, set by set and pooled.

    Returns
    -------
    DataFrame
        By set, with the columns (test, measure).
    """
    table = committed_table("orders").set_index(["set", "test"])
    counts = {test: table.xs(test, level="test") for test in ("Tukey", "Holm")}
    wide = pd.concat(counts, axis=1)
    wide.loc["all, pooled"] = wide.sum()
    return wide


def lead_by_strength() -> pd.DataFrame:
    """Return the lead of RNOD over NMD among the better and among the worse runs, by set.

    In each of 40 repeats the runs are ranked on one random half of the topics, and the measures
    are compared on the other half, with ten topics a side.

    Returns
    -------
    DataFrame
        By set: better and worse (mean leads), and ahead (share of the repeats in which RNOD is
        ahead among the better runs).
    """
    return committed_table("strength").set_index("set")


def false_alarms() -> pd.DataFrame:
    """Return how often two tests find a difference at .05 between runs that are equal.

    The 2,000 simulated tasks have 100 topics and 12 runs, as SemEval-2016 Task 4 E. One run's
    scores have so many times the standard deviation of those of the other runs.

    Returns
    -------
    DataFrame
        By standard deviation: the share of tasks in which the randomised Tukey HSD test, and in
        which the paired t-tests with Holm's adjustment, find at least one difference.
    """
    return committed_table("alarms").set_index("standard deviation")
