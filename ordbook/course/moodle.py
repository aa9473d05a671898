"""Exercises in Moodle's XML format, as its question bank imports them.

The format is documented at https://docs.moodle.org/en/Moodle_XML_format. A question with one answer
is of the type ``numerical``; one with several is of the type ``cloze``, whose text has a numerical
field or one for a short answer where each answer goes, so that all of them share their numbers.
"""

from collections.abc import Sequence
from xml.etree import ElementTree as Tree

from ordbook.course.drawn import TOLERANCE, Question
from ordbook.course.sheets import ROUNDING, answered, asked, html_of, short, text_of


def quiz(sheets: Sequence[Sequence[Question]], seed: int) -> str:
    """Return the questions of some variants, a category for each kind.

    A quiz takes a random question from each category, so that students get different numbers.
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
    made = Tree.SubElement(root, "question", type="cloze" if several else "numerical")
    _text(made, "name", name)
    _text(made, "questiontext", _html("\n\n".join(whole)), format="html")
    _text(made, "generalfeedback", _html(f"{answered(question)}\n\n{text.key()}"), format="html")
    for tag, value in (("defaultgrade", text.minutes), ("penalty", 0), ("hidden", 0)):
        Tree.SubElement(made, tag).text = str(value)
    if several:
        return
    wrong = [("0", value, f"It {why}.") for _, value, why in question.mistakes]
    for fraction, value, why in [("100", answers[0][1], ""), *wrong]:
        answer = _text(made, "answer", short(value, 6), fraction=fraction)
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
    made = Tree.SubElement(parent, tag, attributes)
    Tree.SubElement(made, "text").text = text.strip()
    return made
