"""The checks of DNKT's counts and data (Sections 2, 3, 5, 6, captions) and of Section 4's prose.

Contents
--------
prose_relations   all of them
"""

from collections.abc import Iterator

from ordbook.papers.checks.dnkt.numbers import (
    COMBINED,
    DATA_SETS,
    MEASURES,
    NOMINAL,
    ORDINAL,
    at,
    ranked,
)
from ordbook.papers.checks.places import DNKT
from ordbook.papers.relations import (
    Cell,
    Printed,
    Relation,
    claim,
    condition,
    counted,
    exact,
    relate,
    same,
)

_TICKED = ("(a) magnitude", "(b) ordinal")
CLASSES = "#Ordinal classes"
RUNS = "#Runs used"
EIGHT = (
    ("abstract", "data sets", "count"),
    ("s1", "data sets", "count"),
    ("s4", "data sets", "count"),
    ("s4", "averages in Tables 19 and 20", "data sets"),
    ("s4", "averages in Table 24", "data sets"),
    ("s5", "Table 28", "sets of results"),
    *((f"caption{n}", f"Table {n}", "data sets") for n in (19, 20, 24, 28)),
)


def prose_relations(printed: Printed) -> list[Relation]:
    """Return the checks of the prose, but for definitions and ranking consistency."""
    return [
        *_data_sets(printed),
        *_classes(),
        *_runs(printed),
        *_levels(printed),
        *_numbers_of_measures(printed),
        *_outliers(),
        *_agreement(printed),
    ]


# -- data --------------------------------------------------------------------------------------


def _data_sets(printed: Printed) -> Iterator[Relation]:
    """Eight data sets: those of Table 2, two of SemEval and six of NTCIR."""
    eight = at("caption2", "Table 2", "data sets")
    semeval, ntcir = (at("s3", f"{venue} data sets") for venue in ("SemEval", "NTCIR"))
    viewpoints = at("s3", "viewpoints of the NTCIR ratings")
    for where in EIGHT:
        yield same(at(*where), eight, "the same data sets")
    yield exact(
        "sum", (eight, semeval, ntcir), lambda n, a, b: n == a + b, "Section 3", "SemEval and NTCIR"
    )
    rows = DNKT.rows(printed, "2")
    names = {name for row in rows for name in _names(row)}
    ours = {each.name for each in DATA_SETS}
    tasks = [row for row in rows if len(_names(row)) > 1]
    singles = len(rows) - len(tasks)
    listed = "Table 2 lists them"
    yield exact("list", (eight,), lambda n: n == len(names) and names == ours, listed, "data sets")
    yield counted(semeval, singles, f"{listed}: SemEval")
    yield exact(
        "product",
        (ntcir, viewpoints),
        lambda n, views: n == views * len(tasks),
        f"{listed}: each NTCIR task has a data set for each viewpoint",
        "data sets, viewpoints",
    )
    sample = "Test data sample size"
    for column in (sample, RUNS):
        small = [at("2", row, column) for row in rows if row not in tasks]
        large = [at("2", row, column) for row in tasks]
        yield claim(
            at("s3", "NTCIR against SemEval", "claim"),
            (*small, *large),
            lambda *n: max(n[:singles]) < min(n[singles:]),
            f"Table 2, {column}",
        )


def _names(row: str) -> list[str]:
    """Return the data sets of a row of Table 2, such as three of ``STC-3 DQ-{A, E, S}``."""
    stem, _, rest = row.partition("{")
    return [f"{stem}{part}" for part in rest.rstrip("}").split(", ")]


def _classes() -> Iterator[Relation]:
    """All have five classes; those of NTCIR are consecutive integers, half of them negative."""
    five = at("s3", "all data sets", CLASSES.lower())
    for row in dict.fromkeys(each.listed for each in DATA_SETS):
        yield same(at("2", row, CLASSES), five, "Section 3: five ordinal classes")
    labels = [at("s3", "NTCIR classes", f"class {i}") for i in range(1, 6)]
    yield exact(
        "list",
        (five, *labels),
        lambda n, *values: n == len(values) and list(values) == list(range(-2, 3)),
        "a five-point scale: consecutive integers around 0",
        "classes",
    )


def _runs(printed: Printed) -> Iterator[Relation]:
    """Captions repeat the runs of Table 2; NTCIR's are Chinese and English ones."""
    for each in DATA_SETS:
        listed = at("2", each.listed, RUNS)
        yield same(each.runs, listed, "Table 2")
        yield same(each.combined_runs, listed, "Table 2")
    first = DATA_SETS[0]
    yield same(at("s5", first.name, "runs"), at("2", first.listed, RUNS), "Table 2")
    for row in dict.fromkeys(each.listed for each in DATA_SETS):
        parts = [at("2", row, f"{RUNS} {language}") for language in "CE"]
        if parts[0] in printed:
            yield exact(
                "sum",
                (at("2", row, RUNS), *parts),
                lambda n, c, e: n == c + e,
                "Table 2: Chinese and English runs",
                "runs",
            )


