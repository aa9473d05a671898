"""Which measure to use as primary and which as secondary, by the papers' own criteria.

The papers grade in words, do not say where *good* ends, and recommend without a formula. Here
both follow written rules, which give the papers' own recommendations from the papers'
own printed numbers (tested). A bootstrap of the topics tells how firm a choice is.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.stats import studentized_range

from ordbook.advice.criteria import ORDERED, PROPERTIES, Needs, gather, splits_of
from ordbook.advice.duplicates import distinct_runs, named, others_like, same_measures
from ordbook.advice.grades import FEWEST_RUNS, consistent, discriminative, level, listing
from ordbook.data.scores import ScoreMatrix
from ordbook.measures import Measure
from ordbook.meta.consistency import RankingConsistency, ranking_consistency
from ordbook.meta.discrimination import pairs_in_doubt
from ordbook.meta.kendall import kendall_interval
from ordbook.meta.rankings import identical_runs, standings
from ordbook.meta.significance import SignificanceTests
from ordbook.meta.similarity import RankingSimilarity

# What ACL'21 recommends (Sections 5.4 and 6.4), the primary first: it stands where nothing decides.
FAVOURED: Mapping[str, tuple[str, str]] = {
    "classification": ("kappa", "alpha_ord"),
    "quantification": ("RNOD", "NMD"),
}
# The criteria must choose a measure in this share of the resamples to replace the papers' choice.
FIRM = 2 / 3
RESAMPLES = 200
# An interval of tau this wide covers two of ACL'21's colours.
WIDE = 0.2
# A primary and a secondary measure whose tau is below this contradict each other.
LOW = 0.6


@dataclass(frozen=True, eq=False)
class Advice:
    """The answer to the question which measure to use.

    Attributes
    ----------
    needs
        What the task asks of a measure.
    criteria
        From :func:`ordbook.advice.criteria.gather`, with a row for each custom measure, a
        column ``chosen`` (share of the resamples, from 0 to 1) and a column ``role``.
    primary, secondary
        Measures; empty if the rules leave none.
    why
        Sentences on the primary, on how firm the choice is, and on the secondary.
    doubts
        Sentences on what speaks against relying on this choice.
    """

    needs: Needs
    criteria: pd.DataFrame
    primary: str
    secondary: str
    why: tuple[str, ...]
    doubts: tuple[str, ...] = ()


def default_primary(measures: Sequence[str]) -> str:
    """Return the papers' own choice if it is among the measures, else the first measure.

    >>> default_primary(["NMD", "RNOD"]), default_primary(["F1_M", "kappa"]), default_primary(["X"])
    ('RNOD', 'kappa', 'X')
    """
    favoured = [first for first, _ in FAVOURED.values() if first in measures]
    return (favoured or list(measures))[0]


def advise(
    scores: ScoreMatrix,
    tests: SignificanceTests,
    consistency: Mapping[str, RankingConsistency],
    similarity: RankingSimilarity,
    needs: Needs,
    *,
    own: Sequence[Measure] = (),
    alpha: float = 0.05,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Advice:
    """Choose a primary and a secondary measure for a task by the criteria of the papers.

    Measures that are the same on these scores count once. The choice is among the papers'
    measures; each custom measure is then graded as if it alone had joined them.

    Parameters
    ----------
    scores
        Scores by all measures to compare.
    tests
        From :func:`ordbook.tukey_hsd` on these scores.
    consistency
        Kind of split -> :func:`ordbook.ranking_consistency`; empty if there are too few topics.
    similarity
        From :func:`ordbook.ranking_similarity`.
    needs
        From :meth:`Needs.of`.
    own
        Measures that are not the papers'.
    alpha
        Significant is p < alpha.
    resamples
        How often the topics are drawn again; 0 for a choice without its firmness.
    seed
        Seed of these draws.
    """
    mine = [measure.name for measure in own]
    others = [name for name in scores.measures if name not in mine] or mine
    kind = needs.kind
    same = same_measures(scores.select(others))
    kept = _once(others, same, kind)

    def criteria_of(names: Sequence[str]) -> pd.DataFrame:
        few = scores.select(names)
        return gather(
            few,
            tests,
            consistency,
            similarity,
            kind,
            own=own,
            alpha=alpha,
            classes=needs.classes,
        )

    criteria = criteria_of(kept)
    tau = similarity.tau
    by_rules, _ = choose(criteria, needs, tau)
    shares = _stability(scores.select(kept), criteria, needs, tau, alpha, resamples, seed)
    primary = _settle(by_rules, shares, criteria, needs)
    secondary, adds = _second(criteria, primary, tau, needs) if primary else ("", [])
    criteria["chosen"] = shares.reindex(criteria.index, fill_value=0.0)
    criteria["role"] = [
        _role(name, criteria, needs, primary, secondary, same) for name in criteria.index
    ]
    for name in [one for one in mine if one not in others]:
        joined = criteria_of([*kept, name])
        row = joined.loc[[name]].assign(chosen=np.nan)
        row["role"] = _would_be(name, joined, needs, tau)
        criteria = pd.concat([criteria, row])
    why = (
        _why_primary(primary, by_rules, criteria.loc[kept], needs),
        _why_firm(shares, resamples),
        _why_otherwise(primary, criteria.loc[kept], needs),
        _why_secondary(primary, secondary, adds, tau),
    )
    doubts = [
        *(_led_by_constant(scores, tests, primary, needs, alpha) if primary else ()),
        *(_at_odds(scores, tau, primary, secondary) if secondary else ()),
        *_doubts(scores.select(others), tests, consistency, same, needs, alpha),
    ]
    return Advice(needs, criteria, primary, secondary, tuple(filter(None, why)), tuple(doubts))


def choose(criteria: pd.DataFrame, needs: Needs, tau: pd.DataFrame) -> tuple[str, str]:
    """Choose a primary and a secondary measure from the criteria; empty if there is none.

    The primary has every property that the task requires (:attr:`Needs.required`). Of these, those
    graded poor in consistency or power are left out, unless all are. Of the rest it has the largest
    sum of both grades (good is 2, fair 1, poor 0). Among equals the papers' choice stands
    (``FAVOURED``); if that is not among them, the mean of the ranks in consistency and in power
    decides.

    The secondary is to see what the primary does not. It handles the order, and all that the task
    requires if such a measure is left. Among these it has most of the ``PROPERTIES`` that the
    primary lacks; among equals the papers' choice stands, then the better grades decide, then the
    ranking least like the primary's. With two classes a ranking is no reason: if no measure has a
    property that the primary lacks, there is no secondary.

    Parameters
    ----------
    criteria
        As from :func:`ordbook.advice.criteria.gather`; its properties, ``consistency``, ``power``,
        ``significant`` and mean taus count.
    needs
        What the task asks for.
    tau
        Kendall's tau between the rankings by the measures.
    """
    left = _left(criteria, needs)
    if left.empty:
        return "", ""
    primary = str(_order(left, needs.kind).index[0])
    return primary, _second(criteria, primary, tau, needs)[0]


def _once(names: Sequence[str], same: Sequence[Sequence[str]], kind: str) -> list[str]:
    """Return one measure of each set of identical ones: the papers' choice, or the first."""
    known = FAVOURED[kind]
    stand = {
        min(family, key=lambda one: (one not in known, *_place([one], kind))) for family in same
    }
    return [name for name in names if name in stand or not others_like(name, same)]


