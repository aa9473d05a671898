"""Runs of the Dialogue Breakdown Detection Challenges.

A run is a zip file, or a folder, of files ``<dialogue>.labels.json`` in the challenge's format::

    {"dialogue-id": "CIC0259", "turns": [{"turn-index": 12, "labels": [
        {"breakdown": "O", "prob-O": 0.5, "prob-T": 0.2, "prob-X": 0.3}]}, ...]}

They may stand in folders of any depth, as in submissions; other files are not read.
"""

import re
from collections.abc import Container, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ordbook.data.archives import members
from ordbook.data.jsonfile import as_object, field, parse_json, probability, require_sum, short
from ordbook.data.problems import Place, Problems, Wrong

LABELS = ("X", "T", "O")  # from breakdown to not a breakdown
OTX = "O, T or X"
# A name that starts with a dot is a hidden file, such as those that macOS adds.
_LABELS_FILE = re.compile(r"(?:.*/)?([^/.][^/]*)\.labels\.json")


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
    problems = Problems()
    rows, places = check_labels(path, topics, problems)
    problems.raise_first()
    return rows[places]


def check_labels(
    path: Path, topics: Sequence[str] | None, problems: Problems, lacking: object = None
) -> tuple[NDArray[np.float64], list[int]]:
    """Read a run as :func:`read_labels` does; ``problems`` gets what is wrong.

    Returns the answers, and of each topic which of them it has: -1 for none, if ``lacking``.
    Where ``topics`` is None, as after a fault in the gold data, any utterance may be answered.
    """
    asked = {_dialogue_and_turn(topic): topic for topic in topics or ()}
    if len(asked) < len(topics or ()):
        raise ValueError(f"{path}: the same utterance is asked for twice; name each topic once")
    dialogues = {dialogue for dialogue, _ in asked}
    found: dict[tuple[str, int], list[float]] = {}
    seen: dict[str, str] = {}
    refused = set()
    before = len(problems)
    for where, match, content in members(path, _LABELS_FILE, "files *.labels.json", problems):
        dialogue = match[1]
        at = len(problems)
        with problems.collect():
            if dialogue in seen:
                told = f"the same dialogue as {seen[dialogue]}"
                raise Wrong(where, found=told, fix="keep one file for each dialogue")
            seen[dialogue] = match[0]
            if topics is not None and dialogue not in dialogues:
                told = f"dialogue {dialogue!r}, which was not asked for"
                raise Wrong(where, found=told, fix="remove the file")
            known = None if topics is None else asked
            _read_turns(content, dialogue, where, known, found, problems)
        if len(problems) > at:
            refused.add(dialogue)  # what it lacks is a problem already
    if len(problems) > before and not seen:
        return np.empty((0, len(LABELS))), []
    for (dialogue, turn), topic in asked.items():
        if (dialogue, turn) not in found and dialogue not in refused and not lacking:
            found_none = f"nothing about utterance {topic!r}"
            problems.add(path, found=found_none, fix="answer all that were asked for")
    if len(problems) > before:
        return np.empty((0, len(LABELS))), []
    places = dict(zip(found, range(len(found)), strict=True))
    rows = np.array(list(found.values())).reshape(len(found), len(LABELS))
    return rows, [places.get(key, -1) for key in asked]


def _read_turns(
    content: bytes,
    dialogue: str,
    where: Place,
    asked: Container[tuple[str, int]] | None,
    found: dict[tuple[str, int], list[float]],
    problems: Problems,
) -> None:
    """Add turn -> probabilities, from breakdown to not a breakdown, of a file of a run."""
    entry = as_object(parse_json(content, where), where)
    if (said := field(entry, "dialogue-id", str, where)) != dialogue:
        raise Wrong(
            where,
            found=f"'dialogue-id': {short(said)}, and {dialogue!r} in the name of the file",
            fix="correct one of the two",
        )
    for number, turn in enumerate(field(entry, "turns", list, where), 1):
        with problems.collect():
            who = where.inside(f"entry {number} of turns")
            index = turn_index(as_object(turn, who), who)
            who = where.inside(f"turn {index}")
            if asked is not None and (dialogue, index) not in asked:
                found_more = "an answer, though the turn was not asked for"
                raise Wrong(who, found=found_more, fix="remove the turn")
            if (dialogue, index) in found:
                raise Wrong(who, found="it a second time", fix="give each turn once")
            found[dialogue, index] = _answer(turn, who, problems)


def _answer(turn: dict[str, Any], who: Place, problems: Problems) -> list[float]:
    labels = field(turn, "labels", list, who)
    if len(labels) != 1:
        raise Wrong(who, found=f"{len(labels)} entries in 'labels'", fix="give one entry")
    answer = as_object(labels[0], who)
    if (label := field(answer, "breakdown", str, who)) not in LABELS:
        raise Wrong(who, found=f"the label {short(label)}", fix=f"write {OTX}")
    before = len(problems)
    row = []
    for label in LABELS:
        with problems.collect():
            key = f"prob-{label}"
            if key not in answer:
                raise Wrong(who, found=f"no {key!r}", fix="add the probability")
            row.append(probability(answer[key], who.inside(key)))
    if len(problems) == before:
        require_sum(row, who)
    return row


def turn_index(turn: dict[str, Any], where: Place) -> int:
    """Return the number of a turn."""
    index = field(turn, "turn-index", int, where)
    if index < 0:
        raise Wrong(where, found=f"'turn-index': {index}", fix="write a number from 0 on")
    return index


def _dialogue_and_turn(topic: str) -> tuple[str, int]:
    match = re.fullmatch(r"(.+)_([0-9]+)", topic)
    if match is None:
        raise ValueError(f"topic {topic!r} is no utterance; write dialogue and turn as CIC0259_12")
    return match[1], int(match[2])
