"""``ordbook course`` and ``ordbook exercise``: what teachers need."""

import argparse
import json
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

COURSE = """\
examples:
  ordbook course --session 2 --out session
  ordbook course --all --out course --wheel dist/ordbook-0.1.0-py3-none-any.whl
  ordbook course --chapter acl21 --chapter lq21 --out chapters

A session of the book's page on teaching (1, 2 or tutorial), or a chapter, becomes three files. They
are made from the chapters' own cells, which are executed first: under a minute for a session, some
minutes for all chapters (--chapter all).
  students/NAME.ipynb   a notebook in plain Markdown, for Jupyter or Colab, without solutions
  slides/NAME.html      slides, with the plan as speaker's notes; they need no network
  teacher/NAME.html     the plan by minutes, what is often wrong, and the answers; for printing
Figures, tables and exercises have the same numbers in all three. index.html lists the files.

A chapter's slides show the cells whose metadata has slideshow.slide_type, as JupyterLab's property
inspector writes it.

The first cell of a notebook installs ordbook if it is missing: from the wheel beside it (--wheel
puts it there, `make wheel` builds it), or from the project's repository, once that has a public
address. The package holds the whole book, with its solutions, so do not use these for graded work
(see ordbook exercise).
"""
EXERCISE = """\
examples:
  ordbook exercise --seed 7 --out homework
  ordbook exercise --seed 7 --out exam --variants 30 --questions nmd,rnod,tau
  ordbook exercise --seed 7 --out small --classes 3 --format md,ipynb

questions, worked by hand from small fractions:
  nmd rnod rsnod nominal dnkt   of a gold and an estimated distribution
                                (nominal: NVD, RNSS, JSD)
  mae kappa alpha cem           of a confusion matrix of twelve items
  tau                           Kendall's tau of two rankings with a tie
  power contradiction           read off p-values; one of them is .050
  halves                        tau and winner by two halves of the topics
  trials                        what a count of random trials says, and how surely

DIR gets sheet.md and key.md, or with several variants sheets/01.md, keys/01.md and so on. It also
gets exercises.json with all numbers and answers, which is not for students either. A key has every
step, with exact fractions, and is checked with the functions of ordbook. The same seed gives the
same bytes.
"""


def add(commands: Commands) -> None:
    """Describe the commands to the parser."""
    course = commands.add_parser(
        "course",
        help="make notebook, slides and teacher's page of a session or a chapter",
        description="Make the material of a session: a notebook for students, slides, and a page "
        "for the teacher with plan and answers.",
        epilog=COURSE,
        formatter_class=Help,
    )
    add_options(course, "--out!", "--overwrite")
    which = course.add_mutually_exclusive_group(required=True)
    which.add_argument("--session", metavar="NAME", help="a session of the plan: 1, 2 or tutorial")
    which.add_argument("--all", action="store_true", help="all sessions")
    which.add_argument(
        "--chapter", action="append", metavar="NAME", help="a whole chapter, such as acl21, or all"
    )
    course.add_argument(
        "--wheel", metavar="FILE", help="a wheel of this version of ordbook, for the students"
    )
    course.add_argument(
        "--code",
        action="store_true",
        help="show all code on slides, not only what is short and open",
    )
    add_jobs(course, "packs to execute at a time")
    course.set_defaults(run=_course)
    exercise = commands.add_parser(
        "exercise",
        help="draw fresh exercises for graded work, with a separate answer key",
        description="Draw distributions, confusion matrices, rankings, p-values and scores to work "
        "with by hand, and write exercises about them and a separate key with every step.",
        epilog=EXERCISE,
        formatter_class=Help,
    )
    exercise.add_argument(
        "--seed", type=int, required=True, metavar="N", help="seed of the numbers"
    )
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


def _course(options: argparse.Namespace) -> int:
    from ordbook.course.handouts import write_packs
    from ordbook.course.packs import chapter_pack, session_pack
    from ordbook.course.plan import sessions
    from ordbook.report.executing import RerunError
    from ordbook.show.parameters import chapter_names

    if options.jobs is not None and options.jobs < 1:
        raise ValueError(f"--jobs must be at least 1, it is {options.jobs}")
    if options.chapter:
        names = chapter_names() if "all" in options.chapter else options.chapter
        packs = [chapter_pack(name) for name in dict.fromkeys(names)]
    else:
        packs = [
            session_pack(name) for name in ([options.session] if options.session else sessions())
        ]
    try:
        files = write_packs(
            packs,
            options.out,
            wheel=options.wheel,
            overwrite=options.overwrite,
            code=options.code,
            jobs=options.jobs,
            progress=progress,
        )
    except RerunError as error:
        return fail(str(error), 1)
    if options.json:
        say_json({"folder": options.out, "files": files})
    else:
        say(Path(options.out) / "index.html")
    return 0


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
