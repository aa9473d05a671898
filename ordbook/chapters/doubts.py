"""What can be learnt about the audit's open questions from public data and simulations."""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import combinations

import numpy as np
import pandas as pd
from scipy import stats

from ordbook.data.loading import load
from ordbook.data.printed import printed_values
from ordbook.data.scores import ScoreMatrix
from ordbook.data.scoring import score
from ordbook.data.simulated import artificial_distributions
from ordbook.measures import QUANTIFICATION
from ordbook.meta.consistency import ranking_consistency
from ordbook.meta.similarity import ranking_similarity
from ordbook.papers.checks.tools import errata
from ordbook.papers.ledger import Erratum, Ledger
from ordbook.papers.montecarlo import Spread, over_seeds
from ordbook.papers.relations import WORDS, Cell, Printed, Relation, judge, plain
from ordbook.papers.symbols import OUTPERFORMED

# The measures of ACL'21's quantification part.
SIX = ("NMD", "RSNOD", "RNOD", "NVD", "RNSS", "JSD")


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
        for text in _others(ledger.printed[cell], reach):
            changed = {**ledger.printed, **dict.fromkeys(places, text)}
            if all(holds(relation, changed) for relation in checks):
                rows.append((str(cell), ledger.printed[cell], text, len(places)))
    return pd.DataFrame(rows, columns=["number", "printed", "instead", "places"])


def _others(text: str, reach: int) -> Iterator[str]:
    """Yield numbers near a printed one, in units of its last digit."""
    number = plain(str(WORDS.get(text.lower(), text)))
    if not re.fullmatch(r"-?[\d.]+", number):
        return
    exponent = Decimal(number).as_tuple().exponent
    for step in range(-reach, reach + 1):
        if step and isinstance(exponent, int):
            yield str(Decimal(number) + step * Decimal(1).scaleb(exponent))


def holds(relation: Relation, printed: Printed) -> bool:
    """Whether a check holds; numbers that it cannot read do not."""
    try:
        return relation.test(printed).holds
    except (ValueError, ArithmeticError):
        return False


def unit_errors(ledger: Ledger, number: int, seed: int) -> float:
    """Return the share of numbers, drawn at random, that a check notices one unit smaller."""
    pairs = zip(ledger.relations, ledger.findings, strict=True)
    holding = [relation for relation, finding in pairs if finding.holds]
    cells = [cell for cell, text in ledger.printed.items() if re.search(r"\d", text)]
    chosen = np.random.default_rng(seed).permutation(len(cells))
    noticed: list[bool] = []
    for cell in (cells[index] for index in chosen):
        text = next(_others(ledger.printed[cell], 1), "")
        if text and len(noticed) < number:
            changed = {**ledger.printed, cell: text}
            touched = (relation for relation in holding if cell in relation.cells)
            noticed.append(any(not holds(relation, changed) for relation in touched))
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


def noisy_agreement(
    tables: Sequence[str], deviations: Sequence[float], seed: int, draws: int = 2000
) -> pd.DataFrame:
    """Return C - D between RSNOD and NMD in tables of DialEval-1, means disturbed.

    Parameters
    ----------
    tables
        The Chinese and the English runs; all are ranked together.
    deviations
        Standard deviations of normal noise on each mean; 0 are the means as printed.
    seed, draws
        Of the noise.

    Returns
    -------
    DataFrame
        Index: deviation. Columns low, mean and high: 95% of the draws, and their mean.
    """
    values = pd.concat([printed_values("dialeval1", table) for table in tables])
    values = values.sort_values(["table", "row"])  # each measure has an order of its own
    columns = (values.loc[values["column"] == name, "printed"] for name in ("RSNOD", "NMD"))
    both = np.array([column.astype(float) for column in columns])
    first, second = np.triu_indices(both.shape[1], 1)
    rng = np.random.default_rng(seed)
    rows = {}
    for deviation in deviations:
        noisy = both + deviation * rng.standard_normal((draws, *both.shape))
        signs = np.sign(np.round(noisy[:, :, first] - noisy[:, :, second], 12))
        agreement = signs.prod(axis=1).sum(axis=1)
        low, high = np.quantile(agreement, [0.025, 0.975])
        rows[deviation] = (low, agreement.mean(), high)
    found = pd.DataFrame.from_dict(rows, "index", columns=["low", "mean", "high"])
    return found.rename_axis("noise of a mean")


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


