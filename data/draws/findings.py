"""The papers' claims on every source: for ``estimates.csv`` and ``answers.csv``."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations

import numpy as np
import pandas as pd

from ordbook.advice.sources import MEASURES, NINE_OC, NINE_OQ, scores_of, sources
from ordbook.chapters.findings import KINDS, asked
from ordbook.data.catalog import catalog
from ordbook.data.loading import load
from ordbook.data.oddities import constant_runs
from ordbook.data.printed import SIX
from ordbook.data.scores import ScoreMatrix
from ordbook.data.scoring import score
from ordbook.data.tasks import BASELINES, ClassificationTask, QuantificationTask
from ordbook.meta.agreement import topic_wins
from ordbook.meta.discrimination import significant_signs
from ordbook.meta.estimates import Estimates, expected_consistency, left_out
from ordbook.meta.significance import asymptotic_signs, tukey_hsd
from ordbook.meta.similarity import pair_orders
from ordbook.meta.variances import Floats

ALPHA = 0.05


# Below this ACL'21 shows a tau in the colour of the weakest correlations (Tables 2 and 5).
SIMILAR = 0.6


# DialEval-1 sees "no substantial difference" of two measures; a tau of this is one of ours.
ALIKE = 0.8


# The printed shares are at most .04, in DialEval-1 DQ-A (LQ'21, Tables 4(f) and 5(III)).
RARE = 0.05


# The columns of a statistic before those of tau with every measure.
COLUMNS = ("consistency", "ten topics", "power")


WINS = "topics won by popularity"


# Measures of a claim about likeness, the mean tau of a measure with the others of these.
AMONG: Mapping[str, tuple[str, ...]] = {
    "likeness of six": SIX,
    "likeness of nine": NINE_OQ,
    "likeness of eight": NINE_OQ[:-1],
}


GROUP_A, GROUP_B = NINE_OC[:6], NINE_OC[6:8]


def statistic(sets: Sequence[ScoreMatrix]) -> Floats:
    """Return what claims are about, (measures, COLUMNS and tau with every measure).

    Each is a mean over the sets of a source: the tau to expect between two halves of the topics
    and between two samples of ten, the share of pairs of runs that differ significantly, and tau
    between the rankings by two measures.
    """
    rows = []
    for scores in sets:
        signs = pair_orders(scores)
        columns = [
            expected_consistency(scores),
            expected_consistency(scores, 10),
            np.abs(asymptotic_signs(scores, ALPHA)).mean(axis=1),
        ]
        rows.append(np.column_stack([*columns, signs @ signs.T / signs.shape[1]]))
    mean: Floats = np.mean(rows, axis=0)
    return mean


def wins(baselines: Sequence[ScoreMatrix]) -> Floats:
    """Return the share of topics on which each measure prefers BL-popularity to BL-uniform."""
    uniform, popularity = BASELINES
    counts = [topic_wins(scores, popularity, uniform)["first"] for scores in baselines]
    shares = [count / len(scores.topics) for count, scores in zip(counts, baselines, strict=True)]
    mean: Floats = np.mean(shares, axis=0)[:, None]
    return mean


def contrast(
    quantity: str, first: str, second: str, measures: Sequence[str]
) -> Callable[[Floats], Floats]:
    """Return the function from a statistic to the first measure's lead over the second."""

    def values(name: str) -> Callable[[Floats], Floats]:
        place = measures.index(name)
        if quantity in COLUMNS:
            return lambda numbers: numbers[..., place, COLUMNS.index(quantity)]
        if quantity == WINS:
            return lambda numbers: numbers[..., place, 0]
        others = AMONG.get(quantity, (quantity.removeprefix("tau with "),))
        columns = [len(COLUMNS) + measures.index(other) for other in others if other != name]
        return lambda numbers: numbers[..., place, columns].mean(axis=-1)

    sides = [[values(name) for name in side.split()] for side in (first, second)]

    def lead(numbers: Floats) -> Floats:
        ahead, behind = (np.mean([value(numbers) for value in side], axis=0) for side in sides)
        return np.asarray(ahead - behind)

    return lead


def compute_source(kind: str, source: str) -> Iterator[dict[str, object]]:
    """Yield the rows of ``data/draws/estimates.csv`` for one source."""
    names = sources(kind)[source]
    tasks = [load(name) for name in names]
    teams = {run: team for task in tasks for run, team in task.groups.items()}
    measured = left_out(statistic, [scores_of(name) for name in names], teams)
    baselines = [scores for name in names if (scores := baseline_scores(name)) is not None]
    favoured = left_out(wins, baselines, runs_too=False) if baselines else None
    for quantity, first, second in asked(kind):
        estimates: Estimates | None = favoured if quantity == WINS else measured
        if estimates is None:
            continue
        measures = SIX if quantity == WINS else MEASURES[kind]
        lead = contrast(quantity, first, second, measures)
        over_topics, over_runs = estimates.variances(lead)
        yield {
            **{"kind": kind, "quantity": quantity, "first": first, "second": second},
            **{"source": source, "lead": float(lead(estimates.value))},
            **{"topics": float(over_topics) ** 0.5, "runs": float(over_runs) ** 0.5},
        }


def compute_estimates() -> pd.DataFrame:
    """Compute the rows that ``data/draws/estimates.csv`` holds.

    Returns
    -------
    DataFrame
        kind, quantity, first, second and source; lead (of the first measure over the second), and
        its standard errors over topics and over runs, with which its variance is their squares'
        sum.
    """
    return pd.DataFrame(
        row for kind in KINDS for source in sources(kind) for row in compute_source(kind, source)
    )


