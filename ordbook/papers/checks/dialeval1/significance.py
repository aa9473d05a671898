"""Tables 14 to 29 of the DialEval-1 overview: effect sizes, p-values, and who is listed."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, pairwise
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.optimize import linprog, minimize_scalar
from scipy.stats import studentized_range

from ordbook.data.printed import printed_values
from ordbook.meta.seeds import SURE
from ordbook.papers.checks.dialeval1.tables import Ranking, rankings, said
from ordbook.papers.checks.tools import DIALEVAL1
from ordbook.papers.ledger import LOST
from ordbook.papers.relations import (
    NOISE,
    Cell,
    CheckResult,
    Printed,
    Relation,
    Rounded,
    condition,
    minus,
    ordered,
    over,
    plus,
    relate,
    rounded,
)

TRIALS = said("s5.1", "randomised Tukey HSD B", "trials")
# What is listed as significant. Section 5.1 prints it as 0.5, see data/published/errata.toml.
LEVEL = 0.05
# Below so many trials of the randomisation test a p says little, and its tail may be heavier
# than the studentised range's.
LEAST_TRIALS = 10


class Pair(NamedTuple):
    """Two runs of which one is significantly better."""

    better: str
    worse: str
    p: Cell
    effect: Cell


@dataclass(frozen=True)
class Significance:
    """One of Tables 14 to 29.

    Attributes
    ----------
    table
        Its number.
    ranking
        The means that it compares, after its caption.
    pairs
        The listed pairs in printed order, rows and lists from the best run to the worst.
    legible
        Those whose numbers the text extraction has kept.
    """

    table: str
    ranking: Ranking
    pairs: tuple[Pair, ...]
    legible: tuple[Pair, ...]

    def pair(self, better: str, worse: str) -> Pair | None:
        """Return a listed pair, or None."""
        return next((p for p in self.pairs if (p.better, p.worse) == (better, worse)), None)

    def means(self, pair: Pair) -> tuple[Cell, Cell]:
        """Return where the means of both runs stand."""
        return self.ranking.cell(pair.better), self.ranking.cell(pair.worse)

    @property
    def effects(self) -> list[Cell]:
        """The legible effect sizes."""
        return [pair.effect for pair in self.legible]

    @property
    def shares(self) -> list[Cell]:
        """The legible p-values."""
        return [pair.p for pair in self.legible]

    @property
    def ruler(self) -> Pair:
        """The pair farthest apart in its row, first row first: it fixes V_E1 best."""
        first = self.legible[0].better
        return [pair for pair in self.legible if pair.better == first][-1]

    def lines(self) -> Iterator[list[Pair]]:
        """Yield the legible pairs of every row and column, from the closest runs to the farthest.

        Rows and lists stand in the order of the means.
        """
        for name in self.ranking.runs:
            yield [pair for pair in self.legible if pair.better == name]
        for name in self.ranking.runs:
            yield [pair for pair in self.legible if pair.worse == name][::-1]

    def unlisted(self) -> Iterator[tuple[str, str]]:
        """Yield every pair that the table does not list, the better run first."""
        listed = {(pair.better, pair.worse) for pair in self.pairs}
        return (pair for pair in combinations(self.ranking.runs, 2) if pair not in listed)


Tests = dict[tuple[str, str, str], Significance]


def significances(printed: Printed) -> Tests:
    """Return Tables 14 to 29, by the part, language and measure of their captions."""
    found = {}
    for number, (key, ranking) in enumerate(rankings(printed).items(), start=14):
        pairs = []
        for cell in DIALEVAL1.cells(printed, str(number)):
            worse, _, what = cell.column.rpartition(" ")
            if what == "p":
                pairs.append(Pair(cell.row, worse, cell, cell._replace(column=f"{worse} ES")))
        legible = tuple(pair for pair in pairs if printed[pair.effect] != LOST)
        found[key] = Significance(str(number), ranking, tuple(pairs), legible)
    return found


def relations(printed: Printed) -> Iterator[Relation]:
    """Yield the checks of Tables 14 to 29."""
    tests = significances(printed)
    for table in tests.values():
        yield from _orders(table)
        yield from _trials(table, printed)
        yield null(table)
        yield from _effect_sizes(table)
        yield _one_variance(table)
        yield from _additivity(table)
        yield _lists(table)
    for (part, language, measure), table in tests.items():
        if language == "Chinese":
            yield _baselines(table, tests[part, "English", measure])


def gap(better: str, worse: str) -> Rounded:
    """By how much the mean of the worse run is larger: smaller is better in all four measures."""
    return minus(rounded(worse), rounded(better))


# -- effect sizes ------------------------------------------------------------------------------


def _effect_sizes(table: Significance) -> Iterator[Relation]:
    """ES = (M_worse - M_better) / sqrt(V_E1), V_E1 from the table's widest pair (Sakai 2018)."""
    ruler = table.ruler
    ends = (ruler.effect, *table.means(ruler))
    for pair in table.legible:
        if pair == ruler:
            continue
        means = table.means(pair)
        # A run may be an end of the ruler too: no cell is read twice.
        sources = tuple(dict.fromkeys((*means, *ends)))
        yield relate(
            "effect size",
            pair.effect,
            sources,
            _in_units(*([sources.index(cell) for cell in cells] for cells in (means, ends))),
            f"means of Table {table.ranking.table} over the root of one residual variance V_E1 of "
            "the one-way ANOVA (Section 5.1), which the widest pair gives",
            f"difference of means in units of {ruler.better} / {ruler.worse}",
        )


