"""Refuse requests that make no sense, in one line that says what is wrong.

Contents
--------
whole_number      counts, sizes, seeds
between_0_and_1   significance and confidence levels
above_0           variances and differences
a_score_matrix    what every analysis begins with
several_names     a choice of measures
"""

from collections.abc import Sequence

import numpy as np

from ordbook.data.scores import ScoreMatrix


def whole_number(number: object, name: str, least: int = 1) -> int:
    """Return a whole number from `least`; refuse anything else, 3.7 and True included."""
    if isinstance(number, bool) or not isinstance(number, int | np.integer) or number < least:
        raise ValueError(f"{name} must be a whole number from {least}, not {number!r}")
    return int(number)


def between_0_and_1(value: object, name: str) -> None:
    """Refuse what is no number between 0 and 1."""
    if not isinstance(value, int | float | np.floating) or not 0 < value < 1:
        shown = repr(value) if isinstance(value, str) else value
        raise ValueError(f"{name} must lie between 0 and 1, not {shown}")


def above_0(value: object, name: str) -> None:
    """Refuse what is no finite number above 0."""
    if not isinstance(value, int | float | np.number) or not 0 < value < np.inf:
        shown = repr(value) if isinstance(value, str) else value
        raise ValueError(f"{name} must be above 0, not {shown}")


def a_score_matrix(scores: object) -> None:
    """Refuse what is no ScoreMatrix."""
    if not isinstance(scores, ScoreMatrix):
        raise ValueError(
            f"a ScoreMatrix is needed, not a {type(scores).__name__}: ordbook.score(task) makes one"
        )


def several_names(measures: Sequence[str] | None) -> None:
    """Refuse one name where several are asked for: its letters would be taken for them."""
    if isinstance(measures, str):
        raise ValueError(f"measures must be several names, not {measures!r}; write [{measures!r}]")
