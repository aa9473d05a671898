"""Commands asked for what is not possible: one clear line, the stated exit code, and no trace.

What is wrong with files of data is in ``tests/data/test_hostile.py``; here are options, values,
paths, plans, modules of measures, and streams.

Contents
--------
CASES      what is asked for -> what is said, and with which exit code if it is not 2
"""

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import zipfile
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

import hostile_names
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
LONG = "x" * 5000
DIGITS = "9" * 5000
# What no message may hold: Python's words, and what only a programmer can use.
PYTHON = re.compile(
    r"Traceback|Errno|object at 0x|<class|NoneType|codec|unhashable|Error:|\bdict\b|\btuple\b|"
    r"index out of|list index|not subscriptable|has no attribute|unexpected keyword"
)
# What no terminal may get, but ends of lines.
UNSEEN = re.compile(
    r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069]"
)

# Python 3.13 leaves such a path to the system.
RING = "ring: Symlink loop|Symlink loop from '.*ring'|ring: too many levels of symbolic links"

SCORE, RERUN, SWEEP = "score task --out out", "rerun lq21 --data task --out out", "sweep --out out"
EXERCISE = "exercise --seed 1 --out out"
# name: (arguments as one text, or as a list, what is said, exit code)
CASES: dict[str, tuple[str | list[str], str, int]] = {
    # no such thing
    "no command": ("", "required: COMMAND", 2),
    "unknown command": ("chekc task", "invalid choice: 'chekc'", 2),
    "unknown option": (f"{SCORE} --trails 100", "unrecognized arguments: --trails 100", 2),
    "an option without its value": ("score task --out", "--out: expected one argument", 2),
    "an empty command": ([""], "invalid choice: ''", 2),
    "a command that is a path": ("./task", "invalid choice: './task'", 2),
    "a long command": ([LONG], "invalid choice: 'xxxxx", 2),
    # whole numbers
    "trials: text": (f"{SCORE} --trials many", "--trials: 'many' is no whole number", 2),
    "trials: NaN": (f"{SCORE} --trials nan", "'nan' is no whole number", 2),
    "trials: a fraction": (f"{SCORE} --trials 1000.5", "'1000.5' is no whole number", 2),
    "trials: exponent": (f"{SCORE} --trials 1e3", "'1e3' is no whole number", 2),
    "trials: Arabic digits": (f"{SCORE} --trials ١٠٠٠", "'١٠٠٠' is no whole number", 2),
    "trials: wide digits": (f"{SCORE} --trials １０００", "'１０００' is no whole number", 2),
    "trials: underscores": (f"{SCORE} --trials 1_000", "'1_000' is no whole number", 2),
    "trials: hexadecimal": (f"{SCORE} --trials 0x100", "'0x100' is no whole number", 2),
    "trials: empty": ([*SCORE.split(), "--trials", ""], "'' is no whole number", 2),
    "trials: 5000 digits": (f"{SCORE} --trials {DIGITS}", "9' is no whole number", 2),
    "trials: too few": (f"{SCORE} --trials 99", "trials must lie between 100 and 10000000", 2),
    "trials: negative": (f"{SCORE} --trials=-100", "trials must lie between 100", 2),
    "trials: minus zero": (f"{SCORE} --trials=-0", "trials must lie between 100", 2),
    "trials: too many": (f"{SCORE} --trials {'9' * 30}", "trials must lie between 100", 2),
    "seed: negative": (f"{SCORE} --seed=-1", "seed must lie between 0", 2),
    "seed: too large": (f"{SCORE} --seed {2**63}", "seed must lie between 0", 2),
    "threads: none": (f"{SCORE} --threads 0", "threads must be a whole number from 1, not 0", 2),
    "threads: negative": (f"{SCORE} --threads=-1", "threads must be a whole number from 1", 2),
    "jobs: none": (f"{RERUN} --jobs 0", "jobs must be at least 1, not 0", 2),
    "jobs: negative": (f"{RERUN} --jobs=-3", "jobs must be at least 1", 2),
    "jobs of a sweep: none": (f"{SWEEP} --data task --jobs 0", "jobs must be a whole number", 2),
    "jobs of slides: none": ("slides --out out --jobs 0", "--jobs must be at least 1", 2),
    "jobs of a course: text": ("student --out o.zip --jobs x", "'x' is no whole number", 2),
    "exercise: no seed": ("exercise --out out", "required: --seed", 2),
    "exercise: negative seed": (
        "exercise --seed=-1 --out out", "the seed must not be negative, it is -1", 2,
    ),
    "exercise: no sheet": (f"{EXERCISE} --variants 0", "variants must be from 1 to 1000, not 0", 2),
    "exercise: too many": (
        f"{EXERCISE} --variants 100000000", "variants must be from 1 to 1000, not 100000000", 2,
    ),
    "exercise: two classes": (f"{EXERCISE} --classes 2", "classes must be from 3 to 9, not 2", 2),
    "exercise: many classes": (
        f"{EXERCISE} --classes 1000000", "classes must be from 3 to 9, not 1000000", 2,
    ),
    "audit: planted": ("audit --planted=-1", "--planted must not be negative, it is -1", 2),
    # other numbers
    "alpha: NaN": (f"{SCORE} --alpha nan", "alpha must lie between 0 and 1, not nan", 2),
    "alpha: infinite": (f"{SCORE} --alpha inf", "alpha must lie between 0 and 1, not inf", 2),
    "alpha: 1e400": (f"{SCORE} --alpha 1e400", "alpha must lie between 0 and 1, not inf", 2),
    "alpha: minus zero": (f"{SCORE} --alpha=-0.0", "alpha must lie between 0 and 1, not -0.0", 2),
    "alpha: 1": (f"{SCORE} --alpha 1", "alpha must lie between 0 and 1, not 1.0", 2),
    "alpha: a comma": (f"{SCORE} --alpha 0,05", "--alpha: '0,05' is no number", 2),
    "alpha: Arabic digits": (f"{SCORE} --alpha ٠.٠٥", "--alpha: '٠.٠٥' is no number", 2),
    "interval": (f"{SCORE} --interval z", "invalid choice: 'z'", 2),
    # names
    "an unknown measure": (f"{SCORE} --measures NMD,rnod", "--measures: 'rnod' is not a", 2),
    "an empty measure": (f"{SCORE} --measures NMD,,RNOD", "--measures: '' is not a measure", 2),
    "no measure": ([*SCORE.split(), "--measures", ""], "--measures: '' is not a measure", 2),
    "a measure twice": (f"{SCORE} --measures NMD,NMD", "name each measure once", 2),
    "a primary that is not scored": (f"{SCORE} --primary CEM_ORD", "--primary CEM_ORD: not", 2),
    "groups that are not known": (f"{SCORE} --by-group=team", "nothing says to which group", 2),
    "no end": (f"{SCORE} --better up", "--better up: write low, high or NAME=low", 2),
    "an end without a name": (f"{SCORE} --better =low", "--better =low: write low, high or", 2),
    "two ends of a measure": (
        f"{SCORE} --better a=low,a=high",
        "--better a=low,a=high: name each measure once",
        2,
    ),
    "ends of gold data": (f"{SCORE} --better low", "better= is for scores", 2),
    "an empty class": (f"{SCORE} --classes low,,high", "there is an empty label", 2),
    "one class": (f"{SCORE} --classes low", "the classes low, mid, high", 2),
    "a part of no NTCIR files": (f"{SCORE} --part A", "part= is for NTCIR files", 2),
    "no such part": (f"{SCORE} --part Z", "part must be one of A, E, S and nugget, not 'Z'", 2),
    "a part by its sign": ("score task#Z --out out", "task#Z: 'Z' is not one of A, E, S", 2),
    "an unknown chapter": ("rerun acl22 --data task --out out", "no chapter 'acl22'", 2),
    "a chapter twice": ("rerun lq21 lq21 --data task --out o", "name each chapter once", 2),
    "an empty chapter": (["rerun", "", "--data", "task", "--out", "out"], "no chapter ''", 2),
    "no chapter": ("rerun --data task --out out", "rerun needs CHAPTER, or all", 2),
    "no data": ("rerun lq21 --out out", "rerun needs --data PATH", 2),
    "no folder": ("rerun lq21 --data task", "rerun needs --out DIR", 2),
    "a title that turns": ([*RERUN.split(), "--title", "a\u202eb"], "invisible character", 2),
    "a title that beeps": ([*RERUN.split(), "--title", "a\x07b"], r"'a\\x07b' holds", 2),
    "parameters of no chapter": ("rerun acl22 --parameters", "no chapter 'acl22'", 2),
    "no paper": ("audit --paper acl22", "no paper 'acl22'; there are ", 2),
    "no table": ("audit --paper acl21 --table 99", "acl21 has no table '99'; there are ", 2),
    "a table of no paper": ("audit --table 2i", "--table needs --paper", 2),
    "JSON of planted errors": ("audit --json --planted 3", "leave --json away", 2),
    "no shell": ("completion powershell", "invalid choice: 'powershell'", 2),
    "an unknown question": (f"{EXERCISE} --questions nmd,x", "no question 'x'; there are nmd, ", 2),
    "a format of exercises": (f"{EXERCISE} --format pdf", "no format 'pdf'; there are md, ", 2),
    "no format": ([*EXERCISE.split(), "--format", " , "], "--format is empty", 2),
    "no data set": ("fetch nowhere", "no data set 'nowhere' in the catalogue", 2),
    "an empty data set": (["fetch", ""], "no data set '' in the catalogue", 2),
    "a path to fetch": ("fetch ../../etc/passwd", "no data set '../../etc/passwd'", 2),
    "an address to fetch": ("fetch http://example.com/x", "no data set 'http://example.com/x'", 2),
    "a catalogued set to check": ("check sem16t4e", "a catalogued data set, which is checked", 2),
    # parameters
    "a parameter without a value": (f"{RERUN} -p trials", "--parameter trials: write NAME=", 2),
    "a parameter without a name": (f"{RERUN} -p =5", "has no parameter ''", 2),
    "a parameter twice": (f"{RERUN} -p trials=100 -p trials=200", "trials: given twice", 2),
    "a parameter: text": (f"{RERUN} -p trials=many", "trials must be a whole number", 2),
    "a parameter: NaN": (f"{RERUN} -p trials=nan", "trials must be a whole number, not 'nan'", 2),
    "a parameter: Arabic": (f"{RERUN} -p trials=١٠٠", "trials must be a whole number", 2),
    "a parameter: underscore": (f"{RERUN} -p trials=1_00", "trials must be a whole number", 2),
    "a parameter: long": (f"{RERUN} -p trials={DIGITS}", "trials must be a whole number", 2),
    "a parameter: empty": (f"{RERUN} -p trials=", "trials must be a whole number, not ''", 2),
    "a parameter: code": (
        [*RERUN.split(), "-p", "trials=__import__('os')"], "trials must be a whole number", 2,
    ),
    "a parameter that is none": (f"{RERUN} -p __class__=1", "has no parameter '__class__'", 2),
    "runs that are not there": ("rerun sigir18 --data task --out out -p runs=A,C", "no run 'C'", 2),
    "one run": ("rerun sigir18 --data task --out out -p runs=A", "name two different runs", 2),
    "data twice": (f"{RERUN} -p quantification=sem16t4e", "quantification data are given twice", 2),
    "classes twice": (
        f"{RERUN} --classes low,mid,high -p classes=low,mid,high", "classes are given twice", 2,
    ),
    # paths of data
    "no such folder": ("score nowhere --out out", "nowhere: neither a path that exists", 2),
    "an empty path": (["score", "", "--out", "out"], "PATH is empty; name a folder", 2),
    "an empty path to check": (["check", ""], ": neither a path that exists", 2),
    "a zero byte": (["score", "a\0b", "--out", "out"], r"PATH a\\x00b: no path has a zero byte", 2),
    "a path that is too long": (["score", LONG, "--out", "out"], "neither a path that exists", 2),
    "a file below a file": ("score task/gold.csv/x --out out", "neither a path that exists", 2),
    "a ring of links": ("score ring --out out", RING, 2),
    "a pipe": ("check pipe", "found a pipe or a device", 2),
    "a pipe to score": ("score pipe --out out", "found a pipe or a device", 2),
    "a device without end": ("check /dev/zero", "found a pipe or a device", 2),
    "a pipe that is a zip file": ("check pipe.zip", "found a pipe or a device", 2),
    "a home folder of nobody": ("check ~nobody-here/x", "neither a path that exists", 2),
    "a name with an escape sequence": (["check", "red\x1b[31m"], r"red\\x1b\[31m", 2),
    "a name that turns": (["check", "a\u202eb"], r"a\\u202eb: neither a path", 2),
    "a folder that may not be read": ("check locked", "locked: permission denied", 2),
    "a zip file named dots": ("check ..zip", "no file whose name starts with 'gold'", 2),
    "scores to rerun": ("rerun lq21 --data NMD.csv --out out", "these are scores", 2),
    # where results go
    "results over a file": ("score task --out file", "file: this is a file; name a folder", 2),
    "results below a file": ("score task --out file/out", "file is no folder; name another", 2),
    "results over other things": (
        "score task --out full", "holds what is not results by .ordbook score", 2,
    ),
    "results over the data": ("score task --out task", "this lies within the data", 2),
    "results within the data": ("score task --out task/out", "this lies within the data", 2),
    "results over a pipe": ("score task --out pipe", "pipe: this is a file; name a folder", 2),
    "results over a ring": ("score task --out ring", RING, 2),
    "results over a device": ("score task --out /dev/null", "this is a file", 2),
    "results in a name too long": (["score", "task", "--out", LONG], "[Ff]ile name too long", 2),
    "results with a zero byte": (
        ["score", "task", "--out", "a\0b"], r"--out a\\x00b: no path has a zero byte", 2,
    ),
    "results in a name of other bytes": (
        ["score", "task", "--out", "a\udcff"], r"a\\udcff: this name is not in UTF-8", 2,
    ),
    "results nowhere": (["score", "task", "--out", ""], "--out is empty; name a folder", 2),
    "results of nobody": ("score task --out ~nobody-here/x", "home directory", 2),
    "results where none may be": ("score task --out locked/out", "no folder can be made", 2),
    "an edition over a file": ("rerun lq21 --data task --out file", "this is a file", 2),
    "an edition over other things": (
        "rerun lq21 --data task --out full", "holds what is not an edition of ours .thesis.tex", 2,
    ),
    "an edition with a zero byte": (
        ["rerun", "lq21", "--data", "task", "--out", "a\0b"],
        r"a\\x00b: embedded null (byte|character)", 2,
    ),
    "an edition in a name of other bytes": (
        ["rerun", "lq21", "--data", "task", "--out", "a\udcff"], "this name is not in UTF-8", 2,
    ),
    "a sweep over a file": ("sweep --data task --out file", "this is a file; name a folder", 2),
    "a sweep over other things": ("sweep --data task --out full", "not a sweep .thesis", 2),
    "a sweep over a ring": ("sweep --data task --out ring", RING, 2),
    "exercises over a file": ("exercise --seed 1 --out file", "this is a file; name a folder", 2),
    "exercises over other things": (
        "exercise --seed 1 --out full", "holds what is not ordbook exercises", 2,
    ),
    "exercises over a pipe": ("exercise --seed 1 --out pipe", "this is a file", 2),
    "slides over a file": ("slides measures --out file", "this is a file; name a folder", 2),
    "slides over other things": (
        "slides measures --out full", "holds what is not ordbook slides", 2,
    ),
    "a course over another file": (
        "student measures --out file", "file: the name of a zip file must end in", 2,
    ),
    "a course over a folder": (
        "student measures --out full", "full: this is a folder; name a zip file", 2,
    ),
    "a course with no wheel": (
        "student measures --out o.zip --wheel no.whl", "no.whl: there is no such file", 2,
    ),
    "a course with a wheel that is none": (
        "student measures --out o.zip --wheel file", "file: this is not the wheel of ordbook", 2,
    ),
    "a course with a pipe for a wheel": (
        "student measures --out o.zip --wheel pipe", "pipe: there is no such file", 2,
    ),
    "the audit into a file": ("audit --csv file", "file is no folder; name another", 2),
    # plans
    "no plan": (f"{SWEEP} --plan nowhere.toml", "there is no such file; name the plan", 2),
    "a plan that is a folder": (f"{SWEEP} --plan full", "the plan cannot be read", 2),
    "a plan that is a pipe": (f"{SWEEP} --plan pipe", "pipe: this is a pipe or a device", 2),
    "a plan that is a device": (
        f"{SWEEP} --plan /dev/zero", "/dev/zero: this is a pipe or a device", 2,
    ),
    "a plan and data": (f"{SWEEP} --plan good.toml --data task", "--plan says it all", 2),
    "a plan with a zero byte in its name": (
        [*SWEEP.split(), "--plan", "a\0b"], r"a\\x00b: there is no such file", 2,
    ),
    "nothing to sweep": (SWEEP, "name data sets with --data, or a file with --plan", 2),
    "a sweep nowhere": ("sweep --data task", "sweep needs --out DIR", 2),
    "the same data twice": (f"{SWEEP} --data task --data task", "two data sets are called", 2),
    "an empty place": ([*SWEEP.split(), "--data", ""], "must hold text that is not empty", 2),
    "a scheduler that is none": (
        f"{SWEEP} --data task --scheduler nowhere", "write its address as tcp://HOST:PORT", 2,
    ),
    "a scheduler on port 99999": (
        f"{SWEEP} --data task --scheduler tcp://localhost:99999", "write its address as", 2,
    ),
    "a list of trials": (f"{SWEEP} --data task -p trials=100,x", "trials must be a whole", 2),
    "a reserved measure": (f"{SWEEP} --data task --measure m.py:HEAD", "rename the measure", 2),
    # measures of one's own
    "a measure of no file": (f"{SCORE} --measure no.py:GOOD", "there is no file no.py", 2),
    "a measure of no name": (f"{SCORE} --measure m.py", "write FILE.py:NAME or MODULE:NAME", 2),
    "a measure that is not there": (f"{SCORE} --measure m.py:BAD", "there is no such name", 2),
    "a measure that is a number": (f"{SCORE} --measure m.py:number", "that is no measure", 2),
    "a measure that is a class": (f"{SCORE} --measure m.py:BOMB", "that is no measure", 2),
    "an empty name of a measure": (f"{SCORE} --measure m.py:", "write FILE.py:NAME", 2),
    "a measure twice in options": (
        f"{SCORE} --measure m.py:GOOD --measure m.py:GOOD", "'GOOD' is named twice", 2,
    ),
    "a module that is not there": (f"{SCORE} --measure no.such:M", "No module named 'no'", 2),
    "a module by a relative name": (f"{SCORE} --measure .no:M", "write the whole name", 2),
    "a folder of measures": (f"{SCORE} --measure folder.py:M", "there is no file folder.py", 2),
    "a pipe of measures": (f"{SCORE} --measure pipe.py:M", "there is no file pipe.py", 2),
    "measures that are no Python": (f"{SCORE} --measure words.py:M", "SyntaxError", 2),
    "measures that are no text": (f"{SCORE} --measure bytes.py:M", "SyntaxError", 2),
    "measures that end the process": (f"{SCORE} --measure exit.py:M", "SystemExit: 7", 2),
    "measures that recur": (f"{SCORE} --measure deep.py:M", "RecursionError", 2),
    "measures in both ways": (
        f"{RERUN} --measure m.py:GOOD -p own=m.py:GOOD", "say the same; use one of them", 2,
    ),
    "a zero byte in a measure": (
        [*SCORE.split(), "--measure", "a\0.py:M"], r"there is no file a\\x00.py", 2,
    ),
    # kind of task and chapter do not fit
    "a chapter of another kind": (
        "rerun dialeval1 --data oc --out o", "dialeval1 is not about classification tasks", 2,
    ),
    "no chapter fits": ("sweep --chapters lq21 --data oc --out out", "no chapter fits any of", 2),
}  # fmt: skip

