"""What an edition about other data leaves out of a chapter, and what it says instead."""

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from ordbook.book.chapters import CHAPTERS, notebook_of
from ordbook.book.edition import adapt
from ordbook.book.idle import BY_HAND, LEFT_OUT, PAPERS, is_idle, leave_out, silence
from ordbook.book.parameters import OTHER_DATA

TAGGED = ["dnkt", "sigir18"]
IDLE = "Idle. Table 2 was printed for sem16t4e."


def code(shown="", *tags, source="1"):
    outputs = [new_output("display_data", data={"text/markdown": shown})] if shown else []
    return new_code_cell(source, outputs=outputs, metadata={"tags": list(tags)})


def text(source, *tags):
    return new_markdown_cell(source, metadata={"tags": list(tags)})


def on_page(notebook) -> str:
    """Text and outputs of the cells that stay on the page."""
    shown = []
    for cell in notebook.cells:
        if "remove-cell" in cell.metadata.get("tags", ()):
            continue
        shown.append(cell.source)
        shown += [out.data.get("text/markdown", "") for out in cell.get("outputs", ())]
    return "\n".join(shown)


def test_what_is_of_the_papers_goes_where_the_data_are_others():
    record = new_output("display_data", data={"application/papermill.record/text/plain": "2 exact"})
    table = code("Table 7 of the paper", "papers-quantification")
    table.outputs.append(record)
    cells = [text("Look:", "papers-quantification"), table, code("ours"), code("c", f"{PAPERS}c")]
    notebook = new_notebook(cells=cells)
    silence(notebook, [])
    assert "Table 7 of the paper" in on_page(notebook)
    silence(notebook, ["quantification"])
    assert "Look:" not in on_page(notebook)
    assert "Table 7 of the paper" not in str(notebook)
    assert "this edition is about other data" in on_page(notebook)
    assert is_idle(notebook.cells[0])
    assert record in notebook.cells[0].outputs, "other parts of the page show what it keeps"
    assert "ours" in on_page(notebook)
    assert notebook.cells[-1].outputs[0].data["text/markdown"] == "c", "of another part"


def test_a_lead_without_anything_after_it_goes():
    notebook = new_notebook(
        cells=[
            text("(a)=\n## A\n\nOurs first."),
            code("ours"),
            text("Printed beside recomputed:"),
            code(source="prepare()"),
            code(IDLE),
            code("Idle: the twins stand for runs of the paper."),
            text("And both:"),
            code(IDLE),
            code("more of ours"),
            code("Idle: ranking topics needs at least five."),
            text("A remark."),
            text("```{solution-start} x\n```"),
            code(IDLE),
        ]
    )
    leave_out(notebook)
    shown = on_page(notebook)
    assert "Idle: ranking topics" in shown, "said of the task of the edition"
    for gone in ("Printed beside", "prepare()", "Idle.", "Idle: the twins"):
        assert gone not in shown
    for kept in ("Ours first", "ours", "And both:", "more of ours", "A remark.", "solution-start"):
        assert kept in shown


def test_a_last_paragraph_that_leads_to_what_is_idle_goes_from_below_a_heading():
    heading = "(a)=\n## A\n\nDefined as:\n\n- so.\n\nThe paper's numbers,\nas printed:"
    solution = "```{solution-start} x\n:class: dropdown\n```\n\nSo it is.\n\nPrinted here:"
    cells = [text(heading), code(IDLE), text("Ours."), code("ours"), text(solution), code(IDLE)]
    note = "## B\n\n:::{note}\nA note stays:\n:::"
    cells += [text(note), code(IDLE), text("More."), code("ours")]
    notebook = new_notebook(cells=[*cells, text("## C\n\nHere it stays:"), code("more")])
    leave_out(notebook)
    shown = on_page(notebook)
    assert notebook.cells[0].source == "(a)=\n## A\n\nDefined as:\n\n- so."
    assert "So it is." in shown
    assert "Printed here" not in shown
    assert note in shown
    assert "Here it stays:" in shown


def test_a_section_goes_with_its_heading_tagged_and_an_example_by_hand_stays():
    section = [text("(b)=\n### B\n\nOf the paper.", "papers-quantification"), code(source="2")]
    toy = [text("(c)=\n## C\n\nFive items by hand.", BY_HAND), code(IDLE)]
    notebook = new_notebook(cells=[*section, text("Seen."), *toy])
    silence(notebook, ["quantification"])
    leave_out(notebook)
    assert notebook.cells[0].source == f"(b)=\n### B\n\n{LEFT_OUT}", "links still lead to it"
    assert "Seen." not in on_page(notebook)
    assert "Five items by hand." in on_page(notebook)


@pytest.mark.parametrize("chapter", TAGGED)
def test_tags_of_chapters_name_their_parts(chapter):
    cells = nbformat.read(notebook_of(chapter), as_version=4).cells
    tags = [tag for cell in cells for tag in cell.metadata.get("tags", ()) if PAPERS in tag]
    assert tags
    assert {tag.removeprefix(PAPERS) for tag in tags} <= set(CHAPTERS[chapter])


@pytest.mark.parametrize("chapter", TAGGED)
def test_comparisons_about_no_data_are_all_tagged(chapter):
    """Whatever data a chapter runs on, it computes these tables: an edition must hide them."""
    cells = nbformat.read(notebook_of(chapter), as_version=4).cells
    for cell in cells:
        if 'part=""' in cell.source:
            assert any(tag.startswith(PAPERS) for tag in cell.metadata.get("tags", ())), cell.id


@pytest.mark.parametrize(("given", "shown"), [("sem16t4e", True), ("/my/task", False)])
def test_an_edition_knows_whose_data_it_is_about(given, shown, tmp_path):
    path = tmp_path / "lq21.ipynb"
    notebook = new_notebook(cells=[code("Table 1 of the paper", "papers-quantification")])
    notebook.metadata["papermill"] = {"parameters": {"quantification": given}}
    nbformat.write(notebook, path)
    adapt(path, ["lq21"], {}, whole=True)
    page = on_page(nbformat.read(path, as_version=4))
    assert ("Table 1 of the paper" in page) is shown
    assert ("Idle." in page) is not shown


def test_the_box_does_not_claim_the_papers_tables():
    said = " ".join(OTHER_DATA.format(names="mine").split())
    assert "Its pages leave out the papers' own tables" in said
    assert "examples by hand" in said
