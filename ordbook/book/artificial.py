"""Pictures of artificial distributions: four cases, and tau over many draws (SIGIR'18).

Contents
--------
GROUPS          pairs of the five measures, as the paper groups them
group           a pair of measures -> its group
trend           whether the paper's order of the groups holds, draw by draw
four_cases      gold and estimate of a few cases, a panel each (Figure 1)
tau_over_seeds  distributions of tau over seeds, with what was printed (Table 1)
"""

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from numpy.typing import ArrayLike, NDArray

from ordbook.book.pictures import ESTIMATE, GOLD, WIDTH, WRONG, distributions
from ordbook.papers.montecarlo import Spread

Pair = tuple[str, str]
WITHOUT, BOTH, WITH = "without NMD", "NMD and RSNOD", "NMD and a bin-by-bin measure"
# Group -> how it is drawn; from the most alike to the least, as the paper finds them.
GROUPS: Mapping[str, Mapping[str, Any]] = {
    WITHOUT: {"facecolor": ESTIMATE, "hatch": ""},
    BOTH: {"facecolor": GOLD, "hatch": "////"},
    WITH: {"facecolor": WRONG, "hatch": "...."},
}


def group(pair: Pair) -> str:
    """Return the group of a pair of measures.

    Examples
    --------
    >>> group(("NVD", "RSNOD")), group(("NMD", "RSNOD")), group(("JSD", "NMD"))
    ('without NMD', 'NMD and RSNOD', 'NMD and a bin-by-bin measure')
    """
    if "NMD" not in pair:
        return WITHOUT
    return BOTH if "RSNOD" in pair else WITH


def trend(taus: Mapping[Pair, ArrayLike]) -> NDArray[np.bool_]:
    """Tell for every draw whether the groups are in the paper's order (Section 4.1).

    Every pair without NMD is more alike than NMD and RSNOD, and these are more alike than NMD and
    any bin-by-bin measure.

    Parameters
    ----------
    taus
        Pair -> tau of every draw.
    """
    frame = pd.DataFrame({" ".join(pair): np.asarray(values) for pair, values in taus.items()})
    columns = {name: [" ".join(pair) for pair in taus if group(pair) == name] for name in GROUPS}
    between = frame[columns[BOTH][0]]
    holds = (between < frame[columns[WITHOUT]].min(axis=1)) & (
        between > frame[columns[WITH]].max(axis=1)
    )
    return holds.to_numpy(dtype=bool)


def four_cases(cases: Mapping[str, tuple[Sequence[float], Sequence[float]]]) -> Figure:
    """Draw gold and estimate of a few cases, two panels in a row.

    Parameters
    ----------
    cases
        Name -> gold and estimate, of the same classes.
    """
    rows = -(-len(cases) // 2)
    figure, panels = plt.subplots(
        rows,
        2,
        figsize=(WIDTH, 1.9 * rows + 0.4),
        sharey=True,
        squeeze=False,
        layout="constrained",
    )
    for axes, (name, (gold, estimate)) in zip(panels.flat, cases.items(), strict=False):
        distributions(gold, estimate, axes)
        axes.legend_.remove()
        axes.set_xlabel(name)
        axes.set_ylabel("")
        axes.set_ylim(0, 1.02)
    for axes in panels.flat[len(cases) :]:
        axes.set_axis_off()
    figure.supylabel("probability", size="medium")
    figure.legend(
        *panels[0, 0].get_legend_handles_labels(),
        loc="outside upper center",
        ncols=2,
        frameon=False,
    )
    return figure


def tau_over_seeds(
    spreads: Mapping[Pair, Spread], printed: Mapping[Pair, Sequence[float]] | None = None
) -> Axes:
    """Draw the distribution of tau over seeds for every pair of measures.

    Parameters
    ----------
    spreads
        Pair of measures -> tau over seeds; drawn group by group, the most alike above.
    printed
        Pair -> printed tau and the limits of its printed interval: a diamond on a line.
    """
    shown = dict(printed or {})
    order = sorted(spreads, key=lambda pair: (list(GROUPS).index(group(pair)), -spreads[pair].mean))
    figure, axes = plt.subplots(figsize=(WIDTH, 1.2 + 0.36 * len(order)), layout="constrained")
    drawn = axes.violinplot(
        [spreads[pair].draws for pair in order],
        positions=np.arange(len(order)),
        orientation="horizontal",
        widths=0.85,
        showextrema=False,
    )
    bodies: Any = drawn["bodies"]
    for body, pair in zip(bodies, order, strict=True):
        body.set(alpha=1, edgecolor="black", linewidth=0.7, **GROUPS[group(pair)])
    for y, pair in enumerate(order):
        if pair in shown:
            tau, low, high = shown[pair]
            axes.plot((low, high), (y, y), color="white", lw=4.5, solid_capstyle="round")
            axes.plot((low, high), (y, y), color="black", lw=2, solid_capstyle="butt")
            axes.plot(tau, y, "D", mfc="white", mec="black", mew=1.3, ms=5.5, gid="printed")
    axes.set_yticks(np.arange(len(order)), [", ".join(pair) for pair in order])
    axes.set_xlabel("Kendall's tau of SIMULATED pairs")
    axes.invert_yaxis()
    axes.tick_params(axis="y", length=0)
    sns.despine(ax=axes, left=True)
    handles: list[Any] = [
        Patch(edgecolor="black", linewidth=0.7, label=name, **look) for name, look in GROUPS.items()
    ]
    if shown:
        handles.append(
            Line2D([], [], color="black", lw=2, marker="D", mfc="white", ms=5.5, label="printed")
        )
    figure.legend(handles=handles, loc="outside upper center", ncols=2, frameon=False)
    return axes
