"""Names of files in a folder: gold files, and names in other capitals on any system."""

from pathlib import Path

from cases import case
from ordbook.data.checking import check

OQ = "topic,low,mid,high\nt,0.5,0.25,0.25\nu,0,0.1,0.9\n"
RUN = "topic,low,mid,high\nt,0.25,0.25,0.5\nu,0.4,0.3,0.3\n"
NMD = "topic,A,B\nt,0.1,0.2\nu,0.3,0.4\n"


def write(folder: Path, files: dict[str, str]) -> None:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)


CASES: dict[str, tuple[dict[str, str], str, str]] = {
    "Classes.txt": (
        {"gold.csv": OQ, "runs/A.csv": RUN, "Classes.txt": "high\nmid\nlow\n"},
        ".",
        "Classes.txt: found the name Classes.txt, expected classes.txt, in small letters; rename it"
        " to classes.txt",
    ),
    "Runs.csv": (
        {"gold.csv": OQ, "runs/A.csv": RUN, "Runs.csv": "run,group\nA,X\n"},
        ".",
        "Runs.csv: found the name Runs.csv, expected runs.csv, in small letters; rename it to "
        "runs.csv",
    ),
    "Runs.csv beside scores": (
        {"NMD.csv": NMD, "Runs.csv": "run,group\nA,X\n"},
        "NMD.csv",
        "Runs.csv: found the name Runs.csv, expected runs.csv, in small letters; rename it to "
        "runs.csv",
    ),
    "Gold.CSV": (
        {"Gold.CSV": OQ, "runs/A.csv": RUN},
        ".",
        "Gold.CSV: found the name Gold.CSV, expected gold.csv, in small letters; rename it to "
        "gold.csv",
    ),
}


def test_other_capitals(tmp_path: Path) -> None:
    for name in CASES:
        with case(name, within=tmp_path) as folder:
            files, place, said = CASES[name]
            write(folder, files)
            assert [str(problem) for problem in check(folder / place).problems] == [
                f"{folder}/{said}"
            ]


def test_a_list_of_classes_that_an_option_contradicts_is_noted(tmp_path: Path) -> None:
    write(tmp_path, {"gold.csv": OQ, "runs/A.csv": RUN, "classes.txt": "low\nmid\nhigh\n"})

    def notes(*classes: str) -> list[str]:
        (summary,) = check(tmp_path, classes or None).summary
        assert not classes or summary.classes == classes
        return [note for note in summary.notes if "classes.txt" in note]

    assert notes() == notes("low", "mid", "high") == []
    said = [
        "classes.txt was not read: --classes (in Python classes=) differs from it, and says "
        "high < mid < low."
    ]
    assert notes("high", "mid", "low") == said
    (tmp_path / "classes.txt").write_bytes(b"\xff")
    assert notes("high", "mid", "low") == said
    (tmp_path / "gold.csv").unlink()
    (tmp_path / "runs/A.csv").unlink()
    rows = "s\t0.5\t0.25\t0.25\nt\t0\t0.1\t0.9\n"
    write(tmp_path, {"gold.txt": rows, "runs/A.txt": rows})
    assert notes("high", "mid", "low") == said
