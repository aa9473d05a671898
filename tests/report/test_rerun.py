"""`ordbook rerun`: a chapter on other data, or one clear line and nothing left behind."""

import json
import re
import time
from pathlib import Path

import pytest
import yaml

from helpers.random_tasks import save_labels, save_shares
from ordbook.cli import main
from ordbook.report import edition
from ordbook.report import rerun as rerun_module
from ordbook.report.executing import RerunError
from ordbook.report.rerun import chapters_of, choose, rerun
from ordbook.show import parameters as chapters
from ordbook.show.parameters import chapter_parameters
from ordbook.show.source import Source


def chosen_for(chapter, data, **values):
    """What a chapter is executed with."""
    source = Source(data)
    return choose([chapter], source.load_ranked(), source, values)[chapter]


@pytest.fixture
def classification(tmp_path) -> Path:
    """Three topics, four runs, three classes; one run has a hostile name."""
    noise = {"good": 0.2, "bad <b>*run*": 0.4, "_x_": 0.6, "worst": 0.8}
    return save_labels(tmp_path / "my task", noise, topics=3)


def text_of(html: Path) -> str:
    return re.sub(r"\s+", " ", re.sub("<[^>]*>", " ", html.read_text(encoding="utf-8")))


@pytest.mark.slow
def test_a_chapter_on_your_own_data(classification, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "agg")  # hides figures, unless rerun sees to it
    arguments = ["rerun", "acl21", "--data", "my task", "--out", "edition", "--classes=0,1,2"]
    assert main([*arguments, "-p", "splits=50"]) == 0
    printed = capsys.readouterr()
    page = tmp_path / "edition" / "html" / "index.html"
    assert printed.out.strip() == str(page)
    said = printed.err.splitlines()
    assert (said[0], said[-1]) == ("acl21: started", "building the pages")
    assert page.is_file()
    html = (tmp_path / "edition" / "html" / "book" / "acl21.html").read_text(encoding="utf-8")
    assert html.count("<figure") == html.count("_images/") > 1, "what is drawn has a caption"
    text = text_of(tmp_path / "edition" / "html" / "book" / "acl21.html")
    assert "my task (classification): 3 topics, 4 runs, 3 classes; your data" in text
    assert "SemEval" not in text.split("You will learn")[0], "the page is about these data"
    notebook = json.loads((tmp_path / "edition" / "acl21.ipynb").read_text())
    said = "".join(line for cell in notebook["cells"] for line in cell["source"])
    assert "trials: int = 5000" in said
    assert not re.search(r"^trials = ", said, re.M), "the papers' own are not replaced"
    assert {p.name for p in tmp_path.iterdir()} == {"my task", "edition"}
    # A second time, on two data sets.
    given = ["-p", "quantification=sem16t4e", "-p", "splits=50", "--overwrite"]
    assert main([*arguments, *given]) == 0
    text = text_of(tmp_path / "edition" / "html" / "book" / "acl21.html")
    assert "my task (classification): 3 topics" in text
    assert "sem16t4e (quantification): 100 topics" in text
    assert {p.name for p in tmp_path.iterdir()} == {"my task", "edition"}


@pytest.mark.slow
def test_an_edition_names_the_chapters_it_does_not_hold(tmp_path):
    page = rerun("judges", "fair-oc", tmp_path / "edition")
    text = text_of(page.parent / "book" / "judges.html")
    assert "see Whose topics, and whose runs?" in text
    assert "The best judge by nine measures" in text
    assert "LLMJudge" not in text, "of the paper alone"


def test_a_page_that_cannot_be_built_says_why(tmp_path):
    with pytest.raises(RerunError, match="the end of the log:\nno such thing"):
        edition.run(["sh", "-c", "echo no such thing; exit 3"], tmp_path)


def test_parameters_are_documented():
    parameters = chapter_parameters("acl21")
    names = ["classification", "quantification", "classes", "reading", "trials", "splits"]
    assert list(parameters) == names
    with pytest.raises(ValueError, match="no chapter"):
        chapter_parameters("index")
    with pytest.raises(ValueError, match="no chapter"):
        rerun("../acl21", "sem16t4e", tmp_path := "x")
    assert not Path(tmp_path).exists()


