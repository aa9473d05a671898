"""Score matrices: one score per measure, topic and run."""

import hashlib
import io
import json
import lzma
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, ClassVar, Self, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ordbook.data.problems import Note, Problems, Wrong, as_notes
from ordbook.data.scoreframes import (
    AXES,
    HEADER,
    Better,
    checked_grid,
    directions,
    grid_of,
    is_csv,
    long_frame,
    read_file,
    run_list,
)
from ordbook.data.tasks import Described, Provenance, Source, facts
from ordbook.data.text import plain, read_content
from ordbook.files import sha256, share, write_whole
from ordbook.measures.validation import refuse_masked
from ordbook.words import Glance, check_names, counted, did_you_mean

__all__ = [
    "Better",
    "ScoreMatrix",
    "ScoresTask",
    "committed_scores",
    "load_scores",
]
FORMAT = 1
# Floating point differs in the last bits between machines: this far may scores recomputed on
# one be from those committed on another, and differences up to this are ties, as of 0.1 + 0.2 and
# 0.3.
TIE_TOLERANCE = 1e-12
# Scores of one run that are so many times all others' would make these tie.
FAR = 1e6


@dataclass(frozen=True, eq=False, repr=False)
class ScoreMatrix(Glance):
    """Scores of every run on every topic by every measure.

    Attributes
    ----------
    task
        Name of the task.
    values
        (measures, topics, runs): any finite numbers, of which a C-contiguous copy in float64 is
        kept.
    measures, topics, runs
        Names, in the order of the axes.
    better
        Measure -> whether ``low`` or ``high`` scores are better.
    provenance
        Where the scores come from, also as :attr:`source`.
    references
        The references of :meth:`skill`: a DataFrame, topic x measure, of the measures that have
        one on each of the topics.

    Examples
    --------
    >>> import ordbook as ob
    >>> scores = ob.score(ob.load("sem16t4e"))
    >>> scores["RNOD"].shape                     # a DataFrame, topic x run
    (100, 12)
    """

    task: str
    values: NDArray[np.float64]
    measures: tuple[str, ...]
    topics: tuple[str, ...]
    runs: tuple[str, ...]
    better: Mapping[str, Better]
    provenance: Provenance
    references: pd.DataFrame = field(default_factory=pd.DataFrame)

    def __post_init__(self) -> None:
        names = (self.measures, self.topics, self.runs)
        for axis_name, axis in zip(AXES, names, strict=True):
            check_names(axis, axis_name, self.task)
        values = np.asarray(self.values)
        refuse_masked(self.values, f"{self.task}: values", values.ndim)
        if values.dtype.kind not in "biuf":
            raise ValueError(f"{self.task}: scores must be numbers, not {values.dtype}")
        # Sums of float32, or in another order, would decide ties and p-values differently.
        object.__setattr__(self, "values", np.array(values, dtype=np.float64, order="C"))
        ends = set(self.better.values()) - set(get_args(Better))
        if ends or set(self.better) != set(self.measures):
            raise ValueError(
                f"{self.task}: better= must say of each measure, and no other, 'low' or 'high'"
            )
        if self.values.shape != tuple(map(len, names)):
            raise ValueError(
                f"{self.task}: scores have shape {self.values.shape}, the names "
                f"{tuple(map(len, names))} (measures, topics, runs)"
            )
        for place in np.argwhere(~np.isfinite(self.values))[:1]:
            measure, topic, run = (axis[k] for axis, k in zip(names, place, strict=True))
            raise ValueError(
                f"{self.task}: {measure} of run {run!r} on topic {topic!r} is no number"
            )
        self._refuse_far()
        # A choice of topics or measures keeps their references, and others' are dropped.
        kept = [measure for measure in self.measures if measure in self.references]
        references = self.references.reindex(list(self.topics))[kept].dropna(axis="columns")
        references = references.rename_axis(index="topic", columns="measure")
        object.__setattr__(self, "references", references)

    @property
    def source(self) -> Source:
        """One of ``raw``, ``committed`` and ``yours``."""
        return self.provenance.source

    def _refuse_far(self) -> None:
        """Refuse a run whose scores are a million times all others', such as 1e14 for "failed"."""
        largest = np.abs(self.values).max(axis=1)
        if len(self.runs) < 2:
            return
        others, far = np.sort(largest, axis=1)[:, -2:].T
        for k in np.flatnonzero(far > FAR * np.maximum(others, 1))[:1]:
            run = int(largest[k].argmax())
            topic = int(np.abs(self.values[k, :, run]).argmax())
            raise ValueError(
                f"{self.task}: {self.measures[k]} of run {self.runs[run]!r} on topic "
                f"{self.topics[topic]!r} is {self.values[k, topic, run]:g}, more than a million "
                "times all scores of other runs, which would tie beside it; leave the run out "
                f"(--exclude {self.runs[run]}), or score it as other runs are"
            )

    @cached_property
    def direction(self) -> NDArray[np.float64]:
        """1 for each measure whose high scores are better, -1 for the others: (measures,)."""
        return np.array([1.0 if self.better[name] == "high" else -1.0 for name in self.measures])

    @cached_property
    def scale(self) -> NDArray[np.float64]:
        """The largest absolute score of each measure, (measures,); 1 if all its scores are 0."""
        largest = np.abs(self.values).max(axis=(1, 2), initial=0)
        return np.where(largest > 0, largest, 1.0)

    @cached_property
    def oriented(self) -> NDArray[np.float64]:
        """Scores of which high is better, on one scale: (measures, topics, runs), read-only.

        Each measure is divided by its :attr:`scale`, and turned if low scores are better. Means
        that differ by up to 1e-12 are equal everywhere.
        """
        oriented = self.values / (self.scale * self.direction)[:, None, None]
        oriented.setflags(write=False)
        return oriented

    def __getitem__(self, measure: str) -> pd.DataFrame:
        """Scores by one measure: a DataFrame, topic x run."""
        return pd.DataFrame(
            self.values[self._position(measure)],
            index=pd.Index(self.topics, name="topic"),
            columns=pd.Index(self.runs, name="run"),
            copy=True,  # which pandas 2 does not do by itself
        )

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        measure: str | None = None,
        better: Better | Mapping[str, Better] | None = None,
        task: str = "yours",
        provenance: Provenance | None = None,
    ) -> Self:
        """Build a matrix from scores in a DataFrame.

        Rows and columns are matched by their labels, in any order.

        Parameters
        ----------
        frame
            Long: columns ``measure``, ``topic``, ``run`` and ``score``. Wide: by one ``measure``, a
            row per topic, which the index or a column ``topic`` names, and a column per run. Or
            measure -> a wide DataFrame.
        measure
            The measure, if the DataFrame names none.
        better
            Whether ``low`` or ``high`` scores are better, for all measures that ordbook does not
            know, or a mapping from measure to one of these.
        task
            Name of the task.
        provenance
            Where the scores come from; by default ``yours``.

        Raises
        ------
        ValueError
            If there is not one score for each measure, topic and run; if a score is no number or
            outside the bounds of its measure; if a row holds the means or sums of the others; if
            topics have no names; or if it is unknown which end is better.

        Examples
        --------
        >>> wide = pd.DataFrame({"A": [.1, .2], "B": [.3, .1]}, index=["s", "t"])
        >>> scores = ScoreMatrix.from_frame(wide, measure="NMD")
        >>> scores.topics, scores.runs, scores.better
        (('s', 't'), ('A', 'B'), {'NMD': 'low'})
        >>> scores.to_frame().tail(1)
          measure topic run  score
        3     NMD     t   B    0.1
        >>> mine = {"NMD": wide, "mine": 1 - wide.loc[["t", "s"]]}
        >>> ScoreMatrix.from_frame(mine, better={"mine": "high"})["mine"].loc["t"].tolist()
        [0.8, 0.9]
        """
        long = long_frame(frame, measure, task)
        if long.empty:
            raise ValueError(f"{task}: there are no scores")
        grid = checked_grid(long, task)
        ends = directions(grid.measures, better, task)
        return cls(task, *grid, ends, provenance or Provenance("yours"))

    def to_frame(self) -> pd.DataFrame:
        """Return all scores as a long DataFrame: measure, topic, run, score."""
        axes = [self.measures, self.topics, self.runs]
        frame = pd.MultiIndex.from_product(axes, names=AXES).to_frame(index=False)
        return frame.assign(score=self.values.ravel())

    def means(self) -> pd.DataFrame:
        """Mean over topics: a DataFrame, run x measure."""
        return pd.DataFrame(
            self.values.mean(axis=1).T,
            index=pd.Index(self.runs, name="run"),
            columns=pd.Index(self.measures, name="measure"),
        )

    def skill(self) -> pd.DataFrame:
        r"""Skill of every run, by the measures whose perfect score is 0 and that have a reference.

        :math:`1 - \bar S / \bar S_{ref}`, with the mean score of the run and that of a reference
        that was chosen on gold and ignores its input: by MAE_M and MAE_mu the single class that is
        best for all topics, by RPS the mean shares of gold. No other constant answer has a better
        mean score, so that nobody who ignores the input can expect more than 0. By NMD and RNOD
        some constant beats the mean shares, and kappa and the alphas have a zero of their own, so
        that these have no skill here. For a part of the topics, the reference stays that of all.

        Skill is 1 for a perfect run, 0 for one that is as good as the reference, and unbounded
        below; it ranks the runs as the measure does. As a ratio of two means it depends on how hard
        gold is to guess, so do not average it over data sets; a mean of ratios would also reward
        hedging (Murphy 1973).

        Returns
        -------
        DataFrame
            run x measure. NaN where the reference is perfect, because gold is the same everywhere.
            Scores that ordbook did not compute from gold have no reference, and no columns here.

        References
        ----------
        Epstein (1969), A scoring system for probability forecasts of ranked categories, for RPS;
        Murphy (1973), Hedging and skill scores for probability forecasts, for the skill of Brier's
        score; both in the Journal of Applied Meteorology.

        Examples
        --------
        The best single class is 2, with a mean absolute error of .5:

        >>> import ordbook as ob
        >>> gold, runs = [1, 2, 2, 3], {"A": [1, 2, 2, 2], "B": [1, 1, 1, 1]}
        >>> task = ob.ClassificationTask.from_labels(gold, runs, "tttt", [1, 2, 3])
        >>> ob.score(task, ["MAE_mu", "kappa"]).skill()
        measure  MAE_mu
        run
        A           0.5
        B          -1.0
        """
        reference = self.references.mean()
        return 1 - self.means()[reference.index] / reference.where(reference > TIE_TOLERANCE)

    def select(self, measures: Iterable[str]) -> Self:
        """Return the matrix with these measures only, in this order."""
        chosen = tuple(measures)
        return replace(
            self,
            values=self.values[[self._position(measure) for measure in chosen]],
            measures=chosen,
            better={measure: self.better[measure] for measure in chosen},
        )

    def keep(
        self, *, topics: Container[str] | None = None, runs: Container[str] | None = None
    ) -> Self:
        """Return the matrix with these topics and these runs only, by default all, in its order."""
        rows = [k for k, topic in enumerate(self.topics) if topics is None or topic in topics]
        columns = [k for k, run in enumerate(self.runs) if runs is None or run in runs]
        return replace(
            self,
            values=self.values[:, rows][:, :, columns],
            topics=tuple(self.topics[k] for k in rows),
            runs=tuple(self.runs[k] for k in columns),
        )

    def save(self, path: str | Path, *, by_run: bool = False) -> None:
        """Write scores as CSV (measure, topic, run, score), and a JSON file beside it.

        Parameters
        ----------
        path
            The CSV file.
        by_run
            Whether to write a column for each run, as the scores that travel with ordbook have.

        Notes
        -----
        A name that ends in ``.csv.xz`` is packed. Scores are written with the fewest digits that
        give the same number back. The JSON file holds directions, provenance, references and the
        checksum of the CSV file (unpacked), and nothing that changes from day to day. Another JSON
        file of that name is never replaced.
        """
        path, frame = Path(path), self.to_frame()
        if by_run:
            tables = {measure: self[measure] for measure in self.measures}
            frame = pd.concat(tables, names=AXES[:2]).reset_index()
        described = about_path(path)
        table = frame.to_csv(index=False, lineterminator="\n").encode()
        about = {
            "format": FORMAT,
            "task": self.task,
            "source": self.source,
            "better": dict(self.better),
            "computed_from": dict(self.provenance.files),
            "notes": [
                {"text": note, "kind": note.kind, "run": note.run} if note.run else note
                for note in self.provenance.notes
            ],
            "references": self.references.to_dict(),
            "scores_sha256": hashlib.sha256(table).hexdigest(),
        }
        if described.exists():
            read_about(described)  # refuses to replace what is not ours
        if path.suffix.lower() == ".xz":  # into the same bytes each time
            table = lzma.compress(table, preset=9 | lzma.PRESET_EXTREME)
        write_whole(path, table)
        write_whole(described, json.dumps(about, indent=1) + "\n")

    def __repr__(self) -> str:
        measures, topics, runs = self.values.shape
        return (
            f"<{type(self).__name__} {self.task}: {counted(measures, 'measure')} x "
            f"{counted(topics, 'topic')} x {counted(runs, 'run')}; {self.source}>"
        )

    def _position(self, measure: str) -> int:
        if measure not in self.measures:
            raise ValueError(
                f"{self.task}: no measure {measure!r} in these scores; "
                f"there are {', '.join(self.measures)}{did_you_mean(measure, self.measures)}"
            )
        return self.measures.index(measure)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ScoresTask(Described):
    """A score matrix in place of a task whose gold data and runs are unknown.

    Attributes
    ----------
    scores
        The matrix, which :func:`ordbook.score` returns.
    about
        What is known of the runs, as of any task.

    Examples
    --------
    >>> import ordbook as ob
    >>> ScoresTask(scores=ob.score(ob.load("fair-oq"), ["NMD", "RNOD"]))
    <ScoresTask fair-oq: 56 topics, 16 runs, scores by NMD, RNOD; raw>
    """

    scores: ScoreMatrix
    about: pd.DataFrame = field(default_factory=pd.DataFrame)

    kind: ClassVar[str] = "scores"
    classes: ClassVar[tuple[str, ...]] = ()
    votes: ClassVar[tuple[int, ...]] = ()
    missing: ClassVar[str] = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "about", facts(self.about, self.runs))

    def keep(self, *, runs: Container[str]) -> Self:  # noqa: D102  inherited
        return replace(self, scores=self.scores.keep(runs=runs))

    @property
    def name(self) -> str:
        """Name of the task."""
        return self.scores.task

    @property
    def measures(self) -> tuple[str, ...]:
        """Names of the measures."""
        return self.scores.measures

    @property
    def topics(self) -> tuple[str, ...]:
        """Names of the topics."""
        return self.scores.topics

    @property
    def runs(self) -> tuple[str, ...]:
        """Names of the runs."""
        return self.scores.runs

    @property
    def provenance(self) -> Provenance:
        """The source of the scores."""
        return self.scores.provenance

    def __repr__(self) -> str:
        return (
            f"<{type(self).__name__} {self.name}: {counted(len(self.topics), 'topic')}, "
            f"{counted(len(self.runs), 'run')}, scores by {', '.join(self.measures)}; "
            f"{self.provenance.source}>"
        )


