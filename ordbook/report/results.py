"""The results of a shared task: official tables of all runs, computed and laid out."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from ordbook.advice.criteria import named as copies
from ordbook.data.scores import ScoreMatrix
from ordbook.data.tasks import share_answered
from ordbook.measures import CLASSIFICATION
from ordbook.meta.discrimination import pairs_in_doubt, significant_signs
from ordbook.meta.items import Measures, by_item, item_intervals, size
from ordbook.meta.rankings import Interval, better_than, identical_runs, standings
from ordbook.meta.significance import SURE, SignificanceTests
from ordbook.meta.validation import a_score_matrix, between_0_and_1

# The pairs of more runs are too many for a table.
MOST_LISTED = 100
# Below a table stand so many pairs that are open.
MOST_OPEN = 10


@dataclass(frozen=True)
class Results:
    """The official tables with their sources and options; see :func:`results`.

    Attributes
    ----------
    known
        What the task says of runs: ``group`` or ``language`` -> run -> text, maybe empty.
    links
        Run -> the address of a page about it.
    split
        Which of these runs are ranked within, or None.
    size
        How many topics there are, or items of one pool.
    unit
        Over what intervals and tests are: ``topics``, ``items`` or, of neither, nothing.
    identical, open
        Sets of runs that are the same, and pairs of runs that the trials leave open.
    answered
        The share of the topics or items that each run answers; empty if no answer is missing.
    rankings, pairs, decided
        By measure: its two tables, and for all pairs of runs first, second, p, the sign of a
        significant difference and whether the pair is open. There are no pairs without tests, or
        of more than ``MOST_LISTED`` runs.
    """

    scores: ScoreMatrix
    tests: SignificanceTests | None
    known: dict[str, dict[str, str]]
    split: str | None
    size: str
    unit: str
    alpha: float
    interval: Interval
    level: float
    identical: list[tuple[str, ...]]
    open: pd.DataFrame
    answered: Mapping[str, float] = field(default_factory=dict)
    links: Mapping[str, str] = field(default_factory=dict)
    rankings: dict[str, pd.DataFrame] = field(default_factory=dict)
    pairs: dict[str, pd.DataFrame] = field(default_factory=dict)
    decided: dict[str, pd.DataFrame] = field(default_factory=dict)

    @property
    def interval_name(self) -> str:
        """How the intervals are called in tables."""
        kind = {"items": "bootstrap", "topics": "t" if self.interval == "t" else "HSD"}
        return f"{kind[self.unit]}, {100 * self.level:g}%" if self.unit else "none"

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return all tables by name."""
        tables = {"open": self.open}
        tables |= {f"results/{measure}": table for measure, table in self.rankings.items()}
        return tables | {f"significance/{measure}": pairs for measure, pairs in self.pairs.items()}


