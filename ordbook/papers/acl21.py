"""The checks of ACL'21: tables of correlations (2, 5, 8) and of consistency (3, 6, 9), properties.

Correlations rest on what Kendall's tau is for rankings of m runs without ties: of T = m(m-1)/2
pairs of runs C are ordered alike and D are not, C + D = T and tau = (C - D)/T, so D = T(1 - tau)/2
is a whole number. All 147 taus give one, and every three an even sum, although two baselines stand
twice among the DQ runs: the paper breaks ties, how it does not say.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from ordbook.data.loading import load
from ordbook.data.printed import DISTRIBUTIONS, LABELS, printed_values
from ordbook.data.scores import ScoreMatrix
from ordbook.data.scoring import score
from ordbook.measures import kappa
from ordbook.meta.consistency import ranking_consistency
from ordbook.meta.discrimination import discriminative_power, p_curves
from ordbook.meta.seeds import Spread, over_seeds
from ordbook.meta.significance import SignificanceTests, tukey_hsd
from ordbook.meta.similarity import RankingSimilarity, ranking_similarity
from ordbook.papers.claims import PAPER_CLAIMS
from ordbook.papers.comparison import Ours
from ordbook.papers.dialeval1 import PARTS, means_of_overview
from ordbook.papers.draws import Draws, Seen, committed
from ordbook.papers.formulas import named
from ordbook.papers.kinds.correlations import discordant, pairs_of_runs
from ordbook.papers.kinds.sizes import of_catalogue
from ordbook.papers.ledger import LOST
from ordbook.papers.relations import (
    SIZE,
    Cell,
    CheckResult,
    Printed,
    Relation,
    all_beside,
    beside,
    condition,
    value_of,
)
from ordbook.papers.tables import ACL21

DQ = "DQ-{A, E, S}"
at = ACL21.at
# Part of Table 5 -> its score type.
SCORES: Mapping[str, str] = {"5i": "A", "5ii": "E", "5iii": "S"}


def relations(printed: Printed) -> list[Relation]:
    """Return the checks of ACL'21."""
    return [
        *_means_of_dialeval(printed),
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


# -- consistency -------------------------------------------------------------------------------


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

# Symbol -> the number of worst measures that a measure outperforms, in ACL'21.
WORST = {symbol: 8 - place for place, symbol in enumerate("♯♭♠♣♥♦‡†")} | {"blank": 0}


def consistency_over_seeds(
    scores: ScoreMatrix, size: int | None, splits: int, seeds: int
) -> dict[tuple[str, str], Spread | Seen | int]:
    """Compute a table such as ACL'21's Tables 3 and 9 once for every seed.

    Parameters
    ----------
    scores, size, splits
        As for :func:`ordbook.ranking_consistency`.
    seeds
        Number of seeds for mean tau and V_E2. The significance tests take longer: a tenth of the
        seeds, at least 100, is theirs.

    Returns
    -------
    dict
        By (row, column) as printed tables name them: (measure, ``mean tau``), (measure,
        ``outperforms``), the symbols for how many worst measures it significantly outperforms,
        (``all measures``, ``V_E2``) and (``test sets``, ``size 1`` or ``size 2``).
    """
    sizes = ranking_consistency(scores, size, 1).sizes

    def averages(seed: int) -> dict[tuple[str, str], float]:
        consistency = ranking_consistency(scores, size, splits, seed, threads=1)
        means = {(str(name), "mean tau"): tau for name, tau in consistency.mean.items()}
        return {**means, ("all measures", "V_E2"): consistency.v_e2}

    def tests(seed: int) -> dict[tuple[str, str], float]:
        consistency = ranking_consistency(scores, size, splits, seed, threads=1)
        worst = consistency.outperforms_worst()
        return {(str(name), "outperforms"): number for name, number in worst.items()}

    marks = over_seeds(tests, max(100, seeds // 10))
    return {
        **over_seeds(averages, seeds),
        **{cell: _symbols(worst) for cell, worst in marks.items()},
        **{("test sets", f"size {k}"): number for k, number in enumerate(sizes, 1)},
    }


def _symbols(worst: Spread) -> Seen:
    """Write numbers of outperformed measures as ACL'21 does; beyond its eight, as numbers."""
    symbols = {number: symbol for symbol, number in WORST.items()}
    return Seen(Counter(symbols.get(int(n), f"{n:.0f}") for n in worst.draws))


def mean_tau(cells: Mapping[tuple[str, str], Any], seed: int | None = None) -> pd.Series:
    """Return measure -> mean tau of :func:`consistency_over_seeds`: of one seed, or over all."""
    spreads = {name: spread for (name, what), spread in cells.items() if what == "mean tau"}
    return pd.Series({m: s.mean if seed is None else s.values[seed] for m, s in spreads.items()})


def printed_means(part: str) -> pd.Series:
    """Return measure -> the mean tau that such a part prints."""
    values = printed_values("acl21", part)
    taus = values[values["column"] == "mean tau"]
    return pd.Series(taus["printed"].astype(float).to_numpy(), index=taus["row"].to_numpy())


@committed("acl21", "sem16t4c", "sem16t4e")
def by_chance(seeds: int) -> Draws:
    """Repeat the consistencies of Tables 3(a), 3(b) and 9(i)."""
    labels = score(load("sem16t4c"), LABELS)
    distributions = score(load("sem16t4e"), DISTRIBUTIONS)
    return {
        "3a": consistency_over_seeds(labels, None, 1000, seeds),
        "3b": consistency_over_seeds(labels, 10, 1000, seeds),
        "9i left": consistency_over_seeds(distributions, None, 1000, seeds),
        "9i right": consistency_over_seeds(distributions, 10, 1000, seeds),
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

    Returns table -> values of ours, as for :func:`ordbook.compare`.
    """
    tau = {table: agreement.tau for table, agreement in similarity().items()}
    return {**by_chance(seeds), **tau, "1": of_catalogue(ACL21, "1")}


# -- named functions of formulas.csv -------------------------------------------------------------


@named
def grouped(word: str, cells: Sequence[str], inside: int) -> bool:
    """Whether letters come first, then so many tau within groups that exceed all between them."""
    letters, rest = cells[: len(word)], [value_of(text) for text in cells[len(word) :]]
    return [*letters] == [*word] and min(rest[:inside]) > max(rest[inside:])
