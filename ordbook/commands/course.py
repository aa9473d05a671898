"""``ordbook student``, ``slides`` and ``exercise``: the chapters for teaching."""

import argparse
import json
from collections.abc import Callable
from pathlib import Path

from ordbook.commands import (
    Commands,
    Help,
    add_jobs,
    add_options,
    fail,
    progress,
    say,
    say_json,
)

STUDENT = """\
examples:
  ordbook student --out course.zip                     all chapters
  ordbook student --out course.zip measures acl21
  ordbook student --out course.zip --wheel dist/ordbook-0.1.0-py3-none-any.whl

The zip file holds a notebook for each chapter, in plain Markdown that Jupyter and Colab show, with
empty cells in the place of solutions; README.md, which says how to open them in Jupyter, in Colab
and on Binder; and requirements.txt. Every notebook is executed before the file is written, which
takes some minutes for all chapters. The same chapters give the same bytes.

What is installed is the wheel of ordbook in the zip file, if --wheel names one (`make wheel` builds
it); else the package from the project's repository; and as long as that has no public address, a
wheel that students have to be given besides. The package holds the whole book, with its solutions:
nothing graded should rest on them (see ordbook exercise).
"""
SLIDES = """\
examples:
  ordbook slides --out slides                      all chapters
  ordbook slides --out slides measures lq21
  ordbook slides --out slides measures --code      with the code of the cells

A cell is on a slide if its metadata has slideshow.slide_type, as JupyterLab's property inspector
writes it: slide, subslide, - (on the same slide), fragment or notes. Other cells are left out. The
chapters are executed first, which takes some minutes for all. DIR holds CHAPTER.html and all they
need; they ask no other host for anything, and open from the disk.
"""
EXERCISE = """\
examples:
  ordbook exercise --seed 7 --out homework
  ordbook exercise --seed 7 --out exam --variants 30 --questions nmd,rnod,tau
  ordbook exercise --seed 7 --out small --classes 3 --format md,ipynb

questions, worked by hand from small fractions:
  nmd rnod rsnod nominal dnkt   of a gold and an estimated distribution
                                (nominal: NVD, RNSS, JSD)
  mae kappa cem                 of gold and predicted labels of twelve items
  tau                           Kendall's tau of two rankings with a tie
  power contradiction           read off p-values; one of them is .050

DIR holds sheet.md and key.md, or with several variants sheets/01.md and keys/01.md and so on, and
exercises.json with all numbers and answers, which is not for students either. A key has every step,
with exact fractions, and is checked against the functions of ordbook. The same seed gives the same
bytes.
"""


def add(commands: Commands) -> None:
    """Describe the commands to the parser."""
    student = commands.add_parser(
        "student",
        help="make notebooks of the chapters without solutions, as one zip file",
        description="Make the version of the chapters for students: notebooks without the "
        "solutions of the exercises, which run in Jupyter, in Colab and on Binder.",
        epilog=STUDENT,
        formatter_class=Help,
    )
    student.add_argument("--out", required=True, metavar="FILE.zip", help="the zip file")
    student.add_argument(
        "--wheel", metavar="FILE", help="a wheel of this version of ordbook, to go into FILE.zip"
    )
    add_options(student, "--overwrite")
    student.set_defaults(run=_student)
    slides = commands.add_parser(
        "slides",
        help="make slides from the chapters",
        description="Execute chapters and make slides from their own cells, figures and tables.",
        epilog=SLIDES,
        formatter_class=Help,
    )
    add_options(slides, "--out!", "--overwrite")
    slides.add_argument("--code", action="store_true", help="show the code of cells, too")
    slides.set_defaults(run=_slides)
    for parser in (student, slides):
        parser.add_argument(
            "chapters", nargs="*", metavar="CHAPTER", help="chapters, such as acl21 (default: all)"
        )
        add_jobs(parser, "chapters to execute at a time")
    exercise = commands.add_parser(
        "exercise",
        help="draw fresh exercises for graded work, with an answer key apart",
        description="Draw distributions, labels, rankings and p-values that can be worked by hand, "
        "and write exercises about them and, apart, a key with every step.",
        epilog=EXERCISE,
        formatter_class=Help,
    )
    exercise.add_argument("--seed", type=int, required=True, metavar="N", help="which numbers")
    add_options(exercise, "--out!", "--overwrite")
    exercise.add_argument(
        "--classes", type=int, default=5, metavar="C",
        help="classes of the distributions, 3 to 9 (default 5)",
    )  # fmt: skip
    exercise.add_argument(
        "--questions", default="", metavar="NAMES", help="separated by commas (default: all)"
    )
    exercise.add_argument(
        "--variants", type=int, default=1, metavar="N",
        help="sheets with different numbers, for instance one for each student (default 1)",
    )  # fmt: skip
    exercise.add_argument(
        "--format", default="md", metavar="md,ipynb",
        help="Markdown with LaTeX formulas, notebooks, or both (default md)",
    )  # fmt: skip
    exercise.add_argument(
        "--json", action="store_true", help="print the files, numbers and answers as JSON"
    )
    exercise.set_defaults(run=_exercise)


def _student(options: argparse.Namespace) -> int:
    from ordbook.course.student import write_student_zip

    made = _executed(write_student_zip, options, wheel=options.wheel)
    if made is None:
        return 1
    if options.json:
        say_json({"zip": options.out, "files": made})
    else:
        say(options.out)
    return 0


def _slides(options: argparse.Namespace) -> int:
    from ordbook.course.slides import write_slides

    made = _executed(write_slides, options, code=options.code)
    if made is None:
        return 1
    if options.json:
        say_json({"folder": options.out, "pages": made})
    else:
        say(Path(options.out) / made[0])
    return 0


def _executed(
    writer: Callable[..., list[str]], options: argparse.Namespace, **own: object
) -> list[str] | None:
    """Execute the chapters and write what is asked for; return its names, or None on failure."""
    from ordbook.report.executing import RerunError

    own |= {"jobs": options.jobs, "overwrite": options.overwrite, "progress": progress}
    if options.jobs is not None and options.jobs < 1:
        raise ValueError(f"--jobs must be at least 1, it is {options.jobs}")
    try:
        return writer(options.chapters, options.out, **own)
    except RerunError as error:
        fail(str(error), 1)
        return None


def _exercise(options: argparse.Namespace) -> int:
    from ordbook.course.sheets import NUMBERS, make_sheets, write_sheets

    def names(text: str) -> list[str]:
        return [name.strip() for name in text.split(",") if name.strip()]

    formats = names(options.format)
    if not formats:
        raise ValueError("--format is empty; write md, ipynb or md,ipynb")
    sheets = make_sheets(
        options.seed,
        variants=options.variants,
        classes=options.classes,
        questions=names(options.questions),
    )
    files = write_sheets(sheets, options.out, formats=formats, overwrite=options.overwrite)
    if options.json:
        about = json.loads((Path(options.out).expanduser() / NUMBERS).read_text(encoding="utf-8"))
        say_json({"folder": options.out, **about})
    else:
        for name in files:
            say(Path(options.out) / name)
    return 0
