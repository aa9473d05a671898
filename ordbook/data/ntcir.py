"""Dialogues of NTCIR's STC-3 and DialEval: tasks of nuggets, and readers for JSON, packed or not.

=============  ===========================================================================
annotations    a list of ``{"id", "turns": [{"sender"}], "annotations": [...]}``, where each
               assessor gives ``{"quality": {"A", "E", "S"}, "nugget": [a label per turn]}``
quality run    a list of ``{"id", "quality": {"A": {"2": p, ...}, "E": {...}, "S": {...}}}``
nugget run     a list of ``{"id", "nugget": [{"CNUG0": p, ...}, ...]}``, one entry per turn
=============  ===========================================================================

Quality goes from -2 to 2. A turn is a nugget when it helps to solve the problem. The types differ
by who speaks and have no order: a customer's turn is one of CNUG0, CNUG, CNUG* and CNaN, a
helpdesk's one of HNUG, HNUG* and HNaN. A dialogue's score combines those of its turns (DialEval-1,
Section 3.2). Dialogues of a run may stand in any order, and so may the classes. Further fields,
such as the text of the dialogues, are not looked at.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ordbook.data.alignment import Gaps, match
from ordbook.data.labels import FIVE_POINT_SCALE, texts
from ordbook.data.problems import Place, Problems, Wrong
from ordbook.data.tasks import Provenance, QuantificationTask, _Task, baselines, distributions
from ordbook.data.text import as_object, distribution, field, read_json, short
from ordbook.words import counted, name_fault

NUGGETS: Mapping[str, tuple[str, ...]] = {
    "customer": ("CNUG0", "CNUG", "CNUG*", "CNaN"),
    "helpdesk": ("HNUG", "HNUG*", "HNaN"),
}


@dataclass(frozen=True, eq=False)
class Turns:
    """All turns of one side, dialogue after dialogue.

    Attributes
    ----------
    classes
        The side's nugget types.
    topic, position
        (turns,): the turn's dialogue as an index into the task's topics, and its place in it.
    gold, estimates
        (turns, classes) and (runs, turns, classes).
    """

    classes: tuple[str, ...]
    topic: NDArray[np.intp]
    position: NDArray[np.intp]
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
    _sides: Mapping[str, Turns] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.alpha <= 1:
            raise ValueError(f"{self.name}: alpha is {self.alpha}; expected a number from 0 to 1")
        if self.unanswered and self._sides:
            sides = {side: self._complete(turns) for side, turns in self._sides.items()}
            object.__setattr__(self, "_sides", sides)

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
        answers = {"gold": gold} | {f"run {run!r}": answer for run, answer in runs.items()}
        for role, dialogues in answers.items():
            if [len(dialogue) for dialogue in dialogues] != lengths:
                raise ValueError(
                    f"{name}: {role} has other dialogues or turns than senders; give one "
                    "distribution for each turn"
                )
        for topic, dialogue in zip(ids, senders, strict=True):
            if not dialogue or not set(dialogue) <= set(NUGGETS):
                raise ValueError(
                    f"{name}: dialogue {topic!r} has the senders {list(dialogue)}; "
                    "each turn is by customer or helpdesk, and there is at least one"
                )
        speakers = np.array([sender for dialogue in senders for sender in dialogue])
        topic_of = np.repeat(np.arange(len(lengths)), lengths)
        position = np.concatenate([np.arange(length) for length in lengths])
        sides = {}
        for side, classes in NUGGETS.items():
            turns = np.flatnonzero(speakers == side)
            arrays = []
            for role, dialogues in answers.items():
                flat = [turn for dialogue in dialogues for turn in dialogue]
                rows: Any = [flat[turn] for turn in turns]
                who = f"{name}: {role}, {side} turns"
                counts = votes and role == "gold"
                shares = distributions(rows, who, counts) if rows else np.empty((0, len(classes)))
                if shares.shape[1] != len(classes):
                    raise ValueError(f"{who}: {shares.shape[1]} columns, {len(classes)} types")
                arrays.append(shares)
            estimates = np.array(arrays[1:]).reshape(len(runs), len(turns), len(classes))
            sides[side] = Turns(classes, topic_of[turns], position[turns], arrays[0], estimates)
        return cls(
            name=name,
            classes=sum(NUGGETS.values(), ()),
            topics=tuple(ids),
            runs=tuple(map(str, runs)),
            provenance=provenance or Provenance("yours"),
            votes=tuple(int(np.sum(turns[0])) for turns in gold) if votes else (),
            _sides=sides,
        )

    @property
    def customer(self) -> Turns:
        """The customers' turns.

        Raises
        ------
        RawDataMissing
            If the raw files are not on this machine; the message says how to get them.
        """
        return self._here(self._sides)["customer"]

    @property
    def helpdesk(self) -> Turns:
        """The helpdesks' turns; raises as :attr:`customer` does."""
        return self._here(self._sides)["helpdesk"]

    def _complete(self, turns: Turns) -> Turns:
        """Return turns in which a missing answer is the type with the lowest gold share."""
        rarest = np.eye(len(turns.classes))[turns.gold.argmin(axis=1)]
        return replace(turns, estimates=self._filled(turns.estimates, rarest, turns.topic))

    def with_baselines(self) -> Self:
        """Return the task with the organisers' two baselines added as runs, turn by turn.

        ``BL-uniform`` gives every type of the sender the same probability; ``BL-popularity``
        shares it equally among the types with the most votes.
        """
        sides = {
            side: replace(turns, estimates=np.concatenate([turns.estimates, baselines(turns.gold)]))
            for side, turns in (("customer", self.customer), ("helpdesk", self.helpdesk))
        }
        return replace(self, runs=self._added(), _sides=sides)

    def __repr__(self) -> str:
        sides = "; ".join(f"{side}: {', '.join(types)}" for side, types in NUGGETS.items())
        return (
            f"<{type(self).__name__} {self.name}: {counted(len(self.topics), 'dialogue')}, "
            f"{counted(len(self.runs), 'run')}, {sides}; {self.provenance.source}>"
        )


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


