"""The scripts of the pages compute what Python computes, to 1e-12, in one process of Node."""

import shlex
from dataclasses import replace
from functools import partial
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

import ordbook as ob
from helpers.explorers import LABELS, TOLERANCE, of_matrix, of_pair, of_samples
from ordbook.advice.choose import recommended
from ordbook.cli import main
from ordbook.measures import QUANTIFICATION
from ordbook.measures.components import dw, md, od
from ordbook.meta.items import item_intervals
from ordbook.pages import explorer, tryout

MORE = ("measures", "samples")


@pytest.fixture(scope="module")
def computed(javascript):
    """What a function of the scripts gives for some data."""
    return partial(javascript, [*tryout.SCRIPTS[:-1], *(f"explorer/{n}.js" for n in MORE)])


# What the explorers show


def random_pairs(n, seed=0):
    """Pairs of 3 to 9 classes: smooth, with zeros, of one class, equal, with ties and near ties."""
    rng = np.random.default_rng(seed)

    def sparse(size):
        kept = rng.random(size) < 0.5
        kept[rng.integers(size)] = True
        values = rng.dirichlet(np.ones(size)) * kept
        return values / values.sum()

    def votes(size):
        return rng.multinomial(10, np.ones(size) / size) / 10

    def nearly_tied(size):
        values = votes(size) + rng.choice([0, 3e-13, 3e-12], size)
        return values / values.sum()

    kinds = [
        lambda size: rng.dirichlet(np.ones(size)),
        lambda size: np.eye(size)[rng.integers(size)],
        lambda size: np.ones(size) / size,
        *(sparse, votes, nearly_tied),
    ]
    for _ in range(n):
        size = int(rng.integers(3, 10))
        gold = kinds[rng.integers(len(kinds))](size)
        equal = rng.random() < 0.1
        yield gold, gold.copy() if equal else kinds[rng.integers(len(kinds))](size)


def random_matrices(n, seed=0):
    """Matrices of 2 to 7 classes: with few and many items, empty classes, constant runs."""
    rng = np.random.default_rng(seed)
    for _ in range(n):
        size = int(rng.integers(2, 8))
        matrix = rng.poisson(rng.choice([0.2, 2, 30]), (size, size))
        for part in (matrix, matrix.T):
            if rng.random() < 0.3:
                part[rng.integers(size)] = 0
        if rng.random() < 0.1 or not matrix.sum():
            matrix[:] = 0
            matrix[rng.integers(size), rng.integers(size)] = 5
        yield matrix


def assert_close(theirs, ours):
    assert theirs == pytest.approx(ours, abs=TOLERANCE, rel=0)


def test_pairs_score_as_in_python(computed):
    pairs = list(random_pairs(250))
    both = "all => all.map(([g, p]) => [ordbookMeasures.all(g, p), ordbookMeasures.parts(g, p)])"
    found = computed(both, [[g.tolist(), p.tolist()] for g, p in pairs])
    for (gold, estimate), (scores, parts) in zip(pairs, found, strict=True):
        assert list(scores) == list(QUANTIFICATION), "the order of the registry"
        assert_close(scores, of_pair(gold, estimate))
        assert_close(parts["dw"], list(dw(gold, estimate)))
        assert_close(
            [parts["od"], sum(parts["differences"])], [od(gold, estimate), md(gold, estimate)]
        )
        assert np.flatnonzero(parts["supported"]).tolist() == np.flatnonzero(gold > 1e-12).tolist()


def test_matrices_score_as_in_python(computed):
    matrices = list(random_matrices(250))
    both = "all => all.map(cm => [ordbookConfusion.all(cm), ordbookConfusion.parts(cm)])"
    for matrix, (scores, parts) in zip(
        matrices, computed(both, [m.tolist() for m in matrices]), strict=True
    ):
        assert list(scores) == list(LABELS)
        assert_close(scores, of_matrix(matrix))
        off = np.abs(np.subtract.outer(*[np.arange(len(matrix))] * 2))
        chance = np.outer(matrix.sum(axis=1), matrix.sum(axis=0)) / matrix.sum()
        for name, counted in (("off", matrix), ("offByChance", chance)):
            sums = [counted[off == d].sum() for d in range(len(matrix))]
            np.testing.assert_allclose(parts[name], sums, atol=1e-9)


SAMPLE = """({packed, order, size, critical, runs}) => {
  const s = ordbookSamples;
  return packed.measures.map(({measure, scores}) => {
    const values = s.decode(scores);
    const all = s.whole(values, runs, {...critical, 100: critical[size]});
    const one = s.draw(values, runs, all, order, [size], critical)[size];
    return [measure, [one.tau, one.tauAll[0], one.pairs]];
  });
}"""


