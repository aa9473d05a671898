"""The printed rankings and significance tables of the DialEval-1 overview, taken together.

Contents
--------
printed          every printed cell of the overview
ranking_tables   part -> its ranking table in a language
ranking_means    a ranking table as a DataFrame
taus             tau between the two printed rankings of every part (Tables 8 and 13)
tau_and_limits   how Tables 8 and 13 are laid out
limits           the printed limits of tau beside what a bootstrap gives
pairs            every listed pair of Tables 14 to 29
tests            Tables 14 to 29, a row each: who is listed, and the variances that follow
effects          effect sizes of all tables, drawn
crossings        two rankings of the same runs, drawn: lines that cross are discordant pairs
"""

from functools import cache

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from scipy.stats import beta

from ordbook.book.pictures import ESTIMATE, TIED, WRONG
from ordbook.data.printed import printed_values
from ordbook.data.twin_targets import run_variances
from ordbook.papers.checks.counting import pairs_of
from ordbook.papers.checks.dialeval1.bootstrap import TAIL, bootstrapped
from ordbook.papers.checks.dialeval1.layout import (
    CORRELATIONS,
    LANGUAGES,
    MEASURES,
    PARTS,
    Ranking,
    correlation,
    rankings,
    significances,
)
from ordbook.papers.checks.dialeval1.pvalues import probability
from ordbook.papers.checks.dialeval1.tables import BASELINES, agreement
from ordbook.papers.checks.places import DIALEVAL1
from ordbook.papers.ledger import printed_cells
from ordbook.papers.relations import Printed


@cache
def printed() -> Printed:
    """Return every printed cell of the overview -> its text."""
    cells = printed_cells()
    return {cell: text for cell, (text, _) in cells.items() if cell.paper == DIALEVAL1.name}


def ranking_tables(language: str) -> dict[str, str]:
    """Return part -> number of its ranking table."""
    place = LANGUAGES.index(language)
    return {part: tables[place] for part, tables in PARTS.items()}


def ranking_means(table: str) -> pd.DataFrame:
    """Return the means of a ranking table, run x measure."""
    cells = printed_values(DIALEVAL1.name, table).astype({"printed": float})
    wide = cells.pivot_table(index="row", columns="column", values="printed", sort=False)
    return wide.rename_axis(index="run", columns="measure")


def _two(part: str, language: str) -> tuple[Ranking, Ranking]:
    lists = rankings(printed())
    first, second = (lists[part, language, measure] for measure in MEASURES[part])
    return first, second


def taus(language: str) -> dict[tuple[str, str], float]:
    """Return tau of every part, by the row and column of Table 8 or 13.

    Runs with equal means are ranked in their printed order, which is that of the unrounded means.
    """
    found = {}
    for part in PARTS:
        first, second = _two(part, language)
        steps = pairs_of(len(first.runs))
        found[part, correlation(part)] = agreement(first.cells, second.cells, printed()) / steps
    return found


def tau_and_limits(row: str, column: str) -> tuple[str, str]:
    """Lay out Tables 8 and 13: tau and its limits in columns of their own.

    Examples
    --------
    >>> tau_and_limits("ND", "JSD vs RNSS low")
    ('ND', 'lower limit')
    """
    what = {"low": "lower limit", "high": "upper limit"}
    return row, what.get(column.rsplit(" ", 1)[1], "tau")


def limits(resamples: int) -> pd.DataFrame:
    """Hold the printed limits of tau to the bootstrap of the printed rankings.

    A limit of B resamples is the k-th smallest tau or the k-th largest, k = (B + 1)/40. It lies
    between ``from`` and ``to`` with a probability of 99.9%.

    Returns
    -------
    DataFrame
        By table, part and end: printed, from, to, and whether it ``fits`` to three decimals.
    """
    k = int((resamples + 1) * 0.05 / 2)
    rows = {}
    for language, table in CORRELATIONS.items():
        cells = printed_values(DIALEVAL1.name, table).set_index(["row", "column"])["printed"]
        for part in PARTS:
            first, second = _two(part, language)
            values = bootstrapped(tuple(second.runs.index(run) for run in first.runs))
            for end, place in (("low", k), ("high", resamples + 1 - k)):
                text = cells[part, f"{correlation(part)} {end}"]
                shares = beta.ppf([TAIL, 1 - TAIL], place, resamples + 1 - place)
                low, high = np.quantile(values, shares, method="inverted_cdf").round(3)
                rows[table, part, end] = (text, low, high, low <= float(text) <= high)
    frame = pd.DataFrame.from_dict(rows, orient="index", columns=["printed", "from", "to", "fits"])
    frame.index = pd.MultiIndex.from_tuples(frame.index, names=["table", "part", "limit"])
    return frame


