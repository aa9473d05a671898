"""The results of a shared task in files: CSV, LaTeX, JSON, a README and a leaderboard."""

import json
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import version
from math import comb
from pathlib import Path
from platform import python_version
from typing import Any

import pandas as pd

import ordbook
from ordbook.data.tasks import ClassificationTask, QuantificationTask
from ordbook.files import sha256, write_files
from ordbook.reports.breakdown import by_class, by_topic
from ordbook.reports.parts import template
from ordbook.reports.results import LEVEL, Results
from ordbook.reports.tables import (
    Sheet,
    overview_sheet,
    percent,
    ranking_sheet,
    significance_sheet,
    skill_note,
    skill_text,
    test_note,
)
from ordbook.show.escape import escape_cell, escape_latex
from ordbook.words import counted

SUMMARY = "summary.json"
KIND = "results by 'ordbook score'"
LIBRARIES = ("numpy", "scipy", "pandas", "numba")
# Lines that fit a page of LaTeX, and letters that fit a line of a wide column.
PAGE, LINE = 45, 85
FILES = """\
- `scores.csv`: every score: measure, topic, run, score; `scores.json`: directions, checksums and
  the references of skill
- `overview.tex`: one table of all runs by all measures, with ranks and medians
- `results/`: a table of the runs per measure, in CSV and LaTeX (booktabs)
- `significance/`: which runs are significantly better than which, where there is a test
- `topics.csv`: by each measure, for each of several topics, the best score, the first run that has
  it, how many have it (tied), and the median
- `classes.csv`: for each run and class, over all topics together; of labels the numbers of gold
  items and answers, precision, recall, F1, and the mean distance of the answers to items of this
  gold class; of distributions the mean gold and estimated probability and the mean absolute error
- `leaderboard.html`: all runs and measures on a page that sorts and filters
- `people.csv`: each annotator held against the others, and the runs on the same gold, where the
  ratings behind the gold labels are known
- `summary.json`: all of this for programs, with checksums of the files that were read

CSV files hold every name as it is. A spreadsheet takes a name that begins with =, +, - or @ for a
formula: if you do not trust the names of runs, read the leaderboard instead.
"""


def write_results(folder: Path, results: Results, own: Sequence[str] = ()) -> dict[str, Any]:
    """Write scores and official tables into a folder: the same results, the same bytes.

    ``own`` are places of the reader's measures, as :func:`ordbook.measures.import_measures` took
    them. Return what summary.json holds.
    """
    scores, task = results.scores, results.task
    stems = file_stems(scores.measures)
    summary = _summary(results, stems, checksums(own))
    sheets = {"overview": overview_sheet(results)}
    tables = {}
    for measure, stem in stems.items():
        tables[f"results/{stem}"] = results.rankings[measure]
        sheets[f"results/{stem}"] = ranking_sheet(results, measure, stem)
        if measure in results.pairs:
            tables[f"significance/{stem}"] = results.pairs[measure]
            sheets[f"significance/{stem}"] = significance_sheet(results, measure, stem)
    if len(scores.topics) > 1:
        tables["topics"] = by_topic(scores)
    # A catalogued task may come with its scores alone.
    if isinstance(task, ClassificationTask | QuantificationTask) and not task.missing:
        tables["classes"] = by_class(task)
    texts = {
        "README.md": _readme(summary, results, stems[results.primary]),
        SUMMARY: json.dumps(summary, indent=1, ensure_ascii=False) + "\n",
        "leaderboard.html": leaderboard(results, summary["notes"]),
    }
    if results.people is not None:
        texts["people.csv"] = results.people.to_csv(index_label="name", lineterminator="\n")
    for name, frame in tables.items():
        texts[f"{name}.csv"] = frame.to_csv(index=False, lineterminator="\n")
    for name, sheet in sheets.items():
        texts[f"{name}.tex"] = as_latex(sheet)
    folder.mkdir(exist_ok=True)  # a group's folder in that of all results
    scores.save(folder / "scores.csv")
    write_files(folder, texts)
    return summary