def _in_units(means: Sequence[int], ends: Sequence[int]) -> Callable[..., Rounded]:
    def formula(*values: Rounded) -> Rounded:
        size, top, bottom = (values[i] for i in ends)
        scale = over(size, minus(bottom, top))
        better, worse = (values[i] for i in means)
        part = minus(worse, better)
        return Rounded(
            min(part.low * scale.low, part.low * scale.high),
            max(part.high * scale.low, part.high * scale.high),
        )

    return formula


def _additivity(table: Significance) -> Iterator[Relation]:
    """ES(a, c) = ES(a, b) + ES(b, c): all effect sizes of a table have one divisor."""
    legible = {(pair.better, pair.worse): pair.effect for pair in table.legible}
    relies = "all effect sizes of a table are differences of means over one V_E1 (Section 5.1)"
    for a, b, c in combinations(table.ranking.runs, 3):
        if {(a, b), (b, c), (a, c)} <= set(legible):
            steps = (legible[a, b], legible[b, c])
            shown = f"{a} to {b} to {c}"
            yield relate("additivity", legible[a, c], steps, plus, relies, shown)


def _one_variance(table: Significance) -> Relation:
    """One V_E1 and unrounded means in printed order must give all means and effect sizes.

    Linear in x_r = M_r / sqrt(V_E1) and the factor c = 1 / sqrt(V_E1).
    """
    runs = table.ranking.runs
    n, sizes = len(runs), table.effects
    at = {run: i for i, run in enumerate(runs)}
    each = np.eye(n, n + 1)
    steps = np.array([each[at[pair.worse]] - each[at[pair.better]] for pair in table.legible])
    rises = each[:-1] - each[1:]

    def test(printed: Printed) -> CheckResult:
        effects = [rounded(printed[cell]) for cell in sizes]
        means = [rounded(printed[cell]) for cell in table.ranking.cells]
        above, below = each.copy(), -each
        above[:, n] = [-mean.high for mean in means]
        below[:, n] = [mean.low for mean in means]
        limits = [e.high for e in effects] + [-e.low for e in effects]
        found = linprog(
            np.eye(n + 1)[n],
            A_ub=np.vstack([steps, -steps, above, below, rises]),
            b_ub=np.array(limits + [0.0] * (3 * n - 1)) + NOISE,
            bounds=(0, None),
            method="highs",
        )
        if found.status != 0:
            return CheckResult(False, "no V_E1 and no means in the printed order give them all")
        return CheckResult(True, f"V_E1 = {found.fun**-2:.6f} at most gives all effect sizes")

    relies = f"one V_E1 and the unrounded means of Table {table.ranking.table} (Section 5.1)"
    return Relation("effect size", (*sizes, *table.ranking.cells), test, relies)


def _baselines(chinese: Significance, english: Significance) -> Relation:
    """BL-uniform and BL-popularity need no training data: one difference in both languages."""
    cells: list[Cell] = []
    for table in (chinese, english):
        pair = next(
            p for p in table.legible if {p.better, p.worse} == {"BL-uniform", "BL-popularity"}
        )
        cells += [pair.effect, table.ruler.effect, *table.means(table.ruler)]

    def holds(*texts: str) -> bool:
        found = []
        for size, whole, better, worse in (texts[:4], texts[4:]):
            size_, whole_, means = rounded(size), rounded(whole), gap(better, worse)
            found.append(
                Rounded(size_.low * means.low / whole_.high, size_.high * means.high / whole_.low)
            )
        return found[0].meets(found[1])

    return condition(
        "effect size",
        cells,
        holds,
        "the test dialogues and their gold are the same in both languages (Section 4.3)",
        "BL-uniform and BL-popularity differ equally in both languages",
    )


# -- lists -------------------------------------------------------------------------------------


