"""LQ'21: the figures of the story, and what is known of the paper's own."""

import re

import nbformat

import ordbook as ob
from ordbook.data.printed import SIX
from ordbook.papers import lq21


def test_table_6_is_about_popularity_in_five_parts():
    lines = lq21.printed_contradictions()
    assert lines["Run 1"].str.contains("BL-popularity").all()
    assert list(lines["part"].unique()) == ["I", "II", "III", "IV", "V"]


def test_doubled_baselines_contradict_as_often_as_printed(no_raw_files):
    assert lq21.doubled_counts() == (30, 30, 8)


def test_what_is_known_of_the_lost_counts_agrees_with_what_is_printed():
    known = lq21.lost_counts()
    assert list(known.index) == ["1(a)", "1(b)", "1(c)", "1(d)", "2(a)", "2(b)", "2(c)"]
    assert known["measures"]["2(b)"] == "RNOD, RNSS"
    assert "lost" not in known.to_numpy()
    # Section 5.3: 75 and 2 dialogues; and from 62 to 78 over the panels of Figure 1.
    assert known.loc["1(d)", ["2nd quadrant", "4th quadrant"]].tolist() == ["75", "2"]
    ends = [int(n) for text in known["2nd quadrant"][:4] for n in text.split(" to ")]
    assert (min(ends), max(ends)) == (62, 78)


def test_the_lines_of_the_record_analyse_a_folder_of_score_matrices(root, tmp_path, monkeypatch):
    """The plainest form of a pack: a CSV file a measure, with the header topic,<run>,<run>,..."""
    scores = ob.score(ob.load("sem16t4e"), list(SIX))
    for measure in SIX:
        scores[measure].to_csv(tmp_path / f"{measure}.csv", index_label="topic")
    page = nbformat.read(root / "book" / "records" / "lq21.ipynb", as_version=4)
    (lines,) = [
        found[1]
        for cell in page.cells
        if (found := re.search(r"```python\n(.*?)```", cell.source, re.S))
    ]
    names = {"ob": ob}
    exec(lines.replace("FOLDER", tmp_path.as_posix()), names)
    tests = ob.tukey_hsd(scores, trials=5000)
    for function in (ob.discriminative_power, ob.significance_overlap, ob.contradictions):
        assert f"ob.{function.__name__}(tests)" in lines
        found = function(names["tests"])
        assert found.equals(function(tests))
