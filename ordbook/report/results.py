"""The results of a shared task: official tables of all runs, in files.

Contents
--------
results         scores and tests -> a DataFrame per table
write_results   the same in CSV, Markdown and LaTeX, with the scores, in one folder
"""

import json
from collections.abc import Iterable, Mapping
from importlib.metadata import version
from pathlib import Path
from platform import python_version
from typing import Any

import numpy as np
import pandas as pd

import ordbook
from ordbook.advice.choose import default_primary
from ordbook.data.checking import by_convention
from ordbook.data.scores import ScoreMatrix
from ordbook.meta.checks import a_score_matrix, between_0_and_1
from ordbook.meta.discrimination import pairs_in_doubt
from ordbook.meta.items import Measures, by_item, item_intervals
from ordbook.meta.rankings import Interval, better_than, standings
from ordbook.meta.significance_tests import SURE, SignificanceTests
from ordbook.report.grouping import Groups, chosen, facts_of, group_table, identical
from ordbook.report.leaderboard import leaderboard
from ordbook.report.output import require_new, whole_folder
from ordbook.report.resultpages import (
    explain,
    interval_name,
    ranking_sheet,
    readme,
    significance_sheet,
)
from ordbook.report.resulttables import as_csv, as_latex, as_markdown, file_stems

SUMMARY = "summary.json"
CONVENTIONAL = {"kappa", "alpha_ord", "alpha_int"}
KIND = "results by 'ordbook score'"
LIBRARIES = ("numpy", "scipy", "pandas", "numba")


def results(
    scores: ScoreMatrix,
    tests: SignificanceTests | None,
    *,
    alpha: float = 0.05,
    interval: Interval = "t",
    level: float = 0.95,
    groups: Groups | None = None,
    by_group: str | None = None,
    task: object = None,
    measures: Measures = None,
) -> dict[str, pd.DataFrame]:
    """Make the official tables of a task.

    Parameters
    ----------
    scores
        From :func:`ordbook.score`, or any score matrix.
    tests
        From :func:`ordbook.meta.items.compare_runs` or :func:`ordbook.tukey_hsd` of these scores;
        None where nothing can be tested: no table says then which runs differ.
    alpha
        Significance level.
    interval, level
        The intervals of the means, as for :func:`ordbook.meta.rankings.standings`. Where there is
        a single topic, of labels, they are bootstrap intervals over its items.
    groups
        What is known of each run: its group, or several facts by name; by default what the task
        says, group and language.
    by_group
        One of these names, an empty one for the first. The tables are then in parts, with ranks
        within each part and only its own run pairs. The p-values stay those of all runs together.
    task
        The task the scores come from: it knows groups and languages, and whether identical runs
        also have the same estimates.
    measures
        Those of the scores, where some are your own and items take the place of topics.

    Returns
    -------
    dict
        ``results/<measure>``: rank, run, its groups, mean, low, high, interval (which one it is),
        better_than (how many of the runs listed), open (how many of its pairs are) where there
        are tests, identical_to;
        in parts, rank_in_group too.
        ``significance/<measure>``: better, worse, p with its Monte-Carlo limits p_low and p_high,
        difference of the means, effect_size (V_E1, as in DialEval-1), open, and the groups of both.
        ``identical``: as :func:`ordbook.report.grouping.identical` returns it.
        ``open``: the pairs whose p may be on either side of alpha; for each measure, the decisions
        about all others are safe at 99.9%. Its columns: measure, first, second, p, low, high.

    Raises
    ------
    ValueError
        If the tests are not of these scores, or runs have no such group.

    Examples
    --------
    >>> import ordbook as ob
    >>> scores = ob.score(ob.load("sem16t4e"), ["NMD"])
    >>> tables = results(scores, ob.tukey_hsd(scores, 1000))
    >>> tables["results/NMD"][["rank", "run", "mean"]].head(1).round(3)
       rank   run   mean
    0     1  QCRI  0.061
    """
    a_score_matrix(scores)
    between_0_and_1(alpha, "alpha")
    if tests is not None:
        _require_same(scores, tests)
    known = group_table(facts_of(task) if groups is None else groups, scores.runs)
    split = chosen(known, by_group, scores.task)
    same = identical(scores, task)
    twins = {
        run: "; ".join(other for other in family if other != run)
        for _, family in same.groupby("set")["run"]
        for run in family
    }
    doubtful = pd.DataFrame(columns=["measure", "first", "second", "p", "low", "high"])
    if tests is not None:
        doubtful = pairs_in_doubt(tests, alpha, level=SURE)
    if split is not None:
        part = known[split]
        together = part[doubtful["first"]].to_numpy() == part[doubtful["second"]].to_numpy()
        doubtful = doubtful[together]
    unit = _unit(scores, task)
    tables = _with_intervals(scores, task, measures, interval, level)
    found: dict[str, pd.DataFrame] = {}
    for measure in scores.measures:
        table = tables[measure]
        if tests is None:
            pairs = pd.DataFrame(columns=["better", "worse"])
        else:
            pairs = better_than(tests, measure, alpha)
            pairs = pairs.rename(columns={"low": "p_low", "high": "p_high"})
        if split is not None:
            table, pairs = _in_parts(table, pairs, known[split])
        table["interval"] = f"{interval_name(interval, unit)}, {100 * level:g}%" if unit else "none"
        if tests is not None:
            beaten = pairs["better"].value_counts().to_dict()
            table["better_than"] = [beaten.get(run, 0) for run in table["run"]]
            undecided = doubtful.loc[doubtful["measure"] == measure, ["first", "second"]]
            each = {frozenset(pair) for pair in undecided.to_numpy().tolist()}
            pairs["open"] = [
                frozenset(pair) in each for pair in pairs[["better", "worse"]].to_numpy().tolist()
            ]
            table["open"] = [sum(run in pair for pair in each) for run in table["run"]]
        table["identical_to"] = [twins.get(run, "") for run in table["run"]]
        for field in reversed(known.columns):
            place = list(table).index("run") + 1
            table.insert(place, field, known.loc[table["run"], field].to_numpy())
            for side in ("better", "worse"):
                pairs[f"{side}_{field}"] = known.loc[pairs[side], field].to_numpy()
        found[f"results/{measure}"] = table
        if tests is not None:
            found[f"significance/{measure}"] = pairs
    found["identical"] = same
    found["open"] = doubtful
    return found