def results(
    scores: ScoreMatrix,
    tests: SignificanceTests | None,
    *,
    alpha: float = 0.05,
    interval: Interval = "t",
    level: float = 0.95,
    by_group: str | None = None,
    task: object = None,
    measures: Measures = None,
) -> Results:
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
    by_group
        ``group`` or ``language``, an empty text for the first that is known. Runs are then ranked
        within each group, and only pairs of the same group are listed. The p-values stay those of
        all runs together.
    task
        The task that the scores come from, which may know groups and languages of its runs.
    measures
        Those of the scores, where some are your own and items take the place of topics.

    Returns
    -------
    Results
        Its ``tables()`` are, by name:
        ``results/<measure>``: rank, run, its groups, answered (the share of topics or items, where
        any answer is missing), mean, low, high, skill where the measure has it, interval (which one
        it is), better_than (how many of the runs listed) and open (how many of its pairs are) where
        there are tests, identical_to; with ``by_group`` rank_in_group too.
        ``significance/<measure>``: better, worse, p (0 means below 1 by the number of trials),
        difference of the means, effect_size (V_E1, as in DialEval-1), open, and the groups of both.
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
    >>> tables = results(scores, ob.tukey_hsd(scores, 1000)).tables()
    >>> tables["results/NMD"][["rank", "run", "mean"]].head(1).round(3)
       rank   run   mean
    0     1  QCRI  0.061
    """
    a_score_matrix(scores)
    alpha, level = between_0_and_1(alpha, "alpha"), between_0_and_1(level, "level")
    if tests is not None:
        _require_same(scores, tests)
    known = {
        column: {run: texts.get(run, "") for run in scores.runs}
        for column in ("group", "language")
        if (texts := getattr(task, f"{column}s", {}))
    }
    split = by_group or next(iter(known), "group") if by_group is not None else None
    if split is not None and split not in known:
        choice = f"there is {', '.join(known)}" if known else "runs.csv gives none"
        raise ValueError(f"{scores.task}: no run has a {split!r}; {choice}")
    group = pd.Series(dict.fromkeys(scores.runs, "") if split is None else known[split])
    undecided = pd.DataFrame(columns=["measure", "first", "second", "p", "low", "high"])
    if tests is not None and len(scores.runs) <= MOST_LISTED:
        undecided = pairs_in_doubt(tests, alpha)
        first, second = (group[undecided[end]].to_numpy() for end in ("first", "second"))
        undecided = undecided[first == second]
    unit = "topics" if len(scores.topics) > 1 else "items" if by_item(task) else ""
    official = Results(
        scores,
        tests,
        known=known,
        split=split,
        size=size(task, len(scores.topics)),
        unit=unit,
        alpha=alpha,
        interval=interval,
        level=level,
        identical=identical_runs(scores),
        open=undecided,
        answered=share_answered(task),
        links=getattr(task, "links", {}),
    )
    if tests is not None:
        signs, (low, high) = significant_signs(tests, alpha), tests.limits(SURE)
        left = (low < alpha) & (high >= alpha)
        for measure in scores.measures:
            columns = {"p": tests.p, "sign": signs, "open": left}
            official.decided[measure] = pd.DataFrame(
                {name: table[measure] for name, table in columns.items()}
            ).reset_index()
    ends = None
    if by_item(task):
        ends = item_intervals(task, measures or scores.measures, level=level)
        ends = ends.set_index(["measure", "run"])[["low", "high"]]
    for measure in scores.measures:
        table = standings(scores, measure, interval=interval, level=level)
        if ends is not None:
            table[["low", "high"]] = ends.loc[measure].loc[table["run"]].to_numpy()
        _complete(official, measure, table, group)
    return official


def _complete(official: Results, measure: str, table: pd.DataFrame, group: pd.Series) -> None:
    """Add the tables of a measure: its ranking with teams and counts, and the pairs that differ."""
    runs, tests, alpha = official.scores.runs, official.tests, official.alpha
    if official.split is not None:
        # Among equal ranks and all better ones, those of the same group count.
        within = table.groupby(table["run"].map(group))["rank"].rank(method="min").astype(int)
        table.insert(0, "rank_in_group", within)
    for place, fact in enumerate(official.known, list(table).index("run") + 1):
        table.insert(place, fact, table["run"].map(official.known[fact]))
    if official.answered:
        place = list(table).index("mean")
        table.insert(place, "answered", table["run"].map(official.answered))
    if measure in official.scores.references:
        table["skill"] = table["run"].map(official.scores.skill()[measure])
    table["interval"] = official.interval_name
    if tests is not None:
        decided = official.decided[measure]
        decided = decided[decided["first"].map(group) == decided["second"].map(group)]
        table = table.join(counts_by_run(decided, runs), on="run")
    copies = {run: [*same] for same in official.identical for run in same}
    table["identical_to"] = [
        "; ".join(other for other in copies.get(run, ()) if other != run) for run in table["run"]
    ]
    official.rankings[measure] = _in_order(table, group[table["run"]])
    if tests is None or len(runs) > MOST_LISTED:
        return
    pairs = better_than(tests, measure, alpha)
    left = decided.loc[decided["open"], ["first", "second"]].to_numpy().tolist()
    undecided = set(map(frozenset, left))
    pairs["open"] = [{*pair} in undecided for pair in pairs[["better", "worse"]].to_numpy()]
    for fact, known in official.known.items():
        for side in ("better", "worse"):
            pairs[f"{side}_{fact}"] = pairs[side].map(known)
    pairs = pairs[pairs["better"].map(group) == pairs["worse"].map(group)]
    official.pairs[measure] = _in_order(pairs, group[pairs["better"]])


def counts_by_run(decided: pd.DataFrame, runs: Sequence[str]) -> pd.DataFrame:
    """Count for each run how many it is significantly better than, and its open pairs."""
    different = decided[decided["sign"] != 0]
    better = different["first"].where(different["sign"] > 0, different["second"])
    left = decided[decided["open"]]
    return (
        pd.DataFrame(
            {
                "better_than": better.value_counts(),
                "open": pd.concat([left["first"], left["second"]]).value_counts(),
            },
            index=list(runs),
            dtype=float,
        )
        .fillna(0)
        .astype(int)
    )


def _in_order(table: pd.DataFrame, group: pd.Series) -> pd.DataFrame:
    order = np.argsort(group.to_numpy().astype(str), kind="stable")
    return table.iloc[order].reset_index(drop=True)


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


@dataclass(frozen=True)
class Sheet:
    """A table of plain text, whose cells every writer escapes.

    Attributes
    ----------
    caption, notes
        Sentences above and below.
    table
        Of text.
    label
        For references in LaTeX: letters, digits, dots, hyphens and colons.
    links
        Run -> the address of a page about it, for Markdown.
    """

    caption: str
    table: pd.DataFrame
    notes: Sequence[str]
    label: str
    links: Mapping[str, str] = field(default_factory=dict)

    @property
    def columns(self) -> str:
        """Their alignment: a letter each, ``r`` of numbers, ``l``, or ``p`` of long text."""
        cells = {name: self.table[name].map(str) for name in self.table}
        return "".join(
            "p" if str(name).endswith("these runs") else "r" if _numbers(column) else "l"
            for name, column in cells.items()
        )


def ranking_sheet(official: Results, measure: str, stem: str, beside: str = "") -> Sheet:
    """Lay out the runs by one measure, with their means and ranks by the one ``beside`` it."""
    scores, table = official.scores, official.rankings[measure]
    digits = decimals(table["mean"])
    share, kind = f"{100 * official.level:g}%", official.interval_name.partition(",")[0]
    layout = pd.DataFrame({"rank": table["rank" if official.split is None else "rank_in_group"]})
    facts = sorted(official.known, key=lambda fact: fact != official.split)
    layout[["run", *facts]] = table[["run", *facts]]
    if official.answered:
        layout["answered"] = table["answered"].map(percent)
    means = "mean " if len(scores.topics) > 1 else ""
    layout[f"{means}{measure}"] = [f"{mean:.{digits}f}" for mean in table["mean"]]
    layout[f"{share} {kind} interval" if official.unit else "interval"] = [
        "none" if low != low else f"[{low:.{digits}f}, {high:.{digits}f}]"
        for low, high in table[["low", "high"]].itertuples(index=False)
    ]
    notes = [_ranking_note(official, share)]
    if "skill" in table:
        layout["skill"] = table["skill"].map(skill_text)
        notes.append(skill_note(scores, measure))
    if beside:
        other = official.rankings[beside].set_index("run").loc[table["run"]]
        layout[f"{beside} (rank)"] = [
            f"{mean:.{decimals(other['mean'])}f} ({rank})"
            for mean, rank in zip(other["mean"], other["rank"], strict=True)
        ]
    if official.tests is not None:
        layout["better than"] = table["better_than"]
        notes.append(
            f"'Better than' counts runs that are significantly worse. {test_note(official)}"
        )
    if official.identical:
        layout["identical to"] = table["identical_to"]
    lower = "lower" if scores.better[measure] == "low" else "higher"
    over = "means over " if means else ""
    caption = f"{scores.task}: runs by {measure} ({lower} is better), {over}{official.size}"
    label = f"tab:results-{stem.replace('_', '-')}"
    return Sheet(caption, layout, [*notes, *_below(official, measure)], label, official.links)


def skill_text(skill: float | None) -> str:
    """Return skill as it is printed, nothing where it is not defined."""
    return "" if pd.isna(skill) else f"{skill:z.3f}"


def skill_note(scores: ScoreMatrix, measure: str) -> str:
    """Say what skill by a measure is held against, or why there is none.

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


