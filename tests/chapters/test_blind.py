"""Blind judges: what is committed is recomputed, and the simulation does what it says."""

import numpy as np
import pandas as pd
import pytest

import blind as procedure
from ordbook.chapters import blind
from ordbook.data.loading import load
from ordbook.files import share
from ordbook.meta.alternative_annotator import alternative_annotator_test


@pytest.mark.parametrize("weights", blind.WEIGHTS)
def test_committed_settings_of_coherence_are_recomputed(weights):
    committed = blind.blind().set_index(["set", "epsilon", "score", "weights"])
    for score in ("rmse", "accuracy"):
        row = committed.loc[("hanna-CH", 0.1, score, weights)]
        task = load("hanna-CH")
        table = alternative_annotator_test(task, 0.1, score, weights=blind.WEIGHTS[weights]).table
        table = table.drop(index="commonest")
        runs, constant = table[table["kind"] == "run"], table[table["kind"] == "constant"].iloc[0]
        assert row["pass"] == runs["passes"].sum()
        assert row["read"] == (runs["passes"] & (runs["above"] >= 0.5)).sum()
        assert row["constant"] == constant.name
        assert row["constant passes"] == constant["passes"]
        assert row["rho"] == pytest.approx(constant["rho"], abs=1e-5)


def test_committed_agreement_of_hanna_is_that_of_its_labels():
    labels = pd.read_csv(share("data", "hanna", "labels.csv.gz")).query("criterion == 'CX'")
    labels = labels[["Human 1", "Human 2", "Human 3"]].to_numpy()
    equal = np.mean([labels[:, a] == labels[:, b] for a, b in ((0, 1), (0, 2), (1, 2))])
    largest = np.bincount(labels.ravel()).max() / labels.size
    row = blind.people().loc["hanna-CX"]
    assert row.tolist() == pytest.approx([3, equal, largest], abs=1e-5)


def test_simulated_people_agree_as_often_as_they_read():
    shares = blind.SHAPES["middle"]
    ratings = procedure.simulated_ratings(0.7, shares, 2, 200_000, seed=0)
    expected = 0.7**2 + (1 - 0.7**2) * np.square(shares).sum()
    assert np.mean(ratings[0] == ratings[1]) == pytest.approx(expected, abs=0.005)
    assert np.bincount(ratings[0])[1:] / 200_000 == pytest.approx(shares, abs=0.005)


@pytest.mark.slow
def test_committed_settings_are_those_of_all_sets(raw_files):
    pd.testing.assert_frame_equal(procedure.compute_blind(), blind.blind(), atol=1e-5)
    people = procedure.compute_people().set_index("set")
    pd.testing.assert_frame_equal(people, blind.people(), atol=1e-5)
