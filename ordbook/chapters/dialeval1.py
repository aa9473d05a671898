"""DialEval-1: the figures of the story, and the values of ours for the record."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import cast

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from numpy.typing import NDArray
from scipy.stats import beta

from ordbook.chapters.facts import Facts
from ordbook.chapters.record import table_title
from ordbook.data.loading import load
from ordbook.data.ntcir import NuggetTask
from ordbook.data.printed import printed_values
from ordbook.data.scores import ScoreMatrix
from ordbook.data.scoring import score
from ordbook.data.tasks import BASELINES, QuantificationTask, baselines
from ordbook.measures import QUANTIFICATION
from ordbook.meta.rankings import standings as ranked_by
from ordbook.meta.seeds import LEVEL
from ordbook.papers.checks.dialeval1 import BASELINES as ORGANISERS
from ordbook.papers.checks.dialeval1 import (
    CORRELATIONS,
    LANGUAGES,
    LSTM,
    MEASURES,
    PARTS,
    QUALITY,
    Ranking,
    agreement,
    correlation,
    generalising,
    probability,
    rankings,
    run_variances,
    significances,
)
from ordbook.papers.checks.recomputed import dialogues
from ordbook.papers.checks.tools import DIALEVAL1, pairs_of
from ordbook.papers.comparison import Ours
from ordbook.papers.ledger import printed_cells
from ordbook.papers.relations import Printed
from ordbook.show.colours import ESTIMATE, GOLD, RIGHT, WIDTH, WRONG

FACTS_OF = ("stc3-dq-a", "stc3-dq-e", "stc3-dq-s", "stc3-nd")
SPREAD = ("mean vote", "deviation", "share at the ends")
# Resamples drawn to know the bootstrap's distribution, and how unlikely a limit must be.
RESAMPLES = 40_000
TAIL = (1 - LEVEL) / 2
# DialEval-1, Section 3.1, scores quality with these two.
QUALITY_MEASURES = ("NMD", "RSNOD")
COLOURS = dict(zip(PARTS, (ESTIMATE, RIGHT, GOLD, WRONG), strict=True))


# What the overview prints


@cache
def _printed() -> Printed:
    cells = printed_cells()
    return {cell: text for cell, (text, _) in cells.items() if cell.paper == DIALEVAL1.name}


def ranking_means(table: str) -> pd.DataFrame:
    """Return the means of a ranking table, run x measure."""
    cells = printed_values(DIALEVAL1.name, table).astype({"printed": float})
    wide = cells.pivot_table(index="row", columns="column", values="printed", sort=False)
    return wide.rename_axis(index="run", columns="measure")


def _two(part: str, language: str) -> tuple[Ranking, Ranking]:
    lists = rankings(_printed())
    first, second = (lists[part, language, measure] for measure in MEASURES[part])
    return first, second


def taus(language: str) -> dict[tuple[str, str], float]:
    """Return tau of every part, by the row and column of Table 8 or 13.

    Runs with equal means are ranked in their printed order, which is that of the unrounded means.
    """
    cells = {}
    for part in PARTS:
        first, second = _two(part, language)
        steps = pairs_of(len(first.runs))
        tau = agreement(first.cells, second.cells, _printed()) / steps
        cells[part, correlation(language, part).column] = tau
    return cells


def tau_and_limits(row: str, column: str) -> tuple[str, str]:
    """Lay out Tables 8 and 13: tau and its limits in columns of their own.

    Examples
    --------
    >>> tau_and_limits("ND", "JSD vs RNSS low")
    ('ND', 'lower limit')
    """
    names = {"low": "lower limit", "high": "upper limit"}
    return row, names.get(column.rsplit(" ", 1)[1], "tau")


@cache
def bootstrapped(order: tuple[int, ...]) -> NDArray[np.float64]:
    """Return the sorted tau-b of many resamples of two rankings, the second in terms of the first.

    A run that is drawn twice ties with itself in both rankings, so that tau-b is (C - D)/(C + D).
    """
    n = len(order)
    rng = np.random.default_rng(n)  # rankings of as many runs have the same resamples
    times = rng.multinomial(n, [1 / n] * n, size=RESAMPLES).astype(np.float64)
    signs = np.sign(np.subtract.outer(order, order) * np.subtract.outer(range(n), range(n)))
    untied = n * n - (times**2).sum(1)
    known = untied > 0
    return np.sort(((times @ signs) * times).sum(1)[known] / untied[known])


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
                text = cells[part, correlation(language, part, f" {end}").column]
                shares = beta.ppf([TAIL, 1 - TAIL], place, resamples + 1 - place)
                low, high = np.quantile(values, shares, method="inverted_cdf").round(3)
                fits = low <= float(text) <= high
                rows[table, part, end] = {"printed": text, "from": low, "to": high, "fits": fits}
    return pd.DataFrame.from_dict(rows, "index").rename_axis(["table", "part", "limit"])


def limits_table() -> pd.DataFrame:
    """Lay out :func:`limits` of 10,000 resamples and of 100, a row for each printed limit."""
    tables = {b: limits(b) for b in (10_000, 100)}
    frame = tables[100][["printed"]].copy()
    for b, some in tables.items():
        frame[f"B = {b:,}"] = [
            f"{low:.3f} to {high:.3f}{'' if fits else ' (no)'}"
            for low, high, fits in some[["from", "to", "fits"]].to_numpy()
        ]
    frame.index = [f"{table}: {part} {end}" for table, part, end in frame.index]
    return frame


def pairs() -> pd.DataFrame:
    """Return every pair of Tables 14 to 29 that the text extraction has kept.

    Columns: table, part, language, measure, better, worse, difference (of the printed means), p
    (0 where printed as <0.0001) and ES.
    """
    rows = []
    for key, table in significances(_printed()).items():
        means = ranking_means(table.ranking.table)[key[2]]
        for pair in table.legible:
            p, size = probability(_printed()[pair.p]), float(_printed()[pair.effect])
            gap = means[pair.worse] - means[pair.better]
            rows.append((int(table.table), *key, pair.better, pair.worse, gap, p, size))
    heads = ["table", "part", "language", "measure", "better", "worse", "difference", "p", "ES"]
    return pd.DataFrame(rows, columns=heads)


def families() -> pd.DataFrame:
    """Return one row for each of Tables 14 to 29.

    Columns: part, language, measure, runs, pairs, listed (significant), ``by systems`` (those in
    which neither run is a baseline of the organisers), ``largest unlisted`` and ``smallest
    listed`` (differences of printed means), V_E1 (from the effect sizes) and V_E2 (from the
    p-values), both by least squares (:func:`ordbook.papers.checks.dialeval1.run_variances`).
    """
    rows = {}
    for (part, language, measure), table in significances(_printed()).items():
        means = ranking_means(table.ranking.table)[measure]
        systems = [
            pair
            for pair in table.pairs
            if not pair.better.startswith(ORGANISERS) and not pair.worse.startswith(ORGANISERS)
        ]
        n = len(means)
        rows[int(table.table)] = (
            *(part, language, measure, n, pairs_of(n), len(table.pairs), len(systems)),
            max(means[worse] - means[better] for better, worse in table.unlisted()),
            min(means[pair.worse] - means[pair.better] for pair in table.pairs),
            *run_variances(table, _printed()),
        )
    heads = ["part", "language", "measure", "runs", "pairs", "listed", "by systems"]
    heads += ["largest unlisted", "smallest listed", "V_E1", "V_E2"]
    frame = pd.DataFrame.from_dict(rows, orient="index", columns=heads)
    return frame.rename_axis("table")


def rulers() -> Axes:
    """Draw every printed effect size over the difference of the two printed means, by table."""
    import seaborn as sns  # takes a second or two

    sizes = pairs()
    _, axes = plt.subplots(figsize=(WIDTH, 3.8), layout="constrained")
    sns.lineplot(
        sizes,
        x="difference",
        y="ES",
        units="table",
        estimator=None,
        hue="part",
        palette=COLOURS,
        style="part",
        markers=True,
        dashes=False,
        ax=axes,
        legend=False,
    )
    axes.set(xlabel="difference of two printed means", ylabel="printed effect size")
    axes.set(xlim=(0, None), ylim=(0, None))
    kinds = sizes["measure"].radd("nuggets, ").where(sizes["part"] == "ND", "quality")
    longest = sizes.loc[sizes.groupby(kinds)["difference"].idxmax()].assign(kind=kinds)
    for kind, part, x, y in longest[["kind", "part", "difference", "ES"]].itertuples(index=False):
        axes.annotate(kind, (x, y), (5, -8), textcoords="offset points", color=COLOURS[part])
    axes.spines[["top", "right"]].set_visible(False)
    return axes


# The record


def sentences() -> pd.DataFrame:
    """Return the sentences that generalise, and in how many comparisons of means they hold."""
    checks = generalising(rankings(_printed()), significances(_printed()))
    rows = [
        (
            table_title(check.cells[0].table),
            f"{check.cells[0].row}: {_printed()[check.cells[0]]}",
            check.test(_printed()).text,
            check.relies,
        )
        for check in checks
    ]
    heads = ["section", "sentence", "it", "comparisons"]
    return pd.DataFrame(rows, columns=heads).set_index("section")


def conclusions() -> pd.DataFrame:
    """Return the overview's four conclusions (Section 6), and what its tables have of each."""
    every_section = sentences()
    told = every_section[every_section.index == "Section 6"].set_index("sentence")["it"]
    chinese, level = (
        told[told.index.str.startswith(start)].iloc[0]
        for start in ("Chinese top runs", "Chinese vs English")
    )
    parts = {
        part
        for (part, language, _), table in significances(_printed()).items()
        for pair in table.pairs
        if language == "English" and pair.worse == LSTM and not pair.better.startswith(ORGANISERS)
    }
    where = ", ".join(sorted(parts))
    every = [tau for language in CORRELATIONS for tau in taus(language).values()]
    rows = {
        "In Chinese subtasks, the top runs that utilise BERT statistically significantly "
        "outperform the Baseline LSTM models": f"{chinese} of the first run in a list",
        "none of participant runs outperform the LSTM baseline significantly in all English "
        "subtasks except DQ S-score": f"Tables 22 to 29 list such a lead in {where} only",
        "The results of the runs trained by the Chinese data are still slightly better than the "
        "runs trained by the English data": f"{level} of the best runs",
        "There is no substantial difference between the evaluation metrics when we rank the "
        "participant runs": f"Kendall's tau of two lists is {min(every):.3f} to {max(every):.3f}",
    }
    frame = pd.DataFrame({"in its tables": rows})
    return frame.rename_axis("conclusion")