def pairs() -> pd.DataFrame:
    """Return every pair of Tables 14 to 29 that the text extraction has kept.

    Columns: table, part, language, measure, better, worse, p (0 where printed as <0.0001), ES and
    ``worse is``: ``baseline`` (BL-uniform or BL-popularity) or ``system``.
    """
    rows = [
        (
            int(table.table),
            *key,
            pair.better,
            pair.worse,
            probability(printed()[pair.p]),
            float(printed()[pair.effect]),
            "baseline" if pair.worse in ("BL-uniform", "BL-popularity") else "system",
        )
        for key, table in significances(printed()).items()
        for pair in table.legible
    ]
    heads = ["table", "part", "language", "measure", "better", "worse", "p", "ES", "worse is"]
    return pd.DataFrame(rows, columns=heads)


def tests() -> pd.DataFrame:
    """Return one row for each of Tables 14 to 29.

    Columns: part, language, measure, runs, pairs, listed (significant), ``by systems`` (those in
    which neither run is a baseline of the organisers), smallest ES (listed), V_E1 (from the effect
    sizes) and V_E2 (from the p-values), both by least squares
    (:func:`ordbook.data.twin_targets.run_variances`).
    """
    dialogues = int(printed()[DIALEVAL1.at("3", "#dialogues", "Chinese Test")])
    rows = {}
    for (part, language, measure), table in significances(printed()).items():
        means = ranking_means(table.ranking.table)[measure]
        v_e1, v_e2 = run_variances(table.table, means, dialogues)
        sizes = [float(printed()[pair.effect]) for pair in table.legible]
        systems = [
            pair
            for pair in table.pairs
            if not pair.better.startswith(BASELINES) and not pair.worse.startswith(BASELINES)
        ]
        n = len(means)
        rows[int(table.table)] = (
            *(part, language, measure, n, pairs_of(n), len(table.pairs), len(systems)),
            *(min(sizes), v_e1, v_e2),
        )
    heads = ["part", "language", "measure", "runs", "pairs", "listed", "by systems"]
    heads += ["smallest ES", "V_E1", "V_E2"]
    frame = pd.DataFrame.from_dict(rows, orient="index", columns=heads)
    return frame.rename_axis("table")


def effects() -> Axes:
    """Draw every effect size of Tables 14 to 29, a line per table, on a logarithmic scale."""
    found = pairs()
    lines = found[["table", "part", "language", "measure"]].drop_duplicates()
    # Narrow, so that the names of the tables can be read on a phone.
    _, axes = plt.subplots(figsize=(4.4, 6), layout="constrained")
    at = {table: y for y, table in enumerate(lines["table"])}
    rng = np.random.default_rng(0)  # only spreads points that would lie on each other
    for what, marker, colour in (("system", "o", ESTIMATE), ("baseline", "^", WRONG)):
        some = found[found["worse is"] == what]
        y = some["table"].map(at) + rng.uniform(-0.28, 0.28, len(some))
        axes.plot(some["ES"], y, marker, ms=4, mfc="none", color=colour, label=f"worse: {what}")
    names = [f"{t}  {p} {m}" for t, p, _, m in lines.to_numpy()]
    axes.set_yticks(list(at.values()), names)
    axes.axhline(len(at) / 2 - 0.5, color=TIED, lw=1, ls=":")
    for row, language in ((0, "Chinese"), (len(at) // 2, "English")):
        axes.text(1, row, language, ha="right", va="center", transform=axes.get_yaxis_transform())
    axes.set(xscale="log", xlabel="effect size", ylim=(len(at) - 0.5, -0.5))
    axes.set_xticks([0.2, 0.5, 1, 2, 4], ["0.2", "0.5", "1", "2", "4"])
    axes.minorticks_off()
    axes.grid(axis="x", color="#DDDDDD", lw=0.6)
    axes.tick_params(axis="y", length=0)
    sns.despine(ax=axes, left=True)
    axes.legend(frameon=False, loc="lower center", bbox_to_anchor=(0.5, 1), ncols=2)
    return axes


def crossings(first: pd.Series, second: pd.Series) -> Axes:
    """Draw two rankings of the same runs: lines that cross are discordant pairs.

    Parameters
    ----------
    first, second
        Run -> score, the smaller the better; the heads are their names. Equal scores are ranked in
        the order of ``first``.
    """
    ranks = [list(one.sort_values(kind="stable").index) for one in (first, second)]
    _, axes = plt.subplots(figsize=(4.4, 0.6 + 0.3 * len(first)), layout="constrained")
    for left, run in enumerate(ranks[0]):
        right = ranks[1].index(run)
        moved = abs(left - right) > 1
        axes.plot(
            (0, 1),
            (left, right),
            ls="--" if moved else "-",
            marker="o",
            ms=4,
            color=WRONG if moved else ESTIMATE,
        )
        axes.text(-0.03, left, run, ha="right", va="center", fontsize=10)
        axes.text(1.03, right, run, ha="left", va="center", fontsize=10)
    axes.set_xticks([0, 1], [str(first.name), str(second.name)])
    axes.xaxis.tick_top()
    axes.set(xlim=(-0.95, 1.95), ylim=(len(first) - 0.5, -0.5))
    axes.set_yticks([])
    axes.tick_params(length=0)
    sns.despine(ax=axes, left=True, bottom=True)
    return axes
