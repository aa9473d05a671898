"""The ledger: every printed number of the five papers, its checks, and one verdict.

The verdicts are those of :mod:`ordbook.papers.relations`.
"""

import csv
import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cache, cached_property, lru_cache
from typing import Literal, cast

import numpy as np
import pandas as pd

from ordbook.files import share
from ordbook.papers.relations import (
    VERDICTS,
    Cell,
    CheckResult,
    Printed,
    Relation,
    Status,
    Verdict,
    value_of,
    verdict_of,
)
from ordbook.papers.tables import papers

Detail = Literal["shown", "page or our text", "extraction", "open"]
DETAILS: Mapping[Detail, str] = {
    "shown": "other numbers of the paper, its own definition or public data say otherwise",
    "page or our text": "so they do, but reading the page could have made this fault",
    "extraction": "reading the page has probably damaged it, and the page may be right",
    "open": "something does not fit, and which side is meant or wrong cannot be told",
}


@dataclass(frozen=True)
class Erratum:
    """Printed numbers that do not fit.

    Attributes
    ----------
    name
        Short and unique, such as ``lq21-table4h-nvd``.
    cells
        The numbers in question.
    detail
        Key of ``DETAILS``.
    because
        The derivation, in two or three sentences.
    breaks
        The checks that it excuses: family -> how many checks of its cells break.
    quote, read
        The printed text, and what we read in its place, or what we ask.
    slip
        Whether it is a slip of the pen, which changes no result.
    answer
        What the authors say about it, in their words.
    implied
        Cell -> the value that the other numbers imply in its place, if they imply only one.
    """

    name: str
    cells: tuple[Cell, ...]
    detail: Detail
    because: str
    breaks: Mapping[str, int]
    quote: str = ""
    read: str = ""
    slip: bool = False
    answer: str = ""
    implied: Mapping[Cell, str] = field(default_factory=dict)

    def excuses(self, relation: Relation) -> bool:
        """Whether a check is one of those that may break."""
        return relation.family in self.breaks and not set(self.cells).isdisjoint(relation.cells)


LOST = "lost"
# Families that say least about a number; another check of it, if it has one, gives the reason.
WEAK = ("range", "step", "parity", "triangle", "order", "list")
# What a cell of data/audit.csv says; the notes stand in data/published.
COMMITTED = ["paper", "table", "row", "column", "printed"]
COMMITTED += ["verdict", "detail", "checks", "failed", "family", "reason"]
# Cell -> why no check reaches it.
Unreached = Callable[[Cell], tuple[Status, str]]


class UnexplainedContradiction(ValueError):
    """A check breaks that no erratum excuses, or one holds that an erratum excuses."""


def printed_cells() -> dict[Cell, tuple[str, str]]:
    """Return every printed number with its note, paper by paper and table by table.

    Raises
    ------
    ValueError
        If a cell is given twice, or a file of ``data/published`` is about an unknown paper.
    """
    noted: dict[Cell, tuple[str, str]] = {}
    paths = sorted(share("data", "published").glob("*_*.csv"))
    for paper in papers():
        for path in paths:
            if path.stem.partition("_")[0] != paper:
                continue
            with path.open(encoding="utf-8", newline="") as lines:
                for row in csv.DictReader(lines):
                    cell = Cell(row["paper"], row["table"], row["row"], row["column"])
                    if cell in noted:
                        raise ValueError(f"{path}: {cell} is given twice")
                    noted[cell] = row["printed"], row["note"]
    if stray := [path.name for path in paths if path.stem.partition("_")[0] not in papers()]:
        known = ", ".join(papers())
        raise ValueError(
            f"data/published/{stray[0]}: of no paper in tables.toml, which has {known}"
        )
    return noted


