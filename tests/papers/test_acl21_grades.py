"""ACL'21's grades of consistency and discriminative power."""

import pandas as pd

from ordbook.papers.acl21 import consistent, discriminative


def test_a_grade_needs_a_difference_that_says_something():
    tau = pd.Series({"a": 0.985, "b": 0.984, "c": 0.983, "d": 0.982, "e": 0.981, "f": 0.7})
    grades = consistent([tau], 9)
    assert grades[:5].eq("good").all(), ".98 is not poor because others have .985"
    assert grades["f"] == "poor"
    assert consistent([tau], 4).eq("too few runs").all()
    assert discriminative(pd.Series([10, 9, 8, 7])).eq("fair").all(), "a pair or two"
    found = discriminative(pd.Series([100, 80, 79, 20]))
    assert found.tolist() == ["good", "fair", "fair", "poor"]
    assert discriminative(pd.Series([0, 0])).eq("finds none").all()
