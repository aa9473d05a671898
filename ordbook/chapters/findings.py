"""The findings: the papers' claims as differences, estimated source by source, and together."""

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from ordbook.files import share
from ordbook.meta.estimates import random_effects
from ordbook.papers.draws import committed_table
from ordbook.show.charts import lead_rows
from ordbook.show.colours import WIDTH

# Kind of task -> the word for what its runs give; distributions come first in the chapter.
KINDS: Mapping[str, str] = {"quantification": "distributions", "classification": "labels"}
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


def asked(kind: str) -> list[tuple[str, str, str]]:
    """Return each quantity and pair of measures that a claim, or the advice, compares."""
    pairs = [(claim.quantity, *pair) for claim in _differing(kind) for pair in claim.comparisons]
    ours = product(("ten topics", "power"), OURS[kind])
    return list(dict.fromkeys([*pairs, *((quantity, *pair) for quantity, pair in ours)]))


@cache
def estimates(kind: str) -> pd.DataFrame:
    """Return each source's lead of one measure over another, of a kind of task.

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
    """Combine the sources' leads of the first measure over the second.

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
    """Combine the sources for each claim that is a difference.

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
    """Return whether each claim that is no difference is true of a source that can say it."""
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
    """Return the lead of one measure over another, of each source and of all.

    Returns
    -------
    DataFrame
        By source, mean (its lead), low and high, 1.96 standard errors to either side; in the last
        row what the sources say together, with next low and next high.
    """
    rows = by_source(kind, quantity, first, second)
    half = 1.96 * rows["error"]
    table = pd.DataFrame(
        {"mean": rows["lead"], "low": rows["lead"] - half, "high": rows["lead"] + half}
    )
    return pd.concat([table, summary({"mean of sources": (kind, quantity, first, second)})])


def summary(leads: Mapping[str, tuple[str, str, str, str]]) -> pd.DataFrame:
    """Return the numbers of :func:`together` that a chart of leads draws, by row."""
    numbers = pd.DataFrame({row: together(*lead) for row, lead in leads.items()}).T
    return numbers[["mean", "low", "high", "next low", "next high"]].astype(float)


def overview(table: pd.DataFrame) -> Figure:
    """Draw the mean lead of each claim with its interval and that of the next source.

    Parameters
    ----------
    table
        From :func:`differences`.
    """
    rows = table["short"].map(lambda claim: textwrap.fill(claim, 30))
    parts = {word: table.loc[kind].set_index(rows[kind]) for kind, word in KINDS.items()}
    figure, panels = plt.subplots(
        len(parts),
        figsize=(WIDTH, 1.2 + 0.4 * len(table)),
        height_ratios=[len(part) for part in parts.values()],
        sharex=True,
        layout="constrained",
    )
    for axes, (word, part) in zip(panels, parts.items(), strict=True):
        lead_rows(axes, part, "")
        axes.set_title(word, loc="left", fontsize="medium", fontweight="bold")
    # Beyond these limits reaches the interval of one claim alone.
    panels[-1].set(xlabel="lead\n← the claim is wrong | it is right →", xlim=(-0.33, 0.42))
    return figure


def about_sources() -> pd.DataFrame:
    """Return by kind and source: its data sets, topics, runs and teams, for a table."""
    table = committed_table("sources")
    rows = {}
    for kind, word in KINDS.items():
        for source, part in table[table["kind"] == kind].groupby("source", sort=False):
            whole = part[["all topics", "all runs", "all teams"]].iloc[0].tolist()
            sizes = dict(zip(("topics", "runs", "teams"), whole, strict=True))
            rows[f"{source}, {word}"] = {"data sets": ", ".join(part["set"]), **sizes}
    return pd.DataFrame.from_dict(rows, "index").rename_axis("source")