@dataclass(frozen=True, eq=False)
class Ledger:
    """All checks of all printed numbers.

    Attributes
    ----------
    cells
        DataFrame, one line per printed number: paper, table, row, column, printed, verdict,
        detail, checks (how many), failed, family (of the check that settles it), reason, note.
    relations, findings
        The checks and their results, in the same order.
    printed
        Cell -> text.
    errata
        The known contradictions, each of which breaks a check.
    """

    cells: pd.DataFrame
    relations: tuple[Relation, ...]
    findings: tuple[CheckResult, ...]
    printed: Mapping[Cell, str]
    errata: tuple[Erratum, ...]

    @property
    def checks(self) -> pd.DataFrame:
        """DataFrame, one line per check: family, papers, cells, holds, finding, relies."""
        return pd.DataFrame(
            [
                (
                    relation.family,
                    " ".join(dict.fromkeys(cell.paper for cell in relation.cells)),
                    "; ".join(map(str, relation.cells)),
                    finding.holds,
                    finding.text,
                    relation.relies,
                )
                for relation, finding in zip(self.relations, self.findings, strict=True)
            ],
            columns=["family", "papers", "cells", "holds", "finding", "relies"],
        )

    @cached_property
    def of_cell(self) -> Mapping[Cell, Sequence[tuple[Relation, CheckResult]]]:
        """Cell -> the checks that read it, and their results."""
        return _by_cell(self.relations, self.findings)

    def scoreboard(self, *by: str) -> pd.DataFrame:
        """Numbers of cells by verdict, for every value of ``by`` ("paper", or "paper", "table")."""
        places = [self.cells[name] for name in by]
        counts = pd.crosstab(places, self.cells["verdict"])
        order = pd.MultiIndex.from_frame(self.cells[[*by]].drop_duplicates())
        counts = counts.loc[order if len(by) > 1 else order.get_level_values(0)]
        used = [verdict for verdict in VERDICTS if verdict in counts]
        return counts[used].assign(all=counts.sum(axis=1))


def audit(
    relations: Sequence[Relation],
    unreached: Unreached,
    errata: Sequence[Erratum],
    *,
    printed: Mapping[Cell, tuple[str, str]] | None = None,
) -> Ledger:
    """Run every check on every printed number.

    Parameters
    ----------
    relations
        The checks, from :mod:`ordbook.papers.every`.
    unreached
        Says for a cell that no check reaches why that is so.
    errata
        The known contradictions.
    printed
        The printed numbers with their notes, by default all of them.

    Raises
    ------
    UnexplainedContradiction
        If a check breaks that no erratum excuses, or fewer or more checks break than the errata
        say.
    ValueError
        If a check is about a cell that is not printed.
    """
    noted = printed_cells() if printed is None else printed
    texts = {cell: text for cell, (text, _) in noted.items()}
    for relation in relations:
        for cell in relation.cells:
            if cell not in texts:
                raise ValueError(f"the check {relation.family!r} is about {cell}, not printed")
    findings = [relation.test(texts) for relation in relations]
    doubted = {cell: erratum for erratum in errata for cell in erratum.cells}
    broken: Counter[tuple[str, str]] = Counter()
    unexplained = []
    for relation, finding in zip(relations, findings, strict=True):
        if not finding.holds:
            excused = _excused(relation, doubted)
            if not excused:
                cells = "; ".join(map(str, relation.cells))
                unexplained.append(f"{relation.family} of {cells}: {finding.text}")
            broken.update(excused)
    if unexplained:
        more = f", and {len(unexplained) - 3} more" if len(unexplained) > 3 else ""
        raise UnexplainedContradiction(
            f"{' | '.join(unexplained[:3])}{more}; no entry of data/published/errata.toml excuses "
            "it: correct the transcription, or enter the paper's error there"
        )
    for erratum in errata:
        for family, number in erratum.breaks.items():
            if broken[erratum.name, family] != number:
                raise UnexplainedContradiction(
                    f"the erratum {erratum.name} excuses {number} checks of the family "
                    f"{family!r}, and {broken[erratum.name, family]} break"
                )
    of_cell = _by_cell(relations, findings)
    rows = []
    for cell, (text, note) in noted.items():
        checks = of_cell[cell]
        status, family, reason = _settle(cell, texts, checks, doubted)
        if not status:
            status, reason = unreached(cell)
        failed = sum(not finding.holds for _, finding in checks)
        verdict = verdict_of(status)
        rows.append((*cell, text, *verdict, len(checks), failed, family, reason, note))
    frame = pd.DataFrame(rows, columns=[*COMMITTED, "note"])
    return Ledger(frame, tuple(relations), tuple(findings), texts, tuple(errata))


