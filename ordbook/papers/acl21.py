"""The checks of ACL'21: tables of correlations (2, 5, 8) and of consistency (3, 6, 9), properties.

Correlations rest on what Kendall's tau is for rankings of m runs without ties: of T = m(m-1)/2
pairs of runs C are ordered alike and D are not, C + D = T and tau = (C - D)/T, so D = T(1 - tau)/2
is a whole number. All 147 taus give one, and every three an even sum, although two baselines stand
twice among the DQ runs: the paper breaks ties, how it does not say.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from functools import cache
from math import sqrt

import numpy as np
import pandas as pd
from scipy.sparse.csgraph import connected_components
from scipy.stats import studentized_range

from ordbook.advice.criteria import FEWEST_RUNS, SAME, level, ranks_from_best
from ordbook.data.catalog import catalog
from ordbook.data.loading import load
from ordbook.data.printed import DISTRIBUTIONS, LABELS, printed_values
from ordbook.data.scoring import score
from ordbook.measures import CLASSIFICATION, QUANTIFICATION, kappa
from ordbook.meta.discrimination import discriminative_power, p_curves
from ordbook.meta.seeds import SURE
from ordbook.meta.significance import SignificanceTests, tukey_hsd
from ordbook.meta.similarity import RankingSimilarity, ranking_similarity
from ordbook.papers.claims import PAPER_CLAIMS
from ordbook.papers.comparison import Ours
from ordbook.papers.dialeval1 import PARTS, means_of_overview
from ordbook.papers.draws import Draws, committed
from ordbook.papers.formulas import named
from ordbook.papers.kinds.correlations import discordant, pairs_of, pairs_of_runs
from ordbook.papers.kinds.ranked import List
from ordbook.papers.ledger import LOST
from ordbook.papers.montecarlo import (
    consistency_over_seeds,
    mean_tau,
    power_over_seeds,
    printed_means,
    printed_tau,
)
from ordbook.papers.relations import (
    NOISE,
    SIZE,
    Cell,
    CheckResult,
    Printed,
    Relation,
    all_beside,
    beside,
    condition,
    exact,
    rounded,
    value_of,
)
from ordbook.papers.tables import ACL21, DNKT

DQ = "DQ-{A, E, S}"
at = ACL21.at
# A grade is relative, but not where the difference is of no consequence: mean taus this close to
# the best are as good, and so many significant pairs more or fewer say nothing.
CLOSE_TAU = 0.01
CLOSE_PAIRS = 2
# Part of Table 5 -> its score type.
SCORES: Mapping[str, str] = {"5i": "A", "5ii": "E", "5iii": "S"}
# Part of Table 5 -> DNKT's table of the same runs.
DNKT_TABLES: Mapping[str, str] = {"5i": "13", "5ii": "15", "5iii": "17"}


def relations(printed: Printed) -> list[Relation]:
    """Return the checks of ACL'21."""
    return [
        *_means_of_dialeval(printed),
        *_taus_of_dnkt(printed),
        *(_tukey(printed, table) for table, entry in ACL21.tables.items() if "symbols" in entry),
        *_ticks(printed),
        *_definitions(),
        *_similarity(printed),
        *_official(),
    ]