PLANS = {
    "no TOML": ("chapters = [", "a plan is a TOML file"),
    "a key twice": ("data = ['task']\ndata = ['task']\n", "line 2.* a plan is a TOML file"),
    "a table twice": ("[parameters]\n[parameters]\n", "line 2.* a plan is a TOML file"),
    "deep": ("data = " + "[" * 20_000, "lists are nested too deeply"),
    "deep tables": ("parameters" + ".a" * 20_000 + " = 1", "a line has more than 500 dots"),
    "a long number": (f"[parameters]\ntrials = {DIGITS}", "a number has too many digits"),
    "an unknown entry": ("dta = ['task']", "no entry 'dta'; a plan has chapters, data, parameters"),
    "chapters as text": ("chapters = 'lq21'\ndata = ['task']", "chapters must be a list"),
    "chapters of numbers": ("chapters = [1]\ndata = ['task']", "chapters: 1 is no name"),
    "chapters of lists": ("chapters = [['lq21']]\ndata = ['task']", "chapters: .* is no name"),
    "data as text": ("data = 'task'", "data must be a list, in square brackets"),
    "data of numbers": ("data = [1]", "data: .'path': 1. must hold text"),
    "data of lists": ("data = [['task']]", "data: .'path': .'task'.. must hold text"),
    "data of nothing": ("data = []", "name at least one data set"),
    "a place without a path": ("data = [{classes = 'a,b'}]", "must have path"),
    "a place with more": ("data = [{path = 'task', x = 1}]", "must have path"),
    "a path that is a number": ("data = [{path = 1}]", "must hold text"),
    "a path with a zero byte": ('data = ["a\\u0000b"]', r"a\\x00b: embedded null (byte|character)"),
    "classes that are a list": ("data = [{path = 'task', classes = ['a']}]", "must hold text"),
    "parameters as a list": ("data = ['task']\nparameters = [1]", "parameters must be a table"),
    "a parameter of tables": ("data = ['task']\n[parameters.trials]\nx = 1", "trials must be a w"),
    "trials: true": ("data = ['task']\n[parameters]\ntrials = true", "trials must be a whole"),
    "trials: NaN": ("data = ['task']\n[parameters]\ntrials = nan", "trials must be a whole"),
    "trials: a fraction": ("data = ['task']\n[parameters]\ntrials = 100.5", "trials must be a w"),
    "trials: infinite": ("data = ['task']\n[parameters]\ntrials = [inf]", "trials must be a whole"),
    "trials: nothing": ("data = ['task']\n[parameters]\ntrials = []", "the list is empty"),
    "trials: a date": ("data = ['task']\n[parameters]\ntrials = 2026-01-01", "trials must be a w"),
    "own: a number": ("data = ['task']\n[parameters]\nown = 1", "own must be text"),
    "own: a list of numbers": ("data = ['task']\n[parameters]\nown = [1]", "own must be text"),
    "own: nowhere": ("data = ['task']\n[parameters]\nown = 'no.py:M'", "there is no file"),
    "an unknown parameter": ("data = ['task']\n[parameters]\nx = 1", "no parameter 'x'"),
    "data among parameters": (
        "data = ['task']\n[parameters]\nquantification = 'task'", "belongs to the data of a sweep",
    ),
    "an escape sequence": ('data = ["a\\u001b[31m"]', r"a\\x1b\[31m"),
}  # fmt: skip


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder with a good task, and much that is none."""
    here = tmp_path_factory.mktemp("place")
    files = {
        "task/gold.csv": OQ, "task/runs/A.csv": OTHER, "task/runs/B.csv": OQ,
        "file": "x", "full/thesis.tex": "x", "m.py": MODULE, "words.py": "These are words.",
        "exit.py": "raise SystemExit(7)", "deep.py": "def f(): f()\nf()", "folder.py/x": "",
        "good.toml": "data = ['task']\n", "NMD.csv": "topic,A,B\nt,0.1,0.2\nu,0.3,0.4\n",
        "oc/gold.csv": "topic,item,label\ns,1,1\nt,2,2\n",
        "oc/runs/A.csv": "topic,item,label\ns,1,1\nt,2,1\n",
        "oc/runs/B.csv": "topic,item,label\ns,1,2\nt,2,1\n",
    }  # fmt: skip
    for name, text in files.items():
        (here / name).parent.mkdir(parents=True, exist_ok=True)
        (here / name).write_text(text, encoding="utf-8")
    (here / "bytes.py").write_bytes(b"\xff\xfe\x00M")
    with zipfile.ZipFile(here / "..zip", "w") as archive:
        archive.writestr("x.txt", "x")
    (here / "ring").symlink_to(here / "ring")
    (here / "locked").mkdir()
    for name in ("pipe", "pipe.py", "pipe.zip") if hasattr(os, "mkfifo") else ():
        os.mkfifo(here / name)
    return here


def listing(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*")}


@contextmanager
def bounded():
    """Fail where a command waits for ever, as for a pipe."""

    def stop(number: int, frame: object) -> None:
        pytest.fail("the command waits, or reads without end", pytrace=True)

    if not hasattr(signal, "SIGALRM"):
        yield
        return
    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(60)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def asked(arguments: list[str], capsys) -> tuple[int, str, str]:
    """Run a command; return its exit code and what it said."""
    capsys.readouterr()
    try:
        with bounded():
            code = main(arguments)
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 1
    out, err = capsys.readouterr()
    assert not UNSEEN.search(out + err), repr(UNSEEN.search(out + err))
    return code, out, err


def lines_of(err: str) -> list[str]:
    """Return what was said; how a command is used stands before it where its form was wrong."""
    lines = err.rstrip("\n").split("\n")
    return lines[-1:] if lines[0].startswith("usage: ") else lines


@pytest.fixture
def here(place, monkeypatch, no_raw_files):
    monkeypatch.chdir(place)
    return place


def needs(arguments: list[str]) -> None:
    """Skip what this system has no means for."""
    text = " ".join(arguments)
    if ("pipe" in text or "/dev/" in text) and not hasattr(os, "mkfifo"):
        pytest.skip("no pipes with names on this system")
    if "locked" in text and (not hasattr(os, "geteuid") or os.geteuid() == 0):
        pytest.skip("everything is readable to root")


@pytest.mark.parametrize("name", CASES)
def test_refused_in_one_line(name, here, capsys):
    given, expected, code = CASES[name]
    arguments = given.split() if isinstance(given, str) else given
    needs(arguments)
    (here / "locked").chmod(0)
    before = listing(here)
    try:
        got, out, err = asked(arguments, capsys)
    finally:
        (here / "locked").chmod(0o755)
        after = listing(here)
        shutil.rmtree(here / "out", ignore_errors=True)  # or one fault would make more
    assert got == code, (out, err)
    said = lines_of(err if err else out)
    problems = [
        line for line in said if ": found " in line or line.startswith(("ordbook", "usage"))
    ]
    assert len(problems) == 1, said
    assert re.search(expected, problems[0]), problems
    assert len(problems[0]) < 1500 + len(max(arguments, key=len, default=""))
    # What a module of the user's raises is told as Python does.
    assert "--measure" in arguments or not PYTHON.search(problems[0])
    assert after == before, "nothing was made"


@pytest.mark.parametrize("name", PLANS)
def test_a_bad_plan_is_refused_in_one_line(name, here, tmp_path, capsys):
    text, expected = PLANS[name]
    (tmp_path / "plan.toml").write_text(text, encoding="utf-8")
    (tmp_path / "task").symlink_to(here / "task")
    plan = ["sweep", "--plan", str(tmp_path / "plan.toml"), "--out", str(tmp_path / "out")]
    code, out, err = asked(plan, capsys)
    assert (code, out) == (2, ""), err
    (line,) = err.splitlines()
    assert re.search(expected, line), line
    assert not PYTHON.search(line), line
    assert len(line) < 1500
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("date", ["x", "", "1.5", "-1", "9" * 30])
def test_a_date_of_the_environment_that_is_none(date, here, monkeypatch, capsys):
    """NumPy and others would end with a message of their own."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", date)
    assert asked(["check", "task"], capsys) == (
        2,
        "",
        f"ordbook: SOURCE_DATE_EPOCH={date} is no whole number of seconds: correct it or unset "
        "it\n",
    )
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    assert asked(["check", "task"], capsys)[0] == 0