def test_nuggets_are_data_of_their_own(tmp_path):
    """Of a folder in NTCIR's format the parameter named nuggets takes the nuggets."""
    found = chosen_for("dialeval1", "stc3-nd")
    assert found == {"quantification": "", "nuggets": "stc3-nd", "classes": ""}
    with pytest.raises(ValueError, match="nuggets='sem16t4e': this is a quantification task"):
        chosen_for("dialeval1", "stc3-dq-a", nuggets="sem16t4e")
    votes = {"quality": {"A": 0, "E": 0, "S": 0}, "nugget": ["HNUG"]}
    turns = [{"sender": "helpdesk"}]
    gold = [{"id": one, "turns": turns, "annotations": [votes]} for one in "de"]
    (tmp_path / "runs").mkdir()
    (tmp_path / "gold.json").write_text(json.dumps(gold))
    for name in "ab":
        answer = [{"id": one, "nugget": [{"HNUG": 1, "HNUG*": 0, "HNaN": 0}]} for one in "de"]
        (tmp_path / "runs" / f"{name}_nugget_en.json").write_text(json.dumps(answer))
    found = chosen_for("dialeval1", "stc3-dq-a", nuggets=str(tmp_path))
    assert found["nuggets"] == str(tmp_path.resolve())


def quantification(folder: Path, runs: int, topics: int) -> Path:
    """Write a task of distributions, whose runs lie between the gold data and noise."""
    noise = {f"run{k:02d}": 0.2 + 0.6 * k / runs for k in range(runs)}
    return save_shares(folder, noise, topics, range(-2, 3))


QUICK = ["-p", "trials=200", "-p", "splits=50"]


def test_a_report(tmp_path, monkeypatch, capsys):
    """The one that is made before every change; the others are marked slow."""
    monkeypatch.chdir(tmp_path)
    quantification(tmp_path / "my <b>task*", 6, 24)
    arguments = ["rerun", "report", "--data", "my <b>task*", "--out", "out", "--author", "A. Body"]
    assert main([*arguments, "--title", "Our <i>task", *QUICK]) == 0
    out = tmp_path / "out"
    assert capsys.readouterr().out.strip() == str(out / "report.html")
    assert {p.name for p in out.iterdir()} == {"edition.yml", "report.html", "report.ipynb"}
    page = (out / "report.html").read_text(encoding="utf-8")
    assert "<i>task" not in page
    assert all(words in page for words in ("<h1", "Our ‹i›task", "A. Body"))
    assert "my &lt;b&gt;task*" in page, "as a name it is text"
    assert not re.search(r"(src|href)=\"(https?:)?//", page), "it needs no network"
    assert page.count("<figure>") == page.count('alt="') == 5
    assert len(page) < 3_000_000
    for words in ("Rank by RPS", "random halves of the topics", "24 topics", "sakai2021lq"):
        assert words in page, words
    for words in ("tweet", "SemEval", "hostile", "(report)=", str(tmp_path)):
        assert words not in page, words


