"""The page on which a reader drags two distributions and sees every measure move.

The page is made here and moved by the scripts in ``book/_static/explorer``, which compute what
`ordbook.measures` computes (tested to 1e-12). Without JavaScript it is a table of one pair.
"""

import hashlib
import json
from importlib.resources import files
from itertools import groupby
from typing import Any

from IPython.display import HTML
from jinja2 import Environment, PackageLoader, StrictUndefined

from ordbook.files import share
from ordbook.measures import QUANTIFICATION
from ordbook.measures.components import SUPPORT_TOLERANCE

CLASSES = range(3, 10)
SCRIPTS = ("measures.js", "state.js", "charts.js", "explorer.js")
# The pair that the page opens with.
START = "lq21-181-popularity"
# Those beside which the scripts may put a remark; their rows keep a line free for it.
REMARKS = ("RNOD", "RSNOD", "DNKT", "DNKT_JSD", "DNKT_NMD", "DNKT_RNOD")
# The section of the chapter on measures that defines each measure; `dnkt` has the others.
SECTIONS = {
    "NMD": "nmd",
    **dict.fromkeys(("RNOD", "RSNOD", "RNOD2", "RNADW", "RNADW2"), "rnod"),
    **dict.fromkeys(("NVD", "RNSS", "JSD"), "nominal"),
}


def presets() -> list[dict[str, Any]]:
    """Return pairs of distributions that the page can start from, most of them from the papers.

    Each has an ``id``, which links call it by, a ``group`` and a ``name``, which the list shows,
    ``gold`` and ``estimate``, and ``about``, which says where the numbers come from.
    """
    text = files("ordbook.pages").joinpath("explorer_pairs.json").read_text(encoding="utf-8")
    found: list[dict[str, Any]] = json.loads(text)
    return found


def explorer() -> HTML:
    """Return the explorer as a cell of a page shows it.

    Examples
    --------
    >>> 'data-measure="RNOD"' in explorer()._repr_html_()
    True
    """
    pairs = presets()
    by_group = groupby(pairs, key=lambda pair: str(pair["group"]))
    limits = {
        name: {n: measure.bounds(n)[1] for n in CLASSES} for name, measure in QUANTIFICATION.items()
    }
    largest = max(max(of.values()) for of in limits.values())
    measures = list(QUANTIFICATION.values())
    page = Environment(
        loader=PackageLoader("ordbook.pages", ""),
        autoescape=True,
        trim_blocks=True,
        undefined=StrictUndefined,
    ).get_template("explorer.html.j2")
    return HTML(
        page.render(
            address=_address,
            classes=CLASSES,
            data={"presets": pairs, "start": START, "limits": limits, "track": largest},
            groups=[
                ("Ordinal: they know the order of the classes", [m for m in measures if m.ordinal]),
                ("Nominal: they do not", [m for m in measures if not m.ordinal]),
            ],
            presets=[(group, list(some)) for group, some in by_group],
            remarks=REMARKS,
            scripts=SCRIPTS,
            sections=SECTIONS,
            start=next(pair for pair in pairs if pair["id"] == START),
            tolerance=f"{SUPPORT_TOLERANCE:g}",
        )
    )


def _address(name: str) -> str:
    """Address of a file from a page in ``book/``, with its checksum: a new version is fetched."""
    content = share("book", "_static", "explorer", name).read_bytes()
    return f"../_static/explorer/{name}?v={hashlib.sha256(content).hexdigest()[:8]}"
