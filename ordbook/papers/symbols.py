"""What the symbols of printed tables mean, and which measures the tables compare."""

import csv

from ordbook.files import share
from ordbook.measures.registry import measure_named


def _compared(paper: str, table: str) -> tuple[str, ...]:
    """Return the measures of a paper in the order of rows, then columns, of a printed table."""
    path = share("data", "published", f"{paper}_{table}.csv")
    with path.open(encoding="utf-8", newline="") as lines:
        cells = list(csv.DictReader(lines))
    labels = [cell[axis].split()[0] for axis in ("row", "column") for cell in cells]
    measures = map(measure_named, dict.fromkeys(labels))
    return tuple(each.name for each in measures if each and paper in each.papers)


SIX = _compared("lq21", "table3")
NINE = _compared("dnkt", "table3")
# ACL'21's measures for labels and for distributions; neighbours are similar.
LABELS, DISTRIBUTIONS = _compared("acl21", "table2"), _compared("acl21", "table8")

WORST = {symbol: 8 - place for place, symbol in enumerate("♯♭♠♣♥♦‡†")} | {"blank": 0}
OUTPERFORMED = {
    "†": "NMD",
    "♣": "RNADW",
    "♡": "RNOD",
    "♠": "RNADW2",
    "⋄": "RNOD2",
    "*": "NVD",
    "⋆": "RNSS",
    "♮": "JSD",
    "∘": "DNKT",
    "◯": "DNKT_JSD",
    "△": "DNKT_NMD",
    "∇": "DNKT_RNOD",
}
