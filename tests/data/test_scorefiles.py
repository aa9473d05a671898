"""Files of scores: the ends that are known, and rows that are no topics."""

import json
import re
from pathlib import Path

import pytest

import ordbook as ob
from ordbook.data.checking import check
from ordbook.data.scoreframes import bounds
from ordbook.data.scores import load_scores
from ordbook.measures import CLASSIFICATION, QUANTIFICATION

KAPPA = "topic,A,B\n1,0.9,0.2\n2,0.8,0.1\n3,0.85,0.3\n"
MINE = "topic,A,B\n1,0.1,0.2\n2,0.1,0.3\n3,0.2,0.4\n"
TURNED = "'low' for kappa, of which high scores are better"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "kappa.csv").write_text(KAPPA)
    (tmp_path / "mine.csv").write_text(MINE)
    return tmp_path


@pytest.fixture
def saved(folder: Path) -> Path:
    scores = ob.score(ob.load(folder, better="high"))
    (folder / "out").mkdir()
    scores.save(folder / "out" / "scores.csv")
    return folder / "out" / "scores.csv"


def test_what_is_known_of_a_measure_is_never_turned_round(
    folder: Path, saved: Path, subtests
) -> None:
    for path, better, expected in [
        (folder, "low", {"kappa": "high", "mine": "low"}),
        (folder, {"kappa": "low", "mine": "low"}, TURNED),
        (folder, {"kappa": "low"}, TURNED),
        (folder / "kappa.csv", "low", TURNED),
        (folder / "kappa.csv", "high", {"kappa": "high"}),
        (saved, None, {"kappa": "high", "mine": "high"}),
        (saved, "low", TURNED),
        (saved, {"mine": "low"}, {"kappa": "high", "mine": "low"}),  # by name, against what it says
    ]:
        with subtests.test(case=path.name, better=better):
            if isinstance(expected, dict):
                assert ob.score(ob.load(path, better=better)).better == expected
            else:
                assert expected in str(check(path, better=better))
    assert load_scores(saved.parent).values.tolist() == load_scores(saved).values.tolist()
    about = json.loads(saved.with_suffix(".json").read_text())
    about["better"]["kappa"] = "low"
    saved.with_suffix(".json").write_text(json.dumps(about))
    assert ob.load(saved).scores.better["kappa"] == "high"
    with pytest.raises(ValueError, match="scores.json: better= is 'low' for kappa, of which high"):
        load_scores(saved)


# what is done to a file of the folder -> what is said of it
SPOILT = [
    ("kappa.csv", KAPPA + "mean,0.85,0.2\n", "kappa.csv, line 5, column 2: the topic 'mean' is"),
    (
        "kappa.csv",
        KAPPA.replace("2,", "2x,"),
        "no score for kappa, 2, A .and 3 more like it.; add the",
    ),
    ("mine.csv", MINE.replace("B", "C"), "no score for kappa, 1, C .and 5 more like it.; add the"),
    (
        "mine.csv",
        "measure,topic,run,score\nkappa,1,A,0.1\n",
        "mine.csv, line 2, column 4: kappa, 1, A has two scores; keep one",
    ),
]


@pytest.mark.parametrize(("name", "text", "message"), SPOILT)
def test_faults_of_score_files(name, text, message, folder):
    before = (folder / name).read_text()
    (folder / name).write_text(text)
    better = {"mine": "low"} if "kappa," not in text else None
    assert re.search(message, str(check(folder, better=better)))
    (folder / name).write_text(before)


def test_bounds_hold_for_every_number_of_classes() -> None:
    for name, measure in {**QUANTIFICATION, **CLASSIFICATION}.items():
        for classes in (2, 5, 40):
            low, high = measure.bounds(classes)
            assert bounds(name)[0] <= low
            assert bounds(name)[1] >= high


@pytest.mark.parametrize("header", [True, False])
def test_score_matrices_from_elsewhere_give_the_tables_of_acl21(
    header: bool, tmp_path: Path
) -> None:
    """The lines that the chapter shows, on matrices of ours: a file a measure, topic x run."""
    ours = ob.score(ob.load("sem16t4e"), ["NMD", "RNOD"])
    ending, separator = ("csv", ",") if header else ("txt", " ")
    for measure in ours.measures:
        path = tmp_path / f"{measure}.{ending}"
        ours[measure].to_csv(path, sep=separator, header=header, index=header)
    if not header:
        (tmp_path / "runlist").write_text("\n".join(ours.runs))
    scores = ob.score(ob.load(tmp_path))
    assert (scores.runs, scores.values.tolist()) == (ours.runs, ours.values.tolist())
    similar = [ob.ranking_similarity(one).tau for one in (scores, ours)]
    assert similar[0].equals(similar[1])
