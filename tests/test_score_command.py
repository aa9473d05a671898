"""`ordbook score`: scores and official tables of a task, or one clear line and nothing changed."""

import csv
import json
import shutil

import numpy as np
import pandas as pd
import pytest

import ordbook as ob
from helpers.random_tasks import save_labels, save_shares
from helpers.task_folders import write_task
from ordbook.cli import main
from ordbook.meta.items import item_intervals


@pytest.fixture
def task(tmp_path):
    """Four runs on twelve topics; copy is a double of good."""
    folder = save_shares(tmp_path / "my task", {"good": 0.1, "=bad|_%": 0.9, "middle": 0.5}, 12)
    shutil.copy(folder / "runs" / "good.csv", folder / "runs" / "copy.csv")
    return folder


def run(*arguments):
    return main(["score", "--overwrite", *map(str, arguments)])


def test_one_command_writes_scores_and_tables(task, tmp_path, capsys):
    out = tmp_path / "out"
    assert run(task, "--out", out, "--trials", 500, "--primary", "RNOD") == 0
    printed, said = capsys.readouterr()
    lines = printed.splitlines()
    assert lines[0].split() == ["rank", "run", "mean", "RNOD", "RPS", "(rank)"]
    assert [line.split()[:2] for line in lines[1:5]] == [
        ["1", "copy"],
        ["1", "good"],
        ["3", "middle"],
        ["4", "=bad|_%"],
    ]
    assert lines[5] == str(out / "README.md")
    assert "copy and good have the same scores on every topic by every measure" in said
    assert "6, and 3 among the 3 different runs" in said
    scores = ob.load_scores(out / "scores.csv")
    expected = ob.score(ob.load(task))
    assert scores.measures == expected.measures
    assert np.array_equal(scores.values, expected.values)
    summary = json.loads((out / "summary.json").read_text(encoding="utf-8"))
    assert summary["inputs"] == dict(expected.provenance.files)
    assert set(summary["measures"]) == set(expected.measures)
    assert summary["trials"] == 500


def test_trials_go_on_until_every_decision_is_safe(task, tmp_path, capsys):
    scores = ob.score(ob.load(task), ["NMD", "RNOD"])
    expected = {
        (): ob.tukey_hsd(scores, decide_at=0.05),
        ("--trials=max",): ob.tukey_hsd(scores, 1_000_000, decide_at=0.05),
        ("--trials=5000", "--alpha=.2"): ob.tukey_hsd(scores, 5000),
        ("--alpha=.2",): ob.tukey_hsd(scores, decide_at=0.2),
    }
    for number, (chosen, tests) in enumerate(expected.items()):
        out = tmp_path / str(number)
        assert run(task, "--out", out, "--measures=NMD,RNOD", "--json", *chosen) == 0
        found = json.loads(capsys.readouterr().out)["measures"]
        assert {m: about["trials"] for m, about in found.items()} == tests.trials.to_dict()


def test_a_class_with_a_comma_is_one_class(task, tmp_path, capsys):
    for path in [task / "gold.csv", *(task / "runs").iterdir()]:
        path.write_text(path.read_text().replace("low,mid,high", 'agree,"agree, fully",disagree'))
    classes = '--classes="agree, fully",agree,disagree'
    assert main(["check", str(task), classes]) == 0
    assert "classes:              3: agree, fully < agree < disagree" in capsys.readouterr().out
    out = ("--out", tmp_path / "out", "--trials", 100, "--measures", "NMD")
    assert run(task, *out, classes) == 0
    assert "classes 3: agree, fully < agree < disagree" in capsys.readouterr().err
    assert run(task, *out, '--classes="agree, fully,agree,disagree') == 2
    assert "a double quote that does not fit" in capsys.readouterr().err


