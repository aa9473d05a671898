"""Every format: its sample loads and checks clean; spoiled copies have all their faults listed."""

import json
import runpy
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import ordbook as ob
from cases import case
from ordbook.data import scoregrids
from ordbook.data.checking import check
from ordbook.data.scoretask import ScoresTask

# sample, part, kind, topics, runs, classes
SAMPLES = {
    "fair-oc": (None, "classification", 56, 16, 5),
    "fair-oq": (None, "quantification", 56, 16, 5),
    "formats/tables.zip": (None, "quantification", 5, 3, 5),
    "formats/semeval-c": (None, "classification", 5, 3, 5),
    "formats/semeval-e": (None, "quantification", 5, 3, 5),
    "formats/ntcir": ("E", "quantification", 4, 2, 5),
    "formats/dbdc": (None, "quantification", 6, 2, 3),
    "formats/scores/long.csv": (None, "scores", 5, 3, 0),
    "formats/scores/RNOD.csv": (None, "scores", 5, 3, 0),
    "formats/scores/NMD.txt": (None, "scores", 5, 3, 0),
    "formats/scores-by-measure": (None, "scores", 5, 3, 0),
}


@pytest.fixture
def samples(root: Path) -> Path:
    return root / "data" / "examples"


@pytest.fixture
def spoil(samples: Path, tmp_path: Path) -> Callable[[str], Path]:
    """A copy of a sample that may be spoiled."""

    def copy(name: str) -> Path:
        return Path(shutil.copytree(samples / name, tmp_path / Path(name).name))

    return copy


