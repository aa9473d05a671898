"""The results of a shared task in files: what stands in each, and what it says about itself."""

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from platform import python_version
from typing import Any

import numpy as np
import pandas as pd

import ordbook
from ordbook.advice.choose import choose_primary
from ordbook.advice.duplicates import named as copies
from ordbook.data.checking import CONVENTIONAL, by_convention, tied_by_kappa
from ordbook.data.scores import ScoreMatrix
from ordbook.files import write_files
from ordbook.meta.people import has_annotators, human_ceiling, people_note
from ordbook.meta.rankings import better_than, decided_pairs
from ordbook.meta.significance import SURE, SignificanceTests
from ordbook.report.leaderboard import leaderboard
from ordbook.report.results import MOST_LISTED, Results, results
from ordbook.show.escape import escape_cell, escape_latex
from ordbook.words import counted

SUMMARY = "summary.json"
KIND = "results by 'ordbook score'"
LIBRARIES = ("numpy", "scipy", "pandas", "numba")
# Below a table stand so many pairs that are open.
MOST_OPEN = 10
# Lines that fit a page of LaTeX, and letters that fit a line of a wide column.
PAGE, LINE = 45, 85
FILES = """\
- `scores.csv`: every score: measure, topic, run, score; `scores.json`: directions and checksums
- `overview.md`, `overview.tex`: one table of all runs by all measures, with ranks and medians
- `results/`: a table of the runs per measure, in CSV, Markdown and LaTeX (booktabs)
- `significance/`: which runs are significantly better than which, where there is a test; of more
  than 100 runs `significance.npz` instead: NumPy arrays `p` (measure, run, run), `measures`, `runs`
- `leaderboard.html`: all runs and measures on a page that sorts and filters
- `people.csv`: each annotator held against the others, and the runs on the same gold, where the
  ratings behind the gold labels are known
- `summary.json`: all of this for programs, with checksums of the files that were read

CSV files hold every name as it is. If you do not trust the names of runs, open the Markdown and not
the CSV: a spreadsheet takes a name that begins with =, +, - or @ for a formula.
"""


@dataclass(frozen=True)
class Sheet:
    """A table of plain text; what writes it escapes every cell.

    Attributes
    ----------
    caption, notes
        Sentences above and below.
    table
        Of text.
    label
        For references in LaTeX: letters, digits, dots, hyphens and colons.
    """

    caption: str
    table: pd.DataFrame
    notes: Sequence[str]
    label: str

    @property
    def columns(self) -> str:
        """Their alignment: a letter each, ``r`` of numbers, ``l``, or ``p`` of long text."""
        cells = {name: self.table[name].map(str) for name in self.table}
        return "".join(
            "p" if str(name).endswith("these runs") else "r" if _numbers(column) else "l"
            for name, column in cells.items()
        )


