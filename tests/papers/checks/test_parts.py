"""What the checks are made of: counting and definitions."""

import numpy as np
import pytest

from ordbook.measures import jsd, kld


def test_equation_8_of_dialeval1_as_printed_is_not_the_divergence_that_its_text_describes():
    """As printed it is not symmetric, misses SIGIR'18's worked example, and may be infinite."""

    def as_printed(p, gold):
        middle = (np.array(p) + gold) / 2
        return (kld(middle, p) + kld(gold, middle)) / 2  # KLD(x||y) is kld(y, x)

    def repaired(p, gold):
        middle = (np.array(p) + gold) / 2
        return (kld(middle, p) + kld(middle, gold)) / 2

    x, gold, printed = (0.3, 0.3, 0.2, 0.1, 0.1), (0.2,) * 5, 0.0390
    assert round(float(repaired(x, gold)), 4) == printed == round(float(jsd(gold, x)), 4)
    assert round(float(as_printed(x, gold)), 4) != printed
    empty, uniform = (0.75, 0.25, 0.0, 0.0), (0.25,) * 4
    assert repaired(empty, uniform) == pytest.approx(repaired(uniform, empty))
    assert np.isfinite(as_printed(empty, uniform))
    assert as_printed(uniform, empty) == np.inf
