"""Which measure ranks the runs, and which stands beside it, by the definitions of the measures."""

from collections.abc import Mapping, Sequence
from importlib.resources import files

from ordbook.advice.criteria import same_measures
from ordbook.data.checking import CONVENTIONAL, one_class_topics
from ordbook.data.scores import ScoreMatrix
from ordbook.data.tasks import ClassificationTask
from ordbook.measures import CLASSIFICATION, QUANTIFICATION
from ordbook.measures.registry import named as named_measure
from ordbook.words import did_you_mean

# What `recommendation.md` recommends, the primary measure first.
FAVOURED: Mapping[str, tuple[str, str]] = {
    "classification": ("kappa", "MAE_M"),
    "quantification": ("RPS", "NMD"),
}
REASONS: Mapping[str, str] = {
    "kappa": (
        "Linear kappa gives nothing to a run that always answers alike, wherever gold holds "
        "several classes, and a single kappa, unlike a mean of several, cannot rise when a right "
        "answer is made wrong, unless it is negative."
    ),
    "MAE_M": (
        "MAE_M gives nothing for a worse answer, and each gold class weighs the same, but it "
        "favours runs that keep to the middle of the scale."
    ),
    "RPS": (
        "By RPS a single error costs more the farther it is, and the best answer is the true "
        "opinion, whatever the number of votes that gold was counted from."
    ),
    "NMD": (
        "NMD can be read as a distance in steps between classes, but where gold is a few votes it "
        "rewards a bet on their median."
    ),
}
# With two classes there is no order: all that can be said of the measures then.
OF_TWO: Mapping[str, str] = {
    "kappa": (
        "Kappa gives nothing to a run that always answers alike, wherever gold holds both classes."
    ),
    "MAE_M": "By MAE_M each gold class weighs the same.",
    "RPS": (
        "RPS is the squared difference of the shares, and the best answer is the true opinion, "
        "whatever the number of votes that gold was counted from."
    ),
    "NMD": "NMD is the share of mass that must move.",
}
# With fewer items of one pool a test says little.
FEWEST_ITEMS = 30
# Splits of each half of the topics, whose mean tau is its consistency.
SPLITS = 50
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
    names = [name for name in recommended(scores, task) if name in REASONS and name != primary]
    return names[0] if names else ""


def by_definition(measures: Sequence[str], task: object = None) -> str:
    """Say why measures are recommended, the primary first, whatever the scores."""
    if measures[0] not in REASONS:
        return "None of the measures recommended is scored and defined on these data."
    known = OF_TWO if len(getattr(task, "classes", ())) == 2 else REASONS
    reasons = [known[name] for name in measures]
    for first, second in FAVOURED.values():
        if measures[0] == second:
            why = (
                "most topics have a single gold class"
                if _mostly_one_class(task)
                else "it is not scored"
            )
            reasons.append(f"{first} would come first, but {why}.")
    return " ".join(reasons)


def _mostly_one_class(task: object) -> bool:
    """Whether most topics have a single gold class: whoever always answers it gets a kappa of 1."""
    return isinstance(task, ClassificationTask) and bool(
        2 * one_class_topics(task).sum() > len(task.topics)
    )


def _once(
    names: Sequence[str], same: Mapping[str, tuple[str, ...]], known: Sequence[str] = ()
) -> list[str]:
    """Return one measure of each set of identical ones: the first known, or the first."""
    order = [*known, *names]
    return [name for name in names if name == next(first for first in order if first in same[name])]