def test_what_was_found_is_what_the_api_finds(task, tmp_path, capsys):
    out = tmp_path / "out"
    arguments = ["--measures", "NMD, RNOD", "--seed", 3, "--trials", 300, "--alpha", 0.1]
    assert run(task, "--out", out, *arguments, "--threads", 1, "--json") == 0
    summary = json.loads(capsys.readouterr().out)
    assert list(summary["measures"]) == ["NMD", "RNOD"]
    tests = ob.tukey_hsd(ob.score(ob.load(task), ["NMD", "RNOD"]), 300, 3)
    power = ob.discriminative_power(tests, 0.1)
    for measure, about in summary["measures"].items():
        assert about["significant_pairs"] == power["significant"][measure]
        with (out / "significance" / f"{measure}.csv").open(newline="") as file:
            assert len(list(csv.DictReader(file))) == about["significant_pairs"]


def test_constant_runs_that_kappa_ties_are_told(tmp_path, capsys):
    out = tmp_path / "out"
    assert (
        run("data/examples/fair-oc", "--out", out, "--trials=100", "--measures=kappa,QWK,MAE_M")
        == 0
    )
    words = (
        "3 runs always answer one class (group within each topic), and kappa and QWK give them all"
    )
    said = capsys.readouterr()
    assert (said.err.count(words), (out / "README.md").read_text().count(words)) == (1, 1)
    assert json.loads((out / "summary.json").read_text())["primary"] == "kappa"
    assert said.out.splitlines()[1].split()[1] == "boosting", (
        "as in the report and by the rule in README.md"
    )


def test_catalogued_classification_and_nuggets(tmp_path, no_raw_files, capsys):
    for name, measure in (("sem16t4c", "MAE_M"), ("stc3-nd", "JSD")):
        arguments = ["--trials", 100, "--measures", measure]
        assert run(name, "--out", tmp_path / name, *arguments) == 0
        text = (tmp_path / name / "results" / f"{measure}.tex").read_text(encoding="utf-8")
        assert r"95\% t interval" in text


def test_one_run_has_intervals_and_no_tests(task, tmp_path, capsys):
    for path in sorted((task / "runs").iterdir())[1:]:
        path.unlink()
    out = tmp_path / "out"
    assert run(task, "--out", out) == 0
    assert "tested" not in capsys.readouterr().err
    assert not (out / "significance").exists()
    page = (out / "README.md").read_text()
    assert "| rank | run | mean RPS | 95% t interval |" in page
    assert "differ significantly" not in page
    summary = json.loads((out / "summary.json").read_text())
    assert (summary["test"], summary["unit"]) == (None, "topics")
    row = summary["measures"]["RNOD"]["ranking"][0]
    assert row["low"] < row["mean"] < row["high"]
    assert "beats" not in row


def test_items_take_the_place_of_a_single_topic(tmp_path):
    folder = save_labels(tmp_path / "labels", {"A": 0.1, "B": 0.3, "C": 0.5}, 120)
    (tmp_path / "m.py").write_text(
        "from ordbook.measures import custom_measure\n"
        "def right(cm):\n    return cm.trace(axis1=-2, axis2=-1) / cm.sum((-2, -1))\n"
        "RIGHT = custom_measure('right', right, better='high', kind='classification')\n"
    )
    out = tmp_path / "out"
    own = f"--measure={tmp_path / 'm.py'}:RIGHT"
    assert run(folder, "--out", out, "--measures=kappa,accuracy", own) == 0
    summary = json.loads((out / "summary.json").read_text())
    assert summary["unit"] == "items"
    kappa = summary["measures"]["kappa"]["ranking"]
    assert [row["run"] for row in kappa] == ["A", "B", "C"]
    assert kappa[0]["beats"] == 2
    task = ob.load(folder)
    table = item_intervals(task, ["kappa"]).set_index("run")
    assert all((row["low"], row["high"]) == tuple(table.loc[row["run"]][2:4]) for row in kappa)
    mine, known = (summary["measures"][name]["ranking"] for name in ("right", "accuracy"))
    assert mine == known
    text = (out / "significance" / "kappa.tex").read_text()
    assert "randomised Tukey HSD test over items" in text
    assert "ES" not in text


