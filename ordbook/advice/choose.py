"""Which measure to use as primary and which as secondary, and what the papers' criteria add.

The recommendation is the papers' own, as far as it can be used on the data at hand. The papers
grade in words, do not say where *good* ends, and choose without a formula. Here their criteria
follow written rules, which give the papers' own recommendations from their own printed numbers
(tested). A bootstrap of the topics tells how firm such a choice is.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.stats import studentized_range

from ordbook.advice.criteria import ORDERED, PROPERTIES, Needs, gather, splits_of
from ordbook.advice.duplicates import distinct_runs, named, others_like, same_measures
from ordbook.advice.grades import FEWEST_RUNS, consistent, discriminative, level
from ordbook.data.checking import CONVENTIONAL, tied_by_kappa, undefined_pairs
from ordbook.data.loading import Task
from ordbook.data.scores import ScoreMatrix
from ordbook.measures import CLASSIFICATION, QUANTIFICATION, Measure
from ordbook.measures.registry import named as named_measure
from ordbook.meta.consistency import RankingConsistency, ranking_consistency
from ordbook.meta.discrimination import pairs_in_doubt
from ordbook.meta.items import by_item, item_resamples
from ordbook.meta.kendall import kendall_interval
from ordbook.meta.rankings import identical_runs, standings
from ordbook.meta.significance import SignificanceTests
from ordbook.meta.similarity import RankingSimilarity
from ordbook.words import counted, listing

# What ACL'21 recommends (Sections 5.4 and 6.4), the primary first: all that is ever recommended.
FAVOURED: Mapping[str, tuple[str, str]] = {
    "classification": ("kappa", "alpha_ord"),
    "quantification": ("RNOD", "NMD"),
}
# With fewer topics nothing is said of other topics, nor with fewer items of one pool of others.
FEWEST_TOPICS, FEWEST_ITEMS = 8, 30
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
        From :func:`recommended`; the secondary is empty if there is none.
    why
        Sentences on the primary, on what the data say of it, and on the secondary.
    doubts
        Sentences on what speaks against relying on this choice.
    """

    needs: Needs
    criteria: pd.DataFrame
    primary: str
    secondary: str
    why: tuple[str, ...]
    doubts: tuple[str, ...] = ()


def recommended(scores: ScoreMatrix, task: object = None) -> list[str]:
    """Return the primary measure for these scores, then the secondary one if there is one.

    They are the papers' choice (``FAVOURED``), each measure once, without those that are undefined
    or, where the classes have an order, identical to accuracy on these data. As ACL'21 recommends,
    kappa comes second where several runs always answer one class. If no such measure is scored,
    the first that sees the order is primary, or else the first of all.

    Parameters
    ----------
    scores
        All that were computed.
    task
        What they are of, if it is known.

    Examples
    --------
    >>> import ordbook as ob
    >>> task = ob.load("fair-oc")  # three of its runs are constant
    >>> recommended(ob.score(task), task), recommended(ob.score(task, ["accuracy", "CEM_ORD"]))
    (['alpha_ord', 'kappa'], ['CEM_ORD'])
    """
    same, (count, pairs) = same_measures(scores), undefined_pairs(task)
    unfit = set(CONVENTIONAL) if 2 * count > pairs else set()
    if len(getattr(task, "classes", ())) != 2:
        known = {**QUANTIFICATION, **CLASSIFICATION}
        unfit |= {name for name in scores.measures if name in known and not known[name].ordinal}
        unfit |= set(others_like("accuracy", same))
    left = [name for name in scores.measures if name not in unfit]
    favoured = [name for pair in FAVOURED.values() for name in pair if name in left]
    if any(tied_by_kappa(task)):
        favoured.sort(key="kappa".__eq__)
    once = [
        name
        for place, name in enumerate(favoured)
        if not {*others_like(name, same)} & {*favoured[:place]}
    ]
    return once or (left or list(scores.measures))[:1]


def choose_primary(scores: ScoreMatrix, task: object = None, asked: str = "auto") -> str:
    """Return the measure that ranks: the one that is asked for, or the first recommended.

    Raises
    ------
    ValueError
        If the one asked for was not scored.
    """
    if asked == "auto":
        return recommended(scores, task)[0]
    name = named_measure(asked, scores.measures)
    if name not in scores.measures:
        raise ValueError(
            f"primary: {name!r} is not among the measures scored, {', '.join(scores.measures)}"
        )
    return name


def by_definition(primary: str, task: object = None) -> str:
    """Say why a measure is recommended, whatever the scores."""
    if primary in {first for first, _ in FAVOURED.values()}:
        return f"{primary} is the papers' own choice for such a task."
    tied = next(tied_by_kappa(task), "") if primary == "alpha_ord" else ""
    return tied or (
        f"The measures that the papers put before {primary} are undefined on these data, identical "
        "to accuracy, or not scored."
    )


