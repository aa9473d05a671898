"""Relations between printed numbers: what must hold if all of them are right.

A printed number is an interval: 0.848 stands for everything that rounds to it. A relation holds
if some numbers in the intervals of its cells fulfil it, so rounding alone never breaks one.

Contents
--------
Cell        a printed number's place: paper, table, row, column
value_of    text -> the number as it stands, words such as "three" included
Rounded     the interval that a printed number stands for
rounded     text -> Rounded
plus, minus, over, mean   arithmetic of such intervals
Finding     whether a relation holds, and the arithmetic
Relation    cells, and the test that they must pass
recomputed  a value of ours, or its distribution over seeds
relate      any formula: one cell against the interval computed from others
total       a sum; shares and averages: share, average
same        one number printed twice; same_text: one text
ordered     a list that must not increase
counted     a count against what is counted, or made from other cells
condition   a yes-or-no question about cells that no formula covers
exact       the same, about the numbers as they stand
claim       a sentence against numbers
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import cache, partial
from itertools import pairwise
from typing import NamedTuple

from ordbook.papers.montecarlo import Seen
from ordbook.papers.verdicts import Value, Verdict, judge

_NAMES = "zero one two three four five six seven eight nine ten eleven twelve"
WORDS: Mapping[str, int] = {"no": 0} | {w: n for n, w in enumerate(_NAMES.split())}
# Words that stand in one place each.
_RARE_WORDS: Mapping[str, int] = {"only one": 1, "thirty": 30}
# Float noise on top of the rounding of the printed digits.
NOISE = 1e-9


class Cell(NamedTuple):
    """Where a number is printed."""

    paper: str
    table: str
    row: str
    column: str

    def __str__(self) -> str:
        place = self.table if not self.table[:1].isdigit() else f"Table {self.table}"
        return f"{self.paper} {place}: {self.row}, {self.column}"


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


def value_of(text: str) -> Decimal:
    """Return a printed number as it stands, a word such as "three" too.

    Examples
    --------
    >>> value_of("0.250"), value_of("1,363"), value_of("Three"), value_of("90.8%")
    (Decimal('0.250'), Decimal('1363'), Decimal('3'), Decimal('90.8'))
    """
    word = text.strip().lower()
    try:
        number = Decimal(WORDS.get(word, _RARE_WORDS.get(word, plain(text))))
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


def minus(one: Rounded, other: Rounded) -> Rounded:
    """Return the difference of two printed numbers."""
    return Rounded(one.low - other.high, one.high - other.low)


def over(part: Rounded, whole: Rounded, scale: float = 1) -> Rounded:
    """Return the quotient of two printed numbers, neither of them negative."""
    return Rounded(scale * part.low / whole.high, scale * part.high / whole.low)


def mean(*terms: Rounded) -> Rounded:
    """Return the mean of printed numbers."""
    return Rounded(*(end / len(terms) for end in plus(*terms)))


class Finding(NamedTuple):
    """What a test of a relation found."""

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
        Printed values -> Finding. Reads no cell but these.
    relies
        What it rests on: an equation, a definition, another table.
    verdict
        For a recomputed value: printed values -> verdict; None elsewhere.
    slow
        Too slow to be tried on neighbouring values.
    """

    family: str
    cells: tuple[Cell, ...]
    test: Callable[[Printed], Finding]
    relies: str
    verdict: Callable[[Printed], Verdict] | None = None
    slow: bool = False


def recomputed(cell: Cell, ours: Value, relies: str, family: str = "recomputed") -> Relation:
    """Hold a printed value against ours, or against ours over many seeds."""

    def verdict(printed: Printed) -> Verdict:
        return judge(plain(printed[cell]), ours)

    def test(printed: Printed) -> Finding:
        found = verdict(printed)
        return Finding(
            found in ("exact", "within Monte-Carlo"), f"printed {printed[cell]}, ours {show(ours)}"
        )

    return Relation(family, (cell,), test, relies, verdict)


