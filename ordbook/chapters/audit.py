"""The chapter of the audit: its checks, run where it runs, and what they found."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from hashlib import sha256
from importlib.metadata import version
from itertools import combinations
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from IPython.display import HTML, Markdown, display
from jinja2 import Environment, PackageLoader
from matplotlib.axes import Axes

from ordbook.chapters.record import MEANING
from ordbook.data.loading import load
from ordbook.data.printed import printed_values
from ordbook.data.scoring import score
from ordbook.files import share
from ordbook.meta.artificial import artificial_table
from ordbook.meta.consistency import ranking_consistency
from ordbook.meta.seeds import Spread, over_seeds
from ordbook.meta.similarity import ranking_similarity
from ordbook.papers.checks import lasting
from ordbook.papers.checks.tools import doubts, unreached
from ordbook.papers.comparison import LedgerMismatch
from ordbook.papers.ledger import (
    PAPERS,
    Erratum,
    Kind,
    Ledger,
    Planted,
    audit,
    committed_statuses,
    errata,
    neighbours,
    passes,
    printed_cells,
)
from ordbook.papers.ledger import committed_cells as committed
from ordbook.papers.montecarlo import Seen
from ordbook.papers.relations import (
    PLAIN,
    STATUSES,
    Cell,
    CheckResult,
    Plain,
    Printed,
    Relation,
    judge,
    recomputed,
)
from ordbook.papers.symbols import OUTPERFORMED
from ordbook.show.colours import WIDTH
from ordbook.show.escape import escape_markdown
from ordbook.show.parameters import check_number
from ordbook.show.show import SIGNS, Fold, verdict_style

NAMES = dict(zip(PAPERS, ("SIGIR'18", "ACL'21", "LQ'21", "DNKT", "DialEval-1"), strict=True))
# The reader's word -> a colour of Okabe and Ito's, a hatch for print, and the colour of text on it.
GROUPS: Mapping[Plain, tuple[str, str, str]] = {
    "recomputed": ("#0072B2", "", "white"),
    "within chance": ("#9AD0F5", "///", "black"),
    "implied": ("#007A5A", "", "white"),
    "compatible": ("#CFE8DF", "..", "black"),
    "contradicted": ("#D55E00", "xxx", "black"),
    "unchecked": ("#FFFFFF", "", "black"),
}
# What was computed again and came out, and all that nothing contradicts.
COMPUTED: tuple[Plain, ...] = ("recomputed", "within chance")
FITTING: tuple[Plain, ...] = (*COMPUTED, "implied", "compatible")
# Family of checks -> what it relies on.
FAMILIES: Mapping[str, str] = {
    "recomputed": "public data, a definition, or many seeds of a random procedure",
    "triangle": "three rankings: how much two agree limits how much they can differ from a third",
    "parity": "three rankings without ties disagree on an even number of pairs, counted thrice",
    "order": "lists that are printed from the best to the worst",
    "symbols": "one honestly significant difference per column decides on every symbol in it",
    "interval": "an estimate lies within its limits; Fieller's limits follow from tau",
    "step": "tau counts pairs, and p counts trials: only some values are possible",
    "list": "a table of significant pairs lists all that are, and no others",
    "printed twice": "the same number in two places",
    "effect size": "a difference of two printed means over one standard deviation",
    "additivity": "effect sizes of A to B and B to C add up to that of A to C",
    "sum": "parts and their total",
    "claim": "a sentence about numbers that are printed elsewhere",
    "share": "a percentage of two counts",
    "average": "a mean of printed numbers",
    "product": "n(n-1)/2 pairs, and other products",
    "example": "worked examples, computed again",
    "definition": "what a definition implies for a property or a case",
    "p-value": "a p-value against the difference and the variance that are printed with it",
    "feasibility": "all counts of a table at once, by an integer programme",
    "count": "a number in words against the things that it counts",
    "catalogue": "sizes of public data sets",
    "rankings": "a table of correlations against the printed means, all at once",
    "reference": "the number of a table, case or equation that a sentence refers to",
}


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
        for cell, (_, status, reason) in committed_statuses().items()
        if status in ("exact", "within Monte-Carlo") and cell in printed and cell not in here
    ]
    return audit(relations, unreached, errata(), doubts=doubts(), printed=noted)


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

    def test(printed: Printed) -> CheckResult:
        return CheckResult(made.test(printed).holds, f"printed {printed[cell]}, ours {ours}")

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


def by_paper(cells: pd.DataFrame) -> pd.DataFrame:
    """Count the numbers of every paper by status, with a last row for all."""
    return _counts([*cells["paper"].map(NAMES), *["all"] * len(cells)], [*cells["status"]] * 2)


def by_table(cells: pd.DataFrame, paper: str) -> pd.DataFrame:
    """Count the numbers of one paper by table and status; parts of a table go together."""
    mine = cells[cells["paper"] == paper]
    return _counts(mine["table"].map(whole_table), mine["status"])


def whole_table(table: str) -> str:
    """Return the name of the table or figure that a part belongs to.

    Examples
    --------
    >>> whole_table("25a"), whole_table("figure2i"), whole_table("s5.1"), whole_table("table2")
    ('Table 25', 'Figure 2', 'text', 'text')
    """
    kind, number = re.findall(r"^(figure|)(\d*)", table)[0]
    return f"{'Figure' if kind else 'Table'} {number}" if number else "text"


def _counts(places: Sequence[str] | pd.Series, statuses: Sequence[str] | pd.Series) -> pd.DataFrame:
    """Count statuses in every place; zeros are blank, so that what is there stands out."""
    counts = pd.crosstab(np.array(places), np.array(statuses))
    counts = _in_order(_in_order(counts).T).T.assign(all=counts.sum(axis=1))
    counts = counts.rename_axis(None).rename_axis(None, axis=1)
    return counts.map(lambda count: f"{count:,}" if count else "")


def _in_order(counts: pd.DataFrame) -> pd.DataFrame:
    """Sort rows: by paper, then tables by number, figures, the text; statuses in their order."""
    known = [*NAMES.values(), "Table", "Figure", "text", *STATUSES, "all"]

    def order(place: str) -> list[int]:
        parts = re.split(r", | (?=\d)", place)
        return [known.index(part) if part in known else int(part) for part in parts]

    return counts.loc[sorted(counts.index, key=order)]


def bars(cells: pd.DataFrame) -> Axes:
    """Draw what was found as shares of each paper's numbers, with the numbers in the bars."""
    counts = pd.crosstab(cells["paper"], words(cells)).loc[list(PAPERS)[::-1]]
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
    sns.despine(ax=axes, left=True)
    axes.tick_params(axis="y", length=0)
    axes.figure.legend(loc="outside upper left", ncols=2, frameon=False, fontsize=9)
    return axes


