"""The results of a shared task: official tables of all runs."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from ordbook.data.scores import ScoreMatrix
from ordbook.meta.checks import a_score_matrix, between_0_and_1
from ordbook.meta.discrimination import pairs_in_doubt
from ordbook.meta.items import Measures, by_item, item_intervals
from ordbook.meta.rankings import Interval, better_than, standings
from ordbook.meta.significance_tests import SURE, SignificanceTests
from ordbook.report.grouping import Groups, chosen, facts_of, group_table, identical


@dataclass(frozen=True)
class Results:
    """The official tables, and what they were made from and with; see :func:`results`.

    Attributes
    ----------
    known
        What is known of each run: a column per fact.
    split
        The column of it by which tables are split, if they are.
    unit
        Over what intervals and tests are: ``topics``, ``items`` or, of neither, nothing.
    rankings, pairs
        By measure; without tests there are no pairs.
    identical, open
        Runs that are the same, and pairs that the trials leave open.
    """

    scores: ScoreMatrix
    tests: SignificanceTests | None
    known: pd.DataFrame
    split: str | None
    unit: str
    alpha: float
    interval: Interval
    level: float
    rankings: dict[str, pd.DataFrame]
    pairs: dict[str, pd.DataFrame]
    identical: pd.DataFrame
    open: pd.DataFrame

    @property
    def interval_name(self) -> str:
        """How the intervals are called in tables."""
        share = f"{100 * self.level:g}%"
        if self.unit == "items":
            return f"bootstrap, {share}"
        return f"{'t' if self.interval == 't' else 'HSD'}, {share}" if self.unit else "none"

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return all tables by name."""
        found = {"identical": self.identical, "open": self.open}
        found |= {f"results/{measure}": table for measure, table in self.rankings.items()}
        return found | {f"significance/{measure}": pairs for measure, pairs in self.pairs.items()}


def results(
    scores: ScoreMatrix,
    tests: SignificanceTests | None,
    *,
    alpha: float = 0.05,
    interval: Interval = "t",
    level: float = 0.95,
    groups: Groups | None = None,
    by_group: str | None = None,
    task: object = None,
    measures: Measures = None,
) -> Results:
    """Make the official tables of a task.

    Parameters
    ----------
    scores
        From :func:`ordbook.score`, or any score matrix.
    tests
        From :func:`ordbook.meta.items.compare_runs` or :func:`ordbook.tukey_hsd` of these scores;
        None where nothing can be tested: no table says then which runs differ.
    alpha
        Significance level.
    interval, level
        The intervals of the means, as for :func:`ordbook.meta.rankings.standings`. Where there is
        a single topic, of labels, they are bootstrap intervals over its items.
    groups
        What is known of each run: its group, or several facts by name; by default what the task
        says, group and language.
    by_group
        One of these names, an empty one for the first. The tables are then in parts, with ranks
        within each part and only its own run pairs. The p-values stay those of all runs together.
    task
        The task the scores come from: it knows groups and languages, and whether identical runs
        also have the same estimates.
    measures
        Those of the scores, where some are your own and items take the place of topics.

    Returns
    -------
    Results
        Its ``tables()`` are, by name:
        ``results/<measure>``: rank, run, its groups, mean, low, high, interval (which one it is),
        better_than (how many of the runs listed), open (how many of its pairs are) where there
        are tests, identical_to;
        in parts, rank_in_group too.
        ``significance/<measure>``: better, worse, p with its Monte-Carlo limits p_low and p_high,
        difference of the means, effect_size (V_E1, as in DialEval-1), open, and the groups of both.
        ``identical``: as :func:`ordbook.report.grouping.identical` returns it.
        ``open``: the pairs whose p may be on either side of alpha; for each measure, the decisions
        about all others are safe at 99.9%. Its columns: measure, first, second, p, low, high.

    Raises
    ------
    ValueError
        If the tests are not of these scores, or runs have no such group.

    Examples
    --------
    >>> import ordbook as ob
    >>> scores = ob.score(ob.load("sem16t4e"), ["NMD"])
    >>> tables = results(scores, ob.tukey_hsd(scores, 1000)).tables()
    >>> tables["results/NMD"][["rank", "run", "mean"]].head(1).round(3)
       rank   run   mean
    0     1  QCRI  0.061
    """
    a_score_matrix(scores)
    alpha, level = between_0_and_1(alpha, "alpha"), between_0_and_1(level, "level")
    if tests is not None:
        _require_same(scores, tests)
    known = group_table(facts_of(task) if groups is None else groups, scores.runs)
    split = chosen(known, by_group, scores.task)
    same = identical(scores, task)
    doubtful = pd.DataFrame(columns=["measure", "first", "second", "p", "low", "high"])
    if tests is not None:
        doubtful = pairs_in_doubt(tests, alpha, level=SURE)
    if split is not None:
        part = known[split]
        together = part[doubtful["first"]].to_numpy() == part[doubtful["second"]].to_numpy()
        doubtful = doubtful[together]
    unit = "topics" if len(scores.topics) > 1 else "items" if by_item(task) else ""
    rankings = _with_intervals(scores, task, measures, interval, level)
    pairs: dict[str, pd.DataFrame] = {}
    if tests is not None:
        for measure in scores.measures:
            found = better_than(tests, measure, alpha)
            pairs[measure] = found.rename(columns={"low": "p_low", "high": "p_high"})
    made = Results(
        scores, tests, known, split, unit, alpha, interval, level, rankings, pairs, same, doubtful
    )
    for measure in scores.measures:
        _complete(made, measure)
    return made


