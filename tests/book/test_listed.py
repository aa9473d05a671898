"""The overview's printed tables taken together."""

import matplotlib.pyplot as plt
import pandas as pd
import pytest

from ordbook.book import listed
from ordbook.data.printed import printed_values


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


def test_every_listed_pair_is_a_printed_p():
    found = listed.tests()
    assert list(found.index) == list(range(14, 30))
    for table, row in found.iterrows():
        cells = printed_values("dialeval1", str(table))
        assert row["listed"] == cells["column"].str.endswith(" p").sum()
        lost = cells["printed"].eq("lost") & cells["column"].str.endswith(" p")
        legible = (listed.pairs()["table"] == table).sum()
        assert legible == row["listed"] - lost.sum()


def test_the_variances_give_the_printed_effect_sizes():
    found, means = listed.tests(), listed.ranking_means("9")["NMD"]
    some = listed.pairs().query("table == 22")
    gaps = some["worse"].map(means) - some["better"].map(means)
    assert ((gaps / found.loc[22, "V_E1"] ** 0.5 - some["ES"]).abs() < 0.002).all()
    assert (found["V_E2"] < found["V_E1"]).all()


def test_no_listed_pair_between_systems_has_a_baseline():
    found = listed.pairs().query("table == 22")
    named = found[["better", "worse"]].apply(lambda names: names.str.startswith("BL-")).any(axis=1)
    assert listed.tests().loc[22, "by systems"] == (~named).sum()


def test_few_resamples_explain_every_limit_and_many_do_not():
    many, few = listed.limits(10_000), listed.limits(100)
    assert few["fits"].all()
    assert (~many["fits"]).sum() == 7, "as the erratum of the audit says"
    assert (many["to"] - many["from"] <= few["to"] - few["from"]).all()


def test_the_figures_hold_every_pair_and_every_run():
    axes = listed.effects()
    assert sum(len(line.get_xdata()) for line in axes.lines[:2]) == len(listed.pairs())
    first = pd.Series({"a": 1.0, "b": 2.0, "c": 3.0}, name="X")
    second = pd.Series({"a": 3.0, "b": 1.0, "c": 2.0}, name="Y")
    axes = listed.crossings(first, second)
    ends = {tuple(int(y) for y in line.get_ydata()) for line in axes.lines}
    assert ends == {(0, 2), (1, 0), (2, 1)}
    assert [line.get_linestyle() for line in axes.lines] == ["--", "-", "-"]
