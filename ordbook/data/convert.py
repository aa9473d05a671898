"""Files as others write them -> a clean folder of the plainest format: gold.csv and runs/*.csv.

Files that ordbook reads are copied, or written as CSV if they are JSON or have no header. Others
are put into form: long tables, semicolons, decimal commas, percentages, workbooks, JSON Lines. No
number is changed but for how it is written, and the lists of classes and of groups come along.
"""

import os
import re
import shutil
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ordbook.data.annotators import ANNOTATORS
from ordbook.data.folder import Task, read_path
from ordbook.data.frames import Source, is_workbook, read_sheets
from ordbook.data.headless import (
    is_qrels,
    not_judged,
    read_qrels,
)
from ordbook.data.labels import SIDECARS
from ordbook.data.problems import Problems
from ordbook.data.ratings import from_ratings
from ordbook.data.scoreframes import HEADER
from ordbook.data.scores import ScoresTask
from ordbook.data.tables import is_long, superfluous
from ordbook.data.tasks import GROUPS, file_name, write_task
from ordbook.data.text import decode, plain, read_content, unpacked
from ordbook.files import whole_folder
from ordbook.measures import CLASSIFICATION, QUANTIFICATION
from ordbook.words import counted, listing, name_fault, shown, some

LISTS = (*SIDECARS, GROUPS, ANNOTATORS)
KEYS = ("topic", "item", "label")
JSON = (".json", ".jsonl", ".ndjson")
RUN_NAMES = ("run", "system", "team")
CLASS_NAMES = ("class", "label_class", "category")
VALUE_NAMES = ("value", "probability", "prob", "share", "count", "votes")
HIDDEN = (".", "~$", "__MACOSX")
_DECIMAL_COMMA = re.compile(r"-?\d*,\d+")
_GROUPED = re.compile(r"-?[1-9]\d{0,2}(,\d{3})+")  # 1,234, or 1.234
_PERCENTAGE = re.compile(r"\d+(\.\d*)?\s*%")


@dataclass
class _Tables:
    """The contents of a source: tables of gold data and of runs, files to copy, and notes."""

    task: Task | None = None  # in place of tables
    gold: pd.DataFrame | None = None
    runs: dict[str, pd.DataFrame] = field(default_factory=dict)
    files: dict[str, Path | pd.DataFrame] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    classes: Sequence[str] | None = None  # of files without a header
    unjudged: set[tuple[str, str]] = field(default_factory=set)  # pairs that gold qrels leave open

    def add(self, name: str, table: pd.DataFrame) -> None:
        """Take a table for the gold data or, by its name, for a run."""
        if "label" in table:
            # pandas writes 5 as 5.0 where a column of numbers has a gap.
            whole = table["label"].str.replace(r"^(-?\d+)\.0$", r"\1", regex=True)
            if not whole.equals(table["label"]):
                table = table.assign(label=whole)
                self.note("Wrote labels such as 5.0 as 5.")
        if name.lower() == "gold" and self.gold is None:
            self.gold = table
            return
        if name in self.runs:
            raise ValueError(f"two files or rows are about the run {name!r}: rename or remove one")
        slash = f"{name!r} with a slash" if {"/", "\\"} & set(name) else ""
        if fault := name_fault(name) or slash:
            raise ValueError(f"a run is called {fault}, which cannot name a file: rename the run")
        self.runs[name] = table

    def note(self, line: str) -> None:
        """Note a step, once for all the files that it was applied to."""
        if line not in self.notes:
            self.notes.append(line)


