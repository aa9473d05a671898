"""Commands in any order, on small sound and spoilt tasks, with good and bad arguments.

Whatever is asked: the exit code is 0, 1 or 2 and never a traceback; with ``--json`` stdout is
JSON; a folder of results is whole, or as it was before, and nothing else changes; and the same
command says and writes the same again. ``ORDBOOK_EXAMPLES=100`` tries a hundred times as many
sequences.

Contents
--------
KINDS            kind of task -> its files
said             a command in this process -> exit code, stdout, stderr
snapshot         the files of a folder
CommandMachine   the steps
"""

import contextlib
import io
import json
import os
import re
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, rule

from ordbook.book.course.sheets import QUESTIONS
from ordbook.cli import main
from ordbook.data.catalog import catalog

pytestmark = pytest.mark.slow

TIMES = int(os.environ.get("ORDBOOK_EXAMPLES", "1"))
PYTHON = re.compile(r"Traceback|Errno|object at 0x|<class|NoneType|codec can't|Exceeds the limit")
Files = dict[str, str]

OQ = "topic,low,mid,high\nt1,0.5,0.25,0.25\nt2,0,0.125,0.875\nt3,0.25,0.5,0.25\n"
OTHER = "topic,low,mid,high\nt1,0.25,0.5,0.25\nt2,0.125,0,0.875\nt3,1,0,0\n"
OC = "topic,item,label\ns,1,1\ns,2,2\nt,1,2\nt,2,3\n"
WIDE = "topic,A,B\nt,0.125,0.25\nu,0.375,0.5\n"
LONG = "measure,topic,run,score\nmine,t,A,1\nmine,t,B,2\nmine,u,A,3\nmine,u,B,5\n"
VOTES = {"quality": {"A": 0, "E": 1, "S": -2}, "nugget": ["CNUG0", "HNUG"]}
GOLD = [
    {"id": each, "turns": [{"sender": "customer"}, {"sender": "helpdesk"}], "annotations": [VOTES]}
    for each in ("d1", "d2")
]
SHARES = {"-2": 0.5, "-1": 0.5, "0": 0, "1": 0, "2": 0}
ANSWERS = [{"id": each, "quality": dict.fromkeys("AES", SHARES)} for each in ("d1", "d2")]
LOG = {
    "turns": [
        {"turn-index": i, "speaker": "S", "utterance": "", "annotations": [{"breakdown": "O"}]}
        for i in (1, 2)
    ]
}
LABEL = {"breakdown": "O", "prob-O": 0.5, "prob-T": 0.25, "prob-X": 0.25}
SAID = {
    "dialogue-id": "d1",
    "turns": [{"turn-index": i, "labels": [LABEL]} for i in (1, 2)],
}
KINDS: dict[str, Files] = {
    "shares": {"gold.csv": OQ, "runs/A.csv": OTHER, "runs/B b.csv": OQ},
    "copies": {"gold.csv": OQ, "runs/A.csv": OTHER, "runs/B.csv": OTHER, "runs/=C.csv": OQ},
    "one run": {"gold.csv": OQ, "runs/A.csv": OTHER},
    "labels": {"gold.csv": OC, "runs/A.csv": OC, "runs/B.csv": OC.replace("t,2,3", "t,2,1")},
    "semeval": {
        f"{name}.txt": "s\t0.5\t0.5\t0\t0\t0\nt\t0\t0\t0\t0.5\t0.5\n"
        for name in ("gold", "runs/A", "runs/B")
    },
    "ntcir": {
        "gold.json": json.dumps(GOLD),
        "runs/A_quality.json": json.dumps(ANSWERS),
        "runs/B_quality.json": json.dumps(ANSWERS[::-1]),
    },
    "dbdc": {
        "d1.log.json": json.dumps(LOG),
        "runs/A/d1.labels.json": json.dumps(SAID),
        "runs/B/d1.labels.json": json.dumps(SAID),
    },
    "wide": {"NMD.csv": WIDE, "RNOD.csv": WIDE},
    "long": {"s.csv": LONG},
}
GROUPS = "run,group,language\nA,x,en\n"
CLASSES = ["low,mid,high", "high,mid,low", "-2,-1,0,1,2", "1,2,3", "low", "low,low,high", ",", "é"]
MEASURES = ["NMD", "NMD,RNOD", "MAE_M", "mine", "NMD,NMD", "none", ","]


def said(*arguments: str) -> tuple[int, str, str]:
    """Run a command; an exception other than SystemExit is a failure of the test."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = main(arguments)
        except SystemExit as end:  # argparse: help, version and wrong usage
            code = end.code
    return code, out.getvalue(), err.getvalue()


def snapshot(folder: Path) -> dict[str, bytes | None]:
    """Return the files in a folder, and folders with None."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() if path.is_file() else None
        for path in sorted(folder.rglob("*"))
    }


def inside(there: dict[str, bytes | None], name: str) -> dict[str, bytes | None]:
    return {path: content for path, content in there.items() if (path + "/").startswith(f"{name}/")}


