"""Folders with one fault each: its file, line and column, what was found, and what to do.

The corpus of ``test_hostile.py`` has more; these are what people often bring.
"""

from pathlib import Path

import pytest

from helpers.task_folders import write
from ordbook.data.checking import check

SHARES = "topic,low,mid,high\nt1,0.5,0.25,0.25\nt2,0,0.1,0.9\n"
UPPER = SHARES.replace("t", "T").replace("Topic", "topic")
LISTED = {"gold.csv": SHARES, "classes.txt": "low\nmid\nhigh\n"}
PADDED = "topic,1,2,3\n" + "".join(f"00{i},1,0,0\n" for i in range(1, 10))
LABELS = "topic,item,label\ns,1,-1\ns,2,0\ns,3,0\nt,1,1\nt,2,-2\nt,3,1\n"
QRELS = "q1 0 d1 2\nq1 0 d2 0\nq2 0 d1 1\nq2 0 d3 3\nq1 0 d5 1\nq2 0 d5 2\n"


def qrels(run: str) -> dict[str, str]:
    return {"gold.qrels": QRELS, "runs/A.qrels": run}


# Files, and how the only line of `ordbook check` about them begins, up to "; ", and goes on.
FAULTS: list[tuple[dict[str, str], str]] = [
    # names that are nearly right
    (LISTED | {"runs/A.csv": UPPER, "runs/B.csv": UPPER},
     "runs/A.csv, line 2, column 1: topic 'T1', which gold.csv writes topic 't1' (and 3 more like "
     "it, in 2 files); write names as gold.csv does"),
    ({"gold.csv": PADDED, "runs/A.csv": PADDED.replace("\n00", "\n")},
     "runs/A.csv, line 2, column 1: topic '1', which gold.csv writes topic '001' (and 8 more"),
    ({"gold.csv": PADDED, "runs/A.csv": PADDED.replace("\n00", "\nx")},
     "runs/A.csv, line 2, column 1: topic 'x1': none of its names is in gold.csv; correct the na"),
    ({"gold.csv": LABELS,
      "runs/A.csv": LABELS.replace("s,2,0", "s,2,0.0").replace("t,1,1", "t,1,1.0")},
     "runs/A.csv, line 3, column 3: the label '0.0', which the classes write '0' (and 1 more like "
     "it); write labels as the classes are written"),
    # classes whose order nobody says
    ({"gold.csv": "item,label\n1,low\n2,Low\n"},
     "gold.csv, line 3: the class 'Low' beside 'low'; write each class in one way"),
    ({"gold.csv": "topic,item,label\ns,1,good\ns,2,bad\n"},
     "gold.csv, line 2: the classes good, bad, whose order no list says; list them in classes.txt"),
    ({"gold.csv": "topic,bad,good,so-so\nt,1,1,1\n"},
     "gold.csv, line 1: the classes bad, good, so-so, whose order no list says; list"),
    ({"gold.csv": "item,label\n1,1\n2,3\n"},
     "gold.csv: the classes 1 and 3 without those between them; list the classes"),
    ({"gold.csv": "item,label\n1,1\n2,1\n"}, "gold.csv: the class 1 alone; list the classes"),
    # numbers and forms
    (LISTED | {"runs/A.csv": "topic,low,mid,high\nt1,33.3,33.3,33.4\nt2,0,10,90\n"},
     "runs/A.csv, line 2, column 2: '33.3', not a probability from 0 to 1 (and 4 more like it); "
     "divide the row by its sum"),
    ({"gold.csv": "topic,class,votes\nt1,a,3\nt1,b,1\n"},
     "gold.csv, line 1: a long table (topic,class,votes); write a row for each topic, and a colu"),
    ({"gold.txt": "cats\t0\t0.5\t0.5\ndogs\t0\t1\t0\n"},
     "gold.txt, line 1: the columns cats,0,0.5,0.5, not"),
    ({"gold.jsonl": '{"item": 1, "label": 2}\n'},
     "gold.jsonl, line 1: JSON Lines, an object on each line; write"),
    ({"gold.json": '{"id": "1"}\n{"id": "2"}\n'},
     "gold.json, line 2, column 1: JSON Lines, an object on each line; write"),
    # TREC's qrels
    (qrels(QRELS.replace("d3 3", "d3 4")),
     "runs/A.qrels, line 4, column 4: the label '4', not one of 0, 1, 2, 3; correct the label"),
    (qrels(QRELS + "q2 0 d3 3\n"),
     "runs/A.qrels, line 7, column 3: item 'd3' of topic 'q2' a second time (first on line 4);"),
    (qrels(QRELS.replace("q2 0 d1 1\n", "")),
     "runs/A.qrels: no answer for item 'd1' of topic 'q2'; add it"),
    (qrels(QRELS.replace("d1 1", "d1 I cannot say")),
     "runs/A.qrels, line 3: 6 cells for 4 columns; write one cell for each column"),
    (qrels(QRELS.replace("d3 3", "d3 three")),
     "runs/A.qrels, line 4, column 4: the label 'three', not one of"),
]  # fmt: skip


@pytest.mark.parametrize(("files", "start"), FAULTS)
def test_a_fault_is_one_line_with_its_place(tmp_path: Path, files: dict[str, str], start: str):
    (tmp_path / "runs").mkdir()
    report = check(write(tmp_path, files))
    (line,) = [text.replace(f"{tmp_path}/", "") for text in report.problems.causes()]
    assert line.startswith(start)
    assert "\n" not in line


def test_classes_that_are_listed_are_taken_as_they_are(tmp_path: Path) -> None:
    for gold, classes in (
        ("topic,item,label\ns,1,good\ns,2,bad\n", ["bad", "good"]),
        ("topic,bad,good,so-so\nt,1,1,1\n", ["good", "so-so", "bad"]),
        ("item,label\n1,1\n2,3\n", ["1", "3"]),
        ("item,label\n1,low\n2,Low\n", ["low", "Low"]),
    ):
        write(tmp_path, {"gold.csv": gold, "runs/A.csv": gold})
        assert not check(tmp_path, classes=classes).problems


NOTED = [
    ("item,label\n1,2\n2,3\n", "item,label\n1,2\n2,3\n",
     "the classes 2, 3 are the labels that occur in it. Is this the whole scale?"),
    ("item,label\n1,1\n2,1\n3,3\n4,2\n5,3\n6,2\n",
     "item,label\n1,3\n2,3\n3,1\n4,2\n5,1\n6,2\n",
     "A is 1.33 classes from the gold on average, and 0.00 if its classes are read in reverse"),
]  # fmt: skip


@pytest.mark.parametrize(("gold", "run", "note"), NOTED)
def test_what_may_be_a_mistake_is_noted(tmp_path: Path, gold: str, run: str, note: str) -> None:
    assert note in str(check(write(tmp_path, {"gold.csv": gold, "runs/A.csv": run})))


def test_a_table_of_ratings_is_told_from_scores(tmp_path: Path) -> None:
    for text in ("item,gold,A,B\n1,0,1,1\n", "topic,item,gold,A\ns,1,0,1\n"):
        write(tmp_path, {"r.csv": text})
        assert "this is a table of ratings; make a task of it: ordbook convert" in str(
            check(tmp_path / "r.csv")
        )
