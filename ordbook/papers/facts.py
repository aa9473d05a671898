"""Facts about raw files that may not be passed on: computed once, committed, and checked."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ordbook.data.loading import Task
from ordbook.files import share, write_whole

# Floating point differs in the last bits between machines.
SAME_FACT = 1e-12


@dataclass(frozen=True)
class Facts:
    """Facts about a task that pages show without its raw files.

    Attributes
    ----------
    file
        Its name in ``data/scores``, without the ending.
    task
        The task.
    computed_from
        File -> sha256: the files that the facts rest on.
    compute
        Returns the facts, names with numbers, lists of numbers or further names.
    """

    file: str
    task: Task
    computed_from: Mapping[str, str]
    compute: Callable[[], Mapping[str, Any]]

    def read(self) -> dict[str, Any]:
        """Return the committed facts; where the raw files are present, they must be those computed.

        Raises
        ------
        ValueError
            If the committed facts are of other files, or are not those recomputed.
        """
        path = share("data", "scores", f"{self.file}.json")
        about = json.loads(path.read_text(encoding="utf-8"))
        if about["computed_from"] != self.computed_from:
            raise ValueError(f"{path}: of other files than {self.task.name}; run 'make scores'")
        facts: dict[str, Any] = about["facts"]
        if not self.task.missing and not _same(facts, self.compute()):
            raise ValueError(
                f"{path}: the facts recomputed from raw files differ; if a measure was changed on "
                "purpose, run 'make scores'"
            )
        return facts

    def commit(self) -> None:
        """Compute the facts and write them, if the raw files are here."""
        if not self.task.missing:
            path = share("data", "scores") / f"{self.file}.json"
            about = {"format": 1, "task": self.task.name, "computed_from": self.computed_from}
            write_whole(path, json.dumps(about | {"facts": self.compute()}, indent=1) + "\n")
            print(f"{path}: written from the raw files")


def _same(first: Any, second: Any) -> bool:
    if isinstance(first, Mapping):
        return first.keys() == second.keys() and all(_same(first[k], second[k]) for k in first)
    return np.shape(first) == np.shape(second) and np.allclose(first, second, 0, SAME_FACT)
