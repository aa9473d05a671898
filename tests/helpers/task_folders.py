"""Folders of gold data and runs: written for a test, and held against what was saved in them."""

from pathlib import Path

import numpy as np

Files = dict[str, str | bytes]


def write(folder: Path, files: Files) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def write_task(
    folder: Path, gold: str, name: str = "gold.csv", *, listed: bool = True, **runs: str | bytes
) -> Path:
    """A gold file, and a file of the same ending for each run.

    If they are ``listed``, the words in the header are the classes, in its order.
    """
    ending = Path(name).suffix
    head = gold.split("\n")[0].split(",")
    is_words = head[0] == "topic" and not {"label", "class"} & {*head} and not head[-1].isdigit()
    lists = {"classes.txt": "\n".join(head[1:])} if listed and is_words else {}
    return write(folder, {name: gold} | lists | {f"runs/{run}{ending}": runs[run] for run in runs})


def assert_same(task, again):
    """Compare all that a folder keeps; runs come back in the order of their names."""
    assert type(again) is type(task)
    assert (again.classes, again.topics) == (task.classes, task.topics)
    assert again.about.to_dict("index") == task.about.to_dict("index")
    assert sorted(again.runs) == sorted(task.runs)
    order = [task.runs.index(run) for run in again.runs]
    if task.kind == "scores":
        assert again.measures == task.measures
        np.testing.assert_array_equal(again.scores.values, task.scores.values[..., order])
        return
    # A single vote for each topic says the same as shares.
    votes, votes_again = (x.votes if {*x.votes} != {1} else () for x in (task, again))
    assert votes_again == votes
    answers = "estimates" if task.kind == "quantification" else "predicted"
    np.testing.assert_array_equal(again.gold, task.gold)
    np.testing.assert_array_equal(getattr(again, answers), getattr(task, answers)[order])
    assert again.unanswered.keys() == task.unanswered.keys()
    for run, places in task.unanswered.items():
        np.testing.assert_array_equal(again.unanswered[run], places)
    assert (again.annotators is None) == (task.annotators is None)
    if task.annotators:
        np.testing.assert_array_equal(again.annotators.votes, task.annotators.votes)
        assert again.annotators.rule == task.annotators.rule
