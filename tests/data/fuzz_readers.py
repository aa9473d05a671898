"""A coverage-guided fuzzer for each reader; pytest does not collect it.

``python tests/data/fuzz_readers.py READER FOLDER -max_total_time=600``, with atheris installed
beside the package. FOLDER gets the inputs that reached new code, and, in ``found-READER``, the
smallest input of each kind of finding. Whatever follows goes to libFuzzer.

An input is cut at lines of four dashes into the files of a small task. A finding is any error but
a ValueError of one line that names the place; a check that finds nothing where loading fails, or
the reverse; and a task whose names or numbers are not those that the files say, read here a
second time with nothing but ``csv``, ``json`` and ``tomllib``.

Contents
--------
READERS     reader -> the files that an input is cut into, and what they should say
Finding     what must not happen
try_input   one input -> nothing, or a Finding
keep        the smallest input of each kind of finding
main        the command line
"""

import csv
import gzip
import hashlib
import io
import json
import math
import re
import shutil
import sys
import tempfile
import tomllib
import traceback
import unicodedata
import zipfile
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

try:
    import atheris
except ModuleNotFoundError:  # the inputs can be tried without it
    atheris = None

if atheris is not None:
    sys.modules.pop("tomllib", None)  # imported above: a plan goes through it
    sys.modules.pop("tomllib._parser", None)
    with atheris.instrument_imports(include=["ordbook.data", "ordbook.book.sweep", "tomllib"]):
        import tomllib

        import ordbook.book.sweep.plan_file
        import ordbook.data.checking
        import ordbook.data.loading
        import ordbook.data.scores

import ordbook as ob
from ordbook.data.checking import check
from ordbook.data.loading import load
from ordbook.data.nuggets import NuggetTask
from ordbook.data.scores import load_scores
from ordbook.data.scoretask import ScoresTask
from ordbook.data.tasks import ClassificationTask, QuantificationTask

PACKAGE = Path(ob.__file__).parent
CUT = b"\n----\n"
EXAMPLES = Path(__file__).resolve().parents[2] / "data" / "examples"
# Words of Python that no reader of a message can use.
PYTHON = re.compile(
    r"Traceback|Errno|object at|<class|NoneType|codec can't|Exceeds the limit|could not convert|"
    r"invalid literal|out of range|unhashable|not subscriptable|JSONDecodeError|recursion"
)
Files = Mapping[str, bytes]


class Finding(Exception):
    """What must not happen; its first line tells the kind."""


@dataclass(frozen=True)
class Reader:
    """What an input is cut into, and how it is read.

    Attributes
    ----------
    names
        The files, in the order of the parts of an input; the last takes the rest.
    fixed
        Files that are there besides, unless an input has them.
    place
        What is read, inside the folder.
    part
        Which task of NTCIR files.
    seeds
        Inputs to begin with.
    says
        Compares a task that was read with the files.
    """

    names: tuple[str, ...]
    says: Callable[[Files, Any], None] | None
    seeds: tuple[bytes, ...]
    fixed: Mapping[str, bytes] = field(default_factory=dict)
    place: str = ""
    part: str | None = None


def same(found: object, expected: object, what: str) -> None:
    if found != expected:
        raise Finding(f"{what}\nfound {found!r:.500}\nexpected {expected!r:.500}")


def close(found: Any, expected: Any, what: str) -> None:
    found, expected = np.asarray(found, dtype=float), np.asarray(expected, dtype=float)
    same(found.shape, expected.shape, f"shape of {what}")
    if not np.isfinite(found).all():
        raise Finding(f"{what} not finite\n{found!r:.500}")
    if not np.allclose(found, expected, rtol=1e-12, atol=1e-12):
        raise Finding(f"{what}\nfound {found!r:.500}\nexpected {expected!r:.500}")


# What files say, read a second time


def text_of(content: bytes) -> str:
    if content[:2] == b"\x1f\x8b":
        content = gzip.decompress(content)
    return content.decode("utf-8-sig")


def filled_lines(text: str) -> int:
    return sum(bool(line) for line in re.split("\r\n|\r|\n", text))


