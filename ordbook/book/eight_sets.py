"""DNKT's eight data sets taken together: what is printed of each, their averages, and twins.

Contents
--------
TABLES            data set -> what its tables are about -> number of the table
WITH_TWINS        data set -> the subtask whose twin stands for it
AVERAGED          what a table of averages is about -> its number
as_printed        the printed tables of seven data sets, a tab each
twins             the tables of DialEval-1 beside the twins, a tab each
by_data_set       one printed number per measure and data set -> DataFrame
averages          a printed table of averages, recomputed, and what twins would make of it
heatmap           one number per measure and data set, drawn
inheritance       how near combined measures come to their two parents, drawn
against_printed   what twins give, against what is printed, drawn
"""

from collections.abc import Mapping, Sequence
from functools import cache, partial

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from IPython.display import display
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle

from ordbook.book.admonitions import Myst
from ordbook.book.parameters import Run
from ordbook.book.pictures import ESTIMATE, RIGHT, WIDTH, WRONG
from ordbook.book.simulated import beside
from ordbook.book.tabs import Tabs, tabs
from ordbook.data.printed import printed_values
from ordbook.papers.heldout import held_out

_KINDS = ("agreement", "average", "combined", "consistency")
TABLES: Mapping[str, Mapping[str, str]] = {
    name: dict(zip(_KINDS, numbers.split(), strict=True))
    for name, numbers in {
        "Sem16T4E": "3 4 21a 25a",
        "Sem17T4E": "5 6 21b 25b",
        "STC-3 DQ-A": "7 8 22a 26a",
        "STC-3 DQ-E": "9 10 22b 26b",
        "STC-3 DQ-S": "11 12 22c 26c",
        "DialEval-1 DQ-A": "13 14 23a 27a",
        "DialEval-1 DQ-E": "15 16 23b 27b",
        "DialEval-1 DQ-S": "17 18 23c 27c",
    }.items()
}
WITH_TWINS: Mapping[str, str] = {f"DialEval-1 DQ-{subtask}": subtask for subtask in "AES"}
AVERAGED: Mapping[str, str] = {"average": "20", "combined": "24", "consistency": "28"}
_ABOUT = {
    "agreement": "tau with its 95% interval",
    "average": "average similarity with the other measures",
    "combined": "DNKT, another measure and both combined: tau with its 95% interval",
    "consistency": "mean tau, and the measures that are outperformed",
}
_held_out = cache(held_out)
# Limits of intervals, and symbols: nothing to average.
_BESIDES = r"outperforms| low$| high$"
_MARKERS = ("o", "s", "^")
_COLOURS = (ESTIMATE, WRONG, RIGHT)


def as_printed(run: Run, *kinds: str) -> Tabs | None:
    """Show the printed tables of the seven data sets whose runs are not at hand, a tab each.

    Parameters
    ----------
    run
        Of the chapter. In an edition about other data one sentence stands for all tables.
    kinds
        ``"agreement"``, ``"average"``, ``"combined"``, ``"consistency"``.
    """
    panels = {
        name: partial(_compare, run, name, [tables[kind] for kind in kinds], kinds)
        for name, tables in TABLES.items()
        if name != "Sem16T4E"
    }
    shown = tabs(panels)
    if run.on_papers_data("quantification"):
        return shown
    _idle()
    return None


def _compare(run: Run, name: str, tables: Sequence[str], kinds: Sequence[str]) -> None:
    for table, kind in zip(tables, kinds, strict=True):
        caption = f"Table {label(table)} of the paper, as printed: {name}, {_ABOUT[kind]}."
        run.compare(table, caption, name=f"dnkt-table{table}", about="another data set")


def twins(run: Run, *kinds: str) -> Tabs | None:
    """Show the printed tables of DialEval-1 beside what the twins give, a tab each."""
    if not run.on_papers_data("quantification"):
        _idle()
        return None
    return tabs(
        {name: partial(_beside, name, subtask, kinds) for name, subtask in WITH_TWINS.items()}
    )


