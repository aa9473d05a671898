"""The report as one HTML file: no network, images and styles inside."""

import html
import re
from importlib.resources import files

import nbformat
from nbconvert import HTMLExporter
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


def as_one_file(notebook: NotebookNode, title: str) -> str:
    """Return an executed report as a page: no code, figures with captions and alternative texts.

    Parameters
    ----------
    notebook
        Executed. It stays as it is.
    title
        Of the page, as plain text.
    """
    shown = nbformat.from_dict(notebook)
    shown.cells = [cell for cell in map(_shown, shown.cells) if cell is not None]
    exporter = HTMLExporter(template_name="basic", exclude_input=True, exclude_output_prompt=True)
    body, _ = exporter.from_notebook_node(shown)
    style = files("ordbook.report").joinpath("report.css").read_text(encoding="utf-8")
    return _PAGE.format(title=html.escape(title), style=style, body=body)


def _shown(cell: NotebookNode) -> NotebookNode | None:
    """Return a cell as the page shows it; nothing of cells that are hidden in the book."""
    if {"hide-cell", "remove-cell", "parameters"} & set(cell.metadata.get("tags", ())):
        return None
    if cell.cell_type == "markdown":
        cell.source = _LABEL.sub("", cell.source)
    described = cell.metadata.get("mystnb", {})
    if "figure" not in described:
        return cell
    for output in cell.outputs:
        if picture := output.get("data", {}).pop("image/png", None):
            alt = html.escape(described["image"]["alt"], quote=True)
            caption = html.escape(described["figure"]["caption"])
            output.data = {
                "text/html": f'<figure><img alt="{alt}" src="data:image/png;base64,{picture}">'
                f"<figcaption>{caption}</figcaption></figure>"
            }
    return cell
