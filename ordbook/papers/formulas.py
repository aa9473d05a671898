"""Tools of all papers' checks: places of printed numbers, rows of data/published, counting."""

import ast
import csv
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from decimal import Decimal
from fnmatch import fnmatchcase
from functools import cache
from itertools import combinations
from string import ascii_lowercase
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ordbook import files
from ordbook.data.catalog import catalog
from ordbook.measures import dnkt, jsd, nmd, nvd, od, rnod, rnss, rsnod, vd
from ordbook.measures.registry import MEASURES
from ordbook.papers.relations import (
    SIZE,
    Cell,
    Relation,
    Status,
    beside,
    claim,
    condition,
    counted,
    exact,
    same,
    same_text,
    share,
    total,
    value_of,
)
from ordbook.papers.tables import families, papers

Integers = NDArray[np.int_]


@cache
def rows_of(name: str) -> tuple[dict[str, str], ...]:
    """Return the lines of a table beside the printed values."""
    with files.share("data", "published", name).open(encoding="utf-8", newline="") as lines:
        return tuple(csv.DictReader(lines))


# What a formula may call.
CALLED: Mapping[str, Any] = {
    **{f.__name__: f for f in (abs, all, any, len, max, min, sum, zip, sorted)},
    **{f.__name__: f for f in (float, int, list, range, round, set)},
    **{f.__name__: f for f in (dnkt, jsd, nmd, nvd, od, rnod, rnss, rsnod, vd)},
    "value": value_of,
    "found": re.findall,
    "floats": lambda texts: [float(text) for text in texts],
    "sums": lambda numbers, size: [
        sum(numbers[i : i + size]) for i in range(0, len(numbers) - size + 1, size)
    ],
    "names": lambda cells: {name for c in cells for name in (c.row, c.column.split()[0])},
    "ordinal": lambda name: MEASURES["quantification"][name].ordinal,
}
KINDS = ("sum", "share", "claim", "counted", "names", "exact", "text", "same", "same text")


LONGEST = 80
_NAMED: dict[str, dict[str, Callable[..., Any]]] = {}


def named(function: Callable[..., Any]) -> Callable[..., Any]:
    """Let the formulas of a paper call a function of the paper's module by its name."""
    paper = function.__module__.rpartition(".")[2]
    _NAMED.setdefault(paper, {})[function.__name__] = function
    return function


@cache
def written_as(formula: str, paper: str = "") -> Callable[..., Any]:
    """Return the function of a, b, c, ... and of ``rest``, all but a, that a formula writes.

    It may call ``value``, the number that a text prints, ``found``, :func:`re.findall`, ``floats``,
    ``sums`` of so many neighbours each, ``names`` of measures in cells, the measures of
    :mod:`ordbook.measures`, and what its paper's module has :func:`named`.

    Examples
    --------
    >>> written_as("a == b + c")(3, 1, 2), written_as("value(a) + len(rest)")("two", "x", "y")
    (True, Decimal('4'))
    """
    code = compile(formula or "None", "formulas.csv", "eval")

    def answer(*values: Decimal | str | Cell) -> Any:
        names: dict[str, Any] = dict(zip(ascii_lowercase, values, strict=False))
        names |= {"__builtins__": {**CALLED, **_NAMED.get(paper, {})}, "rest": values[1:]}
        return eval(code, names)  # noqa: S307, formulas of data/published

    return answer


@cache
def counts() -> Mapping[tuple[str, str, str], int]:
    """Return counts of public files: (data set, files, thing) -> number."""
    return {
        (row["catalogue"], row["files"], row["what"]): int(row["number"])
        for row in rows_of("counted.csv")
    }


def counted_in_files(paper: str) -> Iterator[Relation]:
    """Yield the numbers of a paper that were counted in public files."""
    for row in rows_of("counted.csv"):
        for place in filter(None, row["printed at"].split("; ")):
            cell = Cell(*place.split("::"))
            if cell.paper == paper:
                relies = (
                    f"counted in the {row['files']} files of the catalogue's {row['catalogue']}"
                )
                yield beside(cell, int(row["number"]), relies, SIZE)


def _cells_of(row: Mapping[str, str], printed: Collection[Cell]) -> list[Cell]:
    """Return the cells of a line of ``formulas.csv``; ``*``, ``?`` and ``[]`` make a pattern."""
    cells: list[Cell] = []
    place: list[str] = []
    for text in row["cells"].split("; "):
        parts = text.split("::")
        place[-len(parts) :] = parts
        wanted = Cell(*place)
        if not printed or wanted in printed or not re.search(r"[*?]", text):
            cells.append(wanted)
        else:
            cells += [c for c in printed if all(map(fnmatchcase, c, wanted)) and c not in cells]
    return cells


