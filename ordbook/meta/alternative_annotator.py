"""The alternative annotator test, which asks whether a judge may stand in for a person."""

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import stdtr

from ordbook.data.annotators import Annotators
from ordbook.data.tasks import ClassificationTask
from ordbook.meta.people import Task, others_votes

DRAWS = "draws from the people's ratings"
_SCORES = ("rmse", "accuracy")


@dataclass(frozen=True, eq=False)
class AlternativeAnnotatorTest:
    """The result of :func:`ordbook.alternative_annotator_test`.

    Attributes
    ----------
    table
        A row per run, then the best constant and :data:`DRAWS`, which never read an item: ``kind``
        (run, constant or draws), ``omega``, ``rho``, ``passes``, ``above``, the share of people for
        whom the judge's advantage is significantly greater than that of the best constant, and
        ``won``, the names of the people over whom the judge won.
    people
        A row per run and person: ``items`` (how many were compared), ``rho``, and ``p``, adjusted
        over people.
    left_out
        The people with too few items.
    epsilon, score, alpha
        As given.
    """

    table: pd.DataFrame
    people: pd.DataFrame
    left_out: tuple[str, ...]
    epsilon: float
    score: str
    alpha: float

    @property
    def note(self) -> str:
        """Warn of judges that never read an item, with those that are held beside the runs."""
        blind = self.table[self.table["kind"] != "run"]
        rows = [
            f"{name} has an average advantage of {row.rho:.2f} and "
            f"{'passes' if row.passes else 'does not pass'}"
            for name, row in zip(blind.index, blind.itertuples(), strict=True)
        ]
        return (
            "A judge that never reads an item can pass this test, so hold the runs against such "
            f"judges: {'; '.join(rows)}."
        )


def alternative_annotator_test(
    task: Task,
    epsilon: float = 0.2,
    score: Literal["rmse", "accuracy"] = "rmse",
    *,
    weights: Literal["majority"] | None = None,
    alpha: float = 0.05,
    least_items: int = 30,
    draws: int = 20,
    seed: int = 0,
) -> AlternativeAnnotatorTest:
    r"""Test whether a judge represents the people at least as well as one of them does.

    Each person h is left out in turn. On the items that h and somebody else rated, the judge f and
    h are held against the ratings by all others. With S the score of an answer against these,

    .. math::

        W_f(i) &= [S_f(i) \geq S_h(i)],

        W_h(i) &= [S_h(i) \geq S_f(i)],

        d(i) &= W_h(i) - W_f(i)

    and f *wins* over h if a one-sided t-test finds that the mean of d is below :math:`\varepsilon`,
    at a false discovery rate of ``alpha`` over all people by the procedure of Benjamini and
    Yekutieli. The winning rate :math:`\omega` is the share of people over whom f wins; f *passes*
    if it is .5 or more. The average advantage :math:`\rho` is the mean of :math:`W_f` over items,
    then over people: the probability that f is as good as a person or better. The authors compare
    judges by it.

    **A judge that never reads an item can pass**, where labels are skewed, or where people hardly
    agree, because a person is then a weak rival. The best constant, the class with the highest
    :math:`\rho` where every item gets it, and random draws from the ratings therefore stand beside
    the runs. ``above`` is the share of people for whom the mean of :math:`W_f` less that of the
    constant is significantly above 0. A judge of which this is .5 or more has shown that it
    reads; the constant is chosen on the same items, which is hard on the judge.

    The t-test takes the items as independent. The authors advise three people, with some 50 to 100
    items. An item that a run did not answer counts as in the run's scores.

    Parameters
    ----------
    task
        A task of labels whose ``annotators`` are known. People may have rated different items.
    epsilon
        How much worse than a person a judge may be, because it costs less, from 0 to 1. The authors
        take .2 where the people are experts, .15 where they are skilled, and .1 for crowd-workers.
    score
        How an answer is held against ratings: ``"rmse"``, the root of its mean squared error, with
        classes one apart, or ``"accuracy"``, the share of equal ratings.
    weights
        ``"majority"`` weighs an item by the inverse share of the items on which most of the others
        gave the same rating (an item with a tie is shared among its ratings), and tests with the
        effective number of items. The authors propose it for skewed labels.
    alpha
        The false discovery rate.
    least_items
        People with fewer items are left out: the t-test needs about 30.
    draws
        How many judges that draw their answers are tried. The row has the means of their
        ``omega`` and ``rho``, and what holds for at least half of them.
    seed
        Of the draws.

    Returns
    -------
    AlternativeAnnotatorTest
        With a ``table`` of judges.

    Raises
    ------
    ValueError
        If the ratings by people are not known, nobody has ``least_items`` items, or an option is
        none of those above.

    References
    ----------
    Calderon, Reichart and Dror (2025), The Alternative Annotator Test for LLM-as-a-Judge: How to
    Statistically Justify Replacing Human Annotators with LLMs, ACL 2025, pages 16051 to 16081.
    Skewed labels are in their Appendix C.1. Benjamini and Yekutieli (2001), The Control of the
    False Discovery Rate in Multiple Testing under Dependency.

    Examples
    --------
    >>> import ordbook as ob
    >>> test = ob.alternative_annotator_test(ob.load("hanna-CH"))
    >>> test.table[["kind", "omega", "rho", "passes"]].sort_values("rho").tail(3).round(2)
                       kind  omega   rho  passes
    run
    OrcaPlatypus 1      run    1.0  0.84    True
    commonest           run    1.0  0.87    True
    always 3       constant    1.0  0.87    True
    """
    if not isinstance(task, ClassificationTask):
        name = getattr(task, "name", None)
        given = f"not one of shares, as {name}" if name else f"not a {type(task).__name__}"
        raise ValueError(
            f"a task of labels is needed, {given}; ob.from_ratings(..., gold='median') makes one"
        )
    if task.annotators is None:
        raise ValueError(
            f"{task.name}: the labels by single people are not known; give them, for example by "
            "ob.from_ratings"
        )
    if not 0 <= epsilon <= 1:
        raise ValueError(f"epsilon: {epsilon} is not between 0 and 1")
    if score not in _SCORES:
        raise ValueError(f"score: {score!r} is unknown; take {' or '.join(map(repr, _SCORES))}")
    if weights not in (None, "majority"):
        raise ValueError(f"weights: {weights!r} is unknown; take 'majority' or None")
    people, runs = task.annotators, len(task.runs)
    size, places = len(people.items), np.arange(people.classes)
    shares = np.bincount(people.rating, minlength=people.classes) / len(people.rating)
    drawn = np.random.default_rng(seed).choice(people.classes, (draws, size), p=shares)
    constants = np.broadcast_to(places[:, None], (people.classes, size))
    answers = np.concatenate([task.predicted, constants, drawn])
    every = [_rival(people, number, answers, score, weights) for number in range(len(people.names))]
    rivals = [rival for rival in every if len(rival.weight) >= least_items]
    names = [rival.name for rival in rivals]
    if not names:
        raise ValueError(
            f"{task.name}: nobody rated {least_items} items that somebody else rated, too; "
            "the test needs more ratings"
        )
    from scipy.stats import false_discovery_control  # takes a second

    advantage = np.array([np.average(x.as_good, axis=1, weights=x.weight) for x in rivals])
    p = [_below(epsilon, x.beaten.astype(float) - x.as_good, x.weight) for x in rivals]
    adjusted = false_discovery_control(p, axis=0, method="by")
    won = adjusted <= alpha
    best = runs + int(advantage.mean(axis=0)[runs : runs + people.classes].argmax())
    leads = [_below(0, x.as_good[best].astype(float) - x.as_good, x.weight) for x in rivals]
    above = (false_discovery_control(leads, axis=0, method="by") <= alpha).mean(axis=0)
    omega, rho = won.mean(axis=0), advantage.mean(axis=0)
    judges = [*enumerate(task.runs), (best, f"always {task.classes[best - runs]}")]
    rows = [
        (name, "constant" if judge == best else "run", omega[judge], rho[judge],
         bool(omega[judge] >= 0.5), above[judge], _named(names, won[:, judge]))
        for judge, name in judges
    ]  # fmt: skip
    blind = slice(runs + people.classes, None)
    rows.append(
        (DRAWS, "draws", omega[blind].mean(), advantage[:, blind].mean(),
         bool((omega[blind] >= 0.5).mean() >= 0.5), above[blind].mean(),
         _named(names, won[:, blind].mean(axis=1) >= 0.5))
    )  # fmt: skip
    columns = ["run", "kind", "omega", "rho", "passes", "above", "won"]
    by_person = pd.DataFrame(
        {
            "items": np.tile([len(rival.weight) for rival in rivals], runs),
            "rho": advantage[:, :runs].T.ravel(),
            "p": adjusted[:, :runs].T.ravel(),
        },
        pd.MultiIndex.from_product([task.runs, names], names=["run", "person"]),
    )
    return AlternativeAnnotatorTest(
        pd.DataFrame(rows, columns=columns).set_index("run"),
        by_person,
        tuple(name for name in people.names if name not in names),
        epsilon,
        score,
        alpha,
    )


