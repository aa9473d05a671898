"""Estimates of differences: the expected consistency, the jackknife and the random effects."""

import numpy as np
import pytest

import ordbook as ob
from helpers.score_matrices import matrix
from ordbook.meta.estimates import expected_consistency, left_out, random_effects


@pytest.mark.parametrize(("name", "size"), [("fair-oq", None), ("fair-oq", 10), ("sem16t4e", 10)])
def test_the_expected_consistency_is_the_mean_over_splits(name, size):
    scores = ob.score(ob.load(name), ["NMD", "RNOD", "JSD"])
    splits = ob.ranking_consistency(scores, size, 2000).mean[["NMD", "RNOD", "JSD"]]
    # 2,000 splits are known to .003; the scores of ten topics are nearly normal.
    assert expected_consistency(scores, size) == pytest.approx(splits.to_numpy(), abs=0.01)


def test_two_runs_that_never_change_places_agree_and_equal_ones_tie():
    rng = np.random.default_rng(0)
    one = rng.random(20)
    values = np.stack([one, one, one + 1], axis=1)[None]
    assert expected_consistency(matrix(values)) == pytest.approx(2 / 3)


def test_the_jackknife_of_a_mean_has_the_variances_of_means():
    rng = np.random.default_rng(1)
    values = rng.standard_normal((2, 200, 30)) + rng.standard_normal(30)
    parts = left_out(lambda sets: sets[0].values.mean(axis=(1, 2)), [matrix(values)])
    over_topics, over_runs = parts.variances(lambda numbers: numbers[..., 0])
    assert parts.value[0] == pytest.approx(values[0].mean())
    assert over_runs == pytest.approx(values[0].mean(axis=0).var(ddof=1) / 30)
    # Ten groups dealt ten times: the variance is known to some ten percent.
    assert over_topics == pytest.approx(values[0].mean(axis=1).var(ddof=1) / 200, rel=0.2)
    difference, _ = parts.variances(lambda numbers: numbers[..., 0] - numbers[..., 1])
    direct = (values[0] - values[1]).mean(axis=1).var(ddof=1) / 200
    assert difference == pytest.approx(direct, rel=0.2)


def test_a_team_is_left_out_with_all_its_runs_in_every_set():
    scores = matrix(np.random.default_rng(2).random((1, 12, 6)))
    teams = dict.fromkeys(scores.runs[:4], "one")
    seen = []
    left_out(
        lambda sets: np.array([seen.append([len(s.runs) for s in sets])]), [scores, scores], teams
    )
    assert sorted(map(tuple, seen[100:103])) == [(2, 2), (5, 5), (5, 5)]
    assert seen[103:] == [[6, 6]]


# Trials of a vaccine against tuberculosis (Colditz et al. 1994): ill, well, treated and not.
BCG = np.array(
    [
        (4, 119, 11, 128),
        (6, 300, 29, 274),
        (3, 228, 11, 209),
        (62, 13536, 248, 12619),
        (33, 5036, 47, 5761),
        (180, 1361, 372, 1079),
        (8, 2537, 10, 619),
        (505, 87886, 499, 87892),
        (29, 7470, 45, 7232),
        (17, 1699, 65, 1600),
        (186, 50448, 141, 27197),
        (5, 2493, 3, 2338),
        (27, 16886, 29, 17825),
    ]
).T


def test_random_effects_are_those_of_metafor():
    """Log risk ratios of the trials by its method "PM": the estimates that it prints."""
    ill, well, other_ill, other_well = BCG
    treated, others = ill + well, other_ill + other_well
    values = np.log(ill / treated / (other_ill / others))
    errors = np.sqrt(1 / ill - 1 / treated + 1 / other_ill - 1 / others)
    together = random_effects(values, errors)
    assert together.between**2 == pytest.approx(0.3181, abs=2e-3)  # the grid's steps are .5%
    assert together.mean == pytest.approx(-0.7150, abs=5e-4)
    assert together.p < 1e-20


def test_the_intervals_cover_the_mean_and_the_next_source():
    """As measured on the leads: six sources of very unequal precision."""
    rng = np.random.default_rng(3)
    errors = np.array([0.01, 0.03, 0.04, 0.06, 0.06, 0.09])
    for between in (0.0, 0.05):
        covered = np.zeros(2)
        for _ in range(100):
            true = 0.1 + between * rng.standard_normal(7)
            together = random_effects(true[:6] + errors * rng.standard_normal(6), errors)
            covered += (
                together.low <= 0.1 <= together.high,
                together.next_low <= true[6] <= together.next_high,
            )
        # Three standard errors of 100 draws are .07.
        assert (covered >= 88).all(), (between, covered)


def test_equal_sources_are_their_weighted_mean_and_few_are_refused():
    together = random_effects([0.1, 0.1], [0.1, 0.2])
    assert (together.mean, together.between) == (pytest.approx(0.1), 0)
    with pytest.raises(ValueError, match="at least two sources"):
        random_effects([0.1], [0.1])
    with pytest.raises(ValueError, match="above 0"):
        random_effects([0.1, 0.2], [0.1, 0.0])