def recomputed() -> dict[str, Ours]:
    """Recompute the paper's tables as far as possible: table -> values of ours."""
    return {
        "3": dialogues(),
        **{table: taus(language) for language, table in CORRELATIONS.items()},
    }


def turns() -> pd.DataFrame:
    """Return posts and turns that follow from the averages in Table 3, and turns counted.

    Merging posts into turns changes neither characters nor dialogues: so turns are dialogues times
    posts per dialogue, times characters per post, divided by characters per turn.
    """
    cells = printed_values(DIALEVAL1.name, "3").set_index(["column", "row"])["printed"]
    names = ("#dialogues", "Avg. #posts/dialogue", "Avg. post length", "Avg. turn length")
    rows = {}
    for column in ("Chinese Dev", "English Dev", "Chinese Test"):
        dialogues, posts, post, turn = (float(cells[column, name]) for name in names)
        rows[column] = (dialogues * posts, dialogues * posts * post / turn)
    frame = pd.DataFrame(rows, index=["posts", "turns"]).T
    counted = int(sum(gold_facts("stc3-nd").read().values()))
    frame["turns counted"] = [counted if column.endswith("Dev") else "" for column in frame.index]
    return frame


def baseline_gaps() -> pd.DataFrame:
    """Compare the baselines' means on STC-3 with those printed for DialEval-1."""
    ours = {part: score(load(f"stc3-{part.lower()}"), [*MEASURES[part]]) for part in PARTS}
    chinese = LANGUAGES.index("Chinese")
    printed_means = {part: ranking_means(tables[chinese]) for part, tables in PARTS.items()}
    return gold_gaps(ours, printed_means, 300)


