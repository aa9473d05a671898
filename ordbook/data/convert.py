"""Files as others write them -> a clean folder of the plainest format: gold.csv and runs/*.csv.

Readers are strict, and what they refuse because of its form is put into form here: SemEval's files
as published, DBDC's dialogues, long tables, semicolons, decimal commas, percentages and workbooks.
No number is changed but for how it is written.
"""

import csv
import re
import shutil
import tempfile
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from importlib import import_module
from io import StringIO
from pathlib import Path, PurePosixPath

import pandas as pd

from ordbook.data.dbdc import BREAKDOWN, own_dialogues, read_answers
from ordbook.data.names import counted
from ordbook.data.problems import Problems
from ordbook.data.qrels import HEAD, is_qrels, not_judged, read_qrels
from ordbook.data.semeval import COUNT, FIVE_POINT_SCALE, TWO_POINT_SCALE, read_published
from ordbook.data.tables import is_semeval
from ordbook.data.text import drop_ragged, first_line, read_text
from ordbook.measures import CLASSIFICATION, QUANTIFICATION

WORKBOOKS = (".xlsx", ".xlsm")
RUN_NAMES = ("run", "system", "team")
CLASS_NAMES = ("class", "label_class", "category")
VALUE_NAMES = ("value", "probability", "prob", "share", "count", "votes")
COUNT_NAMES = ("n", "counts", COUNT)
SCORE_COLUMNS = ["measure", "topic", "run", "score"]
_DECIMAL_COMMA = re.compile(r"-?\d*,\d+")
_PERCENTAGE = re.compile(r"([\d.]+)\s*%")


@dataclass
class _Found:
    """What was read so far: the gold table, the run tables, what was done to them.

    ``unjudged`` are the pairs of topic and item to which gold qrels give no label.
    """

    gold: pd.DataFrame | None = None
    runs: dict[str, pd.DataFrame] = field(default_factory=dict)
    said: list[str] = field(default_factory=list)
    classes: Sequence[str] | None = None
    unjudged: set[tuple[str, str]] = field(default_factory=set)

    def add(self, name: str, table: pd.DataFrame) -> None:
        """Take a table for the gold data or, by its name, for a run."""
        if name.lower() == "gold" and self.gold is None:
            self.gold = table
        elif name in self.runs:
            raise ValueError(f"two files or rows are about the run {name!r}: rename or remove one")
        else:
            self.runs[name] = table

    def say(self, line: str) -> None:
        """Note what was done, once where it was done to many files."""
        if line not in self.said:
            self.said.append(line)


