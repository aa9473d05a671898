"""`ordbook rerun`: a chapter on other data, or one clear line and nothing left behind."""

import json
import re
import shutil
from pathlib import Path

import nbformat
import pytest
import yaml

from helpers.random_tasks import save_labels, save_shares
from ordbook.cli import main
from ordbook.reports.executing import RerunError
from ordbook.reports.rerun import choose, fitting, rerun
from ordbook.show import parameters as chapters
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


def test_nuggets_are_data_of_their_own():
    found = chosen_for("dialeval1", "stc3-nd")
    assert found == {"quantification": "", "nuggets": "stc3-nd", "classes": ""}


def shares(folder: Path, runs: int, topics: int) -> Path:
    """Write a task of distributions, whose runs lie between the gold data and noise."""
    noise = {f"run{k:02d}": 0.2 + 0.6 * k / runs for k in range(runs)}
    return save_shares(folder, noise, topics, range(-2, 3))


def fake(monkeypatch, failing=()):
    """Execute nothing; the chapters named fail."""

    def execute(name, parameters, output, **_):
        if name in failing:
            raise RerunError(f"{name}: cell [3] failed")
        nbformat.write(nbformat.read(chapters.notebook_of(name), 4), output)

    def build(pages, title, book, author=""):
        (book / "html").mkdir(parents=True)
        for path in pages:
            shutil.copy(path, book / "html")
        return book / "html"

    monkeypatch.setattr("ordbook.reports.executing.execute", execute)
    monkeypatch.setattr("ordbook.reports.edition.build", build)


@pytest.mark.slow
def test_an_edition_of_several_chapters(tmp_path, monkeypatch, capsys):
    """One of three can say nothing about four topics."""
    monkeypatch.chdir(tmp_path)
    shares(tmp_path / "my <b>task*", 6, 4)
    arguments = ["rerun", "acl21", "judges", "lq21", "topics", "--data", "my <b>task*", "--out=out"]
    options = [
        "--title",
        "Our <i>task",
        "--author=A. *Body*",
        "-p",
        "trials=200",
        "-p",
        "splits=20",
    ]
    assert main([*arguments, *options, "--jobs", "2"]) == 0
    printed = capsys.readouterr()
    out = tmp_path / "out"
    assert printed.out.strip() == str(out / "html" / "index.html")
    lines = printed.err.splitlines()
    reasons = [
        "judges is not about quantification tasks",
        "topics: there are 4 topics; topics needs at least 8",
    ]
    assert lines[:2] == [f"note: left out: {reason}" for reason in reasons]
    for name in ("acl21", "lq21"):
        assert f"{name}: started" in lines
        assert any(re.fullmatch(rf"{name}: finished in \d+ s", line) for line in lines)
    assert any(re.fullmatch(r"acl21: cell \d+ of \d+ after \d+ s", line) for line in lines)
    assert {p.name for p in out.iterdir()} == {"html", "edition.yml", "acl21.ipynb", "lq21.ipynb"}
    assert "url=book/edition.html" in (out / "html" / "index.html").read_text()
    first = (out / "html" / "book" / "edition.html").read_text(encoding="utf-8")
    assert "Our ‹i›task" in first, "the theme writes titles as they are"
    for link in ("../report.html", "acl21.html", "lq21.html"):
        assert f'href="{link}"' in first
    assert 'href="topics.html"' not in first
    text = text_of(out / "html" / "book" / "edition.html")
    assert all(words in text for words in ("A. *Body*", *reasons))
    assert (out / "html" / "report.html").is_file()
    about = yaml.safe_load((out / "edition.yml").read_text(encoding="utf-8"))
    assert (about["title"], list(about["chapters"])) == ("Our ‹i›task", ["acl21", "lq21"])
    for path in (out / "html").rglob("*"):
        if path.suffix in (".html", ".ipynb", ".js"):
            assert str(tmp_path) not in path.read_text(encoding="utf-8"), path
    acl21 = text_of(out / "html" / "book" / "acl21.html")
    assert "SemEval-2016" not in acl21, "cells about the papers' own data are left out"
    assert "my <b>task*" in acl21 or "my &lt;b&gt;task*" in acl21
    for page in (out / "html" / "book").glob("*.html"):
        assert "{ref}" not in page.read_text(encoding="utf-8")


def test_all_chapters_are_those_of_the_kind_that_can_say_something(tmp_path):
    def chosen(data):
        return fitting(["all"], Source(str(data)).load_ranked(), "x")

    assert chosen("sem16t4c") == (["acl21", "topics", "guarantees"], {})
    assert chosen("sem16t4e") == ([*chapters.EDITION], {})
    assert chosen("stc3-nd") == (["dialeval1"], {})
    pool = save_labels(tmp_path / "pool", {"a": 0.1, "b": 0.2})
    with pytest.raises(ValueError, match="x: acl21: there is one topic; comparing runs needs two"):
        chosen(pool)
    for topics, gone in ((2, {"sigir18", "acl21", "dnkt", "topics"}), (4, {"sigir18", "topics"})):
        folder = shares(tmp_path / str(topics), 4, topics)
        names, left = chosen(folder)
        assert {*left} == gone == {*chapters.EDITION} - {*names}
        for name in left:
            with pytest.raises(ValueError, match=f"there are {topics} topics; {name} needs at le"):
                rerun(name, folder, tmp_path / "out")


def test_a_chapter_that_fails_does_not_lose_the_others(tmp_path, monkeypatch, capsys):
    folder, out = shares(tmp_path / "task", 5, 8), tmp_path / "out"
    command = [
        "rerun",
        "acl21",
        "lq21",
        f"--data={folder}",
        f"--out={out}",
        "-p",
        "runs=run00,run01",
    ]
    fake(monkeypatch, failing=("acl21", "lq21"))
    assert main(command) == 1
    assert "lq21: cell [3] failed" in capsys.readouterr().err
    assert not out.exists()
    fake(monkeypatch, failing=("lq21",))
    assert main(command) == 1
    assert f"the edition of the other chapters is in {out}" in capsys.readouterr().err
    assert {path.name for path in out.iterdir()} == {"acl21.ipynb", "edition.yml", "html"}
    assert "Left out:\n\n- lq21" in (out / "html" / "edition.md").read_text()