def _fit(criteria: pd.DataFrame, needs: Needs) -> pd.DataFrame:
    return criteria[criteria[list(needs.required)].astype(bool).all(axis=1)]


def _left(criteria: pd.DataFrame, needs: Needs) -> pd.DataFrame:
    """Return the measures that have what is required and are not poor, unless all are."""
    fit = _fit(criteria, needs)
    steady = fit[(fit["consistency"] != "poor") & (fit["power"] != "poor")]
    return steady if len(steady) else fit


def _place(names: Sequence[str], kind: str) -> list[int]:
    """Return the place of each measure in what the papers recommend; the last where it has none."""
    known = FAVOURED[kind]
    return [known.index(name) if name in known else len(known) for name in names]


def _order(left: pd.DataFrame, kind: str) -> pd.DataFrame:
    """Return what decides between measures, best first."""
    worth = {"good": 2, "poor": 0}
    grades = left[["consistency", "power"]].map(lambda grade: worth.get(grade, 1)).sum(axis=1)
    ranks = [level(left["significant"]).rank(ascending=False)]
    if kinds := splits_of(left):
        ranks.append(level(left[kinds].mean(axis=1)).rank(ascending=False))
    order = pd.DataFrame({"grades": -grades, "favour": _place(list(left.index), kind)}, left.index)
    order["rank"] = pd.concat(ranks, axis=1).mean(axis=1)
    return order.sort_values(["grades", "favour", "rank"], kind="stable")