QUALITY = ("A", "E", "S")
Votes = tuple[int, ...]
T = TypeVar("T")
NTCIR_PARTS = (*QUALITY, "nugget")
NtcirTask = QuantificationTask | NuggetTask
# The organisers' names of run files end in what they are about, and in what language.
_KIND = re.compile(
    r"(?:.+_)?(quality|nugget)(?:_(?:cn|chinese|en|english))?(?:_test_submission)?\.json(?:\.[gx]z)?"
)


@dataclass(frozen=True)
class Dialogue:
    """The votes of all assessors about one dialogue.

    Attributes
    ----------
    id, senders
        The dialogue's id, and who sent each turn: ``customer`` or ``helpdesk``.
    quality
        A, E and S -> number of votes for -2, -1, 0, 1 and 2.
    nuggets
        Per turn, the number of votes for each of its sender's classes.
    """

    id: str
    senders: tuple[str, ...]
    quality: Mapping[str, Votes]
    nuggets: tuple[Votes, ...]

    @property
    def annotators(self) -> int:
        """How many annotators judged the dialogue."""
        return sum(self.quality["A"])


def read_annotations(path: Path) -> list[Dialogue]:
    """Read an annotation file.

    Raises
    ------
    ValueError
        If the file is not in the format; the message names file and dialogue.
    """
    problems = Problems()
    dialogues = check_annotations(path, problems)
    problems.raise_first()
    return [dialogue for dialogue in dialogues.values() if dialogue]


def check_annotations(path: Path, problems: Problems) -> dict[str, Dialogue | None]:
    """Read an annotation file: id -> dialogue, None if faults were added to ``problems``."""
    dialogues = by_id(path, _dialogue, problems)
    sizes = {key: dialogue.annotators for key, dialogue in dialogues.items() if dialogue}
    usual = Counter(sizes.values()).most_common(1)[0][0] if sizes else 0
    for key, size in sizes.items():
        if size != usual:
            fault = f"{counted(size, 'annotator')}, and {usual} elsewhere"
            fix = "let as many annotators judge every dialogue, or leave it out everywhere"
            problems.add(path, found=fault, fix=fix, place=f"dialogue {key!r}")
    return dialogues


