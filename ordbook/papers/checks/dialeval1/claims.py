"""What the DialEval-1 overview says in prose about its tables.

Contents
--------
chinese      Section 5.1
english      Section 5.2
conclusions  Sections 5.3 and 6
tables       which tables are said to hold what
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from ordbook.papers.checks.counting import discordant, pairs_of
from ordbook.papers.checks.dialeval1.layout import (
    CORRELATIONS,
    LANGUAGES,
    MEASURES,
    PARTS,
    QUALITY,
    Ranking,
    Significance,
    correlation,
    gap,
    rankings,
    said,
    significances,
)
from ordbook.papers.checks.dialeval1.pvalues import LEVEL, TRIALS, probability, scale, tail
from ordbook.papers.checks.dialeval1.significance import widest_unlisted
from ordbook.papers.relations import Cell, Finding, Printed, Relation, condition, rounded

LSTM, UNTRAINED = "BL-lstm", ("BL-uniform", "BL-popularity")
Lists = dict[tuple[str, str, str], Ranking]
Tests = dict[tuple[str, str, str], Significance]


def relations(printed: Printed) -> Iterator[Relation]:
    """Yield the checks of the claims."""
    lists, tests = rankings(printed), significances(printed)
    yield from chinese(tests)
    yield from english(lists, tests)
    yield from conclusions(lists, tests)
    yield from tables(lists, tests)


def _claim(
    cell: Cell, cells: Sequence[Cell], holds: Callable[..., bool], relies: str, shown: str
) -> Relation:
    """Hold a claim to the tables; ``holds`` gets the claim's text first."""
    return condition("claim", (cell, *dict.fromkeys(cells)), holds, relies, shown)


def _level(*texts: str) -> bool:
    return all(probability(p) < LEVEL for p in texts)


def _beaten(tests: Tests, language: str, run: str) -> Iterator[tuple[str, Significance, Cell]]:
    """Yield the run that beats another significantly, the table, and where p stands."""
    for (_, spoken, _), table in tests.items():
        for pair in table.legible if spoken == language else ():
            if pair.worse == run:
                yield pair.better, table, pair.p


# -- Section 5.1 -----------------------------------------------------------------------------

THRESHOLD = said("s5.1", "IMTKU-run2 outperforms the baselines in NMD (Chinese DQ)", "p")


def chinese(tests: Tests) -> Iterator[Relation]:
    """Section 5.1: IMTKU-run2 beats the baselines, some other runs beat BL-lstm."""
    for part in QUALITY:
        table = tests[part, "Chinese", "NMD"]
        found = [table.pair("IMTKU-run2", run) for run in (LSTM, *UNTRAINED)]
        cells = [pair.p for pair in found if pair in table.legible]
        if cells:
            yield _claim(
                THRESHOLD,
                cells,
                lambda bound, *ps: all(probability(p) < rounded(bound).high for p in ps),
                f"Table {table.table}",
                "p of IMTKU-run2 against the baselines",
            )
        yield _complete(table)
    others = {run: p for run, _, p in _beaten(tests, "Chinese", LSTM) if run != "IMTKU-run2"}
    yield _claim(
        said("s5.1", "other runs outperform BL-lstm", "claim"),
        list(others.values()),
        lambda _, *ps: len(ps) > 1 and _level(*ps),
        "Tables 14 to 19 list BL-lstm under other runs",
        f"{', '.join(others)} beat BL-lstm",
    )
    table = tests["DQ-A", "Chinese", "NMD"]
    run = "TUA1-run2"
    places = [(pair.better, pair.worse) for pair in table.pairs]
    mean = table.ranking.cell
    cells = [mean(run), mean(LSTM), *(mean(name) for pair in places for name in pair)]
    cells = list(dict.fromkeys(cells))

    def listed(_: str, *texts: str) -> bool:
        means = {cell.row: text for cell, text in zip(cells, texts, strict=True)}
        smallest = min(gap(means[better], means[worse]).low for better, worse in places)
        return gap(means[run], means[LSTM]).high >= smallest

    yield _claim(
        said("s5.1", "TUA1-run2 vs BL-lstm in NMD for A-score", "claim"),
        cells,
        listed,
        "Table 14 lists every pair whose means differ enough",
        "the means of TUA1-run2 and BL-lstm differ as much as those of a listed pair",
    )


