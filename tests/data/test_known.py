"""The catalogued files: the real sets, held against what others printed or counted."""

import csv
import json
import runpy
import statistics

import numpy as np
import pandas as pd
import pytest
from scipy.stats import spearmanr
from sklearn.metrics import cohen_kappa_score
from sklearn.model_selection import train_test_split

import ordbook as ob
from ordbook.data.annotators import gold_labels
from ordbook.data.catalog import catalog
from ordbook.data.fetch import fetch
from ordbook.meta.people import first_runs

CRITERIA = ("RE", "CH", "EM", "SU", "EG", "CX")


def printed(root, name):
    with (root / "data" / "official" / name).open(encoding="utf-8", newline="") as file:
        return {(row["row"], row["column"]): row["printed"] for row in csv.DictReader(file)}


def best(scores, measure):
    means = scores.means()[measure]
    return means.idxmin() if scores.better[measure] == "low" else means.idxmax()


def test_all_66_values_of_table_3_of_llmjudge_come_out(root, raw_files):
    task = ob.load("llmjudge")
    table, unweighted = printed(root, "llmjudge_table3.csv"), 1 - np.eye(4)
    assert len(table) == 66
    for run, counts in zip(task.runs, task.confusion().sum(axis=1), strict=True):
        kappa = ob.kappa.from_confusion(counts, weights=unweighted)
        assert f"{kappa:.4f}" == table[run, "kappa"], run
        assert f"{ob.alpha_ord.from_confusion(counts):.4f}" == table[run, "alpha_ord"], run
    assert kappa == pytest.approx(cohen_kappa_score(task.gold, task.predicted[-1]))
    notes = " ".join(task.provenance.notes)
    assert "RMITIR-llama70B: 2 labels above 3 read as 3: so Table 3 " in notes
    assert "h2oloo-zeroshot2: 1 label above 3 read as 3" in notes
    assert len(set(task.groups.values())) == 7


@pytest.mark.slow
def test_the_tweets_of_semeval(raw_files):
    """Facts of the public packs, counted once with other tools."""
    for year, items, topics, labels in (
        ("16", 20632, ("amy schumer", "calibraska", "zayn"), ("-1", "-1", "2")),
        ("17", 12379, ("#ArianaGrande", "#Libya", "zac efron"), ("0", "0", "0")),
    ):
        task, quantified = ob.load(f"sem{year}t4c"), ob.load(f"sem{year}t4e")
        assert len(task.gold) == items
        assert tuple(task.classes[task.gold[i]] for i in (0, 9, -1)) == labels
        assert tuple(quantified.topics[i] for i in (0, 9, -1)) == topics
        # The gold of E is that of C, counted: an independent check of every record of both.
        assert sorted(quantified.topics) == sorted(task.topics)
        position = {topic: i for i, topic in enumerate(task.topics)}
        counts = np.zeros((len(task.topics), 5))
        np.add.at(counts, (task.topic, task.gold), 1)
        shares = counts / counts.sum(axis=1, keepdims=True)
        ordered = shares[[position[topic] for topic in quantified.topics]]
        assert np.abs(ordered - quantified.gold).max() < 1e-14  # E prints 15 to 17 digits
    task = ob.load("sem16t4c")
    assert (len(task.topics), len(task.runs)) == (100, 12)
    assert np.bincount(task.gold).tolist() == [138, 2201, 10081, 7830, 382]
    notes = " ".join(ob.load("sem16t4e").provenance.notes)
    assert "PotTS: sums miss 1 by up to 0.002" in notes
    assert len(ob.load("sem17t4e").topics) == 125


def test_the_utterances_of_dbdc3(raw_files):
    task = ob.load("dbdc3")
    assert (len(task.topics), task.classes) == (2000, ("B", "PB", "NB"))
    at = (0, 9, -1)
    assert [task.topics[i] for i in at] == ["CIC0201_02", "CIC0201_20", "YIT0050_20"]
    votes = dict(zip(task.topics, (task.gold * 30).round(9).tolist(), strict=True))
    assert votes["CIC0259_12"] == [9, 6, 15], "15 O, 6 T and 9 X in the workshop version"
    assert [len({t for t in task.topics if t.startswith(p)}) for p in ("CIC", "YIT")] == [500, 500]


def official(items, answers, chosen):
    """Spearman's correlation with the mean rating; share of answers closer to it than 1 or s."""
    ratings = [items[item]["choices"] for item in chosen]
    means = np.array([np.mean(each) for each in ratings])
    within = np.maximum([np.std(each, ddof=1) for each in ratings], 1)
    found = np.array([answers[item] for item in chosen])
    return {
        "Spearman": spearmanr(found, means).statistic,
        "accuracy": (np.abs(found - means) < within).mean(),
    }


