"""ACL'21 Tables 5 and 6: simulated runs stand beside what is printed, labelled, and near it."""

from cases import each
from ordbook.chapters.simulated import comparison, folded
from ordbook.papers.heldout import held_out


@each(("part", "subtask"), [("5i", "A"), ("5ii", "E"), ("5iii", "S")])
def test_every_correlation_has_a_simulated_one_beside_it(part, subtask):
    table = comparison("acl21", part, subtask)
    assert folded("acl21", part, subtask).title.startswith("SIMULATED")
    cells = [cell for row in table.rows for cell in row[1:] if cell]
    assert len(cells) == 15
    assert {tuple(style for style, _ in cell) for cell in cells} == {
        ("printed", "simulated", "interval")
    }


@each("subtask", "AES")
def test_twins_come_near_tables_that_they_were_not_fitted_to(subtask):
    """Loose: means of five twins are a few hundredths off on average, and a tenth at most."""
    found = held_out(subtask).query("paper == 'acl21' and column != 'V_E2'")
    off = (found["mean"] - found["printed"]).abs()
    assert len(found) == 15 + 6 + 6
    assert off.mean() < 0.05
    assert off.max() < 0.15


def test_twins_order_the_measures_as_section_6_2_does():
    """The two worst in halves are NMD and RSNOD, in twins as in print."""
    parts = [held_out(s).query("table in ('6a', '6c', '6e')") for s in "AES"]
    taus = [part.query("column == 'mean tau'").set_index("row")["mean"] for part in parts]
    assert sum(taus).nsmallest(2).index.tolist() == ["NMD", "RSNOD"]
