"""What functions display stands behind tabs, and what they glue is still there."""

import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.display import Markdown, display
from matplotlib.figure import Figure
from myst_nb import glue

from ordbook.book.show import Table
from ordbook.book.tabs import tabs

TABLE = Table(("", "x"), (((("", "a"),), (("printed", "1"),)),), "One.", "name")


@pytest.fixture
def shell():
    """Capturing needs a shell, as a notebook has one."""
    yield InteractiveShell.instance()
    InteractiveShell.clear_instance()


def test_what_is_displayed_and_returned_stands_under_its_label(shell):
    found = tabs({"first": lambda: display(TABLE), "<b>": lambda: Markdown("*yes*")})
    markdown = found._repr_markdown_()
    assert markdown.index("{tab-item} first") < markdown.index(TABLE._repr_markdown_())
    assert markdown.index("{tab-item} <b>") < markdown.index("*yes*")
    assert markdown.count(":::::{tab-item}") == 2
    page = found._repr_html_()
    assert TABLE._repr_html_() in page
    assert "<b>" not in page


def test_fences_of_a_panel_are_shorter_than_those_around_it(shell):
    found = tabs({"a": lambda: Markdown(":::{note}\nx\n:::")})
    lines = found._repr_markdown_().splitlines()
    assert [line for line in lines if set(line) == {":"}] == [":::", ":::::", "::::::"]


def test_what_is_glued_is_passed_on(shell, monkeypatch):
    passed = []
    monkeypatch.setattr(
        "IPython.utils.capture.RichOutput.display", lambda self: passed.append(self)
    )
    found = tabs({"a": lambda: glue("some-key", "value", display=False)})
    assert found.panels["a"] == ()
    (output,) = passed
    assert output.metadata["scrapbook"]["name"].endswith("some-key")


def test_a_figure_is_refused(shell):
    with pytest.raises(ValueError, match="tab 'drawn': only tables and text"):
        tabs({"drawn": lambda: display(Figure())})
