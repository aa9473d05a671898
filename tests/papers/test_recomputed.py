"""What random procedures give for one seed lies where data/audit.csv has it for all seeds.

All seeds are drawn in ``test_ledger.py``, which takes longer.
"""

import re

import pytest

from ordbook.papers.checks import recomputed
from ordbook.papers.ledger import printed_cells, settled
from ordbook.papers.montecarlo import Seen, Spread

pytestmark = pytest.mark.slow

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

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(recomputed, "over_seeds", once)
        patch.setattr(recomputed, "SYMBOL_SEEDS", 2)
        for name, place in (("ranking_consistency", 2), ("tukey_hsd", 1)):
            patch.setattr(recomputed, name, noting(name, place))
        found = list(recomputed.by_chance())
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
