"""Score matrices: one score per measure, topic and run.

Contents
--------
ScoreMatrix        the matrix, with names, directions and provenance
said_of            which ends are said to be better, of which measures
sizes              the largest score of each measure
contradicts        whether ordbook knows another end of a measure to be better
load_scores        read what ScoreMatrix.save wrote
committed_scores   the scores of a catalogued task that travel with ordbook
commit_scores      write them
"""

import csv
import gzip
import hashlib
import io
import json
import zlib
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any, Literal, Self, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ordbook.data.csvfile import MOST
from ordbook.data.glance import Glance
from ordbook.data.jsonfile import LARGEST
from ordbook.data.names import check_names, counted
from ordbook.data.paths import share, write_all
from ordbook.data.tasks import Provenance, Source
from ordbook.measures import CLASSIFICATION, QUANTIFICATION, Measure
from ordbook.measures.validation import refuse_masked

Better = Literal["low", "high"]
HEADER = ["measure", "topic", "run", "score"]
KNOWN: Mapping[str, Measure] = {**QUANTIFICATION, **CLASSIFICATION}
FORMAT = 1
ENDINGS = (".csv", ".csv.gz")
MOST_UNPACKED = 30_000  # committed matrices with more scores are packed
# A measure's largest score. Differences up to 1e-12 of it are ties; squares of smaller ones than
# 1e-152 would lose digits, and then vanish.
LEAST = 1e-140


