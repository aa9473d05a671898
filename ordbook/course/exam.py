"""The exam questions of the page on teaching: a paper without answers, and its key."""

import re
from types import SimpleNamespace
from typing import Any

import numpy as np

import ordbook as ob
from ordbook.course.exercises import DIRECTIVE
from ordbook.course.plain import Plain
from ordbook.course.references import read_labels
from ordbook.files import share

_CODE = re.compile(r"^```\{code-cell\}[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_POINTS = re.compile(r"\n\*\w+, (\d+) points\.\*\n")


def exam_pages() -> dict[str, list[str]]:
    """Return the exam and its key in pieces of Markdown: a title, and a piece for each question.

    The code of every answer runs, so that the key has the numbers of this version of ordbook.
    """
    page = share("book", "teaching.md").read_text(encoding="utf-8")
    section = page[page.index("(teaching-exam)=") : page.index("(teaching-room)=")]
    glued: dict[str, str] = {}

    def facts(values: dict[str, Any], prefix: str) -> None:
        glued.update({f"{prefix}-{name}": str(value) for name, value in values.items()})

    names = {"ob": ob, "np": np, "show": SimpleNamespace(facts=facts)}
    marks = list(DIRECTIVE.finditer(section))
    asked, key, total = [], [], 0
    for place, (question, begin, end) in enumerate(
        zip(marks[::3], marks[1::3], marks[2::3], strict=True), 1
    ):
        answer = section[begin.end() : end.start()]
        for code in _CODE.findall(answer):
            exec(code, names)  # noqa: S102 - the code of our own page
        text, points, _ = _POINTS.split(question["body"])
        total += int(points)
        plain = Plain("teaching", read_labels(), glued)
        asked.append(f"## {place}. {question['title']} ({points} points)\n\n{plain.text(text)}")
        key.append(f"{asked[-1]}\n\n**Answer.** {plain.text(_CODE.sub('', answer))}")
    paper = f"# Exam\n\nName: ______________________\n\n{total} points, one a minute."
    return {
        "exam": [paper, *asked],
        "key": [f"# Answer key of the exam\n\n{total} points; choose questions to fit.", *key],
    }