def _second(
    criteria: pd.DataFrame, primary: str, tau: pd.DataFrame, needs: Needs
) -> tuple[str, list[str]]:
    """Return the secondary measure and the properties that it adds."""
    two = needs.classes == 2
    others = _fit(criteria, needs).drop(index=primary, errors="ignore")
    if others.empty:
        ordered = criteria if two else criteria[criteria["order"].astype(bool)]
        others = ordered.drop(index=primary, errors="ignore")
    lacking = [p for p in PROPERTIES if p in criteria and not criteria.loc[primary, p]]
    lacking = [p for p in lacking if not (two and p in ORDERED)]
    adds = others[lacking].astype(int).sum(axis=1)
    if others.empty or (two and not adds.any()):
        return "", []
    order = _order(others, needs.kind).assign(adds=-adds, like=level(tau.T[primary][others.index]))
    by = ["adds", "favour", "grades", "like"] if adds.any() else ["like", "favour", "grades"]
    name = str(order.sort_values(by, kind="stable").index[0])
    return name, [p for p in lacking if others.loc[name, p]]


def _stability(
    scores: ScoreMatrix,
    criteria: pd.DataFrame,
    needs: Needs,
    tau: pd.DataFrame,
    alpha: float,
    resamples: int,
    seed: int,
) -> pd.Series:
    """Return in which share of resamples of the topics the criteria choose each measure.

    A topic that was drawn w times weighs w times as much, and never stands in both samples of a
    split.
    """
    topics = len(scores.topics)
    if not resamples or topics < 8 or len(scores.runs) < 2:
        return pd.Series(dtype=float)
    rng = np.random.default_rng([seed, 20210801])
    kinds = splits_of(criteria)
    distinct = len(distinct_runs(scores).runs)
    resampled, chosen = criteria.copy(), []
    for _ in range(resamples):
        weights = np.bincount(rng.integers(topics, size=topics), minlength=topics)
        found = _significant(np.repeat(scores.values, weights, axis=1), alpha)
        resampled["significant"] = pd.Series(found, list(scores.measures))
        resampled["power"] = discriminative(resampled["significant"])
        some = np.flatnonzero(weights)
        weighted = replace(
            scores,
            values=scores.values[:, some] * weights[some, None],
            topics=tuple(scores.topics[k] for k in some),
        )
        for kind in kinds:
            size = 10 if kind.endswith("10 vs. 10") and len(some) >= 20 else None
            split = ranking_consistency(weighted, size, 50, int(rng.integers(2**31)), threads=1)
            resampled[kind] = split.mean.loc[list(scores.measures)]
        if kinds:
            resampled["consistency"] = consistent([resampled[k] for k in kinds], distinct)
        chosen.append(choose(resampled, needs, tau)[0])
    return pd.Series(chosen).value_counts(normalize=True)


def _significant(values: NDArray[np.float64], alpha: float) -> NDArray[np.int64]:
    """Count by measure the pairs of runs that differ significantly, without a single permutation.

    The means of permuted runs are nearly normal with the variance within topics, so that their
    largest difference follows the studentised range.
    """
    _, topics, runs = values.shape
    means = values.mean(axis=1)
    spread = values.var(axis=2, ddof=1).mean(axis=1)
    first, second = np.triu_indices(runs, 1)
    limits = _largest_range(alpha, runs) * np.sqrt(spread / topics)
    gaps = np.abs(means[:, first] - means[:, second])
    found: NDArray[np.int64] = (gaps > limits[:, None]).sum(axis=1)
    return found


@cache
def _largest_range(alpha: float, runs: int) -> float:
    return float(studentized_range.ppf(1 - alpha, runs, np.inf))