def convert(
    source: str | Path | None,
    folder: str | Path,
    *,
    gold: str | Path | None = None,
    runs: str | Path | None = None,
    classes: Sequence[str] | None = None,
    part: str | None = None,
    overwrite: bool = False,
) -> list[str]:
    """Write a clean folder of gold data and runs from files in another form.

    Parameters
    ----------
    source
        Anything that :func:`ordbook.load` reads; a folder that holds one file with "gold" in its
        name and one other folder, of runs; or a table, JSON Lines or a workbook: long (topic, run,
        and classes or a label; gold is the run ``gold``), with a column ``gold`` and one per run,
        or with a sheet ``gold`` and one per run.
    folder
        What to write: a new or an empty folder.
    gold, runs
        In place of ``source``: the gold file, and the folder of run files, or a table of all runs.
    classes
        Labels from lowest to highest, where the files do not say so.
    part
        Of NTCIR files: the quality score ``A``, ``E`` or ``S``.
    overwrite
        Whether a folder that is there may be replaced, whatever it holds.

    Returns
    -------
    list of str
        What was done, one sentence each.

    Raises
    ------
    ValueError
        If ``folder`` holds anything, the source is in no known form, or gold and runs are not
        found in it; the message says what to name.
    """
    inputs = [Path(path) for path in (source, gold, runs) if path is not None]
    for path in inputs:
        if not os.path.exists(path):  # noqa: PTH110, of any name, also one that is too long
            raise ValueError(f"{path}: there is no such file or folder; correct the path")
    with whole_folder(folder, overwrite, inputs) as out, ExitStack() as stack:
        place = Path(source) if source is not None else None
        problems = Problems()
        if place is not None and place.is_file() and place.suffix.lower() == ".zip":
            place = stack.enter_context(unpacked(place, problems))
            problems.raise_first()
        if place is not None and place.is_dir():
            folders = [path.name for path in sorted(place.iterdir()) if path.name.lower() == "runs"]
            if len(folders) > 1:
                raise ValueError(f"{source}: holds {listing(folders)}; keep one, named runs")
        tables = _Tables()
        try:
            alone = place is not None and not (gold or runs)
            if not (place and alone and _read_task(place, classes, part, tables)):
                _read_files(place, gold, runs, tables)
            _write(out, tables, classes, source or runs)
        except ValueError as error:
            raise ValueError(str(error).replace(str(place), str(source))) from None
    return tables.notes


def _read_task(
    source: Path, classes: Sequence[str] | None, part: str | None, tables: _Tables
) -> bool:
    """Take files that ordbook reads, but for missing answers; else return False."""
    # A single file looks like scores, to which classes do not belong.
    listed = classes if source.is_dir() else None
    reading = read_path(source, classes=listed, part=part)
    task, folder = reading.task, source if source.is_dir() else source.parent
    if task is None or any(problem.code != "lacking" for problem in reading.problems):
        return False
    if reading.format == "qrels":
        tables.classes = task.classes
        return False
    if reading.format in ("tables", "scores"):
        provenance = task.scores.provenance if isinstance(task, ScoresTask) else task.provenance
        tables.files = {name: folder / name for name in provenance.files}
        tables.note(f"Copied {counted(len(tables.files), 'file')}: ordbook reads them as they are.")
        return True
    tables.task = task
    if reading.problems:
        tables.task = read_path(source, part=part, missing="worst").task
    tables.note("Wrote the votes and answers of JSON files as tables.")
    return True


def _take_lists(folder: Path, tables: _Tables) -> None:
    """Take the lists of classes and of groups that stand in a folder, whatever their capitals."""
    for path in sorted(folder.iterdir()):
        if (name := path.name.lower()) in LISTS and path.is_file():
            is_table = name in (GROUPS, ANNOTATORS)
            tables.files[name] = read_sheets(path)[path.stem].frame if is_table else path


def _read_files(
    source: Path | None, gold: str | Path | None, runs: str | Path | None, tables: _Tables
) -> None:
    """Read gold and run files from a folder, by their own paths, or from one long table."""
    if source is not None and source.is_dir():
        gold = gold or _gold_in(source)
        runs = runs or _runs_in(source, Path(gold))
    elif source is not None:
        _read_table(source, tables)
    elif gold is None or runs is None:
        raise ValueError("nothing to read: name SOURCE, or --gold FILE and --runs FOLDER")
    if gold is not None:
        _read_table(Path(gold), tables, "gold")
    _take_lists(Path(gold or source or "").absolute().parent, tables)
    if runs is not None and Path(runs).is_file():
        _read_table(Path(runs), tables)
    for path in _visible(Path(runs).iterdir()) if runs is not None and Path(runs).is_dir() else ():
        if path.is_dir():
            fix = "name the folder of the run files"
            raise ValueError(f"{path}: a folder in place of a run; {fix}")
        _read_table(path, tables, _run_name(path))


