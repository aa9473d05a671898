"""Files as they come: each is refused with a line for each cause, or read for a reason."""

import gzip
import io
import json
import re
import stat
import time
import zipfile
from pathlib import Path

import pytest

from cases import case
from ordbook.cli import main
from ordbook.data.checking import check
from ordbook.data.names import shown
from ordbook.data.nuggets import NUGGETS

Files = dict[str, str | bytes]

OQ = "topic,low,mid,high\nt1,0.5,0.25,0.25\nt2,0,0.1,0.9\n"
COUNTS = "topic,low,mid,high\nt1,3,1,1\nt2,0,4,1\nt3,1,1,1\nt4,2,2,3\n"
NUMBERED = "topic,n,low,high\n" + "".join(f"t{i},{i},{3 * i % 4},2\n" for i in range(1, 6))
OC = "topic,item,label\ns,1,1\ns,2,2\nt,1,2\n"
SEM_C = "1\ts\t0\n2\ts\t1\n3\tt\t-2\n"
SEM_E = "s\t0.5\t0.5\t0\t0\t0\nt\t0\t0\t0\t0.5\t0.5\n"
WIDE = "topic,A,B\nt,0.1,0.2\nu,0.3,0.4\n"
LONG = "measure,topic,run,score\nNMD,t,A,0.1\nNMD,t,B,0.2\nNMD,u,A,0.3\nNMD,u,B,0.4\n"
# What no message may hold: Python's words, and what only a programmer can use.
PYTHON = re.compile(
    r"Traceback|Errno|object at|<class|int\(\)|float\(\)|NoneType|'utf-8' codec|codec can't|"
    r"Error:|\bdict\b|\btuple\b|ordbook-[a-z0-9_]{8}|index out of|\b1 (runs|problems|cells)\b"
)


def oq(gold: str | bytes = OQ, run: str | bytes = OQ, **more: str | bytes) -> Files:
    return {"gold.csv": gold, "runs/A.csv": run} | more


def oc(gold: str = OC, run: str = OC) -> Files:
    return {"gold.csv": gold, "runs/A.csv": run}


def sem(gold: str | bytes = SEM_E, run: str | bytes = SEM_E) -> Files:
    return {"gold.txt": gold, "runs/A.txt": run}


def ntcir(gold: object = None, run: object = None, name: str = "runs/A_quality.json") -> Files:
    dialogue = {
        "id": "d1",
        "turns": [{"sender": "customer"}, {"sender": "helpdesk"}],
        "annotations": [{"quality": {"A": 0, "E": 1, "S": -2}, "nugget": ["CNUG0", "HNUG"]}],
    }
    share = {"-2": 0.2, "-1": 0.2, "0": 0.2, "1": 0.2, "2": 0.2}
    answer = {"id": "d1", "quality": {"A": share, "E": share, "S": share}}
    files = {"gold.json": [dialogue] if gold is None else gold}
    files[name] = [answer] if run is None else run
    return {
        name: said if isinstance(said, str | bytes) else json.dumps(said)
        for name, said in files.items()
    }


def dbdc(gold: str | None = None, run: str | None = None) -> Files:
    asked = [{"breakdown": "O"}, {"breakdown": "X"}]
    turns = [{"turn-index": 1, "speaker": "S", "utterance": "u", "annotations": asked}]
    label = {"breakdown": "O", "prob-O": 0.5, "prob-T": 0.2, "prob-X": 0.3}
    answers = [{"turn-index": 1, "labels": [label]}]
    return {
        "d1.log.json": gold or json.dumps({"turns": turns}),
        "runs/A/d1.labels.json": run or json.dumps({"dialogue-id": "d1", "turns": answers}),
    }


def zipped(files: Files, name: str = "task.zip") -> Files:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for each, content in files.items():
            archive.writestr(each, content)
    return {name: packed.getvalue()}


def deep_zip(folders: int) -> Files:
    return zipped(oq() | {"a/" * folders + "x.csv": OQ})


def same(text: str) -> Files:
    """The same text as gold and as two runs."""
    return {"gold.csv": text, "runs/A.csv": text, "runs/B.csv": text}


def totals(text: str) -> str:
    """Add a column of sums."""
    head, *rows = text.splitlines()
    sums = [sum(map(int, row.split(",")[1:])) for row in rows]
    return f"{head},total\n" + "".join(f"{r},{s}\n" for r, s in zip(rows, sums, strict=True))


def link() -> Files:
    packed = io.BytesIO()
    info = zipfile.ZipInfo("runs/A.csv")
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("gold.csv", OQ)
        archive.writestr(info, "/etc/passwd")
    return {"task.zip": packed.getvalue()}


def lying_zip(said: int) -> Files:
    """A zip file with an entry that says that it has another number of bytes than it has."""
    (packed,) = zipped(oq(OQ + "x" * 100_000)).values()
    assert isinstance(packed, bytes)
    size = (len(OQ) + 100_000).to_bytes(4, "little")
    return {"task.zip": packed.replace(size, said.to_bytes(4, "little"))}


GROUPED = {"Runs.csv": "run,group\nA,X\n"}
TABBED = OQ.replace(",", "\t")
TURNED = "\n".join([OQ.splitlines()[i] for i in (0, 2, 1)])
FIVE_ZEROS = "topic,low,mid,high\nt1,0,0,0\nt2,0,0.1,0.9\n"
DIALOGUES = json.loads(str(ntcir()["gold.json"]))
ANSWERS = json.loads(str(ntcir()["runs/A_quality.json"]))
PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20
C_SHARE = {"CNUG0": 0.5, "CNUG": 0, "CNUG*": 0, "CNaN": 0.5}
H_SHARE = {"HNUG": 0, "HNUG*": 0, "HNaN": 1}
BOTH = [ANSWERS[0] | {"nugget": [C_SHARE, H_SHARE]}]
# The first entry is about quality alone, and a later one, which is wrong, about nuggets too.
LATER = [ANSWERS[0], ANSWERS[0] | {"id": "d2", "nugget": [C_SHARE]}]
E2 = str(dbdc()["runs/A/d1.labels.json"])

