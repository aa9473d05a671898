"""DBDC3's official scores of our runs: recomputed where the raw files are, else as committed.

    python -m ordbook.book.breakdown_scores      # writes them again, from the raw files

Contents
--------
OfficialScores    the scores of every run, and the little of the gold data that they come with
official_scores   the scores of a task: recomputed and held to the committed ones, or these
shown_answers     gold and the answers of two runs on the topics of a figure
commit            write the committed ones
"""

import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ordbook.data.catalog import catalog
from ordbook.data.dbdc import ANNOTATORS
from ordbook.data.dbdclabels import read_labels
from ordbook.data.loading import load
from ordbook.data.paths import share, write_whole
from ordbook.data.raw import our_runs
from ordbook.data.scoring import SAME_SCORE
from ordbook.data.tasks import QuantificationTask
from ordbook.measures.breakdown import dbdc_scores

NAME = "dbdc3"
FILE = f"{NAME}-official"
ALWAYS = "always PB"  # a run that never looks
SHOWN = "CIC0259_12"  # the utterance of the paper's Figure 3
FIELDS = {"format", "task", "computed_from", "gold", "votes"}


@dataclass(frozen=True, eq=False)
class OfficialScores:
    """DBDC3's measures of the runs of a task.

    Attributes
    ----------
    table
        Run x measure. The last row is ``always PB``, which is no run of the task.
    gold
        The mean of the gold distributions: breakdown, possible breakdown, not a breakdown.
    votes
        Topic -> votes for the three classes, of the utterance that the paper shows.
    computed_from
        File -> sha256: the archive with the gold data, and the runs.
    """

    table: pd.DataFrame
    gold: NDArray[np.float64]
    votes: Mapping[str, Sequence[int]]
    computed_from: Mapping[str, str]


def official_scores(task: QuantificationTask) -> OfficialScores:
    """Return the official scores of DBDC3's runs.

    Raises
    ------
    ValueError
        If the task is not DBDC3, the committed scores are damaged or of other files, or those
        recomputed are not the committed ones.
    """
    if task.name != NAME:
        raise ValueError(f"{task.name}: official scores are committed for {NAME} only")
    committed = _read(share("data", "scores", f"{FILE}.csv"))
    if dict(committed.computed_from) != dict(task.provenance.files):
        raise ValueError(f"data/scores/{FILE}.json: of other files than {NAME}; run 'make scores'")
    if task.missing:
        return committed
    found = _compute(task)
    same = list(found.table.index) == list(committed.table.index)
    same = same and list(found.table.columns) == list(committed.table.columns)
    if (
        not same
        or np.abs(found.table - committed.table).max(axis=None) > SAME_SCORE
        or np.abs(found.gold - committed.gold).max() > SAME_SCORE
        or found.votes != committed.votes
    ):
        raise ValueError(
            f"{NAME}: the official scores recomputed from raw files differ from data/scores/"
            f"{FILE}.csv; if a measure was changed on purpose, run 'make scores'"
        )
    return found


def shown_answers(
    task: QuantificationTask, runs: Sequence[str], topics: Sequence[str]
) -> tuple[list[str], NDArray[np.float64], dict[str, NDArray[np.float64]]]:
    """Return those topics whose gold is known, their gold, and what the runs answer.

    Without raw files that is DBDC3's utterance of the paper's Figure 3, whose votes are committed,
    and the runs of our own; of other topics, runs and tasks nothing is returned.
    """
    if not task.missing:
        at = [task.topics.index(topic) for topic in topics]
        answers = {run: task.estimates[task.runs.index(run)][at] for run in runs}
        return list(topics), task.gold[at], answers
    votes = official_scores(task).votes if task.name == NAME else {}
    known = [topic for topic in topics if topic in votes]
    files = {path.stem: path for path in our_runs(catalog()[NAME]).values()}
    if not known or not set(runs) <= set(files):
        return [], np.empty((0, len(task.classes))), {}
    at = [task.topics.index(topic) for topic in known]
    gold = np.array([votes[topic] for topic in known]) / ANNOTATORS
    return known, gold, {run: read_labels(files[run], task.topics)[at] for run in runs}


def commit() -> Path:
    """Compute the official scores from the raw files and write them; return the file."""
    task = load(NAME)
    if not isinstance(task, QuantificationTask):
        raise ValueError(f"{NAME}: not a task of distributions")
    found = _compute(task)
    table = io.StringIO()
    # The fewest digits that give the same numbers back.
    found.table.map(repr).to_csv(table, index_label="run", lineterminator="\n")
    about = {
        "format": 1,
        "task": NAME,
        "computed_from": dict(found.computed_from),
        "gold": found.gold.tolist(),
        "votes": found.votes,
    }
    path = share("data", "scores") / f"{FILE}.csv"
    write_whole(path, table.getvalue())
    write_whole(path.with_suffix(".json"), json.dumps(about, indent=1) + "\n")
    return path


def _compute(task: QuantificationTask) -> OfficialScores:
    rows = {
        run: dbdc_scores(task.gold, estimate)
        for run, estimate in zip(task.runs, task.estimates, strict=True)
    }
    rows[ALWAYS] = dbdc_scores(task.gold, np.eye(3)[[1] * len(task.gold)])
    votes = np.rint(task.gold[task.topics.index(SHOWN)] * ANNOTATORS).astype(int).tolist()
    table = pd.DataFrame.from_dict(rows, orient="index").rename_axis("run")
    return OfficialScores(table, task.gold.mean(axis=0), {SHOWN: votes}, task.provenance.files)


def _read(path: Path) -> OfficialScores:
    about_path = path.with_suffix(".json")
    try:
        about = json.loads(about_path.read_text(encoding="utf-8"))
        table = pd.read_csv(path, index_col="run")
    except (OSError, ValueError) as error:
        raise ValueError(f"{path}: cannot be read ({error}); restore the file") from None
    if not isinstance(about, dict) or about.keys() != FIELDS or about["task"] != NAME:
        raise ValueError(f"{about_path}: does not describe official scores; restore the file")
    if not all(kind.kind == "f" for kind in table.dtypes) or table.isna().any(axis=None):
        raise ValueError(f"{path}: every score must be a number; restore the file")
    return OfficialScores(table, np.array(about["gold"]), about["votes"], about["computed_from"])


if __name__ == "__main__":
    print(f"{commit()}: written")
