"""The checks of the NTCIR-15 DialEval-1 overview: 29 tables and the text."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from itertools import chain, combinations, product
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.stats import beta

from ordbook.data.printed import printed_values
from ordbook.data.scores import ScoreMatrix
from ordbook.meta.rankings import standings as ranked_by
from ordbook.meta.seeds import LEVEL
from ordbook.papers.comparison import Ours
from ordbook.papers.formulas import counts, named
from ordbook.papers.kinds.correlations import pairs_of
from ordbook.papers.ledger import LOST, printed_cells
from ordbook.papers.relations import (
    NOISE,
    SIZE,
    Cell,
    CheckResult,
    Printed,
    Relation,
    Rounded,
    all_beside,
    condition,
    counted,
    generalises,
    judge,
    minus,
    relate,
    rounded,
    show,
    table_title,
    total,
    value_of,
)
from ordbook.papers.tables import DIALEVAL1

if TYPE_CHECKING:
    pass

at = DIALEVAL1.at
STC3 = "stc3-dq-a"
# Column of DialEval-1's Table 3 -> files of STC-3 with these dialogues.
FILES = {
    "Chinese Training": "training",
    "Chinese Dev": "test",
    "English Dev": "translated test",
}
LANGUAGES = ("Chinese", "English")
# Part -> its ranking table in either language, from the captions.
PARTS = {"DQ-A": ("4", "9"), "DQ-S": ("5", "10"), "DQ-E": ("6", "11"), "ND": ("7", "12")}
QUALITY = ("DQ-A", "DQ-S", "DQ-E")
MEASURES = {**dict.fromkeys(QUALITY, ("NMD", "RSNOD")), "ND": ("JSD", "RNSS")}
# Language -> the table of its correlations.
CORRELATIONS = {"Chinese": "8", "English": "13"}
ORGANISERS, LSTM = "BL-", "BL-lstm"
TRIALS = at("s5.1", "randomised Tukey HSD B", "trials")
# What is listed as significant. Section 5.1 prints it as 0.5, see data/published/errata.toml.
SIGNIFICANT = 0.05


def means_of_overview(printed: Printed, score: str, measure: str) -> list[Cell]:
    """Return the means of all runs of DialEval-1 by one measure; the order of runs is fixed."""
    tables = PARTS[f"DQ-{score}"]
    return sorted(cell for t in tables for cell in DIALEVAL1.column(printed, t, measure))


def relations(printed: Printed) -> list[Relation]:
    """Return the checks of the overview's numbers."""
    lists, tests = rankings(printed), significances(printed)
    checks = [
        *_participants(printed, lists),
        *_counted_in_files(printed),
    ]
    checks += _correlations(lists)
    for table in tests.values():
        checks += [_variance(table), *_shares(table), _listed(table)]
    return [*checks, *generalising(lists, tests)]


# -- Tables 1 to 7 and 9 to 12: schedule, runs, data, means ------------------------------------


class Ranking(NamedTuple):
    """The runs of one list of Tables 4 to 7 and 9 to 12, in the order of the unrounded means."""

    table: str
    part: str
    language: str
    measure: str
    cells: tuple[Cell, ...]

    @property
    def runs(self) -> tuple[str, ...]:
        """Names of the runs, the best first."""
        return tuple(cell.row for cell in self.cells)


Key = tuple[str, str, str]
Lists = dict[Key, Ranking]


def rankings(printed: Printed) -> Lists:
    """Return (part, language, measure) -> list, sixteen, in the order of Tables 14 to 29."""
    lists = {}
    for place, language in enumerate(LANGUAGES):
        for part, both in PARTS.items():
            for measure in MEASURES[part]:
                cells = tuple(DIALEVAL1.column(printed, both[place], measure))
                ranking = Ranking(both[place], part, language, measure, cells)
                lists[part, language, measure] = ranking
    return lists


