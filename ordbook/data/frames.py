"""Labels of DataFrames and Series: what they name is put in one order by them, or refused.

Labels are compared as text. A default index (0, 1, 2, ...) numbers, and the user may name what it
numbers. Arrays and lists have no labels: their order is what it is. pandas itself is not needed.
"""

from collections.abc import Iterable, Mapping, Sequence, Set, Sized
from dataclasses import dataclass
from typing import Any

from ordbook.data.classes import different_names
from ordbook.data.names import check_names
from ordbook.measures.confusion import is_missing
from ordbook.measures.validation import refuse_masked

Order = list[int]
_PLACE = {"topic": "index", "item": "index", "class": "columns"}
_PLURAL = {"topic": "topics", "item": "items", "class": "classes"}


def in_order(data: object, what: str) -> None:
    """Refuse what has no order, can be read only once or is masked; messages begin with `what`.

    Examples
    --------
    >>> in_order({"t1": 0, "t2": 1}, "my task: gold")
    Traceback (most recent call last):
        ...
    ValueError: my task: gold is a dict, which is not read by its keys; pass a list, or a Series \
with an index
    """
    if isinstance(data, Mapping | Set) or not isinstance(data, Sized):
        kind = type(data).__name__
        why = ", whose order is not kept"
        if isinstance(data, Mapping):
            why = ", which is not read by its keys"
        elif not isinstance(data, Set):
            why = ""
        raise ValueError(f"{what} is a {kind}{why}; pass a list, or a Series with an index")
    refuse_masked(data, what)


def texts(names: Iterable[Any], what: str) -> list[str]:
    """Return names as text; `what` is how the message on one that is missing begins.

    Examples
    --------
    >>> texts(["s", None], "my task: topic")
    Traceback (most recent call last):
        ...
    ValueError: my task: topic 2 is missing (None); name it
    """
    found = list(names)
    for place, name in enumerate(found, 1):
        if type(name) not in (str, int) and is_missing(name):
            raise ValueError(f"{what} {place} is missing ({name}); name it")
    return [str(name) for name in found]


def labels(data: object, axis: str) -> list[str] | None:
    """Return the labels of ``rows`` or ``columns`` of a DataFrame, or of a Series' ``rows``.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"low": [1, 0], "high": [0, 1]}, index=["s", "t"])
    >>> labels(frame, "rows"), labels(frame, "columns"), labels([1, 2], "rows")
    (['s', 't'], ['low', 'high'], None)
    """
    found = getattr(data, "index" if axis == "rows" else "columns", None)
    if found is None or callable(found):  # the index of a list is a method
        return None
    return texts(found, f"the {'index' if axis == 'rows' else 'columns'}: label")


def categories(data: object) -> list[str] | None:
    """Return the categories of a Series or an index, lowest first; None unless they are ordered.

    Examples
    --------
    >>> import pandas as pd
    >>> scale = pd.CategoricalDtype(["low", "high"], ordered=True)
    >>> categories(pd.Series(["high", "low"], dtype=scale)), categories(pd.Series(["high", "low"]))
    (['low', 'high'], None)
    """
    kind: Any = getattr(data, "dtype", None)
    return texts(kind.categories, "category") if getattr(kind, "ordered", False) else None


@dataclass(frozen=True)
class Named:
    """The names along one axis of a task.

    Attributes
    ----------
    what
        ``topic``, ``class`` or ``item``.
    names
        In the order of the task.
    labelled
        The labels that gold has for them, in the same order.
    order
        Where in gold each of them stands.
    """

    what: str
    names: tuple[str, ...]
    labelled: tuple[str, ...]
    order: Order


