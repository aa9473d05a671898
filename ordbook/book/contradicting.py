"""Contradictions between measures: those that LQ'21 lists beside those that runs show.

Contents
--------
submitted        scores without the systems of this project
doubled          scores with both baselines twice, as a Chinese and as an English run
printed_pairs    Table 6 of LQ'21, a row for each pair of runs that Table 5 counts
families         contradictions by pair of runs, duplicates taken together
listed           Table 6 beside what a twin shows -> Table
counted          how many contradictions are printed, how many a twin has, and how many are the same
overlaps         SSO before and after contradictions are removed, printed and of a twin
"""

import re
from collections.abc import Mapping
from dataclasses import replace

import pandas as pd

from ordbook.book import show
from ordbook.data.printed import printed_values
from ordbook.data.scores import ScoreMatrix
from ordbook.data.tasks import BASELINES
from ordbook.data.twin_targets import SIX
from ordbook.meta.discrimination import contradictions, significance_overlap
from ordbook.meta.significance_tests import SignificanceTests

PAPER = "lq21"
OURS = "ours-"
# Part of Table 5 and of Table 6 -> data set and the part of Table 4 that counts the same pairs.
PARTS: Mapping[str, tuple[str, str]] = {
    "I": ("STC-3 DQ-A", "4c"),
    "II": ("STC-3 DQ-S", "4e"),
    "III": ("DialEval-1 DQ-A", "4f"),
    "IV": ("DialEval-1 DQ-E", "4g"),
    "V": ("DialEval-1 DQ-S", "4h"),
}
_COLUMNS = ["first", "second", "better", "worse"]


def submitted(scores: ScoreMatrix) -> ScoreMatrix:
    """Return the scores without the systems that this project trained."""
    return _runs(scores, [run for run in scores.runs if not run.startswith(OURS)])


def doubled(scores: ScoreMatrix) -> ScoreMatrix:
    """Return the scores with both baselines twice, as the NTCIR tasks have them in two languages.

    The copies stand last, and have ``-C`` and ``-E`` after their names. Where runs of these names
    are there already, they stay as they are.

    Raises
    ------
    ValueError
        If a baseline is not among the runs.
    """
    if missing := set(BASELINES) - set(scores.runs):
        raise ValueError(f"{scores.task}: no run {sorted(missing)[0]!r}; add the baselines first")
    rest = [run for run in scores.runs if run not in BASELINES]
    copies = [f"{run}-{letter}" for letter in "CE" for run in BASELINES]
    if set(copies) & set(rest):
        return _runs(scores, rest)
    return _runs(scores, [*rest, *BASELINES, *BASELINES], [*rest, *copies])


def _runs(scores: ScoreMatrix, runs: list[str], names: list[str] | None = None) -> ScoreMatrix:
    at = [scores.runs.index(run) for run in runs]
    return replace(scores, values=scores.values[:, :, at], runs=tuple(names or runs))


def printed_pairs(part: str) -> pd.DataFrame:
    """Return a part of Table 6, a row for each pair of runs and of measures that Table 5 counts.

    Parameters
    ----------
    part
        ``"I"`` to ``"V"``.

    Returns
    -------
    DataFrame
        first, second (measures), better, worse (runs, by the first), as
        :func:`ordbook.meta.discrimination.contradictions` has them. Runs are without the prefix
        of the subtask, ``A_BL-uniform-C`` is ``BL-uniform-C``.
    """
    if part not in PARTS:
        raise ValueError(f"no part {part!r} of Table 6; there are {', '.join(PARTS)}")
    rows = []
    lines = printed_values(PAPER, f"6{part}").pivot_table(
        index="row", columns="column", values="printed", aggfunc="first", sort=False
    )
    for line in lines.to_dict("records"):
        first, second = (_measures(line[f"Measure {k}"]) for k in (1, 2))
        better, worse = (_expanded(line[f"Run {k}"]) for k in (1, 2))
        rows += [(m, n, b, w) for m in first for n in second for b in better for w in worse]
    return pd.DataFrame(rows, columns=_COLUMNS)


def _measures(text: str) -> list[str]:
    return re.findall(r"[A-Z]{3,}", text)


def _expanded(run: str) -> list[str]:
    """``A_BL-uniform-{C,E}`` -> both runs, without the prefix of the subtask."""
    name = run.partition("_")[2]
    stem, braces, _ = name.partition("{")
    return [f"{stem}{letter}" for letter in "CE"] if braces else [name]


