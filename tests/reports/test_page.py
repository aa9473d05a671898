"""The report: true of every kind of task, one file, sections that can be changed."""

import html
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import ordbook as ob
from helpers.shapes import SHAPES, labels, ratings, shares
from ordbook.advice import FAVOURED
from ordbook.cli import main
from ordbook.data.ratings import from_ratings
from ordbook.files import share
from ordbook.meta.rankings import standings
from ordbook.reports import sections
from ordbook.reports.page import page, report, reported
from ordbook.reports.sections import SECTIONS

RATINGS = pd.read_csv(share("data", "examples", "ratings", "ratings.csv"))
PEOPLE, RUNS = ["Ada", "Ben", "Eve"], ["bold", "careful"]
# What no sentence of a report may hold: a wrong plural, or a value that is none.
WRONG = re.compile(r"\bnan\b|\bNone\b(?! of)|\binf\b|\b1 (topics|runs|items|pairs)\b|are only 1\b")


def text_of(text):
    """Return the words of a page without its figures and style."""
    body = re.sub(r"<svg.*?</svg>", "", text, flags=re.DOTALL)
    words = re.sub(r"<[^>]+>", " ", body[body.index("<body>") :])
    return " ".join(html.unescape(words).split())


def test_every_sentence_fits_every_shape_of_task(subtests, no_raw_files):
    for name, make in SHAPES.items():
        with subtests.test(name):
            text = page(make())
            assert not WRONG.search(text_of(text)), WRONG.search(text_of(text))
            assert "<b>x</b>" not in text
            assert "src=" not in text.replace("xlink:href", "")
            assert "What to write in your paper" in text


@pytest.mark.parametrize(
    ("task", "says", "says_not"),
    [
        (labels(1), ["r0 has a score of"], ["told apart", "tests were"]),
        (labels(3, 5), ["There are only 5 items", "over items"], ["There are only 1"]),
        (shares(2, 3), ["There are only 3 topics", "by a paired t-test", "below 0.25"], ["Holm"]),
        (shares(4, 16), ["There are only 16 topics", "by Holm"], ["Exact p"]),
        (shares(4, 30), ["by Holm", "To compare with the papers"], ["There are only"]),
        (shares(3, 1), ["cannot be tested"], ["told apart", "How many topics"]),
        (ratings(2), ["With two annotators", "If the upper class were gold"], []),
    ],
)
def test_what_is_said_depends_on_the_size(task, says, says_not):
    text = text_of(page(task))
    for words in says:
        assert words in text
    for words in says_not:
        assert words not in text


def test_the_report_ranks_by_what_it_recommends():
    for name in ("fair-oc", "fair-oq"):
        task = ob.load(name)
        results = reported(task)
        assert (results.primary, results.beside) == FAVOURED[task.kind]
        best = standings(ob.score(task), results.primary)["run"][0]
        assert sections.leader(results).startswith(f"{best} is first by {results.primary}")
        assert f"ranked by {results.primary}, and" in sections.measure_choice(results)


def test_how_far_each_run_is_behind_is_a_paired_difference():
    results = reported(ob.load("fair-oc"))
    table = sections.ranking_table(results).frame
    scores = results.scores["kappa"]
    away = scores["boosting"] - scores["forest"]
    half = 2.004 * away.std() / np.sqrt(len(away))  # Student's t with 55 degrees of freedom
    low, high = away.mean() - half, away.mean() + half
    assert table["behind the best"]["forest"] == f"{away.mean():.4f} [{low:.4f}, {high:.4f}]"
    p = ob.paired_t(results.scores, ["kappa"]).matrix("kappa").loc["boosting", "forest"]
    assert table["p"]["forest"] == f"{p:.4f}"


def test_up_to_fifteen_topics_p_is_exact():
    results = reported(shares(4, 15))
    for run, p in results.exact.items():
        alone = ob.paired_randomisation(results.scores, results.runs[0], run)
        assert p == alone["p"]["RPS"]
    assert reported(shares(4, 16)).exact is None


def test_a_leader_that_is_nearly_constant_is_told():
    task = ob.load("fair-oc")
    results = replace(reported(task), rank_by="MAE_M")
    text = sections.suspicious_runs(results)
    assert "ridge leads and answers 4 for 94% of the items; the gold data have it for 37%." in text
    assert "majority and median always answer one class." in text


