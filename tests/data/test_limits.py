"""How much a file may hold: long tables are read as short ones, and too long ones are refused."""

import gzip
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from cases import case
from ordbook.data import limits, problems
from ordbook.data.checking import check
from ordbook.data.csvfile import Table, numbers, read_table
from ordbook.data.jsonfile import read_json
from ordbook.data.problems import Problems
from ordbook.data.tasks import ClassificationTask, QuantificationTask


def read(path: Path, text: str) -> tuple[Table | None, list[str]]:
    path.write_text(text)
    found = Problems()
    table = read_table(path, found)
    return table, [str(each).removeprefix(str(path)) for each in found]


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file, of which five rows are a block."""
    monkeypatch.setattr(limits, "BLOCK", 5)
    monkeypatch.setattr("ordbook.data.csvfile.BLOCK", 5)
    return tmp_path / "a.csv"


def test_a_table_of_several_blocks(file: Path) -> None:
    for rows in [1, 3, 4, 5, 9, 10, 23]:
        with case(rows):
            body = "".join(f"t{i},{i % 4},{i}\n" for i in range(rows))
            table, found = read(file, "topic,a,b\n" + body + "\n" * 12)
            assert table is not None
            assert not found
            assert table.rows == [[f"t{i}", str(i % 4), str(i)] for i in range(rows)]
            assert table.lines == list(range(2, rows + 2))
            assert numbers(table, 1, "", Problems())[0].tolist() == [
                [i % 4, i] for i in range(rows)
            ]


def test_more_rows_than_the_memory_holds(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST_MEMORY", 20_000)
    # Of 100 rows, alike cells are kept once; each of 200 new ones needs room.
    assert read(file, "topic,a\n" + "t,1\n" * 100)[0] is not None
    table, found = read(file, "topic,a\n" + "".join(f"t{i},{i}.5\n" for i in range(200)))
    assert table is None
    (text,) = found
    assert "found more rows than 0.0 GB of memory hold" in text
    assert "; name another file, or leave out" in text


def test_a_gzip_file_may_unpack_to_a_bounded_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(gzip.compress(b"[" + b" " * 9_000 + b"]"))
    monkeypatch.setattr(limits, "UNPACKED", 10_000)
    assert read_json(path) == []
    monkeypatch.setattr(limits, "UNPACKED", 8_000)
    size = path.stat().st_size
    monkeypatch.setattr(limits, "RATIO", 8_000 // size)
    with pytest.raises(ValueError, match=f"found {size} bytes of gzip that unpack to more than"):
        read_json(path)
    monkeypatch.setattr(limits, "RATIO", 10_000 // size)
    assert read_json(path) == []


def test_so_many_problems_of_a_file_are_enough(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(problems, "MOST", 3)
    table, _ = read(file, "topic,a\n" + "t,x\n" * 9)
    assert table is not None
    found = Problems()
    assert not numbers(table, 1, "a number", found)[1].any()
    found.add("other.csv", found="x", expected="y", fix="z")
    assert [problem.line for problem in found] == [2, 3, 4, None, None]
    assert "3 problems, beyond which none is listed" in str(found)


def labelled(count: int) -> str:
    return "topic,item,label\n" + "".join(f"t,i{k},{k}\n" for k in range(count))


def columns(count: int, separator: str = ",") -> list[str]:
    """Return a header, and a row of votes."""
    return [separator.join(map(str, [first, *rest])) + "\n" for first, rest in
            (("topic", range(count)), ("t", [1] + [0] * (count - 1)))]  # fmt: skip


LABELS = "is this the column of the labels?"
COLUMNS = "is there a column for each class?"
LIST = "is this a list of the classes?"


@pytest.mark.parametrize(
    ("files", "where", "fix"),
    [
        ({"gold.csv": labelled}, "/gold.csv: ", LABELS),
        ({"gold.csv": lambda n: "".join(columns(n))}, "/gold.csv, line 1: ", COLUMNS),
        ({"gold.txt": lambda n: columns(n, "\t")[1]}, "/gold.txt, line 1: ", COLUMNS),
        (
            {"gold.csv": labelled, "classes.txt": lambda n: "".join(f"{k}\n" for k in range(n))},
            "/classes.txt: ",
            LIST,
        ),
    ],
    ids=["labels", "columns", "SemEval E", "listed"],
)
def test_files_of_very_many_classes(
    tmp_path: Path, files: dict[str, Callable[[int], str]], where: str, fix: str
) -> None:
    """One problem, and what has just the most is read."""
    (tmp_path / "runs").mkdir()
    for count, expected in (
        (1_000, []),
        (9_000, [f"{where}found 9,000 classes, expected at most 1,000; {fix}"]),
    ):
        for name, written in files.items():
            (tmp_path / name).write_text(written(count))
            if name.startswith("gold"):
                (tmp_path / "runs" / f"A{Path(name).suffix}").write_text(written(count))
        problems = [str(each).removeprefix(str(tmp_path)) for each in check(tmp_path).problems]
        assert problems == expected


def test_tasks_of_very_many_classes() -> None:
    said = "yours: found 1,001 classes, expected at most 1,000; "
    gold = np.eye(1, 1_001)
    for given in (gold, pd.DataFrame(gold)):
        with pytest.raises(ValueError, match=re.escape(said + COLUMNS)):
            QuantificationTask.from_arrays(given, {})
    task = QuantificationTask.from_arrays(gold[:, :-1], {})
    with pytest.raises(ValueError, match=re.escape(said)):
        replace(task, classes=tuple(map(str, range(1_001))))
    with pytest.raises(ValueError, match=re.escape(said + LABELS)):
        ClassificationTask.from_labels([0], {}, ["t"], range(1_001))
    assert len(ClassificationTask.from_labels([0], {}, ["t"], range(1_000)).classes) == 1_000
