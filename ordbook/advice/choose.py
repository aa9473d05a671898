"""Which measure ranks the runs and which stands beside it, and how data bear on that choice.

The recommendation follows from the definitions of the measures. The criteria of the papers compare
how precise measures are on data; the papers grade in words, do not say where *good* ends, and
choose without a formula. Here their criteria follow written rules, which give the papers' primary
measures from the papers' printed numbers (tested). Random halves of topics and of runs tell
how firm such a choice is.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ordbook.advice.criteria import (
    COMPARED,
    FEWEST_RUNS,
    Needs,
    consistent,
    discriminative,
    distinct_runs,
    gather,
    level,
    named,
    ranks_from_best,
    same_measures,
    splits_of,
)
from ordbook.advice.evidence import ALPHA, Evidence
from ordbook.data.checking import CONVENTIONAL, one_class_topics
from ordbook.data.loading import Task
from ordbook.data.scores import ScoreMatrix
from ordbook.data.tasks import ClassificationTask
from ordbook.measures import CLASSIFICATION, QUANTIFICATION, Measure
from ordbook.measures.registry import named as named_measure
from ordbook.meta.consistency import RankingConsistency
from ordbook.meta.discrimination import pairs_in_doubt
from ordbook.meta.halves import FEWEST, HALVES, Over, random_halves, too_few
from ordbook.meta.items import by_item, item_resamples
from ordbook.meta.kendall import kendall_interval
from ordbook.meta.rankings import identical_runs, standings
from ordbook.meta.significance import SignificanceTests, asymptotic_signs
from ordbook.meta.similarity import RankingSimilarity
from ordbook.words import counted, did_you_mean, listing

# What `recommendation.md` recommends, the primary measure first.
FAVOURED: Mapping[str, tuple[str, str]] = {
    "classification": ("kappa", "MAE_M"),
    "quantification": ("RPS", "NMD"),
}
REASONS: Mapping[str, str] = {
    "kappa": (
        "Linear kappa gives nothing to a run that always answers alike, wherever gold holds "
        "several classes, and a single kappa, unlike a mean of several, cannot rise when a right "
        "answer is made wrong, unless it is negative."
    ),
    "MAE_M": (
        "MAE_M gives nothing for a worse answer, and each gold class weighs the same, but it "
        "favours runs that keep to the middle of the scale."
    ),
    "RPS": (
        "By RPS a single error costs more the farther it is, and the best answer is the true "
        "opinion, whatever the number of votes that gold was counted from."
    ),
    "NMD": (
        "NMD can be read as a distance in steps between classes, but where gold is a few votes it "
        "rewards a bet on their median."
    ),
}
# With two classes there is no order: all that can be said of the measures then.
OF_TWO: Mapping[str, str] = {
    "kappa": (
        "Kappa gives nothing to a run that always answers alike, wherever gold holds both classes."
    ),
    "MAE_M": "By MAE_M each gold class weighs the same.",
    "RPS": (
        "RPS is the squared difference of the shares, and the best answer is the true opinion, "
        "whatever the number of votes that gold was counted from."
    ),
    "NMD": "NMD is the share of mass that must move.",
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
# An interval of tau this wide covers two of ACL'21's colours.
WIDE = 0.2
# A primary and a secondary measure whose tau is below this contradict each other.
LOW = 0.6


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
        From :func:`ordbook.advice.criteria.gather`, with a row for each measure that ACL'21 does
        not compare, the columns ``chosen`` and ``chosen over both`` (in which share of random
        halves of the topics, and of topics and runs together, the criteria choose the measure;
        from 0 to 1, NaN where that cannot be told) and a column ``role``.
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

    They are those of ``FAVOURED`` that are scored, each measure once, without kappa if most topics
    have a single gold class. If there is none, the first that sees the order of the classes is
    primary, or else the first of all.

    Examples
    --------
    >>> import ordbook as ob
    >>> task = ob.load("fair-oc")
    >>> recommended(ob.score(task), task), recommended(ob.score(task, ["accuracy", "CEM_ORD"]))
    (['kappa', 'MAE_M'], ['CEM_ORD'])
    """
    unfit = CONVENTIONAL if _mostly_one_class(task) else ()
    left = [name for name in scores.measures if name not in unfit]
    favoured = [name for pair in FAVOURED.values() for name in pair if name in left]
    known = {**QUANTIFICATION, **CLASSIFICATION}
    ordinal = [name for name in left if name not in known or known[name].ordinal]
    return _once(favoured, same_measures(scores)) or (ordinal or list(scores.measures))[:1]


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


