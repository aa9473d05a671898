"""DNKT Tables 13 to 18, 23 and 27: what twins of DialEval-1 show, SIMULATED.

The bounds are loose: they say what a twin is good for.
"""

import re

from cases import each
from ordbook.chapters.simulated import comparison, folded, nearness
from ordbook.papers.heldout import HELD_OUT

CELLS = {"agreement": 36, "average": 9, "combined": 9, "consistency": 24}


@each("subtask", list(HELD_OUT))
@each("kind", list(CELLS))
def test_every_printed_number_has_a_simulated_one_that_is_labelled(subtask, kind):
    place = "dnkt", HELD_OUT[subtask][kind], subtask
    shown = comparison(*place)
    assert folded(*place).title.startswith("SIMULATED")
    cells = [cell for row in shown.rows for cell in row[1:] if cell]
    assert len(cells) == CELLS[kind]
    assert {tuple(style for style, _ in cell) for cell in cells} == {
        ("printed", "simulated", "interval")
    }
    # The twin of seed 0 is one of the five, and its value lies in their range as shown.
    for _, (_, value), (_, reach) in cells:
        low, high = map(float, re.findall(r"-?[0-9.]+", reach))
        assert low <= float(value) <= high, (value, reach)


def test_twins_are_near_but_for_the_combinations_of_dq_e():
    near = nearness().query("paper == 'dnkt'").set_index(["subtask", "table"])
    far = near["mean_off"] > 0.06
    assert list(near.index[far]) == [("E", "23b")]
    consistent = near[near["quantity"].isin(["full split", "10 vs. 10"])]
    assert len(consistent) == 6
    assert consistent["mean_off"].max() < 0.04
