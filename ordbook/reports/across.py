"""Measures on several tasks: the tables across data sets that the papers show."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from ordbook.advice.criteria import distinct_runs, level, sentences_on_copies
from ordbook.data.loading import Task
from ordbook.data.scoring import kind_of, measures_for, score
from ordbook.measures import import_measures
from ordbook.meta.consistency import ranking_consistency
from ordbook.meta.discrimination import discriminative_power
from ordbook.meta.parallel import Progress
from ordbook.meta.rankings import identical_runs
from ordbook.meta.significance import tukey_hsd
from ordbook.meta.similarity import ranking_similarity
from ordbook.show.escape import escape_cell
from ordbook.words import listing

# Name of a sample -> topics in each of the two; None splits all topics in half.
SAMPLES: Mapping[str, int | None] = {"full split": None, "10 vs. 10": 10}
Numbers = Mapping[str, Any]
_ABOUT = """\
# Tables across tasks

Each table is one of the papers', over {tasks}; the end of its name is the kind of the tasks.

- `discrimination`: significant differences between runs (S_D) of all pairs (T_D); `pooled` is their
  sum (LQ'21, Table 3). Identical runs add pairs that say nothing.
- `similarity`: Kendall's tau of every two measures, averaged over the tasks (DNKT, Table 19). It is
  tau-a: a pair of runs that a measure ties counts as neither agreement nor disagreement.
- `average-similarity`: the mean tau of each measure with the others (DNKT, Table 20).
- `consistency`: mean tau between two samples of topics, the most consistent measure first (DNKT,
  Table 28). All runs are ranked, and identical ones keep tau below 1.

The two in between rank one run of each set of identical ones.
"""


def numbers(
    task: Task,
    *,
    trials: int = 5000,
    splits: int = 1000,
    seed: int = 0,
    own: str = "",
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Meta-evaluate the measures on one data set.

    Parameters
    ----------
    task
        With at least two runs, or their scores.
    trials, splits, seed, progress
        As for :func:`ordbook.tukey_hsd` and :func:`ordbook.ranking_consistency`.
    own
        Measures of your own, as ``file.py:NAME``, separated by commas; those of the task's kind are
        taken.

    Returns
    -------
    dict
        ``similarity``: tau by measure and measure, with one run of each set of identical ones;
        ``consistency``: mean tau by sample and measure, and ``discrimination``: significant, pairs,
        share, low, high by measure, both of all runs; ``copies``: those sets; their origin; and
        ``notes`` on missing values. ``kind`` is that of the task, of scores that of their measures.
    """
    mine = [measure for measure in import_measures(own) if measure.kind == kind_of(task)]
    scores = score(task, [*measures_for(task), *mine])
    names = list(scores.measures)
    try:
        similarity = ranking_similarity(distinct_runs(scores))
    except ValueError as error:  # a single run, or all score alike
        tau, notes = pd.DataFrame(np.nan, names, names), [str(error)]
    else:
        tau, notes = similarity.tau, list(similarity.notes)
    consistency: dict[str, Mapping[Any, float] | None] = dict.fromkeys(SAMPLES)
    for sample, size in SAMPLES.items():
        try:
            result = ranking_consistency(scores, size, splits, seed, progress=progress)
        except ValueError as error:  # too few topics, or nothing to rank
            notes.append(str(error))
        else:
            consistency[sample] = result.mean[names].to_dict()
            notes += result.notes
    tests = tukey_hsd(scores, trials, seed, progress=progress)
    return {
        "task": task.name,
        "kind": kind_of(task),
        "source": scores.source,
        "topics": len(scores.topics),
        "runs": list(scores.runs),
        "copies": [list(same) for same in identical_runs(scores)],
        "measures": names,
        "parameters": {"trials": trials, "splits": splits, "seed": seed},
        "similarity": tau.astype(object).where(tau.notna(), None).to_dict("index"),
        "consistency": consistency,
        "discrimination": discriminative_power(tests).to_dict("index"),
        "notes": list(dict.fromkeys([*notes, *tests.notes])),
    }


def check_columns(tasks: Sequence[str]) -> None:
    """Refuse names of tasks that would give two columns of a table one name."""
    names = Counter(["pooled", "average", *tasks])
    if twice := [name for name, times in names.items() if times > 1]:
        raise ValueError(
            f"two columns of the tables would be called {twice[0]!r}; rename a task or leave it"
        )


def cross_tables(results: Sequence[Numbers]) -> dict[str, pd.DataFrame]:
    """Bring the numbers of several tasks together.

    Parameters
    ----------
    results
        From :func:`numbers`, in the order of the tasks.

    Returns
    -------
    dict
        ``<table>-<kind>`` -> DataFrame, for the kinds of task that occur, and the tables
        ``discrimination``, ``similarity``, ``average-similarity`` and ``consistency``. Where a
        measure is not on all tasks, it has no average.
    """
    tables = {}
    for kind in dict.fromkeys(result["kind"] for result in results):
        group = [result for result in results if result["kind"] == kind]
        measures = list(dict.fromkeys(m for result in group for m in result["measures"]))
        tau = pd.DataFrame({result["task"]: _tau(result) for result in group})
        tau = tau.reindex(pd.MultiIndex.from_product([measures, measures]))
        mean = tau.mean(axis=1, skipna=False).to_numpy().reshape(len(measures), -1)
        tables[f"discrimination-{kind}"] = _discrimination(group, measures)
        tables[f"similarity-{kind}"] = pd.DataFrame(
            mean, pd.Index(measures, name="measure"), measures
        )
        tables[f"average-similarity-{kind}"] = _average_similarity(tau, measures)
        tables[f"consistency-{kind}"] = pd.concat(
            {sample: _consistency(group, sample, measures) for sample in SAMPLES},
            names=["samples", "measure"],
        )
    return tables


def _discrimination(group: Sequence[Numbers], measures: list[str]) -> pd.DataFrame:
    """Return LQ'21's Table 3: a row for each data set, and the pooled one."""
    power = {r["task"]: pd.DataFrame(r["discrimination"]).reindex(columns=measures) for r in group}
    columns = {}
    for measure in measures:
        counts = pd.DataFrame({task: frame[measure] for task, frame in power.items()}).T
        counts = counts[["significant", "pairs"]].astype(float)
        counts.loc["pooled"] = counts.sum(skipna=False)
        columns[f"{measure} S_D"] = counts["significant"].astype("Int64")
        columns[f"{measure} T_D"] = counts["pairs"].astype("Int64")
        columns[f"{measure} %"] = 100 * counts["significant"] / counts["pairs"]
    return pd.DataFrame(columns).rename_axis("data")


def _tau(result: Numbers) -> pd.Series:
    """Return the similarity of every two measures on one data set."""
    rows = result["similarity"].items()
    return pd.Series({(m, n): tau for m, row in rows for n, tau in row.items()}, dtype=float)


def _average_similarity(tau: pd.DataFrame, group: Sequence[str]) -> pd.DataFrame:
    """Return DNKT's Table 20, with a column for each data set besides the average."""
    rows = {m: tau.loc[[(m, n) for n in group if n != m]].mean(skipna=False) for m in group}
    return _with_average(pd.DataFrame(rows).T).rename_axis("measure")


def _consistency(group: Sequence[Numbers], sample: str, measures: list[str]) -> pd.DataFrame:
    """Return DNKT's Table 28, with a column for each data set besides the average."""
    columns = {r["task"]: pd.Series(r["consistency"][sample], dtype=float) for r in group}
    frame = _with_average(pd.DataFrame(columns).reindex(measures))
    return frame.sort_values("average", ascending=False, kind="stable", key=level)


def _with_average(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.assign(average=frame.mean(axis=1, skipna=False))


def as_files(tables: Mapping[str, pd.DataFrame], results: Sequence[Numbers]) -> dict[str, str]:
    """Write tables as CSV, and a README about them with the notes of ``results``, by name."""
    lines = [
        "- " + escape_cell(f"{result['task']}: {note}")
        for result in results
        for note in [*sentences_on_copies(result["copies"]), *result["notes"]]
    ]
    tasks = listing([escape_cell(result["task"]) for result in results])
    about = "\n".join([_ABOUT.format(tasks=tasks), *lines]).rstrip()
    csv = {
        f"{name}.csv": table.reset_index().to_csv(index=False, lineterminator="\n")
        for name, table in tables.items()
    }
    return {"README.md": f"{about}\n", **csv}
