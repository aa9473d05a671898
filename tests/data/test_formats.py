"""Every format: its sample loads and checks clean."""

import runpy
from pathlib import Path

import numpy as np
import pytest

import ordbook as ob
from ordbook.data.checking import check

# sample, part, kind, topics, runs, classes
SAMPLES = {
    "fair-oc": (None, "classification", 56, 16, 5),
    "fair-oq": (None, "quantification", 56, 16, 5),
    "formats/tables": (None, "quantification", 5, 3, 5),
    "formats/qrels": (None, "classification", 5, 3, 5),
    "formats/ntcir": ("E", "quantification", 4, 2, 5),
    "formats/scores/long.csv": (None, "scores", 5, 3, 0),
    "formats/scores/RNOD.csv": (None, "scores", 5, 3, 0),
    "formats/scores/NMD.txt": (None, "scores", 5, 3, 0),
    "formats/scores-by-measure": (None, "scores", 5, 3, 0),
}


@pytest.fixture
def samples(root: Path) -> Path:
    return root / "data" / "examples"


def test_every_sample_is_listed(root: Path, samples: Path) -> None:
    readme = (samples / "README.md").read_text()
    for name in SAMPLES:
        assert f"`{name}" in readme
        assert (samples / name).exists()


@pytest.mark.parametrize("name", SAMPLES)
def test_samples_load_and_check_clean(name, samples):
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