def by_id(
    path: Path, read: Callable[[dict[str, Any], Place], T], problems: Problems
) -> dict[str, T | None]:
    """Read a list of objects that each have an id: id -> object, None if it is wrong."""
    whole = Place(str(path))
    by_name: dict[str, T | None] = {}
    with problems.collect():
        entries = read_json(path)
        if not isinstance(entries, list) or not entries:
            finding = f"{short(entries) if entries != [] else 'an empty list'}, and no dialogues"
            raise Wrong(whole, found=finding, fix="name a file with a JSON list of dialogues")
        as_object(entries[0], whole.inside("dialogue number 1"))  # else all are likely to be wrong
        for number, entry in enumerate(entries, 1):
            with problems.collect():
                name = entry.get("id") if isinstance(entry, dict) else None
                where = whole.inside(f"dialogue {short(name) if name else f'number {number}'}")
                key = field(as_object(entry, where), "id", str, where)
                if fault := name_fault(key):
                    raise Wrong(where, found=fault, fix="correct the id")
                if key in by_name:
                    raise Wrong(where, found="it a second time", fix="give every dialogue once")
                by_name[key] = None
                by_name[key] = read(entry, where)
    return by_name


def _dialogue(entry: dict[str, Any], where: Place) -> Dialogue:
    turns = [as_object(turn, where) for turn in field(entry, "turns", list, where)]
    senders = tuple(field(turn, "sender", str, where) for turn in turns)
    for i, sender in enumerate(senders, 1):
        if sender not in NUGGETS:
            fix = "write customer or helpdesk"
            raise Wrong(where.inside(f"turn {i}"), found=f"the sender {sender!r}", fix=fix)
    annotations = field(entry, "annotations", list, where)
    if not senders or not annotations:
        fix = "add them, or leave the dialogue out of gold and all runs"
        raise Wrong(where, found="no turns or no annotations", fix=fix)
    quality = {part: dict.fromkeys(FIVE_POINT_SCALE, 0) for part in QUALITY}
    nuggets = [dict.fromkeys(NUGGETS[sender], 0) for sender in senders]
    for number, annotation in enumerate(annotations, 1):
        who = where.inside(f"annotator {number}")
        about = as_object(annotation, who)
        scores = as_object(field(about, "quality", dict, who), who)
        for part, votes in quality.items():
            _vote(str(field(scores, part, int, who)), votes, who.inside(part))
        labels = field(about, "nugget", list, who)
        if len(labels) != len(senders):
            fault = f"{counted(len(labels), 'nugget')} for {len(senders)} turns"
            raise Wrong(who, found=fault, fix="give one label for each turn")
        for i, (label, votes) in enumerate(zip(labels, nuggets, strict=True), 1):
            _vote(label, votes, who.inside(f"turn {i}"))
    return Dialogue(
        entry["id"],
        senders,
        {part: tuple(votes.values()) for part, votes in quality.items()},
        tuple(tuple(votes.values()) for votes in nuggets),
    )


def _vote(label: Any, votes: dict[str, int], where: Place) -> None:
    if not isinstance(label, str) or label not in votes:
        fix = f"write one of {', '.join(votes)}"
        raise Wrong(where, found=f"the label {short(label)}", fix=fix)
    votes[label] += 1


