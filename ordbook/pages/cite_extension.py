"""A Sphinx extension for the page on citing: BibTeX, read from where it stands."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml
from docutils import nodes
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective

from ordbook.pages.sphinx_extension import is_placeholder, repository_address
from ordbook.papers.references import entry_of

if TYPE_CHECKING:
    from sphinx.application import Sphinx

# The key that stands for this book, which no paper has.
OWN = "ordbook"


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension with Sphinx."""
    app.add_directive("bibtex", BibTeX)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


class BibTeX(SphinxDirective):
    """Entries of ``book/references.bib`` to copy; the key ``ordbook`` is the book itself."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        """Return a block of text for each key."""
        root = Path(self.env.srcdir)
        found: list[nodes.Node] = []
        for key in self.arguments[0].split():
            source = root / ("CITATION.cff" if key == OWN else "book/references.bib")
            self.env.note_dependency(str(source))
            text = source.read_text(encoding="utf-8")
            try:
                entry = (
                    book_as_bibtex(yaml.safe_load(text), repository_address())
                    if key == OWN
                    else entry_of(text, key)
                )
            except (KeyError, ValueError) as error:
                raise ExtensionError(f"{source.name}: {error}") from None
            found.append(nodes.literal_block("", entry, language="bibtex"))
        return found


def book_as_bibtex(cff: dict[str, Any], address: str) -> str:
    """Return the entry of this book, with the address of its repository if it has one.

    >>> print(book_as_bibtex({"title": "A book", "authors": [{"name": "Authors"}],
    ...     "version": "1.0", "date-released": "2026-01-02"}, "https://a.net"))
    @misc{ordbook,
      author = {{Authors}},
      title  = {A book},
      year   = {2026},
      note   = {Version 1.0},
      url    = {https://a.net},
    }
    """
    people = [
        f"{person['family-names']}, {person['given-names']}"
        if "family-names" in person
        else "{" + person["name"] + "}"
        for person in cff["authors"]
    ]
    fields = {
        "author": " and ".join(people),
        "title": cff["title"],
        "year": str(cff["date-released"])[:4],
        "note": f"Version {cff['version']}",
    }
    if not is_placeholder(address):
        fields["url"] = address
    lines = "".join(f"  {name:<6} = {{{value}}},\n" for name, value in fields.items())
    return f"@misc{{{OWN},\n{lines}}}"
