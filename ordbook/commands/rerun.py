"""``ordbook rerun``: chapters on data of your own.

Contents
--------
add   describe the command to the parser
"""

import argparse
import json
import sys

from ordbook.commands import Commands, fail

EPILOG = """examples:
  ordbook rerun all --data my-task --out edition
  ordbook rerun acl21 lq21 --data my-task --out edition --title "My task, 2026"
  ordbook rerun lq21 --data stc3 --part A --out edition -p trials=1000

Progress goes to stderr; the last line, on stdout, is the page to open. Exit codes: 0 done; 1 a
chapter failed; 2 something asked for is not possible, and nothing has run; 130 interrupted. DIR is
as it was before unless all went well."""


def add(commands: Commands) -> None:
    """Describe the command to the parser."""
    rerun = commands.add_parser(
        "rerun",
        help="run chapters on your own data and build an edition of them",
        description="Run chapters of the book on your own data and build an edition of them: the "
        "executed notebooks, and pages to be opened in a browser. One chapter is a page by itself. "
        "Several, or all, are a book that opens with an answer to the question which measure to "
        "use as primary and which as secondary on this task, by the papers' criteria.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    rerun.add_argument(
        "chapters",
        nargs="+",
        metavar="CHAPTER",
        help="chapters of the book, such as acl21; or all: those that are about tasks of this kind",
    )
    rerun.add_argument(
        "--data",
        required=True,
        metavar="PATH",
        help="folder or zip with gold and runs (see ordbook check --help for the formats), or a "
        "catalogued data set",
    )
    rerun.add_argument(
        "--out",
        required=True,
        metavar="DIR",
        help="folder for the executed notebooks and the pages; an earlier edition is replaced",
    )
    rerun.add_argument(
        "--part",
        default="",
        metavar="A|E|S|nugget",
        help="which task of a folder with NTCIR files",
    )
    rerun.add_argument(
        "--title", default="", help="title of the edition; by default the name of the task"
    )
    rerun.add_argument(
        "--jobs",
        type=int,
        metavar="N",
        help="chapters to run at a time; by default one per processor",
    )
    rerun.add_argument(
        "--classes",
        default="",
        metavar="LABELS",
        help="class labels from lowest to highest, separated by commas, where the "
        "files do not say so (write --classes=-1,0,1 with the equals sign)",
    )
    rerun.add_argument(
        "-p",
        "--parameter",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a parameter of the chapters, for every one that has it, such as trials=1000; may be "
        "repeated",
    )
    rerun.add_argument(
        "--measure",
        action="append",
        default=[],
        metavar="FILE:NAME",
        help="a measure of your own from a Python file or module, made with "
        "ordbook.measures.custom_measure, beside the others: the same as -p own=FILE:NAME; may be "
        "repeated. The file is executed",
    )
    rerun.add_argument(
        "--json", action="store_true", help="print the pages and notebooks as JSON, not one path"
    )
    rerun.set_defaults(run=_rerun)


def _rerun(options: argparse.Namespace) -> int:
    from ordbook.book.rerun import RerunError, rerun

    parameters = {}
    for text in options.parameter:
        name, equals, value = text.partition("=")
        if not equals:
            raise ValueError(f"--parameter {text}: write NAME=VALUE")
        if name in parameters:
            raise ValueError(f"--parameter {name}: given twice; once is enough")
        parameters[name] = value
    if options.measure:
        if "own" in parameters:
            raise ValueError("--measure and -p own= say the same; use one of them")
        parameters["own"] = ",".join(options.measure)
    try:
        page = rerun(
            options.chapters[0] if len(options.chapters) == 1 else options.chapters,
            options.data,
            options.out,
            part=options.part,
            title=options.title,
            jobs=options.jobs,
            classes=options.classes,
            parameters=parameters,
            progress=lambda line: print(line, file=sys.stderr, flush=True),
        )
    except RerunError as error:
        return fail(str(error), 1)
    if options.json:
        folder = page.parent.parent
        found = {
            "page": str(page),
            "title": options.title,
            "data": options.data,
            "notebooks": sorted(str(path) for path in folder.glob("*.ipynb")),
        }
        print(json.dumps(found, indent=1, ensure_ascii=False))
    else:
        print(page)
    return 0
