"""The checks of the audit, run where the chapter runs."""

import re
from dataclasses import replace
from hashlib import sha256
from importlib.metadata import version

import numpy as np
import pandas as pd
from IPython.display import Markdown, display

from ordbook.chapters.parameters import check_number
from ordbook.chapters.show import escape_markdown
from ordbook.files import share
from ordbook.papers.checks import lasting
from ordbook.papers.checks.tools import errata, unreached
from ordbook.papers.comparison import LedgerMismatch
from ordbook.papers.ledger import Ledger, audit, printed_cells, settled
from ordbook.papers.montecarlo import Seen, Spread
from ordbook.papers.relations import Cell, Finding, Printed, Relation, recomputed


def start(*, planted: int, seed: int) -> pd.DataFrame:
    """Check the chapter's parameters, say where the numbers come from, read the ledger.

    Parameters
    ----------
    planted
        How many wrong digits are to be put in, from 10 to 5,000.
    seed
        Which ones.

    Returns
    -------
    DataFrame
        ``data/audit.csv``: a line for every printed number.
    """
    if isinstance(planted, bool) or not isinstance(planted, int) or not 10 <= planted <= 5000:
        raise ValueError(f"planted must be a whole number from 10 to 5,000, not {planted!r}")
    check_number("seed", seed)
    path = share("data", "audit.csv")
    cells = committed()
    digest = sha256(path.read_bytes()).hexdigest()[:12]
    line = f"{len(cells):,} printed numbers of five papers; data/audit.csv, sha256 {digest}…; "
    line += f"seed {seed}; ordbook {version('ordbook')}, numpy {np.__version__}"
    display(Markdown(f"- {escape_markdown(line)}"))
    return cells


def committed() -> pd.DataFrame:
    """Return ``data/audit.csv``."""
    texts = ["paper", "table", "row", "column", "printed", "status", "reason"]
    types = dict.fromkeys(texts, str)
    return pd.read_csv(share("data", "audit.csv"), dtype=types, keep_default_na=False)


def live_ledger() -> Ledger:
    """Run the checks of all five papers, in a few seconds.

    What does not depend on chance is recomputed. Repeating random procedures over 1,000 seeds
    takes longer: their values are held to the ranges that ``data/audit.csv`` has of them, which
    the chapters on the papers and the tests draw anew.
    """
    noted = printed_cells()
    printed = {cell: text for cell, (text, _) in noted.items()}
    relations = [check for checks in lasting(printed).values() for check in checks]
    here = {relation.cells[0] for relation in relations if relation.verdict is not None}
    relations += [
        recorded(cell, reason)
        for cell, (_, status, reason) in settled().items()
        if status in ("exact", "within Monte-Carlo") and cell in printed and cell not in here
    ]
    return audit(relations, unreached, errata(), printed=noted)


def recorded(cell: Cell, reason: str) -> Relation:
    """Hold a number to what the committed ledger says that our seeds gave.

    Examples
    --------
    >>> cell = Cell("acl21", "3a", "kappa", "mean tau")
    >>> check = recorded(cell, "printed 0.82, ours 0.81 to 0.84 over 1000 seeds (splits)")
    >>> check.test({cell: "0.83"}).holds, check.test({cell: "0.86"}).holds
    (True, False)
    """
    found = re.fullmatch(r"printed .*, ours (.*?) \((.*)\)", reason)
    if found is None:
        raise ValueError(f"{cell}: {reason!r} has no value of ours")
    ours, relies = found.groups()
    if limits := re.match(r"(\S+) to (\S+) over", ours):
        made = recomputed(cell, Spread([float(limit) for limit in limits.groups()] * 50), relies)
    elif seen := re.findall(r"(\S+) for (\d+)", ours):
        made = recomputed(cell, Seen({text: int(count) for text, count in seen}), relies)
    else:
        made = recomputed(cell, float(ours), relies)

    def test(printed: Printed) -> Finding:
        return Finding(made.test(printed).holds, f"printed {printed[cell]}, ours {ours}")

    return replace(made, test=test)


def differences(ledger: Ledger) -> pd.DataFrame:
    """Return the numbers whose text or status is not that of the committed ledger."""
    places = ["paper", "table", "row", "column"]
    both = ledger.cells.merge(committed(), "outer", on=places, suffixes=("", " committed"))
    changed = (both["printed"] != both["printed committed"]) | (
        both["status"] != both["status committed"]
    )
    return both.loc[changed, [*places, "printed", "status", "status committed"]]


def verify(ledger: Ledger) -> Markdown:
    """Raise LedgerMismatch if the live ledger is not the committed one."""
    changed = differences(ledger)
    if len(changed):
        first = changed.iloc[0]
        raise LedgerMismatch(
            f"{len(changed)} numbers have another status than in data/audit.csv, the first "
            f"{Cell(*first.iloc[:4])}: {first['status']}, not {first['status committed']}; "
            "run 'ordbook audit --commit' and look at what it says"
        )
    broken = sum(not finding.holds for finding in ledger.findings)
    return Markdown(
        f"Verified: {len(ledger.cells):,} printed numbers have the status that data/audit.csv "
        f"gives them, and the {broken} checks that break are all accounted for by "
        f"{len(ledger.errata)} contradictions."
    )
