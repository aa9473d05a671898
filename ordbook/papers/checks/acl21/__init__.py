"""The checks of ACL'21: nine measures for ordinal classification, six for quantification.

Contents
--------
relations   every check
ERRATA      what they broke on
unreached   why no check reaches a number
"""

from typing import Literal

from ordbook.data.catalog import catalog
from ordbook.papers.checks.acl21.consistency import consistency_relations
from ordbook.papers.checks.acl21.counts import count_relations
from ordbook.papers.checks.acl21.groups import group_relations
from ordbook.papers.checks.acl21.numbers import at
from ordbook.papers.checks.acl21.rankings import ranking_relations
from ordbook.papers.checks.acl21.summary import summary_relations
from ordbook.papers.errata import Erratum
from ordbook.papers.relations import Cell, Printed, Relation

__all__ = ["ERRATA", "relations", "unreached"]


def relations(printed: Printed) -> list[Relation]:
    """Return every check of ACL'21."""
    return [
        *ranking_relations(printed),
        *consistency_relations(printed),
        *group_relations(printed),
        *summary_relations(printed),
        *count_relations(printed),
    ]


ERRATA: tuple[Erratum, ...] = (
    Erratum(
        "acl21-table5iii-rsnod-nmd",
        (at("5iii", "RSNOD", "NMD"),),
        "open",
        "RSNOD and NMD rank the 22 runs of DQ-S less alike than the means in DialEval-1 do.",
        "By the means of RSNOD and NMD in DialEval-1, Tables 5 and 10, C - D is 165 over the 229 "
        "pairs of runs that differ, 163 to 167 with the baselines that are the same in both "
        "languages; printed is .662 = 153/231, at least five pairs fewer. It is no wrong digit: "
        "RNOD differs from NMD in 48 pairs and from RSNOD in 13, so RSNOD and NMD must differ in "
        "35 or more (.697 or less), by the means in 32 to 34. The scores behind the two papers "
        "seem to differ; which are right cannot be told.",
    ),
)


def unreached(cell: Cell) -> tuple[Literal["not reached", "stated"], str]:
    """Say why no check reaches a number of ACL'21."""
    if "2017" in cell.row and cell.table == "s5.1":
        pack = catalog()["acl21-pack"].published()
        return "not reached", f"needs the score matrices of SemEval-2017, {pack}"
    if cell.table.startswith("footnote") or "Subtask A" in cell.row:
        return "stated", "a description of data that the paper does not use"
    return "stated", "a description that no other number speaks about"
