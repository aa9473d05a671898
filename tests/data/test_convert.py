"""Files as others write them, converted: the folder is read, and its numbers are the same."""

import json
import zipfile

import numpy as np
import pandas as pd
import pytest

import ordbook as ob
from cases import case
from ordbook.cli import main
from ordbook.data.checking import check
from ordbook.data.convert import convert

GOLD = pd.DataFrame(
    {"topic": ["s", "t"], "low": [0.25, 0.5], "mid": [0.75, 0.25], "high": [0, 0.25]}
)
RUN = pd.DataFrame(
    {"topic": ["t", "s"], "low": [0.5, 0.125], "mid": [0.25, 0.5], "high": [0.25, 0.375]}
)
CLASSES = ["low", "mid", "high"]
LONG = pd.concat([GOLD.assign(run="gold"), RUN.assign(run="A")])[["topic", "run", *CLASSES]]
LONGER = LONG.melt(["topic", "run"], var_name="class", value_name="probability")


def german(table):
    return table.to_csv(index=False, sep=";", decimal=",")


TABLES = [
    (LONG.to_csv(index=False), []),
    (LONG.to_csv(index=True), ["an index"]),
    (german(LONG), ["semicolons", "decimal commas"]),
    (LONG.to_csv(index=False, decimal=","), ["decimal commas"]),  # which are then quoted
    (LONG.to_csv(index=False, sep="\t"), ["tabs"]),
    (LONG.assign(n=17).to_csv(index=False), ["the column n"]),
    (LONG.assign(**{name: (LONG[name] * 100).map("{} %".format) for name in CLASSES})
     .to_csv(index=False), ["percentages"]),
    (LONGER.to_csv(index=False), ["long table"]),
    (german(LONGER[LONGER.probability > 0]), ["semicolons", "long table"]),
    (LONGER.rename(columns={"run": "System", "class": "Class", "probability": "Share"})
     .to_csv(index=False), ["long table"]),
]  # fmt: skip


def test_long_tables(tmp_path):
    for number, (text, said) in enumerate(TABLES):
        with case(text[:60]):
            source = tmp_path / f"{number}.csv"
            source.write_text(text)
            out = tmp_path / f"out{number}"
            told = " ".join(convert(source, out, classes=CLASSES))
            assert all(words in told for words in said), told
            assert not check(out).problems
            task = ob.load(out)
            assert (task.classes, task.topics, task.runs) == (tuple(CLASSES), ("s", "t"), ("A",))
            np.testing.assert_array_equal(task.gold, GOLD[CLASSES])
            np.testing.assert_array_equal(task.estimates[0], RUN[CLASSES].iloc[[1, 0]])


def test_a_workbook_has_a_sheet_for_gold_and_one_for_each_run(tmp_path):
    with pd.ExcelWriter(tmp_path / "task.xlsx") as book:
        GOLD.to_excel(book, sheet_name="Gold", index=False)
        RUN.to_excel(book, sheet_name="B", index=False)
    out = tmp_path / "out"
    convert(tmp_path / "task.xlsx", out)
    assert ob.load(out).runs == ("B",)
    np.testing.assert_array_equal(ob.load(out).gold, GOLD[CLASSES])


def test_labels_of_items(tmp_path):
    wide = "topic,item,gold,A,B\ns,1,0,0,1\ns,2,1,1,1\nt,3,2,1,2\n"
    long = "topic;item;run;label\n" + "".join(
        f"{topic};{item};{run};{label}\n"
        for topic, item, *labels in (line.split(",") for line in wide.split()[1:])
        for run, label in zip(["gold", "A", "B"], labels, strict=True)
    )
    for name, text in (("wide", wide), ("long", long)):
        with case(name):
            (tmp_path / f"{name}.csv").write_text(text)
            convert(tmp_path / f"{name}.csv", tmp_path / name)
            task = ob.load(tmp_path / name)
            assert (task.runs, task.topics, task.classes) == (("A", "B"), ("pooled",), tuple("012"))
            assert task.gold.tolist() == [0, 1, 2]
            assert task.predicted.tolist() == [[0, 1, 1], [1, 1, 2]]


def test_a_table_of_scores_becomes_scores(tmp_path):
    text = "topic;run;NMD;RNOD\ns;A;0,5;0,25\ns;B;0,1;0,2\nt;A;0,3;0,4\nt;B;0;1\n"
    (tmp_path / "scores.csv").write_text(text)
    assert main(["convert", str(tmp_path / "scores.csv"), str(tmp_path / "out")]) == 0
    scores = ob.score(ob.load(tmp_path / "out"))
    assert scores["NMD"].loc["s"].tolist() == [0.5, 0.1]
    assert scores["RNOD"].loc["t"].tolist() == [0.4, 1]


