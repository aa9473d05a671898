"""Parts of a published book besides its pages: a page for wrong addresses, previews of links."""

from __future__ import annotations

from html import escape
from importlib.metadata import metadata
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx

NOT_FOUND = "404.html"
PICTURE = "_static/screenshot.png"


def setup(app: Sphinx) -> None:
    """Register both with Sphinx."""
    app.connect("html-page-context", add_preview)
    app.connect("build-finished", write_not_found)


def add_preview(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: object
) -> None:
    """Write the preview of a shared link to a page, which needs the book's address."""
    base = str(app.config.html_baseurl)
    if not base:
        return
    properties = {
        "og:type": "website",
        "og:site_name": app.config.project,
        "og:title": context.get("title", app.config.project),
        "og:description": metadata("ordbook")["Summary"],
        "og:url": f"{base}{pagename}.html",
        "og:image": f"{base}{PICTURE}",
        "twitter:card": "summary_large_image",
    }
    lines = (
        f'<meta property="{name}" content="{escape(text)}">' for name, text in properties.items()
    )
    context["metatags"] = "\n".join([context.get("metatags", ""), *lines])


def write_not_found(app: Sphinx, exception: Exception | None) -> None:
    """Write the page that a host shows at addresses without a page; it needs the book's address."""
    base = str(app.config.html_baseurl)
    if exception or not base or app.builder.name not in ("html", "dirhtml"):
        return
    template = Path(__file__).with_name(NOT_FOUND).read_text(encoding="utf-8")
    text = Template(template).substitute(title=escape(str(app.config.project)), home=base)
    (Path(app.outdir) / NOT_FOUND).write_text(text, encoding="utf-8")
