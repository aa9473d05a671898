"""What DialEval-1's organisers do before and after scoring, and the names of run files."""

import gzip
import json
import math

import pytest

import ordbook as ob
from cases import case
from ordbook.data.dialeval import RunFile, half, log2_scores, merge_posts, run_file
from ordbook.data.nuggets import NuggetTask


def posts(senders):
    names = {"C": "customer", "H": "helpdesk"}
    return [{"sender": names[s], "utterances": [str(i)]} for i, s in enumerate(senders)]


def test_the_example_of_the_overview():
    """Section 2.1: [pC, pC, pC, pH, pH, pH, pC, pC] is a dialogue of three turns."""
    turns = merge_posts(posts("CCCHHHCC"))
    assert [turn["sender"] for turn in turns] == ["customer", "helpdesk", "customer"]
    assert [turn["utterances"] for turn in turns] == [list("012"), list("345"), list("67")]


def test_merging_leaves_its_input_alone_and_merges_once():
    before = posts("CCH")
    once = merge_posts(before)
    assert before == posts("CCH")
    assert merge_posts(once) == once
    assert merge_posts([]) == []
    assert merge_posts([{"sender": "customer"}]) == [{"sender": "customer", "utterances": []}]


def test_a_sender_nobody_knows_is_refused():
    with pytest.raises(ValueError, match="post 2: the sender is 'bot'; expected customer or"):
        merge_posts([{"sender": "customer"}, {"sender": "bot"}])


def test_the_posts_of_stc3_are_merged_already(raw_files):
    with gzip.open(raw_files / "stc3/test_annotations_notext.json.gz") as file:
        dialogues = json.load(file)
    assert all(merge_posts(d["turns"]) == d["turns"] for d in dialogues)


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


def quality_task(estimates):
    return ob.QuantificationTask.from_arrays(
        [[1, 0, 0]] * 2, estimates, topics=["a", "b"], name="toy"
    )


def test_the_logarithm_is_of_the_mean():
    """By hand: NMD is 1/2 and 1/8; the mean 5/16. The mean of the logarithms would be 2."""
    scores = ob.score(quality_task({"A": [[0.5, 0, 0.5], [0.75, 0.25, 0]]}), ["NMD"])
    assert log2_scores(scores).loc["A", "NMD"] == pytest.approx(-math.log2(5 / 16), abs=1e-15)
    assert log2_scores(scores, ["b"]).loc["A", "NMD"] == 3


def test_a_perfect_run_is_infinitely_good():
    scores = ob.score(quality_task({"A": [[1, 0, 0]] * 2}), ["NMD"])
    assert log2_scores(scores).loc["A", "NMD"] == math.inf


def test_topics_and_measures_that_do_not_fit_are_refused():
    scores = ob.score(quality_task({"A": [[1, 0, 0]] * 2}), ["NMD"])
    with pytest.raises(ValueError, match="toy: there is no topic 'c'"):
        log2_scores(scores, ["a", "c"])
    with pytest.raises(ValueError, match="toy: no topic was chosen"):
        log2_scores(scores, [])
    dnkt = ob.score(quality_task({"A": [[0.5, 0.3, 0.2]] * 2}), ["NMD"])
    high = type(dnkt)(
        dnkt.task, dnkt.values, dnkt.measures, dnkt.topics, dnkt.runs, {"NMD": "high"},
        dnkt.provenance,
    )  # fmt: skip
    with pytest.raises(ValueError, match="high scores of NMD are better"):
        log2_scores(high)


def test_a_half_is_the_same_each_time_and_another_with_another_seed():
    topics = [str(i) for i in range(301)]
    assert len(half(topics)) == 151
    assert half(topics) == half(topics) != half(topics, seed=1)
    assert list(half(topics)) == [t for t in topics if t in set(half(topics))], "their order stays"


def test_a_nugget_score_by_hand():
    """Customer's turns score RNSS 1 and 0, the helpdesk's 1/2: alpha / 2 + (1 - alpha) / 2."""
    for alpha in [0.0, 0.3, 0.5, 1.0]:
        with case(alpha):
            task = NuggetTask.from_turns(
                [["customer", "helpdesk", "customer"]],
                [[[1, 0, 0, 0], [1, 0, 0], [0, 1, 0, 0]]],
                {"A": [[[0, 1, 0, 0], [0.5, 0.5, 0], [0, 1, 0, 0]]]},
            )
            task = type(task)(**{**vars(task), "alpha": alpha})
            assert ob.score(task, ["RNSS"]).values.item() == pytest.approx(0.5)
            uneven = NuggetTask.from_turns(
                [["customer", "helpdesk"]],
                [[[1, 0, 0, 0], [1, 0, 0]]],
                {"A": [[[0, 1, 0, 0], [1, 0, 0]]]},
            )
            uneven = type(uneven)(**{**vars(uneven), "alpha": alpha})
            assert ob.score(uneven, ["JSD"]).values.item() == pytest.approx(alpha)


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