@pytest.mark.parametrize("threads", ["0", "+00", "-1"])
def test_no_threads_of_the_environment(threads, here, monkeypatch, capsys):
    """Numba would end with a message that does not name the variable; others it only warns of."""
    monkeypatch.setenv("NUMBA_NUM_THREADS", threads)
    said = f"NUMBA_NUM_THREADS={threads} is no number of threads: correct it or unset it"
    assert asked(["check", "task"], capsys) == (2, "", f"ordbook: {said}\n")
    for fine in ("", " 1", "10"):
        monkeypatch.setenv("NUMBA_NUM_THREADS", fine)
        assert asked(["check", "task"], capsys)[0] == 0


@pytest.mark.skipif(os.name == "nt", reason="Windows does not remove the current folder")
@pytest.mark.parametrize("command", [["check", "task"], ["check", "."], SCORE.split()])
def test_a_current_folder_that_is_gone(command, tmp_path, monkeypatch, capsys):
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    assert asked(command, capsys) == (
        2,
        "",
        "ordbook: the current folder is gone, or may not be read: change to another (cd), and run "
        "the same command again\n",
    )


def test_every_expected_text_names_the_fault():
    """What stands in any message, or in the command itself, would tell of no fault."""
    anything = "ordbook: out: file: full: task: pipe: ring: name another folder, not a file; a, no"
    texts = {name: case[1] for name, case in {**CASES, **PLANS}.items()}
    for name, expected in texts.items():
        assert len(expected) >= 10, name
        assert not re.search(expected, anything), name


