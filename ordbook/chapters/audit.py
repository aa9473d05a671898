"""The chapter of the audit: the checks of all printed numbers, and their verdicts."""

from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from IPython.display import HTML, Markdown, display
from jinja2 import Environment, PackageLoader
from matplotlib.axes import Axes

from ordbook.chapters.record import MEANING
from ordbook.files import share
from ordbook.measures import CLASSIFICATION, QUANTIFICATION
from ordbook.papers.comparison import LedgerMismatch
from ordbook.papers.every import full_ledger
from ordbook.papers.ledger import (
    DETAILS,
    Erratum,
    Injected,
    Ledger,
    one_unit_more,
    passes,
)
from ordbook.papers.ledger import committed_cells as committed
from ordbook.papers.relations import (
    VERDICTS,
    Cell,
    Verdict,
    table_title,
)
from ordbook.papers.tables import about, papers
from ordbook.papers.tables import families as grounds
from ordbook.show.colours import ON_LIGHT, WIDTH
from ordbook.show.escape import escape_markdown
from ordbook.show.parameters import check_number
from ordbook.show.show import SIGNS, verdict_style
from ordbook.words import listing

NAMES = {name: paper.title for name, paper in papers().items()}
# Verdict -> a colour of Okabe and Ito's, a hatch for print, and the colour of text on it.
GROUPS: Mapping[Verdict, tuple[str, str, str]] = {
    "recomputed": ("#0072B2", "", "white"),
    "within chance": ("#9AD0F5", "///", ON_LIGHT),
    "consistent": ("#CFE8DF", "..", ON_LIGHT),
    "contradicted": ("#D55E00", "xxx", ON_LIGHT),
    "unchecked": ("#FFFFFF", "", "black"),
}
# Columns of `by_paper` -> their names in the index of the papers.
COUNTED: Mapping[str, str] = {
    "printed": "printed numbers",
    "computed again": "computed again",
    "contradicted": "in doubt",
}
# Verdicts of numbers that were computed again and came out, and of all that nothing contradicts.
COMPUTED: tuple[Verdict, ...] = ("recomputed", "within chance")
FITTING: tuple[Verdict, ...] = (*COMPUTED, "consistent")


def start(*, injected: int, seed: int) -> pd.DataFrame:
    """Check the chapter's parameters, say where the numbers come from, read the ledger.

    Parameters
    ----------
    injected
        How many wrong digits are to be put in, from 10 to 5,000.
    seed
        Which ones.

    Returns
    -------
    DataFrame
        ``data/audit.csv``: a line for every printed number.
    """
    if isinstance(injected, bool) or not isinstance(injected, int) or not 10 <= injected <= 5000:
        raise ValueError(f"injected must be a whole number from 10 to 5,000, not {injected!r}")
    check_number("seed", seed)
    path = share("data", "audit.csv")
    cells = committed()
    digest = sha256(path.read_bytes()).hexdigest()[:12]
    line = f"{len(cells):,} printed numbers of five papers; data/audit.csv, sha256 {digest}…; "
    line += f"seed {seed}; ordbook {version('ordbook')}, numpy {np.__version__}"
    display(Markdown(f"- {escape_markdown(line)}"))
    return cells


@cache
def live_ledger() -> Ledger:
    """Run the checks of all five papers, in a few seconds.

    Values that depend on chance are read from ``data/draws``, which has those of many seeds.
    """
    return full_ledger()


def differences(ledger: Ledger) -> pd.DataFrame:
    """Return the numbers whose text or verdict is not that of the committed ledger."""
    places = ["paper", "table", "row", "column"]
    both = ledger.cells.merge(committed(), "outer", on=places, suffixes=("", " committed"))
    compared = ["printed", "verdict", "detail"]
    changed = (
        both[compared].ne(both[[f"{name} committed" for name in compared]].to_numpy()).any(axis=1)
    )
    return both.loc[changed, [*places, "printed", "verdict", "verdict committed"]]


