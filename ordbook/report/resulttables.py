"""Result tables as text: Markdown, LaTeX with booktabs, CSV that is safe in a spreadsheet."""

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import pandas as pd
from pandas.api.types import is_numeric_dtype

from ordbook.chapters.escape import escape_cell, escape_formula, escape_latex

# What fits a page of LaTeX, and a line of a wide column.
PAGE, LINE = 45, 85
_LETTERS = re.compile(r"[^A-Za-z0-9._-]+")
# Windows keeps these names for devices, with any extension.
_DEVICES = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\.|$)")


@dataclass(frozen=True)
class Sheet:
    """A table of plain text; what writes it escapes every cell.

    Attributes
    ----------
    caption, notes
        Sentences above and below.
    head
        Names of the columns.
    columns
        Their alignment: a letter each, ``r``, ``l``, or ``p`` for long text.
    parts
        Heading (empty if there is one part only) and rows of each part.
    label
        For references in LaTeX: letters, digits, dots, hyphens and colons.
    """

    caption: str
    head: tuple[str, ...]
    columns: str
    parts: tuple[tuple[str, tuple[tuple[str, ...], ...]], ...]
    notes: tuple[str, ...] = ()
    label: str = ""


def as_markdown(sheet: Sheet, heading: str = "#") -> str:
    """Return a page with the caption as its heading."""
    lines = [f"{heading} {escape_cell(sheet.caption)}", ""]
    for title, rows in sheet.parts:
        if title:
            lines += [f"{heading}# {escape_cell(title)}", ""]
        lines.append(_markdown_row(sheet.head))
        lines.append(f"|{'|'.join('---:' if c == 'r' else ':---' for c in sheet.columns)}|")
        lines += [*map(_markdown_row, rows), ""]
    lines += [f"- {escape_cell(note)}" for note in sheet.notes]
    return "\n".join(lines).rstrip() + "\n"


def as_latex(sheet: Sheet) -> str:
    r"""Return a ``table`` with a ``tabular``, or a ``longtable`` where one page would not hold it.

    The first line says which packages it needs.
    """
    rows = [row for _, part in sheet.parts for row in part]
    lines = sum(max(1, *(math.ceil(len(cell) / LINE) for cell in row)) for row in rows)
    long = lines + 2 * len(sheet.parts) > PAGE
    columns = sheet.columns.replace("p", r"p{0.6\linewidth}")
    head = [r"\toprule", _latex_row(sheet.head)]
    body = []
    for title, part in sheet.parts:
        body.append(r"\midrule")
        if title:
            span = rf"\multicolumn{{{len(sheet.head)}}}{{l}}{{\emph{{{escape_latex(title)}}}}} \\"
            body += [span, r"\midrule"]
        body += map(_latex_row, part)
    caption = rf"\caption{{{escape_latex(sheet.caption)}}}"
    if sheet.label:
        caption += rf"\label{{{sheet.label}}}"
    notes = [rf"{escape_latex(note)}\par" for note in sheet.notes]
    if notes:
        notes = [r"\par\medskip", *notes]
    packages = r"\usepackage{booktabs,longtable}" if long else r"\usepackage{booktabs}"
    text = [f"% Needs {packages}; names beyond Latin letters need XeLaTeX or LuaLaTeX."]
    if long:
        text += [r"\begingroup\footnotesize", rf"\begin{{longtable}}{{{columns}}}"]
        text += [rf"{caption} \\", *head, r"\endfirsthead", *head, r"\midrule", r"\endhead"]
        text += [*body, r"\bottomrule", r"\end{longtable}", *notes, r"\endgroup"]
    else:
        text += [r"\begin{table}[tbp]", r"\centering\footnotesize", caption]
        text += [rf"\begin{{tabular}}{{{columns}}}", *head, *body, r"\bottomrule"]
        text += [r"\end{tabular}", *notes, r"\end{table}"]
    return "\n".join(text) + "\n"


def as_csv(frame: pd.DataFrame) -> str:
    """Return CSV; text that a spreadsheet would take for a formula gets an apostrophe before it."""
    safe = frame.rename(columns=escape_formula)
    for column in safe.columns:
        if not is_numeric_dtype(safe[column]):
            safe[column] = safe[column].map(escape_formula)
    return safe.to_csv(index=False, lineterminator="\n")


def one_of_the_worse(
    run: object, p: float, effect_size: float, trials: int, undecided: bool = False
) -> str:
    """Say that a run is significantly worse than another, as DialEval-1 prints it.

    Examples
    --------
    >>> one_of_the_worse("BL-uniform", 0.0, 1.2153, 5000)
    'BL-uniform (p < 0.0002, ES = 1.215)'
    """
    digits = min(5, max(2, len(str(trials - 1)))) if trials else 4
    least = max(1 / trials if trials else 0, 10.0**-digits)
    shown = f"p = {p:.{digits}f}" if p >= least else f"p < {least:.{digits}f}"
    size = "" if effect_size != effect_size else f", ES = {effect_size:.3f}"
    return f"{run} ({shown}{size}{', open' if undecided else ''})"


def decimals(means: Iterable[float]) -> int:
    """Return 4, or more where all means are small.

    Examples
    --------
    >>> decimals([0.5, 0.25]), decimals([3e-6, 1e-6])
    (4, 8)
    """
    largest = max(map(abs, means))
    return 4 if largest == 0 else max(4, 2 - math.floor(math.log10(largest)))


def file_stems(names: Sequence[str]) -> dict[str, str]:
    """Give each name a file name without extension, which every system takes.

    Examples
    --------
    >>> file_stems(["MAE_M", "mae/m", "../X", "x"])
    {'MAE_M': 'MAE_M', 'mae/m': 'mae-m', '../X': 'X', 'x': 'x-2'}
    """
    stems: dict[str, str] = {}
    taken: set[str] = set()
    for name in names:
        first = _LETTERS.sub("-", name).strip(".-")[:60] or "measure"
        if _DEVICES.match(first):
            first = f"measure-{first}"
        stem, number = first, 1
        while stem.lower() in taken:
            number += 1
            stem = f"{first}-{number}"
        stems[name] = stem
        taken.add(stem.lower())
    return stems


def _markdown_row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(map(escape_cell, cells))} |"


def _latex_row(cells: Sequence[str]) -> str:
    return rf"{' & '.join(map(escape_latex, cells))} \\"