def measure_beside(scores: ScoreMatrix, task: object, primary: str) -> str:
    """Return the recommended measure to report beside the primary one; "" if none is."""
    names = [name for name in recommended(scores, task) if name in REASONS and name != primary]
    return names[0] if names else ""


def by_definition(measures: Sequence[str], task: object = None) -> str:
    """Say why measures are recommended, the primary first, whatever the scores."""
    if measures[0] not in REASONS:
        return "None of the measures recommended is scored and defined on these data."
    known = OF_TWO if len(getattr(task, "classes", ())) == 2 else REASONS
    reasons = [known[name] for name in measures]
    for first, second in FAVOURED.values():
        if measures[0] == second:
            why = (
                "most topics have a single gold class"
                if _mostly_one_class(task)
                else "it is not scored"
            )
            reasons.append(f"{first} would come first, but {why}.")
    return " ".join(reasons)


def _mostly_one_class(task: object) -> bool:
    """Whether most topics have a single gold class: whoever always answers it gets a kappa of 1."""
    return isinstance(task, ClassificationTask) and bool(
        2 * one_class_topics(task).sum() > len(task.topics)
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
    halves: int = HALVES,
) -> Advice:
    """Combine the recommended measures on a task with the criteria of the papers.

    Measures that are the same on these scores count once. The criteria compare the measures that
    ACL'21 compares; each other one is then graded as if it alone had joined them.

    Parameters
    ----------
    scores, tests, consistency, similarity
        Scores by all measures to compare, and from them :func:`ordbook.meta.items.compare_runs`,
        :func:`ordbook.meta.items.split_consistency` and :func:`ordbook.ranking_similarity`.
    task
        What the scores are of. If it is one pool of items, these take the place of topics.
    own
        The custom measures among them.
    halves
        How many random halves are drawn (of one pool: how often its items are drawn again); 0 for
        a choice without its firmness.
    """
    needs = Needs.of(task)
    compared = [name for name in scores.measures if name in COMPARED[needs.kind]]
    papers = scores.select(compared or scores.measures)
    same = same_measures(papers)
    recommendations = recommended(scores, task)
    primary, secondary = [*recommendations, ""][:2]
    kept = _once(papers.measures, same, recommendations)

    def criteria_of(names: Sequence[str]) -> pd.DataFrame:
        return gather(
            scores.select(names), tests, consistency, needs.kind, own=own, classes=needs.classes
        )

    criteria = criteria_of(kept)
    by_criteria = choose(criteria, needs.required)
    reason = undecided(papers, task)
    if not reason and not criteria["significant"].any():
        reason = "no two runs that differ significantly"
    shares: dict[str, pd.Series | str] = {}
    few = scores.select(kept)
    if halves and not reason and by_item(task):
        shares["items"] = firmness(task, few, criteria, needs, "topics", halves)
    elif halves and not reason:
        for over in ("topics", "both"):
            shares[over] = firmness(task, few, criteria, needs, over, halves)
    roles = dict(zip(recommendations, ("primary", "secondary"), strict=False))
    criteria["role"] = [_role(name, criteria, needs, roles, same) for name in kept]
    for name in scores.measures:
        if name in papers.measures:
            continue
        joined = criteria_of([*kept, name])
        chosen = choose(joined, needs.required) == name
        role = "the criteria choose it" if chosen else _role(name, joined, needs, {}, {})
        joined["role"] = roles.get(name, f"added: {role or 'others come before it'}")
        criteria = pd.concat([criteria, joined.loc[[name]]])
    firm = {
        "chosen": shares.get("items", shares.get("topics")),
        "chosen over both": shares.get("both"),
    }
    for column, share in firm.items():
        criteria[column] = np.nan
        if isinstance(share, pd.Series):
            criteria.loc[kept, column] = share.reindex(kept, fill_value=0.0)
    why = [by_definition(recommendations, task), by_data(reason, by_criteria, shares)]
    against = [*led_by_constant(scores, tests, primary, needs)]
    if secondary:
        alike = similarity.tau[secondary][primary]
        why.append(
            f"The rankings of the runs by {primary} and {secondary} have a tau of {alike:.2f}."
        )
        against += at_odds(scores, alike, primary, secondary)
    against += doubts(scores, tests, consistency, same, needs, by_item(task))
    return Advice(needs, criteria, primary, secondary, by_criteria, tuple(why), tuple(against))


