"""Commands asked for what is not possible: one clear line, the stated exit code, and no trace.

What is wrong with files of data is in ``tests/data/test_hostile.py``; here are options, values,
paths, plans and modules of measures.

Contents
--------
CASES      what is asked for -> what is said
PLANS      what a plan holds -> what is said
"""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from cases import case
from ordbook.cli import main

OQ = "topic,low,mid,high\nt1,0.5,0.25,0.25\nt2,0,0.1,0.9\n"
OTHER = "topic,low,mid,high\nt1,0.5,0.5,0\nt2,0.2,0.1,0.7\n"
MODULE = """
import numpy as np
from ordbook.measures import custom_measure

def largest(gold, estimate):
    return np.abs(gold - estimate).max(axis=-1)

GOOD = custom_measure("GOOD", largest, better="low")
HEAD = custom_measure("measure", largest, better="low")
BOMB = GOOD.__class__
number = 7
"""
# What no message may hold: Python's words, and what only a programmer can use.
PYTHON = re.compile(
    r"Traceback|Errno|object at 0x|<class|NoneType|codec|unhashable|Error:|\bdict\b|\btuple\b|"
    r"index out of|list index|not subscriptable|has no attribute|unexpected keyword"
)

# Python 3.13 leaves such a path to the system.

SCORE, RERUN, SWEEP = "score task --out out", "rerun lq21 --data task --out out", "sweep --out out"
EXERCISE = "exercise --seed 1 --out out"
# name: (arguments as one text, or as a list, what is said)
CASES: dict[str, tuple[str | list[str], str]] = {
    # no such thing
    "no command": ("", "required: COMMAND"),
    "unknown command": ("chekc task", "invalid choice: 'chekc'"),
    "unknown option": (f"{SCORE} --trails 100", "unrecognized arguments: --trails 100"),
    "an option without its value": ("score task --out", "--out: expected one argument"),
    # whole numbers
    "trials: text": (f"{SCORE} --trials many", "--trials: 'many' is no whole number"),
    "trials: a fraction": (f"{SCORE} --trials 1000.5", "'1000.5' is no whole number"),
    "trials: empty": ([*SCORE.split(), "--trials", ""], "'' is no whole number"),
    "trials: too few": (f"{SCORE} --trials 99", "trials must lie between 100 and 10000000"),
    "seed: negative": (f"{SCORE} --seed=-1", "seed must lie between 0"),
    "threads: none": (f"{SCORE} --threads 0", "threads must be a whole number from 1, not 0"),
    "jobs: none": (f"{RERUN} --jobs 0", "jobs must be at least 1, not 0"),
    "jobs of a sweep: none": (f"{SWEEP} --data task --jobs 0", "jobs must be a whole number"),
    "exercise: no seed": ("exercise --out out", "required: --seed"),
    "exercise: negative seed": (
        "exercise --seed=-1 --out out", "the seed must not be negative, it is -1",
    ),
    "exercise: no sheet": (f"{EXERCISE} --variants 0", "variants must be from 1 to 1000, not 0"),
    "exercise: two classes": (f"{EXERCISE} --classes 2", "classes must be from 3 to 9, not 2"),
    "audit: planted": ("audit --planted=-1", "--planted must not be negative, it is -1"),
    # other numbers
    "alpha: NaN": (f"{SCORE} --alpha nan", "alpha must lie between 0 and 1, not nan"),
    "alpha: 1": (f"{SCORE} --alpha 1", "alpha must lie between 0 and 1, not 1.0"),
    "alpha: a comma": (f"{SCORE} --alpha 0,05", "--alpha: '0,05' is no number"),
    "interval": (f"{SCORE} --interval z", "invalid choice: 'z'"),
    # names
    "an unknown measure": (f"{SCORE} --measures NMD,rnodx", "--measures: 'rnodx' is not a"),
    "an empty measure": (f"{SCORE} --measures NMD,,RNOD", "--measures: '' is not a measure"),
    "no measure": ([*SCORE.split(), "--measures", ""], "--measures: '' is not a measure"),
    "a measure twice": (f"{SCORE} --measures NMD,NMD", "name each measure once"),
    "a primary that is not scored": (f"{SCORE} --primary CEM_ORD", "--primary CEM_ORD: not"),
    "groups that are not known": (f"{SCORE} --by-group=team", "no run has a group"),
    "no end": (f"{SCORE} --better up", "--better up: write low, high or NAME=low"),
    "two ends of a measure": (
        f"{SCORE} --better a=low,a=high",
        "--better a=low,a=high: name each measure once",
    ),
    "ends of gold data": (f"{SCORE} --better low", "better= is for scores"),
    "one class": (f"{SCORE} --classes low", "classes=: 1 class, and a task needs at least two"),
    "a part of no NTCIR files": (f"{SCORE} --part A", "part= is for NTCIR files"),
    "no such part": (f"{SCORE} --part Z", "part must be one of A, E, S and nugget, not 'Z'"),
    "an unknown chapter": ("rerun acl22 --data task --out out", "no chapter 'acl22'"),
    "a chapter twice": ("rerun lq21 lq21 --data task --out o", "name each chapter once"),
    "no chapter": ("rerun --data task --out out", "rerun needs CHAPTER, or all"),
    "no data": ("rerun lq21 --out out", "rerun needs --data PATH"),
    "no folder": ("rerun lq21 --data task", "rerun needs --out DIR"),
    "parameters of no chapter": ("rerun acl22 --parameters", "no chapter 'acl22'"),
    "no paper": ("audit --paper acl22", "no paper 'acl22'; there are "),
    "no table": ("audit --paper acl21 --table 99", "acl21 has no table '99'; there are "),
    "JSON of planted errors": ("audit --json --planted 3", "leave --json away"),
    "no shell": ("completion elvish", "invalid choice: 'elvish'"),
    "an unknown question": (f"{EXERCISE} --questions nmd,x", "no question 'x'; there are nmd, "),
    "a format of exercises": (f"{EXERCISE} --format pdf", "no format 'pdf'; there are md, "),
    "no data set": ("fetch nowhere", "no data set 'nowhere' in the catalogue"),
    "a catalogued set to check": ("check sem16t4e", "a catalogued data set, which is checked"),
    # parameters
    "a parameter without a value": (f"{RERUN} -p trials", "--parameter trials: write NAME="),
    "a parameter without a name": (f"{RERUN} -p =5", "there is no parameter ''"),
    "a parameter twice": (f"{RERUN} -p trials=100 -p trials=200", "trials: given twice"),
    "a parameter: text": (f"{RERUN} -p trials=many", "trials must be a whole number"),
    "a parameter: empty": (f"{RERUN} -p trials=", "trials must be a whole number, not ''"),
    "runs that are not there": ("rerun sigir18 --data task --out out -p runs=A,C", "no run 'C'"),
    "one run": ("rerun sigir18 --data task --out out -p runs=A", "name two different runs"),
    "data twice": (f"{RERUN} -p quantification=sem16t4e", "quantification data are given twice"),
    "classes twice": (
        f"{RERUN} --classes low,mid,high -p classes=low,mid,high", "classes are given twice",
    ),
    # paths of data
    "no such folder": ("score nowhere --out out", "nowhere: neither a path that exists"),
    "an empty path": (["score", "", "--out", "out"], "PATH is empty; name a folder"),
    "scores to rerun": ("rerun lq21 --data NMD.csv --out out", "these are scores"),
    # where results go
    "a sweep over a file": ("sweep --data task --out file", "this is a file; name a folder"),
    "a sweep over other things": ("sweep --data task --out full", "this folder is not empty"),
    "a course with no wheel": (
        "course --session 1 --out o --wheel no.whl", "no.whl: there is no such file",
    ),
    "a course with a wheel that is none": (
        "course --session 1 --out o --wheel file", "file: this is not the wheel of ordbook",
    ),
    # plans
    "no plan": (f"{SWEEP} --plan nowhere.toml", "No such file or directory; name the plan"),
    "a plan that is a folder": (f"{SWEEP} --plan full", "name the plan, a TOML file"),
    "a plan and data": (f"{SWEEP} --plan good.toml --data task", "--plan says it all"),
    "nothing to sweep": (SWEEP, "name data sets with --data, or a file with --plan"),
    "a sweep nowhere": ("sweep --data task", "sweep needs --out DIR"),
    "the same data twice": (f"{SWEEP} --data task --data task", "two data sets are called"),
    "a scheduler that is none": (
        f"{SWEEP} --data task --scheduler nowhere", "no Dask scheduler answers at nowhere",
    ),
    "a list of trials": (f"{SWEEP} --data task -p trials=100,x", "trials must be a whole"),
    "a reserved measure": (f"{SWEEP} --data task --measure m.py:HEAD", "rename it"),
    # measures of one's own
    "a measure of no file": (f"{SCORE} --measure no.py:GOOD", "there is no file no.py"),
    "a measure of no name": (f"{SCORE} --measure m.py", "write FILE.py:NAME or MODULE:NAME"),
    "a measure that is not there": (f"{SCORE} --measure m.py:BAD", "there is no such name"),
    "a measure that is a number": (f"{SCORE} --measure m.py:number", "that is no measure"),
    "a measure twice in options": (
        f"{SCORE} --measure m.py:GOOD --measure m.py:GOOD", "'GOOD' is named twice",
    ),
    "a module that is not there": (f"{SCORE} --measure no.such:M", "No module named 'no'"),
    "measures that are no Python": (f"{SCORE} --measure words.py:M", "SyntaxError"),
    "measures for a chapter that takes none": (
        f"{RERUN} --measure m.py:GOOD", "none of these chapters takes any",
    ),
    # kind of task and chapter do not fit
    "a chapter of another kind": (
        "rerun dialeval1 --data oc --out o", "dialeval1 is not about classification tasks",
    ),
    "no chapter fits": ("sweep --chapters lq21 --data oc --out out", "no chapter fits any of"),
}  # fmt: skip

