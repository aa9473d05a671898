"""The papers' claims about measures as rules, and the votes of a data set on them."""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from itertools import combinations, product
from operator import itemgetter
from statistics import fmean

import pandas as pd

from ordbook.advice.criteria import SAME
from ordbook.advice.evidence import Evidence, Seen, evidence_of
from ordbook.data.loading import Task
from ordbook.data.scores import ScoreMatrix
from ordbook.data.scoring import kind_of
from ordbook.meta.halves import HALVES, Over, Vote, cast_vote, random_halves, too_few
from ordbook.papers.symbols import SIX
from ordbook.words import listing

# Below this ACL'21 shows a tau in the colour of the weakest correlations (Tables 2 and 5).
SIMILAR = 0.6
# The printed shares are at most .04, in DialEval-1 DQ-A (LQ'21, Tables 4(f) and 5(III)).
RARE = 0.05
# A smaller difference of two values is rounding.
NOISE = 1e-9
NOMINAL = ("NVD", "RNSS", "JSD")
GROUP_A = ("alpha_ord", "alpha_int", "F1_M", "HMPR", "MAE_M", "kappa")
GROUP_B = ("MAE_mu", "accuracy")
NINE_OQ = ("NMD", "RNOD", "RNOD2", "RNADW", "RNADW2", *NOMINAL, "DNKT")
NINE_OC = (*GROUP_A, *GROUP_B, "CEM_ORD")
WORDS = {1: "holds", 0: "cannot be told", -1: "does not hold"}


@dataclass(frozen=True)
class Look:
    """The answer of data to a rule: each of its comparisons, and the numbers they rest on."""

    comparisons: tuple[bool, ...]
    text: str

    @property
    def true(self) -> bool:
        """Whether every comparison is true."""
        return all(self.comparisons)


@dataclass(frozen=True)
class Rule:
    """A sentence about the analyses: its text, and whether it is true of them.

    ``look`` returns None where the data say nothing about the rule, for want of runs of a certain
    kind. A rule that joins several comparisons, such as "each of these measures is above each of
    those", is true if all of them are.
    """

    text: str
    look: Callable[[Seen], Look | None]


def alike(names: Sequence[str], least: float = SIMILAR) -> Rule:
    """Every two of the measures rank the runs alike."""

    def look(seen: Seen) -> Look:
        taus = {(a, b): seen.tau[a][b] for a, b in combinations(names, 2)}
        (a, b), low = min(taus.items(), key=itemgetter(1))
        alike = tuple(tau >= least - NOISE for tau in taus.values())
        return Look(alike, f"least: {low:.2f} ({a}, {b})")

    return Rule(f"tau is at least {least:g} between any two of {', '.join(names)}", look)


def unlike(first: Sequence[str], second: Sequence[str], below: float = SIMILAR) -> Rule:
    """No measure of one group ranks the runs like one of the other."""

    def look(seen: Seen) -> Look:
        taus = {(a, b): seen.tau[a][b] for a, b in product(first, second)}
        (a, b), high = max(taus.items(), key=itemgetter(1))
        unlike = tuple(tau < below - NOISE for tau in taus.values())
        return Look(unlike, f"largest: {high:.2f} ({a}, {b})")

    groups = f"any measure of {_list(first)} and any of {_list(second)}"
    return Rule(f"tau is below {below:g} between {groups}", look)


def nearer(one: str, first: Sequence[str], second: Sequence[str]) -> Rule:
    """One measure ranks the runs more like one group than like the other."""

    def look(seen: Seen) -> Look:
        near, far = (fmean(seen.tau[one][m] for m in group) for group in (first, second))
        return Look((near > far + NOISE,), f"mean tau {near:.2f} and {far:.2f}")

    return Rule(f"mean tau of {one} is higher with {_list(first)} than with {_list(second)}", look)


def outlier(one: str, among: Sequence[str]) -> Rule:
    """One measure ranks the runs least like the others."""

    def look(seen: Seen) -> Look:
        means = {a: fmean(seen.tau[a][b] for b in among if b != a) for a in among}
        its_mean = means.pop(one)
        name, least = min(means.items(), key=itemgetter(1))
        lower = tuple(its_mean < mean - NOISE for mean in means.values())
        return Look(lower, f"{one} {its_mean:.2f}, next {name} {least:.2f}")

    text = f"of {len(among)} measures {one} has the lowest mean tau with the others"
    return Rule(text, look)


