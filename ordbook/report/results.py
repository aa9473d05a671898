"""The results of a shared task: official tables of all runs."""

from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from ordbook.data.scores import ScoreMatrix
from ordbook.meta.discrimination import pairs_in_doubt
from ordbook.meta.items import Measures, by_item, item_intervals, not_by_item
from ordbook.meta.rankings import (
    Interval,
    better_than,
    decided_pairs,
    identical_runs,
    standings,
)
from ordbook.meta.significance import SURE, SignificanceTests
from ordbook.meta.validation import a_score_matrix, between_0_and_1

# The pairs of more runs are too many for a table.
MOST_LISTED = 100


@dataclass(frozen=True)
class Results:
    """The official tables, and what they were made from and with; see :func:`results`.

    Attributes
    ----------
    known
        What the task says of runs: ``group`` or ``language`` -> run -> text, maybe empty.
    split
        Which of these runs are ranked within, or None.
    unit
        Over what intervals and tests are: ``topics``, ``items`` or, of neither, nothing.
    identical, open
        Sets of runs that are the same, and pairs of runs that the trials leave open.
    without
        Why items have neither intervals nor a test, where they could.
    rankings, pairs
        By measure; there are no pairs without tests, or of more than ``MOST_LISTED`` runs.
    """

    scores: ScoreMatrix
    tests: SignificanceTests | None
    known: dict[str, dict[str, str]]
    split: str | None
    unit: str
    alpha: float
    interval: Interval
    level: float
    identical: list[tuple[str, ...]]
    open: pd.DataFrame
    without: str = ""
    rankings: dict[str, pd.DataFrame] = field(default_factory=dict)
    pairs: dict[str, pd.DataFrame] = field(default_factory=dict)

    @property
    def interval_name(self) -> str:
        """How the intervals are called in tables."""
        kind = {"items": "bootstrap", "topics": "t" if self.interval == "t" else "HSD"}
        return f"{kind[self.unit]}, {100 * self.level:g}%" if self.unit else "none"

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return all tables by name."""
        found = {"open": self.open}
        found |= {f"results/{measure}": table for measure, table in self.rankings.items()}
        return found | {f"significance/{measure}": pairs for measure, pairs in self.pairs.items()}


def results(
    scores: ScoreMatrix,
    tests: SignificanceTests | None,
    *,
    alpha: float = 0.05,
    interval: Interval = "t",
    level: float = 0.95,
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
    by_group
        ``group`` or ``language``, an empty text for the first that is known. Runs are then ranked
        within each group, and only pairs of the same group are listed. The p-values stay those of
        all runs together.
    task
        The task that the scores come from, which may know groups and languages of its runs.
    measures
        Those of the scores, where some are your own and items take the place of topics.

    Returns
    -------
    Results
        Its ``tables()`` are, by name:
        ``results/<measure>``: rank, run, its groups, mean, low, high, interval (which one it is),
        better_than (how many of the runs listed), open (how many of its pairs are) where there
        are tests, identical_to; with ``by_group`` rank_in_group too.
        ``significance/<measure>``: better, worse, p with its Monte-Carlo limits p_low and p_high,
        difference of the means, effect_size (V_E1, as in DialEval-1), open, and the groups of both.
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
    facts = {"group": getattr(task, "groups", {}), "language": getattr(task, "languages", {})}
    known = {
        name: {run: of.get(run, "") for run in scores.runs} for name, of in facts.items() if of
    }
    split = by_group or next(iter(known), "group") if by_group is not None else None
    if split is not None and split not in known:
        there = f"there is {', '.join(known)}" if known else "runs.csv gives none"
        raise ValueError(f"{scores.task}: no run has a {split!r}; {there}")
    group = pd.Series(dict.fromkeys(scores.runs, "") if split is None else known[split])
    undecided = pd.DataFrame(columns=["measure", "first", "second", "p", "low", "high"])
    if tests is not None and len(scores.runs) <= MOST_LISTED:
        undecided = pairs_in_doubt(tests, alpha, level=SURE)
        undecided = undecided[_within(group, undecided["first"], undecided["second"])]
    unit = "topics" if len(scores.topics) > 1 else "items" if by_item(task) else ""
    same = identical_runs(scores)
    made = Results(
        scores,
        tests,
        known,
        split,
        unit,
        alpha,
        interval,
        level,
        same,
        undecided,
        not_by_item(task),
    )
    ends = None
    if by_item(task):
        ends = item_intervals(task, measures or scores.measures, level=level)
        ends = ends.set_index(["measure", "run"])[["low", "high"]]
    for measure in scores.measures:
        table = standings(scores, measure, interval=interval, level=level)
        if ends is not None:
            table[["low", "high"]] = ends.loc[measure].loc[table["run"]].to_numpy()
        made.rankings[measure] = _in_order(table, group[table["run"]])
        if tests is not None and len(scores.runs) <= MOST_LISTED:
            found = better_than(tests, measure, alpha)
            found = found.rename(columns={"low": "p_low", "high": "p_high"})
            found = found[_within(group, found["better"], found["worse"])]
            made.pairs[measure] = _in_order(found, group[found["better"]])
        _complete(made, measure, group)
    return made


def _within(group: pd.Series, first: pd.Series, second: pd.Series) -> np.ndarray:
    """Whether both runs of a pair belong to the same group."""
    return np.asarray(group[first].to_numpy() == group[second].to_numpy())


def _in_order(table: pd.DataFrame, group: pd.Series) -> pd.DataFrame:
    order = np.argsort(group.to_numpy().astype(str), kind="stable")
    return table.iloc[order].reset_index(drop=True)


def _complete(made: Results, measure: str, group: pd.Series) -> None:
    """Add to the tables of a measure what is known besides its scores and tests."""
    table, pairs = made.rankings[measure], made.pairs.get(measure)
    if made.split is not None:
        # Among equal ranks and all better ones, those of the same group count.
        within = table.groupby(table["run"].map(group))["rank"].rank(method="min").astype(int)
        table.insert(0, "rank_in_group", within)
    table["interval"] = made.interval_name
    if pairs is not None:
        undecided = made.open.loc[made.open["measure"] == measure, ["first", "second"]]
        each = {frozenset(pair) for pair in undecided.to_numpy().tolist()}
        both = pairs[["better", "worse"]].to_numpy().tolist()
        pairs["open"] = [frozenset(pair) in each for pair in both]
    if made.tests is not None:
        own = group[list(made.scores.runs)].to_numpy()
        same = own[:, None] == own
        for name, found in zip(
            ("better_than", "open"), decided_pairs(made.tests, measure, made.alpha), strict=True
        ):
            counts = pd.Series((found & same).sum(axis=1), made.scores.runs)
            table[name] = counts[table["run"]].to_numpy()
    others = {run: [*same] for same in made.identical for run in same}
    table["identical_to"] = [
        "; ".join(other for other in others.get(run, ()) if other != run) for run in table["run"]
    ]
    for place, fact in enumerate(made.known, list(table).index("run") + 1):
        table.insert(place, fact, table["run"].map(made.known[fact]))
        if pairs is not None:
            for side in ("better", "worse"):
                pairs[f"{side}_{fact}"] = pairs[side].map(made.known[fact])


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
