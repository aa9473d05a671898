"""The second cell of a chapter and its last."""

import json

import numpy as np
import pandas as pd
import papermill
import pytest

import ordbook as ob
from cases import case
from ordbook.book.chapters import check_number, join_classes
from ordbook.book.parameters import (
    CHAPTERS,
    NUMBERS,
    ClaimError,
    Run,
    split_classes,
    start,
    verify,
)
from ordbook.data.catalog import RawDataMissing
from ordbook.data.nuggets import NUGGETS
from ordbook.data.paths import share
from ordbook.data.printed import printed_values
from ordbook.papers.comparison import OtherVerdict, compare

ACL21 = {"classification": "sem16t4c", "quantification": "sem16t4e", "classes": ""}
GOLD = "1\tcats\tlow\n2\tcats\thigh\n"


@pytest.fixture(autouse=True)
def quiet(monkeypatch):
    """What a chapter displays, collected."""
    shown = []
    monkeypatch.setattr("ordbook.book.parameters.display", shown.append)
    monkeypatch.setattr("ordbook.book.chapter_run.display", shown.append)
    return shown


def test_the_defaults_of_every_chapter_are_the_data_of_its_paper():
    for chapter, data in CHAPTERS.items():
        found = papermill.inspect_notebook(share("book", f"{chapter}.ipynb"))
        assert {name: found[name]["default"].strip('"') for name in data} == dict(data)
        assert {*data, "classes"} <= found.keys() <= {*data, "classes", "own", "runs", *NUMBERS}
        for name, parameter in found.items():
            assert parameter["inferred_type_name"] == ("int" if name in NUMBERS else "str")
            assert parameter["help"]


def test_start_says_where_the_numbers_come_from(no_raw_files, quiet):
    run = start("acl21", **ACL21)
    line = quiet[0].data
    assert "**sem16t4c** (classification): 100 topics, 12 runs, 5 classes; committed" in line
    assert "sums miss 1 by up to 0\\.002" in line, "what the reader accepted is told"
    assert run.has("classification")
    assert run.on_papers_data("quantification")


@pytest.mark.slow
def test_start_says_when_scores_are_recomputed(raw_files, quiet):
    start("acl21", **ACL21)
    assert "recomputed from the raw files and equal to the committed ones" in quiet[0].data


@pytest.mark.slow
def test_measures_of_the_reader_join_those_of_the_paper(tmp_path, quiet):
    path = tmp_path / "mine.py"
    path.write_text(
        "from ordbook.measures import custom_measure\n"
        "WORST = custom_measure('worst', lambda g, e: abs(g - e).max(axis=-1), better='low')\n"
    )
    run = start("acl21", **ACL21, own=f"{path}:WORST")
    assert [getattr(m, "name", m) for m in run.measures("quantification", ["NMD"])] == [
        "NMD",
        "worst",
    ]
    assert run.measures("classification", ["HMPR"]) == ["HMPR"]
    assert "measures of your own: worst" in quiet[1].data
    with pytest.raises(ValueError, match="worst: this edition has no quantification task"):
        start("acl21", **(ACL21 | {"quantification": ""}), own=f"{path}:WORST")


IMPOSSIBLE = [
    ({"classificaton": "x"}, "acl21 has no parameter 'classificaton'; it has classification"),
    ({"classification": 3}, "classification must be text, not 3"),
    ({"classification": "sem16t4x"}, "sem16t4x: neither a path that exists nor one of"),
    ({"classification": "sem16t4e"}, "'sem16t4e': this is a quantification task"),
    ({"classification": "", "quantification": ""}, "every part is idle"),
    ({"classes": "low,,high"}, "there is an empty label"),
    ({"trials": 10}, "trials must lie between 100 and 10000000, not 10"),
    ({"seeds": "many"}, "seeds must be a whole number, not 'many'"),
    ({"seeds": True}, "seeds must be a whole number, not True"),
    ({"own": "math:pi"}, "that is no measure"),
    ({"runs": "finki"}, "runs='finki': name two different runs, separated by a comma"),
    ({"runs": "finki, nobody"}, "no run 'nobody'; there are .*finki"),
]


def test_impossible_parameters_are_refused(no_raw_files):
    for change, message in IMPOSSIBLE:
        with case(change, message), pytest.raises(ValueError, match=message):
            start("acl21", **(ACL21 | change))


