"""What data sets give to the tables across data sets that the papers show, and those tables."""

import json
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pandas as pd

from ordbook.advice.duplicates import named, without_copies
from ordbook.advice.grades import level
from ordbook.chapters.escape import escape_cell
from ordbook.data.loading import Task
from ordbook.data.scores import ScoresTask
from ordbook.data.scoring import NUGGET_MEASURES, score
from ordbook.measures import CLASSIFICATION, QUANTIFICATION, import_measures
from ordbook.meta.consistency import ranking_consistency
from ordbook.meta.discrimination import discriminative_power
from ordbook.meta.parallel import Progress
from ordbook.meta.rankings import identical_runs
from ordbook.meta.significance import tukey_hsd
from ordbook.meta.similarity import ranking_similarity
from ordbook.report.resulttables import as_csv

# Name of a sample -> topics in each of the two; None splits all topics in half.
SAMPLES: Mapping[str, int | None] = {"full split": None, "10 vs. 10": 10}
Numbers = Mapping[str, Any]
# DNKT, Table 24: which two measures a third combines.
_COMBINED = ("JSD", "NMD", "RNOD")
# Average similarity depends on which measures are compared: these are the nine of DNKT, Table 20.
_NINE = ("NMD", "RNADW", "RNOD", "RNADW2", "RNOD2", "NVD", "RNSS", "JSD", "DNKT")
_ABOUT = {
    "discrimination": (
        "Significant differences between runs (S_D) of all pairs (T_D), by measure and data set; "
        "`pooled` is their sum, as in LQ'21, Table 3."
    ),
    "similarity": (
        "System ranking similarity of every two measures: Kendall's tau, averaged over the data "
        "sets, as in DNKT, Table 19. It is tau-a: a pair of runs that a measure ties counts as "
        "neither agreement nor disagreement, so that such a measure has less than 1 with itself."
    ),
    "average-similarity": (
        "Average similarity of each measure with the others, by data set, and the average over "
        "data sets, as in DNKT, Table 20; among all measures, and among the nine of that table."
    ),
    "combined": (
        "How near combined measures come to their two parents: Kendall's tau by data set, and "
        "the average, as in DNKT, Table 24."
    ),
    "consistency": (
        "System ranking consistency: mean tau between two samples of topics, by data set, and "
        "the average, the most consistent measure first, as in DNKT, Table 28."
    ),
}
_APART = "Two copies of a run are always tied, so that one run of each of these sets is ranked."
_MEANS = {
    "discrimination": "Each copy adds pairs that say nothing new.",
    "similarity": _APART,
    "average-similarity": _APART,
    "combined": _APART,
    "consistency": (
        "All runs are ranked; as a tied pair counts as neither agreement nor disagreement, copies "
        "keep tau below 1."
    ),
}
_KEYS = ("trials", "splits", "seed")
# Columns and rows of the tables that no data set may be called.
HEADS = frozenset(
    (*_KEYS, "data", "pooled", "measure", "among", "average", "first", "second", "samples")
)


def table_kind(task: Task) -> str:
    """Return the kind of the tables that a task goes into; scores go by their measures."""
    if isinstance(task, ScoresTask):
        known = {"quantification": QUANTIFICATION, "classification": CLASSIFICATION}
        return next((k for k, names in known.items() if {*task.measures} <= {*names}), "scores")
    return task.kind


