"""Commands asked for what is not possible: one clear line, the stated exit code, and no trace.

What is wrong with files of data is in ``tests/data/test_hostile.py``; here are options, values,
paths, plans and modules of measures.
"""

import re
import shlex
from pathlib import Path

import pytest

from helpers.task_folders import write, write_task
from ordbook.cli import main

OQ = "topic,low,mid,high\nt1,0.5,0.25,0.25\nt2,0,0.1,0.9\n"
OTHER = "topic,low,mid,high\nt1,0.5,0.5,0\nt2,0.2,0.1,0.7\n"
MODULE = """
import numpy as np
from ordbook.measures import custom_measure

def largest(gold, estimate):
    return np.abs(gold - estimate).max(axis=-1)

GOOD = custom_measure("GOOD", largest, better="low")
number = 7
"""
# What no message may hold: Python's words, and what only a programmer can use.
PYTHON = re.compile(
    r"Traceback|Errno|object at 0x|<class|NoneType|codec|unhashable|Error:|\bdict\b|\btuple\b|"
    r"index out of|list index|not subscriptable|has no attribute|unexpected keyword"
)
SCORE, RERUN, SWEEP = "score task --out out", "rerun lq21 --data task --out out", "sweep --out out"
EXERCISE = "exercise --seed 1 --out out"
# What is asked for, and what is said.
CASES = [
    ("", "required: COMMAND"),
    (f"{SCORE} --trails 100", "unrecognized arguments: --trails 100"),
    # numbers
    (f"{SCORE} --trials many", "--trials: invalid trials value: 'many'"),
    (f"{SCORE} --trials 99", "^ordbook: --trials must lie between 100 and 10000000"),
    (f"{SCORE} --seed=-1", "seed must lie between 0"),
    (f"{SCORE} --threads 0", "threads must be a whole number from 1, not 0"),
    (f"{SCORE} --alpha 1", "alpha must lie between 0 and 1, not 1.0"),
    (f"{SCORE} --alpha 0,05", "--alpha: invalid float value: '0,05'"),
    (f"{RERUN} --jobs=-1", "--jobs must be a whole number from 1, not -1"),
    (f"{RERUN} -p trials=many", "trials must be a whole number"),
    ("exercise --seed=-1 --out out", "the seed must not be negative, it is -1"),
    (f"{EXERCISE} --variants 0", "variants must be from 1 to 1000, not 0"),
    ("audit --inject-errors=-1", "--inject-errors must not be negative, it is -1"),
    # names
    (f"{SCORE} --measures NMD,rnodx", "'rnodx' is not a measure for quantification; choose from"),
    (f"{SCORE} --measures NMD,NMD", "name each measure once"),
    (f"{SCORE} --primary CEM_ORD", "primary: 'CEM_ORD' is not among the measures scored"),
    (f"{SCORE} --lower-is-better=a --higher-is-better=a", "measure 'a': say once which end"),
    (f"{SCORE} --lower-is-better=a", "better[)]: this is for scores; leave it out for "),
    (f"{SCORE} --classes low", "--classes: 1 class, and a task needs at least two"),
    (f"{SCORE} --classes=low,,high", "there is an empty label"),
    (f"{SCORE} --part A", "--part: this is for NTCIR files; leave it out for "),
    ("score fair-oq --out out --part A", "fair-oq: --part is for files"),
    ("score fair-oq --out out --classes 1,2", "fair-oq: --classes is for files"),
    ("rerun acl22 --data task --out out", "no chapter 'acl22'; there are acl21, "),
    ("rerun lq21 lq21 --data task --out o", "name each chapter once"),
    ("rerun all lq21 --data task --out o", "'all' names every chapter; name no other with it"),
    ("rerun lq21 --data oc --out o", "lq21 is not about classification tasks"),
    ("rerun --data task --out out", "rerun needs CHAPTER"),
    ("rerun lq21 --out out", "rerun needs --data PATH"),
    ("rerun lq21 --data task", "rerun needs --out DIR"),
    ("audit --paper acl22", "no paper 'acl22'; there are "),
    ("audit --paper acl21 --table 99", "acl21 has no table '99'; there are "),
    (f"{EXERCISE} --questions nmd,x", "no question 'x'; there are nmd, rnod"),
    (f"{EXERCISE} --format pdf", "no format 'pdf'; there are html, md"),
    ("fetch nowhere", "no data set 'nowhere' in the catalogue; there are sem16t4c,"),
    ("fetch stc3-nd", "stc3-nd cannot be fetched: ask the NTCIR organisers"),
    ("course no.ipynb --out o", "no.ipynb: there is no such notebook"),
    ("check sem16t4e", "a catalogued data set, which is checked"),
    # what was probably meant
    ("scor task --out out", "did you mean score?"),
    (f"{SCORE} --missing=worse", "did you mean worst?"),
    (f"{SCORE} --mesures=NMD", "did you mean --measures?"),
    ("rerun aclx21 --data task --out out", "did you mean acl21?"),
    ("bundle task --out out --primary=RNDO", "did you mean RNOD?"),
    (f"{SCORE} --exclude=a", "did you mean A?"),
    ("score fair-qo --out out", "did you mean fair-oq?"),
    # parameters
    (f"{RERUN} -p trials", "--parameter trials: write NAME=VALUE"),
    (f"{RERUN} -p seeed=1", "there is no parameter 'seeed'; there are trials"),
    (f"{RERUN} -p classes=a,b", "there is no parameter 'classes'"),
    (f"{RERUN} -p trials=100 -p trials=200", "--parameter: name each once"),
    ("rerun sigir18 --data fair-oq --out out -p runs=prior,C", "no run 'C'"),
    ("rerun sigir18 --data fair-oq --out out -p runs=prior", "name two different runs"),
    (f"{RERUN} -p quantification=sem16t4e", "there is no parameter 'quantification'"),
    (f"{SWEEP} --data task -p seeds=100", "no parameter 'seeds'"),
    # data
    ("score nowhere --out out", "nowhere: neither a path that exists"),
    (["score", "", "--out", "out"], "the name of the data is empty; name a folder"),
    ("rerun lq21 --data NMD.csv --out out", "these are scores"),
    ("rerun lq21 --data sem17t4e --out out", "sem17t4e: there is no run"),
    (f"{SWEEP} --data sem17t4e", "sem17t4e: there is no run; comparing runs needs two"),
    (f"{SWEEP} --data task --data task", "two columns of the tables would be called"),
    # where results go
    ("sweep --data task --out file", "this is a file; name a folder"),
    ("sweep --data task --out full", "this folder is not empty"),
    ("sweep --data task --out task/x", "this lies within the data"),
    ("sweep --data task", "required: --out"),
    ("course --out o --wheel file", "file: this is not ordbook-"),
    (SWEEP, "name at least one data set"),
    (f"{SWEEP} --data task -p quantification=task", "no parameter 'quantification'"),
    # measures of one's own
    (f"{SCORE} --measure no.py:GOOD", "No such file"),
    (f"{SCORE} --measure m.py", "write FILE.py:NAME or MODULE:NAME"),
    (f"{SCORE} --measure m.py:BAD", "there is no such name"),
    (f"{SCORE} --measure m.py:number", "that is no measure"),
    (f"{SCORE} --measure words.py:M", "SyntaxError"),
    ("score NMD.csv --out out --measure m.py:GOOD", "scores are taken as they are"),
    (f"{RERUN} --measure m.py:GOOD", "none of these chapters takes any"),
]


