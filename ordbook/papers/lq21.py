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
from ordbook.measures import QUANTIFICATION
from ordbook.meta.agreement import score_deltas, topic_wins
from ordbook.meta.discrimination import contradictions, discriminative_power, significance_overlap
from ordbook.meta.seeds import Spread, over_seeds
from ordbook.meta.significance import tukey_hsd
from ordbook.papers.comparison import Ours
from ordbook.papers.dialeval1 import means_of_overview
from ordbook.papers.draws import Draws, Seen, committed
from ordbook.papers.kinds.correlations import pairs_of
from ordbook.papers.kinds.sizes import of_catalogue
from ordbook.papers.relations import (
    SIZE,
    Cell,
    CheckResult,
    Printed,
    Relation,
    all_beside,
    beside,
    condition,
    counted,
)
from ordbook.papers.tables import LQ21

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
        *_contradictions(printed),
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


def both(means: ArrayLike, counts: Sequence[int]) -> tuple[int, int]:
    """Return how many pairs of runs two measures can both find significant: least and most.

    The S significant pairs of a Tukey HSD test are those with the largest differences of means.
    ``means`` (runs, 2) are in whole units of their last digit, and each may be off by half a unit;
    ``counts`` is S of both measures.

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


# The panels of Figures 1 and 2.
PANELS = [("NMD", other) for other in ("NVD", "RNSS", "JSD", "RNOD")]
PANELS += [("RNOD", other) for other in ("NVD", "RNSS", "JSD")]


@cache
def _deltas() -> pd.DataFrame:
    return score_deltas(score(load("stc3-dq-a"), list(SIX)), "BL-popularity", "BL-uniform")


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
