"""What tests share of the explorers: which pages there are, and what Python says of a state."""

from dataclasses import replace
from fractions import Fraction
from urllib.parse import parse_qs

import ordbook as ob
from ordbook.measures import QUANTIFICATION
from ordbook.measures.registry import by_default
from ordbook.pages import explorer

LABELS = by_default("classification")

# Both compute in doubles, in the same order but for sums that numpy may take in another one.
TOLERANCE = 1e-12
# The pages of the book, and what makes each.
PAGES = {"explorer": "distributions", "explorer_labels": "labels", "explorer_luck": "luck"}
PRESETS = {
    name: {preset["id"]: preset for preset in explorer.presets(kind)}
    for name, kind in PAGES.items()
}
PAIRS, MATRICES = PRESETS["explorer"], PRESETS["explorer_labels"]


def of_pair(gold, estimate):
    return {name: m(gold, estimate) for name, m in QUANTIFICATION.items()}


def of_matrix(counts):
    return {name: m.from_confusion(counts) for name, m in LABELS.items()}


def sampled(scores, topics):
    """The scores on some topics only."""
    names = tuple(scores.topics[t] for t in topics)
    return replace(scores, topics=names, values=scores.values[:, list(topics)])


def of_samples(scores, order, size):
    """By measure: tau of the two samples, tau of the first and all topics, significant pairs."""
    both = [sampled(scores, order[start : start + size]) for start in (0, len(order) // 2)]
    tests = [ob.parametric_tukey_hsd(sample) for sample in both]
    found = {}
    for k, name in enumerate(scores.measures):
        a, b, every = (each.values[k].mean(axis=0) for each in (*both, scores))
        scale = scores.scale[k]
        taus = [ob.kendall_tau(a / scale, other / scale) for other in (b, every)]
        found[name] = (*taus, [int((t.p[name] < 0.05).sum()) for t in tests])
    return found


def expected(preset, tab=None):
    """The scores that a page shows; `tab` tells the topics of a draw."""
    if "gold" in preset:
        return of_pair(preset["gold"], preset["estimate"])
    if "counts" in preset:
        return of_matrix(preset["counts"])
    order = [*range(0, 100, 2), *range(1, 100, 2)]
    if preset["draw"] > 1:
        order = tab.evaluate("k => ordbookSamples.shuffled(k, 100)", preset["draw"])
    scores = explorer._scores(preset["task"])
    return {name: one[0] for name, one in of_samples(scores, order, preset["topics"]).items()}


def of_link(fragment):
    """The state that a link tells."""
    fields = {name: values[0] for name, values in parse_qs(fragment).items()}
    if "gold" in fields:
        return {side: [float(Fraction(x)) for x in fields[side].split(",")] for side in fields}
    if "counts" in fields:
        rows = fields["counts"].split("/")
        return {"counts": [[int(x) for x in row.split(",")] for row in rows]}
    return {**fields, **{name: int(fields[name]) for name in ("topics", "draw")}}


def compared(known, first, second):
    """What becomes of each measure from the first preset to the second."""
    before, after = (expected(known[name]) for name in (first, second))
    low = {n for n, m in {**QUANTIFICATION, **LABELS}.items() if m.better == "low"}
    steps = {n: (after[n] - before[n]) * (1 if n in low else -1) for n in before}
    return {
        n: "same" if abs(d) <= 1e-12 else "worse" if d > 0 else "better" for n, d in steps.items()
    }


def named(words, word):
    return {name for name, said in words.items() if said == word}
