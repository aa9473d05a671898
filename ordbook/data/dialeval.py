"""What DialEval-1's organisers do before and after scoring: posts to turns, and online scores.

Source: Zeng, Kato, Sakai, Kang, "Overview of the NTCIR-15 Dialogue Evaluation (DialEval-1) Task",
Sections 2.1 and 3.3; the evaluation script of github.com/DialEval-1/LSTM-baseline (eval.py at
50281c5ce064c42c68651ef2547cd0580af23fe6).

Contents
--------
merge_posts   consecutive posts by one sender -> one turn
RunFile       what the name of a run file says
run_file      a file's name -> RunFile
log2_scores   mean scores as the online evaluation showed them
half          half of the topics, as the online evaluation used
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from ordbook.data.nuggets import NUGGETS
from ordbook.data.scores import ScoreMatrix

_RUN_FILE = re.compile(
    r"(?:(?P<run>.+)_)?(?P<kind>quality|nugget)(?:_(?P<language>cn|chinese|en|english))?"
    r"(?:_test_submission)?\.json(?:\.gz)?"
)
_LANGUAGES = {"cn": "cn", "chinese": "cn", "en": "en", "english": "en", None: ""}


def merge_posts(posts: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Merge consecutive posts by the same sender into one turn.

    Parameters
    ----------
    posts
        As under ``turns`` in an annotation file: each with a ``sender`` and its ``utterances``,
        a list, which may be absent.

    Raises
    ------
    ValueError
        If a sender is neither customer nor helpdesk.

    Examples
    --------
    >>> posts = [{"sender": who, "utterances": [text]} for who, text in [
    ...     ("customer", "a"), ("customer", "b"), ("helpdesk", "c"), ("customer", "d")]]
    >>> [(turn["sender"], turn["utterances"]) for turn in merge_posts(posts)]
    [('customer', ['a', 'b']), ('helpdesk', ['c']), ('customer', ['d'])]
    """
    turns: list[dict[str, Any]] = []
    for number, post in enumerate(posts, 1):
        sender = post.get("sender")
        if sender not in NUGGETS:
            raise ValueError(
                f"post {number}: the sender is {sender!r}; expected customer or helpdesk"
            )
        if not turns or turns[-1]["sender"] != sender:
            turns.append({"sender": sender, "utterances": []})
        turns[-1]["utterances"] += post.get("utterances", [])
    return turns


@dataclass(frozen=True)
class RunFile:
    """What the name of a run file says.

    Attributes
    ----------
    run
        The run's name; empty where only the folder names it.
    kind
        ``quality`` or ``nugget``.
    language
        ``cn`` or ``en``; empty where the name does not say.
    """

    run: str
    kind: str
    language: str


def run_file(name: str) -> RunFile | None:
    """Read the name of a run file; None for a name that is not of that form.

    Examples
    --------
    >>> run_file("run0_quality_chinese_test_submission.json")
    RunFile(run='run0', kind='quality', language='cn')
    >>> run_file("nugget_en.json")
    RunFile(run='', kind='nugget', language='en')
    """
    match = _RUN_FILE.fullmatch(name)
    if match is None:
        return None
    return RunFile(match["run"] or "", match["kind"], _LANGUAGES[match["language"]])


def log2_scores(scores: ScoreMatrix, topics: Iterable[str] | None = None) -> pd.DataFrame:
    """Return mean scores as the online evaluation showed them: a DataFrame, run x measure.

    ``-log2`` of the mean over dialogues, so that higher is better and a halved mean is one more;
    a mean of zero gives infinity. The overview says only that scores are transformed (Section
    3.3); that it is the mean, and not each dialogue's score, is what the organisers' script does.

    Parameters
    ----------
    scores
        Measures of which low scores are better.
    topics
        The dialogues to use; by default all.

    Raises
    ------
    ValueError
        If a topic is not in the scores, none is given, or high scores of a measure are better.

    Examples
    --------
    >>> import ordbook as ob
    >>> task = ob.QuantificationTask.from_arrays(
    ...     gold=[[1, 0, 0], [1, 0, 0]], runs={"A": [[.5, .5, 0], [1, 0, 0]]})
    >>> log2_scores(ob.score(task, ["NMD"])).loc["A", "NMD"]      # the mean is (1/4 + 0) / 2
    np.float64(3.0)
    """
    position = {topic: index for index, topic in enumerate(scores.topics)}
    chosen = list(scores.topics if topics is None else topics)
    unknown = [topic for topic in chosen if topic not in position]
    if unknown or not chosen:
        what = f"there is no topic {unknown[0]!r}" if unknown else "no topic was chosen"
        raise ValueError(f"{scores.task}: {what}; choose from the topics of the scores")
    for measure in scores.measures:
        if scores.better[measure] == "high":
            raise ValueError(f"{scores.task}: high scores of {measure} are better, -log2 is not")
    means = scores.values[:, [position[topic] for topic in chosen]].mean(axis=1).T
    with np.errstate(divide="ignore"):
        shown = -np.log2(means)
    return pd.DataFrame(
        shown,
        index=pd.Index(scores.runs, name="run"),
        columns=pd.Index(scores.measures, name="measure"),
    )


def half(topics: Sequence[str], *, seed: int = 0) -> tuple[str, ...]:
    """Return half of the topics (rounded up) in their order, drawn at random.

    The online evaluation used 50% of the test data (Section 3.3); which, the overview does not
    say, so this stands for any half. The same topics and seed give the same half.

    Examples
    --------
    >>> len(half(["a", "b", "c", "d"])), half("abcd") == half("abcd")
    (2, True)
    """
    drawn = np.random.default_rng(seed).permutation(len(topics))[: (len(topics) + 1) // 2]
    return tuple(topics[i] for i in sorted(drawn.tolist()))
