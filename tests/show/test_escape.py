"""Names from files stay text in every format."""

import re
from html import unescape

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from markdown_it import MarkdownIt

from ordbook.show import show
from ordbook.show.escape import escape_cell, escape_figure, escape_latex

NAMES = [
    "<script>x()</script>",
    "<img src=x onerror='x()'>",
    "<!-- comment &lt;b&gt; &#60;",
    "[click](javascript:x()) ![x](y) [^1] [x]{.printed} <javascript:x()>",
    "http://outside.example.com/x www.outside.example.com",
    "a|b `code` ``more",
    "```{raw} html :::{note} {raw}`html` {{ 7*7 }} (label)=",
    "**bold** _it_ ~~gone~~",
    r"$\frac$ \(\href{javascript:x()}{x}\) $_^$ \$",
    r"\input{/etc/passwd} \\[2cm] & # % _ ^ ~ { } \end{tabular} ^^5cinput x\\",
    "'=HYPERLINK(\"x\")' %s {0} --- ,, '' <<",
    "_hidden",
    "two\nlines\n\n# heading",
    "🦉 名前 é",
    *("1. a", "1) a", "+ a", "- a", "---", "# a", "> a", "(x)=", "% c", "_a_", "x -- y"),
]
PLAIN = [
    "0.0133",
    "-0.25",
    "R & D",
    "DNKT_JSD of V_E1",
    "'Better than' counts the listed runs; no more.",
    "In results/ and significance/, text (it begins with =, +, -, @ or a tab) is quoted.",
    "95% of a+b = c/d, isn't it? Yes!",
]
# What LaTeX shows for the commands that stand for a sign.
SIGNS = {
    **{"textbackslash": "\\", "textasciitilde": "~", "textasciicircum": "^", "textbar": "|"},
    **{"textless": "<", "textgreater": ">", "textasciigrave": "`", "textquotesingle": "'"},
    "char34": '"',
}


def in_markdown(name: str) -> None:
    """Assert that a table's cell and a list's item show a name as it is."""
    text = " ".join(name.split())
    if not text:
        return
    reader = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    table = reader.render(f"| head | n |\n|---|---|\n| {escape_cell(name)} | 1 |\n")
    assert list(map(unescape, re.findall(r"<td>(.*?)</td>", table))) == [text, "1"]
    item = reader.render(f"- {escape_cell(name)}\n")
    assert item.count("<") == 4, "one list of one item, and no other element"
    assert unescape(re.sub("<[^>]*>", "", item)).strip() == text


def in_latex(name: str) -> None:
    """Read the little of LaTeX that the escape writes; anything else is a fault."""
    token = re.compile(r"\\([A-Za-z]+\d*)\{\}|\\([&%$#_{}])|\{([\[\]*])\}|(\{\})|([^\\&%$#_{}~^])")
    source, text, at = escape_latex(name), "", 0
    while at < len(source):
        match = token.match(source, at)
        assert match, f"LaTeX would take {source[at:]!r} for a command"
        word, sign, braced, _, plain = match.groups()
        text += SIGNS[word] if word else sign or braced or plain or ""
        at = match.end()
    assert text == " ".join(name.split())


def in_a_figure(name: str) -> None:
    """Assert that a title, a tick and a legend draw a name as it is: a formula is no text."""
    name = " ".join(name.split())
    figure, axes = plt.subplots()
    axes.plot([0, 1], label=escape_figure(name))
    axes.set_title(escape_figure(name))
    axes.set_xticks([0, 1], [escape_figure(name), "b"])
    assert len(axes.legend().get_texts()) == 1, "what begins with an underscore would be left out"
    figure.canvas.draw()
    drawn = [text._preprocess_math(text.get_text()) for text in figure.findobj(plt.Text)]
    assert not any(mathematics for _, mathematics in drawn)
    # The title, the legend, and a tick's two labels.
    assert [text.strip() for text, _ in drawn].count(name) == 4
    plt.close(figure)


def in_a_table(name: str) -> None:
    """Assert that a chapter's table gets no element, option or row from a name."""
    frame = pd.DataFrame({name: [0.5]}, index=pd.Index([name], name=name))
    shown = show.table(frame, name, name="x")
    assert not re.search("<(img|script|!)", shown._repr_html_())
    markdown = shown._repr_markdown_()
    assert len(markdown.splitlines()) == 11
    assert not re.search("<(img|script|!)", markdown.replace("\\<", ""))


@pytest.mark.filterwarnings("ignore:Glyph")
@pytest.mark.parametrize("shows", [in_markdown, in_latex, in_a_figure, in_a_table])
def test_hostile_names_are_shown_as_they_are(shows, subtests):
    for name in NAMES:
        with subtests.test(name):
            shows(name)


def test_any_name_is_shown_as_it_is():
    rng, letters = np.random.default_rng(0), [*"ab1 .,;:()[]{}=-+*_~`|\\#%$&<>!@/'\"^é🦉"]
    drawn = ("".join(rng.choice(letters, rng.integers(1, 15))) for _ in range(300))
    for name in ["0. a", "12) b", *drawn]:
        in_markdown(name)
        in_latex(name)


def test_what_markdown_does_not_interpret_has_no_backslash():
    assert [escape_cell(text) for text in PLAIN] == PLAIN


def test_latex_joins_no_two_characters_and_takes_no_option_of_a_row():
    assert escape_latex("a---b") == "a-{}-{}-b"
    assert escape_latex("[2cm] *") == "{[}2cm{]} {*}"
    assert "''" not in escape_latex("''")
    assert "``" not in escape_latex("``")