def _means_of_dialeval(printed: Printed) -> Iterator[Relation]:
    """Table 5's tau of RSNOD and NMD against the means of the same 22 runs in DialEval-1.

    DialEval-1 prints both measures' means with four digits: Tables 4 to 6 for Chinese, 9 to 11
    for English runs. Runs whose printed means differ are ordered; where they are equal (the two
    baselines that are the same in both languages, and one pair more in E) any order is allowed.
    DQ-A needs it: its tau fits only if both baselines are ordered otherwise by the two measures.
    """
    for part, kind in SCORES.items():
        cell, runs = at(part, "RSNOD", "NMD"), at("1", DQ, "#runs used")
        columns = [means_of_overview(printed, kind, name) for name in (cell.row, cell.column)]

        def test(
            printed: Printed,
            cell: Cell = cell,
            runs: Cell = runs,
            columns: Sequence[Sequence[Cell]] = columns,
        ) -> CheckResult:
            means = np.array([[float(printed[mean]) for mean in column] for column in columns])
            first, second = np.triu_indices(means.shape[1], 1)
            signs = np.sign(means[:, first] - means[:, second]).prod(axis=0)
            free, pairs = np.count_nonzero(signs == 0), pairs_of_runs(printed[runs])
            low, high = int(signs.sum()) - free, int(signs.sum()) + free
            number = discordant(printed[cell], pairs)
            text = f"C - D is {low} to {high} by the means"
            if number is None or len(signs) != pairs:
                return CheckResult(False, f"{text} of {len(signs)} pairs, printed {printed[cell]}")
            agreement = pairs - 2 * number
            text += f"; printed {printed[cell]}, which is {agreement}/{pairs}"
            return CheckResult(bool(low <= agreement <= high), text)

        relies = "the means of the same runs in DialEval-1, Tables " + " and ".join(
            PARTS[f"DQ-{kind}"]
        )
        yield Relation("interval", (cell, runs, *columns[0], *columns[1]), test, relies)


def _taus_of_dnkt(printed: Printed) -> Iterator[Relation]:
    """Hold Table 5 to DNKT's tau of the same 22 runs, which counts tied pairs 0 (Tables 13 to 17).

    ACL'21 breaks ties. Two pairs are the same baseline twice; up to three more are equal in the
    four decimals to which DNKT rounds means. So C - D may differ by five.
    """

    def near(tau: Decimal, other: Decimal, runs: Decimal) -> bool:
        return abs(tau - other) <= Decimal(5) / pairs_of(runs) + Decimal("0.001")

    for part, table in DNKT_TABLES.items():
        for tau in ACL21.cells(printed, part):
            other = DNKT.between(printed, table, tau.row, tau.column)
            if other in printed:
                cells = (
                    tau,
                    other,
                    DNKT.at(f"caption{table}", f"DialEval-1 DQ-{SCORES[part]}", "runs"),
                )
                relies = "the same runs in DNKT, where the few tied pairs count 0"
                yield exact("interval", cells, near, relies, f"tau, and Table {table} of DNKT")


# -- consistency -------------------------------------------------------------------------------


@cache
def _quantile(p: float, n: int) -> float:
    return float(studentized_range.isf(p, n, np.inf))


def _tukey(printed: Printed, table: str) -> Relation:
    """Hold the symbols to the critical difference that V_E2 and the means give (Section 5.2).

    The randomised test exchanges the taus of one split. Under it the difference of two means over
    N splits has 2/N times the variance of the taus within splits, (N-1)/N V_E2 plus the variance
    of the means, and the largest is nearly a studentised range of the n measures. With B trials
    the share alpha is met up to sqrt(alpha(1 - alpha)/B).
    """
    caption = ACL21.tables[table]["symbols"]
    split = List.of(ACL21, table, "mean tau", printed, caption)
    matrix = ACL21.cells(printed, caption, "V_E2 matrix")
    splits = next(cell for cell in matrix if cell.column in ("trials", "splits"))
    levels = [at("s5.2", "randomised Tukey HSD", column) for column in ("alpha", "trials")]
    single = [at(table, "all measures", "V_E2"), splits, *levels]

    def test(printed: Printed) -> CheckResult:
        gaps, means = split.gaps(printed), [rounded(printed[c]) for c in split.means]
        residual = rounded(printed[single[0]])
        n, alpha, trials = (float(value_of(printed[c])) for c in single[1:])
        if gaps is None or not n or not trials or not 0 < alpha < 1:
            return CheckResult(False, "no such test")
        error = SURE * sqrt(alpha * (1 - alpha) / trials)
        spread = float(np.std([mean.middle for mean in means], ddof=1))
        off = float(np.max([mean.high - mean.low for mean in means])) / 2
        off *= sqrt(len(means) / (len(means) - 1))
        low, high = (
            _quantile(p, len(means)) * sqrt(((n - 1) / n * v + sd**2) / n)
            for p, v, sd in (
                (min(alpha + error, 1 - NOISE), max(residual.low, 0), max(spread - off, 0)),
                (max(alpha - error, NOISE), residual.high, spread + off),
            )
        )
        text = f"critical difference {low:.4f} to {high:.4f}, by the symbols {gaps[0]:.3f} to "
        text += f"{gaps[1]:.3f}"
        if gaps[0] <= _quantile(alpha, len(means)) * sqrt(spread**2 / n) <= gaps[1]:
            text += "; the means alone would give that, so a smaller V_E2 would do, too"
        return CheckResult(low <= gaps[1] + NOISE and gaps[0] <= high + NOISE, text)

    relies = "the randomised Tukey HSD test of Section 5.2, from V_E2 and the means"
    return Relation("p-value", (*split.cells, *single), test, relies)


