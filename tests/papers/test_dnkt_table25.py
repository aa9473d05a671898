"""DNKT Table 25(a): ranking consistency on Sem16T4E, within Monte-Carlo."""

import pytest

import ordbook as ob
from ordbook.papers.tables import DNKT

TWELVE = list(DNKT.symbols.values())
SIZES = {"full split": None, "10 vs. 10": 10}
SIGNS = dict(zip("†♣♡♠⋄*⋆♮∘◯△∇", TWELVE, strict=True))


@pytest.fixture(scope="module")
def scores():
    return ob.score(ob.load("sem16t4e"))


def consistency(scores, size, seed):
    return ob.ranking_consistency(scores, size, 1000, seed, threads=1, measures=TWELVE)


@pytest.mark.slow
def test_every_printed_relation_is_found_with_some_seed(scores):
    """And none that is not printed is found with all. Symbols are read as the notes say."""
    from ordbook.data.printed import printed_values

    printed = printed_values("dnkt", "25a").set_index(["column", "row"])
    for kind, size in SIZES.items():
        found = [consistency(scores, size, seed).outperforms() for seed in range(40)]
        for measure in TWELVE:
            cell = printed.loc[(f"{kind} outperforms", measure)]
            _, _, reading = cell["note"].partition("predicted: ")
            text = reading.split()[0] if reading else cell["printed"]
            named = {SIGNS[sign] for sign in text.replace("blank", "")}
            seeds = sum(table.loc[measure, TWELVE] for table in found)
            assert named <= set(seeds.index[seeds > 0]), (kind, measure)
            assert set(seeds.index[seeds == len(found)]) <= named, (kind, measure)