def families(found: pd.DataFrame) -> pd.Series:
    """Take contradictions together by pair of runs; the baselines of both languages are one run.

    Parameters
    ----------
    found
        With the columns first, second, better, worse.

    Returns
    -------
    Series
        "better > worse" -> which measures say so, and after a colon which contradict them.
    """
    frame = found[_COLUMNS].astype(str)
    for side in ("better", "worse"):
        frame[side] = frame[side].str.replace(
            rf"^({'|'.join(BASELINES)})-[CE]$", r"\1-{C,E}", regex=True
        )
    texts = {}
    for (better, worse), group in frame.groupby(["better", "worse"], sort=True):
        against: dict[tuple[str, ...], list[str]] = {}
        for first, own in group.groupby("first", sort=False):
            others = tuple(sorted(set(own["second"]), key=_place))
            against.setdefault(others, []).append(str(first))
        texts[f"{better} > {worse}"] = "; ".join(
            f"{', '.join(firsts)}: {', '.join(seconds)}" for seconds, firsts in against.items()
        )
    return pd.Series(texts, dtype=object)


def _place(measure: str) -> tuple[int, str]:
    """Sort the paper's measures as the paper does, others after them."""
    return (SIX.index(measure) if measure in SIX else len(SIX)), measure


def listed(tests: Mapping[str, SignificanceTests], caption: str, name: str = "") -> show.Table:
    """Show parts of Table 6 beside the contradictions between the runs of twins.

    Parameters
    ----------
    tests
        Part of the table -> tests of the twin that stands for its runs.
    caption, name
        As for :func:`ordbook.book.show.table`; the caption begins with SIMULATED.
    """
    parts = []
    for part, test in tests.items():
        sides = {
            "printed": families(printed_pairs(part)),
            "simulated": families(contradictions(test)),
        }
        frame = pd.DataFrame(sides).fillna("none")
        parts.append(frame.set_axis([f"({part}) {pair}" for pair in frame.index]))
    return show.table(pd.concat(parts), f"SIMULATED: {caption}", name, stub="runs, better > worse")


def counted(tests: Mapping[str, SignificanceTests]) -> pd.DataFrame:
    """Count contradictions, each a pair of measures on a pair of runs, as Table 5 does.

    Returns
    -------
    DataFrame
        By part: printed, simulated, and in both.
    """
    rows = {}
    for part, test in tests.items():
        printed, simulated = (
            set(frame[_COLUMNS].itertuples(index=False, name=None))
            for frame in (printed_pairs(part), contradictions(test))
        )
        rows[part] = (len(printed), len(simulated), len(printed & simulated))
    return pd.DataFrame.from_dict(rows, orient="index", columns=["printed", "simulated", "in both"])


def overlaps(tests: Mapping[str, SignificanceTests]) -> pd.DataFrame:
    """Compute SSO before and after contradictions are removed, wherever Table 5 prints some.

    Parameters
    ----------
    tests
        Part of Table 5 -> tests of the twin that stands for its runs; others are as printed.

    Returns
    -------
    DataFrame
        By data set and pair of measures, in percent: "printed" (Table 4) and "printed, without"
        (from the counts of Tables 4 and 5: b less the contradictions), and the same of the twin.
    """
    rows = {}
    for part, (data, table) in PARTS.items():
        cells = printed_values(PAPER, table).set_index(["row", "column"])["printed"]
        clashes = printed_values(PAPER, f"5{part}").astype({"printed": int})
        twin = significance_overlap(tests[part]).to_dict("index") if part in tests else None
        for cell in clashes[clashes["printed"] > 0].itertuples(index=False):
            first, second = str(cell.row), str(cell.column)
            a, b, c = (int(cells[first, f"{second} {key}"]) for key in "abc")
            left = b - int(str(cell.printed))
            row = {
                "printed": float(cells[first, f"{second} SSO"]),
                "printed, without": 100 * left / (a + left + c),
            }
            if twin is not None:
                found = twin[first, second]
                row["SIMULATED"] = 100 * found["overlap"]
                row["SIMULATED, without"] = 100 * found["overlap_agreeing"]
            rows[f"{data}: {first}, {second}"] = row
    return pd.DataFrame.from_dict(rows, orient="index")
