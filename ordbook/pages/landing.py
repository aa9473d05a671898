"""The picture of the first page: two models, of which the one that is right more often is worse."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from ordbook.measures import accuracy, confusion_matrix, kappa
from ordbook.measures.validation import Array
from ordbook.pages.tryout import example
from ordbook.show.colours import ESTIMATE, WIDTH, WRONG

GRADES = (1, 2, 3, 4, 5)


def matrices() -> dict[str, Array]:
    """Return each model's confusion matrix, gold by answer, of the book's ten answers.

    Examples
    --------
    >>> {model: int(counts.trace()) for model, counts in matrices().items()}
    {'bold': 7, 'careful': 5}
    """
    table = example()
    return {
        model: confusion_matrix(table["gold"], table[model], labels=GRADES)
        for model in ("bold", "careful")
    }


def scores() -> pd.DataFrame:
    """Return accuracy and linear kappa of both models: a row per model.

    Examples
    --------
    >>> scores().round(2).to_numpy().tolist()
    [[0.7, 0.38], [0.5, 0.65]]
    """
    rows = {
        model: {
            "accuracy": float(accuracy.from_confusion(counts)),
            "linear kappa": float(kappa.from_confusion(counts)),
        }
        for model, counts in matrices().items()
    }
    return pd.DataFrame.from_dict(rows, orient="index")


def two_models() -> Figure:
    """Draw both confusion matrices, with accuracy and linear kappa under each."""
    figure, panels = plt.subplots(1, 2, figsize=(WIDTH, 3.5), layout="constrained")
    table = scores()
    for axes, (model, counts) in zip(panels, matrices().items(), strict=True):
        _matrix(axes, counts, model)
        lines = [
            f"{name} {value:.2f}{' (better)' if value == table[name].max() else ''}"
            for name, value in table.loc[model].items()
        ]
        axes.text(0.5, -0.24, "\n".join(lines), transform=axes.transAxes, ha="center", va="top")
    panels[0].set_ylabel("grade by people")
    return figure


def _matrix(axes: Axes, counts: Array, model: str) -> None:
    """Draw a confusion matrix: right answers in blue on the diagonal, wrong ones in orange."""
    for row, column in np.argwhere(counts):
        shade = (ESTIMATE if row == column else WRONG, 0.5 + 0.1 * counts[row, column])
        axes.add_patch(Rectangle((column, row), 1, 1, facecolor=shade))
        axes.text(column + 0.5, row + 0.5, f"{counts[row, column]:.0f}", ha="center", va="center")
    size, middles = len(counts), np.arange(len(counts)) + 0.5
    axes.hlines(range(size + 1), 0, size, color="0.7", lw=0.6)
    axes.vlines(range(size + 1), 0, size, color="0.7", lw=0.6)
    axes.set_xticks(middles, [str(grade) for grade in GRADES])
    axes.set_yticks(middles, [str(grade) for grade in GRADES])
    axes.tick_params(length=0)
    axes.set(xlim=(0, size), ylim=(size, 0), aspect="equal", xlabel=f"grade by {model}")
    axes.spines[:].set_visible(False)
