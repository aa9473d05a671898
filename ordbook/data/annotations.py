"""NTCIR's annotation files: the votes of all assessors about dialogues, JSON, gzipped or not.

A list of ``{"id", "turns": [{"sender"}], "annotations": [...]}``, where each assessor gives
``{"quality": {"A", "E", "S"}, "nugget": [a label per turn]}``. Further fields, such as the text of
the dialogues, are not looked at.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from ordbook.data.classes import FIVE_POINT_SCALE
from ordbook.data.names import name_fault
from ordbook.data.nuggets import NUGGETS
from ordbook.data.problems import Place, Problems, Wrong
from ordbook.data.text import as_object, field, read_json, short
from ordbook.words import counted

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


def content_checksum(dialogues: Iterable[Dialogue]) -> str:
    """Return a sha256 of ids, senders and votes: text, order and compression do not enter."""
    entries = sorted(
        [dialogue.id, dialogue.senders, sorted(dialogue.quality.items()), dialogue.nuggets]
        for dialogue in dialogues
    )
    return hashlib.sha256(json.dumps(entries, separators=(",", ":")).encode()).hexdigest()


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
