"""The papers' claims about measures as rules, and the votes of a data set on them."""

import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from importlib.resources import files
from itertools import combinations, product
from operator import itemgetter
from statistics import fmean
from typing import TypeAlias

import pandas as pd

from ordbook.advice.evidence import Evidence, Seen, evidence_of
from ordbook.data.loading import Task
from ordbook.data.printed import SIX
from ordbook.data.scores import ScoreMatrix
from ordbook.data.scoring import kind_of
from ordbook.meta.halves import HALVES, Over, Vote, cast_vote, random_halves, too_few
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


# A rule joins one or several comparisons, such as "each of these measures is above each of those",
# and is true if all are. It gives None where the data say nothing about it, for want of runs of a
# certain kind.
Rule: TypeAlias = Callable[[Seen], Look | None]


def alike(seen: Seen, names: Sequence[str], least: float = SIMILAR) -> Look:
    """Every two of the measures rank the runs alike."""
    taus = {(a, b): seen.tau[a][b] for a, b in combinations(names, 2)}
    (a, b), low = min(taus.items(), key=itemgetter(1))
    return Look(tuple(t >= least - NOISE for t in taus.values()), f"least: {low:.2f} ({a}, {b})")


def unlike(seen: Seen, first: Iterable[str], second: Iterable[str], below: float = SIMILAR) -> Look:
    """No measure of one group ranks the runs like one of the other."""
    taus = {(a, b): seen.tau[a][b] for a, b in product(first, second)}
    (a, b), high = max(taus.items(), key=itemgetter(1))
    return Look(tuple(t < below - NOISE for t in taus.values()), f"largest: {high:.2f} ({a}, {b})")


def nearer(seen: Seen, one: str, first: Iterable[str], second: Iterable[str]) -> Look:
    """One measure ranks the runs more like one group than like the other."""
    near, far = (fmean(seen.tau[one][m] for m in group) for group in (first, second))
    return Look((near > far + NOISE,), f"mean tau {near:.2f} and {far:.2f}")


def outlier(seen: Seen, one: str, among: Sequence[str]) -> Look:
    """One measure ranks the runs least like the others."""
    means = {a: fmean(seen.tau[a][b] for b in among if b != a) for a in among}
    its_mean = means.pop(one)
    name, least = min(means.items(), key=itemgetter(1))
    lower = tuple(its_mean < mean - NOISE for mean in means.values())
    return Look(lower, f"{one} {its_mean:.2f}, next {name} {least:.2f}")


def order(
    seen: Seen, what: str, first: Sequence[str], second: Sequence[str], tie: bool = False
) -> Look | None:
    """Every measure of the first group is above every one of the second; None if all are 0.

    It compares ``consistency``, ``ten`` or ``differences``; with ``tie`` equal is enough.
    """
    values: Mapping[str, float] = getattr(seen, what)
    if not any(values.get(name) for name in (*first, *second)):
        return None
    low, high = min(first, key=values.__getitem__), max(second, key=values.__getitem__)
    digits = 0 if what == "differences" else 3
    least = -NOISE if tie else NOISE
    above = tuple(values[a] - values[b] > least for a, b in product(first, second))
    return Look(above, ", ".join(f"{name} {values[name]:.{digits}f}" for name in (low, high)))


def between(seen: Seen) -> Look:
    """RSNOD ranks the runs more like NMD than the nominal measures do."""
    middle = seen.tau["RSNOD"]["NMD"]
    near, far = ([seen.tau[name][m] for m in NOMINAL] for name in ("RSNOD", "NMD"))
    comparisons = [tau > middle + NOISE for tau in near] + [middle > tau + NOISE for tau in far]
    return Look(tuple(comparisons), f"{min(near):.2f}, {middle:.2f}, {max(far):.2f}")


def no_subset(seen: Seen) -> Look | None:
    """NMD finds differences which measures that find more do not find."""
    more = [m for m in SIX[1:] if seen.differences[m] > seen.differences["NMD"]]
    alone = {m: seen.overlap["NMD", m]["first_only"] for m in more}
    most = sum(n > 0 for n in alone.values()) > len(more) / 2
    text = ", ".join(f"{n} not by {m}" for m, n in alone.items())
    return Look((most,), text) if more else None


