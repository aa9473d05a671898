"""The results of a shared task in files: CSV, Markdown, LaTeX, JSON and a leaderboard."""

import json
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from importlib.metadata import version
from pathlib import Path
from platform import python_version
from string import Template
from typing import Any

import numpy as np
import pandas as pd

import ordbook
from ordbook.advice.choose import choose_primary, measure_beside
from ordbook.data.checking import (
    CONVENTIONAL,
    by_convention,
    reversed_scales,
    tied_by_kappa,
)
from ordbook.data.scores import ScoreMatrix
from ordbook.data.tasks import ClassificationTask, QuantificationTask
from ordbook.files import sha256, write_files
from ordbook.meta.people import (
    first_runs,
    first_runs_note,
    has_annotators,
    human_ceiling,
    people_note,
)
from ordbook.meta.rankings import better_than
from ordbook.meta.significance import SignificanceTests
from ordbook.report.analysis import by_class, by_topic
from ordbook.report.results import (
    MOST_LISTED,
    Results,
    Sheet,
    counts_by_run,
    doubles,
    filled_by_class,
    overview_sheet,
    percent,
    ranking_sheet,
    results,
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
- `overview.md`, `overview.tex`: one table of all runs by all measures, with ranks and medians
- `results/`: a table of the runs per measure, in CSV, Markdown and LaTeX (booktabs)
- `significance/`: which runs are significantly better than which, where there is a test; of more
  than 100 runs `significance.npz` instead: NumPy arrays `p` (measure, run, run), `measures`, `runs`
- `topics.csv`: by each measure, for each of several topics, the best score, the first run that has
  it, how many have it (tied), and the median
- `classes.csv`: for each run and class, over all topics together; of labels the numbers of gold
  items and answers, precision, recall, F1, and the mean distance of the answers to items of this
  gold class; of distributions the mean gold and estimated probability and the mean absolute error
- `leaderboard.html`: all runs and measures on a page that sorts and filters
- `people.csv`: each annotator held against the others, and the runs on the same gold, where the
  ratings behind the gold labels are known
- `summary.json`: all of this for programs, with checksums of the files that were read

CSV files hold every name as it is. If you do not trust the names of runs, open the Markdown and not
the CSV: a spreadsheet takes a name that begins with =, +, - or @ for a formula.
"""


def write_results(
    folder: Path,
    scores: ScoreMatrix,
    tests: SignificanceTests | None,
    *,
    primary: str = "auto",
    own: Sequence[str] = (),
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
        Places of the reader's measures, as :func:`ordbook.measures.import_measures` took them.

    Returns
    -------
    dict
        What summary.json holds.

    Raises
    ------
    ValueError
        If a choice is not possible.
    """
    task = options.get("task")
    main = choose_primary(scores, task, primary)
    beside = measure_beside(scores, task, main)
    official = results(scores, tests, **options)
    stems = file_stems(scores.measures)
    summary = _summary(official, (main, beside), stems, task, checksums(own))
    texts = {}
    if isinstance(task, ClassificationTask) and task.ties:
        measures = {getattr(asked, "name", asked): asked for asked in options.get("measures") or ()}
        first = first_runs(task, measures.get(main, main))
        items = int(task.ties.items.sum())
        summary["ties"] = {"choice": task.ties.choice, "items": items, "first": first}
        summary["notes"].append(first_runs_note(first, main))
    if has_annotators(task):
        note = "people are not scored beside the runs, because no two of them rated the same item."
        if (ceiling := human_ceiling(task, options.get("measures"))) is not None:
            note = people_note(task, ceiling, main, scores.better[main])
            texts["people.csv"] = ceiling.to_csv(index_label="name", lineterminator="\n")
        summary["notes"].append(note)
    summary["notes"] += filled_by_class(task)
    first_sheet = ranking_sheet(official, main, stems[main], beside)
    texts["README.md"] = _readme(summary, first_sheet, official)
    texts[SUMMARY] = json.dumps(summary, indent=1, ensure_ascii=False) + "\n"
    texts["leaderboard.html"] = leaderboard(summary)
    sheets = {"overview": overview_sheet(official, main)}
    tables = {}
    for measure, stem in stems.items():
        tables[f"results/{stem}"] = official.rankings[measure]
        sheets[f"results/{stem}"] = ranking_sheet(official, measure, stem)
        if measure in official.pairs and tests is not None:
            tables[f"significance/{stem}"] = official.pairs[measure]
            sheets[f"significance/{stem}"] = significance_sheet(official, tests, measure, stem)
    if tests is not None and not official.pairs:
        np.savez_compressed(
            folder / "significance.npz",
            measures=np.array(scores.measures),
            runs=np.array(scores.runs),
            trials=tests.trials.to_numpy(),
            p=np.stack([tests.matrix(measure).to_numpy() for measure in scores.measures]),
        )
    if len(scores.topics) > 1:
        tables["topics"] = by_topic(scores)
    # A catalogued task may come with its scores alone.
    if isinstance(task, ClassificationTask | QuantificationTask) and not task.missing:
        tables["classes"] = by_class(task)
    for name, frame in tables.items():
        texts[f"{name}.csv"] = frame.to_csv(index=False, lineterminator="\n")
    for name, sheet in sheets.items():
        texts |= {f"{name}.md": as_markdown(sheet), f"{name}.tex": as_latex(sheet)}
    scores.save(folder / "scores.csv")
    write_files(folder, texts)
    return summary


def _summary(
    official: Results,
    ranking: tuple[str, str],
    stems: Mapping[str, str],
    task: object,
    own: dict[str, str],
) -> dict[str, Any]:
    """Return the content of summary.json: all runs together, even if they are ranked apart."""
    scores, tests = official.scores, official.tests
    return {
        "kind": KIND,
        "task": scores.task,
        "source": scores.source,
        "topics": len(scores.topics),
        "size": official.size,
        "unit": official.unit,
        "runs": list(scores.runs),
        "groups": pd.DataFrame(official.known).to_dict("index"),
        "links": dict(official.links),
        "answered": dict(official.answered),
        "by_group": official.split,
        "primary": ranking[0],
        "beside": ranking[1],
        "alpha": official.alpha,
        "interval": official.interval,
        "level": official.level,
        "test": tests.method if tests else None,
        "trials": int(tests.trials.max()) if tests else 0,
        "seed": tests.seed if tests else None,
        "pairs": len(scores.runs) * (len(scores.runs) - 1) // 2,
        "measures": {
            measure: {
                "better": scores.better[measure],
                "file": stem,
                **_tested(official, measure),
            }
            for measure, stem in stems.items()
        },
        "identical": [list(same) for same in official.identical],
        "notes": [
            *scores.provenance.notes,
            *reversed_scales(task),
            *(tied_by_kappa(task) if {"kappa", "QWK"} & {*scores.measures} else ()),
            *(by_convention(task) if {*CONVENTIONAL} & {*scores.measures} else ()),
            *(tests.notes if tests else ()),
            *doubles(official),
        ],
        "inputs": dict(scores.provenance.files),
        "own_measures": own,
        "versions": {
            "ordbook": ordbook.__version__,
            "python": python_version(),
            **{library: version(library) for library in LIBRARIES},
        },
    }


def _tested(official: Results, measure: str) -> dict[str, Any]:
    """Return the results of the tests by a measure, and its ranking."""
    about: dict[str, Any] = {}
    tests = official.tests
    rows = official.rankings[measure].sort_values("rank", kind="stable")
    kept = [name for name in ("rank", "run", "mean", "low", "high", "skill") if name in rows]
    rows = rows[kept].astype(object)
    rows = rows.where(rows.notna(), None)
    if tests is not None:
        decided = official.decided[measure]
        left = decided[decided["open"]]
        about["trials"] = int(tests.trials[measure])
        about["significant_pairs"] = int((decided["sign"] != 0).sum())
        about["open"] = len(left)
        beats = counts_by_run(decided, tests.runs)["better_than"]
        rows["beats"] = beats[rows["run"]].tolist()
        if len(tests.runs) <= MOST_LISTED:
            beaten = better_than(tests, measure, official.alpha).groupby("better")["worse"]
            worse = beaten.agg(list).to_dict()
            rows["better_than"] = [worse.get(run, []) for run in rows["run"]]
            about["open_pairs"] = left[["first", "second", "p"]].to_dict("records")
    if "skill" in rows:
        about["skill_note"] = skill_note(official.scores, measure)
    return about | {"ranking": rows.to_dict("records")}


def checksums(places: Iterable[str]) -> dict[str, str]:
    """Return the SHA-256 of the file of each measure by its name, without the file's imports.

    Parameters
    ----------
    places
        Measures that :func:`ordbook.measures.import_measures` has imported; where their files lie
        does not matter.
    """
    sums = {}
    for place in places:
        source = place.rpartition(":")[0]
        file = source if source.endswith(".py") else str(sys.modules[source].__file__)
        sums[Path(place).name] = sha256(Path(file))
    return sums


def _readme(summary: Mapping[str, Any], first: Sheet, official: Results) -> str:
    """Describe each file: its content, its making and its sources."""
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
        further.append(f"- {test_note(official)}")
    text = [
        f"# Results of {escape_cell(summary['task'])}\n",
        f"{counted(len(summary['runs']), 'run')} on {summary['size']}, "
        f"written by ordbook {summary['versions']['ordbook']}. The primary measure is "
        f"{escape_cell(summary['primary'])}"
        + (
            f", and {escape_cell(summary['beside'])} stands beside it.\n"
            if summary["beside"]
            else ".\n"
        ),
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
    table = markdown_table(sheet.table, sheet.columns, sheet.links)
    return f"{heading} {escape_cell(sheet.caption)}\n\n{table}\n{notes}\n"


def markdown_table(
    table: pd.DataFrame, columns: str = "", links: Mapping[str, str] | None = None
) -> str:
    """Return a table of text in Markdown, with links in the column ``run``.

    ``columns`` holds an ``r`` for those that are aligned to the right.
    """
    rule = ["---:" if letter == "r" else ":---" for letter in columns.ljust(len(table.columns))]
    cells = table.map(escape_cell)
    if links:
        cells["run"] = [
            f"[{text}](<{links[run]}>)" if run in links else text
            for run, text in zip(table["run"], cells["run"], strict=True)
        ]
    lines = [map(escape_cell, table), rule, *cells.itertuples(index=False)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def as_latex(sheet: Sheet) -> str:
    r"""Return a ``table`` with a ``tabular``, or a ``longtable`` if it exceeds a page.

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


def leaderboard(summary: Mapping[str, Any]) -> str:
    """Return a page of all runs and measures that sorts and filters without a network.

    The runs stand in the order of the primary measure; without scripts they stay so.

    Parameters
    ----------
    summary
        What summary.json holds; see :func:`write_results`.
    """
    main = summary["primary"]
    names = sorted(summary["measures"], key=lambda name: name != main)
    facts = list(dict.fromkeys(fact for known in summary["groups"].values() for fact in known))
    rows_by_run = {
        name: {row["run"]: row for row in summary["measures"][name]["ranking"]} for name in names
    }
    tested = summary["test"] is not None
    skills = [m["skill_note"] for m in summary["measures"].values() if "skill_note" in m]
    head = ['<th data-shows="rank">rank</th>', _sorting("run", text=True)]
    head += ['<th data-shows="score">score</th>', '<th data-shows="interval">interval</th>']
    head += ['<th data-shows="skill">skill</th>'] if skills else []
    head += ['<th data-shows="better">better than</th>'] if tested else []
    head += ["<th>answered</th>"] if summary["answered"] else []
    known_from = len(head)
    head += [_sorting(fact, text=True) for fact in facts]
    head += [_sorting(name, summary["measures"][name]["better"], name == main) for name in names]
    rows = []
    for run, row in rows_by_run[main].items():
        known = [str(summary["groups"].get(run, {}).get(fact, "")) for fact in facts]
        name = escape(run)
        if link := summary["links"].get(run):
            name = f'<a href="{escape(link)}">{name}</a>'
        cells = [f"<td>{row['rank']}</td>", f'<th scope="row" class="text">{name}</th>']
        cells += [f"<td class=chosen>{row['mean']:.4f}</td>"]
        cells += [f"<td>{_interval(row)}</td>"]
        cells += [f"<td>{skill_text(row.get('skill'))}</td>"] if skills else []
        cells += [f"<td>{row['beats']}</td>"] if tested else []
        cells += [f"<td>{percent(summary['answered'][run])}</td>"] if summary["answered"] else []
        cells += [f'<td class="text">{escape(fact)}</td>' for fact in known]
        cells += [_cell(rows_by_run[name][run], name == main) for name in names]
        rows.append(f"<tr>{''.join(cells)}</tr>")
    legend = ["\u2193 lower is better, \u2191 higher is better."]
    if unit := summary["unit"]:
        kind = {"t": "t", "hsd": "HSD"}[summary["interval"]] if unit == "topics" else "bootstrap"
        legend += [f"Intervals: {100 * summary['level']:g}% {kind} intervals over {unit}."]
    if tested:
        legend += [
            f"'Better than' counts the runs that are significantly worse: p below "
            f"{summary['alpha']:g} by the {summary['test']} Tukey HSD test of all runs together."
        ]
    about = (
        f"{counted(len(summary['runs']), 'run')} on {summary['size']}, "
        f"ranked by {main}; choose another measure by its name in the table. {' '.join(legend)}"
    )
    notes = "".join(f"<li>{escape(note)}</li>" for note in [*summary["notes"], *skills])
    return Template(
        Path(__file__).with_name("leaderboard.html").read_text(encoding="utf-8")
    ).substitute(
        title=escape(summary["task"]),
        about=escape(about),
        filters="\n".join(
            _filter(fact, k, summary["groups"]) for k, fact in enumerate(facts, known_from)
        ),
        head="".join(head),
        rows="\n".join(rows),
        notes=f"<h2>Notes</h2><ul>{notes}</ul>" if notes else "",
    )


def _sorting(name: str, better: str = "", chosen: bool = False, *, text: bool = False) -> str:
    """Return the head of a column by which the table can be sorted."""
    kind = ' class="text"' if text else f' data-better="{better}" title="{better}er is better"'
    if chosen:
        kind += f' aria-sort="{"ascending" if better == "low" else "descending"}"'
    arrow = {"": "", "low": " \u2193", "high": " \u2191"}[better]
    button = f'<button type="button">{escape(name)}</button>'
    return f'<th scope="col"{kind}>{button}{arrow}</th>'


def _cell(row: Mapping[str, Any], chosen: bool) -> str:
    beats = f' data-beats="{row["beats"]}"' if "beats" in row else ""
    return (
        f'<td{" class=chosen" if chosen else ""} data-value="{row["mean"]!r}" '
        f'data-rank="{row["rank"]}" data-interval="{_interval(row)}" '
        f'data-skill="{skill_text(row.get("skill"))}"{beats}>'
        f"{row['mean']:.4f}</td>"
    )


def _interval(row: Mapping[str, Any]) -> str:
    return "" if row["low"] is None else f"{row['low']:.4f} to {row['high']:.4f}"


def _filter(fact: str, column: int, groups: Mapping[str, Mapping[str, str]]) -> str:
    """Return a choice of the groups that runs belong to."""
    values: Sequence[str] = sorted({str(known.get(fact, "")) for known in groups.values()})
    options = "".join(f"<option>{escape(value)}</option>" for value in values)
    return (
        f'<label>{escape(fact)} <select data-column="{column}"><option value="*">all</option>'
        f"{options}</select></label>"
    )