def _lists(table: Significance) -> Relation:
    """List a pair if its difference exceeds the threshold that one test has for all pairs."""
    at = {run: i for i, run in enumerate(table.ranking.runs)}
    listed = [(at[pair.better], at[pair.worse]) for pair in table.pairs]
    others = [(at[better], at[worse]) for better, worse in table.unlisted()]

    def holds(*texts: str) -> bool:
        smallest = min(gap(texts[a], texts[b]).high for a, b in listed)
        largest = max(gap(texts[a], texts[b]).low for a, b in others)
        return smallest > 0 and largest <= smallest + NOISE

    return condition(
        "list",
        table.ranking.cells,
        holds,
        f"randomised Tukey HSD has one null distribution for all pairs of Table {table.table}",
        "every listed difference is larger than every unlisted one",
    )


def widest_unlisted(
    table: Significance, size: str, means: Mapping[str, str]
) -> tuple[tuple[str, str], Rounded]:
    """Return the pair with the largest difference that a table does not list, and its effect size.

    Parameters
    ----------
    table
        The table.
    size
        The printed effect size of its ruler, which gives V_E1.
    means
        Run -> printed mean.
    """
    ruler = table.ruler
    whole, unit = gap(means[ruler.better], means[ruler.worse]), rounded(size)
    gaps = {pair: gap(means[pair[0]], means[pair[1]]) for pair in table.unlisted()}
    pair = max(gaps, key=lambda pair: gaps[pair].middle)
    low, high = gaps[pair]
    return pair, Rounded(max(low, 0) * unit.low / whole.high, high * unit.high / whole.low)


def _orders(table: Significance) -> Iterator[Relation]:
    """Rows and columns stand in the order of the means: effect sizes rise, and no p does.

    A larger difference has no larger p: it is the share of trials that exceed it. Only
    significant pairs are listed.
    """
    relies = "p is the share of trials whose largest difference is at least as large"
    for line in table.lines():
        for near, far in pairwise(line):
            yield condition(
                "order",
                (near.p, far.p),
                lambda near, far: probability(far) <= probability(near),
                f"{relies}; the rows and lists of Table {table.table} follow the means",
                "p does not rise",
            )
        follows = f"the rows and lists of Table {table.table} follow Table {table.ranking.table}"
        yield from ordered([pair.effect for pair in line[::-1]], follows)

    def monotone(*texts: str) -> bool:
        half = len(texts) // 2
        line = sorted(
            (rounded(size), probability(p))
            for size, p in zip(texts[:half], texts[half:], strict=True)
        )
        return not any(
            larger.low >= size.high - NOISE and other > p
            for i, (size, p) in enumerate(line)
            for larger, other in line[i + 1 :]
        )

    shown = "no larger effect has a larger p"
    yield condition("p-value", table.effects + table.shares, monotone, relies, shown)
    relies = f"Table {table.table} lists what is significant, at the five percent level"
    for cell in table.shares:
        yield condition("list", (cell,), significant, relies, "significant")


# -- p-values ----------------------------------------------------------------------------------


def probability(text: str) -> float:
    """Return p as a share of trials, ``<0.0001`` as none of them.

    Raises
    ------
    ValueError
        If it is printed as 0.0000, which these tables never do.

    Examples
    --------
    >>> probability("0.0344"), probability("<0.0001")
    (0.0344, 0.0)
    """
    if text.startswith("<"):
        return 0.0
    if not 0 < float(text) <= 1:
        raise ValueError(f"p cannot be printed as {text}")
    return float(text)


def significant(*texts: str) -> bool:
    """Whether all p are below five percent."""
    return all(probability(p) < LEVEL for p in texts)


def _trials(table: Significance, printed: Printed) -> Iterator[Relation]:
    """Count trials out of B = 10,000: p below one of them is printed as less than 1/B."""
    below = [cell for cell in table.shares if printed[cell].startswith("<")]
    rest = [cell for cell in table.shares if cell not in below]
    relies = "no trial of B has so large a difference"
    for cell in below:
        yield condition("step", (cell, TRIALS), _countable, relies, "less than one trial")

    def whole(total: str, *shares: str) -> bool:
        return all(_countable(p, total) for p in shares)

    if rest:
        yield condition(
            "step", (TRIALS, *rest), whole, "p counts trials", "whole numbers of trials"
        )


def _countable(p: str, trials: str) -> bool:
    """Whether so many trials can give this p: less than one of them, or a whole number."""
    if p.startswith("<"):
        return abs(rounded(p).high * rounded(trials).low - 1) < 1e-6
    count = probability(p) * rounded(trials).low
    return abs(count - round(count)) < 1e-6


