"""The benchmarks run, and the committed tables are what the book needs. No time is asserted."""

import os
import re
import subprocess
import sys

import pandas as pd
import pytest

from benchmarks.inputs import ITEMS, RUNS, SHARES, TOPICS, simulated_task
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
def test_the_command_prints_every_ratio_and_writes_nothing(root):
    tables = [root / "benchmarks" / name for name in ("timings.csv", "agreement.csv")]
    before = [path.read_bytes() for path in tables]
    result = run(root, "--quick")
    assert result.returncode == 0, result.stderr
    assert [path.read_bytes() for path in tables] == before
    ratios = re.findall(r"^ +[\d.]+ times as fast.*: (.+), 200 x 5$", result.stdout, re.MULTILINE)
    assert set(ratios) >= {"NMD", "NMD with steps", "RNOD", "RPS", "JSD", "DNKT"}
    assert "scikit-learn and krippendorff" in result.stdout
    for measure in (*QUANTIFICATION, *CLASSIFICATION):
        assert re.search(rf"^ *{measure} ", result.stdout, re.MULTILINE)


@pytest.mark.slow
def test_numbers_of_tiny_sizes_are_never_written(root):
    result = run(root, "--quick", "--write")
    assert result.returncode == 2
    assert "do not --write" in result.stderr


@pytest.mark.slow
def test_the_committed_timings(root):
    from benchmarks import timing

    table = committed(root, "timings.csv")
    assert tuple(table.columns) == timing.COLUMNS
    assert (table["measured"] == table["measured"][0]).all()
    assert re.match(r"\d{4}-\d\d-\d\d on .+, Python 3\.\d+", table["measured"][0])
    for row in table.itertuples():
        # all three are rounded to three digits
        assert float(row.ratio) == pytest.approx(float(row.theirs_s) / float(row.ours_s), rel=0.02)
    for what, against in (
        ("NMD, 100,000 x 5", "a loop over quapy.error.nmd"),
        ("NMD, 100,000 x 5", "quapy.error.md / 4, vectorised"),
        ("RNOD, 100,000 x 5", "a loop over mlquantify's RNOD"),
        (
            "all classification measures, 20,632 items, 100 topics, 12 runs",
            "a loop over scikit-learn and krippendorff",
        ),
    ):
        assert ((table["what"] == what) & (table["against"] == against)).sum() == 1


@pytest.mark.slow
def test_the_committed_agreement(root):
    from benchmarks import agreement

    table = committed(root, "agreement.csv")
    assert tuple(table.columns) == agreement.COLUMNS
    assert set(table["measure"]) >= QUANTIFICATION.keys() | CLASSIFICATION.keys()
    key = ["measure", "library", "function", "definition"]
    listed = [
        (c.measure, c.library, c.function, "same" if c.same else "different")
        for c in agreement.COMPARISONS
    ]
    compared = table[table["library"] != ""]
    assert list(compared[key].itertuples(index=False, name=None)) == listed
    assert table["measure"][table["library"] == ""].tolist() == ["CEM_ORD"]
    same = compared[compared["definition"] == "same"]
    assert same["largest_difference"].astype(float).max() <= agreement.TOLERANCE
    assert (compared["cases"].astype(int) > 0).all()
    assert (table.loc[table["definition"] != "same", "note"] != "").all()


def test_the_simulated_task_has_the_sizes_of_subtask_c():
    task = simulated_task()
    assert task.confusion().shape == (RUNS, TOPICS, 5, 5) == (12, 100, 5, 5)
    assert task.gold.size == ITEMS == 20_632
    shares = task.confusion()[0].sum(axis=(0, 2)) / ITEMS
    # four standard errors of a share of .5 among 20,632 items
    assert shares == pytest.approx(SHARES / SHARES.sum(), abs=0.014)
    assert (task.confusion().sum(axis=(2, 3)) > 0).all()
    right = task.confusion().diagonal(axis1=2, axis2=3).sum(axis=(1, 2))
    assert (right[:-1] > right[1:]).all()  # the first run is the best
