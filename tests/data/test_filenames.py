"""Names of files in a folder: gold files, and names in other capitals on any system."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ordbook.data.checking import check
from ordbook.data.filenames import first_line, refuse_capitals
from ordbook.data.problems import Problems
from ordbook.data.runfiles import csv_files

OQ = "topic,low,mid,high\nt,0.5,0.25,0.25\nu,0,0.1,0.9\n"
RUN = "topic,low,mid,high\nt,0.25,0.25,0.5\nu,0.4,0.3,0.3\n"
NMD = "topic,A,B\nt,0.1,0.2\nu,0.3,0.4\n"


def write(folder: Path, files: dict[str, str]) -> None:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)


@pytest.fixture
def any_capitals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let paths be found whatever their capitals, as on macOS and Windows."""
    there, listing = Path.exists, Path.iterdir

    def real(path: Path) -> Path:
        if there(path) or not there(path.parent):
            return path
        names = {each.name.lower(): each for each in listing(path.parent)}
        return names.get(path.name.lower(), path)

    def anyhow(method: Callable[..., Any]) -> Callable[..., Any]:
        return lambda path, *args, **options: method(real(path), *args, **options)

    for name in ("exists", "is_dir", "is_file", "iterdir", "open"):
        monkeypatch.setattr(Path, name, anyhow(getattr(Path, name)))


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


@pytest.mark.parametrize("name", CASES)
def test_other_capitals(name: str, tmp_path: Path) -> None:
    files, place, said = CASES[name]
    write(tmp_path, files)
    assert [str(problem) for problem in check(tmp_path / place).problems] == [f"{tmp_path}/{said}"]


@pytest.mark.usefixtures("any_capitals")
@pytest.mark.parametrize("name", CASES)
def test_other_capitals_where_they_do_not_count(name: str, tmp_path: Path) -> None:
    files, place, said = CASES[name]
    write(tmp_path, files)
    assert (tmp_path / name.partition(" ")[0].swapcase()).exists()
    assert [str(problem) for problem in check(tmp_path / place).problems] == [f"{tmp_path}/{said}"]


@pytest.mark.usefixtures("any_capitals")
def test_a_folder_in_other_capitals_where_they_do_not_count(tmp_path: Path) -> None:
    write(tmp_path, {"Runs/A.csv": RUN})
    assert (tmp_path / "runs").is_dir()
    problems = Problems()
    assert csv_files(tmp_path, problems, []) == {}
    assert [str(problem) for problem in problems] == [
        f"{tmp_path}/runs: found no such folder, expected one with a file per run; rename Runs to "
        "runs"
    ]


def test_both_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = [tmp_path / "classes.txt", tmp_path / "Classes.txt"]
    monkeypatch.setattr(Path, "iterdir", lambda _: iter(names))
    problems = Problems()
    refuse_capitals(tmp_path, ["classes.txt"], problems)
    assert [str(problem) for problem in problems] == [
        f"{names[1]}: found Classes.txt beside classes.txt, expected one of them; remove one"
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


def test_the_first_line_of_what_cannot_be_read(tmp_path: Path) -> None:
    assert first_line(tmp_path / "gold.txt") == ""
    (tmp_path / "gold.txt").write_bytes(b"\x1f\x8b no gzip")
    assert first_line(tmp_path / "gold.txt") == ""
    (tmp_path / "gold.txt").write_bytes(b"\xef\xbb\xbftopic,a\rt,1\r")
    assert first_line(tmp_path / "gold.txt") == "topic,a"