def _levels(printed: Printed) -> Iterator[Relation]:
    """One level of confidence and one of significance, in text and captions."""
    level = at("s4", "confidence intervals", "percentage")
    for cell in printed:
        if cell.paper != DNKT.name:
            continue
        if cell.column == "interval percentage":
            yield same(cell, level, "Section 4: confidence intervals")
        if cell.column == "significance percentage":
            yield relate(
                "printed twice",
                cell,
                (at("s5", "randomised Tukey HSD test", "alpha"),),
                lambda alpha: 100 * alpha.middle,
                "Section 5: alpha in percent",
            )


# -- measures ----------------------------------------------------------------------------------


def _numbers_of_measures(printed: Printed) -> Iterator[Relation]:
    """Five ordinal and three nominal measures, by Table 1's ticks; three combined ones."""
    magnitude, ordinal = (DNKT.cells(printed, "1", row) for row in _TICKED)
    for sentence in (
        at("s2", "ordinal quantification measures in Table 1"),
        at("s6", "ordinal measures"),
    ):
        yield counted(sentence, lambda *marks: marks.count("✓"), "Table 1 (b)", ordinal)

    def nominal(*marks: str) -> int:
        pairs = zip(marks[: len(ordinal)], marks[len(ordinal) :], strict=True)
        return sum(size == "✓" != order for size, order in pairs)

    for section in ("s2.2", "s6"):
        sentence = at(section, "nominal measures")
        yield counted(sentence, nominal, "Table 1: (a) but not (b)", (*magnitude, *ordinal))
    names = at("s2.3", "measures combined with DNKT", "measures")
    yield counted(
        at("s6", "combined measures"),
        lambda text: len(text.split()),
        "Section 2.3 names them",
        [names],
    )
    found = [row for row in DNKT.rows(printed, "24") if row != "DNKT"]
    yield condition(
        "list",
        (names,),
        lambda text: text.split() == found,
        "components in Table 24",
        "combined with DNKT",
    )


# -- Section 4's observations ------------------------------------------------------------------


def _outliers() -> Iterator[Relation]:
    """DNKT is the lowest of Table 20 and of each data set's averages; NMD comes before it.

    The paper observes it "from this table", 20: by Table 4 JSD is below NMD.
    """
    for table in (*(each.averages for each in DATA_SETS), "20"):
        averages = {measure: at(table, measure, "average") for measure in MEASURES}
        for section in ("s4", "s6"):
            sentence = at(section, "outlier measure", "claim")
            yield ranked(sentence, averages, 0, f"Table {table}: the lowest average similarity")
    for sentence in (at("s4", "second outlier", "claim"), at("s6", "NMD", "claim")):
        yield ranked(sentence, averages, 1, "Table 20: the lowest average similarity but one")


def _nominal(printed: Printed, measure: str) -> list[Cell]:
    """Return the correlations of a measure with the nominal ones, Table 19."""
    return [DNKT.between(printed, "19", measure, other) for other in NOMINAL]


def _agreement(printed: Printed) -> Iterator[Relation]:
    """Hold RNOD and its variants to Table 19, and the combined measures to Table 24."""
    nmd, *others = (_nominal(printed, one) for one in ORDINAL)
    for cells in others:
        yield claim(
            at("s4", "RNOD and variants", "claim"),
            (*nmd, *cells),
            lambda *tau: all(a < b for a, b in zip(tau[:3], tau[3:], strict=True)),
            "Table 19: nearer to each nominal measure than NMD is",
        )
    for section in ("s4", "s6"):
        yield claim(
            at(section, "RNOD", "claim"),
            (DNKT.between(printed, "19", "NMD", "RNOD"), *nmd, *_nominal(printed, "RNOD")),
            lambda both, *tau: (
                both > sum(tau[:3]) / 3
                and all(a < b for a, b in zip(tau[:3], tau[3:], strict=True))
            ),
            "Table 19: nearer to NMD than nominal measures are on average (JSD is nearer still), "
            "and nearer to each of them than NMD is",
        )
    for measure in COMBINED:
        yield claim(
            at("s4", "combined measures", "claim"),
            (
                at("24", "DNKT", measure),
                at("24", "DNKT", f"DNKT_{measure}"),
                at("24", measure, f"DNKT_{measure}"),
            ),
            lambda apart, one, two: apart < min(one, two),
            "Table 24: nearer to both components than these are to each other",
        )