def order(what: str, first: Sequence[str], second: Sequence[str], tie: bool = False) -> Rule:
    """Every measure of the first group is above every one of the second; None if all are 0.

    It compares ``consistency``, ``ten`` or ``differences``; with ``tie`` equal is enough.
    """

    def look(seen: Seen) -> Look | None:
        values: Mapping[str, float] = getattr(seen, what)
        if not any(values.get(name) for name in (*first, *second)):
            return None
        low, high = min(first, key=values.__getitem__), max(second, key=values.__getitem__)
        digits = ".0f" if what == "differences" else ".3f"
        text = ", ".join(f"{name} {values[name]:{digits}}" for name in (low, high))
        least = -NOISE if tie else NOISE
        return Look(tuple(values[a] - values[b] > least for a, b in product(first, second)), text)

    noun = "discriminative" if what == "differences" else "consistent"
    word = f"at least as {noun} as" if tie else f"more {noun} than"
    # Where all measures of a paper are compared, the longer list is that of the others.
    whole = len(first) + len(second) in (len(SIX), 9)
    left, right = (
        f"the other {len(names)}" if whole and len(names) > 3 else _list(names)
        for names in (first, second)
    )
    start = "with ten topics " if what == "ten" else ""
    quantifier = "each of " if len(first) > 1 else ""
    return Rule(f"{start}{quantifier}{left} is {word} {right}", look)


def between() -> Rule:
    """RSNOD ranks the runs more like NMD than the nominal measures do."""

    def look(seen: Seen) -> Look:
        near = [seen.tau["RSNOD"][m] for m in NOMINAL]
        middle = seen.tau["RSNOD"]["NMD"]
        far = [seen.tau["NMD"][m] for m in NOMINAL]
        comparisons = [tau > middle + NOISE for tau in near] + [middle > tau + NOISE for tau in far]
        return Look(tuple(comparisons), f"{min(near):.2f}, {middle:.2f}, {max(far):.2f}")

    text = "tau of RSNOD with any nominal measure > tau of RSNOD and NMD > tau of NMD with any of "
    return Rule(f"{text}{_list(NOMINAL)}", look)


def no_subset() -> Rule:
    """NMD finds differences which measures that find more do not find."""

    def look(seen: Seen) -> Look | None:
        more = [m for m in SIX[1:] if seen.differences[m] > seen.differences["NMD"]]
        alone = {m: seen.overlap["NMD", m]["first_only"] for m in more}
        most = sum(n > 0 for n in alone.values()) > len(more) / 2
        text = ", ".join(f"{n} not by {m}" for m, n in alone.items())
        return Look((most,), text) if more else None

    text = "NMD finds differences that most measures which find more of them do not find"
    return Rule(text, look)


def rare(names: Sequence[str], most: float = RARE) -> Rule:
    """Significant contradictions are few among the differences that two measures both find."""

    def look(seen: Seen) -> Look | None:
        counts = [n for pair, n in seen.overlap.items() if set(pair) <= set(names)]
        both = sum(n["both"] for n in counts)
        against = both - sum(n["agreeing"] for n in counts)
        return Look((against <= most * both,), f"{against} of {both}") if both else None

    text = f"at most {most:.0%} of the differences that two of {len(names)} measures both find "
    return Rule(f"{text}are contradictions", look)


def blind() -> Rule:
    """Kappa cannot tell constant runs apart, and alpha_ord can."""

    def look(seen: Seen) -> Look | None:
        if not seen.spread:
            return None
        text = ", ".join(f"{m} {seen.spread[m]:.3f}" for m in ("kappa", "alpha_ord"))
        return Look((seen.spread["kappa"] < NOISE < seen.spread["alpha_ord"],), f"apart by {text}")

    text = "runs that always return one class have the same kappa, and not the same alpha_ord"
    return Rule(text, look)


def popular() -> Rule:
    """NMD prefers the popularity baseline on more topics than any other measure does."""

    def look(seen: Seen) -> Look | None:
        if not any(seen.wins.values()):
            return None
        nmd, other_wins = seen.wins["NMD"], pd.Series(seen.wins).drop("NMD")
        text = f"NMD on {nmd:.0f} topics, next {lowest(-other_wins)} on {other_wins.max():.0f}"
        return Look(tuple(nmd > wins for wins in other_wins), text)

    text = "NMD prefers BL-popularity to BL-uniform on more topics than any other"
    return Rule(text, look)


def topics_make_up(names: Sequence[str]) -> Rule:
    """Half of the topics make the worst measure more consistent than the best with ten."""

    def look(seen: Seen) -> Look | None:
        if not seen.ten:
            return None
        least, most = min(seen.consistency[m] for m in names), max(seen.ten[m] for m in names)
        return Look((least > most + NOISE,), f"{least:.3f}, {most:.3f}")

    text = "the least consistent measure with half of the topics is above the best with ten"
    return Rule(text, look)


def lowest(values: pd.Series) -> str:
    """Name the index of the least value, or of all that have the same.

    Examples
    --------
    >>> tau = pd.Series({"NMD": 0.9, "NVD": 1.0, "JSD": 1.0})
    >>> lowest(tau), lowest(-tau)
    ('NMD', 'NVD and JSD')
    """
    return listing([str(name) for name in values.index[values <= values.min() + SAME]])