def write_results(
    out: str | Path,
    scores: ScoreMatrix,
    tests: SignificanceTests | None,
    *,
    primary: str | None = None,
    alpha: float = 0.05,
    interval: Interval = "t",
    level: float = 0.95,
    groups: Groups | None = None,
    by_group: str | None = None,
    task: object = None,
    measures: Measures = None,
    own: Mapping[str, str] | None = None,
    inputs: Iterable[str | Path] = (),
    overwrite: bool = False,
) -> dict[str, Any]:
    """Write scores and official tables into a folder, which appears whole or not at all.

    The same scores and tests give the same bytes.

    Parameters
    ----------
    out
        The folder: scores.csv and scores.json; results/ and significance/ with a CSV, a Markdown
        and a LaTeX file per measure; summary.json; README.md, which says what each file is.
    scores, tests, alpha, interval, level, groups, by_group, task, measures
        As for :func:`results`.
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
    out = require_new(out, overwrite, inputs)
    alpha, level = between_0_and_1(alpha, "alpha"), between_0_and_1(level, "level")
    main = default_primary(scores.measures) if primary is None else primary
    if main not in scores.measures:
        raise ValueError(
            f"primary: {main!r} is not among the measures scored, {', '.join(scores.measures)}"
        )
    known = group_table(facts_of(task) if groups is None else groups, scores.runs)
    split = chosen(known, by_group, scores.task)
    tables = results(
        scores, tests, alpha=alpha, interval=interval, level=level, groups=known,
        by_group=by_group, task=task, measures=measures,
    )  # fmt: skip
    unit = _unit(scores, task)
    notes = explain(
        scores, tests, tables["identical"], tables["open"], alpha, interval, level, split, unit
    )
    stems = file_stems(scores.measures)
    texts: dict[str, str] = {}
    for measure, stem in stems.items():
        frame = tables[f"results/{measure}"]
        found = {
            "results": (frame, ranking_sheet(scores, measure, frame, known, split, notes, stem))
        }
        if tests is not None:
            frame = tables[f"significance/{measure}"]
            found["significance"] = (
                frame,
                significance_sheet(scores, tests, measure, frame, known, split, notes, stem),
            )
        for kind, (frame, sheet) in found.items():
            texts[f"{kind}/{stem}.csv"] = as_csv(frame)
            texts[f"{kind}/{stem}.md"] = as_markdown(sheet)
            texts[f"{kind}/{stem}.tex"] = as_latex(sheet)
    summary: dict[str, Any] = {
        "kind": KIND,
        "task": scores.task,
        "source": scores.source,
        "topics": len(scores.topics),
        "unit": unit,
        "runs": list(scores.runs),
        "groups": known.to_dict("index") if len(known.columns) else {},
        "by_group": split,
        "primary": main,
        "alpha": alpha,
        "interval": interval,
        "level": level,
        "test": tests.method if tests else None,
        "trials": int(tests.trials.max()) if tests else 0,
        "seed": tests.seed if tests else None,
        "pairs": len(scores.runs) * (len(scores.runs) - 1) // 2,
        "measures": {
            measure: {
                "better": scores.better[measure],
                "file": stems[measure],
                **_tested(tests, measure, tables, alpha),
                "ranking": _ranking(tables, measure),
            }
            for measure in scores.measures
        },
        "identical": [
            {"runs": family["run"].tolist(), "same": family["same"].iloc[0]}
            for _, family in tables["identical"].groupby("set")
        ],
        "notes": [
            *scores.provenance.notes,
            *(by_convention(task) if CONVENTIONAL & set(scores.measures) else ()),
            *(tests.notes if tests else ()),
            *notes.identical,
        ],
        "inputs": dict(scores.provenance.files),
        "own_measures": dict(own or {}),
        "versions": {
            "ordbook": ordbook.__version__,
            "python": python_version(),
            **{library: version(library) for library in LIBRARIES},
        },
    }
    first = ranking_sheet(scores, main, tables[f"results/{main}"], known, split, notes, stems[main])
    texts["README.md"] = readme(summary, first, notes)
    texts[SUMMARY] = json.dumps(summary, indent=1, ensure_ascii=False) + "\n"
    texts["leaderboard.html"] = leaderboard(summary)
    with whole_folder(out, overwrite) as folder:
        scores.save(folder / "scores.csv")
        for name, text in texts.items():
            path = folder / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
    return summary


def _unit(scores: ScoreMatrix, task: object) -> str:
    """Return over what intervals and tests are: ``topics``, ``items`` or, of neither, nothing."""
    return "topics" if len(scores.topics) > 1 else "items" if by_item(task) else ""


def _tested(
    tests: SignificanceTests | None,
    measure: str,
    tables: Mapping[str, pd.DataFrame],
    alpha: float,
) -> dict[str, Any]:
    """Return what the tests by a measure found, as summary.json tells it."""
    if tests is None:
        return {}
    pairs = tables["open"]
    return {
        "trials": int(tests.trials[measure]),
        "significant_pairs": len(better_than(tests, measure, alpha)),
        "open_pairs": pairs.loc[pairs["measure"] == measure, ["first", "second", "p"]].to_dict(
            "records"
        ),
    }


def _ranking(tables: Mapping[str, pd.DataFrame], measure: str) -> list[dict[str, Any]]:
    """Return a measure's ranking, as summary.json tells it: the best run first."""
    table = tables[f"results/{measure}"].sort_values("rank", kind="stable")
    columns = table[["rank", "run", "mean", "low", "high"]]
    rows: list[dict[str, Any]] = [dict(row) for row in columns.to_dict("records")]  # type: ignore
    for row in rows:
        row["low"], row["high"] = (
            None if row[end] != row[end] else row[end] for end in ("low", "high")
        )
    if (pairs := tables.get(f"significance/{measure}")) is not None:
        beaten = pairs.groupby("better")["worse"].agg(list).to_dict()
        for row in rows:
            row["better_than"] = beaten.get(row["run"], [])
    return rows


