"""A task whose names try to be more than names: its report and its results show them as text."""

import csv
from pathlib import Path

import numpy as np
import pytest
from markdown_it import MarkdownIt

import ordbook as ob
from helpers.browsing import Watch, open_profile, settle
from helpers.chromium import served
from ordbook.cli import main
from ordbook.show.escape import escape_latex

pytestmark = pytest.mark.slow

PLACES = ("folder", "class", "topic", "run", "group", "measure", "title", "author")
# Each would run where it is not text: in HTML, in an attribute, in Markdown and in a formula.
HOSTILE = {
    place: f"""<script>owned={k}</script><img src=x onerror='owned={k}'>"onclick="owned={k}" """
    r"$$\href{javascript:owned}{x}$$ [c](javascript:owned) a|b"
    for k, place in enumerate(PLACES)
}
# In a path no slash, so no element is closed.
for place in ("folder", "run"):
    HOSTILE[place] = HOSTILE[place].replace("</script>", "")
# What no name may have made of a page: code that ran, handlers, links that run code, elements.
INTRUDERS = r"""
() => {
  const found = window.owned === undefined ? [] : ["code ran: " + window.owned];
  for (const e of document.querySelectorAll("*"))
    for (const a of e.attributes)
      if (/^on/.test(a.name) || /^\s*javascript:/i.test(a.value)) found.push(a.name + a.value);
  for (const e of document.querySelectorAll("iframe, object, embed, img[src='x'], script"))
    if (e.tagName !== "SCRIPT" || /^owned/.test(e.textContent)) found.push(e.outerHTML);
  return found;
}
"""


def write(path: Path, rows: list[list[object]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """The folders of a report and of results for such a task."""
    here = tmp_path_factory.mktemp("here")
    data, rng = here / HOSTILE["folder"], np.random.default_rng(3)
    classes, topics = (
        [HOSTILE["class"], "b", "c"],
        [HOSTILE["topic"] + letter for letter in "rstuvwxy"],
    )
    runs = [HOSTILE["run"], "B", "C"]
    for path in ("gold.csv", *(f"runs/{run}.csv" for run in runs)):
        votes = rng.integers(1, 9, (len(topics), len(classes))).tolist()
        rows = [[topic, *row] for topic, row in zip(topics, votes, strict=True)]
        write(data / path, [["topic", *classes], *rows])
    write(data / "classes.txt", [[label] for label in classes])
    groups = [HOSTILE["group"], "g", "h"]
    write(data / "runs.csv", [["run", "group"], *zip(runs, groups, strict=True)])
    (here / "own.py").write_text(
        "from ordbook.measures import custom_measure\n\n\n"
        "def largest(gold, estimate):\n    return abs(gold - estimate).max(axis=-1)\n\n\n"
        f"OWN = custom_measure({HOSTILE['measure']!r}, largest, better='low')\n"
    )
    options = ["--measure=own.py:OWN"]
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(here)
        assert main(["score", data.name, "--out", "results", "--trials=100", *options]) == 0
        about = [f"--title={HOSTILE['title']}", f"--author={HOSTILE['author']}"]
        assert main(["report", data.name, "--out=report.html", *about, *options]) == 0
    return here


@pytest.fixture
def look(browser, tmp_path):
    """Open HTML; give what a name made of it, and the text that it shows."""

    def look(html: str) -> tuple[list[str], str]:
        (tmp_path / "index.html").write_text(html, encoding="utf-8")
        (tmp_path / "favicon.ico").touch()
        with served(tmp_path) as url, open_profile(browser, 1440, "light") as context:
            tab = context.new_page()
            watch = Watch(tab, url)
            tab.goto(f"{url}/index.html", wait_until="load")
            settle(tab)
            noticed = [f"{kind}: {text}" for kind, texts in watch.taken().items() for text in texts]
            text = " ".join(tab.evaluate("document.body.textContent").split())
            return tab.evaluate(INTRUDERS) + noticed, text

    return look


@pytest.mark.parametrize(
    ("page", "places"),
    [
        ("report.html", set(PLACES) - {"group"}),
        ("results/leaderboard.html", {"folder", "run", "group", "measure"}),
        ("results/README.md", {"folder", "run", "measure"}),
    ],
)
def test_names_are_text(pages, look, page, places):
    html = (pages / page).read_text(encoding="utf-8")
    if page.endswith(".md"):
        reader = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
        html = f"<!doctype html><meta charset=utf-8><body>{reader.render(html)}</body>"
    intruders, text = look(html)
    assert not intruders
    assert {place for place in places if HOSTILE[place] not in text} == set()


def test_what_is_read_again_holds_names_as_they_are(pages):
    scores = ob.load_scores(pages / "results" / "scores.csv")
    assert HOSTILE["run"] in scores.runs
    assert HOSTILE["measure"] in scores.measures
    tables = [path.read_text(encoding="utf-8") for path in pages.glob("results/*.tex")]
    assert any(escape_latex(HOSTILE["run"]) in table for table in tables)