def words(cells: pd.DataFrame) -> pd.Series:
    """Return the reader's word for every number."""
    return cells["status"].map(PLAIN)


def by_group(cells: pd.DataFrame) -> pd.DataFrame:
    """Count the numbers of each of the reader's six words, and say what it means."""
    counts = words(cells).value_counts().reindex(list(GROUPS), fill_value=0)
    shares = [f"{number / len(cells):.0%}" for number in counts]
    frame = pd.DataFrame({"numbers": counts}).rename_axis("printed numbers")
    return frame.assign(share=shares, meaning=[MEANING[word] for word in GROUPS])


def families(ledger: Ledger) -> pd.DataFrame:
    """Count the checks of every kind, those that break, and say what they rely on."""
    pairs = zip(ledger.relations, ledger.findings, strict=True)
    frame = pd.DataFrame([(r.family, f.holds, len(r.cells)) for r, f in pairs])
    found = frame.groupby(0).agg(checks=(1, "size"), holding=(1, "sum"))
    found = found.sort_values("checks", ascending=False).rename_axis("check")
    return found.assign(**{"relies on": [FAMILIES[str(name)] for name in found.index]})


def contradictions(ledger: Ledger, kind: Kind, shown: int = 3) -> None:
    """Show the errata of one kind: cells, derivation, and what the failing checks say."""
    for erratum in ledger.errata:
        if erratum.kind == kind:
            place = f"{NAMES[erratum.cells[0].paper]}, {_place(erratum.cells[0])}"
            title = escape_markdown(f"{place}. {erratum.title}")
            display(Markdown(f"**{title}**\n\n{escape_markdown(erratum.derivation)}"))
            display(_arithmetic(ledger, erratum, shown))


def _place(cell: Cell) -> str:
    place = str(cell).partition(" ")[2].partition(":")[0]
    return re.sub(r"^footnote(?=\d)", "footnote ", re.sub(r"^s(?=\d)", "Section ", place))


def _arithmetic(ledger: Ledger, erratum: Erratum, shown: int) -> Fold:
    cells = "; ".join(str(cell).partition(" ")[2] for cell in erratum.cells)
    texts = ", ".join(dict.fromkeys(ledger.printed[cell] for cell in erratum.cells))
    broken = list(dict.fromkeys(finding.text for finding in ledger.failures(erratum)))
    more = [f"… and {len(broken) - shown} more"] if len(broken) > shown else []
    lines = [f"- {escape_markdown(text)}" for text in [*broken[:shown], *more]]
    where = f"Cells: {escape_markdown(cells)}. Printed: {escape_markdown(texts)}."
    checks = "check that breaks" if len(broken) == 1 else "checks that break"
    title = f"The arithmetic of {len(broken)} {checks}"
    return Fold(title, None, "\n".join([where, "", *lines]))


