"""The box on the first page computes what Python computes, and reads what people paste."""

import shlex
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

import ordbook as ob
from ordbook.advice.choose import recommended
from ordbook.cli import main
from ordbook.files import share
from ordbook.meta.items import item_intervals
from ordbook.pages import tryout

SHARES = ("RPS", "NMD", "RNOD", "NVD", "RNSS", "JSD")  # the columns of a table of shares
TOLERANCE = 1e-12  # both compute in doubles, but numpy may add in another order


def scripts(*names):
    """The texts of scripts of the box."""
    return list(map(tryout._script, names))


@pytest.fixture(scope="module")
def analysed(javascript):
    """What the scripts make of texts, each with options: a result, or the message of an error."""
    program = """(all) => all.map(([text, options]) => {
      try { return ordbookRanking.analyse(text, options); }
      catch (problem) {
        if (!(problem instanceof RangeError)) throw problem;
        return problem.message;
      }
    })"""

    def analyse(*texts, **options):
        return javascript(scripts(*tryout.ENGINE), program, [[text, options] for text in texts])

    return analyse


def task_of(table, classes, topics=None):
    """The task of a table whose first column is gold."""
    return ob.ClassificationTask.from_labels(
        table.iloc[:, 0],
        table.iloc[:, 1:],
        topics if topics is not None else ["all"] * len(table),
        classes,
    )


def assert_scored(result, task, aggregate="topic"):
    """The box has the scores of the package, and ranks by the measure that it recommends."""
    means = ob.score(task, aggregate=aggregate).means()
    ours = pd.DataFrame({run["name"]: run["scores"] for run in result["runs"]}).T
    assert sorted(ours.index) == sorted(means.index)
    assert set(ours) == set(means)
    assert np.abs(ours.loc[means.index, list(means)] - means).to_numpy().max() <= TOLERANCE
    scores = ob.score(task, result["measures"], aggregate=aggregate)
    sign = -1 if scores.better[result["by"]] == "high" else 1
    order = list(sign * ours[result["by"]])
    assert all(x <= y + TOLERANCE for x, y in pairwise(order))
    if aggregate == "topic":
        assert result["favoured"] == recommended(scores, task)[0]


def random_tables(n, seed=0):
    """Tables of 1 to 4 runs and 2 to 7 classes: few and many items, constant runs, rare classes."""
    rng = np.random.default_rng(seed)
    for _ in range(n):
        size, items = int(rng.integers(2, 8)), int(rng.choice([2, 7, 40, 200]))
        gold = rng.choice(size, items, p=rng.dirichlet(np.ones(size)))
        table = pd.DataFrame({"gold": gold})
        for k in range(int(rng.integers(1, 5))):
            answers = np.where(rng.random(items) < 0.6, gold, rng.integers(size, size=items))
            table[f"run{k}"] = rng.integers(size) if rng.random() < 0.15 else answers
            if rng.random() < 0.05:
                table[f"run{k}"] = gold
        yield table.astype(int)


def test_tables_score_as_in_python(analysed):
    tables = []
    for table in random_tables(200):
        values = np.unique(table)
        shared = [set(table[name]) & set(table["gold"]) for name in table]
        # Without a gap, and every run with a label of gold: others are asked about, or left out.
        if len(values) > 1 and np.diff(values).max() == 1 and all(shared):
            tables.append(table)
    texts = [table.to_csv(index=False, sep="\t,; "[k % 4]) for k, table in enumerate(tables)]
    assert len(tables) > 100
    for table, result in zip(tables, analysed(*texts, resamples=1), strict=True):
        assert_scored(result, task_of(table, range(table.min().min(), table.max().max() + 1)))


@pytest.mark.parametrize("name", ["fair-oc", "hanna-CH"])
def test_whole_tasks_score_as_in_python(analysed, name):
    task = ob.load(name)
    runs = dict(zip(task.runs, task.predicted, strict=True))
    numbers = pd.DataFrame({"gold": task.gold, **runs}) + 1
    result = analysed(numbers.to_csv(index=False))[0]
    assert_scored(result, task_of(numbers, range(numbers.min().min(), numbers.max().max() + 1)))
    assert_scored(result, task, "pooled")