# name: (files, what is named on the command line, what each problem says, in order)
REFUSED: dict[str, tuple[Files, str, list[str]]] = {
    # whole files
    "empty folder": ({}, ".", ["no file whose name starts with 'gold',"]),
    "no such path": ({}, "nowhere", ["nowhere: neither a path that exists nor"]),
    "a name that is too long": ({}, "x" * 5000, ["neither a path that exists"]),
    "a zero byte in the path": ({}, "a\0b", ["b: neither a path that exists nor one"]),
    "empty gold": (oq(b""), ".", ["gold.csv: an empty file"]),
    "gold of spaces": (oq(" \n\n"), ".", ["gold.csv: an empty file"]),
    "empty run": (oq(run=b""), ".", ["A.csv: an empty file"]),
    "a header alone": (oq(run=OQ[:19]), ".", ["A.csv, line 2: no row below the header"]),
    "truncated run": (oq(run=OQ.partition("t2")[0]), ".", ["A.csv: no row for topic 't2'"]),
    "truncated within a row": (oq(run=OQ[:-5]), ".", ["A.csv, line 3: 3 cells for 4 columns"]),
    "UTF-16": (oq(OQ.encode("utf-16")), ".", ["gold.csv, line 1: UTF-16 text"]),
    "Latin-1": (oq(run=OQ.replace("t2", "tü").encode("latin-1")), ".",
        ["A.csv, line 3: a byte that is not UTF-8"]),
    "zero bytes": (oq(run=OQ.replace("t2", "t\0")), ".", ["A.csv, line 3: a zero byte"]),
    "damaged gzip": (oq(run=gzip.compress(OQ.encode())[:-9]), ".",
        ["A.csv: a gzip file that is cut short or"]),
    "PNG as scores": ({"RNOD.png": PNG}, "RNOD.png", ["RNOD.png: a PNG picture"]),
    "PDF as scores": ({"a.pdf": b"%PDF-1.4 \xff"}, "a.pdf", ["a.pdf: a PDF file"]),
    "spreadsheet": ({"a.xlsx": b"PK\x03\x04\xff"}, "a.xlsx",
        ["a.xlsx: an Excel workbook or another zip"]),
    "PNG as gold": (oq(PNG), ".", ["gold.csv: a PNG picture"]),
    "prose": ({"a.md": "# My task\n\nIt is fine.\n"}, "a.md",
        ["a.md, line 1: '# My task', and no scores"]),
    "a backup of gold": (oq() | {"gold.csv.bak": OQ}, ".",
        ["2 gold files: gold.csv, gold.csv.bak"]),
    "two golds": (oq() | {"gold.json": "[]"}, ".", ["2 gold files: gold.csv, gold.json"]),
    "gold.CSV": ({"gold.CSV": OQ, "runs/A.csv": OQ}, ".",
        ["gold.CSV: the name gold.CSV, with capita"]),
    "Runs": ({"gold.csv": OQ, "Runs/A.csv": OQ}, ".", ["Runs: the name Runs, with capitals"]),
    "Classes.txt": (
        oq() | {"Classes.txt": "high\nmid\nlow\n"},
        ".",
        ["Classes.txt: the name Classes.txt, with"],
    ),
    "CLASSES.CSV": (oc() | {"CLASSES.CSV": "2\n1\n"}, ".",
        ["CLASSES.CSV: the name CLASSES.CSV, with"]),
    "SemEval, Classes.txt": (
        sem() | {"Classes.txt": "2\n1\n0\n-1\n-2\n"}, ".",
            ["Classes.txt: the name Classes.txt, with"],
    ),
    "Runs.csv": (oq() | GROUPED, ".", ["Runs.csv: the name Runs.csv, with capita"]),
    "NTCIR, Runs.csv": (ntcir() | GROUPED, ".", ["Runs.csv: the name Runs.csv, with capita"]),
    "DBDC, Runs.csv": (dbdc() | GROUPED, ".", ["Runs.csv: the name Runs.csv, with capita"]),
    "Runs.csv beside a file of scores": (
        {"NMD.csv": WIDE} | GROUPED, "NMD.csv", ["Runs.csv: the name Runs.csv, with capita"],
    ),
    "Runs.csv among files of scores": (
        {"NMD.csv": WIDE} | GROUPED, ".",
            ["Runs.csv: the name Runs.csv, with capita",
             "Runs.csv, line 1: the columns run,group,"],
    ),
    "gold-1.csv without a header": (
        {"gold-1.csv": OQ.partition("\n")[2], "runs/A.csv": OQ}, ".",
            ["gold-1.csv, line 1: the columns t1,0.5,0"],
    ),
    "gold.tsv with a header": (
        {"gold.tsv": TABBED, "runs/A.tsv": TABBED},
        ".",
        ["gold.tsv, line 1: tabs between the colum"],
    ),
    "gold.tsv with a header of labels": (
        {"gold.tsv": OC.replace(",", "\t"), "runs/A.csv": OC}, ".",
            ["gold.tsv, line 1: tabs between the colum"],
    ),
    "gold.txt with semicolons": (
        {"gold.txt": OQ.replace(",", ";"), "runs/A.csv": OQ}, ".",
            ["gold.txt, line 1: semicolons between the"],
    ),
    "gold.csv with tabs and Topic": (
        oq(TABBED.replace("topic", "Topic")), ".", ["gold.csv, line 1: tabs between the colum"],
    ),
    "gold alone": ({"gold.csv": OQ}, "gold.csv", ["gold.csv: a gold file alone"]),
    "no run": ({"gold.csv": OQ, "runs/.keep": ""}, ".",
        ["runs: no runs, without which nothing can"]),
    "a folder among runs": (oq() | {"runs/B/C.csv": OQ}, ".", ["B: a folder in place of a run"]),
    "a text among runs": (oq() | {"runs/README": "x"}, ".",
        ["README, line 2: no row below the header", "README, line 1: the columns x, not those"]),
    "gold is a folder": ({"gold.csv/x": "", "runs/A.csv": OQ}, ".",
        ["no gold file, but the folders gold.csv"]),
    "runs and Runs": (
        zipped(oq() | {"Runs/B.csv": OQ}), "task.zip", ["Runs: the name Runs, with capitals"],
    ),
    "SemEval, runs and Runs": (sem() | {"RUNS/B.txt": SEM_E}, ".",
        ["RUNS: the name RUNS, with capitals"]),
    "DBDC, Runs": (
        {name.replace("runs", "Runs"): text for name, text in dbdc().items()},
        ".",
        ["Runs: the name Runs, with capitals", "runs: no runs, without which nothing can"],
    ),
    # totals, means and numbers of rows
    "a column of totals": (
        same(totals(COUNTS)), ".", ["gold.csv, line 1, column 5: the column '"],
    ),
    "totals in the middle": (
        same(COUNTS.replace("mid", "low+high").replace("1,1\n", "4,1\n", 1)
             .replace("0,4,1", "0,1,1").replace("1,1,1", "1,2,1").replace("2,2,3", "2,5,3")),
        ".",
        ["gold.csv, line 1, column 3: the column '"],
    ),
    "totals of probabilities": (
        same("topic,low,high,all\nt1,.2,.8,1\nt2,.5,.5,1\n"), ".",
            ["gold.csv, line 1, column 4: the column '"],
    ),
    "a column that counts from 1": (same(NUMBERED), ".",
        ["gold.csv, line 1, column 2: the column '"]),
    "a column that counts from 0": (
        same("topic,low,idx,high\n" + "".join(f"t{i},1,{i},{i % 2}\n" for i in range(4))),
        ".",
        ["gold.csv, line 1, column 3: the column '"],
    ),
    "a row of totals": (
        same(COUNTS + "total,6,8,6\n"), ".", ["gold.csv, line 6, column 1: the row 'tot"],
    ),
    "a row of totals beside statistics": (
        same(COUNTS + "Total,6,8,6\nMax,3,4,3\nn,4,4,4\n"),
        ".",
        ["gold.csv, line 6, column 1: the row 'Tot"],
    ),
    "a row of totals in the middle": (
        same("topic,low,mid,high\na,3,4,2\nb,1,5,3\nSubtotal,4,9,5\nc,4,4,1\n"),
        ".",
        ["gold.csv, line 4, column 1: the row 'Sub"],
    ),
    "a row of means": (
        same(COUNTS + "Mean,1.5,2,1.5\n"), ".", ["gold.csv, line 6, column 1: the row 'Mea"],
    ),
    "a row of mean probabilities": (
        same(OQ + "AVG,.25,.175,.575\n"), ".", ["gold.csv, line 4, column 1: the row 'AVG"],
    ),
    "a row and a column All": (
        same(totals(COUNTS + "All,6,8,6\n").replace("total", "All")),
        ".",
        ["gold.csv, line 1, column 5: the column '"],
    ),
    "SemEval E, a row of means": (
        sem(SEM_E + "all\t.25\t.25\t0\t.25\t.25\n", SEM_E),
        ".",
        ["gold.txt, line 3, column 1: the row 'all", "A.txt: no row for topic 'all'"],
    ),
    # cells
    "tabs for commas": (oq(run=OQ.replace(",", "\t")), ".",
        ["A.csv, line 1: tabs between the columns"]),
    "semicolons": (oq(OQ.replace(",", ";")), ".", ["gold.csv, line 1: semicolons between the"]),
    "decimal commas": (
        oq(run=OQ.replace("0.5", '"0,5"')), ".", ["A.csv, line 2, column 2: '0,5', a number"],
    ),
    "a comma that may group digits": (
        oq(COUNTS, COUNTS.replace("t1,3", 't1,"1,234"')),
        ".",
        ["A.csv, line 2, column 2: '1,234', a numb"],
    ),
    "commas that group digits": (
        oq(COUNTS, COUNTS.replace("t1,3", 't1,"1,234,567"')),
        ".",
        ["A.csv, line 2, column 2: '1,234,567', a"],
    ),
    "commas that group digits, without quotes": (
        oq(COUNTS, COUNTS.replace("t1,3", "t1,1,234")), ".",
            ["A.csv, line 2: 5 cells for 4 columns, as"],
    ),
    "NaN": (oq(run=OQ.replace("0.1", "nan")), ".", ["A.csv, line 3, column 3: 'nan'"]),
    "infinity": (oq(run=OQ.replace("0.1", "inf")), ".",
        ["A.csv, line 3, column 3: 'inf', which is"]),
    "1e400": (oq(run=OQ.replace("0.1", "1e400")), ".", ["A.csv, line 3, column 3: '1e400', which"]),
    "Arabic digits": (oq(run=OQ.replace("0.1", "٠.١")), ".",
        ["A.csv, line 3, column 3: '٠.١', which is"]),
    "underscores": (oq(run=OQ.replace("0.1", "0_1")), ".",
        ["A.csv, line 3, column 3: '0_1', which is"]),
    "hexadecimal": (oq(run=OQ.replace("0.1", "0x1p-3")), ".",
        ["A.csv, line 3, column 3: '0x1p-3', which"]),
    "percent": (oq(run=OQ.replace("0.1", "10%")), ".",
        ["A.csv, line 3, column 3: '10%', a percen"]),
    "negative": (oq(run=OQ.replace("0.1", "-0.1")), ".",
        ["A.csv, line 3, column 3: '-0.1', a negat"]),
    "more than 1": (oq(run=OQ.replace("0.9", "1.9")), ".",
        ["A.csv, line 3, column 4: '1.9', not a pr"]),
    "sum below 1": (oq(run=OQ.replace("0.9", "0.8")), ".",
        ["A.csv, line 3: a sum of 0.9, not 1 withi"]),
    "no vote": (oq("topic,1,2\nt,0,0\n", "topic,1,2\nt,1,0\n"), ".",
        ["gold.csv, line 2: only zeros"]),
    "no probability": (oq(run=FIVE_ZEROS), ".", ["A.csv, line 2: a sum of 0, not 1 within"]),
    "an empty cell": (
        oq(run=OQ.replace("0.1", "")), ".", ["A.csv, line 3, column 3: an empty cell"],
    ),
    "an empty line between": (oq(run=OQ.replace("t2", "\nt2")), ".",
        ["A.csv, line 3: an empty line"]),
    "a row of empty cells": (
        oq(run=OQ.replace("t2", ",,,\nt2")),
        ".",
        ["A.csv, line 3: a row of empty cells"],
    ),
    "rows of empty cells at the end": (
        same(OQ + ",,,\n,,,\n"),
        ".",
        ["gold.csv, line 4: a row of empty cells"],
    ),
    "a row of other empty cells": (
        oq(run=f"{OQ},,,,\n"), ".", ["A.csv, line 4: a row of empty cells"],
    ),
    "SemEval, a row of empty cells": (
        sem(run=SEM_E + "\t" * 5), ".", ["A.txt, line 3: a row of empty cells"],
    ),
    "runs.csv, a row of empty cells": (
        oq() | {"runs.csv": "run,group\nA,X\n,\n"}, ".", ["runs.csv, line 3: a row of empty cells"],
    ),
    "sep=": (same(f"sep=,\n{OQ}"), ".", ["gold.csv, line 1: the line sep=,"]),
    "an open quote": (oq(run=OQ.replace("t2", '"t2')), ".",
        ["A.csv, line 3: a double quote left open"]),
    "a very long cell": (oq(run=OQ + "x" * 200_000), ".",
        ["A.csv, line 4: a cell of more than 100,0"]),
    "a very long row": (oq(run=OQ + ",".join("x" * 99_999)), ".",
        ["A.csv, line 4: 99999 cells for 4 columns"]),
    "a very long header": (oq(run=",".join("x" * 100_001)), ".",
        ["A.csv, line 2: no row below the header", "A.csv, line 1: the columns x,x,x,x,x,x,x"]),
    "very many empty lines": (
        oq(run=OQ + "\n" * 200_000 + "x"), ".",
            ["A.csv, line 4: an empty line", "A.csv, line 200004: 1 cell for 4 columns"],
    ),
    "SemEval, a very long row": (sem(run=SEM_E + "x\t" * 99_999), ".",
        ["A.txt, line 3: 100000 cells for 6 column"]),
    "JSON, gzip that unpacks to far more": (
        ntcir(run=gzip.compress(b" " * 20_000_000 + b"[]")),
        ".",
        ["A_quality.json: an empty list, and no di"],
    ),
    "JSON, very many lists": (
        ntcir(run=b"[" + b"[]," * 3_000_000 + b"[]]"),
        ".",
        ["A_quality.json, dialogue number 1: a lis"],
    ),
    # topics, columns, labels
    "a topic twice": (oq(run=OQ + "t1,1,0,0\n"), ".", ["A.csv, line 4, column 1: topic 't1' a se"]),
    "a topic too many": (oq(run=OQ + "t3,1,0,0\n"), ".",
        ["A.csv, line 4, column 1: topic 't3', whi"]),
    "a leading zero": (oq(run=OQ.replace("t2", "02")), ".",
        ["A.csv, line 3, column 1: topic '02', whi", "A.csv: no row for topic 't2'"]),
    "the other Unicode form of a topic": (
        oq(gold=OQ.replace("t2", "caf\u00e9"), run=OQ.replace("t2", "cafe\u0301")),
        ".",
        ["A.csv, line 3, column 1: topic 'café' ("],
    ),
    "the other Unicode form of a class": (
        oq(gold=OQ.replace("high", "h\u00f6h"), run=OQ.replace("high", "ho\u0308h")),
        ".",
        ["A.csv, line 1: the columns topic,low,mid"],
    ),
    "the other Unicode form of a label": (
        oc(gold=OC.replace("t,1,2", "t,1,\u00e9"), run=OC.replace("t,1,2", "t,1,e\u0301"))
        | {"classes.txt": "1\n2\n\u00e9\n"},
        ".",
        ["A.csv, line 4, column 3: the label 'e\\u0"],
    ),
    "the other Unicode form of a listed class": (
        same(OQ.replace("high", "h\u00f6h")) | {"classes.txt": "low\nmid\nho\u0308h\n"},
        ".",
        ["gold.csv, line 1: other classes than are"],
    ),
    "the other Unicode form of a run in the list": (
        {"gold.csv": OQ, "runs/\u00e9.csv": OQ, "runs.csv": "run,group\ne\u0301,X\n"},
        ".",
        ["runs.csv, line 2, column 1: run 'e\\u0301"],
    ),
    "the other Unicode form of a dialogue": (
        ntcir([DIALOGUES[0] | {"id": "\u00e9"}], [ANSWERS[0] | {"id": "e\u0301"}]),
        ".",
        ["A_quality.json: dialogue 'e\\u0301', whic"],
    ),
    "the other Unicode form of a topic of scores": (
        {"s.csv": LONG.replace("t,A", "\u00e9,A").replace("t,B", "e\u0301,B")},
        "s.csv",
        ["s.csv: no score for NMD, é, B", "s.csv: 'e\\u0301' and '\\xe9', the same le"],
    ),
    "groups that look alike": (
        oq() | {"runs/B.csv": OQ, "runs.csv": "run,group\nA,\u00e9\nB,e\u0301\n"},
        ".",
        ["runs.csv, line 3, column 2: 'e\\u0301', t"],
    ),
    "languages that look alike": (
        oq() | {"runs/B.csv": OQ, "runs.csv": "run,group,language\nA,X,\u00e9\nB,X,e\u0301\n"},
        ".",
        ["runs.csv, line 3, column 3: 'e\\u0301', t"],
    ),
    "items that look alike": (
        oc(*[OC.replace("s,1,", "s,\u00e9,").replace("s,2,", "s,e\u0301,")] * 2),
        ".",
        ["gold.csv, line 3, column 2: 's\\te\\u0301'"],
    ),
    "a space in a topic": (oq(run=OQ.replace("t2", "t2 ")), ".",
        ["A.csv, line 3, column 1: topic 't2 ', wh"]),
    "Topic": (oq(OQ.replace("topic", "Topic")), ".", ["gold.csv, line 1: the columns Topic,low,"]),
    "Topic of a run": (oq(run=OQ.replace("topic", "Topic")), ".",
        ["A.csv, line 1: the columns Topic,low,mid"]),
    "Label": (oc(OC.replace("label", "Label")), ".", ["gold.csv, line 1: the columns topic,item"]),
    "no header": (oq(OQ.partition("\n")[2]), ".", ["gold.csv, line 1: the columns t1,0.5,0.2"]),
    "no header of a run": (oq(run=OQ.partition("\n")[2]), ".",
        ["A.csv, line 1: the columns t1,0.5,0.25,0"]),
    "a class twice": (oq(OQ.replace("mid", "low")), ".",
        ["gold.csv, line 1, column 3: a second col"]),
    "a class with a space": (
        oq(run=OQ.replace("mid", "mid ")), ".", ["A.csv, line 1: the columns topic,low,mid"],
    ),
    "classes by the alphabet": (
        oq("topic,agree,disagree,neutral\nt,1,2,3\n"),
        ".",
        ["gold.csv, line 1: the classes agree, dis", "A.csv, line 1: the columns topic,low,mid"],
    ),
    "classes by the alphabet, then missing answers": (
        oq(*["topic,agree,disagree,neutral,No answer\nt,1,2,3,4\n"] * 2),
        ".",
        ["gold.csv, line 1, column 5: the column '", "gold.csv, line 1: the classes agree, dis"],
    ),
    "classes by number, then missing answers": (
        oq(*["topic,0,1,-1,NA\nt,1,2,3,4\n"] * 2),
        ".",
        ["gold.csv, line 1, column 5: the column '", "gold.csv, line 1: the classes 0, 1, -1,"],
    ),
    "missing answers of a pivot table": (
        oq(*["topic,low,mid,high,(blank)\nt,1,2,3,4\n"] * 2), ".",
            ["gold.csv, line 1, column 5: the column '"],
    ),
    "missing answers first": (
        oq(*["topic,<NA>,low,high\nt,1,2,3\n"] * 2), ".",
            ["gold.csv, line 1, column 2: the column '"],
    ),
    "classes by the alphabet without its accents": (
        oq(*["topic,élevé,faible,moyen\nt,1,2,3\n"] * 2), ".",
            ["gold.csv, line 1: the classes élevé, fai"],
    ),
    "classes as R sorts and calls them": (
        oq(*["topic,X0,X1,X.1,X2,X.2\nt,1,2,3,4,5\n"] * 2), ".",
            ["gold.csv, line 1: the classes X0, X1, X."],
    ),
    "an invisible character": (
        oq(OQ.replace("t2", "t\u202e2"), OQ.replace("t2", "t\u202e2")), ".",
            ["gold.csv, line 3, column 1: 't\\u202e2' w"],
    ),
    "a label with a space": (oc(run=OC.replace("t,1,2", "t,1,2 ")), ".",
        ["A.csv, line 4, column 3: the label '2 ',"]),
    "a label of words": (
        oc(OC.replace("t,1,2", "t,1,good")), ".", ["gold.csv, line 4: the label 'good' and n"],
    ),
    "a gap in the labels": (oc(OC.replace(",2\n", ",5\n")), ".",
        ["gold.csv: the labels 1 and 5 without tho"]),
    "unknown run in the list": (
        oq() | {"runs.csv": "run,group\nB,X\n"}, ".", ["runs.csv, line 2, column 1: run 'B', whi"],
    ),
    "Run in the list": (oq() | {"runs.csv": "Run,group\nA,X\n"}, ".",
        ["runs.csv, line 1: the columns Run,group,"]),
    "an empty list of classes": (oq() | {"classes.txt": ""}, ".", ["classes.txt: an empty file"]),
    # SemEval
    "SemEval E, a column less": (
        sem(run=SEM_E.replace("\t0\n", "\n", 1)), ".", ["A.txt, line 1: 5 cells for 6 columns"],
    ),
    "SemEval E, two tabs at the end": (
        sem(run=SEM_E.replace("\n", "\t\t\n")), ".", ["A.txt, line 1: 8 cells for 6 columns"],
    ),
    "SemEval C, label 3": (sem(SEM_C, SEM_C.replace("\t-2", "\t3")), ".",
        ["A.txt, line 3, column 3: the label '3',"]),
    "SemEval C, spaces": (sem(SEM_C, SEM_C.replace("\t", " ")), ".",
        ["A.txt, line 1: 1 cell for 3 columns"]),
    "SemEval C, columns swapped": (
        sem(SEM_C, "s\t1\t0\ns\t2\t1\nt\t3\t-2\n"),
        ".",
        ["A.txt, line 1, column 1: item 's' of top", "A.txt: no row for item '1' of topic 's'"],
    ),
    "SemEval, two columns": (sem("1\ts\n", SEM_C), ".",
        ["gold.txt, line 1: 2 columns, not 3 (item", "A.txt, line 1: tabs between the columns"]),
    # JSON
    "JSON cut": (ntcir(run='[{"id": "d1"'), ".", ["A_quality.json, line 1, column 13: this"]),
    "JSON, empty": (ntcir(run=b""), ".", ["A_quality.json, line 1, column 1: this i"]),
    "JSON, deep": (ntcir(run="[" * 100_000), ".", ["A_quality.json: values nested too deeply"]),
    "JSON, a comma too many": (ntcir(gold='[\n{"id": "d1",}\n]'), ".",
        ["gold.json, line 2, column 13: this is no"]),
    "JSON, a key twice": (ntcir(run='[{"id": "d1", "id": "d2"}]'), ".",
        ["A_quality.json, dialogue 'd2': the key '"]),
    "JSON, UTF-16": (ntcir(gold="[]".encode("utf-16")), ".", ["gold.json, line 1: UTF-16 text"]),
    "JSON, a number": (ntcir(run="7"), ".", ["A_quality.json: 7, and no dialogues"]),
    "JSON, huge number": (ntcir(run="[" + "9" * 5000 + "]"), ".",
        ["A_quality.json, dialogue number 1: inf,"]),
    "JSON, NaN": (
        ntcir(run=json.dumps(ANSWERS).replace("0.2", "NaN", 1)), ".",
            ["A_quality.json, dialogue 'd1', A, class"],
    ),
    "JSON, null": (
        ntcir(run=json.dumps(ANSWERS).replace("0.2", "null", 1)), ".",
            ["A_quality.json, dialogue 'd1', A, class"],
    ),
    "JSON, text for a number": (
        ntcir(run=json.dumps(ANSWERS).replace("0.2", '"0.2"', 1)), ".",
            ["A_quality.json, dialogue 'd1', A, class"],
    ),
    "JSON, other dialogue": (
        ntcir(run=json.dumps(ANSWERS).replace("d1", "d9")), ".",
            ["A_quality.json: no dialogue 'd1'", "A_quality.json: dialogue 'd9', which gol"],
    ),
    "JSON, a label that is a list": (
        ntcir(gold=json.dumps(DIALOGUES).replace('"CNUG0"', '["CNUG0"]')),
        ".",
        ["gold.json, dialogue 'd1', annotator 1, t"],
    ),
    "NTCIR, quality and nuggets, nuggets wrong": (
        ntcir(run=json.dumps(BOTH).replace('"CNaN": 0.5', '"CNaN": 0.6'), name="runs/A.json"),
        ".",
        ["A.json, dialogue 'd1', turn 1: a sum of"],
    ),
    "NTCIR, quality and nuggets, quality wrong": (
        ntcir(run=json.dumps(BOTH).replace('"2": 0.2', '"2": 0.3', 1), name="runs/A.json"),
        ".",
        ["A.json, dialogue 'd1', A: a sum of 1.1,"],
    ),
    "NTCIR, nuggets in a later entry alone": (
        ntcir([DIALOGUES[0], DIALOGUES[0] | {"id": "d2"}], LATER, "runs/A.json"),
        ".",
        ["A.json, dialogue 'd1': no 'nugget', but", "A.json, dialogue 'd2': 1 nugget distribu"],
    ),
    "NTCIR, a nugget run whose name does not say so": (
        ntcir() | {"runs/B.json": json.dumps([{"id": "d1", "nugget": [C_SHARE, H_SHARE]}])},
        ".",
        ["B.json, dialogue 'd1': no 'quality', but"],
    ),
    "NTCIR, an entry about neither": (
        ntcir(run=[{"id": "d1"}]), ".", ["A_quality.json, dialogue 'd1': no 'quali"],
    ),
    "DBDC, cut": (dbdc(run=E2[:-9]), ".", ["d1.labels.json, line 1, column 120: this"]),
    "DBDC, label": (dbdc(run=E2.replace('"O"', '"o"')), ".",
        ["d1.labels.json, turn 1: the label 'o'"]),
    "DBDC, turn": (dbdc(run=E2.replace(": 1", ": -1")), ".",
        ["d1.labels.json, entry 1 of turns: 'turn-"]),
    "DBDC, annotation": (dbdc(gold='{"turns": [{}]}'), ".",
        ["d1.log.json, entry 1 of turns: no 'turn-"]),
    # scores
    "scores, unknown measure": ({"mine.csv": WIDE}, "mine.csv",
        ["mine.csv: the measure 'mine' is not one"]),
    "scores, rnod": ({"rnod.csv": WIDE}, "rnod.csv", ["rnod.csv: the measure 'rnod' is not one"]),
    "scores out of bounds": (
        {"NMD.csv": WIDE.replace("0.4", "1.4")}, "NMD.csv",
            ["NMD.csv, line 3, column 3: 1.4, and scor"],
    ),
    "scores, NaN": ({"NMD.csv": WIDE.replace("0.4", "nan")}, "NMD.csv",
        ["NMD.csv, line 3, column 3: 'nan'"]),
    "scores, Topic": (
        {"NMD.csv": WIDE.replace("topic", "Topic")}, "NMD.csv",
            ["NMD.csv, line 1: the columns Topic,A,B,"],
    ),
    "scores, a run twice": (
        {"NMD.csv": WIDE.replace("B", "A")}, "NMD.csv",
            ["NMD.csv, line 1, column 3: run 'A' a sec"],
    ),
    "long scores, one missing": (
        {"s.csv": LONG.replace("NMD,u,B,0.4\n", "")}, "s.csv", ["s.csv: no score for NMD, u, B"],
    ),
    "long scores, one twice": (
        {"s.csv": LONG + "NMD,u,B,0.4\n"}, "s.csv", ["s.csv, line 6: NMD, u, B a second time"],
    ),
    "plain scores without runs": (
        {"NMD.txt": "0.1 0.2\n"}, "NMD.txt", ["NMD.txt: numbers without a list of their"],
    ),
    # zip files
    "no zip file": ({"a.zip": b"PK no"}, "a.zip", ["a.zip: a damaged file (File is not a zip"]),
    "zip, cut": ({"a.zip": zipped(oq())["task.zip"][:-30]}, "a.zip",
        ["a.zip: a damaged file (File is not a zip"]),
    "zip, outside": (zipped(oq() | {"../x.csv": OQ}), "task.zip",
        ["x.csv: a name that leads out of the fold"]),
    "zip, absolute": (zipped(oq() | {"/x.csv": OQ}), "task.zip",
        ["x.csv: a name that leads out of the fold"]),
    "zip, link": (link(), "task.zip", ["A.csv: a link"]),
    "zip, larger than it says": (lying_zip(10), "task.zip",
        ["task.zip: a damaged file (Bad CRC-32 for"]),
    "zip bomb": (lying_zip(600_000_000), "task.zip", ["task.zip: 600,000,049 bytes when unpacke"]),
    "zip, very deep": (deep_zip(2000), "task.zip", ["task.zip: a damaged file (maximum recurs"]),
    "zip in a zip": (zipped(zipped(oq())), "task.zip",
        ["task.zip: no file whose name starts with"]),
    "empty zip": (zipped({}), "task.zip", ["task.zip: no file whose name starts with"]),
}  # fmt: skip