def _visible(paths: Iterable[Path]) -> list[Path]:
    return [path for path in sorted(paths) if not path.name.startswith(HIDDEN)]


def _files_in(source: Path) -> list[Path]:
    """Return the files of a folder of any depth, without hidden ones."""
    files = [path for path in source.rglob("*") if path.is_file()]
    return [
        path
        for path in sorted(files)
        if not any(part.startswith(HIDDEN) for part in path.relative_to(source).parts)
    ]


def _gold_in(source: Path) -> Path:
    files = [path for path in _files_in(source) if "gold" in path.name.lower()]
    files = [path for path in files if path.parent == source] or files
    fix = "name one with --gold FILE, and the runs with --runs FOLDER"
    return _single(files, source, f"files with 'gold' in their names ({{}}); {fix}")


def _runs_in(source: Path, gold: Path) -> Path:
    if (gold.parent / "runs").is_dir():
        return gold.parent / "runs"
    folders = sorted({path.parent for path in _files_in(source)} - {gold.parent})
    return _single(folders, source, "folders that may hold runs ({}); name one with --runs FOLDER")


def _single(paths: list[Path], source: Path, what: str) -> Path:
    if len(paths) != 1:
        names = some([str(path.relative_to(source)) for path in paths], 5) or "none"
        raise ValueError(f"{source}: {len(paths)} {what.format(names)}")
    return paths[0]


def _run_name(path: Path) -> str:
    """``D/ECNU-D.output`` -> ``ECNU``: SemEval's packs append the subtask to the team."""
    name = plain(path).stem
    return name if path.parent.name == "runs" else name.removesuffix(f"-{path.parent.name}")


def _read_table(path: Path, tables: _Tables, name: str = "") -> None:
    """Read a file: a single table, or one whose rows name their table."""
    content = read_content(path)
    text = "" if is_workbook(path, content) else decode(content, path)
    if text and is_qrels(path, text):
        _read_qrels(path, name or plain(path).stem, tables)
        return
    sheets = read_sheets(path)
    for sheet, source in sheets.items():
        table = _named(source, tables)
        _take(table, path, name if len(sheets) == 1 else "", sheet, tables)


def _read_qrels(path: Path, name: str, tables: _Tables) -> None:
    """Give qrels a header, and leave out the pairs that nobody judged."""
    problems = Problems()
    table = read_qrels(path, problems)
    problems.raise_first()
    assert table is not None
    frame = pd.DataFrame(table.rows, columns=table.head)
    tables.note("Gave the files a header.")
    pairs = list(zip(frame["topic"], frame["item"], strict=True))
    left = {pairs[row] for row in not_judged(table)} | tables.unjudged
    tables.unjudged = left if name == "gold" else tables.unjudged
    frame = frame[[pair not in left for pair in pairs]].drop(columns="iteration")
    if len(frame) < len(pairs):
        tables.note("Left out labels of -1 and -2, and pairs to which gold gives such a label.")
    tables.add(name, frame)


def _named(source: Source, tables: _Tables) -> pd.DataFrame:
    """Return a table of plain cells with plain names of its columns, without an index."""
    if source.note:
        tables.note(source.note)
    table = source.frame.astype(str).map(str.strip)
    names = [str(name).strip() for name in table]
    table.columns = [name.lower() if name.lower() in KEYS else name for name in names]
    if table.columns.has_duplicates:
        twice = table.columns[table.columns.duplicated()][0]
        raise ValueError(f"{source.path}: two columns are called {twice!r}; rename or remove one")
    if plain(source.path).suffix.lower() in JSON:
        fields = {"prediction": "label", "id": "item"}
        table = table.rename(columns={x: name for x, name in fields.items() if name not in table})
    index = table.columns[0]
    if {"topic", "item"} & set(table.columns[1:]) and (not index or index.startswith("Unnamed")):
        table = table.iloc[:, 1:]
        tables.note("Left out the first column, an index.")
    return table


