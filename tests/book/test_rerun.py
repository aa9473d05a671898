"""`ordbook rerun`: a chapter on other data, or one clear line and nothing left behind."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

from ordbook.book import rerun as rerun_module
from ordbook.book.rerun import MARK, RerunError, chapter_parameters, rerun
from ordbook.cli import main


@pytest.fixture
def classification(tmp_path) -> Path:
    """Three topics, four runs, three classes, made at random; one run has a hostile name."""
    rng = np.random.default_rng(5)
    items = [(f"i{i}", f"topic {i % 3}") for i in range(60)]
    gold = rng.integers(-1, 2, 60)
    folder = tmp_path / "my task"
    (folder / "runs").mkdir(parents=True)

    def write(path, labels):
        lines = [
            f"{item}\t{topic}\t{label}\n"
            for (item, topic), label in zip(items, labels, strict=True)
        ]
        (folder / path).write_text("".join(lines))

    write("gold.tsv", gold)
    for k, run in enumerate(["good", "bad <b>*run*", "_x_", "worst"]):
        changed = rng.random(60) < 0.2 + 0.2 * k
        write(f"runs/{run}.tsv", np.where(changed, rng.integers(-1, 2, 60), gold))
    return folder


def text_of(html: Path) -> str:
    return re.sub(r"\s+", " ", re.sub("<[^>]*>", " ", html.read_text(encoding="utf-8")))


@pytest.mark.slow
def test_a_chapter_on_your_own_data(classification, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    arguments = ["rerun", "acl21", "--data", "my task", "--out", "edition", "--classes=-1,0,1"]
    assert main([*arguments, "-p", "seeds=100"]) == 0
    printed = capsys.readouterr()
    page = tmp_path / "edition" / "html" / "index.html"
    assert printed.out.strip() == str(page)
    assert printed.err.splitlines() == [
        "acl21: running the chapter on my task",
        "acl21: building the page",
    ]
    assert page.is_file()
    text = text_of(tmp_path / "edition" / "html" / "book" / "acl21.html")
    assert "my task (classification): 3 topics, 4 runs, 3 classes; your data" in text
    assert "This edition has no quantification task" in text
    assert "Table 2i was printed for sem16t4c" in text
    assert "30 printed values in 1 tables" in text, "Table 7 follows from other tables"
    assert "bad <b>*run*" in text.replace("&lt;", "<").replace("&gt;", ">"), "names are text"
    notebook = json.loads((tmp_path / "edition" / "acl21.ipynb").read_text())
    assert notebook["metadata"]["papermill"]["end_time"]
    assert not notebook["metadata"]["papermill"]["exception"]
    assert {p.name for p in tmp_path.iterdir()} == {"my task", "edition"}
    # A second time: the earlier edition is ours, and is replaced.
    assert main(["rerun", "acl21", "--data", "sem16t4e", "--out", "edition"]) == 0
    text = text_of(tmp_path / "edition" / "html" / "book" / "acl21.html")
    assert "15 of 15 exact" in text
    assert "idle: other data" in text
    assert {p.name for p in tmp_path.iterdir()} == {"my task", "edition"}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"chapter": "acl22"}, "no chapter 'acl22'; there are measures, acl21"),
        ({"data": "nowhere"}, "nowhere: neither a path that exists"),
        ({"data": "sem17t4c"}, "sem17t4c: there are no runs"),
        ({"classes": "-1,0"}, "unknown label '1'; the classes are -1, 0"),
        ({"classes": "-1,,1"}, "there is an empty label"),
        ({"data": ""}, "data: the name is empty"),
        ({"data": "~nosuchuser/x"}, "data: ~nosuchuser/x: Could not determine home directory"),
        ({"data": "one run"}, "one run: there are 1 runs; a ranking needs two"),
        ({"out": "full"}, "full: the folder holds what is not an edition of ours (thesis.tex)"),
        ({"data": "ntcir"}, "ntcir: NTCIR files hold several tasks, and rerun cannot choose one"),
        ({"out": "my task"}, "my task: the folder holds what is not an edition of ours"),
        ({"out": "my task/runs/edition"}, "edition: this lies within the data, or the data in it"),
        ({"out": "file"}, "file: this is a file; name a folder"),
        ({"parameter": "seeed=1"}, "acl21 has no parameter 'seeed'; it has classification, quant"),
        ({"parameter": "classes"}, "--parameter classes: write NAME=VALUE"),
        ({"parameter": "classes=-1,0,1"}, "the classes are given twice; give them once"),
        ({"parameter": "classification=x"}, "classification data are given twice, as"),
        ({"parameter": "quantification=nowhere"}, "nowhere: neither a path that exists"),
        ({"parameter": "quantification=sem16t4c"}, "'sem16t4c': this is a classification task"),
    ],
)
def test_what_is_not_possible_is_refused_before_anything_runs(
    change, message, classification, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(rerun_module, "_execute", lambda *_: pytest.fail("it ran"))
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.tex").write_text("mine")
    (tmp_path / "file").write_text("mine")
    (tmp_path / "ntcir" / "runs").mkdir(parents=True)
    (tmp_path / "ntcir" / "gold.json").write_text("[]")
    (tmp_path / "one run" / "runs").mkdir(parents=True)
    for name in ("gold.tsv", "runs/a.tsv"):
        (tmp_path / "one run" / name).write_text("1\tt\t0\n")
    before = sorted(p.relative_to(tmp_path) for p in tmp_path.rglob("*"))
    chosen = {
        "chapter": "acl21",
        "data": str(classification),
        "out": "new",
        "classes": "-1,0,1",
    } | change
    arguments = ["rerun", chosen["chapter"], f"--data={chosen['data']}", f"--out={chosen['out']}"]
    arguments += [f"--classes={chosen['classes']}"] if "data" not in change else []
    arguments += ["-p", chosen["parameter"]] if "parameter" in chosen else []
    assert main(arguments) == 2
    error = capsys.readouterr().err
    assert re.search(re.escape(message), error)
    assert error.startswith("ordbook: ")
    assert error.count("\n") == 1
    assert sorted(p.relative_to(tmp_path) for p in tmp_path.rglob("*")) == before


@pytest.mark.slow
def test_names_that_try_to_get_out(classification, tmp_path, monkeypatch):
    """Braces are parameters to papermill, and the theme writes the title unescaped."""
    folder = tmp_path / "x'><img src=q {y}>"
    classification.rename(folder)
    monkeypatch.setenv("MPLBACKEND", "agg")  # hides figures, unless rerun sees to it
    out = tmp_path / "o{b}" / "edition"
    quick = {"seeds": "100", "splits": "50"}
    page = rerun("acl21", folder, out, classes="-1,0,1", parameters=quick)
    html = (page.parent / "book" / "acl21.html").read_text(encoding="utf-8")
    assert "<img src=q" not in html
    assert html.count("<figure") == html.count("_images/") > 1, "what is drawn has a caption"


@pytest.mark.slow
def test_an_edition_is_replaced_only_if_it_holds_nothing_else(classification, tmp_path):
    out = tmp_path / "edition"
    out.mkdir()
    (out / MARK).write_text("chapter: acl21")
    (out / "notes.md").write_text("mine")
    with pytest.raises(ValueError, match=r"not an edition of ours \(notes.md\)"):
        rerun("acl21", classification, out, classes="-1,0,1")
    assert (out / "notes.md").read_text() == "mine"


@pytest.mark.slow
def test_two_data_sets_in_one_edition(classification, tmp_path):
    page = rerun(
        "acl21",
        "sem16t4e",
        tmp_path / "edition",
        parameters={"classification": str(classification), "classes": "-1,0,1", "seeds": "100"},
    )
    text = text_of(page.parent / "book" / "acl21.html")
    assert "my task (classification): 3 topics" in text
    assert "sem16t4e (quantification): 100 topics" in text


@pytest.mark.slow
def test_an_edition_names_the_chapters_it_does_not_hold(tmp_path):
    page = rerun("official", "sem16t4e", tmp_path / "edition")
    text = text_of(page.parent / "book" / "official.html")
    assert "the toy of the chapter Does the choice of measure matter?" in text
    assert "Nothing could be compared in this build" in text or "12 of 12 exact" in text


@pytest.mark.slow
def test_a_chapter_that_fails_leaves_the_earlier_edition(
    classification, tmp_path, monkeypatch, capsys
):
    out = tmp_path / "edition"
    out.mkdir()
    (out / MARK).write_text("chapter: acl21")
    broken = tmp_path / "broken.ipynb"
    notebook = json.loads(rerun_module._notebook("acl21").read_text())
    next(c for c in notebook["cells"] if c["id"] == "start")["source"] = ["1 / 0"]
    broken.write_text(json.dumps(notebook))
    monkeypatch.setattr(rerun_module, "_notebook", lambda chapter: broken)
    arguments = ["rerun", "acl21", f"--data={classification}", f"--out={out}", "--classes=-1,0,1"]
    assert main(arguments) == 1
    assert "acl21: cell [4] failed: ZeroDivisionError: division by zero" in capsys.readouterr().err
    assert [p.name for p in out.iterdir()] == [MARK]
    assert {p.name for p in tmp_path.iterdir()} == {"my task", "edition", "broken.ipynb"}


def test_a_page_that_cannot_be_built_says_why(tmp_path):
    with pytest.raises(RerunError, match="the end of the log:\nno such thing"):
        rerun_module._run(["sh", "-c", "echo no such thing; exit 3"], tmp_path)


def test_parameters_are_documented():
    parameters = chapter_parameters("acl21")
    assert list(parameters)[:4] == ["classification", "quantification", "classes", "own"]
    assert list(parameters)[4:] == ["trials", "splits", "seeds"]
    with pytest.raises(ValueError, match="no chapter"):
        chapter_parameters("index")
    with pytest.raises(ValueError, match="no chapter"):
        rerun("../acl21", "sem16t4e", tmp_path := "x")
    assert not Path(tmp_path).exists()


def test_the_command_line_explains_itself(capsys):
    for arguments, words in (
        (["--help"], ["rerun", "run a chapter on your own data"]),
        (["rerun", "--help"], ["--data PATH", "--out DIR", "--classes LABELS"]),
        (["--version"], ["ordbook 0."]),
    ):
        with pytest.raises(SystemExit) as stop:
            main(arguments)
        assert stop.value.code == 0
        printed = capsys.readouterr().out
        assert all(word in printed for word in words)
    with pytest.raises(SystemExit) as stop:
        main([])
    assert stop.value.code == 2


def test_nuggets_are_data_of_their_own(tmp_path):
    """Of a folder in NTCIR's format the parameter named nuggets takes the nuggets."""
    found = rerun_module._choose_parameters("dialeval1", "stc3-nd", "", {})
    assert found == {"quantification": "", "nuggets": "stc3-nd", "classes": ""}
    with pytest.raises(ValueError, match="nuggets='sem16t4e': this is a quantification task"):
        rerun_module._choose_parameters("dialeval1", "stc3-dq-a", "", {"nuggets": "sem16t4e"})
    votes = {"quality": {"A": 0, "E": 0, "S": 0}, "nugget": ["HNUG"]}
    gold = [{"id": "d", "turns": [{"sender": "helpdesk"}], "annotations": [votes]}]
    (tmp_path / "runs").mkdir()
    (tmp_path / "gold.json").write_text(json.dumps(gold))
    for name in "ab":
        answer = [{"id": "d", "nugget": [{"HNUG": 1, "HNUG*": 0, "HNaN": 0}]}]
        (tmp_path / "runs" / f"{name}_nugget_en.json").write_text(json.dumps(answer))
    chosen = {"nuggets": str(tmp_path)}
    found = rerun_module._choose_parameters("dialeval1", "stc3-dq-a", "", chosen)
    assert found["nuggets"] == str(tmp_path.resolve())
