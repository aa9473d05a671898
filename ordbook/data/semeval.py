"""Readers for the files of SemEval Task 4: subtask C (classification), E (quantification).

Both formats are UTF-8 text, one record a line, columns separated by tabs, without a header:

====  ==========================================================================
C     item id, topic, label
E     topic, then one probability per class, from the lowest class to the highest
====  ==========================================================================

What a reader accepts beyond that, and why: a byte order mark and Windows line ends (editors add
them); one empty column at the end of every line (a real run prints a trailing tab); records in
another order than the gold file's; and, in E, sums that miss 1 by as much as rounding to the
printed decimals can explain, from two decimals on. Each of these but the first two is noted in
the task's provenance. Everything else is refused with file, line, what was found and what to do.

Contents
--------
read_classification   gold and run files of subtask C -> ClassificationTask
read_quantification   gold and run files of subtask E -> QuantificationTask
count_columns         columns of a file's first line, which tell the formats apart
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from ordbook.data.names import require_same
from ordbook.data.tasks import ClassificationTask, Provenance, QuantificationTask

FIVE_POINT_SCALE = ("-2", "-1", "0", "1", "2")
# Sums are held to this where a file's decimals do not explain more (DESIGN: distributions).
SUM_TOLERANCE = 1e-5
_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.([0-9]*))?|\.([0-9]+))(?:[eE]([+-]?[0-9]{1,3}))?")

Key = tuple[str, str]


def read_classification(
    name: str,
    gold: Path,
    runs: Mapping[str, Path],
    *,
    classes: Sequence[str] = FIVE_POINT_SCALE,
    provenance: Provenance,
) -> ClassificationTask:
    """Read a task in the format of subtask C.

    Parameters
    ----------
    name
        Name of the task.
    gold, runs
        The gold file, and run name -> file.
    classes
        Labels from lowest to highest.
    provenance
        Source and checksums; the readers add their notes.

    Raises
    ------
    ValueError
        If a file is not in the format, or a run does not have exactly the gold file's items.
    """
    gold_labels = _read_labels(gold, classes)
    predicted, notes = {}, []
    for run, path in runs.items():
        labels = _read_labels(path, classes)
        require_same(path, labels, gold, gold_labels, "records", _record)
        if list(labels) != list(gold_labels):
            notes.append(f"{run} lists the items in another order than the gold file.")
        predicted[run] = [labels[key] for key in gold_labels]
    return ClassificationTask.from_labels(
        list(gold_labels.values()),
        predicted,
        [topic for topic, _ in gold_labels],
        classes,
        name=name,
        provenance=_with_notes(provenance, notes),
    )


def read_quantification(
    name: str,
    gold: Path,
    runs: Mapping[str, Path],
    *,
    classes: Sequence[str] | None = None,
    provenance: Provenance,
) -> QuantificationTask:
    """Read a task in the format of subtask E.

    Parameters
    ----------
    name, gold, runs, provenance
        As for :func:`read_classification`.
    classes
        Labels from lowest to highest, one per column; by default -2 to 2 where there are five
        columns, as in SemEval, and 1, 2, ... elsewhere.

    Raises
    ------
    ValueError
        If a file is not in the format, or a run does not have exactly the gold file's topics.
    """
    gold_rows, gold_tolerance, notes = _read_distributions(gold, "gold", None)
    width = len(next(iter(gold_rows.values())))
    if classes is None:
        classes = FIVE_POINT_SCALE if width == 5 else [str(i + 1) for i in range(width)]
    if len(classes) != width:
        raise ValueError(
            f"{gold}: {width} probabilities a line for {len(classes)} classes "
            f"({', '.join(classes)}); give one label per column"
        )
    estimates, tolerances = {}, {}
    for run, path in runs.items():
        rows, tolerances[run], run_notes = _read_distributions(path, run, width)
        notes += run_notes
        require_same(path, rows, gold, gold_rows, "records", _record)
        if list(rows) != list(gold_rows):
            notes.append(f"{run} lists the topics in another order than the gold file.")
        estimates[run] = np.array([rows[topic] for topic in gold_rows])
    return QuantificationTask.from_arrays(
        np.array(list(gold_rows.values())),
        estimates,
        classes=classes,
        topics=list(gold_rows),
        name=name,
        tolerances=tolerances,
        gold_tolerance=gold_tolerance,
        provenance=_with_notes(provenance, notes),
    )


def count_columns(path: Path) -> int:
    """Return the number of columns of a file's first line, a trailing empty one not counted."""
    return len(next(_lines(path))[1])