def verify(ledger: Ledger) -> Markdown:
    """Raise LedgerMismatch if the live ledger is not the committed one."""
    changed = differences(ledger)
    if len(changed):
        first = changed.iloc[0]
        raise LedgerMismatch(
            f"{len(changed)} numbers have another verdict than in data/audit.csv, the first "
            f"{Cell(*first.iloc[:4])}: {first['verdict']}, not {first['verdict committed']}; "
            "run 'ordbook audit --commit' and look at what it says"
        )
    broken = sum(not finding.holds for finding in ledger.findings)
    return Markdown(
        f"Verified: {len(ledger.cells):,} printed numbers have the verdict that data/audit.csv "
        f"gives them, and the {broken} checks that break are all accounted for by "
        f"{len(ledger.errata)} contradictions."
    )


def by_paper(cells: pd.DataFrame) -> pd.DataFrame:
    """Count the numbers of every paper, and those that were computed again or are in doubt.

    Returns
    -------
    DataFrame
        One row for each paper and one for all. Results are numbers that were computed again,
        without sizes of the data and worked examples.
    """
    verdicts = cells["verdict"]
    flags = pd.DataFrame(
        {
            "computed again": verdicts.isin(COMPUTED),
            "results": is_result(cells),
            "contradicted": verdicts == "contradicted",
        }
    )
    groups = flags.groupby(cells["paper"])
    counts, printed = groups.sum().loc[list(NAMES)], groups.size().loc[list(NAMES)]
    counts.loc["all"], printed.loc["all"] = counts.sum(), printed.sum()
    texts = counts.apply(
        lambda column: [f"{n:,} ({n / of:.1%})" for n, of in zip(column, printed, strict=True)]
    )
    texts.insert(0, "printed", printed.map("{:,}".format))
    table: pd.DataFrame = texts.rename(index=NAMES).rename_axis("paper")
    return table


def index(cells: pd.DataFrame) -> Markdown:
    """List the papers with their chapter, their record, and how many numbers could be checked."""
    counts = by_paper(cells)
    head = ("paper", "chapter", "record", *COUNTED.values())
    rows = [
        (
            f"{paper.title} {{cite}}`{paper.key}`",
            f"{{ref}}`{paper.question} <{paper.name}>`",
            f"{{doc}}`record <records/{paper.name}>`",
            *(str(counts.loc[paper.title, column]) for column in COUNTED),
        )
        for paper in papers().values()
    ]
    lines = [head, ("---",) * len(head), *rows]
    return Markdown("\n".join(f"| {' | '.join(line)} |" for line in lines))


# Verdicts of a table's numbers -> its state; the first that fits.
STATES: Mapping[str, tuple[Verdict, ...]] = {
    "exact": ("recomputed",),
    "within chance": ("within chance",),
    "consistency": ("consistent", "contradicted"),
    "not checked": ("unchecked",),
}


def coverage(paper: str) -> pd.DataFrame:
    """Return how far each printed table and figure of a paper is reproduced.

    Returns
    -------
    DataFrame
        By part: ``about``, ``numbers``, one column for each of ``STATES`` (how many of the
        numbers), and ``state``: ``exact`` if all were recomputed, else the states that occur.
    """
    cells = committed().query("paper == @paper")
    cells = cells[cells["table"].str.match(r"\d|figure")]
    rows = {}
    for part, verdicts in cells.groupby("table", sort=False)["verdict"]:
        counts = {state: int(verdicts.isin(words).sum()) for state, words in STATES.items()}
        states = [state for state, count in counts.items() if count]
        row = {"about": about(paper, str(part)), "numbers": len(verdicts), **counts}
        rows[table_title(str(part))] = row | {"state": ", ".join(states)}
    return pd.DataFrame.from_dict(rows, "index").rename_axis("part")


def equations() -> pd.DataFrame:
    """Return the measures of the papers, and the equations that define them."""
    known = {**QUANTIFICATION, **CLASSIFICATION}
    rows = {name: (m.title, m.source) for name, m in known.items() if m.papers}
    frame = pd.DataFrame.from_dict(rows, "index", columns=["its name", "defined in"])
    return frame.rename_axis("measure")


def not_tables() -> pd.DataFrame:
    """Return experiments, systems and baselines that no table prints, and the traces of them."""
    rows = [(paper.title, *row) for paper in papers().values() for row in paper.beyond]
    heads = ["paper", "item", "state", "what there is"]
    return pd.DataFrame(rows, columns=heads).set_index("paper")


