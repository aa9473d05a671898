"""Readers for the JSON of NTCIR's STC-3 and DialEval, packed or not.

=============  ===========================================================================
annotations    a list of ``{"id", "turns": [{"sender"}], "annotations": [...]}``, where each
               assessor gives ``{"quality": {"A", "E", "S"}, "nugget": [a label per turn]}``
quality run    a list of ``{"id", "quality": {"A": {"2": p, ...}, "E": {...}, "S": {...}}}``
nugget run     a list of ``{"id", "nugget": [{"CNUG0": p, ...}, ...]}``, one entry per turn
=============  ===========================================================================

Quality goes from -2 to 2, and nuggets have the types of :mod:`ordbook.data.nuggets`. Dialogues of a
run may stand in any order, and so may the classes. Further fields, such as the text of the
dialogues, are not looked at.
"""

import json
import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np

from ordbook.data.answers import Answers, shares
from ordbook.data.labels import FIVE_POINT_SCALE
from ordbook.data.nuggets import NUGGETS, TYPES
from ordbook.data.problems import Place, Problems, Wrong
from ordbook.data.text import Table, as_object, field, read_json, short
from ordbook.words import counted

QUALITY = ("A", "E", "S")
NTCIR_PARTS = (*QUALITY, "nugget")
T = TypeVar("T")


class Line(NamedTuple):
    """The answers to a dialogue or, of nuggets, to a turn: the value of each class as printed."""

    dialogue: str
    turn: str
    place: Place
    cells: dict[str, str]


# The organisers' names of run files end in what they are about, and in what language.
_KIND = re.compile(
    r"(?:.+_)?(quality|nugget)(?:_(?:cn|chinese|en|english))?(?:_test_submission)?\.json(?:\.[gx]z)?"
)


def classes_of_part(part: str) -> tuple[str, ...]:
    """Return the classes of a part: grades, or the types of nuggets."""
    return TYPES if part == "nugget" else FIVE_POINT_SCALE


def reader(part: str, gold: Path) -> Callable[[Path], Answers]:
    """Return the reader of a part's files: the votes in ``gold``, and the shares in all others."""
    if part not in NTCIR_PARTS:
        raise ValueError(f"part={part!r} is not one of A, E, S and nugget")
    classes = classes_of_part(part)

    def read(path: Path) -> Answers:
        where, dialogues = Place(str(path)), read_json(path)
        if not isinstance(dialogues, list) or not dialogues:
            kind = "an empty list" if dialogues == [] else short(dialogues)
            fix = "name a file with a JSON list of dialogues"
            raise Wrong(where, found=f"{kind}, and no dialogues", fix=fix)
        as_object(dialogues[0], where.inside("dialogue number 1"))  # else all may be wrong
        faults, lines = Problems(), list[Line]()
        for number, dialogue in enumerate(dialogues, 1):
            lines_of = _votes if path == gold else _shares
            lines += faults.attempt(path, lines_of, dialogue, part, where, number) or []
        rows = [[line.dialogue, *(line.cells.get(x, "0") for x in classes)] for line in lines]
        table = Table(path, ["topic", *classes], rows, [None] * len(rows), tuple(faults))
        return replace(
            shares(table),
            item=np.array([line.turn for line in lines], dtype=object),
            place=np.array([line.place.at for line in lines], dtype=object),
            units=("dialogue", "turn") if part == "nugget" else ("dialogue",),
            most=max(map(len, NUGGETS.values())) if part == "nugget" else 0,
        )

    return read


def _dialogue(entry: Any, where: Place, number: int) -> tuple[str, Place]:
    """Return the name of a dialogue, and its place."""
    name = entry.get("id") if isinstance(entry, dict) else None
    at = where.inside(f"dialogue {short(name) if name else f'number {number}'}")
    return field(as_object(entry, at), "id", str, at), at


