"""Tables 1 to 12 of the DialEval-1 overview, and the counts and definitions of its text."""

import re
from collections.abc import Iterator
from datetime import date, timedelta
from itertools import groupby, pairwise
from typing import NamedTuple

import numpy as np

from ordbook.data.catalog import catalog
from ordbook.measures import kld
from ordbook.papers.checks.tools import DIALEVAL1, SIGIR18
from ordbook.papers.relations import (
    Cell,
    Printed,
    Relation,
    Rounded,
    condition,
    counted,
    ordered,
    over,
    recomputed,
    relate,
    rounded,
    total,
)

said = DIALEVAL1.at
LANGUAGES = ("Chinese", "English")
# Part -> its ranking table in either language, from the captions.
PARTS = {"DQ-A": ("4", "9"), "DQ-S": ("5", "10"), "DQ-E": ("6", "11"), "ND": ("7", "12")}
QUALITY = ("DQ-A", "DQ-S", "DQ-E")
MEASURES = {**dict.fromkeys(QUALITY, ("NMD", "RSNOD")), "ND": ("JSD", "RNSS")}
COLUMNS = [f"{language} {split}" for language in LANGUAGES for split in ("Training", "Dev", "Test")]
BASELINES = "BL-"
MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]


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

    def cell(self, run: str) -> Cell:
        """Where the mean of a run stands."""
        return said(self.table, run, self.measure)


Lists = dict[tuple[str, str, str], Ranking]


def rankings(printed: Printed) -> Lists:
    """Return (part, language, measure) -> list, sixteen, in the order of Tables 14 to 29."""
    found = {}
    for place, language in enumerate(LANGUAGES):
        for part, both in PARTS.items():
            for measure in MEASURES[part]:
                cells = tuple(DIALEVAL1.column(printed, both[place], measure))
                ranking = Ranking(both[place], part, language, measure, cells)
                found[part, language, measure] = ranking
    return found


def relations(printed: Printed) -> list[Relation]:
    """Return the checks of Tables 1 to 7 and 9 to 12."""
    lists = rankings(printed)
    found = [*_schedule(printed), *_participants(printed, lists), *_collection()]
    for ranking in lists.values():
        relies = f"Table {ranking.table} ranks by {ranking.measure}, smaller is better"
        found += ordered(ranking.cells[::-1], relies)
    return found


def period(text: str) -> tuple[date, date]:
    """Return the first and the last day of ``July 1 2020``, ``Dec 2020`` or ``Apr. 2018``."""
    month, *day, year = text.replace(".", "").split()
    first = date(int(year), MONTHS.index(month[:3]) + 1, 1)
    if day:
        whole = first.replace(day=int(day[0]))
        return whole, whole
    return first, (first + timedelta(days=31)).replace(day=1) - timedelta(days=1)


def _schedule(printed: Printed) -> Iterator[Relation]:
    """Table 1 stands in the order of time; Table 3's periods follow each other before it."""
    times = DIALEVAL1.cells(printed, "1")
    for cells in pairwise(times):
        yield condition(
            "order",
            cells,
            lambda early, late: period(early)[0] <= period(late)[1],
            "Table 1 is a schedule",
            "one comes before the other",
        )

    def follow(early: str, late: str) -> bool:
        end, start = period(early.split("~")[1]), period(late.split("~")[0])
        return start[0] <= end[1] + timedelta(days=1) and end[0] <= start[1]

    for language in LANGUAGES:
        dev, test = (said("3", "Data timestamps", f"{language} {x}") for x in ("Dev", "Test"))
        relies = "the test dialogues are newer than those of DCH-1 (Sections 4.1 and 4.2)"
        yield condition("order", (dev, test), follow, relies, "the periods meet")
        yield condition(
            "order",
            (test, times[0]),
            lambda span, day: period(span.split("~")[1])[0] <= period(day)[1],
            "the test data are older than their release",
            "collected before released",
        )


