"""A competition for Codabench: gold data, scoring program and leaderboard in one zip file."""

import json
import shutil
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from string import Template
from tempfile import TemporaryDirectory

import pandas as pd

import ordbook
from ordbook.advice.choose import choose_primary
from ordbook.data.gaps import SILENCE, WORST, Missing
from ordbook.data.loading import Task
from ordbook.data.scoring import compute, require_measures
from ordbook.data.tasks import ClassificationTask, QuantificationTask, write_task
from ordbook.files import whole_folder
from ordbook.measures import CLASSIFICATION, QUANTIFICATION
from ordbook.measures.registry import named as named_measure
from ordbook.meta.items import size

# What the scoring program needs of this package.
CARRIED = ("__init__.py", "extras.py", "files.py", "words.py", "measures", "data")
_TEMPLATES = Path(__file__).parent / "codabench"
_EXAMPLE = 5  # lines of a run shown to participants


def bundle(
    task: Task,
    out: str | Path,
    *,
    title: str = "",
    description: str = "",
    measures: Sequence[str] | None = None,
    primary: str = "auto",
    missing: Missing = "refuse",
    start: str = "",
    end: str = "",
    overwrite: bool = False,
) -> Path:
    """Write the bundle of a competition on a task.

    Parameters
    ----------
    task
        With at least one run. Whatever its format, the gold data are written as CSV, and
        submissions are CSV files.
    out
        A new or an empty folder. It gets ``bundle.zip``, to be uploaded, and the same in
        ``bundle/``, to be edited.
    title, description
        Of the competition; by default the name of the task, and none.
    measures, primary
        Names of measures, by default all that fit the task, and the one that ranks.
    missing
        Whether a submission that lacks answers is refused or scored, as for :func:`ordbook.load`.
    start, end
        When submissions are taken: a date and a time with its zone in ISO 8601, such as
        ``2027-03-01T09:00+09:00`` or ``2027-03-01T00:00Z``. By default from now on, without end.
    overwrite
        Whether a folder that is there may be replaced.

    Returns
    -------
    Path
        Of ``bundle.zip``.

    Raises
    ------
    ValueError
        If the task has no runs, only scores or nuggets, a measure does not fit it, or a time has
        no zone or lies in the wrong order.
    """
    require_measures(measures or (), "measures")
    if primary != "auto":
        require_measures([primary], "primary")
    if not isinstance(task, ClassificationTask | QuantificationTask):
        raise ValueError(
            f"{task.name}: scores or nuggets; a competition needs gold data over classes"
        )
    if not task.runs:
        raise ValueError(f"{task.name}: no run; put one into runs/, such as a baseline, as a test")
    dates = _dates(start, end)
    known = CLASSIFICATION if isinstance(task, ClassificationTask) else QUANTIFICATION
    scores = compute(task, [named_measure(name, known) for name in measures] if measures else None)
    main = choose_primary(scores, task, primary)
    names = [main, *(name for name in scores.measures if name != main)]
    labels = isinstance(task, ClassificationTask)
    inserted = {
        "title": title or task.name,
        "description": description,
        "dates": dates,
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
    with whole_folder(out, overwrite) as written, TemporaryDirectory() as place:
        made = written / "bundle"
        for name in ("reference_data", "starting_kit", "scoring_program"):
            (made / name).mkdir(parents=True)
        write_task(task, Path(place))
        for folder in (made / "reference_data", made / "starting_kit"):
            shutil.copy(Path(place, "classes.txt"), folder)
        shutil.copy(Path(place, "gold.csv"), made / "reference_data")
        inserted["example"] = _write_items(made, task)
        _write_program(made / "scoring_program", {"measures": names, "missing": missing})
        _write_pages(made, inserted)
        shutil.make_archive(str(made), "zip", made)
    return Path(out).expanduser().resolve() / "bundle.zip"


def _dates(start: str, end: str) -> str:
    """Return the beginning and, if there is one, the end of the phase in YAML.

    Codabench takes every time as one in UTC, and may drop the hours of one without quotes.
    """
    times = {"start": _time("start", start) if start else datetime.now(UTC)}
    if end:
        times["end"] = _time("end", end)
        if times["end"] <= times["start"]:
            raise ValueError(f"end: {end} is not after the start; choose a later time")
    return "\n".join(f'    {name}: "{time:%Y-%m-%d %H:%M:%S}"' for name, time in times.items())


def _time(option: str, text: str) -> datetime:
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        time = datetime.min
    if time.tzinfo is None:
        raise ValueError(
            f"{option}: {text!r} is no date and time with a zone; write one such as "
            "2027-03-01T09:00+09:00 or 2027-03-01T00:00Z"
        )
    return time.astimezone(UTC)


def _write_items(made: Path, task: ClassificationTask | QuantificationTask) -> str:
    """Write the questions and a sample of answers; return the sample's first lines.

    In the sample every item gets the middle class, and every topic all classes alike.
    """
    labels, kit = isinstance(task, ClassificationTask), made / "starting_kit"
    gold = pd.read_csv(made / "reference_data" / "gold.csv", dtype=str, keep_default_na=False)
    items = gold.drop(columns=["label"] if labels else list(task.classes))
    value = task.classes[len(task.classes) // 2] if labels else f"{1 / len(task.classes):.6f}"
    answers = dict.fromkeys(["label"] if labels else task.classes, value)
    sample = items.assign(**answers).to_csv(index=False, lineterminator="\n")
    items.to_csv(kit / "items.csv", index=False, lineterminator="\n")
    (kit / "sample.csv").write_text(sample, encoding="utf-8")
    return "\n".join(sample.splitlines()[:_EXAMPLE])


def _write_program(program: Path, settings: Mapping[str, object]) -> None:
    """Write the scoring program, which carries the modules of this package that it needs."""
    shutil.copy(_TEMPLATES / "scoring.py", program)
    (program / "settings.json").write_text(json.dumps(settings, indent=1) + "\n", encoding="utf-8")
    command = "command: python3 /app/program/scoring.py /app/input /app/output\n"
    (program / "metadata.yaml").write_text(command, encoding="utf-8")
    (program / "ordbook").mkdir()
    for name in CARRIED:
        source, target = Path(ordbook.__file__).with_name(name), program / "ordbook" / name
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, target)


def _columns(better: Mapping[str, str]) -> str:
    """Return the columns of the leaderboard in YAML, the first of which ranks."""
    return "\n".join(
        f"      - title: {json.dumps(name)}\n        key: {json.dumps(name)}\n"
        f"        index: {index}\n        sorting: {'asc' if end == 'low' else 'desc'}\n"
        "        precision: 4"
        for index, (name, end) in enumerate(better.items())
    )


def _write_pages(made: Path, inserted: Mapping[str, str]) -> None:
    """Write the competition's description and its pages, and the README of the starting kit."""
    shutil.copy(_TEMPLATES / "logo.png", made)
    for path in (*_TEMPLATES.rglob("*.yaml"), *_TEMPLATES.rglob("*.md")):
        values = dict(inserted)
        if path.suffix == ".yaml":  # a JSON text is a YAML text
            values |= {name: json.dumps(values[name]) for name in ("title", "description")}
        text = Template(path.read_text(encoding="utf-8")).substitute(values)
        (made / path.relative_to(_TEMPLATES)).write_text(text, encoding="utf-8")


def _rule(kind: str) -> str:
    """State how missing answers count, and the effect on scores."""
    unit, counts_as = WORST[kind]
    return (
        f"Each {unit} that a submission does not answer counts as {counts_as}. {SILENCE[kind]} The "
        "leaderboard shows the share that each submission answers."
    )