def ntcir_task(
    name: str,
    gold: Path,
    runs: Mapping[str, Path],
    part: str | None,
    provenance: Provenance,
    problems: Problems,
    gaps: Gaps | None = None,
) -> NtcirTask | None:
    """Read a dialogue quality task, whose ``part`` is A, E or S, or nugget detection.

    None after ``problems`` got what is wrong with the gold file; runs with faults are left out.
    """
    if part not in NTCIR_PARTS:
        raise ValueError(f"{name}: part={part!r} is not one of A, E, S and nugget")
    gaps = gaps or Gaps()
    dialogues = check_annotations(gold, problems)

    def quality(entry: dict[str, Any], where: Place) -> list[float]:
        scores = _about("quality", entry, dict, where)
        answer = as_object(field(scores, part, dict, where), where)
        return distribution(answer, FIVE_POINT_SCALE, where.inside(part))

    def nuggets(entry: dict[str, Any], where: Place) -> list[list[float]]:
        turns = _about("nugget", entry, list, where)
        dialogue = dialogues.get(entry["id"])
        if dialogue is None:
            return []  # which is a problem already, or will be, as it was not asked for
        if (wanted := len(dialogue.senders)) != len(turns):
            fault = f"{counted(len(turns), 'nugget distribution')} for {wanted} turns"
            raise Wrong(where, found=fault, fix="give one distribution for each turn")
        places = [where.inside(f"turn {i}") for i in range(1, wanted + 1)]
        return [
            distribution(as_object(turn, at), NUGGETS[sender], at)
            for turn, sender, at in zip(turns, dialogue.senders, places, strict=True)
        ]

    estimates: dict[str, Any] = {}
    sound = [dialogue for dialogue in dialogues.values() if dialogue]
    for run, path in runs.items():
        before = len(problems)
        by_dialogue: Mapping[str, Any] = by_id(
            path, nuggets if part == "nugget" else quality, problems
        )
        if not by_dialogue or not dialogues:
            continue
        lines = dict.fromkeys(by_dialogue)
        order = match(path, lines, gold, dialogues, problems, gaps=gaps, describe=_describe)
        if len(problems) > before or not all(dialogues.values()):
            continue
        answers = list(by_dialogue.values())
        if part == "nugget":
            gaps.lacking(run, order)
            estimates[run] = [
                [[1 / len(votes)] * len(votes) for votes in dialogue.nuggets]
                if place < 0
                else answers[place]
                for place, dialogue in zip(order, sound, strict=True)
            ]
        else:
            estimates[run] = gaps.fill(run, order, np.array(answers), 1 / len(FIVE_POINT_SCALE))
    if problems.within(gold):
        return None
    topics = [dialogue.id for dialogue in sound]
    if part == "nugget":
        return NuggetTask.from_turns(
            [dialogue.senders for dialogue in sound],
            [dialogue.nuggets for dialogue in sound],
            estimates,
            topics=topics,
            name=name,
            votes=True,
            provenance=provenance,
        )
    return QuantificationTask.from_arrays(
        [dialogue.quality[part] for dialogue in sound],
        estimates,
        classes=FIVE_POINT_SCALE,
        topics=topics,
        name=name,
        votes=True,
        provenance=provenance,
    )


def about(part: str | None, file: str) -> str:
    """Say why a run file is not read, as its name is about another part; or nothing."""
    named = _KIND.fullmatch(file)
    if part is None or named is None or (named[1] == "nugget") == (part == "nugget"):
        return ""
    return f"its name says {named[1]}"


def parts(runs: Iterable[Path]) -> tuple[str, ...]:
    """Return the parts that run files are about, by their names or by their entries."""
    kinds = set()
    for path in runs:
        if named := _KIND.fullmatch(path.name):
            kinds.add(named[1])
            continue
        with suppress(ValueError, LookupError, TypeError):
            entries = read_json(path)
            present = {kind for kind in ("quality", "nugget") for entry in entries if kind in entry}
            kinds |= present or {"quality"}
    if not kinds:
        return NTCIR_PARTS
    return tuple(
        part for part in NTCIR_PARTS if ("nugget" if part == "nugget" else "quality") in kinds
    )


def _describe(key: str) -> str:
    return f"dialogue {key!r}" if key.isascii() else f"dialogue {key!r} ({key!a})"


def _about(part: str, entry: dict[str, Any], kind: type[T], where: Place) -> T:
    """Return the quality or the nuggets in an entry of a run, which may have the other alone."""
    other = "nugget" if part == "quality" else "quality"
    if part not in entry and other in entry:
        fix = f"if it is about {other}, let the name of the file end in _{other}.json; or add it"
        raise Wrong(where, found=f"no {part!r}, but {other!r}", fix=fix)
    return field(entry, part, kind, where)
