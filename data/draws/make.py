"""Repeat the random procedures of the chapters with many seeds: ``make draws``.

Those of our own chapters stand beside this file, and those of the papers in ``ordbook/papers``.

Names on the command line, such as ``guarantees``, repeat those alone.
"""

import gzip
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import people

import bets
import blind
import findings
import guarantees
import moves
import power
import prevalence
from ordbook.files import write_whole
from ordbook.meta.seeds import Spread
from ordbook.papers import acl21, dnkt, lq21, sigir18
from ordbook.papers.draws import PAPERS, Seen, digest_of_scores

HERE = Path(__file__).resolve().parent
CHAPTERS = {"sigir18": sigir18, "acl21": acl21, "lq21": lq21, "dnkt": dnkt}
TABLES = {
    "estimates": findings.compute_estimates,
    "answers": findings.compute_answers,
    "moves": moves.compute_moves,
    "sources": findings.compute_sources,
    "people": people.compute_people,
    "real": power.compute_sets,
    "orders": power.compute_orders,
    "strength": power.compute_strength,
    "alarms": power.compute_alarms,
    "power": power.compute_power,
    "coverage": power.compute_coverage,
    "guarantees": guarantees.compute_guarantees,
    "bets": bets.compute_bets,
    "noise": bets.compute_noise,
    "blind": blind.compute_blind,
    "blind_people": blind.compute_people,
    "blind_simulated": blind.compute_simulated,
    "prevalence": prevalence.compute_prevalence,
}
DIGITS = 12  # beyond these, numbers differ between machines


def commit(paper: str) -> None:
    """Compute the results of many seeds that the chapter of a paper shows, and write them."""
    by_chance = CHAPTERS[paper].by_chance
    cells = [
        (table, *cell, plain(value))
        for table, values in by_chance.compute(PAPERS[paper]).items()
        for cell, value in values.items()
    ]
    scores = digest_of_scores(by_chance.tasks)
    about = {"seeds": PAPERS[paper], "scores": scores, "cells": cells}
    text = json.dumps(about, ensure_ascii=False, separators=(",", ":"))
    path = HERE / f"{paper}.json.gz"
    write_whole(path, gzip.compress(text.encode(), mtime=0))
    print(f"{path}: written from {PAPERS[paper]} seeds")


def commit_table(name: str) -> None:
    """Compute a table of many random draws and write it."""
    table = TABLES[name]()
    path = HERE / f"{name}.csv"
    write_whole(path, table.to_csv(index=False, float_format="%.6g").encode())
    print(f"{path}: {len(table)} rows")


def plain(value: Spread | Seen | int) -> Any:
    """Return a result as JSON holds it."""
    if isinstance(value, Seen):
        return dict(value.counts)
    if isinstance(value, Spread):
        return [float(f"{number:.{DIGITS}g}") for number in np.asarray(value.values)]
    return int(value)


if __name__ == "__main__":
    for name in sys.argv[1:] or [*CHAPTERS, *TABLES]:
        if name in CHAPTERS:
            commit(name)
        else:
            commit_table(name)
