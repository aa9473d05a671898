"""Printed numbers that public data or a simulation give again.

Scores are those of ``data/scores`` (equal to what the raw files give, where they are present).
What a random procedure gave is repeated with many seeds; the printed value must be one of
theirs, and is never called exact.
"""

from collections.abc import Iterator, Mapping
from functools import cache

from ordbook.data.catalog import catalog
from ordbook.data.loading import load
from ordbook.data.scores import ScoreMatrix
from ordbook.data.scoring import score
from ordbook.data.tasks import BASELINES
from ordbook.measures.registry import MEASURES
from ordbook.meta.agreement import topic_wins
from ordbook.meta.similarity import ranking_similarity
from ordbook.papers.checks.tools import ACL21, DIALEVAL1, DNKT, LQ21, SIGIR18, pairs_of, rows_of
from ordbook.papers.montecarlo import drawn
from ordbook.papers.relations import (
    Cell,
    Printed,
    Relation,
    Rounded,
    condition,
    judge,
    recomputed,
    relate,
    show,
    value_of,
)
from ordbook.papers.symbols import NINE, SIX

SPLITS = {
    "outperforms": "randomised Tukey HSD of the splits",
    "": "1,000 random splits for every seed",
}
# Paper -> end of a column's name -> what its draws rest on.
RANDOM: Mapping[str, Mapping[str, str]] = {
    "sigir18": {
        "": "random distributions for every seed, tau-b, ties as floating point leaves them"
    },
    "acl21": SPLITS,
    "lq21": {"": "randomised Tukey HSD with B = 5,000 for every seed"},
    "dnkt": SPLITS,
}
# The family of sizes of data sets, which are recomputed but no results.
SIZE = "catalogue"
STC3 = "stc3-dq-a"
# Column of DialEval-1's Table 3 -> files of STC-3 with these dialogues.
PARTS = {
    "Chinese Training": "training",
    "Chinese Dev": "test",
    "English Dev": "translated test",
}
CONSTANT_RUNS = "Sem16T4C runs that always return one class"


def _scores(name: str, kind: str) -> ScoreMatrix:
    """Return the scores of a task by the papers' measures."""
    return score(load(name), [measure for measure in MEASURES[kind].values() if measure.papers])


def certain(printed: Printed) -> Iterator[Relation]:
    """Recompute what does not depend on chance; the printed values are read by the checks only."""
    classification = _scores("sem16t4c", "classification")
    quantification = _scores("sem16t4e", "quantification")
    yield from sizes(printed)
    yield from counted_in_files()
    yield from acl21_similarity(printed, classification, quantification)
    yield from acl21_official()
    yield from dnkt_similarity(printed, quantification)
    yield from lq21_wins()


def by_chance(printed: Printed) -> Iterator[Relation]:
    """Hold randomised results to what many seeds gave, as committed in ``data/draws``."""
    for paper, relies_on in RANDOM.items():
        for place, value in drawn(paper).items():
            cell = Cell(paper, *place)
            if cell in printed and not isinstance(value, int):
                relies = next(text for end, text in relies_on.items() if cell.column.endswith(end))
                yield recomputed(cell, value, relies)


def sizes(printed: Printed) -> Iterator[Relation]:
    """Topics, classes and runs of the data sets, against the catalogue's own files."""
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
            yield recomputed(cell, dataset.topics, "the gold files of the catalogue", SIZE)
        elif column == "#ordinal classes":
            yield recomputed(cell, len(dataset.classes), "the gold files of the catalogue", SIZE)
        elif column == "#runs used" and cell.row.startswith("Sem16"):
            yield recomputed(cell, dataset.runs, "the run files of the catalogue", SIZE)
    pairs = pairs_of(catalog()["sem16t4e"].runs)
    for name in SIX:
        cell = LQ21.at("3", "Sem16T4E", f"{name} T_D")
        yield recomputed(cell, pairs, "the run files of the catalogue", SIZE)


@cache
def counts() -> Mapping[tuple[str, str, str], int]:
    """Return what was counted in public files: (data set, files, thing) -> number."""
    return {
        (row["catalogue"], row["files"], row["what"]): int(row["number"])
        for row in rows_of("counted.csv")
    }


def counted_in_files() -> Iterator[Relation]:
    """Assessors, constant runs, and the averages in DialEval-1's Table 3, from the public files."""
    for cell, source, files, thing in (
        (SIGIR18.at("s2", "DBDC assessors of the gold distribution"), "dbdc3", "test", "assessors"),
        (LQ21.at("s4", "STC-3: assessors"), STC3, "test", "assessors"),
        (DNKT.at("s3", "STC-3", "assessors"), STC3, "test", "assessors"),
        (ACL21.at("s5.2", CONSTANT_RUNS), "sem16t4c", "submissions", "runs of one class"),
        (ACL21.at("s5.3", CONSTANT_RUNS), "sem16t4c", "submissions", "runs of one class"),
    ):
        relies = f"counted in the {files} files of the catalogue's {source}"
        yield recomputed(cell, counts()[source, files, thing], relies, SIZE)
    for (row, column), value in dialogues().items():
        cell = DIALEVAL1.at("3", row, column)
        yield recomputed(cell, value, f"counted in the {PARTS[column]} files of STC-3", SIZE)
    yield translated_averages()
    for column, files in (
        ("Chinese Training", "training"),
        ("English Training", "translated training"),
        ("English Dev", "translated test"),
    ):
        posts, turns = (counts()[STC3, files, thing] for thing in ("posts", "turns"))
        post, turn = (
            DIALEVAL1.at("3", row, column) for row in ("Avg. post length", "Avg. turn length")
        )
        yield relate(
            "average",
            turn,
            (post,),
            lambda length, ratio=posts / turns: Rounded(length.low * ratio, length.high * ratio),
            f"{posts:,} posts and {turns:,} turns in the {files} files of STC-3",
            "post length x posts / turns",
        )


