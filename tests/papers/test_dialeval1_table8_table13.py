"""DialEval-1 Tables 8 and 13: tau of the printed rankings."""

import pytest

import ordbook as ob
from ordbook.data.printed import printed_values
from ordbook.papers import dialeval1


@pytest.mark.parametrize(("table", "language"), [("8", "Chinese"), ("13", "English")])
def test_every_tau_comes_out_from_the_printed_rankings(table, language):
    ours = dialeval1.taus(language)
    cells = printed_values("dialeval1", table).set_index(["row", "column"])["printed"]
    assert len(ours) == 4
    assert {place: f"{tau:.3f}" for place, tau in ours.items()} == {
        place: cells[place] for place in ours
    }
    assert ob.compare("dialeval1", table, ours).counts().keys() <= {
        "consistent",
        "contradicted",
    }


def test_the_caption_of_table_13_names_the_wrong_language():
    english = {place: f"{tau:.3f}" for place, tau in dialeval1.taus("English").items()}
    chinese = {place: f"{tau:.3f}" for place, tau in dialeval1.taus("Chinese").items()}
    assert not set(english.values()) & set(chinese.values())
