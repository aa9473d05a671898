"""Which cells of a chapter are run on other data."""

from ordbook.report.executing import FINDING, chosen_cells
from ordbook.show.parameters import CHAPTERS, notebook_of


def test_cells_about_the_papers_own_data_go():
    for chapter, parts in CHAPTERS.items():
        given = {"quantification": "sem16t4e"} if "quantification" in parts else {}
        cells = chosen_cells(chapter, given, notebook_of(chapter)).cells
        tags = {tag for cell in cells for tag in cell.metadata.get("tags", ())}
        assert not {"paper", "classification"} & tags, chapter


def test_captions_lose_what_they_tell_of_the_papers_own_data():
    name = "acl21-oq-heatmap"
    told = {}
    for parameters in ({}, {"quantification": "sem16t4e"}):
        cells = chosen_cells("acl21", parameters, notebook_of("acl21"))
        figures = [cell.metadata.get("mystnb", {}).get("figure", {}) for cell in cells.cells]
        (told[bool(parameters)],) = [f["caption"] for f in figures if f.get("name") == name]
    assert told[False].partition(FINDING)[0] == told[True] != told[False]
