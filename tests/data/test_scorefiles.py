"""Files of scores: the ends that are known, and rows that are no topics."""

import json
import re
from pathlib import Path

import pytest

import ordbook as ob
from cases import case
from ordbook.cli import main
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


TOTALS = [
    ("mean,0.85,0.2", "mean"),
    ("all,0.85,0.2", "mean"),
]


def test_a_row_of_totals_is_no_topic(folder):
    for long in [False, True]:
        for row, kind in TOTALS:
            with case(row, kind, long):
                rows = [line.split(",") for line in [*KAPPA.splitlines()[1:], row]]
                text = "topic,A,B\n" + "".join(",".join(line) + "\n" for line in rows)
                if long:
                    cells = [
                        (topic, run, x)
                        for topic, *xs in rows
                        for run, x in zip("AB", xs, strict=True)
                    ]
                    text = "measure,topic,run,score\n" + "".join(
                        f"m,{','.join(cell)}\n" for cell in cells
                    )
                path = folder / "m.csv"
                path.write_text(text)
                (found,) = faults(path, better="high")
                name = row.partition(",")[0]
                line = 8 if long else 5
                assert (
                    f"m.csv, line {line}, column {1 + long}: found the row '{name}', the {kind} of"
                    in found
                )
                assert found.endswith("leave it out; or, if it is a topic, give it another name")


def test_a_column_of_totals_is_no_run(folder):
    rows = [line.split(",") for line in KAPPA.splitlines()[1:]]
    mean = [(float(a) + float(b)) / 2 for _, a, b in rows]
    lines = [",".join([*row, f"{x:.3f}"]) for row, x in zip(rows, mean, strict=True)]
    (folder / "m.csv").write_text("topic,A,B,mean\n" + "\n".join(lines) + "\n")
    (found,) = faults(folder / "m.csv", better="high")
    assert "m.csv, line 1, column 4: found the run 'mean', the mean of the others" in found


SIX = [[0.12, 0.21], [0.15, 0.1], [0.05, 0.2], [0.3, 0.2], [0.12, 0.25], [0.22, 0.18]]
MEANS, SPREAD = ("Mean", [0.16, 0.19]), ("SD", [0.0872, 0.051])
STATISTICS_BESIDE = "a statistic beside the mean of the others"


STATISTICS = [
    ([MEANS, SPREAD], ["the mean of the others", STATISTICS_BESIDE]),
    ([("Sum", [0.96, 1.14]), MEANS, SPREAD], ["the sum", "the mean", "a statistic beside"]),
    ([MEANS, ("all", [0.16, 0.19])], ["the mean of the others"] * 2),
    ([("max", [0.4, 0.3]), ("Mean", [0.1943, 0.2057])], ["the mean of the others"]),
    ([("rank", [1, 2])], []),
]


def test_means_are_refused_beside_other_statistics(folder):
    """The maximum that is a part of the mean is a topic, and the rest of two is too little."""
    for turned in [False, True]:
        for more, kinds in STATISTICS:
            with case(more, kinds, turned):
                names = [*"abcdef", *(name for name, _ in more)]
                rows = [*SIX, *(numbers for _, numbers in more)]
                (head, body) = (["P", "Q"], zip(names, rows, strict=True))
                if turned:
                    (head, body) = (names, zip("PQ", zip(*rows, strict=True), strict=True))
                lines = [
                    ",".join(["topic", *head]),
                    *(f"{name},{str(row)[1:-1]}" for name, row in body),
                ]
                (folder / "m.csv").write_text("\n".join(lines).replace(" ", "") + "\n")
                found = faults(folder / "m.csv", better="low")
                assert len(found) == len(kinds)
                what = "run" if turned else "row"
                for problem, kind in zip(found, kinds, strict=True):
                    assert re.search(rf"found the {what} '[^']*', {kind}", problem), problem


NUMBERINGS = [
    ("rank", [1, 3, 2, 4], True),
    ("topic", [301, 302, 305, 350], True),
    ("#", [0, 1, 2, 3], True),
    ("rank", [1, 1.5, 1.5, 4], False),
    ("idx", [0.1, 0.2, 0.3, 0.4], False),
    ("query no", [1, 2, 3, 4], False),
]


def test_numberings_are_no_scores(folder):
    for listed in [False, True]:
        for name, numbers, refused in NUMBERINGS:
            with case(name, numbers, refused, listed):
                rows = [[number, *row] for number, row in zip(numbers, SIX, strict=False)]
                if listed:
                    (folder / "m.txt").write_text(
                        "".join(f"{str(row)[1:-1]}\n" for row in rows).replace(",", "")
                    )
                    (folder / "m.runs").write_text(f"{name}\nA\nB\n")
                else:
                    lines = [f"t{i},{str(row)[1:-1]}\n" for i, row in enumerate(rows)]
                    (folder / "m.csv").write_text(
                        f"topic,{name},A,B\n" + "".join(lines).replace(" ", "")
                    )
                path = folder / ("m.txt" if listed else "m.csv")
                if refused:
                    (found,) = faults(path, better="low")
                    where = "m.runs, line 1" if listed else "m.csv, line 1, column 2"
                    assert (
                        f"{where}: found the run {name!r}, a numbering or ranking of the topics"
                        in found
                    )
                else:
                    (note,) = ob.load(path, better="low").provenance.notes
                    assert repr(name) in note
                    assert note.endswith("leave it out.")


def test_a_topic_with_such_a_name_and_other_numbers_is_one(folder):
    for name in ["mean", "median", "gm_all"]:
        with case(name):
            (folder / "m.csv").write_text(f"{KAPPA}{name},0.7,0.2\n")
            task = ob.load(folder / "m.csv", better="high")
            assert task.topics[-1] == name
            assert task.provenance.notes == (
                f"there is a topic {name!r}; if it says something about the other topics, "
                "leave it out.",
            )


def test_columns_about_topics_are_noted(folder, capsys):
    rows = [",".join(map(str, [fold, *row])) for fold, row in zip([0, 1, 0, 1], SIX, strict=False)]
    lines = ["topic,fold,A,B", *(f"t{i},{row}" for i, row in enumerate(rows))]
    (folder / "own").mkdir()
    path = folder / "own" / "NMD.csv"
    path.write_text("\n".join(lines) + "\n")
    note = "there is a run 'fold'; if it says something about the topics, leave it out."
    assert main(["check", str(path)]) == 0
    assert capsys.readouterr().out.count(note) == 1
    assert main(["score", str(path), "--out", str(folder / "out"), "--trials", "100"]) == 0
    assert f"note: {note}" in capsys.readouterr().err.splitlines()
    assert note in (folder / "out" / "README.md").read_text(encoding="utf-8")


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
