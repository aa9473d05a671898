"""LQ'21 Table 4: significance overlap on Sem16T4E, and the other parts against Table 3."""

import pytest

import ordbook as ob
from cases import each
from ordbook.data.printed import printed_values
from ordbook.papers.montecarlo import over_seeds

MEASURES = ["NMD", "RSNOD", "RNOD", "NVD", "RNSS", "JSD"]


def cells(scores, seed):
    found = ob.significance_overlap(ob.tukey_hsd(scores, 5000, seed))
    table = {}
    for (first, second), row in found.iterrows():
        table[first, f"{second} SSO"] = 100 * row["overlap"]
        table[first, f"{second} a"] = row["first_only"]
        table[first, f"{second} b"] = row["both"]
        table[first, f"{second} c"] = row["second_only"]
    return table


@pytest.mark.slow
def test_part_a_is_within_monte_carlo(no_raw_files):
    scores = ob.score(ob.load("sem16t4e"), MEASURES)
    ours = over_seeds(lambda seed: cells(scores, seed), seeds=200)
    assert ob.compare("lq21", "4a", ours).counts() == {"within Monte-Carlo": 60}


def contradicting_table_3():
    """Cells (part, first, second) whose a + b or b + c is not the S_D of Table 3."""
    table3 = printed_values("lq21", "3").set_index(["row", "column"])["printed"]
    rows = dict.fromkeys(table3.index.get_level_values("row"))
    for part, data in zip("abcdefgh", rows, strict=False):
        table = printed_values("lq21", f"4{part}").set_index(["row", "column"])["printed"]
        for i, first in enumerate(MEASURES):
            for second in MEASURES[i + 1 :]:
                a, b, c = (int(table[first, f"{second} {key}"]) for key in "abc")
                wanted = tuple(int(table3[data, f"{m} S_D"]) for m in (first, second))
                if (a + b, b + c) != wanted:
                    yield f"4{part}", first, second, a + b, wanted[0]


def test_two_cells_contradict_table_3_for_they_repeat_the_row_above():
    """Table 4(h): the row NVD has RNOD's values, and RNOD's S_D of 125 instead of 120."""
    assert list(contradicting_table_3()) == [
        ("4h", "NVD", "RNSS", 125, 120),
        ("4h", "NVD", "JSD", 125, 120),
    ]
    table = printed_values("lq21", "4h").set_index(["row", "column"])["printed"]
    for second in ("RNSS", "JSD"):
        for key in ("SSO", "a", "b", "c"):
            assert table["NVD", f"{second} {key}"] == table["RNOD", f"{second} {key}"]


@each("part", list("abcdefgh"))
def test_every_printed_overlap_follows_from_its_counts(part):
    table = printed_values("lq21", f"4{part}").set_index(["row", "column"])["printed"]
    for i, first in enumerate(MEASURES):
        for second in MEASURES[i + 1 :]:
            a, b, c = (int(table[first, f"{second} {key}"]) for key in "abc")
            assert table[first, f"{second} SSO"] == f"{100 * b / (a + b + c):.1f}"


def test_the_papers_example_of_overlap_without_contradictions():
    table = printed_values("lq21", "4c").set_index(["row", "column"])["printed"]
    a, b, c = (int(table["NMD", f"RNOD {key}"]) for key in "abc")
    clashes = printed_values("lq21", "5I").set_index(["row", "column"])["printed"]["NMD", "RNOD"]
    agreeing = b - int(clashes)
    assert f"{agreeing / (a + agreeing + c):.1%}" == "95.5%"