def test_there_are_many_cases():
    assert len(CASES) + len(PLANS) > 150
    every = {"check", "score", "rerun", "sweep", "fetch", "audit", "student", "exercise", "slides"}
    asked_of = {
        (g.split() if isinstance(g, str) else g or [""])[:1][0] for g, *_ in CASES.values() if g
    }
    assert every <= asked_of


# What stands in a terminal


@pytest.mark.parametrize("kind", hostile_names.REFUSED)
def test_names_that_do_not_show_are_refused_and_shown(kind, tmp_path, capsys):
    name = hostile_names.REFUSED[kind]
    rows = {"t1": "0.5,0.5", name: "0.1,0.9"}
    text = "topic,low,high\n" + "".join(f'"{topic}",{row}\n' for topic, row in rows.items())
    (tmp_path / "runs").mkdir()
    for path in ("gold.csv", "runs/A.csv"):
        (tmp_path / path).write_bytes(text.encode())
    code, out, err = asked(["check", str(tmp_path)], capsys)
    assert (code, err) == (2, "")
    assert "gold.csv" in out
    for options in ([], ["--json"]):
        _, out, _ = asked(["check", str(tmp_path), *options], capsys)
    json.loads(out)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such names of files")
@pytest.mark.parametrize("name", ["a\x1b[31mb", "a\nordbook: b", "a\rb", "a\u202eb", "a\x9bb"])
def test_names_of_files_and_folders_are_shown_and_not_obeyed(name, tmp_path, capsys, monkeypatch):
    folder = tmp_path / name
    (folder / "runs").mkdir(parents=True)
    for path in ("gold.csv", "runs/A.csv"):
        (folder / path).write_text(OQ)
    code, out, err = asked(["check", str(folder)], capsys)
    assert (code, out, len(err.splitlines())) == (2, "", 1)
    assert "invisible character" in err
    code, _, err = asked(["score", str(folder), "--out", str(tmp_path / "out")], capsys)
    assert (code, len(err.splitlines())) == (2, 1)
    folder = folder.rename(tmp_path / "tame")
    (folder / "runs" / f"{name}.csv").write_text(OQ)
    (folder / "runs" / f".{name}").write_text("noted")
    for options in ([], ["--json"]):
        code, out, err = asked(["check", str(folder), *options], capsys)
        assert (code, err) == (2, "")
    assert "invisible character" in json.loads(out)["problems"][0]["found"]
    monkeypatch.chdir(folder / "runs")
    code, _, err = asked(["check", ".", f"{name}.csv"], capsys)  # as with *
    assert code == 2
    assert "unrecognized arguments: " in lines_of(err)[0]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such names of files")
