"""Refuse requests that make no sense, with a message of one line."""

from collections.abc import Sequence, Sized

import numpy as np

from ordbook.data.scores import ScoreMatrix

NUMBER = (int, float, np.integer, np.floating)


def whole_number(number: object, name: str, least: int = 1, most: float = np.inf) -> int:
    """Return a whole number from `least` to `most`; refuse all others, 3.7 and True included."""
    if (
        isinstance(number, bool)
        or not isinstance(number, int | np.integer)
        or not least <= number <= most
    ):
        limits = f"from {least}" if most == np.inf else f"from {least} to {most}"
        raise ValueError(f"{name} must be a whole number {limits}, not {number!r}")
    return int(number)


def between_0_and_1(value: object, name: str) -> float:
    """Return a number between 0 and 1; refuse anything else."""
    if not isinstance(value, int | float | np.floating) or not 0 < value < 1:
        raise ValueError(f"{name} must lie between 0 and 1, not {_shown(value)}")
    return float(value)


def above_0(value: object, name: str) -> float:
    """Return a finite number above 0; refuse anything else, True included."""
    if isinstance(value, bool) or not isinstance(value, NUMBER) or not 0 < value < np.inf:
        raise ValueError(f"{name} must be above 0, not {_shown(value)}")
    return float(value)


def _shown(value: object) -> object:
    """Return a value as messages show it: text in quotes, and long values by their kind."""
    if isinstance(value, str):
        return repr(value)
    return f"a {type(value).__name__}" if isinstance(value, Sized) else value


def a_score_matrix(scores: object) -> None:
    """Refuse anything but a ScoreMatrix."""
    if not isinstance(scores, ScoreMatrix):
        raise ValueError(
            f"a ScoreMatrix is needed, not a {type(scores).__name__}: ordbook.score(task) makes "
            "one, and ordbook.ScoreMatrix.from_frame(frame) one of a DataFrame"
        )


def place_of(scores: ScoreMatrix, run: str) -> int:
    """Return the place of a run among the runs of scores; refuse one that is not there."""
    a_score_matrix(scores)
    if run not in scores.runs:
        raise ValueError(
            f"{scores.task}: no run {run!r} in these scores; there are {', '.join(scores.runs)}"
        )
    return scores.runs.index(run)


def chosen_scores(scores: ScoreMatrix, measures: Sequence[str] | None) -> ScoreMatrix:
    """Return the scores by the measures of these names, one or more, or by all.

    A single name is refused, because its letters would be taken for names.
    """
    a_score_matrix(scores)
    if isinstance(measures, str):
        raise ValueError(f"measures must be several names, not {measures!r}; write [{measures!r}]")
    chosen = scores if measures is None else scores.select(measures)
    if not chosen.measures:
        raise ValueError(f"{scores.task}: there is no measure; name at least one")
    return chosen


def at_least(
    scores: ScoreMatrix, what: str, runs: int = 1, topics: int = 1, mend: str = ""
) -> None:
    """Refuse scores of fewer runs or topics than something needs."""
    for least, names, noun in ((runs, scores.runs, "runs"), (topics, scores.topics, "topics")):
        number = len(names)
        if number < least:
            there = f"there {'is' if number == 1 else 'are'} {number}"
            raise ValueError(f"{scores.task}: {what} needs at least {least} {noun}, {there}{mend}")
