"""What the twins of DialEval-1 are fitted to: numbers read from the printed tables.

Nothing here is typed from a paper: every number comes from ``data/published`` through
:func:`ordbook.data.printed.printed_values`, and what is derived from several of them is derived
here.

Contents
--------
SUBTASKS            the three subtasks, and in which tables they stand
Language            the runs of one language: printed means, and derived residual variances
languages           subtask -> its Chinese and its English runs
GoldTargets         what is printed of the gold votes through the two baselines
gold_targets        subtask -> GoldTargets
run_variances       effect sizes and p-values of one table -> V_E1 and V_E2
"""

from dataclasses import dataclass
from functools import cache

import numpy as np
import pandas as pd

from ordbook.data.printed import printed_values

SUBTASKS = ("A", "S", "E")
FITTED = ("NMD", "RSNOD")  # DialEval-1, Section 3.2.1: the two measures of the DQ subtask
SIX = ("NMD", "RSNOD", "RNOD", "NVD", "RNSS", "JSD")  # those of LQ'21
PAPER = "dialeval1"
BASELINES = ("BL-uniform", "BL-popularity")
# Below so many trials of the randomisation test a p says little, and its tail may be heavier
# than the studentised range's.
LEAST_TRIALS = 10


@dataclass(frozen=True)
class Language:
    """The runs of one language.

    Attributes
    ----------
    suffix
        ``-C`` or ``-E``: what LQ'21 appends to the runs' names.
    means
        Run x measure (NMD, RSNOD), as printed, without suffix.
    v_e1, v_e2
        Measure -> residual variances that the effect sizes and the p-values of the significance
        tables imply; see :func:`run_variances`.
    """

    suffix: str
    means: pd.DataFrame
    v_e1: dict[str, float]
    v_e2: dict[str, float]


@dataclass(frozen=True)
class GoldTargets:
    """What is printed of the gold votes, through what two baselines make of them.

    Attributes
    ----------
    dialogues, votes, classes
        Numbers.
    means
        (baseline, measure) -> printed mean score.
    wins
        (measure, ``uni`` or ``pop``) -> number of dialogues for which that baseline is better.
    disagree
        (measure, measure) -> number of dialogues for which Popularity is better by the first and
        Uniform by the second, where Section 5.3 of LQ'21 prints it (DQ-A only).
    known
        (delta NMD, delta RNOD, most voted class), dialogue number -> dialogues of which Section
        5.3 prints enough to know their votes (DQ-A only); no other has a larger difference
        between the two deltas.
    """

    dialogues: int
    votes: int
    classes: tuple[str, ...]
    means: dict[tuple[str, str], float]
    wins: dict[tuple[str, str], int]
    disagree: dict[tuple[str, str], int]
    known: dict[int, tuple[float, float, str]]


@cache
def languages(subtask: str) -> tuple[Language, Language]:
    """Return the Chinese and the English runs of a subtask (``A``, ``S`` or ``E``)."""
    place = _place(subtask)
    found = []
    # Tables 4 to 6 rank the Chinese runs of the three subtasks, 9 to 11 the English ones; Tables
    # 14 to 19 and 22 to 27 hold the tests, NMD before RSNOD.
    for suffix, first, first_test in (("-C", 4, 14), ("-E", 9, 22)):
        cells = printed_values(PAPER, str(first + place)).astype({"printed": float})
        means = cells.pivot_table(index="row", columns="column", values="printed", sort=False)
        means = means.loc[:, list(FITTED)].rename_axis(index=None, columns=None)
        v_e1, v_e2 = {}, {}
        for k, measure in enumerate(FITTED):
            table = str(first_test + 2 * place + k)
            v_e1[measure], v_e2[measure] = run_variances(table, means[measure], _dialogues())
        found.append(Language(suffix, means, v_e1, v_e2))
    return found[0], found[1]


