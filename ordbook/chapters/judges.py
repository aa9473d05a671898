"""The chapter on models that stand in for people: rankings of judges, people beside them."""

from collections.abc import Mapping

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from numpy.typing import NDArray

from ordbook.advice import FAVOURED
from ordbook.advice.criteria import COMPARED
from ordbook.data.catalog import catalog
from ordbook.data.known import COMMONEST
from ordbook.data.loading import load
from ordbook.data.scores import ScoreMatrix
from ordbook.data.tasks import ClassificationTask
from ordbook.meta.kendall import kendall_tau
from ordbook.meta.significance import SignificanceTests
from ordbook.papers.draws import committed_table
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
SETS = ("hanna-RE", "llmjudge", "sem16t4c")
# The measures recommended come first.
MEASURES = (*dict.fromkeys((*FAVOURED["classification"], *COMPARED["classification"])),)
ALPHA = 0.05


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


def people_and_judges() -> pd.DataFrame:
    """Return how people, judges and a constant run do against single people, by criterion of HANNA.

    Gold is one person's rating, each person in turn. (The median of the two that remain would be
    one of their two ratings, and the choice of the lower or the higher decides who wins.)

    Returns
    -------
    DataFrame
        A row per criterion, columns (measure, row of the chart): the mean over the pairs of people,
        the best judge, and the run that always gives the commonest rating.
    """
    table = committed_table("people").set_index(["measure", "criterion"])
    return pd.concat({measure: table.loc[measure] for measure in ("kappa", "MAE_mu")}, axis=1)


def people_figure(frame: pd.DataFrame) -> Figure:
    """Draw :func:`people_and_judges`, a panel for each measure."""
    measures = list(dict.fromkeys(frame.columns.get_level_values(0)))
    figure, panels = plt.subplots(1, len(measures), figsize=(WIDTH, 3), layout="constrained")
    for axes, measure in zip(panels, measures, strict=True):
        charts.dots(frame[measure], measure, axes=axes)
    for axes in panels[1:]:
        axes.set_yticklabels([])
    charts.legend_above(panels[0])
    return figure


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


def _labels(criterion: str) -> ClassificationTask:
    task = load(f"hanna-{criterion}")
    assert isinstance(task, ClassificationTask)
    return task


def _costs(scores: ScoreMatrix) -> pd.DataFrame:
    """Return the means, run x measure, with the sign that makes the lowest the best."""
    sign = pd.Series(scores.better).map({"low": 1, "high": -1})
    return scores.means() * sign[list(scores.measures)]
