"""Which measure to use: the committed differences are what is computed."""

import pandas as pd
import pytest

from ordbook.chapters import choosing


def test_every_pair_is_compared_on_every_source_of_its_kind():
    compared = choosing.committed_differences()
    assert list(compared) == list(choosing.PAIRS)
    for title, (kind, _, _) in choosing.PAIRS.items():
        rows = compared[title].xs("topics", level="over")
        assert set(rows.index) == set(choosing.sources(kind))


@pytest.mark.slow
def test_committed_differences_are_what_is_computed():
    computed = choosing.compute_differences()
    for title, rows in computed.groupby("pair"):
        committed = choosing.committed_differences()[title]
        rows = rows.drop(columns="pair")
        # Whole numbers are read back as integers.
        pd.testing.assert_frame_equal(rows, committed, atol=2e-3, check_dtype=False)