def rows_of(content: bytes) -> list[list[str]]:
    text = text_of(content)
    rows = [row for row in csv.reader(io.StringIO(text, newline=""), skipinitialspace=True) if row]
    same(len(rows), filled_lines(text), "rows and lines")
    return rows


def shares_of(rows: list[list[float]], counts: bool) -> list[list[float]]:
    if not counts or not all(value == int(value) for row in rows for value in row):
        return rows
    return [[float(Fraction(v) / sum(map(Fraction, row))) for v in row] for row in rows]


def says_shares(
    task: QuantificationTask,
    gold: list[list[str]],
    runs: Mapping[str, list[list[str]]],
    head: Mapping[str, list[str]],
    *,
    counts: bool,
) -> None:
    """Compare with rows of topic and numbers; ``head`` has the classes of each file."""
    same(task.topics, tuple(row[0] for row in gold), "topics")
    same(sorted(task.classes), sorted(head["gold"]), "classes")
    same(task.runs, tuple(runs), "runs")

    def numbers(rows: list[list[str]], labels: list[str]) -> list[list[float]]:
        by_topic = {row[0]: dict(zip(labels, row[1:], strict=True)) for row in rows}
        same(len(by_topic), len(rows), "topics once")
        same(set(by_topic), set(task.topics), "topics of a file")
        found = [[float(by_topic[t][c]) for c in task.classes] for t in task.topics]
        return shares_of(found, counts)

    close(task.gold, numbers(gold, head["gold"]), "gold")
    expected = [numbers(rows, head[run]) for run, rows in runs.items()]
    close(task.estimates, np.reshape(expected, task.estimates.shape), "estimates")


def says_labels(
    task: ClassificationTask, gold: list[list[str]], runs: Mapping[str, list[list[str]]]
) -> None:
    """Compare with rows of topic, item and label."""
    same(len(task.gold), len(gold), "items")
    same(task.topics, tuple(dict.fromkeys(row[0] for row in gold)), "topics")
    same([task.topics[i] for i in task.topic], [row[0] for row in gold], "topic of each item")
    same([task.classes[i] for i in task.gold], [row[2] for row in gold], "gold")
    same(task.runs, tuple(runs), "runs")
    for run, rows in zip(runs.values(), task.predicted, strict=True):
        by_item = {(row[0], row[1]): row[2] for row in run}
        same(len(by_item), len(run), "items once")
        same(len(run), len(gold), "items of a run")
        same([task.classes[i] for i in rows], [by_item[r[0], r[1]] for r in gold], "predicted")


def run_files(files: Files) -> dict[str, bytes]:
    return {
        Path(name).stem: content
        for name, content in sorted(files.items())
        if name.startswith("runs/")
    }


def says_tables(files: Files, task: Any) -> None:
    gold = rows_of(files["gold.csv"])
    runs = {run: rows_of(content) for run, content in run_files(files).items()}
    if "classes.txt" in files:
        labels = tuple(row[0] for row in rows_of(files["classes.txt"]))
        same(task.classes, labels, "listed classes")
    if gold[0] == ["topic", "item", "label"]:
        says_labels(task, gold[1:], {run: rows[1:] for run, rows in runs.items()})
        return
    head = {"gold": gold[0][1:]} | {run: rows[0][1:] for run, rows in runs.items()}
    if "classes.txt" not in files:
        same(task.classes, tuple(head["gold"]), "order of the classes")
    body = {run: rows[1:] for run, rows in runs.items()}
    says_shares(task, gold[1:], body, head, counts=True)


