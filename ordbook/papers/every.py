"""The checks of every printed number, one module for each paper.

Each has ``relations(printed)``, the checks that are no row of ``data/published``.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec

from ordbook.papers.draws import drawn
from ordbook.papers.formulas import counted_in_files, unreached, written
from ordbook.papers.kinds import declared
from ordbook.papers.ledger import Ledger, audit, errata, printed_cells
from ordbook.papers.relations import Cell, Printed, Relation, beside
from ordbook.papers.tables import papers


def lasting(printed: Printed) -> Mapping[str, Sequence[Relation]]:
    """Return the checks that do not depend on chance: by paper."""
    return _lasting(tuple(printed.items()))


@lru_cache(maxsize=1)
def _lasting(texts: tuple[tuple[Cell, str], ...]) -> Mapping[str, Sequence[Relation]]:
    printed = dict(texts)
    return {
        name: [
            *declared(paper, printed),
            *_own(name, printed),
            *written(name, printed),
            *counted_in_files(name),
        ]
        for name, paper in papers().items()
    }


def _own(paper: str, printed: Printed) -> list[Relation]:
    """Return the checks of a paper's own module, if it has one."""
    if find_spec(f"ordbook.papers.{paper}") is None:
        return []
    return [*import_module(f"ordbook.papers.{paper}").relations(printed)]


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
    relations += by_chance(printed)
    progress(f"{len(relations)} checks of {len(printed)} printed numbers")
    return audit(relations, unreached, errata(), printed=noted)


SPLITS = {
    "outperforms": "randomised Tukey HSD of the splits",
    "": "1,000 random splits for every seed",
}
# Paper -> end of a column's name -> what its draws rest on.
RANDOM: Mapping[str, Mapping[str, str]] = {
    "sigir18": {
        "": "random distributions for every seed, tau-b, ties as floating point leaves them"
    },
    "acl21": SPLITS,
    "lq21": {"": "randomised Tukey HSD with B = 5,000 for every seed"},
    "dnkt": SPLITS,
}


def by_chance(printed: Printed) -> Iterator[Relation]:
    """Hold randomised results to those of many seeds, as committed in ``data/draws``."""
    for paper, relies_on in RANDOM.items():
        for place, value in drawn(paper).items():
            cell = Cell(paper, *place)
            if cell in printed and not isinstance(value, int):
                relies = next(text for end, text in relies_on.items() if cell.column.endswith(end))
                yield beside(cell, value, relies)