# -- properties and definitions ------------------------------------------------------------------


def _ticks(printed: Printed) -> Iterator[Relation]:
    """Hold the ticks of Tables 4 (i) to (iii) and 7 (i), (ii) to the properties of the measures.

    ``ordbook.papers.claims`` has them, each proved or refuted by a kept counterexample.
    """
    for claim in PAPER_CLAIMS:
        cell = at(claim.place.removeprefix("Table "), claim.measure, claim.claim)
        if claim.paper == ACL21.name and printed.get(cell, LOST) != LOST:
            true = (claim.printed == "yes") != (claim.verdict == "refuted")
            relies = f"properties of {claim.measure}, ordbook.papers.claims: {claim.verdict}"
            holds = ("✓" if true else "blank").__eq__
            yield condition("claim", (cell,), holds, relies, "yes" if true else "no")


def _definitions() -> Iterator[Relation]:
    """Section 3.1: kappa of constant runs, and the labels that alpha counts."""
    gold = np.repeat(np.arange(5), (1, 2, 3, 2, 4))
    values = {kappa(gold, np.full_like(gold, label)) for label in np.unique(gold)}
    constant = at("s3.1", "kappa of a run that always returns one class", "value")
    for value in sorted(values):
        yield beside(constant, float(value), "Eq. 5", family="example")
    for says, labels in (
        ("gold and run both say i", "ii"),
        ("one of gold and run says i", "ij"),
        ("neither says i", "jk"),
    ):
        cell = at("s3.1", f"alpha label count, {says}", "value")
        relies = "Section 3.1: the number of labels that say i"
        yield beside(cell, float(labels.count("i")), relies, family="example")


def _similarity(printed: Printed) -> Iterator[Relation]:
    """Kendall's tau between the rankings of the runs by every two measures."""
    relies = "mean scores over topics, tau-a"
    for table, agreement in similarity().items():
        yield from all_beside(ACL21.cells(printed, table), agreement.cells(), relies)


def similarity() -> dict[str, RankingSimilarity]:
    """Return the agreement of the measures of Tables 2(i) and 8(i), by table."""
    sets = {"2i": ("sem16t4c", LABELS), "8i": ("sem16t4e", DISTRIBUTIONS)}
    return {
        table: ranking_similarity(score(load(name), list(measures)))
        for table, (name, measures) in sets.items()
    }


def _official() -> Iterator[Relation]:
    """Rank of the baseline that calls every tweet neutral, by the pooled measures."""
    pooled = score(load("sem16t4c"), ["MAE_M", "MAE_mu"], aggregate="pooled").means()
    ranks = pooled.rank(method="min").loc["_baseline-majority-0"].astype(int).to_dict()
    relies = "SemEval's own pooling of all tweets"
    top = {1: "top"}.get(ranks["MAE_mu"], str(ranks["MAE_mu"]))
    for measure, rank in (("MAE_M", ranks["MAE_M"]), ("MAE_mu", top)):
        cell = ACL21.at("s5.1", f"SemEval-2016 neutral baseline by {measure}", "rank")
        yield beside(cell, rank, relies)
    runs = ACL21.at("s5.1", "SemEval-2016 Subtask C runs")
    yield beside(runs, len(pooled), "the run files of the catalogue", SIZE)


# -- the values of ours -----------------------------------------------------------------------

_SIMILARITY, _CONSISTENCY = ("5i", "5ii", "5iii"), (("6a", "6c", "6e"), ("6b", "6d", "6f"))