class CommandMachine(RuleBasedStateMachine):
    """Asks for one thing after another in a folder of its own."""

    tasks = Bundle("tasks")

    def __init__(self) -> None:
        super().__init__()
        self.room = Path(tempfile.mkdtemp(prefix="machine-")).resolve()
        self.made = 0
        for name, content in {"file": "text", "theirs/notes.txt": "keep me"}.items():
            (self.room / name).parent.mkdir(exist_ok=True)
            (self.room / name).write_text(content)
        (self.room / "empty").mkdir()

    def teardown(self) -> None:
        shutil.rmtree(self.room)

    # What there is

    def write(self, files: Files, packed: bool) -> str:
        self.made += 1
        folder = self.room / f"task{self.made}"
        for name, content in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(content, encoding="utf-8")
        if packed:
            shutil.make_archive(str(folder), "zip", folder)
            shutil.rmtree(folder)
            return f"{folder.name}.zip"
        return folder.name

    @initialize(target=tasks, kind=st.sampled_from(sorted(KINDS)))
    def begin(self, kind: str) -> str:
        return self.write(KINDS[kind], packed=False)

    @rule(
        target=tasks,
        kind=st.sampled_from(sorted(KINDS)),
        groups=st.booleans(),
        packed=st.booleans(),
    )
    def sound(self, kind: str, groups: bool, packed: bool) -> str:
        files = KINDS[kind] | ({"runs.csv": GROUPS} if groups else {})
        return self.write(files, packed)

    @rule(
        target=tasks,
        kind=st.sampled_from(sorted(KINDS)),
        file=st.integers(0, 9),
        start=st.integers(0, 400),
        cut=st.integers(0, 60),
        put=st.sampled_from(["", "x", "-1", "9", "\n", ",", "\0", '"', "é", "[", "nan"]),
    )
    def spoilt(self, kind: str, file: int, start: int, cut: int, put: str) -> str:
        """Replace a part of one file."""
        files = dict(KINDS[kind])
        name = sorted(files)[file % len(files)]
        text = files[name]
        start %= len(text)
        files[name] = text[:start] + put + text[start + cut :]
        return self.write(files, packed=False)

    # What is asked

    def ask(
        self, *arguments: str, out: str | None = None, answers: tuple[int, ...] = (0, 2)
    ) -> int:
        """Run a command twice; all that holds of every command is looked at."""
        before = snapshot(self.room)
        code, text, errors = said(*arguments)
        after = snapshot(self.room)
        assert code in answers, (arguments, code, errors)
        assert not PYTHON.search(text + errors), (arguments, text, errors)
        if code == 2 and arguments[:1] != ("check",):
            assert text == "", "a refusal is said on stderr alone"
            assert errors.strip(), arguments
            assert after == before, "a refusal changes nothing"
        if errors.startswith("ordbook: "):
            assert errors.count("\n") == 1, errors
        if "--json" in arguments and text:
            json.loads(text)
        if out is None or code:
            assert after == before, "nothing is written"
        else:
            around = {parent.as_posix() for parent in Path(out).parents}
            others = {k: v for k, v in after.items() if k not in {*inside(after, out), *around}}
            kept = {k: v for k, v in before.items() if k not in {*inside(before, out), *around}}
            assert others == kept, "nothing but the folder is written"
            self.require_whole(self.room / out)
        again = said(*arguments)
        assert again == (code, text, errors), "the same again"
        assert snapshot(self.room) == after, "the same bytes again"
        return code

    def require_whole(self, folder: Path) -> None:
        """The folder holds the files that it lists, and no other."""
        (mark,) = (
            folder / name for name in ("summary.json", "exercises.json") if (folder / name).exists()
        )
        listed = json.loads(mark.read_text(encoding="utf-8"))["files"]
        found = {
            path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()
        }
        assert {*listed, mark.name} == found

    def place(self, name: str) -> str:
        return str(self.room / name) if name else name

    outs = st.sampled_from(
        [
            "new",
            "other",
            "deep/er",
            "empty",
            "theirs",
            "file",
            "file/in",
            "",
            ".",
            "task1",
            "task1/x",
        ]
    )
    flags = st.sets(st.sampled_from(["--json", "--nonsense"]), max_size=1)

    @rule(
        task=tasks,
        part=st.sampled_from(["", "", "#A", "#nugget", "#Z", "/runs", "/gold.csv", "/nowhere"]),
        classes=st.none() | st.sampled_from(CLASSES),
        better=st.none() | st.sampled_from(["low", "high", "mine=low", "mine=", "=", "x"]),
        json_too=st.booleans(),
    )
    def check(
        self, task: str, part: str, classes: str | None, better: str | None, json_too: bool
    ) -> None:
        arguments = ["check", self.place(task) + part]
        arguments += [] if classes is None else [f"--classes={classes}"]
        arguments += [] if better is None else [f"--better={better}"]
        self.ask(*arguments, *(["--json"] if json_too else []))

    @rule(
        task=tasks,
        out=outs,
        part=st.sampled_from(["", "", "", "#A", "#nugget"]),
        measures=st.none() | st.sampled_from(MEASURES),
        extra=st.sets(
            st.sampled_from(
                [
                    *("--by-group", "--by-group=language", "--by-group=none", "--interval=hsd"),
                    *("--primary=NMD", "--primary=x", "--seed=7", "--seed=-1", "--seed=x"),
                    *("--alpha=0.2", "--alpha=0", "--alpha=nan", "--trials=0", "--threads=0"),
                    *("--better=low", "--measure=nowhere.py:X", "--classes=low,mid,high"),
                ]
            ),
            max_size=2,
        ),
        json_too=st.booleans(),
    )
    def score(
        self,
        task: str,
        out: str,
        part: str,
        measures: str | None,
        extra: set[str],
        json_too: bool,
    ) -> None:
        arguments = ["score", self.place(task) + part, f"--out={self.place(out)}"]
        arguments += [] if measures is None else [f"--measures={measures}"]
        arguments += ["--trials=100", "--threads=1", *sorted(extra), *["--json"] * json_too]
        self.ask(*arguments, out=out)

    @rule(task=tasks, out=outs)
    def score_soundly(self, task: str, out: str) -> None:
        """What a check finds nothing in is scored, unless there is too little to compare."""
        place = self.place(task)
        fine = not said("check", place)[0]
        code = self.ask("score", place, f"--out={self.place(out)}", "--trials=100", "--threads=1",
                        out=out)  # fmt: skip
        if not fine and code == 0:
            raise AssertionError("a task with problems was scored")

    @rule(
        out=outs,
        seed=st.sampled_from(["0", "7", "-1", "x", "1_0", "9" * 40]),
        classes=st.sampled_from(["3", "5", "9", "2", "10"]),
        variants=st.sampled_from(["1", "1", "2", "0", "1001"]),
        questions=st.lists(st.sampled_from([*QUESTIONS, "none"]), max_size=2).map(",".join),
        form=st.sampled_from(["md", "md", "ipynb", "md,ipynb", "pdf", ""]),
        flags=flags,
    )
    def exercise(
        self,
        out: str,
        seed: str,
        classes: str,
        variants: str,
        questions: str,
        form: str,
        flags: set[str],
    ) -> None:
        self.ask(
            *("exercise", f"--seed={seed}", f"--out={self.place(out)}", f"--classes={classes}"),
            *(f"--variants={variants}", f"--questions={questions}", f"--format={form}", *flags),
            out=out,
        )

    @rule(out=outs, seed=st.integers(0, 9), classes=st.sampled_from(["3", "5"]))
    def exercise_soundly(self, out: str, seed: int, classes: str) -> None:
        arguments = ("exercise", f"--seed={seed}", f"--out={self.place(out)}")
        self.ask(*arguments, f"--classes={classes}", "--questions=nmd", out=out)

    @rule(
        asked=st.sampled_from(
            [
                *(("list",), ("list", "--json"), ("list", "x"), ("--version",), ("--help",), ()),
                *(("completion", "bash"), ("completion", "x"), ("nonsense",), ("fetch", "none")),
                *(("rerun", "--parameters"), ("rerun", "lq21", "--parameters", "--json")),
                *(
                    ("rerun", "x", "--parameters"),
                    ("sweep", "--parameters"),
                    ("audit", "--paper=x"),
                ),
                *(
                    (command, "--help")
                    for command in ("check", "score", "rerun", "student", "fetch")
                ),
            ]
        )
    )
    def say(self, asked: tuple[str, ...]) -> None:
        """What needs no data."""
        self.ask(*asked)

    @rule(
        task=tasks,
        out=outs,
        command=st.sampled_from(["rerun", "sweep", "student", "slides"]),
        chapters=st.sampled_from([(), ("nowhere",), ("lq21", "nowhere"), ("",)]),
        extra=st.sampled_from(["--jobs=0", "--jobs=x", "-p=trials=x", "-p=x", "--nonsense"]),
    )
    def refuse(
        self, task: str, out: str, command: str, chapters: tuple[str, ...], extra: str
    ) -> None:
        """Commands that run chapters, with arguments that are wrong before anything runs."""
        data = ["--data", self.place(task)] if command in ("rerun", "sweep") else []
        asked = [command, *chapters, *data, f"--out={self.place(out)}", extra]
        self.ask(*asked, answers=(2,))

    @rule(name=st.sampled_from(sorted(catalog())), out=outs)
    def catalogued(self, name: str, out: str) -> None:
        """A catalogued task is not checked as files are, nor given classes."""
        self.ask("check", name, answers=(2,))
        self.ask("score", name, f"--out={self.place(out)}", "--classes=1,2", answers=(2,))


TestCommands = CommandMachine.TestCase
TestCommands.settings = settings(
    max_examples=30 * TIMES,
    stateful_step_count=10 if TIMES == 1 else 25,
    deadline=None,
    derandomize=TIMES == 1,
    suppress_health_check=list(HealthCheck),
)
