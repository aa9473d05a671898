"""The commands list and fetch."""

import json
import shutil
import subprocess
import sys

import pytest

from ordbook.cli import main
from ordbook.data.catalog import catalog


@pytest.fixture
def mirror(tmp_path, raw_files, monkeypatch):
    """A mirror with SemEval-2017 only, and an empty cache."""
    shutil.copytree(raw_files / "semeval2017-task4", tmp_path / "mirror" / "semeval2017-task4")
    monkeypatch.setenv("ORDBOOK_MIRROR", str(tmp_path / "mirror"))
    monkeypatch.setenv("ORDBOOK_CACHE", str(tmp_path / "cache"))
    return tmp_path / "mirror"


def test_list_is_a_table(no_raw_files, capsys):
    assert main(["list"]) == 0
    heads, *rows = capsys.readouterr().out.splitlines()
    assert heads.split("  ")[0] == "name"
    assert [row.split()[0] for row in rows] == list(catalog())
    by_name = {row.split()[0]: row for row in rows}
    assert by_name["sem16t4e"].split()[1:4] == ["quantification", "100", "12"]
    assert "-2 -1 0 1 2" in by_name["sem16t4e"]
    assert "absent      yes     none stated" in by_name["sem16t4e"]
    assert "to ask for  yes     CC BY 4.0" in by_name["stc3-nd"]
    assert "absent      yes     MIT" in by_name["dbdc3"]
    assert max(map(len, rows)) <= 130, "one line each on a wide terminal"


def test_list_as_json(raw_files, capsys):
    assert main(["list", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["name"] for row in rows] == list(catalog())
    simulated = {row["name"] for row in rows if row["raw"] == "simulated"}
    assert simulated == {name for name in catalog() if catalog()[name].format == "simulated"}
    assert {row["raw"] for row in rows} == {"here", "simulated"}
    assert {row["name"]: row["scores"] for row in rows}["sem17t4c"] is False
    assert all(row["licence"] and row["reference"] and row["upstream"] for row in rows)


def test_fetch_from_a_mirror(mirror, tmp_path, capsys):
    assert main(["fetch", "sem17t4c", "sem17t4e"]) == 0
    out, errors = capsys.readouterr()
    assert out.splitlines() == [
        "sem17t4c: complete (1 fetched, 0 here already)",
        "sem17t4e: complete (1 fetched, 0 here already)",
        f"2 of 2 data sets are complete in {tmp_path / 'cache' / 'raw'}",
    ]
    assert errors == "", "no line per file where nobody watches"
    assert main(["fetch", "sem17t4c"]) == 0
    assert "complete (0 fetched, 1 here already)" in capsys.readouterr().out


def test_fetch_shows_a_line_per_file_on_a_terminal(mirror, monkeypatch, capsys):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    assert main(["fetch", "sem17t4e"]) == 0
    assert capsys.readouterr().err == (
        "sem17t4e: SemEval2017_task4_subtaskE_test_english_gold.txt (4.5 kB)\n"
    )


def test_fetch_all_says_what_is_missing(mirror, capsys):
    assert main(["fetch", "all"]) == 1
    out, errors = capsys.readouterr()
    assert "sem17t4c: complete" in out
    assert "sem16t4c: INCOMPLETE, 0 fetched" in out
    assert "stc3-nd: must be asked for, 'ordbook fetch stc3-nd' says whom" in out
    assert "2 of 9 data sets are complete" in out
    assert len(errors.splitlines()) == 3, "one line per failure: sem16t4c, sem16t4e, dbdc3"
    assert all("with ORDBOOK_MIRROR set nothing is downloaded" in e for e in errors.splitlines())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["fetch", "sem16"], "ordbook: no data set 'sem16' in the catalogue; there are sem16t4c,"),
        (["fetch", "stc3-nd"], "ordbook: stc3-nd cannot be fetched: ask the NTCIR organisers"),
    ],
)
def test_bad_requests(no_raw_files, capsys, arguments, message):
    assert main(arguments) == 2
    out, errors = capsys.readouterr()
    assert out == ""
    assert errors.startswith(message)
    assert len(errors.splitlines()) == 1


def test_an_interrupted_fetch(no_raw_files, capsys, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("ordbook.data.fetch.fetch", interrupted)
    assert main(["fetch", "all"]) == 130
    assert "interrupted; what arrived stays, run the same command again" in capsys.readouterr().err


def test_make_knows_the_command(root):
    text = (root / "Makefile").read_text(encoding="utf-8")
    assert "\t@$(BIN)/ordbook fetch all\n" in text
    assert "\t@$(PY) -m ordbook.data.scoring\n" in text
    (phony,) = [line for line in text.splitlines() if line.startswith(".PHONY")]
    assert {"data", "scores"} <= set(phony.split()), "there is a folder of that name"


def test_list_refuses_a_mirror_that_is_not_there(no_raw_files, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("ORDBOOK_MIRROR", str(tmp_path / "typo"))
    assert main(["list"]) == 2
    assert "typo is not a folder: correct it or unset it" in capsys.readouterr().err


def test_a_reader_that_goes_away_is_no_error(root):
    """`ordbook list | head -1` must not complain about the pipe."""
    program = "import sys; from ordbook.cli import main; sys.exit(main(['list', '--json']))"
    with subprocess.Popen(
        [sys.executable, "-u", "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        process.stdout.read(1)
        process.stdout.close()
        errors = process.stderr.read()
    assert errors == b""


@pytest.mark.parametrize(("module", "extra"), [("pooch", "analysis"), ("papermill", "book")])
def test_a_missing_library_is_named_with_its_extra(module, extra, monkeypatch, capsys):
    def missing(options):
        raise ModuleNotFoundError(f"No module named {module!r}", name=module)

    monkeypatch.setattr("ordbook.commands.catalogue._list", missing)
    assert main(["list"]) == 2
    assert f"this needs {module}: pip install 'ordbook[{extra}]'" in capsys.readouterr().err


@pytest.mark.parametrize("shell", ["bash", "zsh", "tcsh"])
def test_a_shell_completes_every_command(shell, capsys):
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    for command in ("check", "score", "rerun", "sweep", "list", "fetch", "audit"):
        assert command in script
    if shell == "bash" and shutil.which("bash"):
        subprocess.run(["bash", "-n"], input=script, text=True, check=True)


def test_python_runs_the_package():
    command = [sys.executable, "-m", "ordbook", "list"]
    found = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "sem16t4e" in found.stdout


def test_what_is_said_twice_is_refused(tmp_path, capsys):
    command = ["rerun", "dnkt", "--data=fair-oq", f"--out={tmp_path / 'out'}"]
    assert main([*command, "-p", "trials=200", "-p", "trials=300"]) == 2
    assert "--parameter trials: given twice" in capsys.readouterr().err
    assert main([*command, "-p", "own=a.py:A", "--measure=a.py:A"]) == 2
    assert "--measure and -p own= say the same" in capsys.readouterr().err
