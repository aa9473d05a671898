"""The box on the first page that scores pasted ratings in the reader's browser.

The scripts in ``book/_static/tryout`` and the measures in ``book/_static/explorer`` compute what
`ordbook.score` computes (tested to 1e-12). What can run in a worker stands in the page itself,
because a page that is read from a file can start a worker only from text that it holds.
"""

import pandas as pd
from IPython.display import HTML

from ordbook.advice.choose import recommended
from ordbook.data.scoring import score
from ordbook.data.tasks import ClassificationTask
from ordbook.files import share
from ordbook.pages.templates import render

# In the order of the columns: the two that the book recommends come first.
MEASURES = ("alpha_ord", "MAE_M", "kappa", "QWK", "MAE_mu", "accuracy")
# What needs no page: the measures, numbers for the eye, a table's cells, and the ranking.
ENGINE = ("explorer/confusion.js", "explorer/library.js", "tryout/table.js", "tryout/ranking.js")


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


def box() -> HTML:
    """Return the box as a cell of a page shows it, with the scores of the example.

    Examples
    --------
    >>> 'data-measure="alpha_ord"' in box()._repr_html_()
    True
    """
    table = example()
    gold, *runs = ((str(name), labels.tolist()) for name, labels in table.items())
    task = ClassificationTask.from_labels(gold[1], dict(runs), ["all"] * len(table), range(1, 6))
    scores = score(task, MEASURES)
    if recommended(scores, task)[0] != MEASURES[0]:
        raise ValueError(f"{MEASURES[0]} no longer ranks the example: order MEASURES anew")
    means = scores.means()
    low = {name: means[name] if scores.better[name] == "low" else -means[name] for name in MEASURES}
    return HTML(
        render(
            "tryout.html.j2",
            best={name: costs.idxmin() for name, costs in low.items()},
            better=scores.better,
            engine=[_script(name) for name in ENGINE],
            measures=MEASURES,
            runs=[(run, means.loc[run]) for run in low[MEASURES[0]].sort_values().index],
            text=table.to_csv(sep="\t", index=False, lineterminator="\n").strip(),
        )
    )


def _script(name: str) -> str:
    """Return the text of a script that runs in the page and in a worker."""
    return share("book", "_static", *name.split("/")).read_text(encoding="utf-8")