def _twice(row: Mapping[str, str], printed: Collection[Cell]) -> Iterator[tuple[Cell, Cell]]:
    """Yield the pairs of places that print the same; in a pattern the second follows the first.

    In tables of correlations either measure may be the row.
    """
    cells = _cells_of(row, ())
    if not any("*" in part for part in cells[0]) or cells[0] in printed:
        yield from zip(cells[::2], cells[1::2], strict=True)
        return
    pattern, other = cells
    for cell in printed:
        if all(map(fnmatchcase, cell, pattern)):
            filled = zip(cell, other, strict=True)
            place = Cell(*(mine if part == "*" else part for mine, part in filled))
            measure, _, end = place.column.partition(" ")
            turned = place._replace(row=measure, column=f"{place.row} {end}".rstrip())
            yield from ((cell, known) for known in (place, turned) if known in printed)


def _refuse_unknown(row: Mapping[str, str], number: int) -> None:
    """Refuse a kind or a name that no formula has."""
    place = f"data/published/formulas.csv, line {number}"
    if row["kind"] not in KINDS:
        raise ValueError(f"{place}: no kind {row['kind']!r}; there are {', '.join(KINDS)}")
    if row["family"] not in families():
        raise ValueError(f"{place}: no family {row['family']!r} in tables.toml")
    if len(row["formula"]) > LONGEST:
        raise ValueError(
            f"{place}: a formula has more than {LONGEST} characters; write a function with a name "
            f"in ordbook/papers/{row['paper']}.py, and @named above it"
        )
    names = list(ast.walk(ast.parse(row["formula"] or "None", mode="eval")))
    bound = {n.id for n in names if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    for node in names:
        called = {*CALLED, *_NAMED.get(row["paper"], {})}
        known = {*bound, *called, *ascii_lowercase, "rest"}
        if isinstance(node, ast.Name) and node.id not in known:
            raise ValueError(f"{place}: a formula has no {node.id!r}; it may call {sorted(called)}")


def written(paper: str, printed: Collection[Cell]) -> Iterator[Relation]:
    """Yield the checks that ``data/published/formulas.csv`` writes down.

    The numbers or texts of their cells are a, b, c, ... in a formula, and ``rest`` is all but
    a. The sentence of a claim, and what is counted, stand first and have no letter. A cell of
    fewer than four parts has the first ones of the cell before it, and one with ``*`` or ``?``
    stands for all that fit. In the kind ``names``, ``rest`` holds the cells themselves, so that
    their rows and columns can be counted. The kinds ``same`` and ``same text`` have pairs of places
    that print the same number or text.
    """
    for number, row in enumerate(rows_of("formulas.csv"), start=2):
        if row["paper"] != paper:
            continue
        _refuse_unknown(row, number)
        family, relies, shown = row["family"], row["relies"], row["shown"]
        if row["kind"].startswith("same"):
            compare = same if row["kind"] == "same" else same_text
            yield from (compare(*pair, relies) for pair in _twice(row, printed))
            continue
        cells = _cells_of(row, printed)
        if not cells:
            place = f"data/published/formulas.csv, line {number}"
            raise ValueError(f"{place}: no printed cell fits {row['cells']!r}")
        first, *others = cells
        holds = written_as(row["formula"], paper)
        match row["kind"]:
            case "sum":
                yield total(first, others, relies)
            case "share":
                yield share(first, others[0], others[1], relies)
            case "claim":
                yield claim(first, others, holds, relies, shown)
            case "counted":
                yield counted(first, holds, relies, others, family)
            case "names":
                yield counted(first, holds(first, *others), relies, others, family)
            case "exact":
                yield exact(family, cells, holds, relies, shown)
            case _:
                yield condition(family, cells, holds, relies, shown)


def unreached(cell: Cell) -> tuple[Status, str]:
    """Say why no check reaches a number, by the first line of its paper that fits."""
    for pattern, status, reason in papers()[cell.paper].unreached:
        if all(map(fnmatchcase, cell[1:], pattern.split("::"))):
            named = re.search(r"\{(.+)\}", reason)
            source = named and catalog()[named[1]].published()
            return cast(Status, status), reason.replace(named[0], str(source)) if named else reason
    return "stated", "no check reaches it"


def compositions(number: int, parts: int) -> Integers:
    """Return all ways to write a whole number as an ordered sum of so many, zeros included.

    Examples
    --------
    >>> compositions(2, 2).tolist()
    [[0, 2], [1, 1], [2, 0]]
    """
    bars = np.array(list(combinations(range(number + parts - 1), parts - 1)))
    ends = np.full((len(bars), 1), -1), np.full((len(bars), 1), number + parts - 1)
    return np.diff(np.hstack([ends[0], bars, ends[1]])) - 1