def _participants(printed: Printed, lists: Lists) -> Iterator[Relation]:
    """Table 2: totals, and the runs of every team in the rankings."""
    cells = DIALEVAL1.cells(printed, "2")
    for column in dict.fromkeys(cell.column for cell in cells):
        language, part = column.split()
        teams = [c for c in cells if c.column == column and c.row != "Total"]
        whole = said("2", "Total", column)
        yield total(whole, teams, "Table 2's last row")
        for ranking in lists.values():
            if ranking.language == language and ranking.part.startswith(part):
                found = [run for run in ranking.runs if not run.startswith(BASELINES)]
                relies = f"the runs listed in Table {ranking.table} by {ranking.measure}"
                yield counted(whole, len(found), relies)
                for cell in teams:
                    n = sum(run.startswith(f"{cell.row}-") for run in found)
                    yield counted(cell, n, relies)


def _collection() -> Iterator[Relation]:
    """Table 3: English copies Chinese; posts and turns are counts; turns merge posts."""
    dialogues, posts, post, turn = (
        {column: said("3", row, column) for column in COLUMNS}
        for row in ("#dialogues", "Avg. #posts/dialogue", "Avg. post length", "Avg. turn length")
    )
    for split in ("Dev", "Test"):  # only 2,251 of the 3,700 for training are translated
        both = [f"{language} {split}" for language in LANGUAGES]
        yield condition(
            "share",
            [lengths[column] for column in both for lengths in (post, turn)],
            lambda a, b, c, d: _ratio(a, b).meets(_ratio(c, d)),
            "posts per turn (Section 2.1) do not change by translation",
            "posts per turn agree",
        )
        for column in both:
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


# -- the text ----------------------------------------------------------------------------------

FORMULA = said("s3.2", "JSD formula", "equation 8")
# A gold distribution with a class that nobody chose, and the uniform one.
EMPTY, UNIFORM = (0.75, 0.25, 0.0, 0.0), (0.25,) * 4


def of_text(printed: Printed) -> list[Relation]:
    """Return the checks of counts and definitions."""
    return [*_counts(printed), *_sizes(), *_definitions(), *_example(), *_jensen_shannon()]


def _counts(printed: Printed) -> Iterator[Relation]:
    """Numbers of runs, teams, subtasks and so on are those of the tables."""
    runs = {run for ranking in rankings(printed).values() for run in ranking.runs}
    mine = {run for run in runs if not run.startswith("BL-")}
    teams = set(DIALEVAL1.rows(printed, "2")) - {"Total"}
    subtasks = {part[:2] for part in PARTS}
    both = "Dialogue Quality and Nugget Detection"
    for cell, expected, relies in (
        (said("abstract", "runs received"), len(mine), "different names in the rankings"),
        (said("abstract", "teams"), len(teams), "rows of Table 2"),
        (said("abstract", "teams"), len({r.split("-")[0] for r in mine}), "teams in the rankings"),
        (said("abstract", "subtasks"), len(subtasks), both),
        (said("s2", "subtasks"), len(subtasks), both),
        (said("s2.5", "baselines per language and subtask"), len(runs - mine), "the rankings"),
        (said("s3.1", "RSNOD and NMD", "measures"), len(MEASURES["DQ-A"]), "Tables 4 to 6"),
        (said("s3.2", "RNSS and JSD", "measures"), len(MEASURES["ND"]), "Table 7"),
    ):
        yield counted(cell, expected, relies)


def _sizes() -> Iterator[Relation]:
    """Hold the English collection to its sum, and its development dialogues to the catalogue."""
    training, development, testing = (
        said("s1", f"English {split} dialogues") for split in ("training", "development", "test")
    )
    yield total(said("s1", "English collection"), (training, development, testing), "Section 1")
    relies = "DCH-1's test data are those of STC-3 (Section 4.1), in our catalogue"
    for cell in (development, said("s4.1", "DCH-1 test dialogues")):
        yield recomputed(cell, float(catalog()["stc3-dq-a"].topics), relies, "catalogue")
    if known := catalog()["stc3-dq-a"].training:
        relies = "DCH-1's training data are those of STC-3, in our catalogue"
        cell = said("s4.1", "DCH-1 training dialogues")
        yield recomputed(cell, float(known.topics), relies, "catalogue")


def _kinds(names: str) -> set[str]:
    """Return the kinds of a list of nugget types, of either utterer (Section 2.3)."""
    endings = {"0": "trigger", "*": "goal", "N": "not a nugget", "G": "regular"}
    return {endings.get(name[-1], name) for name in names.split()}


