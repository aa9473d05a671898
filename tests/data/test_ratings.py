"""Ratings become a task: every shape of table gives the same, and what is wrong has its line."""

import gzip
import json
import re
import subprocess
import sys
from importlib import import_module, util
from io import StringIO
from pathlib import Path

import krippendorff
import numpy as np
import pandas as pd
import pytest

import ordbook as ob
from ordbook.cli import main
from ordbook.data.checking import check
from ordbook.data.ratings import from_ratings
from ordbook.files import share
from ordbook.measures import CLASSIFICATION
from ordbook.meta.items import item_tests

PEOPLE, JUDGES = ["Ann", "Bob", "Cy", "Dee"], ["maker-1", "maker-2"]


def wide(step=1.0, low=1, high=5):
    """Forty items of five topics; people leave some out, judges none."""
    rng = np.random.default_rng(37)
    truth = rng.integers(low, high + 1, 40)
    table = pd.DataFrame(
        {"id": [f"i{k}" for k in range(40)], "q": [f"q{k % 5}" for k in range(40)]}
    )
    for name in [*PEOPLE, *JUDGES]:
        noise = step * rng.integers(-1, 2, 40)
        table[name] = np.clip(truth + noise, low, high)
    for name in PEOPLE[1:]:
        table.loc[rng.random(40) < 0.3, name] = np.nan
    table.loc[0, "Ann"], table.loc[1, "Ann"] = low, high
    return table


def same(one, other):
    assert (one.classes, one.topics, one.runs) == (other.classes, other.topics, other.runs)
    np.testing.assert_allclose(one.gold, other.gold)
    answers = "estimates" if one.kind == "quantification" else "predicted"
    np.testing.assert_allclose(getattr(one, answers), getattr(other, answers))
    ours, theirs = one.annotators, other.annotators
    assert (ours.rule, ours.items, set(ours.names)) == (
        theirs.rule,
        theirs.items,
        set(theirs.names),
    )
    np.testing.assert_array_equal(ours.votes, theirs.votes)
    np.testing.assert_array_equal(ours.topics, theirs.topics)
    assert ties_of(one) == ties_of(other)


def ties_of(task):
    """What a task of labels, and a note of its provenance, say of ties."""
    ties = getattr(task, "ties", None)
    if ties is None:
        return None
    assert ties.note in task.provenance.notes
    return ties.note, {choice: gold.tolist() for choice, gold in ties.otherwise.items()}


@pytest.mark.parametrize("gold", ["median", "majority", "shares"])
@pytest.mark.parametrize("topic", ["q", None])
@pytest.mark.parametrize(
    ("scale", "ties"),
    [((1, 1, 5), "lower"), ((0.5, 1, 5), "upper"), ((1, -5, 5), "upper"), ((1, 0, 10), "lower")],
)
def test_every_shape_gives_the_same_task_and_the_folder_keeps_it(
    tmp_path, gold, topic, scale, ties
):
    table = wide(*scale)
    rule = {"item": "id", "gold": gold, "topic": topic, "ties": ties}
    task = from_ratings(table, annotator=PEOPLE, runs=JUDGES, **rule)
    long = table.melt(["id", "q"], [*PEOPLE, *JUDGES], "who", "score")
    same(task, from_ratings(long, annotator="who", rating="score", runs=JUDGES, **rule))
    judges = table[["id", *JUDGES]]
    same(task, from_ratings(table[["id", "q", *PEOPLE]], annotator=PEOPLE, runs=judges, **rule))
    task.save(tmp_path)
    again = ob.load(tmp_path)
    same(task, again)
    report = check(tmp_path)
    assert not report.problems
    assert "gold is their" in str(report) or "gold is the shares" in str(report)