@pytest.mark.parametrize("subtask", ["d", "e", pytest.param("c", marks=pytest.mark.slow)])
def test_semeval_as_published_scores_as_the_catalogued_set(raw_files, tmp_path, subtask):
    folder, letter = raw_files / "semeval2016-task4", subtask.upper()
    gold = folder / "gold" / f"SemEval2016_task4_subtask{letter}_test_gold.txt"
    convert(None, tmp_path / "out", gold=gold, runs=folder / letter)
    task, known = ob.load(tmp_path / "out"), ob.load(f"sem16t4{subtask}")
    assert (task.topics, task.runs) == (known.topics, known.runs)
    assert task.classes == known.classes
    np.testing.assert_array_equal(task.gold, known.gold)
    np.testing.assert_array_equal(ob.score(task).values, ob.score(known).values)


def test_subtask_b_in_a_folder_of_two_folders(tmp_path):
    gold = "1\tcats\tnegative\n2\tcats\tnegative\n3\tdogs\tnegative\n"
    for place, text in {
        "_scripts/x_gold.txt": gold,
        "B/QCRI-B.output": gold[:-9] + "positive\t\n",
    }.items():
        (tmp_path / "in" / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "in" / place).write_text(text)
    assert main(["convert", str(tmp_path / "in"), str(tmp_path / "out")]) == 0
    task = ob.load(tmp_path / "out")
    assert (task.runs, task.classes) == (("QCRI",), ("negative", "positive"))
    assert task.predicted.tolist() == [[0, 0, 1]]


def test_dialogues_of_an_archive_by_language(raw_files, tmp_path, capsys):
    archive = raw_files / "dbdc3" / "DBDC3.zip"
    assert main(["convert", str(archive), str(tmp_path / "out")]) == 2
    assert "6 sets of dialogues" in (told := capsys.readouterr().err)
    assert "DBDC3/dbdc3/ja/eval" in told
    assert main(["convert", str(archive), str(tmp_path / "ja"), "--inside=dbdc3/ja/eval"]) == 0
    assert "There are no runs" in capsys.readouterr().out
    votes = pd.read_csv(tmp_path / "ja" / "gold.csv", index_col="topic")
    assert votes.shape == (1650, 3)
    with zipfile.ZipFile(archive) as files:
        log = json.loads(files.read("DBDC3/dbdc3/ja/eval/DCM/1502868469.log.json"))
    labels = [each["breakdown"] for each in log["turns"][0]["annotations"]]
    assert votes.loc["1502868469_00"].to_dict() == {
        "B": labels.count("X"), "PB": labels.count("T"), "NB": labels.count("O")
    }  # fmt: skip
    convert(archive, tmp_path / "en", inside="dbdc3/en/eval")
    english = pd.read_csv(tmp_path / "en" / "gold.csv", index_col="topic")
    known = ob.load("dbdc3")
    assert tuple(english.index) == known.topics
    np.testing.assert_array_equal(english.div(english.sum(axis=1), axis=0), known.gold)


def test_dialogues_with_runs(root, tmp_path):
    source = root / "data" / "examples" / "formats" / "dbdc"
    convert(source / "dialogues", tmp_path / "out", runs=source / "runs")
    ours, known = ob.load(tmp_path / "out"), ob.load(source)
    assert ours.runs == known.runs
    np.testing.assert_array_equal(ob.score(ours).values, ob.score(known).values)


NO_DBDC = r"a\.log\.json.*(JSON|no 'turns'|the label 'Y')"
DAMAGED = r"(damaged|unpacked) \(File is not a zip file\)"
# a file, its text -> how it is refused
REFUSED = [
    ("a.csv", "topic,A\ns,1\n", r"no gold data found; name their run 'gold', or add --gold FILE"),
    ("a.csv", "topic,run,low\ns,gold,1\ns,gold\n", r"line 3: 2 cells for 3 columns"),
    ("a.csv", "topic,run,low,low\ns,gold,1,1\n", r"a table has two columns called 'low'"),
    ("a.csv", "id,run,low\ns,gold,1\n", r"no column topic in id, run, low"),
    ("a.csv", LONGER.iloc[[0, 0]].to_csv(index=False), r"'low' of topic 's' and run 'gold' stands"),
    ("a.zip", "no archive", DAMAGED),
    ("a.xlsx", "no archive", DAMAGED),
    ("a.log.json", "{", NO_DBDC),
    ("a.log.json", "{}", NO_DBDC),
    ("a.log.json", '{"turns": [{"turn-index": 1, "annotations": [{"breakdown": "Y"}]}]}', NO_DBDC),
]


def test_what_is_refused(tmp_path):
    for name, text, message in REFUSED:
        with case(name, text, within=tmp_path) as folder:
            (folder / name).write_text(text)
            with pytest.raises(ValueError, match=message):
                convert(folder if "log" in name else folder / name, tmp_path / "out")
            assert not (tmp_path / "out").exists()
    (tmp_path / "in.csv").write_text(LONG.to_csv(index=False))
    (tmp_path / "out").mkdir()
    convert(tmp_path / "in.csv", tmp_path / "out")
    with pytest.raises(ValueError, match="out: not an empty folder; name a new one"):
        convert(tmp_path / "in.csv", tmp_path / "out")
