"""What random procedures give for one seed lies where data/audit.csv has it for all seeds.

All seeds are drawn in ``test_ledger.py``, which takes longer.
"""

import re
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from ordbook.meta.discrimination import contradictions
from ordbook.papers.checks import recomputed
from ordbook.papers.ledger import printed_cells, settled
from ordbook.papers.montecarlo import Seen, Spread
from score_matrices import matrix

PRINTED = {cell: text for cell, (text, _) in printed_cells().items()}
SEEDS = re.compile(r"printed .*, ours (.*) (?:over|of) \d+ seeds \((.*)\)")


@pytest.fixture(scope="module")
def one_seed():
    """The checks of what is random, each with what one seed gives; cell -> its check."""
    asked, numbers, seeds_of = set(), set(), {}

    def noting(name, place):
        function = getattr(recomputed, name)

        def drawn(*given, **options):
            numbers.add((name, *given[1 : place + 1]))
            seeds_of.setdefault(name, set()).add(given[place + 1])
            return function(*given, **options)

        return drawn

    def once(compute, seeds):
        asked.add(seeds)
        one = compute(seeds - 1)
        assert any(compute(seed) != one for seed in range(9)), "the seed decides"
        return {cell: Spread([value] * 100) for cell, value in one.items()}

    def certain(printed, classes, shares):
        assert printed is PRINTED
        assert (classes.task, shares.task) == ("sem16t4c", "sem16t4e")
        return ()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(recomputed, "over_seeds", once)
        patch.setattr(recomputed, "SYMBOL_SEEDS", 2)
        for name, place in (("ranking_consistency", 2), ("tukey_hsd", 1)):
            patch.setattr(recomputed, name, noting(name, place))
        patch.setattr(recomputed, "certain", certain)
        found = recomputed.relations(PRINTED)
    assert asked == {1000, recomputed.FEW_SEEDS}
    splits = {("ranking_consistency", size, 1000) for size in (None, 10)}
    assert numbers == {*splits, ("tukey_hsd", 5000)}, "as many of all as in the papers"
    assert all({0, 1} <= seeds for seeds in seeds_of.values())
    assert len({check.cells for check in found}) == len(found)
    return {check.cells[0]: check for check in found}


def committed():
    """Cell -> what all seeds gave and what that relies on."""
    return {
        cell: SEEDS.fullmatch(reason).groups()
        for cell, (_, _, reason) in settled().items()
        if SEEDS.fullmatch(reason)
    }


def test_all_that_is_random_is_drawn(one_seed):
    held = {cell for cell, check in one_seed.items() if ours(check)[0] == "certain"}
    assert {cell.column.split()[-1] for cell in held} == {"T_D"}
    rest = set(one_seed) - held - set(committed())
    assert set(committed()) < set(one_seed)
    assert {settled()[cell][1] for cell in rest} == {"open"}, "what no seed gives"


def ours(check):
    """What a check holds against the printed text."""
    text = check.test(PRINTED).text
    return SEEDS.fullmatch(f"{text} ({check.relies})").groups() if "seeds" in text else ("certain",)


def test_artificial_distributions_have_three_and_seven_classes(monkeypatch):
    monkeypatch.setattr(
        recomputed, "artificial_taus", lambda classes, seed: {("NMD", "RNSS"): classes / 10}
    )
    found = {check.cells[0].table: check for check in recomputed.sigir18_artificial(100)}
    assert set(found) == {"1a", "1b"}
    for table, tau in (("1a", "0.3"), ("1b", "0.7")):
        (cell,) = found[table].cells
        assert found[table].test({cell: tau}).holds
        assert not found[table].test({cell: "0.5"}).holds


def test_one_seed_is_among_all(one_seed):
    for cell, (limits, relies) in committed().items():
        found, why = ours(one_seed[cell])
        assert why == relies
        if " to " in limits:
            low, high = map(float, limits.split(" to "))
            value = float(found.split(" to ")[0])
            # Of a thousand seeds the interval leaves out a few.
            assert low - (high - low) / 2 - 1e-6 <= value <= high + (high - low) / 2 + 1e-6, cell
        else:
            seen = Seen(dict.fromkeys(re.findall(r"(\S+) for \d+", limits), 1))
            texts = dict(re.findall(r"(\S+) for (\d+)", found))
            assert all(map(seen.holds, texts)), cell
            # Two for symbols; contradictions are counted until some seed gives another table.
            tried = range(1, 10) if cell.column == "count" else [2]
            assert sum(map(int, texts.values())) in tried


def test_contradictions_are_counted_where_there_are_any(monkeypatch):
    """Three measures find one run better on every topic, and three the other."""
    gaps = np.random.default_rng(0).random((6, 20)) + 1
    gaps[3:] *= -1
    better = dict.fromkeys(recomputed.SIX, "low")
    scores = matrix(np.stack([np.zeros_like(gaps), gaps], axis=-1), better)

    tested = []

    def count(tests):
        tested.append(tests)
        return contradictions(tests)

    def some(compute, seeds):
        for seed, times in ((100, 0), (99, 1), (0, 2)):  # it takes long: a hundred seeds must do
            found = compute(seed)
            assert len(tested) == times
        return {cell: Spread([value] * 100) for cell, value in found.items()}

    monkeypatch.setattr(recomputed, "contradictions", count)
    monkeypatch.setattr(recomputed, "over_seeds", some)
    found = {check.cells[0].column: check for check in recomputed.lq21_significance(scores, 100)}
    # Of fifteen pairs of measures nine are of both kinds, and they contradict each other.
    assert found["count"].test({found["count"].cells[0]: "9"}).holds
    assert not found["count"].test({found["count"].cells[0]: "no"}).holds
    texts = {"NMD S_D": "1", "NMD %": "100", "JSD T_D": "1", "RNOD SSO": "100", "RNOD b": "1"}
    for column, text in texts.items():
        (cell,) = found[column].cells
        assert found[column].test({cell: text}).holds, column


def test_the_rank_of_a_baseline_that_is_not_the_best_is_a_number(monkeypatch):
    """ACL'21 says "top" of the first one by MAE_mu."""
    runs = ["a", "_baseline-majority-0", "b"]
    pooled = pd.DataFrame({"MAE_M": [0.5, 0.9, 0.7], "MAE_mu": [0.4, 0.5, 0.6]}, index=runs)
    scores = SimpleNamespace(means=lambda: pooled)
    monkeypatch.setattr(recomputed, "load", lambda name: name)
    monkeypatch.setattr(recomputed, "score", lambda *arguments, **options: scores)
    found = {check.cells[0]: check for check in recomputed.acl21_official()}
    for cell, text in zip(found, ("3", "2", "3"), strict=True):
        assert found[cell].verdict({cell: text}) == "exact"