def _participants(printed: Printed, lists: Lists) -> Iterator[Relation]:
    """Table 2: totals, and the runs of every team in the rankings."""
    cells = DIALEVAL1.cells(printed, "2")
    for column in dict.fromkeys(cell.column for cell in cells):
        language, part = column.split()
        teams = [c for c in cells if c.column == column and c.row != "Total"]
        whole = at("2", "Total", column)
        yield total(whole, teams, "Table 2's last row")
        for ranking in lists.values():
            if ranking.language == language and ranking.part.startswith(part):
                runs = [run for run in ranking.runs if not run.startswith(ORGANISERS)]
                relies = f"the runs listed in Table {ranking.table} by {ranking.measure}"
                yield counted(whole, len(runs), relies)
                for cell in teams:
                    yield counted(cell, sum(run.startswith(f"{cell.row}-") for run in runs), relies)


# -- Tables 8 and 13: tau of two rankings, and its limits --------------------------------------


def correlation(language: str, part: str, end: str = "") -> Cell:
    """Return a part's tau, or its limit."""
    return at(CORRELATIONS[language], part, " vs ".join(MEASURES[part]) + end)


def agreement(first: Sequence[Cell], second: Sequence[Cell], printed: Printed) -> int:
    """Concordant minus discordant pairs; equal means are ranked by their printed order."""
    runs, others = (
        [cell.row for cell in sorted(cells, key=lambda cell: rounded(printed[cell]).middle)]
        for cells in (first, second)
    )
    signs = [a < b for a, b in combinations(map(others.index, runs), 2)]
    return 2 * sum(signs) - len(signs)


def _correlations(lists: Lists) -> Iterator[Relation]:
    """Yield the checks of tau = (C - D)/T of two rankings, and of its limits.

    The limits are those of a bootstrap (footnote 2), which the chapter repeats: they hold tau.
    """
    for language, part in product(CORRELATIONS, PARTS):
        first, second = (lists[part, language, measure] for measure in MEASURES[part])
        tau = correlation(language, part)
        yield _tau(tau, first.cells, second.cells)


def _tau(tau: Cell, first: Sequence[Cell], second: Sequence[Cell]) -> Relation:
    """Recompute tau from two printed lists."""

    def formula(*values: Rounded) -> float:
        cells = (*first, *second)
        printed = {cell: str(value.middle) for cell, value in zip(cells, values, strict=True)}
        return agreement(first, second, printed) / pairs_of(len(first))

    relies = f"the rankings of Table {first[0].table}, equal means in their printed order"
    return relate("rankings", tau, (*first, *second), formula, relies, "(C - D)/T")


# -- Tables 14 to 29: effect sizes and p of significant differences ----------------------------


class Pair(NamedTuple):
    """Two runs of which one is significantly better."""

    better: str
    worse: str
    p: Cell
    effect: Cell


@dataclass(frozen=True)
class Significance:
    """One of Tables 14 to 29.

    Attributes
    ----------
    table
        Its number.
    ranking
        The means that it compares, after its caption.
    pairs
        The listed pairs in printed order, rows and lists from the best run to the worst.
    legible
        Those whose numbers the text extraction has kept.
    """

    table: str
    ranking: Ranking
    pairs: tuple[Pair, ...]
    legible: tuple[Pair, ...]

    @property
    def effects(self) -> list[Cell]:
        """The legible effect sizes."""
        return [pair.effect for pair in self.legible]

    @property
    def shares(self) -> list[Cell]:
        """The legible p-values."""
        return [pair.p for pair in self.legible]

    def unlisted(self) -> Iterator[tuple[str, str]]:
        """Yield every pair that the table does not list, the better run first."""
        listed = {(pair.better, pair.worse) for pair in self.pairs}
        return (pair for pair in combinations(self.ranking.runs, 2) if pair not in listed)


Tests = dict[Key, Significance]


def significances(printed: Printed) -> Tests:
    """Return Tables 14 to 29, by the part, language and measure of their captions."""
    tables = {}
    for number, (key, ranking) in enumerate(rankings(printed).items(), start=14):
        pairs = []
        for cell in DIALEVAL1.cells(printed, str(number)):
            worse, _, column = cell.column.rpartition(" ")
            if column == "p":
                pairs.append(Pair(cell.row, worse, cell, cell._replace(column=f"{worse} ES")))
        legible = tuple(pair for pair in pairs if printed[pair.effect] != LOST)
        tables[key] = Significance(str(number), ranking, tuple(pairs), legible)
    return tables


