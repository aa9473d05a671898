"""Names from files stay text in every format."""

import re
from html import unescape

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from ordbook.book.escape import escape_cell, escape_formula, escape_latex

HOSTILE = [
    "a_b_c",
    "50% & more",
    r"back\slash \input{x}",
    "{curly} {{x}}",
    "~tilde~ ~~gone~~",
    "x^2 $y$",
    "#1 # heading",
    "emoji 🦉",
    "two\nlines",
    "a|b",
    "[link](http://x.org)",
    "<script>alert(1)</script>",
    "`code` ``x",
    "1. item",
    "1) item",
    "- item",
    "+ item",
    "www.example.org",
    "me@example.org",
    "&amp; &#35;",
    "*bold* **b**",
    "--- ,, '' <<",
    "(target)=",
    "{ref}`x`",
    "% comment",
    "![x](y)",
    ": defined",
    "> quoted",
]


def shown(html: str) -> str:
    return unescape(re.sub("<[^>]*>", "", html)).strip()


@settings(max_examples=400, deadline=None)
@given(st.text(st.sampled_from("ab1 .,;:()[]{}=-+*_~`|\\#%$&<>!@/'\"^é"), min_size=1, max_size=14))
@example("0. a")
@example("12) b")
def test_markdown_shows_any_name_as_it_is_in_a_cell_and_in_a_list(name):
    _shows(name)


@pytest.mark.parametrize("name", HOSTILE)
def test_markdown_shows_hostile_names_as_they_are(name):
    _shows(name)


def _shows(name):
    text = " ".join(name.split())
    if not text:
        return
    reader = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    cell = reader.render(f"| head | n |\n|---|---|\n| {escape_cell(name)} | 1 |\n")
    cells = re.findall(r"<td>(.*?)</td>", cell)
    assert [unescape(content) for content in cells] == [text, "1"]
    item = reader.render(f"- {escape_cell(name)}\n")
    assert item.count("<") == 4, "one list of one item, and no other element"
    assert shown(item) == text


def latex_shows(source: str) -> str:
    """What LaTeX shows for the little of it that the escape writes; anything else is a fault."""
    named = {
        "textbackslash": "\\",
        "textasciitilde": "~",
        "textasciicircum": "^",
        "textless": "<",
        "textgreater": ">",
        "textbar": "|",
        "textasciigrave": "`",
        "textquotesingle": "'",
        "char34": '"',
    }
    token = re.compile(r"\\([A-Za-z]+\d*)\{\}|\\([&%$#_{}])|\{([\[\]*])\}|(\{\})|([^\\&%$#_{}~^])")
    found, at = "", 0
    while at < len(source):
        match = token.match(source, at)
        assert match, f"LaTeX would take {source[at:]!r} for a command"
        word, sign, braced, _, plain = match.groups()
        found += named[word] if word else sign or braced or plain or ""
        at = match.end()
    return found


@settings(max_examples=300, deadline=None)
@given(st.text(st.sampled_from("ab1 .,;()[]{}=-+*_~`|\\#%$&<>!'\"^é🦉"), min_size=1, max_size=14))
def test_latex_shows_any_name_as_it_is(name):
    assert latex_shows(escape_latex(name)) == " ".join(name.split())


@pytest.mark.parametrize("name", HOSTILE)
def test_latex_shows_hostile_names_as_they_are(name):
    assert latex_shows(escape_latex(name)) == " ".join(name.split())


def test_latex_joins_no_two_characters_and_takes_no_option_of_a_row():
    assert escape_latex("a---b") == "a-{}-{}-b"
    assert escape_latex("[2cm] *") == "{[}2cm{]} {*}"
    assert "''" not in escape_latex("''")
    assert "``" not in escape_latex("``")


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "＝"])
def test_a_name_is_never_a_formula(start):
    assert escape_formula(f"{start}1+1") == f"'{start}1+1"
    assert escape_formula(f"x{start}1") == f"x{start}1"


@pytest.mark.parametrize(
    "text",
    [
        "0.0133",
        "-0.25",
        "R & D",
        "DNKT_JSD of V_E1",
        "'Better than' counts the listed runs; no more.",
        "In results/ and significance/, text (it begins with =, +, -, @ or a tab) is quoted.",
        "95% of a+b = c/d, isn't it? Yes!",
    ],
)
def test_what_markdown_does_not_interpret_has_no_backslash(text):
    assert escape_cell(text) == text
    _shows(text)


@pytest.mark.parametrize(
    "text",
    [
        "1. a",
        "12) b",
        "1.",
        "- a",
        "+ a",
        "---",
        "===",
        "(x)=",
        "% c",
        "_a_",
        "a_",
        "__x__",
        "x -- y",
    ],
)
def test_what_markdown_would_interpret_has_one(text):
    assert "\\" in escape_cell(text)
    _shows(text)
