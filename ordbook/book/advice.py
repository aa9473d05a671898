"""Which measure to use as primary and which as secondary, by the papers' own criteria.

The criteria are those of ACL'21's Tables 4 and 7. The papers grade in words and do not say where
*good* ends, and recommend without a formula; here both follow rules that can be read, and that
give the papers' own recommendations from the papers' own printed numbers (tested).

Contents
--------
Needs            what a task asks of a measure
Advice           criteria by measure, the choice, why, and what speaks against it
advise           results on a task -> Advice
choose           criteria -> primary and secondary measure, and why
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from ordbook.book import doubtful
from ordbook.book.criteria import ANCHORS as ANCHORS
from ordbook.book.criteria import COMPARED as COMPARED
from ordbook.book.criteria import PROPERTIES as PROPERTIES
from ordbook.book.criteria import distinct_runs as distinct_runs
from ordbook.book.criteria import gather as gather
from ordbook.book.criteria import properties as properties
from ordbook.book.criteria import splits_of as splits_of
from ordbook.book.criteria import without_copies as without_copies
from ordbook.book.grades import FEWEST_RUNS
from ordbook.book.reasons import why_primary, why_secondary
from ordbook.data.scores import ScoreMatrix
from ordbook.data.tasks import ClassificationTask, QuantificationTask
from ordbook.measures import Measure
from ordbook.meta.consistency import RankingConsistency
from ordbook.meta.significance_tests import SignificanceTests
from ordbook.meta.similarity import RankingSimilarity

# A gold class this many times as frequent as another makes a task unbalanced.
UNBALANCED = 2.0
# What ACL'21 recommends (Sections 5.4 and 6.4), the primary first: it decides what else is equal.
FAVOURED: Mapping[str, tuple[str, str]] = {
    "classification": ("kappa", "alpha_ord"),
    "quantification": ("RNOD", "NMD"),
}


@dataclass(frozen=True)
class Needs:
    """What a task asks of a measure, as far as its data tell.

    Attributes
    ----------
    kind
        ``classification`` or ``quantification``.
    classes
        How many; 0 where it is not known.
    constant
        Runs that answer one and the same class everywhere (classification).
    imbalance
        How many times as frequent the commonest gold class is as the rarest (infinite where a
        class is empty); NaN where the gold data are not known.
    """

    kind: str
    classes: int
    constant: tuple[str, ...] = ()
    imbalance: float = float("nan")

    @classmethod
    def of(cls, task: ClassificationTask | QuantificationTask) -> "Needs":
        """Read the needs off a task whose labels or distributions are at hand."""
        gold = np.asarray(task.gold)
        if isinstance(task, QuantificationTask):
            mass = gold.sum(axis=0)
            return cls("quantification", len(task.classes), (), _ratio(mass))
        constant = [len(np.unique(run)) == 1 for run in task.predicted]
        names = tuple(run for run, same in zip(task.runs, constant, strict=True) if same)
        mass = np.bincount(gold, minlength=len(task.classes))
        return cls("classification", len(task.classes), names, _ratio(mass))

    @property
    def required(self) -> dict[str, str]:
        """Column of the criteria -> why a primary measure must have it."""
        needed = {} if self.classes == 2 else {"order": "the classes have an order"}
        if self.kind == "classification":
            if len(self.constant) > 1:
                needed["constant runs"] = (
                    f"{len(self.constant)} runs always answer one class, and among such runs a "
                    "measure must be able to choose"
                )
            if self.imbalance > UNBALANCED:
                needed["imbalance"] = (
                    "the commonest gold class is more than "
                    f"{UNBALANCED:g} times as frequent as the rarest"
                )
        return needed


def _ratio(mass: ArrayLike) -> float:
    least, most = np.min(mass), np.max(mass)
    return float(most / least) if least > 0 else float("inf")


@dataclass(frozen=True, eq=False)
class Advice:
    """The answer to the question which measure to use.

    Attributes
    ----------
    criteria
        From :func:`ordbook.book.criteria.gather`.
    primary, secondary
        Measures; empty where the rules leave none.
    why
        A sentence on the primary, and one on the secondary. Plain text, with names from files.
    doubts
        What speaks against leaning on this choice.
    """

    needs: Needs
    criteria: pd.DataFrame
    primary: str
    secondary: str
    why: tuple[str, str]
    doubts: tuple[str, ...] = ()


def advise(
    scores: ScoreMatrix,
    tests: SignificanceTests,
    consistency: Mapping[str, RankingConsistency],
    similarity: RankingSimilarity,
    needs: Needs,
    *,
    own: Sequence[Measure] = (),
    alpha: float = 0.05,
) -> Advice:
    """Choose a primary and a secondary measure for a task by the criteria of the papers.

    Parameters
    ----------
    scores
        Of all measures that are to be compared.
    tests
        From :func:`ordbook.tukey_hsd` on these scores.
    consistency
        Kind of split -> :func:`ordbook.ranking_consistency`; empty where there are too few topics.
    similarity
        From :func:`ordbook.ranking_similarity`; copies of a run are left out of it here.
    needs
        From :meth:`Needs.of`.
    own
        Measures that are not the papers', whose properties are taken from here.
    alpha
        Significant is p < alpha.
    """
    apart = without_copies(scores, similarity)
    criteria = gather(scores, tests, consistency, apart, needs.kind, own=own, alpha=alpha)
    primary, secondary, why = choose(criteria, needs, apart.tau)
    doubts = [
        *doubtful.about_task(scores, needs.classes, FEWEST_RUNS),
        *doubtful.about_choice(tests, consistency, criteria, (primary, secondary), alpha),
    ]
    return Advice(needs, criteria, primary, secondary, why, tuple(doubts))


def choose(
    criteria: pd.DataFrame, needs: Needs, tau: pd.DataFrame
) -> tuple[str, str, tuple[str, str]]:
    """Choose a primary and a secondary measure from the criteria, and say why.

    The primary has every property that the task requires (:attr:`Needs.required`). Of these, those
    graded poor in consistency or power are left out, unless all are. Of the rest it has the best
    two grades (good is 2, fair 1, poor 0). Equal grades are decided by the mean of the ranks in
    consistency (mean tau, averaged over the kinds of split) and in power (significant
    differences); equal means by the ranking that is more like those of the other measures. What is
    still equal is decided by what the papers recommend (``FAVOURED``), then by the order of the
    table.

    The secondary is to see what the primary does not: of the other measures that handle the order,
    and all that the task requires where any such is left, it is the one that has most of the
    ``PROPERTIES`` that the primary lacks. Between equals grades and ranks decide, and where nobody
    has any of them, the ranking that is least like the primary's; then, again, the papers.

    Parameters
    ----------
    criteria
        As from :func:`ordbook.book.criteria.gather`; the columns low, high and contradicted are
        not looked at.
    needs
        What the task asks for.
    tau
        Between the rankings of the measures.
    """
    required = needs.required
    fit = criteria[criteria[list(required)].all(axis=1)]
    if fit.empty:
        return "", "", ("No measure here has every property that this task requires.", "")
    steady = fit[(fit["consistency"] != "poor") & (fit["power"] != "poor")]
    left = steady if len(steady) else fit
    order = _order(left, needs.kind)
    primary = str(order.index[0])
    secondary, seen = _second(criteria, fit, primary, tau, needs.kind)
    first = why_primary(criteria, fit, left, order, required)
    return primary, secondary, (first, why_secondary(primary, secondary, seen, tau))


def merits(criteria: pd.DataFrame) -> pd.DataFrame:
    """Return by measure the sum of its two grades, and the mean of its two ranks (1 is best).

    What cannot be graded, as with too few runs or topics, counts as fair.
    """
    worth = {"good": 2, "poor": 0}
    grades = criteria[["consistency", "power"]].map(lambda grade: worth.get(grade, 1))
    kinds = splits_of(criteria)
    ranks = [criteria["significant"].rank(ascending=False)]
    if kinds:
        ranks.append(criteria[kinds].mean(axis=1).round(12).rank(ascending=False))
    return pd.DataFrame(
        {"grades": grades.sum(axis=1), "rank": pd.concat(ranks, axis=1).mean(axis=1)}
    )


def _order(left: pd.DataFrame, kind: str) -> pd.DataFrame:
    """Return what decides between measures, best first."""
    order = merits(left).assign(unlike=-left["tau"].fillna(0).round(12))
    order["favour"] = _favour(left.index, kind)
    by = ["grades", "rank", "unlike", "favour"]
    return order.sort_values(by, ascending=[False, True, True, True], kind="stable")


def _favour(names: pd.Index, kind: str) -> list[int]:
    """Return the place of each measure in what the papers recommend; the last where it has none."""
    known = FAVOURED[kind]
    return [known.index(name) if name in known else len(known) for name in names]


def _second(
    criteria: pd.DataFrame, fit: pd.DataFrame, primary: str, tau: pd.DataFrame, kind: str
) -> tuple[str, list[str]]:
    """Return the secondary measure and the properties that it adds."""
    others = fit.drop(index=primary)
    if others.empty:
        others = criteria[criteria["order"]].drop(index=primary, errors="ignore")
    if others.empty:
        return "", []
    lacking = [p for p in PROPERTIES if p in criteria and not criteria.loc[primary, p]]
    made_up = others[lacking].sum(axis=1).astype(int)
    order = pd.DataFrame({"adds": -made_up, "like": tau.loc[primary][others.index]})
    merit = merits(others)
    order["grades"], order["rank"] = -merit["grades"], merit["rank"]
    order["like"] = order["like"].round(12)
    order["favour"] = _favour(others.index, kind)
    by = ["adds", "grades", "rank", "like"] if made_up.any() else ["like", "grades", "rank"]
    name = str(order.sort_values([*by, "favour"], kind="stable").index[0])
    return name, [p for p in lacking if others.loc[name, p]]
