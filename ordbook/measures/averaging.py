"""Mean forms of the quantification measures.

Contents
--------
- ``mean_form``   ``nmd`` -> ``mean_nmd``: one float for a whole set of samples

The papers score a run by the mean over topics (ACL'21 Section 3.2). QuaPy's model selection and
others like it want exactly that: a callable that returns one float and has a ``__name__``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .validation import Score

__all__ = ["mean_form"]


def mean_form(measure: Callable[..., Score]) -> Callable[..., float]:
    """Return ``mean_<name>(gold, estimate, **options)``, the unweighted mean over all samples.

    >>> from ordbook.measures import nmd
    >>> mean_nmd = mean_form(nmd)
    >>> mean_nmd.__name__, mean_nmd([[1, 0], [0, 1]], [[1, 0], [1, 0]])
    ('mean_nmd', 0.5)
    """
    name = measure.__name__

    def mean(gold: Any, estimate: Any, **options: Any) -> float:
        return float(np.mean(measure(gold, estimate, **options)))

    mean.__name__ = mean.__qualname__ = f"mean_{name}"
    mean.__module__ = measure.__module__  # where the result is bound, so that it can be pickled
    mean.__doc__ = (
        f"Mean of `{name}` over all samples, one float. Takes what `{name}` takes.\n\n"
        f"See `{name}` for the definition, the range and the direction."
    )
    return mean
