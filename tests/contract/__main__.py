"""Compare what users get with what was frozen: `make contract`."""

import argparse
import csv
import os
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from pathlib import Path

GOLDEN = Path(__file__).with_name("golden")
REPORT = Path(__file__).resolve().parents[2] / "_build/contract/differences.csv"
# How far numbers may lie apart; 0 where every character counts.
TOLERANCES = {
    "scores": 1e-12,
    "score": 1e-9,
    "hostile": 0.0,
    "compared": 1e-9,
}
SHOWN = 20


def parsed() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="make contract", description=__doc__)
    parser.add_argument("--area", action="append", choices=TOLERANCES, help="only this one")
    parser.add_argument("--record", action="store_true", help="freeze what there is now")
    return parser.parse_args()


def run() -> int:
    """Run the areas; return 1 if something differs or an area fails."""
    chosen = parsed()
    os.chdir(REPORT.parents[2])
    mirror = os.environ.get("ORDBOOK_MIRROR") or None
    for name in [name for name in os.environ if name.startswith("ORDBOOK_")]:
        del os.environ[name]  # the same on every machine
    faults, rows = 0, []
    for area in chosen.area or TOLERANCES:
        start = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            os.environ["ORDBOOK_CACHE"] = str(Path(folder, "cache"))
            try:
                differ, count, note = one(area, Path(folder), mirror, chosen)
            except Exception:
                traceback.print_exc()
                print(f"{area}: FAILED", flush=True)
                faults += 1
                continue
        took = time.monotonic() - start
        print(f"{area}: {count} values, {len(differ)} differ{note} ({took:.0f} s)", flush=True)
        for key, (old, new) in list(differ.items())[:SHOWN]:
            print(f"  {key}\n    was {old[:150]}\n    is  {new[:150]}")
        rows += [[area, key, *values] for key, values in differ.items()]
        faults += len(differ)
    REPORT.parent.mkdir(parents=True, exist_ok=True)
    with REPORT.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["area", "key", "was", "is"], *rows])
    print(f"contract: {'all as frozen' if not faults else f'broken; see {REPORT}'}")
    return int(faults > 0)


def one(
    area: str, folder: Path, mirror: str | None, chosen: argparse.Namespace
) -> tuple[dict[str, tuple[str, str]], int, str]:
    """Run one area; return its differences, how many values it has, and a remark."""
    from contract import areas, golden
    from contract.compared import compared
    from ordbook.papers.ledger import printed_cells

    def computed(place: str, source: str | None = None) -> golden.Cells:
        if area == "compared":
            room = folder / place
            cells = {
                " | ".join([*cell, "printed"]): text for cell, (text, _) in printed_cells().items()
            }
            return compared(room, source, cells)
        compute: Callable[..., golden.Cells] = getattr(areas, area)
        return compute(folder) if area == "score" else compute()

    tolerance = TOLERANCES[area]
    if chosen.record:
        cells = computed("with", mirror)
        without = computed("without") if area == "compared" and mirror else cells
        fixed = {k: v for k, v in cells.items() if golden.same(v, without.get(k, ""), tolerance)}
        golden.write(GOLDEN, area, fixed)
        if raw := {key: value for key, value in cells.items() if key not in fixed}:
            golden.write(GOLDEN, f"{area}-raw", raw)
        return {}, len(cells), f", {len(raw)} need raw files"
    cells, old = computed("now", mirror), golden.read(GOLDEN, area)
    if not mirror:
        needy = golden.read_raw(GOLDEN, area)
        old, cells = ({k: v for k, v in e.items() if k not in needy} for e in (old, cells))
    differ = golden.differences(old, cells, tolerance)
    return differ, len(cells), met(golden.read(GOLDEN, area), cells) if area == "hostile" else ""


def met(frozen: dict[str, str], cells: dict[str, str]) -> str:
    """Return how many of each kind of hostile files fare as they did when they were frozen."""
    told = []
    for kind in ("refused", "read", "noted"):
        keys = [key for key in frozen if key.startswith(f"{kind} | ")]
        told.append(f"{sum(frozen[k] == cells.get(k) for k in keys)} of {len(keys)} {kind}")
    return f", {', '.join(told)} as frozen"


if __name__ == "__main__":
    sys.exit(run())
