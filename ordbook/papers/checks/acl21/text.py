"""ACL'21's data sets, counts, parameters, axes and definitions."""

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal

import numpy as np

from ordbook.data.catalog import catalog
from ordbook.measures import cem_ord, kappa
from ordbook.papers.checks.acl21.tables import DQ, TASKS, at, pairs_of_runs
from ordbook.papers.relations import (
    Cell,
    Printed,
    Relation,
    condition,
    counted,
    exact,
    recomputed,
    value_of,
)

PANELS: Mapping[str, str] = {
    "figure1i": "Sem16T4C",
    "figure1ii": "Sem17T4C",
    "figure2i": "DQ-A",
    "figure2ii": "DQ-E",
    "figure2iii": "DQ-S",
    "figure3i": "Sem16T4E",
    "figure3ii": "Sem17T4E",
}
RUNS = "#runs used"


def relations(printed: Printed) -> list[Relation]:
    """Return the checks of counts, parameters and definitions."""
    return [
        *_data_sets(),
        *_panels(),
        *_counts(),
        *_definitions(),
    ]


def _data_sets() -> Iterator[Relation]:
    """Table 1's SemEval rows against the catalogue, and its OQ rows against Section 2.2.

    ``recomputed`` holds the numbers of topics, classes and runs to the files themselves.
    """
    for row in dict.fromkeys(row for row in TASKS.values() if row != DQ):
        known = catalog()[row.lower()]
        kind = {"classification": "OC", "quantification": "OQ"}[known.kind]
        named = re.match(r"(SemEval-\d+) (Task \d+), subtask (\w)", known.title)
        venue, task, letter = named.groups() if named else ("", "", "")
        facts = {
            "Task type": kind,
            "Evaluation venue": venue,
            "Task/subtask": f"{task} Subtask {letter}",
        }
        for column, fact in facts.items():
            cell = at("1", row, column)
            yield condition("catalogue", (cell,), fact.__eq__, "the data's catalogue", column)
    rows = list(dict.fromkeys(TASKS.values()))
    parts = [list(TASKS.values()).count(row) for row in rows]

    def oq(semeval: str, dialeval: str, *types: str) -> bool:
        found = sum(n for n, kind in zip(parts, types, strict=True) if kind == "OQ")
        return value_of(semeval) + value_of(dialeval) == found

    yield condition(
        "sum",
        (
            at("s2.2", "SemEval Subtask E data sets"),
            at("s2.2", "DialEval-1 DQ data sets"),
            *(at("1", row, "Task type") for row in rows),
        ),
        oq,
        "Section 2.2: the OQ data sets; Tables 5 and 8 have a part for each",
        "OQ data sets of SemEval and DialEval-1, and the types",
    )


def _panels() -> Iterator[Relation]:
    """Figures 1 to 3: data, sample, runs and pairs of a panel are Table 1's; the axes are regular.

    The last label of the axis of pairs is the last step that is not beyond the number of pairs.
    The axis of p-values has a label at the significance level (Section 6.3).
    """
    level = at("s6.3", "significance level on the axis", "value")
    for panel, data in PANELS.items():
        inside = at(panel, "panel", "data set")
        order = "the panels stand in the order of Table 1"
        yield condition("list", (inside,), data.__eq__, order, data)
        systems, pairs = (at(panel, "panel", column) for column in ("#systems", "system pairs"))
        yield _runs(systems, DQ if data.startswith("DQ") else data)
        yield counted(pairs, pairs_of_runs, "m(m-1)/2 pairs of m systems", [systems], "product")
        labels = [
            at(panel, "system pairs axis", name) for name in ("first label", "step", "last label")
        ]
        yield exact(
            "order",
            (*labels, pairs),
            lambda first, step, last, n: step > 0 and last == first + (n - first) // step * step,
            "the axis reaches the number of pairs",
            "first label, step, last label, pairs",
        )
        ends = [at(panel, "p-value axis", name) for name in ("first", "step", "last")]
        yield exact(
            "order",
            (*ends, level),
            lambda first, step, last, at: (
                step > 0
                and first <= at <= last
                and (last - first) % step == (at - first) % step == 0
            ),
            "regular labels, one at the significance level",
            "first, step, last, level",
        )


def _runs(cell: Cell, row: str) -> Relation:
    """Hold a number of runs to Table 1, whose ``22 (13+9)`` are 22."""

    def first(runs: str) -> Decimal:
        return value_of(runs.split()[0])

    return counted(cell, first, "Table 1", [at("1", row, RUNS)], "printed twice")


def _counts() -> Iterator[Relation]:
    """Numbers of runs and of data sets in prose against Table 1."""
    yield _runs(at("s4", "DQ runs, Chinese and English"), DQ)
    oq = sum(row.endswith("E") for row in TASKS.values())
    scores = len(re.findall(r"[AES](?=[,}])", DQ))
    for section, row, number in (
        ("s2.2", "SemEval Subtask E data sets", oq),
        ("s4", "SemEval OQ data sets", oq),
        ("s2.2", "DialEval-1 DQ data sets", scores),
        ("s4", "DQ score types", scores),
        ("s4", "NTCIR data sets", scores),
        ("appendix", "more reliable data sets", scores),
    ):
        yield counted(at(section, row), number, "the rows of Table 1, the parts of Tables 5 and 8")


def _definitions() -> Iterator[Relation]:
    """Section 3.1: kappa of constant runs, alpha's labels, CEM_ORD's floor, two classes."""
    gold = np.repeat(np.arange(5), (1, 2, 3, 2, 4))
    scores = {kappa(gold, np.full_like(gold, label)) for label in np.unique(gold)}
    constant = at("s3.1", "kappa of a run that always returns one class", "value")
    for score in sorted(scores):
        yield recomputed(constant, float(score), "Eq. 5", family="example")
    for says, labels in (
        ("gold and run both say i", "ii"),
        ("one of gold and run says i", "ij"),
        ("neither says i", "jk"),
    ):
        cell = at("s3.1", f"alpha label count, {says}", "value")
        relies = "Section 3.1: the number of labels that say i"
        yield recomputed(cell, float(labels.count("i")), relies, family="example")
    floor = at("s3.1", "CEM_ORD floor of the proximity count", "value")
    yield exact("example", (floor,), _floor_is_harmless, "Eqs. 3 and 4", "proximity of any error")


def _floor_is_harmless(floor: Decimal) -> bool:
    """Whether a floor of K leaves CEM_ORD as Eqs. 3 and 4 give it without one, and finite.

    The smallest K that counts is 1/2, of an item alone in its class; K = 0 comes with empty
    classes. ``ordbook.measures`` is compared on counts that have both.
    """
    lowest = float(floor)
    counts = np.array([[3, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0], [0, 2, 0, 4]])  # gold x run
    gold = counts.sum(axis=1)
    if lowest <= 0:
        return False

    def proximity(i: int, j: int) -> float:
        between = gold[i + 1 : j + 1].sum() if i <= j else gold[j:i].sum()
        return float(-np.log2(max(lowest, gold[i] / 2 + between) / gold.sum()))

    n = range(len(gold))
    top = sum(proximity(run, true) * counts[true, run] for run in n for true in n)
    bottom = sum(proximity(true, true) * gold[true] for true in n)
    return bool(np.isclose(top / bottom, cem_ord.from_confusion(counts), rtol=1e-12))