def filled_by_class(task: object) -> list[str]:
    """Say what missing answers are in tables and figures by class, if there are any."""
    kinds = {"classification": "gold", "quantification": "the gold shares"}
    gold = kinds.get(getattr(task, "kind", ""))
    if not gold or not share_answered(task):
        return []
    return [f"By class, a missing answer counts as the class farthest from {gold}."]


def overview_sheet(official: Results, main: str) -> Sheet:
    """Lay out all runs by all measures, with ranks, as overview papers print them."""
    names = [main, *(name for name in official.scores.measures if name != main)]
    tables = {name: official.rankings[name].set_index("run") for name in names}
    runs = tables[main].sort_values("rank", kind="stable").index
    baseline = runs.map(is_baseline).to_numpy(dtype=bool)
    layout = pd.DataFrame({"run": runs})
    for fact, known in official.known.items():
        layout[fact] = layout["run"].map(known)
    if official.answered:
        layout["answered"] = layout["run"].map(official.answered).map(percent)
    last = {"run": "median of the runs"}
    for name, table in tables.items():
        table, digits = table.loc[runs], decimals(table["mean"])
        head = f"{name} {'(low)' if official.scores.better[name] == 'low' else '(high)'}"
        pairs = zip(table["mean"], table["rank"], strict=True)
        layout[head] = [f"{mean:.{digits}f} ({rank})" for mean, rank in pairs]
        kept = table["mean"] if baseline.all() else table["mean"][~baseline]
        last[head] = f"{kept.median():.{digits}f}"
    layout = pd.concat([layout, pd.DataFrame([last])], ignore_index=True).fillna("")
    notes = ["Mean scores with ranks; 'low' or 'high' scores are better. Last row: the medians."]
    if baseline.any() and not baseline.all():
        notes.append(f"The medians leave out the baselines: {', '.join(runs[baseline])}.")
    caption = f"{official.scores.task}: all runs by all measures"
    return Sheet(caption, layout, [*notes, *doubles(official)], "tab:overview", official.links)


