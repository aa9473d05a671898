"""Readers for the dialogues and runs of the Dialogue Breakdown Detection Challenges.

``DBDC3.zip`` holds the data of the workshop (folder ``dbdc3``) and a later revision. The English
data of the former are 415 dialogues for development and 200 for evaluation, which SIGIR'18 uses;
each has ten annotated system utterances, and 30 annotators say O (not a breakdown), T (possibly
one) or X (a breakdown). A topic is an utterance, named by file and turn (``CIC0259_12``), because
half of the utterances have no id.

A run is a zip file, or a folder, of files ``<dialogue>.labels.json``, in folders of any depth::

    {"dialogue-id": "CIC0259", "turns": [{"turn-index": 12, "labels": [
        {"breakdown": "O", "prob-O": 0.5, "prob-T": 0.2, "prob-X": 0.3}]}, ...]}
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ordbook.data.alignment import Gaps, match
from ordbook.data.problems import Place, Problems, Wrong, as_notes
from ordbook.data.tasks import Provenance, QuantificationTask
from ordbook.data.text import as_object, distribution, field, members, parse_json, short
from ordbook.words import counted, name_fault, some

Votes = tuple[int, ...]  # for X, T and O
Dialogues = dict[str, dict[str, Votes]]  # dialogue -> topic -> votes
LABELS = ("X", "T", "O")  # from breakdown to not a breakdown
BREAKDOWN = ("B", "PB", "NB")  # what the classes are called: breakdown, possible one, none
ANNOTATORS = 30  # of the challenge's data
LISTED = 5  # names in a note
# Names that start with a dot are hidden files, such as those that macOS adds.
_LABELS_FILE = re.compile(r"(?:.*/)?([^/.][^/]*)\.labels\.json")
_OWN_LOG_FILE = re.compile(r"(?!runs/)(?:.*/)?([^/.][^/]*)\.log\.json")
_EVALUATION = "DBDC3/dbdc3/en/eval"


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
    answers = read_answers(path, problems)
    order = match(
        path, dict.fromkeys(answers), Path("the gold data"), topics, problems, describe=_describe
    )
    problems.raise_first()
    return np.array(list(answers.values()))[order]


def read_dbdc(
    name: str,
    archive: Path,
    classes: tuple[str, ...],
    *,
    provenance: Provenance,
    problems: Problems,
    runs: Mapping[str, Path] | None = None,
    gaps: Gaps | None = None,
) -> QuantificationTask | None:
    """Read dialogues with votes, and runs if there are any; None after ``problems`` got faults.

    Of ``DBDC3.zip`` the English evaluation data of the workshop are read; of a folder, all files
    ``<dialogue>.log.json``, each utterance of which has votes of as many annotators as there were.
    Topics are ordered by folder, file and turn. Dialogues without annotations are noted, and topics
    with another number of votes than most.
    """
    before = len(problems)
    if archive.is_dir():
        dialogues = _dialogues(archive, _OWN_LOG_FILE, "files *.log.json", problems)
    else:
        pattern = re.compile(rf"{_EVALUATION}/(?:CIC|IRIS|TKTK|YI)_[0-9]+/(\w+)\.log\.json")
        expected = f"dialogues in {_EVALUATION}"
        dialogues = _dialogues(archive, pattern, expected, problems)
    sound = len(problems) == before
    votes = {topic: counts for topics in dialogues.values() for topic, counts in topics.items()}
    gaps = gaps or Gaps()
    estimates = {}
    for run, path in (runs or {}).items():
        here = len(problems)
        labelled = read_answers(path, problems)
        if sound and len(problems) == here:
            lines = dict.fromkeys(labelled)
            order = match(path, lines, archive, votes, problems, gaps=gaps, describe=_describe)
            if len(problems) == here:
                answers = np.array(list(labelled.values()))
                estimates[run] = gaps.fill(run, order, answers, 1 / len(LABELS))
    if not sound:
        return None
    return QuantificationTask.from_arrays(
        list(votes.values()),
        estimates,
        classes=classes,
        topics=list(votes),
        name=name,
        votes=True,
        provenance=replace(
            provenance, notes=as_notes([*provenance.notes, *_notes(dialogues, votes)])
        ),
    )


def read_answers(path: Path, problems: Problems) -> dict[str, list[float]]:
    """Read a run, a zip file or a folder: utterance -> probabilities of X, T and O."""
    by_topic: dict[str, list[float]] = {}
    for where, name, content in members(path, _LABELS_FILE, "files *.labels.json", problems):
        with problems.collect():
            entry = as_object(parse_json(content, where), where)
            if (stated := field(entry, "dialogue-id", str, where)) != name[1]:
                fault = f"'dialogue-id': {short(stated)}, and {name[1]!r} in the name of the file"
                raise Wrong(where, found=fault, fix="correct one of the two")
            for index, turn, who in _by_turn(entry, where):
                labels = field(turn, "labels", list, who)
                if len(labels) != 1:
                    fault = f"{len(labels)} entries in 'labels'"
                    raise Wrong(who, found=fault, fix="give one entry")
                answer = as_object(labels[0], who)
                _label(answer, who)
                topic = _topic(name[1], index)
                if topic in by_topic:
                    raise Wrong(who, found=f"{topic} a second time", fix="give each turn once")
                by_topic[topic] = distribution(answer, [f"prob-{label}" for label in LABELS], who)
    return by_topic


def _notes(dialogues: Dialogues, votes: Mapping[str, Votes]) -> Iterator[str]:
    """Name dialogues of which nothing is a topic, and topics with another number of votes."""
    if unasked := [name for name, topics in dialogues.items() if not topics]:
        yield (
            f"no annotations, and so no topics, in {len(unasked)} of "
            f"{counted(len(dialogues), 'dialogue')}: {some(unasked, LISTED)}."
        )
    sizes = {topic: sum(counts) for topic, counts in votes.items()}
    ((usual, often),) = Counter(sizes.values()).most_common(1)
    unusual = [f"{topic} ({size})" for topic, size in sizes.items() if size != usual]
    if unusual:
        yield (
            f"the numbers of votes differ: {usual} for {often} of {counted(len(votes), 'topic')}, "
            f"and others for {some(unusual, LISTED)}."
        )


def _dialogues(archive: Path, pattern: re.Pattern[str], what: str, problems: Problems) -> Dialogues:
    before = len(problems)
    dialogues: Dialogues = {}
    for where, file, content in members(archive, pattern, what, problems):
        with problems.collect():
            name = file[1]
            if fault := name_fault(name):
                raise Wrong(where, found=fault, fix="rename the file")
            if name in dialogues:
                fix = "keep one file for each dialogue"
                raise Wrong(where, found="the dialogue a second time", fix=fix)
            turns: dict[int, Votes] = {}
            for index, turn, who in _by_turn(as_object(parse_json(content, where), where), where):
                if index in turns:
                    raise Wrong(who, found="it a second time", fix="give each turn once")
                turns[index] = _votes(field(turn, "annotations", list, who), who)
            dialogues[name] = {
                _topic(name, turn): turns[turn] for turn in sorted(turns) if turns[turn]
            }
    if len(problems) == before and not any(dialogues.values()):
        fix = "name a file or folder with some"
        problems.add(archive, found="no utterance with annotations", fix=fix)
    return dialogues


def _by_turn(entry: dict[str, Any], where: Place) -> Iterator[tuple[int, dict[str, Any], Place]]:
    """Yield the number of each turn, the turn, and its place in the file."""
    for number, turn in enumerate(field(entry, "turns", list, where), 1):
        who = where.inside(f"entry {number} of turns")
        index = field(as_object(turn, who), "turn-index", int, who)
        if index < 0:
            raise Wrong(who, found=f"'turn-index': {index}", fix="write a number from 0 on")
        yield index, turn, where.inside(f"turn {index}")


def _votes(annotations: list[Any], who: Place) -> Votes:
    counts = Counter(_label(as_object(annotation, who), who) for annotation in annotations)
    return tuple(counts[label] for label in LABELS) if counts else ()


def _label(answer: dict[str, Any], who: Place) -> str:
    label = field(answer, "breakdown", str, who)
    if label not in LABELS:
        raise Wrong(who, found=f"the label {short(label)}", fix="write O, T or X")
    return label


def _topic(dialogue: str, turn: int) -> str:
    return f"{dialogue}_{turn:02d}"


def _describe(topic: str) -> str:
    return f"utterance {topic!r}"
