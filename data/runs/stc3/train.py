"""Train our systems for STC-3 on the structure of its training dialogues, and write their runs.

    python data/runs/stc3/train.py            # all of them, into this folder
    python data/runs/stc3/train.py --only turns,prior --out FOLDER

Settings are chosen by five-fold cross-validation on the training dialogues, by mean NMD (quality)
and mean JSD (nuggets). The votes of the test dialogues are forgotten as soon as their file is read.
Nothing is written before every system has answered, and each file appears whole or not at all.
"""

import argparse
import hashlib
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nugget
import numpy as np
import quality
from dialogues import Corpus, folds, read, structure
from learners import rounded
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

import ordbook as ob
from ordbook.data.catalog import RawDataMissing, catalog, raw_files
from ordbook.data.labels import FIVE_POINT_SCALE
from ordbook.data.ntcir import QUALITY
from ordbook.data.nuggets import NUGGETS
from ordbook.files import write_whole

HERE = Path(__file__).resolve().parent


def main() -> int:
    """Run the command; 0 if all went well."""
    options = _options()
    known = {**quality.SYSTEMS, **nugget.SYSTEMS}
    chosen = options.only.split(",") if options.only else list(known)
    for name in chosen:
        if name not in known:
            print(f"error: no system {name!r}; there are {', '.join(known)}", file=sys.stderr)
            return 2
    try:
        dataset = catalog()["stc3-dq-a"]
        assert dataset.training is not None
        train = read(next(iter(raw_files(dataset.training).values())))
        test = structure(next(iter(raw_files(dataset).values())))
    except (RawDataMissing, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    cut = list(folds(train))
    files: dict[str, str] = {}
    for name in quality.SYSTEMS:
        if name in chosen:
            files[f"ours-{name}_quality.json"] = _quality(name, train, test, cut)
    for name in nugget.SYSTEMS:
        if name in chosen:
            files[f"ours-{name}_nugget.json"] = _nugget(name, train, test, cut)
    for file, text in files.items():
        path = options.out / file
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, text)
    _compare_with_catalogue(files)
    return 0


def _quality(name: str, train: Corpus, test: Corpus, cut: list[tuple[Corpus, Corpus]]) -> str:
    system = quality.SYSTEMS[name]
    answers = {}
    for part in QUALITY:

        def score(setting: dict[str, Any], part: str = part) -> float:
            scores = [
                ob.nmd(new.quality[part], system(old, old.quality[part], new, **setting))
                for old, new in cut
            ]
            return float(np.concatenate(scores).mean())

        setting = _choose(f"quality {part}", name, "NMD", score, quality.SETTINGS.get(name, [{}]))
        answers[part] = rounded(system(train, train.quality[part], test, **setting))
    return _lines(
        {
            "id": topic,
            "quality": {p: _numbers(FIVE_POINT_SCALE, answers[p][d]) for p in QUALITY},
        }
        for d, topic in enumerate(test.ids)
    )


def _nugget(name: str, train: Corpus, test: Corpus, cut: list[tuple[Corpus, Corpus]]) -> str:
    system = nugget.SYSTEMS[name]

    def score(setting: dict[str, Any]) -> float:
        scores = []
        for old, new in cut:
            answers = system(old, new, **setting)
            scores.append(
                [ob.jsd(new.nugget_shares(side), answers[side]).mean() for side in NUGGETS]
            )
        return float(np.mean(scores))

    setting = _choose("nugget", name, "JSD", score, nugget.SETTINGS.get(name, [{}]))
    turns: list[list[dict[str, Any]]] = [[{} for _ in senders] for senders in test.senders]
    for side, shares in system(train, test, **setting).items():
        for d, i, units in zip(*test.side(side), rounded(shares), strict=True):
            turns[d][i] = _numbers(NUGGETS[side], units)
    return _lines({"id": topic, "nugget": turns[d]} for d, topic in enumerate(test.ids))


def _choose(
    task: str,
    name: str,
    measure: str,
    score: Callable[[dict[str, Any]], float],
    settings: list[dict[str, Any]],
) -> dict[str, Any]:
    """Return the setting with the lowest score in cross-validation (of equal ones the first)."""
    start = time.perf_counter()
    scores = [score(setting) for setting in settings]
    best = int(np.argmin(np.round(scores, 9)))
    said = ", ".join(f"{key}={value}" for key, value in settings[best].items())
    seconds = time.perf_counter() - start
    line = f"{task:<10} {name:<11} {measure} {scores[best]:.4f} in cross-validation  {said:<13}"
    print(f"{line} {seconds:5.1f} s", flush=True)
    return settings[best]


def _numbers(classes: tuple[str, ...], units: NDArray[np.int64]) -> dict[str, float]:
    return {label: int(unit) / 10_000 for label, unit in zip(classes, units, strict=True)}


def _lines(entries: Any) -> str:
    """Write a JSON list with a dialogue on each line, so that a change shows where it is."""
    return "[\n" + ",\n".join(json.dumps(e, separators=(",", ":")) for e in entries) + "\n]\n"


def _compare_with_catalogue(files: dict[str, str]) -> None:
    """Say which lines of the catalogue are no longer right."""
    ours = {**catalog()["stc3-dq-a"].ours, **catalog()["stc3-nd"].ours}
    changed = 0
    for file, text in files.items():
        checksum = hashlib.sha256(text.encode()).hexdigest()
        if ours.get(f"stc3/{file}") != checksum:
            print(f'for data/catalog.toml: "stc3/{file}" = "{checksum}"')
            changed += 1
    print(f"{len(files)} runs written, {changed} of them other than in data/catalog.toml")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Train our systems for STC-3.")
    parser.add_argument("--only", metavar="NAMES", help="names of systems, with commas between")
    parser.add_argument("--out", type=Path, default=HERE, help="folder for the runs")
    return parser.parse_args()


if __name__ == "__main__":
    try:
        # One thread: sums, and with them the last digits, do not depend on the machine's cores.
        with threadpool_limits(1):
            raise SystemExit(main())
    except KeyboardInterrupt:
        raise SystemExit("interrupted; nothing was left half-written") from None