@dataclass(frozen=True, eq=False, repr=False)
class ScoreMatrix(Glance):
    """Scores of every run on every topic by every measure.

    Attributes
    ----------
    task
        Name of the task.
    values
        (measures, topics, runs), from -1e15 to 1e15; any numbers, of which a C-contiguous copy in
        float64 is kept. The largest by each measure is at least 1e-140, or all are 0.
    measures, topics, runs
        Names, in the order of the axes.
    better
        Measure -> whether ``low`` or ``high`` scores are better.
    provenance
        Where the scores come from; its source is also :attr:`source`.

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

    def __post_init__(self) -> None:
        names = (self.measures, self.topics, self.runs)
        for what, axis in zip(("measure", "topic", "run"), names, strict=True):
            check_names(axis, what, self.task)
        values = np.asarray(self.values)
        refuse_masked(self.values, f"{self.task}: values", values.ndim)
        if values.dtype.kind not in "biuf":
            raise ValueError(f"{self.task}: scores must be numbers, not {values.dtype}")
        # Sums of float32, or in another order, would decide ties and p-values differently.
        object.__setattr__(self, "values", np.array(values, dtype=np.float64, order="C"))
        if set(self.better) != set(self.measures):
            raise ValueError(f"{self.task}: say of each measure, and no other, which end is better")
        for measure, end in self.better.items():
            if end not in get_args(Better):
                raise ValueError(
                    f"{self.task}: better= is {end!r} for {measure}; write 'low' or 'high'"
                )
        if self.values.shape != tuple(map(len, names)):
            raise ValueError(
                f"{self.task}: scores have shape {self.values.shape}, the names "
                f"{tuple(map(len, names))} (measures, topics, runs)"
            )
        if not np.isfinite(self.values).all():
            measure, topic, run = (
                axis[i]
                for axis, i in zip(names, np.argwhere(~np.isfinite(self.values))[0], strict=True)
            )
            raise ValueError(
                f"{self.task}: {measure} of run {run!r} on topic {topic!r} is no number"
            )
        for measure, size in zip(self.measures, sizes(self.values), strict=True):
            if size > MOST or 0 < size < LEAST:
                raise ValueError(
                    f"{self.task}: the largest score by {measure}, signs left aside, is {size:g}; "
                    f"scores that reach from {LEAST:g} to {MOST:g} can be computed with: multiply "
                    "those of the measure by a power of ten"
                )

    @property
    def source(self) -> Source:
        """One of ``raw``, ``committed``, ``simulated`` and ``yours``."""
        return self.provenance.source

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
        frame: "pd.DataFrame | pd.Series[Any] | Mapping[str, pd.DataFrame]",
        *,
        measure: str | None = None,
        better: Better | Mapping[str, Better] | None = None,
        task: str = "yours",
        provenance: Provenance | None = None,
    ) -> Self:
        """Build a matrix from scores in a DataFrame.

        Rows and columns go by their labels, and may stand in any order.

        Parameters
        ----------
        frame
            Long: columns ``measure``, ``topic``, ``run`` and ``score``, or some of these in the
            index. Wide: a row per topic, which the index or a column ``topic`` names, and a column
            per run, by one measure; with two levels of columns, measure and run. Or measure -> a
            wide DataFrame.
        measure
            The measure, where the DataFrame names none.
        better
            Whether ``low`` or ``high`` scores are better, for all measures that are not
            ordbook's, or measure -> which. Of ordbook's own it is known.
        task
            Name of the task.
        provenance
            Where the scores come from; by default ``yours``.

        Raises
        ------
        ValueError
            If there is not one score for each measure, topic and run, if a score is no number or
            outside the bounds of its measure, if a row or column holds the means or sums of the
            others, if the first column, unlike others, is of whole numbers and may name the topics,
            which the index only numbers, or if it is not known which end is better.

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
        >>> scores = ScoreMatrix.from_frame(mine, better={"mine": "high"})
        >>> scores["mine"].loc["t"].tolist()
        [0.8, 0.9]
        """
        from ordbook.data.margins import doubtful
        from ordbook.data.scoreframes import cells, directions, unnamed

        found = cells(frame, measure, task)
        notes = doubtful(found.values, found.topics, 1, found.runs)
        notes += doubtful(found.values, found.runs, 2, found.topics) + unnamed(frame)
        return cls(
            task,
            found.values,
            found.measures,
            found.topics,
            found.runs,
            directions(found.measures, better, task),
            provenance or Provenance("yours", {}, tuple(notes)),
        )

    def to_frame(self) -> pd.DataFrame:
        """Return all scores as a long DataFrame: measure, topic, run, score."""
        from ordbook.data.scoreframes import long_frame

        return long_frame(self)

    def means(self) -> pd.DataFrame:
        """Mean over topics: a DataFrame, run x measure."""
        return pd.DataFrame(
            self.values.mean(axis=1).T,
            index=pd.Index(self.runs, name="run"),
            columns=pd.Index(self.measures, name="measure"),
        )

    def select(self, measures: Iterable[str]) -> "ScoreMatrix":
        """Return the matrix with these measures only, in this order."""
        chosen = tuple(measures)
        return ScoreMatrix(
            self.task,
            self.values[[self._position(measure) for measure in chosen]],
            chosen,
            self.topics,
            self.runs,
            {measure: self.better[measure] for measure in chosen},
            self.provenance,
        )

    def save(self, path: str | Path) -> None:
        """Write ``path`` (CSV: measure, topic, run, score) and a JSON file beside it.

        A name that ends in ``.csv.gz`` is written with gzip, the same bytes each time.

        Scores are written with the fewest digits that give the same number back; the JSON file
        holds directions, provenance and the checksum of the CSV file (unpacked), and nothing that
        changes from day to day. Each file appears whole or not at all, and none before both are
        on the disk; a JSON file of that name which is not of this kind is never replaced.
        """
        path = Path(path)
        about_path = _about_path(path)
        buffer = io.StringIO()
        writer = csv.writer(buffer, lineterminator="\n")
        writer.writerow(HEADER)
        for measure, by_topic in zip(self.measures, self.values.tolist(), strict=True):
            for topic, by_run in zip(self.topics, by_topic, strict=True):
                for run, score in zip(self.runs, by_run, strict=True):
                    writer.writerow([measure, topic, run, repr(score)])
        table = buffer.getvalue().encode()
        about = {
            "format": FORMAT,
            "task": self.task,
            "source": self.source,
            "better": dict(self.better),
            "computed_from": dict(self.provenance.files),
            "notes": list(self.provenance.notes),
            "scores_sha256": hashlib.sha256(table).hexdigest(),
        }
        if about_path.exists():
            _read_about(about_path)  # refuses to replace what is not ours
        packed = gzip.compress(table, mtime=0) if path.suffix == ".gz" else table
        write_all({path: packed, about_path: json.dumps(about, indent=1) + "\n"})

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
                f"there are {', '.join(self.measures)}"
            )
        return self.measures.index(measure)


def said_of(
    better: Better | Mapping[str, Better] | None, measures: Iterable[str], known: Container[str]
) -> dict[str, Better]:
    """Return measure -> the end that is said to be better.

    One end for all is said of the measures that are not known; of all, if there are no such.

    Examples
    --------
    >>> said_of("low", ["mine", "kappa"], {"kappa"}), said_of("low", ["kappa"], {"kappa"})
    ({'mine': 'low'}, {'kappa': 'low'})
    """
    if not isinstance(better, str):
        return dict(better or {})
    of = list(measures)
    return dict.fromkeys([name for name in of if name not in known] or of, better)


def sizes(values: NDArray[np.float64]) -> list[float]:
    """Return the largest score of each measure, signs left aside, of (measures, topics, runs).

    Examples
    --------
    >>> sizes(np.array([[[0.5, -2.0]], [[0.0, 0.0]]]))
    [2.0, 0.0]
    """
    largest: list[float] = np.abs(values).max(axis=(1, 2), initial=0).tolist()
    return largest


def contradicts(measure: str, better: object) -> bool:
    """Return whether ordbook knows that the other end of this measure is better.

    Examples
    --------
    >>> contradicts("NMD", "high"), contradicts("NMD", "low"), contradicts("mine", "high")
    (True, False, False)
    """
    return measure in KNOWN and better in ("low", "high") and better != KNOWN[measure].better


def load_scores(path: str | Path) -> ScoreMatrix:
    """Read a score matrix that :meth:`ScoreMatrix.save` wrote.

    Parameters
    ----------
    path
        The CSV file, or the folder that ``ordbook score`` wrote.

    Raises
    ------
    ValueError
        If a file is missing, was changed since it was written, or is not a full
        measure x topic x run grid of numbers; the message names file and line.
    """
    path = Path(path)
    path = path / "scores.csv" if path.is_dir() else path
    about_path = _about_path(path)
    about = _read_about(about_path)
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            table = file.read(LARGEST + 1)
    except (EOFError, gzip.BadGzipFile, zlib.error):
        raise ValueError(f"{path}: the gzip file is cut short or damaged; get it again") from None
    except OSError as error:
        raise ValueError(f"{path}: cannot be read ({error.strerror})") from None
    if len(table) > LARGEST:
        raise ValueError(f"{path}: more than {LARGEST // 10**6} MB; this is another file")
    if hashlib.sha256(table).hexdigest() != about["scores_sha256"]:
        raise ValueError(
            f"{path}: not the scores that {about_path.name} describes (sha256 "
            "differs): restore the file, or save the matrix again"
        )
    values, measures, topics, runs = _read_grid(path, table)
    for measure, end in about["better"].items():
        if contradicts(measure, end):
            raise ValueError(
                f"{about_path}: it says that {end} scores by {measure} are better, and by "
                f"ordbook's {measure} they are not: restore the file, or rename the measure in both"
            )
    if about["better"].keys() != set(measures):
        raise ValueError(f"{about_path}: 'better' must name each measure once")
    return ScoreMatrix(
        about["task"],
        values,
        measures,
        topics,
        runs,
        about["better"],
        Provenance(about["source"], about["computed_from"], tuple(about["notes"])),
    )


def committed_scores(name: str) -> ScoreMatrix | None:
    """Return the committed scores of a catalogued task, or None where there are none."""
    for ending in ENDINGS:
        try:
            path = share("data", "scores", f"{name}{ending}")
        except FileNotFoundError:
            continue
        scores = load_scores(path)
        return replace(scores, provenance=replace(scores.provenance, source="committed"))
    return None


def commit_scores(scores: ScoreMatrix, folder: Path, name: str) -> Path:
    """Write scores that travel with ordbook into a folder, packed if many; return the file."""
    packed = scores.values.size > MOST_UNPACKED
    path = folder / f"{name}{ENDINGS[packed]}"
    scores.save(path)
    (folder / f"{name}{ENDINGS[not packed]}").unlink(missing_ok=True)
    return path


def _read_grid(
    path: Path, table: bytes
) -> tuple[NDArray[np.float64], tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Read a full measure x topic x run grid; return it with the names on its axes."""
    cells: dict[tuple[str, ...], float] = {}
    try:
        reader = csv.reader(io.StringIO(table.decode(), newline=""), strict=True)
        if next(reader, None) != HEADER:
            raise ValueError(f"{path}, line 1: expected the columns {','.join(HEADER)}")
        for row in reader:
            if len(row) != len(HEADER):
                fault = f"{len(row)} columns, expected {len(HEADER)}"
                raise ValueError(f"{path}, line {reader.line_num}: {fault}")
            *names, text = row
            key = tuple(names)
            if key in cells:
                fault = f"{', '.join(key)} occurs a second time; remove a line"
                raise ValueError(f"{path}, line {reader.line_num}: {fault}")
            try:
                cells[key] = float(text)
            except ValueError:
                fault = f"the score {text!r} is not a number"
                raise ValueError(f"{path}, line {reader.line_num}: {fault}") from None
    except (UnicodeDecodeError, csv.Error) as error:
        raise ValueError(f"{path}: not a CSV file in UTF-8 ({error})") from None
    if not cells:
        raise ValueError(f"{path}: there is no row below line 1; save the matrix again")
    measures, topics, runs = (tuple(dict.fromkeys(key[axis] for key in cells)) for axis in range(3))
    for key in product(measures, topics, runs):
        if key not in cells:
            raise ValueError(f"{path}: there is no score for {', '.join(key)}; add it")
    values = np.array([cells[key] for key in product(measures, topics, runs)])
    return values.reshape(len(measures), len(topics), len(runs)), measures, topics, runs


def _about_path(path: Path) -> Path:
    """``x.csv`` and ``x.csv.gz`` -> ``x.json``."""
    for ending in ENDINGS:
        if path.name.endswith(ending):
            return path.with_name(path.name.removesuffix(ending) + ".json")
    raise ValueError(f"{path}: scores are saved as CSV; let the name end in .csv or .csv.gz")


def _read_about(path: Path) -> dict[str, Any]:
    try:
        about = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ValueError(f"{path}: cannot be read ({error.strerror})") from None
    except (ValueError, RecursionError):
        raise ValueError(f"{path}: not the JSON file that belongs to a score matrix") from None
    fields = {"format", "task", "source", "better", "computed_from", "notes", "scores_sha256"}
    if (
        not isinstance(about, dict)
        or about.keys() != fields
        or about["format"] != FORMAT
        or not isinstance(about["better"], dict)
        or not all(end in ("low", "high") for end in about["better"].values())
        or about["source"] not in get_args(Source)
        or not isinstance(about["task"], str)
        or not isinstance(about["computed_from"], dict)
        or not isinstance(about["notes"], list)
        or not all(isinstance(note, str) for note in about["notes"])
    ):
        raise ValueError(f"{path}: not the description of a score matrix in format {FORMAT}")
    return about