def load_scores(path: str | Path) -> ScoreMatrix:
    """Read a score matrix that :meth:`ScoreMatrix.save` wrote.

    Parameters
    ----------
    path
        The CSV file, or the folder that ``ordbook score`` wrote.

    Returns
    -------
    ScoreMatrix
        The scores, with the provenance that was saved.

    Raises
    ------
    ValueError
        If a file is missing, was changed since it was written, or is not a full
        measure x topic x run grid of numbers.
    """
    path = Path(path)
    path = path / "scores.csv" if path.is_dir() else path
    described = about_path(path)
    about = _description(described, path)
    frame = pd.read_csv(io.BytesIO(read_content(path)), dtype=str, keep_default_na=False)
    if list(frame) != HEADER:  # committed scores have a column for each run
        frame = frame.melt(HEADER[:2], var_name="run", value_name="score")
    frame["score"] = frame["score"].astype(float)
    grid = checked_grid(frame, path, bounded=False)
    ends = directions(grid.measures, about["better"], described)
    notes = (Note(**note) if isinstance(note, dict) else Note(note) for note in about["notes"])
    provenance = Provenance(about["source"], about["computed_from"], tuple(notes))
    references = pd.DataFrame(about.get("references"))
    return ScoreMatrix(about["task"], *grid, ends, provenance, references)