@pytest.mark.parametrize(("task", "size", "digits"), [("sem16t4e", 5, 15), ("sem16t4c", 20, 1)])
def test_samples_of_topics_rank_and_differ_as_in_python(computed, task, size, digits):
    scores = explorer._scores(task)
    rounded = replace(scores, values=scores.values.round(digits))  # 1 digit makes ties
    order = computed("draw => ordbookSamples.shuffled(draw, 100)", 7)
    assert sorted(order) == list(range(100))
    data = {"order": order, "size": size, "critical": explorer.critical(12, [size]), "runs": 12}
    found = dict(computed(SAMPLE, {**data, "packed": explorer._packed(rounded)}))
    for name, (tau, tau_all, pairs) in of_samples(rounded, order, size).items():
        assert_close(found[name][:2], [tau, tau_all])
        assert found[name][2] == pairs


def test_the_first_draw_is_counted_as_the_test_of_all_pairs_counts():
    scores = explorer._scores("sem16t4e")
    found = of_samples(scores, [*range(0, 100, 2), *range(1, 100, 2)], 10)
    for row in explorer._first_draw(scores, 10):
        assert (row["tau"], row["tau_all"], row["pairs"]) == found[row["measure"]]


# What the box makes of tables


def task_of(table, classes, topics=None):
    """The task of a table whose first column is gold."""
    topics = ["all"] * len(table) if topics is None else topics
    return ob.ClassificationTask.from_labels(table.iloc[:, 0], table.iloc[:, 1:], topics, classes)


def random_labels(rng, size, items):
    """A table of 1 to 4 runs, some of them constant or right."""
    table = pd.DataFrame({"gold": rng.choice(size, items, p=rng.dirichlet(np.ones(size)))})
    for k in range(int(rng.integers(1, 5))):
        answers = np.where(rng.random(items) < 0.6, table["gold"], rng.integers(size, size=items))
        table[f"run{k}"] = rng.integers(size) if rng.random() < 0.15 else answers
    return table.astype(int)


def labels():
    """Tables without a gap in their classes, whose runs all have a label of gold."""
    rng = np.random.default_rng(0)
    for k in range(60):
        table = random_labels(rng, int(rng.integers(2, 8)), int(rng.choice([2, 7, 40, 200])))
        values = np.unique(table)
        is_shared = all({*table[name]} & {*table["gold"]} for name in table)
        if len(values) > 1 and np.diff(values).max() == 1 and is_shared:
            text = table.to_csv(index=False, sep="\t,; "[k % 4])
            yield text, {}, task_of(table, range(values[0], values[-1] + 1)), "topic"


def topics():
    """The same with topics, averaged and pooled."""
    rng = np.random.default_rng(1)
    for _ in range(30):
        table = random_labels(rng, 3, 40)
        if len(np.unique(table)) == 3 and all({*table[name]} & {*table["gold"]} for name in table):
            topic = rng.integers(1, 6, size=len(table))
            task = task_of(table, range(3), topic)
            text = table.assign(topic=topic).to_csv(index=False)
            yield text, {}, task, "topic"
            yield text, {"pooled": True}, task, "pooled"


def whole_tasks():
    """Tasks of the catalogue, as one pool."""
    for name in ("fair-oc", "hanna-CH"):
        task = ob.load(name)
        runs = dict(zip(task.runs, task.predicted, strict=True))
        table = pd.DataFrame({"gold": task.gold, **runs}) + 1
        yield table.to_csv(index=False), {}, task, "pooled"


