"""DNKT's eight data sets: every printed table has a place, and figures hold the printed numbers."""

import numpy as np
import pandas as pd
import pytest
from IPython.core.interactiveshell import InteractiveShell
from matplotlib.patches import Rectangle

import ordbook.book.parameters as parameters
from cases import case
from ordbook.book import eight_sets
from ordbook.data.printed import printed_values
from ordbook.papers.heldout import HELD_OUT
from ordbook.papers.verdicts import judge


@pytest.fixture
def shell():
    yield InteractiveShell.instance()
    InteractiveShell.clear_instance()


@pytest.fixture
def start(shell):
    def one(data):
        return parameters.start("dnkt", quantification=data, classes="")

    return one


def test_every_table_of_a_data_set_is_listed_once():
    numbers = [table for tables in eight_sets.TABLES.values() for table in tables.values()]
    expected = [*map(str, range(3, 19))]
    parts = {"21": "ab", "22": "abc", "23": "abc", "25": "ab", "26": "abc", "27": "abc"}
    expected += [f"{n}{x}" for n, letters in parts.items() for x in letters]
    assert sorted(numbers) == sorted(expected)


def test_the_tables_with_twins_are_those_that_twins_predict():
    for name, subtask in eight_sets.WITH_TWINS.items():
        for kind, table in eight_sets.TABLES[name].items():
            assert HELD_OUT[subtask][kind] == table


@pytest.mark.parametrize("kind", ["agreement", "average", "combined", "consistency"])
def test_all_printed_cells_of_seven_data_sets_are_shown(kind, start):
    shown = eight_sets.as_printed(start("sem16t4e"), kind)
    assert list(shown.panels) == [name for name in eight_sets.TABLES if name != "Sem16T4E"]
    for name, panel in shown.panels.items():
        page = panel[0][1]
        table = eight_sets.TABLES[name][kind]
        assert f"Table {eight_sets.label(table)} of the paper" in page
        for text in printed_values("dnkt", table)["printed"]:
            assert text in page


def test_an_edition_about_other_data_has_one_sentence_and_the_comparisons(start, capsys):
    run = start("dialeval1-dq-a-twin")
    assert eight_sets.as_printed(run, "agreement") is None
    assert eight_sets.twins(run, "agreement") is None
    assert run.comparisons["5"] is None


def test_twins_are_called_simulated_and_have_no_verdict(start):
    shown = eight_sets.twins(start("sem16t4e"), "agreement", "average", "combined", "consistency")
    assert len(shown.panels) == 3
    for panel in shown.panels.values():
        assert len(panel) == 4
        for markdown, _ in panel:
            assert "list-table} SIMULATED" in markdown
            assert "verdict" not in markdown


def test_averages_of_printed_numbers_are_those_printed():
    for kind in list(eight_sets.AVERAGED):
        with case(kind):
            found = eight_sets.averages(kind)
            cells = printed_values("dnkt", eight_sets.AVERAGED[kind]).set_index(["row", "column"])
            verdicts = {
                judge(cells.loc[key, "printed"], row["average"]) for key, row in found.iterrows()
            }
            assert verdicts == {"exact"}
            assert (found["low"] <= found["mean"]).all()
            assert (found["mean"] <= found["high"]).all()


def test_our_own_values_count_for_an_eighth():
    printed = eight_sets.averages("average")
    ours = eight_sets.averages("average", dict.fromkeys(printed.index, 0.0))
    lost = eight_sets.by_data_set("average", "average")["Sem16T4E"] / 8
    gap = (printed["mean"] - ours["mean"]).xs("average", level=1)
    assert gap.to_numpy() == pytest.approx(lost[gap.index].to_numpy())


def test_the_largest_of_each_data_set_has_a_frame():
    frame = eight_sets.by_data_set("consistency", "10 vs. 10")
    axes = eight_sets.heatmap(frame, "mean tau")
    framed = {tuple(map(int, p.get_xy())) for p in axes.patches if isinstance(p, Rectangle)}
    assert framed == set(enumerate(np.argmax(frame.to_numpy(), axis=0)))


def test_points_are_the_printed_correlations():
    figure = eight_sets.inheritance(["NMD", "JSD"])
    points = {
        line.get_gid(): line for line in figure.axes[1].lines if line.get_gid() in eight_sets.TABLES
    }
    assert len(points) == 8
    point = points["STC-3 DQ-E"]
    assert (*point.get_xdata(), *point.get_ydata()) == (0.462, 0.883)


def test_simulated_values_are_called_so_on_their_axis():
    figure = eight_sets.against_printed(["consistency"])
    (axes,) = figure.axes
    assert axes.get_ylabel().startswith("SIMULATED")
    printed = sorted(x for group in axes.containers for x in group.lines[0].get_xdata())
    cells = pd.concat([printed_values("dnkt", f"27{x}") for x in "abc"])
    numbers = cells[~cells["column"].str.endswith("outperforms")]["printed"]
    assert printed == sorted(map(float, numbers))
