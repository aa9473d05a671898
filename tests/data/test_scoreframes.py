"""Score matrices from DataFrames, long and wide, and back."""

import numpy as np
import pandas as pd
import pytest

import ordbook as ob


@pytest.fixture(scope="module")
def scores():
    random = np.random.default_rng(0)
    gold = random.dirichlet([1, 1, 1], 4)
    runs = {name: random.dirichlet([1, 1, 1], 4) for name in ("r2", "r1", "r3")}
    task = ob.QuantificationTask.from_arrays(gold, runs, topics=["b", "a", "10", "9"], name="toy")
    return ob.score(task, ["NMD", "RNOD"])


def same(found, scores, *, order=True):
    """Whether two matrices hold the same scores, in the same order or in any."""
    if order:
        assert (found.measures, found.topics, found.runs) == (
            scores.measures,
            scores.topics,
            scores.runs,
        )
    assert set(found.measures) == set(scores.measures)
    for measure in scores.measures:
        frame = found[measure].loc[list(scores.topics), list(scores.runs)]
        pd.testing.assert_frame_equal(frame, scores[measure], check_exact=True)
    assert found.better == scores.better
    assert (found.task, found.source) == ("yours", "yours")
    return True


def test_there_and_back(scores):
    long = scores.to_frame()
    assert list(long) == ["measure", "topic", "run", "score"]
    assert len(long) == 2 * 4 * 3
    row = long.query("measure == 'RNOD' and topic == '10' and run == 'r1'")
    assert row["score"].item() == scores["RNOD"].loc["10", "r1"]
    assert same(ob.ScoreMatrix.from_frame(long), scores)


def test_every_form_gives_the_same_matrix(scores):
    long = scores.to_frame()
    by_measure = {name: scores[name] for name in scores.measures}
    forms = {
        "other columns": long.assign(team="x")[["score", "team", "run", "measure", "topic"]],
        "several wide": by_measure,
        "with a column of topics": {name: x.reset_index() for name, x in by_measure.items()},
        "nullable": long.astype({"score": "Float64"}),
        "nullable and wide": {name: x.astype("Float64") for name, x in by_measure.items()},
    }
    for name, form in forms.items():
        assert same(ob.ScoreMatrix.from_frame(form), scores), name


def test_rows_and_columns_go_by_their_labels(scores):
    long = scores.to_frame().sample(frac=1, random_state=1)
    assert same(ob.ScoreMatrix.from_frame(long), scores, order=False)
    wide = {"NMD": scores["NMD"], "RNOD": scores["RNOD"].iloc[::-1, [1, 2, 0]]}
    assert same(ob.ScoreMatrix.from_frame(wide), scores)


def test_one_measure_and_numbers_as_names(scores):
    wide = pd.DataFrame([[1, 2], [3, 4]], index=[10, 9], columns=[2, 1])
    found = ob.ScoreMatrix.from_frame(wide, measure="wins", better="high", task="league")
    assert (found.task, found.topics, found.runs) == ("league", ("10", "9"), ("2", "1"))
    assert (found.values.dtype, found.values.tolist()) == (np.float64, [[[1, 2], [3, 4]]])
    assert found.better == {"wins": "high"}
    long = scores.to_frame().query("measure == 'NMD'").drop(columns="measure")
    assert same(ob.ScoreMatrix.from_frame(long, measure="NMD"), scores.select(["NMD"]))


WIDE = pd.DataFrame({"A": [0.1, 0.3, 0.5], "B": [0.2, 0.2, 0.8]}, index=["s", "t", "u"])
NMD = {"measure": "NMD"}
WINS = {"measure": "wins", "better": "high"}
# of scores, a frame and what is said of it -> how it is refused
REFUSED = [
    (lambda s: s.to_frame().iloc[:-1], {}, "no score for RNOD, 9, r3; add the missing scores"),
    (
        lambda s: pd.concat([s.to_frame(), s.to_frame().iloc[[5]]]),
        {},
        "NMD, a, r3 has two scores; keep one",
    ),
    (lambda s: s.to_frame().assign(score=np.nan), {}, "NMD of run 'r2' on topic 'b' is no number"),
    (
        lambda s: s.to_frame().rename(columns={"score": "Score"}),
        {},
        "which measure gave these scores. Pass a DataFrame with the columns measure, topic, run",
    ),
    (lambda s: s.to_frame().replace("RNOD", "rnod"), {}, "'rnod' is not one of ordbook's; say"),
    (lambda s: s["NMD"], {}, "which measure gave these scores"),
    (lambda s: {"NMD": s["NMD"].T}, {}, r"NMD: the rows are to be topics .* pass frame\.T"),
    (lambda s: s["NMD"] + 1, NMD, "NMD, b, r2 is 1.28588, and scores by NMD are from 0 to 1"),
    (
        lambda s: s["NMD"],
        NMD | {"better": {"RNOD": "low"}},
        "names the measure 'RNOD'; there are NMD",
    ),
    (lambda s: WIDE, {"measure": "kappa", "better": "low"}, "'low' for kappa, of which high sc"),
    (lambda s: pd.concat([WIDE, WIDE.mean().to_frame("Mean").T]), WINS, "'Mean' is a total"),
]


@pytest.mark.parametrize(("change", "said", "message"), REFUSED)
def test_what_is_no_matrix_is_refused_in_one_line(change, said, message, scores):
    with pytest.raises(ValueError, match=message) as refusal:
        ob.ScoreMatrix.from_frame(change(scores), **said)
    assert str(refusal.value).startswith("yours: ")
    assert "\n" not in str(refusal.value)


def test_what_only_looks_like_it_is_taken():
    named = pd.concat([WIDE, pd.DataFrame({"A": [0.9], "B": [0.1]}, index=["all"])])
    assert ob.ScoreMatrix.from_frame(named, **WINS).topics[-1] == "all"
    found = ob.ScoreMatrix.from_frame({"kappa": WIDE, "mine": WIDE}, better="low")
    assert found.better == {"kappa": "high", "mine": "low"}


def test_topics_that_are_only_numbered_are_refused():
    """As of a CSV file, whose first column is then taken for a run."""
    frame = pd.DataFrame({"dialogue": [17, 5, 40], "A": [12.0, 11, 9], "B": [13.0, 10, 12]})
    said = {"measure": "err", "better": "low"}
    with pytest.raises(ValueError, match="the index only numbers the rows; pass frame.set_index"):
        ob.ScoreMatrix.from_frame(frame, **said)
    named = ob.ScoreMatrix.from_frame(frame.set_index("dialogue"), **said)
    assert (named.topics, named.runs) == (("17", "5", "40"), ("A", "B"))
    meant = ob.ScoreMatrix.from_frame(frame.rename_axis("topic"), **said)
    assert (meant.topics, meant.runs) == (("0", "1", "2"), ("dialogue", "A", "B"))


def test_tables_of_polars_are_read_as_those_of_pandas():
    polars = pytest.importorskip("polars")
    cells = {"topic": ["s", "t"], "A": [0.1, 0.2], "B": [0.3, 0.1]}
    scores = ob.ScoreMatrix.from_frame(polars.DataFrame(cells), measure="NMD")
    assert (scores.topics, scores["NMD"]["B"].tolist()) == (("s", "t"), [0.3, 0.1])
    long = polars.DataFrame(scores.to_frame().to_dict("list"))
    assert ob.ScoreMatrix.from_frame(long).values.tolist() == scores.values.tolist()
