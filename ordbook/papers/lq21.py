"""The checks of LQ'21: its tables beside each other, ACL'21 and the DialEval-1 overview."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import cache
from itertools import combinations, product
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from ordbook.data.catalog import catalog
from ordbook.data.loading import load
from ordbook.data.printed import SIX, printed_values
from ordbook.data.scores import ScoreMatrix
from ordbook.data.scoring import score
from ordbook.data.tasks import BASELINES
from ordbook.measures import QUANTIFICATION, dw, jsd, nmd, nvd, od, rnod, rnss, rsnod
from ordbook.meta.agreement import quadrants, score_deltas, topic_wins
from ordbook.meta.discrimination import contradictions, discriminative_power, significance_overlap
from ordbook.meta.seeds import Spread, over_seeds
from ordbook.meta.significance import tukey_hsd
from ordbook.papers.comparison import Ours
from ordbook.papers.dialeval1 import PARTS, means_of_overview
from ordbook.papers.draws import Draws, Seen, committed
from ordbook.papers.formulas import arithmetic, named
from ordbook.papers.kinds.correlations import pairs_of
from ordbook.papers.kinds.sizes import of_catalogue
from ordbook.papers.ledger import LOST
from ordbook.papers.relations import (
    NOISE,
    SIZE,
    Cell,
    CheckResult,
    Printed,
    Relation,
    all_beside,
    beside,
    condition,
    counted,
    rounded,
)
from ordbook.papers.tables import ACL21, DIALEVAL1, LQ21

PAIRS = tuple(combinations(SIX, 2))
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
    """Return the checks of LQ'21."""
    return [
        *_underlined(printed),
        *_contradictions(printed),
        *_discordant(printed),
        *_overview(printed),
        *_by_both(printed),
        *_wins(printed),
    ]


def significant(data: str, measure: str) -> Cell:
    """Return the number of significant differences, Table 3."""
    return at("3", data, f"{measure} S_D")


def overlap(part: str, pair: Sequence[str], what: str) -> Cell:
    """Return one of SSO, a, b, c of a pair of measures, Table 4."""
    return at(f"4{part}", pair[0], f"{pair[1]} {what}")


def printed_sets(printed: Printed) -> list[str]:
    """Return the data sets of Table 3, which are the parts of Table 4 in this order."""
    return [row for row in LQ21.rows(printed, "3") if row != "POOLED"]


def parts(printed: Printed) -> dict[str, str]:
    """Return part of Table 4 -> data set."""
    return dict(zip("abcdefgh", printed_sets(printed), strict=True))


def _underlined(printed: Printed) -> Iterator[Relation]:
    """Captions of Tables 3 and 4: percentages below a line are underlined, and no others."""
    marked = set(map(LQ21.place, LQ21.underlined))
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

        relies = "which percentages are underlined, data/published/tables.toml"
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
        """The number of pairs of runs that it stands for."""
        return len(self.better) * len(self.worse)

    @property
    def measures(self) -> set[frozenset[str]]:
        """The pairs of measures that contradict each other."""
        return {frozenset(pair) for pair in product(self.first, self.second)}


def expanded(run: str) -> tuple[str, ...]:
    """Return the runs that ``A_BL-uniform-{C,E}`` stands for."""
    shared = re.fullmatch(r"(.*)\{(.*)\}", run)
    return tuple(shared[1] + end for end in shared[2].split(",")) if shared else (run,)


def listed(texts: Sequence[str]) -> list[Contradiction]:
    """Read the lines of a part of Table 6, four texts each."""
    contradictions = []
    for i in range(0, len(texts), 4):
        first, second = (frozenset(re.findall("[A-Z]+", text)) for text in texts[i : i + 2])
        better, worse = map(expanded, texts[i + 2 : i + 4])
        contradictions.append(Contradiction(first, second, better, worse))
    return contradictions


def lines(printed: Printed, part: str) -> list[Cell]:
    """Return the cells of a part of Table 6, as ``listed`` reads them."""
    columns = ("Measure 1", "Measure 2", "Run 1", "Run 2")
    rows = LQ21.rows(printed, f"6{part}")
    return [at(f"6{part}", row, column) for row in rows for column in columns]