def _summary(results: Results, stems: Mapping[str, str], own: dict[str, str]) -> dict[str, Any]:
    """Return the content of summary.json."""
    scores, tests, task = results.scores, results.tests, results.task
    summary: dict[str, Any] = {
        "kind": KIND,
        "task": scores.task,
        "source": scores.source,
        "topics": len(scores.topics),
        "size": results.size,
        "unit": results.unit,
        "runs": list(scores.runs),
        "groups": results.about.to_dict("index") if len(results.about.columns) else {},
        "answered": dict(results.answered),
        "primary": results.primary,
        "beside": results.beside,
        "alpha": results.alpha,
        "level": LEVEL,
        "test": tests.method if tests else None,
        "trials": int(tests.trials.max()) if tests else 0,
        "seed": tests.seed if tests else None,
        "pairs": comb(len(scores.runs), 2),
        "measures": {
            measure: {"better": scores.better[measure], "file": stem, **_tested(results, measure)}
            for measure, stem in stems.items()
        },
        "identical": [list(same) for same in results.identical],
        "notes": results.notes,
        "inputs": dict(scores.provenance.files),
        "own_measures": own,
        "versions": {
            "ordbook": ordbook.__version__,
            "python": python_version(),
            **{library: version(library) for library in LIBRARIES},
        },
    }
    if isinstance(task, ClassificationTask) and task.ties:
        items = int(task.ties.items.sum())
        first = {choice: [*runs] for choice, runs in results.first.items()}
        summary["ties"] = {"choice": task.ties.choice, "items": items, "first": first}
    return summary


def _tested(results: Results, measure: str) -> dict[str, Any]:
    """Return the results of the tests by a measure, and its ranking."""
    about: dict[str, Any] = {}
    rows = results.rankings[measure].rename(columns={"better_than": "beats"})
    kept = [name for name in ("rank", "run", "mean", "low", "high", "skill") if name in rows]
    if results.tests is not None:
        kept.append("beats")
        about["trials"] = int(results.tests.trials[measure])
        about["significant_pairs"] = len(results.pairs[measure])
        about["open"] = int(results.open[measure].sum())
    if "skill" in rows:
        about["skill_note"] = skill_note(results.scores, measure)
    rows = rows[kept].astype(object)
    return about | {"ranking": rows.where(rows.notna(), None).to_dict("records")}


def checksums(places: Iterable[str]) -> dict[str, str]:
    """Return the SHA-256 of the file of each measure by its name, without the file's imports."""
    sums = {}
    for place in places:
        source = place.rpartition(":")[0]
        file = source if source.endswith(".py") else str(sys.modules[source].__file__)
        sums[Path(place).name] = sha256(Path(file))
    return sums


def _readme(summary: Mapping[str, Any], results: Results, stem: str) -> str:
    """Describe each file: its content, its making and its sources."""
    first = ranking_sheet(results, results.primary, stem, results.beside)
    measures = []
    for name, about in summary["measures"].items():
        facts = [] if name == about["file"] else [f"files named {about['file']}"]
        if summary["test"]:
            pairs = counted(summary["pairs"], "run pair")
            facts.append(f"{about['significant_pairs']} of {pairs} differ significantly")
        if about.get("open"):
            facts.append(f"{counted(about['open'], 'pair')} undecided")
        measures.append(f"- {escape_cell(name)}{': ' if facts else ''}{'; '.join(facts)}")
    further = [f"- {escape_cell(note)}" for note in summary["notes"] if note not in first.notes]
    if not summary["test"]:
        further.append(f"- {test_note(results)}")
    beside = f", and {escape_cell(results.beside)} stands beside it" if results.beside else ""
    notes = "\n".join(f"- {escape_cell(note)}" for note in first.notes)
    text = [
        f"# Results of {escape_cell(summary['task'])}\n",
        f"{counted(len(summary['runs']), 'run')} on {summary['size']}, "
        f"written by ordbook {summary['versions']['ordbook']}. The primary measure is "
        f"{escape_cell(results.primary)}{beside}.\n",
        f"## {escape_cell(first.caption)}\n",
        markdown_table(first.table, first.columns),
        f"{notes}\n",
        f"## Files\n\n{FILES}",
        *("## Measures\n", *measures, ""),
        *(["## Notes\n", *further, ""] if further else []),
        "Versions: "
        + ", ".join(f"{name} {number}" for name, number in summary["versions"].items()),
    ]
    return "\n".join(text) + "\n"


