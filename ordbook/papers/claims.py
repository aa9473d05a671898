"""What the papers print about the measures' properties, and what is true.

Each verdict is tested in ``tests/papers/test_claims.py`` with the numbers given here.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["PAPER_CLAIMS", "Claim", "disagreements"]


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


_MAGNITUDE = "(a) considers the magnitude of the error in each class"
_SUITABLE = "(b) suitable for ordinal classes"
_SYMMETRIC = "(c) is symmetric"
_NOT_EQUIDISTANT = "(d) does not assume equidistance"
_OC_ORDER = "(i) handles ordinal classes"
_OC_CONSTANT = "(ii) handles systems that always return the same class"
_OC_IMBALANCE = "(iii) handles class imbalance"
_OQ_ORDER = "(i) handles ordinal classes"
_OQ_SYMMETRIC = "(ii) symmetric"

_TABLES: tuple[tuple[str, str, tuple[str, ...], str], ...] = (
    # paper, place, columns, "measure ticks" with y = yes, n = no, - = n/a
    (
        "dnkt",
        "Table 1",
        (_MAGNITUDE, _SUITABLE, _SYMMETRIC, _NOT_EQUIDISTANT),
        "NMD yyyy RNOD yynn RNOD2 yyny RNADW yyyn RNADW2 yyyy NVD yny- RNSS yny- JSD yny- "
        "DNKT nny-",
    ),
    (
        "acl21",
        "Table 4",
        (_OC_ORDER, _OC_CONSTANT, _OC_IMBALANCE),
        "kappa yny alpha_ord yyy alpha_int yyy CEM_ORD yyy MAE_M yyy F1_M nyy HMPR nyy "
        "MAE_mu yyn accuracy nyn",
    ),
    (
        "acl21",
        "Table 7",
        (_OQ_ORDER, _OQ_SYMMETRIC),
        "NMD yy RSNOD yy RNOD yn NVD ny RNSS ny JSD ny",
    ),
)

_RNOD_ORDER = (
    "The order enters, and a farther error is always worse where all gold is in one class. "
    "Elsewhere not: gold (.2,.2,.2,.2,.2), estimate (.1,.3,.2,.2,.2), one step off, scores .0922 "
    "and (.1,.2,.3,.2,.2), two steps off, .0894."
)
_GOLD_MASS_ORDER = (
    "The order enters, but where all gold is in one class near and far errors score the same, "
    "the very example by which LQ'21 Section 1 rejects nominal measures: gold (0,0,1), "
    "estimates (0,1,0) and (1,0,0) both score .5."
)
_CHANCE_ORDER = (
    "The order enters, but where a run is near or below chance a farther error can score better: "
)
_FINDINGS: dict[tuple[str, str, str, str], tuple[str, str]] = {
    ("dnkt", "Table 1", "RNADW2", _SYMMETRIC): (
        "refuted",
        "Its distance uses the gold only: gold (1,0,0), estimate (0,1,0) scores .5, exchanged "
        ".6455.",
    ),
    ("dnkt", "Table 1", "NMD", _NOT_EQUIDISTANT): (
        "refuted",
        "Its formula names no distance, but it is the Wasserstein distance with one unit per step "
        "between neighbours. Gold (0,1,0), estimates (1,0,0) "
        "and (0,0,1) tie at .5; an empty class between the first two makes it .6667 and .3333.",
    ),
    ("dnkt", "Table 1", "RNADW2", _NOT_EQUIDISTANT): (
        "qualified",
        "Its distance does not, but an empty class is one more viewpoint: gold (0,1,0), estimates "
        "(1,0,0) and (0,0,1) tie at .6455; an empty class between the first two makes it .5 and "
        ".5774.",
    ),
    ("dnkt", "Table 1", "RNOD", _SUITABLE): ("qualified", _RNOD_ORDER),
    ("acl21", "Table 7", "RNOD", _OQ_ORDER): ("qualified", _RNOD_ORDER),
    ("acl21", "Table 7", "RSNOD", _OQ_ORDER): ("qualified", _RNOD_ORDER),
    ("dnkt", "Table 1", "RNOD2", _SUITABLE): ("qualified", _GOLD_MASS_ORDER),
    ("dnkt", "Table 1", "RNADW2", _SUITABLE): ("qualified", _GOLD_MASS_ORDER),
    ("dnkt", "Table 1", "RNADW", _SUITABLE): (
        "qualified",
        "The order enters, but a near error can be worse than a far one: gold (1,0,0,0,0), "
        "all mass in class 2 scores .9220, in class 3 .8944 (with four classes they tie).",
    ),
    ("acl21", "Table 4", "kappa", _OC_ORDER): (
        "qualified",
        _CHANCE_ORDER + "counts [[0,1,0],[2,1,0],[0,0,0]] score -.5, and -.3333 after "
        "the item of class 1 moves from class 2 to class 3.",
    ),
    ("acl21", "Table 4", "alpha_ord", _OC_ORDER): (
        "qualified",
        _CHANCE_ORDER + "counts [[0,4,0],[1,0,0],[1,0,0]] score -.7738, and -.7417 after an "
        "item of class 1 moves from class 2 to class 3.",
    ),
    ("acl21", "Table 4", "alpha_int", _OC_ORDER): (
        "qualified",
        _CHANCE_ORDER + "counts [[2,1,0],[3,0,0],[0,0,0]] score -.3750, and -.3051 after the "
        "item of class 1 moves from class 2 to class 3.",
    ),
    ("acl21", "Table 4", "MAE_M", _OC_CONSTANT): (
        "qualified",
        "It tells constant runs apart, except mirror images: where no gold class is empty, always "
        "answering the lowest and always answering the highest class both score (|C| - 1)/2.",
    ),
    ("acl21", "Table 4", "CEM_ORD", _OC_IMBALANCE): (
        "qualified",
        "An error in the small class costs more, but a run that only answers the large class tends "
        "to 1 with its share: counts [[99,0],[1,0]] score .9384.",
    ),
}

_PROSE = (
    Claim(
        "acl21",
        "Section 7",
        "NMD",
        "does not rely on equidistance",
        "prose",
        "refuted",
        _FINDINGS["dnkt", "Table 1", "NMD", _NOT_EQUIDISTANT][1],
    ),
    Claim(
        "sigir18",
        "Section 3.2",
        "RSNOD",
        "the square root 'stretches the lower end of the scale in the [0, 1] range'",
        "prose",
        "qualified",
        "Up to four classes the scale is [0, 1]. From five classes on it exceeds 1, as RNOD does: "
        "gold (.01,.01,0,0,.98), estimate (.01,.01,0,.98,0) "
        "scores 1.0200; supremum 1.0408 for five classes, 1.0801 for seven.",
    ),
    Claim(
        "lq21",
        "footnote 2",
        "OD",
        "C* = C is a sufficient condition for OD to be symmetric",
        "prose",
        "refuted",
        "The estimate must have no empty class either: gold (1/3,1/3,1/3), estimate (1,0,0) gives "
        "OD .6296, exchanged .3333. DNKT footnote 2 repeats it.",
    ),
    Claim(
        "sigir18",
        "Section 3.1",
        "JSD",
        "is not normalised",
        "prose",
        "qualified",
        "With the base-2 logarithm of Eq. 6 its range is exactly 0 to 1: gold (1,0), estimate "
        "(0,1) scores 1.",
    ),
    Claim(
        "acl21",
        "Section 3.1",
        "kappa",
        "is 0 for every run that always returns the same class",
        "prose",
        "qualified",
        "0/0 where the gold holds only that class; the value is then defined as 1 here.",
    ),
)


def _from_tables() -> list[Claim]:
    claims = []
    words = {"y": "yes", "n": "no", "-": "n/a"}
    for paper, place, columns, cells in _TABLES:
        names, ticks = cells.split()[::2], cells.split()[1::2]
        for name, row in zip(names, ticks, strict=True):
            for column, tick in zip(columns, row, strict=True):
                verdict, finding = _FINDINGS.get((paper, place, name, column), ("holds", ""))
                claims.append(Claim(paper, place, name, column, words[tick], verdict, finding))
    return claims


PAPER_CLAIMS: tuple[Claim, ...] = (*_from_tables(), *_PROSE)
"""All claims, table by table, then those in prose."""


def disagreements(measure: str) -> tuple[Claim, ...]:
    """Return the printed claims about a measure that do not hold as printed.

    Examples
    --------
    >>> [claim.claim for claim in disagreements("RNADW2") if claim.verdict == "refuted"]
    ['(c) is symmetric']
    """
    return tuple(c for c in PAPER_CLAIMS if c.measure == measure and c.verdict != "holds")
