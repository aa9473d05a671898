"""The parts of a report: a figure, a table, or lines to copy; a sentence is plain text."""

import io
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

if TYPE_CHECKING:
    from jinja2 import Template
    from markupsafe import Markup
    from matplotlib.figure import Figure

# Drawn in this colour is what the page writes in the colour of its text, by day and by night.
INK = "#010203"


@dataclass(frozen=True, eq=False)
class Picture:
    """A figure with its caption, and a description for those who do not see it."""

    figure: "Figure"
    caption: str
    alt: str

    def svg(self) -> "Markup":
        """Return the figure as a part of a page, the same bytes every time."""
        from markupsafe import Markup
        from matplotlib import rc_context

        file = io.StringIO()
        # Letters stay letters: they can be read, found and copied.
        with rc_context({"svg.fonttype": "none", "svg.hashsalt": self.caption}):
            self.figure.savefig(file, format="svg", transparent=True, metadata={"Date": None})
        svg = file.getvalue()
        svg = svg[svg.index("<svg") :].replace(INK, "currentColor")
        svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
        width = re.search(r'width="([0-9.]+)pt"', svg)
        assert width is not None  # matplotlib writes it
        style = f'style="width: {float(width[1]) * 4 / 3:.0f}px"'
        svg = re.sub(r'(width|height)="[0-9.]+pt" ?', "", svg, count=2)
        return Markup(svg.replace("<svg", f"<svg aria-hidden='true' {style}", 1))


@dataclass(frozen=True, eq=False)
class Table:
    """A table with its caption; the index names the rows, and floats have so many digits."""

    frame: pd.DataFrame
    caption: str = ""
    digits: int = 3

    @property
    def head(self) -> list[str]:
        """The heads of the columns, the first of the names of rows."""
        return [str(self.frame.index.name or ""), *map(str, self.frame.columns)]

    @property
    def rows(self) -> list[list[str]]:
        """The cells as text, row by row."""
        rows = zip(self.frame.index, self.frame.itertuples(index=False), strict=True)
        return [[str(name), *(self._text(value) for value in row)] for name, row in rows]

    def _text(self, value: object) -> str:
        if isinstance(value, bool | np.bool_):
            return "yes" if value else "no"
        if isinstance(value, float | np.floating):
            return "" if np.isnan(value) else f"{value:.{self.digits}f}"
        return str(value)


@dataclass(frozen=True)
class Lines:
    """Lines to copy, such as the entries of a bibliography."""

    text: str


@cache
def template(name: str) -> "Template":
    """Return a template of this folder; it escapes what it is given."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment: Any = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    template: Template = environment.get_template(name)
    return template