def _with_intervals(
    scores: ScoreMatrix, task: object, measures: Measures, interval: Interval, level: float
) -> dict[str, pd.DataFrame]:
    """Rank the runs by each measure; intervals are over topics, or items of a single topic."""
    tables = {
        measure: standings(scores, measure, interval=interval, level=level)
        for measure in scores.measures
    }
    if by_item(task):
        ends = item_intervals(task, measures or scores.measures, level=level).set_index(
            ["measure", "run"]
        )
        for measure, table in tables.items():
            table[["low", "high"]] = ends.loc[measure].loc[table["run"], ["low", "high"]].to_numpy()
    return tables


def _require_same(scores: ScoreMatrix, tests: SignificanceTests) -> None:
    """Refuse tests of other scores."""
    if (
        not isinstance(tests, SignificanceTests)
        or tests.runs != scores.runs
        or not set(scores.measures) <= set(tests.measures)
        or not np.array_equal(tests.means[list(scores.measures)], scores.means())
    ):
        raise ValueError(
            f"{scores.task}: the tests are not of these scores; pass ordbook.tukey_hsd(scores)"
        )


def _in_parts(
    table: pd.DataFrame, pairs: pd.DataFrame, group: pd.Series
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Sort both tables by group, rank the runs within it, and leave out pairs across groups."""
    group = group.sort_values(kind="stable")
    order = {name: place for place, name in enumerate(dict.fromkeys(group))}
    part = table["run"].map(group).map(order)
    table = table.iloc[np.argsort(part.to_numpy(), kind="stable")].reset_index(drop=True)
    part = table["run"].map(group)
    # Among equal ranks and all better ones, those of the same group count.
    within = table.groupby(part.to_numpy())["rank"].rank(method="min").astype(int)
    table.insert(0, "rank_in_group", within)
    better = pairs["better"].map(group).map(order)
    pairs = pairs[better == pairs["worse"].map(group).map(order)]
    better = better[pairs.index]
    return table, pairs.iloc[np.argsort(better.to_numpy(), kind="stable")].reset_index(drop=True)
