"""ACL'21 Figure 2: p-value curves of DialEval-1, drawn of twins, as the runs are not at hand."""

import ordbook as ob
from cases import each
from ordbook.chapters.simulated import twin
from ordbook.data.printed import printed_values

SIX = ["RNSS", "RSNOD", "RNOD", "NVD", "JSD", "NMD"]
PANELS = {"figure2i": "A", "figure2ii": "E", "figure2iii": "S"}


@each(("panel", "subtask"), PANELS.items())
def test_a_twin_has_the_size_that_the_panel_prints(panel, subtask):
    printed = printed_values("acl21", panel).query("row == 'panel'").set_index("column")["printed"]
    task = twin(subtask)
    assert str(len(task.topics)) == printed["sample size"]
    assert str(len(task.runs)) == printed["#systems"]
    assert str(len(task.runs) * (len(task.runs) - 1) // 2) == printed["system pairs"]


@each("subtask", "AS")
def test_nmd_finds_fewest_in_parts_i_and_iii(subtask):
    """Section 6.3 says so of the real runs; of the twins it holds by a wide margin."""
    tests = ob.tukey_hsd(ob.score(twin(subtask), SIX), trials=1000)
    found = ob.discriminative_power(tests)["significant"]
    assert found["NMD"] < 0.9 * found.drop("NMD").min()
