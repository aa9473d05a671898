"""Files as others write them, converted: the folder is read, and its numbers are the same."""

import numpy as np
import pandas as pd
import pytest

import ordbook as ob
from helpers.hostile_files import CORPUS, LARGE, PYTHON, SAID, files_of
from helpers.task_folders import assert_same, write, write_task
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


def test_long_tables(tmp_path, subtests):
    for number, (text, said) in enumerate(TABLES):
        with subtests.test(text[:60]):
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


def test_labels_of_items(tmp_path, subtests):
    wide = "topic,item,gold,A,B\ns,1,0,0,1\ns,2,1,1,1\nt,3,2,1,2\n"
    long = "topic;item;run;label\n" + "".join(
        f"{topic};{item};{run};{label}\n"
        for topic, item, *labels in (line.split(",") for line in wide.split()[1:])
        for run, label in zip(["gold", "A", "B"], labels, strict=True)
    )
    for name, text in (("wide", wide), ("long", long)):
        with subtests.test(name=name):
            (tmp_path / f"{name}.csv").write_text(text)
            convert(tmp_path / f"{name}.csv", tmp_path / name)
            task = ob.load(tmp_path / name)
            assert (task.runs, task.topics, task.classes) == (("A", "B"), ("pooled",), tuple("012"))
            assert task.gold.tolist() == [0, 1, 2]
            assert task.predicted.tolist() == [[0, 1, 1], [1, 1, 2]]


def test_items_of_the_same_names_in_each_topic_are_no_classes(tmp_path):
    gold = "topic,item,label\n" + "".join(f"{t},{i},{i}\n" for t in "stu" for i in (1, 2))
    write_task(tmp_path / "in", gold, A=gold.replace("2\n", "2.0\n"))
    assert "Wrote labels such as 5.0 as 5." in convert(tmp_path / "in", tmp_path / "out")
    task = ob.load(tmp_path / "out")
    assert (task.kind, task.classes) == ("classification", ("1", "2"))
    assert task.predicted.tolist() == [task.gold.tolist()]


def test_a_table_of_scores_becomes_scores(tmp_path):
    text = "topic;run;NMD;RNOD\ns;A;0,5;0,25\ns;B;0,1;0,2\nt;A;0,3;0,4\nt;B;0;1\n"
    (tmp_path / "scores.csv").write_text(text)
    assert main(["convert", str(tmp_path / "scores.csv"), str(tmp_path / "out")]) == 0
    scores = ob.score(ob.load(tmp_path / "out"))
    assert scores["NMD"].loc["s"].tolist() == [0.5, 0.1]
    assert scores["RNOD"].loc["t"].tolist() == [0.4, 1]


ITEMS = "item,label\n1,0\n2,1\n3,2\n"
OTHER = "item,label\n1,1\n2,1\n3,2\n"
LINES = '{"id": "1", "label": 0}\n{"id": "2", "label": 1}\n{"id": "3", "label": 2}\n'
COUNTED = "topic,low,mid,high,n\ns,25,75,0,17\nt,50,25,25,20\n"  # whole percentages, and items
UNEVEN = GOLD.assign(low=[0.255, 0.5], mid=[0.745, 0.25])
# files as people bring them, and whether gold and run then are ITEMS and OTHER, or GOLD and RUN
FOLDERS = [
    ({"gold.csv": ITEMS, "runs/A.csv": OTHER}, "items"),
    ({"gold.csv": ITEMS.replace(",", ";"), "runs/A.csv": OTHER.replace(",", ";")}, "items"),
    ({"gold.csv": ITEMS.replace("\n", "\r"), "runs/A.csv": OTHER.replace("\n", "\r")}, "items"),
    ({"gold.csv": ITEMS, "runs/A.csv": OTHER.replace(",", ";").replace("\n", "\r")}, "items"),
    ({"gold.jsonl": LINES, "runs/A.jsonl": LINES.replace('0}', '1}')}, "items"),
    ({"gold.csv": ITEMS, "judges.csv": "item,A\n1,1\n2,1\n3,2\n"}, "items"),
    ({"ratings.csv": "item,gold,A\n1,0,1\n2,1,1\n3,2,2\n"}, "items"),
    ({f"{place}.csv": table.melt("topic").to_csv(index=False)
      for place, table in {"gold": GOLD, "runs/A": RUN}.items()}, "shares"),
    ({f"{place}.csv": table.melt("topic", var_name="grade", value_name="p").to_csv(index=False)
      for place, table in {"gold": GOLD, "runs/A": RUN}.items()}, "shares"),
    ({f"{place}.csv": table.assign(**table[CLASSES] * 100).to_csv(index=False)
      for place, table in {"gold": UNEVEN, "runs/A": RUN}.items()}, "percentages"),
    ({"gold.csv": COUNTED, "runs/A.csv": RUN.to_csv(index=False)}, "shares"),
]  # fmt: skip


