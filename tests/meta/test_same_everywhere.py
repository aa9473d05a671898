"""Every analysis gives the same bits whatever the threads, their ranges and the scale of scores."""

import numpy as np
import pytest

import ordbook as ob
from helpers.score_matrices import matrix
from ordbook.meta import parallel
from ordbook.meta.agreement import topic_agreement
from ordbook.meta.items import item_tests
from ordbook.meta.studentised import upper_tail
from ordbook.meta.subsampling import subsample

RNG = np.random.default_rng(0)
SCORES = matrix(RNG.normal(size=(3, 21, 5)) + np.arange(5) / 4)
GOLD = RNG.integers(0, 3, 200)
ANSWERS = {"a": GOLD, "b": RNG.integers(0, 3, 200), "c": np.roll(GOLD, 1)}
LABELS = ob.ClassificationTask.from_labels(GOLD, ANSWERS, ["all"] * 200, range(3))
# Analysis -> its call with threads.
PROGRESSING = {
    "Tukey": (lambda **how: ob.tukey_hsd(SCORES, 41, **how).p, 41),
    "items": (lambda **how: item_tests(LABELS, ["F1_M"], trials=500, **how).p, 500),
    "consistency": (lambda **how: ob.ranking_consistency(SCORES, splits=23, **how).tau, 23),
}
THREADED = {name: analyse for name, (analyse, _) in PROGRESSING.items()} | {
    "agreement": lambda **how: topic_agreement(SCORES, **how),
    "studentised range": lambda **how: upper_tail(np.linspace(0, 6, 20), 7, 50, **how),
}

for statistic in ("tau", "power"):
    THREADED[f"subsamples, {statistic}"] = lambda statistic=statistic, **how: subsample(
        SCORES, [5, 20], statistic, repeats=31, **how
    ).select_dtypes("number")


@pytest.mark.parametrize("name", THREADED)
def test_threads_and_ranges_change_no_bit(name, monkeypatch):
    wanted = np.asarray(THREADED[name](threads=1))
    assert len(np.unique(wanted)) > 1
    for threads, chunk in ((1, 10), (2, 700), (3, 10**9), (None, 1)):
        monkeypatch.setattr(parallel, "CHUNK", chunk)
        values = THREADED[name](threads=threads)
        assert np.array_equal(np.asarray(values), wanted, equal_nan=True)


@pytest.mark.parametrize("name", PROGRESSING)
def test_progress_grows_to_all_trials(name, monkeypatch):
    analyse, total = PROGRESSING[name]
    for threads, chunk in ((1, 10), (2, 700)):
        monkeypatch.setattr(parallel, "CHUNK", chunk)
        reports = []
        analyse(threads=threads, progress=lambda *done, reports=reports: reports.append(done))
        assert reports == sorted(reports)
        assert reports[-1] == (total, total)


SCALED = {
    "Tukey": lambda scores: ob.tukey_hsd(scores, 300).p,
    "power": lambda scores: ob.discriminative_power(ob.tukey_hsd(scores, 500)),
    "contradictions": lambda scores: ob.contradictions(ob.tukey_hsd(scores, 500)),
    "similarity": lambda scores: ob.ranking_similarity(scores).tau,
    "ties": lambda scores: ob.ranking_similarity(scores).tied,
    "consistency": lambda scores: ob.ranking_consistency(scores, splits=30).tau,
}


@pytest.mark.parametrize("scale", [1e-13, 1e13])
@pytest.mark.parametrize("name", SCALED)
def test_the_scale_of_the_scores_does_not_matter(name, scale):
    """Two runs are equal but for noise, which decides nothing on any scale."""
    values = np.random.default_rng(0).random((1, 30, 6)) + np.arange(6) * 0.5
    values = np.concatenate([values, values[..., ::-1]])
    values[..., 5] = values[..., 4] + 1e-15
    wanted, scaled = (SCALED[name](matrix(v)) for v in (values, values * scale))
    assert np.asarray(scaled).tolist() == np.asarray(wanted).tolist()
    if name == "contradictions":
        assert len(wanted) > 5
    elif name == "ties":
        assert wanted.tolist() == [1, 1]
    elif name == "consistency":
        assert wanted.to_numpy().max() < 1
