"""What fuzzing the readers found, kept as small cases; and that the fuzzer can find something.

Each case broke a reader once: a traceback, a message without a file, or another number than the
file says. How it should be now is what ``fuzz_readers.py`` beside this file demands of any input.

Contents
--------
CASES    case -> the reader, and the input
"""

import importlib.util
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import ordbook as ob
from ordbook.data.tables import check_tables


def _fuzzer() -> ModuleType:
    path = Path(__file__).with_name("fuzz_readers.py")
    spec = importlib.util.spec_from_file_location("fuzz_readers", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


fuzz = _fuzzer()
MANY = b",".join(b"%d" % i for i in range(300))
NINES = b"9" * 4500

CASES: dict[str, tuple[str, bytes]] = {
    # another number than the file says
    "a class named topic": ("tables", b"topic,topic,b\nt,3,1\n"),
    "saved scores without a row": (
        "saved",
        fuzz.LONG[:24] + fuzz.CUT + fuzz.ABOUT.replace(b'{"NMD": "low"}', b"{}"),
    ),
    "scores whose direction is said twice": (
        "described",
        fuzz.LONG + fuzz.CUT + fuzz.ABOUT.replace(b'"NMD": "low"', b'"NMD": "low", "NMD": "high"'),
    ),
    "a list of runs with another end of line": (
        "matrix",
        b"0.5 1 0" + fuzz.CUT + b"A\nB\x0bC",
    ),
    # a traceback
    "a zip file with a file without a name": (
        "zip",
        fuzz.zipped(fuzz.TABLES).replace(b"gold.csvPK", b"\0old.csvPK"),
    ),
    "a plan of deep lists": ("plan", b"data = " + b"[" * 3000),
    "a description of scores that is deep": ("saved", fuzz.LONG + fuzz.CUT + b"[" * 100_000),
    "a score out of bounds, in JSON": ("scores", b"topic,A,B\nt,0,4\n"),
    # no end, or no memory
    "long scores with swapped columns": (
        "scores",
        b"measure,topic,run,score\n" + b"".join(b"%d,t%d,r%d,1\n" % (i, i, i) for i in range(400)),
    ),
    # a message of Python's
    "a label of thousands of digits": ("tables", b"topic,item,label\ns,1,1\ns,2," + NINES),
    "an exponent of thousands of digits": ("tables", b"topic,a,b\nt,.5,.4\nu,.5,0e-" + NINES),
    "a plan with thousands of digits": ("plan", b"data = [" + NINES + b"]"),
    "a plan in Latin-1": ("plan", b'data = ["\xfc"]'),
    "a zip file with a name that is not UTF-8": (
        "zip",
        fuzz.zipped({"gold\u00e4.csv": b""}).replace("ä".encode(), b"\xff\xff"),
    ),
    "labels in such a zip file": (
        "labels-zip",
        fuzz.zipped({"d1ä.labels.json": b""}).replace("ä".encode(), b"\xff\xff"),
    ),
    # a message that names no file
    "so many classes that rounding explains a sum of 0": (
        "tables",
        b"topic," + MANY + b"\nt" + b",0.00" * 300 + b"\nu,0.5" + b",0.00" * 299,
    ),
    "an id of a dialogue that does not show": (
        "ntcir",
        (fuzz.GOLD_JSON + fuzz.CUT + fuzz.QUALITY).replace(b'"d1"', b'"\\u202ed1"'),
    ),
    # a message that a terminal obeys, or of several lines
    "a header that colours the terminal": ("tables", b"\x1b[31mtopic,a,b\nt,1,0\n"),
    "a name of several lines in a zip file": ("zip", fuzz.zipped({"a\nb/../x": b"x"})),
    "a very long label": ("tables", b"topic,item,label\ns,1,1\ns,2," + b"x" * 100_000),
    # what only the fuzzer did not expect
    "annotations without runs": (
        "dbdc",
        b'{"turns": [{"turn-index": 2, "speaker": "S", "utterance": "u", '
        b'"annotations": [{"breakdown": "O"}]}]}',
    ),
}


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, in which temporary files would be seen."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("name", CASES)
def test_found_and_mended(name: str, room: Path) -> None:
    reader, data = CASES[name]
    fuzz.try_input(reader, data, room)


@pytest.mark.parametrize("name", fuzz.READERS)
def test_inputs_to_begin_with_are_read(
    name: str, room: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = []
    read = fuzz.refused

    def spy(*arguments: object) -> object:
        results.append(read(*arguments))
        return results[-1]

    monkeypatch.setattr(fuzz, "refused", spy)
    for seed in fuzz.READERS[name].seeds:
        fuzz.try_input(name, seed, room)
        assert results[-1][1] == "", "no refusal"


@pytest.mark.parametrize("total", ["0.99999", "1.00001"])
def test_a_sum_just_on_the_limit_passes_in_any_order(total: str, tmp_path: Path) -> None:
    """The reader and the task add in different orders: what one lets pass, the other refused."""
    rng = np.random.default_rng(0)
    (tmp_path / "runs").mkdir()
    whole = round(float(total) * 10**6)
    rows = [np.diff([0, *sorted(rng.choice(whole, 10, replace=False)), whole]) for _ in range(40)]
    for columns in (range(11), [3, 1, 4, 10, 5, 9, 2, 6, 0, 8, 7]):
        lines = [",".join(["topic", *(f"c{i}" for i in columns)])]
        lines += [
            ",".join([f"t{n}", *(f"{row[i] / 10**6:.6f}" for i in columns)])
            for n, row in enumerate(rows)
        ]
        for name in ("gold.csv", "runs/A.csv"):
            (tmp_path / name).write_text("\n".join(lines))
        task, problems = check_tables(tmp_path, classes=[f"c{i}" for i in range(11)])
        assert not problems
        assert task is not None
        assert task.estimates.shape == (1, 40, 11)


def test_the_fuzzer_finds_what_is_broken(room: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A topic dropped in silence, a wrong number, and an error that is no ValueError."""
    load = ob.load

    def tried() -> str:
        with pytest.raises(fuzz.Finding) as finding:
            fuzz.try_input("tables", fuzz.OQ, room)
        return str(finding.value).partition("\n")[0]

    def drop(*arguments: object, **options: object) -> object:
        task = load(*arguments, **options)
        rows = slice(None, -1)
        return replace(
            task,
            topics=task.topics[rows],
            _gold=task.gold[rows],
            _estimates=task.estimates[:, rows],
        )

    def bend(*arguments: object, **options: object) -> object:
        task = load(*arguments, **options)
        return replace(task, _estimates=task.estimates[:, :, ::-1])

    def fail(*arguments: object, **options: object) -> object:
        return {}["topic"]

    for broken, kind in ((drop, "topics"), (bend, "estimates"), (fail, "KeyError in ?")):
        monkeypatch.setattr(fuzz, "load", broken)
        assert tried() == kind
    monkeypatch.setattr(fuzz, "load", load)
    fuzz.try_input("tables", fuzz.OQ, room)
