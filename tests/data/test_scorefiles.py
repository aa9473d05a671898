"""Files of scores: the ends that are known, and rows that are no topics."""

import json
import re
from pathlib import Path

import pytest

import ordbook as ob
from cases import case
from ordbook.data.checking import check
from ordbook.data.grids import KNOWN, bounds
from ordbook.data.scores import load_scores

KAPPA = "topic,A,B\n1,0.9,0.2\n2,0.8,0.1\n3,0.85,0.3\n"
MINE = "topic,A,B\n1,0.1,0.2\n2,0.1,0.3\n3,0.2,0.4\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "kappa.csv").write_text(KAPPA)
    (tmp_path / "mine.csv").write_text(MINE)
    return tmp_path


def faults(path: Path, **options: object) -> list[str]:
    return [str(problem) for problem in check(path, **options).problems]


def test_one_end_is_said_of_unknown_measures_alone(folder):
    scores = ob.score(ob.load(folder, better="low"))
    assert scores.better == {"kappa": "high", "mine": "low"}


@pytest.mark.parametrize("better", [{"kappa": "low", "mine": "low"}, {"kappa": "low"}])
def test_a_name_does_not_turn_a_known_measure_round(folder, better):
    found = faults(folder, better=better)
    assert "'low' for kappa, of which high scores are better" in found[0]


def test_one_end_does_not_turn_known_measures_round_where_there_are_no_others(folder):
    (found,) = faults(folder / "kappa.csv", better="low")
    assert "'low' for kappa" in found
    assert ob.score(ob.load(folder / "kappa.csv", better="high")).better == {"kappa": "high"}


@pytest.fixture
def saved(folder: Path) -> Path:
    scores = ob.score(ob.load(folder, better="high"))
    (folder / "out").mkdir()
    scores.save(folder / "out" / "scores.csv")
    return folder / "out" / "scores.csv"


def turn(path: Path, measure: str) -> None:
    about = json.loads(path.with_suffix(".json").read_text())
    about["better"][measure] = "low"
    path.with_suffix(".json").write_text(json.dumps(about))


def test_one_end_does_not_turn_what_was_saved(saved):
    assert ob.score(ob.load(saved)).better == {"kappa": "high", "mine": "high"}
    assert "'low' for kappa, of which high scores are better" in faults(saved, better="low")[0]
    again = ob.load(saved, better={"mine": "low"})  # by name, against what was saved
    assert ob.score(again).better == {"kappa": "high", "mine": "low"}


def test_what_was_saved_does_not_turn_a_known_measure_round(saved):
    turn(saved, "kappa")
    assert ob.load(saved).scores.better["kappa"] == "high"
    with pytest.raises(ValueError, match="scores.json: better= is 'low' for kappa, of which high"):
        load_scores(saved)


# what is done to a file of the folder -> what is said of it
SPOILT = [
    ("kappa.csv", KAPPA + "mean,0.85,0.2\n", "kappa.csv, line 5, column 2: the topic 'mean'"),
    (
        "kappa.csv",
        KAPPA.replace("2,0.8", "2,1.8"),
        "line 3, column 2: kappa, 2, A is 1.8, and scores by kappa",
    ),
    ("kappa.csv", KAPPA.replace("2,", "2x,"), "other topics than in kappa.csv: '2' is not there"),
    ("mine.csv", MINE.replace("B", "C"), "other runs than in kappa.csv: 'C' is not there; 'B'"),
    ("mine.csv", MINE.replace("topic,", ",", 1), "column '' that numbers the rows, as pandas"),
    ("mine.csv", f"measure,topic,run,score\nkappa,{MINE[12]},A,0.1\n", "other topics|by kappa"),
]


def test_faults_of_score_files(folder):
    for name, text, message in SPOILT:
        with case(name, text):
            before = (folder / name).read_text()
            (folder / name).write_text(text)
            found = faults(folder, better={"mine": "low"} if "kappa," not in text else None)
            assert re.search(message, "\n".join(found))
            (folder / name).write_text(before)


def test_scores_of_a_folder_are_loaded(saved):
    assert load_scores(saved.parent).values.tolist() == load_scores(saved).values.tolist()


def test_bounds_hold_for_every_number_of_classes() -> None:
    for name, measure in KNOWN.items():
        for classes in (2, 5, 40):
            low, high = measure.bounds(classes)
            assert bounds(name)[0] <= low
            assert bounds(name)[1] >= high


@pytest.mark.parametrize("header", [True, False])
def test_score_matrices_from_elsewhere_give_the_tables_of_acl21(tmp_path, header):
    """The lines that the chapter shows, on matrices of ours: a file a measure, topic x run."""
    ours = ob.score(ob.load("sem16t4e"), ["NMD", "RNOD"])
    for measure in ours.measures:
        ending = "csv" if header else "txt"
        separator = "," if header else " "
        path = tmp_path / f"{measure}.{ending}"
        ours[measure].to_csv(path, sep=separator, header=header, index=header)
    if not header:
        (tmp_path / "runlist").write_text("\n".join(ours.runs))
    scores = ob.score(ob.load(tmp_path))
    similar = [ob.ranking_similarity(one).tau for one in (scores, ours)]
    assert similar[0].equals(similar[1])
    steady = [ob.ranking_consistency(one, splits=20).mean for one in (scores, ours)]
    assert steady[0].equals(steady[1])
    p = [ob.tukey_hsd(one, trials=100).p["NMD"] for one in (scores, ours)]
    assert p[0].equals(p[1])
