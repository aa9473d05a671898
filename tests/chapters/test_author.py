"""The page to the author: its counts, and the layout in which files can be dropped in."""

from ordbook.chapters import audit, author
from ordbook.papers.ledger import errata


def test_matrices_settle_numbers_that_nobody_could_recompute():
    cells = audit.committed()
    settled = author.from_matrices(cells)
    assert (settled["numbers"] > 0).all()
    assert settled["numbers"].sum() < (~cells["verdict"].isin(audit.COMPUTED)).sum()
    # Table 2(ii) has 36 numbers, Table 5 has 3 x 15, Table 6 has 6 x 13, Table 9(ii) has 2 x 13.
    assert settled["numbers"].iloc[0] == 36 + 45 + 78 + 26


def test_plain_files_with_a_list_of_runs_give_a_printed_table(tmp_path):
    assert author.dropped_in(tmp_path) == (15, 15)
    assert len(list(tmp_path.iterdir())) == 7


def test_every_error_is_derived_with_its_correction():
    wrong = [error for error in errata() if error.kind in ("misprint", "claim")]
    text = author.derivations(wrong).data
    assert text.count("1. **") == len(wrong)
    assert "*Read 30\\.891.*" in text or "*Read 30.891.*" in text