def relate(
    family: str,
    cell: Cell,
    sources: Sequence[Cell],
    formula: Callable[..., Rounded | float],
    relies: str,
    shown: str = "",
) -> Relation:
    """Hold a cell against a formula of other cells.

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

    def test(printed: Printed) -> Finding:
        expected = formula(*(rounded(printed[source]) for source in sources))
        if not isinstance(expected, Rounded):
            expected = Rounded(expected, expected)
        digits = max(len(printed[cell].rstrip("%").partition(".")[2]) + 1, 1)
        ends = dict.fromkeys(f"{end:.{digits}f}" for end in expected)
        text = f"{shown or family}: {' to '.join(ends)}, printed {printed[cell]}"
        return Finding(rounded(printed[cell]).meets(expected), text)

    return Relation(family, (cell, *sources), test, relies)


def total(cell: Cell, parts: Sequence[Cell], relies: str, family: str = "sum") -> Relation:
    """Hold a cell against the sum of others."""
    return relate(family, cell, parts, plus, relies)


def share(cell: Cell, part: Cell, whole: Cell, relies: str, scale: float = 100) -> Relation:
    """Hold a cell against the share of one count in another, in percent by default."""
    return relate("share", cell, (part, whole), partial(over, scale=scale), relies)


def average(cell: Cell, parts: Sequence[Cell], relies: str) -> Relation:
    """Hold a cell against the mean of others."""
    return relate("average", cell, parts, mean, relies)


def same(cell: Cell, other: Cell, relies: str) -> Relation:
    """Hold a number against another place that prints it.

    With the same digits the numbers must be equal; with more digits in one place, that one must
    round to the other.
    """

    def test(printed: Printed) -> Finding:
        texts = printed[cell], printed[other]
        one, two = (rounded(text) for text in texts)
        if _decimals(texts[0]) == _decimals(texts[1]):
            holds = abs(one.middle - two.middle) <= NOISE or one == two
        else:
            holds = one.meets(two)
        return Finding(holds, f"{other}: {texts[1]}, printed {texts[0]}")

    return Relation("printed twice", (cell, other), test, relies)


def same_text(cell: Cell, other: Cell, relies: str) -> Relation:
    """Hold a text against another place that prints it, letter by letter."""
    return condition("printed twice", (cell, other), str.__eq__, relies, "the same text")


def ordered(cells: Sequence[Cell], relies: str, family: str = "order") -> list[Relation]:
    """Hold a list to its order: no number is larger than the one before it."""

    def test(before: Cell, after: Cell) -> Callable[[Printed], Finding]:
        def compare(printed: Printed) -> Finding:
            first, second = rounded(printed[before]), rounded(printed[after])
            if _decimals(printed[before]) == _decimals(printed[after]):
                holds = second.middle <= first.middle + NOISE
            else:
                holds = second.low <= first.high + NOISE
            return Finding(holds, f"{printed[before]} comes before {printed[after]}")

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
    """Hold a count, perhaps a word, to how many things there are.

    ``number`` is how many, or makes that of the texts of ``sources``.
    """
    sources = tuple(sources)

    def test(printed: Printed) -> Finding:
        expected = number(*map(printed.__getitem__, sources)) if callable(number) else number
        holds = value_of(printed[cell]) == expected
        return Finding(holds, f"{expected:g} are counted, printed {printed[cell]}")

    return Relation(family, (cell, *sources), test, relies)


def condition(
    family: str,
    cells: Sequence[Cell],
    holds: Callable[..., bool],
    relies: str,
    shown: str,
) -> Relation:
    """Hold cells to a question; ``holds`` gets the printed texts, in the order of the cells."""
    cells = tuple(cells)

    def test(printed: Printed) -> Finding:
        texts = [printed[cell] for cell in cells]
        return Finding(bool(holds(*texts)), f"{shown}: printed {', '.join(texts)}")

    return Relation(family, cells, test, relies)


def exact(
    family: str, cells: Sequence[Cell], holds: Callable[..., bool], relies: str, shown: str
) -> Relation:
    """Hold numbers to a question as they stand, without rounding."""
    return condition(family, cells, lambda *texts: holds(*map(value_of, texts)), relies, shown)


def claim(
    sentence: Cell,
    cells: Sequence[Cell],
    holds: Callable[..., bool],
    relies: str,
    shown: str = "",
) -> Relation:
    """Hold what a sentence says to numbers; ``holds`` gets these only, as they stand."""
    cells = tuple(cells)

    def test(printed: Printed) -> Finding:
        texts = [printed[cell] for cell in cells]
        quoted = ", ".join(texts) if len(texts) <= 12 else f"{len(texts)} numbers"
        return Finding(bool(holds(*map(value_of, texts))), f"{shown or relies}: {quoted}")

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