def _contradictions(printed: Printed) -> Iterator[Relation]:
    """Table 5: no more than the overlap b of Table 4, and exactly the run pairs of Table 6."""
    letters = {data: part for part, data in parts(printed).items()}
    for data in letters.keys() - set(CONTRADICTING.values()):
        if (none := at("caption5", f"contradictions: {data}")) in printed:
            yield counted(none, 0, "Tables 5 and 6 have no part for it")
    for part, data in CONTRADICTING.items():
        details = lines(printed, part)
        for pair in PAIRS:
            cell = at(f"5{part}", *pair)

            def pairs(*texts: str, pair: Sequence[str] = pair) -> int:
                return sum(line.pairs for line in listed(texts) if set(pair) in line.measures)

            yield counted(cell, pairs, "Table 6 breaks down Table 5", details)
            yield condition(
                "interval",
                (cell, overlap(letters[data], pair, "b")),
                lambda few, both: int(few) <= int(both),
                "Section 5.2: contradictions are among the differences both measures find",
                "contradictions among b",
            )
        for run in details[2::4] + details[3::4]:
            yield condition(
                "list",
                (run,),
                lambda name, prefix=f"{data[-1]}_": name.startswith(prefix),
                "Section 5.2: the prefix of a run is its subtask",
                f"a run of the {data[-1]}-score subtask",
            )


# -- ACL'21 and the DialEval-1 overview --------------------------------------------------------


def _discordant(printed: Printed) -> Iterator[Relation]:
    """Hold contradictions to tau of the same run means: (1 - tau)/2 of the pairs are discordant."""

    def holds(contradicting: str, tau: str, pairs: str) -> bool:
        return int(contradicting) <= (1 - rounded(tau).low) / 2 * int(pairs) + NOISE

    relies = "Section 5.2: contradicting means are ranked in opposite order; ties only leave fewer"
    for part, table in {"III": "5i", "IV": "5ii", "V": "5iii"}.items():
        pairs = at("3", CONTRADICTING[part], "NMD T_D")
        for tau in ACL21.cells(printed, table):
            number = at(f"5{part}", *sorted((tau.row, tau.column), key=SIX.index))
            shown = "contradictions, tau, pairs of runs"
            yield condition("interval", (number, tau, pairs), holds, relies, shown)


def _overview(printed: Printed) -> Iterator[Relation]:
    """Hold Table 6 to the overview's means: Run 1 has the smaller one."""
    for part, data in CONTRADICTING.items():
        if data.startswith("DialEval-1"):
            details = lines(printed, part)
            for i in range(0, len(details), 4):
                yield _better(details[i : i + 4], printed, PARTS[data.removeprefix("DialEval-1 ")])


def _better(line: Sequence[Cell], printed: Printed, tables: Sequence[str]) -> Relation:
    """Hold the runs of a line of Table 6 to the overview's means: Run 1 has the smaller ones."""
    languages = dict(zip("CE", tables, strict=True))

    def place(run: str, measure: str) -> Cell | None:
        name = re.fullmatch(r"[AES]_(.*)-([CE])", run)
        return DIALEVAL1.at(languages[name[2]], name[1], measure) if name else None

    def compared(texts: Printed) -> list[tuple[Cell | None, Cell | None]]:
        (claimed,) = listed([texts[cell] for cell in line])
        every = product(sorted(claimed.first), claimed.better, claimed.worse)
        return [(place(better, m), place(worse, m)) for m, better, worse in every]

    known = {cell for cell in printed if cell.paper == "dialeval1"}
    means = dict.fromkeys(cell for pair in compared(printed) for cell in pair if cell in known)

    def test(printed: Printed) -> CheckResult:
        for better, worse in compared(printed):
            if better not in known or worse not in known:
                return CheckResult(False, f"the overview has no {better} or no {worse}")
            if better in means and worse in means:
                low, high = printed[better], printed[worse]
                if rounded(low).low >= rounded(high).high:
                    return CheckResult(False, f"{better} is {low}, not below {worse}, {high}")
        text = f"Run 1 has the smaller mean in all {len(compared(printed))} cases"
        return CheckResult(True, text)

    relies = "Section 5.2: smaller means are better; the overview's Tables 4 to 6 and 9 to 11"
    return Relation("list", (*line, *means), test, relies)


