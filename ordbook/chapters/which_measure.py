"""Which measure to use: what the committed scores of all data sets say, and the definitions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import pandas as pd

from ordbook.advice.choose import choose
from ordbook.advice.criteria import COMPARED, Needs, gather, properties
from ordbook.advice.duplicates import without_copies
from ordbook.advice.grades import SAME, level
from ordbook.chapters.two_runs import systems_only
from ordbook.data.loading import load
from ordbook.data.scores import ScoreMatrix
from ordbook.data.scoring import score
from ordbook.measures import CLASSIFICATION, QUANTIFICATION
from ordbook.meta.consistency import ranking_consistency
from ordbook.meta.significance import tukey_hsd
from ordbook.meta.similarity import ranking_similarity
from ordbook.meta.topic_set_size import detectable_difference, topic_set_size
from ordbook.papers.montecarlo import split_sizes

SETS: Mapping[str, tuple[str, ...]] = {
    "quantification": ("sem16t4e", "stc3-dq-a", "stc3-dq-e", "stc3-dq-s", "fair-oq", "dbdc3"),
    "classification": ("sem16t4c", "fair-oc"),
}
# Mean taus this close are level: another seed of the splits moves them as much.
LEVEL = 0.005
NEEDS: Mapping[str, str] = {
    "a farther error must always cost more": "farther is worse",
    "the steps between classes are not equally wide": "no equal steps",
    "exchanging gold and estimate must not change the score": "symmetric",
    "an error in a small class must cost more": "imbalance",
    "runs that always answer one class must be told apart": "constant runs",
}


def _ordinal(kind: str) -> pd.DataFrame:
    names = CLASSIFICATION if kind == "classification" else QUANTIFICATION
    found = properties(list(names), kind)
    return found.loc[found["order"].astype(bool)]


def by_need(kind: str) -> pd.DataFrame:
    """Return which ordinal measures meet each need, and which do not.

    Examples
    --------
    >>> by_need("quantification").loc["a farther error must always cost more", "met by"]
    'NMD'
    """
    known = _ordinal(kind)
    rows = {}
    for need, column in NEEDS.items():
        if column in known:
            has = known[column].astype(bool)
            rows[need] = {
                "met by": ", ".join(known.index[has]) or "none",
                "not by": ", ".join(known.index[~has]) or "none",
            }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("need")


def incompatible(kind: str) -> list[tuple[str, str]]:
    """Return the pairs of needs that no ordinal measure meets together.

    Examples
    --------
    >>> for pair in incompatible("classification"):
    ...     print(" / ".join(pair))
    a farther error must always cost more / the steps between classes are not equally wide
    """
    known = _ordinal(kind)
    needs = [need for need, column in NEEDS.items() if column in known]
    return [
        (one, other)
        for one, other in combinations(needs, 2)
        if not (known[NEEDS[one]].astype(bool) & known[NEEDS[other]].astype(bool)).any()
    ]


@dataclass(frozen=True, eq=False)
class Studied:
    """What one data set says about measures.

    Attributes
    ----------
    name, kind
        Of the data set.
    classes, topics, runs
        How many.
    criteria
        As from :func:`ordbook.advice.criteria.gather`, with the column ``share``: significant pairs
        out of all.
    tau
        Between the rankings by the measures.
    scores
        What all this was computed from.
    """

    name: str
    kind: str
    classes: int
    topics: int
    runs: int
    criteria: pd.DataFrame
    tau: pd.DataFrame
    scores: ScoreMatrix

    def choose(self, **needs: object) -> tuple[str, str]:
        """Return primary and secondary measure for a task with such classes and these needs."""
        wanted = Needs(self.kind, self.classes, **needs)  # type: ignore[arg-type]
        return choose(self.criteria, wanted, self.tau)


def study(name: str, kind: str, trials: int = 5000, splits: int = 1000) -> Studied:
    """Compute the criteria of the papers on a data set.

    Scores are enough: of the gold data only the number of classes enters, so that the answer is
    the same with the raw files and without them.
    """
    task = load(name)
    scores = score(task, COMPARED[kind])
    steady = {
        split: ranking_consistency(scores, size, splits)
        for split, size in split_sizes(scores).items()
    }
    similarity = without_copies(scores, ranking_similarity(scores))
    n_classes, topics = len(getattr(task, "classes", ())), len(scores.topics)
    criteria = gather(
        scores, tukey_hsd(scores, trials), steady, similarity, kind, classes=n_classes
    )
    runs = len(scores.runs)
    criteria["share"] = criteria["significant"] / (runs * (runs - 1) / 2)
    return Studied(name, kind, n_classes, topics, runs, criteria, similarity.tau, scores)


def answers(studied: Sequence[Studied], **needs: object) -> pd.DataFrame:
    """Return the choice on each data set, a row each."""
    rows = {}
    for one in studied:
        primary, secondary = one.choose(**needs)
        rows[one.name] = {
            "classes": one.classes,
            "topics": one.topics,
            "runs": one.runs,
            "primary": primary,
            "secondary": secondary,
            "tau between": one.tau.loc[primary, secondary] if secondary else float("nan"),
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("data set")


def agreeing(found: pd.DataFrame, primary: str, secondary: str) -> int:
    """Return on how many data sets these are the two measures of :func:`answers`."""
    return int(((found["primary"] == primary) & (found["secondary"] == secondary)).sum())


def steadier(
    studied: Sequence[Studied], one: str, other: str, split: str = "tau, 10 vs. 10"
) -> tuple[list[str], list[str]]:
    """Return where one measure ranks more steadily than another, and where they are level."""
    more, level = [], []
    for data in studied:
        gap = data.criteria[split][one] - data.criteria[split][other]
        if abs(gap) < LEVEL - SAME:
            level.append(data.name)
        elif gap > 0:
            more.append(data.name)
    return more, level


def by_set(studied: Sequence[Studied], criterion: str, form: str = "{:.2f}") -> pd.DataFrame:
    """Return one column of the criteria for all data sets, the best of each marked by a star."""
    columns = {}
    for one in studied:
        found = level(one.criteria[criterion].astype(float))
        best = found.max()
        columns[one.name] = [form.format(v) + ("*" if v == best else "") for v in found]
    index = studied[0].criteria.index
    return pd.DataFrame(columns, index=index).rename_axis("measure")


def few_topics(scores: ScoreMatrix, topics: int, splits: int = 1000) -> pd.DataFrame:
    """Say what so few topics can tell about the runs, baselines left out.

    Returns
    -------
    DataFrame
        By measure: spread (difference of best and worst run), detectable (smallest difference of
        means that so many topics find with a power of 0.8), needed (topics that find the whole
        spread), consistency (mean tau between the rankings by two such sets of topics).
    """
    systems = systems_only(scores)
    means = systems.means()
    spread = means.max() - means.min()
    design = topic_set_size(systems, {str(name): float(d) for name, d in spread.items()})
    smallest = [detectable_difference(v, topics, len(systems.runs)) for v in design["variance"]]
    consistency = ranking_consistency(systems, topics, splits).mean
    return pd.DataFrame(
        {
            "spread": spread,
            "detectable": pd.Series(smallest, design.index),
            "needed": design["topics"],
            "consistency": consistency.loc[design.index],
        }
    ).rename_axis("measure")
