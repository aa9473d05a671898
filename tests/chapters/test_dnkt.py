"""DNKT's chapter: every printed table has a place, figures hold the printed numbers."""

import pytest

import ordbook as ob
from ordbook.papers import dnkt


def test_the_record_compares_these_cells_with_ours(no_raw_files):
    found = {table: ob.compare("dnkt", table, ours) for table, ours in dnkt.recomputed().items()}
    ours = {table: int(compared.cells["ours"].notna().sum()) for table, compared in found.items()}
    assert ours == {"1": 36, "2": 7, "3": 108, "4": 9, "21a": 27, "25a": 48}
    assert found["1"].counts() == {"consistent": 35, "contradicted": 1}
    assert found["25a"].counts() == {"within chance": 41, "contradicted": 7}


def test_a_lead_is_the_difference_of_two_printed_values():
    gaps = dnkt.leads()
    assert gaps.shape == (8, 8)
    assert gaps.loc[("RNOD2", "full split"), "STC-3 DQ-A"] == pytest.approx(0.7506 - 0.7650)
    assert gaps.loc[("NMD", "10 vs. 10"), "Sem17T4E"] == pytest.approx(0.5882 - 0.7053)


def test_seeds_give_the_symbols_that_the_numbers_imply():
    symbols = dnkt.damaged_symbols().loc["Table 25(a)"]
    full = symbols[symbols["half"] == "full split"]
    assert (full["lacks"] == "⋄").all()
    assert (full["our seeds agree"] == "yes").all()
