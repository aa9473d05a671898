"""The votes of the catalogued data sets on the claims about measures, by independent source."""

import sys
from collections.abc import Collection, Mapping, Sequence
from functools import cache

import pandas as pd

from ordbook.advice.claims import NINE_OC, NINE_OQ, Look, claims, judge_claims
from ordbook.advice.evidence import Evidence, evidence_of, pool
from ordbook.data.catalog import catalog
from ordbook.data.loading import load
from ordbook.data.printed import SIX
from ordbook.data.scores import committed_scores
from ordbook.data.scoring import score
from ordbook.files import share, write_whole
from ordbook.meta.halves import majority

MEASURES: Mapping[str, tuple[str, ...]] = {
    "classification": NINE_OC,
    "quantification": tuple(dict.fromkeys([*NINE_OQ, *SIX])),
}
COLUMNS = ("kind", "claim", "set", "over", "whole", "share", "vote", "seen", "why")
DIGITS = 4
# Names of several sources together: those that the papers draw on, too, and (empty) all.
TOGETHER: Mapping[str, Collection[str]] = {
    "papers": ("tweets", "dialogues", "breakdowns"),
    "all": (),
}


def sources(kind: str) -> dict[str, list[str]]:
    """Return the independent sources of data of a kind of task, each with its catalogued sets.

    Examples
    --------
    >>> list(sources("quantification"))
    ['tweets', 'dialogues', 'breakdowns', 'survey', 'short texts', 'stories']
    """
    by_source: dict[str, list[str]] = {}
    for name, about in catalog().items():
        if about.source and about.kind == kind:
            by_source.setdefault(about.source, []).append(name)
    return by_source


def short_name(name: str) -> str:
    """Return the name of a catalogued set in figures and tables."""
    return catalog()[name].short or name


@cache
def evidence(name: str) -> Evidence:
    """Return the evidence of a catalogued data set by the papers' measures of its kind."""
    task, scores = load(name), committed_scores(name)
    chosen = MEASURES[catalog()[name].kind]
    return evidence_of(task, scores.select(chosen) if scores else score(task, chosen))


@cache
def committed_votes() -> pd.DataFrame:
    """Return the votes of all sets on all claims, as ``data/votes.csv`` holds them.

    Returns
    -------
    DataFrame
        kind; claim (its place in :func:`ordbook.advice.claims.claims`); set (a catalogued name, or
        ``papers`` or ``all`` for several together, see :func:`compute_together`); over (``topics``
        or ``both``; empty for several); whole (whether the claim is true of the whole set); share
        (of the halves of which it is true); vote (1, 0 or -1); seen (the numbers it rests on); why
        (the reason why no halves were asked).
    """
    frame = pd.read_csv(share("data", "votes.csv"), keep_default_na=False)
    frame["share"] = pd.to_numeric(frame["share"])
    frame["whole"] = frame["whole"].map({"True": True, "False": False})
    return frame


def by_source(kind: str, over: str) -> pd.DataFrame:
    """Return the vote of each source on each claim, claim x source.

    The sets of a source vote among themselves, by the rule that sources follow, too
    (:func:`ordbook.meta.halves.majority`).
    """
    frame = committed_votes()
    frame = frame[(frame["kind"] == kind) & (frame["over"] == over)]
    votes_of = frame.set_index(["claim", "set"])["vote"]
    table = {
        source: [
            majority([int(votes_of[claim, name]) for name in names])
            for claim in range(len(claims(kind)))
        ]
        for source, names in sources(kind).items()
    }
    return pd.DataFrame(table).rename_axis("claim")


def compute_votes(kind: str, name: str) -> list[dict[str, object]]:
    """Compute the rows of :func:`committed_votes` for one data set."""
    verdicts = judge_claims(load(name), evidence(name).scores)
    return [
        {
            **{"kind": kind, "claim": k, "set": name, "over": over, "whole": vote.whole},
            **{"share": round(vote.share, DIGITS), "vote": vote.value, "seen": seen},
            "why": vote.why,
        }
        for over in ("topics", "both")
        for k, (seen, vote) in enumerate(zip(verdicts["seen"], verdicts[over], strict=True))
    ]


def compute_together(
    kind: str, name: str, chosen: Collection[str], rows: Sequence[Mapping[str, object]]
) -> list[dict[str, object]]:
    """Compute the rows of :func:`committed_votes` for the sets of several sources together.

    A claim that its author states of the average or the pool of data sets is asked of these, any
    other of each set.
    ``name`` stands in the place of a set, ``chosen`` are the sources, and ``rows`` those of
    :func:`compute_votes` for every set.
    """
    known = {source: sets for source, sets in sources(kind).items() if source in chosen}
    pooled = pool({source: [evidence(member) for member in sets] for source, sets in known.items()})
    sets = [member for names in known.values() for member in names]
    together = []
    for k, claim in enumerate(claims(kind)):
        look = claim.rule(pooled)
        if claim.stated == "each":
            answers = [
                bool(row["whole"])
                for row in rows
                if (row["claim"], row["over"]) == (k, "topics")
                and row["set"] in sets
                and row["whole"] is not None
            ]
            text = f"true of {sum(answers)} of {len(answers)} data sets"
            look = Look(tuple(answers), text)
        row = dict.fromkeys(COLUMNS, "") | {"kind": kind, "claim": k, "set": name}
        together.append(
            row | ({"whole": look.true, "seen": look.text} if look else {"whole": None})
        )
    return together


def commit() -> None:
    """Compute all votes and write them."""
    rows: list[dict[str, object]] = []
    for kind in MEASURES:
        for names in sources(kind).values():
            for name in names:
                rows += compute_votes(kind, name)
                print(name, file=sys.stderr)
        of_kind = [row for row in rows if row["kind"] == kind]
        for name, chosen in TOGETHER.items():
            rows += compute_together(kind, name, chosen or sources(kind), of_kind)
    path = share("data", "scores").parent / "votes.csv"
    text = pd.DataFrame(rows, columns=list(COLUMNS)).to_csv(index=False)
    write_whole(path, text.encode())
    print(f"{path}: {len(rows)} votes")


if __name__ == "__main__":
    commit()
