"""The command: measure and print everything; with ``--write``, also write the two tables."""

import os

# Before numpy is loaded: one thread, so that a ratio is one of programs and not of machines.
for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"

import argparse  # noqa: E402
import csv  # noqa: E402
import sys  # noqa: E402
import time  # noqa: E402
from collections.abc import Iterable  # noqa: E402
from pathlib import Path  # noqa: E402

FOLDER = Path(__file__).resolve().parent


def main() -> None:
    """Run the benchmarks as the arguments say."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="tiny sizes: only shows that it runs")
    parser.add_argument("--write", action="store_true", help="write timings.csv and agreement.csv")
    arguments = parser.parse_args()
    if arguments.quick and arguments.write:
        parser.error("the numbers of --quick mean nothing: do not --write them")

    start = time.perf_counter()
    print("loading the libraries to compare with", flush=True)
    from benchmarks import agreement, timing

    print(f"measured {timing.machine()}", flush=True)
    if arguments.quick:
        print("tiny sizes: none of these numbers means anything", flush=True)
    print()
    timings = []
    for row in timing.table(arguments.quick):
        timings.append(row)
        wanted = f" (wanted: {row['wanted']})" if row["wanted"] else ""
        print(f"{row['ratio']:>7} times as fast{wanted}: {row['what']}")
        print(f"{'':8}ours {row['ours_s']} s, {row['against']} {row['theirs_s']} s")
        if row["note"]:
            print(f"{'':8}{row['note']}")
        sys.stdout.flush()

    print("\nlargest differences between the values", flush=True)
    rows = agreement.table(2 if arguments.quick else 40)
    for row in rows:
        compared = f"{row['library']} {row['function']}"
        print(f"{row['measure']:>9} {row['largest_difference']:>7}  {compared}")
        if row["definition"] != "same":
            print(f"{'':19}{row['note']}")
    if arguments.write:
        _write("timings.csv", timing.COLUMNS, timings)
        _write("agreement.csv", agreement.COLUMNS, rows)
    print(f"done in {time.perf_counter() - start:.0f} s", flush=True)


def _write(name: str, columns: Iterable[str], rows: Iterable[dict[str, str]]) -> None:
    with (FOLDER / name).open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    print(f"written: benchmarks/{name}")


if __name__ == "__main__":
    main()