def write_results(
    folder: Path,
    scores: ScoreMatrix,
    tests: SignificanceTests | None,
    *,
    primary: str = "auto",
    own: Mapping[str, str] | None = None,
    **options: Any,
) -> dict[str, Any]:
    """Write scores and official tables into a folder: the same scores and tests, the same bytes.

    Parameters
    ----------
    folder
        It gets scores.csv and scores.json; results/ and significance/ with a CSV, a Markdown and a
        LaTeX file per measure; leaderboard.html; summary.json; README.md, which says what each
        file is.
    scores, tests, options
        As for :func:`ordbook.report.results.results`.
    primary
        The measure whose ranking stands in README.md; ``auto`` is the first of
        :func:`ordbook.advice.choose.recommended`.
    own
        Measures of the reader's: where each comes from -> sha256 of the file.

    Returns
    -------
    dict
        What summary.json holds.

    Raises
    ------
    ValueError
        If a choice is not possible.
    """
    main = choose_primary(scores, options.get("task"), primary)
    found = results(scores, tests, **options)
    task = options.get("task")
    ceiling = human_ceiling(task, options.get("measures")) if has_annotators(task) else None
    stems = file_stems(scores.measures)
    summary = _summary(found, main, stems, task, dict(own or {}))
    people = {}
    if has_annotators(task) and ceiling is not None:
        summary["notes"].append(people_note(task, ceiling, main, scores.better[main]))
        people = {"people.csv": ceiling.to_csv(index_label="name", lineterminator="\n")}
    elif has_annotators(task):
        summary["notes"].append(
            "people are not scored beside the runs: nobody shares items with others, or each has "
            "one rating a topic, which is no distribution."
        )
    first = ranking_sheet(found, main, stems[main])
    texts = {"README.md": _readme(summary, first, found), **people}
    texts[SUMMARY] = json.dumps(summary, indent=1, ensure_ascii=False) + "\n"
    texts["leaderboard.html"] = leaderboard(summary)
    for measure, stem in stems.items():
        sheets = {"results": (found.rankings[measure], ranking_sheet(found, measure, stem))}
        if measure in found.pairs and tests is not None:
            sheet = significance_sheet(found, tests, measure, stem)
            sheets["significance"] = found.pairs[measure], sheet
        for kind, (frame, sheet) in sheets.items():
            texts[f"{kind}/{stem}.csv"] = frame.to_csv(index=False, lineterminator="\n")
            texts[f"{kind}/{stem}.md"] = as_markdown(sheet)
            texts[f"{kind}/{stem}.tex"] = as_latex(sheet)
    if tests is not None and not found.pairs:
        np.savez_compressed(
            folder / "significance.npz",
            measures=np.array(scores.measures),
            runs=np.array(scores.runs),
            trials=tests.trials.to_numpy(),
            p=np.stack([tests.p[measure].to_numpy() for measure in scores.measures]),
        )
    overview = overview_sheet(found, main)
    texts |= {"overview.md": as_markdown(overview), "overview.tex": as_latex(overview)}
    scores.save(folder / "scores.csv")
    write_files(folder, texts)
    return summary


def _summary(
    found: Results, main: str, stems: Mapping[str, str], task: object, own: dict[str, str]
) -> dict[str, Any]:
    """Return what summary.json holds: of all runs together, also where they are ranked apart."""
    scores, tests = found.scores, found.tests
    return {
        "kind": KIND,
        "task": scores.task,
        "source": scores.source,
        "topics": len(scores.topics),
        "unit": found.unit,
        "runs": list(scores.runs),
        "groups": pd.DataFrame(found.known).to_dict("index"),
        "by_group": found.split,
        "primary": main,
        "alpha": found.alpha,
        "interval": found.interval,
        "level": found.level,
        "test": tests.method if tests else None,
        "trials": int(tests.trials.max()) if tests else 0,
        "seed": tests.seed if tests else None,
        "pairs": len(scores.runs) * (len(scores.runs) - 1) // 2,
        "measures": {
            measure: {"better": scores.better[measure], "file": stem, **dict(_told(found, measure))}
            for measure, stem in stems.items()
        },
        "identical": [list(same) for same in found.identical],
        "notes": [
            *scores.provenance.notes,
            *(tied_by_kappa(task) if "kappa" in scores.measures else ()),
            *(by_convention(task) if {*CONVENTIONAL} & {*scores.measures} else ()),
            *(tests.notes if tests else ()),
            *doubles(found),
            *([found.without] if found.without else []),
        ],
        "inputs": dict(scores.provenance.files),
        "own_measures": own,
        "versions": {
            "ordbook": ordbook.__version__,
            "python": python_version(),
            **{library: version(library) for library in LIBRARIES},
        },
    }