def facts(ledger: Ledger) -> dict[str, Any]:
    """Return the numbers of the page's first paragraphs, by name."""
    cells, verdicts = ledger.cells, ledger.cells["verdict"]
    doubted = verdicts == "contradicted"
    numbers = {word: int((verdicts == word).sum()) for word in GROUPS}
    return numbers | {
        "all": len(cells),
        "checks": len(ledger.relations),
        "broken": sum(not finding.holds for finding in ledger.findings),
        "againshare": verdicts.isin(COMPUTED).mean(),
        "consistentshare": (verdicts == "consistent").mean(),
        "fits": verdicts.isin(FITTING).mean(),
        "share": doubted.mean(),
        "shown": (cells["detail"] == "shown").sum(),
        "recognised": recognised(),
        "widest": doubted.groupby(cells["paper"]).mean().idxmax(),
    }


def is_result(cells: pd.DataFrame) -> pd.Series:
    """Whether a number was recomputed and is a result, rather than a size or a worked example."""
    return cells["verdict"].isin(COMPUTED) & (cells["family"] == "recomputed")


def bars(cells: pd.DataFrame) -> Axes:
    """Draw the verdicts as shares of each paper's numbers, with the numbers in the bars."""
    counts = pd.crosstab(cells["paper"], cells["verdict"]).loc[list(NAMES)[::-1]]
    total = counts.sum(axis=1)
    _, axes = plt.subplots(figsize=(WIDTH, 3.6), layout="constrained")
    left = np.zeros(len(counts))
    for group, (colour, hatch, text) in GROUPS.items():
        number = counts.reindex(columns=[group], fill_value=0)[group]
        width = (number / total).to_numpy()
        style: dict[str, Any] = {
            "facecolor": colour,
            "hatch": hatch,
            "edgecolor": "#333333",
            "linewidth": 0.6,
        }
        axes.barh(np.arange(len(counts)), width, 0.72, left=left, label=group, **style)
        for y, (n, w, start) in enumerate(zip(number, width, left, strict=True)):
            if w >= 0.08:
                box = {"facecolor": colour, "edgecolor": "none", "pad": 1.5} if hatch else None
                middle = start + w / 2
                axes.text(middle, y, f"{n:,}", ha="center", va="center", color=text, bbox=box)
        left += width
    names = [f"{NAMES[str(paper)]}\n{total[paper]:,}" for paper in counts.index]
    axes.set_yticks(np.arange(len(counts)), names)
    axes.set(xlim=(0, 1), xlabel="share of the printed numbers")
    axes.xaxis.set_major_formatter(lambda share, _: f"{share:.0%}")
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(axis="y", length=0)
    axes.figure.legend(loc="outside upper left", ncols=2, frameon=False, fontsize=9)
    return axes


def by_group(cells: pd.DataFrame) -> pd.DataFrame:
    """Count the numbers of each verdict, and explain it."""
    counts = cells["verdict"].value_counts().reindex(list(GROUPS), fill_value=0)
    shares = [f"{number / len(cells):.1%}" for number in counts]
    frame = pd.DataFrame({"numbers": counts}).rename_axis("printed numbers")
    return frame.assign(share=shares, meaning=[MEANING[word] for word in GROUPS])


def families(ledger: Ledger) -> pd.DataFrame:
    """Count the checks of every kind, and how many break."""
    pairs = zip(ledger.relations, ledger.findings, strict=True)
    frame = pd.DataFrame([(relation.family, not finding.holds) for relation, finding in pairs])
    counts = frame.groupby(0).agg(checks=(1, "size"), broken=(1, "sum"))
    counts.insert(0, "relies on", [grounds()[str(name)] for name in counts.index])
    return counts.sort_values("checks", ascending=False).rename_axis("check")


def contradictions(errors: Sequence[Erratum]) -> pd.DataFrame:
    """List contradictions: their places, the printed text, our reading or question, the reason."""
    rows = []
    for error in errors:
        places = {
            NAMES[paper]: dict.fromkeys(place(cell) for cell in error.cells if cell.paper == paper)
            for paper in dict.fromkeys(cell.paper for cell in error.cells)
        }
        where = "; ".join(f"{paper}, {', '.join(names)}" for paper, names in places.items())
        answer = error.answer and f" The authors answer: {error.answer}"
        rows.append((where, error.quote, error.read, error.because + answer))
    asked = all(error.detail == "open" for error in errors)
    heads = ["place", "printed", "we ask" if asked else "we read", "because"]
    return pd.DataFrame(rows, columns=heads).set_index("place")


