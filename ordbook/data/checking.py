"""Check files before anything is computed from them: all that is wrong, and what is there."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ordbook.data.catalog import catalog
from ordbook.data.folder import BELONG, FORMATS, Reading, SeveralTasks, read_path
from ordbook.data.loading import find_path
from ordbook.data.names import counted, shown, some
from ordbook.data.problems import Problems
from ordbook.data.scores import Better
from ordbook.data.summaries import Summary, summarise

SHOWN = 25


@dataclass(frozen=True)
class Report:
    """What a check found.

    Attributes
    ----------
    path
        What was checked.
    problems
        All that is wrong, in the order in which it was found.
    summary
        What is there: one for each task; where there are problems, of the runs without.
    format, runs
        The format, empty where it could not be told, and the runs whose files were found.
    """

    path: str
    problems: Problems
    summary: tuple[Summary, ...]
    format: str = ""
    runs: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Problems, cause by cause on at most 25 lines, and summaries, as people read them."""
        causes = self.problems.causes()
        lines = causes[:SHOWN]
        if len(causes) > SHOWN:
            lines.append(f"... and {counted(len(causes) - SHOWN, 'more kind')} of problems")
        return self._with_summary(lines, "; --all lists each")

    def in_full(self) -> str:
        """Return the same with a line for each problem."""
        return self._with_summary(list(map(str, self.problems)), "")

    def _with_summary(self, lines: list[str], each: str) -> str:
        if self.problems:
            each = each if len(lines) < len(self.problems) else ""
            lines.append(f"{shown(self.path)}: {counted(len(self.problems), 'problem')}{each}")
        else:
            lines.append(f"{shown(self.path)}: nothing is wrong")
        if self.problems and self.summary:
            lines += ["", "what can be read, without the runs that have problems:"]
        elif self.format and not self.summary:
            lines += ["", f"{'format:':<22}{FORMATS[self.format]}"]
            if self.format != "scores":
                lines.append(f"{'run files:':<22}{len(self.runs)}: {some(self.runs)}")
        return "\n".join(lines) + "".join(f"\n\n{summary}" for summary in self.summary)

    def as_json(self) -> dict[str, Any]:
        """Return everything in types that JSON knows."""
        return {
            "path": self.path,
            "format": self.format,
            "runs": list(self.runs),
            "causes": self.problems.causes(),
            "problems": [asdict(problem) for problem in self.problems],
            "summary": [asdict(summary) for summary in self.summary],
        }


def check(
    path: str | Path,
    classes: Sequence[str] | None = None,
    part: str | None = None,
    better: Better | Mapping[str, Better] | None = None,
) -> Report:
    """List everything that is wrong with a task's files, and what is there.

    Parameters
    ----------
    path
        A folder, a zip file or a file in one of the formats of :func:`ordbook.load`.
    classes, part, better
        As for :func:`ordbook.load`; without ``part``, NTCIR files are checked for each part that
        runs are about.

    Raises
    ------
    ValueError
        If the path does not exist, names a catalogued data set, or an option does not go with its
        format.

    Examples
    --------
    >>> from ordbook.files import share
    >>> report = check(share("data", "examples", "fair-oq"))
    >>> len(report.problems), report.summary[0].topics, len(report.summary[0].runs)
    (0, 56, 16)
    """
    if isinstance(path, str) and path in catalog() and not Path(path).exists():
        dataset = catalog()[path]
        if dataset.format == "elsewhere":
            raise ValueError(dataset.how_to_get())
        raise ValueError(f"{path}: a catalogued data set, which is checked whenever it is read")
    found = find_path(path)
    readings: list[tuple[str | None, Reading]] = []
    try:
        readings.append((part, read_path(found, classes=classes, part=part, better=better)))
    except SeveralTasks as several:
        for each in several.parts:
            readings.append((each, read_path(found, classes=classes, part=each, better=better)))
    problems = Problems()
    for _, reading in readings:
        _refuse_none(found, reading)
        problems.extend(reading.problems)  # the parts of NTCIR's tasks share files
    return Report(
        str(path),
        problems,
        tuple(
            summarise(reading.task, reading.format, each)
            for each, reading in readings
            if reading.task is not None
        ),
        readings[0][1].format,
        tuple(dict.fromkeys(run for _, reading in readings for run in reading.runs)),
    )


def _refuse_none(path: Path, reading: Reading) -> None:
    """Add a problem where there are no runs: nothing could be scored."""
    runs = path / "runs"
    if reading.task is None or reading.runs or reading.format == "scores":
        return
    alone = path.is_file() and path.suffix != ".zip"
    notes = reading.task.provenance.notes
    beside = [note[:-1] for note in notes if note.endswith(f"{BELONG}.")]
    fix = "; ".join(["put the file of each run there", *beside])
    fix = "name the folder that holds the gold file and runs/" if alone else fix
    if not reading.problems.within(runs):
        found = "no runs, without which nothing can be scored"
        reading.problems.add(path if alone else runs, found=found, fix=fix)
