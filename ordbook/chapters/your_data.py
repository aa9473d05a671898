"""The chapter on a task of your own: its tables."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from ordbook.advice.choose import advise
from ordbook.advice.criteria import COMPARED, Needs
from ordbook.chapters.rules import lowest
from ordbook.chapters.show import Pieces, Table
from ordbook.data.catalog import RawDataMissing
from ordbook.data.scores import ScoreMatrix
from ordbook.data.tasks import ClassificationTask, QuantificationTask
from ordbook.measures import Measure
from ordbook.meta.consistency import ranking_consistency
from ordbook.meta.significance import tukey_hsd
from ordbook.meta.significance_tests import SignificanceTests
from ordbook.meta.similarity import ranking_similarity
from ordbook.meta.topic_set_size import topic_set_size, unfit, with_differences
from ordbook.papers.montecarlo import split_sizes


def winners(tests: SignificanceTests, measures: Sequence[str], alpha: float = 0.05) -> pd.DataFrame:
    """Return by measure the best run, and which others it is not significantly better than."""
    rows = {}
    for measure in measures:
        means = tests.means[measure] * (1 if tests.better[measure] == "low" else -1)
        first, *others = means.sort_values(kind="stable").index
        rest = [run for run in others if tests.p[measure].loc[first, run] >= alpha]
        rows[measure] = {
            "best": lowest(means),
            "better than": f"{len(others) - len(rest)} of {len(others)}",
            "but not than": ", ".join(rest) or "none",
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("measure")


def advice(
    task: ClassificationTask | QuantificationTask,
    scores: ScoreMatrix,
    own: Sequence[Measure],
    splits: int,
    trials: int,
    seed: int,
) -> pd.DataFrame:
    """Return which measure is primary and which secondary, why, and what speaks against it."""
    kind = "classification" if isinstance(task, ClassificationTask) else "quantification"
    try:
        needs = Needs.of(task)
    except RawDataMissing:
        needs = Needs(kind, len(task.classes))
    few = scores.select([*COMPARED[kind], *(measure.name for measure in own)])
    steady = {
        name: ranking_consistency(few, size, splits, seed)
        for name, size in split_sizes(few).items()
    }
    tests = tukey_hsd(few, trials, seed)
    found = advise(few, tests, steady, ranking_similarity(few), needs, own=own)
    names = ["why"] * len(found.why) + ["doubt"] * len(found.doubts)
    head = f"primary: {found.primary or 'none'}; secondary: {found.secondary or 'none'}"
    return pd.DataFrame({head: [*found.why, *found.doubts]}, index=names)


def topics_for_a_quarter(scores: ScoreMatrix) -> pd.DataFrame:
    """Return how many topics find a quarter of each measure's spread, or why that is unknown."""
    if reason := unfit(scores):
        return pd.DataFrame({"why": [reason]}, index=["no design"])
    some = with_differences(scores)
    wanted = (np.ptp(some.means(), axis=0) / 4).tolist()
    found = topic_set_size(some, dict(zip(some.measures, wanted, strict=True)))
    return found.sort_values("topics")[["topics", "at_hand", "power"]]


def claims(
    found: pd.DataFrame, elsewhere: Mapping[str, pd.Series], caption: str, name: str
) -> Table:
    """Show what :func:`ordbook.chapters.rules.examine` found, a finding and its rule in a cell.

    Parameters
    ----------
    found
        From :func:`ordbook.chapters.rules.examine`.
    elsewhere
        Name of another task -> its verdicts, where there are some.
    caption, name
        As for :func:`ordbook.chapters.show.table`.
    """
    rows: list[tuple[Pieces, ...]] = []
    for at, row in found.iterrows():
        said = (("", row["says"]), ("interval", f"{row['paper']}, {row['section']}: {row['rule']}"))
        verdicts = [row["verdict"], *(str(there.get(at, "")) for there in elsewhere.values())]
        shares = ["" if row[of] != row[of] else f"{row[of]:.0%}" for of in ("halves", "runs")]
        rows.append((said, *((("", text),) for text in (*verdicts, row["seen"], *shares))))
    heads = ("finding, and its rule", "here", *elsewhere, "seen", "halves", "runs")
    return Table(heads, tuple(rows), caption, name)