def _definitions() -> Iterator[Relation]:
    """Nugget types, classes, the popularity baseline, and the level of the intervals."""
    types, listed = said("s2.3", "nugget types"), said("s2.3", "nugget types", "list")
    relies = "trigger, regular, goal and not-a-nugget (Section 2.3)"
    yield counted(types, lambda names: len(_kinds(names)), relies, [listed])
    nuggets = {name.upper() for name in catalog()["stc3-nd"].classes}
    yield condition(
        "catalogue",
        (listed,),
        lambda names: set(names.split()) == nuggets,
        "the classes of STC-3's Nugget Detection, in our catalogue",
        "the same classes",
    )
    options, again = said("s2.2", "DQ options", "classes"), said("s3", "DQ classes", "classes")
    points = [int(label) for label in catalog()["stc3-dq-a"].classes]
    for cell in (options, again):
        yield condition(
            "catalogue",
            (cell,),
            lambda text: sorted(map(int, text.replace(",", " ").split())) == points,
            "the classes of STC-3's Dialogue Quality, in our catalogue",
            "the same classes",
        )
    yield relate(
        "interval",
        said("s5.1", "Table 8 intervals", "level"),
        (said("footnote2", "kendall.ci alpha", "value"),),
        lambda alpha: 100 * (1 - alpha.middle),
        "the level of an interval is 1 - alpha",
    )


def _example() -> Iterator[Relation]:
    """Section 2.1: eight posts are three turns."""
    posts, turns = (said("s2.1", "example dialogue", name) for name in ("posts", "turns"))
    yield condition(
        "example",
        (posts, turns),
        lambda before, after: _speakers(after) == [who for who, _ in groupby(_speakers(before))],
        "turns merge consecutive posts of one utterer (Section 2.1)",
        "posts merged",
    )


def _speakers(text: str) -> list[str]:
    return [part.split("_")[1] for part in text.split()]


def equation(text: str, p: tuple[float, ...], gold: tuple[float, ...]) -> float:
    """Evaluate Eq. 8 as printed, (KLD(..||..) + KLD(..||..))/2, with Eq. 9's KLD.

    >>> equation("(KLD(p||p_M) + KLD(p*||p_M))/2", (1.0, 0.0), (0.0, 1.0))
    1.0
    """
    middle = tuple((a + b) / 2 for a, b in zip(p, gold, strict=True))
    value = {"p": p, "p*": gold, "p_M": middle}
    terms = re.findall(r"KLD\((.+?)\|\|(.+?)\)", text)
    divisor = float(text.rsplit("/", 1)[1])
    return sum(float(kld(value[second], value[first])) for first, second in terms) / divisor


def _jensen_shannon() -> Iterator[Relation]:
    """Eq. 8: called symmetric in Section 3.1.2, finite in Tables 7 and 12, defined in SIGIR'18."""
    yield condition(
        "example",
        (FORMULA,),
        lambda text: abs(equation(text, EMPTY, UNIFORM) - equation(text, UNIFORM, EMPTY)) < 1e-9,
        '"the symmetric JSD is obtained from KLD" (Section 3.1.2)',
        "the same with gold and estimate swapped",
    )
    for table in PARTS["ND"]:
        yield condition(
            "example",
            (FORMULA, said(table, "BL-uniform", "JSD")),
            lambda text, mean: equation(text, UNIFORM, EMPTY) < float("inf") and float(mean) <= 1,
            "Eqs. 8 and 9 for one turn with a class that no annotator chose",
            "finite, as the mean",
        )

    def example(text: str, printed: str, *probabilities: str) -> bool:
        values = tuple(map(float, probabilities))
        score = equation(text, values[:5], values[5:])
        return rounded(printed).meets(Rounded(score, score))

    yield condition(
        "example",
        (
            FORMULA,
            SIGIR18.at("s3.1", "example System X", "JSD"),
            *(SIGIR18.at("s3.1", "example System X", f"p({i})") for i in range(1, 6)),
            *(SIGIR18.at("s3.1", "example gold", f"p*({i})") for i in range(1, 6)),
        ),
        example,
        "the worked example of SIGIR'18, which the paper cites for its measures",
        "JSD of System X",
    )
