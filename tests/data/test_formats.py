"""Every format: its sample loads and checks clean."""

import runpy
from pathlib import Path

import numpy as np
import pytest

import ordbook as ob
from ordbook.data import formats
from ordbook.data.checking import check
from ordbook.data.problems import Place
from ordbook.data.text import Table, as_object, field, read_json, read_text, table_of

# sample, part, kind, topics, runs, classes
SAMPLES = {
    "fair-oc": (None, "classification", 56, 16, 5),
    "fair-oq": (None, "quantification", 56, 16, 5),
    "formats/tables": (None, "quantification", 5, 3, 5),
    "formats/qrels": (None, "classification", 5, 3, 5),
    "formats/ntcir": ("E", "quantification", 4, 2, 5),
    "formats/scores/long.csv": (None, "scores", 5, 3, 0),
    "formats/scores/RNOD.csv": (None, "scores", 5, 3, 0),
    "formats/scores/NMD.txt": (None, "scores", 5, 3, 0),
    "formats/scores-by-measure": (None, "scores", 5, 3, 0),
}


@pytest.fixture
def samples(root: Path) -> Path:
    return root / "data" / "examples"


@pytest.mark.parametrize("name", SAMPLES)
def test_samples_load_and_check_clean(name, samples):
    part, kind, topics, runs, classes = SAMPLES[name]
    task = ob.load(samples / name, part=part)
    found = task.kind, len(task.topics), len(task.runs), len(task.classes)
    assert found == (kind, topics, runs, classes)
    report = check(samples / name, part=part)
    assert not report.problems
    assert [summary.task.kind for summary in report.summary] == [kind]
    scores = ob.score(task)
    assert scores.values.shape[1:] == (topics, runs)
    assert scores.source == "yours"


def test_samples_are_what_the_script_builds(samples: Path, tmp_path: Path) -> None:
    runpy.run_path(str(samples / "formats" / "make.py"))["main"](tmp_path)
    built = {path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_file()}
    formats = samples / "formats"
    kept = {path.relative_to(formats) for path in formats.rglob("*") if path.is_file()}
    assert {path for path in kept if "__pycache__" not in path.parts} == built | {Path("make.py")}
    for path in sorted(built):
        if not path.parent.name.startswith("scores") or path.name == "runs.csv":
            assert (tmp_path / path).read_bytes() == (formats / path).read_bytes(), path
    # Scores may differ in their last bit from machine to machine.
    for name in ("scores/long.csv", "scores/RNOD.csv", "scores/NMD.txt", "scores-by-measure"):
        ours, theirs = (ob.load(folder / name) for folder in (tmp_path, formats))
        np.testing.assert_allclose(ob.score(ours).values, ob.score(theirs).values, atol=1e-12)


def test_three_forms_of_scores_say_the_same(samples: Path) -> None:
    long, wide, plain = (
        ob.load(samples / "formats/scores" / name) for name in ("long.csv", "RNOD.csv", "NMD.txt")
    )
    assert (ob.score(long)["RNOD"] == ob.score(wide)["RNOD"]).all(axis=None)
    assert (ob.score(long, ["NMD"]).values == ob.score(plain).values).all()
    assert plain.topics == ("1", "2", "3", "4", "5")
    assert plain.runs == wide.runs == long.runs
    fair = ob.score(ob.load("fair-oq"), ["RNOD"])
    np.testing.assert_allclose(ob.score(wide).values, fair.values[:, :5, :3], atol=1e-12)


def read_triples(path):
    """Tabs between topic, class and share."""
    lines = [line.split("\t") for line in read_text(path).splitlines()]
    triples = table_of(path, ["topic", "class", "share"], lines, first=1)
    rows, first = {}, {}
    for (topic, label, share), line in zip(triples.rows, triples.lines, strict=True):
        rows.setdefault(topic, {})[label] = share
        first.setdefault(topic, line)
    classes = list(dict.fromkeys(triples.column("class")))
    cells = [[topic, *(of.get(name, "0") for name in classes)] for topic, of in rows.items()]
    return formats.shares(
        Table(path, ["topic", *classes], cells, [*first.values()], triples.faults)
    )