def by_planted(planted: Sequence[Planted], by: str) -> pd.DataFrame:
    """Count planted digits and those noticed, by ``paper``, ``table`` or ``status``."""
    places = {
        "paper": [NAMES[one.cell.paper] for one in planted],
        "table": [f"{NAMES[one.cell.paper]}, {whole_table(one.cell.table)}" for one in planted],
        "status": [one.status for one in planted],
    }[by]
    noticed = pd.Series([one.noticed for one in planted]).groupby(places)
    found = _in_order(pd.DataFrame({"planted": noticed.size(), "noticed": noticed.sum()}))
    share_of = found["noticed"] / found["planted"]
    return found.assign(share=[f"{value:.0%}" for value in share_of])


def cell_list(cells: pd.DataFrame) -> HTML:
    """Show all printed numbers in a list that the reader filters; in the page itself, no request.

    Parameters
    ----------
    cells
        Columns paper, table, row, column, printed, status and reason.
    """
    reasons: dict[str, int] = {}
    rows = [
        (
            PAPERS.index(cell.paper),
            cell.table,
            cell.row,
            cell.column,
            cell.printed,
            STATUSES.index(cell.status),
            reasons.setdefault(str(cell.reason), len(reasons)),
        )
        for cell in cells.itertuples(index=False)
    ]
    signs = [
        {"name": s, "style": verdict_style(PLAIN[s]), "sign": SIGNS[PLAIN[s]]} for s in STATUSES
    ]
    papers = [NAMES[paper] for paper in PAPERS]
    page = Environment(loader=PackageLoader("ordbook.chapters", ""), autoescape=True)
    page.policies["json.dumps_kwargs"] = {"ensure_ascii": False, "separators": (",", ":")}
    script = share("book", "_static", "ledger.js").read_text(encoding="utf-8")
    data = {"papers": papers, "statuses": signs, "reasons": list(reasons), "rows": rows}
    return HTML(page.get_template("ledger.html.j2").render(rows=rows, data=data, script=script))


def repairs(ledger: Ledger, erratum: Erratum, reach: int = 20) -> pd.DataFrame:
    """Return which one number, wherever it is printed, would mend a contradiction.

    Every number in a check that breaks is changed by up to ``reach`` units of its last digit, in
    all places that print it. What is returned breaks no check of any of these places and lets
    all the broken ones hold.

    Returns
    -------
    DataFrame
        Columns number, printed, instead and places.
    """
    pairs = list(zip(ledger.relations, ledger.findings, strict=True))
    cells = set(erratum.cells)
    broken = [r for r, found in pairs if not found.holds and cells & set(r.cells)]
    twice = [r.cells for r, found in pairs if r.family == "printed twice" and found.holds]
    rows, seen = [], set[Cell]()
    for cell in dict.fromkeys(cell for relation in broken for cell in relation.cells):
        if cell in seen:
            continue
        places = {cell}
        while more := {c for two in twice if places & set(two) for c in two} - places:
            places |= more
        seen |= places
        checks = [*broken, *(r for r in ledger.relations if places & set(r.cells))]
        for text in neighbours(ledger.printed[cell], reach):
            changed = {**ledger.printed, **dict.fromkeys(places, text)}
            if all(passes(relation, changed) for relation in checks):
                rows.append((str(cell), ledger.printed[cell], text, len(places)))
    return pd.DataFrame(rows, columns=["number", "printed", "instead", "places"])


def unit_errors(ledger: Ledger, number: int, seed: int) -> float:
    """Return the share of numbers, drawn at random, that a check notices one unit larger."""
    pairs = zip(ledger.relations, ledger.findings, strict=True)
    holding = [relation for relation, finding in pairs if finding.holds]
    texts = {cell: next(neighbours(text), "") for cell, text in ledger.printed.items()}
    cells = [cell for cell, text in texts.items() if text]
    chosen = np.random.default_rng(seed).permutation(len(cells))[:number]
    noticed = []
    for cell in (cells[index] for index in chosen):
        changed = {**ledger.printed, cell: texts[cell]}
        touched = (relation for relation in holding if cell in relation.cells)
        noticed.append(any(not passes(relation, changed) for relation in touched))
    return float(np.mean(noticed))