@committed("acl21", "sem16t4c", "sem16t4e")
def by_chance(seeds: int) -> Draws:
    """Repeat the consistencies of Tables 3(a), 3(b) and 9(i), and the significance tests."""
    labels = score(load("sem16t4c"), LABELS)
    distributions = score(load("sem16t4e"), DISTRIBUTIONS)
    power = power_over_seeds(labels, 5000, seeds)
    return {
        "3a": consistency_over_seeds(labels, None, 1000, seeds),
        "3b": consistency_over_seeds(labels, 10, 1000, seeds),
        "9i left": consistency_over_seeds(distributions, None, 1000, seeds),
        "9i right": consistency_over_seeds(distributions, 10, 1000, seeds),
        "power": {(measure, "pairs"): spread for measure, spread in power.items()},
    }


@cache
def _tests(trials: int) -> Mapping[str, SignificanceTests]:
    """Test the pairs of runs of SemEval-2016: panel -> tests."""
    panels = {"1(i)": ("sem16t4c", LABELS), "3(i)": ("sem16t4e", DISTRIBUTIONS)}
    return {
        panel: tukey_hsd(score(load(name), list(measures)), trials)
        for panel, (name, measures) in panels.items()
    }


def significant_pairs(trials: int) -> dict[str, pd.Series]:
    """Count the significant pairs of Figures 1(i) and 3(i): panel -> measure -> number."""
    return {
        panel: discriminative_power(tests)["significant"] for panel, tests in _tests(trials).items()
    }


def curves(trials: int) -> None:
    """Draw Figures 1(i) and 3(i): the share of pairs with at most each p-value, by measure."""
    import matplotlib.pyplot as plt  # only this function draws

    from ordbook.show import charts
    from ordbook.show.colours import TIED, WIDTH

    _, panels = plt.subplots(2, 1, figsize=(WIDTH, 6), layout="constrained")
    for axes, (panel, tests) in zip(panels, _tests(trials).items(), strict=True):
        levels = np.linspace(0, 0.5, 101)
        p = p_curves(tests)
        shares = {m: (p[m].to_numpy() <= levels[:, None]).mean(axis=1) for m in p}
        axes.axvline(0.05, color=TIED, ls="--", lw=1)
        axes.set(xlim=(0, 0.5), ylim=(0, 1), ylabel="share of the pairs of runs")
        axes.set_xlabel(f"p-value at most, as Figure {panel}")
        charts.curves(pd.DataFrame(shares, levels), axes, marks=False)


def recomputed(seeds: int = 1000) -> dict[str, Ours]:
    """Recompute the paper's tables as far as possible, with many seeds for random ones.

    Returns table -> values of ours, as for :func:`ordbook.compare`. Tables 4 and 7 follow by
    rules from ours where there are some, and from other printed tables.
    """
    tables = dict(by_chance(seeds))
    tau = {table: agreement.tau for table, agreement in similarity().items()}
    power = {measure: spread.mean for (measure, _), spread in tables.pop("power").items()}  # type: ignore[union-attr]
    consistency = [mean_tau(tables["3a"]), mean_tau(tables["3b"])]
    runs = len(load("sem16t4c").runs)
    return {
        **tables,
        **tau,
        "1": _data_sets(),
        "4": _table_4(tau["2i"], consistency, pd.Series(power), runs),
        "7": _table_7(),
    }


def _data_sets() -> dict[tuple[str, str], str | float]:
    """Return the rows of Table 1 about the data sets of SemEval, from the catalogue."""
    types = {"classification": "OC", "quantification": "OQ"}
    cells: dict[tuple[str, str], str | float] = {}
    for row in ("Sem16T4C", "Sem17T4C", "Sem16T4E", "Sem17T4E"):
        task, known = load(row.lower()), catalog()[row.lower()]
        named = re.match(r"(\S+) (Task \d+), subtask (\w)", known.title)
        if named is None:
            raise ValueError(f"{row}: the catalogue's title names no venue, task and subtask")
        cells[row, "Evaluation venue"] = named[1]
        cells[row, "Task/subtask"] = f"{named[2]} Subtask {named[3]}"
        cells[row, "Task type"] = types[known.kind]
        cells[row, "#ordinal classes"] = len(task.classes)
        cells[row, "Test data sample size"] = len(task.topics)
        if task.runs:
            cells[row, "#runs used"] = len(task.runs)
    return cells