def says_semeval(files: Files, task: Any) -> None:
    def rows_of(content: bytes) -> list[list[str]]:
        text = text_of(content)
        lines = [line.removesuffix("\r") for line in text.split("\n")]
        return [line.split("\t") for line in lines if line]

    gold = rows_of(files["gold.txt"])
    runs = {run: rows_of(content) for run, content in run_files(files).items()}
    if isinstance(task, ClassificationTask):
        moved = {run: [[r[1], r[0], *r[2:3]] for r in rows] for run, rows in runs.items()}
        says_labels(task, [[r[1], r[0], *r[2:3]] for r in gold], moved)
        return
    wide = len(task.classes) + 1
    for rows in (gold, *runs.values()):
        same({tuple(row[wide:]) for row in rows} <= {(), ("",)}, True, "further columns")
    cut = {run: [row[:wide] for row in rows] for run, rows in runs.items()}
    head = {file: list(task.classes) for file in ("gold", *runs)}
    says_shares(task, [row[:wide] for row in gold], cut, head, counts=False)


def says_ntcir(files: Files, task: Any) -> None:
    gold = json.loads(text_of(files["gold.json"]))
    same(task.topics, tuple(entry["id"] for entry in gold), "topics")
    runs = {run: json.loads(text_of(content)) for run, content in run_files(files).items()}
    same(len(task.runs), len(runs), "runs")
    by_id = [{entry["id"]: entry for entry in entries} for entries in runs.values()]
    for answers, entries in zip(by_id, runs.values(), strict=True):
        same(len(answers), len(entries), "dialogues once")
        same(set(answers), set(task.topics), "dialogues of a run")
    if isinstance(task, NuggetTask):
        for side, turns in (("customer", task.customer), ("helpdesk", task.helpdesk)):
            where = [
                (t, i)
                for t, entry in enumerate(gold)
                for i, turn in enumerate(entry["turns"])
                if turn["sender"] == side
            ]
            same(list(zip(turns.topic, turns.position, strict=True)), where, "turns")
            votes = [
                [
                    sum(a["nugget"][i] == c for a in gold[t]["annotations"])
                    / len(gold[t]["annotations"])
                    for c in turns.classes
                ]
                for t, i in where
            ]
            close(turns.gold, np.reshape(votes, turns.gold.shape), "gold")
            said = [
                [[answers[task.topics[t]]["nugget"][i][c] for c in turns.classes] for t, i in where]
                for answers in by_id
            ]
            close(turns.estimates, np.reshape(said, turns.estimates.shape), "estimates")
        return
    votes = [
        [
            sum(a["quality"]["A"] == int(c) for a in entry["annotations"])
            / len(entry["annotations"])
            for c in task.classes
        ]
        for entry in gold
    ]
    close(task.gold, votes, "gold")
    said = [
        [[answers[topic]["quality"]["A"][c] for c in task.classes] for topic in task.topics]
        for answers in by_id
    ]
    close(task.estimates, np.reshape(said, task.estimates.shape), "estimates")


def says_dbdc(files: Files, task: Any) -> None:
    turns = sorted(
        json.loads(text_of(files["d1.log.json"]))["turns"], key=lambda t: t["turn-index"]
    )
    asked = [turn for turn in turns if turn["annotations"]]
    same(task.topics, tuple(f"d1_{turn['turn-index']:02d}" for turn in asked), "topics")
    votes = [
        [sum(a["breakdown"] == x for a in turn["annotations"]) for x in "XTO"] for turn in asked
    ]
    close(task.gold, [[x / sum(row) for x in row] for row in votes], "gold")
    if "runs/A/d1.labels.json" not in files:
        same(task.runs, (), "runs")
        return
    answers = json.loads(text_of(files["runs/A/d1.labels.json"]))["turns"]
    same(len(answers), len(asked), "answers")
    by_turn = {turn["turn-index"]: turn["labels"][0] for turn in answers}
    said = [[by_turn[turn["turn-index"]][f"prob-{x}"] for x in "XTO"] for turn in asked]
    close(task.estimates, [said], "estimates")


def says_scores(files: Files, task: Any) -> None:
    assert isinstance(task, ScoresTask)
    cells = {}
    for name, content in files.items():
        if not name.endswith(".csv"):
            continue
        head, *rows = rows_of(content)
        for row in rows:
            if head == ["measure", "topic", "run", "score"]:
                cells[tuple(row[:3])] = float(row[3])
            else:
                for run, cell in zip(head[1:], row[1:], strict=True):
                    cells[name.removesuffix(".csv"), row[0], run] = float(cell)
    same(task.scores.values.size, len(cells), "number of scores")
    says_cells(task.scores, cells)