def both(means: ArrayLike, counts: Sequence[int]) -> tuple[int, int]:
    """Return how many pairs of runs two measures can both find significant: least and most.

    The p-values of a Tukey HSD test fall as the differences of the means grow, so that the S
    significant pairs of a measure are the S pairs with the largest differences. Each mean may be
    half a unit of its last digit away from what is printed.

    Parameters
    ----------
    means
        (runs, 2): printed means, in whole units of their last digit.
    counts
        How many pairs each of the two measures finds significant.

    Examples
    --------
    >>> both([[0, 0], [10, 30], [40, 10]], [2, 1])
    (0, 0)
    >>> both([[0, 0], [10, 30], [40, 10]], [2, 2])
    (1, 1)
    """
    units = np.asarray(means, dtype=int)
    first, second = np.triu_indices(len(units), 1)
    sure = maybe = True
    for distances, count in zip(np.abs(units[first] - units[second]).T, counts, strict=True):
        order = np.concatenate(([-np.inf], np.sort(distances), [np.inf]))
        beyond, last = order[-count - 2], order[-count - 1]
        # Two differences of rounded means are in order when they are two units apart.
        sure = sure & (distances > beyond + 2)
        maybe = maybe & (distances >= last - 2)
    return int(np.count_nonzero(sure)), int(np.count_nonzero(maybe))


def _by_both(printed: Printed) -> Iterator[Relation]:
    """Hold Table 4's pairs that NMD and RSNOD both find significant to the overview's means."""
    relies = (
        "in a Tukey HSD test the S_D significant pairs are those with the largest differences; "
        "the overview's Tables 4 to 6 and 9 to 11"
    )
    pair = ("NMD", "RSNOD")
    for part, data in parts(printed).items():
        if not data.startswith("DialEval-1"):
            continue
        means = [means_of_overview(printed, data[-1], name) for name in pair]
        cell, powers = overlap(part, pair, "b"), [significant(data, name) for name in pair]

        def test(
            printed: Printed,
            cell: Cell = cell,
            powers: Sequence[Cell] = powers,
            means: Sequence[Sequence[Cell]] = means,
        ) -> CheckResult:
            units = [[int(Decimal(printed[mean]).scaleb(4)) for mean in row] for row in means]
            counts = [int(printed[power]) for power in powers]
            pairs = pairs_of(len(units[0]))
            if not all(0 < count < pairs for count in counts):
                return CheckResult(False, f"{counts} significant pairs of {pairs}")
            low, high = both(np.transpose(units), counts)
            text = f"{low} to {high} pairs by the means, printed {printed[cell]}"
            return CheckResult(low <= int(printed[cell]) <= high, text)

        yield Relation("interval", (cell, *powers, *means[0], *means[1]), test, relies)


def _wins(printed: Printed) -> Iterator[Relation]:
    """Pairs of SemEval-2016, and dialogues of STC-3 on which each baseline is better."""
    pairs = pairs_of(catalog()["sem16t4e"].runs)
    for name in SIX:
        cell = at("3", "Sem16T4E", f"{name} T_D")
        yield beside(cell, pairs, "the run files of the catalogue", SIZE)
    relies = "votes of STC-3; ties share the probability"
    yield from all_beside(LQ21.cells(printed, "7"), wins(), relies)


def wins() -> dict[tuple[str, str], int]:
    """Count the dialogues of STC-3 that each baseline wins, as Table 7 of LQ'21 does."""
    better = {}
    for subtask in "AES":
        scores = score(load(f"stc3-dq-{subtask.lower()}"), list(SIX))
        for name, first, second, *_ in topic_wins(scores, *BASELINES).itertuples():
            better[f"STC-3 DQ-{subtask}", f"{name} uni"] = int(first)
            better[f"STC-3 DQ-{subtask}", f"{name} pop"] = int(second)
    return better


# -- the values of ours, and figures ----------------------------------------------------------

# Where the caption of Table 5 counts contradictions, and the seeds that look for them.
CLASHES = ("contradictions: Sem16T4E", "count")
CLASH_SEEDS = 100
# What the notes of the printed values say of a count that is lost.
_PREDICTED = re.compile(r"predicted: (.+?)(?: because | \()")


def doubled(scores: ScoreMatrix) -> ScoreMatrix:
    """Return the runs of STC-3 that are the paper's, both baselines twice as in the NTCIR tasks.

    There they stand in two languages, with the same content. The systems that this project
    trained are left out, and WIDM's run, which may be a variant that was not sent.
    """
    sent = [run for run in scores.runs if run.startswith("SLSTC")]
    at = [scores.runs.index(run) for run in (*sent, *BASELINES, *BASELINES)]
    copies = [f"{run}-{letter}" for letter in "CE" for run in BASELINES]
    return replace(scores, values=scores.values[:, :, at], runs=(*sent, *copies))


