"""What the DialEval-1 overview says in prose about its tables."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from ordbook.papers.checks.dialeval1.correlations import CORRELATIONS, correlation
from ordbook.papers.checks.dialeval1.significance import (
    TRIALS,
    Significance,
    Tests,
    gap,
    probability,
    scale,
    significances,
    significant,
    tail,
    widest_unlisted,
)
from ordbook.papers.checks.dialeval1.tables import (
    LANGUAGES,
    MEASURES,
    PARTS,
    QUALITY,
    Lists,
    rankings,
    said,
)
from ordbook.papers.checks.tools import DIALEVAL1, discordant, pairs_of
from ordbook.papers.relations import Cell, CheckResult, Printed, Relation, condition, rounded

SUBTASKS = [(language, what) for language in LANGUAGES for what in ("DQ", "ND")]
LSTM, UNTRAINED = "BL-lstm", ("BL-uniform", "BL-popularity")
THRESHOLD = said("s5.1", "IMTKU-run2 outperforms the baselines in NMD (Chinese DQ)", "p")


def relations(printed: Printed) -> list[Relation]:
    """Return the checks of the claims."""
    lists, tests = rankings(printed), significances(printed)
    return [
        *_chinese(tests),
        *_english(lists, tests),
        *_conclusions(printed, lists, tests),
        *_tables(lists, tests),
    ]


def _claim(
    sentence: Cell | tuple[str, str],
    cells: Sequence[Cell],
    holds: Callable[..., bool],
    relies: str,
    shown: str,
) -> Relation:
    """Hold a claim to the tables; ``holds`` gets the claim's text first."""
    cell = DIALEVAL1.claim(*sentence) if len(sentence) == 2 else sentence
    return condition("claim", (cell, *dict.fromkeys(cells)), holds, relies, shown)


def _beaten(tests: Tests, language: str, run: str) -> Iterator[tuple[str, Significance, Cell]]:
    """Yield the run that beats another significantly, the table, and where p stands."""
    for (_, spoken, _), table in tests.items():
        for pair in table.legible if spoken == language else ():
            if pair.worse == run:
                yield pair.better, table, pair.p


# -- Section 5.1 -------------------------------------------------------------------------------


def _chinese(tests: Tests) -> Iterator[Relation]:
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
        ("s5.1", "other runs outperform BL-lstm"),
        list(others.values()),
        lambda _, *ps: len(ps) > 1 and significant(*ps),
        "Tables 14 to 19 list BL-lstm under other runs",
        f"{', '.join(others)} beat BL-lstm",
    )
    table = tests["DQ-A", "Chinese", "NMD"]
    run = "TUA1-run2"
    mean = table.ranking.cell
    cells = [mean(run), mean(LSTM), *(cell for pair in table.pairs for cell in table.means(pair))]
    cells = list(dict.fromkeys(cells))

    def listed(_: str, *texts: str) -> bool:
        means = {cell.row: text for cell, text in zip(cells, texts, strict=True)}
        smallest = min(gap(means[pair.better], means[pair.worse]).low for pair in table.pairs)
        return gap(means[run], means[LSTM]).high >= smallest

    yield _claim(
        ("s5.1", "TUA1-run2 vs BL-lstm in NMD for A-score"),
        cells,
        listed,
        "Table 14 lists every pair whose means differ enough",
        "the means of TUA1-run2 and BL-lstm differ as much as those of a listed pair",
    )


def _complete(table: Significance) -> Relation:
    """Pairs with p below the printed bound are listed, so the next one must have a larger p."""
    means = {cell.row: cell for cell in table.ranking.cells}

    def test(printed: Printed) -> CheckResult:
        sizes, shares = ([printed[c] for c in cells] for cells in (table.effects, table.shares))
        found = scale(sizes, shares, printed[TRIALS], len(means))
        texts = {run: printed[cell] for run, cell in means.items()}
        pair, size = widest_unlisted(table, printed[table.ruler.effect], texts)
        largest = tail(found.low * size.low, len(means))
        text = f"{pair[0]} and {pair[1]} are not listed, with p of {largest:.3f} at most"
        return CheckResult(
            largest >= rounded(printed[THRESHOLD]).high,
            f"{text}: the bound is printed as {printed[THRESHOLD]}",
        )

    cells = (THRESHOLD, TRIALS, *table.effects, *table.shares, *means.values())
    relies = f"Table {table.table} lists every pair below the bound; p by the studentised range"
    return Relation("claim", cells, test, relies)


# -- Section 5.2 -------------------------------------------------------------------------------


