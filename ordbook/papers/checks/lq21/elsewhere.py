"""LQ'21 beside ACL'21 and the DialEval-1 overview, which print the same data and runs.

Contents
--------
other_papers   ACL'21, Table 1 and Section 6.3
discordant     ACL'21, Table 5: a contradiction is a discordant pair of runs
overview       the DialEval-1 overview: sizes, runs, means
by_both        Table 4: what these means leave for NMD and RSNOD
"""

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from itertools import chain, product

import numpy as np

from ordbook.papers.checks.counting import both, pairs_of
from ordbook.papers.checks.lq21.contradictions import CONTRADICTING, lines, listed
from ordbook.papers.checks.lq21.tables import MEASURES, at, overlap, parts, significant
from ordbook.papers.checks.places import ACL21, DIALEVAL1
from ordbook.papers.relations import (
    NOISE,
    Cell,
    Finding,
    Printed,
    Relation,
    condition,
    rounded,
    same,
    total,
)

# Score type -> the overview's tables of means: Chinese and English runs.
MEANS = {"A": {"C": "4", "E": "9"}, "S": {"C": "5", "E": "10"}, "E": {"C": "6", "E": "11"}}
NO_BRACKETS = str.maketrans("", "", "()")


def other_papers(printed: Printed) -> list[Relation]:
    """Hold data sets, runs and significant pairs to ACL'21, Table 1 and Section 6.3."""
    relations = []
    for data, theirs in (
        ("Sem16T4E", "Sem16T4E"),
        ("Sem17T4E", "Sem17T4E"),
        ("DialEval-1 DQ-{A, E, S}", "DQ-{A, E, S}"),
    ):
        for column, other in {
            "#Ordinal classes": "#ordinal classes",
            "Test data sample size": "Test data sample size",
        }.items():
            relations.append(
                same(at("2", data, column), ACL21.at("1", theirs, other), "the same data set")
            )
        for column in ("Evaluation venue", "Task (Subtask)", "Task Type", "Language"):
            other = {"Task (Subtask)": "Task/subtask", "Task Type": "Task type"}.get(column, column)
            if column == "Task (Subtask)" and not data.startswith("Sem"):
                continue  # ACL'21 abbreviates it
            relations.append(
                condition(
                    "printed twice",
                    (at("2", data, column), ACL21.at("1", theirs, other)),
                    lambda ours, theirs: (
                        ours.translate(NO_BRACKETS) == theirs.translate(NO_BRACKETS)
                    ),
                    "the same data set",
                    column,
                )
            )
        runs = [at("2", data, f"#Runs used{end}") for end in ("", " C", " E")]
        runs = [cell for cell in runs if cell in printed]

        def as_written(their: str, *ours: str) -> bool:
            return their == (ours[0] if len(ours) == 1 else "{} ({}+{})".format(*ours))

        relations.append(
            condition(
                "printed twice",
                (ACL21.at("1", theirs, "#runs used"), *runs),
                as_written,
                "the same runs",
                "runs",
            )
        )
    for cell in ACL21.column(printed, "s6.3", "significant pairs"):
        ours = significant("DialEval-1 DQ-E", cell.row.split()[-1])
        relations.append(same(ours, cell, "ACL'21 Section 6.3, the same tests"))
    for measure in MEASURES:
        theirs_cell = ACL21.at("s6.3", "DQ-E system pairs", "count")
        ours = at("3", "DialEval-1 DQ-E", f"{measure} T_D")
        relations.append(same(ours, theirs_cell, "ACL'21 Section 6.3, the same runs"))
    return relations


def discordant(printed: Printed) -> list[Relation]:
    """Hold contradictions to tau of the same run means: (1 - tau)/2 of the pairs are discordant."""
    relations = []
    for part, theirs in {"III": "5i", "IV": "5ii", "V": "5iii"}.items():
        pairs = at("3", CONTRADICTING[part], "NMD T_D")
        for cell in ACL21.cells(printed, theirs):
            first, second = sorted((cell.row, cell.column), key=MEASURES.index)

            def holds(contradicting: str, tau: str, pairs: str) -> bool:
                most = (1 - rounded(tau).low) / 2 * int(pairs)
                return int(contradicting) <= most + NOISE

            relations.append(
                condition(
                    "interval",
                    (at(f"5{part}", first, second), cell, pairs),
                    holds,
                    "Section 5.2: contradicting means are ranked in opposite order; ties only "
                    "leave fewer",
                    "contradictions, tau, pairs of runs",
                )
            )
    return relations


