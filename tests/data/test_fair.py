"""The embedded example: built again from the survey, loaded by name, with real differences."""

import os
import subprocess
import sys

import pandas as pd
import pytest
from statsmodels.datasets import fair

import ordbook as ob
from ordbook.data.catalog import catalog

pytestmark = pytest.mark.slow

CHEAP = ["gold", "majority", "median", "ridge", "group", "normal", "mean", "uniform", "prior"]
NAMES = ["fair-oc", "fair-oq"]


@pytest.fixture(scope="module")
def survey() -> pd.DataFrame:
    data = fair.load_pandas().data
    data.index += 1
    return data


def make(root, *arguments):
    return subprocess.run(
        [sys.executable, root / "data/examples/fair/make.py", *arguments],
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_building_again_gives_the_same_bytes(root, tmp_path):
    result = make(root, "--only", ",".join(CHEAP), "--out", str(tmp_path))
    assert result.returncode == 0, result.stderr
    built = {path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_file()}
    assert len(built) == 4 + 5 + 5, "gold and classes twice; group and prior are in both tasks"
    for path in built:
        assert (tmp_path / path).read_bytes() == (root / "data/examples" / path).read_bytes(), path


@pytest.mark.parametrize("name", NAMES)
def test_loads_by_name_without_raw_files(name, monkeypatch, tmp_path):
    monkeypatch.setenv("ORDBOOK_CACHE", str(tmp_path))
    monkeypatch.delenv("ORDBOOK_MIRROR", raising=False)
    task, entry = ob.load(name), catalog()[name]
    assert task.name == name
    assert task.provenance.source == ob.score(task).source == "raw"
    assert (len(task.topics), len(task.runs)) == (entry.topics, entry.runs) == (56, 16)
    assert task.classes == entry.classes == ("1", "2", "3", "4", "5")
    assert len(task.provenance.files) == 1 + 1 + entry.runs


def test_gold_is_what_the_survey_says(root, survey):
    gold = pd.read_csv(root / "data/examples/fair-oc/gold.csv")
    assert len(gold) == 2592
    assert (gold["item"] % 2 == 0).all(), "odd rows are learned from"
    assert gold["item"].is_unique
    asked = survey.loc[gold["item"]]
    assert (asked["rate_marriage"].to_numpy() == gold["label"].to_numpy()).all()
    for column, letter in (("yrs_married", "m"), ("religious", "r"), ("occupation", "o")):
        said = gold["topic"].str.extract(rf"\b{letter}([\d.]+)")[0].astype(float)
        assert (said.to_numpy() == asked[column].to_numpy()).all()