def convert(
    source: str | Path | None,
    folder: str | Path,
    *,
    gold: str | Path | None = None,
    runs: str | Path | None = None,
    inside: str = "",
    classes: Sequence[str] | None = None,
) -> list[str]:
    """Write a clean folder of gold data and runs from files in another form.

    Parameters
    ----------
    source
        A folder that holds one file with "gold" in its name and one other folder, of runs; an
        archive or a folder of DBDC's dialogues; or a table or a workbook: long (topic, run, and
        classes or a label; gold is the run ``gold``), or with a sheet ``gold`` and one per run.
    folder
        What to write: a new or an empty folder.
    gold, runs
        In place of ``source``: the gold file, and the folder of run files. With DBDC's dialogues
        as ``source``, ``runs`` is the folder of runs.
    inside
        Of an archive with several sets of dialogues: the end of the folder of one, as
        ``dbdc3/ja/eval``.
    classes
        Labels from lowest to highest, where the files do not say so.

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
    out = Path(folder)
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise ValueError(f"{out}: not an empty folder; name a new one")
    found = _Found()
    path = Path(source) if source is not None else None
    if path is not None and not path.exists():
        raise ValueError(f"{path}: there is no such file or folder; correct the path")
    try:
        if path is not None and (sets := _sets(path)):
            _read_dialogues(path, sets, inside, found)
            if runs is not None:
                _read_answers(Path(runs), found)
        else:
            _read_files(path, gold, runs, found)
    except zipfile.BadZipFile as error:
        raise ValueError(f"{source or gold}: damaged ({error}); save or get it again") from None
    scores = [run for run, table in found.runs.items() if list(table) == SCORE_COLUMNS]
    if found.gold is None and not scores:
        raise ValueError(
            f"{source or runs}: no gold data found; name their run 'gold', or add --gold FILE"
        )
    _write(out, found, classes)
    return found.said


def _read_files(
    source: Path | None, gold: str | Path | None, runs: str | Path | None, found: _Found
) -> None:
    """Read gold and run files from a folder, by their own paths, or from one long table."""
    if source is not None and source.is_dir():
        gold = gold or _gold_in(source)
        runs = runs or _runs_in(source, Path(gold))
    elif source is not None:
        _read_table(source, found)
    elif gold is None or runs is None:
        raise ValueError("nothing to read: name SOURCE, or --gold FILE and --runs FOLDER")
    if gold is not None:
        _read_table(Path(gold), found, "gold")
    for path in sorted(Path(runs).iterdir()) if runs is not None else ():
        if path.is_file() and not path.name.startswith("."):
            _read_table(path, found, _run_name(path))


def _gold_in(source: Path) -> Path:
    files = [path for path in source.rglob("*") if path.is_file() and "gold" in path.name.lower()]
    if len(files) != 1:
        names = ", ".join(str(path.relative_to(source)) for path in sorted(files)[:5]) or "none"
        raise ValueError(
            f"{source}: {len(files)} files with 'gold' in their names ({names}); "
            "name one with --gold FILE, and the runs with --runs FOLDER"
        )
    return files[0]


def _runs_in(source: Path, gold: Path) -> Path:
    folders = {path.parent for path in source.rglob("*") if path.is_file()} - {gold.parent}
    if len(folders) != 1:
        names = ", ".join(str(path.relative_to(source)) for path in sorted(folders)[:5]) or "none"
        raise ValueError(
            f"{source}: {len(folders)} folders that may hold runs ({names}); "
            "name one with --runs FOLDER"
        )
    return folders.pop()


def _run_name(path: Path) -> str:
    """``D/ECNU-D.output`` -> ``ECNU``: SemEval's packs append the subtask to the team."""
    return path.stem.removesuffix(f"-{path.parent.name}")


def _read_table(path: Path, found: _Found, name: str = "") -> None:
    """Read a file: of one table that has a name, or of one that says what its rows are."""
    if path.suffix.lower() in WORKBOOKS:
        import_module("openpyxl")  # what lacks is then named by its own error
        sheets = pd.read_excel(path, sheet_name=None, dtype=str, na_filter=False, engine="openpyxl")
        found.say("Took the sheets of the workbook as tables.")
    elif is_qrels(path, read_text(path)):
        _read_judgements(path, found, name)
        return
    elif is_semeval(read_text(path)):
        table = read_published(path)
        found.say("Read the files as SemEval published them, and gave them a header.")
        if COUNT in table:
            table = table.drop(columns=COUNT)
            found.say("Left out the column with the number of tweets.")
        used = set(table["label"]) if "label" in table else set(table) - {"topic"}
        scales = (scale for scale in (TWO_POINT_SCALE, FIVE_POINT_SCALE) if used <= set(scale))
        found.classes = found.classes or next(scales, None)
        found.add(name or path.stem, table)
        return
    else:
        sheets = {path.stem: _separated(path, found)}
    for sheet, table in sheets.items():
        table = _plain(table, found)
        if _column(table, RUN_NAMES):
            _add_long(table, path, found)
        elif list(table)[:3] == ["topic", "item", "gold"]:
            found.say("Split the table of items into gold and a file per run.")
            for run in map(str, list(table)[2:]):
                found.add(run, table[["topic", "item", run]].rename(columns={run: "label"}))
        else:
            found.add(name if name and len(sheets) == 1 else str(sheet), table)


