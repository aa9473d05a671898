"""What may be a name: of a class, a topic, a run or a measure.

Contents
--------
check_names    refuse names that are empty, alike, or would not show as they are
other_forms    which names are the same letters in another Unicode form
alike          the same among names that stand together: the later of two
capitals       notes on names that differ only in capitals
some           the first of many names
counted        a number and what it counts
shown          a text as it may stand on a line
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Sequence

# Control characters, lone surrogates, line and paragraph separators.
_HIDDEN = {"Cc", "Cs", "Zl", "Zp"}
# These turn the direction of the text around them, stand for no character, or show nothing:
# Unicode's Default_Ignorable_Code_Point, which Python does not know, and fillers.
_UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f"
    "\u2800\u3164\ufdd0-\ufdef\ufeff\uffa0\ufff0-\ufffb"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e00ff\U000e01f0-\U000e0fff"
    + "".join(
        f"{chr(plane + 0xFFFE)}{chr(plane + 0xFFFF)}" for plane in range(0, 0x110000, 0x10000)
    )
    + "]"
)
# These show nothing of their own, but emoji, Persian and Indic words and Japanese names need them
# after other characters.
_JOINERS = "\u200c\u200d"
_SELECTORS = re.compile("[\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]")
# The flags of England, Scotland and Wales.
_FLAG = re.compile("\U0001f3f4[\U000e0020-\U000e007e]+\U000e007f")
# What Unicode calls compatible with another character, and looks unlike it: x² is not x2.
_UNLIKE = ("<super>", "<sub>", "<circle>", "<fraction>")


def check_names(names: Sequence[str], what: str, where: str) -> None:
    """Refuse a name that is empty, occurs twice, looks like another or holds what does not show.

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
        for unseen in _unseen(name):
            raise ValueError(
                f"{where}: {what} '{shown(name)}' holds the invisible character "
                f"'{_escaped(name[unseen])}'; rename it"
            )
    if all(map(str.isascii, names)):
        return
    alike: dict[str, str] = {}
    for name in names:
        first = alike.setdefault(_letters(name), name)
        if first != name:
            plural = f"{what}es" if what.endswith("s") else f"{what}s"
            raise ValueError(
                f"{where}: the {plural} {_told_apart(first, name)} look alike: the same letters in "
                "another Unicode form; rename one"
            )


def other_forms(names: Iterable[str], others: Iterable[str]) -> dict[str, str]:
    r"""Return names that have the letters of one of the others in another form -> what to say.

    Examples
    --------
    >>> print(*other_forms(["cafe\N{COMBINING ACUTE ACCENT}"], ["tea", "café"]).values())
    'cafe\u0301' and 'caf\xe9' are the same letters in another Unicode form
    >>> other_forms(["coffee"], ["tea", "café"])
    {}
    """
    looks = {_letters(other): other for other in others}
    pairs = [(name, looks.get(_letters(name), name)) for name in names]
    return {
        name: f"{_told_apart(name, other)} are the same letters in another Unicode form"
        for name, other in pairs
        if other != name
    }


def alike(names: Collection[str]) -> dict[str, str]:
    r"""Return names that have the letters of an earlier one in another form -> what to say.

    Examples
    --------
    >>> print(*alike(["tea", "café", "cafe\N{COMBINING ACUTE ACCENT}"]).values())
    'cafe\u0301' and 'caf\xe9' are the same letters in another Unicode form
    """
    return other_forms(names, list(names)[::-1])


def capitals(names: Iterable[str], what: str) -> list[str]:
    """Return notes on names that differ only in capitals; ``what`` they name stands in the plural.

    Examples
    --------
    >>> capitals(["KDD", "kdd", "other"], "groups")
    ['the groups KDD, kdd differ only in capitals, and count as 2.']
    """
    same: dict[str, list[str]] = {}
    for name in dict.fromkeys(names):
        same.setdefault(name.casefold(), []).append(name)
    return [
        f"the {what} {', '.join(alike)} differ only in capitals, and count as {len(alike)}."
        for alike in same.values()
        if len(alike) > 1
    ]


def some(names: Sequence[str], most: int = 12) -> str:
    """Return the first of many names, and how many more there are.

    Examples
    --------
    >>> some(["a", "b", "c"], 2)
    'a, b and 1 more'
    """
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")


def _unseen(name: str) -> Iterable[int]:
    """Give the places of the characters in a name that do not show."""
    if name.isprintable() and not _UNSEEN.search(name) and not _SELECTORS.search(name):
        return  # as nearly all
    flags = {place for flag in _FLAG.finditer(name) for place in range(*flag.span())}
    for place, character in enumerate(name):
        if place in flags:
            continue
        before, after = name[:place][-1:], name[place + 1 :][:1]
        if (
            _UNSEEN.match(character)
            or unicodedata.category(character) in _HIDDEN
            or (character in _JOINERS and not _joins(before, after))
            or (_SELECTORS.match(character) and not _shows(before))
        ):
            yield place


def _joins(before: str, after: str) -> bool:
    """Whether a joiner has something to join, or the letter before it has its form by it."""
    if not _shows(before) and not _SELECTORS.match(before):
        return False
    virama_or_arabic = (
        unicodedata.combining(before) == 9 or unicodedata.bidirectional(before) == "AL"
    )
    return virama_or_arabic or _shows(after)


def _shows(character: str) -> bool:
    """Whether a character shows by itself; nothing at the end of a name does not."""
    unseen = _UNSEEN.match(character) or _SELECTORS.match(character) or character in _JOINERS
    return bool(character.strip()) and not unseen


def _letters(name: str) -> str:
    """Return what a name looks like: one form of its letters, and nothing that does not show."""
    if name.isascii():
        return name
    seen = _SELECTORS.sub("", _UNSEEN.sub("", name.translate(dict.fromkeys(map(ord, _JOINERS)))))
    return unicodedata.normalize(
        "NFC",
        "".join(
            each
            if unicodedata.decomposition(each).startswith(_UNLIKE)
            else unicodedata.normalize("NFKC", each)
            for each in unicodedata.normalize("NFC", seen)
        ),
    )


def _told_apart(one: str, other: str) -> str:
    """Show two names that look alike, with escapes for what only one of them has."""
    both = set(one) & set(other)
    return " and ".join(
        "'" + "".join(each if each in both else _escaped(each) for each in name) + "'"
        for name in (one, other)
    )


def _escaped(character: str) -> str:
    """Write a character as Python does where it cannot be shown."""
    return ascii(character)[1:-1]


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
    if unseen := set(_unseen(text)):
        text = "".join(_escaped(each) if k in unseen else each for k, each in enumerate(text))
    return text if most is None or len(text) <= most else f"{text[: most - 1]}…"