def _english(lists: Lists, tests: Tests) -> Iterator[Relation]:
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
        ("s5.2", "English runs underperform BL-lstm"),
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
        ("s5.2", "English differences to BL-lstm"),
        (*means, *beaten),
        lambda _, *texts: 2 * sum(significant(p) for p in texts[len(means) :]) < worse(texts)[0],
        "Tables 9 to 12, and 22 to 29",
        f"{len(beaten)} of the runs below BL-lstm are so significantly",
    )
    run = "IMTKU-run0"
    found = [(table, p) for name, table, p in _beaten(tests, "English", LSTM) if name == run]
    names = [f"DQ {t.ranking.part[-1]}-score {t.ranking.measure} only" for t, _ in found]
    yield _claim(
        ("s5.2", "IMTKU-run0 vs BL-lstm significant"),
        [p for _, p in found],
        lambda text, *ps: [text] == names and significant(*ps),
        "Tables 22 to 29",
        "BL-lstm is listed under IMTKU-run0 once",
    )


# -- Sections 5.3 and 6 ------------------------------------------------------------------------


def _conclusions(printed: Printed, lists: Lists, tests: Tests) -> Iterator[Relation]:
    """Sections 5.3 and 6: the top runs, and what was observed."""
    groups = [ranking.cells for ranking in lists.values()]

    def leading(text: str, *texts: str) -> bool:
        values, first = iter(map(float, texts)), Counter[str]()
        for cells in groups:
            means = [next(values) for _ in cells]
            first[cells[means.index(min(means))].row.split("-")[0]] += 1
        return {team for team, _ in first.most_common(2)} == set(text.split(" and "))

    every = [cell for cells in groups for cell in cells]
    relies = "Tables 4 to 7 and 9 to 12"
    yield _claim(("s5.3", "top runs"), every, leading, relies, "they lead most lists")
    teams = list(dict.fromkeys(cell.row for cell in printed if cell[:2] == ("dialeval1", "2")))
    counts = [said("2", team, f"{lang} {what}") for team in teams for lang, what in SUBTASKS]
    yield _claim(
        ("s5.3", "top runs"),
        counts,
        lambda text, *runs: all(
            any(int(n) for n in runs[4 * i + j : 4 * i + j + 2])
            for i in (teams.index(team) for team in text.split(" and "))
            for j in (0, 2)
        ),
        "Table 2: a top run of both languages was sent in both",
        "runs",
    )
    ahead = list(_beaten(tests, "Chinese", LSTM))
    parts = {table.ranking.part for _, table, _ in ahead}
    yield _claim(
        ("s6", "Chinese top runs vs BL-lstm"),
        (DIALEVAL1.claim("s5.3", "top runs"), *(p for _, _, p in ahead)),
        lambda _, teams, *ps: (
            {run.split("-")[0] for run, _, _ in ahead} == set(teams.split(" and "))
            and parts == set(QUALITY)
            and significant(*ps)
        ),
        "Tables 14 to 19 list BL-lstm under runs of these teams for all three scores",
        "runs of the top teams beat BL-lstm",
    )
    rare = list(_beaten(tests, "English", LSTM))
    yield _claim(
        ("s6", "English runs vs BL-lstm"),
        [p for _, _, p in rare],
        lambda text, *ps: (
            {f"none except DQ {t.ranking.part[-1]}-score" for _, t, _ in rare} == {text}
            and significant(*ps)
        ),
        "Tables 22 to 29",
        "BL-lstm is listed under no run elsewhere",
    )


# -- which table is what -----------------------------------------------------------------------


def _tables(lists: Lists, tests: Tests) -> Iterator[Relation]:
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
    taus = {language: [correlation(language, part) for part in PARTS] for language in LANGUAGES}

    def fits(language: str, texts: Sequence[str]) -> bool:
        """Whether every tau is one that so many runs can have."""
        runs = [len(lists[part, language, MEASURES[part][0]].runs) for part in PARTS]
        return all(
            discordant(tau, pairs_of(n)) is not None for tau, n in zip(texts, runs, strict=True)
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
        ("table13 caption", "language of the runs"),
        taus["English"],
        lambda language, *texts: language in LANGUAGES and fits(language, texts),
        "tau of 13 Chinese runs is a multiple of 1/78 and of 9 English runs one of 1/36",
        "correlations that these runs can have",
    )


def _speaks(table: Significance, lists: Lists, language: str) -> bool:
    """Whether the listed runs are in the rankings of this language only."""
    runs = {name for pair in table.pairs for name in (pair.better, pair.worse)}
    part, measure = table.ranking.part, table.ranking.measure
    return {other for other in LANGUAGES if runs <= set(lists[part, other, measure].runs)} == {
        language
    }
