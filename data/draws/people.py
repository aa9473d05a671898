"""People, judges and a constant against single people: for ``people.csv``."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pandas as pd

from ordbook.chapters.judges import CRITERIA
from ordbook.data.known import COMMONEST
from ordbook.data.loading import load
from ordbook.data.scoring import score
from ordbook.data.tasks import ClassificationTask
from ordbook.meta.people import human_ceiling

MEASURES = ("kappa", "MAE_mu")


def compute_people() -> pd.DataFrame:
    """Hold people, judges and a constant run against single people, by criterion of HANNA.

    Gold is one person's rating, each person in turn: of every pair, the mean over pairs.
    """
    rows = []
    for criterion, word in CRITERIA.items():
        task = load(f"hanna-{criterion}")
        assert isinstance(task, ClassificationTask)
        people = task.annotators
        assert people is not None
        ceilings = []
        for pair in combinations(range(len(people.names)), 2):
            own = np.isin(people.annotator, pair)
            two = replace(
                people,
                item=people.item[own],
                annotator=people.annotator[own],
                rating=people.rating[own],
            )
            ceilings.append(human_ceiling(replace(task, annotators=two), MEASURES))
        means = pd.concat(ceilings).groupby(level=0).mean()
        better = score(task, MEASURES).better
        for measure in MEASURES:
            judges = means.loc[[*task.runs], measure].drop(COMMONEST)
            rows.append(
                {
                    "criterion": word,
                    "measure": measure,
                    "a person": means.loc[[*people.names], measure].mean(),
                    "best judge": judges.max() if better[measure] == "high" else judges.min(),
                    "constant": means.loc[COMMONEST, measure],
                }
            )
    return pd.DataFrame(rows)
