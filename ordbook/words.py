"""Names, numbers and texts as sentences show them."""

import unicodedata
from collections.abc import Iterable, Sequence
from difflib import get_close_matches

# Control and format characters, lone surrogates, line and paragraph separators do not show.
_HIDDEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}
_JOINERS = "\u200c\u200d"  # these do not either, but emoji, Persian and Indic words need them


def listing(names: Sequence[str]) -> str:
    """Join words: ``a, b and c``."""
    return " and ".join(part for part in (", ".join(names[:-1]), *names[-1:]) if part)


def some(names: Sequence[str], most: int = 12) -> str:
    """Return the first of many names, and how many more there are."""
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")


def counted(number: int, what: str) -> str:
    """Return a number with its noun, singular or plural."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """Return the end of a message about a misspelt name, or nothing if no name is like it.

    >>> did_you_mean("alpha_odr", ["accuracy", "alpha_ord"])
    '; did you mean alpha_ord?'
    """
    near = get_close_matches(name, list(names), 1)
    return f"; did you mean {near[0]}?" if near else ""


def shown(text: str, most: int | None = None) -> str:
    """Return a text for one line: invisible characters are escaped, and a long text is cut."""
    for character in set(hidden(text)):
        text = text.replace(character, escaped(character))
    return text if most is None or len(text) <= most else f"{text[: most - 1]}…"


def hidden(name: str) -> list[str]:
    """Return the characters of a name that do not show."""
    if name.isprintable():
        return []
    return [
        character
        for character in name
        if unicodedata.category(character) in _HIDDEN
        and (character not in _JOINERS or name == character)
    ]


def escaped(character: str) -> str:
    """Write an invisible character as Python's escape."""
    return ascii(character)[1:-1]