def dialogues() -> dict[tuple[str, str], float]:
    """Return what STC-3's dialogues give for DialEval-1's Table 3: (row, column) -> value.

    Its English training column counts more dialogues than STC-3 translated.
    """
    values: dict[tuple[str, str], float] = {}
    for column, part in PARTS.items():
        size = {thing: n for (*files, thing), n in counts().items() if files == [STC3, part]}
        values["#dialogues", column] = size["dialogues"]
        if "assessors" in size:
            values["#annotators/dialogue", column] = size["assessors"]
        length = size["words" if part.startswith("translated") else "characters"]
        values["Avg. #posts/dialogue", column] = size["posts"] / size["dialogues"]
        values["Avg. post length", column] = length / size["posts"]
        values["Avg. turn length", column] = length / size["turns"]
    # One or two of 58,754 words fewer, where posts are not merged yet, give the printed 30.890.
    del values["Avg. post length", "English Dev"]
    return values


def translated_averages() -> Relation:
    """Compare the averages of the English training data with those of STC-3's translations."""
    number, posts, turns, words = (
        counts()[STC3, "translated training", thing]
        for thing in ("dialogues", "posts", "turns", "words")
    )
    averages = posts / number, words / posts, words / turns
    rows = "#dialogues", "Avg. #posts/dialogue", "Avg. post length", "Avg. turn length"

    def other_dialogues(size: str, *texts: str) -> bool:
        same = (judge(*pair) == "recomputed" for pair in zip(texts, averages, strict=True))
        return value_of(size) == number or not all(same)

    return condition(
        SIZE,
        [DIALEVAL1.at("3", row, "English Training") for row in rows],
        other_dialogues,
        f"the {number:,} translated training dialogues of STC-3",
        f"number of dialogues, and the averages of {number:,} ({', '.join(map(show, averages))})",
    )


def acl21_similarity(
    printed: Printed, classification: ScoreMatrix, quantification: ScoreMatrix
) -> Iterator[Relation]:
    """Kendall's tau between the rankings of the runs by every two measures."""
    for table, scores in (("2i", classification), ("8i", quantification.select(SIX))):
        tau = ranking_similarity(scores).tau
        for cell in ACL21.cells(printed, table):
            value = float(tau.at[cell.row, cell.column])  # type: ignore[arg-type]
            yield recomputed(cell, value, "mean scores over topics, tau-a")


def acl21_official() -> Iterator[Relation]:
    """Rank of the baseline that calls every tweet neutral, by the pooled measures."""
    pooled = score(load("sem16t4c"), ["MAE_M", "MAE_mu"], aggregate="pooled").means()
    ranks = pooled.rank(method="min").loc["_baseline-majority-0"].astype(int).to_dict()
    relies = "SemEval's own pooling of all tweets"
    top = {1: "top"}.get(ranks["MAE_mu"], str(ranks["MAE_mu"]))
    for measure, rank in (("MAE_M", ranks["MAE_M"]), ("MAE_mu", top)):
        cell = ACL21.at("s5.1", f"SemEval-2016 neutral baseline by {measure}", "rank")
        yield recomputed(cell, rank, relies)
    runs = ACL21.at("s5.1", "SemEval-2016 Subtask C runs")
    yield recomputed(runs, len(pooled), "the run files of the catalogue", SIZE)


def dnkt_similarity(printed: Printed, scores: ScoreMatrix) -> Iterator[Relation]:
    """Tau with Fieller's limits, and average tau.

    Means are rounded to four decimals before runs are ranked, tau to three before limits and
    averages: the paper does not say so, and its numbers come out no other way.
    """
    relies = "means rounded to four decimals, tau-a rounded to three"
    seven = ("DNKT", "JSD", "NMD", "RNOD", "DNKT_JSD", "DNKT_NMD", "DNKT_RNOD")
    for table, names in (("3", NINE), ("21a", seven)):
        similarity = ranking_similarity(scores, names, digits=3, decimals=4)
        values = similarity.cells()
        for cell in DNKT.cells(printed, table):
            yield recomputed(cell, values[cell.row, cell.column], relies)
        if table == "3":
            for name, value in similarity.averages(digits=3).items():
                yield recomputed(DNKT.at("4", str(name), "average"), float(value), relies)


def lq21_wins() -> Iterator[Relation]:
    """Dialogues of STC-3 on which each baseline is better than the other."""
    for place, count in wins().items():
        yield recomputed(LQ21.at("7", *place), count, "votes of STC-3; ties share the probability")


def wins() -> dict[tuple[str, str], int]:
    """Count the dialogues of STC-3 that each baseline wins, as Table 7 of LQ'21 does."""
    better = {}
    for subtask in "AES":
        scores = score(load(f"stc3-dq-{subtask.lower()}"), list(SIX))
        for name, first, second, *_ in topic_wins(scores, *BASELINES).itertuples():
            better[f"STC-3 DQ-{subtask}", f"{name} uni"] = int(first)
            better[f"STC-3 DQ-{subtask}", f"{name} pop"] = int(second)
    return better
