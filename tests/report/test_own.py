"""Measures of the reader's own in the tables of a chapter, and what tests say about themselves."""

import hashlib

import numpy as np

import ordbook as ob
from cases import case
from ordbook.chapters import measures
from ordbook.data.tasks import Provenance
from ordbook.measures import custom_measure
from ordbook.report.options import contents
from ordbook.show import show

WORST = custom_measure("worst", lambda g, e: abs(g - e).max(axis=-1), better="low", bounds=(0, 1))


def test_the_checksum_is_that_of_the_file(tmp_path):
    (tmp_path / "mine.py").write_text("M = 1\n")
    alone = hashlib.sha256((tmp_path / "mine.py").read_bytes()).hexdigest()
    assert contents([f"{tmp_path}/mine.py:M"]) == {"mine.py:M": alone}, "as sha256sum prints it"


def test_a_measure_of_ones_own_stands_beside_the_others():
    for rows in [measures.properties, measures.scales]:
        with case(rows):
            assert list(rows(["NMD", WORST]).index) == ["NMD", "worst"]


def test_a_card_of_a_measure_of_ones_own():
    card = measures.facts([WORST])["worst"]
    assert card["range"] == "0 to 1"
    assert card["knows the order"] == "no"


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
    assert note.data.startswith("- a\\*b\\: 2 runs on 3 topics")
