"""``ordbook rerun``: chapters on data of your own.

Contents
--------
add          describe the command to the parser
parameters   ``NAME=VALUE`` texts, and measures, of the command line -> name, value
"""

import argparse
from collections.abc import Iterator, Sequence

from ordbook.commands import (
    Commands,
    Help,
    add_classes,
    add_out,
    aside,
    fail,
    progress,
    say,
    say_json,
    whole,
)

EPILOG = """\
examples:
  ordbook rerun report --data my-task --out report --title "My task, 2026"
  ordbook rerun all --data my-task --out edition
  ordbook rerun acl21 lq21 --data my-task --out edition --title "My task, 2026"
  ordbook rerun lq21 --data stc3#A --out edition -p trials=1000
  ordbook rerun lq21 --parameters

'report' is the report on your task, in one file to publish. Chapters that 'all' puts after it, by
the kind of the task:
{chapters}
Left out, but run when they are named: official, which sets scores beside the official ones of
SemEval-2016; and your_data, which teaches what the report then answers.

Parameters have the same meaning in every chapter; numbers lie between these limits:
{limits}
--parameters lists those of each chapter, with types, defaults and what they are.

Progress goes to stderr; the last line, on stdout, is the page to open.

exit codes: 0 done; 1 a chapter failed, or there was no room on a disk; 2 something asked for is not
possible, and nothing has run; 130 interrupted"""


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
        "catalogued data set; needed. PATH#A is one task of a folder with NTCIR files. Of scores "
        "alone there is a report, and no chapter",
    )
    add_out(rerun, required=False)
    rerun.add_argument(
        "--part",
        default="",
        metavar="A|E|S|nugget",
        help="which task of a folder with NTCIR files; the same as PATH#A and so on",
    )
    rerun.add_argument(
        "--title", default="", help="title of the report or edition; by default the task's name"
    )
    rerun.add_argument(
        "--author", default="", metavar="NAMES", help="whose report it is, below the title"
    )
    rerun.add_argument(
        "--jobs",
        type=whole,
        metavar="N",
        help="chapters to run at a time; by default one per processor",
    )
    add_classes(rerun)
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
        "--parameters",
        action="store_true",
        help="run nothing; list the parameters of the chapters (default: of all), with types, "
        "defaults and limits",
    )
    rerun.add_argument(
        "--json",
        action="store_true",
        help="print the pages and notebooks, or the parameters, as JSON",
    )
    rerun.set_defaults(run=_rerun)


def parameters(texts: Sequence[str], measures: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Read ``NAME=VALUE`` texts and the places of measures, as ``-p`` and ``--measure`` take them.

    Raises
    ------
    ValueError
        If a text has no ``=``, or measures are named in both ways.
    """
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise ValueError(f"--parameter {text}: write NAME=VALUE")
        if name == "own" and measures:
            raise ValueError("--measure and -p own= say the same; use one of them")
        yield name, value
    if measures:
        yield "own", ",".join(measures)


def _rerun(options: argparse.Namespace) -> int:
    if options.parameters:
        return _list(options)
    needed = {"CHAPTER, or all": options.chapters, "--data PATH": options.data}
    for what, given in (needed | {"--out DIR": options.out}).items():
        if not given and given != "":
            raise ValueError(f"rerun needs {what}")
    import yaml

    from ordbook.report.rerun import MARK, RerunError, rerun

    values: dict[str, str] = {}
    for name, value in parameters(options.parameter, options.measure):
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
                title=options.title,
                author=options.author,
                jobs=options.jobs,
                classes=options.classes,
                parameters=values,
                progress=progress,
            )
    except RerunError as error:
        return fail(str(error), 1)
    if options.json:
        folder = next(one for one in page.parents if (one / MARK).is_file())
        about = yaml.safe_load((folder / MARK).read_text(encoding="utf-8"))
        found = {
            "page": str(page),
            "title": about["title"],
            "data": options.data,
            "notebooks": sorted(str(path) for path in folder.glob("*.ipynb")),
        }
        say_json(found)
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
