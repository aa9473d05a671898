"""The people behind gold data: their ratings, how far they agree, how gold follows from them."""

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ordbook.measures import alpha_ord
from ordbook.words import counted, some

Rule = Literal["median", "majority", "shares"]
Integers = NDArray[np.intp]
_GOLD = {
    "median": "their median, of two in the middle the lower",
    "majority": "their majority",
    "shares": "the shares of their ratings",
}


@dataclass(frozen=True, eq=False)
class Annotators:
    """The people who rated the items of a task, and what each of them answered.

    Attributes
    ----------
    names, items
        Names; the items of a task of labels have its order.
    topics
        (items,): the topic of each item, as an index into those of the task.
    item, annotator, rating
        (ratings,): which item was rated, by whom, and with which class, as indices.
    classes
        How many classes there are.
    rule
        How gold follows from the ratings: ``median`` (of an even number the lower of the two in
        the middle), ``majority`` (of equally common ones the lowest), or ``shares``.
    """

    names: tuple[str, ...]
    items: tuple[str, ...]
    topics: Integers
    item: Integers
    annotator: Integers
    rating: Integers
    classes: int
    rule: Rule

    @cached_property
    def votes(self) -> Integers:
        """How many people gave each item each class, (items, classes)."""
        return self.count(self.item, len(self.items))

    def count(self, place: Integers, size: int) -> Integers:
        """Count the classes of the ratings at each place (ratings,): (size, classes)."""
        cells = np.bincount(place * self.classes + self.rating, minlength=size * self.classes)
        return cells.reshape(size, self.classes)

    def alpha(self) -> float:
        """Return Krippendorff's ordinal alpha of all ratings; items with one rating do not count.

        It is 1 if everybody always agrees, about 0 if they agree as by chance, and NaN if no item
        has two ratings. Of two annotators without gaps it is :func:`ordbook.alpha_ord`.
        """
        votes = self.votes[self.votes.sum(axis=1) > 1].astype(float)
        if not len(votes):
            return float("nan")
        # Coincidences: of an item with n ratings, each ordered pair of them counts 1/(n - 1).
        weights = 1 / (votes.sum(axis=1) - 1)
        pairs = (votes * weights[:, None]).T @ votes - np.diag(weights @ votes)
        return float(alpha_ord.kernel(pairs / 2))

    def __repr__(self) -> str:
        return (
            f"<Annotators: {counted(len(self.rating), 'rating')} by {len(self.names)} people of "
            f"{counted(len(self.items), 'item')}>"
        )

    def __str__(self) -> str:
        low, high = (int(end) for end in np.quantile(self.votes.sum(axis=1), (0, 1)))
        alpha = self.alpha()
        agree = f"; alpha_ord among them {alpha:.3f}" if np.isfinite(alpha) else ""
        return (
            f"{len(self.names)}: {some(self.names)}; {low if low == high else f'{low} to {high}'} "
            f"{'rating' if high == 1 else 'ratings'} an item{agree}; gold is {_GOLD[self.rule]}"
        )


def lower_median(votes: Integers) -> Integers:
    """Return the middle class of the votes for each item, of two in the middle the lower.

    >>> lower_median(np.array([[1, 0, 1, 1], [1, 0, 1, 0]])).tolist()
    [2, 0]
    """
    half = 2 * votes.cumsum(axis=1) >= votes.sum(axis=1, keepdims=True)
    return np.asarray(half.argmax(axis=1))


def gold_labels(votes: Integers, rule: Rule) -> Integers:
    """Return the class of each item by a rule for labels: votes (items, classes) -> (items,)."""
    return np.asarray(votes.argmax(axis=1)) if rule == "majority" else lower_median(votes)
