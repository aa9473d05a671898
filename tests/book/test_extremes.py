"""Superlatives name all who have the value, and float noise decides none."""

import json
import re

import numpy as np
import pandas as pd
import pytest

from ordbook.book.chapters import CHAPTERS, notebook_of
from ordbook.book.extremes import all_equal, highest, lowest, places

NOISE = 4e-16
TAU = pd.Series({"NMD": 1 - NOISE, "DNKT": 0.5, "NVD": 1.0, "JSD": 1 + NOISE, "RNSS": 1.0})


def test_all_with_the_value_are_named():
    assert lowest(TAU) == "DNKT"
    assert highest(TAU) == "NMD and 3 others", "in the order of the task, not of the noise"
    assert highest(TAU.drop("RNSS")) == "NMD, NVD and JSD"
    assert highest(TAU.drop(["RNSS", "JSD"])) == "NMD and NVD"
    assert lowest(TAU + 0.3, "other measures") == "DNKT"
    assert lowest(TAU.drop("DNKT"), "other measures") == "NMD and 3 other measures"


def test_pairs_have_commas_of_their_own():
    overlap = pd.Series(0.7, ["NMD, RSNOD", "NMD, RNOD", "NMD, NVD", "NVD, JSD"])
    assert lowest(overlap.iloc[:2]) == "NMD, RSNOD; NMD, RNOD"
    assert lowest(overlap, "other pairs") == "NMD, RSNOD and 3 other pairs"


def test_equal_is_equal_but_for_noise():
    assert all_equal(TAU.drop("DNKT"))
    assert not all_equal(TAU)
    assert not all_equal(pd.Series([1.0, 1.0 - 1e-6])), "one pair of runs in many splits"
    assert not all_equal(pd.Series([1.0])), "one alone is the least and the greatest"
    assert all_equal(pd.Series([3, 3]))


def test_the_least_few_with_all_that_equal_the_last_of_them():
    counts = pd.Series({"a": 3, "b": 1, "c": 2, "d": 2, "e": 2})
    assert places(counts, 1) == ["b"]
    assert places(counts, 2) == ["b", "c", "d", "e"]
    assert places(counts, 9) == ["b", "c", "d", "e", "a"]
    assert places(-counts) == ["a"]


@pytest.mark.parametrize("values", [[], [np.nan, 1.0], [np.inf]])
def test_nothing_has_no_superlative(values):
    with pytest.raises(ValueError, match="finite ones"):
        lowest(pd.Series(values, dtype=float))


# Cells whose choice is no superlative in a sentence, or about values that no reader's data change.
PICKS = {
    "audit": {"ties-prose"},
    "dialeval1": {"official-seen-nd", "solution-compute-variance", "solution-alter-ties"},
    "dnkt": {"solution-alter-variant"},
    "acl21": {"consistency-ntcir-worst"},
    "lq21": {"disputed-figure"},
    "measures": {"disagree-popularity-code"},
}


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_chapters_name_no_single_one_of_several(chapter):
    """Of several equal values these take the first."""
    single = re.compile(r"\.(idxmin|idxmax|argmin|argmax|nsmallest|nlargest)\(")
    notebook = json.loads(notebook_of(chapter).read_text(encoding="utf-8"))
    cells = {cell["id"] for cell in notebook["cells"] if single.search("".join(cell["source"]))}
    assert cells == PICKS.get(chapter, set())