# name: (files, what is named, why it is read)
READ: dict[str, tuple[Files, str, str]] = {
    "gold.csv.gz": (
        {"gold.csv.gz": gzip.compress(OQ.encode()), "runs/A.csv": OQ}, ".", "told by its bytes",
    ),
    "gold.txt with commas": ({"gold.txt": OQ, "runs/A.txt": OQ}, ".", "told by its first line"),
    "A.csv.gz": (
        {"gold.csv": OQ, "runs/A.csv.gz": gzip.compress(OQ.encode())}, ".", "told by its bytes",
    ),
    "columns in another order": (
        oc(run="item,topic,label\n1,s,1\n2,s,2\n1,t,2\n"), ".", "the header names them",
    ),
    "labels of one topic": (
        oc(*["item,label\n1,1\n2,2\n"] * 2), ".", "a classification task need not have topics",
    ),
    "byte order mark": (oq(b"\xef\xbb\xbf" + OQ.encode()), ".", "editors add it, it says UTF-8"),
    "a state that is called as missing answers are": (
        same("topic,unknown,possible,certain\nt1,2,1,0\nt2,0,1,2\n"), ".", "it is the lowest class",
    ),
    "CRLF": (oq(run=OQ.replace("\n", "\r\n")), ".", "Windows ends lines so"),
    "CR alone": (oq(run=OQ.replace("\n", "\r")), ".", "old spreadsheets end lines so"),
    "no last line end": (oq(run=OQ.rstrip()), ".", "nothing is missing; it is noted"),
    "empty lines at the end": (oq(run=OQ + "\n\n"), ".", "nothing is added"),
    "quoted cells": (oq(run=OQ.replace("t1", '"t1"')), ".", "CSV says so"),
    "spaces after commas": (oq(run=OQ.replace(",", ", ")), ".", "no name starts with one"),
    "minus zero": (oq(run=OQ.replace("t2,0,", "t2,-0.0,")), ".", "it equals zero"),
    "exponents": (oq(run=OQ.replace("0.1", "1E-1")), ".", "a way to write a number"),
    "gzip": (oq(run=gzip.compress(OQ.encode())), ".", "told by its first bytes"),
    "A.CSV": ({"gold.csv": OQ, "runs/A.CSV": OQ}, ".", "the name of the run is the same"),
    "a hidden file": (oq() | {"runs/.DS_Store": b"\0"}, ".", "macOS adds it; it is noted"),
    "rows in another order": (oq(run=TURNED), ".", "noted"),
    "leading zeros": (
        oc(OC.replace("s,", "007,"), OC.replace("s,", "007,")), ".", "names are text",
    ),
    "topics that look like formulas": (
        oq(OQ.replace("t1", "=1+1"), OQ.replace("t1", "=1+1")), ".", "nothing computes them",
    ),
    "SemEval with a trailing tab": (sem(run=SEM_E.replace("\n", "\t\n")), ".", "a real run has it"),
    "SemEval E, a topic named topic": (
        sem(SEM_E.replace("s", "topic"), SEM_E.replace("s", "topic")), ".", "numbers are no header",
    ),
    "SemEval C, an item named topic": (
        sem(f"topic\ttopic\t2\n{SEM_C}", f"topic\ttopic\t2\n{SEM_C}"), ".", "no header either",
    ),
    "SemEval C in gold.csv": (
        {"gold.csv": gzip.compress(SEM_C.encode()), "runs/A.csv": SEM_C}, ".", "tabs, no header",
    ),
    "NTCIR": (ntcir(), ".", "the sample that the cases above spoil"),
    "DBDC": (dbdc(), ".", "the sample that the cases above spoil"),
    "items of two topics that look alike": (
        oc(*[OC.replace("s,1,", "s,\u00e9,").replace("t,1,", "t,e\u0301,")] * 2),
        ".",
        "each topic has its own",
    ),
    "SemEval C": (sem(SEM_C, SEM_C), ".", "the sample that the cases above spoil"),
    "long scores": ({"s.csv": LONG}, "s.csv", "the sample that the cases above spoil"),
    "wide scores": ({"NMD.CSV": WIDE}, "NMD.CSV", "capitals in an ending change nothing"),
    "plain scores, the same list twice": (
        {"NMD.txt": "0.1 0.2\n", "NMD.runs": "A\nB\n", "runlist": "A\r\nB"}, ".", "they agree",
    ),
    "a folder in a zip": (zipped({f"deep/{k}": v for k, v in oq().items()}), "task.zip", "usual"),
    "listed classes, one a total": (
        same(totals(COUNTS)) | {"classes.txt": "low\nmid\nhigh\ntotal\n"}, ".", "the list says so",
    ),
    "three rows that count": (
        same("topic,low,mid,high\na,1,1,0\nb,2,3,1\nc,3,2,2\n"), ".", "votes may rise by chance",
    ),
    "two classes alike": (same("topic,low,high\nt1,3,3\nt2,1,1\n"), ".", "neither is a total"),
    "two of three alike": (
        same("topic,low,mid,high\nt1,3,0,3\nt2,1,0,1\n"), ".", "neither is a total",
    ),
    "half in every row": (
        same("topic,low,mid,high\nt1,.25,.25,.5\nt2,.1,.4,.5\n"), ".", "probabilities sum to 1",
    ),
    "a run that is a total": (
        oq(COUNTS, "topic,low,mid,high\n" + "".join(f"t{i},1,1,2\n" for i in range(1, 5))),
        ".",
        "it predicts the same everywhere",
    ),
    "a topic named all": (same(OQ + "all,1,0,0\n"), ".", "it is neither sum nor mean; noted"),
    "a zip, 40 folders deep": (deep_zip(40), "task.zip", "deep, but not very"),
    "NTCIR, quality and nuggets": (ntcir(run=BOTH, name="runs/A.json"), ".", "both are checked"),
    "gzip of SemEval C": (
        sem(gzip.compress(SEM_C.encode()), gzip.compress(SEM_C.encode())), ".", "as for CSV",
    ),
    "missing answers that are listed": (
        oq(*["topic,low,mid,high,NA\nt,1,2,3,4\n"] * 2, **{"classes.txt": "NA\nlow\nmid\nhigh\n"}),
        ".",
        "the list says where they stand",
    ),
    "a class called none": (
        oq(*["topic,none,possible,breakdown\nt,1,2,3\n"] * 2), ".", "none of it is an answer",
    ),
    **{
        f"run named {name!r}": ({"gold.csv": OQ, f"runs/{name}.csv": OQ}, ".", "names are escaped")
        for name in ("a,b", 'a"b', "<b>x", r"$\alpha_1$ & 50%", "😀", "a|b", "a b", "-x", "a;b",
                     "'; rm", "{{x}}", "%s", "名前")
    },
}  # fmt: skip


