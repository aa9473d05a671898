"""Rows of sums and means that are called otherwise, or as in other languages."""

from pathlib import Path

import numpy as np

from cases import case
from ordbook.data.checking import check
from ordbook.data.margins import doubtful, find_margins, is_called_margin

COUNTS = "topic,low,mid,high\nt1,3,1,1\nt2,0,4,1\nt3,1,1,1\nt4,2,2,3\nt5,0,1,2\n"
MEAN = "the mean of the others"
SHARES = "topic,low,mid,high\nt1,.5,.25,.25\nt2,0,.1,.9\nt3,.3,.3,.4\nt4,.2,.2,.6\nt5,.1,.5,.4\n"


def noted(folder: Path, text: str) -> tuple[list[str], list[str]]:
    """Check a task whose gold and run are this text; return its problems, and notes of rows."""
    (folder / "runs").mkdir()
    for name in ("gold.csv", "runs/A.csv"):
        (folder / name).write_text(text, encoding="utf-8")
    found = check(folder)
    notes = [note for one in found.summary for note in one.notes if "is the" in note]
    return [str(problem) for problem in found.problems], notes


def test_sums_by_other_names_are_refused(tmp_path: Path) -> None:
    for name in ["Summe", "TOTAL:"]:
        with case(name, within=tmp_path) as folder:
            problems, _ = noted(folder, f"{COUNTS}{name},6,9,8\n")
            assert len(problems) == 1
            assert f"the row '{name}', the sum of the other rows" in problems[0]


NOTED = [
    (COUNTS + "x,6,9,8\n", "x", "sum"),
    (COUNTS.replace("low,mid,high\n", "low,mid,high\nfirst,6,9,8\n"), "first", "sum"),
    (SHARES + "x,.22,.27,.51\n", "x", "mean"),
]


def test_sums_and_means_by_any_name_are_noted(tmp_path: Path) -> None:
    for text, row, what in NOTED:
        with case(text, row, what, within=tmp_path) as folder:
            problems, notes = noted(folder, text)
            assert not problems
            expected = f"gold: the row {row!r} is the {what} of the other rows; if it is no topic, "
            assert notes == [f"{expected}leave it out of all files."]


TOPICS = [
    COUNTS,
    SHARES,
    COUNTS + "x,6,9,7\n",
    SHARES.replace("t4,", "x,.22,.27,.51\nt4,"),  # neither first nor last
    # Three others are too few: a sum by chance.
    "topic,low,mid,high\nt1,1,0,0\nt2,0,1,0\nt3,0,0,1\nt4,1,1,1\n",
    "topic,low,mid,high\n" + "".join(f"t{i},1,1,1\n" for i in range(9)),
]


def test_topics_are_not_noted(tmp_path: Path) -> None:
    for text in TOPICS:
        with case(text, within=tmp_path) as folder:
            assert noted(folder, text) == ([], [])


def test_names_of_sums_and_means() -> None:
    assert all(map(is_called_margin, ("All", " total: ", "Mittelwert", "AVG.")))
    assert not any(map(is_called_margin, ("", ":", "total war", "all_3", "median")))