def _told(found: Results, measure: str) -> Iterator[tuple[str, Any]]:
    """Yield what the tests by a measure found, and its ranking."""
    tests, listed = found.tests, len(found.scores.runs) <= MOST_LISTED
    counts, beaten = {}, {}
    if tests is not None:
        better, undecided = decided_pairs(tests, measure, found.alpha)
        counts = dict(zip(tests.runs, better.sum(axis=1).tolist(), strict=True))
        yield "trials", int(tests.trials[measure])
        yield "significant_pairs", int(better.sum())
        yield "open", int(undecided.sum()) // 2
        if listed:
            pairs = better_than(tests, measure, found.alpha)
            beaten = pairs.groupby("better")["worse"].agg(list).to_dict()
            p = tests.p[measure].to_numpy()
            yield (
                "open_pairs",
                [
                    {"first": tests.runs[i], "second": tests.runs[j], "p": float(p[i, j])}
                    for i, j in np.argwhere(np.triu(undecided)).tolist()
                ],
            )
    rows = []
    table = found.rankings[measure].sort_values("rank", kind="stable")
    for row in table[["rank", "run", "mean", "low", "high"]].to_dict("records"):
        ends = {end: None if row[end] != row[end] else row[end] for end in ("low", "high")}
        more: dict[str, object] = {"beats": counts[row["run"]]} if counts else {}
        if counts and listed:
            more["better_than"] = beaten.get(row["run"], [])
        rows.append(row | ends | more)
    yield "ranking", rows


def ranking_sheet(found: Results, measure: str, stem: str) -> Sheet:
    """Lay out the runs by one measure."""
    scores, table = found.scores, found.rankings[measure]
    digits = decimals(table["mean"])
    share, kind = f"{100 * found.level:g}%", found.interval_name.partition(",")[0]
    shown = pd.DataFrame({"rank": table["rank" if found.split is None else "rank_in_group"]})
    facts = sorted(found.known, key=lambda fact: fact != found.split)
    shown[["run", *facts]] = table[["run", *facts]]
    shown[f"mean {measure}"] = [f"{mean:.{digits}f}" for mean in table["mean"]]
    shown[f"{share} {kind} interval" if found.unit else "interval"] = [
        "none" if low != low else f"[{low:.{digits}f}, {high:.{digits}f}]"
        for low, high in table[["low", "high"]].itertuples(index=False)
    ]
    notes = [_ranking_note(found, share)]
    if found.without:
        notes.append(found.without)
    if found.tests is not None:
        shown["better than"] = table["better_than"]
        notes.append(f"'Better than' counts runs that are significantly worse. {test_note(found)}")
    if found.identical:
        shown["identical to"] = table["identical_to"]
    lower = "lower" if scores.better[measure] == "low" else "higher"
    topics = f"means over {len(scores.topics)} topics" if len(scores.topics) > 1 else "one topic"
    caption = f"{scores.task}: runs by {measure} ({lower} is better), {topics}"
    label = f"tab:results-{stem.replace('_', '-')}"
    return Sheet(caption, shown, [*notes, *_below(found, measure)], label)


def overview_sheet(found: Results, main: str) -> Sheet:
    """Lay out all runs by all measures, with ranks, as overview papers print them."""
    names = [main, *(name for name in found.scores.measures if name != main)]
    tables = {name: found.rankings[name].set_index("run") for name in names}
    runs = tables[main].sort_values("rank", kind="stable").index
    baseline = runs.map(is_baseline).to_numpy(dtype=bool)
    shown = pd.DataFrame(
        {"run": [f"{run} *" if mark else run for run, mark in zip(runs, baseline, strict=True)]}
    )
    last = {"run": "median"}
    for name, table in tables.items():
        table, digits = table.loc[runs], decimals(table["mean"])
        head = f"{name} {'(low)' if found.scores.better[name] == 'low' else '(high)'}"
        pairs = zip(table["mean"], table["rank"], strict=True)
        shown[head] = [f"{mean:.{digits}f} ({rank})" for mean, rank in pairs]
        kept = table["mean"] if baseline.all() else table["mean"][~baseline]
        last[head] = f"{kept.median():.{digits}f}"
    shown = pd.concat([shown, pd.DataFrame([last])], ignore_index=True)
    notes = ["Mean scores with ranks; 'low' or 'high' scores are better. Last row: the median run."]
    if baseline.any():
        notes = [
            f"{notes[0]} * Baselines, which the medians leave out unless there is nothing else."
        ]
    caption = f"{found.scores.task}: all runs by all measures"
    return Sheet(caption, shown, [*notes, *doubles(found)], "tab:overview")


