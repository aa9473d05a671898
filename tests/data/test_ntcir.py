"""Readers for NTCIR's annotations and runs: what they accept, and how they refuse the rest."""

import gzip
import json

import pytest

import ordbook as ob
from helpers import task_folders
from ordbook.data.ntcir import about

# Simulated: two dialogues, three assessors.
ANNOTATIONS = [
    {
        "id": "d1",
        "turns": [{"sender": "customer", "utterances": []}, {"sender": "helpdesk"}],
        "annotations": [
            {"quality": {"A": -2, "E": 0, "S": 1}, "nugget": ["CNUG0", "HNUG"]},
            {"quality": {"A": -2, "E": 2, "S": 1}, "nugget": ["CNUG0", "HNUG*"]},
            {"quality": {"A": 1, "E": 2, "S": 1}, "nugget": ["CNaN", "HNaN"]},
        ],
    },
    {
        "id": "d2",
        "turns": [{"sender": "customer"}],
        "annotations": [{"quality": {"A": 0, "E": 0, "S": 0}, "nugget": ["CNUG*"]}] * 3,
    },
]
EVEN = {"2": 0.2, "1": 0.2, "0": 0.2, "-1": 0.2, "-2": 0.2}
QUALITY = [
    {"id": "d2", "quality": {"A": EVEN, "E": EVEN, "S": EVEN}},
    {
        "id": "d1",
        "quality": {"A": {"2": 0, "-2": 1, "0": 0, "1": 0, "-1": 0}, "E": EVEN, "S": EVEN},
    },
]
TYPES = {"CNUG0": 0.5, "CNaN": 0.5, "CNUG": 0, "CNUG*": 0}
NUGGET = [
    {"id": "d1", "nugget": [TYPES, {"HNaN": 0.25, "HNUG": 0.5, "HNUG*": 0.25}]},
    {"id": "d2", "nugget": [TYPES]},
]


def write(folder, gold=ANNOTATIONS, run=QUALITY, name="gold.json"):
    """A folder as ordbook.load reads it; contents are text, bytes or what becomes JSON."""
    files = {name: gold, "runs/r.json": run}
    texts = {path: x if isinstance(x, bytes) else json.dumps(x) for path, x in files.items()}
    return task_folders.write(folder, texts)


def test_a_quality_task_is_read_whole(tmp_path):
    task = ob.load(write(tmp_path), part="A")
    assert (task.topics, task.runs, task.classes) == (
        ("d1", "d2"),
        ("r",),
        ("-2", "-1", "0", "1", "2"),
    )
    assert task.gold.tolist() == [[2 / 3, 0, 0, 1 / 3, 0], [0, 0, 1, 0, 0]]
    assert task.estimates.tolist() == [[[1, 0, 0, 0, 0], [0.2] * 5]], "keys and ids in any order"
    assert set(task.provenance.files) == {"gold.json", "runs/r.json"}
    assert ob.load(tmp_path, part="E").gold.tolist()[0] == [0, 0, 1 / 3, 0, 2 / 3]


def test_a_nugget_task_is_read_whole(tmp_path):
    task = ob.load(write(tmp_path, run=NUGGET), part="nugget")
    assert task.customer.gold.tolist() == [[2 / 3, 0, 0, 1 / 3], [0, 0, 1, 0]]
    assert task.helpdesk.gold.tolist() == [[1 / 3, 1 / 3, 1 / 3]]
    assert task.helpdesk.estimates.tolist() == [[[0.5, 0.25, 0.25]]]
    assert task.customer.topic.tolist() == [0, 1]


def test_an_annotation_file_alone(tmp_path):
    for name, packed in (("a.json", False), ("a.json.gz", True)):
        content = json.dumps(ANNOTATIONS).encode()
        (tmp_path / name).write_bytes(gzip.compress(content) if packed else content)
        task = ob.load(tmp_path / name, part="S")
        assert (task.name, task.runs, task.provenance.source) == ("a", (), "yours")
        assert task.with_baselines().estimates[1].tolist() == task.gold.tolist()
    with pytest.raises(ValueError, match="holds several tasks; choose one with --part=A"):
        ob.load(tmp_path / "a.json")
    with pytest.raises(ValueError, match="part='B' is not one of A, E, S and nugget"):
        ob.load(tmp_path / "a.json", part="B")
    with pytest.raises(ValueError, match="classes: this is for CSV"):
        ob.load(tmp_path / "a.json", part="A", classes=["1", "2"])


def spoiled(content, *path, value=None, drop=False):
    """A copy of `content` with the value at a path replaced or dropped."""
    content = json.loads(json.dumps(content))  # unlike deepcopy, nothing is shared afterwards
    *above, last = path
    place = content
    for step in above:
        place = place[step]
    if drop:
        del place[last]
    else:
        place[last] = value
    return content


