"""Files as they come: each is refused with one clear line per problem, or read for a reason.

Contents
--------
REFUSED    cases that `ordbook check` refuses, with what it must say, once for each problem
READ       cases that it reads, with the reason why that is right
NOTED      cases that it reads with a note, or without one
"""

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
from ordbook.data.loading import load
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
    "empty folder": ({}, ".", ["no file whose name starts with 'gold'"]),
    "no such path": ({}, "nowhere", ["neither a path that exists"]),
    "a name that is too long": ({}, "x" * 5000, ["neither a path that exists"]),
    "a zero byte in the path": ({}, "a\0b", ["neither a path that exists"]),
    "empty gold": (oq(b""), ".", ["gold.csv: found an empty file"]),
    "gold of spaces": (oq(" \n\n"), ".", ["gold.csv: found an empty file"]),
    "empty run": (oq(run=b""), ".", ["A.csv: found an empty file"]),
    "a header alone": (oq(run=OQ[:19]), ".", ["line 2: found no row below", "'t1'", "'t2'"]),
    "truncated run": (oq(run=OQ.partition("t2")[0]), ".", ["A.csv: found no row for topic 't2'"]),
    "truncated within a row": (oq(run=OQ[:-5]), ".", ["line 3: found 3 cells, expected 4 cells"]),
    "UTF-16": (oq(OQ.encode("utf-16")), ".", ["gold.csv, line 1: found UTF-16 text"]),
    "Latin-1": (oq(run=OQ.replace("t2", "tü").encode("latin-1")), ".", [r"line 3: .*0xfc"]),
    "zero bytes": (oq(run=OQ.replace("t2", "t\0")), ".", ["line 3: found a zero byte"]),
    "damaged gzip": (oq(run=gzip.compress(OQ.encode())[:-9]), ".", ["gzip file that is cut"]),
    "PNG as scores": ({"RNOD.png": PNG}, "RNOD.png", ["RNOD.png: found a PNG picture"]),
    "PDF as scores": ({"a.pdf": b"%PDF-1.4 \xff"}, "a.pdf", ["a.pdf: found a PDF file"]),
    "spreadsheet": ({"a.xlsx": b"PK\x03\x04\xff"}, "a.xlsx", ["found a zip file, as spreadsheets"]),
    "PNG as gold": (oq(PNG), ".", ["gold.csv: found a PNG picture"]),
    "prose": ({"a.md": "# My task\n\nIt is fine.\n"}, "a.md", ["line 1: found '# My task'"]),
    "a backup of gold": (oq() | {"gold.csv.bak": OQ}, ".", ["move gold.csv.bak elsewhere"]),
    "two golds": (oq() | {"gold.json": "[]"}, ".", ["move gold.json elsewhere"]),
    "gold.CSV": ({"gold.CSV": OQ, "runs/A.csv": OQ}, ".", ["rename it to gold.csv"]),
    "Runs": ({"gold.csv": OQ, "Runs/A.csv": OQ}, ".", ["rename Runs to runs"]),
    "Classes.txt": (
        oq() | {"Classes.txt": "high\nmid\nlow\n"},
        ".",
        ["found the name Classes.txt, expected classes.txt, in .*; rename it to classes.txt$"],
    ),
    "CLASSES.CSV": (oc() | {"CLASSES.CSV": "2\n1\n"}, ".", ["rename it to classes.csv$"]),
    "SemEval, Classes.txt": (
        sem() | {"Classes.txt": "2\n1\n0\n-1\n-2\n"}, ".", ["rename it to classes.txt$"],
    ),
    "Runs.csv": (oq() | GROUPED, ".", ["rename it to runs.csv$"]),
    "NTCIR, Runs.csv": (ntcir() | GROUPED, ".", ["rename it to runs.csv$"]),
    "DBDC, Runs.csv": (dbdc() | GROUPED, ".", ["rename it to runs.csv$"]),
    "Runs.csv beside a file of scores": (
        {"NMD.csv": WIDE} | GROUPED, "NMD.csv", ["rename it to runs.csv$"],
    ),
    "Runs.csv among files of scores": (
        {"NMD.csv": WIDE} | GROUPED, ".", ["rename it to runs.csv$"],
    ),
    "gold.csv.gz": (
        {"gold.csv.gz": gzip.compress(OQ.encode()), "runs/A.csv": OQ},
        ".",
        ["line 1: found the columns topic,low,mid,high, expected .*; unpack it to gold.csv$"],
    ),
    "gold.txt with commas": (
        {"gold.txt": OQ, "runs/A.csv": OQ},
        ".",
        ["found the columns topic,low,mid,high, expected them in a .*; rename it to gold.csv$"],
    ),
    "gold-1.csv without a header": (
        {"gold-1.csv": OQ.partition("\n")[2], "runs/A.csv": OQ}, ".", ["rename it to gold.csv$"],
    ),
    "gold.tsv with a header": (
        {"gold.tsv": TABBED, "runs/A.tsv": TABBED},
        ".",
        ["found the columns topic,low,mid,high, expected .*; save it as gold.csv, with commas; or"],
    ),
    "gold.tsv with a header of labels": (
        {"gold.tsv": OC.replace(",", "\t"), "runs/A.csv": OC}, ".", ["save it as gold.csv, with"],
    ),
    "gold.txt with semicolons": (
        {"gold.txt": OQ.replace(",", ";"), "runs/A.csv": OQ}, ".", ["save it as gold.csv, with"],
    ),
    "gold.csv with tabs and Topic": (
        oq(TABBED.replace("topic", "Topic")), ".", ["gold.csv, line 1: found tabs"],
    ),
    "A.csv.gz": (
        {"gold.csv": OQ, "runs/A.csv.gz": gzip.compress(OQ.encode())},
        ".",
        ["unpack it, or move", "no runs"],
    ),
    "gold alone": ({"gold.csv": OQ}, "gold.csv", ["a gold file alone.*name the folder"]),
    "no run": ({"gold.csv": OQ, "runs/.keep": ""}, ".", ["found no runs"]),
    "a folder among runs": (oq() | {"runs/B/C.csv": OQ}, ".", ["runs/B: found a folder"]),
    "a text among runs": (oq() | {"runs/README": "x"}, ".", ["runs/README: found what is not"]),
    "gold is a folder": ({"gold.csv/x": "", "runs/A.csv": OQ}, ".", ["no file whose name starts"]),
    "runs and Runs": (
        zipped(oq() | {"Runs/B.csv": OQ}), "task.zip", ["Runs: found a second folder of runs"],
    ),
    "SemEval, runs and Runs": (sem() | {"RUNS/B.txt": SEM_E}, ".", ["RUNS: found a second folder"]),
    "DBDC, Runs": (
        {name.replace("runs", "Runs"): text for name, text in dbdc().items()},
        ".",
        ["rename Runs to runs"],
    ),
    # totals, means and numbers of rows
    "a column of totals": (
        same(totals(COUNTS)), ".", ["gold.csv, line 1, column 5: .*'total', the sum"],
    ),
    "totals in the middle": (
        same(COUNTS.replace("mid", "low+high").replace("1,1\n", "4,1\n", 1)
             .replace("0,4,1", "0,1,1").replace("1,1,1", "1,2,1").replace("2,2,3", "2,5,3")),
        ".",
        ["gold.csv, line 1, column 3: .*'low\\+high', the sum"],
    ),
    "totals of probabilities": (
        same("topic,low,high,all\nt1,.2,.8,1\nt2,.5,.5,1\n"), ".", ["column 4: .*'all', the sum"],
    ),
    "a column that counts from 1": (same(NUMBERED), ".", ["line 1, column 2: .*'n', which counts"]),
    "a column that counts from 0": (
        same("topic,low,idx,high\n" + "".join(f"t{i},1,{i},{i % 2}\n" for i in range(4))),
        ".",
        ["line 1, column 3: .*'idx', which counts"],
    ),
    "a row of totals": (
        same(COUNTS + "total,6,8,6\n"), ".", ["line 6, column 1: .*'total', the sum"],
    ),
    "a row of totals beside statistics": (
        same(COUNTS + "Total,6,8,6\nMax,3,4,3\nn,4,4,4\n"),
        ".",
        ["'Total', the sum of the other", "'Max', a statistic beside the sum", "'n', a statistic"],
    ),
    "a row of totals in the middle": (
        same("topic,low,mid,high\na,3,4,2\nb,1,5,3\nSubtotal,4,9,5\nc,4,4,1\n"),
        ".",
        ["line 4, column 1: .*'Subtotal', the sum of those above it"],
    ),
    "a row of means": (
        same(COUNTS + "Mean,1.5,2,1.5\n"), ".", ["line 6, column 1: .*'Mean', the mean"],
    ),
    "a row of mean probabilities": (
        same(OQ + "AVG,.25,.175,.575\n"), ".", ["line 4, column 1: .*'AVG', the mean"],
    ),
    "a row and a column All": (
        same(totals(COUNTS + "All,6,8,6\n").replace("total", "All")),
        ".",
        ["line 1, column 5: .*'All', the sum", "line 6, column 1: .*'All', the sum"],
    ),
    "SemEval E, a row of means": (
        sem(SEM_E + "all\t.25\t.25\t0\t.25\t.25\n", SEM_E),
        ".",
        ["gold.txt, line 3, column 1: .*'all', the mean"],
    ),
    # cells
    "tabs for commas": (oq(run=OQ.replace(",", "\t")), ".", ["A.csv, line 1: found tabs"]),
    "semicolons": (oq(OQ.replace(",", ";")), ".", ["gold.csv, line 1: found semicolons"]),
    "decimal commas": (
        oq(run=OQ.replace("0.5", '"0,5"')), ".", ["line 2, column 2: found '0,5'.*point for the"],
    ),
    "a comma that may group digits": (
        oq(COUNTS, COUNTS.replace("t1,3", 't1,"1,234"')),
        ".",
        ["found '1,234'.*write 1234 if commas group the digits, or 1.234 if the comma is"],
    ),
    "commas that group digits": (
        oq(COUNTS, COUNTS.replace("t1,3", 't1,"1,234,567"')),
        ".",
        ["write 1234567 if commas group the digits$"],
    ),
    "commas that group digits, without quotes": (
        oq(COUNTS, COUNTS.replace("t1,3", "t1,1,234")), ".", ["write points; if they group digits"],
    ),
    "NaN": (oq(run=OQ.replace("0.1", "nan")), ".", ["line 3, column 3: found 'nan'"]),
    "infinity": (oq(run=OQ.replace("0.1", "inf")), ".", ["line 3, column 3: found 'inf'"]),
    "1e400": (oq(run=OQ.replace("0.1", "1e400")), ".", ["found '1e400', which is too large"]),
    "Arabic digits": (oq(run=OQ.replace("0.1", "٠.١")), ".", ["line 3, column 3: found '٠.١'"]),
    "underscores": (oq(run=OQ.replace("0.1", "0_1")), ".", ["line 3, column 3: found '0_1'"]),
    "hexadecimal": (oq(run=OQ.replace("0.1", "0x1p-3")), ".", ["found '0x1p-3'"]),
    "percent": (oq(run=OQ.replace("0.1", "10%")), ".", ["found '10%'"]),
    "negative": (oq(run=OQ.replace("0.1", "-0.1")), ".", ["found '-0.1', expected no negative"]),
    "more than 1": (oq(run=OQ.replace("0.9", "1.9")), ".", ["found '1.9', expected a prob"]),
    "sum below 1": (oq(run=OQ.replace("0.9", "0.8")), ".", ["line 3: found a sum of 0.9"]),
    "no vote": (oq("topic,1,2\nt,0,0\n", "topic,1,2\nt,1,0\n"), ".", ["line 2: found only zeros"]),
    "no probability": (oq(run=FIVE_ZEROS), ".", ["line 2: found a sum of 0"]),
    "an empty cell": (
        oq(run=OQ.replace("0.1", "")), ".", ["line 3, column 3: found an empty cell"],
    ),
    "an empty line between": (oq(run=OQ.replace("t2", "\nt2")), ".", ["line 3: found an empty"]),
    "a row of empty cells": (
        oq(run=OQ.replace("t2", ",,,\nt2")),
        ".",
        ["line 3: found a row of empty cells, expected something in it; remove it$"],
    ),
    "rows of empty cells at the end": (
        same(OQ + ",,,\n,,,\n"),
        ".",
        [f"{name}.csv, line 4 and 1 more line: found a row of em.*; remove it$"
         for name in ("gold", "A", "B")],
    ),
    "a row of other empty cells": (
        oq(run=f"{OQ},,,,\n"), ".", ["line 4: found a row of empty cells, .*; remove it$"],
    ),
    "SemEval, a row of empty cells": (
        sem(run=SEM_E + "\t" * 5), ".", ["line 3: found a row of empty cells, .*; remove it$"],
    ),
    "runs.csv, a row of empty cells": (
        oq() | {"runs.csv": "run,group\nA,X\n,\n"}, ".", ["line 3: found a row of empty cells"],
    ),
    "sep=": (
        same(f"sep=,\n{OQ}"),
        ".",
        [f"{name}.csv, line 1: found the line 'sep=,', expected the names of the columns; remove"
         for name in ("gold", "A", "B")],
    ),
    "an open quote": (oq(run=OQ.replace("t2", '"t2')), ".", ["line 3: found a double quote"]),
    "a very long cell": (oq(run=OQ + "x" * 200_000), ".", ["line 4: found a cell of more than"]),
    "a very long row": (oq(run=OQ + ",".join("x" * 99_999)), ".", ["line 4: found 99999 cells"]),
    "a very long header": (oq(run=",".join("x" * 100_001)), ".", ["found 100001 cells, exp"]),
    "very many empty lines": (
        oq(run=OQ + "\n" * 200_000 + "x"), ".", ["found more than 100000 lines with another"],
    ),
    "SemEval, a very long row": (sem(run=SEM_E + "x\t" * 99_999), ".", ["3: found 100000 cells"]),
    "gzip that unpacks to far more": (
        oq(run=gzip.compress(OQ.encode() + b"\n" * 20_000_000)),
        ".",
        ["bytes of gzip that unpack to more than 10 MB"],
    ),
    "JSON, gzip that unpacks to far more": (
        ntcir(run=gzip.compress(b" " * 20_000_000 + b"[]")),
        ".",
        ["bytes of gzip that unpack to more than 10 MB"],
    ),
    "JSON, very many lists": (
        ntcir(run=b"[" + b"[]," * 3_000_000 + b"[]]"),
        ".",
        ["found more than 3000000 lists and objects"],
    ),
    # topics, columns, labels
    "a topic twice": (oq(run=OQ + "t1,1,0,0\n"), ".", ["line 4, column 1: found topic 't1' a sec"]),
    "a topic too many": (oq(run=OQ + "t3,1,0,0\n"), ".", ["line 4, column 1: found topic 't3'"]),
    "a leading zero": (oq(run=OQ.replace("t2", "02")), ".", ["found topic '02'", "no row.*'t2'"]),
    "the other Unicode form of a topic": (
        oq(gold=OQ.replace("t2", "caf\u00e9"), run=OQ.replace("t2", "cafe\u0301")),
        ".",
        [r"as the gold file does: 'cafe\\u0301' and 'caf\\xe9' are the same letters", "no row"],
    ),
    "the other Unicode form of a class": (
        oq(gold=OQ.replace("high", "h\u00f6h"), run=OQ.replace("high", "ho\u0308h")),
        ".",
        [r"'ho\\u0308h' and 'h\\xf6h' are the same letters .*; give the run the same header"],
    ),
    "the other Unicode form of a label": (
        oc(gold=OC.replace("t,1,2", "t,1,\u00e9"), run=OC.replace("t,1,2", "t,1,e\u0301"))
        | {"classes.txt": "1\n2\n\u00e9\n"},
        ".",
        [r"label .*; write it as the class is written: 'e\\u0301' and '\\xe9' are the same"],
    ),
    "the other Unicode form of a listed class": (
        same(OQ.replace("high", "h\u00f6h")) | {"classes.txt": "low\nmid\nho\u0308h\n"},
        ".",
        [r"'h\\xf6h' and 'ho\\u0308h' are the same letters .*; correct the header or the list"],
    ),
    "the other Unicode form of a run in the list": (
        {"gold.csv": OQ, "runs/\u00e9.csv": OQ, "runs.csv": "run,group\ne\u0301,X\n"},
        ".",
        [r"line 2, column 1: .*; write it as the run's own name: 'e\\u0301' and '\\xe9' are the"],
    ),
    "the other Unicode form of a dialogue": (
        ntcir([DIALOGUES[0] | {"id": "\u00e9"}], [ANSWERS[0] | {"id": "e\u0301"}]),
        ".",
        ["no dialogue", r"; write it as gold.json does: 'e\\u0301' and '\\xe9' are the same"],
    ),
    "the other Unicode form of a topic of scores": (
        {"s.csv": LONG.replace("t,A", "\u00e9,A").replace("t,B", "e\u0301,B")},
        "s.csv",
        [
            r"no score for NMD, \u00e9, B, .*; write one of them: '\\xe9' and 'e\\u0301' are the",
            r"no score for NMD, e\u0301, A, .*; write one of them: 'e\\u0301' and '\\xe9' are",
        ],
    ),
    "groups that look alike": (
        oq() | {"runs/B.csv": OQ, "runs.csv": "run,group\nA,\u00e9\nB,e\u0301\n"},
        ".",
        [r"runs.csv, line 3, column 2: found the group .*; write it as above: 'e\\u0301' and"],
    ),
    "languages that look alike": (
        oq() | {"runs/B.csv": OQ, "runs.csv": "run,group,language\nA,X,\u00e9\nB,X,e\u0301\n"},
        ".",
        ["line 3, column 3: found the language .*, expected each written in one way; "],
    ),
    "items that look alike": (
        oc(*[OC.replace("s,1,", "s,\u00e9,").replace("s,2,", "s,e\u0301,")] * 2),
        ".",
        [r"gold.csv, line 3, column 2: found item .*; rename it, .*: 'e\\u0301' and '\\xe9'"],
    ),
    "a space in a topic": (oq(run=OQ.replace("t2", "t2 ")), ".", ["topic 't2 '", "no row.*'t2'"]),
    "Topic": (oq(OQ.replace("topic", "Topic")), ".", ["write 'topic' for 'Topic' in the header"]),
    "Topic of a run": (oq(run=OQ.replace("topic", "Topic")), ".", ["write 'topic' for 'Topic'"]),
    "Label": (oc(OC.replace("label", "Label")), ".", ["write 'label' for 'Label' in the header"]),
    "no header": (oq(OQ.partition("\n")[2]), ".", ["line 1, column 1: found the columns t1,0.5"]),
    "no header of a run": (oq(run=OQ.partition("\n")[2]), ".", ["line 1, column 1: found the col"]),
    "a class twice": (oq(OQ.replace("mid", "low")), ".", ["column 3: found a second column 'low'"]),
    "a class with a space": (
        oq(run=OQ.replace("mid", "mid ")), ".", ["line 1, column 3: .*write 'mid' for 'mid '"],
    ),
    "classes by the alphabet": (
        oq("topic,agree,disagree,neutral\nt,1,2,3\n"),
        ".",
        ["in the order of the alphabet", "A.csv, line 1, column 2: .*low,mid,high, exp.*gold.csv"],
    ),
    "classes by the alphabet, then missing answers": (
        oq(*["topic,agree,disagree,neutral,No answer\nt,1,2,3,4\n"] * 2),
        ".",
        ["column 5: found the column 'No answer', .*leave it out of", "the order of the alphabet"],
    ),
    "classes by number, then missing answers": (
        oq(*["topic,0,1,-1,NA\nt,1,2,3,4\n"] * 2),
        ".",
        ["line 1, column 5: found the column 'NA', a name of missing", "neither rise nor fall"],
    ),
    "missing answers of a pivot table": (
        oq(*["topic,low,mid,high,(blank)\nt,1,2,3,4\n"] * 2), ".", ["column 5: .*'\\(blank\\)'"],
    ),
    "missing answers first": (
        oq(*["topic,<NA>,low,high\nt,1,2,3\n"] * 2), ".", ["column 2: .*'<NA>'.*--classes=LOW"],
    ),
    "classes by the alphabet without its accents": (
        oq(*["topic,élevé,faible,moyen\nt,1,2,3\n"] * 2), ".", ["in the order of the alphabet"],
    ),
    "classes as R sorts and calls them": (
        oq(*["topic,X0,X1,X.1,X2,X.2\nt,1,2,3,4,5\n"] * 2), ".", ["in the order of the alphabet"],
    ),
    "an invisible character": (
        oq(OQ.replace("t2", "t\u202e2"), OQ.replace("t2", "t\u202e2")), ".", ["line 3, column 1"],
    ),
    "a label with a space": (oc(run=OC.replace("t,1,2", "t,1,2 ")), ".", ["label '2 ', expected"]),
    "a label of words": (
        oc(OC.replace("t,1,2", "t,1,good")), ".", ["label 'good', expected whole"],
    ),
    "a gap in the labels": (oc(OC.replace(",2\n", ",5\n")), ".", ["1 and 5"]),
    "columns swapped": (
        oc(run="item,topic,label\n1,s,1\n2,s,2\n1,t,2\n"), ".", ["found the columns item,topic"],
    ),
    "unknown run in the list": (
        oq() | {"runs.csv": "run,group\nB,X\n"}, ".", ["runs.csv, line 2, column 1: found run 'B'"],
    ),
    "Run in the list": (oq() | {"runs.csv": "Run,group\nA,X\n"}, ".", ["write 'run' for 'Run'"]),
    "an empty list of classes": (oq() | {"classes.txt": ""}, ".", ["classes.txt: found an empty"]),
    # SemEval
    "SemEval E, a column less": (
        sem(run=SEM_E.replace("\t0\n", "\n", 1)), ".", ["found 5 cells, exp"],
    ),
    "SemEval E, two tabs at the end": (
        sem(run=SEM_E.replace("\n", "\t\t\n")), ".", ["6 cells; remove the tab at the end$"],
    ),
    "SemEval C, label 3": (sem(SEM_C, SEM_C.replace("\t-2", "\t3")), ".", ["label '3', exp"]),
    "SemEval C, spaces": (sem(SEM_C, SEM_C.replace("\t", " ")), ".", ["line 1: found no tab"]),
    "SemEval C, columns swapped": (
        sem(SEM_C, "s\t1\t0\ns\t2\t1\nt\t3\t-2\n"),
        ".",
        ["found item", "found item", "found item", "no row", "no row", "no row"],
    ),
    "SemEval, two columns": (sem("1\ts\n", SEM_C), ".", ["line 1: found 2 columns"]),
    # JSON
    "JSON cut": (ntcir(run='[{"id": "d1"'), ".", ["line 1, column 13: found what is not JSON"]),
    "JSON, empty": (ntcir(run=b""), ".", ["A_quality.json"]),
    "JSON, deep": (ntcir(run="[" * 100_000), ".", ["nested too deeply"]),
    "JSON, a comma too many": (ntcir(gold='[\n{"id": "d1",}\n]'), ".", ["gold.json, line 2"]),
    "JSON, a key twice": (ntcir(run='[{"id": "d1", "id": "d2"}]'), ".", ["the key 'id' twice"]),
    "JSON, UTF-16": (ntcir(gold="[]".encode("utf-16")), ".", ["line 1: found UTF-16"]),
    "JSON, a number": (ntcir(run="7"), ".", ["found 7, expected a JSON list"]),
    "JSON, huge number": (ntcir(run="[" + "9" * 5000 + "]"), ".", ["expected a JSON object"]),
    "JSON, NaN": (
        ntcir(run=json.dumps(ANSWERS).replace("0.2", "NaN", 1)), ".", ["'d1', A, class -2: found"],
    ),
    "JSON, null": (
        ntcir(run=json.dumps(ANSWERS).replace("0.2", "null", 1)), ".", ["'d1', A, class -2: found"],
    ),
    "JSON, text for a number": (
        ntcir(run=json.dumps(ANSWERS).replace("0.2", '"0.2"', 1)), ".", ["class -2: found '0.2'"],
    ),
    "JSON, other dialogue": (
        ntcir(run=json.dumps(ANSWERS).replace("d1", "d9")), ".", ["'d1'", "'d9'"],
    ),
    "JSON, a label that is a list": (
        ntcir(gold=json.dumps(DIALOGUES).replace('"CNUG0"', '["CNUG0"]')),
        ".",
        ["annotator 1, turn 1"],
    ),
    "NTCIR, quality and nuggets, nuggets wrong": (
        ntcir(run=json.dumps(BOTH).replace('"CNaN": 0.5', '"CNaN": 0.6'), name="runs/A.json"),
        ".",
        ["'d1', turn 1: found a sum of 1.1"],
    ),
    "NTCIR, quality and nuggets, quality wrong": (
        ntcir(run=json.dumps(BOTH).replace('"2": 0.2', '"2": 0.3', 1), name="runs/A.json"),
        ".",
        ["A: found a sum of 1.1"],
    ),
    "NTCIR, nuggets in a later entry alone": (
        ntcir([DIALOGUES[0], DIALOGUES[0] | {"id": "d2"}], LATER, "runs/A.json"),
        ".",
        ["'d1': found no 'nugget'", "'d2': found 1 nugget distribution"],
    ),
    "NTCIR, a nugget run whose name does not say so": (
        ntcir() | {"runs/B.json": json.dumps([{"id": "d1", "nugget": [C_SHARE, H_SHARE]}])},
        ".",
        [
            "B.json, dialogue 'd1': found no 'quality', but 'nugget', .* end in _nugget.json; or",
        ],
    ),
    "NTCIR, an entry about neither": (
        ntcir(run=[{"id": "d1"}]), ".", ["'d1': found no 'quality', expected an object; add it"],
    ),
    "DBDC, cut": (dbdc(run=E2[:-9]), ".", ["d1.labels.json, line 1, column"]),
    "DBDC, label": (dbdc(run=E2.replace('"O"', '"o"')), ".", ["turn 1: found the label 'o'"]),
    "DBDC, turn": (dbdc(run=E2.replace(": 1", ": -1")), ".", ["'turn-index': -1"]),
    "DBDC, annotation": (dbdc(gold='{"turns": [{}]}'), ".", ["d1.log.json, entry 1 of turns"]),
    # scores
    "scores, unknown measure": ({"mine.csv": WIDE}, "mine.csv", ["give --better=mine=low"]),
    "scores, rnod": ({"rnod.csv": WIDE}, "rnod.csv", ["as ordbook does: RNOD"]),
    "scores out of bounds": (
        {"NMD.csv": WIDE.replace("0.4", "1.4")}, "NMD.csv", ["line 3, column 3: found 1.4, exp"],
    ),
    "scores, NaN": ({"NMD.csv": WIDE.replace("0.4", "nan")}, "NMD.csv", ["line 3, column 3"]),
    "scores, Topic": (
        {"NMD.csv": WIDE.replace("topic", "Topic")}, "NMD.csv", ["write 'topic' for"],
    ),
    "scores, a run twice": (
        {"NMD.csv": WIDE.replace("B", "A")}, "NMD.csv", ["column 3: found run 'A'"],
    ),
    "long scores, one missing": (
        {"s.csv": LONG.replace("NMD,u,B,0.4\n", "")}, "s.csv", ["found no score for NMD, u, B"],
    ),
    "long scores, one twice": (
        {"s.csv": LONG + "NMD,u,B,0.4\n"}, "s.csv", ["line 6: .*second time"],
    ),
    "plain scores without runs": (
        {"NMD.txt": "0.1 0.2\n"}, "NMD.txt", ["found no list of its runs"],
    ),
    "plain scores, two lists of runs": (
        {"NMD.txt": "0.1 0.2\n0.3 0.1\n", "NMD.runs": "A\nB\n", "runlist": "B\nA\n"},
        ".",
        ["runlist, line 1: found 'B', expected 'A', as on that line of NMD.runs; remove the wrong"],
    ),
    "plain scores, a shorter list of runs": (
        {"NMD.txt": "0.1 0.2\n", "runlist": "A\nB\n", "runlist.txt": "A\n"},
        "NMD.txt",
        ["runlist.txt, line 2: found no run, expected 'B', as on that line of runlist; remove"],
    ),
    # zip files
    "no zip file": ({"a.zip": b"PK no"}, "a.zip", ["a damaged zip file"]),
    "zip, cut": ({"a.zip": zipped(oq())["task.zip"][:-30]}, "a.zip", ["a damaged zip file"]),
    "zip, outside": (zipped(oq() | {"../x.csv": OQ}), "task.zip", ["leads out of the folder"]),
    "zip, absolute": (zipped(oq() | {"/x.csv": OQ}), "task.zip", ["leads out of the folder"]),
    "zip, link": (link(), "task.zip", ["found a link"]),
    "zip, larger than it says": (lying_zip(10), "task.zip", ["."]),
    "zip bomb": (lying_zip(600_000_000), "task.zip", ["found 600000000 bytes"]),
    "zip that unpacks to far more": (
        zipped(oq() | {"x.csv": b"0" * 30_000_000}),
        "task.zip",
        ["x.csv: found 29.* bytes that unpack to 30000000"],
    ),
    "zip, very deep": (deep_zip(2000), "task.zip", ["found a file 2000 folders deep"]),
    "zip in a zip": (zipped(zipped(oq())), "task.zip", ["no file whose name starts with 'gold'"]),
    "empty zip": (zipped({}), "task.zip", ["no file whose name starts with 'gold'"]),
}  # fmt: skip