def is_baseline(run: str) -> bool:
    """Tell whether a run calls itself a baseline.

    Examples
    --------
    >>> [is_baseline(run) for run in ("BL-uniform", "my_baseline", "team-1")]
    [True, True, False]
    """
    return run.startswith("BL-") or "baseline" in run.lower()


def significance_sheet(found: Results, tests: SignificanceTests, measure: str, stem: str) -> Sheet:
    """Lay out which runs are significantly better than which, as DialEval-1 does."""
    facts = sorted(found.known, key=lambda fact: fact != found.split)
    rows: list[list[object]] = []
    for better, worse in found.pairs[measure].groupby("better", sort=False):
        trials = int(tests.trials[measure])
        each = worse[["worse", "p", "effect_size", "open"]].itertuples(index=False)
        told = [one_of_the_worse(run, p, size, left, trials) for run, p, size, left in each]
        known = [found.known[fact][str(better)] for fact in facts]
        rows.append([str(better), *known, len(told), "; ".join(told)])
    shown = pd.DataFrame(
        rows or [["none", *[""] * len(facts), 0, ""]],
        columns=["run", *facts, "number", "significantly better than these runs"],
    )
    order = "Rows go from the best run down, and within a row from the closest run to the farthest."
    if found.unit == "topics":
        order += " ES: difference of the means in standard deviations, by V_E1 as in DialEval-1."
    return Sheet(
        f"{found.scores.task}: significance in terms of {measure}",
        shown,
        [f"{order} {test_note(found)}", *_below(found, measure)],
        f"tab:significance-{stem.replace('_', '-')}",
    )


def _ranking_note(found: Results, share: str) -> str:
    """Say what the ranks and the intervals are."""
    kinds = {
        "": "There are no intervals, because there is a single topic.",
        "items": f"The intervals are {share} bootstrap intervals over the items, because there is "
        "a single topic.",
        "topics": f"The intervals are {share} t intervals of each mean over "
        f"{len(found.scores.topics)} topics.",
    }
    hsd = found.unit == "topics" and found.interval == "hsd"
    note = "" if found.without else kinds[found.unit]
    if hsd:
        note = (
            f"The intervals are {share} HSD intervals (simultaneous, from the studentised range "
            "and V_E2): two of them overlap where the parametric Tukey HSD test finds no "
            "difference."
        )
    if found.tests is not None and not hsd:
        note += (
            f" They do not tell whether two runs differ, because all runs have the same "
            f"{found.unit}: the tables of significance tell."
        )
    ranks = f" Ranks are within each {found.split}." if found.split else ""
    return f"Runs with equal means share a rank.{ranks} {note}".rstrip()


def test_note(found: Results) -> str:
    """Say which test was made."""
    tests = found.tests
    if tests is None:
        return "There is no test: it needs two runs, and two topics or items."
    over = " over items" if found.unit == "items" else ""
    test = "parametric Tukey HSD test"
    if tests.method == "randomised":
        test = f"randomised Tukey HSD test{over}, {tests.size}, seed {tests.seed}"
    said = f"p below {found.alpha:g} by the {test}, of all {len(tests.runs)} runs together."
    if tests.method == "randomised":
        said += (
            " For each measure, more trials would change a decision with a probability below "
            f"{100 * (1 - SURE):g}%; undecided pairs are {'listed' if found.pairs else 'counted'}."
        )
    return said + (f" Only runs of the same {found.split} are compared." if found.split else "")


