"""The checks of all papers: they break on the errata only, and notice other texts than printed."""

import pytest

from ordbook.chapters import audit as board
from ordbook.papers import every
from ordbook.papers.comparison import LedgerMismatch
from ordbook.papers.kinds.correlations import discordant, pairs_of_runs
from ordbook.papers.ledger import (
    errata,
    inject,
    passes,
    printed_cells,
)
from ordbook.papers.relations import Cell

NOTED = printed_cells()
PRINTED = {cell: text for cell, (text, _) in NOTED.items()}
ERRATA = {erratum.name: erratum for erratum in errata()}
# Readings of the errata that leave no contradiction, where one does.
REPAIRS = """
sigir18|s4.2|NMD and RSNOD true disagreements|count|176 & figure2||count|176
sigir18|s4.2|NMD and RSNOD disagreements with NMD delta zero|count|seven
sigir18|s3.1|example System Y|p(1)|0.4 & s3.1||p(2)|0.2
dialeval1|s5.1|IMTKU-run2 outperforms the baselines in NMD (Chinese DQ)|p|<0.05
dialeval1|table13 caption|language of the runs|claim|English
dialeval1|s5.2|table of English rank correlations|tables|13
dialeval1|s3.2|JSD formula|equation 8|(KLD(p||p_M) + KLD(p*||p_M))/2
"""


@pytest.fixture(scope="session")
def relations():
    """Return all checks that do not depend on chance."""
    return [check for found in every.lasting(PRINTED).values() for check in found]


def broken(relations, changes):
    """Families of checks that hold as printed and break with other texts."""
    return {
        relation.family
        for relation in relations
        if changes.keys() & set(relation.cells)
        and passes(relation, PRINTED)
        and not passes(relation, {**PRINTED, **changes})
    }


def test_what_breaks_is_an_erratum_and_every_cell_of_one_breaks_something(relations):
    accused = {cell: name for name, erratum in ERRATA.items() for cell in erratum.cells}
    assert sum(len(erratum.cells) for erratum in ERRATA.values()) == len(accused)
    failed = [relation for relation in relations if not relation.test(PRINTED).holds]
    blamed = [{accused[cell] for cell in relation.cells if cell in accused} for relation in failed]
    assert all(blamed)
    assert set.union(*blamed) == {name for name, erratum in ERRATA.items() if erratum.breaks}
    # Where the reason of an erratum is one digit that no other cell shares, it is its own.
    for name in (name for name in ERRATA if name.startswith("dnkt")):
        for cell in ERRATA[name].cells:
            alone = [r for r in failed if accused.keys() & set(r.cells) == {cell}]
            assert alone, cell


def test_a_repair_leaves_no_contradiction(relations):
    for line in REPAIRS.split("\n")[1:-1]:
        paper, _, rest = line.partition("|")
        changes, before = {}, ["", ""]
        for change in rest.split(" & "):
            table, row, column, text = change.split("|", 3)
            before = [table or before[0], row or before[1]]
            changes[Cell(paper, *before, column)] = text
        touched = [relation for relation in relations if changes.keys() & set(relation.cells)]
        assert not all(passes(relation, PRINTED) for relation in touched), line
        assert all(passes(relation, PRINTED | changes) for relation in touched), line


def test_the_open_tau_of_acl21_is_no_wrong_digit(relations):
    """The taus of the means are impossible beside RNOD's with RSNOD and NMD, as it says."""
    cell = ERRATA["acl21-table5iii-rsnod-nmd"].cells[0]
    pairs = pairs_of_runs(
        PRINTED[cell._replace(table="1", row="DQ-{A, E, S}", column="#runs used")]
    )
    for row, column, number in (("RNOD", "NMD", 48), ("RSNOD", "RNOD", 13)):
        assert discordant(PRINTED[cell._replace(row=row, column=column)], pairs) == number
    for disagreements in (32, 33, 34):
        assert "parity" in broken(relations, {cell: f"{1 - 2 * disagreements / pairs:.3f}"})
    (means,) = (r for r in relations if r.family == "interval" and r.cells[0] == cell)
    for agreement in (161, 163, 165, 167, 169):
        text = f"{agreement / pairs:.3f}"
        assert means.test(PRINTED | {cell: text}).holds == (163 <= agreement <= 167)


def test_the_live_ledger_is_the_committed_one(monkeypatch):
    """It is here, because the ledger takes these checks, which cost seconds, from their cache."""
    ledger = board.live_ledger()
    assert board.differences(ledger).empty
    assert "Verified" in board.verify(ledger).data
    assert len(ledger.relations) > 5_000
    injected = inject(ledger, 200)
    assert sum(error.noticed for error in injected) >= 180, "an audit that overlooks more is no use"
    changed = board.committed()
    changed.loc[7, "verdict"] = "unchecked"
    monkeypatch.setattr(board, "committed", lambda: changed)
    with pytest.raises(LedgerMismatch, match="1 numbers have another verdict.*not unchecked"):
        board.verify(ledger)
