"""Readers for the files of NTCIR's STC-3 and DialEval: JSON, gzipped or not.

=============  ===========================================================================
annotations    a list of ``{"id", "turns": [{"sender"}], "annotations": [...]}``, where each
               assessor gives ``{"quality": {"A", "E", "S"}, "nugget": [a label per turn]}``
quality run    a list of ``{"id", "quality": {"A": {"2": p, ...}, "E": {...}, "S": {...}}}``
nugget run     a list of ``{"id", "nugget": [{"CNUG0": p, ...}, ...]}``, one entry per turn
=============  ===========================================================================

Quality goes from -2 to 2. A customer's turn is one of CNUG0, CNUG, CNUG* and CNaN, a helpdesk's
one of HNUG, HNUG* and HNaN. Dialogues of a run may stand in any order, and so may the classes.
Further fields, such as the text of the dialogues, are not looked at. Everything else is refused
with file, dialogue, what was found and what to do.

Contents
--------
Dialogue           the votes of all assessors about one dialogue
read_annotations   an annotation file -> its dialogues
content_checksum   the same for two annotation files that say the same
read_quality       gold and run files -> QuantificationTask
read_nuggets       gold and run files -> NuggetTask
"""

import hashlib
import json
import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from ordbook.data.jsonfile import as_object, field, read_json, short
from ordbook.data.names import require_same
from ordbook.data.nuggets import NUGGETS, NuggetTask
from ordbook.data.semeval import FIVE_POINT_SCALE, SUM_TOLERANCE
from ordbook.data.tasks import Provenance, QuantificationTask

QUALITY = ("A", "E", "S")
Votes = tuple[int, ...]
T = TypeVar("T")


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


def read_annotations(path: Path) -> list[Dialogue]:
    """Read an annotation file.

    Raises
    ------
    ValueError
        If the file is not in the format; the message names file and dialogue.
    """
    dialogues = list(_by_id(path, _dialogue).values())
    sizes = [sum(dialogue.quality["A"]) for dialogue in dialogues]
    for dialogue, size in zip(dialogues, sizes, strict=True):
        if size != sizes[0]:
            raise ValueError(
                f"{path}, dialogue {dialogue.id!r}: {size} annotators, but the first dialogue has "
                f"{sizes[0]}; every dialogue needs the same number"
            )
    return dialogues


def content_checksum(dialogues: Iterable[Dialogue]) -> str:
    """Return a sha256 of ids, senders and votes: text, order and compression do not enter."""
    said = sorted(
        [dialogue.id, dialogue.senders, sorted(dialogue.quality.items()), dialogue.nuggets]
        for dialogue in dialogues
    )
    return hashlib.sha256(json.dumps(said, separators=(",", ":")).encode()).hexdigest()


def read_quality(
    name: str, gold: Path, runs: Mapping[str, Path], *, part: str, provenance: Provenance
) -> QuantificationTask:
    """Read a dialogue quality task; ``part`` is A, E or S.

    Raises
    ------
    ValueError
        If a file is not in its format, or a run does not have exactly the gold file's dialogues.
    """
    if part not in QUALITY:
        raise ValueError(f"{name}: part={part!r} is not one of A, E, S and nugget")
    dialogues = read_annotations(gold)
    estimates = {}
    for run, path in runs.items():

        def quality(entry: dict[str, Any], where: str) -> list[float]:
            scores = field(entry, "quality", dict, where)
            return _distribution(
                field(scores, part, dict, where), FIVE_POINT_SCALE, f"{where}, {part}"
            )

        found = _by_id(path, quality)
        _same_dialogues(path, found, dialogues, gold)
        estimates[run] = [found[dialogue.id] for dialogue in dialogues]
    return QuantificationTask.from_arrays(
        [dialogue.quality[part] for dialogue in dialogues],
        estimates,
        classes=FIVE_POINT_SCALE,
        topics=[dialogue.id for dialogue in dialogues],
        name=name,
        votes=True,
        provenance=provenance,
    )


def read_nuggets(
    name: str, gold: Path, runs: Mapping[str, Path], *, provenance: Provenance
) -> NuggetTask:
    """Read a nugget detection task; errors as for :func:`read_quality`."""
    dialogues = read_annotations(gold)
    senders = {dialogue.id: dialogue.senders for dialogue in dialogues}
    estimates = {}
    for run, path in runs.items():

        def nuggets(entry: dict[str, Any], where: str) -> list[list[float]]:
            turns = field(entry, "nugget", list, where)
            expected = senders.get(entry["id"])
            if expected is None:
                return []  # reported below, with every other dialogue that is one too many
            if len(turns) != len(expected):
                raise ValueError(
                    f"{where}: {len(turns)} nugget distributions for {len(expected)} turns; "
                    "give one per turn"
                )
            return [
                _distribution(
                    as_object(turn, f"{where}, turn {i}"), NUGGETS[sender], f"{where}, turn {i}"
                )
                for i, (turn, sender) in enumerate(zip(turns, expected, strict=True), 1)
            ]

        found = _by_id(path, nuggets)
        _same_dialogues(path, found, dialogues, gold)
        estimates[run] = [found[dialogue.id] for dialogue in dialogues]
    return NuggetTask.from_turns(
        [dialogue.senders for dialogue in dialogues],
        [dialogue.nuggets for dialogue in dialogues],
        estimates,
        topics=[dialogue.id for dialogue in dialogues],
        name=name,
        votes=True,
        provenance=provenance,
    )