@lru_cache
def _tail(runs: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return q and log P(Q > q) of the studentised range of so many runs, infinitely many df."""
    grid = np.linspace(2, 10, 161)
    return grid, np.log(studentized_range.sf(grid, runs, np.inf))


def _quantile(p: float, runs: int) -> float:
    grid, log_p = _tail(runs)
    return float(np.interp(np.log(p), log_p[::-1], grid[::-1], left=np.inf, right=0))


def tail(q: float, runs: int) -> float:
    """Return P(Q > q) of the studentised range of so many runs."""
    grid, log_p = _tail(runs)
    return float(np.exp(np.interp(q, grid, log_p)))


def _score_interval(share: float, trials: float) -> Rounded:
    """Return Wilson's 99.9% interval of a probability, from its share in the trials."""
    z = SURE**2 / trials
    centre = (share + z / 2) / (1 + z)
    half = SURE * np.sqrt(share * (1 - share) / trials + z / (4 * trials)) / (1 + z)
    return Rounded(float(centre - half), float(centre + half))


def scale(sizes: Sequence[str], shares: Sequence[str], trials: str, runs: int) -> Rounded:
    """Return all s with P(Q > s ES) = p for every pair, as far as B trials can tell.

    Below p = 0.001 (ten trials) the tail of the randomisation distribution may be heavier than
    the normal one, so that such a p only says that the studentised range is not above it.
    """
    low, high = 0.0, np.inf
    for text, p in zip(sizes, shares, strict=True):
        size, share = rounded(text), probability(p)
        ends = _score_interval(share, rounded(trials).low)
        low = max(low, _quantile(ends.high, runs) / size.high)
        if share >= 0.001:
            high = min(high, _quantile(ends.low, runs) / size.low)
    return Rounded(low, high)


def null(table: Significance) -> Relation:
    """Every p is the tail of one studentised range at its effect size, times one factor.

    The largest difference of m exchangeable means over its standard error is a studentised range
    but for the finite number of dialogues. The largest difference that is not listed must have p
    of at least five percent.
    """
    half, runs = len(table.legible), table.ranking.runs
    place = table.effects.index(table.ruler.effect)

    def holds(trials: str, *texts: str) -> bool:
        found = scale(texts[:half], texts[half : 2 * half], trials, len(runs))
        means = dict(zip(runs, texts[2 * half :], strict=True))
        _, unlisted = widest_unlisted(table, texts[place], means)
        least = _quantile(_score_interval(LEVEL, rounded(trials).low).low, len(runs))
        high = min(found.high, least / unlisted.low) if unlisted.low > 0 else found.high
        return found.low <= high

    return condition(
        "p-value",
        (TRIALS, *table.effects, *table.shares, *table.ranking.cells),
        holds,
        "the null distribution of randomised Tukey HSD is about the studentised range",
        f"one studentised range of {len(runs)} runs gives all p",
    )


def run_variances(table: str, means: pd.Series, dialogues: int) -> tuple[float, float]:
    r"""Derive V_E1 and V_E2 from a table of significant differences.

    An effect size is :math:`ES = d / \sqrt{V_{E1}}` with d the difference of two means: V_E1 is
    found by least squares. The p-values are tails of a studentised range whose variance is
    :math:`V_{E2} (n - 1)/n + \mathrm{var}(\bar x)`, because permuted scores hold the variance
    between runs too: V_E2 is found by least squares over the p-values that enough trials support.
    """
    cells = printed_values("dialeval1", table)
    cells = cells[cells["printed"] != "lost"]
    pairs = cells["column"].str.rsplit(" ", n=1, expand=True)
    cells = cells.assign(other=pairs[0], what=pairs[1])
    wide = cells.pivot_table(
        index=["row", "other"], columns="what", values="printed", aggfunc="first", sort=False
    ).dropna()
    sizes = wide["ES"].astype(float).to_numpy()
    first, second = (wide.index.get_level_values(k) for k in (0, 1))
    differences = means[second].to_numpy() - means[first].to_numpy()
    v_e1 = float((differences**2).sum() / (sizes * differences).sum()) ** 2
    text = printed_values("dialeval1", TRIALS.table).set_index(["row", "column"])["printed"]
    trials = int(rounded(text[TRIALS.row, TRIALS.column]).low)
    counted = ~wide["p"].str.startswith("<")
    p = wide["p"][counted].astype(float).to_numpy()
    sizes = sizes[counted.to_numpy()][p >= LEAST_TRIALS / trials]
    p = p[p >= LEAST_TRIALS / trials]
    q, log_tail = _tail(len(means))

    def misfit(scale: float) -> float:
        expected = np.exp(np.interp(sizes * np.sqrt(dialogues) * scale, q, log_tail))
        return float(((p - expected) ** 2 / (expected * (1 - expected) / trials)).sum())

    grid = np.linspace(0.5, 2.5, 201)
    start = grid[int(np.argmin([misfit(scale) for scale in grid]))]
    scale = minimize_scalar(misfit, bounds=(start - 0.01, start + 0.01), method="bounded").x
    v_e2 = v_e1 / scale**2 - float(means.var(ddof=1))
    return v_e1, v_e2 * dialogues / (dialogues - 1)
