"""Directives that put an explorer or the box into a page; they need no kernel."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util.docutils import SphinxDirective

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def setup(app: Sphinx) -> None:
    """Register both with Sphinx."""
    app.add_directive("explorer", ExplorerDirective)
    app.add_directive("box", BoxDirective)


class ExplorerDirective(SphinxDirective):
    """Puts an explorer into a page, such as ``distributions``.

    With ``:part: rnod`` it has the chief measures and the picture of RNOD alone, and a link to the
    whole; ``:start: far`` names the preset that it opens with.
    """

    required_arguments = 1
    option_spec: ClassVar = {
        "part": directives.unchanged_required,
        "start": directives.unchanged_required,
    }

    def run(self) -> list[nodes.Node]:
        """Return the explorer as HTML."""
        from ordbook.pages.explorer import explorer  # few pages have one, and it takes a second

        try:
            html = explorer(self.arguments[0], **self.options)
        except ValueError as problem:
            raise self.error(str(problem)) from problem
        return [nodes.raw("", html, format="html")]


class BoxDirective(SphinxDirective):
    """Puts the box into a page."""

    def run(self) -> list[nodes.Node]:
        """Return the box as HTML."""
        from ordbook.pages.tryout import box  # one page has it

        return [nodes.raw("", box(), format="html")]
