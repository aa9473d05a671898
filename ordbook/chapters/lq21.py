"""LQ'21: the figures of the story, and the values of ours for the record."""

import re
from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from ordbook.chapters.draws import Draws, committed
from ordbook.chapters.record import data_sets
from ordbook.data.loading import load
from ordbook.data.printed import printed_values
from ordbook.data.scores import ScoreMatrix
from ordbook.data.scoring import score
from ordbook.data.tasks import BASELINES
from ordbook.measures import QUANTIFICATION
from ordbook.meta.agreement import quadrants, score_deltas
from ordbook.meta.discrimination import contradictions, discriminative_power, significance_overlap
from ordbook.meta.seeds import Spread, over_seeds
from ordbook.meta.significance import tukey_hsd
from ordbook.papers.checks.recomputed import wins
from ordbook.papers.checks.tools import pairs_of
from ordbook.papers.comparison import Ours
from ordbook.papers.montecarlo import Seen
from ordbook.papers.relations import Cell
from ordbook.papers.symbols import SIX
from ordbook.show.two_runs import kinds_legend, panel

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


def doubled_counts() -> tuple[int, int]:
    """Count contradictions in :func:`doubled` DQ-A and DQ-S: how many as in Table 5, of how many.

    The pairs of measures of parts (I) and (II), whose counts are about these data.
    """
    same = []
    for part, name in (("I", "stc3-dq-a"), ("II", "stc3-dq-s")):
        twice = doubled(score(load(name), list(SIX)))
        counts = contradictions(tukey_hsd(twice, 5000)).groupby(["first", "second"]).size()
        for cell in printed_values("lq21", f"5{part}").itertuples():
            same.append(counts.get((cell.row, cell.column), 0) == int(str(cell.printed)))
    return sum(same), len(same)


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
    semeval = score(load("sem16t4e"), list(SIX))
    drawn = by_chance(seeds)
    tables: dict[str, Any] = {"3": {**drawn["3"]}, "4a": drawn["4a"], "7": wins()}
    pairs = len(semeval.runs) * (len(semeval.runs) - 1) // 2
    tables["3"] |= {("Sem16T4E", f"{name} T_D"): pairs for name in SIX}
    kinds = {True: "Ordinal", False: "Nominal"}
    known = {(m, "kind"): kinds[bool(QUANTIFICATION[m].ordinal)] for m in SIX}
    tables["1"] = {cell: f"{kind} quantification measures" for cell, kind in known.items()}
    return {**tables, "2": data_sets()}


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


def _panel_pairs() -> list[tuple[str, str]]:
    first, second = (
        [("NMD", other) for other in ("NVD", "RNSS", "JSD", "RNOD")],
        ("NVD", "RNSS", "JSD"),
    )
    return first + [("RNOD", other) for other in second]


def _deltas() -> pd.DataFrame:
    return score_deltas(score(load("stc3-dq-a"), list(SIX)), "BL-popularity", "BL-uniform")


def corners() -> pd.DataFrame:
    """Count the dialogues of STC-3 in the "2nd quadrant" and "4th quadrant" of :func:`panels`."""
    counts = {pair: quadrants(_deltas(), *pair) for pair in _panel_pairs()}
    rows = {pair: {"2nd": q.second, "4th": q.fourth} for pair, q in counts.items()}
    return pd.DataFrame.from_dict(rows, "index")


def panels() -> None:
    """Draw the panels of Figures 1 and 2 for STC-3 DQ-A: four with NMD, three with RNOD."""
    import matplotlib.pyplot as plt  # only this function draws

    figure, grid = plt.subplots(4, 2, figsize=(7.2, 11), layout="constrained")
    for axes, pair in zip(grid.flat, _panel_pairs(), strict=False):
        panel(axes, _deltas(), *pair, ("popularity", "uniform"))
    grid.flat[-1].set_visible(False)
    kinds_legend(figure)
