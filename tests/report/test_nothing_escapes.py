"""Names that try to be more than names: in a browser, in LaTeX, in a kernel.

One edition and one set of result tables are made of a task whose folder, title, runs, topics,
classes, groups, languages and measures have the names of ``hostile_names``.
"""

import json
import re
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import nbformat
import pytest
from markdown_it import MarkdownIt

import hostile_names
import ordbook as ob
from browsing import Watch, open_profile, settle
from hostile_names import CLASSES, FILE_NAMES, NAMES, OWNED
from ordbook.cli import main
from ordbook.pages.chromium import served
from ordbook.report.edition import plain_title
from ordbook.show.escape import escape_latex

pytestmark = pytest.mark.slow

# In the sidebar there is no article, and MathJax reads pages with formulas.
FOLDER = rf"\(\href{{javascript:window.{OWNED}=20}}{{x}}\) <img src=x onerror='window.{OWNED}=21'>"
TITLE = f"{FOLDER} $$x$$ {{{{ 1 }}}} </title><script>window.{OWNED}=22</script>"
CHAPTERS = ("official", "your_data")
OWN = [f"<img src=y onerror='window.{OWNED}=23'>", r"$\frac$", "=2+5", "_own|\\x"]
# As many as a page can show, those for browsers first.
RUNS = FILE_NAMES[:26]

# What no name may have made of a page: handlers, links that run code, frames, elements of its own.
INTRUDERS = r"""
(theme) => {
  const found = [];
  const links = ["href", "src", "srcdoc", "action", "formaction", "xlink:href", "data"];
  const runs = value => /^(javascript|vbscript|data:text)/i.test(value.replace(/[\s\0]/g, ""));
  for (const e of document.querySelectorAll("*")) {
    for (const a of e.attributes) {
      if (a.name.startsWith("on") && !theme.includes(a.value)) found.push(`${a.name}: ${a.value}`);
      if (links.includes(a.name) && runs(a.value)) found.push(`${a.name}: ${a.value}`);
    }
  }
  const made = "iframe, object, embed, base, frame, img[src='x'], img[src='y'], img[src^='x&'], b";
  for (const e of document.querySelectorAll(made)) found.push(e.outerHTML.slice(0, 200));
  for (const e of document.querySelectorAll("script, style"))
    if (e.textContent.includes("__owned")) found.push(e.outerHTML.slice(0, 200));
  return found;
}
"""
# The theme's own handlers.
THEME = ["window.print()", "toggleFullScreen()"]


@dataclass(frozen=True)
class Made:
    """What was made of the hostile task, and where."""

    here: Path
    edition: Path
    results: Path
    swept: Path
    measures: tuple[str, ...]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """An edition, result tables and tables of a sweep."""
    here = tmp_path_factory.mktemp("here")
    data = hostile_names.quantification(here / FOLDER, RUNS)
    long = tmp_path_factory.mktemp("scores") / "scores.csv"
    hostile_names.long_scores(long, NAMES[::6])
    own = hostile_names.measures(here / "measures.py", OWN)
    options = [f"--measure={place}" for place in own]
    few = ["-p", "trials=100", "-p", "splits=10"]
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(here)
        edition = ["rerun", *CHAPTERS, "--data", data.name, "--out", "edition", "--title", TITLE]
        assert main([*edition, *few, *options]) == 0
        sweep = ["sweep", "--data", data.name, "--out", "swept", "--jobs", "1", *few, *options]
        assert main(sweep) == 0
        score = ["score", str(long), "--out", "results", "--trials=100"]
        score += [f"--lower-is-better={name}" for name in NAMES[::6]]
        score += ["--by-group=language"]
        assert main(score) == 0
    return Made(here, here / "edition", here / "results", here / "swept", tuple(NAMES[::6]))


def shown(text: str) -> str:
    return " ".join(text.split())


def visit(tab, watch: Watch, page: str) -> tuple[list[str], str]:
    """Open a page; give all that a name made there, and the text that is there."""
    dialogs: list[str] = []

    def dismiss(dialog) -> None:
        dialogs.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    tab.on("dialog", dismiss)
    tab.goto(f"{watch.address}/{page}", wait_until="load")
    settle(tab)
    found = tab.evaluate(INTRUDERS, THEME) + dialogs
    if (owned := tab.evaluate(f"window.{OWNED}")) is not None:
        found.append(f"code ran: {owned}")
    found += [f"{kind}: {what}" for kind, all_ in watch.taken().items() for what in all_]
    return found, shown(tab.evaluate("document.body.textContent"))


@pytest.fixture
def tab(browser):
    with open_profile(browser, 1440, "light") as context:
        yield context.new_page()


def test_names_are_text_on_every_page(made, tab):
    html = made.edition / "html"
    pages = sorted(path.relative_to(html).as_posix() for path in html.rglob("*.html"))
    # The root only forwards to the first page, 404 is for a host; static files are not pages.
    forwards = ("index.html", "404.html")
    pages = [page for page in pages if page not in forwards and not page.startswith("_static/")]
    texts = {}
    with served(html) as url:
        watch = Watch(tab, url)
        for page in [*pages, f"search.html?q={OWNED}", "search.html?q=onerror"]:
            found, texts[page] = visit(tab, watch, page)
            assert not found, f"{page}: {found}"
    formulas = [page for page in pages if "mathjax/" in (html / page).read_text(encoding="utf-8")]
    assert formulas, "or MathJax read no page"
    for page in ("book/report.html", "book/official.html", "book/your_data.html"):
        assert plain_title(TITLE) in texts[page], page
    for name in RUNS:
        assert name in texts["book/report.html"], name
        assert name in texts["book/official.html"], name
    for name in (*CLASSES, *OWN):
        assert name in texts["book/report.html"], name


