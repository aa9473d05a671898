"""The leaderboard: one page of all runs and measures that sorts and filters without a network."""

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from string import Template
from typing import Any

from ordbook.words import counted

_PAGE = Path(__file__).with_name("leaderboard.html")


def leaderboard(summary: Mapping[str, Any], digits: int = 4) -> str:
    """Return the page.

    Parameters
    ----------
    summary
        What summary.json holds; see :func:`ordbook.report.result_files.write_results`.
    digits
        Decimals of the means.

    Returns
    -------
    str
        HTML. The runs stand in the order of the primary measure; without scripts they stay so.
    """
    main = summary["primary"]
    names = sorted(summary["measures"], key=lambda name: name != main)
    facts = list(dict.fromkeys(fact for known in summary["groups"].values() for fact in known))
    rows_by_run = {
        name: {row["run"]: row for row in summary["measures"][name]["ranking"]} for name in names
    }
    tested = summary["test"] is not None
    head = ['<th data-shows="rank">rank</th>', _sorting("run", text=True)]
    head += ['<th data-shows="score">score</th>', '<th data-shows="interval">interval</th>']
    head += ['<th data-shows="better">better than</th>'] if tested else []
    head += [_sorting(fact, text=True) for fact in facts]
    head += [_sorting(name, summary["measures"][name]["better"], name == main) for name in names]
    rows = []
    for run, row in rows_by_run[main].items():
        known = [str(summary["groups"].get(run, {}).get(fact, "")) for fact in facts]
        name = escape(run)
        if link := summary["links"].get(run):
            name = f'<a href="{escape(link)}">{name}</a>'
        cells = [f"<td>{row['rank']}</td>", f'<th scope="row" class="text">{name}</th>']
        cells += [f"<td class=chosen>{row['mean']:.{digits}f}</td>"]
        cells += [f"<td>{_interval(row, digits)}</td>"]
        cells += [f"<td>{row['beats']}</td>"] if tested else []
        cells += [f'<td class="text">{escape(fact)}</td>' for fact in known]
        cells += [_cell(rows_by_run[name][run], digits, name == main) for name in names]
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
    notes = "".join(f"<li>{escape(note)}</li>" for note in summary["notes"])
    return Template(_PAGE.read_text(encoding="utf-8")).substitute(
        title=escape(summary["task"]),
        about=escape(about),
        filters="\n".join(
            _filter(fact, k + 4 + tested, summary["groups"]) for k, fact in enumerate(facts)
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


def _cell(row: Mapping[str, Any], digits: int, chosen: bool) -> str:
    beats = f' data-beats="{row["beats"]}"' if "beats" in row else ""
    return (
        f'<td{" class=chosen" if chosen else ""} data-value="{row["mean"]!r}" '
        f'data-rank="{row["rank"]}" data-interval="{_interval(row, digits)}"{beats}>'
        f"{row['mean']:.{digits}f}</td>"
    )


def _interval(row: Mapping[str, Any], digits: int) -> str:
    return "" if row["low"] is None else f"{row['low']:.{digits}f} to {row['high']:.{digits}f}"


def _filter(fact: str, column: int, groups: Mapping[str, Mapping[str, str]]) -> str:
    """Return a choice of the groups that runs belong to."""
    values: Sequence[str] = sorted({str(known.get(fact, "")) for known in groups.values()})
    options = "".join(f"<option>{escape(value)}</option>" for value in values)
    return (
        f'<label>{escape(fact)} <select data-column="{column}"><option value="*">all</option>'
        f"{options}</select></label>"
    )