def test_teams_printed_the_official_scores_of_these_runs_of_ambistory(root, raw_files):
    """All 30 values: 20 of UAlberta on 177 items, and 10 of Group24 on all."""
    items = json.loads((raw_files / "ambistory/dev.json").read_text(encoding="utf-8"))
    means = pd.Series({item: np.mean(about["choices"]) for item, about in items.items()})
    strata = pd.cut(means, bins=5, labels=False)
    _, part = train_test_split(means, test_size=0.3, random_state=42, stratify=strata)
    table = printed(root, "ambistory_dev.csv")
    assert len(table) == 30
    for file, run in catalog()["ambistory-dev"].names.items():
        team, _, name = run.partition("-")
        for column in ("Spearman", "accuracy") if (name, "accuracy") in table else ():
            rows = map(json.loads, (raw_files / "ambistory" / file).read_text().splitlines())
            answers = {row["id"]: row["prediction"] for row in rows}
            chosen = part.index if team == "ualberta" else means.index
            value, text = official(items, answers, chosen)[column], table.pop((name, column))
            digits = ".4%" if text.endswith("%") else ".3f"
            assert f"{value:{digits}}" == text.removeprefix("+"), (run, column)
    assert not table


def test_ambistory_has_the_median_of_the_people_and_rounded_answers(raw_files):
    task = ob.load("ambistory")
    assert (len(task.gold), len(task.topics), len(set(task.groups.values()))) == (930, 87, 3)
    assert np.bincount(task.gold).tolist() == [162, 183, 156, 177, 252]
    items = json.loads((raw_files / "ambistory/test.json").read_text(encoding="utf-8"))
    halves = [sorted(item["choices"]) for item in items.values()]
    middle = [(each[(len(each) - 1) // 2] + each[len(each) // 2] + 1) // 2 - 1 for each in halves]
    assert task.gold.tolist() == middle
    dev = ob.load("ambistory-dev")
    assert (len(dev.gold), len(dev.topics), len(dev.runs)) == (588, 55, 84)
    assert "46 of 84 runs predict fractions" in " ".join(dev.provenance.notes)
    assert pd.Series(dev.groups).value_counts()["benli"] == 35


def test_ties_of_ambistory_are_few_and_do_not_decide(raw_files):
    for name, tied in (("ambistory", 8), ("ambistory-dev", 3)):
        task = ob.load(name)
        assert task.ties.items.sum() == tied
        assert task.ties.note.endswith("gold is halfway between the two, halves up.")
        assert {*task.ties.otherwise} == {"lower", "upper"}
        lower, upper = task.ties.otherwise.values()
        assert ((lower <= task.gold) & (task.gold <= upper)).all()
        assert len({tuple(runs) for runs in first_runs(task, "kappa").values()}) == 1


def test_the_best_of_ambistory():
    scores = ob.score(ob.load("ambistory"))
    assert [best(scores, each) for each in ("kappa", "alpha_ord", "accuracy", "MAE_M")] == [
        *["ualberta-gpt5_base"] * 3, "ualberta-ensemble_ridge_testset_predictions"
    ]  # fmt: skip
    assert scores.means()["kappa"].max() == pytest.approx(0.514, abs=5e-4)


ALTTEST = {
    "alt-prompts": ("10k_prompts", 13, 1698, 862, 1),
    "alt-stars": ("cebab_stars", 10, 711, 16, 1),
    "alt-lesion": ("lesion", 6, 500, 86, 5),
}


@pytest.mark.parametrize("name", ALTTEST)
def test_gold_of_the_alternative_annotator_test_is_the_median_of_the_people(name, raw_files):
    file, people, items, tied, topics = ALTTEST[name]
    task = ob.load(name)
    assert (len(task.annotators.names), len(task.gold), len(task.topics)) == (people, items, topics)
    assert task.ties.items.sum() == tied
    ratings = json.loads((raw_files / f"alttest/{file}_human_annotations.json").read_text())
    judges = json.loads((raw_files / f"alttest/{file}_llm_annotations.json").read_text())
    assert task.runs == tuple(judges)
    votes = task.annotators.votes
    assert votes.sum() == sum(map(len, ratings.values()))
    for place in (0, 9, -1):
        item = list(judges["gpt-4o"])[place]
        assert item.startswith(task.annotators.items[place])
        assert task.topics[task.topic[place]] == (item.partition("__")[2] or "all")
        of = [int(each[item]) for each in ratings.values() if item in each]
        assert task.classes[task.gold[place]] == str(int(statistics.median(of) + 0.5))
        assert [of.count(int(label)) for label in task.classes] == votes[place].tolist()
        assert {run: task.classes[labels[place]] for run, labels in
                zip(task.runs, task.predicted, strict=True)} == {
            run: str(labels[item]) for run, labels in judges.items()
        }  # fmt: skip


def test_all_models_together_are_better_than_any_in_latent():
    means = ob.score(ob.load("latent"), ["RNOD", "NMD"]).means()
    assert means.loc["GPT-4"].round(3).tolist() == [0.238, 0.131]
    assert means.loc["all together"].round(3).tolist() == [0.182, 0.099]
    assert (means.nsmallest(2, "RNOD").index == ["all together", "GPT-4"]).all()
    assert ob.kendall_tau(means["RNOD"], means["NMD"]) == pytest.approx(0.72, abs=5e-3)


def test_distributions_of_latent_are_those_of_33_people_and_three_days(raw_files):
    task = ob.load("latent")
    assert set(task.votes) == {33}
    assert len(task.annotators.names) == 33
    people = pd.read_csv(raw_files / "latent/human.csv", index_col="rater")
    np.testing.assert_allclose(task.gold @ np.arange(1, 6), people.mean())
    models = pd.read_csv(raw_files / "latent/llm.csv").drop(columns="day").groupby("llm").mean()
    for run, estimates in zip(task.runs[:-1], task.estimates[:-1], strict=True):
        np.testing.assert_allclose(estimates @ np.arange(1, 6), models.loc[run])
    np.testing.assert_allclose(task.estimates[-1], task.estimates[:-1].mean(axis=0))


def test_committed_scores_stand_in_for_raw_files(no_raw_files):
    """One homonym of ambistory-dev is "mean", which is no total."""
    for name in ("llmjudge", "ambistory", "ambistory-dev", "latent", "alt-lesion"):
        task, known = ob.load(name), catalog()[name]
        assert (len(task.topics), len(task.runs)) == (known.topics, known.runs)
        assert set(task.groups) == set(task.runs if known.grouped else ())
        assert ob.score(task).source == "committed"
    assert "mean" in ob.load("ambistory-dev").topics


def test_hanna_needs_no_raw_files(no_raw_files):
    for criterion in CRITERIA:
        task, shares = ob.load(f"hanna-{criterion}"), ob.load(f"hanna-{criterion}-shares")
        assert (len(task.gold), len(task.topics), len(task.runs)) == (1056, 96, 21)
        assert set(shares.votes) == {33}
        np.testing.assert_array_equal(shares.estimates[0] * 11, task.confusion(0).sum(axis=1))
        assert set(task.groups) == set(task.runs) - {"commonest"}
        assert len(set(task.groups.values())) == 5
        assert task.annotators.alpha() == pytest.approx(shares.annotators.alpha())
        for end in ("lower", "upper"):
            votes = task.annotators.votes
            np.testing.assert_array_equal(gold_labels(votes, "median", end), task.gold)
        assert task.ties is None


def test_always_the_commonest_class_is_first_by_mae_for_two_criteria_of_hanna():
    scores = {each: ob.score(ob.load(f"hanna-{each}"), ["MAE_mu", "kappa"]) for each in CRITERIA}
    first = [each for each in CRITERIA if best(scores[each], "MAE_mu") == "commonest"]
    assert first == ["CH", "EM"]
    assert scores["CH"].means()["kappa"].idxmin() == "commonest"


def test_hanna_agrees_with_the_table_of_its_authors(raw_files, root, tmp_path):
    table = raw_files / "hanna/hanna_metric_scores_llm.csv"
    make = runpy.run_path(str(root / "data/hanna/make.py"))["main"]
    make(table, tmp_path / "labels.csv.gz")
    ours = pd.read_csv(tmp_path / "labels.csv.gz")
    assert ours.equals(pd.read_csv(root / "data/hanna/labels.csv.gz"))
    first = pd.read_csv(table, usecols=["Model", "ChatGPT EM 4"]).set_index("Model")
    means = json.loads(first.loc["Fusion", "ChatGPT EM 4"])
    chosen = ours[(ours.criterion == "EM") & (ours.writer == "Fusion")]
    assert (np.abs(chosen["ChatGPT 4"] - means) <= 0.5 + 1e-9).all()
    assert (ours.filter(regex=" [0-9]$") == 0).sum().sum() == 1051
    assert (root / "data/hanna/LICENSE").read_text().startswith("MIT License")


@pytest.mark.parametrize("name", ["llmjudge", "ambistory", "latent", "alt-stars"])
def test_they_are_fetched_through_a_mirror(name, raw_files, tmp_path, monkeypatch):
    monkeypatch.setenv("ORDBOOK_CACHE", str(tmp_path))
    (outcome,) = fetch([name], report=lambda line: None)
    assert outcome.fetched == len(catalog()[name].files)
    monkeypatch.delenv("ORDBOOK_MIRROR")
    assert ob.load(name).provenance.source == "raw"
