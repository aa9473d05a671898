"""``ordbook rerun``: chapters on data of your own."""

import argparse
from pathlib import Path

from ordbook.commands import (
    Commands,
    Help,
    add_classes,
    add_imperfect,
    add_jobs,
    add_measure,
    add_out,
    add_parameters,
    add_part,
    aside,
    fail,
    imperfect,
    pairs,
    progress,
    say,
    say_json,
)

EPILOG = """\
examples:
  ordbook rerun report --data my-task --out report --title "My task, 2026"
  ordbook rerun all --data my-task --out edition
  ordbook rerun acl21 lq21 --data my-task --out edition --title "My task, 2026"
  ordbook rerun lq21 --data stc3 --part A --out edition -p trials=1000
  ordbook rerun lq21 --parameters

'report' is the report on your task, in one file to publish. Chapters that 'all' puts after it, by
the kind of the task:
{chapters}
Left out, but run when they are named: official, which sets scores beside the official ones of
SemEval-2016; and your_data, which teaches what the report then answers.

Parameters have the same meaning in every chapter; numbers lie between these limits:
{limits}

Progress goes to stderr; the last line, on stdout, is the page to open.
"""


def _epilog() -> str:
    from ordbook.chapters.parameters import CHAPTERS, EDITION, NUMBERS

    kinds = ("classification", "quantification", "nuggets")
    taken = {kind: [name for name in EDITION if kind in CHAPTERS[name]] for kind in kinds}
    return EPILOG.format(
        chapters="\n".join(f"  {kind:16}{', '.join(names)}" for kind, names in taken.items()),
        limits="\n".join(f"  {name:8}{low} to {high}" for name, (low, high) in NUMBERS.items()),
    )


def add(commands: Commands) -> None:
    """Describe the command to the parser."""
    rerun = commands.add_parser(
        "rerun",
        help="run chapters on your own data and build an edition of them",
        description="Run chapters of the book on your own data and build an edition of them: the "
        "executed notebooks, and pages to be opened in a browser. 'report' is one file: the runs "
        "ranked, where they err, and which measure to use. One chapter is a page by itself. "
        "Several, or all, are a book that begins with the report.",
        usage="ordbook rerun [options] CHAPTER... --data PATH --out DIR\n"
        "       ordbook rerun [CHAPTER...] --parameters",
        epilog=_epilog(),
        formatter_class=Help,
    )
    rerun.add_argument(
        "chapters",
        nargs="*",
        metavar="CHAPTER",
        help="report; chapters of the book, such as acl21; or all, see below",
    )
    rerun.add_argument(
        "--data",
        metavar="PATH",
        help="folder or zip with gold and runs (see ordbook check --help for the formats), or a "
        "catalogued data set; needed. Of scores alone there is a report, and no chapter",
    )
    add_out(rerun, required=False)
    add_part(rerun)
    add_imperfect(rerun)
    rerun.add_argument(
        "--title", default="", help="title of the report or edition; by default the task's name"
    )
    rerun.add_argument(
        "--author", default="", metavar="NAMES", help="whose report it is, below the title"
    )
    add_classes(rerun)
    add_jobs(rerun, "chapters to run at a time")
    add_parameters(rerun, ", for every chapter that has it, such as trials=1000")
    add_measure(rerun)
    rerun.set_defaults(run=_rerun)


def _rerun(options: argparse.Namespace) -> int:
    if options.parameters:
        return _list(options)
    needed = {"CHAPTER, or all": options.chapters, "--data PATH": options.data}
    for what, given in (needed | {"--out DIR": options.out}).items():
        if not given and given != "":
            raise ValueError(f"rerun needs {what}")
    from ordbook.report.rerun import RerunError, rerun

    values: dict[str, str] = {}
    for name, value in pairs(options.parameter):
        if name in values:
            raise ValueError(f"--parameter {name}: given twice; once is enough")
        values[name] = value
    try:
        with aside():
            page = rerun(
                options.chapters[0] if len(options.chapters) == 1 else options.chapters,
                options.data,
                options.out,
                overwrite=options.overwrite,
                part=options.part,
                **imperfect(options),
                title=options.title,
                author=options.author,
                jobs=options.jobs,
                classes=options.classes,
                parameters=values,
                measures=options.measure,
                progress=progress,
            )
    except RerunError as error:
        return fail(str(error), 1)
    if options.json:
        notebooks = sorted(str(path) for path in Path(options.out).glob("*.ipynb"))
        say_json({"page": str(page), "data": options.data, "notebooks": notebooks})
    else:
        say(page)
    return 0


def _list(options: argparse.Namespace) -> int:
    from ordbook.chapters.parameters import CHAPTERS, as_text, listing

    chapters = CHAPTERS if options.chapters in ([], ["all"]) else dict.fromkeys(options.chapters)
    found = listing(list(chapters))
    if options.json:
        say_json(found)
    else:
        say(as_text(found))
    return 0