PLANS = {
    "no TOML": ("chapters = [", "a plan is a TOML file"),
    "a key twice": ("data = ['task']\ndata = ['task']\n", "line 2.* a plan is a TOML file"),
    "an unknown entry": ("dta = ['task']", "no entry 'dta'; a plan has chapters, data, measures"),
    "chapters as text": ("chapters = 'lq21'\ndata = ['task']", "chapters must be a list"),
    "chapters of numbers": ("chapters = [1]\ndata = ['task']", "no chapter 1; there are"),
    "data as text": ("data = 'task'", "data must be a list, in square brackets"),
    "data of numbers": ("data = [1]", "data: .'path': 1. must hold text"),
    "data of nothing": ("data = []", "name at least one data set"),
    "a place without a path": ("data = [{classes = 'a,b'}]", "must have path"),
    "a place with more": ("data = [{path = 'task', x = 1}]", "must have path"),
    "a path that is a number": ("data = [{path = 1}]", "must hold text"),
    "classes that are a list": ("data = [{path = 'task', classes = ['a']}]", "must hold text"),
    "trials: true": ("data = ['task']\n[parameters]\ntrials = true", "trials must be a whole"),
    "trials: a fraction": ("data = ['task']\n[parameters]\ntrials = 100.5", "trials must be a w"),
    "trials: nothing": ("data = ['task']\n[parameters]\ntrials = []", "the list is empty"),
    "measures: nowhere": ("data = ['task']\nmeasures = ['no.py:M']", "there is no file"),
    "an unknown parameter": ("data = ['task']\n[parameters]\nx = 1", "no parameter 'x'"),
    "data among parameters": (
        "data = ['task']\n[parameters]\nquantification = 'task'", "no parameter 'quantification'",
    ),
}  # fmt: skip


