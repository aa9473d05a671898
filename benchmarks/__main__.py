"""The command: measure and print everything; with ``--write``, also write the two tables."""

import os

# Before numpy is loaded: one thread, so that a ratio is one of programs and not of machines.
for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"

import argparse  # noqa: E402
import csv  # noqa: E402
from pathlib import Path  # noqa: E402


def main() -> None:
    """Run the benchmarks as the arguments say."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="tiny sizes: only shows that it runs")
    parser.add_argument("--write", action="store_true", help="write timings.csv and agreement.csv")
    arguments = parser.parse_args()
    if arguments.quick and arguments.write:
        parser.error("the numbers of --quick mean nothing: do not --write them")
    from benchmarks import agreement, timing  # which take a while

    print(f"measured {timing.machine()}", flush=True)
    timings = []
    for row in timing.table(arguments.quick):
        timings.append(row)
        print(f"{row['ratio']:>7} times as fast: {row['what']}")
        print(f"{'':8}ours {row['ours_s']} s, {row['against']} {row['theirs_s']} s", flush=True)
    print("\nlargest differences between the values", flush=True)
    rows = agreement.table(2 if arguments.quick else 40)
    for row in rows:
        called = f"{row['library']} {row['theirs']}"
        print(f"{row['measure']:>9} {row['largest_difference']:>7}  {called}")
    if arguments.write:
        for name, table in (("timings.csv", timings), ("agreement.csv", rows)):
            path = Path(__file__).resolve().parent / name
            with path.open("w", encoding="utf-8", newline="") as file:
                writer = csv.DictWriter(file, table[0], lineterminator="\n")
                writer.writeheader()
                writer.writerows(table)


if __name__ == "__main__":
    main()
