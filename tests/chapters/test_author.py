"""The letter to the authors: its lists and counts, and the layout in which files are dropped in."""

from dataclasses import replace

import pandas as pd

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


def test_the_letter_lists_every_erratum_once_but_the_damaged_ones():
    groups = author.groups(errata())
    listed = [error for error in errata() if error.detail != "extraction"]
    numbers = [number for frame in groups.values() for number in frame.index]
    assert numbers == list(range(1, len(listed) + 1))
    assert all((frame != "").all(axis=None) for frame in groups.values())
    places = pd.concat(groups.values())
    assert set(places["because"]) == {error.because for error in listed}
    assert groups["questions"]["we ask"].str.endswith("?").all()
    (footnote,) = groups["questions"].query("place.str.contains('DNKT')")["place"]
    assert footnote == "LQ'21, Footnote 2; DNKT, Footnote 2"


def test_an_answer_is_printed_beside_its_row():
    answered = replace(errata()[0], answer="It is 176.")
    (row,) = author.groups([answered])["questions"]["because"]
    assert row == f"{answered.because} The authors answer: It is 176."
