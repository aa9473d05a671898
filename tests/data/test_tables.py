"""CSV files with a header: what is read, what is refused, and where it says the fault is."""

from pathlib import Path

import numpy as np
import pytest

import ordbook as ob
from cases import case
from ordbook.data.tables import check_tables, read_tables

COUNTS = "topic,low,mid,high\nt1,1,2,1\nt2,0,0,4\n"
SHARES = "topic,low,mid,high\nt1,0.5,0.25,0.25\nt2,0,0.1,0.9\n"
LABELS = "topic,item,label\ns,1,-1\ns,2,0\nt,1,1\nt,2,-2\n"


def folder(tmp_path: Path, gold: str | bytes, *, classes: str = "", **runs: str | bytes) -> Path:
    (tmp_path / "runs").mkdir(parents=True)
    files = {"gold.csv": gold} | {f"runs/{run}.csv": text for run, text in runs.items()}
    if classes:
        files["classes.txt"] = classes
    for name, content in files.items():
        data = content if isinstance(content, bytes) else content.encode()
        (tmp_path / name).write_bytes(data)
    return tmp_path


def problems(path: Path, **options: list[str]) -> list[str]:
    task, found = check_tables(path, **options)
    assert (task is None) == bool(found)
    return [str(problem).removeprefix(f"{path}/") for problem in found]


def test_counts_and_shares(tmp_path: Path) -> None:
    task = read_tables(folder(tmp_path, COUNTS, A=SHARES, B=COUNTS))
    assert isinstance(task, ob.QuantificationTask)
    assert (task.classes, task.topics, task.runs) == (
        ("low", "mid", "high"),
        ("t1", "t2"),
        ("A", "B"),
    )
    assert task.gold.tolist() == [[0.25, 0.5, 0.25], [0, 0, 1]]
    assert task.estimates[0].tolist() == [[0.5, 0.25, 0.25], [0, 0.1, 0.9]]
    assert task.estimates[1].tolist() == task.gold.tolist()
    assert task.provenance.notes == (
        "gold: counts, divided by their sums.",
        "B: counts, divided by their sums.",
    )
    assert set(task.provenance.files) == {"gold.csv", "runs/A.csv", "runs/B.csv"}
    assert task.provenance.source == "yours"


def test_labels_that_are_whole_numbers_are_sorted_as_numbers(tmp_path: Path) -> None:
    task = read_tables(folder(tmp_path, LABELS, A=LABELS.replace("s,1,-1", "s,1,1")))
    assert isinstance(task, ob.ClassificationTask)
    assert task.classes == ("-2", "-1", "0", "1")
    assert task.gold.tolist() == [1, 2, 3, 0]
    assert task.predicted.tolist() == [[3, 2, 3, 0]]
    assert task.topics == ("s", "t")
    assert "-2, -1, 0, 1 are the labels that occur" in task.provenance.notes[0]


DRESSES = [
    lambda text: b"\xef\xbb\xbf" + text.encode(),
    lambda text: text.replace("\n", "\r\n").encode(),
    lambda text: (text + "\n\n").encode(),
    lambda text: text.removesuffix("\n").encode(),
    lambda text: text.replace(",", ", ").encode(),
    lambda text: text.replace("t1", '"t1"').encode(),
]


def test_what_programs_add_changes_nothing(tmp_path: Path) -> None:
    for dress in DRESSES:
        with case(dress, within=tmp_path) as here:
            task = read_tables(folder(here, dress(COUNTS), A=dress(SHARES)))
            assert task.topics == ("t1", "t2")
            assert task.estimates.tolist() == [[[0.5, 0.25, 0.25], [0, 0.1, 0.9]]]


def test_names_with_commas_in_quotes(tmp_path: Path) -> None:
    text = COUNTS.replace("t1", '"tea, green"').replace("mid", '"so, so"')
    task = read_tables(folder(tmp_path, text, A=text))
    assert task.topics[0] == "tea, green"
    assert task.classes[1] == "so, so"


