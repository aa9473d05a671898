"""Readers for the Dialogue Breakdown Detection Challenge 3: its archive, and runs.

``DBDC3.zip`` holds the data of the workshop (folder ``dbdc3``) and a later revision. The English
data of the former are 415 dialogues for development and 200 for evaluation, which SIGIR'18 uses;
each has ten annotated system utterances, and 30 annotators say O (not a breakdown), T (possibly
one) or X (a breakdown). A topic is an utterance, named by file and turn (``CIC0259_12``), because
half of the utterances have no id.

A run is a zip file, or a folder, of files ``<dialogue>.labels.json`` in the challenge's format::

    {"dialogue-id": "CIC0259", "turns": [{"turn-index": 12, "labels": [
        {"breakdown": "O", "prob-O": 0.5, "prob-T": 0.2, "prob-X": 0.3}]}, ...]}

They may stand in folders of any depth, as in submissions; other files are not read.

Contents
--------
Dialogue, Turn   a dialogue: its system, and what was said, by whom, with which votes
read_dialogues   the archive -> the dialogues for development or evaluation
read_dbdc        the archive and runs -> a QuantificationTask
read_labels      a run -> its probabilities of breakdown, possible breakdown, not a breakdown
"""

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ordbook.data.archives import members
from ordbook.data.jsonfile import as_object, field, parse_json, short
from ordbook.data.semeval import SUM_TOLERANCE
from ordbook.data.tasks import Provenance, QuantificationTask

Part = Literal["dev", "eval"]
LABELS = ("X", "T", "O")  # from breakdown to not a breakdown
ANNOTATORS = 30
# A name that starts with a dot is a hidden file, such as those that macOS adds.
_LABELS_FILE = re.compile(r"(?:.*/)?([^/.][^/]*)\.labels\.json")


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
    if part not in ("dev", "eval"):
        raise ValueError(f"part={part!r} is neither 'dev' nor 'eval'")
    folder = f"DBDC3/dbdc3/en/{part}"
    pattern = re.compile(rf"{folder}/(CIC|IRIS|TKTK|YI)_[0-9]+/(\w+)\.log\.json")
    found = {}
    for where, match, content in members(archive, pattern, f"dialogues in {folder}"):
        system, dialogue = match.groups()
        if dialogue in found:
            raise ValueError(f"{where}: the dialogue occurs a second time")
        found[dialogue] = Dialogue(dialogue, system, _turns(content, where))
    if not any(turn.votes for dialogue in found.values() for turn in dialogue.turns):
        raise ValueError(f"{archive}: no utterance is annotated; this is another archive")
    return list(found.values())


def read_dbdc(
    name: str,
    archive: Path,
    classes: tuple[str, ...],
    *,
    provenance: Provenance,
    runs: Mapping[str, Path] | None = None,
) -> QuantificationTask:
    """Read the English evaluation data of the workshop, and runs if there are any.

    Topics are ordered by system, file and turn.

    Raises
    ------
    ValueError
        As for :func:`read_dialogues` and :func:`read_labels`.
    """
    votes = {
        dialogue.topic(turn): turn.votes
        for dialogue in read_dialogues(archive, "eval")
        for turn in dialogue.turns
        if turn.votes
    }
    topics = list(votes)
    return QuantificationTask.from_arrays(
        list(votes.values()),
        {run: read_labels(path, topics) for run, path in (runs or {}).items()},
        classes=classes,
        topics=topics,
        name=name,
        votes=True,
        provenance=provenance,
    )


def read_labels(path: Path, topics: Sequence[str]) -> NDArray[np.float64]:
    """Read a run: a zip file or a folder of files ``<dialogue>.labels.json``.

    Parameters
    ----------
    path
        The zip file or the folder.
    topics
        The utterances that were asked for, as ``CIC0259_12``: dialogue and turn.

    Returns
    -------
    NDArray
        (topics, 3): the probabilities of X, T and O, from breakdown to not a breakdown.

    Raises
    ------
    ValueError
        If the zip file is damaged or too large, a file is not in the format, a row is not a
        distribution (sums within 1e-5 of 1), or the run does not have exactly these utterances,
        each once; the message names file and turn.
    """
    asked = {_dialogue_and_turn(topic): topic for topic in topics}
    if len(asked) < len(topics):
        raise ValueError(f"{path}: the same utterance is asked for twice; name each topic once")
    dialogues = {dialogue for dialogue, _ in asked}
    found: dict[tuple[str, int], list[float]] = {}
    seen: dict[str, str] = {}
    for where, match, content in members(path, _LABELS_FILE, "files *.labels.json"):
        dialogue = match[1]
        if dialogue in seen:
            raise ValueError(f"{where}: {seen[dialogue]} is the same dialogue; remove one")
        seen[dialogue] = match[0]
        if dialogue not in dialogues:
            raise ValueError(f"{where}: no dialogue {dialogue!r} was asked for; remove the file")
        for turn, row in _labelled_turns(content, dialogue, where):
            if (dialogue, turn) not in asked:
                raise ValueError(f"{where}, turn {turn}: was not asked for; remove it")
            if (dialogue, turn) in found:
                raise ValueError(f"{where}, turn {turn}: occurs a second time; remove one")
            found[dialogue, turn] = row
    if lacking := [topic for key, topic in asked.items() if key not in found]:
        raise ValueError(
            f"{path}: {len(lacking)} of {len(asked)} utterances are missing, the first is "
            f"{lacking[0]!r}; add them"
        )
    return np.array([found[key] for key in asked]).reshape(len(asked), len(LABELS))


