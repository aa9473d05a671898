"""Which measure to use: the committed moves are what is computed."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import moves
from ordbook.chapters import choosing
from ordbook.measures import CLASSIFICATION


@pytest.mark.slow
def test_committed_moves_are_what_the_labels_give(raw_files):
    computed, committed = moves.compute_moves(), choosing.moves()
    pd.testing.assert_frame_equal(computed, committed, atol=1e-5, check_dtype=False)


def test_a_right_answer_made_wrong_by_hand():
    """One topic with gold 1 1 2 3: each right answer has one or two neighbours."""
    counts = np.zeros((1, 1, 3, 3))
    for gold, answer in ((1, 1), (1, 2), (2, 2), (3, 3)):
        counts[0, 0, gold - 1, answer - 1] += 1
    numbers = choosing.rewarded(CLASSIFICATION["accuracy"], counts)
    assert np.isnan(numbers.pop("across"))  # three classes leave no room on the other side
    expected = {"measure": "accuracy", "raised": 0, "farther": 0, "below": 0, "constant": 0.5}
    assert numbers == expected
    # A measure that is better, the more answers are 2: the 1 and the 3 that were right raise it.
    middle = replace(
        CLASSIFICATION["accuracy"], name="middle", kernel=lambda cm: cm[..., 1].sum(axis=-1)
    )
    numbers = choosing.rewarded(middle, counts)
    assert numbers["raised"] == pytest.approx(2 / 3)
    assert numbers["constant"] == 4
    # Gold 2 of four classes answered 1: on its side is no class, across gold is 4, two steps off.
    counts = np.zeros((1, 1, 4, 4))
    counts[0, 0, 1, 0] = counts[0, 0, 2, 2] = 1
    last = replace(middle, kernel=lambda cm: cm[..., 3].sum(axis=-1))
    numbers = choosing.rewarded(last, counts)
    assert np.isnan(numbers["farther"])
    assert numbers["across"] == 1