def test_missing_answers_of_a_single_topic_are_the_worst_and_the_share_answered_is_shown(
    tmp_path, capsys
):
    folder = save_labels(tmp_path / "labels", {"A": 0.1, "B": 0.3}, 120)
    lacking = folder / "runs" / "B.csv"
    lacking.write_text("".join(lacking.read_text().splitlines(keepends=True)[:-1]))
    out = tmp_path / "out"
    few = "--measures=kappa,MAE_M"
    assert run(folder, "--out", out, "--missing=worst", few) == 0
    summary = json.loads((out / "summary.json").read_text())
    assert (summary["unit"], summary["test"]) == ("items", "randomised")
    assert summary["answered"] == {"A": 1.0, "B": 119 / 120}
    page = (out / "README.md").read_text()
    assert "run B has no answer for 1 of 120 items" in page
    assert "By class, a missing answer counts as the class farthest from gold." in page
    with (out / "results" / "kappa.csv").open() as file:
        shares = {row["run"]: float(row["answered"]) for row in csv.DictReader(file)}
    assert shares == summary["answered"]
    shown = capsys.readouterr().out
    for text in (
        page,
        shown,
        (out / "overview.tex").read_text().replace("\\", ""),
        (out / "leaderboard.html").read_text(),
    ):
        assert "answered" in text
        assert "99.1%" in text
    assert run(folder, "--out", tmp_path / "whole", "--exclude=B", few) == 0
    assert "answered" not in (tmp_path / "whole" / "leaderboard.html").read_text()
    assert "a missing answer" not in (tmp_path / "whole" / "README.md").read_text().lower()


def test_imperfect_runs_are_left_out_or_completed_and_every_page_says_so(task, tmp_path, capsys):
    lacking = task / "runs" / "middle.csv"
    lacking.write_text("".join(lacking.read_text().splitlines(keepends=True)[:-1]))
    bad = task / "runs" / "good.csv"
    bad.write_text(bad.read_text().replace("t3,", "t3,x"))
    out = tmp_path / "out"
    assert run(task, "--out", out) == 2
    assert "3 more problems" in capsys.readouterr().err or not out.exists()
    how = ("--skip-invalid", "--missing=worst", "--exclude=copy")
    assert run(task, "--out", out, *how, "--measures=NMD") == 0
    told = [
        "run copy left out, as asked.",
        "run file good.csv left out: line 5, column 2",
        "run middle has no answer for 1 of 12 topics: each counts as the single class that scores",
    ]
    for path in ("README.md", "results/NMD.tex", "significance/NMD.tex"):
        assert all(note in (out / path).read_text() for note in told), path
    assert json.loads((out / "summary.json").read_text())["runs"] == ["=bad|_%", "middle"]


def test_a_name_that_is_a_data_set_and_a_folder_here_is_refused(tmp_path, monkeypatch, capsys):
    """Scoring the catalogue's data in silence would announce other results than those meant."""
    run = "topic,low,mid,high\n1,1,0,0\n2,0,0,1\n"
    write_task(tmp_path / "fair-oq", run.replace("2,0,0,1", "2,0,1,0"), A=run, B=run)
    monkeypatch.chdir(tmp_path)
    for command in (["score", "fair-oq"], ["rerun", "dnkt", "--data=fair-oq"]):
        assert main([*command, "--out=results"]) == 2
        assert "write ./fair-oq for the latter" in capsys.readouterr().err
    assert main(["sweep", "--data=fair-oq", "--out=results"]) == 2
    assert main(["check", "fair-oq"]) == 0
    assert "low < mid < high" in capsys.readouterr().out, "the folder, not the data set"
    assert not (tmp_path / "results").exists()