def people():
    """Gold by two to four people with gaps, with topics or without."""
    rng = np.random.default_rng(5)
    for place in range(6):
        golds = ["Ann", "Bob", "Cy", "Dan"][: 2 + place % 3]
        names = [*golds, "one", "two"]
        items = int(rng.choice([20, 60]))
        quality = np.clip(rng.integers(1, 6, (items, 1)) + rng.integers(-1, 2, (items, 6)), 1, 5)
        table = pd.DataFrame(quality[:, : len(names)], columns=names).astype("Int64")
        gaps = rng.random((items, len(golds))) < rng.choice([0.1, 0.5], len(golds))
        gaps[np.arange(items), rng.integers(len(golds), size=items)] = False
        table[golds] = table[golds].mask(gaps)
        topic = "topic" if place % 2 else None
        if topic:
            table.insert(0, "topic", np.sort(rng.integers(items // 5, size=items)))
        task = ob.from_ratings(
            table.reset_index(names="row"), item="row", annotator=golds, gold="median",
            ties="lower", runs=names[-2:], topic=topic, classes=range(1, 6),
        )  # fmt: skip
        yield table.to_csv(index=False), {"golds": golds}, task, "topic"


def assert_scored(result, task, aggregate):
    """The box has the scores of the package, and ranks by the measure that it recommends."""
    means = ob.score(task, aggregate=aggregate).means()
    ours = pd.DataFrame({run["name"]: run["scores"] for run in result["runs"]}).T
    assert sorted(ours.index) == sorted(means.index)
    assert set(ours) == set(means)
    assert np.abs(ours.loc[means.index, list(means)] - means).to_numpy().max() <= TOLERANCE
    scores = ob.score(task, result["measures"], aggregate=aggregate)
    sign = -1 if scores.better[result["by"]] == "high" else 1
    assert all(x <= y + TOLERANCE for x, y in pairwise(sign * ours[result["by"]]))
    if aggregate == "topic":
        assert result["favoured"] == recommended(scores, task)[0]


@pytest.mark.parametrize("kind", [labels, topics, whole_tasks, people])
def test_tables_score_as_in_python(computed, kind):
    cases = list(kind())
    analyse = "all => all.map(([text, options]) => ordbookRanking.analyse(text, options))"
    data = [[text, {**options, "resamples": 1}] for text, options, *_ in cases]
    for (_, options, task, aggregate), result in zip(cases, computed(analyse, data), strict=True):
        assert_scored(result, task, aggregate)
        if "golds" in options:
            rows = [*result["ceiling"]["people"], *result["ceiling"]["runs"]]
            ceiling = ob.human_ceiling(task, [result["by"]])
            assert [row["name"] for row in rows] == list(ceiling.index)
            assert_close([row["score"] for row in rows], list(ceiling[result["by"]]))


def test_intervals_are_those_of_the_package(computed):
    rng = np.random.default_rng(0)
    gold = rng.integers(1, 6, 400)
    noisy = np.where(rng.random(400) < 0.7, gold, rng.integers(1, 6, 400))
    large = pd.DataFrame({"gold": gold, "A": noisy})
    # A thousand resamples, and of ten items, few different scores.
    for table, tolerance in ((tryout.example(), 0.06), (large, 0.01)):
        result = computed("text => ordbookRanking.analyse(text)", table.to_csv(index=False))
        theirs = item_intervals(task_of(table, range(1, 6)), [result["by"]], resamples=20_000)
        for run in result["runs"]:
            wanted = theirs.set_index("run").loc[run["name"], ["low", "high"]]
            assert run["interval"] == pytest.approx(list(wanted), abs=tolerance)


TOPICS = "topic;gold;A;it's;a, b\n" + "\n".join(
    f'"{topic}";{k % 3 + 1};{(k + step) % 3 + 1};{k * k % 3 + 1};{k % 2 + 1}'
    for topic, step in (("one, two", 0), ("né", 1))
    for k in range(8)
)
TAKEN = {
    "words": (
        'gold,A,B\nlow,low,high\nhigh,"mid, or so",high\n"mid, or so",low,low',
        {"order": ["high", "low", "mid, or so"]},
    ),
    "topics": (TOPICS, {"pooled": True}),
    "people": (
        "\n".join(["Ada;Ben;A;B", *["1,5;;1;2", "2;2,5;2;1", ";3;3;3", "4;4;3;4"] * 3]),
        {"golds": ["Ada", "Ben"]},
    ),
}


@pytest.mark.parametrize("name", TAKEN)
def test_what_is_taken_away_has_the_scores_of_the_box(computed, tmp_path, monkeypatch, name):
    text, options = TAKEN[name]
    result, csv, shell, python = computed(
        """([text, options]) => {
          const result = ordbookRanking.analyse(text, options);
          const csv = ordbookTake.csv(ordbookTable.read(text, options));
          return [result, csv, ordbookTake.shell(result), ordbookTake.python(result)];
        }""",
        [text, options],
    )
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ratings.csv").write_text(csv, encoding="utf-8")
    scope: dict = {}
    *statements, last = python.split("\n")
    exec("\n".join(statements), scope)
    means = eval(last, scope)
    ours = pd.DataFrame({run["name"]: run["scores"] for run in result["runs"]}).T
    assert np.abs(ours.loc[means.index, list(means)] - means).to_numpy().max() <= TOLERANCE
    for command in shell.split("\n"):
        assert main(shlex.split(command)[1:]) == 0
    assert_scored(result, ob.load("my-task"), "pooled" if options.get("pooled") else "topic")
