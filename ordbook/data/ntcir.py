"""Readers for the files of NTCIR's STC-3 and DialEval: JSON, gzipped or not.

=============  ===========================================================================
annotations    a list of ``{"id", "turns": [{"sender"}], "annotations": [...]}``, where each
               assessor gives ``{"quality": {"A", "E", "S"}, "nugget": [a label per turn]}``
quality run    a list of ``{"id", "quality": {"A": {"2": p, ...}, "E": {...}, "S": {...}}}``
nugget run     a list of ``{"id", "nugget": [{"CNUG0": p, ...}, ...]}``, one entry per turn
=============  ===========================================================================

Quality goes from -2 to 2. A customer's turn is one of CNUG0, CNUG, CNUG* and CNaN, a helpdesk's
one of HNUG, HNUG* and HNaN. Dialogues of a run may stand in any order, and so may the classes.
Further fields, such as the text of the dialogues, are not looked at. Annotations are read by
:mod:`ordbook.data.annotations`.
"""

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from ordbook.data.alignment import Gaps, match
from ordbook.data.annotations import QUALITY, by_id, check_annotations
from ordbook.data.classes import FIVE_POINT_SCALE
from ordbook.data.nuggets import NUGGETS, NuggetTask
from ordbook.data.problems import Place, Problems, Wrong
from ordbook.data.tasks import Provenance, QuantificationTask
from ordbook.data.text import as_object, distribution, field, read_json
from ordbook.words import counted

T = TypeVar("T")
NTCIR_PARTS = (*QUALITY, "nugget")
NtcirTask = QuantificationTask | NuggetTask
# The organisers' names of run files end in what they are about, and in what language.
_KIND = re.compile(
    r"(?:.+_)?(quality|nugget)(?:_(?:cn|chinese|en|english))?(?:_test_submission)?\.json(?:\.gz)?"
)


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
