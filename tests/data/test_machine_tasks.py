"""A task is built step by step, and written, read, checked, converted and spoilt on the way.

Whatever was built: every format that can hold it gives the same names and numbers back, and the
same scores; ``check`` finds nothing in it, and finds each fault that is planted.
``ORDBOOK_EXAMPLES=100`` tries a hundred times as many tasks.

Contents
--------
Held          what a task holds, by name
WRITERS       format -> the files of a task; None where the format cannot hold it
FAULTS        what is done to the rows of a file
TaskMachine   the steps
"""

import csv
import gzip
import io
import json
import os
import random
import shutil
import tempfile
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

import ordbook as ob
from ordbook.data.checking import check
from ordbook.data.scores import load_scores
from ordbook.data.scoring import SAME_SCORE
from ordbook.data.tasks import ClassificationTask, QuantificationTask

pytestmark = pytest.mark.slow

TIMES = int(os.environ.get("ORDBOOK_EXAMPLES", "1"))
FIVE, THREE = ("-2", "-1", "0", "1", "2"), ("B", "PB", "NB")
# Names of runs are names of files too, on every system.
RUN = st.text("abXY09 ,.=+-'$%&{}#é名😀_()", min_size=1, max_size=8).filter(
    lambda name: name == name.strip(" .")
)
NAME = st.one_of(
    st.sampled_from(["topic", "run", "007", "1e3", "=1+1", "nan", "<b>", 'say "no"', "a,b", "-"]),
    st.text("aB0 ,;'\"|\\/<&é名😀\u0301", min_size=1, max_size=6).filter(
        lambda name: name == name.strip()
    ),
)
LABEL = NAME.filter(lambda name: ";" not in name)
Row = list[str]
Files = dict[str, bytes]


@dataclass
class Held:
    """What a task holds: by topic shares, and votes if there are any; or by topic and item labels.

    Of quantification ``gold`` and each of ``runs`` are topic -> share of each class; of
    classification (topic, item) -> label.
    """

    classes: tuple[str, ...]
    gold: dict
    runs: dict[str, dict]
    votes: dict[str, tuple[int, ...]] | None = None

    @property
    def labels(self) -> bool:
        return isinstance(next(iter(self.gold)), tuple)


def held(task: QuantificationTask | ClassificationTask) -> Held:
    if isinstance(task, ClassificationTask):
        items = [(task.topics[topic], str(i)) for i, topic in enumerate(task.topic)]
        rows = [task.gold, *task.predicted]
        named = [dict(zip(items, (task.classes[i] for i in row), strict=True)) for row in rows]
    else:
        named = [
            dict(zip(task.topics, map(tuple, rows.tolist()), strict=True))
            for rows in (task.gold, *task.estimates)
        ]
    return Held(task.classes, named[0], dict(zip(task.runs, named[1:], strict=True)))


def require_same(
    task: QuantificationTask | ClassificationTask, expected: Held, items: bool
) -> None:
    """Compare names and numbers; items only in their order, as a task does not keep their names."""
    found = held(task)
    assert found.classes == expected.classes
    assert set(found.runs) == set(expected.runs)
    assert len(task.runs) == len(expected.runs)
    if expected.labels:
        assert len(found.gold) == len(expected.gold)
        if items:
            for some, other in ((found.gold, expected.gold), *pairs(found.runs, expected.runs)):
                assert list(some.values()) == list(other.values())
        counts = [
            sorted((topic, label) for (topic, _), label in each.gold.items())
            for each in (found, expected)
        ]
        assert counts[0] == counts[1]
        return
    assert set(found.gold) == set(expected.gold)
    for some, other in ((found.gold, expected.gold), *pairs(found.runs, expected.runs)):
        # Shares are sums and quotients of floats, and the order of additions may differ.
        for key, row in other.items():
            assert np.abs(np.subtract(some[key], row)).max() < 1e-12


def pairs(some: dict, other: dict) -> list[tuple[dict, dict]]:
    return [(some[run], other[run]) for run in other]