def name_axis(
    what: str, found: list[str] | None, given: Sequence[Any] | None, length: int, where: str
) -> Named:
    """Return the names of one axis, from the labels of gold and from what the user gives.

    Parameters
    ----------
    what
        ``topic`` or ``class``.
    found
        The labels of gold; None for an array.
    given
        Names: in order; or, as a Series, by the labels of gold. Of labels that are names they
        say the order.
    length
        Of the axis.
    where
        How messages begin.

    Raises
    ------
    ValueError
        If names and labels disagree, or could be read in two ways.
    """
    numbers = _numbers(length)
    if (
        what == "class"
        and "topic" in (found or ())
        and "topic" not in map(str, [] if given is None else given)
    ):
        raise ValueError(
            f"{where}: gold has a column 'topic', which is no class; make it the index, with "
            ".set_index('topic') of gold and of the runs"
        )
    if given is None:
        names = [str(k + 1) for k in range(length)] if found is None else found
        return Named(what, tuple(names), tuple(found or numbers), list(range(length)))
    in_order(given, f"{where}: {_PLURAL[what]}")
    names = texts(given, f"{where}: {what}")
    if len(names) != length and (found is None or found == numbers):
        raise ValueError(
            f"{where}: {_PLURAL[what]}: {len(names)} names for {length} columns or rows"
        )
    if (by := labels(given, "rows")) is not None and found is not None and set(by) == set(found):
        # Names by the labels of gold, as in df["topic"] beside df[["a", "b", "c"]].
        check_names(by, what, where)
        names = [names[by.index(label)] for label in found]
        return Named(what, tuple(names), tuple(found), list(range(length)))
    if found is None or names == found:
        return Named(what, tuple(names), tuple(found or numbers), list(range(length)))
    if set(names) == set(found) and len(names) == len(found):
        check_names(names, what, where)
        if found == numbers:
            raise ValueError(
                f"{where}: {_PLURAL[what]}= numbers what gold's {_PLACE[what]} numbers in another "
                f"order; name them in gold's {_PLACE[what]}, or pass gold.to_numpy()"
            )
        return Named(what, tuple(names), tuple(names), [found.index(name) for name in names])
    if found == numbers:
        return Named(what, tuple(names), tuple(found), list(range(length)))
    check_names(found, what, f"{where}: gold")
    raise ValueError(
        f"{where}: gold's {_PLACE[what]} and {_PLURAL[what]}= disagree: "
        f"in gold's, {different_names(found, names)}; correct one of them"
    )


def matching(axis: Named, found: list[str] | None, who: str, where: str) -> Order | None:
    """Return where the names of an axis stand among the labels of something else.

    Returns
    -------
    list of int or None
        None for what has no labels, or has them in the order of the axis.

    Raises
    ------
    ValueError
        If the labels are not those of gold, or could be read in two ways.
    """
    numbers = _numbers(len(axis.names))
    if found is None or (found == _numbers(len(found)) and axis.labelled == tuple(numbers)):
        both = found is not None and set(found) == set(axis.names)
        if not both or tuple(found or ()) == axis.names:
            return None
    wanted = [
        names
        for names in (axis.names, axis.labelled)
        if len(names) == len(found or ()) and set(names) == set(found or ())
    ]
    orders = []
    for names in dict.fromkeys(wanted):
        if tuple(found or ()) == names:
            orders.append(list(range(len(names))))
            continue
        check_names(found or [], axis.what, f"{where}: {who}")
        position = {label: k for k, label in enumerate(found or [])}
        orders.append([position[name] for name in names])
    what, place = _PLURAL[axis.what], _PLACE[axis.what]
    if not orders:
        raise ValueError(
            f"{where}: the {what} of {who} are not those of gold: "
            f"{different_names(found or [], axis.names)}; give it gold's "
            f"{place}, or pass .to_numpy() if it has gold's order"
        )
    if any(order != orders[0] for order in orders):
        raise ValueError(
            f"{where}: the {place} of {who} could be {what} or their places in gold; "
            f"name the {what} in the {place} of both"
        )
    return None if orders[0] == list(range(len(orders[0]))) else orders[0]


def _numbers(length: int) -> list[str]:
    return [str(k) for k in range(length)]
