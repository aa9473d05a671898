"""ACL'21: the measures that it compares, and the values of ours for the record."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import cycle

import numpy as np
import pandas as pd
from scipy.sparse.csgraph import connected_components

from ordbook.advice.criteria import SAME, consistent, discriminative
from ordbook.chapters.draws import Draws, committed
from ordbook.data.catalog import catalog
from ordbook.data.loading import load
from ordbook.data.printed import printed_values
from ordbook.data.scoring import score
from ordbook.measures import CLASSIFICATION, QUANTIFICATION
from ordbook.meta.discrimination import discriminative_power, p_curves
from ordbook.meta.seeds import split_sizes as split_sizes
from ordbook.meta.significance import SignificanceTests, tukey_hsd
from ordbook.meta.similarity import ranking_similarity
from ordbook.papers.comparison import Ours
from ordbook.papers.montecarlo import (
    consistency_over_seeds,
    mean_tau,
    power_over_seeds,
    printed_means,
    printed_tau,
)
from ordbook.papers.symbols import DISTRIBUTIONS as DISTRIBUTIONS
from ordbook.papers.symbols import LABELS as LABELS

_SIMILARITY, _CONSISTENCY = ("5i", "5ii", "5iii"), (("6a", "6c", "6e"), ("6b", "6d", "6f"))


@committed("acl21", "sem16t4c", "sem16t4e")
def by_chance(seeds: int) -> Draws:
    """Repeat the consistencies of Tables 3(a), 3(b) and 9(i), and the significance tests."""
    labels = score(load("sem16t4c"), LABELS)
    distributions = score(load("sem16t4e"), DISTRIBUTIONS)
    power = power_over_seeds(labels, 5000, seeds)
    return {
        "3a": consistency_over_seeds(labels, None, 1000, seeds),
        "3b": consistency_over_seeds(labels, 10, 1000, seeds),
        "9i left": consistency_over_seeds(distributions, None, 1000, seeds),
        "9i right": consistency_over_seeds(distributions, 10, 1000, seeds),
        "power": {(measure, "pairs"): spread for measure, spread in power.items()},
    }


@cache
def _tests(trials: int) -> Mapping[str, SignificanceTests]:
    """Test the pairs of runs of SemEval-2016: panel -> tests."""
    panels = {"1(i)": ("sem16t4c", LABELS), "3(i)": ("sem16t4e", DISTRIBUTIONS)}
    return {
        panel: tukey_hsd(score(load(name), list(measures)), trials)
        for panel, (name, measures) in panels.items()
    }


def significant_pairs(trials: int) -> dict[str, pd.Series]:
    """Count the significant pairs of Figures 1(i) and 3(i): panel -> measure -> number."""
    return {
        panel: discriminative_power(tests)["significant"] for panel, tests in _tests(trials).items()
    }


def curves(trials: int) -> None:
    """Draw Figures 1(i) and 3(i): by each measure the p-values of all pairs of runs, sorted."""
    import matplotlib.pyplot as plt  # only this function draws

    _, panels = plt.subplots(1, 2, figsize=(7.2, 3.4), sharey=True, layout="constrained")
    for axes, (panel, tests) in zip(panels, _tests(trials).items(), strict=True):
        for (measure, p), line in zip(p_curves(tests).items(), cycle(("-", "--", ":"))):
            axes.plot(p.index, p, line, label=measure, linewidth=1.3)
        axes.axhline(0.05, color="#666666", linestyle="--", linewidth=0.8)
        axes.set(ylim=(0, 0.5), xlim=(1, len(p)), xlabel=f"pairs of runs, as Figure {panel}")
        axes.legend(frameon=False, fontsize=8)
        axes.spines[["top", "right"]].set_visible(False)
    panels[0].set_ylabel("p-value")


def recomputed(seeds: int = 1000) -> dict[str, Ours]:
    """Recompute the paper's tables as far as possible, with many seeds for random ones.

    Returns table -> values of ours, as for :func:`ordbook.compare`. Tables 4 and 7 follow by
    rules from ours where there are some, and from other printed tables.
    """
    labels = score(load("sem16t4c"), list(LABELS))
    distributions = score(load("sem16t4e"), list(DISTRIBUTIONS))
    similar = ranking_similarity(labels).tau
    tables = dict(by_chance(seeds))
    power = {measure: spread.mean for (measure, _), spread in tables.pop("power").items()}  # type: ignore[union-attr]
    return {
        **tables,
        "1": _data_sets(),
        "2i": similar,
        "4": _table_4(
            similar,
            [mean_tau(tables["3a"]), mean_tau(tables["3b"])],
            pd.Series(power),
            len(labels.runs),
        ),
        "7": _table_7(),
        "8i": ranking_similarity(distributions).tau,
    }


def _data_sets() -> dict[tuple[str, str], str | float]:
    """Return the rows of Table 1 about the data sets of SemEval, from the catalogue."""
    types = {"classification": "OC", "quantification": "OQ"}
    cells: dict[tuple[str, str], str | float] = {}
    for row in ("Sem16T4C", "Sem17T4C", "Sem16T4E", "Sem17T4E"):
        task, known = load(row.lower()), catalog()[row.lower()]
        named = re.match(r"(\S+) (Task \d+), subtask (\w)", known.title)
        if named is None:
            raise ValueError(f"{row}: the catalogue's title names no venue, task and subtask")
        cells[row, "Evaluation venue"] = named[1]
        cells[row, "Task/subtask"] = f"{named[2]} Subtask {named[3]}"
        cells[row, "Task type"] = types[known.kind]
        cells[row, "#ordinal classes"] = len(task.classes)
        cells[row, "Test data sample size"] = len(task.topics)
        if task.runs:
            cells[row, "#runs used"] = len(task.runs)
    return cells


def _groups(taus: Sequence[pd.DataFrame], anchors: Mapping[str, str], other: str) -> pd.Series:
    """Put measures into one group if tau reaches .8 in every data set, directly or by a chain.

    ``anchors`` gives the letter of the group of a measure, and ``other`` that of all other groups.
    """
    least = np.min([tau.to_numpy() for tau in taus], axis=0)
    # .8 is the paper's limit between two colours.
    group = pd.Series(connected_components(least >= 0.8 - SAME)[1], taus[0].index)
    letters = {group[measure]: letter for measure, letter in anchors.items()}
    return group.map(lambda number: letters.get(number, other))


def _table_4(
    similar: pd.DataFrame, consistency: Sequence[pd.Series], counts: pd.Series, runs: int
) -> dict[tuple[str, str], str]:
    """Derive Table 4: SemEval-2016 is ours, SemEval-2017 as printed in Tables 2(ii), 3(c), (d)."""
    names = list(LABELS)
    later = [printed_means(part)[names] for part in ("3c", "3d")]
    both = [
        (ours[names] + printed_later) / 2
        for ours, printed_later in zip(consistency, later, strict=True)
    ]
    anchors = {"accuracy": "B", "alpha_ord": "A"}
    taus = [similar.loc[names, names], printed_tau("2ii", names)]
    graded = {
        "(iv) system ranking similarity": _groups(taus, anchors, "A/B"),
        "(v) system ranking consistency": consistent(both, runs),
        "(vi) discriminative power": discriminative(counts[names]),
    }
    grades = {(m, column): str(grade[m]) for column, grade in graded.items() for m in names}
    for name in names:
        measure = CLASSIFICATION[name]
        grades[name, "(i) handles ordinal classes"] = _tick(measure.ordinal)
        grades[name, "(ii) handles systems that always return the same class"] = _tick(
            measure.constant_runs
        )
        grades[name, "(iii) handles class imbalance"] = _tick(measure.imbalance)
    return grades


def _table_7() -> dict[tuple[str, str], str]:
    """Derive Table 7 from Tables 5 and 6, and from the counts that LQ'21 prints of these runs."""
    names = list(DISTRIBUTIONS)
    derived = {
        (name, column): str(grades[name])
        for column, grades in _printed_grades().items()
        for name in names
    }
    for name in names:
        derived[name, "(i) handles ordinal classes"] = _tick(QUANTIFICATION[name].ordinal)
        derived[name, "(ii) symmetric"] = _tick(QUANTIFICATION[name].symmetric)
    return derived


def _printed_grades() -> dict[str, pd.Series]:
    names = list(DISTRIBUTIONS)
    power = printed_values("lq21", "3")
    power = power[power["row"].str.startswith("DialEval-1")]
    sums = power["printed"].astype(float).groupby(power["column"]).sum()
    counts = pd.Series({name: sums[f"{name} S_D"] for name in names})
    taus = [printed_tau(part, names) for part in _SIMILARITY]
    consistency = [[printed_means(part)[names] for part in parts] for parts in _CONSISTENCY]
    return _grades_7(taus, consistency, counts)


def _grades_7(
    taus: Sequence[pd.DataFrame], consistency: Sequence[Sequence[pd.Series]], counts: pd.Series
) -> dict[str, pd.Series]:
    kinds = [pd.concat(parts, axis=1).sum(axis=1) for parts in consistency]
    return {
        "(iii) system ranking similarity": _groups(taus, {"RNOD": "Y"}, "X"),
        # Whoever is not poor is good there.
        "(iv) system ranking consistency": consistent(kinds, 22).replace("fair", "good"),
        "(v) discriminative power": discriminative(counts),
    }


def _tick(holds: bool | None) -> str:
    return "✓" if holds else "blank"
