"""What the twins of DialEval-1 are fitted to: numbers read from the printed tables.

Nothing here is typed from a paper: every number comes from ``data/published`` through
:func:`ordbook.data.printed.printed_values`, and what is derived from several of them is derived
here.
"""

from dataclasses import dataclass
from functools import cache

import pandas as pd

from ordbook.data.printed import printed_values
from ordbook.papers.checks.dialeval1.significance import run_variances
from ordbook.papers.heldout import FITTED, printed_means
from ordbook.papers.symbols import SIX

SUBTASKS = ("A", "S", "E")
BASELINES = ("BL-uniform", "BL-popularity")


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
        tables imply; see :mod:`ordbook.papers.checks.dialeval1.significance`.
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
    # Tables 14 to 19 and 22 to 27 hold the tests, NMD before RSNOD.
    for (suffix, means), first_test in zip(printed_means(subtask).items(), (14, 22), strict=True):
        v_e1, v_e2 = {}, {}
        for k, measure in enumerate(FITTED):
            table = str(first_test + 2 * place + k)
            v_e1[measure], v_e2[measure] = run_variances(table, means[measure], _dialogues())
        found.append(Language(suffix, means, v_e1, v_e2))
    return found[0], found[1]


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


def _place(subtask: str) -> int:
    if subtask not in SUBTASKS:
        raise ValueError(f"no subtask {subtask!r}; there are {', '.join(SUBTASKS)}")
    return SUBTASKS.index(subtask)
