"""The people behind gold data: their ratings, how far they agree, how gold follows from them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from ordbook.data.text import SUM_TOLERANCE
from ordbook.measures.reliability import alpha_of_votes
from ordbook.words import counted, some

ANNOTATORS = "annotators.csv"
Rule = Literal["median", "majority", "shares"]
End = Literal["lower", "upper"]
ENDS: tuple[End, ...] = get_args(End)
Integers = NDArray[np.intp]
_GOLD = {
    "median": "their median",
    "majority": "their majority",
    "shares": "the shares of their ratings",
}


@dataclass(frozen=True, eq=False)
class Annotators:
    """The people who rated the items of a task, and their ratings.

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
        How gold follows from the ratings: ``median``, ``majority`` or ``shares``. Which class is
        gold where a rule for labels leaves several, the task's :class:`Ties` say.
    others
        How many items or topics have other gold than by the rule, such as a score settled on.
    """

    names: tuple[str, ...]
    items: tuple[str, ...]
    topics: Integers
    item: Integers
    annotator: Integers
    rating: Integers
    classes: int
    rule: Rule
    others: int = 0

    @cached_property
    def votes(self) -> Integers:
        """How many people gave each item each class, (items, classes)."""
        return count(self.item, self.rating, (len(self.items), self.classes))

    def alpha(self) -> float:
        """Return Krippendorff's ordinal alpha of all ratings; items with one rating do not count.

        It is 1 if everybody always agrees, about 0 if they agree as by chance, and NaN if no item
        has two ratings. Of two annotators without gaps it is :func:`ordbook.alpha_ord`.
        """
        return alpha_of_votes(self.votes)

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
            + (f", but for {self.others}" if self.others else "")
        )


def count(place: Integers, label: Integers, shape: tuple[int, ...]) -> Integers:
    """Count the classes ``label`` (ratings,) at each place (ratings,): (places, classes)."""
    cells = np.bincount(place * shape[1] + label, minlength=shape[0] * shape[1])
    return np.asarray(cells.reshape(shape))


def gold_labels(votes: Integers, rule: Rule, end: End) -> Integers:
    """Return the class of each item by a rule for labels: votes (items, classes) -> (items,).

    Where the rule leaves several classes, it is the one at the given ``end``.

    Examples
    --------
    >>> votes = np.array([[1, 0, 1, 1], [1, 0, 1, 0]])
    >>> [gold_labels(votes, "median", end).tolist() for end in ("lower", "upper")]
    [[2, 0], [2, 2]]
    """
    if end == "upper":  # the lower one, if the scale is read from its other end
        return np.asarray(votes.shape[1] - 1 - gold_labels(votes[:, ::-1], rule, "lower"))
    if rule == "majority":
        return np.asarray(votes.argmax(axis=1))
    half = 2 * votes.cumsum(axis=1) >= votes.sum(axis=1, keepdims=True)
    return np.asarray(half.argmax(axis=1))


@dataclass(frozen=True, eq=False)
class Ties:
    """The items for which people's ratings leave several classes, and the class that is gold there.

    Attributes
    ----------
    rule
        ``median``: the two middle ratings differ. ``majority``: several ratings are commonest.
    choice
        The class that is gold there: ``lower`` or ``upper`` or, of a catalogued set, another one
        in words.
    items
        (items,): where ratings are tied.
    otherwise
        The choices that were not made -> (items,), the gold classes that they would give.
    """

    rule: Rule
    choice: str
    items: NDArray[np.bool_]
    otherwise: Mapping[str, Integers]

    def __str__(self) -> str:
        many = counted(len(self.items), "item")
        if self.rule == "median":
            return f"the two middle ratings of {self.items.sum()} of {many} differ"
        return f"{self.items.sum()} of {many} have several commonest ratings"

    @property
    def note(self) -> str:
        """Say how many items are tied, and which class is gold there."""
        choice = f"the {self.choice} class" if self.choice in ENDS else self.choice
        return f"{self}; gold is {choice}.".capitalize()


def find_ties(votes: Integers, rule: Rule, gold: Integers, choice: str = "") -> Ties | None:
    """Return the ties of the votes (items, classes) for each item; None if there are none.

    The choice is by default the one that gives ``gold``, (items,), which stays as it is elsewhere.
    Where neither gives it, gold was settled in another way, and nothing is left open.
    """
    classes = {end: gold_labels(votes, rule, end) for end in ENDS}
    tied = votes.any(axis=1) & (classes["lower"] != classes["upper"])
    if not tied.any():
        return None
    choice = choice or next((end for end in ENDS if (classes[end] == gold)[tied].all()), "")
    if not choice:
        return None
    others: dict[str, Integers] = {
        end: np.where(tied, classes[end], gold) for end in ENDS if end != choice
    }
    return Ties(rule, choice, tied, others)


def with_rule(people: Annotators, gold: NDArray[Any], notes: list[str]) -> Annotators:
    """Return the annotators with the rule that gives gold; note if no rule does."""
    if people.rule == "shares":
        votes = count(people.topics[people.item], people.rating, gold.shape)
        shares = votes / np.maximum(votes.sum(axis=1, keepdims=True), 1)
        differ = (np.abs(shares - gold) > SUM_TOLERANCE).any(axis=1)
    else:
        rated = people.votes.any(axis=1)
        rules: tuple[Rule, ...] = ("median", "majority")
        wrong = {
            (rule, end): rated & (gold_labels(people.votes, rule, end) != gold)
            for rule in rules
            for end in ENDS
        }
        rule, end = min(wrong, key=lambda way: wrong[way].sum())
        people, differ = replace(people, rule=rule), wrong[rule, end]
    if differ.any():
        notes.append(
            f"The gold of {differ.sum()} of {len(gold)} "
            f"{'topics' if people.rule == 'shares' else 'items'} is not what people's ratings give "
            f"({people.rule})."
        )
    return replace(people, others=int(differ.sum()))
