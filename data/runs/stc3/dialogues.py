"""What the systems know of a dialogue: who speaks, how often, and when it began.

There is no text. In STC-3 the customer opens every dialogue and the two sides take turns, so that
the number of turns says all about who speaks. The ids are those of Weibo's posts, whose leading
bits are the second of posting (ids below ``FIRST_ID`` are older than this scheme).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ordbook.data.labels import FIVE_POINT_SCALE
from ordbook.data.ntcir import QUALITY
from ordbook.data.nuggets import NUGGETS
from ordbook.data.text import read_json

FIRST_ID = 10**15
WEIBO_EPOCH = 515_483_463  # the second of 1986 that an id of zero would stand for
CHINA = 8 * 3600
YEAR = 365.25 * 86400
SHARES = dict[str, NDArray[np.float64]]


@dataclass(frozen=True)
class Corpus:
    """Dialogues.

    Attributes
    ----------
    ids, senders
        Of each dialogue.
    turns, time, hour, weekday
        (dialogues,): number of turns; when it began: in years, by the clock and by the calendar
        of China.
    quality
        A, E and S -> shares of the votes for -2 to 2, (dialogues, 5); empty for test dialogues.
    nuggets
        Per dialogue and turn, the shares of the votes for the sender's types; empty for test
        dialogues.
    labels
        Per dialogue, what each assessor called each turn; empty for test dialogues.
    """

    ids: tuple[str, ...]
    senders: tuple[tuple[str, ...], ...]
    turns: NDArray[np.float64]
    time: NDArray[np.float64]
    hour: NDArray[np.float64]
    weekday: NDArray[np.float64]
    quality: SHARES
    nuggets: tuple[tuple[NDArray[np.float64], ...], ...] = ()
    labels: tuple[list[list[str]], ...] = ()

    def __len__(self) -> int:
        return len(self.ids)

    def subset(self, chosen: NDArray[np.intp]) -> "Corpus":
        """Return the dialogues at these places."""
        return Corpus(
            tuple(self.ids[i] for i in chosen),
            tuple(self.senders[i] for i in chosen),
            self.turns[chosen],
            self.time[chosen],
            self.hour[chosen],
            self.weekday[chosen],
            {part: shares[chosen] for part, shares in self.quality.items()},
            tuple(self.nuggets[i] for i in chosen if self.nuggets),
            tuple(self.labels[i] for i in chosen if self.labels),
        )

    def side(self, sender: str) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return dialogue and position of every turn by one side."""
        places = [
            (d, i) for d, s in enumerate(self.senders) for i, who in enumerate(s) if who == sender
        ]
        dialogue, position = np.array(places, dtype=np.intp).T
        return dialogue, position

    def nugget_shares(self, sender: str) -> NDArray[np.float64]:
        """Shares of the votes of every turn by one side, in the order of :meth:`side`."""
        return np.array([self.nuggets[d][i] for d, i in zip(*self.side(sender), strict=True)])


def read(path: Path) -> Corpus:
    """Read an annotation file."""
    dialogues = read_json(path)
    corpus = _structure(dialogues)
    labels = [[vote["nugget"] for vote in entry["annotations"]] for entry in dialogues]
    return replace(
        corpus,
        quality={
            part: _shares([
                _counts([str(vote["quality"][part]) for vote in entry["annotations"]],
                        FIVE_POINT_SCALE)
                for entry in dialogues])
            for part in QUALITY
        },
        nuggets=tuple(
            tuple(_shares(_counts(turn, NUGGETS[sender]))
                  for turn, sender in zip(zip(*votes, strict=True), senders, strict=True))
            for votes, senders in zip(labels, corpus.senders, strict=True)
        ),
        labels=tuple(labels),
    )  # fmt: skip


def structure(path: Path) -> Corpus:
    """Read an annotation file, and forget every vote at once."""
    return _structure(read_json(path))


def folds(corpus: Corpus, number: int = 5) -> Iterator[tuple[Corpus, Corpus]]:
    """Cut a corpus into what is learnt from and what is held out, dialogue by dialogue."""
    fold = np.random.default_rng(0).permutation(len(corpus)) % number
    for held_out in range(number):
        yield (
            corpus.subset(np.flatnonzero(fold != held_out)),
            corpus.subset(np.flatnonzero(fold == held_out)),
        )


def _structure(dialogues: list[dict[str, Any]]) -> Corpus:
    senders = tuple(tuple(turn["sender"] for turn in each["turns"]) for each in dialogues)
    for dialogue, of in zip(dialogues, senders, strict=True):
        if not set(of) <= set(NUGGETS):
            raise ValueError(f"dialogue {dialogue['id']}: senders {of}")
    numbers = [int(dialogue["id"]) for dialogue in dialogues]
    oldest = min(number for number in numbers if number >= FIRST_ID)
    second = np.array([(max(number, oldest) >> 22) + WEIBO_EPOCH + CHINA for number in numbers])
    return Corpus(
        tuple(dialogue["id"] for dialogue in dialogues),
        senders,
        np.array(list(map(len, senders)), dtype=float),
        second / YEAR + 1970,
        second // 3600 % 24.0,
        (second // 86400 + 3) % 7.0,  # 1 January 1970 was a Thursday
        {},
    )


def _counts(labels: Sequence[str], classes: Sequence[str]) -> list[int]:
    return [labels.count(label) for label in classes]


def _shares(votes: object) -> NDArray[np.float64]:
    counts = np.asarray(votes, dtype=float)
    return counts / counts.sum(axis=-1, keepdims=True)
