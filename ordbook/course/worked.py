r"""Questions and their worked answers, in Markdown with formulas.

Contents
--------
Question    what is asked, the steps to the answer, and the answer itself
exact       the fraction that a value of ordbook is, where it is a small one
number      a fraction as a decimal where that is exact, else as a fraction
inline      the same on one line, for use within a fraction
rounded     a number to three digits or more, half up
result      the same after its sign, = or approximately
root        a square root, as a fraction where it is one
come_out    intermediate values with so many digits that the printed line gives the result
table       a table
verified    hold an answer to what the public function says
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from math import isqrt, sqrt

from ordbook.measures.validation import Score

LARGEST_DENOMINATOR = 100_000
# Digits after the point: of a final result, and the fewest of a value that is reckoned with.
FINAL, BETWEEN = 3, 5
# Sums of a dozen products of tenths: float noise is far below, any slip far above.
TOLERANCE = 1e-12


@dataclass(frozen=True)
class Question:
    """A question of a sheet, and its entry in the key.

    Attributes
    ----------
    name
        By what it is chosen.
    about
        Which numbers of the sheet it is about.
    title, task
        What the sheet says.
    steps
        What the key says, a paragraph, table or formula each.
    answers
        Name -> value.
    """

    name: str
    about: str
    title: str
    task: str
    steps: tuple[str, ...]
    answers: Mapping[str, float | int | str]


def exact(value: Score) -> Fraction:
    """Return the fraction that a float is up to noise.

    Raises
    ------
    ArithmeticError
        If it is not a fraction with a small denominator.

    Examples
    --------
    >>> exact(0.1 + 0.2), exact(1 / 3)
    (Fraction(3, 10), Fraction(1, 3))
    """
    fraction = Fraction(float(value)).limit_denominator(LARGEST_DENOMINATOR)
    if abs(fraction - Fraction(float(value))) > TOLERANCE:
        raise ArithmeticError(f"{value!r} is no small fraction")
    return fraction


def number(value: Fraction | int) -> str:
    r"""Write a fraction: as a decimal of at most four digits where that is exact.

    >>> number(Fraction(4, 25)), number(Fraction(13, 75)), number(Fraction(2))
    ('0.16', '\\frac{13}{75}', '2')
    """
    value = Fraction(value)
    if (value * 10_000).denominator == 1:
        text = f"{float(value):.4f}".rstrip("0").rstrip(".")
        return text if text not in ("", "-0") else "0"
    sign = "-" if value < 0 else ""
    return rf"{sign}\frac{{{abs(value.numerator)}}}{{{value.denominator}}}"


def inline(value: Fraction | int) -> str:
    """Write a fraction on one line, for use within another.

    >>> inline(Fraction(4, 25)), inline(Fraction(13, 75))
    ('0.16', '13/75')
    """
    text = number(value)
    return text if "frac" not in text else f"{value.numerator}/{value.denominator}"


def rounded(value: Score | Fraction, digits: int = FINAL) -> str:
    """Write a number to three digits, or as many as said; a half goes up, as by hand.

    >>> rounded(0.4041451884), rounded(Fraction(19, 80)), rounded(0.0875)
    ('0.404', '0.238', '0.088')
    >>> rounded(0.4041451884, 5)
    '0.40415'
    """
    # A float is what it means, up to noise: 0.0875 is stored as a little less.
    exactly = Fraction(f"{value:.12f}") if not isinstance(value, Fraction) else value
    units = Decimal(exactly.numerator * 10**digits) / exactly.denominator
    text = f"{units.to_integral_value(ROUND_HALF_UP).scaleb(-digits):.{digits}f}"
    return text.removeprefix("-") if not Decimal(text) else text


def result(value: Score | Fraction) -> str:
    r"""Write a result: exact where four digits are enough, and rounded where three are not.

    >>> result(Fraction(2, 5)), result(Fraction(1, 3))
    ('= 0.4', '\\approx 0.333')
    >>> result(Fraction(19, 80))
    '= 0.2375 \\approx 0.238'
    """
    if isinstance(value, Fraction) and (value * 10_000).denominator == 1:
        exactly = f"= {number(value)}"
        return (
            exactly if (value * 1000).denominator == 1 else rf"{exactly} \approx {rounded(value)}"
        )
    return rf"\approx {rounded(value)}"


def root(value: Fraction) -> Fraction | float:
    """Return the square root, exact where it is a fraction.

    >>> root(Fraction(4, 25)), round(root(Fraction(1, 2)), 3)
    (Fraction(2, 5), 0.707)
    """
    top, bottom = isqrt(value.numerator), isqrt(value.denominator)
    exactly = Fraction(top, bottom)
    return exactly if exactly**2 == value else sqrt(value)


def come_out(
    values: Sequence[Score | Fraction],
    reckoned: Callable[[Sequence[Fraction]], Fraction],
    wanted: Score | Fraction,
) -> list[str]:
    """Write intermediate values so that who goes on with the printed digits gets the result.

    Parameters
    ----------
    values
        The intermediate values.
    reckoned
        What is made of them.
    wanted
        What is made of them when nothing is rounded.

    Raises
    ------
    ArithmeticError
        If the result is another one however many digits are shown.

    Examples
    --------
    >>> come_out([0.641804, 0.683187], lambda v: (v[0] + v[1]) / 2, (0.641804 + 0.683187) / 2)
    ['0.64180', '0.68319']
    """
    for digits in range(BETWEEN, BETWEEN + 6):
        shown = [rounded(value, digits) for value in values]
        if rounded(reckoned([Fraction(text) for text in shown])) == rounded(wanted):
            return shown
    raise ArithmeticError(f"{wanted!r} does not come out of {values!r}")


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Write a table in Markdown; the first column is of names.

    >>> print(table(["", "a"], [["x", "1"]]))
    |  | a |
    |:--|--:|
    | x | 1 |
    """
    lines = [head, [":--"] + ["--:"] * (len(head) - 1), *rows]
    shown = [f"| {' | '.join(line)} |" for line in lines]
    shown[1] = shown[1].replace(" ", "")
    return "\n".join(shown)


def verified(name: str, worked: Score | Fraction, public: Score) -> float:
    """Return the worked answer as a float, once the public function has said the same.

    Raises
    ------
    ArithmeticError
        If it has not.
    """
    if not abs(float(worked) - float(public)) <= TOLERANCE:
        raise ArithmeticError(f"{name}: worked out as {float(worked)!r}, computed as {public!r}")
    return float(worked)
