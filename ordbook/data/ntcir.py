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

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from ordbook.data.annotations import QUALITY, Dialogue, by_id, check_annotations
from ordbook.data.classes import FIVE_POINT_SCALE
from ordbook.data.dialeval import run_file
from ordbook.data.gaps import Gaps
from ordbook.data.jsonfile import as_object, field, probability, read_json, require_sum, short
from ordbook.data.names import counted, meant
from ordbook.data.nuggets import NUGGETS, NuggetTask
from ordbook.data.problems import Place, Problems, Wrong
from ordbook.data.tasks import Provenance, QuantificationTask

T = TypeVar("T")
NTCIR_PARTS = (*QUALITY, "nugget")
NtcirTask = QuantificationTask | NuggetTask


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
    if part == "nugget" and gaps:
        raise ValueError(f"{name}: missing= is for labels and distributions; leave it out")
    before = len(problems)
    dialogues = check_annotations(gold, problems)
    sound = [dialogue for dialogue in dialogues.values() if dialogue]
    gold_is_sound = len(problems) == before

    def quality(entry: dict[str, Any], where: Place, problems: Problems) -> list[float] | None:
        scores = _about("quality", entry, dict, where)
        answer = field(scores, part, dict, where)
        return _distribution(answer, FIVE_POINT_SCALE, where.inside(part), problems)

    def nuggets(
        entry: dict[str, Any], where: Place, problems: Problems
    ) -> list[list[float] | None]:
        turns = _about("nugget", entry, list, where)
        dialogue = dialogues.get(entry["id"])
        if dialogue is None:
            return []  # said below, with every other dialogue that is one too many
        if (wanted := len(dialogue.senders)) != len(turns):
            told = f"{counted(len(turns), 'nugget distribution')} for {wanted} turns"
            raise Wrong(where, found=told, fix="give one distribution for each turn")
        found: list[list[float] | None] = []
        for i, (turn, sender) in enumerate(zip(turns, dialogue.senders, strict=True), 1):
            at = where.inside(f"turn {i}")
            with problems.collect():
                found.append(_distribution(as_object(turn, at), NUGGETS[sender], at, problems))
        return found

    read: Callable[[dict[str, Any], Place, Problems], Any]
    read = nuggets if part == "nugget" else quality
    estimates: Any = _read_runs(runs, read, dialogues, gold, problems, gaps)
    if not gold_is_sound:
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
    named = run_file(file)
    if part is None or named is None or (named.kind == "nugget") == (part == "nugget"):
        return ""
    return f"its name says {named.kind}"


def parts(runs: Iterable[Path]) -> tuple[str, ...]:
    """Return the parts that run files are about, by their names or by what any entry says."""
    kinds = set()
    for path in runs:
        if named := run_file(path.name):
            kinds.add(named.kind)
            continue
        with suppress(ValueError, LookupError, TypeError):
            entries = read_json(path)
            said = {kind for kind in ("quality", "nugget") for entry in entries if kind in entry}
            kinds |= said or {"quality"}
    if not kinds:
        return NTCIR_PARTS
    return tuple(
        part for part in NTCIR_PARTS if ("nugget" if part == "nugget" else "quality") in kinds
    )


def _about(part: str, entry: dict[str, Any], kind: type[T], where: Place) -> T:
    """Return what an entry of a run says about quality or nuggets; it may be a run of the other."""
    other = "nugget" if part == "quality" else "quality"
    if part not in entry and other in entry:
        fix = f"if it is about {other}, let the name of the file end in _{other}.json; or add it"
        raise Wrong(where, found=f"no {part!r}, but {other!r}", fix=fix)
    return field(entry, part, kind, where)


def _read_runs(
    runs: Mapping[str, Path],
    read: Callable[[dict[str, Any], Place, Problems], T],
    dialogues: Mapping[str, Dialogue | None],
    gold: Path,
    problems: Problems,
    gaps: Gaps,
) -> dict[str, Any]:
    """Return run -> what it says about the dialogues, in their order."""
    estimates: dict[str, Any] = {}
    for run, path in runs.items():
        before = len(problems)
        found = by_id(path, read, problems)
        if found and dialogues:
            lacking = [key for key in dialogues if key not in found]
            stray = [key for key in found if key not in dialogues]
            same = meant(stray, lacking)
            for key in lacking:
                if key not in same.values() and not gaps:
                    fix = "add the missing dialogues"
                    problems.add(path, found=f"no dialogue {key!r}", fix=fix)
            for key in stray:
                told, fix = f"dialogue {key!r}, which {gold.name} does not have", "remove it"
                if key in same:
                    told = f"dialogue {key!a}, which {gold.name} writes {same[key]!a}"
                    fix = f"write dialogues as {gold.name} does"
                problems.add(path, found=told, fix=fix)
        if len(problems) > before or not all(dialogues.values()):
            continue
        if gaps:
            places = dict(zip(found, range(len(found)), strict=True))
            order = [places.get(key, -1) for key in dialogues]
            answers = np.array(list(found.values()))
            estimates[run] = gaps.fill(run, order, answers, 1 / answers.shape[1])
        else:
            estimates[run] = [found[key] for key in dialogues]
    return estimates


def _distribution(
    found: dict[str, Any], classes: Sequence[str], where: Place, problems: Problems
) -> list[float] | None:
    """Return probabilities in the order of the classes, or None after saying what is wrong."""
    fix = f"give a probability for each of {', '.join(classes)}"
    before = len(problems)
    for label in found:
        if label not in classes:
            problems.put(Wrong(where, found=f"the label {short(label)}", fix=fix).problem)
    row = []
    for label in classes:
        with problems.collect():
            if label not in found:
                raise Wrong(where, found=f"no probability for {label}", fix=fix)
            row.append(probability(found[label], where.inside(f"class {label}")))
    with problems.collect():
        if len(problems) == before:
            require_sum(row, where)
            return row
    return None
