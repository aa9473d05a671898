"""Tables behind tabs: many of a kind on one page, and each can be read.

Contents
--------
Tabs      panels under labels: tabs in the book, one after the other elsewhere
tabs      what several functions display, one panel each -> Tabs
"""

import html
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from IPython.display import display
from IPython.utils.capture import RichOutput, capture_output

# What a panel holds: the text of each thing displayed, as MyST and as HTML.
Shown = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Tabs:
    """Panels under labels.

    Attributes
    ----------
    panels
        Label -> what is shown under it.
    """

    panels: Mapping[str, Shown]

    def _repr_markdown_(self) -> str:
        lines = ["::::::{tab-set}"]
        for label, shown in self.panels.items():
            lines += [f":::::{{tab-item}} {label}", ""]
            for markdown, _ in shown:
                lines += [markdown, ""]
            lines.append(":::::")
        return "\n".join([*lines, "::::::"])

    def _repr_html_(self) -> str:
        return "".join(
            f"<details><summary>{html.escape(label)}</summary>"
            f"{''.join(body for _, body in shown)}</details>"
            for label, shown in self.panels.items()
        )


def tabs(panels: Mapping[str, Callable[[], object]]) -> Tabs:
    """Call functions that display tables and sentences, and put each behind a tab.

    What they store for the page's text (``glue``) is stored as ever.

    Parameters
    ----------
    panels
        Label -> a function; what it displays, and then what it returns, is the panel.

    Raises
    ------
    ValueError
        If a function displays something else than tables and text, such as a figure.
    """
    return Tabs({label: _shown(label, panel) for label, panel in panels.items()})


def _shown(label: str, panel: Callable[[], object]) -> Shown:
    with capture_output() as captured:
        result = panel()
        if result is not None:
            display(result)
    return tuple(_texts(label, output) for output in _to_show(captured.outputs))


def _to_show(outputs: Sequence[RichOutput]) -> list[RichOutput]:
    """Pass on what is glued, and return the rest."""
    kept = []
    for output in outputs:
        if "scrapbook" in (output.metadata or {}):
            output.display()
        else:
            kept.append(output)
    return kept


def _texts(label: str, output: RichOutput) -> tuple[str, str]:
    markdown = output.data.get("text/markdown")
    if markdown is None:
        found = ", ".join(output.data)
        raise ValueError(f"tab {label!r}: only tables and text can be shown, not {found}")
    plain = f"<p>{html.escape(markdown)}</p>"
    return markdown, output.data.get("text/html", plain)