def _lines(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield line number and columns; refuse what is not a text file with tabs."""
    if path.is_dir():
        raise ValueError(f"{path}: this is a folder; a file is expected here")
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{path}: not UTF-8 text (byte {error.start}: {error.reason}); save it as UTF-8"
        ) from None
    except OSError as error:
        raise ValueError(f"{path}: cannot be read ({error.strerror})") from None
    if not text.strip():
        raise ValueError(f"{path}: the file is empty; it should hold one record a line")
    for number, line in enumerate(text.removesuffix("\n").split("\n"), 1):
        columns = line.split("\t")
        if len(columns) < 2:
            found = "is empty" if not line.strip() else f"has no tab: {line[:60]!r}"
            raise ValueError(f"{path}, line {number}: {found}; separate the columns by tabs")
        yield number, columns[:-1] if columns[-1] == "" and len(columns) > 2 else columns


def _read_labels(path: Path, classes: Sequence[str]) -> dict[Key, str]:
    labels: dict[Key, str] = {}
    known = set(classes)
    for number, columns in _lines(path):
        if len(columns) != 3:
            raise ValueError(
                f"{path}, line {number}: {len(columns)} columns, expected 3 (item, topic, label)"
            )
        item, topic, label = columns
        if not item.strip() or not topic.strip():
            raise ValueError(f"{path}, line {number}: item or topic is empty; fill it in")
        if label not in known:
            raise ValueError(
                f"{path}, line {number}: unknown label {label!r}; the classes are "
                f"{', '.join(classes)} (name others with classes=; three columns are read as "
                "item, topic and label)"
            )
        if (topic, item) in labels:
            raise ValueError(
                f"{path}, line {number}: item {item!r} of topic {topic!r} occurs a second time; "
                "remove one of the two lines"
            )
        labels[topic, item] = label
    return labels


def _read_distributions(
    path: Path, run: str, width: int | None
) -> tuple[dict[str, list[float]], float, list[str]]:
    """Return topic -> probabilities, the tolerance of the sums, and notes for the provenance."""
    rows: dict[str, list[float]] = {}
    numbers: dict[str, int] = {}
    decimals = 0
    for number, (topic, *columns) in _lines(path):
        width = width or len(columns)
        if len(columns) != width or width < 2:
            raise ValueError(
                f"{path}, line {number}: {len(columns)} probabilities after the topic, "
                f"expected {max(width, 2)}, one per class"
            )
        if not topic.strip():
            raise ValueError(f"{path}, line {number}: the topic is empty; fill it in")
        if topic in rows:
            raise ValueError(
                f"{path}, line {number}: topic {topic!r} was on line {numbers[topic]} already; "
                "remove one of the two lines"
            )
        rows[topic] = []
        numbers[topic] = number
        for column, text in enumerate(columns, 2):
            match = _NUMBER.fullmatch(text)
            value = float(text) if match else -1.0
            if not match or not 0 <= value <= 1:
                raise ValueError(
                    f"{path}, line {number}, column {column}: {text!r} is not a probability; "
                    "write a decimal number from 0 to 1 (divide counts by their sum)"
                )
            digits = len(match.group(1) or match.group(2) or "")
            decimals = max(decimals, digits - int(match.group(3) or 0))
            rows[topic].append(value)
    # Each printed probability may be off by half a unit of its last decimal. The last term lets
    # a sum that lies just on that limit pass, whatever the noise of the additions.
    explained = width * 0.5 * 10.0**-decimals if width and decimals >= 2 else 0.0
    tolerance = max(SUM_TOLERANCE, explained + 1e-9)
    misses = {topic: abs(sum(row) - 1) for topic, row in rows.items()}
    topic = max(misses, key=misses.__getitem__)
    if misses[topic] > tolerance:
        raise ValueError(
            f"{path}, line {numbers[topic]}: the probabilities of topic {topic!r} sum to "
            f"{sum(rows[topic]):.6g}, expected 1 within {tolerance:.2g}; divide each by the sum"
        )
    notes = []
    if misses[topic] > SUM_TOLERANCE:
        notes.append(
            f"{run}: sums miss 1 by up to {misses[topic]:.2g}, which the {decimals} printed "
            f"decimals explain ({width} x half a unit = {explained:.2g}); scored as printed."
        )
    return rows, tolerance, notes


def _record(key: object) -> str:
    return f"item {key[1]!r} of topic {key[0]!r}" if isinstance(key, tuple) else f"topic {key!r}"


def _with_notes(provenance: Provenance, notes: Sequence[str]) -> Provenance:
    return Provenance(provenance.source, provenance.files, (*provenance.notes, *notes))
