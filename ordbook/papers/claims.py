"""Printed claims about the properties of the measures, and whether they hold.

The claims stand in ``data/published/claims.toml``: every tick of DNKT Table 1 and of ACL'21
Tables 4 (i)-(iii) and 7 (i)-(ii), and the sentences that did not survive a test. Each verdict is
tested in ``tests/papers/test_claims.py`` with the numbers given there.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass

from ordbook.files import share
from ordbook.measures.registry import Measure

__all__ = ["PAPER_CLAIMS", "Claim", "disagreements", "ticks"]

# Their formula has the numbers of the classes, |i - j|; in the others only the order counts.
NUMBERED = ("RNOD", "RNADW")


@dataclass(frozen=True)
class Claim:
    """One printed claim about one measure.

    Attributes
    ----------
    paper, place : str
        Short name of the paper, and table or section in it.
    measure : str
        Key of the measure (or the component OD).
    claim : str
        The table's column, or the sentence in short.
    printed : str
        "yes", "no" or "n/a" in tables, "prose" elsewhere.
    verdict : str
        "holds", "qualified" (true with an exception that matters) or "refuted".
    finding : str
        Why, with the smallest counterexample; empty where the claim holds.
    """

    paper: str
    place: str
    measure: str
    claim: str
    printed: str
    verdict: str = "holds"
    finding: str = ""


def _read() -> tuple[Claim, ...]:
    with share("data", "published", "claims.toml").open("rb") as file:
        entries = tomllib.load(file)
    findings = {
        tuple(place): (entry["verdict"], entry["finding"])
        for entry in entries["finding"]
        for place in entry["about"]
    }
    words = {"y": "yes", "n": "no", "-": "n/a"}
    claims = [
        Claim(*place, words[tick], *findings.get(place, ()))
        for table in entries["table"]
        for measure, ticks in table["ticks"].items()
        for column, tick in zip(table["columns"], ticks, strict=True)
        for place in [(table["paper"], table["place"], measure, column)]
    ]
    return (*claims, *(Claim(**entry, printed="prose") for entry in entries["sentence"]))


PAPER_CLAIMS: tuple[Claim, ...] = _read()
"""All claims, table by table, then those in prose."""


def disagreements(measure: str) -> tuple[Claim, ...]:
    """Return the printed claims about a measure that do not hold as printed.

    Examples
    --------
    >>> [claim.claim for claim in disagreements("RNADW2") if claim.verdict == "refuted"]
    ['(c) is symmetric']
    """
    return tuple(c for c in PAPER_CLAIMS if c.measure == measure and c.verdict != "holds")


def ticks(measure: Measure) -> dict[str, str]:
    """Return the column of a measure in DNKT Table 1, as the properties of the measure have it.

    Free of equidistance is what ACL'21 Section 7 explains as the "ordinal invariance property":
    the score is the same if the classes are renamed in the same order.

    Examples
    --------
    >>> from ordbook.measures import QUANTIFICATION
    >>> [ticks(QUANTIFICATION[name])["(d) no equidistance"] for name in ("NMD", "RNOD", "JSD")]
    ['✓', 'blank', 'N/A']
    """
    properties = {
        "(a) magnitude": measure.magnitude,
        "(b) ordinal": measure.ordinal,
        "(c) symmetric": measure.symmetric,
        "(d) no equidistance": measure.name not in NUMBERED if measure.ordinal else None,
    }
    marks = {True: "✓", False: "blank", None: "N/A"}
    return {row: marks[holds] for row, holds in properties.items()}
