"""The public files of SemEval, and what the reader accepts of such files."""

import numpy as np
import pytest

import ordbook as ob
from helpers.task_folders import write_task

GOLD_C = "1\tcats\t-1\n2\tcats\t0\n3\tdogs\t2\n4\tcats\t1\n5\tdogs\t1\n6\tdogs\t1\n"
GOLD_E = "cats\t0.5\t0.25\t0.25\t0\t0\ndogs\t0\t0\t0\t0.5\t0.5\n"


def test_a_classification_task_is_read_whole(tmp_path):
    run = GOLD_C.replace("cats\t-1", "cats\t0").replace("dogs\t2", "dogs\t-2")
    task = ob.load(write_task(tmp_path, GOLD_C, "gold.txt", a=run))
    assert isinstance(task, ob.ClassificationTask)
    assert task.classes == ("-2", "-1", "0", "1", "2")
    assert (task.topics, task.runs) == (("cats", "dogs"), ("a",))
    confusion = task.confusion()
    assert confusion.shape == (1, 2, 5, 5)
    assert confusion[0, 0, 1, 2] == confusion[0, 0, 2, 2] == confusion[0, 1, 4, 0] == 1
    assert confusion.sum() == 6
    assert task.provenance.source == "yours"
    assert set(task.provenance.files) == {"gold.txt", "runs/a.txt"}


ACCEPTED = [
    (lambda text: b"\xef\xbb\xbf" + text.encode(), ""),
    (lambda text: text.replace("\n", "\r\n").encode(), ""),
    (lambda text: text.removesuffix("\n").encode(), ""),
    (lambda text: text.replace("\n", "\t\n").encode(), ""),
    (lambda text: "".join(reversed(text.splitlines(True))).encode(), "in another order than"),
]


@pytest.mark.parametrize("gold", [GOLD_C, GOLD_E])
@pytest.mark.parametrize(("change", "noted"), ACCEPTED)
def test_what_is_accepted_gives_the_same_task(gold, change, noted, tmp_path):
    task = ob.load(write_task(tmp_path, gold, "gold.txt", a=change(gold)))
    notes = [note for note in task.provenance.notes if "no list of the classes" not in note]
    assert [noted in note for note in notes] == [True] * bool(noted)
    if isinstance(task, ob.ClassificationTask):
        assert (task.predicted[0] == task.gold).all()
    else:
        assert (task.estimates[0] == task.gold).all()


DECIMALS = [
    # Two decimals, five classes: 5 x 0.005 = 0.025 is explained.
    (("0.20", "0.20", "0.20", "0.20", "0.18"), True),
    (("0.20", "0.20", "0.20", "0.20", "0.17"), False),
    # One decimal explains nothing: .9 is more likely a mistake than rounding.
    (("0.3", "0.3", "0.3", "0", "0"), False),
    # An exponent moves the point: these print four decimals.
    (("1.96e-1",) * 5, False),
    (("1.999e-1", "2e-1", "2e-1", "2e-1", "2e-1"), True),
]


def five(*probabilities):
    """A file of one topic."""
    return "cats\t" + "\t".join(probabilities) + "\n"


@pytest.mark.parametrize(("row", "accepted"), DECIMALS)
def test_decimals_explain_so_much_and_no_more(row, accepted, tmp_path):
    gold = five("0.2", "0.2", "0.2", "0.2", "0.2")
    write_task(tmp_path, gold, "gold.txt", a=five(*row))
    if accepted:
        assert ob.load(tmp_path).estimates[0].sum() == pytest.approx(sum(map(float, row)))
    else:
        with pytest.raises(ValueError, match="line 1: a sum of"):
            ob.load(tmp_path)


@pytest.mark.slow
def test_the_real_files(raw_files):
    """Facts of the public packs, counted once with other tools."""
    for year, items, topics, labels in (
        ("16", 20632, ("amy schumer", "calibraska", "zayn"), ("-1", "-1", "2")),
        ("17", 12379, ("#ArianaGrande", "#Libya", "zac efron"), ("0", "0", "0")),
    ):
        task, quantified = ob.load(f"sem{year}t4c"), ob.load(f"sem{year}t4e")
        assert len(task.gold) == items
        assert tuple(task.classes[task.gold[i]] for i in (0, 9, -1)) == labels
        assert tuple(quantified.topics[i] for i in (0, 9, -1)) == topics
        # The gold of E is that of C, counted: an independent check of every record of both.
        assert sorted(quantified.topics) == sorted(task.topics)
        position = {topic: i for i, topic in enumerate(task.topics)}
        counts = np.zeros((len(task.topics), 5))
        np.add.at(counts, (task.topic, task.gold), 1)
        shares = counts / counts.sum(axis=1, keepdims=True)
        ordered = shares[[position[topic] for topic in quantified.topics]]
        assert np.abs(ordered - quantified.gold).max() < 1e-14  # E prints 15 to 17 digits
    task = ob.load("sem16t4c")
    assert (len(task.topics), len(task.runs)) == (100, 12)
    assert np.bincount(task.gold).tolist() == [138, 2201, 10081, 7830, 382]
    notes = " ".join(ob.load("sem16t4e").provenance.notes)
    assert "PotTS: sums miss 1 by up to 0.002" in notes
    assert len(ob.load("sem17t4e").topics) == 125
