"""How often a measure prefers the farther of two errors, in random cases."""

import numpy as np
from numpy.typing import NDArray

from ordbook.measures import CLASSIFICATION, QUANTIFICATION
from ordbook.meta.validation import whole_number

# Differences below this are rounding.
NOISE = 1e-9


def farther_preferred(
    measure: str, classes: int = 5, items: int = 20, cases: int = 20_000, seed: int = 0
) -> float:
    """Return the share of random cases in which a measure prefers the farther of two errors.

    A class, a wrong class and the wrong class one step farther on the same side are drawn, all
    triples with equal probability. Two estimates then differ in a single error, which ends in the
    nearer or in the farther class.

    - For distributions, gold is uniform over all distributions. Both estimates are gold, except
      that a uniform share of the mass of the first class is moved.
    - For labels, gold is uniform over the classes and independent between items. Each answer is
      right with probability one half and otherwise uniform. The answer to one more item, whose gold
      label is the first class, is wrong.

    Parameters
    ----------
    measure
        Name of one of the measures of the book.
    classes
        Number of classes, at least 3.
    items
        Labelled items of a case, besides the one whose answer differs.
    cases
        How many are drawn.
    seed
        A whole number from 0.

    Returns
    -------
    float
        From 0 to 1; 0 is best. It depends on how cases are drawn, so that it compares measures and
        does not predict how often such cases occur in a task.

    Raises
    ------
    ValueError
        If the measure is unknown, or a number is out of range.

    Examples
    --------
    >>> [round(farther_preferred("RNOD", classes), 2) for classes in (3, 5, 7)]
    [0.0, 0.17, 0.2]
    >>> farther_preferred("NMD"), farther_preferred("MAE_M")
    (0.0, 0.0)
    """
    known = {**QUANTIFICATION, **CLASSIFICATION}
    if measure not in known:
        raise ValueError(f"measure must be one of {', '.join(known)}, not {measure!r}")
    whole_number(classes, "classes", 3)
    whole_number(items, "items")
    whole_number(cases, "cases")
    rng = np.random.default_rng([seed, classes, 20240707])
    steps = [
        (right, wrong, wrong + side)
        for right in range(classes)
        for side in (-1, 1)
        for wrong in range(right + side, classes if side > 0 else -1, side)
        if 0 <= wrong + side < classes
    ]
    right, *wrong = np.array(steps)[rng.integers(len(steps), size=cases)].T
    draw = _distributions if measure in QUANTIFICATION else _labels
    near, far = (known[measure].kernel(*case) for case in draw(rng, right, wrong, classes, items))
    gain = far - near if known[measure].better == "high" else near - far
    return float(np.mean(gain > NOISE))


def _distributions(
    rng: np.random.Generator,
    right: NDArray[np.int64],
    wrong: list[NDArray[np.int64]],
    classes: int,
    items: int,
) -> list[tuple[NDArray[np.float64], ...]]:
    rows = np.arange(len(right))
    gold = rng.dirichlet(np.ones(classes), len(right))
    moved = gold[rows, right] * rng.random(len(right))
    estimates = [gold.copy() for _ in wrong]
    for estimate, end in zip(estimates, wrong, strict=True):
        estimate[rows, right] -= moved
        estimate[rows, end] += moved
    return [(gold, estimate) for estimate in estimates]


def _labels(
    rng: np.random.Generator,
    right: NDArray[np.int64],
    wrong: list[NDArray[np.int64]],
    classes: int,
    items: int,
) -> list[tuple[NDArray[np.float64], ...]]:
    shape = len(right), items
    gold, guesses = rng.integers(classes, size=(2, *shape))
    answers = np.where(rng.random(shape) < 0.5, gold, guesses)
    rows = np.arange(len(right))
    counts = np.zeros((len(right), classes, classes))
    np.add.at(counts, (rows[:, None], gold, answers), 1)
    cases = [counts.copy() for _ in wrong]
    for case, end in zip(cases, wrong, strict=True):
        case[rows, right, end] += 1
    return [(case,) for case in cases]
