"""The second cell of a chapter and its last."""

import papermill
import pytest

from ordbook.book.parameters import CHAPTERS, ClaimError, Run, split_classes, start, verify
from ordbook.data.catalog import RawDataMissing
from ordbook.data.paths import share
from ordbook.papers.verdicts import compare

ACL21 = {"classification": "sem16t4c", "quantification": "sem16t4e", "classes": ""}
GOLD = "1\tcats\tlow\n2\tcats\thigh\n"


@pytest.fixture(autouse=True)
def quiet(monkeypatch):
    """What a chapter displays, collected."""
    shown = []
    monkeypatch.setattr("ordbook.book.parameters.display", shown.append)
    return shown


def test_the_defaults_of_every_chapter_are_the_data_of_its_paper():
    for chapter, data in CHAPTERS.items():
        found = papermill.inspect_notebook(share("book", f"{chapter}.ipynb"))
        assert {name: found[name]["default"].strip('"') for name in data} == dict(data)
        assert found.keys() == {*data, "classes"}
        assert all(p["inferred_type_name"] == "str" and p["help"] for p in found.values())


def test_start_says_where_the_numbers_come_from(no_raw_files, quiet):
    run = start("acl21", **ACL21)
    line = quiet[0].data
    assert "**sem16t4c** (classification): 100 topics, 12 runs, 5 classes; committed" in line
    assert "sums miss 1 by up to 0\\.002" in line, "what the reader accepted is told"
    assert run.has("classification")
    assert run.on_papers_data("quantification")


def test_start_says_when_scores_are_recomputed(raw_files, quiet):
    start("acl21", **ACL21)
    assert "recomputed from the raw files and equal to the committed ones" in quiet[0].data


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"classificaton": "x"}, "acl21 has no parameter 'classificaton'; it has classification"),
        ({"classification": 3}, "classification must be text, not 3"),
        ({"classification": "sem16t4x"}, "sem16t4x: neither a path that exists nor one of"),
        ({"classification": "sem16t4e"}, "'sem16t4e': this is a quantification task"),
        ({"classification": "", "quantification": ""}, "every part is idle"),
        ({"classes": "low,,high"}, "there is an empty label"),
    ],
)
def test_impossible_parameters_are_refused(change, message):
    with pytest.raises(ValueError, match=message):
        start("acl21", **(ACL21 | change))


def test_a_missing_parameter_and_an_unknown_chapter_are_refused():
    with pytest.raises(ValueError, match="acl21 also needs the parameter 'classes'"):
        start("acl21", classification="sem16t4c", quantification="")
    with pytest.raises(ValueError, match="no chapter 'acl22'; there are .*acl21"):
        start("acl22")


def test_data_of_your_own(tmp_path, quiet):
    (tmp_path / "runs").mkdir()
    for name in ("gold.txt", "runs/a.txt", "runs/b.txt"):
        (tmp_path / name).write_text(GOLD)
    run = start("acl21", classification=str(tmp_path), quantification="", classes="low,high")
    assert run.task("classification").classes == ("low", "high")
    assert not run.on_papers_data("classification")
    assert not run.has("quantification")
    assert "Idle" in quiet[-1].data
    run.compare("2i", "caption", part="classification")
    assert "Table 2i was printed for sem16t4c; this edition is about other data" in quiet[
        -1
    ].data.replace("\\", "")
    assert run.comparisons == {"2i": None}
    assert "Nothing to verify" in verify(run, {"2i": {"exact": 36}}).data
    with pytest.raises(ValueError, match="this edition of acl21 has no quantification task"):
        run.task("quantification")


def test_a_folder_of_the_same_name_is_not_the_papers_data(tmp_path, quiet):
    folder = tmp_path / "sem16t4c"
    (folder / "runs").mkdir(parents=True)
    for name in ("gold.txt", "runs/a.txt", "runs/b.txt"):
        (folder / name).write_text(GOLD)
    run = start("acl21", classification=str(folder), quantification="", classes="low,high")
    assert run.task("classification").name == "sem16t4c"
    assert not run.on_papers_data("classification")
    assert "This edition is about **sem16t4c**" in quiet[1].data


def test_reasons_and_notes_are_shown_below_a_table(no_raw_files, quiet):
    run = start("dnkt", quantification="sem16t4e", classes="")
    ours = {("DNKT", "JSD"): 0.7}
    run.compare(
        "21a",
        "caption",
        ours=lambda: ours,
        reasons={("DNKT", "JSD"): "a reason with *stars*"},
        not_public="an example",
    )
    remarks = quiet[-1].data
    assert "- **DNKT, JSD**: a reason with \\*stars\\*" in remarks
    assert "- Not public: an example." in remarks
    run.compare("3", "caption", not_public="an example")
    assert "How the printed values were read" in quiet[-1].data
    assert "breaks the row" in quiet[-1].data


def test_a_table_about_no_data_is_compared_in_every_edition(no_raw_files, quiet):
    run = start("dnkt", quantification="stc3-dq-a", classes="")
    run.compare("1", "caption", part="", not_public="an example")
    assert run.comparisons["1"].counts() == {"not public": 36}
    run.compare("3", "caption", not_public="an example")
    assert run.comparisons["3"] is None


def test_printed_values_in_absent_raw_files_leave_a_table_idle(no_raw_files, quiet):
    def absent():
        raise RawDataMissing("get them from somewhere")

    run = start("dnkt", quantification="sem16t4e", classes="")
    run.compare("X", "caption", printed=absent)
    assert run.comparisons == {"X": None}
    assert "cannot be compared here: get them" in quiet[-1].data.replace("\\", "")


def test_verify_holds_a_chapter_to_its_claims():
    run = Run("acl21", {})
    run.comparisons["8i"] = compare("acl21", "8i", not_public="an example")
    assert "15 printed values in 1 tables" in verify(run, {"8i": {"not public": 15}}).data
    with pytest.raises(ClaimError, match=r"Table 8i .*claimed \{'exact': 15\}, found \{'not publ"):
        verify(run, {"8i": {"exact": 15}})
    with pytest.raises(ClaimError, match="compares tables 8i and claims verdicts for 8i, 2i"):
        verify(run, {"8i": {"not public": 15}, "2i": {"exact": 36}})
    with pytest.raises(ClaimError, match="claims verdicts for $"):
        verify(run, {})


@pytest.mark.parametrize(
    ("text", "labels"),
    [("", None), ("-1,0,1", ["-1", "0", "1"]), (" low , high ", ["low", "high"])],
)
def test_split_classes(text, labels):
    assert split_classes(text) == labels
