"""Results of random procedures over many seeds, computed once and committed as ``data/draws``."""

import functools
import gzip
import hashlib
import json
import sys
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import numpy as np
import pandas as pd

from ordbook.data.scores import committed_scores
from ordbook.files import share, write_whole
from ordbook.measures.registry import measure_named
from ordbook.meta.seeds import Spread
from ordbook.papers.montecarlo import Seen, drawn, draws

Draws: TypeAlias = "Mapping[str, Mapping[tuple[str, str], Spread | Seen | int]]"
Compute: TypeAlias = Callable[[int], Draws]
PAPERS = {"sigir18": 300, "acl21": 1000, "lq21": 1000, "dnkt": 1000}
DIGITS = 12  # beyond these, numbers differ between machines


def committed(
    paper: str, *tasks: str
) -> Callable[[Callable[[int], Draws]], Callable[[int], Draws]]:
    """Read the committed result of a function of the number of seeds, or else compute it.

    ``tasks`` are the catalogued tasks whose committed scores it starts from. When these change,
    it is computed again, until ``make draws`` commits the new values.
    """

    def decorate(compute: Compute) -> Compute:
        @functools.wraps(compute)
        def read(seeds: int = PAPERS[paper]) -> Draws:
            about = draws(paper)
            if (about["seeds"], about["scores"]) != (seeds, _digest(tasks)):
                return compute(seeds)
            tables: dict[str, dict[tuple[str, str], Spread | Seen | int]] = {}
            for (table, *place), value in drawn(paper).items():
                tables.setdefault(table, {})[place[0], place[1]] = value
            return tables

        read.tasks = tasks  # type: ignore[attr-defined]
        return read

    return decorate


def commit(paper: str, by_chance: Any) -> None:
    """Compute the results of many seeds that a paper's chapters show, and write them."""
    cells = [
        (table, *cell, _plain(value))
        for table, values in by_chance.__wrapped__(PAPERS[paper]).items()
        for cell, value in values.items()
    ]
    about = {"seeds": PAPERS[paper], "scores": _digest(by_chance.tasks), "cells": cells}
    text = json.dumps(about, ensure_ascii=False, separators=(",", ":"))
    path = share("data", "scores").parent / "draws" / f"{paper}.json.gz"
    write_whole(path, gzip.compress(text.encode(), mtime=0))
    print(f"{path}: written from {PAPERS[paper]} seeds")


def commit_table(name: str, table: pd.DataFrame, *, index: bool) -> None:
    """Write a table of many random draws; ``index`` keeps its index."""
    path = share("data", "scores").parent / "draws" / f"{name}.csv"
    write_whole(path, table.to_csv(index=index, float_format="%.6g").encode())
    print(f"{path}: {len(table)} rows")


def committed_table(name: str) -> pd.DataFrame:
    """Return a table that :func:`commit_table` wrote."""
    return pd.read_csv(share("data", "draws", f"{name}.csv"))


def _plain(value: Spread | Seen | int) -> list[float] | dict[str, int] | int:
    if isinstance(value, Seen):
        return dict(value.counts)
    if isinstance(value, Spread):
        return [float(f"{number:.{DIGITS}g}") for number in np.asarray(value.values)]
    return int(value)


def _digest(tasks: tuple[str, ...]) -> str:
    """Digest of the committed scores of tasks by the measures of the papers, and no others."""
    digest = hashlib.sha256()
    for task in tasks:
        if scores := committed_scores(task):
            known = {name: measure_named(name) for name in scores.measures}
            scores = scores.select([name for name, m in known.items() if m and m.papers])
            digest.update(repr((scores.measures, scores.topics, scores.runs)).encode())
            digest.update(scores.values.tobytes())
    return digest.hexdigest()


if __name__ == "__main__":
    from ordbook.chapters import acl21, choosing, dnkt, lq21, measures, real, sigir18

    chapters = dict(zip(PAPERS, (sigir18, acl21, lq21, dnkt), strict=True))
    asked = sys.argv[1:] or [*chapters, "choosing", "moves", "real", "guarantees"]
    for name in asked:
        if name in chapters:
            commit(name, chapters[name].by_chance)
    if "choosing" in asked:
        commit_table("choosing", choosing.compute_differences(), index=True)
    if "moves" in asked:
        commit_table("moves", choosing.compute_moves(), index=False)
    if "real" in asked:
        commit_table("real", real.compute(), index=False)
    if "guarantees" in asked:
        commit_table("guarantees", measures.compute_guarantees(), index=False)
