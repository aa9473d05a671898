"""Slides: decks from the chapters' cells that ask no other host for anything."""

from pathlib import Path

import nbformat
import pytest

from helpers.chromium import FLAGS
from ordbook.course.handouts import write_packs
from ordbook.course.plain import Plain
from ordbook.course.slides import deck
from ordbook.show.labels import read_labels
from ordbook.show.parameters import chapter_names

ROOT = Path(__file__).resolve().parents[2]
QUICK = "topics"


def slide_types(name):
    notebook = nbformat.read(ROOT / "book" / f"{name}.ipynb", as_version=4)
    kinds = [
        (cell, cell.metadata.get("slideshow", {}).get("slide_type")) for cell in notebook.cells
    ]
    return [(cell, kind) for cell, kind in kinds if kind is not None]


def test_every_chapter_has_slides(subtests):
    for name in chapter_names():
        with subtests.test(name=name):
            marked = slide_types(name)
            assert marked[0][0].cell_type == "markdown"
            assert marked[0][1] == "slide"
            assert {kind for _, kind in marked} <= {"slide", "subslide", "-", "fragment", "notes"}
            assert not [cell.id for cell, _ in marked if "{solution" in cell.source]


@pytest.fixture(scope="module")
def slides(tmp_path_factory):
    """The slides of a quick chapter."""
    folder = tmp_path_factory.mktemp("slides") / "out"
    write_packs([QUICK], folder)
    return folder / "slides"


def small(kind="slide", *, source="secret = 1", tags=("hide-input",)):
    """Two cells of a deck."""
    text = nbformat.v4.new_markdown_cell("# One\n\n$a_b$", id="one")
    text.metadata["slideshow"] = {"slide_type": kind}
    code = nbformat.v4.new_code_cell(source, id="two")
    code.metadata |= {"slideshow": {"slide_type": "-"}, "tags": list(tags)}
    html = {"text/html": "<b>shown</b>", "text/markdown": "```{list-table}\n```"}
    note = {"text/markdown": ":::{note}\nIdle.\n:::"}
    kept = {"application/papermill.record/text/plain": "'kept'"}
    code.outputs = [
        nbformat.v4.new_output("display_data", data=data) for data in (html, note, kept)
    ] + [nbformat.v4.new_output("stream", name="stderr", text="noise")]
    return [text, code]


def page_of(cells, **options):
    return deck("X", cells, Plain("x", read_labels()), **options)


def test_a_deck_shows_outputs_and_not_what_is_for_the_book():
    page = page_of(small())
    assert "<b>shown</b>" in page
    assert "Idle." in page
    for absent in ("list-table", ":::", "kept", "noise", "secret"):
        assert absent not in page.split("<body", 1)[1]
    assert "secret" in page_of(small(), code=True)


@pytest.mark.parametrize(
    ("source", "tags", "data", "shown"),
    [
        ("secret = 1", (), {"text/plain": "1"}, True),
        ("secret = 1\n" * 11, (), {"text/plain": "1"}, False),
        ("secret = 1", ("hide-input",), {"text/plain": "1"}, False),
        ("secret = 1", (), {"text/html": "<table></table>"}, False),
        ("secret = 1", (), {"image/svg+xml": "<svg/>"}, False),
    ],
)
def test_a_deck_shows_code_that_is_short_and_open_in_the_book(source, tags, data, shown):
    cells = small(source=source, tags=tags)
    cells[1].outputs = [nbformat.v4.new_output("display_data", data=data)]
    assert ("secret" in page_of(cells)) == shown


BADLY_MARKED = [
    ("slid", "cell one: slide_type 'slid' is not known; write one of"),
    ("-", "cell one: the first must begin a slide"),
]


def test_slides_that_are_not_marked_well_are_an_error(subtests):
    for kind, message in BADLY_MARKED:
        with subtests.test(kind=kind, message=message), pytest.raises(ValueError, match=message):
            page_of(small(kind))
    with pytest.raises(ValueError, match="X has no slides: give cells a slide_type"):
        page_of([])


@pytest.mark.slow
def test_slides_ask_no_other_host_and_fit(slides, chromium):
    """Opened from the disk, every slide: no request, no error, formulas set, nothing cut off."""
    from playwright.sync_api import sync_playwright

    wrong = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
        context = browser.new_context(viewport={"width": 1280, "height": 720}, offline=True)
        page = context.new_page()
        local = ("file:", "data:")
        page.on("request", lambda r: r.url.startswith(local) or wrong.append(r.url))
        page.on("requestfailed", lambda r: wrong.append(f"failed: {r.url}"))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda m: m.type in ("error", "warning") and wrong.append(m.text))
        page.goto((slides.parent / "index.html").as_uri())
        page.get_by_role("link", name="slides").click()
        page.wait_for_selector("html[data-ready=yes]")
        count = page.evaluate("Reveal.getTotalSlides()")
        assert count == sum(kind == "slide" for _, kind in slide_types(QUICK)) + 1, (
            "and works cited"
        )
        for place in range(count):
            page.wait_for_function("Reveal.getCurrentSlide().dataset.fitted")
            low, wide = page.evaluate(
                "(() => {const b = Reveal.getCurrentSlide().querySelector('.inner')"
                ".getBoundingClientRect(); return [b.bottom, b.right]})()"
            )
            scrolls = page.evaluate("Reveal.getCurrentSlide().tabIndex") == 0
            assert low <= 720 or scrolls, place
            assert wide <= 1280, place
            page.evaluate("Reveal.next()")
        assert page.locator("mjx-container").count() > 5
        assert page.locator("mjx-merror").count() == 0
        assert page.locator(".slides img:not([alt])").count() == 0
        browser.close()
    assert wrong == []