def by_detail(errors: Sequence[Erratum]) -> pd.DataFrame:
    """Count the places and the numbers in doubt of each detail, and explain it."""
    rows = []
    for detail, meaning in DETAILS.items():
        cells = [error.cells for error in errors if error.detail == detail]
        rows.append((detail, len(cells), sum(map(len, cells)), meaning))
    frame = pd.DataFrame(rows, columns=["detail", "places", "numbers", "meaning"])
    return frame.set_index("detail")


def readings() -> pd.DataFrame:
    """Return the texts that were read: the version of each paper, how it was read, and a hash."""
    rows = {p.title: (p.version, p.reading, p.sha256[:12]) for p in papers().values()}
    heads = ["version", "reading", "sha256"]
    return pd.DataFrame.from_dict(rows, "index", columns=heads).rename_axis("paper")


def recognised() -> str:
    """Name the papers that were read by recognition of their pages."""
    return listing([p.title for p in papers().values() if p.reading == "recognition"])


def place(cell: Cell) -> str:
    """Return the table or section of a number as readers know it.

    Examples
    --------
    >>> place(Cell("lq21", "4h", "x", "y")), place(Cell("lq21", "appendix", "x", "y"))
    ('Table 4(h)', 'appendix')
    """
    return cell.table if cell.table in ("abstract", "appendix") else table_title(cell.table)


def by_injected(injected: Sequence[Injected]) -> pd.DataFrame:
    """Count wrong digits and those noticed, by the verdict on the true number."""
    rows = [(error.verdict, error.noticed) for error in injected]
    groups = pd.DataFrame(rows, columns=["verdict", "noticed"]).groupby("verdict")["noticed"]
    counts = pd.DataFrame({"injected": groups.size(), "noticed": groups.sum()})
    counts = counts.reindex([name for name in GROUPS if name in counts.index])
    shares = counts["noticed"] / counts["injected"]
    return counts.assign(share=[f"{value:.0%}" for value in shares])


def cell_list(cells: pd.DataFrame) -> HTML:
    """Show all printed numbers in a list that the reader filters; in the page itself, no request.

    Parameters
    ----------
    cells
        Columns paper, table, row, column, printed, verdict and reason.
    """
    reasons: dict[str, int] = {}
    rows = [
        (
            [*NAMES].index(str(cell.paper)),
            cell.table,
            cell.row,
            cell.column,
            cell.printed,
            VERDICTS.index(cell.verdict),
            reasons.setdefault(str(cell.reason), len(reasons)),
        )
        for cell in cells.itertuples(index=False)
    ]
    signs = [{"name": v, "style": verdict_style(v), "sign": SIGNS[v]} for v in VERDICTS]
    titles = [*NAMES.values()]
    page = Environment(loader=PackageLoader("ordbook.chapters", ""), autoescape=True)
    page.policies["json.dumps_kwargs"] = {"ensure_ascii": False, "separators": (",", ":")}
    script = share("book", "_static", "ledger.js").read_text(encoding="utf-8")
    data = {"papers": titles, "verdicts": signs, "reasons": list(reasons), "rows": rows}
    return HTML(page.get_template("ledger.html.j2").render(rows=rows, data=data, script=script))


def unit_errors(ledger: Ledger, number: int, seed: int) -> float:
    """Return the share of numbers, drawn at random, that a check notices one unit larger."""
    texts = {cell: one_unit_more(text) for cell, text in ledger.printed.items()}
    cells = [cell for cell, text in texts.items() if text]
    chosen = np.random.default_rng(seed).permutation(len(cells))[:number]
    noticed = []
    for cell in (cells[index] for index in chosen):
        changed = {**ledger.printed, cell: texts[cell]}
        holding = (relation for relation, finding in ledger.of_cell[cell] if finding.holds)
        noticed.append(any(not passes(relation, changed) for relation in holding))
    return float(np.mean(noticed))
