"""The list of runs in the chapter on ACL'21, ranked by one measure after another in a browser."""

import pandas as pd
import pytest

import ordbook as ob
from helpers.browsing import open_files
from ordbook.pages.ranks import ranked_list
from ordbook.papers import acl21

base = pytest.importorskip("axe_playwright_python.base")
pytestmark = [pytest.mark.slow, pytest.mark.browser]

NEUTRAL = "_baseline-majority-0"


@pytest.fixture(scope="module")
def scores():
    return ob.score(ob.load("sem16t4c"), list(acl21.LABELS))


@pytest.fixture(scope="module")
def page(root, scores, tmp_path_factory):
    """A page that holds the list alone."""
    folder = tmp_path_factory.mktemp("page")
    (folder / "_static").symlink_to(root / "book" / "_static")
    (folder / "book").mkdir()
    path = folder / "book" / "acl21.html"
    content = ranked_list(scores, NEUTRAL, "always neutral", "kappa")._repr_html_()
    path.write_text(
        f'<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>ACL\'21</title>'
        f"<main><h1>A title</h1>{content}</main>",
        encoding="utf-8",
    )
    return path


@pytest.fixture
def visit(browser, page):
    """Open the page from its file, and fail at the end if it complained."""
    with open_files(browser) as start:
        yield lambda width=390, motion="reduce", **options: start(
            page.as_uri(), width, reduced_motion=motion, **options
        )


def shown(tab):
    """Rank, name, and score with all its digits, from the top."""
    rows = tab.evaluate(
        """() => [...document.querySelectorAll('.ranks-runs li')].map(({children}) =>
          [+children[0].textContent, children[1].textContent, +children[2].dataset.value])"""
    )
    return pd.DataFrame(rows, columns=["rank", "run", "score"]).set_index("run")


def press(tab, measure):
    tab.locator(f'[data-measure="{measure}"]').press("Enter")


def test_the_order_by_each_measure_is_that_of_the_package(visit, scores):
    tab = visit()
    means = scores.means().rename(index={NEUTRAL: "always neutral"})
    for measure in acl21.LABELS:
        press(tab, measure)
        ours = shown(tab)
        ranks = means[measure].rank(method="min", ascending=scores.better[measure] == "low")
        assert ours["rank"].is_monotonic_increasing
        assert ours["rank"].to_dict() == ranks.to_dict(), measure
        assert ours["score"].to_dict() == means[measure].to_dict()
        pressed = tab.locator('.ranks [aria-pressed="true"]')
        assert pressed.get_attribute("data-measure") == measure


def test_always_neutral_moves_from_the_last_place_to_the_first(visit):
    tab = visit(motion="no-preference")
    assert list(shown(tab).index)[-1] == "always neutral"
    press(tab, "MAE_mu")
    highlighted = tab.locator(".ranks-highlighted")
    y, run = highlighted.bounding_box()["y"], tab.locator(".ranks-runs")
    assert y > run.bounding_box()["y"] + 100, "it starts where it stood"
    tab.wait_for_function("document.getAnimations().length === 0")
    assert abs(highlighted.bounding_box()["y"] - run.bounding_box()["y"]) < 1
    summary = "has rank 1 of 12. It was 12 by kappa."
    assert tab.locator(".ranks-summary").inner_text().endswith(summary)
    reduced = visit()
    press(reduced, "MAE_mu")
    assert reduced.evaluate("document.getAnimations().length") == 0


def test_it_fits_passes_axe_and_needs_javascript(visit, subtests):
    for width in (390, 1280):
        with subtests.test(width=width):
            tab = visit(width)
            tab.evaluate(base.AXE_SCRIPT)
            found = tab.evaluate("axe.run({preload: false}).then(found => found.violations)")
            assert [(v["id"], v["nodes"][0]["html"][:200]) for v in found] == []
            root = "document.documentElement"
            assert tab.evaluate(f"{root}.scrollWidth - {root}.clientWidth") <= 0
    assert not visit(java_script_enabled=False).locator(".ranks").is_visible()


def test_a_run_or_measure_that_is_not_there_is_refused(scores):
    with pytest.raises(ValueError, match="no run 'twist'"):
        ranked_list(scores, "twist", "twist", "kappa")
    with pytest.raises(ValueError, match="no measure 'QWK'"):
        ranked_list(scores, NEUTRAL, "always neutral", "QWK")
