"""Files of scores: the ends that are known, and rows that are no topics."""

import json
from pathlib import Path

import pytest

import ordbook as ob
from ordbook.data.checking import check
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
    assert "found 'low' for 'kappa', expected high, as ordbook knows kappa" in found[0]
    assert len(found) == 1 + ("mine" not in better)


def test_one_end_does_not_turn_known_measures_round_where_there_are_no_others(folder):
    (found,) = faults(folder / "kappa.csv", better="low")
    assert "'low' for 'kappa'" in found
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
    kappa, mine = faults(saved, better="low")
    assert "'low' for 'kappa', expected high, as ordbook knows kappa" in kappa
    assert "'low' for 'mine', expected high, as the JSON file beside the scores says" in mine
    again = ob.load(saved, better={"mine": "low"})  # by name, against what was saved
    assert ob.score(again).better == {"kappa": "high", "mine": "low"}


def test_what_was_saved_does_not_turn_a_known_measure_round(saved):
    turn(saved, "kappa")
    (found,) = faults(saved)
    assert "scores.json: found 'low' for 'kappa', expected high, as ordbook knows" in found
    with pytest.raises(ValueError, match="scores.json: it says that low scores by kappa are bett"):
        load_scores(saved)


@pytest.mark.parametrize(
    ("row", "kind"),
    [
        ("mean,0.85,0.2", "mean"),
        ("MEAN,0.8500,0.20", "mean"),
        ("all,0.85,0.2", "mean"),
        ("Average,0.9,0.2", "mean"),
        ("avg,0.85,0.2", "mean"),
        ("overall,0.85,0.2", "mean"),
        ("total,2.55,0.6", "sum"),
        ("sum,2.55,0.6", "sum"),
    ],
)
@pytest.mark.parametrize("long", [False, True])
def test_a_row_of_totals_is_no_topic(folder, row, kind, long):
    rows = [line.split(",") for line in [*KAPPA.splitlines()[1:], row]]
    text = "topic,A,B\n" + "".join(",".join(line) + "\n" for line in rows)
    if long:
        cells = [(topic, run, x) for topic, *xs in rows for run, x in zip("AB", xs, strict=True)]
        text = "measure,topic,run,score\n" + "".join(f"m,{','.join(cell)}\n" for cell in cells)
    path = folder / "m.csv"
    path.write_text(text)
    (found,) = faults(path, better="high")
    name = row.partition(",")[0]
    line = 8 if long else 5
    assert f"m.csv, line {line}, column {1 + long}: found the row '{name}', the {kind} of" in found
    assert found.endswith("leave it out")


def test_a_column_of_totals_is_no_run(folder):
    rows = [line.split(",") for line in KAPPA.splitlines()[1:]]
    mean = [(float(a) + float(b)) / 2 for _, a, b in rows]
    lines = [",".join([*row, f"{x:.3f}"]) for row, x in zip(rows, mean, strict=True)]
    (folder / "m.csv").write_text("topic,A,B,mean\n" + "\n".join(lines) + "\n")
    (found,) = faults(folder / "m.csv", better="high")
    assert "m.csv, line 1, column 4: found the run 'mean', the mean of the others" in found


@pytest.mark.parametrize("name", ["mean", "median", "gm_all"])
def test_a_topic_with_such_a_name_and_other_numbers_is_one(folder, name):
    (folder / "m.csv").write_text(f"{KAPPA}{name},0.7,0.2\n")
    task = ob.load(folder / "m.csv", better="high")
    assert task.topics[-1] == name
    assert task.provenance.notes == (
        f"there is a topic {name!r}; if it says something about the other topics, leave it out.",
    )