def residual_variance(seeds: int) -> pd.DataFrame:
    """Return V_E2 of ACL'21's Tables 3(a), 3(b) and 9(i): printed, and over seeds.

    Returns
    -------
    DataFrame
        Index: part of the table. Columns printed, low and high (99.9% of the seeds), and below
        (share of seeds that print as no more than the paper does).
    """
    classes, shares = score(load("sem16t4c")), score(load("sem16t4e")).select(SIX)
    parts = {"3a": (classes, None), "3b": (classes, 10)}
    parts |= {"9i left": (shares, None), "9i right": (shares, 10)}
    rows = {}
    for part, (scores, size) in parts.items():
        spread = _v_e2(scores, size, seeds)
        values = printed_values("acl21", part).set_index(["row", "column"])["printed"]
        text = str(values["all measures", "V_E2"])
        below = float(np.mean(np.round(spread.draws, 5) <= float(text) + 1e-12))
        rows[part] = (text, *(f"{limit:.5f}" for limit in spread.interval()), f"{below:.1%}")
    heads = ["printed", "low", "high", "seeds not above it"]
    return pd.DataFrame.from_dict(rows, "index", columns=heads).rename_axis("Table")


def _v_e2(scores: ScoreMatrix, size: int | None, seeds: int) -> Spread:
    def compute(seed: int) -> dict[str, float]:
        return {"V_E2": ranking_consistency(scores, size, 1000, seed, threads=1).v_e2}

    return over_seeds(compute, seeds)["V_E2"]


def ties(classes: int, table: str, seeds: int) -> pd.DataFrame:
    """Return SIGIR'18's tau between bin-by-bin measures by two ways to count ties.

    Parameters
    ----------
    classes, table
        3 and ``"1a"``, or 7 and ``"1b"``.
    seeds
        How often the artificial distributions are drawn.

    Returns
    -------
    DataFrame
        Index: the two measures. Columns printed; floating (ties where floating point leaves
        scores equal) and exact (ties wherever exact arithmetic has them): means over the seeds.
    """
    names = ("NVD", "RNSS", "JSD")
    pairs = list(combinations(names, 2))
    found = {kind: np.zeros((seeds, len(pairs))) for kind in ("floating", "exact")}
    for seed in range(seeds):
        drawn = artificial_distributions(classes, seed)
        one, two = np.triu_indices(len(drawn), 1)
        raw = {name: QUANTIFICATION[name].kernel(drawn[one], drawn[two]) for name in names}
        even = {name: np.round(values, 12) for name, values in raw.items()}
        for kind, values in (("floating", raw), ("exact", even)):
            for k, (first, second) in enumerate(pairs):
                found[kind][seed, k] = stats.kendalltau(values[first], values[second]).statistic
    printed = printed_values("sigir18", table).set_index(["row", "column"])["printed"]
    frame = pd.DataFrame(
        {"printed": [printed[pair] for pair in pairs]}
        | {f"ties: {kind}": values.mean(axis=0) for kind, values in found.items()},
        index=pd.Index([" and ".join(pair) for pair in pairs], name="measures"),
    )
    deviation = np.mean([values.std(axis=0, ddof=1) for values in found.values()], axis=0)
    return frame.assign(**{"deviation over seeds": deviation})


def roundings(table: str) -> pd.DataFrame:
    """Return how many values of a table of DNKT come out, by what is rounded on the way.

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
        columns=["decimals of tau", "come out"],
    )
    return frame
