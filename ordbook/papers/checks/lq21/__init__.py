"""The checks of LQ'21 (A Closer Look at Evaluation Measures for Ordinal Quantification)."""

from ordbook.papers.checks.lq21 import elsewhere, tables
from ordbook.papers.checks.tools import LQ21
from ordbook.papers.relations import Printed, Relation


def relations(printed: Printed) -> list[Relation]:
    """Return every check of LQ'21."""
    return [
        *tables.relations(printed),
        *elsewhere.relations(printed),
        *LQ21.written(),
        *LQ21.twice(),
    ]
