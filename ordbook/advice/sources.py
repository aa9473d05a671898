"""The independent sources of data in the catalogue, and their scores by the papers' measures."""

from collections.abc import Mapping
from functools import cache

from ordbook.data.catalog import catalog
from ordbook.data.loading import load
from ordbook.data.printed import SIX
from ordbook.data.scores import ScoreMatrix, committed_scores
from ordbook.data.scoring import score

NINE_OC = (
    *("alpha_ord", "alpha_int", "F1_M", "HMPR", "MAE_M", "kappa"),
    *("MAE_mu", "accuracy", "CEM_ORD"),
)
NINE_OQ = ("NMD", "RNOD", "RNOD2", "RNADW", "RNADW2", "NVD", "RNSS", "JSD", "DNKT")
# The measures that papers compare, and the one recommended that they do not know.
MEASURES: Mapping[str, tuple[str, ...]] = {
    "classification": NINE_OC,
    "quantification": tuple(dict.fromkeys([*NINE_OQ, *SIX, "RPS"])),
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
def scores_of(name: str) -> ScoreMatrix:
    """Return the scores of a catalogued data set by :data:`MEASURES` of its kind."""
    chosen = MEASURES[catalog()[name].kind]
    scores = committed_scores(name)
    return scores.select(chosen) if scores else score(load(name), chosen)