def says_cells(scores: Any, cells: Mapping[tuple[str, ...], float]) -> None:
    expected = [
        [[cells[m, t, r] for r in scores.runs] for t in scores.topics] for m in scores.measures
    ]
    close(scores.values, expected, "scores")


def says_matrix(files: Files, task: Any) -> None:
    lines, runs = (
        [line.strip() for line in re.split("\r\n|\r|\n", text_of(files[name])) if line.strip()]
        for name in ("NMD.txt", "NMD.runs")
    )
    same(task.runs, tuple(runs), "runs")
    same(task.topics, tuple(str(i + 1) for i in range(len(lines))), "topics")
    close(
        task.scores.values, [[[float(cell) for cell in line.split()] for line in lines]], "scores"
    )


def says_saved(files: Files, scores: Any) -> None:
    head, *rows = list(csv.reader(io.StringIO(files["s.csv"].decode(), newline="")))
    rows = [row for row in rows if row]
    same(head, ["measure", "topic", "run", "score"], "header")
    same(bool(rows), True, "a matrix of nothing")
    same(scores.values.size, len(rows), "number of scores")
    same(scores.better, json.loads(files["s.json"])["better"], "which end is better")
    says_cells(scores, {tuple(row[:3]): float(row[3]) for row in rows})


def says_described(files: Files, task: Any) -> None:
    says_scores(files, task)
    if "s.json" in files:
        pairs = json.loads(files["s.json"], object_pairs_hook=list)
        ends = [end for key, value in pairs if key == "better" for end in value]
        same(task.scores.better, dict(ends), "which end is better")
        same(len(dict(ends)), len(ends), "each direction once")


def says_classes(files: Files, task: Any) -> None:
    same(task.classes, tuple(row[0] for row in rows_of(files["classes.txt"])), "classes")


def says_groups(files: Files, task: Any) -> None:
    if "runs.csv" not in files:
        return
    head, *rows = rows_of(files["runs.csv"])
    same(head[:2], ["run", "group"], "header")
    same(task.groups, {row[0]: row[1] for row in rows if row[1]}, "groups")
    same(task.languages, {row[0]: row[2] for row in rows if row[2:] and row[2]}, "languages")


def says_plan(files: Files, plan: Any) -> None:
    said = tomllib.loads(text_of(files["plan.toml"]).replace("\r\n", "\n").replace("\r", "\n"))
    same(set(said) <= {"chapters", "data", "parameters"}, True, "entries")
    same(list(plan.chapters), said.get("chapters", []), "chapters")
    same(len(plan.data), len(said.get("data", [])), "data")
    same(set(plan.parameters), set(said.get("parameters", {})), "parameters")


# Where to begin


def example(*names: str) -> bytes:
    return CUT.join((EXAMPLES / name).read_bytes()[:1200] for name in names)


def few(name: str, lines: int) -> bytes:
    return b"\n".join((EXAMPLES / name).read_bytes().split(b"\n")[:lines]) + b"\n"


def zipped(files: Files, kind: int = zipfile.ZIP_STORED) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", kind) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name), content, kind)
    return packed.getvalue()


