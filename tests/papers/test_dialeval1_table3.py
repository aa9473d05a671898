"""DialEval-1 Table 3: its development data are STC-3's test data, whose turns can be counted."""

import ordbook as ob
from ordbook.data.goldfacts import gold_facts
from ordbook.data.printed import printed_values


def averages(column):
    cells = printed_values("dialeval1", "3").set_index(["column", "row"])["printed"]
    rows = ["#dialogues", "Avg. #posts/dialogue", "Avg. post length", "Avg. turn length"]
    return [float(cells[column, row].replace(",", "")) for row in rows]


def test_the_number_of_turns_follows_from_three_averages():
    task = ob.load("stc3-nd")
    counted = sum(gold_facts(task).values())
    for column in ("Chinese Dev", "English Dev"):
        dialogues, posts, post, turn = averages(column)
        assert dialogues == len(task.topics)
        # Each average is printed with three decimals.
        assert abs(dialogues * posts * post / turn - counted) < dialogues * 0.0005 * 1.1


def test_both_languages_have_the_same_turns():
    chinese, english = (
        n * posts * post / turn
        for n, posts, post, turn in map(averages, ("Chinese Test", "English Test"))
    )
    assert abs(chinese - english) < 0.3
