"""What many seeds gave: committed as the same procedures give it, and never of other scores."""

from importlib import import_module

import numpy as np
import pandas as pd
import people
import pytest

import findings
import guarantees
import power
from ordbook.meta.seeds import Spread
from ordbook.papers import draws


def by_chance(paper):
    return import_module(f"ordbook.papers.{paper}").by_chance


@pytest.mark.slow
@pytest.mark.parametrize("paper", draws.PAPERS)
def test_the_committed_draws_are_what_the_seeds_give(paper):
    committed = by_chance(paper)()
    for table, values in by_chance(paper).compute(draws.PAPERS[paper]).items():
        assert values.keys() == committed[table].keys()
        for cell, value in values.items():
            if isinstance(value, Spread):
                np.testing.assert_allclose(committed[table][cell].values, value.values, atol=1e-9)
            else:
                assert value == committed[table][cell]


@pytest.mark.parametrize("paper", draws.PAPERS)
def test_the_draws_are_read_unless_seeds_or_scores_are_others(paper, monkeypatch):
    """Else a page would silently compute for minutes, or show draws of other scores."""
    function = by_chance(paper)
    read = draws.committed(paper, *function.tasks)(lambda seeds: f"computed for {seeds}")
    assert read(draws.PAPERS[paper]).keys() == function().keys()
    assert read(100) == "computed for 100"
    monkeypatch.setattr(draws, "digest_of_scores", lambda tasks: "of other scores")
    assert read(draws.PAPERS[paper]) == f"computed for {draws.PAPERS[paper]}"


@pytest.mark.slow
def test_the_committed_guarantees_are_what_the_seed_gives():
    """Six printed digits of shares; a case at a limit may fall to its other side elsewhere."""
    committed = draws.committed_table("guarantees").fillna({"counterexample": ""})
    again = guarantees.compute_guarantees().fillna({"counterexample": ""})
    keys = ["kind", "measure", "guarantee"]
    pd.testing.assert_frame_equal(committed[keys], again[keys])
    shares = ["3", "5", "7"]
    np.testing.assert_allclose(committed[shares], again[shares], atol=2.5e-4)
    assert committed["counterexample"].eq("").equals(again["counterexample"].eq(""))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "compute"),
    [
        ("sources", findings.compute_sources),
        ("orders", power.compute_orders),
        ("strength", power.compute_strength),
        ("alarms", power.compute_alarms),
        ("people", people.compute_people),
    ],
)
def test_committed_tables_are_what_is_computed(name, compute):
    committed = draws.committed_table(name)
    pd.testing.assert_frame_equal(committed, compute(), check_dtype=False, rtol=1e-5)