OQ = b"topic,low,mid,high\nt1,0.5,0.25,0.25\nt2,0,0.1,0.9\n"
VOTES = b"topic,1,2,3\nt1,5,0,3\nt2,0,1,2\n"
OC = b"topic,item,label\ns,1,1\ns,2,2\nt,1,2\n"
WORDS = b"topic,item,label\ns,1,low\ns,2,high\nt,1,mid\n"
SEM_C = b"1\ts\t0\n2\ts\t1\n3\tt\t-2\n"
SEM_E = b"s\t0.5\t0.5\t0\t0\t0\nt\t0\t0\t0\t0.33\t0.66\n"
LONG = b"measure,topic,run,score\nNMD,t,A,0.1\nNMD,t,B,0.2\nNMD,u,A,0.3\nNMD,u,B,0.4\n"
WIDE = b"topic,A,B\nt,0.1,0.2\nu,0.3,0.4\n"
GOLD_JSON = json.dumps(
    [
        {
            "id": name,
            "turns": [{"sender": "customer"}, {"sender": "helpdesk"}],
            "annotations": [
                {"quality": {"A": 0, "E": 1, "S": -2}, "nugget": ["CNUG0", "HNUG"]},
                {"quality": {"A": 2, "E": 1, "S": -1}, "nugget": ["CNaN", "HNUG*"]},
            ],
        }
        for name in ("d1", "d2")
    ]
).encode()
FIFTHS = {"-2": 0.2, "-1": 0.2, "0": 0.2, "1": 0.2, "2": 0.2}
QUALITY = json.dumps(
    [{"id": name, "quality": {"A": FIFTHS, "E": FIFTHS, "S": FIFTHS}} for name in ("d2", "d1")]
).encode()
NUGGET = json.dumps(
    [
        {
            "id": name,
            "nugget": [
                {"CNUG0": 0.5, "CNUG": 0.5, "CNUG*": 0, "CNaN": 0},
                {"HNUG": 1, "HNUG*": 0, "HNaN": 0},
            ],
        }
        for name in ("d1", "d2")
    ]
).encode()
LOG = json.dumps(
    {
        "turns": [
            {"turn-index": 0, "speaker": "U", "utterance": "u", "annotations": []},
            {
                "turn-index": 1,
                "speaker": "S",
                "utterance": "u",
                "annotations": [{"breakdown": "O"}, {"breakdown": "X"}],
            },
        ]
    }
).encode()
LABELS = json.dumps(
    {
        "dialogue-id": "d1",
        "turns": [
            {
                "turn-index": 1,
                "labels": [{"breakdown": "O", "prob-O": 0.5, "prob-T": 0.2, "prob-X": 0.3}],
            }
        ],
    }
).encode()
ABOUT = json.dumps(
    {
        "format": 1,
        "task": "s",
        "source": "yours",
        "better": {"NMD": "low"},
        "computed_from": {},
        "notes": [],
        "scores_sha256": "SHA",
    }
).encode()
PLAN = b"""chapters = ["acl21", "lq21"]
data = ["sem16t4e", "../my task", { path = "marriage.zip", classes = "low,mid,high" }]
[parameters]
trials = 1000
seed = [0, 1]
own = "mine.py:A, NMD"
"""
GROUPS = b"run,group,language\nA,X,en\nB,Y,\n"
TABLES = {"gold.csv": OQ, "runs/A.csv": OQ}
# In `formats` the first byte of each part chooses its name.
NAMES = (
    *("gold.csv", "gold.txt", "gold.json", "gold.json.gz", "GOLD.csv", "classes.txt", "runs.csv"),
    *("runs/A.csv", "runs/A.txt", "runs/A.json", "runs/B_quality.json", "runs/B_nugget.json"),
    *("runs/B.csv", "runs/A/d1.labels.json", "runs/A.zip", "d1.log.json", "deep/d1.log.json"),
    *("NMD.csv", "NMD.txt", "NMD.runs", "runlist", "RNOD.csv.gz", "NMD.json", "classes.csv"),
    *("runs/.hidden", "runs/D/x.csv", "README.md"),
)


def chosen(**files: bytes) -> bytes:
    return CUT.join(bytes([97 + NAMES.index(name)]) + content for name, content in files.items())