def doubled_counts() -> tuple[int, int, int]:
    """Count contradictions in :func:`doubled` DQ-A and DQ-S: how many are as in Table 5.

    Of how many pairs of measures of parts (I) and (II), which are about these data, and how many
    of the printed counts are not 0.
    """
    same, printed = [], []
    for part, name in (("I", "stc3-dq-a"), ("II", "stc3-dq-s")):
        twice = doubled(score(load(name), list(SIX)))
        counts = contradictions(tukey_hsd(twice, 5000)).groupby(["first", "second"]).size()
        for cell in printed_values("lq21", f"5{part}").itertuples():
            printed.append(int(str(cell.printed)))
            same.append(counts.get((cell.row, cell.column), 0) == printed[-1])
    return sum(same), len(same), sum(count > 0 for count in printed)


def printed_contradictions() -> pd.DataFrame:
    """Return the lines of Table 6: the measures and runs of each contradiction, and its part."""
    parts = {part: printed_values("lq21", f"6{part}") for part in ("I", "II", "III", "IV", "V")}
    lines = [
        values.pivot_table("printed", "row", "column", aggfunc="first").assign(part=part)
        for part, values in parts.items()
    ]
    return pd.concat(lines, ignore_index=True)


@committed("lq21", "sem16t4e")
def by_chance(seeds: int) -> Draws:
    """Repeat the significance tests of Tables 3 and 4(a), and look for contradictions."""
    tables: dict[str, dict[tuple[str, str], Spread | Seen]] = {"3": {}, "4a": {}, "caption5": {}}
    scores = score(load("sem16t4e"), SIX)
    for cell, value in lq21_tests(scores, seeds).items():
        tables[cell.table][cell.row, cell.column] = value
    tables["caption5"][CLASHES] = clashes(scores, min(seeds, CLASH_SEEDS))
    return tables


def lq21_tests(scores: ScoreMatrix, seeds: int) -> dict[Cell, Spread]:
    """Repeat the significance tests of Tables 3 and 4(a) by seed."""
    scores, pairs = scores.select(SIX), pairs_of(len(scores.runs))
    columns = ["overlap", "first_only", "both", "second_only"]

    def compute(seed: int) -> dict[Cell, float]:
        tests = tukey_hsd(scores, 5000, seed, threads=1)
        cells: dict[Cell, float] = {}
        for (first, second), *numbers in significance_overlap(tests)[columns].itertuples():
            numbers[0] *= 100
            for letter, number in zip(("SSO", "a", "b", "c"), numbers, strict=True):
                cells[Cell("lq21", "4a", first, f"{second} {letter}")] = float(number)
        for name, significant in discriminative_power(tests)["significant"].items():
            cells[Cell("lq21", "3", "Sem16T4E", f"{name} S_D")] = significant
            cells[Cell("lq21", "3", "Sem16T4E", f"{name} %")] = 100 * significant / pairs
        return cells

    return over_seeds(compute, seeds)


def clashes(scores: ScoreMatrix, seeds: int) -> Seen:
    """Count the contradictions between significant differences, by seed."""

    def compute(seed: int) -> dict[str, float]:
        return {"number": len(contradictions(tukey_hsd(scores, 5000, seed, threads=1)))}

    numbers = np.asarray(over_seeds(compute, seeds)["number"].values, dtype=int).tolist()
    return Seen(Counter("no" if number == 0 else str(number) for number in numbers))


def recomputed(seeds: int = 1000) -> dict[str, Ours]:
    """Recompute the paper's tables as far as possible, with many seeds for random ones.

    Returns table -> values of ours, as for :func:`ordbook.compare`.
    """
    drawn = by_chance(seeds)
    tables: dict[str, Any] = {"3": {**drawn["3"]}, "4a": drawn["4a"], "7": wins()}
    pairs = pairs_of(len(load("sem16t4e").runs))
    tables["3"] |= {("Sem16T4E", f"{name} T_D"): pairs for name in SIX}
    kinds = {True: "Ordinal", False: "Nominal"}
    known = {(m, "kind"): kinds[bool(QUANTIFICATION[m].ordinal)] for m in SIX}
    tables["1"] = {cell: f"{kind} quantification measures" for cell, kind in known.items()}
    return {**tables, "2": of_catalogue(LQ21, "2")}