def is_baseline(run: str) -> bool:
    """Tell whether a run calls itself a baseline.

    Examples
    --------
    >>> [is_baseline(run) for run in ("BL-uniform", "my_baseline", "team-1")]
    [True, True, False]
    """
    return run.startswith("BL-") or "baseline" in run.lower()


def significance_sheet(
    official: Results, tests: SignificanceTests, measure: str, stem: str
) -> Sheet:
    """Lay out which runs are significantly better than which, as DialEval-1 does."""
    facts = sorted(official.known, key=lambda fact: fact != official.split)
    rows: list[list[object]] = []
    for better, worse in official.pairs[measure].groupby("better", sort=False):
        trials = int(tests.trials[measure])
        pairs = worse[["worse", "p", "effect_size", "open"]].itertuples(index=False)
        entries = [one_of_the_worse(run, p, size, left, trials) for run, p, size, left in pairs]
        known = [official.known[fact][str(better)] for fact in facts]
        rows.append([str(better), *known, len(entries), "; ".join(entries)])
    layout = pd.DataFrame(
        rows or [["none", *[""] * len(facts), 0, ""]],
        columns=["run", *facts, "number", "significantly better than these runs"],
    )
    order = "Rows go from the best run down, and within a row from the closest run to the farthest."
    if official.unit == "topics":
        order += " ES: difference of the means in standard deviations, by V_E1 as in DialEval-1."
    return Sheet(
        f"{official.scores.task}: significance in terms of {measure}",
        layout,
        [f"{order} {test_note(official)}", *_below(official, measure)],
        f"tab:significance-{stem.replace('_', '-')}",
    )


