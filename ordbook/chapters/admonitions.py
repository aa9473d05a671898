"""Boxes in what chapters show: the book knows their MyST form, plain Jupyter needs HTML."""

import html
import re

from IPython.display import Markdown

# ``:::{note}``, or ``:::{admonition} Title`` with ``:class: dropdown`` in the next line.
_BOX = re.compile(
    r"^:::\{(?P<kind>\w+)\} ?(?P<title>[^\n]*)\n(?P<options>(?::\w+:[^\n]*\n)*)(?P<body>.*?)^:::$",
    re.MULTILINE | re.DOTALL,
)
_FRAME = "border-left: 4px solid #4c78a8; padding: 0.1em 1em; margin: 0.5em 0"


class Myst(Markdown):
    """Markdown with admonitions: boxes in a notebook as in the book."""

    def __init__(self, text: str) -> None:
        super().__init__(text)  # type: ignore[no-untyped-call]

    def _repr_html_(self) -> str:
        return as_html(str(self.data))


def as_html(text: str) -> str:
    r"""Return Markdown with admonitions as HTML; of a dropdown the title alone is open.

    Examples
    --------
    >>> print(as_html(":::{note}\nIdle. *Not* `here`.\n:::"))
    <div style="border-left: ..."><p><strong>Note</strong></p>
    <p>Idle. <em>Not</em> <code>here</code>.</p>
    </div>
    """
    from markdown_it import MarkdownIt  # only where something is shown in a notebook

    markdown = MarkdownIt("commonmark", {"html": False})
    parts, end = [], 0
    for box in _BOX.finditer(text):
        parts.append(markdown.render(text[end : box.start()]))
        end = box.end()
        title = html.escape(box["title"] or box["kind"].capitalize())
        body = markdown.render(box["body"])
        if ":class: dropdown" in box["options"]:
            parts.append(
                f'<details style="{_FRAME}"><summary>{title}</summary>\n{body}</details>\n'
            )
        else:
            parts.append(f'<div style="{_FRAME}"><p><strong>{title}</strong></p>\n{body}</div>\n')
    return "".join([*parts, markdown.render(text[end:])])
