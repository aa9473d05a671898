"""Files as they come: each is refused with a line for each cause, or read for a reason.

``hostile.json.gz`` has the files, and ``hostile.json`` says of each case that was once refused how
its causes begin. Where it says none, the case is read today.
"""

import re
from pathlib import Path

import pytest

from helpers.hostile_files import CORPUS, LARGE, PYTHON, SAID, files_of
from helpers.task_folders import Files, write
from ordbook.cli import main
from ordbook.words import shown


def cases_of(kind: str) -> dict[str, tuple[Files, str]]:
    """The cases of a kind: refused, read or noted; and what is named on the command line."""
    start = f"{kind} | "
    return {
        key.removeprefix(start): (files_of(key), CORPUS[key]["place"])
        for key in CORPUS
        if key.startswith(start)
    }


REFUSED = {
    name: (*found, [re.escape(text).replace("\\ ", " ") for text in SAID[name]])
    for name, found in cases_of("refused").items()
}
READ = cases_of("read")


def said(path: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, list[str], str]:
    """Run the command; return its code, its problems by cause, and everything else it says."""
    code = main(["check", path])
    out, err = capsys.readouterr()
    problems = out[: out.rfind(f"\n{shown(path)}: ")].splitlines() if code else []
    text = "\n".join([out.split("what can be read")[0], err])
    assert not PYTHON.search(text), text
    return code, problems or err.splitlines(), out


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.slow if n in LARGE else ()) for n in sorted(REFUSED)]
)
def test_refused(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files, place, expected = REFUSED[name]
    write(tmp_path, files)
    code, problems, _ = said(str(tmp_path / place), capsys)
    assert code == (2 if expected else 0)
    assert len(problems) == len(expected), problems
    for problem, text in zip(problems, expected, strict=True):
        assert re.search(text, problem), problem
        assert len(problem) < 900 + len(place)


@pytest.mark.parametrize("name", READ)
def test_read(name, tmp_path, capsys):
    files, place = READ[name]
    write(tmp_path, files)
    code, problems, out = said(str(tmp_path / place), capsys)
    assert (code, problems) == (0, [])
    assert "nothing is wrong" in out


UNREAD = "not read: run files belong into runs/, groups of runs into runs.csv"
PERFECT = "equals the gold: every measure gives it the best score"
# what the notes must hold; with "-" before it, what they must not
NOTED = {
    "a run beside gold": f"B.csv was {UNREAD}",
    "a folder beside runs": f"old/ was {UNREAD}",
    "NTCIR, a run beside gold": f"B.json was {UNREAD}",
    "companions": "-not read",
    "groups under another name": f"groups.csv, teams.csv were {UNREAD}",
    "CSV, a list of classes": f"-{UNREAD}",
    "runs that equal the gold": "A and B equal the gold: every measure gives them the",
    "a run of labels that equals the gold": f"A {PERFECT}",
    "a run that nearly equals the gold": f"-{PERFECT}",
    "a topic named all": "-there is a topic",
}


@pytest.mark.parametrize(("name", "text"), NOTED.items())
def test_noted(name, text, tmp_path, capsys):
    write(tmp_path, files_of(f"noted | {name}"))
    code, problems, out = said(str(tmp_path), capsys)
    assert (code, problems) == (0, [])
    found = {line for line in out.splitlines() if text.removeprefix("-") in line}
    assert len(found) == (not text.startswith("-")), out


# Samples that the cases spoil, and what may be cut off their runs unseen.
VOTES = "topic,1,2,3\nt1,12,3,15\nt2,3,3,11\n"
CUT_FILES: list[tuple[Files, list[str]]] = [
    (files_of("noted | all with one"), []),
    ({"gold.csv": VOTES, "runs/A.csv": VOTES}, ["1"]),  # 11 votes that are cut to 1
    (files_of("noted | a run of labels that equals the gold"), []),
    (files_of("read | NTCIR"), []),
]


@pytest.mark.parametrize("end", [True, False])
@pytest.mark.parametrize(("files", "unseen"), CUT_FILES)
def test_cut_anywhere(
    files: Files, unseen: list[str], end: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A run that was cut is read only where a line end alone is gone, or within the last number.

    These are the only cuts that cannot be told from a whole file.
    """
    name = next(file for file in files if file.startswith("runs/"))
    text = str(files[name])
    step = max(1, len(text) // 12)
    # Always the last places, where a cut shows least.
    places = sorted({*range(1, len(text), step), *range(max(1, len(text) - 5), len(text))})
    write(tmp_path, files)
    assert said(str(tmp_path), capsys)[0] == 0
    for place in places:
        left = text[:place] if end else text[place:]
        write(tmp_path, {name: left})
        code, _, _ = said(str(tmp_path), capsys)
        gone = text[place:] if end else text[:place]
        harmless = end and (not gone.strip() or gone.strip() in unseen)
        assert code == (0 if harmless else 2), left
