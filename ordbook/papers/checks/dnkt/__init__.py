"""The checks of DNKT: agreement and consistency of rankings by twelve measures.

Contents
--------
relations   every check
ERRATA      what they broke on
unreached   why no check reaches a number
"""

from typing import Literal

from ordbook.papers.checks.dnkt.consistency import consistency_relations
from ordbook.papers.checks.dnkt.definitions import DEFINITION_ERRATA, definition_relations
from ordbook.papers.checks.dnkt.elsewhere import elsewhere_relations
from ordbook.papers.checks.dnkt.prose import prose_relations
from ordbook.papers.checks.dnkt.symbols import SYMBOL_ERRATA, symbol_relations
from ordbook.papers.checks.dnkt.taus import tau_relations
from ordbook.papers.errata import Erratum
from ordbook.papers.relations import Cell, Printed, Relation

__all__ = ["ERRATA", "relations", "unreached"]

ERRATA: tuple[Erratum, ...] = (*DEFINITION_ERRATA, *SYMBOL_ERRATA)


def relations(printed: Printed) -> list[Relation]:
    """Return every check of DNKT."""
    return [
        *definition_relations(printed),
        *prose_relations(printed),
        *consistency_relations(printed),
        *elsewhere_relations(printed),
        *tau_relations(printed),
        *symbol_relations(printed),
    ]


def unreached(cell: Cell) -> tuple[Literal["not reached", "stated"], str]:
    """Say why no check reaches a number."""
    if cell.table[:1].isdigit() and cell.table not in ("1", "2"):
        return "not reached", "needs runs that were not published, as far as we know"
    return "stated", "nothing else in the five papers speaks about it"
