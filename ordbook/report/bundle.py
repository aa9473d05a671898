"""A competition for Codabench: gold data, scoring program and leaderboard in one zip file."""

import json
import shutil
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from string import Template
from typing import Any

import pandas as pd

import ordbook
from ordbook.advice.choose import choose_primary
from ordbook.data.alignment import Missing
from ordbook.data.folder import GROUPS, Reading, read_path
from ordbook.data.loading import Task, sound_runs
from ordbook.data.scores import ScoresTask
from ordbook.data.scoring import compute
from ordbook.data.tasks import ClassificationTask
from ordbook.files import whole_folder
from ordbook.measures import CLASSIFICATION, QUANTIFICATION
from ordbook.measures.registry import named

IMAGE = "codalab/codalab-legacy:py312"
# What the scoring program needs of this package.
CARRIED = ("__init__.py", "extras.py", "files.py", "measures", "data")
_TEMPLATES = Path(__file__).parent / "codabench"
_EXAMPLE = 5  # lines of a run shown to participants
_MISSING = {
    "refuse": "A submission that lacks answers is refused.",
    "baseline": "Answers that a submission lacks count as the uniform distribution, or as the most "
    "frequent class of the gold data.",
    "worst": "All answers that a submission lacks in a topic are set to one class: for each "
    "measure, the one that gives the worst score.",
}


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
    exclude: Sequence[str] = (),
    skip_invalid: bool = False,
    start: str = "",
    image: str = IMAGE,
    overwrite: bool = False,
) -> Path:
    """Write the bundle of a competition on a task.

    Parameters
    ----------
    folder
        With gold data and at least one run, as :func:`ordbook.load` takes it; submissions are
        files like those of the runs.
    out
        A new or an empty folder. It gets ``bundle.zip``, to be uploaded, and the same
        in ``bundle/``, to be edited.
    title, description
        Of the competition; by default the name of the task, and none.
    classes, part, missing, exclude, skip_invalid
        As for :func:`ordbook.load`.
    measures, primary
        Names of measures, by default all that fit the task, and the one that ranks.
    start
        First day of the competition, such as ``2027-01-31``; by default today.
    image
        Docker image in which submissions are scored: Python 3.11 or newer, numpy and pandas.
    overwrite
        Whether a folder that is there may be replaced.

    Returns
    -------
    Path
        Of ``bundle.zip``.

    Raises
    ------
    ValueError
        If the task has problems, no runs or only scores, or a measure does not fit it.
    """
    source = Path(folder)
    if not source.is_dir():
        raise ValueError(f"{source}: no folder; name one that holds gold data and runs")
    reading = read_path(source, classes=classes, part=part, exclude=exclude)
    if skip_invalid and reading.task is not None and reading.task.runs:
        task: Task | None = sound_runs(reading, source, source)
    else:
        reading.problems.raise_first(str(source))
        task = reading.task
    if task is None or isinstance(task, ScoresTask):
        raise ValueError(f"{source}: these are scores; a competition needs gold data and a run")
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
    run = _run_file(source, reading, task.runs[0])
    settings = {
        "measures": names,
        "classes": list(task.classes) if reading.format in ("tables", "semeval") else None,
        "part": part,
        "missing": missing,
        "many_files": run.is_dir(),
        "name": "submission" + "".join(run.suffixes[-2:] if run.suffix == ".gz" else [run.suffix]),
    }
    labels = isinstance(task, ClassificationTask)
    asked, sample = _without_answers(run, task) if reading.format == "tables" else ("", "")
    inserted = {
        "title": title or task.name,
        "description": description,
        "image": image,
        "start": starts.isoformat(),
        "columns": _columns(names, scores.better),
        "what": "Every item gets one class." if labels else "Every topic gets a distribution.",
        "classes": ", ".join(map(str, getattr(task, "classes", ()))) or "none has an order",
        "primary": main,
        "ends": f"{scores.better[main]}er",
        "unit": "All scores are means over topics:"
        if len(task.topics) > 1
        else "There is one topic; each score is of it as a whole:",
        "measures": "\n".join(
            f"- {name}: {known[name].title} ({scores.better[name]}er is better)" for name in names
        ),
        "missing": _MISSING[missing],
        "example": "\n".join(sample.splitlines()[:_EXAMPLE]) if sample else _example(run),
    }
    with whole_folder(out, overwrite, [folder]) as made:
        _write(made / "bundle", source, inserted, settings)
        if sample:
            (made / "participants").mkdir()
            (made / "participants" / "to_answer.csv").write_text(asked, encoding="utf-8")
            (made / "participants" / "sample.csv").write_text(sample, encoding="utf-8")
        shutil.make_archive(str(made / "bundle"), "zip", made / "bundle")
    return Path(out).expanduser().resolve() / "bundle.zip"


