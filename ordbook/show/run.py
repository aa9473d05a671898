"""A chapter's second cell, which loads its data, and its last, which verifies its claims."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import version
from typing import Any

import numpy as np
from IPython.display import Markdown, display

from ordbook.data.catalog import catalog
from ordbook.data.loading import Task
from ordbook.measures import Measure, import_measures
from ordbook.show.escape import escape_markdown
from ordbook.show.parameters import (
    CHAPTERS,
    NUMBERS,
    check_number,
    named_runs,
    require_chapter,
    split_classes,
)
from ordbook.show.source import Source


class ClaimError(ValueError):
    """A claim of a chapter is false."""


@dataclass(frozen=True)
class Run:
    """One execution of a chapter: its task by data parameter, None where one is empty.

    ``own`` are measures of the reader's, from the parameter of that name.
    """

    chapter: str
    tasks: Mapping[str, Task | None]
    own: tuple[Measure, ...] = ()

    def measures(self, part: str, names: Sequence[str]) -> list[str | Measure]:
        """Return the measures of an analysis: the paper's, then the reader's of that kind.

        To be given to :func:`ordbook.score`, whose matrix then has all of them.
        """
        return [*names, *(measure for measure in self.own if measure.kind == part)]

    def task(self, part: str) -> Task:
        """Return the task of a part."""
        task = self.tasks[part]
        if task is None:
            raise ValueError(f"this edition of {self.chapter} has no {part} task")
        return task


def start(chapter: str, *, reading: Mapping[str, Any] | None = None, **parameters: object) -> Run:
    """Check a chapter's parameters, load its data and show the source of its numbers.

    Parameters
    ----------
    chapter
        Name of the chapter.
    reading
        How data at a path are read, as for :class:`ordbook.show.source.Source`.
    parameters
        One per data parameter of the chapter: a catalogue name or a path, or "" to leave that
        part out; and ``classes``: labels from lowest to highest, separated by commas, for data
        read from a path whose labels are not -2 to 2. Chapters that take measures of your own
        also have ``own``, as for :func:`ordbook.measures.import_measures`; those with random
        trials have whole numbers as in ``NUMBERS``; those that compare two runs have ``runs``,
        two names separated by a comma, or "".

    Raises
    ------
    ValueError
        If a name, type or value is invalid; the message says what is valid.
    """
    require_chapter(chapter)
    known = [*CHAPTERS[chapter], "classes"]
    for name, value in parameters.items():
        if name not in (*known, "own", "runs", *NUMBERS):
            raise ValueError(f"{chapter} has no parameter {name!r}; it has {', '.join(known)}")
        if name in NUMBERS:
            check_number(name, value)
        elif not isinstance(value, str):
            raise ValueError(f"{name} must be text, not {value!r}")
    if missing := [name for name in known if name not in parameters]:
        raise ValueError(f"{chapter} also needs the parameter {missing[0]!r}")
    classes = split_classes(str(parameters["classes"]))
    tasks: dict[str, Task | None] = {}
    for part in CHAPTERS[chapter]:
        data = str(parameters[part])
        tasks[part] = Source(data, classes, reading or {}).load(part) if data else None
        task = tasks[part]
        if task is not None and task.kind != part:
            raise ValueError(f"{part}={data!r}: this is a {task.kind} task")
    if not any(tasks.values()):
        raise ValueError(f"{chapter}: every part is left out; name data for {' or '.join(tasks)}")
    display(Markdown("\n".join(_provenance(task) for task in tasks.values() if task is not None)))
    own = import_measures(str(parameters.get("own", "")))
    for measure in own:
        if tasks.get(measure.kind) is None:
            raise ValueError(f"{measure.name}: this edition has no {measure.kind} task to score")
    for task in tasks.values():
        named_runs(str(parameters.get("runs", "")), task.runs if task else ())
    run = Run(chapter, tasks, own=own)
    if own:
        names = ", ".join(escape_markdown(measure.name) for measure in own)
        display(Markdown(f"- measures of your own: {names}"))
    return run


def list_sets(lines: Sequence[str], seed: int) -> None:
    """Check the seed of a chapter and show the list of its data sets, seed and versions."""
    check_number("seed", seed)
    end = f"- seed {seed}; ordbook {version('ordbook')}, numpy {np.__version__}"
    display(Markdown("\n".join([*lines, end])))


def _provenance(task: Task) -> str:
    """Describe data, size, source of the numbers and versions in one line; then the notes."""
    origin = {
        "raw": "scores recomputed from the raw files and equal to the committed ones",
        "committed": "committed scores, computed by this project from the organisers' files",
        "yours": "your data",
    }[task.provenance.source]
    known = catalog().get(task.name)
    if task.provenance.source == "raw" and known and known.format == "embedded":
        origin = "real data that travel with ordbook, and runs of systems of our own"
    sums = task.provenance.files
    checksum = next(iter(sums.values()), "none")[:12]
    if len(sums) > 1:
        every = "".join(f"{digest}  {file}\n" for file, digest in sums.items())
        checksum += f"…, of all {len(sums)} files {sha256(every.encode()).hexdigest()[:12]}"
    ours = sum(file.startswith("data/runs/") for file in sums)
    if ours:
        origin += f"; {ours} of the runs are systems of our own"
    line = (
        f"- **{escape_markdown(task.name)}** ({task.kind}): {len(task.topics)} topics, "
        f"{len(task.runs)} runs, {len(task.classes)} classes; {origin}; gold file sha256 "
        f"{checksum}…; ordbook {version('ordbook')}, numpy {np.__version__}"
    )
    return "\n".join([line, *(f"  - {escape_markdown(note)}" for note in task.provenance.notes)])


def verify(claims: Mapping[str, object]) -> Markdown:
    """Check the claims of a chapter.

    Parameters
    ----------
    claims
        Claim -> whether it is true.

    Raises
    ------
    ClaimError
        If a claim is false.

    Examples
    --------
    >>> verify({"two and two make four": 2 + 2 == 4}).data
    'Checked: the claims of this page hold.'
    """
    if false := [claim for claim, holds in claims.items() if not holds]:
        raise ClaimError(f"no longer so: {'; '.join(false)}")
    return Markdown("Checked: the claims of this page hold.")


def chance(ours: np.ndarray, our_trials: int, theirs: np.ndarray, their_trials: int) -> np.ndarray:
    """Test whether two randomised computations estimate the same p-values.

    Parameters
    ----------
    ours, theirs
        p-values of the same pairs of runs, arrays of one shape: shares of the trials.
    our_trials, their_trials
        Numbers of independent trials they come from.

    Returns
    -------
    numpy.ndarray
        For each pair the smaller tail of Fisher's exact test, from 0 to 1. It is exact for counts
        of 0 or 1, too.

    Examples
    --------
    >>> chance(np.array([0.0, 0.5]), 10, np.array([0.1, 0.5]), 10).round(2).tolist()
    [0.5, 0.67]
    """
    from scipy.stats import hypergeom  # takes half a second

    count = np.rint(ours * our_trials)
    total = count + np.rint(theirs * their_trials)
    drawn = hypergeom(our_trials + their_trials, total, our_trials)
    tails: np.ndarray = np.minimum(drawn.cdf(count), drawn.sf(count - 1))
    return tails
