"""Names, numbers and texts as sentences show them."""

import unicodedata
from collections.abc import Sequence

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
    """Return a number and what it counts."""
    return f"{number} {what}{'s' * (number != 1)}"


def shown(text: str, most: int | None = None) -> str:
    """Return a text for one line: what does not show is escaped, and a long one is cut."""
    for character in set(hidden(text)):
        text = text.replace(character, escaped(character))
    return text if most is None or len(text) <= most else f"{text[: most - 1]}…"


def hidden(name: str) -> list[str]:
    """Return the characters of a name that do not show."""
    if name.isprintable():
        return []
    return [
        each
        for each in name
        if unicodedata.category(each) in _HIDDEN and (each not in _JOINERS or name == each)
    ]


def escaped(character: str) -> str:
    """Write a character as Python does where it cannot be shown."""
    return ascii(character)[1:-1]
