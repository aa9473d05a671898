"""``ordbook student``: the chapters without solutions, for a course.

Contents
--------
add   describe the command to the parser
"""

import argparse

from ordbook.commands import Commands, Help, add_overwrite, executed

EPILOG = """\
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
wheel that students have to be given besides, as README.md tells them. The package holds the whole
book, with its solutions: nothing graded should rest on them (see ordbook exercise).

exit codes: 0 done; 1 a chapter failed or there was no room on a disk, nothing is written; 2 not
possible, nothing has run; 130 interrupted
"""


def add(commands: Commands) -> None:
    """Describe the command to the parser."""
    student = commands.add_parser(
        "student",
        help="make notebooks of the chapters without solutions, as one zip file",
        description="Make the version of the chapters for students: notebooks without the "
        "solutions of the exercises, which run in Jupyter, in Colab and on Binder.",
        epilog=EPILOG,
        formatter_class=Help,
    )
    student.add_argument("--out", required=True, metavar="FILE.zip", help="the zip file")
    student.add_argument(
        "--wheel", metavar="FILE", help="a wheel of this version of ordbook, to go into FILE.zip"
    )
    add_overwrite(student)
    executed.add_arguments(student)
    student.set_defaults(run=_student)


def _student(options: argparse.Namespace) -> int:
    from ordbook.course.student import write_student_zip

    return executed.write(
        write_student_zip,
        options,
        lambda files: (options.out, {"zip": options.out, "files": files}),
        wheel=options.wheel,
        overwrite=options.overwrite,
    )
