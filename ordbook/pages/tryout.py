"""The box that scores pasted labels in the reader's browser.

The scripts in ``book/_static/tryout`` and the measures in ``book/_static/explorer`` compute what
`ordbook.score` computes (tested to 1e-12).
"""

import pandas as pd

from ordbook.advice import FAVOURED
from ordbook.data.scoring import score
from ordbook.data.tasks import ClassificationTask
from ordbook.files import share
from ordbook.pages.templates import render

# In the order of the columns: the two that the book recommends come first.
MEASURES = (*FAVOURED["classification"], "MAE_mu", "alpha_ord", "QWK", "accuracy")
SCRIPTS = (
    *("explorer/confusion.js", "explorer/library.js"),
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
        example=table.to_csv(sep="\t", index=False, lineterminator="\n").strip(),
    )
