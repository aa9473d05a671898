"""Kinds of printed tables: a stranger's table is one CSV and one line, checked like the papers'."""

import pytest

from ordbook.papers.kinds import declared
from ordbook.papers.relations import Cell
from ordbook.papers.tables import Paper

TAU = {"A, B": ".600", "A, C": ".200", "B, C": ".600"}
LIMITS = {"A, B": ".6", "A, B low": ".1", "A, B high": "1.0"}
LIST = {"a, x": "0.9", "b, x": "0.5", "c, x": "0.2"}
MARKS = {"a, x outperforms": "bc", "b, x outperforms": "c", "c, x outperforms": "blank"}
WINS = {"u, M p": "3", "u, M q": "4", "u, topics": "9", "all, M p": "3", "all, M q": "4"}
POWER = {"u, M S_D": "2", "u, M T_D": "3", "u, M %": "66.7", "u, N S_D": "2", "u, runs": "3"}
SHARED = {"M, N a": "1", "M, N b": "1", "M, N c": "1", "M, N SSO": "33.3"}
SIZES = {"here, #Ordinal classes": "5", "here, Test data sample size": "100"}


def checks(entry, numbers):
    """The checks of a paper with one table, and its printed numbers."""
    paper = Paper("toy", "A toy", {"1": entry}, symbols={letter: letter for letter in "abc"})
    printed = {Cell("toy", "1", *place.split(", ")): text for place, text in numbers.items()}
    printed[Cell("toy", "2", "text", "runs")] = "5"
    return list(declared(paper, printed)), printed


@pytest.mark.parametrize(
    ("kind", "options", "numbers", "place", "wrong", "families"),
    [
        ("correlations", {"tau": "without ties"}, TAU, "A, B", ".500", {"step", "parity"}),
        ("correlations", {"tau": "without ties"}, TAU, "A, C", ".400", {"parity"}),
        ("correlations", {"tau": "ties count 0"}, TAU, "A, C", "-1.000", {"triangle"}),
        ("correlations", {"tau": "averages", "runs": ""}, LIMITS, "A, B", "1.1", {"range"}),
        (
            "correlations",
            {"tau": "tau-b", "interval": "bootstrap"},
            LIMITS,
            "A, B high",
            "9.0",
            {"range"},
        ),
        ("ranked", {"columns": ["x"]}, LIST, "b, x", "1.2", {"order"}),
        (
            "ranked",
            {"columns": ["x"], "symbols": "names"},
            LIST | MARKS,
            "b, x outperforms",
            "b",
            {"symbols"},
        ),
        (
            "wins",
            {"first": "p", "second": "q", "total": "all", "topics": {"u": "1::u::topics"}},
            WINS,
            "u, M p",
            "6",
            {"sum"},
        ),
        ("power", {"runs": {"u": "1::u::runs"}}, POWER, "u, M S_D", "3", {"share"}),
        ("overlaps", {"power": "1::u"}, POWER | SHARED, "M, N b", "2", {"share", "sum"}),
        (
            "sizes",
            {"rows": {"here": "sem16t4e"}},
            SIZES,
            "here, #Ordinal classes",
            "6",
            {"catalogue"},
        ),
    ],
)
def test_a_wrong_number_breaks_a_check_of_the_kind(kind, options, numbers, place, wrong, families):
    runs = {"runs": "2::text::runs"} if kind == "correlations" and numbers is TAU else {}
    relations, printed = checks({"kind": kind} | runs | options, numbers)
    assert all(relation.test(printed).holds for relation in relations)
    changed = printed | {Cell("toy", "1", *place.split(", ")): wrong}
    assert {r.family for r in relations if not r.test(changed).holds} == families


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({"kind": "correlation"}, "tables.toml, .toy.tables. 1: no kind 'correlation'; there are"),
        ({"kind": "ranked", "colums": []}, "1: ranked has no option 'colums'; it has columns"),
        ({"kind": "correlations", "tau": "tau-c"}, "1: no tau 'tau-c'; there are without ties"),
        ({"kind": "correlations"}, "1: .*tau"),
        ({"kind": "correlations", "tau": "tau-b", "runs": "12"}, "1: '12' is no place of toy"),
    ],
)
def test_an_entry_that_means_nothing_is_refused_with_its_place(entry, message):
    with pytest.raises(ValueError, match=message):
        checks(entry, TAU)
