"""A competition for Codabench: gold data, scoring program and leaderboard in one zip file."""

import json
import shutil
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from string import Template
from tempfile import TemporaryDirectory
from typing import Any

import pandas as pd

import ordbook
from ordbook.advice.choose import choose_primary
from ordbook.data.alignment import SILENCE, WORST, Missing
from ordbook.data.convert import convert
from ordbook.data.headless import (
    LABELS,
    NOT_JUDGED,
    is_qrels,
    read_qrels,
)
from ordbook.data.loading import load
from ordbook.data.problems import Problems
from ordbook.data.scores import ScoresTask
from ordbook.data.scoring import compute, require_measures
from ordbook.data.tasks import GROUPS, ClassificationTask, QuantificationTask
from ordbook.data.text import read_table, read_text
from ordbook.files import whole_folder
from ordbook.measures import CLASSIFICATION, QUANTIFICATION
from ordbook.measures.registry import named
from ordbook.meta.items import size

# What the scoring program needs of this package.
CARRIED = ("__init__.py", "extras.py", "files.py", "words.py", "measures", "data")
_TEMPLATES = Path(__file__).parent / "codabench"
_EXAMPLE = 5  # lines of a run shown to participants


def bundle(
    folder: str | Path,
    out: str | Path,
    *,
    title: str = "",
    description: str = "",
    classes: Sequence[str] | None = None,
    part: str | None = None,
    measures: Sequence[str] | None = None,
    primary: str = "auto",
    missing: Missing = "refuse",
    start: str = "",
    overwrite: bool = False,
) -> Path:
    """Write the bundle of a competition on a task.

    Parameters
    ----------
    folder
        With gold data and at least one run, as :func:`ordbook.load` takes it. Whatever their
        format, the gold data are written as CSV, and submissions are CSV files.
    out
        A new or an empty folder. It gets ``bundle.zip``, to be uploaded, the same in
        ``bundle/``, to be edited, and ``participants/``: what is to be answered, a sample
        submission, and a checker that needs no gold data.
    title, description
        Of the competition; by default the name of the task, and none.
    classes, part, missing
        As for :func:`ordbook.load`.
    measures, primary
        Names of measures, by default all that fit the task, and the one that ranks.
    start
        First day of the competition, such as ``2027-01-31``; by default today.
    overwrite
        Whether a folder that is there may be replaced.

    Returns
    -------
    Path
        Of ``bundle.zip``.

    Raises
    ------
    ValueError
        If the task has problems, no runs only scores or nuggets, or a measure does not fit it.
    """
    source = Path(folder)
    if not source.is_dir():
        raise ValueError(f"{source}: no folder; name one that holds gold data and runs")
    require_measures(measures or (), "measures")
    if primary != "auto":
        require_measures([primary], "primary")
    task = load(source, classes=classes, part=part, missing=missing)
    if not isinstance(task, ClassificationTask | QuantificationTask):
        kind = "scores" if isinstance(task, ScoresTask) else "nuggets, for which CSV has no form"
        raise ValueError(f"{source}: these are {kind}; a competition needs gold data over classes")
    if not task.runs:
        raise ValueError(f"{source}/runs: no run; put one there, such as a baseline, as a sample")
    try:
        starts = date.fromisoformat(start) if start else date.today()
    except ValueError:
        raise ValueError(f"start: {start!r} is no day; write one such as 2027-01-31") from None
    known = CLASSIFICATION if isinstance(task, ClassificationTask) else QUANTIFICATION
    scores = compute(task, [named(name, known) for name in measures] if measures else None)
    main = choose_primary(scores, task, primary)
    names = [main, *(name for name in scores.measures if name != main)]
    settings = {"measures": names, "classes": list(task.classes), "missing": missing}
    labels = isinstance(task, ClassificationTask)
    inserted = {
        "title": title or task.name,
        "description": description,
        "start": starts.isoformat(),
        "columns": _columns(
            {name: scores.better[name] for name in names}
            | ({"answered": "high"} if missing == "worst" else {})
        ),
        "what": "Every item gets one class." if labels else "Every topic gets a distribution.",
        "classes": ", ".join(task.classes),
        "primary": main,
        "ends": f"{scores.better[main]}er",
        "unit": "All scores are means over topics:"
        if len(task.topics) > 1
        else f"There is {size(task, 1)}; each score is of it as a whole:",
        "measures": "\n".join(
            f"- {name}: {known[name].title} ({scores.better[name]}er is better)" for name in names
        ),
        "missing": _rule(task.kind)
        if missing == "worst"
        else "A submission that lacks answers is refused.",
    }
    with whole_folder(out, overwrite, [folder]) as written:
        gold = written / "bundle" / "reference_data"
        frame = _write_gold(gold, source, task, classes, part)
        for_participants = written / "participants"
        for_participants.mkdir()
        example = _write_for_participants(for_participants, frame, task)
        _write_pages(written / "bundle", inserted | {"example": example})
        _write_program(written / "bundle" / "scoring_program", for_participants, settings)
        shutil.make_archive(str(written / "bundle"), "zip", written / "bundle")
    return Path(out).expanduser().resolve() / "bundle.zip"