def test_numbers_of_numpy_are_whole_numbers():
    assert type(check_number("seed", np.int8(3))) is int


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
    assert "Table 2(i) was printed for sem16t4c; this edition is about other data" in quiet[
        -1
    ].data.replace("\\", "")
    assert run.comparisons == {"2i": None}
    said = verify(run, {"2i": {"exact": 36}}).data
    assert said.startswith("Idle. Nothing to verify"), "which editions leave out"
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


def test_reasons_and_notes_are_shown_below_a_table(no_raw_files, quiet):
    run = start("lq21", quantification="sem16t4e", classes="")
    run.compare("4h", "caption")
    remarks = quiet[-1].data
    assert remarks.count("repeats the eight numbers") == 1, "one reason for eight cells"
    assert "**NVD\\, RNSS SSO\\; NVD\\, RNSS a" in remarks
    printed = pd.DataFrame(
        {"row": ["a"], "column": ["b"], "printed": ["1"], "note": ["part: read *twice*"]}
    )
    reason = {("a", "b"): "a reason with *stars*"}
    run.compare("X", "c", part="", ours={("a", "b"): 3}, printed=lambda: printed, reasons=reason)
    remarks = quiet[-1].data
    assert "- **a\\, b**: a reason with \\*stars\\*" in remarks
    assert "How the printed values were read" in remarks
    assert "- read \\*twice\\*" in remarks


def test_a_table_about_no_data_is_the_papers_and_idle_in_other_editions(no_raw_files, quiet):
    run = start("dnkt", quantification="sem16t4e", classes="")
    run.compare("19", "caption", part="")
    assert run.comparisons["19"].counts() == {"follows": 36}
    run = start("dnkt", quantification="stc3-dq-a", classes="")
    run.compare("19", "caption", part="")
    assert run.comparisons["19"] is None
    assert "Table 19 is the paper's own; this edition is about" in quiet[-1].data.replace("\\", "")
    run.compare("19", "caption", about="eight data sets")
    assert run.comparisons["19"] is None
    assert "was printed for eight data sets" in quiet[-1].data


def test_printed_values_in_absent_raw_files_leave_a_table_idle(no_raw_files, quiet):
    def absent():
        raise RawDataMissing("get them from somewhere")

    run = start("dnkt", quantification="sem16t4e", classes="")
    run.compare("X", "caption", printed=absent)
    assert run.comparisons == {"X": None}
    assert "cannot be compared here: get them" in quiet[-1].data.replace("\\", "")


def test_verify_holds_a_chapter_to_its_claims():
    run = Run("acl21", {})
    run.comparisons["4h"] = compare("lq21", "4h")
    claim = {"erratum": 8, "open": 1}
    said = verify(run, {"4h": claim}).data
    assert said == (
        "Verified: the verdicts of 60 printed values in 1 table are what this chapter claims."
    )
    with pytest.raises(ClaimError, match=r"Table 4h .*claimed \{'exact': 60\}, found \{'erratum"):
        verify(run, {"4h": {"exact": 60}})
    with pytest.raises(ClaimError, match="compares tables 4h and claims verdicts for 4h, 2i"):
        verify(run, {"4h": claim, "2i": {"exact": 36}})
    with pytest.raises(ClaimError, match="claims verdicts for $"):
        verify(run, {})


def test_what_is_verified_beside_other_data_is_the_papers(no_raw_files, quiet):
    run = start("acl21", **(ACL21 | {"classification": "fair-oc", "quantification": "sem16t4e"}))
    run.compare("7", "caption", part="quantification", about="DialEval-1")
    run.compare("2i", "caption", part="classification")
    said = verify(run, {"7": {}, "2i": {"exact": 36}}).data
    assert "in 1 table, which the papers printed for their own data, are what" in said


SPLIT = [
    ("", None),
    (" ", None),
    ("-1,0,1", ["-1", "0", "1"]),
    (" low , high ", ["low", "high"]),
    ('"agree, fully", agree,disagree', ["agree, fully", "agree", "disagree"]),
    ('5",6"', ['5"', '6"']),
    ('"""so""",no', ['"so"', "no"]),
]


def test_split_classes():
    for text, labels in SPLIT:
        with case(text, labels):
            assert split_classes(text) == labels
            assert split_classes(join_classes(labels)) == labels


