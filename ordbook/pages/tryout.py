"""The box that scores pasted labels or shares in the reader's browser.

The scripts in ``book/_static/tryout`` and the measures in ``book/_static/explorer`` compute what
`ordbook.score` computes (tested to 1e-12).
"""

from collections.abc import Sequence

import pandas as pd

from ordbook.advice import FAVOURED
from ordbook.data.scoring import score
from ordbook.data.tasks import ClassificationTask
from ordbook.files import share
from ordbook.pages.templates import render

# In the order of the columns: the two that the book recommends come first.
MEASURES = (*FAVOURED["classification"], "MAE_mu", "alpha_ord", "QWK", "accuracy")
# Of how many people each class was the rating of an answer.
VOTES = [[1, 2, 4, 2, 1], [0, 1, 2, 4, 3], [1, 3, 3, 2, 1], [0, 0, 2, 3, 5], [0, 2, 4, 3, 1]]
SCRIPTS = (
    *(f"explorer/{name}.js" for name in ("confusion", "measures", "library")),
    *(f"tryout/{name}.js" for name in ("table", "sentences", "ranking", "take", "tryout")),
)


def example() -> pd.DataFrame:
    """Return the ten ratings of the book's case: gold, the median of three people, and two runs.

    Examples
    --------
    >>> example().head(2).to_numpy().tolist()
    [[1, 1, 1], [2, 5, 3]]
    """
    ratings = pd.read_csv(share("data", "examples", "ratings", "ratings.csv"))
    gold = ratings[["Ada", "Ben", "Eve"]].median(axis=1).astype(int)
    return pd.DataFrame({"gold": gold, "bold": ratings["bold"], "careful": ratings["careful"]})


def example_of_shares() -> pd.DataFrame:
    """Return how ten people rate each of five answers, and the shares that two runs estimate.

    The run ``bold`` puts everything on the median of the people. The run ``careful`` moves each
    rating a step down.

    Examples
    --------
    >>> example_of_shares().head(3).to_numpy()[:, 1:].tolist()
    [['gold', 1, 2, 4, 2, 1], ['bold', 0, 0, 1, 0, 0], ['careful', 0.3, 0.4, 0.2, 0.1, 0]]
    """
    rows: list[list[object]] = []
    for place, votes in enumerate(VOTES, 1):
        median = next(k for k in range(len(votes)) if sum(votes[: k + 1]) > 5)
        runs: dict[str, Sequence[float]] = {
            "gold": votes,
            "bold": [int(k == median) for k in range(len(votes))],
            "careful": [(x and x / 10) for x in [votes[0] + votes[1], *votes[2:], 0]],
        }
        rows += [[f"q{place}", run, *shares] for run, shares in runs.items()]
    return pd.DataFrame(rows, columns=["topic", "run", *"12345"], dtype=object)


def box() -> str:
    """Return the box in HTML, with the scores of the example.

    Examples
    --------
    >>> 'data-measure="kappa"' in box()
    True
    """
    table = example()
    gold, *runs = ((str(name), labels.tolist()) for name, labels in table.items())
    task = ClassificationTask.from_labels(gold[1], dict(runs), ["all"] * len(table), range(1, 6))
    scores = score(task, MEASURES)
    means = scores.means()
    low = {name: means[name] if scores.better[name] == "low" else -means[name] for name in MEASURES}
    return render(
        "tryout.html.j2",
        best={name: costs.idxmin() for name, costs in low.items()},
        better=scores.better,
        scripts=SCRIPTS,
        measures=MEASURES,
        runs=[(run, means.loc[run]) for run in low[MEASURES[0]].sort_values().index],
        examples={
            name: frame.to_csv(sep="\t", index=False, lineterminator="\n").strip()
            for name, frame in {"labels": table, "shares": example_of_shares()}.items()
        },
    )
