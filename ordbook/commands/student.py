"""``ordbook student``: the chapters without solutions, for a course.

Contents
--------
add   describe the command to the parser
"""

import argparse
import json
import sys

from ordbook.commands import Commands, fail

EPILOG = """\
examples:
  ordbook student --out course.zip                     all chapters
  ordbook student --out course.zip measures acl21

The zip file holds a notebook for each chapter, in plain Markdown that Jupyter and Colab show, with
empty cells in the place of solutions; README.md, which says how to open them in Jupyter, in Colab
and on Binder; and requirements.txt. Every notebook is executed before the file is written, which
takes some minutes for all chapters. The same chapters give the same bytes.

exit codes: 0 done; 1 a chapter failed, nothing is written; 2 not possible, nothing has run; 130
interrupted
"""


def add(commands: Commands) -> None:
    """Describe the command to the parser."""
    student = commands.add_parser(
        "student",
        help="make notebooks of the chapters without solutions, as one zip file",
        description="Make the version of the chapters for students: notebooks without the "
        "solutions of the exercises, which run in Jupyter, in Colab and on Binder.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    student.add_argument(
        "chapters", nargs="*", metavar="CHAPTER", help="chapters, such as acl21 (default: all)"
    )
    student.add_argument("--out", required=True, metavar="FILE.zip", help="the zip file")
    student.add_argument(
        "--force", action="store_true", help="replace FILE.zip even where it is not of ordbook"
    )
    student.add_argument(
        "--jobs",
        type=int,
        metavar="N",
        help="chapters to execute at a time; by default one per processor",
    )
    student.add_argument("--json", action="store_true", help="print what the file holds as JSON")
    student.set_defaults(run=_student)


def _student(options: argparse.Namespace) -> int:
    from ordbook.book.executing import RerunError
    from ordbook.book.student import write_student_zip

    if options.jobs is not None and options.jobs < 1:
        raise ValueError(f"--jobs must be at least 1, it is {options.jobs}")
    try:
        files = write_student_zip(
            options.chapters,
            options.out,
            force=options.force,
            jobs=options.jobs,
            progress=lambda line: print(line, file=sys.stderr, flush=True),
        )
    except RerunError as error:
        return fail(str(error), 1)
    if options.json:
        print(json.dumps({"zip": options.out, "files": files}, indent=1, ensure_ascii=False))
    else:
        print(options.out)
    return 0
