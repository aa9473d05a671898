"""The official tables of a task, laid out as text, with the notes below them."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from ordbook.data.scores import ScoreMatrix
from ordbook.measures import CLASSIFICATION
from ordbook.meta.significance import SURE
from ordbook.reports.results import LEVEL, Results
from ordbook.words import counted


@dataclass(frozen=True)
class Sheet:
    """A table of plain text, whose cells every writer escapes.

    ``caption`` and ``notes`` stand above and below it; ``label`` is for references in LaTeX.
    """

    caption: str
    table: pd.DataFrame
    notes: Sequence[str]
    label: str

    @property
    def columns(self) -> str:
        """Their alignment: a letter each, ``r`` of numbers, ``l``, or ``p`` of long text."""
        numbers = {
            name: self.table[name].map(str).str.fullmatch(r"-?[0-9.]+").all() for name in self.table
        }
        return "".join(
            "p" if str(name).endswith("these runs") else "r" if number else "l"
            for name, number in numbers.items()
        )


def score_head(results: Results, measure: str) -> str:
    """Return the head of a column of scores."""
    return f"mean {measure}" if len(results.scores.topics) > 1 else measure


def runs_table(results: Results, measure: str) -> pd.DataFrame:
    """Lay out the runs by one measure: rank, what is known, score, interval, and skill, as text."""
    ranking = results.rankings[measure].set_index("run")
    table = ranking[["rank", *results.about]].copy()
    if results.answered:
        table["answered"] = ranking["answered"].map(percent)
    table[score_head(results, measure)] = written(ranking["mean"])
    if ranking["low"].notna().any():
        table[f"{LEVEL:.0%} {results.interval_name} interval"] = intervals(ranking)
    if "skill" in ranking:
        table["skill"] = ranking["skill"].map(skill_text)
    return table


def ranking_sheet(results: Results, measure: str, stem: str, beside: str = "") -> Sheet:
    """Lay out the runs by one measure, with their means and ranks by the one ``beside`` it."""
    scores, table = results.scores, results.rankings[measure]
    layout = runs_table(results, measure).reset_index().set_axis(table.index)
    layout.insert(0, "rank", layout.pop("rank"))
    notes = [_ranking_note(results)]
    if "skill" in table:
        notes.append(skill_note(scores, measure))
    if beside:
        layout[f"{beside} (rank)"] = with_ranks(results, beside, table["run"])
    if results.tests is not None:
        layout["better than"] = table["better_than"]
        counts = "'Better than' counts runs that are significantly worse."
        notes.append(f"{counts} {test_note(results)}")
    if results.identical:
        layout["identical to"] = table["identical_to"]
    over = "means over " if len(scores.topics) > 1 else ""
    caption = (
        f"{scores.task}: runs by {measure} ({scores.better[measure]}er is better), "
        f"{over}{results.size}"
    )
    label = f"tab:results-{stem.replace('_', '-')}"
    return Sheet(caption, layout, [*notes, *_below(results, measure)], label)


def overview_sheet(results: Results) -> Sheet:
    """Lay out all runs by all measures, with ranks, as overview papers print them."""
    names = sorted(results.scores.measures, key=lambda name: name != results.primary)
    runs = results.ranked["run"]
    baseline = runs.map(is_baseline)
    layout = results.about.loc[runs].rename_axis("run").reset_index()
    if results.answered:
        layout["answered"] = runs.map(results.answered).map(percent)
    last = {"run": "median of the runs"}
    for name in names:
        head = f"{name} ({results.scores.better[name]})"
        means = results.standings[name].set_index("run")["mean"].loc[runs].to_numpy()
        layout[head] = with_ranks(results, name, runs)
        median = np.median(means if baseline.all() else means[~baseline])
        last[head] = f"{median:.{decimals(means)}f}"
    layout = pd.concat([layout, pd.DataFrame([last])], ignore_index=True).fillna("")
    notes = ["Mean scores with ranks; 'low' or 'high' scores are better. Last row: the medians."]
    if baseline.any() and not baseline.all():
        notes.append(f"The medians leave out the baselines: {', '.join(runs[baseline])}.")
    caption = f"{results.scores.task}: all runs by all measures"
    return Sheet(caption, layout, [*notes, *results.doubles], "tab:overview")


def significance_sheet(results: Results, measure: str, stem: str) -> Sheet:
    """Lay out which runs are significantly better than which, as DialEval-1 does."""
    trials = int(results.tests.trials[measure]) if results.tests else 0
    rows = []
    for better, worse in results.pairs[measure].groupby("better", sort=False):
        pairs = worse[["worse", "p", "effect_size", "open"]].itertuples(index=False)
        entries = [one_of_the_worse(run, p, size, left, trials) for run, p, size, left in pairs]
        rows.append([str(better), len(entries), "; ".join(entries)])
    layout = pd.DataFrame(
        rows or [["none", 0, ""]],
        columns=["run", "number", "significantly better than these runs"],
    )
    order = "Rows go from the best run down, and within a row from the closest run to the farthest."
    if results.unit == "topics":
        order += " ES: difference of the means in standard deviations, by V_E1 as in DialEval-1."
    return Sheet(
        f"{results.scores.task}: significance in terms of {measure}",
        layout,
        [f"{order} {test_note(results)}", *_below(results, measure)],
        f"tab:significance-{stem.replace('_', '-')}",
    )


def _ranking_note(results: Results) -> str:
    """Explain the ranks and the intervals."""
    share = f"{LEVEL:.0%} {results.interval_name} interval"
    kinds = {
        "": "There are no intervals, because there is a single topic.",
        "items": f"The intervals are {share}s over the items, because there is {results.size}.",
        "topics": f"The intervals are {share}s of each mean over {results.size}.",
    }
    note = kinds[results.unit]
    if results.tests is not None:
        note += (
            f" They do not tell whether two runs differ, because all runs have the same "
            f"{results.unit}: the tables of significance tell."
        )
    return f"Runs with equal means share a rank. {note}"


def test_note(results: Results) -> str:
    """Say which test was made."""
    tests = results.tests
    if tests is None:
        return "There is no test: it needs two runs, and two topics or items."
    over = " over items" if results.unit == "items" else ""
    return (
        f"p below {results.alpha:g} by the randomised Tukey HSD test{over}, {tests.size}, seed "
        f"{tests.seed}, of all {len(tests.runs)} runs together. For each measure by itself, all "
        f"decisions are those of endless trials with a probability of at least {100 * SURE:g}%, "
        "but for undecided pairs, which are counted."
    )


def _below(results: Results, measure: str) -> list[str]:
    """Return the notes below every table of a measure, besides its making."""
    lines = results.doubles
    if results.tests is not None and (left := int(results.open[measure].sum())):
        trials = f"{results.tests.trials[measure]:,} trials"
        lines.insert(0, f"After {trials}, {counted(left, 'pair')} of runs remain undecided.")
    return lines + [note for note in results.scores.provenance.notes if note.run is not None]


def skill_text(skill: float | None) -> str:
    """Return skill as it is printed, nothing where it is not defined."""
    return "" if pd.isna(skill) else f"{skill:z.3f}"


def skill_note(scores: ScoreMatrix, measure: str) -> str:
    """Name the reference of skill by a measure, or say why there is none.

    Examples
    --------
    >>> import ordbook as ob
    >>> scores = ob.score(ob.load("fair-oc"), ["MAE_M"])
    >>> print(skill_note(scores, "MAE_M"))  # doctest: +NORMALIZE_WHITESPACE
    Skill by MAE_M is 1 - MAE_M / 1.1158, the MAE_M of the best single class for all topics, chosen
    on gold: 1 for a perfect run, and below 0 for a run that is worse than this reference.
    """
    reference = "the mean shares of gold, which no run knows"
    if measure in CLASSIFICATION:
        reference = "the best single class for all topics, chosen on gold"
    mean = scores.references[measure].mean()
    if scores.skill()[measure].isna().any():
        return f"Skill by {measure} is not defined, because the reference is perfect: {reference}."
    return (
        f"Skill by {measure} is 1 - {measure} / {mean:.{decimals([mean])}f}, the {measure} of "
        f"{reference}: 1 for a perfect run, and below 0 for a run that is worse than this "
        "reference."
    )


def is_baseline(run: str) -> bool:
    """Tell whether a run calls itself a baseline, as ``BL-uniform`` and ``my_baseline`` do."""
    return run.startswith("BL-") or "baseline" in run.lower()


def one_of_the_worse(
    run: object, p: float, effect_size: float, undecided: bool, trials: int
) -> str:
    """Say that a run is significantly worse than another, as DialEval-1 prints it."""
    size = "" if pd.isna(effect_size) else f", ES = {effect_size:.3f}"
    written_p = p_value(p, trials)
    equal = "" if written_p.startswith("<") else "= "
    return f"{run} (p {equal}{written_p}{size}{', open' if undecided else ''})"


def p_value(p: float, trials: int) -> str:
    """Return a p-value to as many digits as the trials of its test allow, 0 as ``< 1/trials``."""
    digits = min(5, max(2, len(str(trials - 1)))) if trials else 4
    least = max(1 / trials if trials else 0, 10.0**-digits)
    return f"{p:.{digits}f}" if p >= least else f"< {least:.{digits}f}"


def percent(share: float) -> str:
    """Return a share in percent, rounded down, so that 100% is all.

    Examples
    --------
    >>> percent(1), percent(0.9999), percent(0.57)
    ('100%', '99.9%', '57%')
    """
    return f"{math.floor(1000 * share + 1e-9) / 10:g}%"


def decimals(means: Iterable[float]) -> int:
    """Return 4 decimals, or more if all means are small."""
    largest = max(map(abs, means))
    return 4 if largest == 0 else max(4, 2 - math.floor(math.log10(largest)))


def written(means: Iterable[float]) -> list[str]:
    """Return means with the same number of decimals."""
    digits = decimals(means)
    return [f"{mean:.{digits}f}" for mean in means]


def with_ranks(results: Results, measure: str, runs: Iterable[str]) -> list[str]:
    """Return the means of some runs with their ranks, as ``0.1234 (1)``."""
    table = results.standings[measure].set_index("run").loc[[*runs]]
    return [
        f"{mean} ({rank})" for mean, rank in zip(written(table["mean"]), table["rank"], strict=True)
    ]


def intervals(table: pd.DataFrame) -> list[str]:
    """Return the intervals of a ranking, ``none`` where there is none."""
    digits = decimals(table["mean"])
    return [
        "none" if pd.isna(low) else f"[{low:.{digits}f}, {high:.{digits}f}]"
        for low, high in table[["low", "high"]].itertuples(index=False)
    ]