READERS: dict[str, Reader] = {
    "tables": Reader(
        ("gold.csv", "runs/A.csv", "classes.txt"),
        says_tables,
        (
            OQ,
            VOTES,
            OC,
            CUT.join([OQ, OQ.replace(b"mid,high", b"high,mid"), b"low\nmid\nhigh\n"]),
            CUT.join([WORDS, WORDS.replace(b"t,1,mid", b"t,1,low"), b"low\nmid\nhigh\n"]),
            CUT.join([VOTES, b"topic,3,2,1\nt2,0.33,0.33,0.33\nt1,1,0,0\n"]),
            CUT.join([b"\xef\xbb\xbf" + OQ.replace(b"\n", b"\r\n"), gzip.compress(OQ)]),
            b'topic,"a","b ""c"""\n"t,1",1e-1,.9\nt2,-0.0,1.\n',
        ),
    ),
    "semeval": Reader(
        ("gold.txt", "runs/A.txt"),
        says_semeval,
        (
            SEM_C,
            SEM_E,
            SEM_E + CUT + SEM_E.replace(b"\n", b"\t\r\n"),
            few("formats/semeval-e/gold.txt", 3),
        ),
    ),
    "ntcir": Reader(
        ("gold.json", "runs/A_quality.json"), says_ntcir, (GOLD_JSON + CUT + QUALITY,), part="A"
    ),
    "nuggets": Reader(
        ("gold.json", "runs/A_nugget.json"), says_ntcir, (GOLD_JSON + CUT + NUGGET,), part="nugget"
    ),
    "dbdc": Reader(("d1.log.json", "runs/A/d1.labels.json"), says_dbdc, (LOG + CUT + LABELS,)),
    "scores": Reader(
        ("NMD.csv", "RNOD.csv"),
        says_scores,
        (WIDE, LONG, WIDE + CUT + WIDE.replace(b"A,B", b"B,A"), few("formats/scores/RNOD.csv", 4)),
    ),
    "matrix": Reader(
        ("NMD.txt", "NMD.runs"),
        says_matrix,
        (b"0.1 0.2\n0.3\t0.4\n" + CUT + b"A\nB\n", b".5 1 0 1e-3\n" + CUT + b"A\nB\nC c\nD"),
        place="NMD.txt",
    ),
    "saved": Reader(("s.csv", "s.json"), says_saved, (LONG + CUT + ABOUT,)),
    "described": Reader(("s.csv", "s.json"), says_described, (LONG, LONG + CUT + ABOUT)),
    "zip": Reader(
        ("task.zip",),
        None,
        (
            zipped(TABLES),
            zipped(TABLES, zipfile.ZIP_DEFLATED),
            zipped(TABLES, zipfile.ZIP_BZIP2),
            zipped(TABLES, zipfile.ZIP_LZMA),
            zipped({"d1.log.json": LOG, "runs/A.zip": zipped({"d1.labels.json": LABELS})}),
            zipped({f"ä/{name}": content for name, content in TABLES.items()}),
        ),
        place="task.zip",
    ),
    "labels-zip": Reader(
        ("runs/A.zip",),
        None,
        (
            zipped({"d1.labels.json": LABELS}),
            zipped({"a/d1.labels.json": LABELS, "ö": b"x"}, zipfile.ZIP_DEFLATED),
        ),
        fixed={"d1.log.json": LOG},
    ),
    "classes": Reader(
        ("classes.txt",),
        says_classes,
        (b"low\nmid\nhigh\n", b"high\r\nmid\r\nlow", b'"mid"\nlow\nhigh'),
        fixed={"gold.csv": WORDS, "runs/A.csv": WORDS},
    ),
    "groups": Reader(
        ("runs.csv",),
        says_groups,
        (GROUPS, b"run,group\nB,\nA,x y\n"),
        fixed=TABLES | {"runs/B.csv": OQ},
    ),
    "plan": Reader(("plan.toml",), says_plan, (PLAN, b'chapters = ["all"]\ndata = ["fair-oq"]\n')),
    "formats": Reader(
        (),
        None,
        (
            chosen(**{"gold.csv": OQ, "runs/A.csv": OQ, "classes.txt": b"low\nmid\nhigh\n"}),
            chosen(**{"gold.txt": SEM_C, "runs/A.txt": SEM_C, "runs.csv": b"run,group\nA,x\n"}),
            chosen(**{"gold.json": GOLD_JSON, "runs/B_quality.json": QUALITY}),
            chosen(**{"gold.json": GOLD_JSON, "runs/B_nugget.json": NUGGET}),
            chosen(**{"d1.log.json": LOG, "runs/A/d1.labels.json": LABELS}),
            chosen(**{"NMD.csv": WIDE, "RNOD.csv.gz": gzip.compress(WIDE)}),
            chosen(**{"NMD.txt": b"0.1 0.2\n", "runlist": b"A\nB\n"}),
            chosen(**{"NMD.csv": LONG, "NMD.json": ABOUT}),
        ),
    ),
}
TOKENS = [
    *("topic", "item", "label", "measure", "run", "score", "group", "language", "nan", "1e400"),
    *("-0.0", "0e-99999", "\\x0a----\\x0a", "\\xef\\xbb\\xbf", "\\xff\\xfe", "\\x00", "\\x0d\\x0a"),
    *(
        "\\x1f\\x8b",
        "\\xe2\\x80\\xa8",
        "\\xc2\\xa0",
        "\\x0c",
        "\\x1b[31m",
        "\\xe2\\x80\\xae",
        "[[[[",
    ),
    *('\\"\\"', "customer", "helpdesk", "nugget", "quality", "annotations", "sender", "turns"),
    *("turn-index", "speaker", "breakdown", "dialogue-id", "prob-O", "\\\\ud800", "null", "true"),
    *("1e999", "99999999999999999999", "path", "classes", "part", "better", "low", "0.5", "\\x09"),
]


