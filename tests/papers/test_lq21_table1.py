"""LQ'21 Table 1: the measures, and what "essentially" means there."""

import numpy as np

import ordbook as ob
from ordbook.data.printed import printed_values
from ordbook.measures import QUANTIFICATION


def test_the_registry_divides_the_measures_as_the_table_does():
    kinds = {True: "Ordinal quantification measures", False: "Nominal quantification measures"}
    ours = {(name, "kind"): kinds[m.ordinal] for name, m in QUANTIFICATION.items()}
    assert ob.compare("lq21", "1", ours, columns=["kind"]).counts() == {"consistent": 6}


def test_the_registry_has_the_printed_names():
    names = printed_values("lq21", "1").query("column == 'full name'")
    assert len(names) == 6
    for row in names.itertuples():
        assert row.printed.startswith(QUANTIFICATION[row.row].title)


def test_nvd_and_rnss_are_mae_and_rmse_but_for_a_factor():
    rng = np.random.default_rng(1)
    for n_classes in (2, 3, 5, 7):
        gold, estimate = rng.dirichlet([1] * n_classes, size=(2, 50))
        errors = np.abs(gold - estimate)
        # Sums of seven terms at most: only rounding may differ.
        np.testing.assert_allclose(
            ob.nvd(gold, estimate), n_classes / 2 * errors.mean(axis=1), rtol=0, atol=1e-12
        )
        rmse = np.sqrt((errors**2).mean(axis=1))
        np.testing.assert_allclose(
            ob.rnss(gold, estimate), (n_classes / 2) ** 0.5 * rmse, rtol=0, atol=1e-12
        )
