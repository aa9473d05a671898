"""Reader for the archive of the Dialogue Breakdown Detection Challenge 3.

``DBDC3.zip`` holds the data of the workshop (folder ``dbdc3``) and a later revision; SIGIR'18 uses
the English evaluation data of the former: 200 dialogues, ten annotated system utterances each, and
30 annotators who say O (not a breakdown), T (possibly one) or X (a breakdown). A topic is an
utterance, named by file and turn (``CIC0259_12``), because half of the utterances have no id.

Nothing is unpacked to disk, and only the expected members are read.

Contents
--------
read_dbdc   the archive -> a QuantificationTask without runs
"""

import lzma
import re
import zipfile
import zlib
from collections import Counter
from pathlib import Path

from ordbook.data.jsonfile import as_object, field, parse_json
from ordbook.data.tasks import Provenance, QuantificationTask

LABELS = ("X", "T", "O")  # from breakdown to not a breakdown
ANNOTATORS = 30
_MEMBER = re.compile(r"DBDC3/dbdc3/en/eval/(?:CIC|IRIS|TKTK|YI)_50/(\w+)\.log\.json")
# What the standard library raises for one or another kind of damage.
DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    NotImplementedError,
    RuntimeError,
)
# The largest real dialogue has 67 kB, and there are 200.
LARGEST, MOST = 1_000_000, 1_000


def read_dbdc(
    name: str, archive: Path, classes: tuple[str, ...], *, provenance: Provenance
) -> QuantificationTask:
    """Read the English evaluation data of the workshop; topics are ordered by file and turn.

    Raises
    ------
    ValueError
        If the archive is damaged, or a dialogue is not in the format; the message names archive,
        member and turn.
    """
    votes: dict[str, list[int]] = {}
    try:
        with zipfile.ZipFile(archive) as members:
            matches = [
                (info, match[1])
                for info in sorted(members.infolist(), key=lambda info: info.filename)
                if (match := _MEMBER.fullmatch(info.filename))
            ]
            if not 0 < len(matches) <= MOST:
                raise ValueError(
                    f"{archive}: {len(matches)} dialogues in DBDC3/dbdc3/en/eval; "
                    "this is another archive"
                )
            for info, dialogue in matches:
                where = f"{archive}, {info.filename}"
                if info.file_size > LARGEST:
                    raise ValueError(f"{where}: {info.file_size} bytes are too many; get it again")
                with members.open(info) as member:
                    content = member.read(LARGEST + 1)
                for turn, counts in _annotated_turns(content, where):
                    topic = f"{dialogue}_{turn:02d}"
                    if topic in votes:
                        raise ValueError(f"{where}: turn {turn} occurs a second time")
                    votes[topic] = counts
    except DAMAGE as error:
        raise ValueError(f"{archive}: the zip file is damaged ({error}); get it again") from None
    except OSError as error:
        raise ValueError(f"{archive}: cannot be read ({error.strerror or error})") from None
    if not votes:
        raise ValueError(f"{archive}: no utterance is annotated; this is another archive")
    return QuantificationTask.from_arrays(
        list(votes.values()),
        {},
        classes=classes,
        topics=list(votes),
        name=name,
        votes=True,
        provenance=provenance,
    )


def _annotated_turns(content: bytes, where: str) -> list[tuple[int, list[int]]]:
    """Return turn and votes, from breakdown to not a breakdown, of every annotated utterance."""
    found = []
    dialogue = as_object(parse_json(content, where), where)
    for number, turn in enumerate(field(dialogue, "turns", list, where), 1):
        who = f"{where}, entry {number} of turns"
        annotations = field(as_object(turn, who), "annotations", list, who)
        if not annotations:
            continue
        index = field(turn, "turn-index", int, who)
        if index < 0:
            raise ValueError(f"{who}: 'turn-index' is {index}; expected 0 or more")
        labels = Counter(
            field(as_object(annotation, who), "breakdown", str, who) for annotation in annotations
        )
        if unknown := set(labels) - set(LABELS):
            raise ValueError(
                f"{where}, turn {index}: unknown label {min(unknown)!r}; expected O, T or X"
            )
        if labels.total() != ANNOTATORS:
            raise ValueError(
                f"{where}, turn {index}: {labels.total()} annotations, expected {ANNOTATORS}"
            )
        found.append((index, [labels[label] for label in LABELS]))
    return sorted(found)
