"""What is frozen, area by area: each function returns keys and values as they are today."""

import base64
import contextlib
import gzip
import io
import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import ordbook as ob
from contract.golden import Cells
from contract.tables import cells_of_folder, digest, fingerprint
from ordbook.cli import main

ROOT = Path(__file__).resolve().parents[2]
CORPUS = Path(__file__).with_name("hostile.json.gz")
FORMATS = ["ntcir#A", "ntcir#E", "ntcir#S", "ntcir#nugget",
           "tables", "scores/long.csv", "scores/RNOD.csv", "scores/NMD.txt",
           "scores-by-measure"]  # fmt: skip
TASKS = ["sem16t4c", "sem16t4d", "sem16t4e", "sem17t4c", "sem17t4e", "stc3-dq-a", "stc3-dq-e",
         "stc3-dq-s", "stc3-nd", "dbdc3", "fair-oc", "fair-oq", "llmjudge", "ambistory",
         "ambistory-dev", "latent", "alt-prompts", "alt-stars", "alt-lesion",
         "hanna-RE", "hanna-EM", "hanna-RE-shares", "hanna-EM-shares",
         "data/examples/fair-oc", "data/examples/fair-oq",
         *(f"data/examples/formats/{name}" for name in FORMATS)]  # fmt: skip
SCORED = [
    "data/examples/fair-oc",
    "data/examples/fair-oq",
    "sem16t4c",
    "sem16t4e",
    "stc3-nd",
    "llmjudge",
]


def scores() -> Cells:
    """Score all tasks by all measures: names, and a fingerprint of every measure and run."""
    found: Cells = {}
    measures = [*ob.measures.QUANTIFICATION, *ob.measures.CLASSIFICATION]
    for name in TASKS:
        path, _, part = name.partition("#")
        for aggregate in ("topic", "pooled"):
            place = f"{name} | {aggregate}"
            try:
                scored = ob.score(ob.load(path, part=part or None), aggregate=aggregate)
            except ValueError:
                found[place] = "refused"
                continue
            for measure in measures:
                try:
                    table = scored[measure]
                except (KeyError, ValueError):
                    continue  # a measure for tasks of another kind
                found[place] = f"{len(table)} topics {digest(repr(list(map(str, table.index))))}"
                for run in table.columns:
                    found[f"{place} | {measure} | {run}"] = fingerprint(table[run])
    return found


def command(folder: Path, *arguments: str, suffixes: tuple[str, ...]) -> Cells:
    """Run a command that writes a new folder; return its exit code, and what it wrote."""
    line = [sys.executable, "-m", "ordbook", *arguments, "--out", str(folder)]
    done = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        print(done.stderr[-500:], file=sys.stderr)
    return {"exit code": str(done.returncode)} | cells_of_folder(folder, suffixes)


def score(folder: Path) -> Cells:
    """Read everything that `ordbook score` writes for examples and catalogued tasks."""

    def one(task: str) -> Cells:
        out = folder / Path(task).name
        fixed = ("--trials", "5000")  # the papers' number, so that p is as frozen
        found = command(out, "score", task, *fixed, suffixes=(".csv", ".json", ".md", ".tex"))
        return {f"{task} | {key}": value for key, value in found.items()}

    with ThreadPoolExecutor(2) as pool:
        return {key: value for found in pool.map(one, SCORED) for key, value in found.items()}


def hostile() -> Cells:
    """Check the corpus of bad and unusual files: refused, in which lines, or read."""
    found: Cells = {}
    corpus = json.loads(gzip.decompress(CORPUS.read_bytes()))
    for key, case in corpus.items():
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            Path("task").mkdir()
            os.chdir("task")  # messages may name the folder
            for name, content in case["files"].items():
                path = Path(name)
                path.parent.mkdir(parents=True, exist_ok=True)
                coded = content.get("base64")
                path.write_bytes(base64.b64decode(coded) if coded else content["text"].encode())
            found[key] = checked(case["place"], notes=key.startswith("noted"))
    return found


def checked(place: str, notes: bool = False) -> str:
    """Check a path; say whether it is read, or the first line of every file that is wrong."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        try:
            code = main(["check", place, "--json"])
        except Exception as error:
            return f"crash {type(error).__name__}"
    report = json.loads(out.getvalue() or '{"problems": [], "summary": []}')
    if not code:
        told = sum(len(summary.get("notes", [])) for summary in report["summary"])
        return f"read, {told} notes" if notes else "read"
    first: dict[str, int] = {}
    for problem in report["problems"]:
        line = problem["line"] or 0
        name = Path(problem["file"]).name
        first[name] = min(line, first.get(name, line))
    return " ".join(["refused", *(f"{name}:{first[name]}" for name in sorted(first))])
