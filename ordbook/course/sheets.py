"""Sheets of fresh exercises for graded work, and their answer keys apart."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import nbformat

from ordbook.course import worked_distributions, worked_runs
from ordbook.course.drawn import Drawn, draw
from ordbook.course.worked import Question, given
from ordbook.files import require_new, whole_folder, write_files

QUESTIONS: Mapping[str, Callable[[Drawn], Question]] = {
    "nmd": worked_distributions.nmd,
    "rnod": worked_distributions.rnod,
    "rsnod": worked_distributions.rsnod,
    "nominal": worked_distributions.nominal,
    "dnkt": worked_distributions.dnkt,
    "mae": worked_runs.mae,
    "kappa": worked_runs.kappa,
    "alpha": worked_runs.alpha,
    "cem": worked_runs.cem,
    "tau": worked_runs.tau,
    "power": worked_runs.power,
    "contradiction": worked_runs.contradiction,
    "halves": worked_runs.halves,
    "trials": worked_runs.trials,
}
NUMBERS = "exercises.json"
FORMATS = ("md", "ipynb")
_ROOTS = {"rnod", "rsnod", "nominal", "dnkt", "tau", "trials"}
_LOGARITHMS = {"nominal", "cem"}


@dataclass(frozen=True)
class Sheet:
    """One variant of the exercises.

    Attributes
    ----------
    seed, variant
        What its numbers were drawn from; the first variant is 1.
    drawn
        Its numbers.
    questions
        Its questions, with their worked answers.
    """

    seed: int
    variant: int
    drawn: Drawn
    questions: tuple[Question, ...]

    def cells(self, key: bool) -> list[str]:
        """Return the sheet or its key in pieces of Markdown: heading, numbers, questions."""
        what = "Answer key" if key else "Exercises"
        note = (
            "Every answer was checked against the functions of ordbook. Fractions are exact; "
            "other final results are rounded to three digits, a half up, and what is reckoned "
            "with on the way to five or more."
            if key
            else "Name: ______________________\n\nWork by hand and show every step. Round final "
            "results to three digits, a half up; on the way, keep five or more. "
            f"{self._aids()}"
        )
        cells = [f"# {what}, variant {self.variant}\n\n{note}"]
        about = ""
        for place, question in enumerate(self.questions, 1):
            if question.about != about:
                about = question.about
                cells.append(given(about, self.drawn))
            body = question.key if key else question.task
            cells.append(f"## {place}. {question.title}\n\n{body}")
        if key:
            cells.append(f"*Seed {self.seed}, variant {self.variant}.*")
        return cells

    def _aids(self) -> str:
        """Say what is allowed on the table."""
        asked = {question.name for question in self.questions}
        needed = ["square roots"] if asked & _ROOTS else []
        needed += [r"logarithms ($\log_2 x = \ln x / \ln 2$)"] if asked & _LOGARITHMS else []
        aids = f"a calculator, for {' and '.join(needed)}" if needed else "none but a pen"
        return f"Allowed aids: {aids}."


def make_sheets(
    seed: int, *, variants: int = 1, classes: int = 5, questions: Sequence[str] = ()
) -> list[Sheet]:
    """Draw variants of the exercises: the same for the same arguments, no two alike.

    Parameters
    ----------
    seed
        Not negative.
    variants
        How many, for instance one for each student.
    classes
        Number of classes of the distributions, 3 to 9.
    questions
        Some of :data:`QUESTIONS`; none means all.

    Raises
    ------
    ValueError
        If there is no such question, or a number is out of range.
    """
    for name in questions:
        if name not in QUESTIONS:
            raise ValueError(f"no question {name!r}; there are {', '.join(QUESTIONS)}")
    if not 1 <= variants <= 1000:
        raise ValueError(f"variants must be from 1 to 1000, not {variants}")
    # In this order whatever the order asked for: questions about the same numbers stay together.
    asked = [name for name in QUESTIONS if not questions or name in questions]
    sheets: list[Sheet] = []
    seen: set[tuple[tuple[int, ...], tuple[int, ...]]] = set()
    stream = 0
    while len(sheets) < variants:
        drawn = draw(seed, stream, classes)
        stream += 1
        pair = (drawn.gold, drawn.estimate)
        if pair not in seen:
            seen.add(pair)
            worked = tuple(QUESTIONS[name](drawn) for name in asked)
            sheets.append(Sheet(seed, len(sheets) + 1, drawn, worked))
    return sheets


def write_sheets(
    sheets: Sequence[Sheet],
    out: str | Path,
    *,
    formats: Sequence[str] = ("md",),
    overwrite: bool = False,
) -> list[str]:
    """Write sheets and keys into a new or empty folder, or into any with ``overwrite``.

    One variant gives ``sheet.md`` and ``key.md``; several give ``sheets/01.md`` and ``keys/01.md``,
    so that one folder can be handed out. ``exercises.json`` holds all numbers and answers, and is
    the teacher's too.

    Returns
    -------
    list of str
        The files, relative to the folder.

    Raises
    ------
    ValueError
        If the folder is not empty, or there is no such format.
    """
    for name in formats:
        if name not in FORMATS:
            raise ValueError(f"no format {name!r}; there are {', '.join(FORMATS)}")
    out = require_new(out, overwrite)
    width = max(2, len(str(len(sheets))))
    files: dict[str, str] = {}
    for sheet in sheets:
        for key in (False, True):
            what = "key" if key else "sheet"
            stem = what if len(sheets) == 1 else f"{what}s/{sheet.variant:0{width}}"
            for ending in formats:
                made = _markdown(sheet, key) if ending == "md" else _notebook(sheet, key)
                files[f"{stem}.{ending}"] = made
    about = {
        "kind": "ordbook exercises",
        "seed": sheets[0].seed,
        "variants": [
            {
                "variant": sheet.variant,
                "numbers": asdict(sheet.drawn),
                "answers": {name: dict(q.answers) for q in sheet.questions for name in [q.name]},
            }
            for sheet in sheets
        ],
    }
    files[NUMBERS] = json.dumps(about, indent=1, ensure_ascii=False) + "\n"
    with whole_folder(out, overwrite) as folder:
        write_files(folder, files)
    return sorted(files)


def _markdown(sheet: Sheet, key: bool) -> str:
    return "\n\n".join(sheet.cells(key)) + "\n"


def _notebook(sheet: Sheet, key: bool) -> str:
    cells = []
    for place, text in enumerate(sheet.cells(key)):
        cells.append(nbformat.v4.new_markdown_cell(text, id=f"part-{place}"))
        if not key and text.startswith("## "):
            cells.append(nbformat.v4.new_code_cell("", id=f"answer-{place}"))
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    notebook = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})
    return str(nbformat.writes(notebook)) + "\n"