def _read_judgements(path: Path, found: _Found, name: str) -> None:
    """Read TREC qrels, without the pairs that nobody judged."""
    problems = Problems()
    table = read_qrels(path, problems)
    problems.raise_first()
    assert table is not None
    frame = pd.DataFrame(table.rows, columns=HEAD).drop(columns="iteration")
    pairs = pd.Series(list(zip(frame["topic"], frame["item"], strict=True)), dtype=object)
    left = pairs.isin(found.unjudged)
    left[not_judged(table)] = True
    found.say("Read TREC qrels, and gave them a header.")
    if left.any():
        found.say("Left out labels of -1 and -2, and pairs that the gold file gives such a label.")
    if name == "gold":
        found.unjudged = set(pairs[left])
    found.add(name or path.stem, frame[~left.to_numpy()])


def _separated(path: Path, found: _Found) -> pd.DataFrame:
    text = read_text(path)
    separator = max(",;\t", key=first_line(text).count)
    rows = [row for row in csv.reader(StringIO(text), delimiter=separator) if any(row)]
    problems = Problems()
    drop_ragged(path, rows[0], rows[1:], problems)
    problems.raise_first()
    if separator != ",":
        found.say(f"Put commas in place of the {'semicolons' if separator == ';' else 'tabs'}.")
    return pd.DataFrame(rows[1:], columns=rows[0])


def _plain(table: pd.DataFrame, found: _Found) -> pd.DataFrame:
    """Return a table with plain names, and numbers written with a point."""
    table = table.rename(columns=lambda name: str(name).strip())
    if table.columns.has_duplicates:
        twice = table.columns[table.columns.duplicated()][0]
        raise ValueError(f"a table has two columns called {twice!r}; rename or remove one")
    known = ("topic", "item", "label", "gold", *RUN_NAMES, *CLASS_NAMES, *VALUE_NAMES)
    table = table.rename(columns=lambda name: name.lower() if name.lower() in known else name)
    index = table.columns[0] if len(table.columns) else ""
    if "topic" in list(table)[1:] and (index == "" or index.startswith("Unnamed")):
        table = table.iloc[:, 1:]
        found.say("Left out the first column, an index.")
    table = table.map(str.strip)
    for name in table.columns:
        if name in ("topic", "item", "label", *RUN_NAMES, *CLASS_NAMES):
            continue
        if table[name].str.fullmatch(_DECIMAL_COMMA).any():
            table[name] = table[name].str.replace(",", ".")
            found.say("Put points in place of decimal commas.")
        percent = table[name].str.fullmatch(_PERCENTAGE)
        if percent.any():
            table[name] = table[name].map(_share)
            found.say("Divided percentages by 100.")
    counts = [name for name in table if str(name).lower() in COUNT_NAMES]
    shares = table.drop(columns=["topic", *RUN_NAMES, *counts], errors="ignore")
    if counts and (shares.apply(pd.to_numeric, errors="coerce") <= 1).to_numpy().all():
        table = table.drop(columns=counts)
        found.say(f"Left out the column {counts[0]}, a number of items.")
    return table


def _share(cell: str) -> str:
    match = _PERCENTAGE.fullmatch(cell)
    return str(Decimal(match[1]) / 100) if match else cell


def _column(table: pd.DataFrame, names: Sequence[str]) -> str:
    return next((name for name in names if name in table), "")


def _add_long(table: pd.DataFrame, path: Path, found: _Found) -> None:
    """Split a table with a column of runs into a table per run."""
    run, value = _column(table, RUN_NAMES), _column(table, VALUE_NAMES)
    label = _column(table, CLASS_NAMES) or ("label" if value and "item" not in table else "")
    others = [name for name in table if name not in ("topic", run)]
    if "topic" not in table:
        raise ValueError(
            f"{path}: no column topic in {', '.join(table.columns)}; rename the one it is"
        )
    if others and set(others) <= {*QUANTIFICATION, *CLASSIFICATION}:
        scores = table.rename(columns={run: "run"}).melt(
            ["topic", "run"], var_name="measure", value_name="score"
        )
        found.add("scores", scores[SCORE_COLUMNS])
        found.say("Put the columns of scores below each other.")
        return
    if label and value:
        repeated = table.duplicated(["topic", run, label])
        if repeated.any():
            row = table[repeated].iloc[0]
            raise ValueError(
                f"{path}: class {row[label]!r} of topic {row['topic']!r} and run {row[run]!r} "
                "stands there twice; remove one"
            )
        topics, order = table["topic"].unique(), table[label].unique()
        wide = table.pivot_table(value, ["topic", run], label, aggfunc="first", fill_value="0")
        table = wide[order].reindex(topics, level="topic").reset_index()
    for name, rows in table.groupby(run, sort=False):
        found.add(str(name), rows.drop(columns=run).reset_index(drop=True))
    found.say("Split the long table into a file per run.")


