"""The notebook of an edition's first page.

What its cells show is in :mod:`ordbook.book.first_page`.

Contents
--------
notebook     the page, to be executed with the parameters of the edition
parameters   those parameters
"""

from collections.abc import Iterable, Sequence

import nbformat

from ordbook.book.escape import escape_markdown

_PARAMETERS = """data: str = ""  # the task
classes: str = ""  # labels in order
own: str = ""  # measures of your own
trials: int = 5000  # random trials of the significance test
splits: int = 1000  # random splits of the topics
chapters: str = ""  # of this edition"""
_RULES = """The criteria are those of two tables with which {cite:t}`sakai2021acl` sums up its
experiments. The paper grades in words and recommends without a formula; the rules here are this
book's, and give the paper's recommendations from the paper's own numbers. They are a way to
argue, not a law: a measure must first of all measure what matters to your task.

- **Primary.** It must handle the order of the classes, and what else the task needs. Measures
  *poor* in consistency or power are left out, unless all are. Of the others the two best grades
  win. Among equals the papers' choice stands: RNOD before NMD, $\\kappa$ before $\\alpha$-ORD;
  where it is not among them, the mean of two ranks decides: by mean $\\tau$ and by significant
  differences.
- **How firm is that?** The topics are drawn again, with replacement, and the rules applied to each
  such sample. The rules replace the papers' choice only if they choose another measure in two
  thirds of the samples.
- **Secondary.** Of the other measures that could be primary, poor or not, the one that has most of
  the properties that the primary lacks: a second measure is there to see what the first does not.
  Among equals the papers' choice, then the better grades, then the ranking that is least like the
  primary's.
- **Consistency.** The topics are split at random, the runs ranked twice, and the rankings
  correlated with Kendall's $\\tau$. Among the best three in every kind of split, or within .01 of
  the best: *good*; among the worst two in every kind: *poor*; otherwise *fair*.
- **Power.** Significant differences between runs (randomised Tukey HSD, $p < 0.05$). More than
  10% above the median measure: *good*; more than 10% below: *poor*. Two pairs more or fewer say
  nothing.
- **Group.** Measures whose rankings have $\\tau \\geq 0.8$, directly or by a chain, are one
  group. In classification that of $\\alpha$-ORD is A and that of accuracy B, and who is in
  neither A/B; in quantification that of RNOD is Y, and who is not in it X, an outlier.
- **The same measure twice.** Measures whose scores on these data are the same, up to origin and
  unit, count once. With two classes NMD, NVD, RNSS, RNOD and RSNOD are one.
- **Your own measures** change nothing for the others. Each is graded as if it alone had joined
  them.
- **Copies.** Two copies of a run are always tied, and keep $\\tau$ below 1 even between equal
  rankings. Mean $\\tau$ with the others and group are therefore taken with one run of each set of
  identical ones.

Which properties hold is what this project's tests found of the definitions, which is not
everywhere what the papers print."""

# Name, heading and source of every cell.
_START = (
    "start",
    "Which measure should I use?",
    "from ordbook.book.first_page import FirstPage\n\n"
    "page = FirstPage(data, classes, own, trials, splits)\npage.lead()",
)
_CELLS = (
    _START,
    ("doubts", "What speaks against leaning on this", "page.doubts()"),
    ("properties", "The criteria, measure by measure", "page.properties()"),
    ("numbers", "", "page.numbers()"),
    ("rules", "By what rules", _RULES),
    ("topics", "How small a difference can these topics find?", "page.topics()"),
    ("glance", "The data at a glance", "page.glance()"),
    ("runs", "The runs by these measures", "page.runs()"),
    ("chapters", "The chapters of this edition", "page.chapters(chapters)"),
)


def notebook(title: str, *, advised: bool = True) -> nbformat.NotebookNode:
    """Return the page, not yet executed.

    Parameters
    ----------
    title
        Its heading, on one line; escaped here.
    advised
        Whether there is a choice to recommend, as there is where classes have an order.
    """
    v4 = nbformat.v4
    cells = [v4.new_markdown_cell(f"# {escape_markdown(title)}", id="title")]
    tags = {"tags": ["parameters", "remove-cell"]}
    cells.append(v4.new_code_cell(_PARAMETERS, id="parameters", metadata=tags))
    for name, heading, source in _CELLS if advised else (_START, *_CELLS[-3:]):
        if heading:
            cells.append(v4.new_markdown_cell(f"## {heading}", id=f"{name}-heading"))
        if source == _RULES:
            cells.append(v4.new_markdown_cell(source, id=name))
        else:
            hidden = {"tags": ["remove-input"]}
            cells.append(v4.new_code_cell(source, id=name, metadata=hidden))
    spec = {"display_name": "Python 3", "language": "python", "name": "python3"}
    page: nbformat.NotebookNode = v4.new_notebook(cells=cells, metadata={"kernelspec": spec})
    return page


def parameters(
    data: str, chosen: Iterable[dict[str, str | int]], chapters: Sequence[str]
) -> dict[str, str | int]:
    """Return the page's parameters: those that the chapters were given, and its own."""
    found: dict[str, str | int] = {"data": data, "chapters": ",".join(chapters)}
    for one in chosen:
        found |= {name: one[name] for name in ("classes", "own", "trials", "splits") if name in one}
    return found
