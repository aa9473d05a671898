"""Boxes: MyST for the book, HTML for plain Jupyter, and nothing of a file is taken for HTML."""

from IPython.core.formatters import DisplayFormatter

from ordbook.chapters.show import Myst, as_html, escape_markdown

FOLDED = ":::{admonition} A title\n:class: dropdown\n- one\n- two\n:::"


def test_a_box_has_both_forms():
    text = ":::{note}\nIdle. Table 1 was printed for other data.\n:::"
    data, _ = DisplayFormatter().format(Myst(text))
    assert data["text/markdown"] == text
    assert "<strong>Note</strong>" in data["text/html"]
    assert "<p>Idle. Table 1 was printed for other data.</p>" in data["text/html"]
    assert ":::" not in data["text/html"]


def test_a_dropdown_shows_its_title_alone():
    shown = as_html(FOLDED)
    assert shown.startswith("<details ")
    assert "<summary>A title</summary>" in shown
    assert "<li>two</li>" in shown
    assert "class" not in shown


def test_text_around_boxes_stays_in_its_place():
    shown = as_html(f"**before**\n\n{FOLDED}\n\nbetween\n\n{FOLDED}\nafter")
    places = [shown.index(word) for word in ("before", "A title", "between", "after")]
    assert places == sorted(places)
    assert shown.count("<details") == 2


def test_names_from_files_are_text():
    name = "<script>alert(1)</script> a*b* `c`"
    shown = as_html(f":::{{note}}\n{escape_markdown(name)}\n:::")
    assert "&lt;script&gt;alert(1)&lt;/script&gt; a*b* `c`" in shown
