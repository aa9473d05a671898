"""The box reads what people paste, asks where it cannot know, and says what is wrong."""

import pandas as pd
import pytest

import ordbook as ob
from ordbook.files import share
from ordbook.pages import tryout


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
        return javascript(tryout.SCRIPTS[:-1], program, [[text, options] for text in texts])

    return analyse


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


def test_the_leaders_of_two_measures_are_compared_in_a_sentence(analysed):
    labels = tryout.example().to_csv(index=False, sep="\t")
    gold = [1, *[2] * 7, 3]
    reads = pd.DataFrame({"gold": gold, "reads": [1, 3, 1, 3, *[2] * 4, 3], "idle": 2})
    for text, by, sentence in (
        (
            labels, "kappa",
            "By accuracy bold wins, by kappa careful: bold is on average 3.3 steps off in its 3 "
            "errors, careful 1.0 in its 5 errors.",
        ),
        (
            reads.to_csv(index=False), "kappa",
            "By MAE_mu and accuracy idle wins, by kappa reads: idle always answers 2.",
        ),
    ):  # fmt: skip
        assert analysed(text, by=by)[0]["sentences"] == [sentence]


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
    ("id,text,gold,A\n1,gold,2,1\n2,x,1,2", {}, {"golds": ["gold"], "items": 2}),
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
    ("topic,run,1,2\nt,gold,0.2,0.8\nt,A,0.5,0.5", "These rows hold shares of the classes"),
    ("1\n1,2\n2,3\n3,3", "Most rows have more cells than row 1"),
]


def test_what_cannot_be_read_is_explained(analysed, subtests):
    for text, message in WRONG:
        with subtests.test(text=text[:30]):
            result = analysed(text)[0]
            assert isinstance(result, str)
            assert message in result


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
