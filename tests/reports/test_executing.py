"""Which cells of a chapter are run on other data."""

import nbformat
import pytest

from ordbook.reports import executing
from ordbook.reports.executing import FINDING, RerunError, chosen_cells, execute
from ordbook.show.parameters import CHAPTERS


def test_cells_about_the_papers_own_data_go():
    for chapter, parts in CHAPTERS.items():
        given = {"quantification": "sem16t4e"}
        if "quantification" not in parts:
            given = {"classification": "fair-oc"}
        cells = chosen_cells(chapter, given).cells
        tags = {tag for cell in cells for tag in cell.metadata.get("tags", ())}
        assert not {"paper", "quantification", "classification"} & (tags - {*given}), chapter


def test_captions_lose_what_they_tell_of_the_papers_own_data():
    name = "acl21-oq-heatmap"
    told = {}
    for parameters in ({}, {"quantification": "sem16t4e"}):
        cells = chosen_cells("acl21", parameters)
        figures = [cell.metadata.get("mystnb", {}).get("figure", {}) for cell in cells.cells]
        (told[bool(parameters)],) = [f["caption"] for f in figures if f.get("name") == name]
    assert told[False].partition(FINDING)[0] == told[True] != told[False]


CODE = {
    "assert": "assert 1 > 2, 'one is *not* more'",
    "claim": "from ordbook.show import run\nrun.verify({'two is odd': False})",
    "fault": "1 / 0",
}


@pytest.mark.parametrize(
    ("names", "parameters", "fails"),
    [
        (["assert", "claim"], {"trials": 200}, None),
        pytest.param(["assert"], {}, "AssertionError", marks=pytest.mark.slow),
        (["assert", "fault"], {"trials": 200}, r"cell \[3\] failed: ZeroDivisionError"),
    ],
)
def test_a_failing_check_warns_on_other_data_and_stops_the_book(
    names, parameters, fails, tmp_path, monkeypatch
):
    cells = [nbformat.v4.new_code_cell(CODE[name]) for name in names]
    cells += [nbformat.v4.new_code_cell("'after'")]
    for cell in cells:
        cell.metadata["tags"] = ["hide-cell"]
    source, page = tmp_path / "small.ipynb", tmp_path / "out.ipynb"
    kernel = {"kernelspec": {"name": "python3", "language": "python", "display_name": "Python 3"}}
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata=kernel), source)
    monkeypatch.setattr(executing, "notebook_of", lambda chapter: source)
    if fails:
        with pytest.raises(RerunError, match=fails):
            execute("acl21", parameters, page)
        assert not page.exists()
        return
    execute("acl21", parameters, page)
    first, second, after = nbformat.read(page, as_version=4).cells[-3:]
    warnings = [cell.outputs[0].data["text/markdown"] for cell in (first, second)]
    assert all("**Warning.**" in text for text in warnings)
    assert "more" in warnings[0]
    assert "two is odd" in warnings[1]
    assert first.metadata["tags"] == ["hide-input"]
    assert after.outputs[0].data["text/plain"] == "'after'"