@pytest.mark.parametrize("name", ["a b", "$(touch owned)", "; rm -rf x", "'; x", "`x`", "-x"])
def test_a_command_to_copy_is_quoted_for_the_shell(name, tmp_path, monkeypatch, capsys):
    folder = tmp_path / name
    (folder / "runs").mkdir(parents=True)
    (folder / "gold.csv").write_text(OQ)
    for run in "AB":
        (folder / "runs" / f"{run}.csv").write_text(OQ.replace("0.5", "x").replace("0.9", "y"))
    monkeypatch.chdir(tmp_path)
    _, _, err = asked(["score", str(folder), "--out", "out"], capsys)
    (found,) = re.findall(r"more problems?; (.*) lists them all", err)
    # Quotes stand around a command that has none.
    words = shlex.split(found)
    words = shlex.split(words[0]) if len(words) == 1 else words
    assert words == ["ordbook", "check", str(folder)]


# Streams and surroundings, which only a process of its own has


def command(*arguments: str, **environment: str | None) -> tuple[list[str], dict[str, str]]:
    changed = {**os.environ, "PYTHONUTF8": None, **environment}
    return (
        [sys.executable, "-m", "ordbook", *arguments],
        {name: value for name, value in changed.items() if value is not None},
    )


def run(*arguments: str, **environment: str | None) -> subprocess.CompletedProcess[bytes]:
    words, env = command(*arguments, **environment)
    return subprocess.run(words, env=env, capture_output=True, check=False)