def _beside(name: str, subtask: str, kinds: Sequence[str]) -> None:
    for kind in kinds:
        table = TABLES[name][kind]
        what = _ABOUT[kind].partition(" with ")[0].partition(", and")[0]
        caption = f"Table {label(table)} beside the twin of {name}: {what}."
        display(beside("dnkt", table, subtask, caption, f"dnkt-twin{table}"))


def label(table: str) -> str:
    """Return the number of a table as a paper writes it.

    Examples
    --------
    >>> label("21a"), label("5")
    ('21(a)', '5')
    """
    return f"{table[:-1]}({table[-1]})" if table[-1].isalpha() else table


def _idle() -> None:
    display(
        Myst(
            ":::{note}\nIdle. These tables are about the paper's other data sets; this edition "
            "is about data that it does not have.\n:::"
        )
    )


def _numbers(table: str) -> pd.Series:
    """Return the printed numbers of a table by row and column, without limits and symbols."""
    cells = printed_values("dnkt", table)
    cells = cells[~cells["column"].str.contains(_BESIDES)]
    return cells.set_index(["row", "column"])["printed"].astype(float)


def by_data_set(kind: str, column: str) -> pd.DataFrame:
    """Return one printed column for every data set: a row for each measure.

    Parameters
    ----------
    kind, column
        ``"average"`` and ``"average"``, or ``"consistency"`` and ``"full split"`` or
        ``"10 vs. 10"``.
    """
    columns = {
        name: _numbers(tables[kind]).xs(column, level="column") for name, tables in TABLES.items()
    }
    return pd.DataFrame(columns).rename_axis("measure")


def averages(kind: str, real: Mapping[tuple[str, str], float] | None = None) -> pd.DataFrame:
    """Recompute a printed table of averages, and put twins in the place of DialEval-1's runs.

    Parameters
    ----------
    kind
        ``"average"``, ``"combined"`` or ``"consistency"``: Tables 20, 24 and 28.
    real
        Our own values for Sem16T4E by row and column; by default its printed ones.

    Returns
    -------
    DataFrame
        By row and column: ``printed``, the ``average`` of the eight printed numbers, and ``low``,
        ``mean`` and ``high`` with ``real`` and the twins of five seeds: SIMULATED.
    """
    found = pd.DataFrame({name: _numbers(tables[kind]) for name, tables in TABLES.items()})
    shown = _numbers(AVERAGED[kind]).rename("printed").to_frame()
    shown["average"] = found.mean(axis=1)
    if real is not None:
        found["Sem16T4E"] = pd.Series(real).reindex(found.index)
    for end in ("low", "mean", "high"):
        mixed = found.copy()
        for name, subtask in WITH_TWINS.items():
            simulated = held_out(subtask).query(
                "paper == 'dnkt' and table == @TABLES[@name][@kind]"
            )
            mixed[name] = simulated.set_index(["row", "column"])[end].reindex(found.index)
        shown[end] = mixed.mean(axis=1, skipna=False)
    return shown


def _simulated(name: str, kind: str) -> pd.DataFrame:
    """Return what twins of five seeds give for a table of DialEval-1."""
    found = _held_out(WITH_TWINS[name])
    return found[(found["paper"] == "dnkt") & (found["table"] == TABLES[name][kind])]


def heatmap(frame: pd.DataFrame, label: str) -> Axes:
    """Draw one number per measure and data set; the largest of each data set has a frame.

    Parameters
    ----------
    frame
        Measure x data set.
    label
        What the numbers are.
    """
    rows, columns = frame.shape
    size = (1.5 + 0.52 * columns, 1.7 + 0.34 * rows)
    _, axes = plt.subplots(figsize=size, layout="constrained")
    largest = np.argwhere(frame.to_numpy() == frame.to_numpy().max(axis=0))
    sns.heatmap(
        frame,
        cmap="cividis",
        annot=True,
        fmt=".2f",
        annot_kws={"size": 9},
        linewidths=1,
        cbar_kws={"label": label, "location": "top", "aspect": 40},
        ax=axes,
    )
    for row, x in largest:
        axes.add_patch(Rectangle((x, row), 1, 1, fill=False, ec=WRONG, lw=2.5, clip_on=False))
    axes.set(xlabel="", ylabel="")
    axes.tick_params(length=0)
    axes.tick_params(axis="x", rotation=90)
    axes.tick_params(axis="y", rotation=0)
    return axes


