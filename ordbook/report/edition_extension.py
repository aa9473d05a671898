"""For Sphinx: an edition's title, which a reader may choose freely, is text on every page.

The theme writes the title into attributes and its sidebar, and the search writes headings into its
results, as they are.
"""

import html
import json
from pathlib import Path
from typing import Any

from markupsafe import Markup
from sphinx.application import Sphinx

# After the theme, which sets these.
_LATE = 900
_TITLES = ("docstitle", "shorttitle", "project", "root_title", "pagetitle")
_INDEX = ("Search.setIndex(", ")")


def setup(app: Sphinx) -> dict[str, Any]:
    """Tell Sphinx of this extension."""
    app.connect("html-page-context", _escape_titles, priority=_LATE)
    app.connect("build-finished", _escape_index)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _escape_titles(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object
) -> None:
    """Escape titles, for templates that escape them again and for those that do not."""
    for name in _TITLES:
        if isinstance(context.get(name), str):
            context[name] = Markup.escape(context[name])


def _escape_index(app: Sphinx, error: Exception | None) -> None:
    """Escape the headings in the index of the search."""
    path = Path(app.outdir) / "searchindex.js"
    text = path.read_text(encoding="utf-8") if error is None and path.is_file() else ""
    begin, end = _INDEX
    if not (text.startswith(begin) and text.endswith(end)):
        return
    index = json.loads(text.removeprefix(begin).removesuffix(end))
    index["alltitles"] = {
        html.escape(title, quote=False): found
        for title, found in index.get("alltitles", {}).items()
    }
    text = json.dumps(index, ensure_ascii=False, separators=(",", ":"))
    path.write_text(f"{begin}{text}{end}", encoding="utf-8")