def resamples(ledger: Ledger, numbers: Sequence[int]) -> pd.Series:
    """Return how many limits of DialEval-1's Tables 8 and 13 fit so many resamples."""
    cell, *_ = next(e.cells for e in ledger.errata if e.name == "dialeval1-resamples")
    checks = [r for r in ledger.relations if cell in r.cells and r.slow]
    fits = {
        number: sum(r.test({**ledger.printed, cell: str(number)}).holds for r in checks)
        for number in numbers
    }
    return pd.Series(fits, name=f"limits that fit, of {len(checks)}").rename_axis("resamples B")


def symbols(half: str, seeds: int) -> pd.DataFrame:
    """Return DNKT's doubted symbols of Table 25(a), beside those of our seeds.

    Parameters
    ----------
    half
        ``"full split"`` or ``"10 vs. 10"``.
    seeds
        How often splits and test are drawn.

    Returns
    -------
    DataFrame
        Index: measure. Columns printed, implied (by the other printed numbers), always (in all
        seeds) and sometimes.
    """
    scores = score(load("sem16t4e"), list(OUTPERFORMED.values()))
    size = None if half == "full split" else 10
    wins = [
        ranking_consistency(scores, size, 1000, seed)
        .outperforms()
        .loc[:, list(OUTPERFORMED.values())]
        for seed in range(seeds)
    ]
    share_of = pd.concat(wins).astype(float).groupby(level=0).mean()
    printed = printed_values("dnkt", "25a").set_index(["row", "column"])["printed"]
    doubted = {cell: text for erratum in errata() for cell, text in erratum.implied.items()}
    rows = {}
    for cell, implied in doubted.items():
        if (cell.table, cell.column) != ("25a", f"{half} outperforms"):
            continue
        measure = cell.row
        won = share_of.loc[measure]
        always = "".join(s for s, other in OUTPERFORMED.items() if won[other] == 1)
        sometimes = "".join(s for s, other in OUTPERFORMED.items() if 0 < won[other] < 1)
        text = printed[measure, cell.column]
        rows[measure] = (*("".join(sorted(t)) for t in (text, implied, always)), sometimes)
    heads = ["printed", "implied", "always", "sometimes"]
    return pd.DataFrame.from_dict(rows, "index", columns=heads).rename_axis("measure")


def ties(classes: int, table: str, seeds: int) -> pd.DataFrame:
    """Return SIGIR'18's tau between bin-by-bin measures by two ways to count ties.

    Parameters
    ----------
    classes, table
        3 and ``"1a"``, or 7 and ``"1b"``.
    seeds
        How often the artificial distributions are drawn, at least 100 times.

    Returns
    -------
    DataFrame
        Index: the two measures. Columns printed; floating (ties where floating point leaves
        scores equal) and exact (ties wherever exact arithmetic has them): means over the seeds.
    """
    names = ("NVD", "RNSS", "JSD")
    found = {
        kind: over_seeds(partial(artificial_table, classes, measures=names, decimals=last), seeds)
        for kind, last in (("floating", None), ("exact", 12))
    }
    printed = printed_values("sigir18", table).set_index(["row", "column"])["printed"]
    rows = {
        f"{one} and {other}": {"printed": printed[one, other]}
        | {f"ties: {kind}": taus[one, other].mean for kind, taus in found.items()}
        | {"deviation over seeds": np.mean([taus[one, other].deviation for taus in found.values()])}
        for one, other in combinations(names, 2)
    }
    return pd.DataFrame.from_dict(rows, "index").rename_axis("measures")


def roundings(table: str) -> pd.DataFrame:
    """Return how many values of a table of DNKT match, by what is rounded.

    Parameters
    ----------
    table
        ``"3"`` or ``"21a"``: tau of SemEval-2016 with Fieller's limits.
    """
    values = printed_values("dnkt", table)
    scores = score(load("sem16t4e"))
    names = list(dict.fromkeys([*values["row"], *values["column"].str.split().str[0]]))
    rows = {}
    for means, tau in ((None, None), (4, None), (None, 3), (4, 3)):
        ours = ranking_similarity(scores, names, decimals=means, digits=tau).cells()
        exact = [
            judge(text, ours[row, column]) == "exact"
            for row, column, text in values[["row", "column", "printed"]].to_numpy()
        ]
        rows[means or "no", tau or "no"] = f"{sum(exact)} of {len(exact)}"
    frame = pd.DataFrame(
        [(tau, count) for (_, tau), count in rows.items()],
        index=pd.Index([means for means, _ in rows], name="decimals of means"),
        columns=["decimals of tau", "match"],
    )
    return frame