@pytest.mark.parametrize(("files", "kind"), FOLDERS)
def test_folders_as_people_bring_them(tmp_path, files, kind):
    source, options = write(tmp_path / "in", files), {}
    if "judges.csv" in files:
        source, options = None, {"gold": source / "gold.csv", "runs": source / "judges.csv"}
    source = source / "ratings.csv" if "ratings.csv" in files else source
    classes = None if kind == "items" else CLASSES
    convert(source, tmp_path / "out", classes=classes, **options)
    assert not check(tmp_path / "out").problems
    task = ob.load(tmp_path / "out")
    assert task.runs == ("A",)
    if kind == "items":
        assert (task.gold.tolist(), task.predicted.tolist()) == ([0, 1, 2], [[1, 1, 2]])
        assert "item,label\n1,0\n" in (tmp_path / "out" / "gold.csv").read_text()
    else:
        np.testing.assert_array_equal(task.estimates[0], RUN[CLASSES].iloc[[1, 0]])
        assert task.gold[0, 0] == (0.255 if kind == "percentages" else 0.25)


@pytest.mark.parametrize("name", ["classes.txt", "Classes.txt"])
def test_the_order_of_the_classes_comes_along(tmp_path, name):
    head = ["topic", "low", "high", "mid"]
    tables = {"gold.csv": GOLD, "runs/A.csv": RUN}
    files = {place: table[head].to_csv(index=False) for place, table in tables.items()}
    lists = {name: "low\nmid\nhigh\n", "runs.csv": "run,group\nA,ours\n"}
    write(tmp_path / "in", files | lists)
    convert(tmp_path / "in", tmp_path / "out")
    task = ob.load(tmp_path / "out")
    assert (task.classes, task.groups) == (tuple(CLASSES), {"A": "ours"})
    np.testing.assert_array_equal(task.gold, GOLD[CLASSES])


# Folders that check refuses, and that are read once they were converted.
MENDED = {
    *("gold.CSV", "Runs"),
    *("Classes.txt", "CLASSES.CSV", "Runs.csv"),
    *("gold.tsv with a header", "gold.tsv with a header of labels", "gold.txt with semicolons"),
    *("gold.csv with tabs and Topic", "gold alone", "no run", "tabs for commas", "semicolons"),
    *("a column of totals", "totals in the middle", "totals of probabilities", "percent"),
    *("a column that counts from 1", "a column that counts from 0", "a row and a column All"),
    *("decimal commas", "an empty line between", "a row of empty cells", "Topic", "Label"),
    *("rows of empty cells at the end", "a row of other empty cells", "a space in a topic"),
    *("runs.csv, a row of empty cells", "Topic of a run", "a class with a space"),
    *("a label with a space", "NTCIR, quality and nuggets, nuggets wrong"),
    *("NTCIR, nuggets in a later entry alone", "percentages and how many answered"),
}


