"""What can be learnt about the audit's open questions from public data and simulations."""

from collections.abc import Sequence
from functools import partial
from itertools import combinations

import numpy as np
import pandas as pd

from ordbook.data.loading import load
from ordbook.data.printed import printed_values
from ordbook.data.scoring import score
from ordbook.meta.artificial import artificial_table
from ordbook.meta.consistency import ranking_consistency
from ordbook.meta.similarity import ranking_similarity
from ordbook.papers.checks.tools import errata
from ordbook.papers.ledger import Erratum, Ledger, neighbours, passes
from ordbook.papers.montecarlo import over_seeds
from ordbook.papers.relations import Cell, judge
from ordbook.papers.symbols import OUTPERFORMED


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