@pytest.mark.slow
def test_an_edition_of_several_chapters(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    quantification(tmp_path / "my <b>task*", 6, 24)
    arguments = ["rerun", "acl21", "lq21", "--data", "my <b>task*", "--out", "edition", *QUICK]
    assert main([*arguments, "--title", "Our <i>task", "--jobs", "2"]) == 0
    printed = capsys.readouterr()
    out = tmp_path / "edition"
    assert printed.out.strip() == str(out / "html" / "index.html")
    lines = printed.err.splitlines()
    for name in ("acl21", "lq21", "report"):
        assert f"{name}: started" in lines
        assert any(re.fullmatch(rf"{name}: finished in \d+ s", line) for line in lines)
    assert any(re.fullmatch(r"acl21: cell \d+ of \d+ after \d+ s", line) for line in lines)
    assert {p.name for p in out.iterdir()} == {
        *("html", "edition.yml", "report.html", "report.ipynb", "acl21.ipynb", "lq21.ipynb")
    }
    assert "url=book/report.html" in (out / "html" / "index.html").read_text()
    first = (out / "html" / "book" / "report.html").read_text(encoding="utf-8")
    text = text_of(out / "html" / "book" / "report.html")
    assert "Our ‹i›task" in first, "the theme writes titles as they are"
    about = yaml.safe_load((out / "edition.yml").read_text(encoding="utf-8"))
    assert about["title"] == "Our ‹i›task"
    assert "my &lt;b&gt;task*" in text, "as a name in a table it is text"
    for words in (
        "Rank by RPS",
        "Report NMD beside it",
        "What speaks against",
        "(50 splits)",
        "24",
    ):
        assert words in text
    assert 'href="acl21.html"' in first
    assert 'href="lq21.html"' in first
    assert 'href="topics.html"' not in first
    for path in (out / "html").rglob("*"):
        if path.suffix in (".html", ".ipynb", ".js"):
            assert str(tmp_path) not in path.read_text(encoding="utf-8"), path
    acl21 = text_of(out / "html" / "book" / "acl21.html")
    assert "SemEval-2016" not in acl21, "cells about the papers' own data are left out"
    for page in (out / "html" / "book").glob("*.html"):
        source = page.read_text(encoding="utf-8")
        assert "{ref}" not in source


@pytest.mark.slow
def test_all_chapters_of_a_kind_and_the_papers_own_data(tmp_path):
    chosen = chapters_of(["all"], Source("sem16t4c").load_ranked())
    assert chosen == ["report", "acl21", "topics", "guarantees"]
    chosen = chapters_of(["all"], Source("sem16t4e").load_ranked())
    assert chosen == ["report", *chapters.EDITION]
    assert chapters_of(["all"], Source("stc3-nd").load_ranked()) == ["report", "dialeval1"]
    for runs, topics in ((2, 8), (3, 7), (3, 8)):
        small = str(quantification(tmp_path / f"{runs} {topics}", runs, topics))
        assert ("topics" in chapters_of(["all"], Source(small).load_ranked())) is (
            runs + topics == 11
        )


def test_a_chapter_that_needs_more_topics_is_refused_alone_and_left_out_of_all(tmp_path):
    for topics, left in ((2, {"sigir18", "acl21", "dnkt", "topics"}), (4, {"sigir18", "topics"})):
        folder = quantification(tmp_path / str(topics), 4, topics)
        task = Source(str(folder)).load_ranked()
        assert {*chapters.EDITION} - {*chapters_of(["all"], task)} == left
        for name in left:
            with pytest.raises(ValueError, match=f"there are {topics} topics; {name} needs at le"):
                rerun(name, folder, tmp_path / "out")


@pytest.mark.slow
def test_all_chapters_are_a_book_even_where_one_is_about_such_a_task(tmp_path):
    page = rerun("all", "stc3-nd", tmp_path / "out", parameters={"trials": "100"})
    assert sorted(path.name for path in (tmp_path / "out").glob("*.ipynb")) == [
        "dialeval1.ipynb",
        "report.ipynb",
    ]
    text = text_of(page.parent / "book" / "report.html")
    listed = text.split("Each is a chapter on this task.")[1]
    assert listed.strip().startswith("DialEval-1: ")


@pytest.mark.slow
def test_one_failing_chapter_stops_all_and_leaves_the_earlier_edition(
    tmp_path, monkeypatch, capsys
):
    folder, out = quantification(tmp_path / "task", 5, 24), tmp_path / "out"
    out.mkdir()
    (out / "notes.md").write_text("mine")
    notebook = json.loads(chapters.notebook_of("lq21").read_text())
    next(c for c in notebook["cells"] if c["id"] == "start")["source"] = ["1 / 0"]
    broken = tmp_path / "lq21.ipynb"
    broken.write_text(json.dumps(notebook))
    whole = chapters.notebook_of
    monkeypatch.setattr(
        rerun_module, "notebook_of", lambda name: broken if name == "lq21" else whole(name)
    )
    begun = time.monotonic()
    command = ["rerun", "acl21", "lq21", "topics", f"--data={folder}", f"--out={out}"]
    assert main([*command, "--overwrite"]) == 1
    assert re.search(r"lq21: cell \[\d+\] failed: ZeroDivisionError", capsys.readouterr().err)
    assert time.monotonic() - begun < 60, "nobody waits for the others"
    assert {p.name for p in tmp_path.iterdir()} == {"task", "lq21.ipynb", "out"}
    assert [p.name for p in out.iterdir()] == ["notes.md"]


@pytest.mark.slow
def test_the_checks_of_a_chapter_hold_with_many_trials(tmp_path):
    rerun("acl21", "fair-oc", tmp_path / "out", parameters={"trials": "100000", "splits": "50"})
    assert "**Warning.**" not in (tmp_path / "out" / "acl21.ipynb").read_text()