def choose(criteria: pd.DataFrame, required: Sequence[str]) -> str:
    """Choose a primary measure from the criteria of the papers; empty if there is none.

    It has every property that is required. Of these measures, those
    graded poor in consistency or power are left out, unless all are. Of the others it has the
    largest sum of both grades (good is 2, fair 1, poor 0); among equals the mean of the ranks in
    consistency and in power decides.

    Parameters
    ----------
    criteria
        As from :func:`ordbook.advice.criteria.gather`; its properties, ``consistency``, ``power``,
        ``significant`` and mean taus count.
    required
        Columns of properties: :attr:`Needs.required`, or what a paper requires. ACL'21 also wants
        constant runs to differ in score, if there are several; the recommendation does not, since
        none of them looks at its input.
    """
    fit = criteria[list(required)].to_numpy(bool).all(axis=1)
    grades = criteria[list(GRADED)].to_numpy(object)
    precise = fit & (grades != "poor").all(axis=1)
    left = np.flatnonzero(precise if precise.any() else fit)
    if not len(left):
        return ""
    columns = [criteria["significant"].to_numpy(float)]
    if kinds := splits_of(criteria):
        columns.append(criteria[kinds].mean(axis=1).to_numpy(float))
    ranks = [ranks_from_best(level(column[left])) for column in columns]
    worth = {"good": 2, "poor": 0}
    worths = [sum(worth.get(grade, 1) for grade in row) for row in grades[left]]
    best = np.lexsort([np.nanmean(ranks, axis=0), np.negative(worths)])[0]
    return str(criteria.index[left[best]])


def firmness(
    task: Task,
    scores: ScoreMatrix,
    criteria: pd.DataFrame,
    needs: Needs,
    over: Over,
    halves: int = HALVES,
) -> pd.Series | str:
    """Return in which share of draws the criteria choose each measure, or why none can be drawn.

    Drawn are random halves of the topics, or of topics and runs (see
    :func:`ordbook.meta.halves.random_halves`); of one pool the items, with replacement. The scores
    are by the measures of ``criteria``, in their order.
    """
    kinds, runs = splits_of(criteria), len(distinct_runs(scores).runs)

    def draws() -> Iterator[tuple[NDArray[np.int64], list[NDArray[np.float64]]]]:
        """Yield numbers of significant pairs, and mean tau for each kind of split, by measure."""
        if by_item(task):
            for significant, means in item_resamples(task, scores.measures, resamples=halves):
                yield significant, [means] * len(kinds)
            return
        for half in random_halves(scores, over, halves, 0, task.groups):
            evidence = Evidence(half, SPLITS)
            if evidence.consistency:
                ten = evidence.ten or evidence.consistency
                by_kind = [ten if "10 vs. 10" in kind else evidence.consistency for kind in kinds]
                significant = np.abs(asymptotic_signs(half, ALPHA)).sum(axis=1)
                yield significant, [np.array([*means.values()]) for means in by_kind]

    if not by_item(task) and (why := too_few(scores, over, task.groups)):
        return why
    drawn, chosen = criteria.copy(), []
    for significant, means in draws():
        drawn["significant"] = significant
        drawn["power"] = discriminative(drawn["significant"])
        for kind, mean in zip(kinds, means, strict=True):
            drawn[kind] = mean
        if kinds:
            drawn["consistency"] = consistent([drawn[kind] for kind in kinds], runs)
        chosen.append(choose(drawn, needs.required))
    return pd.Series(chosen, dtype=object).value_counts(normalize=True)


def _once(
    names: Sequence[str], same: Mapping[str, tuple[str, ...]], known: Sequence[str] = ()
) -> list[str]:
    """Return one measure of each set of identical ones: the first known, or the first."""
    order = [*known, *names]
    return [name for name in names if name == next(first for first in order if first in same[name])]


