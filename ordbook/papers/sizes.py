"""Sizes of data sets and what was counted in public files, beside what the papers print."""

from collections.abc import Iterator, Mapping
from functools import cache

from ordbook.data.catalog import catalog
from ordbook.data.printed import SIX
from ordbook.papers.formulas import ACL21, DNKT, LQ21, SIGIR18, pairs_of, rows_of
from ordbook.papers.relations import Printed, Relation, beside

# The family of sizes of data sets, which are recomputed but no results.
SIZE = "catalogue"
STC3 = "stc3-dq-a"
CONSTANT_RUNS = "Sem16T4C runs that always return one class"


def sizes(printed: Printed) -> Iterator[Relation]:
    """Topics, classes and runs of data sets by the catalogue; assessors and constant runs."""
    yield from _counted()
    names = {"Sem16T4C": "sem16t4c", "Sem17T4C": "sem17t4c", "Sem16T4E": "sem16t4e"}
    names |= {"Sem17T4E": "sem17t4e", "STC-3 DQ-{A, E, S}": "stc3-dq-a"}
    for cell in printed:
        if (cell.paper, cell.table) not in {("acl21", "1"), ("lq21", "2"), ("dnkt", "2")}:
            continue
        if cell.row not in names:
            continue
        dataset = catalog()[names[cell.row]]
        column = cell.column.lower()
        if column == "test data sample size":
            yield beside(cell, dataset.topics, "the gold files of the catalogue", SIZE)
        elif column == "#ordinal classes":
            yield beside(cell, len(dataset.classes), "the gold files of the catalogue", SIZE)
        elif column == "#runs used" and cell.row.startswith("Sem16"):
            yield beside(cell, dataset.runs, "the run files of the catalogue", SIZE)
    pairs = pairs_of(catalog()["sem16t4e"].runs)
    for name in SIX:
        cell = LQ21.at("3", "Sem16T4E", f"{name} T_D")
        yield beside(cell, pairs, "the run files of the catalogue", SIZE)


@cache
def counts() -> Mapping[tuple[str, str, str], int]:
    """Return what was counted in public files: (data set, files, thing) -> number."""
    return {
        (row["catalogue"], row["files"], row["what"]): int(row["number"])
        for row in rows_of("counted.csv")
    }


def _counted() -> Iterator[Relation]:
    """Assessors, constant runs, and the averages in DialEval-1's Table 3, from the public files."""
    for cell, source, files, thing in (
        (SIGIR18.at("s2", "DBDC assessors of the gold distribution"), "dbdc3", "test", "assessors"),
        (LQ21.at("s4", "STC-3: assessors"), STC3, "test", "assessors"),
        (DNKT.at("s3", "STC-3", "assessors"), STC3, "test", "assessors"),
        (ACL21.at("s5.2", CONSTANT_RUNS), "sem16t4c", "submissions", "runs of one class"),
        (ACL21.at("s5.3", CONSTANT_RUNS), "sem16t4c", "submissions", "runs of one class"),
    ):
        relies = f"counted in the {files} files of the catalogue's {source}"
        yield beside(cell, counts()[source, files, thing], relies, SIZE)
