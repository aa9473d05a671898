"""The choice of measures: the papers' recommendations from the papers' numbers, and its doubts."""

from dataclasses import replace
from types import SimpleNamespace

import nbformat
import numpy as np
import pandas as pd
import pytest

import ordbook as ob
from cases import case
from ordbook.book.advice import (
    ANCHORS,
    COMPARED,
    ORDERED,
    PROPERTIES,
    Advice,
    Needs,
    advise,
    choose,
    distinct_runs,
    gather,
    merits,
    of_own,
    properties,
    without_copies,
)
from ordbook.book.chapters import notebook_of
from ordbook.book.doubtful import closest
from ordbook.book.grades import consistent, discriminative, groups, standing
from ordbook.book.same_measures import beside, same_measures
from ordbook.data.printed import printed_values
from ordbook.measures import Measure, custom_measure
from ordbook.papers.montecarlo import printed_means, printed_tau, split_sizes

SIX = list(COMPARED["quantification"])
NINE = list(COMPARED["classification"])


def advice_on(task, own=()) -> Advice:
    needs = Needs.of(task)
    scores = ob.score(task, [*COMPARED[needs.kind], *own])
    steady = {
        name: ob.ranking_consistency(scores, size, splits=200)
        for name, size in split_sizes(scores).items()
    }
    tests = ob.tukey_hsd(scores, trials=500)
    return advise(scores, tests, steady, ob.ranking_similarity(scores), needs, own=own)


@pytest.fixture(scope="module")
def classification():
    """Forty items a topic; runs err more and more, most often by one class."""
    rng = np.random.default_rng(3)
    gold = rng.choice(5, 800, p=[0.05, 0.1, 0.5, 0.25, 0.1])
    steps = rng.integers(-2, 3, (8, 800))
    wrong = rng.random((8, 800)) < np.linspace(0.1, 0.8, 8)[:, None]
    runs = {f"r{k}": np.clip(gold + steps[k] * wrong[k], 0, 4).tolist() for k in range(8)}
    return ob.ClassificationTask.from_labels(
        gold.tolist(), runs, [f"t{i // 20}" for i in range(800)], range(5), name="made up"
    )