def _below(found: Results, measure: str) -> list[str]:
    """Return what stands below every table of a measure, besides how it was made."""
    undecided = found.open[found.open["measure"] == measure]
    lines = [*doubles(found)]
    if found.tests is not None and len(undecided):
        lines.insert(0, listed_open(undecided, found.alpha, found.tests))
    return lines + [note for note in found.scores.provenance.notes if note.startswith("run ")]


def listed_open(pairs: pd.DataFrame, alpha: float, tests: SignificanceTests) -> str:
    """List the pairs of a measure that are open, those next to alpha first."""
    nearest = pairs.iloc[(pairs["p"] - alpha).abs().argsort(kind="stable")[:MOST_OPEN]]
    listed = [f"{one.first} and {one.second} (p = {one.p:.5f})" for one in nearest.itertuples()]
    if more := len(pairs) - len(listed):
        listed.append(f"{more} more")
    trials = tests.trials[pairs["measure"].iloc[0]]
    return f"Undecided after {trials:,} trials: {'; '.join(listed)}."


def doubles(found: Results) -> list[str]:
    """Point out runs that are the same, and how many pairs there would be without doubles."""
    if not found.identical:
        return []
    runs = len(found.scores.runs)
    left = runs - sum(len(same) - 1 for same in found.identical)
    said = [f"{one}." for one in copies(found.identical)]
    if left < 2:
        return said
    return [
        *said,
        f"Identical runs inflate the number of run pairs: {runs * (runs - 1) // 2}, and "
        f"{left * (left - 1) // 2} among the {left} different runs.",
    ]


def _readme(summary: Mapping[str, Any], first: Sheet, found: Results) -> str:
    """Say what each file is, how it was made and from what."""
    shown = escape_cell
    measures = []
    for name, about in summary["measures"].items():
        said = [] if name == about["file"] else [f"files named {about['file']}"]
        if summary["test"]:
            pairs = counted(summary["pairs"], "run pair")
            said.append(f"{about['significant_pairs']} of {pairs} differ significantly")
        if about.get("open"):
            said.append(f"{counted(about['open'], 'pair')} undecided")
        measures.append(f"- {shown(name)}{': ' if said else ''}{'; '.join(said)}")
    further = [f"- {shown(note)}" for note in summary["notes"] if note not in first.notes]
    if not summary["test"] and not found.without:
        further.append(f"- {test_note(found)}")
    text = [
        f"# Results of {shown(summary['task'])}\n",
        f"{counted(len(summary['runs']), 'run')} on {counted(summary['topics'], 'topic')}, "
        f"written by ordbook {summary['versions']['ordbook']}. The primary measure is "
        f"{shown(summary['primary'])}.\n",
        as_markdown(first, "##"),
        f"## Files\n\n{FILES}",
        *("## Measures\n", *measures, ""),
        *(["## Notes\n", *further, ""] if further else []),
        "Versions: "
        + ", ".join(f"{name} {number}" for name, number in summary["versions"].items()),
    ]
    return "\n".join(text) + "\n"


def as_markdown(sheet: Sheet, heading: str = "#") -> str:
    """Return a page with the caption as its heading."""
    notes = "\n".join(f"- {escape_cell(note)}" for note in sheet.notes)
    table = markdown_table(sheet.table, sheet.columns)
    return f"{heading} {escape_cell(sheet.caption)}\n\n{table}\n{notes}\n"


