"""The results on one task: scores, rankings, tests, people, each computed when first needed."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import comb
from typing import Literal

import numpy as np
import pandas as pd

from ordbook.advice.choose import choose_primary, measure_beside
from ordbook.advice.criteria import sentences_on_copies
from ordbook.data.loading import Task
from ordbook.data.oddities import CONVENTIONAL, oddities
from ordbook.data.scores import ScoreMatrix
from ordbook.data.scoring import score
from ordbook.data.tasks import ClassificationTask, share_answered
from ordbook.measures import Measure
from ordbook.meta.alternative_annotator import (
    AlternativeAnnotatorTest,
    alternative_annotator_test,
)
from ordbook.meta.discrimination import significant_signs
from ordbook.meta.items import Measures, by_item, compare_runs, item_intervals, size
from ordbook.meta.parallel import Progress
from ordbook.meta.parametric import paired_t
from ordbook.meta.people import (
    first_runs,
    first_runs_note,
    has_annotators,
    human_ceiling,
    people_note,
)
from ordbook.meta.randomisation import EXACT, paired_randomisation
from ordbook.meta.rankings import better_than, identical_runs, standings
from ordbook.meta.significance import MOST_TRIALS, SURE, SignificanceTests
from ordbook.meta.similarity import ranking_similarity
from ordbook.meta.validation import between_0_and_1
from ordbook.reports.breakdown import filled_by_class
from ordbook.show.parameters import named_runs

# Columns of the rankings, which a column of runs.csv does not replace.
TAKEN = {
    *("rank", "run", "answered", "mean", "low", "high", "skill", "interval"),
    *("better_than", "identical_to"),
}
# Of the intervals of the means.
LEVEL = 0.95
NO_PEOPLE = "people are not scored beside the runs, because no two of them rated the same item."


@dataclass(eq=False)
class Results:
    """The results on a task, each of which is computed once, when it is asked for.

    Parameters
    ----------
    task
        With at least one run; scores by any measures are a ``ScoresTask``.
    measures
        Names, and measures of your own; by default all that fit the task.
    rank_by
        The measure that ranks; ``auto`` is the first of
        :func:`ordbook.advice.choose.recommended`.
    alpha
        Significance level.
    trials
        Of the randomised Tukey HSD test. By default, as many as it takes to decide about every pair
        of runs, or fewer with many runs and topics; ``"max"`` allows a million.
    seed, threads, progress
        As for :func:`ordbook.tukey_hsd`.
    compared
        Two runs to be compared topic by topic, as ``"A,B"``; by default the first two.

    Raises
    ------
    ValueError
        If an option is not possible.

    Examples
    --------
    >>> import ordbook as ob
    >>> results = Results(ob.load("sem16t4e"), ["NMD"], trials=1000)
    >>> results.rankings["NMD"][["rank", "run", "mean"]].head(1).round(3)
       rank   run   mean
    0     1  QCRI  0.061
    """

    task: Task
    measures: Measures = None
    rank_by: str = "auto"
    alpha: float = 0.05
    trials: int | Literal["max"] | None = None
    seed: int = 0
    threads: int | None = None
    progress: Progress | None = None
    compared: str = ""

    def __post_init__(self) -> None:
        """Refuse what is not possible before anything long is computed."""
        between_0_and_1(self.alpha, "alpha")
        named_runs(self.compared, self.task.runs)
        self.primary  # noqa: B018  refuses a measure that was not scored

    @cached_property
    def scores(self) -> ScoreMatrix:
        """Every score: measure, topic, run."""
        return score(self.task, self.measures)

    @property
    def own(self) -> Mapping[str, Measure]:
        """Measures of the reader's own by name."""
        return {m.name: m for m in self.measures or () if isinstance(m, Measure)}

    @cached_property
    def primary(self) -> str:
        """The measure that ranks the runs."""
        return choose_primary(self.scores, self.task, self.rank_by)

    @cached_property
    def beside(self) -> str:
        """The recommended measure to report beside the primary one, or an empty text."""
        return measure_beside(self.scores, self.task, self.primary)

    @property
    def ranked(self) -> pd.DataFrame:
        """The standings by the primary measure."""
        return self.standings[self.primary]

    @property
    def runs(self) -> list[str]:
        """The runs, the best first."""
        return list(self.ranked["run"])

    @property
    def by_item(self) -> bool:
        """Whether items take the place of topics: there is one topic, of labels."""
        return by_item(self.task)

    @property
    def unit(self) -> str:
        """Over what intervals and tests are: ``topics``, ``items`` or, of neither, nothing."""
        return "topics" if len(self.scores.topics) > 1 else "items" if self.by_item else ""

    @property
    def size(self) -> str:
        """How many topics there are, or items of one pool."""
        return size(self.task, len(self.scores.topics))

    @property
    def about(self) -> pd.DataFrame:
        """The task's table about runs: a text by run and column, such as ``group``."""
        return self.task.about.rename(
            columns=lambda name: f"{name} of the run" if name in TAKEN else str(name)
        )

    @property
    def interval_name(self) -> str:
        """How the intervals are called in tables."""
        return {"items": "bootstrap", "topics": "t"}.get(self.unit, "")

    @cached_property
    def identical(self) -> list[tuple[str, ...]]:
        """Sets of runs that are the same."""
        return identical_runs(self.scores)

    @cached_property
    def answered(self) -> Mapping[str, float]:
        """The share of the topics or items that each run answers; empty if none is missing."""
        return share_answered(self.task)

    @cached_property
    def skill(self) -> pd.DataFrame:
        """Skill by run and each measure that has it; see :meth:`ordbook.ScoreMatrix.skill`."""
        return self.scores.skill()

    @cached_property
    def standings(self) -> dict[str, pd.DataFrame]:
        """By measure: rank, run, mean, low and high, the best run first."""
        tables = {
            measure: standings(self.scores, measure, level=LEVEL)
            for measure in self.scores.measures
        }
        if by_item(self.task):
            ends = item_intervals(self.task, self.measures or self.scores.measures, level=LEVEL)
            ends = ends.set_index(["measure", "run"])[["low", "high"]]
            for measure, table in tables.items():
                table[["low", "high"]] = ends.loc[measure].loc[table["run"]].to_numpy()
        return tables

    @cached_property
    def tests(self) -> SignificanceTests | None:
        """The randomised Tukey HSD test, of one pool over items; None if nothing can be tested."""
        return compare_runs(
            self.task,
            self.scores,
            [self.own.get(name, name) for name in self.scores.measures],
            MOST_TRIALS if self.trials == "max" else self.trials,
            self.seed,
            self.threads,
            decide_at=None if isinstance(self.trials, int) else self.alpha,
            progress=self.progress,
        )

    @cached_property
    def paired(self) -> SignificanceTests | None:
        """Paired t-tests of all pairs, adjusted by Holm; of one pool, :attr:`tests` over items."""
        if self.unit == "topics" and len(self.scores.runs) > 1:
            return paired_t(self.scores)
        return self.tests

    @cached_property
    def exact(self) -> pd.Series | None:
        """Exact p of each run against the best by the primary measure, of up to 15 topics."""
        best, *others = self.runs
        if not others or not 1 < len(self.scores.topics) <= EXACT:
            return None
        primary = self.scores.select([self.primary])
        return pd.Series(
            {run: paired_randomisation(primary, best, run)["p"].item() for run in others}
        )

    @cached_property
    def signs(self) -> pd.DataFrame:
        """The sign of each significant difference, 0 of all others; empty without tests."""
        return significant_signs(self.tests, self.alpha) if self.tests else pd.DataFrame()

    @cached_property
    def open(self) -> pd.DataFrame:
        """Whether the trials leave undecided on which side of alpha the p of a pair lies.

        For each measure, the decisions about all other pairs are safe at 99.9%.
        """
        if self.tests is None:
            return pd.DataFrame()
        low, high = self.tests.limits(SURE)
        return (low < self.alpha) & (high >= self.alpha)

    def better_than(self, measure: str) -> pd.Series:
        """How many runs each run is significantly better than."""
        sign = self.signs[measure]
        first, second = (sign.index.get_level_values(level).to_numpy() for level in (0, 1))
        better = pd.Series(np.where(sign > 0, first, second)[sign != 0])
        return better.value_counts().reindex(list(self.scores.runs), fill_value=0)

    @cached_property
    def rankings(self) -> dict[str, pd.DataFrame]:
        """By measure the official ranking.

        Its columns: rank; run and what is known of it; answered, where any answer is missing; mean,
        low, high; skill, where the measure has it; interval (which one it is); better_than (how
        many runs are significantly worse), where there are tests; identical_to.
        """
        return {measure: self._ranking(measure) for measure in self.scores.measures}

    def _ranking(self, measure: str) -> pd.DataFrame:
        table = self.standings[measure].copy()
        for place, fact in enumerate(self.about, list(table).index("run") + 1):
            table.insert(place, fact, table["run"].map(self.about[fact]))
        if self.answered:
            place = list(table).index("mean")
            table.insert(place, "answered", table["run"].map(self.answered))
        if measure in self.scores.references:
            table["skill"] = table["run"].map(self.skill[measure])
        table["interval"] = f"{self.interval_name}, {LEVEL:.0%}" if self.unit else "none"
        if self.tests is not None:
            table["better_than"] = table["run"].map(self.better_than(measure))
        same = {
            run: [other for other in family if other != run]
            for family in self.identical
            for run in family
        }
        table["identical_to"] = ["; ".join(same.get(run, ())) for run in table["run"]]
        return table

    @cached_property
    def pairs(self) -> dict[str, pd.DataFrame]:
        """By measure the significant differences; none without tests.

        The columns: better, worse, p (0 means below 1 by the number of trials), difference of the
        means, effect_size (V_E1, as in DialEval-1) and open.
        """
        tables: dict[str, pd.DataFrame] = {}
        if self.tests is None:
            return tables
        for measure in self.scores.measures:
            pairs, left = better_than(self.tests, measure, self.alpha), self.open[measure]
            undecided = {frozenset(pair) for pair in left.index[left]}
            pairs["open"] = [{*pair} in undecided for pair in pairs[["better", "worse"]].to_numpy()]
            tables[measure] = pairs
        return tables

    @cached_property
    def tau(self) -> float:
        """Kendall's tau of the rankings by the primary measure and the one beside it, or NaN."""
        if not self.beside or len(self.scores.runs) < 2:
            return float("nan")
        two = self.scores.select([self.primary, self.beside])
        if any(
            (table["rank"] == 1).all() for table in (self.standings[name] for name in two.measures)
        ):
            return float("nan")  # by one of them all runs score alike
        return float(ranking_similarity(two).tau.to_numpy()[0, 1])

    @cached_property
    def people(self) -> pd.DataFrame | None:
        """People held against each other and the runs on the same gold, if they are known."""
        if not has_annotators(self.task):
            return None
        return human_ceiling(self.task, self.measures)

    @cached_property
    def annotator_test(self) -> AlternativeAnnotatorTest | None:
        """The runs in the place of a person, where enough labels of people are known."""
        try:
            return alternative_annotator_test(self.task)  # type: ignore[arg-type]
        except ValueError:  # the labels of people are not known, or they are too few
            return None

    @cached_property
    def first(self) -> dict[str, dict[str, float]]:
        """The first runs with their scores, by how ties of people's ratings are broken."""
        if not isinstance(self.task, ClassificationTask) or self.task.ties is None:
            return {}
        return first_runs(self.task, self.own.get(self.primary, self.primary))

    @cached_property
    def notes(self) -> list[str]:
        """Sentences that a reader of any table should know."""
        task, measures = self.task, {*self.scores.measures}
        lines: list[str] = list(self.scores.provenance.notes)
        of_measures = {"tied by kappa": {"kappa", "QWK"}, "one gold class": {*CONVENTIONAL}}
        lines += [
            odd.text
            for odd in oddities(task)
            if odd.kind in ("reversed scale", "several scales")
            or of_measures.get(odd.kind, set()) & measures
        ]
        lines += self.tests.notes if self.tests else ()
        lines += self.doubles
        if self.first:
            lines.append(first_runs_note(self.first, self.primary))
        if has_annotators(task):
            if self.people is None:
                lines.append(NO_PEOPLE)
            else:
                better = self.scores.better[self.primary]
                lines.append(people_note(task, self.people, self.primary, better))
        return lines + filled_by_class(task)

    @property
    def doubles(self) -> list[str]:
        """Runs that are the same, and how many pairs there would be without doubles."""
        lines = [f"{sentence}." for sentence in sentences_on_copies(self.identical)]
        runs = len(self.scores.runs)
        left = runs - sum(len(same) - 1 for same in self.identical)
        if left < 2 or not lines:
            return lines
        return [
            *lines,
            f"Identical runs inflate the number of run pairs: {comb(runs, 2)}, and "
            f"{comb(left, 2)} among the {left} different runs.",
        ]
