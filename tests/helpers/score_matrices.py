"""Score matrices for tests."""

from collections.abc import Mapping

import numpy as np

from ordbook.data.scores import ScoreMatrix
from ordbook.data.tasks import Provenance


def matrix(values, better="low", runs=""):
    """Scores (measures, topics, runs) of the task "toy", topics t0, t1, ... and runs r0, r1, ...

    ``better`` is a mapping from measures, or one direction for the measures u, v, w, x, y, z.
    ``runs`` names runs by single letters.
    """
    values = np.asarray(values, dtype=float)
    if not isinstance(better, Mapping):
        better = dict.fromkeys("uvwxyz"[: len(values)], better)
    return ScoreMatrix(
        "toy",
        values,
        tuple(better),
        tuple(f"t{k}" for k in range(values.shape[1])),
        tuple(runs) or tuple(f"r{k}" for k in range(values.shape[2])),
        better,
        Provenance("yours"),
    )