# name: (files, what is named, why it is read)
READ: dict[str, tuple[Files, str, str]] = {
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
    """Run the command; return its code, its problems, and everything else it says."""
    code = main(["check", path])
    out, err = capsys.readouterr()
    problems = [line for line in out.splitlines() if ": found " in line] or err.splitlines()
    text = "\n".join([out.split("what can be read")[0], err])
    assert not PYTHON.search(text), text
    return code, problems, out


def test_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in REFUSED:
        with case(name, within=tmp_path) as folder:
            files, place, expected = REFUSED[name]
            write(folder, files)
            code, problems, _ = said(str(folder / place), capsys)
            assert code == 2
            assert len(problems) == len(expected), problems
            for problem, text in zip(problems, expected, strict=True):
                assert re.search(text, problem), problem
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
    "percentages and how many answered": (
        oq(*["topic,low,mid,high,n\nt,20,30,50,12\nu,5,15,80,15\n"] * 2),
        "'n' is taken for a class, and without it every topic adds to 100; if it says something",
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
    "a topic named all": (same(OQ + "all,1,0,0\n"), "there is a topic 'all'; if the row is a sum"),
    "no topic named all": (oq(), "-there is a topic"),
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


def test_links(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """To a file they are read as it, which is noted of others' files; broken ones are refused."""
    folder = tmp_path / "task"
    write(folder, oq())
    (folder / "runs/B.csv").symlink_to(folder / "runs/A.csv")
    other = tmp_path / "other.csv"
    other.write_bytes((folder / "runs/A.csv").read_bytes())
    (folder / "runs/E.csv").symlink_to(other)
    assert said(str(folder), capsys)[0] == 0
    notes = [note for note in load(folder).provenance.notes if "link" in note]
    assert notes == [f"runs/E.csv is a link to {other}, which was read."]
    (folder / "runs/C.csv").symlink_to(folder / "nowhere.csv")
    (folder / "runs/D.csv").symlink_to(folder / "runs/D.csv")
    code, problems, _ = said(str(folder), capsys)
    assert code == 2
    assert [problem.partition(": ")[0] for problem in problems] == [
        str(folder / "runs/C.csv"),
        str(folder / "runs/D.csv"),
    ]


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


def test_many_faults_are_listed_in_reasonable_time(tmp_path: Path) -> None:
    rows = "".join(f"t{i},x,1\n" for i in range(5_000))
    write(tmp_path, oq("topic,a,b\n" + rows, "topic,a,b\n" + rows))
    start = time.process_time()
    assert len(check(tmp_path).problems) == 5_000 + 5_000
    assert time.process_time() - start < 5
