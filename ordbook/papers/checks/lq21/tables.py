"""LQ'21, Tables 1 to 4: what they say about each other.

Contents
--------
at, significant, overlap, described, data_sets, parts   cells and rows of the paper
names             Table 1
data_and_power    Tables 2 and 3
overlaps          Table 4; shared: one SSO of it
"""

import re
from collections.abc import Sequence
from itertools import combinations

from ordbook.data.catalog import catalog
from ordbook.measures import QUANTIFICATION
from ordbook.papers.checks.counting import pairs_of
from ordbook.papers.checks.places import LQ21
from ordbook.papers.relations import (
    Cell,
    Printed,
    Relation,
    Rounded,
    condition,
    counted,
    recomputed,
    relate,
    share,
    total,
    value_of,
)

MEASURES = ("NMD", "RSNOD", "RNOD", "NVD", "RNSS", "JSD")
# Data set of Table 2 -> its name in the catalogue, and what the catalogue does not hold.
CATALOGUED = {
    "Sem16T4E": "sem16t4e",
    "Sem17T4E": "sem17t4e",
    "STC-3 DQ-{A, E, S}": "stc3-dq-a",
}
at = LQ21.at


def significant(data: str, measure: str) -> Cell:
    """Return the number of significant differences, Table 3."""
    return at("3", data, f"{measure} S_D")


def overlap(part: str, pair: Sequence[str], what: str) -> Cell:
    """Return one of SSO, a, b, c of a pair of measures, Table 4."""
    return at(f"4{part}", pair[0], f"{pair[1]} {what}")


def described(data: str, what: str) -> Cell:
    """Return what Table 2 says about a data set of Table 3."""
    shared = data if data.startswith("Sem") else f"{data.split()[0]} DQ-{{A, E, S}}"
    return at("2", shared, what)


def data_sets(printed: Printed) -> list[str]:
    """Return the data sets of Table 3, which are the parts of Table 4 in this order."""
    return [row for row in LQ21.rows(printed, "3") if row != "POOLED"]


def parts(printed: Printed) -> dict[str, str]:
    """Return part of Table 4 -> data set."""
    return dict(zip("abcdefgh", data_sets(printed), strict=True))


# -- Table 1 -----------------------------------------------------------------------------------


def names(printed: Printed) -> list[Relation]:
    """Table 1: abbreviations are initials; what is called ordinal sees the order of classes."""
    relations = []
    for measure in LQ21.rows(printed, "1"):
        full, kind = at("1", measure, "full name"), at("1", measure, "kind")

        def abbreviates(text: str, measure: str = measure) -> bool:
            initials = "".join(re.findall(r"\b[A-Z]", text.partition("(")[0]))
            return initials == measure

        def right_kind(text: str, measure: str = measure) -> bool:
            return text.startswith("Ordinal") == QUANTIFICATION[measure].ordinal

        relations += [
            condition("list", (full,), abbreviates, "the initials of the full name", "initials"),
            condition(
                "definition",
                (kind,),
                right_kind,
                "Eqs. 1 to 6 and ordbook.measures: does the order of the classes enter?",
                f"{measure} ordinal: {QUANTIFICATION[measure].ordinal}",
            ),
        ]
    return relations


# -- Tables 2 and 3 ----------------------------------------------------------------------------