def write(folder: Path, files: Files) -> None:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())


def said(path: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, list[str], str]:
    """Run the command; return its code, its problems by cause, and everything else it says."""
    code = main(["check", path])
    out, err = capsys.readouterr()
    problems = out[: out.rfind(f"\n{shown(path)}: ")].splitlines() if code else []
    text = "\n".join([out.split("what can be read")[0], err])
    assert not PYTHON.search(text), text
    return code, problems or err.splitlines(), out


def test_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in REFUSED:
        with case(name, within=tmp_path) as folder:
            files, place, expected = REFUSED[name]
            write(folder, files)
            code, problems, _ = said(str(folder / place), capsys)
            assert code == 2
            assert len(problems) == len(expected), problems
            for problem, text in zip(problems, expected, strict=True):
                assert text in problem, problem
                assert len(problem) < 900 + len(place)


def test_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in READ:
        with case(name, within=tmp_path) as folder:
            files, place, why = READ[name]
            write(folder, files)
            code, problems, out = said(str(folder / place), capsys)
            assert (code, problems) == (0, []), why
            assert "nothing is wrong" in out


CUT = "without a line end"
UNREAD = "not read: run files belong into runs/"
GROUPS_UNREAD = "not read: groups of runs belong into runs.csv, which --by-group reads"
CLASSES_UNREAD = "not read: these files have classes of their own"
LISTED = {"classes.txt": "low\nmid\nhigh\n"}
PERFECT = "equals the gold: every measure gives it the best score"
SAME_NUGGETS = [{label: float(label == said) for label in NUGGETS[who]}
                for who, said in (("customer", "CNUG0"), ("helpdesk", "HNUG"))]  # fmt: skip
