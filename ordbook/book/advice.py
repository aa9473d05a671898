"""Which measure to use as primary and which as secondary, by the papers' own criteria.

The criteria are those of ACL'21's Tables 4 and 7. The papers grade in words and do not say where
*good* ends, and recommend without a formula; here both follow rules that can be read, and that
give the papers' own recommendations from the papers' own printed numbers (tested).

Contents
--------
Advice           criteria by measure, the choice, why, and what speaks against it
advise           results on a task -> Advice
choose           criteria -> primary and secondary measure, and why
of_own           what measures of one's own would be by the same rules
merits           sums of grades and means of ranks, by measure
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from ordbook.book import doubtful
from ordbook.book.criteria import ANCHORS as ANCHORS
from ordbook.book.criteria import COMPARED as COMPARED
from ordbook.book.criteria import ORDERED as ORDERED
from ordbook.book.criteria import PROPERTIES as PROPERTIES
from ordbook.book.criteria import distinct_runs as distinct_runs
from ordbook.book.criteria import gather as gather
from ordbook.book.criteria import properties as properties
from ordbook.book.criteria import splits_of as splits_of
from ordbook.book.criteria import without_copies as without_copies
from ordbook.book.grades import FEWEST_RUNS, guests, level, standing
from ordbook.book.needs import Needs as Needs
from ordbook.book.reasons import why_none, why_own, why_primary, why_secondary
from ordbook.book.same_measures import beside, same_measures
from ordbook.data.scores import ScoreMatrix
from ordbook.measures import Measure
from ordbook.meta.consistency import RankingConsistency
from ordbook.meta.significance_tests import SignificanceTests
from ordbook.meta.similarity import RankingSimilarity

# What ACL'21 recommends (Sections 5.4 and 6.4), the primary first: it decides what else is equal.
FAVOURED: Mapping[str, tuple[str, str]] = {
    "classification": ("kappa", "alpha_ord"),
    "quantification": ("RNOD", "NMD"),
}


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
    own
        A sentence on each measure of one's own: what it would be by the same rules.
    """

    needs: Needs
    criteria: pd.DataFrame
    primary: str
    secondary: str
    why: tuple[str, str]
    doubts: tuple[str, ...] = ()
    own: tuple[str, ...] = ()


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
        Measures that are not the papers'. The choice is among the others, and nothing that is
        said of these depends on them; :attr:`Advice.own` says what they would be. Where there are
        no others, the choice is among them.
    alpha
        Significant is p < alpha.
    """
    names = [measure.name for measure in own]
    mine = guests(scores.measures, names)
    others = [name for name in scores.measures if name not in mine]
    apart = without_copies(scores, similarity, others)
    criteria = gather(
        scores, tests, consistency, apart, needs.kind, own=own, alpha=alpha, classes=needs.classes
    )
    known = criteria.loc[others]
    same = same_measures(scores.select(others))
    primary, secondary, why = choose(known, needs, apart.tau, same)
    chosen = (primary, secondary)
    # Whoever could have been primary, and is not the primary by another name.
    ordered = others if needs.classes == 2 else list(known.index[known["order"]])
    rivals = [name for name in ordered if name not in (primary, *beside(primary, same))]
    doubts = [
        *doubtful.about_task(scores.select(others), needs.classes, FEWEST_RUNS),
        *doubtful.about_same(same),
        *doubtful.about_choice(tests, consistency, known, chosen, rivals, alpha),
        *doubtful.about_own(scores, tests, consistency, criteria, mine, primary, alpha),
    ]
    said = of_own(criteria, needs, apart.tau, mine, chosen, same_measures(scores))
    return Advice(needs, criteria, primary, secondary, why, tuple(doubts), tuple(said))


def choose(
    criteria: pd.DataFrame,
    needs: Needs,
    tau: pd.DataFrame,
    same: Sequence[Sequence[str]] = (),
) -> tuple[str, str, tuple[str, str]]:
    """Choose a primary and a secondary measure from the criteria, and say why.

    The primary has every property that the task requires (:attr:`Needs.required`). Of these, those
    graded poor in consistency or power are left out, unless all are. Of the rest it has the best
    two grades (good is 2, fair 1, poor 0). Equal grades are decided by the mean of the ranks in
    consistency (mean tau, averaged over the kinds of split) and in power (significant
    differences); equal means by the ranking that is more like those of the other measures. What is
    still equal is decided by what the papers recommend (``FAVOURED``), then by the order of the
    table. Means within :data:`ordbook.book.grades.SAME` are equal.

    The secondary is to see what the primary does not: of the other measures that handle the order,
    and all that the task requires where any such is left, it is the one that has most of the
    ``PROPERTIES`` that the primary lacks. Between equals grades and ranks decide, and where nobody
    has any of them, the ranking that is least like the primary's; then, again, the papers. A
    measure that is the primary by another name is no second one. Two classes have no far and near
    errors: their ranking is no reason for a second measure, and where nobody has a property that
    the primary lacks, there is none.

    Parameters
    ----------
    criteria
        As from :func:`ordbook.book.criteria.gather`; the columns low, high and contradicted are
        not looked at.
    needs
        What the task asks for.
    tau
        Between the rankings of the measures.
    same
        Sets of measures that are one and the same on these data, as from
        :func:`ordbook.book.same_measures.same_measures`.
    """
    fit, left, order = _primaries(criteria, needs)
    if fit.empty:
        return "", "", ("No measure here has every property that this task requires.", "")
    primary = str(order.index[0])
    secondary, seen, seconds = _second(criteria, fit, primary, tau, needs, same)
    first = why_primary(criteria, fit, left, order, needs.required)
    if not secondary:
        return primary, "", (first, why_none(primary, beside(primary, same), seconds))
    return primary, secondary, (first, why_secondary(primary, secondary, seen, seconds, tau))


def of_own(
    criteria: pd.DataFrame,
    needs: Needs,
    tau: pd.DataFrame,
    own: Sequence[str],
    chosen: tuple[str, str],
    same: Sequence[Sequence[str]] = (),
) -> list[str]:
    """Say of each measure of one's own what it would be by the rules of :func:`choose`.

    Each is compared with the others by itself, as if there were no further one of one's own. What
    grades and ranks leave equal falls to the others.

    Parameters
    ----------
    criteria, tau
        Of all measures.
    own
        Those that are one's own.
    chosen
        What :func:`choose` came to on the others.
    same
        As for :func:`choose`, of all measures.
    """
    said, (primary, secondary) = [], chosen
    for name in own:
        table = criteria.drop(index=[other for other in own if other != name])
        fit, left, order = _primaries(table, needs, [name])
        lacking = [what for what in needs.required if not table.loc[name, what]]
        place = ""
        if not lacking and order.index[0] == name:
            place = "primary"
        elif primary and _second(table, fit, primary, tau, needs, same, [name])[0] == name:
            place = "secondary"
        instead = {"primary": primary, "secondary": secondary}.get(place, "")
        said.append(why_own(table, name, place, instead, lacking, name in left.index))
    return said


def _primaries(
    criteria: pd.DataFrame, needs: Needs, own: Sequence[str] = ()
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Return the measures with what is required; those not left out; what decides, best first."""
    fit = criteria[criteria[list(needs.required)].all(axis=1)]
    steady = fit[(fit["consistency"] != "poor") & (fit["power"] != "poor")]
    left = steady if len(steady) else fit
    return fit, left, _order(left, needs.kind, own)


