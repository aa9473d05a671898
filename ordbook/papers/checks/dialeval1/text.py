"""Counts, definitions and the formula in the text of the DialEval-1 overview."""

import re
from collections.abc import Iterator
from itertools import groupby

from ordbook.data.catalog import catalog
from ordbook.measures import kld
from ordbook.papers.checks.dialeval1.tables import MEASURES, PARTS, rankings, said
from ordbook.papers.checks.tools import DIALEVAL1, SIGIR18
from ordbook.papers.relations import (
    Printed,
    Relation,
    Rounded,
    condition,
    counted,
    recomputed,
    relate,
    rounded,
    total,
)

FORMULA = said("s3.2", "JSD formula", "equation 8")
# A gold distribution with a class that nobody chose, and the uniform one.
EMPTY, UNIFORM = (0.75, 0.25, 0.0, 0.0), (0.25,) * 4


def relations(printed: Printed) -> list[Relation]:
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
    for cell in (
        development,
        said("s4.1", "DCH-1 test dialogues"),
        said("3", "#dialogues", "Chinese Dev"),
        said("3", "#dialogues", "English Dev"),
    ):
        yield recomputed(cell, float(catalog()["stc3-dq-a"].topics), relies, "catalogue")
    for cell in (
        said("s4.1", "DCH-1 training dialogues"),
        said("3", "#dialogues", "Chinese Training"),
    ):
        if known := catalog()["stc3-dq-a"].training:
            relies = "DCH-1's training data are those of STC-3, in our catalogue"
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
