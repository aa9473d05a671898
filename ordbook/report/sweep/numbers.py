"""What one data set gives to the tables across data sets.

Contents
--------
numbers       a task -> similarity, consistency and discriminative power of its measures
as_json       those numbers as text, the same bytes for the same numbers
SAMPLES       the two sizes of samples of topics that DNKT's Table 28 shows
"""

import json
import math
from collections.abc import Mapping
from typing import Any

from ordbook.advice.duplicates import without_copies
from ordbook.chapters.data_argument import kind
from ordbook.data.loading import Task
from ordbook.data.scoring import NUGGET_MEASURES, score
from ordbook.measures import CLASSIFICATION, QUANTIFICATION, import_measures
from ordbook.meta.consistency import ranking_consistency
from ordbook.meta.discrimination import discriminative_power
from ordbook.meta.parallel import Progress
from ordbook.meta.rankings import identical_runs
from ordbook.meta.significance import tukey_hsd
from ordbook.meta.similarity import ranking_similarity

# Name of a sample -> topics in each of the two; None splits all topics in half.
SAMPLES: Mapping[str, int | None] = {"full split": None, "10 vs. 10": 10}


def numbers(
    task: Task,
    *,
    trials: int = 5000,
    splits: int = 1000,
    seed: int = 0,
    own: str = "",
    threads: int | None = None,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Meta-evaluate the measures on one data set.

    Parameters
    ----------
    task
        With at least two runs.
    trials, splits, seed
        As for :func:`ordbook.tukey_hsd` and :func:`ordbook.ranking_consistency`.
    own
        Measures of your own, as for :func:`ordbook.measures.import_measures`.
    threads, progress
        As for :func:`ordbook.tukey_hsd`; they do not change a number.

    Returns
    -------
    dict
        ``similarity``: ``tau``, ``low`` and ``high``, measure x measure, with one run of each set
        of identical ones; ``consistency``: mean tau by sample and measure, and
        ``discrimination``: significant, pairs, share, low, high by measure, both of all runs;
        ``copies``: those sets; what they come from; and
        ``notes`` on what is not there.
    """
    part = kind(task)
    known = {"classification": CLASSIFICATION, "quantification": QUANTIFICATION}
    names = list(known.get(part, NUGGET_MEASURES))
    scores = score(task, [*names, *import_measures(own)])
    similar = without_copies(scores, ranking_similarity(scores))
    notes = list(similar.notes)
    consistency: dict[str, dict[str, float] | None] = {}
    for name, size in SAMPLES.items():
        try:
            found = ranking_consistency(scores, size, splits, seed, threads, progress=progress)
        except ValueError as error:  # too few topics, or nothing to rank
            consistency[name] = None
            notes.append(str(error))
        else:
            consistency[name] = {m: float(found.mean[m]) for m in scores.measures}
            notes += found.notes
    tests = tukey_hsd(scores, trials, seed, threads, progress=progress)
    power = discriminative_power(tests)
    return {
        "task": task.name,
        "kind": part,
        "source": scores.source,
        "topics": len(scores.topics),
        "runs": list(scores.runs),
        "copies": [list(same) for same in identical_runs(scores)],
        "measures": list(scores.measures),
        "parameters": {"trials": trials, "splits": splits, "seed": seed},
        "similarity": {
            name: [
                [None if math.isnan(value) else float(value) for value in row]
                for row in getattr(similar, name).to_numpy()
            ]
            for name in ("tau", "low", "high")
        },
        "consistency": consistency,
        "discrimination": {
            measure: {
                name: float(value) if name == "share" else int(value) for name, value in row.items()
            }
            for measure, row in power.to_dict("index").items()
        },
        "notes": list(dict.fromkeys([*notes, *tests.notes])),
    }


def as_json(found: Mapping[str, Any]) -> str:
    """Write numbers as JSON; every number can be read back without loss."""
    return json.dumps(found, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