def data_and_power(printed: Printed) -> list[Relation]:
    """Table 2: sums and our catalogue. Table 3: T_D = m(m - 1)/2, S_D/T_D, pooled sums (Eq. 9)."""
    relations = []
    for row in LQ21.rows(printed, "2"):
        if at("2", row, "#Runs used C") in printed:
            languages = [at("2", row, f"#Runs used {language}") for language in "CE"]
            relations.append(total(at("2", row, "#Runs used"), languages, "runs of both languages"))
        relations += _short_name(printed, row)
        if row in CATALOGUED:
            known = catalog()[CATALOGUED[row]]
            facts = {"Test data sample size": known.topics, "#Ordinal classes": len(known.classes)}
            if row == "Sem16T4E":  # the only set all runs of which are public
                facts["#Runs used"] = known.runs
            relations += [
                recomputed(at("2", row, column), value, "the data's gold and run files")
                for column, value in facts.items()
            ]
    for cell in LQ21.cells(printed, "3"):
        if not cell.column.endswith("%"):
            continue
        measure = cell.column.split()[0]
        found, pairs = significant(cell.row, measure), at("3", cell.row, f"{measure} T_D")
        relations.append(share(cell, found, pairs, "Section 5.1: DP_D = S_D/T_D"))
        if cell.row == "POOLED":
            for whole in (found, pairs):
                summands = [whole._replace(row=data) for data in data_sets(printed)]
                relations.append(total(whole, summands, "Eq. 9"))
            continue
        relations.append(
            counted(
                pairs,
                lambda runs: pairs_of(value_of(runs)),
                "Section 5.1: T_D = m_D(m_D - 1)/2",
                [described(cell.row, "#Runs used")],
                "sum",
            )
        )
    return relations


def _short_name(printed: Printed, row: str) -> list[Relation]:
    """Hold a row of Table 2 to its own name, such as Sem16T4E, and to its caption: OQ data sets."""
    venue, task = at("2", row, "Evaluation venue"), at("2", row, "Task (Subtask)")
    named = (venue, task) if row.startswith("Sem") else (task,)

    def digits(*texts: str) -> bool:
        found = [number[-2:] for text in texts for number in re.findall(r"\d+", text)]
        return found == re.findall(r"\d+", row)

    relations = [
        condition("list", named, digits, "the short name of the row", f"numbers in {row}"),
        condition(
            "list",
            (at("2", row, "Task Type"),),
            lambda text: text == "OQ",
            "caption of Table 2: quantification data sets",
            "type",
        ),
    ]
    languages = [name for name in "CE" if at("2", row, f"#Runs used {name}") in printed]
    if languages:
        relations.append(
            condition(
                "list",
                (at("2", row, "Language"),),
                lambda text: text.split("+") == languages,
                "runs of these languages are counted",
                "languages",
            )
        )
    return relations


# -- Table 4 -----------------------------------------------------------------------------------


def overlaps(printed: Printed) -> list[Relation]:
    """Table 4: SSO = b/(a + b + c); a + b and b + c are the S_D of Table 3 (Section 5.2)."""
    relations = []
    for part, data in parts(printed).items():
        for pair in combinations(MEASURES, 2):
            sso, *counts = (overlap(part, pair, what) for what in ("SSO", "a", "b", "c"))
            relations += [
                shared(sso, counts),
                total(significant(data, pair[0]), counts[:2], "Section 5.2: S_D = a + b"),
                total(significant(data, pair[1]), counts[1:], "Section 5.2: S_D = b + c"),
            ]
        relations += [_triangle(part, triple) for triple in combinations(MEASURES, 3)]
    return relations


def shared(sso: Cell, counts: Sequence[Cell]) -> Relation:
    """Hold an SSO, in percent, to a, b and c."""

    def formula(a: Rounded, b: Rounded, c: Rounded) -> float:
        return 100 * b.low / (a.low + b.low + c.low)

    return relate("share", sso, counts, formula, "Section 5.2: SSO = b/(a + b + c)")


def _triangle(part: str, triple: Sequence[str]) -> Relation:
    """Hold three sets of differences to the triangle inequality of a + c, how many only one has."""
    pairs = list(combinations(triple, 2))
    cells = [overlap(part, pair, what) for pair in pairs for what in "ac"]

    def holds(*texts: str) -> bool:
        counts = [int(text) for text in texts]
        distances = [sum(counts[i : i + 2]) for i in (0, 2, 4)]
        return 2 * max(distances) <= sum(distances)

    relies = "a + c is the size of a symmetric difference, and such sizes are a metric"
    return condition("triangle", cells, holds, relies, "a and c of three pairs")
