"""The checks of the NTCIR-15 DialEval-1 overview: 29 tables and the text."""

from ordbook.papers.checks.dialeval1 import claims, correlations, significance, tables
from ordbook.papers.checks.tools import DIALEVAL1
from ordbook.papers.relations import Printed, Relation


def relations(printed: Printed) -> list[Relation]:
    """Return every check of the overview's numbers."""
    return [
        *tables.relations(printed),
        *correlations.relations(printed),
        *tables.of_text(printed),
        *significance.relations(printed),
        *claims.relations(printed),
        *DIALEVAL1.written(),
        *DIALEVAL1.twice(),
    ]