def printed_ntcir() -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return criteria and tau out of ACL'21's Tables 5 and 6, and LQ'21's Table 3."""
    taus = [printed_tau(f"5{i}", SIX) for i in ("i", "ii", "iii")]
    power = printed_values("lq21", "3")
    power = power[power["row"].str.startswith("DialEval-1")]
    numbers = power.set_index("column")["printed"].astype(float)
    kinds = [sum(printed_means(f"6{part}")[SIX] for part in parts) / 3 for parts in ("ace", "bdf")]
    tau = sum(taus) / 3
    return criteria(
        "quantification", SIX, taus, tau, kinds, {m: numbers[f"{m} S_D"].sum() for m in SIX}, 22
    ), tau


def criteria(kind, names, taus, tau, kinds, significant, runs) -> pd.DataFrame:
    found = properties(names, kind)
    found["group"] = groups(taus, *ANCHORS[kind], runs)
    found["tau"] = (tau.sum() - 1) / (len(names) - 1)
    for k, mean in enumerate(kinds):
        found[f"tau, {k}"] = mean
    found["consistency"] = consistent(kinds, runs)
    found["significant"] = pd.Series(significant)
    found["power"] = discriminative(found["significant"])
    return found


def test_quantification_as_acl21_recommends_from_what_is_printed():
    found, tau = printed_ntcir()
    primary, secondary, (first, second) = choose(found, Needs("quantification", 5), tau)
    assert (primary, secondary) == ("RNOD", "NMD"), "Section 6.4"
    assert first.startswith("Because the classes have an order, 3 of 6 measures come into question")
    assert "RSNOD and NMD are left out as poor in consistency or power" in first
    assert PROPERTIES["farther is worse"] in second
    assert found.loc["NMD", "group"] == "X", "the outlier of Table 7"


def test_classification_as_acl21_recommends():
    """On SemEval-2016 and the printed numbers of SemEval-2017 (Section 5.4)."""
    scores = ob.score(ob.load("sem16t4c"), NINE)
    taus = [ob.ranking_similarity(scores).tau.loc[NINE, NINE], printed_tau("2ii", NINE)]
    kinds = [
        (printed_means(a)[NINE] + printed_means(b)[NINE]) / 2
        for a, b in (("3a", "3c"), ("3b", "3d"))
    ]
    power = ob.discriminative_power(ob.tukey_hsd(scores))["significant"]
    tau = sum(taus) / 2
    found = criteria("classification", NINE, taus, tau, kinds, power, 12)
    for constant in ((), ("all 0",)):
        primary, secondary, why = choose(found, Needs("classification", 5, constant, 70.0), tau)
        assert (primary, secondary) == ("kappa", "alpha_ord")
        assert PROPERTIES["constant runs"] in why[1]
    constant = ("all 0", "all 1")
    primary, _, why = choose(found, Needs("classification", 5, constant, 70.0), tau)
    assert primary == "alpha_ord"
    assert "2 runs always answer one class" in why[0]


def test_a_primary_is_never_without_what_the_task_needs(classification):
    found = advice_on(classification)
    assert found.criteria.loc[found.primary, ["order", "imbalance"]].all()
    assert found.needs.imbalance > 2
    assert found.criteria.loc[found.secondary, "order"]
    assert found.secondary != found.primary
    assert found.criteria.index.tolist() == NINE
    # Everyone the same but accuracy, which knows no order: it never is the answer.
    level = found.criteria.assign(significant=1, power="fair", consistency="fair", tau=0.5)
    level.loc["accuracy", "significant"] = 99
    square = pd.DataFrame(0.5, NINE, NINE)
    assert choose(level, found.needs, square)[0] != "accuracy"
    assert choose(level, Needs("classification", 2), square)[0] == "accuracy", "no order of two"


def test_the_numbers_are_those_of_the_functions(classification):
    scores = ob.score(classification, NINE)
    tests = ob.tukey_hsd(scores, trials=300)
    alike = ob.ranking_similarity(scores)
    split = ob.ranking_consistency(scores, splits=50)
    found = gather(scores, tests, {"half": split}, alike, "classification")
    assert found["significant"].equals(ob.discriminative_power(tests)["significant"].loc[NINE])
    assert found["tau, half"].equals(split.mean.loc[NINE].rename("tau, half"))
    others = alike.tau.loc["kappa"].drop("kappa").mean()
    assert abs(found.loc["kappa", "tau"] - others) < 1e-12
    clashes = ob.contradictions(tests)
    mine = clashes[(clashes["first"] == "MAE_M") | (clashes["second"] == "MAE_M")]
    pairs = {tuple(sorted(pair)) for pair in mine[["better", "worse"]].to_numpy().tolist()}
    assert found.loc["MAE_M", "contradicted"] == len(pairs)


def test_grades_come_before_ranks_and_ranks_are_means():
    table = pd.DataFrame({"tau, a": [0.9, 0.5], "tau, b": [0.1, 0.7], "significant": [7, 5]})
    table = table.assign(consistency=["good", "too few runs"], power=["poor", "fair"])
    assert merits(table).to_numpy().tolist() == [[2, 1.5], [2, 1.5]]
    assert merits(table.drop(columns=["tau, a", "tau, b"]))["rank"].tolist() == [1, 2]
    found, tau = printed_ntcir()
    found = found.assign(consistency="fair", power="fair", significant=[9, 1, 9, 9, 9, 1])
    assert choose(found, Needs("quantification", 5), tau)[0] == "RNOD"
    found.loc["RSNOD", "power"] = "good"
    primary, _, why = choose(found, Needs("quantification", 5), tau)
    assert primary == "RSNOD"
    assert "RSNOD has the best grades" in why[0]


def test_a_choice_between_equals_is_said_to_be_one_and_falls_to_the_papers():
    found, tau = printed_ntcir()
    level = found.assign(significant=5, power="fair", consistency="fair")
    level[["tau, 0", "tau, 1"]] = 0.5
    needs = Needs("quantification", 5)
    first = choose(level, needs, tau)
    assert first == choose(level, needs, tau)
    assert first[0] == "RNOD", "its ranking is most like the others'"
    assert "RSNOD and NMD have grades as good" in first[2][0]
    assert first[2][0].endswith(
        "RNOD ranks the runs more like the other measures than RSNOD and NMD."
    )
    # Where that is equal too, nothing is said that the table refutes, and the papers decide.
    level["tau"] = 0.97
    name, _, (why, _) = choose(level, needs, tau)
    assert name == "RNOD"
    assert "more like" not in why
    assert why.endswith(
        "RNOD, RSNOD and NMD are equal in all that decides here, and RNOD is what the papers "
        "recommend."
    )
    level.loc["NMD", "tau"] = 0.9
    why = choose(level, needs, tau)[2][0]
    assert "RNOD ranks the runs more like the other measures than NMD; RNOD and RSNOD are " in why
    # Of two that the papers do not name the table decides, and the page says so.
    other = level.assign(order=[True, True, False, False, False, False])
    name, _, (why, _) = choose(other.assign(tau=0.9), needs, tau)
    assert name == "RNSS"
    assert why.endswith("equal in all that decides here, and RNSS comes first in the table.")


def level_for_second(found) -> pd.DataFrame:
    """NMD is the only good one, and has all properties: nobody adds any to it."""
    level = found.assign(significant=5, power="fair", consistency="fair", tau=0.9)
    level[["tau, 0", "tau, 1"]] = 0.5
    level.loc["NMD", ["farther is worse", "no equal steps", "symmetric"]] = True
    level.loc["NMD", "consistency"] = "good"
    return level


def test_a_secondary_measure_is_least_like_the_primary_only_where_it_is():
    found, tau = printed_ntcir()
    level, needs = level_for_second(found), Needs("quantification", 5)

    def why(**likes) -> str:
        near = tau.copy()
        for name, value in likes.items():
            near.loc["NMD", name] = near.loc[name, "NMD"] = value
        primary, secondary, (_, said) = choose(level, needs, near)
        assert (primary, secondary) == ("NMD", "RNOD")
        return said

    assert why(RNOD=0.8, RSNOD=0.9) == (
        "Of the other measures that come into question RNOD ranks the runs least like NMD: tau "
        "between their rankings is 0.800."
    )
    same = "The other measures that come into question, RNOD and RSNOD, rank the runs equally like "
    same += "NMD: tau with it is 1.000 for each. "
    equal = (
        "RNOD and RSNOD are equal in all that decides here, and RNOD is what the papers recommend."
    )
    assert why(RNOD=1.0, RSNOD=1.0) == same + equal
    assert why(RNOD=1.0, RSNOD=1.0 - 1e-15) == same + equal, "float noise decides nothing"
    level.loc["RSNOD", "tau, 0"] = 0.4
    better = "RNOD has the better mean of its ranks in consistency and power."
    assert why(RNOD=1.0, RSNOD=1.0) == same + better
    level.loc["RSNOD", "power"] = "poor"
    assert why(RNOD=1.0, RSNOD=1.0) == same + "RNOD has better grades than RSNOD."
    # A third that is more like the primary: only those that are level are compared.
    level = level_for_second(found)
    level.loc["NVD", "order"] = True
    level.loc["NVD", "symmetric"] = level.loc["NMD", "symmetric"]
    assert why(RNOD=0.8, RSNOD=0.8, NVD=0.9) == (
        "Of the other measures that come into question RNOD and RSNOD are equally far from the "
        f"ranking of NMD, the rest nearer: tau with it is 0.800 for each of them. {equal}"
    )
    level = level_for_second(found)
    level.loc["RSNOD", "order"] = False
    assert why(RNOD=1.0) == (
        "RNOD is the only other measure that comes into question: tau between their rankings is "
        "1.000."
    )


def test_reasons_read_well():
    required = Needs("classification", 5, ("all 0", "all 1"), 9.0).required
    assert required["constant runs"] == (
        "2 runs always answer one class (a measure must tell such runs apart)"
    )
    found, tau = printed_ntcir()
    found.loc[["RSNOD", "NMD"], "order"] = False
    found["significant"] = 1
    why = choose(found, Needs("quantification", 5), tau)[2][0]
    assert "1 of 6 measures comes into question. " in why
    assert why.endswith("(1 significant difference).")


def test_a_better_rank_is_claimed_only_over_those_that_have_a_worse_one():
    found, tau = printed_ntcir()
    level = found.assign(significant=5, power="fair", consistency="fair", tau=0.9)
    level[["tau, 0", "tau, 1"]] = 0.5
    level.loc["NMD", ["tau, 0", "tau, 1"]] = 0.4
    why = choose(level, Needs("quantification", 5), tau)[2][0]
    assert "RNOD has the better mean of its ranks in consistency and power than NMD; " in why
    assert "RNOD and RSNOD are equal in all that decides here" in why


def simulated(runs: int, topics: int, classes: int = 5, twins: int = 0):
    rng = np.random.default_rng(1)
    gold = rng.dirichlet(np.ones(classes), topics)
    noise = rng.dirichlet(np.ones(classes), (runs, topics))
    share = np.linspace(0.1, 0.9, runs)[:, None, None]
    estimates = (1 - share) * gold + share * noise
    estimates = np.concatenate([estimates, estimates[:twins]])
    named = {f"run {k}": estimate for k, estimate in enumerate(estimates)}
    return ob.QuantificationTask.from_arrays(gold, named, name="simulated")


DOUBTFUL = [
    (simulated(3, 30), "There are 3 runs. With fewer than 5"),
    (simulated(8, 30), "With 8 runs a tau of 0.8 between two measures has the 95% interval"),
    (simulated(8, 12), "There are 12 topics; samples of ten against ten need more than 20"),
    (simulated(8, 2), "nothing: it needs at least three topics"),
    (simulated(8, 30, classes=2), "With two classes there is no far or near error"),
    (simulated(8, 30, twins=1), "run 0 and run 8 have the same scores on every topic"),
]


def test_doubts_about_the_task_are_said():
    for task, words in DOUBTFUL:
        with case(task, words):
            found = advice_on(task)
            assert any(words in doubt for doubt in found.doubts), found.doubts
            assert found.primary, "there still is an answer"


def test_copies_of_a_run_are_no_difference_between_measures():
    """Twelve runs, of which six are one: measures that rank alike stay in one group."""
    noise = np.linspace(0, 0.5, 7)[1:, None, None]
    gold = np.random.default_rng(4).dirichlet(np.ones(5), 30)
    estimates = {f"r{k}": gold * (1 - x) + x / 5 for k, x in enumerate(noise)}
    copies = {f"copy{k}": estimates["r0"] for k in range(6)}
    task = ob.QuantificationTask.from_arrays(gold, estimates | copies, name="copied")
    scores = ob.score(task, SIX)
    apart = distinct_runs(scores)
    assert apart.runs == tuple(estimates)
    alike = ob.ranking_similarity(scores)
    assert alike.tau.loc["RNOD", "NMD"] < 0.8, "tau-a of equal rankings, for the copies"
    found = advice_on(task)
    assert (found.criteria["tau"] == 1).all()
    assert (found.criteria["group"] == "Y").all()
    assert any("Mean tau and group between measures are without copies" in d for d in found.doubts)
    assert without_copies(apart, alike) is alike, "nothing is done where there are none"


def test_copies_do_not_make_enough_runs():
    task = simulated(4, 30, twins=4)
    found = advice_on(task)
    assert (found.criteria["group"] == "too few runs").all()
    assert any("There are 4 different runs. With fewer than 5" in d for d in found.doubts)


def own_measures(kind) -> list[Measure]:
    """Return a measure over again three times, one that looks at a single class, and a best one."""
    if kind == "classification":
        same = lambda cm: np.trace(cm, axis1=-2, axis2=-1) / cm.sum((-1, -2))  # noqa: E731
        odd = lambda cm: cm[..., :, 0].sum(-1) / cm.sum((-1, -2))  # noqa: E731
    else:
        same = lambda g, e: np.abs(g - e).sum(-1) / 2  # noqa: E731
        odd = lambda g, e: np.broadcast_to(e[..., 0], np.broadcast(g, e).shape[:-1])  # noqa: E731
    named = {f"SAME{k}": same for k in range(3)} | {"ODD": odd}
    better = "high" if kind == "classification" else "low"
    return [
        custom_measure(name, function, better=better, kind=kind) for name, function in named.items()
    ]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["classification", "quantification"])
@pytest.mark.parametrize("ordinal", [False, True], ids=["no order", "order"])
def test_measures_of_ones_own_change_nothing_that_is_said_of_the_others(
    kind, ordinal, classification
):
    task = classification if kind == "classification" else simulated(9, 30, twins=2)
    own = [
        replace(measure, ordinal=True, imbalance=True) if ordinal else measure
        for measure in own_measures(kind)
    ]
    alone, beside = advice_on(task), advice_on(task, own)
    names = list(COMPARED[kind])
    pd.testing.assert_frame_equal(beside.criteria.loc[names], alone.criteria)
    assert (beside.primary, beside.secondary) == (alone.primary, alone.secondary)
    assert beside.why == alone.why
    mine = [measure.name for measure in own]
    unnamed = [said for said in beside.doubts if not any(name in said for name in mine)]
    assert unnamed == list(alone.doubts)
    for name, said in zip(mine, beside.own, strict=True):
        assert said.startswith(f"{name}, a measure of your own, would by the same rules be ")
    assert alone.own == ()
    # What is the same measure has the same grades, and never comes before what it is a copy of.
    original = "accuracy" if kind == "classification" else "NVD"
    for column in ("group", "consistency", "significant", "power", "contradicted"):
        found = set(beside.criteria.loc[[original, "SAME0", "SAME1", "SAME2"], column])
        assert len(found) == 1, column
    ranks = merits(beside.criteria, mine)["rank"]
    assert ranks["SAME0"] == ranks["SAME2"] == ranks[original]
    assert ranks[names].equals(merits(alone.criteria)["rank"])


def test_what_a_measure_of_ones_own_would_be():
    """The best in all is said to be primary; a copy of the primary is not before it."""
    found, tau = printed_ntcir()
    rnod = found.loc["RNOD"]
    needs, chosen = Needs("quantification", 5), ("RNOD", "NMD")
    best = rnod.to_dict() | {"tau, 0": 9.0, "tau, 1": 9.0, "significant": 999}
    best |= {"consistency": "good", "power": "good"}
    table = pd.concat([found, pd.DataFrame([best, rnod, rnod], index=["BEST", "TWIN", "BLIND"])])
    table = table.astype(found.dtypes)
    table.loc["BLIND", "order"] = False
    wider = tau.reindex(index=table.index, columns=table.index).fillna(0.9)
    first, twin, blind = of_own(table, needs, wider, ["BEST", "TWIN", "BLIND"], chosen)
    assert "be primary in place of RNOD." in first
    assert "(mean tau 9.000 with 0 topics and 9.000 with 1 topics), power good (999 sig" in first
    assert "be neither primary nor secondary: others come before it." in twin
    assert (
        "be neither primary nor secondary: it lacks what this task needs (handles order)" in blind
    )
    table.loc["TWIN", ["farther is worse", "no equal steps"]] = True
    (twin,) = of_own(table.drop(index=["BEST", "BLIND"]), needs, wider, ["TWIN"], chosen)
    assert "be secondary in place of NMD; as primary others come before it." in twin
    table.loc["TWIN", "power"] = "poor"
    table.loc["TWIN", ["farther is worse", "no equal steps"]] = False
    (twin,) = of_own(table.drop(index=["BEST", "BLIND"]), needs, wider, ["TWIN"], chosen)
    assert "neither primary nor secondary: it is left out as poor in consistency or power." in twin


def test_ones_own_measures_stand_among_the_others_and_link_none():
    values = pd.Series(dict(zip("abcdefg", range(7, 0, -1), strict=True)), dtype=float)
    mine = {"top": 8.0, "twin": 5.0, "between": 4.5, "below": 2.5, "last": 0.0}
    both = pd.concat([values, pd.Series(mine)])
    ranks = standing(both, list(mine))
    assert ranks[values.index].tolist() == [1, 2, 3, 4, 5, 6, 7]
    assert ranks[list(mine)].tolist() == [0.5, 3, 3.5, 5.5, 7.5]
    grades = consistent([both], 9, list(mine))
    assert grades[list(mine)].tolist() == ["good", "good", "fair", "poor", "poor"]
    assert grades[values.index].equals(consistent([values], 9))
    assert discriminative(both, list(mine))[values.index].equals(discriminative(values))
    assert discriminative(pd.Series({"a": 0, "own": 3}), ["own"]).tolist() == ["finds none", "good"]
    # A measure between two groups joins neither to the other, and is in the nearer.
    tau = pd.DataFrame(np.eye(3), list("xyz"), list("xyz"))
    tau.loc["z", ["x", "y"]] = tau.loc[["x", "y"], "z"] = [0.85, 0.9]
    letters = {"x": "A", "y": "B"}
    assert groups([tau], letters, "?", 9, own=["z"]).tolist() == ["A", "B", "B"]
    assert len(set(groups([tau], letters, "?", 9))) == 1, "as one of the others it would"


@pytest.mark.slow
@pytest.mark.parametrize("mine", [False, True], ids=["alone", "with measures of one's own"])
@pytest.mark.parametrize("kind", ["classification", "quantification"])
def test_the_chapter_grades_by_the_rules_of_the_first_page(kind, mine, classification):
    """The cell of acl21, given what the first page is given, gives the same grades."""
    task = classification if kind == "classification" else simulated(9, 30, twins=3)
    own = own_measures(kind) if mine else []
    scores = ob.score(task, [*COMPARED[kind], *own])
    similarity, tests = ob.ranking_similarity(scores), ob.tukey_hsd(scores, trials=300)
    steady = {
        name: ob.ranking_consistency(scores, size, splits=50)
        for name, size in split_sizes(scores).items()
    }
    expected = gather(scores, tests, steady, similarity, kind, own=own)
    cells = {cell.id: cell.source for cell in nbformat.read(notebook_of("acl21"), 4).cells}
    letter = kind[0]
    counts = expected["significant"]
    given = {
        "run": SimpleNamespace(has=lambda part: True),
        f"scores_{letter}": scores,
        f"ranked_{letter}": (ranked := distinct_runs(scores, COMPARED[kind])),
        f"similarity_{letter}": ob.ranking_similarity(ranked),
        f"order_{letter}": list(COMPARED[kind]),
        f"moved_{letter}": {name: split.mean for name, split in steady.items()},
        f"power_{letter}": {name: SimpleNamespace(mean=counts[name]) for name in counts.index},
        "mean_tau": lambda means: means,
        "show": SimpleNamespace(table=lambda *_, **__: None),
        "display": lambda _: None,
        "pd": pd,
    }
    exec(f"{cells['rules']}\n{cells[f'summary-o{letter}-alone']}", given)
    for column, ours in {
        "similarity": "group",
        "consistency": "consistency",
        "power": "power",
    }.items():
        assert given["alone"][column].tolist() == expected[ours].tolist(), column
    grades = expected["consistency"].loc[list(COMPARED[kind])]
    assert set(grades) == {"good", "fair", "poor"}, "all three are told apart"


def test_nothing_is_doubted_that_is_not_so():
    doubts = " ".join(advice_on(simulated(30, 60)).doubts)
    for words in ("has the 95% interval", "samples of ten", "two classes", "same scores"):
        assert words not in doubts


def test_a_measure_by_another_name_is_not_recommended_beside_it():
    """Two names for one measure: the second is no secondary one, and no chance parts them."""
    nmd = ob.measures.QUANTIFICATION["NMD"]
    copies = [replace(nmd, name="copy"), replace(nmd, name="other")]
    task = simulated(8, 40)
    scores = ob.score(task, copies)
    tests = ob.tukey_hsd(scores, trials=300)
    steady = {"half": ob.ranking_consistency(scores, splits=100)}
    alike = ob.ranking_similarity(scores)
    found = advise(scores, tests, steady, alike, Needs.of(task), own=copies)
    assert (found.primary, found.secondary) == ("copy", "")
    assert found.why[1] == (
        "There is no secondary measure: no other one comes into question beside copy. On these "
        "data other is copy itself."
    )
    text = " ".join(found.doubts)
    assert "On these data copy and other are one and the same measure" in text
    assert "could reverse them" not in text


def near(taus, counts):
    """Return what is near the first of some measures, by their taus and their limits of counts."""
    found = pd.DataFrame(counts, ["low", "high"], list(taus)).T
    split = SimpleNamespace(tau=pd.DataFrame(taus))
    return closest("A", list(taus)[1:], {"half": split}, found)


def test_chance_moves_no_equality():
    """The same tau on every split, and the same number at both ends of the interval, are equal."""
    rows = np.array([0.6, 0.8, 1.0, 0.8])
    taus = {
        "A": rows,
        "B": rows + np.array([0, 1e-15, 0, -1e-15]),
        "C": rows[::-1],
        "D": rows - 0.2,
    }
    found = near(taus, [[3, 3, 3, 1], [3, 3, 4, 2]])
    assert found.as_steady == ["B"]
    assert found.steady == ["C"], "equal in the mean alone, and other splits could part them"
    assert found.as_powerful == ["B"]
    assert found.power == ["C"]
    assert near({"A": rows, "B": rows[::-1]}, [[3, 3], [4, 4]]).power == ["B"], "two intervals"


@pytest.mark.slow
def test_what_is_equal_is_said_to_be_so_and_what_is_not_to_be_in_doubt():
    """Three runs far apart: measures rank them alike on every split, and part all pairs."""
    rng = np.random.default_rng(1)
    gold = rng.multinomial(5, np.ones(5) / 5, 40) / 5  # where a class is empty RNOD is not RSNOD
    noise = np.eye(5)[rng.integers(0, 5, 40)]
    runs = {f"r{x}": (1 - x) * gold + x * noise for x in (0.05, 0.4, 0.9)}
    found = advice_on(ob.QuantificationTask.from_arrays(gold, runs, name="apart"))
    counts = found.criteria.loc[found.criteria["order"], ["significant", "low", "high"]]
    assert (counts == 3).all(axis=None)
    text = " ".join(found.doubts)
    assert "In consistency RNOD, RSNOD and NMD are equal: tau is the same in every split." in text
    assert (
        "In significant differences RNOD, RSNOD and NMD are equal: each finds 3, and no p-value is "
        "too close to call." in text
    )
    assert "could reverse them" not in text
    alike = dict(zip("abcdef", rng.multinomial(5, np.ones(5) / 5, (6, 40)) / 5, strict=True))
    doubts = " ".join(advice_on(ob.QuantificationTask.from_arrays(gold, alike)).doubts)
    assert "other random splits could reverse them" in doubts
    own = own_measures("quantification")[0]
    beside = " ".join(advice_on(ob.QuantificationTask.from_arrays(gold, runs), [own]).doubts)
    assert "On these data SAME0 and NVD are one and the same measure" in beside
    assert "SAME0 and RNOD are equal in consistency and power." in beside


def test_float_noise_decides_no_grade_and_no_rank():
    """The same taus in another order have the same mean, whatever their floating-point sums."""
    for draw in range(3):
        with case(draw):
            rng = np.random.default_rng(draw)
            taus = rng.integers(-15, 16, 300) / 15
            means = pd.Series({name: np.cumsum(rng.permutation(taus))[-1] / 300 for name in SIX})
            noisy = means + rng.uniform(-1e-15, 1e-15, len(SIX))
            assert (standing(means) == 3.5).all()
            assert (standing(noisy, ["NMD"]) == 3).all()
            assert (consistent([means, noisy], 9) == "fair").all()
            found, tau = printed_ntcir()
            equal = found.assign(significant=5, power="fair", consistency="fair", tau=0.9)
            equal["tau, 0"], equal["tau, 1"] = means.mean(), means.mean()
            noise = equal.assign(**{"tau, 0": means, "tau, 1": noisy, "tau": 0.9 + noisy - means})
            tau.loc["RNOD", ["RSNOD", "NMD"]] = 0.9
            shaken = tau + rng.uniform(-1e-15, 1e-15, tau.shape)
            for needs in (Needs("quantification", 5), Needs("quantification", 0)):
                assert choose(noise, needs, shaken) == choose(equal, needs, tau)
            ranks = merits(noise)["rank"]
            assert (ranks == ranks.iloc[0]).all()
            assert (
                discriminative(pd.Series([10.0, 10, 10, 11 + 1e-14, 9 - 1e-14])) == "fair"
            ).all()


@pytest.mark.slow
def test_noise_in_the_data_and_another_order_of_the_runs_change_no_grade():
    """Few runs and few splits, so that many mean taus are equal."""
    rng = np.random.default_rng(2)
    task = simulated(6, 60)
    plain = advice_on(task)
    gold = np.asarray(task.gold)
    steady = ob.ranking_consistency(ob.score(task, SIX), splits=30)
    for _ in range(3):
        named = {
            run: estimate + rng.uniform(0, 1e-15, gold.shape)
            for run, estimate in zip(task.runs, np.asarray(task.estimates), strict=True)
        }
        noisy = advice_on(ob.QuantificationTask.from_arrays(gold, named, name="noisy"))
        assert (noisy.primary, noisy.secondary) == (plain.primary, plain.secondary)
        for what in ("consistency", "power", "group"):
            assert noisy.criteria[what].equals(plain.criteria[what])
        turned = {run: named[run] for run in rng.permutation(list(named))}
        scores = ob.score(ob.QuantificationTask.from_arrays(gold, turned), SIX)
        means = ob.ranking_consistency(scores, splits=30).mean
        assert consistent([means], 6).equals(consistent([steady.mean], 6))
        assert standing(means).equals(standing(steady.mean))
        rows = steady.tau.sample(frac=1, random_state=int(rng.integers(99))).mean()
        assert standing(rows).equals(standing(steady.mean))


def labels_of_two(seed: int, runs: int = 6):
    """Two classes in all topics, the second rarer; all runs err in both."""
    rng = np.random.default_rng(seed)
    gold = (np.arange(600) % 20 < 6).astype(int)
    wrong = rng.random((runs, 600)) < np.linspace(0.05, 0.4, runs)[:, None]
    named = {f"r{k}": np.where(wrong[k], 1 - gold, gold).tolist() for k in range(runs)}
    topics = [f"t{i // 20}" for i in range(600)]
    return ob.ClassificationTask.from_labels(gold.tolist(), named, topics, range(2), name="two")


def test_of_two_classes_some_measures_are_one():
    shares = ob.score(simulated(6, 30, classes=2), SIX)
    assert same_measures(shares) == [("RNSS", "RSNOD", "RNOD", "NVD", "NMD")]
    # All classes are nowhere empty: RSNOD is RNOD both ways, and both ways are the same then.
    five = simulated(6, 30)
    assert same_measures(ob.score(five, SIX)) == [("RSNOD", "RNOD")]
    gold = np.where(np.arange(5) > 0, five.gold, 0)
    named = dict(zip(five.runs, five.estimates, strict=True))
    empty = ob.QuantificationTask.from_arrays(gold / gold.sum(axis=1, keepdims=True), named)
    assert same_measures(ob.score(empty, SIX)) == []
    labels = labels_of_two(0)
    # With as many items in every topic, and both classes in all, F1_M is alpha on another scale.
    assert same_measures(ob.score(labels, NINE)) == [
        ("MAE_mu", "accuracy"),
        ("alpha_ord", "alpha_int", "F1_M"),
    ]
    assert beside("accuracy", [("MAE_mu", "accuracy")]) == ["MAE_mu"]


def test_measures_that_tell_nothing_apart_are_not_one():
    values = np.zeros((3, 4, 3))
    values[2, 0, 0] = 1
    flat = replace(ob.score(simulated(3, 4), ["NMD", "NVD", "JSD"]), values=values)
    assert same_measures(flat) == []
    # Two different scores are on a line by any measure: one unit, or nothing is said.
    values[1, 0, 0] = 0.5
    assert same_measures(replace(flat, values=values)) == []
    values[1, 0, 0] = 1
    assert same_measures(replace(flat, values=values)) == [("NVD", "JSD")]


def test_what_is_true_of_the_definitions_with_two_classes():
    """Everything that the table says of two classes, tried."""
    for kind in ("quantification", "classification"):
        known = getattr(ob.measures, kind.upper())
        table = properties(list(COMPARED[kind]), kind, classes=2)
        assert not set(ORDERED) & set(table)
        for name in COMPARED[kind]:
            seen = {f.property: f.holds for f in ob.measures.probe(known[name], [2])}
            assert table.loc[name, "symmetric"] == seen["symmetric"], name
    constant = np.array([[[14.0, 0], [6, 0]], [[0, 14], [0, 6]]])
    small, large = np.array([[[40.0, 0], [1, 9]], [[39, 1], [0, 10]]])
    for name, row in table.iterrows():
        measure = known[name]
        assert bool(abs(np.diff(measure.kernel(constant))[0]) > 1e-9) == row["constant runs"], name
        assert bool(abs(measure.kernel(small) - measure.kernel(large)) > 1e-9) == row["imbalance"]
    assert set(ORDERED) < set(properties(NINE, "classification"))


def test_with_two_classes_far_errors_and_steps_are_no_reason():
    for task in [simulated(6, 60, classes=2), labels_of_two(0), labels_of_two(1)]:
        with case(task):
            found = advice_on(task)
            assert found.primary
            text = " ".join((*found.why, *found.doubts))
            for what in ORDERED:
                assert PROPERTIES[what] not in text
            assert "are one and the same measure" in text
            same = same_measures(ob.score(task, COMPARED[found.needs.kind]))
            assert found.secondary not in (found.primary, *beside(found.primary, same))


def two_classes(needs, **columns) -> tuple[pd.DataFrame, Needs, pd.DataFrame]:
    """Return criteria and taus of equals, but for some columns, with the needs given."""
    names = list(COMPARED[needs.kind])
    found = properties(names, needs.kind, classes=2)
    found = found.assign(significant=5, power="fair", consistency="fair", tau=0.9, **{"tau, 0": 0})
    for column, values in columns.items():
        found.loc[list(values), column] = list(values.values())
    return found, needs, pd.DataFrame(0.9, names, names)


def test_where_nobody_adds_anything_there_is_no_secondary_measure():
    shares = ("RNSS", "RSNOD", "RNOD", "NVD", "NMD")
    needs = Needs("quantification", 2)
    first, second, why = choose(*two_classes(needs), [shares])
    assert (first, second) == ("RNOD", "")
    assert why[1] == (
        "There is no secondary measure: none adds a property that RNOD lacks. On these data RNSS, "
        "RSNOD, NVD and NMD are RNOD itself."
    )
    table = two_classes(needs, power={"JSD": "good"})
    first, second, why = choose(*table, [shares])
    assert (first, second) == ("JSD", "")
    assert why[1] == "There is no secondary measure: none adds a property that JSD lacks."
    labels = [("MAE_mu", "accuracy"), ("alpha_ord", "alpha_int")]
    needs = Needs("classification", 2)
    table = two_classes(needs, power={"alpha_int": "good"})
    first, second, why = choose(*table, labels)
    assert (first, second) == ("alpha_int", ""), "it has all properties, and is alpha_ord"
    assert why[1].endswith("On these data alpha_ord is alpha_int itself.")
    # Kappa does not part constant runs: there is something to add.
    first, second, why = choose(*two_classes(needs), labels)
    assert (first, second) == ("kappa", "alpha_ord")
    assert why[1].startswith(f"alpha_ord adds what kappa lacks: {PROPERTIES['constant runs']}.")
    # Accuracy adds nothing to MAE_mu, though it is the better measure in all else.
    table = two_classes(needs, power={"MAE_mu": "good"})
    table[0].loc["accuracy", "tau, 0"] = 1
    first, second, _ = choose(*table, labels)
    assert first == "MAE_mu"
    assert second not in ("accuracy", "MAE_mu", "")


def test_runs_of_one_quality_leave_nothing_to_choose_by():
    rng = np.random.default_rng(0)
    gold, runs = rng.dirichlet(np.ones(5), 10), rng.dirichlet(np.ones(5), (6, 10))
    task = ob.QuantificationTask.from_arrays(gold, dict(zip("abcdef", runs, strict=True)))
    found = advice_on(task)
    assert set(found.criteria["power"]) == {"finds none"}
    assert any("No measure finds any significant difference" in doubt for doubt in found.doubts)


def test_needs_are_read_off_the_data():
    gold = [0, 0, 0, 1, 2, 2]
    runs = {"same": [1] * 6, "not": [0, 1, 2, 0, 1, 2]}
    task = ob.ClassificationTask.from_labels(gold, runs, ["t"] * 6, range(3))
    assert Needs.of(task) == Needs("classification", 3, ("same",), 3.0)
    empty = ob.ClassificationTask.from_labels([0, 0], {"a": [0, 1]}, ["t"] * 2, range(3))
    assert Needs.of(empty).imbalance == float("inf")
    even = ob.QuantificationTask.from_arrays([[0.5, 0.5]], {"a": [[1.0, 0.0]]})
    assert Needs.of(even) == Needs("quantification", 2, (), 1.0)
    assert Needs("quantification", 2).required == {}
    assert list(Needs("quantification", 3).required) == ["order"]
