"""Rows of sums and means that are called otherwise, or as in other languages."""

from pathlib import Path

import numpy as np
import pytest

from ordbook.data.checking import check
from ordbook.data.margins import find_margins, is_called_margin

COUNTS = "topic,low,mid,high\nt1,3,1,1\nt2,0,4,1\nt3,1,1,1\nt4,2,2,3\nt5,0,1,2\n"
SHARES = "topic,low,mid,high\nt1,.5,.25,.25\nt2,0,.1,.9\nt3,.3,.3,.4\nt4,.2,.2,.6\nt5,.1,.5,.4\n"


def noted(folder: Path, text: str) -> tuple[list[str], list[str]]:
    """Check a task whose gold and run are this text; return its problems, and notes of rows."""
    (folder / "runs").mkdir()
    for name in ("gold.csv", "runs/A.csv"):
        (folder / name).write_text(text, encoding="utf-8")
    found = check(folder)
    notes = [note for one in found.summary for note in one.notes if "is the" in note]
    return [str(problem) for problem in found.problems], notes


@pytest.mark.parametrize("name", ["合計", "Summe", "TOTAL:", "Σ", "Total général"])
def test_sums_by_other_names_are_refused(name: str, tmp_path: Path) -> None:
    problems, _ = noted(tmp_path, f"{COUNTS}{name},6,9,8\n")
    assert len(problems) == 1
    assert f"the row '{name}', the sum of the other rows" in problems[0]


@pytest.mark.parametrize(
    ("text", "row", "what"),
    [
        (COUNTS + "x,6,9,8\n", "x", "sum"),
        (COUNTS.replace("low,mid,high\n", "low,mid,high\nfirst,6,9,8\n"), "first", "sum"),
        (SHARES + "x,.22,.27,.51\n", "x", "mean"),
    ],
)
def test_sums_and_means_by_any_name_are_noted(
    text: str, row: str, what: str, tmp_path: Path
) -> None:
    problems, notes = noted(tmp_path, text)
    assert not problems
    expected = f"gold: the row {row!r} is the {what} of the other rows; if it is no topic, "
    assert notes == [f"{expected}leave it out of all files."]


@pytest.mark.parametrize(
    "text",
    [
        COUNTS,
        SHARES,
        COUNTS + "x,6,9,7\n",
        SHARES + "x,.26,.24,.5\n",
        SHARES.replace("t4,", "x,.22,.27,.51\nt4,"),  # neither first nor last
        # Three others are too few: a sum by chance.
        "topic,low,mid,high\nt1,1,0,0\nt2,0,1,0\nt3,0,0,1\nt4,1,1,1\n",
        "topic,low,mid,high\n" + "".join(f"t{i},1,1,1\n" for i in range(9)),
    ],
)
def test_topics_are_not_noted(text: str, tmp_path: Path) -> None:
    assert noted(tmp_path, text) == ([], [])


def test_names_of_sums_and_means() -> None:
    assert all(map(is_called_margin, ("All", " total: ", "平均", "Mittelwert", "AVG.", "Σ")))
    assert not any(map(is_called_margin, ("", ":", "total war", "all_3", "median")))


def test_means_of_scores_by_other_names() -> None:
    scores = np.array([[[0.1, 0.5], [0.4, 0.2], [0.25, 0.35]]])
    assert find_margins(scores, ["1", "2", "Durchschnitt"], axis=1) == [(2, "mean")]
    assert find_margins(scores, ["1", "2", "3"], axis=1) == []