D1 = r"gold\.json, dialogue 'd1'"
R1 = r"r\.json, dialogue 'd1'"
BAD_ANNOTATIONS = [
    (spoiled(ANNOTATIONS, 0, "id", drop=True), r"dialogue number 1: no 'id'; add it, a string"),
    (
        spoiled(ANNOTATIONS, 1, "id", value="d1"),
        r"gold\.json: dialogue 'd1' a second time; keep one row",
    ),
    (
        spoiled(ANNOTATIONS, 0, "turns", 1, "sender", value="robot"),
        rf"{D1}, turn 2: the sender 'robot'; write customer or helpdesk",
    ),
    (
        spoiled(ANNOTATIONS, 0, "annotations", 0, "nugget", value=["CNUG"]),
        rf"{D1}, annotator 1: 1 nugget for 2 turns",
    ),
    (
        spoiled(ANNOTATIONS, 0, "annotations", 0, "quality", "A", value=3),
        rf"{D1}, annotator 1, A: the label '3'; write one of -2, -1",
    ),
]
BAD_RUNS = [
    ("A", [*QUALITY, QUALITY[1]], r"r\.json: dialogue 'd1' a second time"),
    ("A", NUGGET, rf"{R1}: no 'quality', but 'nugget'; if .* end in _nugget\.json; or"),
    ("nugget", spoiled(NUGGET, 0, "nugget", value=[TYPES]), r"no answer for turn '2 \(helpdesk\)'"),
    (
        "nugget",
        spoiled(NUGGET, 0, "nugget", 1, value=TYPES),
        r"turn '2 \(customer\)' of dialogue 'd1', which gold\.json does not have",
    ),
    ("nugget", spoiled(NUGGET, 0, "nugget", 1, "HNUG", drop=True), rf"{R1}, turn 2, HNUG: an empt"),
    ("nugget", spoiled(NUGGET, 0, "nugget", 0, "HNUG", value=0), rf"{R1}, turn 1: types of both"),
    ("nugget", spoiled(NUGGET, 0, "nugget", 0, "CNaN", value=0.4), rf"{R1}, turn 1: a sum of 0\.9"),
]
BAD = [
    ("nugget" if "turn" in message else "A", {"gold": gold}, message)
    for gold, message in BAD_ANNOTATIONS
]
BAD += [(part, {"run": run}, message) for part, run, message in BAD_RUNS]


@pytest.mark.parametrize(("part", "files", "message"), BAD)
def test_what_is_wrong_is_said_in_a_line(part, files, message, tmp_path):
    with pytest.raises(ValueError, match=message) as caught:
        ob.load(write(tmp_path, **files), part=part)
    assert "\n" not in str(caught.value)


def test_decimals_explain_the_sums_of_a_turn_as_those_of_a_row(tmp_path):
    """Of the seven types, a customer's turn has four: two decimals may miss 1 by .02, not .035."""
    for share, accepted in ((0.48, True), (0.47, False)):
        folder = write(tmp_path, run=spoiled(NUGGET, 0, "nugget", 0, "CNaN", value=share))
        if accepted:
            (*_, note) = ob.load(folder, part="nugget").provenance.notes
            assert "sums miss 1 by up to 0.02" in note
        else:
            with pytest.raises(
                ValueError, match=r"d1', turn 1: a sum of 0\.97, not 1 within 0\.02"
            ):
                ob.load(folder, part="nugget")


def test_part_is_for_ntcir_files(tmp_path):
    with pytest.raises(ValueError, match="part= is for files; a catalogued task has its own"):
        ob.load("stc3-dq-a", part="E")
    task_folders.write_task(tmp_path, "t\t.5\t.5\n", "gold.txt")
    with pytest.raises(ValueError, match="part: this is for NTCIR files"):
        ob.load(tmp_path, part="A")


def test_the_organisers_samples(raw_files, tmp_path):
    """DialEval-2's baseline runs, read against simulated votes on the same dialogues."""
    samples = raw_files / "dialeval2-baselines"
    entries = json.loads((samples / "run1_nugget_cn.json").read_text("utf-8"))
    gold = []
    for entry in entries:
        senders = ["customer" if "CNaN" in turn else "helpdesk" for turn in entry["nugget"]]
        labels = ["CNaN" if sender == "customer" else "HNaN" for sender in senders]
        votes = {"quality": {"A": 0, "E": 0, "S": 0}, "nugget": labels}
        turns = [{"sender": sender} for sender in senders]
        gold.append({"id": entry["id"], "turns": turns, "annotations": [votes]})
    for run in ("run0_quality_chinese_test_submission", "run1_quality_cn", "run2_quality_cn"):
        task = ob.load(write(tmp_path, gold, (samples / f"{run}.json").read_bytes()), part="E")
        assert task.estimates.shape == (1, len(entries), 5)
    write(tmp_path, gold, (samples / "run2_nugget_cn.json").read_bytes())
    assert ob.load(tmp_path, part="nugget").customer.estimates.shape[2] == 4
    # A neural one misses 1 by .00008; the uniform one gives .2 to each of four types.
    for run, total in (("run0_nugget_chinese_test_submission", 0.999918), ("run1_nugget_cn", 0.8)):
        write(tmp_path, gold, (samples / f"{run}.json").read_bytes())
        with pytest.raises(ValueError, match=f"turn 1: a sum of {total}, not 1"):
            ob.load(tmp_path, part="nugget")


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
    runs = {"quality": quality, "nugget": nugget}
    texts = {f"run1_{kind}_cn": json.dumps([{"id": "d", kind: runs[kind]}]) for kind in runs}
    task_folders.write_task(tmp_path, json.dumps(gold), "gold.json", **texts)
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