def _dialogue(entry: dict[str, Any], where: str) -> Dialogue:
    turns = [as_object(turn, where) for turn in field(entry, "turns", list, where)]
    senders = tuple(field(turn, "sender", str, where) for turn in turns)
    for i, sender in enumerate(senders, 1):
        if sender not in NUGGETS:
            raise ValueError(
                f"{where}, turn {i}: the sender is {sender!r}; expected customer or helpdesk"
            )
    annotations = field(entry, "annotations", list, where)
    if not senders or not annotations:
        raise ValueError(f"{where}: no turns or no annotations; give at least one of each")
    quality: dict[str, Counter[str]] = {part: Counter() for part in QUALITY}
    nuggets: list[Counter[str]] = [Counter() for _ in senders]
    for number, annotation in enumerate(annotations, 1):
        who = f"{where}, annotator {number}"
        about = as_object(annotation, who)
        scores = field(about, "quality", dict, who)
        for part in QUALITY:
            score = field(scores, part, int, who)
            if str(score) not in FIVE_POINT_SCALE:
                raise ValueError(f"{who}: {part} is {score}; expected a whole number from -2 to 2")
            quality[part][str(score)] += 1
        labels = field(about, "nugget", list, who)
        if len(labels) != len(senders):
            raise ValueError(
                f"{who}: {len(labels)} nuggets for {len(senders)} turns; give one label per turn"
            )
        for i, (label, sender) in enumerate(zip(labels, senders, strict=True)):
            if label not in NUGGETS[sender]:
                raise ValueError(
                    f"{who}, turn {i + 1}: unknown label {short(label)} for a {sender} turn; "
                    f"the labels are {', '.join(NUGGETS[sender])}"
                )
            nuggets[i][label] += 1
    return Dialogue(
        entry["id"],
        senders,
        {part: tuple(quality[part][label] for label in FIVE_POINT_SCALE) for part in QUALITY},
        tuple(
            tuple(votes[label] for label in NUGGETS[sender])
            for votes, sender in zip(nuggets, senders, strict=True)
        ),
    )


def _distribution(found: dict[str, Any], classes: Sequence[str], where: str) -> list[float]:
    if found.keys() != set(classes):
        unknown = [short(label) for label in found if label not in classes]
        lacking = [label for label in classes if label not in found]
        what = f"unknown label {unknown[0]}" if unknown else f"no probability for {lacking[0]}"
        raise ValueError(f"{where}: {what}; give one for each of {', '.join(classes)}")
    for label, value in found.items():
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if not number or not 0 <= value <= 1:
            raise ValueError(
                f"{where}, class {label}: {short(value)} is not a probability; "
                "write a number from 0 to 1"
            )
    total = math.fsum(found.values())
    if abs(total - 1) > SUM_TOLERANCE:
        raise ValueError(
            f"{where}: the probabilities sum to {total:.6g}, expected 1 within "
            f"{SUM_TOLERANCE:.0e}; divide each by the sum"
        )
    return [float(found[label]) for label in classes]


def _same_dialogues(
    path: Path, run: Mapping[str, object], dialogues: Iterable[Dialogue], gold: Path
) -> None:
    known = dict.fromkeys(dialogue.id for dialogue in dialogues)
    require_same(path, run, gold, known, "dialogues", "dialogue {!r}".format)


def _by_id(path: Path, read: Callable[[dict[str, Any], str], T]) -> dict[str, T]:
    """Read a list of objects that each have an id of their own."""
    entries = read_json(path)
    if not isinstance(entries, list) or not entries:
        raise ValueError(f"{path}: expected a JSON list of dialogues, found {short(entries)}")
    found: dict[str, T] = {}
    for number, entry in enumerate(entries, 1):
        name = entry.get("id") if isinstance(entry, dict) else None
        where = f"{path}, dialogue {short(name) if name else f'number {number}'}"
        key = field(as_object(entry, where), "id", str, where)
        if key in found:
            raise ValueError(f"{where}: occurs a second time; remove one of the two")
        found[key] = read(entry, where)
    return found