def _complete(table: Significance) -> Relation:
    """Pairs with p below the printed bound are listed, so the next one must have a larger p."""
    sizes = [pair.effect for pair in table.legible]
    shares = [pair.p for pair in table.legible]
    means = {cell.row: cell for cell in table.ranking.cells}

    def test(printed: Printed) -> Finding:
        found = scale(
            [printed[cell] for cell in sizes],
            [printed[cell] for cell in shares],
            printed[TRIALS],
            len(means),
        )
        texts = {run: printed[cell] for run, cell in means.items()}
        pair, size = widest_unlisted(table, printed[table.ruler.effect], texts)
        largest = tail(found.low * size.low, len(means))
        text = f"{pair[0]} and {pair[1]} are not listed, with p of {largest:.3f} at most"
        return Finding(
            largest >= rounded(printed[THRESHOLD]).high,
            f"{text}: the bound is printed as {printed[THRESHOLD]}",
        )

    return Relation(
        "claim",
        (THRESHOLD, TRIALS, *sizes, *shares, *means.values()),
        test,
        f"Table {table.table} lists every pair below the bound; p by the studentised range",
    )


# -- Section 5.2 -----------------------------------------------------------------------------


def english(lists: Lists, tests: Tests) -> Iterator[Relation]:
    """Section 5.2: the English runs against BL-lstm and against the Chinese runs."""
    mine = {key: ranking for key, ranking in lists.items() if key[1] == "English"}
    means = [cell for ranking in mine.values() for cell in ranking.cells]

    def worse(texts: Sequence[str]) -> tuple[int, int]:
        values = {cell: float(text) for cell, text in zip(means, texts, strict=False)}
        bars = {(*cell[:2], cell.column): v for cell, v in values.items() if cell.row == LSTM}
        runs = [cell for cell in values if not cell.row.startswith("BL-")]
        return sum(values[c] > bars[*c[:2], c.column] for c in runs), len(runs)

    def most(_: str, *texts: str) -> bool:
        below, runs = worse(texts)
        return 2 * below > runs

    yield _claim(
        said("s5.2", "English runs underperform BL-lstm", "claim"),
        means,
        most,
        "Tables 9 to 12",
        "most means of participants are above that of BL-lstm",
    )
    beaten = [
        pair.p
        for (_, language, _), table in tests.items()
        for pair in table.legible
        if language == "English" and pair.better == LSTM and not pair.worse.startswith("BL-")
    ]
    yield _claim(
        said("s5.2", "English differences to BL-lstm", "claim"),
        (*means, *beaten),
        lambda _, *texts: (
            2 * sum(probability(p) < LEVEL for p in texts[len(means) :]) < worse(texts)[0]
        ),
        "Tables 9 to 12, and 22 to 29",
        f"{len(beaten)} of the runs below BL-lstm are so significantly",
    )
    run = "IMTKU-run0"
    ahead = [ranking.cell(name) for ranking in mine.values() for name in (run, LSTM)]
    yield _claim(
        said("s5.2", "IMTKU-run0 vs BL-lstm", "claim"),
        ahead,
        lambda _, *texts: (
            4 * sum(a < b for a, b in zip(texts[::2], texts[1::2], strict=True)) > len(texts)
        ),
        "Tables 9 to 12",
        "IMTKU-run0 is better in most lists",
    )
    found = [(table, p) for name, table, p in _beaten(tests, "English", LSTM) if name == run]
    names = [f"DQ {t.ranking.part[-1]}-score {t.ranking.measure} only" for t, _ in found]
    yield _claim(
        said("s5.2", "IMTKU-run0 vs BL-lstm significant", "claim"),
        [p for _, p in found],
        lambda text, *ps: [text] == names and _level(*ps),
        "Tables 22 to 29",
        "BL-lstm is listed under IMTKU-run0 once",
    )
    for part, measures in MEASURES.items():
        for measure in measures:
            tops = [lists[part, language, measure].cells[0] for language in LANGUAGES]
            yield _claim(
                said("s5.2", "top English vs top Chinese run", "claim"),
                tops,
                lambda _, chinese, english: rounded(english).high > rounded(chinese).low,
                f"Tables {tops[0].table} and {tops[1].table}, {measure}: smaller is better",
                "the best English mean is larger than the best Chinese one",
            )


# -- Sections 5.3 and 6 ----------------------------------------------------------------------