def _votes(dialogue: Any, part: str, file: Place, number: int) -> list[Line]:
    """Count the votes for each class in the annotations of a dialogue."""
    name, where = _dialogue(dialogue, file, number)
    annotations = field(dialogue, "annotations", list, where)
    named: list[tuple[str, Place, tuple[str, ...]]]
    named = [("", where.inside(part), FIVE_POINT_SCALE)]
    if part == "nugget":
        named = []
        for number, turn in enumerate(field(dialogue, "turns", list, where), 1):
            at = where.inside(f"turn {number}")
            sender = field(as_object(turn, at), "sender", str, at)
            if sender not in NUGGETS:
                fix = "write customer or helpdesk"
                raise Wrong(at, found=f"the sender {sender!r}", fix=fix)
            named.append((f"{number} ({sender})", at, NUGGETS[sender]))
    if not named or not annotations:
        fix = "add them, or leave the dialogue out of gold and all runs"
        raise Wrong(where, found="no turns or no annotations", fix=fix)
    votes = [dict.fromkeys(classes, 0) for _, _, classes in named]
    for number, annotation in enumerate(annotations, 1):
        who = where.inside(f"annotator {number}")
        about = as_object(annotation, who)
        if part == "nugget":
            labels = field(about, "nugget", list, who)
            places = [who.inside(f"turn {turn}") for turn in range(1, len(named) + 1)]
        else:
            grades = as_object(field(about, "quality", dict, who), who)
            labels, places = [str(field(grades, part, int, who))], [who.inside(part)]
        if len(labels) != len(named):
            fault = f"{counted(len(labels), 'nugget')} for {len(named)} turns"
            raise Wrong(who, found=fault, fix="give one label for each turn")
        for label, counts, at in zip(labels, votes, places, strict=True):
            if not isinstance(label, str) or label not in counts:
                fix = f"write one of {', '.join(counts)}"
                raise Wrong(at, found=f"the label {short(label)}", fix=fix)
            counts[label] += 1
    return [
        Line(name, turn, at, {label: str(count) for label, count in counts.items()})
        for (turn, at, _), counts in zip(named, votes, strict=True)
    ]


def _shares(entry: Any, part: str, file: Place, number: int) -> list[Line]:
    """Return the shares in an entry of a run."""
    name, where = _dialogue(entry, file, number)
    if part != "nugget":
        quality = _about("quality", entry, dict, where)
        grades = field(as_object(quality, where), part, dict, where)
        return [Line(name, "", where.inside(part), _cells(grades, FIVE_POINT_SCALE))]
    lines = []
    for turn, entries in enumerate(_about("nugget", entry, list, where), 1):
        at = where.inside(f"turn {turn}")
        types = as_object(entries, at)
        senders = [side for side, known in NUGGETS.items() if not types.keys().isdisjoint(known)]
        if len(senders) != 1:
            fault = "types of both sides" if senders else "no type of nugget"
            sides = " or ".join(", ".join(known) for known in NUGGETS.values())
            raise Wrong(at, found=fault, fix=f"write a probability for each of {sides}")
        sender = senders[0]
        lines.append(Line(name, f"{turn} ({sender})", at, _cells(types, NUGGETS[sender])))
    return lines


def _cells(shares: dict[str, Any], classes: Sequence[str]) -> dict[str, str]:
    """Return the value of each class as it is printed, empty where there is none."""
    return {name: json.dumps(shares[name]) if name in shares else "" for name in classes}


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


def _about(part: str, entry: dict[str, Any], kind: type[T], where: Place) -> T:
    """Return the quality or the nuggets in an entry of a run, which may have the other alone."""
    other = "nugget" if part == "quality" else "quality"
    if part not in entry and other in entry:
        fix = f"if it is about {other}, let the name of the file end in _{other}.json; or add it"
        raise Wrong(where, found=f"no {part!r}, but {other!r}", fix=fix)
    return field(entry, part, kind, where)
