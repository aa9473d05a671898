"""Tasks of nuggets: distributions over the types that the turns of dialogues may have.

A turn is a nugget when it helps to solve the problem. The types differ by who speaks and have no
order: a customer's turn is one of CNUG0, CNUG, CNUG* and CNaN, a helpdesk's one of HNUG, HNUG* and
HNaN. A turn is an item with a share for each of the seven types, where those of the other side are
0. A dialogue's score combines those of its turns (DialEval-1, Section 3.2).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ordbook.data.labels import texts
from ordbook.data.tasks import Provenance, _Task, baselines, distributions
from ordbook.words import counted

NUGGETS: Mapping[str, tuple[str, ...]] = {
    "customer": ("CNUG0", "CNUG", "CNUG*", "CNaN"),
    "helpdesk": ("HNUG", "HNUG*", "HNaN"),
}
TYPES = sum(NUGGETS.values(), ())
COLUMNS = {side: [TYPES.index(name) for name in types] for side, types in NUGGETS.items()}


@dataclass(frozen=True, eq=False)
class Turns:
    """All turns of one side, dialogue after dialogue.

    Attributes
    ----------
    classes
        The side's nugget types.
    topic
        (turns,): the turn's dialogue as an index into the task's topics.
    gold, estimates
        (turns, classes) and (runs, turns, classes).
    """

    classes: tuple[str, ...]
    topic: NDArray[np.intp]
    gold: NDArray[np.float64]
    estimates: NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class NuggetTask(_Task):
    """Gold and estimated distributions over nugget types, one pair per turn and run.

    Topics are dialogues; ``classes`` are the types of both sides, which have no order. Build one
    with :meth:`from_turns` or read one with :func:`ordbook.load`.

    Attributes
    ----------
    alpha
        Weight of the customer's turns in a dialogue's score, from 0 to 1;
        ``dataclasses.replace(task, alpha=.3)`` changes it.

    Examples
    --------
    >>> task = NuggetTask.from_turns(
    ...     senders=[["customer", "helpdesk"]],
    ...     gold=[[[3, 1, 0, 0], [2, 2, 0]]],
    ...     runs={"A": [[[1, 0, 0, 0], [.5, .5, 0]]]},
    ...     votes=True,
    ... )
    >>> task.customer.gold.tolist(), task.helpdesk.estimates.shape
    ([[0.75, 0.25, 0.0, 0.0]], (1, 1, 3))
    """

    kind: ClassVar[str] = "nuggets"
    alpha: float = 0.5
    _gold: NDArray[np.float64] | None = None
    _estimates: NDArray[np.float64] | None = None
    _topic: NDArray[np.intp] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.alpha <= 1:
            raise ValueError(f"{self.name}: alpha is {self.alpha}; expected a number from 0 to 1")
        if self.unanswered:
            rarest = np.where(self._of_sender(), self.gold, np.inf).argmin(axis=1)
            filled = self._filled(self.estimates, np.eye(len(TYPES))[rarest])
            object.__setattr__(self, "_estimates", filled)

    @classmethod
    def from_turns(
        cls,
        senders: Sequence[Sequence[str]],
        gold: Sequence[Sequence[ArrayLike]],
        runs: Mapping[str, Sequence[Sequence[ArrayLike]]],
        *,
        topics: Sequence[Any] | None = None,
        name: str = "yours",
        votes: bool = False,
        provenance: Provenance | None = None,
    ) -> Self:
        """Build a task from the turns of its dialogues.

        Parameters
        ----------
        senders
            Per dialogue, who sent each turn: ``customer`` or ``helpdesk``.
        gold
            Per dialogue and turn: a distribution over the sender's types, or votes (counts).
        runs
            Run name -> per dialogue and turn, the estimated distribution.
        topics
            Ids of the dialogues; by default 1, 2, ...
        votes
            Whether ``gold`` holds counts, which are then divided by their sum.

        Raises
        ------
        ValueError
            If a dialogue has another number of turns than senders, or a turn is not a
            distribution over its sender's types.
        """
        lengths = [len(dialogue) for dialogue in senders]
        ids = texts(range(1, len(lengths) + 1) if topics is None else topics, f"{name}: topic")
        if len(ids) != len(lengths):
            raise ValueError(f"{name}: topics: {len(ids)} names for {len(lengths)} dialogues")
        for topic, dialogue in zip(ids, senders, strict=True):
            if not dialogue or not set(dialogue) <= set(NUGGETS):
                raise ValueError(
                    f"{name}: dialogue {topic!r} has the senders {list(dialogue)}; "
                    "each turn is by customer or helpdesk, and there is at least one"
                )
        speakers = [sender for dialogue in senders for sender in dialogue]
        answers = {"gold": gold} | {f"run {run!r}": answer for run, answer in runs.items()}
        arrays = []
        for role, dialogues in answers.items():
            if [len(dialogue) for dialogue in dialogues] != lengths:
                raise ValueError(
                    f"{name}: {role} has other dialogues or turns than senders; give one "
                    "distribution for each turn"
                )
            turns = [turn for dialogue in dialogues for turn in dialogue]
            shares = _of_all_types(turns, speakers, f"{name}: {role}, turn")
            counts = votes and role == "gold"
            arrays.append(distributions(shares, f"{name}: {role}, turn", counts))
        return cls(
            name=name,
            classes=TYPES,
            topics=tuple(ids),
            runs=tuple(map(str, runs)),
            provenance=provenance or Provenance("yours"),
            votes=tuple(int(np.sum(turns[0])) for turns in gold) if votes else (),
            _gold=arrays[0],
            _estimates=np.array(arrays[1:]).reshape(len(runs), *arrays[0].shape),
            _topic=np.repeat(np.arange(len(lengths)), lengths),
        )

    @property
    def gold(self) -> NDArray[np.float64]:
        """Gold distributions of all turns over the types of both sides, (turns, types).

        Raises
        ------
        RawDataMissing
            If the raw files are not on this machine; the message says how to get them.
        """
        return self._here(self._gold)

    @property
    def estimates(self) -> NDArray[np.float64]:
        """Estimated distributions, (runs, turns, types); raises as :attr:`gold` does."""
        return self._here(self._estimates)

    @property
    def topic(self) -> NDArray[np.intp]:
        """Dialogue of every turn as an index into ``topics``; raises as :attr:`gold` does."""
        return self._here(self._topic)

    def _of_sender(self) -> NDArray[np.bool_]:
        """Whether a type is one of the turn's sender, (turns, types)."""
        of_sender = np.zeros(self.gold.shape, dtype=bool)
        for columns in COLUMNS.values():
            of_sender[:, columns] = self.gold[:, columns].any(axis=1, keepdims=True)
        return of_sender

    def _side(self, side: str) -> Turns:
        columns = COLUMNS[side]
        turns = self.gold[:, columns].any(axis=1)
        return Turns(
            NUGGETS[side],
            self.topic[turns],
            np.ascontiguousarray(self.gold[turns][:, columns]),
            np.ascontiguousarray(self.estimates[:, turns][:, :, columns]),
        )

    @property
    def customer(self) -> Turns:
        """The customers' turns; raises as :attr:`gold` does."""
        return self._side("customer")

    @property
    def helpdesk(self) -> Turns:
        """The helpdesks' turns; raises as :attr:`customer` does."""
        return self._side("helpdesk")

    def with_baselines(self) -> Self:
        """Return the task with the organisers' two baselines added as runs, turn by turn.

        ``BL-uniform`` gives every type of the sender the same probability; ``BL-popularity``
        shares it equally among the types with the most votes.
        """
        of_sender = self._of_sender()
        uniform = of_sender / of_sender.sum(axis=1, keepdims=True)
        _, popularity = baselines(self.gold)
        estimates = np.concatenate([self.estimates, [uniform, popularity]])
        return replace(self, runs=self._added(), _estimates=estimates)

    def __repr__(self) -> str:
        sides = "; ".join(f"{side}: {', '.join(types)}" for side, types in NUGGETS.items())
        return (
            f"<{type(self).__name__} {self.name}: {counted(len(self.topics), 'dialogue')}, "
            f"{counted(len(self.runs), 'run')}, {sides}; {self.provenance.source}>"
        )