@dataclass(frozen=True)
class PaperClaim:
    """A claim about measures: its author, its words, and the rule that stands for it.

    Attributes
    ----------
    paper, section
        Where it stands; ``paper`` is ``"ours"`` for claims that no paper makes.
    says
        The claim in the paper's words or close to them.
    short
        Its name in figures.
    stated
        What its author says it of: ``"each"`` data set, their ``"average"`` or their ``"pool"``.
    rule
        The rule.
    key
        A short name of those that the findings discuss one by one.
    """

    paper: str
    section: str
    says: str
    short: str
    stated: str
    rule: Rule
    key: str = ""


@cache
def claims(kind: str) -> tuple[PaperClaim, ...]:
    """Return the claims of ``claims.toml`` about ``classification`` or ``quantification``."""
    groups = {name: globals()[name] for name in ("GROUP_A", "GROUP_B", "SIX", "NINE_OQ", "NINE_OC")}
    rules: list[Callable[..., Rule]] = [alike, unlike, nearer, outlier, order, between, no_subset]
    rules += [rare, blind, popular, topics_make_up]
    by_name = {rule.__name__: rule for rule in rules}
    text = files("ordbook.advice").joinpath("claims.toml").read_text(encoding="utf-8")
    stated = []
    for entry in tomllib.loads(text)[kind]:
        heads = {
            name: entry.pop(name, "")
            for name in ("paper", "section", "says", "short", "stated", "key")
        }
        make_rule = by_name[entry.pop("rule")]
        options = {k: groups.get(v, v) if isinstance(v, str) else v for k, v in entry.items()}
        stated.append(PaperClaim(**heads, rule=make_rule(**options)))
    return tuple(stated)


def votes(
    rules: Mapping[str, Rule],
    whole: Evidence,
    over: Over = "topics",
    groups: Mapping[str, str] | None = None,
    halves: int = HALVES,
) -> dict[str, tuple[str, Vote]]:
    """Return the numbers that each rule sees on a data set, and the vote of the data set on it.

    All rules look at the same halves, as :func:`ordbook.meta.halves.vote` does for one claim. A
    claim that joins several comparisons does not hold (-1) only if one and the same of them does
    not: among several equal measures some other one is ahead on nearly every half, by chance.
    """
    why = too_few(whole.scores, over, groups)
    halved: dict[str, list[Look | None]] = {name: [] for name in rules}
    if not why:
        for half in random_halves(whole.scores, over, halves, whole.seed, groups):
            seen = whole.part(half)
            for name, rule in rules.items():
                halved[name].append(rule.look(seen))
    result = {}
    for name, rule in rules.items():
        look = rule.look(whole)
        text = look.text if look else "nothing to go by"
        result[name] = text, _vote(look, [half for half in halved[name] if half], why)
    return result


def _vote(whole: Look | None, halves: Sequence[Look], why: str) -> Vote:
    """Cast the vote of the halves; ``why`` says why none were drawn."""
    if why or not whole:
        return Vote(0, whole.true if whole else None, why=why or "nothing to go by")
    claim = cast_vote(whole.true, [half.true for half in halves])
    if claim.value >= 0:
        return claim
    parts = zip(*(half.comparisons for half in halves), strict=True)
    against = min(
        cast_vote(true, part).value for true, part in zip(whole.comparisons, parts, strict=True)
    )
    return replace(claim, value=min(against, 0))


def _list(names: Sequence[str]) -> str:
    """Write names; the groups of ACL'21 by theirs."""
    groups = {GROUP_A: "group A", GROUP_B: "group B"}
    return groups.get(tuple(names), ", ".join(names))


def judge_claims(
    task: Task, scores: ScoreMatrix, *, halves: int = HALVES, seed: int = 0
) -> pd.DataFrame:
    """Put each claim about measures to a task of your own.

    The scores are by the papers' measures of the kind of task. The task is asked for teams,
    constant runs and, to add the two baselines, for gold distributions.

    Returns
    -------
    DataFrame
        paper, section, says and rule of each claim; seen (the numbers); topics and both (the votes
        over halves of the topics, and of topics and runs together, as :class:`Vote`).
    """
    kind = kind_of(task)
    rules = {str(k): claim.rule for k, claim in enumerate(claims(kind))}
    whole = evidence_of(task, scores, seed)
    over_topics = votes(rules, whole, "topics", task.groups, halves)
    over_both = votes(rules, whole, "both", task.groups, halves)
    rows = [
        {
            **{"paper": claim.paper, "section": claim.section, "says": claim.says},
            **{"rule": claim.rule.text, "seen": over_topics[key][0]},
            **{"topics": over_topics[key][1], "both": over_both[key][1]},
        }
        for key, claim in zip(rules, claims(kind), strict=True)
    ]
    return pd.DataFrame(rows)
