"""Verdicts: whether a printed value comes out, and where no value of ours exists, what checks say.

==================  ===========================================================================
exact               recomputed; equal after rounding to the printed digits
within Monte-Carlo  recomputed by a random procedure: the printed value lies in the distribution
                    of ours over many seeds; never ``exact``, even when equal
follows             fixed by other printed numbers: one unit more or less would break a check
consistent          other printed numbers allow it, and would allow a neighbour too
close               recomputed; within one unit of the last printed digit; a reason is given
differs             recomputed; anything else; a reason is given, or the comparison is refused
erratum             contradicts other printed numbers, its own definition or its data
open                something contradicts it, and what is wrong cannot be told
not reached         needs runs that the author published elsewhere and that we could not fetch, or
                    that nobody published, as far as we know; the reason says which
stated              a parameter or description that nothing else speaks about
lost                not in the extracted text
==================  ===========================================================================

Contents
--------
STATUSES     all of them, from good to bad
RECOMPUTED   those that need a value of ours
PLAIN        status -> the word that readers see
judge        one printed value and ours -> a verdict
"""

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from typing import Literal, get_args

from ordbook.papers.montecarlo import Seen, Spread

Status = Literal[
    "exact",
    "within Monte-Carlo",
    "follows",
    "consistent",
    "close",
    "differs",
    "erratum",
    "open",
    "not reached",
    "stated",
    "lost",
]
STATUSES: tuple[Status, ...] = get_args(Status)
RECOMPUTED: tuple[Status, ...] = (
    "exact",
    "within Monte-Carlo",
    "close",
    "differs",
    "erratum",
    "open",
)
Plain = Literal["recomputed", "within chance", "implied", "compatible", "contradicted", "unchecked"]
PLAIN: Mapping[Status, Plain] = {
    "exact": "recomputed",
    "within Monte-Carlo": "within chance",
    "follows": "implied",
    "consistent": "compatible",
    "close": "unchecked",
    "differs": "contradicted",
    "erratum": "contradicted",
    "open": "contradicted",
    "not reached": "unchecked",
    "stated": "unchecked",
    "lost": "unchecked",
}
Verdict = Literal["exact", "within Monte-Carlo", "close", "differs"]
COMES_OUT: tuple[Verdict, ...] = ("exact", "within Monte-Carlo")
Value = float | str | Spread | Seen
# A value that lies half a unit from the printed one may round either way: floating point
# decides which. This much beyond half a unit is still equal.
ROUNDING = Decimal("1e-9")


def judge(printed: str, ours: Value) -> Verdict:
    """Judge one recomputed value against the printed one.

    Parameters
    ----------
    printed
        The value as printed: its digits are the tolerance.
    ours
        The recomputed value; a string is compared as text, and of a randomised procedure the
        :class:`~ordbook.papers.montecarlo.Spread` (of words, the ``Seen``) over many seeds.

    Examples
    --------
    >>> judge("0.848", 56 / 66), judge("0.848", 0.849), judge("0.848", 0.85)
    ('exact', 'close', 'differs')
    >>> judge("38", Spread([*range(33, 39)] * 100)), judge("39", Spread([*range(33, 39)] * 100))
    ('within Monte-Carlo', 'differs')
    """
    if isinstance(ours, str):
        return "exact" if ours == printed else "differs"
    if isinstance(ours, Seen):
        return "within Monte-Carlo" if ours.holds(printed) else "differs"
    try:
        if isinstance(ours, Spread):
            return "within Monte-Carlo" if ours.holds(printed) else "differs"
        number, value = Decimal(printed), Decimal(float(ours))
    except (InvalidOperation, TypeError, ValueError):
        raise ValueError(f"printed {printed!r} and ours {ours!r} are not two numbers") from None
    if not number.is_finite():
        raise ValueError(f"the printed value {printed!r} is not a finite number")
    if not value.is_finite():
        return "differs"
    exponent = number.as_tuple().exponent
    unit = Decimal(1).scaleb(exponent) if isinstance(exponent, int) else Decimal(1)
    distance = abs(value - number)
    if distance <= unit / 2 + ROUNDING:
        return "exact"
    return "close" if distance <= unit + ROUNDING else "differs"
