"""Tables 1 to 13 of the DialEval-1 overview: dates, counts, lengths, rankings and correlations.

Contents
--------
schedule       Table 1, and the periods of Table 3, in order
participants   Table 2 adds up and agrees with the rankings
collection     Table 3: equal columns, whole numbers of posts and turns
standings      Tables 4 to 7 and 9 to 12: sorted, and equal for the untrained baselines
correlations   Tables 8 and 13: tau from the rankings, steps, limits
"""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from itertools import pairwise, product

import numpy as np

from ordbook.papers.checks.counting import discordant, pairs_of
from ordbook.papers.checks.dialeval1.layout import (
    CORRELATIONS,
    LANGUAGES,
    MEASURES,
    PARTS,
    QUALITY,
    Ranking,
    correlation,
    rankings,
    said,
)
from ordbook.papers.checks.places import DIALEVAL1
from ordbook.papers.relations import (
    Cell,
    Printed,
    Relation,
    Rounded,
    condition,
    counted,
    ordered,
    over,
    relate,
    rounded,
    same,
    same_text,
    total,
)

COLUMNS = [f"{language} {split}" for language in LANGUAGES for split in ("Training", "Dev", "Test")]
BASELINES = "BL-"
MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]


def relations(printed: Printed) -> Iterator[Relation]:
    """Yield the checks of Tables 1 to 13."""
    lists = rankings(printed)
    yield from schedule(printed)
    yield from participants(printed, lists)
    yield from collection()
    yield from standings(lists)
    yield from correlations(lists)


# -- Tables 1 to 3 ---------------------------------------------------------------------------


def period(text: str) -> tuple[date, date]:
    """Return the first and the last day of ``July 1 2020``, ``Dec 2020`` or ``Apr. 2018``."""
    month, *day, year = text.replace(".", "").split()
    first = date(int(year), MONTHS.index(month[:3]) + 1, 1)
    if day:
        whole = first.replace(day=int(day[0]))
        return whole, whole
    return first, (first + timedelta(days=31)).replace(day=1) - timedelta(days=1)


def schedule(printed: Printed) -> Iterator[Relation]:
    """Table 1 stands in the order of time; Table 3's periods follow each other before it."""
    times = DIALEVAL1.cells(printed, "1")
    for before, after in pairwise(times):
        yield condition(
            "order",
            (before, after),
            lambda early, late: period(early)[0] <= period(late)[1],
            "Table 1 is a schedule",
            "one comes before the other",
        )

    def follow(early: str, late: str) -> bool:
        end, start = period(early.split("~")[1]), period(late.split("~")[0])
        return start[0] <= end[1] + timedelta(days=1) and end[0] <= start[1]

    stamps = {column: said("3", "Data timestamps", column) for column in COLUMNS}
    for language in LANGUAGES:
        training, dev, test = (stamps[column] for column in COLUMNS if language in column)
        yield same_text(training, dev, "printed across Training and Dev")
        relies = "the test dialogues are newer than those of DCH-1 (Sections 4.1 and 4.2)"
        yield condition("order", (dev, test), follow, relies, "the periods meet")
        yield condition(
            "order",
            (test, times[0]),
            lambda span, day: period(span.split("~")[1])[0] <= period(day)[1],
            "the test data are older than their release",
            "collected before released",
        )
        sources = [said("3", "Source", column) for column in COLUMNS if language in column]
        yield same_text(sources[0], sources[1], "both are DCH-1, or its translation (Section 4.1)")
        if language == "English":
            yield same_text(sources[1], sources[2], "printed across the three English columns")
    for column in COLUMNS[:3]:
        other = column.replace("Chinese", "English")
        yield same_text(stamps[other], stamps[column], "the English dialogues are translations")


def participants(
    printed: Printed, lists: dict[tuple[str, str, str], Ranking]
) -> Iterator[Relation]:
    """Table 2: totals, and the runs of every team in the rankings."""
    cells = DIALEVAL1.cells(printed, "2")
    for column in dict.fromkeys(cell.column for cell in cells):
        language, part = column.split()
        teams = [c for c in cells if c.column == column and c.row != "Total"]
        whole = said("2", "Total", column)
        yield total(whole, teams, "Table 2's last row")
        for key in QUALITY if part == "DQ" else (part,):
            for measure in MEASURES[key]:
                ranking = lists[key, language, measure]
                found = [run for run in ranking.runs if not run.startswith(BASELINES)]
                relies = f"the runs listed in Table {ranking.table} by {measure}"
                yield counted(whole, len(found), relies)
                for cell in teams:
                    n = sum(run.startswith(f"{cell.row}-") for run in found)
                    yield counted(cell, n, relies)