def _role(
    name: str,
    criteria: pd.DataFrame,
    needs: Needs,
    roles: Mapping[str, str],
    same: Mapping[str, tuple[str, ...]],
) -> str:
    """Describe the role of a measure in a few words."""
    row = criteria.loc[name]
    poor = [criterion for criterion in GRADED if row[criterion] == "poor"]
    parts = [roles[name]] if name in roles else []
    if not parts and not row[needs.required].all():
        parts.append("lacks: handling of the order")
    elif poor and parts != ["primary"]:
        parts.append(f"poor in {' and '.join(poor)}")
    if twins := [other for other in same.get(name, ()) if other != name]:
        parts.append(f"the same as {listing(twins)} here")
    return "; ".join(parts)


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


def led_by_constant(
    scores: ScoreMatrix, tests: SignificanceTests, measure: str, needs: Needs
) -> Iterator[str]:
    """Warn that the best run is constant, or not significantly better than a constant run."""
    best, p = standings(scores, measure)["run"].iloc[0], tests.matrix(measure)
    constant = (*needs.constant, *needs.within)
    close = [run for run in constant if run == best or not p.loc[best, run] < ALPHA]
    phrase, answer = ("gives", "every topic the same distribution")
    if needs.kind == "classification":
        phrase, answer = "always answers", "one class"
    named = listing([f"{run} (within each topic)" if run in needs.within else run for run in close])
    if best in close:
        yield f"{best} leads by {measure}, although it {phrase} {answer}."
    elif close:
        verb = phrase if len(close) == 1 else phrase.removesuffix("s")
        yield (
            f"{best} leads by {measure}, but does not differ significantly from {named}, which "
            f"{verb} {answer}."
        )


def at_odds(scores: ScoreMatrix, alike: float, primary: str, secondary: str) -> Iterator[str]:
    """Warn that the two measures rank the runs differently, and name the leading runs."""
    if len(scores.runs) >= FEWEST_RUNS and alike < LOW:
        first, second = (
            standings(scores, measure)["run"].iloc[0] for measure in (primary, secondary)
        )
        leads = f"{first} leads by both"
        if first != second:
            leads = f"{first} leads by {primary}, {second} by {secondary}"
        yield (
            f"{primary} and {secondary} rank the runs very differently, with a tau of only "
            f"{alike:.2f}: {leads}."
        )


def doubts(
    scores: ScoreMatrix,
    tests: SignificanceTests,
    consistency: Mapping[str, RankingConsistency],
    same: Mapping[str, tuple[str, ...]],
    needs: Needs,
    items: bool,
) -> list[str]:
    """Return the reasons against relying on the choice, as sentences."""
    sentences = [f"{note}." for note in tests.notes]
    sentences += [f"{note}." for split in consistency.values() for note in split.notes]
    runs, topics = len(distinct_runs(scores).runs), len(scores.topics)
    if runs < FEWEST_RUNS:
        sentences.append(
            f"With {runs} different runs, no correlation of rankings can be relied on: neither "
            "similarity nor consistency is graded."
        )
    else:
        low, high = kendall_interval(0.8, runs)
        if high - low > WIDE:
            sentences.append(
                f"With {runs} different runs, a tau of 0.8 between two measures has the 95% "
                f"interval {low:.2f} to {high:.2f}: groups of similar measures are a rough sketch."
            )
    if items:
        sentences.append(
            "The items are drawn and split as if they were independent: where many come from one "
            "text or one writer, all this looks more certain than it is."
        )
    elif topics <= 20:
        sentences.append(
            f"With {topics} topics, consistency rests on "
            + ("halves of the topics alone." if topics > 2 else "nothing.")
        )
    if needs.classes == 2:
        sentences.append("Two classes have no far and near errors: their order does not matter.")
    sentences += [
        f"{copies}: each pair with a copy counts again." for copies in named(identical_runs(scores))
    ]
    sentences += [
        f"On these data {listing(family)} are one and the same measure."
        for family in dict.fromkeys(same.values())
        if len(family) > 1
    ]
    doubt = len(pairs_in_doubt(tests, ALPHA))
    if doubt:
        sentences.append(
            f"{doubt} of the p-values {'is' if doubt == 1 else 'are'} too close to {ALPHA:g} to "
            f"call with {tests.size}."
        )
    return sentences
