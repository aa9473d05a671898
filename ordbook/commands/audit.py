"""``ordbook audit``: every number that the five papers print."""

import argparse
from pathlib import Path

from ordbook.commands import Commands, add_options, progress, say, say_json


def add(commands: Commands) -> None:
    """Describe the command to the parser."""
    audit = commands.add_parser(
        "audit",
        help="give a verdict on every number that the five papers print",
        description="Show the verdict on every number that the five papers print, as checked "
        "against other printed numbers, definitions, public data and simulations. The verdicts "
        "come with ordbook; --recompute checks every number again, which takes twenty seconds.",
    )
    audit.add_argument("--paper", metavar="NAME", help="show one paper, table by table")
    audit.add_argument(
        "--table",
        metavar="TABLE",
        help="with --paper: one table, cell by cell; with --recompute all checks of each",
    )
    audit.add_argument("--recompute", action="store_true", help="check every number again")
    audit.add_argument(
        "--json", action="store_true", help="write JSON: every number and its verdict"
    )
    audit.add_argument(
        "--csv",
        metavar="DIR",
        help="recompute, and write cells.csv and checks.csv into a new folder",
    )
    add_options(audit, "--overwrite")
    audit.add_argument(
        "--inject-errors",
        dest="injected",
        type=int,
        default=0,
        metavar="N",
        help="recompute, inject N wrong digits, one at a time, and count those that a check "
        "notices; exchanged rows or columns and wrong words are not tried",
    )
    audit.add_argument("--seed", type=int, default=0, help="seed of the wrong digits (default 0)")
    audit.add_argument(
        "--commit",
        action="store_true",
        help="for developers: recompute, and rewrite data/audit.csv",
    )
    audit.set_defaults(run=_audit)


def _audit(options: argparse.Namespace) -> int:
    from ordbook.papers.ledger import committed_ledger, inject
    from ordbook.papers.report import commit, power, scoreboard, write_csv
    from ordbook.papers.tables import papers

    if options.paper is not None and options.paper not in papers():
        raise ValueError(
            f"no paper {options.paper!r}; there are {', '.join(papers())}; a new one is entered in "
            "data/published/tables.toml"
        )
    if options.table is not None and options.paper is None:
        raise ValueError("--table needs --paper")
    if options.json and options.injected:
        raise ValueError("--inject-errors writes a report for people; leave --json out")
    if options.injected < 0:
        raise ValueError(f"--inject-errors must not be negative, it is {options.injected}")
    if options.csv:
        from ordbook.files import require_new, whole_folder

        require_new(options.csv, options.overwrite)
    if options.recompute or options.csv or options.commit or options.injected:
        from ordbook.papers.every import full_ledger

        ledger = full_ledger(progress=progress)
    else:
        ledger = committed_ledger()
    table = scoreboard(ledger, options.paper, options.table)
    if options.csv:
        with whole_folder(options.csv, options.overwrite) as folder:
            names = [path.name for path in write_csv(ledger, folder)]
        for name in names:
            progress(f"written: {Path(options.csv, name)}")
    if options.commit:
        progress(f"written: {commit(ledger)}")
    errors = inject(ledger, options.injected, options.seed) if options.injected else []
    if options.json:
        cells = ledger.cells
        if options.paper is not None:
            cells = cells[cells["paper"] == options.paper]
        if options.table is not None:
            cells = cells[cells["table"] == options.table]
        say_json(cells.to_dict("records"))
        return 0
    say(table)
    if errors:
        say(power(errors))
    return 0
