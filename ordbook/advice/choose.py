"""Which measure ranks the runs, and which stands beside it, by the definitions of the measures."""

from collections.abc import Mapping, Sequence
from importlib.resources import files

from ordbook.advice import FAVOURED
from ordbook.advice.criteria import same_measures
from ordbook.data.oddities import CONVENTIONAL, one_class_topics
from ordbook.data.scores import ScoreMatrix
from ordbook.data.tasks import ClassificationTask
from ordbook.measures import CLASSIFICATION, QUANTIFICATION
from ordbook.measures.registry import named as named_measure
from ordbook.words import did_you_mean

# With fewer items of one pool a test says little.
FEWEST_ITEMS = 30
# A primary and a secondary measure whose tau is below this contradict each other.
LOW = 0.6


def recommendation() -> str:
    """Return the recommendation of this book, with its reasons, in Markdown."""
    return files("ordbook.advice").joinpath("recommendation.md").read_text(encoding="utf-8")


def recommended(scores: ScoreMatrix, task: object = None) -> list[str]:
    """Return the primary measure for these scores, then the secondary one if there is one.

    They are those of ``FAVOURED`` that are scored, each measure once, without kappa if most topics
    have a single gold class. If there is none, the first that sees the order of the classes is
    primary, or else the first of all.

    Examples
    --------
    >>> import ordbook as ob
    >>> task = ob.load("fair-oc")
    >>> recommended(ob.score(task), task), recommended(ob.score(task, ["accuracy", "CEM_ORD"]))
    (['kappa', 'MAE_M'], ['CEM_ORD'])
    """
    unfit = CONVENTIONAL if _mostly_one_class(task) else ()
    left = [name for name in scores.measures if name not in unfit]
    favoured = [name for pair in FAVOURED.values() for name in pair if name in left]
    known = {**QUANTIFICATION, **CLASSIFICATION}
    ordinal = [name for name in left if name not in known or known[name].ordinal]
    return _once(favoured, same_measures(scores)) or (ordinal or list(scores.measures))[:1]


def choose_primary(scores: ScoreMatrix, task: object = None, asked: str = "auto") -> str:
    """Return the measure that ranks: the one that is asked for, or the first recommended.

    Raises
    ------
    ValueError
        If the one asked for was not scored.
    """
    if asked == "auto":
        return recommended(scores, task)[0]
    name = named_measure(asked, scores.measures)
    if name not in scores.measures:
        raise ValueError(
            f"primary: {name!r} is not among the measures scored, {', '.join(scores.measures)}"
            f"{did_you_mean(name, scores.measures)}"
        )
    return name


def measure_beside(scores: ScoreMatrix, task: object, primary: str) -> str:
    """Return the recommended measure to report beside the primary one; "" if none is."""
    favoured = {name for pair in FAVOURED.values() for name in pair}
    names = [name for name in recommended(scores, task) if name in favoured and name != primary]
    return names[0] if names else ""


def exception(measure: str, task: object = None) -> str:
    """Say in a clause why a measure ranks that is not the first recommended, or return nothing."""
    for first, second in FAVOURED.values():
        if measure == first:
            return ""
        if measure == second and _mostly_one_class(task):
            return f"most topics have a single gold class, where {first} says nothing"
        if measure == second:
            return f"{first} is not scored"
    if getattr(task, "kind", "") == "nuggets":
        return "the book recommends none for nuggets"
    return "none of the measures that the book recommends is scored"


def _mostly_one_class(task: object) -> bool:
    """Whether most topics have a single gold class, so that a constant answer has kappa 1."""
    return isinstance(task, ClassificationTask) and bool(
        2 * one_class_topics(task).sum() > len(task.topics)
    )


def _once(
    names: Sequence[str], same: Mapping[str, tuple[str, ...]], known: Sequence[str] = ()
) -> list[str]:
    """Return one measure of each set of identical ones: the first known, or the first."""
    order = [*known, *names]
    return [name for name in names if name == next(first for first in order if first in same[name])]
