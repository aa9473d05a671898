"""The commands list and fetch."""

import json
import shutil
import subprocess
import sys

import pytest

from helpers.task_folders import write_task
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
    assert "elsewhere   -       none stated" in by_name["acl21-pack"]
    assert max(map(len, rows)) <= 135, "one line each on a wide terminal"


def test_list_as_json(raw_files, capsys):
    assert main(["list", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["name"] for row in rows] == list(catalog())
    assert {row["raw"] for row in rows} == {"here", "elsewhere"}
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


def test_fetch_all_says_what_is_missing(mirror, capsys):
    assert main(["fetch", "all"]) == 1
    out, errors = capsys.readouterr()
    assert "sem17t4c: complete" in out
    assert "sem16t4c: INCOMPLETE, 0 fetched" in out
    assert "stc3-nd: must be asked for, 'ordbook fetch stc3-nd' says whom" in out
    assert "2 of 17 data sets are complete" in out
    assert len(errors.splitlines()) == 10, (
        "sem16t4c, d and e, dbdc3, llmjudge, ambistory and -dev, three alt-"
    )
    assert all("with ORDBOOK_MIRROR set nothing is downloaded" in e for e in errors.splitlines())


def test_an_interrupted_fetch(no_raw_files, capsys, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("ordbook.data.fetch.fetch", interrupted)
    assert main(["fetch", "all"]) == 130
    assert (
        "interrupted; files that arrived stay, run the same command again"
        in capsys.readouterr().err
    )


def test_list_refuses_a_mirror_that_is_not_there(no_raw_files, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("ORDBOOK_MIRROR", str(tmp_path / "typo"))
    assert main(["list"]) == 2
    assert "typo is not a folder: correct it or unset it" in capsys.readouterr().err


@pytest.mark.slow
def test_the_extra_analysis_is_enough_to_check_convert_score_and_bundle(tmp_path):
    """Its libraries and those they need are there; all others are not."""
    code = (
        "import sys\n"
        "class Absent:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name.partition('.')[0] in {'IPython', 'matplotlib', 'nbformat', "
        "'papermill', 'seaborn', 'sklearn', 'sphinx', 'yaml'}:\n"
        "            raise ModuleNotFoundError(name)\n"
        "sys.meta_path.insert(0, Absent())\n"
        "from ordbook.cli import main\n"
        "assert main(['check', sys.argv[1]]) == 0\n"
        "for command in ('score', 'bundle'):\n"
        "    assert main([command, sys.argv[1], '--out', f'{sys.argv[2]}/{command}']) == 0\n"
        "assert main(['report', sys.argv[1], '--out', f'{sys.argv[2]}/report.html']) == 0\n"
        "assert main(['convert', sys.argv[1], f'{sys.argv[2]}/convert']) == 0\n"
    )
    text = "topic,1,2\ns,.5,.5\nt,.2,.8\n"
    task = write_task(tmp_path / "task", text, A=text, B=text)
    subprocess.run([sys.executable, "-c", code, str(task), str(tmp_path)], check=True)


@pytest.mark.parametrize(("module", "extra"), [("pooch", "analysis"), ("papermill", "notebooks")])
def test_a_missing_library_is_named_with_its_extra(module, extra, monkeypatch, capsys):

    def missing(options, module=module):
        raise ModuleNotFoundError(f"No module named {module!r}", name=module)

    monkeypatch.setattr("ordbook.commands.catalogue._list", missing)
    assert main(["list"]) == 2
    assert (
        f'this needs {module}: pip install "PATH[{extra}]", PATH being' in capsys.readouterr().err
    )
