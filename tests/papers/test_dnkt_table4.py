"""DNKT Table 4: average similarity with the other measures, from Table 3."""

import pytest

import ordbook as ob
from ordbook.data.printed import printed_values

ORDER = ["NMD", "RNADW", "RNOD", "RNADW2", "RNOD2", "NVD", "RNSS", "JSD", "DNKT"]


def averages(digits):
    similarity = ob.ranking_similarity(ob.score(ob.load("sem16t4e")), ORDER)
    return {(name, "average"): value for name, value in similarity.averages(digits).items()}


def test_all_averages_come_out(no_raw_files):
    assert ob.compare("dnkt", "4", averages(digits=3)).counts() == {"exact": 9}


def test_one_comes_out_only_from_the_printed_correlations(no_raw_files):
    with pytest.raises(ValueError, match="DNKT, average: printed 0.599, ours 0.598"):
        ob.compare("dnkt", "4", averages(digits=None))


def test_the_printed_averages_follow_from_the_printed_correlations():
    """Without any run: Table 4 is an average of Table 3."""
    tau = {
        frozenset((row, column)): float(text)
        for row, column, text in printed_values("dnkt", "3")[
            ["row", "column", "printed"]
        ].to_numpy()
        if " " not in column
    }
    ours = {
        (name, "average"): sum(t for pair, t in tau.items() if name in pair) / 8 for name in ORDER
    }
    assert ob.compare("dnkt", "4", ours).counts() == {"exact": 9}
