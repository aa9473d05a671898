"""What tests of figures share."""

import matplotlib.pyplot as plt
import pytest


@pytest.fixture(autouse=True)
def _closes_figures():
    yield
    plt.close("all")
