"""What may be a name: of a class, a topic, a run or a measure.

Contents
--------
check_names    refuse names that are empty, given twice, or would not show as they are
counted        a number and what it counts
shown          a text as it may stand on a line
"""

import unicodedata
from collections import Counter
from collections.abc import Sequence

# Control characters, lone surrogates, line and paragraph separators.
_HIDDEN = {"Cc", "Cs", "Zl", "Zp"}
# These turn the direction of the text around them, or show nothing at all. Joiners are none of
# them: emoji and Persian words need those.
_FORMATS = {
    *"\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069",
    *"\u00ad\u180e\u200b\u2060\u2061\u2062\u2063\u2064\u206a\u206b\u206c\u206d\u206e\u206f\ufeff",
}


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
            if _is_hidden(character):
                raise ValueError(
                    f"{where}: {what} {name!r} holds the invisible character {character!r}; "
                    "rename it"
                )


def _is_hidden(character: str) -> bool:
    return character in _FORMATS or unicodedata.category(character) in _HIDDEN


def counted(number: int, what: str) -> str:
    """Return a number and what it counts.

    Examples
    --------
    >>> counted(1, "run"), counted(2, "run")
    ('1 run', '2 runs')
    """
    return f"{number} {what}{'s' * (number != 1)}"


def shown(text: str, most: int | None = None) -> str:
    r"""Return a text as it may stand on a line: what does not show is escaped, long ones are cut.

    Examples
    --------
    >>> print(shown("a\nb", 100), shown("x" * 99, 10))
    a\nb xxxxxxxxx…
    """
    if not text.isprintable():
        text = "".join(repr(each)[1:-1] if _is_hidden(each) else each for each in text)
    return text if most is None or len(text) <= most else f"{text[: most - 1]}…"