def test_topics_score_as_in_python(analysed):
    rng = np.random.default_rng(1)
    tables = []
    for table in random_tables(80, seed=1):
        if len(table) > 7 and np.unique(table["gold"]).size > 2:
            table.insert(0, "topic", rng.integers(1 + len(table) // 8, size=len(table)))
            shared = [set(table[name]) & set(table["gold"]) for name in table]
            if np.diff(np.unique(table.iloc[:, 1:])).max() == 1 and all(shared[1:]):
                tables.append(table)
    task = ob.load("fair-oc")
    runs = dict(zip(task.runs, task.predicted, strict=True))
    tables.append(pd.DataFrame({"topic": task.topic, "gold": task.gold, **runs}))
    assert len(tables) > 20
    texts = [table.to_csv(index=False) for table in tables]
    results = [analysed(*texts, resamples=1, pooled=pooled) for pooled in (False, True)]
    for table, result, pooled in zip(tables, *results, strict=True):
        labels = table.iloc[:, 1:]
        classes = range(labels.min().min(), labels.max().max() + 1)
        task = task_of(labels, classes, table["topic"])
        assert max(1, len(result["topics"])) == len(task.topics)
        assert_scored(result, task)
        assert_scored(pooled, task, "pooled")
    assert result["sentences"][2].startswith("Of all items as one pool, ")


def random_shares(n, seed=0):
    """Long tables of shares, counts, percentages and rounded shares, with the task that each holds.

    They have 1 to 6 topics, 1 to 4 runs and 2 to 7 classes, and rows and columns in any order.
    """
    rng = np.random.default_rng(seed)
    for place in range(n):
        size, topics = int(rng.integers(2, 8)), int(rng.integers(1, 7))
        sources = {}
        for name in ["gold", *(f"run{k}" for k in range(rng.integers(1, 5)))]:
            shares = rng.dirichlet(np.ones(size) * rng.choice([0.2, 1]), topics)
            form = rng.choice(["shares", "counts", "percentages", "rounded"])
            sources[name] = {
                "shares": shares,
                "counts": rng.multinomial(20, shares),
                "percentages": shares * 100,
                "rounded": shares.round(3),
            }[form]
        names = list(map(str, range(1, size + 1)))
        table = pd.concat(
            pd.DataFrame(rows, columns=names).assign(topic=range(topics), run=name).astype(object)
            for name, rows in sources.items()
        ).sample(frac=1, random_state=place)
        divided = {
            name: rows
            if abs(rows.sum(axis=1) - 1).max() < 1e-5
            else rows / rows.sum(axis=1)[:, None]
            for name, rows in sources.items()
        }
        gold = divided.pop("gold")
        task = ob.QuantificationTask.from_arrays(gold, divided, classes=names)
        yield table[rng.permutation(list(table))], task


@pytest.mark.parametrize("count", [60, pytest.param(1000, marks=pytest.mark.slow)])
def test_random_tables_of_shares_score_as_in_python(analysed, count):
    pairs = list(random_shares(count))
    texts = [table.to_csv(index=False, sep="\t,; "[k % 4]) for k, (table, _) in enumerate(pairs)]
    for (_, task), result in zip(pairs, analysed(*texts, resamples=1), strict=True):
        assert_scored(result, task)
        assert (result["by"], result["measures"]) == (SHARES[0], list(SHARES))


def test_the_bootstrap_of_shares_draws_topics(analysed):
    rng = np.random.default_rng(4)
    gold, run = rng.dirichlet(np.ones(4), (2, 60))
    table = pd.concat(
        pd.DataFrame(rows, columns=list("1234")).rename_axis("topic").assign(run=name)
        for name, rows in {"gold": gold, "A": run}.items()
    ).reset_index()
    result = analysed(table.to_csv(index=False))[0]
    scores = ob.rps(gold, run)
    means = scores[rng.integers(60, size=(20_000, 60))].mean(axis=1)
    wanted = list(np.quantile(means, [0.025, 0.975]))
    assert result["runs"][0]["interval"] == pytest.approx(wanted, abs=0.005)


def test_sentences_on_shares_tell_what_decides(analysed):
    text = tryout.example_of_shares().to_csv(index=False, sep="\t")
    by = {name: analysed(text, by=name)[0]["sentences"] for name in SHARES}
    assert by["NMD"] == [
        "By RNOD, NVD, RNSS and JSD careful wins, by NMD bold: careful misplaces 0.40 of the mass "
        "by 2.4 steps on average, bold 0.60 by 1.3.",
        "NMD may reward a bet: a run that always puts everything on 3 would have 0.240 here, and "
        "no run is worse.",
    ]
    assert by["RNOD"][1].endswith("careful is too high in 0 topics and too low in 5.")
    assert by["JSD"][1] == (
        "JSD does not see how far mass is misplaced: that of careful is on average 2.4 steps off, "
        "and would cost the same one step off."
    )


def test_gold_by_several_people_has_the_ceiling_of_the_package(analysed):
    case = pd.read_csv(share("data", "examples", "ratings", "ratings.csv"))
    rng = np.random.default_rng(2)
    names = ["Ann", "Bob", "Cy", "Dan", "one", "two"]
    larger = pd.DataFrame(rng.integers(1, 6, (90, 6)), columns=names)
    larger.insert(0, "topic", np.repeat(list("pqr"), 30))
    for table, people, runs, topic in (
        (case, ["Ada", "Ben", "Eve"], ["bold", "careful"], None),
        (larger, names[:4], names[4:], "topic"),
        (larger.drop(columns="topic"), names[:2], names[4:], None),
    ):
        kept = table[[*([topic] if topic else []), *people, *runs]]
        text = kept.to_csv(index=False)
        task = ob.from_ratings(
            kept.reset_index(names="row"), item="row", annotator=people, gold="median",
            ties="lower", runs=runs, topic=topic, classes=range(1, 6),
        )  # fmt: skip
        ceiling = ob.human_ceiling(task, tryout.MEASURES)
        for measure in tryout.MEASURES:
            result = analysed(text, golds=people, by=measure)[0]
            assert_scored(result, task)
            rows = [*result["ceiling"]["people"], *result["ceiling"]["runs"]]
            scores = {row["name"]: row["score"] for row in rows}
            assert list(scores) == list(ceiling.index)
            assert list(scores.values()) == pytest.approx(list(ceiling[measure]), abs=TOLERANCE)
    result = analysed(case.to_csv(index=False), golds=["Ada", "Ben", "Eve"])[0]
    assert result["sentences"][-1].endswith(
        "On the same gold careful has 0.657, better than every person."
    )
    words = analysed("a,b,c\nx,y,z\ny,y,x\nz,x,y", golds=["a", "b"])[0]
    assert "runs" not in words


def test_people_may_have_gaps_as_in_the_package(analysed):
    rng = np.random.default_rng(5)
    for place in range(6):
        people = ["Ann", "Bob", "Cy", "Dan"][: 2 + place % 3]
        names = [*people, "one", "two"]
        items = int(rng.choice([20, 60]))
        quality = np.clip(rng.integers(1, 6, (items, 1)) + rng.integers(-1, 2, (items, 6)), 1, 5)
        table = pd.DataFrame(quality[:, : len(names)], columns=names).astype("Int64")
        gaps = rng.random((items, len(people))) < rng.choice([0.1, 0.5], len(people))
        gaps[np.arange(items), rng.integers(len(people), size=items)] = False
        table[people] = table[people].mask(gaps)
        topic = "topic" if place % 2 else None
        if topic:
            table.insert(0, "topic", np.sort(rng.integers(items // 5, size=items)))
        task = ob.from_ratings(
            table.reset_index(names="row"), item="row", annotator=people, gold="median",
            ties="lower", runs=names[-2:], topic=topic, classes=range(1, 6),
        )  # fmt: skip
        ceiling = ob.human_ceiling(task, tryout.MEASURES)
        for measure in tryout.MEASURES:
            result = analysed(table.to_csv(index=False), golds=people, by=measure, resamples=1)[0]
            assert (result["errors"], result["items"]) == ([], items)
            assert_scored(result, task)
            rows = [*result["ceiling"]["people"], *result["ceiling"]["runs"]]
            assert [row["name"] for row in rows] == list(ceiling.index)
            ours = np.array([row["score"] for row in rows])
            assert np.abs(ours - ceiling[measure]).max() <= TOLERANCE
            assert [row.get("items") for row in rows[:-2]] == list(ceiling["items"])[:-2]
    text = "Ada,Ben,A\n1,,1\n,2,2\n,,3\n4,5,\n4,5,4\n1,1,1\nx,2,2\n3,2,3"
    result = analysed(text, golds=["Ada", "Ben"])[0]
    assert {error["cause"]: error["cells"] for error in result["errors"]} == {
        "item that no person rated": ["row 4"],
        "empty cell": ["row 5, A"],
        "not a number": ["row 8, Ada (x)"],
    }
    left = analysed(text, golds=["Ada", "Ben"], skip=True)[0]
    assert (left["items"], left["rows"], left["runs"][0]["counts"][3]) == (5, 8, [0, 0, 0, 1, 0])
    apart = analysed("Ada,Ben,A\n1,,1\n,2,2\n,1,2", golds=["Ada", "Ben"])[0]
    assert apart["ceiling"] is None
    assert len(apart["sentences"]) == 2
    few = "\n".join(["a,b,c,run", *["1,1,,1", "2,2,,1", "3,3,,3"] * 5, "1,3,3,1"])
    assert "(c)" not in analysed(few, golds=list("abc"), by="MAE_M")[0]["sentences"][-1]


def test_a_run_between_two_classes_is_an_error_unless_gold_has_half_points(analysed):
    rows = ["gold,gpt,llama", "1,1,2", "2,2,4.5", "3,3,3", "4,5,4", "5,6,5", "5,,5", "4,5,4"]
    text = "\n".join(rows)
    result = analysed(text)[0]
    assert "runs" not in result
    assert {error["cause"]: error["cells"] for error in result["errors"]} == {
        "rating between two classes": ["row 3, llama (4.5)"],
        "empty cell": ["row 7, gpt"],
    }
    left = analysed(text, skip=True)[0]
    assert (left["classes"], left["steps"], left["items"]) == (list("123456"), "", 5)
    kept = pd.DataFrame({"gold": [1, 3, 4, 5, 4], "gpt": [1, 3, 5, 6, 5], "llama": [2, 3, 4, 5, 4]})
    assert_scored(left, task_of(kept, range(1, 7)))
    for people, half in (([], "gold"), (["gold", "Ben"], "Ben")):
        table = pd.DataFrame({"gold": [1, 2, 3], "Ben": [1, 2, 2], "A": [1, 1.5, 3]}).astype(float)
        table.loc[1, half] = 2.5
        result = analysed(table.to_csv(index=False), golds=people)[0]
        assert result["classes"] == ["1", "1.5", "2", "2.5", "3"]
        assert result["steps"] == " in steps of 0.5"
        table.loc[2, "A"] = 2.25
        (error,) = analysed(table.to_csv(index=False), golds=people)[0]["errors"]
        assert (error["cause"], error["cells"]) == (
            "rating between two classes",
            ["row 4, A (2.25)"],
        )


PEOPLE = "item;Ada;Ben;Eve;gpt;llama\na;1;2;1;1;2\nb;2;2;3;3;2\nc;3;3;3;3;1"


def test_no_column_is_gold_that_nobody_named_so(analysed, subtests):
    heads = ["item,human,A", "item,Reference,A", "label,A", "A,ground_truth", "A,gold_label"]
    for head in [*heads, "human rating,A", "grade (x),y_true"]:
        with subtests.test(head=head):
            columns = head.split(",")
            rows = [",".join(f"x{k}" if name == "item" else k for name in columns) for k in "121"]
            result = analysed("\n".join([head, *rows]))[0]
            assert result["golds"] == [
                next(n for n in columns if n not in ("item", "A", "grade (x)"))
            ]
    for text in (PEOPLE, "1 2\n2 2", PEOPLE.replace("Ben", "human").replace("Eve", "gold")):
        with subtests.test(text=text):
            result = analysed(text)[0]
            assert "Which columns hold gold" in result["question"]
            assert "runs" not in result
    for golds in (["Ben"], ["Ada", "Eve"]):
        result = analysed(PEOPLE, golds=golds)[0]
        assert (result["golds"], len(result["runs"])) == (golds, 5 - len(golds))


def test_both_medians_are_shown_and_a_change_of_the_leader_is_told(analysed):
    rows = ["Ann,Bob,strict,kind", *["1,1,1,1", "2,2,2,2", "1,2,1,2", "2,3,2,3", "3,3,3,3"] * 3]
    table = pd.DataFrame([row.split(",") for row in rows[1:]], columns=rows[0].split(","))
    result = analysed("\n".join(rows), golds=["Ann", "Bob"])[0]
    for ends, scores in (
        ("lower", lambda run: run["scores"]["kappa"]),
        ("upper", lambda run: run["upper"]),
    ):
        task = ob.from_ratings(
            table.reset_index(names="item"), annotator=["Ann", "Bob"], gold="median", ties=ends,
            runs=["strict", "kind"], classes=range(1, 4),
        )  # fmt: skip
        means = ob.score(task, ["kappa"]).means()["kappa"]
        assert {run["name"]: scores(run) for run in result["runs"]} == pytest.approx(dict(means))
    assert result["sentences"][0] == (
        "The two middle ratings of 6 of 15 items differ, and the winner depends on which of them "
        "is gold: with the lower strict is first by kappa, with the upper kind."
    )
    same = analysed("\n".join([*rows, *["3,3,3,1"] * 9]), golds=["Ann", "Bob"])[0]["sentences"]
    assert any(text.endswith("strict would be first by kappa, too.") for text in same)


def test_codes_for_no_answer_are_asked_about(analysed, subtests):
    for labels, codes in (
        ([1, 2, 3, -1, 99], ["-1", "99"]), ([1, 5, 3, 2, -9, -8], ["-9", "-8"]), ([1, 2, 9], ["9"]),
        ([-1, 0, 1], None), ([-2, -1, 0, 1, 2], None), ([7, 8, 9], None), ([0, 50, 100], None),
        ([-3, -2, -1], None),
    ):  # fmt: skip
        with subtests.test(labels=labels):
            text = "\n".join(["gold,A", *(f"{label},{label}" for label in labels * 2)])
            result = analysed(text)[0]
            assert (result["codes"] if "question" in result else None) == codes
    text = "Ann,Bob,A\n1,-1,1\n2,2,2\n3,3,-1\n-1,2,3"
    result = analysed(text, golds=["Ann", "Bob"], codes="gaps")[0]
    assert [error["cells"] for error in result["errors"]] == [["row 4, A"]]
    left = analysed(text, golds=["Ann", "Bob"], codes="gaps", skip=True)[0]
    assert (left["classes"], left["items"]) == (["1", "2", "3"], 3)
    kept = analysed(text, golds=["Ann", "Bob"], codes="classes")[0]
    assert (kept["classes"], kept["asks"]) == (["-1", "1", "2", "3"], True)


def test_empty_cells_hide_no_word_among_numbers(analysed):
    result = analysed("gold,A\n1,1\n1,\n2,5\n3,x\n4,4\n2,2", gold="gold")[0]
    assert [error["cause"] for error in result["errors"]] == ["empty cell", "not a number"]


def test_the_example_has_the_intervals_of_the_package(analysed):
    table = tryout.example()
    rng = np.random.default_rng(0)
    gold = rng.integers(1, 6, 400)
    noisy = np.where(rng.random(400) < 0.7, gold, rng.integers(1, 6, 400))
    large = pd.DataFrame({"gold": gold, "A": noisy})
    for frame, tolerance in ((table, 0.06), (large, 0.01)):
        result = analysed(frame.to_csv(index=False, sep="\t"))[0]
        task = task_of(frame, range(1, 6))
        theirs = item_intervals(task, [result["by"]], resamples=20_000).set_index("run")
        for run in result["runs"]:
            # A thousand resamples, and of ten items, few different scores.
            wanted = theirs.loc[run["name"], ["low", "high"]]
            assert run["interval"] == pytest.approx(list(wanted), abs=tolerance)


def test_long_tables_are_read_as_wide_ones(analysed):
    wide = pd.read_csv(share("data", "examples", "ratings", "ratings.csv"))
    golds = ["Ada", "Ben", "Eve"]
    long = wide.melt("item", var_name="annotator", value_name="rating").sample(frac=1)
    results = analysed(*(table.to_csv(index=False) for table in (wide, long)), golds=golds)
    scores = [{run["name"]: run["scores"] for run in result["runs"]} for result in results]
    assert (scores[0], results[1]["long"]) == (scores[1], True)
    twice = pd.concat([long, long.tail(1)]).to_csv(index=False)
    (name, item), message = long.iloc[-1][["annotator", "item"]], analysed(twice)[0]
    assert message.startswith(f"{name} rated {item} twice, the second time in row {len(long) + 2}.")


def test_the_example_says_where_measures_disagree_and_what_they_do_not_see(analysed):
    text = tryout.example().to_csv(index=False, sep="\t")
    by = {name: analysed(text, by=name)[0] for name in tryout.MEASURES}
    assert by["kappa"]["sentences"] == [
        "By accuracy bold wins, by kappa careful: bold is on average 3.3 steps off in its 3 "
        "errors, careful 1.0 in its 5 errors.",
        "kappa does not say in which direction a run errs: careful is 4 times too high and "
        "once too low.",
    ]
    assert [run["name"] for run in by["accuracy"]["runs"]] == ["bold", "careful"]
    assert "bold is more than one step off 3 times" in by["accuracy"]["sentences"][1]
    assert "always answers 3 would have 1.200" in by["MAE_M"]["sentences"][1]
    constant = [1, 2, 3, 3, 3, 4, 5]
    table = pd.DataFrame({"gold": constant, "A": 3, "B": 2, "C": [1, 3, 3, 4, 4, 5, 5]})
    result = analysed(table.to_csv(index=False), by="kappa")[0]
    assert result["sentences"][1].startswith(
        "A and B have a kappa of 0, because none of them looks"
    )
    for name in {"alpha_ord", "QWK"} & {*by}:
        assert by[name]["sentences"][1] == f"{name} can rise when a right answer is made wrong."
    gold = [1, *[2] * 7, 3]
    table = pd.DataFrame({"gold": gold, "reads": [1, 3, 1, 3, *[2] * 4, 3], "idle": 2})
    result = analysed(table.to_csv(index=False))[0]
    assert (
        result["sentences"][0]
        == "By MAE_mu and accuracy idle wins, by kappa reads: idle always answers 2."
    )


# What people paste: text, options, what must be in the result.
READ = [
    (
        "1 2\n2 2\n1 1",
        {"golds": ["column 1"]},
        {"named": False, "separator": " ", "classes": ["1", "2"]},
    ),
    (
        "A;B\n1;2\n2;2\n1;1",
        {"golds": ["A"]},
        {"named": True, "names": ["A", "B"], "separator": ";"},
    ),
    ("B,gold\n1,2\n2,2", {}, {"golds": ["gold"], "roles": ["run", "gold"]}),
    (
        "item,gold,A\nx1,1,2\nx2,2,2",
        {},
        {"roles": ["item", "gold", "run"]},
    ),
    ("| gold | A |\n|:--|--:|\n| 1 | 2 |\n| 2 | |", {"skip": True}, {"separator": "|", "items": 1}),
    ("gold | A\n--- | ---\n1 | 2\n2 | 2", {}, {"separator": "|", "items": 2}),
    ("item,101,102\n1,1,2\n2,2,2", {}, {"named": True, "names": ["item", "101", "102"]}),
    ("101,102\n" + "1,2\n2,2\n" * 4, {}, {"named": True, "rows": 8}),
    (
        ",gold,A\n0,1,2\n1,2,2",
        {},
        {"names": ["index", "gold", "A"], "roles": ["item", "gold", "run"]},
    ),
    ("gold,A\n4.5,4\n3,3.5\n2,3", {}, {"roles": ["gold", "run"], "steps": " in steps of 0.5"}),
    ("gold\tA\r\n1\t1\r\n\r\n2\t3\r\n\r\n", {}, {"items": 2, "classes": ["1", "2", "3"]}),
    ("gold;A\n1,5;2,0\n2;2", {}, {"classes": ["1.5", "2"]}),
    (
        "gold\tA\n-2\t2\n-1\t0\n1\t0\n2\t1",
        {},
        {"ordered": True, "classes": ["-2", "-1", "0", "1", "2"]},
    ),
    (
        "gold\tA\n-1\t1\n1\t0\n0\t1",
        {},
        {"ordered": False, "asks": True, "measures": ["accuracy"]},
    ),
    ("gold\tA\n0\t50\n50\t100", {}, {"ordered": False, "classes": ["0", "50", "100"]}),
    (
        'gold,text,A\n1,"a, ""b""\nc",2\n2,"d",1',
        {},
        {"items": 2, "roles": ["gold", "its name is not that of a run", "run"]},
    ),
    (
        "gold,A\ngood,bad\nbad,fair\nfair,fair",
        {},
        {"classes": ["bad", "fair", "good"], "ordered": False},
    ),
    ("gold,A\nx,y\ny,z", {"order": ["z", "y", "x"]}, {"ordered": True, "classes": ["z", "y", "x"]}),
    ("gold,A\nx,y\ny,z", {"order": ["z", "y"]}, {"ordered": False}),
    ("gold,A\nno,yes\nyes,yes", {}, {"ordered": True, "asks": False}),
    (
        "😀,😡\n😡,😡\n😀,😀",
        {"golds": ["column 1"]},
        {"named": False, "items": 3, "ordered": True},
    ),
    (
        "gold,A\n1,2\n2,2",
        {"header": False, "golds": ["column 1"]},
        {"rows": 3, "names": ["column 1", "column 2"], "refused": False},
    ),
    ("gold,A,A\n1,2,1\n2,2,1", {}, {"names": ["gold", "A", "A 3"]}),
    (
        "run,bad,good\nGold,3,1\nA,25%,75%\nB,.5,.5",
        {},
        {
            "forms": [["gold", "whole numbers"], ["A", "whole numbers"]],
            "measures": list(SHARES),
        },
    ),
    ("id,text,gold,A\n1,gold,2,1\n2,x,1,2", {}, {"golds": ["gold"], "items": 2}),
    (
        "t;gold;0,2;0,3;0,5\nt;A;1e-1;0,9;0\nu;gold;1;0;0\nu;A;1;0;0",
        {},
        {"named": False, "ordered": False, "measures": ["NVD", "RNSS", "JSD"]},
    ),
    (
        "id,total,run,mid,low,note\n1,1,gold,.5,.5,x\n1,1,A,.5,.5,y",
        {"order": ["low", "mid"]},
        {
            "classes": ["low", "mid"],
            "roles": [
                "topic",
                "its name is not that of a class",
                "source",
                "class",
                "class",
                "most of its cells hold no numbers",
            ],
        },
    ),
    (
        "<img src=x onerror=alert(1)>,<script>\n1,2\n2,2",
        {},
        {"names": ["<img src=x onerror=alert(1)>", "<script>"]},
    ),
]


def test_what_people_paste_is_read(analysed, subtests):
    for text, options, parts in READ:
        with subtests.test(text=text):
            result = analysed(text, **options)[0]
            assert {name: result[name] for name in parts} == parts


WRONG = [
    ("", "The box is empty"),
    ("1\n2\n3", "There is one column"),
    ("gold,A", "no row of labels"),
    ("Hello, this is a text.\nAnd this, a line below it.", "does not look like a table"),
    ("The quick brown fox\njumps over it", "does not look like a table"),
    ("item,who_x,stars\na,A,1\na,B,2\nb,A,1\nb,B,1", "Most items stand in several rows."),
    ("gold,A\n" + "\n".join(f"w{k},w{k}" for k in [*range(40)] * 2), "40 different labels"),
    ("topic,run,1,2\nt,gold,0,1", "All rows are called gold"),
    ("item,x,y\n1,gold,2\n1,A,3", "fewer than two columns hold numbers"),
    ("1\n1,2\n2,3\n3,3", "Most rows have more cells than row 1"),
]


def test_what_cannot_be_read_is_explained(analysed, subtests):
    for text, message in WRONG:
        with subtests.test(text=text[:30]):
            result = analysed(text)[0]
            assert isinstance(result, str)
            assert message in result


def test_no_run_beside_gold_is_explained(analysed):
    result = analysed("gold,text,A\n1,a,7\n2,b,8")[0]
    assert "A is left out, because it shares no label with gold" in result["question"]


def test_errors_name_row_and_column_by_cause_and_the_first_ten(analysed):
    rows = ["gold,A", *["1,1", "2,2"] * 20, "=B1,1", "2,", "x,1", "1,2,3", "#N/A,1", *["1,"] * 12]
    result = analysed("\n".join(rows))[0]
    assert "runs" not in result
    errors = {error["cause"]: error for error in result["errors"]}
    assert errors["formula in place of its value"]["cells"] == ["row 42, gold (=B1)"]
    assert errors["not a number"]["cells"] == ["row 44, gold (x)"]
    assert errors["more than 2 cells in a row"]["cells"] == ["row 45 (3)"]
    assert errors["error of the spreadsheet"]["cells"] == ["row 46, gold (#N/A)"]
    empty = errors["empty cell"]
    assert (empty["count"], len(empty["cells"]), empty["cells"][0]) == (13, 10, "row 43, A")
    left = analysed("\n".join(rows), skip=True)[0]
    assert (left["items"], left["rows"]) == (40, 57)
    (error,) = analysed("item,gold,A\na-1,1,2\na-3,2,2\na-3,2,1\na-4,1,1")[0]["errors"]
    assert (error["cause"], error["cells"]) == ("second row of an item", ["row 4 (a-3)"])


def test_errors_of_shares_name_row_and_column_and_leave_out_topics(analysed):
    rows = [
        "topic,run,1,2,3", "t,gold,.2,.3,.5", "t,A,.2,.3,.4", "u,gold,.2,-.3,1.1", "u,A,x,.3,=B2",
        "v,A,.2,,.8", "w,gold,1,0,0", "y,gold,0,.5,.5", "y,A,1,0,0", "y,A,0,1,0", ",A,1,0,0",
    ]  # fmt: skip
    result = analysed("\n".join(rows))[0]
    assert "runs" not in result
    assert {error["cause"]: error["cells"] for error in result["errors"]} == {
        "second row of a topic and run": ["row 10, y (A)"],
        "row without a topic": ["row 11"],
        "negative number": ["row 4, 2 (-.3)"],
        "not a number": ["row 5, 1 (x)"],
        "formula in place of its value": ["row 5, 3 (=B2)"],
        "empty cell": ["row 6, 2"],
        "topic without gold": ["row 6, v"],
        "sum that is not 1": ["row 3, A (0.9)"],
        "topic without a row of a run": ["row 7, w (A)"],
    }
    assert (result["items"], result["rows"], result["unit"]) == (0, 4, "topic")
    left = analysed("\n".join([*rows, "z,gold,1,0,0", "z,A,0,1,0"]), skip=True)[0]
    assert (left["items"], left["runs"][0]["scores"]["NVD"]) == (1, 1)


def test_two_hundred_columns_and_a_hundred_thousand_rows_are_read(analysed):
    rng = np.random.default_rng(0)
    wide = pd.DataFrame(rng.integers(1, 6, (30, 200)), columns=[f"c{k}" for k in range(200)])
    result = analysed(wide.to_csv(index=False, sep="\t"))[0]
    assert "Which columns hold gold" in result["question"]
    result = analysed(wide.to_csv(index=False, sep="\t"), golds=["c0"])[0]
    assert_scored(result, task_of(wide, range(1, 6)))
    long = pd.DataFrame(rng.integers(1, 6, (100_000, 3)), columns=["gold", "A", "B"])
    assert_scored(analysed(long.to_csv(index=False))[0], task_of(long, range(1, 6)))


WORDS = "gold,A,B\nlow,low,high\nhigh,mid,high\nmid,mid,low\nhigh,high,high"
TOPICS = "topic;gold;A;it's;a, b\n" + "\n".join(
    f'"{topic}";{k % 3 + 1};{(k + step) % 3 + 1};{k * k % 3 + 1};{k % 2 + 1}'
    for topic, step in (("one, two", 0), ("né", 1))
    for k in range(8)
)
GAPS = "\n".join(["Ada;Ben;A;B", *["1,5;;1;2", "2;2,5;2;1", ";3;3;3", "4;4;3;4"] * 3])
TAKEN = {
    "the example": (tryout.example().to_csv(sep="\t", index=False), {}),
    "words": (WORDS.replace("mid", '"mid, or so"'), {"order": ["high", "low", "mid, or so"]}),
    "None": ("gold,A\nNone,Major\nMinor, Minor\nMajor,None", {"order": ["None", "Minor", "Major"]}),
    "half steps": ("gold;A\n1,5;2\n2;2,5\n3;3", {}),
    "topics": (TOPICS, {}),
    "one pool": (TOPICS, {"pooled": True}),
    "people": (
        share("data", "examples", "ratings", "ratings.csv").read_text(),
        {"golds": ["Ada", "Ben", "Eve"]},
    ),
    "people with gaps": (GAPS, {"golds": ["Ada", "Ben"]}),
    "shares": (tryout.example_of_shares().to_csv(sep="\t", index=False), {}),
    "shares of words": ("topic,run,mid,low\nt,gold,30,70\nt,A,.31,.68", {"order": ["low", "mid"]}),
    "a row left out": ("gold,A\n1,2\n2,\n2,2\n3,3", {"skip": True}),
}


# Each table of another kind; the others, which differ in the reading alone, are slow.
KINDS = ("the example", "words", "people", "shares")


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=() if n in KINDS else pytest.mark.slow) for n in TAKEN]
)
def test_what_is_taken_away_has_the_scores_of_the_box(
    analysed, javascript, tmp_path, monkeypatch, name
):
    text, options = TAKEN[name]
    result = analysed(text, **options)[0]
    csv, shell, python = javascript(
        scripts(*tryout.ENGINE, "tryout/take.js"),
        """([text, options]) => [
          ordbookTake.csv(ordbookTable.read(text, options)),
          ...[ordbookTake.shell, ordbookTake.python].map((write) =>
            write(ordbookRanking.analyse(text, options)))]""",
        [text, options],
    )
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ratings.csv").write_text(csv, encoding="utf-8")
    scope: dict = {}
    *statements, last = python.split("\n")
    exec("\n".join(statements), scope)
    means = eval(last, scope)
    ours = pd.DataFrame({run["name"]: run["scores"] for run in result["runs"]}).T
    assert set(ours.index) == set(means.index)
    assert np.abs(ours.loc[means.index, list(means)] - means).to_numpy().max() <= TOLERANCE
    for command in filter(None, shell.split("\n")):
        assert main(shlex.split(command)[1:]) == 0
    task = ob.load("my-task")
    assert list(task.classes) == result["classes"]
    assert_scored(result, task, "pooled" if options.get("pooled") else "topic")
