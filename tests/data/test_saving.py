"""A task that is saved loads as the same task."""

import pytest

import ordbook as ob
from helpers.task_folders import assert_same
from ordbook.data.tasks import POOLED
from ordbook.files import share

EXAMPLES = share("data", "examples")


def labels():
    gold = ["low", "mid", "high", "low", "high", "mid"]
    runs = {"B": gold[::-1], "A, the first": gold}
    return ob.ClassificationTask.from_labels(gold, runs, list("sssttt"), ["low", "mid", "high"])


def pool():
    gold = [2, 1, 3, 1, 2, 3]
    return ob.ClassificationTask.from_labels(gold, {"A": gold[::-1]}, list("abcdef"), [1, 2, 3])


def shares():
    estimates = [[0.1, 0.2, 0.7], [1 / 3, 1 / 3, 1 / 3]]
    return ob.QuantificationTask.from_arrays([[3, 1, 0], [0, 2, 5]], {"A": estimates}, votes=True)


@pytest.mark.parametrize("make", [labels, pool, shares])
def test_tasks_of_arrays(tmp_path, make):
    task = make()
    task.save(tmp_path / "saved")
    assert_same(task, ob.load(tmp_path / "saved"))
    assert (task.topics == (POOLED,)) is (make is pool)


@pytest.mark.parametrize("name", ["fair-oc", "fair-oq", "formats/qrels"])
def test_samples(tmp_path, name):
    task = ob.load(EXAMPLES / name)
    task.save(tmp_path / "saved")
    assert_same(task, ob.load(tmp_path / "saved"))


def test_facts_about_runs_and_missing_answers_are_kept(tmp_path):
    task = ob.load(EXAMPLES / "fair-oq")
    folder = tmp_path / "task"
    task.save(folder)
    run = folder / "runs" / f"{task.runs[0]}.csv"
    run.write_text("".join(run.read_text().splitlines(keepends=True)[:-2]))
    listed = f"run,group,language,link\n{task.runs[1]},T,en,https://a.org\n{task.runs[0]},O,,\n"
    (folder / "runs.csv").write_text(listed)
    task = ob.load(folder, missing="worst")
    assert task.unanswered[task.runs[0]].sum() == 2
    assert task.about["language"][task.runs[1]] == "en"
    assert task.about.loc[task.runs[2]].tolist() == ["", "", ""]
    task.save(tmp_path / "again")
    assert_same(task, ob.load(tmp_path / "again", missing="worst"))


def test_what_no_folder_can_hold_is_refused(tmp_path):
    gold = [1, 2, 1, 2, 1, 2]
    task = ob.ClassificationTask.from_labels(gold, {"a/b": gold, "a_b": gold}, gold, [1, 2])
    with pytest.raises(ValueError, match="file of run 'a_b' occurs twice; rename one"):
        task.save(tmp_path / "saved")
    pool().save(tmp_path / "taken")
    with pytest.raises(ValueError, match="this folder is not empty"):
        pool().save(tmp_path / "taken")
    assert [path.name for path in tmp_path.iterdir()] == ["taken"]