def markdown_table(table: pd.DataFrame, columns: str = "") -> str:
    """Return a table of text in Markdown; ``columns`` holds an ``r`` for those to be aligned so."""
    rule = ["---:" if letter == "r" else ":---" for letter in columns.ljust(len(table.columns))]
    rows = [map(escape_cell, row) for row in table.itertuples(index=False)]
    lines = [map(escape_cell, table), rule, *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def as_latex(sheet: Sheet) -> str:
    r"""Return a ``table`` with a ``tabular``, or a ``longtable`` where one page would not hold it.

    The first line says which packages it needs.
    """
    rows = [list(map(str, row)) for row in sheet.table.itertuples(index=False)]
    long = sum(max(-(-len(cell) // LINE) or 1 for cell in row) for row in rows) > PAGE
    columns = sheet.columns.replace("p", r"p{0.6\linewidth}")
    head = "\n".join([r"\toprule", _latex_row(sheet.table), r"\midrule"])
    body = "\n".join([*map(_latex_row, rows), r"\bottomrule"])
    caption = rf"\caption{{{escape_latex(sheet.caption)}}}\label{{{sheet.label}}}"
    notes = "\n".join([r"\par\medskip", *(rf"{escape_latex(note)}\par" for note in sheet.notes)])
    packages = "booktabs,longtable" if long else "booktabs"
    text = [rf"% Needs \usepackage{{{packages}}}; names beyond Latin letters need XeLaTeX."]
    size = r"\tiny\setlength{\tabcolsep}{3pt}" if len(sheet.columns) > 8 else r"\footnotesize"
    if long:
        text += [
            rf"\begingroup{size}",
            rf"\begin{{longtable}}{{{columns}}}",
            rf"{caption} \\",
        ]
        text += [head, r"\endhead", body, r"\end{longtable}", notes, r"\endgroup"]
    else:
        text += [r"\begin{table}[tbp]", rf"\centering{size}", caption]
        text += [rf"\begin{{tabular}}{{{columns}}}", head, body, r"\end{tabular}"]
        text += [notes, r"\end{table}"]
    return "\n".join(text) + "\n"


def _latex_row(cells: Iterable[object]) -> str:
    return rf"{' & '.join(map(escape_latex, cells))} \\"


def _numbers(column: pd.Series) -> bool:
    return bool(column.str.fullmatch(r"-?[0-9.]+").all())


def one_of_the_worse(
    run: object, p: float, effect_size: float, undecided: bool, trials: int
) -> str:
    """Say that a run is significantly worse than another, as DialEval-1 prints it.

    Examples
    --------
    >>> one_of_the_worse("BL-uniform", 0.0, 1.2153, False, 5000)
    'BL-uniform (p < 0.0002, ES = 1.215)'
    """
    digits = min(5, max(2, len(str(trials - 1)))) if trials else 4
    least = max(1 / trials if trials else 0, 10.0**-digits)
    shown = f"p = {p:.{digits}f}" if p >= least else f"p < {least:.{digits}f}"
    size = "" if effect_size != effect_size else f", ES = {effect_size:.3f}"
    return f"{run} ({shown}{size}{', open' if undecided else ''})"


def decimals(means: Iterable[float]) -> int:
    """Return 4, or more where all means are small.

    Examples
    --------
    >>> decimals([0.5, 0.25]), decimals([3e-6, 1e-6])
    (4, 8)
    """
    largest = max(map(abs, means))
    return 4 if largest == 0 else max(4, 2 - math.floor(math.log10(largest)))


def file_stems(names: Sequence[str]) -> dict[str, str]:
    """Give each name a file name without extension, which every system takes.

    Examples
    --------
    >>> file_stems(["MAE_M", "mae/m", "../X", "x", "con"])
    {'MAE_M': 'MAE_M', 'mae/m': 'mae-m', '../X': 'X', 'x': 'x-2', 'con': 'con-2'}
    """
    stems: dict[str, str] = {}
    taken = {"con", "prn", "aux", "nul"}  # Windows keeps these names for devices
    for name in names:
        stem = first = re.sub(r"[^A-Za-z0-9_-]+", "-", name).strip("-")[:60] or "measure"
        number = 1
        while stem.lower() in taken:
            number += 1
            stem = f"{first}-{number}"
        stems[name] = stem
        taken.add(stem.lower())
    return stems