@pytest.fixture
def here(tmp_path_factory, monkeypatch, no_raw_files):
    """A folder with a good task, and much that is none."""
    here = tmp_path_factory.mktemp("place")
    files = {
        "task/gold.csv": OQ, "task/runs/A.csv": OTHER, "task/runs/B.csv": OQ,
        "file": "x", "full/thesis.tex": "x", "m.py": MODULE, "words.py": "These are words.",
        "good.toml": "data = ['task']\n", "NMD.csv": "topic,A,B\nt,0.1,0.2\nu,0.3,0.4\n",
        "oc/gold.csv": "topic,item,label\ns,1,1\nt,2,2\n",
        "oc/runs/A.csv": "topic,item,label\ns,1,1\nt,2,1\n",
        "oc/runs/B.csv": "topic,item,label\ns,1,2\nt,2,1\n",
    }  # fmt: skip
    for name, text in files.items():
        (here / name).parent.mkdir(parents=True, exist_ok=True)
        (here / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(here)
    return here


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


def test_refused_in_one_line(here, capsys):
    before = listing(here)
    for name, (given, expected) in CASES.items():
        with case(name):
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


def test_a_bad_plan_is_refused_in_one_line(here, capsys):
    for name, (text, expected) in PLANS.items():
        with case(name):
            Path("plan.toml").write_text(text, encoding="utf-8")
            code, out, err = asked(["sweep", "--plan", "plan.toml", "--out", "out"], capsys)
            assert (code, out) == (2, ""), err
            (line,) = err.splitlines()
            assert re.search(expected, line), line
            assert not PYTHON.search(line), line
            assert len(line) < 1500
            assert not Path("out").exists()


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such names of files")
def test_a_command_to_copy_is_quoted_for_the_shell(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for name in ("a b", "$(touch owned)", "-x"):
        folder = tmp_path / name
        (folder / "runs").mkdir(parents=True)
        (folder / "gold.csv").write_text(OQ)
        for run in "AB":
            (folder / "runs" / f"{run}.csv").write_text(OQ.replace("0.5", "x").replace("0.9", "y"))
        _, _, err = asked(["score", str(folder), "--out", "out"], capsys)
        (found,) = re.findall(r"more problems?; (.*) lists them all", err)
        # Quotes stand around a command that has none.
        words = shlex.split(found)
        words = shlex.split(words[0]) if len(words) == 1 else words
        assert words == ["ordbook", "check", str(folder)]


@pytest.mark.slow
def test_odd_surroundings_are_no_fault():
    """The list needs the cache and the home folder, help the width of the terminal."""
    for changed in ({"HOME": None}, {"COLUMNS": "1"}, {"TERM": "dumb", "NO_COLOR": "1"}):
        with case(changed):
            settings = {**os.environ, "ORDBOOK_MIRROR": None, "ORDBOOK_CACHE": None, **changed}
            environment = {name: value for name, value in settings.items() if value is not None}
            words = ["rerun", "--help"] if "COLUMNS" in changed else ["list"]
            done = subprocess.run(
                [sys.executable, "-m", "ordbook", *words],
                env=environment,
                capture_output=True,
                check=False,
            )
            assert (done.returncode, done.stderr) == (0, b"")
            assert done.stdout