def gold_gaps(
    ours: Mapping[str, ScoreMatrix], printed: Mapping[str, pd.DataFrame], topics: int
) -> pd.DataFrame:
    """Hold the baselines' means on one set of gold data to those printed for another.

    Parameters
    ----------
    ours
        Part of the task -> scores of the baselines.
    printed
        Part -> printed means, run x measure, of as many ``topics``.

    Returns
    -------
    DataFrame
        By part, measure and run: ``STC-3``, ``DialEval-1``, their ``difference`` (the latter less
        the former), and ``standard errors``: the difference in units of what two random samples of
        topics, each with the deviation of ours, would differ by.
    """
    rows = {}
    for part, scores in ours.items():
        for measure in scores.measures:
            for run in BASELINES:
                values = scores[measure][run].to_numpy()
                error = values.std(ddof=1) * np.sqrt(1 / len(values) + 1 / topics)
                printed_value = float(printed[part][measure].to_dict()[run])
                gap = printed_value - values.mean()
                rows[part, measure, run] = {
                    **{"STC-3": values.mean(), "DialEval-1": printed_value, "difference": gap},
                    "standard errors": gap / error,
                }
    return pd.DataFrame.from_dict(rows, "index").rename_axis(["part", "measure", "run"])


def gold_facts(name: str) -> Facts:
    """Return facts about the gold data of one of ``FACTS_OF``, which may not be passed on.

    Of quality: ``mean vote``, ``deviation`` and ``share at the ends`` (:func:`vote_spread`), and
    for both measures and baselines ``NMD BL-uniform``, the change by one vote fewer
    (:func:`fewer_votes`). Of nuggets: ``customer turns`` and ``helpdesk turns``.
    """
    task = cast("QuantificationTask | NuggetTask", load(name))

    def compute() -> dict[str, float]:
        if isinstance(task, NuggetTask):
            sides = {"customer turns": task.customer, "helpdesk turns": task.helpdesk}
            return {side: len(turns.topic) for side, turns in sides.items()}
        return vote_spread(task.gold) | fewer_votes(task, QUALITY_MEASURES)

    # The gold file comes first.
    gold_file, checksum = next(iter(task.provenance.files.items()))
    return Facts(f"{name}-gold", task, {gold_file: checksum}, compute)