def test_another_order_is_followed_and_noted(tmp_path: Path) -> None:
    run = "topic,high,low,mid\nt2,0.9,0,0.1\nt1,0.25,0.5,0.25\n"
    task = read_tables(folder(tmp_path, COUNTS, A=run))
    assert task.estimates[0].tolist() == [[0.5, 0.25, 0.25], [0, 0.1, 0.9]]
    assert task.provenance.notes[1:] == (
        "A lists the topics in another order than the gold file.",
        "A lists the classes in another order than the gold file.",
    )


def test_a_topic_that_a_run_lacks_is_no_other_order(tmp_path: Path) -> None:
    three, moved = f"{COUNTS}t3,1,1,2\n", "topic,low,mid,high\nt2,0,0,4\nt1,1,2,1\n"
    folder(
        tmp_path, three, A=three, last=COUNTS, first=three.replace("t1,1,2,1\n", ""), moved=moved
    )
    _, found = check_tables(tmp_path)
    assert [Path(problem.file).stem for problem in found] == ["first", "last", "moved"]
    notes = [note for note in found.readable.provenance.notes if "another order" in note]
    assert notes == ["moved lists the topics in another order than the gold file."]


def test_items_in_another_order(tmp_path: Path) -> None:
    run = "topic,item,label\nt,2,0\nt,1,1\ns,2,-1\ns,1,-2\n"
    task = read_tables(folder(tmp_path, LABELS, A=run))
    assert [task.classes[i] for i in task.predicted[0]] == ["-2", "-1", "1", "0"]


def test_listed_classes_give_the_order(tmp_path: Path) -> None:
    for name in ["classes.txt", "classes.csv"]:
        with case(name, within=tmp_path) as here:
            gold = "topic,item,label\ns,1,agree\ns,2,disagree\n"
            folder(here, gold, A=gold)
            (here / name).write_text("disagree\nneither\nagree\n")
            task = read_tables(here)
            assert task.classes == ("disagree", "neither", "agree")
            assert task.gold.tolist() == [2, 0]
            assert name in task.provenance.files
            assert read_tables(here, classes=["agree", "disagree"]).classes == ("agree", "disagree")


def test_listed_classes_reorder_columns(tmp_path: Path) -> None:
    task = read_tables(folder(tmp_path, COUNTS, A=SHARES, classes="high\nmid\nlow\n"))
    assert task.classes == ("high", "mid", "low")
    assert task.gold[1].tolist() == [1, 0, 0]
    assert task.estimates[0, 0].tolist() == [0.25, 0.25, 0.5]


def test_printed_decimals_explain_sums(tmp_path: Path) -> None:
    thirds = "topic,low,mid,high\nt1,0.33,0.33,0.33\nt2,0,0.1,0.9\n"
    task = read_tables(folder(tmp_path, COUNTS, A=thirds))
    assert task.estimates[0, 0].tolist() == [0.33, 0.33, 0.33]
    assert "sums miss 1 by up to 0.01, which the 2 printed decimals" in task.provenance.notes[1]
    (tmp_path / "runs/A.csv").write_text(thirds.replace("0.33\n", "0.31\n"))
    assert problems(tmp_path) == [
        "runs/A.csv, line 2: found a sum of 0.97, expected 1 within 0.015; "
        "divide each number of the row by their sum"
    ]


def test_a_run_of_zeros_and_ones_is_the_same_either_way(tmp_path: Path) -> None:
    run = "topic,low,mid,high\nt1,1,0,0\nt2,0,0,1.0\n"
    task = read_tables(folder(tmp_path, COUNTS, A=run))
    assert task.estimates[0].tolist() == [[1, 0, 0], [0, 0, 1]]
    assert task.provenance.notes == ("gold: counts, divided by their sums.",)


# file, what is replaced by what, where the message points, and what it says


UNORDERED = [
    ("topic,item,label\ns,1,agree\ns,2,disagree\n", "gold.csv, line 2, column 3", "classes=["),
    (
        "topic,item,label\ns,1,1\ns,2,2.0\n",
        "gold.csv, line 3, column 3",
        "'2.0', expected whol",
    ),
    ("topic,item,label\ns,1,1\ns,2,01\n", "gold.csv, line 3, column 3", "the label '01'"),
    ("topic,item,label\ns,1,1\ns,2,3\n", "gold.csv", "those between 1 and 3 too"),
    ("topic,item,label\ns,1,1\ns,2,1\n", "gold.csv", "expected at least two"),
    ("topic,item,label\ns,1,1\ns,2,\n", "gold.csv, line 3, column 3", "an empty label"),
    (
        "topic,item,label\ns,1,1\ns,1,2\n",
        "gold.csv, line 3, column 1",
        "'1' of topic 's' a sec",
    ),
]