@pytest.mark.slow
def test_every_hostile_folder_is_converted_or_refused(tmp_path, capsys, subtests):
    """What ordbook reads stays as it was; all else is mended or refused, and nothing is left."""
    mended = set()
    keys = [key for key in CORPUS if key.partition(" | ")[2] not in LARGE]
    for number, key in enumerate(keys):
        kind, _, name = key.partition(" | ")
        folder = tmp_path / str(number)
        folder.mkdir()
        with subtests.test(key):
            write(folder / "in", files_of(key))
            source, out = str(folder / "in" / CORPUS[key]["place"]), folder / "out"
            part = "A" if "NTCIR" in name or "nuggets" in name else None
            code = main(["convert", source, str(out), *["--part=A"] * bool(part)])
            said = capsys.readouterr()
            refused = kind == "refused" or name in MENDED
            assert code in ((0, 2) if refused else (0,)), said.err
            assert not PYTHON.search(said.out + said.err)
            assert {path.name for path in folder.iterdir()} <= {"in", "out"}
            mended |= {name} if refused and code == 0 else set()
            if not refused:
                assert_same(ob.load(source, part=part), ob.load(out))
    assert mended - {name for name, causes in SAID.items() if not causes} == MENDED


DAMAGED = r"(damaged|unpacked) \(File is not a zip file\)"
# a file, its text -> how it is refused
REFUSED = [
    ("a.csv", "topic,A\ns,1\n", r"no gold data found; name their run 'gold', or add --gold FILE"),
    ("a.csv", "topic,run,low\ns,gold,1\ns,gold\n", r"line 3: 2 cells for 3 columns"),
    ("a.csv", "topic,run,low,low\ns,gold,1,1\n", r"a.csv: two columns are called 'low'"),
    ("a.csv", "id,run,low\ns,gold,1\n", r"no column topic or item in id,run,low"),
    ("a.csv", LONGER.iloc[[0, 0]].to_csv(index=False), r"'low' of topic 's' and run 'gold' stands"),
    ("a.zip", "no archive", DAMAGED),
    ("a.xlsx", "no archive", DAMAGED),
]


@pytest.mark.parametrize(("name", "text", "message"), REFUSED)
def test_what_is_refused(name, text, message, tmp_path):
    folder = write(tmp_path / "in", {name: text})
    with pytest.raises(ValueError, match=message):
        convert(folder / name, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_folder_that_is_not_empty_is_refused(tmp_path):
    (tmp_path / "in.csv").write_text(LONG.to_csv(index=False))
    (tmp_path / "out").mkdir()
    convert(tmp_path / "in.csv", tmp_path / "out")
    with pytest.raises(ValueError, match="out: this folder is not empty; name another"):
        convert(tmp_path / "in.csv", tmp_path / "out")


def converted(source, out, part=None):
    """Load, convert, load: both tasks are equal."""
    options = {} if ob.load(source, part=part).kind == "scores" else {"missing": "worst"}
    convert(source, out, part=part)
    assert_same(ob.load(source, part=part, **options), ob.load(out, **options))


SAMPLES = [
    *("fair-oc", "fair-oq", "formats/tables.zip"),
    "formats/qrels",
    *("formats/scores/long.csv", "formats/scores/RNOD.csv"),
    *("formats/scores/NMD.txt", "formats/scores-by-measure"),
]


@pytest.mark.parametrize("sample", SAMPLES)
def test_samples_say_the_same_after_they_were_converted(root, tmp_path, sample):
    out = tmp_path / "out"
    if sample.startswith("formats/scores/"):
        convert(root / "data/examples" / sample, out)
        assert_same(ob.load(root / "data/examples" / sample), ob.load(out))
    else:
        converted(root / "data/examples" / sample, out)


@pytest.mark.parametrize("part", ["A", "E", "S"])
def test_annotations_become_votes(root, tmp_path, part):
    converted(root / "data/examples/formats/ntcir", tmp_path / "out", part)


def test_nuggets_are_refused(root, tmp_path, capsys):
    source = str(root / "data/examples/formats/ntcir")
    assert main(["convert", source, str(tmp_path / "out"), "--part=nugget"]) == 2
    assert "nuggets, one for each turn, for which CSV has no form" in capsys.readouterr().err