def committed_scores(name: str) -> ScoreMatrix | None:
    """Return the committed scores of a catalogued task, or None if there are none."""
    try:
        path = share("data", "scores", f"{name}.csv.xz")
    except FileNotFoundError:
        return None
    scores = _committed(path, path.stat().st_mtime_ns)
    return replace(scores, values=scores.values.copy(), references=scores.references.copy())


@lru_cache(maxsize=4)
def _committed(path: Path, changed: int) -> ScoreMatrix:
    scores = load_scores(path)
    return replace(scores, provenance=replace(scores.provenance, source="committed"))


def read_scores(
    name: str,
    paths: Sequence[Path],
    *,
    better: Better | Mapping[str, Better] | None = None,
    notes: Sequence[str] = (),
    problems: Problems,
) -> ScoresTask | None:
    """Read files of scores, at least one; None after ``problems`` got faults.

    The measures are those of all files, which must have the same topics and runs. ``better`` is
    as for :func:`ordbook.load`; a file that :meth:`ScoreMatrix.save` wrote has it beside it.
    """
    files, frames = list[Path](), list[pd.DataFrame | None]()
    saved: dict[str, Better] = {}
    references = [pd.DataFrame()]
    for path in paths:
        frames.append(problems.attempt(path, read_file, path, problems))
        beside = about_path(path) if is_csv(path) else run_list(path)
        files += filter(None, [path, beside if beside and beside.is_file() else None])
        if is_csv(path) and beside in files:
            about = problems.attempt(files[-1], _description, files[-1], path) or {}
            saved |= about.get("better", {})
            references.append(pd.DataFrame(about.get("references")))
    if problems:
        return None
    where = paths[0] if len(paths) == 1 else paths[0].parent
    grid = grid_of(pd.concat(frames, ignore_index=True), where, problems)
    if grid is None:
        return None

    def task() -> ScoresTask:
        ends = directions(grid.measures, better, paths[0], saved)
        checksums = {file.name: sha256(file) for file in files}
        provenance = Provenance("yours", checksums, as_notes(notes))
        held = pd.concat(references, axis="columns")
        return ScoresTask(scores=ScoreMatrix(name, *grid, ends, provenance, held))

    return problems.attempt(paths[0], task)


