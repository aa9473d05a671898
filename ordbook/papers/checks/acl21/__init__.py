"""The checks of ACL'21: nine measures for ordinal classification, six for quantification."""

from ordbook.papers.checks.acl21 import summary, tables
from ordbook.papers.checks.tools import ACL21
from ordbook.papers.relations import Printed, Relation


def relations(printed: Printed) -> list[Relation]:
    """Return every check of ACL'21."""
    return [
        *tables.relations(printed),
        *summary.relations(printed),
        *ACL21.written(),
        *ACL21.twice(),
    ]
