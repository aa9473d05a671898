"""What may be a name: of a class, a topic, a run or a measure.

Contents
--------
check_names    refuse names that are empty, given twice, or would not show as they are
counted        a number and what it counts
"""

import unicodedata
from collections import Counter
from collections.abc import Sequence

# Control characters, lone surrogates, line and paragraph separators.
_HIDDEN = {"Cc", "Cs", "Zl", "Zp"}
# These turn the direction of the text around them.
_DIRECTIONS = {*"\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"}


def check_names(names: Sequence[str], what: str, where: str) -> None:
    """Refuse a name that is empty, occurs twice or holds characters that do not show.

    Parameters
    ----------
    names
        The names on one axis.
    what
        What they name, such as ``run``.
    where
        How messages begin: a task or a file.

    Examples
    --------
    >>> check_names(["a", "b", "a"], "run", "my task")
    Traceback (most recent call last):
        ...
    ValueError: my task: run 'a' occurs twice; rename one
    """
    if len(set(names)) < len(names):
        repeated = Counter(names).most_common(1)[0][0]
        raise ValueError(f"{where}: {what} {repeated!r} occurs twice; rename one")
    for position, name in enumerate(names, 1):
        if not name.strip():
            raise ValueError(f"{where}: {what} {position} has an empty name; give it one")
        for character in name:
            if character in _DIRECTIONS or unicodedata.category(character) in _HIDDEN:
                raise ValueError(
                    f"{where}: {what} {name!r} holds the invisible character {character!r}; "
                    "rename it"
                )


def counted(number: int, what: str) -> str:
    """Return a number and what it counts.

    Examples
    --------
    >>> counted(1, "run"), counted(2, "run")
    ('1 run', '2 runs')
    """
    return f"{number} {what}{'s' * (number != 1)}"
