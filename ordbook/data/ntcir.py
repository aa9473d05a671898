"""Readers for the files of NTCIR's STC-3 and DialEval: JSON, gzipped or not.

=============  ===========================================================================
annotations    a list of ``{"id", "turns": [{"sender"}], "annotations": [...]}``, where each
               assessor gives ``{"quality": {"A", "E", "S"}, "nugget": [a label per turn]}``
quality run    a list of ``{"id", "quality": {"A": {"2": p, ...}, "E": {...}, "S": {...}}}``
nugget run     a list of ``{"id", "nugget": [{"CNUG0": p, ...}, ...]}``, one entry per turn
=============  ===========================================================================

Quality goes from -2 to 2. A customer's turn is one of CNUG0, CNUG, CNUG* and CNaN, a helpdesk's
one of HNUG, HNUG* and HNaN. Dialogues of a run may stand in any order, and so may the classes.
Further fields, such as the text of the dialogues, are not looked at.
"""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from ordbook.data.alignment import Gaps, match
from ordbook.data.classes import FIVE_POINT_SCALE
from ordbook.data.names import name_fault
from ordbook.data.nuggets import NUGGETS, NuggetTask
from ordbook.data.problems import Place, Problems, Wrong
from ordbook.data.tasks import Provenance, QuantificationTask
from ordbook.data.text import as_object, distribution, field, read_json, short
from ordbook.words import counted

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


def ntcir_task(
    name: str,
    gold: Path,
    runs: Mapping[str, Path],
    part: str | None,
    provenance: Provenance,
    problems: Problems,
    gaps: Gaps | None = None,
    normalise: str = "",
) -> NtcirTask | None:
    """Read a dialogue quality task, whose ``part`` is A, E or S, or nugget detection.

    None after ``problems`` got what is wrong with the gold file; runs with faults are left out.
    ``normalise`` says why turns that do not sum to 1 are divided by their sums; else they are
    faults.
    """
    if part not in NTCIR_PARTS:
        raise ValueError(f"{name}: part={part!r} is not one of A, E, S and nugget")
    gaps = gaps or Gaps()
    if part == "nugget" and gaps:
        raise ValueError(f"missing: this is for labels and distributions; leave it out for {name}")
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
            distribution(as_object(turn, at), NUGGETS[sender], at, bool(normalise))
            for turn, sender, at in zip(turns, dialogue.senders, places, strict=True)
        ]

    estimates: dict[str, Any] = {}
    for run, path in runs.items():
        before = len(problems)
        by_dialogue: Mapping[str, Any] = by_id(
            path, nuggets if part == "nugget" else quality, problems
        )
        if not by_dialogue or not dialogues:
            continue
        lines = dict.fromkeys(by_dialogue)
        order = match(path, lines, gold, dialogues, problems, gaps=gaps, said=_said)
        if len(problems) > before or not all(dialogues.values()):
            continue
        answers = list(by_dialogue.values())
        if part == "nugget":
            estimates[run] = [answers[place] for place in order]
        else:
            estimates[run] = gaps.fill(run, order, np.array(answers), 1 / len(FIVE_POINT_SCALE))
    if problems.within(gold):
        return None
    sound = [dialogue for dialogue in dialogues.values() if dialogue]
    topics = [dialogue.id for dialogue in sound]
    if part == "nugget":
        return NuggetTask.from_turns(
            [dialogue.senders for dialogue in sound],
            [dialogue.nuggets for dialogue in sound],
            estimates,
            topics=topics,
            name=name,
            votes=True,
            provenance=replace(provenance, notes=(normalise,) if normalise else ()),
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


def _said(key: str) -> str:
    return f"dialogue {key!r}" if key.isascii() else f"dialogue {key!r} ({key!a})"


def _about(part: str, entry: dict[str, Any], kind: type[T], where: Place) -> T:
    """Return the quality or the nuggets in an entry of a run, which may have the other alone."""
    other = "nugget" if part == "quality" else "quality"
    if part not in entry and other in entry:
        fix = f"if it is about {other}, let the name of the file end in _{other}.json; or add it"
        raise Wrong(where, found=f"no {part!r}, but {other!r}", fix=fix)
    return field(entry, part, kind, where)