def test_quotes_around_a_part_of_a_label_are_refused():
    for text in ['"agree, fully,agree', '"so" so,no', 'a,"']:
        with (
            case(text),
            pytest.raises(
                ValueError, match="^classes=.*: a double quote that does not fit; put a "
            ),
        ):
            split_classes(text)


def test_classes_are_one_row():
    with pytest.raises(ValueError, match="there is a line break; separate labels by commas"):
        split_classes("low\nhigh")


def nugget_folder(folder):
    """One dialogue of two turns, two assessors and one run, in NTCIR's format."""
    votes = {"quality": {"A": 0, "E": 0, "S": 0}, "nugget": ["CNUG0", "HNUG"]}
    turns = [{"sender": "customer"}, {"sender": "helpdesk"}]
    gold = [{"id": "d", "turns": turns, "annotations": [votes, votes]}]
    sure = [dict(zip(types, (1, 0, 0, 0), strict=False)) for types in NUGGETS.values()]
    (folder / "runs").mkdir(parents=True)
    (folder / "gold.json").write_text(json.dumps(gold))
    for name in ("a", "b"):
        run = [{"id": "d", "nugget": sure}]
        (folder / "runs" / f"{name}_nugget_cn.json").write_text(json.dumps(run))
    return folder


def test_nuggets_are_a_data_parameter_of_their_own(tmp_path):
    folder = nugget_folder(tmp_path / "mine")
    run = start("dialeval1", quantification="", nuggets=str(folder), classes="")
    assert run.has("nuggets")
    assert not run.has("quantification")
    assert len(run.task("nuggets").runs) == 2
    assert not run.on_papers_data("nuggets")
    assert run.task("nuggets").customer.gold.tolist() == [[1, 0, 0, 0]]


MIXED = [
    ("nuggets", "sem16t4e", "nuggets='sem16t4e': this is a quantification task"),
    ("quantification", "stc3-nd", "quantification='stc3-nd': this is a nuggets task"),
]


def test_nuggets_and_distributions_are_not_the_same(no_raw_files):
    for part, data, message in MIXED:
        with case(part, data, message):
            chosen = {"quantification": "", "nuggets": "", "classes": "", part: data}
            with pytest.raises(ValueError, match=message):
                start("dialeval1", **chosen)


def test_what_is_about_the_papers_data_says_why_it_is_idle(no_raw_files, quiet):
    paper = start("acl21", **ACL21)
    assert paper.has_papers_data()
    shown = len(quiet)
    assert paper.has_papers_data("quantification"), "one part only"
    assert len(quiet) == shown, "nothing is said where nothing is idle"
    other = start("acl21", **(ACL21 | {"classification": ""}))
    assert other.has_papers_data("quantification")
    assert not other.has_papers_data(about="the tweets")
    assert "What follows is about the tweets" in quiet[-1].data


def test_idle_tables_share_a_note(quiet):
    run = start("dialeval1", quantification="sem16t4e", nuggets="", classes="")
    shown = len(quiet)
    tables = {"4": "quantification", "7": "nuggets"}
    run.compare_all(tables, "Table {} printed.", "t{}", about="its runs")
    assert len(quiet) == shown + 1
    assert "Tables 4 and 7 were printed for its runs" in quiet[-1].data
    run.compare("table13 caption", "The caption of Table 13.", about="its runs")
    assert "Table 13 caption was printed for its runs" in quiet[-1].data
    assert dict(run.comparisons) == dict.fromkeys(["4", "7", "table13 caption"])


def test_other_numbers_of_trials_make_a_comparison_idle_not_an_error(capsys):
    """The ledger's verdicts hold for the book's own numbers."""
    # The wrong sign: a value that cannot have the ledger's verdict.
    values = printed_values("acl21", "8i").set_index(["row", "column"])["printed"].astype(float)
    task = ob.load("sem16t4e")
    for book_numbers in (True, False):
        run = Run("acl21", {"quantification": task}, book_numbers=book_numbers)
        ours = {cell: -value for cell, value in values.items()}
        if book_numbers:
            with pytest.raises(OtherVerdict, match="but exact in data/audit.csv"):
                run.compare("8i", "x.", "quantification", ours=ours)
        else:
            run.compare("8i", "x.", "quantification", ours=ours)
            assert run.comparisons == {"8i": None}
    data = {"quantification": "sem16t4e", "classes": ""}
    assert ob.start("dnkt", **data, splits=1000).book_numbers
    assert not ob.start("dnkt", **data, splits=100).book_numbers
