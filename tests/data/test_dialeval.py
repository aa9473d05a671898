"""Run files of DialEval: what their names say, and which of them are read."""

import json

import pytest

import ordbook as ob
from ordbook.data.ntcir import about

RUN_FILES = {
    "run0_nugget_chinese_test_submission.json": "nugget",
    "run0_quality_english_test_submission.json": "quality",
    "run2_quality_en.json.gz": "quality",
    "quality_en.json": "quality",
    "a_nugget_b_quality_cn.json": "quality",
    "cn.json": "",
    "myquality.json": "",
    "run1_nugget_fr.json": "",
    "nugget_like.json": "",
}


@pytest.mark.parametrize(("name", "kind"), RUN_FILES.items())
def test_names_of_run_files(name, kind):
    said = {about(part, name) for part in ("A", "nugget")}
    assert said == {"", f"its name says {kind}" if kind else ""}


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
        "runs/run1_nugget_cn.json, run2_nugget.json, run3_nugget.json were not read: its name says "
        "nugget.",
    ), "one note for all"
