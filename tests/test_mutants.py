"""The list of mutants that no test can kill speaks of code that is still there."""

import csv
import importlib
import inspect
from pathlib import Path

import pytest

with Path(__file__).with_name("mutants.csv").open(encoding="utf-8", newline="") as file:
    ROWS = list(csv.DictReader(file))


@pytest.mark.parametrize("row", ROWS, ids=[f"{r['module']}.{r['function']}" for r in ROWS])
def test_an_equivalent_mutant_is_one_of_a_line_that_is_there(row):
    pytest.importorskip("pandas")
    thing = importlib.import_module(row["module"])
    for name in row["function"].split("."):
        thing = inspect.getattr_static(thing, name)
    thing = getattr(thing, "fget", getattr(thing, "func", getattr(thing, "kernel", thing)))
    source = " ".join(inspect.getsource(inspect.unwrap(thing)).split())
    assert " ".join(row["before"].split()) in source, "remove or correct the row"
    assert row["before"] != row["after"]
    assert row["reason"]


def test_no_mutant_is_listed_twice():
    keys = [(r["module"], r["function"], r["before"], r["after"]) for r in ROWS]
    assert len(set(keys)) == len(keys)