def test_the_order_of_labels_is_never_guessed(tmp_path: Path) -> None:
    for gold, where, says in UNORDERED:
        with case(gold, where, says, within=tmp_path) as here:
            found = problems(folder(here, gold))
            assert any(text.startswith(f"{where}: found") and says in text for text in found), found


LABEL_FAULTS = [
    ("t,2,-2", "t,2,2", "runs/A.csv, line 5, column 3", "'2', expected one of -2, -1, 0, 1"),
    ("t,2,-2", "t,2,", "runs/A.csv, line 5, column 3", "an empty label"),
    ("t,2,-2", "t,3,-2", "runs/A.csv, line 5, column 2", "item '3' of topic 't'"),
    ("t,2,-2", "u,2,-2", "runs/A.csv, line 5, column 1", "item '2' of topic 'u'"),
    ("t,2,-2\n", "", "runs/A.csv", "no row for item '2' of topic 't'"),
    ("item,label", "label,item", "runs/A.csv, line 1", "those of gold.csv"),
]


def test_faults_of_labels(tmp_path: Path) -> None:
    for old, new, where, says in LABEL_FAULTS:
        with case(old, new, where, says, within=tmp_path) as here:
            assert old in LABELS
            found = problems(folder(here, LABELS, A=LABELS.replace(old, new)))
            assert any(text.startswith(f"{where}: found") and says in text for text in found), found


LISTS = [
    *[("low,mid,high\n", 1), ("low;mid;high\n", 1), ("low\tmid\thigh\n", 1)],
    *[("so, so\nlow\n", 1), ("low\nso, so\n", 2), ('["low", "so, so", "high"]\n', None)],
]


def test_a_list_of_classes_is_told_how_labels_are_written(tmp_path: Path) -> None:
    for classes, line in LISTS:
        with case(classes, line, within=tmp_path) as here:
            first, *others = problems(folder(here, COUNTS, classes=classes))
            place = f", line {line}: found" if line else ": found JSON, expected one label a line"
            assert first.startswith(f"classes.txt{place}")
            assert first.endswith(
                "of its own, lowest first, and a label that has commas in double quotes"
            )
            assert not [text for text in others if "classes.txt" in text]
            quoted = '"so, so"\nlow\nhigh\n'
            text = COUNTS.replace("mid", '"so, so"')
            task = read_tables(folder(here / "quoted", text, A=text, classes=quoted))
            assert task.classes == ("so, so", "low", "high")
            text = COUNTS.replace("mid", "low; very")
            task = read_tables(
                folder(here / "plain", text, A=text, classes="low; very\nlow\nhigh\n")
            )
            assert task.classes == ("low; very", "low", "high")


def test_a_wrong_header_goes_before_what_follows_from_it(tmp_path: Path) -> None:
    for what in ["gold", "A"]:
        with case(what, within=tmp_path) as here:
            files = {"gold": COUNTS, "A": COUNTS}
            folder(here, **(files | {what: f"# my run\n{COUNTS}"}))
            path = "gold.csv" if what == "gold" else "runs/A.csv"
            first, second, *_ = problems(here)
            assert first.startswith(
                f"{path}, line 1, column 1: found the columns # my run, expected"
            )
            assert second.startswith(f"{path}, line 2: found 4 cells, expected 1 cell")


IN_JSON = [
    '{"t1": [0.5, 0.5, 0]}',
    '{\n "t1": [0.5, 0.5, 0],\n "t2": [0, 1, 0]\n}\n',
    "[[0.5, 0.5, 0],\n [0, 1, 0]]",
    '{"t1": [0.5, 0.5, 0]}\n{"t2": [0, 1, 0]}\n',
]


def test_a_run_in_json_is_told_so(tmp_path: Path) -> None:
    for text in IN_JSON:
        with case(text, within=tmp_path) as here:
            (found,) = problems(folder(here, COUNTS, A=text))
            assert found.startswith(
                "runs/A.csv: found JSON, expected a text file with commas; save"
            )