def inheritance(measures: Sequence[str] = ("JSD", "NMD", "RNOD")) -> Figure:
    """Draw how near each combined measure comes to DNKT, and to its other parent.

    A panel per combination, a point per data set: above the diagonal it ranks runs more like the
    other measure, below more like DNKT. Printed values. The panels are stacked, for phones.
    """
    figure, panels = plt.subplots(
        len(measures),
        1,
        figsize=(WIDTH, 0.6 + 3 * len(measures)),
        sharex=True,
        layout="constrained",
        squeeze=False,
    )
    venues = list(dict.fromkeys(_venue(name) for name in TABLES))
    for axes, measure in zip(panels[:, 0], measures, strict=True):
        axes.plot([0.4, 1], [0.4, 1], color="0.5", lw=1, ls="--")
        for name, tables in TABLES.items():
            found, combined = _numbers(tables["combined"]), f"DNKT_{measure}"
            place = venues.index(_venue(name))
            x, y = found["DNKT", combined], found[measure, combined]
            axes.plot(x, y, _MARKERS[place], color=_COLOURS[place], ms=6.5, alpha=0.85, gid=name)
        axes.set(
            xlim=(0.4, 1),
            ylim=(0.5, 1),
            title=combined,
            xticks=[0.4, 0.6, 0.8, 1],
            ylabel=f"tau with {measure}",
        )
        axes.set_aspect("equal")
        sns.despine(ax=axes)
    panels[-1, 0].set_xlabel("tau with DNKT")
    _legend(figure, venues)
    return figure


def _venue(name: str) -> str:
    return "SemEval" if name.startswith("Sem") else name.split()[0]


def _legend(figure: Figure, names: Sequence[str]) -> None:
    handles = [
        Line2D([], [], ls="", marker=marker, color=colour, label=name)
        for name, marker, colour in zip(names, _MARKERS, _COLOURS, strict=False)
    ]
    figure.legend(handles=handles, loc="outside upper center", ncols=3, frameon=False)


def against_printed(kinds: Sequence[str] = ("agreement", "combined", "consistency")) -> Figure:
    """Draw what twins give against what is printed; the lines are ranges over five seeds.

    A panel per kind of table, a point per printed number. Simulated values, as the axis says.
    """
    figure, panels = plt.subplots(
        len(kinds), 1, figsize=(WIDTH, 0.6 + 3.2 * len(kinds)), layout="constrained", squeeze=False
    )
    for axes, kind in zip(panels[:, 0], kinds, strict=True):
        ends = []
        for place, name in enumerate(WITH_TWINS):
            found = _simulated(name, kind)
            x, y, low, high = (found[end] for end in ("printed", "mean", "low", "high"))
            reach = [y - low, high - y]
            axes.errorbar(x, y, reach, fmt=_MARKERS[place], color=_COLOURS[place], ms=4.5, lw=1)
            ends += [x.min(), x.max(), low.min(), high.max()]
        axes.axline((0, 0), slope=1, color="0.5", lw=1, ls="--")
        low, high = min(ends) - 0.03, max(ends) + 0.03
        axes.set(xlim=(low, high), ylim=(low, high), title=kind, ylabel="SIMULATED, by twins")
        axes.set_aspect("equal")
        sns.despine(ax=axes)
    panels[-1, 0].set_xlabel("printed")
    _legend(figure, [name.split()[1] for name in WITH_TWINS])
    return figure