def all_tie(scores: ScoreMatrix) -> bool:
    """Tell whether all runs have the same mean by every measure."""
    return all((standings(scores, name)["rank"] == 1).all() for name in scores.measures)


def undecided(scores: ScoreMatrix, task: Task) -> str:
    """Say why these data cannot decide between measures; nothing if they can."""
    runs, topics = len(distinct_runs(scores).runs), len(scores.topics)
    if len(scores.runs) > 1 and all_tie(scores):
        return "only runs that score alike"
    if runs < FEWEST_RUNS:
        return f"only {counted(runs, 'different run')}"
    if by_item(task):
        if len(task.gold) < FEWEST_ITEMS:
            return f"only {counted(len(task.gold), 'item')}"
    elif topics < FEWEST_TOPICS:
        return f"only {counted(topics, 'topic')}"
    needs = Needs.of(task)
    constant = len({*needs.constant, *needs.within}) == len(scores.runs)
    return "only constant runs" if constant else ""


def advise(
    scores: ScoreMatrix,
    tests: SignificanceTests,
    consistency: Mapping[str, RankingConsistency],
    similarity: RankingSimilarity,
    task: Task,
    *,
    own: Sequence[Measure] = (),
    alpha: float = 0.05,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Advice:
    """Say what the criteria of the papers add to the recommended measures on a task.

    Measures that are the same on these scores count once. The criteria compare the papers'
    measures; each custom measure is then graded as if it alone had joined them.

    Parameters
    ----------
    scores
        Scores by all measures to compare.
    tests
        From :func:`ordbook.meta.items.compare_runs` on these scores.
    consistency
        From :func:`ordbook.meta.items.split_consistency`.
    similarity
        From :func:`ordbook.ranking_similarity`.
    task
        What the scores are of. If it is one pool of items, these take the place of topics.
    own
        Measures that are not the papers'.
    alpha
        Significant is p < alpha.
    resamples
        How often the topics (or items) are drawn again; 0 for a choice without its firmness.
    seed
        Seed of these draws.
    """
    mine = [measure.name for measure in own]
    others = [name for name in scores.measures if name not in mine] or mine
    needs = Needs.of(task)
    kind, papers = needs.kind, scores.select(others)
    same = same_measures(papers)
    primary, secondary = [*recommended(papers, task), ""][:2]
    kept = _once(others, same, (primary, secondary))

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
    reason = undecided(papers, task)
    if not reason and not criteria["significant"].any():
        reason = "no two runs that differ significantly"
    shares = pd.Series(dtype=float)
    if not reason:
        few, kinds = scores.select(kept), splits_of(criteria)
        draws = _topic_draws(few, kinds, alpha, resamples, seed)
        if by_item(task):
            mine_by_name = {measure.name: measure for measure in own}
            measures = [mine_by_name.get(name, name) for name in kept]
            draws = (
                (significant, {kind: pd.Series(means, kept) for kind in kinds})
                for significant, means in item_resamples(
                    task, measures, resamples=resamples, alpha=alpha, seed=seed
                )
            )
        shares = _stability(draws, criteria, needs, tau, len(distinct_runs(few).runs))
    criteria["chosen"] = shares.reindex(criteria.index, fill_value=0.0)
    criteria["role"] = [
        _role(name, criteria, needs, primary, secondary, same) for name in criteria.index
    ]
    for name in [one for one in mine if one not in others]:
        joined = criteria_of([*kept, name])
        row = joined.loc[[name]].assign(chosen=np.nan)
        row["role"] = _would_be(name, joined, needs, tau)
        criteria = pd.concat([criteria, row])
    by_rules = choose(criteria.loc[kept], needs, tau)[0]
    why = (
        by_definition(primary, task),
        by_data(reason, by_rules, shares, resamples, by_item(task)),
        _why_secondary(criteria, primary, secondary, needs, tau),
    )
    doubts = [
        *_led_by_constant(scores, tests, primary, needs, alpha),
        *(_at_odds(scores, tau, primary, secondary) if secondary else ()),
        *_doubts(papers, tests, consistency, same, needs, alpha, by_item(task)),
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
    return primary, _second(criteria, primary, tau, needs)


def _once(names: Sequence[str], same: Sequence[Sequence[str]], known: Sequence[str]) -> list[str]:
    """Return one measure of each set of identical ones: the first known, or the first."""
    stand = {next((name for name in known if name in family), family[0]) for family in same}
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


def _second(criteria: pd.DataFrame, primary: str, tau: pd.DataFrame, needs: Needs) -> str:
    """Return the secondary measure; nothing if there is none."""
    others = _fit(criteria, needs).drop(index=primary, errors="ignore")
    if others.empty:
        ordered = criteria if needs.classes == 2 else criteria[criteria["order"].astype(bool)]
        others = ordered.drop(index=primary, errors="ignore")
    adds = others[_lacking(criteria, primary, needs)].astype(int).sum(axis=1)
    if others.empty or (needs.classes == 2 and not adds.any()):
        return ""
    order = _order(others, needs.kind).assign(adds=-adds, like=level(tau.T[primary][others.index]))
    by = ["adds", "favour", "grades", "like"] if adds.any() else ["like", "favour", "grades"]
    return str(order.sort_values(by, kind="stable").index[0])


def _lacking(criteria: pd.DataFrame, name: str, needs: Needs) -> list[str]:
    """Return the properties that a measure lacks, and that such classes can need."""
    known = [p for p in PROPERTIES if p in criteria and not criteria.loc[name, p]]
    return [p for p in known if needs.classes != 2 or p not in ORDERED]


def _stability(
    draws: Iterable[tuple[NDArray[np.int64], Mapping[str, pd.Series]]],
    criteria: pd.DataFrame,
    needs: Needs,
    tau: pd.DataFrame,
    runs: int,
) -> pd.Series:
    """Return in which share of resamples the criteria choose each measure.

    Each is the number of significant pairs by measure, and mean tau for each kind of split.
    """
    resampled, chosen = criteria.copy(), []
    for significant, means in draws:
        resampled["significant"] = significant
        resampled["power"] = discriminative(resampled["significant"])
        for kind, mean in means.items():
            resampled[kind] = mean
        if means:
            resampled["consistency"] = consistent([resampled[kind] for kind in means], runs)
        chosen.append(choose(resampled, needs, tau)[0])
    return pd.Series(chosen, dtype=object).value_counts(normalize=True)


def _topic_draws(
    scores: ScoreMatrix, kinds: Sequence[str], alpha: float, resamples: int, seed: int
) -> Iterator[tuple[NDArray[np.int64], Mapping[str, pd.Series]]]:
    """Draw the topics again; one drawn w times weighs w, and stands in one sample of a split."""
    topics = len(scores.topics)
    rng = np.random.default_rng([seed, 20210801])
    left = resamples
    while left:
        weights = np.bincount(rng.integers(topics, size=topics), minlength=topics)
        some = np.flatnonzero(weights)
        if len(some) < 3:  # too few to split
            continue
        left -= 1
        significant = _significant(np.repeat(scores.values, weights, axis=1), alpha)
        weighted = replace(
            scores,
            values=scores.values[:, some] * weights[some, None],
            topics=tuple(scores.topics[k] for k in some),
        )
        means = {}
        for kind in kinds:
            size = 10 if kind.endswith("10 vs. 10") and len(some) >= 20 else None
            split = ranking_consistency(weighted, size, 50, int(rng.integers(2**31)), threads=1)
            means[kind] = split.mean
        yield significant, means


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
    """Say what the criteria make of a measure of one's own, had it alone joined the others."""
    chosen = choose(joined, needs, tau)
    role = {chosen[0]: "the criteria choose it", chosen[1]: "second by the criteria"}.get(name)
    return f"added: {role or _role(name, joined, needs, '', '', ()) or 'others come before it'}"


def by_data(
    reason: str,
    by_rules: str = "",
    shares: pd.Series | None = None,
    resamples: int = 0,
    items: bool = False,
) -> str:
    """Say why the data do not decide, or what the criteria choose on them, and how firmly."""
    if reason:
        return (
            f"The data do not decide between measures, because they hold {reason}. The "
            "recommendation rests on the definitions alone."
        )
    unit, firm = ("items" if items else "topics"), ""
    if shares is not None and len(shares):
        known = [
            f"{name or 'none'} in {share:.0%}" for name, share in shares.items() if share >= 0.01
        ]
        firm = f": in {resamples} bootstrap samples of the {unit} they choose {listing(known)}"
    return (
        f"By their precision on these runs and {unit}, the criteria choose {by_rules or 'none'}"
        f"{firm}. That a measure is precise does not say that it measures what matters."
    )


def _why_secondary(
    criteria: pd.DataFrame, primary: str, secondary: str, needs: Needs, tau: pd.DataFrame
) -> str:
    if not secondary:
        return ""
    adds = [p for p in _lacking(criteria, primary, needs) if criteria.loc[secondary, p]]
    alike = f"The two rankings of the runs have a tau of {tau[secondary][primary]:.2f}."
    if adds:
        return (
            f"{secondary} adds what {primary} lacks: {'; '.join(PROPERTIES[p] for p in adds)}. "
            f"{alike}"
        )
    return f"{secondary} is the other measure that the papers recommend. {alike}"


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
    items: bool,
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
    if items:
        found.append(
            "The items are drawn and split as if they were independent: where many come from one "
            "text or one writer, all this looks more certain than it is."
        )
    elif topics <= 20:
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
