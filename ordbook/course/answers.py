"""Checks of students' results, which name a likely mistake."""

from collections.abc import Mapping, Sequence, Set
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray


def check(
    name: str,
    answer: object,
    correct: float | Sequence[float] | NDArray[Any] | Set[str],
    mistakes: Mapping[float, str] | None = None,
    *,
    tolerance: float = 0.005,
) -> None:
    """Print a sentence on a result: right, or the likely mistake.

    Parameters
    ----------
    name
        The quantity that was asked for.
    answer
        The student's number, numbers in order, or names; ``...`` where there are none yet. Numbers
        may be of any kind that ``float`` takes, but no text, and names in capitals or not.
    correct
        The right number, the right numbers in order, or the set of right names.
    mistakes
        Wrong number -> a sentence on how people arrive at it.
    tolerance
        Largest difference of two numbers that counts as rounding.

    Examples
    --------
    >>> check("NMD", 0.2, 0.2)
    NMD: right.
    >>> check("NMD", 0.133, 0.2, {0.4 / 3: "Divide by the steps between classes, not by classes."})
    NMD: 0.133 is not right. Divide by the steps between classes, not by classes.
    >>> check("shares", (0.2, 0.7), [0.2, 0.8])
    shares: number 2, 0.7, is not right. It is too low.
    >>> check("ordinal measures", {"nmd", "JSD"}, {"NMD", "RNOD"})
    ordinal measures: not right: 1 of 2 missing, and JSD is wrong.
    """
    mistakes = mistakes or {}
    if answer is ...:
        sentence = "write your result in place of the three dots."
    elif isinstance(correct, Set):
        sentence = _on_names(_listed(answer), correct)
    elif isinstance(correct, Sequence | np.ndarray):
        ordered = None if isinstance(answer, Set) else _listed(answer)
        sentence = _on_numbers(ordered, correct, mistakes, tolerance)
    elif (number := _number(answer)) is None:
        sentence = "this is no number; write one, such as 0.25."
    elif why := _why_wrong(number, correct, mistakes, tolerance):
        sentence = f"{number:g} is not right. {why}"
    else:
        sentence = "right."
    print(f"{name}: {sentence}\n", end="")  # in one piece, as notebooks show pieces apart


def _number(answer: Any) -> float | None:
    """Return a number of any kind as a float, and None for all else, such as text and NaN."""
    if isinstance(answer, str | bytes | bool | np.bool_) or getattr(answer, "shape", None):
        return None
    try:
        number = float(answer)
    except (TypeError, ValueError, OverflowError):
        return None
    return number if isfinite(number) else None


def _listed(answer: Any) -> list[Any] | None:
    """Return several answers as a list, and None if there is only one."""
    try:
        return None if isinstance(answer, str | bytes) else list(answer)
    except TypeError:
        return None


def _why_wrong(
    answer: float, correct: float, mistakes: Mapping[float, str], tolerance: float
) -> str:
    """Return how people arrive at a wrong number, and the empty text if the number is right."""
    if abs(answer - correct) <= tolerance:
        return ""
    likely = min(mistakes, key=lambda wrong: abs(answer - wrong), default=correct)
    if abs(answer - likely) <= tolerance:
        return mistakes[likely]
    return f"It is too {'high' if answer > correct else 'low'}."


def _on_numbers(
    answer: list[Any] | None,
    correct: Sequence[float] | NDArray[Any],
    mistakes: Mapping[float, str],
    tolerance: float,
) -> str:
    answer = answer or []
    numbers = [number for value in answer if (number := _number(value)) is not None]
    if not len(answer) == len(numbers) == len(correct):
        return f"write {len(correct)} numbers in their order, such as [0.25, 0.5]."
    for place, (number, right) in enumerate(zip(numbers, correct, strict=True), 1):
        if why := _why_wrong(number, right, mistakes, tolerance):
            return f"number {place}, {number:g}, is not right. {why}"
    return "right."


def _on_names(answer: list[Any] | None, correct: Set[str]) -> str:
    """Say how many names are missing and one that is wrong: more would be the solution."""
    if answer is None:
        return 'write the names as a set, such as {"NMD", "RNOD"}.'
    known = {name.casefold() for name in correct}
    named = {str(name).strip().casefold(): str(name) for name in answer}
    missing, wrong = len(known - named.keys()), sorted(named.keys() - known)
    faults = [f"{missing} of {len(known)} missing"] if missing else []
    faults += [f"{named[wrong[0]]} is wrong"] if wrong else []
    return f"not right: {', and '.join(faults)}." if faults else "right."
