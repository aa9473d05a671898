"""LQ'21 Table 7: topics won by popularity and by uniform."""

import numpy as np

import ordbook as ob
from ordbook.data.printed import SIX, printed_values
from ordbook.meta.agreement import topic_wins
from ordbook.papers.lq21 import wins


def test_stc3_comes_out_from_the_votes(raw_files):
    assert ob.score(ob.load("stc3-dq-a"), ["NMD"]).source == "raw"
    compared = ob.compare("lq21", "7", wins())
    assert compared.counts() == {"recomputed": 36, "consistent": 48}


def test_popularity_must_share_among_tied_classes(raw_files):
    """All probability on the first, or on the last, of the most voted classes is not the table."""
    printed = printed_values("lq21", "7").set_index(["row", "column"])["printed"]
    task = ob.load("stc3-dq-a")
    gold, n = task.gold, len(task.classes)
    top = gold >= gold.max(axis=1, keepdims=True) - 1e-12
    assert (top.sum(axis=1) > 1).any()
    for choice in (top.argmax(axis=1), n - 1 - top[:, ::-1].argmax(axis=1)):
        runs = {"uniform": np.full_like(gold, 1 / n), "one class": np.eye(n)[choice]}
        scores = ob.score(ob.QuantificationTask.from_arrays(gold, runs), SIX)
        found = topic_wins(scores, "uniform", "one class")
        ours = [f"{found.loc[name, 'second']}" for name in SIX]
        assert ours != [printed["STC-3 DQ-A", f"{name} pop"] for name in SIX]