def test_labels_in_brackets_are_no_json(tmp_path: Path) -> None:
    text = COUNTS.replace("low,mid,high", "[0],[1],[2]")
    task = read_tables(folder(tmp_path, text, A=text, classes="[2]\n[1]\n[0]\n"))
    assert task.classes == ("[2]", "[1]", "[0]")


def test_two_lists_of_classes(tmp_path: Path) -> None:
    folder(tmp_path, COUNTS, classes="low\nmid\nhigh\n")
    (tmp_path / "classes.csv").write_text("high\nmid\nlow\n")
    assert [text[:12] for text in problems(tmp_path)] == ["classes.csv:"]


def test_given_classes_are_checked(tmp_path: Path) -> None:
    folder(tmp_path, LABELS)
    assert any("'1' a second" in text for text in problems(tmp_path, classes=["1", "1"]))
    assert any("at least two" in text for text in problems(tmp_path, classes=["1"]))
    assert len(problems(tmp_path, classes=["-2", "-1", "0"])) == 1


def test_the_folder_of_runs(tmp_path: Path) -> None:
    folder(tmp_path, COUNTS, A=SHARES)
    (tmp_path / "runs/.hidden").touch()
    assert "runs/.hidden was not read" in read_tables(tmp_path).provenance.notes[0]
    (tmp_path / "runs/B.xlsx").touch()
    (tmp_path / "runs/C.csv").mkdir()
    (tmp_path / "runs/team").mkdir()
    assert [text.split(", expected")[0] for text in problems(tmp_path)] == [
        "runs/B.xlsx: found what is not a file *.csv",
        "runs/C.csv: found a folder",
        "runs/team: found a folder",
    ]
    assert problems(tmp_path)[-1].endswith("the file of a run; move its files up, or elsewhere")


def test_several_faults_are_listed_at_once(tmp_path: Path) -> None:
    first = SHARES.replace("0.5", "?").replace("0.1", "-1").replace("t2", "t3")
    second = SHARES.replace("0.25,0.25", "0.25,0.35")
    path = folder(tmp_path, COUNTS.replace("t1,1", "t1,x"), A=first, B=second, C="a;b\n")
    where = [text.partition(": found")[0] for text in problems(path)]
    assert where == [
        "gold.csv, line 2, column 2",
        "runs/A.csv, line 2, column 2",
        "runs/A.csv, line 3, column 3",
        "runs/A.csv, line 3, column 1",
        "runs/A.csv",
        "runs/B.csv, line 2",
        "runs/C.csv, line 1",
    ]
    with pytest.raises(
        ValueError, match=r"gold.csv, line 2, column 2: .* \(6 more problems; .*all\)$"
    ):
        read_tables(path)


def test_runs_are_looked_at_where_gold_cannot_be_read(tmp_path: Path) -> None:
    found = problems(folder(tmp_path, "", A=SHARES.replace("0.9", "0.9,1"), B=SHARES))
    assert [text.partition(":")[0] for text in found] == ["gold.csv", "runs/A.csv, line 3"]


def test_cells_are_looked_at_where_the_order_of_the_classes_is_missing(tmp_path: Path) -> None:
    """All that is wrong with the cells is told as it is where the order is known."""
    for order, classes in [
        ("agree,disagree,neutral", ""),
        ("1,10,2", ""),
        ("low,mid,high", "low\nmid\n"),
    ]:
        with case(order, classes, within=tmp_path) as here:
            head = f"topic,{order}\n"
            rows = ["t1,3,1,0", "t2,2,2,0", "t3,0,4,0", "t4,1,1,1", "t5,1,2,3"]
            gold = [rows[0], "t2,-2,2,0", "t3,0,0,0", "t4,1,1,1", "t4,1,2,3"]
            run = ["t1,nan,0.5,0.5", "t2,0.1,0.1,0.1", "t2,0,0,1", "t9,1,0,0", "t4,1,0"]
            path = folder(
                here,
                head + "\n".join(gold),
                A=head + "\n".join(run),
                B=head.replace(order[:1], "x", 1) + "\n".join(rows),
                classes=classes,
            )
            first, *others = problems(path)
            assert first.startswith("gold.csv, line 1: found the classes ")
            assert others == problems(path, classes=order.split(","))
            assert [text.partition(":")[0] for text in others] == [
                "gold.csv, line 3, column 2",
                "gold.csv, line 4",
                "gold.csv, line 6, column 1",
                "runs/A.csv, line 6",
                "runs/A.csv, line 2, column 2",
                "runs/A.csv, line 3",
                "runs/A.csv, line 4, column 1",
                "runs/A.csv, line 5, column 1",
                "runs/A.csv",
                "runs/B.csv, line 1, column 2",
            ]


