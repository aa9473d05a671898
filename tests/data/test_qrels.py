"""TREC qrels: read, or refused with file and line."""

import pytest

import ordbook as ob
from helpers.task_folders import write_task
from ordbook.data.checking import check

GOLD = "q1 0 d1 2\nq1 0 d2 0\nq2 0 d1 1\nq2 0 d3 3\nq1 0 d5 1\nq2 0 d5 2\n"


SAME = [
    ("gold.qrels", GOLD),
    ("gold.txt", GOLD),
    ("gold.txt", GOLD.replace(" ", "\t")),
    ("gold.txt", GOLD.replace(" 0 ", " Q0  ").replace("\n", "\r\n")),
    ("gold.qrels", GOLD.replace("d1", "1").replace("d", "")),
]


@pytest.mark.parametrize(("name", "gold"), SAME)
def test_blanks_and_tabs_say_the_same(name, gold, tmp_path):
    task = ob.load(write_task(tmp_path, gold, name, A=gold.replace(" ", "\t")))
    assert (task.topics, task.classes) == (("q1", "q2"), ("0", "1", "2", "3"))
    assert task.gold.tolist() == task.predicted[0].tolist() == [2, 0, 1, 3, 1, 2]
    assert check(tmp_path).format == "qrels"


def test_nobody_judged_a_pair(tmp_path):
    """In gold it is left out, even if a run has it; in a run it is a missing answer."""
    gold = GOLD + "q2 0 d4 -2\n"
    run = GOLD.replace("d2 0", "d2 -1") + "q2 0 d4 1\n"
    folder = write_task(tmp_path / "task", gold, "gold.qrels", A=run)
    with pytest.raises(ValueError, match="no answer for item 'd2' of topic 'q1'"):
        ob.load(folder)
    task = ob.load(folder, missing="worst")
    assert len(task.gold) == 6
    assert task.unanswered["A"].tolist() == [False, True, *[False] * 4]
    notes = " ".join(task.provenance.notes)
    assert "gold: 1 label of -1 or -2, from line 7 on: left out, as nobody judged" in notes
    assert "A: 1 label of -1 or -2, from line 2 on: left out" in notes
    task.save(tmp_path / "out")
    again = ob.load(tmp_path / "out", missing="worst")
    assert (again.gold == task.gold).all()
    assert (again.predicted == task.predicted).all()
