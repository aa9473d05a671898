"""The chapter on a task of your own: findings of the papers as rules, and its tables."""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from importlib.resources import files
from itertools import combinations, product
from operator import itemgetter
from statistics import fmean

import numpy as np
import pandas as pd

from ordbook.advice.choose import advise
from ordbook.advice.criteria import COMPARED
from ordbook.advice.grades import SAME
from ordbook.data import checking
from ordbook.data.catalog import RawDataMissing
from ordbook.data.loading import Task
from ordbook.data.scores import ScoreMatrix
from ordbook.data.scoring import score
from ordbook.data.tasks import BASELINES, ClassificationTask, QuantificationTask
from ordbook.measures import Measure
from ordbook.meta.agreement import topic_wins
from ordbook.meta.consistency import ranking_consistency
from ordbook.meta.discrimination import significance_overlap
from ordbook.meta.seeds import split_sizes
from ordbook.meta.significance import SignificanceTests, tukey_hsd
from ordbook.meta.similarity import ranking_similarity
from ordbook.meta.topic_set_size import topic_set_size, unfit, with_differences
from ordbook.papers.symbols import SIX
from ordbook.show.show import Pieces, Table
from ordbook.words import listing

# An answer is sure where so many of the random halves give it.
SURE = 0.95
LEAST_RUNS, LEAST_TOPICS = 4, 8
VERDICTS = ("holds", "does not hold", "cannot be told")
# Below this ACL'21 shows a tau in the colour of the weakest correlations (Tables 2 and 5).
SIMILAR = 0.6
# The printed shares are at most .04, in DialEval-1 DQ-A (LQ'21, Tables 4(f) and 5(III)).
RARE = 0.05
ALPHA = 0.05
NOMINAL = ("NVD", "RNSS", "JSD")
GROUP_A = ("alpha_ord", "alpha_int", "F1_M", "HMPR", "MAE_M", "kappa")
GROUP_B = ("MAE_mu", "accuracy")
NINE_OQ = ("NMD", "RNOD", "RNOD2", "RNADW", "RNADW2", *NOMINAL, "DNKT")


def lowest(values: pd.Series) -> str:
    """Name who has the least value, with all that have the same.

    Examples
    --------
    >>> tau = pd.Series({"NMD": 0.9, "NVD": 1.0, "JSD": 1.0})
    >>> lowest(tau), lowest(-tau)
    ('NMD', 'NVD and JSD')
    """
    return listing([str(name) for name in values.index[values <= values.min() + SAME]])