# One input


def files_of(reader: Reader, data: bytes) -> dict[str, bytes]:
    if not reader.names:
        parts = [part for part in data.split(CUT) if part]
        return {NAMES[(part[0] - 97) % len(NAMES)]: part[1:] for part in parts}
    parts = data.split(CUT, len(reader.names) - 1) if len(reader.names) > 1 else [data]
    files = dict(reader.fixed) | dict(zip(reader.names, parts, strict=False))
    if reader.names[0].startswith("gold.") and len(parts) == 1 and parts[0][:1] != b"[":
        files[reader.names[1]] = parts[0]  # the gold file answers for a run
    for about, scores in (("s.json", "s.csv"), ("NMD.json", "NMD.csv")):
        if about in files:
            checksum = hashlib.sha256(files.get(scores, b"")).hexdigest().encode()
            files[about] = files[about].replace(b"SHA", checksum)
    return files


def refused(read: Callable[[], Any], folder: Path) -> tuple[Any, str]:
    """Return what was read, or the message of a refusal."""
    try:
        return read(), ""
    except ValueError as error:
        message = str(error)
        if isinstance(error, UnicodeError) or PYTHON.search(message):
            raise Finding(f"message of a programmer: {where(error)}\n{message!r}") from error
        check_line(message, folder)
        return None, message


def hidden(line: str) -> bool:
    return any(
        unicodedata.category(each) in ("Cc", "Cs", "Zl", "Zp") or each in "\u200e\u202e\u2066"
        for each in line
    )


def check_line(line: str, folder: Path) -> None:
    if len(line) > 2000:
        raise Finding(f"message of {len(line)} characters\n{line:.600}")
    if hidden(line):
        raise Finding(f"message that does not show: {kind_of(line, folder)}\n{line!r:.600}")
    if str(folder) not in line and not line.startswith(("classes", "better=")):
        raise Finding(f"message that names no file: {kind_of(line, folder)}\n{line!r:.600}")


def kind_of(line: str, folder: Path) -> str:
    cut = line.replace(str(folder), "").partition(", expected ")[0]
    return re.sub(r"'[^']*'|[^a-z ]+", "", cut)[:50]


def where(error: BaseException) -> str:
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if Path(frame.filename).is_relative_to(PACKAGE)
    ]
    last = f"{Path(frames[-1].filename).name}:{frames[-1].name}" if frames else "?"
    return f"{type(error).__name__} in {last}"


def try_input(name: str, data: bytes, room: Path) -> None:
    """Read one input; raise Finding if anything happens that must not."""
    reader = READERS[name]
    folder = room / "task"
    files = files_of(reader, data)
    there = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    if not there <= files.keys() or not reader.names:
        shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(exist_ok=True)
    for each, content in files.items():
        target = folder / each
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    try:
        _read(name, reader, folder, files, data)
    except Finding:
        raise
    except Exception as error:
        trace = "".join(traceback.format_exception(error))
        raise Finding(f"{where(error)}\n{trace}") from error
    left = [path.name for path in room.iterdir() if path.name != "task"]
    same(left, [], "left behind")