def test_percentages_are_told_once_a_file(tmp_path: Path) -> None:
    rows = "topic,low,high\nt1,33.3,66.7\nt2,50,50.5\nt3,-1,101\n"
    found = problems(folder(tmp_path, rows, A=SHARES))
    assert found[0] == (
        "gold.csv: found rows that add up to 100, expected probabilities, which add up to 1; "
        "divide all numbers by 100"
    )
    assert [text.partition(":")[0] for text in found[1:3]] == [
        "gold.csv, line 4, column 2",
        "gold.csv, line 4, column 3",
    ]


def test_large_random_files_come_back(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    votes = rng.multinomial(20, [0.2] * 5, size=300)
    head = "topic,1,2,3,4,5\n"

    def text(rows: list[list[float]]) -> str:
        return head + "".join(f"t{i},{','.join(map(str, row))}\n" for i, row in enumerate(rows))

    shares = rng.dirichlet(np.ones(5), size=300)
    task = read_tables(folder(tmp_path, text(votes.tolist()), A=text(shares.tolist())))
    np.testing.assert_array_equal(task.gold, votes / 20)
    np.testing.assert_array_equal(task.estimates[0], shares)


def test_load_reads_such_a_folder(tmp_path: Path) -> None:
    folder(tmp_path, COUNTS, A=SHARES)
    task = ob.load(tmp_path)
    assert task.classes == ("low", "mid", "high")
    assert ob.score(task).source == "yours"
    assert ob.load(tmp_path, classes=["high", "mid", "low"]).classes == ("high", "mid", "low")
    (tmp_path / "runs/A.csv").write_text(SHARES.replace("0.5", "?").replace("0.1", "?"))
    with pytest.raises(
        ValueError, match=r"A\.csv, line 2, column 2: .* \(1 more problem; .*all\)$"
    ):
        ob.load(tmp_path)
    with pytest.raises(ValueError, match="part= is for NTCIR files"):
        ob.load(tmp_path, part="A")


def test_load_reads_other_folders_as_before(tmp_path: Path) -> None:
    """SemEval's formats have tabs and no header, whatever the name of the file."""
    text = "t1\t0.5\t0.25\t0.25\nt2\t0\t0.1\t0.9\n"
    task = ob.load(folder(tmp_path, text, A=text))
    assert task.topics == ("t1", "t2")
    assert task.classes == ("1", "2", "3")


def test_a_sum_just_on_the_limit_passes_in_any_order(tmp_path: Path) -> None:
    """The reader and the task add in different orders: what one lets pass, the other refused."""
    for total in ["0.99999", "1.00001"]:
        with case(total, within=tmp_path) as folder:
            rng = np.random.default_rng(0)
            (folder / "runs").mkdir()
            whole = round(float(total) * 10**6)
            rows = [
                np.diff([0, *sorted(rng.choice(whole, 10, replace=False)), whole])
                for _ in range(40)
            ]
            for columns in (range(11), [3, 1, 4, 10, 5, 9, 2, 6, 0, 8, 7]):
                lines = [",".join(["topic", *(f"c{i}" for i in columns)])]
                lines += [
                    ",".join([f"t{n}", *(f"{row[i] / 10**6:.6f}" for i in columns)])
                    for n, row in enumerate(rows)
                ]
                for name in ("gold.csv", "runs/A.csv"):
                    (folder / name).write_text("\n".join(lines))
                task, problems = check_tables(folder, classes=[f"c{i}" for i in range(11)])
                assert not problems
                assert task is not None
                assert task.estimates.shape == (1, 40, 11)