@dataclass(frozen=True, eq=False)
class Evidence:
    """A score matrix and what the analyses say of it.

    Attributes
    ----------
    scores, splits, trials, seed
        As for :func:`ordbook.ranking_consistency` and :func:`ordbook.tukey_hsd`.
    baselines
        Scores of ``BL-uniform`` and ``BL-popularity`` on the same topics, where there are any.
    constant
        Runs that give every item the same class.
    """

    scores: ScoreMatrix
    splits: int = 1000
    trials: int = 5000
    seed: int = 0
    baselines: ScoreMatrix | None = None
    constant: tuple[str, ...] = ()

    # Dictionaries: the rules look at hundreds of these, and pandas would take most of the time.

    @cached_property
    def tau(self) -> dict[str, dict[str, float]]:
        """Ranking similarity of every two measures."""
        found = ranking_similarity(self.scores).tau
        return {str(a): {str(b): float(tau) for b, tau in found[a].items()} for a in found}

    @cached_property
    def consistency(self) -> dict[str, float]:
        """Mean tau between halves of the topics, by measure."""
        found = ranking_consistency(self.scores, None, self.splits, self.seed, threads=1)
        return {str(name): float(tau) for name, tau in found.mean.items()}

    @cached_property
    def tests(self) -> SignificanceTests:
        """Randomised Tukey HSD tests; of quantification by the six measures of LQ'21."""
        measures = [m for m in SIX if m in self.scores.measures] or None
        return tukey_hsd(self.scores, self.trials, self.seed, 1, measures)

    @cached_property
    def differences(self) -> dict[str, int]:
        """Number of significant differences, by measure."""
        p = self.tests.p
        return {m: int(np.count_nonzero(p[m].to_numpy() < ALPHA)) // 2 for m in self.tests.measures}

    @cached_property
    def overlap(self) -> dict[tuple[str, str], dict[str, int]]:
        """What two measures find significant, as :func:`significance_overlap` counts it."""
        counts = ["first_only", "both", "second_only", "agreeing"]
        found = significance_overlap(self.tests, ALPHA)[counts].to_dict("tight")
        return {
            (str(a), str(b)): dict(zip(counts, row, strict=True))
            for (a, b), row in zip(found["index"], found["data"], strict=True)
        }

    def of_topics(self, rows: Sequence[int], seed: int, trials: int) -> "Evidence":
        """Return the evidence of some of the topics."""
        topics = tuple(self.scores.topics[row] for row in rows)

        def part(scores: ScoreMatrix) -> ScoreMatrix:
            return replace(scores, values=scores.values[:, rows], topics=topics)

        baselines = self.baselines and part(self.baselines)
        scores = part(self.scores)
        return replace(self, scores=scores, baselines=baselines, seed=seed, trials=trials)

    def without(self, run: str, trials: int) -> "Evidence":
        """Return the evidence of all other runs."""
        k = self.scores.runs.index(run)
        runs = tuple(name for name in self.scores.runs if name != run)
        left = replace(self.scores, values=np.delete(self.scores.values, k, axis=2), runs=runs)
        constant = tuple(name for name in self.constant if name != run)
        return replace(self, scores=left, constant=constant, trials=trials)


@dataclass(frozen=True)
class Rule:
    """A sentence about an Evidence: its text, and whether it is true, with what was seen.

    ``look`` returns None where the data cannot speak, for want of runs of a certain kind.
    """

    text: str
    look: Callable[[Evidence], tuple[bool, str] | None]


def alike(names: Sequence[str], least: float = SIMILAR) -> Rule:
    """Every two of the measures rank the runs alike."""

    def look(seen: Evidence) -> tuple[bool, str]:
        taus = {(a, b): seen.tau[a][b] for a, b in combinations(names, 2)}
        (a, b), low = min(taus.items(), key=itemgetter(1))
        return low >= least - 1e-9, f"least: {low:.2f} ({a}, {b})"

    return Rule(f"tau is at least {least:g} between any two of {', '.join(names)}", look)


def unlike(first: Sequence[str], second: Sequence[str], below: float = SIMILAR) -> Rule:
    """No measure of one group ranks the runs like one of the other."""

    def look(seen: Evidence) -> tuple[bool, str]:
        taus = {(a, b): seen.tau[a][b] for a, b in product(first, second)}
        (a, b), high = max(taus.items(), key=itemgetter(1))
        return high < below - 1e-9, f"largest: {high:.2f} ({a}, {b})"

    text = (
        f"tau is below {below:g} between any measure of {_list(first)} and any of {_list(second)}"
    )
    return Rule(text, look)


def nearer(one: str, first: Sequence[str], second: Sequence[str]) -> Rule:
    """One measure ranks the runs more like one group than like the other."""

    def look(seen: Evidence) -> tuple[bool, str]:
        near, far = (fmean(seen.tau[one][m] for m in group) for group in (first, second))
        return near > far + 1e-9, f"mean tau {near:.2f} and {far:.2f}"

    return Rule(f"mean tau of {one} is higher with {_list(first)} than with {_list(second)}", look)


def outlier(one: str, among: Sequence[str]) -> Rule:
    """One measure ranks the runs least like the others."""

    def look(seen: Evidence) -> tuple[bool, str]:
        means = {a: fmean(seen.tau[a][b] for b in among if b != a) for a in among}
        mine = means.pop(one)
        name, least = min(means.items(), key=itemgetter(1))
        return mine < least - 1e-9, f"{one} {mine:.2f}, next {name} {least:.2f}"

    return Rule(f"of {len(among)} measures {one} has the lowest mean tau with the others", look)


def order(what: str, first: Sequence[str], second: Sequence[str], tie: bool = False) -> Rule:
    """Every measure of the first group is above every one of the second; None if all are 0.

    Parameters
    ----------
    what
        ``consistency`` or ``differences``.
    tie
        Whether equal is enough.
    """

    def look(seen: Evidence) -> tuple[bool, str] | None:
        values = getattr(seen, what)
        if not any(values[name] for name in (*first, *second)):
            return None
        low, high = min(first, key=values.get), max(second, key=values.get)
        gap = values[low] - values[high]
        digits = ".3f" if what == "consistency" else ".0f"
        text = ", ".join(f"{name} {values[name]:{digits}}" for name in (low, high))
        return bool(gap > -1e-9 if tie else gap > 1e-9), text

    noun = {"consistency": "consistent", "differences": "discriminative"}[what]
    word = f"at least as {noun} as" if tie else f"more {noun} than"
    # All measures of a paper are there: the longer list is that of the others.
    whole = len(first) + len(second) in (len(SIX), 9)
    one, other = (
        f"the other {len(names)}" if whole and len(names) > 3 else _list(names)
        for names in (first, second)
    )
    return Rule(f"{'each of ' if len(first) > 1 else ''}{one} is {word} {other}", look)


def between() -> Rule:
    """RSNOD ranks the runs more like NMD than the nominal measures do."""

    def look(seen: Evidence) -> tuple[bool, str]:
        low = min(seen.tau["RSNOD"][m] for m in NOMINAL)
        middle, far = seen.tau["RSNOD"]["NMD"], max(seen.tau["NMD"][m] for m in NOMINAL)
        return low > middle + 1e-9 and middle > far + 1e-9, f"{low:.2f}, {middle:.2f}, {far:.2f}"

    text = "tau of RSNOD with any nominal measure > tau of RSNOD and NMD > tau of NMD with any of "
    return Rule(f"{text}{_list(NOMINAL)}", look)


def no_subset() -> Rule:
    """NMD finds differences which measures that find more do not find."""

    def look(seen: Evidence) -> tuple[bool, str] | None:
        more = [m for m in SIX[1:] if seen.differences[m] > seen.differences["NMD"]]
        alone = {m: seen.overlap["NMD", m]["first_only"] for m in more}
        beyond = sum(n > 0 for n in alone.values())
        text = ", ".join(f"{n} not by {m}" for m, n in alone.items())
        return (beyond > len(more) / 2, text) if more else None

    text = "NMD finds differences that most measures which find more of them do not find"
    return Rule(text, look)


def rare(names: Sequence[str], most: float = RARE) -> Rule:
    """Significant contradictions are few among the differences that two measures both find."""

    def look(seen: Evidence) -> tuple[bool, str] | None:
        found = [n for pair, n in seen.overlap.items() if set(pair) <= set(names)]
        both = sum(n["both"] for n in found)
        against = both - sum(n["agreeing"] for n in found)
        return (against <= most * both, f"{against} of {both}") if both else None

    text = f"at most {most:.0%} of what two of {len(names)} measures both find is a contradiction"
    return Rule(text, look)


def blind() -> Rule:
    """Kappa cannot tell constant runs apart, and alpha_ord can."""

    def look(seen: Evidence) -> tuple[bool, str] | None:
        if len(seen.constant) < 2:
            return None
        means = seen.scores.means().loc[list(seen.constant)]
        spread = np.ptp(means, axis=0)
        text = ", ".join(f"{m} {spread[m]:.3f}" for m in ("kappa", "alpha_ord"))
        return bool(spread["kappa"] < 1e-9 < spread["alpha_ord"]), f"apart by {text}"

    text = "runs that always return one class have the same kappa, and not the same alpha_ord"
    return Rule(text, look)


def popular() -> Rule:
    """NMD prefers the popularity baseline on more topics than any other measure does."""

    def look(seen: Evidence) -> tuple[bool, str] | None:
        if seen.baselines is None:
            return None
        uniform, popularity = BASELINES
        wins = topic_wins(seen.baselines, popularity, uniform)["first"].loc[list(SIX)]
        rest = wins.drop("NMD")
        if not wins.any():
            return None
        text = f"NMD on {wins['NMD']} topics, next {lowest(-rest)} on {rest.max()}"
        return bool(wins["NMD"] > rest.max()), text

    return Rule("NMD prefers BL-popularity to BL-uniform on more topics than any other", look)


def _list(names: Sequence[str]) -> str:
    """Write names; the groups of ACL'21 by theirs."""
    groups = {GROUP_A: "group A", GROUP_B: "group B"}
    return groups.get(tuple(names), ", ".join(names))


@dataclass(frozen=True)
class PaperClaim:
    """What a paper says, where it says so, and the rule that stands for it."""

    paper: str
    section: str
    says: str
    rule: Rule


def claims(kind: str) -> list[PaperClaim]:
    """Return the claims of ``rules.toml`` about ``classification`` or ``quantification``."""
    groups = {"GROUP_A": GROUP_A, "GROUP_B": GROUP_B, "SIX": SIX, "NINE_OQ": NINE_OQ}
    rules = (alike, unlike, nearer, outlier, order, between, no_subset, rare, blind, popular)
    by_name: Mapping[str, Callable[..., Rule]] = {rule.__name__: rule for rule in rules}
    text = files("ordbook.chapters").joinpath("rules.toml").read_text(encoding="utf-8")
    found = []
    for one in tomllib.loads(text)[kind]:
        said = {name: one.pop(name) for name in ("paper", "section", "says")}
        rule = by_name[one.pop("rule")]
        given = {k: groups.get(v, v) if isinstance(v, str) else v for k, v in one.items()}
        found.append(PaperClaim(**said, rule=rule(**given)))
    return found


@dataclass(frozen=True, eq=False)
class Studied:
    """A data set whole, in random halves of its topics, and without each one of its runs.

    A mean over a random half of n topics varies about the mean over all as much as means over new
    sets of n topics do about the truth, so that halves show how far the topics decide an answer.
    """

    whole: Evidence
    halves: Sequence[Evidence] = ()
    fewer_runs: Sequence[Evidence] = ()


def study(whole: Evidence, halves: int, splits: int, trials: int) -> Studied:
    """Cut a data set into the parts that rules are applied to, with splits and trials of theirs."""
    rng, n = np.random.default_rng(whole.seed), len(whole.scores.topics)
    part = replace(whole, splits=splits)
    parts = [
        part.of_topics(np.sort(rng.permutation(n)[: n // 2]).tolist(), whole.seed + k, trials)
        for k in range(1, halves + 1)
    ]
    return Studied(whole, parts, [part.without(run, trials) for run in whole.scores.runs])


def judge(rule: Rule, data: Studied) -> tuple[str, float, float, str]:
    """Return what was seen, the shares of halves and of sets less a run where a rule is true.

    Last comes the verdict. A share is NaN where the rule applies to none of the parts.
    """
    found = rule.look(data.whole)
    parts = (data.halves, data.fewer_runs)
    answers = ([one[0] for one in map(rule.look, part) if one] for part in parts)
    half, run = (float(np.mean(part)) if part else float("nan") for part in answers)
    seen = found[1] if found else "nothing to go by"
    return seen, half, run, verdict(found[0] if found else None, half, run)


def examine(
    task: Task,
    scores: ScoreMatrix,
    *,
    splits: int = 1000,
    trials: int = 5000,
    halves: int = 200,
    seed: int = 0,
) -> pd.DataFrame:
    """Decide for every finding about a kind of task whether it holds on this one.

    Parameters
    ----------
    task
        Asked for constant runs and, to add the two baselines, for gold distributions.
    scores
        Its scores by all measures of the book.
    splits, trials
        For the whole; on halves, and without runs, a fifth of the trials.
    halves
        How many.
    seed
        Of all random numbers.

    Returns
    -------
    DataFrame
        paper, section, says, rule, seen (the numbers), halves and runs (in which share of the
        halves, and without how many of the runs, the rule is true; NaN where it never applies)
        and verdict.
    """
    kind = "classification" if isinstance(task, ClassificationTask) else "quantification"
    whole = Evidence(scores, splits, trials, seed, _baselines(task, scores), constant_runs(task))
    few = ""
    if len(scores.runs) < LEAST_RUNS or len(scores.topics) < LEAST_TOPICS:
        few = f"fewer than {LEAST_RUNS} runs or {LEAST_TOPICS} topics"
    data = Studied(whole) if few else study(whole, halves, splits, max(100, trials // 5))
    nothing = (few, float("nan"), float("nan"), VERDICTS[2])
    rows = [
        (one.paper, one.section, one.says, one.rule.text)
        + (nothing if few else judge(one.rule, data))
        for one in claims(kind)
    ]
    heads = ["paper", "section", "says", "rule", "seen", "halves", "runs", "verdict"]
    return pd.DataFrame(rows, columns=heads)


def verdict(answer: bool | None, halves: float, runs: float) -> str:
    """Return ``holds``, ``does not hold`` or ``cannot be told``.

    The first two need the same answer on the whole, in 95% of the halves and without any run.

    Examples
    --------
    >>> verdict(True, 0.97, 1.0), verdict(False, 0.02, 0.0), verdict(False, 0.02, 0.1)
    ('holds', 'does not hold', 'cannot be told')
    """
    if answer is None:
        return VERDICTS[2]
    if not answer:
        halves, runs = 1 - halves, 1 - runs
    sure = halves >= SURE - 1e-9 and runs >= 1 - 1e-9
    return VERDICTS[1 - answer] if sure else VERDICTS[2]


def constant_runs(task: Task) -> tuple[str, ...]:
    """Return the runs that give every item the same class; none where labels are absent."""
    if not isinstance(task, ClassificationTask):
        return ()
    try:
        return checking.constant_runs(task)
    except RawDataMissing:
        return ()


def _baselines(task: Task, scores: ScoreMatrix) -> ScoreMatrix | None:
    """Return scores of the two baselines, where gold distributions allow them."""
    if set(BASELINES) <= set(scores.runs):
        return scores
    if not isinstance(task, QuantificationTask) or set(BASELINES) & set(task.runs):
        return None
    try:
        return score(task.with_baselines(), SIX)
    except RawDataMissing:
        return None


def winners(tests: SignificanceTests, measures: Sequence[str], alpha: float = 0.05) -> pd.DataFrame:
    """Return by measure the best run, and which others it is not significantly better than."""
    rows = {}
    for measure in measures:
        means = tests.means[measure] * (1 if tests.better[measure] == "low" else -1)
        first, *others = means.sort_values(kind="stable").index
        rest = [run for run in others if tests.p[measure].loc[first, run] >= alpha]
        rows[measure] = {
            "best": lowest(means),
            "better than": f"{len(others) - len(rest)} of {len(others)}",
            "but not than": ", ".join(rest) or "none",
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("measure")


def advice(
    task: ClassificationTask | QuantificationTask,
    scores: ScoreMatrix,
    own: Sequence[Measure],
    splits: int,
    trials: int,
    seed: int,
) -> pd.DataFrame:
    """Return which measure is primary and which secondary, why, and what speaks against it."""
    few = scores.select([*COMPARED[task.kind], *(measure.name for measure in own)])
    steady = {
        name: ranking_consistency(few, size, splits, seed)
        for name, size in split_sizes(few).items()
    }
    tests = tukey_hsd(few, trials, seed)
    found = advise(few, tests, steady, ranking_similarity(few), task, own=own)
    names = ["why"] * len(found.why) + ["doubt"] * len(found.doubts)
    head = f"primary: {found.primary}; secondary: {found.secondary or 'none'}"
    return pd.DataFrame({head: [*found.why, *found.doubts]}, index=names)


def topics_for_a_quarter(scores: ScoreMatrix) -> pd.DataFrame:
    """Return how many topics find a quarter of each measure's spread, or why that is unknown."""
    if reason := unfit(scores):
        return pd.DataFrame({"why": [reason]}, index=["no design"])
    some = with_differences(scores)
    wanted = (np.ptp(some.means(), axis=0) / 4).tolist()
    found = topic_set_size(some, dict(zip(some.measures, wanted, strict=True)))
    return found.sort_values("topics")[["topics", "at_hand", "power"]]


def claims_table(
    found: pd.DataFrame, elsewhere: Mapping[str, pd.Series], caption: str, name: str
) -> Table:
    """Show what :func:`examine` found, a finding and its rule in a cell.

    Parameters
    ----------
    found
        From :func:`examine`.
    elsewhere
        Name of another task -> its verdicts, where there are some.
    caption, name
        As for :func:`ordbook.show.show.table`.
    """
    rows: list[tuple[Pieces, ...]] = []
    for at, row in found.iterrows():
        said = (("", row["says"]), ("interval", f"{row['paper']}, {row['section']}: {row['rule']}"))
        verdicts = [row["verdict"], *(str(there.get(at, "")) for there in elsewhere.values())]
        shares = ["" if row[of] != row[of] else f"{row[of]:.0%}" for of in ("halves", "runs")]
        rows.append((said, *((("", text),) for text in (*verdicts, row["seen"], *shares))))
    heads = ("finding, and its rule", "here", *elsewhere, "seen", "halves", "runs")
    return Table(heads, tuple(rows), caption, name)
