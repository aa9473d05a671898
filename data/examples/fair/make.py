"""Build the two tasks fair-oc and fair-oq: gold, classes, and a run of every system.

    python data/examples/fair/make.py                   # everything, into data/examples
    python data/examples/fair/make.py --only gold       # gold.csv and classes.txt of both
    python data/examples/fair/make.py --only ridge,prior --out FOLDER

The systems learn from the training half of the respondents. Of the test half they see all answers
but the rating. Nothing is written before every system has answered.
"""

import argparse
import sys
import time
from pathlib import Path
from typing import Any

import classifiers
import numpy as np
import quantifiers
from respondents import CLASSES, Respondents, grouped, halves, shares
from threadpoolctl import threadpool_limits

from ordbook.files import write_whole

EXAMPLES = Path(__file__).resolve().parent.parent
GOLD = "gold"
# Estimates are kept in whole ten-thousandths, so that they sum to one exactly.
PARTS = 10_000


def main() -> int:
    """Run the command; 0 if all went well."""
    options = _options()
    known = [GOLD, *dict.fromkeys([*classifiers.SYSTEMS, *quantifiers.SYSTEMS])]
    chosen = options.only.split(",") if options.only else known
    for name in chosen:
        if name not in known:
            print(f"error: no system {name!r}; there are {', '.join(known)}", file=sys.stderr)
            return 2
    train, everyone = halves()
    test = grouped(everyone)
    print(
        f"{len(train.ids)} respondents to learn from, {len(test.ids)} of {len(everyone.ids)} "
        f"test respondents in {len(set(test.topics))} topics"
    )
    files: dict[str, str] = {}
    if GOLD in chosen:
        files |= _gold(test)
    for name in chosen:
        if name in classifiers.SYSTEMS:
            start = time.perf_counter()
            ratings = classifiers.SYSTEMS[name](train, _unrated(test))
            files[f"fair-oc/runs/{name}.csv"] = _labels(test, ratings)
            _say("fair-oc", name, f"accuracy {np.mean(ratings == test.ratings):.3f}", start)
        if name in quantifiers.SYSTEMS:
            start = time.perf_counter()
            found = quantifiers.SYSTEMS[name](train, _unrated(test))
            files[f"fair-oq/runs/{name}.csv"] = _table(
                (topic, [f"{share:.4f}" for share in _whole_parts(row)])
                for topic, row in found.items()
            )
            _say("fair-oq", name, f"mean variational distance {_vd(found, test):.3f}", start)
    for file, text in files.items():
        path = options.out / file
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, text)
    print(f"{len(files)} files written")
    return 0


def _whole_parts(estimates: np.ndarray) -> np.ndarray:
    """Round distributions to ten-thousandths that sum to one: largest remainders are rounded up."""
    parts = estimates * PARTS
    whole = np.floor(parts).astype(int)
    left = PARTS - whole.sum(axis=-1)
    # Rounded, so that the order does not hang on the last bits.
    order = np.argsort(-(parts - whole).round(6), axis=-1, kind="stable")
    ranks = np.argsort(order, axis=-1, kind="stable")
    return np.asarray((whole + (ranks < left[..., None])) / PARTS)


def _unrated(test: Respondents) -> Respondents:
    """Return the test respondents without their ratings: a system that reads them fails."""
    return Respondents(test.answers, np.full(0, 0), test.topics, test.ids)


def _gold(test: Respondents) -> dict[str, str]:
    counts = (
        (str(topic), np.rint(shares(rated) * len(rated)).astype(int).tolist())
        for topic in dict.fromkeys(test.topics)
        for rated in [test.ratings[test.topics == topic]]
    )
    classes = "".join(f"{label}\n" for label in CLASSES)
    return {
        "fair-oc/gold.csv": _labels(test, test.ratings),
        "fair-oc/classes.txt": classes,
        "fair-oq/gold.csv": _table(counts),
        "fair-oq/classes.txt": classes,
    }


def _labels(test: Respondents, ratings: Any) -> str:
    rows = zip(test.topics, test.ids, ratings, strict=True)
    return "topic,item,label\n" + "".join(
        f"{topic},{item},{rating}\n" for topic, item, rating in rows
    )


def _table(rows: Any) -> str:
    head = ",".join(["topic", *map(str, CLASSES)])
    return f"{head}\n" + "".join(f"{topic},{','.join(map(str, row))}\n" for topic, row in rows)


def _vd(found: quantifiers.Shares, test: Respondents) -> float:
    gold = {topic: shares(test.ratings[test.topics == topic]) for topic in found}
    return float(np.mean([np.abs(found[topic] - gold[topic]).sum() / 2 for topic in found]))


def _say(task: str, name: str, quality: str, start: float) -> None:
    print(f"{task}  {name:<15} {quality}  {time.perf_counter() - start:4.1f} s", flush=True)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Build fair-oc and fair-oq.")
    parser.add_argument(
        "--only", metavar="NAMES", help="'gold' and names of systems, with commas between"
    )
    parser.add_argument("--out", type=Path, default=EXAMPLES, help="folder for the two tasks")
    return parser.parse_args()


if __name__ == "__main__":
    try:
        # One thread: sums, and with them the last digits, do not depend on the machine's cores.
        with threadpool_limits(1):
            raise SystemExit(main())
    except KeyboardInterrupt:
        raise SystemExit("interrupted; nothing was left half-written") from None
