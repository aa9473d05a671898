"""Tables of gold data and runs: what is read of them, and what is said of their faults."""

from pathlib import Path

import numpy as np
import pytest

import ordbook as ob
from helpers.task_folders import write_task
from ordbook.cli import main
from ordbook.data.checking import check

COUNTS = "topic,low,mid,high\nt1,1,2,1\nt2,0,0,4\n"
SHARES = "topic,low,mid,high\nt1,0.5,0.25,0.25\nt2,0,0.1,0.9\n"
LABELS = "topic,item,label\ns,1,-1\ns,2,0\ns,3,0\nt,1,1\nt,2,-2\nt,3,1\n"


def test_counts_and_shares(tmp_path: Path) -> None:
    task = ob.load(write_task(tmp_path, COUNTS, A=SHARES, B=COUNTS))
    assert isinstance(task, ob.QuantificationTask)
    assert (task.classes, task.topics) == (("low", "mid", "high"), ("t1", "t2"))
    assert task.runs == ("A", "B")
    assert task.gold.tolist() == [[0.25, 0.5, 0.25], [0, 0, 1]]
    assert task.estimates[0].tolist() == [[0.5, 0.25, 0.25], [0, 0.1, 0.9]]
    assert task.estimates[1].tolist() == task.gold.tolist()
    assert task.votes == (4, 4)
    assert task.provenance.notes == (
        "gold: counts, divided by their sums.",
        "B: counts, divided by their sums.",
    )
    files = {"gold.csv", "classes.txt", "runs/A.csv", "runs/B.csv"}
    assert set(task.provenance.files) == files
    turned = ob.load(tmp_path, classes=["high", "mid", "low"])
    assert turned.gold.tolist() == [[0.25, 0.5, 0.25], [1, 0, 0]]
    (tmp_path / "runs/B.csv").write_text("topic,low,mid,high\nt1,1,0,0\nt2,0,0,1\n")
    assert len(ob.load(tmp_path).provenance.notes) == 1, "zeros and ones are the same either way"


def test_sums_of_100_may_be_percentages(tmp_path: Path) -> None:
    votes, percent = ("topic,1,2\n" + f"s,{a},{b}\nt,{b},{a}\n" for a, b in ((60, 41), (60, 40)))
    for text, doubted in ((votes, False), (percent, True)):
        notes = ob.load(write_task(tmp_path / str(doubted), text, A=text)).provenance.notes
        assert any("if these are percentages, divide" in note for note in notes) == doubted


def test_labels_that_are_whole_numbers_are_sorted_as_numbers(tmp_path: Path) -> None:
    task = ob.load(write_task(tmp_path, LABELS, A=LABELS.replace("s,1,-1", "s,1,1")))
    assert isinstance(task, ob.ClassificationTask)
    assert task.classes == ("-2", "-1", "0", "1")
    assert task.gold.tolist() == [1, 2, 2, 3, 0, 3]
    assert task.predicted.tolist() == [[3, 2, 2, 3, 0, 3]]
    assert task.topics == ("s", "t")
    assert "-2, -1, 0, 1 are the labels that occur" in task.provenance.notes[0]


def test_labels_without_topics_are_of_one_topic(tmp_path: Path) -> None:
    task = ob.load(write_task(tmp_path, "item,label\na,1\nb,2\n", A="label,item\n2,b\n2,a\n"))
    assert isinstance(task, ob.ClassificationTask)
    assert (task.topics, task.predicted.tolist()) == (("all",), [[1, 1]])
    assert ob.score(task, ["accuracy"]).values.tolist() == [[[0.5]]]


def test_another_order_is_followed_and_noted(tmp_path: Path) -> None:
    turned = "topic,high,low,mid\nt2,0.9,0,0.1\nt1,0.25,0.5,0.25\n"
    task = ob.load(write_task(tmp_path, SHARES, A=turned))
    assert task.estimates[0].tolist() == task.gold.tolist()
    assert [note.partition(" in another")[0] for note in task.provenance.notes] == [
        "A: the topics",
        "A: the classes",
    ]


