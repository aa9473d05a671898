"""The parts of a report: tables, in whose cells marks are drawn, and lines to copy."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

if TYPE_CHECKING:
    from jinja2 import Template

# The colours of shades above and below 0, and how opaque the deepest is: text stays readable.
SHADES, OPAQUE = ("47 127 193", "217 119 6"), 0.6
# A strip tells so many shades apart.
STEPS = 8


@dataclass(frozen=True)
class Drawing:
    """A small picture in a cell, as SVG."""

    svg: str

    def __html__(self) -> str:
        return self.svg


@dataclass(frozen=True, eq=False)
class Table:
    """A table with its caption.

    Attributes
    ----------
    frame
        The index names the rows. Cells are texts, numbers, or drawings from :func:`marks` and
        :func:`strip`.
    caption
        Says what the cells are.
    digits
        Of floats.
    shades
        Of the frame's shape: how deep each cell is coloured, from -1 to 1; 0 is without colour.
    """

    frame: pd.DataFrame
    caption: str = ""
    digits: int = 3
    shades: pd.DataFrame | None = None

    @property
    def head(self) -> list[str]:
        """The heads of the columns, the first of the names of rows."""
        return [str(self.frame.index.name or ""), *map(str, self.frame.columns)]

    @property
    def rows(self) -> list[tuple[str, list[tuple[object, str]]]]:
        """The rows: a name, and the content and colour of each cell."""
        texts = [list(map(self._text, row)) for row in self.frame.itertuples(index=False)]
        colours = [[""] * len(row) for row in texts]
        if self.shades is not None:
            colours = [list(map(colour, row)) for row in self.shades.itertuples(index=False)]
        names = map(str, self.frame.index)
        return [
            (name, list(zip(*cells, strict=True)))
            for name, *cells in zip(names, texts, colours, strict=True)
        ]

    def _text(self, value: object) -> object:
        if isinstance(value, bool | np.bool_):
            return "yes" if value else "no"
        if isinstance(value, float | np.floating):
            return "" if np.isnan(value) else f"{value:.{self.digits}f}"
        return value if isinstance(value, Drawing) else str(value)


@dataclass(frozen=True, eq=False)
class Panels:
    """Small tables beside each other, each below its name."""

    tables: Mapping[str, Table]
    caption: str


@dataclass(frozen=True)
class Lines:
    """Lines to copy, such as the entries of a bibliography."""

    text: str


def colour(shade: float) -> str:
    """Return the colour of a shade from -1 to 1 in CSS, nothing for none."""
    deep = OPAQUE * abs(shade)
    return f"rgb({SHADES[int(shade < 0)]} / {deep:.2f})" if deep >= 0.005 else ""


def marks(
    points: Iterable[float],
    ends: tuple[float, float],
    line: Sequence[float] = (),
) -> Drawing:
    """Draw points, and a line between two values, in a cell that reaches from end to end.

    Examples
    --------
    >>> print(marks([0.5], (0, 1)).svg)
    <svg class="marks" viewBox="0 0 100 10" aria-hidden="true"><circle cx="50.0" cy="5" r="2.5"/></svg>
    """  # noqa: E501
    low, high = ends

    def place(value: float) -> str:
        return f"{3 + 94 * (value - low) / (high - low):.1f}" if high > low else "50.0"

    drawn = "".join(f'<circle cx="{place(x)}" cy="5" r="2.5"/>' for x in points)
    if len(line) and np.isfinite(line).all():
        first, last = map(place, line)
        drawn = f'<line x1="{first}" x2="{last}" y1="5" y2="5"/>{drawn}'
    return Drawing(f'<svg class="marks" viewBox="0 0 100 10" aria-hidden="true">{drawn}</svg>')


def strip(shades: Iterable[float]) -> Drawing:
    """Draw shades from 0 to 1 side by side.

    Examples
    --------
    >>> print(strip([0, 1]).svg)
    <svg class="strip" viewBox="0 0 2 1" preserveAspectRatio="none" aria-hidden="true"><path \
fill-opacity="1" d="M1 0h1v1h-1z"/></svg>
    """
    steps = np.rint(np.fromiter(shades, float) * STEPS).astype(int)
    paths = [
        f'<path fill-opacity="{step / STEPS:g}" d="'
        + "".join(f"M{x} 0h1v1h-1z" for x in np.flatnonzero(steps == step))
        + '"/>'
        for step in np.unique(steps[steps > 0])
    ]
    return Drawing(
        f'<svg class="strip" viewBox="0 0 {len(steps)} 1" preserveAspectRatio="none" '
        f'aria-hidden="true">{"".join(paths)}</svg>'
    )


@cache
def template(name: str) -> "Template":
    """Return a template of this folder; it escapes its values."""
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
