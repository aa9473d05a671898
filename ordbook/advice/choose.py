"""Which measure ranks the runs and which stands beside it, and how data bear on that choice.

The recommendation follows from the definitions of the measures. The criteria of the papers compare
how precise measures are on data; the papers grade in words, do not say where *good* ends, and
choose without a formula. Here their criteria follow written rules, which give the papers' primary
measures from the papers' printed numbers (tested). Random halves of topics and of runs tell
how firm such a choice is.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ordbook.advice.criteria import (
    FEWEST_RUNS,
    Needs,
    consistent,
    discriminative,
    distinct_runs,
    gather,
    level,
    others_like,
    same_measures,
    splits_of,
)
from ordbook.advice.doubts import at_odds, doubts, led_by_constant
from ordbook.advice.evidence import Evidence, honest_orders
from ordbook.data.checking import CONVENTIONAL, undefined_pairs
from ordbook.data.loading import Task
from ordbook.data.scores import ScoreMatrix
from ordbook.measures import CLASSIFICATION, QUANTIFICATION, Measure
from ordbook.measures.registry import named as named_measure
from ordbook.meta.consistency import RankingConsistency
from ordbook.meta.halves import FEWEST, HALVES, Over, random_halves, too_few
from ordbook.meta.items import by_item, item_resamples
from ordbook.meta.rankings import standings
from ordbook.meta.significance import SignificanceTests
from ordbook.meta.similarity import RankingSimilarity
from ordbook.words import counted, did_you_mean, listing

# What `recommendation.md` recommends, the primary measure first.
FAVOURED: Mapping[str, tuple[str, str]] = {
    "classification": ("alpha_ord", "MAE_M"),
    "quantification": ("NMD", "RNOD"),
}
REASONS: Mapping[str, str] = {
    "alpha_ord": (
        "alpha_ord knows the order of the classes without taking them to be equally far apart, "
        "corrects for chance, and tells constant runs apart."
    ),
    "MAE_M": (
        "By MAE_M a farther error is always worse and each gold class weighs the same, but it "
        "favours runs that keep to the middle of the scale."
    ),
    "NMD": (
        "NMD is the mean distance by which mass must move, so that a farther error always costs "
        "more."
    ),
    "RNOD": (
        "RNOD does not reward a bet on one class near the median, as NMD does, but it sometimes "
        "prefers the farther of two errors."
    ),
}
# With two classes there is no order: all that can be said of the measures then.
OF_TWO: Mapping[str, str] = {
    "alpha_ord": "alpha_ord corrects for chance and tells constant runs apart.",
    "MAE_M": "By MAE_M each gold class weighs the same.",
    "NMD": "NMD is the share of mass that must move.",
    "RNOD": "RNOD is the share of mass that must move.",
}
# With fewer topics nothing is said of other topics, nor with fewer items of one pool of others.
FEWEST_TOPICS, FEWEST_ITEMS = FEWEST, 30
# Columns of the criteria that hold grades.
GRADED = ("consistency", "power")
# Splits of each half of the topics, whose mean tau is its consistency.
SPLITS = 50
_DRAWN: Mapping[str, str] = {
    "items": "bootstrap samples of the items",
    "topics": "random halves of the topics",
    "both": "halves of topics and runs together",
}


def recommendation() -> str:
    """Return the recommendation of this book, with its reasons, in Markdown."""
    return files("ordbook.advice").joinpath("recommendation.md").read_text(encoding="utf-8")


@dataclass(frozen=True, eq=False)
class Advice:
    """The answer to the question which measure to use.

    Attributes
    ----------
    needs
        What the task asks of a measure.
    criteria
        From :func:`ordbook.advice.criteria.gather`, with a row for each custom measure, the
        columns ``chosen`` and ``chosen over both`` (in which share of random halves of the topics,
        and of topics and runs together, the criteria choose the measure; from 0 to 1, NaN where
        that cannot be told) and a column ``role``.
    primary, secondary
        From :func:`recommended`; the secondary is empty if there is none.
    by_criteria
        From :func:`choose`, on these data.
    why
        Sentences on the primary, on what the data say of it, and on the secondary.
    doubts
        Sentences on what speaks against relying on this choice.
    """

    needs: Needs
    criteria: pd.DataFrame
    primary: str
    secondary: str
    by_criteria: str
    why: tuple[str, ...]
    doubts: tuple[str, ...] = ()


def recommended(scores: ScoreMatrix, task: object = None) -> list[str]:
    """Return the primary measure for these scores, then the secondary one if there is one.

    They are those of ``FAVOURED``, each measure once, without those that are undefined or, where
    the classes have an order, identical to accuracy on these data. If no such measure is scored,
    the first that sees the order is primary, or else the first of all.

    Examples
    --------
    >>> import ordbook as ob
    >>> task = ob.load("fair-oc")
    >>> recommended(ob.score(task), task), recommended(ob.score(task, ["accuracy", "CEM_ORD"]))
    (['alpha_ord', 'MAE_M'], ['CEM_ORD'])
    """
    same, (count, pairs) = same_measures(scores), undefined_pairs(task)
    unfit = set(CONVENTIONAL) if 2 * count > pairs else set()
    if len(getattr(task, "classes", ())) != 2:
        known = {**QUANTIFICATION, **CLASSIFICATION}
        unfit |= {name for name in scores.measures if name in known and not known[name].ordinal}
        unfit |= set(others_like("accuracy", same))
    left = [name for name in scores.measures if name not in unfit]
    favoured = [name for pair in FAVOURED.values() for name in pair if name in left]
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
            f"{did_you_mean(name, scores.measures)}"
        )
    return name


def by_definition(measures: Sequence[str], task: object = None) -> str:
    """Say why measures are recommended, the primary first, whatever the scores."""
    if measures[0] not in REASONS:
        return "None of the measures recommended is scored and defined on these data."
    known = OF_TWO if len(getattr(task, "classes", ())) == 2 else REASONS
    reasons = [known[name] for name in measures]
    if measures[0] not in {first for first, _ in FAVOURED.values()}:
        reasons.append(
            f"The measure recommended before {measures[0]} is undefined on these data, identical "
            "to accuracy, or not scored."
        )
    return " ".join(reasons)


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
    halves: int = HALVES,
) -> Advice:
    """Combine the recommended measures on a task with the criteria of the papers.

    Measures that are the same on these scores count once. The criteria compare the papers'
    measures; each custom measure is then graded as if it alone had joined them.

    Parameters
    ----------
    scores, tests, consistency, similarity
        Scores by all measures to compare, and from them :func:`ordbook.meta.items.compare_runs`,
        :func:`ordbook.meta.items.split_consistency` and :func:`ordbook.ranking_similarity`.
    task
        What the scores are of. If it is one pool of items, these take the place of topics.
    own
        Measures that are not the papers'.
    halves
        How many random halves are drawn (of one pool: how often its items are drawn again); 0 for
        a choice without its firmness.
    """
    own_names = [measure.name for measure in own]
    compared = [name for name in scores.measures if name not in own_names] or own_names
    needs = Needs.of(task)
    kind, papers = needs.kind, scores.select(compared)
    same = same_measures(papers)
    recommendations = recommended(papers, task)
    primary, secondary = [*recommendations, ""][:2]
    kept = _once(compared, same, (primary, secondary))

    def criteria_of(names: Sequence[str]) -> pd.DataFrame:
        few = scores.select(names)
        return gather(few, tests, consistency, similarity, kind, own=own, classes=needs.classes)

    criteria = criteria_of(kept)
    tau = similarity.tau
    reason = undecided(papers, task)
    if not reason and not criteria["significant"].any():
        reason = "no two runs that differ significantly"
    shares: dict[str, pd.Series | str] = {}
    if halves and not reason and by_item(task):
        known = {measure.name: measure for measure in own}
        measures = [known.get(name, name) for name in kept]
        draws = (
            (significant, dict.fromkeys(splits_of(criteria), pd.Series(means, kept)))
            for significant, means in item_resamples(task, measures, resamples=halves)
        )
        shares["items"] = _shares(draws, criteria, needs, len(distinct_runs(papers).runs))
    elif halves and not reason:
        few = scores.select(kept)
        shares = {
            over: too_few(few, over, task.groups)
            or firmness(few, criteria, needs, over, task.groups, halves)
            for over in ("topics", "both")
        }
    for column, over in (("chosen", ("items", "topics")), ("chosen over both", ("both",))):
        share = next((shares[way] for way in over if way in shares), "")
        criteria[column] = (
            np.nan if isinstance(share, str) else share.reindex(criteria.index, fill_value=0.0)
        )
    criteria["role"] = [
        _role(name, criteria, needs, primary, secondary, same) for name in criteria.index
    ]
    for name in [way for way in own_names if way not in compared]:
        joined = criteria_of([*kept, name])
        row = joined.loc[[name]].assign(**{"chosen": np.nan, "chosen over both": np.nan})
        row["role"] = _would_be(name, joined, needs)
        criteria = pd.concat([criteria, row])
    by_criteria = choose(criteria.loc[kept], needs)
    why = [by_definition(recommendations, task), by_data(reason, by_criteria, shares)]
    if secondary:
        alike = tau[secondary][primary]
        why.append(
            f"The rankings of the runs by {primary} and {secondary} have a tau of {alike:.2f}."
        )
    against = [
        *led_by_constant(scores, tests, primary, needs),
        *(at_odds(scores, tau, primary, secondary) if secondary else ()),
        *doubts(papers, tests, consistency, same, needs, by_item(task)),
    ]
    return Advice(needs, criteria, primary, secondary, by_criteria, tuple(why), tuple(against))


def choose(criteria: pd.DataFrame, needs: Needs) -> str:
    """Choose a primary measure from the criteria of the papers; empty if there is none.

    It has every property that the task requires (:attr:`Needs.required`). Of these measures, those
    graded poor in consistency or power are left out, unless all are. Of the others it has the
    largest sum of both grades (good is 2, fair 1, poor 0); among equals the mean of the ranks in
    consistency and in power decides.

    Parameters
    ----------
    criteria
        As from :func:`ordbook.advice.criteria.gather`; its properties, ``consistency``, ``power``,
        ``significant`` and mean taus count.
    needs
        What the task asks for.
    """
    fit = criteria[criteria[list(needs.required)].astype(bool).all(axis=1)]
    precise = fit[(fit[list(GRADED)] != "poor").all(axis=1)]
    left = precise if len(precise) else fit
    if left.empty:
        return ""
    worth = {"good": -2, "poor": 0}
    grades = left[list(GRADED)].map(lambda grade: worth.get(grade, -1)).sum(axis=1)
    ranks = [level(left["significant"]).rank(ascending=False)]
    if kinds := splits_of(left):
        ranks.append(level(left[kinds].mean(axis=1)).rank(ascending=False))
    places = zip(grades, pd.concat(ranks, axis=1).mean(axis=1), left.index, strict=True)
    return str(min(places, key=lambda place: place[:2])[2])


def firmness(
    scores: ScoreMatrix,
    criteria: pd.DataFrame,
    needs: Needs,
    over: Over,
    groups: Mapping[str, str] | None = None,
    halves: int = HALVES,
) -> pd.Series:
    """Return in which share of random halves the criteria choose each measure.

    The scores are by the measures of ``criteria``; see :func:`ordbook.meta.halves.random_halves`.
    """
    kinds = splits_of(criteria)

    def draws() -> Iterator[tuple[NDArray[np.int64], Mapping[str, pd.Series]]]:
        for half in random_halves(scores, over, halves, 0, groups):
            evidence = Evidence(half, SPLITS)
            if evidence.consistency:
                ten = evidence.ten or evidence.consistency
                means = {
                    kind: pd.Series(ten if kind.endswith("10 vs. 10") else evidence.consistency)
                    for kind in kinds
                }
                yield np.abs(honest_orders(half)).sum(axis=1), means

    return _shares(draws(), criteria, needs, len(distinct_runs(scores).runs))


def _shares(
    draws: Iterable[tuple[NDArray[np.int64], Mapping[str, pd.Series]]],
    criteria: pd.DataFrame,
    needs: Needs,
    runs: int,
) -> pd.Series:
    """Return in which share of draws the criteria choose each measure.

    Each is the number of significant pairs by measure, and mean tau for each kind of split.
    """
    drawn, chosen = criteria.copy(), []
    for significant, means in draws:
        drawn["significant"] = significant
        drawn["power"] = discriminative(drawn["significant"])
        for kind, mean in means.items():
            drawn[kind] = mean
        if means:
            drawn["consistency"] = consistent([drawn[kind] for kind in means], runs)
        chosen.append(choose(drawn, needs))
    return pd.Series(chosen, dtype=object).value_counts(normalize=True)


def _once(names: Sequence[str], same: Sequence[Sequence[str]], known: Sequence[str]) -> list[str]:
    """Return one measure of each set of identical ones: the first known, or the first."""
    stand = {next((name for name in known if name in family), family[0]) for family in same}
    return [name for name in names if name in stand or not others_like(name, same)]


def _role(
    name: str,
    criteria: pd.DataFrame,
    needs: Needs,
    primary: str,
    secondary: str,
    same: Sequence[Sequence[str]],
) -> str:
    """Describe the role of a measure in a few words."""
    row = criteria.loc[name]
    lacking = [criterion for criterion in needs.required if not row[criterion]]
    poor = [criterion for criterion in GRADED if row[criterion] == "poor"]
    role = {primary: "primary", secondary: "secondary"}.get(name, "")
    if lacking and not role:
        role = (
            f"lacks: {listing(['handling of the order' if w == 'order' else w for w in lacking])}"
        )
    elif poor and name != primary:
        role = f"{role}; " if role else ""
        role += f"poor in {' and '.join(poor)}"
    if twins := others_like(name, same):
        role = f"{role}; " if role else ""
        role += f"the same as {listing(twins)} here"
    return role


def _would_be(name: str, joined: pd.DataFrame, needs: Needs) -> str:
    """Describe how the criteria rate a measure of one's own, had it alone joined the others."""
    role = "the criteria choose it" if choose(joined, needs) == name else ""
    return f"added: {role or _role(name, joined, needs, '', '', ()) or 'others come before it'}"


def by_data(
    reason: str, by_rules: str = "", shares: Mapping[str, pd.Series | str] | None = None
) -> str:
    """Explain why the data do not decide, or name the choice of the criteria and how firm it is.

    ``shares`` has, by ``items``, ``topics`` or ``both`` (topics and runs), what :func:`firmness`
    returns, or the reason why it cannot be told.
    """
    if reason:
        return (
            f"The data do not decide between measures, because they hold {reason}. The "
            "recommendation rests on the definitions alone."
        )
    parts = []
    for over, share in (shares or {}).items():
        if isinstance(share, str):
            where = "runs" if over == "both" else "topics"
            parts.append(f"over other {where} this cannot be told ({share})")
        else:
            parts.append(f"in {share.get(by_rules, 0.0):.0%} of {_DRAWN[over]}")
    unit = "items" if "items" in (shares or {}) else "topics"
    firm = f": {listing(parts)}" if parts else ""
    return (
        f"By their precision on these runs and {unit}, the criteria choose "
        f"{by_rules or 'none'}{firm}. That a measure is precise does not say that it measures what "
        "matters."
    )
