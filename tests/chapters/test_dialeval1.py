"""The overview's printed tables taken together, and the figures of the chapter."""

import pytest

import ordbook as ob
from ordbook.data.printed import printed_values
from ordbook.papers import dialeval1


@pytest.fixture(scope="module")
def families():
    return dialeval1.families()


def test_every_listed_pair_is_a_printed_p(families):
    pairs = dialeval1.pairs()
    assert list(families.index) == list(range(14, 30))
    for table, row in families.iterrows():
        cells = printed_values("dialeval1", str(table))
        assert row["listed"] == cells["column"].str.endswith(" p").sum()
        lost = cells["printed"].eq("lost") & cells["column"].str.endswith(" p")
        assert (pairs["table"] == table).sum() == row["listed"] - lost.sum()


def test_one_difference_parts_the_listed_pairs_from_the_others(families):
    assert (families["largest unlisted"] < families["smallest listed"]).all()


def test_the_variances_give_the_printed_effect_sizes(families):
    found = dialeval1.pairs()
    sizes = found["difference"] / found["table"].map(families["V_E1"]) ** 0.5
    # Differences of means that are printed with four decimals are off by .0001 at most.
    assert ((sizes - found["ES"]).abs() < 0.003).all()


def test_few_resamples_explain_every_limit_and_many_do_not():
    many, few = dialeval1.limits(10_000), dialeval1.limits(100)
    assert few["fits"].all()
    assert (~many["fits"]).sum() == 7, "as the erratum of the audit says"
    assert (many["to"] - many["from"] <= few["to"] - few["from"]).all()


def test_the_bootstrap_takes_tau_b_of_what_was_drawn():
    taus = dialeval1.bootstrapped((0, 1, 2, 4, 3, 5, 6, 7, 8))
    # No swap where at most one of the two swapped runs is drawn: (2 (8/9)^9 - (7/9)^9).
    assert abs((taus > 1 - 1e-9).mean() - (2 * (8 / 9) ** 9 - (7 / 9) ** 9)) < 0.01


def test_standings_put_the_best_run_first_whatever_direction_is_better():
    task = ob.QuantificationTask.from_arrays(
        [[2, 2, 0], [0, 1, 3]],
        {"B": [[0, 0, 1], [1, 0, 0]], "A": [[0.5, 0.5, 0], [0, 0.5, 0.5]]},
        votes=True,
    )
    found = dialeval1.standings(ob.score(task, ["NMD", "RNSS"]))
    assert list(found.columns) == ["run", "mean NMD", "run", "mean RNSS"]
    assert found.iloc[0, 0] == found.iloc[0, 2] == "A"
    assert found.iloc[0, 1] == pytest.approx(0.125 / 2)  # 0, and .25 / 2
    labels = {"bad": [2, 1], "good": [1, 2]}
    task = ob.ClassificationTask.from_labels([1, 2], labels, ["t", "t"], classes=[1, 2])
    assert list(dialeval1.standings(ob.score(task, ["accuracy"]))["run"]) == ["good", "bad"]
