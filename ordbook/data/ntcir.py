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
:mod:`ordbook.data.annotations`. Everything else is refused with file, dialogue, what was found and
what to do.

Contents
--------
read_quality   gold and run files -> QuantificationTask
read_nuggets   gold and run files -> NuggetTask
"""

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from ordbook.data.annotations import QUALITY, Dialogue, by_id, check_annotations
from ordbook.data.jsonfile import as_object, field, probability, require_sum, short
from ordbook.data.names import counted, other_forms
from ordbook.data.nuggets import NUGGETS, NuggetTask
from ordbook.data.problems import Place, Problems, Wrong
from ordbook.data.semeval import FIVE_POINT_SCALE
from ordbook.data.tasks import Provenance, QuantificationTask

T = TypeVar("T")


def read_quality(
    name: str,
    gold: Path,
    runs: Mapping[str, Path],
    *,
    part: str,
    provenance: Provenance,
    problems: Problems,
) -> QuantificationTask | None:
    """Read a dialogue quality task; ``part`` is A, E or S.

    None after ``problems`` got what is wrong: a file is not in its format, or a run does not have
    exactly the gold file's dialogues.
    """
    if part not in QUALITY:
        raise ValueError(f"{name}: part={part!r} is not one of A, E, S and nugget")
    dialogues = check_annotations(gold, problems)

    def quality(entry: dict[str, Any], where: Place, problems: Problems) -> list[float] | None:
        scores = _about("quality", entry, dict, where)
        about = field(scores, part, dict, where)
        return _distribution(about, FIVE_POINT_SCALE, where.inside(part), problems)

    sound = _sound(gold, dialogues, problems)
    estimates = _read_runs(runs, quality, dialogues, sound, gold, problems)
    if not sound:
        return None
    return problems.keep(
        lambda: QuantificationTask.from_arrays(
            [dialogue.quality[part] for dialogue in sound.values()],
            estimates,  # type: ignore[arg-type]  # None only where there is a problem
            classes=FIVE_POINT_SCALE,
            topics=list(sound),
            name=name,
            votes=True,
            provenance=provenance,
        )
    )


def read_nuggets(
    name: str,
    gold: Path,
    runs: Mapping[str, Path],
    *,
    provenance: Provenance,
    problems: Problems,
) -> NuggetTask | None:
    """Read a nugget detection task; what is wrong is said as by :func:`read_quality`."""
    dialogues = check_annotations(gold, problems)

    def nuggets(
        entry: dict[str, Any], where: Place, problems: Problems
    ) -> list[list[float] | None]:
        turns = _about("nugget", entry, list, where)
        dialogue = dialogues.get(entry["id"])
        if dialogue is None:
            return []  # said below, with every other dialogue that is one too many
        if len(turns) != len(dialogue.senders):
            raise Wrong(
                where,
                found=counted(len(turns), "nugget distribution"),
                expected=f"{len(dialogue.senders)}, one per turn",
                fix="give one per turn",
            )
        found: list[list[float] | None] = []
        for i, (turn, sender) in enumerate(zip(turns, dialogue.senders, strict=True), 1):
            at = where.inside(f"turn {i}")
            with problems.collect():
                found.append(_distribution(as_object(turn, at), NUGGETS[sender], at, problems))
        return found

    sound = _sound(gold, dialogues, problems)
    estimates = _read_runs(runs, nuggets, dialogues, sound, gold, problems)
    if not sound:
        return None
    return problems.keep(
        lambda: NuggetTask.from_turns(
            [dialogue.senders for dialogue in sound.values()],
            [dialogue.nuggets for dialogue in sound.values()],
            estimates,  # type: ignore[arg-type]  # None only where there is a problem
            topics=list(sound),
            name=name,
            votes=True,
            provenance=provenance,
        )
    )


def _about(part: str, entry: dict[str, Any], kind: type[T], where: Place) -> T:
    """Return what an entry of a run says about quality or nuggets; it may be a run of the other."""
    other = "nugget" if part == "quality" else "quality"
    if part not in entry and other in entry:
        raise Wrong(
            where,
            found=f"no {part!r}, but {other!r}",
            expected=f"a run about {part}",
            fix=f"if it is about {other}, let the name of the file end in _{other}.json; or add it",
        )
    return field(entry, part, kind, where)


def _sound(
    gold: Path, dialogues: Mapping[str, Dialogue | None], problems: Problems
) -> dict[str, Dialogue]:
    """Return the dialogues about which nothing is wrong in the gold file."""
    places = sorted(problem.place for problem in problems if problem.file == str(gold))

    def faulty(key: str) -> bool:
        start = f"dialogue {short(key)}"
        after = bisect_left(places, start)
        return after < len(places) and places[after].startswith(start)

    return {key: dialogue for key, dialogue in dialogues.items() if dialogue and not faulty(key)}


def _read_runs(
    runs: Mapping[str, Path],
    read: Callable[[dict[str, Any], Place, Problems], T],
    dialogues: Mapping[str, Dialogue | None],
    sound: Mapping[str, Dialogue],
    gold: Path,
    problems: Problems,
) -> dict[str, list[T]]:
    """Return run -> what it says about the sound dialogues, in their order."""
    estimates: dict[str, list[T]] = {}
    for run, path in runs.items():
        before = len(problems)
        found = by_id(path, read, problems)
        if found:
            for key in (key for key in dialogues if key not in found):
                problems.add(
                    path,
                    found=f"no dialogue {key!r}",
                    expected=f"all dialogues of {gold.name}",
                    fix="add it",
                )
            told = other_forms(found.keys() - dialogues.keys(), dialogues)
            for key in (key for key in found if dialogues and key not in dialogues):
                problems.add(
                    path,
                    found=f"dialogue {key!r}",
                    expected=f"only dialogues of {gold.name}",
                    fix=f"write it as {gold.name} does: {told[key]}"
                    if key in told
                    else "correct the id, or remove it",
                )
        if len(problems) == before and found.keys() == dialogues.keys():
            estimates[run] = [found[key] for key in sound]  # type: ignore[misc]
    return estimates


def _distribution(
    found: dict[str, Any], classes: Sequence[str], where: Place, problems: Problems
) -> list[float] | None:
    """Return probabilities in the order of the classes, or None after saying what is wrong."""
    expected = f"a probability for each of {', '.join(classes)}"
    before = len(problems)
    for label in found:
        if label not in classes:
            wrong = Wrong(
                where, found=f"the label {short(label)}", expected=expected, fix="correct it"
            )
            problems.items.append(wrong.problem)
    row = []
    for label in classes:
        with problems.collect():
            if label not in found:
                raise Wrong(where, found=f"none for {label}", expected=expected, fix="add it")
            row.append(probability(found[label], where.inside(f"class {label}")))
    with problems.collect():
        if len(problems) == before:
            require_sum(row, where)
            return row
    return None
