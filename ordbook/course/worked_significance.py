r"""Questions about a table of p-values, worked step by step.

Contents
--------
power, contradiction   a question each
p_shown                the means and p-values they are about
"""

from fractions import Fraction
from itertools import combinations

import ordbook as ob
from ordbook.course.drawn import ALPHA, MEASURES, TESTED, Drawn, tests_of
from ordbook.course.worked import Question, result, table, verified

P_VALUES = "p-values"


def p_shown(drawn: Drawn) -> str:
    """Return mean scores and p-values as two tables."""
    means = [
        [f"mean {measure}", *(f"{value / 100:.2f}" for value in values)]
        for measure, values in zip(MEASURES, drawn.means, strict=True)
    ]
    pairs = [
        [f"{TESTED[i]}, {TESTED[j]}", *(f"{values[k] / 1000:.3f}" for values in drawn.p)]
        for k, (i, j) in enumerate(combinations(range(len(TESTED)), 2))
    ]
    head = ["runs", *(f"p by {measure}" for measure in MEASURES)]
    return f"{table(['run', *TESTED], means)}\n\n{table(head, pairs)}"


def _significant(drawn: Drawn) -> list[list[str]]:
    pairs = [f"{a}{b}" for a, b in combinations(TESTED, 2)]
    return [
        [pair for pair, value in zip(pairs, values, strict=True) if value < 1000 * ALPHA]
        for values in drawn.p
    ]


def power(drawn: Drawn) -> Question:
    """Ask for discriminative power and the overlap of what is significant."""
    tests = tests_of(drawn)
    counts = ob.discriminative_power(tests, ALPHA)["significant"]
    overlap = ob.significance_overlap(tests, ALPHA).iloc[0]
    first, second = _significant(drawn)
    both = [pair for pair in first if pair in second]
    share = Fraction(len(both), len({*first, *second}))
    for measure, found in zip(MEASURES, (first, second), strict=True):
        verified(f"pairs by {measure}", len(found), counts[measure])
    return Question(
        "power",
        P_VALUES,
        "Discriminative power",
        rf"How many differences does each measure find significant at $\alpha = {ALPHA}$? How many "
        "are found by both, and how large is the overlap SSO?",
        (
            *(
                f"By {measure} {len(found)} of {len(drawn.p[0])}: {', '.join(found)}."
                for measure, found in zip(MEASURES, (first, second), strict=True)
            ),
            rf"The p-value 0.050 is not below ${ALPHA}$, so that difference is not significant.",
            f"By both {len(both)}: {', '.join(both)}.",
            rf"$$\text{{SSO}} = \frac{{{len(both)}}}{{{len({*first, *second})}}} {result(share)}$$",
        ),
        {
            **{f"significant by {name}": int(counts[name]) for name in MEASURES},
            "SSO": verified("SSO", share, overlap["overlap"]),
        },
    )


def contradiction(drawn: Drawn) -> Question:
    """Ask for the contradiction, and for the pair that only looks like one."""
    found = ob.contradictions(tests_of(drawn), ALPHA)
    (row,) = found.to_dict("records")
    first, second = _significant(drawn)
    means = drawn.means
    opposed = [
        f"{TESTED[i]}{TESTED[j]}"
        for i, j in combinations(range(len(TESTED)), 2)
        if (means[0][i] - means[0][j]) * (means[1][i] - means[1][j]) < 0
    ]
    (clash,) = [pair for pair in opposed if pair in first and pair in second]
    if {row["better"], row["worse"]} != set(clash):
        raise ArithmeticError(f"the contradiction is {clash} by hand, and another in code")
    # All of them, whether one of the two differences is significant or none is.
    *others, last = [pair for pair in opposed if pair != clash]
    weak = f"{', '.join(others)} and {last}" if others else last
    return Question(
        "contradiction",
        P_VALUES,
        "Contradiction",
        "On which pair of runs do the two measures contradict each other? Which pairs look like a "
        "contradiction and are none? What would you report about the two runs?",
        (
            f"{row['better']} is significantly better than {row['worse']} by {row['first']} "
            f"(p = {row['p_first']:.3f}) and significantly worse by {row['second']} "
            f"(p = {row['p_second']:.3f}): smaller scores are better by both.",
            f"The measures order {weak} differently too, but not both differences are significant.",
            "That the runs differ, and in what: each measure is right about what it measures. "
            "Which run is better cannot be said without saying which kind of error matters in the "
            "task.",
        ),
        {"better by RNOD": str(row["better"]), "worse by RNOD": str(row["worse"])},
    )