def _settle(by_rules: str, shares: pd.Series, criteria: pd.DataFrame, needs: Needs) -> str:
    """Return the primary measure: the papers' own where the criteria choose no other firmly."""
    firm = shares.empty or shares.get(by_rules, 0.0) >= FIRM
    return by_rules if firm else _advised(criteria, needs) or by_rules


def _advised(criteria: pd.DataFrame, needs: Needs) -> str:
    """Return what the papers, and the book in general, advise for such a task; maybe nothing."""
    fit = _fit(criteria, needs).index
    return next((name for name in FAVOURED[needs.kind] if name in fit), "")


def _role(
    name: str,
    criteria: pd.DataFrame,
    needs: Needs,
    primary: str,
    secondary: str,
    same: Sequence[Sequence[str]],
) -> str:
    """Say in a few words what becomes of a measure."""
    row = criteria.loc[name]
    lacking = [what for what in needs.required if not row[what]]
    poor = [what for what in ("consistency", "power") if row[what] == "poor"]
    said = {primary: "primary", secondary: "secondary"}.get(name, "")
    if lacking and not said:
        said = (
            f"lacks: {listing(['handling of the order' if w == 'order' else w for w in lacking])}"
        )
    elif poor and name != primary:
        said = f"{said}; " if said else ""
        said += f"poor in {' and '.join(poor)}"
    if twins := others_like(name, same):
        said = f"{said}; " if said else ""
        said += f"the same as {listing(twins)} here"
    return said


def _would_be(name: str, joined: pd.DataFrame, needs: Needs, tau: pd.DataFrame) -> str:
    """Say what a measure of one's own would be, had it alone joined the others."""
    chosen = choose(joined, needs, tau)
    role = {chosen[0]: "would be primary", chosen[1]: "would be secondary"}.get(name)
    return f"added: {role or _role(name, joined, needs, '', '', ()) or 'others come before it'}"


def _why_primary(primary: str, by_rules: str, criteria: pd.DataFrame, needs: Needs) -> str:
    required = dict(needs.required)
    fit, begun = _fit(criteria, needs), ""
    if required:
        can = f"{len(fit)} of {len(criteria)} measures" if len(fit) else "No measure"
        every = ("that", "both", "all three")[len(required) - 1]
        runs = required.pop("constant runs", "")
        classes = f"The classes are {listing(list(required.values()))}" if required else ""
        begun = f"{', and '.join(filter(None, (classes, runs)))}. {can} can handle {every}. "
    if fit.empty:
        return begun.strip()
    if primary != by_rules:
        return (
            f"{begun}The grades favour {by_rules}, but too weakly to decide. "
            f"We keep {primary}, the papers' own choice."
        )
    order = _order(_left(criteria, needs), needs.kind)
    level_with = [
        str(name)
        for name in order.index[order["grades"] == order.loc[primary, "grades"]]
        if name != primary
    ]
    if not level_with:
        return f"{begun}{primary} has the best grades in consistency and power."
    equal = f"{listing(level_with)} {'grades' if len(level_with) == 1 else 'grade'} as well"
    if primary == FAVOURED[needs.kind][0]:
        return f"{begun}No measure grades better than {primary}, the papers' own choice; {equal}."
    return f"{begun}No measure grades better than {primary}; {equal}, but not with better ranks."


def _why_firm(shares: pd.Series, resamples: int) -> str:
    if shares.empty:
        return ""
    said = [f"{name or 'none'} in {share:.0%}" for name, share in shares.items() if share >= 0.01]
    return f"In {resamples} bootstrap samples of the topics, the criteria choose {listing(said)}."


def _why_otherwise(primary: str, criteria: pd.DataFrame, needs: Needs) -> str:
    """Compare the primary measure with the one that the book advises in general."""
    advised = _advised(criteria, needs)
    if not advised or not primary or primary == advised:
        return ""
    pair = criteria.loc[[primary, advised]]
    numbers = (
        f"{listing([f'{n:.0f}' for n in pair['significant']])} pairs of runs differ significantly"
    )
    if kinds := splits_of(criteria):
        taus = listing([f"{tau:.2f}" for tau in pair[kinds].mean(axis=1)])
        numbers = f"rankings by two samples of topics have a mean tau of {taus}, and {numbers}"
    constant = " where several runs are constant" if "constant runs" in needs.required else ""
    return (
        f"The book's general advice{constant} is {advised}. On this task the criteria lead to "
        f"{primary}: by {primary} and {advised}, {numbers}."
    )