class _Rival(NamedTuple):
    """A person beside all judges, on the items that somebody else rated, too.

    ``as_good`` and ``beaten``, (judges, items), are W_f and W_h; ``weight`` is that of each item.
    """

    name: str
    as_good: NDArray[np.bool_]
    beaten: NDArray[np.bool_]
    weight: NDArray[np.float64]


def _rival(
    people: Annotators, number: int, answers: NDArray[Any], score: str, weights: str | None
) -> _Rival:
    """Compare a person and every judge with the others' ratings of the person's items."""
    own, others, rated = others_votes(people, number)
    apart = np.abs(np.subtract.outer(range(people.classes), range(people.classes)))
    # Sums of squares and counts are whole numbers, so that ties are ties; more is worse in both.
    error = others @ (apart**2 if score == "rmse" else (apart > 0).astype(int))
    row = np.arange(len(rated))
    by_person, by_judge = error[row, own], error[row, answers[:, rated]]
    even = weights is None or not len(rated)
    weight = np.ones(len(rated)) if even else _of_majorities(others)
    return _Rival(people.names[number], by_judge <= by_person, by_person <= by_judge, weight)


def _named(names: list[str], chosen: NDArray[np.bool_]) -> tuple[str, ...]:
    return tuple(name for name, is_chosen in zip(names, chosen, strict=True) if is_chosen)


def _of_majorities(votes: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return a weight for each item: the inverse share of items with the same majority."""
    first = votes == votes.max(axis=1, keepdims=True)
    parts = first / first.sum(axis=1, keepdims=True)
    shares = parts.mean(axis=0)
    return np.asarray(parts @ np.divide(1, shares, out=np.zeros_like(shares), where=shares > 0))


def _below(
    limit: float, values: NDArray[np.float64], weight: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return p of one-sided t-tests that the weighted mean of each row is below the limit."""
    weight = weight / weight.sum()
    size = 1 / (weight @ weight)  # of items of equal weight that tell as much
    means = values @ weight
    with np.errstate(divide="ignore", invalid="ignore"):
        variances = np.square(values - means[:, None]) @ weight * size / (size - 1)
        t = (means - limit) * np.sqrt(size / variances)
    return np.asarray(np.nan_to_num(stdtr(size - 1, t), nan=1.0))
