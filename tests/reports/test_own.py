"""Measures of the reader's own in the tables of a chapter, and what tests say about themselves."""

import hashlib

import numpy as np

import ordbook as ob
from ordbook.data.tasks import Provenance
from ordbook.reports.result_files import checksums
from ordbook.show import show


def test_the_checksum_is_that_of_the_file(tmp_path):
    (tmp_path / "mine.py").write_text("M = 1\n")
    alone = hashlib.sha256((tmp_path / "mine.py").read_bytes()).hexdigest()
    assert checksums([f"{tmp_path}/mine.py:M"]) == {"mine.py:M": alone}, "as sha256sum prints it"


def test_notes_stand_on_the_page_where_a_test_has_some(monkeypatch):
    pages = []
    monkeypatch.setattr(show, "display", pages.append)
    values = np.random.default_rng(0).random((1, 20, 2))
    for topics in (20, 3):
        scores = ob.ScoreMatrix(
            "a*b",
            values[:, :topics],
            ("NMD",),
            tuple(map(str, range(topics))),
            ("x", "y"),
            {"NMD": "low"},
            Provenance("yours"),
        )
        show.notes(ob.tukey_hsd(scores, 100))
    (note,) = pages
    assert note.data.startswith("- a\\*b\\: ")  # the name of the set, escaped, once
    assert note.data.count("a\\*b") == 1