def consistent(kinds: Sequence[pd.Series], runs: int) -> pd.Series:
    """Grade mean tau: among the best three in every kind of split is good, the worst two poor.

    The words of ACL'21's Sections 5.2 and 6.2; its Table 7 calls *good* what is *fair* here. A
    measure within ``CLOSE_TAU`` of the best in every kind of split is good whatever its rank.
    ``kinds`` holds mean tau by measure for each kind of split.
    """
    names = kinds[0].index
    if runs < FEWEST_RUNS:
        return pd.Series("too few runs", names)
    means = np.stack([level(split.loc[names]) for split in kinds], axis=1)
    ranks = np.stack([ranks_from_best(mean) for mean in means.T], axis=1)
    grades = np.full(len(names), "fair", dtype=object)
    grades[(ranks > len(ranks) - 2).all(axis=1)] = "poor"
    close = (means >= np.nanmax(means, axis=0) - CLOSE_TAU - SAME).all(axis=1)
    grades[(ranks <= 3).all(axis=1) | close] = "good"
    return pd.Series(grades, names)


def discriminative(significant: pd.Series) -> pd.Series:
    """Grade numbers of significant differences: 10% above the median is good, 10% below poor.

    A number within ``CLOSE_PAIRS`` of the median is fair.
    """
    if not significant.any():
        return pd.Series("finds none", significant.index)
    numbers = significant.to_numpy(float)
    median = np.nanmedian(numbers)
    gap, limit = numbers - median, 0.1 * median + SAME
    enough = np.abs(gap) > CLOSE_PAIRS
    grades = np.select([enough & (gap > limit), enough & (gap < -limit)], ["good", "poor"], "fair")
    return pd.Series(grades, significant.index)


def _groups(taus: Sequence[pd.DataFrame], anchors: Mapping[str, str], other: str) -> pd.Series:
    """Put measures into one group if tau reaches .8 in every data set, directly or by a chain.

    ``anchors`` gives the letter of the group of a measure, and ``other`` that of all other groups.
    """
    least = np.min([tau.to_numpy() for tau in taus], axis=0)
    # .8 is the paper's limit between two colours.
    group = pd.Series(connected_components(least >= 0.8 - SAME)[1], taus[0].index)
    letters = {group[measure]: letter for measure, letter in anchors.items()}
    return group.map(lambda number: letters.get(number, other))


def _table_4(
    similar: pd.DataFrame, consistency: Sequence[pd.Series], counts: pd.Series, runs: int
) -> dict[tuple[str, str], str]:
    """Derive Table 4: SemEval-2016 is ours, SemEval-2017 as printed in Tables 2(ii), 3(c), (d)."""
    names = list(LABELS)
    later = [printed_means(part)[names] for part in ("3c", "3d")]
    both = [
        (ours[names] + printed_later) / 2
        for ours, printed_later in zip(consistency, later, strict=True)
    ]
    anchors = {"accuracy": "B", "alpha_ord": "A"}
    taus = [similar.loc[names, names], printed_tau("2ii", names)]
    graded = {
        "(iv) system ranking similarity": _groups(taus, anchors, "A/B"),
        "(v) system ranking consistency": consistent(both, runs),
        "(vi) discriminative power": discriminative(counts[names]),
    }
    grades = {(m, column): str(grade[m]) for column, grade in graded.items() for m in names}
    for name in names:
        measure = CLASSIFICATION[name]
        grades[name, "(i) handles ordinal classes"] = _tick(measure.ordinal)
        grades[name, "(ii) handles systems that always return the same class"] = _tick(
            measure.constant_runs
        )
        grades[name, "(iii) handles class imbalance"] = _tick(measure.imbalance)
    return grades


