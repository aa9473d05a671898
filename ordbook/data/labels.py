"""Labels of DataFrames and Series, by which their contents are put in gold's order.

Labels are compared as text. A default index (0, 1, 2, ...) only numbers, and the user may name what
it numbers. Arrays and lists have no labels: their order is that of gold.
"""

from collections.abc import Iterable, Mapping, Sequence, Set, Sized
from dataclasses import dataclass
from types import EllipsisType
from typing import Any

import pandas as pd

from ordbook.data.classes import different_names
from ordbook.data.names import check_names
from ordbook.measures.confusion import is_missing
from ordbook.measures.validation import refuse_masked

_PLACE = {"topic": "index", "item": "index", "class": "columns"}
_PLURAL = {"topic": "topics", "item": "items", "class": "classes"}
# Where the entries of an axis stand, as an index; the ellipsis leaves them as they are.
Order = EllipsisType | list[int]


def in_order(data: object, what: str) -> None:
    """Refuse data without an order, or that can be read only once; messages begin with `what`."""
    if isinstance(data, Mapping | Set) or not isinstance(data, Sized):
        kind = type(data).__name__
        raise ValueError(f"{what} is a {kind}; pass a list, or a Series with an index")
    refuse_masked(data, what)


def texts(names: Iterable[Any], what: str) -> list[str]:
    """Return names as text; refuse a missing one, in a message that begins with `what`."""
    listed = list(names)
    for place, name in enumerate(listed, 1):
        if type(name) not in (str, int) and is_missing(name):
            raise ValueError(f"{what} {place} is missing ({name}); name it")
    return [str(name) for name in listed]


def labels(data: object, axis: str = "index") -> list[str] | None:
    """Return the labels of the ``index`` or ``columns``, or None if there are none."""
    attribute = getattr(data, axis, None)
    if attribute is None or callable(attribute):  # the index of a list is a method
        return None
    return texts(attribute, f"the {axis}: label")


def categories(data: object) -> list[str] | None:
    """Return the ordered categories of a Series or an index, lowest first; None of others."""
    kind: Any = getattr(data, "dtype", None)
    return texts(kind.categories, "category") if getattr(kind, "ordered", False) else None


@dataclass(frozen=True)
class Axis:
    """The topics, classes or items of a task, in its order."""

    what: str  # topic, class or item
    names: tuple[str, ...]
    labels: tuple[str, ...]  # what gold calls them; numbers from 0 where it only numbers them
    order: Order = ...  # where in gold each of them stands

    def order_in(self, data: object, who: str, where: str) -> Order:
        """Return the places of the names in another sequence, which messages call `who`.

        Refuse labels that are not those of gold, or could be read in two ways; and none at all,
        where gold was put in another order by its own.
        """
        noun, place = _PLURAL[self.what], _PLACE[self.what]
        known = labels(data, place)
        if known is None and self.order is not ...:
            raise ValueError(
                f"{where}: {who} does not name its {noun}, and gold's were put in another order "
                f"by their names; pass a DataFrame with gold's {place}"
            )
        if known is None or tuple(known) == self.names:
            return ...
        if known == _numbers(len(known)) and self.labels == tuple(_numbers(len(self.labels))):
            if set(known) == set(self.names):
                raise ValueError(
                    f"{where}: the {place} of {who} could be {noun} or their places in gold; "
                    f"name the {noun} in the {place}, or pass .to_numpy()"
                )
            return ...
        for wanted in (self.names, self.labels):
            if len(known) == len(wanted) and set(known) == set(wanted):
                return _places(wanted, known, self.what, f"{where}: {who}")
        raise ValueError(
            f"{where}: the {noun} of {who} are not those of gold: "
            f"{different_names(known, self.names)}; give it gold's {place}, or pass .to_numpy() "
            "if it has gold's order"
        )


def name_axis(
    what: str, gold: object, given: Sequence[Any] | None, length: int, where: str
) -> Axis:
    """Return the topics or classes of a task, from the labels of gold and the user's own.

    ``given`` names in order what gold only numbers; of what gold names it says the order. A Series
    with gold's index holds new names for it. Messages begin with ``where``.

    Raises
    ------
    ValueError
        If names and labels disagree, or could be read in two ways.
    """
    known = labels(gold, _PLACE[what])
    numbers = _numbers(length)
    if given is None:
        names = [str(k + 1) for k in range(length)] if known is None else known
        return Axis(what, tuple(names), tuple(known or numbers))
    in_order(given, f"{where}: {_PLURAL[what]}")
    names = texts(given, f"{where}: {what}")
    by = labels(given)
    if by is not None and known is not None and set(by) == set(known) and len(by) == len(known):
        names = [names[k] for k in _places(known, by, what, where)]
        return Axis(what, tuple(names), tuple(known))
    if known is None or known == numbers:
        if len(names) != length:
            raise ValueError(
                f"{where}: {_PLURAL[what]}: {len(names)} names for {length} columns or rows"
            )
        axis = Axis(what, tuple(names), tuple(numbers))
        axis.order_in(gold, "gold", where)  # which may be numbered in another order
        return axis
    check_names(known, what, f"{where}: gold")
    if set(names) != set(known) or len(names) != len(known):
        hint = "; give each class a column, of zeros if need be" if what == "class" else ""
        raise ValueError(
            f"{where}: gold's {_PLACE[what]} and {_PLURAL[what]}= disagree: in gold's, "
            f"{different_names(known, names)}; correct one of them{hint}"
        )
    if names == known:
        return Axis(what, tuple(names), tuple(names))
    return Axis(what, tuple(names), tuple(names), _places(names, known, what, where))


def _numbers(length: int) -> list[str]:
    return [str(k) for k in range(length)]


def _places(names: Sequence[str], labels: Sequence[str], what: str, where: str) -> list[int]:
    """Return the places of names among labels, each of which occurs once."""
    check_names(labels, what, where)
    return [int(place) for place in pd.Index(labels).get_indexer(pd.Index(names))]