def test_rules_of_gold():
    table = wide()
    ratings = table[PEOPLE].to_numpy()
    ordered = [sorted(row[~np.isnan(row)]) for row in ratings]
    modes = [list(pd.Series(row).mode()) for row in ratings]
    expected = {
        ("median", "lower"): [r[(len(r) - 1) // 2] for r in ordered],
        ("median", "upper"): [r[len(r) // 2] for r in ordered],
        ("majority", "lower"): list(map(min, modes)),
        ("majority", "upper"): list(map(max, modes)),
    }
    for (rule, ties), labels in expected.items():
        task = from_ratings(table, item="id", annotator=PEOPLE, gold=rule, ties=ties)
        assert [int(task.classes[k]) for k in task.gold] == labels
        (other, golds), *_ = task.ties.otherwise.items()
        assert [int(task.classes[k]) for k in golds] == expected[rule, other]
        tied = np.not_equal(expected[rule, "lower"], expected[rule, "upper"])
        np.testing.assert_array_equal(task.ties.items, tied)
    shares = from_ratings(table, item="id", annotator=PEOPLE, gold="shares", topic="q")
    rows = table.melt("q", PEOPLE)
    counts = pd.crosstab(rows["q"], rows["value"], normalize="index")
    np.testing.assert_allclose(shares.gold, counts)


def test_ties_are_refused_until_one_says_what_is_gold_there(tmp_path, capsys):
    path = tmp_path / "ratings.csv"
    path.write_text(LONG)
    for rule, finding in (
        ("median", "the two middle ratings of 1 of 2 items differ (b)"),
        ("majority", "1 of 2 items have several commonest ratings (b)"),
    ):
        with pytest.raises(ValueError, match=re.escape(f"{rule}: {finding}; say which")) as refused:
            from_ratings(path, gold=rule, runs=["J"])
        lines = [f"  --ties {end}   (in Python ties={end!r})" for end in ("lower", "upper")]
        assert str(refused.value).splitlines()[1:] == lines
        command = ["convert", str(path), str(tmp_path / rule), "--runs=J", f"--gold={rule}"]
        assert main(command) == 2
        assert capsys.readouterr().err.strip().endswith(str(refused.value))
        assert not (tmp_path / rule).exists()
        assert main([*command, "--ties", "upper"]) == 0
        assert (
            f"{finding[1:].removesuffix(' (b)')}; gold is the upper class."
            in capsys.readouterr().out
        )
        assert ob.load(tmp_path / rule).ties.choice == "upper"
    three = from_ratings(wide().assign(Bob=3, Cy=4), item="id", annotator=PEOPLE[:3], gold="median")
    assert three.ties is None
    assert from_ratings(path, gold="shares", runs=["J"]).kind == "quantification"


def test_the_choice_of_ties_decides_between_a_strict_judge_and_its_mirror_image(tmp_path):
    """Two exchangeable people, one step off in half of their ratings, and judges as far off."""
    rng = np.random.default_rng(49)
    truth = rng.integers(2, 5, 400)
    near = [truth + rng.choice([-1, 0, 0, 1], 400) for _ in range(2)]
    off = rng.permutation(np.repeat([0, 1], 200))
    table = pd.DataFrame({"item": range(400), "A": near[0], "B": near[1]})
    table = table.assign(strict=truth - off, lenient=truth + off)
    rule = {"annotator": ["A", "B"], "gold": "median", "runs": ["strict", "lenient"]}
    with pytest.raises(ValueError, match=r"the two middle ratings of \d+ of 400 items differ"):
        from_ratings(table, **rule)
    for ties, first, other in (("lower", "strict", "lenient"), ("upper", "lenient", "strict")):
        task = from_ratings(table, ties=ties, **rule)
        scores = ob.score(task, ["kappa", "alpha_ord"])
        assert (scores.means().idxmax() == first).all()
        assert item_tests(task, ["kappa"]).matrix("kappa").loc[first, other] < 0.001
        task.save(tmp_path / ties)
        assert main(["score", str(tmp_path / ties), "--out", str(tmp_path / f"{ties}-out")]) == 0
        summary = json.loads((tmp_path / f"{ties}-out" / "summary.json").read_text())
        assert summary["ties"]["first"][ties] == [first]
        assert summary["ties"] == {
            "choice": ties,
            "items": int((table["A"] != table["B"]).sum()),
            "first": {ties: [first], "upper" if ties == "lower" else "lower": [other]},
        }
        note = rf"would be first by {summary['primary']} \(.*\), not {first}\."
        assert re.search(note, (tmp_path / f"{ties}-out" / "README.md").read_text())


def test_alpha_is_that_of_the_krippendorff_package():
    for step in (1, 0.5):
        task = from_ratings(wide(step), item="id", annotator=PEOPLE, gold="shares")
        values = wide(step)[PEOPLE].to_numpy().T
        domain = [float(label) for label in task.classes]
        theirs = krippendorff.alpha(values, value_domain=domain, level_of_measurement="ordinal")
        assert task.annotators.alpha() == pytest.approx(theirs, abs=1e-12)
    two = from_ratings(wide(), item="id", annotator=[*JUDGES], gold="shares")
    ours = ob.alpha_ord(wide()[JUDGES[0]], wide()[JUDGES[1]])
    assert two.annotators.alpha() == pytest.approx(ours, abs=1e-12)


def test_judges_means_are_rounded_only_on_request():
    table = wide()
    table[JUDGES[0]] = [2.5, 3.4999999999999996, 5.4, 0.6] + [3.0] * 36
    rule = {"item": "id", "annotator": PEOPLE, "gold": "median", "runs": JUDGES, "ties": "lower"}
    with pytest.raises(
        ValueError, match=r"row 0: the rating 2.5 by 'maker-1', not one of 1, 2.*up"
    ):
        from_ratings(table, **rule)
    for way, first in (("up", [2, 3, 4, 0]), ("down", [1, 2, 4, 0])):
        task = from_ratings(table, **rule, rounding=way)
        assert task.predicted[0, :4].tolist() == first
        assert any(note.startswith("Rounded 4 of the judges' 80 ratings") for note in
                   task.provenance.notes)  # fmt: skip
    table.loc[5, "Bob"] = 2.25  # and people's never
    with pytest.raises(ValueError, match="2.25, neither a whole nor a half point"):
        from_ratings(table, **rule, rounding="up")


def test_what_a_judge_lacks_is_a_missing_answer(tmp_path):
    table = wide().astype({"maker-1": object})
    table.loc[[3, 4], "maker-1"] = [None, "n/a"]
    rule = {"item": "id", "annotator": PEOPLE, "gold": "median", "runs": JUDGES, "ties": "lower"}
    with pytest.raises(ValueError, match="'maker-1' has no rating for i3, i4; add"):
        from_ratings(table, **rule)
    task = from_ratings(table, **rule, missing="worst")
    assert task.unanswered["maker-1"].nonzero()[0].tolist() == [3, 4]
    task.save(tmp_path)
    assert len(check(tmp_path).problems) == 2
    same(task, ob.load(tmp_path, missing="worst"))


def test_a_judge_gains_nothing_by_the_choice_of_the_items_that_shares_are_counted_from(tmp_path):
    """A strict judge that withholds its errors, or rates one item a topic, is no better for it."""
    table = wide().astype(dict.fromkeys(JUDGES, float))
    gold = table[PEOPLE].median(axis=1).round()
    table["maker-1"] = np.maximum(gold - (np.arange(40) % 2), 1)
    rule = {"item": "id", "annotator": PEOPLE, "gold": "shares", "topic": "q", "runs": JUDGES}
    own = from_ratings(table, **rule)
    measures = ["NMD", "RPS", "RNOD"]
    frank = ob.score(own, measures).means().loc["maker-1"]
    one = ~table.duplicated("q")
    for kept in (one, ~one, table["maker-1"] == gold, table["q"] == "q3"):
        whole = kept.groupby(table["q"]).all()
        silent = table.assign(**{"maker-1": table["maker-1"].where(kept)})
        for missing in ("refuse",) if whole.any() else ("refuse", "worst"):
            with pytest.raises(ValueError, match="'maker-1' has no rating for i.*; add them, or"):
                from_ratings(silent, **rule, missing=missing)
        if not whole.any():
            continue
        task = from_ratings(silent, **rule, missing="worst")
        assert (ob.score(task, measures).means().loc["maker-1"] > frank).all()
        assert (~task.unanswered["maker-1"] == whole[list(task.topics)]).all()
        note = f"maker-1 rated {kept.sum()} of 40 items: topics in which it lacks an item have no"
        assert any(line.startswith(note) for line in task.provenance.notes)
        folder = tmp_path / str(kept.sum())
        task.save(folder)
        assert len(check(folder).problems) == 5 - whole.sum()
        same(task, ob.load(folder, missing="worst"))


LONG = "item,annotator,rating\na,Ann,1\nb,Ann,2\na,Bob,1\nb,Bob,3\na,J,1\nb,J,2\n"
PEOPLE_OF = {"item": "id", "annotator": PEOPLE, "gold": "median", "ties": "lower"}


def test_files_and_frames_of_every_kind_give_the_same_task(tmp_path, subtests):
    table = wide().assign(text='two\nlines, "quoted"')
    files = {
        "commas.csv": table.to_csv(index=False),
        "semicolons.csv": table.to_csv(index=False, sep=";", decimal=","),
        "tabs.tsv": table.to_csv(index=False, sep="\t"),
        "lines.jsonl": table.to_json(orient="records", lines=True),
        "list.json": table.to_json(orient="records"),
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "packed.csv.gz").write_bytes(gzip.compress(files["commas.csv"].encode()))
    with pd.ExcelWriter(tmp_path / "book.xlsx") as book:
        table.to_excel(book, sheet_name="ratings", index=False)
        table.to_excel(book, sheet_name="other", index=False)
    marked = table.fillna(99)
    sources = {path.name: (path, {}) for path in tmp_path.iterdir()}
    sources["nullable"] = (table.convert_dtypes(), {})
    sources["marks"] = (marked, {"not_rated": [99]})
    if util.find_spec("pyarrow"):
        table.to_parquet(tmp_path / "table.parquet")
        sources["table.parquet"] = (tmp_path / "table.parquet", {})
        sources["arrow"] = (import_module("pyarrow").Table.from_pandas(table), {})
    if util.find_spec("polars"):
        polars = import_module("polars").DataFrame(
            table.convert_dtypes().to_dict("list"), strict=False
        )
        sources |= {"polars": (polars, {}), "lazy polars": (polars.lazy(), {})}
    for name, (source, options) in sources.items():
        with subtests.test(name):
            task = from_ratings(source, runs=JUDGES, **PEOPLE_OF, **options)
            same(from_ratings(table, runs=JUDGES, **PEOPLE_OF), task)
            notes = " ".join(task.provenance.notes)
            assert ("Read semicolons" in notes) == (name == "semicolons.csv")
            assert ("sheet 'ratings' of the workbook, and not other" in notes) == (
                name[:4] == "book"
            )


RATED = [
    (item, who, 1 + (3 * item + place) % 5) for place, who in enumerate("ABC") for item in (7, 8, 9)
]
NESTED = [
    {"id": item, "annotations": [
        {"id": 5, "completed_by": who, "result": [
            {"id": "x", "from_name": "quality", "value": {"rating": rating}}]}
        for same, who, rating in RATED if same == item]}
    for item in (7, 8, 9)
]  # fmt: skip
ONE_OF_FIVE = pd.DataFrame(
    {"HITId": item, "WorkerId": who, **{f"Answer.quality.{k}": k == rating for k in range(1, 6)}}
    for item, who, rating in RATED
)


def recipe_of_label_studio():
    ratings = pd.json_normalize(
        NESTED, ["annotations", "result"], ["id", ["annotations", "completed_by"]], "task."
    )
    return ratings[ratings["from_name"] == "quality"]


def recipe_of_mechanical_turk():
    buttons = ONE_OF_FIVE.filter(like="Answer.quality.").eq(True)
    rating = buttons.idxmax(axis=1).str.rsplit(".").str[-1].where(buttons.any(axis=1))
    return ONE_OF_FIVE.assign(rating=rating)


# Tool -> its export, and how its columns are called.
EXPORTS = {
    "Label Studio, CSV": (
        pd.DataFrame(
            {"id": item, "annotator": who, "rating": json.dumps([{"rating": rating}])}
            for item, who, rating in RATED
        ).to_csv(index=False), {"item": "id"}),
    "Label Studio, JSON-MIN": (
        json.dumps([{"id": item, "annotator": {"id": ord(who), "email": who},
                     "rating": [{"rating": rating}]} for item, who, rating in RATED]),
        {"item": "id"}),
    "Label Studio, nested": (
        recipe_of_label_studio(),
        {"item": "task.id", "annotator": "task.annotations.completed_by",
         "rating": "value.rating"}),
    "Prodigy": (
        "\n".join(json.dumps({"_input_hash": -item, "_annotator_id": who, "accept": [str(rating)]})
                  for item, who, rating in RATED),
        {"item": "_input_hash", "annotator": "_annotator_id", "rating": "accept"}),
    "Argilla": (
        json.dumps([{"id": item, "q.responses": [r for i, _, r in RATED if i == item],
                     "q.responses.users": [w for i, w, _ in RATED if i == item]}
                    for item in (7, 8, 9)]),
        {"item": "id", "annotator": "q.responses.users", "rating": "q.responses"}),
    "Mechanical Turk": (recipe_of_mechanical_turk(), {"item": "HITId", "annotator": "WorkerId"}),
    "Mechanical Turk, answers as JSON": (
        pd.DataFrame(
            {"HITId": item, "WorkerId": who, "AssignmentStatus": "Approved", "Answer.taskAnswers":
             json.dumps([{"quality": {str(k): k == rating for k in range(1, 6)}}])}
            for item, who, rating in RATED
        ).to_csv(index=False),
        {"item": "HITId", "annotator": "WorkerId", "rating": "Answer.taskAnswers"}),
    "Google Forms": (
        pd.DataFrame(RATED, columns=["item", "Email", "x"])
        .pivot_table("x", "Email", "item").reset_index()
        .melt("Email", var_name="item", value_name="rating"), {"annotator": "Email"}),
}  # fmt: skip
EXPORTS["Prodigy, by pandas"] = (
    pd.read_json(StringIO(EXPORTS["Prodigy"][0]), lines=True).to_csv(index=False),
    EXPORTS["Prodigy"][1],
)


@pytest.mark.parametrize("tool", EXPORTS)
def test_exports_of_annotation_tools(tool, tmp_path):
    source, columns = EXPORTS[tool]
    path = tmp_path / "export"
    path.write_text(source if isinstance(source, str) else source.to_csv(index=False))
    by_hand = pd.DataFrame(RATED, columns=["item", "annotator", "rating"])
    expected = from_ratings(by_hand, gold="median")
    for export in (path, path if isinstance(source, str) else source):
        task = from_ratings(export, gold="median", **columns)
        assert task.annotators.votes.tolist() == expected.annotators.votes.tolist()
        assert task.gold.tolist() == expected.gold.tolist()
    columns = {"annotators" if key == "annotator" else key: value for key, value in columns.items()}
    options = [f"--{key}={value}" for key, value in columns.items()]
    assert main(["convert", str(path), str(tmp_path / "out"), "--gold=median", *options]) == 0
    assert ob.load(tmp_path / "out").gold.tolist() == expected.gold.tolist()


def test_gold_that_was_settled_is_a_column_and_people_stay(tmp_path):
    table = wide().assign(final=np.arange(40) % 5 + 1)
    long = table.melt(["id", "q", "final"], PEOPLE + JUDGES, "annotator", "rating")
    final = table[["id", "q", "final"]].rename(columns={"final": "rating"})
    as_person = pd.concat([long.drop(columns="final"), final.assign(annotator="final")])
    sources = [(table, PEOPLE), (long, "annotator"), (as_person, [*PEOPLE])]
    for number, (source, people) in enumerate(sources):
        task = from_ratings(source, item="id", annotator=people, gold="final", runs=JUDGES)
        assert [task.classes[k] for k in task.gold] == [str(1 + k % 5) for k in range(40)]
        assert (sorted(task.annotators.names), task.ties) == (PEOPLE, None)
        assert f"but for {task.annotators.others}" in str(task.annotators)
        task.save(tmp_path / str(number))
        again = ob.load(tmp_path / str(number))
        same(task, again)
        assert task.annotators.others == again.annotators.others > 0
    alone = from_ratings(table[["id", "final", *JUDGES]], item="id", gold="final", runs=JUDGES)
    assert (alone.annotators, alone.runs) == (None, tuple(JUDGES))
    assert alone.predicted.tolist() == task.predicted.tolist()
    table.loc[3, "final"] = np.nan
    fewer = from_ratings(table, item="id", annotator=PEOPLE, gold="final", runs=JUDGES)
    assert "Left out 1 item without gold: i3." in fewer.provenance.notes
    table.to_excel(tmp_path / "in.xlsx", index=False)
    options = [f"--annotators={','.join(PEOPLE)}", "--item=id", f"--runs={','.join(JUDGES)}"]
    command = ["convert", str(tmp_path / "in.xlsx"), str(tmp_path / "out"), *options]
    assert main([*command, "--gold=final"]) == 0
    same(ob.load(tmp_path / "out"), fewer)


def test_ordered_categories_are_a_list_of_classes():
    order = pd.CategoricalDtype(["bad", "so so", "good"], ordered=True)
    words = pd.DataFrame({"item": list("abc"), "A": ["bad", "good", "good"], "J": "so so"})
    table = words.astype({"A": order})
    rule = {"annotator": ["A"], "runs": ["J"], "gold": "median"}
    listed = from_ratings(words, classes=list(order.categories), **rule)
    same(listed, from_ratings(table, **rule))
    same(listed, from_ratings(table.melt("item", ["A", "J"], "annotator", "rating").astype(
        {"rating": order}), gold="median", runs=["J"]))  # fmt: skip
    if util.find_spec("polars"):
        polars = import_module("polars")
        enum = {"A": polars.Enum(list(order.categories))}
        frame = polars.DataFrame(words.to_dict("list"), schema_overrides=enum)
        same(listed, from_ratings(frame, **rule))
    other = table.astype({"J": pd.CategoricalDtype(["good", "so so", "bad"], ordered=True)})
    with pytest.raises(ValueError, match="several orders, bad < so so < good and good < so so"):
        from_ratings(other, **rule)


def test_a_judge_may_be_a_column_beside_the_lists_of_ratings():
    """Argilla's suggestion; responses that are drafts or discarded are left out."""
    export = pd.DataFrame(
        {"id": [7, 8], "q": [[1, 2, 3], [4, 5, 5]], "users": [["A", "B", "C"]] * 2, "hint": [2, 4]}
    )
    rule = {"item": "id", "annotator": "users", "rating": "q", "runs": ["hint"], "gold": "median"}
    task = from_ratings(export, **rule)
    assert (task.annotators.names, task.predicted.tolist()) == (("A", "B", "C"), [[1, 3]])
    states = [["submitted", "draft", "submitted"], ["discarded", "submitted", "submitted"]]
    fewer = from_ratings(export.assign(state=states), ties="lower", classes=range(1, 6), **rule)
    assert fewer.annotators.votes.tolist() == [[1, 0, 1, 0, 0], [0, 0, 0, 0, 2]]
    assert fewer.predicted.tolist() == task.predicted.tolist()
    note = "Left out 2 ratings, of which the column 'state' says discarded and draft; if they"
    assert any(each.startswith(note) for each in fewer.provenance.notes)


def test_rejected_and_ignored_answers_are_no_ratings():
    """As in Prodigy's exports, and in a wide table, where a row is a person's or an item's."""
    table = pd.DataFrame(RATED, columns=["item", "annotator", "rating"])
    odd = [("accept", "reject", "ignore")[k % 3] if k > 5 else "accept" for k in range(len(table))]
    rule = {"gold": "median", "classes": range(1, 6), "ties": "upper"}
    task = from_ratings(table.assign(answer=odd), **rule)
    same(task, from_ratings(table[[x == "accept" for x in odd]], **rule))
    with_gold = table.assign(final=table["item"] - 6, answer=["reject", "accept", "accept"] * 3)
    settled = from_ratings(with_gold, gold="final", classes=range(1, 6))
    assert settled.gold.tolist() == [0, 1, 2]
    wide_table = pd.DataFrame({"item": [7, 8], "A": [1, 2], "answer": ["accept", "ignore"]})
    alone = from_ratings(wide_table, annotator="A", **rule)
    assert alone.annotators.items == ("7",)
    assert "Left out 1 rating, of which the column 'answer'" in " ".join(alone.provenance.notes)
    papers = wide_table.rename(columns={"answer": "decision"})  # no word on a rating
    assert from_ratings(papers, annotator="A", **rule).annotators.items == ("7", "8")
    with pytest.raises(ValueError, match="the column 'answer' calls all reject; give a table with"):
        from_ratings(wide_table.assign(answer="reject"), annotator="A", **rule)


WIDE = "item,A,B,J\na,1,1,1\nb,2,3,2\n"
OF_LONG = {"annotator": "annotator", "rating": "rating", "gold": "median", "runs": ["J"]}
OF_WIDE = {"annotator": ["A", "B"], "gold": "median", "ties": "lower", "runs": ["J"]}
# A table, how it is read, and what the message says.
WRONG = [
    (LONG + "b,Ann,3\n", {}, "line 8: a second rating of item 'b' by 'Ann'; keep one"),
    (LONG.replace("Bob,3", "Bob,99"), {}, "line 5: the ratings 2 and 99, and none between"),
    (LONG.replace("Bob,1", "Bob,-1").replace("Bob,3", "Bob,0"), {},
     "line 4: the rating -1, below 0; list the scale, from lowest to highest, as with "
     "--classes=-1,0,1,2 (in Python classes=); or correct it or, if it means that there is no "
     "rating, give --not-rated=-1 (in Python not_rated=[-1])"),
    ("item,annotator,rating\na,A,1.5\nb,A,2\nc,A,2\na,B,3.5\nb,B,4\nc,B,4\na,J,2\n", {},
     "line 3: the ratings 2 and 3.5, and none between them; list the scale, from lowest to "
     "highest, as with --classes=1,1.5,2,2.5,3,3.5,4 (in Python classes=); or correct it"),
    (LONG.replace("Bob,3", "Bob,2.33"), {}, "line 5: the rating 2.33, neither a whole nor"),
    (LONG.replace("Bob,3", "Bob,good"), {}, "line 5: the rating 'good' and no list of the classes"),
    (WIDE.replace("1", "bad").replace("2", '"so, so"').replace("3", "good"), {},
     "line 2: the rating 'bad' and no list of the classes (and 2 more like it); list the scale, "
     "from lowest to highest, as with --classes='bad,\"so, so\",good'"),
    (WIDE.replace("1", "none").replace("2", "NA").replace("3", "mild"), {}, "=none,mild (in"),
    (WIDE.replace("3", '"2,25"'), {}, "line 3: the rating 2,25, neither a whole nor a half point; "
     "list the scale, from lowest to highest, as with --classes=1,1.5,2,2.5,3 (in Python "
     "classes=); or correct it or, if it means that there is no rating, give --not-rated=2.25 "
     "(in Python not_rated=[2.25])"),
    (WIDE.replace("3,2", "3,no idea"), {}, "give --not-rated='no idea' (in Python"),
    (LONG.replace("J,2", "J,4"), {}, "line 7: the rating 4 by 'J', not one of 1, 2, 3; list the "
     "whole scale with --classes (in Python classes=), or round judges' means with --round up or "
     "down (in Python rounding=); or correct it or, if it means that there is no rating, give "
     "--not-rated=4 (in Python not_rated=[4])"),
    (LONG.replace("J,2", '"J","[2, 3]"'), {}, "line 7: the rating [2, 3] by 'J', not one of"),
    (LONG.replace("b,J,2", 'b,"[""A"", ""B""]",[2]'), {}, "line 7: lists of unequal lengths in"),
    (LONG + "a,Cy,\n", {}, "line 8: the annotator 'Cy', who rated nothing; leave it out"),
    (LONG.replace("b,Bob", ",Bob"), {}, "line 5: a rating without item; name it"),
    (LONG.replace("b,J", "B,J"), {}, "line 7: item 'B', which people's ratings call 'b'; give"),
    (LONG.replace("a,J", "x,J").replace("b,J", "y,J"), {}, "line 6: item 'x', as no item that"),
    (LONG.replace("rating", "score"), {}, "line 1: the column 'rating', which is not there"),
    (LONG + "a,Cy,1,2\n", {}, "line 8: 4 cells for 3 columns; write"),
    ('item,why,A,B,J\na,"one\ntwo",1,1,1\n\nb,,x,2,1\n', {}, "line 5: the rating 'x'"),
    ("May,,,\n" + WIDE, {}, "line 1: no name above column 2, as merged cells leave it; let the"),
    (WIDE + "Mean,1.5,2,1.5\n", {}, "line 4: the item 'Mean' is a total; leave it out; or, if it"),
    ('item,J\nPlease rate,J\n"{""ImportId"":""a""}","{""ImportId"":""b""}"\n', {},
     "line 1: three lines of header, as Qualtrics writes them; remove the second and third line"),
    (WIDE, {"annotator": [], "runs": []}, "annotators: nobody is named; for a wide table, name"),
    (WIDE + "a,1,1,1\n", {}, "line 4: a second row of item 'a', and no column 'rating'; of a"),
    ('{"item": "a"}\n{\n', {}, "line 2: this is not JSON"),
    ("[1]", {}, "no JSON object; write an object for each row"),
    (LONG, {"gold": "mean"}, "gold: 'mean' is no rule, because a mean lies between classes"),
    (LONG, {"gold": "meidan"}, "or name the column that is gold; did you mean median?"),
    (LONG, {"gold": ["Ann", "Bob"]}, "gold: a list is no rule; name the people by annotator="),
    (LONG, {"classes": "1,2"}, "a list is needed, as in classes=['1', '2']"),
    (LONG, {"runs": ["j"]}, "is called 'j'; name some of Ann, Bob, J; did you mean J?"),
    (WIDE, {"annotator": ["A", "b"]}, "the column 'b', which is not there; there are item, A,"),
    (LONG.replace("item", "Item"), {}, "with --item (in Python item=); did you mean Item?"),
    (LONG.replace("rating", "a.1"), {"rating": "a"}, "make one of those that begin with 'a.'; "),
    ("item,annotator,rating\na,Ann,10/10\nb,Ann,2/10\na,J,2/10\n", {}, "--classes=2/10,10/10"),
    ('[{"id": 1, "annotations": [{"result": []}]}]', {}, "the nested JSON of Label Studio"),
    (LONG, {"runs": ["Ann", "Bob", "J"]}, "all annotators are runs"),
    (LONG, {"annotator": "who"}, "there is no column 'who', and nobody in the column 'annotator'"),
    (LONG, {"annotator": ["Ann", "J"]}, "annotators: 'J' is in runs, too"),
    (LONG, {"item": "id"}, "add a column that names the items, or name it with --item"),
    (LONG, {"runs": pd.DataFrame({"item": ["a", "b"], "Ann": [1, 2]})}, "judge 'Ann', which is a"),
]  # fmt: skip


def test_what_is_wrong_is_refused_with_its_line_and_the_mend(tmp_path, subtests):
    path = tmp_path / "ratings"
    for text, options, message in WRONG:
        with subtests.test(message):
            path.write_text(text)
            rule = OF_LONG if "annotator" in text else OF_WIDE
            with pytest.raises(ValueError, match=re.escape(message)):
                from_ratings(path, **rule | options)
    for nothing, message in (({"a": [1]}, "a dict is no table"), (pd.DataFrame(), "no rows")):
        with pytest.raises(ValueError, match=message):
            from_ratings(nothing, gold="median")


def test_names_stay_as_they_are_written(tmp_path):
    path = tmp_path / "ratings.csv"
    path.write_text('item,A,note\n007,1,\n7,2,\n1e5,1,"a ""b"""\n100000,2.0,NA\n')
    task = from_ratings(path, annotator="A", gold="median")
    assert task.annotators.items == ("007", "7", "1e5", "100000")
    assert task.gold.tolist() == [0, 1, 0, 1]


def test_a_merged_header_of_a_workbook_is_named_as_such(tmp_path):
    rows = pd.DataFrame([["a", 1, 1, 1], ["b", 2, 3, 2]])
    for head, place in ((["Ratings of May", "", "", ""], 2), (["item", "Ann", "", "Bob"], 3)):
        table = pd.concat([pd.DataFrame([head]), rows])
        table.to_excel(tmp_path / "merged.xlsx", index=False, header=False)
        message = f"line 1: no name above column {place}, as merged cells leave it; let the first"
        with pytest.raises(ValueError, match=message):
            from_ratings(tmp_path / "merged.xlsx", gold="median")


def test_people_of_a_long_table_are_named_or_listed_first(tmp_path):
    path = tmp_path / "ratings.csv"
    path.write_text(LONG + "a,K,3\nb,K,3\n")
    everybody = from_ratings(path, gold="median", runs=["J"])  # of three: no tie
    assert everybody.annotators.names == ("Ann", "Bob", "K")
    assert everybody.provenance.notes[0].startswith("Taken as people: Ann, Bob, K; name every")
    rule = {"annotator": ["Ann", "Bob"], "gold": "median", "ties": "upper"}
    task = from_ratings(path, runs=["J"], **rule)
    assert task.annotators.names == ("Ann", "Bob")
    assert task.provenance.notes[0].startswith("Left out K, named neither")
    same(task, from_ratings(str(path), runs="J", **rule))
    options = ["--gold", "median", "--ties=upper", "--runs", "J", "--annotators", "Ann,Bob"]
    assert main(["convert", str(path), str(tmp_path / "out"), *options]) == 0
    same(task, ob.load(tmp_path / "out"))


def test_people_are_found_by_name_in_any_column_and_one_person_in_a_wide_table(tmp_path):
    path = tmp_path / "ratings.csv"
    path.write_text(LONG.replace("annotator", "who"))
    rule = {"gold": "median", "runs": ["J"], "ties": "lower"}
    task = from_ratings(path, annotator=["Ann", "Bob"], **rule)
    same(task, from_ratings(path, annotator="who", **rule))
    alone = from_ratings(path, annotator=["Ann"], **rule)
    assert alone.annotators.names == ("Ann",)
    wide_table = pd.DataFrame({"item": ["a", "b"], "Ann": [1, 2], "J": [1, 2]})
    same(alone, from_ratings(wide_table, annotator="Ann", **rule))
    judges = pd.DataFrame({"item": ["a", "b"], "model": ["J", "J"], "rating": [1, 2]})
    people = wide_table[["item", "Ann"]]
    same(alone, from_ratings(people, annotator="Ann", **rule | {"runs": judges}))
    rule["runs"] = pd.concat([judges, judges.assign(model="K")]).rename(columns={"rating": "x"})
    with pytest.raises(ValueError, match="a second row of item 'a', and no column 'rating'; of a"):
        from_ratings(people, annotator="Ann", **rule)
    both = from_ratings(people, annotator="Ann", rating="x", **rule)
    assert both.runs == ("J", "K")


def test_annotators_beside_gold_are_checked(tmp_path):
    table = wide()
    rule = {"item": "id", "annotator": PEOPLE, "gold": "median", "ties": "lower"}
    task = from_ratings(table, runs=JUDGES, **rule)
    task.save(tmp_path)
    path = tmp_path / "annotators.csv"
    text = path.read_text()
    bad = {
        text.replace("i0,Ann,1", "i0,Ann,7"): "line 2: the rating 7 by 'Ann', not one of",
        text + "i0,Ann,2\n": "a second rating of item 'i0' by 'Ann'",
        text + "i99,Ann,2\n": "item 'i99' of topic 'all', which gold does not have",
        text + "i0,maker-1,2\n": "the annotator 'maker-1', which is a run's name, too",
    }
    for changed, message in bad.items():
        path.write_text(changed)
        assert message in str(check(tmp_path))
    gold = tmp_path / "gold.csv"
    path.write_text(text)
    gold.write_text(gold.read_text().replace("i0,1", "i0,5"))
    assert "The gold of 1 of 40 items is not what people's ratings give (median)" in str(
        check(tmp_path)
    )


def test_the_command_converts_long_and_wide_tables_and_two_files(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    table = wide().rename(columns={JUDGES[0]: "maker/1"})
    runs = ["maker/1", JUDGES[1]]
    table.to_csv("wide.csv", index=False)
    table.melt(["id", "q"], [*PEOPLE, *runs], "annotator", "rating").to_csv("long.csv", index=False)
    table[["id", "q", *PEOPLE]].to_csv("people.csv", index=False)
    table[["id", *runs]].to_json("judges.jsonl", orient="records", lines=True)
    rule = ["--item", "id", "--topic", "q", "--gold", "median", "--ties", "lower"]
    people = ["--annotators", ",".join(PEOPLE)]
    for way in (
        ["wide.csv", "a", *rule, *people, "--runs", ",".join(runs)],
        ["long.csv", "b", *rule, "--runs", ",".join(runs)],
        ["people.csv", "c", *rule, *people, "--runs", "judges.jsonl"],
    ):
        assert main(["convert", *way]) == 0
        assert "nothing is wrong" in capsys.readouterr().out
        same(ob.load("a"), ob.load(way[1]))
    assert ob.load("a").runs == ("maker-2", "maker_1")
    Path("bad.csv").write_text(LONG + "b,Ann,3\n,Bob,1\n")
    for name, lines in (("bad.csv", 2), ("bda.csv", 1)):
        assert main(["convert", name, "d", "--gold", "median"]) == 2
        assert len(capsys.readouterr().err.splitlines()) == lines


def test_the_sample_of_ten_answers(tmp_path):
    folder = share("data", "examples", "ratings")
    subprocess.run([sys.executable, folder / "make.py", tmp_path], check=True)
    path = folder / "ratings.csv"
    assert (tmp_path / "ratings.csv").read_bytes() == path.read_bytes()
    task = from_ratings(
        path, annotator=["Ada", "Ben", "Eve"], gold="median", runs=["bold", "careful"]
    )
    scores = ob.score(task)
    best = np.take(scores.runs, scores.oriented[:, 0].argmax(axis=1))
    ordinal = [CLASSIFICATION[measure].ordinal for measure in scores.measures]
    assert best.tolist() == np.where(ordinal, "careful", "bold").tolist()