def _table_7() -> dict[tuple[str, str], str]:
    """Derive Table 7 from Tables 5 and 6, and from the counts that LQ'21 prints of these runs."""
    names = list(DISTRIBUTIONS)
    derived = {
        (name, column): str(grades[name])
        for column, grades in _printed_grades().items()
        for name in names
    }
    for name in names:
        derived[name, "(i) handles ordinal classes"] = _tick(QUANTIFICATION[name].ordinal)
        derived[name, "(ii) symmetric"] = _tick(QUANTIFICATION[name].symmetric)
    return derived


def _printed_grades() -> dict[str, pd.Series]:
    names = list(DISTRIBUTIONS)
    power = printed_values("lq21", "3")
    power = power[power["row"].str.startswith("DialEval-1")]
    sums = power["printed"].astype(float).groupby(power["column"]).sum()
    counts = pd.Series({name: sums[f"{name} S_D"] for name in names})
    taus = [printed_tau(part, names) for part in _SIMILARITY]
    consistency = [[printed_means(part)[names] for part in parts] for parts in _CONSISTENCY]
    return _grades_7(taus, consistency, counts)


def _grades_7(
    taus: Sequence[pd.DataFrame], consistency: Sequence[Sequence[pd.Series]], counts: pd.Series
) -> dict[str, pd.Series]:
    kinds = [pd.concat(parts, axis=1).sum(axis=1) for parts in consistency]
    return {
        "(iii) system ranking similarity": _groups(taus, {"RNOD": "Y"}, "X"),
        # Whoever is not poor is good there.
        "(iv) system ranking consistency": consistent(kinds, 22).replace("fair", "good"),
        "(v) discriminative power": discriminative(counts),
    }


def _tick(holds: bool | None) -> str:
    return "✓" if holds else "blank"


# -- named functions of formulas.csv -------------------------------------------------------------


@named
def grouped(word: str, cells: Sequence[str], inside: int) -> bool:
    """Whether letters come first, then so many tau within groups that exceed all between them."""
    letters, rest = cells[: len(word)], [value_of(text) for text in cells[len(word) :]]
    return [*letters] == [*word] and min(rest[:inside]) > max(rest[inside:])


@named
def between_groups(letter: str, texts: Sequence[str]) -> bool:
    """Whether CEM_ORD, of no group, is nearer to the first group than to the second."""
    numbers = [value_of(text) for text in texts]
    first, second, within, other = numbers[:5], numbers[5:7], numbers[7:17], numbers[17]
    near = 5 * sum(second) < 2 * sum(first) < sum(within) and sum(second) < 2 * other
    return letter == "A/B" and near


@named
def sizes(text: str, first: str, second: str, baselines: str) -> bool:
    """Whether a text has the numbers of runs of both languages, with baselines, and of each."""
    both, more = (int(first), int(second)), value_of(baselines)
    printed = [int(number) for number in re.findall("[0-9]+", text)]
    return printed == [sum(both) + 2 * more, *(number + more for number in both)]


@named
def consistency_grades(tops: Sequence[str], lasts: Sequence[str], grades: Sequence[str]) -> bool:
    """Whether the grades of consistency are those of the measures said to be first and last."""
    top, last = {*tops} == {"alpha_ord alpha_int kappa"}, {*lasts} == {"CEM_ORD accuracy"}
    return top and last and " ".join(grades) == "good good fair fair fair fair poor poor"


@named
def quantification_grades(tops: Sequence[str], lasts: Sequence[str], grades: Sequence[str]) -> bool:
    """Whether this is so of the measures of distributions."""
    named_so = {*tops} == {"RSNOD"} and {*lasts} == {"NMD"}
    return named_so and " ".join(grades) == "good good good good poor poor"


@named
def power_grades(top: str, last: str, grades: Sequence[str]) -> bool:
    """Whether this is so of discriminative power."""
    named_so = top == "kappa" and last == "CEM_ORD accuracy MAE_M MAE_mu"
    return named_so and " ".join(grades) == "good fair fair fair poor poor poor poor"


@named
def leads_but_second(numbers: Sequence[Decimal]) -> bool:
    """Whether the first of six numbers is below the others in the first and third six alone."""
    first, second, third = numbers[:6], numbers[6:12], numbers[12:]
    below = first[0] < min(first[1:]) and third[0] < min(third[1:])
    return below and second[0] > min(second[1:])
