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
        "'ordbook fetch' gets them. The column 'scores' says whether their scores are.",
    )
    catalogue.add_argument("--json", action="store_true", help="write everything as JSON")
    catalogue.set_defaults(run=_list)
    fetch = commands.add_parser(
        "fetch",
        help="get the raw files of data sets",
        description="Get the raw files of data sets from their public addresses into the cache "
        "(ORDBOOK_CACHE), or from the folder ORDBOOK_MIRROR. Files in the cache are not fetched "
        "again.",
    )
    fetch.add_argument(
        "names",
        nargs="+",
        metavar="NAME",
        help="a name from 'ordbook list', or 'all' for every data set that has an address",
    )
    fetch.add_argument(
        "--from",
        dest="file",
        metavar="FILE",
        help="put this file, which had to be asked for, into the cache first; of the annotations "
        "of STC-3 without the text of the dialogues",
    )
    fetch.set_defaults(run=_fetch)


def _list(options: argparse.Namespace) -> int:
    from ordbook.data.catalog import catalog, state
    from ordbook.files import mirror_folder, share

    mirror_folder()  # a wrong ORDBOOK_MIRROR is an error here too
    committed = {path.name.split(".csv")[0] for path in share("data", "scores").glob("*.csv*")}
    fields = ["name", "kind", "topics", "runs", "licence", "title"]
    fields += ["citation", "reference", "upstream", "obtain", "left_out"]
    rows: list[dict[str, Any]] = []
    for dataset in catalog().values():
        here = "here" if dataset.format in ("embedded", "hanna") else dataset.format
        row = {field: getattr(dataset, field) for field in fields}
        row |= {"classes": list(dataset.classes), "class_names": list(dataset.class_names)}
        row |= {
            "raw": state(dataset) if dataset.files else here,
            "scores": dataset.name in committed,
        }
        rows.append(row)
    if options.json:
        say_json(rows)
        return 0
    table = [("name", "kind", "topics", "runs", "classes", "raw files", "scores", "licence")]
    for row in rows:
        classes = " ".join(row["classes"]) or "-"
        table.append(
            (
                row["name"],
                row["kind"],
                str(row["topics"] or "-"),
                str(row["runs"] if row["topics"] else "-"),
                f"{len(row['classes'])} types" if row["kind"] == "nuggets" else classes,
                "to ask for" if row["obtain"] and row["raw"] == "absent" else row["raw"],
                "yes" if row["scores"] else "-",
                row["licence"],
            )
        )
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for cells in table:
        say("  ".join(map(str.ljust, cells, widths)).rstrip())
    return 0


def _fetch(options: argparse.Namespace) -> int:
    from ordbook.data.fetch import fetch
    from ordbook.files import cache_folder

    def report(line: str) -> None:
        # A line per file is for those who watch; what was wrong or waits is for everybody.
        if sys.stderr.isatty() or not line.endswith(" kB)"):
            progress(line)

    try:
        outcomes = fetch(options.names, file=options.file, report=report)
    except KeyboardInterrupt:
        return fail(
            "interrupted; files that arrived stay, run the same command again for the rest", 130
        )
    for outcome in outcomes:
        say(outcome)
    failures = [outcome.failure for outcome in outcomes if outcome.failure]
    complete = sum(not outcome.failure and not outcome.ask for outcome in outcomes)
    say(f"{complete} of {len(outcomes)} data sets are complete in {cache_folder() / 'raw'}")
    for failure in failures:
        fail(failure, 1)
    return 1 if failures else 0