def _by_cell(
    relations: Sequence[Relation], findings: Sequence[CheckResult]
) -> Mapping[Cell, Sequence[tuple[Relation, CheckResult]]]:
    of_cell: dict[Cell, list[tuple[Relation, CheckResult]]] = defaultdict(list)
    for relation, finding in zip(relations, findings, strict=True):
        for cell in relation.cells:
            of_cell[cell].append((relation, finding))
    return of_cell


def _excused(relation: Relation, doubted: Mapping[Cell, Erratum]) -> set[tuple[str, str]]:
    """Return name and family for every erratum that excuses a check."""
    accused = {doubted[cell].name: doubted[cell] for cell in relation.cells if cell in doubted}
    return {(name, relation.family) for name, e in accused.items() if e.excuses(relation)}


def _settle(
    cell: Cell,
    printed: Printed,
    checks: Sequence[tuple[Relation, CheckResult]],
    doubted: Mapping[Cell, Erratum],
) -> tuple[Status | Literal[""], str, str]:
    """Return one status for one number, the family of the check that settles it, and why."""
    if cell in doubted:
        broken = [relation.family for relation, finding in checks if not finding.holds]
        return doubted[cell].detail, (broken or [""])[0], doubted[cell].because
    if printed[cell] == LOST:
        return "lost", "", "not in the extracted text"
    holding = [(relation, finding) for relation, finding in checks if finding.holds]
    for relation, finding in holding:
        if relation.verdict is not None:
            return relation.verdict(printed), relation.family, f"{finding.text} ({relation.relies})"
    if not holding:
        return "", "", ""
    clean = [check for check in holding if doubted.keys().isdisjoint(check[0].cells)]
    relation, finding = min(clean or holding, key=lambda check: check[0].family in WEAK)
    reason = f"{finding.text} ({relation.relies})"
    if clean or relation.family == "claim":  # one number of many does not decide on a sentence
        return "consistent", relation.family, reason
    base = next(other for other in relation.cells if other in doubted)
    return "open", relation.family, f"rests on {base}, which is in doubt: {reason}"


def one_unit_more(text: str) -> str:
    """Return a printed number one unit of its last digit larger, or nothing if it is none."""
    below = "<" if text.startswith("<") else ""
    try:
        number = value_of(text.strip().lstrip("<"))
    except ValueError:
        return ""
    return f"{below}{number + Decimal(1).scaleb(min(int(number.as_tuple().exponent), 0))}"


def passes(relation: Relation, printed: Printed) -> bool:
    """Whether a check holds; a value that it cannot read breaks it."""
    try:
        return relation.test(printed).holds
    except (ValueError, ArithmeticError, LookupError, NameError, SyntaxError):
        return False


@lru_cache(maxsize=1)
def committed_verdicts() -> Mapping[Cell, tuple[str, Status, str]]:
    """Return text, verdict and reason of every printed number, from ``data/audit.csv``.

    A verdict is given by its detail, if it has one.

    ``ordbook audit --commit`` writes that file; the tests recompute it.
    """
    columns = ["printed", "verdict", "detail", "reason"]
    return {
        Cell(*place): (printed, cast(Status, detail or verdict), reason)
        for *place, printed, verdict, detail, reason in (
            committed_cells()[[*Cell._fields, *columns]].to_numpy().tolist()
        )
    }