def merits(criteria: pd.DataFrame, own: Sequence[str] = ()) -> pd.DataFrame:
    """Return by measure the sum of its two grades, and the mean of its two ranks (1 is best).

    What cannot be graded, as with too few runs or topics, counts as fair. Measures of one's
    ``own`` change no rank of the others.
    """
    worth = {"good": 2, "poor": 0}
    grades = criteria[["consistency", "power"]].map(lambda grade: worth.get(grade, 1))
    kinds = splits_of(criteria)
    ranks = [standing(criteria["significant"], own)]
    if kinds:
        ranks.append(standing(criteria[kinds].mean(axis=1), own))
    return pd.DataFrame(
        {"grades": grades.sum(axis=1), "rank": pd.concat(ranks, axis=1).mean(axis=1)}
    )


def _order(left: pd.DataFrame, kind: str, own: Sequence[str] = ()) -> pd.DataFrame:
    """Return what decides between measures, best first."""
    order = merits(left, own).assign(unlike=-level(left["tau"].fillna(0)))
    order["favour"] = _favour(left.index, kind)
    order["own"] = left.index.isin(own)
    by = ["grades", "rank", "own", "unlike", "favour"]
    return order.sort_values(by, ascending=[False, True, True, True, True], kind="stable")


def _favour(names: pd.Index, kind: str) -> list[int]:
    """Return the place of each measure in what the papers recommend; the last where it has none."""
    known = FAVOURED[kind]
    return [known.index(name) if name in known else len(known) for name in names]


def _second(
    criteria: pd.DataFrame,
    fit: pd.DataFrame,
    primary: str,
    tau: pd.DataFrame,
    needs: Needs,
    same: Sequence[Sequence[str]] = (),
    own: Sequence[str] = (),
) -> tuple[str, list[str], pd.DataFrame]:
    """Return the secondary measure, the properties that it adds, and what decides, best first."""
    two = needs.classes == 2
    taken = [primary, *beside(primary, same)]
    others = fit.drop(index=taken, errors="ignore")
    if others.empty:
        ordered = criteria if two else criteria[criteria["order"]]
        others = ordered.drop(index=taken, errors="ignore")
    lacking = [p for p in PROPERTIES if p in criteria and not criteria.loc[primary, p]]
    lacking = [p for p in lacking if not (two and p in ORDERED)]
    made_up = others[lacking].sum(axis=1).astype(int)
    if others.empty or (two and not made_up.any()):
        return "", [], others
    order = pd.DataFrame({"adds": -made_up, "like": level(tau.T[primary][others.index])})
    merit = merits(others, own)
    order["grades"], order["rank"] = -merit["grades"], merit["rank"]
    order["favour"] = _favour(others.index, needs.kind)
    order["own"] = others.index.isin(own)
    by = ["adds", "grades", "rank", "like"] if made_up.any() else ["like", "grades", "rank"]
    order = order.sort_values([*by, "own", "favour"], kind="stable")
    name = str(order.index[0])
    return name, [p for p in lacking if others.loc[name, p]], order
