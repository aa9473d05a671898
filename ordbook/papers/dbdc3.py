"""The official measures of the Dialogue Breakdown Detection Challenge 3.

Classes are ordered as everywhere: breakdown (X), possible breakdown (T), not a breakdown (O). The
challenge takes this order into account by merging neighbours, which leaves two classes.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ordbook.measures.quantification import jsd
from ordbook.measures.validation import check_pair

# Sums of probabilities that differ by less are equal: 1/3 + 1/6 ties with 1/2.
TIE = 1e-12


def collapse(distributions: ArrayLike, lowest: int) -> NDArray[np.float64]:
    """Merge the lowest classes into one, and all others into another.

    Parameters
    ----------
    distributions
        (..., C): distributions over ordered classes.
    lowest
        How many classes make up the first of the two, from 1 to C - 1.

    Returns
    -------
    ndarray
        (..., 2): distributions over the two merged classes.

    Examples
    --------
    >>> collapse([0.5, 0.25, 0.25], 1).tolist(), collapse([0.5, 0.25, 0.25], 2).tolist()
    ([0.5, 0.5], [0.75, 0.25])
    """
    values = np.asarray(distributions, dtype=np.float64)
    classes = values.shape[-1]
    if not 1 <= lowest < classes:
        raise ValueError(f"of {classes} classes 1 to {classes - 1} can be merged, not {lowest}")
    return np.stack([values[..., :lowest].sum(-1), values[..., lowest:].sum(-1)], axis=-1)


def majority(distributions: ArrayLike) -> NDArray[np.int64]:
    """Return the position of the most probable class; of several, the highest.

    For the challenge that is the one farthest from a breakdown: O before T before X.

    Examples
    --------
    >>> majority([[0.4, 0.4, 0.2], [0.5, 0.0, 0.5], [0.6, 0.4, 0.0]]).tolist()
    [1, 2, 0]
    """
    values = np.asarray(distributions, dtype=np.float64)
    largest = values >= values.max(axis=-1, keepdims=True) - TIE
    places: NDArray[np.int64] = values.shape[-1] - 1 - np.argmax(largest[..., ::-1], axis=-1)
    return places


def dbdc_scores(gold: ArrayLike, estimates: ArrayLike) -> dict[str, float]:
    r"""Score one run with the official measures of DBDC3.

    Labels are those of :func:`majority`, gold and estimated alike. (The challenge reads the
    estimated one from the run's file, where a system may write another than its most probable
    one; our files hold that of :func:`majority`.) For F1 of T+X a gold utterance is positive
    if T and X together outweigh O, and an estimated one if its label is T or X. Divergences
    and errors are means over utterances, with

    .. math:: \mathrm{MSE} = \frac{1}{C} \sum_i (p_i - p^*_i)^2

    and JSD with the logarithm of base 2, as Eq. 5 of SIGIR'18. ``O,T+X`` has T and X merged.

    Parameters
    ----------
    gold, estimates
        (utterances, 3): probabilities of X, T and O.

    Returns
    -------
    dict
        accuracy, F1(X), F1(T+X), JSD(O,T,X), JSD(O,T+X), JSD(O+T,X), and the same of MSE. The
        first three are from 0 to 1, and higher is better; F1 is 0 if no positive is found. For
        the others, lower is better.

    Raises
    ------
    ValueError
        If there are not three classes, or a row is not a distribution.

    References
    ----------
    Higashinaka et al. (2017), Overview of DBDC3; the challenge's page on evaluation metrics.

    Examples
    --------
    Gold labels are X and O, the estimated ones T and O:

    >>> scores = dbdc_scores([[0.6, 0.4, 0], [0, 0, 1]], [[0, 1, 0], [0, 0, 1]])
    >>> scores["accuracy"], scores["F1(X)"], scores["F1(T+X)"], round(scores["MSE(O,T,X)"], 12)
    (0.5, 0.0, 1.0, 0.12)
    """
    g, p = check_pair(gold, estimates)
    if g.ndim != 2 or g.shape != p.shape or g.shape[1] != 3:
        raise ValueError(
            "DBDC3 compares two arrays of the same shape (utterances, 3), not "
            f"{g.shape} and {p.shape}"
        )
    true, answered = majority(g), majority(p)
    merged = {
        "O,T,X": (g, p),
        "O,T+X": (collapse(g, 2), collapse(p, 2)),
        "O+T,X": (collapse(g, 1), collapse(p, 1)),
    }
    breakdown = g[:, 2] < g[:, 0] + g[:, 1] - TIE
    return {
        "accuracy": float((true == answered).mean()),
        "F1(X)": _f1(true == 0, answered == 0),
        "F1(T+X)": _f1(breakdown, answered < 2),
        **{f"JSD({name})": float(np.mean(jsd(*pair))) for name, pair in merged.items()},
        **{f"MSE({name})": float(np.mean((a - b) ** 2)) for name, (a, b) in merged.items()},
    }


def _f1(true: NDArray[np.bool_], answered: NDArray[np.bool_]) -> float:
    hits = int((true & answered).sum())
    return 2 * hits / int(true.sum() + answered.sum()) if hits else 0.0
