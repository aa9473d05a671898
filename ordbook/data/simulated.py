"""Simulated data: never called data, always labelled SIMULATED where it is shown.

The simulated sets of the catalogue are small files that travel with ordbook, and always load.
"""

import csv
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ordbook.data.catalog import DataSet
from ordbook.data.tasks import BASELINES, Provenance, QuantificationTask, baselines
from ordbook.files import sha256, share

# Estimates are kept in whole ten-thousandths, so that they sum to one exactly.
PARTS = 10_000
VOTES = "votes"
# In place of a topic: this run is a baseline, which is computed from the votes.
COMPUTED = "*"
TWIN = (
    "SIMULATED: a twin of runs that are not at hand, fitted to printed means, wins and residual "
    "variances; what it shows beyond those is a prediction."
)
FREE = "SIMULATED: fitted to nothing; for trying out what the chapters do."


def simulated_task(
    name: str,
    votes: ArrayLike,
    runs: Mapping[str, ArrayLike | None],
    classes: tuple[str, ...],
    files: Mapping[str, str] | None = None,
) -> QuantificationTask:
    """Build a simulated task; runs without estimates are baselines, computed from the votes.

    The name of a baseline begins with ``BL-uniform`` or ``BL-popularity``.
    """
    counts = np.asarray(votes)
    by_name = dict(
        zip(BASELINES, baselines(counts / counts.sum(axis=1, keepdims=True)), strict=True)
    )
    estimates = {
        run: next(by_name[name] for name in BASELINES if run.startswith(name))
        if found is None
        else found
        for run, found in runs.items()
    }
    note = TWIN if name.endswith("-twin") else FREE
    return QuantificationTask.from_arrays(
        counts,
        estimates,
        classes=classes,
        name=name,
        votes=True,
        provenance=Provenance("simulated", dict(files or {}), (note,)),
    )


def whole_parts(estimates: NDArray[np.float64]) -> NDArray[np.float64]:
    """Round distributions to ten-thousandths that sum to one: largest remainders are rounded up."""
    parts = estimates * PARTS
    whole = np.floor(parts).astype(int)
    left = PARTS - whole.sum(axis=-1)
    # Rounded, so that the order does not hang on the last bits.
    order = np.argsort(-(parts - whole).round(6), axis=-1, kind="stable")
    ranks = np.argsort(order, axis=-1, kind="stable")
    return np.asarray((whole + (ranks < left[..., None])) / PARTS)


def read_simulated(dataset: DataSet, path: Path | None = None) -> QuantificationTask:
    """Read the committed file of a simulated set, or another file in the same format.

    Columns are run, topic and one per class. The rows of ``votes`` are the gold votes, those of a
    run its estimates in ten-thousandths; a run with ``*`` for a topic is a baseline.
    """
    path = path or share("data", "simulated", f"{dataset.name}.csv")
    with path.open(encoding="utf-8", newline="") as file:
        head, *rows = list(csv.reader(file))
    blocks: dict[str, list[list[int]]] = {}
    for run, topic, *counts in rows:
        block = blocks.setdefault(run, [])
        if topic != COMPUTED:
            block.append([int(count) for count in counts])
    votes = blocks.pop(VOTES)
    runs = {run: np.array(block) / PARTS if block else None for run, block in blocks.items()}
    files = {f"data/simulated/{path.name}": sha256(path)}
    return simulated_task(dataset.name, votes, runs, tuple(head[2:]), files)


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
