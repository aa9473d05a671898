"""The findings: the papers' claims as differences, estimated source by source, and together."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, product

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from ordbook.advice.sources import MEASURES, NINE_OC, NINE_OQ, scores_of, sources
from ordbook.data.catalog import catalog
from ordbook.data.checking import constant_runs
from ordbook.data.loading import load
from ordbook.data.printed import SIX
from ordbook.data.scores import ScoreMatrix
from ordbook.data.scoring import score
from ordbook.data.tasks import BASELINES, ClassificationTask, QuantificationTask
from ordbook.files import share
from ordbook.meta.agreement import topic_wins
from ordbook.meta.discrimination import significant_signs
from ordbook.meta.estimates import Estimates, expected_consistency, left_out, random_effects
from ordbook.meta.significance import asymptotic_signs, tukey_hsd
from ordbook.meta.similarity import pair_orders
from ordbook.meta.variances import Floats
from ordbook.papers.draws import committed_table
from ordbook.show.charts import dots
from ordbook.show.colours import WIDTH

# Kind of task -> the word for what its runs give; distributions come first in the chapter.
KINDS: Mapping[str, str] = {"quantification": "distributions", "classification": "labels"}
ALPHA = 0.05
# Below this ACL'21 shows a tau in the colour of the weakest correlations (Tables 2 and 5).
SIMILAR = 0.6
# DialEval-1 sees "no substantial difference" of two measures; a tau of this is one of ours.
ALIKE = 0.8
# The printed shares are at most .04, in DialEval-1 DQ-A (LQ'21, Tables 4(f) and 5(III)).
RARE = 0.05
GROUP_A, GROUP_B = NINE_OC[:6], NINE_OC[6:8]
# The columns of a statistic before those of tau with every measure.
COLUMNS = ("consistency", "ten topics", "power")
WINS = "topics won by popularity"
# Measures of a claim about likeness, the mean tau of a measure with the others of these.
AMONG: Mapping[str, tuple[str, ...]] = {
    "likeness of six": SIX,
    "likeness of nine": NINE_OQ,
    "likeness of eight": NINE_OQ[:-1],
}
# Comparisons of the measures that this book recommends, which no paper makes.
OURS: Mapping[str, Sequence[tuple[str, str]]] = {
    "classification": (("kappa", "MAE_M"), ("kappa", "alpha_ord")),
    "quantification": (("RPS", "NMD"), ("RPS", "RNOD")),
}


@dataclass(frozen=True)
class Claim:
    """A claim of a paper about measures; of ``ours`` if no paper makes it.

    Attributes
    ----------
    kind, key
        Of which task it speaks, and its name there.
    paper, section, short, says
        Its source, its name in figures, and the paper's words, or close to them.
    quantity, first, second
        If the claim is that measures are ahead of others: in what, and the two groups.
    """

    kind: str
    key: str
    paper: str
    section: str
    short: str
    quantity: str
    first: str
    second: str
    says: str

    @property
    def comparisons(self) -> list[tuple[str, str]]:
        """The pairs of measures of which the claim says that the first is ahead.

        Where a claim is about the mean over groups, a side of its one pair holds several names.
        """
        if self.quantity.startswith("tau with "):
            return [(self.first, self.second)]
        return list(product(self.first.split(), self.second.split()))

    @property
    def about(self) -> dict[str, str]:
        """Its columns in tables."""
        return {name: getattr(self, name) for name in ("paper", "section", "short", "says")}


@cache
def claims(kind: str = "") -> tuple[Claim, ...]:
    """Return the papers' claims about measures, and one of ours, of one kind of task or of both."""
    frame = pd.read_csv(share("data", "claims.csv"), keep_default_na=False, dtype=str)
    stated = (Claim(*map(str, row)) for row in frame.itertuples(index=False))
    return tuple(claim for claim in stated if kind in ("", claim.kind))


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


