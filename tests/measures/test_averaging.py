"""Mean forms: the mean of a measure over all samples, under a name of its own."""

import pickle

import numpy as np
import pytest

import ordbook.measures as om
from ordbook.measures import QUANTIFICATION
from ordbook.measures.quantification import mean_form


def test_the_mean_takes_what_the_measure_takes():
    mean = mean_form(om.nmd)
    gold, estimate = [[3, 1], [1, 1]], [[1, 3], [1, 1]]
    assert mean(gold, estimate, normalise=True) == 0.25
    with pytest.raises(ValueError, match=r"gold\[0\] sums to 4"):
        mean(gold, estimate)
    assert type(mean([1, 0], [0, 1])) is float


def test_the_mean_has_a_name_a_place_and_a_description():
    mean = mean_form(om.rnod)
    assert (mean.__name__, mean.__qualname__) == ("mean_rnod", "mean_rnod")
    assert mean.__module__ == om.rnod.__module__ == "ordbook.measures.quantification"
    assert mean.__doc__.startswith("Mean of `rnod` over all samples, one float.")
    assert mean.__doc__.endswith("See `rnod` for the definition, the range and the direction.")


@pytest.mark.parametrize("name", QUANTIFICATION)
def test_means_can_be_pickled(name):
    measure = QUANTIFICATION[name]
    assert pickle.loads(pickle.dumps(measure.mean)) is measure.mean
    gold, estimate = np.random.default_rng(0).dirichlet(np.ones(4), (2, 6))
    assert measure.mean(gold, estimate) == np.mean(measure.function(gold, estimate))