def test_names_are_text_in_markdown_and_in_what_notebooks_show(made, tab, tmp_path):
    """As GitHub and Jupyter render them, without the cleaning that both add."""
    reader = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    # With links of what looks like an address.
    github = MarkdownIt("gfm-like", {"html": True}) if find_spec("linkify_it") else reader
    pages = {}
    for path in [*made.results.rglob("*.md"), *(made.swept / "tables").glob("*.md")]:
        text = path.read_text(encoding="utf-8")
        name = f"{path.parent.name} {path.name}"
        pages[name], pages[f"{name} on GitHub"] = reader.render(text), github.render(text)
    assert not [name for name, body in pages.items() if re.search(r"<(a|img|em|strong|s)\b", body)]
    for path in made.edition.glob("*.ipynb"):
        outputs = [
            output.get("data", {})
            for cell in nbformat.read(path, as_version=4).cells
            for output in cell.get("outputs", ())
        ]
        pages[f"{path.stem} as HTML"] = "".join(data.get("text/html", "") for data in outputs)
        markdown = "\n\n".join(data.get("text/markdown", "") for data in outputs)
        # Tables are fences, which Jupyter shows as HTML: that is looked at above.
        pages[f"{path.stem} as Markdown"] = reader.render(markdown)
    assert len(pages) > 2 * len(made.measures)
    for number, body in enumerate(pages.values()):
        text = f"<!doctype html><meta charset=utf-8><title>t</title><body>{body}</body>"
        (tmp_path / f"{number}.html").write_text(text, encoding="utf-8")
    with served(tmp_path) as url:
        watch = Watch(tab, url)
        texts = {}
        for number, name in enumerate(pages):
            found, texts[name] = visit(tab, watch, f"{number}.html")
            # The browser asks for an icon once.
            found = [what for what in found if "favicon" not in what and "404" not in what]
            assert not found, f"{name}: {found}"
    for name in NAMES:
        assert shown(name) in texts["results README.md"], name
        assert shown(name) in texts["results README.md on GitHub"], name
    for name in RUNS:
        assert name in texts["official as HTML"], name
    table = texts["tables consistency-quantification.md"]
    for name in (shown(FOLDER), *OWN):
        assert name in table, name


def test_canary_every_intruder_is_noticed(browser, tmp_path):
    pages = [
        f"<script>window.{OWNED}=1</script>",
        "<script>alert(1)</script>",
        "<p onmouseover='x()'>",
        "<a href=' java\nscript:x()'>x</a>",
        "<iframe></iframe>",
        "<article><script type=x>__owned</script></article>",
        "<svg><a xlink:href='javascript:x()'>x</a></svg>",
        "<img src=x>",
        "<b>bold</b>",
        "<link rel=stylesheet href='https://outside.example.com/x.css'>",
        "<form action='javascript:x()'></form>",
    ]
    for number, body in enumerate(pages):
        (tmp_path / f"{number}.html").write_text(f"<!doctype html><body>{body}", encoding="utf-8")
    (tmp_path / "favicon.ico").touch()
    with served(tmp_path) as url, open_profile(browser, 1440, "light") as context:
        one = context.new_page()
        watch = Watch(one, url)
        for number, body in enumerate(pages):
            assert visit(one, watch, f"{number}.html")[0], body


def test_no_name_is_a_command_of_latex(made):
    tables = sorted(made.results.rglob("*.tex"))
    assert len(tables) == 2 * len(made.measures)
    for path in tables:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"(?<!\\)[%$#^~]", text.split("\n", 1)[1]), path.name
        assert not re.search(r"\\(input|frac|href)", text), path.name
        if path.parent.name == "results":
            assert all(escape_latex(name) in text for name in (*NAMES, *CLASSES)), path.name


def test_what_ordbook_reads_again_holds_names_as_they_are(made):
    scores = ob.load_scores(made.results / "scores.csv")
    assert set(scores.runs) == set(NAMES)
    assert set(scores.measures) == set(made.measures)
    again = ob.load(made.results / "scores.csv")
    assert again.runs == scores.runs
    about = json.loads((made.results / "summary.json").read_text(encoding="utf-8"))
    assert set(about["runs"]) == set(NAMES)
    swept = next((made.swept / "jobs").glob("*/numbers.json"))
    assert set(OWN) <= set(json.loads(swept.read_text(encoding="utf-8"))["measures"])


def test_names_of_files_are_tame(made):
    written = [*made.results.rglob("*"), *made.swept.rglob("*"), *made.edition.glob("*")]
    written = [path.name for path in written if "html" not in path.parts]
    written.remove(".lock")
    assert not [name for name in written if not re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9._-]*", name)]
    assert not [name for name in written if re.match(r"(?i)(con|nul|aux|prn)(\.|$)", name)]
    assert not list(made.here.parent.rglob("owned*")), "no shell and no LaTeX was asked"
