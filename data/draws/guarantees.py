"""How often measures break what they might guarantee: for ``guarantees.csv``."""

from dataclasses import replace

import numpy as np
import pandas as pd

from ordbook.measures import (
    CLASSIFICATION,
    QUANTIFICATION,
    QuantificationMeasure,
    nmd,
    probe,
    rps,
)
from ordbook.measures.validation import Array


def _stepped(measure: QuantificationMeasure[...]) -> QuantificationMeasure[...]:
    """Return a measure with steps of widths 1, 3, 1, 3 ..."""

    def kernel(gold: Array, estimate: Array) -> Array:
        return measure.kernel(gold, estimate, steps=np.resize([1, 3], gold.shape[-1] - 1))

    return replace(measure, name=f"{measure.name}(steps=)", kernel=kernel)


STEPPED = (_stepped(nmd), _stepped(rps))


# Here the widths of the steps would have to change with the classes, or say what is farther.
_BY_READER = ("across gold", "reversal", "splitting", "merging", "unused classes")


def compute_guarantees(size: int = 10_000) -> pd.DataFrame:
    """Return how often each measure breaks each guarantee, a row each: for ``data/draws``."""
    rows = [
        {
            "kind": measure.kind,
            "measure": measure.name,
            "guarantee": guarantee.name,
            **{str(n): share for n, share in guarantee.broken.items()},
            "counterexample": guarantee.statement,
        }
        for measure in (*QUANTIFICATION.values(), *STEPPED, *CLASSIFICATION.values())
        for guarantee in probe(measure, size=size)
        if measure not in STEPPED or guarantee.name not in _BY_READER
    ]
    return pd.DataFrame(rows)