@pytest.fixture(scope="module")
def japanese(tmp_path_factory):
    """A task of names beyond ASCII."""
    rng = np.random.default_rng(0)
    folder = tmp_path_factory.mktemp("place") / "課題"
    (folder / "runs").mkdir(parents=True)
    for path in ("gold.csv", "runs/名前.csv", "runs/é.csv"):
        rows = "".join(f"t{k},{a},{10 - a}\n" for k, a in enumerate(rng.integers(0, 10, 4)))
        (folder / path).write_text(f"topic,low,high\n{rows}", encoding="utf-8")
    (folder / "classes.txt").write_text("low\nhigh\n")
    return folder


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="locales of POSIX")
def test_a_terminal_of_ascii_shows_every_name_somehow(japanese, tmp_path):
    # In such a locale Python takes names of files for UTF-8 all the same.
    ascii_ = {"LC_ALL": "C", "LANG": "C", "PYTHONIOENCODING": "ascii"}
    out = tmp_path / "out"
    words, env = command("score", ".", "--out", str(out), "--trials=100", **ascii_)
    done = subprocess.run(words, cwd=japanese, env=env, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert rb"\u540d\u524d" in done.stdout
    assert (out / "README.md").is_file()


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="pipes of POSIX")
def test_a_reader_that_has_gone_is_no_fault(tmp_path):
    words, env = command("list", "--json")
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(words, env=env, stdout=writing, stderr=subprocess.PIPE, check=False)
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this system")
def test_a_full_disk_behind_stdout_is_told():
    words, env = command("list")
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(words, env=env, stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode in (1, 2)
    (line,) = done.stderr.decode().splitlines()
    assert "no space left on device" in line.lower()
    assert not PYTHON.search(line)


@pytest.mark.slow
@pytest.mark.parametrize(
    "environment",
    [
        {"HOME": None},
        {"HOME": "/nonexistent"},
        {"HOME": ""},
        {"COLUMNS": "1"},
        {"COLUMNS": "0"},
        {"COLUMNS": "x"},
        {"TERM": "dumb", "NO_COLOR": "1"},
        {"ORDBOOK_CACHE": "/dev/null"},
        {"TMPDIR": "/nonexistent"},
    ],
    ids=str,
)
def test_odd_surroundings_are_no_fault(environment):
    """The list needs the cache and the home folder, help the width of the terminal."""
    asked_of = ["rerun", "--help"] if "COLUMNS" in environment else ["list"]
    done = run(*asked_of, **{"ORDBOOK_MIRROR": None, "ORDBOOK_CACHE": None, **environment})
    assert done.returncode == 0, done.stderr
    assert done.stderr == b""
    assert done.stdout