def test_one_topic_of_distributions_has_no_interval_and_chapters_refuse_it(tmp_path, capsys):
    text, out = "topic,low,mid,high\n1,1,0,0\n", tmp_path / "out"
    folder = write_task(tmp_path / "one", text, A=text, B=text)
    assert main(["score", str(folder), f"--out={out}"]) == 0
    page = (out / "README.md").read_text()
    assert "There are no intervals, because there is a single topic." in page
    assert "| 1 | A | 0.0000 |" in page
    assert main(["rerun", "dnkt", f"--data={folder}", f"--out={tmp_path / 'new'}"]) == 2
    assert (
        "there is one topic; comparing runs needs two runs and two topics"
        in capsys.readouterr().err
    )


def test_scores_by_an_unknown_measure_need_an_end(tmp_path, capsys):
    path = tmp_path / "my.csv"
    path.write_text("topic,A,B\n" + "".join(f"t{i},{i / 10},{i / 5}\n" for i in range(1, 9)))
    out = tmp_path / "out"
    assert main(["score", str(path), f"--out={out}"]) == 2
    assert "--lower-is-better" in capsys.readouterr().err
    assert main(["score", str(path), f"--out={out}", "--lower-is-better=my", "--trials=200"]) == 0
    assert (out / "results" / "my.csv").exists()


def ntcir_folder(folder):
    """Two dialogues, two runs, all three quality scores."""
    turns, even = [{"sender": "customer"}], dict.fromkeys(("-2", "-1", "0", "1", "2"), 0.2)
    votes = [{"quality": {"A": k, "E": 1, "S": 2}, "nugget": ["CNUG0"]} for k in (0, 1)]
    gold = [{"id": one, "turns": turns, "annotations": votes} for one in "de"]
    (folder / "runs").mkdir(parents=True)
    (folder / "gold.json").write_text(json.dumps(gold))
    for name, given in (("a", even), ("b", {**dict.fromkeys(even, 0), "1": 1})):
        answer = [{"id": one, "quality": dict.fromkeys("AES", given)} for one in "de"]
        (folder / "runs" / f"{name}_quality_en.json").write_text(json.dumps(answer))


def test_one_task_of_ntcir_files_is_chosen_the_same_way_everywhere(tmp_path, monkeypatch, capsys):
    """As --part E and, in a plan, as part = "E"."""
    ntcir_folder(tmp_path / "stc3")
    monkeypatch.chdir(tmp_path)
    assert run("stc3", "--part=E", "--out=out", "--trials=100", "--measures=NMD", "--json") == 0
    assert json.loads(capsys.readouterr().out)["task"] == "stc3 E"
    assert main(["check", "stc3", "--part=E"]) == 0
    assert main(["sweep", "--data=stc3", "--part=E", "--out=new"]) == 0
    for command in (["score", "stc3"], ["rerun", "lq21", "--data=stc3"], ["sweep", "--data=stc3"]):
        assert main([*command, "--out=more"]) == 2
        said = capsys.readouterr().err
        assert "holds several tasks; choose one with --part=A, E, S or nugget" in said


def test_a_known_measure_is_not_turned_round(tmp_path, capsys):
    (tmp_path / "kappa.csv").write_text("topic,A,B\n1,0.9,0.2\n2,0.8,0.1\n3,0.85,0.3\n")
    (tmp_path / "mine.csv").write_text("topic,A,B\n1,0.1,0.2\n2,0.1,0.3\n3,0.2,0.4\n")
    out = tmp_path.with_name("out")
    assert run(tmp_path, "--out", out, "--lower-is-better=mine", "--trials", 100, "--json") == 0
    measures = json.loads(capsys.readouterr().out)["measures"]
    assert [measures[name]["ranking"][0]["run"] for name in ("kappa", "mine")] == ["A", "A"]
    assert run(tmp_path, "--out", out, "--lower-is-better=kappa", "--lower-is-better=mine") == 2
    assert "'low' for kappa, of which high scores" in capsys.readouterr().err


def test_measures_go_by_their_names_in_any_case_and_results_are_read_from_their_folder(
    task, tmp_path
):
    out = tmp_path / "out"
    options = ("--measures", "rnod,Nmd", "--primary", "nmd", "--trials", 100)
    assert run(task, "--out", out, *options) == 0
    scores = ob.load_scores(out)
    assert scores.measures == ("RNOD", "NMD")
    assert np.array_equal(scores.values, ob.score(ob.load(task), ["rnod", "nmd"]).values)


