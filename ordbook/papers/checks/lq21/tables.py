"""LQ'21, Tables 1 to 6: what they say about each other.

Every pair of runs has a pattern: for each measure, whether the pair differs significantly and
which run is better. Integer programmes ask how many pairs of runs may have which pattern.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ordbook.data.catalog import catalog
from ordbook.measures import QUANTIFICATION
from ordbook.papers.checks.tools import LQ21, least, pairs_of, rows_of
from ordbook.papers.ledger import LOST
from ordbook.papers.relations import (
    Cell,
    CheckResult,
    Printed,
    Relation,
    Rounded,
    condition,
    counted,
    recomputed,
    relate,
    share,
    total,
    value_of,
)
from ordbook.papers.symbols import SIX

MEASURES = SIX
PAIRS = tuple(combinations(MEASURES, 2))
# Data set of Table 2 -> its name in the catalogue, and what the catalogue does not hold.
CATALOGUED = {
    "Sem16T4E": "sem16t4e",
    "Sem17T4E": "sem17t4e",
    "STC-3 DQ-{A, E, S}": "stc3-dq-a",
}
# Headings of the parts of Tables 5 and 6.
CONTRADICTING = {
    "I": "STC-3 DQ-A",
    "II": "STC-3 DQ-S",
    "III": "DialEval-1 DQ-A",
    "IV": "DialEval-1 DQ-E",
    "V": "DialEval-1 DQ-S",
}
at = LQ21.at


def relations(printed: Printed) -> list[Relation]:
    """Return the checks of Tables 1 to 6."""
    return [
        *_names(printed),
        *_data_and_power(printed),
        *_overlaps(printed),
        *_underlined(printed),
        *_contradictions(printed),
        *_feasible(printed),
        *_left_over(printed),
    ]


def significant(data: str, measure: str) -> Cell:
    """Return the number of significant differences, Table 3."""
    return at("3", data, f"{measure} S_D")


def overlap(part: str, pair: Sequence[str], what: str) -> Cell:
    """Return one of SSO, a, b, c of a pair of measures, Table 4."""
    return at(f"4{part}", pair[0], f"{pair[1]} {what}")


def described(data: str, what: str) -> Cell:
    """Return what Table 2 says about a data set of Table 3."""
    shared = data if data.startswith("Sem") else f"{data.split()[0]} DQ-{{A, E, S}}"
    return at("2", shared, what)


def data_sets(printed: Printed) -> list[str]:
    """Return the data sets of Table 3, which are the parts of Table 4 in this order."""
    return [row for row in LQ21.rows(printed, "3") if row != "POOLED"]


def parts(printed: Printed) -> dict[str, str]:
    """Return part of Table 4 -> data set."""
    return dict(zip("abcdefgh", data_sets(printed), strict=True))


# -- Tables 1 to 3 -----------------------------------------------------------------------------


def _names(printed: Printed) -> Iterator[Relation]:
    """Table 1: abbreviations are initials; what is called ordinal sees the order of classes."""
    for measure in LQ21.rows(printed, "1"):
        full, kind = at("1", measure, "full name"), at("1", measure, "kind")
        ordinal = bool(QUANTIFICATION[measure].ordinal)

        def abbreviates(text: str, measure: str = measure) -> bool:
            return "".join(re.findall(r"\b[A-Z]", text.partition("(")[0])) == measure

        def right_kind(text: str, ordinal: bool = ordinal) -> bool:
            return text.startswith("Ordinal") == ordinal

        yield condition("list", (full,), abbreviates, "the initials of the full name", "initials")
        relies = "Eqs. 1 to 6 and ordbook.measures: does the order of the classes enter?"
        shown = f"{measure} ordinal: {ordinal}"
        yield condition("definition", (kind,), right_kind, relies, shown)


def _data_and_power(printed: Printed) -> Iterator[Relation]:
    """Table 2: sums and our catalogue. Table 3: T_D = m(m - 1)/2, S_D/T_D, pooled sums (Eq. 9)."""
    for row in LQ21.rows(printed, "2"):
        yield from _short_name(printed, row)
        if row in CATALOGUED:
            known = catalog()[CATALOGUED[row]]
            facts = {"Test data sample size": known.topics, "#Ordinal classes": len(known.classes)}
            if row == "Sem16T4E":  # the only set all runs of which are public
                facts["#Runs used"] = known.runs
            for column, value in facts.items():
                relies = "the data's gold and run files"
                yield recomputed(at("2", row, column), value, relies, "catalogue")
    for cell in LQ21.cells(printed, "3"):
        if not cell.column.endswith("%"):
            continue
        measure = cell.column.split()[0]
        found, pairs = significant(cell.row, measure), at("3", cell.row, f"{measure} T_D")
        yield share(cell, found, pairs, "Section 5.1: DP_D = S_D/T_D")
        if cell.row == "POOLED":
            for whole in (found, pairs):
                yield total(whole, [whole._replace(row=d) for d in data_sets(printed)], "Eq. 9")
            continue
        yield counted(
            pairs,
            lambda runs: pairs_of(value_of(runs)),
            "Section 5.1: T_D = m_D(m_D - 1)/2",
            [described(cell.row, "#Runs used")],
            "sum",
        )


def _short_name(printed: Printed, row: str) -> Iterator[Relation]:
    """Hold a row of Table 2 to its own name, such as Sem16T4E, to its caption, and to its runs."""
    venue, task = at("2", row, "Evaluation venue"), at("2", row, "Task (Subtask)")
    named = (venue, task) if row.startswith("Sem") else (task,)

    def digits(*texts: str) -> bool:
        found = [number[-2:] for text in texts for number in re.findall(r"\d+", text)]
        return found == re.findall(r"\d+", row)

    yield condition("list", named, digits, "the short name of the row", f"numbers in {row}")
    relies = "caption of Table 2: quantification data sets"
    yield condition("list", (at("2", row, "Task Type"),), "OQ".__eq__, relies, "type")
    languages = [name for name in "CE" if at("2", row, f"#Runs used {name}") in printed]
    if languages:
        spoken, runs = "+".join(languages), at("2", row, "#Runs used")
        relies = "runs of these languages are counted"
        yield condition("list", (at("2", row, "Language"),), spoken.__eq__, relies, "languages")
        cells = [runs._replace(column=f"{runs.column} {name}") for name in languages]
        yield total(runs, cells, "runs of both languages")


# -- Table 4 -----------------------------------------------------------------------------------


def _overlaps(printed: Printed) -> Iterator[Relation]:
    """Table 4: SSO = b/(a + b + c); a + b and b + c are the S_D of Table 3 (Section 5.2)."""
    for part, data in parts(printed).items():
        for pair in PAIRS:
            sso, *counts = (overlap(part, pair, what) for what in ("SSO", "a", "b", "c"))
            yield shared(sso, counts)
            yield total(significant(data, pair[0]), counts[:2], "Section 5.2: S_D = a + b")
            yield total(significant(data, pair[1]), counts[1:], "Section 5.2: S_D = b + c")
        for triple in combinations(MEASURES, 3):
            yield _triangle(part, triple)


def shared(sso: Cell, counts: Sequence[Cell]) -> Relation:
    """Hold an SSO, in percent, to a, b and c."""

    def formula(a: Rounded, b: Rounded, c: Rounded) -> float:
        return 100 * b.low / (a.low + b.low + c.low)

    return relate("share", sso, counts, formula, "Section 5.2: SSO = b/(a + b + c)")


def _triangle(part: str, triple: Sequence[str]) -> Relation:
    """Hold three sets of differences to the triangle inequality of a + c, how many only one has."""
    cells = [overlap(part, pair, what) for pair in combinations(triple, 2) for what in "ac"]

    def holds(*texts: str) -> bool:
        counts = [int(text) for text in texts]
        distances = [sum(counts[i : i + 2]) for i in (0, 2, 4)]
        return 2 * max(distances) <= sum(distances)

    relies = "a + c is the size of a symmetric difference, and such sizes are a metric"
    return condition("triangle", cells, holds, relies, "a and c of three pairs")


def _underlined(printed: Printed) -> Iterator[Relation]:
    """Captions of Tables 3 and 4: percentages below a line are underlined, and no others."""
    marked = {Cell(**row) for row in rows_of("underlined.csv")}
    for caption, tables in (
        ("caption3", ["3"]),
        ("caption4", [f"4{part}" for part in parts(printed)]),
    ):
        line = at(caption, "percentages underlined: below", "percentage")
        cells = [
            cell
            for table in tables
            for cell in LQ21.cells(printed, table)
            if cell.column.endswith(("%", "SSO")) and printed[cell] != LOST
        ]

        def test(printed: Printed, line: Cell = line, cells: Sequence[Cell] = cells) -> CheckResult:
            below = {cell for cell in cells if float(printed[cell]) < float(printed[line])}
            text = f"{len(below)} of {len(cells)} are below {printed[line]}"
            return CheckResult(below == marked & set(cells), text)

        relies = "which percentages are underlined, data/published/underlined.csv"
        yield Relation("list", (line, *cells), test, relies)


# -- Tables 5 and 6 ----------------------------------------------------------------------------


class Contradiction(NamedTuple):
    """One line of Table 6: measures and runs."""

    first: frozenset[str]
    second: frozenset[str]
    better: tuple[str, ...]
    worse: tuple[str, ...]

    @property
    def pairs(self) -> int:
        """How many pairs of runs it stands for."""
        return len(self.better) * len(self.worse)


def expanded(run: str) -> tuple[str, ...]:
    """Return the runs that ``A_BL-uniform-{C,E}`` stands for."""
    found = re.fullmatch(r"(.*)\{(.*)\}", run)
    return tuple(found[1] + end for end in found[2].split(",")) if found else (run,)


def listed(texts: Sequence[str]) -> list[Contradiction]:
    """Read the lines of a part of Table 6, four texts each."""
    found = []
    for i in range(0, len(texts), 4):
        first, second = (frozenset(re.findall("[A-Z]+", text)) for text in texts[i : i + 2])
        better, worse = map(expanded, texts[i + 2 : i + 4])
        found.append(Contradiction(first, second, better, worse))
    return found


def lines(printed: Printed, part: str) -> list[Cell]:
    """Return the cells of a part of Table 6, as ``listed`` reads them."""
    columns = ("Measure 1", "Measure 2", "Run 1", "Run 2")
    rows = LQ21.rows(printed, f"6{part}")
    return [at(f"6{part}", row, column) for row in rows for column in columns]


def _contradictions(printed: Printed) -> Iterator[Relation]:
    """Table 5: no more than the overlap b of Table 4, and exactly the run pairs of Table 6."""
    letters = {data: part for part, data in parts(printed).items()}
    for part, data in CONTRADICTING.items():
        details = lines(printed, part)
        for pair in PAIRS:
            cell = at(f"5{part}", *pair)

            def pairs(*texts: str, pair: Sequence[str] = pair) -> float:
                return sum(
                    line.pairs
                    for line in listed(texts)
                    if (pair[0] in line.first and pair[1] in line.second)
                    or (pair[1] in line.first and pair[0] in line.second)
                )

            yield counted(cell, pairs, "Table 6 breaks down Table 5", details)
            yield condition(
                "interval",
                (cell, overlap(letters[data], pair, "b")),
                lambda few, both: int(few) <= int(both),
                "Section 5.2: contradictions are among the differences both measures find",
                "contradictions among b",
            )
        score = data[-1]
        for run in details[2::4] + details[3::4]:
            yield condition(
                "list",
                (run,),
                lambda name, prefix=f"{score}_": name.startswith(prefix),
                "Section 5.2: the prefix of a run is its subtask",
                f"a run of the {score}-score subtask",
            )


# -- Tables 3 to 6 together --------------------------------------------------------------------

# Significant with both signs, or not; a pair without contradictions is only in or out.
SIGNED = np.array(list(product((-1, 0, 1), repeat=len(MEASURES))))
# Two cells of Table 4(h) that repeat the row above them.
QUESTIONED = (("NVD", "RNSS"), ("NVD", "JSD"))
RELIES = (
    "Section 5.2: a, b and c are sizes of sets of run pairs, both language versions of a baseline "
    "are the same run, and Table 6 lists every contradiction"
)


class Block(NamedTuple):
    """Units that may have the same patterns; a unit is one pair of runs, or several equal ones."""

    patterns: NDArray[np.int_]
    units: int
    weight: int


@dataclass(frozen=True)
class Case:
    """A data set: its counts with the measures that all find a difference, and what else is read.

    Attributes
    ----------
    counts
        Cell -> the measures, as indices, that all find the differences it counts.
    runs
        The number of runs, Table 2.
    none
        Where the caption of Table 5 says that there is no contradiction, if it does.
    details
        The contradictions, Table 6.
    """

    counts: Mapping[Cell, tuple[int, ...]]
    runs: Cell
    none: tuple[Cell, ...]
    details: tuple[Cell, ...]

    @property
    def cells(self) -> tuple[Cell, ...]:
        """All that is read."""
        return (*self.counts, self.runs, *self.none, *self.details)

    def overlap(
        self, printed: Printed, objective: tuple[int, ...] = (), sign: int = 1
    ) -> int | None:
        """Return the least (or, for -1, the largest) overlap of measures that the counts allow.

        Without measures, 0 if the counts fit together; None if they do not.
        """
        blocks = self._blocks(printed)
        patterns = np.vstack([block.patterns for block in blocks]) != 0
        sizes = [len(block.patterns) for block in blocks]
        weights = np.repeat([block.weight for block in blocks], sizes)
        owner = np.repeat(np.arange(len(blocks)), sizes)

        def row(measures: tuple[int, ...]) -> NDArray[np.float64]:
            return np.asarray(weights * patterns[:, list(measures)].all(axis=1), dtype=float)

        counts = {measures: int(printed[cell]) for cell, measures in self.counts.items()}
        equal = np.array([*(block.units for block in blocks), *counts.values()])
        matrix = np.array([*(owner == i for i in range(len(blocks))), *map(row, counts)])
        found = least(matrix, equal, equal, sign * row(objective) if objective else None)
        return None if found is None else round(sign * found)

    def _blocks(self, printed: Printed) -> list[Block]:
        """Return the units of the data set, those of Table 6 each by itself."""
        m = int(printed[self.runs])
        agreeing = SIGNED[(SIGNED >= 0).all(axis=1)]
        if self.runs.row.startswith("Sem"):
            return [Block(agreeing, pairs_of(m), 1)]
        # Two baselines in two languages: 4 equal pairs between them, 2 with every other run.
        units = {4: 1, 2: 2 * (m - 4), 1: pairs_of(m - 4)}
        blocks = []
        found: dict[tuple[tuple[str, ...], tuple[str, ...]], list[Contradiction]] = {}
        for line in listed([printed[cell] for cell in self.details]):
            found.setdefault((line.better, line.worse), []).append(line)
        for same in found.values():
            units[same[0].pairs] -= 1
            blocks.append(Block(_contradicting(same), 1, same[0].pairs))
        return blocks + [Block(agreeing, number, weight) for weight, number in units.items()]


def _contradicting(found: Sequence[Contradiction]) -> NDArray[np.int_]:
    """Return the patterns that contradict between these measures, and between no others."""
    wanted = {frozenset(pair) for line in found for pair in product(line.first, line.second)}
    fits = np.ones(len(SIGNED), dtype=bool)
    for i, j in combinations(range(len(MEASURES)), 2):
        opposite = SIGNED[:, i] * SIGNED[:, j] < 0
        fits &= opposite == (frozenset((MEASURES[i], MEASURES[j])) in wanted)
    return SIGNED[fits]


def _cases(printed: Printed) -> dict[str, Case]:
    """Return part of Table 4 -> data set; of part (h) the questioned cells are left out."""
    contradicting = {data: part for part, data in CONTRADICTING.items()}
    found = {}
    for part, data in parts(printed).items():
        counts: dict[Cell, tuple[int, ...]] = {
            significant(data, measure): (i,) for i, measure in enumerate(MEASURES)
        }
        for pair in PAIRS:
            if part != "h" or pair not in QUESTIONED:
                counts[overlap(part, pair, "b")] = _places(pair)
        none = at("caption5", f"contradictions: {data}", "count")
        found[part] = Case(
            counts,
            described(data, "#Runs used"),
            (none,) if none in printed else (),
            tuple(lines(printed, contradicting[data])) if data in contradicting else (),
        )
    return found


def _places(measures: Sequence[str]) -> tuple[int, ...]:
    return tuple(map(MEASURES.index, measures))


def _feasible(printed: Printed) -> Iterator[Relation]:
    """Hold S_D, b, the runs and the contradictions of a data set to one another (Tables 2 to 6).

    Of Table 4(h) the two questioned cells are left out: :func:`_left_over` has them.
    """
    for case in _cases(printed).values():

        def test(printed: Printed, case: Case = case) -> CheckResult:
            if any(value_of(printed[cell]) for cell in case.none):
                return CheckResult(False, "contradictions, but Table 6 lists none")
            holds = case.overlap(printed) is not None
            fits = "fit together" if holds else "do not fit together"
            return CheckResult(holds, f"the {len(case.counts)} counts {fits}")

        yield Relation("feasibility", case.cells, test, RELIES, slow=True)


def _left_over(printed: Printed) -> Iterator[Relation]:
    """Hold b of NVD with RNSS and with JSD, Table 4(h), to what the other counts leave for it."""
    case = _cases(printed)["h"]
    for pair in QUESTIONED:
        cell = overlap("h", pair, "b")

        def test(
            printed: Printed, cell: Cell = cell, objective: tuple[int, ...] = _places(pair)
        ) -> CheckResult:
            low, high = (case.overlap(printed, objective, sign) for sign in (1, -1))
            if low is None or high is None:
                return CheckResult(False, "the other counts do not fit together")
            text = f"the other counts leave {low} to {high}, printed {printed[cell]}"
            return CheckResult(low <= int(printed[cell]) <= high, text)

        yield Relation("feasibility", (cell, *case.cells), test, RELIES, slow=True)