def test_a_european_spreadsheet_is_read_and_noted(tmp_path: Path) -> None:
    semicolons = SHARES.replace(",", ";").replace(".", ",")
    tabs = COUNTS.replace(",", "\t")
    task = ob.load(write_task(tmp_path, SHARES, A=semicolons, B=tabs))
    assert task.estimates[0].tolist() == task.gold.tolist()
    assert task.estimates[1].tolist() == [[0.25, 0.5, 0.25], [0, 0, 1]]
    assert task.provenance.notes[:2] == (
        "A: semicolons between the columns, and decimal commas.",
        "B: tabs between the columns.",
    )
    grouped = "topic;low;mid;high\nt1;1,000;2;0\nt2;0;3,000;1\n"
    with pytest.raises(ValueError, match=r"A\.csv, line 2, column 3: '2', not a probability"):
        ob.load(write_task(tmp_path, SHARES, A=grouped))


def test_check_writes_the_list_of_classes(tmp_path: Path, capsys) -> None:
    folder = write_task(tmp_path, SHARES, A=SHARES, listed=False)
    (problem,) = check(folder).problems.causes()
    assert problem.endswith(f"ordbook check {folder} --classes=low,mid,high")
    assert main(["check", str(folder), "--classes=low,mid,high"]) == 0
    assert capsys.readouterr().err == f"Wrote {folder}/classes.txt.\n"
    assert ob.load(folder).classes == ("low", "mid", "high")
    assert main(["check", str(folder), "--classes=high,mid,low"]) == 0
    assert (folder / "classes.txt").read_text() == "low\nmid\nhigh\n", "it is never changed"


def test_a_bad_run_does_not_stop_the_others(tmp_path: Path) -> None:
    path = write_task(tmp_path, SHARES, A=SHARES, B=SHARES.replace("0.9", "0.1"), C=SHARES)
    report = check(path)
    assert len(report.problems) == 1
    (summary,) = report.summary
    assert (summary.task.runs, report.runs) == (("A", "C"), ("A", "B", "C"))
    with pytest.raises(ValueError, match=r"B\.csv, line 3: a sum of 0\.2"):
        ob.load(path)


@pytest.mark.parametrize("total", ["0.99999", "1.00001"])
def test_a_sum_just_on_the_limit_passes_in_any_order(total, tmp_path):
    """The reader and the task add in different orders: what one lets pass, the other refused."""
    rng = np.random.default_rng(0)
    (tmp_path / "runs").mkdir()
    whole = round(float(total) * 10**6)
    rows = [np.diff([0, *sorted(rng.choice(whole, 10, replace=False)), whole]) for _ in range(40)]
    for columns in (range(11), [3, 1, 4, 10, 5, 9, 2, 6, 0, 8, 7]):
        lines = [",".join(["topic", *(f"c{i}" for i in columns)])]
        lines += [
            ",".join([f"t{n}", *(f"{row[i] / 10**6:.6f}" for i in columns)])
            for n, row in enumerate(rows)
        ]
        for name in ("gold.csv", "runs/A.csv"):
            (tmp_path / name).write_text("\n".join(lines))
        task = ob.load(tmp_path, classes=[f"c{i}" for i in range(11)])
        assert task.estimates.shape == (1, 40, 11)


DECIMALS = [
    # Two decimals, five classes: 5 x 0.005 = 0.025 is explained.
    (("0.20", "0.20", "0.20", "0.20", "0.18"), True),
    (("0.20", "0.20", "0.20", "0.20", "0.17"), False),
    # One decimal explains nothing: .9 is more likely a mistake than rounding.
    (("0.3", "0.3", "0.3", "0", "0"), False),
    # An exponent moves the point: these print two decimals, three and four.
    ((*("2.0e-1",) * 4, "1.8e-1"), True),
    (("1.96e-1",) * 5, False),
    (("1.999e-1", "2e-1", "2e-1", "2e-1", "2e-1"), True),
]


@pytest.mark.parametrize(("row", "accepted"), DECIMALS)
def test_decimals_explain_so_much_and_no_more(row, accepted, tmp_path):
    head = "topic,1,2,3,4,5\ncats,"
    write_task(tmp_path, head + ",".join(["0.2"] * 5), a=head + ",".join(row))
    if accepted:
        assert ob.load(tmp_path).estimates[0].sum() == pytest.approx(sum(map(float, row)))
    else:
        with pytest.raises(ValueError, match="line 2: a sum of"):
            ob.load(tmp_path)
