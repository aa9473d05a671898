"""Score one submission: ``python scoring.py INPUT OUTPUT``.

INPUT/ref holds the gold data and INPUT/res the submission, as Codabench lays them out. OUTPUT
gets scores.json and detailed_results.html. A submission with problems gets no
scores: they are listed in detailed_results.html and on stderr, and the exit code is 1.
"""

import html
import json
import shutil
import sys
import tempfile
import traceback
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))  # the modules of ordbook beside this file

from check import faults  # type: ignore[import-not-found]  # noqa: E402

from ordbook.data.folder import read_path  # noqa: E402
from ordbook.data.scores import ScoresTask  # noqa: E402
from ordbook.data.scoring import compute  # noqa: E402
from ordbook.data.tasks import share_answered  # noqa: E402

PAGE = """<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<style>body{{font-family:sans-serif;margin:1rem}}table{{border-collapse:collapse}}
th,td{{padding:.2rem .6rem;text-align:right}}th:first-child,td:first-child{{text-align:left}}
tr:nth-child(even){{background:#8882}}</style></head><body><h1>{title}</h1>{body}</body></html>
"""
SHOWN = 25


def score(inputs: Path, output: Path) -> int:
    """Score the submission; return the exit code."""
    settings = json.loads((HERE / "settings.json").read_text(encoding="utf-8"))
    output.mkdir(parents=True, exist_ok=True)
    sent = inputs / "res"
    answers = [path for path in sorted(sent.iterdir()) if _is_answer(path)] if sent.is_dir() else []
    if len(answers) == 1 and answers[0].is_dir():  # a folder was packed, and not the file in it
        sent = answers[0]
        answers = [path for path in sorted(sent.iterdir()) if _is_answer(path)]
    if len(answers) != 1 or not answers[0].is_file():
        names = ", ".join(path.name for path in answers) or "no file"
        return _refuse(output, [f"the submission holds {names}; send one CSV file"])
    if problems := faults(answers[0], complete=settings["missing"] == "refuse"):
        return _refuse(output, problems)
    with tempfile.TemporaryDirectory() as folder:
        runs = Path(folder) / "task" / "runs"
        shutil.copytree(inputs / "ref", runs.parent)
        runs.mkdir()
        shutil.copy(answers[0], runs / "submission.csv")
        reading = read_path(runs.parent, classes=settings["classes"], missing=settings["missing"])
        _, by_run = reading.problems.split(f"{runs.parent}/runs")
        if "submission.csv" in by_run:
            causes = by_run["submission.csv"].causes()
            return _refuse(output, [line.replace(f"{runs}/", "") for line in causes])
        if reading.problems or reading.task is None or isinstance(reading.task, ScoresTask):
            raise ValueError("the reference data are damaged")
    scores = compute(reading.task, settings["measures"])
    means = scores.means().iloc[0].to_dict()
    if settings["missing"] == "worst":
        means |= {"answered": share_answered(reading.task).get("submission", 1.0)}
    (output / "scores.json").write_text(json.dumps(means) + "\n")
    # Not by topic: from the scores of a few submissions the gold data could be computed.
    # Nor what is for the organisers, who see it as they check the gold data.
    about_the_run = [note for note in scores.provenance.notes if note.run is not None]
    _write(output, "Scores", _notes(about_the_run) + _table(means))
    return 0


def _is_answer(path: Path) -> bool:
    """Tell whether a path of the submission is not a by-product of systems and platforms."""
    by_products = ("metadata", "metadata.yaml", "__MACOSX")
    return not path.name.startswith(".") and path.name not in by_products


def _refuse(output: Path, causes: Sequence[str]) -> int:
    listed = list(causes[:SHOWN])
    if len(causes) > SHOWN:
        listed.append(f"and {len(causes) - SHOWN} more")
    _write(output, "The submission was not scored", _notes(listed))
    print("\n".join(listed), file=sys.stderr)
    return 1


def _notes(lines: Sequence[str]) -> str:
    return f"<ul>{''.join(f'<li>{html.escape(line)}</li>' for line in lines)}</ul>" if lines else ""


def _table(means: Mapping[Any, float]) -> str:
    rows = (f"<tr><td>{html.escape(name)}</td><td>{x:.4f}</td></tr>" for name, x in means.items())
    return f"<table><tr><th>measure</th><th>score</th></tr>{''.join(rows)}</table>"


def _write(output: Path, title: str, body: str) -> None:
    page = PAGE.format(title=title, body=body)
    (output / "detailed_results.html").write_text(page, encoding="utf-8")


if __name__ == "__main__":
    try:
        sys.exit(score(Path(sys.argv[1]), Path(sys.argv[2])))
    except Exception as error:  # a traceback helps no participant, and could quote gold data
        frame = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{type(error).__name__} in {Path(frame.filename).name}, line {frame.lineno}"
        fault = f"the scoring program failed ({place}); send this line to the organisers"
        sys.exit(_refuse(Path(sys.argv[2]), [fault]))