def _take(table: pd.DataFrame, path: Path, name: str, sheet: str, tables: _Tables) -> None:
    """Assign a table, or its parts, to gold data and runs, long or wide.

    ``name`` says what the file is about, if it does; ``sheet`` what the table is called.
    """
    if not {"topic", "item"} & set(table):
        head = shown(",".join(table.columns), 120)
        raise ValueError(f"{path}: no column topic or item in {head}; rename the one it is")
    run = _column(table, RUN_NAMES)
    scores = [name for name in map(str, table) if name not in ("topic", run)]
    if run and scores and {*scores} <= {*QUANTIFICATION, *CLASSIFICATION}:
        table = _points(table, scores, path, tables).rename(columns={run: "run"})
        table = table.melt(["topic", "run"], var_name="measure", value_name="score")
        tables.runs["scores"] = table[HEADER]
        tables.note("Put the columns of scores below each other.")
        return
    table = _wide(table, run, path, tables)
    if not {"item", "label"} & set(table):
        classes = [name for name in map(str, table) if name not in ("topic", run)]
        table = _shares(table, classes, path, tables)
    answers = [name for name in map(str, table) if name not in ("topic", "item")]
    if run:
        for who in table[run].unique():
            tables.add(str(who), table[table[run] == who].drop(columns=run))
        tables.note("Split the long table into a file per run.")
    elif "item" in table and "label" not in table:
        for who in answers:
            labels = table.drop(columns=answers).assign(label=table[who])
            tables.add(name if name and len(answers) == 1 else who, labels)
        tables.note("Split the table of items into gold and a file per run.")
    else:
        tables.add(name or sheet, table)


def _column(table: pd.DataFrame, names: Sequence[str]) -> str:
    return next((name for name in map(str, table) if name.lower() in names), "")


def _wide(table: pd.DataFrame, run: str, path: Path, tables: _Tables) -> pd.DataFrame:
    """Return a table with a column per class, if it has a row per class."""
    value = _column(table, VALUE_NAMES)
    label = _column(table, CLASS_NAMES) or ("label" if value and "item" not in table else "")
    if not run and is_long(list(map(str, table)), table.to_numpy().tolist()):
        label, value = table.columns[1:]
    if not label or not value or "topic" not in table:
        return table
    keys = ["topic", *([run] if run else [])]
    repeated = table.duplicated([*keys, label])
    if repeated.any():
        row = table[repeated].iloc[0]
        cell = f"class {row[label]!r} of topic {row['topic']!r}"
        cell += f" and run {row[run]!r}" if run else ""
        raise ValueError(f"{path}: {cell} stands there twice; remove one")
    topics, order = table["topic"].unique(), table[label].unique()
    wide = table.pivot_table(value, keys, label, aggfunc="first", fill_value="0", sort=False)
    tables.note("Put the classes of the long table side by side.")
    return wide[order].reindex(topics, level="topic").reset_index()


def _points(table: pd.DataFrame, columns: list[str], path: Path, tables: _Tables) -> pd.DataFrame:
    """Return a table whose numbers have decimal points."""
    commas = [x for x in table[columns].to_numpy().ravel() if _DECIMAL_COMMA.fullmatch(x)]
    if not commas:
        return table
    if all(map(_GROUPED.fullmatch, commas)):
        fault = f"the comma in {commas[0]!r} may be a decimal comma or group digits"
        raise ValueError(f"{path}: {fault}; write a point, or leave it out")
    tables.note("Put points in place of decimal commas.")
    return table.assign(**{column: table[column].str.replace(",", ".") for column in columns})


