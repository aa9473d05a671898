"""Relations between printed numbers, and verdicts on each.

A printed number is an interval: 0.848 stands for everything that rounds to it. A relation holds
if some numbers in the intervals of its cells fulfil it, so rounding alone never breaks one. The
verdicts, and the details of two of them:

=============  ================================================================================
recomputed     equal to a value of ours after rounding to the printed digits
within chance  recomputed by a random procedure: the printed value lies in the distribution of
               ours over many seeds; never ``recomputed``, even when equal
consistent     other printed numbers, a definition or a table fix it or allow it: the reason says
               which
contradicted   *shown*: in conflict with other printed numbers, its own definition or its data;
               *page or our text*: so it is, if we have read the page right; *extraction*: reading
               the page has probably damaged it; *open*: in conflict with something or resting on
               a number that is, and what is wrong cannot be told; *differs*: another value than
               ours, and a reason is given
unchecked      *not reached*: needs runs that the author published elsewhere and that we could
               not fetch, or that nobody published, as far as we know; *stated*: a parameter or
               description that nothing else speaks about; *lost*: not in the extracted text;
               *close*: within one unit of the last digit of ours, and a reason is given
=============  ================================================================================
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import cache, partial
from itertools import pairwise
from typing import Literal, NamedTuple, cast, get_args

from ordbook.meta.seeds import Spread
from ordbook.papers.draws import Seen

Verdict = Literal["recomputed", "within chance", "consistent", "contradicted", "unchecked"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
# The detail of a verdict where it has one, else the verdict itself.
Status = Literal[
    "recomputed",
    "within chance",
    "consistent",
    "differs",
    "shown",
    "page or our text",
    "extraction",
    "open",
    "close",
    "not reached",
    "stated",
    "lost",
]
STATUSES: tuple[Status, ...] = get_args(Status)
Judgement = Literal["recomputed", "within chance", "close", "differs"]
COMES_OUT: tuple[Judgement, ...] = ("recomputed", "within chance")
Value = float | str | Spread | Seen


def verdict_of(status: Status) -> tuple[Verdict, Status | Literal[""]]:
    """Return one of the five verdicts, and its detail if it has one.

    Examples
    --------
    >>> verdict_of("consistent"), verdict_of("open"), verdict_of("lost")
    (('consistent', ''), ('contradicted', 'open'), ('unchecked', 'lost'))
    """
    if status in ("differs", "shown", "page or our text", "extraction", "open"):
        return "contradicted", status
    if status in ("close", "not reached", "stated", "lost"):
        return "unchecked", status
    return cast(Verdict, status), ""


# A value that lies half a unit from the printed one may round either way: floating point
# decides which. This much beyond half a unit is still equal.
ROUNDING = Decimal("1e-9")


def judge(printed: str, ours: Value) -> Judgement:
    """Judge one recomputed value against the printed one.

    Parameters
    ----------
    printed
        The value as printed: its digits are the tolerance.
    ours
        The recomputed value; a string is compared as text, and of a randomised procedure the
        :class:`~ordbook.meta.seeds.Spread` (of words, the ``Seen``) over many seeds.

    Examples
    --------
    >>> judge("0.848", 56 / 66), judge("0.848", 0.849), judge("0.848", 0.85)
    ('recomputed', 'close', 'differs')
    >>> judge("38", Spread([*range(33, 39)] * 100)), judge("39", Spread([*range(33, 39)] * 100))
    ('within chance', 'differs')
    """
    if isinstance(ours, str):
        return "recomputed" if ours == printed else "differs"
    if isinstance(ours, Seen):
        return "within chance" if ours.holds(printed) else "differs"
    try:
        if isinstance(ours, Spread):
            return "within chance" if ours.holds(printed) else "differs"
        number, value = value_of(printed), Decimal(float(ours))
    except (InvalidOperation, TypeError, ValueError):
        raise ValueError(f"printed {printed!r} and ours {ours!r} are not two numbers") from None
    if not value.is_finite():
        return "differs"
    exponent = number.as_tuple().exponent
    unit = Decimal(1).scaleb(exponent) if isinstance(exponent, int) else Decimal(1)
    distance = abs(value - number)
    if distance <= unit / 2 + ROUNDING:
        return "recomputed"
    return "close" if distance <= unit + ROUNDING else "differs"


_NAMES = "zero one two three four five six seven eight nine ten eleven twelve"
WORDS: Mapping[str, int] = {
    **{name: number for number, name in enumerate(_NAMES.split())},
    **{"no": 0, "only one": 1, "thirty": 30},
}
# The family of sizes of data sets, which are recomputed but no results.
SIZE = "catalogue"
# Float noise on top of the rounding of the printed digits.
NOISE = 1e-9


class Cell(NamedTuple):
    """The place of a printed number."""

    paper: str
    table: str
    row: str
    column: str

    def __str__(self) -> str:
        place = self.table if not self.table[:1].isdigit() else f"Table {self.table}"
        return f"{self.paper} {place}: {self.row}, {self.column}"


# Names of printed tables in ``data/published``: 2i, figure1ii, s6.3, "9i left", "table13 caption".
_TABLE = re.compile(r"(figure|footnote|table|s|)(\d[\d.]*)([a-zIVX]*)( .*)?")
_KINDS = {
    "": "Table",
    "figure": "Figure",
    "footnote": "Footnote",
    "s": "Section",
    "table": "Table",
}


def table_title(table: str) -> str:
    """Return a table's name as readers know it.

    Examples
    --------
    >>> table_title("2i"), table_title("figure1ii"), table_title("s6.3"), table_title("9i left")
    ('Table 2(i)', 'Figure 1(ii)', 'Section 6.3', 'Table 9(i) left')
    """
    match = _TABLE.fullmatch(table)
    if match is None:
        raise ValueError(f"{table!r} names no table, figure or section")
    kind, number, part, side = match.groups(default="")
    return f"{_KINDS[kind]} {number}{f'({part})' if part else ''}{side}"


Printed = Mapping[Cell, str]


class Rounded(NamedTuple):
    """The interval that a printed number stands for; exact numbers have equal ends."""

    low: float
    high: float

    def meets(self, other: "Rounded") -> bool:
        """Whether both intervals share a number, float noise allowed."""
        return self.low <= other.high + NOISE and other.low <= self.high + NOISE

    @property
    def middle(self) -> float:
        """The printed number itself."""
        return (self.low + self.high) / 2


@cache
def value_of(text: str) -> Decimal:
    """Return a printed number as it stands, a word such as "three" too.

    Examples
    --------
    >>> value_of("0.250"), value_of("1,363"), value_of("Three"), value_of("90.8%")
    (Decimal('0.250'), Decimal('1363'), Decimal('3'), Decimal('90.8'))
    """
    word = text.strip().lower()
    try:
        number = Decimal(WORDS.get(word, plain(text)))
    except InvalidOperation:
        raise ValueError(f"{text!r} is not a number") from None
    if not number.is_finite():
        raise ValueError(f"{text!r} is not a number")
    return number


@cache
def rounded(text: str) -> Rounded:
    """Return the interval of a printed number.

    Whole numbers, words such as "three" among them, are counts and exact; a number with decimals
    may be off by half a unit of the last; ``<0.001`` is everything below.

    Examples
    --------
    >>> rounded("0.25"), rounded("1,363"), rounded("three")
    ... # doctest: +NORMALIZE_WHITESPACE
    (Rounded(low=0.245, high=0.255), Rounded(low=1363.0, high=1363.0),
     Rounded(low=3.0, high=3.0))
    >>> rounded("57.6%"), rounded("<.001")
    (Rounded(low=57.55, high=57.65), Rounded(low=-inf, high=0.001))
    """
    number = value_of(text.strip().lstrip("<"))
    if text.strip().startswith("<"):
        return Rounded(float("-inf"), float(number))
    exponent = int(number.as_tuple().exponent)
    half = Decimal(1).scaleb(exponent) / 2 if exponent < 0 else Decimal(0)
    return Rounded(float(number - half), float(number + half))


def plus(*terms: Rounded) -> Rounded:
    """Return the sum of printed numbers."""
    return Rounded(sum(term.low for term in terms), sum(term.high for term in terms))


def minus(first: Rounded, second: Rounded) -> Rounded:
    """Return the difference of two printed numbers."""
    return Rounded(first.low - second.high, first.high - second.low)


def over(part: Rounded, whole: Rounded, scale: float = 1) -> Rounded:
    """Return the quotient of two printed numbers, neither of them negative."""
    return Rounded(scale * part.low / whole.high, scale * part.high / whole.low)


def mean(*terms: Rounded) -> Rounded:
    """Return the mean of printed numbers."""
    return Rounded(*(end / len(terms) for end in plus(*terms)))


class CheckResult(NamedTuple):
    """The result of a check."""

    holds: bool
    text: str


@dataclass(frozen=True)
class Relation:
    """Something that printed numbers must fulfil.

    Attributes
    ----------
    family
        What kind of check it is, such as ``sum``.
    cells
        The printed numbers it reads.
    test
        Printed values -> CheckResult. Reads no cell but these.
    relies
        What it rests on: an equation, a definition, another table.
    verdict
        For a recomputed value: printed values -> judgement; None elsewhere.
    """

    family: str
    cells: tuple[Cell, ...]
    test: Callable[[Printed], CheckResult]
    relies: str
    verdict: Callable[[Printed], Judgement] | None = None


def beside(cell: Cell, ours: Value, relies: str, family: str = "recomputed") -> Relation:
    """Compare a printed value with ours, or with ours over many seeds."""

    def verdict(printed: Printed) -> Judgement:
        return judge(plain(printed[cell]), ours)

    def test(printed: Printed) -> CheckResult:
        text = f"printed {printed[cell]}, ours {show(ours)}"
        return CheckResult(verdict(printed) in COMES_OUT, text)

    return Relation(family, (cell,), test, relies, verdict)


def all_beside(
    cells: Iterable[Cell],
    values: Mapping[tuple[str, str], Value],
    relies: str,
    family: str = "recomputed",
) -> Iterator[Relation]:
    """Compare the cells for which there are values, by row and column, with these."""
    for cell in cells:
        if (cell.row, cell.column) in values:
            yield beside(cell, values[cell.row, cell.column], relies, family)


def relate(
    family: str,
    cell: Cell,
    sources: Sequence[Cell],
    formula: Callable[..., Rounded | float],
    relies: str,
    shown: str = "",
) -> Relation:
    """Compare a cell with a formula of other cells.

    Parameters
    ----------
    family
        Name of the check.
    cell, sources
        The cell that the formula gives, and those it reads.
    formula
        The intervals of the sources, in order -> the interval (or number) that the cell must meet.
    relies
        What the formula rests on.
    shown
        How the arithmetic is written, by default the family's name.
    """
    sources = tuple(sources)

    def test(printed: Printed) -> CheckResult:
        expected = formula(*(rounded(printed[source]) for source in sources))
        if not isinstance(expected, Rounded):
            expected = Rounded(expected, expected)
        digits = _decimals(printed[cell]) + 1
        ends = dict.fromkeys(f"{end:.{digits}f}" for end in expected)
        text = f"{shown or family}: {' to '.join(ends)}, printed {printed[cell]}"
        return CheckResult(rounded(printed[cell]).meets(expected), text)

    return Relation(family, (cell, *sources), test, relies)


def total(cell: Cell, parts: Sequence[Cell], relies: str, family: str = "sum") -> Relation:
    """Compare a cell with the sum of others."""
    return relate(family, cell, parts, plus, relies)


def share(cell: Cell, part: Cell, whole: Cell, relies: str, scale: float = 100) -> Relation:
    """Compare a cell with the share of one count in another, in percent by default."""
    return relate("share", cell, (part, whole), partial(over, scale=scale), relies)


def average(cell: Cell, parts: Sequence[Cell], relies: str) -> Relation:
    """Compare a cell with the mean of others."""
    return relate("average", cell, parts, mean, relies)


def same(cell: Cell, other: Cell, relies: str) -> Relation:
    """Compare a number with another place that prints it.

    With the same digits the numbers must be equal; with more digits in one place, that one must
    round to the other.
    """

    def test(printed: Printed) -> CheckResult:
        texts = printed[cell], printed[other]
        first, second = map(rounded, texts)
        if _decimals(texts[0]) == _decimals(texts[1]):
            holds = abs(first.middle - second.middle) <= NOISE or first == second
        else:
            holds = first.meets(second)
        return CheckResult(holds, f"{texts[0]} in {cell}, and {texts[1]} in {other}")

    return Relation("printed twice", (cell, other), test, relies)


def same_text(cell: Cell, other: Cell, relies: str) -> Relation:
    """Compare a text with another place that prints it, letter by letter."""

    def test(printed: Printed) -> CheckResult:
        texts = printed[cell], printed[other]
        return CheckResult(texts[0] == texts[1], f"the same text in {cell}, and in {other}")

    return Relation("printed twice", (cell, other), test, relies)


def ordered(cells: Sequence[Cell], relies: str, family: str = "order") -> list[Relation]:
    """Check the order of a list: no number is larger than the one before it."""

    def test(before: Cell, after: Cell) -> Callable[[Printed], CheckResult]:
        def compare(printed: Printed) -> CheckResult:
            first, second = rounded(printed[before]), rounded(printed[after])
            if _decimals(printed[before]) == _decimals(printed[after]):
                holds = second.middle <= first.middle + NOISE
            else:
                holds = second.low <= first.high + NOISE
            return CheckResult(holds, f"{printed[before]} comes before {printed[after]}")

        return compare

    return [
        Relation(family, (before, after), test(before, after), relies)
        for before, after in pairwise(cells)
    ]


def counted(
    cell: Cell,
    number: float | Callable[..., float | Decimal],
    relies: str,
    sources: Iterable[Cell] = (),
    family: str = "list",
) -> Relation:
    """Compare a count, perhaps a word, with the number of things.

    ``number`` is how many, or makes that of the texts of ``sources``.
    """
    sources = tuple(sources)

    def test(printed: Printed) -> CheckResult:
        expected = number(*map(printed.__getitem__, sources)) if callable(number) else number
        holds = value_of(printed[cell]) == expected
        return CheckResult(holds, f"{expected:g} are counted, printed {printed[cell]}")

    return Relation(family, (cell, *sources), test, relies)


def condition(
    family: str,
    cells: Sequence[Cell],
    holds: Callable[..., bool],
    relies: str,
    shown: str,
) -> Relation:
    """Check a condition on cells; ``holds`` gets the printed texts, in the order of the cells."""
    cells = tuple(cells)

    def test(printed: Printed) -> CheckResult:
        texts = [printed[cell] for cell in cells]
        return CheckResult(bool(holds(*texts)), f"{shown}: printed {', '.join(texts)}")

    return Relation(family, cells, test, relies)


def exact(
    family: str, cells: Sequence[Cell], holds: Callable[..., bool], relies: str, shown: str
) -> Relation:
    """Check a condition on numbers as printed, without rounding."""
    return condition(family, cells, lambda *texts: holds(*map(value_of, texts)), relies, shown)


def claim(
    sentence: Cell,
    cells: Sequence[Cell],
    holds: Callable[..., bool],
    relies: str,
    shown: str = "",
) -> Relation:
    """Check a sentence about numbers; ``holds`` gets these only, as they stand."""
    cells = tuple(cells)

    def test(printed: Printed) -> CheckResult:
        texts = [printed[cell] for cell in cells]
        quoted = ", ".join(texts) if len(texts) <= 12 else f"{len(texts)} numbers"
        return CheckResult(bool(holds(*map(value_of, texts))), f"{shown or relies}: {quoted}")

    return Relation("claim", (sentence, *cells), test, relies)


def generalises(
    sentence: Cell,
    cells: Iterable[Cell],
    comparisons: Callable[[Mapping[Cell, Decimal]], Sequence[bool]],
    relies: str,
) -> Relation:
    """Count in how many comparisons of cells a sentence holds; it breaks if it fails in more."""
    cells = tuple(dict.fromkeys(cells))

    def test(printed: Printed) -> CheckResult:
        holds = comparisons({cell: value_of(printed[cell]) for cell in cells})
        text = f"holds in {sum(holds)} of {len(holds)} comparisons"
        return CheckResult(2 * sum(holds) >= len(holds), text)

    return Relation("claim", (sentence, *cells), test, relies)


def _decimals(text: str) -> int:
    """Return how many decimals a number is printed with."""
    return len(text.strip().rstrip("%").partition(".")[2])


def plain(text: str) -> str:
    """Return a printed number without thousands separators and percent sign."""
    bare = text.strip().rstrip("%").replace(",", "")
    try:
        Decimal(bare)
    except InvalidOperation:
        return text
    return bare


def show(value: Value) -> str:
    """Write a value of ours, or its interval over seeds."""
    if isinstance(value, str | Seen):
        return str(value)
    if isinstance(value, int | float):
        return f"{float(value):.6g}"
    low, high = value.interval()
    return f"{low:.6g} to {high:.6g} over {value.seeds} seeds"
