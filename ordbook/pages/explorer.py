"""The page on which a reader drags two distributions and sees every measure move.

The page is made here and moved by the scripts in ``book/_static/explorer``, which compute what
`ordbook.measures` computes (tested to 1e-12). Without JavaScript it is a table of one pair.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from html import escape

from ordbook.files import share
from ordbook.measures import QUANTIFICATION, Measure
from ordbook.measures.components import SUPPORT_TOLERANCE
from ordbook.pages.explorer_pairs import PRESETS, START, Pair

__all__ = ["Explorer", "explorer"]

CLASSES = range(3, 10)
SCRIPTS = ("measures.js", "state.js", "charts.js", "explorer.js")


# Those beside which the scripts may put a remark; their rows keep a line free for it.
_REMARKS = {"RNOD", "RSNOD", "DNKT", "DNKT_JSD", "DNKT_NMD", "DNKT_RNOD"}
# The section of the chapter on measures that defines each measure.
_SECTIONS = {
    "NMD": "nmd",
    **dict.fromkeys(("RNOD", "RSNOD", "RNOD2", "RNADW", "RNADW2"), "rnod"),
    **dict.fromkeys(("NVD", "RNSS", "JSD"), "nominal"),
}


@dataclass(frozen=True)
class Explorer:
    """The explorer as a cell of a page shows it."""

    start: Pair

    def __str__(self) -> str:
        return "The explorer is a part of the web pages."

    def _repr_html_(self) -> str:
        limits = {
            name: {n: measure.bounds(n)[1] for n in CLASSES}
            for name, measure in QUANTIFICATION.items()
        }
        largest = max(max(of.values()) for of in limits.values())
        data = {
            "presets": [asdict(pair) for pair in PRESETS],
            "start": self.start.id,
            "limits": limits,
            "track": largest,
        }
        # "<" could end the script element or begin a comment in it.
        text = json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
        return _PAGE.format(
            style=_address("explorer.css"),
            sides="".join(_SIDE.format(side=s, name=s.capitalize()) for s in ("gold", "estimate")),
            typed="".join(_typed(side, self.start) for side in ("gold", "estimate")),
            presets=_options(),
            classes="".join(f"<option>{n}</option>" for n in CLASSES),
            table=_table(self.start),
            gold=_numbers(self.start.gold, ", "),
            estimate=_numbers(self.start.estimate, ", "),
            tolerance=f"{SUPPORT_TOLERANCE:g}",
            data=text,
            scripts="".join(f'<script defer src="{_address(name)}"></script>' for name in SCRIPTS),
        )


def explorer(start: str = START) -> Explorer:
    """Return the explorer, opened at one of the presets.

    Examples
    --------
    >>> 'data-measure="RNOD"' in explorer("toy")._repr_html_()
    True
    >>> explorer("tyo")
    Traceback (most recent call last):
        ...
    ValueError: no preset 'tyo': choose one of PRESETS
    """
    for pair in PRESETS:
        if pair.id == start:
            return Explorer(pair)
    raise ValueError(f"no preset {start!r}: choose one of PRESETS")


def _address(name: str) -> str:
    """Address of a file from a page in ``book/``, with its checksum: a new version is fetched."""
    content = share("book", "_static", "explorer", name).read_bytes()
    return f"../_static/explorer/{name}?v={hashlib.sha256(content).hexdigest()[:8]}"


def _numbers(values: tuple[float, ...], separator: str) -> str:
    return separator.join(f"{x:g}" for x in values)


def _options() -> str:
    groups: dict[str, list[Pair]] = {}
    for pair in PRESETS:
        groups.setdefault(pair.group, []).append(pair)
    return "".join(
        f'<optgroup label="{escape(group)}">'
        + "".join(
            f'<option value="{pair.id}">{escape(f"{group}, {pair.name}")}</option>'
            for pair in pairs
        )
        + "</optgroup>"
        for group, pairs in groups.items()
    )


def _typed(side: str, start: Pair) -> str:
    values = _numbers(start.gold if side == "gold" else start.estimate, " ")
    return _TYPED.format(side=side, name=side.capitalize(), values=values)


def _table(start: Pair) -> str:
    ordinal = [m for m in QUANTIFICATION.values() if m.ordinal]
    nominal = [m for m in QUANTIFICATION.values() if not m.ordinal]
    return _group("Ordinal: they know the order of the classes", ordinal, start) + _group(
        "Nominal: they do not", nominal, start
    )


def _group(title: str, measures: list[Measure], start: Pair) -> str:
    rows = "".join(_row(measure, start) for measure in measures)
    head = f'<tr><th colspan="5" scope="rowgroup">{title}</th></tr>'
    return f"<tbody>{head}{rows}</tbody>"


def _row(measure: Measure, start: Pair) -> str:
    score = measure.function(start.gold, start.estimate)
    low = measure.better == "low"
    return _ROW.format(
        name=measure.name,
        title=escape(measure.title),
        kind="ordinal" if measure.ordinal else "nominal",
        remarks=" data-remarks" if measure.name in _REMARKS else "",
        section=_SECTIONS.get(measure.name, "dnkt"),
        label=measure.name.replace("_", "_<wbr>"),
        score=f"{score:.4f}",
        value=repr(float(score)),
        arrow="↓" if low else "↑",
        direction="low is better" if low else "high is better",
    )


_SIDE = """<div class="ox-side">
<div class="ox-heading"><span class="ox-swatch ox-swatch-{side}" aria-hidden="true"></span>
<strong>{name}</strong></div>
<svg class="ox-bars ox-bars-{side}" role="group" aria-label="{name} distribution"></svg>
</div>"""

_TYPED = """<div class="ox-typed"><label>{name}
<input class="ox-typed-{side}" value="{values}" inputmode="text" autocomplete="off"
spellcheck="false" aria-describedby="ox-error-{side}"></label>
<button type="button" class="ox-normalise-{side}" aria-label="Normalise {side}">Normalise</button>
</div>
<p class="ox-error ox-error-{side}" id="ox-error-{side}" role="status"></p>"""

_ROW = """<tr data-measure="{name}" data-kind="{kind}"{remarks}>
<th scope="row"><a href="measures.html#measures-{section}" title="{title}">{label}</a></th>
<td class="ox-score" data-value="{value}">{score}</td>
<td class="ox-direction" title="{direction}"><span aria-hidden="true">{arrow}</span>
<span class="ox-hidden">{direction}</span></td>
<td class="ox-meter"><span class="ox-track" aria-hidden="true"><span class="ox-fill"></span>
<span class="ox-limit"></span><span class="ox-before" hidden></span></span>
<span class="ox-note"></span></td>
<td class="ox-change"></td></tr>"""

_PAGE = """<link rel="stylesheet" href="{style}">
<section class="explorer" aria-label="Explorer" id="explore">
<noscript><p class="ox-noscript">Dragging needs JavaScript. Without it, this page has the scores
of one pair, gold ({gold}) and estimate ({estimate}). The experiments below can be computed with
the package.</p></noscript>
<div class="ox-controls" data-needs-script hidden>
<label class="ox-choose">Example
<select class="ox-preset"><option value="">a pair of your own</option>{presets}</select></label>
<label>Classes <select class="ox-classes">{classes}</select></label>
<span class="ox-buttons"><button type="button" class="ox-swap">Swap</button>
<button type="button" class="ox-reset">Reset</button>
<button type="button" class="ox-copy">Copy link</button></span>
</div>
<p class="ox-status" role="status" data-needs-script hidden></p>
<div class="ox-live ox-hidden" aria-live="polite"></div>
<div class="ox-main">
<div class="ox-sides" data-needs-script hidden>{sides}</div>
<div class="ox-exact" data-needs-script hidden>
<details><summary>Type exact numbers</summary>
<p class="ox-hint">One number for each class, with spaces between and a decimal point: 0.2 .2 1/5.
Counts become probabilities with <em>Normalise</em>.</p>
{typed}</details>
<p class="ox-hint">A distribution sums to 1: when one bar moves, the others shrink or grow in
proportion. With a finger, pull a bar by its end, or tap where it should end. The dashed line
across a bar is the other distribution. Keys: arrows, Page Up and Down, Home, End.</p></div>
<div class="ox-scores"><table class="ox-table">
<caption class="ox-hidden">Scores of the thirteen quantification measures</caption>
<thead><tr><th scope="col">measure</th><th scope="col">score</th>
<th scope="col"><span class="ox-hidden">direction</span></th>
<th scope="col"><span class="ox-hidden">bar and remarks</span></th>
<th scope="col"><span class="ox-hidden">change since the last move</span></th></tr></thead>
{table}</table>
<p class="ox-hint">0 is perfect, low is better (↓). A name leads to the definition. <span
data-needs-script hidden>The tick ends a measure's range for this number of classes; the dot is
where it was before your last move. Against another gold, a score is only lower or higher.</span>
Probabilities that differ by at most {tolerance} are tied for DNKT, and a class has gold above
{tolerance}.</p></div>
</div>
<div class="ox-views" data-needs-script hidden>
<div class="ox-view"><h2>What NMD sees</h2>
<svg class="ox-cumulative" role="img" aria-label=""></svg>
<p class="ox-legend"><span><span class="ox-swatch ox-swatch-gold" aria-hidden="true"></span>
gold, solid with circles</span> <span><span class="ox-swatch ox-swatch-estimate"
aria-hidden="true"></span> estimate, dashed with squares</span></p>
<p class="ox-formula ox-formula-nmd"></p>
<p class="ox-hint">Cumulative probabilities. NMD is the shaded share of the frame.</p></div>
<div class="ox-view"><h2>What RNOD sees</h2>
<svg class="ox-weighted" role="img" aria-label=""></svg>
<p class="ox-legend"><span><span class="ox-swatch ox-swatch-term" aria-hidden="true"></span>
DW, seen from a class</span> <span><span class="ox-swatch-mean" aria-hidden="true"></span>
OD, their mean</span></p>
<p class="ox-formula ox-formula-rnod"></p>
<p class="ox-hint">Each column is the error as one class sees it. Its pieces are the squared
errors of the numbered classes, times their distance. Pale columns, in brackets, have no gold and
do not count.</p></div>
</div>
<script type="application/json">{data}</script>
{scripts}
</section>"""
