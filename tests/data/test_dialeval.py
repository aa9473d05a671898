"""Names of run files, and scores of nuggets by hand."""

import json

import ordbook as ob
from cases import case
from ordbook.data.dialeval import RunFile, run_file

RUN_FILES = [
    ("run0_nugget_chinese_test_submission.json", ("run0", "nugget", "cn")),
    ("run0_quality_english_test_submission.json", ("run0", "quality", "en")),
    ("run1_nugget_cn.json", ("run1", "nugget", "cn")),
    ("run2_quality_en.json.gz", ("run2", "quality", "en")),
    ("quality_en.json", ("", "quality", "en")),
    ("ours-turns_quality.json", ("ours-turns", "quality", "")),
    ("a_nugget_b_quality_cn.json", ("a_nugget_b", "quality", "cn")),
]


def test_names_of_run_files():
    for name, expected in RUN_FILES:
        with case(name, expected):
            assert run_file(name) == RunFile(*expected)


def test_other_names_say_nothing():
    for name in ["cn.json", "myquality.json", "run1_nugget_fr.json", "nugget.csv"]:
        with case(name):
            assert run_file(name) is None


def test_the_organisers_names_are_understood(raw_files):
    found = [run_file(path.name) for path in (raw_files / "dialeval2-baselines").glob("*.json")]
    assert {(f.run, f.kind, f.language) for f in found} == {
        (f"run{i}", kind, "cn") for i in range(3) for kind in ("quality", "nugget")
    }


def test_a_folder_may_hold_runs_of_both_kinds(tmp_path):
    """One submission has a quality and a nugget file for each run; ``part`` says which is read."""
    quality = {part: {str(c): 0.2 for c in range(-2, 3)} for part in "AES"}
    vote = {"quality": {"A": 0, "E": 1, "S": -1}, "nugget": ["CNUG0"]}
    gold = [{"id": "d", "turns": [{"sender": "customer"}], "annotations": [vote]}]
    nugget = [{"CNUG0": 1, "CNUG": 0, "CNUG*": 0, "CNaN": 0}]
    (tmp_path / "runs").mkdir()
    for file, content in {
        "gold.json": gold,
        "runs/run1_quality_cn.json": [{"id": "d", "quality": quality}],
        "runs/run1_nugget_cn.json": [{"id": "d", "nugget": nugget}],
    }.items():
        (tmp_path / file).write_text(json.dumps(content), encoding="utf-8")
    dq, nd = ob.load(tmp_path, part="A"), ob.load(tmp_path, part="nugget")
    assert (dq.runs, nd.runs) == (("run1_quality_cn",), ("run1_nugget_cn",))
    assert dq.provenance.notes == ("runs/run1_nugget_cn.json was not read: its name says nugget.",)
    assert ob.score(nd, ["JSD"]).values.item() == 0
    for name in ("run2_nugget", "run3_nugget"):
        (tmp_path / f"runs/{name}.json").write_text(json.dumps(nugget), encoding="utf-8")
    assert ob.load(tmp_path, part="A").provenance.notes == (
        "3 files in runs were not read, such as run1_nugget_cn.json: its name says nugget.",
    ), "one note for all"