def _variance(table: Significance) -> Relation:
    """One V_E1 must give all effect sizes ES = (M_worse - M_better) / sqrt(V_E1) from the means."""
    sizes, place = table.effects, {run: i for i, run in enumerate(table.ranking.runs)}

    def test(printed: Printed) -> CheckResult:
        means = [printed[cell] for cell in table.ranking.cells]
        low, high = 0.0, np.inf
        for pair, cell in zip(table.legible, sizes, strict=True):
            difference = gap(means[place[pair.better]], means[place[pair.worse]])
            effect = rounded(printed[cell])
            if effect.low <= 0:
                return CheckResult(False, f"no significant difference has an effect of {effect}")
            low = max(low, difference.low / effect.high)
            high = min(high, difference.high / effect.low)
        text = f"sqrt(V_E1) is {low:.5f} at least and {high:.5f} at most"
        return CheckResult(low <= high + NOISE, text)

    relies = f"one V_E1 and the means of Table {table.ranking.table} (Section 5.1)"
    return Relation("effect size", (*sizes, *table.ranking.cells), test, relies)


def probability(text: str) -> float:
    """Return p as a share of trials, ``<0.0001`` as none of them.

    Raises
    ------
    ValueError
        If it is printed as 0.0000, which these tables never do.

    Examples
    --------
    >>> probability("0.0344"), probability("<0.0001")
    (0.0344, 0.0)
    """
    if text.startswith("<"):
        return 0.0
    if not 0 < float(text) <= 1:
        raise ValueError(f"p cannot be printed as {text}")
    return float(text)


