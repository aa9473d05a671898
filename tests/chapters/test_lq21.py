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