B5 = {f"B{i}.csv": OQ for i in range(7)}
# name: (files, what the notes must hold; with "-" before it, what they must not)
NOTED: dict[str, tuple[Files, str]] = {
    "a falling alphabet": (
        oq(*["topic,neutral,good,bad\nt,1,2,3\n"] * 2),
        "fall by the alphabet in the header (neutral, good, bad); the first is taken as the lowest",
    ),
    "a run without a line end": (oq(run=OQ.rstrip()), f"runs/A.csv ends {CUT}"),
    "gold without a line end": (oq(OQ.rstrip()), f"gold.csv ends {CUT}"),
    "SemEval, a run": (sem(run=SEM_E.rstrip()), f"runs/A.txt ends {CUT}"),
    "two of three runs": (
        oq(run=OQ.rstrip()) | {"runs/B.csv": OQ.rstrip(), "runs/C.csv": OQ},
        f"runs/A.csv, runs/B.csv end {CUT}",
    ),
    "all without a line end": (oq(OQ.rstrip(), OQ.rstrip()), f"-{CUT}"),
    "all with one": (oq(), f"-{CUT}"),
    "CR alone": (oq(run=OQ.replace("\n", "\r")), f"-{CUT}"),
    "gzip": (oq(run=gzip.compress(OQ.encode())), f"-{CUT}"),
    "a run beside gold": (oq() | {"B.csv": OQ}, f"B.csv was {UNREAD}"),
    "a folder beside runs": (oq() | {"old/B.csv": OQ}, f"old/ was {UNREAD}"),
    "seven runs beside gold": (
        oq() | B5, f"B0.csv, B1.csv, B2.csv, B3.csv, B4.csv and 2 more were {UNREAD}",
    ),
    "SemEval, a run beside gold": (sem() | {"B.txt": SEM_E}, f"B.txt was {UNREAD}"),
    "NTCIR, a run beside gold": (ntcir() | {"B.json": "[]"}, f"B.json was {UNREAD}"),
    "DBDC, a run beside dialogues": (dbdc() | {"B/d1.labels.json": E2}, f"B/ was {UNREAD}"),
    "DBDC, labels among dialogues": (
        {"x/d1.log.json": dbdc()["d1.log.json"]}
        | {"x/d1.labels.json": E2, "runs/A/d1.labels.json": E2},
        f"x/d1.labels.json was {UNREAD}",
    ),
    "companions": (
        oq()
        | dict.fromkeys(["README.md", "LICENSE", ".DS_Store", "__MACOSX/x", "COPYING"], "x")
        | {"classes.txt": "low\nmid\nhigh\n", "runs.csv": "run,group\nA,X\n"},
        "-not read",
    ),
    "groups under another name": (
        oq() | {"groups.csv": "run,group\nA,X\n", "teams.csv": "A,X\n"},
        f"groups.csv, teams.csv were {GROUPS_UNREAD}",
    ),
    "SemEval, teams": (sem() | {"teams.txt": "A X\n"}, f"teams.txt was {GROUPS_UNREAD}"),
    "NTCIR, a list of classes": (ntcir() | LISTED, f"classes.txt was {CLASSES_UNREAD}"),
    "DBDC, a list of classes": (dbdc() | LISTED, f"classes.txt was {CLASSES_UNREAD}"),
    "CSV, a list of classes": (oq() | LISTED, f"-{CLASSES_UNREAD}"),
    "runs that equal the gold": (same(OQ), "A, B equal the gold: every measure gives them the"),
    "a run of labels that equals the gold": (oc(), f"A {PERFECT}"),
    "a run of nuggets that equals the gold": (
        ntcir(run=[{"id": "d1", "nugget": SAME_NUGGETS}], name="runs/A_nugget.json"),
        f"A_nugget {PERFECT}",
    ),
    "a run that nearly equals the gold": (oq(run=OQ.replace("0.1,0.9", "0.2,0.8")), f"-{PERFECT}"),
    "a label that does not equal the gold": (oc(run=OC.replace("t,1,2", "t,1,1")), f"-{PERFECT}"),
    "classes that differ in capitals": (
        oc() | {"classes.txt": "1\nlow\n2\nLow\n"},
        "the classes low, Low differ only in capitals, and count as 2.",
    ),
}  # fmt: skip