def _write(
    made: Path, source: Path, inserted: Mapping[str, str], settings: Mapping[str, Any]
) -> None:
    """Write what the zip file holds."""
    of_runs = shutil.ignore_patterns(".*", "runs", GROUPS)
    shutil.copytree(source, made / "reference_data", ignore=of_runs)
    _write_pages(made, inserted)
    program = made / "scoring_program"
    program.mkdir()
    shutil.copy(_TEMPLATES / "scoring.py", program)
    (program / "settings.json").write_text(json.dumps(settings, indent=1) + "\n", encoding="utf-8")
    # Codabench reads the first; CodaLab the second, with its own names for the folders.
    for name, root in (("metadata.yaml", "/app/"), ("metadata", "$")):
        command = f"command: python3 {root}program/scoring.py {root}input {root}output\n"
        (program / name).write_text(command, encoding="utf-8")
    package = Path(ordbook.__file__).parent
    for name in CARRIED:
        if (package / name).is_dir():
            ignore = shutil.ignore_patterns("__pycache__")
            shutil.copytree(package / name, program / "ordbook" / name, ignore=ignore)
        else:
            (program / "ordbook").mkdir(exist_ok=True)
            shutil.copy(package / name, program / "ordbook")


def _run_file(source: Path, reading: Reading, run: str) -> Path:
    """Return the file, or the folder, of a run."""
    found = sorted((source / "runs").iterdir())
    of_run = [path for path in found if path.name == run or path.name.startswith(f"{run}.")]
    return of_run[0] if of_run else found[0]


def _without_answers(run: Path, task: Task) -> tuple[str, str]:
    """Return what is to be answered, and a sample submission of which no answer is a run's.

    Every item gets the middle class, every topic all classes alike. Empty where a run is no table.
    """
    if run.suffix != ".csv":
        return "", ""
    frame = pd.read_csv(run, dtype=str, encoding="utf-8-sig", sep=None, engine="python")
    classes = [str(name) for name in task.classes]
    answers = classes if set(classes) <= set(frame) else ["label"]
    if not set(answers) <= set(frame):
        return "", ""
    keys = frame.drop(columns=answers)
    value = f"{1 / len(classes):.6f}" if len(answers) > 1 else classes[len(classes) // 2]
    sample = frame.assign(**dict.fromkeys(answers, value))
    return keys.to_csv(index=False), sample.to_csv(index=False)


def _example(run: Path) -> str:
    """Return the first lines of a run, as far as it is text."""
    if run.is_dir():
        return "\n".join(sorted(path.name for path in run.iterdir())[:_EXAMPLE])
    if run.suffix in (".gz", ".zip"):
        return run.name
    lines = run.read_text(encoding="utf-8").splitlines()[:_EXAMPLE]
    return "\n".join(line[:100] for line in lines)


def _columns(names: Sequence[str], better: Mapping[str, str]) -> str:
    """Return the columns of the leaderboard in YAML, the first of which ranks."""
    return "\n".join(
        f"      - title: {json.dumps(name)}\n        key: {json.dumps(name)}\n"
        f"        index: {index}\n        sorting: {'asc' if better[name] == 'low' else 'desc'}"
        for index, name in enumerate(names)
    )


def _write_pages(made: Path, inserted: Mapping[str, str]) -> None:
    """Write the competition's description and its pages."""
    for path in _TEMPLATES.iterdir():
        if path.suffix == ".png":
            shutil.copy(path, made)
        elif path.suffix in (".yaml", ".md"):
            values = dict(inserted)
            if path.suffix == ".yaml":  # a JSON text is a YAML text
                values |= {name: json.dumps(values[name]) for name in ("title", "description")}
            text = Template(path.read_text(encoding="utf-8")).substitute(values)
            (made / path.name).write_text(text, encoding="utf-8")
