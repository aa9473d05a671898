"""The second cell of a chapter and its last."""

import papermill
import pytest

from ordbook.files import share
from ordbook.show.parameters import join_classes
from ordbook.show.run import (
    CHAPTERS,
    NUMBERS,
    ClaimError,
    split_classes,
    start,
    verify,
)

ACL21 = {"classification": "sem16t4c", "quantification": "sem16t4e", "classes": ""}
GOLD = "topic,item,label\ncats,1,low\ncats,2,high\n"


@pytest.fixture(autouse=True)
def quiet(monkeypatch):
    """What a chapter displays, collected."""
    shown = []
    monkeypatch.setattr("ordbook.show.run.display", shown.append)
    return shown


def test_the_defaults_of_every_chapter_are_the_data_of_its_paper():
    for chapter, data in CHAPTERS.items():
        found = papermill.inspect_notebook(share("book", f"{chapter}.ipynb"))
        assert {name: found[name]["default"].strip('"') for name in data} == dict(data)
        options = {"classes", "reading"}
        assert {*data, *options} <= found.keys() <= {*data, *options, "own", "runs", *NUMBERS}
        for name, parameter in found.items():
            kind = "int" if name in NUMBERS else "dict" if name == "reading" else "str"
            assert parameter["inferred_type_name"] == kind
            assert parameter["help"]


def test_start_says_where_the_numbers_come_from(no_raw_files, quiet):
    start("acl21", **ACL21)
    line = quiet[0].data
    assert "**sem16t4c** (classification): 100 topics, 12 runs, 5 classes; committed" in line
    assert "sums miss 1 by up to 0\\.002" in line, "what the reader accepted is told"


@pytest.mark.slow
def test_start_says_when_scores_are_recomputed(raw_files, quiet):
    start("acl21", **ACL21)
    assert "recomputed from the raw files and equal to the committed ones" in quiet[0].data


IMPOSSIBLE = [
    ({"classificaton": "x"}, "acl21 has no parameter 'classificaton'; it has classification"),
    ({"classification": 3}, "classification must be text, not 3"),
    ({"classification": "sem16t4x"}, "sem16t4x: neither a path that exists nor one of"),
    ({"classification": "sem16t4e"}, "'sem16t4e': this is a quantification task"),
    ({"classification": "", "quantification": ""}, "every part is left out"),
    ({"classes": "low,,high"}, "there is an empty label"),
    ({"trials": 10}, "trials must lie between 100 and 10000000, not 10"),
    ({"seeds": "many"}, "seeds must be a whole number, not 'many'"),
    ({"runs": "finki"}, "runs='finki': name two different runs, separated by a comma"),
    ({"runs": "finki, nobody"}, "no run 'nobody'; there are .*finki"),
]


@pytest.mark.parametrize(("change", "message"), IMPOSSIBLE)
def test_impossible_parameters_are_refused(change, message, no_raw_files):
    with pytest.raises(ValueError, match=message):
        start("acl21", **(ACL21 | change))


def test_a_missing_parameter_and_an_unknown_chapter_are_refused():
    with pytest.raises(ValueError, match="acl21 also needs the parameter 'classes'"):
        start("acl21", classification="sem16t4c", quantification="")
    with pytest.raises(ValueError, match="no chapter 'acl22'; there are .*acl21"):
        start("acl22")


def test_data_of_your_own(tmp_path, quiet):
    (tmp_path / "runs").mkdir()
    for name in ("gold.csv", "runs/a.csv", "runs/b.csv"):
        (tmp_path / name).write_text(GOLD)
    run = start("acl21", classification=str(tmp_path), quantification="", classes="low,high")
    assert run.task("classification").classes == ("low", "high")
    with pytest.raises(ValueError, match="this edition of acl21 has no quantification task"):
        run.task("quantification")


def test_a_folder_of_the_same_name_is_not_the_papers_data(tmp_path, quiet):
    folder = tmp_path / "sem16t4c"
    (folder / "runs").mkdir(parents=True)
    for name in ("gold.csv", "runs/a.csv", "runs/b.csv"):
        (folder / name).write_text(GOLD)
    run = start("acl21", classification=str(folder), quantification="", classes="low,high")
    assert run.task("classification").name == "sem16t4c"


SPLIT = [
    ("", None),
    (" ", None),
    ("-1,0,1", ["-1", "0", "1"]),
    (" low , high ", ["low", "high"]),
    ('"agree, fully", agree,disagree', ["agree, fully", "agree", "disagree"]),
    ('5",6"', ['5"', '6"']),
    ('"""so""",no', ['"so"', "no"]),
]


@pytest.mark.parametrize(("text", "labels"), SPLIT)
def test_split_classes(text, labels):
    assert split_classes(text) == labels
    assert split_classes(join_classes(labels)) == labels


def test_a_claim_that_is_not_so_stops_the_chapter():
    assert verify({"a": True, "b": 1}).data == "Checked: the claims of this page hold."
    with pytest.raises(ClaimError, match="no longer so: b; c"):
        verify({"a": True, "b": 0, "c": False})
