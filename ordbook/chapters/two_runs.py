"""Which two runs of a task are compared."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ordbook.data.scores import ScoreMatrix
from ordbook.data.tasks import BASELINES
from ordbook.meta.kendall import TIE_TOLERANCE
from ordbook.meta.variances import settled


def named_runs(runs: str, known: Sequence[str]) -> tuple[str, str] | None:
    """Split ``"A, B"`` into two names; an empty string gives None.

    Raises
    ------
    ValueError
        If there are not two different names, or one is not known.
    """
    names = [name.strip() for name in runs.split(",")]
    if names == [""]:
        return None
    if len(names) != 2 or names[0] == names[1]:
        raise ValueError(f"runs={runs!r}: name two different runs, separated by a comma")
    for name in names:
        if name not in known:
            raise ValueError(f"runs={runs!r}: no run {name!r}; there are {', '.join(known)}")
    return names[0], names[1]


def systems_only(scores: ScoreMatrix) -> ScoreMatrix:
    """Return the scores without BL-uniform and BL-popularity, where two runs are left; else all.

    A name in which that of a baseline occurs, such as ``A_BL-uniform-C``, is a baseline's.
    """
    kept = [i for i, run in enumerate(scores.runs) if not any(name in run for name in BASELINES)]
    if len(kept) < 2 or len(kept) == len(scores.runs):
        return scores
    names = tuple(scores.runs[i] for i in kept)
    return replace(scores, values=scores.values[:, :, kept], runs=names)


def chosen_runs(scores: ScoreMatrix, runs: str = "", measure: str = "NMD") -> tuple[str, str]:
    """Return two runs to compare, the better one last, as the paper's Systems 1 and 2.

    Parameters
    ----------
    scores
        Scores of at least two runs, the measure among them.
    runs
        Two names, separated by a comma; by default the runs with the worst and the best mean,
        baselines left out where two others are there.
    measure
        By which measure a run is better. Runs with the same mean keep the order of the task.
    """
    if len(scores.runs) < 2:
        raise ValueError(f"{scores.task}: comparing runs needs two of them")
    means = scores.means()[measure]
    order = (means if scores.better[measure] == "low" else -means).astype(float)
    order[:] = settled(np.asarray(order, dtype=np.float64), TIE_TOLERANCE)
    compared = named_runs(runs, scores.runs) or systems_only(scores).runs
    ranked = order.loc[list(compared)].sort_values(kind="stable")
    return str(ranked.index[-1]), str(ranked.index[0])
