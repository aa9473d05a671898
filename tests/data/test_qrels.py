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


WRONG = [
    (GOLD.replace("d3 3", "d3 4"), r"A\.qrels, line 4, column 4: the label '4', not one of 0, 1"),
    (GOLD + "q2 0 d3 3\n", r"A\.qrels, line 7, column 3: item 'd3' of topic 'q2' a second time"),
    (GOLD + "q2 0 d3 -1\n", r"A\.qrels, line 7, column 4: the label '-1', not one of .*1 more"),
    (GOLD.replace("q2 0 d1 1\n", ""), r"A\.qrels: no answer for item 'd1' of topic 'q2'"),
    (GOLD.replace("d1 1", "d1 I cannot say"), r"A\.qrels, line 3: 6 cells for 4 columns"),
    (GOLD.replace("d3 3", "d3 three"), r"A\.qrels, line 4, column 4: the label 'three'"),
]  # fmt: skip


@pytest.mark.parametrize(("run", "message"), WRONG)
def test_what_is_wrong_is_told_with_its_line(run, message, tmp_path):
    with pytest.raises(ValueError, match=message):
        ob.load(write_task(tmp_path, GOLD, "gold.qrels", A=run))


def test_a_distribution_over_three_classes_is_no_judgement(tmp_path):
    shares = "cats\t0\t0.5\t0.5\ndogs\t0\t1\t0\n"
    with pytest.raises(ValueError, match="line 1: the columns cats,0,0.5,0.5, not"):
        ob.load(write_task(tmp_path, shares, "gold.txt", A=shares))
