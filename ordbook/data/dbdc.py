"""Reader for the dialogues of the Dialogue Breakdown Detection Challenges.

``DBDC3.zip`` holds the data of the workshop (folder ``dbdc3``) and a later revision. The English
data of the former are 415 dialogues for development and 200 for evaluation, which SIGIR'18 uses;
each has ten annotated system utterances, and 30 annotators say O (not a breakdown), T (possibly
one) or X (a breakdown). A topic is an utterance, named by file and turn (``CIC0259_12``), because
half of the utterances have no id.

Runs are read by :mod:`ordbook.data.dbdclabels`.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from ordbook.data.archives import members
from ordbook.data.dbdclabels import LABELS, OTX, check_labels, turn_index
from ordbook.data.gaps import Gaps
from ordbook.data.jsonfile import as_object, field, parse_json, short
from ordbook.data.names import counted, name_fault, some
from ordbook.data.problems import Place, Problems, Wrong
from ordbook.data.tasks import Provenance, QuantificationTask

Part = Literal["dev", "eval"]
ANNOTATORS = 30  # of the challenge's data
LISTED = 5  # names in a note
_LOG_FILE = re.compile(r"(?!runs/)(?:(.*)/)?([^/.][^/]*)\.log\.json")


@dataclass(frozen=True)
class Turn:
    """An utterance of a dialogue.

    Attributes
    ----------
    index
        The number of the turn, from 0.
    speaker
        ``U`` for the user, ``S`` for the dialogue system.
    utterance
        What was said.
    votes
        The numbers of votes for X, T and O; None where nobody was asked.
    """

    index: int
    speaker: str
    utterance: str
    votes: tuple[int, ...] | None


@dataclass(frozen=True)
class Dialogue:
    """A dialogue: its id, the dialogue system that took part, and its turns in order."""

    id: str
    system: str
    turns: tuple[Turn, ...]

    def topic(self, turn: Turn) -> str:
        """Return the name of an utterance: dialogue and turn, as ``CIC0259_12``."""
        return f"{self.id}_{turn.index:02d}"


def read_dialogues(archive: Path, part: Part) -> list[Dialogue]:
    """Read the English dialogues of the workshop, ordered by system and file.

    Parameters
    ----------
    archive
        ``DBDC3.zip``.
    part
        ``dev`` for development or ``eval`` for evaluation.

    Raises
    ------
    ValueError
        If the archive is damaged, or a dialogue is not in the format; the message names archive,
        member and turn.
    """
    problems = Problems()
    dialogues = _challenge(archive, part, problems)
    problems.raise_first()
    return dialogues


def read_dbdc(
    name: str,
    archive: Path,
    classes: tuple[str, ...],
    *,
    provenance: Provenance,
    problems: Problems,
    runs: Mapping[str, Path] | None = None,
    own: bool = False,
    gaps: Gaps | None = None,
) -> QuantificationTask | None:
    """Read dialogues with votes, and runs if there are any.

    Parameters
    ----------
    archive
        ``DBDC3.zip``, of which the English evaluation data of the workshop are read; with
        ``own``, a folder of any files ``<dialogue>.log.json``, each utterance of which has votes
        of as many annotators as there were.
    classes
        Names of breakdown, possible breakdown and none.
    problems
        Gets what is wrong; the task is then None.

    Topics are ordered by folder, file and turn. Dialogues without annotations are noted, and
    topics with another number of votes than most.
    """
    gaps = gaps or Gaps()
    before = len(problems)
    read = _own_dialogues(archive, problems) if own else _challenge(archive, "eval", problems)
    sound = len(problems) == before
    votes = {
        dialogue.topic(turn): turn.votes
        for dialogue in read
        for turn in dialogue.turns
        if turn.votes
    }
    topics = list(votes)
    asked = topics if sound else None
    notes = tuple(_notes(read, votes)) if asked else ()
    estimates = {}
    for run, path in (runs or {}).items():
        here = len(problems)
        rows, places = check_labels(path, asked, problems, gaps)
        if asked and len(problems) == here:
            estimates[run] = gaps.fill(run, places, rows, 1 / len(LABELS))
    if not sound:
        return None
    return QuantificationTask.from_arrays(
        list(votes.values()),
        estimates,
        classes=classes,
        topics=topics,
        name=name,
        votes=True,
        provenance=replace(provenance, notes=provenance.notes + notes),
    )


def _notes(dialogues: Sequence[Dialogue], votes: Mapping[str, tuple[int, ...]]) -> Iterator[str]:
    """Name dialogues of which nothing is a topic, and topics with another number of votes."""
    unasked = [each.id for each in dialogues if not any(turn.votes for turn in each.turns)]
    if unasked:
        yield (
            f"no annotations, and so no topics, in {len(unasked)} of "
            f"{counted(len(dialogues), 'dialogue')}: {some(unasked, LISTED)}."
        )
    sizes = {topic: sum(counts) for topic, counts in votes.items()}
    ((usual, often),) = Counter(sizes.values()).most_common(1)
    others = [f"{topic} ({size})" for topic, size in sizes.items() if size != usual]
    if others:
        yield (
            f"the numbers of votes differ: {usual} for {often} of {counted(len(votes), 'topic')}, "
            f"and others for {some(others, LISTED)}."
        )


def _challenge(archive: Path, part: Part, problems: Problems) -> list[Dialogue]:
    if part not in ("dev", "eval"):
        raise ValueError(f"part={part!r} is neither 'dev' nor 'eval'")
    folder = f"DBDC3/dbdc3/en/{part}"
    pattern = re.compile(rf"{folder}/(CIC|IRIS|TKTK|YI)_[0-9]+/(\w+)\.log\.json")
    return _dialogues(archive, pattern, f"dialogues in {folder}", ANNOTATORS, problems)


def _own_dialogues(folder: Path, problems: Problems) -> list[Dialogue]:
    return _dialogues(folder, _LOG_FILE, "files *.log.json", None, problems)


def _dialogues(
    archive: Path, pattern: re.Pattern[str], what: str, annotators: int | None, problems: Problems
) -> list[Dialogue]:
    before = len(problems)
    found: dict[str, Dialogue] = {}
    for where, match, content in members(archive, pattern, what, problems):
        with problems.collect():
            system, dialogue = match.groups()
            if fault := name_fault(dialogue):
                raise Wrong(where, found=fault, fix="rename the file")
            if dialogue in found:
                found_twice = "the dialogue a second time"
                raise Wrong(where, found=found_twice, fix="keep one file for each dialogue")
            found[dialogue] = Dialogue(dialogue, system or "", ())
            turns = _turns(content, where, annotators, problems)
            found[dialogue] = Dialogue(dialogue, system or "", turns)
    if len(problems) == before and not any(turn.votes for d in found.values() for turn in d.turns):
        problems.add(
            archive,
            found="no utterance with annotations",
            fix="name a file or folder with some",
        )
    return list(found.values())


def _turns(
    content: bytes, where: Place, annotators: int | None, problems: Problems
) -> tuple[Turn, ...]:
    """Return the turns of a dialogue, ordered."""
    found = {}
    dialogue = as_object(parse_json(content, where), where)
    for number, entry in enumerate(field(dialogue, "turns", list, where), 1):
        with problems.collect():
            who = where.inside(f"entry {number} of turns")
            index = turn_index(as_object(entry, who), who)
            if index in found:
                raise Wrong(where, found=f"turn {index} a second time", fix="give each turn once")
            found[index] = Turn(index, "", "", None)
            speaker = field(entry, "speaker", str, who)
            if speaker not in ("U", "S"):
                raise Wrong(who, found=f"'speaker': {short(speaker)}", fix="write U or S")
            votes = _votes(
                field(entry, "annotations", list, who),
                where.inside(f"turn {index}"),
                annotators,
                problems,
            )
            found[index] = Turn(index, speaker, field(entry, "utterance", str, who), votes)
    return tuple(found[index] for index in sorted(found))


def _votes(
    annotations: list[Any], who: Place, annotators: int | None, problems: Problems
) -> tuple[int, ...] | None:
    counts: Counter[str] = Counter()
    before = len(problems)
    for number, annotation in enumerate(annotations, 1):
        with problems.collect():
            label = field(as_object(annotation, who), "breakdown", str, who)
            if label not in LABELS:
                at = who.inside(f"annotation {number}")
                raise Wrong(at, found=f"the label {short(label)}", fix=f"write {OTX}")
            counts[label] += 1
    total = counts.total()
    if len(problems) == before and total and annotators and total != annotators:
        found = f"{counted(total, 'annotation')}, not {annotators}"
        raise Wrong(who, found=found, fix="get the file again")
    return tuple(counts[label] for label in LABELS) if counts else None
