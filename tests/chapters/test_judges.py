"""Models in place of people: what the chapter's figures rest on."""

import numpy as np
import pytest

import ordbook as ob
from ordbook.chapters import judges


def test_the_shares_of_the_judges_labels_are_those_of_the_catalogued_task():
    for criterion in judges.CRITERIA:
        labels = judges.labels_by_prompt(criterion)
        assert labels.shape == (20, 96, 11)
        ours = np.stack([judges.label_shares(by_prompt) for by_prompt in labels])
        np.testing.assert_allclose(ours, ob.load(f"hanna-{criterion}-shares").estimates)


def test_a_lower_error_and_a_higher_agreement_are_better():
    scores = ob.score(ob.load("llmjudge"), ["MAE_M", "accuracy"])
    ranks, means = judges.ranks(scores), scores.means()
    assert ranks["MAE_M"].idxmin() == means["MAE_M"].idxmin() == judges.winners(scores)["MAE_M"]
    assert ranks["accuracy"].idxmin() == means["accuracy"].idxmax()
    assert judges.rank_agreement(scores, "MAE_M", "accuracy") == pytest.approx(
        ob.kendall_tau(-means["MAE_M"], means["accuracy"])
    )


def test_the_best_judge_beats_those_that_its_row_of_p_values_says():
    scores = ob.score(ob.load("hanna-RE"), ["kappa"])
    tests = ob.paired_t(scores)
    (count,) = judges.beaten(tests, scores)
    best = judges.winners(scores)["kappa"]
    significant = tests.matrix("kappa").loc[best] < 0.05
    assert count == significant.sum()
    assert significant["commonest"]
    assert not significant[best]
