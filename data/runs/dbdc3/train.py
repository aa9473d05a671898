"""Train our systems for DBDC3 on the development dialogues, and write their runs.

    python data/runs/dbdc3/train.py            # all of them, into this folder
    python data/runs/dbdc3/train.py --only turn,prior --out FOLDER

Settings are chosen by five-fold cross-validation by dialogue on the development dialogues: by mean
NMD, and within the recurrent system by squared error. The table printed is of that
cross-validation. What the annotators of the evaluation dialogues said is never looked at. Nothing
is written before every system has answered, and each file appears whole or not at all.

A run is a zip file with one file per dialogue in the challenge's format, not compressed, so that
its bytes do not depend on the library that compresses.
"""

import argparse
import hashlib
import io
import json
import sys
import time
import zipfile
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
from logs import Dialogue, read_dialogues
from numpy.typing import NDArray
from systems import SETTINGS, SYSTEMS, held_out, project
from threadpoolctl import threadpool_limits
from utterances import Array, Utterance, utterances, votes

import ordbook as ob
from ordbook.data.catalog import RawDataMissing, catalog, raw_files
from ordbook.data.known import BREAKDOWN as LABELS
from ordbook.files import write_whole

HERE = Path(__file__).resolve().parent
UNITS = 10_000  # probabilities are written with four decimals


def majority(row: Sequence[float]) -> int:
    """Return the place of the most probable class, of several that of the highest.

    For the challenge that is the one farthest from a breakdown. Sums that differ by less than
    1e-12 are equal: 1/3 + 1/6 ties with 1/2.
    """
    shares = np.array(row)
    return int(np.flatnonzero(shares >= shares.max() - 1e-12)[-1])


def main() -> int:
    """Run the command; 0 if all went well."""
    options = _options()
    chosen = options.only.split(",") if options.only else list(SYSTEMS)
    for name in chosen:
        if name not in SYSTEMS:
            print(f"error: no system {name!r}; there are {', '.join(SYSTEMS)}", file=sys.stderr)
            return 2
    try:
        archive = raw_files(catalog()["dbdc3"])["DBDC3.zip"]
        development = read_dialogues(archive, "dev")
        evaluation = read_dialogues(archive, "eval")
    except (RawDataMissing, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    start = time.perf_counter()
    runs = train(development, evaluation, chosen)
    for name, content in runs.items():
        path = options.out / f"ours-{name}.zip"
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, content)
        print(f"{hashlib.sha256(content).hexdigest()}  {path.name}")
    print(f"{len(runs)} runs written in {time.perf_counter() - start:.0f} s")
    return 0


def train(
    development: Sequence[Dialogue], evaluation: Sequence[Dialogue], chosen: Sequence[str]
) -> dict[str, bytes]:
    """Return the zip file of each system's run: it learns from the one and answers for the other.

    One thread: sums, and with them the last digits, do not depend on the machine's cores.
    """
    known, shares, asked = utterances(development), votes(development), utterances(evaluation)
    runs = {}
    with threadpool_limits(1):
        for name in (name for name in SYSTEMS if name in chosen):
            setting = _choose(name, known, shares)
            rows = project(SYSTEMS[name](known, shares, asked, **setting))
            runs[name] = packed(asked, rounded(rows))
    return runs


def _choose(name: str, known: tuple[Utterance, ...], shares: Array) -> dict[str, Any]:
    """Return the setting with the lowest mean NMD in cross-validation (of equal ones the first)."""
    start = time.perf_counter()
    settings = SETTINGS.get(name, ({},))
    scores = [
        float(np.mean(ob.nmd(shares, project(held_out(SYSTEMS[name], known, shares, **setting)))))
        for setting in settings
    ]
    best = int(np.argmin(np.round(scores, 9)))
    said = ", ".join(f"{key}={value}" for key, value in settings[best].items())
    seconds = time.perf_counter() - start
    print(
        f"{name:<14} NMD {scores[best]:.4f} in cross-validation  {said:<18} {seconds:5.1f} s",
        flush=True,
    )
    return dict(settings[best])


def rounded(rows: Array) -> NDArray[np.int64]:
    """Return distributions in ten-thousandths that sum to 10,000, by largest remainders.

    What is closer than a millionth of a unit is a tie, and the lower class gets the unit: float
    noise decides nothing.
    """
    exact = np.round(rows * UNITS, 6)
    whole = np.floor(exact)
    order = np.argsort(whole - exact, axis=1, kind="stable")
    rank = np.argsort(order, axis=1, kind="stable")
    units: NDArray[np.int64] = (whole + (rank < UNITS - whole.sum(axis=1, keepdims=True))).astype(
        int
    )
    return units


def packed(asked: Sequence[Utterance], units: NDArray[np.int64]) -> bytes:
    """Return a run as a zip file; the same answers give the same bytes."""
    file = io.BytesIO()
    answers = zip(asked, units.tolist(), strict=True)
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        by_dialogue = groupby(
            sorted(answers, key=lambda answer: (answer[0].dialogue, answer[0].turn)),
            key=lambda answer: answer[0].dialogue,
        )
        for dialogue, turns in by_dialogue:
            labels = [
                {"turn-index": utterance.turn, "labels": [_labels(row)]} for utterance, row in turns
            ]
            text = json.dumps({"dialogue-id": dialogue, "turns": labels}, separators=(",", ":"))
            info = zipfile.ZipInfo(f"{dialogue}.labels.json")  # of 1 January 1980
            info.create_system = 3
            info.external_attr = 0o644 << 16
            archive.writestr(info, text + "\n")
    return file.getvalue()


def _labels(row: Sequence[int]) -> dict[str, str | float]:
    # The organisers score this label, so it follows their rule: O before T before X where tied.
    shares = dict(zip(LABELS, row, strict=True))
    return {
        "breakdown": LABELS[majority(row)],
        **{f"prob-{label}": shares[label] / UNITS for label in reversed(LABELS)},
    }


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Train our systems for DBDC3.")
    parser.add_argument("--only", metavar="NAMES", help="names of systems, with commas between")
    parser.add_argument("--out", type=Path, default=HERE, help="folder for the runs")
    return parser.parse_args()


if __name__ == "__main__":
    try:
        raise SystemExit(main())
    except KeyboardInterrupt:
        raise SystemExit("interrupted; nothing was left half-written") from None