def markdown_table(table: pd.DataFrame, columns: str = "") -> str:
    """Return a table of text in Markdown; ``columns`` has an ``r`` for those aligned right."""
    rule = ["---:" if letter == "r" else ":---" for letter in columns.ljust(len(table.columns))]
    lines = [map(escape_cell, table), rule, *table.map(escape_cell).itertuples(index=False)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def as_latex(sheet: Sheet) -> str:
    r"""Return a ``table`` with a ``tabular``, or a ``longtable`` if it exceeds a page.

    The first line says which packages it needs.
    """
    cells = sheet.table.map(str)
    lines = sum(max(-(-len(cell) // LINE) or 1 for cell in row) for row in cells.to_numpy())
    long, caption = lines > PAGE, escape_latex(sheet.caption)
    size = r"\tiny\setlength{\tabcolsep}{3pt}" if len(sheet.columns) > 8 else r"\footnotesize"
    text = cells.map(escape_latex).to_latex(
        index=False,
        header=[escape_latex(name) for name in cells],
        escape=False,
        longtable=long,
        column_format=sheet.columns.replace("p", r"p{0.6\linewidth}"),
        caption=caption if long else None,
        label=sheet.label if long else None,
    )
    begin = rf"\begin{{table}}[tbp]\centering{size}\caption{{{caption}}}\label{{{sheet.label}}}"
    end = r"\end{table}"
    if long:
        begin, end = rf"\begingroup{size}", r"\endgroup"
    packages = "booktabs,longtable" if long else "booktabs"
    head = rf"% Needs \usepackage{{{packages}}}; names beyond Latin letters need XeLaTeX."
    notes = [rf"{escape_latex(note)}\par" for note in sheet.notes]
    return "\n".join([head, begin, text + r"\par\medskip", *notes, end]) + "\n"


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


def columns(results: Results) -> dict[str, pd.Series]:
    """Return the further columns of the leaderboard: head -> a text for each run.

    They sort, and filter where runs share a text. For one more column, add an entry.
    """
    answered = {"answered": pd.Series(results.answered).map(percent)} if results.answered else {}
    return answered | {str(fact): results.about[fact].map(str) for fact in results.about}


def natural(text: str) -> list[str | int]:
    """Return a key by which texts are sorted as people do.

    Examples
    --------
    >>> sorted(["run 10", "run 9"], key=natural)
    ['run 9', 'run 10']
    """
    return [int(part) if part.isdecimal() else part for part in re.split(r"([0-9]+)", text)]


def leaderboard(results: Results, notes: Sequence[str] = ()) -> str:
    """Return a page of all runs and measures that sorts and filters without a network.

    The runs stand in the order of the primary measure; without scripts they stay so.
    """
    names = sorted(results.scores.measures, key=lambda name: name != results.primary)
    cells = {}
    for name in names:
        table = results.rankings[name].set_index("run")
        cells[name] = table.astype(object).where(table.notna(), None).to_dict("index")
    further = columns(results)
    return template("leaderboard.html").render(
        results=results,
        measures=names,
        columns=further,
        choices={
            head: sorted(set(texts), key=natural)
            for head, texts in further.items()
            if texts.nunique() < len(texts)
        },
        cells=cells,
        skilled=len(results.scores.references.columns) > 0,
        skill_text=skill_text,
        notes=[
            *notes,
            *(skill_note(results.scores, str(name)) for name in results.scores.references),
        ],
    )
