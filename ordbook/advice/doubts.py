"""Reasons not to rely on a recommended measure, found in the scores and in the task."""

from collections.abc import Iterator, Mapping

from ordbook.advice.criteria import FEWEST_RUNS, Needs, distinct_runs, named
from ordbook.advice.evidence import ALPHA
from ordbook.data.scores import ScoreMatrix
from ordbook.meta.consistency import RankingConsistency
from ordbook.meta.discrimination import pairs_in_doubt
from ordbook.meta.kendall import kendall_interval
from ordbook.meta.rankings import identical_runs, standings
from ordbook.meta.significance import SignificanceTests
from ordbook.words import listing

# An interval of tau this wide covers two of ACL'21's colours.
WIDE = 0.2
# A primary and a secondary measure whose tau is below this contradict each other.
LOW = 0.6


def led_by_constant(
    scores: ScoreMatrix, tests: SignificanceTests, measure: str, needs: Needs
) -> Iterator[str]:
    """Warn that the best run is constant, or not significantly better than a constant run."""
    best, p = standings(scores, measure)["run"].iloc[0], tests.p[measure]
    constant = (*needs.constant, *needs.within)
    close = [run for run in constant if run == best or not p.loc[best, run] < ALPHA]
    phrase, answer = ("gives", "every topic the same distribution")
    if needs.kind == "classification":
        phrase, answer = "always answers", "one class"
    named = listing([f"{run} (within each topic)" if run in needs.within else run for run in close])
    if best in close:
        yield f"{best} leads by {measure}, although it {phrase} {answer}."
    elif close:
        verb = phrase if len(close) == 1 else phrase.removesuffix("s")
        yield (
            f"{best} leads by {measure}, but does not differ significantly from {named}, which "
            f"{verb} {answer}."
        )


def at_odds(scores: ScoreMatrix, alike: float, primary: str, secondary: str) -> Iterator[str]:
    """Warn that the two measures rank the runs differently, and name the leading runs."""
    if len(scores.runs) >= FEWEST_RUNS and alike < LOW:
        first, second = (
            standings(scores, measure)["run"].iloc[0] for measure in (primary, secondary)
        )
        leads = f"{first} leads by both"
        if first != second:
            leads = f"{first} leads by {primary}, {second} by {secondary}"
        yield (
            f"{primary} and {secondary} rank the runs very differently, with a tau of only "
            f"{alike:.2f}: {leads}."
        )


def doubts(
    scores: ScoreMatrix,
    tests: SignificanceTests,
    consistency: Mapping[str, RankingConsistency],
    same: Mapping[str, tuple[str, ...]],
    needs: Needs,
    items: bool,
) -> list[str]:
    """Return the reasons against relying on the choice, as sentences."""
    sentences = [f"{note}." for note in tests.notes]
    sentences += [f"{note}." for split in consistency.values() for note in split.notes]
    runs, topics = len(distinct_runs(scores).runs), len(scores.topics)
    if runs < FEWEST_RUNS:
        sentences.append(
            f"With {runs} different runs, no correlation of rankings can be relied on: neither "
            "similarity nor consistency is graded."
        )
    else:
        low, high = kendall_interval(0.8, runs)
        if high - low > WIDE:
            sentences.append(
                f"With {runs} different runs, a tau of 0.8 between two measures has the 95% "
                f"interval {low:.2f} to {high:.2f}: groups of similar measures are a rough sketch."
            )
    if items:
        sentences.append(
            "The items are drawn and split as if they were independent: where many come from one "
            "text or one writer, all this looks more certain than it is."
        )
    elif topics <= 20:
        sentences.append(
            f"With {topics} topics, consistency rests on "
            + ("halves of the topics alone." if topics > 2 else "nothing.")
        )
    if needs.classes == 2:
        sentences.append("Two classes have no far and near errors: their order does not matter.")
    sentences += [
        f"{copies}: each pair with a copy counts again." for copies in named(identical_runs(scores))
    ]
    sentences += [
        f"On these data {listing(family)} are one and the same measure."
        for family in dict.fromkeys(same.values())
        if len(family) > 1
    ]
    doubt = int(pairs_in_doubt(tests, ALPHA)["measure"].isin(scores.measures).sum())
    if doubt:
        sentences.append(
            f"{doubt} of the p-values {'is' if doubt == 1 else 'are'} too close to {ALPHA:g} to "
            f"call with {tests.size}."
        )
    return sentences