def read_dialogues(path):
    """JSON: a list of dialogues, each with graded turns."""
    rows = []
    for number, entry in enumerate(read_json(path), 1):
        place = Place(str(path), f"dialogue {number}")
        for turn in field(as_object(entry, place), "turns", list, place):
            rows.append([entry["id"], turn["n"], field(turn, "grade", int, place)])
    return formats.labels(Table(path, ["topic", "item", "label"], rows, [None] * len(rows)))


NEW = {
    "share-triples": (
        formats.Format("share-triples", read_triples, lambda path, text: "\t" in text),
        {"good": "a\t1\t.2\na\t2\t.8\nb\t2\t1\n", "bad": "a\t1\t.2\na\t2\t.9\nb\t2\t1\n"},
        "line 1: a sum of 1.1, not 1 within 1e-05; divide",
    ),
    "dialogues": (
        formats.Format("dialogues", read_dialogues, lambda path, text: text.startswith("[")),
        {
            "good": '[{"id": "a", "turns": [{"n": 1, "grade": 1}, {"n": 2, "grade": 2}]}]',
            "bad": '[{"id": "a", "turns": [{"n": 1, "grade": 1}, {"n": 1, "grade": 2}]}]',
            "other": '[{"id": "a"}]',
        },
        "bad.json: item '1' of topic 'a' a second time; keep",
        "bad.json: no answer for item '2' of topic 'a'",
        "other.json, dialogue 1: no 'turns'; add it, a list",
    ),
}


@pytest.mark.parametrize("name", NEW)
def test_a_new_format_is_a_function_and_a_row(name, tmp_path, monkeypatch):
    """Two that a contributor might add; its faults are found and placed as those of others."""
    new, files, *messages = NEW[name]
    monkeypatch.setattr(formats, "FORMATS", {name: new, **formats.FORMATS})
    ending = ".json" if name == "dialogues" else ".tsv"
    (tmp_path / "runs").mkdir()
    (tmp_path / f"gold{ending}").write_text(files["good"])
    for run, text in files.items():
        (tmp_path / "runs" / (run + ending)).write_text(text)
    report = str(check(tmp_path, ["1", "2"]))
    for message in messages:
        assert message in report
    alone = check(tmp_path / f"gold{ending}", ["1", "2"])
    assert "a gold file alone; name the folder with the gold file and runs/" in str(alone)
    task = ob.load(tmp_path, classes=[1, 2], skip_invalid=True)
    assert task.runs == ("good",)
    best = ob.score(task, ["NMD" if task.kind == "quantification" else "MAE_mu"])
    assert (best.values == 0).all()


@pytest.mark.parametrize(
    ("gold", "message"),
    [
        ('[{"id": "a", "turns": [{"n": 1, "grade": "O"}, {"n": 2, "grade": "X"}]}]', "the classes"),
        ('[{"id": "a", "turns": []}]', "no answer in the file; add the gold data"),
    ],
)
def test_a_new_format_without_lines_may_be_wrong(gold, message, tmp_path, monkeypatch):
    """Words whose order no list says, and a file without an answer."""

    def read(path):
        rows = [["a", turn["n"], turn["grade"]] for turn in read_json(path)[0]["turns"]]
        return formats.labels(Table(path, ["topic", "item", "label"], rows, [None] * len(rows)))

    new = formats.Format("dialogues", read, lambda path, text: text.startswith("["))
    monkeypatch.setattr(formats, "FORMATS", {"dialogues": new, **formats.FORMATS})
    (tmp_path / "gold.json").write_text(gold)
    assert f"gold.json: {message}" in str(check(tmp_path))
