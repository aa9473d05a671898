"""The tasks that NTCIR files hold: quality scores A, E and S, and nuggets.

Contents
--------
SeveralTasks      raised where none of them was chosen
ntcir_task        read the one that was
of_another_part   why a run file is not about it
parts             the tasks that run files are about
"""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from ordbook.data.annotations import QUALITY
from ordbook.data.dialeval import run_file
from ordbook.data.jsonfile import read_json
from ordbook.data.ntcir import read_nuggets, read_quality
from ordbook.data.nuggets import NuggetTask
from ordbook.data.problems import Problems
from ordbook.data.tasks import Provenance, QuantificationTask

PARTS = (*QUALITY, "nugget")


class SeveralTasks(ValueError):
    """Files hold several tasks, and none was chosen; ``parts`` are those with runs, if any has."""

    def __init__(self, message: str, parts: Sequence[str] = PARTS) -> None:
        super().__init__(message)
        self.parts = tuple(parts)


def ntcir_task(
    name: str,
    gold: Path,
    runs: Mapping[str, Path],
    classes: Sequence[str] | None,
    part: str,
    provenance: Provenance,
    problems: Problems,
) -> QuantificationTask | NuggetTask | None:
    """Read the task that ``part`` chooses."""
    if classes is not None:
        raise ValueError(f"{gold}: classes= is for other formats; NTCIR's have their own")
    if part == "nugget":
        return read_nuggets(name, gold, runs, provenance=provenance, problems=problems)
    return read_quality(name, gold, runs, part=part, provenance=provenance, problems=problems)


def of_another_part(part: str | None, file: str) -> str:
    """Say why a run file is not read, or nothing."""
    about = run_file(file)
    if part is None or about is None or (about.kind == "nugget") == (part == "nugget"):
        return ""
    return f"its name says {about.kind}"


def parts(runs: Iterable[Path]) -> tuple[str, ...]:
    """Return the parts that run files are about, by their names or by what any entry says."""
    kinds = set()
    for path in runs:
        if about := run_file(path.name):
            kinds.add(about.kind)
            continue
        with suppress(ValueError, LookupError, TypeError):
            entries = read_json(path)
            said = {kind for kind in ("quality", "nugget") for entry in entries if kind in entry}
            kinds |= said or {"quality"}
    if not kinds:
        return PARTS
    return tuple(part for part in PARTS if ("nugget" if part == "nugget" else "quality") in kinds)