@pytest.fixture
def here(tmp_path_factory, monkeypatch, no_raw_files):
    """A folder with a good task, and much that is none."""
    here = tmp_path_factory.mktemp("place")
    files = {
        "task/gold.csv": OQ, "task/classes.txt": "low\nmid\nhigh\n",
        "task/runs/A.csv": OTHER, "task/runs/B.csv": OQ,
        "file": "x", "full/thesis.tex": "x", "m.py": MODULE, "words.py": "These are words.",
        "NMD.csv": "topic,A,B\nt,0.1,0.2\nu,0.3,0.4\n",
        "oc/gold.csv": "topic,item,label\ns,1,1\ns,2,1\ns,3,1\nt,4,2\nt,5,2\nt,6,2\n",
        "oc/runs/A.csv": "topic,item,label\ns,1,1\ns,2,1\ns,3,1\nt,4,1\nt,5,1\nt,6,1\n",
        "oc/runs/B.csv": "topic,item,label\ns,1,2\ns,2,2\ns,3,2\nt,4,1\nt,5,1\nt,6,1\n",
    }  # fmt: skip
    monkeypatch.chdir(here)
    return write(here, files)


def listing(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*")}


def asked(arguments: list[str], capsys) -> tuple[int, str, str]:
    """Run a command; return its exit code and what it said."""
    capsys.readouterr()
    try:
        code = main(arguments)
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 1
    return code, *capsys.readouterr()


def lines_of(err: str) -> list[str]:
    """Return what was said; how a command is used stands before it where its form was wrong."""
    lines = err.rstrip("\n").split("\n")
    return lines[-1:] if lines[0].startswith("usage: ") else lines


def test_refused_in_one_line(here, capsys, subtests):
    before = listing(here)
    for given, expected in CASES:
        with subtests.test(given=given):
            arguments = given.split() if isinstance(given, str) else given
            code, out, err = asked(arguments, capsys)
            assert code == 2, (out, err)
            said = lines_of(err if err else out)
            problems = [
                line for line in said if ": found " in line or line.startswith(("ordbook", "usage"))
            ]
            assert len(problems) == 1, said
            assert re.search(expected, problems[0]), problems
            assert len(problems[0]) < 1500
            # What a module of the user's raises is told as Python does.
            assert "--measure" in arguments or not PYTHON.search(problems[0])
            assert listing(here) == before, "nothing was made"


def test_a_command_to_copy_is_quoted_for_the_shell(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for name in ("a b", "$(touch owned)", "-x"):
        bad = OQ.replace("0.5", "x").replace("0.9", "y")
        folder = write_task(tmp_path / name, OQ, A=bad, B=bad)
        _, _, err = asked(["score", str(folder), "--out", "out"], capsys)
        (found,) = re.findall(r"more problems?; (.*) lists them all", err)
        # Quotes stand around a command that has none.
        words = shlex.split(found)
        words = shlex.split(words[0]) if len(words) == 1 else words
        assert words == ["ordbook", "check", str(folder)]
