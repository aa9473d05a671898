"""Simulated data: never called data, always labelled SIMULATED where it is shown.

Contents
--------
artificial_distributions   random distributions with every number of empty classes (SIGIR'18)
"""

import numpy as np
from numpy.typing import NDArray


def artificial_distributions(
    classes: int, seed: int = 0, *, votes: int = 30, each: int = 20
) -> NDArray[np.float64]:
    """Draw the artificial distributions of SIGIR'18, Section 4.1.

    For every number k of classes from all of them down to one, ``each`` distributions that cover
    just k classes: a random set of k classes, and ``votes`` votes for them at random, drawn again
    until each of the k has one. (The paper does not say how it drew; this reading gives all of
    its printed correlations.)

    Parameters
    ----------
    classes
        Number of classes L, at least 2.
    seed
        Which draw.
    votes
        Votes per distribution, at least ``classes``.
    each
        Distributions for every k.

    Returns
    -------
    ndarray
        (each * classes, classes), rows sum to 1; the fullest first.

    Examples
    --------
    >>> drawn = artificial_distributions(3, seed=1)
    >>> drawn.shape, [(drawn[start : start + 20] > 0).sum() for start in (0, 20, 40)]
    ((60, 3), [np.int64(60), np.int64(40), np.int64(20)])
    """
    if classes < 2 or votes < classes or each < 1:
        raise ValueError(
            "artificial distributions need at least 2 classes, a vote for each of them and one "
            f"distribution of each kind, not classes={classes}, votes={votes}, each={each}"
        )
    rng = np.random.default_rng(seed)
    drawn = np.zeros((each * classes, classes))
    row = 0
    for covered in range(classes, 0, -1):
        for _ in range(each):
            chosen = rng.permutation(classes)[:covered]
            counts = np.zeros(covered, dtype=np.intp)
            while not counts.all():
                counts = np.bincount(rng.integers(covered, size=votes), minlength=covered)
            drawn[row, chosen] = counts / votes
            row += 1
    return drawn