def test_means_of_rounded_scores() -> None:
    """They are those of the scores before these were rounded, and rounded or cut off themselves."""
    for measures in [1, 6]:
        for decimals in [2, 4, 16]:
            with case(decimals, measures):
                scores = np.random.default_rng(1).beta(2, 8, (measures, 40, 12))
                names = [*map(str, range(40)), "all"]
                of = scores.mean(axis=1, keepdims=True)
                for mean in (of.round(decimals), np.floor(of * 10**decimals) / 10**decimals):
                    table = np.concatenate([scores.round(decimals), mean], axis=1)
                    assert find_margins(table, names, axis=1) == [(40, MEAN)]
                table[: measures // 3, -1] += 0.05  # by some measures it is another figure
                assert len(find_margins(table, names, axis=1)) == 1
                table[:, -1] += 0.2
                assert find_margins(table, names, axis=1) == []
                assert len(doubtful(table, names, axis=1)) == 1


def test_doubtful_topics_and_runs_are_noted() -> None:
    scores = np.random.default_rng(1).beta(2, 8, (2, 9, 6)).round(3)
    topics, runs = [f"t{i}" for i in range(9)], list("ABCDEF")
    assert doubtful(scores, topics, axis=1) == doubtful(scores, runs, axis=2) == []
    rows = np.concatenate([scores.mean(axis=1, keepdims=True).round(3), scores], axis=1)
    (said,) = doubtful(rows, ["Average score", *topics], axis=1)
    assert said.startswith("the topic 'Average score' is the mean of the others; if it is no topic")
    columns = np.concatenate([scores, scores.sum(axis=2, keepdims=True)], axis=2)
    (said,) = doubtful(columns, [*runs, "of all"], axis=2)
    assert said.startswith("the run 'of all' is the sum of the others; if it is no run, leave")
    (said,) = doubtful(scores, [*topics[:-1], "Std"], axis=1)
    assert said.startswith("there is a topic 'Std'; if it says something about the other topics")


def test_runs_called_as_what_is_said_of_topics_are_noted() -> None:
    for name in ["Year", "n_items"]:
        with case(name):
            scores = np.random.default_rng(1).beta(2, 8, (2, 9, 6)).round(3)
            names = [name, *"ABCDE"]
            said = f"there is a run {name!r}; if it says something about the topics, leave it out."
            assert doubtful(scores, names, axis=2) == [said]
            assert (
                doubtful(scores.transpose(0, 2, 1), names, axis=1) == []
            )  # topics are about anything
            assert doubtful(scores, [f"{name} x", *"ABCDE"], axis=2) == []
            scores[:, :, 0] = range(9)
            scores[:, :, 5] = scores[:, :, 1:5].mean(axis=2)
            mean = "the run 'E' is the mean of the others; if it is no run, leave it out."
            assert doubtful(scores, names, axis=2) == [said, mean]


def test_a_class_called_a_total_is_noted(tmp_path: Path) -> None:
    """It is no exact sum, as where a vote is invalid; then it is refused."""
    (tmp_path / "runs").mkdir()
    text = "topic,poor,fair,Total\n1,3,2,5\n2,1,4,6\n3,0,2,2\n"
    for name in ("gold.csv", "runs/A.csv"):
        (tmp_path / name).write_text(text)
    (summary,) = check(tmp_path).summary
    assert (
        "gold: 'Total' is taken for a class; if it holds sums or means of the others, leave it"
        in (" ".join(summary.notes))
    )
    (tmp_path / "gold.csv").write_text(text.replace(",6", ",5"))
    assert "the sum of the other classes in every row" in str(next(iter(check(tmp_path).problems)))


def with_column(name: str, values: str) -> str:
    """Add a column to the counts."""
    lines, cells = COUNTS.splitlines(), [name, *values.split()]
    return "".join(f"{line},{cell}\n" for line, cell in zip(lines, cells, strict=True))


DOUBTFUL_CLASSES = [
    ("year", "2026 2026 2026 2026 2026", ", and is 2026 for every topic; if it is none"),
    ("x", "5 5 3 7 4", ", and is the sum of the others for 4 of 5 topics; if it is their"),
    ("n_items", "6 6 4 8 4", "; if it says something else about the topics"),
    ("majority", "1 2 2 3 3", "; if it says something else about the topics"),
    ("n", "6 6 4 8 4", "; if it says something else about the topics"),
    ("n", "2 0 1 0 3", ""),  # below another class: it is one
    ("year of birth", "2 0 1 0 3", ""),
]


def test_a_class_that_may_be_none_is_noted(tmp_path: Path) -> None:
    for name, values, expected in DOUBTFUL_CLASSES:
        with case(name, values, expected, within=tmp_path) as folder:
            (folder / "runs").mkdir()
            for file in ("gold.csv", "runs/A.csv"):
                (folder / file).write_text(with_column(name, values))

            def notes(classes: list[str] | None = None) -> list[str]:
                found = check(folder, classes)
                assert not found.problems
                return [note for note in found.summary[0].notes if "is taken for a class" in note]

            said = notes()
            assert len(said) == bool(expected)
            for note in said:
                assert note.startswith(f"gold: {name!r} is taken for a class{expected}")
                assert note.endswith(", leave it out of all files.")
            assert notes(["low", "mid", "high", name]) == []  # it was listed


BESIDE = [
    (["20,30,50,12", "5,15,80,15"], "100"),
    (["1,0,0,12", "0,1,0,15", "0,0,1,9", "1,0,0,7"], "1"),
]


def test_a_column_beside_classes_that_add_up_is_noted(tmp_path: Path) -> None:
    for first in [False, True]:
        for rows, adds in BESIDE:
            with case(rows, adds, first, within=tmp_path) as folder:
                (folder / "runs").mkdir()
                cells = [line.split(",") for line in ["low,mid,high,answers", *rows]]
                turned = [line[-1:] + line[:-1] if first else line for line in cells]
                names = ["topic", *(f"t{k}" for k in range(len(rows)))]
                text = "".join(
                    f"{name},{','.join(line)}\n" for name, line in zip(names, turned, strict=True)
                )
                for file in ("gold.csv", "runs/A.csv"):
                    (folder / file).write_text(text)
                found = check(folder)
                assert not found.problems
                (note,) = (
                    note for note in found.summary[0].notes if "is taken for a class" in note
                )
                assert (
                    f"'answers' is taken for a class, and without it every topic adds to {adds};"
                    in note
                )


CLASSES = [
    SHARES.replace("mid", "n"),
    "topic,poor,fair,year\nt1,0,0,1\nt2,0,1,0\nt3,0,0,1\nt4,0,0,1\nt5,1,0,0\n",
    "topic,low,mid,high\n" + "".join(f"t{i},1,1,1\n" for i in range(9)),
    "topic,low,mid,high\n" + "".join(f"t{i},{60 - i},40,{i}\n" for i in range(3)),  # of 100
    "topic,low,mid,high\nt1,1,2,3\nt2,2,1,1\n",  # two may well be alike
]


def test_classes_are_not_noted(tmp_path: Path) -> None:
    for text in CLASSES:
        with case(text, within=tmp_path) as folder:
            (folder / "runs").mkdir()
            for file in ("gold.csv", "runs/A.csv"):
                (folder / file).write_text(text)
            found = check(folder)
            assert not found.problems
            assert not [note for note in found.summary[0].notes if "is taken for a class" in note]


def test_runs_and_groups_that_differ_in_capitals_are_noted(tmp_path: Path) -> None:
    (tmp_path / "runs").mkdir()
    for name in ("gold.csv", "runs/A.csv", "runs/b.csv", "runs/B-2.csv"):
        (tmp_path / name).write_text(COUNTS)
    (tmp_path / "runs" / "~$A.csv").write_text("x")
    (tmp_path / "runs.csv").write_text("run,group\nA,KDD\nb,kdd\nB-2,other\n")
    (summary,) = check(tmp_path).summary
    notes = " ".join(summary.notes)
    assert "the groups KDD, kdd differ only in capitals, and count as 2." in notes
    assert "runs/~$A.csv was not read: it says that another file is open." in notes
    assert summary.runs == ("A", "B-2", "b")
