"""The chapter on a task of your own: its tables say what the analyses found."""

from dataclasses import replace

import numpy as np
import pytest

import ordbook as ob
from helpers.score_matrices import matrix
from ordbook.chapters import your_data
from ordbook.chapters.your_data import examine


@pytest.fixture(scope="module")
def scores():
    return ob.score(ob.load("fair-oq"), ["NMD", "RNOD", "DNKT"])


@pytest.fixture(scope="module")
def tests(scores):
    return ob.tukey_hsd(scores, 1000, 0)


def test_the_best_run_and_those_it_is_not_better_than(tests):
    found = your_data.winners(tests, ["RNOD"]).loc["RNOD"]
    assert found["best"] == "PCC-logit"
    p = tests.p["RNOD"].loc["PCC-logit"].drop("PCC-logit")
    rest = found["but not than"].split(", ")
    assert set(rest) == set(p.index[p >= 0.05])
    assert found["better than"] == f"{15 - len(rest)} of 15"


def test_runs_that_tie_are_best_together():
    values = np.random.default_rng(0).random((2, 20, 3))
    values[:, :, 2] += 1
    values[:, :, 1] = values[:, :, 0]
    found = your_data.winners(ob.tukey_hsd(matrix(values), 200, 0), ["u"]).loc["u"]
    assert " and " in found["best"]
    assert found["better than"] == "1 of 2"


def test_a_design_or_the_reason_why_there_is_none(scores):
    found = your_data.topics_for_a_quarter(scores)
    assert (found["at_hand"] == 56).all()
    assert found["topics"].is_monotonic_increasing
    few = replace(scores, values=scores.values[:, :7], topics=scores.topics[:7])
    assert "16 runs and 7 topics" in your_data.topics_for_a_quarter(few).loc["no design", "why"]


def test_claims_show_shares_and_nothing_where_a_rule_never_applies():
    task = ob.load("sem16t4c")
    found = examine(task, ob.score(task), splits=10, trials=100, halves=4)
    table = your_data.claims_table(found, {"there": found["verdict"].drop(0)}, "c", "n")
    assert table.header[1:] == ("here", "there", "seen", "halves", "runs")
    texts = [[cell[0][1] for cell in row] for row in table.rows]
    (blind,) = [row for row in texts if "always return the same class" in row[0]]
    assert (blind[1], blind[4], blind[5]) == ("cannot be told", "", "")
    assert texts[0][4] == "100%"
    assert [row[2] for row in texts] == ["", *found["verdict"][1:]]
    assert found["rule"][0] in table.rows[0][0][1][1]