def built(what: Held) -> QuantificationTask | ClassificationTask:
    """Build the task from arrays, without files."""
    if what.labels:
        runs = {run: [answers[key] for key in what.gold] for run, answers in what.runs.items()}
        topics = [topic for topic, _ in what.gold]
        return ClassificationTask.from_labels(list(what.gold.values()), runs, topics, what.classes)
    return QuantificationTask.from_arrays(
        list(what.gold.values()),
        {run: [rows[topic] for topic in what.gold] for run, rows in what.runs.items()},
        classes=what.classes,
        topics=list(what.gold),
    )


# Files of each format: rows of cells first, so that faults can be planted in them


def commas(rows: list[Row]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode()


def tabs(rows: list[Row]) -> bytes:
    return "".join("\t".join(row) + "\n" for row in rows).encode()


def mixed(items: list, chance: random.Random) -> list:
    return chance.sample(items, len(items))


def tables(what: Held, chance: random.Random) -> dict[str, list[Row]]:
    """CSV with a header; rows and columns of each file in an order of their own."""
    found: dict[str, list[Row]] = {}
    files = {"gold.csv": what.gold} | {f"runs/{run}.csv": rows for run, rows in what.runs.items()}
    for file, rows in files.items():
        keys = mixed(list(what.gold), chance)
        if what.labels:
            body = [[*key, rows[key]] for key in keys]
            found[file] = [["topic", "item", "label"], *body]
            continue
        votes = what.votes if what.votes and rows is what.gold and chance.random() < 0.7 else rows
        order = mixed(list(range(len(what.classes))), chance)
        body = [[key, *(repr(votes[key][i]) for i in order)] for key in keys]
        found[file] = [["topic", *(what.classes[i] for i in order)], *body]
    return found | {"classes.txt": [[label] for label in what.classes]}


def semeval(what: Held, chance: random.Random) -> dict[str, list[Row]] | None:
    """Tabs without a header, subtasks C and E."""
    if not what.labels and len(what.classes) < 3:
        return None
    found = {"classes.txt": [[label] for label in what.classes]}
    if what.classes == FIVE and chance.random() < 0.5:
        found = {}
    files = {"gold.txt": what.gold} | {f"runs/{run}.txt": rows for run, rows in what.runs.items()}
    for file, rows in files.items():
        keys = mixed(list(what.gold), chance)
        found[file] = [
            [key[1], key[0], rows[key]] if what.labels else [key, *map(repr, rows[key])]
            for key in keys
        ]
    return found


def serialised(rows: dict[str, list[Row]]) -> Files:
    return {
        file: tabs(cells) if file.endswith(".txt") and file != "classes.txt" else commas(cells)
        for file, cells in rows.items()
    }


def as_tables(what: Held, chance: random.Random) -> Files:
    return serialised(tables(what, chance))


def as_semeval(what: Held, chance: random.Random) -> Files | None:
    rows = semeval(what, chance)
    return None if rows is None else serialised(rows)


def as_ntcir(what: Held, chance: random.Random) -> Files | None:
    """NTCIR's quality: five classes, and as many votes for every topic."""
    if what.labels or what.classes != FIVE or not what.votes:
        return None
    if len({sum(votes) for votes in what.votes.values()}) > 1:
        return None
    gold, runs = [], {}
    for topic in mixed(list(what.gold), chance):
        scores = [int(c) for c, n in zip(FIVE, what.votes[topic], strict=True) for _ in range(n)]
        gold.append(
            {
                "id": topic,
                "turns": [{"sender": "customer"}],
                "annotations": [
                    {"quality": dict.fromkeys("AES", score), "nugget": ["CNaN"]} for score in scores
                ],
            }
        )
    for run, rows in what.runs.items():
        answers = [
            {
                "id": topic,
                "quality": {part: dict(zip(FIVE, rows[topic], strict=True)) for part in "AES"},
            }
            for topic in mixed(list(what.gold), chance)
        ]
        runs[f"runs/{run}.json"] = json.dumps(answers).encode()
    return {"gold.json": json.dumps(gold).encode(), **runs}


def as_dbdc(what: Held, chance: random.Random) -> Files | None:
    """DBDC: three classes; each topic is the only annotated turn of a dialogue."""
    if what.labels or what.classes != THREE or not what.votes:
        return None
    files = {}
    for number, topic in enumerate(what.gold):
        name, turn = dbdc_topic(number).rsplit("_", 1)
        marks = [x for x, n in zip("XTO", what.votes[topic], strict=True) for _ in range(n)]
        asked = {
            "turn-index": int(turn),
            "speaker": "S",
            "utterance": topic,
            "annotations": [{"breakdown": mark} for mark in marks],
        }
        said = {"turn-index": 0, "speaker": "U", "utterance": "", "annotations": []}
        files[f"dialogues/{name}.log.json"] = {"turns": mixed([said, asked], chance)}
        for run, rows in what.runs.items():
            shares = dict(zip(("prob-X", "prob-T", "prob-O"), rows[topic], strict=True))
            answer = {"turn-index": int(turn), "labels": [{"breakdown": "O", **shares}]}
            files[f"runs/{run}/{name}.labels.json"] = {"dialogue-id": name, "turns": [answer]}
    return {file: json.dumps(content).encode() for file, content in files.items()}


def dbdc_topic(number: int) -> str:
    return f"d{number:03d}_{number + 1:02d}"


WRITERS: dict[str, Callable[[Held, random.Random], Files | None]] = {
    "tables": as_tables,
    "semeval": as_semeval,
    "ntcir": as_ntcir,
    "dbdc": as_dbdc,
}


def write(folder: Path, files: Files) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder


def zipped(path: Path, files: Files) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


# Faults: each takes the rows of a file, without its header, and the place of one of them


def _cell(text: str) -> Callable[[list[Row], int], None]:
    def change(rows: list[Row], place: int) -> None:
        rows[place][-1] = text

    return change


def _name(rows: list[Row], place: int) -> None:
    rows[place][0] += "?"


FAULTS: dict[str, Callable[[list[Row], int], None]] = {
    "a row less": lambda rows, place: rows.pop(place) and None,
    "a row twice": lambda rows, place: rows.append(list(rows[place])),
    "a cell less": lambda rows, place: rows[place].pop() and None,
    "a cell more": lambda rows, place: rows[place].append("0.25"),
    "another name": _name,
    "an empty line": lambda rows, place: rows.insert(place, []),
    **{f"the cell {text!r}": _cell(text) for text in ("nan", "", "-0.5", "1e400", "no?", "0,5")},
}


class TaskMachine(RuleBasedStateMachine):
    """Builds a task step by step; ``self.what`` is what it should hold."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="machine-"))
        self.groups: dict[str, tuple[str, str]] = {}

    def teardown(self) -> None:
        shutil.rmtree(self.folder)

    # Building

    @initialize(
        profile=st.sampled_from(["labels", "free", "five", "three", "labels"]),
        labels=st.lists(LABEL, min_size=2, max_size=5, unique=True),
        topics=st.lists(NAME, min_size=1, max_size=4, unique=True),
        runs=st.lists(RUN, min_size=1, max_size=3),
        data=st.data(),
    )
    def begin(
        self,
        profile: str,
        labels: list[str],
        topics: list[str],
        runs: list[str],
        data: st.DataObject,
    ) -> None:
        classes = {"five": FIVE, "three": THREE}.get(profile, tuple(labels))
        self.fixed = profile in ("five", "three")
        if profile == "labels":
            self.what = Held(classes, {}, {})
        else:
            self.what = Held(classes, {}, {}, {})
        for topic in topics:
            self.add_topic(topic, data)
        for run in runs:
            self.add_run(run, data)

    def shares(self, data: st.DataObject) -> tuple[float, ...]:
        """Draw sixteenths, which decimals and floats hold exactly."""
        return tuple(part / 16 for part in self.parts(16, data))

    def parts(self, whole: int, data: st.DataObject) -> tuple[int, ...]:
        size = len(self.what.classes) - 1
        cuts = sorted(data.draw(st.lists(st.integers(0, whole), min_size=size, max_size=size)))
        return tuple(b - a for a, b in zip([0, *cuts], [*cuts, whole], strict=True))

    @rule(name=NAME, data=st.data())
    def add_topic(self, name: str, data: st.DataObject) -> None:
        what = self.what
        if what.votes is None:
            label = st.sampled_from(what.classes)
            items = data.draw(st.lists(NAME, min_size=1, max_size=3, unique=True))
            for item in items:
                if (name, item) not in what.gold:
                    what.gold[name, item] = data.draw(label)
                    for answers in what.runs.values():
                        answers[name, item] = data.draw(label)
        elif name not in what.gold:
            # NTCIR's dialogues have as many votes each.
            whole = 8 if what.classes == FIVE else data.draw(st.integers(1, 12))
            what.votes[name] = votes = self.parts(whole, data)
            what.gold[name] = tuple(vote / whole for vote in votes)
            for rows in what.runs.values():
                rows[name] = self.shares(data)

    @rule(data=st.data())
    def remove_topic(self, data: st.DataObject) -> None:
        if len(self.what.gold) > 1:
            key = data.draw(st.sampled_from(list(self.what.gold)))
            for rows in (self.what.gold, *self.what.runs.values()):
                del rows[key]
            if self.what.votes:
                del self.what.votes[key]

    @rule(name=RUN, data=st.data())
    def add_run(self, name: str, data: st.DataObject) -> None:
        what = self.what
        if name.casefold() in map(str.casefold, what.runs):
            return  # some systems take the files for one
        if what.votes is None:
            label = st.sampled_from(what.classes)
            what.runs[name] = {key: data.draw(label) for key in what.gold}
        else:
            what.runs[name] = {key: self.shares(data) for key in what.gold}

    @rule(name=RUN, data=st.data())
    def copy_run(self, name: str, data: st.DataObject) -> None:
        if name.casefold() not in map(str.casefold, self.what.runs):
            run = data.draw(st.sampled_from(list(self.what.runs)))
            self.what.runs[name] = dict(self.what.runs[run])

    @rule(data=st.data())
    def remove_run(self, data: st.DataObject) -> None:
        if len(self.what.runs) > 1:
            run = data.draw(st.sampled_from(list(self.what.runs)))
            del self.what.runs[run]
            self.groups.pop(run, None)

    @precondition(lambda self: not self.fixed)
    @rule(label=LABEL, place=st.integers(0, 5))
    def add_class(self, label: str, place: int) -> None:
        """Add a class that nobody chose yet."""
        what = self.what
        if label in what.classes or len(what.classes) > 6:
            return
        what.classes = (*what.classes[:place], label, *what.classes[place:])
        for rows in (what.gold, *what.runs.values(), what.votes or {}) if not what.labels else ():
            for key, row in rows.items():
                rows[key] = (*row[:place], type(row[0])(0), *row[place:])

    @precondition(lambda self: not self.fixed and len(self.what.classes) > 2)
    @rule(place=st.integers(0, 5))
    def merge_classes(self, place: int) -> None:
        """Let the class below take what a class has."""
        what = self.what
        place = place % (len(what.classes) - 1) + 1
        below, gone = what.classes[place - 1 : place + 1]
        what.classes = tuple(label for label in what.classes if label != gone)
        for rows in (what.gold, *what.runs.values(), what.votes or {}):
            for key, row in rows.items():
                if what.labels:
                    rows[key] = below if row == gone else row
                else:
                    rows[key] = (*row[: place - 1], row[place - 1] + row[place], *row[place + 1 :])

    @rule(group=NAME, language=st.sampled_from(["", "en", "名"]), data=st.data())
    def group(self, group: str, language: str, data: st.DataObject) -> None:
        self.groups[data.draw(st.sampled_from(list(self.what.runs)))] = (group, language)

    # Using

    def files(self, kind: str, chance: random.Random, what: Held | None = None) -> Files | None:
        files = WRITERS[kind](what or self.what, chance)
        if files is not None and self.groups:
            rows = [[run, *cells] for run, cells in self.groups.items()]
            files["runs.csv"] = commas([["run", "group", "language"], *rows])
        return files

    def renamed(self, kind: str) -> Held:
        """Return what is held, with the topics that the format gives."""
        what = self.what
        if kind != "dbdc":
            return what
        names = {topic: dbdc_topic(number) for number, topic in enumerate(what.gold)}
        moved = [
            {names[k]: v for k, v in rows.items()} for rows in (what.gold, *what.runs.values())
        ]
        return Held(what.classes, moved[0], dict(zip(what.runs, moved[1:], strict=True)))

    def read(self, place: Path, kind: str) -> QuantificationTask | ClassificationTask:
        """Read a sound task; the check finds nothing and counts the same."""
        part = "A" if kind == "ntcir" else None
        report = check(place, part=part)
        assert not report.problems, str(report)
        task = ob.load(place, part=part)
        (summary,) = report.summary
        assert (summary.topics, summary.runs) == (len(task.topics), task.runs)
        assert {frozenset(runs) for runs in summary.identical} == self.copies()
        assert task.groups == {run: cells[0] for run, cells in self.groups.items()}
        assert task.languages == {run: cells[1] for run, cells in self.groups.items() if cells[1]}
        return task

    def copies(self) -> set[frozenset[str]]:
        alike = (
            frozenset(other for other in self.what.runs if self.what.runs[other] == rows)
            for rows in self.what.runs.values()
        )
        return {runs for runs in alike if len(runs) > 1}

    @rule(kind=st.sampled_from(list(WRITERS)), packed=st.booleans(), chance=st.randoms())
    def read_back(self, kind: str, packed: bool, chance: random.Random) -> None:
        files = self.files(kind, chance)
        if files is None:
            return
        place = self.folder / "task.zip" if packed else self.folder / "task"
        (zipped if packed else lambda path, files: write(path, files))(place, files)
        require_same(self.read(place, kind), self.renamed(kind), items=False)

    @rule(
        first=st.sampled_from(list(WRITERS)),
        second=st.sampled_from(list(WRITERS)),
        chance=st.randoms(),
    )
    def convert(self, first: str, second: str, chance: random.Random) -> None:
        """What one format gave is written in another, and is the same still."""
        files = self.files(first, chance)
        if files is None:
            return
        task = self.read(write(self.folder / "first", files), first)
        middle = held(task)
        if self.what.votes is not None and first != "dbdc":
            middle.votes = {topic: self.what.votes[topic] for topic in task.topics}
        again = self.files(second, chance, middle)
        if again is not None and second != "dbdc":
            found = self.read(write(self.folder / "second", again), second)
            require_same(found, middle, items=False)
            assert set(ob.score(found).runs) == set(task.runs)

    @rule(kind=st.sampled_from(list(WRITERS)), chance=st.randoms())
    def same_scores(self, kind: str, chance: random.Random) -> None:
        """Any order of topics, runs and columns, and any format, gives the same scores."""
        files = self.files(kind, chance)
        if files is None:
            return
        found = ob.score(self.read(write(self.folder / "task", files), kind))
        expected = ob.score(built(self.renamed(kind)))
        assert found.measures == expected.measures
        assert sorted(found.topics) == sorted(expected.topics)
        assert sorted(found.runs) == sorted(expected.runs)
        topics = [found.topics.index(topic) for topic in expected.topics]
        runs = [found.runs.index(run) for run in expected.runs]
        values = found.values[:, topics][:, :, runs]
        assert np.abs(values - expected.values).max() <= SAME_SCORE
        ours, theirs = (v[..., :, None] - v[..., None, :] for v in (values, expected.values))
        tied = np.abs(theirs) <= SAME_SCORE
        assert np.array_equal(np.abs(ours) <= 2 * SAME_SCORE, tied), "the same ties"
        assert np.array_equal(np.sign(ours[~tied]), np.sign(theirs[~tied])), "the same order"

    @rule(form=st.sampled_from(["long", "wide", "plain", "saved"]), packed=st.booleans())
    def scores_back(self, form: str, packed: bool) -> None:
        scores = ob.score(built(self.what))
        folder = self.folder / "scores"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        measure = scores.measures[0]
        rows = [
            [m, t, r, repr(float(scores.values[i, j, k]))]
            for i, m in enumerate(scores.measures)
            for j, t in enumerate(scores.topics)
            for k, r in enumerate(scores.runs)
        ]
        grid = scores.values[0].tolist()
        if form == "saved":
            scores.save(folder / "s.csv")
            assert np.array_equal(load_scores(folder / "s.csv").values, scores.values)
        elif form == "long":
            text = commas([["measure", "topic", "run", "score"], *rows])
            name = "s.csv.gz" if packed else "s.csv"
            (folder / name).write_bytes(gzip.compress(text) if packed else text)
        elif form == "wide":
            body = [[t, *map(repr, row)] for t, row in zip(scores.topics, grid, strict=True)]
            text = commas([["topic", *scores.runs], *body])
            (folder / f"{measure}.csv").write_bytes(text)
        else:
            text = "".join(" ".join(map(repr, row)) + "\n" for row in grid)
            (folder / f"{measure}.txt").write_text(text)
            (folder / f"{measure}.runs").write_text("\n".join(scores.runs), encoding="utf-8")
        report = check(folder)
        assert not report.problems, str(report)
        found = ob.score(ob.load(folder))
        assert found.runs == scores.runs
        assert found.better == {name: scores.better[name] for name in found.measures}
        if form in ("wide", "plain"):
            assert found.measures == (measure,)
            assert np.array_equal(found.values[0], scores.values[0])
        else:
            assert found.measures == scores.measures
            assert np.array_equal(found.values, scores.values)
        if form != "plain":
            assert found.topics == scores.topics

    @rule(
        kind=st.sampled_from([tables, semeval]),
        fault=st.sampled_from(list(FAULTS)),
        file=st.integers(0, 20),
        place=st.integers(0, 20),
        chance=st.randoms(),
    )
    def plant(
        self,
        kind: Callable[[Held, random.Random], dict[str, list[Row]] | None],
        fault: str,
        file: int,
        place: int,
        chance: random.Random,
    ) -> None:
        """A fault in any file is found, and the task is not read."""
        rows = kind(self.what, chance)
        if rows is None:
            return
        names = [name for name in rows if name != "classes.txt"]
        name = names[file % len(names)]
        head = 1 if kind is tables else 0
        body = rows[name][head:]
        FAULTS[fault](body, place % len(body))
        rows[name] = rows[name][:head] + body
        if fault == "an empty line" and rows[name][-1] == []:
            return  # at the end it is none
        if self.what.labels and fault in map("the cell {!r}".format, self.what.classes):
            return  # a class may have such a name, and the label is another one
        folder = write(self.folder / "task", serialised(rows))
        report = check(folder)
        assert report.problems, f"{fault} in {name}"
        with pytest.raises(ValueError, match="found "):
            ob.load(folder)

    @rule(
        listed=st.sampled_from([["run", "group"], ["A?", "x"]]),
        chance=st.randoms(),
    )
    def plant_run(self, listed: Row, chance: random.Random) -> None:
        """A run that is not there may not be in the list of groups."""
        files = as_tables(self.what, chance)
        rows = [["run", "group"], listed]
        folder = write(self.folder / "task", files | {"runs.csv": commas(rows)})
        if listed[0] not in self.what.runs:
            assert any("runs.csv" in problem.file for problem in check(folder).problems)

    @invariant()
    def is_whole(self) -> None:
        """The steps themselves keep all runs about all topics."""
        if what := getattr(self, "what", None):
            assert all(rows.keys() == what.gold.keys() for rows in what.runs.values())


TestTasks = TaskMachine.TestCase
TestTasks.settings = settings(
    max_examples=120 * TIMES,
    stateful_step_count=14 if TIMES == 1 else 40,
    deadline=None,
    derandomize=TIMES == 1,
    suppress_health_check=list(HealthCheck),
)