def rare(seen: Seen, names: Iterable[str], most: float = RARE) -> Look | None:
    """Significant contradictions are few among the differences that two measures both find."""
    counts = [n for pair, n in seen.overlap.items() if {*pair} <= {*names}]
    both = sum(n["both"] for n in counts)
    against = both - sum(n["agreeing"] for n in counts)
    return Look((against <= most * both,), f"{against} of {both}") if both else None


def blind(seen: Seen) -> Look | None:
    """Kappa cannot tell constant runs apart, and alpha_ord can."""
    if not seen.spread:
        return None
    kappa, alpha = seen.spread["kappa"], seen.spread["alpha_ord"]
    return Look((kappa < NOISE < alpha,), f"apart by kappa {kappa:.3f}, alpha_ord {alpha:.3f}")


def popular(seen: Seen) -> Look | None:
    """NMD prefers the popularity baseline on more topics than any other measure does."""
    if not any(seen.wins.values()):
        return None
    wins = dict(seen.wins)
    nmd, most = wins.pop("NMD"), max(wins.values())
    names = listing([name for name, count in wins.items() if count == most])
    more = tuple(nmd > count for count in wins.values())
    return Look(more, f"NMD on {nmd:.0f} topics, next {names} on {most:.0f}")


def topics_make_up(seen: Seen, names: Iterable[str]) -> Look | None:
    """Half of the topics make the worst measure more consistent than the best with ten."""
    if not seen.ten:
        return None
    least, most = min(seen.consistency[m] for m in names), max(seen.ten[m] for m in names)
    return Look((least > most + NOISE,), f"{least:.3f}, {most:.3f}")


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
    text, rule
        The rule in words and as a function.
    key
        A short name of those that the findings discuss one by one.
    """

    paper: str
    section: str
    says: str
    short: str
    stated: str
    text: str
    rule: Rule
    key: str = ""


@cache
def claims(kind: str) -> tuple[PaperClaim, ...]:
    """Return the claims of ``claims.toml`` about ``classification`` or ``quantification``."""
    groups = {name: globals()[name] for name in ("GROUP_A", "GROUP_B", "SIX", "NINE_OQ", "NINE_OC")}
    text = files("ordbook.advice").joinpath("claims.toml").read_text(encoding="utf-8")
    stated = []
    for entry in tomllib.loads(text)[kind]:
        options = {
            name: groups.get(value, value) if isinstance(value, str) else value
            for name, value in entry.pop("options", {}).items()
        }
        rule = partial(globals()[entry.pop("rule")], **options)
        stated.append(PaperClaim(rule=rule, **entry))
    return tuple(stated)


def votes(
    rules: Sequence[Rule],
    whole: Evidence,
    over: Over = "topics",
    groups: Mapping[str, str] | None = None,
    halves: int = HALVES,
) -> list[tuple[str, Vote]]:
    """Return the numbers that each rule sees on a data set, and the vote of the data set on it.

    All rules look at the same halves, as :func:`ordbook.meta.halves.vote` does for one claim. A
    claim that joins several comparisons does not hold (-1) only if one and the same of them does
    not: among several equal measures some other one is ahead on nearly every half, by chance.
    """
    why = too_few(whole.scores, over, groups)
    halved: list[list[Look | None]] = [[] for _ in rules]
    if not why:
        for half in random_halves(whole.scores, over, halves, whole.seed, groups):
            seen = whole.part(half)
            for looks, rule in zip(halved, rules, strict=True):
                looks.append(rule(seen))
    result = []
    for rule, looks in zip(rules, halved, strict=True):
        look = rule(whole)
        text = look.text if look else "nothing to go by"
        result.append((text, _vote(look, [half for half in looks if half], why)))
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
    asked = claims(kind_of(task))
    whole = evidence_of(task, scores, seed)
    topics, both = (
        votes([claim.rule for claim in asked], whole, over, task.groups, halves)
        for over in ("topics", "both")
    )
    columns = ["paper", "section", "says", "rule", "seen", "topics", "both"]
    rows = [
        (claim.paper, claim.section, claim.says, claim.text, seen, over_topics, over_both)
        for claim, (seen, over_topics), (_, over_both) in zip(asked, topics, both, strict=True)
    ]
    return pd.DataFrame(rows, columns=columns)
