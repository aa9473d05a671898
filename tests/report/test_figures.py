"""The report: groups of runs, what it says without gold data, and every kind of task."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from IPython.display import Markdown
from matplotlib.figure import Figure

import ordbook as ob
from helpers.random_tasks import save_labels
from ordbook.advice.choose import FAVOURED, choose_primary
from ordbook.advice.criteria import COMPARED
from ordbook.meta import significance
from ordbook.meta.rankings import standings
from ordbook.report import choice, figures, pairs
from ordbook.report.analysis import Analysis, analyse, groups, undecided

SIX = COMPARED["quantification"]


@pytest.fixture(scope="module")
def labels():
    return analyse("fair-oc", "", "", 300, 50)


@pytest.fixture(scope="module")
def shares():
    return analyse("fair-oq", "", "", 200, 10)


def test_groups_hold_no_two_runs_that_differ():
    scores = ob.score(ob.load("sem16t4e"), ["RNOD"])
    tests = ob.tukey_hsd(scores, trials=1000)
    order = list(standings(scores, "RNOD")["run"])
    found = groups(tests, "RNOD", order)
    p = tests.matrix("RNOD")
    for first, last in found:
        inside = order[first : last + 1]
        assert (p.loc[inside, inside].to_numpy() >= 0.05).all()
        for further in (first - 1, last + 1):
            if 0 <= further < len(order):
                assert (p.loc[inside, order[further]] < 0.05).any(), "no group could be longer"
    ends = [last for _, last in found]
    assert ends == sorted(set(ends)), "none is part of another"


def test_the_report_lists_the_pairs_that_only_one_of_two_tests_finds(shares):
    scores, measure = shares.scores, shares.primary
    table = pairs.two_tests(shares)._repr_html_()
    counts = [
        int(ob.discriminative_power(tests).loc[measure, "significant"])
        for tests in (shares.tests, ob.paired_t(scores, [measure]))
    ]
    assert "finds {} different and the t-tests {}".format(*counts) in table
    assert "p = 0" not in table
    first = scores.select([measure])
    alone = replace(first, values=first.values[:, :, :2], runs=first.runs[:2])
    two = replace(shares, scores=alone, tests=ob.tukey_hsd(alone, 1000))
    assert "the same pairs" in pairs.two_tests(two).data


def test_the_report_ranks_by_what_it_recommends(labels, shares):
    for found in (labels, shares):
        assert found.measures == list(FAVOURED[found.kind])
        assert (found.advice.primary, found.advice.secondary) == FAVOURED[found.kind]
        roles = found.advice.criteria["role"][found.measures].str.split(";").str[0]
        assert list(roles) == ["primary", "secondary"]
    means = labels.scores.means()[labels.primary]
    assert labels.order[0] == means.idxmax() == "boosting"
    assert f"Rank by {labels.primary}".replace("_", r"\_") in choice.answer(labels).data
    assert "skill by MAE_M" in figures.table(labels).header


def test_a_leader_that_is_nearly_constant_is_told(labels, shares):
    labels = replace(labels)
    labels.__dict__["measures"] = ["MAE_M"]
    answers = labels.task.predicted[labels.task.runs.index("ridge")]
    assert (np.asarray(answers) == 3).mean() > 0.9
    said = choice.doubts(labels).data.replace("\\", "")
    assert "ridge leads and answers 4 for 94% of the items; the gold data have it for 37%." in said
    assert "leads and answers" not in choice.doubts(shares).data


def test_confusion_matrices_hold_shares_of_the_gold_class(labels):
    figure = figures.errors(labels)
    assert isinstance(figure, Figure)
    for axes in figure.axes[:12]:
        rows = axes.images[0].get_array().sum(axis=1)
        assert np.allclose(rows, 1)


def test_disputed_topics_are_those_on_choosings_prefer_opposite_runs(labels):
    assert "compares kappa with MAE\\_M." in pairs.compared(labels, "ridge,tree").data
    table = pairs.disputed(labels, "ridge,tree")
    for _, first, second in table.rows:
        assert float(first[0][1]) * float(second[0][1]) < 0
    better = labels.scores[labels.primary].mean()
    assert better["ridge"] < better["tree"]
    name, first, _ = table.rows[0]
    topic = labels.scores[labels.primary].loc[name[0][1]]
    assert float(first[0][1]) == pytest.approx(topic["ridge"] - topic["tree"], abs=1e-4)


def test_without_gold_data_the_report_is_made_of_scores(no_raw_files):
    found = analyse("sem16t4e", "", "", 300, 50)
    assert isinstance(figures.errors(found), Markdown)
    assert choice.answer(found).data.startswith("**Rank by RPS")
    assert len(figures.table(found).rows) == 12


def test_open_pairs_are_marked(shares):
    low, high = (limits[shares.primary] for limits in shares.tests.limits(0.999))
    best, unsure = shares.order[0], low.index[(low < 0.05) & (high >= 0.05)]
    near = {run for pair in unsure for run in pair if best in pair}
    assert near > {best}
    table = figures.table(shares)
    said = {row[0][0][1]: row[-1][0][1] for row in table.rows}
    assert {run for run, answer in said.items() if answer == "open"} == near - {best}
    assert "Undecided after 200 trials: " in table.caption
    assert "  - open\n" in choice.criteria(shares)._repr_markdown_()
    assert "200 trials" in figures.paragraph(shares).data


def test_claims_have_verdicts_or_the_reason_why_not(labels):
    groups = {run: "abcd"[k % 4] for k, run in enumerate(labels.task.runs)}
    teams = replace(labels, task=replace(labels.task, groups=groups))
    verdicts = {row[0][0][1]: row[2:] for row in choice.judged(teams).rows}
    topics, both = verdicts[
        "kappa cannot distinguish between runs that always return the same class"
    ]
    assert (topics[0][1], both[0][1]) == ("holds", "cannot be told (only 4 teams)")
    assert {both[0][1] for _, both in verdicts.values()} == {"cannot be told (only 4 teams)"}
    scores = labels.scores
    few = replace(scores, values=scores.values[:, :7], topics=scores.topics[:7])
    assert "there are only 7 topics" in choice.judged(replace(labels, scores=few)).data


def test_by_default_trials_go_on_until_all_is_decided(monkeypatch):
    monkeypatch.setattr(significance, "MOST_TRIALS", 20_000)
    found = analyse("fair-oq", "", "", 0, 10)
    assert found.tests.stops == 3
    text = figures.paragraph(found).data.replace("\\", "")
    assert "gandy2009sequential" in text
    assert "@misc{ordbook" in text
    for name, number in undecided(found)["measure"].value_counts().items():
        assert (f"{number} pair" in text and f"by {name}" in text) == (name in found.measures)


def test_nuggets_have_no_order_and_no_advice(no_raw_files):
    found = analyse("stc3-nd", "", "", 100, 10)
    assert found.advice is None
    assert "there is no choice to recommend" in choice.answer(found).data
    assert len(figures.table(found).rows) == len(found.scores.runs)
    for cell in (choice.doubts, figures.next_round, figures.paragraph):
        assert cell(found) is not None


def test_a_folder_of_score_matrices_gives_the_papers_tables(tmp_path, no_raw_files):
    """Matrices as an author may publish them: topic x run, one file a measure."""
    scores = ob.score(ob.load("sem16t4e"), list(SIX))
    for measure in scores.measures:
        scores[measure].to_csv(tmp_path / f"{measure}.csv")
    found = analyse(str(tmp_path), "", "", 1000, 200)
    tau = ob.ranking_similarity(scores).tau
    assert found.similarity.tau.loc[list(SIX), list(SIX)].equals(tau.loc[list(SIX), list(SIX)])
    criteria = found.advice.criteria
    power = ob.discriminative_power(ob.tukey_hsd(scores, trials=1000))["significant"]
    assert criteria["significant"].astype(int).to_dict() == power[criteria.index].to_dict()
    halves = ob.ranking_consistency(scores, splits=200).mean
    assert np.allclose(criteria["tau, 50 vs. 50"], halves[criteria.index], rtol=0, atol=1e-12)
    assert found.primary == "NMD"
    assert "scores alone" in figures.glance(found)._repr_html_()
    assert "Only gold data" in figures.errors(found).data
    assert "sakai2021lq" in figures.paragraph(found).data


def write_labels(folder, runs, items=60, topics=1):
    """Write a task of labels, whose runs err more and more."""
    return str(save_labels(folder, {f"r{k}": 0.1 + 0.2 * k for k in range(runs)}, items, topics))


def test_one_topic_of_labels_is_tested_over_items(tmp_path):
    found = analyse(write_labels(tmp_path / "task", 4), "", "", 500, 50)
    assert found.measures == ["kappa", "MAE_M"]
    assert "hold only 4 different runs" in choice.answer(found).data
    assert (
        "over items, because there is one pool of 60 items" in figures.glance(found)._repr_html_()
    )
    table = figures.table(found)
    assert "95% interval of kappa" in table.header
    assert table.rows[0][0][0][1] == "r0"
    assert table.rows[-1][-1][0][1] == "yes", "the worst differs from the best"
    intervals = figures.ranking(found).axes[0].collections[0].get_segments()
    drawn = [[x for x, _ in segment] for segment in intervals]
    ranked = found.ranked("kappa")
    assert np.allclose(drawn, ranked[["low", "high"]]), "a bootstrap interval is not symmetric"
    assert "on one pool of 60 items by Linear weighted kappa" in figures.paragraph(found).data
    assert "test over items" in figures.paragraph(found).data


def test_one_pool_of_items_has_a_recommendation_of_its_own(tmp_path):
    found = analyse(write_labels(tmp_path / "task", 6), "", "", 500, 50)
    assert found.primary == choose_primary(ob.score(found.task), found.task)
    answer = choice.answer(found).data
    assert "of bootstrap samples of the items" in answer
    assert "do not decide" not in answer
    texts = [answer, choice.doubts(found).data, choice.criteria(found)._repr_html_()]
    texts += [show(found).data for show in (figures.topics_by_runs, figures.next_round)]
    assert not re.search(r"\btopics? \b(?!set)|1 topic", " ".join(texts[:3]))
    assert all("one pool of 60 items" in text.replace("\\", "") for text in texts[3:])
    assert {"tau, 30 vs. 30", "chosen"} <= set(choice.criteria(found).header)


def test_runs_that_all_score_alike_are_told(tmp_path):
    """As organisers do who try the commands with copies of one file."""
    folder = Path(write_labels(tmp_path / "task", 1, items=60, topics=10))
    for copy in "abcd":
        (folder / "runs" / f"{copy}.csv").write_text((folder / "runs" / "r0.csv").read_text())
    found = analyse(str(folder), "", "", 100, 10)
    assert "hold only runs that score alike" in choice.answer(found).data
    assert "All runs have the same mean score" in choice.alike(found).data
    assert {row[-1][0][1] for row in figures.table(found).rows[1:]} == {"no"}
    for cell in (
        figures.glance,
        figures.ranking,
        figures.topics_by_runs,
        figures.errors,
        choice.doubts,
    ):
        assert cell(found) is not None
    assert isinstance(figures.next_round(found), Markdown)
    assert isinstance(pairs.two_runs(found, ""), Markdown)
    # Nothing is shown at all where an empty text would leave the name of its class on a page.
    cells = [choice.criteria(found), choice.properties(found), figures.errors_shown(found)]
    assert [*cells, pairs.disputed(found, ""), pairs.compared(found, "")] == [None] * 5
    assert figures.paragraph(found)


def test_one_run_has_scores_intervals_and_errors(tmp_path):
    found = analyse(write_labels(tmp_path / "task", 1), "", "", 500, 50)
    assert found.tests is None
    (row,) = figures.table(found).rows
    assert re.fullmatch(r"0\.\d{3} to [01]\.\d{3}", row[2][0][1])
    assert isinstance(figures.errors(found), Figure)
    for cell in (choice.doubts, figures.next_round, choice.alike):
        assert isinstance(cell(found), Markdown)
    assert isinstance(pairs.two_runs(found, ""), Markdown)
    assert isinstance(figures.ranking(found), Figure)


def test_the_best_the_worst_and_baselines_are_shown(tmp_path):
    found = analyse(write_labels(tmp_path / "task", 14), "", "", 100, 10)
    titles = [axes.get_title() for axes in figures.errors(found).axes[:12]]
    assert titles == [*found.order[:11], found.order[-1]]
    assert "12 of 14 runs" in figures.errors_shown(found).data


def test_what_nobody_examined_has_its_doubts(tmp_path):
    folder = Path(write_labels(tmp_path / "task", 3, items=5))
    lacking = folder / "runs" / "r2.csv"
    lacking.write_text("".join(lacking.read_text().splitlines(keepends=True)[:-1]))
    found = analyse(str(folder), "", "", 100, 10, {"missing": "worst", "exclude": ["r0", "r1"]})
    doubts = choice.doubts(found).data.replace("\\", "")
    assert "Missing answers of r2 count as the worst. By accuracy, MAE_mu" in doubts
    assert "only 5 items" in doubts
    assert figures.table(found).rows[found.order.index("r2")][1][0][1] == "80%"
    for said in (figures.classes(found).caption, figures.errors_shown(found).data):
        assert said.endswith("a missing answer counts as the class farthest from gold.")


def test_one_run_on_several_topics_has_intervals_over_topics(no_raw_files):
    scores = ob.score(ob.load("fair-oq"), list(SIX))
    one = Analysis(
        ob.load("fair-oq"),
        replace(scores, values=scores.values[:, :, :1], runs=("ridge",)),
        None,
        None,
        None,
        50,
    )
    (row,) = figures.table(one).rows
    assert " to " in row[2][0][1]


def test_the_report_says_what_was_done_to_imperfect_runs(tmp_path):
    folder = Path(write_labels(tmp_path / "task", 3))
    lacking = folder / "runs" / "r1.csv"
    lacking.write_text("".join(lacking.read_text().splitlines(keepends=True)[:-2]))
    reading = {"exclude": ["r0"], "missing": "worst"}
    report = analyse(str(folder), "", "", 100, 10, reading)
    shown = figures.glance(report)._repr_html_()
    assert "run r0 left out, as asked." in shown
    assert "run r1 has no answer for 2 of 60 items" in shown
    said = figures.paragraph(report).data
    assert "1 submitted run was left out" in said
    assert "Missing answers of 1 run were scored as the worst" in said
    with pytest.raises(ValueError, match="no answer for item"):
        analyse(str(folder), "", "", 100, 10)


def test_what_a_measure_of_ones_own_does_not_state_is_probed(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(
        "from ordbook.measures import custom_measure\n"
        "MINE = custom_measure('mine', lambda g, e: abs(g - e).max(-1), better='low', "
        "symmetric=True)\n"
    )
    report = analyse("fair-oq", "", f"{path}:MINE", 100, 10)
    assert "not stated" not in choice.properties(replace(report, own=()))._repr_html_()
    stated = choice.properties(report).rows[-1]
    assert [cell[0][1] for cell in stated][:3] == ["mine", "not stated", "not stated"]
    assert stated[-1][0][1] == "yes", "gold and estimate may be exchanged"
    probed = figures.probed(report)._repr_html_()
    assert "<td>order seen</td><td>3: 100%, 5: 100%, 7: 100%</td>" in probed, (
        "it does not know the order"
    )
