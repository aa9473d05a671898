"""The English dialogues of DBDC3's workshop, with what was said in them."""

import json
import re
import zipfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from ordbook.data.known import BREAKDOWN as LABELS


@dataclass(frozen=True)
class Turn:
    """An utterance: who (U or S) said what, and the votes for X, T and O, if there are any."""

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


def read_dialogues(archive: Path, part: Literal["dev", "eval"]) -> list[Dialogue]:
    """Read the dialogues for development or evaluation, ordered by system and file."""
    pattern = re.compile(rf"DBDC3/dbdc3/en/{part}/(CIC|IRIS|TKTK|YI)_[0-9]+/(\w+)\.log\.json")
    with zipfile.ZipFile(archive) as files:
        names = filter(None, map(pattern.fullmatch, sorted(files.namelist())))
        return [
            Dialogue(name[2], name[1], _turns(json.loads(files.read(name[0])))) for name in names
        ]


def _turns(log: dict[str, list[dict]]) -> tuple[Turn, ...]:
    turns = []
    for turn in sorted(log["turns"], key=lambda turn: turn["turn-index"]):
        counts = Counter(each["breakdown"] for each in turn["annotations"])
        votes = tuple(counts[label] for label in LABELS) if counts else None
        turns.append(Turn(turn["turn-index"], turn["speaker"], turn["utterance"], votes))
    return tuple(turns)