def _description(about: Path, path: Path) -> dict[str, Any]:
    """Read the description of a file of scores, which must be that of these very scores."""
    described = read_about(about)
    if hashlib.sha256(read_content(path)).hexdigest() != described["scores_sha256"]:
        fault = f"other scores than {about.name} describes (sha256 differs)"
        raise Wrong(path, found=fault, fix=f"restore the file, or remove {about.name}")
    return described


def about_path(path: Path) -> Path:
    """``x.csv``, also with ``.gz`` or ``.xz``, -> ``x.json``, which describes the scores."""
    if plain(path).suffix.lower() != ".csv":
        raise ValueError(f"{path}: scores are saved as CSV; let the name end in .csv or .csv.xz")
    return plain(path).with_suffix(".json")


def read_about(path: Path) -> dict[str, Any]:
    """Read the JSON file that describes scores; raises ValueError if it is none."""
    if not path.is_file():
        raise ValueError(f"{path}: this file, which belongs to the scores, is not there")
    try:
        about: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        sound = about["format"] == FORMAT and about["source"] in get_args(Source)
        sound &= set(about["better"].values()) <= set(get_args(Better))
        sound &= {"task", "computed_from", "notes", "scores_sha256"} <= about.keys()
    except (ValueError, LookupError, TypeError, AttributeError):
        sound = False
    if not sound:
        raise ValueError(
            f"{path}: this does not describe a score matrix in format {FORMAT}; rename it, and "
            "say with better= which end is better"
        )
    return about