def _of_all_types(
    turns: Sequence[ArrayLike], senders: Sequence[str], what: str
) -> NDArray[np.float64]:
    """Return the shares of each turn for the types of both sides, (turns, types)."""
    shares = np.zeros((len(turns), len(TYPES)))
    for place, (sender, turn) in enumerate(zip(senders, turns, strict=True)):
        if (size := np.size(turn)) != len(NUGGETS[sender]):
            wanted = f"{len(NUGGETS[sender])} types of a {sender}"
            raise ValueError(f"{what}[{place}] has {counted(size, 'number')} for the {wanted}")
        shares[place, COLUMNS[sender]] = turn
    return shares


def score_nuggets(
    task: NuggetTask, kernel: Callable[..., NDArray[np.float64]]
) -> NDArray[np.float64]:
    """Score every run on every dialogue: (runs, dialogues).

    ``S_ND = alpha S_C + (1 - alpha) S_H`` (DialEval-1, Section 3.2), where S_C and S_H are the
    means of the measure over the customer's and over the helpdesk's turns. The paper leaves
    open what a dialogue without turns of one side scores (there is none in STC-3, and the
    organisers' tool gives no number): here it is the mean of the other side alone.
    """
    total = np.zeros((len(task.runs), len(task.topics)))
    weights = np.zeros(len(task.topics))
    sides = ((task.customer, task.alpha), (task.helpdesk, 1 - task.alpha))
    counts = [np.bincount(turns.topic, minlength=len(task.topics)) for turns, _ in sides]
    alone = (counts[0] == 0) | (counts[1] == 0)
    for (turns, weight), count in zip(sides, counts, strict=True):
        if not turns.topic.size:
            continue
        sums = np.zeros_like(total)
        np.add.at(sums.T, turns.topic, kernel(turns.gold[None], turns.estimates).T)
        share = np.where(alone, 1.0, weight) * (count > 0)
        total += share * sums / np.maximum(count, 1)
        weights += share
    return total / weights
