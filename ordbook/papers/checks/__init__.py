"""The checks of every printed number, one module for each paper.

Each has ``relations(printed)``, the checks; ``recomputed`` holds the values that public data,
definitions and simulations give.
"""

from collections.abc import Callable
from importlib import import_module

from ordbook.papers.checks import recomputed
from ordbook.papers.checks.tools import doubts, unreached
from ordbook.papers.ledger import PAPERS, Ledger, audit, errata, printed_cells
from ordbook.papers.relations import Printed, Relation


def lasting(printed: Printed) -> dict[str, list[Relation]]:
    """Return the checks that do not depend on chance: each paper's, and ``recomputed``."""
    # Imported here, because they take seconds and most callers want one module of this package.
    modules = {paper: import_module(f"ordbook.papers.checks.{paper}") for paper in PAPERS}
    found = {paper: list(module.relations(printed)) for paper, module in modules.items()}
    return {**found, "recomputed": list(recomputed.certain(printed))}


def full_ledger(seeds: int = 1000, progress: Callable[[str], None] = lambda line: None) -> Ledger:
    """Run every check on every printed number of the five papers.

    Parameters
    ----------
    seeds
        How many seeds the randomised results are repeated with.
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
    found = lasting(printed)
    progress(f"recomputing over {seeds} seeds")
    relations = [relation for checks in found.values() for relation in checks]
    relations += recomputed.by_chance(seeds)
    progress(f"{len(relations)} checks of {len(printed)} printed numbers")
    return audit(relations, unreached, errata(), doubts=doubts(), printed=noted)
