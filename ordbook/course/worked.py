r"""Questions and their worked answers: the texts of ``questions.md.j2``, with numbers in them."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from functools import cache
from importlib.resources import files
from itertools import combinations
from math import isqrt, sqrt
from typing import Any

from jinja2 import Environment, StrictUndefined

from ordbook.course.drawn import ITEMS, TENTHS, TESTED, Drawn
from ordbook.measures.validation import Score

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
    key
        What the key says, step by step.
    answers
        Name -> value.
    """

    name: str
    about: str
    title: str
    task: str
    key: str
    answers: Mapping[str, float | int | str]


def question(
    name: str, drawn: Drawn, values: Mapping[str, Any], answers: Mapping[str, float | int | str]
) -> Question:
    """Put numbers into the text of a question.

    Parameters
    ----------
    name
        The question's, after ``##`` in the template.
    drawn
        The numbers of the sheet.
    values
        What the key needs besides them.
    answers
        Name -> value of what is asked.
    """
    about, title, task, key = _texts()[1][name]
    return Question(name, about, title, task, _rendered(key, {**_given(drawn), **values}), answers)


def given(about: str, drawn: Drawn) -> str:
    """Return the numbers that questions are about, as a sheet shows them."""
    return _rendered(_texts()[0][about], _given(drawn))


@cache
def _texts() -> tuple[dict[str, str], dict[str, tuple[str, str, str, str]]]:
    """Return subject -> what is given, and question -> subject, title, task, key."""
    source = files("ordbook.course").joinpath("questions.md.j2").read_text(encoding="utf-8")
    macros, *subjects = re.split(r"^# (.+)\n", source, flags=re.MULTILINE)
    shown, asked = {}, {}
    for about, text in zip(subjects[::2], subjects[1::2], strict=True):
        numbers, *questions = re.split(r"^## (\w+): (.+)\n", text, flags=re.MULTILINE)
        shown[about] = macros + numbers
        for name, title, rest in zip(questions[::3], questions[1::3], questions[2::3], strict=True):
            task, key = rest.split("### Key\n")
            asked[name] = about, title, task.strip(), macros + key
    return shown, asked


@cache
def _environment() -> Environment:
    """Return a Jinja that leaves the braces of TeX alone."""
    environment = Environment(
        undefined=StrictUndefined,
        variable_start_string="<<",
        variable_end_string=">>",
        block_start_string="<%",
        block_end_string="%>",
        comment_start_string="<#",
        comment_end_string="#>",
        trim_blocks=True,
        keep_trailing_newline=True,
    )
    for shown in (number, inline, rounded, result, cells, sums):
        environment.filters[shown.__name__] = shown
    environment.filters["shortened"] = lambda value: rounded(value, BETWEEN)
    return environment


def _rendered(text: str, values: Mapping[str, Any]) -> str:
    return _environment().from_string(text).render(values).strip()


def _given(drawn: Drawn) -> dict[str, Any]:
    """Return the numbers of a sheet under the names that the texts have for them."""
    return {
        "classes": len(drawn.gold),
        "gold": [Fraction(tenths, TENTHS) for tenths in drawn.gold],
        "estimate": [Fraction(tenths, TENTHS) for tenths in drawn.estimate],
        "items": ITEMS,
        "matrix": drawn.matrix,
        "columns": [sum(column) for column in zip(*drawn.matrix, strict=True)],
        "ranks": drawn.ranks,
        "means": [[f"{mean / 100:.2f}" for mean in means] for means in drawn.means],
        "p": [
            [f"{a}, {b}", *(f"{values[k] / 1000:.3f}" for values in drawn.p)]
            for k, (a, b) in enumerate(combinations(TESTED, 2))
        ],
        "scores": [
            (run, [f"{tenths / 10:.1f}" for tenths in row])
            for run, row in zip(TESTED, drawn.scores, strict=True)
        ],
        "reached": zip(map(", ".join, combinations(TESTED, 2)), drawn.reached, strict=True),
    }


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


def cells(values: Iterable[Fraction]) -> str:
    """Write fractions as cells of a row."""
    return " | ".join(f"${number(value)}$" for value in values)


def sums(values: Iterable[Fraction]) -> str:
    """Write fractions as a sum."""
    return " + ".join(map(number, values))


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
