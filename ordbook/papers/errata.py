"""Numbers that cannot be right as printed, each with its derivation.

An erratum claimed in error does more harm than one missed: each entry here must break a check of
the ledger, and says fairly what the fault may be. The entries stand with their checks, in
:mod:`ordbook.papers.checks`.

Contents
--------
Erratum   the cells, what kind of fault, and the derivation
KINDS     kind -> what it means
"""

from dataclasses import dataclass
from typing import Literal

from ordbook.papers.relations import Cell

Kind = Literal["misprint", "claim", "extraction", "modelling", "open"]
KINDS: dict[Kind, str] = {
    "misprint": "the paper contradicts itself, and one reading repairs it",
    "claim": "a sentence says what the paper's own numbers do not",
    "extraction": "the text extraction may have damaged it; the page itself may be right",
    "modelling": "it follows from a choice that the paper does not state",
    "open": "something does not fit, and what cannot be told from the paper",
}


@dataclass(frozen=True)
class Erratum:
    """Printed numbers that cannot be right as they stand.

    Attributes
    ----------
    name
        Short and unique, such as ``lq21-table4h-nvd``.
    cells
        The numbers in question.
    kind
        Key of ``KINDS``.
    title
        What is wrong, in one sentence.
    derivation
        Why, in two or three lines.
    """

    name: str
    cells: tuple[Cell, ...]
    kind: Kind
    title: str
    derivation: str