def _complete(made: Results, measure: str) -> None:
    """Add to the tables of a measure what is known besides its scores and tests."""
    table, pairs, known = made.rankings[measure], made.pairs.get(measure), made.known
    if made.split is not None:
        table, pairs = _in_parts(table, pairs, known[made.split])
    table["interval"] = made.interval_name
    if pairs is not None:
        beaten = pairs["better"].value_counts().to_dict()
        table["better_than"] = [beaten.get(run, 0) for run in table["run"]]
        undecided = made.open.loc[made.open["measure"] == measure, ["first", "second"]]
        each = {frozenset(pair) for pair in undecided.to_numpy().tolist()}
        pairs["open"] = [
            frozenset(pair) in each for pair in pairs[["better", "worse"]].to_numpy().tolist()
        ]
        table["open"] = [sum(run in pair for pair in each) for run in table["run"]]
    twins = {
        run: "; ".join(other for other in family if other != run)
        for _, family in made.identical.groupby("set")["run"]
        for run in family
    }
    table["identical_to"] = [twins.get(run, "") for run in table["run"]]
    for field in reversed(known.columns):
        place = list(table).index("run") + 1
        table.insert(place, field, known.loc[table["run"], field].to_numpy())
        if pairs is not None:
            for side in ("better", "worse"):
                pairs[f"{side}_{field}"] = known.loc[pairs[side], field].to_numpy()
    made.rankings[measure] = table
    if pairs is not None:
        made.pairs[measure] = pairs


def _with_intervals(
    scores: ScoreMatrix, task: object, measures: Measures, interval: Interval, level: float
) -> dict[str, pd.DataFrame]:
    """Rank the runs by each measure; intervals are over topics, or items of a single topic."""
    tables = {
        measure: standings(scores, measure, interval=interval, level=level)
        for measure in scores.measures
    }
    if by_item(task):
        ends = item_intervals(task, measures or scores.measures, level=level).set_index(
            ["measure", "run"]
        )
        for measure, table in tables.items():
            table[["low", "high"]] = ends.loc[measure].loc[table["run"], ["low", "high"]].to_numpy()
    return tables


def _require_same(scores: ScoreMatrix, tests: SignificanceTests) -> None:
    """Refuse tests of other scores."""
    if (
        not isinstance(tests, SignificanceTests)
        or tests.runs != scores.runs
        or not set(scores.measures) <= set(tests.measures)
        or not np.array_equal(tests.means[list(scores.measures)], scores.means())
    ):
        raise ValueError(
            f"{scores.task}: the tests are not of these scores; pass ordbook.tukey_hsd(scores)"
        )


def _in_parts(
    table: pd.DataFrame, pairs: pd.DataFrame | None, group: pd.Series
) -> tuple[pd.DataFrame, pd.DataFrame | None]:
    """Sort both tables by group, rank the runs within it, and leave out pairs across groups."""
    group = group.sort_values(kind="stable")
    order = {name: place for place, name in enumerate(dict.fromkeys(group))}
    part = table["run"].map(group).map(order)
    table = table.iloc[np.argsort(part.to_numpy(), kind="stable")].reset_index(drop=True)
    part = table["run"].map(group)
    # Among equal ranks and all better ones, those of the same group count.
    within = table.groupby(part.to_numpy())["rank"].rank(method="min").astype(int)
    table.insert(0, "rank_in_group", within)
    if pairs is None:
        return table, None
    better = pairs["better"].map(group).map(order)
    pairs = pairs[better == pairs["worse"].map(group).map(order)]
    better = better[pairs.index]
    return table, pairs.iloc[np.argsort(better.to_numpy(), kind="stable")].reset_index(drop=True)
