"""Twins: what they were fitted to comes out, and they never pass for data."""

import numpy as np
import pandas as pd
import pytest
from twin_targets import gold_targets
from twins import fit_report, fits, votes_of, write, write_simulated

import ordbook as ob
from ordbook.data.catalog import catalog
from ordbook.data.printed import printed_values
from ordbook.data.simulated import read_simulated

SUBTASKS = ("A", "E", "S")
each_subtask = pytest.mark.parametrize("subtask", SUBTASKS)
NAMES = [name for name, dataset in catalog().items() if dataset.format == "simulated"]


def twin_of(subtask):
    return ob.load(f"dialeval1-dq-{subtask.lower()}-twin")


# What is committed


@pytest.mark.parametrize("name", NAMES)
def test_a_simulated_set_loads_anywhere_and_says_what_it_is(name, no_raw_files, root):
    task = ob.load(name)
    assert task.provenance.source == "simulated"
    assert task.provenance.notes[0].startswith("SIMULATED")
    scores = ob.score(task)
    assert scores.source == "simulated"
    assert len(scores.measures) == 13
    ((file, checksum),) = task.provenance.files.items()
    assert len(checksum) == 64
    assert (root / file).stat().st_size < 500_000


@each_subtask
def test_the_size_is_that_of_the_printed_task(subtask):
    twin = twin_of(subtask)
    row = printed_values("lq21", "2").query("row == 'DialEval-1 DQ-{A, E, S}'")
    said = dict(zip(row["column"], row["printed"], strict=True))
    assert len(twin.topics) == int(said["Test data sample size"])
    assert len(twin.classes) == int(said["#Ordinal classes"])
    for language in "CE":
        count = sum(run.endswith(f"-{language}") for run in twin.runs)
        assert count == int(said[f"#Runs used {language}"])
    votes = twin.gold * gold_targets(subtask).votes
    assert np.abs(votes - np.rint(votes)).max() < 1e-9
    # It is no handful of dialogues repeated.
    assert len(np.unique(np.rint(votes), axis=0)) > 200


# The fit


@each_subtask
def test_printed_means_and_counts_come_out(subtask):
    """Means to four decimals, as printed; counts of dialogues exactly."""
    report = fit_report(subtask)
    means = report[report["target"].str.contains(", mean ")]
    assert len(means) == 4 + 2 * 22
    assert (means["twin"].round(4) == means["printed"]).all()
    wins = report[report["target"].str.contains("dialogues for|for pop, ")]
    assert len(wins) == 12 + 2 * (subtask == "A")
    assert (wins["twin"] == wins["printed"]).all()
    # LQ'21 prints the score deltas of two dialogues of DQ-A, to three decimals.
    deltas = report[report["target"].str.startswith("dialogue ")]
    assert len(deltas) == 4 * (subtask == "A")
    assert (np.abs(deltas["twin"] - deltas["printed"]) <= 0.0005 + 1e-9).all()


def test_the_committed_fit_is_that_of_the_committed_twins(root):
    kept = pd.read_csv(root / "data" / "simulated" / "fit.csv")
    pd.testing.assert_frame_equal(kept, fits().reset_index(drop=True), rtol=1e-5)


# The files


@pytest.mark.parametrize("name", NAMES)
def test_reading_and_writing_lose_nothing(name, root, tmp_path):
    task = read_simulated(catalog()[name])
    write_simulated(task, votes_of(name), tmp_path / "again.csv")
    committed = root / "data" / "simulated" / f"{name}.csv"
    assert (tmp_path / "again.csv").read_bytes() == committed.read_bytes()


@pytest.mark.slow
def test_a_twin_is_made_again(root, tmp_path):
    """The same votes, and runs that fit as well.

    On one machine the file is the same byte for byte. On another the last bits differ, and may
    lead the search for runs another way: only what was fitted is then the same.
    """
    (path,) = write(tmp_path, ["dialeval1-dq-s-twin"])
    dataset = catalog()["dialeval1-dq-s-twin"]
    again, committed = read_simulated(dataset, path), read_simulated(dataset)
    assert (again.gold == committed.gold).all()
    assert again.runs == committed.runs
    ours, theirs = fit_report("S", again), fit_report("S", committed)
    means = ours["target"].str.contains(", mean ")
    assert (ours["twin"].round(4) == theirs["twin"].round(4))[means].all()
    assert (ours["twin"] / ours["printed"])[~means].between(7 / 8, 9 / 8).all()
