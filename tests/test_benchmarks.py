"""The benchmarks run, and the committed tables are what the book needs. No time is asserted."""

import os
import re
import subprocess
import sys

import pandas as pd
import pytest

from ordbook.measures import CLASSIFICATION, QUANTIFICATION


def run(root, *arguments):
    return subprocess.run(
        [sys.executable, "-m", "benchmarks", *arguments],
        cwd=root,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


def committed(root, name):
    return pd.read_csv(root / "benchmarks" / name, dtype=str, keep_default_na=False)


@pytest.mark.slow
def test_the_command_prints_every_ratio_and_difference_and_writes_nothing(root):
    tables = [root / "benchmarks" / name for name in ("timings.csv", "agreement.csv")]
    before = [path.read_bytes() for path in tables]
    result = run(root, "--quick")
    assert result.returncode == 0, result.stderr
    assert [path.read_bytes() for path in tables] == before
    ratios = re.findall(r"^ +[\d.]+ times as fast: .+$", result.stdout, re.MULTILINE)
    assert len(ratios) == len(committed(root, "timings.csv"))
    for measure in (*QUANTIFICATION, *CLASSIFICATION):
        assert re.search(rf"^ *{measure} ", result.stdout, re.MULTILINE)
    refused = run(root, "--quick", "--write")
    assert refused.returncode == 2
    assert "do not --write" in refused.stderr


def test_the_committed_timings_are_of_one_run(root):
    table = committed(root, "timings.csv")
    assert (table["measured"] == table["measured"][0]).all()
    assert re.match(r"\d{4}-\d\d-\d\d on .+, Python 3\.\d+", table["measured"][0])
    ratio = table["theirs_s"].astype(float) / table["ours_s"].astype(float)
    # all three are rounded to three digits
    assert table["ratio"].astype(float).tolist() == pytest.approx(ratio.tolist(), rel=0.02)


def test_the_committed_agreement_is_of_the_committed_comparisons(root):
    table, listed = committed(root, "agreement.csv"), committed(root, "comparisons.csv")
    shared = [name for name in listed if name in table]
    compared = table[table["library"] != ""]
    pd.testing.assert_frame_equal(compared[shared], listed[shared])
    assert set(table["measure"]) >= QUANTIFICATION.keys() | CLASSIFICATION.keys()
    assert table["measure"][table["library"] == ""].tolist() == ["CEM_ORD"]
    same = compared[compared["definition"] == "same"]
    assert same["largest_difference"].astype(float).max() <= 1e-12
    assert (compared["cases"].astype(int) > 0).all()
