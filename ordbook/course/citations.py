"""Author-year citations and lists of references, for text that no bibliography extension renders.

Contents
--------
Bibliography      the entries of ``book/references.bib``
"""

import re
from collections.abc import Iterable
from functools import cached_property

from pybtex.database import BibliographyData, Entry, parse_file
from pybtex.plugin import find_plugin

from ordbook.data.paths import share


class Bibliography:
    """The entries of ``book/references.bib``, cited as (Sakai, 2021a).

    >>> Bibliography().cite(["zeng2020dialeval"], textual=True)
    'Zeng et al. (2020)'
    """

    @cached_property
    def data(self) -> BibliographyData:
        """The entries by key."""
        return parse_file(str(share("book", "references.bib")))

    @cached_property
    def letters(self) -> dict[str, str]:
        """Key -> the letter that tells works of the same authors and year apart."""
        works: dict[tuple[str, str], list[str]] = {}
        for key, entry in self.data.entries.items():
            works.setdefault((_authors(entry), entry.fields.get("year", "n.d.")), []).append(key)
        return {
            key: "abcdefghijklmnopqrstuvwxyz"[place] if len(keys) > 1 else ""
            for keys in works.values()
            for place, key in enumerate(keys)
        }

    def cite(self, keys: Iterable[str], *, textual: bool = False) -> str:
        """Cite works: ``(Sakai, 2018; Zeng et al., 2020)``, or as part of a sentence.

        Raises
        ------
        ValueError
            If there is no such work.
        """
        parts = []
        for key in keys:
            if key not in self.data.entries:
                raise ValueError(f"references.bib: there is no entry {key!r}")
            entry = self.data.entries[key]
            year = entry.fields.get("year", "n.d.") + self.letters[key]
            parts.append(f"{_authors(entry)} ({year})" if textual else f"{_authors(entry)}, {year}")
        return ", ".join(parts) if textual else f"({'; '.join(parts)})"

    def listed(self, keys: Iterable[str]) -> str:
        """List works as Markdown, in alphabetical order of what they are cited as."""
        style = find_plugin("pybtex.style.formatting", "unsrt")()
        backend = find_plugin("pybtex.backends", "text")()
        order = sorted(set(keys), key=lambda key: self.cite([key]).casefold())
        lines = []
        for key in order:
            (formatted,) = style.format_entries([self.data.entries[key]])
            text = re.sub(r"\s+", " ", formatted.text.render(backend))
            text = re.sub(r"([*_`$\[\]<>])", r"\\\1", text)
            # Addresses are links as they stand, and must not be escaped.
            text = re.sub(r"https?://\S+", lambda url: url[0].replace("\\", ""), text)
            lines.append(f"- {self.cite([key])[1:-1]}: {text}")
        return "\n".join(lines)


def _authors(entry: Entry) -> str:
    people = entry.persons.get("author") or entry.persons.get("editor") or []
    names = [_plain(" ".join([*person.prelast_names, *person.last_names])) for person in people]
    if not names:
        return _plain(entry.fields.get("title", "Anonymous"))
    return (
        names[0]
        if len(names) == 1
        else (f"{names[0]} and {names[1]}" if len(names) == 2 else f"{names[0]} et al.")
    )


def _plain(text: str) -> str:
    """Return what TeX text says, without braces and accents written as commands."""
    from pybtex.richtext import Text

    return str(Text.from_latex(text))