def vote_spread(gold: NDArray[np.float64]) -> dict[str, float]:
    """Describe the spread of a task's votes: gold is (topics, classes).

    Classes count from the middle one, in steps of 1. ``mean vote``: the mean over topics of the
    mean vote. ``deviation``: the mean over topics of the standard deviation of a topic's votes.
    ``share at the ends``: the mean share of votes for the first or the last class.

    Examples
    --------
    >>> vote_spread(np.array([[0, 0, 1, 0, 0], [.5, 0, 0, 0, .5]]))
    {'mean vote': 0.0, 'deviation': 1.0, 'share at the ends': 0.5}
    """
    places = np.arange(gold.shape[1]) - (gold.shape[1] - 1) / 2
    means = gold @ places
    variances = gold @ places**2 - means**2
    deviation = np.sqrt(np.maximum(variances, 0)).mean()
    ends = (gold[:, 0] + gold[:, -1]).mean()
    return dict(zip(SPREAD, (float(means.mean()), float(deviation), float(ends)), strict=True))


def fewer_votes(task: QuantificationTask, measures: Sequence[str]) -> dict[str, float]:
    """Return how the baselines' expected means change with one vote fewer, as ``NMD BL-uniform``.

    The means are over all ways to leave out one of the votes of a topic: nothing is random.
    """
    if len(set(task.votes)) != 1 or task.votes[0] < 2:
        raise ValueError(f"{task.name}: facts need gold votes, equally many for every topic")
    counts = (task.gold * task.votes[0]).round()

    def means(left: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
        gold = left / left.sum(axis=1, keepdims=True)
        by_measure = [
            QUANTIFICATION[measure].kernel(gold[None], baselines(gold)) @ weights / len(gold)
            for measure in measures
        ]
        return np.array(by_measure)

    whole = means(counts, np.ones(len(counts)))
    fewer = np.zeros_like(whole)
    for k, vote in enumerate(np.eye(counts.shape[1])):
        # Where a class has no vote there is none to leave out, and the weight is 0.
        fewer += means(counts - vote * (counts[:, [k]] > 0), counts[:, k] / task.votes[0])
    names = [f"{measure} {run}" for measure in measures for run in BASELINES]
    return dict(zip(names, (fewer - whole).ravel().tolist(), strict=True))


def votes() -> tuple[pd.DataFrame, pd.DataFrame]:
    """Describe the spread of the votes of STC-3, and the effect of one vote fewer.

    Returns
    -------
    spread
        By part: ``mean vote`` (how far from 0), ``deviation`` and ``share at the ends``.
    fewer
        By part, measure and baseline: change of the mean from 19 votes to 18.
    """
    facts = {part: gold_facts(f"stc3-{part.lower()}").read() for part in QUALITY}
    spread = pd.DataFrame(facts).T[list(SPREAD)]
    spread["mean vote"] = spread["mean vote"].abs()
    fewer = {
        (part, measure, run): {"19 to 18 votes": facts[part][f"{measure} {run}"]}
        for part in QUALITY
        for measure in MEASURES[part]
        for run in BASELINES
    }
    frame = pd.DataFrame.from_dict(fewer, "index").rename_axis(["part", "measure", "run"])
    return spread, frame


def standings(scores: ScoreMatrix, measures: Sequence[str] | None = None) -> pd.DataFrame:
    """Rank the runs by every measure: columns ``run`` and the mean score, a pair per measure.

    Where two runs tie, they stand in the order of the score matrix.
    """
    lists = []
    for measure in measures or scores.measures:
        ranked = ranked_by(scores, measure)
        lists += [ranked["run"], ranked["mean"].rename(f"mean {measure}")]
    frame = pd.concat(lists, axis=1)
    frame.index = pd.RangeIndex(1, len(frame) + 1, name="rank")
    return frame


if __name__ == "__main__":
    for name in FACTS_OF:
        gold_facts(name).commit()
