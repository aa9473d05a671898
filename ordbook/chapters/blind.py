"""Whether a judge that never reads an item passes the alternative annotator test."""

from collections.abc import Mapping
from typing import Literal

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.figure import Figure

from ordbook.chapters.judges import CRITERIA
from ordbook.papers.draws import committed_table
from ordbook.show import charts
from ordbook.show.colours import WIDTH

HANNA = tuple(f"hanna-{criterion}" for criterion in CRITERIA)
WEIGHTS: Mapping[str, Literal["majority"] | None] = {"none": None, "majority": "majority"}
SHAPES: Mapping[str, tuple[float, ...]] = {
    "flat": (0.2, 0.2, 0.2, 0.2, 0.2),
    "middle": (0.05, 0.2, 0.5, 0.2, 0.05),
    "skewed": (0.02, 0.02, 0.03, 0.04, 0.89),
}
NAMES = {"none": "without\nweights", "majority": "with\nweights"}
NUMBERS = (3, 5, 13)


def blind() -> pd.DataFrame:
    """Return the judges that pass, a row for each set, epsilon, score and weights."""
    return committed_table("blind")


def people() -> pd.DataFrame:
    """Return how people agree, and their labels' skew, by set."""
    return committed_table("blind_people").set_index("set")


def simulated() -> pd.DataFrame:
    """Return the share of simulated sets in which a constant passes."""
    return committed_table("blind_simulated")


def by_set() -> pd.DataFrame:
    """Return agreement and skew of each set beside the judges that pass, least agreement first."""
    settings, agreement = blind(), people().sort_values("equal")
    rows = {}
    for name, about in agreement.iterrows():
        part = settings[settings["set"] == name]
        plain, weighted = (part[part["weights"] == weights] for weights in WEIGHTS)
        title, _, criterion = str(name).partition("-")
        rows["HANNA, " + CRITERIA[criterion] if title == "hanna" else name] = {
            "pairs equal, %": round(100 * about["equal"]),
            "constant passes": f"{plain['constant passes'].sum()} of {len(plain)}",
            "with weights": f"{weighted['constant passes'].sum()} of {len(weighted)}",
            "judges pass": f"{plain['pass'].sum()} of {plain['judges'].sum()}",
            "above it": f"{plain['read'].sum()}",
        }
    return pd.DataFrame.from_dict(rows, "index")


def simulated_figure(table: pd.DataFrame) -> Figure:
    """Draw how often a constant passes, by how often people see an item's class."""
    figure, panels = plt.subplots(
        1, len(SHAPES), figsize=(WIDTH, 2.7), sharey=True, layout="constrained"
    )
    for axes, shape in zip(panels, SHAPES, strict=True):
        axes.set(
            xlim=(table["read"].min(), table["read"].max()), ylim=(-3, 103), xticks=(0.1, 0.5, 0.9)
        )
        axes.set_title(shape, fontsize="medium")
        for number in NUMBERS:
            part = table[(table["shape"] == shape) & (table["people"] == number)]
            lines = 100 * part.pivot_table("passes", "read", "weights").rename(columns=NAMES)
            named = axes is panels[-1] and number == NUMBERS[0]
            charts.curves(lines, axes, bold=[*NAMES.values()], marks=False, named=named)
    figure.supxlabel("share of items that people read", fontsize="medium")
    panels[0].set_ylabel("a constant passes, %")
    return figure
