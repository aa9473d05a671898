"""What the text of a chapter refers to: the labels and pages of the book, and works cited."""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path

from pybtex.database import BibliographyData, Entry, parse_file
from pybtex.plugin import find_plugin
from pybtex.richtext import Text

from ordbook.files import share
from ordbook.show.parameters import chapter_names

_HEADED = re.compile(r"^\(([^)\n]+)\)=\s*\n+(?:\([^)\n]+\)=\s*\n+)*#{1,6} (.+)$", re.MULTILINE)
_TITLE = re.compile(r"^# (.+)$", re.MULTILINE)
_EXERCISE = re.compile(r"^[`:]{3,}\{exercise\}.*\n(?::(?!label:).*\n)*:label: *(\S+)", re.MULTILINE)


@dataclass(frozen=True)
class Target:
    """Where a label is and what it is called; exercises have their number in the book."""

    page: str
    text: str
    kind: str = "section"


@dataclass
class Labels:
    """The labels and pages of the book."""

    targets: dict[str, Target] = field(default_factory=dict)
    titles: dict[str, str] = field(default_factory=dict)


@cache
def read_labels(folder: Path | None = None) -> Labels:
    """Read what the labels of a book stand for.

    Examples
    --------
    >>> read_labels().targets["acl21-data"]
    Target(page='records/acl21', text='Data: Table 1', kind='section')
    """
    labels = Labels()
    folder = folder or share("book")
    # Exercises are counted through the book: chapters in its order, then the page on teaching.
    order = {name: place for place, name in enumerate(chapter_names())}
    found = [*folder.rglob("*.ipynb"), *folder.rglob("*.md")]
    pages = {path.relative_to(folder).with_suffix("").as_posix(): path for path in sorted(found)}
    number = 0
    for page, path in sorted(pages.items(), key=lambda item: order.get(item[0], len(order))):
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".ipynb":
            cells = json.loads(text)["cells"]
            for cell in cells:
                figure = cell["metadata"].get("mystnb", {}).get("figure", {})
                if "name" in figure:
                    target = Target(page, str(figure.get("caption", "")), "figure")
                    labels.targets[figure["name"]] = target
                # The name of a table is an argument of what shows it.
                code = "".join(cell["source"]) if cell["cell_type"] == "code" else ""
                for name in re.findall(rf'"({path.stem}-[\w-]+)"', code):
                    labels.targets.setdefault(name, Target(page, path.stem, "table"))
            text = "\n\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "markdown")
        title = _TITLE.search(text)
        labels.titles[page] = title[1].strip() if title else page
        for headed in _HEADED.finditer(text):
            labels.targets[headed[1]] = Target(page, headed[2].strip())
        for exercise in _EXERCISE.finditer(text):
            number += 1
            labels.targets[exercise[1]] = Target(page, f"Exercise {number}", "exercise")
    return labels


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
    return " and ".join(names) if len(names) < 3 else f"{names[0]} et al."


def _plain(text: str) -> str:
    """Return what TeX text says, without braces and accents written as commands."""
    return str(Text.from_latex(text))