def _why_secondary(primary: str, secondary: str, adds: Sequence[str], tau: pd.DataFrame) -> str:
    if not primary:
        return ""
    if not secondary:
        return f"No second measure adds a property that {primary} lacks."
    alike = f"The two rankings of the runs have a tau of {tau[secondary][primary]:.2f}."
    if adds:
        what = "; ".join(PROPERTIES[p] for p in adds)
        return f"{secondary} adds what {primary} lacks: {what}. {alike}"
    return f"Of the others, {secondary} ranks the runs least like {primary}. {alike}"


def _led_by_constant(
    scores: ScoreMatrix, tests: SignificanceTests, measure: str, needs: Needs, alpha: float
) -> Iterator[str]:
    """Say so where the best run is constant, or not significantly better than such a run."""
    best, p = standings(scores, measure)["run"].iloc[0], tests.p[measure]
    constant = (*needs.constant, *needs.within)
    close = [run for run in constant if run == best or not p.loc[best, run] < alpha]
    one, what = ("gives", "every topic the same distribution")
    if needs.kind == "classification":
        one, what = "always answers", "one class"
    named = listing([f"{run} (within each topic)" if run in needs.within else run for run in close])
    if best in close:
        yield f"{best} leads by {measure}, although it {one} {what}."
    elif close:
        verb = one if len(close) == 1 else one.removesuffix("s")
        yield f"{best} leads by {measure}, but no test tells it from {named}, which {verb} {what}."


def _at_odds(scores: ScoreMatrix, tau: pd.DataFrame, primary: str, secondary: str) -> Iterator[str]:
    """Say so where the two measures rank the runs differently, and which runs lead."""
    alike = tau[secondary][primary]
    if len(scores.runs) >= FEWEST_RUNS and alike < LOW:
        first, second = (standings(scores, one)["run"].iloc[0] for one in (primary, secondary))
        leads = f"{first} leads by both"
        if first != second:
            leads = f"{first} leads by {primary}, {second} by {secondary}"
        yield (
            f"{primary} and {secondary} rank the runs very differently, with a tau of only "
            f"{alike:.2f}: {leads}."
        )


def _doubts(
    scores: ScoreMatrix,
    tests: SignificanceTests,
    consistency: Mapping[str, RankingConsistency],
    same: Sequence[Sequence[str]],
    needs: Needs,
    alpha: float,
) -> list[str]:
    """Return sentences on what speaks against leaning on the choice."""
    found = [f"{note}." for note in tests.notes]
    found += [f"{note}." for split in consistency.values() for note in split.notes]
    runs, topics = len(distinct_runs(scores).runs), len(scores.topics)
    counted = f"{runs} different runs"
    if runs < FEWEST_RUNS:
        found.append(
            f"With {counted}, no correlation of rankings can be relied on: neither similarity nor "
            "consistency is graded."
        )
    else:
        low, high = kendall_interval(0.8, runs)
        if high - low > WIDE:
            found.append(
                f"With {counted}, a tau of 0.8 between two measures has the 95% interval "
                f"{low:.2f} to {high:.2f}: groups of similar measures are a rough sketch."
            )
    if topics <= 20:
        found.append(
            f"With {topics} topics, consistency rests on "
            + ("halves of the topics alone." if topics > 2 else "nothing.")
        )
    if needs.classes == 2:
        found.append("Two classes have no far and near errors: their order does not matter.")
    found += [
        f"{said}: each pair with a copy counts again." for said in named(identical_runs(scores))
    ]
    found += [f"On these data {listing(family)} are one and the same measure." for family in same]
    doubt = int(pairs_in_doubt(tests, alpha)["measure"].isin(scores.measures).sum())
    if doubt:
        found.append(
            f"{doubt} of the p-values {'is' if doubt == 1 else 'are'} too close to {alpha:g} to "
            f"call with {tests.size}."
        )
    return found