def _shares(table: Significance) -> Iterator[Relation]:
    """P counts trials out of B = 10,000, is below five percent, and does not rise with the effect.

    It is the share of trials whose largest difference is at least as large.
    """

    def falls(*texts: str) -> bool:
        sizes, shares = texts[: len(texts) // 2], texts[len(texts) // 2 :]
        pairs = [(rounded(s), probability(p)) for s, p in zip(sizes, shares, strict=True)]
        return not any(
            larger.low >= size.high - NOISE and other > p
            for (size, p), (larger, other) in combinations(sorted(pairs), 2)
        )

    def significant(p: str) -> bool:
        return probability(p) < SIGNIFICANT

    def countable(p: str, trials: str) -> bool:
        count = float(p.lstrip("<")) * rounded(trials).low
        return abs(count - (1 if p.startswith("<") else round(count))) < 1e-6

    cells = table.effects + table.shares
    relies = "p is the share of trials whose largest difference is at least as large"
    yield condition("p-value", cells, falls, relies, "no larger effect has a larger p")
    relies = f"Table {table.table} lists what is significant, at the five percent level"
    counted_in = "a whole number of trials, or less than one"
    for cell in table.shares:
        yield condition("list", (cell,), significant, relies, "significant")
        yield condition("step", (cell, TRIALS), countable, "p counts trials of B", counted_in)


def gap(better: str, worse: str) -> Rounded:
    """By how much the mean of the worse run is larger: smaller is better in all four measures."""
    return minus(rounded(worse), rounded(better))


def _listed(table: Significance) -> Relation:
    """List a pair if its difference exceeds the threshold that one test has for all pairs."""
    place = {run: i for i, run in enumerate(table.ranking.runs)}
    listed = [(place[pair.better], place[pair.worse]) for pair in table.pairs]
    others = [(place[better], place[worse]) for better, worse in table.unlisted()]

    def holds(*texts: str) -> bool:
        smallest = min(gap(texts[a], texts[b]).high for a, b in listed)
        largest = max(gap(texts[a], texts[b]).low for a, b in others)
        return smallest > 0 and largest <= smallest + NOISE

    relies = f"randomised Tukey HSD has one null distribution for all pairs of Table {table.table}"
    title = "every listed difference is larger than every unlisted one"
    return condition("list", table.ranking.cells, holds, relies, title)


def generalising(lists: Lists, tests: Tests) -> Iterator[Relation]:
    """Sentences of Sections 5.2, 5.3 and 6 that generalise: in how many comparisons they hold."""
    listed = {(key, pair.better, pair.worse) for key in tests for pair in tests[key].pairs}
    english = [key for key in lists if key[1] == "English"]
    chinese = [(part, "Chinese", measure) for part, _, measure in english]
    teams = {
        key: [run for run in lists[key].runs if not run.startswith(ORGANISERS)] for key in lists
    }

    def mean(key: Key, run: str) -> Cell:
        return lists[key].cells[lists[key].runs.index(run)]

    def sentence(
        place: tuple[str, str], pairs: Sequence[tuple[Cell, Cell]], relies: str
    ) -> Relation:
        """Hold a sentence to pairs of means, the first of which it says to be smaller."""

        def smaller(means: Mapping[Cell, Decimal]) -> list[bool]:
            return [means[first] < means[other] for first, other in pairs]

        return generalises(DIALEVAL1.claim(*place), chain(*pairs), smaller, relies)

    relies = "Tables 9 to 12: the mean of BL-lstm is smaller than that of a participant's run"
    against = [(key, run) for key in english for run in teams[key]]
    pairs = [(mean(key, LSTM), mean(key, run)) for key, run in against]
    yield sentence(("s5.2", "English runs underperform BL-lstm"), pairs, relies)

    led = dict(zip(against, pairs, strict=True))

    def not_significant(means: Mapping[Cell, Decimal]) -> list[bool]:
        return [
            (key, LSTM, run) not in listed
            for (key, run), (lstm, other) in led.items()
            if means[lstm] < means[other]
        ]

    relies = "Tables 22 to 29 do not list a run that BL-lstm leads"
    place = DIALEVAL1.claim("s5.2", "English differences to BL-lstm")
    yield generalises(place, chain(*pairs), not_significant, relies)

    pairs = [(mean(key, "IMTKU-run0"), mean(key, LSTM)) for key in english]
    relies = "Tables 9 to 12: the mean of IMTKU-run0 is smaller than that of BL-lstm"
    yield sentence(("s5.2", "IMTKU-run0 vs BL-lstm"), pairs, relies)

    pairs = [(lists[c].cells[0], lists[e].cells[0]) for c, e in zip(chinese, english, strict=True)]
    relies = "Tables 4 to 7 and 9 to 12: the smallest Chinese mean is smaller than the English one"
    for row in (("s5.2", "top English vs top Chinese run"), ("s6", "Chinese vs English runs")):
        yield sentence(row, pairs, relies)

    def best(key: Key, top: bool) -> Cell:
        runs = (run for run in teams[key] if run.startswith(("IMTKU", "TUA1")) == top)
        return mean(key, next(runs))

    relies = "Tables 4 to 7 and 9 to 12: IMTKU or TUA1, which sent no English run, leads all others"
    pairs = [(best(key, True), best(key, False)) for key in lists]
    yield sentence(("s5.3", "top runs"), pairs, relies)

    relies = "Tables 14 to 21 list BL-lstm under the first run of Tables 4 to 7"
    leads = [(key, lists[key].runs[0], LSTM) in listed for key in chinese]
    place = DIALEVAL1.claim("s6", "Chinese top runs vs BL-lstm")
    yield generalises(place, [], lambda _: leads, relies)


def _counted_in_files(printed: Printed) -> Iterator[Relation]:
    """Averages of Table 3, from the public files of STC-3."""
    for column, files in FILES.items():
        cells = DIALEVAL1.column(printed, "3", column)
        yield from all_beside(cells, dialogues(), f"counted in the {files} files of STC-3", SIZE)
    yield translated_averages()


def dialogues() -> dict[tuple[str, str], float]:
    """Return DialEval-1's Table 3 from STC-3's dialogues: (row, column) -> value.

    Its English training column counts more dialogues than STC-3 translated.
    """
    values: dict[tuple[str, str], float] = {}
    for column, part in FILES.items():
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


# -- what the overview prints, and figures ----------------------------------------------------

# Resamples drawn to know the bootstrap's distribution, and how unlikely a limit must be.
RESAMPLES = 40_000
TAIL = (1 - LEVEL) / 2


# What the overview prints


@cache
def _printed() -> Printed:
    cells = printed_cells()
    return {cell: text for cell, (text, _) in cells.items() if cell.paper == DIALEVAL1.name}


def ranking_means(table: str) -> pd.DataFrame:
    """Return the means of a ranking table, run x measure."""
    cells = printed_values(DIALEVAL1.name, table).astype({"printed": float})
    wide = cells.pivot_table(index="row", columns="column", values="printed", sort=False)
    return wide.rename_axis(index="run", columns="measure")


def _two(part: str, language: str) -> tuple[Ranking, Ranking]:
    lists = rankings(_printed())
    first, second = (lists[part, language, measure] for measure in MEASURES[part])
    return first, second


def taus(language: str) -> dict[tuple[str, str], float]:
    """Return tau of every part, by the row and column of Table 8 or 13.

    Runs with equal means are ranked in their printed order, which is that of the unrounded means.
    """
    cells = {}
    for part in PARTS:
        first, second = _two(part, language)
        steps = pairs_of(len(first.runs))
        tau = agreement(first.cells, second.cells, _printed()) / steps
        cells[part, correlation(language, part).column] = tau
    return cells


@cache
def bootstrapped(order: tuple[int, ...]) -> NDArray[np.float64]:
    """Return the sorted tau-b of many resamples of two rankings, the second in terms of the first.

    A run that is drawn twice ties with itself in both rankings, so that tau-b is (C - D)/(C + D).
    """
    n = len(order)
    rng = np.random.default_rng(n)  # rankings of as many runs have the same resamples
    times = rng.multinomial(n, [1 / n] * n, size=RESAMPLES).astype(np.float64)
    signs = np.sign(np.subtract.outer(order, order) * np.subtract.outer(range(n), range(n)))
    untied = n * n - (times**2).sum(1)
    known = untied > 0
    return np.sort(((times @ signs) * times).sum(1)[known] / untied[known])


def limits(resamples: int) -> pd.DataFrame:
    """Hold the printed limits of tau to the bootstrap of the printed rankings.

    A limit of B resamples is the k-th smallest tau or the k-th largest, k = (B + 1)/40. It lies
    between ``from`` and ``to`` with a probability of 99.9%.

    Returns
    -------
    DataFrame
        By table, part and end: printed, from, to, and whether it ``fits`` to three decimals.
    """
    k = int((resamples + 1) * 0.05 / 2)
    rows = {}
    for language, table in CORRELATIONS.items():
        cells = printed_values(DIALEVAL1.name, table).set_index(["row", "column"])["printed"]
        for part in PARTS:
            first, second = _two(part, language)
            values = bootstrapped(tuple(second.runs.index(run) for run in first.runs))
            for end, place in (("low", k), ("high", resamples + 1 - k)):
                text = cells[part, correlation(language, part, f" {end}").column]
                shares = beta.ppf([TAIL, 1 - TAIL], place, resamples + 1 - place)
                low, high = np.quantile(values, shares, method="inverted_cdf").round(3)
                fits = low <= float(text) <= high
                rows[table, part, end] = {"printed": text, "from": low, "to": high, "fits": fits}
    return pd.DataFrame.from_dict(rows, "index").rename_axis(["table", "part", "limit"])


def pairs() -> pd.DataFrame:
    """Return every pair of Tables 14 to 29 that the text extraction has kept.

    Columns: table, part, language, measure, better, worse, difference (of the printed means), p
    (0 where printed as <0.0001) and ES.
    """
    rows = []
    for key, table in significances(_printed()).items():
        means = ranking_means(table.ranking.table)[key[2]]
        for pair in table.legible:
            p, size = probability(_printed()[pair.p]), float(_printed()[pair.effect])
            gap = means[pair.worse] - means[pair.better]
            rows.append((int(table.table), *key, pair.better, pair.worse, gap, p, size))
    heads = ["table", "part", "language", "measure", "better", "worse", "difference", "p", "ES"]
    return pd.DataFrame(rows, columns=heads)


def families() -> pd.DataFrame:
    """Return one row for each of Tables 14 to 29.

    Columns: part, language, measure, runs, pairs, listed (significant), ``largest unlisted`` and
    ``smallest listed`` (differences of printed means), and V_E1, the variance by which the effect
    sizes come from the differences of the means.
    """
    rows = {}
    legible = pairs().groupby("table")[["difference", "ES"]]
    deviation = legible.apply(lambda of: (of["difference"] ** 2).sum() / of.prod(axis=1).sum())
    for key, table in significances(_printed()).items():
        means = ranking_means(table.ranking.table)[key[2]]
        n, number = len(means), int(table.table)
        rows[number] = (
            *(*key, n, pairs_of(n), len(table.pairs)),
            max(means[worse] - means[better] for better, worse in table.unlisted()),
            min(means[pair.worse] - means[pair.better] for pair in table.pairs),
            deviation[number] ** 2,
        )
    heads = ["part", "language", "measure", "runs", "pairs", "listed"]
    heads += ["largest unlisted", "smallest listed", "V_E1"]
    return pd.DataFrame.from_dict(rows, orient="index", columns=heads).rename_axis("table")


def sentences() -> pd.DataFrame:
    """Return the sentences that generalise, and in how many comparisons of means they hold."""
    checks = generalising(rankings(_printed()), significances(_printed()))
    rows = [
        (
            table_title(check.cells[0].table),
            f"{check.cells[0].row}: {_printed()[check.cells[0]]}",
            check.test(_printed()).text,
            check.relies,
        )
        for check in checks
    ]
    heads = ["section", "sentence", "it", "comparisons"]
    return pd.DataFrame(rows, columns=heads).set_index("section")


def conclusions() -> pd.DataFrame:
    """Return the overview's four conclusions (Section 6), with the evidence of its tables."""
    every_section = sentences()
    told = every_section[every_section.index == "Section 6"].set_index("sentence")["it"]
    chinese, level = (
        told[told.index.str.startswith(start)].iloc[0]
        for start in ("Chinese top runs", "Chinese vs English")
    )
    leading = {
        key: [pair.better for pair in table.pairs if pair.worse == LSTM]
        for key, table in significances(_printed()).items()
    }
    english = {
        part
        for (part, language, _), runs in leading.items()
        if language == "English" and any(not run.startswith(ORGANISERS) for run in runs)
    }
    where = ", ".join(sorted(english))
    ahead = [
        any(run.startswith(("IMTKU", "TUA1")) for run in runs)
        for (_, language, _), runs in leading.items()
        if language == "Chinese"
    ]
    every = [tau for language in CORRELATIONS for tau in taus(language).values()]
    rows = {
        "In Chinese subtasks, the top runs that utilise BERT statistically significantly "
        "outperform the Baseline LSTM models, which did not happen at the previous STC-3 task": (
            f"{chinese} of the first run in a list; "
            f"any run of IMTKU or TUA1 leads so in {sum(ahead)} of {len(ahead)} lists"
        ),
        "none of participant runs outperform the LSTM baseline significantly in all English "
        "subtasks except DQ S-score": f"Tables 22 to 29 list such a lead in {where} only",
        "The results of the runs trained by the Chinese data are still slightly better than the "
        "runs trained by the English data": f"{level} of the best runs",
        "There is no substantial difference between the evaluation metrics when we rank the "
        "participant runs": f"Kendall's tau of two lists is {min(every):.3f} to {max(every):.3f}",
    }
    frame = pd.DataFrame({"in its tables": rows})
    return frame.rename_axis("conclusion")


def recomputed() -> dict[str, Ours]:
    """Recompute the paper's tables as far as possible: table -> values of ours."""
    return {
        "3": dialogues(),
        **{table: taus(language) for language, table in CORRELATIONS.items()},
    }


def standings(scores: ScoreMatrix, measures: Sequence[str] | None = None) -> pd.DataFrame:
    """Rank the runs by every measure: columns ``run`` and the mean score, a pair per measure.

    Where two runs tie, they stand in the order of the score matrix.
    """
    lists = []
    for measure in measures or scores.measures:
        ranked = ranked_by(scores, measure)
        lists += [ranked["run"], ranked["mean"].rename(f"mean {measure}")]
    frame = pd.concat(lists, axis=1)
    frame.index = pd.RangeIndex(1, len(frame) + 1, name="rank")
    return frame


# -- named functions of formulas.csv -------------------------------------------------------------


@named
def whole_over(pairs: int, texts: Sequence[str]) -> bool:
    """Whether numbers of three decimals are whole numbers over so many pairs."""
    return all(abs(pairs * float(x) - round(pairs * float(x))) <= pairs / 2000 for x in texts)