def _shares(table: pd.DataFrame, columns: list[str], path: Path, tables: _Tables) -> pd.DataFrame:
    """Return a table of numbers from 0 to 1, or of counts, and nothing but classes."""
    table = _points(table, columns, path, tables)
    percent = np.array(table[columns].map(lambda cell: bool(_PERCENTAGE.fullmatch(cell))))
    values = table[columns].apply(pd.to_numeric, errors="coerce").to_numpy()
    if not percent.any() and np.isfinite(values).all() and values.size:
        if (place := superfluous(values)) is not None:
            tables.note(f"Left out the column {columns[place]}, which is no class.")
            table, values = table.drop(columns=columns.pop(place)), np.delete(values, place, 1)
        is_whole = bool((values == np.floor(values)).all())
        adds = bool((np.abs(values.sum(axis=1) - 100) <= 1).all())
        percent = np.full(values.shape, adds and not is_whole)
    if not percent.any():
        return table
    tables.note("Divided percentages by 100.")
    hundredths = (
        table[columns].where(percent, "0").map(lambda x: str(Decimal(x.rstrip("% ")) / 100))
    )
    return table.assign(**hundredths.where(percent, table[columns]))


def _write(out: Path, tables: _Tables, classes: Sequence[str] | None, where: object) -> None:
    """Fill a folder with the contents of the source."""
    if task := tables.task:
        write_task(task, out)
        size = counted(len(task.topics), "topic")
        tables.note(f"Wrote {size} and {counted(len(task.runs), 'run')}.")
    files = dict(tables.files)
    if tables.gold is not None:
        files["gold.csv"] = tables.gold
    is_task = any(name.startswith("gold") for name in files)
    scores = [run for run, table in tables.runs.items() if list(table) == HEADER]
    if not is_task and tables.runs and not scores:
        fix = "name their run 'gold', or add --gold FILE"
        if any("item" in table for table in tables.runs.values()):
            fix = f"if these are ratings, add --gold median, majority or shares; if not, {fix}"
        raise ValueError(f"{where}: no gold data found; {fix}")
    if is_task:
        (out / "runs").mkdir()
        if classes or (tables.classes and not any(name in files for name in SIDECARS)):
            files = {name: file for name, file in files.items() if name not in SIDECARS}
            files["classes.txt"] = pd.DataFrame(list(classes or tables.classes or ()))
    files |= {f"{'runs/' * is_task}{run}.csv": table for run, table in tables.runs.items()}
    for name, file in files.items():
        if isinstance(file, Path):
            shutil.copyfile(file, out / name)
        else:
            file.to_csv(out / name, index=False, header=name != "classes.txt", lineterminator="\n")
    if tables.gold is not None:
        unit = "topic" if "topic" in tables.gold else "item"
        size = counted(tables.gold[unit].nunique(), unit)
        tables.note(f"Wrote {size} and {counted(len(tables.runs), 'run')}.")


def convert_ratings(
    source: Path, folder: Path, *, runs: Sequence[str] = (), overwrite: bool = False, **options: Any
) -> list[str]:
    """Write the task that :func:`from_ratings` makes of a file, and return notes on it.

    ``runs`` are judges, or the path of their file; what they lack is left out of their files.
    """
    judges = Path(runs[0]) if len(runs) == 1 and Path(runs[0]).is_file() else runs
    inputs = [source, judges] if isinstance(judges, Path) else [source]
    with whole_folder(folder, overwrite, inputs) as out:
        task = from_ratings(source, runs=judges, missing="worst", **options)
        write_task(task, out)
    notes: list[str] = [note for note in task.provenance.notes if note.run is None]
    if renamed := [run for run in task.runs if file_name(run) != run]:
        notes.append(f"Put _ for / in the names of the files of {some(renamed, 5)}.")
    size = f"{counted(len(task.runs), 'run')} and {task.annotators!r}".replace("<Annotators: ", "")
    return [*notes, f"Wrote gold data, {size[:-1]} to {folder}."]
