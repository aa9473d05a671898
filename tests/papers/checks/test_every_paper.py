"""What holds for the checks of each paper."""

from types import SimpleNamespace

import pytest

from cases import each
from ordbook.papers import checks
from ordbook.papers.checks import MODULES
from ordbook.papers.errata import Erratum
from ordbook.papers.ledger import LOST, printed_cells
from ordbook.papers.relations import Cell, same

PRINTED = {cell: text for cell, (text, _) in printed_cells().items()}


@each("paper", MODULES)
def test_no_check_reads_a_cell_twice_or_one_that_is_not_there(paper):
    for relation in MODULES[paper].relations(PRINTED):
        assert len(set(relation.cells)) == len(relation.cells) > 0
        assert all(PRINTED[cell] != LOST for cell in relation.cells)


@each("paper", MODULES)
def test_no_erratum_is_about_another_paper(paper):
    errata = MODULES[paper].ERRATA
    assert {cell.paper for erratum in errata for cell in erratum.cells} == {paper}
    assert len({erratum.name for erratum in errata}) == len(errata)


@pytest.mark.parametrize("given", [{"seeds": 250}, {}])
def test_the_full_ledger_has_the_checks_of_every_paper_and_what_is_recomputed(given, monkeypatch):
    cells = [Cell(paper, "1", row, "x") for paper in ("acl21", "lq21") for row in "abcd"]
    noted = {cell: (text, "a note") for cell, text in zip(cells, "11231145", strict=True)}
    texts = {cell: text for cell, (text, _) in noted.items()}
    modules, asked = {}, []
    for paper, (one, two, wrong, _) in (("acl21", cells[:4]), ("lq21", cells[4:])):

        def relations(printed, pairs=((one, two), (one, wrong))):
            asked.append(printed)
            return [same(*pair, "a toy") for pair in pairs]

        def unreached(cell):
            return "stated", f"{cell.paper} says it once"

        errata = (Erratum(f"{paper}-toy", (wrong,), "misprint", f"{paper} is wrong", "See there."),)
        modules[paper] = SimpleNamespace(relations=relations, ERRATA=errata, unreached=unreached)

    def recomputed(printed, seeds):
        asked.append((printed, seeds))
        return [same(cells[0], cells[4], "over seeds")]

    monkeypatch.setattr(checks, "MODULES", modules)
    monkeypatch.setattr(checks, "printed_cells", lambda: noted)
    monkeypatch.setattr(checks, "recomputed", SimpleNamespace(relations=recomputed))
    lines = []
    ledger = checks.full_ledger(**given, progress=lines.append)
    seeds = given.get("seeds", 1000)
    assert asked == [texts, texts, (texts, seeds)]
    assert [relation.relies for relation in ledger.relations] == [*["a toy"] * 4, "over seeds"]
    assert ledger.printed == texts
    assert [erratum.name for erratum in ledger.errata] == ["acl21-toy", "lq21-toy"]
    last = ledger.cells.set_index(["paper", "row"])["reason"].xs("d", level="row")
    assert last.to_dict() == {"acl21": "acl21 says it once", "lq21": "lq21 says it once"}
    assert set(ledger.cells["note"]) == {"a note"}
    for line, words in zip(
        lines, (["acl21"], ["lq21"], [f"{seeds} seeds"], ["5 checks", "8 printed"]), strict=True
    ):
        assert all(word in line for word in words)
    assert checks.full_ledger(**given).cells.equals(ledger.cells)
