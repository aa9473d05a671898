"""The checks of DNKT: agreement and consistency of rankings by twelve measures."""

from ordbook.papers.checks.dnkt import consistency, tables, text
from ordbook.papers.checks.tools import DNKT
from ordbook.papers.relations import Printed, Relation


def relations(printed: Printed) -> list[Relation]:
    """Return every check of DNKT."""
    return [
        *consistency.relations(printed),
        *text.relations(printed),
        *tables.relations(printed),
        *DNKT.twice(),
    ]
