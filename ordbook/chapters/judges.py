"""The chapter on models that stand in for people: rankings of judges, ceilings, committees."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from numpy.typing import NDArray

from ordbook.advice.choose import FAVOURED
from ordbook.advice.criteria import COMPARED
from ordbook.data.catalog import catalog
from ordbook.data.known import COMMONEST, PEOPLE
from ordbook.data.loading import load
from ordbook.data.scores import ScoreMatrix
from ordbook.data.scoring import score
from ordbook.data.tasks import ClassificationTask, QuantificationTask
from ordbook.files import share
from ordbook.measures import rps
from ordbook.meta.kendall import kendall_tau
from ordbook.meta.people import human_ceiling
from ordbook.meta.significance import SignificanceTests
from ordbook.show import charts
from ordbook.show.colours import WIDTH
from ordbook.show.run import list_sets

CRITERIA: Mapping[str, str] = {
    "RE": "relevance",
    "CH": "coherence",
    "EM": "empathy",
    "SU": "surprise",
    "EG": "engagement",
    "CX": "complexity",
}
SETS = ("llmjudge", "ambistory", "ambistory-dev", "latent", "hanna-RE", "hanna-RE-shares")
# The measures recommended come first.
MEASURES = (*dict.fromkeys((*FAVOURED["classification"], *COMPARED["classification"])),)
SHARES = (*FAVOURED["quantification"], "JSD")
ALPHA = 0.05
DRAWS = 20


def start(seed: int = 0) -> None:
    """Check the seed, and list the data sets of the chapter."""
    lines = []
    for name in SETS:
        task = load(name)
        further = ", and five more criteria" if name.startswith("hanna") else ""
        size = f"{len(task.topics)} topics, {len(task.runs)} runs{further}"
        lines.append(f"- **{name}** ({catalog()[name].short}): {size}")
    list_sets(lines, seed)


def ranks(scores: ScoreMatrix) -> pd.DataFrame:
    """Return the rank of each run by each measure; 1 is the best, equal means share the better."""
    return _costs(scores).rank(method="min").astype(int)


def winners(scores: ScoreMatrix) -> pd.Series:
    """Return the best run by each measure.

    Examples
    --------
    >>> import ordbook as ob
    >>> winners(ob.score(ob.load("llmjudge"), ["kappa", "MAE_M"])).to_dict()
    {'kappa': 'willia-umbrela1', 'MAE_M': 'RMITIR-llama70B'}
    """
    return _costs(scores).idxmin()


def beaten(tests: SignificanceTests, scores: ScoreMatrix) -> pd.Series:
    """Count the runs that are significantly worse than the best one, by measure."""
    best = winners(scores)
    return pd.Series(
        {name: int((tests.matrix(name).loc[best[name]] < ALPHA).sum()) for name in scores.measures}
    )


def rank_agreement(scores: ScoreMatrix, first: str, second: str) -> float:
    """Return tau between the rankings of the runs by two measures."""
    costs = _costs(scores)
    return float(kendall_tau(costs[first], costs[second]))


def people_and_judges(measures: Sequence[str] = ("kappa", "MAE_mu")) -> pd.DataFrame:
    """Hold people, judges and a constant run against single people, by criterion of HANNA.

    Gold is one person's rating, each person in turn. (The median of the two that remain would be
    one of their two ratings, and the choice of the lower or the higher decides who wins.)

    Returns
    -------
    DataFrame
        A row per criterion, columns (measure, row of the chart): the mean over the pairs of people,
        the best judge, and the run that always gives the commonest rating.
    """
    rows = {}
    for criterion, word in CRITERIA.items():
        task = _labels(criterion)
        people = task.annotators
        assert people is not None  # HANNA's people are known
        ceilings = []
        for pair in combinations(range(len(people.names)), 2):
            own = np.isin(people.annotator, pair)
            two = replace(
                people,
                item=people.item[own],
                annotator=people.annotator[own],
                rating=people.rating[own],
            )
            ceilings.append(human_ceiling(replace(task, annotators=two), measures))
        means = pd.concat(ceilings).groupby(level=0).mean()
        best = {"low": "min", "high": "max"}
        better = score(task, measures).better
        rows[word] = {
            (measure, name): value
            for measure in measures
            for name, value in {
                "a person": means.loc[[*people.names], measure].mean(),
                "best judge": means.loc[[*task.runs], measure]
                .drop(COMMONEST)
                .agg(best[better[measure]]),
                "constant": means.loc[COMMONEST, measure],
            }.items()
        }
    return pd.DataFrame.from_dict(rows, "index")


def people_figure(frame: pd.DataFrame) -> Figure:
    """Draw :func:`people_and_judges`, a panel for each measure."""
    measures = list(dict.fromkeys(frame.columns.get_level_values(0)))
    figure, panels = plt.subplots(1, len(measures), figsize=(WIDTH, 3), layout="constrained")
    for axes, measure in zip(panels, measures, strict=True):
        charts.dots(frame[measure], measure, axes=axes)
    for axes in panels[1:]:
        axes.set_yticklabels([])
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=3, frameon=False)
    return figure


def constant_ranks(measures: Sequence[str]) -> pd.DataFrame:
    """Return the rank of the constant run among HANNA's judges, criterion x measure."""
    rows = {
        word: ranks(score(load(f"hanna-{criterion}"), measures)).loc[COMMONEST]
        for criterion, word in CRITERIA.items()
    }
    return pd.DataFrame.from_dict(rows, "index")


