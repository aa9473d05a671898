"""The report as one HTML file: no network, images and styles inside."""

import html
import re
from collections.abc import Iterator
from importlib.resources import files

from markdown_it import MarkdownIt
from nbformat import NotebookNode

# The name of a heading in MyST, which is no text.
_LABEL = re.compile(r"^\([\w-]+\)=\n", re.MULTILINE)
_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
{style}
</style>
</head>
<body>
<main>
{body}
</main>
</body>
</html>
"""


_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")


def as_one_file(notebook: NotebookNode, title: str) -> str:
    """Return an executed report as a page: no code, figures with captions and alternative texts.

    Parameters
    ----------
    notebook
        Executed. What is hidden in the book is left out.
    title
        Of the page, as plain text.
    """
    body = "\n".join(part for cell in notebook.cells for part in _parts(cell))
    style = files("ordbook.report").joinpath("report.css").read_text(encoding="utf-8")
    return _PAGE.format(title=html.escape(title), style=style, body=body)


def _parts(cell: NotebookNode) -> Iterator[str]:
    """Yield the output of a cell as HTML."""
    if {"hide-cell", "remove-cell", "parameters"} & set(cell.metadata.get("tags", ())):
        return
    if cell.cell_type == "markdown":
        yield _MARKDOWN.render(_LABEL.sub("", cell.source))
        return
    described = cell.metadata.get("mystnb", {})
    for output in cell.get("outputs", ()):
        data = output.get("data", {})
        if picture := data.get("image/png"):
            alt = html.escape(described.get("image", {}).get("alt", ""), quote=True)
            caption = html.escape(described.get("figure", {}).get("caption", ""))
            yield (
                f'<figure><img alt="{alt}" src="data:image/png;base64,{picture.strip()}">'
                f"<figcaption>{caption}</figcaption></figure>"
            )
        elif "text/html" in data:
            yield data["text/html"]
        elif "text/markdown" in data:
            yield _MARKDOWN.render(data["text/markdown"])