def _write_gold(
    gold: Path,
    source: Path,
    task: ClassificationTask | QuantificationTask,
    classes: Sequence[str] | None,
    part: str | None,
) -> pd.DataFrame:
    """Write the gold data as CSV, whatever the format of the task, and return their cells."""
    problems = Problems()
    with TemporaryDirectory() as place:
        clean = Path(place, "task")
        convert(source, clean, classes=classes, part=part)
        shutil.copytree(clean, gold, ignore=shutil.ignore_patterns("runs", "gold*", GROUPS))
        path = next(clean.glob("gold*"))
        text = read_text(path)
        read = read_qrels if is_qrels(path, text) else read_table
        table = read(path, problems)
    problems.raise_first()
    assert table is not None
    frame = pd.DataFrame(table.rows, columns=table.head, dtype=str)
    if "iteration" in frame:  # qrels, in which nobody judged some pairs
        frame = frame.loc[~frame["label"].isin(NOT_JUDGED), LABELS]
    frame.to_csv(gold / "gold.csv", index=False, lineterminator="\n")
    return frame


def _write_for_participants(
    place: Path, frame: pd.DataFrame, task: ClassificationTask | QuantificationTask
) -> str:
    """Write the list to answer, a sample and the checker; return the sample's first lines.

    In the sample every item gets the middle class, and every topic all classes alike.
    """
    labels = isinstance(task, ClassificationTask)
    asked = frame[[name for name in ("topic", "item")[: 1 + labels] if name in frame]]
    value = task.classes[len(task.classes) // 2] if labels else f"{1 / len(task.classes):.6f}"
    answers = dict.fromkeys(["label"] if labels else task.classes, value)
    sample = asked.assign(**answers).to_csv(index=False, lineterminator="\n")
    asked.to_csv(place / "to_answer.csv", index=False, lineterminator="\n")
    (place / "sample.csv").write_text(sample, encoding="utf-8")
    (place / "classes.txt").write_text("\n".join(task.classes) + "\n", encoding="utf-8")
    shutil.copy(_TEMPLATES / "check.py", place)
    return "\n".join(sample.splitlines()[:_EXAMPLE])


def _write_program(program: Path, for_participants: Path, settings: Mapping[str, Any]) -> None:
    """Write the scoring program, which checks a submission as its author could."""
    shutil.copytree(for_participants, program)
    shutil.copy(_TEMPLATES / "scoring.py", program)
    (program / "settings.json").write_text(json.dumps(settings, indent=1) + "\n", encoding="utf-8")
    command = "command: python3 /app/program/scoring.py /app/input /app/output\n"
    (program / "metadata.yaml").write_text(command, encoding="utf-8")
    package = Path(ordbook.__file__).parent
    for name in CARRIED:
        if (package / name).is_dir():
            ignore = shutil.ignore_patterns("__pycache__")
            shutil.copytree(package / name, program / "ordbook" / name, ignore=ignore)
        else:
            (program / "ordbook").mkdir(exist_ok=True)
            shutil.copy(package / name, program / "ordbook")


def _columns(better: Mapping[str, str]) -> str:
    """Return the columns of the leaderboard in YAML, the first of which ranks."""
    return "\n".join(
        f"      - title: {json.dumps(name)}\n        key: {json.dumps(name)}\n"
        f"        index: {index}\n        sorting: {'asc' if end == 'low' else 'desc'}"
        for index, (name, end) in enumerate(better.items())
    )


def _write_pages(folder: Path, inserted: Mapping[str, str]) -> None:
    """Write the competition's description and its pages."""
    for path in _TEMPLATES.iterdir():
        if path.suffix == ".png":
            shutil.copy(path, folder)
        elif path.suffix in (".yaml", ".md"):
            values = dict(inserted)
            if path.suffix == ".yaml":  # a JSON text is a YAML text
                values |= {name: json.dumps(values[name]) for name in ("title", "description")}
            text = Template(path.read_text(encoding="utf-8")).substitute(values)
            (folder / path.name).write_text(text, encoding="utf-8")


def _rule(kind: str) -> str:
    """Say what missing answers count as, and what that can do to scores."""
    unit, counts_as = WORST[kind]
    return (
        f"Each {unit} that a submission does not answer counts as {counts_as}. {SILENCE[kind]} The "
        "leaderboard shows the share that each submission answers."
    )