def test_noted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in NOTED:
        with case(name, within=tmp_path) as folder:
            files, text = NOTED[name]
            write(folder, files)
            code, problems, out = said(str(folder), capsys)
            assert (code, problems) == (0, [])
            found = {line for line in out.splitlines() if text.removeprefix("-") in line}
            assert len(found) == (not text.startswith("-")), out


def test_nothing_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    room = tmp_path / "room"
    room.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(room))
    for files in (zipped(oq()), zipped(oq(run="")), lying_zip(10)):
        write(tmp_path, files)
        check(tmp_path / "task.zip")
        assert not list(room.iterdir())


VOTES = "topic,low,mid,high\nt1,12,3,15\nt2,3,3,11\n"
SEM_C_10 = "11\ts\t0\n12\ts\t1\n13\tt\t-2\n"


CUT_FILES = [
    (oq(), []),
    (oq(VOTES, VOTES), ["1"]),  # 11 votes that are cut to 1
    (oc(), []),
    (sem(), []),
    (sem(SEM_C_10, SEM_C_10), []),
    (ntcir(), []),
    (dbdc(), []),
]


def test_cut_anywhere(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A run that was cut is read only where a line end alone is gone, or within the last number.

    That is noted, and the only cut that cannot be told from a whole file.
    """
    for files, unseen in CUT_FILES:
        for end in [True, False]:
            with case(end, *files, within=tmp_path) as here:
                name = next(each for each in files if each.startswith("runs/"))
                text = str(files[name])
                step = max(1, len(text) // 12)
                # Always the last places, where a cut shows least.
                places = sorted(
                    {*range(1, len(text), step), *range(max(1, len(text) - 5), len(text))}
                )
                write(here, files)
                assert said(str(here), capsys)[0] == 0
                for place in places:
                    left = text[:place] if end else text[place:]
                    write(here, {name: left})
                    code, _, out = said(str(here), capsys)
                    gone = text[place:] if end else text[:place]
                    harmless = end and (not gone.strip() or gone.strip() in unseen)
                    assert code == (0 if harmless else 2), left
                    assert CUT in out or code, left


def test_many_faults_are_one_cause(tmp_path: Path) -> None:
    rows = "".join(f"t{i},x,1\n" for i in range(5_000))
    write(tmp_path, oq("topic,a,b\n" + rows, "topic,a,b\n" + rows))
    start = time.process_time()
    report = check(tmp_path)
    assert len(report.problems) == 5_000 + 5_000
    first = str(report).splitlines()[0]
    assert "line 2, column 2: 'x', which is no number (and 9999 more like it, in 2 files)" in first
    assert time.process_time() - start < 5