def replace(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def faults(path: Path, **options: object) -> list[str]:
    """The problems, without the folder; loading raises the first and counts the others."""
    report = check(path, **options)  # type: ignore[arg-type]
    assert report.problems
    with pytest.raises(ValueError, match="found") as caught:
        ob.load(path, **options)  # type: ignore[arg-type]
    others = len(report.problems) - 1
    first = str(report.problems.items[0])
    listed = f"; 'ordbook check {path}' lists them all"
    ending = f" ({others} more problem{'s' * (others > 1)}{listed})" if others else ""
    assert str(caught.value) == first + ending
    return [str(problem).removeprefix(f"{path}/") for problem in report.problems]


def test_every_sample_is_listed(root: Path, samples: Path) -> None:
    readme = (samples / "README.md").read_text()
    for name in SAMPLES:
        assert f"`{name}" in readme
        assert (samples / name).exists()


def test_samples_load_and_check_clean(samples: Path) -> None:
    for name in SAMPLES:
        with case(name):
            part, kind, topics, runs, classes = SAMPLES[name]
            task = ob.load(samples / name, part=part)
            found = task.kind, len(task.topics), len(task.runs), len(task.classes)
            assert found == (kind, topics, runs, classes)
            report = check(samples / name, part=part)
            assert not report.problems
            assert [summary.kind for summary in report.summary] == [kind]
            scores = ob.score(task)
            assert scores.values.shape[1:] == (topics, runs)
            assert scores.source == "yours"


def test_samples_are_what_the_script_builds(samples: Path, tmp_path: Path) -> None:
    runpy.run_path(str(samples / "formats" / "make.py"))["main"](tmp_path)
    built = {path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_file()}
    formats = samples / "formats"
    kept = {path.relative_to(formats) for path in formats.rglob("*") if path.is_file()}
    assert {path for path in kept if "__pycache__" not in path.parts} == built | {Path("make.py")}
    for path in sorted(built):
        if not path.parent.name.startswith("scores") or path.name == "runs.csv":
            assert (tmp_path / path).read_bytes() == (formats / path).read_bytes(), path
    # Scores may differ in their last bit from machine to machine.
    for name in ("scores/long.csv", "scores/RNOD.csv", "scores/NMD.txt", "scores-by-measure"):
        ours, theirs = (ob.load(folder / name) for folder in (tmp_path, formats))
        np.testing.assert_allclose(ob.score(ours).values, ob.score(theirs).values, atol=1e-12)


def test_three_forms_of_scores_say_the_same(samples: Path) -> None:
    long, wide, plain = (
        ob.load(samples / "formats/scores" / name) for name in ("long.csv", "RNOD.csv", "NMD.txt")
    )
    assert (ob.score(long)["RNOD"] == ob.score(wide)["RNOD"]).all(axis=None)
    assert (ob.score(long, ["NMD"]).values == ob.score(plain).values).all()
    assert plain.topics == ("1", "2", "3", "4", "5")
    assert plain.runs == wide.runs == long.runs
    fair = ob.score(ob.load("fair-oq"), ["RNOD"])
    np.testing.assert_allclose(ob.score(wide).values, fair.values[:, :5, :3], atol=1e-12)


def test_scores_have_no_distributions(samples: Path) -> None:
    task = ob.load(samples / "formats/scores/RNOD.csv")
    assert isinstance(task, ScoresTask)
    for asked in ("gold", "estimates", "predicted"):
        with pytest.raises(ValueError, match="RNOD: there are no .*, as only scores were given"):
            getattr(task, asked)
    with pytest.raises(ValueError, match="no measure 'NMD' in these scores; there are RNOD"):
        ob.score(task, ["NMD"])
    with pytest.raises(ValueError, match="cannot be pooled"):
        ob.score(task, aggregate="pooled")


def test_which_end_is_better_is_never_guessed(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text("topic,A,B\nt,1,2\nu,3,4\n")
    assert "the measure 'mine', which ordbook does not know" in faults(path)[0]
    assert ob.score(ob.load(path, better="high")).better == {"mine": "high"}
    assert ob.score(ob.load(path, better={"mine": "low"})).better == {"mine": "low"}
    assert "the measure 'x'" in faults(path, better={"x": "low", "mine": "low"})[0]
    assert "'best' for 'mine'" in faults(path, better={"mine": "best"})[0]
    (tmp_path / "kappa.csv").write_text("topic,A,B\nt,1,0.2\n")
    assert ob.score(ob.load(tmp_path / "kappa.csv")).better == {"kappa": "high"}


def test_what_a_score_matrix_saved_is_read_with_its_directions(tmp_path: Path) -> None:
    scores = ob.score(ob.load("fair-oq"), ["NMD"])
    mine = ob.ScoreMatrix(
        "mine", scores.values, ("GOOD",), scores.topics, scores.runs, {"GOOD": "high"},
        scores.provenance,
    )  # fmt: skip
    for name in ("s.csv", "s.csv.gz"):
        mine.save(tmp_path / name)
        again = ob.score(ob.load(tmp_path / name))
        assert (again.values == mine.values).all()
        assert again.better == {"GOOD": "high"}
    mine.save(tmp_path / "s.csv")
    replace(tmp_path / "s.csv", "GOOD,", "GOOD, ")
    assert "other scores than s.json describes" in faults(tmp_path / "s.csv")[0]


def test_faults_of_long_scores(spoil: Callable[[str], Path]) -> None:
    path = spoil("formats/scores") / "long.csv"
    path.with_suffix(".json").unlink()
    lines = path.read_text().splitlines()
    lines[2] = lines[2].rpartition(",")[0] + ",?"
    lines[5] = lines[4]
    path.write_text("\n".join(lines) + "\n")
    found = faults(path)
    assert [text.partition(": found ")[2][:14] for text in found] == [
        "'?', expected ",
        "NMD, " + lines[4].split(",")[1][:9],
        "no score for N",
    ]
    assert "line 3, column 4" in found[0]
    assert "line 6" in found[1]


def test_faults_of_wide_scores(tmp_path: Path) -> None:
    path = tmp_path / "RNOD.csv"
    path.write_text("topic,A,A,B\nt,1,0.2,\nt,1,0.2\nt,1,0.2,0.3\n")
    assert [text.partition("RNOD.csv, ")[2].partition(": found")[0] for text in faults(path)] == [
        "line 3",
        "line 2, column 4",
        "line 1, column 3",
        "line 4, column 1",
    ]
    path.write_text("run,A\nt,1\n")
    assert "found the columns run,A, expected 'measure,topic,run,score'" in faults(path)[0]


def test_scores_beyond_the_bounds_of_a_known_measure(tmp_path: Path) -> None:
    """RNOD may exceed 1 from five classes on, so that only what no number of classes allows is."""
    path = tmp_path / "RNOD.csv"
    path.write_text("topic,A,B\nt,1.04,1.5\nu,-1e-10,-0.1\n")
    found = faults(path)
    assert [text.partition(": found")[0].split("RNOD.csv, ")[1] for text in found] == [
        "line 2, column 3",
        "line 3, column 3",
    ]
    assert "found 1.5, expected a score by RNOD, from 0 to 1.31755 whatever the number" in found[0]
    path = tmp_path / "long.csv"
    rows = ("NMD,t,A,1.0000000001", "NMD,u,A,1.1", "accuracy,t,A,-0.5", "accuracy,u,A,1")
    own = ("mine,t,A,99", "mine,u,A,-99", "MAE_M,t,A,99", "MAE_M,u,A,0")
    path.write_text("measure,topic,run,score\n" + "\n".join((*rows, *own)) + "\n")
    found = faults(path, better={"mine": "low"})
    assert [text.partition(": found")[0].split("long.csv, ")[1] for text in found] == [
        "line 3, column 4",
        "line 4, column 4",
    ]
    assert "found 1.1, expected a score by NMD, from 0 to 1; correct it, or rename" in found[0]
    (tmp_path / "kappa.txt").write_text("0 -1\n0.5 -1.5\n")
    (tmp_path / "kappa.runs").write_text("A\nB\n")
    (found,) = faults(tmp_path / "kappa.txt")
    assert "kappa.txt, line 2, column 2: found -1.5, expected a score by kappa, from -1" in found


def test_bounds_hold_for_every_number_of_classes() -> None:
    for name in scoregrids.KNOWN:
        with case(name):
            low, high = scoregrids.bounds(name)
            for classes in range(2, 30):
                least, largest = scoregrids.KNOWN[name].bounds(classes)
                assert low <= least <= largest <= high


def test_several_files_of_scores_are_one_task(spoil: Callable[[str], Path], tmp_path: Path) -> None:
    folder = spoil("formats/scores-by-measure")
    task = ob.load(folder)
    assert isinstance(task, ScoresTask)
    assert (task.measures, task.groups["CC-bayes"]) == (("NMD", "RNOD"), "team B")
    assert task.languages == {"ACC-bayes": "en", "ACC-logit": "en"}
    assert set(task.provenance.files) == {"NMD.csv", "RNOD.csv", "runs.csv"}
    packed = ob.load(pack(tmp_path / "packed.zip", folder))
    assert (packed.name, packed.groups) == ("packed", task.groups)
    alone = ob.load(folder / "RNOD.csv")
    assert alone.groups == task.groups
    assert (ob.score(alone).values == ob.score(task, ["RNOD"]).values).all()
    head, first, *rows = (folder / "RNOD.csv").read_text().splitlines()
    (folder / "RNOD.csv").write_text("\n".join([head, *rows, first]) + "\n")
    assert (ob.score(ob.load(folder)).values == ob.score(task).values).all()
    assert "RNOD.csv lists topics or runs in another order" in ob.load(folder).provenance.notes[0]
    (folder / "RNOD.csv").write_text("\n".join([head.replace(",CC-bayes", ",C"), *rows]) + "\n")
    shutil.copy(folder / "NMD.csv", folder / "NMD.csv.gz")
    replace(folder / "runs.csv", "\nCC-bayes", "\nD")
    (folder / "notes.pdf").touch()
    assert [text.partition(", expected")[0] for text in faults(folder)] == [
        "NMD.csv.gz: found scores by NMD, which NMD.csv has too",
        f"RNOD.csv: found no topic {first.partition(',')[0]!r}",
        "RNOD.csv: found no run 'CC-bayes'",
        "RNOD.csv: found run 'C'",
        "runs.csv, line 4, column 1: found run 'D'",
    ]
    with pytest.raises(ValueError, match="classes= is for folders with gold data"):
        ob.load(folder, classes=["1", "2"])


def test_faults_of_plain_scores(spoil: Callable[[str], Path]) -> None:
    folder = spoil("formats/scores")
    (folder / "NMD.txt").write_text("0.1 0.2 0.3\n0.1 x 0.3\n0.1 0.2\n")
    (folder / "NMD.runs").write_text("A\nA\nB\n")
    assert [text.split("/")[-1].partition(": found")[0] for text in faults(folder / "NMD.txt")] == [
        "NMD.runs, line 2",
        "NMD.txt, line 3",
        "NMD.txt, line 2, column 2",
    ]
    (folder / "NMD.runs").unlink()
    assert "found no list of its runs" in faults(folder / "NMD.txt")[0]
    (folder / "runlist").write_text("A\nB\nC\n")
    (folder / "NMD.txt").write_text("0.1\t0.2  0.3\n 1e-1 0 1\n")
    task = ob.load(folder / "NMD.txt")
    assert task.runs == ("A", "B", "C")
    assert ob.score(task).values.tolist() == [[[0.1, 0.2, 0.3], [0.1, 0, 1]]]
    assert set(task.provenance.files) == {"NMD.txt", "runlist"}


def test_faults_of_semeval_c(spoil: Callable[[str], Path]) -> None:
    folder = spoil("formats/semeval-c")
    lines = (folder / "gold.txt").read_text().splitlines(keepends=True)
    item, topic, _ = lines[1].split("\t")
    (folder / "gold.txt").write_text("".join([lines[0], f"{item}\t{topic}\tgood\n", *lines[2:]]))
    run = folder / "runs/forest.txt"
    lines = run.read_text().splitlines(keepends=True)
    run.write_text("".join([lines[0].replace("\t", " "), lines[1], lines[1], *lines[3:]]))
    found = faults(folder)
    assert [text.partition(": found")[0] for text in found] == [
        "gold.txt, line 2, column 3",
        "runs/forest.txt, line 1",
        "runs/forest.txt, line 3, column 2",
        "runs/forest.txt",
        "runs/forest.txt",
    ]


def test_faults_of_semeval_e(spoil: Callable[[str], Path]) -> None:
    folder = spoil("formats/semeval-e")
    (folder / "runs/more").mkdir()
    replace(folder / "runs/uniform.txt", "0.2", "0,2")
    run = folder / "runs/CC-logit.txt"
    _, *shares = run.read_text().splitlines()[0].split("\t")
    replace(run, "\t".join(shares), "\t".join(["-0.1", *shares[1:]]))
    replace(folder / "runs.csv", "uniform", "uniforn")
    found = faults(folder)
    assert [text.partition(": found")[0] for text in found] == [
        "runs/more",
        "runs/CC-logit.txt, line 1, column 2",
        "runs/uniform.txt, line 1, column 2",
        "runs.csv, line 4, column 1",
    ]
    assert "found run 'uniforn', expected the name of a run" in found[-1]


def test_faults_of_ntcir(spoil: Callable[[str], Path]) -> None:
    folder = spoil("formats/ntcir")
    gold = json.loads((folder / "gold.json").read_text())
    gold[0]["annotations"][2]["quality"]["E"] = 3
    gold[0]["annotations"][4]["nugget"][0] = "HNUG"
    gold[1]["annotations"][1]["quality"]["E"] = "0"
    (folder / "gold.json").write_text(json.dumps(gold))
    quality = json.loads((folder / "runs/first_quality.json").read_text())
    quality[0]["quality"]["E"]["2"] = -1
    del quality[0]["quality"]["E"]["1"]
    quality[3]["id"] = "dialogue-5"
    (folder / "runs/first_quality.json").write_text(json.dumps(quality))
    (folder / "runs/second_quality.json").write_text("[")
    where = [
        "gold.json, dialogue 'dialogue-1', annotator 3",
        "gold.json, dialogue 'dialogue-1', annotator 5, turn 1",
        "gold.json, dialogue 'dialogue-2', annotator 2",
        "runs/first_quality.json, dialogue 'dialogue-1', E",
        "runs/first_quality.json, dialogue 'dialogue-1', E, class 2",
        "runs/first_quality.json",
        "runs/first_quality.json",
        "runs/second_quality.json, line 1, column 2",
    ]
    found = faults(folder, part="E")
    assert [text.partition(": found")[0] for text in found] == where
    everything = check(folder).problems
    assert len(everything) == len(set(everything)) > len(found) - 1, "of all parts, each once"
    nugget = json.loads((folder / "runs/first_nugget.json").read_text())
    nugget[0]["nugget"][0] = {"CNUG": 1}
    (folder / "runs/first_nugget.json").write_text(json.dumps(nugget))
    assert len(check(folder, part="nugget").problems) == 3 + 3


def test_runs_of_ntcir_may_be_grouped(spoil: Callable[[str], Path]) -> None:
    folder = spoil("formats/ntcir")
    (folder / "runs.csv").write_text("run,group\nfirst_quality,A\nsecond_nugget,B\n")
    assert ob.load(folder, part="S").groups == {"first_quality": "A"}
    assert ob.load(folder, part="nugget").groups == {"second_nugget": "B"}


def test_faults_of_dbdc(spoil: Callable[[str], Path]) -> None:
    folder = spoil("formats/dbdc")
    replace(folder / "runs/folder/demo01.labels.json", '"turn-index": 3', '"turn-index": 4')
    replace(folder / "runs/folder/demo02.labels.json", '"prob-X": ', '"prob-X": 7')
    (folder / "runs/notes.txt").touch()
    shutil.copy(folder / "runs/packed.zip", folder / "runs/cut.zip")
    with (folder / "runs/cut.zip").open("r+b") as file:
        file.truncate(100)
    assert [text.partition(": found")[0] for text in faults(folder)] == [
        "runs/notes.txt",
        "runs/cut.zip",
        "runs/folder/demo01.labels.json, turn 4",
        "runs/folder/demo02.labels.json, turn 1, prob-X",
    ]
    replace(folder / "dialogues/demo01.log.json", '"S"', '"R"')
    replace(folder / "dialogues/demo02.log.json", '"breakdown": "', '"breakdown": "?')
    assert [text.partition(": found")[0] for text in faults(folder)][1:3] == [
        "dialogues/demo01.log.json, entry 2 of turns",
        "dialogues/demo02.log.json, turn 1, annotation 1",
    ]


def test_a_sidecar_gives_the_classes_of_semeval(spoil: Callable[[str], Path]) -> None:
    folder = spoil("formats/semeval-e")
    assert ob.load(folder).classes == ("1", "2", "3", "4", "5")
    assert "classes.txt" in ob.load(folder).provenance.files
    assert ob.load(folder, classes=list("abcde")).classes == tuple("abcde")
    (folder / "classes.txt").unlink()
    assert ob.load(folder).classes == ("-2", "-1", "0", "1", "2")


# Zip files


def pack(path: Path, folder: Path, inside: str = "") -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(folder.rglob("*")):
            archive.write(file, inside + file.relative_to(folder).as_posix())
    return path


def test_a_zip_file_is_read_as_the_folder(samples: Path, tmp_path: Path) -> None:
    for name, inside in (("semeval-c", ""), ("semeval-e", "deep/"), ("ntcir", ""), ("dbdc", "")):
        with case(name):
            folder = samples / "formats" / name
            part = SAMPLES[f"formats/{name}"][0]
            path = pack(tmp_path / "packed.zip", folder, inside)
            task, same = ob.load(path, part=part), ob.load(folder, part=part)
            assert task.name == "packed"
            assert task.provenance.files == same.provenance.files
            assert (task.topics, task.runs, task.classes) == (same.topics, same.runs, same.classes)
            assert (ob.score(task).values == ob.score(same).values).all()


def test_faults_in_a_zip_file_name_it(spoil: Callable[[str], Path], tmp_path: Path) -> None:
    folder = spoil("formats/semeval-e")
    replace(folder / "runs/uniform.txt", "0.2", "?")
    path = pack(tmp_path / "p.zip", folder)
    assert [text.partition(": found")[0] for text in faults(path)] == [
        "runs/uniform.txt, line 1, column 2"
    ]
    assert str(check(path).problems).startswith(f"{path}/runs/uniform.txt")


def test_what_is_no_task(tmp_path: Path) -> None:
    assert "no file whose name starts with 'gold'" in faults(tmp_path)[0]
    (tmp_path / "gold.csv").write_text("topic,1,2\nt,1,1\n")
    assert f"name the folder: {tmp_path}" in faults(tmp_path / "gold.csv")[0]
    assert "runs: found no such folder" in faults(tmp_path)[0]
    with pytest.raises(ValueError, match="neither a path that exists"):
        check(tmp_path / "none")
    with pytest.raises(ValueError, match="fair-oc: a catalogued data set"):
        check("fair-oc")
    for option in ({"part": "A"}, {"better": "low"}):
        with pytest.raises(ValueError, match="= is for"):
            check(tmp_path, **option)  # type: ignore[arg-type]


def test_probabilities_that_some_measures_take_for_0_are_told(tmp_path: Path) -> None:
    folder = tmp_path / "task"
    (folder / "runs").mkdir(parents=True)
    head = "topic,low,mid,high\n"
    (folder / "gold.csv").write_text(f"{head}t,.1,.2,.7\nu,.5,.5,0\n")
    tails = {"none": "0", "tiny": "1e-13", "small": "2e-12"}
    for name, tail in tails.items():
        (folder / f"runs/{name}.csv").write_text(f"{head}t,.5,.5,{tail}\nu,0,1,{tail}\n")
    (note,) = (n for n in check(folder).summary[0].notes if "take them for 0" in n)
    assert note.startswith("probabilities above 0 and at most 1e-12, 2 of tiny: RNOD, RNOD2, RSNOD")
    task = ob.load(folder)
    scores = ob.score(task, ["RSNOD", "DNKT"])
    assert scores.provenance.notes == (note,)
    none, tiny, small = (scores["RSNOD"][name] for name in tails)
    assert tiny.tolist() == pytest.approx(none.tolist(), abs=1e-9)
    assert abs(small["t"] - none["t"]) > 0.01