def asked(kind: str) -> list[tuple[str, str, str]]:
    """Return each quantity and pair of measures that a claim, or the advice, compares."""
    pairs = [(claim.quantity, *pair) for claim in _differing(kind) for pair in claim.comparisons]
    ours = product(("ten topics", "power"), OURS[kind])
    return list(dict.fromkeys([*pairs, *((quantity, *pair) for quantity, pair in ours)]))


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


@cache
def estimates(kind: str) -> pd.DataFrame:
    """Return the committed :func:`compute_estimates` of a kind of task.

    Returns
    -------
    DataFrame
        quantity, first, second and source; lead and error (its standard error).
    """
    frame = committed_table("estimates").query("kind == @kind")
    frame = frame.assign(error=np.hypot(frame["topics"], frame["runs"]))
    return frame[["quantity", "first", "second", "source", "lead", "error"]]


def by_source(kind: str, quantity: str, first: str, second: str) -> pd.DataFrame:
    """Return the lead of one measure over another, and its standard error, of each source."""
    rows = estimates(kind).query("quantity == @quantity and first == @first and second == @second")
    return rows.set_index("source")[["lead", "error"]]


@cache
def together(kind: str, quantity: str, first: str, second: str) -> dict[str, float]:
    """Return what the sources say together of the first measure's lead over the second.

    Returns
    -------
    dict
        mean, low, high, next low, next high, between and p of
        :class:`ordbook.meta.estimates.RandomEffects`, and sources, their number.
    """
    rows = by_source(kind, quantity, first, second)
    effects = random_effects(rows["lead"], rows["error"])
    named = {name.replace("_", " "): number for name, number in vars(effects).items()}
    return named | {"sources": len(rows)}


def differences() -> pd.DataFrame:
    """Return what the sources say together of each claim that is a difference.

    Returns
    -------
    DataFrame
        By kind and key: paper, section, short and says of the claim; quantity; first and second,
        the measures of the comparison with the smallest mean if the claim joins several, and
        joined, their number; and the numbers of :func:`together`.
    """
    rows = {}
    for claim in _differing():
        means = [
            (together(claim.kind, claim.quantity, *pair)["mean"], pair)
            for pair in claim.comparisons
        ]
        _, (first, second) = min(means)
        rows[claim.kind, claim.key] = {
            **claim.about,
            **{"quantity": claim.quantity, "first": first, "second": second, "joined": len(means)},
            **together(claim.kind, claim.quantity, first, second),
        }
    return pd.DataFrame.from_dict(rows, "index").rename_axis(["kind", "key"])


@cache
def committed_answers() -> pd.DataFrame:
    """Return the committed :func:`compute_answers`, without sources that say nothing."""
    frame = committed_table("answers").dropna(subset=["true"])
    return frame.assign(true=frame["true"].astype(bool))


def others() -> pd.DataFrame:
    """Return on how many sources each claim that is no difference is true.

    Returns
    -------
    DataFrame
        By kind and key: paper, section, short and says of the claim, true (number of sources of
        which it is true) and asked (of how many something can be said).
    """
    by_claim = committed_answers().groupby(["kind", "key"])["true"]
    about = pd.DataFrame.from_dict({(c.kind, c.key): c.about for c in claims()}, "index")
    about = about.rename_axis(["kind", "key"])
    return about.join(by_claim.agg(true="sum", asked="size"), how="inner")


def contradictions() -> pd.DataFrame:
    """Return against, common (differences that two measures find) and share, by kind and source."""
    rows = committed_answers().query("key == 'rare'").set_index(["kind", "source"])
    table = rows[["value", "limit"]].astype(int).set_axis(["against", "common"], axis=1)
    return table.assign(share=table["against"] / table["common"])


def least_leads(kind: str, source: str) -> pd.Series:
    """Return by key the smallest lead that each claim has on a source."""
    leads = {
        claim.key: min(
            float(by_source(kind, claim.quantity, *pair)["lead"][source])
            for pair in claim.comparisons
        )
        for claim in _differing(kind)
    }
    return pd.Series(leads)


def _differing(kind: str = "") -> list[Claim]:
    return [claim for claim in claims(kind) if claim.quantity]


