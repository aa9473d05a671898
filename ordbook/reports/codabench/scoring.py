"""Score one submission: ``python scoring.py INPUT OUTPUT``.

INPUT/ref holds the gold data and INPUT/res the submission, as Codabench lays them out. OUTPUT
gets scores.json and detailed_results.html. A submission with problems gets no
scores: they are listed in detailed_results.html and on stderr, and the exit code is 1.
"""

import html
import json
import sys
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))  # the modules of ordbook beside this file

from ordbook.data.folder import read_submission  # noqa: E402
from ordbook.data.problems import Problems  # noqa: E402
from ordbook.data.scores import ScoresTask  # noqa: E402
from ordbook.data.scoring import compute  # noqa: E402
from ordbook.data.tasks import share_answered  # noqa: E402

PAGE = """<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<style>body{{font-family:sans-serif;margin:1rem}}table{{border-collapse:collapse}}
th,td{{padding:.2rem .6rem;text-align:right}}th:first-child,td:first-child{{text-align:left}}
tr:nth-child(even){{background:#8882}}</style></head><body><h1>{title}</h1>{body}</body></html>
"""
SHOWN = 25
# By-products of systems and of the platform.
BESIDE = ("metadata", "metadata.yaml", "__MACOSX")


def score(inputs: Path, output: Path) -> int:
    """Score the submission; return the exit code."""
    settings = json.loads((HERE / "settings.json").read_text(encoding="utf-8"))
    output.mkdir(parents=True, exist_ok=True)
    sent = inputs / "res"
    paths = {path.relative_to(sent): path for path in sorted(sent.rglob("*"))}
    if links := [str(name) for name, path in paths.items() if path.is_symlink()]:
        return _refuse(output, [f"the submission holds the link {links[0]}; send the file itself"])
    answers = {
        name: path
        for name, path in paths.items()
        if path.is_file() and not any(part in BESIDE or part[0] == "." for part in name.parts)
    }
    if len(answers) != 1:
        names = ", ".join(map(str, answers)) or "no file"
        return _refuse(output, [f"the submission holds {names}; send one CSV file"])
    ((name, path),) = answers.items()
    reading = read_submission(path, inputs / "ref" / "gold.csv", missing=settings["missing"])
    if faults := [replace(each, file=name.name) for each in reading.problems if each.run]:
        return _refuse(output, Problems(faults).causes())
    if reading.problems or reading.task is None or isinstance(reading.task, ScoresTask):
        raise ValueError("the reference data are damaged")
    scores = compute(reading.task, settings["measures"])
    means = scores.means().iloc[0].to_dict()
    if settings["missing"] == "worst":
        means |= {"answered": share_answered(reading.task).get(scores.runs[0], 1.0)}
    (output / "scores.json").write_text(json.dumps(means) + "\n")
    # Not by topic: from the scores of a few submissions the gold data could be computed.
    # Nor what is for the organisers, who see it as they check the gold data.
    notes = [note for note in scores.provenance.notes if note.run is not None]
    _write(output, "Scores", _notes(notes) + _table(means))
    return 0


def _refuse(output: Path, causes: Sequence[str]) -> int:
    more = [f"and {len(causes) - SHOWN} more"] if len(causes) > SHOWN else []
    listed = [*causes[:SHOWN], *more]
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
