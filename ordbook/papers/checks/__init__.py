"""The checks of every printed number, one module for each paper.

Each has ``relations(printed)``, the checks that are no row of ``data/published``; ``recomputed``
holds the values that public data, definitions and simulations give.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from importlib import import_module

from ordbook.papers.checks import recomputed
from ordbook.papers.checks.tools import as_worded, twice, unreached, written
from ordbook.papers.ledger import PAPERS, Ledger, audit, errata, printed_cells
from ordbook.papers.relations import Cell, Printed, Relation


def lasting(printed: Printed) -> Mapping[str, Sequence[Relation]]:
    """Return the checks that do not depend on chance: each paper's, and ``recomputed``."""
    return _lasting(tuple(printed.items()))


@lru_cache(maxsize=1)
def _lasting(texts: tuple[tuple[Cell, str], ...]) -> Mapping[str, Sequence[Relation]]:
    printed = dict(texts)
    # Imported here, because they take seconds and most callers want one module of this package.
    modules = {paper: import_module(f"ordbook.papers.checks.{paper}") for paper in PAPERS}
    checks = {
        paper: [*module.relations(printed), *written(paper, printed), *twice(paper)]
        for paper, module in modules.items()
    }
    worded = {paper: list(map(as_worded, relations)) for paper, relations in checks.items()}
    return {**worded, "recomputed": list(recomputed.certain(printed))}


def full_ledger(progress: Callable[[str], None] = lambda line: None) -> Ledger:
    """Run every check on every printed number of the five papers.

    Parameters
    ----------
    progress
        Called with one line at every step.

    Raises
    ------
    UnexplainedContradiction
        If a check fails that no erratum accounts for, or an erratum breaks no check.
    """
    noted = printed_cells()
    printed = {cell: text for cell, (text, _) in noted.items()}
    progress("collecting the checks")
    relations = [relation for checks in lasting(printed).values() for relation in checks]
    relations += recomputed.by_chance(printed)
    progress(f"{len(relations)} checks of {len(printed)} printed numbers")
    return audit(relations, unreached, errata(), printed=noted)