def committed_cells() -> pd.DataFrame:
    """Return ``data/audit.csv``: a line for every printed number."""
    types = {name: int if name in ("checks", "failed") else str for name in COMMITTED}
    return pd.read_csv(share("data", "audit.csv"), dtype=types, keep_default_na=False)


def committed_ledger() -> Ledger:
    """Return the ledger as ``ordbook audit --commit`` wrote it last, without its checks.

    Raises
    ------
    ValueError
        If the printed numbers are no longer those of ``data/audit.csv``.
    """
    cells, noted = committed_cells(), printed_cells()
    texts = {Cell(*line[:4]): line[4] for line in cells[COMMITTED[:5]].to_numpy().tolist()}
    if texts != {cell: text for cell, (text, _) in noted.items()}:
        raise ValueError("data/audit.csv is not of these printed numbers; add --recompute")
    notes = [noted[cell][1] for cell in texts]
    return Ledger(cells.assign(note=notes), (), (), texts, errata())


@cache
def errata() -> tuple[Erratum, ...]:
    """Return the known contradictions, from ``data/published/errata.toml``."""
    with share("data", "published", "errata.toml").open("rb") as file:
        entries = tomllib.load(file)
    known = []
    for name, entry in entries.items():
        cells = {Cell(*place[:4]): place[4:] for place in entry["cells"]}
        implied = {cell: text for cell, rest in cells.items() for text in rest}
        known.append(Erratum(name, **entry | {"cells": tuple(cells), "implied": implied}))
    return tuple(known)


@dataclass(frozen=True)
class Injected:
    """A wrong digit injected on purpose.

    Attributes
    ----------
    cell, printed, injected
        The place, the printed text, and the text in its place.
    verdict
        The cell's verdict in the ledger.
    noticed
        Whether the audit refuses it.
    """

    cell: Cell
    printed: str
    injected: str
    verdict: Verdict
    noticed: bool


def inject(ledger: Ledger, number: int = 300, seed: int = 0) -> list[Injected]:
    """Change one digit of one printed number at a time, and test whether the audit refuses it.

    Parameters
    ----------
    ledger
        From :func:`audit`.
    number
        How many changes. The cells are drawn at random without repetition from all numbers with
        a digit; the digit and its replacement are random, too.
    seed
        Seed of these draws.
    """
    doubted = {cell: erratum for erratum in ledger.errata for cell in erratum.cells}
    cells = [Cell(*place) for place in ledger.cells[[*Cell._fields]].to_numpy()]
    verdicts = dict(zip(cells, ledger.cells["verdict"], strict=True))
    numbers = [cell for cell in cells if any(map(str.isdigit, ledger.printed[cell]))]
    rng = np.random.default_rng(seed)
    errors = []
    for index in rng.permutation(len(numbers))[:number]:
        cell = numbers[index]
        text = ledger.printed[cell]
        where = int(rng.choice([i for i, character in enumerate(text) if character.isdigit()]))
        digit = str((int(text[where]) + rng.integers(1, 10)) % 10)
        wrong = text[:where] + digit + text[where + 1 :]
        noticed = _noticed(ledger.of_cell[cell], {**ledger.printed, cell: wrong}, doubted)
        errors.append(Injected(cell, text, wrong, verdicts[cell], noticed))
    return errors


def _noticed(
    checks: Sequence[tuple[Relation, CheckResult]],
    printed: Printed,
    doubted: Mapping[Cell, Erratum],
) -> bool:
    """Whether the audit refuses other texts, by the checks of them and their results."""
    change: Counter[tuple[str, str]] = Counter()
    for relation, finding in checks:
        if passes(relation, printed) != finding.holds:
            excused = _excused(relation, doubted)
            if not excused:
                return True
            for erratum in excused:
                change[erratum] += 1 if finding.holds else -1
    return any(change.values())
