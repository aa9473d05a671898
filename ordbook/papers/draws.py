"""Results of random procedures over many seeds, which ``data/draws/make.py`` commits."""

import gzip
import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, TypeAlias

import numpy as np
import pandas as pd

from ordbook.data.scores import committed_scores
from ordbook.files import share
from ordbook.measures.registry import measure_named
from ordbook.meta.seeds import Spread


@dataclass(frozen=True)
class Seen:
    """The words or symbols that stand in one cell over many seeds.

    Attributes
    ----------
    counts
        Text -> number of seeds that give it. Several symbols count as a set: their order does
        not matter.

    Examples
    --------
    >>> found = Seen({"♣": 97, "♥": 3})
    >>> found.holds("♥"), found.holds("♦"), str(found)
    (True, False, '♣ for 97, ♥ for 3 of 100 seeds')
    """

    counts: Mapping[str, int]

    def holds(self, printed: str) -> bool:
        """Whether some seed gives the printed text."""
        return sorted(printed) in [sorted(text) for text in self.counts]

    def __str__(self) -> str:
        often = sorted(self.counts.items(), key=lambda item: -item[1])
        shares = ", ".join(f"{text} for {count}" for text, count in often)
        return f"{shares} of {sum(self.counts.values())} seeds"


@cache
def draws(paper: str) -> Mapping[str, Any]:
    """Return ``data/draws`` of a paper: seeds, digest of the scores, and results by cell."""
    content = share("data", "draws", f"{paper}.json.gz").read_bytes()
    about: Mapping[str, Any] = json.loads(gzip.decompress(content))
    return about


def drawn(paper: str) -> dict[tuple[str, str, str], Spread | Seen | int]:
    """Return the results of many seeds in place of a paper's: table, row, column -> values."""
    values: dict[tuple[str, str, str], Spread | Seen | int] = {}
    for table, row, column, value in draws(paper)["cells"]:
        decoded = Seen(value) if isinstance(value, dict) else value
        values[table, row, column] = Spread(np.array(value)) if isinstance(value, list) else decoded
    return values


Draws: TypeAlias = "Mapping[str, Mapping[tuple[str, str], Spread | Seen | int]]"
Compute: TypeAlias = Callable[[int], Draws]
PAPERS = {"sigir18": 300, "acl21": 1000, "lq21": 1000, "dnkt": 1000}


@dataclass(frozen=True)
class Committed:
    """The results of a random procedure: read where they are committed, or else computed.

    Attributes
    ----------
    paper
        Whose results they stand beside.
    tasks
        The catalogued tasks whose committed scores the procedure starts from. When these change, it
        is computed again, until ``make draws`` commits the new values.
    compute
        Number of seeds -> results.
    """

    paper: str
    tasks: tuple[str, ...]
    compute: Compute

    def __call__(self, seeds: int | None = None) -> Draws:
        """Return the results of so many seeds, by default of as many as are committed."""
        seeds = seeds or PAPERS[self.paper]
        about = draws(self.paper)
        if (about["seeds"], about["scores"]) != (seeds, digest_of_scores(self.tasks)):
            return self.compute(seeds)
        tables: dict[str, dict[tuple[str, str], Spread | Seen | int]] = {}
        for (table, *place), value in drawn(self.paper).items():
            tables.setdefault(table, {})[place[0], place[1]] = value
        return tables


def committed(paper: str, *tasks: str) -> Callable[[Compute], Committed]:
    """Decorate a random procedure that ``data/draws/make.py`` commits."""
    return partial(Committed, paper, tasks)


def committed_table(name: str) -> pd.DataFrame:
    """Return a table of many random draws."""
    return pd.read_csv(share("data", "draws", f"{name}.csv"))


def digest_of_scores(tasks: tuple[str, ...]) -> str:
    """Digest of the committed scores of tasks by the measures of the papers, and no others."""
    digest = hashlib.sha256()
    for task in tasks:
        if scores := committed_scores(task):
            known = {name: measure_named(name) for name in scores.measures}
            scores = scores.select([name for name, m in known.items() if m and m.papers])
            digest.update(repr((scores.measures, scores.topics, scores.runs)).encode())
            digest.update(scores.values.tobytes())
    return digest.hexdigest()
