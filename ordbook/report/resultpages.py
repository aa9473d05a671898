"""The results of a shared task in files: what stands in each, and what it says about itself."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from platform import python_version
from typing import Any

import pandas as pd

import ordbook
from ordbook.advice.choose import default_primary
from ordbook.chapters.escape import escape_cell
from ordbook.data.checking import by_convention
from ordbook.data.names import counted
from ordbook.data.scores import ScoreMatrix
from ordbook.meta.discrimination import pairs_in_doubt
from ordbook.meta.rankings import better_than
from ordbook.meta.significance_tests import SURE, SignificanceTests
from ordbook.report.leaderboard import leaderboard
from ordbook.report.output import whole_folder
from ordbook.report.results import Results, results
from ordbook.report.resulttables import (
    Sheet,
    as_csv,
    as_latex,
    as_markdown,
    decimals,
    file_stems,
    one_of_the_worse,
)

SUMMARY = "summary.json"
CONVENTIONAL = {"kappa", "alpha_ord", "alpha_int"}
KIND = "results by 'ordbook score'"
LIBRARIES = ("numpy", "scipy", "pandas", "numba")
FORMULAS = (
    "In the CSV files of tables, text that a spreadsheet would take for a "
    "formula (it begins with =, +, -, @ or a tab, or such a part follows a semicolon) has an "
    "apostrophe before it: these are the tables to open in a spreadsheet. scores.csv keeps every "
    "name as it is, so that ordbook reads it again: do not open it in a spreadsheet if you do not "
    "trust the names."
)

# Below a table stand so many pairs that are open.
MOST_OPEN = 10


def write_results(
    out: str | Path,
    scores: ScoreMatrix,
    tests: SignificanceTests | None,
    *,
    primary: str | None = None,
    own: Mapping[str, str] | None = None,
    inputs: Iterable[str | Path] = (),
    overwrite: bool = False,
    **options: Any,
) -> dict[str, Any]:
    """Write scores and official tables into a folder, which appears whole or not at all.

    The same scores and tests give the same bytes.

    Parameters
    ----------
    out
        The folder: scores.csv and scores.json; results/ and significance/ with a CSV, a Markdown
        and a LaTeX file per measure; leaderboard.html; summary.json; README.md, which says what
        each file is.
    scores, tests, options
        As for :func:`ordbook.report.results.results`.
    primary
        The measure whose ranking stands in README.md; by default RNOD or kappa, which the
        papers recommend, else the first.
    own
        Measures of the reader's: where each comes from -> sha256 of the file, or nothing.
    inputs
        Files and folders that must not lie in ``out`` or around it.
    overwrite
        Whether a folder that is not empty is replaced.

    Returns
    -------
    dict
        What summary.json holds.

    Raises
    ------
    ValueError
        If a choice is not possible or the folder is not empty; nothing has changed then.
    """
    main = default_primary(scores.measures) if primary is None else primary
    if main not in scores.measures:
        raise ValueError(
            f"primary: {main!r} is not among the measures scored, {', '.join(scores.measures)}"
        )
    found = results(scores, tests, **options)
    notes, stems = explain(found), file_stems(scores.measures)
    texts: dict[str, str] = {}
    for measure, stem in stems.items():
        for kind, (frame, sheet) in _sheets(found, measure, notes, stem).items():
            texts[f"{kind}/{stem}.csv"] = as_csv(frame)
            texts[f"{kind}/{stem}.md"] = as_markdown(sheet)
            texts[f"{kind}/{stem}.tex"] = as_latex(sheet)
    summary = _summary(found, main, notes, stems, options.get("task"), dict(own or {}))
    first = ranking_sheet(found, main, notes, stems[main])
    texts["README.md"] = readme(summary, first, notes)
    texts[SUMMARY] = json.dumps(summary, indent=1, ensure_ascii=False) + "\n"
    texts["leaderboard.html"] = leaderboard(summary)
    with whole_folder(out, overwrite, inputs) as folder:
        scores.save(folder / "scores.csv")
        for name, text in texts.items():
            path = folder / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
    return summary


def _summary(
    found: Results,
    main: str,
    notes: "Notes",
    stems: Mapping[str, str],
    task: object,
    own: dict[str, str],
) -> dict[str, Any]:
    """Return what summary.json holds."""
    scores, tests = found.scores, found.tests
    better, undecided = {}, None
    if tests is not None:
        better = {name: better_than(tests, name, found.alpha) for name in scores.measures}
        undecided = pairs_in_doubt(tests, found.alpha, level=SURE)
    return {
        "kind": KIND,
        "task": scores.task,
        "source": scores.source,
        "topics": len(scores.topics),
        "unit": found.unit,
        "runs": list(scores.runs),
        "groups": found.known.to_dict("index") if len(found.known.columns) else {},
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
            measure: {
                "better": scores.better[measure],
                "file": stems[measure],
                **dict(_told(found, measure, better.get(measure), undecided)),
            }
            for measure in scores.measures
        },
        "identical": [
            {"runs": family["run"].tolist(), "same": family["same"].iloc[0]}
            for _, family in found.identical.groupby("set")
        ],
        "notes": [
            *scores.provenance.notes,
            *(by_convention(task) if CONVENTIONAL & set(scores.measures) else ()),
            *(tests.notes if tests else ()),
            *notes.identical,
        ],
        "inputs": dict(scores.provenance.files),
        "own_measures": own,
        "versions": {
            "ordbook": ordbook.__version__,
            "python": python_version(),
            **{library: version(library) for library in LIBRARIES},
        },
    }


def _told(
    found: Results, measure: str, better: pd.DataFrame | None, undecided: pd.DataFrame | None
) -> Iterator[tuple[str, Any]]:
    """Yield what the tests by a measure found, and its ranking, of all runs together."""
    beaten: dict[Any, list[str]] = {}
    if found.tests is not None and better is not None and undecided is not None:
        yield "trials", int(found.tests.trials[measure])
        yield "significant_pairs", len(better)
        mine = undecided.loc[undecided["measure"] == measure, ["first", "second", "p"]]
        yield "open_pairs", mine.to_dict("records")
        beaten = better.groupby("better")["worse"].agg(list).to_dict()
    rows = []
    table = found.rankings[measure].sort_values("rank", kind="stable")
    for row in table[["rank", "run", "mean", "low", "high"]].to_dict("records"):
        ends = {end: None if row[end] != row[end] else row[end] for end in ("low", "high")}
        more = {} if better is None else {"better_than": beaten.get(row["run"], [])}
        rows.append(row | ends | more)
    yield "ranking", rows


@dataclass(frozen=True)
class Notes:
    """What every table says about how it was made.

    Attributes
    ----------
    interval
        Name of the intervals, for heads of columns.
    ranking, significance
        Sentences below the tables.
    open
        By measure, a sentence on the pairs that the trials leave open, below its tables.
    identical
        Sentences on runs that are the same, below all tables.
    altered
        Sentences on runs that were left out or completed, below all tables.
    data
        What captions begin with: ``SIMULATED data: `` or nothing.
    """

    interval: str
    ranking: str
    significance: str
    open: Mapping[str, str]
    identical: tuple[str, ...]
    altered: tuple[str, ...]
    data: str

    def below(self, measure: str) -> list[str]:
        """Return what stands below the tables of a measure, besides how they were made."""
        undecided = [self.open[measure]] if measure in self.open else []
        return [*undecided, *self.identical, *self.altered]


def explain(found: Results) -> Notes:
    """Say how the tables were made."""
    scores, tests, unit, split = found.scores, found.tests, found.unit, found.split
    share = f"{100 * found.level:g}%"
    ranking = "Runs with equal means share a rank. "
    if not unit:
        ranking += "There are no intervals, because there is a single topic."
    elif unit == "items":
        ranking += (
            f"The intervals are {share} bootstrap intervals over the items, because there is a "
            "single topic."
        )
    elif found.interval == "t":
        ranking += (
            f"The intervals are {share} t intervals of each mean over {len(scores.topics)} topics."
        )
    else:
        ranking += (
            f"The intervals are {share} HSD intervals (simultaneous, from the studentised range "
            "and V_E2): two of them overlap where the parametric Tukey HSD test finds no "
            "difference."
        )
    if tests is not None and (found.interval == "t" or unit == "items"):
        ranking += (
            f" They do not tell whether two runs differ, because all runs have the same {unit}: "
            "the tables of significance tell."
        )
    significance = "" if tests is None else _test(tests, found.alpha, unit)
    if split is not None:
        ranking += f" Ranks are within each {split}."
        if tests is not None:
            significance += f" Only runs of the same {split} are set against each other."
    name = found.interval_name.partition(",")[0]
    return Notes(
        f"{share} {name} interval" if unit else "interval",
        ranking,
        significance,
        {
            str(measure): listed_open(pairs, found.alpha, tests)
            for measure, pairs in found.open.groupby("measure")
            if tests is not None
        },
        doubles(found.identical, len(scores.runs)),
        tuple(note for note in scores.provenance.notes if note.startswith("run ")),
        "SIMULATED data: " if scores.source == "simulated" else "",
    )


def _test(tests: SignificanceTests, alpha: float, unit: str) -> str:
    """Say which test was made."""
    over = " over items" if unit == "items" else ""
    test = (
        f"randomised Tukey HSD test{over}, {tests.size}, seed {tests.seed}"
        if tests.method == "randomised"
        else "parametric Tukey HSD test"
    )
    said = f"p below {alpha:g} by the {test}, of all {len(tests.runs)} runs together."
    if unit == "topics":
        said += (
            " ES is the difference of the means in standard deviations, by V_E1 as in DialEval-1."
        )
    if tests.method == "randomised":
        said += (
            " For each measure, endless trials would lead to the same decisions with a probability "
            f"of at least {100 * SURE:g}%, except for the pairs that are marked as open."
        )
    return said


def listed_open(pairs: pd.DataFrame, alpha: float, tests: SignificanceTests) -> str:
    """List the pairs of a measure that are open, those next to alpha first."""
    nearest = pairs.iloc[(pairs["p"] - alpha).abs().argsort(kind="stable")[:MOST_OPEN]]
    listed = [f"{one.first} and {one.second} (p = {one.p:.5f})" for one in nearest.itertuples()]
    if more := len(pairs) - len(listed):
        listed.append(f"{more} more")
    trials = tests.trials[pairs["measure"].iloc[0]]
    return f"Open after {trials:,} trials: {'; '.join(listed)}."


def doubles(same: pd.DataFrame, runs: int) -> tuple[str, ...]:
    """Point out runs that are the same, and how many pairs there would be without doubles.

    Examples
    --------
    >>> same = pd.DataFrame({"set": [1, 1], "run": ["A", "C"], "same": "scores"})
    >>> for line in doubles(same, 4): print(line)
    A, C are identical: the same scores on every topic by every measure.
    Identical runs inflate the number of run pairs: 6, and 3 among the 3 different runs.
    """
    if same.empty:
        return ()
    also = {
        "scores": "the same scores on every topic by every measure",
        "scores and estimates": "the same estimates, and so the same scores on every topic",
        "scores, not estimates": "the same scores on every topic by every measure, from estimates "
        "that differ",
    }
    families = [family for _, family in same.groupby("set")]
    lines = [
        f"{', '.join(family['run'])} are identical: {also[str(family['same'].iloc[0])]}."
        for family in families
    ]
    left = runs - sum(len(family) - 1 for family in families)
    pairs, fewer = runs * (runs - 1) // 2, left * (left - 1) // 2
    lines.append(
        f"Identical runs inflate the number of run pairs: {pairs}, and {fewer} among the {left} "
        "different runs."
    )
    return tuple(lines)


def _sheets(
    found: Results, measure: str, notes: Notes, stem: str
) -> dict[str, tuple[pd.DataFrame, Sheet]]:
    """Return the tables of a measure, as numbers and as text."""
    made = {"results": (found.rankings[measure], ranking_sheet(found, measure, notes, stem))}
    if found.tests is not None:
        sheet = significance_sheet(found, found.tests, measure, notes, stem)
        made["significance"] = found.pairs[measure], sheet
    return made


def ranking_sheet(found: Results, measure: str, notes: Notes, stem: str) -> Sheet:
    """Lay out the runs by one measure."""
    scores, table = found.scores, found.rankings[measure]
    digits = decimals(table["mean"])
    fields = [field for field in found.known.columns if field != found.split]
    head = {"rank" if found.split is None else "rank_in_group": "rank", "run": "run"}
    head |= {field: field for field in fields}
    head |= {"mean": f"mean {measure}", "limits": notes.interval}
    head |= {"better_than": "better than"} if found.tests else {}
    head |= {"identical_to": "identical to"} if (table["identical_to"] != "").any() else {}
    limits = [
        "none" if low != low else f"[{low:.{digits}f}, {high:.{digits}f}]"
        for low, high in table[["low", "high"]].itertuples(index=False)
    ]
    shown = table.assign(mean=[f"{mean:.{digits}f}" for mean in table["mean"]], limits=limits)
    rows = [tuple(map(str, row)) for row in shown[list(head)].itertuples(index=False)]
    lower = "lower" if scores.better[measure] == "low" else "higher"
    counts = "'Better than' counts the listed runs that are significantly worse. "
    return Sheet(
        f"{notes.data}{scores.task}: runs by {measure} ({lower} is better), "
        + (f"means over {len(scores.topics)} topics" if len(scores.topics) > 1 else "one topic"),
        tuple(head.values()),
        "".join(
            "r" if name in ("rank", "rank_in_group", "mean", "better_than") else "l"
            for name in head
        ),
        _parts(rows, [str(run) for run in table["run"]], found),
        (
            notes.ranking,
            *([counts + notes.significance] if found.tests else []),
            *notes.below(measure),
        ),
        f"tab:results-{stem.replace('_', '-')}",
    )


def significance_sheet(
    found: Results, tests: SignificanceTests, measure: str, notes: Notes, stem: str
) -> Sheet:
    """Lay out which runs are significantly better than which, as DialEval-1 does."""
    fields = [field for field in found.known.columns if field != found.split]
    rows, runs = [], []
    for better, worse in found.pairs[measure].groupby("better", sort=False):
        shown = [
            one_of_the_worse(run, p, size, int(tests.trials[measure]), undecided)
            for run, p, size, undecided in worse[["worse", "p", "effect_size", "open"]].itertuples(
                index=False
            )
        ]
        runs.append(str(better))
        facts = (str(found.known.loc[str(better), field]) for field in fields)
        rows.append((str(better), *facts, str(len(shown)), "; ".join(shown)))
    return Sheet(
        f"{notes.data}{found.scores.task}: significance in terms of {measure}",
        ("run", *fields, "number", "significantly better than these runs"),
        f"l{'l' * len(fields)}rp",
        _parts(rows, runs, found) if rows else (("", (("none", *[""] * len(fields), "0", ""),)),),
        (
            "Rows go from the best run down, and within a row from the closest run to the "
            "farthest. " + notes.significance,
            *notes.below(measure),
        ),
        f"tab:significance-{stem.replace('_', '-')}",
    )


def readme(summary: Mapping[str, Any], first: Sheet, notes: Notes) -> str:
    """Say what each file is, how it was made and from what."""
    shown = escape_cell
    files = [
        ("scores.csv", "every score: measure, topic, run, score"),
        (
            "scores.json",
            "what scores.csv is: directions, checksums; ordbook.load_scores reads both",
        ),
        ("results/", "a table of the runs per measure, in CSV, Markdown and LaTeX (booktabs)"),
        *(
            [("significance/", "which runs are significantly better than which, per measure")]
            if summary["test"]
            else []
        ),
        ("leaderboard.html", "all runs and measures on a page that sorts and filters"),
        ("summary.json", "this page for programs"),
    ]
    measures = [
        f"- {shown(name)}: files named {about['file']}"
        + (
            f"; {about['significant_pairs']} of {summary['pairs']} run pairs differ significantly"
            if summary["test"]
            else ""
        )
        + (f"; open: {len(about['open_pairs'])}" if about.get("open_pairs") else "")
        for name, about in summary["measures"].items()
    ]
    checksums = {**summary["inputs"], **summary["own_measures"]}
    text = [
        f"# {notes.data}Results of {shown(summary['task'])}",
        "",
        f"{counted(len(summary['runs']), 'run')} on {counted(summary['topics'], 'topic')}, "
        f"written by ordbook {summary['versions']['ordbook']}. The primary measure is "
        f"{shown(summary['primary'])}.",
        "",
        as_markdown(first, "##"),
        "## Files",
        "",
        *(f"- `{name}`: {what}" for name, what in files),
        "",
        shown(FORMULAS),
        "",
        "## Measures",
        "",
        *measures,
        "",
    ]
    further = [note for note in summary["notes"] if note not in (*notes.identical, *notes.altered)]
    if further:
        text += ["## Notes", "", *(f"- {shown(note)}" for note in further), ""]
    versions = ", ".join(f"{name} {number}" for name, number in summary["versions"].items())
    text += [
        "## How these were made",
        "",
        f"- {shown(notes.significance or 'No test: it needs two runs, and two topics or items.')}",
        f"- Versions: {versions}",
        "- SHA-256 of the files that were read:"
        if checksums
        else "- The files read are not known.",
        *(f"  - {shown(name)}: {found or 'not a file'}" for name, found in checksums.items()),
    ]
    return "\n".join(text).rstrip() + "\n"


def _parts(
    rows: Sequence[tuple[str, ...]], runs: Sequence[str], found: Results
) -> tuple[tuple[str, tuple[tuple[str, ...], ...]], ...]:
    """Cut rows where the group of their run changes."""
    split = found.split
    if split is None:
        return (("", tuple(rows)),)
    groups = found.known[split].to_dict()
    parts: dict[str, list[tuple[str, ...]]] = {}
    for row, run in zip(rows, runs, strict=True):
        parts.setdefault(groups[run], []).append(row)
    return tuple(
        (f"{split}: {name}" if name else f"no {split}", tuple(part)) for name, part in parts.items()
    )