def test_scores_by_convention_are_counted(tmp_path, capsys):
    """In each topic gold holds one class: where a run is right, kappa is 0/0."""
    (tmp_path / "task" / "runs").mkdir(parents=True)
    head = "topic,item,label\n"
    for file, classes in (("gold", "012"), ("runs/A", "011"), ("runs/B", "111")):
        items = zip("sssttttuuu", "0001111222", strict=True)
        lines = (f"{topic},{k},{classes[int(gold)]}\n" for k, (topic, gold) in enumerate(items))
        (tmp_path / f"task/{file}.csv").write_text(head + "".join(lines))
    told = "The gold data of 3 of 3 topics hold a single class"
    assert main(["check", str(tmp_path / "task")]) == 0
    assert told in capsys.readouterr().out
    for measures, there in (("kappa,MAE_mu", True), ("MAE_mu", False)):
        out = tmp_path / measures
        assert run(tmp_path / "task", "--out", out, "--measures", measures, "--trials", 100) == 0
        assert (told in (out / "README.md").read_text()) == there


MEASURE = """import numpy as np
from ordbook.measures import custom_measure
print("loaded")
MINE = custom_measure("mine", lambda g, e: np.abs(g - e).max(-1), better="low", bounds=(0, 1))
"""


def test_own_measures_go_by_their_names_and_have_a_checksum(task, tmp_path, monkeypatch, capsys):
    (tmp_path / "module_of_mine.py").write_text(MEASURE)
    monkeypatch.syspath_prepend(tmp_path)
    out = tmp_path / "out"
    arguments = [task, "--out", out, "--trials", 100, "--measure", "module_of_mine:MINE"]
    assert run(*arguments, "--measures", "mine,NMD", "--primary", "mine", "--json") == 0
    printed, said = capsys.readouterr()
    summary = json.loads(printed)
    assert "loaded" in said, "what it prints is no result"
    assert list(summary["measures"]) == ["mine", "NMD"]
    before = summary["own_measures"]["module_of_mine:MINE"]
    assert len(before) == 64
    assert str(tmp_path) not in (out / "README.md").read_text(encoding="utf-8")
    (tmp_path / "module_of_mine.py").write_text(MEASURE + "# changed\n")
    assert run(*arguments, "--measures", "NMD") == 0
    summary = json.loads((out / "summary.json").read_text(encoding="utf-8"))
    assert list(summary["measures"]) == ["NMD", "mine"], "always beside those asked for"
    assert summary["own_measures"]["module_of_mine:MINE"] != before
    capsys.readouterr()
    assert run("fair-oc", "--out", tmp_path / "c", "--measure", "module_of_mine:MINE") == 2
    assert "'mine' is not a measure for classification" in capsys.readouterr().err


def test_groups_are_ranked_and_tested_apart(task, tmp_path, capsys):
    runs = sorted(path.stem for path in (task / "runs").glob("*.csv"))
    rows = [f"{run},{'English' if k % 2 else 'Chinese'}" for k, run in enumerate(runs[:-1])]
    (task / "runs.csv").write_text("\n".join(["run,language", *rows]))
    out = tmp_path / "out"
    assert main(["score", str(task), "--out", str(out), "--trials=100", "--by-group=language"]) == 0
    assert f"{runs[-1]}: no language, so in no group" in capsys.readouterr().err
    whole = ob.load(task)
    for group, mine in (("Chinese", runs[:-1:2]), ("English", runs[1:-1:2])):
        scores = ob.load(out / group / "scores.csv").scores
        assert list(scores.runs) == mine
        expected = ob.score(whole, ["RPS"])["RPS"][mine]
        pd.testing.assert_frame_equal(scores["RPS"], expected, rtol=1e-12, check_names=False)
    with pytest.raises(ValueError, match="no run has an entry 'team'; columns of runs.csv: lang"):
        whole.by("team")