def lost_counts() -> pd.DataFrame:
    """Return the known facts about the counts in Figures 1 and 2, whose pictures are lost.

    Returns
    -------
    DataFrame
        By panel: measures ("NMD, RNOD"), and what other printed numbers and the possible votes of
        20 assessors leave for the "2nd quadrant" and the "4th quadrant", as text.
    """
    rows = {}
    for figure, letters in (("figure1", "abcd"), ("figure2", "abc")):
        for letter in letters:
            cells = printed_values("lq21", figure + letter)
            row = {"measures": str(cells["row"].iloc[0]).replace(" vs ", ", ")}
            for cell in cells.itertuples(index=False):
                if str(cell.column).endswith("quadrant"):
                    match = _PREDICTED.search(str(cell.note))
                    row[str(cell.column)] = match[1] if match else str(cell.printed)
            rows[f"{figure.removeprefix('figure')}({letter})"] = row
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("figure")


# The panels of Figures 1 and 2.
PANELS = [("NMD", other) for other in ("NVD", "RNSS", "JSD", "RNOD")]
PANELS += [("RNOD", other) for other in ("NVD", "RNSS", "JSD")]


@cache
def _deltas() -> pd.DataFrame:
    return score_deltas(score(load("stc3-dq-a"), list(SIX)), "BL-popularity", "BL-uniform")


def corners() -> pd.DataFrame:
    """Count the dialogues of STC-3 in the "2nd quadrant" and "4th quadrant" of :func:`panels`."""
    counts = {pair: quadrants(_deltas(), *pair) for pair in PANELS}
    rows = {pair: {"2nd": q.second, "4th": q.fourth} for pair, q in counts.items()}
    return pd.DataFrame.from_dict(rows, "index")


def panels() -> None:
    """Draw the panels of Figures 1 and 2 for STC-3 DQ-A: four with NMD, three with RNOD."""
    import matplotlib.pyplot as plt  # only this function draws

    from ordbook.show.charts import legend_above
    from ordbook.show.two_runs import panel

    _, grid = plt.subplots(4, 2, figsize=(5.6, 10.5), layout="constrained")
    for axes, pair in zip(grid.flat, PANELS, strict=False):
        panel(axes, _deltas(), *pair, ("popularity", "uniform"))
    grid.flat[-1].set_visible(False)
    legend_above(grid.flat[0])


# -- named functions of formulas.csv -------------------------------------------------------------


def _capitals(text: str) -> list[str]:
    return re.findall("[A-Z]+", text)


def _floats(texts: Sequence[str | Decimal]) -> list[float]:
    return [float(text) for text in texts]


@named
def nmd_in_the_first(texts: Sequence[str]) -> bool:
    """Whether the first of each four texts names NMD, and the second neither NMD nor RSNOD."""
    first = all("NMD" in _capitals(text) for text in texts[::4])
    return first and not any({"NMD", "RSNOD"} & {*_capitals(text)} for text in texts[1::4])


@named
def most_in_f_and_h(text: str, counts: Sequence[str]) -> bool:
    """Whether a text names parts f and h of Table 4, and most counts are not 0."""
    places = re.findall(r"Table 4|\((\w)\)", text) == ["", "f", "h"]
    return places and 2 * sum(int(count) > 0 for count in counts) > len(counts)


@named
def distances_from(gold: str, shares: Sequence[str]) -> list[float]:
    """Return DW from each of four equal classes of gold, with two decimals."""
    return [round(x, 2) for x in np.asarray(dw(4 * [float(gold)], _floats(shares)))]


@named
def equal_for_two_classes() -> bool:
    """Whether NMD, RNOD and RSNOD are the difference of the shares, for tenths of two classes."""
    return all(
        abs(f([g / 10, 1 - g / 10], [p / 10, 1 - p / 10]) - abs(g - p) / 10) < 1e-12
        for f in (nmd, rnod, rsnod)
        for g in range(11)
        for p in range(11)
    )


@named
def whole_numbers(text: str) -> list[int]:
    """Return whole numbers that commas separate."""
    return [int(number) for number in text.split(",")]


