"""What holds for the checks of each paper."""

import pytest

from ordbook.papers.checks import MODULES
from ordbook.papers.ledger import LOST, printed_cells

PRINTED = {cell: text for cell, (text, _) in printed_cells().items()}


@pytest.mark.parametrize("paper", MODULES)
def test_no_check_reads_a_cell_twice_or_one_that_is_not_there(paper):
    for relation in MODULES[paper].relations(PRINTED):
        assert len(set(relation.cells)) == len(relation.cells) > 0
        assert all(PRINTED[cell] != LOST for cell in relation.cells)


@pytest.mark.parametrize("paper", MODULES)
def test_no_erratum_is_about_another_paper(paper):
    errata = MODULES[paper].ERRATA
    assert {cell.paper for erratum in errata for cell in erratum.cells} == {paper}
    assert len({erratum.name for erratum in errata}) == len(errata)
