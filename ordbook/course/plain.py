"""MyST Markdown turned into Markdown that Jupyter, Colab and nbconvert show as it is meant.

Directives become headings in bold and quoted text, roles become text and links, labels go. What
is not known is an error, so that nothing is shown raw.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from pybtex.database import BibliographyData, Entry, parse_file
from pybtex.plugin import find_plugin
from pybtex.richtext import Text

from ordbook.files import share
from ordbook.pages.sphinx_extension import pages_address, repository_address
from ordbook.show.labels import Labels


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


_FENCE = re.compile(r"^(?P<fence>`{3,}|:{3,})(?:\{(?P<name>[\w:-]+)\}(?P<title>.*)|.*)$")
_OPTION = re.compile(r"^:[\w-]+:.*$")
_LABEL = re.compile(r"^\([^)\n]+\)=\s*$")
# Code comes first: what stands in backquotes is shown as it is, unless a role stands before it.
_INLINE = re.compile(
    r"\{(?P<role>[\w:+-]+)\}`(?P<content>[^`]+)`|(?P<code>`+)[^`].*?(?P=code)", re.S
)
_MATH = re.compile(r"\$\$.+?\$\$|\$[^$]+\$", re.S)


@dataclass
class Plain:
    """Turns the Markdown of a chapter into plain Markdown.

    Parameters
    ----------
    page
        Name of the chapter.
    labels
        What the labels of the book stand for.
    glued
        Values that executed cells keep for the text, by name.
    numbers
        Figures and tables that are at hand, by label: ``Fig. 2``.
    """

    page: str
    labels: Labels
    glued: Mapping[str, str] = field(default_factory=dict)
    numbers: Mapping[str, str] = field(default_factory=dict)
    bibliography: Bibliography = field(default_factory=Bibliography)
    cited: set[str] = field(default_factory=set)

    def text(self, source: str) -> str:
        """Return plain Markdown.

        Raises
        ------
        ValueError
            If there is a directive, role or label that is not known.
        """
        return re.sub(r"\n{3,}", "\n\n", self._blocks(source.split("\n"))).strip("\n")

    def _blocks(self, lines: list[str]) -> str:
        blocks: list[str] = []
        prose: list[str] = []

        def flush() -> None:
            if prose:
                text = "\n".join(line for line in prose if not _LABEL.match(line))
                blocks.append(self._inline(text))
                prose.clear()

        place = 0
        while place < len(lines):
            fence = _FENCE.match(lines[place])
            if fence is None:
                prose.append(lines[place])
                place += 1
                continue
            end = _closing(lines, place, fence["fence"])
            if end is None:
                raise ValueError(f"{self.page}: {lines[place]!r} is not closed")
            flush()
            if fence["name"] is None:
                blocks.append("\n".join(lines[place : end + 1]))
            else:
                title = (fence["title"] or "").strip()
                blocks.append(self._directive(fence["name"], title, lines[place + 1 : end]))
            place = end + 1
        flush()
        return "\n".join(blocks)

    def _directive(self, name: str, title: str, body: list[str]) -> str:
        inner = self._blocks(_without_options(body)).strip("\n")
        if name == "exercise":
            heading = self._exercise(body) + (f": {self._inline(title)}" if title else "")
        elif name == "admonition":
            heading = self._inline(title)
        elif name == "note":
            heading = "Note"
        else:
            raise ValueError(f"{self.page}: the directive {{{name}}} is not known here")
        # Notebooks take formulas out before they see quoted lines: one line for each.
        inner = _MATH.sub(lambda found: " ".join(found[0].split()), inner)
        quoted = [f"> {line}".rstrip() for line in [f"**{heading}**", "", *inner.split("\n")]]
        return "\n".join(["", *quoted, ""])

    def _exercise(self, body: list[str]) -> str:
        """Return the number that an exercise has in the book."""
        label = next((line.split()[1] for line in body if line.startswith(":label: ")), None)
        target = self.labels.targets.get(label or "")
        if target is None or target.kind != "exercise":
            raise ValueError(f"{self.page}: an exercise has no label, or one not of the book")
        return target.text

    def _inline(self, text: str) -> str:
        def convert(found: re.Match[str]) -> str:
            if found["role"] is None:
                return found[0]
            return self._role(found["role"], " ".join(found["content"].split()))

        return _INLINE.sub(convert, text)

    def _role(self, role: str, content: str) -> str:
        makers: dict[str, Callable[[str], str]] = {
            "ref": self._ref,
            "numref": self._ref,
            "doc": self._doc,
            "cite": lambda keys: self._cite(keys, False),
            "cite:t": lambda keys: self._cite(keys, True),
            "glue:text": self._glue,
        }
        if role not in makers:
            raise ValueError(f"{self.page}: the role {{{role}}} is not known here")
        return makers[role](content)

    def _cite(self, keys: str, textual: bool) -> str:
        names = [key.strip() for key in keys.split(",")]
        self.cited.update(names)
        return self.bibliography.cite(names, textual=textual)

    def _glue(self, content: str) -> str:
        name, _, form = content.partition(":")
        if name not in self.glued:
            raise ValueError(f"{self.page}: no cell keeps a value {name!r} for the text")
        return format(float(self.glued[name]), form) if form else self.glued[name]

    def _doc(self, content: str) -> str:
        text, page = _explicit(content)
        page = page.rsplit("/", 1)[-1]
        if page == "references":
            return text or "the list of references at the end"
        if page not in self.labels.titles:
            raise ValueError(f"{self.page}: there is no page {page!r}")
        return f"*{text or self.labels.titles[page]}*"

    def _ref(self, content: str) -> str:
        text, label = _explicit(content)
        if label in self.numbers:
            return text or self.numbers[label]
        target = self.labels.targets.get(label)
        if target is None:
            raise ValueError(f"{self.page}: there is no label {label!r}")
        if target.kind == "table":
            return text or f"a table of *{self.labels.titles[target.page]}*"
        if target.kind == "figure":
            return text or f"the figure “{_first_sentence(target.text)}” of the book"
        title = f"*{text or self._inline(target.text)}*"
        if not target.page.startswith("explorer"):
            return title
        # No pack holds an explorer: the link opens the one of the book, large enough to project.
        place = f"book/{target.page}.html?view=present"
        book = pages_address(repository_address())
        return f"[{title}]({book}{place})" if book else f"{title} (`{place}` in the built book)"


def _explicit(content: str) -> tuple[str, str]:
    """Split ``text <target>``."""
    match = re.fullmatch(r"(.*?)\s*<([^<>]+)>", content)
    return (match[1], match[2]) if match else ("", content)


def _closing(lines: list[str], start: int, fence: str) -> int | None:
    """Find the line that closes a fence: at least as many of its characters, and no others."""
    closing = re.compile(rf"^{re.escape(fence[0])}{{{len(fence)},}}\s*$")
    return next((k for k in range(start + 1, len(lines)) if closing.match(lines[k])), None)


def _without_options(body: list[str]) -> list[str]:
    count = 0
    while count < len(body) and _OPTION.match(body[count]):
        count += 1
    return body[count:]


def _first_sentence(caption: str) -> str:
    return re.split(r"(?<=\w)[.:](?: |$)", caption, maxsplit=1)[0]