@named
def tables_below(most: Decimal, numbers: Sequence[Decimal]) -> list[int]:
    """Return which of eight tables of five numbers have all below one."""
    return [i for i in range(8) if max(numbers[5 * i : 5 * i + 5]) < most]


@named
def same_measures_and_runs(place: str, texts: Sequence[str]) -> bool:
    """Whether two sentences on STC-3 DQ-A name the same two sets of measures and two runs."""
    measures = [{*_capitals(text)} for text in texts]
    runs = [text.partition("_")[2] for text in texts]
    here = "STC-3 DQ-A" in place
    return here and measures[:2] == measures[4:6] and runs[2:4] == runs[6:]


@named
def third_is_most(totals: Sequence[Decimal]) -> bool:
    """Whether the third of some numbers is above all others."""
    return totals[2] > max([*totals[:2], *totals[3:]])


@named
def all_four_pairs(pairs: Sequence[str], first: str, second: str) -> bool:
    """Whether pairs are those of two sets, each of which names two subtasks in brackets."""
    both = [(first[:-5], first[-4:-1:2]), (second[:-5], second[-4:-1:2])]
    (g, ends), (h, others) = both
    return {*pairs} == {f"{g}{x} vs. {h}{y}" for x in ends for y in others}


@named
def measures_with_any(counts: Sequence[str]) -> int:
    """Return how many measures have a count that is not 0, in rows of five."""
    names = ["RSNOD", "RNOD", "NVD", "RNSS", "JSD"] * 5
    return len({name for name, count in zip(names, counts, strict=False) if int(count)})


@named
def initials(texts: Sequence[str]) -> str:
    """Return the initials of names, without their brackets."""
    return " ".join("".join(re.findall(r"\b[A-Z]", text.partition("(")[0])) for text in texts)


@named
def ordinal_then_nominal(texts: Sequence[str]) -> bool:
    """Whether the first three say ordinal and the next three nominal."""
    return [text.split()[0] for text in texts] == 3 * ["Ordinal"] + 3 * ["Nominal"]


@named
def pairs_of_sizes(formula: str, texts: Sequence[str]) -> bool:
    """Whether the printed formula gives the four printed numbers of pairs."""
    sides = zip(texts[:4], texts[4:], strict=False)
    return all(arithmetic(formula.split("=")[1], m_D=int(x)) == int(y) for x, y in sides)


@named
def percentage(formula: str, a: str, b: str, c: str) -> float:
    """Return the value of a printed formula of a, b and c, in per cent with one decimal."""
    return round(100 * arithmetic(formula, a=int(a), b=int(b), c=int(c)), 1)


@named
def od_of_two_classes(formula: str, golds: Sequence[float]) -> bool:
    """Whether each side of a printed formula is OD, for some gold and estimates of two classes."""

    def side(text: str, g: float, p: float) -> float:
        first, second = np.asarray(dw([g, 1 - g], [p, 1 - p]))[:2]
        names = {"p_1": p, "p_2": 1 - p, "p_1s": g, "p_2s": 1 - g}
        return arithmetic(text, DW_1=first, DW_2=second, **names)

    return all(
        abs(side(text, g, p) - od([g, 1 - g], [p, 1 - p])) < 1e-12
        for text in formula.split("=")
        for g in golds
        for p in (0, 0.2, 0.5, 1)
    )


@named
def terms(formula: str) -> str:
    """Return the numbers of the DW that a formula names."""
    return "".join(re.findall(r"DW_(\d)", formula))


@named
def same_nmd(gold: str, shares: Sequence[str]) -> bool:
    """Whether two estimates of four equal classes have the same NMD."""
    first, second = (nmd(4 * [float(gold)], _floats(part)) for part in (shares[:4], shares[4:]))
    return bool(abs(first - second) < 1e-12)


@named
def nominal_measures_see_no_order() -> bool:
    """Whether a near and a far one-class estimate score 1 by the nominal measures."""
    estimates = ([0, 0, 0, 1, 0], [1, 0, 0, 0, 0])
    return all(f([0, 0, 0, 0, 1], p) == 1 for f in (nvd, rnss, jsd) for p in estimates)


@named
def od_is_symmetric_for_one_class() -> bool:
    """Whether OD is symmetric where gold and estimate are one class each."""
    ends = np.eye(3)
    return all(od(g, p) == od(p, g) for g in ends for p in ends)