def without_unparsed(measures: Sequence[str]) -> pd.DataFrame:
    """Compare HANNA's rankings with those without the stories that have an unparsed answer.

    Returns
    -------
    DataFrame
        A row per criterion and measure: stories (how many remain), same (whether the best judge
        stays) and tau (between the two rankings of the judges).
    """
    table = pd.read_csv(share("data", "hanna", "labels.csv.gz"))
    rows = {}
    for criterion, word in CRITERIA.items():
        labels = table[table["criterion"] == criterion].iloc[:, 1:]
        judges = labels.columns.drop(["prompt", "writer", *PEOPLE])
        parsed = labels[labels[judges].ne(0).all(axis=1)]
        task = ClassificationTask.from_labels(
            parsed[PEOPLE].median(axis=1).astype(int).tolist(),
            {judge: parsed[judge].tolist() for judge in judges},
            parsed["prompt"].tolist(),
            classes=[1, 2, 3, 4, 5],
        )
        every = _costs(score(load(f"hanna-{criterion}"), measures)).loc[judges]
        rest = _costs(score(task, measures)).loc[judges]
        for measure in measures:
            rows[word, measure] = {
                "stories": len(parsed),
                "same": every[measure].idxmin() == rest[measure].idxmin(),
                "tau": float(kendall_tau(every[measure], rest[measure])),
            }
    return pd.DataFrame.from_dict(rows, "index")


def share_winners() -> pd.DataFrame:
    """Return the judge nearest to the people's shares, a row per criterion, by three measures."""
    return pd.DataFrame.from_dict(
        {word: winners(shares_scores(criterion)) for criterion, word in CRITERIA.items()},
        "index",
    )


def committees(seed: int = 0) -> pd.DataFrame:
    """Compare HANNA's best judge with all judges together, by their RPS against the people.

    Returns
    -------
    DataFrame
        A row per criterion, a column for who answers: best and median (of single judges), all
        (the labels of all 20) and mixed (for each story the label of one judge drawn at random, so
        that there are as many labels as one judge gives; mean over 20 draws).
    """
    rng, rows = np.random.default_rng(seed), {}
    for criterion, word in CRITERIA.items():
        gold = _gold_shares(criterion)
        labels = labels_by_prompt(criterion)
        single = shares_scores(criterion).means()
        mixed = []
        for _ in range(DRAWS):
            drawn = rng.integers(len(labels), size=(1, *labels.shape[1:]))
            mixed.append(label_shares(np.take_along_axis(labels, drawn, axis=0)[0]))
        together = label_shares(np.concatenate(labels, axis=1))
        rows[word] = {
            "best": single["RPS"].min(),
            "median": single["RPS"].median(),
            "all": np.mean(rps(gold, together)),
            "mixed": np.mean([rps(gold, draw) for draw in mixed]),
        }
    return pd.DataFrame.from_dict(rows, "index")


def stricter_judges(criterion: str) -> int:
    """Count the judges of HANNA whose mean rating is lower than that of the people."""
    gold = _gold_shares(criterion)
    people = (gold @ np.arange(gold.shape[1])).mean()
    return int((labels_by_prompt(criterion).mean(axis=(1, 2)) < people).sum())


def labels_by_prompt(criterion: str) -> NDArray[np.intp]:
    """Return the labels of HANNA's judges as places on the scale, (judges, prompts, stories)."""
    task = _labels(criterion)
    judges = [place for place, run in enumerate(task.runs) if run != COMMONEST]
    return task.predicted[judges].reshape(len(judges), len(task.topics), -1)


def label_shares(labels: NDArray[np.intp]) -> NDArray[np.float64]:
    """Return how often each of five classes occurs in each row: (rows, labels) -> (rows, 5).

    Examples
    --------
    >>> label_shares(np.array([[0, 0, 1, 4]])).tolist()
    [[0.5, 0.25, 0.0, 0.0, 0.25]]
    """
    return np.stack([(labels == place).mean(axis=1) for place in range(5)], axis=1)


@cache
def shares_scores(criterion: str) -> ScoreMatrix:
    """Score HANNA's judges by their shares of each rating, a prompt at a time."""
    return score(load(f"hanna-{criterion}-shares"), SHARES)


def _labels(criterion: str) -> ClassificationTask:
    task = load(f"hanna-{criterion}")
    assert isinstance(task, ClassificationTask)
    return task


def _gold_shares(criterion: str) -> NDArray[np.float64]:
    task = load(f"hanna-{criterion}-shares")
    assert isinstance(task, QuantificationTask)
    return task.gold


def _costs(scores: ScoreMatrix) -> pd.DataFrame:
    """Return the means, run x measure, with the sign that makes the lowest the best."""
    sign = pd.Series(scores.better).map({"low": 1, "high": -1})
    return scores.means() * sign[list(scores.measures)]