def overview(printed: Printed) -> list[Relation]:
    """Hold sizes and runs to the overview, and Table 6 to its means: Run 1 has the smaller one."""
    ours = "DialEval-1 DQ-{A, E, S}"
    relations = []
    for language, short in {"Chinese": "C", "English": "E"}.items():
        dialogues = DIALEVAL1.at("3", "#dialogues", f"{language} Test")
        relations.append(
            same(at("2", ours, "Test data sample size"), dialogues, "the same test dialogues")
        )
        submitted = DIALEVAL1.at("2", "Total", f"{language} DQ")
        baselines = DIALEVAL1.at("s2.5", "baselines per language and subtask")
        relies = "the overview's submitted DQ runs and its baselines"
        relations.append(
            total(at("2", ours, f"#Runs used {short}"), (submitted, baselines), relies)
        )
    development = DIALEVAL1.at("s4.1", "DCH-1 test dialogues", "count")
    stc3 = at("2", "STC-3 DQ-{A, E, S}", "Test data sample size")
    relations.append(same(stc3, development, "DCH-1 is the collection of STC-3"))
    for part, data in CONTRADICTING.items():
        if not data.startswith("DialEval-1"):
            continue
        details = lines(printed, part)
        for i in range(0, len(details), 4):
            relations.append(_better(details[i : i + 4], printed, MEANS[data[-1]]))
    return relations


def _better(line: Sequence[Cell], printed: Printed, tables: Mapping[str, str]) -> Relation:
    """Hold the runs of a line of Table 6 to the overview's means: Run 1 has the smaller ones."""
    line = tuple(line)

    def place(run: str, measure: str) -> Cell | None:
        found = re.fullmatch(r"[AES]_(.*)-([CE])", run)
        return DIALEVAL1.at(tables[found[2]], found[1], measure) if found else None

    def compared(texts: Printed) -> list[tuple[Cell | None, Cell | None]]:
        (claimed,) = listed([texts[cell] for cell in line])
        every = product(sorted(claimed.first), claimed.better, claimed.worse)
        return [(place(better, m), place(worse, m)) for m, better, worse in every]

    known = {cell for cell in printed if cell.paper == "dialeval1"}
    means = dict.fromkeys(cell for pair in compared(printed) for cell in pair if cell in known)

    def test(printed: Printed) -> Finding:
        for better, worse in compared(printed):
            if better not in known or worse not in known:
                return Finding(False, f"the overview has no {better} or no {worse}")
            if better in means and worse in means:
                low, high = printed[better], printed[worse]
                if rounded(low).low >= rounded(high).high:
                    return Finding(False, f"{better} is {low}, not below {worse}, {high}")
        return Finding(True, f"Run 1 has the smaller mean in all {len(compared(printed))} cases")

    relies = "Section 5.2: smaller means are better; the overview's Tables 4 to 6 and 9 to 11"
    return Relation("list", (*line, *means), test, relies)


def by_both(printed: Printed) -> list[Relation]:
    """Hold Table 4's pairs that NMD and RSNOD both find significant to the overview's means."""
    relations = []
    for part, data in parts(printed).items():
        if not data.startswith("DialEval-1"):
            continue
        means = {
            measure: sorted(
                cell
                for table in MEANS[data[-1]].values()
                for cell in DIALEVAL1.column(printed, table, measure)
            )
            for measure in ("NMD", "RSNOD")
        }
        cell = overlap(part, ("NMD", "RSNOD"), "b")
        powers = [significant(data, measure) for measure in means]
        relations.append(_by_both(cell, powers, list(means.values())))
    return relations


def _by_both(cell: Cell, powers: Sequence[Cell], means: Sequence[Sequence[Cell]]) -> Relation:
    def test(printed: Printed) -> Finding:
        units = [[Decimal(printed[one]).scaleb(4) for one in column] for column in means]
        counts = [int(printed[one]) for one in powers]
        pairs = pairs_of(len(units[0]))
        if not all(0 < count < pairs for count in counts):
            return Finding(False, f"{counts} significant pairs of {pairs}")
        low, high = both(np.array(units, dtype=float).T.round(), counts)
        found = f"{low} to {high} pairs by the means, printed {printed[cell]}"
        return Finding(low <= int(printed[cell]) <= high, found)

    relies = (
        "in a Tukey HSD test the S_D significant pairs are those with the largest differences; "
        "the overview's Tables 4 to 6 and 9 to 11"
    )
    return Relation("interval", (cell, *powers, *chain(*means)), test, relies)