def limits(kind: str, quantity: str, first: str, second: str) -> pd.DataFrame:
    """Return lead, low and high: of each source, of the mean over sources, and of the next source.

    A source's interval reaches 1.96 standard errors to either side.
    """
    rows = by_source(kind, quantity, first, second)
    half = 1.96 * rows["error"]
    table = pd.DataFrame(
        {"lead": rows["lead"], "low": rows["lead"] - half, "high": rows["lead"] + half}
    )
    effects = together(kind, quantity, first, second)
    mean = effects["mean"]
    table.loc["mean over sources"] = mean, effects["low"], effects["high"]
    table.loc["on the next source"] = mean, effects["next low"], effects["next high"]
    return table


def forest(panels: Mapping[str, Sequence[pd.DataFrame]], labels: Sequence[str]) -> Figure:
    """Draw :func:`limits`, a row of panels for each title.

    Parameters
    ----------
    panels
        Title -> a table for each label.
    labels
        What the leads are of.
    """
    heights = [len(tables[0]) for tables in panels.values()]
    figure, drawn = plt.subplots(
        len(panels),
        len(labels),
        figsize=(WIDTH, 0.8 + 0.27 * sum(heights) + 0.3 * len(heights)),
        height_ratios=heights,
        sharex="col",
        sharey="row",
        squeeze=False,
        layout="constrained",
    )
    for axes, (title, tables) in zip(drawn, panels.items(), strict=True):
        for panel, table in zip(axes, tables, strict=True):
            low, high = table[["low"]].set_axis(["lead"], axis=1), table[["high"]]
            high = high.set_axis(["lead"], axis=1)
            dots(table[["lead"]], "", low, high, line=0, axes=panel)
            panel.axhline(len(table) - 2.5, color="0.8", lw=1)
        if title:
            axes[0].set_title(title, loc="left", fontsize="medium", fontweight="bold")
    for panel, label in zip(drawn[-1], labels, strict=True):
        panel.set_xlabel(label)
    return figure


def overview(table: pd.DataFrame) -> Figure:
    """Draw the mean lead of each claim with its interval and that of the next source.

    Parameters
    ----------
    table
        From :func:`differences`.
    """
    parts = {word: table.loc[kind] for kind, word in KINDS.items()}
    figure, panels = plt.subplots(
        len(parts),
        figsize=(WIDTH, 1.2 + 0.38 * len(table)),
        height_ratios=[len(part) for part in parts.values()],
        sharex=True,
        layout="constrained",
    )
    for axes, (word, part) in zip(panels, parts.items(), strict=True):
        names = pd.Index(["mean over sources", "on the next source"])
        low, high = (
            pd.DataFrame(part[columns].to_numpy(), part["short"], names)
            for columns in (["low", "next low"], ["high", "next high"])
        )
        middle = pd.DataFrame(part[["mean", "mean"]].to_numpy(), part["short"], names)
        dots(middle, "", low, high, line=0, axes=axes)
        axes.set_title(word, loc="left", fontsize="medium", fontweight="bold")
    # Beyond these limits reaches the interval of one claim alone.
    panels[-1].set(xlabel="lead, as the claim has it", xlim=(-0.33, 0.42))
    marks, labels = panels[0].get_legend_handles_labels()
    figure.legend(marks, labels, loc="outside upper center", ncols=2, frameon=False)
    return figure


def about_sources() -> pd.DataFrame:
    """Return by kind and source: its data sets, topics, runs and teams, for a table."""
    rows = {}
    for kind, word in KINDS.items():
        for source, names in sources(kind).items():
            scores = [scores_of(name) for name in names]
            groups = [load(name).groups for name in names]
            teams = {
                group.get(run, run)
                for s, group in zip(scores, groups, strict=True)
                for run in s.runs
            }
            rows[f"{source}, {word}"] = {
                "data sets": ", ".join(names),
                "topics": len({topic for s in scores for topic in s.topics}),
                "runs": len({run for s in scores for run in s.runs}),
                "teams": len(teams),
            }
    return pd.DataFrame.from_dict(rows, "index").rename_axis("source")
