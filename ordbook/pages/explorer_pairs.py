"""Pairs of distributions the explorer can be started from, most of them from the papers."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["PRESETS", "START", "Pair"]


@dataclass(frozen=True)
class Pair:
    """A gold and an estimated distribution with a name.

    Attributes
    ----------
    id, group, name
        What links call it, and what the list of presets shows.
    gold, estimate
        One probability for each class.
    about
        Where the numbers come from.
    """

    id: str
    group: str
    name: str
    gold: tuple[float, ...]
    estimate: tuple[float, ...]
    about: str


_DRAWN = "We had the paper's text, not its drawing; this pair has what the text says of case ({})."
_FLAT4, _FLAT5 = (0.25,) * 4, (0.2,) * 5
_SKEWED = (0.2, 0.2, 0.6)
# The only votes of 20 assessors that have the printed deltas: see the chapter lq21.
_DIALOGUE_181, _DIALOGUE_18 = (0, 0.05, 0.1, 0.45, 0.4), (0.4, 0.35, 0.15, 0.05, 0.05)
_DEDUCED = (
    "Classes 1 to 5 are \N{MINUS SIGN}2 to 2 in the paper. The votes are deduced from the printed "
    "differences; no other votes have them."
)

_SIGIR, _LQ, _DNKT, _BOOK = "SIGIR'18", "LQ'21", "DNKT", "This book"
PRESETS = (
    Pair(
        "sigir18-a",
        _SIGIR,
        "Figure 1 (a), as described: near",
        (1, 0, 0),
        (0, 1, 0),
        _DRAWN.format("a"),
    ),
    Pair(
        "sigir18-b",
        _SIGIR,
        "Figure 1 (b), as described: far",
        (1, 0, 0),
        (0, 0, 1),
        _DRAWN.format("b"),
    ),
    Pair(
        "sigir18-c",
        _SIGIR,
        "Figure 1 (c), as described",
        _SKEWED,
        (0.2, 0.6, 0.2),
        _DRAWN.format("c"),
    ),
    Pair(
        "sigir18-d",
        _SIGIR,
        "Figure 1 (d), as described",
        _SKEWED,
        (0.6, 0.2, 0.2),
        _DRAWN.format("d"),
    ),
    Pair(
        "sigir18-x",
        _SIGIR,
        "Section 3.1, System X",
        _FLAT5,
        (0.3, 0.3, 0.2, 0.1, 0.1),
        "As printed.",
    ),
    Pair(
        "sigir18-y",
        _SIGIR,
        "Section 3.1, System Y (deduced)",
        _FLAT5,
        (0.4, 0.2, 0.2, 0.1, 0.1),
        "The paper prints X's numbers for Y by mistake; these have Y's printed scores.",
    ),
    Pair("lq21-a", _LQ, "Section 3, System A", _FLAT4, (0.25, 0.35, 0.15, 0.25), "As printed."),
    Pair("lq21-b", _LQ, "Section 3, System B", _FLAT4, (0.25, 0.25, 0.35, 0.15), "As printed."),
    Pair(
        "lq21-181-popularity",
        _LQ,
        "Figure 3(a), popularity",
        _DIALOGUE_181,
        (0, 0, 0, 1, 0),
        _DEDUCED,
    ),
    Pair("lq21-181-uniform", _LQ, "Figure 3(a), uniform", _DIALOGUE_181, _FLAT5, _DEDUCED),
    Pair(
        "lq21-18-popularity",
        _LQ,
        "Figure 3(b), popularity",
        _DIALOGUE_18,
        (1, 0, 0, 0, 0),
        _DEDUCED,
    ),
    Pair("lq21-18-uniform", _LQ, "Figure 3(b), uniform", _DIALOGUE_18, _FLAT5, _DEDUCED),
    Pair(
        "dnkt-priorities",
        _DNKT,
        "Example, priorities kept",
        (0.4, 0.3, 0.2, 0.1),
        (0.31, 0.30, 0.20, 0.19),
        "As printed.",
    ),
    Pair(
        "toy",
        _BOOK,
        "Toy of the chapter on measures",
        (0.4, 0.6, 0),
        (0.6, 0.2, 0.2),
        "Five items.",
    ),
    Pair(
        "asymmetry",
        _BOOK,
        "An empty class: swap me",
        _SKEWED,
        (0.5, 0.5, 0),
        "The estimate leaves one class empty that has gold.",
    ),
    Pair(
        "above-one",
        _BOOK,
        "RNOD above 1",
        (0.01, 0.01, 0, 0, 0.98),
        (0, 0, 0, 1, 0),
        "Two views with hardly any gold see the whole error from far away.",
    ),
    Pair(
        "uniform", _BOOK, "Both uniform", _FLAT5, _FLAT5, "A perfect estimate, and no priorities."
    ),
)
START = "lq21-181-popularity"
