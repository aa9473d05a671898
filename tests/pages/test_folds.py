"""A page begins with one fold, and what its set-up says of the data stands at the foot."""

from docutils import nodes
from docutils.utils import new_document

from ordbook.pages.folds import gather_setup


def cell(source: str, output: str = "", mode: str = "all", prompt: str = "Code") -> nodes.container:
    node = nodes.container("", nb_element="cell_code", hide_mode=mode, prompt_show=prompt)
    node += nodes.container("", nodes.literal_block(text=source), nb_element="cell_code_source")
    if output:
        node += nodes.container("", nodes.paragraph(text=output), nb_element="cell_code_output")
    return node


def page(*parts: nodes.Node) -> nodes.document:
    document = new_document("page")
    document += nodes.section("", nodes.title(text="Title"), *parts)
    gather_setup(None, document)
    return document


def test_the_head_is_one_fold_and_its_output_goes_to_the_foot():
    figure, text = cell("draw()", "figure", "input"), nodes.paragraph(text="text")
    document = page(
        cell("seed = 0", prompt="Parameters"),
        cell("import", "data"),
        figure,
        text,
        cell("check", "fine"),
    )
    joined, after, check, foot = document[0][1:]
    assert joined["hide_mode"] == "input"
    assert [source.astext() for source in joined[0]] == ["seed = 0", "import", "draw()"]
    assert joined[1].astext() == "figure"
    assert (after, foot.astext()) == (text, "data")
    assert check[1].astext() == "fine"


def test_a_page_without_a_figure_at_once_keeps_a_fold_of_its_own():
    _, setup, _, check = page(
        cell("a", prompt="Set-up"), cell("b"), nodes.paragraph(text="text"), cell("c")
    )[0]
    assert setup.astext().split() == ["a", "b"]
    assert setup["prompt_show"] == "Set-up"
    assert check["prompt_show"] == "Code"