def _sets(source: Path) -> list[str]:
    """Return the folders of sets of DBDC dialogues in an archive or a folder."""
    names: list[str] = []
    if source.is_dir():
        names = [path.relative_to(source).as_posix() for path in source.rglob("*.log.json")]
    elif source.suffix.lower() == ".zip":
        with zipfile.ZipFile(source) as archive:
            names = [name for name in archive.namelist() if name.endswith(".log.json")]
    # A system's dialogues are a folder; a set holds those of several.
    places = sorted(str(PurePosixPath(name).parent.parent) for name in names)
    return list(dict.fromkeys(place for place in places if not place.startswith("__MACOSX")))


def _read_dialogues(source: Path, sets: Sequence[str], inside: str, found: _Found) -> None:
    """Count the votes for each utterance of one set of dialogues."""
    chosen = [name for name in sets if f"/{name}".endswith(f"/{inside}") or not inside]
    if len(chosen) != 1:
        raise ValueError(
            f"{source}: {len(chosen)} sets of dialogues, where one is needed; "
            f"choose one with --inside: {', '.join(sets)}"
        )
    problems = Problems()
    dialogues = own_dialogues(source, problems, chosen[0].removeprefix("."))
    problems.raise_first()
    rows = [
        [topic, *map(str, votes)]
        for topics in dialogues.values()
        for topic, votes in topics.items()
    ]
    found.add("gold", pd.DataFrame(rows, columns=["topic", *BREAKDOWN]))
    found.say(f"Counted the votes of {len(dialogues)} dialogues in {source / chosen[0]}.")


def _read_answers(runs: Path, found: _Found) -> None:
    """Read DBDC runs: a folder or a zip file of ``<dialogue>.labels.json`` for each."""
    problems = Problems()
    for path in sorted(runs.iterdir()):
        rows = [[topic, *map(repr, row)] for topic, row in read_answers(path, problems).items()]
        found.add(path.stem, pd.DataFrame(rows, columns=["topic", *BREAKDOWN]))
    problems.raise_first()


def _write(out: Path, found: _Found, classes: Sequence[str] | None) -> None:
    """Write everything beside its place, then put it there at once."""
    out.parent.mkdir(parents=True, exist_ok=True)
    beside = Path(tempfile.mkdtemp(prefix=f".{out.name}.", dir=out.parent))
    try:
        if found.gold is not None:
            (beside / "runs").mkdir()
            found.gold.to_csv(beside / "gold.csv", index=False)
        if found.gold is not None and (labels := classes or found.classes):
            listed = pd.DataFrame({"class": list(labels)})
            listed.to_csv(beside / "classes.txt", index=False, header=False)
        for run, table in found.runs.items():
            if found.gold is not None and ("/" in run or "\\" in run):
                raise ValueError(f"the run {run!r} cannot name a file: rename it")
            place = beside / "runs" if found.gold is not None else beside
            table.to_csv(place / f"{run}.csv", index=False)
        beside.chmod(0o755)
        if out.exists():
            out.rmdir()
        beside.rename(out)
    finally:
        shutil.rmtree(beside, ignore_errors=True)
    topics = found.gold["topic"].nunique() if found.gold is not None else 0
    found.say(f"Wrote {counted(topics, 'topic')} and {counted(len(found.runs), 'run')} to {out}.")