def run_variances(table: str, means: pd.Series, dialogues: int) -> tuple[float, float]:
    r"""Derive V_E1 and V_E2 from a table of significant differences.

    An effect size is :math:`ES = d / \sqrt{V_{E1}}` with d the difference of two means: V_E1 is
    found by least squares. The p-values are tails of a studentised range whose variance is
    :math:`V_{E2} (n - 1)/n + \mathrm{var}(\bar x)`, because permuted scores hold the variance
    between runs too: V_E2 is found by least squares over the p-values that enough trials support.
    """
    from scipy.optimize import minimize_scalar
    from scipy.stats import studentized_range

    cells = printed_values(PAPER, table)
    cells = cells[cells["printed"] != "lost"]
    pairs = cells["column"].str.rsplit(" ", n=1, expand=True)
    cells = cells.assign(other=pairs[0], what=pairs[1])
    wide = cells.pivot_table(
        index=["row", "other"], columns="what", values="printed", aggfunc="first", sort=False
    ).dropna()
    sizes = wide["ES"].astype(float).to_numpy()
    first, second = (wide.index.get_level_values(k) for k in (0, 1))
    differences = means[second].to_numpy() - means[first].to_numpy()
    v_e1 = float((differences**2).sum() / (sizes * differences).sum()) ** 2
    trials = _trials()
    counted = ~wide["p"].str.startswith("<")
    p = wide["p"][counted].astype(float).to_numpy()
    sizes = sizes[counted.to_numpy()][p >= LEAST_TRIALS / trials]
    p = p[p >= LEAST_TRIALS / trials]
    q = np.linspace(2, 10, 161)
    log_tail = np.log(studentized_range.sf(q, len(means), np.inf))

    def misfit(scale: float) -> float:
        expected = np.exp(np.interp(sizes * np.sqrt(dialogues) * scale, q, log_tail))
        return float(((p - expected) ** 2 / (expected * (1 - expected) / trials)).sum())

    grid = np.linspace(0.5, 2.5, 201)
    start = grid[int(np.argmin([misfit(scale) for scale in grid]))]
    scale = minimize_scalar(misfit, bounds=(start - 0.01, start + 0.01), method="bounded").x
    v_e2 = v_e1 / scale**2 - float(means.var(ddof=1))
    return v_e1, v_e2 * dialogues / (dialogues - 1)


@cache
def gold_targets(subtask: str) -> GoldTargets:
    """Return what is printed of the gold votes of a subtask (``A``, ``S`` or ``E``)."""
    data = f"DialEval-1 DQ-{subtask}"
    chinese, _ = languages(subtask)
    wins = _cells("lq21", "7")
    disagree: dict[tuple[str, str], int] = {}
    known: dict[int, tuple[float, float, str]] = {}
    scale = _cells("lq21", "s4")
    lowest = int(scale["lowest dialogue quality class", "value"])
    classes = tuple(str(label) for label in range(lowest, -lowest + 1))
    if subtask == "A":  # Section 5.3 is about this one
        said = _cells("lq21", "s5.3")
        disagree = {
            (first, second): int(said[f"NMD RNOD: NMD prefers {side}", "count"])
            for first, second, side in (
                ("NMD", "RNOD", "Popularity, RNOD Uniform"),
                ("RNOD", "NMD", "Uniform, RNOD Popularity"),
            )
        }
        for number in (181, 18):
            head = f"{number}th dialogue: "
            known[number] = (
                float(said[f"{head}delta NMD", "value"]),
                float(said[f"{head}delta RNOD", "value"]),
                said[f"{head}class with the highest gold probability", "class"],
            )
    return GoldTargets(
        dialogues=_dialogues(),
        votes=int(scale["DialEval-1: assessors", "count"]),
        classes=classes,
        means={(b, m): float(chinese.means[m].to_dict()[b]) for b in BASELINES for m in FITTED},
        wins={(m, side): int(wins[data, f"{m} {side}"]) for m in SIX for side in ("uni", "pop")},
        disagree=disagree,
        known=known,
    )


def _cells(paper: str, table: str) -> dict[tuple[str, str], str]:
    cells = printed_values(paper, table)
    return dict(zip(zip(cells["row"], cells["column"], strict=True), cells["printed"], strict=True))


def _dialogues() -> int:
    return int(_cells("lq21", "2")["DialEval-1 DQ-{A, E, S}", "Test data sample size"])


def _trials() -> int:
    return int(_cells(PAPER, "s5.1")["randomised Tukey HSD B", "trials"].replace(",", ""))


def _place(subtask: str) -> int:
    if subtask not in SUBTASKS:
        raise ValueError(f"no subtask {subtask!r}; there are {', '.join(SUBTASKS)}")
    return SUBTASKS.index(subtask)