def numbers(
    task: Task,
    *,
    trials: int = 5000,
    splits: int = 1000,
    seed: int = 0,
    own: str = "",
    threads: int | None = None,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Meta-evaluate the measures on one data set.

    Parameters
    ----------
    task
        With at least two runs, or their scores.
    trials, splits, seed
        As for :func:`ordbook.tukey_hsd` and :func:`ordbook.ranking_consistency`.
    own
        Measures of your own, as for :func:`ordbook.measures.import_measures`.
    threads, progress
        As for :func:`ordbook.tukey_hsd`; they do not change a number.

    Returns
    -------
    dict
        ``similarity``: ``tau``, ``low`` and ``high``, measure x measure, with one run of each set
        of identical ones; ``consistency``: mean tau by sample and measure, and
        ``discrimination``: significant, pairs, share, low, high by measure, both of all runs;
        ``copies``: those sets; what they come from; and
        ``notes`` on what is not there.
    """
    if isinstance(task, ScoresTask):
        scores = task.scores
    else:
        known = {"classification": CLASSIFICATION, "quantification": QUANTIFICATION}
        names = known.get(table_kind(task), NUGGET_MEASURES)
        scores = score(task, [*names, *import_measures(own)])
    similar = without_copies(scores, ranking_similarity(scores))
    notes = list(similar.notes)
    consistency: dict[str, dict[str, float] | None] = {}
    for name, size in SAMPLES.items():
        try:
            found = ranking_consistency(scores, size, splits, seed, threads, progress=progress)
        except ValueError as error:  # too few topics, or nothing to rank
            consistency[name] = None
            notes.append(str(error))
        else:
            consistency[name] = {m: float(found.mean[m]) for m in scores.measures}
            notes += found.notes
    tests = tukey_hsd(scores, trials, seed, threads, progress=progress)
    power = discriminative_power(tests)
    return {
        "task": task.name,
        "kind": table_kind(task),
        "source": scores.source,
        "topics": len(scores.topics),
        "runs": list(scores.runs),
        "copies": [list(same) for same in identical_runs(scores)],
        "measures": list(scores.measures),
        "parameters": {"trials": trials, "splits": splits, "seed": seed},
        "similarity": {
            name: [
                [None if math.isnan(value) else float(value) for value in row]
                for row in getattr(similar, name).to_numpy()
            ]
            for name in ("tau", "low", "high")
        },
        "consistency": consistency,
        "discrimination": {
            measure: {
                name: float(value) if name == "share" else int(value) for name, value in row.items()
            }
            for measure, row in power.to_dict("index").items()
        },
        "notes": list(dict.fromkeys([*notes, *tests.notes])),
    }


def as_json(found: Mapping[str, Any]) -> str:
    """Write numbers as JSON; every number can be read back without loss."""
    return json.dumps(found, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def cross_tables(found: Sequence[Numbers]) -> dict[str, pd.DataFrame]:
    """Bring the numbers of several data sets together.

    Parameters
    ----------
    found
        From :func:`numbers`, in the order of the data sets.

    Returns
    -------
    dict
        ``<table>-<kind>`` -> DataFrame, for the kinds of task that occur, and the tables
        ``discrimination``, ``similarity``, ``average-similarity``, ``combined`` (quantification)
        and ``consistency``. Where a measure is not in all data sets, it has no average.
    """
    tables = {}
    for part in dict.fromkeys(one["kind"] for one in found):
        of_kind = [one for one in found if one["kind"] == part]
        measures = list(dict.fromkeys(m for one in of_kind for m in one["measures"]))
        # Rankings of all topics depend on no random number: one choice of parameters will do.
        once = list({one["task"]: one for one in reversed(of_kind)}.values())[::-1]
        tables[f"discrimination-{part}"] = _discrimination(of_kind, measures)
        tables[f"similarity-{part}"] = _similarity(once, measures)
        tables[f"average-similarity-{part}"] = _average_similarity(once, measures)
        if part == "quantification":
            tables["combined-quantification"] = _combined(once)
        tables[f"consistency-{part}"] = _consistency(of_kind, measures)
    return tables


def as_files(tables: Mapping[str, pd.DataFrame], found: Sequence[Numbers] = ()) -> dict[str, str]:
    """Write tables as CSV, with all digits, and as Markdown, with three or four.

    In CSV a name that a spreadsheet would take for a formula has an apostrophe before it. Below a
    table in Markdown identical runs are named.

    Parameters
    ----------
    tables
        From :func:`cross_tables`.
    found
        The numbers that they were made of.

    Returns
    -------
    dict
        Name of the file -> its text.
    """
    files = {}
    for name, table in tables.items():
        files[f"{name}.csv"] = as_csv(table.reset_index())
        what, _, part = name.rpartition("-")
        digits = 4 if what == "consistency" else 3
        head = f"# {what}: {part}\n\n{_ABOUT[what]}\n\n"
        files[f"{name}.md"] = head + _markdown(table.reset_index(), digits)
        files[f"{name}.md"] += _copies(what, [one for one in found if one["kind"] == part])
    return files


def _copies(what: str, found: Sequence[Numbers]) -> str:
    """Name the identical runs of data sets, and say what they do to a table."""
    sets = {one["task"]: named(one["copies"]) for one in found}
    lines = [f"- {escape_cell(f'{task}: {said}')}.\n" for task in sets for said in sets[task]]
    return f"\nIdentical runs. {_MEANS[what]}\n\n{''.join(lines)}" if lines else ""


def _choices(found: Sequence[Numbers]) -> dict[tuple[int, ...], list[Numbers]]:
    """Group numbers by trials, splits and seed."""
    groups: dict[tuple[int, ...], list[Numbers]] = {}
    for one in found:
        groups.setdefault(tuple(one["parameters"][key] for key in _KEYS), []).append(one)
    return groups


def _discrimination(found: Sequence[Numbers], measures: Sequence[str]) -> pd.DataFrame:
    """Return LQ'21's Table 3: a row for each data set, and the pooled one."""
    rows: dict[tuple[Any, ...], dict[str, Any]] = {}
    for choice, group in _choices(found).items():
        pooled: dict[str, Any] = {}
        for m in measures:
            powers = [one["discrimination"].get(m) for one in group]
            for one, power in zip(group, powers, strict=True):
                if power is not None:
                    row = rows.setdefault((*choice, one["task"]), {})
                    row |= _cells(m, power["significant"], power["pairs"])
            if all(power is not None for power in powers):
                totals = (sum(power[k] for power in powers) for k in ("significant", "pairs"))
                pooled |= _cells(m, *totals)
        rows[*choice, "pooled"] = pooled
    columns = [f"{m} {what}" for m in measures for what in ("S_D", "T_D", "%")]
    counts = [name for name in columns if not name.endswith("%")]
    frame = pd.DataFrame(rows.values(), columns=columns)
    frame[counts] = frame[counts].astype("Int64")  # whole numbers also where one is missing
    frame.index = pd.MultiIndex.from_tuples(rows, names=[*_KEYS, "data"])
    return frame


def _cells(measure: str, significant: int, pairs: int) -> dict[str, float]:
    return {
        f"{measure} S_D": significant,
        f"{measure} T_D": pairs,
        f"{measure} %": 100 * significant / pairs,
    }


def _similarity(found: Sequence[Numbers], measures: Sequence[str]) -> pd.DataFrame:
    """Return DNKT's Table 19: tau averaged over the data sets, measure x measure."""
    cells = {(a, b): [_tau(one, a, b) for one in found] for a in measures for b in measures}
    return pd.DataFrame(
        [[_mean(cells[a, b]) for b in measures] for a in measures],
        index=pd.Index(measures, name="measure"),
        columns=pd.Index(measures),
    )


def _average_similarity(found: Sequence[Numbers], measures: Sequence[str]) -> pd.DataFrame:
    """Return DNKT's Table 20, with a column for each data set besides the average."""
    groups = {"all": measures}
    if set(_NINE) <= set(measures):
        groups["nine"] = _NINE
    frames = {}
    for name, group in groups.items():
        rows = [
            [_mean([_tau(one, m, other) for other in group if other != m]) for one in found]
            for m in group
        ]
        frames[name] = _with_average(rows, pd.Index(group, name="measure"), found)
    return pd.concat(frames, names=["among"])


def _combined(found: Sequence[Numbers]) -> pd.DataFrame:
    """Return DNKT's Table 24, with a column for each data set besides the average."""
    pairs = []
    for m in _COMBINED:
        pairs += [("DNKT", m), ("DNKT", f"DNKT_{m}"), (m, f"DNKT_{m}")]
    rows = [[_tau(one, a, b) for one in found] for a, b in pairs]
    index = pd.MultiIndex.from_tuples(pairs, names=["first", "second"])
    return _with_average(rows, index, found)


def _consistency(found: Sequence[Numbers], measures: Sequence[str]) -> pd.DataFrame:
    """Return DNKT's Table 28, with a column for each data set besides the average."""
    frames = {}
    for choice, group in _choices(found).items():
        for sample in SAMPLES:
            frame = _by_data(group, measures, lambda one, m, sample=sample: _at(one, sample).get(m))
            frame = frame.sort_values("average", ascending=False, kind="stable", key=level)
            frames[*choice, sample] = frame
    return pd.concat(frames, names=[*_KEYS, "samples"])


def _at(one: Numbers, sample: str) -> Mapping[str, float]:
    values: Mapping[str, float] = one["consistency"][sample] or {}
    return values


def _by_data(
    found: Sequence[Numbers],
    measures: Sequence[str],
    value: Callable[..., float | None],
) -> pd.DataFrame:
    rows = [[value(one, m) for one in found] for m in measures]
    return _with_average(rows, pd.Index(measures, name="measure"), found)


def _with_average(
    rows: Sequence[Sequence[float | None]], index: pd.Index, found: Sequence[Numbers]
) -> pd.DataFrame:
    frame = pd.DataFrame(rows, index=index, columns=[one["task"] for one in found], dtype=float)
    frame["average"] = [_mean(row) for row in rows]
    return frame


def _tau(one: Numbers, first: str, second: str) -> float | None:
    names = one["measures"]
    if first not in names or second not in names:
        return None
    value: float | None = one["similarity"]["tau"][names.index(first)][names.index(second)]
    return value


def _mean(values: Sequence[float | None]) -> float:
    known = [value for value in values if value is not None and not math.isnan(value)]
    return sum(known) / len(known) if known and len(known) == len(values) else float("nan")


def _markdown(frame: pd.DataFrame, digits: int) -> str:
    """Write a table as Markdown; names of measures and data sets stay text."""

    def text(value: object) -> str:
        if isinstance(value, float):
            return "" if value != value else f"{value:.{digits}f}"
        return "" if value is pd.NA else escape_cell(value)

    lines = [[text(name) for name in frame.columns], ["---"] * len(frame.columns)]
    lines += [[text(value) for value in row] for row in frame.itertuples(index=False)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