def _turns(content: bytes, where: str) -> tuple[Turn, ...]:
    """Return the turns of a dialogue, ordered; those with annotations have 30 votes."""
    found = {}
    dialogue = as_object(parse_json(content, where), where)
    for number, entry in enumerate(field(dialogue, "turns", list, where), 1):
        who = f"{where}, entry {number} of turns"
        index = _index(as_object(entry, who), who)
        if index in found:
            raise ValueError(f"{where}: turn {index} occurs a second time")
        speaker = field(entry, "speaker", str, who)
        if speaker not in ("U", "S"):
            raise ValueError(f"{who}: 'speaker' is {short(speaker)}; expected U or S")
        annotations = field(entry, "annotations", list, who)
        labels = Counter(
            field(as_object(annotation, who), "breakdown", str, who) for annotation in annotations
        )
        if unknown := set(labels) - set(LABELS):
            raise ValueError(
                f"{where}, turn {index}: unknown label {min(unknown)!r}; expected O, T or X"
            )
        if labels and labels.total() != ANNOTATORS:
            raise ValueError(
                f"{where}, turn {index}: {labels.total()} annotations, expected {ANNOTATORS}"
            )
        votes = tuple(labels[label] for label in LABELS) if labels else None
        found[index] = Turn(index, speaker, field(entry, "utterance", str, who), votes)
    return tuple(found[index] for index in sorted(found))


def _labelled_turns(content: bytes, dialogue: str, where: str) -> Iterator[tuple[int, list[float]]]:
    """Yield turn and probabilities, from breakdown to not a breakdown, of a file of a run."""
    entry = as_object(parse_json(content, where), where)
    if (said := field(entry, "dialogue-id", str, where)) != dialogue:
        raise ValueError(f"{where}: 'dialogue-id' is {short(said)}; expected {dialogue!r}")
    for number, turn in enumerate(field(entry, "turns", list, where), 1):
        who = f"{where}, entry {number} of turns"
        index = _index(as_object(turn, who), who)
        who = f"{where}, turn {index}"
        labels = field(turn, "labels", list, who)
        if len(labels) != 1:
            raise ValueError(f"{who}: {len(labels)} entries in 'labels'; expected one")
        answer = as_object(labels[0], who)
        if (label := field(answer, "breakdown", str, who)) not in LABELS:
            raise ValueError(f"{who}: unknown label {short(label)}; expected O, T or X")
        row = [_probability(answer, f"prob-{label}", who) for label in LABELS]
        if abs(math.fsum(row) - 1) > SUM_TOLERANCE:
            raise ValueError(
                f"{who}: the probabilities sum to {math.fsum(row):.6g}, expected 1 within "
                f"{SUM_TOLERANCE:.0e}; divide each by the sum"
            )
        yield index, row


def _probability(answer: dict[str, object], key: str, where: str) -> float:
    if key not in answer:
        raise ValueError(f"{where}: there is no {key!r}; add it")
    value = answer[key]
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise ValueError(f"{where}: {key!r} is {short(value)}; write a number from 0 to 1")
    return float(value)


def _index(turn: dict[str, object], where: str) -> int:
    index = field(turn, "turn-index", int, where)
    if index < 0:
        raise ValueError(f"{where}: 'turn-index' is {index}; expected 0 or more")
    return index


def _dialogue_and_turn(topic: str) -> tuple[str, int]:
    match = re.fullmatch(r"(.+)_([0-9]+)", topic)
    if match is None:
        raise ValueError(f"topic {topic!r} is no utterance; write dialogue and turn as CIC0259_12")
    return match[1], int(match[2])
