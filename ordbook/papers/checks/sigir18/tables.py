"""The checks of SIGIR'18, Tables 1 and 2, and of what its prose quotes from them.

Contents
--------
table_relations   intervals, triangles, the trend, and quoted values
"""

from collections.abc import Iterator
from decimal import Decimal
from math import acos

import numpy as np

from ordbook.papers.checks.places import compared, triangles
from ordbook.papers.checks.sigir18.numbers import (
    AGREEMENTS,
    CROSS_BIN,
    TAU_TABLES,
    at,
    pair_cells,
)
from ordbook.papers.relations import (
    NOISE,
    Cell,
    Printed,
    Relation,
    Rounded,
    condition,
    exact,
    plus,
    rounded,
    same,
)


def table_relations(printed: Printed) -> list[Relation]:
    """Return the checks of Tables 1 and 2."""
    return [
        *_intervals(printed),
        *_angles(printed),
        *_gram_matrices(printed),
        *_agreement_triangles(printed),
        *_trend(printed),
        *_ranges_in_prose(printed),
    ]


def _intervals(printed: Printed) -> Iterator[Relation]:
    """Tau lies in its interval, and in the middle of it.

    The paper does not name its interval; all 30 are symmetric, as Hollander, Wolfe and Chicken's
    asymptotic one (R's ``kendall.ci``). Then low + high - 2 tau is 0 before rounding, and less
    than two units after it: two only if all three numbers lay exactly halfway.
    """
    for table in TAU_TABLES:
        for cell in pair_cells(printed, table):
            low, high = (cell._replace(column=f"{cell.column} {end}") for end in ("low", "high"))
            yield exact(
                "interval",
                (low, cell, high),
                lambda low, tau, high: low <= tau <= high,
                f"an interval holds its estimate, Table {table}",
                "low, tau, high",
            )
            yield exact(
                "interval",
                (low, cell, high),
                lambda low, tau, high: (
                    abs(low + high - 2 * tau) < 2 * Decimal(1).scaleb(tau.as_tuple().exponent)
                ),
                f"tau is the middle of an asymptotic interval, Table {table}",
                "low, tau, high",
            )


def _angle(tau: Rounded) -> Rounded:
    """Return the angle between two sign vectors whose cosine is tau."""
    return Rounded(acos(min(tau.high, 1)), acos(max(tau.low, -1)))


def _angles(printed: Printed) -> Iterator[Relation]:
    """Angles arccos tau of three measures obey the triangle inequality.

    Tau-b is the cosine of two vectors of signs, one sign for each pair of items; tau-a is that
    of two longer vectors. The distances (1 - tau)/2 obey it for tau-a only, and Table 1 looks
    like tau-b: (2,2,1), (2,1,1) and (2,1,2) have tau-b 1/2, 1/2 and -1/2, so 3/4 > 1/4 + 1/4.
    """

    def obeys(*texts: str) -> bool:
        side, first, second = (_angle(rounded(text)) for text in texts)
        return side.low <= plus(first, second).high + NOISE

    for table in TAU_TABLES:
        for cells in triangles(pair_cells(printed, table)):
            yield condition(
                "triangle", cells, obeys, "tau is the cosine of sign vectors", "angles of tau"
            )


def _gram_matrices(printed: Printed) -> Iterator[Relation]:
    """Matrices of the five measures' tau have no negative eigenvalue.

    They hold the cosines of five vectors (see ``_angles``). Rounding can move an eigenvalue by at
    most the largest row sum of the errors: half a unit for each of the other measures.
    """
    for table in TAU_TABLES:
        pairs = pair_cells(printed, table)
        names = compared(pairs)
        places = [(names.index(cell.row), names.index(cell.column)) for cell in pairs]

        def possible(
            *texts: str, size: int = len(names), places: list[tuple[int, int]] = places
        ) -> bool:
            matrix, errors = np.eye(size), np.zeros((size, size))
            for (i, j), tau in zip(places, map(rounded, texts), strict=True):
                matrix[i, j] = matrix[j, i] = tau.middle
                errors[i, j] = errors[j, i] = tau.high - tau.middle
            return bool(np.linalg.eigvalsh(matrix)[0] >= -errors.sum(axis=0).max() - NOISE)

        yield condition(
            "feasibility", pairs, possible, "tau is the cosine of sign vectors", "all tau together"
        )


def _agreement_triangles(printed: Printed) -> Iterator[Relation]:
    """Disagreements of Table 2(II): where a and c part, b parts from one of them."""

    def obeys(*texts: str) -> bool:
        side, first, second = (rounded(text) for text in texts)
        return 100 - side.high <= (100 - first.low) + (100 - second.low) + NOISE

    for cells in triangles(pair_cells(printed, AGREEMENTS)):
        yield condition(
            "triangle", cells, obeys, "Table 2(II), the definition of agreement", "agreements"
        )


def _groups(printed: Printed, table: str) -> tuple[list[Cell], Cell, list[Cell]]:
    """Return the pairs without NMD, the pair NMD-RSNOD, and NMD with bin-by-bin measures."""
    pairs = pair_cells(printed, table)
    both = next(cell for cell in pairs if {cell.row, cell.column} == set(CROSS_BIN))
    without = [cell for cell in pairs if "NMD" not in (cell.row, cell.column)]
    return without, both, [cell for cell in pairs if cell != both and cell not in without]


def _trend(printed: Printed) -> Iterator[Relation]:
    """Section 4.1's trend, which "still holds" in Table 2(I) and is "similar" in 2(II).

    Bin-by-bin measures and RSNOD are more similar to each other than NMD and RSNOD, and these
    more than NMD and bin-by-bin measures.
    """
    relies = "Sections 4.1 and 4.2, a trend that is consistent across the L's"
    for table in (*TAU_TABLES, AGREEMENTS):
        without, both, with_nmd = _groups(printed, table)
        for cells, shown, holds in (
            (without, "NMD-RSNOD below all pairs without NMD", lambda b, o: b < o),
            (with_nmd, "NMD-RSNOD above NMD with bin-by-bin measures", lambda b, o: b > o),
        ):
            for cell in cells:
                yield exact("claim", (both, cell), holds, relies, shown)


def _ranges_in_prose(printed: Printed) -> Iterator[Relation]:
    """Ranges and single values that Sections 4.1 and 4.2 quote from Tables 1 (L = 3) and 2(II)."""
    for table, section, where, what, number in (
        ("1a", "s4.1", ", L = 3", "", "tau"),
        (AGREEMENTS, "s4.2", "", " agreement", "percentage"),
    ):
        without, both, with_nmd = _groups(printed, table)
        for cells, who in (
            (without, "bin-by-bin measures and RSNOD"),
            (with_nmd, "NMD and bin-by-bin measures"),
        ):
            for end, extreme in (("lowest", min), ("highest", max)):
                yield exact(
                    "claim",
                    (at(section, f"{who}{what}{where}", f"{end} {number}"), *cells),
                    lambda quoted, *values, extreme=extreme: quoted == extreme(values),
                    f"the {end} of Table {table}",
                    who,
                )
        quoted = at(section, f"NMD and RSNOD{what}{where}", number)
        yield same(quoted, both, f"Table {table}")
