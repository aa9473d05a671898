"""Names and texts: which names are valid, and how sentences show them."""

import html
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
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


def did_you_mean(name: str, names: Collection[str]) -> str:
    """Return the end of a message about a misspelt name, or nothing if no name is like it.

    Names of the same letters, in whatever order and case, come before others that are alike.

    >>> did_you_mean("alpha_odr", ["accuracy", "alpha_ord"])
    '; did you mean alpha_ord?'
    >>> did_you_mean("NDM", ["NVD", "NMD"])
    '; did you mean NMD?'
    """
    letters = sorted(name.lower())
    near = [known for known in names if sorted(known.lower()) == letters]
    near = near or get_close_matches(name, list(names), 1)
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


def check_names(names: Sequence[str], what: str, where: str) -> None:
    """Refuse a name that is empty, occurs twice or holds invisible characters.

    ``what`` the names name, such as ``run``, and ``where``, a task or a file, stand in messages.
    """
    if len(set(map(same_letters, names))) < len(names):
        repeated = Counter(map(same_letters, names)).most_common(1)[0][0]
        raise ValueError(f"{where}: {what} {repeated!r} occurs twice; rename one")
    for position, name in enumerate(names, 1):
        if not name.strip():
            raise ValueError(f"{where}: {what} {position} has an empty name; give it one")
        for character in hidden(name):
            raise ValueError(
                f"{where}: {what} '{shown(name)}' holds the invisible character "
                f"'{escaped(character)}'; rename it"
            )


def name_fault(name: str) -> str:
    """Describe the fault of a name in a file as a phrase, or return an empty text."""
    if not name.strip():
        return "an empty name"
    if name != name.strip():
        return f"{name!r} with a space at an end"
    return f"{name!r} with an invisible character" if hidden(name) else ""


def same_letters(name: str) -> str:
    """Return a name in the form in which Unicode composes its letters."""
    return unicodedata.normalize("NFC", name)


def is_total(name: str) -> bool:
    """Whether a row of this name is one that spreadsheets and evaluation tools add to topics."""
    totals = {"total", "sum", "mean", "average", "avg", "subtotal"}
    return name.strip(" :.").casefold() in totals


def meant(names: Iterable[str], others: Iterable[str]) -> dict[str, str]:
    """Return names that one of the others is meant by -> that one.

    They differ in capitals, spaces, leading zeros, a decimal ``.0`` or the Unicode form.
    """
    by_form: dict[str, list[str]] = {}
    for other in others:
        by_form.setdefault(_form(other), []).append(other)
    candidates = {name: by_form.get(_form(name), []) for name in names}
    return {name: of[0] for name, of in candidates.items() if len(of) == 1 and of[0] != name}


def told_apart(one: str, other: str) -> tuple[str, str]:
    """Return two names as messages show them: with escapes if they would look the same."""
    same = same_letters(one) == same_letters(other)
    return (ascii(one), ascii(other)) if same else (repr(one), repr(other))


def different_names(found: Sequence[str], wanted: Sequence[str]) -> str:
    """Describe how names differ that should be the same: other spellings, and missing ones."""
    more = [name for name in dict.fromkeys(found) if name not in set(wanted)]
    lacks = [name for name in dict.fromkeys(wanted) if name not in set(found)]
    same = meant(more, lacks)
    differences = ["{} is written {}".format(*told_apart(*pair)) for pair in same.items()]
    more = [repr(name) for name in more if name not in same]
    lacks = [repr(name) for name in lacks if name not in same.values()]
    for rest, state in ((more, "not there"), (lacks, "missing")):
        if rest:
            differences.append(f"{some(rest, 5)} {'is' if len(rest) == 1 else 'are'} {state}")
    return "; ".join(differences) or "a name is there twice"


class Glance:
    """Objects with named axes and a one-line description, shown as a small table in HTML."""

    def _repr_html_(self) -> str:
        rows = ""
        for axis in ("measures", "topics", "runs", "classes"):
            if names := getattr(self, axis, None):  # of tests, topics are a number
                many = names if isinstance(names, int) else f"{len(names)}: {some(names, 5)}"
                rows += f"<tr><th>{axis}</th><td>{html.escape(str(many))}</td></tr>"
        return f"<table><caption>{html.escape(repr(self)[1:-1])}</caption>{rows}</table>"


def _form(name: str) -> str:
    """Return a name without the changes that people and programs make by accident."""
    text = unicodedata.normalize("NFKC", name).casefold()
    text = " ".join("".join(character for character in text if not hidden(character)).split())
    return re.sub(r"(?<![0-9.])0+(?=[0-9])", "", re.sub(r"(?<=[0-9])\.0+$", "", text))
