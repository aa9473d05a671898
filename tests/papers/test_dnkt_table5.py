"""DNKT Tables 5 to 18: the printed averages are those of the printed correlations."""

from cases import each
from ordbook.data.printed import printed_values
from ordbook.papers.relations import judge


@each("table", range(5, 18, 2))
def test_the_averages_follow_from_the_correlations(table):
    cells = printed_values("dnkt", str(table))
    cells = cells[~cells["column"].str.contains(" ")]
    averages = printed_values("dnkt", str(table + 1))
    assert (len(cells), len(averages)) == (36, 9)
    for measure, text in averages[["row", "printed"]].to_numpy():
        of_measure = (cells[["row", "column"]] == measure).any(axis=1)
        found = cells.loc[of_measure, "printed"].astype(float)
        assert len(found) == 8
        assert judge(text, found.mean()) == "exact", measure