def _read(name: str, reader: Reader, folder: Path, files: Files, data: bytes) -> None:
    if name == "plan":
        from ordbook.book.sweep.plan_file import read_plan  # which imports what others do not need

        plan, _ = refused(lambda: read_plan(folder / "plan.toml"), folder)
        if plan is not None:
            says_plan(files, plan)
        return
    if name == "saved":
        scores, _ = refused(lambda: load_scores(folder / "s.csv"), folder)
        if scores is not None:
            says_saved(files, scores)
        return
    place = folder / reader.place
    report, _ = refused(lambda: check(place, part=reader.part), folder)
    if report is not None:
        for problem in report.problems:
            check_line(str(problem), folder)
        for line in str(report).split("\n"):
            if hidden(line):
                raise Finding(f"report that does not show: {kind_of(line, folder)}\n{line!r:.600}")
        json.dumps(report.as_json(), ensure_ascii=False).encode()
    if (report is None or report.problems) and zlib.crc32(data) % 4:
        return  # loading is refused as well, which is looked at now and then
    part = reader.part
    if report is not None and report.format == "ntcir" and part is None:
        part = report.summary[0].part if report.summary else "A"
    task, message = refused(lambda: load(place, part=part), folder)
    fine = report is not None and not report.problems
    no_runs = report is not None and any("found no runs" in str(p) for p in report.problems)
    if fine != (task is not None) and not (task is not None and no_runs):
        raise Finding(f"check and load differ\n{message!r}\n{report}")
    if task is None:
        return
    if reader.says is not None:
        reader.says(files, task)
    if task.runs and zlib.crc32(data) % 8 == 0 and len(task.classes) < 20 and len(task.topics) < 50:
        scored = ob.score(task)
        same(scored.values.shape[1:], (len(task.topics), len(task.runs)), "shape of the scores")
        if not all(map(math.isfinite, scored.values.ravel().tolist())):
            raise Finding(f"scores that are not finite\n{scored.values!r:.500}")


# The command line


def keep(finding: Finding, data: bytes, folder: Path) -> None:
    """Keep the input if it is the first or the smallest of its kind."""
    kind = re.sub(r"[^A-Za-z0-9]+", "-", str(finding).split("\n")[0])[:90]
    target = folder / kind
    if not target.exists() or len(data) < target.stat().st_size:
        new = not target.exists()
        target.write_bytes(data)
        (folder / f"{kind}.txt").write_text(str(finding), errors="backslashreplace")
        if new:
            print(f"FOUND {kind}\n{str(finding)[:1500]}", file=sys.stderr, flush=True)


def main() -> None:
    name, place, *options = sys.argv[1:]
    folder = Path(place)
    found, corpus = folder / f"found-{name}", folder / f"corpus-{name}"
    for each in (found, corpus):
        each.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(READERS[name].seeds):
        (corpus / f"seed{number}").write_bytes(seed)
    tokens = folder / f"tokens-{name}.txt"
    tokens.write_text("".join(f'"{token}"\n' for token in TOKENS))
    shared = Path("/dev/shm")  # in memory, where the system has it
    room = (shared if shared.is_dir() else folder) / f"fuzz-{name}"
    shutil.rmtree(room, ignore_errors=True)
    room.mkdir()
    tempfile.tempdir = str(room)

    def one(data: bytes) -> None:
        try:
            try_input(name, data, room)
        except Finding as finding:
            keep(finding, data, found)

    for seed in READERS[name].seeds:
        one(seed)  # what is imported only then does not count as time of an input
    limits = ["-timeout=20", "-rss_limit_mb=2500", "-max_len=4000", "-print_final_stats=1"]
    outputs = [f"-dict={tokens}", f"-artifact_prefix={found}/"]
    atheris.Setup([sys.argv[0], str(corpus), *limits, *outputs, *options], one)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
