"""``ordbook list`` and ``ordbook fetch``: the catalogued data sets."""

import argparse
import sys
from typing import Any

from ordbook.commands import Commands, fail, progress, say, say_json


def add(commands: Commands) -> None:
    """Describe the command to the parser."""
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


def _list(options: argparse.Namespace) -> int:
    from ordbook.data.catalog import catalog
    from ordbook.data.raw import state
    from ordbook.files import mirror_folder, share

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
                else "here"
                if dataset.format == "embedded"
                else dataset.format,
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
        say_json(rows)
        return 0
    heads = ("name", "kind", "topics", "runs", "classes", "raw files", "scores", "licence")
    table = [heads] + [
        (
            row["name"],
            row["kind"],
            str(row["topics"] or "-"),
            str(row["runs"] if row["topics"] else "-"),
            " ".join(row["classes"]) or "-"
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
        say("  ".join(cells).rstrip())
    return 0


def _fetch(options: argparse.Namespace) -> int:
    from ordbook.data.fetch import fetch
    from ordbook.files import cache_folder

    def report(line: str) -> None:
        # A line per file is for those who watch; what was wrong or waits is for everybody.
        if sys.stderr.isatty() or not line.endswith(" kB)"):
            progress(line)

    try:
        outcomes = fetch(options.names, report=report)
    except KeyboardInterrupt:
        return fail("interrupted; what arrived stays, run the same command again for the rest", 130)
    for outcome in outcomes:
        say(outcome)
    failures = [outcome.failure for outcome in outcomes if outcome.failure]
    complete = sum(not outcome.failure and not outcome.ask for outcome in outcomes)
    say(f"{complete} of {len(outcomes)} data sets are complete in {cache_folder() / 'raw'}")
    for failure in failures:
        fail(failure, 1)
    return 1 if failures else 0