def _ranking_note(official: Results, share: str) -> str:
    """Explain the ranks and the intervals."""
    kinds = {
        "": "There are no intervals, because there is a single topic.",
        "items": f"The intervals are {share} bootstrap intervals over the items, because there is "
        f"{official.size}.",
        "topics": f"The intervals are {share} t intervals of each mean over "
        f"{len(official.scores.topics)} topics.",
    }
    hsd = official.unit == "topics" and official.interval == "hsd"
    note = kinds[official.unit]
    if hsd:
        note = (
            f"The intervals are {share} HSD intervals (simultaneous, from the studentised range "
            "and V_E2): two of them overlap where the parametric Tukey HSD test finds no "
            "difference."
        )
    if official.tests is not None and not hsd:
        note += (
            f" They do not tell whether two runs differ, because all runs have the same "
            f"{official.unit}: the tables of significance tell."
        )
    ranks = f" Ranks are within each {official.split}." if official.split else ""
    return f"Runs with equal means share a rank.{ranks} {note}".rstrip()


def test_note(official: Results) -> str:
    """Say which test was made."""
    tests = official.tests
    if tests is None:
        return "There is no test: it needs two runs, and two topics or items."
    over = " over items" if official.unit == "items" else ""
    test = "paired t-tests" if tests.method == "paired t" else f"{tests.method} Tukey HSD test"
    if tests.method == "randomised":
        test += f"{over}, {tests.size}, seed {tests.seed}"
    text = f"p below {official.alpha:g} by the {test}, of all {len(tests.runs)} runs together."
    if tests.method == "randomised":
        text += (
            " For each measure by itself, all decisions are those of endless trials with a "
            f"probability of at least {100 * SURE:g}%, but for undecided pairs, which are "
            f"{'listed' if official.pairs else 'counted'}."
        )
    return text + (
        f" Only runs of the same {official.split} are compared." if official.split else ""
    )


def _below(official: Results, measure: str) -> list[str]:
    """Return the notes below every table of a measure, besides its making."""
    undecided = official.open[official.open["measure"] == measure]
    lines = [*doubles(official)]
    if official.tests is not None and len(undecided):
        lines.insert(0, listed_open(undecided, official.alpha, official.tests))
    return lines + [note for note in official.scores.provenance.notes if note.run is not None]


def listed_open(pairs: pd.DataFrame, alpha: float, tests: SignificanceTests) -> str:
    """List the pairs of a measure that are open, those next to alpha first."""
    nearest = pairs.iloc[(pairs["p"] - alpha).abs().argsort(kind="stable")[:MOST_OPEN]]
    listed = [f"{pair.first} and {pair.second} (p = {pair.p:.5f})" for pair in nearest.itertuples()]
    if more := len(pairs) - len(listed):
        listed.append(f"{more} more")
    trials = tests.trials[pairs["measure"].iloc[0]]
    return f"Undecided after {trials:,} trials: {'; '.join(listed)}."


def doubles(official: Results) -> list[str]:
    """Point out runs that are the same, and how many pairs there would be without doubles."""
    if not official.identical:
        return []
    runs = len(official.scores.runs)
    left = runs - sum(len(same) - 1 for same in official.identical)
    lines = [f"{pair}." for pair in copies(official.identical)]
    if left < 2:
        return lines
    return [
        *lines,
        f"Identical runs inflate the number of run pairs: {runs * (runs - 1) // 2}, and "
        f"{left * (left - 1) // 2} among the {left} different runs.",
    ]


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
    size = "" if effect_size != effect_size else f", ES = {effect_size:.3f}"
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
    """Return 4 decimals, or more if all means are small.

    Examples
    --------
    >>> decimals([0.5, 0.25]), decimals([3e-6, 1e-6])
    (4, 8)
    """
    largest = max(map(abs, means))
    return 4 if largest == 0 else max(4, 2 - math.floor(math.log10(largest)))
