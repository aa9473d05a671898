"""Sheets of exercises for graded work, their answer keys apart, and as questions of Moodle."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from html import unescape
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as Tree

from docutils.utils.math.latex2mathml import tex2mathml
from jinja2 import Environment, PackageLoader, StrictUndefined
from nbconvert.filters import markdown2html

from ordbook.course.drawn import KINDS, TOLERANCE, Question, draw
from ordbook.files import require_new, whole_folder, write_files

FORMATS = ("html", "md", "moodle")
ROUNDING = "Round results to three digits, and keep five on the way."
_NAME = "Name: ______________________  Number: ______________"
_ROOM = '<div class="room"></div>'
_AIDS = "A calculator is allowed, and so is the formula sheet at the end."
_FORMULA = re.compile(r"\$\$(.+?)\$\$|\$(.+?)\$", re.DOTALL)


def make_sheets(
    seed: int, *, variants: int = 1, questions: Sequence[str] = ()
) -> list[list[Question]]:
    """Draw variants of the exercises, of some of `KINDS` or of all; errors are those of `draw`."""
    if not 1 <= variants <= 1000:
        raise ValueError(f"variants must be from 1 to 1000, not {variants}")
    return [[draw(kind, seed, k) for kind in questions or KINDS] for k in range(variants)]


def sheet_pages(sheets: Sequence[Sequence[Question]], seed: int | None) -> dict[str, list[str]]:
    """Return the sheets and their keys, which alone hold the seed: name -> pieces of Markdown.

    One variant gives ``sheet`` and ``key``; several give ``sheets/01`` and ``keys/01``, so that one
    folder can be handed out. Without a seed the numbers are those of the helpdesk's week, for a
    session and not for points.
    """
    pages: dict[str, list[str]] = {}
    graded = seed is not None
    for variant, questions in enumerate(sheets, 1):
        texts = [text_of(question) for question in questions]
        heads = [
            f"## {place}. {text.title}{f' ({text.minutes} points)' if graded else ''}\n\n"
            f"{text.given()}\n\n"
            for place, text in enumerate(texts, 1)
        ]
        total = sum(text.minutes for text in texts)
        rules = f"{total} minutes, {total} points. Show every step. {ROUNDING} {_AIDS}"
        sheet = [f"# Exercises, variant {variant}\n\n{_NAME}\n\n{rules}"]
        key = [f"# Answer key, variant {variant}\n\n{rules}"]
        if not graded:
            sheet, key = ["# A week of the helpdesk"], ["# A week of the helpdesk, worked out"]
        for head, question, text in zip(heads, questions, texts, strict=True):
            sheet.append(f"{head}{asked(text)}\n\n{text.task()}\n\n{_ROOM}")
            key.append(f"{head}{answered(question)}\n\n{text.key()}")
        formulas = "\n\n".join(f"**{text.title}**: {text.formula()}" for text in texts)
        if graded:
            sheet.append(f"## Formula sheet\n\n{formulas}")
            key.append(
                f"*Seed {seed}, variant {variant}. Whoever has the seed can write this key.*"
            )
        number = "" if len(sheets) == 1 else f"s/{variant:0{max(2, len(str(len(sheets))))}}"
        pages |= {f"sheet{number}": sheet, f"key{number}": key}
    return pages


def short(value: float, digits: int = 5) -> str:
    """Write a number with at most so many digits after the point.

    >>> short(0.25), short(1 / 3), short(-1e-17)
    ('0.25', '0.33333', '0')
    """
    return f"{round(value, digits) + 0.0:.{digits}f}".rstrip("0").rstrip(".")


def equals(value: float, digits: int = 5) -> str:
    r"""Write the end of an equation: exactly where so many digits are enough.

    >>> equals(0.25), equals(1 / 3, 3)
    ('= 0.25', '\\approx 0.333')
    """
    exact = abs(round(value, digits) - value) < 1e-9
    return f"= {short(value, digits)}" if exact else rf"\approx {value:.{digits}f}"


def table(head: Sequence[object], rows: Iterable[Sequence[object]], digits: int = 0) -> str:
    """Write a table in Markdown, with so many digits after each point, or as few as it takes."""

    def cell(value: object) -> str:
        if not isinstance(value, float):
            return str(value)
        return f"{value:.{digits}f}" if digits else short(value)

    lines = [head, [":--", *["--:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(map(cell, line))} |" for line in lines)


# The braces of TeX stay as they are.
_TEMPLATES = Environment(
    loader=PackageLoader("ordbook.course", "questions"),
    undefined=StrictUndefined,
    variable_start_string="<<",
    variable_end_string=">>",
    block_start_string="<%",
    block_end_string="%>",
    trim_blocks=True,
)
_TEMPLATES.filters |= {"short": short, "eq": equals}
_TEMPLATES.globals["table"] = table


def text_of(question: Question) -> Any:
    """Return the filled template: title, minutes, asks, and macros that return Markdown."""
    template = _TEMPLATES.get_template(f"{question.kind}.md.j2")
    return template.make_module({**question.values, **question.answers})


def asked(text: Any, fields: Mapping[str, str] | None = None) -> str:
    """Return the text of a question, with fields for the answers if there are any."""
    lines = [f"{ask}{': ' + fields[name] if fields else '.'}" for name, ask in text.asks.items()]
    if len(lines) == 1:
        return f"Give {lines[0]}"
    return "Give\n\n" + "\n".join(f"- ({chr(97 + k)}) {line}" for k, line in enumerate(lines))


def answered(question: Question) -> str:
    """Return the answers of a question, and the values to which common mistakes lead."""
    letters = {name: f"({chr(97 + k)}) " for k, name in enumerate(question.answers)}
    if len(letters) == 1:
        letters = dict.fromkeys(letters, "")
    right = ", ".join(
        f"{letters[name]}**{equals(value, 3).split()[1] if isinstance(value, float) else value}**"
        for name, value in question.answers.items()
    )
    wrong = "; ".join(f"{letters[n]}{short(v, 3)} {why}" for n, v, why in question.mistakes)
    return f"Answer: {right}." + (f"\n\n*Often wrong*: {wrong}." if wrong else "")


def html_of(markdown: str, formula: Callable[[str, bool], str]) -> str:
    """Turn Markdown into HTML, each formula by a function of its TeX and whether it is a block."""

    def convert(match: re.Match[str]) -> str:
        return formula(match[1] or match[2], bool(match[1]))

    return _FORMULA.sub(convert, markdown2html(markdown))


def _mathml(tex: str, block: bool) -> str:
    braced = re.sub(r"\\frac(\d)(\d)", r"\\frac{\1}{\2}", unescape(tex))  # docutils needs them
    return str(tex2mathml(braced, as_block=block))


def write_pages(
    pages: Mapping[str, Sequence[str]],
    out: str | Path,
    *,
    formats: Sequence[str] = ("html",),
    overwrite: bool = False,
    more: Mapping[str, str] | None = None,
) -> list[str]:
    """Write pages into a new or empty folder, or into any with ``overwrite``; return the names.

    ``pages`` are pieces of Markdown by name, the first of which begins with the title, and ``more``
    other files. Format ``html`` gives pages for printing that need no other file.
    """
    for name in formats or [""]:
        if name not in FORMATS:
            raise ValueError(f"no format {name!r}; there are {', '.join(FORMATS)}")
    out = require_new(out, overwrite)
    files = dict(more or {})
    template = _TEMPLATES.get_template("page.html.j2")
    for name, pieces in pages.items():
        pieces = [re.sub(r"\n{3,}", "\n\n", piece).strip() for piece in pieces]
        if "md" in formats:
            files[f"{name}.md"] = "\n\n".join(pieces) + "\n"
        if "html" in formats:
            title = pieces[0].split("\n")[0].removeprefix("# ")
            bodies = [html_of(piece, _mathml) for piece in pieces]
            files[f"{name}.html"] = template.render(title=title, pieces=bodies)
    with whole_folder(out, overwrite) as folder:
        write_files(folder, files)
    return sorted(files)


def quiz(sheets: Sequence[Sequence[Question]], seed: int) -> str:
    """Return the questions of some variants in Moodle's XML format, a category for each kind.

    The format is documented at https://docs.moodle.org/en/Moodle_XML_format. A question with
    several answers is ``cloze``: its text has a field for each, and all of them share their
    numbers. A quiz takes a random question from each category.
    """
    root = Tree.Element("quiz")
    root.append(Tree.Comment(f" Seed {seed} "))
    for variants in zip(*sheets, strict=True):
        category = Tree.SubElement(root, "question", type="category")
        _text(category, "category", f"$course$/ordbook/{text_of(variants[0]).title}")
        for number, question in enumerate(variants, 1):
            _question(root, question, f"{question.kind}, variant {number}")
    Tree.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{Tree.tostring(root, "unicode")}\n'


def _question(root: Tree.Element, question: Question, name: str) -> None:
    text, answers = text_of(question), list(question.answers.items())
    several = len(answers) > 1
    fields = {n: _field(question, n, text.minutes // len(answers)) for n in text.asks}
    whole = [text.given(), asked(text, fields if several else None), ROUNDING, text.formula()]
    element = Tree.SubElement(root, "question", type="cloze" if several else "numerical")
    _text(element, "name", name)
    _text(element, "questiontext", _html("\n\n".join(whole)), format="html")
    _text(element, "generalfeedback", _html(f"{answered(question)}\n\n{text.key()}"), format="html")
    for tag, value in (("defaultgrade", text.minutes), ("penalty", 0), ("hidden", 0)):
        Tree.SubElement(element, tag).text = str(value)
    if several:
        return
    wrong = [("0", value, f"It {why}.") for _, value, why in question.mistakes]
    for fraction, value, why in [("100", answers[0][1], ""), *wrong]:
        answer = _text(element, "answer", short(value, 6), fraction=fraction)
        _text(answer, "feedback", _html(why), format="html")
        Tree.SubElement(answer, "tolerance").text = str(TOLERANCE)


def _field(question: Question, name: str, weight: int) -> str:
    """Return a field of a cloze question: its weight, its type, right and wrong answers."""
    right = question.answers[name]
    if isinstance(right, str):
        return f"{{{weight}:SHORTANSWER:={right}}}"
    margin = TOLERANCE if isinstance(right, float) else 0
    wrong = [
        f"~%0%{short(v, 6)}:{margin}#It {why}." for n, v, why in question.mistakes if n == name
    ]
    return f"{{{weight}:NUMERICAL:={short(right, 6)}:{margin}{''.join(wrong)}}}"


def _html(markdown: str) -> str:
    """Return HTML with formulas between the marks that Moodle's filter for MathJax looks for."""
    return html_of(markdown, lambda tex, block: rf"\[{tex}\]" if block else rf"\({tex}\)")


def _text(parent: Tree.Element, tag: str, text: str, **attributes: str) -> Tree.Element:
    element = Tree.SubElement(parent, tag, attributes)
    Tree.SubElement(element, "text").text = text.strip()
    return element