def collection() -> Iterator[Relation]:
    """Table 3: English copies Chinese; posts and turns are counts; turns merge posts."""
    table = {
        row: {column: said("3", row, column) for column in COLUMNS}
        for row in (
            "#annotators/dialogue",
            "#dialogues",
            "Avg. #posts/dialogue",
            "Avg. post length",
            "Avg. turn length",
        )
    }
    people, dialogues, posts, post, turn = table.values()
    for split in ("Training", "Dev", "Test"):
        chinese, english = f"Chinese {split}", f"English {split}"
        copied = "the annotations of the English dialogues are copied (Section 4.3)"
        yield same(people[english], people[chinese], copied)
        if split == "Training":
            continue  # only 2,251 of the 3,700 are translated
        relies = "all development and test dialogues are translated (Section 4.3)"
        yield same(dialogues[english], dialogues[chinese], relies)
        yield same(posts[english], posts[chinese], relies)
        yield condition(
            "share",
            (post[chinese], turn[chinese], post[english], turn[english]),
            lambda a, b, c, d: _ratio(a, b).meets(_ratio(c, d)),
            "posts per turn (Section 2.1) do not change by translation",
            "posts per turn agree",
        )
        for column in (chinese, english):
            yield condition(
                "average",
                (posts[column], dialogues[column]),
                lambda mean, n: _whole(_times(rounded(mean), rounded(n))),
                "posts are counted (Table 3)",
                "a whole number of posts",
            )
            yield condition(
                "average",
                (posts[column], dialogues[column], post[column], turn[column]),
                _whole_turns,
                "turns and posts have the same characters, and turns are counted (Section 2.1)",
                "a whole number of turns",
            )
    chinese, english = "Chinese Training", "English Training"
    yield condition(
        "feasibility",
        (posts[chinese], dialogues[chinese], posts[english], dialogues[english]),
        lambda mean, n, translated, m: (
            _times(rounded(mean), rounded(n)).high - _times(rounded(translated), rounded(m)).low
            >= rounded(n).low - rounded(m).low
        ),
        "the translated training dialogues are some of the Chinese ones (Section 4.3)",
        "at least one post for each of the others",
    )
    for column in COLUMNS:
        yield from ordered([turn[column], post[column]], "a turn merges posts (Section 2.1)")
    yield same(people["Chinese Dev"], people["Chinese Training"], "both are DCH-1 (Section 4.1)")


def _ratio(part: str, whole: str) -> Rounded:
    return over(rounded(part), rounded(whole))


def _times(a: Rounded, b: Rounded) -> Rounded:
    return Rounded(a.low * b.low, a.high * b.high)


def _whole(span: Rounded) -> bool:
    return bool(np.floor(span.high + 1e-9) >= span.low - 1e-9)


def _whole_turns(mean: str, dialogues: str, post: str, turn: str) -> bool:
    posts = _times(rounded(mean), rounded(dialogues))
    counts = range(int(np.ceil(posts.low)), int(np.floor(posts.high)) + 1)
    return any(_whole(_times(Rounded(n, n), _ratio(post, turn))) for n in counts)


# -- rankings and correlations ---------------------------------------------------------------


def standings(lists: dict[tuple[str, str, str], Ranking]) -> Iterator[Relation]:
    """Rankings are sorted; baselines that need no training are the same in both languages."""
    for ranking in lists.values():
        relies = f"Table {ranking.table} ranks by {ranking.measure}, smaller is better"
        yield from ordered(ranking.cells[::-1], relies)
    for part, measures in MEASURES.items():
        for measure, run in product(measures, ("BL-uniform", "BL-popularity")):
            chinese, english = (lists[part, language, measure].cell(run) for language in LANGUAGES)
            relies = "it depends on the gold only, which English copies (Sections 2.5 and 4.3)"
            yield same(english, chinese, relies)


def agreement(first: Sequence[Cell], second: Sequence[Cell], printed: Printed) -> int:
    """Concordant minus discordant pairs; equal means are ranked by their printed order."""

    def ranks(cells: Sequence[Cell]) -> dict[str, int]:
        line = sorted(range(len(cells)), key=lambda i: (rounded(printed[cells[i]]).middle, i))
        return {cells[i].row: rank for rank, i in enumerate(line)}

    x, y = ranks(first), ranks(second)
    order = [y[run] for run in sorted(x, key=lambda run: x[run])]
    signs = [order[i] < order[j] for i in range(len(order)) for j in range(i + 1, len(order))]
    return 2 * sum(signs) - len(signs)


def correlations(lists: dict[tuple[str, str, str], Ranking]) -> Iterator[Relation]:
    """Tables 8 and 13: tau = (C - D)/T of two rankings, between its limits."""
    for (language, table), part in product(CORRELATIONS.items(), PARTS):
        first, second = (lists[part, language, measure].cells for measure in MEASURES[part])
        tau = said(table, part, correlation(part))
        low, high = (tau._replace(column=f"{tau.column} {end}") for end in ("low", "high"))
        yield _tau(tau, first, second)
        steps = pairs_of(len(first))
        yield condition(
            "step",
            (tau,),
            lambda text, steps=steps: discordant(text, steps) is not None,
            f"tau of {len(first)} {language} runs is (C - D)/{steps}, C + D = {steps}",
            f"one of the steps of {steps} pairs",
        )
        yield from ordered([high, tau, low], "tau lies in its interval", "interval")
        for limit in (low, high):
            yield condition(
                "interval",
                (limit,),
                lambda text: -1 <= rounded(text).middle <= 1,
                "limits of a bootstrap are values of tau",
                "between -1 and 1",
            )


def _tau(tau: Cell, first: Sequence[Cell], second: Sequence[Cell]) -> Relation:
    """Recompute tau from two printed lists."""

    def formula(*values: Rounded) -> float:
        cells = (*first, *second)
        printed = {cell: str(value.middle) for cell, value in zip(cells, values, strict=True)}
        return agreement(first, second, printed) / pairs_of(len(first))

    relies = f"the rankings of Table {first[0].table}, equal means in their printed order"
    return relate("rankings", tau, (*first, *second), formula, relies, "(C - D)/T")
