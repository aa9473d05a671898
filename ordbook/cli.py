"""The command ``ordbook``.

Contents
--------
main   parse the command line, do what it says, return the exit code

Exit codes: 0 done; 1 a chapter failed while it ran, or a file did not arrive; 2 something asked
for is not possible, and nothing has been changed; 130 interrupted.
"""

import argparse
import json
import os
import sys
from collections.abc import Sequence
from typing import Any

import ordbook

# What the extra ``analysis`` brings; everything else comes with ``book``.
ANALYSIS = {"numba", "pandas", "pooch", "requests", "scipy"}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; see ``ordbook --help``."""
    parser = _parser()
    options = parser.parse_args(arguments)
    try:
        return int(options.run(options))
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] == "ordbook":
            raise
        extra = "analysis" if error.name.partition(".")[0] in ANALYSIS else "book"
        return _fail(f"this needs {error.name}: pip install 'ordbook[{extra}]'", 2)
    except BrokenPipeError:
        # The reader of our output has gone, as `ordbook list | head` does: nothing is wrong.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (ValueError, OSError) as error:
        return _fail(str(error), 2)
    except KeyboardInterrupt:
        return _fail("interrupted", 130)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="ordbook",
        description="How to evaluate ordinal classification and ordinal quantification.",
    )
    parser.add_argument("--version", action="version", version=f"ordbook {ordbook.__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    rerun = commands.add_parser(
        "rerun",
        help="run a chapter on your own data and build its page",
        description="Run a chapter of the book on your own data and build its page.",
    )
    rerun.add_argument("chapter", help="a chapter of the book, such as acl21")
    rerun.add_argument(
        "--data",
        required=True,
        metavar="PATH",
        help="folder with one gold file and a folder runs/, or a catalogued data set",
    )
    rerun.add_argument(
        "--out",
        required=True,
        metavar="DIR",
        help="folder for the executed notebook and the page; an earlier edition is replaced",
    )
    rerun.add_argument(
        "--classes",
        default="",
        metavar="LABELS",
        help="class labels from lowest to highest, separated by commas, where they are not "
        "-2,-1,0,1,2 (write --classes=-1,0,1 with the equals sign)",
    )
    rerun.add_argument(
        "-p",
        "--parameter",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a further parameter of the chapter; may be repeated",
    )
    rerun.set_defaults(run=_rerun)
    catalogue = commands.add_parser(
        "list",
        help="show the data sets, and which of them are on this machine",
        description="Show the catalogued data sets. Their raw files are never part of ordbook: "
        "'ordbook fetch' gets them. Scores computed from them are part of it where it says so.",
    )
    catalogue.add_argument("--json", action="store_true", help="write JSON, with all there is")
    catalogue.set_defaults(run=_list)
    fetch = commands.add_parser(
        "fetch",
        help="get the raw files of data sets",
        description="Get the raw files of data sets from their public addresses into the cache "
        "(ORDBOOK_CACHE), or from the folder ORDBOOK_MIRROR. Files that are there are not fetched "
        "again.",
    )
    fetch.add_argument(
        "names",
        nargs="+",
        metavar="NAME",
        help="a name from 'ordbook list', or 'all' for every data set that has an address",
    )
    fetch.set_defaults(run=_fetch)
    audit = commands.add_parser(
        "audit",
        help="check every number that the five papers print",
        description="Check every number that the five papers print, against other printed numbers, "
        "definitions, public data and simulations, and say for each what was found.",
    )
    audit.add_argument("--paper", metavar="NAME", help="show one paper, table by table")
    audit.add_argument(
        "--table", metavar="TABLE", help="with --paper: show one table, cell by cell"
    )
    audit.add_argument(
        "--json", action="store_true", help="write JSON: every number and its status"
    )
    audit.add_argument(
        "--csv", metavar="DIR", help="write cells.csv and checks.csv into this folder"
    )
    audit.add_argument(
        "--planted",
        type=int,
        default=0,
        metavar="N",
        help="also put in N wrong digits, one at a time, and count those that a check notices",
    )
    audit.add_argument("--seed", type=int, default=0, help="which wrong digits (default 0)")
    audit.add_argument(
        "--commit",
        action="store_true",
        help="for developers: rewrite data/audit.csv, which the chapters read",
    )
    audit.set_defaults(run=_audit)
    return parser


def _rerun(options: argparse.Namespace) -> int:
    from ordbook.book.rerun import RerunError, rerun

    parameters = {}
    for text in options.parameter:
        name, equals, value = text.partition("=")
        if not equals:
            raise ValueError(f"--parameter {text}: write NAME=VALUE")
        parameters[name] = value
    try:
        page = rerun(
            options.chapter,
            options.data,
            options.out,
            classes=options.classes,
            parameters=parameters,
            progress=lambda line: print(line, file=sys.stderr, flush=True),
        )
    except RerunError as error:
        return _fail(str(error), 1)
    print(page)
    return 0


def _list(options: argparse.Namespace) -> int:
    from ordbook.data.catalog import catalog
    from ordbook.data.paths import mirror_folder, share
    from ordbook.data.raw import state

    mirror_folder()  # a wrong ORDBOOK_MIRROR is an error here too
    committed = {path.name.split(".csv")[0] for path in share("data", "scores").glob("*.csv*")}
    rows: list[dict[str, Any]] = []
    for name, dataset in catalog().items():
        rows.append(
            {
                "name": name,
                "kind": dataset.kind,
                "topics": dataset.topics,
                "runs": dataset.runs,
                "classes": list(dataset.classes),
                "raw": state(dataset)
                if dataset.files
                else "simulated"
                if dataset.format == "simulated"
                else "here",
                "scores": name in committed,
                "licence": dataset.licence,
                "title": dataset.title,
                "class_names": list(dataset.class_names),
                "citation": dataset.citation,
                "reference": dataset.reference,
                "upstream": dataset.upstream,
                "obtain": dataset.obtain,
            }
        )
    if options.json:
        print(json.dumps(rows, indent=1))
        return 0
    heads = ("name", "kind", "topics", "runs", "classes", "raw files", "scores", "licence")
    table = [heads] + [
        (
            row["name"],
            row["kind"],
            str(row["topics"]),
            str(row["runs"]),
            " ".join(row["classes"])
            if row["kind"] != "nuggets"
            else f"{len(row['classes'])} types",
            "to ask for" if row["obtain"] and row["raw"] == "absent" else row["raw"],
            "yes" if row["scores"] else "-",
            row["licence"],
        )
        for row in rows
    ]
    widths = [max(len(row[column]) for row in table) for column in range(len(heads))]
    for row in table:
        cells = [
            cell.rjust(width) if head in ("topics", "runs") else cell.ljust(width)
            for cell, width, head in zip(row, widths, heads, strict=True)
        ]
        print("  ".join(cells).rstrip())
    return 0


def _fetch(options: argparse.Namespace) -> int:
    from ordbook.data.fetch import fetch
    from ordbook.data.paths import cache_folder

    def report(line: str) -> None:
        # A line per file is for those who watch; what was wrong or waits is for everybody.
        if sys.stderr.isatty() or not line.endswith(" kB)"):
            print(line, file=sys.stderr, flush=True)

    try:
        outcomes = fetch(options.names, report=report)
    except KeyboardInterrupt:
        return _fail(
            "interrupted; what arrived stays, run the same command again for the rest", 130
        )
    for outcome in outcomes:
        print(outcome)
    failures = [outcome.failure for outcome in outcomes if outcome.failure]
    complete = sum(not outcome.failure and not outcome.ask for outcome in outcomes)
    print(f"{complete} of {len(outcomes)} data sets are complete in {cache_folder() / 'raw'}")
    for failure in failures:
        _fail(failure, 1)
    return 1 if failures else 0


def _audit(options: argparse.Namespace) -> int:
    from ordbook.papers.checks import full_ledger
    from ordbook.papers.ledger import PAPERS, plant, printed_cells
    from ordbook.papers.report import commit, power, scoreboard, write_csv

    if options.paper is not None and options.paper not in PAPERS:
        raise ValueError(f"no paper {options.paper!r}; there are {', '.join(PAPERS)}")
    if options.table is not None and options.paper is None:
        raise ValueError("--table needs --paper")
    if options.json and options.planted:
        raise ValueError("--planted is a report for people; leave --json away")
    if options.table is not None:
        tables = {cell.table: None for cell in printed_cells() if cell.paper == options.paper}
        if options.table not in tables:
            raise ValueError(
                f"{options.paper} has no table {options.table!r}; there are {', '.join(tables)}"
            )
    if options.planted < 0:
        raise ValueError(f"--planted must not be negative, it is {options.planted}")
    ledger = full_ledger(progress=lambda line: print(line, file=sys.stderr, flush=True))
    shown = scoreboard(ledger, options.paper, options.table)
    if options.csv:
        for path in write_csv(ledger, options.csv):
            print(f"written: {path}", file=sys.stderr)
    if options.commit:
        print(f"written: {commit(ledger)}", file=sys.stderr)
    planted = plant(ledger, options.planted, options.seed) if options.planted else []
    if options.json:
        cells = ledger.cells
        if options.paper is not None:
            cells = cells[cells["paper"] == options.paper]
        if options.table is not None:
            cells = cells[cells["table"] == options.table]
        print(json.dumps(cells.to_dict("records"), indent=1, ensure_ascii=False))
        return 0
    print(shown)
    if planted:
        print(power(planted))
    return 0


def _fail(message: str, code: int) -> int:
    print(f"ordbook: {message}", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