def test_sections_change_and_join(tmp_path):
    def spread(results):
        return f"The scores of {results.runs[0]} have a spread of their own."

    task = shares(3, 20)
    mine = [("Mine", (spread,)), *SECTIONS[:1]]
    text = report(task, tmp_path / "r.html", title="T<1>", sections=mine).read_text()
    assert re.findall("<h2>(.*?)</h2>", text) == ["Mine", "Who is ahead"]
    assert "<title>T&lt;1&gt;</title>" in text
    assert "r0 have a spread" in text
    assert page(task) == page(task), "the same bytes"


def test_what_was_done_to_imperfect_runs_is_said(tmp_path):
    folder = tmp_path / "task"
    labels(3, 60, 10).save(folder)
    lacking = folder / "runs" / "r1.csv"
    lacking.write_text("".join(lacking.read_text().splitlines(keepends=True)[:-2]))
    text = text_of(page(ob.load(folder, exclude=["r0"], missing="worst")))
    assert "run r0 left out, as asked." in text
    assert (
        "1 submitted run was left out. Missing answers of 1 run were scored as the worst." in text
    )
    assert "Missing answers of r1 count as the worst. By accuracy" in text
    assert "a missing answer counts as the class farthest from gold." in text


@pytest.mark.parametrize("topic", [None, "topic"])
def test_bias_is_the_mean_difference_from_the_mean_of_people(topic):
    frame = RATINGS.assign(topic=["s"] * 5 + ["t"] * 5)
    task = from_ratings(frame, annotator=PEOPLE, runs=RUNS, gold="median", topic=topic)
    table = sections.bias_table(reported(task)).frame
    away = frame["careful"] - frame[PEOPLE].mean(axis=1)
    assert table.loc["careful"].tolist()[:2] == ["run", f"{away.mean():+.2f}"]
    own = frame["Ada"] - frame[["Ben", "Eve"]].mean(axis=1)
    assert table.loc["Ada"].tolist()[:2] == ["person", f"{own.mean():+.2f}"]
    if topic:
        low = away.groupby(frame["topic"]).mean().min()
        assert table["most severe on"]["careful"].endswith(f"({low:+.2f})")


def test_people_stand_beside_runs_and_nothing_where_they_are_unknown():
    task = from_ratings(RATINGS, annotator=PEOPLE, runs=RUNS, gold="median")
    results = reported(task)
    table = sections.people_table(results).frame
    ceiling = ob.human_ceiling(task, ["kappa"])["kappa"].sort_values(ascending=False)
    assert table["kappa"].astype(float).tolist() == ceiling.round(4).tolist()
    assert list(table.index) == list(ceiling.index)
    assert f"{ceiling[PEOPLE].mean():.4f}" in sections.people_sentences(results)
    other = reported(ob.load("fair-oc"))
    parts = dict(SECTIONS)["What people reach"]
    assert [part(other) for part in parts] == [None] * len(parts)


def test_the_command_writes_one_file_and_replaces_none(tmp_path, capsys):
    out = tmp_path / "report.html"
    command = ["report", "data/examples/fair-oq", "--out", str(out), "--runs=CC-bayes,CC-logit"]
    assert main(command) == 0
    assert capsys.readouterr().out.strip() == str(out)
    assert "CC-logit" in out.read_text()
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]
    assert main(command) == 2
    assert "add --overwrite" in capsys.readouterr().err
    assert main([*command, "--overwrite"]) == 0
    assert main(["rerun", "report", "--data=fair-oq", "--out", str(tmp_path / "x")]) == 2
    assert "ordbook report fair-oq --out report.html" in capsys.readouterr().err


def test_a_place_where_no_file_can_be_is_refused_before_anything_runs(tmp_path):
    for place in (tmp_path, tmp_path / "none" / "report.html"):
        with pytest.raises(ValueError, match="no file can be written here"):
            ob.report(ob.load("fair-oc"), place)


def test_the_warning_of_few_topics_says_what_was_simulated():
    few = pd.read_csv(share("data", "draws", "coverage.csv")).query("shape == 'skewed'")
    covered = 100 * few[few["topics"].between(8, 16)]["covers t"]
    assert f"{covered.min():.0f} to {covered.max():.0f}%" in sections.FEW
    assert sections.FEW in sections.how_to_read(reported(shares(topics=12)))
    assert sections.FEW not in sections.how_to_read(reported(shares(topics=30)))