def conclusions(lists: Lists, tests: Tests) -> Iterator[Relation]:
    """Sections 5.3 and 6: the top runs, and what was observed."""
    groups = [ranking.cells for ranking in lists.values()]
    top = said("s5.3", "top runs", "claim")

    def leading(text: str, *texts: str) -> bool:
        values, first = iter(map(float, texts)), Counter[str]()
        for cells in groups:
            means = [next(values) for _ in cells]
            first[cells[means.index(min(means))].row.split("-")[0]] += 1
        return {team for team, _ in first.most_common(2)} == set(text.split(" and "))

    every = [cell for cells in groups for cell in cells]
    yield _claim(top, every, leading, "Tables 4 to 7 and 9 to 12", "they lead most lists")
    ahead = list(_beaten(tests, "Chinese", LSTM))
    parts = {table.ranking.part for _, table, _ in ahead}
    yield _claim(
        said("s6", "Chinese top runs vs BL-lstm", "claim"),
        (top, *(p for _, _, p in ahead)),
        lambda _, teams, *ps: (
            {run.split("-")[0] for run, _, _ in ahead} == set(teams.split(" and "))
            and parts == set(QUALITY)
            and _level(*ps)
        ),
        "Tables 14 to 19 list BL-lstm under runs of these teams for all three scores",
        "runs of the top teams beat BL-lstm",
    )
    rare = list(_beaten(tests, "English", LSTM))
    yield _claim(
        said("s6", "English runs vs BL-lstm", "claim"),
        [p for _, _, p in rare],
        lambda text, *ps: (
            {f"none except DQ {t.ranking.part[-1]}-score" for _, t, _ in rare} == {text}
            and _level(*ps)
        ),
        "Tables 22 to 29",
        "BL-lstm is listed under no run elsewhere",
    )
    tops = [ranking.cells[0] for ranking in lists.values()]
    half = len(tops) // 2
    yield _claim(
        said("s6", "Chinese vs English runs", "claim"),
        tops,
        lambda _, *texts: (
            2 * sum(a < b for a, b in zip(texts[:half], texts[half:], strict=True)) > half
        ),
        "the first runs of Tables 4 to 7 and 9 to 12",
        "most of the best Chinese means are smaller",
    )


# -- which table is what ---------------------------------------------------------------------


def tables(lists: Lists, tests: Tests) -> Iterator[Relation]:
    """Captions and references: the tables of a language hold that language's runs."""
    for language, section in zip(LANGUAGES, ("s5.1", "s5.2"), strict=True):
        spoken = [int(table.table) for table in tests.values() if _speaks(table, lists, language)]
        yield _claim(
            said(section, f"Tables of {language} significance tests", "tables"),
            (),
            lambda text, spoken=spoken: text == f"{spoken[0]} to {spoken[-1]}",
            f"their runs are in the {language} rankings and not in the others",
            "the tables with these runs",
        )
    taus = {
        language: [said(table, part, correlation(part)) for part in PARTS]
        for language, table in CORRELATIONS.items()
    }
    numbers = {
        language: [len(lists[part, language, MEASURES[part][0]].runs) for part in PARTS]
        for language in LANGUAGES
    }

    def fits(language: str, texts: Sequence[str]) -> bool:
        """Whether every tau is one that so many runs can have."""
        return all(
            discordant(tau, pairs_of(n)) is not None
            for tau, n in zip(texts, numbers[language], strict=True)
        )

    def english(named: str, *texts: str) -> bool:
        given = {table: texts[4 * i : 4 * i + 4] for i, table in enumerate(CORRELATIONS.values())}
        return named in given and fits("English", given[named])

    yield _claim(
        said("s5.2", "table of English rank correlations", "tables"),
        (*taus["Chinese"], *taus["English"]),
        english,
        "Section 5.2 is about English runs; tau of 9 runs is a multiple of 1/36",
        "correlations that English runs can have",
    )
    yield _claim(
        said("table13 caption", "language of the runs", "claim"),
        taus["English"],
        lambda language, *texts: language in numbers and fits(language, texts),
        "tau of 13 Chinese runs is a multiple of 1/78 and of 9 English runs one of 1/36",
        "correlations that these runs can have",
    )
    everywhere = said("s6", "evaluation metrics", "claim")
    for language, section in zip(LANGUAGES, ("s5.1", "s5.2"), strict=True):
        lows = [tau._replace(column=f"{tau.column} low") for tau in taus[language]]
        for cell in (said(section, f"metrics compared on {language} runs", "claim"), everywhere):
            yield _claim(
                cell,
                lows,
                lambda _, *texts: all(float(text) > 0 for text in texts),
                f"Table {CORRELATIONS[language]}: both measures rank alike",
                "no interval of tau reaches zero",
            )


def _speaks(table: Significance, lists: Lists, language: str) -> bool:
    """Whether the listed runs are in the rankings of this language only."""
    runs = {name for pair in table.pairs for name in (pair.better, pair.worse)}
    key = table.ranking.part, table.ranking.measure
    spoken = {other for other in LANGUAGES if runs <= set(lists[key[0], other, key[1]].runs)}
    return spoken == {language}
