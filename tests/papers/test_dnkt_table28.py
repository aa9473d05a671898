"""DNKT Tables 20, 24 and 28: averages of printed values over the eight data sets."""

import pandas as pd

from ordbook.data.printed import printed_values
from ordbook.papers.relations import judge

PARTS = "ababcabc"


def printed(tables):
    values = pd.concat([printed_values("dnkt", str(table)) for table in tables])
    values = values[~values["column"].str.contains(r"outperforms| low$| high$")]
    return values.assign(value=values["printed"].astype(float))


def averages(tables):
    cells = printed(tables).groupby(["row", "column"])["value"]
    assert set(cells.count()) == {8}
    return cells.mean().to_dict()


def verdicts(table, ours):
    values = printed_values("dnkt", table)
    cells = zip(values["row"], values["column"], values["printed"], strict=True)
    found = [judge(text, ours[row, column]) for row, column, text in cells]
    return {verdict: found.count(verdict) for verdict in found}


def test_table_20_averages_the_averages():
    assert verdicts("20", averages(range(4, 19, 2))) == {"exact": 9}


def test_table_24_averages_the_combined_measures():
    tables = [f"{n}{x}" for n, x in zip((21, 21, 22, 22, 22, 23, 23, 23), PARTS, strict=True)]
    assert verdicts("24", averages(tables)) == {"exact": 9}


def test_table_28_averages_the_consistencies():
    tables = [f"{n}{x}" for n, x in zip((25, 25, 26, 26, 26, 27, 27, 27), PARTS, strict=True)]
    assert verdicts("28", averages(tables)) == {"exact": 24}
