"""What chapters show."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

import ordbook as ob
from ordbook.chapters import record
from ordbook.data.printed import SIX
from ordbook.meta.seeds import Spread
from ordbook.papers.comparison import Comparison
from ordbook.papers.draws import Seen
from ordbook.show import show
from ordbook.show.escape import escape_markdown


def test_a_table_in_both_formats():
    shown = show.table(
        pd.DataFrame({"NMD": [0.12345, np.nan], "n": [1, 2]}, index=["a", "b"]), "Scores.", "t"
    )
    assert shown._repr_markdown_() == "\n".join(
        [
            "```{list-table} Scores\\.",
            ":header-rows: 1",
            ":stub-columns: 1",
            ":class: ordbook-table",
            ":name: t",
            "",
            "* -",
            "  - NMD",
            "  - n",
            "* - a",
            "  - 0\\.123",
            "  - 1",
            "* - b",
            "  -",
            "  - 2",
            "```",
        ]
    )
    assert "<td>0.123</td><td>1</td>" in shown._repr_html_()


def compared(*cells):
    """A comparison made of (column, printed, ours, verdict), all in the row A."""
    columns = ["column", "printed", "ours", "verdict"]
    frame = pd.DataFrame(cells, columns=columns, dtype=object).assign(
        row="A", detail="", reason="", note=""
    )
    return Comparison("x", "1", frame)


def test_a_comparison_shows_printed_ours_and_verdict():
    shown = record.comparison(
        compared(
            ("a", "0.818", 0.81818, "recomputed"),
            ("b", "0.848", 0.849, "unchecked"),
            ("c", "0.909", 0.7, "contradicted"),
            ("d", "0.788", None, "unchecked"),
            ("e", "0.5", Spread(np.linspace(0.41, 0.62, 200)), "within chance"),
            ("f", "♣", Seen({"♣": 9, "♥": 1}), "within chance"),
            ("g", "125", None, "contradicted"),
            ("h", "good", "good", "consistent"),
        )
    )
    markdown = shown._repr_markdown_()
    for cell in (
        "[0\\.818]{.printed} [0\\.818]{.verdict-recomputed}",
        "[0\\.848]{.printed} [0\\.849]{.verdict-unchecked}",
        "[0\\.909]{.printed} [0\\.700]{.verdict-contradicted}",
        "  - [0\\.788]{.verdict-unchecked}",
        "[0\\.5]{.printed} [0\\.4 to 0\\.6]{.verdict-within-chance}",
        "[♣ or ♥]{.verdict-within-chance}",
        "  - [125]{.verdict-contradicted}",
        "[good]{.printed} [good]{.verdict-consistent}",
    ):
        assert cell in markdown
    assert "0.818<br>= 0.818" in shown._repr_html_()
    assert "! 0.700" in shown._repr_html_()


def test_a_printed_table_is_one_line_that_opens():
    ours = ob.ranking_similarity(ob.score(ob.load("sem16t4e"), [*SIX])).tau
    fold = record.printed("acl21", "8i", ours, about="similarity", name="x")
    assert fold.title == "Table 8(i), similarity: all 15 recomputed"
    markdown, page = fold._repr_markdown_(), fold._repr_html_()
    assert markdown.startswith("::::{admonition} Table 8\\(i\\)")
    assert ":name: x" in markdown
    assert "\\= recomputed\\:" in fold.remarks
    assert "[0\\.818]{.printed} [0\\.818]{.verdict-recomputed}" in markdown
    assert "```{list-table}\n:header-rows" in markdown, "a caption would be numbered in the book"
    assert page.startswith("<details><summary>Table 8(i), similarity: all 15 recomputed</summary>")


def test_remarks_in_a_fold_are_text_and_no_elements():
    fold = show.Fold("<b>", None, escape_markdown("<script>alert(1)</script> a*b* `c`"))
    assert "&lt;script&gt;alert(1)&lt;/script&gt; a*b* `c`" in fold._repr_html_()
    assert "<summary>&lt;b&gt;</summary>" in fold._repr_html_()


def test_half_a_unit_is_shown_as_printed():
    """0.8445 is equal to 0.845 and to 0.844; what is shown must not contradict the verdict."""
    shown = record.comparison(
        compared(("a", "0.845", 0.8445, "recomputed"), ("b", "0.599", 0.5985, "recomputed"))
    )
    assert dict(shown.rows[0][1])["verdict-recomputed"] == "0.845"
    assert dict(shown.rows[0][2])["verdict-recomputed"] == "0.599"


def test_a_heat_map_shows_the_lower_triangle():
    names = list("abc")
    matrix = pd.DataFrame(
        [[1, 0.2, -0.4], [0.2, 1, 0.6], [-0.4, 0.6, 1]], index=names, columns=names
    )
    axes = show.heatmap(matrix, "tau")
    assert [text.get_text() for text in axes.texts] == [".20", "-.40", ".60"]
    assert [t.get_text() for t in axes.get_xticklabels()] == ["a", "b"]
    assert [t.get_text() for t in axes.get_yticklabels()] == ["b", "c"]
    assert axes.collections[0].get_clim() == (0, 1), "one scale for all heat maps"
    plt.close("all")
