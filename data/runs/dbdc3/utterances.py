"""What the systems see of an utterance: who is talking, and what was said up to and with it."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from logs import Dialogue
from numpy.typing import NDArray
from scipy import sparse

Array = NDArray[np.float64]
Matrix = Array | sparse.csr_matrix
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?|[0-9]+|[?!.,:;]")
_ASKS = re.compile(r"\b(?:what|who|where|when|why|how|which|do you|are you|can you|did you)\b")
_DENIES = re.compile(r"\b(?:not|no|never|nothing|don'?t|don t|do n't|can'?t|isn'?t)\b")
_DOUBTS = re.compile(r"\b(?:don'? ?t (?:know|understand)|not sure|no idea|do n't know|sorry)\b")
_COMPLAINS = re.compile(r"\b(?:what do you mean|already|again|you said|stop|wrong|sense|asked)\b")


@dataclass(frozen=True)
class Utterance:
    """An utterance of a dialogue system, as a detector in the conversation sees it.

    Attributes
    ----------
    dialogue, turn
        The dialogue's id, and the turn.
    system
        The dialogue system; the folder of the file names it.
    position
        0 for the first utterance of the dialogue that was asked about, 1 for the second, ...
    said
        Speaker (U or S) and text of everything said so far; the last is this utterance.
    """

    dialogue: str
    turn: int
    system: str
    position: int
    said: tuple[tuple[str, str], ...]

    def by(self, speaker: str) -> list[str]:
        """Return what a speaker said before this utterance, the latest first."""
        return [text for who, text in reversed(self.said[:-1]) if who == speaker]

    @property
    def text(self) -> str:
        """The utterance itself."""
        return self.said[-1][1]

    @property
    def asked(self) -> str:
        """What the user said last; empty if nothing."""
        return next(iter(self.by("U")), "")


def utterances(dialogues: Iterable[Dialogue]) -> tuple[Utterance, ...]:
    """Return the utterances that annotators were asked about, without what they answered."""
    found = []
    for dialogue in dialogues:
        said: list[tuple[str, str]] = []
        position = 0
        for turn in dialogue.turns:
            said.append((turn.speaker, turn.utterance))
            if turn.votes is not None:
                found.append(
                    Utterance(dialogue.id, turn.index, dialogue.system, position, tuple(said))
                )
                position += 1
    return tuple(found)


def votes(dialogues: Iterable[Dialogue]) -> Array:
    """Return the shares of X, T and O in the votes, (utterances, 3)."""
    counts = np.array([turn.votes for d in dialogues for turn in d.turns if turn.votes], float)
    return counts / counts.sum(axis=1, keepdims=True)


def words(text: str) -> list[str]:
    """Return the words, numbers and marks of a text, in lower case."""
    return _WORD.findall(text.lower().replace("’", "'"))


def similarities(found: Sequence[Utterance], rows: Matrix, position: dict[str, int]) -> Array:
    """Return a table of similarities, lengths and simple signs, (utterances, features).

    Parameters
    ----------
    rows
        A vector per text, of length 1 or 0.
    position
        Text -> its row.
    """
    none = rows.shape[0]
    # A last row of zeros stands for what was not said.
    padded = (
        sparse.vstack([rows, sparse.csr_matrix((1, rows.shape[1]))]).tocsr()
        if sparse.issparse(rows)
        else np.vstack([rows, np.zeros(rows.shape[1])])
    )
    here = np.array([position[utterance.text] for utterance in found])
    user = np.array([position.get(utterance.asked, none) for utterance in found])
    columns = [cosine(padded[here], padded[user])]
    for speaker in "US":
        earlier = [[position[text] for text in utterance.by(speaker)] for utterance in found]
        for back in range(1 if speaker == "U" else 0, 3):
            then = np.array([texts[back] if back < len(texts) else none for texts in earlier])
            columns.append(cosine(padded[here], padded[then]))
            columns.append(cosine(padded[user], padded[then]))
        # To everything this speaker has said: the highest, and the mean.
        deepest = max(map(len, earlier))
        table = np.array([texts + [none] * (deepest - len(texts)) for texts in earlier])
        counts = np.maximum([len(texts) for texts in earlier], 1)
        all_ = np.stack(
            [cosine(padded[here], padded[table[:, back]]) for back in range(deepest)], axis=1
        )
        columns += [all_.max(axis=1), all_.sum(axis=1) / counts]
    return np.column_stack([*columns, _signs(found)])


def cosine(a: Matrix, b: Matrix) -> Array:
    """Return the inner products of the rows of two matrices."""
    if sparse.issparse(a):
        return np.asarray(a.multiply(b).sum(axis=1)).ravel()
    return np.einsum("ij,ij->i", a, b)


def _signs(found: Sequence[Utterance]) -> Array:
    rows = []
    for utterance in found:
        ours, theirs = words(utterance.text), words(utterance.asked)
        texts = (utterance.text.lower(), utterance.asked.lower())
        before = {word for text in utterance.by("U") + utterance.by("S") for word in words(text)}
        rows.append(
            [
                utterance.turn,
                utterance.position,
                len(ours),
                len(theirs),
                len(utterance.text),
                len(ours) - len(theirs),
                sum(word in before for word in ours) / max(len(ours), 1),
                len(set(ours) & set(theirs)),
                len(set(ours)) / max(len(ours), 1),
                sum(text == utterance.text for text in utterance.by("S")),
                *("?" in text for text in texts),
                *("!" in text for text in texts),
                *(bool(_ASKS.search(text)) for text in texts),
                *(bool(_DENIES.search(text)) for text in texts),
                *(bool(_DOUBTS.search(text)) for text in texts),
                *(bool(_COMPLAINS.search(text)) for text in texts),
            ]
        )
    return np.array(rows, float)