@cache
def baseline_scores(name: str) -> ScoreMatrix | None:
    """Return the scores of the two baselines on a set of distributions, or nothing."""
    task = load(name)
    if not isinstance(task, QuantificationTask):
        return None
    scores = scores_of(name).select(SIX)
    if not set(BASELINES) <= set(scores.runs):
        scores = score(task.with_baselines(), SIX)
    return scores.keep(runs=BASELINES)


def compute_answers() -> pd.DataFrame:
    """Compute the rows that ``data/draws/answers.csv`` holds.

    Returns
    -------
    DataFrame
        kind, key and source of each claim that is no difference; true (whether it is true of the
        source; empty where the source says nothing about it), and the numbers behind it, value and
        limit (empty where there is only one).
    """
    return pd.DataFrame(
        {"kind": kind, "key": key, "source": source, "true": true, "value": value, "limit": limit}
        for kind in KINDS
        for source, names in sources(kind).items()
        for key, (true, value, limit) in answers(kind, names).items()
    )


Answer = tuple[bool | None, float, float]


NOTHING: Answer = (None, np.nan, np.nan)


def answers(kind: str, names: Sequence[str]) -> dict[str, Answer]:
    """Return key -> whether a claim is true of a source, and two numbers: see the comments.

    The sets of the source are put together: tau is averaged over them, and counts are added.
    """
    measures = MEASURES[kind]
    tau = statistic([scores_of(name) for name in names])[:, len(COLUMNS) :]
    first, *more_sets = (overlaps(name) for name in names)
    counts = sum(more_sets, first)
    common, against = (float(counts[column].sum()) for column in ("both", "against"))
    # Contradictions, and the differences that two measures both find.
    rare: Answer = (against <= RARE * common, against, common) if common else NOTHING

    def alike(names: Sequence[str], least: float) -> Answer:  # least tau, and what it should be
        places = [measures.index(name) for name in names]
        lowest = float(tau[np.ix_(places, places)].min())
        return lowest >= least - 1e-9, lowest, least

    if kind == "quantification":
        with_nmd = counts.loc[[("NMD", other) for other in SIX if other != "NMD"]]
        more = with_nmd[with_nmd["second"] > with_nmd["first"]]
        missed = float((more["only"] > 0).sum())
        # Measures that find more than NMD but not all that NMD finds, and those that find more.
        own: Answer = (2 * missed > len(more), missed, len(more)) if len(more) else NOTHING
        return {"alike": alike(("NMD", "RSNOD"), ALIKE), "own": own, "rare": rare}
    apart = float(tau[:6, 6:8].max())  # of group A and group B
    spread = [known for name in names if (known := _of_constant_runs(name)) is not None]
    blind, seeing = np.max(spread, axis=0) if spread else (np.nan, np.nan)
    return {
        "groupA": alike(GROUP_A, SIMILAR),
        "groupB": alike(GROUP_B, SIMILAR),
        "unlike": (apart < SIMILAR, apart, SIMILAR),
        # How far apart constant runs are by kappa, and by alpha_ord.
        "kappa": (bool(blind < 1e-9 < seeing), blind, seeing) if spread else NOTHING,
        "rare": rare,
    }


@cache
def overlaps(name: str) -> pd.DataFrame:
    """Count the significant differences of a set that two measures find.

    Returns
    -------
    DataFrame
        By pair of measures: first and second (differences found by each), only (by the first, not
        by the second), both, and against (found by both in opposite directions).
    """
    kind = catalog()[name].kind
    scores = scores_of(name).select(SIX if kind == "quantification" else NINE_OC)
    signs = significant_signs(tukey_hsd(scores), ALPHA)
    rows = {}
    for a, b in combinations(scores.measures, 2):
        one, two = signs[a] != 0, signs[b] != 0
        counts = one.sum(), two.sum(), (one & ~two).sum(), (one & two).sum()
        rows[a, b] = (*counts, (signs[a] * signs[b] < 0).sum())
    return pd.DataFrame.from_dict(
        rows, "index", columns=["first", "second", "only", "both", "against"]
    )


def _of_constant_runs(name: str) -> tuple[float, float] | None:
    """Return how far runs that always answer one class are apart by kappa and by alpha_ord."""
    task = load(name)
    runs = () if not isinstance(task, ClassificationTask) or task.missing else constant_runs(task)
    if len(runs) < 2:
        return None
    means = scores_of(name).means().loc[list(runs), ["kappa", "alpha_ord"]]
    kappa, alpha = means.max() - means.min()
    return float(kappa), float(alpha)


def compute_sources() -> pd.DataFrame:
    """Return the size of each set, and of all sets of its source together."""

    def sizes(names: Sequence[str]) -> tuple[int, int, int]:
        scores, groups = [*map(scores_of, names)], [load(name).groups for name in names]
        teams = {
            group.get(run, run) for s, group in zip(scores, groups, strict=True) for run in s.runs
        }
        topics = {topic for s in scores for topic in s.topics}
        return len(topics), len({run for s in scores for run in s.runs}), len(teams)

    columns = ("topics", "runs", "teams")
    return pd.DataFrame(
        [
            {
                **{"kind": kind, "source": source, "set": name},
                **dict(zip(columns, sizes([name]), strict=True)),
                **{f"all {c}": n for c, n in zip(columns, sizes(names), strict=True)},
            }
            for kind in KINDS
            for source, names in sources(kind).items()
            for name in names
        ]
    )
